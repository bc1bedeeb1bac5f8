package turtle_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

var prefixes = []turtle.Prefix{{"e", "a:"}, {"", "a:b/"}, {"x", xsd}, {"rdf", rdfs}}

func TestWrite(t *testing.T) {
	t.Parallel()
	const head = "@prefix e: <a:> .\n@prefix : <a:b/> .\n@prefix x: <" + xsd + "> .\n@prefix rdf: <" + rdfs + "> .\n"
	for _, row := range []struct {
		name     string
		prefixes []turtle.Prefix
		in, want string
	}{
		{"nothing", nil, "", ""},
		{"prefixes alone", prefixes, "", head},
		{"IRIs in full", nil, "<a:s> <a:p> <a:o> .", "<a:s> <a:p> <a:o> .\n"},
		{"the longest prefix", prefixes, "<a:s> <a:b/p> <a:b/> .", head + "\ne:s :p : .\n"},
		{"predicates and objects", prefixes, "<a:s> <a:p> <a:1>, <a:2> ; <a:q> <a:3> . <a:t> <a:p> <a:1> .", head + "\ne:s e:p e:1, e:2 ;\n    e:q e:3 .\n\ne:t e:p e:1 .\n"},
		{"types first", nil, "<a:s> <a:p> <a:1> ; a <a:C>, <a:D> ; <a:q> <a:2> .", "<a:s> a <a:C>, <a:D> ;\n    <a:p> <a:1> ;\n    <a:q> <a:2> .\n"},
		{"rdf:type as object", prefixes, "<a:s> <a:p> rdf:type . ", head + "\ne:s e:p rdf:type .\n"},
		{"names that are none", prefixes, "<a:s/> <a:.p> <a:o.>, <a:-x>, <a:x%>, <a:x%2G>, <a:a+b>, <a:–>, <a:x#y> .",
			head + "\n<a:s/> <a:.p> <a:o.>, <a:-x>, <a:x%>, <a:x%2G>, <a:a+b>, <a:–>, <a:x#y> .\n"},
		{"names that are odd", prefixes, "<a:1> <a::> <a:%41.b>, <a:x-1>, <a:é·>, <a:_> .", head + "\ne:1 e:: e:%41.b, e:x-1, e:é·, e:_ .\n"},
		{"numbers and booleans", prefixes, `<a:s> <a:p> 1, -1.5, 1e0, true, "01"^^x:integer, "1."^^x:decimal, "1"^^x:decimal, "1.0"^^x:double, "1 "^^x:integer, "1"^^x:boolean, "TRUE"^^x:boolean, ""^^x:integer, "1"^^x:int .`,
			head + "\n" + `e:s e:p 1, -1.5, 1e0, true, 01, "1."^^x:decimal, "1"^^x:decimal, "1.0"^^x:double, "1 "^^x:integer, "1"^^x:boolean, "TRUE"^^x:boolean, ""^^x:integer, "1"^^x:int .` + "\n"},
		{"strings", prefixes, `<a:s> <a:p> "", "a\"b\\\n\t\u0000é", "x"@en-GB, "<a:t>", "x"^^<a:t>, "x"^^<u:t> .`,
			head + "\n" + `e:s e:p "", "a\"b\\\n\t\u0000é", "x"@en-GB, "<a:t>", "x"^^e:t, "x"^^<u:t> .` + "\n"},
		{"nested nodes", nil, "<a:s> <a:p> [ <a:q> 1, [] ; a <a:C> ] ; <a:r> [ <a:q> [ <a:q> 2 ] ] .",
			"<a:s> <a:p> [\n        a <a:C> ;\n        <a:q> 1, []\n    ] ;\n    <a:r> [\n        <a:q> [\n            <a:q> 2\n        ]\n    ] .\n"},
		{"nodes that nothing refers to", nil, "[] <a:p> 1 . [ <a:p> 2 ] <a:q> [] .", "[] <a:p> 1 .\n\n[] <a:p> 2 ;\n    <a:q> [] .\n"},
		{"a node with two references", nil, "<a:s> <a:p> _:x . <a:t> <a:p> _:x . _:x <a:p> [] .", "<a:s> <a:p> _:x .\n\n_:x <a:p> [] .\n\n<a:t> <a:p> _:x .\n"},
		{"lists", nil, "<a:s> <a:p> (), (1), ((1 (2)) [ <a:q> (3) ] []) .",
			"<a:s> <a:p> (), ( 1 ), ( ( 1 ( 2 ) ) [\n        <a:q> ( 3 )\n    ] [] ) .\n"},
		{"a list as subject", nil, "(1 2) <a:p> 3 .", "[] <" + rdfs + "first> 1 ;\n    <" + rdfs + "rest> ( 2 ) ;\n    <a:p> 3 .\n"},
		{"rdf:nil as subject", prefixes, "() <a:p> () .", head + "\nrdf:nil e:p () .\n"},
		{"a list with more on a cell", nil, "<a:s> <a:p> [ <" + rdfs + "first> 1 ; <" + rdfs + "rest> [ <" + rdfs + "first> 2 ; <a:x> 3 ; <" + rdfs + "rest> ( 4 ) ] ] .",
			"<a:s> <a:p> [\n        <" + rdfs + "first> 1 ;\n        <" + rdfs + "rest> [\n            <" + rdfs + "first> 2 ;\n            <" + rdfs + "rest> ( 4 ) ;\n            <a:x> 3\n        ]\n    ] .\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d, err := turtle.Parse([]byte("@prefix x: <"+xsd+"> . @prefix rdf: <"+rdfs+"> . "+row.in), turtle.Options{})
			require.NoError(t, err)
			var out strings.Builder
			require.NoError(t, turtle.Write(&out, d, turtle.WriteOptions{Prefixes: row.prefixes}))
			assert.Equal(t, row.want, out.String())
		})
	}
}

func TestWriteTriG(t *testing.T) {
	t.Parallel()
	d, err := turtle.ParseTriG([]byte("<a:h> { <a:s> <a:p> [ <a:q> (1) ] } <a:s> <a:p> 1 . _:g { _:g <a:p> _:n } <a:g> { _:n <a:p> 2 . [] <a:p> 3 }"), turtle.Options{})
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, turtle.WriteTriG(&out, d, turtle.WriteOptions{Prefixes: []turtle.Prefix{{"e", "a:"}}}))
	assert.Equal(t, `@prefix e: <a:> .

e:s e:p 1 .

e:h {
    e:s e:p [
            e:q ( 1 )
        ] .
}

_:g {
    _:g e:p _:n .
}

e:g {
    _:n e:p 2 .

    [] e:p 3 .
}
`, out.String())
	require.ErrorContains(t, turtle.Write(&out, d, turtle.WriteOptions{}), "3 named graphs")
}

func TestWriteRefusesPrefixes(t *testing.T) {
	t.Parallel()
	d := rdf.NewBuilder(rdf.Limits{}).Dataset()
	for _, row := range []struct {
		name     string
		prefixes []turtle.Prefix
		says     string
	}{
		{"begins with a digit", []turtle.Prefix{{"1", "a:"}}, `"1" is not a prefix`},
		{"ends in a dot", []turtle.Prefix{{"e.", "a:"}}, "is not a prefix"},
		{"with a colon", []turtle.Prefix{{"e:f", "a:"}}, "is not a prefix"},
		{"with a space", []turtle.Prefix{{"e f", "a:"}}, "is not a prefix"},
		{"blank", []turtle.Prefix{{"_", "a:"}}, "is not a prefix"},
		{"twice", []turtle.Prefix{{"e", "a:"}, {"e", "a:"}}, "declared twice"},
		{"relative", []turtle.Prefix{{"e", "a"}}, "relative"},
		{"with a bracket", []turtle.Prefix{{"e", "a:> ."}}, "cannot hold"},
	} {
		var out strings.Builder
		require.ErrorContains(t, turtle.WriteTriG(&out, d, turtle.WriteOptions{Prefixes: row.prefixes}), row.says, row.name)
		assert.Empty(t, out.String(), row.name)
	}
}

// requireReadsBack writes a dataset and reads it, by the limits for bytes from
// someone else as far as nesting goes.
func requireReadsBack(t *testing.T, d *rdf.Dataset, o turtle.WriteOptions) string {
	t.Helper()
	var out, again bytes.Buffer
	require.NoError(t, turtle.WriteTriG(&out, d, o))
	require.NoError(t, turtle.WriteTriG(&again, d, o))
	require.Equal(t, out.String(), again.String())
	limits := rdf.Local()
	limits.Nesting = rdf.Peer().Nesting
	back, err := turtle.ParseTriG(out.Bytes(), turtle.Options{Limits: limits})
	require.NoError(t, err, "%s", abbreviate(out.String()))
	require.Equal(t, d.Len(), back.Len())
	if d.Len() < 500 && !suite.Isomorphic(d, back) {
		t.Fatalf("\n%s\nis written as\n%s", nquads.Append(nil, d), out.String())
	}
	return out.String()
}

func abbreviate(s string) string { return s[:min(len(s), 2000)] }

func TestWriteReadsBack(t *testing.T) {
	t.Parallel()
	rows := append(append([]document(nil), accepts...), trigOnly...)
	first, rest := " <"+rdfs+"first> ", " <"+rdfs+"rest> "
	null := "<" + rdfs + "nil>"
	rows = append(rows, []document{
		{"a node that refers to itself", "_:a <a:p> _:a .", ""},
		{"two nodes that refer to each other", "_:a <a:p> _:b . _:b <a:p> _:a .", ""},
		{"a circle with a tail", "_:a <a:p> _:b . _:b <a:p> _:c . _:c <a:p> _:a . _:c <a:q> [ <a:p> [] ] .", ""},
		{"a circle that a subject leads to", "<a:s> <a:p> _:a . _:a <a:p> _:b . _:b <a:p> _:a .", ""},
		{"a node in its own list", "_:a <a:p> ( 1 _:a 2 ) .", ""},
		{"a node in its own second list", "_:a <a:p> ( 1 ( _:a ) 2 ) .", ""},
		{"a list that ends in itself", "_:a" + first + "1 ;" + rest + "_:a .", ""},
		{"a list of two that ends in itself", "<a:s> <a:p> _:a . _:a" + first + "1 ;" + rest + "_:b . _:b" + first + "2 ;" + rest + "_:a .", ""},
		{"a list that is its own member", "_:a" + first + "_:a ;" + rest + null + " .", ""},
		{"a list in the middle of which is the list", "<a:s> <a:p> _:a . _:a" + first + "1 ;" + rest + "_:b . _:b" + first + "_:c ;" + rest + null + " . _:c <a:p> _:c .", ""},
		{"a list whose second cell is its first member", "_:a" + first + "_:b ;" + rest + "_:b . _:b" + first + "1 ;" + rest + null + " .", ""},
		{"a circle through the middle of a list", "_:a" + first + "1 ;" + rest + "_:b . _:b" + first + "_:x ;" + rest + null + " . _:x <a:p> _:a .", ""},
		{"a list that two refer to", "<a:s> <a:p> _:a . <a:t> <a:p> _:a . _:a" + first + "1 ;" + rest + "( 2 ) .", ""},
		{"a tail that two lists share", "<a:s> <a:p> _:a, _:b . _:a" + first + "1 ;" + rest + "_:c . _:b" + first + "2 ;" + rest + "_:c . _:c" + first + "3 ;" + rest + "( 4 ) .", ""},
		{"a cell with two members", "<a:s> <a:p> _:a . _:a" + first + "1, 2 ;" + rest + null + " .", ""},
		{"a cell with two tails", "<a:s> <a:p> _:a . _:a" + first + "1 ;" + rest + null + ", ( 2 ) .", ""},
		{"a cell without a member", "<a:s> <a:p> _:a . _:a" + rest + null + " .", ""},
		{"a cell without a tail", "<a:s> <a:p> _:a . _:a" + first + "1 .", ""},
		{"a list that ends in a literal", "<a:s> <a:p> _:a . _:a" + first + "1 ;" + rest + "2 .", ""},
		{"a list that is no blank node", "<a:s> <a:p> <a:l> . <a:l>" + first + "1 ;" + rest + null + " .", ""},
		{"a list in two graphs", "<a:g> { <a:s> <a:p> _:a . _:a" + first + "1 ;" + rest + "_:b } <a:h> { _:b" + first + "2 ;" + rest + null + " }", ""},
		{"a list that another graph adds to", "<a:g> { <a:s> <a:p> ( _:b ) } <a:h> { _:b <a:p> 1 }", ""},
		{"a graph name in a list", "<a:g> { <a:s> <a:p> ( _:b ) } _:b { <a:s> <a:p> 1 }", ""},
		{"a nested graph name", "<a:s> <a:p> [ <a:p> _:g ] . _:g { <a:s> <a:p> [] }", ""},
		{"a node in two graphs without a reference", "<a:g> { _:a <a:p> 1 } <a:h> { _:a <a:p> 1 }", ""},
		{"labels like those of nodes without", "_:b0 <a:p> [ <a:p> _:b0 ] . _:b1 <a:p> [], _:b0 . _:bb0 <a:p> [ <a:q> _:bb0 ] .", ""},
		{"a datatype that stands nowhere else", "<a:s> <a:p> \"1\"^^<a:t> .", ""},
	}...)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d, err := turtle.ParseTriG([]byte(row.doc), turtle.Options{})
			require.NoError(t, err)
			requireReadsBack(t, d, turtle.WriteOptions{})
			requireReadsBack(t, d, turtle.WriteOptions{Prefixes: prefixes})
			requireReadsBack(t, d, turtle.WriteOptions{Prefixes: []turtle.Prefix{{"b", "http:"}, {"c", "http://"}, {"d", "http://www.w3.org/"}, {"a", "a:"}}})
		})
	}
}

// Deep chains get labels before they get deeper than readers allow, whatever
// they are made of, and lists of any length are flat.
func TestWriteDeep(t *testing.T) {
	t.Parallel()
	chain := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i, i+1)
		}
		return b.String()
	}
	for _, row := range []struct{ name, doc string }{
		{"short chain", chain(200, "_:n%d <a:p> _:n%d .\n")},
		{"chain", chain(30_000, "_:n%d <a:p> _:n%d .\n")},
		{"chain the other way", chain(30_000, "_:n%[2]d <a:p> _:n%[1]d .\n")},
		{"circle", chain(20_000, "_:n%d <a:p> _:n%d .\n") + "_:n20000 <a:p> _:n0 ."},
		{"long list", "<a:s> <a:p> (" + strings.Repeat("1 ", 50_000) + ") ."},
		{"lists in lists", "<a:s> <a:p> " + strings.Repeat("(", 900) + strings.Repeat(")", 900) + " ."},
		{"lists in lists behind a member", "<a:s> <a:p> " + strings.Repeat("(1 ", 900) + strings.Repeat(")", 900) + " ."},
		{"lists in lists before a member", "<a:s> <a:p> " + strings.Repeat("(", 900) + strings.Repeat(" 1)", 900) + " ."},
		{"brackets and lists", "<a:s> <a:p> " + strings.Repeat("[ <a:p> ( 1 ", 400) + strings.Repeat(") ]", 400) + " ."},
		{"lists in lists, fewer", "<a:s> <a:p> " + strings.Repeat("(1 ", 80) + strings.Repeat(")", 80) + " ."},
		{"brackets and lists, fewer", "<a:s> <a:p> " + strings.Repeat("[ <a:p> ( 1 ", 50) + strings.Repeat(") ]", 50) + " ."},
		{"many in one", "<a:s> <a:p> " + strings.Repeat("[ <a:p> [] ],", 20_000) + " [] ."},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d, err := turtle.Parse([]byte(row.doc), turtle.Options{Limits: rdf.Local()})
			require.NoError(t, err)
			requireReadsBack(t, d, turtle.WriteOptions{})
		})
	}
}

// Random graphs of few nodes have every shape that the writer must know.
func TestWriteRandom(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		b := rdf.NewBuilder(rdf.Limits{})
		b.BeginDocument("")
		var nodes, predicates, graphs []rdf.ID
		intern := func(id rdf.ID, err error) rdf.ID {
			require.NoError(t, err)
			return id
		}
		for range 1 + random.IntN(5) {
			nodes = append(nodes, intern(b.FreshBlank()))
		}
		nodes = append(nodes, intern(b.Blank([]byte("b0"))), intern(b.IRI([]byte("a:s"))), intern(b.IRI([]byte(rdfs+"nil"))))
		for _, p := range []string{"a:p", rdfs + "first", rdfs + "rest", rdfs + "first", rdfs + "rest", rdfs + "type"} {
			predicates = append(predicates, intern(b.IRI([]byte(p))))
		}
		graphs = append(graphs, 0, 0, 0, nodes[0], intern(b.IRI([]byte("a:g"))))
		objects := append([]rdf.ID{intern(b.Literal([]byte("1"), 0))}, nodes...)
		for range random.IntN(12) {
			require.NoError(t, b.Add(nodes[random.IntN(len(nodes))], predicates[random.IntN(len(predicates))],
				objects[random.IntN(len(objects))], graphs[random.IntN(len(graphs))]))
		}
		requireReadsBack(t, b.Dataset(), turtle.WriteOptions{Prefixes: prefixes})
	}
}

func TestWriteFails(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	for _, doc := range []string{"<a:s> <a:p> 1 .", string(workload(20_000))} {
		d, err := turtle.Parse([]byte(doc), turtle.Options{Limits: rdf.Local()})
		require.NoError(t, err)
		w := &failing{full, 0}
		require.ErrorIs(t, turtle.Write(w, d, turtle.WriteOptions{}), full)
		assert.Equal(t, 1, w.calls, "nothing is written after an error")
	}
}

type failing struct {
	err   error
	calls int
}

func (f *failing) Write([]byte) (int, error) { f.calls++; return 0, f.err }

// TestWriteNamespacesWithinEachOther: of namespaces that hold each other the longest that
// leaves a local name is taken, as if each was the only one, and a long name that fits behind
// none is looked through once and not for each, which would take a minute.
func TestWriteNamespacesWithinEachOther(t *testing.T) {
	t.Parallel()
	write := func(iri string, prefixes ...turtle.Prefix) string {
		b := rdf.NewBuilder(rdf.Local())
		id, err := b.IRI([]byte(iri))
		require.NoError(t, err)
		for range 300 {
			node, err := b.FreshBlank()
			require.NoError(t, err)
			require.NoError(t, b.Add(node, id, node, 0))
		}
		var out strings.Builder
		require.NoError(t, turtle.Write(&out, b.Dataset(), turtle.WriteOptions{Prefixes: prefixes}))
		_, body, _ := strings.Cut(out.String(), "\n\n")
		body, _, _ = strings.Cut(body, " .\n")
		return body
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		iri := "a:"
		for range random.IntN(12) {
			iri += []string{"a", "-", ".", "%41", "4", "~", "é", "·"}[random.IntN(8)]
		}
		var prefixes []turtle.Prefix
		want := ""
		for i := 2; i <= len(iri); i++ {
			if !utf8.ValidString(iri[:i]) {
				continue
			}
			prefix := turtle.Prefix{Name: fmt.Sprintf("p%d", i), IRI: iri[:i]}
			prefixes = append(prefixes, prefix)
			if alone := write(iri, prefix); want == "" || strings.Contains(alone, " p") {
				want = alone
			}
		}
		require.Equal(t, want, write(iri, prefixes...), "%q", iri)
	}
	long := "a:" + strings.Repeat("x", 60_000) + "~"
	var prefixes []turtle.Prefix
	for i := range 2_000 {
		prefixes = append(prefixes, turtle.Prefix{Name: fmt.Sprintf("p%d", i), IRI: long[:2+i]})
	}
	require.Contains(t, write(long, prefixes...), "<"+long+">")
}
