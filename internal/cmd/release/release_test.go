package main_test

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/service"
)

// checkout clones the commit of this tree into a folder of a name.
func checkout(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", "--no-tags", filepath.Join("..", "..", ".."), dir).CombinedOutput()
	require.NoError(t, err, string(out))
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return strings.TrimSpace(string(out))
}

func buildRelease(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{filepath.Join(dir, "release", "build.sh")}, args...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestSameBytes builds a target from two checkouts, one of which has a change that is not
// committed, and compares all files.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		return // it compiles everything for a release
	}
	const version = "v0.0.0-try"
	first := checkout(t, "a")
	second := filepath.Join(t.TempDir(), "another", "path")
	out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", first, second).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.WriteFile(filepath.Join(second, "README.md"), []byte("changed"), 0o600))

	one, two := t.TempDir(), t.TempDir()
	text, err := buildRelease(t, first, version, one, "linux/amd64")
	require.NoError(t, err, text)
	text, err = buildRelease(t, second, version, two, "linux/amd64")
	require.NoError(t, err, text)
	files, err := os.ReadDir(one)
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, f := range files {
		a, err := os.ReadFile(filepath.Join(one, f.Name()))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(two, f.Name()))
		require.NoError(t, err)
		require.Equal(t, sha256.Sum256(a), sha256.Sum256(b), f.Name())
	}

	const name = "rdfproto_0.0.0-try_linux_amd64"
	released := commitTime(t, first)
	contents := unpack(t, filepath.Join(one, name+".tar.gz"), released)
	for _, file := range append(manualPages(), "rdfproto", "rdfprotod", "LICENSE", "README.md", "docs/errors.md", "docs/growth.svg", "THIRD-PARTY-LICENSES.txt",
		"completions/bash/rdfproto", "completions/zsh/_rdfprotod", "completions/fish/rdfproto.fish") {
		require.NotEmpty(t, contents[name+"/"+file], file)
	}
	require.NotEqual(t, "changed", string(contents[name+"/README.md"]))
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		program := filepath.Join(t.TempDir(), "rdfproto")
		require.NoError(t, os.WriteFile(program, contents[name+"/rdfproto"], 0o700))
		out, err := exec.CommandContext(t.Context(), program, "version").Output()
		require.NoError(t, err)
		require.Contains(t, string(out), "rdfproto "+version+" "+git(t, first, "rev-parse", "HEAD")+" go")
	}
	requireSums(t, one)
	requireBill(t, filepath.Join(one, name+".cdx.json"), contents[name+"/rdfproto"])
}

func commitTime(t *testing.T, dir string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, git(t, dir, "log", "-1", "--format=%cI"))
	require.NoError(t, err)
	return at.UTC()
}

// unpack returns the files of an archive, each of which must have one time.
func unpack(t *testing.T, archive string, at time.Time) map[string][]byte {
	t.Helper()
	f, err := os.Open(archive)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	contents := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return contents
		}
		require.NoError(t, err)
		require.Equal(t, at, h.ModTime.UTC(), h.Name)
		contents[h.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
}

// manualPages are the pages that the commands of both programs must have.
func manualPages() []string {
	var pages []string
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		pages = append(pages, "man/man1/"+strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(cli.Tree())
	visit(service.Tree())
	return pages
}

func requireSums(t *testing.T, dir string) {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(sums)) {
		sum, file, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		require.True(t, ok)
		data, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(data)), sum)
		n++
	}
	require.Equal(t, 2, n)
}

func requireBill(t *testing.T, file string, program []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var bill struct {
		Format     string `json:"bomFormat"`
		Components []struct {
			Ref    string `json:"bom-ref"`
			Name   string
			Hashes []struct{ Content string }
		}
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	require.NoError(t, json.Unmarshal(text, &bill))
	require.Equal(t, "CycloneDX", bill.Format)
	refs := map[string]bool{}
	for _, c := range bill.Components {
		require.False(t, refs[c.Ref], "twice: %s", c.Ref)
		refs[c.Ref] = true
		if c.Name == "rdfproto" {
			require.Equal(t, fmt.Sprintf("%x", sha256.Sum256(program)), c.Hashes[0].Content)
		}
	}
	for _, d := range bill.Dependencies {
		for _, ref := range d.DependsOn {
			require.True(t, refs[ref], ref)
		}
		// What the service alone links is no part of the small program.
		if d.Ref == "program:rdfproto" {
			require.False(t, slices.ContainsFunc(d.DependsOn, func(ref string) bool { return strings.Contains(ref, "google.golang.org/grpc") }))
		}
	}
	require.True(t, slices.ContainsFunc(bill.Components, func(c struct {
		Ref    string `json:"bom-ref"`
		Name   string
		Hashes []struct{ Content string }
	}) bool {
		return c.Name == "std"
	}))
}

// TestRefusedReleases asks for releases that must not be made.
func TestRefusedReleases(t *testing.T) {
	t.Parallel()
	dir := checkout(t, "a")
	git(t, dir, "tag", "v9.0.0")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "later")
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "file"), nil, 0o600))
	for _, row := range []struct {
		name string
		args []string
		text string
	}{
		{"no folder", []string{"v1.0.0"}, "usage:"},
		{"no version", []string{"1.0", t.TempDir()}, "expected a version"},
		{"a version that is not tagged", []string{"v1.0.0", t.TempDir()}, "does not have the tag"},
		{"a tag of another commit", []string{"v9.0.0", t.TempDir()}, "is the tag of another commit"},
		{"an unknown target", []string{"v0.0.0-try", t.TempDir(), "plan9/mips"}, "unknown target"},
		{"a folder that is not empty", []string{"v0.0.0-try", full, "linux/amd64"}, "is not empty"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			out, err := buildRelease(t, dir, row.args...)
			require.Error(t, err)
			require.Contains(t, out, row.text)
		})
	}
}
