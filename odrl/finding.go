package odrl

import (
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Severity says what a finding means for the policy.
type Severity uint8

const (
	// Denies: the term counts against every request that it matters for.
	Denies Severity = iota
	// Warning: the term is understood, but is probably not what was meant.
	Warning
	// Hint: the term changes nothing.
	Hint
)

// String returns "denies", "warning" or "hint".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Hint:
		return "hint"
	}
	return "denies"
}

// MarshalText returns the text of [Severity.String].
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is something in a policy that is not understood or worth mentioning.
type Finding struct {
	Code     Code      `json:"code"`
	Severity Severity  `json:"severity"`
	Message  string    `json:"message"`
	Policy   string    `json:"policy,omitempty"` // the policy's IRI
	Node     string    `json:"node,omitempty"`   // the rule, duty or constraint, in N-Triples syntax
	Term     string    `json:"term,omitempty"`   // the term that it is about, likewise
	Place    rdf.Place `json:"-"`                // of the term, as far as places were kept
}

// String returns the place, the message and the code.
func (f *Finding) String() string {
	s := fmt.Sprintf("%s [%s]", f.Message, f.Code)
	if p := f.Place.String(); p != "" {
		return p + ": " + s
	}
	return s
}

// CompileError says why a graph holds no policy that could be evaluated. Its
// code is one of the codes of structure.
type CompileError struct {
	Finding Finding
}

// Error returns the place and the message.
func (e *CompileError) Error() string {
	if p := e.Finding.Place.String(); p != "" {
		return p + ": " + e.Finding.Message
	}
	return e.Finding.Message
}

// Code returns the code of the finding.
func (e *CompileError) Code() Code { return e.Finding.Code }

// prefixes are those that messages use.
var prefixes = [...]struct{ prefix, iri string }{
	{"odrl:", vocab.ODRL}, {"odrld:", vocab.ODRLD}, {"acl:", acl}, {"cc:", cc},
	{"rdf:", vocab.RDF}, {"rdfs:", vocab.RDFS}, {"xsd:", vocab.XSD}, {"dcterms:", vocab.DC},
}

// short returns an IRI for a message: with a prefix that everyone knows, or in
// angle brackets.
func short(iri string) string {
	for _, p := range prefixes {
		if local, ok := strings.CutPrefix(iri, p.iri); ok && isLocal(local) {
			return p.prefix + local
		}
	}
	return "<" + rdf.Abbreviate(iri) + ">"
}

// isLocal reports whether a name is one that a message may have in full. How long it is
// depends on others.
func isLocal(s string) bool {
	if len(s) > longestName {
		return false
	}
	for _, r := range s {
		if !rdf.IsNameChar(r) {
			return false
		}
	}
	return s != ""
}

// shortTerm returns a term for a message.
func shortTerm(t rdf.Term) string {
	switch t.Kind() {
	case rdf.KindIRI:
		return short(t.Value())
	case rdf.KindLiteral:
		s := fmt.Sprintf("%q", rdf.Abbreviate(t.Value()))
		switch {
		case t.Lang() != "":
			return s + "@" + t.Lang()
		case t.Datatype() != vocab.XSDString:
			return s + "^^" + short(t.Datatype())
		}
		return s
	}
	return t.Abbreviated()
}

// nodeTerm returns a term for a message. The reader of the graph invented the label of
// a blank node, so that its line says more, where it is known.
func nodeTerm(t rdf.Term, place rdf.Place) string {
	if t.Kind() == rdf.KindBlank && place.Line > 0 {
		return fmt.Sprintf("at line %d", place.Line)
	}
	return shortTerm(t)
}

// NodeName returns a node for a message. It takes the node in N-Triples syntax, as
// traces and reasons have it, and names a blank node by its line, where the place is
// known.
func NodeName(node string, place rdf.Place) string {
	switch {
	case !strings.HasPrefix(node, "_:"):
		return short(strings.Trim(node, "<>"))
	case place.Line > 0:
		return fmt.Sprintf("at line %d", place.Line)
	}
	return node
}

// nearest returns the known name that an unknown one was probably meant to be,
// or "".
func nearest(name string, known []string) string {
	best, dist := "", 3
	if len(name) < 4 {
		dist = 2
	}
	for _, k := range known {
		if k == name {
			continue
		}
		if d := distance(name, k, dist); d < dist {
			best, dist = k, d
		}
	}
	return best
}

// distance is the number of single-letter changes between two names, at most
// limit.
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return min(row[len(b)], limit)
}
