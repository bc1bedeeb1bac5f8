package authz_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
)

// link is a hop of a random chain, as the naive evaluator knows it.
type link struct {
	actions  []string // that the policy permits
	prohibit string   // or ""
	grant    bool     // it may be passed on
	depth    int      // as deep as this, 0 says nothing

	orphan, expired, foreign, forged          bool // what is wrong with it
	spoofed, altered, assigner, skip, revoked bool
}

// model is a random chain and a request about it.
type model struct {
	links     []link
	action    string
	otherRoot bool
	wrongLeaf bool
}

// random makes a chain of up to six hops in which a few things are wrong.
func random(r *rand.Rand) model {
	m := model{action: pick(r, "read", "read", "read", "write", "delete", "grantUse")}
	n := 1 + r.IntN(6)
	sometimes := func() bool { return r.IntN(14*n) == 0 }
	for range n {
		l := link{grant: r.IntN(12) > 0, prohibit: pick(r, "", "", "", "", "", "", "", "", "write", "grantUse", "use")}
		l.actions = []string{pick(r, "read", "read", "read", "use", "use", "write")}
		if r.IntN(2) == 0 {
			l.actions = append(l.actions, pick(r, "read", "write", "use"))
		}
		l.depth = n
		switch r.IntN(8) {
		case 0:
			l.depth = 0
		case 1:
			l.depth = 1 + r.IntN(n)
		}
		l.orphan, l.expired, l.foreign, l.forged = sometimes(), sometimes(), sometimes(), sometimes()
		l.spoofed, l.altered, l.assigner, l.skip, l.revoked = sometimes(), sometimes(), sometimes(), sometimes(), sometimes()
		m.links = append(m.links, l)
	}
	m.otherRoot, m.wrongLeaf = r.IntN(30) == 0, r.IntN(30) == 0
	return m
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// naive decides about the model, in the order of section 3.2, regardless of speed and
// without reasons.
func (m *model) naive() (authz.Phase, authz.Code) {
	n := len(m.links)
	any := func(of func(i int, l *link) bool) bool {
		for i := range m.links {
			if of(i, &m.links[i]) {
				return true
			}
		}
		return false
	}
	if any(func(i int, l *link) bool { return l.orphan && i > 0 }) {
		return "assembly", "CHAIN_MALFORMED"
	}
	for _, l := range m.links {
		switch {
		case l.expired:
			return "A", "EXPIRED"
		case l.foreign:
			return "A", "ISSUER_MISMATCH"
		case l.forged:
			return "A", "INVALID_SIGNATURE"
		}
	}
	switch {
	case any(func(_ int, l *link) bool { return l.spoofed }):
		return "B", "SUBJECT_ISSUER_MISMATCH"
	case any(func(_ int, l *link) bool { return l.altered }):
		return "B", "POLICY_INTEGRITY"
	case m.otherRoot, m.wrongLeaf:
		return "B", "BINDING_MISMATCH"
	case any(func(_ int, l *link) bool { return l.assigner }):
		return "B", "BINDING_MISMATCH"
	case any(func(i int, l *link) bool { return l.skip && i < n-1 }):
		return "B", "BINDING_MISMATCH"
	case any(func(_ int, l *link) bool { return l.revoked }):
		return "C", "REVOKED"
	case !m.permits(0):
		return "D", "POLICY_DENIED"
	}
	return "complete", ""
}

// permits reports whether link i and those after it permit the request: each must allow
// the action, and all but the last must allow to pass the rest on.
func (m *model) permits(i int) bool {
	l := &m.links[i]
	left := len(m.links) - 1 - i // edges from here to the end
	most := l.depth
	if most == 0 {
		most = 1
	}
	if m.action == "grantUse" { // one more edge, at the end
		return l.grant && l.prohibit != "grantUse" && left < most && (left == 0 || m.permits(i+1))
	}
	allowed := false
	for _, a := range l.actions {
		allowed = allowed || a == m.action || a == "use"
	}
	if !allowed || l.prohibit == m.action || l.prohibit == "use" {
		return false
	}
	if left == 0 {
		return true
	}
	return l.grant && l.prohibit != "grantUse" && left <= most && m.permits(i+1)
}

// setting writes the model as credentials and policies.
func (m *model) setting(t testing.TB) *setting {
	s := good(t)
	n := len(m.links)
	s.hops = chain(0, n)
	s.request.Actor = party(n)
	s.request.Asks[0].Action = m.action
	var altered []int
	for i := range m.links {
		l, h := &m.links[i], s.hops[i]
		var b strings.Builder
		assigner := party(i)
		if l.assigner {
			assigner = party(9)
		}
		fmt.Fprintf(&b, "%s<%s> a odrl:Agreement ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> ; odrl:assigner <%s> ; odrl:assignee <%s>", prefixes, policy(i), assigner, party(i+1))
		if i > 0 {
			parent := policy(i - 1)
			if l.orphan {
				parent = policy(9)
			}
			fmt.Fprintf(&b, " ; odrld:delegatedUnder <%s>", parent)
		}
		for _, a := range l.actions {
			fmt.Fprintf(&b, " ; odrl:permission [ odrl:action odrl:%s ; odrl:target <%s> ]", a, target)
		}
		if l.prohibit != "" {
			fmt.Fprintf(&b, " ; odrl:prohibition [ odrl:action odrl:%s ; odrl:target <%s> ]", l.prohibit, target)
		}
		if l.grant {
			bound := ""
			if l.depth > 0 {
				bound = fmt.Sprintf(" ; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand %d ]", l.depth)
			}
			fmt.Fprintf(&b, " ; odrl:permission [ odrl:action odrl:grantUse ; odrl:target <%s>%s ]", target, bound)
		}
		b.WriteString(" .\n")
		h.policy = b.String()
		if l.expired {
			h.credential["validUntil"] = "2026-07-31T00:00:00Z"
		}
		if l.foreign {
			h.signer, h.method = 9, method(9)
		}
		if l.forged {
			h.damage = forge
		}
		if l.spoofed {
			h.subject()["id"] = party(9)
		}
		if l.skip || m.wrongLeaf && i == n-1 {
			if i == n-1 && !m.wrongLeaf {
				continue
			}
			h.subject()[svc+"authorizes"] = party(9)
		}
	}
	for i := range m.links {
		if m.links[i].altered {
			altered = append(altered, i)
		}
		if m.links[i].revoked {
			s.request.Revoked = append(s.request.Revoked, policy(i))
		}
	}
	if m.otherRoot {
		s.request.RootPrincipal = party(9)
	}
	s.after = func(c *authz.Chain) {
		for _, i := range altered {
			comment(i)(c)
		}
	}
	return s
}

// TestRandomChains compares the decisions on random chains with those of the naive
// evaluator.
func TestRandomChains(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for seed := range uint64(600) {
		m := random(rand.New(rand.NewPCG(seed, 1)))
		phase, code := m.naive()
		d := m.setting(t).decide(t)
		require.Equal(t, string(phase)+" "+string(code), string(d.Phase)+" "+string(d.Code), "seed %d: %s: %+v", seed, d, m)
		counts[string(phase)+" "+string(code)]++
	}
	for _, phase := range []string{
		"complete ", "assembly CHAIN_MALFORMED", "A EXPIRED", "A ISSUER_MISMATCH", "A INVALID_SIGNATURE", "B SUBJECT_ISSUER_MISMATCH",
		"B POLICY_INTEGRITY", "B BINDING_MISMATCH", "C REVOKED", "D POLICY_DENIED",
	} {
		require.Positive(t, counts[phase], phase)
	}
	require.Greater(t, counts["complete "], 50)
}

// TestDamage damages every byte of what is presented: either it is refused, or it still
// says the same (as with other white space between the members of a credential).
func TestDamage(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.hops = chain(0, 2)
	s.request.Actor = party(2)
	a := s.authorizer(t)
	r := s.prepare(t)
	whole := authorize(t, a, r)
	require.True(t, whole.Authorized(), whole.String())
	tried, same := 0, 0
	try := func(damaged []byte, change func(*authz.Request)) {
		tried++
		q := r
		q.Chain = authz.Chain{Credentials: append([][]byte{}, r.Chain.Credentials...), Policies: append([]authz.PolicyDocument{}, r.Chain.Policies...)}
		change(&q)
		d, err := a.Authorize(t.Context(), q)
		require.NoError(t, err)
		if !d.Authorized() {
			require.Contains(t, authz.Codes(), d.Code)
			return
		}
		require.Equal(t, whole.Hops, d.Hops, "%s", damaged)
		same++
	}
	each := func(data []byte, change func(*authz.Request, []byte)) {
		for i := range data {
			for _, damaged := range [][]byte{
				append(append([]byte{}, data[:i]...), data[i+1:]...),
				append(append(append([]byte{}, data[:i]...), data[i]), data[i:]...),
				append(append(append([]byte{}, data[:i]...), data[i]^1), data[i+1:]...),
				append([]byte{}, data[:i]...),
			} {
				try(damaged, func(q *authz.Request) { change(q, damaged) })
			}
		}
	}
	each(r.Chain.Credentials[1], func(q *authz.Request, d []byte) { q.Chain.Credentials[1] = d })
	require.Less(t, same, 20, "a repeated character of white space, at most")
	same = 0
	each(r.Chain.Policies[1].Content, func(q *authz.Request, d []byte) { q.Chain.Policies[1].Content = d })
	require.Zero(t, same, "no octet of a policy may change")
	require.Greater(t, tried, 4_000)
}
