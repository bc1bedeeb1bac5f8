package turtle_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func TestNamespaces(t *testing.T) {
	t.Parallel()
	n := turtle.NewNamespaces([]turtle.Prefix{{Name: "a", IRI: "http://e/"}, {Name: "b", IRI: "http://e/x/"}, {Name: "c", IRI: "http://e/x/"}, {Name: "d", IRI: "http://e/a"}, {Name: "e", IRI: "http://e/x/yy"}})
	word := func(s string) (ok, longer bool) { return !strings.Contains(s, "/"), true }
	for _, row := range []struct {
		iri       string
		any, word int
	}{
		{"http://e/", 0, 0}, {"http://e/x", 0, 0}, {"http://e/x/", 1, 1}, {"http://e/x/y", 1, 1}, {"http://e/x/yz", 1, 1}, {"http://e/x/yyz", 4, 4},
		{"http://e/y/x", 0, -1}, {"http://e/ab", 3, 3}, {"http://e/a/b", 3, -1}, {"http://f", -1, -1}, {"http:", -1, -1}, {"", -1, -1},
	} {
		assert.Equal(t, row.any, n.Longest(row.iri, nil), "%q", row.iri)
		assert.Equal(t, row.word, n.Longest(row.iri, word), "%q", row.iri)
	}
	tried := 0
	assert.Equal(t, -1, n.Longest("http://e/x/yyz", func(string) (ok, longer bool) { tried++; return false, false }))
	assert.Equal(t, 1, tried, "none is looked for further out")
	assert.Equal(t, -1, new(turtle.Namespaces).Longest("http://e/", nil))
}

// TestNamespacesAgreeWithASearch: they find what looking at every prefix finds.
func TestNamespacesAgreeWithASearch(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		b := make([]byte, random.IntN(n))
		for i := range b {
			b[i] = "ab"[random.IntN(2)]
		}
		return string(b)
	}
	for range 2000 {
		var prefixes []turtle.Prefix
		for i := range random.IntN(12) {
			prefixes = append(prefixes, turtle.Prefix{Name: fmt.Sprint(i), IRI: text(6)})
		}
		n := turtle.NewNamespaces(prefixes)
		odd := func(s string) (ok, longer bool) { return len(s)%2 == 1, true }
		for range 10 {
			iri, want := text(9), -1
			for i, p := range prefixes {
				if local, ok := strings.CutPrefix(iri, p.IRI); ok && len(local)%2 == 1 && (want < 0 || len(p.IRI) > len(prefixes[want].IRI)) {
					want = i
				}
			}
			require.Equal(t, want, n.Longest(iri, odd), "%q of %v", iri, prefixes)
		}
	}
}

// A document can have as many prefixes as names. Without an index the test takes
// minutes.
func TestWriteManyPrefixes(t *testing.T) {
	t.Parallel()
	const n = 50_000
	var doc strings.Builder
	var prefixes []turtle.Prefix
	for i := range n {
		prefixes = append(prefixes, turtle.Prefix{Name: fmt.Sprintf("p%d", i), IRI: fmt.Sprintf("http://e/%d/", i)})
		fmt.Fprintf(&doc, "@prefix p%d: <http://e/%d/> .\np%d:a p%d:b p%d:c .\n", i, i, i, i, i)
	}
	d, err := turtle.Parse([]byte(doc.String()), turtle.Options{Limits: rdf.Local()})
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, turtle.Write(&out, d, turtle.WriteOptions{Prefixes: prefixes}))
	assert.True(t, strings.HasSuffix(out.String(), "\n\np49999:a p49999:b p49999:c .\n"))
}
