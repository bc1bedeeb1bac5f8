package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// ends is a store whose caller is gone after so many claims.
type ends struct {
	replay.Store
	claims int
	cancel context.CancelFunc
}

func (s *ends) Claim(ctx context.Context, k replay.Key, d canon.Digest, now time.Time) (replay.Claim, error) {
	c, err := s.Store.Claim(ctx, k, d, now)
	if s.claims--; s.claims == 0 {
		s.cancel()
	}
	return c, err
}

// TestCancelledFirst: a first message is claimed twice, under no context and under the one
// that it is given (RPL-4). When the caller goes between the two it is refused, for good.
func TestCancelledFirst(t *testing.T) {
	t.Parallel()
	for claims, executed := range map[int]bool{1: false, 2: false, 3: true} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s := grantServer(t, &clock{at: noon}, func(c *engine.Config) { c.Store = &ends{c.Store, claims, cancel} })
		m := message("m-1", "", payload("intent", grant(t).Pin().String(), grantIntent, turtleMT))
		o, err := s.Receive(ctx, aliceToBob, m)
		require.Equal(t, executed, o.Kind == engine.KindIntent, "after %d claims: %v", claims, err)
		again := receive(t, s, aliceToBob, m)
		require.True(t, again.Seen)
		if !executed {
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, engine.KindRefused, again.Kind, "not in progress: nobody carries it out")
			require.Equal(t, protocol.CodeLimitExceeded, again.Code)
		}
	}
}

// TestCancelledReply: an intent that was sent without a context comes to nothing, and who
// waited for it is gone: prose is not the way around it (DG-4, DG-6).
func TestCancelledReply(t *testing.T) {
	t.Parallel()
	doc := read(t)
	s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
	to := engine.To{Peer: bobToAlice}
	to.Peer.Accepts = accepted(t, doc.Pin())
	sent, err := s.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: parse(t, readIntent)})
	require.NoError(t, err)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	o, err := s.ReceiveReply(done, to.Peer, sent, engine.Reply{})
	require.NoError(t, err)
	require.Equal(t, engine.KindFailed, o.Kind)
	_, err = s.Prose(t.Context(), to, "please read it")
	refusedWith(t, protocol.CodeUpgradeRequired, err)
}
