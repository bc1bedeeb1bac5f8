package differential_test

import (
	"regexp"
	"strings"

	"github.com/rdfproto/rdfproto/internal/oracle"
	"github.com/rdfproto/rdfproto/rdf"
)

const example = "http://a.example/b/" // the base of the rows

func in(syntax, base, text string) difference {
	return difference{syntax: syntax, base: base, text: text}
}

func turtleText(text string) difference { return in("turtle", example, text) }

var (
	reference = regexp.MustCompile(`<[^<>\s]*>`)
	directive = regexp.MustCompile(`(?i)base\s*$`)
)

// absolute returns the text with every reference resolved, as far as that can be
// told without reading the text.
func absolute(d difference) string {
	base, err := rdf.ParseBase(d.base)
	if err != nil {
		return d.text
	}
	var out strings.Builder
	rest := d.text
	for {
		at := reference.FindStringIndex(rest)
		if at == nil {
			return out.String() + rest
		}
		bytes, err := base.Resolve(nil, rest[at[0]+1:at[1]-1])
		if err != nil {
			return d.text
		}
		iri := string(bytes)
		if directive.MatchString(rest[:at[0]]) {
			if base, err = rdf.ParseBase(iri); err != nil {
				return d.text
			}
		}
		out.WriteString(rest[:at[0]] + "<" + iri + ">")
		rest = rest[at[1]:]
	}
}

// resolving excuses what vanishes when the references are resolved.
func resolving(d difference) bool {
	text := absolute(d)
	return text != d.text && d.agrees(text, d.base)
}

func knakkTurtleFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "concatenates a base and a reference (RFC 3986, 5.2)",
			Excuses: resolving,
			Example: turtleText(`<.><a:><a:>.`), Want: "<http://a.example/b/> <a:> <a:> .\n",
		},
		{
			Cause:   "refuses a number whose sign is before a point (DECIMAL)",
			Excuses: without(`([-+])\.([0-9])`, `${1}0.$2`),
			Example: turtleText(`<a:><a:> -.5.`), Want: `<a:> <a:> "-.5"^^<http://www.w3.org/2001/XMLSchema#decimal> .` + "\n",
		},
		{
			Cause:   "refuses what stands without white space behind a name that is a prefix alone",
			Excuses: without(`:([-+.,<;"'()\[\]])`, `: $1`),
			Example: turtleText("@prefix e: <a:>. e: e: e:,''."), Want: "<a:> <a:> <a:> .\n<a:> <a:> \"\" .\n",
		},
		{
			Cause:   "refuses a line within a string that begins with a number sign",
			Excuses: without("(\n\\s*)#", "${1}x"),
			Example: turtleText("<a:><a:>'''\n#'''."), Want: "<a:> <a:> \"\\n#\" .\n",
		},
		{
			Cause:   "refuses white space before the datatype",
			Excuses: without(`\s+\^\^\s*`, "^^"),
			Example: turtleText("<a:><a:>'' ^^<a:>."), Want: `<a:> <a:> ""^^<a:> .` + "\n",
		},
		{
			Cause:   "refuses an empty collection as subject",
			Excuses: without(`\(\s*\)`, "[]"),
			Example: turtleText("()<a:><a:>."), Want: "<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> <a:> <a:> .\n",
		},
		{
			Cause:   "takes a prefix for a directive when it is called so",
			Excuses: without("(prefix|base):", "x:"),
			Example: turtleText("@prefix prefix:<a:>.prefix:a<a:><a:>."), Want: "<a:a> <a:> <a:> .\n",
		},
		{
			Cause:   "takes a label of the document for one of its own",
			Excuses: without(`_:b([0-9])`, "_:z$1"),
			Example: turtleText("_:b1<a:>[]."), Want: "_:b1 <a:> _:bb0 .\n",
		},
		{
			Cause:   "refuses the letter a without a space behind it",
			Excuses: without(`([>\s;])a([^ \w:.-])`, `${1}a $2`),
			Example: turtleText("<a:>a[]."), Want: "<a:> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> _:b0 .\n",
		},
		{
			Cause:   "refuses a directive with a line between its keyword and its name",
			Excuses: without("(?i)(prefix)\\s+", "$1 "),
			Example: turtleText("@prefix\n:<a:>."), Want: "",
		},
		{
			Cause:   "refuses a number with a line or a tab behind it",
			Excuses: without(`([0-9])\s+`, "$1 "),
			Example: turtleText("<a:><a:>1\n."), Want: `<a:> <a:> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .` + "\n",
		},
		{
			Cause:   "refuses a semicolon before a bracket",
			Excuses: without(`;\s*\]`, "]"),
			Example: turtleText("[<a:><a:>;]."), Want: "_:b0 <a:> <a:> .\n",
		},
		{
			Cause:   "accepts escapes beyond Unicode",
			Excuses: accepting("invalid-escape", `\\U(0[1-9A-Fa-f]|00[2-9A-Fa-f]|001[1-9A-Fa-f]|[1-9A-Fa-f])`),
			Example: turtleText(`<a:><\U00110000><a:>.`), Want: "refused: invalid-escape",
		},
		{
			Cause:   "refuses a number before a name without white space",
			Excuses: without(`([0-9])([A-Za-z]+:)`, `$1 $2`),
			Example: turtleText("@prefix p: <a:>. p:a p:a (0p:a)."), Want: "<a:a> <a:a> _:b0 .\n_:b0 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> \"0\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n_:b0 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:b1 .\n_:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> <a:a> .\n_:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .\n",
		},
		{
			Cause:   "accepts surrogates",
			Excuses: accepting("invalid-escape", `\\u[dD][89a-fA-F]|\\U0000[dD][89a-fA-F]`),
			Example: turtleText(`<a:><a:>"\uD800".`), Want: "refused: invalid-escape",
		},
		{
			Cause:   "accepts blank node labels that are none (BLANK_NODE_LABEL)",
			Excuses: accepting("invalid-label", `_:[^\w]`),
			Example: turtleText(`_::<a:><a:>.`), Want: "refused: invalid-label",
		},
		{
			Cause:   "accepts blank node labels with a colon (BLANK_NODE_LABEL)",
			Excuses: accepting("undefined-prefix", `_:\w*:`),
			Example: turtleText(`_:a:<a:><a:>.`), Want: "refused: undefined-prefix",
		},
		{
			Cause:   "accepts the keyword of a directive with the prefix at its end",
			Excuses: accepting("syntax", `^@prefix[^\s:]`),
			Example: turtleText("@prefixa:<a:>."), Want: "refused: syntax",
		},
		{
			Cause:   "accepts a collection and a property list without an end",
			Excuses: accepting("syntax", `\([^)]*$|\[[^\]]*$`),
			Example: turtleText("<a:><a:>(<a:>"), Want: "refused: syntax",
		},
	}
}

func rdf2goFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "resolves references by rules of its own",
			Excuses: resolving,
			Example: turtleText("@prefix : <>.[]: :."), Want: "_:b0 <http://a.example/b/> <http://a.example/b/> .\n",
		},
		{
			Cause:   "resolves a local name against its prefix (Turtle, 6.3: they are concatenated)",
			Excuses: without(`(<http://[ae]\.example)/?[^>]*>`, "$1/>"),
			Example: turtleText("@prefix : <http://e.example/x>. :a :a :a."), Want: "<http://e.example/xa> <http://e.example/xa> <http://e.example/xa> .\n",
		},
		{
			Cause:   "refuses a point behind a number with one (DECIMAL)",
			Excuses: without(`([0-9])\.(\D|$)`, "$1 .$2"),
			Example: turtleText("<a:a><a:a>1.0."), Want: `<a:a> <a:a> "1.0"^^<http://www.w3.org/2001/XMLSchema#decimal> .` + "\n",
		},
		{
			Cause:   "writes characters beyond ASCII in IRIs as percent escapes",
			Excuses: without(`[^\x00-\x7F]`, "x"),
			Example: turtleText("<http://a.example/é><a:a><a:a>."), Want: "<http://a.example/é> <a:a> <a:a> .\n",
		},
		{
			Cause:   "refuses a number with a sign right behind a name that is a prefix alone",
			Excuses: without(`:([-+])`, ": $1"),
			Example: turtleText("@prefix p: <http://e.example/>. p: a (p:-1)."), Want: "<http://e.example/> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> _:b0 .\n_:b0 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> <http://e.example/> .\n_:b0 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:b1 .\n_:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> \"-1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n_:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .\n",
		},
		{
			Cause:   "ends a local name at a colon (PN_LOCAL)",
			Excuses: without(`(:\w+):`, "${1}x"),
			Example: turtleText("@prefix p: <http://e.example/>. p:a: <a:a> <a:a>."), Want: "<http://e.example/a:> <a:a> <a:a> .\n",
		},
		{
			Cause:   "refuses a directive without white space before its IRI",
			Excuses: without(`(@prefix \S*:)<`, "$1 <"),
			Example: turtleText("@prefix :<a:a>."), Want: "",
		},
		{
			Cause:   "keeps the escapes of local names",
			Excuses: without(`\\[-_~.!$&'()*+,;=/?#@%]`, "x"),
			Example: turtleText(`@prefix : <http://e.example/>. :\~ <a:a> <a:a>.`), Want: "<http://e.example/~> <a:a> <a:a> .\n",
		},
		{
			Cause:   "makes a node of an empty collection",
			Excuses: without(`\(\s*\)`, rdfNil),
			Example: turtleText("<a:a><a:a>()."), Want: "<a:a> <a:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .\n",
		},
		{
			Cause:   "decodes the escape of a backslash and what follows as one more escape",
			Excuses: without(`\\u005[cC]|\\u0000`, "x"),
			Example: turtleText(`<a:a><a:a>"\u005C'".`), Want: "<a:a> <a:a> \"\\\\'\" .\n",
		},
		{
			Cause:   "refuses keywords in mixed case",
			Excuses: without(`(?im)^prefix\s*(\w*:)\s*(<[^>]*>)`, "@prefix $1 $2 ."),
			Example: turtleText("PreFix p: <http://e.example/>\np:a <a:a> <a:a> ."), Want: "<http://e.example/a> <a:a> <a:a> .\n",
		},
		{
			Cause: "holds IRIs to what net/url parses and writes",
			Excuses: func(d difference) bool {
				return strings.Contains(d.theirErr, `error: parse "`) || without(`<([^<>]*[^\w<>:/.#?-][^<>]*|[a-z]+://:[^<>]*|[a-z]+:/[^/<>][^<>]*|[a-z]+::[^<>]*|[^<>]*#[^<>]*[#/][^<>]*|[^a-z<>][^<>]*:[^<>]*)>`, "<http://e.example/>")(d)
			},
			Example: turtleText("@prefix p: <%>.p:x<a:a><a:a>."), Want: "<http://a.example/b/%x> <a:a> <a:a> .\n",
		},
		{
			Cause:   "refuses an empty property list with a comment in it",
			Excuses: without(`\[\s*#[^\n]*\n\s*\]`, "[]"),
			Example: turtleText("[#\n]<a:a><a:a>."), Want: "_:b0 <a:a> <a:a> .\n",
		},
	}
}

const rdfNil = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>"

func n3TurtleFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "refuses two points within a blank node label (BLANK_NODE_LABEL)",
			Excuses: without(`(_:[^\s<>"(){}\[\];,]*?)\.+\.`, `$1.`),
			Example: turtleText("_:a..b<a:><a:>."), Want: "_:a..b <a:> <a:> .\n",
		},
		{
			Cause:   "concatenates references to a base without a slash (RFC 3986, 5.2.3)",
			Excuses: without(`<([A-Za-z]+):([^/<>][^<>]*)?>`, `<$1:/a>`),
			Example: in("turtle", "urn:a", "<b><a:><a:>."), Want: "<urn:b> <a:> <a:> .\n",
		},
		{
			Cause:   "refuses a reference that begins with a colon, which RFC 3986, 4.2, does not have and IRIREF does",
			Excuses: without(`<([^<>:/]*[^<>:/\w][^<>:/]*|):`, `<x`),
			Example: turtleText("<:><a:><a:>."), Want: "<http://a.example/b/:> <a:> <a:> .\n",
		},
		{
			Cause:   "refuses a number before a label or a name without white space",
			Excuses: without(`([0-9.])([_A-Za-z]*:)`, `$1 $2`),
			Example: turtleText("<a:><a:>(1_:a)."), Want: "<a:> <a:> _:b0 .\n_:b0 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n_:b0 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:b1 .\n_:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> _:a .\n_:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .\n",
		},
		{
			Cause:   "accepts a datatype behind a predicate",
			Excuses: accepting("syntax", `[^"'\s]\s*\^\^`),
			Example: turtleText("<a:><a:>^^<a:>."), Want: "refused: syntax",
		},
		{
			Cause:   "accepts a graph that begins within an unfinished triple",
			Excuses: accepting("syntax", `\{[^{}]*\{`),
			Example: in("trig", example, "{_:a{}"), Want: "refused: syntax",
		},
	}
}

var invalidPoint = regexp.MustCompile(`(?s)Invalid IRI code point '(.)'`)

// oxigraphIRI excuses what vanishes when the character that an IRI is refused for
// is replaced.
func oxigraphIRI(d difference) bool {
	m := invalidPoint.FindStringSubmatch(d.theirErr)
	return m != nil && strings.Contains("[]#:@\U000F0000", m[1]) && d.agrees(strings.ReplaceAll(d.text, m[1], "x"), d.base)
}

func oxigraphTurtleFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "holds IRIs to the grammar of RFC 3987, of which IRIREF has the characters alone",
			Excuses: oxigraphIRI,

			Example: turtleText("<a:]><a:><a:>."), Want: "<a:]> <a:> <a:> .\n",
		},
		{
			Cause:   "resolves dot segments against a path without a slash at its beginning to nothing (RFC 3986, 5.2.4)",
			Excuses: without(`(\.\./)+\.\.>`, `../>`),
			Example: in("turtle", "urn:b:/c/d", "<../../../..><a:><a:>."), Want: "<urn:/> <a:> <a:> .\n",
		},
		{
			Cause: "holds percent signs to RFC 3986, 2.1, of which IRIREF has the characters alone",
			Excuses: func(d difference) bool {
				return strings.Contains(d.theirErr, "Invalid IRI percent encoding") && without(`%([0-9A-Fa-f]?[^0-9A-Fa-f])`, "x$1")(d)
			},
			Example: turtleText("<a:%><a:><a:>."), Want: "<a:%> <a:> <a:> .\n",
		},
		{
			Cause:   "resolves dot segments against a base without a path to nothing (RFC 3986, 5.2.4)",
			Excuses: without(`</?\.\./?>`, `</>`),
			Example: in("turtle", "a:", "</..><a:><a:>."), Want: "<a:/> <a:> <a:> .\n",
		},
		{
			Cause: "refuses a name that makes an authority with a colon in it (RFC 3986, 3.2), of which PN_LOCAL has the characters alone",
			Excuses: func(d difference) bool {
				return d.base == "http://a.example" && strings.Contains(d.theirErr, "builds IRI http://a.example") || without(`(a\.example)>$`, "$1/>")(d)
			},

			Example: in("turtle", "http://a.example", "@prefix p:<>.p:a:b<a:><a:>."), Want: "<http://a.examplea:b> <a:> <a:> .\n",
		},
		{
			Cause:   "holds hosts and ports to RFC 3986, 3.2, of which IRIREF has the characters alone",
			Excuses: without(`//[^/>]*(:[^/>0-9]|\[)[^/>]*`, "//x"),
			Example: turtleText("<a://:e><a:><a:>."), Want: "<a://:e> <a:> <a:> .\n",
		},
		{
			Cause:   "holds language tags to BCP 47, of which LANGTAG has the characters alone",
			Excuses: without(`@[A-Za-z][A-Za-z0-9-]*`, `@en`),
			Example: turtleText(`<a:><a:>""@a.`), Want: `<a:> <a:> ""@a .` + "\n",
		},
	}
}
