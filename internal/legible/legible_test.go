package legible_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, text, want string }{
		{"plain", "Grüße, 世界", "Grüße, 世界"},
		{"an escape of a terminal", "a\x1b[31mb", `a\u{1B}[31mb`},
		{"a mark of direction", "a\u202eb", `a\u{202E}b`},
		{"a line end", "a\nb", `a\u{A}b`},
		{"not UTF-8", "a\xffb", `a\x{FF}b`},
		{"the replacement character", "a\ufffdb", `a\u{FFFD}b`},
	} {
		require.Equal(t, row.want, legible.Printable(row.text), row.name)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	require.Equal(t, "äöü", legible.Cut("äöü", 3))
	require.Equal(t, "äö...", legible.Cut("äöü", 2))
	require.Equal(t, "", legible.Cut("", 0))
}

func TestNamer(t *testing.T) {
	t.Parallel()
	n := legible.New([]turtle.Prefix{
		{Name: "ex", IRI: "https://example.org/"}, {Name: "ex", IRI: "https://second.example/"}, {Name: "deep", IRI: "https://example.org/deep/"}, {Name: "none"},
	})
	literal := func(lexical, datatype, lang string) rdf.Term {
		term, err := rdf.NewLiteral(lexical, datatype)
		if lang != "" {
			term, err = rdf.NewLangLiteral(lexical, lang)
		}
		require.NoError(t, err)
		return term
	}
	const xsd = "http://www.w3.org/2001/XMLSchema#"
	iri := func(s string) rdf.Term {
		term, err := rdf.NewIRI(s)
		require.NoError(t, err)
		return term
	}
	for _, row := range []struct {
		name string
		term rdf.Term
		want string
	}{
		{"none", rdf.Term{}, ""},
		{"a declared prefix", iri("https://example.org/a"), "ex:a"},
		{"the longest prefix", iri("https://example.org/deep/a"), "deep:a"},
		{"the first of two with one name", iri("https://second.example/a"), "<https://second.example/a>"},
		{"a well-known prefix", iri(xsd + "integer"), "xsd:integer"},
		{"a local name that would need escapes", iri("https://example.org/a/b"), "<https://example.org/a/b>"},
		{"a mark of direction in an IRI", iri("https://example.org/\u202e"), `<https://example.org/\u{202E}>`},
		{"a string", literal("a", xsd+"string", ""), `"a"`},
		{"a string with a line end", literal("a\nb", xsd+"string", ""), `"a\nb"`},
		{"a language", literal("a", "", "de"), `"a"@de`},
		{"an integer", literal("12", xsd+"integer", ""), "12"},
		{"not quite an integer", literal("1x", xsd+"integer", ""), `"1x"^^xsd:integer`},
		{"a decimal", literal("-1.5", xsd+"decimal", ""), "-1.5"},
		{"a decimal that Turtle reads as an integer", literal("1", xsd+"decimal", ""), `"1"^^xsd:decimal`},
		{"a boolean", literal("true", xsd+"boolean", ""), "true"},
		{"another datatype", literal("x", "https://example.org/t", ""), `"x"^^ex:t`},
		{"a long text", literal(strings.Repeat("x", 300), xsd+"string", ""), `"` + strings.Repeat("x", 200) + `..."`},
	} {
		require.Equal(t, row.want, n.Term(row.term), row.name)
	}
}

// TestNamespacesWithinEachOther: of namespaces that hold each other the longest that leaves a
// local name is taken, and a long name that fits behind none is looked through once and not
// for each, which would take half a minute.
func TestNamespacesWithinEachOther(t *testing.T) {
	t.Parallel()
	for _, iri := range []string{"a:x-.y", "a:x-.", "a:x~-y", "a:xy~", "a:é·1", "a:x/y·-", "a:-.1"} {
		var prefixes []turtle.Prefix
		want := "<" + iri + ">"
		for i := range iri {
			if i < 2 {
				continue
			}
			prefix := turtle.Prefix{Name: fmt.Sprintf("p%d", i), IRI: iri[:i]}
			prefixes = append(prefixes, prefix)
			if alone := legible.New([]turtle.Prefix{prefix}).IRI(iri); alone[0] != '<' {
				want = alone
			}
		}
		require.Equal(t, want, legible.New(prefixes).IRI(iri))
	}
	long := "a:" + strings.Repeat("x", 60_000) + "~"
	var prefixes []turtle.Prefix
	for i := range 2_000 {
		prefixes = append(prefixes, turtle.Prefix{Name: fmt.Sprintf("p%d", i), IRI: long[:2+i]})
	}
	n := legible.New(prefixes)
	for range 100 {
		require.Equal(t, "<"+long+">", n.IRI(long))
	}
}

func TestUsed(t *testing.T) {
	t.Parallel()
	d, err := turtle.Parse([]byte("@prefix ex: <https://example.org/> . ex:s a ex:C ; ex:p 1 , 'x'^^ex:t ."), turtle.Options{})
	require.NoError(t, err)
	n := legible.New([]turtle.Prefix{{Name: "ex", IRI: "https://example.org/"}, {Name: "other", IRI: "https://other.example/"}})
	require.Equal(t, []turtle.Prefix{{Name: "ex", IRI: "https://example.org/"}}, n.Used(d))
}

// TestDelegate: what a hop says of its party counts before what the next one does.
func TestDelegate(t *testing.T) {
	t.Parallel()
	d := &authz.Decision{Hops: []authz.Hop{{Authorizes: "a", Assignee: "b"}, {Assignee: "b"}, {}, {Assigner: "c"}}}
	for i, want := range []string{"a", "b", "c", "unknown"} {
		require.Equal(t, want, legible.Delegate(d, i))
	}
}
