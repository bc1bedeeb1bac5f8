package rdf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
)

func TestCheckIRI(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"a:", "A:b", "a+b-c.1:x", "http://example.org/", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "mailto:a@b", "a:b:c", "a:\u00a0", "http://ex\u00e4mple/\U0010FFFF",
		"http://example.org/%zz", "http://[bad", "a:/../x", "a:#", "a:?", "a:'()*~!$&+,;=[]@", "a:\u007f", "data:,x",
	} {
		assert.NoError(t, rdf.CheckIRI(s), s)
		x, err := rdf.NewIRI(s)
		assert.NoError(t, err, s)
		assert.Equal(t, s, x.Value())
	}
	for _, row := range []struct {
		iri  string
		code rdf.Code
		text string
	}{
		{"", rdf.CodeRelativeIRI, "expected an absolute IRI, found <>, which is relative"},
		{"a", rdf.CodeRelativeIRI, "<a>"},
		{"/a:b", rdf.CodeRelativeIRI, "</a:b>"},
		{"//a/b", rdf.CodeRelativeIRI, ""},
		{"#a", rdf.CodeRelativeIRI, ""},
		{"?a:b", rdf.CodeRelativeIRI, ""},
		{":a", rdf.CodeRelativeIRI, ""},
		{"1a:b", rdf.CodeRelativeIRI, ""},
		{"-a:b", rdf.CodeRelativeIRI, ""},
		{"a_b:c", rdf.CodeRelativeIRI, ""},
		{"é:b", rdf.CodeRelativeIRI, ""},
		{"./a:b", rdf.CodeRelativeIRI, ""},
		{"a:b c", rdf.CodeInvalidIRI, "an IRI cannot hold U+0020"},
		{"a:\x00", rdf.CodeInvalidIRI, "U+0000"},
		{"a:\n", rdf.CodeInvalidIRI, "U+000A"},
		{"a:<", rdf.CodeInvalidIRI, `"<"`},
		{"a:>", rdf.CodeInvalidIRI, `">"`},
		{`a:"`, rdf.CodeInvalidIRI, `"\""`},
		{"a:{", rdf.CodeInvalidIRI, `"{"`},
		{"a:}", rdf.CodeInvalidIRI, `"}"`},
		{"a:|", rdf.CodeInvalidIRI, `"|"`},
		{"a:^", rdf.CodeInvalidIRI, `"^"`},
		{"a:`", rdf.CodeInvalidIRI, "\"`\""},
		{`a:\`, rdf.CodeInvalidIRI, `"\\"`},
		{"a:\xff", rdf.CodeInvalidUTF8, "not UTF-8"},
		{"a:\xed\xa0\x80", rdf.CodeInvalidUTF8, "not UTF-8"},
		{"a:\xc0\x80", rdf.CodeInvalidUTF8, "not UTF-8"},
		{"a:\xc3", rdf.CodeInvalidUTF8, "not UTF-8"},
	} {
		var e *rdf.TermError
		if assert.ErrorAs(t, rdf.CheckIRI(row.iri), &e, row.iri) {
			assert.Equal(t, row.code, e.Code, row.iri)
			assert.Contains(t, e.Reason, row.text, row.iri)
		}
		_, err := rdf.NewIRI(row.iri)
		assert.Error(t, err, row.iri)
		_, err = rdf.ParseBase(row.iri)
		assert.Error(t, err, row.iri)
	}
}

func resolve(t testing.TB, base, ref string) string {
	t.Helper()
	b, err := rdf.ParseBase(base)
	require.NoError(t, err)
	out, err := b.Resolve([]byte("before"), ref)
	require.NoError(t, err)
	rest, ok := strings.CutPrefix(string(out), "before")
	require.True(t, ok, "what stood in dst stays")
	return rest
}

// TestResolveRFC3986 holds the examples of RFC 3986, section 5.4.
func TestResolveRFC3986(t *testing.T) {
	t.Parallel()
	for _, row := range [][2]string{
		// 5.4.1, normal
		{"g:h", "g:h"},
		{"g", "http://a/b/c/g"},
		{"./g", "http://a/b/c/g"},
		{"g/", "http://a/b/c/g/"},
		{"/g", "http://a/g"},
		{"//g", "http://g"},
		{"?y", "http://a/b/c/d;p?y"},
		{"g?y", "http://a/b/c/g?y"},
		{"#s", "http://a/b/c/d;p?q#s"},
		{"g#s", "http://a/b/c/g#s"},
		{"g?y#s", "http://a/b/c/g?y#s"},
		{";x", "http://a/b/c/;x"},
		{"g;x", "http://a/b/c/g;x"},
		{"g;x?y#s", "http://a/b/c/g;x?y#s"},
		{"", "http://a/b/c/d;p?q"},
		{".", "http://a/b/c/"},
		{"./", "http://a/b/c/"},
		{"..", "http://a/b/"},
		{"../", "http://a/b/"},
		{"../g", "http://a/b/g"},
		{"../..", "http://a/"},
		{"../../", "http://a/"},
		{"../../g", "http://a/g"},
		// 5.4.2, abnormal
		{"../../../g", "http://a/g"},
		{"../../../../g", "http://a/g"},
		{"/./g", "http://a/g"},
		{"/../g", "http://a/g"},
		{"g.", "http://a/b/c/g."},
		{".g", "http://a/b/c/.g"},
		{"g..", "http://a/b/c/g.."},
		{"..g", "http://a/b/c/..g"},
		{"./../g", "http://a/b/g"},
		{"./g/.", "http://a/b/c/g/"},
		{"g/./h", "http://a/b/c/g/h"},
		{"g/../h", "http://a/b/c/h"},
		{"g;x=1/./y", "http://a/b/c/g;x=1/y"},
		{"g;x=1/../y", "http://a/b/c/y"},
		{"g?y/./x", "http://a/b/c/g?y/./x"},
		{"g?y/../x", "http://a/b/c/g?y/../x"},
		{"g#s/./x", "http://a/b/c/g#s/./x"},
		{"g#s/../x", "http://a/b/c/g#s/../x"},
		{"http:g", "http:g"}, // for strict parsers
	} {
		assert.Equal(t, row[1], resolve(t, "http://a/b/c/d;p?q", row[0]), row[0])
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	for _, row := range [][3]string{
		{"http://a", "g", "http://a/g"}, // section 5.2.3: an authority and an empty path
		{"http://a", "", "http://a"},
		{"http://a", "?y", "http://a?y"},
		{"http://a", "#s", "http://a#s"},
		{"http://a", ".", "http://a/"},
		{"http://a", "..", "http://a/"},
		{"http://a?q", "g", "http://a/g"},
		{"http://a?q", "#s", "http://a?q#s"},
		{"http://a/b?x/y", "g", "http://a/g"},
		{"http://a/b#x/y", "g", "http://a/g"},
		{"http://a/b#f", "", "http://a/b"}, // the base's fragment is dropped
		{"http://a/b#f", "#", "http://a/b#"},
		{"http://a/b?q", "?", "http://a/b?"}, // an empty query is not an absent one
		{"http://a/b", "//", "http://"},      // an empty authority is not an absent one
		{"http://a/b", "///c", "http:///c"},
		{"http://a/b", "//c?x#y", "http://c?x#y"},
		{"http://a/b", "//c/../d", "http://c/d"},
		{"http://a/b/", "c", "http://a/b/c"},
		{"http://a/b/", "..", "http://a/"},
		{"http://a/b//c/d", "../e", "http://a/b//e"},
		{"http://a/b//", "..", "http://a/b/"},
		{"http://a/b/../c/d", "", "http://a/b/../c/d"}, // the path of the base stays as it is
		{"http://a/b/../c/d", "e", "http://a/c/e"},
		{"http://a/b", "c/", "http://a/c/"},
		{"http://a/b", "/", "http://a/"},
		{"http://a/b", "/..", "http://a/"},
		{"http://a/b", "/c/..", "http://a/"},
		{"http://a/b", "/c/...", "http://a/c/..."},
		{"http://a/b", "c:d", "c:d"},
		{"http://a/b", "./c:d", "http://a/c:d"},
		{"http://a/b", "c/d:e", "http://a/c/d:e"},
		{"http://a/b", "1:2", "http://a/1:2"}, // no scheme begins with a digit
		{"http://a/b", "é", "http://a/é"},
		{"http://a/b", "%2e%2e/c", "http://a/%2e%2e/c"}, // nothing is decoded
		{"HTTP://A/b", "c", "HTTP://A/c"},               // nothing is normalized
		{"http://a/b", "HTTP://X/../y", "HTTP://X/../y"},
		{"file:///a/b", "c", "file:///a/c"},
		{"file:///a/b", "/c", "file:///c"},
		{"file:a/b", "c", "file:a/c"},
		{"file:a/b", "../c", "file:/c"},
		{"file:a/b", "../../c", "file:/c"},
		{"file:a", "../c", "file:c"},
		{"urn:x:y", "z", "urn:z"},
		{"urn:x:y", "", "urn:x:y"},
		{"urn:x:y", "#z", "urn:x:y#z"},
		{"urn:x:y", "?z", "urn:x:y?z"},
		{"mailto:a@b", "c", "mailto:c"},
		{"a:", "b", "a:b"},
		{"a:/", "b", "a:/b"},
		{"a:b/c", "..", "a:/"}, // RFC 3986's algorithm adds the slash
	} {
		assert.Equal(t, row[2], resolve(t, row[0], row[1]), "%s on %s", row[1], row[0])
	}
}

func TestBase(t *testing.T) {
	t.Parallel()
	var none rdf.Base
	assert.True(t, none.IsZero())
	assert.Empty(t, none.String())
	out, err := none.Resolve(nil, "urn:a/../b")
	require.NoError(t, err, "an absolute reference needs no base")
	assert.Equal(t, "urn:a/../b", string(out))
	for _, ref := range []string{"", "a", "#a", "//a/b", "?a"} {
		out, err := none.Resolve([]byte("x"), ref)
		var e *rdf.TermError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, rdf.CodeRelativeIRI, e.Code)
		assert.Equal(t, "x", string(out))
	}
	for in, want := range map[string]string{"http://a/b?c#d": "http://a/b?c", "urn:a": "urn:a", "http://a/../b": "http://a/../b", "a:": "a:", "a:#": "a:"} {
		b, err := rdf.ParseBase(in)
		require.NoError(t, err)
		assert.False(t, b.IsZero())
		assert.Equal(t, want, b.String())
	}
}

func TestAbbreviate(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "abc é \U0001F600": "abc é \U0001F600", "a\x00b\n": "aU+0000bU+000A", "\u202e\ufeff\u200b": "U+202EU+FEFFU+200B", "\xff": "U+FFFD",
		strings.Repeat("x", 80): strings.Repeat("x", 80), strings.Repeat("x", 81): strings.Repeat("x", 80) + "...",
	} {
		assert.Equal(t, want, rdf.Abbreviate(in))
	}
	assert.Less(t, len(rdf.Abbreviate(strings.Repeat("\x00", 1<<20))), 1000)
}

func FuzzResolve(f *testing.F) {
	for _, base := range []string{"http://a/b/c/d;p?q", "http://a", "urn:x", "file:a/b", "a:", "a:/..//b/./c"} {
		for _, ref := range []string{"", "../../g", "//g/../h", "?y#z", "/./", "g:h", "..", "./a:b", "////", "#"} {
			f.Add(base, ref)
		}
	}
	for _, seed := range suite.Seeds(f, suite.IRIs) {
		f.Add("http://a/b/c/d;p?q", string(seed.Data))
		f.Add(string(seed.Data), "../g;x=1/./y")
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		b, err := rdf.ParseBase(base)
		if err != nil {
			return
		}
		require.True(t, strings.HasPrefix(base, b.String()))
		out, err := b.Resolve(nil, ref)
		require.NoError(t, err)
		resolved := string(out)
		if rdf.CheckIRI(ref) == nil {
			require.Equal(t, ref, resolved, "an absolute reference is taken as it is")
		}
		if strings.Trim(ref, "\x00 <>\"{}|^`\\") == ref && rdf.CheckIRI("a:"+ref) == nil {
			require.NoError(t, rdf.CheckIRI(resolved), "what is resolved is absolute")
			// Resolving again changes nothing, since the result has a scheme.
			again, err := b.Resolve(nil, resolved)
			require.NoError(t, err)
			require.Equal(t, resolved, string(again))
		}
		if ref == "" {
			require.Equal(t, b.String(), resolved)
		}
		require.LessOrEqual(t, len(resolved), len(base)+len(ref)+1)
	})
}

// TestAbbreviated: a term is shown as the beginning of its text, however long it is.
func TestAbbreviated(t *testing.T) {
	t.Parallel()
	for n := range 400 {
		for _, unit := range []string{"a", "é", "\n", "\U0001F600", "\u202e"} {
			text := strings.Repeat("x", n%7) + strings.Repeat(unit, n)
			for _, make := range []func() (rdf.Term, error){
				func() (rdf.Term, error) { return rdf.NewString(text) },
				func() (rdf.Term, error) { return rdf.NewLangLiteral(text, "en") },
				func() (rdf.Term, error) { return rdf.NewLiteral(text, "http://example.org/datatype") },
			} {
				term, err := make()
				require.NoError(t, err)
				require.Equal(t, rdf.Abbreviate(term.String()), term.Abbreviated())
			}
		}
		iri, err := rdf.NewIRI("http://example.org/" + strings.Repeat("é", n))
		require.NoError(t, err)
		require.Equal(t, rdf.Abbreviate(iri.String()), iri.Abbreviated())
	}
}
