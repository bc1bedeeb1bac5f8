package vc

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// beginsWithV2 reports whether the first context of a document is that of the data
// model: what the names of members mean depends on it.
func beginsWithV2(root strictjson.Value) bool {
	context := items(root.Get("@context"))
	if len(context) == 0 {
		return false
	}
	first, _ := context[0].Str()
	return first == jsonld.CredentialsV2
}

// repeated finds the second of two references to one context in a list of contexts, at
// any depth. It says nothing that the first does not say, but takes as long: two hundred
// of them in a presentation, whose contexts are read for every proof, took seconds.
func repeated(root strictjson.Value) strictjson.Value {
	for context := range root.Named("@context") {
		seen := map[string]bool{}
		for _, item := range context.Items() {
			iri, ok := item.Str()
			if ok && seen[iri] {
				return item
			}
			seen[iri] = ok
		}
	}
	return strictjson.Value{}
}

// checkContexts is section 2.9, rules 1 to 3, 5 and 9, for a document that claims
// authority. The members of embedded documents are not looked at: each of them is
// checked by itself.
func (v *Verifier) checkContexts(root strictjson.Value, embedded string) *Finding {
	refuse := func(at strictjson.Value, format string, args ...any) *Finding {
		return faultAt(CodeMalformed, at, format, args...)
	}
	context := root.Get("@context")
	if context.Kind() != strictjson.Array {
		return refuse(context, "expected an array for @context")
	}
	for _, item := range context.Items() {
		iri, isIRI := item.Str()
		harmless, known := v.vetted[iri]
		switch {
		case isIRI && !known:
			return refuse(item, "the context <%s> is not among the Contexts of the verifier", rdf.Abbreviate(iri))
		case isIRI && !harmless:
			return refuse(item, "the context <%s> is not one of those that credentials of authority may use", rdf.Abbreviate(iri))
		case !isIRI && !item.Same(v.inline):
			return refuse(item, "expected no inline context but that of Agent Authorization Credentials")
		}
	}
	for i := range root.Len() {
		switch m := root.Member(i); {
		case m.Str() == "@context" || m.Str() == embedded:
		case strings.HasPrefix(m.Str(), "@"):
			return refuse(m.Name, "the keyword %s is used as a member", rdf.Abbreviate(m.Str()))
		default:
			if at := keyword(m.Value, m.Str() == "proof"); at.Exists() {
				return refuse(at, "a keyword is used as a member below the top level")
			}
		}
	}
	return nil
}

// keyword finds a member that begins with "@" at any depth. The @context of a proof
// itself is compared with that of the document elsewhere.
func keyword(v strictjson.Value, proof bool) strictjson.Value {
	for _, item := range v.Items() {
		if at := keyword(item, proof); at.Exists() {
			return at
		}
	}
	for i := range v.Len() {
		m := v.Member(i)
		if !m.Name.Exists() {
			break // v is no object
		}
		if proof && m.Str() == "@context" {
			continue
		}
		if strings.HasPrefix(m.Str(), "@") {
			return m.Name
		}
		if at := keyword(m.Value, false); at.Exists() {
			return at
		}
	}
	return strictjson.Value{}
}
