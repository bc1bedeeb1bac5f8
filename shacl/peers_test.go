package shacl_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/oracle"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/shacl"
)

// verdict is what an engine says of a pair.
type verdict struct {
	Conforms bool     `json:"conforms"`
	Results  []string `json:"results"` // focus node, path, value, component, severity, shape
	Error    string   `json:"error,omitempty"`
}

// ours validates; false says that the shapes do not compile.
func ours(t *testing.T, shapes, data string) (verdict, bool) {
	t.Helper()
	p, err := shacl.Compile(graph(t, "shapes.ttl", shapes), shacl.CompileOptions{})
	if err != nil {
		return verdict{}, false
	}
	r, err := p.Validate(t.Context(), graph(t, "data.ttl", data), shacl.Options{MaxResults: 10_000})
	require.NoError(t, err)
	v := verdict{Conforms: r.Conforms()}
	for i := range r.Results {
		res := &r.Results[i]
		path := ""
		if !res.Path.IsZero() {
			path = "path"
			if p, ok := res.Path.Predicate(); ok {
				path = p.String()
			}
		}
		v.Results = append(v.Results, strings.Join([]string{mask(res.Focus), path, mask(res.Value), "<" + res.Constraint + ">", "<" + res.Severity + ">", mask(res.Shape)}, " "))
	}
	return v, true
}

// disagreement is a pair on which another engine says something else.
type disagreement struct {
	shapes, data string
	conforms     bool
	err          string
	ours, theirs []string // results that only one side has
	// agrees tells whether the two agree on another pair, but for other known
	// faults.
	agrees func(shapes, data string) bool
	// triples returns the shapes in N-Triples.
	triples func() string
}

func (d disagreement) String() string {
	return fmt.Sprintf("error: %s\nshapes:\n%sdata:\n%sours (conforms: %v) only:\n%s\ntheirs only:\n%s", d.err, d.shapes, d.data, d.conforms, strings.Join(d.ours, "\n"), strings.Join(d.theirs, "\n"))
}

// want is what a row of known faults says of our side.
func (d disagreement) want() string {
	return strings.Join(append([]string{fmt.Sprint("conforms: ", d.conforms)}, d.ours...), "\n")
}

// oursAre reports whether all that differs is results of ours that have a text.
func (d disagreement) oursAre(text string) bool {
	return d.err == "" && len(d.ours) > 0 && len(d.theirs) == 0 && !slices.ContainsFunc(d.ours, func(line string) bool { return !strings.Contains(line, text) })
}

// drop returns the statements that do not match.
func drop(statements, pattern string) string {
	re := regexp.MustCompile(pattern)
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(statements, "\n"), re.MatchString), "")
}

// asStrings excuses what vanishes when what matches a pattern is cut from the
// literals that sh:lessThan and sh:lessThanOrEquals compare, which may then be
// another matter of locales.
func asStrings(pattern string) func(disagreement) bool {
	re := regexp.MustCompile(pattern)
	return func(d disagreement) bool {
		data := re.ReplaceAllString(d.data, `"`)
		if data == d.data || !strings.Contains(d.shapes, "#lessThan") {
			return false
		}
		return d.agrees(d.shapes, data) || d.agrees(d.shapes, inAnyLocale(data))
	}
}

// inAnyLocale replaces the strings whose order depends on the locale.
func inAnyLocale(data string) string {
	return strings.NewReplacer(`"A b"`, `"a b"`, `"äöü"`, `"aou"`).Replace(data)
}

// ordersByLocale excuses what vanishes when the order of strings does not depend
// on the locale.
func ordersByLocale(d disagreement) bool {
	data := inAnyLocale(d.data)
	return data != d.data && strings.Contains(d.shapes, "#lessThan") && d.agrees(d.shapes, data)
}

// focusAsValue excuses results that differ in nothing but the focus node as their
// value.
func focusAsValue(d disagreement) bool {
	if d.err != "" || len(d.ours) == 0 || len(d.ours) != len(d.theirs) {
		return false
	}
	for _, line := range d.ours {
		before, after, ok := strings.Cut(line, "  sh:")
		if !ok || !slices.ContainsFunc(d.theirs, func(other string) bool {
			value, ok := strings.CutPrefix(other, before+" ")
			value, more := strings.CutSuffix(value, " sh:"+after)
			return ok && more && strings.HasPrefix(line, value+" ")
		}) {
			return false
		}
	}
	return true
}

// usedTwice excuses pairs in which a shape is used twice, as the shape of targets
// and within another or within two others. Nothing of it can be left out.
func usedTwice(d disagreement) bool {
	uses := map[string]int{}
	targeted := map[string]bool{}
	for line := range strings.Lines(d.triples()) {
		parts := strings.SplitN(line, " ", 3)
		if len(parts) < 3 {
			continue
		}
		if strings.Contains(parts[1], "#target") && !targeted[parts[0]] {
			targeted[parts[0]] = true
			uses[parts[0]]++
		}
		if refers.MatchString(parts[1]) {
			uses[strings.TrimSuffix(parts[2], " .\n")]++
		}
	}
	for _, n := range uses {
		if n > 1 {
			return d.err == ""
		}
	}
	return false
}

var refers = regexp.MustCompile(`#(not|node|property|qualifiedValueShape|first)>$`)

// unshaped makes a fault of a parameter: what vanishes without it, where more
// holds.
func unshaped(parameter string, more func(disagreement) bool) func(disagreement) bool {
	return func(d disagreement) bool {
		shapes := drop(d.shapes, `<http://www.w3.org/ns/shacl#`+parameter+`>`)
		return shapes != d.shapes && (more == nil || more(d)) && d.agrees(shapes, d.data)
	}
}

// subclasses excuses what vanishes without rdfs:subClassOf.
func subclasses(d disagreement) bool {
	data := drop(d.data, "subClassOf")
	return data != d.data && d.agrees(d.shapes, data)
}

// engine is another implementation, with the faults that are known of it.
type engine struct {
	name   string
	faults []oracle.Fault[disagreement]
}

func (e engine) judge(t *testing.T, p *oracle.Process, shapes, data string) (string, disagreement) {
	t.Helper()
	return e.judgeAt(0, t, p, shapes, data)
}

// most is how many known faults in a row may account for a disagreement.
const most = 2

// judgeAt judges a pair that a number of other pairs led to.
func (e engine) judgeAt(depth int, t *testing.T, p *oracle.Process, shapes, data string) (string, disagreement) {
	t.Helper()
	d := disagreement{shapes: shapes, data: data}
	d.agrees = func(shapes, data string) bool {
		how, left := e.judgeAt(depth+1, t, p, shapes, data)
		if how == "" || depth+1 >= most {
			return how == ""
		}
		// What is left may be another known fault.
		return slices.ContainsFunc(e.faults, func(f oracle.Fault[disagreement]) bool { return f.Excuses(left) })
	}
	d.triples = func() string { return string(nquads.Append(nil, graph(t, "", shapes).Dataset())) }
	want, ok := ours(t, shapes, data)
	if !ok {
		return "", d
	}
	d.conforms = want.Conforms
	var got verdict
	question := map[string]string{"ask": e.name, "shapes": prefixes + shapes, "data": prefixes + data}
	err := p.Ask(question, &got)
	if err != nil {
		err = p.Ask(question, &got) // a busy machine is no disagreement
	}
	if err != nil {
		got.Error = err.Error()
	}
	d.err, d.ours, d.theirs = got.Error, minus(want.Results, got.Results), minus(got.Results, want.Results)
	switch {
	case d.err != "":
		return "fails: " + d.err, d
	case got.Conforms != want.Conforms:
		return "another verdict", d
	case len(d.ours)+len(d.theirs) > 0:
		return "other results", d
	}
	return "", d
}

// parts are the statements of a pair, one a line.
func parts(shapes, data string) []string {
	var all []string
	for _, s := range strings.SplitAfter(shapes, "\n") {
		if s != "" {
			all = append(all, "S"+s)
		}
	}
	for _, s := range strings.SplitAfter(data, "\n") {
		if s != "" {
			all = append(all, "D"+s)
		}
	}
	return all
}

func pair(parts []string) (shapes, data string) {
	for _, p := range parts {
		if p[0] == 'S' {
			shapes += p[1:]
		} else {
			data += p[1:]
		}
	}
	return shapes, data
}

// triples makes statements of one triple each.
func triples(t *testing.T, all []string) []string {
	shapes, data := pair(all)
	return parts(string(nquads.Append(nil, graph(t, "", shapes).Dataset())), string(nquads.Append(nil, graph(t, "", data).Dataset())))
}

// TestPeers validates random pairs with other engines: the same verdict and the
// same results, or a known fault of theirs in the smallest pair on which they
// differ.
func TestPeers(t *testing.T) {
	t.Parallel()
	seeds := oracle.Seeds(t, 250)
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			p, l := oracle.Node(t), oracle.NewLedger(e.name, e.faults)
			l.Once = true
			pairs, conform, results := 0, 0, 0
			for seed := range seeds {
				g := newGenerator(seed)
				g.plain, g.labels = seed%10 > 0, seed%2 > 0
				shapes, data := g.shapes(), g.data()
				v, ok := ours(t, shapes, data)
				require.True(t, ok, shapes)
				pairs++
				if v.Conforms {
					conform++
				}
				results += len(v.Results)
				judge := func(parts []string) (string, disagreement) {
					shapes, data := pair(parts)
					return e.judge(t, p, shapes, data)
				}
				small := func(_ string, least []string, same func([]string) bool) []string {
					if all := triples(t, least); same(all) {
						return oracle.Shrink(all, same)
					}
					return least
				}
				for _, d := range l.Compare(parts(shapes, data), judge, small) {
					t.Errorf("pair %d: %s disagrees for no known reason\n%s", seed, e.name, d)
				}
			}
			t.Logf("%d pairs, %d conform, %d results", pairs, conform, results)
			l.Report(t)
		})
	}
}

// TestKnownFaults checks that the faults are still there, each in the smallest
// pair that shows it.
func TestKnownFaults(t *testing.T) {
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			p := oracle.Node(t)
			for _, f := range e.faults {
				small := triples(t, parts(f.Example.shapes, f.Example.data))
				shapes, data := pair(small)
				how, d := e.judge(t, p, shapes, data)
				if assert.NotEmpty(t, how, "a fault that was repaired: %s", f.Cause) {
					assert.Equal(t, f.Want, d.want(), f.Cause)
					assert.True(t, f.Excuses(d), "%s: does not excuse its own example\n%s", f.Cause, d)
				}
			}
		})
	}
}

func minus(a, b []string) []string {
	b = slices.Clone(b)
	var rest []string
	for _, s := range a {
		if i := slices.Index(b, s); i >= 0 {
			b = slices.Delete(b, i, i+1)
			continue
		}
		rest = append(rest, shortText(s))
	}
	return rest
}
