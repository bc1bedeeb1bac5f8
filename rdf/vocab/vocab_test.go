package vocab_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// constant is one of the package's constants as its source has it: NS + "local",
// or the namespace itself, or an IRI of its own.
type constant struct{ name, namespace, local string }

func constants(t *testing.T, file string) []constant {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var out []constant
	for _, decl := range f.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			v := spec.(*ast.ValueSpec)
			require.Len(t, v.Names, 1, v.Names)
			require.Len(t, v.Values, 1, v.Names)
			c := constant{name: v.Names[0].Name}
			switch e := v.Values[0].(type) {
			case *ast.BinaryExpr:
				c.namespace = e.X.(*ast.Ident).Name
				c.local = text(t, e.Y)
			default:
				c.local = text(t, e)
			}
			out = append(out, c)
		}
	}
	return out
}

func text(t *testing.T, e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	require.True(t, ok, "a literal")
	s, err := strconv.Unquote(lit.Value)
	require.NoError(t, err)
	return s
}

// TestNames: each file begins with its namespace, and each constant is named
// after what it names.
func TestNames(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	namespaces := map[string]string{}
	for _, file := range files {
		all := constants(t, file)
		if len(all) == 0 {
			continue
		}
		ns := all[0]
		assert.Empty(t, ns.namespace, file)
		assert.True(t, strings.HasSuffix(ns.local, "#") || strings.HasSuffix(ns.local, "/"), "%s: %s", file, ns.local)
		assert.NotContains(t, namespaces, ns.local, "one file a namespace")
		namespaces[ns.local] = file
		names, seen := map[string]bool{}, map[string]string{}
		for _, c := range all {
			names[c.name] = true
		}
		for _, c := range all[1:] {
			if c.namespace == "" {
				assert.True(t, strings.HasPrefix(c.name, ns.name), c.name)
				assert.NoError(t, rdf.CheckIRI(c.local), c.name)
				continue
			}
			assert.Equal(t, ns.name, c.namespace, c.name)
			assert.NoError(t, rdf.CheckIRI(ns.local+c.local), c.name)
			assert.Empty(t, seen[c.local], "%s and %s are the same IRI", c.name, seen[c.local])
			seen[c.local] = c.name
			// The local name without what Go allows in no name, in the standard's
			// spelling but for the case of the first letter and of initials.
			local := strings.NewReplacer("-", "", "_", "", ".", "").Replace(c.local)
			short := strings.TrimPrefix(c.name, ns.name)
			// A class and a property whose names differ in case alone are told apart.
			clash := names[ns.name+strings.ToUpper(local[:1])+local[1:]]
			assert.True(t, strings.EqualFold(local, short) || clash && short == local+"Class", "%s names %s", c.name, c.local)
		}
	}
	assert.GreaterOrEqual(t, len(namespaces), 4)
}

func TestModelConstants(t *testing.T) {
	t.Parallel()
	assert.Equal(t, rdf.XSDString, vocab.XSDString)
	assert.Equal(t, rdf.LangString, vocab.RDFLangString)
}

// TestXSD: the constants of XSD are the datatypes that have a value space.
func TestXSD(t *testing.T) {
	t.Parallel()
	n := 0
	for _, c := range constants(t, "xsd.go")[1:] {
		_, ok := xsd.Lookup(vocab.XSD + c.local)
		assert.True(t, ok, c.name)
		n++
	}
	assert.Equal(t, int(xsd.AnyURI), n)
}
