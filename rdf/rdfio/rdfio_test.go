package rdfio_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func TestByName(t *testing.T) {
	t.Parallel()
	for _, s := range rdfio.Syntaxes() {
		got, ok := rdfio.ByName(s.String())
		assert.True(t, ok, s)
		assert.Equal(t, s, got)
		got, ok = rdfio.ByMediaType(s.MediaType())
		assert.True(t, ok, s)
		assert.Equal(t, s, got)
		got, ok = rdfio.ByExtension("a/b.c" + s.Extension())
		assert.True(t, ok, s)
		assert.Equal(t, s, got)
	}
	for _, name := range []string{"", "Turtle", "ttl", "no syntax", "turtle "} {
		_, ok := rdfio.ByName(name)
		assert.False(t, ok, name)
	}
	var none rdfio.Syntax
	assert.Equal(t, "no syntax", none.String())
	assert.Equal(t, "no syntax", rdfio.Syntax(99).String())
	assert.Empty(t, none.MediaType())
	assert.Empty(t, none.Extension())
}

func TestByExtension(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]rdfio.Syntax{
		"x.ttl": rdfio.Turtle, "x.TTL": rdfio.Turtle, "a.b/x.y.ttl": rdfio.Turtle, "x.trig": rdfio.TriG, "x.nt": rdfio.NTriples,
		"x.nq": rdfio.NQuads, "x.jsonld": rdfio.JSONLD, "x.json": rdfio.JSONLD, ".ttl": rdfio.Turtle,
		"x": 0, "": 0, "ttl": 0, "x.ttl.gz": 0, "x.turtle": 0, "x.ttl/y": 0, "-": 0, "x.rdf": 0,
	} {
		got, ok := rdfio.ByExtension(name)
		assert.Equal(t, want, got, name)
		assert.Equal(t, want != 0, ok, name)
	}
}

func TestByMediaType(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]rdfio.Syntax{
		"text/turtle": rdfio.Turtle, "Text/Turtle; charset=UTF-8": rdfio.Turtle, `text/turtle;a=b;charset="utf-8"`: rdfio.Turtle,
		"application/trig": rdfio.TriG, "application/n-triples": rdfio.NTriples, "application/n-quads": rdfio.NQuads,
		`application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded"`: rdfio.JSONLD,
		"text/turtle; charset=iso-8859-1":                                     0, "text/turtle ; Charset = utf-16": 0, "text/plain": 0, "": 0, "turtle": 0, "application/json": 0, "text/turtlex": 0,
	} {
		got, ok := rdfio.ByMediaType(header)
		assert.Equal(t, want, got, header)
		assert.Equal(t, want != 0, ok, header)
	}
}

// The same statement in every syntax, read each way.
func TestRead(t *testing.T) {
	t.Parallel()
	const want = "<a:s> <a:p> \"o\"@en .\n"
	for syntax, doc := range map[rdfio.Syntax]string{
		rdfio.Turtle:   "@prefix a: <a:> .\na:s a:p 'o'@en .",
		rdfio.TriG:     "{ <a:s> <a:p> 'o'@en }",
		rdfio.NTriples: "<a:s> <a:p> \"o\"@en .",
		rdfio.NQuads:   "<a:s> <a:p> \"o\"@en .",
		rdfio.JSONLD:   `{"@id":"a:s","a:p":{"@value":"o","@language":"en"}}`,
	} {
		t.Run(syntax.String(), func(t *testing.T) {
			t.Parallel()
			o := rdfio.Options{File: "f", Places: true}
			d, err := rdfio.Parse([]byte(doc), syntax, o)
			require.NoError(t, err)
			assert.Equal(t, want, string(nquads.Append(nil, d)))
			assert.True(t, d.HasPlaces())
			assert.Equal(t, "f", d.ObjectPlace(0).File)

			d, err = rdfio.Read(iotest.OneByteReader(strings.NewReader(doc)), syntax, o)
			require.NoError(t, err)
			assert.Equal(t, want, string(nquads.Append(nil, d)))

			b := rdf.NewBuilder(rdf.Limits{})
			require.NoError(t, rdfio.ParseInto(b, []byte(doc), syntax, o))
			require.NoError(t, rdfio.ParseInto(b, []byte(doc), syntax, o))
			require.NoError(t, rdfio.ReadInto(b, iotest.OneByteReader(strings.NewReader(doc)), syntax, o))
			assert.Equal(t, 1, b.Dataset().Len())
			require.ErrorIs(t, rdfio.ReadInto(b, iotest.ErrReader(iotest.ErrTimeout), syntax, o), iotest.ErrTimeout)

			o.Limits.Bytes = 10
			var limit *rdf.LimitError
			_, err = rdfio.Parse([]byte(doc), syntax, o)
			require.ErrorAs(t, err, &limit)
			_, err = rdfio.Read(strings.NewReader(doc), syntax, o)
			require.ErrorAs(t, err, &limit)
			require.ErrorAs(t, rdfio.ReadInto(rdf.NewBuilder(o.Limits), strings.NewReader(doc), syntax, o), &limit)

			_, err = rdfio.Parse([]byte(doc[:len(doc)-1]), syntax, rdfio.Options{File: "f"})
			require.ErrorContains(t, err, "f:")
		})
	}
	_, err := rdfio.Parse(nil, 0, rdfio.Options{})
	require.ErrorContains(t, err, "no reader for no syntax")
	_, err = rdfio.Read(strings.NewReader(""), 0, rdfio.Options{})
	require.ErrorContains(t, err, "no reader for no syntax")
}

// Options reach the reader that they are for.
func TestOptions(t *testing.T) {
	t.Parallel()
	for syntax, doc := range map[rdfio.Syntax]string{
		rdfio.Turtle: "<s> <a:p> <o> .", rdfio.TriG: "{ <s> <a:p> <o> }", rdfio.JSONLD: `{"@id":"s","a:p":{"@id":"o"}}`,
	} {
		d, err := rdfio.Parse([]byte(doc), syntax, rdfio.Options{Base: "http://h/"})
		require.NoError(t, err, syntax)
		assert.Equal(t, "<http://h/s> <a:p> <http://h/o> .\n", string(nquads.Append(nil, d)), syntax)
		_, err = rdfio.Parse([]byte(doc), syntax, rdfio.Options{})
		require.Error(t, err, syntax)
	}

	var declared []turtle.Prefix
	_, err := rdfio.Parse([]byte("@prefix e: <a:> ."), rdfio.TriG, rdfio.Options{Declared: func(p turtle.Prefix) { declared = append(declared, p) }})
	require.NoError(t, err)
	assert.Equal(t, []turtle.Prefix{{Name: "e", IRI: "a:"}}, declared)

	doc := []byte(`{"@id":"a:s","unknown":"o","a:p":"o"}`)
	_, err = rdfio.Parse(doc, rdfio.JSONLD, rdfio.Options{})
	require.Error(t, err)
	d, err := rdfio.Parse(doc, rdfio.JSONLD, rdfio.Options{JSONLD: jsonld.Options{Lossy: true, File: "not looked at"}})
	require.NoError(t, err)
	assert.Equal(t, 1, d.Len())

	contexts, err := jsonld.NewContexts(map[string][]byte{"a:c": []byte(`{"@context":{"p":"a:p"}}`)})
	require.NoError(t, err)
	o := rdfio.Options{JSONLD: jsonld.Options{Contexts: contexts, NoImport: true}}
	_, err = rdfio.Parse([]byte(`{"@context":"a:c","p":1}`), rdfio.JSONLD, o)
	require.NoError(t, err)
	for _, read := range []func(string) error{
		func(doc string) error { _, err := rdfio.Parse([]byte(doc), rdfio.JSONLD, o); return err },
		func(doc string) error { _, err := rdfio.Read(strings.NewReader(doc), rdfio.JSONLD, o); return err },
		func(doc string) error {
			return rdfio.ParseInto(rdf.NewBuilder(rdf.Limits{}), []byte(doc), rdfio.JSONLD, o)
		},
	} {
		require.Error(t, read(`{"@context":{"@import":"a:c"},"p":1}`))
	}
}
