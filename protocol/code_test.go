package protocol_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/protocol"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	require.Len(t, protocol.Codes(), 14)
	seen := map[protocol.Code]bool{}
	for _, c := range protocol.Codes() {
		require.False(t, seen[c], c)
		seen[c] = true
		s, ok := c.Status()
		require.True(t, ok, c)
		require.Negative(t, s.JSONRPC, c)
		require.NotEmpty(t, s.GRPC, c)
		require.GreaterOrEqual(t, s.HTTP, 400, c)
		require.NotEmpty(t, s.Text, c)
		require.NotEmpty(t, s.Remedy, c)
		_, ok = protocol.Code(strings.ToUpper(string(c))).Status()
		require.False(t, ok, "codes are compared as they are spelt")
	}
	for _, unknown := range []protocol.Code{"", "nope"} {
		_, ok := unknown.Status()
		require.False(t, ok)
	}
	require.Equal(t, 429, protocol.TooMany().HTTP)
	limit, _ := protocol.CodeLimitExceeded.Status()
	require.Equal(t, 400, limit.HTTP)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{protocol.ExtensionURI}, protocol.ExtensionURIs())
	k, ok := protocol.KeysOf("https://w3id.org/jeswr/a2a-rdf/v1")
	require.True(t, ok)
	require.Equal(t, protocol.Keys{
		Kind: protocol.KeyKind, ProtocolHash: protocol.KeyProtocolHash, Error: protocol.KeyError,
		Challenge: protocol.KeyChallenge, MediaType: protocol.KeyMediaType,
	}, k)
	require.Equal(t, "https://w3id.org/jeswr/a2a-rdf/v1/protocolHash", k.ProtocolHash)
	for _, other := range []string{"", "https://w3id.org/jeswr/a2a-rdf/v1/", "https://w3id.org/jeswr/a2a-rdf/v2", "https://w3id.org/jeswr/a2a-rdf/v1.0", "https://jeswr.org/spec/a2a-rdf/v1"} {
		_, ok := protocol.KeysOf(other)
		require.False(t, ok, other)
	}
}
