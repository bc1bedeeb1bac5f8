package scan

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/rdfproto/rdfproto/rdf"
)

// Cache remembers what tokens of one document were interned as, so that a
// predicate or a datatype that comes again costs one comparison. It forgets
// what it has no room for. The zero Cache is empty.
type Cache struct {
	slots [cacheSize]cacheSlot
}

const cacheSize = 256 // room for the predicates and classes of a usual document in 4 KiB

type cacheSlot struct {
	off, len uint32
	id       rdf.ID
}

// Slot says where a token of data belongs.
func Slot(data []byte, from, to int) uint32 {
	var a, b uint64
	switch n := to - from; {
	case n >= 8:
		a = binary.LittleEndian.Uint64(data[from:])
		b = binary.LittleEndian.Uint64(data[to-8 : to])
	default:
		for _, c := range data[from:to] {
			a = a<<8 | uint64(c)
		}
	}
	hi, lo := bits.Mul64(a^uint64(to-from), 0x9E3779B97F4A7C15)
	h := (hi ^ lo ^ b) * 0xD6E8FEB86659FD93
	return uint32(h >> 56)
}

// Get returns the ID of a token, 0 if it is not known.
func (c *Cache) Get(slot uint32, data []byte, from, to int) rdf.ID {
	s := &c.slots[slot%cacheSize]
	if int(s.len) == to-from && string(data[s.off:s.off+s.len]) == string(data[from:to]) {
		return s.id
	}
	return 0
}

// Put remembers a token.
func (c *Cache) Put(slot uint32, from, to int, id rdf.ID) {
	if to > math.MaxUint32 {
		return
	}
	c.slots[slot%cacheSize] = cacheSlot{uint32(from), uint32(to - from), id}
}

// Clear forgets everything.
func (c *Cache) Clear() { *c = Cache{} }
