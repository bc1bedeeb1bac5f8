package shacl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/shacl"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	wide := strings.Builder{}
	for i := range 2000 {
		fmt.Fprintf(&wide, "ex:x ex:p %d; ex:q %d. ", i, i+3000)
	}
	grid := strings.Builder{}
	for i := range 300 {
		for j := range 10 {
			fmt.Fprintf(&grid, "ex:n%d ex:p ex:n%d. ", i, (i*7+j)%300)
		}
	}
	longTexts := strings.Builder{}
	for i := range 200 {
		fmt.Fprintf(&longTexts, "ex:x%d ex:p \"%s\". ", i, strings.Repeat("a", 65_000))
	}
	for _, c := range []struct {
		name, shapes, data string
		o                  shacl.Options
		exceeded           bool
	}{
		{"pairs", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:lessThan ex:q].`, wide.String(), shacl.Options{}, true},
		{"pairs, raised", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:lessThan ex:q].`, wide.String(), shacl.Options{MaxChecks: 5_000_000}, false},
		{"values of the other property, for none", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:none; sh:disjoint ex:q].`, wide.String(), shacl.Options{MaxChecks: 2_000}, true},
		{"values of the other property, for the first", `ex:S sh:targetNode ex:x; sh:not [sh:path ex:p; sh:equals ex:q].`, wide.String(), shacl.Options{MaxChecks: 4_000}, true},
		{"values that nothing is asked of", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p], [sh:path (ex:p ex:p)].`, wide.String(), shacl.Options{MaxChecks: 20}, false},
		{"walks", `ex:S sh:targetSubjectsOf ex:p; sh:property [sh:path [sh:zeroOrMorePath ex:p]; sh:nodeKind sh:IRI].`, grid.String(), shacl.Options{MaxChecks: 500_000}, true},
		{"nested walks", `ex:S sh:targetNode ex:n0; sh:property [sh:path [sh:zeroOrMorePath [sh:oneOrMorePath (ex:p [sh:zeroOrMorePath ex:p])]]; sh:nodeKind sh:IRI].`, grid.String(), shacl.Options{MaxChecks: 5_000}, true},
		{"long list of shapes", `ex:S sh:targetSubjectsOf ex:p; sh:or (` + strings.Repeat("[sh:class ex:C] ", 10_000) + `).`, grid.String(), shacl.Options{}, true},
		{"pattern with many states", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:pattern "(a?){1000}(a?){1000}(a?){1000}$"].`, `ex:x ex:p "` + strings.Repeat("a", 65_000) + `b".`, shacl.Options{}, true},
		{"pattern on many long texts", `ex:S sh:targetSubjectsOf ex:p; sh:property [sh:path ex:p; sh:pattern "^[ab]*c?d?e?f?$"].`, longTexts.String(), shacl.Options{}, true},
		{"pattern on a long text", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:pattern "^[ab]*$"].`, `ex:x ex:p "` + strings.Repeat("a", 65_000) + `b".`, shacl.Options{}, false},
		{"few", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:nodeKind sh:Literal].`, `ex:x ex:p 1, 2, 3.`, shacl.Options{MaxChecks: 10}, false},
		{"one too many", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:nodeKind sh:Literal].`, `ex:x ex:p 1, 2, 3.`, shacl.Options{MaxChecks: 8}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := compile(t, c.shapes).Validate(t.Context(), graph(t, "data.ttl", c.data), c.o)
			if !c.exceeded {
				require.NoError(t, err)
				assert.NotZero(t, r.Checks)
				return
			}
			var limit *shacl.LimitError
			require.ErrorAs(t, err, &limit)
			assert.Nil(t, r)
			assert.Equal(t, shacl.LimitChecks, limit.Limit)
			if c.o.MaxChecks == 0 {
				c.o.MaxChecks = 1_000_000
			}
			assert.Equal(t, int64(c.o.MaxChecks), limit.Max)
		})
	}
}

// TestExponentialShapes validates against 2^30 ways through 31 shapes.
func TestExponentialShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, form, last string }{
		{"or", "sh:or (ex:L%d ex:L%d)", "sh:class ex:C"},
		{"and", "sh:and (ex:L%d ex:L%d)", "sh:nodeKind sh:IRI"},
		{"xone", "sh:xone (ex:L%d ex:L%d)", "sh:class ex:C"},
		{"not and node", "sh:not ex:L%d; sh:node [sh:not ex:L%d]", "sh:class ex:C"},
		{"property and node", "sh:node [sh:property [sh:path ex:self; sh:node ex:L%d]]; sh:property [sh:path ex:self; sh:node ex:L%d]", "sh:nodeKind sh:IRI"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := shacl.Compile(graph(t, "shapes.ttl", doubling(30, c.form, c.last)), shacl.CompileOptions{MaxDepth: 100})
			require.NoError(t, err)
			r, err := p.Validate(t.Context(), graph(t, "data.ttl", `ex:x ex:self ex:x.`), shacl.Options{MaxDepth: 100, MaxChecks: 20_000})
			require.NoError(t, err, "what was found out before is remembered")
			assert.Less(t, r.Checks, 20_000)
		})
	}
	t.Run("properties report each time and spend", func(t *testing.T) {
		t.Parallel()
		var b strings.Builder
		for i := range 14 {
			fmt.Fprintf(&b, "ex:L%d sh:path ex:self; sh:property ex:L%da, ex:L%db. ", i, i+1, i+1)
			fmt.Fprintf(&b, "ex:L%da sh:path ex:self; sh:property ex:L%d. ex:L%db sh:path ex:self; sh:property ex:L%d. ", i+1, i+1, i+1, i+1)
		}
		shapes := b.String() + "ex:L14 sh:path ex:self; sh:maxCount 0. ex:S sh:targetNode ex:x; sh:property ex:L0."
		p := compile(t, shapes)
		r, err := p.Validate(t.Context(), graph(t, "data.ttl", `ex:x ex:self ex:x.`), shacl.Options{})
		require.NoError(t, err)
		assert.Equal(t, 1<<14, len(r.Results)+r.Omitted)
		_, err = p.Validate(t.Context(), graph(t, "data.ttl", `ex:x ex:self ex:x.`), shacl.Options{MaxChecks: 10_000})
		var limit *shacl.LimitError
		require.ErrorAs(t, err, &limit)
	})
}

func TestRunDepth(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:A sh:targetNode ex:x; sh:node [sh:node [sh:nodeKind sh:IRI]]. ex:B sh:targetNode ex:x; sh:nodeKind sh:IRI.`)
	g := graph(t, "data.ttl", `ex:x ex:p 1.`)
	_, err := p.Validate(t.Context(), g, shacl.Options{MaxDepth: 3})
	require.NoError(t, err)
	_, err = p.Validate(t.Context(), g, shacl.Options{MaxDepth: 2})
	var limit *shacl.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, "shape nesting limit 2 exceeded", limit.Message())
	_, err = p.ValidateNode(t.Context(), iri(t, "B"), g, iri(t, "x"), shacl.Options{MaxDepth: 2})
	require.NoError(t, err, "the deep shape plays no part")
}

func TestMaxResults(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "ex:n%d a ex:C. ", i)
	}
	g := graph(t, "data.ttl", b.String())
	p := compile(t, `ex:S sh:targetClass ex:C; sh:nodeKind sh:Literal; sh:class ex:D.`)
	for _, c := range []struct{ most, kept int }{{0, 100}, {1, 1}, {7, 7}, {1500, 1500}, {5000, 2000}} {
		for _, workers := range []int{1, 4} {
			r, err := p.Validate(t.Context(), g, shacl.Options{MaxResults: c.most, Workers: workers})
			require.NoError(t, err)
			assert.False(t, r.Conforms())
			assert.Len(t, r.Results, c.kept)
			assert.Equal(t, 2000-c.kept, r.Omitted)
			assert.Equal(t, "ex:n0 - ex:n0 Class", line(&r.Results[0]))
		}
	}
	r, err := p.Validate(t.Context(), g, shacl.Options{MaxResults: 1})
	require.NoError(t, err)
	assert.Contains(t, string(r.AppendJSON(nil)), `,"omitted":1999}`)
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S sh:targetSubjectsOf ex:p; sh:property [sh:path [sh:zeroOrMorePath ex:p]; sh:nodeKind sh:IRI].`)
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "ex:n%d ex:p ex:n%d. ", i, (i+1)%2000)
	}
	g := graph(t, "data.ttl", b.String())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := p.Validate(ctx, g, shacl.Options{})
	require.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, r)
	_, err = p.Validate(ctx, graph(t, "data.ttl", `ex:a ex:p ex:b.`), shacl.Options{})
	require.ErrorIs(t, err, context.Canceled, "however little there is to do")

	ctx, cancel = context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	_, err = p.Validate(ctx, g, shacl.Options{MaxChecks: 1 << 40})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = p.Validate(t.Context(), g, shacl.Options{MaxChecks: 100_000, Workers: 3})
	var limit *shacl.LimitError
	require.ErrorAs(t, err, &limit, "a run that was cancelled leaves nothing behind")
}

func TestNoNode(t *testing.T) {
	t.Parallel()
	p, g := compile(t, `ex:S sh:not [sh:nodeKind sh:IRI]; sh:property [sh:path ex:p; sh:maxCount 0].`), graph(t, "data.ttl", `ex:x ex:p 1.`)
	_, err := p.ValidateNode(t.Context(), iri(t, "S"), g, rdf.Term{}, shacl.Options{})
	require.ErrorIs(t, err, shacl.ErrNoNode)
	_, err = p.ValidateShape(t.Context(), iri(t, "S"), g, shacl.Options{}, iri(t, "x"), rdf.Term{})
	require.ErrorIs(t, err, shacl.ErrNoNode)
}

func TestValidateNode(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S sh:targetClass ex:C; sh:property [sh:path ex:p; sh:minCount 1]; sh:node ex:T.
		ex:T sh:nodeKind sh:IRI; sh:hasValue ex:good. ex:Other sh:targetClass ex:C; sh:in (). _:blank a sh:NodeShape; sh:nodeKind sh:Literal.`)
	g := graph(t, "data.ttl", `ex:x a ex:C. ex:good ex:p 1.`)
	literal := mustLiteral(t, "1", "http://www.w3.org/2001/XMLSchema#integer")
	blank, err := rdf.NewBlank("blank")
	require.NoError(t, err)
	for _, c := range []struct {
		name        string
		shape, node rdf.Term
		want        []string
	}{
		{"conforms", iri(t, "S"), iri(t, "good"), []string{}},
		{"targets play no part", iri(t, "S"), iri(t, "x"), []string{"ex:x - ex:x Node", "ex:x ex:p - MinCount"}},
		{"a node that the data lacks", iri(t, "S"), iri(t, "nowhere"), []string{"ex:nowhere - ex:nowhere Node", "ex:nowhere ex:p - MinCount"}},
		{"a literal that the data lacks", iri(t, "T"), mustLiteral(t, "l", "http://www.w3.org/2001/XMLSchema#string"), []string{`"l" - "l" NodeKind`, `"l" - - HasValue`}},
		{"a literal that is there", iri(t, "T"), literal, []string{`"1"^^xsd:integer - "1"^^xsd:integer NodeKind`, `"1"^^xsd:integer - - HasValue`}},
		{"a shape without a target", blank, iri(t, "x"), []string{"ex:x - ex:x NodeKind"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := p.ValidateNode(t.Context(), c.shape, g, c.node, shacl.Options{})
			require.NoError(t, err)
			assert.Equal(t, c.want, lines(r.Results))
			assert.Empty(t, r.Warnings)
		})
	}
	t.Run("no such shape", func(t *testing.T) {
		t.Parallel()
		r, err := p.ValidateNode(t.Context(), iri(t, "None"), g, iri(t, "x"), shacl.Options{})
		var unknown *shacl.UnknownShapeError
		require.ErrorAs(t, err, &unknown)
		assert.Nil(t, r)
		assert.EqualError(t, err, "the shapes graph holds no shape <http://example.org/None>")
		_, err = p.ValidateShape(t.Context(), iri(t, "None"), g, shacl.Options{})
		require.ErrorAs(t, err, &unknown)
	})
}

func TestValidateShape(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S sh:targetClass ex:C; sh:in (). ex:Other sh:targetNode ex:z; sh:in ().`)
	g := graph(t, "data.ttl", `ex:x a ex:C. ex:y ex:p 1.`)
	r, err := p.ValidateShape(t.Context(), iri(t, "S"), g, shacl.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"ex:x - ex:x In"}, lines(r.Results))
	r, err = p.ValidateShape(t.Context(), iri(t, "S"), g, shacl.Options{}, iri(t, "y"), iri(t, "x"), iri(t, "new"), iri(t, "newer"))
	require.NoError(t, err)
	assert.Equal(t, []string{"ex:x - ex:x In", "ex:y - ex:y In", "ex:new - ex:new In", "ex:newer - ex:newer In"}, lines(r.Results), "each node once")
}

func TestPasses(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S sh:targetNode ex:x, ex:y; sh:nodeKind sh:IRI; sh:property [sh:path ex:p; sh:minCount 1; sh:maxCount 1; sh:datatype xsd:integer]; sh:node [sh:class ex:C].`)
	g := graph(t, "data.ttl", `ex:x a ex:C; ex:p 1, 2.`)
	r, err := p.Validate(t.Context(), g, shacl.Options{Passes: true})
	require.NoError(t, err)
	var got []string
	for _, pass := range r.Passes {
		res := shacl.Result{Focus: pass.Focus, Path: pass.Path, Constraint: pass.Constraint, Value: pass.Parameter}
		got = append(got, line(&res))
		assert.False(t, pass.ShapePlace.IsZero())
	}
	assert.Equal(t, []string{
		"ex:x - sh:IRI NodeKind", "ex:x - [] Node", `ex:x ex:p xsd:integer Datatype`, `ex:x ex:p "1"^^xsd:integer MinCount`,
		"ex:y - sh:IRI NodeKind", "ex:y ex:p xsd:integer Datatype", `ex:y ex:p "1"^^xsd:integer MaxCount`,
	}, got)
	assert.Equal(t, []string{"ex:x ex:p - MaxCount", "ex:y - ex:y Node", "ex:y ex:p - MinCount"}, lines(r.Results))

	r, err = p.Validate(t.Context(), g, shacl.Options{Passes: true, MaxResults: 2})
	require.NoError(t, err)
	assert.Len(t, r.Passes, 2)
	assert.Equal(t, 5, r.OmittedPasses)
	r, err = p.Validate(t.Context(), g, shacl.Options{})
	require.NoError(t, err)
	assert.Nil(t, r.Passes)
}

// mixed is data of many nodes, a tenth of which are at fault, for a shape that
// remembers, walks and counts.
func mixed(t testing.TB, n int) (shapes string, data rdf.Graph) {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ex:n%d a ex:C; ex:p %d, %d; ex:next ex:n%d; ex:part [ex:v %d], [ex:v %d]. ", i, i, i%10, (i+1)%n, i, i%7)
		if i%3 == 0 {
			fmt.Fprintf(&b, "ex:n%d ex:label \"a\"@en, \"b\"@EN. ", i)
		}
	}
	return `ex:S sh:targetClass ex:C; sh:closed true; sh:ignoredProperties (rdf:type ex:next); sh:property [sh:path ex:p; sh:maxCount 2; sh:maxInclusive 900], [sh:path ex:part; sh:node ex:Part; sh:minCount 2],
			[sh:path ex:label; sh:uniqueLang true], [sh:path (ex:next ex:next ex:p); sh:minInclusive 1], [sh:path ex:part; sh:qualifiedValueShape [sh:property [sh:path ex:v; sh:maxInclusive 5]]; sh:qualifiedMinCount 1].
		ex:Part sh:or ([sh:property [sh:path ex:v; sh:in (1 2 3 4 5 6 7 8 9 10)]] [sh:property [sh:path ex:v; sh:minInclusive 20]] ex:Deep).
		ex:Deep sh:not [sh:property [sh:path ex:v; sh:maxCount 1]]; sh:xone ([sh:class ex:A] [sh:class ex:B]).
		ex:T sh:targetSubjectsOf ex:next; sh:targetObjectsOf ex:next; sh:node [sh:property [sh:path [sh:inversePath ex:next]; sh:minCount 1; sh:node ex:U]]. ex:U sh:property [sh:path ex:p; sh:minCount 2].`,
		graph(t, "data.ttl", b.String())
}

// TestManyFocusNodes validates more pairs of a shape and a node than are
// collected at once.
func TestManyFocusNodes(t *testing.T) {
	t.Parallel()
	const shapes, nodes = 35, 10_000
	var s, d strings.Builder
	for i := range shapes {
		fmt.Fprintf(&s, "ex:S%d sh:targetSubjectsOf ex:p; sh:property [sh:path ex:p; sh:maxInclusive %d]. ", i, nodes-1-i/(shapes-1))
	}
	for i := range nodes {
		fmt.Fprintf(&d, "ex:n%d ex:p %d. ", i, i)
	}
	p, data := compile(t, s.String()), graph(t, "data.ttl", d.String())
	for _, workers := range []int{1, 2, 5} {
		r, err := p.Validate(t.Context(), data, shacl.Options{Workers: workers, MaxChecks: 10_000_000})
		require.NoError(t, err)
		assert.Equal(t, shapes*nodes, r.FocusNodes)
		assert.False(t, r.Conforms())
		require.Len(t, r.Results, 1, "only the last shape is violated, by the last node")
		assert.Equal(t, iri(t, "n9999"), r.Results[0].Focus)
	}
}

// TestWorkers compares reports of one goroutine and of several.
func TestWorkers(t *testing.T) {
	t.Parallel()
	shapes, data := mixed(t, 2000)
	p := compile(t, shapes)
	for _, o := range []shacl.Options{{}, {MaxResults: 10_000}, {MaxResults: 3}, {Passes: true, MaxResults: 5000}, {Passes: true, MaxResults: 3}} {
		o.Workers = 1
		want, err := p.Validate(t.Context(), data, o)
		require.NoError(t, err)
		require.NotEmpty(t, want.Results)
		for _, workers := range []int{0, 2, 3, 8} {
			o.Workers = workers
			got, err := p.Validate(t.Context(), data, o)
			require.NoError(t, err)
			assert.Equal(t, want.Checks, got.Checks, "what it costs does not depend on who works")
			assert.Equal(t, want.Omitted, got.Omitted)
			assert.Equal(t, want.OmittedPasses, got.OmittedPasses)
			assert.Equal(t, tree(want.Results, ""), tree(got.Results, ""))
			assert.Equal(t, len(want.Passes), len(got.Passes))
			assert.Equal(t, string(want.AppendJSON(nil)), string(got.AppendJSON(nil)))
		}
	}
	// The budget is exceeded by all or by none.
	o := shacl.Options{Workers: 1}
	r, err := p.Validate(t.Context(), data, o)
	require.NoError(t, err)
	for _, workers := range []int{1, 2, 5} {
		_, err = p.Validate(t.Context(), data, shacl.Options{Workers: workers, MaxChecks: r.Checks})
		require.NoError(t, err)
		_, err = p.Validate(t.Context(), data, shacl.Options{Workers: workers, MaxChecks: r.Checks - 1})
		var limit *shacl.LimitError
		require.ErrorAs(t, err, &limit)
	}
}

// TestConcurrentUse runs one program on several data graphs at once.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	shapes, large := mixed(t, 600)
	p := compile(t, shapes)
	_, small := mixed(t, 3)
	want := map[rdf.Graph]string{}
	for _, g := range []rdf.Graph{large, small} {
		r, err := p.Validate(t.Context(), g, shacl.Options{})
		require.NoError(t, err)
		want[g] = string(r.AppendJSON(nil))
	}
	var all sync.WaitGroup
	for i := range 16 {
		g := large
		if i%2 == 0 {
			g = small
		}
		all.Go(func() {
			for range 5 {
				r, err := p.Validate(context.Background(), g, shacl.Options{Workers: 1 + i%3})
				if err != nil || string(r.AppendJSON(nil)) != want[g] {
					t.Errorf("another report: %v", err)
				}
				_, err = p.Validate(context.Background(), g, shacl.Options{MaxChecks: 50})
				if limit := (*shacl.LimitError)(nil); !errors.As(err, &limit) {
					t.Errorf("got %v, want a limit error", err)
				}
			}
		})
	}
	all.Wait()
}

// TestLiteralsForgotten compares an IRI with a string after strings were
// compared: nothing that was known of those may count for it.
func TestLiteralsForgotten(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S sh:targetSubjectsOf ex:p; sh:property [sh:path ex:p; sh:lessThanOrEquals ex:q].`)
	strings := graph(t, "data.ttl", `ex:x ex:p "a"; ex:q "b".`)
	iris := graph(t, "data.ttl", `ex:x ex:p ex:a; ex:q ex:b.`)
	for range 3 {
		r, err := p.Validate(t.Context(), strings, shacl.Options{})
		require.NoError(t, err)
		assert.True(t, r.Conforms())
		r, err = p.Validate(t.Context(), iris, shacl.Options{})
		require.NoError(t, err)
		assert.False(t, r.Conforms())
	}
}

// TestSameReportTwice checks that a pooled run forgets.
func TestSameReportTwice(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S sh:targetClass ex:C; sh:class ex:D; sh:closed true; sh:property [sh:path rdf:type]; sh:node [sh:node [sh:property [sh:path ex:p; sh:in (1)]]].`)
	first := graph(t, "data.ttl", `ex:x a ex:E, ex:C. ex:E rdfs:subClassOf ex:D.`)
	second := graph(t, "data.ttl", `ex:E a ex:C. ex:C ex:p 1; ex:q ex:D, ex:x.`)
	for range 3 {
		for _, c := range []struct {
			g    rdf.Graph
			want []string
		}{{first, []string{}}, {second, []string{"ex:E - ex:E Class"}}} {
			r, err := p.Validate(t.Context(), c.g, shacl.Options{})
			require.NoError(t, err)
			assert.Equal(t, c.want, lines(r.Results))
		}
	}
}

func TestZeroProgram(t *testing.T) {
	t.Parallel()
	r, err := new(shacl.Program).Validate(t.Context(), graph(t, "data.ttl", "ex:x ex:p 1."), shacl.Options{})
	require.ErrorIs(t, err, shacl.ErrNoProgram)
	_, err = (*shacl.Program)(nil).Validate(t.Context(), graph(t, "data.ttl", "ex:a ex:p 1."), shacl.Options{})
	require.ErrorIs(t, err, shacl.ErrNoProgram)
	assert.Nil(t, r)
}
