package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// TestUnreadableScope: what is known of a context and cannot be read forbids everything that
// would depend on it, on both sides; nothing of it is replaced.
func TestUnreadableScope(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, garbage := range []string{"", "{", "[]", "null", `{"version":2}`, `{"version":1,"offers":[{}]}`, `{"version":1,"agreed":{}}`} {
		t.Run(garbage, func(t *testing.T) {
			t.Parallel()
			s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
			_, err := s.Offer(t.Context(), engine.To{Peer: bobToAlice, ContextID: "ctx"}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
			require.NoError(t, err)
			records, err := s.store.List(t.Context(), "scope/", 10, noon)
			require.NoError(t, err)
			require.Len(t, records, 1)
			done, err := s.store.Swap(t.Context(), records[0].Name, replay.Owner{}, records[0].Version, []byte(garbage), noon.Add(time.Hour), noon)
			require.NoError(t, err)
			require.True(t, done)

			to := engine.To{Peer: bobToAlice, ContextID: "ctx"}
			_, err = s.Prose(t.Context(), to, "please")
			require.Error(t, err)
			_, err = s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source})
			require.Error(t, err)
			_, err = s.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
			require.Error(t, err)
			p := bobToAlice
			p.Active = []string{uri}
			text := message("m", "ctx", engine.Part{Content: engine.Text, Text: "please"})
			text.Extensions = nil
			for _, m := range []engine.Message{
				text, message("o", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), false), "")), message("i", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT)),
			} {
				o, err := s.Receive(t.Context(), p, m)
				require.Equal(t, engine.KindRefused, o.Kind, "%s: %s", m.ID, o.Trace)
				require.True(t, err != nil || o.Code == protocol.CodeUnsupportedProtocol, "%s: %s", m.ID, o.Trace)
			}
			r, ok, err := s.store.Load(t.Context(), records[0].Name, noon)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, garbage, string(r.Value))
		})
	}
}

// answers is a store that tells of a message what a test says.
type answers struct {
	replay.Store
	claim replay.Claim
}

func (a answers) Claim(context.Context, replay.Key, canon.Digest, time.Time) (replay.Claim, error) {
	return a.claim, nil
}

// TestUnreadableAnswers: a message that the store does not call fresh is not carried out,
// whatever the store says of it, and an answer that cannot be read is none.
func TestUnreadableAnswers(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, claim := range []replay.Claim{
		{}, {State: 9}, {State: replay.Running, Answer: []byte("x")}, {State: replay.Conflict}, {State: replay.Answered},
		{State: replay.Answered, Answer: []byte{}}, {State: replay.Answered, Answer: []byte("?")}, {State: replay.Answered, Answer: []byte("{")},
		{State: replay.Answered, Answer: []byte("m{")}, {State: replay.Answered, Answer: []byte("r{")}, {State: replay.Answered, Answer: []byte("o{}")},
	} {
		s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
			c.Declared = []engine.Declared{{Pin: doc.Pin()}}
			c.Store = answers{c.Store, claim}
			c.Authorizer = engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
				return engine.Authority{}, errors.New("asked")
			})
		})
		o, err := s.Receive(t.Context(), aliceToBob, message("m", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT)))
		require.Contains(t, []engine.Kind{engine.KindRefused, engine.KindDuplicate}, o.Kind, "%v", claim)
		require.Nil(t, o.Message, "%v", claim)
		require.Nil(t, o.Intent)
		require.False(t, err != nil && strings.Contains(err.Error(), "asked"), "%v", claim)
	}
}

// TestExpectChallenge: a challenge that the caller issued counts once, for the peer and the
// context that it was issued for, and is expected once.
func TestExpectChallenge(t *testing.T) {
	t.Parallel()
	doc := read(t)
	const domain, challenge = "https://alice.example/a2a", "0123456789abcdef0123456789abcdef"
	s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
		c.Domain, c.Authorizer, c.Declared = domain, chains(t, nil), []engine.Declared{{Pin: doc.Pin()}}
	})
	p := engine.Peer{Principal: bob, Active: []string{uri}}
	require.NoError(t, s.ExpectChallenge(t.Context(), p, "ctx", challenge))
	require.Error(t, s.ExpectChallenge(t.Context(), p, "other", challenge))
	send := func(id, contextID string) engine.Kind {
		m := message(id, contextID, payload("intent", doc.Pin().String(), readIntent, turtleMT))
		m.Parts = append(m.Parts, engine.Part{Content: engine.Text, Text: string(presentation(t, challenge, domain)), MediaType: "application/vp", Metadata: payload("authorization", "", "", "").Metadata})
		return receive(t, s, p, m).Kind
	}
	require.Equal(t, engine.KindRefused, send("1", "other"))
	require.Equal(t, engine.KindIntent, send("2", "ctx"))
	require.Equal(t, engine.KindRefused, send("3", "ctx"))
}
