package nquads_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func TestWriteReadsBack(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		d, err := nquads.Parse([]byte(row.doc), nquads.Options{})
		require.NoError(t, err, row.name)
		var out bytes.Buffer
		require.NoError(t, nquads.Write(&out, d), row.name)
		assert.Equal(t, row.want, out.String(), row.name)
		again, err := nquads.Parse(out.Bytes(), nquads.Options{})
		require.NoError(t, err, row.name)
		assert.True(t, suite.Isomorphic(d, again), row.name)
	}
}

// Blank nodes without a label get one that no label of the document equals.
func TestWriteAnonymous(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	b.BeginDocument("")
	p, err := b.IRI([]byte("a:p"))
	require.NoError(t, err)
	var nodes []rdf.ID
	for _, label := range []string{"", "b0", "", "bb1", "b0x"} {
		id, err := b.FreshBlank()
		if label != "" {
			id, err = b.Blank([]byte(label))
		}
		require.NoError(t, err)
		nodes = append(nodes, id)
	}
	for i := range nodes {
		require.NoError(t, b.Add(nodes[i], p, nodes[(i+1)%len(nodes)], 0))
	}
	d := b.Dataset()
	again, err := nquads.Parse(nquads.Append(nil, d), nquads.Options{})
	require.NoError(t, err)
	assert.True(t, suite.Isomorphic(d, again), string(nquads.Append(nil, d)))
}

func TestWriteTriples(t *testing.T) {
	t.Parallel()
	d, err := nquads.Parse([]byte("<a:s> <a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:o> ."), nquads.Options{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.ErrorContains(t, nquads.WriteTriples(&out, d), "named graphs")
	assert.Empty(t, out.String())

	d, err = nquads.Parse([]byte("<a:s> <a:p> <a:o> ."), nquads.Options{})
	require.NoError(t, err)
	require.NoError(t, nquads.WriteTriples(&out, d))
	assert.Equal(t, "<a:s> <a:p> <a:o> .\n", out.String())
}

// A long dataset is handed over in pieces, and an error of the writer ends it.
func TestWriteInPieces(t *testing.T) {
	t.Parallel()
	doc := workload(3000)
	d, err := nquads.Parse(doc, nquads.Options{Limits: rdf.Local()})
	require.NoError(t, err)
	var out bytes.Buffer
	pieces := &counter{w: &out}
	require.NoError(t, nquads.Write(pieces, d))
	assert.Greater(t, pieces.n, 3)
	assert.Equal(t, string(nquads.Append(nil, d)), out.String())

	full := errors.New("full")
	require.ErrorIs(t, nquads.Write(&counter{w: &out, err: full}, d), full)
	small, err := nquads.Parse([]byte("<a:s> <a:p> <a:o> ."), nquads.Options{})
	require.NoError(t, err)
	require.ErrorIs(t, nquads.Write(&counter{w: &out, err: full}, small), full)
}

type counter struct {
	w   *bytes.Buffer
	n   int
	err error
}

func (c *counter) Write(p []byte) (int, error) {
	c.n++
	if c.err != nil {
		return 0, c.err
	}
	return c.w.Write(p)
}

// workload makes a document of n quads like those that programs write: few
// predicates, subjects that come together, literals of several kinds.
func workload(n int) []byte {
	var b bytes.Buffer
	for i := 0; i < n; i += 5 {
		s := strings.Repeat("x", i%7) + string(rune('a'+i%26))
		num := func(k int) string { return strings.Repeat(string(rune('0'+k%10)), 1+k%5) }
		sub := "<http://example.org/item/" + num(i) + s + num(i/10) + num(i/100) + num(i/1000) + ">"
		b.WriteString(sub + " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/ns#Item> .\n")
		b.WriteString(sub + " <http://example.org/ns#name> \"item \\\"" + s + "\\\" é " + num(i/3) + "\"@en .\n")
		b.WriteString(sub + " <http://example.org/ns#quantity> \"" + num(i/2) + "\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n")
		b.WriteString(sub + " <http://example.org/ns#at> _:n" + num(i) + num(i/10) + " .\n")
		b.WriteString("_:n" + num(i) + num(i/10) + " <http://example.org/ns#street> \"" + num(i/5) + " Harbour Street\" <http://example.org/graph> .\n")
	}
	return b.Bytes()
}
