package reference_test

import (
	"net/url"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConsole: what pages show of a terminal is what the commands print.
func TestConsole(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	build(t, bin, "./cmd/rdfproto")
	ran := 0
	for name, text := range pages(t) {
		for _, console := range blocks(text, "console") {
			for _, part := range strings.Split("\n"+console, "\n$ ")[1:] {
				line, want, _ := strings.Cut(part+"\n", "\n")
				args, ok := strings.CutPrefix(line, "rdfproto ")
				require.True(t, ok, "%s: a command that this test does not know: %s", name, line)
				cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "rdfproto"), strings.Fields(args)...)
				cmd.Dir = root
				out, _ := cmd.CombinedOutput() // its status is part of what it prints here
				require.Equal(t, strings.TrimSpace(want), strings.TrimSpace(string(out)), "%s: %s", name, line)
				ran++
			}
		}
	}
	require.NotZero(t, ran)
}

// TestSignedCardsPage runs what docs/signed-cards.md tells a reader to run.
func TestSignedCardsPage(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	build(t, bin, "./cmd/rdfproto")
	commands := blocks(page(t, "docs/signed-cards.md"), "sh")
	require.Len(t, commands, 1)
	for _, line := range strings.Split(strings.TrimSpace(commands[0]), "\n") {
		args, ok := strings.CutPrefix(line, "rdfproto ")
		require.True(t, ok, line)
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "rdfproto"), strings.Fields(args)...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", line, out)
	}
}

// commandTests are the pages whose shell blocks a test runs, with the test.
var commandTests = map[string]string{
	"README.md":            "internal/cli.TestReadmeCommands",
	"docs/authority.md":    "internal/cli.TestAuthorityGuide",
	"docs/owg.md":          "internal/cli.TestOWGPage",
	"docs/service.md":      "internal/service.TestPageCommands",
	"docs/signed-cards.md": "internal/reference.TestSignedCardsPage",
	"docs/terms.md":        "internal/cli.TestTermsPage",
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
