package a2a_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestOrdinaryConversations: what honest agents say to one another goes through, however
// much is refused around it.
func TestOrdinaryConversations(t *testing.T) {
	t.Parallel()
	type talk struct {
		t      *testing.T
		a      *agent
		agent  *engine.Engine // on the store of the agent
		client *a2a.Client
		mine   *engine.Engine
	}
	says := func(w talk, v *a2a.Conversation, may bool) {
		w.t.Helper()
		r, err := v.Say(w.t.Context(), "please")
		require.Equal(w.t, may, err == nil && r.Kind == engine.KindProse, "%v %s", err, r.Trace)
	}
	offers := func(w talk, v *a2a.Conversation, d *protocol.Reviewed, required bool, want engine.Kind) {
		w.t.Helper()
		r, err := v.Offer(w.t.Context(), offer(w.a, d, required))
		require.NoError(w.t, err)
		require.Equal(w.t, want, r.Kind, "%s", r.Trace)
	}
	asks := func(w talk, v *a2a.Conversation, d *protocol.Reviewed, verb protocol.Verb) {
		w.t.Helper()
		r, err := v.Intent(w.t.Context(), engine.IntentDraft{Pin: d.Pin(), Graph: intent(w.t, verb, container)})
		require.NoError(w.t, err)
		require.Equal(w.t, engine.KindResponse, r.Kind, "%s", r.Trace)
	}
	for name, row := range map[string]struct {
		offers bool // of the agent, about whatever names its document
		talk   func(w talk)
	}{
		"an optional offer is declined, prose, a required one, intents": {false, func(w talk) {
			v := w.client.Conversation("")
			offers(w, v, w.a.update, false, engine.KindDeclined)
			says(w, v, true)
			says(w, v, true)
			offers(w, v, w.a.grant, true, engine.KindAgreed)
			asks(w, v, w.a.grant, protocol.VerbGrant)
			asks(w, v, w.a.read, protocol.VerbRead)
			says(w, v, false)
			says(w, w.client.Conversation(""), true)
		}},
		"a required offer, intents, both withdraw, once more": {false, func(w talk) {
			v := w.client.Conversation("")
			offers(w, v, w.a.grant, true, engine.KindAgreed)
			asks(w, v, w.a.grant, protocol.VerbGrant)
			asks(w, v, w.a.grant, protocol.VerbGrant)
			was, err := w.mine.Withdraw(w.t.Context(), w.client.Peer(), v.ContextID(), w.a.grant.Pin())
			require.NoError(w.t, err)
			require.True(w.t, was)
			was, err = w.agent.Withdraw(w.t.Context(), engine.Peer{Principal: "bob"}, v.ContextID(), w.a.grant.Pin())
			require.NoError(w.t, err)
			require.True(w.t, was)
			says(w, v, false)
			offers(w, v, w.a.grant, true, engine.KindAgreed)
			asks(w, v, w.a.grant, protocol.VerbGrant)
			says(w, w.client.Conversation(""), true)
		}},
		"a required offer is declined, another document is agreed": {false, func(w talk) {
			v := w.client.Conversation("")
			offers(w, v, w.a.update, true, engine.KindAborted)
			says(w, v, false)
			offers(w, v, w.a.grant, true, engine.KindAgreed)
			asks(w, v, w.a.grant, protocol.VerbGrant)
			asks(w, v, w.a.read, protocol.VerbRead)
		}},
		"prose, then intents under what the card declares, and elsewhere prose": {false, func(w talk) {
			v := w.client.Conversation("")
			says(w, v, true)
			asks(w, v, w.a.read, protocol.VerbRead)
			asks(w, v, w.a.read, protocol.VerbRead)
			says(w, v, false)
			other := w.client.Conversation("")
			asks(w, other, w.a.read, protocol.VerbRead)
			third := w.client.Conversation("")
			says(w, third, true)
			says(w, third, true)
		}},
		"the agent offers, intents": {true, func(w talk) {
			v := w.client.Conversation("")
			r, err := v.Say(w.t.Context(), "read it")
			require.NoError(w.t, err)
			require.Equal(w.t, engine.KindReply, r.Kind, "%s", r.Trace)
			require.NotNil(w.t, r.Agreement)
			asks(w, v, w.a.read, protocol.VerbRead)
			asks(w, v, w.a.read, protocol.VerbRead)
			says(w, v, false)
			other := w.client.Conversation("")
			says(w, other, true)
			offers(w, other, w.a.grant, false, engine.KindAgreed)
			asks(w, other, w.a.grant, protocol.VerbGrant)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bindings(t, func(t *testing.T, b a2a.Binding) {
				var config engine.Config
				a := newAgent(t, agentOptions{offerInReply: row.offers, engine: func(c *engine.Config) {
					if pin := c.Declared[0].Pin; row.offers {
						c.Routine = func(_ context.Context, _ engine.Peer, m *engine.Message) (canon.Digest, bool) {
							return pin, m.Parts[0].Text == "read it"
						}
					}
					config = *c
				}})
				e, err := engine.New(config)
				require.NoError(t, err)
				c := a.clientConfig(t, b)
				row.talk(talk{t, a, e, dial(t, a, c), c.Engine})
			})
		})
	}
}
