package pdstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// The bounds of a store.
const (
	// DefaultMost is how many documents a folder holds by default.
	DefaultMost = 1024

	// maxBytes bounds one file. The largest document that is accepted has 1 MiB, and is
	// longer here because prefixes are written out.
	maxBytes = 16 << 20

	suffix = ".nt"
)

// ErrFull says that the folder holds as many documents as it may. [Store.Put] fails
// with it.
var ErrFull = errors.New("the folder of protocol documents is full")

// Store keeps documents in a folder. Make one with [Open]. It is safe for
// concurrent use.
type Store struct {
	root *os.Root
	most int
	mu   sync.Mutex // of Put, so that the folder is not filled beyond most
}

// Open opens a folder, which must exist, for at most that many documents,
// [DefaultMost] when the number is not positive. It fails as [os.OpenRoot] does.
func Open(dir string, most int) (*Store, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if most <= 0 {
		most = DefaultMost
	}
	return &Store{root: root, most: most}, nil
}

// Close releases the folder.
func (s *Store) Close() error { return s.root.Close() }

// limits returns the limits within which documents are read back.
func limits() rdf.Limits {
	l := protocol.DocumentLimits()
	l.Bytes = maxBytes
	return l
}

func verify(ctx context.Context, data []byte, pin canon.Digest) (*protocol.Document, error) {
	return protocol.Verify(ctx, data, "application/n-triples", pin, protocol.Options{Limits: limits()})
}

func name(pin canon.Digest) string { return strings.TrimPrefix(pin.String(), "sha256:") + suffix }

// pinOf returns the pin that a file's name stands for.
func pinOf(file string) (canon.Digest, bool) {
	hex, ok := strings.CutSuffix(file, suffix)
	if !ok {
		return canon.Digest{}, false
	}
	pin, err := canon.ParseDigest("sha256:" + hex)
	return pin, err == nil
}

// Get reads the document with a pin and verifies it. It fails with an error that
// wraps [fs.ErrNotExist] when there is none, with a [*protocol.Error] when the file
// with its name holds something else, and as reading a file does.
func (s *Store) Get(ctx context.Context, pin canon.Digest) (*protocol.Document, error) {
	data, err := s.read(name(pin))
	if err != nil {
		return nil, err
	}
	return verify(ctx, data, pin)
}

// read reads a regular file.
func (s *Store) read(file string) ([]byte, error) {
	before, err := s.root.Lstat(file)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file, found %s", file, before.Mode().Type())
	}
	f, err := s.root.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) { // it was replaced by a link meanwhile
		return nil, fmt.Errorf("%s: expected one file, found it replaced", file)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxBytes {
		return nil, &rdf.LimitError{Limit: rdf.LimitBytes, Max: maxBytes, Place: rdf.Place{File: file}}
	}
	return data, nil
}

// Put writes a document. A file that is there already stays when it verifies and is
// replaced when it is damaged. Put fails with [ErrFull], with
// [protocol.ErrNoDocument] for nil, when the document could not be read back within
// the limits, and as writing a file does.
func (s *Store) Put(ctx context.Context, d *protocol.Document) error {
	pin := d.Pin()
	if pin.IsZero() {
		return protocol.ErrNoDocument
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	file := name(pin)
	switch _, err := s.Get(ctx, pin); {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		pins, err := s.Pins()
		if err != nil {
			return err
		}
		if len(pins) >= s.most {
			return ErrFull
		}
	}
	c, err := canon.Canonicalize(ctx, d.Dataset(), canon.Options{})
	if err != nil {
		return err
	}
	if _, err := verify(ctx, c.NQuads(), pin); err != nil {
		return fmt.Errorf("the document cannot be read back: %w", err)
	}
	return s.write(file, c.NQuads())
}

// write makes or replaces a file as a whole.
func (s *Store) write(file string, data []byte) (err error) {
	f, temporary, err := s.create(file)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.root.Remove(temporary))
		}
	}()
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	if err = s.root.Rename(temporary, file); err != nil {
		return err
	}
	return s.sync()
}

// create makes a file of its own, under a name that no document has.
func (s *Store) create(file string) (*os.File, string, error) {
	const tries = 1000 // as many writers of one document, or leftovers of crashes
	for i := range tries {
		temporary := fmt.Sprintf(".%s.%d.%d", file, os.Getpid(), i)
		f, err := s.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, temporary, err
		}
	}
	return nil, "", fmt.Errorf("%s: expected a free name to write under, found %d taken", file, tries)
}

// sync makes the rename last where folders can be flushed.
func (s *Store) sync() error {
	dir, err := s.root.Open(".")
	if err != nil {
		return err
	}
	// Some systems refuse to flush a folder; the file itself is flushed.
	_ = dir.Sync()
	return dir.Close()
}

// Delete removes the document with a pin. It fails with an error that wraps
// [fs.ErrNotExist] when there is none.
func (s *Store) Delete(pin canon.Digest) error { return s.root.Remove(name(pin)) }

// Pins returns the pins of the files in the folder in order. The files are not read:
// [Store.Get] says whether one holds its document.
func (s *Store) Pins() ([]canon.Digest, error) {
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var all []canon.Digest
	for _, e := range entries {
		if pin, ok := pinOf(e.Name()); ok && e.Type().IsRegular() {
			all = append(all, pin)
		}
	}
	slices.SortFunc(all, func(a, b canon.Digest) int { return bytes.Compare(a[:], b[:]) })
	return all, nil
}
