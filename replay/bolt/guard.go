package bolt

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rdfproto/rdfproto/replay"
)

// bbolt trusts its file. Where that changes under its hands it panics or touches memory
// that is not there, and when it does so while it begins or ends a transaction it does not
// let go of its locks: whoever asks it for anything afterwards, also to close, waits for
// ever. The Store is jammed then: whoever waits for bbolt stops, and nobody asks it again.
// What is in it at that moment stays there until the process ends.

// guard runs what uses bbolt. A panic is a damaged file, not a fault of the program, and
// must refuse and not end the process.
func (s *Store) guard(run func() error) (err error) {
	_, err = s.recovered(run)
	return err
}

// recovered is guard, and reports whether there was a panic.
func (s *Store) recovered(run func() error) (panicked bool, err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if r := recover(); r != nil {
			panicked, err = true, damaged("%v", r)
		}
		if errors.Is(err, replay.ErrCorrupt) {
			s.fail(err)
		}
	}()
	return false, run()
}

// begin begins a transaction.
func (s *Store) begin(writable bool) (tx *bbolt.Tx, err error) {
	panicked, err := s.recovered(func() (err error) { tx, err = s.db.Begin(writable); return err })
	if panicked {
		s.jam()
	}
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		err = replay.ErrClosed
	}
	return tx, err
}

// end ends a transaction, and undoes one that was not committed.
func (s *Store) end(tx *bbolt.Tx) {
	if panicked, _ := s.recovered(tx.Rollback); panicked { // after a commit it does nothing
		s.jam()
	}
}

// jam lets nobody wait for bbolt any more. The Store has failed before.
func (s *Store) jam() { s.jamOnce.Do(func() { close(s.jammed) }) }

// read runs a function on a snapshot. What the function sets is there when read returns
// no error.
func (s *Store) read(ctx context.Context, run func(tx *bbolt.Tx) error) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { // which cannot be called back
		tx, err := s.begin(false)
		if err == nil {
			err = s.guard(func() error { return run(tx) })
			s.end(tx)
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.jammed:
		return *s.failed.Load()
	}
}

// release gives back what bbolt holds: its memory and the file, with the lock on it. What
// is jammed keeps them until the process ends, since both are in use.
func (s *Store) release() error {
	closed := make(chan error, 1)
	select {
	case <-s.jammed:
	default:
		go func() { closed <- s.guard(s.db.Close) }()
	}
	select {
	case err := <-closed:
		return err
	case <-s.jammed:
		return fmt.Errorf("the file stays open until the process ends: %w", *s.failed.Load())
	}
}
