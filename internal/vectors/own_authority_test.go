package vectors_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
)

const (
	authoritySpec = "https://github.com/jeswr/agent-authz-credential-spec"
	svcTerms      = "https://w3id.org/jeswr/solid-vc#"
	listURL       = "https://p0.example/status/1"
	policyURL     = "https://p0.example/policy.ttl"
)

var signedAt = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

func ownParty(i int) string  { return fmt.Sprintf("https://p%d.example/#me", i) }
func ownMethod(i int) string { return fmt.Sprintf("https://p%d.example/keys#k1", i) }

// ownKey is the test key of a party, which everybody knows: see the description of the
// suite.
func ownKey(t testing.TB, i int) *vc.PrivateKey {
	t.Helper()
	k, err := vc.GenerateKey(vc.Ed25519, bytes.NewReader(bytes.Repeat([]byte{byte(i + 1)}, 64)))
	require.NoError(t, err)
	return k
}

// hop is a credential as it will be signed, and the policy that it is about.
type hop struct {
	signer     int
	credential object
	policy     string
	purpose    vc.Purpose
	after      func(string) string // changes the signed text
}

func (h *hop) subject() object { return h.credential["credentialSubject"].(object) }

// ownHops are a chain of n hops: the policies of ownPolicies, each with its credential.
func ownHops(n int) []*hop { return ownHopsFrom(0, n) }

// ownHopsFrom are those of the parties from the party from on.
func ownHopsFrom(from, n int) []*hop {
	var all []*hop
	for i, p := range ownPoliciesFrom(from, n, 3) {
		i += from
		for k := from; k <= from+n; k++ {
			p = strings.ReplaceAll(p, fmt.Sprintf("ex:a%d ", k), "<"+ownParty(k)+"> ")
		}
		all = append(all, &hop{signer: i, policy: p, credential: object{
			"id": fmt.Sprintf("urn:uuid:00000000-0000-4000-8000-%012d", i), "type": []string{"AgentAuthorizationCredential"},
			"issuer": ownParty(i), "validFrom": "2026-07-01T00:00:00Z", "validUntil": "2027-07-01T00:00:00Z",
			"credentialSubject": object{"id": ownParty(i), svcTerms + "authorizes": ownParty(i + 1), svcTerms + "policy": fmt.Sprintf("https://example.org/#p%d", i)},
		}})
	}
	return all
}

func (h *hop) sign(t testing.TB) string {
	t.Helper()
	text, err := json.Marshal(h.credential)
	require.NoError(t, err)
	signed, err := vc.Sign(context.Background(), text, ownKey(t, h.signer), vc.SignOptions{
		Profile: vc.ProfileSVC, Method: ownMethod(h.signer), Created: signedAt, Purpose: h.purpose,
	})
	require.NoError(t, err)
	if h.after != nil {
		return h.after(string(signed))
	}
	return string(signed)
}

// again adds a second proof to a signed credential.
func again(t testing.TB, credential string, h *hop) string {
	t.Helper()
	signed, err := vc.Sign(context.Background(), []byte(credential), ownKey(t, h.signer), vc.SignOptions{
		Profile: vc.ProfileSVC, Method: ownMethod(h.signer), Created: signedAt.Add(time.Hour),
	})
	require.NoError(t, err)
	return string(signed)
}

// authorityVectors are those of section 10.4 that are of credentials.
func authorityVectors(t testing.TB) ownSuite {
	t.Helper()
	s := ownSuite{
		name: "authority", spec: authoritySpec, shared: map[string]string{},
		description: "Chains of credentials, presentations, status lists and digests of policies: the rules that no case of the public suite fails without. The keys are test keys: the seed of that of party N is 32 bytes of the value N+1.",
	}
	const parties = 5
	for i := range parties {
		s.shared[fmt.Sprintf("keyring/p%d.json", i)] = fmt.Sprintf(`{
  "@context": ["https://www.w3.org/ns/cid/v1"],
  "id": %q,
  "assertionMethod": [%[2]q],
  "authentication": [%[2]q],
  "verificationMethod": [
    {"id": %[2]q, "type": "Multikey", "controller": %[1]q, "publicKeyMultibase": %[3]q}
  ]
}
`, ownParty(i), ownMethod(i), ownKey(t, i).Public().Multikey())
	}
	chainVectors(t, &s)
	presentationVectors(t, &s)
	statusVectors(t, &s)
	digestVectors(t, &s)
	presentationFormVectors(t, &s)
	statusFormVectors(t, &s)
	digestFormVectors(t, &s)
	s.on("chain-proof-before-subject", "chain-three", false, "0.vc.json")
	s.on("chain-subject-before-revoked", "chain-three", false, "1.vc.json")
	s.on("chain-policy-twice", "chain-two", false, "2.vc.json", "2.ttl")
	s.on("chain-depth-asserted", "chain-depth", true)
	s.on("chain-acts-none", "chain-acts", false, "actor-0.vc.json", "actor-0.ttl", "actor-1.vc.json", "actor-1.ttl")
	for _, name := range []string{"chain-acts-prohibited", "chain-acts-through-prohibited", "chain-passes-on"} {
		s.on(name, name+"-other", false)
	}
	s.on("chain-acts-leaf", "chain-acts", false)
	s.on("chain-acts-prohibited-last", "chain-acts", false)
	s.on("chain-acts-grant", "chain-acts", false)
	s.on("chain-acts-grant-through", "chain-acts-grant-last", false)
	s.on("chain-acts-grant-far", "chain-acts-grant-further", false)
	s.on("chain-recipient-prohibited", "chain-recipient-prohibited-other", false)
	s.on("chain-acts-outweighed", "chain-acts-not-outweighed", false)
	for _, name := range []string{"prohibition", "delegated", "https"} {
		s.on("chain-beside-"+name, "chain-beside", false)
	}
	for _, name := range []string{"constraint", "misspelt", "prefix", "http", "name"} {
		s.on("chain-says-"+name, "chain-says", false)
	}
	s.on("chain-recipient-collection-prohibited", "chain-recipient-collection", false)
	for _, name := range []string{"other", "node", "value"} {
		s.on("chain-action-"+name, "chain-action", false)
	}
	for _, name := range []string{"other", "node"} {
		s.on("chain-target-"+name, "chain-target", false)
	}
	s.on("status-missing", "status-clear", false, "list.vc.json")
	s.on("status-unreachable", "status-clear", false, "list.vc.json")
	return s
}

func replaceOnce(from, to string) func(string) string {
	return func(s string) string {
		if strings.Count(s, from) != 1 {
			panic(fmt.Sprintf("%q is in %s %d times", from, s, strings.Count(s, from)))
		}
		return strings.Replace(s, from, to, 1)
	}
}

// forge changes a byte of the signature of a credential.
func forge(s string) string {
	at := strings.LastIndex(s, `"proofValue":"z`) + len(`"proofValue":"z`) + 20
	with := byte('2')
	if s[at] == with {
		with = '3'
	}
	return s[:at] + string(with) + s[at+1:]
}

func chainVectors(t testing.TB, s *ownSuite) {
	t.Helper()
	type question struct {
		hops       []*hop
		actorHops  []*hop
		attributes object
		memberOf   object
		duties     bool
		actor      string
		root       string
		revoked    []string
	}
	add := func(name, title, clause string, n int, expected object, change func(q *question)) {
		q := &question{hops: ownHops(n), actor: ownParty(n), root: ownParty(0)}
		change(q)
		c := ownCase{name: "chain-" + name, operation: "verify-agent-authority", title: title, clause: clause, expected: expected, files: map[string]string{}}
		chain := func(prefix string, hops []*hop) object {
			var credentials, policies []string
			for i, h := range hops {
				credential, policy := fmt.Sprintf("%s%d.vc.json", prefix, i), fmt.Sprintf("%s%d.ttl", prefix, i)
				c.files[credential] = h.sign(t)
				credentials = append(credentials, credential)
				if h.policy != "" {
					c.files[policy] = h.policy
					policies = append(policies, policy)
				}
			}
			return object{"credentials": credentials, "policies": policies}
		}
		request := object{"action": "read", "target": "https://example.org/#doc"}
		if q.attributes != nil {
			request["attributes"] = q.attributes
		}
		if q.memberOf != nil {
			request["memberOf"] = q.memberOf
		}
		c.input = object{
			"rootPrincipal": q.root, "actor": q.actor, "now": "2026-08-01T00:00:00Z", "request": request,
			"primaryChain": chain("", q.hops),
		}
		if q.actorHops != nil {
			c.input["actorChain"] = chain("actor-", q.actorHops)
		}
		if q.duties {
			c.input["requireDuties"] = true
		}
		if q.revoked != nil {
			c.input["revoked"] = q.revoked
		}
		s.cases = append(s.cases, c)
	}
	yes := object{"authorized": true, "phase": "complete"}
	no := func(phase, code string) object {
		return object{"authorized": false, "phase": phase, "code": code}
	}
	add("three", "three hops", "section 3", 3, yes, func(*question) {})
	add("two", "two hops", "section 3", 2, yes, func(*question) {})
	add("one", "one hop", "section 3", 1, yes, func(*question) {})

	add("other-key", "a credential with the key of another", "10.4 item 5", 3, no("A", "ISSUER_MISMATCH"), func(q *question) { q.hops[1].signer = 4 })
	add("other-subject", "a credential about another than its issuer", "10.4 item 5", 3, no("B", "SUBJECT_ISSUER_MISMATCH"), func(q *question) { q.hops[1].subject()["id"] = ownParty(0) })
	add("other-issuer", "a credential by another than the assigner of its policy", "10.4 item 5", 3, no("B", "BINDING_MISMATCH"), func(q *question) {
		q.hops[1].credential["issuer"], q.hops[1].subject()["id"], q.hops[1].signer = ownParty(4), ownParty(4), 4
	})
	add("other-authorized", "a credential that authorizes another than the assigner of the next policy", "10.4 item 5", 3, no("B", "BINDING_MISMATCH"), func(q *question) { q.hops[0].subject()[svcTerms+"authorizes"] = ownParty(4) })
	add("other-assignee", "a last policy for another than its credential authorizes", "10.4 item 5", 1, no("B", "BINDING_MISMATCH"), func(q *question) {
		h := q.hops[0]
		h.policy = strings.Replace(h.policy, "ex:p0 odrl:assignee <"+ownParty(1)+">", "ex:p0 odrl:assignee <"+ownParty(4)+">", 1) + "ex:read0 odrl:assignee <" + ownParty(1) + "> .\n"
	})

	add("unknown-cryptosuite", "a cryptosuite that nobody knows", "10.4 item 8", 3, no("A", "UNKNOWN_CRYPTOSUITE"), func(q *question) { q.hops[1].after = replaceOnce("eddsa-rdfc-2022", "eddsa-rdfc-2023") })
	add("wrong-purpose", "a credential that is signed to authenticate", "10.4 item 8", 3, no("A", "PROOF_PURPOSE_MISMATCH"), func(q *question) { q.hops[1].purpose = vc.Authentication })
	add("null-proof", "null beside a good proof", "10.4 item 8", 3, no("A", "INVALID_SIGNATURE"), func(q *question) {
		q.hops[1].after = func(c string) string { return replaceOnce(`"proof":{`, `"proof":[null,{`)(c[:len(c)-1] + "]}") }
	})
	add("no-proof", "no proof", "10.4 item 8", 3, no("A", "NO_PROOF"), func(q *question) {
		q.hops[1].after = func(c string) string { return c[:strings.Index(c, `,"proof":`)] + "}" }
	})
	add("proof-set", "two proofs of one credential", "10.4 item 8", 3, yes, func(q *question) { q.hops[1].after = func(c string) string { return again(t, c, q.hops[1]) } })
	add("proof-set-forged", "two proofs of one credential, one of them forged", "10.4 item 8", 3, no("A", "INVALID_SIGNATURE"), func(q *question) {
		q.hops[1].after = func(c string) string { return forge(again(t, c, q.hops[1])) }
	})
	add("proof-set-other", "two proofs of one credential, one of them by another party", "10.4 item 8", 3, no("A", "ISSUER_MISMATCH"), func(q *question) {
		q.hops[1].after = func(c string) string { return again(t, c, &hop{signer: 4}) }
	})
	add("proof-null-alone", "null for a proof", "10.4 test groups", 3, no("A", "INVALID_SIGNATURE"), func(q *question) {
		q.hops[1].after = func(c string) string { return c[:strings.Index(c, `"proof":`)] + `"proof":[null]}` }
	})
	add("proof-of-no-type", "a proof without a type", "10.4 item 8", 3, no("A", "INVALID_SIGNATURE"), func(q *question) { q.hops[1].after = replaceOnce(`"type":"DataIntegrityProof",`, "") })
	add("expired-before-forged", "of two faults of one credential the validity", "10.4 item 8", 3, no("A", "EXPIRED"), func(q *question) {
		q.hops[1].credential["validUntil"] = "2026-07-31T23:59:59Z"
		q.hops[1].after = forge
	})
	add("proof-before-subject", "a forged proof of a later hop, before the subject of an earlier one", "10.4 item 8", 3, no("A", "INVALID_SIGNATURE"), func(q *question) {
		q.hops[0].subject()["id"] = ownParty(4)
		q.hops[2].after = forge
	})
	add("subject-before-revoked", "another subject, before a revocation", "10.4 item 8", 3, no("B", "SUBJECT_ISSUER_MISMATCH"), func(q *question) {
		q.hops[1].subject()["id"] = ownParty(4)
		q.revoked = []string{"https://example.org/#p0"}
	})
	add("two-roots", "two roots", "10.4 test groups, AZ-3.4", 3, no("assembly", "CHAIN_MALFORMED"), func(q *question) {
		q.hops[1].policy = strings.Replace(q.hops[1].policy, "ex:p1 odrld:delegatedUnder ex:p0 .\n", "", 1)
	})
	add("branch", "two policies under one", "10.4 test groups", 3, no("assembly", "CHAIN_MALFORMED"), func(q *question) {
		q.hops[2].policy = strings.Replace(q.hops[2].policy, "odrld:delegatedUnder ex:p1", "odrld:delegatedUnder ex:p0", 1)
	})
	add("policy-twice", "one policy twice", "10.4 test groups", 2, no("assembly", "CHAIN_MALFORMED"), func(q *question) { q.hops = append(q.hops, q.hops[1]) })

	// What the signature does not cover, and what a reader could take for something else
	// (sections 1.10 and 2.5).
	spelt := func(name, title, clause, from, to string) {
		add(name, title, clause, 3, no("A", "MALFORMED"), func(q *question) { q.hops[1].after = replaceOnce(from, to) })
	}
	for _, row := range []struct{ name, member string }{
		{"nonce", `"nonce":"n"`}, {"id", `"id":"urn:uuid:1"`}, {"expires", `"expires":"2027-07-01T00:00:00Z"`}, {"previous", `"previousProof":"urn:uuid:1"`}, {"context", `"@context":"https://www.w3.org/ns/credentials/v2"`},
	} {
		spelt("unsigned-"+row.name, "a member of the proof that no signature covers: "+row.name, "AZ-2.9", `"proofValue":`, row.member+`,"proofValue":`)
	}
	spelt("unsigned-member", "a member of the credential that no signature covers", "1.10", `"issuer":`, `"evidence":{"id":"urn:e"},"issuer":`)
	spelt("claim-null", "a claim that is null, and would be lost", "1.10", `"credentialSubject":{`, `"credentialSubject":{"urn:claim":null,`)
	spelt("claim-fraction", "a claim that is a number with a fraction", "1.10", `"credentialSubject":{`, `"credentialSubject":{"urn:claim":1.5,`)
	spelt("claim-large", "a claim that is a number which not every reader has", "1.10", `"credentialSubject":{`, `"credentialSubject":{"urn:claim":9007199254740993,`)
	spelt("member-twice", "an issuer that is there twice", "1.10", `"issuer":`, `"issuer":"https://p1.example/#me","issuer":`)
	spelt("no-id", "a credential without an id", "1.10", `"id":"urn:uuid:00000000-0000-4000-8000-000000000001",`, ``)
	spelt("id-relative", "a credential whose id is relative", "1.10", `"id":"urn:uuid:00000000-0000-4000-8000-000000000001",`, `"id":"one",`)
	spelt("type-text", "a type that is a text", "1.10", `"type":["AgentAuthorizationCredential"]`, `"type":"AgentAuthorizationCredential"`)
	spelt("issuer-object", "an issuer that is an object", "1.10", `"issuer":"https://p1.example/#me"`, `"issuer":{"id":"https://p1.example/#me"}`)
	spelt("from-no-date", "a begin that is no time", "1.10", `"validFrom":"2026-07-01T00:00:00Z"`, `"validFrom":"2026-13-01T00:00:00Z"`)
	spelt("until-no-zone", "an end without a time zone", "1.10", `"validUntil":"2027-07-01T00:00:00Z"`, `"validUntil":"2027-07-01T00:00:00"`)
	spelt("until-before-from", "an end before the begin", "1.10", `"validUntil":"2027-07-01T00:00:00Z"`, `"validUntil":"2026-06-01T00:00:00Z"`)

	duties := func(q *question) {
		q.hops[0].policy += "ex:grant0 odrl:duty [ odrl:action odrl:inform ] .\n"
		q.hops[1].policy += "ex:read1 odrl:duty [ odrl:action odrl:anonymize ] .\n"
	}
	add("duties", "duties of two hops, which are carried forward", "10.4 item 7", 2, yes, duties)
	add("duties-required", "duties of two hops, none fulfilled", "10.4 item 7", 2, no("D", "POLICY_DENIED"), func(q *question) { duties(q); q.duties = true })
	add("duties-required-one", "duties of two hops, the one of the last fulfilled", "10.4 item 7", 2, no("D", "POLICY_DENIED"), func(q *question) {
		duties(q)
		q.duties, q.attributes = true, object{"fulfilled:anonymize": true}
	})
	add("duties-required-other", "duties of two hops, the one of the first fulfilled", "10.4 item 7", 2, no("D", "POLICY_DENIED"), func(q *question) {
		duties(q)
		q.duties, q.attributes = true, object{"fulfilled:inform": true}
	})
	add("duties-required-all", "duties of two hops, both fulfilled", "10.4 item 7", 2, yes, func(q *question) {
		duties(q)
		q.duties, q.attributes = true, object{"fulfilled:inform": true, "fulfilled:anonymize": true}
	})
	// The party 4 acts by a chain of its own for the party 2, whom the first chain authorizes.
	acts := func(name, title string, expected object, change func(q *question)) {
		clause := map[string]string{"none": "AZ-3.23", "leaf": "AZ-3.17"}[name]
		if clause == "" {
			clause = "AZ-3.24"
		}
		add("acts"+prefixed("-", name), title, clause, 2, expected, func(q *question) {
			q.actor, q.actorHops = ownParty(4), ownHopsFrom(2, 2)
			change(q)
		})
	}
	forbid := func(i int, action string, party int) func(q *question) {
		return func(q *question) {
			q.hops[i].policy += fmt.Sprintf("ex:p%d odrl:prohibition [ odrl:action odrl:%s ; odrl:target ex:doc ; odrl:assignee <%s> ] .\n", i, action, ownParty(party))
		}
	}
	composition := no("composition", "IDENTITY_COMPOSITION_FAILED")
	acts("", "another acts by a chain of its own for the party that the first chain authorizes", yes, func(*question) {})
	acts("none", "another acts, without a chain of its own", composition, func(q *question) { q.actorHops = nil })
	acts("leaf", "another acts than the one whom its chain authorizes", composition, func(q *question) { q.actor = ownParty(1) })
	acts("prohibited-other", "another acts, to whom the first chain prohibits another action", yes, forbid(0, "delete", 4))
	acts("prohibited", "another acts, to whom the first chain prohibits it", composition, forbid(0, "read", 4))
	acts("prohibited-last", "another acts, to whom the last policy of the first chain prohibits use", composition, forbid(1, "use", 4))
	acts("through-prohibited-other", "another acts by one to whom the first chain prohibits another action", yes, forbid(1, "delete", 3))
	acts("through-prohibited", "another acts by one to whom the first chain prohibits it", composition, forbid(1, "read", 3))
	// The party 2 passes it on to the party 3, and that to the party 4.
	acts("grant-last", "another acts, to whom the first chain prohibits to pass it on, which it does not", yes, forbid(0, "grantUse", 4))
	acts("grant", "another acts for one to whom the first chain prohibits to pass it on", composition, forbid(1, "grantUse", 2))
	acts("grant-through", "another acts by one to whom the first chain prohibits to pass it on", composition, forbid(0, "grantUse", 3))
	far := func(depth int) func(q *question) {
		return func(q *question) {
			q.hops[1].policy += fmt.Sprintf("ex:p1 odrl:prohibition [ odrl:action odrl:grantUse ; odrl:target ex:doc ; odrl:assignee <%s> ;\n  odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand %d ] ] .\n", ownParty(2), depth)
		}
	}
	acts("grant-further", "another acts for one to whom the first chain prohibits to pass it on three times", yes, far(3))
	acts("grant-far", "another acts for one to whom the first chain prohibits to pass it on twice", composition, far(2))
	outweighed := func(q *question) {
		forbid(0, "read", 1)(q)
		q.hops[0].policy += "ex:p0 odrl:conflict odrl:perm .\n"
	}
	add("outweighed", "one acts to whom a policy prohibits it, where permissions win", "AZ-3.24", 1, yes, outweighed)
	add("acts-outweighed", "another acts for one to whom a policy prohibits it, where permissions win", "AZ-3.24", 1, composition, func(q *question) {
		outweighed(q)
		q.actor, q.actorHops = ownParty(3), ownHopsFrom(1, 2)
	})
	add("acts-not-outweighed", "another acts for one to whom a policy prohibits another action, where permissions win", "AZ-3.24", 1, yes, func(q *question) {
		forbid(0, "delete", 1)(q)
		q.hops[0].policy += "ex:p0 odrl:conflict odrl:perm .\n"
		q.actor, q.actorHops = ownParty(3), ownHopsFrom(1, 2)
	})

	add("prohibited-to-another", "a chain that prohibits it to one who does not act", "AZ-3.24", 2, yes, forbid(0, "read", 4))
	add("passes-on-other", "the first policy prohibits another action to one who passes it on", "10.4 item 4", 3, yes, forbid(0, "delete", 2))
	add("passes-on", "the first policy prohibits it to one who passes it on", "10.4 item 4", 3, no("D", "POLICY_DENIED"), forbid(0, "read", 2))

	// What a credential says of its action and target, apart from its policy. An object is a
	// node without a name, whatever it says of itself.
	bound := func(name, title, term string, expected object, v any) {
		add(name, title, "AZ-3.21", 2, expected, func(q *question) { q.hops[0].subject()[svcTerms+term] = v })
	}
	const read, doc = "http://www.w3.org/ns/odrl/2/read", "https://example.org/#doc"
	denied := no("D", "POLICY_DENIED")
	bound("action", "a credential that is for the action", "action", yes, read)
	bound("action-other", "a credential that is for another action", "action", denied, "http://www.w3.org/ns/odrl/2/delete")
	bound("action-node", "a credential that is for an action without a name, which says that its id is that of the action", "action", denied, object{"id": read})
	bound("action-value", "a credential that is for an action without a name, which has the value of the action", "action", denied, object{"http://www.w3.org/1999/02/22-rdf-syntax-ns#value": read})
	bound("target", "a credential that is about the target", "target", yes, doc)
	bound("target-other", "a credential that is about another target", "target", denied, doc+"2")
	bound("target-node", "a credential that is about a target without a name, which says that its id is that of the target", "target", denied, object{"id": doc})

	// What comes of it is for the party 4.
	receives := func(name, title string, expected object, change func(q *question)) {
		add("recipient"+prefixed("-", name), title, "AZ-3.21", 2, expected, func(q *question) {
			q.attributes = object{"recipient": ownParty(4)}
			change(q)
		})
	}
	receives("", "a request for a recipient", yes, func(*question) {})
	receives("prohibited-other", "a request for a recipient to whom the chain prohibits another action", yes, forbid(0, "delete", 4))
	receives("prohibited", "a request for a recipient to whom the chain prohibits it", denied, forbid(0, "read", 4))
	const team = "https://example.org/#team"
	within := func(member string) func(q *question) {
		return func(q *question) {
			forbid(0, "read", 4)(q)
			q.attributes, q.memberOf = object{"recipient": team}, object{member: []string{team}}
		}
	}
	receives("collection", "a request for a collection with a member to whom the chain prohibits nothing", yes, within(ownParty(3)))
	receives("collection-prohibited", "a request for a collection with a member to whom the chain prohibits it", denied, within(ownParty(4)))

	// Where the policy is a document nothing in ODRL is read of the credential: it would be lost.
	beside := func(name, title, property string, expected object) {
		add("beside"+prefixed("-", name), title, "AZ-3.12", 2, expected, func(q *question) {
			q.hops[0].subject()["https://schema.org/about"] = object{property: object{"https://schema.org/name": "x"}}
		})
	}
	stray := no("B", "POLICY_INTEGRITY")
	beside("", "a credential that says something more", "https://schema.org/about", yes)
	beside("prohibition", "a credential that says a prohibition beside its policy", "http://www.w3.org/ns/odrl/2/prohibition", stray)
	beside("delegated", "a credential that says beside its policy what something is delegated under", "https://w3id.org/jeswr/odrl-delegation#delegatedUnder", stray)
	beside("https", "a credential that says a prohibition in what is nearly the namespace of ODRL", "https://www.w3.org/ns/odrl/2/prohibition", stray)

	// What the vocabulary of credentials does not have may have been meant to narrow the grant.
	says := func(name, title, property string, expected object) {
		add("says"+prefixed("-", name), title, "1.2", 2, expected, func(q *question) { q.hops[0].subject()[property] = "x" })
	}
	says("", "a subject with a type", "type", yes)
	says("constraint", "a subject with a term that its vocabulary does not have", svcTerms+"constraint", stray)
	says("misspelt", "a subject with a target that is misspelt", svcTerms+"taget", stray)
	says("prefix", "a subject with a target by a prefix that nothing declares", "svc:target", stray)
	says("http", "a subject with a target in what is nearly the namespace of its vocabulary", "http://w3id.org/jeswr/solid-vc#target", stray)
	says("name", "a subject with a name, which is a term of its vocabulary without a namespace of its own", "name", stray)

	add("class-literal", "a policy whose class is a literal", "10.4 item 3", 1, no("assembly", "CHAIN_MALFORMED"), func(q *question) {
		q.hops[0].policy = replaceOnce("a odrl:Agreement", `a "http://www.w3.org/ns/odrl/2/Agreement"`)(q.hops[0].policy)
	})

	add("depth", "deeper than the root allows", "10.4 item 7", 3, no("D", "POLICY_DENIED"), func(q *question) {
		q.hops[0].policy = strings.Replace(q.hops[0].policy, "odrl:rightOperand 3", "odrl:rightOperand 1", 1)
	})
	add("depth-asserted", "a depth that the request asserts", "10.4 item 7", 3, no("D", "POLICY_DENIED"), func(q *question) {
		q.hops[0].policy = strings.Replace(q.hops[0].policy, "odrl:rightOperand 3", "odrl:rightOperand 1", 1)
		q.attributes = object{"delegationDepth": 1}
	})
}

func presentationVectors(t testing.TB, s *ownSuite) {
	t.Helper()
	const challenge, domain = "c-1", "https://verifier.example/"
	credential := func(i int, holder string) string {
		h := ownHops(1)[0]
		h.credential["id"] = fmt.Sprintf("urn:uuid:%d", i)
		h.subject()[svcTerms+"authorizes"] = holder
		return h.sign(t)
	}
	present := func(signer int, holder string, credentials ...string) string {
		text := fmt.Sprintf(`{"id":"urn:uuid:vp","holder":%q,"verifiableCredential":[%s]}`, holder, strings.Join(credentials, ","))
		signed, err := vc.Sign(context.Background(), []byte(text), ownKey(t, signer), vc.SignOptions{
			Profile: vc.ProfileSVC, Method: ownMethod(signer), Created: signedAt, Challenge: challenge, Domain: []string{domain},
		})
		require.NoError(t, err)
		return string(signed)
	}
	add := func(name, title, clause, presentation string, codes ...string) {
		if codes == nil {
			codes = []string{}
		}
		s.cases = append(s.cases, ownCase{
			name: "presentation-" + name, operation: "verify-presentation-replay", title: title, clause: clause,
			input:    object{"presentation": "presentation.vp.json", "challenge": challenge, "domain": domain, "now": "2026-08-01T00:00:00Z"},
			expected: object{"verified": len(codes) == 0, "codes": codes}, files: map[string]string{"presentation.vp.json": presentation},
		})
	}
	one := credential(1, ownParty(1))
	good := present(1, ownParty(1), one)
	add("good", "a presentation by the party that its credential authorizes", "section 5", good)
	add("two", "two credentials", "section 5", present(1, ownParty(1), one, credential(2, ownParty(1))))
	add("id", "another id than was signed", "10.4 item 6", replaceOnce("urn:uuid:vp", "urn:uuid:vq")(good), "INVALID_SIGNATURE")
	longer := ownHops(1)[0]
	longer.credential["id"], longer.credential["validUntil"] = "urn:uuid:1", "2028-07-01T00:00:00Z"
	add("substituted", "another credential of the same id than was signed", "10.4 test groups", replaceOnce(one, longer.sign(t))(good), "INVALID_SIGNATURE")
	add("holder", "a credential that authorizes another than the holder", "10.4 item 6, AZ-5.4", present(1, ownParty(1), credential(1, ownParty(2))), "HOLDER_UNVERIFIED")
	add("one-of-two", "two credentials, one of which authorizes another than the holder", "10.4 item 6, AZ-5.4", present(1, ownParty(1), one, credential(2, ownParty(2))), "HOLDER_UNVERIFIED")
	add("other-key", "a presentation with the key of another than the holder", "10.4 item 6", present(2, ownParty(1), one), "ISSUER_MISMATCH")
	add("duplicate", "one credential twice", "AZ-5.5", replaceOnce(one, one+","+one)(good), "MALFORMED")
	add("challenge", "a challenge that was not issued", "section 5", replaceOnce(`"challenge":"c-1"`, `"challenge":"c-2"`)(good), "CHALLENGE_MISMATCH", "INVALID_SIGNATURE")
}

func statusVectors(t testing.TB, s *ownSuite) {
	t.Helper()
	entry := func(purpose, index string) object {
		return object{"type": "BitstringStatusListEntry", "statusPurpose": purpose, "statusListIndex": index, "statusListCredential": listURL}
	}
	credential := func(e object) string {
		h := ownHops(1)[0]
		h.credential["credentialStatus"] = e
		return h.sign(t)
	}
	encode := func(bits []byte) string {
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		require.NoError(t, err)
		_, err = z.Write(bits)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return "u" + base64.RawURLEncoding.EncodeToString(b.Bytes())
	}
	list := func(signer, issuer int, purpose, id, encoded string) string {
		text := fmt.Sprintf(`{"id":%q,"type":["VerifiableCredential","https://w3id.org/jeswr/solid-vc#BitstringStatusListCredential"],"issuer":%q,"validFrom":"2026-07-01T00:00:00Z",
"credentialSubject":{"id":"%[1]s#list","https://www.w3.org/ns/credentials/status#statusPurpose":%[3]q,"https://www.w3.org/ns/credentials/status#encodedList":%[4]q}}`, id, ownParty(issuer), purpose, encoded)
		signed, err := vc.Sign(context.Background(), []byte(text), ownKey(t, signer), vc.SignOptions{Profile: vc.ProfileSVC, Method: ownMethod(signer), Created: signedAt})
		require.NoError(t, err)
		return string(signed)
	}
	const length = 131_072 / 8
	clear := func() []byte { return make([]byte, length) }
	bit := func(i int) []byte { b := clear(); b[i/8] |= 0x80 >> (i % 8); return b }
	add := func(name, title, clause string, e object, statusList string, codes ...string) {
		if codes == nil {
			codes = []string{}
		}
		s.cases = append(s.cases, ownCase{
			name: "status-" + name, operation: "verify-credential-status", title: title, clause: clause,
			input:    object{"credential": "credential.vc.json", "documents": object{listURL: object{"file": "list.vc.json", "mediaType": "application/vc"}}, "now": "2026-08-01T00:00:00Z"},
			expected: object{"verified": len(codes) == 0, "codes": codes}, files: map[string]string{"credential.vc.json": credential(e), "list.vc.json": statusList},
		})
	}
	const unreadable = "STATUS_RETRIEVAL_ERROR"
	good := list(0, 0, "revocation", listURL, encode(clear()))
	add("clear", "a bit that is clear", "section 4", entry("revocation", "42"), good)
	add("set", "a bit that is set", "section 4", entry("revocation", "42"), list(0, 0, "revocation", listURL, encode(bit(42))), "REVOKED")
	add("first", "the first bit is the most significant", "section 4", entry("revocation", "0"), list(0, 0, "revocation", listURL, encode(bit(7))))
	add("clear-suspension", "a bit of suspension that is clear", "section 4", entry("suspension", "42"), list(0, 0, "suspension", listURL, encode(clear())))
	add("clear-last", "the last bit, which is clear", "section 4", entry("revocation", "131071"), good)
	add("suspended", "a bit of suspension", "section 4", entry("suspension", "42"), list(0, 0, "suspension", listURL, encode(bit(42))), "SUSPENDED")
	add("last", "the last bit", "10.4 item 6", entry("revocation", "131071"), list(0, 0, "revocation", listURL, encode(bit(131_071))), "REVOKED")
	add("beyond", "an index behind the list", "10.4 item 6", entry("revocation", "131072"), good, unreadable)
	add("beyond-32-bits", "an index that is 42 in 32 bits", "10.4 item 6", entry("revocation", "4294967338"), good, unreadable)
	add("negative", "an index below nothing", "10.4 item 6", entry("revocation", "-1"), good, unreadable)
	add("purpose", "a list for another purpose", "10.4 item 6", entry("suspension", "42"), good, unreadable)
	add("short", "a list one byte too short", "10.4 item 6", entry("revocation", "42"), list(0, 0, "revocation", listURL, encode(make([]byte, length-1))), unreadable)
	add("forged", "a list that was changed after it was signed", "10.4 item 6", entry("revocation", "42"), replaceOnce(`"validFrom":"2026-07-01`, `"validFrom":"2026-07-02`)(good), unreadable)
	add("unsigned", "a list without a proof", "10.4 item 6", entry("revocation", "42"), good[:strings.Index(good, `,"proof":`)]+"}", unreadable)
	add("other-issuer", "a list by another party", "10.4 item 6", entry("revocation", "42"), list(4, 4, "revocation", listURL, encode(clear())), unreadable)
	add("other-key", "a list in the name of the issuer by another party", "10.4 item 6", entry("revocation", "42"), list(4, 0, "revocation", listURL, encode(clear())), unreadable)
	add("moved", "a list of another address", "10.4 item 10", entry("revocation", "42"), list(0, 0, "revocation", listURL+"/moved", encode(clear())), unreadable)
	add("bomb", "a list that inflates to 17 MiB", "10.4 item 10", entry("revocation", "42"), list(0, 0, "revocation", listURL, encode(make([]byte, 17<<20))), unreadable)
	served := func(name, title string, documents object) {
		c := s.cases[len(s.cases)-1]
		s.cases = append(s.cases, ownCase{
			name: "status-" + name, operation: c.operation, title: title, clause: "10.4 test groups", input: object{"credential": "credential.vc.json", "documents": documents, "now": "2026-08-01T00:00:00Z"},
			expected: object{"verified": false, "codes": []string{unreadable}}, files: map[string]string{"credential.vc.json": credential(entry("revocation", "42"))},
		})
	}
	served("missing", "a list that is not there", object{listURL: object{"status": 404}})
	served("unreachable", "a list that nobody has", object{})
	at := strings.Index(good, `"https://www.w3.org/ns/credentials/status#encodedList":`)
	end := at + strings.Index(good[at:], "}")
	add("list-in-proof", "a list that stands in the proof and is not signed", "10.4 test groups", entry("revocation", "42"), strings.TrimRight(good[:at], ",")+strings.Replace(good[end:], `"proof":{`, `"proof":{`+good[at:end]+`,`, 1), unreadable)
	add("not-gzip", "a list that is not compressed", "section 4", entry("revocation", "42"), list(0, 0, "revocation", listURL, "u"+base64.RawURLEncoding.EncodeToString(clear())), unreadable)
	add("padded", "a list in another alphabet", "section 4", entry("revocation", "42"), list(0, 0, "revocation", listURL, "m"+encode(clear())[1:]), unreadable)
}

func digestVectors(t testing.TB, s *ownSuite) {
	t.Helper()
	const policy = "<#p> a <http://www.w3.org/ns/odrl/2/Agreement> .\n"
	s256, s384, s512 := sha256.Sum256([]byte(policy)), sha512.Sum384([]byte(policy)), sha512.Sum512([]byte(policy))
	other := sha256.Sum256([]byte("another"))
	sri := func(name string, digest []byte) string { return name + "-" + base64.StdEncoding.EncodeToString(digest) }
	multihash := func(code byte, digest []byte) string {
		return "z" + base58.Encode(append([]byte{code, byte(len(digest))}, digest...))
	}
	id := policyURL + "#p"
	add := func(name, title string, bound bool, related any) {
		h := ownHops(1)[0]
		h.subject()[svcTerms+"policy"] = id
		if related != nil {
			h.credential["relatedResource"] = related
		}
		expected := object{"ok": bound, "codes": []string{}, "form": "reference"}
		if !bound {
			expected = object{"ok": false, "codes": []string{"POLICY_INTEGRITY"}}
		}
		s.cases = append(s.cases, ownCase{
			name: "digest-" + name, operation: "resolve-bound-policy", title: title, clause: "10.4 item 10",
			input:    object{"credential": "credential.vc.json", "documents": object{policyURL: "policy.ttl"}},
			expected: expected, files: map[string]string{"credential.vc.json": h.sign(t), "policy.ttl": policy},
		})
	}
	one := func(name string, digest string) object { return object{"id": id, name: digest} }
	add("sha256", "digestSRI with SHA-256", true, one("digestSRI", sri("sha256", s256[:])))
	add("sha384", "digestSRI with SHA-384", true, one("digestSRI", sri("sha384", s384[:])))
	add("sha512", "digestSRI with SHA-512", true, one("digestSRI", sri("sha512", s512[:])))
	add("sha256-other", "digestSRI of something else", false, one("digestSRI", sri("sha256", other[:])))
	add("sha1", "digestSRI with an algorithm that is none of SRI", false, one("digestSRI", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="))
	add("named-wrong", "a digest of another length than its algorithm", false, one("digestSRI", sri("sha512", s256[:])))
	add("multibase", "digestMultibase with SHA-256", true, one("digestMultibase", multihash(0x12, s256[:])))
	add("multibase-384", "digestMultibase with SHA-384", true, one("digestMultibase", multihash(0x20, s384[:])))
	add("multibase-other", "digestMultibase of something else", false, one("digestMultibase", multihash(0x12, other[:])))
	add("multibase-named-wrong", "digestMultibase with another code", false, one("digestMultibase", multihash(0x20, s256[:])))
	add("both", "two digests, one of something else", false, object{"id": id, "digestSRI": sri("sha256", s256[:]), "digestMultibase": multihash(0x12, other[:])})
	add("second", "two resources, the second is the policy", true, []any{object{"id": "urn:other", "digestSRI": sri("sha256", other[:])}, one("digestSRI", sri("sha256", s256[:]))})
	add("second-other", "two resources, the policy's digest is of something else", false, []any{object{"id": "urn:other", "digestSRI": sri("sha256", s256[:])}, one("digestSRI", sri("sha256", other[:]))})
	add("elsewhere", "two resources, none is the policy", false, []any{object{"id": "urn:other", "digestSRI": sri("sha256", s256[:])}, object{"id": "urn:another", "digestSRI": sri("sha256", s256[:])}})
	add("none", "no digest", false, nil)
}
