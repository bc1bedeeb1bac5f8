package differential_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/oracle"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// difference is a document of which another implementation makes something else:
// another dataset, or another text where that is what is made of it.
type difference struct {
	syntax, text   string
	base           string
	ours, theirs   *rdf.Dataset // what readers make of it
	form, theirsIs string       // what others make of it
	err            error
	theirErr       string
	// agrees tells whether the two agree on another text with another base, but
	// for other known faults.
	agrees func(text, base string) bool
	depth  int // how many texts led to this one
	// again returns how the two disagree when both are asked again.
	again func() string
	// asks returns what they make of another text.
	asks func(text string) string
}

func (d difference) String() string {
	return fmt.Sprintf("%s, base %q\n%s\nquoted: %q\nours: %v\n%s%stheirs: %s\n%s%s", d.syntax, d.base, d.text, d.text, d.err, quadsOf(d.ours), d.form, d.theirErr, quadsOf(d.theirs), d.theirsIs)
}

// want is what a row of known faults says of our side.
func (d difference) want() string {
	if d.err != nil {
		return "refused: " + d.code()
	}
	return quadsOf(d.ours) + d.form
}

// code is the code that our reader refuses the document with.
func (d difference) code() string {
	var s *rdf.SyntaxError
	var j *jsonld.Error
	var strict *strictjson.Error
	switch {
	case errors.As(d.err, &strict):
		return string(strict.Code)
	case errors.As(d.err, &j):
		return string(j.Code)
	case errors.As(d.err, &s):
		return string(s.Code)
	}
	return fmt.Sprint(d.err)
}

// reader is another implementation that reads a syntax.
type reader struct {
	ask    string // what it is called in questions
	node   bool   // whether Node.js runs it
	lowers bool   // whether it writes language tags in lower case, as RDF 1.1 Concepts, 3.3, allows
	// accepted keeps documents from it that our reader refuses: it never comes back
	// from most of them.
	accepted bool
	// unordered says that the lines of its canonical form are in an order and with
	// escapes of its own.
	unordered bool
	faults    []oracle.Fault[difference]
}

func (r reader) process(t testing.TB) *oracle.Process {
	t.Helper()
	if r.node {
		return oracle.Node(t)
	}
	return worker(t)
}

// without makes a fault of what a document holds: it excuses a disagreement that
// vanishes when what matches a pattern, in the text or the base, is replaced.
func without(pattern, replacement string) func(difference) bool {
	re := regexp.MustCompile(pattern)
	return func(d difference) bool {
		text, base := re.ReplaceAllString(d.text, replacement), d.base
		if s := re.ReplaceAllString("<"+base+">", replacement); base != "" {
			base = s[1 : len(s)-1]
		}
		return (text != d.text || base != d.base) && d.agrees(text, base)
	}
}

// accepting makes a fault of what is accepted against the grammar: the smallest
// text, and the code that our reader refuses it with.
func accepting(code, pattern string) func(difference) bool {
	re := regexp.MustCompile(pattern)
	return func(d difference) bool {
		return d.theirErr == "" && d.err != nil && d.code() == code && re.MatchString(d.text)
	}
}

// source is where documents come from, beside their text.
type source struct {
	syntax, base string
	documents    map[string]string
	contexts     *jsonld.Contexts
}

func (s source) parse(text string) (*rdf.Dataset, error) {
	switch s.syntax {
	case "turtle":
		return turtle.Parse([]byte(text), turtle.Options{Base: s.base, Limits: rdf.Local()})
	case "trig":
		return turtle.ParseTriG([]byte(text), turtle.Options{Base: s.base, Limits: rdf.Local()})
	case "ntriples":
		return nquads.ParseTriples([]byte(text), nquads.Options{Limits: rdf.Local()})
	case "nquads":
		return nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()})
	case "jsonld":
		return jsonld.Parse([]byte(text), jsonld.Options{Base: s.base, Contexts: s.contexts, Lossy: true, Limits: rdf.Local()})
	}
	return nil, fmt.Errorf("no syntax is called %q", s.syntax)
}

var (
	quoted  = regexp.MustCompile(`"[^"]*"|'[^']*'|<[^>]*>|[0-9]+`)
	tags    = regexp.MustCompile(`(?m)"@[A-Za-z0-9-]+( <[^>]*>| _:\S+)? \.$`)
	letters = regexp.MustCompile(`@[A-Za-z0-9-]+`)
)

// lower returns a dataset with all language tags in lower case.
func lower(t testing.TB, d *rdf.Dataset) *rdf.Dataset {
	t.Helper()
	text := tags.ReplaceAllStringFunc(quadsOf(d), func(s string) string {
		return strings.Replace(s, letters.FindString(s), strings.ToLower(letters.FindString(s)), 1)
	})
	out, err := nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()})
	require.NoError(t, err)
	return out
}

// judge asks a reader what it makes of a text.
func (r reader) judge(t testing.TB, p *oracle.Process, s source, text string) (string, difference) {
	t.Helper()
	return r.judgeAt(0, t, p, s, text)
}

// most is how many known faults in a row may account for a disagreement.
const most = 4

// judgeAt judges a text that a number of other texts led to.
func (r reader) judgeAt(depth int, t testing.TB, p *oracle.Process, s source, text string) (string, difference) {
	t.Helper()
	d := difference{syntax: s.syntax, text: text, base: s.base, depth: depth}
	d.agrees = func(text, base string) bool {
		other := s
		other.base = base
		how, left := r.judgeAt(depth+1, t, p, other, text)
		if how == "" || left.depth >= most {
			return how == ""
		}
		// What is left may be another known fault.
		return slices.ContainsFunc(r.faults, func(f oracle.Fault[difference]) bool { return f.Excuses(left) })
	}
	d.again = func() string {
		how, _ := r.judge(t, p, s, text)
		return how
	}
	d.asks = func(text string) string {
		_, other := r.judge(t, p, s, text)
		return other.theirsIs
	}
	switch s.syntax {
	case "json":
		var form []byte
		form, d.err = canon.JCS([]byte(text))
		d.form = string(form)
	case "canonical":
		d.form, d.err = canonical(t, text)
	default:
		d.ours, d.err = s.parse(text)
	}
	if d.err != nil && r.accepted {
		return "", d
	}
	asked := text
	if s.syntax == "canonical" {
		// Reading is another matter.
		if d, err := nquads.Parse([]byte(text), nquads.Options{Limits: rdf.Local()}); err == nil {
			asked = quadsOf(d)
		}
	}
	var a answer
	if err := p.Ask(question{Ask: r.ask, Text: asked, Syntax: s.syntax, Base: s.base, Documents: s.documents}, &a); err != nil {
		if s.syntax == "canonical" {
			return "", d // they have no bound on their work
		}
		a.Error = err.Error()
	}
	d.theirErr = a.Error
	switch {
	case a.Error != "":
	case s.syntax == "json":
		d.theirsIs = a.Text
	case s.syntax == "canonical":
		d.theirsIs = a.Quads
		if r.unordered {
			d.theirsIs, d.theirErr = ordered(a.Quads)
		}
	default:
		theirs, err := nquads.Parse([]byte(a.Quads), nquads.Options{Limits: rdf.Local()})
		if err != nil {
			d.theirErr = "makes what is no RDF: " + err.Error()
		} else {
			d.theirs = theirs
		}
	}
	switch {
	case d.err != nil && d.theirErr != "":
		return "", d
	case d.err != nil:
		return "accepts what is refused: " + d.code(), d
	case d.theirErr != "":
		return "refuses: " + quoted.ReplaceAllString(d.theirErr, ""), d
	case d.ours == nil && d.form == d.theirsIs:
		return "", d
	case d.ours == nil:
		return fmt.Sprint("differs by ", len(d.form)-len(d.theirsIs)), d
	}
	ours := d.ours
	if r.lowers {
		ours = lower(t, ours)
	}
	if suite.Isomorphic(ours, d.theirs) {
		return "", d
	}
	return fmt.Sprint("differs by ", d.theirs.Len()-ours.Len()), d
}

// compare compares on a document in parts that can be left out.
func (r reader) compare(t *testing.T, l *oracle.Ledger[difference], p *oracle.Process, s source, name string, parts []string) {
	t.Helper()
	join := func(parts []string) string { return strings.Join(parts, "") }
	if s.syntax == "jsonld" {
		join = joinJSON
	}
	judge := func(parts []string) (string, difference) { return r.judge(t, p, s, join(parts)) }
	small := func(how string, parts []string, holds func([]string) bool) []string {
		if s.syntax == "jsonld" {
			return members(join(parts), holds)
		}
		if strings.HasPrefix(how, "differs") {
			return finer(parts, holds)
		}
		return runes(parts, holds)
	}
	for _, d := range l.Compare(parts, judge, small) {
		t.Errorf("%s: %s disagrees for no known reason\n%s", name, r.ask, d)
	}
}

// tokens are those of Turtle, roughly.
var tokens = regexp.MustCompile(`<[^<>\s]*>|"""(?s:\\.|[^\\])*?"""|'''(?s:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[@A-Za-z0-9_:%\\.\-]+|(?s:.)`)

// finer leaves out tokens, then characters: those of strings alone where the two
// read different things, so that one difference does not become another.
func finer(parts []string, holds func([]string) bool) []string {
	parts = oracle.Shrink(tokens.FindAllString(strings.Join(parts, ""), -1), holds)
	for i, part := range parts {
		if n := len(part); n > 2 && strings.ContainsRune(`"'`, rune(part[0])) {
			text := oracle.Shrink([]rune(part[1:n-1]), func(text []rune) bool {
				return holds(slices.Concat(parts[:i], []string{part[:1] + string(text) + part[n-1:]}, parts[i+1:]))
			})
			parts = slices.Concat(parts[:i], []string{part[:1] + string(text) + part[n-1:]}, parts[i+1:])
		}
	}
	return parts
}

// members leaves out members and items of JSON.
func members(text string, holds func([]string) bool) []string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return []string{"T" + text}
	}
	return []string{"T" + encode(oracle.ShrinkJSON(v, func(v any) bool { return holds([]string{"T" + encode(v)}) }))}
}

// runes leaves out characters.
func runes(parts []string, holds func([]string) bool) []string {
	all := oracle.Shrink([]rune(strings.Join(parts, "")), func(text []rune) bool { return holds([]string{string(text)}) })
	return []string{string(all)}
}

// checkFaults checks that each known fault is still there, and is known for what
// it is by the smallest document that shows it.
func (r reader) checkFaults(t *testing.T, contexts *jsonld.Contexts) {
	t.Helper()
	p := r.process(t)
	for _, f := range r.faults {
		if f.Example.text == "" {
			continue
		}
		s := source{syntax: f.Example.syntax, base: f.Example.base, contexts: contexts, documents: remoteContexts}
		how, d := r.judge(t, p, s, f.Example.text)
		for range 50 { // some are not the same each time
			if how == "" {
				how, d = r.judge(t, p, s, f.Example.text)
			}
		}
		if assert.NotEmpty(t, how, "a fault that was repaired: %s", f.Cause) {
			assert.Equal(t, f.Want, d.want(), f.Cause)
			assert.True(t, f.Excuses(d), "%s: does not excuse its own example\n%s", f.Cause, d)
		}
	}
}
