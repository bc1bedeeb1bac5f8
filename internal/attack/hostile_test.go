package attack_test

import (
	"fmt"
	"slices"
	"strings"
)

// hostileInput is an input that somebody wrote to do harm.
type hostileInput struct {
	name string
	form form
	data func() []byte // made anew: some are large
	// refused inputs are accepted by nothing that reads their form.
	refused bool
	// heavy inputs take so long that the short form leaves them out.
	heavy bool
}

// hostile is the corpus.
func hostile(w *world) []hostileInput {
	return slices.Concat(
		hostileJSON(), hostileTurtle(), hostileQuads(), hostileUnicode(), hostileJSONLD(), hostileTerms(),
		hostileShapes(), hostilePatterns(), hostilePolicies(), hostileTraces(), hostileLists(), hostileMessages(w), hostileSecured(w), hostileWorkflows(),
	)
}

func text(f form, name, s string) hostileInput {
	return hostileInput{name: name, form: f, data: func() []byte { return []byte(s) }}
}

// bad is a text that nobody may accept.
func bad(f form, name, s string) hostileInput {
	h := text(f, name, s)
	h.refused = true
	return h
}

// made is a text that is made when it is needed.
func made(f form, name string, make func() string) hostileInput {
	return hostileInput{name: name, form: f, data: func() []byte { return []byte(make()) }}
}

func heavy(h hostileInput) hostileInput { h.heavy = true; return h }

func times(s string, n int) func() string { return func() string { return strings.Repeat(s, n) } }

// repeat makes one text of many that a number tells apart.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// hostileJSON: too deep, too large, too many, and what two readers read differently.
func hostileJSON() []hostileInput {
	var all []hostileInput
	for _, n := range []int{65, 1_000, 100_000, 1_000_000} {
		for _, open := range []string{"[", `{"a":`, `[{"":`} {
			h := made(inJSON, fmt.Sprintf("%d times %s", n, open), times(open, n))
			h.refused, h.heavy = true, n > 100_000
			all = append(all, h)
		}
		closed := made(inJSON, fmt.Sprintf("%d arrays", n), func() string { return strings.Repeat("[", n) + strings.Repeat("]", n) })
		closed.refused, closed.heavy = true, n > 100_000
		all = append(all, closed)
	}
	for _, row := range []struct{ name, text string }{
		{"nothing", ""}, {"white space", " \n\t"}, {"a zero byte", "\x00"},
		{"a member twice", `{"a":1,"a":1}`},
		{"a member twice by an escape", `{"a":1,"\u0061":1}`},
		{"a member twice, deep", `{"x":[{"kind":"upgrade-offer","kind":"upgrade-response"}]}`},
		{"a comma too many", `{"a":1,}`}, {"a comma too many in an array", `[1,]`}, {"a comma too few", `{"a":1 "b":2}`},
		{"a comment", `{"a":1/* x */}`}, {"a line comment", "{\"a\":1}// x"}, {"single quotes", `{'a':1}`}, {"a bare name", `{a:1}`},
		{"NaN", `{"a":NaN}`}, {"Infinity", `{"a":-Infinity}`}, {"hexadecimal", `{"a":0x10}`}, {"a plus", `{"a":+1}`}, {"a leading zero", `{"a":01}`},
		{"a bare point", `{"a":1.}`}, {"a point first", `{"a":.5}`}, {"no exponent", `{"a":1e}`}, {"not finite", `{"a":1e309}`}, {"far from finite", `{"a":1e999999999}`},
		{"two values", `{} {}`}, {"a zero byte behind", "{}\x00"}, {"a byte order mark", "\ufeff{}"}, {"a byte order mark within", "{\ufeff}"},
		{"UTF-16", "\xff\xfe{\x00}\x00"}, {"an escape that is none", `{"a":"\x41"}`}, {"half an escape", `{"a":"\u12"}`},
		{"a control character", "{\"a\":\"\n\"}"}, {"a tab in a name", "{\"a\t\":1}"}, {"a lone surrogate", `{"a":"\ud800"}`},
		{"a low surrogate", `{"a":"\udc00"}`}, {"surrogates in the wrong order", `{"a":"\udc00\ud800"}`}, {"a lone surrogate in a name", `{"\ud800":1}`},
		{"cut in a string", `{"a":"b`}, {"cut in an escape", `{"a":"\`}, {"cut in a number", `{"a":-`}, {"cut in a literal", `{"a":tru`}, {"a literal in capitals", `{"a":True}`},
		{"a vertical tab between", "{\v\"a\":1}"}, {"a no-break space between", "{\u00a0\"a\":1}"}, {"a line separator between", "{\u2028\"a\":1}"},
		{"CBOR", "\xa1\x61a\x01"}, {"HTML", "<!doctype html><title>404</title>"}, {"JavaScript", "while(1);{}"}, {"gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00"},
	} {
		all = append(all, bad(inJSON, row.name, row.text))
	}
	for _, row := range []struct{ name, text string }{
		{"null", "null"}, {"a number", "7"}, {"a string", `"x"`}, {"an empty object", "{}"}, {"an empty array", "[]"},
		{"names of prototypes", `{"__proto__":{"kind":"upgrade-offer"},"constructor":1,"toString":2}`},
		{"minus zero", `{"a":-0,"b":-0.0,"c":0e-99999}`}, {"small", `{"a":1e-400}`}, {"beyond 2^53", `{"a":9007199254740993}`},
		{"names of other cases", `{"Kind":"upgrade-offer","KIND":"upgrade-offer","protocolhash":"x","Required":false}`},
		{"names that look alike", `{"кind":"upgrade-offer","ſignatures":[],"\u212aind":1}`},
		{"names that normalise to one", "{\"\u00e9\":1,\"e\u0301\":2}"}, {"an empty name", `{"":1}`}, {"zero in a name", `{"a\u0000b":1}`},
	} {
		all = append(all, text(inJSON, row.name, row.text))
	}
	huge := func(name string, f func() string) {
		h := made(inJSON, name, f)
		h.refused = true
		all = append(all, h)
	}
	huge("many members", func() string { return `{` + repeat(300_000, `"m%d":0,`) + `"z":0}` })
	huge("many values", func() string { return `[` + strings.Repeat("0,", 2_200_000) + `0]` })
	huge("a long string", func() string { return `{"a":"` + strings.Repeat("x", 5<<20) + `"}` })
	huge("a long name", func() string { return `{"` + strings.Repeat("x", 5<<20) + `":1}` })
	huge("much white space", func() string { return strings.Repeat(" ", 5<<20) + "{}" })
	huge("a long number", func() string { return `{"a":` + strings.Repeat("9", 300_000) + `}` })
	all = append(all,
		made(inJSON, "a number with many digits", func() string { return `{"a":0.` + strings.Repeat("3", 30_000) + `}` }),
		made(inJSON, "an exponent with many digits", func() string { return `{"a":1e-` + strings.Repeat("9", 30_000) + `}` }),
		made(inJSON, "many escapes", func() string { return `{"a":"` + strings.Repeat(`\u0061`, 8_000) + `"}` }),
		made(inJSON, "names with one hash", func() string { return `{` + repeat(4_000, `"%[1]d\u0000%[1]d":0,`) + `"z":0}` }),
	)
	return all
}

// hostileUnicode goes to every reader of text: bytes that are not UTF-8 are accepted by
// none.
func hostileUnicode() []hostileInput {
	var all []hostileInput
	wrap := map[form]string{
		inJSON: `{"a":"%s"}`, inJSONLD: `{"@id":"urn:a","urn:b":"%s"}`,
		inTurtle: `<urn:a> <urn:b> "%s" .`, inNQuads: `<urn:a> <urn:b> "%s" .`,
	}
	forms := []form{inJSON, inJSONLD, inTurtle, inNQuads}
	for name, bytes := range map[string]string{
		"an overlong slash": "\xc0\xaf", "an overlong zero": "\xc0\x80", "overlong in three": "\xe0\x80\xaf", "overlong in four": "\xf0\x80\x80\xaf",
		"a surrogate in UTF-8": "\xed\xa0\x80", "a pair in CESU-8": "\xed\xa0\x81\xed\xb0\x80", "beyond Unicode": "\xf4\x90\x80\x80", "five bytes": "\xf8\x88\x80\x80\x80",
		"a continuation alone": "\x80", "cut": "\xe2\x82", "Latin-1": "caf\xe9", "FF": "\xff",
	} {
		for _, f := range forms {
			all = append(all, bad(f, name, fmt.Sprintf(wrap[f], bytes)))
		}
	}
	for name, s := range map[string]string{
		"right to left": "\u202egnp.exe", "isolates": "\u2066\u2069\u2067", "zero width": "a\u200bb\u200c\u200d\u2060", "tags": "\U000e0041\U000e007f",
		"noncharacters": "\ufffe\uffff\U0010ffff", "decomposed": "e\u0301\u0323", "many marks": "e" + strings.Repeat("\u0301", 10_000), "private use": "\ue000", "a soft hyphen": "a\u00adb",
		"C1 controls": "\u0085\u009b31m", "an escape sequence": "x", "full width": "\uff41\uff1a", "a replacement character": "\ufffd",
	} {
		for _, f := range forms {
			all = append(all, text(f, name, fmt.Sprintf(wrap[f], s)))
		}
	}
	slices.SortFunc(all, func(a, b hostileInput) int { return strings.Compare(a.name+string(a.form), b.name+string(b.form)) })
	return all
}

// hostileTurtle: brackets, lists, prefixes, and what looks as if it said something else.
func hostileTurtle() []hostileInput {
	var all []hostileInput
	for _, n := range []int{65, 1_000, 100_000, 1_000_000} {
		for _, open := range []string{"[ <urn:p> ", "( ", "<urn:a> <urn:b> ( [ <urn:p> "} {
			h := made(inTurtle, fmt.Sprintf("%d times %s", n, open), func() string { return "<urn:s> <urn:p> " + strings.Repeat(open, n) })
			h.refused, h.heavy = true, n > 100_000
			all = append(all, h)
		}
	}
	for _, row := range []struct{ name, text string }{
		{"a relative IRI without a base", "<a> <b> <c> ."}, {"a space in an IRI", "<urn:a b> <urn:p> <urn:o> ."}, {"a space by an escape", `<urn:a\u0020b> <urn:p> <urn:o> .`},
		{"an angle bracket by an escape", `<urn:a\u003Eb> <urn:p> <urn:o> .`}, {"a surrogate by an escape", `<urn:a\uD800> <urn:p> <urn:o> .`}, {"beyond Unicode by an escape", `<urn:a> <urn:p> "\U00110000" .`},
		{"an escape that is none", `<urn:a> <urn:p> "\x41" .`}, {"a literal as subject", `"x" <urn:p> <urn:o> .`}, {"a blank predicate", `<urn:s> _:p <urn:o> .`},
		{"no dot", "<urn:s> <urn:p> <urn:o>"}, {"a prefix that is not declared", "ex:a ex:b ex:c ."}, {"a prefix without a dot", "@prefix ex: <urn:ex:> ex:a ex:b ex:c ."},
		{"a keyword in capitals", "<urn:s> A <urn:o> ."}, {"a keyword run together", "<urn:s> a<urn:o> ; trueish <urn:p> ."}, {"a language of nothing", `<urn:s> <urn:p> "x"@ .`},
		{"a graph in Turtle's end", "<urn:g> { <urn:s> <urn:p> <urn:o> ."}, {"a quoted triple", "<< <urn:s> <urn:p> <urn:o> >> <urn:p> <urn:o> ."}, {"a label with a colon", "_:a:b <urn:p> <urn:o> ."},
		{"a variable", "?x <urn:p> <urn:o> ."}, {"a formula", "{ <urn:s> <urn:p> <urn:o> } <urn:p> <urn:o> ."}, {"HTML", "<!doctype html>"}, {"a string over a line", "<urn:s> <urn:p> \"a\nb\" ."},
	} {
		all = append(all, bad(inTurtle, row.name, row.text))
	}
	for _, row := range []struct{ name, text string }{
		{"nothing", ""}, {"a byte order mark", "\ufeff<urn:s> <urn:p> <urn:o> ."}, {"CR alone", "<urn:s> <urn:p> <urn:o> . # x\r<urn:s> <urn:p> <urn:q> ."},
		{"a prefix twice", "@prefix a: <urn:a:> . a:x a:x a:x . @prefix a: <urn:b:> . a:x a:x a:x ."}, {"bases upon bases", "@base <https://a.example/b/c> . @base <../d> . @base <?e> . <#f> <//g> <./../h> ."},
		{"dots in paths", "@base <https://a.example/> . <../../../x/./y/..> <%2e%2e/> <%2F> ."}, {"percent signs", "<https://a.example/%zz> <https://a.example/%41> <https://a.example/A> ."},
		{"IRIs that look alike", "<https://аlice.example/> <urn:p> <https://alice.example/> ."}, {"IRIs that normalise to one", "<https://a.example/e\u0301> <urn:p> <https://a.example/\u00e9> ."},
		{"hosts of several cases", "<https://A.Example/> <urn:p> <https://a.example/> ."}, {"a port of nothing", "<https://a.example:/> <urn:p> <https://user:pass@a.example:443/> ."},
		{"numbers", "<urn:s> <urn:p> 1, 1.0, 1e0, -0, +1, .5, 1., 00 ."}, {"labels that look canonical", "_:c14n0 <urn:p> _:c14n1 . _:b0 <urn:p> [] ."},
		{"an intent twice", "<urn:a2a:intent:1> a <https://w3id.org/jeswr/a2a#Intent> . <urn:a2a:intent:2> a <https://w3id.org/jeswr/a2a#Intent> ."},
		{"a message twice", `<urn:a2a:handshake> a <https://w3id.org/jeswr/a2a#UpgradeOffer>, <https://w3id.org/jeswr/a2a#UpgradeResponse> .`},
		{"languages of several cases", `<urn:s> <urn:p> "x"@en, "x"@EN, "x"@en-Latn-GB-boont-r-extended-sequence-x-private .`}, {"ill-typed", `<urn:s> <urn:p> "x"^^<http://www.w3.org/2001/XMLSchema#integer> .`},
	} {
		all = append(all, text(inTurtle, row.name, row.text))
	}
	huge := func(name string, f func() string) { all = append(all, made(inTurtle, name, f)) }
	huge("many triples", func() string { return repeat(12_000, "<urn:%d> <urn:p> 1 .\n") })
	huge("many blank nodes", func() string { return repeat(1_500, "[] <urn:p> %d .\n") })
	huge("a long list", func() string { return "<urn:s> <urn:p> ( " + strings.Repeat("1 ", 5_000) + ") ." })
	huge("many prefixes", func() string { return repeat(20_000, "@prefix p%d: <urn:x> .\n") })
	huge("a prefix again and again", func() string { return repeat(20_000, "@prefix p: <urn:x%d> .\n") })
	huge("long names of short ones", func() string {
		return "@prefix p: <urn:" + strings.Repeat("x", 2000) + "> .\n" + repeat(9_000, "p:%d p:p p:o .\n")
	})
	huge("a long IRI", func() string { return "<urn:" + strings.Repeat("x", 70_000) + "> <urn:p> <urn:o> ." })
	huge("a long literal", func() string { return `<urn:s> <urn:p> """` + strings.Repeat("x", 200_000) + `""" .` })
	huge("much of nothing", func() string { return strings.Repeat("# comment\n", 500_000) })
	huge("much of nothing, in lines of CR", func() string { return strings.Repeat("#\r", 120_000) })
	huge("a list that is its own rest", func() string {
		return "_:l <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> 1 ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:l ."
	})
	for name, f := range poisons() {
		h := made(inTurtle, "poison: "+name, f)
		h.heavy = true
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b hostileInput) int { return strings.Compare(a.name, b.name) })
	return all
}

// poisons are graphs of blank nodes that RDFC-1.0 cannot tell apart easily, in N-Quads.
func poisons() map[string]func() string {
	complete := func(n int) func() string {
		return func() string {
			var b strings.Builder
			for i := range n {
				for j := range n {
					if i != j {
						fmt.Fprintf(&b, "_:n%d <urn:p> _:n%d .\n", i, j)
					}
				}
			}
			return b.String()
		}
	}
	cycles := func(count, length int) func() string {
		return func() string {
			var b strings.Builder
			for c := range count {
				for i := range length {
					fmt.Fprintf(&b, "_:c%dn%d <urn:p> _:c%dn%d .\n", c, i, c, (i+1)%length)
				}
			}
			return b.String()
		}
	}
	cube := func(dimension int) func() string {
		return func() string {
			var b strings.Builder
			for i := range 1 << dimension {
				for d := range dimension {
					fmt.Fprintf(&b, "_:n%d <urn:p> _:n%d .\n", i, i^1<<d)
				}
			}
			return b.String()
		}
	}
	grid := func(n int) func() string {
		return func() string {
			var b strings.Builder
			for i := range n {
				for j := range n {
					fmt.Fprintf(&b, "_:n%d_%d <urn:p> _:n%d_%d .\n_:n%[1]d_%[2]d <urn:p> _:n%[5]d_%[6]d .\n", i, j, (i+1)%n, j, i, (j+1)%n)
				}
			}
			return b.String()
		}
	}
	return map[string]func() string{
		"5 all linked": complete(5), "10 all linked": complete(10), "60 all linked": complete(60),
		"a cycle of 900": cycles(1, 900), "300 cycles of 3": cycles(300, 3), "2 cycles of 400": cycles(2, 400),
		"a cube of 4 dimensions": cube(4), "a cube of 7 dimensions": cube(7), "a torus of 9": grid(9), "a torus of 25": grid(25),
		"a star": func() string { return repeat(900, "_:hub <urn:p> _:n%d .\n") },
		"names of names": func() string {
			return repeat(300, "_:a%d <urn:p> _:b%[1]d _:g%[1]d .\n_:b%[1]d <urn:q> _:a%[1]d _:g%[1]d .\n")
		},
	}
}

// hostileQuads are N-Quads.
func hostileQuads() []hostileInput {
	all := []hostileInput{
		bad(inNQuads, "a relative IRI", "<a> <urn:p> <urn:o> ."), bad(inNQuads, "a prefix", "@prefix ex: <urn:x> ."), bad(inNQuads, "no dot", "<urn:s> <urn:p> <urn:o>"),
		bad(inNQuads, "a literal graph", `<urn:s> <urn:p> <urn:o> "g" .`), bad(inNQuads, "five terms", "<urn:s> <urn:p> <urn:o> <urn:g> <urn:h> ."), bad(inNQuads, "two on a line", "<urn:s> <urn:p> <urn:o> . <urn:s> <urn:p> <urn:o> ."),
		bad(inNQuads, "a surrogate", `<urn:s> <urn:p> "\uD83D\uDE00" .`), bad(inNQuads, "a number", "<urn:s> <urn:p> 1 ."), bad(inNQuads, "a space in an IRI", `<urn:s\u0020> <urn:p> <urn:o> .`),
		bad(inNQuads, "an empty language", `<urn:s> <urn:p> "x"@ .`), bad(inNQuads, "a label of a colon", "_:: <urn:p> <urn:o> ."), bad(inNQuads, "an open string", `<urn:s> <urn:p> "x`),
		text(inNQuads, "nothing", ""), text(inNQuads, "CR alone", "<urn:s> <urn:p> <urn:o> .\r<urn:s> <urn:p> <urn:q> .\r"), text(inNQuads, "no white space", `<urn:s><urn:p>"o"@en<urn:g>.`),
		made(inNQuads, "many quads", func() string { return repeat(12_000, "<urn:%d> <urn:p> <urn:o> <urn:g%[1]d> .\n") }),
		made(inNQuads, "many blank nodes", func() string { return repeat(1_500, "_:n%d <urn:p> <urn:o> .\n") }),
		made(inNQuads, "a long line", func() string { return `<urn:s> <urn:p> "` + strings.Repeat("\\n", 3_000_000) + `" .` }),
	}
	for name, f := range poisons() {
		h := made(inNQuads, "poison: "+name, f)
		h.heavy = strings.Contains(name, "60") || strings.Contains(name, "900") || strings.Contains(name, "25") || strings.Contains(name, "dimensions")
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b hostileInput) int { return strings.Compare(a.name, b.name) })
	return all
}

// hostileTerms are texts of single terms and values.
func hostileTerms() []hostileInput {
	var all []hostileInput
	for name, s := range map[string]string{
		"nothing": "", "a zero": "\x00", "a far year": "99999999999999999999-01-01T00:00:00Z", "before the beginning": "-0000-01-01T00:00:00Z", "year zero": "0000-01-01T00:00:00Z",
		"a leap second": "2016-12-31T23:59:60Z", "after midnight": "2026-01-01T24:00:01Z", "midnight": "2026-01-01T24:00:00Z", "a far zone": "2026-01-01T00:00:00+99:99", "the 30th of February": "2026-02-30T00:00:00Z",
		"a long duration": "P99999999999999999999Y", "a duration of nothing": "PT", "digits of another script": "١٢٣", "a number in full width": "１", "infinity": "INF", "plus infinity": "+INF", "not a number": "NaN",
		"an exponent": "1e999999999", "minus zero": "-0.0", "a hash": "sha256:" + strings.Repeat("0", 64), "a hash in capitals": "SHA256:" + strings.Repeat("A", 64), "a hash of another length": "sha256:00", "a hash of another kind": "sha512:" + strings.Repeat("0", 64),
		"a multikey of nothing": "z", "a multikey of ones": "z" + strings.Repeat("1", 200), "another base": "u6Mk", "a scheme alone": "http:", "no authority": "http://", "an IPv6 address cut": "http://[::1", "a zone": "http://[fe80::1%25eth0]/",
		"dots": "../../..", "a scheme of a letter": "a:", "an IRI with two fragments": "urn:x#a#b", "right to left": "https://a.example/\u202e", "a label": "-a", "a media type": "text/turtle;charset=utf-8;charset=utf-16", "a language": strings.Repeat("a-", 5_000) + "a",
	} {
		all = append(all, text(aTerm, name, s))
	}
	all = append(all,
		made(aTerm, "many digits", times("9", 200_000)), made(aTerm, "many fractions", func() string { return "2026-01-01T00:00:00." + strings.Repeat("1", 200_000) + "Z" }),
		made(aTerm, "many dots", func() string { return strings.Repeat("../", 50_000) }), made(aTerm, "many ones", func() string { return "z" + strings.Repeat("1", 200_000) }),
		made(aTerm, "many letters", func() string { return "z" + strings.Repeat("6MkhaXgB", 25_000) }), made(aTerm, "a long IRI", func() string { return "https://a.example/" + strings.Repeat("%41", 100_000) }),
	)
	slices.SortFunc(all, func(a, b hostileInput) int { return strings.Compare(a.name, b.name) })
	return all
}
