package deadport_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/deadport"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	address := deadport.Address(t)
	_, err := net.Dial("tcp", address)
	require.Error(t, err, "somebody listens")
	_, err = net.Listen("tcp", address)
	require.Error(t, err, "somebody can listen")
}
