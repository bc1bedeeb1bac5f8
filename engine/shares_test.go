package engine_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// TestShares: what a peer makes the agent keep has a bound, below which the store has room
// for others, and for what the agent keeps of its own messages.
func TestShares(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	const most, all = 20, 500
	offer := func(required bool) func(string) engine.Message {
		return func(contextID string) engine.Message {
			return message("m", contextID, payload("upgrade-offer", "", offerJSON(doc.Pin(), required), ""))
		}
	}
	intent := func(contextID string) engine.Message {
		return message("m", contextID, payload("intent", doc.Pin().String(), grantIntent, turtleMT))
	}
	prose := func(contextID string) engine.Message {
		return engine.Message{ID: "m", ContextID: contextID, Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "grant"}}}
	}
	for name, row := range map[string]struct {
		message func(contextID string) engine.Message
		change  func(*engine.Config)
		want    engine.Kind // of a message that there is room for
		taken   int         // how many there is room for
	}{
		"offers that are accepted":          {offer(false), nil, engine.KindReply, most / 2},
		"required offers that are declined": {offer(true), func(c *engine.Config) { c.Policy = nil }, engine.KindReply, most},
		"prose that is answered with an offer": {prose, func(c *engine.Config) {
			c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
			c.OfferInReply, c.Routine = true, routine(doc.Pin())
		}, engine.KindReply, most},
		"intents under a declared document": {intent, func(c *engine.Config) {
			c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
		}, engine.KindIntent, most / 2},
		"challenges": {offer(false), func(c *engine.Config) { c.Domain = "https://alice.example/" }, engine.KindReply, most/3 + 1}, // the last without one
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
				c.Store = replay.NewMemory(replay.Limits{PeerRecords: most, Records: all})
				if row.change != nil {
					row.change(c)
				}
			})
			for peer, p := range map[string]engine.Peer{
				"bob": aliceToBob, "carol": {Principal: "https://carol.example/", Active: []string{uri}}, "no name": {Active: []string{uri}},
			} {
				taken := 0
				for i := range 3 * most {
					o := receive(t, s, p, row.message(peer+strconv.Itoa(i)))
					if o.Kind == row.want {
						taken++
						continue
					}
					require.Equal(t, engine.KindRefused, o.Kind)
					if o.Code != protocol.CodeUpgradeRequired { // prose, and no offer in answer to it
						require.Equal(t, protocol.CodeLimitExceeded, o.Code)
						require.True(t, o.Rate)
						again := receive(t, s, p, row.message(peer+strconv.Itoa(i)))
						require.True(t, again.Seen)
						require.Equal(t, o.Code, again.Code)
						require.Equal(t, o.Rate, again.Rate)
					}
				}
				require.Equal(t, row.taken, taken, peer)
				if row.want == engine.KindReply && row.taken == most/2 { // what is agreed goes on, and can be raised and ended
					m := intent(peer + "0")
					m.ID = "n"
					require.Equal(t, engine.KindIntent, receive(t, s, p, m).Kind)
					m = offer(true)(peer + "0")
					m.ID = "required"
					raised := receive(t, s, p, m)
					require.Equal(t, engine.KindReply, raised.Kind)
					require.True(t, raised.Agreement.Required)
					was, err := s.Withdraw(t.Context(), p, peer+"1", doc.Pin())
					require.NoError(t, err)
					require.True(t, was)
					m = row.message(peer + "1")
					m.ID = "again"
					require.Equal(t, row.want, receive(t, s, p, m).Kind, "in the room of the other")
				}
			}
			to := engine.To{Peer: aliceToBob, Role: engine.RoleAgent}
			for i := range 3 * most { // its own
				to.ContextID = "own" + strconv.Itoa(i)
				_, err := s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source})
				require.NoError(t, err)
			}
		})
	}
}

// TestShareAndMessages: a peer that sends as many messages as are remembered of one, each in
// a context of its own, is refused before one is judged, and not where its records end.
func TestShareAndMessages(t *testing.T) {
	t.Parallel()
	doc, limits := grant(t), replay.DefaultLimits()
	const most = 100
	limits.PeerRecords, limits.PerPeer = limits.PeerRecords*most/limits.PerPeer, most
	for name, part := range map[string]engine.Part{
		"intents": payload("intent", doc.Pin().String(), grantIntent, turtleMT),
		"offers":  payload("upgrade-offer", "", offerJSON(doc.Pin(), true), ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			s := newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(config *engine.Config) {
				config.Store, config.Domain = replay.NewMemory(limits), "https://alice.example/"
				config.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
			})
			for i := range most {
				c.add(10 * time.Minute) // the challenge of the last is over
				o := receive(t, s, aliceToBob, message("m", "ctx-"+strconv.Itoa(i), part))
				require.NotEqual(t, engine.KindRefused, o.Kind, "%d: %s", i, o.Reason)
			}
			o := receive(t, s, aliceToBob, message("m", "ctx", part))
			require.True(t, o.Rate)
			require.Equal(t, "7.3.2", o.Trace[len(o.Trace)-1].Name)
		})
	}
}

// TestChallengeWithoutRoom: the answer that accepts an offer stands without the challenge
// that there is no room for, so that both sides have the agreement or none has it, and a
// peer that goes on offering is answered whenever there is room for what is agreed.
func TestChallengeWithoutRoom(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	c := &clock{at: noon}
	s := newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(config *engine.Config) {
		config.Store, config.Domain = replay.NewMemory(replay.Limits{PeerRecords: 20}), "https://alice.example/"
	})
	const day = 24 * 60
	accepted := [3]int{}
	for minute := range len(accepted) * day {
		c.add(time.Minute)
		o := receive(t, s, aliceToBob, message("m", "ctx-"+strconv.Itoa(minute), payload("upgrade-offer", "", offerJSON(doc.Pin(), false), "")))
		agreed, err := s.Agreed(t.Context(), aliceToBob, "ctx-"+strconv.Itoa(minute), doc.Pin())
		require.NoError(t, err)
		require.Equal(t, o.Kind == engine.KindReply, agreed)
		if agreed {
			accepted[minute/day]++
		}
	}
	for _, n := range accepted {
		require.GreaterOrEqual(t, n, 6)
	}

	// The other way round: this side offered, and the peer accepts in a message of its own,
	// when its share is used up.
	s = newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(config *engine.Config) {
		config.Store, config.Domain = replay.NewMemory(replay.Limits{PeerRecords: 2}), "https://alice.example/"
	})
	require.Equal(t, engine.KindReply, receive(t, s, aliceToBob, message("m", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), false), ""))).Kind)
	_, err := s.Offer(t.Context(), engine.To{Peer: aliceToBob, Role: engine.RoleAgent, ContextID: "own"}, engine.OfferDraft{Pin: doc.Pin(), Source: source})
	require.NoError(t, err)
	o := receive(t, s, aliceToBob, message("m", "own", payload("upgrade-response", "", responseJSON(doc.Pin(), true), "")))
	require.Equal(t, engine.KindAgreed, o.Kind)
	require.NotNil(t, o.Message)
	agreed, err := s.Agreed(t.Context(), aliceToBob, "own", doc.Pin())
	require.NoError(t, err)
	require.True(t, agreed)
}

// TestAnswersWithoutRoom: a peer whose answers take all the room that they have is answered
// all the same, once: a copy of what is not remembered is in progress, and not judged again.
func TestAnswersWithoutRoom(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(config *engine.Config) {
		config.Store = replay.NewMemory(replay.Limits{PeerBytes: 1})
	})
	m := message("m", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), false), ""))
	require.Equal(t, engine.KindReply, receive(t, s, aliceToBob, m).Kind)
	o := receive(t, s, aliceToBob, m)
	require.Equal(t, engine.KindDuplicate, o.Kind)
	require.Nil(t, o.Message)
	require.Nil(t, o.Stored)
}
