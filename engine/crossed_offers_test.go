package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// TestOfferForAnOffer: an offer of the peer in the place of an answer ends this side's
// own, which is a step of the trace and neither its end nor what the outcome says.
func TestOfferForAnOffer(t *testing.T) {
	t.Parallel()
	doc := read(t)
	offer := offerJSON(doc.Pin(), true)
	for _, row := range []struct {
		name, offer string
		failing     bool // of the store
		kind        engine.Kind
	}{
		{"accepted", offer, false, engine.KindReply},
		{"of another document", strings.Replace(offer, doc.Pin().String(), grant(t).Pin().String(), 1), false, engine.KindReply},
		{"the store fails", offer, true, engine.KindRefused},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			store := &faulty{Store: replay.NewMemory(replay.Limits{})}
			s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, func(c *engine.Config) {
				c.Store = store
			})
			to := engine.To{Peer: bobToAlice, ContextID: "c"}
			to.Peer.Accepts = accepted(t, doc.Pin())
			sent, err := s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
			require.NoError(t, err)
			m := message("m", "c", payload("upgrade-offer", "", row.offer, ""))
			m.Role = engine.RoleAgent
			if row.failing {
				store.at = store.n + 1
			}
			o, err := s.ReceiveReply(t.Context(), bobToAlice, sent, engine.Reply{Message: &m})
			require.Equal(t, row.failing, err != nil, "%v", err)
			require.Equal(t, row.kind, o.Kind, "%s", o.Trace)
			consistent(t, &o)
			if row.kind == engine.KindReply {
				require.NotContains(t, o.Reason, "without agreement")
				require.True(t, o.Trace[0].OK, "%s", o.Trace)
				require.Contains(t, o.Trace[0].Note, "without agreement")
			}
		})
	}
}
