package rdf_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
)

func TestTermSyntax(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		term rdf.Term
		want string
	}{
		{rdf.Term{}, ``},
		{iri(t, "http://example.org/é"), `<http://example.org/é>`},
		{blank(t, "a.b"), `_:a.b`},
		{literal(t, ""), `""`},
		{literal(t, "text"), `"text"`},
		{typed(t, "text", rdf.XSDString), `"text"`},
		{typed(t, "1", "urn:dt"), `"1"^^<urn:dt>`},
		{lang(t, "text", "en-GB"), `"text"@en-GB`},
		{literal(t, "\b\t\n\f\r\"\\"), `"\b\t\n\f\r\"\\"`},
		{literal(t, "\x00\x01\x0b\x1f\x7f"), `"\u0000\u0001\u000B\u001F\u007F"`},
		{literal(t, "\ufffd\ufffe\uffff\ufdd0\U0001fffe"), `"` + "\ufffd" + `\uFFFE\uFFFF` + "\ufdd0\U0001fffe" + `"`},
		{literal(t, "' /\u0080\u00e9\u2028\ufeff\U0001F600"), "\"' /\u0080\u00e9\u2028\ufeff\U0001F600\""},
		{literal(t, "a\\u0041\nb"), `"a\\u0041\nb"`},
		{lang(t, "\"", "en"), `"\""@en`},
	} {
		assert.Equal(t, row.want, row.term.String())
		assert.Equal(t, "x"+row.want, string(row.term.Append([]byte("x"))))
		b := rdf.NewBuilder(rdf.Limits{})
		id := must[rdf.ID](t)(b.Term(row.term))
		assert.Equal(t, "x"+row.want, string(b.Dataset().AppendTerm([]byte("x"), id)))
	}
	// Every character of the basic controls, alone.
	for c := range rune(0x20) {
		s := literal(t, string(c)).String()
		assert.True(t, len(s) == 4 && s[1] == '\\' || s == fmt.Sprintf(`"\u%04X"`, c), s)
	}
}

func TestTermParts(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		term                        rdf.Term
		kind                        rdf.Kind
		name, value, datatype, lang string
	}{
		{rdf.Term{}, rdf.KindNone, "no term", "", "", ""},
		{iri(t, "urn:a"), rdf.KindIRI, "IRI", "urn:a", "", ""},
		{blank(t, "a"), rdf.KindBlank, "blank node", "a", "", ""},
		{literal(t, "a"), rdf.KindLiteral, "literal", "a", rdf.XSDString, ""},
		{typed(t, "a", "urn:dt"), rdf.KindLiteral, "literal", "a", "urn:dt", ""},
		{lang(t, "a", "EN"), rdf.KindLiteral, "literal", "a", rdf.LangString, "EN"},
	} {
		assert.Equal(t, row.kind, row.term.Kind())
		assert.Equal(t, row.name, row.term.Kind().String())
		assert.Equal(t, row.value, row.term.Value())
		assert.Equal(t, row.datatype, row.term.Datatype())
		assert.Equal(t, row.lang, row.term.Lang())
		assert.Equal(t, row.kind == rdf.KindNone, row.term.IsZero())
	}
	assert.Equal(t, literal(t, "a"), typed(t, "a", rdf.XSDString), "terms compare with ==")
	assert.NotEqual(t, lang(t, "a", "en"), lang(t, "a", "EN"))
	assert.NotEqual(t, literal(t, "1"), typed(t, "1", "urn:dt"))
}

func TestNewTermRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		make func() (rdf.Term, error)
		code rdf.Code
	}{
		{"relative IRI", func() (rdf.Term, error) { return rdf.NewIRI("a") }, rdf.CodeRelativeIRI},
		{"label", func() (rdf.Term, error) { return rdf.NewBlank("_:a") }, rdf.CodeInvalidLabel},
		{"string", func() (rdf.Term, error) { return rdf.NewString("\xff") }, rdf.CodeInvalidUTF8},
		{"datatype", func() (rdf.Term, error) { return rdf.NewLiteral("a", "integer") }, rdf.CodeRelativeIRI},
		{"datatype missing", func() (rdf.Term, error) { return rdf.NewLiteral("a", "") }, rdf.CodeRelativeIRI},
		{"datatype rdf:langString", func() (rdf.Term, error) { return rdf.NewLiteral("a", rdf.LangString) }, rdf.CodeInvalidTerm},
		{"lexical form", func() (rdf.Term, error) { return rdf.NewLiteral("\xff", "urn:dt") }, rdf.CodeInvalidUTF8},
		{"language-tagged string", func() (rdf.Term, error) { return rdf.NewLangLiteral("\xff", "en") }, rdf.CodeInvalidUTF8},
		{"language tag", func() (rdf.Term, error) { return rdf.NewLangLiteral("a", "@en") }, rdf.CodeInvalidLang},
		{"language tag missing", func() (rdf.Term, error) { return rdf.NewLangLiteral("a", "") }, rdf.CodeInvalidLang},
	} {
		x, err := row.make()
		var e *rdf.TermError
		if assert.ErrorAs(t, err, &e, row.name) {
			assert.Equal(t, row.code, e.Code, row.name)
		}
		assert.True(t, x.IsZero(), row.name)
	}
}

func TestNameCharacters(t *testing.T) {
	t.Parallel()
	// The ranges of PN_CHARS_U and PN_CHARS of Turtle 1.1, each end and its
	// neighbour outside.
	for _, r := range []rune{'A', 'Z', 'a', 'z', '_', 0xC0, 0xD6, 0xD8, 0xF6, 0xF8, 0x2FF, 0x370, 0x37D, 0x37F, 0x1FFF, 0x200C, 0x200D, 0x2070, 0x218F, 0x2C00, 0x2FEF, 0x3001, 0xD7FF, 0xF900, 0xFDCF, 0xFDF0, 0xFFFD, 0x10000, 0xEFFFF} {
		assert.True(t, rdf.IsNameStart(r), "%U", r)
		assert.True(t, rdf.IsNameChar(r), "%U", r)
	}
	for _, r := range []rune{'-', '0', '9', 0xB7, 0x300, 0x36F, 0x203F, 0x2040} {
		assert.False(t, rdf.IsNameStart(r), "%U", r)
		assert.True(t, rdf.IsNameChar(r), "%U", r)
	}
	for _, r := range []rune{-1, 0, ' ', '.', ':', '/', '@', '[', '`', '{', 0xBF, 0xD7, 0xF7, 0x37E, 0x2000, 0x200B, 0x200E, 0x203E, 0x2041, 0x206F, 0x2190, 0x2BFF, 0x2FF0, 0x3000, 0xD800, 0xF8FF, 0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0xF0000, 0x10FFFF} {
		assert.False(t, rdf.IsNameStart(r), "%U", r)
		assert.False(t, rdf.IsNameChar(r), "%U", r)
	}
}

func TestErrorTexts(t *testing.T) {
	t.Parallel()
	at := rdf.Place{File: "a.ttl", Line: 3, Column: 7}
	for _, row := range []struct {
		err  error
		want string
	}{
		{&rdf.SyntaxError{Code: rdf.CodeSyntax, Place: at, Expected: "a term", Found: "'.'"}, "a.ttl:3:7: expected a term, found '.'"},
		{&rdf.SyntaxError{Code: rdf.CodeInvalidIRI, Place: rdf.Place{Line: 1, Column: 2}, Expected: "an IRI cannot hold U+0020"}, "1:2: an IRI cannot hold U+0020"},
		{&rdf.SyntaxError{Place: rdf.Place{File: "a.ttl"}, Expected: "x"}, "a.ttl: x"},
		{&rdf.SyntaxError{Expected: "x"}, "x"},
		{&rdf.LimitError{Limit: rdf.LimitBlankNodes, Max: 3, Place: at}, "a.ttl:3:7: blank nodes limit 3 exceeded"},
		{&rdf.LimitError{Limit: rdf.LimitBytes, Max: 10}, "bytes limit 10 exceeded"},
		{&rdf.TermError{Code: rdf.CodeInvalidTerm, Reason: "why"}, "why"},
	} {
		assert.EqualError(t, row.err, row.want)
		assert.Equal(t, strings.ToLower(row.want[:1]), row.want[:1])
	}
	assert.True(t, rdf.Place{}.IsZero())
	assert.True(t, rdf.Place{File: "a"}.IsZero())
	assert.False(t, at.IsZero())
	assert.Empty(t, rdf.Place{}.String())
	var limit *rdf.LimitError
	require.True(t, errors.As(fmt.Errorf("reading: %w", &rdf.LimitError{Limit: rdf.LimitQuads}), &limit))
}
