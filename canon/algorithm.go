package canon

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// hashed is an entry of the hash to blank nodes map (section 4.2): the first
// eight bytes of a first degree hash, and a blank node that has it. Entries
// with the same hash are one identifier list.
type hashed struct {
	key  uint64
	node uint32
}

// label is the Canonicalization Algorithm (section 4.4.3), steps 2 to 5: it
// issues a canonical identifier to every blank node.
func (s *state) label() error {
	if err := s.mapMentions(); err != nil { // step 2
		return err
	}
	if err := s.hashFirstDegree(); err != nil { // step 3.1
		return err
	}
	s.orderByHash() // step 3.2
	repeated := false
	for i, j := 0, 0; i < len(s.order); i = j { // step 4
		if j = s.sameHash(i); j == i+1 { // step 4.1
			s.issue(s.order[i].node) // step 4.2
			continue                 // step 4.3: step 5 skips what has an identifier
		}
		repeated = true
	}
	if !repeated {
		return nil
	}
	if err := s.ndegree.begin(s); err != nil {
		return err
	}
	for i, j := 0, 0; i < len(s.order); i = j { // step 5
		if j = s.sameHash(i); j > i+1 {
			if err := s.labelRepeated(s.order[i:j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// orderByHash sorts the hash to blank nodes map by hash. Nodes with the same hash are
// in the order of the input, which only decides between equal results.
func (s *state) orderByHash() {
	s.order = sized(s.order, len(s.nodes))
	for n := range s.order {
		s.order[n] = hashed{binary.BigEndian.Uint64(s.first[n][:]), uint32(n)}
	}
	s.sortHashed(s.order, func(a, b uint32) int {
		return cmp.Or(bytes.Compare(s.first[a][:], s.first[b][:]), cmp.Compare(a, b))
	})
}

// sameHash returns the end of the identifier list that begins at i.
func (s *state) sameHash(i int) int {
	j := i + 1
	for j < len(s.order) && s.order[j].key == s.order[i].key && s.first[s.order[j].node] == s.first[s.order[i].node] {
		j++
	}
	return j
}

// component is a set of blank nodes without a canonical identifier that are linked to
// each other, directly or over one another. The algorithm reaches all of it from each
// of its nodes, so of the results for them only the first in order can issue
// identifiers in step 5.3, and only that is kept.
type component struct {
	from, to int // its nodes, in members; once known, in the order of the first result
	hash     digest
	tie      digest
	known    bool
}

// labelRepeated is step 5 of section 4.4.3 for one identifier list.
func (s *state) labelRepeated(list []hashed) error {
	d := &s.ndegree
	if err := d.findComponents(list); err != nil {
		return err
	}
	if err := d.afford(list); err != nil {
		return err
	}
	for _, x := range list { // step 5.2
		if s.id[x.node] != 0 { // step 5.2.1
			continue
		}
		d.temporary.undo(0)         // step 5.2.2
		d.temporary.issue(x.node)   // step 5.2.3
		hash, err := d.hash(x.node) // step 5.2.4
		if err != nil {
			return err
		}
		if err := d.keep(&d.components[d.component[x.node]-1], hash); err != nil { // step 5.1
			return err
		}
	}
	d.temporary.undo(0)
	d.byHash = d.byHash[:0]
	for i := range d.components {
		d.byHash = append(d.byHash, hashed{binary.BigEndian.Uint64(d.components[i].hash[:]), uint32(i)})
	}
	s.sortHashed(d.byHash, func(a, b uint32) int { return compareComponents(&d.components[a], &d.components[b]) })
	for _, x := range d.byHash { // step 5.3
		c := &d.components[x.node]
		s.issueAll(d.members[c.from:c.to]) // step 5.3.1
	}
	return nil
}

// keep keeps a result for a component (a hash, and what the temporary issuer issued)
// if it is less than the one kept before.
func (d *ndegree) keep(c *component, hash digest) error {
	order := -1
	if c.known {
		order = bytes.Compare(hash[:], c.hash[:])
	}
	if order > 0 {
		return nil
	}
	tie, err := d.tie(d.temporary.issued)
	if err != nil {
		return err
	}
	if order < 0 || bytes.Compare(tie[:], c.tie[:]) < 0 {
		c.hash, c.tie, c.known = hash, tie, true
		copy(d.members[c.from:c.to], d.temporary.issued)
	}
	return nil
}

// compareComponents orders results for step 5.3.
func compareComponents(a, b *component) int {
	return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), bytes.Compare(a.tie[:], b.tie[:]), cmp.Compare(a.from, b.from))
}
