package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// answerIn is a reply in a context that answers an offer.
func answerIn(contextID string, pin canon.Digest, accept bool) engine.Reply {
	m := message("r", contextID, payload("upgrade-response", "", responseJSON(pin, accept), ""))
	m.Role = engine.RoleAgent
	return engine.Reply{Message: &m}
}

// speaks reports whether a client makes prose in a context, after a restart.
func speaks(t testing.TB, s *side, contextID string) bool {
	t.Helper()
	_, err := s.restart(t).Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, "please")
	if err != nil {
		refusedWith(t, protocol.CodeUpgradeRequired, err)
	}
	return err == nil
}

// TestRequiredStays: the answer to an optional offer without a context, in a context where
// the document was offered as required, does not make it an optional one there (DG-4).
func TestRequiredStays(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for name, before := range map[string]*engine.Reply{
		"declined": ptr(answerIn("ctx", doc.Pin(), false)), "unanswered": {}, "pending": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, func(c *engine.Config) { c.Informal = []canon.Digest{doc.Pin()} })
			offer := func(contextID string, required bool) (engine.Message, error) {
				return s.Offer(t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: required})
			}
			m, err := offer("ctx", true)
			require.NoError(t, err)
			if before != nil {
				require.Equal(t, engine.KindAborted, receiveReply(t, s, bobToAlice, m, *before).Kind)
			}
			m, err = offer("", false)
			require.NoError(t, err)
			o := receiveReply(t, s, bobToAlice, m, answerIn("ctx", doc.Pin(), true))
			require.Equal(t, engine.KindAgreed, o.Kind, "%s", o.Trace)
			require.True(t, o.Agreement.SecurityBearing())
			_, err = s.Withdraw(t.Context(), bobToAlice, "ctx", doc.Pin())
			require.NoError(t, err)
			s = s.restart(t)
			_, err = offer("ctx", false)
			require.ErrorIs(t, err, handshake.ErrRequired)
			require.False(t, speaks(t, s, "ctx"))
		})
	}
}

func ptr[T any](v T) *T { return &v }
