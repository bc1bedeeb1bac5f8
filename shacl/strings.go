package shacl

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/internal/xpattern"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// String-based constraint components (section 4.4).

// lengthCheck is sh:minLength (4.4.1) or sh:maxLength (4.4.2).
type lengthCheck struct {
	n   int
	max bool
}

func compileMinLength(k *compiler, s *shape, v value) check {
	if n, ok := k.count(s, v); ok {
		return &lengthCheck{n, false}
	}
	return nil
}

func compileMaxLength(k *compiler, s *shape, v value) check {
	n, ok := k.count(s, v)
	if !ok {
		return nil
	}
	k.reviewBounds(s, v, n, vocab.SHMinLength)
	return &lengthCheck{n, true}
}

func (c *lengthCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if r.kind(v) != rdf.KindBlank && r.spendText(r.text(v)) && c.fits(r.text(v)) {
			continue
		}
		if ok = false; r.sink == nil {
			continue
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

func (c *lengthCheck) fits(text string) bool {
	if c.max {
		return len(text) <= c.n || utf8.RuneCountInString(text) <= c.n
	}
	return len(text) >= c.n && utf8.RuneCountInString(text) >= c.n
}

func (c *lengthCheck) reason(res *Result, _ func(rdf.Term) string) string {
	want := "at least "
	if c.max {
		want = "at most "
	}
	if res.Value.Kind() == rdf.KindBlank {
		return "expected a text of " + want + plural(c.n, "character") + ", found a blank node"
	}
	return "expected " + want + plural(c.n, "character") + ", found " + strconv.Itoa(utf8.RuneCountInString(res.Value.Value()))
}

// patternCheck is sh:pattern with sh:flags (4.4.3).
type patternCheck struct {
	pattern *xpattern.Pattern
	flags   string
}

// stepsPerCheck is how many steps of a match take about as long as one check: two
// nanoseconds each. A million checks of patterns that were made for their texts then take
// a tenth of a second or little more, as a million others do, and an ordinary pattern is
// paid for by the check of its value, or costs one or two more.
const stepsPerCheck = 64

func compilePattern(k *compiler, s *shape, v value) check {
	pattern, ok := k.plainString(s, v) // rule pattern-datatype
	if !ok {
		return nil
	}
	flags := ""
	if k.has(s, vocab.SHFlags) {
		f, ok := k.only(s, vocab.SHFlags) // several are reported by their own rule
		if !ok {
			return nil
		}
		if flags, ok = k.plainString(s, f); !ok { // rule flags-datatype
			return nil
		}
	}
	key := patternKey{pattern, flags}
	if c := k.patterns[key]; c != nil {
		return c
	}
	if k.limit != nil {
		return nil // there is no program anyway
	}
	if len(pattern) > k.maxPattern && utf8.RuneCountInString(pattern) > k.maxPattern {
		k.exceed(LimitPattern, k.maxPattern, v.place)
		return nil
	}
	compiled, bytes, err := xpattern.CompileWithin(pattern, flags, k.maxPatternBytes-k.patternBytes) // rule pattern-regex
	k.patternBytes += bytes + len(flags)                                                             // which each pattern reads again
	switch {
	case errors.Is(err, xpattern.ErrBudget), k.patternBytes > k.maxPatternBytes:
		k.exceed(LimitPatterns, k.maxPatternBytes, v.place)
		return nil
	case err != nil:
		k.illFormed(s, v, err.Error())
		return nil
	}
	c := &patternCheck{compiled, flags}
	if k.patterns == nil {
		k.patterns = map[patternKey]*patternCheck{}
	}
	k.patterns[key] = c
	return c
}

type patternKey struct{ pattern, flags string }

// plainString returns the text of a literal of datatype xsd:string, and reports
// another value.
func (k *compiler) plainString(s *shape, v value) (string, bool) {
	t := k.d.Term(v.id)
	if t.Kind() != rdf.KindLiteral || t.Datatype() != vocab.XSDString {
		k.illFormed(s, v, "expected an xsd:string, found "+k.name(v.id))
		return "", false
	}
	return t.Value(), true
}

func (c *patternCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	ok := true
	for _, v := range values {
		if r.kind(v) != rdf.KindBlank {
			if r.matches(c.pattern, r.text(v)) {
				continue
			}
			if r.err != nil {
				return false
			}
		}
		if ok = false; r.sink == nil {
			continue
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

// matches reports whether a text matches a pattern, and takes what that costs while it
// is done: how long it takes depends on both, and nobody knows it before. It means
// nothing once the run has failed.
func (r *run) matches(p *xpattern.Pattern, text string) bool {
	m := &r.matcher
	m.Begin(p, text)
	spent := 0
	for !m.Run((spent + slice) * stepsPerCheck) {
		if !r.spend(slice) {
			return false
		}
		spent += slice
	}
	if rest := m.Steps()/stepsPerCheck - spent; rest > 0 && !r.spend(rest) {
		return false
	}
	return m.Found()
}

func (c *patternCheck) reason(res *Result, name func(rdf.Term) string) string {
	if res.Value.Kind() == rdf.KindBlank {
		return "expected a text that matches " + name(res.why.value) + ", found a blank node"
	}
	return "does not match the pattern " + name(res.why.value)
}

// languageInCheck is sh:languageIn (4.4.4).
type languageInCheck struct {
	ranges []string
	terms  []rdf.Term // the same
	cost   int        // of a value beyond one check, for a list that is long or has long members
}

func compileLanguageIn(k *compiler, s *shape, v value) check {
	if c := k.languages[v.id]; c != nil {
		return c
	}
	members, ok := k.list(s, v) // rule languageIn-node
	if !ok {
		return nil
	}
	use := listUse{v.id, languageInComponent}
	if m := k.unfit[use]; m != 0 {
		members = []rdf.ID{m}
	}
	c := &languageInCheck{}
	for _, m := range members { // rule languageIn-members-datatype
		text, ok := k.plainString(s, value{v.property, m, v.place})
		if !ok {
			k.notFit(use, m)
			return nil
		}
		c.ranges = append(c.ranges, text)
		c.terms = append(c.terms, k.d.Term(m))
		c.cost += len(text) / 8
	}
	c.cost = c.cost/8 + len(c.ranges)/8
	put(&k.languages, v.id, c)
	return c
}

func (c *languageInCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	if !r.spend(len(values) * c.cost) {
		return false
	}
	ok := true
	for _, v := range values {
		lang := r.lang(v)
		if lang != "" && slices.ContainsFunc(c.ranges, func(rg string) bool { return langMatches(lang, rg) }) {
			continue
		}
		if ok = false; r.sink == nil {
			return false
		}
		r.violate(s, con, focus, violation{value: v})
	}
	return ok
}

// langMatches is basic filtering (RFC 4647, section 3.3.1), which langMatches of
// SPARQL uses.
func langMatches(tag, rg string) bool {
	if rg == "*" {
		return true
	}
	return len(tag) >= len(rg) && foldEqual(tag[:len(rg)], rg) && (len(tag) == len(rg) || tag[len(rg)] == '-')
}

func (c *languageInCheck) reason(res *Result, name func(rdf.Term) string) string {
	found := ", found "
	switch v := res.Value; {
	case v.Lang() != "":
		found += v.Lang()
	case v.Kind() == rdf.KindLiteral:
		found += "a literal without a language"
	default:
		found += article(v.Kind())
	}
	return "expected a language that matches " + some(len(c.ranges), func(i int) string { return c.ranges[i] }) + found
}

// some writes the first items of a list and how many more there are.
func some(n int, item func(int) string) string {
	const most = 5
	if n == 0 {
		return "nothing"
	}
	parts := make([]string, 0, most+1)
	for i := range min(n, most) {
		parts = append(parts, item(i))
	}
	if n > most {
		parts = append(parts, strconv.Itoa(n-most)+" more")
	}
	return strings.Join(parts, ", ")
}

// uniqueLangCheck is sh:uniqueLang (4.4.5).
type uniqueLangCheck struct{}

func compileUniqueLang(k *compiler, s *shape, v value) check {
	if on, ok := k.boolean(v.id); ok {
		if on {
			return uniqueLangCheck{}
		}
		return nil
	}
	t := k.d.Term(v.id)
	if t.Datatype() != vocab.XSDBoolean || t.Value() != "1" && t.Value() != "0" { // rule uniqueLang-datatype
		k.illFormed(s, v, "expected true or false, found "+k.name(v.id))
		return nil
	}
	// uniqueLang-002 of the W3C suite: only true makes the constraint.
	k.noEffect(s, v, CodeTolerated, "it does nothing when it is written "+k.name(v.id)+" instead of true")
	return nil
}

func (c uniqueLangCheck) holds(r *run, s *shape, con *constraint, focus rdf.ID, values []rdf.ID) bool {
	if len(values) < 2 {
		return true
	}
	// The tags in lower case, with the value that had each first.
	type tag struct {
		lang  string
		value rdf.ID
	}
	var room [16]tag
	tags := room[:0]
	for _, v := range values {
		if lang := r.lang(v); lang != "" && r.spendText(lang) {
			tags = append(tags, tag{strings.ToLower(lang), v})
		}
	}
	slices.SortStableFunc(tags, func(a, b tag) int { return strings.Compare(a.lang, b.lang) })
	ok := true
	for i := 1; i < len(tags); i++ {
		if tags[i].lang != tags[i-1].lang || i > 1 && tags[i-2].lang == tags[i].lang {
			continue // not used twice, or already reported
		}
		if ok = false; r.sink == nil {
			return false
		}
		r.violate(s, con, focus, violation{other: tags[i].value})
	}
	return ok
}

func (c uniqueLangCheck) reason(res *Result, _ func(rdf.Term) string) string {
	return "the language " + res.other.Lang() + " is used by more than one value"
}
