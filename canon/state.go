package canon

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"hash"
	"slices"

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

	rank   []uint32 // by rdf.ID
	base   uint32   // the first rank of a blank node
	at     []int    // by rank-1: where in text the length and the text of a term lie
	text   []byte
	terms  []term    // scratch of collectTerms
	sorted []term    // scratch of sortTerms
	nodes  []rdf.ID  // by blank node
	spans  []keySpan // scratch of sortTerms

	mentionAt []int    // where the mentions of blank node n begin, at n+1
	mentions  []uint32 // the blank node to quads map: indices of quads

	first   []digest // first degree hashes, by blank node
	order   []hashed // the hash to blank nodes map: blank nodes in order of first degree hash
	lines   []line
	places  []uint32 // scratch of canonicalLines and sortHashed
	placed  []hashed // scratch of sortHashed
	issuer           // the canonical issuer
	ndegree ndegree
}

// term is a term that is being sorted by its canonical N-Quads text.
//
// The texts lie in state.text, each after its length in eight bytes and with
// the space that follows it in a quad: with that no text is the beginning of
// another, so that quads compare as their lines do when their terms are
// compared one after the other.
type term struct {
	key uint64 // eight bytes of the text
	at  int    // where the length lies
	id  rdf.ID
}

// digest is a message digest; SHA-256 leaves the end of it zero. Digests
// compare as their hexadecimal texts do.
type digest [sha512.Size384]byte

// canonicalize runs section 4.4.3 up to step 6.
func (s *state) canonicalize(ctx context.Context, d *rdf.Dataset, o Options) error {
	s.pulse = pulse{ctx, pulseSteps}
	s.budget = newBudget(o)
	s.data = d
	if o.Algorithm > SHA384 {
		return errUnknownAlgorithm
	}
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
	const keep = 64 << 20 // what a dataset of some hundred thousand quads takes
	s.data, s.ctx = nil, nil
	if s.size() <= keep {
		states.Put(s)
	}
}

// size returns roughly how much memory the state keeps, in bytes.
func (s *state) size() int {
	return cap(s.text) + cap(s.hasher.buf) + 4*cap(s.rank) + 48*cap(s.terms) + 8*cap(s.at) + 16*cap(s.lines) +
		4*cap(s.mentions) + 48*cap(s.first) + 64*cap(s.nodes) + s.ndegree.size()
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
		if err := s.steps(1); err != nil {
			return err
		}
	}
	rank[0] = 0
	s.text, s.terms, s.nodes = slices.Grow(s.text[:0], textSize(d)), slices.Grow(s.terms[:0], d.NumTerms()), s.nodes[:0]
	for id := rdf.ID(1); int(id) < len(rank); id++ {
		if rank[id] == 0 {
			continue
		}
		if d.Kind(id) == rdf.KindBlank {
			s.nodes = append(s.nodes, id)
			continue
		}
		at := s.beginText()
		s.text = d.AppendTerm(s.text, id)
		s.endText(at)
		s.terms = append(s.terms, term{at: at, id: id})
		if err := s.steps(1); err != nil {
			return err
		}
	}
	if err := s.sortTerms(); err != nil {
		return err
	}
	s.at = slices.Grow(s.at[:0], len(s.terms)+len(s.nodes))
	for i := range s.terms {
		rank[s.terms[i].id] = uint32(i + 1)
		s.at = append(s.at, s.terms[i].at)
	}
	s.base = uint32(len(s.terms) + 1)
	for n, id := range s.nodes {
		rank[id] = s.base + uint32(n)
	}
	return nil
}

// textSize returns roughly how much room the texts of all terms but blank nodes take,
// enough where nothing is escaped. So texts of megabytes grow in one step and not in
// many.
func textSize(d *rdf.Dataset) int {
	size := 0
	for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
		kind := d.Kind(id)
		if kind == rdf.KindBlank {
			continue
		}
		size += lengthBytes + len("<> ") + len(d.Value(id))
		if kind == rdf.KindLiteral { // the most that follows it
			size += len("^^<>") + max(len(d.Value(d.Datatype(id))), len(d.Lang(id)))
		}
	}
	return size
}

const lengthBytes = 8

// beginText begins the text of a term and returns where.
func (s *state) beginText() int {
	at := len(s.text)
	s.text = append(s.text, make([]byte, lengthBytes)...)
	return at
}

// endText ends the text of a term.
func (s *state) endText(at int) {
	s.text = append(s.text, ' ')
	binary.LittleEndian.PutUint64(s.text[at:], uint64(len(s.text)-at-lengthBytes))
}

// textAt returns the text of a term, with its space.
func textAt(text []byte, at int) []byte {
	n := int(binary.LittleEndian.Uint64(text[at:]))
	at += lengthBytes
	return text[at : at+n]
}

// appendTerm appends the text of a term, with its space.
func (s *state) appendTerm(dst []byte, rank uint32) []byte {
	return append(dst, textAt(s.text, s.at[rank-1])...)
}

// mapMentions is step 2 of section 4.4.3: the blank node to quads map, each
// quad once for a blank node however often that stands in it.
func (s *state) mapMentions() error {
	at := zeroed(s.mentionAt, len(s.nodes)+2)
	for i := range s.data.Len() {
		a, b, c := s.blanks(s.data.Quad(i))
		at[a]++
		at[b]++
		at[c]++
		if err := s.steps(1); err != nil {
			return err
		}
	}
	at[0] = 0 // the places where no blank node is
	for n := 1; n < len(at); n++ {
		at[n] += at[n-1]
	}
	s.mentions = sized(s.mentions, at[len(at)-1])
	for i := range s.data.Len() {
		a, b, c := s.blanks(s.data.Quad(i))
		if a != 0 {
			at[a]--
			s.mentions[at[a]] = uint32(i)
		}
		if b != 0 {
			at[b]--
			s.mentions[at[b]] = uint32(i)
		}
		if c != 0 {
			at[c]--
			s.mentions[at[c]] = uint32(i)
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
func (s *state) blanks(q rdf.Quad) (subject, object, graph uint32) {
	subject, object = s.node(q.S), s.node(q.O)
	if object == subject {
		object = 0
	}
	if q.G != 0 {
		if graph = s.node(q.G); graph == subject || graph == object {
			graph = 0
		}
	}
	return subject, object, graph
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
	result  digest    // scratch of finish
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
		if h.running, h.fresh = h.fresh, nil; h.running == nil {
			h.running = newHash(h.alg)
		}
		h.running.Reset()
	}
	h.running.Write(h.buf) // never fails
	h.buf = h.buf[:0]
}

// finish returns the digest of all that was written since the last one.
func (h *hasher) finish() digest {
	if h.running == nil {
		d := sum(h.alg, h.buf)
		h.buf = h.buf[:0]
		return d
	}
	h.running.Write(h.buf)
	h.result = digest{}
	h.running.Sum(h.result[:0])
	h.fresh, h.running, h.buf = h.running, nil, h.buf[:0]
	return h.result
}

// newHash returns the hash function of an algorithm.
func newHash(a Algorithm) hash.Hash {
	if a == SHA384 {
		return sha512.New384()
	}
	return sha256.New()
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

// appendHash appends a digest as a hash (section 3): lowercase hexadecimal. It
// turns eight digits at a time: each goes to a byte of its own, and those above
// 9 move on to the letters.
func appendHash(dst []byte, a Algorithm, d *digest) []byte {
	size := sha256.Size
	if a == SHA384 {
		size = sha512.Size384
	}
	for i := 0; i < size; i += 4 {
		x := uint64(binary.BigEndian.Uint32(d[i:]))
		x = (x | x<<16) & 0x0000ffff0000ffff
		x = (x | x<<8) & 0x00ff00ff00ff00ff
		x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
		letters := (x + 0x0606060606060606) >> 4 & 0x0101010101010101
		dst = binary.BigEndian.AppendUint64(dst, x+0x3030303030303030+letters*('a'-'0'-10))
	}
	return dst
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
