package handshake_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
)

// TestDecide is the whole truth table of a2a-rdf, section 5.1.
func TestDecide(t *testing.T) {
	t.Parallel()
	h, other := pin(t, pinText), pin(t, otherText)
	for _, row := range []struct {
		name             string
		required, accept bool
		pin              canon.Digest
		want             handshake.Outcome
	}{
		{"optional, declined", false, false, h, handshake.Declined},
		{"optional, accepted", false, true, h, handshake.Upgraded},
		{"required, declined", true, false, h, handshake.Refused},
		{"required, accepted", true, true, h, handshake.Upgraded},
		{"optional, declined, another pin", false, false, other, handshake.Unrelated},
		{"optional, accepted, another pin", false, true, other, handshake.Unrelated},
		{"required, declined, another pin", true, false, other, handshake.Unrelated},
		{"required, accepted, another pin", true, true, other, handshake.Unrelated},
		{"optional, declined, a pin of zeros", false, false, pin(t, "sha256:"+strings.Repeat("0", 64)), handshake.Unrelated},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := handshake.Decide(handshake.Offer{Hash: h, Source: source, Required: row.required}, handshake.Response{Hash: row.pin, Accept: row.accept})
			require.Equal(t, row.want, d.Outcome())
			require.Equal(t, row.want == handshake.Declined, d.MayDowngrade())
			require.Equal(t, row.want == handshake.Upgraded, d.Upgraded())
			require.NotEmpty(t, d.Outcome().String())
		})
	}
	var none handshake.Decision
	require.False(t, none.MayDowngrade())
	require.False(t, none.Upgraded())
	require.Equal(t, handshake.Undecided, none.Outcome())
	zero := handshake.Decide(handshake.Offer{}, handshake.Response{})
	require.False(t, zero.MayDowngrade(), "no pin equals no pin")
}

// TestDecideRandom: only the one row allows natural language.
func TestDecideRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	allowed := 0
	for range 10_000 {
		var o handshake.Offer
		var a handshake.Response
		for i := range o.Hash {
			o.Hash[i] = byte(r.Uint32())
		}
		a.Hash = o.Hash
		if r.IntN(2) == 0 {
			a.Hash[r.IntN(len(a.Hash))] ^= 1 << r.IntN(8)
		}
		o.Required, a.Accept = r.IntN(2) == 0, r.IntN(2) == 0
		d := handshake.Decide(o, a)
		require.Equal(t, o.Hash == a.Hash && !o.Required && !a.Accept, d.MayDowngrade())
		if d.MayDowngrade() {
			allowed++
		}
	}
	require.Positive(t, allowed)
}
