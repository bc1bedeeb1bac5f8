package canon_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
)

// TestCanonicalize goes through the steps of the specification.
func TestCanonicalize(t *testing.T) {
	t.Parallel()
	const ex = "http://example.com/#"
	for _, c := range []struct {
		name   string
		in     []string // quads without their " .", ex written ":"
		want   []string
		labels string
	}{
		{"empty", nil, nil, ""},
		{"no blank nodes, sorted", []string{":b :p :c", ":a :q :c", ":a :p :d", ":a :p :c"}, []string{":a :p :c", ":a :p :d", ":a :q :c", ":b :p :c"}, ""},
		{"duplicates", []string{`_:x :p "v"`, `_:x :p "v"`, `_:x :p "v"^^<http://www.w3.org/2001/XMLSchema#string>`}, []string{`_:c14n0 :p "v"`}, "x=c14n0"},

		// Step 4: in the order of first degree hashes (section 4.4.2, unique hashes).
		{
			"unique hashes",
			[]string{":p :q _:e0", ":p :r _:e1", "_:e0 :s :u", "_:e1 :t :u"},
			[]string{":p :q _:c14n0", ":p :r _:c14n1", "_:c14n0 :s :u", "_:c14n1 :t :u"},
			"e0=c14n0 e1=c14n1",
		},
		// Step 5: e0 and e1 differ by what they are linked to (section 4.4.2, shared hashes).
		{
			"shared hashes",
			[]string{":p :q _:e0", ":p :q _:e1", "_:e0 :p _:e2", "_:e1 :p _:e3", "_:e2 :r _:e3"},
			[]string{":p :q _:c14n2", ":p :q _:c14n3", "_:c14n0 :r _:c14n1", "_:c14n2 :p _:c14n1", "_:c14n3 :p _:c14n0"},
			"e2=c14n0 e3=c14n1 e1=c14n2 e0=c14n3",
		},
		// Step 5.3: identifiers in the order of the issuer, one component after the other.
		{
			"duplicate paths",
			[]string{"_:e0 :p1 _:e1", `_:e1 :p2 "Foo"`, "_:e2 :p1 _:e3", `_:e3 :p2 "Foo"`},
			[]string{"_:c14n0 :p1 _:c14n1", `_:c14n1 :p2 "Foo"`, "_:c14n2 :p1 _:c14n3", `_:c14n3 :p2 "Foo"`},
			"e0=c14n0 e1=c14n1 e2=c14n2 e3=c14n3",
		},
		{
			"double circle",
			[]string{"_:e0 :next _:e1", "_:e0 :prev _:e1", "_:e1 :next _:e0", "_:e1 :prev _:e0"},
			[]string{"_:c14n0 :next _:c14n1", "_:c14n0 :prev _:c14n1", "_:c14n1 :next _:c14n0", "_:c14n1 :prev _:c14n0"},
			"e0=c14n0 e1=c14n1",
		},
		{
			"graph named by a blank node",
			[]string{"_:e0 :p1 _:e1", `_:e1 :p2 "Foo"`, "_:e1 :p3 _:g0", "_:e0 :p1 _:e1 _:g0", `_:e1 :p2 "Bar" _:g0`},
			[]string{"_:c14n0 :p1 _:c14n1", "_:c14n0 :p1 _:c14n1 _:c14n2", `_:c14n1 :p2 "Bar" _:c14n2`, `_:c14n1 :p2 "Foo"`, "_:c14n1 :p3 _:c14n2"},
			"e0=c14n0 e1=c14n1 g0=c14n2",
		},
		{"a node that links to itself", []string{"_:x :p _:x", "_:y :p _:y"}, []string{"_:c14n0 :p _:c14n0", "_:c14n1 :p _:c14n1"}, "x=c14n0 y=c14n1"},
		{"a node in all places", []string{"_:x :p _:x _:x"}, []string{"_:c14n0 :p _:c14n0 _:c14n0"}, "x=c14n0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := func(quads []string) string {
				var b strings.Builder
				for _, q := range quads {
					for _, term := range strings.Fields(q) {
						if name, ok := strings.CutPrefix(term, ":"); ok {
							term = "<" + ex + name + ">"
						}
						b.WriteString(term + " ")
					}
					b.WriteString(".\n")
				}
				return b.String()
			}
			d := parse(t, text(c.in))
			r, err := canon.Canonicalize(t.Context(), d, canon.Options{})
			require.NoError(t, err)
			assert.Equal(t, text(c.want), string(r.NQuads()))
			var labels []string
			for _, l := range r.Labels() {
				labels = append(labels, l.Input+"="+l.Canonical)
			}
			assert.Equal(t, c.labels, strings.Join(labels, " "))
		})
	}
}

// TestInputLabels swaps labels that look like canonical ones, and gives
// different data the labels under which a renaming that trusts them makes it
// the same.
func TestInputLabels(t *testing.T) {
	t.Parallel()
	form := func(text string) string {
		r, err := canon.Canonicalize(t.Context(), parse(t, text), canon.Options{})
		require.NoError(t, err)
		return string(r.NQuads())
	}
	a := "_:c14n0 <urn:p> \"1\" .\n_:c14n1 <urn:p> \"2\" .\n"
	assert.Equal(t, form(a), form("_:c14n1 <urn:p> \"1\" .\n_:c14n0 <urn:p> \"2\" .\n"))
	assert.Equal(t, form(a), form("_:c14n1 <urn:p> \"1\" .\n_:x <urn:p> \"2\" .\n"))
	assert.NotEqual(t,
		form("_:c14n1 <urn:p> \"1\" .\n_:x <urn:p> \"2\" .\n_:y <urn:p> \"3\" .\n"),
		form("_:c14n1 <urn:p> \"1\" .\n_:c14n1 <urn:p> \"3\" .\n_:c14n2 <urn:p> \"2\" .\n"))
}

// TestAnonymousBlankNodes hashes blank nodes that have no label in a document.
func TestAnonymousBlankNodes(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	p, err := b.IRI([]byte("urn:p"))
	require.NoError(t, err)
	x, err := b.FreshBlank()
	require.NoError(t, err)
	y, err := b.FreshBlank()
	require.NoError(t, err)
	unused, err := b.FreshBlank()
	require.NoError(t, err)
	require.NotZero(t, unused)
	require.NoError(t, b.Add(x, p, y, 0))
	d := b.Dataset()
	r, err := canon.Canonicalize(t.Context(), d, canon.Options{})
	require.NoError(t, err)
	want, err := canon.Canonicalize(t.Context(), parse(t, "_:x <urn:p> _:y .\n"), canon.Options{})
	require.NoError(t, err)
	assert.Equal(t, string(want.NQuads()), string(r.NQuads()))
	assert.Len(t, r.Labels(), 2, "a blank node in no quad has no canonical label")
	for i, l := range r.Labels() {
		assert.Equal(t, fmt.Sprint("c14n", i), l.Canonical)
		assert.Contains(t, []string{d.Value(x), d.Value(y)}, l.Input)
	}
}

// TestEscapes checks every character that appendix A writes in a special way,
// and those beside them.
func TestEscapes(t *testing.T) {
	t.Parallel()
	short := map[rune]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`}
	runes := []rune{0x7e, 0x7f, 0x80, 0x9f, 0xa0, 0x2028, 0xd7ff, 0xe000, 0xfeff, 0xfdd0, 0xfffd, 0xfffe, 0xffff, 0x1fffe, 0x1f600, 0x10ffff}
	for r := range rune(0x60) {
		runes = append(runes, r)
	}
	for _, r := range runes {
		want := string(r)
		if s, ok := short[r]; ok {
			want = s
		} else if r < 0x20 || r == 0x7f || r == 0xfffe || r == 0xffff { // the last two are no Char of XML 1.1
			want = fmt.Sprintf(`\u%04X`, r)
		}
		b := rdf.NewBuilder(rdf.Limits{})
		s, err := b.IRI([]byte("urn:s"))
		require.NoError(t, err)
		o, err := b.LangLiteral([]byte(string(r)), []byte("en-GB"))
		require.NoError(t, err)
		require.NoError(t, b.Add(s, s, o, 0))
		c, err := canon.Canonicalize(t.Context(), b.Dataset(), canon.Options{})
		require.NoError(t, err)
		assert.Equal(t, `<urn:s> <urn:s> "`+want+"\"@en-GB .\n", string(c.NQuads()))
	}
}

// TestLanguageTags: tags are kept as written, so they are different data.
func TestLanguageTags(t *testing.T) {
	t.Parallel()
	r, err := canon.Canonicalize(t.Context(), parse(t, "_:a <urn:p> \"foo\"@FR .\n_:a <urn:p> \"foo\"@fr .\n"), canon.Options{})
	require.NoError(t, err)
	assert.Equal(t, "_:c14n0 <urn:p> \"foo\"@FR .\n_:c14n0 <urn:p> \"foo\"@fr .\n", string(r.NQuads()))
}

// TestLinesAreInByteOrder checks that lines are in the order of their bytes, for terms that
// begin with one another or differ in what follows them.
func TestLinesAreInByteOrder(t *testing.T) {
	t.Parallel()
	iris := []string{
		"<urn:a>", "<urn:a/b>", "<urn:a0>", "<urn:a!>", "<urn:a?>", "<urn:a@>", "<urn:A>", "<urn:a=>", "<urn:a;>", "<urn:a~>",
		"<urn:aaaaaaaa>", "<urn:aaaaaaaab>", "<urn:aaa>", "<urn:é>", "<urn:\uffff>", "<urn:\U00010000>", "<urn:\ue000>",
		"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#types>",
	}
	objects := append(slices.Clone(iris),
		`"a"`, `"a"@en`, `"a"@en-GB`, `"a"@eng`, `"a"^^<urn:a>`, `"a"^^<urn:a/b>`, `"a!"`, `"a "`, `"a#"`, `"a\""`, `"a\\"`, `"a\n"`, `"a\u0000"`,
		`"a\u007F"`, `""`, `" "`, `"\uFFFF"`, `"\U00010000"`, `"a\" "`, `"a b"`, `"aaaaaaa"`, `"aaaaaaaa"`, `"aaaaaaaaa"`,
	)
	r := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		iris = append(iris, fmt.Sprintf("<http://example.org/items/%d>", r.IntN(2000)))
		objects = append(objects, fmt.Sprintf(`"a longer text with %d words"`, r.IntN(2000)), iris[len(iris)-1])
	}
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	for round := range 60 {
		var b strings.Builder
		for i := range 20 + 10*round {
			subject, object, graph := pick(iris), pick(objects), ""
			if i%3 == 0 {
				subject = fmt.Sprintf("_:n%d", r.IntN(40))
			}
			if i%5 == 0 {
				object = fmt.Sprintf("_:n%d", r.IntN(40))
			}
			switch i % 4 {
			case 0:
				graph = pick(iris) + " "
			case 1:
				graph = fmt.Sprintf("_:n%d ", r.IntN(40))
			}
			fmt.Fprintf(&b, "%s %s %s %s.\n", subject, pick(iris[:8]), object, graph)
		}
		d := parse(t, b.String())
		c, err := canon.Canonicalize(t.Context(), d, canon.Options{})
		require.NoError(t, err)
		lines := bytes.SplitAfter(c.NQuads(), []byte("\n"))
		lines = lines[:len(lines)-1]
		require.Len(t, lines, d.Len())
		for i := 1; i < len(lines); i++ {
			require.Negative(t, bytes.Compare(lines[i-1], lines[i]), "%s%s", lines[i-1], lines[i])
		}
	}
}

func TestAlgorithm(t *testing.T) {
	t.Parallel()
	d := parse(t, ring(3)+"_:n0 <urn:q> \"1\" .\n_:n1 <urn:q> \"2\" .\n")
	a, err := canon.Canonicalize(t.Context(), d, canon.Options{})
	require.NoError(t, err)
	b, err := canon.Canonicalize(t.Context(), d, canon.Options{Algorithm: canon.SHA384})
	require.NoError(t, err)
	assert.NotEqual(t, string(a.NQuads()), string(b.NQuads()), "labels follow other hashes")
	h, err := canon.Hash(t.Context(), d, canon.Options{Algorithm: canon.SHA384})
	require.NoError(t, err)
	assert.Equal(t, canon.Sum(b.NQuads()), h, "the digest is SHA-256 in any case")
	assert.Equal(t, "sha256 sha384", fmt.Sprint(canon.SHA256, " ", canon.SHA384))
}

// TestRunsDoNotMix runs inputs of all kinds side by side: memory that runs share
// one after the other must not show in their results.
func TestRunsDoNotMix(t *testing.T) {
	t.Parallel()
	texts := []string{"", ring(3), clique(5), chain(30), plainQuads(2000), clique(9), stars(3, 3), inGraph(ring(4), "_:g"), petersen(), stars(300, 1)}
	type answer struct {
		text, hash string
		err        error
	}
	ask := func(d *rdf.Dataset, o canon.Options) answer {
		h, err := canon.Hash(t.Context(), d, o)
		c, errC := canon.Canonicalize(t.Context(), d, o)
		if err != nil || errC != nil {
			return answer{err: errC}
		}
		return answer{string(c.NQuads()), h.String(), nil}
	}
	var all []func() bool
	for _, text := range texts {
		for _, o := range []canon.Options{{}, {Algorithm: canon.SHA384}} {
			d := parse(t, text)
			want := ask(d, o)
			all = append(all, func() bool { return assert.ObjectsAreEqual(want, ask(d, o)) })
		}
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for range 5 {
				for _, k := range r.Perm(len(all)) {
					assert.True(t, all[k]())
				}
			}
		})
	}
	wg.Wait()
}
