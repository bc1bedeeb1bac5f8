package deadport

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// Address returns an address at which nobody listens, nor will before the test ends: it is
// that of a client, which no server can take.
func Address(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	conn, err := net.Dial("tcp", listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn.LocalAddr().String()
}
