package turtle_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// Each row is one document that is just within a limit and one just beyond.
func TestLimits(t *testing.T) {
	t.Parallel()
	const s = "<a:s> <a:p> "
	for _, row := range []struct {
		name           string
		limits         rdf.Limits
		within, beyond string
		says           string
	}{
		{"bytes", rdf.Limits{Bytes: 30}, "<a:s> <a:p> <a:o> . #123456789", "<a:s> <a:p> <a:o> . #1234567890", "f: bytes limit 30 exceeded"},
		{"quads", rdf.Limits{Quads: 2}, s + "<a:1>, <a:2>.", s + "<a:1>, <a:2>, <a:3>.", "f:1:27: quads limit 2 exceeded"},
		{"quads counts duplicates", rdf.Limits{Quads: 1}, s + "<a:1> .", s + "<a:1>, <a:1> .", "quads limit 1 exceeded"},
		{"quads counts those of collections", rdf.Limits{Quads: 5}, s + "(1 2).", s + "(1 2), 3 .", "quads limit 5 exceeded"},
		{"blank nodes", rdf.Limits{BlankNodes: 2}, s + "_:a, [], _:a .", s + "_:a, [], [] .", "f:1:22: blank nodes limit 2 exceeded"},
		{"blank nodes counts cells", rdf.Limits{BlankNodes: 2}, s + "(1 2) .", s + "(1 2 3) .", "f:1:18: blank nodes limit 2 exceeded"},
		{"blank nodes counts labels", rdf.Limits{BlankNodes: 1}, s + "_:a .", s + "_:a, _:b .", "f:1:18: blank nodes limit 1 exceeded"},
		{"IRI", rdf.Limits{IRIBytes: 5}, s + "<a:345> .", s + "<a:3456> .", "f:1:13: iri bytes limit 5 exceeded"},
		{"IRI after its escapes", rdf.Limits{IRIBytes: 5}, s + `<a:34\u0035> .`, s + `<a:34\u00355> .`, "f:1:13: iri bytes limit 5 exceeded"},
		{"IRI after its prefix", rdf.Limits{IRIBytes: 5}, "@prefix e: <a:34> ." + s + "e:5 .", "@prefix e: <a:34> ." + s + "e:56 .", "f:1:32: iri bytes limit 5 exceeded"},
		{"IRI after its base", rdf.Limits{IRIBytes: 8}, "@base <a:/34/> ." + s + "<67> .", "@base <a:/34/> ." + s + "<678> .", "f:1:29: iri bytes limit 8 exceeded"},
		{"namespace", rdf.Limits{IRIBytes: 5}, "@prefix e: <a:345> .", "@prefix e: <a:3456> .", "f:1:12: iri bytes limit 5 exceeded"},
		{"base", rdf.Limits{IRIBytes: 5}, "@base <a:345> .", "@base <a:3456> .", "f:1:7: iri bytes limit 5 exceeded"},
		{"literal", rdf.Limits{LiteralBytes: 3}, s + `"123" .`, s + `"1234" .`, "f:1:13: literal bytes limit 3 exceeded"},
		{"literal after its escapes", rdf.Limits{LiteralBytes: 3}, s + `"""12\u0033"""@en .`, s + `"""12\u00334"""@en .`, "f:1:13: literal bytes limit 3 exceeded"},
		{"number", rdf.Limits{LiteralBytes: 3}, s + `123 .`, s + `1234 .`, "f:1:13: literal bytes limit 3 exceeded"},
		{"nesting of brackets", rdf.Limits{Nesting: 2}, s + "[ <a:p> [ <a:p> [] ] ] .", s + "[ <a:p> [ <a:p> [ <a:p> [] ] ] ] .", "f:1:29: nesting limit 2 exceeded"},
		{"nesting of parentheses", rdf.Limits{Nesting: 2}, s + "((())) .", s + "(((()))) .", "f:1:15: nesting limit 2 exceeded"},
		{"nesting of a subject", rdf.Limits{Nesting: 1}, "[ <a:p> [] ] .", "[ <a:p> ( 1 ) ] .", "f:1:9: nesting limit 1 exceeded"},
		{"prefixes", rdf.Limits{Prefixes: 2}, "@prefix e: <a:> . BASE <b:>", "@prefix e: <a:> . @prefix e: <a:> . @prefix e: <a:> .", "prefixes limit 2 exceeded"},
		{"bases", rdf.Limits{Prefixes: 1}, "@base <b:> .", "@base <b:> . BASE <b:>", "f:1:18: prefixes limit 1 exceeded"},
		{"all terms", rdf.Limits{TermBytes: 50}, s + `"123" .`, s + `"` + strings.Repeat("x", 50) + `" .`, "term bytes limit 50 exceeded"},
		{"short references that stand for long namespaces", rdf.Limits{TermBytes: 3100}, "@base <a:" + strings.Repeat("x", 1000) + "> . @prefix e: <#> . @prefix f: <#> . @prefix f: <#> .",
			"@base <a:" + strings.Repeat("x", 1000) + "> . @prefix e: <#> . @prefix f: <#> . @prefix g: <#> . @prefix h: <#> .", "f:1:1076: term bytes limit 3100 exceeded"},
		{"short names under a long prefix", rdf.Limits{TermBytes: 3000}, "@prefix e: <a:" + strings.Repeat("x", 1000) + "> . e:1 e:1 e:2 .",
			"@prefix e: <a:" + strings.Repeat("x", 1000) + "> . e:1 e:2 e:3 .", "term bytes limit 3000 exceeded"},
		{"ways to spell a long IRI", rdf.Limits{TermBytes: 3000}, "@base <a:/" + strings.Repeat("x", 1000) + "/> . <1> <1> <./1> .",
			"@base <a:/" + strings.Repeat("x", 1000) + "/> . <1> <./1> <././1> .", "f:1:1026: term bytes limit 3000 exceeded"},
		{"a long base, of which little is left", rdf.Limits{TermBytes: 3000}, "@base <a:/" + strings.Repeat("x/../", 200) + "> . <1> <1> <./1> .",
			"@base <a:/" + strings.Repeat("x/../", 200) + "> . <1> <./1> <././1> .", "term bytes limit 3000 exceeded"},
		{"short references that stand for long bases", rdf.Limits{TermBytes: 3100}, "@base <a:/" + strings.Repeat("x", 1000) + "/> . @base <#> . @base <#> . @base <#> .",
			"@base <a:/" + strings.Repeat("x", 1000) + "/> . @base <#> . @base <#> . @base <#> . @base <#> .", "f:1:1058: term bytes limit 3100 exceeded"},
		{"a long name with an escape, said again", rdf.Limits{TermBytes: 3100}, "@prefix e: <a:" + strings.Repeat("x", 1000) + "> . e:%31 e:%31 e:%31 .",
			"@prefix e: <a:" + strings.Repeat("x", 1000) + "> . e:%31 e:%31 e:%31, e:%31 .", "f:1:1038: term bytes limit 3100 exceeded"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := turtle.Parse([]byte(row.within), turtle.Options{Limits: row.limits, File: "f"})
			require.NoError(t, err)
			for _, p := range []parse{turtle.Parse, turtle.ParseTriG} {
				_, err = p([]byte(row.beyond), turtle.Options{Limits: row.limits, File: "f"})
				var e *rdf.LimitError
				require.ErrorAs(t, err, &e)
				assert.Contains(t, err.Error(), row.says)
			}
			_, err = turtle.Read(strings.NewReader(row.beyond), turtle.Options{Limits: row.limits, File: "f"})
			var e *rdf.LimitError
			require.ErrorAs(t, err, &e)
		})
	}
}

// What hostile documents cost is bounded, whatever they hold: each is refused,
// with little memory beyond its own. (The time is bounded by the reader's one
// pass; a test of it would depend on the machine.)
func TestHostile(t *testing.T) {
	large := rdf.Local()
	const mega = 1 << 20
	for _, row := range []struct {
		name   string
		limits rdf.Limits
		doc    func() []byte
		says   string
	}{
		{"a million open brackets", large, func() []byte { return append([]byte("<a:s> <a:p> "), bytes.Repeat([]byte("[ <a:p> "), 1_000_000)...) }, "nesting limit 1000 exceeded"},
		{"a million brackets as subject", large, func() []byte { return bytes.Repeat([]byte("[ <a:p> "), 1_000_000) }, "nesting limit 1000 exceeded"},
		{"a million open parentheses", large, func() []byte { return append([]byte("<a:s> <a:p> "), bytes.Repeat([]byte("("), 1_000_000)...) }, "nesting limit 1000 exceeded"},
		{"a million closed parentheses", large, func() []byte {
			return fmt.Appendf(nil, "<a:s> <a:p> %s%s .", bytes.Repeat([]byte("("), 1_000_000), bytes.Repeat([]byte(")"), 1_000_000))
		}, "nesting limit 1000 exceeded"},
		{"ten million open parentheses", large, func() []byte { return append([]byte("<a:s> <a:p> "), bytes.Repeat([]byte("("), 10_000_000)...) }, "nesting limit 1000 exceeded"},
		{"a literal of 50 MB", large, func() []byte { return fmt.Appendf(nil, "<a:s> <a:p> \"%s\" .", bytes.Repeat([]byte("x"), 50_000_000)) }, "literal bytes limit"},
		{"an IRI of 50 MB", large, func() []byte { return fmt.Appendf(nil, "<a:s> <a:p> <a:%s> .", bytes.Repeat([]byte("x"), 50_000_000)) }, "iri bytes limit"},
		{"a name of 50 MB", large, func() []byte {
			return fmt.Appendf(nil, "@prefix e: <a:> . <a:s> <a:p> e:%s .", bytes.Repeat([]byte("x"), 50_000_000))
		}, "iri bytes limit"},
		{"a name of 50 MB of escapes", large, func() []byte {
			return fmt.Appendf(nil, "@prefix e: <a:> . <a:s> <a:p> e:%s .", bytes.Repeat([]byte(`\-`), 25_000_000))
		}, "iri bytes limit"},
		{"a word of 50 MB", large, func() []byte { return bytes.Repeat([]byte("x"), 50_000_000) }, "expected a subject"},
		{"a prefix of 50 MB that is not declared", large, func() []byte { return append(bytes.Repeat([]byte("x"), 50_000_000), ":x"...) }, "is not declared"},
		{"a label of 50 MB", large, func() []byte { return append([]byte("_:"), bytes.Repeat([]byte("x"), 50_000_000)...) }, "expected a predicate"},
		{"a name of 50 MB of dots", large, func() []byte {
			return fmt.Appendf(nil, "@prefix e: <a:> . <a:s> <a:p> e:%%41%s1 .", bytes.Repeat([]byte("."), 50_000_000))
		}, "iri bytes limit"},
		{"a language tag of 50 MB", large, func() []byte {
			return fmt.Appendf(nil, "<a:s> <a:p> \"x\"@%s .", bytes.Repeat([]byte("x"), 50_000_000))
		}, "limit"},
		{"a number of 50 MB", large, func() []byte { return fmt.Appendf(nil, "<a:s> <a:p> %s .", bytes.Repeat([]byte("1"), 50_000_000)) }, "literal bytes limit"},
		{"a literal of 50 MB without an end", large, func() []byte { return append([]byte("<a:s> <a:p> '''"), bytes.Repeat([]byte("''x"), 16_000_000)...) }, "no closing '''"},
		{"blank nodes beyond the limit", rdf.Limits{Bytes: 10 * mega, Quads: mega}, func() []byte { return bytes.Repeat([]byte("[] <a:p> [] ."), 10_000) }, "blank nodes limit 1000 exceeded"},
		{"prefixes beyond the limit", rdf.Limits{Bytes: 10 * mega}, func() []byte { return bytes.Repeat([]byte("@prefix e: <a:> ."), 10_000) }, "prefixes limit 256 exceeded"},
		{"long namespaces by short references", rdf.Limits{Bytes: 10 * mega, IRIBytes: 64 << 10, Prefixes: 100_000}, func() []byte {
			doc := fmt.Appendf(nil, "@base <a:%s> .\n", bytes.Repeat([]byte("x"), 60_000))
			for i := range 50_000 {
				doc = fmt.Appendf(doc, "@prefix p%d: <#> .\n", i)
			}
			return doc
		}, "term bytes limit 4194304 exceeded"},
		{"long IRIs by short references", rdf.Limits{Bytes: 10 * mega, IRIBytes: 64 << 10}, func() []byte {
			doc := fmt.Appendf(nil, "@base <a:/%s> .\n", bytes.Repeat([]byte("x/"), 30_000))
			for i := range 3_000 {
				doc = fmt.Appendf(doc, "<> <> <%d/..> .\n", i)
			}
			return doc
		}, "term bytes limit 4194304 exceeded"},
		{"long IRIs by short names", rdf.Limits{Bytes: 10 * mega, IRIBytes: 64 << 10}, func() []byte {
			return append(fmt.Appendf(nil, "@prefix e: <a:%s> .\n", bytes.Repeat([]byte("x"), 60_000)), bytes.Repeat([]byte("e:%41 e:%41 e:%41 .\n"), 9_000)...)
		}, "term bytes limit 4194304 exceeded"},
		// Words that stand against each other: each could be the start of a name
		// that goes on to the end.
		{"keywords against numbers", large, func() []byte { return append([]byte("<a:s> <a:p> ("), bytes.Repeat([]byte("true.5"), 200_000)...) }, "expected another object"},
		{"names without a local part against numbers", large, func() []byte {
			return append([]byte("@prefix e: <a:> . <a:s> <a:p> ("), bytes.Repeat([]byte("e:-1"), 200_000)...)
		}, "expected another object"},
		// Each comment ends in CR, and there is no LF but perhaps the last byte.
		{"comments in lines of CR", large, func() []byte { return append(bytes.Repeat([]byte("#\r"), 10*mega), 'x') }, "f:10485761:1: expected a subject"},
		{"comments in lines of CR, and a LF", large, func() []byte { return append(bytes.Repeat([]byte("#\r"), 10*mega), "x\n"...) }, "f:10485761:1: expected a subject"},
		{"dense at the start, empty behind", rdf.Limits{Bytes: 100 * mega, Quads: 50_000, BlankNodes: 1}, func() []byte {
			return append(append(bytes.Repeat([]byte("<a:s> <a:p> 1, 2, 3, 4, 5, 6, 7, 8, 9 ."), 2000), bytes.Repeat([]byte("#"), 50*mega)...), "\n x"...)
		}, "expected a subject"},
	} {
		t.Run(row.name, func(t *testing.T) {
			doc := row.doc()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := turtle.Parse(doc, turtle.Options{Limits: row.limits, File: "f"})
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, row.says)
			assert.Less(t, len(err.Error()), 1000, "the message shows only a part")
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(150*mega))
		})
	}
}
