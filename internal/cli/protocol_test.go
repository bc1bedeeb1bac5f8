package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// TestProtocolFetch fetches Protocol Documents from a host of the test: the pin is
// compared before anything is written, and what is written has the pin.
func TestProtocolFetch(t *testing.T) {
	t.Parallel()
	const (
		pin   = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
		other = "sha256:838fb80a4235e1d38a3e44162d644047c30b5c86c945d01144358e2ebc8e7cba"
		site  = "https://pod.example.com"
	)
	good, err := os.ReadFile(filepath.Join("..", "..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	h := newHost(t)
	h.pages["/good"] = "# \x1b[31m a comment that no pin covers\n" + string(good)
	h.pages["/tampered"] = strings.Replace(string(good), `"1.0.0"`, `"1.0.1"`, 1)
	h.pages["/truncated"] = "# x\n" + string(good[:len(good)/2])
	h.pages["/text"] = string(good[1:])
	for _, row := range []struct {
		name   string
		args   []string
		status cli.Status
		stderr string
	}{
		{"verified", []string{"--pin", pin, site + "/good"}, cli.StatusYes, ""},
		{"another pin", []string{"--pin", other, site + "/good"}, cli.StatusNo, "the document has the pin " + pin},
		{"tampered with", []string{"--pin", pin, site + "/tampered"}, cli.StatusNo, "[protocol-hash-mismatch]"},
		{"truncated", []string{"--pin", pin, site + "/truncated"}, cli.StatusRefused, "pod.example.com/truncated:"},
		{"no document there", []string{"--pin", pin, site + "/missing"}, cli.StatusCall, "[FETCH_STATUS]"},
		{"another media type", []string{"--pin", pin, site + "/text"}, cli.StatusCall, "[FETCH_MEDIA_TYPE]"},
		{"plain http", []string{"--pin", pin, "http://pod.example.com/good"}, cli.StatusCall, "[FETCH_NOT_HTTPS]"},
		{"an address of this machine", []string{"--pin", pin, "https://127.0.0.1/good"}, cli.StatusCall, "[FETCH_BLOCKED_ADDRESS]"},
		{"no pin", []string{site + "/good"}, cli.StatusCall, "--pin is missing"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := h.call(t, append([]string{"protocol", "fetch"}, row.args...)...)
			require.Equal(t, row.status, r.status, r.stderr)
			require.Contains(t, r.stderr, row.stderr)
			if row.status != cli.StatusYes {
				require.Empty(t, r.out)
				return
			}
			require.Empty(t, r.stderr)
			require.NotContains(t, r.out, "\x1b", "what the pin does not cover is not shown")
			again := call(t, r.out, "protocol", "verify", "--pin", pin, "-")
			require.Equal(t, cli.StatusYes, again.status, again.stderr)
		})
	}
}
