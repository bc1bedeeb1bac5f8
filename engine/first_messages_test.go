package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestDeclineOfAnother: what forbids prose in first messages to a peer forbids it in the
// context of an answer to one, too, until it is lifted there: the decline of an optional
// offer is no way around another document's intent or offer (DG-1, DG-4).
func TestDeclineOfAnother(t *testing.T) {
	t.Parallel()
	doc, other := grant(t), read(t)
	text := engine.Reply{Message: &engine.Message{ID: "r", ContextID: "ctx-2", Role: engine.RoleAgent, Parts: []engine.Part{{Content: engine.Text, Text: "done"}}}}
	failed := engine.Reply{Failed: true}
	for _, row := range []struct {
		name     string
		offer    bool // of the document, else an intent
		required bool
		reply    *engine.Reply
		informal bool
		prose    bool // after the decline of the other document
		later    *engine.Reply
	}{
		{name: "a refused intent", reply: &failed, later: &text},
		{name: "an intent without an answer", reply: &engine.Reply{}, later: &text},
		{name: "an intent that is under way", later: &text},
		{name: "an intent that stays refused", reply: &failed, later: &failed},
		{name: "an intent that is not security-bearing", reply: &failed, informal: true, prose: true, later: &text},
		{name: "an answered intent", reply: &text, prose: true},
		{name: "a refused required offer", offer: true, required: true, reply: ptr(answerIn("ctx-2", doc.Pin(), false))},
		{name: "a required offer without an answer", offer: true, required: true, reply: &engine.Reply{}},
		{name: "an offer that failed", offer: true, reply: &failed},
		{name: "a pending offer that is declined then", offer: true, later: ptr(answerIn("ctx-2", doc.Pin(), false))},
		{name: "a pending offer that is refused then", offer: true, required: true, later: ptr(answerIn("ctx-2", doc.Pin(), false))},
		{name: "a declined offer", offer: true, reply: ptr(answerIn("ctx-2", doc.Pin(), false)), prose: true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			s := newSide(t, c, "bob", []*protocol.Reviewed{doc, other}, func(config *engine.Config) {
				if row.informal {
					config.Informal = []canon.Digest{doc.Pin()}
				}
			})
			to := engine.To{Peer: bobToAlice}
			to.Peer.Accepts = accepted(t, doc.Pin())
			first := func() (engine.Message, error) {
				if row.offer {
					return s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: row.required})
				}
				return s.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
			}
			m, err := first()
			require.NoError(t, err)
			if row.reply != nil {
				receiveReply(t, s, to.Peer, m, *row.reply)
			}
			offer, err := s.restart(t).Offer(t.Context(), to, engine.OfferDraft{Pin: other.Pin(), Source: source})
			require.NoError(t, err)
			require.Equal(t, engine.KindDeclined, receiveReply(t, s, to.Peer, offer, answerIn("ctx", other.Pin(), false)).Kind)
			require.Equal(t, row.prose, speaks(t, s, ""), "in a first message")
			require.Equal(t, row.prose, speaks(t, s, "ctx"))
			require.True(t, speaks(t, s, "elsewhere"))
			if row.later != nil {
				receiveReply(t, s, to.Peer, m, *row.later)
				allowed := speaks(t, s, "")
				require.Equal(t, row.later != &failed && !row.required, allowed)
				require.Equal(t, allowed, speaks(t, s, "ctx"), "as in a first message")
			}
			if !row.offer {
				c.add(handshake.AgreementTTL)
				require.True(t, speaks(t, s, "ctx"), "a day later")
			}
		})
	}
}

// TestShortAgreementOfFirstIntent: an intent without a context that came to nothing forbids
// prose for a day in the context that its reply named, however short agreements live.
func TestShortAgreementOfFirstIntent(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, row := range []struct {
		name  string
		reply engine.Reply
		prose bool
	}{
		{"a task that goes on", engine.Reply{State: engine.TaskWorking, TaskID: "t", ContextID: "ctx"}, false},
		{"a task that asks for something", engine.Reply{State: engine.TaskInput, TaskID: "t", ContextID: "ctx"}, false},
		{"a failed task", engine.Reply{State: engine.TaskFailed, TaskID: "t", ContextID: "ctx"}, false},
		{"a completed one", engine.Reply{State: engine.TaskCompleted, TaskID: "t", ContextID: "ctx"}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			s := newSide(t, c, "bob", []*protocol.Reviewed{doc}, func(config *engine.Config) { config.AgreementLife = time.Minute })
			to := engine.To{Peer: bobToAlice}
			to.Peer.Accepts = accepted(t, doc.Pin())
			m, err := s.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
			require.NoError(t, err)
			receiveReply(t, s, to.Peer, m, row.reply)
			require.False(t, speaks(t, s, "ctx"), "agreed")
			c.add(time.Minute)
			require.Equal(t, row.prose, speaks(t, s, "ctx"), "the agreement is over")
			require.Equal(t, row.prose, speaks(t, s, ""))
			c.add(handshake.AgreementTTL)
			require.True(t, speaks(t, s, "ctx"))
		})
	}
}

// TestOfferAfterFirstMessages: in a context where something of first messages forbids prose,
// an offer of the document decides, but one that was required, or under which an intent is
// open, is not offered as an optional one there.
func TestOfferAfterFirstMessages(t *testing.T) {
	t.Parallel()
	doc, other := grant(t), read(t)
	for _, row := range []struct {
		name             string
		intent, required bool
		err              error // of an optional offer
	}{
		{"an optional offer", false, false, nil},
		{"a required offer", false, true, handshake.ErrRequired},
		{"an intent", true, false, handshake.ErrRequired},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc, other}, nil)
			to := engine.To{Peer: bobToAlice}
			to.Peer.Accepts = accepted(t, doc.Pin())
			offer := func(contextID string, d *protocol.Reviewed, required bool) (engine.Message, error) {
				to := engine.To{Peer: to.Peer, ContextID: contextID}
				return s.Offer(t.Context(), to, engine.OfferDraft{Pin: d.Pin(), Source: source, Required: required})
			}
			m, err := offer("", doc, row.required)
			if row.intent {
				m, err = s.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
			}
			require.NoError(t, err)
			receiveReply(t, s, to.Peer, m, engine.Reply{Failed: true})
			m, err = offer("", other, false)
			require.NoError(t, err)
			require.Equal(t, engine.KindDeclined, receiveReply(t, s, to.Peer, m, answerIn("ctx", other.Pin(), false)).Kind)
			m, err = offer("ctx", doc, false)
			if row.err != nil {
				require.ErrorIs(t, err, row.err)
				m, err = offer("ctx", doc, true)
			}
			require.NoError(t, err)
			require.False(t, speaks(t, s, "ctx"), "it is pending")
			o := receiveReply(t, s, to.Peer, m, answerIn("ctx", doc.Pin(), false))
			require.Equal(t, row.err == nil, o.Kind == engine.KindDeclined, "%s", o.Trace)
			require.Equal(t, row.err == nil, speaks(t, s, "ctx"))
			require.False(t, speaks(t, s, ""))
		})
	}
}

// TestAnswerWithoutContext: a response that comes as a request of its own answers an offer
// of its context. One without a context is given a new one, in which nothing was offered:
// what it decided would be told of that one and hold in another.
func TestAnswerWithoutContext(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	p := bobToAlice
	p.Active, p.Assigned = []string{uri}, "assigned"
	for _, accept := range []bool{false, true} {
		s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
		_, err := s.Offer(t.Context(), engine.To{Peer: p}, engine.OfferDraft{Pin: doc.Pin(), Source: source})
		require.NoError(t, err)
		o := receive(t, s, p, message("r", "", payload("upgrade-response", "", responseJSON(doc.Pin(), accept), "")))
		require.Equal(t, protocol.CodeUnsupportedProtocol, o.Code, "%s", o.Trace)
		for _, contextID := range []string{"", "assigned"} {
			agreed, err := s.Agreed(t.Context(), p, contextID, doc.Pin())
			require.NoError(t, err)
			require.False(t, agreed)
		}
		require.False(t, speaks(t, s, ""), "the offer is pending")
	}
}

// TestOfferedMeanwhile: an offer that is made while the answer to another one of the document
// moves to its context is not dropped with that one.
func TestOfferedMeanwhile(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
	offer := func(required bool) (engine.Message, error) {
		return s.Offer(t.Context(), engine.To{Peer: bobToAlice}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: required})
	}
	first, err := offer(false)
	require.NoError(t, err)
	var second engine.Message
	config := s.config
	config.Store = &meanwhile{Store: s.store, do: func() {
		second, err = offer(true)
		require.NoError(t, err)
	}}
	e, err := engine.New(config)
	require.NoError(t, err)
	o, err := e.ReceiveReply(t.Context(), bobToAlice, first, answerIn("ctx", doc.Pin(), true))
	require.NoError(t, err)
	require.Equal(t, engine.KindAgreed, o.Kind, "%s", o.Trace)
	require.NotEmpty(t, second.ID)
	require.False(t, speaks(t, s, ""), "it is pending")
	require.Equal(t, engine.KindAborted, receiveReply(t, s, bobToAlice, second, engine.Reply{Failed: true}).Kind)
	require.False(t, speaks(t, s, ""), "it came to nothing")
}

// TestRequiredFirstOffer: a required offer in a first message that came to nothing forbids
// prose in first messages, which begin no context that is known, for as long as that is
// remembered or until the document is accepted in another one. What is said elsewhere goes on.
func TestRequiredFirstOffer(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, row := range []struct {
		name  string
		reply engine.Reply
	}{
		{"declined", answerIn("ctx", doc.Pin(), false)},
		{"failed", engine.Reply{Failed: true}},
		{"no answer", engine.Reply{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			s := newSide(t, c, "bob", []*protocol.Reviewed{doc}, nil)
			to := engine.To{Peer: bobToAlice}
			offer := func(required bool) (engine.Message, error) {
				return s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: required})
			}
			m, err := offer(true)
			require.NoError(t, err)
			receiveReply(t, s, to.Peer, m, row.reply)
			require.False(t, speaks(t, s, ""))
			require.True(t, speaks(t, s, "elsewhere"))
			c.add(29 * 24 * time.Hour)
			require.False(t, speaks(t, s, ""))
			_, err = offer(false)
			require.ErrorIs(t, err, handshake.ErrRequired)

			other := s.restart(t)
			m, err = other.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
			require.NoError(t, err)
			require.Equal(t, engine.KindAgreed, receiveReply(t, s, to.Peer, m, answerIn("ctx-2", doc.Pin(), true)).Kind)
			require.True(t, speaks(t, s, ""), "it was accepted in another context")
			require.False(t, speaks(t, s, "ctx-2"), "where it is agreed")
		})
		t.Run(row.name+", a month later", func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			s := newSide(t, c, "bob", []*protocol.Reviewed{doc}, nil)
			m, err := s.Offer(t.Context(), engine.To{Peer: bobToAlice}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
			require.NoError(t, err)
			receiveReply(t, s, bobToAlice, m, row.reply)
			c.add(30*24*time.Hour + time.Second)
			require.True(t, speaks(t, s, ""))
		})
	}
}
