package canon_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
)

// TestWork holds the numbers that a2a-rdf.md, VAL-3, gives for a plain RDFC-1.0.
func TestWork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text   string
		calls, perms int
	}{
		{"empty", "", 0, 0},
		{"differ at first degree", "_:a <urn:p> \"1\" .\n_:b <urn:p> \"2\" .\n", 0, 0},
		{"pair", "_:a <urn:p> \"1\" .\n_:b <urn:p> \"1\" .\n", 2, 0},
		{"ring 32", ring(32), 1024, 0},
		{"clique 5", clique(5), 485, 240},
		{"clique 7", clique(7), 30_247, 10_080},
		{"clique 8", clique(8), 282_248, 80_640},
		{"petersen", petersen(), 1_210, 120},
		{"torus 2x8", torus(8), 9_456, 0},
		{"chain 600", chain(600), 357_604, 0},
		{"chain 1000", chain(1000), 996_004, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := canon.Canonicalize(t.Context(), parse(t, c.text), raised)
			require.NoError(t, err)
			assert.Equal(t, canon.Work{Calls: c.calls, Permutations: c.perms}, r.Work())
		})
	}
	for _, name := range []string{"test044", "test045", "test046"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := suite.ReadFile(t, suite.Dir(t, "rdf-canon")+"/rdfc10/"+name+"-in.nq")
			r, err := canon.Canonicalize(t.Context(), parse(t, string(text)), canon.Options{})
			require.NoError(t, err)
			assert.Equal(t, 468, r.Work().Calls)
		})
	}
}

var raised = canon.Options{MaxPermutations: math.MaxInt, MaxCalls: math.MaxInt}

func TestDefaultLimits(t *testing.T) {
	_ = errors.New
	_ = time.Second
	_ = context.Background
	_ = rdf.Peer
}
