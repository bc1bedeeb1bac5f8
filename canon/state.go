package canon

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"

	"github.com/rdfproto/rdfproto/rdf"
)

// state is the canonicalization state (section 4.2). Inside, terms are ranks:
// 0 is no term (the default graph), 1 and on the terms other than blank nodes
// in the order of their canonical N-Quads text, and s.base + n is blank node n.
// A blank node is named by n, its number in the order of the dataset's IDs; no
// label of the input is looked at.
type state struct {
	pulse
	budget
	data *rdf.Dataset
	hasher

	rank  []uint32  // by rdf.ID
	base  uint32    // the first rank of a blank node
	terms []term    // by rank-1
	text  []byte    // the texts of terms
	nodes []rdf.ID  // by blank node
	spans []keySpan // scratch of sortTerms

	mentionAt []int    // where the mentions of blank node n begin, at n+1
	mentions  []uint32 // the blank node to quads map: indices of quads

	first   []digest // first degree hashes, by blank node
	order   []hashed // the hash to blank nodes map: blank nodes in order of first degree hash
	lines   []line
	at      []uint32 // scratch of canonicalLines
	issuer           // the canonical issuer
	ndegree ndegree
}

// term is where the canonical N-Quads text of a term lies in state.text, the
// space that follows it in a quad included: with it no text is the beginning of
// another, so that quads compare as their lines do when their terms are
// compared one after the other.
type term struct {
	key      uint64 // scratch of sortTerms
	off, end int
	id       rdf.ID
}

// digest is a message digest; SHA-256 leaves the end of it zero. Digests
// compare as their hexadecimal texts do.
type digest [sha512.Size384]byte

// canonicalize runs section 4.4.3 up to step 6.
func (s *state) canonicalize(ctx context.Context, d *rdf.Dataset, o Options) error {
	s.pulse = pulse{ctx, pulseSteps}
	s.budget = newBudget(o)
	s.data = d
	s.hasher.begin(o.Algorithm)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.collectTerms(); err != nil {
		return err
	}
	s.issuer.reset(len(s.nodes))
	if len(s.nodes) == 0 {
		return nil
	}
	return s.label()
}

// release gives the state back for the next run, unless it has become large.
func (s *state) release() {
	const keep = 1 << 20
	s.data, s.ctx = nil, nil
	if cap(s.text)+cap(s.hasher.buf)+4*cap(s.rank)+16*cap(s.lines)+32*cap(s.terms)+4*cap(s.mentions)+64*cap(s.nodes)+s.ndegree.size() > keep {
		return
	}
	states.Put(s)
}

// collectTerms ranks the terms of the quads by their canonical text and numbers
// the blank nodes.
func (s *state) collectTerms() error {
	d := s.data
	s.rank = zeroed(s.rank, d.NumTerms()+1)
	rank := s.rank
	for i := range d.Len() {
		q := d.Quad(i)
		rank[q.S], rank[q.P], rank[q.O], rank[q.G] = 1, 1, 1, 1
		if i%pulseSteps == 0 {
			if err := s.ctx.Err(); err != nil {
				return err
			}
		}
	}
	rank[0] = 0
	s.text, s.terms, s.nodes = s.text[:0], s.terms[:0], s.nodes[:0]
	for id := rdf.ID(1); int(id) < len(rank); id++ {
		if rank[id] == 0 {
			continue
		}
		if d.Kind(id) == rdf.KindBlank {
			s.nodes = append(s.nodes, id)
			continue
		}
		off := len(s.text)
		s.text = append(d.AppendTerm(s.text, id), ' ')
		s.terms = append(s.terms, term{off: off, end: len(s.text), id: id})
		if err := s.steps(1); err != nil {
			return err
		}
	}
	if err := s.sortTerms(); err != nil {
		return err
	}
	for i := range s.terms {
		rank[s.terms[i].id] = uint32(i + 1)
	}
	s.base = uint32(len(s.terms) + 1)
	for n, id := range s.nodes {
		rank[id] = s.base + uint32(n)
	}
	return nil
}

// addTerm makes the text from off on the next term.
func (s *state) addTerm(off int) {
	s.terms = append(s.terms, term{off: off, end: len(s.text)})
}

// appendTerm appends the text of a term and a space.
func (s *state) appendTerm(dst []byte, rank uint32) []byte {
	t := &s.terms[rank-1]
	return append(dst, s.text[t.off:t.end]...)
}

// mapMentions is step 2 of section 4.4.3: the blank node to quads map, each
// quad once for a blank node however often that stands in it.
func (s *state) mapMentions() error {
	at := zeroed(s.mentionAt, len(s.nodes)+2)
	for i := range s.data.Len() {
		for _, n := range s.blanks(s.data.Quad(i)) {
			at[n]++
		}
		if err := s.steps(1); err != nil {
			return err
		}
	}
	at[0] = 0 // the places of quads without a blank node
	for n := 1; n < len(at); n++ {
		at[n] += at[n-1]
	}
	s.mentions = sized(s.mentions, at[len(at)-1])
	for i := range s.data.Len() {
		for _, n := range s.blanks(s.data.Quad(i)) {
			if n != 0 {
				at[n]--
				s.mentions[at[n]] = uint32(i)
			}
		}
	}
	s.mentionAt = at
	return nil
}

// mentioning returns the indices of the quads that mention a blank node.
func (s *state) mentioning(n uint32) []uint32 {
	return s.mentions[s.mentionAt[n+1]:s.mentionAt[n+2]]
}

// blanks returns the blank nodes of a quad, each once and plus one; 0 is none.
func (s *state) blanks(q rdf.Quad) [3]uint32 {
	b := [3]uint32{s.node(q.S), s.node(q.O), s.node(q.G)}
	if b[1] == b[0] {
		b[1] = 0
	}
	if b[2] == b[0] || b[2] == b[1] {
		b[2] = 0
	}
	return b
}

// node returns the number of a blank node plus one, 0 for another term.
func (s *state) node(id rdf.ID) uint32 {
	if r := s.rank[id]; r >= s.base {
		return r - s.base + 1
	}
	return 0
}

// hasher computes digests of what is written to its buffer, in one go while
// that is short.
type hasher struct {
	alg     Algorithm
	buf     []byte
	running hash.Hash // begun when buf was full once
	fresh   hash.Hash // not begun; kept for the next long input
}

// hasherBytes is when a hasher empties its buffer: large beside a document,
// small beside a cache.
const hasherBytes = 32 << 10

func (h *hasher) begin(a Algorithm) {
	if h.alg != a {
		h.fresh = nil
	}
	h.alg, h.running, h.buf = a, nil, h.buf[:0]
}

// written says that the caller appended to h.buf.
func (h *hasher) written() {
	if len(h.buf) < hasherBytes {
		return
	}
	if h.running == nil {
		switch {
		case h.fresh != nil:
			h.running, h.fresh = h.fresh, nil
			h.running.Reset()
		case h.alg == SHA384:
			h.running = sha512.New384()
		default:
			h.running = sha256.New()
		}
	}
	h.running.Write(h.buf) // never fails
	h.buf = h.buf[:0]
}

// finish returns the digest of all that was written since the last one.
func (h *hasher) finish() digest {
	var d digest
	if h.running == nil {
		d = sum(h.alg, h.buf)
	} else {
		h.running.Write(h.buf)
		h.running.Sum(d[:0])
		h.fresh, h.running = h.running, nil
	}
	h.buf = h.buf[:0]
	return d
}

// sum returns the digest of data.
func sum(a Algorithm, data []byte) digest {
	if a == SHA384 {
		return sha512.Sum384(data)
	}
	var d digest
	s := sha256.Sum256(data)
	copy(d[:], s[:])
	return d
}

// appendHash appends a digest as a hash (section 3): lowercase hexadecimal.
func appendHash(dst []byte, a Algorithm, d *digest) []byte {
	if a == SHA384 {
		return hex.AppendEncode(dst, d[:])
	}
	return hex.AppendEncode(dst, d[:sha256.Size])
}

// sized returns a slice of length n in the memory of s if that is enough; what
// it holds is not defined.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// zeroed returns a slice of n zeros in the memory of s if that is enough.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
