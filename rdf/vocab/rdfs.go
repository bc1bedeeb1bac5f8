package vocab

// RDF Schema 1.1 (namespace rdfs:).
const (
	RDFS = "http://www.w3.org/2000/01/rdf-schema#"

	RDFSSubClassOf    = RDFS + "subClassOf"
	RDFSSubPropertyOf = RDFS + "subPropertyOf"
	RDFSLabel         = RDFS + "label"
	RDFSComment       = RDFS + "comment"
	RDFSClass         = RDFS + "Class"
	RDFSResource      = RDFS + "Resource"
	RDFSLiteral       = RDFS + "Literal"
	RDFSDatatype      = RDFS + "Datatype"
	RDFSSeeAlso       = RDFS + "seeAlso"
	RDFSIsDefinedBy   = RDFS + "isDefinedBy"
	RDFSDomain        = RDFS + "domain"
	RDFSRange         = RDFS + "range"
)
