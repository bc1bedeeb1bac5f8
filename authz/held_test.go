package authz_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
)

// TestHeld: of the policies of several chains a presentation gets those that its own
// credentials refer to.
func TestHeld(t *testing.T) {
	t.Parallel()
	s := good(t)
	a := s.authorizer(t)
	expected := vc.Expected{Challenge: "c-1", Domain: []string{"https://receiver.example/"}}
	var all []authz.PolicyDocument
	for i, hops := range [][]*hop{chain(0, 3), chain(3, 2), chain(6, 2)} { // the last is of nobody who presents
		c := sign(t, hops)
		require.Len(t, c.Policies, []int{3, 2, 2}[i])
		all = append(all, c.Policies...)
	}
	held, err := a.Hold(all)
	require.NoError(t, err)
	all[0].Content = nil // a copy was made of the list
	for name, tt := range map[string]struct {
		hops   []*hop
		holder int
		named  int
		want   []string
	}{
		"one chain":                {chain(0, 3), 3, 3, []string{"complete", ""}},
		"a chain that ends before": {chain(0, 3)[:1], 1, 1, []string{"complete", ""}},
		"two chains":               {append(chain(0, 3), chain(3, 2)...), 5, 5, []string{"complete", ""}},
		"a chain without its root": {chain(0, 3)[1:], 3, 2, []string{"assembly", "CHAIN_MALFORMED"}},
		"one that is not held":     {chain(5, 1), 6, 0, []string{"assembly", "CHAIN_MALFORMED"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			presentation, _ := present(t, tt.holder, tt.holder, expected, tt.hops...)
			r := s.request
			r.Actor, r.Chain.Policies = party(tt.holder), held.Of(presentation)
			require.Len(t, r.Chain.Policies, tt.named)
			d, err := a.AuthorizePresentation(t.Context(), r, presentation, expected)
			require.NoError(t, err)
			require.Equal(t, tt.want, []string{string(d.Phase), string(d.Code)}, d.String())
		})
	}
	for _, text := range []string{``, `[]`, `{}`, `{"verifiableCredential":"x"}`, `{"verifiableCredential":[{"credentialSubject":{"policy":{}}}]}`} {
		require.Empty(t, held.Of([]byte(text)), text)
	}
	none, err := a.Hold(nil)
	require.NoError(t, err)
	presentation, _ := present(t, 3, 3, expected, chain(0, 3)...)
	require.Empty(t, none.Of(presentation))

	again := sign(t, chain(0, 2)).Policies
	_, err = a.Hold(append(again, authz.PolicyDocument{Content: append(again[0].Content, '\n')}))
	require.ErrorContains(t, err, "policy 3: <"+policy(0)+"> is policy 1 already")
	_, err = a.Hold([]authz.PolicyDocument{again[0], {Content: []byte("<urn:x>")}})
	require.ErrorContains(t, err, "policy 2: ")
	_, err = new(authz.Authorizer).Hold(nil)
	require.Error(t, err)
}

// TestHeldByAddress: a credential can name the document of a policy where that is allowed.
func TestHeldByAddress(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.byDocument(1)
	r := s.prepare(t)
	for _, byDocument := range []bool{false, true} {
		s.config.DocumentReference = byDocument
		held, err := s.authorizer(t).Hold(r.Chain.Policies)
		require.NoError(t, err)
		presentation, _ := present(t, 3, 3, vc.Expected{Challenge: "c-1", Domain: []string{"d"}}, s.hops...)
		require.Len(t, held.Of(presentation), map[bool]int{false: 2, true: 3}[byDocument])
	}
}
