package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// proseModel says where a client must not speak in prose, by context: why, or "". It
// knows the rules alone (a2a-rdf, DG-1 to DG-6), not what the engine keeps.
type proseModel struct {
	across    bool // all contexts are one
	forbidden map[string]string
}

func (m *proseModel) scope(contextID string) string {
	if m.across {
		return ""
	}
	return contextID
}

func (m *proseModel) forbid(contextID, why string) { m.forbidden[m.scope(contextID)] = why }

// allow lifts what was forbidden for a reason, and nothing that was forbidden since.
func (m *proseModel) allow(contextID, why string) {
	if m.forbidden[m.scope(contextID)] == why {
		delete(m.forbidden, m.scope(contextID))
	}
}

// TestProseAtRandom sends offers and intents by a declared document, with and without a
// context, and answers them in every way, in any order and in any context, to a client
// that may be restarted in between. Prose is never made where the model forbids it.
func TestProseAtRandom(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	const offered, sent, agreed = "an offer is not decided", "an intent is not answered", "a document is in use"
	contexts := []string{"", "c1", "c2"}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		c := &clock{at: noon}
		model := proseModel{across: r.IntN(4) == 0, forbidden: map[string]string{}}
		peer := bobToAlice
		peer.Accepts = accepted(t, doc.Pin())
		s := newSide(t, c, "bob", []*protocol.Reviewed{doc}, func(config *engine.Config) { config.AcrossContexts = model.across })
		var made []engine.Message
		var intents []bool // of made
		var log []string
		for range 12 {
			c.add(time.Duration(r.IntN(50)) * time.Second)
			if r.IntN(5) == 0 {
				s = s.restart(t)
			}
			to := engine.To{Peer: peer, ContextID: contexts[r.IntN(len(contexts))]}
			switch r.IntN(4) {
			case 0:
				m, err := s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: r.IntN(2) == 0})
				if err == nil {
					model.forbid(to.ContextID, offered)
					made, intents = append(made, m), append(intents, false)
					log = append(log, fmt.Sprintf("offer in %q", to.ContextID))
				}
			case 1:
				m, err := s.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
				if err == nil {
					model.forbid(to.ContextID, sent)
					made, intents = append(made, m), append(intents, true)
					log = append(log, fmt.Sprintf("intent in %q", to.ContextID))
				}
			default:
				if len(made) == 0 {
					continue
				}
				i := r.IntN(len(made))
				m, there := made[i], made[i].ContextID
				if there == "" || r.IntN(6) == 0 {
					there = to.ContextID
				}
				o, _ := s.ReceiveReply(t.Context(), peer, m, randomReply(r, doc.Pin(), there))
				log = append(log, fmt.Sprintf("reply in %q to what was sent in %q: %s in %q", there, m.ContextID, o.Kind, o.ContextID))
				first := intents[i] && m.ContextID == ""
				switch {
				case o.Kind == engine.KindAgreed:
					model.allow(m.ContextID, offered)
					model.forbid(o.ContextID, agreed)
				case o.Kind == engine.KindDeclined:
					model.allow(m.ContextID, offered)
					model.allow(o.ContextID, offered)
					if m.ContextID == "" && model.forbidden[""] == sent {
						model.forbid(o.ContextID, sent)
					}
				case first && o.Kind == engine.KindResponse:
					model.allow("", sent)
				}
				if first && o.ContextID != "" {
					model.forbid(o.ContextID, agreed)
				}
			}
			for _, contextID := range contexts {
				_, err := s.Prose(t.Context(), engine.To{Peer: peer, ContextID: contextID}, "please")
				why := model.forbidden[model.scope(contextID)]
				require.False(t, err == nil && why != "", "seed %d: prose in %q, where %s: %q", seed, contextID, why, log)
			}
		}
	}
}

// randomReply is an answer to an offer, to an intent, or to neither.
func randomReply(r *rand.Rand, pin canon.Digest, contextID string) engine.Reply {
	answer := func(pin canon.Digest, accept bool) engine.Reply {
		m := message("r", contextID, payload("upgrade-response", "", responseJSON(pin, accept), ""))
		m.Role = engine.RoleAgent
		return engine.Reply{Message: &m}
	}
	task := func(s engine.TaskState) engine.Reply {
		return engine.Reply{State: s, TaskID: "t", ContextID: contextID}
	}
	switch r.IntN(9) {
	case 0:
		return answer(pin, true)
	case 1, 2:
		return answer(pin, false)
	case 3:
		return answer(canon.Sum(nil), false)
	case 4:
		return engine.Reply{Message: &engine.Message{ID: "r", ContextID: contextID, Role: engine.RoleAgent, Parts: []engine.Part{{Content: engine.Text, Text: "done"}}}}
	case 5:
		return engine.Reply{Failed: true}
	case 6:
		return task([]engine.TaskState{engine.TaskWorking, engine.TaskInput}[r.IntN(2)])
	case 7:
		return task(engine.TaskFailed)
	}
	return engine.Reply{}
}

// TestDeclineBesideAnotherOffer: the decline of an optional offer without a context, which
// comes in a context where an offer of the document is pending, ends both: what aborted
// allows no prose, where it was offered either.
func TestDeclineBesideAnotherOffer(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
	var offers []engine.Message
	for _, contextID := range []string{"", "ctx"} {
		m, err := s.Offer(t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, engine.OfferDraft{Pin: doc.Pin(), Source: source})
		require.NoError(t, err)
		offers = append(offers, m)
	}
	decline := message("r", "ctx", payload("upgrade-response", "", responseJSON(doc.Pin(), false), ""))
	decline.Role = engine.RoleAgent
	for _, m := range offers {
		require.Equal(t, engine.KindAborted, receiveReply(t, s, bobToAlice, m, engine.Reply{Message: &decline}).Kind)
	}
	for _, contextID := range []string{"", "ctx"} {
		_, err := s.restart(t).Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, "please")
		refusedWith(t, protocol.CodeUpgradeRequired, err)
	}
}
