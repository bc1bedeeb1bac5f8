package reference_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// blocks returns the fenced blocks of a kind of a page.
func blocks(markdown, kind string) []string {
	var out []string
	for _, part := range strings.Split(markdown, "\n```"+kind+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		out = append(out, block+"\n")
	}
	return out
}

// like reports whether a line is as a pattern says, in which "..." stands for anything.
func like(line, pattern string) bool {
	parts := strings.Split(pattern, "...")
	if len(parts) == 1 {
		return line == pattern
	}
	rest, ok := strings.CutPrefix(line, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		if ok {
			_, rest, ok = strings.Cut(rest, part)
		}
	}
	return ok && strings.HasSuffix(rest, parts[len(parts)-1])
}

// build builds commands of this module into a folder.
func build(t *testing.T, dir string, commands ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"build", "-o", dir + string(filepath.Separator)}, commands...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// installed stands for the go command in a shell: go install copies the program of this
// module that the page asks for, since the published one is another.
const installed = `#!/bin/sh
set -eu
program=${2#github.com/rdfproto/rdfproto/examples/tutorial/}
test "$1" = install -a "$program" != "$2"
cp "$BUILT/${program%@latest}" "$GOBIN/"
`

// TestTutorial does what docs/tutorial.md tells a reader to do, in order and in an empty
// folder, and looks for every line that it says is printed. The program that it shows is
// the one that it runs.
func TestTutorial(t *testing.T) {
	t.Parallel()
	tutorial := page(t, "docs/tutorial.md")
	programs := blocks(tutorial, "go")
	require.Len(t, programs, 1)
	require.Equal(t, page(t, "examples/tutorial/pair/main.go"), programs[0])

	built, bin := t.TempDir(), t.TempDir()
	build(t, built, "./examples/tutorial/pair", "./examples/tutorial/agent")
	build(t, bin, "./cmd/rdfproto", "./cmd/rdfprotod")
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(installed), 0o700))

	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", "trap 'test -z \"${AGENT-}\" || kill $AGENT 2>/dev/null || true' EXIT\n"+strings.Join(blocks(tutorial, "sh"), ""))
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "BUILT="+built, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	lines := strings.Split(string(out), "\n")
	texts := strings.Split(strings.TrimSpace(strings.Join(blocks(tutorial, "text"), "")), "\n")
	require.Greater(t, len(texts), 20)
	for _, want := range texts {
		found := false
		for _, line := range lines {
			found = found || like(line, want)
		}
		require.True(t, found, "%q is not in\n%s", want, out)
	}
}
