package engine_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// grantServer holds the grant document and declares it.
func grantServer(t testing.TB, c *clock, change func(*engine.Config)) *side {
	doc := grant(t)
	return newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
		c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
		if change != nil {
			change(c)
		}
	})
}

// TestReverse: the application opts in to intents of agents (BIND-12).
func TestReverse(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	s := grantServer(t, &clock{at: noon}, func(c *engine.Config) { c.Reverse = true })
	m := message("m-1", "ctx-1", payload("intent", doc.Pin().String(), grantIntent, turtleMT))
	m.Role = engine.RoleAgent
	o := receive(t, s, aliceToBob, m)
	require.Equal(t, engine.KindIntent, o.Kind)
	r, err := s.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
	require.NoError(t, err)
	require.Equal(t, engine.RoleUser, r.Role)
}

// TestScopes: where an agreement holds (section 5.5, BIND-9, VER-2, VER-4).
func TestScopes(t *testing.T) {
	t.Parallel()
	doc := read(t)
	for _, row := range []struct {
		name   string
		across bool
		change func(p *engine.Peer, context *string)
		ok     bool
	}{
		{"the same", false, func(*engine.Peer, *string) {}, true},
		{"another context", false, func(_ *engine.Peer, c *string) { *c = "ctx-2" }, false},
		{"another peer", false, func(p *engine.Peer, _ *string) { p.Principal = "https://eve.example/" }, false},
		{"no peer", false, func(p *engine.Peer, _ *string) { p.Principal = "" }, false},
		{"another card", false, func(p *engine.Peer, _ *string) { p.Card = "https://eve.example/card" }, false},
		{"another context, across", true, func(_ *engine.Peer, c *string) { *c = "ctx-2" }, true},
		{"another peer, across", true, func(p *engine.Peer, _ *string) { p.Principal = "https://eve.example/" }, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) { c.AcrossContexts = row.across })
			o := receive(t, s, aliceToBob, message("m-1", "ctx-1", payload("upgrade-offer", "", offerJSON(doc.Pin(), false), "")))
			require.Equal(t, engine.KindReply, o.Kind)
			p, contextID := aliceToBob, "ctx-1"
			row.change(&p, &contextID)
			o = receive(t, s, p, message("m-2", contextID, payload("intent", doc.Pin().String(), readIntent, turtleMT)))
			require.Equal(t, row.ok, o.Kind == engine.KindIntent, "%s", o.Trace)
			if !row.ok {
				require.Equal(t, protocol.CodeUnsupportedProtocol, o.Code)
			}
		})
	}
}

// TestLongContexts: what is kept of a peer does not grow with the names that it gives to
// contexts. Of one that is too long for an agreement nothing is agreed or carried out.
func TestLongContexts(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
		c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
	})
	for _, name := range []string{strings.Repeat("c", replay.MaxAgreement), strings.Repeat("&", replay.MaxAgreement/6), strings.Repeat("c", 60_000)} {
		for id, part := range map[string]engine.Part{
			"offer": payload("upgrade-offer", "", offerJSON(doc.Pin(), false), ""), "required": payload("upgrade-offer", "", offerJSON(doc.Pin(), true), ""),
			"intent": payload("intent", doc.Pin().String(), grantIntent, turtleMT),
		} {
			o, err := s.Receive(t.Context(), aliceToBob, message(id, name, part))
			require.ErrorIs(t, err, replay.ErrTooLarge)
			require.Equal(t, engine.KindRefused, o.Kind)
			require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		}
	}
	kept, err := s.store.List(t.Context(), "agreement/", 10, noon)
	require.NoError(t, err)
	require.Empty(t, kept)
	o := receive(t, s, aliceToBob, message("intent", strings.Repeat("c", 2_000), payload("intent", doc.Pin().String(), grantIntent, turtleMT)))
	require.Equal(t, engine.KindIntent, o.Kind)
}

// TestAnonymous: a peer that is not authenticated has agreements for one context alone.
func TestAnonymous(t *testing.T) {
	t.Parallel()
	doc := read(t)
	s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) { c.AcrossContexts = true })
	p := engine.Peer{Active: []string{uri}}
	o := receive(t, s, p, message("m-1", "", payload("upgrade-offer", "", offerJSON(doc.Pin(), false), "")))
	require.Equal(t, engine.KindReply, o.Kind)
	require.Equal(t, engine.KindIntent, receive(t, s, p, message("m-2", o.ContextID, payload("intent", doc.Pin().String(), readIntent, turtleMT))).Kind)
	require.Equal(t, engine.KindRefused, receive(t, s, p, message("m-2", "", payload("intent", doc.Pin().String(), readIntent, turtleMT))).Kind)
}

// TestAuthority is step 7: who decides, and what the engine demands besides.
func TestAuthority(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	named := grantIntent + " <urn:a2a:intent:1> odrl:hasPolicy <https://x.example/p> ."
	answer := func(a engine.Authority, err error) engine.Authorizer {
		return engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
			if len(q.Policies) > 0 && q.Policies[0] != "https://x.example/p" {
				return engine.Authority{}, errors.New("other policies")
			}
			return a, err
		})
	}
	for _, row := range []struct {
		name  string
		who   engine.Authorizer
		body  string
		chain bool
		ok    bool
	}{
		{"INT-5 nobody decides", nil, grantIntent, false, false},
		{"INT-5 the zero authority", answer(engine.Authority{}, nil), grantIntent, false, false},
		{"INT-5 an error", answer(engine.Authority{Permit: true}, errors.New("cannot tell")), grantIntent, false, false},
		{"permitted", answer(engine.Authority{Permit: true}, nil), grantIntent, false, true},
		{"INT-4 no chain", answer(engine.Authority{Permit: true, Policies: []string{"https://x.example/p"}}, nil), named, false, false},
		{"INT-4 of the chain", answer(engine.Authority{Permit: true, Policies: []string{"https://x.example/q", "https://x.example/p"}}, nil), named, true, true},
		{"INT-4 of another chain", answer(engine.Authority{Permit: true, Policies: []string{"https://x.example/q"}}, nil), named, true, false},
		{"INT-4 of none", answer(engine.Authority{Permit: true}, nil), named, true, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := grantServer(t, &clock{at: noon}, func(c *engine.Config) { c.Authorizer, c.Domain = row.who, "https://alice.example/" })
			m := message("m-1", "ctx-1", payload("intent", doc.Pin().String(), row.body, turtleMT))
			if row.chain {
				offered := receive(t, s, aliceToBob, message("m-0", "ctx-1", payload("upgrade-offer", "", offerJSON(doc.Pin(), true), "")))
				code, c := engine.ErrorCode(offered.Message.Metadata)
				require.Empty(t, code)
				m.Parts = append(m.Parts, payload("authorization", "", `{"proof":{"challenge":"`+c.Challenge+`"}}`, "application/vp"))
			}
			o, err := s.Receive(t.Context(), aliceToBob, m)
			require.Equal(t, row.name == "INT-5 an error", err != nil)
			require.Equal(t, row.ok, o.Kind == engine.KindIntent, "%s", o.Trace)
			if !row.ok {
				require.Equal(t, protocol.CodeAuthorizationDenied, o.Code)
				require.NotNil(t, o.Challenge, "a refusal brings a challenge")
				require.Equal(t, "https://alice.example/", o.Challenge.Domain)
			}
		})
	}
}

// TestChallenges is section 6.2 and RPL-6: a challenge is good once, for one context and
// peer, until it expires.
func TestChallenges(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	c := &clock{at: noon}
	var seen []string
	verdict := engine.Authority{Permit: true, Verified: true}
	s := grantServer(t, c, func(c *engine.Config) {
		c.Domain = "https://alice.example/"
		c.Authorizer = engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
			seen = append(seen, q.Challenge)
			if q.Presentation == nil {
				return engine.Authority{}, nil
			}
			return verdict, nil
		})
	})
	n := 0
	try := func(p engine.Peer, contextID, challenge string) engine.Outcome {
		n++
		m := message("m-"+string(rune('a'+n)), contextID, payload("intent", doc.Pin().String(), grantIntent, turtleMT))
		if challenge != "" {
			m.Parts = append(m.Parts, payload("authorization", "", `{"proof":{"challenge":"`+challenge+`"}}`, "application/vp"))
		}
		o := receive(t, s, p, m)
		if o.Kind != engine.KindIntent {
			require.Equal(t, protocol.CodeAuthorizationDenied, o.Code, "%s", o.Trace)
			require.NotNil(t, o.Challenge)
			require.NotContains(t, string(o.AppendJSON(nil)), o.Challenge.Challenge, "a record holds no challenge")
		}
		return o
	}
	eve := aliceToBob
	eve.Principal = "https://eve.example/"

	first := try(aliceToBob, "ctx-1", "").Challenge.Challenge
	require.GreaterOrEqual(t, len(first), 22)
	require.NotEqual(t, engine.KindIntent, try(eve, "ctx-1", first).Kind, "another peer")
	require.Equal(t, "", seen[len(seen)-1])
	require.NotEqual(t, engine.KindIntent, try(aliceToBob, "ctx-2", first).Kind, "another context")
	require.NotEqual(t, engine.KindIntent, try(aliceToBob, "", first).Kind, "no context")
	require.NotEqual(t, engine.KindIntent, try(aliceToBob, "ctx-1", "made-up").Kind)
	o := try(aliceToBob, "ctx-1", first)
	require.Equal(t, engine.KindIntent, o.Kind, "%s", o.Trace)
	require.Equal(t, first, seen[len(seen)-1])
	o = try(aliceToBob, "ctx-1", first)
	require.NotEqual(t, engine.KindIntent, o.Kind, "used")

	c.add(5*time.Minute - time.Second)
	require.NotEqual(t, engine.KindIntent, try(aliceToBob, "ctx-1", "x").Kind)
	again := o.Challenge.Challenge
	verdict = engine.Authority{} // not verified: not used up
	require.NotEqual(t, engine.KindIntent, try(aliceToBob, "ctx-1", again).Kind)
	verdict = engine.Authority{Permit: true}
	require.Equal(t, engine.KindIntent, try(aliceToBob, "ctx-1", again).Kind)
	old := try(aliceToBob, "ctx-1", "x").Challenge.Challenge
	c.add(5 * time.Minute)
	require.NotEqual(t, engine.KindIntent, try(aliceToBob, "ctx-1", old).Kind, "expired")
	verdict = engine.Authority{Verified: true} // verified and denied: used up
	denied := try(aliceToBob, "", "").Challenge.Challenge
	require.NotEqual(t, engine.KindIntent, try(aliceToBob, "", denied).Kind)
	verdict = engine.Authority{Permit: true}
	require.NotEqual(t, engine.KindIntent, try(aliceToBob, "", denied).Kind)
}

// TestChallengesOfProofs: a presentation is for one challenge, whatever its proofs name.
func TestChallengesOfProofs(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, row := range []struct {
		name, proof string // C stands for the challenge
		found       bool
	}{
		{"one proof", `{"challenge":"C"}`, true},
		{"a list of one", `[{"challenge":"C"}]`, true},
		{"several that agree", `[{"challenge":"C"},{"challenge":"C"}]`, true},
		{"another after it", `[{"challenge":"C"},{"challenge":"other"}]`, false},
		{"another before it", `[{"challenge":"other"},{"challenge":"C"}]`, false},
		{"one without", `[{"challenge":"C"},{}]`, false},
		{"one that is no text", `[{"challenge":"C"},{"challenge":1}]`, false},
		{"no text", `{"challenge":["C"]}`, false},
		{"none", `[]`, false},
		{"no proof", `null`, false},
		{"twice in one", `{"challenge":"other","challenge":"C"}`, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var asked string
			s := grantServer(t, &clock{at: noon}, func(c *engine.Config) {
				c.Domain = "https://alice.example/"
				c.Authorizer = engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
					asked = q.Challenge
					return engine.Authority{Permit: true}, nil
				})
			})
			c, err := s.IssueChallenge(t.Context(), aliceToBob, "ctx")
			require.NoError(t, err)
			body := `{"proof":` + strings.ReplaceAll(row.proof, `"C"`, `"`+c.Challenge+`"`) + `}`
			part := payload("authorization", "", body, "application/vp")
			part.Content, part.Text, part.Data = engine.Text, body, nil // so that a repeated member arrives
			o := receive(t, s, aliceToBob, message("m", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT), part))
			require.Equal(t, row.found, o.Kind == engine.KindIntent, "%s", o.Trace)
			require.Equal(t, row.found, asked == c.Challenge)
			require.Equal(t, row.found, asked != "")
		})
	}
}

// TestChallengeAtOnce: of several presentations for one challenge that are judged at the
// same time one counts (RPL-6).
func TestChallengeAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		doc := grant(t)
		judged := make(chan struct{})
		s := grantServer(t, &clock{at: noon}, func(c *engine.Config) {
			c.Domain = "https://alice.example/"
			c.Authorizer = engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
				<-judged // when all were found good
				return engine.Authority{Permit: q.Challenge != "", Verified: true}, nil
			})
		})
		c, err := s.IssueChallenge(t.Context(), aliceToBob, "ctx")
		require.NoError(t, err)
		vp := payload("authorization", "", `{"proof":{"challenge":"`+c.Challenge+`"}}`, "application/vp")
		var wg sync.WaitGroup
		var accepted atomic.Int32
		for i := range 8 {
			wg.Go(func() {
				o, err := s.Receive(context.Background(), aliceToBob, message("m-"+strconv.Itoa(i), "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT), vp))
				switch {
				case err != nil:
					t.Error(err)
				case o.Kind == engine.KindIntent:
					accepted.Add(1)
				case o.Code != protocol.CodeAuthorizationDenied:
					t.Error(o.Code)
				}
			})
		}
		synctest.Wait()
		close(judged)
		wg.Wait()
		require.EqualValues(t, 1, accepted.Load())
	})
}

// TestJudgementChanges: what this side judges today counts, for what was agreed before,
// too; a required offer stays one (section 5.5).
func TestJudgementChanges(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, required := range []bool{false, true} {
		for _, informal := range []bool{false, true} {
			s := grantServer(t, &clock{at: noon}, func(c *engine.Config) {
				if !informal {
					c.Informal = []canon.Digest{doc.Pin()}
				}
			})
			receive(t, s, aliceToBob, message("o", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), required), "")))
			s.config.Informal = nil
			if informal {
				s.config.Informal = []canon.Digest{doc.Pin()}
			}
			o := receive(t, s.restart(t), aliceToBob, message("m", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT)))
			require.Equal(t, engine.KindIntent, o.Kind, "%s", o.Trace)
			require.Equal(t, required || !informal, o.Intent.SecurityBearing())
		}
	}
}

// TestSecurityBearing is who judges that (section 5.5).
func TestSecurityBearing(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	for _, row := range []struct {
		name     string
		informal bool
		offer    []bool // offers before the intent, required or not
		want     bool
	}{
		{"declared", false, nil, true},
		{"declared, informal", true, nil, false},
		{"offered", false, []bool{false}, true},
		{"offered, informal", true, []bool{false}, false},
		{"required, informal: a peer raises it", true, []bool{true}, true},
		{"required later", true, []bool{false, true}, true},
		{"not lowered", true, []bool{true, false}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := grantServer(t, &clock{at: noon}, func(c *engine.Config) {
				if row.informal {
					c.Informal = []canon.Digest{doc.Pin()}
				}
			})
			for i, required := range row.offer {
				o := receive(t, s, aliceToBob, message("o-"+string(rune('0'+i)), "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), required), "")))
				require.Equal(t, engine.KindReply, o.Kind)
				require.Empty(t, o.Code)
			}
			o := receive(t, s, aliceToBob, message("m", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT)))
			require.Equal(t, engine.KindIntent, o.Kind)
			require.Equal(t, row.want, o.Intent.SecurityBearing())
			origin := handshake.OriginCard
			if len(row.offer) > 0 {
				origin = handshake.OriginOffer
			}
			require.Equal(t, origin, o.Intent.Agreement().Origin)
			agreed, err := s.Agreed(t.Context(), aliceToBob, "ctx", doc.Pin())
			require.NoError(t, err)
			require.True(t, agreed, "CARD-13: an agreement on first use")
			gone, err := s.Withdraw(t.Context(), aliceToBob, "ctx", doc.Pin())
			require.NoError(t, err)
			require.True(t, gone)
		})
	}
}

// TestProseReceived is prose without a hook (DG-6, section 5.5).
func TestProseReceived(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	s := grantServer(t, &clock{at: noon}, nil)
	hello := func(id, contextID string) engine.Message {
		return engine.Message{ID: id, ContextID: contextID, Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hello"}}}
	}
	require.Equal(t, engine.KindProse, receive(t, s, aliceToBob, hello("1", "ctx")).Kind)
	require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, message("2", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT))).Kind)
	require.Equal(t, protocol.CodeUpgradeRequired, receive(t, s, aliceToBob, hello("3", "ctx")).Code)
	require.Equal(t, engine.KindProse, receive(t, s, aliceToBob, hello("4", "ctx-2")).Kind)

	// A server's own offer, and prose in the place of its answer.
	for _, required := range []bool{true, false} {
		contextID := map[bool]string{true: "ctx-r", false: "ctx-o"}[required]
		to := engine.To{Peer: aliceToBob, ContextID: contextID, Role: engine.RoleAgent}
		_, err := s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: required})
		require.NoError(t, err)
		require.Equal(t, protocol.CodeUpgradeRequired, receive(t, s, aliceToBob, hello("5", contextID)).Code)
		accept := message("6", contextID, payload("upgrade-response", "", responseJSON(doc.Pin(), true), ""))
		require.Equal(t, engine.KindAborted, receive(t, s, aliceToBob, accept).Kind, "it was aborted")
		require.Equal(t, protocol.CodeUpgradeRequired, receive(t, s, aliceToBob, hello("7", contextID)).Code)
	}
	_, err := s.Offer(t.Context(), engine.To{Peer: aliceToBob, Role: engine.RoleAgent}, engine.OfferDraft{Pin: doc.Pin(), Source: source})
	require.ErrorIs(t, err, engine.ErrNoContext)

	// A malformed answer, and an optional offer that was declined.
	to := engine.To{Peer: aliceToBob, ContextID: "ctx-m", Role: engine.RoleAgent}
	_, err = s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source})
	require.NoError(t, err)
	require.Equal(t, protocol.CodeMalformedPayload, receive(t, s, aliceToBob, message("8", "ctx-m", payload("upgrade-response", "", `{"kind":"upgrade-response"}`, ""))).Code)
	require.Equal(t, protocol.CodeUpgradeRequired, receive(t, s, aliceToBob, hello("9", "ctx-m")).Code)
	to.ContextID = "ctx-d"
	_, err = s.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source})
	require.NoError(t, err)
	o := receive(t, s, aliceToBob, message("10", "ctx-d", payload("upgrade-response", "", responseJSON(doc.Pin(), false), "")))
	require.Equal(t, engine.KindDeclined, o.Kind)
	require.NotNil(t, o.Message)
	require.Equal(t, engine.KindProse, receive(t, s, aliceToBob, hello("11", "ctx-d")).Kind)
}

// TestProseAfterRefusedIntent: an intent under a declared document that is refused forbids
// prose in its context as one that is accepted does, if it is security-bearing.
func TestProseAfterRefusedIntent(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	hello := func(id, contextID string) engine.Message {
		return engine.Message{ID: id, ContextID: contextID, Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hello"}}}
	}
	intent := func(id, contextID, body string) engine.Message {
		return message(id, contextID, payload("intent", doc.Pin().String(), body, turtleMT))
	}
	incomplete := strings.Replace(grantIntent, "; a2a:mode acl:Read", "", 1)
	deny := func(c *engine.Config) {
		c.Authorizer = engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{}, nil
		})
	}
	for _, row := range []struct {
		name   string
		config func(*engine.Config)
		body   string
		code   protocol.Code
		prose  bool // afterwards
	}{
		{"does not conform", nil, incomplete, protocol.CodeIntentInvalid, false},
		{"no intent at all", nil, "", protocol.CodeIntentInvalid, false},
		{"malformed", nil, "<", protocol.CodeMalformedPayload, false},
		{"denied", deny, grantIntent, protocol.CodeAuthorizationDenied, false},
		{"not security-bearing", func(c *engine.Config) { c.Informal = []canon.Digest{doc.Pin()} }, incomplete, protocol.CodeIntentInvalid, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := grantServer(t, &clock{at: noon}, row.config)
			require.Equal(t, engine.KindProse, receive(t, s, aliceToBob, hello("1", "ctx")).Kind)
			require.Equal(t, row.code, receive(t, s, aliceToBob, intent("2", "ctx", row.body)).Code)
			if o := receive(t, s.restart(t), aliceToBob, hello("3", "ctx")); row.prose {
				require.Equal(t, engine.KindProse, o.Kind)
			} else {
				require.Equal(t, protocol.CodeUpgradeRequired, o.Code)
			}
			require.Equal(t, engine.KindProse, receive(t, s, aliceToBob, hello("4", "ctx-2")).Kind, "another context")
			first := receive(t, s, aliceToBob, intent("5", "", row.body))
			require.Equal(t, row.prose, receive(t, s, aliceToBob, hello("6", first.ContextID)).Kind == engine.KindProse, "the context that a first message was given")
			require.Equal(t, row.code, receive(t, s, aliceToBob, intent("7", "ctx", row.body)).Code, "it is still judged as it was")
		})
	}
	s := grantServer(t, &clock{at: noon}, nil)
	require.Equal(t, protocol.CodeIntentInvalid, receive(t, s, aliceToBob, intent("1", "ctx", incomplete)).Code)
	require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, intent("2", "ctx", grantIntent)).Kind)
	require.Equal(t, protocol.CodeUpgradeRequired, receive(t, s, aliceToBob, hello("3", "ctx")).Code, "agreed")
	was, err := s.Withdraw(t.Context(), aliceToBob, "ctx", doc.Pin())
	require.NoError(t, err)
	require.True(t, was)
	require.Equal(t, engine.KindProse, receive(t, s, aliceToBob, hello("4", "ctx")).Kind, "the agreement took the place of the note")
}

// TestResponses is section 7.4, from the client's side.
func TestResponses(t *testing.T) {
	t.Parallel()
	doc, plain := read(t), grant(t)
	pin := doc.Pin().String()
	agent := func(contextID string, parts ...engine.Part) engine.Reply {
		m := message("r", contextID, parts...)
		m.Role = engine.RoleAgent
		return engine.Reply{Message: &m}
	}
	text := engine.Part{Content: engine.Text, Text: "done"}
	untagged := agent("ctx", text)
	untagged.Message.Extensions = nil
	good := payload("response", pin, readResponse, turtleMT)
	artifact := engine.Artifact{ID: "a", Extensions: []string{uri}, Parts: []engine.Part{good}}
	stripped := artifact
	stripped.Extensions = nil
	for _, row := range []struct {
		name  string
		doc   *protocol.Reviewed
		reply engine.Reply
		kind  engine.Kind
		code  protocol.Code
	}{
		{"RSP-1 valid", doc, agent("ctx", good, text), engine.KindResponse, ""},
		{"RSP-1 more than is asked for", doc, agent("ctx", payload("response", pin, prefixes+"<urn:r> a schema:ReadAction, schema:Other ; schema:x 1 . <urn:s> a schema:Other .", turtleMT)), engine.KindResponse, ""},
		{"RSP-2 nothing selected", doc, agent("ctx", payload("response", pin, prefixes+"<urn:r> a schema:Other .", turtleMT)), engine.KindRefused, protocol.CodeResponseInvalid},
		{"RSP-1 malformed", doc, agent("ctx", payload("response", pin, "<", turtleMT)), engine.KindRefused, protocol.CodeResponseInvalid},
		{"RSP-3 a text without a shape", plain, untagged, engine.KindResponse, ""},
		{"RSP-3 a graph without a shape", plain, agent("ctx", payload("response", plain.Pin().String(), readResponse, turtleMT)), engine.KindResponse, ""},
		{"RSP-3 a malformed graph without a shape", plain, agent("ctx", payload("response", plain.Pin().String(), "<", turtleMT)), engine.KindRefused, protocol.CodeResponseInvalid},
		{"RSP-4 a text where a shape is", doc, untagged, engine.KindRefused, protocol.CodeResponseInvalid},
		{"RSP-5 another pin", doc, agent("ctx", payload("response", plain.Pin().String(), readResponse, turtleMT)), engine.KindRefused, protocol.CodeResponseInvalid},
		{"RSP-5 another context", doc, agent("ctx-2", good), engine.KindRefused, protocol.CodeMalformedPayload},
		{"BIND-11 an artifact", doc, engine.Reply{State: engine.TaskCompleted, TaskID: "t", ContextID: "ctx", Artifacts: []engine.Artifact{artifact}}, engine.KindResponse, ""},
		{"BIND-11 an artifact that does not list it", doc, engine.Reply{State: engine.TaskCompleted, TaskID: "t", ContextID: "ctx", Artifacts: []engine.Artifact{stripped}}, engine.KindRefused, protocol.CodeExtensionNotActive},
		{"BIND-3 two responses", doc, engine.Reply{State: engine.TaskCompleted, TaskID: "t", ContextID: "ctx", Artifacts: []engine.Artifact{artifact, artifact}}, engine.KindRefused, protocol.CodeMalformedPayload},
		{"a task that goes on", doc, engine.Reply{State: engine.TaskWorking, TaskID: "t", ContextID: "ctx"}, engine.KindWaiting, ""},
		{"8.2 an error", doc, engine.Reply{Failed: true, Code: protocol.CodeIntentInvalid, Text: "no"}, engine.KindFailed, protocol.CodeIntentInvalid},
		{"8.3 a failed task", doc, engine.Reply{State: engine.TaskFailed, TaskID: "t", ContextID: "ctx", Message: agent("ctx", good).Message}, engine.KindFailed, ""},
		{"nothing", doc, engine.Reply{}, engine.KindFailed, ""},
		{"an intent in a reply", doc, agent("ctx", payload("intent", pin, readIntent, turtleMT)), engine.KindRefused, protocol.CodeMalformedPayload},
		{"an answer to no offer", doc, agent("ctx", payload("upgrade-response", "", responseJSON(doc.Pin(), true), "")), engine.KindRefused, protocol.CodeMalformedPayload},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			client := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc, plain}, nil)
			to := engine.To{Peer: bobToAlice, ContextID: "ctx"}
			to.Peer.Accepts = accepted(t, row.doc.Pin())
			body := readIntent
			if row.doc == plain {
				body = grantIntent
			}
			sent, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: row.doc.Pin(), Body: body, MediaType: turtleMT})
			require.NoError(t, err)
			o := receiveReply(t, client, bobToAlice, sent, row.reply)
			require.Equal(t, row.kind, o.Kind, "%s", o.Trace)
			require.Equal(t, row.code, o.Code)
			if o.Kind == engine.KindResponse {
				require.Equal(t, row.doc == doc, o.Response.Validated)
			}
		})
	}
}

// TestResponsesOfTasks: an intent into a task is answered in that task, whatever carries
// the answer.
func TestResponsesOfTasks(t *testing.T) {
	t.Parallel()
	doc := read(t)
	good := payload("response", doc.Pin().String(), readResponse, turtleMT)
	message := func(taskID string) *engine.Message {
		m := message("r", "ctx", good)
		m.Role, m.TaskID = engine.RoleAgent, taskID
		return &m
	}
	artifacts := []engine.Artifact{{ID: "a", Extensions: []string{uri}, Parts: []engine.Part{good}}}
	task := func(taskID string, m *engine.Message, a []engine.Artifact) engine.Reply {
		return engine.Reply{State: engine.TaskCompleted, TaskID: taskID, ContextID: "ctx", Message: m, Artifacts: a}
	}
	for _, row := range []struct {
		name, sent string
		reply      engine.Reply
		ok         bool
	}{
		{"a message of the task", "t", engine.Reply{Message: message("t")}, true},
		{"a message that names no task", "t", engine.Reply{Message: message("")}, true},
		{"a message of another task", "t", engine.Reply{Message: message("t-2")}, false},
		{"a message of a task that the agent began", "", engine.Reply{Message: message("t-2")}, true},
		{"the task", "t", task("t", nil, artifacts), true},
		{"another task", "t", task("t-2", nil, artifacts), false},
		{"a task that the agent began", "", task("t-2", nil, artifacts), true},
		{"the task, with a message of another", "t", task("t", message("t-2"), nil), false},
		{"a task that the agent began, with a message of another", "", task("t", message("t-2"), nil), false},
		{"a task without an id, with a message of another", "t", task("", message("t-2"), nil), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			client := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
			to := engine.To{Peer: bobToAlice, ContextID: "ctx", TaskID: row.sent}
			to.Peer.Accepts = accepted(t, doc.Pin())
			sent, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: readIntent, MediaType: turtleMT})
			require.NoError(t, err)
			o := receiveReply(t, client, bobToAlice, sent, row.reply)
			if row.ok {
				require.Equal(t, engine.KindResponse, o.Kind, "%s", o.Trace)
				return
			}
			require.Equal(t, engine.KindRefused, o.Kind, "%s", o.Trace)
			require.Equal(t, protocol.CodeMalformedPayload, o.Code)
			require.Nil(t, o.Response)
		})
	}
}

// TestSkippedHandshake: an intent under what a card declares that came to nothing is not
// said again in prose (SEC-9, DG-4, DG-6), here or after a restart.
func TestSkippedHandshake(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	answer := func(contextID string) engine.Reply {
		return engine.Reply{Message: &engine.Message{ID: "r", ContextID: contextID, Role: engine.RoleAgent, Parts: []engine.Part{{Content: engine.Text, Text: "done"}}}}
	}
	for _, row := range []struct {
		name      string
		contextID string
		reply     engine.Reply
		informal  bool
		first     bool // whether prose is allowed in a first message afterwards
	}{
		{"answered", "", answer("ctx"), false, true},
		{"answered, in a context", "ctx", answer("ctx"), false, true},
		{"an error", "", engine.Reply{Failed: true, Code: protocol.CodeAuthorizationDenied}, false, false},
		{"an error, in a context", "ctx", engine.Reply{Failed: true}, false, true},
		{"an error, not security-bearing", "", engine.Reply{Failed: true}, true, true},
		{"nothing", "", engine.Reply{}, false, false},
		{"a failed task", "", engine.Reply{State: engine.TaskFailed, TaskID: "t", ContextID: "ctx"}, false, false},
		{"a task that goes on", "", engine.Reply{State: engine.TaskWorking, TaskID: "t", ContextID: "ctx"}, false, false},
		{"a task that goes on, in a context", "ctx", engine.Reply{State: engine.TaskWorking, TaskID: "t", ContextID: "ctx"}, false, true},
		{"a task that goes on, nobody says where", "", engine.Reply{State: engine.TaskWorking, TaskID: "t"}, false, false},
		{"a task that goes on, not security-bearing", "", engine.Reply{State: engine.TaskWorking, TaskID: "t", ContextID: "ctx"}, true, true},
		{"a task that asks for something", "", engine.Reply{State: engine.TaskInput, TaskID: "t", ContextID: "ctx"}, false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			client := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, func(c *engine.Config) {
				if row.informal {
					c.Informal = []canon.Digest{doc.Pin()}
				}
			})
			to := engine.To{Peer: bobToAlice, ContextID: row.contextID}
			to.Peer.Accepts = accepted(t, doc.Pin())
			draft := engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT}
			m, err := client.Intent(t.Context(), to, draft)
			require.NoError(t, err)
			prose := func(contextID string) bool {
				_, err := client.restart(t).Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: contextID}, "please")
				if err != nil {
					refusedWith(t, protocol.CodeUpgradeRequired, err)
				}
				return err == nil
			}
			require.Equal(t, row.informal || row.contextID != "", prose(""), "while it is under way")
			if row.contextID != "" {
				require.False(t, prose(row.contextID), "while it is under way")
			}
			o := receiveReply(t, client, bobToAlice, m, row.reply)
			require.Equal(t, row.first, prose(""))
			if o.ContextID != "" {
				require.False(t, prose(o.ContextID), "a document is in use there")
			}
			m, err = client.Intent(t.Context(), engine.To{Peer: to.Peer}, draft)
			require.NoError(t, err)
			require.Equal(t, engine.KindResponse, receiveReply(t, client, bobToAlice, m, answer("ctx-9")).Kind)
			require.True(t, prose(""))
			require.False(t, prose("ctx-9"))
		})
	}
}

// TestSkippedHandshakeAcrossContexts: an agreement that is over, where agreements hold in
// all contexts, does not stand in for what is noted of an intent that came to nothing.
func TestSkippedHandshakeAcrossContexts(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	client := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, func(c *engine.Config) { c.AcrossContexts = true })
	peer := bobToAlice
	peer.Principal, peer.Accepts = "alice", accepted(t, doc.Pin())
	send := func(reply engine.Reply) {
		m, err := client.Intent(t.Context(), engine.To{Peer: peer}, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
		require.NoError(t, err)
		receiveReply(t, client, peer, m, reply)
	}
	prose := func(want bool) {
		t.Helper()
		_, err := client.Prose(t.Context(), engine.To{Peer: peer}, "please")
		if want {
			require.NoError(t, err)
		} else {
			refusedWith(t, protocol.CodeUpgradeRequired, err)
		}
	}
	answered := engine.Reply{Message: &engine.Message{ID: "r", ContextID: "ctx", Role: engine.RoleAgent, Parts: []engine.Part{{Content: engine.Text, Text: "done"}}}}
	send(answered)
	prose(false) // agreed
	was, err := client.Withdraw(t.Context(), peer, "", doc.Pin())
	require.NoError(t, err)
	require.True(t, was)
	prose(true)
	send(engine.Reply{Failed: true})
	prose(false)
	send(answered)
	prose(false) // agreed again
}

// TestSendingChecks: what the peer would refuse is not made (section 7.3, last line).
func TestSendingChecks(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	client := newSide(t, &clock{at: noon}, "bob", []*protocol.Reviewed{doc}, nil)
	to := engine.To{Peer: bobToAlice, ContextID: "ctx"}
	to.Peer.Accepts = accepted(t, doc.Pin())
	for _, row := range []struct {
		name string
		body string
		mt   string
		code protocol.Code
	}{
		{"good", grantIntent, turtleMT, ""},
		{"two intents", grantIntent + "<urn:2> a a2a:Intent .", turtleMT, protocol.CodeIntentInvalid},
		{"no mode", strings.Replace(grantIntent, "; a2a:mode acl:Read", "", 1), turtleMT, protocol.CodeIntentInvalid},
		{"malformed", "<", turtleMT, protocol.CodeMalformedPayload},
		{"a type that is none", grantIntent, "text/plain", protocol.CodeUnsupportedMediaType},
		{"too large", grantIntent + strings.Repeat(" ", 256<<10), turtleMT, protocol.CodeLimitExceeded},
	} {
		_, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: row.body, MediaType: row.mt})
		if row.code == "" {
			require.NoError(t, err, row.name)
		} else {
			refusedWith(t, row.code, err)
		}
	}
	_, err := client.Intent(t.Context(), to, engine.IntentDraft{Pin: canon.Sum(nil), Body: grantIntent, MediaType: turtleMT})
	refusedWith(t, protocol.CodeUnsupportedProtocol, err)
	_, err = client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin()})
	require.Error(t, err)
	to.Role = engine.RoleAgent
	_, err = client.Intent(t.Context(), to, engine.IntentDraft{Pin: doc.Pin(), Body: grantIntent, MediaType: turtleMT})
	refusedWith(t, protocol.CodeMalformedPayload, err)
	_, err = client.Offer(t.Context(), engine.To{Peer: bobToAlice}, engine.OfferDraft{Pin: canon.Sum(nil), Source: source})
	require.ErrorIs(t, err, handshake.ErrNotReviewed)
	for range 2 {
		_, err = client.Respond(t.Context(), nil, engine.Answer{Text: "x"})
		require.Error(t, err)
		require.Error(t, client.Settle(t.Context(), new(engine.Intent), nil))
	}
}

// TestNew: what a configuration must have.
func TestNew(t *testing.T) {
	t.Parallel()
	c := &clock{at: noon}
	good := newSide(t, c, "alice", nil, nil).config
	for name, change := range map[string]func(*engine.Config){
		"no name":             func(c *engine.Config) { c.Local = "" },
		"no documents":        func(c *engine.Config) { c.Documents = nil },
		"no store":            func(c *engine.Config) { c.Store = nil },
		"no clock":            func(c *engine.Config) { c.Clock = nil },
		"no randomness":       func(c *engine.Config) { c.Random = nil },
		"CARD-13 not held":    func(c *engine.Config) { c.Declared = []engine.Declared{{Pin: canon.Sum(nil)}} },
		"a format of graphs":  func(c *engine.Config) { c.Formats = []string{"application/trig"} },
		"a format that is no": func(c *engine.Config) { c.Formats = []string{"x"} },
		"a negative time":     func(c *engine.Config) { c.OfferTimeout = -1 },
	} {
		bad := good
		change(&bad)
		_, err := engine.New(bad)
		require.Error(t, err, name)
	}
	_, err := engine.New(good)
	require.NoError(t, err)
}
