package canon

import "hash"

// edge is a component of a quad that mentions some blank node: another blank
// node, its position, and what goes into the hash of the relation.
type edge struct {
	predicate uint32 // its rank; 0 for a graph name, where it is not used
	node      uint32
	position  byte // 's', 'o' or 'g'
}

// identity says by what Hash Related Blank Node knows the related blank node.
type identity uint8

const (
	byFirstDegree identity = iota
	byTemporary
	byCanonical
)

// relation is the input of Hash Related Blank Node in integers.
type relation struct {
	predicate uint32
	value     uint32 // the identifier, or for byFirstDegree a blank node of that hash
	position  byte
	by        identity
}

// identify is steps 3 and 4 of section 4.7.3.
func (d *ndegree) identify(n uint32) (identity, uint32) {
	if id := d.canonical.id[n]; id != 0 {
		return byCanonical, id - 1
	}
	if id := d.temporary.id[n]; id != 0 {
		return byTemporary, id - 1
	}
	return byFirstDegree, d.alike[n]
}

// hashRelated is Hash Related Blank Node (section 4.7.3). What was asked before
// is remembered.
func (d *ndegree) hashRelated(r relation) *digest {
	slot := d.memory.find(r)
	if slot.used {
		return &slot.hash
	}
	in := append(d.input[:0], r.position) // step 1
	var begun hash.Hash                   // of what is not in the input, nil for nothing
	if r.position != 'g' {                // step 2
		if begun = d.begun(r); begun != nil {
			in = in[:0]
		} else {
			in = d.state.appendTerm(in, r.predicate)
			in = in[:len(in)-1] // without the space
		}
	}
	switch r.by {
	case byCanonical: // step 3
		in = appendID(append(in, "_:"...), canonicalPrefix, r.value)
	case byTemporary:
		in = appendID(append(in, "_:"...), temporaryPrefix, r.value)
	default: // step 4
		in = appendHash(in, d.alg, &d.state.first[r.value])
	}
	d.input = in
	*slot = remembered{relation: r, used: true} // step 5
	if begun == nil {
		slot.hash = sum(d.alg, in)
	} else {
		begun.Write(in) // never fails
		begun.Sum(slot.hash[:0])
	}
	d.memory.used++
	return &slot.hash
}

// longPredicate is how many bytes of a predicate take longer to hash than to go on from
// where they were hashed before.
const longPredicate = 512

// beginning is what the input of Hash Related Blank Node begins with.
type beginning struct {
	predicate uint32
	position  byte
}

// begun returns the hash function after steps 1 and 2 for a long predicate, nil for another
// one. It is written to it once: the memory may forget a relation a million times.
func (d *ndegree) begun(r relation) hash.Hash {
	predicate := textAt(d.state.text, d.state.at[r.predicate-1])
	if len(predicate) <= longPredicate {
		return nil
	}
	b := beginning{r.predicate, r.position}
	if d.long[b] == nil {
		h, ok := newHash(d.alg).(hash.Cloner)
		if !ok {
			return nil
		}
		h.Write([]byte{r.position})
		h.Write(predicate[:len(predicate)-1]) // without the space
		if d.long == nil {
			d.long = map[beginning]hash.Cloner{}
		}
		d.long[b] = h
	}
	h, err := d.long[b].Clone()
	if err != nil {
		return nil
	}
	return h
}

// memory is a hash table of relations with open addressing. It forgets all when
// it is half full, so it stays as large as it was made.
type memory struct {
	slots []remembered
	used  int
}

type remembered struct {
	relation
	used bool
	hash digest
}

// begin makes the memory empty, and large enough for two identifiers for each
// edge.
func (m *memory) begin(edges int) {
	const least, most = 1 << 6, 1 << 15
	size := least
	for size < 4*edges && size < most {
		size *= 2
	}
	m.slots, m.used = zeroed(m.slots, size), 0
}

// find returns the slot of a relation, or a free one.
func (m *memory) find(r relation) *remembered {
	if 2*m.used > len(m.slots) {
		clear(m.slots)
		m.used = 0
	}
	h := (uint64(r.predicate)<<32 | uint64(r.value)) * 0x9E3779B97F4A7C15
	h = (h ^ h>>32 ^ uint64(r.position)<<8 ^ uint64(r.by)) * 0x9E3779B97F4A7C15
	mask := uint64(len(m.slots) - 1)
	for i := h >> 32 & mask; ; i = (i + 1) & mask {
		if s := &m.slots[i]; !s.used || s.relation == r {
			return s
		}
	}
}
