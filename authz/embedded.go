package authz

import (
	"strings"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// embeddedPolicy returns the policy that is part of a verified credential (AZ-6.2), or
// says why there is none. It is the one that svc:policy leads to, and there may be no
// other.
func embeddedPolicy(c *vc.Credential) (*odrl.Policy, string) {
	d, uid, why := embeddedGraph(c)
	if why != "" {
		return nil, why
	}
	p, err := delegation.Compile(d.Default(), "")
	switch {
	case err != nil:
		return nil, err.Error()
	case p.IRI() != uid:
		return nil, "expected <" + rdf.Abbreviate(uid) + "> to be the policy, found <" + rdf.Abbreviate(p.IRI()) + ">"
	}
	for _, f := range p.Findings() {
		// What has no prefix in the credential is of this namespace, so that a constraint
		// would be a mere description. Claims of the subject are no part of the policy.
		if f.Code == odrl.CodeIgnoredProperty && ofCredentials(strings.TrimPrefix(f.Term, "<")) && f.Node != c.Subject().String() {
			return nil, f.Message
		}
	}
	return p, ""
}

// embeddedGraph returns everything that was signed, with the IRI of odrl:uid in the
// place of the policy's blank node, and that IRI.
//
// It returns more than the policy and its blank nodes: what the issuer says about a
// target, an action or a party that is an IRI narrows the grant as it does in a document.
func embeddedGraph(c *vc.Credential) (*rdf.Dataset, string, string) {
	g, _, ok := c.Graph()
	claims := c.Claims(vocab.SVCPolicy)
	if !ok || len(claims) != 1 || claims[0].Kind() == rdf.KindLiteral {
		return nil, "", "expected one policy as part of the credential"
	}
	d := g.Dataset()
	if len(d.GraphNames()) > 0 { // as of a document: a named graph may hold a prohibition that would be lost
		return nil, "", "expected no named graphs in a credential with its policy"
	}
	root := d.Lookup(claims[0])
	var uid rdf.ID
	if claims[0].Kind() == rdf.KindIRI {
		uid = root // JSON-LD can name the policy itself; package odrl then checks odrl:uid
	}
	if p := d.LookupIRI(vocab.ODRLUID); p != 0 && uid == 0 {
		for q := range g.Objects(root, p).Quads() {
			if uid != 0 || d.Kind(q.O) != rdf.KindIRI {
				return nil, "", "expected one IRI for odrl:uid"
			}
			uid = q.O
		}
	}
	if uid == 0 {
		return nil, "", "expected one IRI for odrl:uid, found none"
	}
	b := rdf.NewBuilder(rdf.Limits{}.OrPeer())
	terms := map[rdf.ID]rdf.ID{}
	var fault error
	term := func(id rdf.ID) rdf.ID {
		if id == root {
			id = uid
		}
		if t, ok := terms[id]; ok {
			return t
		}
		t, err := b.Term(d.Term(id))
		if err != nil && fault == nil {
			fault = err
		}
		terms[id] = t
		return t
	}
	for q := range g.All().Quads() {
		s, p, o := term(q.S), term(q.P), term(q.O)
		if fault == nil {
			fault = b.Add(s, p, o, 0)
		}
	}
	if fault != nil {
		return nil, "", fault.Error()
	}
	return b.Dataset(), d.Value(uid), ""
}
