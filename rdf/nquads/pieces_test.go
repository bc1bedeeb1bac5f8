package nquads_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// readers give a document in pieces of other sizes than lines have.
var readers = map[string]func(io.Reader) io.Reader{
	"whole":      func(r io.Reader) io.Reader { return r },
	"halves":     iotest.HalfReader,
	"early end":  iotest.DataErrReader,
	"a few each": func(r io.Reader) io.Reader { return few{r} },
}

// few gives at most 1,021 bytes at a time.
type few struct{ r io.Reader }

func (f few) Read(p []byte) (int, error) { return f.r.Read(p[:min(len(p), 1021)]) }

// TestReadInto reads documents of several megabytes as pieces and as a whole.
func TestReadInto(t *testing.T) {
	t.Parallel()
	const lines = 25_000
	document := func(end string, bad int) []byte {
		var b bytes.Buffer
		b.WriteString("\uFEFF# a comment" + end + end)
		for i := range lines {
			if i == bad {
				b.WriteString(`<http://example.org/s> <http://example.org/p> "no end` + end)
			}
			fmt.Fprintf(&b, `<http://example.org/s%d> <http://example.org/p%d> "text é %d of a line that is long enough for several pieces"@en .%s`, i/7, i%5, i, end)
			if i == lines/2 { // a line that is longer than a piece
				fmt.Fprintf(&b, `_:b%d <http://example.org/p> "%s" .%s`, i, strings.Repeat("long ", 500_000), end)
			}
		}
		return b.Bytes()
	}
	for name, end := range map[string]string{"LF": "\n", "CR": "\r", "CR LF": "\r\n"} {
		for how, reader := range readers {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				o := nquads.Options{File: "x.nt", Places: true}
				text := document(end, -1)
				want, got := rdf.NewBuilder(rdf.Local()), rdf.NewBuilder(rdf.Local())
				require.NoError(t, nquads.ParseTriplesInto(want, text, o))
				require.NoError(t, nquads.ReadTriplesInto(got, reader(bytes.NewReader(text)), o))
				whole, d := want.Dataset(), got.Dataset()
				require.Equal(t, whole.Len(), d.Len())
				require.Equal(t, lines+1, d.Len())
				for i := range d.Len() {
					q, p := whole.Quad(i), d.Quad(i)
					if q != p || whole.Value(q.O) != d.Value(p.O) || whole.SubjectPlace(i) != d.SubjectPlace(i) || whole.ObjectPlace(i) != d.ObjectPlace(i) {
						require.Fail(t, "another quad", "%v at %v, want %v at %v", d.Term(p.O), d.ObjectPlace(i), whole.Term(q.O), whole.ObjectPlace(i))
					}
				}

				text = document(end, lines-10)
				_, wantErr := nquads.ParseTriples(text, nquads.Options{Limits: rdf.Local(), File: "x.nt"})
				require.Error(t, wantErr)
				err := nquads.ReadTriplesInto(rdf.NewBuilder(rdf.Local()), reader(bytes.NewReader(text)), o)
				assert.Equal(t, wantErr, err)
			})
		}
	}
}

// TestReadIntoAgreesWithParse reads what the tables accept, and refuses what they refuse
// with the same error.
func TestReadIntoAgreesWithParse(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		b := rdf.NewBuilder(rdf.Limits{})
		require.NoError(t, nquads.ReadInto(b, iotest.OneByteReader(strings.NewReader(row.doc)), nquads.Options{}), row.name)
		assert.Equal(t, row.want, string(nquads.Append(nil, b.Dataset())), row.name)
	}
	for _, doc := range []string{"<a:s> <a:p> .", "<a:s> <a:p> <a:o> .\n<a:s> <a:p> \"\xff\" .", "\n\n<a:s> <s p> <a:o> .", "<a:s>"} {
		_, want := nquads.Parse([]byte(doc), nquads.Options{File: "x"})
		require.Error(t, want, doc)
		assert.Equal(t, want, nquads.ReadInto(rdf.NewBuilder(rdf.Limits{}), strings.NewReader(doc), nquads.Options{File: "x"}), doc)
	}
}

func TestReadIntoLimits(t *testing.T) {
	t.Parallel()
	const line = "<http://example.org/s> <http://example.org/p> \"o\" .\n"
	text := strings.Repeat(line, 3)
	read := func(limits rdf.Limits, r io.Reader) error {
		return nquads.ReadInto(rdf.NewBuilder(limits), r, nquads.Options{File: "x.nq"})
	}
	require.NoError(t, read(rdf.Limits{Bytes: int64(len(text)), Quads: 3}, strings.NewReader(text)))
	var limit *rdf.LimitError
	require.ErrorAs(t, read(rdf.Limits{Bytes: int64(len(text)) - 1}, strings.NewReader(text)), &limit)
	assert.Equal(t, rdf.LimitError{Limit: rdf.LimitBytes, Max: int64(len(text)) - 1, Place: rdf.Place{File: "x.nq"}}, *limit)
	require.ErrorAs(t, read(rdf.Limits{Quads: 2}, strings.NewReader(text)), &limit)
	assert.Equal(t, rdf.LimitQuads, limit.Limit)
	assert.Equal(t, 3, limit.Place.Line)

	endless := io.MultiReader(strings.NewReader(line+`<http://example.org/s> <http://example.org/p> "`), zeros{})
	require.ErrorAs(t, read(rdf.Limits{}, endless), &limit, "a line without an end")
	assert.Equal(t, rdf.LimitBytes, limit.Limit)

	broken := errors.New("broken")
	err := read(rdf.Limits{}, io.MultiReader(strings.NewReader(line), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	assert.EqualError(t, err, "reading x.nq: broken")
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}
