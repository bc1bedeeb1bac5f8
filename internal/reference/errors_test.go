package reference_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/reference"
)

// root is the module's folder.
var root = filepath.Join("..", "..")

// page reads a page of docs.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

// TestErrors: the page is the one that the tables of codes make.
func TestErrors(t *testing.T) {
	t.Parallel()
	want, err := reference.Errors()
	require.NoError(t, err)
	require.Equal(t, string(want), page(t, "docs/errors.md"), "run go run ./internal/cmd/reference")
}
