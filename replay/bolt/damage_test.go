package bolt_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

// owners is how many owners the records of a filled store have.
const owners = 3

func owner(i int) replay.Owner {
	return replay.Owner{Local: "https://alice.example/agent", Peer: strconv.Itoa(i % owners)}
}

// filled makes a store with messages, answers and records, and returns its bytes.
func filled(t testing.TB, messages int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store")
	s := create(t, path, bolt.Options{})
	for i := range messages {
		m := "m-" + strconv.Itoa(i)
		require.Equal(t, replay.Fresh, claim(t, s, m, noon))
		if i%2 == 0 {
			require.NoError(t, s.Settle(t.Context(), key(m), content("c"), []byte("answer to "+m), noon))
		}
		if i%5 == 0 {
			ok, err := s.Swap(t.Context(), "r-"+m, owner(i), 0, []byte("value of "+m), noon.Add(time.Hour), noon)
			require.NoError(t, err)
			require.True(t, ok)
		}
	}
	require.NoError(t, s.Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// checkDamaged opens a damaged store: it must be refused, or else know everything
// that the undamaged one knew, and whom it counts for.
func checkDamaged(t *testing.T, path string, data []byte, messages int, what string) (refused bool) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, data, 0o600))
	s, err := bolt.Open(path, bolt.Options{Limits: replay.Limits{PeerRecords: messages / 5 / owners}})
	if err != nil {
		return true
	}
	defer s.Close()
	for i := range messages {
		m := "m-" + strconv.Itoa(i)
		c, err := s.Claim(t.Context(), key(m), content("c"), noon)
		if err != nil {
			return true
		}
		want := replay.Running
		if i%2 == 0 {
			want = replay.Answered
			require.Equal(t, "answer to "+m, string(c.Answer), what)
		}
		require.Equal(t, want, c.State, "%s: %s", what, m)
		if i%5 == 0 {
			r, ok, err := s.Load(t.Context(), "r-"+m, noon)
			if err != nil {
				return true
			}
			require.True(t, ok, what)
			require.Equal(t, "value of "+m, string(r.Value), what)
		}
	}
	for i := range owners {
		_, err := s.Swap(t.Context(), "another", owner(i), 0, []byte("v"), noon.Add(time.Hour), noon)
		require.Error(t, err, what)
		if !errors.Is(err, replay.ErrFull) {
			return true
		}
	}
	return false
}

// TestDamaged changes single bytes all over the file, cuts it, and moves, doubles and
// clears its pages.
func TestDamaged(t *testing.T) {
	t.Parallel()
	const messages, page = 120, 4096
	path := filepath.Join(t.TempDir(), "store")
	data := filled(t, messages)
	require.Greater(t, len(data), 4*page)
	require.False(t, checkDamaged(t, path, data, messages, "undamaged"))

	step, heads := 83, 2
	if testing.Short() {
		step, heads = 331, 7
	}
	refused, harmless := 0, 0
	count := func(no bool) {
		if no {
			refused++
		} else {
			harmless++
		}
	}
	for i := 0; i < len(data); i += step {
		bad := append([]byte{}, data...)
		bad[i] ^= byte(1 << (i % 8))
		count(checkDamaged(t, path, bad, messages, "byte "+strconv.Itoa(i)))
	}
	// Every byte of the heads of pages, which is where the tree hangs together.
	for p := 0; p < len(data); p += page {
		for i := 0; i < 96; i += heads {
			bad := append([]byte{}, data...)
			bad[p+i] ^= byte(1 << (i % 8))
			count(checkDamaged(t, path, bad, messages, "head of page "+strconv.Itoa(p/page)+", byte "+strconv.Itoa(i)))
		}
	}
	for n := 0; n < len(data); n += page / 2 {
		count(checkDamaged(t, path, data[:n], messages, "cut at "+strconv.Itoa(n)))
	}
	for p := 0; p < len(data); p += page {
		bad := append([]byte{}, data...)
		clear(bad[p : p+page])
		count(checkDamaged(t, path, bad, messages, "page cleared: "+strconv.Itoa(p/page)))
		for q := 0; q < len(data); q += page {
			bad := append([]byte{}, data...)
			copy(bad[p:p+page], data[q:q+page])
			count(checkDamaged(t, path, bad, messages, "page "+strconv.Itoa(q/page)+" over "+strconv.Itoa(p/page)))
		}
	}
	t.Logf("refused %d, without effect %d", refused, harmless)
	require.NotZero(t, refused)
}

// FuzzCheck reads any bytes as a store. It must not read beyond them, run for ever
// or panic; and bbolt, which trusts what it opens, must be able to use what passed.
func FuzzCheck(f *testing.F) {
	data := filled(f, 3)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := bolt.CheckBytes(data); err != nil {
			if !errors.Is(err, replay.ErrCorrupt) && !errors.Is(err, bolt.ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		path := filepath.Join(t.TempDir(), "store")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		s, err := bolt.Open(path, bolt.Options{})
		require.NoError(t, err)
		_, err = s.Claim(t.Context(), key("another"), content("c"), noon)
		require.NoError(t, err)
		require.NoError(t, s.Close())
	})
}

// FuzzDecode decodes any bytes as the values of a file: what can be read is what was
// written.
func FuzzDecode(f *testing.F) {
	long := strings.Repeat("k", 64)
	f.Add([]byte(long), []byte(strings.Repeat("v", 40)+"\x00"))
	f.Add([]byte(long), []byte(strings.Repeat("v", 40)+"\x01answer"))
	f.Add([]byte("rname"), []byte("version expires value"))
	f.Add([]byte(long[:32]), []byte("\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte{}, append([]byte{0, 0, 0, 1}, make([]byte, 40)...))
	f.Fuzz(func(_ *testing.T, key, value []byte) { bolt.DecodeAll(key, value) })
}
