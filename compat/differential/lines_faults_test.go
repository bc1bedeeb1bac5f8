package differential_test

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/oracle"
)

func quadsText(text string) difference { return in("nquads", "", text) }

func knakkLineFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "accepts blank node labels that are none (BLANK_NODE_LABEL)",
			Excuses: accepting("invalid-label", `_:[:.]`),
			Example: quadsText("_::<a:><a:>."), Want: "refused: invalid-label",
		},
		{
			Cause:   "accepts blank node labels with a colon (BLANK_NODE_LABEL)",
			Excuses: accepting("invalid-label", `_:\w+:`),
			Example: quadsText("_:a:<a:><a:>."), Want: "refused: invalid-label",
		},
		{
			Cause:   "replaces surrogates (IRIREF, STRING_LITERAL_QUOTE)",
			Excuses: accepting("invalid-escape", `\\u[dD][89a-fA-F]`),
			Example: quadsText(`<a:><a:><a:\uD800>.`), Want: "refused: invalid-escape",
		},
		{
			Cause:   "replaces escapes beyond Unicode (IRIREF, STRING_LITERAL_QUOTE)",
			Excuses: accepting("invalid-escape", `\\U(0[1-9A-Fa-f]|00[2-9A-Fa-f]|001[1-9A-Fa-f]|[1-9A-Fa-f])`),
			Example: quadsText(`<a:><a:>"\U00110000".`), Want: "refused: invalid-escape",
		},
		{
			Cause:   "takes no carriage return alone for the end of a line (EOL)",
			Excuses: without("\r", "\n"),
			Example: quadsText("#\r<a:><a:><a:>."), Want: "<a:> <a:> <a:> .\n",
		},
		{
			Cause:   "refuses an escape within a scheme",
			Excuses: without(`<(\w*)\\u00[0-9A-Fa-f]{2}`, "<${1}a"),
			Example: quadsText(`<a\u0061:><a:><a:>.`), Want: "<aa:> <a:> <a:> .\n",
		},
	}
}

func gonumLineFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause: "holds IRIs to what net/url parses",
			Excuses: func(d difference) bool {
				return strings.Contains(d.theirErr, "parse ") && without(`<[^<>]*>`, "<a:>")(d)
			},
			Example: quadsText("<a:/%><a:><a:>."), Want: "<a:/%> <a:> <a:> .\n",
		},
		{
			Cause:   "takes no carriage return alone for the end of a line (EOL)",
			Excuses: without("\r", "\n"),
			Example: quadsText("#\r<a:><a:><a:>."), Want: "<a:> <a:> <a:> .\n",
		},
	}
}

func jsonGoldLineFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "takes a string with an at sign for one with a language",
			Excuses: without(`"(\\"|\\u0022)?@((?:\\.|\w)*)"`, `"x"`),
			Example: quadsText(`<a:><a:>"@"@en.`), Want: `<a:> <a:> "@"@en .` + "\n",
		},
		{
			Cause:   "refuses comments (N-Quads, 2)",
			Excuses: without(`#.*`, ""),
			Example: quadsText("#"), Want: "",
		},
		{
			Cause:   "takes no carriage return alone for the end of a line (EOL)",
			Excuses: without("\r", "\n"),
			Example: quadsText("<a:><a:><a:>.\r<a:><a:><a:b>."), Want: "<a:> <a:> <a:> .\n<a:> <a:> <a:b> .\n",
		},
		{
			Cause:   "replaces escapes beyond Unicode (IRIREF, STRING_LITERAL_QUOTE)",
			Excuses: accepting("invalid-escape", `\\U(0[1-9A-Fa-f]|00[2-9A-Fa-f]|001[1-9A-Fa-f]|[1-9A-Fa-f])`),
			Example: quadsText(`<a:><a:><a:\U00110000>.`), Want: "refused: invalid-escape",
		},
		{
			Cause:   "replaces surrogates (IRIREF, STRING_LITERAL_QUOTE)",
			Excuses: accepting("invalid-escape", `\\u[dD][89a-fA-F]`),
			Example: quadsText(`<a:><a:><a:\uD800>.`), Want: "refused: invalid-escape",
		},
	}
}

func n3LineFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "accepts the end of a line within a statement (EOL)",
			Excuses: accepting("syntax", `^[^\n]*[^.\s][ \t]*\n`),
			Example: quadsText("<a:>\n<a:><a:>."), Want: "refused: syntax",
		},
		{
			Cause:   "accepts a datatype where there is no literal",
			Excuses: accepting("syntax", `(^|[^"])\^\^<`),
			Example: quadsText("_:a^^<a:><a:>."), Want: "refused: syntax",
		},
		{
			Cause:   "accepts two statements in a line (nquadsDoc)",
			Excuses: accepting("syntax", `^[^\n\r]*\.[^\n\r]*\.$`),
			Example: quadsText("<a:><a:><a:>.<a:><a:><a:>."), Want: "refused: syntax",
		},
	}
}

func oxigraphLineFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "holds IRIs to the grammar of RFC 3987, of which IRIREF has the characters alone",
			Excuses: oxigraphIRI,
			Example: quadsText("<a:]><a:><a:>."), Want: "<a:]> <a:> <a:> .\n",
		},
		{
			Cause:   "holds language tags to BCP 47, of which LANGTAG has the characters alone",
			Excuses: without(`@[A-Za-z][A-Za-z0-9-]*`, `@en`),
			Example: quadsText(`<a:><a:>""@a.`), Want: `<a:> <a:> ""@a .` + "\n",
		},
		{
			Cause:   "holds hosts and ports to RFC 3986, 3.2, of which IRIREF has the characters alone",
			Excuses: without(`//[^/>]*(:[^/>0-9]|\[)[^/>]*`, "//x"),
			Example: quadsText("<a://:e><a:><a:>."), Want: "<a://:e> <a:> <a:> .\n",
		},
		{
			Cause: "holds percent signs to RFC 3986, 2.1, of which IRIREF has the characters alone",
			Excuses: func(d difference) bool {
				return strings.Contains(d.theirErr, "Invalid IRI percent encoding") && without(`%([0-9A-Fa-f]?[^0-9A-Fa-f])`, "x$1")(d)
			},
			Example: quadsText("<a:%><a:><a:>."), Want: "<a:%> <a:> <a:> .\n",
		},
	}
}

func canonizeLineFaults() []oracle.Fault[difference] {
	return []oracle.Fault[difference]{
		{
			Cause:   "refuses a statement without white space behind its subject or predicate, or between a label and the point",
			Excuses: without(`^(_:[^\s<]+|<[^>]*>)\s*(<[^>]*>)\s*(.*[^.\s])\s*\.`, "$1 $2 $3 ."),
			Example: quadsText("_:a<a:>_:b."), Want: "_:a <a:> _:b .\n",
		},
		{
			Cause:   "refuses comments (N-Quads, 2)",
			Excuses: without(`#.*`, ""),
			Example: quadsText("#"), Want: "",
		},
		{
			Cause:   "keeps escapes that there are not as they are (ECHAR, UCHAR)",
			Excuses: accepting("invalid-escape", `"[^"]*\\[^tbnrf"'\\]`),
			Example: quadsText(`<a:> <a:> "\x" .`), Want: "refused: invalid-escape",
		},
		{
			Cause:   "takes a label right behind a label for a graph",
			Excuses: accepting("invalid-label", `_:\w*_:`),
			Example: quadsText(`<a:> <a:> _:a_:b .`), Want: "refused: invalid-label",
		},
		{
			Cause:   "keeps surrogates",
			Excuses: accepting("invalid-escape", `\\u[dD][89a-fA-F]`),
			Example: quadsText(`<a:> <a:> <a:\uD800> .`), Want: "refused: invalid-escape",
		},
	}
}
