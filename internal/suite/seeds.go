package suite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Seeds returns the files of a suite that match any of some patterns relative to
// it, for fuzzing to begin with; those of more than 4 KiB, which mutation does
// little to, are left out. Without suites there are none. With suites a pattern
// that matches nothing fails t: seeds that silently went missing are missed by
// nobody.
func Seeds(t testing.TB, name string, patterns ...string) [][]byte {
	t.Helper()
	if os.Getenv(Variable) == "" {
		if _, err := os.Stat(filepath.Join(moduleRoot(t), "..", "shared", "suites")); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	const largest = 4 << 10
	dir := Dir(t, name)
	var seeds [][]byte
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, file := range files {
			if data := ReadFile(t, file); len(data) <= largest {
				seeds = append(seeds, data)
				found++
			}
		}
		if found == 0 {
			t.Fatalf("suite %s: no seed matches %s", name, pattern)
		}
	}
	return seeds
}
