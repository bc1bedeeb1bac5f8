package draw

import (
	"fmt"
	"strings"
	"unicode/utf8"
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
	quoted := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(s) + `"`
	}
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

// Measures of SVG in pixels. A character of the font is 7.2 wide, and given 8.
const (
	margin     = 20
	top        = 50
	boxHeight  = 36
	step       = 96 // from one row to the next
	wideChars  = 86
	smallChars = 36
	titleChars = 90
	character  = 8
	gap        = 60 // between columns
)

// SVG writes the drawing as a picture. An arrow within a column carries its label to
// its right; one between columns has none, and its text is a title to hover for.
func (d *Drawing) SVG() string {
	characters := smallChars
	if d.Wide {
		characters = wideChars
	}
	box := characters*character + margin
	rows, columns := 1, 1
	for _, n := range d.Nodes {
		rows, columns = max(rows, n.Row+1), max(columns, n.Column+1)
	}
	width := 2*margin + columns*(box+gap) - gap
	for _, e := range d.Edges {
		if d.skips(e) {
			width = 2*margin + columns*(box+gap) // room for what passes by the last column
			break
		}
	}
	below := 0
	for _, e := range d.Edges {
		if d.Nodes[e.From].Row == rows-1 {
			below = step / 4 // for what leads back from the last row
			break
		}
	}
	height := top + (rows-1)*step + boxHeight + margin + below
	// The title may be longer than the boxes of one column.
	width = max(width, 2*margin+min(cells(d.Title), titleChars)*(character+2))
	room := (width - 2*margin) / (character + 2)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(d.Title))
	b.WriteString(`<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 10 5 0 10z"/></marker></defs>` + "\n")
	fill := "#b00020"
	if d.OK {
		fill = "#1b6e2e"
	}
	fmt.Fprintf(&b, `<text x="%d" y="30" fill="%s" font-size="14">%s</text>`+"\n", margin, fill, escaped(cut(d.Title, room)))
	place := func(n Node) (x, y int) { return margin + n.Column*(box+gap), top + n.Row*step }
	lanes := [...]int{0, -6, 6, -12, 12, -18, 18} // so that few arrows share one
	for i, e := range d.Edges {
		from, to := d.Nodes[e.From], d.Nodes[e.To]
		x1, y1 := place(from)
		x2, y2 := place(to)
		stroke := "black"
		if e.Broken {
			stroke = "#b00020"
		}
		labelled := from.Column == to.Column && to.Row == from.Row+1
		if labelled {
			x1, x2 = x1+30, x2+30
		} else {
			x1, x2 = x1+box/2, x2+box/2
		}
		line := ""
		if d.skips(e) { // it passes by the boxes between, in the gap beside the column
			dashes := ""
			if to.Row <= from.Row {
				dashes = ` stroke-dasharray="5 3"`
			}
			x := margin + from.Column*(box+gap) + box + gap/2 + lanes[i%len(lanes)]
			line = fmt.Sprintf(`<path d="M%d %d L%d %d L%d %d L%d %d" fill="none" stroke="%s"%s marker-end="url(#a)"/>`, x1, y1+boxHeight, x, y1+boxHeight+step/4, x, y2-step/4, x2, y2, stroke, dashes)
		} else {
			line = fmt.Sprintf(`<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" marker-end="url(#a)"/>`, x1, y1+boxHeight, x2, y2, stroke)
		}
		switch {
		case e.Text == "" && e.Note == "":
			fmt.Fprintf(&b, "%s\n", line)
		case !labelled:
			fmt.Fprintf(&b, "<g><title>%s</title>%s</g>\n", escaped(e.Text+" "+e.Note), line)
		default:
			fmt.Fprintf(&b, "%s\n", line)
			for i, text := range []string{e.Text, e.Note} {
				if text != "" {
					fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", x1+14, y1+boxHeight+26+16*i, stroke, escaped(cut(text, characters-4)))
				}
			}
		}
	}
	for _, n := range d.Nodes {
		x, y := place(n)
		round := ""
		if n.Round {
			round = ` rx="14"`
		}
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d"%s fill="white" stroke="black"/><text x="%d" y="%d">%s</text>`+"\n", x, y, box, boxHeight, round, x+10, y+22, escaped(cut(n.Text, characters)))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// skips reports whether an arrow has rows between its ends, or leads back.
func (d *Drawing) skips(e Edge) bool {
	return d.Nodes[e.To].Row != d.Nodes[e.From].Row+1
}

// wide lists the characters that take the room of two in fonts of one width, from the
// first to the last of each range.
var wide = [...][2]rune{
	{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
	{0x1f300, 0x1faff}, {0x20000, 0x3fffd},
}

// cells returns the room that a text takes, in characters.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += cell(r)
	}
	return n
}

func cell(r rune) int {
	for _, w := range wide {
		if r >= w[0] && r <= w[1] {
			return 2
		}
	}
	return 1
}

// cut leaves out the middle of a text that is too long.
func cut(s string, most int) string {
	if cells(s) <= most {
		return s
	}
	r := []rune(s)
	begin, end := 0, len(r)
	for room := most/2 - 1; cell(r[begin]) <= room; begin++ {
		room -= cell(r[begin])
	}
	for room := most - most/2; end > begin && cell(r[end-1]) <= room; end-- {
		room -= cell(r[end-1])
	}
	return string(r[:begin]) + "…" + string(r[end:])
}

// escaped returns a text as XML has it. What XML does not allow at all becomes
// U+FFFD.
func escaped(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, s)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}
