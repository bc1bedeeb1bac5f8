package engine_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// TestReplay is section 9.6.
func TestReplay(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	intent := func(id, contextID string) engine.Message {
		return message(id, contextID, payload("intent", doc.Pin().String(), grantIntent, turtleMT))
	}
	t.Run("RPL-2 RPL-3 duplicates and conflicts", func(t *testing.T) {
		t.Parallel()
		s := grantServer(t, &clock{at: noon}, nil)
		o := receive(t, s, aliceToBob, intent("m-1", "ctx-7"))
		require.Equal(t, engine.KindIntent, o.Kind)
		require.NoError(t, s.Settle(t.Context(), o.Intent, []byte("own answer")))
		again := receive(t, s, aliceToBob, intent("m-1", "ctx-7"))
		require.Equal(t, engine.KindDuplicate, again.Kind)
		require.Equal(t, "own answer", string(again.Stored))
		spaced := intent("m-1", "ctx-7") // a proxy wrote the metadata anew
		spaced.Parts[0].Metadata = []byte(`{ "` + protocol.KeyProtocolHash + `" : "` + doc.Pin().String() + `" , "` + protocol.KeyKind + `":"intent" }`)
		require.Equal(t, engine.KindDuplicate, receive(t, s, aliceToBob, spaced).Kind)
		for name, change := range map[string]func(*engine.Message){
			"another target": func(m *engine.Message) { m.Parts[0].Text = strings.Replace(grantIntent, "notes", "other", 1) },
			"a comment":      func(m *engine.Message) { m.Parts = append(m.Parts, engine.Part{Content: engine.Text, Text: "x"}) },
			"a task":         func(m *engine.Message) { m.TaskID = "t" },
			"metadata":       func(m *engine.Message) { m.Metadata = []byte(`{"x":1}`) },
			"a file name":    func(m *engine.Message) { m.Parts[0].Filename = "x" },
			"a reference":    func(m *engine.Message) { m.References = []string{"t"} },
			"an extension":   func(m *engine.Message) { m.Extensions = append(m.Extensions, "urn:x") },
			"a media type":   func(m *engine.Message) { m.Parts[0].MediaType = "Text/turtle" },
			"an offer":       func(m *engine.Message) { m.Parts[0] = payload("upgrade-offer", "", offerJSON(doc.Pin(), true), "") },
		} {
			m := intent("m-1", "ctx-7")
			change(&m)
			require.Equal(t, protocol.CodeDuplicateMessage, receive(t, s, aliceToBob, m).Code, name)
		}
		require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, intent("m-1", "ctx-8")).Kind, "another context is another key")
		require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, intent("m-2", "ctx-7")).Kind, "a new messageId is a new instruction")
	})
	t.Run("RPL-2 offers with one messageId", func(t *testing.T) {
		t.Parallel()
		offer := func(body string) engine.Message {
			return message("o-1", "ctx", payload("upgrade-offer", "", body, "application/json"))
		}
		base := offerJSON(doc.Pin(), true)
		for _, row := range []struct {
			name   string
			m      engine.Message
			change func(*engine.Message)
			same   bool
		}{
			{"written otherwise", offer(strings.ReplaceAll(base, ",", " ,\n ")), nil, true},
			{"in another order", offer(`{"required":true,` + strings.Replace(base[1:], `,"required":true`, "", 1)), nil, true},
			{"a text by escapes", offer(strings.Replace(base, "upgrade-offer", `upgrade\u002doffer`, 1)), nil, true},
			{"an optional one", offer(offerJSON(doc.Pin(), false)), nil, false},
			{"from elsewhere", offer(strings.Replace(base, source, source+"2", 1)), nil, false},
			{"with a member more", offer(base[:len(base)-1] + `,"x":1}`), nil, false},
			{"of the other side", offer(base), func(m *engine.Message) { m.Role = engine.RoleAgent }, false},
		} {
			s := grantServer(t, &clock{at: noon}, nil)
			first := receive(t, s, aliceToBob, offer(base))
			require.Equal(t, engine.KindReply, first.Kind)
			if row.change != nil {
				row.change(&row.m)
			}
			again := receive(t, s, aliceToBob, row.m)
			if row.same {
				require.Equal(t, first.Message, again.Message, row.name)
				continue
			}
			require.Equal(t, protocol.CodeDuplicateMessage, again.Code, row.name)
		}
	})
	t.Run("RPL-4 a first message", func(t *testing.T) {
		t.Parallel()
		s := grantServer(t, &clock{at: noon}, nil)
		p := aliceToBob
		p.Assigned = "ctx-a"
		o := receive(t, s, p, intent("m-1", ""))
		require.Equal(t, "ctx-a", o.Intent.ContextID())
		_, err := s.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
		require.NoError(t, err)
		p.Assigned = "ctx-b"
		again := receive(t, s, p, intent("m-1", ""))
		require.Equal(t, engine.KindDuplicate, again.Kind)
		require.Equal(t, "ctx-a", again.ContextID)
	})
	t.Run("RPL-4 a first message in its context", func(t *testing.T) {
		t.Parallel()
		for _, across := range []bool{false, true} {
			s := grantServer(t, &clock{at: noon}, func(c *engine.Config) { c.AcrossContexts = across })
			o := receive(t, s, aliceToBob, intent("m-1", ""))
			require.Equal(t, engine.KindIntent, o.Kind)
			there := receive(t, s, aliceToBob, intent("m-1", o.ContextID))
			require.Equal(t, engine.KindDuplicate, there.Kind, "it comes again with the contextId that it was given")
			changed := intent("m-1", o.ContextID)
			changed.Parts[0].Text = strings.Replace(grantIntent, "notes", "other", 1)
			require.Equal(t, protocol.CodeDuplicateMessage, receive(t, s, aliceToBob, changed).Code)
			_, err := s.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
			require.NoError(t, err)
			require.NotNil(t, receive(t, s, aliceToBob, intent("m-1", "")).Message)
			p := aliceToBob
			p.Assigned = "ctx-app" // where the application knows the message already
			require.Equal(t, engine.KindIntent, receive(t, s, p, intent("m-2", "ctx-app")).Kind)
			require.Equal(t, engine.KindDuplicate, receive(t, s, p, intent("m-2", "")).Kind)
		}
	})
	t.Run("answered once", func(t *testing.T) {
		t.Parallel()
		answers := map[string]func(*side, *engine.Intent) error{
			"respond": func(s *side, in *engine.Intent) error {
				m, err := s.Respond(context.Background(), in, engine.Answer{Text: "done"})
				if errors.Is(err, engine.ErrAnswered) && m.ID != "" {
					return errors.New("a second message")
				}
				return err
			},
			"settle": func(s *side, in *engine.Intent) error {
				return s.Settle(context.Background(), in, []byte("own"))
			},
			"refuse": func(s *side, in *engine.Intent) error {
				_, err := s.Refuse(context.Background(), in, protocol.CodeLimitExceeded, "no")
				return err
			},
		}
		for one, first := range answers {
			for two, second := range answers {
				s := grantServer(t, &clock{at: noon}, nil)
				in := receive(t, s, aliceToBob, intent("m-1", "ctx")).Intent
				require.NoError(t, first(s, in), one)
				was := receive(t, s, aliceToBob, intent("m-1", "ctx"))
				require.ErrorIs(t, second(s, in), engine.ErrAnswered, "%s after %s", two, one)
				require.Equal(t, was, receive(t, s, aliceToBob, intent("m-1", "ctx")), "%s after %s", two, one)
			}
			s := grantServer(t, &clock{at: noon}, nil)
			other := grantServer(t, &clock{at: noon}, nil)
			in := receive(t, s, aliceToBob, intent("m-1", "ctx")).Intent
			require.ErrorIs(t, first(other, in), replay.ErrNotClaimed, "%s by another agent", one)
			var wg sync.WaitGroup
			var done atomic.Int32
			for range 8 {
				wg.Go(func() {
					if first(s, in) == nil {
						done.Add(1)
					}
				})
			}
			wg.Wait()
			require.EqualValues(t, 1, done.Load(), one)
			require.Error(t, first(s, &engine.Intent{}))
			require.Error(t, first(s, nil))
			require.True(t, new(engine.Intent).SecurityBearing(), "the zero value is the safe one")
		}
	})
	t.Run("RPL-3 a full table", func(t *testing.T) {
		t.Parallel()
		s := grantServer(t, &clock{at: noon}, func(c *engine.Config) { c.Store = replay.NewMemory(replay.Limits{PerPeer: 1}) })
		require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, intent("m-1", "ctx")).Kind)
		o := receive(t, s, aliceToBob, intent("m-2", "ctx"))
		require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		require.Equal(t, 429, o.Status().HTTP)
	})
	t.Run("RPL-2 one of many at once", func(t *testing.T) {
		t.Parallel()
		s := grantServer(t, &clock{at: noon}, nil)
		var wg sync.WaitGroup
		var executed atomic.Int32
		for range 32 {
			wg.Go(func() {
				o, err := s.Receive(context.Background(), aliceToBob, intent("m-1", "ctx"))
				if err != nil {
					t.Error(err)
				}
				if o.Kind == engine.KindIntent {
					executed.Add(1)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, executed.Load())
	})
	t.Run("RPL-1 the store fails", func(t *testing.T) {
		t.Parallel()
		s := grantServer(t, &clock{at: noon}, nil)
		require.NoError(t, s.store.Close())
		o, err := s.Receive(t.Context(), aliceToBob, intent("m-1", "ctx"))
		require.ErrorIs(t, err, replay.ErrClosed)
		require.Equal(t, engine.KindRefused, o.Kind)
		require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		_, err = s.Receive(t.Context(), aliceToBob, engine.Message{ID: "x", ContextID: "ctx", Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hi"}}})
		require.ErrorIs(t, err, replay.ErrClosed)
	})
	t.Run("a context that ended", func(t *testing.T) {
		t.Parallel()
		s := grantServer(t, &clock{at: noon}, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		o, err := s.Receive(ctx, aliceToBob, intent("m-1", "ctx"))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, engine.KindRefused, o.Kind)
	})
	t.Run("an application that fails", func(t *testing.T) {
		t.Parallel()
		s := grantServer(t, &clock{at: noon}, nil)
		o := receive(t, s, aliceToBob, intent("m-1", "ctx"))
		refused, err := s.Refuse(t.Context(), o.Intent, protocol.CodeLimitExceeded, "the disk is full")
		require.NoError(t, err)
		require.Equal(t, engine.KindRefused, refused.Kind)
		again := receive(t, s, aliceToBob, intent("m-1", "ctx"))
		require.Equal(t, protocol.CodeLimitExceeded, again.Code)
		require.True(t, again.Seen)
	})
}

// TestReplicas: two engines over one store execute a message once, and share what is
// agreed.
func TestReplicas(t *testing.T) {
	t.Parallel()
	doc := read(t)
	a := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, nil)
	b := a.restart(t)
	require.Equal(t, engine.KindReply, receive(t, a, aliceToBob, message("o", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), true), ""))).Kind)
	var wg sync.WaitGroup
	var executed atomic.Int32
	for i := range 500 {
		m := message("m-"+string(rune('a'+i%20)), "ctx", payload("intent", doc.Pin().String(), readIntent, turtleMT))
		wg.Go(func() {
			o, err := []*side{a, b}[i%2].Receive(context.Background(), aliceToBob, m)
			switch {
			case err != nil:
				t.Error(err)
			case o.Kind == engine.KindIntent:
				executed.Add(1)
				if _, err := b.Respond(context.Background(), o.Intent, engine.Answer{Graph: parse(t, readResponse)}); err != nil {
					t.Error(err)
				}
			case o.Kind != engine.KindDuplicate:
				t.Error(o.Kind, o.Trace)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 20, executed.Load())
}

// faulty is a store of which one call fails, or is lost after it was made.
type faulty struct {
	replay.Store
	n, at int
	after bool
}

var errFault = errors.New("the store is gone")

func fault[T any](f *faulty, call func() (T, error)) (T, error) {
	f.n++
	if f.n != f.at {
		return call()
	}
	var none T
	if f.after {
		_, _ = call()
	}
	return none, errFault
}

func (f *faulty) Claim(ctx context.Context, k replay.Key, d canon.Digest, now time.Time) (replay.Claim, error) {
	return fault(f, func() (replay.Claim, error) { return f.Store.Claim(ctx, k, d, now) })
}

func (f *faulty) Settle(ctx context.Context, k replay.Key, d canon.Digest, answer []byte, now time.Time) error {
	_, err := fault(f, func() (bool, error) { return true, f.Store.Settle(ctx, k, d, answer, now) })
	return err
}

func (f *faulty) Load(ctx context.Context, name string, now time.Time) (r replay.Record, ok bool, err error) {
	r, err = fault(f, func() (r replay.Record, err error) { r, ok, err = f.Store.Load(ctx, name, now); return r, err })
	return r, ok && err == nil, err
}

func (f *faulty) Swap(ctx context.Context, name string, owner replay.Owner, old uint64, value []byte, expires, now time.Time) (bool, error) {
	return fault(f, func() (bool, error) { return f.Store.Swap(ctx, name, owner, old, value, expires, now) })
}

// TestFaults: whichever call of the store fails, on whichever side, nothing is executed
// twice and no prose follows the required offer.
func TestFaults(t *testing.T) {
	t.Parallel()
	doc := read(t)
	for _, ofServer := range []bool{true, false} {
		for _, after := range []bool{true, false} {
			for at := 1; ; at++ {
				f := &faulty{Store: replay.NewMemory(replay.Limits{}), at: at, after: after}
				c := &clock{at: noon}
				with := func(mine bool) func(*engine.Config) {
					return func(c *engine.Config) {
						if mine {
							c.Store = f
						}
						c.Domain = "https://here.example/"
					}
				}
				server := newSide(t, c, "alice", []*protocol.Reviewed{doc}, with(ofServer))
				client := newSide(t, c, "bob", []*protocol.Reviewed{doc}, with(!ofServer))
				executed := 0
				check := func(o engine.Outcome, err error) {
					if err == nil {
						consistent(t, &o)
						return
					}
					require.ErrorIs(t, err, errFault)
					require.NotContains(t, []engine.Kind{engine.KindIntent, engine.KindProse, engine.KindDeclined}, o.Kind)
				}
				ask := func(m engine.Message) engine.Reply {
					o, err := server.Receive(t.Context(), aliceToBob, m)
					check(o, err)
					if o.Kind == engine.KindIntent {
						executed++
						answer, err := server.Respond(t.Context(), o.Intent, engine.Answer{Graph: parse(t, readResponse)})
						if err != nil {
							require.ErrorIs(t, err, errFault)
							return engine.Reply{Failed: true}
						}
						return engine.Reply{Message: &answer}
					}
					return replyOf(&o)
				}
				to := engine.To{Peer: bobToAlice}
				m, err := client.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
				if err != nil {
					require.ErrorIs(t, err, errFault)
					continue // nothing was sent
				}
				o, err := client.ReceiveReply(t.Context(), bobToAlice, m, ask(m))
				check(o, err)
				for _, contextID := range []string{"", o.ContextID} {
					if contextID == "" && o.Kind == engine.KindAgreed {
						continue
					}
					_, err := client.Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, "please")
					require.Error(t, err, "server %t, after %t, call %d: %s %s", ofServer, after, at, o.Kind, o.Trace)
				}
				if o.Kind == engine.KindAgreed {
					to.ContextID = o.ContextID
					m, err = client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: parse(t, readIntent)})
					if err == nil {
						for range 3 {
							o, err := client.ReceiveReply(t.Context(), bobToAlice, m, ask(m))
							check(o, err)
						}
					}
				}
				require.LessOrEqual(t, executed, 1)
				if f.n < at { // no call is left to fail
					require.Equal(t, 1, executed)
					require.Greater(t, at, 5)
					break
				}
			}
		}
	}
	_, err := newSide(t, &clock{at: noon}, "alice", nil, nil).Offer(t.Context(), engine.To{}, engine.OfferDraft{})
	require.ErrorIs(t, err, handshake.ErrNotReviewed)
}

// TestClocks: the clock of a replica is behind that of the one that made an agreement, or
// goes backwards (DG-6, section 5.5).
func TestClocks(t *testing.T) {
	t.Parallel()
	doc := read(t)
	prose := engine.Message{ID: "p", ContextID: "ctx", Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "read it"}}}
	for _, row := range []struct {
		behind time.Duration
		intent engine.Kind
	}{
		{0, engine.KindIntent},
		{time.Millisecond, engine.KindIntent},
		{time.Minute, engine.KindIntent},
		{time.Minute + 1, engine.KindRefused}, // not known to be agreed, and no prose either
		{24 * time.Hour, engine.KindRefused},
	} {
		c := &clock{at: noon}
		s := newSide(t, c, "alice", []*protocol.Reviewed{doc}, nil)
		o := receive(t, s, aliceToBob, message("m-1", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), false), "")))
		require.Equal(t, engine.KindReply, o.Kind)
		c.add(-row.behind)
		require.Equal(t, engine.KindRefused, receive(t, s, aliceToBob, prose).Kind, row.behind)
		require.Equal(t, row.intent, receive(t, s, aliceToBob, message("m-2", "ctx", payload("intent", doc.Pin().String(), readIntent, turtleMT))).Kind, row.behind)
		c.add(row.behind + 24*time.Hour)
		require.Equal(t, engine.KindProse, receive(t, s, aliceToBob, prose).Kind, "it is over")
		agreed, err := s.Agreed(t.Context(), aliceToBob, "ctx", doc.Pin())
		require.NoError(t, err)
		require.False(t, agreed)
	}
}

// TestRoom: what a peer agreed to takes no room of the store for longer than it holds.
func TestRoom(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	c := &clock{at: noon}
	s := grantServer(t, c, nil)
	for _, id := range []string{"ctx-1", "ctx-2"} {
		require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, message("m", id, payload("intent", doc.Pin().String(), grantIntent, turtleMT))).Kind)
	}
	left := func() int {
		records, err := s.store.List(t.Context(), "", 100, c.now())
		require.NoError(t, err)
		return len(records)
	}
	require.Equal(t, 4, left())
	c.add(handshake.AgreementTTL)
	require.Zero(t, left())
	_, err := s.Offer(t.Context(), engine.To{Peer: aliceToBob, ContextID: "ctx-1", Role: engine.RoleAgent}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
	require.NoError(t, err)
	c.add(29 * 24 * time.Hour)
	require.Equal(t, 1, left(), "an offer that was refused is remembered")
}

// TestManyOfOneScope: what is remembered of one scope is bounded, and what there is no room
// to remember does not happen.
func TestManyOfOneScope(t *testing.T) {
	t.Parallel()
	request, err := protocol.StockRequest(protocol.VerbRead)
	require.NoError(t, err)
	var docs []*protocol.Reviewed
	for i := range 66 {
		d, err := protocol.Build(t.Context(), protocol.Parts{ID: "https://alice.pod.example/protocols/" + strconv.Itoa(i), Request: protocol.Shapes{Graph: request}}, protocol.Options{})
		require.NoError(t, err)
		docs = append(docs, review(t, d))
	}
	c := &clock{at: noon}
	s := newSide(t, c, "alice", docs, func(c *engine.Config) {
		for _, d := range docs[:65] {
			c.Declared = append(c.Declared, engine.Declared{Pin: d.Pin()})
		}
	})
	intent := func(i int, id string) engine.Message {
		return message(id, "ctx", payload("intent", docs[i].Pin().String(), readIntent, turtleMT))
	}
	for i := range 64 {
		require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, intent(i, "m-"+strconv.Itoa(i))).Kind)
	}
	o, err := s.Receive(t.Context(), aliceToBob, intent(64, "m-64"))
	require.Error(t, err)
	require.Equal(t, protocol.CodeLimitExceeded, o.Code)
	require.Nil(t, o.Intent)
	declined := receive(t, s, aliceToBob, message("o", "ctx", payload("upgrade-offer", "", offerJSON(docs[65].Pin(), true), "")))
	require.Equal(t, protocol.CodeLimitExceeded, declined.Code, "%s", declined.Trace)
	require.Nil(t, declined.Agreement)
	require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, intent(0, "m-again")).Kind, "what is agreed stays so")
	c.add(handshake.AgreementTTL)
	require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, intent(64, "m-later")).Kind, "what is over makes room")

	to := engine.To{Peer: bobToAlice, ContextID: "mine"}
	for i := range 17 {
		_, err := s.Offer(t.Context(), to, engine.OfferDraft{Pin: docs[i].Pin(), Source: source, Required: true})
		if i < 16 {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, engine.ErrTooManyOffers)
	}
}
