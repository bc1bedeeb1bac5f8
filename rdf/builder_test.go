package rdf_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func TestBuilderIDs(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	a := must[rdf.ID](t)(b.IRI([]byte("urn:a")))
	assert.Equal(t, rdf.ID(1), a, "IDs count from 1 in the order of the input")
	assert.Equal(t, rdf.ID(2), must[rdf.ID](t)(b.Blank([]byte("x"))))
	assert.Equal(t, a, must[rdf.ID](t)(b.IRI([]byte("urn:a"))))
	lit := must[rdf.ID](t)(b.Literal([]byte("v"), 0))
	assert.Equal(t, lit, must[rdf.ID](t)(b.Literal([]byte("v"), must[rdf.ID](t)(b.IRI([]byte(rdf.XSDString))))), "no datatype is xsd:string")
	zero := must[rdf.ID](t)(b.Term(rdf.Term{}))
	assert.Zero(t, zero)
}

// TestBuilderCopies: what the Builder was given may change afterwards.
func TestBuilderCopies(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	buf := []byte("urn:a")
	s := must[rdf.ID](t)(b.IRI(buf))
	copy(buf, "XXXXX")
	text := []byte("text")
	tag := []byte("en")
	o := must[rdf.ID](t)(b.LangLiteral(text, tag))
	copy(text, "XXXX")
	copy(tag, "XX")
	label := []byte("l")
	b.BeginDocument("1")
	b.BeginDocument("2")
	n := must[rdf.ID](t)(b.Blank(label))
	copy(label, "X")
	assert.Equal(t, n, must[rdf.ID](t)(b.Blank([]byte("l"))))
	d := b.Dataset()
	assert.Equal(t, "<urn:a>", d.Term(s).String())
	assert.Equal(t, `"text"@en`, d.Term(o).String())
	assert.Equal(t, "_:l", d.Term(n).String())
}

func TestBuilderRefusesTerms(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	datatype := must[rdf.ID](t)(b.IRI([]byte("urn:dt")))
	blankID := must[rdf.ID](t)(b.Blank([]byte("b")))
	literalID := must[rdf.ID](t)(b.Literal([]byte("l"), 0))
	langString := must[rdf.ID](t)(b.IRI([]byte(rdf.LangString)))
	for _, row := range []struct {
		name string
		make func() (rdf.ID, error)
		code rdf.Code
	}{
		{"empty IRI", func() (rdf.ID, error) { return b.IRI(nil) }, rdf.CodeRelativeIRI},
		{"relative IRI", func() (rdf.ID, error) { return b.IRI([]byte("a/b")) }, rdf.CodeRelativeIRI},
		{"IRI with a space", func() (rdf.ID, error) { return b.IRI([]byte("urn:a b")) }, rdf.CodeInvalidIRI},
		{"IRI not UTF-8", func() (rdf.ID, error) { return b.IRI([]byte("urn:\xff")) }, rdf.CodeInvalidUTF8},
		{"empty label", func() (rdf.ID, error) { return b.Blank(nil) }, rdf.CodeInvalidLabel},
		{"label ending in a dot", func() (rdf.ID, error) { return b.Blank([]byte("a.")) }, rdf.CodeInvalidLabel},
		{"label beginning with a hyphen", func() (rdf.ID, error) { return b.Blank([]byte("-a")) }, rdf.CodeInvalidLabel},
		{"label beginning with a dot", func() (rdf.ID, error) { return b.Blank([]byte(".a")) }, rdf.CodeInvalidLabel},
		{"label with a colon", func() (rdf.ID, error) { return b.Blank([]byte("a:b")) }, rdf.CodeInvalidLabel},
		{"label not UTF-8", func() (rdf.ID, error) { return b.Blank([]byte("a\xff")) }, rdf.CodeInvalidLabel},
		{"literal not UTF-8", func() (rdf.ID, error) { return b.Literal([]byte("\xff"), datatype) }, rdf.CodeInvalidUTF8},
		{"literal with a surrogate", func() (rdf.ID, error) { return b.Literal([]byte("\xed\xa0\x80"), datatype) }, rdf.CodeInvalidUTF8},
		{"datatype that is no term", func() (rdf.ID, error) { return b.Literal([]byte("x"), 999) }, rdf.CodeInvalidTerm},
		{"datatype that is a blank node", func() (rdf.ID, error) { return b.Literal([]byte("x"), blankID) }, rdf.CodeInvalidTerm},
		{"datatype that is a literal", func() (rdf.ID, error) { return b.Literal([]byte("x"), literalID) }, rdf.CodeInvalidTerm},
		{"datatype rdf:langString", func() (rdf.ID, error) { return b.Literal([]byte("x"), langString) }, rdf.CodeInvalidTerm},
		{"language-tagged string not UTF-8", func() (rdf.ID, error) { return b.LangLiteral([]byte("\xff"), []byte("en")) }, rdf.CodeInvalidUTF8},
		{"empty tag", func() (rdf.ID, error) { return b.LangLiteral([]byte("x"), nil) }, rdf.CodeInvalidLang},
		{"tag with a digit first", func() (rdf.ID, error) { return b.LangLiteral([]byte("x"), []byte("1en")) }, rdf.CodeInvalidLang},
		{"tag with a digit in the first part", func() (rdf.ID, error) { return b.LangLiteral([]byte("x"), []byte("e1")) }, rdf.CodeInvalidLang},
		{"tag ending in a hyphen", func() (rdf.ID, error) { return b.LangLiteral([]byte("x"), []byte("en-")) }, rdf.CodeInvalidLang},
		{"tag with two hyphens", func() (rdf.ID, error) { return b.LangLiteral([]byte("x"), []byte("en--us")) }, rdf.CodeInvalidLang},
		{"tag beginning with a hyphen", func() (rdf.ID, error) { return b.LangLiteral([]byte("x"), []byte("-en")) }, rdf.CodeInvalidLang},
		{"tag with an underscore", func() (rdf.ID, error) { return b.LangLiteral([]byte("x"), []byte("en_US")) }, rdf.CodeInvalidLang},
		{"tag not ASCII", func() (rdf.ID, error) { return b.LangLiteral([]byte("x"), []byte("é")) }, rdf.CodeInvalidLang},
	} {
		id, err := row.make()
		var e *rdf.TermError
		if assert.ErrorAs(t, err, &e, row.name) {
			assert.Equal(t, row.code, e.Code, row.name)
			assert.NotEmpty(t, e.Error(), row.name)
		}
		assert.Zero(t, id, row.name)
	}
	assert.NoError(t, b.Add(datatype, datatype, literalID, 0), "the builder is still valid")
}

func TestBuilderAccepts(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	for _, s := range []string{"a", "0", "_", "a.b", "a..b", "a-", "é", "a\u00b7", "a\u0300", "a\u203f", "\U000EFFFF"} {
		_, err := b.Blank([]byte(s))
		assert.NoError(t, err, s)
	}
	for _, s := range []string{"en", "EN", "en-US", "de-1996", "a-b-c-1", strings.Repeat("x", 100)} {
		_, err := b.LangLiteral([]byte("v"), []byte(s))
		assert.NoError(t, err, s)
	}
	for _, s := range []string{"", "\x00", "\ufffe", "\U0010FFFF", "\r\n"} {
		_, err := b.Literal([]byte(s), 0)
		assert.NoError(t, err, s)
	}
}

func TestBuilderRefusesGeneralizedRDF(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	i := must[rdf.ID](t)(b.IRI([]byte("urn:i")))
	n := must[rdf.ID](t)(b.Blank([]byte("n")))
	f := must[rdf.ID](t)(b.FreshBlank())
	l := must[rdf.ID](t)(b.Literal([]byte("l"), 0))
	g := must[rdf.ID](t)(b.LangLiteral([]byte("l"), []byte("en")))
	const absent = 1000
	for _, s := range []rdf.ID{0, i, n, f, l, g, absent, math.MaxUint32} {
		for _, p := range []rdf.ID{0, i, n, f, l, g, absent, math.MaxUint32} {
			for _, o := range []rdf.ID{0, i, n, f, l, g, absent, math.MaxUint32} {
				for _, name := range []rdf.ID{0, i, n, f, l, g, absent, math.MaxUint32} {
					valid := (s == i || s == n || s == f) && p == i && o != 0 && o < absent && (name == 0 || name == i || name == n || name == f)
					err := b.Add(s, p, o, name)
					if valid {
						require.NoError(t, err)
						continue
					}
					var e *rdf.TermError
					require.ErrorAs(t, err, &e)
					require.Equal(t, rdf.CodeInvalidTerm, e.Code)
				}
			}
		}
	}
	assert.Equal(t, 3*5*4, b.Len())
	assert.Error(t, b.AddAt(l, i, i, 0, rdf.Pos{Line: 1}, rdf.Pos{}))
	assert.Equal(t, 3*5*4+2, func() int { _ = b.Add(i, i, l, 0); _ = b.Add(i, i, l, 0); return b.Len() }(), "duplicates count")
	assert.Equal(t, 3*5*4, b.Dataset().Len(), "and are one quad")
}

func TestAddTerms(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	require.NoError(t, b.AddTerms(blank(t, "a"), iri(t, "urn:p"), lang(t, "v", "en"), rdf.Term{}))
	require.NoError(t, b.AddTerms(iri(t, "urn:s"), iri(t, "urn:p"), typed(t, "1", "urn:dt"), blank(t, "g")))
	assert.Error(t, b.AddTerms(rdf.Term{}, iri(t, "urn:p"), literal(t, "v"), rdf.Term{}))
	assert.Error(t, b.AddTerms(literal(t, "s"), iri(t, "urn:p"), literal(t, "v"), rdf.Term{}))
	d := b.Dataset()
	var out []string
	for q := range d.Quads() {
		out = append(out, strings.TrimRight(strings.Join([]string{d.Term(q.S).String(), d.Term(q.P).String(), d.Term(q.O).String(), d.Term(q.G).String()}, " "), " "))
	}
	assert.Equal(t, []string{`_:a <urn:p> "v"@en`, `<urn:s> <urn:p> "1"^^<urn:dt> _:g`}, out)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	long := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	b := rdf.NewBuilder(rdf.Limits{IRIBytes: 20, LiteralBytes: 30, BlankNodes: 3, Quads: 2, TermBytes: 1000})
	assert.Equal(t, rdf.Limits{
		Bytes: rdf.Peer().Bytes, Quads: 2, BlankNodes: 3, IRIBytes: 20, LiteralBytes: 30, Nesting: rdf.Peer().Nesting, Prefixes: rdf.Peer().Prefixes, TermBytes: 1000,
	}, b.Limits())
	exceeded := func(err error, name rdf.LimitName, most int64) {
		t.Helper()
		var e *rdf.LimitError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, rdf.LimitError{Limit: name, Max: most}, *e)
	}
	p, err := b.IRI(append([]byte("urn:"), long(16)...))
	require.NoError(t, err, "20 bytes")
	_, err = b.IRI(append([]byte("urn:"), long(17)...))
	exceeded(err, rdf.LimitIRIBytes, 20)
	_, err = b.LangLiteral([]byte("v"), long(20))
	exceeded(err, rdf.LimitIRIBytes, 20) // rdf:langString itself is too long here

	o, err := b.Literal(long(30), p)
	require.NoError(t, err, "30 bytes")
	_, err = b.Literal(long(31), p)
	exceeded(err, rdf.LimitLiteralBytes, 30)

	_, err = b.Blank([]byte("a"))
	require.NoError(t, err)
	_, err = b.FreshBlank()
	require.NoError(t, err)
	b.BeginDocument("1")
	b.BeginDocument("2")
	_, err = b.Blank([]byte("a")) // another node
	require.NoError(t, err, "3 blank nodes")
	_, err = b.Blank([]byte("a"))
	require.NoError(t, err, "again")
	_, err = b.Blank([]byte("b"))
	exceeded(err, rdf.LimitBlankNodes, 3)
	_, err = b.FreshBlank()
	exceeded(err, rdf.LimitBlankNodes, 3)
	b.BeginDocument("3")
	_, err = b.Blank([]byte("a"))
	exceeded(err, rdf.LimitBlankNodes, 3)

	require.NoError(t, b.Add(p, p, o, 0))
	require.NoError(t, b.AddAt(p, p, o, 0, rdf.Pos{}, rdf.Pos{}), "2 quads, duplicates included")
	exceeded(b.Add(p, p, o, 0), rdf.LimitQuads, 2)
	exceeded(b.AddAt(p, p, o, 0, rdf.Pos{}, rdf.Pos{}), rdf.LimitQuads, 2)

	d := b.Dataset()
	assert.Equal(t, 1, d.Len())
	assert.Equal(t, 20, b.Limits().IRIBytes, "the limits stay")
}

func TestTermBytesLimit(t *testing.T) {
	t.Parallel()
	const most = 100
	for _, row := range []struct {
		name string
		add  func(b *rdf.Builder, n int) error
	}{
		{"IRI", func(b *rdf.Builder, n int) error {
			_, err := b.IRI([]byte("urn:" + strings.Repeat("x", n-4)))
			return err
		}},
		{"blank node", func(b *rdf.Builder, n int) error {
			_, err := b.Blank([]byte(strings.Repeat("x", n)))
			return err
		}},
		{"literal", func(b *rdf.Builder, n int) error {
			dt, err := b.IRI([]byte("urn:dt"))
			if err == nil {
				_, err = b.Literal([]byte(strings.Repeat("x", n-6)), dt)
			}
			return err
		}},
		{"language-tagged string", func(b *rdf.Builder, n int) error {
			_, err := b.LangLiteral([]byte(strings.Repeat("x", n-len(rdf.LangString))), []byte("en"))
			return err
		}},
	} {
		limits := rdf.Limits{TermBytes: most}
		assert.NoError(t, row.add(rdf.NewBuilder(limits), most), row.name)
		var e *rdf.LimitError
		if assert.ErrorAs(t, row.add(rdf.NewBuilder(limits), most+1), &e, row.name) {
			assert.Equal(t, rdf.LimitError{Limit: rdf.LimitTermBytes, Max: most}, *e, row.name)
		}
	}
	// Many terms that fit one by one.
	b := rdf.NewBuilder(rdf.Limits{TermBytes: most})
	for i := range 10 {
		_, err := b.IRI(fmt.Appendf(nil, "urn:%06d", i))
		require.NoError(t, err)
	}
	_, err := b.IRI([]byte("a:"))
	assert.Error(t, err)
	_, err = b.IRI([]byte("urn:000003"))
	assert.NoError(t, err, "a term that is there costs nothing")
}

func TestLimitPresets(t *testing.T) {
	t.Parallel()
	assert.Equal(t, rdf.Peer(), rdf.Limits{}.OrPeer())
	assert.Equal(t, rdf.Peer(), rdf.Limits{Bytes: -1, Quads: -1, BlankNodes: -1, IRIBytes: -1, LiteralBytes: -1, Nesting: -1, Prefixes: -1, TermBytes: -1}.OrPeer())
	assert.Equal(t, rdf.Local(), rdf.Local().OrPeer())
	// The numbers of the extension's specification, section 9.5, and of the issue.
	assert.Equal(t, rdf.Limits{Bytes: 256 << 10, Quads: 10_000, BlankNodes: 1_000, IRIBytes: 2 << 10, LiteralBytes: 64 << 10, Nesting: 64, Prefixes: 256, TermBytes: 4 << 20}, rdf.Peer())
	l := rdf.Local()
	assert.EqualValues(t, 1<<30, l.Bytes)
	assert.Equal(t, 50_000_000, l.Quads)
	assert.Equal(t, 1_000, l.Nesting)
	assert.Equal(t, 16<<20, l.LiteralBytes)
	assert.Equal(t, 64<<10, l.IRIBytes)
	huge := rdf.Limits{Bytes: math.MaxInt64, Quads: math.MaxInt, BlankNodes: math.MaxInt, TermBytes: math.MaxInt64}.OrPeer()
	assert.LessOrEqual(t, int64(huge.Quads), int64(math.MaxUint32), "IDs and indexes have 32 bits")
	assert.LessOrEqual(t, int64(huge.BlankNodes), int64(math.MaxUint32))
	assert.LessOrEqual(t, huge.TermBytes, int64(math.MaxUint32))
	assert.Less(t, huge.Bytes, int64(math.MaxInt64), "readers ask for one more")
}

func TestLabelsAreOfTheirDocument(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	p := must[rdf.ID](t)(b.IRI([]byte("urn:p")))
	node := func(label string) rdf.ID { return must[rdf.ID](t)(b.Blank([]byte(label))) }
	b.BeginDocument("one")
	a1, x1 := node("a"), node("x")
	require.Equal(t, a1, node("a"))
	require.NoError(t, b.AddAt(a1, p, x1, 0, rdf.Pos{Line: 1, Column: 2}, rdf.Pos{Line: 1, Column: 10}))
	b.BeginDocument("two")
	a2, b2 := node("a"), node("b0")
	require.NotEqual(t, a1, a2)
	require.Equal(t, a2, node("a"))
	require.Equal(t, b2, node("b0"))
	require.NoError(t, b.AddAt(a2, p, b2, 0, rdf.Pos{Line: 3, Column: 4}, rdf.Pos{Line: 5, Column: 6}))
	require.NoError(t, b.AddAt(a1, p, x1, 0, rdf.Pos{Line: 7, Column: 7}, rdf.Pos{Line: 7, Column: 7}))
	b.BeginDocument("three")
	a3, b3 := node("a"), node("b0")
	require.NotContains(t, []rdf.ID{a1, a2}, a3)
	require.NotEqual(t, b2, b3)
	require.NoError(t, b.Add(a3, p, b3, 0))
	f := must[rdf.ID](t)(b.FreshBlank())
	require.NoError(t, b.AddAt(f, p, b3, 0, rdf.Pos{Line: 9, Column: 9}, rdf.Pos{}))
	d := b.Dataset()

	labels := map[string]rdf.ID{}
	for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
		if d.Kind(id) == rdf.KindBlank {
			require.Zero(t, labels[d.Value(id)], "label %q names one node", d.Value(id))
			labels[d.Value(id)] = id
			require.Equal(t, id, d.Lookup(d.Term(id)))
			_, err := rdf.NewBlank(d.Value(id))
			require.NoError(t, err)
		}
	}
	assert.Len(t, labels, 7)
	assert.Equal(t, a1, labels["a"], "the first document keeps its labels")

	g := d.Default()
	place := func(s, o rdf.ID) [2]string {
		i := g.Index(s, p, o)
		require.GreaterOrEqual(t, i, 0)
		return [2]string{d.SubjectPlace(i).String(), d.ObjectPlace(i).String()}
	}
	assert.Equal(t, [2]string{"one:1:2", "one:1:10"}, place(a1, x1))
	assert.Equal(t, [2]string{"two:3:4", "two:5:6"}, place(a2, b2))
	assert.Equal(t, [2]string{"", ""}, place(a3, b3))
	assert.Equal(t, [2]string{"three:9:9", ""}, place(f, b3))
}

// TestTermsBeforeDocumentsAreOfTheirOwn: what was added by hand is a document of its own.
func TestTermsBeforeDocumentsAreOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	p := must[rdf.ID](t)(b.IRI([]byte("urn:p")))
	mine := must[rdf.ID](t)(b.Blank([]byte("a")))
	require.NoError(t, b.AddAt(mine, p, p, 0, rdf.Pos{Line: 1, Column: 1}, rdf.Pos{}))
	b.BeginDocument("file")
	theirs := must[rdf.ID](t)(b.Blank([]byte("a")))
	assert.NotEqual(t, mine, theirs)
	require.NoError(t, b.AddAt(theirs, p, p, 0, rdf.Pos{Line: 1, Column: 1}, rdf.Pos{}))
	d := b.Dataset()
	assert.Equal(t, "1:1", d.SubjectPlace(d.Default().Index(mine, p, p)).String())
	assert.Equal(t, "file:1:1", d.SubjectPlace(d.Default().Index(theirs, p, p)).String())
}

// TestAnonymousLabels: whatever labels documents use, those that the dataset
// gives to anonymous blank nodes are others.
func TestAnonymousLabels(t *testing.T) {
	t.Parallel()
	for _, used := range [][]string{
		nil, {"b"}, {"b0"}, {"b1", "bb7"}, {"bb0"}, {"b0", "bb0", "bbb0", "bbbbb0"}, {"b9999", "b0x"}, {"a0", "0", "B0"}, {"b0.1", "bb"}, {"b00"},
	} {
		for _, late := range []bool{false, true} {
			b := rdf.NewBuilder(rdf.Limits{})
			anonymous := func() {
				for range 3 {
					must[rdf.ID](t)(b.FreshBlank())
				}
			}
			if late {
				anonymous()
			}
			for _, label := range used {
				must[rdf.ID](t)(b.Blank([]byte(label)))
			}
			anonymous()
			d := b.Dataset()
			seen := map[string]bool{}
			for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
				require.False(t, seen[d.Value(id)], "%v: %s twice", used, d.Value(id))
				seen[d.Value(id)] = true
				require.Equal(t, id, d.Lookup(d.Term(id)), "%v", used)
			}
			for _, label := range used {
				require.True(t, seen[label])
			}
		}
	}
}

// programOf writes a dataset as what FuzzBuilder reads: a term is an operation and the
// last three bytes of what it says, a quad the places of its terms.
func programOf(d *rdf.Dataset) []byte {
	var program []byte
	n := 0
	places := map[rdf.ID]byte{}
	word := func(s string) { program = append(program, ("   " + s)[len(s):]...) }
	var place func(rdf.ID) byte
	place = func(id rdf.ID) byte {
		if at, ok := places[id]; ok || id == 0 {
			return at
		}
		switch term := d.Term(id); {
		case term.Kind() == rdf.KindIRI:
			program = append(program, 0)
			word(term.Value())
		case term.Kind() == rdf.KindBlank:
			program = append(program, 1)
			word(term.Value())
		case term.Lang() != "":
			program = append(program, 4)
			word(term.Value())
			word(term.Lang())
		default:
			datatype := d.LookupIRI(term.Datatype())
			at := place(datatype)
			program = append(program, 3)
			word(term.Value())
			program = append(program, at)
		}
		places[id] = byte(n)
		n++
		return places[id]
	}
	for q := range d.Quads() {
		at := []byte{place(q.S), place(q.P), place(q.O), place(q.G)}
		program = append(append(program, 6), at...)
	}
	return program
}

// FuzzBuilder: whatever is asked of a builder in whatever order, what it took is there,
// each term once and each quad once, and nothing else.
func FuzzBuilder(f *testing.F) {
	f.Add([]byte("ab\x00cd"))
	f.Add([]byte("\x05\x01a\x02b\x03c\x04d\x05e\x06f"))
	for _, seed := range suite.Seeds(f, suite.NQuads) {
		if d, err := nquads.Parse(seed.Data, nquads.Options{}); err == nil && d.Len() <= 20 {
			f.Add(programOf(d))
		}
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		b := rdf.NewBuilder(rdf.Limits{Quads: 50, BlankNodes: 20, IRIBytes: 40, LiteralBytes: 20, TermBytes: 600})
		var ids []rdf.ID
		take := func() rdf.ID {
			if len(program) == 0 || len(ids) == 0 {
				return 0
			}
			c := program[0]
			program = program[1:]
			return ids[int(c)%len(ids)]
		}
		word := func() []byte {
			n := min(len(program), 3)
			w := program[:n]
			program = program[n:]
			return w
		}
		added := map[[4]rdf.Term]bool{}
		var quads [][4]rdf.ID
		for len(program) > 0 {
			op := program[0]
			program = program[1:]
			var id rdf.ID
			var err error
			switch op % 7 {
			case 0:
				id, err = b.IRI(append([]byte("urn:"), word()...))
			case 1:
				id, err = b.Blank(word())
			case 2:
				id, err = b.FreshBlank()
			case 3:
				id, err = b.Literal(word(), take())
			case 4:
				id, err = b.LangLiteral(word(), word())
			case 5:
				b.BeginDocument("")
			case 6:
				q := [4]rdf.ID{take(), take(), take(), take()}
				if err = b.Add(q[0], q[1], q[2], q[3]); err == nil {
					quads = append(quads, q)
				}
			}
			if err == nil && id != 0 {
				ids = append(ids, id)
			}
		}
		d := b.Dataset()
		for _, q := range quads {
			added[[4]rdf.Term{d.Term(q[0]), d.Term(q[1]), d.Term(q[2]), d.Term(q[3])}] = true
			require.True(t, d.Graph(q[3]).Has(q[0], q[1], q[2]))
		}
		require.Equal(t, len(added), d.Len())
		for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
			require.Equal(t, id, d.Lookup(d.Term(id)), "%s", d.Term(id))
		}
		// The same terms and quads in another builder make the same dataset.
		again := rdf.NewBuilder(rdf.Limits{})
		for q := range d.Quads() {
			require.NoError(t, again.AddTerms(d.Term(q.S), d.Term(q.P), d.Term(q.O), d.Term(q.G)))
		}
		require.Equal(t, d.Len(), again.Dataset().Len())
	})
}
