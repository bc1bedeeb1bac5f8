package draw

import (
	"fmt"
	"strings"
)

// Drawing is a graph in rows and columns.
type Drawing struct {
	Name  string // of the graph in DOT
	Title string
	OK    bool // the title is good news
	// Wide gives nodes and labels the room of an IRI, instead of that of a name.
	Wide  bool
	Nodes []Node
	Edges []Edge
}

// Node is a box, with a text that is printable. Nodes with one text are one node in DOT.
type Node struct {
	Text        string
	Row, Column int  // from 0
	Round       bool // a thing, as against a party or a task
}

// Edge is an arrow from a node to another; one that does not lead down is dashed.
type Edge struct {
	From, To int    // indexes of nodes
	Text     string // "" for an arrow without a label
	Note     string // a second line
	Broken   bool
}

// longest is the longest text of a node, in bytes, that DOT has in full at both ends of its
// edges: people write some dozens.
const longest = 200

// DOT writes the drawing in the DOT language. Of the text of a node that is too long the
// middle is left out.
func (d *Drawing) DOT() string {
	var b strings.Builder
	escapes := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ") // once: it is dear to make
	quoted := func(s string) string { return `"` + escapes.Replace(s) + `"` }
	fmt.Fprintf(&b, "digraph %s {\n  label=%s;\n  node [shape=box];\n", d.Name, quoted(d.Title))
	ids, known := make([]string, len(d.Nodes)), map[string]string{} // by text
	for i, n := range d.Nodes {
		id, ok := known[n.Text]
		switch {
		case ok:
		case len(n.Text) > longest:
			id = fmt.Sprintf("\"\t%d\"", i) // which is no text that can be seen
			fmt.Fprintf(&b, "  %s [label=%s];\n", id, quoted(cut(n.Text, wideChars)))
		default:
			id = quoted(n.Text)
		}
		ids[i], known[n.Text] = id, id
	}
	linked := make([]bool, len(d.Nodes))
	for _, e := range d.Edges {
		linked[e.From], linked[e.To] = true, true
	}
	for i, n := range d.Nodes {
		if n.Round {
			fmt.Fprintf(&b, "  %s [style=rounded];\n", ids[i])
		} else if !linked[i] {
			fmt.Fprintf(&b, "  %s;\n", ids[i])
		}
	}
	for _, e := range d.Edges {
		color, label := "black", e.Text
		if e.Broken {
			color = "red"
		}
		if e.Note != "" {
			label += " (" + e.Note + ")"
		}
		fmt.Fprintf(&b, "  %s -> %s [label=%s, color=%s];\n", ids[e.From], ids[e.To], quoted(label), color)
	}
	b.WriteString("}\n")
	return b.String()
}
