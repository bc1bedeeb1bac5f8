package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestRequiredAtRandom has a peer offer three documents, of which this side declares one,
// accepts one and declines one, and send intents that conform; this side withdraws, and
// offers back as an optional one what the peer then declines. Prose is taken and made
// nowhere for a day after a required offer, nor where a document is agreed; and wherever
// nothing of the kind happened it is.
func TestRequiredAtRandom(t *testing.T) {
	t.Parallel()
	declared, accepted, declined := grant(t), read(t), canon.Sum([]byte("unwanted"))
	pins := []canon.Digest{declared.Pin(), accepted.Pin(), declined}
	bodies := []string{grantIntent, readIntent}
	rounds := 600
	if testing.Short() {
		rounds = 60
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		c := &clock{at: noon}
		across, life := r.IntN(4) == 0, []time.Duration{time.Minute, time.Hour, handshake.AgreementTTL}[r.IntN(3)]
		s := newSide(t, c, "alice", []*protocol.Reviewed{declared, accepted}, func(config *engine.Config) {
			config.AcrossContexts, config.AgreementLife = across, life
			config.Declared = []engine.Declared{{Pin: declared.Pin(), Source: source}}
			config.Policy = engine.AllowList{Pins: pins[:2]}
			config.Authorizer = permitAll
			if r.IntN(3) == 0 {
				config.Informal = pins[:1+r.IntN(2)]
			}
		})
		required, touched := map[string]time.Time{}, map[string]bool{} // by context: until when, and whether anything else was said
		var log []string
		for step := range 30 {
			if r.IntN(4) == 0 {
				s = s.restart(t)
			}
			c.add([]time.Duration{time.Second, time.Minute, time.Hour, 13 * time.Hour}[r.IntN(4)])
			contextID := fmt.Sprint("c", r.IntN(3))
			key := contextID
			if across {
				key = ""
			}
			which := r.IntN(3)
			id := fmt.Sprint("m", step)
			switch r.IntN(6) {
			case 0, 1:
				must := r.IntN(3) == 0
				o := receive(t, s, aliceToBob, message(id, contextID, payload("upgrade-offer", "", offerJSON(pins[which], must), "")))
				require.Equal(t, engine.KindReply, o.Kind, "%s", o.Trace)
				if must {
					required[key] = c.now().Add(handshake.AgreementTTL)
				}
				touched[key] = touched[key] || which < 2
				log = append(log, fmt.Sprintf("offer of %d in %s, required %t", which, contextID, must))
			case 2:
				if which < 2 {
					receive(t, s, aliceToBob, message(id, contextID, payload("intent", pins[which].String(), bodies[which], turtleMT)))
					touched[key] = true
					log = append(log, fmt.Sprintf("intent under %d in %s", which, contextID))
				}
			case 3:
				_, err := s.Withdraw(t.Context(), aliceToBob, contextID, pins[which])
				require.NoError(t, err)
				log = append(log, fmt.Sprintf("withdrawn from %d in %s", which, contextID))
			case 4:
				if _, err := s.Offer(t.Context(), engine.To{Peer: aliceToBob, ContextID: contextID, Role: engine.RoleAgent}, engine.OfferDraft{Pin: pins[which], Source: source}); err == nil {
					touched[key] = true
					receive(t, s, aliceToBob, message(id, contextID, payload("upgrade-response", "", responseJSON(pins[which], false), "")))
					log = append(log, fmt.Sprintf("optional offer of %d in %s, declined", which, contextID))
				}
			}
			for i := range 3 {
				contextID := fmt.Sprint("c", i)
				key := contextID
				if across {
					key = ""
				}
				_, err := s.Prose(t.Context(), engine.To{Peer: aliceToBob, ContextID: contextID, Role: engine.RoleAgent}, "please")
				hello := engine.Message{ID: "p" + id, ContextID: contextID, Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "please"}}}
				taken := receive(t, s, aliceToBob, hello).Kind == engine.KindProse
				require.Equal(t, err == nil, taken, "seed %d: %q", seed, log)
				if c.now().Before(required[key]) {
					require.False(t, taken, "seed %d: prose in %s after a required offer: %q", seed, contextID, log)
				}
				for _, pin := range pins {
					if agreed, err := s.Agreed(t.Context(), aliceToBob, contextID, pin); taken {
						require.NoError(t, err)
						require.False(t, agreed, "seed %d: prose in %s: %q", seed, contextID, log)
					}
				}
				if !touched[key] && required[key].IsZero() {
					require.True(t, taken, "seed %d: no prose in %s: %q", seed, contextID, log)
				}
			}
		}
	}
}
