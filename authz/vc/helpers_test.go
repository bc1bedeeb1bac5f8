package vc_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
)

// ed25519Key is a key that a small number determines.
func ed25519Key(t testing.TB, n byte) *vc.PrivateKey { return key(t, vc.Ed25519, n) }

func key(t testing.TB, typ vc.KeyType, n byte) *vc.PrivateKey {
	t.Helper()
	k, err := vc.GenerateKey(typ, bytes.NewReader(bytes.Repeat([]byte{n}, 64)))
	require.NoError(t, err)
	return k
}
