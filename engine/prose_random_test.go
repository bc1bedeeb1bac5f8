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

// proseModel says where a client must not speak in prose, by context and document: why, or
// "". It knows the rules alone (a2a-rdf, DG-1 to DG-6), not what the engine keeps.
type proseModel struct {
	across    bool // all contexts are one
	forbidden map[proseKey]string
	first     map[proseKey]bool // what first messages forbade when one was answered in the context
	began     map[proseKey]bool // an offer of the document was made in the context, or came there
}

type proseKey struct {
	context string
	pin     canon.Digest
}

func (m *proseModel) key(contextID string, pin canon.Digest) proseKey {
	if m.across {
		contextID = ""
	}
	return proseKey{contextID, pin}
}

func (m *proseModel) forbid(contextID string, pin canon.Digest, why string) {
	m.forbidden[m.key(contextID, pin)] = why
}

// allow lifts what was forbidden for a reason, and nothing that was forbidden since.
func (m *proseModel) allow(contextID string, pin canon.Digest, why string) {
	if k := m.key(contextID, pin); m.forbidden[k] == why {
		delete(m.forbidden, k)
	}
}

// answered says that a first message was answered in a context.
func (m *proseModel) answered(contextID string) {
	for k := range m.forbidden {
		if k.context == "" {
			m.first[m.key(contextID, k.pin)] = true
		}
	}
}

// why says why prose is forbidden in a context, "" when it is not.
func (m *proseModel) why(contextID string) string {
	for k, why := range m.forbidden {
		if k.context == m.key(contextID, k.pin).context {
			return why
		}
	}
	for k := range m.first {
		why := m.forbidden[proseKey{"", k.pin}]
		if k.context == m.key(contextID, k.pin).context && why != "" && (why != offered || !m.began[k]) {
			return why + ", in first messages"
		}
	}
	return ""
}

const offered, sent, agreed = "an offer is not decided", "an intent is not answered", "a document is in use"

// TestProseAtRandom sends offers and intents by two declared documents, with and without a
// context, and answers them in every way, in any order and in any context, to a client
// that may be restarted in between. Prose is never made where the model forbids it.
func TestProseAtRandom(t *testing.T) {
	t.Parallel()
	docs := []*protocol.Reviewed{grant(t), read(t)}
	bodies := []string{grantIntent, readIntent}
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	contexts := []string{"", "c1", "c2"}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		c := &clock{at: noon}
		model := proseModel{across: r.IntN(4) == 0, forbidden: map[proseKey]string{}, first: map[proseKey]bool{}, began: map[proseKey]bool{}}
		peer := bobToAlice
		for _, d := range docs {
			peer.Accepts = append(peer.Accepts, accepted(t, d.Pin())...)
		}
		s := newSide(t, c, "bob", docs, func(config *engine.Config) { config.AcrossContexts = model.across })
		var made []engine.Message
		var intents []bool // of made
		var pins []canon.Digest
		var log []string
		for range 20 {
			c.add(time.Duration(r.IntN(50)) * time.Second)
			if r.IntN(5) == 0 {
				s = s.restart(t)
			}
			to := engine.To{Peer: peer}
			if r.IntN(2) == 0 { // first messages have the most to tell
				to.ContextID = contexts[1+r.IntN(2)]
			}
			which := r.IntN(len(docs))
			pin := docs[which].Pin()
			switch r.IntN(4) {
			case 0:
				m, err := s.Offer(t.Context(), to, engine.OfferDraft{Pin: pin, Source: source, Required: r.IntN(2) == 0})
				if err == nil {
					model.forbid(to.ContextID, pin, offered)
					model.began[model.key(to.ContextID, pin)] = true
					made, intents, pins = append(made, m), append(intents, false), append(pins, pin)
					log = append(log, fmt.Sprintf("offer of %d in %q", which, to.ContextID))
				}
			case 1:
				m, err := s.Intent(t.Context(), to, engine.IntentDraft{Pin: pin, Body: bodies[which], MediaType: turtleMT})
				if err == nil {
					model.forbid(to.ContextID, pin, sent)
					made, intents, pins = append(made, m), append(intents, true), append(pins, pin)
					log = append(log, fmt.Sprintf("intent under %d in %q", which, to.ContextID))
				}
			default:
				if len(made) == 0 {
					continue
				}
				i := r.IntN(len(made))
				m, there := made[i], made[i].ContextID
				pin := pins[i]
				if there == "" || r.IntN(6) == 0 {
					there = contexts[r.IntN(len(contexts))]
				}
				o, _ := s.ReceiveReply(t.Context(), peer, m, randomReply(r, pin, there))
				log = append(log, fmt.Sprintf("reply in %q to what was sent in %q about %t %s: %s in %q", there, m.ContextID, intents[i], pin.String()[7:11], o.Kind, o.ContextID))
				first := intents[i] && m.ContextID == ""
				switch {
				case o.Kind == engine.KindAgreed:
					model.allow(m.ContextID, pin, offered)
					model.forbid(o.ContextID, pin, agreed)
				case o.Kind == engine.KindDeclined:
					model.allow(m.ContextID, pin, offered)
					model.allow(o.ContextID, pin, offered)
				case first && o.Kind == engine.KindResponse:
					model.allow("", pin, sent)
				}
				if o.ContextID != "" && m.ContextID == "" {
					if !intents[i] {
						model.began[model.key(o.ContextID, pin)] = true
					}
					if first || o.Kind == engine.KindDeclined {
						model.answered(o.ContextID)
					}
				}
				if first && o.ContextID != "" {
					model.forbid(o.ContextID, pin, agreed)
				}
			}
			for _, contextID := range contexts {
				_, err := s.Prose(t.Context(), engine.To{Peer: peer, ContextID: contextID}, "please")
				why := model.why(contextID)
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
