package cli_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// scriptFiles returns the files of a script.
func scriptFiles(t *testing.T, name string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "script", name+".txtar"))
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	require.NotEmpty(t, files)
	return files
}

// TestHelpExamples runs the examples of every command's help on files of the
// names that they use.
func TestHelpExamples(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", name))
		require.NoError(t, err)
		return string(data)
	}
	files := map[string]string{
		"protocol.ttl": read("grant-access.ttl"),
		"intent.ttl":   read("intent.ttl"),
		"message":      "{ <urn:s> <urn:p> 1 }",
		"a.ttl":        "<urn:s> <urn:p> 1 .",
		"b.nq":         "<urn:s> <urn:p> <urn:o> .\n",
		"deep.ttl":     "<urn:s> <urn:p> [ <urn:p> 1 ] .",
		"quote.json":   read("terms/quote.json"),
		"offers.json":  read("terms/offers.json"),
	}
	maps.Copy(files, cardFiles(t, ""))
	maps.Copy(files, owgFiles(t))
	maps.Copy(files, scriptFiles(t, "odrl"))
	maps.Copy(files, scriptFiles(t, "delegation"))
	maps.Copy(files, scriptFiles(t, "vc"))
	maps.Copy(files, scriptFiles(t, "authz"))
	maps.Copy(files, scriptFiles(t, "handshake"))
	maps.Copy(files, scriptFiles(t, "vectors"))
	for _, name := range []string{"message.json", "agent.json", "agent-card.json"} {
		files[name] = scriptFiles(t, "message")[name]
	}
	agent, err := os.ReadFile(agreementFile(t, anAgreement("https://b.example/", "ctx-1")))
	require.NoError(t, err)
	files["agent.db"] = string(agent)
	for _, name := range commands(call(t, "", "--help").out) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range files {
				file = filepath.Join(dir, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			_, examples, _ := strings.Cut(call(t, "", name, "--help").out, "\nExamples:\n")
			examples, _, _ = strings.Cut(examples, "\n\n")
			require.NotEmpty(t, examples)
			for line := range strings.Lines(examples) {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s%s", line, out)
			}
		})
	}
}
