package cli_test

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// owgFiles returns the files of the package owg for its tests.
func owgFiles(t *testing.T) map[string]string {
	t.Helper()
	dir := filepath.Join("..", "..", "owg", "testdata")
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range all {
		if f.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		files[f.Name()] = string(text)
	}
	require.NotEmpty(t, files)
	return files
}

// TestOWGPictures: every drawing of the test data is well-formed.
func TestOWGPictures(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "owg", "testdata")
	for _, args := range [][]string{
		{"season.json", "dub_ep1"}, {"book-to-press.json", "confirmation"}, {"--lineage", "book-to-press.json", "confirmation"}, {"--lineage", "season.json", "dub_ep1"}, {"season.json", "no such <asset>"},
	} {
		file := len(args) - 2
		args[file] = filepath.Join(dir, args[file])
		svg := call(t, "", append([]string{"owg", "trace", "--svg"}, args...)...)
		require.Empty(t, svg.stderr)
		for d := xml.NewDecoder(strings.NewReader(svg.out)); ; {
			_, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, svg.out)
		}
		dot := call(t, "", append([]string{"owg", "trace", "--dot"}, args...)...)
		require.Equal(t, svg.status, dot.status)
		require.True(t, strings.HasPrefix(dot.out, "digraph "))
	}
}
