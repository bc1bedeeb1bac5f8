package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/authz"
)

// drawing is a chain as a picture: parties, and grants from one to the next.
type drawing struct {
	title  string
	ok     bool
	chains [][]grant // the primary one, then that of the actor
	roots  []string
}

// grant is an arrow between two parties.
type grant struct {
	to, policy, note string
	broken           bool
}

func drawingOf(d *authz.Decision, r *authz.Request) *drawing {
	out := &drawing{title: authzVerdict(d).Message, ok: d.Authorized()}
	for _, chain := range []struct {
		d    *authz.Decision
		root string
	}{{d, r.RootPrincipal}, {d.Actor, d.LeafAssignee}} {
		if chain.d == nil {
			continue
		}
		var grants []grant
		for i := range chain.d.Hops {
			h := &chain.d.Hops[i]
			g := grant{to: delegate(chain.d, i), policy: h.Policy, note: "not verified"}
			if h.Verified {
				g.note = "verified"
			}
			if chain.d.Hop == i && !chain.d.Authorized() {
				g.broken, g.note = true, string(chain.d.Code)
			}
			grants = append(grants, g)
		}
		out.roots = append(out.roots, chain.root)
		out.chains = append(out.chains, grants)
	}
	return out
}

// dot writes the drawing in the DOT language of Graphviz.
func (d *drawing) dot() string {
	var b strings.Builder
	quoted := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable(s)) + `"`
	}
	fmt.Fprintf(&b, "digraph authority {\n  label=%s;\n  node [shape=box];\n", quoted(d.title))
	for n, grants := range d.chains {
		from := d.roots[n]
		for _, g := range grants {
			color := "black"
			if g.broken {
				color = "red"
			}
			fmt.Fprintf(&b, "  %s -> %s [label=%s, color=%s];\n", quoted(from), quoted(g.to), quoted(g.policy+" ("+g.note+")"), color)
			from = g.to
		}
		if len(grants) == 0 {
			fmt.Fprintf(&b, "  %s;\n", quoted(from))
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// svg writes the drawing as a picture with its texts as text.
func (d *drawing) svg() string {
	const (
		column, box = 760, 700 // pixels
		step        = 96
		characters  = 88 // that a box has room for
	)
	var b strings.Builder
	escaped := func(s string) string {
		s = printable(s)
		if utf8.RuneCountInString(s) > characters {
			r := []rune(s)
			s = string(r[:characters/2-1]) + "…" + string(r[len(r)-characters/2:])
		}
		return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
	}
	rows := 1
	for _, grants := range d.chains {
		rows = max(rows, len(grants)+1)
	}
	width, height := column*max(len(d.chains), 1)+20, 70+rows*step
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<title>%s</title>`+"\n", escaped(d.title))
	b.WriteString(`<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 10 5 0 10z"/></marker></defs>` + "\n")
	fill := "#b00020"
	if d.ok {
		fill = "#1b6e2e"
	}
	fmt.Fprintf(&b, `<text x="20" y="30" fill="%s" font-size="14">%s</text>`+"\n", fill, escaped(d.title))
	for n, grants := range d.chains {
		x := 20 + n*column
		party := func(row int, name string) {
			y := 50 + row*step
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="36" fill="none" stroke="black"/><text x="%d" y="%d">%s</text>`+"\n", x, y, box, x+10, y+22, escaped(name))
		}
		party(0, d.roots[n])
		for i, g := range grants {
			y, stroke := 50+i*step+36, "black"
			if g.broken {
				stroke = "#b00020"
			}
			fmt.Fprintf(&b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" marker-end="url(#a)"/>`+"\n", x+30, y, x+30, y+step-36, stroke)
			fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", x+44, y+26, stroke, escaped(g.policy))
			fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", x+44, y+42, stroke, escaped(g.note))
			party(i+1, g.to)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}
