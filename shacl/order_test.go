package shacl_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/shacl"
)

// shuffled returns a graph with its triples in another order, and with other labels of
// blank nodes: the same graph, whose terms have other IDs.
func shuffled(t testing.TB, g rdf.Graph, rnd *rand.Rand) rdf.Graph {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(nquads.Append(nil, g.Dataset()))), "\n")
	rnd.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	text := strings.ReplaceAll(strings.Join(lines, "\n"), "_:", "_:z"+strconv.Itoa(rnd.IntN(9)))
	d, err := nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()})
	require.NoError(t, err)
	return d.Default()
}

// TestOrderCostsNothing: what a validation costs is a matter of the two graphs and not of
// how they are spelled, or one side would refuse for its budget what another accepts.
func TestOrderCostsNothing(t *testing.T) {
	t.Parallel()
	pairs := map[string][2]rdf.Graph{}
	n := uint64(400)
	if testing.Short() {
		n = 100
	}
	if all, err := strconv.ParseUint(os.Getenv("RDFPROTO_GENERATED"), 10, 64); err == nil {
		n = all
	}
	for seed := range n {
		g := newGenerator(seed)
		pairs["generated "+strconv.FormatUint(seed, 10)] = [2]rdf.Graph{graph(t, "shapes.ttl", g.shapes()), graph(t, "data.ttl", g.data())}
		k := knots{g}
		pairs["knots "+strconv.FormatUint(seed, 10)] = [2]rdf.Graph{graph(t, "shapes.ttl", k.shapes()), graph(t, "data.ttl", filler(1)+k.data())}
	}
	for _, nodes := range []int{30, 700} {
		shapes, data := mixed(t, nodes)
		pairs["mixed "+strconv.Itoa(nodes)] = [2]rdf.Graph{graph(t, "shapes.ttl", shapes), data}
	}
	add := func(name, shapes, data string) {
		pairs[name] = [2]rdf.Graph{graph(t, "shapes.ttl", shapes), graph(t, "data.ttl", data)}
	}
	long := strings.Repeat("a", 6400)
	add("one long text of two at fault", `ex:S sh:targetNode ex:x; sh:not [sh:property [sh:path ex:p; sh:pattern "^a*b"]].`, `ex:x ex:p "`+long+`", "c".`)
	add("one long path of two", `ex:S sh:targetNode ex:x; sh:not [sh:property [sh:path ex:q; sh:minCount 1], [sh:path ([sh:zeroOrMorePath ex:p] [sh:zeroOrMorePath ex:p]); sh:maxCount 1]].`,
		`ex:x ex:p ex:x, ex:y, ex:z. ex:y ex:p ex:x.`)
	add("one closed shape of two", `ex:S sh:targetNode ex:x; sh:not [sh:property [sh:path ex:q; sh:minCount 1], [sh:path ex:p; sh:node [sh:closed true; sh:ignoredProperties (ex:p ex:q ex:r)]]].`,
		`ex:x ex:p ex:x, ex:y, ex:z. ex:y ex:p ex:x.`)
	add("one shape as a property and excluded", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:property ex:P], [sh:path ex:p; sh:not ex:P], [sh:path ex:p; sh:node [sh:property ex:P]].
		ex:P sh:path [sh:zeroOrMorePath ex:p]; sh:nodeKind sh:IRI; sh:maxCount 1; sh:in (1).`, `ex:x ex:p ex:y, ex:z. ex:y ex:p 1, 2. ex:z ex:p ex:y, 3.`)
	add("some of many qualify", `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:qualifiedMaxCount 1; sh:qualifiedValueShape [sh:property [sh:path ex:p; sh:minInclusive 1]]],
		[sh:path ex:p; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint true; sh:qualifiedValueShape [sh:property [sh:path ex:p; sh:minCount 2]]],
		[sh:path ex:p; sh:qualifiedMinCount 1; sh:qualifiedValueShapesDisjoint true; sh:qualifiedValueShape [sh:property [sh:path ex:p; sh:nodeKind sh:Literal; sh:minCount 1]]].`,
		`ex:x ex:p ex:a, ex:b, ex:c, ex:d. ex:a ex:p 1, 2. ex:b ex:p 0, 3. ex:c ex:p 5.`)
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "ex:n%d a ex:C; ex:p %d. ", i, i%37)
	}
	add("one closed shape of few nodes", `ex:S sh:targetClass ex:C; sh:or ([sh:property [sh:path ex:p; sh:minInclusive 1]] [sh:closed true; sh:ignoredProperties (rdf:type ex:p)]).`, many.String())
	for name, pair := range pairs {
		p, err := shacl.Compile(pair[0], shacl.CompileOptions{})
		if err != nil {
			continue // a generated one
		}
		o := shacl.Options{MaxChecks: 10_000_000}
		want, err := p.Validate(t.Context(), pair[1], o)
		require.NoError(t, err)
		for round := range 4 {
			rnd := rand.New(rand.NewPCG(uint64(round), 1))
			shapes, data := pair[0], pair[1]
			if round != 0 {
				data = shuffled(t, data, rnd)
			}
			if round != 1 {
				shapes = shuffled(t, shapes, rnd)
			}
			p, err := shacl.Compile(shapes, shacl.CompileOptions{})
			require.NoError(t, err)
			got, err := p.Validate(t.Context(), data, o)
			require.NoError(t, err)
			require.Equal(t, len(want.Results)+want.Omitted, len(got.Results)+got.Omitted, name)
			if want.Checks != got.Checks {
				t.Errorf("%s: %d checks, and %d in another spelling (round %d)", name, want.Checks, got.Checks, round)
			}
		}
	}
}
