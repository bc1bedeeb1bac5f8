package canon

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/rdfproto/rdfproto/rdf"
)

// Algorithm is the hash algorithm inside RDFC-1.0. It decides the canonical
// labels, so both sides must use the same one.
type Algorithm uint8

// The hash algorithms. The zero value is that of RDFC-1.0 itself; SHA-384 is
// used by the ecdsa-rdfc-2019 cryptosuite with P-384 keys.
const (
	SHA256 Algorithm = iota
	SHA384
)

// String returns "sha256" or "sha384".
func (a Algorithm) String() string {
	switch a {
	case SHA256:
		return "sha256"
	case SHA384:
		return "sha384"
	}
	return "no algorithm"
}

// errUnknownAlgorithm refuses an algorithm that does not exist: another in its place
// would give another canonical form.
var errUnknownAlgorithm = errors.New("unknown hash algorithm for RDFC-1.0")

// Options says how to canonicalize. The zero Options are those of a pin.
//
// The two limits bound the work of the Hash N-Degree Quads algorithm as the
// specification writes it, whatever this package does to be faster. A limit
// that is zero or negative means its default; there is no way to say
// "unlimited".
type Options struct {
	Algorithm Algorithm

	// MaxPermutations is how many permutations (step 5.4 of section 4.8.3) may
	// be tried in groups of blank nodes that have more than two of them:
	// 0 means [DefaultPermutations].
	MaxPermutations int

	// MaxCalls is how many times Hash N-Degree Quads may be called, recursion
	// included: 0 means [DefaultCalls].
	MaxCalls int
}

// Canonical is a canonicalized dataset (RDFC-1.0, section 3): the canonical
// N-Quads and the issued identifiers map. It is safe for concurrent use.
type Canonical struct {
	data   *rdf.Dataset
	nquads []byte
	issued []rdf.ID
	work   Work
}

// Canonicalize runs RDFC-1.0 (section 4.4) on a dataset. It fails with a
// [*LimitError], with the error of ctx when that is done, or when the algorithm of
// the options does not exist. It is safe for concurrent use.
func Canonicalize(ctx context.Context, d *rdf.Dataset, o Options) (*Canonical, error) {
	s := states.Get().(*state)
	defer s.release()
	if err := s.canonicalize(ctx, d, o); err != nil {
		return nil, err
	}
	text, err := s.serialize()
	if err != nil {
		return nil, err
	}
	c := &Canonical{data: d, nquads: text, issued: make([]rdf.ID, len(s.issued))}
	for i, n := range s.issued {
		c.issued[i] = s.nodes[n]
	}
	c.work = Work{Permutations: int(s.permutations), Calls: int(s.calls)}
	return c, nil
}

// Hash returns the SHA-256 digest of the canonical N-Quads of a dataset: the
// pin of a document. The algorithm of the options is the one inside RDFC-1.0;
// the digest is SHA-256 in any case. It fails as [Canonicalize] does, needs no
// memory for the canonical text, and is safe for concurrent use.
func Hash(ctx context.Context, d *rdf.Dataset, o Options) (Digest, error) {
	s := states.Get().(*state)
	defer s.release()
	if err := s.canonicalize(ctx, d, o); err != nil {
		return Digest{}, err
	}
	return s.serializeHash()
}

// NQuads returns the serialized canonical form (section 5): canonical N-Quads,
// sorted by code point, each line ended by LF. It is empty for an empty
// dataset. The caller must not change the bytes.
func (c *Canonical) NQuads() []byte { return c.nquads }

// Label is an entry of the issued identifiers map. Neither label has "_:".
type Label struct {
	Input     string // the label that the dataset gives to the blank node
	Canonical string // "c14n0", "c14n1", …
}

// Labels returns the issued identifiers map in the order of issue: one entry
// for each blank node that stands in a quad.
func (c *Canonical) Labels() []Label {
	labels := make([]Label, len(c.issued))
	for i, id := range c.issued {
		labels[i] = Label{c.data.Value(id), "c14n" + strconv.Itoa(i)}
	}
	return labels
}

// Work returns what the canonicalization spent of its limits.
func (c *Canonical) Work() Work { return c.work }

// states keeps the memory of finished runs for the next ones. Nothing is read
// from a state that the same run did not write.
var states = sync.Pool{New: func() any { return new(state) }}
