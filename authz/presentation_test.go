package authz_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
)

// TestPresentation: a holder presents its chain, or that and the actor's, for a challenge.
func TestPresentation(t *testing.T) {
	t.Parallel()
	const challenge, domain = "c-1", "https://receiver.example/"
	expected := vc.Expected{Challenge: challenge, Domain: []string{domain}}
	of := func(hops []*hop, domain string) []*hop { // whose last credential is for a receiver alone
		hops[len(hops)-1].domain = []string{domain}
		return hops
	}
	for name, tt := range map[string]struct {
		hops           []*hop
		holder, signer int
		expected       vc.Expected
		change         func(*authz.Request)
		want           []string
	}{
		"the leaf":                  {chain(0, 3), 3, 3, expected, nil, []string{"complete", ""}},
		"two chains":                {append(chain(0, 3), chain(3, 2)...), 5, 5, expected, nil, []string{"complete", ""}},
		"not the leaf":              {chain(0, 3), 5, 5, expected, nil, []string{"A", "HOLDER_UNVERIFIED"}},
		"one in between":            {chain(0, 3), 2, 2, expected, nil, []string{"A", "HOLDER_UNVERIFIED"}},
		"another key":               {chain(0, 3), 3, 5, expected, nil, []string{"A", "ISSUER_MISMATCH"}},
		"another challenge":         {chain(0, 3), 3, 3, vc.Expected{Challenge: "c-2", Domain: []string{domain}}, nil, []string{"A", "CHALLENGE_MISMATCH"}},
		"another domain":            {chain(0, 3), 3, 3, vc.Expected{Challenge: challenge, Domain: []string{"x"}}, nil, []string{"A", "DOMAIN_MISMATCH"}},
		"another authenticated":     {chain(0, 3), 3, 3, expected, func(r *authz.Request) { r.Actor = party(5) }, []string{"A", "HOLDER_UNVERIFIED"}},
		"the same authenticated":    {chain(0, 3), 3, 3, expected, func(r *authz.Request) { r.Actor = party(3) }, []string{"complete", ""}},
		"not root first":            {[]*hop{chain(0, 3)[1], chain(0, 3)[2], chain(0, 3)[0]}, 1, 1, expected, nil, []string{"assembly", "CHAIN_MALFORMED"}},
		"two chains, not joined":    {append(chain(0, 3), chain(4, 2)...), 6, 6, expected, nil, []string{"composition", "IDENTITY_COMPOSITION_FAILED"}},
		"the actor's chain first":   {append(chain(3, 2), chain(0, 3)...), 3, 3, expected, nil, []string{"B", "BINDING_MISMATCH"}},
		"three chains":              {append(append(chain(0, 3), chain(3, 1)...), chain(4, 1)...), 5, 5, expected, nil, []string{"composition", "IDENTITY_COMPOSITION_FAILED"}},
		"a chain for this receiver": {of(chain(0, 3), domain), 3, 3, expected, nil, []string{"complete", ""}},
		"a chain for another":       {of(chain(0, 3), "https://another.example/"), 3, 3, expected, nil, []string{"A", "DOMAIN_MISMATCH"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			r := s.request
			r.Actor = ""
			presentation, policies := present(t, tt.holder, tt.signer, expected, tt.hops...)
			r.Chain.Policies = policies
			if tt.change != nil {
				tt.change(&r)
			}
			d, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, tt.expected)
			require.NoError(t, err)
			require.Equal(t, tt.want, []string{string(d.Phase), string(d.Code)}, d.String())
			consistent(t, d)
		})
	}
	// The chain of the actor is not part of the presentation.
	s := good(t)
	r := s.request
	r.Actor = ""
	actor := sign(t, chain(3, 2))
	presentation, policies := present(t, 5, 5, expected, chain(0, 3)...)
	r.Chain.Policies, r.ActorChain = policies, &actor
	r.Actor = party(5)
	d, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, expected)
	require.NoError(t, err)
	require.True(t, d.Authorized(), d.String())

	// It is given in both ways.
	presentation, policies = present(t, 5, 5, expected, append(chain(0, 3), chain(3, 2)...)...)
	r.Chain.Policies = policies
	d, err = s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, expected)
	require.NoError(t, err)
	require.Equal(t, authz.CodeChainMalformed, d.Code)
	r.Chain.Credentials = actor.Credentials
	_, err = s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, expected)
	require.Error(t, err, "credentials beside the presentation")
}

// TestPresentedByAddress: both chains of a presentation are told apart as well where their
// credentials name policies by the addresses of their documents.
func TestPresentedByAddress(t *testing.T) {
	t.Parallel()
	expected := vc.Expected{Challenge: "c", Domain: []string{"d"}}
	address := func(i int) string { return strings.TrimSuffix(policy(i), "#it") }
	hops := append(chain(0, 3), chain(3, 2)...)
	for i, h := range hops {
		h.subject()[svc+"policy"] = address(i)
	}
	presentation, policies := present(t, 5, 5, expected, hops...)
	for i := range policies {
		policies[i].IRI = address(i)
	}
	for allowed, code := range map[bool]authz.Code{true: "", false: authz.CodeChainMalformed} {
		s := good(t)
		s.config.DocumentReference = allowed
		r := s.request
		r.Actor, r.Chain.Policies = party(5), policies
		d, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, expected)
		require.NoError(t, err)
		consistent(t, d)
		require.Equal(t, code, d.Code, d.String())
		require.Equal(t, allowed, d.Actor != nil)
	}
}

// TestPresentedLimits: what a party presents beyond the limits of the decision is denied,
// even where the verifier has wider ones, before anything of it is read again.
func TestPresentedLimits(t *testing.T) {
	t.Parallel()
	expected := vc.Expected{Challenge: "c", Domain: []string{"d"}}
	for name, tt := range map[string]struct {
		change func(s *setting, r *authz.Request)
		code   authz.Code
	}{
		"within":                  {func(*setting, *authz.Request) {}, ""},
		"the presentation":        {func(s *setting, _ *authz.Request) { s.config.Limits.VC.PresentationBytes = 1000 }, authz.CodeMalformed},
		"policies of both chains": {func(s *setting, _ *authz.Request) { s.config.Limits.Credentials = 1 }, authz.CodeChainMalformed},
		"policies, more than two chains have": {func(_ *setting, r *authz.Request) {
			for len(r.Chain.Policies) <= 2*authz.DefaultLimits().Credentials {
				r.Chain.Policies = append(r.Chain.Policies, authz.PolicyDocument{Content: []byte("<")}) // not read
			}
		}, authz.CodeChainMalformed},
	} {
		s := good(t)
		presentation, policies := present(t, 3, 3, expected, s.hops...)
		r := s.request
		r.Chain.Policies = policies
		tt.change(s, &r)
		d, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, expected)
		require.NoError(t, err, name)
		consistent(t, d)
		require.Equal(t, tt.code, d.Code, "%s: %s", name, d)
		require.NotNil(t, d.Record().Presentation, name)
	}
}

// TestReplay: a presentation is accepted once, and only in its exchange.
func TestReplay(t *testing.T) {
	t.Parallel()
	challenges, err := authz.NewChallenges(rand.Reader, func() time.Time { return noon }, 0)
	require.NoError(t, err)
	challenge, err := challenges.Issue("task-1")
	require.NoError(t, err)
	s := good(t)
	s.config.Challenges = challenges
	expected := vc.Expected{Challenge: challenge, Domain: []string{"d"}}
	presentation, policies := present(t, 3, 3, expected, s.hops...)
	r := s.request
	r.Chain.Policies = policies
	a := s.authorizer(t)
	decide := func(exchange string) string {
		r.Exchange = exchange
		d, err := a.AuthorizePresentation(t.Context(), r, presentation, expected)
		require.NoError(t, err)
		consistent(t, d)
		return string(d.Phase) + " " + string(d.Code)
	}
	require.Equal(t, "A CHALLENGE_MISMATCH", decide("task-2"))
	require.Equal(t, "complete ", decide("task-1"))
	require.Equal(t, "A CHALLENGE_MISMATCH", decide("task-1"))
}

// TestReasons: whoever decides is told what the verifier found, of which credential and with
// its dates, not the meaning of the code alone.
func TestReasons(t *testing.T) {
	t.Parallel()
	expected := vc.Expected{Challenge: "c-1", Domain: []string{"d"}}
	expired := func() []*hop {
		hops := chain(0, 3)
		hops[1].credential["validUntil"] = "2026-07-02T00:00:00Z"
		return hops
	}
	listed := func() []*hop {
		hops := chain(0, 3)
		hops[1].credential["credentialStatus"] = statusEntry(7, "revocation")
		return hops
	}
	for name, tt := range map[string]struct {
		hops      []*hop
		presented bool
		documents vc.Documents
		expected  vc.Expected
		want      string
	}{
		"an expired credential": {expired(), false, nil, expected,
			"phase A: hop 2 of 3, <https://p1.example/policy.ttl#it>: the credential was valid until 2026-07-02T00:00:00Z [EXPIRED]"},
		"an expired credential, presented": {expired(), true, nil, expected,
			"phase A: the presentation is not verified: credential 2: the credential was valid until 2026-07-02T00:00:00Z [EXPIRED]"},
		"another domain": {chain(0, 3), true, nil, vc.Expected{Challenge: "c-1", Domain: []string{"e"}},
			`phase A: the presentation is not verified: expected a proof for the domain ["e"], found ["d"] [DOMAIN_MISMATCH]`},
		"a set status": {listed(), false, statusList(t, 1, "revocation", 7), expected,
			"phase C: hop 2 of 3, <https://p1.example/policy.ttl#it>: entry 7 of the status list is set [REVOKED]"},
		"a set status, presented": {listed(), true, statusList(t, 1, "revocation", 7), expected,
			"phase C: hop 2 of 3, <https://p1.example/policy.ttl#it>: entry 7 of the status list is set [REVOKED]"},
		"a status that cannot be read": {listed(), false, nil, expected,
			"phase C: hop 2 of 3, <https://p1.example/policy.ttl#it>: no status list can be read here [STATUS_RETRIEVAL_ERROR]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			s.hops, s.verifier.Documents = tt.hops, tt.documents
			if !tt.presented {
				require.Equal(t, tt.want, s.decide(t).String())
				return
			}
			r := s.request
			var presentation []byte
			presentation, r.Chain.Policies = present(t, 3, 3, expected, tt.hops...)
			d, err := s.authorizer(t).AuthorizePresentation(t.Context(), r, presentation, tt.expected)
			require.NoError(t, err)
			require.Equal(t, tt.want, d.String())
			consistent(t, d)
		})
	}
}
