package engine_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/replay"
)

func refusedWith(t testing.TB, code protocol.Code, err error) {
	t.Helper()
	var p *protocol.Error
	require.ErrorAs(t, err, &p)
	require.Equal(t, code, p.Code)
}

// TestConversation: an offer, an intent, a response, and the same again.
func TestConversation(t *testing.T) {
	t.Parallel()
	for name, graph := range map[string]bool{"JSON": false, "RDF": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			doc := read(t)
			server := newSide(t, c, "alice", []*protocol.Reviewed{doc}, nil)
			client := newSide(t, c, "bob", []*protocol.Reviewed{doc}, nil)
			to := engine.To{Peer: bobToAlice}

			_, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: parse(t, readIntent)})
			refusedWith(t, protocol.CodeUnsupportedProtocol, err)

			offer, err := client.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true, Name: "Read", Graph: graph})
			require.NoError(t, err)
			_, err = client.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
			require.ErrorIs(t, err, handshake.ErrPending)
			_, err = client.restart(t).Prose(t.Context(), to, "please")
			refusedWith(t, protocol.CodeUpgradeRequired, err)

			answer, reply := deliver(t, server, aliceToBob, offer)
			require.Equal(t, engine.KindReply, answer.Kind, "%s", answer.Trace)
			require.NotNil(t, answer.Agreement)
			require.True(t, answer.Agreement.Required)
			require.NotEmpty(t, answer.ContextID)
			agreed := receiveReply(t, client, bobToAlice, offer, reply)
			require.Equal(t, engine.KindAgreed, agreed.Kind, "%s", agreed.Trace)
			require.Equal(t, answer.ContextID, agreed.ContextID)

			to.ContextID = agreed.ContextID
			_, err = client.Prose(t.Context(), to, "please")
			refusedWith(t, protocol.CodeUpgradeRequired, err)
			intent, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: parse(t, readIntent), Comment: "for you"})
			require.NoError(t, err)
			o := receive(t, server.restart(t), aliceToBob, intent)
			require.Equal(t, engine.KindIntent, o.Kind, "%s", o.Trace)
			require.True(t, o.Intent.SecurityBearing())
			require.Equal(t, doc.Pin(), o.Intent.Pin())
			require.Equal(t, agreed.ContextID, o.Intent.ContextID())
			projected, err := o.Intent.Project()
			require.NoError(t, err)
			require.Equal(t, protocol.VerbRead, projected.Verb)

			running := receive(t, server, aliceToBob, intent)
			require.Equal(t, engine.KindDuplicate, running.Kind)
			require.Nil(t, running.Stored)

			_, err = server.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
			refusedWith(t, protocol.CodeResponseInvalid, err)
			_, err = server.Respond(t.Context(), o.Intent, engine.Answer{Body: prefixes + "<urn:r> a a2a:Other .", MediaType: turtleMT})
			refusedWith(t, protocol.CodeResponseInvalid, err)
			answered, err := server.Respond(t.Context(), o.Intent, engine.Answer{Graph: parse(t, readResponse), Text: "done"})
			require.NoError(t, err)
			again := receive(t, server, aliceToBob, intent)
			require.Equal(t, engine.KindDuplicate, again.Kind)
			require.Equal(t, answered, *again.Message)

			final := receiveReply(t, client, bobToAlice, intent, engine.Reply{Message: &answered})
			require.Equal(t, engine.KindResponse, final.Kind, "%s", final.Trace)
			require.True(t, final.Response.Validated)
			require.Equal(t, []string{"done"}, final.Response.Texts)

			// The document leaves the store: no agreement outlives it.
			server.docs.Delete(doc.Pin())
			another := intent
			another.ID = "another"
			o = receive(t, server, aliceToBob, another)
			require.Equal(t, protocol.CodeUnsupportedProtocol, o.Code)
			require.NoError(t, server.docs.Put(doc))
			another.ID = "a third"
			require.Equal(t, protocol.CodeUnsupportedProtocol, receive(t, server, aliceToBob, another).Code)
		})
	}
}

// TestDeclines: what an offer leads to that is not accepted (section 5.1, DG-1 to DG-8).
func TestDeclines(t *testing.T) {
	t.Parallel()
	doc := read(t)
	pin := doc.Pin()
	answer := func(part engine.Part, more ...engine.Part) func(ctx string) engine.Reply {
		return func(ctx string) engine.Reply {
			m := message("r", ctx, append([]engine.Part{part}, more...)...)
			m.Role = engine.RoleAgent
			return engine.Reply{Message: &m}
		}
	}
	decline := payload("upgrade-response", "", responseJSON(pin, false), "application/json")
	accept := payload("upgrade-response", "", responseJSON(pin, true), "application/json")
	other := payload("upgrade-response", "", responseJSON(grant(t).Pin(), false), "application/json")
	text := engine.Part{Content: engine.Text, Text: "no thanks"}
	with := func(r func(string) engine.Reply, change func(*engine.Reply)) func(string) engine.Reply {
		return func(ctx string) engine.Reply { x := r(ctx); change(&x); return x }
	}
	for _, row := range []struct {
		name     string
		reply    func(ctx string) engine.Reply
		required engine.Kind // what a required offer comes to
		optional engine.Kind
		prose    bool // whether prose is allowed after the optional one
	}{
		{"accept", answer(accept), engine.KindAgreed, engine.KindAgreed, false},
		{"decline", answer(decline), engine.KindAborted, engine.KindDeclined, true},
		{"unrelated", answer(other), engine.KindWaiting, engine.KindWaiting, false},
		{"a text", func(ctx string) engine.Reply {
			m := message("r", ctx, text)
			m.Role, m.Extensions = engine.RoleAgent, nil
			return engine.Reply{Message: &m}
		}, engine.KindAborted, engine.KindAborted, false},
		{"nothing", func(string) engine.Reply { return engine.Reply{} }, engine.KindAborted, engine.KindAborted, false},
		{"accept that is no boolean", answer(payload("upgrade-response", "", `{"kind":"upgrade-response","protocolHash":"`+pin.String()+`","accept":"false"}`, "")), engine.KindAborted, engine.KindAborted, false},
		{"an error", func(string) engine.Reply { return engine.Reply{Failed: true, Code: protocol.CodeUnsupportedProtocol} }, engine.KindAborted, engine.KindAborted, false},
		{"a failed task with a decline", with(answer(decline), func(r *engine.Reply) { r.State = engine.TaskFailed }), engine.KindAborted, engine.KindAborted, false},
		{"a task that goes on", func(ctx string) engine.Reply {
			return engine.Reply{State: engine.TaskWorking, TaskID: "t", ContextID: ctx}
		}, engine.KindAborted, engine.KindAborted, false},
		{"a decline in a completed task", with(answer(decline), func(r *engine.Reply) { r.State, r.TaskID = engine.TaskCompleted, "t" }), engine.KindAborted, engine.KindDeclined, true},
		{"a decline in an artifact", func(ctx string) engine.Reply {
			return engine.Reply{State: engine.TaskCompleted, TaskID: "t", ContextID: ctx, Artifacts: []engine.Artifact{{ID: "a", Extensions: []string{uri}, Parts: []engine.Part{decline}}}}
		}, engine.KindAborted, engine.KindDeclined, true},
		{"two responses", answer(accept, decline), engine.KindAborted, engine.KindAborted, false},
		{"two artifacts with a response", func(ctx string) engine.Reply {
			a := engine.Artifact{ID: "a", Extensions: []string{uri}, Parts: []engine.Part{decline}}
			return engine.Reply{State: engine.TaskCompleted, TaskID: "t", ContextID: ctx, Artifacts: []engine.Artifact{a, a}}
		}, engine.KindAborted, engine.KindAborted, false},
		{"not tagged", with(answer(decline), func(r *engine.Reply) { r.Message.Extensions = nil }), engine.KindAborted, engine.KindAborted, false},
		{"without a kind, but listed", with(answer(decline), func(r *engine.Reply) { r.Message.Parts[0].Metadata = nil }), engine.KindAborted, engine.KindDeclined, true},
		{"neither", with(answer(decline), func(r *engine.Reply) { r.Message.Extensions, r.Message.Parts[0].Metadata = nil, nil }), engine.KindAborted, engine.KindAborted, false},
		{"without a context", with(answer(decline), func(r *engine.Reply) { r.Message.ContextID = "" }), engine.KindAborted, engine.KindAborted, false},
		{"of the wrong role", with(answer(decline), func(r *engine.Reply) { r.Message.Role = engine.RoleUser }), engine.KindAborted, engine.KindAborted, false},
		{"a text and a code", with(answer(text), func(r *engine.Reply) {
			r.Message.Metadata = []byte(`{"` + protocol.KeyError + `":"upgrade-required"}`)
		}), engine.KindAborted, engine.KindAborted, false},
	} {
		for required, want := range map[bool]engine.Kind{true: row.required, false: row.optional} {
			for _, first := range []bool{true, false} {
				name := row.name + map[bool]string{true: ", required", false: ", optional"}[required] + map[bool]string{true: ", first message", false: ""}[first]
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					c := &clock{at: noon}
					client := newSide(t, c, "bob", []*protocol.Reviewed{doc}, nil)
					to := engine.To{Peer: bobToAlice}
					if !first {
						to.ContextID = "ctx-1"
					}
					m, err := client.Offer(t.Context(), to, engine.OfferDraft{Pin: pin, Source: source, Required: required})
					require.NoError(t, err)
					r := row.reply("ctx-1")
					o := receiveReply(t, client, bobToAlice, m, r)
					require.Equal(t, want, o.Kind, "%s", o.Trace)
					client = client.restart(t)
					prose := map[string]bool{}
					for _, ctx := range []string{"ctx-1", to.ContextID} {
						_, err := client.Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: ctx}, "please")
						prose[ctx] = err == nil
						if err != nil {
							refusedWith(t, protocol.CodeUpgradeRequired, err)
						}
					}
					learned := r.ContextID != "" || r.Message != nil && r.Message.ContextID != "" || !first
					if learned {
						require.Equal(t, row.prose && !required, prose["ctx-1"])
					}
					if want != engine.KindAgreed && want != engine.KindDeclined {
						require.False(t, prose[to.ContextID])
					}
					// What comes late changes nothing (section 5.3).
					if want == engine.KindAborted {
						late := receiveReply(t, client, bobToAlice, m, answer(accept)("ctx-1"))
						require.NotEqual(t, engine.KindAgreed, late.Kind)
						late = receiveReply(t, client, bobToAlice, m, answer(decline)("ctx-1"))
						require.NotEqual(t, engine.KindDeclined, late.Kind)
					}
				})
			}
		}
	}
}

// TestFurtherReplies: of an offer that was accepted, only a decline changes anything: the
// peer withdrew, and the agreement is over (section 5.3).
func TestFurtherReplies(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	reply := func(part engine.Part) engine.Reply {
		m := message("r", "ctx", part)
		m.Role = engine.RoleAgent
		return engine.Reply{Message: &m}
	}
	response := func(pin canon.Digest, accept bool) engine.Reply {
		return reply(payload("upgrade-response", "", responseJSON(pin, accept), ""))
	}
	for _, row := range []struct {
		name   string
		reply  engine.Reply
		agreed bool
	}{
		{"accepted again", response(doc.Pin(), true), true},
		{"another document declined", response(read(t).Pin(), false), true},
		{"malformed", reply(payload("upgrade-response", "", "{}", "")), true},
		{"an error", engine.Reply{Failed: true}, true},
		{"nothing", engine.Reply{}, true},
		{"declined", response(doc.Pin(), false), false},
	} {
		for _, required := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, required %t", row.name, required), func(t *testing.T) {
				t.Parallel()
				client := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
				to := engine.To{Peer: bobToAlice, ContextID: "ctx"}
				m, err := client.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: required})
				require.NoError(t, err)
				require.Equal(t, engine.KindAgreed, receiveReply(t, client, bobToAlice, m, response(doc.Pin(), true)).Kind)
				require.NotEqual(t, engine.KindDeclined, receiveReply(t, client, bobToAlice, m, row.reply).Kind)
				agreed, err := client.Agreed(t.Context(), bobToAlice, "ctx", doc.Pin())
				require.NoError(t, err)
				require.Equal(t, row.agreed, agreed)
				_, err = client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: parse(t, grantIntent)})
				require.Equal(t, row.agreed, err == nil)
				_, err = client.Prose(t.Context(), to, "please")
				refusedWith(t, protocol.CodeUpgradeRequired, err)
			})
		}
	}
}

// TestOfferTime: an offer that nobody answers is given up, a new one waits.
func TestOfferTime(t *testing.T) {
	t.Parallel()
	c := &clock{at: noon}
	doc := read(t)
	client := newSide(t, c, "bob", []*protocol.Reviewed{doc}, nil)
	to := engine.To{Peer: bobToAlice}
	draft := engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true}
	m, err := client.Offer(t.Context(), to, draft)
	require.NoError(t, err)
	c.add(handshake.OfferTimeout)
	_, err = client.Offer(t.Context(), to, draft)
	require.ErrorIs(t, err, handshake.ErrTooSoon)
	_, err = client.Prose(t.Context(), to, "x")
	refusedWith(t, protocol.CodeUpgradeRequired, err)
	c.add(handshake.RetryInterval)
	draft.Required = false
	_, err = client.Offer(t.Context(), to, draft)
	require.ErrorIs(t, err, handshake.ErrRequired)
	draft.Required = true
	second, err := client.Offer(t.Context(), to, draft)
	require.NoError(t, err)

	accept := message("r", "ctx-1", payload("upgrade-response", "", responseJSON(doc.Pin(), true), ""))
	accept.Role = engine.RoleAgent
	o := receiveReply(t, client, bobToAlice, m, engine.Reply{Message: &accept})
	require.Equal(t, engine.KindAborted, o.Kind, "the answer to the first offer")
	o = receiveReply(t, client, bobToAlice, second, engine.Reply{Message: &accept})
	require.Equal(t, engine.KindAgreed, o.Kind, "%s", o.Trace)
	c.add(handshake.AgreementTTL)
	agreed, err := client.Agreed(t.Context(), bobToAlice, "ctx-1", doc.Pin())
	require.NoError(t, err)
	require.False(t, agreed)
	_, err = client.Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: "ctx-1"}, "x")
	refusedWith(t, protocol.CodeUpgradeRequired, err)
	_, err = client.Offer(t.Context(), engine.To{Peer: bobToAlice, ContextID: "ctx-1"}, draft)
	require.NoError(t, err)
}

// TestContextOfAnswer: who chooses the context of an answer lifts no refusal.
func TestContextOfAnswer(t *testing.T) {
	t.Parallel()
	c := &clock{at: noon}
	doc := read(t)
	client := newSide(t, c, "bob", []*protocol.Reviewed{doc}, nil)
	draft := engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true}
	m, err := client.Offer(t.Context(), engine.To{Peer: bobToAlice, ContextID: "ctx-1"}, draft)
	require.NoError(t, err)
	require.Equal(t, engine.KindAborted, receiveReply(t, client, bobToAlice, m, engine.Reply{}).Kind)
	draft.Required = false
	m, err = client.Offer(t.Context(), engine.To{Peer: bobToAlice}, draft)
	require.NoError(t, err)
	decline := message("r", "ctx-1", payload("upgrade-response", "", responseJSON(doc.Pin(), false), ""))
	decline.Role = engine.RoleAgent
	o := receiveReply(t, client, bobToAlice, m, engine.Reply{Message: &decline})
	require.Equal(t, engine.KindAborted, o.Kind)
	_, err = client.Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: "ctx-1"}, "x")
	refusedWith(t, protocol.CodeUpgradeRequired, err)
	m, err = client.Offer(t.Context(), engine.To{Peer: bobToAlice, ContextID: "ctx-2"}, draft)
	require.NoError(t, err)
	o = receiveReply(t, client, bobToAlice, m, engine.Reply{Message: &decline})
	require.Equal(t, engine.KindAborted, o.Kind, "an answer in another context")
}

// TestIntentFormats: an intent is written in a format that the peer reads (BIND-7).
func TestIntentFormats(t *testing.T) {
	t.Parallel()
	c := &clock{at: noon}
	doc := read(t)
	server := newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
		c.Declared = []engine.Declared{{Pin: doc.Pin()}}
		c.Formats = []string{turtleMT, "application/ld+json", "application/n-triples"}
	})
	client := newSide(t, c, "bob", []*protocol.Reviewed{doc}, nil)
	var graph *rdf.Dataset
	for formats, want := range map[string]string{
		"": turtleMT, "application/n-triples": "application/n-triples", "application/ld+json": "application/ld+json",
		"TEXT/turtle": turtleMT, "application/rdf+xml": "",
	} {
		to := engine.To{Peer: bobToAlice}
		to.Peer.Accepts = accepted(t, doc.Pin())
		if formats != "" {
			to.Peer.Formats = []string{formats}
		}
		graph = parse(t, readIntent+` <urn:a2a:intent:2> a2a:parameter [ a a2a:Parameter ; a2a:paramKey "k" ; a2a:paramValue "v\n\"\\\u0001" , "x"@en-GB , 3 ] .`)
		m, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: graph})
		if want == "" {
			refusedWith(t, protocol.CodeUnsupportedMediaType, err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, m.Parts[0].MediaType)
		o := receive(t, server, aliceToBob, m)
		require.Equal(t, engine.KindIntent, o.Kind, "%s", o.Trace)
		require.Equal(t, hash(t, graph), hash(t, o.Intent.Graph()), want)
	}
}

// TestServerOffersRemembered: an offer in answer to prose is kept, so that the prose counts as
// what its sender may have remembered. A copy gets the same offer.
func TestServerOffersRemembered(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
		c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
		c.OfferInReply, c.Routine, c.Limits.Network = true, routine(doc.Pin()), 20
		c.Store = replay.NewMemory(replay.Limits{PerPeer: 50, Records: 200})
	})
	prose := func(id, contextID, text string) engine.Message {
		return engine.Message{ID: id, ContextID: contextID, Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: text}}}
	}
	for name, p := range map[string]engine.Peer{"a network": {Active: []string{uri}, Network: "192.0.2.1"}, "a peer": aliceToBob} {
		offered := map[engine.Kind]int{}
		for i := range 300 {
			o := receive(t, s, p, prose(strconv.Itoa(i), []string{"", name + strconv.Itoa(i)}[i%2], "grant"))
			offered[o.Kind]++
			if o.Kind == engine.KindRefused {
				require.Equal(t, protocol.CodeLimitExceeded, o.Code)
				require.True(t, o.Rate)
			}
		}
		require.Greater(t, offered[engine.KindReply], 10, name)
		require.Less(t, offered[engine.KindReply], 40, name)
	}
	other := engine.Peer{Principal: "https://carol.example/", Active: []string{uri}}
	for _, contextID := range []string{"", "ctx"} {
		first := receive(t, s, other, prose("m", contextID, "grant"))
		require.Equal(t, engine.KindReply, first.Kind)
		again := receive(t, s, other, prose("m", contextID, "grant"))
		require.Equal(t, engine.KindReply, again.Kind)
		require.True(t, again.Seen)
		require.Equal(t, first.Message, again.Message)
		require.Equal(t, protocol.CodeDuplicateMessage, receive(t, s, other, prose("m", contextID, "grant it")).Code)
		require.Equal(t, protocol.CodeUpgradeRequired, receive(t, s, other, prose("", contextID, "grant")).Code, "it could not be told from a copy")
	}
	require.Equal(t, engine.KindProse, receive(t, s, other, prose("m", "ctx", "hello")).Kind)
}

// TestServerOffer: a server answers prose with an offer (section 5.6).
func TestServerOffer(t *testing.T) {
	t.Parallel()
	for name, accept := range map[string]bool{"accepted": true, "declined": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			doc := grant(t)
			server := newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
				c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source, Name: "Grant"}}
				c.OfferInReply = true
				c.Routine = routine(doc.Pin())
			})
			client := newSide(t, c, "bob", []*protocol.Reviewed{doc}, func(c *engine.Config) {
				if !accept {
					c.Policy = nil
				}
			})
			to := engine.To{Peer: bobToAlice}
			prose, err := client.Prose(t.Context(), to, "hello")
			require.NoError(t, err)
			require.Equal(t, engine.KindProse, receive(t, server, aliceToBob, prose).Kind)
			prose, err = client.Prose(t.Context(), to, "grant bob access")
			require.NoError(t, err)
			inactive := aliceToBob
			inactive.Active = nil
			o := receive(t, server, inactive, prose)
			require.Equal(t, protocol.CodeUpgradeRequired, o.Code)

			o, reply := deliver(t, server, aliceToBob, prose)
			require.Equal(t, engine.KindReply, o.Kind, "%s", o.Trace)
			mine := receiveReply(t, client, bobToAlice, prose, reply)
			require.Equal(t, engine.KindReply, mine.Kind, "%s", mine.Trace)
			require.Equal(t, o.ContextID, mine.ContextID)
			require.Equal(t, engine.RoleUser, mine.Message.Role)

			o, reply = deliver(t, server, aliceToBob, *mine.Message)
			again := receive(t, server, aliceToBob, *mine.Message)
			require.Equal(t, o.Kind, again.Kind)
			require.True(t, again.Seen)
			to.ContextID = mine.ContextID
			if !accept {
				require.Equal(t, engine.KindAborted, o.Kind)
				require.Equal(t, protocol.CodeUpgradeRequired, o.Code)
				require.Equal(t, engine.KindFailed, receiveReply(t, client, bobToAlice, *mine.Message, reply).Kind)
				hello := message("hello", to.ContextID, engine.Part{Content: engine.Text, Text: "grant bob access, please"})
				hello.Extensions = nil
				require.Equal(t, protocol.CodeUpgradeRequired, receive(t, server, aliceToBob, hello).Code)
				return
			}
			require.Equal(t, engine.KindAgreed, o.Kind, "%s", o.Trace)
			require.Equal(t, engine.KindAgreed, receiveReply(t, client, bobToAlice, *mine.Message, reply).Kind)
			_, err = client.Prose(t.Context(), to, "grant bob access")
			refusedWith(t, protocol.CodeUpgradeRequired, err)
			intent, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Graph: parse(t, grantIntent)})
			require.NoError(t, err)
			o = receive(t, server, aliceToBob, intent)
			require.Equal(t, engine.KindIntent, o.Kind, "%s", o.Trace)
			answer, err := server.Respond(t.Context(), o.Intent, engine.Answer{Text: "granted"})
			require.NoError(t, err)
			final := receiveReply(t, client, bobToAlice, intent, engine.Reply{Message: &answer})
			require.Equal(t, engine.KindResponse, final.Kind)
			require.False(t, final.Response.Validated)
			require.Nil(t, final.Response.Graph)

			// The client withdraws by a later decline (section 5.3).
			late := message("late", to.ContextID, payload("upgrade-response", "", responseJSON(doc.Pin(), false), ""))
			require.Equal(t, engine.KindAborted, receive(t, server, aliceToBob, late).Kind)
			c.add(time.Second)
			agreed, err := server.Agreed(t.Context(), aliceToBob, to.ContextID, doc.Pin())
			require.NoError(t, err)
			require.False(t, agreed)
		})
	}
}

// TestInterrupted: what cannot be read in the context of an offer that is pending is no
// answer to it, and ends it; what is not of the extension for this request does not
// (section 5.3).
func TestInterrupted(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	broken := message("m-1", "ctx-1", payload("upgrade-response", "", `{"kind":"upgrade-response"}`, ""))
	twice := message("m-1", "ctx-1", payload("upgrade-response", "", responseJSON(doc.Pin(), true), ""), payload("upgrade-response", "", responseJSON(doc.Pin(), false), ""))
	elsewhere := broken
	elsewhere.ContextID = "ctx-2"
	first := broken
	first.ContextID = ""
	inactive := aliceToBob
	inactive.Active = nil
	for _, row := range []struct {
		name string
		peer engine.Peer
		m    engine.Message
		kind engine.Kind // of an answer that comes then
	}{
		{"malformed", aliceToBob, broken, engine.KindAborted},
		{"two answers", aliceToBob, twice, engine.KindAborted},
		{"in another context", aliceToBob, elsewhere, engine.KindAgreed},
		{"in no context", aliceToBob, first, engine.KindAgreed},
		{"the extension is not active", inactive, broken, engine.KindAgreed},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, nil)
			_, err := s.Offer(t.Context(), engine.To{Peer: aliceToBob, ContextID: "ctx-1", Role: engine.RoleAgent}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
			require.NoError(t, err)
			require.Equal(t, engine.KindRefused, receive(t, s, row.peer, row.m).Kind)
			o := receive(t, s, aliceToBob, message("m-2", "ctx-1", payload("upgrade-response", "", responseJSON(doc.Pin(), true), "")))
			require.Equal(t, row.kind, o.Kind, "%s", o.Trace)
		})
	}
}
