package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestCodes: the table of codes has each once, and every one that the source spells.
func TestCodes(t *testing.T) {
	t.Parallel()
	known := map[string]bool{string(protocol.CodeProtocolHashMismatch): true}
	for _, c := range cli.Codes() {
		require.False(t, known[string(c)], "%s twice", c)
		require.NotEmpty(t, c.Text(), c)
		known[string(c)] = true
	}
	require.Empty(t, cli.Code("other").Text())
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	spelt := map[string]bool{}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			var value ast.Expr
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if name, ok := n.Key.(*ast.Ident); ok && strings.EqualFold(name.Name, "code") {
					value = n.Value
				}
			case *ast.CallExpr:
				if of, ok := n.Fun.(*ast.SelectorExpr); ok && of.Sel.Name == "warn" {
					value = n.Args[len(n.Args)-1]
				}
			}
			if text, ok := value.(*ast.BasicLit); ok && text.Value != `""` {
				code, err := strconv.Unquote(text.Value)
				require.NoError(t, err)
				spelt[code] = true
				require.True(t, known[code], "%s of %s has no text", code, source)
			}
			return true
		})
	}
	for _, c := range cli.Codes() {
		require.True(t, spelt[string(c)] || c == "damaged" || c == "locked", "nothing has the code %s", c)
	}
}
