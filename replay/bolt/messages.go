package bolt

import (
	"bytes"
	"context"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// What is over is removed on the way: sweep entries a call, which is more than it
// adds, and scan entries where it stands in the way of a call.
const (
	sweep = 4
	scan  = 1024
)

// maxFull is how many peers without room, and owners of records, are remembered.
const maxFull = 4096

// Claim is Store.Claim of replay.
func (s *Store) Claim(ctx context.Context, k replay.Key, content canon.Digest, now time.Time) (replay.Claim, error) {
	if err := s.limits.CheckMessage(k, content, nil, now); err != nil {
		return replay.Claim{}, err
	}
	var (
		claim  replay.Claim
		reason error
	)
	key := seenKey(k)
	err := s.change(ctx, func(t *change) error {
		var err error
		claim, reason, err = t.claim(key, content, s.clock.At(now))
		return err
	})
	if err != nil {
		return replay.Claim{}, err
	}
	return claim, reason
}

func (t *change) claim(key []byte, content canon.Digest, at int64) (claim replay.Claim, reason, err error) {
	value, err := lookup(t.seen, key, t.countMessages)
	if err != nil {
		return claim, nil, err
	}
	if value != nil {
		m, err := decodeSeen(key, value)
		if err != nil {
			return claim, nil, err
		}
		switch {
		case at >= m.end:
			if err := t.remove(key); err != nil {
				return claim, nil, err
			}
		case !m.content.Equal(content):
			return replay.Claim{State: replay.Conflict}, nil, nil
		case m.settled:
			return replay.Claim{State: replay.Answered, Answer: bytes.Clone(m.answer)}, nil, nil
		default:
			return replay.Claim{State: replay.Running}, nil, nil
		}
	}
	if err := t.sweep(at, sweep); err != nil {
		return claim, nil, err
	}
	if t.state.messages >= int64(t.store.limits.Messages) {
		return claim, replay.ErrFull, nil // nothing is over, or the sweep would have made room
	}
	peer := entry.ID(key[:idSize])
	u, err := t.usage(peer[:])
	if err != nil {
		return claim, nil, err
	}
	if u.messages >= int64(t.store.limits.PerPeer) {
		if u, err = t.sweepPeer(peer, at); err != nil {
			return claim, nil, err
		}
		if u.messages >= int64(t.store.limits.PerPeer) {
			return claim, replay.ErrFull, nil
		}
	}
	u.messages++
	t.state.messages++
	m := seen{content: content, end: at + t.store.limits.Life.Microseconds()}
	if err := t.put(t.seen, key, m.encode(key)); err != nil {
		return claim, nil, err
	}
	if err := t.put(t.ends, endKey(m.end, key), nil); err != nil {
		return claim, nil, err
	}
	if err := t.put(t.peers, peer[:], u.encode(peer[:])); err != nil {
		return claim, nil, err
	}
	return replay.Claim{State: replay.Fresh}, nil, nil
}

// Settle is Store.Settle of replay.
func (s *Store) Settle(ctx context.Context, k replay.Key, content canon.Digest, answer []byte, now time.Time) error {
	if err := s.limits.CheckMessage(k, content, answer, now); err != nil {
		return err
	}
	var reason error
	key := seenKey(k)
	err := s.change(ctx, func(t *change) error {
		var err error
		reason, err = t.settle(key, content, answer, s.clock.At(now))
		return err
	})
	if err != nil {
		return err
	}
	return reason
}

func (t *change) settle(key []byte, content canon.Digest, answer []byte, at int64) (reason, err error) {
	value, err := lookup(t.seen, key, t.countMessages)
	switch {
	case err != nil:
		return nil, err
	case value == nil:
		return replay.ErrNotClaimed, nil
	}
	m, err := decodeSeen(key, value)
	switch {
	case err != nil:
		return nil, err
	case at >= m.end || !m.content.Equal(content):
		return replay.ErrNotClaimed, nil
	case m.settled:
		return nil, nil
	}
	size := int64(len(answer))
	peer := entry.ID(key[:idSize])
	u, err := t.usage(peer[:])
	if err != nil {
		return nil, err
	}
	if u.bytes+size > t.store.limits.PeerBytes {
		if u, err = t.sweepPeer(peer, at); err != nil {
			return nil, err
		}
	}
	if t.state.bytes+size > t.store.limits.Bytes {
		if err := t.sweep(at, scan); err != nil {
			return nil, err
		}
		if u, err = t.usage(peer[:]); err != nil {
			return nil, err
		}
	}
	if u.bytes+size > t.store.limits.PeerBytes || t.state.bytes+size > t.store.limits.Bytes {
		return replay.ErrFull, nil
	}
	u.bytes += size
	t.state.bytes += size
	m.settled, m.answer = true, answer
	if err := t.put(t.seen, key, m.encode(key)); err != nil {
		return nil, err
	}
	return nil, t.put(t.peers, peer[:], u.encode(peer[:]))
}

func (t *change) put(b *bbolt.Bucket, key, value []byte) error {
	t.dirty = true
	return b.Put(key, value)
}

// usage returns what a peer takes up.
func (t *change) usage(peer []byte) (usage, error) {
	value, err := lookup(t.peers, peer, t.countMessages)
	if err != nil || value == nil {
		return usage{}, err
	}
	return decodeUsage(peer, value)
}

// remove removes a message.
func (t *change) remove(key []byte) error {
	value := t.seen.Get(key)
	if value == nil {
		return damaged("a message without an entry")
	}
	m, err := decodeSeen(key, value)
	if err != nil {
		return err
	}
	peer := key[:idSize]
	u, err := t.usage(peer)
	if err != nil {
		return err
	}
	t.dirty = true
	size := int64(len(m.answer))
	u.messages, t.state.messages = u.messages-1, t.state.messages-1
	u.bytes, t.state.bytes = u.bytes-size, t.state.bytes-size
	if u.messages < 0 || u.bytes < 0 || t.state.messages < 0 || t.state.bytes < 0 {
		return damaged("more messages than were counted")
	}
	if err := t.seen.Delete(key); err != nil {
		return err
	}
	if err := t.ends.Delete(endKey(m.end, key)); err != nil {
		return err
	}
	if u.messages == 0 {
		return t.peers.Delete(peer)
	}
	return t.put(t.peers, peer, u.encode(peer))
}

// sweep removes messages that are over, the first to end first, at most so many.
func (t *change) sweep(at int64, most int) error {
	for _, key := range over(t.ends, at, most) {
		if len(key) != endSize+keySize {
			return damaged("an end of nothing")
		}
		if err := t.remove(key[endSize:]); err != nil {
			return err
		}
	}
	return nil
}

// over returns the keys of entries that are over, at most so many. They are copies:
// what is below a cursor moves when something is removed.
func over(ends *bbolt.Bucket, at int64, most int) [][]byte {
	var keys [][]byte
	c := ends.Cursor()
	for key, _ := c.First(); key != nil && len(keys) < most && len(key) >= endSize && readEnd(key) <= at; key, _ = c.Next() {
		keys = append(keys, bytes.Clone(key))
	}
	return keys
}

// sweepPeer removes the messages of a peer that are over, and returns what it takes
// up then. While none can be, it does not look again.
func (t *change) sweepPeer(peer entry.ID, at int64) (usage, error) {
	full := t.store.fullUntil
	if until, ok := full[peer]; !ok || until <= at {
		var (
			keys  [][]byte
			first int64
		)
		c := t.seen.Cursor()
		for key, value := c.Seek(peer[:]); bytes.HasPrefix(key, peer[:]); key, value = c.Next() {
			m, err := decodeSeen(key, value)
			switch {
			case err != nil:
				return usage{}, err
			case m.end <= at:
				keys = append(keys, bytes.Clone(key))
			case first == 0 || m.end < first:
				first = m.end
			}
		}
		for _, key := range keys {
			if err := t.remove(key); err != nil {
				return usage{}, err
			}
		}
		delete(full, peer)
		if first != 0 {
			if len(full) >= maxFull {
				clear(full)
			}
			full[peer] = first
		}
	}
	return t.usage(peer[:])
}
