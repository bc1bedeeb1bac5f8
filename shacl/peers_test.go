package shacl_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/shacl"
)

// peersVariable names the environment variable that names the folder whose
// node_modules hold other engines.
const peersVariable = "RDFPROTO_PEERS"

// verdict is what an engine says of a pair.
type verdict struct {
	Conforms bool     `json:"conforms"`
	Results  []string `json:"results"` // focus node, path, value, component, severity, shape
	Error    string   `json:"error,omitempty"`
}

func ours(t *testing.T, shapes, data string) verdict {
	t.Helper()
	p, err := shacl.Compile(graph(t, "shapes.ttl", shapes), shacl.CompileOptions{})
	require.NoError(t, err, shapes)
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
	return v
}

// peers runs the other engines on pairs of texts.
func peers(t *testing.T, pairs [][2]string) []map[string]verdict {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil || os.Getenv(peersVariable) == "" {
		t.Skipf("no other engines here: this test needs node and %s, the folder whose node_modules hold them", peersVariable)
	}
	var in bytes.Buffer
	for _, p := range pairs {
		require.NoError(t, json.NewEncoder(&in).Encode(map[string]string{"shapes": prefixes + p[0], "data": prefixes + p[1]}))
	}
	cmd := exec.CommandContext(t.Context(), node, "testdata/peers.mjs")
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var all []map[string]verdict
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v map[string]verdict
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		all = append(all, v)
	}
	require.Len(t, all, len(pairs))
	return all
}

// disagreement is a pair on which another engine says something else.
type disagreement struct {
	shapes, data string
	err          string
	ours, theirs []string // results that only one side has
}

func (d disagreement) String() string {
	return fmt.Sprintf("error: %s\nshapes:\n%sdata:\n%sours only:\n%s\ntheirs only:\n%s", d.err, d.shapes, d.data, strings.Join(d.ours, "\n"), strings.Join(d.theirs, "\n"))
}

// oursAre reports whether all that differs is results of ours that have one of
// some texts.
func (d disagreement) oursAre(texts ...string) bool {
	return d.err == "" && len(d.ours) > 0 && len(d.theirs) == 0 && !slices.ContainsFunc(d.ours, func(line string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(line, text) })
	})
}

// ordersLanguages reports whether the values of all results of ours are strings,
// while the data has language-tagged ones.
func (d disagreement) ordersLanguages() bool {
	text := regexp.MustCompile(`"(@[\w-]+)? sh:LessThan`)
	return strings.Contains(d.data, `"@`) && !slices.ContainsFunc(d.ours, func(line string) bool { return !text.MatchString(line) })
}

// matching is a reason that applies wherever shapes match an expression.
func matching(shapes string) func(disagreement) bool {
	re := regexp.MustCompile(shapes)
	return func(d disagreement) bool { return re.MatchString(d.shapes) }
}

// reasons are the known faults of other engines, by engine. Where one applies, a
// disagreement is theirs.
var reasons = map[string][]struct {
	text    string
	applies func(disagreement) bool
}{
	"rdf-validate-shacl": {
		{"it does not end on a loop of rdfs:subClassOf", func(d disagreement) bool {
			return strings.Contains(d.err, "call stack") && strings.Contains(d.data, "rdfs:subClassOf")
		}},
		{"it has inverse paths of predicates only", func(d disagreement) bool { return strings.Contains(d.err, "Inverse paths only work for named nodes") }},
		{"sh:equals of a node shape does not report the focus node when the property has other values (4.5.1: every value node that is missing)",
			func(d disagreement) bool { return d.oursAre("sh:EqualsConstraintComponent") }},
		{"it orders language-tagged strings (SPARQL 1.1, 17.3: an error)", func(d disagreement) bool {
			return d.oursAre("sh:LessThan") && d.ordersLanguages()
		}},
	},
	"shacl-engine": {
		{"it finds no result in an empty data graph", func(d disagreement) bool { return d.data == "" && d.oursAre("") }},
		{"a result that is no sh:Violation does not keep a graph or a nested node from conforming (3.4, 3.6.1.1)", matching(`sh:severity`)},
		{"it closes no property shape, reports one triple a predicate, and counts the first step of any path as allowed (4.8.1)", matching(`sh:closed`)},
		{"it has no nested paths", func(d disagreement) bool {
			return d.err != "" && strings.Contains(d.shapes, "Path") || regexp.MustCompile(`Path [\[(](\[|\(|ex:|sh:|rdf:)|sh:path \([^)]*[\[(]`).MatchString(d.shapes)
		}},
		{"sh:pattern matches blank nodes (4.4.3)", matching(`sh:pattern`)},
		{"it does not end the walk through a loop of rdfs:subClassOf where it should, and misses instances of subclasses", func(d disagreement) bool {
			return strings.Contains(d.data, "rdfs:subClassOf")
		}},
		{"sh:equals of a node shape does not report the focus node when the property has other values", matching(`sh:equals`)},
		{"a value conforms to the sibling shapes when there are none", matching(`sh:qualifiedValueShapesDisjoint`)},
		{"a count of a property of a value node has a sh:value", func(d disagreement) bool {
			return len(d.ours) == len(d.theirs) && !slices.ContainsFunc(d.theirs, func(line string) bool {
				return !strings.Contains(line, "sh:MaxCount") && !strings.Contains(line, "sh:MinCount")
			})
		}},
		{"it orders language-tagged strings", func(d disagreement) bool {
			return d.oursAre("sh:LessThan") && d.ordersLanguages()
		}},
	},
}

// TestPeers validates random pairs with other engines: the same verdict and the
// same results, or a reason why not.
func TestPeers(t *testing.T) {
	t.Parallel()
	pairs := make([][2]string, 1000)
	for i := range pairs {
		g := newGenerator(uint64(i))
		pairs[i] = [2]string{g.shapes(), g.data()}
	}
	conform, results, agree := 0, 0, map[string]int{}
	why := map[string]int{}
	for i, answers := range peers(t, pairs) {
		want := ours(t, pairs[i][0], pairs[i][1])
		if want.Conforms {
			conform++
		}
		results += len(want.Results)
		for engine, known := range reasons {
			got, ok := answers[engine]
			require.True(t, ok, "no answer of %s", engine)
			d := disagreement{shapes: pairs[i][0], data: pairs[i][1], err: got.Error, ours: minus(want.Results, got.Results), theirs: minus(got.Results, want.Results)}
			if d.err == "" && got.Conforms == want.Conforms && len(d.ours)+len(d.theirs) == 0 {
				agree[engine]++
				continue
			}
			k := 0
			for k < len(known) && !known[k].applies(d) {
				k++
			}
			if k == len(known) {
				t.Errorf("pair %d: %s disagrees for no known reason (ours conforms: %v, theirs: %v)\n%s", i, engine, want.Conforms, got.Conforms, d)
				continue
			}
			why[engine+": "+known[k].text]++
		}
	}
	t.Logf("%d pairs, %d conform, %d results, agreement %v", len(pairs), conform, results, agree)
	for reason, n := range why {
		t.Logf("%d pairs: %s", n, reason)
	}
	for engine, n := range agree {
		if n < len(pairs)*3/4 {
			t.Errorf("%s agrees on %d pairs only: the reasons hide too much", engine, n)
		}
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
