package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// TestLongFindings: of findings about a long term as many are shown as anyone reads, and the
// verdict counts all of them.
func TestLongFindings(t *testing.T) {
	t.Parallel()
	const n = 400
	file := filepath.Join(t.TempDir(), "policy.ttl")
	text := "PREFIX odrl: <http://www.w3.org/ns/odrl/2/>\nPREFIX long: <urn:" + strings.Repeat("x", 60_000) + ">\n<urn:p> a odrl:Set ; odrl:permission " +
		strings.TrimSuffix(strings.Repeat("[ odrl:action long: ; odrl:target <urn:t> ] , ", n), " , ") + " .\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	r := call(t, "", "odrl", "lint", "--json", file)
	require.Equal(t, cli.StatusNo, r.status, r.stderr)
	require.Less(t, len(r.out), 20<<20)
	var out struct {
		Message  string
		Findings []json.RawMessage
		Omitted  int
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &out))
	require.Contains(t, out.Message, "400 terms will deny")
	require.NotZero(t, out.Omitted)
	all := call(t, "", "odrl", "lint", file)
	require.Equal(t, strings.Count(all.out, "\n")-1, len(out.Findings)+out.Omitted)
}
