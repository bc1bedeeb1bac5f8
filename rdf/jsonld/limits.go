package jsonld

import (
	"github.com/rdfproto/rdfproto/rdf"
)

// Limits bounds what processing a document may cost beyond what [rdf.Limits]
// bounds. Every number is a maximum that is still accepted; one more is an
// [*rdf.LimitError]. A number that is not positive means that of [Peer]. There
// is no way to say "unlimited".
type Limits struct {
	Values       int   // JSON values of the document
	Members      int   // members of one JSON object
	Contexts     int   // contexts processed; one that was met before under the same terms is not processed again
	ContextBytes int64 // pinned contexts that the document refers to, each once, its scoped ones as often as processed, and the IRIs that terms are mapped to
	Definitions  int   // term definitions, made or copied
	Elements     int   // objects of the expanded document
}

// Peer returns the limits for bytes that came from someone else.
func Peer() Limits {
	return Limits{
		Values:       65_536,  // a quarter of the bytes that rdf.Peer allows
		Members:      4_096,   // the largest vocabularies in use have fewer terms
		Contexts:     256,     // a credential needs a dozen
		ContextBytes: 1 << 20, // all contexts of the credentials ecosystem together have a tenth
		Definitions:  32_768,  // the same, with every scoped context taken into account
		Elements:     65_536,  // no more than values: containers make few of their own
	}
}

// Local returns the limits for files that a person names on a command line.
func Local() Limits {
	return Limits{
		Values:       200_000_000, // the densest file that rdf.Local allows holds no more
		Members:      250_000,     // a map of everything in a file; lists belong in arrays
		Contexts:     10_000,      // far more than people write; a bomb is made of them
		ContextBytes: 16 << 20,    // the largest vocabularies have a few megabytes
		Definitions:  1_000_000,   // likewise
		Elements:     200_000_000, // what fits in memory
	}
}

// The names of the limits in messages and flags.
const (
	LimitValues       rdf.LimitName = "json-values"
	LimitMembers      rdf.LimitName = "json-members"
	LimitContexts     rdf.LimitName = "contexts"
	LimitContextBytes rdf.LimitName = "context-bytes"
	LimitDefinitions  rdf.LimitName = "term-definitions"
	LimitElements     rdf.LimitName = "expanded-objects"
)

// orPeer returns l with every number that is not positive replaced by that of
// [Peer].
func (l Limits) orPeer() Limits {
	p := Peer()
	or := func(n *int, d int) {
		if *n <= 0 {
			*n = d
		}
	}
	or(&l.Values, p.Values)
	or(&l.Members, p.Members)
	or(&l.Contexts, p.Contexts)
	or(&l.Definitions, p.Definitions)
	or(&l.Elements, p.Elements)
	if l.ContextBytes <= 0 {
		l.ContextBytes = p.ContextBytes
	}
	return l
}

// maxNesting bounds nesting whatever [rdf.Limits] says: expansion calls itself
// for every level of nesting, and the Go stack ends.
const maxNesting = 10_000

// maxRemote is the number of remote contexts that may refer to each other in a
// chain: section 4.1.2, step 5.2.3. Contexts in use have chains of two.
const maxRemote = 32
