package reference_test

import (
	"errors"
	"net/url"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/markdown"
)

// run runs a command line of a page at the root of the repository, and returns what it
// printed with its exit status. A program other than rdfproto is not known.
func run(t *testing.T, line string) (out []byte, status int) {
	t.Helper()
	args, ok := strings.CutPrefix(strings.TrimPrefix(line, "go run ./cmd/"), "rdfproto ")
	require.True(t, ok, "a command that this test does not know: %s", line)
	cmd := exec.CommandContext(t.Context(), filepath.Join(build(t).commands, "rdfproto"), strings.Fields(args)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err, line)
	}
	return out, cmd.ProcessState.ExitCode()
}

// TestConsole: what pages show of a terminal is what the commands print.
func TestConsole(t *testing.T) {
	t.Parallel()
	ran := 0
	for name, text := range pages(t) {
		for _, console := range markdown.Texts(text, "console") {
			for _, part := range strings.Split("\n"+console, "\n$ ")[1:] {
				line, want, _ := strings.Cut(part+"\n", "\n")
				out, _ := run(t, line) // its status is part of what it prints here
				require.Equal(t, strings.TrimSpace(want), strings.TrimSpace(string(out)), "%s: %s", name, line)
				ran++
			}
		}
	}
	require.NotZero(t, ran)
}

// TestPageCommands runs what pages tell a reader to run at the root of the repository.
func TestPageCommands(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		page   string
		least  int      // commands
		refuse string   // what is in a command that ends with a no
		others []string // commands that other tests run, or that need a network
	}{
		{page: "README.md", least: 2, others: []string{
			"go test ./...", // what runs this
			"go run ./examples/grant-agent", "go run ./examples/client", "go run ./examples/embedded",
			"go install github.com/rdfproto/rdfproto/cmd/rdfproto@latest",
			"go run ./internal/cmd/buildweb -http localhost:8080", // .ci/run builds it, internal/page tests it
		}},
		{page: "docs/owg.md", least: 9, refuse: "widened"},
		{page: "docs/signed-cards.md", least: 3},
		{page: "docs/terms.md", least: 5},
	} {
		t.Run(row.page, func(t *testing.T) {
			t.Parallel()
			ran := 0
			for _, line := range markdown.Commands(page(t, row.page)) {
				if slices.Contains(row.others, line) {
					continue
				}
				want := 0
				if row.refuse != "" && strings.Contains(line, row.refuse) {
					want = 1
				}
				out, status := run(t, line)
				require.Equal(t, want, status, "%s\n%s", line, out)
				ran++
			}
			require.GreaterOrEqual(t, ran, row.least)
		})
	}
}

// commandTests are the pages whose shell blocks a test runs, with the test.
var commandTests = map[string]string{
	"README.md":            "internal/reference.TestPageCommands",
	"docs/authority.md":    "internal/reference.TestAuthorityGuide",
	"docs/owg.md":          "internal/reference.TestPageCommands",
	"docs/service.md":      "internal/service.TestPageCommands",
	"docs/signed-cards.md": "internal/reference.TestPageCommands",
	"docs/terms.md":        "internal/reference.TestPageCommands",
	"docs/tutorial.md":     "internal/reference.TestTutorial",
	// What these say to run is what .ci/run runs, or needs the suites.
	"CONTRIBUTING.md":     "",
	"SECURITY.md":         "",
	"docs/conformance.md": "",
}

// TestCommandsAreRun: a page with shell commands has a test that runs them.
func TestCommandsAreRun(t *testing.T) {
	t.Parallel()
	for name, text := range pages(t) {
		if !strings.Contains(text, "\n```sh") {
			continue
		}
		test, ok := commandTests[name]
		require.True(t, ok, "%s has commands that no test runs", name)
		if test == "" {
			continue
		}
		dir, function, _ := strings.Cut(test, ".")
		require.Contains(t, tests(t, dir).functions, function, name)
	}
}

// TestLinks: every link of a page to a file of the repository leads somewhere, with its
// heading.
func TestLinks(t *testing.T) {
	t.Parallel()
	all, links := pages(t), 0
	for name, text := range all {
		for _, link := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(text, -1) {
			u, err := url.Parse(link[1])
			require.NoError(t, err)
			if u.Scheme != "" {
				continue
			}
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			require.FileExists(t, filepath.Join(root, filepath.FromSlash(target)), "%s links to %s", name, link[1])
			if u.Fragment != "" {
				require.Contains(t, headings(all[target]), u.Fragment, "%s links to %s", name, link[1])
			}
			links++
		}
	}
	require.Greater(t, links, 40)
}

// headings returns the anchors that GitHub gives the headings of a page.
func headings(text string) map[string]bool {
	all := map[string]bool{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		anchor := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(h[1]), "")
		all[strings.ReplaceAll(anchor, " ", "-")] = true
	}
	return all
}
