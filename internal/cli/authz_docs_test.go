package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAuthorityGuide runs what docs/authority.md tells a reader to run, in order and in an
// empty folder, and looks for what it says that is printed: every line of its text blocks,
// where "..." stands for anything.
func TestAuthorityGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "authority.md"))
	require.NoError(t, err)
	script, texts := blocks(string(guide), "sh"), blocks(string(guide), "text")
	require.NotEmpty(t, script)
	require.NotEmpty(t, texts)
	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", strings.Join(script, ""))
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, want := range strings.Split(strings.TrimSpace(strings.Join(texts, "")), "\n") {
		found := false
		for line := range strings.Lines(string(out)) {
			found = found || like(strings.TrimSuffix(line, "\n"), want)
		}
		require.True(t, found, "%s\nis not in\n%s", want, out)
	}
}

// blocks returns the fenced blocks of a kind of a Markdown text.
func blocks(markdown, kind string) []string {
	var out []string
	for _, part := range strings.Split(markdown, "\n```"+kind+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		out = append(out, block+"\n")
	}
	return out
}

// like reports whether a line is as a pattern says.
func like(line, pattern string) bool {
	parts := strings.Split(pattern, "...")
	for i, p := range parts {
		at := strings.Index(line, p)
		if at < 0 || i == 0 && at > 0 || i == len(parts)-1 && i > 0 && !strings.HasSuffix(line, p) {
			return false
		}
		line = line[at+len(p):]
		if i == len(parts)-1 && i > 0 {
			line = ""
		}
	}
	return line == ""
}
