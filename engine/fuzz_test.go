package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/protocol"
)

// payloads are parts of all kinds: those of the tests, and those whose payloads the
// public cases have.
func payloads(t testing.TB, doc *protocol.Reviewed) []engine.Part {
	pin := doc.Pin().String()
	all := []engine.Part{
		payload("intent", pin, grantIntent, turtleMT),
		payload("upgrade-offer", "", offerJSON(doc.Pin(), true), ""),
		payload("upgrade-response", "", responseJSON(doc.Pin(), true), ""),
		payload("authorization", "", "{}", "application/vp"),
	}
	for i, seed := range suite.Seeds(t, suite.Handshakes) {
		all = append(all, payload([]string{"upgrade-offer", "upgrade-response"}[i%2], "", string(seed.Data), ""))
	}
	for _, seed := range suite.Seeds(t, suite.Intents) {
		all = append(all, payload("intent", pin, string(seed.Data), turtleMT))
	}
	for i, seed := range suite.Seeds(t, suite.HandshakeGraphs) {
		all = append(all, payload([]string{"upgrade-offer", "upgrade-response"}[i%2], pin, string(seed.Data), turtleMT))
	}
	for _, seed := range suite.Seeds(t, suite.Presentations) {
		all = append(all, payload("authorization", "", string(seed.Data), "application/vp"))
	}
	return all
}

// unread checks the error of a message that cannot be read.
func unread(t *testing.T, err error) {
	t.Helper()
	var e *protocol.Error
	require.ErrorAs(t, err, &e)
	require.NotEmpty(t, e.Error())
}

// refusing checks that a failure of this side is no permission.
func refusing(t *testing.T, o *engine.Outcome, err error) {
	t.Helper()
	if err != nil {
		require.Equal(t, engine.KindRefused, o.Kind, "%v", err)
	}
	consistent(t, o)
}

// FuzzReceive: what is read of a message is written and read as the same, no message
// makes an engine panic, every outcome is consistent, an intent comes from a message
// that says its pin, and a copy is never an intent again.
func FuzzReceive(f *testing.F) {
	doc := grant(f)
	f.Add([]byte(wholeMessage))
	for _, p := range payloads(f, doc) {
		m := message("m", "c", p)
		if data, err := m.AppendJSON(nil); err == nil { // a payload may be no JSON
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := engine.ParseMessage(data, engine.Limits{})
		if err != nil {
			unread(t, err)
			return
		}
		written, err := m.AppendJSON(nil)
		require.NoError(t, err)
		again, err := engine.ParseMessage(written, engine.Limits{})
		require.NoError(t, err)
		rewritten, err := again.AppendJSON(nil)
		require.NoError(t, err)
		require.Equal(t, string(written), string(rewritten))

		s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
			c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
		})
		o, err := s.Receive(t.Context(), aliceToBob, m)
		refusing(t, &o, err)
		if o.Kind == engine.KindIntent {
			require.Equal(t, doc.Pin(), o.Pin)
			require.Contains(t, string(written), doc.Pin().String())
		}
		copied, err := s.Receive(t.Context(), aliceToBob, m)
		refusing(t, &copied, err)
		require.NotEqual(t, engine.KindIntent, copied.Kind, "a copy")
	})
}

// FuzzReply: whatever comes back for an intent or an offer, the outcome is consistent,
// and only what names the pin of what was sent answers it.
func FuzzReply(f *testing.F) {
	doc := read(f)
	for _, p := range append(payloads(f, doc), payload("response", doc.Pin().String(), readResponse, turtleMT)) {
		m := message("m", "c", p)
		m.Role = engine.RoleAgent
		if data, err := m.AppendJSON(nil); err == nil {
			f.Add(data)
			f.Add(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"message":%s}}`, data))
			f.Add(fmt.Appendf(nil, `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED","message":%s}}}`, data))
		}
	}
	for _, seed := range suite.Seeds(f, suite.WorkflowUpdates) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := engine.ParseReply(data, engine.Limits{})
		if err != nil {
			unread(t, err)
			require.Equal(t, engine.Reply{}, r)
		}
		client := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
		to := engine.To{Peer: bobToAlice, ContextID: "c"}
		to.Peer.Accepts = accepted(t, doc.Pin())
		sent, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: readIntent, MediaType: turtleMT})
		require.NoError(t, err)
		o, err := client.ReceiveReply(t.Context(), bobToAlice, sent, r)
		refusing(t, &o, err)
		if o.Agreement != nil { // an offer of the peer, which is taken
			require.Equal(t, engine.KindReply, o.Kind)
			require.Equal(t, doc.Pin(), o.Agreement.Pin)
		}
		if o.Kind == engine.KindResponse && o.Response.Validated {
			require.Equal(t, doc.Pin(), o.Pin)
		}

		sent, err = client.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
		require.NoError(t, err)
		o, err = client.ReceiveReply(t.Context(), bobToAlice, sent, r)
		refusing(t, &o, err)
		if o.Kind == engine.KindAgreed {
			require.Equal(t, doc.Pin(), o.Agreement.Pin)
			require.Contains(t, string(data), "accept")
		}
	})
}
