package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestDeclares: what is held is not declared for that.
func TestDeclares(t *testing.T) {
	t.Parallel()
	held, declared := grant(t), read(t)
	s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{held, declared}, func(c *engine.Config) {
		c.Declared = []engine.Declared{{Pin: declared.Pin()}}
	})
	require.True(t, s.Declares(declared.Pin()))
	require.False(t, s.Declares(held.Pin()))
	require.False(t, s.Declares(canon.Digest{}))
}
