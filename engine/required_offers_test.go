package engine_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestProseAfterRequired: where the peer's required offer was accepted here, prose stays
// forbidden in both directions when the agreement is over, however it ended (DG-3, DG-4,
// sections 5.3 and 5.5), for a day longer than it could have held.
func TestProseAfterRequired(t *testing.T) {
	t.Parallel()
	doc, other := grant(t), read(t)
	const day = handshake.AgreementTTL
	withdraw := func(t *testing.T, s *side, _ *clock) {
		was, err := s.Withdraw(t.Context(), aliceToBob, "ctx", doc.Pin())
		require.NoError(t, err)
		require.True(t, was)
	}
	for name, row := range map[string]struct {
		offers  []bool // which of them were required
		inReply bool
		ends    func(t *testing.T, s *side, c *clock)
		change  func(*engine.Config)
		prose   bool
	}{
		"withdrawn":                            {[]bool{true}, false, withdraw, nil, false},
		"withdrawn, in reply":                  {[]bool{true}, true, withdraw, nil, false},
		"over":                                 {[]bool{true}, false, func(_ *testing.T, _ *side, c *clock) { c.add(day) }, nil, false},
		"over, in reply":                       {[]bool{true}, true, func(_ *testing.T, _ *side, c *clock) { c.add(day) }, nil, false},
		"over, a short life":                   {[]bool{true}, false, func(_ *testing.T, _ *side, c *clock) { c.add(time.Minute) }, func(c *engine.Config) { c.AgreementLife = time.Minute }, false},
		"withdrawn, not security-bearing here": {[]bool{true}, false, withdraw, func(c *engine.Config) { c.Informal = []canon.Digest{doc.Pin()} }, false},
		"withdrawn, the routine": {[]bool{true}, false, withdraw, func(c *engine.Config) {
			c.Informal = []canon.Digest{doc.Pin()}
			c.Routine = func(context.Context, engine.Peer, *engine.Message) (canon.Digest, bool) { return doc.Pin(), true }
		}, false},
		"the document is gone": {[]bool{true}, false, func(_ *testing.T, s *side, _ *clock) { s.config.Documents = protocol.NewStore(0) }, nil, false},
		"withdrawn, then an intent under the card": {[]bool{true}, false, func(t *testing.T, s *side, c *clock) {
			withdraw(t, s, c)
			require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, message("i", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT))).Kind)
			c.add(time.Minute)
		}, func(c *engine.Config) {
			c.AgreementLife, c.Authorizer = time.Minute, permitAll
			c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
		}, false},
		"raised":              {[]bool{false, true}, false, withdraw, nil, false},
		"not lowered":         {[]bool{true, false}, false, withdraw, nil, false},
		"optional, withdrawn": {[]bool{false}, false, withdraw, nil, true},
		"optional, over":      {[]bool{false}, false, func(_ *testing.T, _ *side, c *clock) { c.add(day) }, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			s := newSide(t, c, "alice", []*protocol.Reviewed{doc, other}, row.change)
			life := day
			if s.config.AgreementLife > 0 {
				life = s.config.AgreementLife
			}
			to := engine.To{Peer: aliceToBob, ContextID: "ctx"}
			for i, required := range row.offers {
				m := message(string(rune('a'+i)), "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), required), ""))
				var o engine.Outcome
				if row.inReply {
					hello, err := s.Prose(t.Context(), to, "hello")
					require.NoError(t, err)
					m.Role = engine.RoleAgent
					o = receiveReply(t, s, aliceToBob, hello, engine.Reply{Message: &m})
				} else {
					o = receive(t, s, aliceToBob, m)
				}
				require.NotNil(t, o.Agreement, "%s", o.Trace)
			}
			row.ends(t, s, c)
			allowed := func(contextID string) bool {
				e := s.restart(t)
				_, err := e.Prose(t.Context(), engine.To{Peer: aliceToBob, ContextID: contextID}, "please")
				if err != nil {
					refusedWith(t, protocol.CodeUpgradeRequired, err)
				}
				got := receive(t, e, aliceToBob, engine.Message{ID: "p", ContextID: contextID, Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "please"}}})
				if s.config.Routine == nil { // which names what arrives alone
					require.Equal(t, err == nil, got.Kind == engine.KindProse, "both directions")
				}
				return got.Kind == engine.KindProse
			}
			require.Equal(t, row.prose, allowed("ctx"))
			require.True(t, allowed("ctx-2"))
			if !row.prose && name != "the document is gone" {
				_, err := s.restart(t).Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source})
				require.ErrorIs(t, err, handshake.ErrRequired, "whose decline would allow prose")
				require.NotNil(t, receive(t, s.restart(t), aliceToBob, message("z", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), true), ""))).Agreement, "it may be agreed again")
				require.False(t, allowed("ctx"))
			}
			c.add(life + day - time.Second)
			require.Equal(t, row.prose, allowed("ctx"))
			c.add(time.Second + day)
			require.True(t, allowed("ctx"), "there is an end")
		})
	}
}

// asked is a policy that asks.
type asked func() error

func (f asked) Allow(context.Context, engine.Proposal, *protocol.Review) error { return f() }

// TestProseWhileEvaluated: a required offer forbids prose before it is answered, and an
// optional one does not (section 5.5).
func TestProseWhileEvaluated(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, required := range []bool{true, false} {
		var s *side
		n := 0
		s = newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
			c.Policy = asked(func() error {
				n++
				_, err := s.Prose(t.Context(), engine.To{Peer: aliceToBob, ContextID: "ctx"}, "please")
				require.Equal(t, required, err != nil)
				return nil
			})
		})
		require.NotNil(t, receive(t, s, aliceToBob, message("1", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), required), ""))).Agreement)
		require.NotZero(t, n)
	}
}

// TestManyRequired: what required offers leave behind in a context is bounded, and one more
// is not answered rather than forgotten.
func TestManyRequired(t *testing.T) {
	t.Parallel()
	s := newSide(t, &clock{at: noon}, "alice", nil, nil) // which declines all of them
	offer := func(i int) engine.Outcome {
		o, err := s.Receive(t.Context(), aliceToBob, message(strconv.Itoa(i), "ctx", payload("upgrade-offer", "", offerJSON(canon.Sum([]byte{byte(i)}), true), "")))
		require.NoError(t, err)
		return o
	}
	for i := range 64 {
		require.Equal(t, engine.KindReply, offer(i).Kind)
	}
	full := offer(64)
	require.Equal(t, engine.KindRefused, full.Kind)
	require.Equal(t, protocol.CodeLimitExceeded, full.Code)
	records, err := s.store.List(t.Context(), "", 100, noon)
	require.NoError(t, err)
	require.Len(t, records, 1)
	_, err = s.Prose(t.Context(), engine.To{Peer: aliceToBob, ContextID: "ctx"}, "please")
	refusedWith(t, protocol.CodeUpgradeRequired, err)
	records, err = s.store.List(t.Context(), "", 100, noon.Add(2*handshake.AgreementTTL))
	require.NoError(t, err)
	require.Empty(t, records)
}
