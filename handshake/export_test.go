package handshake

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/protocol"
)

// reviewed makes a document that may be offered; documents with other titles have other
// pins.
func reviewed(t testing.TB, title string) *protocol.Reviewed {
	t.Helper()
	shape, err := protocol.StockRequest(protocol.VerbRead)
	require.NoError(t, err)
	d, err := protocol.Build(t.Context(), protocol.Parts{ID: "a:pd", Title: title, Request: protocol.Shapes{Graph: shape}}, protocol.Options{})
	require.NoError(t, err)
	r, err := protocol.Examine(d).Accept()
	require.NoError(t, err)
	return r
}

// Document is reviewed for the tests outside of the package.
func Document(t testing.TB, title string) *protocol.Reviewed { return reviewed(t, title) }
