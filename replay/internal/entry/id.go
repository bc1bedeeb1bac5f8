package entry

import (
	"crypto/sha256"
	"encoding/binary"
)

// ID stands for names of any length and any bytes: two lists of names have one ID
// only if they are the same list.
type ID [sha256.Size]byte

// NewID returns the ID of a list of names. Each is preceded by its length, so that
// no two lists are written alike.
func NewID(names ...string) ID {
	size := 0
	for _, n := range names {
		size += 8 + len(n)
	}
	var small [512]byte // most lists fit
	b := small[:0]
	if size > len(small) {
		b = make([]byte, 0, size)
	}
	for _, n := range names {
		b = binary.BigEndian.AppendUint64(b, uint64(len(n)))
		b = append(b, n...)
	}
	return sha256.Sum256(b)
}

// NewOwner returns the ID of the owner of a record, the zero ID for nobody.
func NewOwner(local, peer string) ID {
	if local == "" && peer == "" {
		return ID{}
	}
	return NewID(local, peer)
}
