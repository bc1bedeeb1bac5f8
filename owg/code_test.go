package owg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

// TestCodes: every code has a text of its own, and every constant in the source is in the
// list.
func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[owg.Code]bool{}
	for _, c := range owg.Codes() {
		require.False(t, seen[c], "%s", c)
		seen[c] = true
		text := c.Text()
		require.NotEmpty(t, text, "%s", c)
		require.False(t, strings.HasSuffix(text, "."), text)
		require.Equal(t, strings.ToUpper(string(c)), string(c))
	}
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	constants := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Code") {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		require.True(t, seen[owg.Code(value)], value)
		constants++
		return true
	})
	require.Equal(t, len(seen), constants)
	require.Empty(t, owg.Code("OTHER").Text())
}

func TestSeverity(t *testing.T) {
	t.Parallel()
	var zero owg.Severity
	require.Equal(t, "error", zero.String())
	require.Equal(t, "warning", owg.SeverityWarning.String())
	text, err := owg.SeverityNote.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "note", string(text))
}
