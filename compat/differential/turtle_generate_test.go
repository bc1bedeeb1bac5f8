package differential_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// writer writes documents in Turtle, TriG, N-Triples and N-Quads by their
// grammars, with what readers get wrong rather than with what people write. The
// same seed writes the same.
type writer struct {
	*rand.Rand
	trig bool
	// plain leaves out what the readers that are not maintained get wrong wherever
	// it stands: the faults of their rows would hide all else.
	plain    bool
	prefixes []string
}

func newWriter(seed uint64) *writer { return &writer{Rand: rand.New(rand.NewPCG(seed, 2))} }

func (w *writer) one(of ...string) string { return of[w.IntN(len(of))] }

func (w *writer) chance(percent int) bool { return w.IntN(100) < percent }

// space is white space where there must be some, gap where there may be.
func (w *writer) space() string {
	if w.plain {
		return " "
	}
	return w.one(" ", " ", " ", " ", "\t", "\n", "\r\n", "  ", " #c\n", "\r")
}

func (w *writer) gap() string {
	if w.plain || w.chance(70) {
		return " "
	}
	return w.one("", "", "\n", "\t", "#é .\n")
}

// document returns the statements of a document.
func (w *writer) document() []string {
	parts := []string{}
	if w.chance(80) {
		parts = append(parts, w.directive())
	}
	for range 1 + w.IntN(6) {
		switch {
		case w.chance(15):
			parts = append(parts, w.directive())
		case w.trig && w.chance(50):
			parts = append(parts, w.block())
		default:
			parts = append(parts, w.triples()+w.gap()+"."+w.space())
		}
	}
	return parts
}

func (w *writer) directive() string {
	if w.chance(20) && !w.plain {
		iri := w.one("http://b.example/x/y/z?q#f", "http://b.example", "../up/", "http://b.example/é/", "?q", "#f", "urn:b:/c/d", "//other.example/a/b", "file:///a/b")
		if w.chance(50) {
			return "@base" + w.space() + "<" + iri + ">" + w.gap() + "." + w.space()
		}
		return w.one("BASE", "base", "BaSe") + w.space() + "<" + iri + ">" + w.space()
	}
	name := w.one("", "", "a", "p", "é", "a.b", "x-1", "e2", "prefix", "a·b", "p0.x")
	iri := w.one("http://e.example/", "http://e.example/x#", "urn:x:y", "rel/", "#", "http://e.example/%41", "http://e.example/\\u00E9", "", "http://e.example/?a=b&c=")
	if w.plain {
		iri, name = w.one("http://e.example/", "http://e.example/a/", "http://u.example/"), w.one("", "a", "p", "x-1", "e2")
	}
	w.prefixes = append(w.prefixes, name)
	if w.plain || w.chance(50) {
		return "@prefix" + w.space() + name + ":" + w.gap() + "<" + iri + ">" + w.gap() + "." + w.space()
	}
	return w.one("PREFIX", "prefix", "PreFix") + w.space() + name + ":" + w.gap() + "<" + iri + ">" + w.space()
}

func (w *writer) iri() string {
	if len(w.prefixes) > 0 && w.chance(55) {
		return w.name()
	}
	if w.plain {
		return "<" + w.one("http://e.example/a", "http://e.example/b#c", "urn:x:y", "http://e.example/%7Ea?q=1", "mailto:a@b.example", "http://e.example/a'b(c)") + ">"
	}
	return "<" + w.one(
		"http://e.example/a", "http://e.example/é", "http://e.example/\\u00e9", "http://e.example/\\U0001F600", "urn:x:y", "http://e.example/%7Ea?q=1",
		"http://e.example", "http://e.example/a/../b/./c", "HTTP://E.example/", "http://e.example:80/", "mailto:a@b.example", "http://[::1]/", "http://e.example/a'b(c)",
		"http://e.example/\u00a0x", "http://e.example/?\U000F0000", "tag:e.example,2020:a", "http://u@e.example/a//b",
		"", "#f", "?q", "a", "../a", "./a", "/a", "//h.example/p", "a/../b", "..", ".", "../../../..", "a/./b/", "/a/../b", "x%20y", "é", "a?b/../c", ";p", "g;x=1/../y", "a#b/../c", "a//b", "...", "?", "#",
		"\\u002E\\u002E/a",
	) + ">"
}

// name is a prefixed name.
func (w *writer) name() string {
	if w.plain {
		return w.prefixes[w.IntN(len(w.prefixes))] + ":" + w.one("a", "b", "A1", "a-b", "_x", "c2.d")
	}
	local := w.one("", "a", "b", "c", "0", "1a", "a.b", "a-b", "_x", "é", "a:b", "b:", "a::a", "a..b", "-a"[1:], "A1", "\\~a", "a\\-b", "\\.", "a\\.", "%41", "%7e", "a%20b", "\\(\\)", "a\\/b", "\\%41", "\\_", "a·", "ünï", "\U00010000", "\\'\\&\\;\\=\\@\\$\\!\\*\\+\\,\\?", "1.2.3", "a.1", "0e0", "e1", "true", "a")
	return w.prefixes[w.IntN(len(w.prefixes))] + ":" + local
}

func (w *writer) label() string {
	if w.plain {
		return "_:" + w.one("a", "b", "n0", "B", "_x", "a-b")
	}
	return "_:" + w.one("a", "b", "b0", "b1", "0", "1a", "a.b", "é", "a-b", "_x", "a·b", "n0", "c14n0", "g_0", "B", "\U00010000")
}

func (w *writer) predicate() string {
	if w.chance(15) {
		return "a"
	}
	return w.iri()
}

func (w *writer) triples() string {
	switch {
	case w.chance(12):
		t := "[" + w.gap() + w.list(1) + w.gap() + "]"
		if w.chance(50) {
			t += w.gap() + w.list(1)
		}
		return t
	case w.chance(10):
		return w.collection(1) + w.gap() + w.list(1)
	case w.chance(20):
		return w.label() + w.space() + w.list(1)
	case w.chance(8):
		if w.plain {
			return "[] " + w.list(1)
		}
		return w.one("[]", "[ ]", "[\n]", "[#c\n]") + w.gap() + w.list(1)
	}
	return w.iri() + w.space() + w.list(1)
}

// list is a predicate-object list.
func (w *writer) list(depth int) string {
	text := w.objects(depth)
	for w.chance(30) {
		text += w.gap() + w.semicolons() + w.gap() + w.objects(depth)
	}
	if w.chance(12) && !w.plain {
		text += w.gap() + w.one(";", ";;")
	}
	return text
}

func (w *writer) semicolons() string {
	if w.plain {
		return ";"
	}
	return w.one(";", ";", ";;", "; ;", ";\n;")
}

func (w *writer) objects(depth int) string {
	text := w.predicate() + w.space() + w.object(depth)
	for w.chance(25) {
		text += w.gap() + "," + w.gap() + w.object(depth)
	}
	return text
}

func (w *writer) object(depth int) string {
	switch {
	case depth < 4 && w.chance(8):
		return "[" + w.gap() + w.list(depth+1) + w.gap() + "]"
	case depth < 4 && w.chance(8):
		return w.collection(depth)
	case w.chance(5):
		if w.plain {
			return "[]"
		}
		return w.one("[]", "[ ]", "[\t]")
	case w.chance(15):
		return w.label()
	case w.chance(50):
		return w.literal()
	}
	return w.iri()
}

func (w *writer) collection(depth int) string {
	text := "(" + w.gap()
	n := w.IntN(4)
	if w.plain {
		n = 1 + w.IntN(3)
	}
	for range n {
		text += w.object(depth+1) + w.space()
	}
	return text + ")"
}

func (w *writer) literal() string {
	if w.chance(35) {
		if w.plain {
			return w.one("1", "+1", "-0", "007", "+0.50", "1.0", "1e0", "1E+3", "-1.5e9", "12345678901234567890123", "true", "false", "1e400")
		}
		return w.one("1", "+1", "-0", "007", "0", ".5", "-.5", "+0.50", "1.0", "1e0", "1.E3", ".1e-3", "1E+3", "-1.5e9", "0E0", "12345678901234567890123", "true", "false", "1e400", "00.10")
	}
	q := w.one(`"`, `'`, `"""`, `'''`)
	text := w.string(q)
	switch {
	case w.chance(25):
		return q + text + q + "@" + w.one("en", "en-GB", "de-1996", "x-a1-b2", "EN", "zh-Hant-TW", "sl-rozaj-biske")
	case w.chance(30):
		gap := w.one("", "", "", " ") // white space is allowed on both sides of ^^
		if w.plain {
			gap = ""
		}
		return q + text + q + gap + "^^" + gap + w.datatype()
	}
	return q + text + q
}

func (w *writer) datatype() string {
	if w.chance(50) {
		return w.iri()
	}
	return "<http://www.w3.org/2001/XMLSchema#" + w.one("string", "integer", "decimal", "double", "boolean", "date") + ">"
}

// string is what stands between quotes of a kind.
func (w *writer) string(q string) string {
	text := ""
	for range w.IntN(4) {
		text += w.one("a", "two words", "é", "😀", `\t`, `\b`, `\n`, `\r`, `\f`, `\"`, `\'`, `\\`, `\u0041`, `\U0001F600`, `\u0000`, `\u0001`, `\u000A`, `\u005C`, `\u0022`, `\u007F`, `\uFFFE`, `\u2028`,
			"\x00", "\x01", "\x07", "\t", "\x7f", "\u00a0", "\u2028", "\ufffe", "\uffff", "\ufeff", "\u0085", "e\u0301", "\u202e", "<&>", "#", "@en", "^^", "\\u00E9\\u0301", "\x0b", "\x0c")
		switch q {
		case `"`:
			text += w.one("", "'", "'''")
		case `'`:
			text += w.one("", `"`, `"""`)
		case `"""`:
			text += w.one("", "\n", `"a`, `""a`, "'", "\r\n", "\r", `\"""a`)
		case `'''`:
			text += w.one("", "\n", `'a`, `''a`, `"`, "\r\n", "\r", `\'''a`)
		}
	}
	return text
}

// block is a graph of TriG.
func (w *writer) block() string {
	name := w.one("", w.iri()+w.gap(), w.label()+w.space(), "[]"+w.gap(), w.one("GRAPH", "graph", "GrApH")+w.space()+w.iri()+w.gap(), "GRAPH"+w.space()+w.label()+w.space(), "GRAPH [] ")
	text := name + "{" + w.gap()
	for i := range w.IntN(3) {
		if i > 0 {
			text += w.gap() + "." + w.gap()
		}
		text += w.triples()
	}
	if strings.TrimSpace(text[strings.Index(text, "{")+1:]) != "" {
		text += w.gap() + w.one("", ".", ".")
	}
	return text + w.gap() + "}" + w.space()
}

// lines returns the lines of a document in N-Triples or N-Quads.
func (w *writer) lines(quads bool) []string {
	iri := func() string {
		return "<" + w.one("http://e.example/a", "http://e.example/é", "http://e.example/\\u00e9", "http://e.example/\\U0001F600", "urn:x:y", "http://e.example/%7Ea?q=1", "a:", "http://e.example/\u00a0x", "http://e.example/a/../b", "HTTP://E.example/", "a+b-c.1:x", "http://[::1]/", "http://e.example/?\U000F0000", "http://e.example/a'b", "x:\\u00E9") + ">"
	}
	resource := func() string {
		if w.chance(40) {
			return w.label()
		}
		return iri()
	}
	literal := func() string {
		text := `"` + w.string("") + `"`
		switch {
		case w.chance(30):
			text += "@" + w.one("en", "en-GB", "de-1996", "x-a1-b2", "EN", "zh-Hant-TW")
		case w.chance(30):
			text += "^^" + w.one(iri(), "<http://www.w3.org/2001/XMLSchema#string>", "<http://www.w3.org/2001/XMLSchema#integer>")
		}
		return text
	}
	gap := func() string { return w.one(" ", " ", " ", "\t", "  ") }
	parts := []string{}
	for range 1 + w.IntN(6) {
		if w.chance(10) && !w.plain {
			parts = append(parts, w.one("\n", "# a comment \u00e9 .\n", " \t\n", "\r\n", "  #\n"))
			continue
		}
		object := resource()
		if w.chance(60) {
			object = literal()
		}
		line := w.one("", "", "", " ", "\t") + resource() + gap() + iri() + gap() + object
		if quads && w.chance(50) {
			line += gap() + resource()
		}
		if w.plain {
			parts = append(parts, line+w.one(" .", ".", "\t. ")+"\n")
			continue
		}
		parts = append(parts, line+w.one(" .", " .", ".", "\t. ", " . # é")+w.one("\n", "\n", "\r\n", "\n\n"))
	}
	return parts
}

// damage changes one place of a document: a character or a few are put in, left
// out or replaced.
func (w *writer) damage(parts []string) []string {
	bits := []string{"<", ">", `"`, "'", "\\", "_", ":", ".", "@", "^", " ", "\t", "a", "0", "-", "+", "#", "é", "\\u0041", "\\uD800", "\\n", "{", "}", "[", "]", "(", ")", ",", ";", "%", "%4", "~", "_:", "e", "\n", "true", "\"\"\"", "@en", "^^", "\\U00110000", "\x00", "\ufeff", "|", "`", "\u00d7", "=", "a ", "GRAPH ", "@prefix ", "..", "\\x", "1.", "&", "*", "-1", "@en-", "@1", "//", "?", "!", "<<", "\u200b", "\u0660"}
	out := append([]string{}, parts...)
	i := w.IntN(len(out))
	text := out[i]
	if text == "" {
		return out
	}
	at := w.IntN(len(text))
	for !utf8.RuneStart(text[at]) {
		at--
	}
	_, n := utf8.DecodeRuneInString(text[at:])
	bit := bits[w.IntN(len(bits))]
	switch w.IntN(4) {
	case 0:
		text = text[:at] + text[at+n:]
	case 1:
		text = text[:at] + bit + text[at+n:]
	case 2:
		text = text[:at]
	default:
		text = text[:at] + bit + text[at:]
	}
	out[i] = text
	return out
}

// base is what relative references of a document are resolved against.
func (w *writer) base() string {
	if w.plain {
		return "http://a.example/b/"
	}
	return w.one("http://a.example/b/c/d;p?q", "http://a.example", "http://a.example/é/x?y", "file:///a/b", "http://a.example/b/", "http://a.example/b/", fmt.Sprintf("http://a.example/%d", w.IntN(9)))
}
