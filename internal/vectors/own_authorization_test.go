package vectors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

const (
	grantDomain = "https://receiver.example/"
	grantDoc    = "https://example.org/#doc"
	delegations = "https://w3id.org/jeswr/odrl-delegation"
)

func grantPolicy(i int) string   { return fmt.Sprintf("https://example.org/#p%d", i) }
func grantAssert(i int) string   { return fmt.Sprintf("https://p%d.example/keys#assert", i) }
func grantLogin(i int) string    { return fmt.Sprintf("https://p%d.example/keys#login", i) }
func named(iri string) object    { return object{"id": iri} }
func odrlTerm(s string) object   { return named("odrl:" + s) }
func permits(what string) object { return rule(odrlTerm(what), grantDoc) }

// rule is a permission or a prohibition.
func rule(action object, target string) object {
	return object{"odrl:action": action, "odrl:target": named(target)}
}

// where is a rule with a constraint.
func where(rule object, operand, operator string, value any) object {
	if !strings.Contains(operand, ":") {
		operand = "odrl:" + operand
	}
	return with(rule, "odrl:constraint", object{"odrl:leftOperand": named(operand), "odrl:operator": odrlTerm(operator), "odrl:rightOperand": value})
}

// grantKey is a test key of a party: one asserts, the other authenticates.
func grantKey(t testing.TB, method string) *vc.PrivateKey {
	t.Helper()
	for i := range grantParties {
		switch method {
		case grantAssert(i):
			return proofKey(t, vc.Ed25519, byte(i+1))
		case grantLogin(i):
			return proofKey(t, vc.Ed25519, byte(i+101))
		}
	}
	t.Fatalf("no party has the key %s", method)
	return nil
}

const grantParties = 5

// grantHop is a credential with its policy before it is signed.
type grantHop struct {
	credential object
	method     string
	sign       func(o *vc.SignOptions)
	after      func(string) string // changes the signed text
}

func (h *grantHop) subject() object { return h.credential["credentialSubject"].(object) }
func (h *grantHop) policy() object  { return h.subject()["policy"].(object) }

// rules are those of the permissions.
func (h *grantHop) rules() []any { return h.policy()["odrl:permission"].([]any) }

// permit replaces what the policy permits, apart from passing it on.
func (h *grantHop) permit(rules ...object) {
	var all []any
	for _, r := range rules {
		all = append(all, r)
	}
	h.policy()["odrl:permission"] = append(all, h.rules()[1:]...)
}

func (h *grantHop) prohibit(r object) { h.policy()["odrl:prohibition"] = r }

// grantHops are a chain of n hops from the party from on: each may read the document, and
// pass that on if it is not the last.
func grantHops(from, n int) []*grantHop {
	var all []*grantHop
	for i := from; i < from+n; i++ {
		permissions := []any{permits("read")}
		if i < from+n-1 {
			permissions = append(permissions, where(permits("grantUse"), delegations+"#delegationDepth", "lteq", 3))
		}
		policy := object{
			"id": grantPolicy(i), "type": "odrl:Agreement", "odrl:profile": named(delegations), "odrl:assigner": named(ownParty(i)), "odrl:assignee": named(ownParty(i + 1)), "odrl:permission": permissions,
		}
		if i > from {
			policy[delegations+"#delegatedUnder"] = named(grantPolicy(i - 1))
		}
		all = append(all, &grantHop{method: grantAssert(i), credential: object{
			"@context": []any{"https://www.w3.org/ns/credentials/v2", json.RawMessage(jsonld.AuthorizationContext.JSON())},
			"id":       fmt.Sprintf("urn:uuid:00000000-0000-4000-8000-%012d", i), "type": []string{"VerifiableCredential", "AgentAuthorizationCredential"},
			"issuer": ownParty(i), "validFrom": "2026-07-01T00:00:00Z", "validUntil": "2027-07-01T00:00:00Z",
			"credentialSubject": object{"id": ownParty(i), "authorizes": ownParty(i + 1), "policy": policy},
		}})
	}
	return all
}

// grantCase is a presentation and what is asked of it.
type grantCase struct {
	hops         []*grantHop
	holder       string
	method       string
	presentation object
	signer       func(o *vc.SignOptions)
	after        func(string) string // changes the presentation
	input        object
	files        map[string]string
}

// ask changes the request.
func (q *grantCase) ask(name string, v any) {
	q.input["request"] = with(q.input["request"].(object), name, v)
}

// signed signs a document and writes it with indents.
func (m grantSuite) signed(document any, method string, change func(o *vc.SignOptions), after func(string) string) string {
	m.t.Helper()
	text, err := json.Marshal(document)
	require.NoError(m.t, err)
	o := vc.SignOptions{Method: method, Created: signedAt, Contexts: jsonld.Builtin()}
	if change != nil {
		change(&o)
	}
	signed, err := vc.Sign(context.Background(), text, grantKey(m.t, o.Method), o)
	require.NoError(m.t, err)
	if after != nil {
		return after(string(signed))
	}
	return string(signed)
}

type grantSuite struct {
	t testing.TB
	s *ownSuite
}

// authorizationVectors are whole decisions.
func authorizationVectors(t testing.TB) ownSuite {
	t.Helper()
	s := ownSuite{
		name: "authorization", spec: authoritySpec, shared: map[string]string{},
		description: "Whole decisions as a receiver makes them: presentations of JSON-LD credentials whose policies are part of them, and intents as what is asked for. The keys are test keys: the seed of the one by which party N asserts is 32 bytes of the value N+1, and of the one by which it authenticates N+101.",
	}
	for i := range grantParties {
		s.shared[fmt.Sprintf("keyring/p%d.json", i)] = fmt.Sprintf(`{
  "@context": ["https://www.w3.org/ns/cid/v1"],
  "id": %q,
  "assertionMethod": [%[2]q],
  "authentication": [%[4]q],
  "verificationMethod": [
    {"id": %[2]q, "type": "Multikey", "controller": %[1]q, "publicKeyMultibase": %[3]q},
    {"id": %[4]q, "type": "Multikey", "controller": %[1]q, "publicKeyMultibase": %[5]q}
  ]
}
`, ownParty(i), grantAssert(i), grantKey(t, grantAssert(i)).Public().Multikey(), grantLogin(i), grantKey(t, grantLogin(i)).Public().Multikey())
	}
	m := grantSuite{t, &s}
	m.plain()
	m.embedded()
	m.documents()
	m.proofs()
	m.principals()
	m.current()
	m.policies()
	m.actors()
	m.intents()
	m.mapped()
	return s
}

func denied(phase, code string) object {
	return object{"authorized": false, "phase": phase, "code": code}
}

var (
	authorized   = object{"authorized": true, "phase": "complete"}
	policyDenied = denied("D", "POLICY_DENIED")
	mismatched   = denied("B", "BINDING_MISMATCH")
	integrity    = denied("B", "POLICY_INTEGRITY")
	noChain      = denied("assembly", "CHAIN_MALFORMED")
	malformedLD  = denied("A", "MALFORMED")
	notMapped    = object{"authorized": false}
)

// add adds a case with n hops.
func (m grantSuite) add(name, base, title, clause string, n int, expected object, change func(q *grantCase)) {
	m.t.Helper()
	q := &grantCase{
		hops: grantHops(0, n), holder: ownParty(n), method: grantLogin(n), files: map[string]string{},
		input: object{
			"presentation": "presentation.json", "challenge": "c-1", "domains": []string{grantDomain}, "rootPrincipal": ownParty(0), "now": "2026-08-01T00:00:00Z",
			"request": object{"action": "read", "target": grantDoc},
		},
	}
	q.presentation = object{
		"@context": []string{"https://www.w3.org/ns/credentials/v2"}, "id": "urn:uuid:00000000-0000-4000-8000-0000000000ff", "type": []string{"VerifiablePresentation"},
	}
	if change != nil {
		change(q)
	}
	var credentials []json.RawMessage
	for _, h := range q.hops {
		credentials = append(credentials, json.RawMessage(m.signed(h.credential, h.method, h.sign, h.after)))
	}
	q.presentation["holder"], q.presentation["verifiableCredential"] = q.holder, credentials
	text := m.signed(q.presentation, q.method, func(o *vc.SignOptions) {
		o.Challenge, o.Domain = "c-1", []string{grantDomain}
		if q.signer != nil {
			q.signer(o)
		}
	}, q.after)
	var b bytes.Buffer
	require.NoError(m.t, json.Indent(&b, []byte(text), "", "  "))
	b.WriteByte('\n')
	q.files["presentation.json"] = b.String()
	m.s.cases = append(m.s.cases, ownCase{
		name: name, base: base, operation: "authorize-presentation", title: title, clause: clause, input: q.input, expected: expected, files: q.files,
	})
}

func (m grantSuite) follows(names ...string) {
	m.s.cases[len(m.s.cases)-1].follows = names
}

// plain is section 3.2 for what is right, and what is asked for.
func (m grantSuite) plain() {
	m.add("one", "", "one hop", "AZ-6.2, AZ-3.1", 1, authorized, nil)
	m.add("two", "", "two hops", "AZ-3.15", 2, authorized, nil)
	m.add("three", "", "three hops", "AZ-3.15", 3, authorized, nil)
	ask := func(name, title, member string, v any) {
		m.add(name, "two", title, "AZ-3.21", 2, policyDenied, func(q *grantCase) { q.ask(member, v) })
	}
	ask("action", "an action that nobody permits", "action", "write")
	ask("target", "a target that nobody permits", "target", grantDoc+"2")
	ask("delegation", "passing on, which the last hop may not", "action", "grantUse")
	m.add("root", "two", "a chain whose root has no say about what is asked for", "AZ-3.13", 2, mismatched, func(q *grantCase) { q.input["rootPrincipal"] = ownParty(4) })
	m.add("root-next", "two", "a chain whose second party has the say about what is asked for", "AZ-3.13", 2, mismatched, func(q *grantCase) { q.input["rootPrincipal"] = ownParty(1) })
	m.add("actor", "", "the holder, who is authenticated by other means as well", "AZ-3.22, section 3.3", 2, authorized, func(q *grantCase) { q.input["actor"] = ownParty(2) })
	m.add("actor-other", "actor", "another than the holder, who is authenticated by other means", "section 3.3", 2, denied("A", "HOLDER_UNVERIFIED"), func(q *grantCase) { q.input["actor"] = ownParty(4) })
	holder := func(name, title string, n int) {
		m.add(name, "two", title, "AZ-5.4", 2, denied("A", "HOLDER_UNVERIFIED"), func(q *grantCase) { q.holder, q.method = ownParty(n), grantLogin(n) })
	}
	holder("holder", "a holder whom the chain does not authorize", 4)
	holder("holder-between", "a holder who is one of the chain, and not the last", 1)
	holder("holder-root", "a holder who is the root of the chain", 0)
	m.add("challenge", "two", "a presentation for another challenge", "AZ-5.1, RPL-6", 2, denied("A", "CHALLENGE_MISMATCH"), func(q *grantCase) { q.input["challenge"] = "c-2" })
	m.add("domain", "two", "a presentation for another receiver", "AZ-5.1", 2, denied("A", "DOMAIN_MISMATCH"), func(q *grantCase) { q.input["domains"] = []string{"https://another.example/"} })
	receivers := func(all ...string) func(q *grantCase) {
		return func(q *grantCase) { q.hops[1].sign = func(o *vc.SignOptions) { o.Domain = all } }
	}
	m.add("domain-credential", "", "a credential that is signed for two receivers, of which this is one", "AZ-5.1", 2, authorized, receivers("https://another.example/", grantDomain))
	m.add("domain-credential-other", "domain-credential", "a credential that is signed for another receiver", "AZ-5.1", 2, denied("A", "DOMAIN_MISMATCH"), receivers("https://another.example/"))
	m.add("token-audience", "two", "a credential with an audience, as a web token has it, which is not looked at", "AZ-5.1, 2.9", 2, malformedLD, func(q *grantCase) { q.hops[1].credential["aud"] = grantDomain })
	m.add("token-key", "two", "a credential with the key of its holder, as a web token has it, which is not looked at", "2.9", 2, malformedLD, func(q *grantCase) {
		q.hops[1].credential["cnf"] = object{"kid": grantLogin(2)}
	})
	m.add("length", "", "as many policies as a chain may have", "7.2 step 1", 3, authorized, func(q *grantCase) { q.input["maxChainLength"] = 3 })
	m.add("length-less", "length", "more policies than a chain may have", "7.2 step 1", 3, policyDenied, func(q *grantCase) { q.input["maxChainLength"] = 2 })
	m.add("length-none", "length", "no chain is short enough", "7.2 step 1", 3, policyDenied, func(q *grantCase) { q.input["maxChainLength"] = 0 })
	m.add("names", "", "a request that names a policy of the chain", "8.5", 2, authorized, func(q *grantCase) { q.input["hasPolicy"] = []string{grantPolicy(0)} })
	m.add("names-both", "", "a request that names both policies of the chain", "8.5", 2, authorized, func(q *grantCase) { q.input["hasPolicy"] = []string{grantPolicy(1), grantPolicy(0)} })
	m.add("names-other", "names", "a request that names a policy that is not in the chain", "8.5", 2, mismatched, func(q *grantCase) { q.input["hasPolicy"] = []string{grantPolicy(4)} })
	m.add("names-one-other", "names-both", "a request that names two policies, of which one is not in the chain", "8.5", 2, mismatched, func(q *grantCase) { q.input["hasPolicy"] = []string{grantPolicy(1), grantPolicy(4)} })
	order := func(name, title string, n int, expected object, at ...int) {
		m.add(name, map[int]string{2: "two", 3: "three"}[n], title, "AZ-3.6", n, expected, func(q *grantCase) {
			all := q.hops
			q.hops = nil
			for _, i := range at {
				q.hops = append(q.hops, all[i])
			}
		})
	}
	order("order", "credentials that do not begin with the root", 3, noChain, 1, 0, 2)
	order("gap", "a chain without its second hop", 3, noChain, 0, 2)
	order("headless", "a chain without its first hop", 3, noChain, 1, 2)
	m.add("order-last", "three", "credentials in another order, presented by whom the last of them authorizes", "AZ-3.6", 3, noChain, func(q *grantCase) {
		q.hops = []*grantHop{q.hops[0], q.hops[2], q.hops[1]}
		q.holder, q.method = ownParty(2), grantLogin(2)
	})
	m.add("repeated", "two", "a credential that is there twice", "AZ-5.5", 2, malformedLD, func(q *grantCase) {
		q.after = func(s string) string {
			const begin = `"verifiableCredential":[`
			first := s[strings.Index(s, begin)+len(begin):]
			first = first[:strings.Index(first, `},{"@context"`)+1]
			return replaceOnce(begin, begin+first+",")(s)
		}
	})
	m.add("branch", "three", "two policies under one", "AZ-3.5", 3, noChain, func(q *grantCase) {
		q.hops[2].policy()[delegations+"#delegatedUnder"] = named(grantPolicy(0))
	})
	m.add("under-other", "two", "a policy under one that is not there", "AZ-3.3", 2, noChain, func(q *grantCase) {
		q.hops[1].policy()[delegations+"#delegatedUnder"] = named("urn:not:present")
	})
	m.add("same", "two", "two policies of one IRI", "AZ-3.2", 2, noChain, func(q *grantCase) { q.hops[1].policy()["id"] = grantPolicy(0) })
}

// embedded is section 6 for policies that are part of their credentials (AZ-6.2).
func (m grantSuite) embedded() {
	const odrlNS = "http://www.w3.org/ns/odrl/2/"
	one := func(name, base, title, clause string, expected object, change func(h *grantHop)) {
		m.add("policy-"+name, base, title, clause, 1, expected, func(q *grantCase) { change(q.hops[0]) })
	}
	bare := func(uid any) func(h *grantHop) {
		return func(h *grantHop) {
			delete(h.policy(), "id")
			if uid != nil {
				h.policy()["odrl:uid"] = uid
			}
		}
	}
	p0 := named(grantPolicy(0))
	one("uid", "", "a policy that has its IRI by odrl:uid", "AZ-6.2", authorized, bare(p0))
	one("no-uid", "policy-uid", "a policy without an IRI", "AZ-6.2", noChain, bare(nil))
	one("two-uids", "policy-uid", "a policy with two IRIs by odrl:uid", "AZ-6.2", noChain, bare([]any{p0, named(grantPolicy(4))}))
	one("uid-text", "policy-uid", "a policy whose odrl:uid is a text", "AZ-6.2", noChain, bare(grantPolicy(0)))
	one("id-and-uid", "", "a policy that has its IRI in both ways", "AZ-6.2, 1.10", authorized, func(h *grantHop) { h.policy()["odrl:uid"] = p0 })
	one("id-not-uid", "policy-id-and-uid", "a policy that has another IRI by odrl:uid", "AZ-6.2, 1.10", noChain, func(h *grantHop) { h.policy()["odrl:uid"] = named(grantPolicy(4)) })

	// What else the credential says.
	about := func(name, title string, expected object, value object) {
		base := "policy-beside"
		if name == "" {
			base = ""
		}
		one("beside"+prefixed("-", name), base, title, "AZ-6.2", expected, func(h *grantHop) { h.subject()["schema:about"] = value })
	}
	prohibition := permits("read")
	about("", "a credential that says something else", authorized, object{"id": "urn:x", "schema:name": "x"})
	about("graph", "a prohibition of the policy in a named graph", noChain, object{
		"id": "urn:x", "schema:name": "x", "type": "VerifiablePresentation", "proof": object{"id": grantPolicy(0), "odrl:prohibition": prohibition},
	})
	about("node", "a prohibition of the policy where its node is named again", policyDenied, object{"id": grantPolicy(0), "odrl:prohibition": prohibition})
	about("uid", "a prohibition at a second node of the IRI of the policy", noChain, object{"id": "urn:x", "odrl:uid": p0, "odrl:prohibition": prohibition})
	about("uid-blank", "a prohibition at a second node without a name of the IRI of the policy", noChain, object{"odrl:uid": p0, "odrl:prohibition": prohibition})
	about("other-target", "a prohibition of another target where the node of the policy is named again", authorized, object{"id": grantPolicy(0), "odrl:prohibition": rule(odrlTerm("read"), grantDoc+"2")})
	about("refined", "a refinement of the target", policyDenied, object{"id": grantDoc, "odrl:refinement": object{"odrl:leftOperand": odrlTerm("purpose"), "odrl:operator": odrlTerm("eq"), "odrl:rightOperand": "x"}})
	stray := func(name, title string, expected object, change func(h *grantHop)) {
		one("stray-"+name, "one", title, "AZ-6.2, AZ-3.12", expected, change)
	}
	narrow := object{"odrl:leftOperand": odrlTerm("purpose"), "odrl:operator": odrlTerm("eq"), "odrl:rightOperand": "x"}
	stray("subject", "a prohibition of the subject of the credential, which is a second policy then", noChain, func(h *grantHop) { h.subject()["odrl:prohibition"] = prohibition })
	stray("credential", "a prohibition of the credential, which is a second policy then", noChain, func(h *grantHop) { h.credential["odrl:prohibition"] = prohibition })
	stray("subject-constraint", "a constraint of the subject of the credential", integrity, func(h *grantHop) { h.subject()["odrl:constraint"] = narrow })
	stray("credential-constraint", "a constraint of the credential", integrity, func(h *grantHop) { h.credential["odrl:constraint"] = narrow })

	// What has no namespace is lost, or is of another vocabulary.
	lost := func(name, title, before, more string) {
		m.add("policy-"+name, "one", title, "2.9 rule 7", 1, malformedLD, func(q *grantCase) { q.after = replaceOnce(before, more+before) })
	}
	lost("bare-prohibition", "a prohibition without its namespace, which who ignores it finds signed", `"odrl:profile":`, `"prohibition":`+rawJSON(m.t, prohibition)+",")
	lost("bare-constraint", "a constraint without its namespace, which who ignores it finds signed", `"odrl:target":`, `"constraint":{"odrl:leftOperand":{"id":"odrl:purpose"},"odrl:operator":{"id":"odrl:eq"},"odrl:rightOperand":"x"},`)
	lost("relative-target", "a prohibition of a relative IRI, which who ignores it finds signed", `"odrl:profile":`, `"odrl:prohibition":{"id":"n"},`)
	one("bare-target", "one", "a target of the vocabulary of credentials in a rule", "AZ-6.2", noChain, func(h *grantHop) { h.permit(with(permits("read"), "target", grantDoc+"/part")) })
	one("bare-action", "one", "an action of the vocabulary of credentials in a rule", "AZ-6.2", noChain, func(h *grantHop) { h.permit(with(permits("read"), "action", named("odrl:read"))) })

	// Text is no IRI, and what is not understood widens nothing (section 7.9).
	one("action-text", "one", "a permission whose action is a text", "7.9", policyDenied, func(h *grantHop) { h.permit(with(permits("read"), "odrl:action", "odrl:read")) })
	one("target-text", "one", "a permission whose target is a text", "7.9", policyDenied, func(h *grantHop) { h.permit(with(permits("read"), "odrl:target", grantDoc)) })
	one("no-target", "one", "a permission without a target", "7.3", policyDenied, func(h *grantHop) { h.permit(object{"odrl:action": odrlTerm("read")}) })
	one("assignee-text", "one", "a permission whose assignee is a text", "7.9", policyDenied, func(h *grantHop) { h.permit(with(permits("read"), "odrl:assignee", ownParty(1))) })
	one("assignee-other", "one", "a permission for another party", "7.3", policyDenied, func(h *grantHop) { h.permit(with(permits("read"), "odrl:assignee", named(ownParty(4)))) })
	one("operand-unknown", "one", "a permission with a constraint that nobody knows", "7.5, 7.9", policyDenied, func(h *grantHop) { h.permit(where(permits("read"), "urn:mood", "eq", "good")) })
	one("class-text", "one", "a policy whose class is a text", "1.10", noChain, func(h *grantHop) {
		delete(h.policy(), "type")
		h.policy()["http://www.w3.org/1999/02/22-rdf-syntax-ns#type"] = odrlNS + "Agreement"
	})
	one("no-class", "one", "a policy without a class", "1.10", noChain, func(h *grantHop) { delete(h.policy(), "type") })
	one("two-classes", "one", "a policy of two classes", "1.10", noChain, func(h *grantHop) { h.policy()["type"] = []string{"odrl:Agreement", "odrl:Offer"} })
	one("set", "", "a set, which the root of a chain may be", "7.2 step 5a", authorized, func(h *grantHop) { h.policy()["type"] = "odrl:Set" })
	one("two-assigners", "one", "a policy with two assigners", "1.10", noChain, func(h *grantHop) {
		h.policy()["odrl:assigner"] = []any{named(ownParty(0)), named(ownParty(4))}
	})
	one("two-assignees", "one", "a policy with two assignees", "1.10", noChain, func(h *grantHop) {
		h.policy()["odrl:assignee"] = []any{named(ownParty(1)), named(ownParty(4))}
	})
	one("no-rules", "one", "a policy without a rule", "7.9", policyDenied, func(h *grantHop) { delete(h.policy(), "odrl:permission") })
	one("no-profile", "", "a policy without a profile, alone in its chain", "7.9", authorized, func(h *grantHop) { delete(h.policy(), "odrl:profile") })
	one("profile", "one", "a policy of a profile that nobody knows", "7.9", policyDenied, func(h *grantHop) {
		h.policy()["odrl:profile"] = []any{named(delegations), named("urn:profile")}
	})
	one("inherits", "one", "a policy that inherits from another", "7.9", policyDenied, func(h *grantHop) { h.policy()["odrl:inheritFrom"] = named("urn:p") })

	two := func(name, title, clause string, expected object, change func(h *grantHop)) {
		m.add("policy-"+name, "two", title, clause, 2, expected, func(q *grantCase) { change(q.hops[1]) })
	}
	two("hop-set", "a set, which a policy under another must not be", "7.2 step 5a", policyDenied, func(h *grantHop) { h.policy()["type"] = "odrl:Set" })
	two("hop-no-profile", "a policy without a profile, under another", "7.9", policyDenied, func(h *grantHop) { delete(h.policy(), "odrl:profile") })
	two("hop-no-assignee", "a policy without an assignee, under another", "7.2 step 5b", policyDenied, func(h *grantHop) { delete(h.policy(), "odrl:assignee") })
	two("hop-several", "a credential with two policies", "6.2", integrity, func(h *grantHop) {
		other := maps.Clone(h.policy())
		other["id"] = grantPolicy(4)
		h.subject()["policy"] = []any{h.policy(), other}
	})
	two("hop-none", "a credential without a policy", "AZ-3.7", mismatched, func(h *grantHop) { delete(h.subject(), "policy") })
}
