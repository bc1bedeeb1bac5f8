package protocol_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// sharing is a document of shapes whose sh:or lists share a tail, or a whole list: a few
// thousand triples that stand for millions of constraints.
func sharing(heads, tail int, whole bool) string {
	var b strings.Builder
	b.WriteString("ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R .\nex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:nodeKind sh:IRI ")
	for i := range heads {
		fmt.Fprintf(&b, "; sh:node ex:H%d ", i)
	}
	b.WriteString(".\n")
	for i := range heads {
		if whole {
			fmt.Fprintf(&b, "ex:H%d sh:or ex:c0 .\n", i)
		} else {
			fmt.Fprintf(&b, "ex:H%d sh:or ex:h%d . ex:h%d rdf:first ex:M ; rdf:rest ex:c0 .\n", i, i, i)
		}
	}
	for i := range tail {
		fmt.Fprintf(&b, "ex:c%d rdf:first ex:M ; rdf:rest ex:c%d .\n", i, i+1)
	}
	fmt.Fprintf(&b, "ex:c%d rdf:first ex:V ; rdf:rest () .\nex:M sh:nodeKind sh:IRI . ex:V a sh:NodeShape .\n", tail)
	return b.String()
}

// TestSharedLists: small documents that stand for a great deal are refused for it, or are
// judged without expanding all of it.
func TestSharedLists(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		body string
		want string
	}{
		{"a tail of three thousand lists", sharing(3000, 3000, false), "constraint members limit 1000000 exceeded"},
		{"a list of five thousand shapes", sharing(5000, 4000, true), "constraint members limit 1000000 exceeded"},
		{"few", sharing(100, 100, false), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := candidate(t, row.body)
			d, err := c.Verify(c.Pin())
			if row.want != "" {
				require.Equal(t, protocol.CodeLimitExceeded, code(t, err))
				require.ErrorContains(t, err, row.want)
				return
			}
			require.NoError(t, err)
			require.NotEmpty(t, protocol.Examine(d).Explain())
			compare(t, d, document(t, row.body+"ex:x ex:y ex:z ."))
		})
	}
	// A document that is small enough to be accepted can be too large to be compared.
	d := document(t, sharing(800, 1000, true))
	_, err := protocol.Compare(d, document(t, sharing(800, 1000, true)+"ex:R sh:minLength 1 ."))
	require.ErrorContains(t, err, "too large to compare")
	_, err = protocol.Examine(d).Accept()
	require.Error(t, err)
}

// TestManyTriples: a document of as many triples as are allowed is judged.
func TestManyTriples(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 19_000 {
		fmt.Fprintf(&b, "ex:R sh:hasValue ex:v%d .\n", i)
	}
	d := document(t, minimal+b.String())
	require.Positive(t, protocol.Examine(d).Request.Checks[0])
	c := compare(t, document(t, minimal), d)
	require.Equal(t, protocol.Narrower, c.Effect(protocol.OfRequest))
	require.Len(t, c.Changes, 1)
	v, err := d.ValidateRequest(context.Background(), []byte(prefixes+"ex:i a a2a:Intent ; a2a:action ex:a ."), turtleType, protocol.Options{})
	require.NoError(t, err)
	require.False(t, v.Valid())
}

// TestLongPaths: paths that share their parts are a text of hundreds of kilobytes each,
// which comparing must not write for every constraint. Without that a test here takes
// half a minute and gigabytes.
func TestLongPaths(t *testing.T) {
	t.Parallel()
	path := "_:l0 rdf:first ex:" + strings.Repeat("p", 90) + " ; rdf:rest ( ex:q ) .\n"
	for i := 1; i < 11; i++ {
		path += fmt.Sprintf("_:l%d rdf:first _:l%d ; rdf:rest ( _:l%[2]d ) .\n", i, i-1)
	}
	root := func(n int) string {
		var b strings.Builder
		b.WriteString("ex:pd a a2a:ProtocolDocument ; a2a:requestShape ex:R .\nex:R a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:property ex:P0")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, ", ex:P%d", i)
		}
		return b.String() + " .\n"
	}
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return root(n) + path + b.String()
	}
	for _, row := range []struct {
		name, body string
		enough     bool
	}{
		{"one path of many constraints", many(1500, "ex:P%[1]d sh:path _:l10 ; sh:minCount %[1]d ; sh:maxCount 9999 ; sh:minLength %[1]d .\n"), true},
		{"many paths with one end", many(900, "ex:P%[1]d sh:path _:h%[1]d ; sh:minCount %[1]d . _:h%[1]d rdf:first ex:z%[1]d ; rdf:rest _:l10 .\n"), false},
		{"a path within a path, twice each time", root(1) + path + func() string {
			var b strings.Builder
			for i := range 12 {
				fmt.Fprintf(&b, "ex:P%d sh:path _:l10 ; sh:minCount 2 ; sh:property ex:P%d, ex:Q%[1]d . ex:Q%[1]d sh:path _:l10 ; sh:minCount 1 ; sh:property ex:P%[2]d .\n", i, i+1)
			}
			return b.String() + "ex:P12 sh:path _:l10 ; sh:minCount 2 .\n"
		}(), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			old, changed := document(t, row.body), document(t, strings.Replace(row.body, "sh:minCount 1 ", "sh:minCount 3 ", 1)+"ex:P0 sh:nodeKind sh:IRI .")
			c, err := protocol.Compare(old, changed)
			if !row.enough {
				require.ErrorContains(t, err, "the request shapes are too large to compare")
				return
			}
			require.NoError(t, err)
			for i := range c.Changes {
				require.Less(t, len(c.Changes[i].Text(rdf.Term.String)), 32*8192)
			}
		})
	}
}

// TestLongTexts: texts that stand once in a document, and belong to many of its
// constraints, which comparing must not write for each. Without that a test here takes
// half a minute and gigabytes.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	list := func(members, bytes int) string {
		var b strings.Builder
		for i := range members {
			fmt.Fprintf(&b, "_:l%d rdf:first \"%s%d\" ; rdf:rest _:l%d .\n", i, strings.Repeat("a", bytes), i, i+1)
		}
		return b.String() + fmt.Sprintf("_:l%d rdf:first \"b\" ; rdf:rest () .\n", members)
	}
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "ex:R sh:property ex:M%[1]d . ex:M%[1]d sh:path ex:p%[1]d ; "+format+" .\n", i)
		}
		return b.String()
	}
	within := func(depth, bytes int) string {
		var b strings.Builder
		name := "ex:" + strings.Repeat("n", bytes)
		b.WriteString("ex:R sh:property ex:A0, ex:B0 .\n")
		for i := range depth {
			for _, x := range "AB" {
				fmt.Fprintf(&b, "ex:%c%d sh:path %s%c%[2]d ; sh:property ex:A%[5]d, ex:B%[5]d .\n", x, i, name, x, i+1)
			}
		}
		return b.String() + fmt.Sprintf("ex:A%d sh:path ex:q ; sh:minCount 1 . ex:B%[1]d sh:path ex:q ; sh:maxCount 1 .\n", depth)
	}
	for _, row := range []struct {
		name, body string
		enough     bool
	}{
		{"a long list of many constraints", many(4000, "sh:in _:l0") + list(15, 40_000), false},
		{"a list of many constraints", many(400, "sh:in _:l0") + list(200, 100), true},
		{"a long value in many places", many(4000, "sh:node ex:V") + `ex:V sh:hasValue "` + strings.Repeat("a", 60_000) + `" .`, false},
		{"a value in many places", many(4000, "sh:node ex:V") + `ex:V sh:hasValue "` + strings.Repeat("a", 100) + `" .`, true},
		{"long names within each other, twice each time", within(14, 900), false},
		{"names within each other, twice each time", within(12, 20), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := protocol.Compare(document(t, minimal), document(t, minimal+row.body))
			if row.enough {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "the request shapes are too large to compare")
		})
	}
}

// TestLongValueInManyPlaces compares documents in which one long value stands in hundreds of
// places: it is written once, and not parsed for each. Not parallel, since it counts what
// is allocated.
func TestLongValueInManyPlaces(t *testing.T) {
	bytes := func(was, is string) uint64 {
		var b strings.Builder
		for i := range 400 {
			fmt.Fprintf(&b, "ex:R sh:property ex:M%[1]d . ex:M%[1]d sh:path ex:p%[1]d ; sh:node ex:V .\n", i)
		}
		b.WriteString("ex:V ")
		old, changed := document(t, minimal+b.String()+was+" ."), document(t, minimal+b.String()+is+" .")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := protocol.Compare(old, changed)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.Len(t, c.Changes, 400)
		return after.TotalAlloc - before.TotalAlloc
	}
	bound := func(last string) string {
		return `sh:minInclusive "P` + strings.Repeat("9", 40_000) + last + `M"^^xsd:duration`
	}
	list := ` ; sh:in ( "` + strings.Repeat("a", 40_000) + `" )`
	flags := func(last string) string {
		return `sh:pattern "a" ; sh:flags "` + strings.Repeat("i", 40_000) + last + `"`
	}
	require.Less(t, bytes(bound(""), bound("1")), uint64(16<<20))
	require.Less(t, bytes(bound("")+list, bound("1")+list), uint64(16<<20))
	require.Less(t, bytes(flags(""), flags("m")), uint64(16<<20))
}
