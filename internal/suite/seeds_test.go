package suite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
)

// fatal records that a test would have failed.
type fatal struct{ testing.TB }

func (fatal) Helper()               {}
func (fatal) Fatalf(string, ...any) { panic(fatal{}) }

func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(suite.Variable, dir)
	for name, size := range map[string]int{"small.ttl": 10, "large.ttl": 5 << 10, "large.nq": 5 << 10} {
		file := filepath.Join(dir, "s", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, bytes.Repeat([]byte("x"), size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if seeds := suite.Seeds(t, "s", "*.ttl"); len(seeds) != 1 || len(seeds[0]) != 10 {
		t.Errorf("%d seeds", len(seeds))
	}
	for _, pattern := range []string{"*.nq", "*.none"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s finds nothing and does not fail", pattern)
				}
			}()
			suite.Seeds(fatal{t}, "s", pattern)
		}()
	}
}
