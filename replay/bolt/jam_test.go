//go:build unix

package bolt_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

// TestJammed changes a file under a store that is in use: every call ends, and so does
// Close. bbolt keeps its locks when it panics while a transaction begins or ends, and
// whoever is in it then stays: the test is a process of its own, which may leave them.
func TestJammed(t *testing.T) {
	t.Parallel()
	if os.Getenv(childEnv) != leavesEnv {
		out, err := childCommand(t, leavesEnv, "-test.run=^TestJammed$").CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	const page = 4096
	data := filled(t, 40)
	whole := func(f *os.File, b byte) error {
		all := make([]byte, len(data))
		for i := range all {
			all[i] = b
		}
		_, err := f.WriteAt(all, 0)
		return err
	}
	rows := map[string]func(f *os.File) error{
		"emptied":           func(f *os.File) error { return f.Truncate(0) },
		"cleared":           func(f *os.File) error { return whole(f, 0) },
		"overwritten":       func(f *os.File) error { return whole(f, 0xa5) },
		"its heads cleared": func(f *os.File) error { _, err := f.WriteAt(make([]byte, 2*page), 0); return err },
		"its heads alone":   func(f *os.File) error { return f.Truncate(2 * page) },
	}
	for p := 2; p < len(data)/page; p++ {
		rows["page "+strconv.Itoa(p)+" cleared"] = func(f *os.File) error { _, err := f.WriteAt(make([]byte, page), int64(p*page)); return err }
		rows["cut at page "+strconv.Itoa(p)] = func(f *os.File) error { return f.Truncate(int64(p * page)) }
	}
	for name, damage := range rows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "store")
			require.NoError(t, os.WriteFile(path, data, 0o600))
			s, err := bolt.Open(path, bolt.Options{})
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			// Readers and writers are under way when it happens.
			var group sync.WaitGroup
			begun := make(chan struct{}, 8)
			for w := range 8 {
				group.Go(func() {
					for i := 0; ; i++ {
						var err error
						if w%2 == 0 {
							_, err = s.Claim(ctx, key(strconv.Itoa(w)+"-"+strconv.Itoa(i)), content("c"), noon)
						} else {
							_, _, err = s.Load(ctx, "r-m-5", noon)
						}
						if i == 3 || err != nil && i < 3 {
							begun <- struct{}{}
						}
						if err != nil {
							return
						}
					}
				})
			}
			for range 8 {
				<-begun
			}
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			require.NoError(t, err)
			require.NoError(t, damage(f))
			require.NoError(t, f.Close())
			closed := make(chan error, 1)
			time.AfterFunc(20*time.Millisecond, func() { closed <- s.Close() }) // damage need not show
			group.Wait()
			require.NoError(t, ctx.Err(), "a call waited for ever")
			err = <-closed
			if err != nil {
				require.ErrorIs(t, err, replay.ErrCorrupt)
			}
			again, failed := bolt.Open(path, bolt.Options{Timeout: time.Millisecond})
			require.True(t, err != nil || !errors.Is(failed, bolt.ErrLocked), "what was closed is not locked")
			if failed == nil {
				require.NoError(t, again.Close())
			}
		})
	}
}
