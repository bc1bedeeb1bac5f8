package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// This test stands between a client and a server and does to every message what a box on
// the way can do: drop, duplicate, reorder, strip and alter each field. Whatever it does,
// no prose follows a required offer, and nothing is executed twice.

// harm is what the box does to one message.
type harm struct {
	name string
	do   func(m *engine.Message)
}

// harms are those that change one field.
func harms(pin canon.Digest) []harm {
	other := canon.Sum([]byte("another document")).String()
	var all []harm
	add := func(name string, do func(m *engine.Message)) { all = append(all, harm{name, do}) }
	add("no id", func(m *engine.Message) { m.ID = "" })
	add("another id", func(m *engine.Message) { m.ID = "box-" + m.ID })
	add("no context", func(m *engine.Message) { m.ContextID = "" })
	add("another context", func(m *engine.Message) { m.ContextID = "ctx-box" })
	add("a task", func(m *engine.Message) { m.TaskID = "task-box" })
	add("no role", func(m *engine.Message) { m.Role = 0 })
	add("the other role", func(m *engine.Message) { m.Role = 3 - m.Role })
	add("no extensions", func(m *engine.Message) { m.Extensions = nil })
	add("another extension", func(m *engine.Message) { m.Extensions = []string{"https://other.example/"} })
	add("no metadata", func(m *engine.Message) { m.Metadata = nil })
	add("a code", func(m *engine.Message) { m.Metadata = []byte(`{"` + protocol.KeyError + `":"unsupported-protocol"}`) })
	add("broken metadata", func(m *engine.Message) { m.Metadata = []byte(`{`) })
	add("a challenge of the box", func(m *engine.Message) {
		m.Metadata = []byte(`{"` + protocol.KeyChallenge + `":{"challenge":"box","domain":"https://alice.example/","expires":"2026-08-02T00:00:00Z"}}`)
	})
	add("no parts", func(m *engine.Message) { m.Parts = nil })
	add("prose", func(m *engine.Message) { m.Parts = []engine.Part{{Content: engine.Text, Text: "no thanks"}} })
	add("plain prose", func(m *engine.Message) {
		m.Extensions, m.Metadata, m.Parts = nil, nil, []engine.Part{{Content: engine.Text, Text: "no thanks"}}
	})
	add("nothing of the extension", func(m *engine.Message) {
		m.Extensions, m.Metadata = nil, nil
		for i := range m.Parts {
			m.Parts[i].Metadata = nil
		}
	})
	add("parts twice", func(m *engine.Message) { m.Parts = append(m.Parts, m.Parts...) })
	add("a decline besides", func(m *engine.Message) {
		m.Parts = append(m.Parts, payload("upgrade-response", "", responseJSON(pin, false), ""))
	})
	add("reversed parts", func(m *engine.Message) { slices.Reverse(m.Parts) })
	part := func(name string, do func(p *engine.Part)) {
		add("first part: "+name, func(m *engine.Message) {
			if len(m.Parts) > 0 {
				do(&m.Parts[0])
			}
		})
		add("last part: "+name, func(m *engine.Message) {
			if n := len(m.Parts); n > 0 {
				do(&m.Parts[n-1])
			}
		})
		add("all parts: "+name, func(m *engine.Message) {
			for i := range m.Parts {
				do(&m.Parts[i])
			}
		})
	}
	part("no metadata", func(p *engine.Part) { p.Metadata = nil })
	part("empty metadata", func(p *engine.Part) { p.Metadata = []byte(`{}`) })
	part("no content", func(p *engine.Part) { p.Content = 0 })
	part("a URL", func(p *engine.Part) { p.Content = engine.URL })
	part("raw", func(p *engine.Part) { p.Content = engine.Raw })
	part("text", func(p *engine.Part) { p.Content, p.Text = engine.Text, p.Text+string(p.Data) })
	part("no media type", func(p *engine.Part) { p.MediaType = "" })
	part("another media type", func(p *engine.Part) { p.MediaType = "text/plain" })
	part("empty", func(p *engine.Part) { p.Text, p.Data = "", nil })
	part("cut", func(p *engine.Part) { p.Text, p.Data = p.Text[:len(p.Text)/2], p.Data[:len(p.Data)/2] })
	part("a file name", func(p *engine.Part) { p.Filename = "box" })
	replace := func(old, by string) {
		part(old+" to "+by, func(p *engine.Part) {
			p.Text = strings.ReplaceAll(p.Text, old, by)
			p.Data = bytes.ReplaceAll(p.Data, []byte(old), []byte(by))
		})
	}
	replace(`"accept":true`, `"accept":false`)
	replace(`"accept":false`, `"accept":true`)
	replace(`"required":true`, `"required":false`)
	replace(`"accept"`, `"Accept"`)
	replace(`upgrade-offer`, `upgrade-response`)
	replace(`upgrade-response`, `upgrade-offer`)
	replace(pin.String(), other)
	replace(`notes`, `secrets`)
	replace(`challenge`, `Challenge`)
	for _, role := range []protocol.Role{protocol.RoleUpgradeOffer, protocol.RoleUpgradeResponse, protocol.RoleIntent, protocol.RoleResponse, protocol.RoleAuthorization, "box"} {
		part("kind "+string(role), func(p *engine.Part) { p.Metadata = payload(string(role), "", "", "").Metadata })
		part("kind and pin "+string(role), func(p *engine.Part) { p.Metadata = payload(string(role), pin.String(), "", "").Metadata })
	}
	return all
}

func cloned(m engine.Message) engine.Message {
	m.Extensions = slices.Clone(m.Extensions)
	m.Parts = slices.Clone(m.Parts)
	return m
}

// box decides what arrives of the message that is sent as the n-th of a conversation,
// requests and replies counted together: several copies, harmed or not, or none.
type box func(n int, m engine.Message) []engine.Message

// world is a client and a server with a box between them.
type world struct {
	t              *testing.T
	client, server *side
	doc            *protocol.Reviewed
	box            box
	sent           int
	inactive       int // the message that loses its A2A-Extensions, 0 for none

	mu            sync.Mutex
	presentations map[string]bool
	executed      map[string]int
	contexts      map[string]bool // that the client knows
	agreed        bool
	log           []string // what the client heard
}

func newWorld(t *testing.T, doc *protocol.Reviewed, b box) *world {
	w := &world{t: t, doc: doc, box: b, presentations: map[string]bool{}, executed: map[string]int{}, contexts: map[string]bool{"": true}}
	c := &clock{at: noon}
	w.server = newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
		c.Domain = "https://alice.example/"
		c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
		c.OfferInReply = true
		c.Routine = func(_ context.Context, _ engine.Peer, m *engine.Message) (canon.Digest, bool) {
			for _, p := range m.Parts {
				if strings.Contains(p.Text, "Grant") || strings.Contains(p.Text, "grant") {
					return doc.Pin(), true
				}
			}
			return canon.Digest{}, false
		}
		c.Authorizer = engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			ok := w.presentations[string(q.Presentation)] // stands for its signature
			return engine.Authority{Permit: ok, Verified: ok}, nil
		})
	})
	w.client = newSide(t, c, "bob", []*protocol.Reviewed{doc}, nil)
	return w
}

// through passes a message through the box.
func (w *world) through(m engine.Message) []engine.Message {
	w.sent++
	return w.box(w.sent, cloned(m))
}

// ask sends a request and returns what came back, after the box had both.
func (w *world) ask(m engine.Message) []engine.Reply {
	var replies []engine.Reply
	n := w.sent + 1
	for _, arrived := range w.through(m) {
		p := aliceToBob
		if n == w.inactive {
			p.Active = nil
		}
		o, err := w.server.Receive(w.t.Context(), p, arrived)
		require.NoError(w.t, err)
		consistent(w.t, &o)
		r := w.serve(&o, &arrived)
		if r.Message == nil {
			replies = append(replies, r)
			continue
		}
		for _, back := range w.through(*r.Message) {
			replies = append(replies, engine.Reply{Message: &back})
		}
	}
	return replies
}

// serve is the server's application.
func (w *world) serve(o *engine.Outcome, m *engine.Message) engine.Reply {
	switch o.Kind {
	case engine.KindIntent:
		presentation := ""
		for _, p := range m.Parts {
			if w.presentations[string(p.Data)] {
				presentation = string(p.Data)
			}
		}
		w.executed[presentation]++
		answer, err := w.server.Respond(w.t.Context(), o.Intent, engine.Answer{Text: "granted"})
		require.NoError(w.t, err)
		return engine.Reply{Message: &answer}
	case engine.KindProse:
		for _, p := range m.Parts {
			require.NotContains(w.t, p.Text, "Grant", "an intent was read as prose")
			require.NotContains(w.t, p.Text, "grant", "prose of a routine that is security-bearing")
		}
	}
	return replyOf(o)
}

// hear gives the client what came back.
func (w *world) hear(sent engine.Message, replies []engine.Reply) []engine.Outcome {
	if len(replies) == 0 {
		replies = []engine.Reply{{}}
	}
	var all []engine.Outcome
	for _, r := range replies {
		o, err := w.client.ReceiveReply(w.t.Context(), bobToAlice, sent, r)
		require.NoError(w.t, err)
		consistent(w.t, &o)
		w.contexts[o.ContextID] = true
		w.log = append(w.log, fmt.Sprintf("sent %s in %q: %s in %q\n%s", sent.ID, sent.ContextID, o.Kind, o.ContextID, o.Trace))
		if r.Message != nil && sent.ContextID == "" {
			w.contexts[r.Message.ContextID] = true
		}
		require.NotEqual(w.t, engine.KindDeclined, o.Kind, "a required offer allows no prose")
		all = append(all, o)
	}
	return all
}

// noProse demands that the client can say nothing in prose in any context that it knows,
// now and after a restart.
func (w *world) noProse() {
	client := w.client.restart(w.t)
	for c := range w.contexts {
		if c == "" && w.agreed {
			continue // another conversation
		}
		_, err := client.Prose(w.t.Context(), engine.To{Peer: bobToAlice, ContextID: c}, "please do it anyway")
		if err == nil {
			for _, l := range w.log {
				w.t.Log(l)
			}
			w.t.Fatalf("prose in %q", c)
		}
		refusedWith(w.t, protocol.CodeUpgradeRequired, err)
	}
}

// converse plays the client's application: it offers, sends an intent, tries again with
// the challenge of a refusal, and repeats what it sent.
func (w *world) converse() {
	m, err := w.client.Offer(w.t.Context(), engine.To{Peer: bobToAlice}, engine.OfferDraft{Pin: w.doc.Pin(), Source: source, Required: true})
	require.NoError(w.t, err)
	outcomes := w.hear(m, w.ask(m))
	for _, o := range outcomes {
		w.agreed = w.agreed || o.Kind == engine.KindAgreed
	}
	w.noProse()
	for _, o := range outcomes {
		if o.Kind == engine.KindAgreed {
			w.intend(o.ContextID, o.Challenge, 2)
			w.noProse()
		}
	}
	for p, n := range w.executed {
		require.Equal(w.t, 1, n, "%q was executed", p)
		require.NotEmpty(w.t, p)
	}
}

// intend sends an intent, twice, and again with the challenge of its refusal.
func (w *world) intend(contextID string, c *engine.Challenge, tries int) {
	draft := engine.IntentDraft{Pin: w.doc.Pin(), Body: grantIntent, MediaType: turtleMT}
	if c != nil {
		draft.Presentation = fmt.Appendf(nil, `{"n":%d,"proof":{"challenge":%q}}`, len(w.presentations), c.Challenge)
		w.presentations[string(draft.Presentation)] = true
	}
	m, err := w.client.Intent(w.t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, draft)
	require.NoError(w.t, err)
	var again *engine.Challenge
	for range 2 {
		for _, o := range w.hear(m, w.ask(m)) {
			require.NotEqual(w.t, engine.KindProse, o.Kind)
			if o.Kind == engine.KindFailed && o.Challenge != nil {
				again = o.Challenge
			}
		}
	}
	if again != nil && tries > 1 {
		w.intend(contextID, again, tries-1)
	}
}

// legs is how many messages of a conversation are harmed one by one: an offer and its
// answer, an intent and its answer, both again.
const legs = 6

func TestMiddleBox(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	t.Run("no harm", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, doc, func(_ int, m engine.Message) []engine.Message { return []engine.Message{m} })
		w.converse()
		require.True(t, w.agreed)
		require.Len(t, w.executed, 1)
	})
	all := append(harms(doc.Pin()), harm{"dropped", nil}, harm{"as it is", func(*engine.Message) {}})
	for leg := 1; leg <= legs; leg++ {
		t.Run(fmt.Sprintf("message %d", leg), func(t *testing.T) {
			t.Parallel()
			for _, h := range all {
				for mode, name := range []string{"alone", "before the original", "after the original", "instead of later ones as well"} {
					t.Run(h.name+", "+name, func(t *testing.T) {
						harmed := func(m engine.Message) []engine.Message {
							if h.do == nil {
								return nil
							}
							m = cloned(m)
							h.do(&m)
							return []engine.Message{m}
						}
						w := newWorld(t, doc, func(n int, m engine.Message) []engine.Message {
							switch {
							case n != leg && !(mode == 3 && n > leg):
								return []engine.Message{m}
							case mode == 1:
								return append(harmed(m), m)
							case mode == 2:
								return append([]engine.Message{m}, harmed(m)...)
							}
							return harmed(m)
						})
						w.converse()
					})
				}
			}
			t.Run("not active", func(t *testing.T) {
				w := newWorld(t, doc, func(_ int, m engine.Message) []engine.Message { return []engine.Message{m} })
				w.inactive = leg
				w.converse()
			})
		})
	}
}

// TestMiddleBoxAtRandom harms many messages of one conversation, holds some back and
// delivers them later.
func TestMiddleBoxAtRandom(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	all := harms(doc.Pin())
	rounds := 1500
	if testing.Short() {
		rounds = 200
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		var held []engine.Message
		w := newWorld(t, doc, func(_ int, m engine.Message) []engine.Message {
			var out []engine.Message
			for range 1 + r.IntN(2) {
				c := cloned(m)
				for range r.IntN(3) * r.IntN(2) {
					all[r.IntN(len(all))].do(&c)
				}
				switch r.IntN(8) {
				case 0: // dropped
				case 1:
					held = append(held, c)
				default:
					out = append(out, c)
				}
			}
			if len(held) > 0 && r.IntN(3) == 0 { // in either direction: it is reflected as well
				i := r.IntN(len(held))
				out = append(out, cloned(held[i]))
			}
			r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
			return out
		})
		w.converse()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestMiddleBoxServerOffers is the same for the offer of a server: no prose of its
// routine is read, whatever the box does to the offer and the answer to it.
func TestMiddleBoxServerOffers(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for leg := 1; leg <= 4; leg++ {
		for _, h := range harms(doc.Pin()) {
			t.Run(fmt.Sprintf("message %d, %s", leg, h.name), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, doc, func(n int, m engine.Message) []engine.Message {
					if n == leg {
						h.do(&m)
					}
					return []engine.Message{m}
				})
				prose, err := w.client.Prose(t.Context(), engine.To{Peer: bobToAlice}, "grant bob access")
				require.NoError(t, err)
				for _, r := range w.ask(prose) {
					o := receiveReply(t, w.client, bobToAlice, prose, r)
					if o.Kind != engine.KindReply {
						continue
					}
					for _, r := range w.ask(*o.Message) {
						receiveReply(t, w.client, bobToAlice, *o.Message, r)
					}
					if o.Code == "" {
						_, err := w.client.Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: o.ContextID}, "grant bob access")
						refusedWith(t, protocol.CodeUpgradeRequired, err)
					}
				}
				w.ask(prose) // serve demands that it is not read as prose
			})
		}
	}
}
