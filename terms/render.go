package terms

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// quoted puts a text from outside between quotes. It escapes what a terminal would obey
// instead of showing it (section B.9), and what a terminal shows as nothing.
func quoted(s string) string {
	s = strconv.Quote(s)
	if strings.IndexFunc(s, unseen) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unseen(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// unseen reports whether a character is printable and yet invisible: fillers, joiners,
// selectors of variants.
func unseen(r rune) bool {
	return r > 0x7e && (unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == 0x2800)
}

// plain returns a word as it is, and anything else quoted.
func plain(s string) string {
	for _, r := range s {
		if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.') {
			return quoted(s)
		}
	}
	if s == "" {
		return quoted(s)
	}
	return s
}

func plainList(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = plain(s)
	}
	return strings.Join(out, ", ")
}

// Lines returns the report for people, line by line, with two spaces for each level
// (section B.8). It includes the signals of entries.
func (r *Report) Lines() []string {
	w := &writer{}
	switch r.Terms {
	case Silent:
		w.line(0, "This card states nothing about terms.")
		w.line(1, "card signature: %s", r.CardSignature)
		return w.lines
	case Stated:
		w.line(0, "This card states terms.")
	default:
		w.line(0, "No proposal of this card could be verified: it is to be treated like a card that states nothing about terms.")
	}
	w.line(1, "card signature: %s (it says nothing about the terms)", r.CardSignature)
	if r.Code != "" {
		w.line(1, "signal: %s [%s]", r.Signal, r.Code)
	}
	if r.SOWSpec != "" && r.Terms == Stated {
		w.line(1, "written under Agent SoW %s", plain(r.SOWSpec))
	}
	for _, f := range r.Warnings {
		w.line(1, "warning: %s [%s]", f.Text, f.Code)
	}
	for i := range r.Entries {
		w.entry(&r.Entries[i])
	}
	if r.Remedy != nil {
		w.line(1, "remedy: %s", r.Remedy.Text)
	}
	if r.Terms != Stated {
		return w.lines
	}
	for _, c := range r.Claims {
		if c.Stated {
			w.line(1, "the card says %s (at %s): %s says so %s", quoted(c.Phrase), plainPointer(c.Pointer), c.Clause, c.Grade.note())
		} else {
			w.line(1, "the card says %s (at %s): no verified clause states this", quoted(c.Phrase), plainPointer(c.Pointer))
		}
	}
	w.list("proves:", r.Proves)
	w.list("does not prove:", r.DoesNotProve)
	return w.lines
}

// plainPointer returns a JSON pointer of words as it is, and any other quoted.
func plainPointer(p string) string {
	for word := range strings.SplitSeq(p, "/") {
		if word != "" && plain(word) != word {
			return quoted(p)
		}
	}
	return p
}

// part returns the name of a member as a part of a path. A name that is not one word is
// quoted, so that two places of a document never have the same path.
func part(name string) string {
	if strings.Contains(name, ".") {
		return quoted(name)
	}
	return plain(name)
}

type writer struct{ lines []string }

func (w *writer) line(level int, format string, args ...any) {
	w.lines = append(w.lines, strings.Repeat("  ", level)+fmt.Sprintf(format, args...))
}

func (w *writer) list(head string, items []string) {
	w.line(1, "%s", head)
	for _, s := range items {
		w.line(2, "%s", s)
	}
}

func (w *writer) entry(e *EntryReport) {
	if e.Outcome != Verified {
		w.line(1, "entry %d: no terms stated", e.Index)
		w.line(2, "signal: %s [%s]", e.Signal, e.Code)
		if e.URL != "" {
			w.line(2, "url %s", e.URL)
		}
		if e.Digest != "" {
			w.line(2, "committed %s", e.Digest)
		}
		if e.FoundDigest != "" {
			w.line(2, "served    %s", e.FoundDigest)
		}
		return
	}
	head := "verified"
	if len(e.MissingClauses) > 0 {
		head += ", clauses missing: " + strings.Join(e.MissingClauses, ", ")
	}
	if e.Directed {
		head += ", offer to you only"
	}
	if e.Lapsed {
		head += ", lapsed, not open"
	}
	w.line(1, "entry %d: %s", e.Index, head)
	w.line(2, "url %s", e.URL)
	w.line(2, "committed %s", e.Digest)
	w.line(2, "document %s, version %d, offerings %s", plain(e.DocumentID), e.Version, plainList(e.Offerings))
	w.line(2, "key %s, signed at %s (claimed, not signed)", e.ProviderKey, e.SignedAtClaimed)
	if e.Attributed != nil {
		w.line(2, "the key is that of %s: %s", quoted(e.Owner), e.Attributed)
	}
	for _, f := range e.Warnings {
		w.line(2, "warning: %s [%s]", f.Text, f.Code)
	}
}

// Lines returns the proposal for people: every clause with its grade beside it, as
// the provider claims it, and every signed member as it is (section B.8; SoW,
// section 3). A lapsed offer is marked as not open.
func (p *Proposal) Lines() []string {
	w := &writer{}
	if p.doc == nil {
		return nil
	}
	head := fmt.Sprintf("proposal %s, version %d", plain(p.ID()), p.Version())
	if p.Directed() {
		head += ", offer to you only"
	}
	if p.lapsed {
		head += ", lapsed, not open"
	}
	w.line(0, "%s", head)
	w.line(1, "committed %s", p.digest)
	w.line(1, "key %s, signed at %s (claimed, not signed)", p.signature.key, p.signature.signedAt)
	if p.attributed != nil {
		w.line(1, "the key is that of %s: %s", quoted(p.Owner()), *p.attributed)
	}
	if len(p.missing) > 0 {
		w.line(1, "clauses missing: %s", strings.Join(p.missing, ", "))
	}
	if l := p.Root().Get("language"); l.Exists() {
		w.line(1, "contract language %s version %s is not known to this program; the signed fields are shown as they are", value(l.Get("id")), value(l.Get("version")))
	} else {
		w.line(1, "no contract language is named; the signed fields are shown as they are")
	}
	v := &view{writer: w, clauses: map[strictjson.Value]*clause{}}
	for i := range p.clauses {
		v.clauses[p.clauses[i].value] = &p.clauses[i]
	}
	for name, m := range p.Root().Members() {
		switch name {
		case "id", "version", "signatures":
			continue
		case "price":
			v.member(1, name, m)
			for _, l := range p.price.lines() {
				w.line(2, "%s %s", l.text, p.gradeOf(l.paths...).note())
			}
			v.rest(m)
			continue
		}
		v.member(1, part(name), m)
		v.inner(2, m)
	}
	return w.lines
}

// view shows the values of a document.
type view struct {
	*writer
	clauses map[strictjson.Value]*clause
}

// member shows a member: its value, or its grade above what it holds.
func (v *view) member(level int, label string, m strictjson.Value) {
	switch c := v.clauses[m]; {
	case c != nil:
		v.line(level, "%s %s", label, c.note())
	case m.Kind() == strictjson.Object && m.Len() > 0, m.Kind() == strictjson.Array && m.Len() > 0:
		v.line(level, "%s", label)
	default:
		v.lines = append(v.lines, strings.Repeat("  ", level)+label+": "+value(m)+cited(label))
	}
}

// besides reports whether the grade of an object is already shown beside its name.
func (v *view) besides(m, grade strictjson.Value) bool {
	return v.clauses[m] != nil && isGrade(text(grade))
}

// inner shows what a value holds.
func (v *view) inner(level int, m strictjson.Value) {
	switch m.Kind() {
	case strictjson.Object:
		for name, x := range m.Members() {
			if name == "grade" && v.besides(m, x) {
				continue
			}
			v.member(level, part(name), x)
			v.inner(level+1, x)
		}
	case strictjson.Array:
		for i, x := range m.Items() {
			v.member(level, strconv.Itoa(i), x)
			v.inner(level+1, x)
		}
	}
}

// rest shows the members of a price that its own lines do not cover.
func (v *view) rest(m strictjson.Value) {
	said := func(name string, known ...string) {
		if x := m.Get(name); x.Kind() == strictjson.Array {
			for i, e := range x.Items() {
				v.but(e, fmt.Sprintf("%s[%d]", name, i), known)
			}
		} else {
			v.but(x, name, known)
		}
	}
	for name, x := range m.Members() {
		switch {
		case name == "arrangement" || name == "currency" || name == "grade" && v.besides(m, x):
		case name == "rates":
			said(name, "offering", "per_task")
		case name == "schedule":
			said(name, "meter", "unit", "per", "per_unit", "pass_through")
		case name == "cap":
			said(name, "amount")
		default:
			v.member(2, part(name), x)
			v.inner(3, x)
		}
	}
}

// but shows the members of an object except the known ones.
func (v *view) but(m strictjson.Value, label string, known []string) {
	for name, x := range m.Members() {
		if slices.Contains(known, name) {
			continue
		}
		if c := v.clauses[x]; c == nil && x.Kind() != strictjson.Object && x.Kind() != strictjson.Array {
			v.line(2, "%s.%s: %s%s", label, part(name), value(x), cited(name))
			continue
		}
		v.member(2, label+"."+part(name), x)
		v.inner(3, x)
	}
}

// cited marks members that a document cites and nobody verified (O-9; SoW, section 6.2).
func cited(name string) string {
	if name == "organization" || name == "mandate" {
		return " (cited, not verified)"
	}
	return ""
}

// value writes a scalar, and an empty object or array.
func value(v strictjson.Value) string {
	if s, ok := v.Str(); ok {
		return quoted(s)
	}
	switch v.Kind() {
	case strictjson.Absent:
		return "none"
	case strictjson.Object:
		return "{}"
	case strictjson.Array:
		return "[]"
	}
	return v.Source()
}

// Label names the proposal in one line: its owner, identifier, version and committed
// digest.
func (p *Proposal) Label() string {
	if p.doc == nil {
		return ""
	}
	return fmt.Sprintf("%s, %s, version %d, %s", quoted(p.Owner()), plain(p.ID()), p.Version(), p.digest)
}

// Summary says in one line what the proposal offers and at what price, with the
// grade of the price beside it, or of each part of it where they differ.
func (p *Proposal) Summary() string {
	if p.doc == nil {
		return ""
	}
	parts := p.price.lines()
	texts, grades := make([]string, len(parts)), make([]Grade, len(parts))
	for i, l := range parts {
		texts[i], grades[i] = l.text, p.gradeOf(l.paths...)
	}
	end := " " + grades[0].note()
	if len(slices.Compact(slices.Clone(grades))) > 1 {
		end = ""
		for i := range texts {
			texts[i] += " " + grades[i].note()
		}
	}
	return plainList(p.Offerings()) + ": " + strings.Join(texts, "; ") + end
}
