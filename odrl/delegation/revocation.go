package delegation

import (
	"maps"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Revocations is a set of policies that are withdrawn, by their IRIs. The zero value
// is empty. A set is immutable and safe for concurrent use.
type Revocations struct {
	policies map[string]bool
}

// Revoke returns the set of the policies with some IRIs.
func Revoke(iris ...string) Revocations {
	var r Revocations
	return r.with(iris)
}

func (r Revocations) with(iris []string) Revocations {
	if len(iris) == 0 {
		return r
	}
	policies := make(map[string]bool, len(r.policies)+len(iris))
	maps.Copy(policies, r.policies)
	for _, iri := range iris {
		policies[iri] = true
	}
	return Revocations{policies}
}

// Document returns the set together with what a revocation document withdraws
// (AZ-1.1): the object of every odrld:revokedPolicy in any of its graphs, whatever
// the subject. It fails with a [*RevocationError] when one is not an IRI, when something
// of the class odrld:Revocation has none (AZ-1.3), and for any other property or class of
// ODRL, or of a namespace that is nearly one of its: the caller must then deny, since
// something may have been withdrawn and nobody knows what. A document that says nothing
// by such a term withdraws nothing.
// Whether the document may speak for the policy's assigner is not checked here
// (AZ-1.2).
func (r Revocations) Document(d *rdf.Dataset) (Revocations, error) {
	p, class, is := d.LookupIRI(vocab.ODRLDRevokedPolicy), d.LookupIRI(vocab.ODRLDRevocation), d.LookupIRI(vocab.RDFType)
	var iris []string
	t := terms{d: d, known: map[rdf.ID]bool{}}
	says := map[rdf.ID]bool{}
	for i := range d.Len() {
		q := d.Quad(i)
		switch {
		case q.P != p && t.ofODRL(q.P):
			return Revocations{}, &RevocationError{Term: d.Term(q.P), Place: d.ObjectPlace(i), fault: unknownTerm}
		case q.P == is && q.O != class && d.Kind(q.O) != rdf.KindBlank && t.ofODRL(q.O):
			return Revocations{}, &RevocationError{Term: d.Term(q.O), Place: d.ObjectPlace(i), fault: unknownTerm}
		case q.P != p:
			continue
		case d.Kind(q.O) != rdf.KindIRI:
			return Revocations{}, &RevocationError{Term: d.Term(q.O), Place: d.ObjectPlace(i)}
		}
		says[q.S] = true
		iris = append(iris, d.Value(q.O))
	}
	for i := range d.Len() {
		if q := d.Quad(i); class != 0 && q.P == is && q.O == class && !says[q.S] {
			return Revocations{}, &RevocationError{Term: d.Term(q.S), Place: d.SubjectPlace(i), fault: emptyRevocation}
		}
	}
	return r.with(iris), nil
}

// terms says of the terms of a dataset whether they claim to be of ODRL, of each once.
type terms struct {
	d     *rdf.Dataset
	known map[rdf.ID]bool
}

// ofODRL is broad on purpose, as the compiler of policies is: what is said in a namespace
// that is nearly ODRL's must not vanish.
func (t *terms) ofODRL(id rdf.ID) bool {
	is, ok := t.known[id]
	if !ok {
		is = strings.Contains(strings.ToLower(t.d.Value(id)), "odrl")
		t.known[id] = is
	}
	return is
}

// Has reports whether a policy is withdrawn.
func (r Revocations) Has(policy string) bool { return r.policies[policy] }

// All returns the policies that are withdrawn, sorted.
func (r Revocations) All() []string { return slices.Sorted(maps.Keys(r.policies)) }

// RevocationError says that a revocation names no policy, or may name one in a way that is
// not known.
type RevocationError struct {
	Term  rdf.Term // in the place of the policy, a revocation without one, or a term that is not known
	Place rdf.Place
	fault revocationFault
}

// revocationFault is what is wrong with a revocation.
type revocationFault uint8

const (
	notAnIRI revocationFault = iota
	emptyRevocation
	unknownTerm
)

// Error returns the place and the term.
func (e *RevocationError) Error() string {
	s := CodeInvalidRevocation.Text()
	switch e.fault {
	case emptyRevocation:
		s += ", the revocation " + e.Term.Abbreviated() + " names none"
	case unknownTerm:
		s += ", by odrld:revokedPolicy; " + e.Term.Abbreviated() + " is no term of a revocation"
	default:
		s += ", not by the " + e.Term.Kind().String() + " " + e.Term.Abbreviated()
	}
	if p := e.Place.String(); p != "" {
		return p + ": " + s
	}
	return s
}

// Code returns CodeInvalidRevocation.
func (e *RevocationError) Code() Code { return CodeInvalidRevocation }
