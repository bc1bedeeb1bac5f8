package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// TestConvertPrefixes: JSON-LD has a context of the prefixes as far as they are not too many,
// and is the same dataset either way.
func TestConvertPrefixes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		prefixes int
		context  bool
	}{{1, true}, {256, true}, {257, false}} {
		var text strings.Builder
		for i := range row.prefixes {
			fmt.Fprintf(&text, "@prefix p%d: <http://e/%[1]d/> . p%[1]d:s p%[1]d:p p%[1]d:o .\n", i)
		}
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in.ttl"), filepath.Join(dir, "out.jsonld")
		require.NoError(t, os.WriteFile(in, []byte(text.String()), 0o600))
		r := call(t, "", "convert", "--to", "jsonld", in)
		require.Equal(t, cli.StatusYes, r.status, r.stderr)
		require.Equal(t, row.context, strings.Contains(r.out, `"@context"`), row.prefixes)
		require.NoError(t, os.WriteFile(out, []byte(r.out), 0o600))
		require.Equal(t, call(t, "", "hash", in).out, call(t, "", "hash", out).out)
	}
}
