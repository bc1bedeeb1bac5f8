package jsonld_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// TestTextCodes: what is wrong with JSON text has a code that this package names.
func TestTextCodes(t *testing.T) {
	t.Parallel()
	for text, code := range map[string]rdf.Code{
		`{} x`:             jsonld.CodeTrailingData,
		"\ufeff\ufeff{}":   jsonld.CodeByteOrderMark,
		`{"a":"\ud800"}`:   jsonld.CodeLoneSurrogate,
		`{"a":1,"a":1}`:    jsonld.CodeDuplicateMember,
		`{"a":1e400}`:      jsonld.CodeNumberRange,
		`{"a"`:             rdf.CodeSyntax,
		"{\"a\":\"\xff\"}": rdf.CodeInvalidUTF8,
		`{"a":"\x"}`:       rdf.CodeInvalidEscape,
	} {
		_, err := jsonld.Parse([]byte(text), jsonld.Options{})
		var e *rdf.SyntaxError
		require.True(t, errors.As(err, &e), "%s: %v", text, err)
		require.Equal(t, code, e.Code, text)
	}
}
