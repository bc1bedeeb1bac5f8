package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// textReport writes a validation report for a person at a terminal.
type textReport struct {
	out   *output
	names *shapeNamer
	color bool
}

// width is what lines are broken to where they can be. A name is never broken.
const width = 80

func (v *validation) textReport(n *shapeNamer) *textReport {
	return &textReport{out: v.app.out, names: n, color: v.app.color}
}

// writeText writes each result with its reasons, and a last line with the
// verdict.
func (v *validation) writeText(r *shacl.Report, n *shapeNamer) error {
	t := v.textReport(n)
	short := r.Cut()
	for _, group := range t.groups(short.Results, v.groupBy) {
		if group.heading != "" {
			t.line("", t.paint(bold, group.heading+": "+count(len(group.results), "result")))
			t.line("", "")
		}
		shown := len(group.results)
		if v.maxResults > 0 {
			shown = min(shown, v.maxResults)
		}
		for _, res := range group.results[:shown] {
			t.result(res)
			t.line("", "")
		}
		if more := len(group.results) - shown; more > 0 {
			t.line("", fmt.Sprintf("... and %s that --max-results left out", count(more, "more result")))
			t.line("", "")
		}
	}
	t.beyondBytes(r, short)
	t.wrapped("", 2, t.summary(display(v.data), r))
	return nil
}

// results writes the results of a report that is shown beside other things.
func (t *textReport) results(r *shacl.Report) {
	short := r.Cut()
	for i := range short.Results {
		t.result(&short.Results[i])
		t.line("", "")
	}
	t.beyondBytes(r, short)
}

// beyondBytes says what is left out.
func (t *textReport) beyondBytes(r, short *shacl.Report) {
	if more := beyondBytes(r, short); more != "" {
		t.line("", "... "+more)
		t.line("", "")
	}
}

// summary is the verdict with counts.
func (t *textReport) summary(file string, r *shacl.Report) string {
	checked := "no node was checked"
	if r.FocusNodes > 0 {
		checked = count(r.FocusNodes, "node") + " checked"
	}
	if r.Conforms() {
		return fmt.Sprintf("%s: %s, %s", printable(file), t.paint(green, "conforms"), checked)
	}
	var counts []string
	others := len(r.Results)
	for _, s := range []struct{ iri, name string }{
		{vocab.SHViolation, "violation"}, {vocab.SHWarning, "warning"}, {vocab.SHInfo, "info"},
	} {
		if n := r.BySeverity(s.iri); n > 0 {
			counts = append(counts, count(n, s.name))
			others -= n
		}
	}
	if others > 0 {
		counts = append(counts, count(others, "result")+" of another severity")
	}
	if r.Omitted > 0 {
		counts = append(counts, fmt.Sprintf("%d more", r.Omitted))
	}
	return fmt.Sprintf("%s: %s: %s; %s", printable(file), t.paint(red, "does not conform"), strings.Join(counts, ", "), checked)
}

// group is what stands under one heading.
type group struct {
	heading string
	results []*shacl.Result
}

// groups sorts results under headings, which stand in the order of their first
// result; without by there is one group without a heading.
func (t *textReport) groups(results []shacl.Result, by string) []group {
	var groups []group
	index := map[string]int{}
	for i := range results {
		res := &results[i]
		heading := ""
		switch by {
		case "shape":
			heading = t.shape(res.Shape, res.ShapePlace)
			if strings.HasPrefix(heading, "at ") {
				heading = "shape " + heading
			}
		case "constraint":
			heading = t.names.IRI(res.Property())
		}
		at, ok := index[heading]
		if !ok {
			at = len(groups)
			index[heading] = at
			groups = append(groups, group{heading: heading})
		}
		groups[at].results = append(groups[at].results, res)
	}
	return groups
}

// result writes one result of the top level.
func (t *textReport) result(res *shacl.Result) {
	t.headline("", t.severity(res.Severity)+": ", t.message(res))
	t.fieldLines("  ", t.fields(res, rdf.Term{}))
	t.details("  ", res)
}

// details writes why a value does not conform to a shape that the constraint
// refers to, each reason one step further in than what it explains.
func (t *textReport) details(indent string, res *shacl.Result) {
	if len(res.Details) == 0 && !res.Truncated {
		return
	}
	const deepest = 40 // columns of indent: further down the order says enough
	indent = indent[:min(len(indent), deepest)]
	t.line(indent, t.paint(dim, "because"))
	for i := range res.Details {
		d := &res.Details[i]
		head := ""
		if d.Member > 0 {
			head = fmt.Sprintf("shape %d: ", d.Member)
		}
		t.headline(indent, "- "+head, t.message(d))
		t.fieldLines(indent+"    ", t.fields(d, res.Value))
		t.details(indent+"    ", d)
	}
	if res.Truncated {
		t.line(indent, "- ... and more")
	}
}

// message is the first thing that a result says: the shape's own message, if it
// has one.
func (t *textReport) message(res *shacl.Result) string {
	if len(res.Messages) > 0 {
		return printable(legible.Cut(strings.Join(strings.Fields(res.Message()), " "), 500))
	}
	return t.names.reason(res)
}

// field is a line under a result.
type field struct{ label, text string }

// fields lists what is known of a result. The focus node of a detail is most
// often the value of the result above, known already.
func (t *textReport) fields(res *shacl.Result, known rdf.Term) []field {
	var f []field
	add := func(label, text string) {
		if text != "" {
			f = append(f, field{label, text})
		}
	}
	add("at", printable(res.Place.String()))
	if res.Focus != known {
		add("focus", t.names.Term(res.Focus))
	}
	add("path", res.Path.Short(t.names.Term))
	if v := res.Value; !v.IsZero() && v != known && (v != res.Focus || !res.Path.IsZero()) {
		add("value", t.names.Term(v))
	}
	if len(res.Messages) > 0 {
		add("reason", t.names.reason(res))
	}
	add("constraint", t.constraint(res.Property(), res.Parameter()))
	add("shape", t.shape(res.Shape, res.ShapePlace))
	return f
}

func (t *textReport) fieldLines(indent string, fields []field) {
	const labels = len("constraint")
	for _, f := range fields {
		label := fmt.Sprintf("%-*s  ", labels, f.label)
		t.wrapped(indent+t.paint(dim, label), len(indent)+len(label), f.text)
	}
}

// constraint names a constraint by its parameter and, where that has a name, the
// parameter's value: "sh:minCount 1".
func (t *textReport) constraint(property string, parameter rdf.Term) string {
	name := t.names.IRI(property)
	if parameter.IsZero() || parameter.Kind() == rdf.KindBlank {
		return name
	}
	return name + " " + t.names.Term(parameter)
}

// shape names a shape and says where it stands. A blank node's label says less
// than the place, so it stands only where there is no place.
func (t *textReport) shape(shape rdf.Term, place rdf.Place) string {
	at := printable(place.String())
	switch {
	case at == "":
		return t.names.Term(shape)
	case shape.Kind() == rdf.KindBlank:
		return "at " + at
	}
	return t.names.Term(shape) + " at " + at
}

// severity names a severity in colour.
func (t *textReport) severity(iri string) string {
	switch iri {
	case vocab.SHViolation:
		return t.paint(red, "Violation")
	case vocab.SHWarning:
		return t.paint(yellow, "Warning")
	case vocab.SHInfo:
		return t.paint(cyan, "Info")
	}
	return t.paint(red, t.names.IRI(iri))
}

// writePasses lists the constraints that held, under the focus nodes.
func (v *validation) writePasses(r *shacl.Report, n *shapeNamer) error {
	t := v.textReport(n)
	shown := r.Cut().Passes
	if v.maxResults > 0 && len(shown) > v.maxResults {
		shown = shown[:v.maxResults]
	}
	for i, p := range shown {
		if i == 0 || p.Focus != shown[i-1].Focus {
			t.wrapped("", 0, t.names.Term(p.Focus))
		}
		text := t.constraint(p.Property, p.Parameter)
		if !p.Path.IsZero() {
			text = p.Path.Short(t.names.Term) + " " + text
		}
		t.wrapped("  "+t.paint(green, "holds")+"  ", len("  holds  "), text+" "+t.paint(dim, "("+t.shape(p.Shape, p.ShapePlace)+")"))
	}
	if len(shown) > 0 {
		t.line("", "")
	}
	if more := len(r.Passes) + r.OmittedPasses - len(shown); more > 0 {
		t.line("", fmt.Sprintf("... and %s that held", count(more, "more constraint")))
		t.line("", "")
	}
	t.wrapped("", 2, t.summary(display(v.data), r)+", "+count(len(r.Passes)+r.OmittedPasses, "constraint")+" held")
	return nil
}

// SGR codes of ECMA-48.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "1;32"
	yellow = "1;33"
	cyan   = "1;36"
)

func (t *textReport) paint(sgr, s string) string {
	if !t.color {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

func (t *textReport) line(indent, s string) {
	fmt.Fprintf(t.out, "%s%s\n", indent, s) // a failed write is found when the output is flushed
}

// headline writes a message after what introduces it.
func (t *textReport) headline(indent, intro, message string) {
	t.wrapped(indent+intro, len(indent)+4, message)
}

// wrapped writes a text after a beginning, broken at spaces where it would
// become too wide. What follows a break stands under column hang.
func (t *textReport) wrapped(beginning string, hang int, text string) {
	var b strings.Builder
	b.WriteString(beginning)
	column := seenWidth(beginning)
	for i, word := range strings.Split(text, " ") {
		n := seenWidth(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", hang))
			column = hang
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	t.line("", b.String())
}

// seenWidth counts the characters of a text but for those of paint.
func seenWidth(s string) int {
	n := 0
	for {
		before, after, painted := strings.Cut(s, "\x1b[")
		n += utf8.RuneCountInString(before)
		if !painted {
			return n
		}
		_, s, _ = strings.Cut(after, "m")
	}
}
