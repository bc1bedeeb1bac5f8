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

// Node is a box. Nodes with one text are one node in DOT.
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

// DOT writes the drawing in the DOT language.
func (d *Drawing) DOT() string {
	var b strings.Builder
	escapes := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ") // once: it is dear to make
	quoted := func(s string) string { return `"` + escapes.Replace(s) + `"` }
	fmt.Fprintf(&b, "digraph %s {\n  label=%s;\n  node [shape=box];\n", d.Name, quoted(d.Title))
	linked := make([]bool, len(d.Nodes))
	for _, e := range d.Edges {
		linked[e.From], linked[e.To] = true, true
	}
	for i, n := range d.Nodes {
		if n.Round {
			fmt.Fprintf(&b, "  %s [style=rounded];\n", quoted(n.Text))
		} else if !linked[i] {
			fmt.Fprintf(&b, "  %s;\n", quoted(n.Text))
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
		fmt.Fprintf(&b, "  %s -> %s [label=%s, color=%s];\n", quoted(d.Nodes[e.From].Text), quoted(d.Nodes[e.To].Text), quoted(label), color)
	}
	b.WriteString("}\n")
	return b.String()
}
