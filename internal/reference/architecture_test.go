package reference_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/markdown"
)

const module = "github.com/rdfproto/rdfproto/"

// imported returns the packages of this module that the sources of a package import.
func imported(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, dir)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			text, err := strconv.Unquote(i.Path.Value)
			require.NoError(t, err)
			if own, ok := strings.CutPrefix(text, module); ok {
				all = append(all, own)
			}
		}
	}
	return all
}

// TestPictures: the arrows of the picture of packages are imports, and the steps of the
// picture of a message are those that the engine takes.
func TestPictures(t *testing.T) {
	t.Parallel()
	pictures := markdown.Texts(page(t, "docs/architecture.md"), "mermaid")
	require.Len(t, pictures, 2)
	nodes := map[string][]string{}
	for _, n := range regexp.MustCompile(`(?m)^ +(\w+)\["(.+)"\]$`).FindAllStringSubmatch(pictures[0], -1) {
		nodes[n[1]] = strings.Split(n[2], "<br>")
	}
	arrows := regexp.MustCompile(`(?m)^ +(\w+) --> (\w+)$`).FindAllStringSubmatch(pictures[0], -1)
	require.Greater(t, len(arrows), 20)
	for _, arrow := range arrows {
		from, to := nodes[arrow[1]], nodes[arrow[2]]
		require.NotEmpty(t, from, arrow[1])
		require.NotEmpty(t, to, arrow[2])
		found := false
		for _, p := range from {
			found = found || slices.ContainsFunc(imported(t, p), func(i string) bool { return slices.Contains(to, i) })
		}
		require.True(t, found, "nothing of %s imports anything of %s", arrow[1], arrow[2])
	}
	trace := page(t, "examples/testdata/embedded.golden")
	steps := regexp.MustCompile(`"((?:7\.3\.\d|5\.4) [a-z ]+)[<"]`).FindAllStringSubmatch(pictures[1], -1)
	require.Len(t, steps, 9)
	for _, step := range steps {
		require.Contains(t, trace, "ok   "+step[1])
	}
}

// TestRoomsAreListed: every package has its row in docs/architecture.md.
func TestRoomsAreListed(t *testing.T) {
	t.Parallel()
	text := page(t, "docs/architecture.md")
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		require.NoError(t, err)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && rel != "." || slices.Contains([]string{"testdata", "node_modules", "compat", "tools", "examples"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if dir := path.Dir(rel); strings.HasSuffix(rel, ".go") && dir != "." {
			require.True(t, strings.Contains(text, "`"+dir+"`"), "%s has no row", dir)
		}
		return nil
	}))
}
