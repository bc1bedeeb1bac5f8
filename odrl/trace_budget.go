package odrl

import (
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// TraceBudget is what is left of [Limits.TraceEntries] and [Limits.TraceBytes]. One that
// several requests share ([Request.Trace]) bounds the traces of one decision together. It
// changes no decision. It is not safe for concurrent use. Make one with [NewTraceBudget].
type TraceBudget struct{ entries, bytes, omitted int }

// NewTraceBudget makes a budget of limits; those of the zero Limits are the defaults.
func NewTraceBudget(l Limits) *TraceBudget {
	l = l.orDefault()
	return &TraceBudget{entries: l.TraceEntries, bytes: l.TraceBytes}
}

// take reports whether there is room for one more entry, and counts one that is left out.
// A nil budget has room for all.
func (b *TraceBudget) take() bool {
	switch {
	case b == nil:
		return true
	case b.entries <= 0 || b.bytes <= 0:
		b.omitted++
		return false
	}
	b.entries--
	return true
}

// spend takes off the texts of an entry, so that the last one may be longer than what was
// left.
func (b *TraceBudget) spend(texts ...string) {
	if b == nil {
		return
	}
	const around = 16 // names of members and punctuation
	for _, s := range texts {
		b.bytes -= len(s) + around
	}
}

// longestName is how long the name of a node is in a trace; the place says the rest.
const longestName = 256

// traceName is the node of a rule, a duty or a constraint as a trace has it.
func traceName(node string) string {
	if len(node) <= longestName {
		return node
	}
	if name, ok := strings.CutPrefix(node, "<"); ok {
		return "<" + rdf.Abbreviate(strings.TrimSuffix(name, ">")) + ">"
	}
	return rdf.Abbreviate(node)
}
