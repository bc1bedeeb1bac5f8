package nquads_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// Each row is one document that is just within a limit and one just beyond.
func TestLimits(t *testing.T) {
	t.Parallel()
	const s = "<a:s> <a:p> "
	for _, row := range []struct {
		name           string
		limits         rdf.Limits
		within, beyond string
		says           string
	}{
		{"bytes", rdf.Limits{Bytes: 30}, "<a:s> <a:p> <a:o> . #123456789", "<a:s> <a:p> <a:o> . #1234567890", "f: bytes limit 30 exceeded"},
		{"bytes before anything is read", rdf.Limits{Bytes: 5}, "\xFF"[:0], "\xFF\xFF\xFF\xFF\xFF\xFF", "f: bytes limit 5 exceeded"},
		{"quads", rdf.Limits{Quads: 2}, s + "<a:1> .\n" + s + "<a:2> .", s + "<a:1> .\n" + s + "<a:2> .\n" + s + "<a:3> .", "f:3:19: quads limit 2 exceeded"},
		{"quads counts duplicates", rdf.Limits{Quads: 1}, s + "<a:1> .", s + "<a:1> .\n" + s + "<a:1> .", "f:2:19: quads limit 1 exceeded"},
		{"blank nodes", rdf.Limits{BlankNodes: 1}, s + "_:a .\n_:a <a:p> _:a .", s + "_:a .\n" + s + "_:b .", "f:2:13: blank nodes limit 1 exceeded"},
		{"IRI", rdf.Limits{IRIBytes: 5}, s + "<a:345> .", s + "<a:3456> .", "f:1:13: iri bytes limit 5 exceeded"},
		{"IRI after its escapes", rdf.Limits{IRIBytes: 5}, s + `<a:34\u0035> .`, s + `<a:34\u00355> .`, "f:1:13: iri bytes limit 5 exceeded"},
		{"datatype", rdf.Limits{IRIBytes: 5}, s + `"x"^^<a:345> .`, s + `"x"^^<a:3456> .`, "f:1:18: iri bytes limit 5 exceeded"},
		{"literal", rdf.Limits{LiteralBytes: 3}, s + `"123" .`, s + `"1234" .`, "f:1:13: literal bytes limit 3 exceeded"},
		{"literal after its escapes", rdf.Limits{LiteralBytes: 3}, s + `"12\u0033"@en .`, s + `"12\u00334"@en .`, "f:1:13: literal bytes limit 3 exceeded"},
		{"all terms", rdf.Limits{TermBytes: 50}, s + `"123" .`, s + `"` + strings.Repeat("x", 50) + `" .`, "term bytes limit 50 exceeded"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := nquads.Parse([]byte(row.within), nquads.Options{Limits: row.limits, File: "f"})
			require.NoError(t, err)
			_, err = nquads.Parse([]byte(row.beyond), nquads.Options{Limits: row.limits, File: "f"})
			var e *rdf.LimitError
			require.ErrorAs(t, err, &e)
			assert.Contains(t, err.Error(), row.says)
			_, err = nquads.Read(strings.NewReader(row.beyond), nquads.Options{Limits: row.limits, File: "f"})
			require.ErrorAs(t, err, &e)
		})
	}
}

// A reader that never ends is read no further than the limit.
func TestReadStopsAtTheLimit(t *testing.T) {
	t.Parallel()
	_, err := nquads.Read(endless{}, nquads.Options{Limits: rdf.Limits{Bytes: 1000}, File: "f"})
	var e *rdf.LimitError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, rdf.LimitBytes, e.Limit)
}

// The largest limits mean much, not nothing.
func TestLargestLimits(t *testing.T) {
	t.Parallel()
	d, err := nquads.Read(strings.NewReader("<a:s> <a:p> _:o .\n"), nquads.Options{Limits: rdf.Limits{
		Bytes: math.MaxInt64, Quads: math.MaxInt, BlankNodes: math.MaxInt, IRIBytes: math.MaxInt, LiteralBytes: math.MaxInt,
		Nesting: math.MaxInt, Prefixes: math.MaxInt, TermBytes: math.MaxInt64,
	}})
	require.NoError(t, err)
	assert.Equal(t, 1, d.Len())
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '#'
	}
	return len(p), nil
}
