package bolt

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// formatVersion is the version of the form of the file. A program knows one; a change
// of meaning is another.
const formatVersion = 2

// The buckets of a file, all at the top.
const (
	bucketState   = "state"   // "state": one value that counts the rest
	bucketSeen    = "seen"    // peer, message: what is known of the message
	bucketEnds    = "ends"    // end, peer, message: nothing; the order in which messages end
	bucketPeers   = "peers"   // peer: how many messages and bytes of answers
	bucketRecords = "records" // 'r', name: a record
	bucketLasts   = "lasts"   // end, 'r', name: nothing; the order in which records end
	bucketOwners  = "owners"  // owner, end, 'r', name: nothing; the records of owners that are not nobody
)

func buckets() []string {
	return []string{bucketState, bucketSeen, bucketEnds, bucketPeers, bucketRecords, bucketLasts, bucketOwners}
}

const stateKey = "state"

// Sizes of parts of keys and values.
const (
	idSize  = len(entry.ID{})
	keySize = 2 * idSize // peer, message
	endSize = 8
	sumSize = 4
)

func checksum(key, value []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli()), castagnoli(), value)
}

// castagnoli is the sum that most processors have an instruction for. Its table is
// made once, by crc32.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// seal ends a value with the checksum of its key and itself.
func seal(key, value []byte) []byte {
	return binary.BigEndian.AppendUint32(value, checksum(key, value))
}

// unseal returns a value without its checksum, which must be right.
func unseal(key, value []byte) ([]byte, error) {
	body := len(value) - sumSize
	if body < 0 || checksum(key, value[:body]) != binary.BigEndian.Uint32(value[body:]) {
		return nil, fmt.Errorf("%w: a checksum does not fit", replay.ErrCorrupt)
	}
	return value[:body], nil
}

// appendEnd appends a time so that bytes have the order of times.
func appendEnd(b []byte, micro int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(micro)^1<<63)
}

func readEnd(b []byte) int64 { return int64(binary.BigEndian.Uint64(b) ^ 1<<63) }

// seenKey is the key of a message.
func seenKey(k replay.Key) []byte {
	peer, message := entry.NewID(k.Local, k.Peer), entry.NewID(k.Context, k.Message)
	return append(peer[:], message[:]...)
}

// ownerKey is the key of a record among those of its owner.
func ownerKey(owner entry.ID, end int64, key []byte) []byte {
	return append(appendEnd(append(make([]byte, 0, idSize+endSize+len(key)), owner[:]...), end), key...)
}

// endKey is the key of a message or a record among the ends.
func endKey(end int64, key []byte) []byte {
	return append(appendEnd(make([]byte, 0, endSize+len(key)), end), key...)
}

// seen is what is known of a message.
type seen struct {
	content canon.Digest
	end     int64
	settled bool
	answer  []byte
}

func (s seen) encode(key []byte) []byte {
	b := make([]byte, 0, len(s.content)+endSize+1+len(s.answer)+sumSize)
	b = append(b, s.content[:]...)
	b = appendEnd(b, s.end)
	if s.settled {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	return seal(key, append(b, s.answer...))
}

// decodeSeen reads a message. The answer shares the memory of value.
func decodeSeen(key, value []byte) (seen, error) {
	var s seen
	b, err := unseal(key, value)
	if err != nil {
		return s, err
	}
	head := len(s.content) + endSize + 1
	if len(b) < head || b[head-1] > 1 || b[head-1] == 0 && len(b) > head || len(key) != keySize {
		return s, fmt.Errorf("%w: not a message", replay.ErrCorrupt)
	}
	copy(s.content[:], b)
	s.end = readEnd(b[len(s.content):])
	s.settled = b[head-1] == 1
	s.answer = b[head:]
	return s, nil
}

// usage is what a peer, or the whole file, takes up.
type usage struct {
	messages int64
	bytes    int64 // of the answers
}

func (u usage) encode(key []byte) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(u.messages))
	return seal(key, binary.BigEndian.AppendUint64(b, uint64(u.bytes)))
}

func decodeUsage(key, value []byte) (usage, error) {
	b, err := unseal(key, value)
	if err != nil {
		return usage{}, err
	}
	if len(b) != 16 || len(key) != idSize {
		return usage{}, fmt.Errorf("%w: not a peer", replay.ErrCorrupt)
	}
	u := usage{int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:]))}
	if u.messages <= 0 || u.bytes < 0 {
		return usage{}, fmt.Errorf("%w: not a peer", replay.ErrCorrupt)
	}
	return u, nil
}

// state counts the rest of the file.
type state struct {
	usage
	latest  int64  // the latest time of the store
	version uint64 // the latest version of a record
	records int64
}

func (s state) encode() []byte {
	b := binary.BigEndian.AppendUint32(nil, formatVersion)
	for _, n := range [...]uint64{uint64(s.messages), uint64(s.bytes), uint64(s.latest), s.version, uint64(s.records)} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return seal([]byte(stateKey), b)
}

func decodeState(value []byte) (state, error) {
	var s state
	b, err := unseal([]byte(stateKey), value)
	if err != nil {
		return s, err
	}
	if len(b) < 4 {
		return s, fmt.Errorf("%w: no state", replay.ErrCorrupt)
	}
	if v := binary.BigEndian.Uint32(b); v != formatVersion {
		return s, fmt.Errorf("%w: the file has format %d, expected %d", ErrFormat, v, formatVersion)
	}
	if b = b[4:]; len(b) != 5*8 {
		return s, fmt.Errorf("%w: no state", replay.ErrCorrupt)
	}
	s.messages, s.bytes = int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:]))
	s.latest, s.version = int64(binary.BigEndian.Uint64(b[16:])), binary.BigEndian.Uint64(b[24:])
	s.records = int64(binary.BigEndian.Uint64(b[32:]))
	return s, nil
}

// record is a record without its name.
type record struct {
	version uint64
	end     int64
	owner   entry.ID
	value   []byte
}

// recordHead is what precedes the value of a record: version, end, owner.
const recordHead = 8 + endSize + idSize

// recordKey is the key of a record; bbolt has no empty keys.
func recordKey(name string) []byte { return append([]byte{'r'}, name...) }

func (r record) encode(key []byte) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, recordHead+len(r.value)+sumSize), r.version)
	b = append(appendEnd(b, r.end), r.owner[:]...)
	return seal(key, append(b, r.value...))
}

// decodeRecord reads a record. The value is a copy.
func decodeRecord(key, value []byte) (record, error) {
	b, err := unseal(key, value)
	if err != nil {
		return record{}, err
	}
	if len(b) < recordHead || len(key) == 0 || key[0] != 'r' {
		return record{}, fmt.Errorf("%w: not a record", replay.ErrCorrupt)
	}
	r := record{version: binary.BigEndian.Uint64(b), end: readEnd(b[8:]), value: append([]byte{}, b[recordHead:]...)}
	copy(r.owner[:], b[8+endSize:])
	if r.version == 0 {
		return record{}, fmt.Errorf("%w: not a record", replay.ErrCorrupt)
	}
	return r, nil
}
