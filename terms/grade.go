package terms

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Grade says how a clause is backed by a machine, as its provider claims it (SoW,
// section 3). It is never raised here: a clause without a grade is ungraded.
type Grade string

// The grades.
const (
	Enforced Grade = "enforced" // the provider claims that violations are refused mechanically
	Evidence Grade = "evidence" // the provider claims that signed records are kept
	Recorded Grade = "recorded" // a promise
	Ungraded Grade = "ungraded" // the document does not say, or says something that is not defined
)

func isGrade(s string) bool {
	switch Grade(s) {
	case Enforced, Evidence, Recorded:
		return true
	}
	return false
}

// note is the text of a grade beside a clause (O-2).
func (g Grade) note() string {
	switch g {
	case Enforced, Evidence:
		return "[" + string(g) + ", provider's claim]"
	case Recorded:
		return "[recorded, a promise]"
	}
	return "[ungraded]"
}

// weakest returns the lowest of some grades: a statement in several parts is worth no
// more than the weakest of them.
func weakest(grades []Grade) Grade {
	for _, g := range []Grade{Ungraded, Recorded, Evidence} {
		if slices.Contains(grades, g) {
			return g
		}
	}
	return Enforced
}

// clause is a part of a document with a grade of its own.
type clause struct {
	path  string
	value strictjson.Value
	grade Grade
	// claimed is the grade that the document gives, if a clause of this kind cannot have
	// it.
	claimed string
}

// note is the grade of a clause with what is wrong about it.
func (c *clause) note() string {
	if c.claimed == "" {
		return c.grade.note()
	}
	return fmt.Sprintf("%s (the document says %s, which it cannot be)", c.grade.note(), quoted(c.claimed))
}

// readGrades finds every graded part of a document, at any depth, in the order of the
// document (section B.6; SoW, sections 3 and 4.2). It fails when the paths to all grades
// together are too long.
func (d *Document) readGrades() ([]clause, []Finding, *Error) {
	g := &grader{promises: d.root.Get("confidentiality").Get("promises"), room: maxPathBytes}
	for i := range d.root.Len() {
		if m := d.root.Member(i); isClause(m.Str(), m.Value) {
			g.clause(&path{name: m.Str()}, m.Value)
		}
	}
	if g.room < 0 {
		return nil, nil, refuseAt(d.root, CodeLimit, "expected at most %d bytes of paths to grades", maxPathBytes)
	}
	return g.clauses, g.findings, nil
}

// maxPathBytes bounds the paths to all grades of a document: people write thirty paths
// of twenty bytes. A card can have 64 documents.
const maxPathBytes = 256 << 10

// path is a place in a document. Its text is made only when it is needed.
type path struct {
	up    *path
	name  string
	index int    // of an element, when name is ""; -1 for a member whose name is empty
	text  string // of this part, once it was needed: a name can be long, and stand in many paths
}

func (p *path) member(name string) *path {
	if name == "" {
		return &path{up: p, index: -1}
	}
	return &path{up: p, name: name}
}

func (p *path) element(i int) *path { return &path{up: p, index: i} }

// last returns the text of the last part.
func (p *path) last() string {
	if p.text == "" {
		switch {
		case p.up == nil:
			p.text = part(p.name)
		case p.name != "" || p.index < 0:
			p.text = "." + part(p.name)
		default:
			p.text = "[" + strconv.Itoa(p.index) + "]"
		}
	}
	return p.text
}

// size returns about how much memory the path takes.
func (p *path) size() int {
	n := 0
	for ; p != nil; p = p.up {
		n += len(p.last()) + 8
	}
	return n
}

func (p *path) String() string {
	var parts []string
	for ; p != nil; p = p.up {
		parts = append(parts, p.last())
	}
	slices.Reverse(parts)
	return strings.Join(parts, "")
}

type grader struct {
	finder
	promises strictjson.Value
	room     int // for paths, in bytes
	clauses  []clause
	findings []Finding
}

func (g *grader) find(v strictjson.Value, code Code, format string, args ...any) {
	const most = 100 // nobody reads more
	if len(g.findings) < most {
		g.findings = append(g.findings, g.at(v, code, format, args...))
	}
}

// clause reads a top-level clause. An object has a grade, or is split into parts with
// grades of their own; an array cannot have one.
func (g *grader) clause(at *path, v strictjson.Value) {
	if v.Kind() != strictjson.Object {
		g.note(at, clause{value: v, grade: Ungraded})
		g.parts(at, v, Ungraded)
		return
	}
	split, loose := false, false
	for _, m := range v.Members() {
		split = split || m.Kind() == strictjson.Object
		loose = loose || m.Kind() != strictjson.Object
	}
	if v.Get("grade").Exists() || !split {
		g.parts(at, v, g.add(at, v))
		return
	}
	// Confidentiality is the usual case. Members besides the parts have no grade.
	if loose {
		g.note(at, clause{value: v, grade: Ungraded})
	}
	for name, m := range v.Members() {
		grade := Ungraded
		if m.Kind() == strictjson.Object {
			grade = g.add(at.member(name), m)
		}
		g.parts(at.member(name), m, grade)
	}
}

// parts finds the parts within a clause that have a grade of their own, or cannot have
// the grade of the clause.
func (g *grader) parts(at *path, v strictjson.Value, outer Grade) {
	see := func(at *path, m strictjson.Value) {
		if g.room < 0 { // it is refused
			return
		}
		inner := outer
		switch {
		case m.Kind() != strictjson.Object:
		case m.Get("grade").Exists():
			inner = g.add(at, m)
		case g.highest(m, outer) != outer:
			inner = g.bound(at, clause{value: m, grade: outer}, m)
		}
		g.parts(at, m, inner)
	}
	switch v.Kind() {
	case strictjson.Object:
		for name, m := range v.Members() {
			see(at.member(name), m)
		}
	case strictjson.Array:
		for i, m := range v.Items() {
			see(at.element(i), m)
		}
	}
}

// add reads the grade of a part.
func (g *grader) add(at *path, v strictjson.Value) Grade {
	c := clause{value: v, grade: Ungraded}
	claimed := v.Get("grade")
	switch s := text(claimed); {
	case isGrade(s):
		c.grade = Grade(s)
	case claimed.Exists():
		g.find(claimed, CodeGrade, "expected enforced, evidence or recorded for grade")
	default:
		g.find(v, CodeGrade, "expected a grade")
	}
	return g.bound(at, c, orElse(claimed, v))
}

// bound notes a part with the highest grade that its kind can have.
func (g *grader) bound(at *path, c clause, v strictjson.Value) Grade {
	if h := g.highest(c.value, c.grade); h != c.grade {
		c.claimed, c.grade = string(c.grade), h
		g.find(v, CodeGradeClaim, "expected the grade %s, found one that this kind of clause cannot have", h)
	}
	g.note(at, c)
	return c.grade
}

// note keeps a part.
func (g *grader) note(at *path, c clause) {
	if g.room -= at.size(); g.room < 0 {
		return
	}
	c.path = at.String()
	g.clauses = append(g.clauses, c)
}

// highest returns the highest grade, up to the given one, that a part can have. Two kinds
// are bounded: a promise is recorded, and what a party says about itself is evidence at
// best (SoW, sections 5.11 and 12.1).
func (g *grader) highest(v strictjson.Value, grade Grade) Grade {
	switch {
	case v == g.promises && grade != Ungraded:
		return Recorded
	case text(v.Get("kind")) == "asserted" && grade == Enforced:
		return Evidence
	}
	return grade
}

// falsePromises finds promises that are not true: a promise is true or left out (SoW,
// section 5.11).
func (d *Document) falsePromises() []Finding {
	const most = 100 // nobody reads more
	var (
		out []Finding
		f   finder
	)
	for name, v := range d.root.Get("confidentiality").Get("promises").Members() {
		if b, ok := v.Bool(); name != "grade" && (!ok || !b) && len(out) < most {
			out = append(out, f.at(v, CodeGradeClaim, "expected true for a promise: one that is not made is left out"))
		}
	}
	return out
}
