package canon

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
	if r.position != 'g' {                // step 2
		in = d.state.appendTerm(in, r.predicate)
		in = in[:len(in)-1] // without the space
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
	*slot = remembered{relation: r, used: true, hash: sum(d.alg, in)} // step 5
	d.memory.used++
	return &slot.hash
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
