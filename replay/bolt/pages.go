package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"

	"github.com/rdfproto/rdfproto/replay"
)

// The file format of bbolt (version 2), as far as a reader needs it. A file is pages
// of one size, and a page may run on into those after it. The first two are meta
// pages with checksums; the valid one with the higher transaction counts. From it
// a tree of branch and leaf pages leads to the buckets, which are such trees.
const (
	pageHead     = 16 // id 8, flags 2, count 2, overflow 4
	elementSize  = 16
	flagBranch   = 0x01
	flagLeaf     = 0x02
	flagMeta     = 0x04
	flagBucket   = 0x01 // of a leaf element
	bucketHead   = 16   // root page 8, sequence 8; root 0: a leaf page follows
	boltMagic    = 0xED0CDAED
	boltVersion  = 2
	noFreelist   = ^uint64(0)
	metaSize     = 64 // magic 4, version 4, page size 4, flags 4, root bucket 16, freelist 8, end 8, transaction 8, checksum 8
	minPageSize  = 1 << 10
	maxPageSize  = 1 << 16
	maxPageDepth = 64 // with two children a page, more leaves than any disk holds
)

// pages reads the pages of a file and trusts nothing in them.
type pages struct {
	file io.ReaderAt
	size uint64 // of one page
	end  uint64 // the page after the last one
	used []bool // pages that were reached: none is in two places

	buckets []string // the names of those at the top

	// leaf is called for each key of the buckets at the top, in the order of the keys.
	leaf func(bucket string, key, value []byte) error
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{replay.ErrCorrupt}, args...)...)
}

// walk reads everything that is in use in a file of some size. Both meta pages must
// be valid: one that is not may have been the newer one, and the older one does not
// know the last claims.
func (p *pages) walk(size int64) error {
	first, err := p.meta(0, 0)
	if err != nil {
		return err
	}
	p.size = uint64(binary.NativeEndian.Uint32(first[8:]))
	if p.size < minPageSize || p.size > maxPageSize || p.size&(p.size-1) != 0 {
		return damaged("pages of %d bytes", p.size)
	}
	second, err := p.meta(1, int64(p.size))
	if err != nil {
		return err
	}
	if !bytes.Equal(first[8:12], second[8:12]) {
		return damaged("two sizes of pages")
	}
	meta := first
	switch binary.NativeEndian.Uint64(first[48:]) - binary.NativeEndian.Uint64(second[48:]) {
	case 1:
	case ^uint64(0): // -1
		meta = second
	default:
		return damaged("the heads of the file are not of successive transactions")
	}
	root := binary.NativeEndian.Uint64(meta[16:])
	freelist, end := binary.NativeEndian.Uint64(meta[32:]), binary.NativeEndian.Uint64(meta[40:])
	if end < 4 || end > uint64(size)/p.size {
		return damaged("%d pages are in use and the file has %d", end, uint64(size)/p.size)
	}
	if freelist != noFreelist {
		return damaged("a list of free pages, which this program does not write")
	}
	p.end, p.used = end, make([]bool, end)
	p.used[0], p.used[1] = true, true
	return p.tree(root, nil, nil, 0, func(flags uint32, key, value []byte) error {
		if flags != flagBucket {
			return damaged("a key beside the buckets")
		}
		p.buckets = append(p.buckets, string(key))
		return p.bucket(string(key), value)
	})
}

// meta reads a meta page at an offset. Transactions with even numbers write page 0,
// the others page 1.
func (p *pages) meta(id uint64, offset int64) ([]byte, error) {
	b := make([]byte, pageHead+metaSize)
	if _, err := p.file.ReadAt(b, offset); err != nil {
		return nil, damaged("no head of the file: %v", err)
	}
	m := b[pageHead:]
	sum := fnv.New64a()
	_, _ = sum.Write(m[:metaSize-8])
	if binary.NativeEndian.Uint32(m) != boltMagic || binary.NativeEndian.Uint32(m[4:]) != boltVersion ||
		binary.NativeEndian.Uint64(b) != id || binary.NativeEndian.Uint64(m[48:])%2 != id || binary.NativeEndian.Uint16(b[8:]) != flagMeta || binary.NativeEndian.Uint64(m[metaSize-8:]) != sum.Sum64() {
		return nil, damaged("a head of the file is not valid")
	}
	return m, nil
}

// bucket reads a bucket from the value of its name.
func (p *pages) bucket(name string, value []byte) error {
	if len(value) < bucketHead {
		return damaged("a bucket without a head")
	}
	leaf := func(flags uint32, key, value []byte) error {
		if flags != 0 {
			return damaged("a bucket within a bucket")
		}
		return p.leaf(name, key, value)
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return p.tree(root, nil, nil, 0, leaf)
	}
	page := value[bucketHead:]
	if len(page) < pageHead || binary.NativeEndian.Uint16(page[8:]) != flagLeaf {
		return damaged("a bucket without a page")
	}
	return p.elements(page, nil, nil, 0, leaf)
}

// tree reads a page and those below it. Their keys are at least from and, unless to
// is nil, less than to.
func (p *pages) tree(id uint64, from, to []byte, depth int, leaf func(flags uint32, key, value []byte) error) error {
	if id >= p.end || p.used[id] || depth > maxPageDepth {
		return damaged("page %d is out of its place", id)
	}
	head := make([]byte, pageHead)
	if _, err := p.file.ReadAt(head, int64(id*p.size)); err != nil {
		return damaged("page %d: %v", id, err)
	}
	more := uint64(binary.NativeEndian.Uint32(head[12:]))
	if binary.NativeEndian.Uint64(head) != id || more >= p.end-id {
		return damaged("page %d has another name or size", id)
	}
	for i := id; i <= id+more; i++ {
		if p.used[i] {
			return damaged("page %d is in two places", i)
		}
		p.used[i] = true
	}
	page := make([]byte, (more+1)*p.size)
	if _, err := p.file.ReadAt(page, int64(id*p.size)); err != nil {
		return damaged("page %d: %v", id, err)
	}
	return p.elements(page, from, to, depth, leaf)
}

// elements reads the elements of a page.
func (p *pages) elements(page, from, to []byte, depth int, leaf func(flags uint32, key, value []byte) error) error {
	flags, count := binary.NativeEndian.Uint16(page[8:]), int(binary.NativeEndian.Uint16(page[10:]))
	if flags != flagLeaf && flags != flagBranch || count*elementSize > len(page)-pageHead || flags == flagBranch && count == 0 {
		return damaged("a page that is none")
	}
	// part returns the bytes of a key or value.
	part := func(element, pos, size int) ([]byte, error) {
		start := element + pos
		if start < pageHead+count*elementSize || start > len(page) || size > len(page)-start {
			return nil, damaged("an element outside of its page")
		}
		return page[start : start+size], nil
	}
	var keys [][]byte
	for i := range count {
		at := pageHead + i*elementSize
		e := page[at:]
		pos, size := int(binary.NativeEndian.Uint32(e)), int(binary.NativeEndian.Uint32(e[4:]))
		if flags == flagLeaf {
			pos, size = int(binary.NativeEndian.Uint32(e[4:])), int(binary.NativeEndian.Uint32(e[8:]))
		}
		key, err := part(at, pos, size)
		if err != nil {
			return err
		}
		previous := from
		if i > 0 {
			previous = keys[i-1]
		}
		if order := bytes.Compare(key, previous); len(key) == 0 || order < 0 || order == 0 && i > 0 || to != nil && bytes.Compare(key, to) >= 0 {
			return damaged("a key out of its order")
		}
		keys = append(keys, key)
		if flags == flagLeaf {
			value, err := part(at, pos+size, int(binary.NativeEndian.Uint32(e[12:])))
			if err != nil {
				return err
			}
			if err := leaf(binary.NativeEndian.Uint32(e), key, value); err != nil {
				return err
			}
		}
	}
	if flags == flagLeaf {
		return nil
	}
	for i := range count {
		next := to
		if i+1 < count {
			next = keys[i+1]
		}
		id := binary.NativeEndian.Uint64(page[pageHead+i*elementSize+8:])
		if err := p.tree(id, keys[i], next, depth+1, leaf); err != nil {
			return err
		}
	}
	return nil
}
