package authz_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
)

// failing is a memory that cannot be read or written.
type failing struct{ read, write bool }

func (f failing) RevokedPolicy(_, _ string) (bool, error) {
	if f.read {
		return false, errors.New("the store is not there")
	}
	return false, nil
}

func (f failing) RememberPolicy(_, _ string) error {
	if f.write {
		return errors.New("the store is full")
	}
	return nil
}

// TestMemory: what was once revoked stays revoked.
func TestMemory(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.config.Revoked = &authz.Memory{}
	credentials := &vc.Memory{}
	s.verifier.Revoked = credentials
	a := s.authorizer(t)
	r := s.prepare(t)
	require.True(t, authorize(t, a, r).Authorized())
	r.Revoked = []string{policy(1)}
	require.Equal(t, authz.CodeRevoked, authorize(t, a, r).Code)
	r.Revoked = nil
	require.Equal(t, authz.CodeRevoked, authorize(t, a, r).Code, "it was revoked before")

	// All revocations that are seen are remembered, not only the first.
	second := good(t)
	memory := &authz.Memory{}
	second.config.Revoked = memory
	second.request.Revoked = []string{policy(0), policy(2)}
	require.Equal(t, 0, second.decide(t).Hop)
	for i := range 3 {
		revoked, err := memory.RevokedPolicy(party(i), policy(i))
		require.NoError(t, err)
		require.Equal(t, i != 1, revoked, i)
	}

	// A credential that was withdrawn by its name stays so, and another may bind its policy.
	again := good(t)
	again.config.Revoked = &authz.Memory{}
	for _, id := range []string{"urn:credential:old", "urn:credential:new"} {
		again.hops[1].credential["id"] = id
		require.Equal(t, "authorized", again.decide(t).String(), id)
		again.request.Revoked = []string{id}
		require.Equal(t, authz.CodeRevoked, again.decide(t).Code, id)
		again.request.Revoked = nil
		d := again.decide(t)
		require.Equal(t, authz.CodeRevoked, d.Code, "it was revoked before")
		require.Equal(t, []string{id}, d.Record().Revoked)
	}

	// A party gives its revoked policy the IRI of another party's policy.
	namesake := chain(7, 1)
	namesake[0].policy = strings.ReplaceAll(namesake[0].policy, policy(7), policy(1))
	namesake[0].subject()[svc+"policy"] = policy(1)
	other := authz.Request{
		RootPrincipal: party(7), Actor: party(8), Now: noon, Asks: r.Asks, Chain: sign(t, namesake),
	}
	require.True(t, authorize(t, a, other).Authorized(), "a revocation counts for the policy of its assigner alone")
	other.Revoked = []string{policy(1)}
	require.Equal(t, authz.CodeRevoked, authorize(t, a, other).Code)

	for name, f := range map[string]failing{"reading": {read: true}, "writing": {write: true}} {
		s := good(t)
		s.config.Revoked = f
		if f.write {
			s.request.Revoked = []string{policy(1)}
		}
		require.Equal(t, authz.CodeStatusRetrievalError, s.decide(t).Code, name)
	}

	full := authz.Memory{Max: 1}
	require.NoError(t, full.RememberPolicy("urn:by", "urn:a"))
	require.NoError(t, full.RememberPolicy("urn:by", "urn:a"))
	require.Error(t, full.RememberPolicy("urn:by", "urn:b"))
	require.Error(t, full.RememberPolicy("urn:of", "urn:a"), "another policy")

	several := vc.Memory{Max: 1}
	require.NoError(t, several.Remember(t.Context(), "urn:a", "urn:b"))
	require.NoError(t, several.Remember(t.Context(), "urn:a", "urn:b"))
	require.Error(t, several.Remember(t.Context(), "urn:a", "urn:c"))
	revoked, err := several.Revoked(t.Context(), "urn:a", "urn:b")
	require.NoError(t, err)
	require.True(t, revoked, "it forgets nothing")
}

// TestMemoryOnRecord: a decision by what is only remembered can be made again without the
// memory, by what its record says of policies that are withdrawn.
func TestMemoryOnRecord(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		known      []string // to the caller
		remembered int      // whose policy is
		want       []string
	}{
		"of the chain":            {nil, 1, []string{policy(1)}},
		"of the chain, with more": {[]string{policy(2), "urn:x"}, 1, []string{policy(1), policy(2), "urn:x"}},
		"of the actor's chain":    {nil, 4, []string{policy(4)}},
		"of another":              {[]string{"urn:x"}, 7, []string{"urn:x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			s.acts(5, chain(3, 2))
			s.request.Revoked = tt.known
			memory := &authz.Memory{}
			require.NoError(t, memory.RememberPolicy(party(tt.remembered), policy(tt.remembered)))
			s.config.Revoked = memory
			r := s.prepare(t)
			d := authorize(t, s.authorizer(t), r)
			require.Equal(t, tt.remembered == 7, d.Authorized(), d.String())
			record := d.Record()
			require.Equal(t, tt.want, record.Revoked)

			s.config.Revoked, r.Revoked = nil, record.Revoked
			differ, err := record.Differences(authorize(t, s.authorizer(t), r).Record())
			require.NoError(t, err)
			require.Empty(t, differ)
		})
	}
}
