package rdf

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// dict interns terms. Texts lie one after the other in one slice, each behind a
// head that tells it from equal texts; records hold no pointers, so the garbage
// collector need not look at millions of them. A hash table with open addressing
// finds a term by its text, its kind, and its datatype or language.
type dict struct {
	text  []byte   // see insert
	recs  []record // by ID-1
	kinds []Kind   // by ID-1; not in record, since it is read most and is one byte
	slots []slot
	used  int   // slots in use; anonymous blank nodes take none
	bytes int64 // of the texts alone

	langs     []string
	langIndex map[string]uint32 // of langs, once they are many
	lastLang  uint32

	xsdString, langString ID // 0 until a literal needs them

	anon       []ID   // anonymous blank nodes in order
	anonPrefix string // their labels are this and their number; set by newDataset
}

type record struct {
	at  uint32 // where the text begins, in units of textUnit
	len uint32
	aux uint32 // literal: the datatype's ID; language-tagged: index of langs; anonymous: index of anon
}

// slot is small and points straight at a text, whose head holds everything else
// that a look-up compares: in a large table a look-up waits for memory twice, for
// the slot and for the text. With the hash here, the table grows without reading
// the texts.
type slot struct {
	hash uint32
	at   uint32 // as in the record; 0 if free
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

// find returns the ID of a term whose hash is h, 0 if the dictionary does not hold it.
func (d *dict) find(h uint32, k Kind, aux uint32, s string) ID {
	if len(d.slots) == 0 {
		return 0
	}
	mask := uint32(len(d.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		slot := d.slots[i]
		if slot.at == 0 {
			return 0
		}
		if slot.hash != h {
			continue
		}
		at := int(slot.at) * textUnit
		head := d.text[at-headBytes : at]
		sizeAndID := binary.LittleEndian.Uint64(head)
		if int(uint32(sizeAndID)) == len(s) && binary.LittleEndian.Uint64(head[8:]) == what(k, aux) && view(d.text[at:at+len(s)]) == s {
			return ID(sizeAndID >> 32)
		}
	}
}

// Before a text stand its length and its ID, in 32 bits each, and what it is the
// text of. Texts begin at multiples of textUnit, so that 32 bits name them all.
const (
	textUnit  = 8
	headBytes = 16
)

func what(k Kind, aux uint32) uint64 { return uint64(aux)<<8 | uint64(k) }

// sizeOf returns how many bytes of dict.text a text takes.
func sizeOf(s string) int { return (headBytes + len(s) + textUnit - 1) &^ (textUnit - 1) }

// insert adds a term that find did not find.
func (d *dict) insert(h uint32, k Kind, aux uint32, s string) ID {
	if 4*(d.used+1) > 3*len(d.slots) {
		d.grow(d.used + 1)
	}
	id := ID(len(d.recs) + 1)
	from := len(d.text)
	d.text = slices.Grow(d.text, sizeOf(s))[:from+sizeOf(s)]
	entry := d.text[from:]
	binary.LittleEndian.PutUint64(entry, uint64(id)<<32|uint64(len(s)))
	binary.LittleEndian.PutUint64(entry[8:], what(k, aux))
	copy(entry[headBytes:], s)
	at := uint32((from + headBytes) / textUnit)
	d.recs = append(d.recs, record{at, uint32(len(s)), aux})
	d.kinds = append(d.kinds, k)
	put(d.slots, slot{h, at})
	d.used++
	d.bytes += int64(len(s))
	return id
}

func put(slots []slot, s slot) {
	mask := uint32(len(slots) - 1)
	i := s.hash & mask
	for slots[i].at != 0 {
		i = (i + 1) & mask
	}
	slots[i] = s
}

// grow makes room in the table for n more terms.
func (d *dict) grow(n int) {
	size := 16
	for 4*(d.used+n) > 3*size {
		size *= 2
	}
	if size <= len(d.slots) {
		return
	}
	// Taken in the order of the old table, slots are put in ascending runs.
	slots := make([]slot, size)
	for i := range d.slots {
		if d.slots[i].at != 0 {
			put(slots, d.slots[i])
		}
	}
	d.slots = slots
}

// manyLangs is the number of language tags beyond which a map finds them.
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
	if d.kinds[id-1] == kindAnon {
		return d.anonPrefix + strconv.Itoa(int(r.aux))
	}
	at := int(r.at) * textUnit
	return view(d.text[at : at+int(r.len)])
}

// nameAnonymous chooses a prefix for the labels of anonymous blank nodes: "b",
// repeated until no label of the documents begins with that and a digit.
func (d *dict) nameAnonymous() {
	d.anonPrefix = "b"
	if len(d.anon) == 0 {
		return
	}
	var taken map[int]bool
	for i := range d.recs {
		if d.kinds[i] != KindBlank {
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
