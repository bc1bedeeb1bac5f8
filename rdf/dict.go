package rdf

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// dict interns terms. Texts lie one after the other in one slice; a record is
// 16 bytes without a pointer, so that the garbage collector has nothing to do
// with millions of them. A hash table with open addressing finds a record by
// kind, datatype or language, and text.
type dict struct {
	text  []byte
	recs  []record // by ID-1
	slots []slot
	used  int // slots in use; anonymous blank nodes take none

	langs     []string
	langIndex map[string]uint32 // of langs, once they are many
	lastLang  uint32

	xsdString, langString ID // 0 until a literal needs them

	anon       []ID   // anonymous blank nodes in order
	anonPrefix string // their labels are this and their number; set by newDataset
}

type record struct {
	off, len uint32
	aux      uint32 // literal: the datatype's ID; language-tagged: index of langs; anonymous: index of anon
	kind     Kind
}

// slot holds what a look-up needs to reach the text in one step: memory is
// slow to answer, and the record and the text can be asked for at once. The
// hash makes a larger table without a look at the texts.
type slot struct {
	hash     uint32
	id       ID     // 0 if free
	off, len uint32 // of the text, as in the record
}

// seed makes the table's layout unpredictable, so that a hostile document
// cannot choose terms that collide. Nothing that leaves the package depends on
// it: IDs follow the order of the input.
var seed = maphash.MakeSeed()

func hash(k Kind, aux uint32, s string) uint32 {
	h := maphash.String(seed, s) ^ (uint64(aux)<<8 | uint64(k))
	hi, lo := bits.Mul64(h, 0x9E3779B97F4A7C15)
	return uint32((hi ^ lo) >> 32)
}

// view returns b as a string without copying. The string is only used while b
// does not change: for a look-up, or because the bytes before the length of
// dict.text are never written again.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (d *dict) find(h uint32, k Kind, aux uint32, s string) ID {
	if len(d.slots) == 0 {
		return 0
	}
	mask := uint32(len(d.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		slot := &d.slots[i]
		if slot.id == 0 {
			return 0
		}
		if slot.hash != h || int(slot.len) != len(s) {
			continue
		}
		if view(d.text[slot.off:slot.off+slot.len]) == s {
			if r := &d.recs[slot.id-1]; r.kind == k && r.aux == aux {
				return slot.id
			}
		}
	}
}

// insert adds a term that find did not find.
func (d *dict) insert(h uint32, k Kind, aux uint32, s string) ID {
	if 4*(d.used+1) > 3*len(d.slots) {
		d.grow(d.used + 1)
	}
	off := uint32(len(d.text))
	d.text = append(d.text, s...)
	d.recs = append(d.recs, record{off, uint32(len(s)), aux, k})
	id := ID(len(d.recs))
	put(d.slots, slot{h, id, off, uint32(len(s))})
	d.used++
	return id
}

func put(slots []slot, s slot) {
	mask := uint32(len(slots) - 1)
	i := s.hash & mask
	for slots[i].id != 0 {
		i = (i + 1) & mask
	}
	slots[i] = s
}

// grow makes the table large enough for n more terms than it may be sure of.
func (d *dict) grow(n int) {
	size := 16
	for 4*(d.used+n) > 3*size {
		size *= 2
	}
	if size <= len(d.slots) {
		return
	}
	// In the order of the old table they are put in runs that go up.
	slots := make([]slot, size)
	for i := range d.slots {
		if d.slots[i].id != 0 {
			put(slots, d.slots[i])
		}
	}
	d.slots = slots
}

// manyLangs is a number of language tags beyond which they are found by a map.
const manyLangs = 8

// findLang returns the index of a language tag.
func (d *dict) findLang(tag string) (n uint32, ok bool) {
	if d.langIndex != nil {
		n, ok = d.langIndex[tag]
		return n, ok
	}
	i := slices.Index(d.langs, tag)
	return uint32(i), i >= 0
}

// addLang adds a language tag that findLang did not find.
func (d *dict) addLang(tag string) {
	d.langs = append(d.langs, tag)
	switch n := len(d.langs); {
	case n == manyLangs+1:
		d.langIndex = map[string]uint32{}
		for i, tag := range d.langs {
			d.langIndex[tag] = uint32(i)
		}
	case n > manyLangs:
		d.langIndex[tag] = uint32(n - 1)
	}
}

// value returns the text of a term; anonymous blank nodes get theirs from
// anonPrefix.
func (d *dict) value(id ID) string {
	r := &d.recs[id-1]
	if r.kind == kindAnon {
		return d.anonPrefix + strconv.Itoa(int(r.aux))
	}
	return view(d.text[r.off : r.off+r.len])
}

// nameAnonymous chooses a prefix for the labels of anonymous blank nodes: as
// many times "b" as no label of the documents has before a digit.
func (d *dict) nameAnonymous() {
	d.anonPrefix = "b"
	if len(d.anon) == 0 {
		return
	}
	var taken map[int]bool
	for i := range d.recs {
		if d.recs[i].kind != KindBlank {
			continue
		}
		v := d.value(ID(i + 1))
		n := len(v) - len(strings.TrimLeft(v, "b"))
		if n > 0 && n < len(v) && '0' <= v[n] && v[n] <= '9' {
			if taken == nil {
				taken = map[int]bool{}
			}
			taken[n] = true
		}
	}
	for taken[len(d.anonPrefix)] {
		d.anonPrefix += "b"
	}
}
