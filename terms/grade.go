package terms

import (
	"fmt"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Grade says what a machine can do about a clause, as its provider claims it (SoW,
// section 3). It is never raised here: a clause that has none is ungraded.
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

// note is a grade as it stands beside a clause (O-2).
func (g Grade) note() string {
	switch g {
	case Enforced, Evidence:
		return "[" + string(g) + ", provider's claim]"
	case Recorded:
		return "[recorded, a promise]"
	}
	return "[ungraded]"
}

// clause is a part of a document with a grade of its own.
type clause struct {
	path  string
	value strictjson.Value
	grade Grade
	// claimed is the grade that the document gives, where its kind cannot have it.
	claimed string
}

// note is the grade of a clause with what is wrong about it.
func (c *clause) note() string {
	if c.claimed == "" {
		return c.grade.note()
	}
	return fmt.Sprintf("%s (the document says %s, which it cannot be)", c.grade.note(), quoted(c.claimed))
}

// readGrades finds every graded part of a document, at any depth, in its order
// (section B.6; SoW, sections 3 and 4.2).
func (d *Document) readGrades() ([]clause, []Finding) {
	g := &grader{places: d.root.Locator()}
	for i := range d.root.Len() {
		if m := d.root.Member(i); isClause(m.Str(), m.Value) {
			g.clause(part(m.Str()), m.Value)
		}
	}
	return g.clauses, g.findings
}

type grader struct {
	places   *strictjson.Locator
	clauses  []clause
	findings []Finding
}

func (g *grader) find(v strictjson.Value, code Code, format string, args ...any) {
	const most = 100 // nobody reads more
	if len(g.findings) < most {
		line, column := g.places.Place(v.Offset())
		g.findings = append(g.findings, Finding{Code: code, Text: fmt.Sprintf(format, args...), Pointer: v.Pointer(), Line: line, Column: column})
	}
}

// clause reads a top-level clause. An object has a grade, or is split into parts
// that have their own; an array has no place for one.
func (g *grader) clause(path string, v strictjson.Value) {
	if v.Kind() != strictjson.Object {
		g.clauses = append(g.clauses, clause{path: path, value: v, grade: Ungraded})
		g.parts(path, v, Ungraded)
		return
	}
	split := false
	for _, m := range v.Members() {
		split = split || m.Kind() == strictjson.Object
	}
	if v.Get("grade").Exists() || !split {
		g.parts(path, v, g.add(path, v))
		return
	}
	// Confidentiality is the usual case. What stands beside the parts has no grade.
	for _, m := range v.Members() {
		if m.Kind() != strictjson.Object {
			g.clauses = append(g.clauses, clause{path: path, value: v, grade: Ungraded})
			break
		}
	}
	for name, m := range v.Members() {
		if m.Kind() == strictjson.Object {
			g.parts(path+"."+part(name), m, g.add(path+"."+part(name), m))
		} else {
			g.parts(path+"."+part(name), m, Ungraded)
		}
	}
}

// parts finds what is within a clause and has a grade of its own, or cannot have
// the one that the clause gives it.
func (g *grader) parts(path string, v strictjson.Value, outer Grade) {
	see := func(path string, m strictjson.Value) {
		inner := outer
		switch {
		case m.Kind() != strictjson.Object:
		case m.Get("grade").Exists():
			inner = g.add(path, m)
		case highest(path, m, outer) != outer:
			inner = g.bound(clause{path: path, value: m, grade: outer}, m)
		}
		g.parts(path, m, inner)
	}
	switch v.Kind() {
	case strictjson.Object:
		for name, m := range v.Members() {
			see(path+"."+part(name), m)
		}
	case strictjson.Array:
		for i, m := range v.Items() {
			see(fmt.Sprintf("%s[%d]", path, i), m)
		}
	}
}

// add reads the grade of a part.
func (g *grader) add(path string, v strictjson.Value) Grade {
	c := clause{path: path, value: v, grade: Ungraded}
	claimed := v.Get("grade")
	switch s := text(claimed); {
	case isGrade(s):
		c.grade = Grade(s)
	case claimed.Exists():
		g.find(claimed, CodeGrade, "expected enforced, evidence or recorded for grade")
	default:
		g.find(v, CodeGrade, "expected a grade")
	}
	return g.bound(c, orElse(claimed, v))
}

// bound notes a part with the highest grade that its kind can have.
func (g *grader) bound(c clause, at strictjson.Value) Grade {
	if h := highest(c.path, c.value, c.grade); h != c.grade {
		c.claimed, c.grade = string(c.grade), h
		g.find(at, CodeGradeClaim, "expected the grade %s, found one that this kind of clause cannot have", h)
	}
	g.clauses = append(g.clauses, c)
	return c.grade
}

// highest bounds a grade. Two kinds of parts can have one grade only, and are shown
// with no other: a promise is recorded, and what a party says of itself is evidence
// at best (SoW, sections 5.11 and 12.1).
func highest(path string, v strictjson.Value, grade Grade) Grade {
	switch {
	case path == "confidentiality.promises" && grade != Ungraded:
		return Recorded
	case text(v.Get("kind")) == "asserted" && grade == Enforced:
		return Evidence
	}
	return grade
}

// falsePromises finds promises that promise nothing: a promise is true, or it is
// not made (SoW, section 5.11).
func (d *Document) falsePromises() []Finding {
	var out []Finding
	for name, v := range d.root.Get("confidentiality").Get("promises").Members() {
		if b, ok := v.Bool(); name != "grade" && (!ok || !b) && len(out) < 100 {
			out = append(out, findAt(v, CodeGradeClaim, "expected true for a promise: one that is not made is left out"))
		}
	}
	return out
}
