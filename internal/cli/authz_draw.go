package cli

import (
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/internal/draw"
	"github.com/rdfproto/rdfproto/internal/legible"
)

// drawingOf draws the chains of a decision: the primary one, then that of the actor,
// each in a column from its root down.
func drawingOf(d *authz.Decision, r *authz.Request) *draw.Drawing {
	out := &draw.Drawing{Name: "authority", Title: printable(authzVerdict(d).Message), OK: d.Authorized(), Wide: true}
	column := 0
	for _, chain := range []struct {
		d    *authz.Decision
		root string
	}{{d, r.RootPrincipal}, {d.Actor, d.LeafAssignee}} {
		if chain.d == nil {
			continue
		}
		out.Nodes = append(out.Nodes, draw.Node{Text: printable(chain.root), Column: column})
		for i := range chain.d.Hops {
			h := &chain.d.Hops[i]
			last := len(out.Nodes) - 1
			e := draw.Edge{From: last, To: last + 1, Text: printable(h.Policy), Note: "not verified"}
			if h.Verified {
				e.Note = "verified"
			}
			if chain.d.Hop == i && !chain.d.Authorized() {
				e.Broken, e.Note = true, string(chain.d.Code)
			}
			out.Nodes = append(out.Nodes, draw.Node{Text: printable(legible.Delegate(chain.d, i)), Row: i + 1, Column: column})
			out.Edges = append(out.Edges, e)
		}
		column++
	}
	return out
}
