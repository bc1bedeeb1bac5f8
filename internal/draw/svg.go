package draw

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

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

// The colours of good and bad news.
const (
	good = "#1b6e2e"
	bad  = "#b00020"
)

// SVG writes the drawing as a picture. An arrow within a column carries its label to
// its right; one between columns has none, and its text is a title to hover for.
func (d *Drawing) SVG() string {
	p := d.picture()
	fill := good
	if !d.OK {
		fill = bad
	}
	room := (p.width - 2*margin) / (character + 2)
	fmt.Fprintf(&p.text, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" font-size="12">`+"\n", p.width, p.height, p.width, p.height)
	fmt.Fprintf(&p.text, "<title>%s</title>\n", escaped(d.Title))
	p.text.WriteString(`<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 10 5 0 10z"/></marker></defs>` + "\n")
	fmt.Fprintf(&p.text, `<text x="%d" y="30" fill="%s" font-size="14">%s</text>`+"\n", margin, fill, escaped(cut(d.Title, room)))
	for i, e := range d.Edges {
		p.arrow(i, e)
	}
	for _, n := range d.Nodes {
		p.node(n)
	}
	p.text.WriteString("</svg>\n")
	return p.text.String()
}

// picture is a drawing as SVG, in the making.
type picture struct {
	drawing       *Drawing
	characters    int // of a node's text
	box           int // the width of a node
	width, height int
	text          strings.Builder
}

// picture measures a drawing.
func (d *Drawing) picture() *picture {
	p := &picture{drawing: d, characters: smallChars}
	if d.Wide {
		p.characters = wideChars
	}
	p.box = p.characters*character + margin
	rows, columns := 1, 1
	for _, n := range d.Nodes {
		rows, columns = max(rows, n.Row+1), max(columns, n.Column+1)
	}
	p.width = 2*margin + columns*(p.box+gap) - gap
	if slices.ContainsFunc(d.Edges, d.skips) {
		p.width += gap // room for what passes by the last column
	}
	p.width = max(p.width, 2*margin+min(cells(d.Title), titleChars)*(character+2)) // the title may be longer than the boxes
	p.height = top + (rows-1)*step + boxHeight + margin
	if slices.ContainsFunc(d.Edges, func(e Edge) bool { return d.Nodes[e.From].Row == rows-1 }) {
		p.height += step / 4 // for what leads back from the last row
	}
	return p
}

// place returns the upper left corner of a node.
func (p *picture) place(n Node) (x, y int) { return margin + n.Column*(p.box+gap), top + n.Row*step }

// lanes keep arrows that pass by a column apart, so that few share one.
var lanes = [...]int{0, -6, 6, -12, 12, -18, 18}

// arrow writes the edge with an index.
func (p *picture) arrow(i int, e Edge) {
	from, to := p.drawing.Nodes[e.From], p.drawing.Nodes[e.To]
	x1, y1 := p.place(from)
	x2, y2 := p.place(to)
	stroke := "black"
	if e.Broken {
		stroke = bad
	}
	labelled := from.Column == to.Column && to.Row == from.Row+1
	if labelled {
		x1, x2 = x1+30, x2+30
	} else {
		x1, x2 = x1+p.box/2, x2+p.box/2
	}
	line := fmt.Sprintf(`<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" marker-end="url(#a)"/>`, x1, y1+boxHeight, x2, y2, stroke)
	if p.drawing.skips(e) { // it passes by the boxes between, in the gap beside the column
		dashes := ""
		if to.Row <= from.Row {
			dashes = ` stroke-dasharray="5 3"`
		}
		x := margin + from.Column*(p.box+gap) + p.box + gap/2 + lanes[i%len(lanes)]
		line = fmt.Sprintf(`<path d="M%d %d L%d %d L%d %d L%d %d" fill="none" stroke="%s"%s marker-end="url(#a)"/>`, x1, y1+boxHeight, x, y1+boxHeight+step/4, x, y2-step/4, x2, y2, stroke, dashes)
	}
	if !labelled && (e.Text != "" || e.Note != "") {
		fmt.Fprintf(&p.text, "<g><title>%s</title>%s</g>\n", escaped(e.Text+" "+e.Note), line)
		return
	}
	fmt.Fprintf(&p.text, "%s\n", line)
	for i, text := range []string{e.Text, e.Note} {
		if text != "" {
			fmt.Fprintf(&p.text, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", x1+14, y1+boxHeight+26+16*i, stroke, escaped(cut(text, p.characters-4)))
		}
	}
}

// node writes a node.
func (p *picture) node(n Node) {
	x, y := p.place(n)
	round := ""
	if n.Round {
		round = ` rx="14"`
	}
	fmt.Fprintf(&p.text, `<rect x="%d" y="%d" width="%d" height="%d"%s fill="white" stroke="black"/><text x="%d" y="%d">%s</text>`+"\n", x, y, p.box, boxHeight, round, x+10, y+22, escaped(cut(n.Text, p.characters)))
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
