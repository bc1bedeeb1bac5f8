package pdstore_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/protocol/pdstore"
)

func document(t testing.TB, title string) *protocol.Document {
	t.Helper()
	shape, err := protocol.StockRequest(protocol.VerbGrant)
	require.NoError(t, err)
	d, err := protocol.Build(t.Context(), protocol.Parts{ID: "a:pd", Title: title, Request: protocol.Shapes{Graph: shape}}, protocol.Options{})
	require.NoError(t, err)
	return d
}

func open(t testing.TB, dir string, most int) *pdstore.Store {
	t.Helper()
	s, err := pdstore.Open(dir, most)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func file(dir string, pin canon.Digest) string {
	return filepath.Join(dir, strings.TrimPrefix(pin.String(), "sha256:")+".nt")
}

func TestStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, 0)
	a, b := document(t, "a"), document(t, "b")
	_, err := s.Get(t.Context(), a.Pin())
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, s.Put(t.Context(), a))
	require.NoError(t, s.Put(t.Context(), b))
	require.NoError(t, s.Put(t.Context(), a), "it is here")

	got, err := s.Get(t.Context(), a.Pin())
	require.NoError(t, err)
	require.Equal(t, a.Pin(), got.Pin())
	require.Equal(t, "a", got.Title())
	again := open(t, dir, 0)
	got, err = again.Get(t.Context(), b.Pin())
	require.NoError(t, err)
	require.Equal(t, "b", got.Title())

	// The file's own hash is its name, and nothing else is left in the folder.
	data, err := os.ReadFile(file(dir, a.Pin()))
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	require.Equal(t, a.Pin().String(), "sha256:"+hex.EncodeToString(sum[:]))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)

	pins, err := s.Pins()
	require.NoError(t, err)
	require.ElementsMatch(t, []canon.Digest{a.Pin(), b.Pin()}, pins)
	require.NoError(t, s.Delete(a.Pin()))
	require.ErrorIs(t, s.Delete(a.Pin()), fs.ErrNotExist)
	require.ErrorIs(t, s.Put(t.Context(), nil), protocol.ErrNoDocument)
	require.ErrorIs(t, s.Put(t.Context(), &protocol.Document{}), protocol.ErrNoDocument)
	_, err = s.Get(t.Context(), canon.Digest{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestOpen(t *testing.T) {
	t.Parallel()
	_, err := pdstore.Open(filepath.Join(t.TempDir(), "missing"), 0)
	require.ErrorIs(t, err, fs.ErrNotExist)
	plain := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(plain, nil, 0o600))
	_, err = pdstore.Open(plain, 0)
	require.Error(t, err)
}

func TestFull(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), 2)
	a := document(t, "a")
	require.NoError(t, s.Put(t.Context(), a))
	require.NoError(t, s.Put(t.Context(), document(t, "b")))
	require.ErrorIs(t, s.Put(t.Context(), document(t, "c")), pdstore.ErrFull)
	require.NoError(t, s.Put(t.Context(), a))
	require.NoError(t, s.Delete(a.Pin()))
	require.NoError(t, s.Put(t.Context(), document(t, "c")))
}

// TestDamage: the files in the folder are not trusted.
func TestDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, 0)
	d := document(t, "a")
	require.NoError(t, s.Put(t.Context(), d))
	name := file(dir, d.Pin())
	good, err := os.ReadFile(name)
	require.NoError(t, err)
	other, err := canon.Canonicalize(t.Context(), document(t, "b").Dataset(), canon.Options{})
	require.NoError(t, err)
	rows := map[string][]byte{
		"empty": {}, "another document": other.NQuads(), "too large": bytes.Repeat([]byte("#"), 16<<20+1), "no text": {0, 0xff},
		"a line less": good[bytes.IndexByte(good, '\n')+1:], "a line more": append(bytes.Clone(good), "<a:s> <a:p> <a:o> .\n"...),
	}
	for i := 0; i < len(good); i += 7 {
		flipped := bytes.Clone(good)
		flipped[i] ^= 1
		rows[fmt.Sprint("bit at ", i)] = flipped
		if i%5 == 0 {
			rows[fmt.Sprint("truncated at ", i)] = good[:i]
		}
	}
	for what, data := range rows {
		require.NoError(t, os.WriteFile(name, data, 0o600))
		got, err := s.Get(t.Context(), d.Pin())
		require.Error(t, err, what)
		require.Nil(t, got, what)
		require.False(t, errors.Is(err, fs.ErrNotExist), what)
	}
	// Putting it again repairs it.
	require.NoError(t, s.Put(t.Context(), d))
	_, err = s.Get(t.Context(), d.Pin())
	require.NoError(t, err)
	// Other names of blank nodes and another order of lines are not damage: the graph
	// is the same.
	lines := bytes.SplitAfter(good, []byte("\n"))
	reordered := bytes.ReplaceAll(bytes.Join(append(lines[1:], lines[0]), nil), []byte("_:c14n"), []byte("_:x"))
	require.NoError(t, os.WriteFile(name, reordered, 0o600))
	_, err = s.Get(t.Context(), d.Pin())
	require.NoError(t, err)
}

// TestIrregularFiles: links and folders are not taken for documents, even if they lead to
// one.
func TestIrregularFiles(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	d := document(t, "a")
	elsewhere := open(t, outside, 0)
	require.NoError(t, elsewhere.Put(t.Context(), d))
	s := open(t, dir, 0)
	name := file(dir, d.Pin())
	require.NoError(t, os.Symlink(file(outside, d.Pin()), name))
	_, err := s.Get(t.Context(), d.Pin())
	require.ErrorContains(t, err, "expected a regular file")
	pins, err := s.Pins()
	require.NoError(t, err)
	require.Empty(t, pins)
	// Putting the document replaces the link and leaves alone what it led to.
	before, err := os.ReadFile(file(outside, d.Pin()))
	require.NoError(t, err)
	require.NoError(t, s.Put(t.Context(), d))
	info, err := os.Lstat(name)
	require.NoError(t, err)
	require.True(t, info.Mode().IsRegular())
	after, err := os.ReadFile(file(outside, d.Pin()))
	require.NoError(t, err)
	require.Equal(t, before, after)

	require.NoError(t, os.Remove(name))
	require.NoError(t, os.Mkdir(name, 0o700))
	_, err = s.Get(t.Context(), d.Pin())
	require.ErrorContains(t, err, "expected a regular file")
	require.Error(t, s.Put(t.Context(), d), "a folder is in the way")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing is left behind")
}

// TestOtherFiles: files that are not named like documents are ignored.
func TestOtherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"README", "x.nt", strings.Repeat("A", 64) + ".nt", strings.Repeat("a", 63) + ".nt", strings.Repeat("a", 64) + ".ttl", "." + strings.Repeat("a", 64) + ".nt.1.0"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600))
	}
	pins, err := open(t, dir, 0).Pins()
	require.NoError(t, err)
	require.Empty(t, pins)
}

func TestConcurrently(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := document(t, "a")
	var all sync.WaitGroup
	for range 4 {
		s := open(t, dir, 0)
		all.Go(func() {
			for range 10 {
				if err := s.Put(t.Context(), d); err != nil {
					t.Error(err)
				}
				if got, err := s.Get(t.Context(), d.Pin()); err != nil || got.Pin() != d.Pin() {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}
