package canon_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// pieces is a writer that keeps what it gets, up to a number of bytes.
type pieces struct {
	bytes.Buffer
	most, largest int
}

var errFull = errors.New("full")

func (p *pieces) Write(b []byte) (int, error) {
	if p.largest = max(p.largest, len(b)); p.Len()+len(b) > p.most {
		return 0, errFull
	}
	return p.Buffer.Write(b)
}

// TestWrite: what is written is the text of Canonicalize, for what that spent, in pieces
// however long it is, and nothing more once the writer is full.
func TestWrite(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 20_000)
	for name, text := range map[string]string{
		"nothing":      "",
		"one quad":     "<urn:a> <urn:p> <urn:b> .\n",
		"blank nodes":  "_:a <urn:p> _:b .\n_:b <urn:p> _:a .\n_:c <urn:p> _:a <urn:g> .\n",
		"alike":        "_:a <urn:p> _:b .\n_:b <urn:p> _:c .\n_:c <urn:p> _:a .\n",
		"a long IRI":   many(200, "<urn:"+long+"> <urn:p> \"%d\" .\n"),
		"a long label": many(200, "_:a <urn:"+long+"> \"%d\" .\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()})
			require.NoError(t, err)
			for _, a := range []canon.Algorithm{canon.SHA256, canon.SHA384} {
				want, err := canon.Canonicalize(t.Context(), d, canon.Options{Algorithm: a})
				require.NoError(t, err)
				w := &pieces{most: 1 << 30}
				work, err := canon.Write(t.Context(), w, d, canon.Options{Algorithm: a})
				require.NoError(t, err)
				assert.Equal(t, string(want.NQuads()), w.String())
				assert.Equal(t, want.Work(), work)
				assert.Less(t, w.largest, 80_000)
				if a == canon.SHA256 {
					digest, err := canon.Hash(t.Context(), d, canon.Options{})
					require.NoError(t, err)
					assert.Equal(t, digest, canon.Digest(sha256.Sum256(w.Bytes())))
				}
				if len(want.NQuads()) > 0 {
					full := &pieces{most: len(want.NQuads()) - 1}
					_, err = canon.Write(t.Context(), full, d, canon.Options{Algorithm: a})
					require.ErrorIs(t, err, errFull)
				}
			}
		})
	}
	_, err := canon.Write(t.Context(), &pieces{}, nil, canon.Options{Algorithm: 9})
	require.ErrorContains(t, err, "unknown hash algorithm")
}

func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
