package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// answerIn is a reply in a context that answers an offer.
func answerIn(contextID string, pin canon.Digest, accept bool) engine.Reply {
	m := message("r", contextID, payload("upgrade-response", "", responseJSON(pin, accept), ""))
	m.Role = engine.RoleAgent
	return engine.Reply{Message: &m}
}

// speaks reports whether a client makes prose in a context, after a restart.
func speaks(t testing.TB, s *side, contextID string) bool {
	t.Helper()
	_, err := s.restart(t).Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, "please")
	if err != nil {
		refusedWith(t, protocol.CodeUpgradeRequired, err)
	}
	return err == nil
}

// TestRequiredStays: the answer to an optional offer without a context, in a context where
// the document was offered as required, does not make it an optional one there (DG-4).
func TestRequiredStays(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for name, before := range map[string]*engine.Reply{
		"declined": ptr(answerIn("ctx", doc.Pin(), false)), "unanswered": {}, "pending": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, func(c *engine.Config) { c.Informal = []canon.Digest{doc.Pin()} })
			offer := func(contextID string, required bool) (engine.Message, error) {
				return s.Offer(t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: required})
			}
			m, err := offer("ctx", true)
			require.NoError(t, err)
			if before != nil {
				require.Equal(t, engine.KindAborted, receiveReply(t, s, bobToAlice, m, *before).Kind)
			}
			m, err = offer("", false)
			require.NoError(t, err)
			o := receiveReply(t, s, bobToAlice, m, answerIn("ctx", doc.Pin(), true))
			require.Equal(t, engine.KindAgreed, o.Kind, "%s", o.Trace)
			require.True(t, o.Agreement.SecurityBearing())
			_, err = s.Withdraw(t.Context(), bobToAlice, "ctx", doc.Pin())
			require.NoError(t, err)
			s = s.restart(t)
			_, err = offer("ctx", false)
			require.ErrorIs(t, err, handshake.ErrRequired)
			require.False(t, speaks(t, s, "ctx"))
		})
	}
}

// TestOptionalAfterIntent: an optional offer is no way from an intent that came to nothing,
// or is not answered, to prose (DG-4, DG-6): it is not made, and the decline of one that was
// made before allows nothing.
func TestOptionalAfterIntent(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, row := range []struct {
		name      string
		contextID string // of the intent
		reply     *engine.Reply
		informal  bool
		err       error // of an optional offer afterwards
	}{
		{"refused", "", &engine.Reply{Failed: true}, false, handshake.ErrRequired},
		{"no answer yet", "", nil, false, handshake.ErrRequired},
		{"nothing came", "", &engine.Reply{}, false, handshake.ErrRequired},
		{"refused, not security-bearing", "", &engine.Reply{Failed: true}, true, nil},
		{"refused, in a context", "ctx", &engine.Reply{Failed: true}, false, handshake.ErrAgreed},
		{"refused, in a context, not security-bearing", "ctx", &engine.Reply{Failed: true}, true, handshake.ErrAgreed},
		{"answered", "", &engine.Reply{Message: &engine.Message{ID: "r", ContextID: "other", Role: engine.RoleAgent, Parts: []engine.Part{{Content: engine.Text, Text: "done"}}}}, false, nil},
	} {
		for _, before := range []bool{false, true} { // the offer, before the intent
			t.Run(fmt.Sprintf("%s, offered before %t", row.name, before), func(t *testing.T) {
				t.Parallel()
				s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, func(c *engine.Config) {
					if row.informal {
						c.Informal = []canon.Digest{doc.Pin()}
					}
				})
				to := engine.To{Peer: bobToAlice, ContextID: row.contextID}
				to.Peer.Accepts = accepted(t, doc.Pin())
				draft := engine.OfferDraft{Pin: doc.Pin(), Source: source}
				var offer engine.Message
				var err error
				if before {
					offer, err = s.Offer(t.Context(), to, draft)
					require.NoError(t, err)
				}
				m, err := s.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
				require.NoError(t, err)
				if row.reply != nil {
					receiveReply(t, s, to.Peer, m, *row.reply)
				}
				if !before {
					if offer, err = s.restart(t).Offer(t.Context(), to, draft); row.err != nil {
						require.ErrorIs(t, err, row.err)
						draft.Required = true
						_, err = s.Offer(t.Context(), to, draft)
						require.NoError(t, err, "a required one is no way around")
						return
					}
					require.NoError(t, err)
				}
				require.Equal(t, engine.KindDeclined, receiveReply(t, s, to.Peer, offer, answerIn("ctx", doc.Pin(), false)).Kind)
				require.Equal(t, row.err == nil, speaks(t, s, "ctx"))
				require.Equal(t, row.err == nil || row.contextID != "", speaks(t, s, ""))
			})
		}
	}
}

// TestAgreementEnds: an agreement that ends while an intent under it is under way, or after
// one came to nothing, does not take what forbids prose with it (DG-6).
func TestAgreementEnds(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	text := engine.Reply{Message: &engine.Message{ID: "r", ContextID: "ctx", Role: engine.RoleAgent, Parts: []engine.Part{{Content: engine.Text, Text: "done"}}}}
	task := func(state engine.TaskState) *engine.Reply {
		return &engine.Reply{State: state, TaskID: "t", ContextID: "ctx"}
	}
	invalid := text
	invalid.Message = ptr(message("r", "ctx", payload("response", read(t).Pin().String(), readResponse, turtleMT)))
	invalid.Message.Role = engine.RoleAgent
	day := handshake.AgreementTTL
	for _, row := range []struct {
		name     string
		life     time.Duration // of agreements
		sent     time.Duration // the intent, after the agreement
		reply    *engine.Reply
		informal bool
		prose    bool // when the agreement is over
	}{
		{"refused", day, day - time.Second, &engine.Reply{Failed: true}, false, false},
		{"refused early", day, time.Second, &engine.Reply{Failed: true}, false, false},
		{"refused, not security-bearing", day, day - time.Second, &engine.Reply{Failed: true}, true, true},
		{"no answer yet", day, day - time.Second, nil, false, false},
		{"no answer yet, a short life", time.Minute, time.Second, nil, false, false},
		{"refused, a short life", time.Minute, time.Second, &engine.Reply{Failed: true}, false, false},
		{"nothing came", day, day - time.Second, &engine.Reply{}, false, false},
		{"a task that goes on", day, time.Second, task(engine.TaskWorking), false, false},
		{"a task that asks for something", day, time.Second, task(engine.TaskInput), false, false},
		{"a failed task", day, time.Second, task(engine.TaskFailed), false, false},
		{"a response under another pin", day, time.Second, &invalid, false, false},
		{"answered", day, day - time.Second, &text, false, true},
		{"answered early", day, time.Second, &text, false, true},
	} {
		for _, by := range []string{"card", "the peer's offer"} {
			t.Run(row.name+", by "+by, func(t *testing.T) {
				t.Parallel()
				c := &clock{at: noon}
				s := newSide(t, c, "bob", []*protocol.Reviewed{doc}, func(config *engine.Config) {
					config.AgreementLife = row.life
					if row.informal {
						config.Informal = []canon.Digest{doc.Pin()}
					}
				})
				to := engine.To{Peer: bobToAlice, ContextID: "ctx"}
				to.Peer.Accepts = accepted(t, doc.Pin())
				draft := engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT}
				if by == "card" {
					m, err := s.Intent(t.Context(), to, draft)
					require.NoError(t, err)
					require.Equal(t, engine.KindResponse, receiveReply(t, s, to.Peer, m, text).Kind)
				} else {
					hello, err := s.Prose(t.Context(), to, "hello")
					require.NoError(t, err)
					m := message("o", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), false), ""))
					m.Role = engine.RoleAgent
					require.Equal(t, engine.KindReply, receiveReply(t, s, to.Peer, hello, engine.Reply{Message: &m}).Kind)
				}
				c.add(row.sent)
				m, err := s.Intent(t.Context(), to, draft)
				require.NoError(t, err)
				if row.reply != nil {
					receiveReply(t, s, to.Peer, m, *row.reply)
				}
				require.False(t, speaks(t, s, "ctx"), "agreed")
				c.add(row.life - row.sent)
				agreed, err := s.Agreed(t.Context(), to.Peer, "ctx", doc.Pin())
				require.NoError(t, err)
				require.False(t, agreed)
				require.Equal(t, row.prose, speaks(t, s, "ctx"))
				c.add(day - row.life)
				require.Equal(t, row.prose, speaks(t, s, "ctx"), "a day, whatever the life of agreements is")
				c.add(row.sent)
				require.True(t, speaks(t, s, "ctx"))
			})
		}
	}
}

// refusesAll is a policy that refuses all documents.
type refusesAll struct{}

func (refusesAll) Allow(context.Context, engine.Proposal, *protocol.Review) error {
	return errors.New("refused")
}

// TestProseAfterDecline: where this side declined a required offer, prose is refused, since
// the peer has aborted (DG-3), whatever this side makes of the document.
func TestProseAfterDecline(t *testing.T) {
	t.Parallel()
	doc, other := grant(t), read(t)
	for _, row := range []struct {
		name     string
		pin      canon.Digest
		required bool
		informal bool
		prose    bool
	}{
		{"required", doc.Pin(), true, false, false},
		{"optional", doc.Pin(), false, false, true},
		{"required, not security-bearing", doc.Pin(), true, true, false},
		{"required, not declared", other.Pin(), true, false, false},
		{"optional, not declared", other.Pin(), false, false, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := grantServer(t, &clock{at: noon}, func(c *engine.Config) {
				c.Policy = refusesAll{}
				if row.informal {
					c.Informal = []canon.Digest{doc.Pin()}
				}
			})
			o := receive(t, s, aliceToBob, message("1", "ctx", payload("upgrade-offer", "", offerJSON(row.pin, row.required), "")))
			require.Equal(t, engine.KindReply, o.Kind)
			require.Equal(t, protocol.CodeUnsupportedProtocol, o.Code)
			for _, contextID := range []string{"ctx", "ctx-2"} {
				hello := engine.Message{ID: "2", ContextID: contextID, Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hello"}}}
				got := receive(t, s.restart(t), aliceToBob, hello)
				require.Equal(t, row.prose || contextID != "ctx", got.Kind == engine.KindProse, contextID)
			}
		})
	}
}

// meanwhile is a store in which something happens before records of agreements are written.
type meanwhile struct {
	replay.Store
	once sync.Once
	do   func()
}

func (m *meanwhile) Swap(ctx context.Context, name string, owner replay.Owner, old uint64, value []byte, expires, now time.Time) (bool, error) {
	if strings.HasPrefix(name, "agreement/") && value != nil {
		m.once.Do(m.do)
	}
	return m.Store.Swap(ctx, name, owner, old, value, expires, now)
}

// TestWithdrawnMeanwhile: an offer that makes an agreement a required one does not make
// one that is withdrawn at the same time.
func TestWithdrawnMeanwhile(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, nil)
	offer := func(id string, required bool) engine.Message {
		return message(id, "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), required), ""))
	}
	require.Equal(t, engine.KindReply, receive(t, s, aliceToBob, offer("1", false)).Kind)
	config := s.config
	config.Policy = refusesAll{}
	config.Store = &meanwhile{Store: s.store, do: func() {
		was, err := s.Withdraw(t.Context(), aliceToBob, "ctx", doc.Pin())
		require.NoError(t, err)
		require.True(t, was)
	}}
	e, err := engine.New(config)
	require.NoError(t, err)
	o, err := e.Receive(t.Context(), aliceToBob, offer("2", true))
	require.NoError(t, err)
	require.Equal(t, protocol.CodeUnsupportedProtocol, o.Code, "%s", o.Trace)
	require.Nil(t, o.Agreement)
	agreed, err := s.Agreed(t.Context(), aliceToBob, "ctx", doc.Pin())
	require.NoError(t, err)
	require.False(t, agreed)
}

// TestAcceptedAndWithdrawn: an offer whose acceptance is on its way to an agreement when the
// peer declines, or this side withdraws, leaves none.
func TestAcceptedAndWithdrawn(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	response := func(id string, accept bool) engine.Message {
		return message(id, "ctx", payload("upgrade-response", "", responseJSON(doc.Pin(), accept), ""))
	}
	for name, row := range map[string]struct {
		do     func(t *testing.T, s *side)
		agreed bool
	}{
		"nothing else": {func(*testing.T, *side) {}, true},
		"the peer declines": {func(t *testing.T, s *side) {
			require.Equal(t, engine.KindAborted, receive(t, s, aliceToBob, response("no", false)).Kind)
		}, false},
		"this side withdraws": {func(t *testing.T, s *side) {
			_, err := s.Withdraw(t.Context(), aliceToBob, "ctx", doc.Pin())
			require.NoError(t, err)
		}, false},
		"it is accepted again": {func(t *testing.T, s *side) {
			receive(t, s, aliceToBob, response("again", true))
		}, true},
	} {
		for _, inReply := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in a reply %t", name, inReply), func(t *testing.T) {
				t.Parallel()
				s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, nil)
				role := engine.RoleAgent
				if inReply {
					role = engine.RoleUser
				}
				m, err := s.Offer(t.Context(), engine.To{Peer: aliceToBob, ContextID: "ctx", Role: role}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
				require.NoError(t, err)
				config := s.config
				config.Store = &meanwhile{Store: s.store, do: func() { row.do(t, s) }}
				e, err := engine.New(config)
				require.NoError(t, err)
				var o engine.Outcome
				if inReply {
					o, err = e.ReceiveReply(t.Context(), aliceToBob, m, answerIn("ctx", doc.Pin(), true))
				} else {
					o, err = e.Receive(t.Context(), aliceToBob, response("yes", true))
				}
				require.NoError(t, err)
				require.Equal(t, row.agreed, o.Kind == engine.KindAgreed, "%s", o.Trace)
				agreed, err := s.Agreed(t.Context(), aliceToBob, "ctx", doc.Pin())
				require.NoError(t, err)
				require.Equal(t, row.agreed, agreed)
			})
		}
	}
}

// TestTaskWithoutContext: a message to a task belongs to the task's context, whether or not
// it says so. Where nobody knows that, it is neither made nor taken.
func TestTaskWithoutContext(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	to := engine.To{Peer: bobToAlice, TaskID: "t"}
	to.Peer.Accepts = accepted(t, doc.Pin())
	for _, across := range []bool{false, true} {
		s := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, func(c *engine.Config) { c.AcrossContexts = across })
		_, err := s.Prose(t.Context(), to, "please")
		refusedWith(t, protocol.CodeUpgradeRequired, err)
		_, err = s.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
		refusedWith(t, protocol.CodeMalformedPayload, err)
		for _, required := range []bool{false, true} {
			_, err = s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: required})
			require.ErrorIs(t, err, engine.ErrNoContext)
		}
	}

	of := func(contextID string) engine.Peer { p := aliceToBob; p.Assigned = contextID; return p }
	intask := func(id string, parts ...engine.Part) engine.Message {
		m := message(id, "", parts...)
		m.TaskID = "t"
		return m
	}
	hello := func(id string) engine.Message {
		m := intask(id, engine.Part{Content: engine.Text, Text: "hello"})
		m.Extensions = nil
		return m
	}
	intent := payload("intent", doc.Pin().String(), grantIntent, turtleMT)
	response := payload("upgrade-response", "", responseJSON(doc.Pin(), true), "")
	server := func() *side { return grantServer(t, &clock{at: noon}, nil) }

	t.Run("nobody knows the context", func(t *testing.T) {
		t.Parallel()
		s := server()
		for _, m := range []engine.Message{hello("1"), intask("2", intent), intask("3", response)} {
			require.Equal(t, protocol.CodeMalformedPayload, receive(t, s, aliceToBob, m).Code)
		}
		inactive := aliceToBob
		inactive.Active = nil
		require.Equal(t, protocol.CodeExtensionNotActive, receive(t, s, inactive, intask("4", intent)).Code)
		require.Equal(t, engine.KindIntent, receive(t, s, of("ctx"), intask("2", intent)).Kind, "it was not taken")
	})
	t.Run("prose", func(t *testing.T) {
		t.Parallel()
		s := server()
		require.Equal(t, engine.KindProse, receive(t, s, of("ctx"), hello("1")).Kind)
		require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, message("2", "ctx", intent)).Kind)
		require.Equal(t, protocol.CodeUpgradeRequired, receive(t, s, of("ctx"), hello("3")).Code)
		require.Equal(t, engine.KindProse, receive(t, s, of("ctx-2"), hello("4")).Kind)
	})
	t.Run("an answer to an offer", func(t *testing.T) {
		t.Parallel()
		for name, row := range map[string]struct {
			between *engine.Message
			want    engine.Kind
		}{
			"by itself":         {nil, engine.KindAgreed},
			"after prose":       {ptr(hello("between")), engine.KindAborted},
			"after another one": {ptr(intask("between", payload("upgrade-response", "", "{}", ""))), engine.KindAborted},
		} {
			s := server()
			_, err := s.Offer(t.Context(), engine.To{Peer: aliceToBob, ContextID: "ctx", TaskID: "t", Role: engine.RoleAgent}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
			require.NoError(t, err)
			if row.between != nil {
				require.Equal(t, engine.KindRefused, receive(t, s, of("ctx"), *row.between).Kind)
			}
			o := receive(t, s, of("ctx"), intask("1", response))
			require.Equal(t, row.want, o.Kind, "%s: %s", name, o.Trace)
			require.Equal(t, "ctx", o.ContextID)
		}
	})
	t.Run("a duplicate", func(t *testing.T) {
		t.Parallel()
		s := server()
		require.Equal(t, engine.KindIntent, receive(t, s, of("ctx"), intask("1", intent)).Kind)
		named := intask("1", intent)
		require.Equal(t, engine.KindDuplicate, receive(t, s, of("ctx"), named).Kind)
		named.ContextID = "ctx"
		require.Equal(t, engine.KindDuplicate, receive(t, s, aliceToBob, named).Kind)
	})
	t.Run("a challenge", func(t *testing.T) {
		t.Parallel()
		s := grantServer(t, &clock{at: noon}, func(c *engine.Config) { c.Domain = "https://alice.example/" })
		c, err := s.IssueChallenge(t.Context(), aliceToBob, "ctx")
		require.NoError(t, err)
		vp := payload("authorization", "", `{"proof":{"challenge":"`+c.Challenge+`"}}`, "application/vp")
		require.Equal(t, engine.KindIntent, receive(t, s, of("ctx"), intask("1", intent, vp)).Kind)
		require.Equal(t, protocol.CodeAuthorizationDenied, receive(t, s, of("ctx"), intask("2", intent, vp)).Code)
	})
}

func ptr[T any](v T) *T { return &v }

// TestAgreementAfterIntent: an agreement that is made after an intent came to nothing, and
// ends before a day has passed, does not take what forbids prose with it; an intent that is
// taken does.
func TestAgreementAfterIntent(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	to := engine.To{Peer: bobToAlice, ContextID: "ctx"}
	to.Peer.Accepts = accepted(t, doc.Pin())
	draft := engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT}
	const life = 2 * time.Hour
	for name, again := range map[string]func(t *testing.T, s *side){
		"by the peer's offer": func(t *testing.T, s *side) {
			p := to.Peer
			p.Active = []string{uri}
			o := receive(t, s, p, message("o", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), false), "")))
			require.NotNil(t, o.Agreement)
		},
		"by card": func(t *testing.T, s *side) {
			_, err := s.Intent(t.Context(), to, draft)
			require.NoError(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			s := newSide(t, c, "bob", []*protocol.Reviewed{doc}, func(config *engine.Config) { config.AgreementLife = life })
			m, err := s.Intent(t.Context(), to, draft)
			require.NoError(t, err)
			receiveReply(t, s, to.Peer, m, engine.Reply{Failed: true})
			c.add(life)
			require.False(t, speaks(t, s, "ctx"))
			again(t, s)
			c.add(life)
			require.False(t, speaks(t, s, "ctx"))
			c.add(handshake.AgreementTTL)
			require.True(t, speaks(t, s, "ctx"))
		})
	}
	t.Run("an intent that is taken", func(t *testing.T) {
		t.Parallel()
		c := &clock{at: noon}
		permit := false
		s := grantServer(t, c, func(config *engine.Config) {
			config.AgreementLife = life
			config.Authorizer = engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
				return engine.Authority{Permit: permit}, nil
			})
		})
		hello := func(id string) engine.Kind {
			return receive(t, s, aliceToBob, engine.Message{ID: id, ContextID: "ctx", Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hello"}}}).Kind
		}
		in := func(id string) engine.Kind {
			return receive(t, s, aliceToBob, message(id, "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT))).Kind
		}
		require.Equal(t, engine.KindRefused, in("1"))
		require.Equal(t, engine.KindRefused, hello("2"))
		permit = true
		require.Equal(t, engine.KindIntent, in("3"))
		require.Equal(t, engine.KindRefused, hello("4"))
		c.add(life)
		require.Equal(t, engine.KindProse, hello("5"))
	})
}
