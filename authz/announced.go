package authz

import (
	"slices"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// policyForm is how a credential names its policy.
type policyForm uint8

const (
	policyMissing policyForm = iota
	policyReference
	policyEmbedded
	policySeveral // more than one leaf (section 1.10, row 8)
	policyUnusable
)

// announced is what a credential says before it is verified. It decides the order in
// which credentials are checked, and the code for one that is no authorization at all.
// What is acted on is read again from the verified graph.
type announced struct {
	readable   bool // a JSON object
	authorizes bool // it is an Agent Authorization Credential for one party
	form       policyForm
	policy     string // of a reference
	digested   bool   // a related resource has the id of the policy
}

// announce reads what a credential announces, in either form (section 1.2).
func announce(data []byte, limits vc.Limits) announced {
	var a announced
	root, err := strictjson.Parse(data, strictjson.Limits{Bytes: limits.CredentialBytes, Depth: limits.Depth})
	if err != nil || root.Kind() != strictjson.Object {
		return a
	}
	a.readable = true
	typed := slices.ContainsFunc(elements(root.Get("type")), func(v strictjson.Value) bool {
		s, _ := v.Str()
		return s == "AgentAuthorizationCredential" || s == "svc:AgentAuthorizationCredential" || s == vocab.SVCAgentAuthorizationCredential
	})
	subjects := elements(root.Get("credentialSubject"))
	if len(subjects) != 1 {
		return a // the verification says what is wrong
	}
	parties := claimed(subjects[0], "authorizes", vocab.SVCAuthorizes)
	if len(parties) == 1 {
		_, ok := reference(parties[0])
		a.authorizes = typed && ok
	}
	switch policies := claimed(subjects[0], "policy", vocab.SVCPolicy); len(policies) {
	case 0:
	case 1:
		a.form = policyUnusable
		if iri, ok := reference(policies[0]); ok {
			a.form, a.policy = policyReference, iri
		} else if policies[0].Kind() == strictjson.Object {
			a.form = policyEmbedded
		}
	default:
		a.form = policySeveral
	}
	for _, r := range elements(root.Get("relatedResource")) {
		if id, ok := r.Get("id").Str(); ok && id == a.policy {
			a.digested = true
		}
	}
	return a
}

// claimed returns the leaves of a claim under any of the names it can have.
func claimed(subject strictjson.Value, term, iri string) []strictjson.Value {
	var out []strictjson.Value
	for _, name := range [...]string{term, "svc:" + term, iri} {
		out = append(out, leaves(subject.Get(name))...)
	}
	return out
}

// leaves returns the values of an array and of those in it; its depth is bounded
// by the reader.
func leaves(v strictjson.Value) []strictjson.Value {
	if !v.Exists() {
		return nil
	}
	if v.Kind() != strictjson.Array {
		return []strictjson.Value{v}
	}
	var out []strictjson.Value
	for _, item := range v.Items() {
		out = append(out, leaves(item)...)
	}
	return out
}

// elements returns the items of an array, or a value alone as one.
func elements(v strictjson.Value) []strictjson.Value {
	if v.Kind() != strictjson.Array {
		return leaves(v)
	}
	var out []strictjson.Value
	for _, item := range v.Items() {
		out = append(out, item)
	}
	return out
}

// reference returns the IRI that a string is, or an object with an id alone.
func reference(v strictjson.Value) (string, bool) {
	if v.Kind() == strictjson.Object && v.Len() == 1 {
		for _, name := range [...]string{"id", "@id"} {
			if s, ok := v.Get(name).Str(); ok {
				return s, s != ""
			}
		}
		return "", false
	}
	s, ok := v.Str()
	return s, ok && s != ""
}
