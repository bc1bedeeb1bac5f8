package owg

import (
	"slices"
	"time"
)

// grants reads what delegations grant and participants have, each of them once: scopes and
// times are as long as a workflow has room for, and are compared with thousands. It is for
// one call.
type grants struct {
	budget  *budget
	numbers map[string]int32 // of scopes
	texts   []string         // by number
	of      map[*Delegation]*grant
	has     map[*Participant][]int32
}

// grant is what a delegation grants.
type grant struct {
	scope []int32 // numbers, ascending, each once
	ends  bool
	until time.Time
	known bool // until; else it ends at a time that cannot be read, or never
}

func newGrants(b *budget) *grants {
	return &grants{budget: b, numbers: map[string]int32{}, of: map[*Delegation]*grant{}, has: map[*Participant][]int32{}}
}

// read returns what a delegation grants. Without a scope that is nothing (V-11a).
func (g *grants) read(d *Delegation) *grant {
	out, ok := g.of[d]
	if !ok {
		out = &grant{scope: g.set(d.Scope), ends: d.ExpiresAt != ""}
		out.until, out.known = parseTime(d.ExpiresAt)
		g.of[d] = out
	}
	return out
}

// own returns the scope that a participant declares.
func (g *grants) own(p *Participant) []int32 {
	out, ok := g.has[p]
	if !ok {
		out = g.set(p.Scope)
		g.has[p] = out
	}
	return out
}

func (g *grants) set(scope []string) []int32 {
	out := make([]int32, len(scope))
	for i, s := range scope {
		n, ok := g.numbers[s]
		if !ok {
			n = int32(len(g.texts))
			g.numbers[s], g.texts = n, append(g.texts, s)
		}
		out[i] = n
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// beyond returns the members of a scope that are not in another, each once. They are
// compared exactly, without wildcards or prefixes (V-9).
func (g *grants) beyond(scope, within []int32) ([]int32, error) {
	if err := g.budget.spend(len(scope) + len(within)); err != nil {
		return nil, err
	}
	var out []int32
	for _, n := range scope {
		for len(within) > 0 && within[0] < n {
			within = within[1:]
		}
		if len(within) == 0 || within[0] != n {
			out = append(out, n)
		}
	}
	return out, g.budget.spend(len(out)) // to name them
}

// named returns scopes by their numbers, in no order that means anything.
func (g *grants) named(numbers []int32) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = g.texts[n]
	}
	return out
}

// extra returns what beyond does, as texts.
func (g *grants) extra(scope, within []int32) ([]string, error) {
	numbers, err := g.beyond(scope, within)
	return g.named(numbers), err
}

// outlives reports whether a delegation lasts longer than another (V-13), or may: a time
// that cannot be read is no end.
func (g *grant) outlives(received *grant) bool {
	return received.ends && (!received.known || !g.known || g.until.After(received.until))
}
