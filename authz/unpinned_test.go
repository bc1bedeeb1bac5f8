package authz_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/odrl"
)

// TestUnpinned has a row for every rule in section 10.4 of the specification "authz" that
// this package implements: the rules that no published vector tests. Each row is a chain
// that would be authorized without the rule. The rules on policies are tested in odrl and
// odrl/delegation, those on proofs, presentations, status lists and digests in authz/vc.
func TestUnpinned(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule   string
		change func(t *testing.T, s *setting)
		want   []string // phase, code, step
	}{
		{"3 assembly: a policy twice", func(_ *testing.T, s *setting) {
			s.after = func(c *authz.Chain) { c.Policies = append(c.Policies, c.Policies[1]) }
		}, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.2"}},
		{"3 assembly: two roots", func(_ *testing.T, s *setting) {
			more := chain(5, 1)
			s.hops = append(s.hops, more...)
		}, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.4"}},
		{"3 assembly: a branch", func(t *testing.T, s *setting) { s.hops[2].swap(t, policy(1), policy(0)) }, []string{"assembly", "CHAIN_MALFORMED", "AZ-3.5"}},
		{"5 a key of the issuer", func(_ *testing.T, s *setting) { s.hops[1].signer, s.hops[1].method = 7, method(7) }, []string{"A", "ISSUER_MISMATCH", "AZ-3.8"}},
		{"5 subject = issuer", func(_ *testing.T, s *setting) { s.hops[1].subject()["id"] = party(0) }, []string{"B", "SUBJECT_ISSUER_MISMATCH", "AZ-3.10"}},
		{"5 the principal is the issuer, not the subject", func(_ *testing.T, s *setting) {
			// Another signs about the root principal.
			h := s.hops[0]
			h.credential["issuer"], h.signer, h.method = party(7), 7, method(7)
		}, []string{"B", "SUBJECT_ISSUER_MISMATCH", "AZ-3.10"}},
		{"5 assigner = issuer", func(_ *testing.T, s *setting) {
			// Whom the first credential authorizes is the second policy's assigner; another
			// signs the second credential.
			h := s.hops[1]
			h.credential["issuer"], h.subject()["id"], h.signer, h.method = party(7), party(7), 7, method(7)
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.14"}},
		{"5 authorizes = next assigner", func(_ *testing.T, s *setting) { s.hops[0].subject()[svc+"authorizes"] = party(5) }, []string{"B", "BINDING_MISMATCH", "AZ-3.15"}},
		{"5 leaf assignee = authorizes", func(t *testing.T, s *setting) {
			// The policy is for another party than the one that the credential names,
			// which acts.
			s.hops = chain(0, 1)
			s.hops[0].swap(t, "odrl:assignee <"+party(1)+">", "odrl:assignee <"+party(5)+">")
			s.hops[0].swap(t, "odrl:target <"+target+">", "odrl:target <"+target+"> ; odrl:assignee <"+party(1)+">")
			s.request.Actor = party(1)
		}, []string{"B", "BINDING_MISMATCH", "AZ-3.16"}},
		{"7 requireDuties", func(_ *testing.T, s *setting) {
			s.hops[0].insert(duty("inform"))
			s.config.RequireDuties = true
		}, []string{"D", "POLICY_DENIED", "AZ-3.21"}},
		{"8 an unknown cryptosuite", func(_ *testing.T, s *setting) {
			s.hops[1].damage = func(b []byte) []byte {
				return bytes.Replace(b, []byte("eddsa-rdfc-2022"), []byte("eddsa-rdfc-2023"), 1)
			}
		}, []string{"A", "UNKNOWN_CRYPTOSUITE", "AZ-3.8"}},
		{"8 of several faults the first hop's first", func(_ *testing.T, s *setting) {
			s.hops[1].credential["validUntil"] = "2026-08-01T11:59:59Z"
			s.hops[1].damage = forge
			s.hops[2].damage = forge
			s.request.RootPrincipal = party(5)
			s.request.Revoked = []string{policy(0)}
		}, []string{"A", "EXPIRED", "AZ-3.8"}},
		{"8 a later hop's proof before an earlier hop's subject", func(_ *testing.T, s *setting) {
			s.hops[0].subject()["id"] = party(5)
			s.hops[2].damage = forge
		}, []string{"A", "INVALID_SIGNATURE", "AZ-3.8"}},
		{"8 a subject before a digest", func(_ *testing.T, s *setting) {
			s.hops[2].subject()["id"] = party(5)
			s.after = comment(0)
		}, []string{"B", "SUBJECT_ISSUER_MISMATCH", "AZ-3.10"}},
		{"10 the digest of every policy", func(_ *testing.T, s *setting) { s.after = comment(2) }, []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
		{"10 more related resources than the policy's", func(_ *testing.T, s *setting) {
			s.hops[1].credential["relatedResource"] = []any{
				map[string]any{"id": "urn:other", "digestSRI": sri(s.hops[1].policy)}, map[string]any{"id": policy(1), "digestSRI": sri("x")},
			}
		}, []string{"B", "POLICY_INTEGRITY", "AZ-3.12"}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			tt.change(t, s)
			d := s.decide(t)
			require.False(t, d.Authorized())
			require.Equal(t, tt.want, []string{string(d.Phase), string(d.Code), d.Checks[len(d.Checks)-1].Step}, d.String())
		})
	}
	t.Run("7 a depth that the caller asserts", func(t *testing.T) {
		t.Parallel()
		s := good(t)
		s.hops[0].swap(t, "odrl:rightOperand 3", "odrl:rightOperand 1")
		s.request.Asks[0].Attributes = map[string][]odrl.Value{"delegationDepth": {odrl.Integer(1)}, odrld + "delegationDepth": {odrl.Integer(1)}}
		require.Equal(t, authz.CodePolicyDenied, s.decide(t).Code)
	})
	t.Run("10 all related resources", func(t *testing.T) {
		t.Parallel()
		s := good(t)
		s.hops[1].credential["relatedResource"] = []any{
			map[string]any{"id": "urn:other", "digestSRI": sri("x")}, map[string]any{"id": policy(1), "digestSRI": sri(s.hops[1].policy)},
		}
		require.True(t, s.decide(t).Authorized(), "those of others are not looked at")
	})
}
