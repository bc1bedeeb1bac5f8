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

// exampleFiles are files of the names that the examples of a group of commands use: those
// that groups agree on, and the group's own.
func exampleFiles(t *testing.T, group string) map[string]string {
	t.Helper()
	read := func(names ...string) string {
		data, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "testdata"}, names...)...))
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
	}
	switch group {
	case "card":
		maps.Copy(files, cardFiles(t, ""))
	case "terms":
		for _, name := range []string{"template.json", "owner.seed", "quote.json", "offers.json", "jwks.json"} {
			files[name] = read("terms", name)
		}
	case "owg":
		maps.Copy(files, owgFiles(t))
	case "odrl", "delegation", "vc", "authz", "handshake", "vectors", "message":
		maps.Copy(files, scriptFiles(t, group))
	case "agreements":
		a := anAgreement("https://b.example/", "ctx-1")
		a.Scope.Local = "https://a.example/"
		store, err := os.ReadFile(agreementFile(t, a))
		require.NoError(t, err)
		files["agent.db"] = string(store)
	}
	return files
}

// TestHelpExamples runs the examples of every command's help on files of the names that
// they use.
func TestHelpExamples(t *testing.T) {
	t.Parallel()
	notRun := map[string]string{
		"protocol fetch": "it needs a network", "protocol build": "the script protocol does",
		"vc sign": "the script vc does", "vc present": "likewise", "vc keygen": "likewise", "vc verify": "likewise", "vc status": "likewise",
		"vc status-list": "likewise", "vc status-list new": "likewise", "vc status-list set": "likewise",
		"authz check": "the script authz does", "authz audit": "likewise",
	}
	eachHelp(t, func(path []string, help result) {
		name := strings.Join(path, " ")
		if _, ok := notRun[name]; ok {
			delete(notRun, name)
			return
		}
		_, examples, _ := strings.Cut(help.out, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		examples = strings.NewReplacer("\\\n", "", "sha256:...", anAgreement("", "").Pin.String()).Replace(examples)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range exampleFiles(t, strings.Join(path[:min(1, len(path))], "")) {
				file = filepath.Join(dir, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			for _, line := range strings.Split(strings.TrimSpace(examples), "\n") {
				if strings.Contains(line, "domain:") || strings.Contains(line, "--online") {
					continue // it needs a network
				}
				cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s\n%s", line, out)
			}
		})
	})
	require.Empty(t, notRun, "no such command")
}
