package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// The errors of this package, beside those of replay.
var (
	// ErrLocked: another process has the file open.
	ErrLocked = errors.New("another process has the store open")
	// ErrFormat: the file is not one of this program, or one of another version.
	ErrFormat = errors.New("not a store of this version")
	// ErrReadOnly: a store that was opened for reading was asked to write.
	ErrReadOnly = errors.New("the store is open for reading only")
	// ErrUnknown: a write failed, and what is on the disk is not known. Opening the
	// file again finds out.
	ErrUnknown = errors.New("the store must be opened again after a failed write")
	// ErrGone: the file was removed, moved, or another was put in its place. What is
	// written to it would not be found after a restart.
	ErrGone = errors.New("the file of the store is no longer at its path")
)

// Options says how a file is opened. The zero Options open an existing file for
// writing.
type Options struct {
	Limits replay.Limits

	// ReadOnly opens the file only for Load and List; several processes can do so at once.
	ReadOnly bool

	// Timeout is how long to wait for another process to let go of the file; 0 means
	// 2 seconds.
	Timeout time.Duration
}

// Store is a replay.Store in a file. It is safe for concurrent use. A call that waits
// for its turn ends with its context; once its write has begun, it ends with the write.
type Store struct {
	limits   replay.Limits
	readOnly bool
	db       *bbolt.DB
	path     string      // absolute
	file     os.FileInfo // of what is written to

	calls   chan *call    // to the writer
	closing chan struct{} // closed by Close
	ended   chan struct{} // closed by the writer at its end

	mu     sync.Mutex
	closed bool

	failed  atomic.Pointer[error] // why every call fails
	jammed  chan struct{}         // closed when bbolt may hold its locks for ever
	jamOnce sync.Once

	// Below is the writer's.
	state     state
	clock     entry.Clock
	fullUntil map[entry.ID]int64 // peers without room, and when their first message ends
	owned     map[entry.ID]int   // how many records there are of owners that made one
}

// Create makes an empty store at a path where there is no file, readable only by its
// owner, and opens it. If there is a file, even an empty one, it fails with an error
// that is fs.ErrExist. A process that dies meanwhile leaves either no store or a whole
// one.
func Create(path string, o Options) (*Store, error) {
	if o.ReadOnly {
		return nil, ErrReadOnly
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	// The file gets its name when it is complete.
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return nil, err
	}
	name := f.Name()
	defer os.Remove(name)
	if err := f.Close(); err != nil {
		return nil, err
	}
	if err := makeEmpty(name); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := os.Link(name, path); err != nil { // never replaces
		return nil, err
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return Open(path, o)
}

// makeEmpty makes an empty file of zero bytes an empty store.
func makeEmpty(path string) error {
	db, err := bbolt.Open(path, 0o600, boltOptions(time.Second))
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets() {
			if _, err := tx.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		return tx.Bucket([]byte(bucketState)).Put([]byte(stateKey), state{}.encode())
	})
	return errors.Join(err, db.Close())
}

// syncDir makes the name of a new file durable, where directories can be synced.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

func boltOptions(timeout time.Duration) *bbolt.Options {
	return &bbolt.Options{
		Timeout:      timeout,
		FreelistType: bbolt.FreelistMapType,
		// The list of free pages is found again when the file is opened, which reads
		// it as a whole anyway. A claim has less to write.
		NoFreelistSync: true,
		NoStatistics:   true,
	}
}

// Open opens a store. It reads the whole file and fails with ErrCorrupt if anything in
// it is damaged, with ErrLocked if another process has it open, with ErrFormat if it
// is of another version, and with an error that is fs.ErrNotExist if there is none.
func Open(path string, o Options) (*Store, error) {
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Second
	}
	s := &Store{
		limits: o.Limits.OrDefault(), readOnly: o.ReadOnly,
		calls: make(chan *call), closing: make(chan struct{}), ended: make(chan struct{}), jammed: make(chan struct{}),
		fullUntil: map[entry.ID]int64{}, owned: map[entry.ID]int{},
	}
	if err := s.open(path, o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.readOnly {
		close(s.ended)
		return s, nil
	}
	go s.write()
	return s, nil
}

func (s *Store) open(path string, o Options) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return pathError(err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: not a file", ErrFormat)
	case info.Size() == 0: // bbolt would make a new store of it
		return damaged("the file is empty")
	}
	// Opened for reading, bbolt looks at the heads of the file alone, and keeps those
	// who write out while the rest is read.
	reading := boltOptions(o.Timeout)
	reading.ReadOnly = true
	db, err := bbolt.Open(path, 0, reading)
	if err != nil {
		return openError(err)
	}
	if s.state, err = check(path); err != nil {
		return errors.Join(err, db.Close())
	}
	if o.ReadOnly {
		s.db = db
		return nil
	}
	// Whoever gets in before the next line leaves a whole store behind as well.
	if err := db.Close(); err != nil {
		return err
	}
	if s.path, err = filepath.Abs(path); err != nil { // whatever folder the process goes to
		return err
	}
	writing := boltOptions(o.Timeout)
	writing.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag&^os.O_CREATE, mode)
		if err != nil {
			return nil, err
		}
		if s.file, err = f.Stat(); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	}
	if s.db, err = bbolt.Open(path, 0, writing); err != nil {
		return openError(err)
	}
	err = s.read(context.Background(), func(tx *bbolt.Tx) error {
		s.state, err = decodeState(tx.Bucket([]byte(bucketState)).Get([]byte(stateKey)))
		return err
	})
	if err != nil {
		return errors.Join(err, s.release())
	}
	s.clock.Latest = s.state.latest
	return nil
}

// openError says what bbolt means. What neither another process nor the system is the
// reason for is in the file.
func openError(err error) error {
	if errors.Is(err, bolterrors.ErrTimeout) {
		return ErrLocked
	}
	_, ofPath := errors.AsType[*fs.PathError](err)
	_, ofSystem := errors.AsType[syscall.Errno](err)
	if ofPath || ofSystem {
		return pathError(err)
	}
	return damaged("%v", err)
}

// pathError leaves the path out, which the caller names.
func pathError(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Close finishes what is being written, and then closes the Store. It may fail if the
// file was damaged while it was in use; the process can end all the same.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return replay.ErrClosed
	}
	s.closed = true
	close(s.closing)
	s.mu.Unlock()
	select {
	case <-s.ended:
	case <-s.jammed: // the writer is in bbolt and may stay there
	}
	return s.release()
}

// usable fails when no call may go on.
func (s *Store) usable(ctx context.Context) error {
	select {
	case <-s.closing:
		return replay.ErrClosed
	default:
	}
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}

// here fails when the file that is written to is not the one at the path.
func (s *Store) here() error {
	info, err := os.Stat(s.path)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrGone, pathError(err))
	case !os.SameFile(info, s.file):
		return fmt.Errorf("%w: another file is", ErrGone)
	}
	return nil
}

// fail makes every later call fail.
func (s *Store) fail(err error) { s.failed.CompareAndSwap(nil, &err) }
