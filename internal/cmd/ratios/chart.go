package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// point is one size of a series.
type point struct{ x, y float64 }

// series is the growth of one operation.
type series struct {
	op, color   string
	time, space []point
}

// operations are those that the chart shows, with colours that people who see
// colours differently can tell apart.
var operations = [...]struct{ op, name, color string }{
	{"parse", "read Turtle", "#0072b2"},
	{"c14n", "canonicalize N-Quads", "#d55e00"},
	{"hash", "hash Turtle", "#009e73"},
	{"shacl", "validate", "#9b4f96"},
}

var errNoGrowth = errors.New("no measurement of growth: expected ones of parse, c14n, hash or shacl with units")

// writeChart draws time and peak memory against the number of triples, both axes
// logarithmic.
func writeChart(w io.Writer, lines []measurement) error {
	var all []series
	for _, o := range operations {
		s := series{op: o.name, color: o.color}
		r := map[int]*rounds{}
		var sizes []int
		for _, m := range lines {
			if m.Op != o.op || !isOwn(m.Peer) || m.Units <= 0 || m.Median <= 0 || m.Error != "" {
				continue
			}
			if r[m.Units] == nil {
				r[m.Units] = &rounds{rss: m.RSS}
				sizes = append(sizes, m.Units)
			}
			r[m.Units].medians = append(r[m.Units].medians, m.Median)
			r[m.Units].rss = min(r[m.Units].rss, m.RSS)
		}
		slices.Sort(sizes)
		for _, n := range sizes {
			s.time = append(s.time, point{float64(n), r[n].median() / 1e6})
			if r[n].rss > 0 {
				s.space = append(s.space, point{float64(n), r[n].rss * (1 << 20)})
			}
		}
		if len(sizes) > 0 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return errNoGrowth
	}
	fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="440" viewBox="0 0 960 440" font-family="sans-serif" font-size="13">
<title>Time and peak memory against the number of triples</title>
<rect width="960" height="440" fill="#ffffff"/>
`)
	panel{70, "time", secondsLabel}.draw(w, all, func(s series) []point { return s.time })
	panel{550, "peak memory of the process", bytesLabel}.draw(w, all, func(s series) []point { return s.space })
	x := 70
	for _, s := range all {
		fmt.Fprintf(w, `<line x1="%d" y1="416" x2="%d" y2="416" stroke="%s" stroke-width="2"/><circle cx="%d" cy="416" r="3.5" fill="%s"/><text x="%d" y="420">%s</text>`+"\n",
			x, x+24, s.color, x+12, s.color, x+30, s.op)
		x += 60 + 8*len(s.op)
	}
	fmt.Fprintf(w, `<line x1="%d" y1="416" x2="%d" y2="416" stroke="#999999" stroke-dasharray="4 4"/><text x="%d" y="420">in proportion to the triples</text>`+"\n</svg>\n", x, x+24, x+30)
	return nil
}

// panel is one of the two diagrams.
type panel struct {
	left  int
	title string
	label func(exponent int) string
}

const (
	panelTop, panelWidth, panelHeight = 40, 380, 310
)

// draw draws a diagram over whole decades.
func (p panel) draw(w io.Writer, all []series, points func(series) []point) {
	least, greatest := point{math.Inf(1), math.Inf(1)}, point{}
	for _, s := range all {
		for _, q := range points(s) {
			least = point{min(least.x, q.x), min(least.y, q.y)}
			greatest = point{max(greatest.x, q.x), max(greatest.y, q.y)}
		}
	}
	if greatest.x == 0 {
		return
	}
	x0, x1 := decades(least.x, greatest.x)
	y0, y1 := decades(least.y, greatest.y)
	at := func(q point) (x, y float64) {
		return float64(p.left) + panelWidth*(math.Log10(q.x)-float64(x0))/float64(x1-x0),
			panelTop + panelHeight*(1-(math.Log10(q.y)-float64(y0))/float64(y1-y0))
	}
	fmt.Fprintf(w, `<text x="%d" y="24" font-size="15" font-weight="bold">%s</text>`+"\n", p.left, p.title)
	for e := x0; e <= x1; e++ {
		x, _ := at(point{math.Pow10(e), math.Pow10(y0)})
		fmt.Fprintf(w, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#dddddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n",
			x, panelTop, x, panelTop+panelHeight, x, panelTop+panelHeight+18, countLabel(e))
	}
	for e := y0; e <= y1; e++ {
		_, y := at(point{math.Pow10(x0), math.Pow10(e)})
		fmt.Fprintf(w, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n",
			p.left, y, p.left+panelWidth, y, p.left-6, y+4, p.label(e))
	}
	fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="middle">triples</text>`+"\n", p.left+panelWidth/2, panelTop+panelHeight+38)
	// What grows with the triples alone is a line of slope 1: from the lower left
	// or, in a wide diagram, to the upper right, as far as the diagram goes.
	from, side := x0, min(x1-x0, y1-y0)
	if side < x1-x0 {
		from = x1 - side
	}
	ax, ay := at(point{math.Pow10(from), math.Pow10(y0)})
	bx, by := at(point{math.Pow10(from + side), math.Pow10(y0 + side)})
	fmt.Fprintf(w, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#999999" stroke-dasharray="4 4"/>`+"\n", ax, ay, bx, by)
	for _, s := range all {
		fmt.Fprintf(w, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, s.color)
		for _, q := range points(s) {
			x, y := at(q)
			fmt.Fprintf(w, "%.1f,%.1f ", x, y)
		}
		fmt.Fprint(w, "\"/>\n")
		for _, q := range points(s) {
			x, y := at(q)
			fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`+"\n", x, y, s.color)
		}
	}
}

// decades returns the exponents of ten around a range, at least one apart.
func decades(least, greatest float64) (from, to int) {
	from, to = int(math.Floor(math.Log10(least))), int(math.Ceil(math.Log10(greatest)))
	return from, max(to, from+1)
}

func countLabel(e int) string {
	switch {
	case e >= 6:
		return fmt.Sprintf("%.0fM", math.Pow10(e-6))
	case e >= 3:
		return fmt.Sprintf("%.0fk", math.Pow10(e-3))
	}
	return fmt.Sprintf("%.0f", math.Pow10(e))
}

func secondsLabel(e int) string {
	switch {
	case e >= 0:
		return fmt.Sprintf("%.0f s", math.Pow10(e))
	case e >= -3:
		return fmt.Sprintf("%.0f ms", math.Pow10(e+3))
	}
	return fmt.Sprintf("%.0f µs", math.Pow10(e+6))
}

func bytesLabel(e int) string {
	switch {
	case e >= 9:
		return fmt.Sprintf("%.0f GB", math.Pow10(e-9))
	case e >= 6:
		return fmt.Sprintf("%.0f MB", math.Pow10(e-6))
	}
	return fmt.Sprintf("%.0f kB", math.Pow10(e-3))
}
