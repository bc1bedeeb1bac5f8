package jsonld

import "github.com/rdfproto/rdfproto/rdf/vocab"

// Namespaces that only contexts name.
const (
	ldp = "http://www.w3.org/ns/ldp#"
	dpv = "https://w3id.org/dpv#"
	svc = "https://w3id.org/jeswr/solid-vc#"
)

// prefix is a term for a namespace.
func prefix(name, iri string) builtinTerm { return builtinTerm{name: name, iri: iri} }

func authorizationContext() termTable {
	return termTable{terms: []builtinTerm{
		prefix("svc", svc), prefix("acl", vocab.ACL), prefix("odrl", vocab.ODRL), prefix("schema", vocab.Schema),
		plainTerm(svc, "AgentAuthorizationCredential"),
		linkTerm(svc, "authorizes"), linkTerm(svc, "action"), linkTerm(svc, "target"), linkTerm(svc, "policy"),
	}}
}

func odrlContext() termTable {
	t := termTable{terms: []builtinTerm{prefix("odrl", vocab.ODRL), prefix("acl", vocab.ACL), prefix("dpv", dpv)}}
	for _, name := range []string{
		"uid", "profile", "permission", "prohibition", "obligation", "duty", "action", "target", "assigner", "assignee",
		"constraint", "conflict", "leftOperand", "operator",
	} {
		t.terms = append(t.terms, linkTerm(vocab.ODRL, name))
	}
	// A value is an IRI or a literal, which it says itself.
	t.terms = append(t.terms, plainTerm(vocab.ODRL, "rightOperand"))
	return t
}

func delegationContext() termTable {
	t := odrlContext()
	t.terms = append(t.terms, prefix("odrld", vocab.ODRLD), linkTerm(vocab.ODRLD, "delegatedUnder"))
	return t
}

func intentContext() termTable {
	return termTable{terms: []builtinTerm{
		prefix("a2a", vocab.A2A), prefix("schema", vocab.Schema), prefix("acl", vocab.ACL), prefix("ldp", ldp),
		plainTerm(vocab.A2A, "Intent"), plainTerm(vocab.A2A, "Parameter"),
		linkTerm(vocab.A2A, "action"), linkTerm(vocab.A2A, "parameter"), linkTerm(vocab.A2A, "mode"),
		linkTerm(vocab.Schema, "object"), linkTerm(vocab.Schema, "target"), linkTerm(vocab.Schema, "agent"), linkTerm(vocab.Schema, "recipient"),
		plainTerm(vocab.A2A, "paramKey"), plainTerm(vocab.A2A, "paramValue"),
	}}
}

func protocolDocumentContext() termTable {
	t := intentContext()
	t.terms = append(t.terms,
		prefix("dcterms", vocab.DC), prefix("sh", vocab.SH),
		plainTerm(vocab.A2A, "ProtocolDocument"), linkTerm(vocab.A2A, "requestShape"), linkTerm(vocab.A2A, "responseShape"),
		plainTerm(vocab.DC, "title"), plainTerm(vocab.DC, "description"), builtinTerm{name: "version", iri: vocab.DCHasVersion},
	)
	return t
}
