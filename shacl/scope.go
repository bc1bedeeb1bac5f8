package shacl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// ReadsAllError says that a program can read every triple of the data, and why.
type ReadsAllError struct {
	Shape      rdf.Term  // as the shapes graph names it
	Constraint string    // the component's IRI
	Place      rdf.Place // of the parameter's value
}

// Error returns the place and the reason.
func (e *ReadsAllError) Error() string { return withPlace(e.Place, e.Message()) }

// Message returns the text without the place.
func (e *ReadsAllError) Message() string {
	return fmt.Sprintf("%s looks at every triple of a node, whatever its predicate (%s)", shorten(e.Shape), shortenIRI(e.Constraint))
}

// Predicates returns, sorted, the predicates of the triples that
// [Program.Validate] can read. Without all other triples the report has the same
// verdict, results and number of checks. Three things may differ: focus nodes come in
// the order of the data that is left, the place of a result without a value is
// that of the first triple left, and the number of checks for data of more triples than
// Options.MaxChecks promises it for. rdf:type is among the predicates where a target or
// sh:class names a class, and rdfs:subClassOf where a target or sh:class of any shape
// does. It fails with a [*ReadsAllError] when a shape is closed.
func (p *Program) Predicates() ([]string, error) {
	read := reading{p: p, seen: map[*shape]bool{}, walked: map[**step]bool{}, predicates: map[constID]bool{}}
	if len(p.classes) > 0 {
		read.predicates[p.subClassOf] = true // for classes of all shapes, see closeClasses
	}
	for _, s := range p.targeted {
		for i := range s.targets {
			switch t := &s.targets[i]; t.kind {
			case targetClass, targetImplicitClass:
				read.class()
			case targetSubjectsOf, targetObjectsOf:
				read.predicates[t.term] = true
			}
		}
		if err := read.shape(s); err != nil {
			return nil, err
		}
	}
	all := make([]string, 0, len(read.predicates))
	for c := range read.predicates {
		all = append(all, p.consts[c].Value())
	}
	slices.SortFunc(all, strings.Compare)
	return all, nil
}

// reading collects what shapes read. It calls itself as deep as shapes and paths
// are nested.
type reading struct {
	p          *Program
	seen       map[*shape]bool
	walked     map[**step]bool // the first of steps that paths may have in common
	predicates map[constID]bool
}

// class notes what finding the instances of a class reads, apart from subclasses.
func (r *reading) class() { r.predicates[r.p.typ] = true }

func (r *reading) shape(s *shape) error {
	if r.seen[s] || s.deactivated {
		return nil
	}
	r.seen[s] = true
	if s.path != nil {
		r.path(s.path.steps)
	}
	for i := range s.constraints {
		switch c := s.constraints[i].check.(type) {
		case classCheck:
			r.class()
		case *equalsCheck:
			r.predicates[c.predicate] = true
		case *disjointCheck:
			r.predicates[c.predicate] = true
		case *lessCheck:
			r.predicates[c.predicate] = true
		case minCountCheck, maxCountCheck, *datatypeCheck, nodeKindCheck, *rangeCheck, *lengthCheck, *patternCheck,
			*languageInCheck, uniqueLangCheck, hasValueCheck, *inCheck:
			// These look at value nodes alone.
		case referrer:
			// These look at what the shapes that they refer to look at.
		default: // *closedCheck
			return &ReadsAllError{s.term, s.constraints[i].component.iri(), s.constraints[i].place}
		}
	}
	for _, to := range s.refs {
		if err := r.shape(to); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) path(st *step) {
	if len(st.kids) == 0 {
		r.predicates[st.predicate] = true
		return
	}
	if r.walked[&st.kids[0]] {
		return
	}
	r.walked[&st.kids[0]] = true
	for _, kid := range st.kids {
		r.path(kid)
	}
}
