package vocab

// RDF 1.1 (namespace rdf:).
const (
	RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

	RDFType       = RDF + "type"
	RDFFirst      = RDF + "first"
	RDFRest       = RDF + "rest"
	RDFNil        = RDF + "nil"
	RDFList       = RDF + "List"
	RDFLangString = RDF + "langString"
	RDFHTML       = RDF + "HTML"
	RDFXMLLiteral = RDF + "XMLLiteral"
	RDFJSON       = RDF + "JSON"
	RDFValue      = RDF + "value"
	RDFDirection  = RDF + "direction"
	RDFLanguage   = RDF + "language"
	RDFSubject    = RDF + "subject"
	RDFPredicate  = RDF + "predicate"
	RDFObject     = RDF + "object"
	RDFProperty   = RDF + "Property"
	RDFStatement  = RDF + "Statement"
)
