package bolt

import (
	"bytes"
	"context"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// Load is Store.Load of replay.
func (s *Store) Load(ctx context.Context, name string, now time.Time) (replay.Record, bool, error) {
	if err := s.limits.CheckRecord(name, nil, time.Time{}, now); err != nil {
		return replay.Record{}, false, err
	}
	var (
		found replay.Record
		ok    bool
	)
	key := recordKey(name)
	err := s.read(ctx, func(tx *bbolt.Tx) error {
		value, err := lookup(tx.Bucket([]byte(bucketRecords)), key, countedRecords(tx))
		if err != nil || value == nil {
			return err
		}
		r, err := decodeRecord(key, value)
		if err != nil {
			return err
		}
		if ok = now.UnixMicro() < r.end; ok {
			found = r.record(name)
		}
		return nil
	})
	if err != nil {
		return replay.Record{}, false, err
	}
	return found, ok, nil
}

func (r record) record(name string) replay.Record {
	return replay.Record{Name: name, Value: r.value, Version: r.version, Expires: time.UnixMicro(r.end).UTC()}
}

// Swap is Store.Swap of replay.
func (s *Store) Swap(ctx context.Context, name string, owner replay.Owner, old uint64, value []byte, expires, now time.Time) (bool, error) {
	if err := s.limits.CheckRecord(name, value, expires, now); err != nil {
		return false, err
	}
	var (
		ok     bool
		reason error
	)
	key := recordKey(name)
	err := s.change(ctx, func(t *change) error {
		var err error
		ok, reason, err = t.swap(key, entry.NewOwner(owner.Local, owner.Peer), old, value, expires.UnixMicro(), now.UnixMicro())
		return err
	})
	if err != nil {
		return false, err
	}
	return ok, reason
}

func (t *change) swap(key []byte, owner entry.ID, old uint64, value []byte, end, at int64) (ok bool, reason, err error) {
	for _, k := range over(t.lasts, at, sweep) {
		if err := t.removeOver(k[endSize:]); err != nil {
			return false, nil, err
		}
	}
	var has record
	v, err := lookup(t.records, key, t.countRecords)
	if err != nil {
		return false, nil, err
	}
	if v != nil {
		if has, err = decodeRecord(key, v); err != nil {
			return false, nil, err
		}
		if has.end <= at {
			if err := t.removeRecord(key, has); err != nil {
				return false, nil, err
			}
			has = record{}
		}
	}
	switch {
	case has.version != old:
		return false, nil, nil
	case value == nil && old == 0:
		return true, nil, nil
	case value == nil:
		return true, nil, t.removeRecord(key, has)
	case old == 0 && t.state.records >= int64(t.store.limits.Records):
		return false, replay.ErrFull, nil // nothing is over, or the sweep would have made room
	}
	if old != 0 {
		owner = has.owner
		if err := t.removeRecord(key, has); err != nil {
			return false, nil, err
		}
	} else if full, err := t.full(owner, at); err != nil {
		return false, nil, err
	} else if full {
		return false, replay.ErrFull, nil
	}
	t.state.version++
	t.state.records++
	r := record{version: t.state.version, end: end, owner: owner, value: value}
	if err := t.put(t.records, key, r.encode(key)); err != nil {
		return false, nil, err
	}
	if owner != (entry.ID{}) {
		if err := t.put(t.owners, ownerKey(owner, end, key), nil); err != nil {
			return false, nil, err
		}
		t.count(owner, 1)
	}
	return true, nil, t.put(t.lasts, endKey(end, key), nil)
}

// full reports whether an owner has no room for another record. What is over does not
// count: it is removed, the first to end first, where it stands in the way.
func (t *change) full(owner entry.ID, at int64) (bool, error) {
	if owner == (entry.ID{}) {
		return false, nil
	}
	for t.owned(owner) >= t.store.limits.PeerRecords {
		key, _ := t.owners.Cursor().Seek(owner[:])
		if len(key) < idSize+endSize || !bytes.HasPrefix(key, owner[:]) {
			return false, damaged("records of an owner that were counted are not there")
		}
		if readEnd(key[idSize:]) > at {
			return true, nil
		}
		if err := t.removeOver(bytes.Clone(key[idSize+endSize:])); err != nil {
			return false, err
		}
	}
	return false, nil
}

// owned returns how many records an owner has, with those that are over. They are counted
// once, and then followed: an owner has thousands.
func (t *change) owned(owner entry.ID) int {
	n, known := t.store.owned[owner]
	if known {
		return n
	}
	c := t.owners.Cursor()
	for key, _ := c.Seek(owner[:]); bytes.HasPrefix(key, owner[:]); key, _ = c.Next() {
		n++
	}
	if len(t.store.owned) >= maxFull {
		clear(t.store.owned)
	}
	t.store.owned[owner] = n
	return n
}

// count follows how many records an owner has.
func (t *change) count(owner entry.ID, by int) {
	if n, known := t.store.owned[owner]; known {
		t.store.owned[owner] = n + by
	}
}

// removeOver removes a record that is found among the ends.
func (t *change) removeOver(key []byte) error {
	value := t.records.Get(key)
	if value == nil {
		return damaged("an end of nothing")
	}
	r, err := decodeRecord(key, value)
	if err != nil {
		return err
	}
	return t.removeRecord(key, r)
}

func (t *change) removeRecord(key []byte, r record) error {
	t.dirty = true
	if t.state.records--; t.state.records < 0 {
		return damaged("more records than were counted")
	}
	if err := t.records.Delete(key); err != nil {
		return err
	}
	if err := t.owners.Delete(ownerKey(r.owner, r.end, key)); err != nil {
		return err
	}
	t.count(r.owner, -1)
	return t.lasts.Delete(endKey(r.end, key))
}

// List is Store.List of replay.
func (s *Store) List(ctx context.Context, prefix string, most int, now time.Time) ([]replay.Record, error) {
	if err := s.limits.CheckRecord("", nil, time.Time{}, now); err != nil {
		return nil, err
	}
	var list []replay.Record
	from := recordKey(prefix)
	err := s.read(ctx, func(tx *bbolt.Tx) error {
		records := tx.Bucket([]byte(bucketRecords))
		if _, err := lookup(records, from, countedRecords(tx)); err != nil {
			return err
		}
		c := records.Cursor()
		key, value := c.Seek(from)
		for ; len(list) < most && bytes.HasPrefix(key, from); key, value = c.Next() {
			r, err := decodeRecord(key, value)
			if err != nil {
				return err
			}
			if now.UnixMicro() < r.end {
				list = append(list, r.record(string(key[1:])))
			}
		}
		if key != nil { // what ends the list
			return whole(key, value, true)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}
