package authz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
)

// insert adds to a policy, before its final dot.
func (h *hop) insert(more string) {
	h.policy = strings.TrimSuffix(h.policy, " .\n") + " ;\n  " + more + " .\n"
}

// forbids is a prohibition of an action to a party.
func forbids(action string, n int) string {
	return "odrl:prohibition [ odrl:action odrl:" + action + " ; odrl:target <" + target + "> ; odrl:assignee <" + party(n) + "> ]"
}

// swap changes the text of a policy.
func (h *hop) swap(t testing.TB, old, new string) {
	t.Helper()
	require.Contains(t, h.policy, old)
	h.policy = strings.ReplaceAll(h.policy, old, new)
}

// TestRules changes one thing at a time in a chain that is authorized. A row that expects
// a refusal fails when the rule that it is about is switched off.
func TestRules(t *testing.T) {
	t.Parallel()
	yes := []string{"complete", "", ""}
	for name, tt := range map[string]struct {
		change func(t *testing.T, s *setting)
		want   []string // phase, code, step of the check that failed
	}{
		"as it should be": {func(*testing.T, *setting) {}, yes},
		"one policy":      {func(_ *testing.T, s *setting) { s.hops = chain(0, 1); s.request.Actor = party(1) }, yes},
		"six hops":        {func(_ *testing.T, s *setting) { s.hops = chain(0, 6); s.request.Actor = party(6) }, yes},
		"policies in another order": {func(_ *testing.T, s *setting) {
			s.after = func(c *authz.Chain) {
				c.Policies[0], c.Policies[2] = c.Policies[2], c.Policies[0]
				c.Credentials[1], c.Credentials[2] = c.Credentials[2], c.Credentials[1]
			}
		}, yes},

		"no policy":                  {func(_ *testing.T, s *setting) { s.hops = nil }, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.1"}},
		"too many credentials":       {func(_ *testing.T, s *setting) { s.config.Limits.Credentials = 2 }, []string{"assembly", "CHAIN_MALFORMED", "1.10"}},
		"a policy that is too large": {func(_ *testing.T, s *setting) { s.config.Limits.PolicyBytes = 100 }, []string{"assembly", "CHAIN_MALFORMED", "1.10"}},
		"a policy of too many quads": {func(_ *testing.T, s *setting) { s.config.Limits.Quads = 3 }, []string{"assembly", "CHAIN_MALFORMED", "1.10"}},
		"a policy that is no Turtle": {func(_ *testing.T, s *setting) { s.hops[1].policy += "x" }, []string{"assembly", "CHAIN_MALFORMED", "1.10"}},
		"two policies in a document": {func(_ *testing.T, s *setting) { s.hops[1].policy += "<urn:x> a odrl:Set ." }, []string{"assembly", "CHAIN_MALFORMED", "1.10"}},
		"two assigners":              {func(_ *testing.T, s *setting) { s.hops[1].insert("odrl:assigner <urn:x>") }, []string{"assembly", "CHAIN_MALFORMED", "1.10"}},
		"two parents":                {func(_ *testing.T, s *setting) { s.hops[1].insert("odrld:delegatedUnder <urn:x>") }, []string{"assembly", "CHAIN_MALFORMED", "1.10"}},
		"a policy twice": {func(_ *testing.T, s *setting) {
			s.after = func(c *authz.Chain) { c.Policies = append(c.Policies, c.Policies[1]) }
		}, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.2"}},
		"a parent that is not there": {func(t *testing.T, s *setting) { s.hops[1].swap(t, policy(0), policy(7)) }, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.3"}},
		"two roots":                  {func(t *testing.T, s *setting) { s.hops[1].swap(t, "odrld:delegatedUnder <"+policy(0)+"> ;", "") }, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.4"}},
		"a branch":                   {func(t *testing.T, s *setting) { s.hops[2].swap(t, policy(1), policy(0)) }, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.5"}},
		"no root":                    {func(_ *testing.T, s *setting) { s.hops[0].insert("odrld:delegatedUnder <" + policy(2) + ">") }, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.4"}},
		"a circle beside the chain": {func(t *testing.T, s *setting) {
			s.hops = append(s.hops, chain(4, 2)...)
			s.hops[3].insert("odrld:delegatedUnder <" + policy(5) + ">")
		}, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.5"}},
		"credentials that do not stand root first": {func(_ *testing.T, s *setting) {
			s.after = func(c *authz.Chain) {
				c.RootFirst = true
				c.Credentials[0], c.Credentials[1] = c.Credentials[1], c.Credentials[0]
			}
		}, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.6"}},
		"credentials that stand root first": {func(_ *testing.T, s *setting) { s.after = func(c *authz.Chain) { c.RootFirst = true } }, yes},

		"another type": {func(_ *testing.T, s *setting) { s.hops[1].credential["type"] = []string{"Other"} }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"another type, forged": {func(_ *testing.T, s *setting) {
			s.hops[1].credential["type"] = []string{"Other"}
			s.hops[1].damage = forge
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"no policy of a credential, forged": {func(_ *testing.T, s *setting) {
			delete(s.hops[1].subject(), svc+"policy")
			s.hops[1].damage = forge
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"authorizes nobody":            {func(_ *testing.T, s *setting) { delete(s.hops[1].subject(), svc+"authorizes") }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"authorizes two":               {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"authorizes"] = []string{party(2), party(3)} }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"authorizes a word":            {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"authorizes"] = "p2" }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"no policy of a credential":    {func(_ *testing.T, s *setting) { delete(s.hops[1].subject(), svc+"policy") }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"two policies of a credential": {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"policy"] = []string{policy(1), policy(2)} }, []string{"B", "POLICY_INTEGRITY", "6.2"}},
		"a policy by a number":         {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"policy"] = 1 }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"a credential too few":         {func(_ *testing.T, s *setting) { s.after = func(c *authz.Chain) { c.Credentials = c.Credentials[:2] } }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"a policy too few":             {func(_ *testing.T, s *setting) { s.after = func(c *authz.Chain) { c.Policies = c.Policies[:2] } }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"two credentials of a policy": {func(_ *testing.T, s *setting) {
			s.after = func(c *authz.Chain) { c.Credentials = append(c.Credentials, c.Credentials[1]) }
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"a credential that is no JSON": {func(_ *testing.T, s *setting) { s.hops[1].damage = func(b []byte) []byte { return b[:len(b)-1] } }, []string{"A", "MALFORMED", "AZ-3.8"}},
		"a policy that was read elsewhere": {func(_ *testing.T, s *setting) {
			s.after = func(c *authz.Chain) { c.Policies[1].IRI = "https://evil.example/policy.ttl" }
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"a policy that was read where it is": {func(_ *testing.T, s *setting) {
			s.after = func(c *authz.Chain) { c.Policies[1].IRI = policy(1) }
		}, yes},
		"a document for a policy":          {func(_ *testing.T, s *setting) { s.byDocument(1) }, []string{"B", "BINDING_MISMATCH", "AZ-3.7"}},
		"a document for a policy, allowed": {func(_ *testing.T, s *setting) { s.byDocument(1); s.config.DocumentReference = true }, yes},

		"a forged signature": {func(_ *testing.T, s *setting) { s.hops[1].damage = forge }, []string{"A", "INVALID_SIGNATURE", "AZ-3.8"}},
		"no proof": {func(_ *testing.T, s *setting) {
			s.hops[1].damage = func(b []byte) []byte { return append(b[:bytes.Index(b, []byte(`,"proof"`))], '}') }
		}, []string{"A", "NO_PROOF", "AZ-3.8"}},
		"expired":                {func(_ *testing.T, s *setting) { s.hops[1].credential["validUntil"] = "2026-08-01T11:59:59Z" }, []string{"A", "EXPIRED", "AZ-3.8"}},
		"expires now":            {func(_ *testing.T, s *setting) { s.hops[1].credential["validUntil"] = "2026-08-01T12:00:00Z" }, yes},
		"not yet valid":          {func(_ *testing.T, s *setting) { s.hops[1].credential["validFrom"] = "2026-08-01T12:00:01Z" }, []string{"A", "NOT_YET_VALID", "AZ-3.8"}},
		"valid from now on":      {func(_ *testing.T, s *setting) { s.hops[1].credential["validFrom"] = "2026-08-01T12:00:00Z" }, yes},
		"another party's key":    {func(_ *testing.T, s *setting) { s.hops[1].signer, s.hops[1].method = 7, method(7) }, []string{"A", "ISSUER_MISMATCH", "AZ-3.8"}},
		"an issuer without keys": {func(_ *testing.T, s *setting) { s.hops[1].credential["issuer"] = "https://nobody.example/" }, []string{"A", "ISSUER_MISMATCH", "AZ-3.8"}},
		"an unknown suite":       {func(_ *testing.T, s *setting) { s.verifier.Suites = []vc.Cryptosuite{vc.ECDSARDFC2019} }, []string{"A", "UNKNOWN_CRYPTOSUITE", "AZ-3.8"}},
		"an untrusted issuer":    {func(_ *testing.T, s *setting) { s.verifier.Issuers = []string{party(0), party(2)} }, []string{"A", "UNTRUSTED_ISSUER", "AZ-3.8"}},
		"the first of two forged hops": {func(_ *testing.T, s *setting) {
			s.hops[1].credential["validUntil"] = "2026-08-01T11:59:59Z"
			s.hops[2].damage = forge
		}, []string{"A", "EXPIRED", "AZ-3.8"}},

		"about another than the issuer": {func(_ *testing.T, s *setting) { s.hops[1].subject()["id"] = party(0) }, []string{"B", "SUBJECT_ISSUER_MISMATCH", "AZ-3.10"}},
		"about nobody":                  {func(_ *testing.T, s *setting) { delete(s.hops[1].subject(), "id") }, []string{"B", "BINDING_MISMATCH", "AZ-3.10"}},
		"a spoofed root, and a forged child": {func(_ *testing.T, s *setting) {
			s.hops[0].subject()["id"] = party(5)
			s.hops[1].damage = forge
		}, []string{"A", "INVALID_SIGNATURE", "AZ-3.8"}},
		"a spoofed child, and a wrong digest": {func(_ *testing.T, s *setting) {
			s.hops[1].subject()["id"] = party(5)
			s.after = comment(0)
		}, []string{"B", "SUBJECT_ISSUER_MISMATCH", "AZ-3.10"}},
		"a spoofed child, revoked": {func(_ *testing.T, s *setting) {
			s.hops[1].subject()["id"] = party(5)
			s.request.Revoked = []string{policy(1)}
		}, []string{"B", "SUBJECT_ISSUER_MISMATCH", "AZ-3.10"}},
		"another content": {func(_ *testing.T, s *setting) { s.after = comment(1) }, []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		"another content, not looked at": {func(_ *testing.T, s *setting) {
			s.after = comment(1)
			s.config.Binding = authz.InsecureBindingOff
		}, yes},
		"another content, in an audit": {func(_ *testing.T, s *setting) {
			s.after = comment(1)
			s.config.Binding = authz.InsecureBindingPresented
		}, []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		"no digest": {func(_ *testing.T, s *setting) { s.hops[1].unbound = true }, []string{"B", "POLICY_INTEGRITY", "6.2"}},
		"no digest, in an audit": {func(_ *testing.T, s *setting) {
			s.hops[1].unbound = true
			s.config.Binding = authz.InsecureBindingPresented
		}, yes},
		"a related resource without a digest": {func(_ *testing.T, s *setting) {
			s.hops[1].credential["relatedResource"] = map[string]any{"id": policy(1), "mediaType": "text/turtle"}
		}, []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		"a term of the vocabulary that is not known":   {says(svc+"constraint", "urn:x"), []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		"a term that is misspelt":                      {says(svc+"taget", "urn:x"), []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		"a target in a namespace that is nearly right": {says("http://w3id.org/jeswr/Solid-VC#target", "urn:x"), []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		"a target by a prefix that nothing declares":   {says("svc:target", "urn:x"), []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		"a name without a namespace":                   {says("name", "p2"), []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		"a type of the subject":                        {says("type", "Delegation"), yes},
		"a term of another vocabulary":                 {says("https://schema.org/about", map[string]any{"name": "p2"}), yes},
		"another root":                                 {func(_ *testing.T, s *setting) { s.request.RootPrincipal = party(5) }, []string{"B", "BINDING_MISMATCH", "AZ-3.13"}},
		"a policy by another": {func(t *testing.T, s *setting) {
			s.hops[1].swap(t, "odrl:assigner <"+party(1)+">", "odrl:assigner <"+party(5)+">")
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.14"}},
		"a root policy by nobody": {func(t *testing.T, s *setting) {
			s.hops[0].swap(t, "odrl:assigner <"+party(0)+"> ;", "")
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.14"}},
		"a hop in between that is missing": {func(_ *testing.T, s *setting) { s.hops[0].subject()[svc+"authorizes"] = party(5) }, []string{"B", "BINDING_MISMATCH", "AZ-3.15"}},
		"a leaf for another":               {func(_ *testing.T, s *setting) { s.hops[2].subject()[svc+"authorizes"] = party(5) }, []string{"B", "BINDING_MISMATCH", "AZ-3.16"}},
		"a leaf policy for another": {func(t *testing.T, s *setting) {
			s.hops[2].swap(t, "odrl:assignee <"+party(3)+">", "odrl:assignee <"+party(5)+">")
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.16"}},
		"a policy that the intent names":                {func(_ *testing.T, s *setting) { s.request.Policies = []string{policy(2), policy(0)} }, yes},
		"a policy that the intent names and nobody has": {func(_ *testing.T, s *setting) { s.request.Policies = []string{policy(1), policy(5)} }, []string{"B", "BINDING_MISMATCH", "8.5"}},
		"an intent that names a policy without its fragment": {func(_ *testing.T, s *setting) {
			s.request.Policies = []string{strings.TrimSuffix(policy(1), "#it")}
		}, []string{"B", "BINDING_MISMATCH", "8.5"}},

		"a status, and nothing to read it by": {func(_ *testing.T, s *setting) {
			s.hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.18"}},
		"a clear status": {func(t *testing.T, s *setting) {
			s.hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
			s.verifier.Documents = statusList(t, 1, "revocation", 8)
		}, yes},
		"a set status": {func(t *testing.T, s *setting) {
			s.hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
			s.verifier.Documents = statusList(t, 1, "revocation", 7)
		}, []string{"C", "REVOKED", "AZ-3.18"}},
		"a suspension": {func(t *testing.T, s *setting) {
			s.hops[1].credential["credentialStatus"] = statusEntry(7, "suspension")
			s.verifier.Documents = statusList(t, 1, "suspension", 7)
		}, []string{"C", "SUSPENDED", "AZ-3.18"}},
		"a list by another": {func(t *testing.T, s *setting) {
			s.hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
			s.verifier.Documents = statusList(t, 0, "revocation", 8)
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.18"}},
		"a list for another purpose": {func(t *testing.T, s *setting) {
			s.hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
			s.verifier.Documents = statusList(t, 1, "suspension", 8)
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.18"}},
		"an index beyond the list": {func(t *testing.T, s *setting) {
			s.hops[1].credential["credentialStatus"] = statusEntry(131_072, "revocation")
			s.verifier.Documents = statusList(t, 1, "revocation", 8)
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.18"}},
		"unreachable":             {func(_ *testing.T, s *setting) { s.request.StatusUnreachable = true }, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.19"}},
		"revoked":                 {func(_ *testing.T, s *setting) { s.request.Revoked = []string{policy(1)} }, []string{"C", "REVOKED", "AZ-3.20"}},
		"revoked, another":        {func(_ *testing.T, s *setting) { s.request.Revoked = []string{policy(5)} }, yes},
		"revoked by a document":   {func(_ *testing.T, s *setting) { s.revokes(policy(1), "") }, []string{"C", "REVOKED", "AZ-3.20"}},
		"revoked by its assigner": {func(_ *testing.T, s *setting) { s.revokes(policy(1), party(1)) }, []string{"C", "REVOKED", "AZ-3.20"}},
		"revoked by an ancestor":  {func(_ *testing.T, s *setting) { s.revokes(policy(1), party(0)) }, []string{"C", "REVOKED", "AZ-3.20"}},
		"revoked by the name that its credential has for it": {func(_ *testing.T, s *setting) {
			s.byDocument(1)
			s.config.DocumentReference = true
			s.request.Revoked = []string{"https://p1.example/policy.ttl"}
		}, []string{"C", "REVOKED", "AZ-3.20"}},
		"revoked by its assigner by that name": {func(_ *testing.T, s *setting) {
			s.byDocument(1)
			s.config.DocumentReference = true
			s.revokes("https://p1.example/policy.ttl", party(1))
		}, []string{"C", "REVOKED", "AZ-3.20"}},
		"revoked by the name of its credential": {func(_ *testing.T, s *setting) {
			s.request.Revoked = []string{s.hops[1].credential["id"].(string)}
		}, []string{"C", "REVOKED", "AZ-3.20"}},
		"revoked by its assigner by the name of its credential": {func(_ *testing.T, s *setting) {
			s.revokes(s.hops[1].credential["id"].(string), party(1))
		}, []string{"C", "REVOKED", "AZ-3.20"}},
		"revoked by one below by the name of its credential": {func(_ *testing.T, s *setting) {
			s.revokes(s.hops[1].credential["id"].(string), party(2))
		}, yes},
		"revoked by the address of its document, which names nothing here": {func(_ *testing.T, s *setting) {
			s.request.Revoked = []string{"https://p1.example/policy.ttl"}
		}, yes},
		"revoked by one below": {func(_ *testing.T, s *setting) { s.revokes(policy(1), party(2)) }, yes},
		"a revocation of a word": {func(_ *testing.T, s *setting) {
			s.request.Revocations = []authz.RevocationDocument{{Content: []byte(prefixes + `<urn:r> odrld:revokedPolicy "x" .`)}}
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.19"}},
		"a revocation by a term that is not known, of another": {func(_ *testing.T, s *setting) {
			s.request.Revocations = []authz.RevocationDocument{{Content: []byte(prefixes + `<urn:r> odrld:revokedPolicies <` + policy(1) + `> .`), By: party(5)}}
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.19"}},
		"a policy for a revocation": {func(_ *testing.T, s *setting) {
			s.request.Revocations = []authz.RevocationDocument{{Content: []byte(s.hops[1].policy)}}
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.19"}},
		"a revocation that is no Turtle": {func(_ *testing.T, s *setting) {
			s.request.Revocations = []authz.RevocationDocument{{Content: []byte(`<urn:r>`), By: party(5)}}
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.19"}},
		"too many revocations": {func(_ *testing.T, s *setting) {
			s.revokes(policy(5), "")
			s.revokes(policy(5), "")
			s.config.Limits.Documents = 1
		}, []string{"C", "STATUS_RETRIEVAL_ERROR", "AZ-3.19"}},
		"of a wrong root, and revoked": {func(_ *testing.T, s *setting) {
			s.request.RootPrincipal = party(5)
			s.request.Revoked = []string{policy(1)}
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.13"}},

		"another action":    {func(_ *testing.T, s *setting) { s.request.Asks[0].Action = "write" }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"an unknown action": {func(_ *testing.T, s *setting) { s.request.Asks[0].Action = "urn:x" }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"another target":    {func(_ *testing.T, s *setting) { s.request.Asks[0].Target = "urn:x" }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"no target":         {func(_ *testing.T, s *setting) { s.request.Asks[0].Target = "" }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"one of two asks": {func(_ *testing.T, s *setting) {
			s.request.Asks = append(s.request.Asks, odrl.Request{Action: "write", Target: target})
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"an agent that the ask names": {func(_ *testing.T, s *setting) { s.request.Asks[0].Agent = "urn:x" }, yes},
		"too long":                    {func(_ *testing.T, s *setting) { n := 2; s.config.MaxPolicies = &n }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"a length of zero":            {func(_ *testing.T, s *setting) { n := 0; s.config.MaxPolicies = &n }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"a time that the attributes say": {func(_ *testing.T, s *setting) {
			s.hops[1].insert(until("2026-07-31T00:00:00Z"))
			s.request.Asks[0].Attributes = map[string][]odrl.Value{"dateTime": {odrl.Text("2026-07-01T00:00:00Z")}}
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"a time that the attributes say, for vectors": {func(_ *testing.T, s *setting) {
			s.hops[1].insert(until("2026-07-31T00:00:00Z"))
			s.request.Asks[0].Attributes = map[string][]odrl.Value{"dateTime": {odrl.Text("2026-07-01T00:00:00Z")}}
			s.config.InsecureDateTime = true
		}, yes},
		"a credential for its target":     {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"target"] = target }, yes},
		"a credential for another target": {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"target"] = "urn:x" }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"a credential for two targets":    {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"target"] = []string{target, "urn:x"} }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"a credential for its action":     {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"action"] = []string{"write", "read"} }, yes},
		"a credential for use":            {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"action"] = "http://www.w3.org/ns/odrl/2/use" }, yes},
		"a credential for another action": {func(_ *testing.T, s *setting) { s.hops[1].subject()[svc+"action"] = "write" }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"an open duty":                    {func(_ *testing.T, s *setting) { s.hops[2].insert(duty("inform")) }, yes},
		"an open duty that is required": {func(_ *testing.T, s *setting) {
			s.hops[2].insert(duty("inform"))
			s.config.RequireDuties = true
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"an open duty of a root that is required": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(duty("inform"))
			s.config.RequireDuties = true
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"a duty that was done": {func(_ *testing.T, s *setting) {
			s.hops[2].insert(duty("inform"))
			s.config.RequireDuties = true
			s.request.Asks[0].Attributes = map[string][]odrl.Value{"fulfilled:inform": {odrl.Boolean(true)}}
		}, yes},
		"a duty behind a gate": {func(_ *testing.T, s *setting) {
			s.hops[2].insert(duty("inform"))
			s.config.Gates = map[string]delegation.Gate{"http://www.w3.org/ns/odrl/2/inform": delegation.Block}
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"a duty that is not known": {func(_ *testing.T, s *setting) { s.hops[2].insert(duty("meditate")) }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},

		"for a recipient": {func(_ *testing.T, s *setting) { s.receives("recipient", 7) }, yes},
		"for a recipient to whom the chain prohibits it": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(forbids("read", 7))
			s.receives("recipient", 7)
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"for several recipients, to one of whom the chain prohibits it": {func(_ *testing.T, s *setting) {
			s.hops[2].insert(forbids("use", 7))
			s.receives("http://www.w3.org/ns/odrl/2/recipient", 6, 7)
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"for a collection with one to whom the chain prohibits it": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(forbids("read", 7))
			s.receives("recipient", 6)
			s.request.Asks[0].MemberOf = map[string][]string{party(7): {"urn:team"}, "urn:team": {"urn:circle", party(6)}, party(6): {"urn:team"}}
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"for a member of a collection with one to whom the chain prohibits it": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(forbids("read", 7))
			s.receives("recipient", 6)
			s.request.Asks[0].MemberOf = map[string][]string{party(7): {"urn:team"}, party(6): {"urn:team"}}
		}, yes},
		"for a recipient to whom the chain prohibits something else": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(forbids("write", 7))
			s.receives("recipient", 7)
		}, yes},
		"for a recipient to whom the chain of the actor prohibits it": {func(_ *testing.T, s *setting) {
			s.acts(5, chain(3, 2))
			s.actorHops[0].insert(forbids("read", 7))
			s.receives("recipient", 7)
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},

		"nobody acts":                             {func(_ *testing.T, s *setting) { s.request.Actor = "" }, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.22"}},
		"nobody acts, allowed":                    {func(_ *testing.T, s *setting) { s.request.Actor = ""; s.config.InsecureWithoutActor = true }, yes},
		"another acts":                            {func(_ *testing.T, s *setting) { s.request.Actor = party(5) }, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.23"}},
		"another acts, with a chain":              {func(_ *testing.T, s *setting) { s.acts(5, chain(3, 2)) }, yes},
		"another acts, with a chain from another": {func(_ *testing.T, s *setting) { s.acts(6, chain(4, 2)) }, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts, with a chain to another":   {func(_ *testing.T, s *setting) { s.acts(6, chain(3, 2)) }, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts, with the same chain":       {func(_ *testing.T, s *setting) { s.acts(5, s.hops) }, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts, with a chain that is revoked": {func(_ *testing.T, s *setting) {
			s.acts(5, chain(3, 2))
			s.request.Revoked = []string{policy(4)}
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts, with a chain that does not permit": {func(t *testing.T, s *setting) {
			hops := chain(3, 2)
			hops[1].swap(t, "odrl:read", "odrl:write")
			s.acts(5, hops)
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts, to whom the chain prohibits it": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(forbids("read", 5))
			s.acts(5, chain(3, 2))
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts, by one to whom the chain prohibits it": {func(_ *testing.T, s *setting) {
			s.hops[1].insert(forbids("use", 4))
			s.acts(5, chain(3, 2))
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts, to whom the chain prohibits something else": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(forbids("write", 5))
			s.acts(5, chain(3, 2))
		}, yes},
		"another acts for one that must not pass it on": {func(_ *testing.T, s *setting) {
			s.hops[2].insert(forbids("grantUse", 3))
			s.acts(5, chain(3, 2))
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts by one that must not pass it on": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(forbids("grantUse", 4))
			s.acts(5, chain(3, 2))
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts that must not pass it on": {func(_ *testing.T, s *setting) {
			s.hops[0].insert(forbids("grantUse", 5))
			s.acts(5, chain(3, 2))
		}, yes},
		"another acts for one that must not pass on that far": {func(t *testing.T, s *setting) {
			s.hops[2].insert(strings.Replace(forbids("grantUse", 3), " ]", " ; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand 2 ] ]", 1))
			s.acts(5, chain(3, 2))
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another acts for one that must not pass on further": {func(t *testing.T, s *setting) {
			s.hops[2].insert(strings.Replace(forbids("grantUse", 3), " ]", " ; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand 3 ] ]", 1))
			s.acts(5, chain(3, 2))
		}, yes},
		"one may pass it on":     {func(_ *testing.T, s *setting) { s.delegates(s.hops) }, yes},
		"one may not pass it on": {func(_ *testing.T, s *setting) { s.delegates(nil) }, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		"another may pass it on": {func(_ *testing.T, s *setting) { s.acts(5, chain(3, 2)); s.delegates(s.hops, s.actorHops) }, yes},
		"another that may pass it on for one that must not pass on that far": {func(_ *testing.T, s *setting) {
			s.hops[2].insert(strings.Replace(forbids("grantUse", 3), " ]", " ; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand 3 ] ]", 1))
			s.acts(5, chain(3, 2))
			s.delegates(s.hops, s.actorHops)
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"another that may pass it on for one that must not pass on further": {func(_ *testing.T, s *setting) {
			s.hops[2].insert(strings.Replace(forbids("grantUse", 3), " ]", " ; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:gteq ; odrl:rightOperand 4 ] ]", 1))
			s.acts(5, chain(3, 2))
			s.delegates(s.hops, s.actorHops)
		}, yes},
		"another acts for one to whom a permission outweighs the prohibition": {func(_ *testing.T, s *setting) {
			s.hops = chain(0, 1)
			s.hops[0].insert("odrl:conflict odrl:perm ; " + forbids("read", 1))
			s.acts(3, chain(1, 2))
		}, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "AZ-3.24"}},
		"one acts to whom a permission outweighs the prohibition": {func(_ *testing.T, s *setting) {
			s.hops = chain(0, 1)
			s.hops[0].insert("odrl:conflict odrl:perm ; " + forbids("read", 1))
			s.request.Actor = party(1)
		}, yes},
		"the leaf acts, and the chain prohibits it to another": {func(_ *testing.T, s *setting) { s.hops[0].insert(forbids("read", 5)) }, yes},
		"a chain that nobody needs": {func(_ *testing.T, s *setting) {
			s.actorHops = chain(7, 1)
			s.actorHops[0].damage = forge
		}, yes},
		"the intent says who asks":          {func(_ *testing.T, s *setting) { s.request.ClaimedAgent = party(3) }, yes},
		"the intent says that another asks": {func(_ *testing.T, s *setting) { s.request.ClaimedAgent = party(5) }, []string{"composition", "IDENTITY_COMPOSITION_FAILED", "8.2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			tt.change(t, s)
			d := s.decide(t)
			got := []string{string(d.Phase), string(d.Code), ""}
			if !d.Authorized() {
				got[2] = d.Checks[len(d.Checks)-1].Step
			}
			require.Equal(t, tt.want, got, d.String())
		})
	}
}

// says makes the subject of a credential say something more.
func says(property string, value any) func(*testing.T, *setting) {
	return func(_ *testing.T, s *setting) { s.hops[1].subject()[property] = value }
}

// receives makes parties the recipients of what comes of the first ask.
func (s *setting) receives(name string, parties ...int) {
	var all []odrl.Value
	for _, n := range parties {
		all = append(all, odrl.Text(party(n)))
	}
	s.request.Asks[0].Attributes = map[string][]odrl.Value{name: all}
}

// byDocument makes a credential name its policy by the URL of the document.
func (s *setting) byDocument(i int) {
	iri := strings.TrimSuffix(policy(i), "#it")
	s.hops[i].subject()[svc+"policy"] = iri
	s.after = func(c *authz.Chain) { c.Policies[i].IRI = iri }
}

// acts makes another party act, with a chain of its own.
func (s *setting) acts(as int, hops []*hop) {
	s.request.Actor, s.actorHops = party(as), hops
}

// delegates asks whether the target may be passed on, which the last party of each chain may.
func (s *setting) delegates(chains ...[]*hop) {
	s.request.Asks = []odrl.Request{{Action: "grantUse", Target: target}}
	for _, hops := range chains {
		if len(hops) > 0 {
			hops[len(hops)-1].insert("odrl:permission [ odrl:action odrl:grantUse ; odrl:target <" + target + "> ]")
		}
	}
}

// TestManyActions: what a credential is for is read once, however many asks there are.
func TestManyActions(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.hops = chain(0, 8)
	s.request.Actor = party(8)
	var actions []string
	for i := range 4000 {
		actions = append(actions, fmt.Sprintf("read%d", i))
	}
	for _, h := range s.hops {
		h.subject()[svc+"action"] = append(actions, "read")
	}
	for len(s.request.Asks) < authz.DefaultLimits().Asks {
		s.request.Asks = append(s.request.Asks, s.request.Asks[0])
	}
	a, r := s.authorizer(t), s.prepare(t)
	d, err := a.Authorize(t.Context(), r)
	require.NoError(t, err)
	require.True(t, d.Authorized(), d.String())

	s.hops[4].subject()[svc+"action"] = actions
	d, err = a.Authorize(t.Context(), s.prepare(t))
	require.NoError(t, err)
	require.Equal(t, []any{authz.CodePolicyDenied, 4}, []any{d.Code, d.Hop})
	require.Contains(t, d.Reason, "alone")
}

// TestManyRevocations: what documents that withdraw many policies cost is in proportion to
// them, and each counts for its hops alone. Of these a decision took minutes when every
// document was added to what was known before, for every hop.
func TestManyRevocations(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.hops = chain(0, 8)
	s.request.Actor = party(8)
	most := authz.DefaultLimits().Documents
	for k := range most {
		by := []string{"", party(0), party(7), "urn:nobody"}[k%4]
		var b strings.Builder
		b.WriteString(prefixes + "<urn:r> odrld:revokedPolicy <a:0>")
		for i := range 2000 {
			fmt.Fprintf(&b, ", <a:%d>", 1+k*2000+i)
		}
		b.WriteString(" .")
		s.request.Revocations = append(s.request.Revocations, authz.RevocationDocument{Content: []byte(b.String()), By: by})
	}
	a, r := s.authorizer(t), s.prepare(t)
	d, err := a.Authorize(t.Context(), r)
	require.NoError(t, err)
	require.True(t, d.Authorized(), d.String())
	require.Len(t, d.Record().Revoked, 1+most/4*3*2000, "of all that speak for the last hop, each once")
	require.True(t, slices.IsSorted(d.Record().Revoked))

	r.Revocations[most-2].Content = []byte(prefixes + "<urn:r> odrld:revokedPolicy <" + policy(6) + ">, <" + policy(7) + "> .") // of party 7
	d, err = a.Authorize(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []any{authz.CodeRevoked, 7}, []any{d.Code, d.Hop})
}

// revokes adds a document that revokes a policy.
func (s *setting) revokes(iri, by string) {
	s.request.Revocations = append(s.request.Revocations, authz.RevocationDocument{
		Content: []byte(prefixes + "<urn:r> a odrld:Revocation ; odrld:revokedPolicy <" + iri + "> ."), By: by,
	})
}

// comment appends a comment to a policy: its graph stays the same, its octets do not.
func comment(i int) func(*authz.Chain) {
	return func(c *authz.Chain) { c.Policies[i].Content = append(c.Policies[i].Content, "# x\n"...) }
}

// forge changes the last character of the signature.
func forge(b []byte) []byte {
	i := bytes.Index(b, []byte(`"proofValue":"`)) + len(`"proofValue":"`)
	i += bytes.IndexByte(b[i:], '"') - 1
	if b[i] == 'z' {
		b[i] = 'y'
	} else {
		b[i] = 'z'
	}
	return b
}

// until is a prohibition that begins at a time.
func until(at string) string {
	return `odrl:prohibition [ odrl:action odrl:read ; odrl:target <` + target + `> ; odrl:constraint
    [ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:gt ; odrl:rightOperand "` + at + `"^^xsd:dateTime ] ]`
}

// duty is an obligation of a policy.
func duty(action string) string { return "odrl:obligation [ odrl:action odrl:" + action + " ]" }

// TestCallerMistakes: mistakes of the caller are errors, and never permit.
func TestCallerMistakes(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*authz.Request){
		"no time":           func(r *authz.Request) { r.Now = time.Time{} },
		"no root":           func(r *authz.Request) { r.RootPrincipal = "" },
		"a relative root":   func(r *authz.Request) { r.RootPrincipal = "x" },
		"nothing asked":     func(r *authz.Request) { r.Asks = nil },
		"a relative actor":  func(r *authz.Request) { r.Actor = "x" },
		"a chain of nobody": func(r *authz.Request) { r.Actor, r.ActorChain = "", &authz.Chain{} },
		// Revocations that would withdraw nothing, against the belief of the caller.
		"a revoked policy in brackets":      func(r *authz.Request) { r.Revoked = []string{"urn:x", "<" + policy(1) + ">"} },
		"a revoked policy with white space": func(r *authz.Request) { r.Revoked = []string{policy(1) + "\n"} },
		"a revoked policy without a name":   func(r *authz.Request) { r.Revoked = []string{""} },
		"a relative revoked policy":         func(r *authz.Request) { r.Revoked = []string{"policy.ttl#it"} },
		"a relative party that revokes": func(r *authz.Request) {
			r.Revocations = []authz.RevocationDocument{{By: "p1.example/#me"}}
		},
	} {
		s := good(t)
		r := s.prepare(t)
		change(&r)
		d, err := s.authorizer(t).Authorize(t.Context(), r)
		require.Error(t, err, name)
		require.False(t, d.Authorized(), name)
	}
	_, err := authz.New(authz.Config{})
	require.Error(t, err)
	for _, a := range []*authz.Authorizer{nil, {}} { // which New did not make
		_, err = a.Authorize(t.Context(), good(t).prepare(t))
		require.Error(t, err)
		_, err = a.AuthorizePresentation(t.Context(), good(t).request, []byte("{}"), vc.Expected{Challenge: "c", Domain: []string{"d"}})
		require.Error(t, err)
	}
	v, err := vc.New(vc.Config{Keys: keyring(t), Authority: true})
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		gates map[string]delegation.Gate
		want  bool
	}{
		"an action":           {map[string]delegation.Gate{odrlNS + "compensate": delegation.Block, odrlNS + "inform": delegation.Record}, true},
		"a short name":        {map[string]delegation.Gate{"compensate": delegation.Block}, false},
		"an action not known": {map[string]delegation.Gate{odrlNS + "compensate": delegation.Block, odrlNS + "compensat": delegation.Block}, false},
		"not of the profile":  {map[string]delegation.Gate{odrlNS + "obtainConsent": delegation.Block}, true},
		"that it would pass":  {map[string]delegation.Gate{odrlNS + "obtainConsent": delegation.Record}, false},
		"a gate not known":    {map[string]delegation.Gate{odrlNS + "compensate": delegation.Block + 1}, false},
	} {
		_, err := authz.New(authz.Config{Verifier: v, Gates: tt.gates})
		require.Equal(t, tt.want, err == nil, "%s: %v", name, err)
	}
	for _, n := range []int{math.MaxInt32 + 1, math.MinInt32 - 1} {
		_, err := authz.New(authz.Config{Verifier: v, MaxPolicies: &n})
		require.Error(t, err, "a number that JSON readers do not agree on")
	}
	require.False(t, authz.Decision{}.Authorized())
	require.Equal(t, "not decided", authz.Decision{}.String())
}

// TestLargeCredentials: a credential that exceeds the limits only with its proof is
// denied: what a party presents is never an error.
func TestLargeCredentials(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		item func(i int) any
		most int // items that fit with the proof, at least
	}{
		"quads":       {func(i int) any { return i }, 9_980},
		"blank nodes": {func(i int) any { return map[string]any{"urn:a": i} }, 990},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			codes := map[authz.Code]int{}
			for n := tt.most; n <= tt.most+12; n += 2 {
				s := good(t)
				s.hops = chain(0, 1)
				s.request.Actor = party(1)
				var items []any
				for i := range n {
					items = append(items, tt.item(i))
				}
				s.hops[0].subject()["urn:items"] = items
				r := s.request
				text, err := json.Marshal(s.hops[0].credential)
				require.NoError(t, err)
				signed, err := vc.Sign(t.Context(), text, privateKey(t, 0), vc.SignOptions{Profile: vc.ProfileSVC, Method: method(0)})
				if err != nil {
					continue // even without the proof it is beyond them
				}
				s.config.Binding = authz.InsecureBindingOff
				r.Chain = authz.Chain{Credentials: [][]byte{signed}, Policies: []authz.PolicyDocument{{Content: []byte(s.hops[0].policy)}}}
				d := authorize(t, s.authorizer(t), r)
				codes[d.Code]++
			}
			require.NotZero(t, codes[""])
			require.NotZero(t, codes["MALFORMED"])
			require.Len(t, codes, 2)
		})
	}
}

// TestManyAsks: an intent with more targets than the limit allows is denied.
func TestManyAsks(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.config.Limits.Asks = 3
	for range 3 {
		require.True(t, s.decide(t).Authorized())
		s.request.Asks = append(s.request.Asks, s.request.Asks[0])
	}
	d := s.decide(t)
	require.Equal(t, []any{authz.PhaseD, authz.CodePolicyDenied}, []any{d.Phase, d.Code})
	require.Equal(t, 256, authz.DefaultLimits().Asks)

	// Policies that are cheap for one ask can be too much for many.
	s = good(t)
	var parts strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&parts, "<t:%d> <http://www.w3.org/ns/odrl/2/partOf> <t:%d> .\n", i, i+1)
	}
	s.hops[0].policy += parts.String()
	d = s.decide(t)
	require.True(t, d.Authorized(), "%s", d)
	s.request.Asks = slices.Repeat(s.request.Asks, 200)
	d = s.decide(t)
	require.Equal(t, []any{authz.PhaseD, authz.CodePolicyDenied}, []any{d.Phase, d.Code})
	require.Contains(t, d.Reason, "too much to evaluate")
}

// TestJointWork: the canonicalization work of all credentials of a chain has one limit.
func TestJointWork(t *testing.T) {
	t.Parallel()
	s := good(t)
	for _, h := range s.hops {
		alike := map[string]any{"urn:a": map[string]any{"urn:b": 1}}
		h.subject()["urn:detail"] = []any{alike, alike, alike}
	}
	r := s.prepare(t)
	whole, single := 0, 0
	for n := 1; whole == 0; n++ {
		require.Less(t, n, 1000)
		s.verifier.Limits.Canon.MaxCalls = n
		v, err := vc.New(s.verifier)
		require.NoError(t, err)
		if report, err := v.Verify(t.Context(), r.Chain.Credentials[0], noon); single == 0 {
			require.NoError(t, err)
			if report.Verified() {
				single = n
			}
		}
		d := authorize(t, s.authorizer(t), r)
		if d.Authorized() {
			whole = n
			continue
		}
		require.Equal(t, authz.PhaseA, d.Phase)
		require.Contains(t, []authz.Code{"INVALID_SIGNATURE", "MALFORMED"}, d.Code)
		require.Contains(t, d.Reason, "canonicalization work limit")
	}
	require.Equal(t, 2*len(s.hops)*single, whole, "each is verified, and has a digest")
}
