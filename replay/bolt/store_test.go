package bolt_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	replaytest.Run(t, func(t *testing.T, l replay.Limits, n int) []replay.Store {
		s := create(t, filepath.Join(t.TempDir(), "store"), bolt.Options{Limits: l})
		all := make([]replay.Store, n)
		for i := range all {
			all[i] = s
		}
		return all
	})
}

func create(t testing.TB, path string, o bolt.Options) *bolt.Store {
	t.Helper()
	s, err := bolt.Create(path, o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func open(t testing.TB, path string, o bolt.Options) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(path, o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func content(s string) canon.Digest { return canon.Sum([]byte(s)) }

func key(message string) replay.Key {
	return replay.Key{Local: "https://alice.example/agent", Peer: "https://bob.example/#me", Context: "ctx-1", Message: message}
}

func claim(t testing.TB, s replay.Store, message string, at time.Time) replay.State {
	t.Helper()
	c, err := s.Claim(t.Context(), key(message), content("c"), at)
	require.NoError(t, err)
	return c.State
}

func TestReopen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store")
	s := create(t, path, bolt.Options{})
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing else is left")

	require.Equal(t, replay.Fresh, claim(t, s, "m-1", noon))
	require.Equal(t, replay.Fresh, claim(t, s, "m-2", noon))
	require.NoError(t, s.Settle(t.Context(), key("m-1"), content("c"), []byte("answer"), noon))
	ok, err := s.Swap(t.Context(), "r", replay.Owner{}, 0, []byte("v"), noon.Add(time.Hour), noon)
	require.NoError(t, err)
	require.True(t, ok)
	first, _, err := s.Load(t.Context(), "r", noon)
	require.NoError(t, err)
	require.NoError(t, s.Close())

	s = open(t, path, bolt.Options{})
	c, err := s.Claim(t.Context(), key("m-1"), content("c"), noon)
	require.NoError(t, err)
	require.Equal(t, replay.Claim{State: replay.Answered, Answer: []byte("answer")}, c)
	require.Equal(t, replay.Running, claim(t, s, "m-2", noon))
	again, _, err := s.Load(t.Context(), "r", noon)
	require.NoError(t, err)
	require.Equal(t, first, again)
	ok, err = s.Swap(t.Context(), "r", replay.Owner{}, again.Version, nil, time.Time{}, noon)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, s.Close())

	// A version does not come back, and the time does not go back: what a clock that
	// is years behind claims lives as long as the rest.
	s = open(t, path, bolt.Options{})
	ok, err = s.Swap(t.Context(), "r", replay.Owner{}, 0, []byte("v"), noon.Add(time.Hour), noon)
	require.NoError(t, err)
	require.True(t, ok)
	r, _, err := s.Load(t.Context(), "r", noon)
	require.NoError(t, err)
	require.Greater(t, r.Version, again.Version)
	require.Equal(t, replay.Fresh, claim(t, s, "m-3", noon.AddDate(-50, 0, 0)))
	require.NoError(t, s.Close())
	s = open(t, path, bolt.Options{})
	require.Equal(t, replay.Running, claim(t, s, "m-3", noon.Add(23*time.Hour)))
	require.Equal(t, replay.Running, claim(t, s, "m-2", noon.Add(24*time.Hour-time.Microsecond)))
	require.Equal(t, replay.Fresh, claim(t, s, "m-2", noon.Add(24*time.Hour)))
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	for _, row := range []struct {
		name, path string
		want       error
	}{
		{"a file that is missing", filepath.Join(dir, "none"), fs.ErrNotExist},
		{"a folder that is missing", filepath.Join(dir, "none", "store"), fs.ErrNotExist},
		{"an empty file", file("empty", nil), replay.ErrCorrupt},
		{"a short file", file("short", []byte("x")), replay.ErrCorrupt},
		{"a file of little more than a page", file("page", filled(t, 1)[:5000]), replay.ErrCorrupt},
		{"zeros", file("zeros", make([]byte, 1<<16)), replay.ErrCorrupt},
		{"text", file("text", []byte("not a database\n")), replay.ErrCorrupt},
		{"a folder", dir, bolt.ErrFormat},
	} {
		for _, readOnly := range []bool{false, true} {
			_, err := bolt.Open(row.path, bolt.Options{ReadOnly: readOnly})
			require.ErrorIs(t, err, row.want, row.name)
			require.ErrorContains(t, err, row.path)
		}
	}
	_, err := os.Stat(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, fs.ErrNotExist, "opening makes no file")

	_, err = bolt.Create(filepath.Join(dir, "empty"), bolt.Options{})
	require.ErrorIs(t, err, fs.ErrExist)
	_, err = bolt.Create(filepath.Join(dir, "none", "store"), bolt.Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = bolt.Create(filepath.Join(dir, "new"), bolt.Options{ReadOnly: true})
	require.ErrorIs(t, err, bolt.ErrReadOnly)

	// A database of somebody else.
	other := filepath.Join(dir, "other")
	db, err := bbolt.Open(other, 0o600, &bbolt.Options{NoFreelistSync: true})
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err }))
	require.NoError(t, db.Close())
	_, err = bolt.Open(other, bolt.Options{})
	require.ErrorIs(t, err, bolt.ErrFormat)
}

// TestFolderReadOnly uses a folder in which nobody can make a file, root included.
func TestFolderReadOnly(t *testing.T) {
	t.Parallel()
	dir := "/proc/self"
	if _, err := os.Stat(dir); err != nil {
		dir = t.TempDir()
		require.NoError(t, os.Chmod(dir, 0o500))
	}
	_, err := bolt.Create(filepath.Join(dir, "store"), bolt.Options{})
	require.Error(t, err)
	_, err = bolt.Open(filepath.Join(dir, "store"), bolt.Options{})
	require.Error(t, err)
}

func TestLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store")
	s := create(t, path, bolt.Options{})
	for _, readOnly := range []bool{false, true} {
		_, err := bolt.Open(path, bolt.Options{Timeout: time.Millisecond, ReadOnly: readOnly})
		require.ErrorIs(t, err, bolt.ErrLocked)
	}
	require.Equal(t, replay.Fresh, claim(t, s, "m-1", noon))
	require.NoError(t, s.Close())

	r1 := open(t, path, bolt.Options{ReadOnly: true})
	r2 := open(t, path, bolt.Options{ReadOnly: true})
	_, err := bolt.Open(path, bolt.Options{Timeout: time.Millisecond})
	require.ErrorIs(t, err, bolt.ErrLocked)
	for _, r := range []*bolt.Store{r1, r2} {
		_, err := r.Claim(t.Context(), key("m-2"), content("c"), noon)
		require.ErrorIs(t, err, bolt.ErrReadOnly)
		require.ErrorIs(t, r.Settle(t.Context(), key("m-1"), content("c"), nil, noon), bolt.ErrReadOnly)
		_, err = r.Swap(t.Context(), "r", replay.Owner{}, 0, nil, noon, noon)
		require.ErrorIs(t, err, bolt.ErrReadOnly)
		_, err = r.List(t.Context(), "", 1, noon)
		require.NoError(t, err)
		require.NoError(t, r.Close())
	}
	s = open(t, path, bolt.Options{})
	require.Equal(t, replay.Running, claim(t, s, "m-1", noon))
}

// TestForgets lets many more messages pass than are kept.
func TestForgets(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store")
	s := create(t, path, bolt.Options{Limits: replay.Limits{Life: time.Second, Messages: 100, PerPeer: 20}})
	for i := range 1000 {
		k := key(strconv.Itoa(i))
		k.Peer = strconv.Itoa(i / 30)
		c, err := s.Claim(t.Context(), k, content("c"), noon.Add(time.Duration(i)*50*time.Millisecond))
		require.NoError(t, err)
		require.Equal(t, replay.Fresh, c.State)
	}
	require.NoError(t, s.Close())
	open(t, path, bolt.Options{})
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(1<<20))
}

// TestCloseUnderLoad closes a store while it is claimed from: each call has ended with
// what is on the disk, or with ErrClosed.
func TestCloseUnderLoad(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store")
	s := create(t, path, bolt.Options{})
	var fresh sync.Map
	var group sync.WaitGroup
	var claimed atomic.Int64
	for w := range 16 {
		group.Go(func() {
			for i := 0; ; i++ {
				m := strconv.Itoa(w) + "-" + strconv.Itoa(i)
				c, err := s.Claim(context.Background(), key(m), content("c"), noon)
				if err != nil {
					if err != replay.ErrClosed {
						t.Error(err)
					}
					return
				}
				if c.State == replay.Fresh {
					fresh.Store(m, true)
				}
				if claimed.Add(1) == 500 {
					group.Go(func() {
						if err := s.Close(); err != nil {
							t.Error(err)
						}
					})
				}
			}
		})
	}
	group.Wait()
	s = open(t, path, bolt.Options{})
	fresh.Range(func(m, _ any) bool {
		require.Equal(t, replay.Running, claim(t, s, m.(string), noon))
		return true
	})
}

func BenchmarkClaim(b *testing.B) {
	replaytest.BenchmarkClaim(b, func(t testing.TB, l replay.Limits) replay.Store {
		return create(t, filepath.Join(t.TempDir(), "store"), bolt.Options{Limits: l})
	})
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "store")
	s := create(b, path, bolt.Options{Limits: replay.Limits{PerPeer: 1 << 30}})
	var group sync.WaitGroup
	for w := range 512 {
		group.Go(func() {
			for i := range 200 {
				if _, err := s.Claim(context.Background(), key(strconv.Itoa(w)+"-"+strconv.Itoa(i)), content("c"), noon); err != nil {
					b.Error(err)
				}
			}
		})
	}
	group.Wait()
	require.NoError(b, s.Close())
	for b.Loop() {
		s, err := bolt.Open(path, bolt.Options{})
		require.NoError(b, err)
		require.NoError(b, s.Close())
	}
}
