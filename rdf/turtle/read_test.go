package turtle_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func TestAccepts(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			requireSame(t, turtle.Parse, row)
			requireSame(t, turtle.ParseTriG, row)
		})
	}
}

func TestAcceptsTriG(t *testing.T) {
	t.Parallel()
	for _, row := range trigOnly {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			requireSame(t, turtle.ParseTriG, row)
			_, err := turtle.Parse([]byte(row.doc), turtle.Options{})
			suite.SyntaxError(t, err)
		})
	}
}

func requireSame(t *testing.T, p parse, row document) {
	t.Helper()
	got, err := p([]byte(row.doc), turtle.Options{File: "f"})
	require.NoError(t, err)
	want, err := nquads.Parse([]byte(row.want), nquads.Options{})
	require.NoError(t, err)
	if !suite.Isomorphic(want, got) {
		t.Errorf("got\n%swant\n%s", nquads.Append(nil, got), row.want)
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	for _, row := range refuses {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			requireRefused(t, turtle.Parse, row)
			requireRefused(t, turtle.ParseTriG, row)
		})
	}
}

func TestRefusesTriG(t *testing.T) {
	t.Parallel()
	for _, row := range refusesTriG {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			requireRefused(t, turtle.ParseTriG, row)
		})
	}
}

// What is of another syntax says so, at the place where that shows.
func TestRefusesOtherSyntaxes(t *testing.T) {
	t.Parallel()
	const json = "\uFEFF{\n \"@id\": \"a:s\" }"
	requireRefused(t, turtle.Parse, refusal{"JSON", json, rdf.CodeSyntax, "1:1", `found "{"; this looks like JSON`})
	requireRefused(t, turtle.ParseTriG, refusal{"JSON", json, rdf.CodeSyntax, "2:2", `found '"'; this looks like JSON`})
	requireRefused(t, turtle.Parse, refusal{"TriG", "<a:s> <a:p> <a:o> .\n{ <a:s> <a:p> <a:o> }", rdf.CodeSyntax, "2:1", `found "{"; graphs are of TriG, not of Turtle`})
	requireRefused(t, turtle.Parse, refusal{"TriG", "{ <a:s> <a:p> <a:o> }", rdf.CodeSyntax, "1:1", `found "{"; graphs are of TriG, not of Turtle`})
}

func requireRefused(t *testing.T, p parse, row refusal) {
	t.Helper()
	_, err := p([]byte(row.doc), turtle.Options{File: "f"})
	e := suite.SyntaxError(t, err)
	assert.Equal(t, row.code, e.Code, err)
	assert.Equal(t, "f:"+row.place, e.Place.String(), err)
	assert.Contains(t, e.Message(), row.says)
}

func TestBase(t *testing.T) {
	t.Parallel()
	doc := []byte("<> <p> <../o#f> . @prefix e: <e/> . e:s <a:p> \"x\"^^<t> .")
	d, err := turtle.Parse(doc, turtle.Options{Base: "http://h/d/f#x"})
	require.NoError(t, err)
	assert.Equal(t, "<http://h/d/f> <http://h/d/p> <http://h/o#f> .\n<http://h/d/e/s> <a:p> \"x\"^^<http://h/d/t> .\n", string(nquads.Append(nil, d)))

	_, err = turtle.Parse(doc, turtle.Options{Base: "d/f"})
	var e *rdf.TermError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, rdf.CodeRelativeIRI, e.Code)
	assert.Contains(t, err.Error(), "base")

	_, err = turtle.Parse([]byte("@base <http://i/> . <s> <p> <o> ."), turtle.Options{Base: "urn:x:y"})
	require.NoError(t, err)
}

func TestReadInPieces(t *testing.T) {
	t.Parallel()
	for _, row := range append(append([]document(nil), accepts...), trigOnly...) {
		whole, err := turtle.ParseTriG([]byte(row.doc), turtle.Options{})
		require.NoError(t, err, row.name)
		pieces, err := turtle.ReadTriG(iotest.OneByteReader(strings.NewReader(row.doc)), turtle.Options{})
		require.NoError(t, err, row.name)
		assert.Equal(t, string(nquads.Append(nil, whole)), string(nquads.Append(nil, pieces)), row.name)
	}
	for _, row := range refuses {
		_, whole := turtle.Parse([]byte(row.doc), turtle.Options{})
		_, pieces := turtle.Read(iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(row.doc))), turtle.Options{})
		assert.Equal(t, whole, pieces, row.name)
	}
	broken := errors.New("broken")
	_, err := turtle.Read(io.MultiReader(strings.NewReader("<a:s> <a:p> <a:o> ."), iotest.ErrReader(broken)), turtle.Options{File: "x.ttl"})
	require.ErrorIs(t, err, broken)
	assert.Contains(t, err.Error(), "x.ttl")
}

func TestParseInto(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	require.NoError(t, turtle.ParseInto(b, []byte("@prefix e: <a:> . _:x e:p [ e:p 1 ] ."), turtle.Options{File: "1", Places: true}))
	require.NoError(t, turtle.ParseTriGInto(b, []byte("<a:g> { _:x <a:p> [] }"), turtle.Options{File: "2", Places: true}))
	require.ErrorContains(t, turtle.ParseInto(b, []byte("<a:s> <a:p> e:o ."), turtle.Options{File: "3"}), "not declared")
	d := b.Dataset()
	require.Equal(t, 3, d.Len())
	assert.NotEqual(t, d.Quad(0).S, d.Quad(2).S, "a label means another node in another document")
	assert.Equal(t, "1:1:19", d.SubjectPlace(0).String())
	assert.Equal(t, "2:1:9", d.SubjectPlace(2).String())
}

// The place of every triple is that of its subject and of its object as they
// stand in the text; a nested node stands where its bracket opens, a cell of a
// list where its member stands, and the end of a list at its bracket.
func TestPlaces(t *testing.T) {
	t.Parallel()
	doc := "\uFEFF@prefix e: <a:> .\r\n" + // 1
		"e:é a e:C ;\r" + // 2
		"  e:p [ e:q \"é\"@en , 1 ] ,\n" + // 3
		"   ( e:x [] ) .\n" + // 4
		"( 2 ) e:p () . [ e:p 3 ] e:q [ ] ; e:r true .\n" // 5
	d, err := turtle.Parse([]byte(doc), turtle.Options{File: "f", Places: true})
	require.NoError(t, err)
	var got []string
	for i := range d.Len() {
		q := d.Quad(i)
		got = append(got, string(d.AppendTerm(nil, q.P))+" "+string(d.AppendTerm(nil, q.O))+" "+d.SubjectPlace(i).String()+" "+d.ObjectPlace(i).String())
	}
	assert.ElementsMatch(t, []string{
		"<" + rdfs + "type> <a:C> f:2:1 f:2:7",
		"<a:p> _:b0 f:2:1 f:3:7",
		"<a:q> \"é\"@en f:3:7 f:3:13",
		"<a:q> \"1\"^^<" + xsd + "integer> f:3:7 f:3:22",
		"<a:p> _:b1 f:2:1 f:4:4",
		"<" + rdfs + "first> <a:x> f:4:4 f:4:6",
		"<" + rdfs + "rest> _:b2 f:4:4 f:4:10",
		"<" + rdfs + "first> _:b3 f:4:10 f:4:10",
		"<" + rdfs + "rest> <" + rdfs + "nil> f:4:10 f:4:13",
		"<" + rdfs + "first> \"2\"^^<" + xsd + "integer> f:5:1 f:5:3",
		"<" + rdfs + "rest> <" + rdfs + "nil> f:5:1 f:5:5",
		"<a:p> <" + rdfs + "nil> f:5:1 f:5:11",
		"<a:p> \"3\"^^<" + xsd + "integer> f:5:16 f:5:22",
		"<a:q> _:b6 f:5:16 f:5:30",
		"<a:r> \"true\"^^<" + xsd + "boolean> f:5:16 f:5:40",
	}, got)

	d, err = turtle.Parse([]byte(doc), turtle.Options{File: "f"})
	require.NoError(t, err)
	assert.False(t, d.HasPlaces())

	d, err = turtle.ParseTriG([]byte("<a:g> {\n <a:s> <a:p> <a:o> } <a:s> <a:p> 1 ."), turtle.Options{File: "f", Places: true})
	require.NoError(t, err)
	assert.Equal(t, "f:2:22", d.SubjectPlace(0).String())
	assert.Equal(t, "f:2:34", d.ObjectPlace(0).String())
	assert.Equal(t, "f:2:2", d.SubjectPlace(1).String())
	assert.Equal(t, "f:2:14", d.ObjectPlace(1).String())
}

// Many prefixes are found another way than few.
func TestManyPrefixes(t *testing.T) {
	t.Parallel()
	var doc, want strings.Builder
	for round := range 2 {
		for i := range 40 {
			fmt.Fprintf(&doc, "@prefix p%d: <a:%d/%d/> .\n", i, round, i)
			fmt.Fprintf(&doc, "p%d:s p%d:p p0:o .\n", i, i/2)
			fmt.Fprintf(&want, "<a:%d/%d/s> <a:%d/%d/p> <a:%d/0/o> .\n", round, i, round, i/2, round)
		}
	}
	requireSame(t, turtle.Parse, document{"", doc.String(), want.String()})
	_, err := turtle.Parse([]byte(doc.String()+"p40:s p40:p p40:o ."), turtle.Options{File: "f"})
	require.ErrorContains(t, err, `f:161:1: the prefix "p40:" is not declared`)
}
