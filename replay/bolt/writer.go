package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"syscall"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// call is a change that waits for the writer.
type call struct {
	ctx   context.Context
	run   func(t *change) error // sets what the caller reads; an error ends the whole batch
	taken atomic.Bool           // by the writer, or by the caller who gave up
	done  chan error            // of capacity 1
}

// change is the transaction of a batch.
type change struct {
	store *Store
	state state
	dirty bool

	seen, ends, peers, records, lasts, owners *bbolt.Bucket
}

// maxBatch is how many calls share a write. More would not make it cheaper, and all
// of them wait for it.
const maxBatch = 1024

// change hands a change to the writer and waits for it to be on the disk.
func (s *Store) change(ctx context.Context, run func(t *change) error) error {
	if s.readOnly {
		return ErrReadOnly
	}
	if err := s.usable(ctx); err != nil {
		return err
	}
	c := &call{ctx: ctx, run: run, done: make(chan error, 1)}
	select {
	case s.calls <- c:
	case <-s.closing:
		return s.usable(ctx)
	case <-s.jammed:
		return s.usable(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		if c.taken.CompareAndSwap(false, true) {
			return ctx.Err() // nothing was written
		}
	case <-s.jammed:
	}
	select {
	case err := <-c.done:
		return err
	case <-s.jammed: // what is on the disk is not known
		return *s.failed.Load()
	}
}

// write is the writer: it takes the calls that are waiting, writes what they change
// at once, and lets them return when it is on the disk.
func (s *Store) write() {
	defer close(s.ended)
	for {
		var batch []*call
		select {
		case c := <-s.calls:
			batch = append(batch, c)
		case <-s.closing:
			return
		}
	more:
		for len(batch) < maxBatch {
			select {
			case c := <-s.calls:
				batch = append(batch, c)
			default:
				break more
			}
		}
		s.writeBatch(batch)
	}
}

func (s *Store) writeBatch(batch []*call) {
	taken := batch[:0]
	for _, c := range batch {
		if !c.taken.CompareAndSwap(false, true) {
			continue // its caller has gone
		}
		if err := c.ctx.Err(); err != nil {
			c.done <- err
			continue
		}
		taken = append(taken, c)
	}
	err := s.usable(context.Background())
	if err == nil && len(taken) > 0 {
		if err = s.guard(func() error { return s.commit(taken) }); err != nil {
			clear(s.fullUntil) // what was removed from the file is there again
			clear(s.owned)
		}
	}
	for _, c := range taken {
		c.done <- err
	}
}

// commit runs the calls of a batch in one transaction. One that changes nothing is
// not written.
func (s *Store) commit(batch []*call) error {
	tx, err := s.begin(true)
	if err != nil {
		return err
	}
	defer s.end(tx)
	t := &change{
		store: s, state: s.state,
		seen: tx.Bucket([]byte(bucketSeen)), ends: tx.Bucket([]byte(bucketEnds)), peers: tx.Bucket([]byte(bucketPeers)),
		records: tx.Bucket([]byte(bucketRecords)), lasts: tx.Bucket([]byte(bucketLasts)), owners: tx.Bucket([]byte(bucketOwners)),
	}
	for _, c := range batch {
		if err := c.run(t); err != nil {
			return err
		}
	}
	if !t.dirty {
		return nil
	}
	t.state.latest = s.clock.Latest
	if err := tx.Bucket([]byte(bucketState)).Put([]byte(stateKey), t.state.encode()); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		if !noSpace(err) {
			err = fmt.Errorf("%w: %w", ErrUnknown, err)
			s.fail(err)
		}
		return err
	}
	if err := s.here(); err != nil { // durable is what a restart finds
		s.fail(err)
		return err
	}
	s.state = t.state
	return nil
}

// noSpace reports whether a commit failed before anything that counts was written,
// because there was no room for it: the file is as it was. An fsync that failed for
// lack of space is another matter: what it was to write may be lost.
func noSpace(err error) bool {
	if errors.Is(err, bolterrors.ErrMaxSizeReached) {
		return true
	}
	write, ok := errors.AsType[*fs.PathError](err)
	return ok && write.Op == "write" && (errors.Is(write, syscall.ENOSPC) || errors.Is(write, syscall.EDQUOT) || errors.Is(write, syscall.EFBIG))
}
