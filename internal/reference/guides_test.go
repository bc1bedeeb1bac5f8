package reference_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/markdown"
)

// installed stands for the go command in a shell: go install copies the program of this
// module that the page asks for, since the published one is another.
const installed = `#!/bin/sh
set -eu
program=${2#github.com/rdfproto/rdfproto/examples/tutorial/}
test "$1" = install -a "$program" != "$2"
cp "$BUILT/${program%@latest}" "$GOBIN/"
`

// programs are what pages tell a reader to run, built once for all tests: a folder with
// the commands of this module, and one with the programs of the tutorial.
type programs struct{ commands, tutorial string }

var built struct {
	sync.Once
	programs

	out []byte
	err error
}

// build returns the programs.
func build(t *testing.T) programs {
	t.Helper()
	built.Do(func() {
		for _, of := range []struct {
			folder   *string
			packages []string
		}{
			{&built.commands, []string{"./cmd/rdfproto", "./cmd/rdfprotod"}},
			{&built.tutorial, []string{"./examples/tutorial/pair", "./examples/tutorial/agent"}},
		} {
			if *of.folder, built.err = os.MkdirTemp("", "reference"); built.err != nil {
				return
			}
			cmd := exec.Command("go", append([]string{"build", "-o", *of.folder + string(filepath.Separator)}, of.packages...)...)
			cmd.Dir = root
			if built.out, built.err = cmd.CombinedOutput(); built.err != nil {
				return
			}
		}
		built.err = os.WriteFile(filepath.Join(built.commands, "go"), []byte(installed), 0o700)
	})
	require.NoError(t, built.err, "%s", built.out)
	return built.programs
}

// TestMain removes what was built.
func TestMain(m *testing.M) {
	status := m.Run()
	for _, dir := range []string{built.commands, built.tutorial} {
		if dir != "" {
			_ = os.RemoveAll(dir)
		}
	}
	os.Exit(status)
}

// follow does what a page tells a reader to do, in order and in an empty folder, and
// looks for every line that it says is printed.
func follow(t *testing.T, text string) {
	t.Helper()
	p := build(t)
	const end = "trap 'test -z \"${AGENT-}\" || kill $AGENT 2>/dev/null || true' EXIT\n" // what the tutorial leaves running
	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", end+strings.Join(markdown.Texts(text, "sh"), ""))
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "BUILT="+p.tutorial, "PATH="+p.commands+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	printed := strings.Split(string(out), "\n")
	shown := strings.Split(strings.TrimSpace(strings.Join(markdown.Texts(text, "text"), "")), "\n")
	require.Greater(t, len(shown), 10)
	for _, want := range shown {
		found := false
		for _, line := range printed {
			found = found || markdown.Like(line, want)
		}
		require.True(t, found, "%q is not in\n%s", want, out)
	}
}

// TestTutorial follows docs/tutorial.md. The program that it shows is the one that it
// runs.
func TestTutorial(t *testing.T) {
	t.Parallel()
	tutorial := page(t, "docs/tutorial.md")
	shown := markdown.Texts(tutorial, "go")
	require.Len(t, shown, 1)
	require.Equal(t, page(t, "examples/tutorial/pair/main.go"), shown[0])
	follow(t, tutorial)
}

// TestAuthorityGuide follows docs/authority.md.
func TestAuthorityGuide(t *testing.T) {
	t.Parallel()
	follow(t, page(t, "docs/authority.md"))
}
