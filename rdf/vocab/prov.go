package vocab

// The provenance ontology (namespace prov:).
const (
	PROV = "http://www.w3.org/ns/prov#"

	PROVInvalidated = PROV + "invalidated"
)
