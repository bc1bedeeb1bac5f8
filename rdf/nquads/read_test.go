package nquads_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// accepts holds documents that cover every production, with what they say as
// canonical N-Quads in the order of the document. Only rows marked so are
// N-Quads and no N-Triples.
var accepts = []struct {
	name, doc, want string
	quads           bool
}{
	{"empty document", "", "", false},
	{"byte order mark alone", "\uFEFF", "", false},
	{"byte order mark", "\uFEFF<a:s> <a:p> <a:o> .", "<a:s> <a:p> <a:o> .\n", false},
	{"only space and comments", " \t\n# one\r\n\r# two", "", false},
	{"no line end at the end", "<a:s> <a:p> <a:o> .", "<a:s> <a:p> <a:o> .\n", false},
	{"no space at all", "<a:s><a:p><a:o>.", "<a:s> <a:p> <a:o> .\n", false},
	{"no space with literals", `_:s<a:p>"o"@en.`, "_:s <a:p> \"o\"@en .\n", false},
	{"tabs and spaces", "\t<a:s>\t <a:p> \t<a:o>\t.\t\n", "<a:s> <a:p> <a:o> .\n", false},
	{"line ends LF, CR and CR LF", "<a:s> <a:p> <a:1> .\n<a:s> <a:p> <a:2> .\r<a:s> <a:p> <a:3> .\r\n",
		"<a:s> <a:p> <a:1> .\n<a:s> <a:p> <a:2> .\n<a:s> <a:p> <a:3> .\n", false},
	{"comment behind a statement", "<a:s> <a:p> <a:o> .# <a:x>\n<a:s> <a:p> <a:q> . # end", "<a:s> <a:p> <a:o> .\n<a:s> <a:p> <a:q> .\n", false},
	{"duplicates are one", "<a:s> <a:p> <a:o> .\n<a:s> <a:p> <a:o> .\n", "<a:s> <a:p> <a:o> .\n", false},
	{"IRI with escapes", `<a:\u0073> <a:\U00000070> <a:\u00E9\U0001F600> .`, "<a:s> <a:p> <a:é😀> .\n", false},
	{"IRI with characters beyond ASCII", "<a:é> <a:–> <a:😀> .", "<a:é> <a:–> <a:😀> .\n", false},
	{"IRI kept as it is spelt", "<A:b/../c%2f%2F> <a:p> <a:?#> .", "<A:b/../c%2f%2F> <a:p> <a:?#> .\n", false},
	{"IRI of a scheme alone", "<a:> <a+b.c-1:> <a:o> .", "<a:> <a+b.c-1:> <a:o> .\n", false},
	{"blank node labels", "_:a <a:p> _:1 .\n_:_ <a:p> _:a.b-c .\n_:é·‿ <a:p> _:a .",
		"_:a <a:p> _:1 .\n_:_ <a:p> _:a.b-c .\n_:é·‿ <a:p> _:a .\n", false},
	{"label before the final dot", "_:a <a:p> _:b.", "_:a <a:p> _:b .\n", false},
	{"empty literal", `<a:s> <a:p> "" .`, "<a:s> <a:p> \"\" .\n", false},
	{"literal with every escape", `<a:s> <a:p> "\t\b\n\r\f\"\'\\\u0041\U0001F600" .`,
		"<a:s> <a:p> \"\\t\\b\\n\\r\\f\\\"'\\\\A😀\" .\n", false},
	{"literal with controls", "<a:s> <a:p> \"\x00\x01\t\x0b\x7f\" .", "<a:s> <a:p> \"\\u0000\\u0001\\t\\u000B\\u007F\" .\n", false},
	{"literal with escaped controls", `<a:s> <a:p> "\u0000\u0001\u000B\u007F" .`, "<a:s> <a:p> \"\\u0000\\u0001\\u000B\\u007F\" .\n", false},
	{"literal with what looks like syntax", `<a:s> <a:p> "<a> 'x' # . _:b" .`, "<a:s> <a:p> \"<a> 'x' # . _:b\" .\n", false},
	{"literal with noncharacters", "<a:s> <a:p> \"\uFFFE\uFFFF\uFEFF\uFFFD\" .", "<a:s> <a:p> \"\\uFFFE\\uFFFF\uFEFF\uFFFD\" .\n", false},
	{"literal longer than a machine word", `<a:s> <a:p> "0123456789abcdef\"0123456789" .`, "<a:s> <a:p> \"0123456789abcdef\\\"0123456789\" .\n", false},
	{"language tags as written", `<a:s> <a:p> "x"@en-GB-1996 .` + "\n" + `<a:s> <a:p> "x"@EN-gb-1996 .`,
		"<a:s> <a:p> \"x\"@en-GB-1996 .\n<a:s> <a:p> \"x\"@EN-gb-1996 .\n", false},
	{"datatype", `<a:s> <a:p> "1"^^<a:t> .`, "<a:s> <a:p> \"1\"^^<a:t> .\n", false},
	{"datatype with an escape, after a literal with one", `<a:s> <a:p> "\u0041"^^<a:\u0074> .`, "<a:s> <a:p> \"A\"^^<a:t> .\n", false},
	{"xsd:string is the default", `<a:s> <a:p> "x"^^<http://www.w3.org/2001/XMLSchema#string> .` + "\n" + `<a:s> <a:p> "x" .`, "<a:s> <a:p> \"x\" .\n", false},
	{"space around what belongs to a literal", `<a:s> <a:p> "x" @en .` + "\n" + `<a:s> <a:p> "x" ^^ <a:t> .`,
		"<a:s> <a:p> \"x\"@en .\n<a:s> <a:p> \"x\"^^<a:t> .\n", false},
	{"graph IRI", "<a:s> <a:p> <a:o> <a:g> .", "<a:s> <a:p> <a:o> <a:g> .\n", true},
	{"graph blank node", "<a:s> <a:p> \"o\" _:g .", "<a:s> <a:p> \"o\" _:g .\n", true},
	{"the default graph comes first", "<a:s> <a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:o> .", "<a:s> <a:p> <a:o> .\n<a:s> <a:p> <a:o> <a:g> .\n", true},
	{"no space before a graph", "<a:s> <a:p> _:o<a:g>.", "<a:s> <a:p> _:o <a:g> .\n", true},
}

func TestAccepts(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d, err := nquads.Parse([]byte(row.doc), nquads.Options{File: "x.nq"})
			require.NoError(t, err)
			assert.Equal(t, row.want, string(nquads.Append(nil, d)))

			d, err = nquads.ParseTriples([]byte(row.doc), nquads.Options{File: "x.nt"})
			if row.quads {
				suite.SyntaxError(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, row.want, string(nquads.Append(nil, d)))
		})
	}
}

// refuses holds documents that neither syntax accepts.
var refuses = []struct {
	name, doc string
	code      rdf.Code
	place     string
	says      string
}{
	{"word", "hello", rdf.CodeSyntax, "1:1", `expected a subject (an IRI in angle brackets or a blank node "_:label"), found "hello"`},
	{"literal as subject", `"s" <a:p> <a:o> .`, rdf.CodeSyntax, "1:1", `found '"'`},
	{"blank node as predicate", `<a:s> _:p <a:o> .`, rdf.CodeSyntax, "1:7", "expected a predicate"},
	{"literal as predicate", `<a:s> "p" <a:o> .`, rdf.CodeSyntax, "1:7", "expected a predicate"},
	{"no object", "<a:s> <a:p> .", rdf.CodeSyntax, "1:13", "expected an object"},
	{"line end instead of an object", "<a:s> <a:p>\n<a:o> .", rdf.CodeSyntax, "1:12", "found the end of the line"},
	{"no dot", "<a:s> <a:p> <a:o>\n", rdf.CodeSyntax, "1:18", `expected "."`},
	{"no dot at the end", "<a:s> <a:p> <a:o>", rdf.CodeSyntax, "1:18", "found the end of the document"},
	{"two statements on a line", "<a:s> <a:p> <a:o> . <a:s> <a:p> <a:o> .", rdf.CodeSyntax, "1:21", "expected the end of the line"},
	{"five terms", "<a:s> <a:p> <a:o> <a:g> <a:h> .", rdf.CodeSyntax, "1:19 1:25", `expected "."`},
	{"literal as graph", `<a:s> <a:p> <a:o> "g" .`, rdf.CodeSyntax, "1:19", ""},
	{"prefixed name", `a:s <a:p> <a:o> .`, rdf.CodeSyntax, "1:1", `found "a:s"`},
	{"directive", `@prefix a: <a:> .`, rdf.CodeSyntax, "1:1", `found "@prefix"`},
	{"single quotes", `<a:s> <a:p> 'o' .`, rdf.CodeSyntax, "1:13", "expected an object"},
	{"long quotes", `<a:s> <a:p> """o""" .`, rdf.CodeSyntax, "1:15", ""},
	{"number", `<a:s> <a:p> 1 .`, rdf.CodeSyntax, "1:13", "expected an object"},
	{"vertical tab is no space", "<a:s>\v<a:p> <a:o> .", rdf.CodeSyntax, "1:6", "found U+000B"},
	{"no-break space is no space", "<a:s>\u00A0<a:p> <a:o> .", rdf.CodeSyntax, "1:6", "found U+00A0"},
	{"U+0000 outside a literal", "<a:s> <a:p> \x00<a:o> .", rdf.CodeSyntax, "1:13", "found U+0000"},
	{"byte order mark within", "<a:s> <a:p> <a:o> .\n\uFEFF<a:s> <a:p> <a:o> .", rdf.CodeSyntax, "2:1", "found U+FEFF"},
	{"comment within a statement", "<a:s> # c\n<a:p> <a:o> .", rdf.CodeSyntax, "1:7", `found "#"`},

	{"relative IRI", "<s> <a:p> <a:o> .", rdf.CodeRelativeIRI, "1:1", "found <s>, which is relative"},
	{"relative IRI with a colon", "<./a:b> <a:p> <a:o> .", rdf.CodeRelativeIRI, "1:1", "relative"},
	{"empty IRI", "<a:s> <> <a:o> .", rdf.CodeRelativeIRI, "1:7", "relative"},
	{"relative datatype", `<a:s> <a:p> "1"^^<t> .`, rdf.CodeRelativeIRI, "1:18", "found <t>, which is relative"},
	{"space in an IRI", "<a:s> <a:p> <a:o o> .", rdf.CodeInvalidIRI, "1:17", `cannot hold a space`},
	{"escaped space in an IRI", `<a:s> <a:p> <a:o\u0020o> .`, rdf.CodeInvalidIRI, "1:17", `cannot hold a space, not even escaped`},
	{"escaped U+0000 in an IRI", `<a:s> <a:p> <a:o\u0000o> .`, rdf.CodeInvalidIRI, "1:17", `U+0000`},
	{"escaped bracket in an IRI", `<a:s> <a:p> <a:\u003C> .`, rdf.CodeInvalidIRI, "1:16", `"<"`},
	{"brace in an IRI", "<a:s> <a:p> <a:{o}> .", rdf.CodeInvalidIRI, "1:16", `"{"`},
	{"quote in an IRI", `<a:s> <a:p> <a:"> .`, rdf.CodeInvalidIRI, "1:16", ""},
	{"backquote in an IRI", "<a:s> <a:p> <a:`> .", rdf.CodeInvalidIRI, "1:16", ""},
	{"line end in an IRI", "<a:s> <a:p> <a:\n> .", rdf.CodeInvalidIRI, "1:16", "end of the line"},
	{"control in an IRI", "<a:s> <a:p> <a:\x01> .", rdf.CodeInvalidIRI, "1:16", "U+0001"},
	{"character escape in an IRI", `<a:s> <a:p> <a:\n> .`, rdf.CodeInvalidEscape, "1:16", `expected one of \u or \U, found \n`},
	{"IRI without an end", "<a:s> <a:p> <a:o", rdf.CodeSyntax, "1:13", `no ">"`},

	{"unknown escape", `<a:s> <a:p> "\a" .`, rdf.CodeInvalidEscape, "1:14", `found \a`},
	{"escape of a letter that cannot be seen", "<a:s> <a:p> \"\\\u200E\" .", rdf.CodeInvalidEscape, "1:14", `found \U+200E`},
	{"short escape", `<a:s> <a:p> "\u12" .`, rdf.CodeInvalidEscape, "1:14", "expected 4 hexadecimal digits after \\u, found 2"},
	{"short long escape", `<a:s> <a:p> "\U0001F60" .`, rdf.CodeInvalidEscape, "1:14", "expected 8 hexadecimal digits after \\U, found 7"},
	{"sign in an escape", `<a:s> <a:p> "\u+041" .`, rdf.CodeInvalidEscape, "1:14", "found 0"},
	{"surrogate escape", `<a:s> <a:p> "\uD800" .`, rdf.CodeInvalidEscape, "1:14", `\uD800 is a surrogate`},
	{"pair of surrogate escapes", `<a:s> <a:p> "x\uD83D\uDE00" .`, rdf.CodeInvalidEscape, "1:15", `\uD83D is a surrogate`},
	{"long surrogate escape", `<a:s> <a:p> "\U0000DFFF" .`, rdf.CodeInvalidEscape, "1:14", "surrogate"},
	{"escape beyond the last character", `<a:s> <a:p> "\U00110000" .`, rdf.CodeInvalidEscape, "1:14", "beyond U+10FFFF"},
	{"escape of all ones", `<a:s> <a:p> "\UFFFFFFFF" .`, rdf.CodeInvalidEscape, "1:14", "beyond U+10FFFF"},
	{"surrogate escape in an IRI", `<a:s> <a:p> <a:\uDC00> .`, rdf.CodeInvalidEscape, "1:16", "surrogate"},

	{"literal without an end", `<a:s> <a:p> "o`, rdf.CodeSyntax, "1:13", "no closing quote"},
	{"literal that ends in a backslash", `<a:s> <a:p> "o\`, rdf.CodeInvalidEscape, "1:15", "end of the document"},
	{"LF in a literal", "<a:s> <a:p> \"a\nb\" .", rdf.CodeSyntax, "1:15", "a line ends within"},
	{"CR in a literal", "<a:s> <a:p> \"a\rb\" .", rdf.CodeSyntax, "1:15", "a line ends within"},
	{"empty language tag", `<a:s> <a:p> "x"@ .`, rdf.CodeInvalidLang, "1:17", "begins with a letter"},
	{"language tag that begins with a digit", `<a:s> <a:p> "x"@1 .`, rdf.CodeInvalidLang, "1:17", ""},
	{"language tag that ends in a hyphen", `<a:s> <a:p> "x"@en- .`, rdf.CodeInvalidLang, "1:20", ""},
	{"language tag with an underscore", `<a:s> <a:p> "x"@en_GB .`, rdf.CodeSyntax, "1:19", ""},
	{"one circumflex", `<a:s> <a:p> "x"^<a:t> .`, rdf.CodeSyntax, "1:16", `expected "^^"`},
	{"no datatype", `<a:s> <a:p> "x"^^ .`, rdf.CodeSyntax, "1:19", "expected a datatype"},
	{"blank node as datatype", `<a:s> <a:p> "x"^^_:b .`, rdf.CodeSyntax, "1:18", "expected a datatype"},
	{"language and datatype", `<a:s> <a:p> "x"@en^^<a:t> .`, rdf.CodeSyntax, "1:19", ""},
	{"rdf:langString without a tag", `<a:s> <a:p> "x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .`, rdf.CodeInvalidTerm, "1:13", "language tag"},

	{"underscore alone", "_ <a:p> <a:o> .", rdf.CodeSyntax, "1:1", `expected a blank node "_:label"`},
	{"empty label", "_: <a:p> <a:o> .", rdf.CodeInvalidLabel, "1:3", ""},
	{"label that begins with a hyphen", "_:-a <a:p> <a:o> .", rdf.CodeInvalidLabel, "1:3", ""},
	{"label that begins with a dot", "_:.a <a:p> <a:o> .", rdf.CodeInvalidLabel, "1:3", ""},
	{"label of a middle dot", "_:· <a:p> <a:o> .", rdf.CodeInvalidLabel, "1:3", ""},
	{"colon in a label", "_:a:b <a:p> <a:o> .", rdf.CodeInvalidLabel, "1:4", `found ":b"`},
	{"colon before a label", "_::a <a:p> <a:o> .", rdf.CodeInvalidLabel, "1:3", ""},
	{"dot at the end of a label", "_:a. <a:p> <a:o> .", rdf.CodeSyntax, "1:4", "expected a predicate"},

	{"byte that is no UTF-8", "<a:s> <a:p> \"é\xE9\" .", rdf.CodeInvalidUTF8, "1:15", "expected UTF-8, found byte 0xE9"},
	{"overlong slash", "<a:s> <a:p> <a:\xC0\xAF> .", rdf.CodeInvalidUTF8, "1:16", "0xC0"},
	{"surrogate in UTF-8", "<a:s> <a:p> \"\xED\xA0\x80\" .", rdf.CodeInvalidUTF8, "1:14", "0xED"},
	{"beyond the last character in UTF-8", "<a:s> <a:p> \"\xF4\x90\x80\x80\" .", rdf.CodeInvalidUTF8, "1:14", "0xF4"},
	{"cut character at the end", "<a:s> <a:p> \"o\" .\n# \xE2\x82", rdf.CodeInvalidUTF8, "2:3", "0xE2"},
	{"UTF-16", "\xFF\xFE<\x00a\x00", rdf.CodeInvalidUTF8, "1:1", "0xFF"},

	{"place after LF, CR and CR LF", "\n\r\r\n\n é😀 x", rdf.CodeSyntax, "5:2", "found"},
	{"place behind characters beyond ASCII", "<a:é> <a:😀> x .", rdf.CodeSyntax, "1:13", ""},
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	for _, row := range refuses {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := nquads.Parse([]byte(row.doc), nquads.Options{File: "x"})
			places := strings.Fields(row.place)
			e := suite.SyntaxError(t, err)
			assert.Equal(t, row.code, e.Code)
			assert.Equal(t, "x:"+places[len(places)-1], e.Place.String())
			assert.Contains(t, e.Message(), row.says)

			_, err = nquads.ParseTriples([]byte(row.doc), nquads.Options{File: "x"})
			e = suite.SyntaxError(t, err)
			assert.Equal(t, row.code, e.Code)
			assert.Equal(t, "x:"+places[0], e.Place.String())
		})
	}
}

func TestReadInPieces(t *testing.T) {
	t.Parallel()
	for _, row := range accepts {
		d, err := nquads.Read(iotest.OneByteReader(strings.NewReader(row.doc)), nquads.Options{})
		require.NoError(t, err, row.name)
		assert.Equal(t, row.want, string(nquads.Append(nil, d)), row.name)
		_, err = nquads.ReadTriples(iotest.HalfReader(strings.NewReader(row.doc)), nquads.Options{})
		assert.Equal(t, row.quads, err != nil, row.name)
	}
	for _, row := range refuses {
		_, whole := nquads.Parse([]byte(row.doc), nquads.Options{})
		_, pieces := nquads.Read(iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(row.doc))), nquads.Options{})
		assert.Equal(t, whole, pieces, row.name)
	}
}

func TestReadFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := nquads.Read(io.MultiReader(strings.NewReader("<a:s> <a:p> <a:o> .\n"), iotest.ErrReader(broken)), nquads.Options{File: "x.nq"})
	require.ErrorIs(t, err, broken)
	assert.Contains(t, err.Error(), "x.nq")
}

func TestParseInto(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	require.NoError(t, nquads.ParseInto(b, []byte("_:x <a:p> _:x <a:g> ."), nquads.Options{File: "1", Places: true}))
	require.NoError(t, nquads.ParseTriplesInto(b, []byte("\n_:x <a:p> _:x ."), nquads.Options{File: "2", Places: true}))
	d := b.Dataset()
	require.Equal(t, 2, d.Len())
	assert.NotEqual(t, d.Quad(0).S, d.Quad(1).S, "a label means another node in another document")
	assert.Equal(t, "2:2:1", d.SubjectPlace(0).String())
	assert.Equal(t, "1:1:11", d.ObjectPlace(1).String())
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	doc := "\uFEFF<a:é> <a:p> \"é\\n\"@en .\r\n# é\r  <a:é> <a:p> _:o <a:g> .\n"
	d, err := nquads.Parse([]byte(doc), nquads.Options{File: "f", Places: true})
	require.NoError(t, err)
	require.True(t, d.HasPlaces())
	assert.Equal(t, "f:1:1", d.SubjectPlace(0).String())
	assert.Equal(t, "f:1:13", d.ObjectPlace(0).String())
	assert.Equal(t, "f:3:3", d.SubjectPlace(1).String())
	assert.Equal(t, "f:3:15", d.ObjectPlace(1).String())

	d, err = nquads.Parse([]byte(doc), nquads.Options{File: "f"})
	require.NoError(t, err)
	assert.False(t, d.HasPlaces())
}
