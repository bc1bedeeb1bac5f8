//go:build unix

package bolt_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

// TestGone takes the file from under a store: what was claimed would not be known after
// a restart, so nothing is claimed any more.
func TestGone(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(t *testing.T, path string){
		"removed": func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) },
		"moved":   func(t *testing.T, path string) { require.NoError(t, os.Rename(path, path+".bak")) },
		"its folder moved": func(t *testing.T, path string) {
			require.NoError(t, os.Rename(filepath.Dir(path), filepath.Dir(path)+".bak"))
		},
		"a copy in its place": func(t *testing.T, path string) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path+".new", data, 0o600))
			require.NoError(t, os.Rename(path+".new", path))
		},
		"a link to a copy in its place": func(t *testing.T, path string) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path+".new", data, 0o600))
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Symlink(path+".new", path))
		},
		"a link to itself in its place": func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Symlink(path, path))
		},
		"a folder in its place": func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o700))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "folder")
			require.NoError(t, os.Mkdir(dir, 0o700))
			path := filepath.Join(dir, "store")
			s := create(t, path, bolt.Options{})
			require.Equal(t, replay.Fresh, claim(t, s, "m-1", noon))
			take(t, path)
			got, err := s.Claim(t.Context(), key("m-2"), content("c"), noon)
			require.ErrorIs(t, err, bolt.ErrGone)
			require.Zero(t, got)
			_, _, err = s.Load(t.Context(), "r", noon)
			require.ErrorIs(t, err, bolt.ErrGone, "nothing that it says counts any more")
			require.ErrorIs(t, s.Settle(t.Context(), key("m-1"), content("c"), nil, noon), bolt.ErrGone)
			require.NoError(t, s.Close())
		})
	}
}
