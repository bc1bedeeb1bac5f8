package cli

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// schemeless are prefixes that everybody knows and that are no schemes of IRIs, those
// which are both being left out.
func schemeless() []string {
	return []string{
		"acl", "as", "cred", "dc", "dcat", "dct", "dcterms", "foaf", "ldp", "odrl", "org", "owl", "prov", "qudt",
		"rdf", "rdfs", "schema", "sec", "sh", "skos", "sosa", "ssn", "vcard", "void", "xsd",
	}
}

// hintPrefixes says which prefixes a document in JSON-LD seems to use without a context
// that declares them: there foaf:Person is an IRI then, of the scheme foaf, and nobody's.
func (a *app) hintPrefixes(d *rdf.Dataset) {
	known := schemeless()
	var said []string
	for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
		if d.Kind(id) != rdf.KindIRI {
			continue
		}
		iri := d.Value(id)
		const longest = len("dcterms")
		colon := strings.IndexByte(iri[:min(len(iri), longest+1)], ':')
		if colon < 0 {
			continue
		}
		if prefix := iri[:colon]; slices.Contains(known, prefix) && !slices.Contains(said, prefix) {
			said = append(said, prefix)
			a.diag.hint("<" + rdf.Abbreviate(iri) + "> is an IRI of a scheme " + prefix + ": no context declares this prefix")
		}
	}
}
