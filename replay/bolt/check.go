package bolt

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"

	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// check reads a whole file as bytes and returns its state. Anything that does not fit
// the rest is ErrCorrupt.
func check(path string) (state, error) {
	f, err := os.Open(path)
	if err != nil {
		return state{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return state{}, err
	}
	return checkFile(f, info.Size())
}

func checkFile(f io.ReaderAt, size int64) (state, error) {
	c := checker{}
	p := pages{file: f, leaf: c.leaf}
	if err := p.walk(size); err != nil {
		return state{}, err
	}
	for _, name := range buckets() {
		if !slices.Contains(p.buckets, name) {
			return state{}, fmt.Errorf("%w: the bucket %q is missing", ErrFormat, name)
		}
	}
	c.endPeer()
	switch found := c.found; {
	case !c.known:
		return state{}, damaged("no state")
	case found.usage != c.state.usage || found.records != c.state.records || found.version > c.state.version:
		return state{}, damaged("%d messages, %d bytes of answers and %d records are there; %d, %d and %d were written",
			found.messages, found.bytes, found.records, c.state.messages, c.state.bytes, c.state.records)
	case c.ends != c.seen || c.peers != c.peersSeen || c.lasts != c.records || c.owners != c.owned:
		return state{}, damaged("the entries do not fit one another")
	}
	return c.state, nil
}

// checker adds up what is found. The sums tie entries to one another: they are of
// the same keys, found in two buckets.
type checker struct {
	known bool
	state state // as it is written
	found state // as it is counted

	ends, seen       uint64 // ends of messages
	lasts, records   uint64 // ends of records
	owners, owned    uint64 // owners of records
	peers, peersSeen uint64 // what peers take up

	peer  entry.ID // the one whose messages are being read
	usage usage
}

func (c *checker) leaf(bucket string, key, value []byte) error {
	switch bucket {
	case bucketState:
		if string(key) != stateKey {
			return damaged("an unknown key %q", key)
		}
		var err error
		c.state, err = decodeState(value)
		c.known = true
		return err
	case bucketSeen:
		s, err := decodeSeen(key, value)
		if err != nil {
			return err
		}
		if peer := entry.ID(key[:idSize]); peer != c.peer {
			c.endPeer()
			c.peer = peer
		}
		c.usage.messages++
		c.usage.bytes += int64(len(s.answer))
		c.seen += sum(endKey(s.end, key))
		return nil
	case bucketEnds:
		if len(value) != 0 {
			return damaged("an end with a value")
		}
		c.ends += sum(key)
		return nil
	case bucketPeers:
		u, err := decodeUsage(key, value)
		if err != nil {
			return err
		}
		c.peers += u.sum(key)
		return nil
	case bucketRecords:
		r, err := decodeRecord(key, value)
		if err != nil {
			return err
		}
		c.found.records++
		c.found.version = max(c.found.version, r.version)
		c.records += sum(endKey(r.end, key))
		if r.owner != (entry.ID{}) {
			c.owned += sum(ownerKey(r.owner, r.end, key))
		}
		return nil
	case bucketLasts:
		if len(value) != 0 {
			return damaged("an end with a value")
		}
		c.lasts += sum(key)
		return nil
	case bucketOwners:
		if len(value) != 0 {
			return damaged("an owner with a value")
		}
		c.owners += sum(key)
		return nil
	}
	return fmt.Errorf("%w: an unknown bucket %q", ErrFormat, bucket)
}

// endPeer ends the messages of one peer.
func (c *checker) endPeer() {
	if c.usage.messages == 0 {
		return
	}
	c.found.messages += c.usage.messages
	c.found.bytes += c.usage.bytes
	c.peersSeen += c.usage.sum(c.peer[:])
	c.usage = usage{}
}

// sum is what a key adds to a sum over many.
func sum(key []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(key)
	return h.Sum64()
}

func (u usage) sum(peer []byte) uint64 {
	b := binary.BigEndian.AppendUint64(append([]byte{}, peer...), uint64(u.messages))
	return sum(binary.BigEndian.AppendUint64(b, uint64(u.bytes)))
}
