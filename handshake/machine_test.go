package handshake_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

var now = time.Unix(1_700_000_000, 0)

func offerOf(doc *protocol.Reviewed, required bool) handshake.Offer {
	return handshake.Offer{Hash: doc.Pin(), Source: source, Required: required}
}

// offered is an offeror with a pending offer.
func offered(t testing.TB, doc *protocol.Reviewed, required bool) *handshake.Offeror {
	t.Helper()
	var f handshake.Offeror
	require.True(t, f.MayUseNaturalLanguage(), "before any offer")
	require.NoError(t, f.Offer(doc, offerOf(doc, required), "m", now))
	require.False(t, f.MayUseNaturalLanguage(), "while it is pending")
	return &f
}

// TestOfferor has the transitions of a2a-rdf, section 5.3.
func TestOfferor(t *testing.T) {
	t.Parallel()
	doc := handshake.Document(t, "a")
	yes, no := handshake.Response{Hash: doc.Pin(), Accept: true}, handshake.Response{Hash: doc.Pin()}
	other := handshake.Response{Hash: canon.Sum([]byte("x"))}
	late := now.Add(handshake.OfferTimeout)
	const required, optional = true, false
	const nl, pending, agreed, allowed, aborted = handshake.OfferorStart, handshake.OfferorOffered, handshake.OfferorAgreed, handshake.OfferorNLAllowed, handshake.OfferorAborted
	type event = func(f *handshake.Offeror)
	receive := func(r handshake.Response, at time.Time) event {
		return func(f *handshake.Offeror) { f.Receive(r, at) }
	}
	for _, row := range []struct {
		name     string
		required bool
		events   []event
		want     handshake.OfferorState
		prose    bool
		cause    protocol.Code
	}{
		{"accepted", optional, []event{receive(yes, now)}, agreed, false, ""},
		{"required and accepted", required, []event{receive(yes, now)}, agreed, false, ""},
		{"declined", optional, []event{receive(no, now)}, allowed, true, ""},
		{"required and declined", required, []event{receive(no, now)}, aborted, false, protocol.CodeUpgradeRequired},
		{"another pin accepted", optional, []event{receive(handshake.Response{Hash: other.Hash, Accept: true}, now)}, pending, false, ""},
		{"another pin declined", optional, []event{receive(other, now)}, pending, false, ""},
		{"three times another pin", optional, []event{receive(other, now), receive(other, now), receive(other, now)}, pending, false, ""},
		{"four times another pin", optional, []event{receive(other, now), receive(other, now), receive(other, now), receive(other, now)}, aborted, false, ""},
		{"another pin, then declined", optional, []event{receive(other, now), receive(no, now)}, allowed, true, ""},
		{"unreadable", optional, []event{func(f *handshake.Offeror) { f.ReceiveMalformed(now) }}, aborted, false, protocol.CodeMalformedPayload},
		{"plain text", optional, []event{func(f *handshake.Offeror) { f.ReceiveNothing("", now) }}, aborted, false, ""},
		{"an error", optional, []event{func(f *handshake.Offeror) { f.ReceiveNothing(protocol.CodeUnsupportedProtocol, now) }}, aborted, false, protocol.CodeUnsupportedProtocol},
		{"just in time", optional, []event{receive(no, late.Add(-1))}, allowed, true, ""},
		{"too late", optional, []event{receive(no, late)}, aborted, false, ""},
		{"deadline", optional, []event{func(f *handshake.Offeror) { f.Tick(late) }}, aborted, false, ""},
		{"before the deadline", optional, []event{func(f *handshake.Offeror) { f.Tick(late.Add(-1)) }}, pending, false, ""},
		{"accepted twice", optional, []event{receive(yes, now), receive(yes, now)}, agreed, false, ""},
		{"accepted, then declined", optional, []event{receive(yes, now), receive(no, now)}, aborted, false, protocol.CodeUpgradeRequired},
		{"accepted, then unreadable", optional, []event{receive(yes, now), func(f *handshake.Offeror) { f.ReceiveMalformed(now) }}, agreed, false, ""},
		{"accepted, then withdrawn here", optional, []event{receive(yes, now), func(f *handshake.Offeror) { f.Withdraw() }}, nl, false, ""},
		{"declined, then accepted", optional, []event{receive(no, now), receive(yes, now)}, allowed, true, ""},
		{"aborted, then accepted", required, []event{receive(no, now), receive(yes, now)}, aborted, false, protocol.CodeUpgradeRequired},
		{"aborted, then declined", optional, []event{func(f *handshake.Offeror) { f.Tick(late) }, receive(no, late)}, aborted, false, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f := offered(t, doc, row.required)
			for _, e := range row.events {
				e(f)
			}
			require.Equal(t, row.want, f.State())
			require.Equal(t, row.prose, f.MayUseNaturalLanguage())
			require.Equal(t, row.cause, f.Cause())
			sent, id, ok := f.Sent()
			require.True(t, ok)
			require.Equal(t, "m", id)
			require.Equal(t, doc.Pin(), sent.Hash)
			_, isPending := f.Deadline()
			require.Equal(t, row.want == pending, isPending)
		})
	}
}

func TestOfferRefusals(t *testing.T) {
	t.Parallel()
	doc, other := handshake.Document(t, "a"), handshake.Document(t, "b")
	var f handshake.Offeror
	require.ErrorIs(t, f.Offer(nil, offerOf(doc, true), "m", now), handshake.ErrNotReviewed)
	require.ErrorIs(t, f.Offer(&protocol.Reviewed{}, offerOf(doc, true), "m", now), handshake.ErrNotReviewed)
	require.ErrorIs(t, f.Offer(other, offerOf(doc, true), "m", now), handshake.ErrOtherPin)
	require.ErrorIs(t, f.Offer(doc, offerOf(doc, true), "", now), handshake.ErrNoMessageID)
	require.Error(t, f.Offer(doc, handshake.Offer{Hash: doc.Pin(), Source: "http://a/"}, "m", now))
	require.Equal(t, handshake.OfferorStart, f.State())
	require.True(t, f.MayUseNaturalLanguage(), "nothing was offered")

	require.NoError(t, f.Offer(doc, offerOf(doc, false), "m1", now))
	require.ErrorIs(t, f.Offer(doc, offerOf(doc, false), "m2", now), handshake.ErrPending)
	f.Receive(handshake.Response{Hash: doc.Pin(), Accept: true}, now)
	require.ErrorIs(t, f.Offer(doc, offerOf(doc, false), "m2", now), handshake.ErrAgreed)
	f.Withdraw()
	require.False(t, f.MayUseNaturalLanguage(), "after an agreement, a new offer decides")
	require.NoError(t, f.Offer(doc, offerOf(doc, true), "m2", now))
	f.Receive(handshake.Response{Hash: doc.Pin()}, now)
	require.ErrorIs(t, f.Offer(doc, offerOf(doc, true), "m3", now), handshake.ErrTooSoon)
	later := now.Add(handshake.RetryInterval)
	require.ErrorIs(t, f.Offer(doc, offerOf(doc, false), "m3", later), handshake.ErrRequired, "a refusal has no way around it")
	require.NoError(t, f.Offer(doc, offerOf(doc, true), "m3", later))
	require.Equal(t, handshake.OfferorOffered, f.State())

	slow := handshake.Offeror{Timeout: time.Minute}
	require.NoError(t, slow.Offer(doc, offerOf(doc, true), "m", now))
	deadline, ok := slow.Deadline()
	require.True(t, ok)
	require.Equal(t, now.Add(time.Minute), deadline)
}

// TestReplace: an exchange that takes the place of a required one cannot lead to prose,
// whatever state it is in (DG-4).
func TestReplace(t *testing.T) {
	t.Parallel()
	doc := handshake.Document(t, "a")
	yes, no := handshake.Response{Hash: doc.Pin(), Accept: true}, handshake.Response{Hash: doc.Pin()}
	later := now.Add(handshake.RetryInterval)
	for _, required := range []bool{true, false} { // the offer that is replaced
		old := offered(t, doc, required)
		old.Receive(no, now)
		for _, row := range []struct {
			name  string
			steps func(f *handshake.Offeror)
			want  handshake.OfferorState // after a required one
		}{
			{"pending", func(*handshake.Offeror) {}, handshake.OfferorOffered},
			{"pending, then declined", func(f *handshake.Offeror) { f.Replace(old, now); f.Receive(no, now) }, handshake.OfferorAborted},
			{"declined", func(f *handshake.Offeror) { f.Receive(no, now) }, handshake.OfferorAborted},
			{"accepted", func(f *handshake.Offeror) { f.Receive(yes, now) }, handshake.OfferorAgreed},
			{"aborted", func(f *handshake.Offeror) { f.ReceiveMalformed(now) }, handshake.OfferorAborted},
		} {
			f := offered(t, doc, false)
			row.steps(f)
			before := f.State()
			after := f.Replace(old, now)
			if !required {
				require.Equal(t, before, after, row.name)
				continue
			}
			require.Equal(t, row.want, after, row.name)
			require.False(t, f.MayUseNaturalLanguage(), row.name)
			record, err := f.AppendRecord(nil)
			require.NoError(t, err)
			restored, err := handshake.RestoreOfferor(record)
			require.NoError(t, err, row.name)
			if a, ok := restored.Agreement(handshake.Scope{Local: "a", Peer: "b"}, now); ok {
				require.True(t, a.Required, row.name)
			}
			restored.Tick(later)
			restored.Withdraw()
			require.ErrorIs(t, restored.Offer(doc, offerOf(doc, false), "m2", later.Add(time.Hour)), handshake.ErrRequired, row.name)
		}
	}
}

// TestResponder has the outcomes of a2a-rdf, section 5.4.
func TestResponder(t *testing.T) {
	t.Parallel()
	doc := handshake.Document(t, "a")
	o := offerOf(doc, true)

	t.Run("accepted", func(t *testing.T) {
		t.Parallel()
		var r handshake.Responder
		require.Equal(t, handshake.ResponderIdle, r.State(doc.Pin()))
		require.Equal(t, handshake.Action{Evaluate: true}, r.Receive(o, "m1", 0))
		require.Equal(t, handshake.ResponderEvaluating, r.State(doc.Pin()))
		require.Equal(t, handshake.Action{Wait: true}, r.Receive(o, "m1", 0), "the message again")
		require.Equal(t, handshake.Action{Wait: true}, r.Receive(o, "m2", 0), "another message joins")
		answers := r.Evaluated(doc.Pin(), doc, "", "")
		require.Len(t, answers, 2)
		for i, a := range answers {
			require.Equal(t, fmt.Sprint("m", i+1), a.MessageID)
			require.Equal(t, &handshake.Response{Hash: doc.Pin(), Accept: true}, a.Response)
			require.Empty(t, a.Code)
		}
		require.Equal(t, handshake.ResponderAccepted, r.State(doc.Pin()))
		require.True(t, r.Receive(o, "m1", 0).Response.Accept, "the answer again")
		require.True(t, r.Receive(o, "m3", 0).Response.Accept, "agreed already: nothing is evaluated")
		require.Empty(t, r.Evaluated(doc.Pin(), nil, "", ""), "not under way")
		require.Equal(t, handshake.ResponderAccepted, r.State(doc.Pin()))

		back, ok := r.Withdraw(doc.Pin())
		require.True(t, ok)
		require.False(t, back.Accept)
		require.Equal(t, doc.Pin(), back.Hash)
		_, ok = r.Withdraw(doc.Pin())
		require.False(t, ok)
		require.False(t, r.Receive(o, "m1", 0).Response.Accept, "the accept was taken back")
		require.True(t, r.Receive(o, "m4", 0).Evaluate, "a new offer is evaluated anew")
	})

	for _, row := range []struct {
		name string
		doc  *protocol.Reviewed
		code protocol.Code
		want protocol.Code
	}{
		{"refused by policy", nil, protocol.CodeUnsupportedProtocol, protocol.CodeUnsupportedProtocol},
		{"not fetchable", nil, protocol.CodeProtocolUnavailable, protocol.CodeProtocolUnavailable},
		{"another pin", nil, protocol.CodeProtocolHashMismatch, protocol.CodeProtocolHashMismatch},
		{"rejected in review", nil, protocol.CodeInvalidProtocolDocument, protocol.CodeInvalidProtocolDocument},
		{"over a limit", nil, protocol.CodeLimitExceeded, protocol.CodeLimitExceeded},
		{"no code", nil, "", protocol.CodeUnsupportedProtocol},
		{"a code that no decline has", nil, protocol.CodeIntentInvalid, protocol.CodeUnsupportedProtocol},
		{"another document", handshake.Document(t, "b"), "", protocol.CodeUnsupportedProtocol},
		{"the zero document", &protocol.Reviewed{}, "", protocol.CodeUnsupportedProtocol},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, required := range []bool{true, false} { // it does not change the answer
				var r handshake.Responder
				require.True(t, r.Receive(offerOf(doc, required), "m1", 0).Evaluate)
				answers := r.Evaluated(doc.Pin(), row.doc, row.code, "why")
				require.Len(t, answers, 1)
				require.Equal(t, row.want, answers[0].Code)
				require.False(t, answers[0].Response.Accept)
				require.Equal(t, handshake.NewText("why"), answers[0].Response.Reason)
				require.Equal(t, handshake.ResponderDeclined, r.State(doc.Pin()))
				require.Equal(t, answers[0].Action, r.Receive(offerOf(doc, required), "m1", 0))
				require.True(t, r.Receive(offerOf(doc, required), "m2", 0).Evaluate)
			}
		})
	}
}

func TestResponderRefuses(t *testing.T) {
	t.Parallel()
	doc := handshake.Document(t, "a")
	var r handshake.Responder
	require.Equal(t, protocol.CodeMalformedPayload, r.Receive(handshake.Offer{Hash: doc.Pin(), Source: "http://a/"}, "m1", 0).Code)
	require.Equal(t, protocol.CodeMalformedPayload, r.Receive(offerOf(doc, true), "", 0).Code)
	require.True(t, r.Receive(offerOf(doc, true), "m1", 0).Evaluate)
	require.Equal(t, protocol.CodeDuplicateMessage, r.Receive(offerOf(doc, false), "m1", 0).Code, "other content under one messageId")
	require.Nil(t, r.Receive(offerOf(doc, false), "m1", 0).Response)

	// A reason that may not be sent is left out.
	answers := r.Evaluated(doc.Pin(), nil, "", "line\nbreak")
	require.Equal(t, handshake.Text{}, answers[0].Response.Reason)
}

func TestResponderLimits(t *testing.T) {
	t.Parallel()
	o := func(i int) handshake.Offer {
		return handshake.Offer{Hash: canon.Sum([]byte(fmt.Sprint(i))), Source: source}
	}
	var r handshake.Responder
	for i := range handshake.MaxPending {
		require.True(t, r.Receive(o(i), fmt.Sprint("m", i), 0).Evaluate)
	}
	require.Equal(t, protocol.CodeLimitExceeded, r.Receive(o(9), "m9", 0).Code)
	r.Evaluated(o(0).Hash, nil, "", "")
	require.Equal(t, protocol.CodeLimitExceeded, r.Receive(o(9), "m9", 1).Code, "evaluations of other scopes count")
	require.True(t, r.Receive(o(9), "m9", 0).Evaluate, "later there is room")

	// A responder forgets old offers, unless they are agreed or under way.
	var many handshake.Responder
	for i := range 200 {
		require.True(t, many.Receive(o(i), fmt.Sprint("m", i), 0).Evaluate, i)
		many.Evaluated(o(i).Hash, nil, "", "")
	}
	require.Equal(t, handshake.ResponderIdle, many.State(o(0).Hash))
	require.Equal(t, handshake.ResponderDeclined, many.State(o(199).Hash))
	// It keeps answers up to a bound, and then refuses offers until it is told to forget.
	last := handshake.Action{}
	for i := 200; i < 300; i++ {
		if last = many.Receive(o(i), fmt.Sprint("m", i), 0); last.Evaluate {
			many.Evaluated(o(i).Hash, nil, "", "")
		}
	}
	require.Equal(t, protocol.CodeLimitExceeded, last.Code)
	many.Forget()
	require.True(t, many.Receive(o(300), "m300", 0).Evaluate)

	// An offer that is under way is not forgotten: it is answered once.
	require.True(t, many.Receive(o(300), "m300", 0).Wait)
	many.Forget()
	require.True(t, many.Receive(o(300), "m300", 0).Wait)
	require.Len(t, many.Evaluated(o(300).Hash, nil, "", ""), 1)

	// Agreed documents are not dropped to make room.
	var full handshake.Responder
	for i := range 64 {
		doc := handshake.Document(t, fmt.Sprint(i))
		require.True(t, full.Receive(offerOf(doc, false), fmt.Sprint("m", i), 0).Evaluate)
		full.Evaluated(doc.Pin(), doc, "", "")
	}
	require.Equal(t, protocol.CodeLimitExceeded, full.Receive(o(1), "x", 0).Code)

	// Nor are those that were offered as required: they stay so (DG-4).
	var long handshake.Responder
	doc := handshake.Document(t, "required")
	for i, first := range []handshake.Offer{offerOf(doc, true), {Hash: o(-1).Hash, Source: source, Required: true}} {
		require.True(t, long.Receive(first, fmt.Sprint("first", i), 0).Evaluate)
		long.Evaluated(first.Hash, nil, "", "")
	}
	for i := range 100 {
		require.True(t, long.Receive(o(i), fmt.Sprint("m", i), 0).Evaluate, i)
		long.Evaluated(o(i).Hash, nil, "", "")
	}
	require.True(t, long.Receive(offerOf(doc, false), "again", 0).Evaluate)
	long.Evaluated(doc.Pin(), doc, "", "")
	a, ok := long.Agreement(handshake.Scope{Local: "me", Context: "c"}, doc.Pin(), now)
	require.True(t, ok)
	require.True(t, a.Required)
}

func TestAgreements(t *testing.T) {
	t.Parallel()
	doc := handshake.Document(t, "a")
	scope := handshake.Scope{Local: "me", Peer: "peer", Card: "https://peer/card", Context: "ctx-7"}

	f := offered(t, doc, true)
	_, ok := f.Agreement(scope, now)
	require.False(t, ok, "pending")
	f.Receive(handshake.Response{Hash: doc.Pin(), Accept: true}, now)
	a, ok := f.Agreement(scope, now)
	require.True(t, ok)
	require.Equal(t, handshake.Agreement{Scope: scope, Pin: doc.Pin(), Source: source, Origin: handshake.OriginOffer, Required: true, Made: now, Expires: now.Add(handshake.AgreementTTL)}, a)
	_, ok = f.Agreement(handshake.Scope{Local: "me"}, now)
	require.False(t, ok, "a peer without authentication needs a context")

	var r handshake.Responder
	r.Receive(offerOf(doc, false), "m1", 0)
	_, ok = r.Agreement(scope, doc.Pin(), now)
	require.False(t, ok, "under way")
	r.Receive(offerOf(doc, true), "m2", 0)
	r.Evaluated(doc.Pin(), doc, "", "")
	r.Receive(offerOf(doc, false), "m3", 0)
	a, ok = r.Agreement(scope, doc.Pin(), now)
	require.True(t, ok)
	require.True(t, a.Required, "a peer raises it, never lowers it")
	require.Equal(t, source, a.Source)

	require.True(t, a.Holds(now))
	require.True(t, a.Holds(now.Add(handshake.AgreementTTL-1)))
	require.False(t, a.Holds(now.Add(handshake.AgreementTTL)))
	require.True(t, a.Holds(now.Add(-handshake.ClockSkew)), "by a clock that is behind")
	require.False(t, a.Holds(now.Add(-handshake.ClockSkew-1)), "from the future")
	require.False(t, handshake.Agreement{}.Holds(now))
	for name, change := range map[string]func(*handshake.Agreement){
		"no pin":    func(a *handshake.Agreement) { a.Pin = canon.Digest{} },
		"no origin": func(a *handshake.Agreement) { a.Origin = 0 },
		"no scope":  func(a *handshake.Agreement) { a.Scope = handshake.Scope{} },
	} {
		bad := a
		change(&bad)
		require.False(t, bad.Holds(now), name)
	}

	// The zero value is the safe one.
	require.True(t, handshake.Agreement{}.SecurityBearing())
	require.False(t, handshake.Agreement{Informal: true}.SecurityBearing())
	require.True(t, handshake.Agreement{Informal: true, Required: true}.SecurityBearing())

	require.True(t, handshake.Scope{Local: "me", Peer: "p"}.Valid())
	require.True(t, handshake.Scope{Local: "me", Context: "c"}.Valid())
	require.False(t, handshake.Scope{Peer: "p", Context: "c"}.Valid())
	require.Equal(t, "offer card none", fmt.Sprint(handshake.OriginOffer, " ", handshake.OriginCard, " ", handshake.Origin(0)))
}

func TestNames(t *testing.T) {
	t.Parallel()
	require.Equal(t, "NL OFFERED AGREED NL_ALLOWED ABORTED", fmt.Sprint(handshake.OfferorStart, " ", handshake.OfferorOffered, " ", handshake.OfferorAgreed, " ", handshake.OfferorNLAllowed, " ", handshake.OfferorAborted))
	require.Equal(t, "IDLE EVALUATING ACCEPTED DECLINED", fmt.Sprint(handshake.ResponderIdle, " ", handshake.ResponderEvaluating, " ", handshake.ResponderAccepted, " ", handshake.ResponderDeclined))
}
