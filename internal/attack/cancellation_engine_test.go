package attack_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

func clockAtNoon() time.Time { return noon }

// lookingStore looks before and after every call of a store: the context ends before a
// write, and after it, when nobody can undo it.
type lookingStore struct {
	replay.Store
	c *ending
}

func (s lookingStore) Claim(ctx context.Context, k replay.Key, d canon.Digest, now time.Time) (replay.Claim, error) {
	s.c.look()
	defer s.c.look()
	return s.Store.Claim(ctx, k, d, now)
}

func (s lookingStore) Settle(ctx context.Context, k replay.Key, d canon.Digest, answer []byte, now time.Time) error {
	s.c.look()
	defer s.c.look()
	return s.Store.Settle(ctx, k, d, answer, now)
}

func (s lookingStore) Load(ctx context.Context, name string, now time.Time) (replay.Record, bool, error) {
	s.c.look()
	defer s.c.look()
	return s.Store.Load(ctx, name, now)
}

func (s lookingStore) Swap(ctx context.Context, name string, owner replay.Owner, old uint64, value []byte, expires, now time.Time) (bool, error) {
	s.c.look()
	defer s.c.look()
	return s.Store.Swap(ctx, name, owner, old, value, expires, now)
}

// lookingSource fetches one document, and looks before and after.
type lookingSource struct{ c *ending }

func (s lookingSource) Fetch(ctx context.Context, _ string) ([]byte, string, error) {
	s.c.look()
	defer s.c.look()
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	return theWorld().document, turtleType, nil
}

// lookingRandom looks at every read.
type lookingRandom struct {
	stream
	c *ending
}

func (r *lookingRandom) Read(p []byte) (int, error) { r.c.look(); return r.stream.Read(p) }

const (
	grantSource = "https://alice.pod.example/protocols/grant-access"
	readSource  = "https://alice.pod.example/protocols/read"
)

// agent is an engine with what it was made of.
type agent struct {
	*engine.Engine
	store replay.Store
}

// newAgent makes an engine that holds the document for reading and declares it, and
// obtains the one for granting. It looks at c wherever it calls what it was given.
func newAgent(c *ending, read *protocol.Reviewed, change func(*engine.Config)) *agent {
	docs := protocol.NewStore(0)
	require1(docs.Put(read))
	a := &agent{store: replay.NewMemory(replay.Limits{})}
	config := engine.Config{
		Local: "https://alice.example/agent", Documents: docs, Store: lookingStore{a.store, c},
		Random: &lookingRandom{stream: stream{seed: "engine"}, c: c},
		Clock:  func() time.Time { c.look(); return noon },
		Policy: engine.AllowList{Pins: []canon.Digest{read.Pin(), theWorld().reviewed.Pin()}},
		Source: lookingSource{c},
		Authorizer: engine.AuthorizerFunc(func(ctx context.Context, _ *engine.Question) (engine.Authority, error) {
			c.look()
			return engine.Authority{Permit: true}, ctx.Err()
		}),
		Declared: []engine.Declared{{Pin: read.Pin(), Source: readSource}},
		Domain:   domain,
	}
	if change != nil {
		change(&config)
	}
	a.Engine = must(engine.New(config))
	return a
}

func rolePart(role protocol.Role, pin canon.Digest, mediaType, body string) engine.Part {
	p := engine.Part{Content: engine.Text, Text: body, MediaType: mediaType}
	p.Metadata = fmt.Appendf(nil, `{%q:%q,%q:%q}`, protocol.KeyKind, role, protocol.KeyProtocolHash, pin)
	if strings.HasPrefix(body, "{") {
		p.Content, p.Text, p.Data = engine.Data, "", []byte(body)
	}
	return p
}

func sentBy(role engine.Role, id, contextID string, parts ...engine.Part) engine.Message {
	return engine.Message{ID: id, ContextID: contextID, Role: role, Extensions: []string{protocol.ExtensionURI}, Parts: parts}
}

// live is the context of all that is not cancelled.
var live = context.Background()

// engineOperation is an operation of an agent that is made anew for every call.
func engineOperation(name, variant string, change func(*engine.Config), start func(a *agent) call) operation {
	read := readDocument()
	return operation{name: name, variant: variant, begin: func(*testing.T) func(*ending) call {
		return func(c *ending) call { return startPaused(c, read, change, start) }
	}}
}

// storedOperation is one whose agents are those of one store that is open for all calls.
func storedOperation(name, variant string, open func(t *testing.T) keptStore, start func(a *agent) call) operation {
	read := readDocument()
	return operation{name: name, variant: variant, racing: true, begin: func(t *testing.T) func(*ending) call {
		s := open(t)
		return func(c *ending) call {
			return startPaused(c, read, func(config *engine.Config) {
				config.Local = fmt.Sprintf("https://alice.example/agent-%d", s.n.Add(1))
				config.Store = lookingStore{s.Store, c}
				config.Clock = func() time.Time { c.look(); return s.now() }
			}, start)
		}
	}}
}

// startPaused makes an agent, and the call that it is for: what is done before and after
// that is no point of the operation.
func startPaused(c *ending, read *protocol.Reviewed, change func(*engine.Config), start func(a *agent) call) call {
	c.paused.Store(true)
	x := start(newAgent(c, read, change))
	run := x.run
	x.run = func(ctx context.Context) (bool, error) {
		c.paused.Store(false)
		defer c.paused.Store(true)
		return run(ctx)
	}
	return x
}

// refusedBy checks what holds for every outcome: what failed does nothing.
func refusedBy(t *testing.T, o *engine.Outcome, err error) {
	t.Helper()
	if _, failed := outcomeOf(o); failed != nil {
		t.Error(failed)
	}
	if err != nil && o.Kind != engine.KindRefused && o.Kind != engine.KindAborted && o.Kind != engine.KindFailed {
		t.Errorf("an error with %s: %v", o.Kind, err)
	}
}

func engineOperations() []operation {
	w, read := theWorld(), readDocument()
	pin, grant := read.Pin(), w.reviewed.Pin()
	intent := func(id, contextID string) engine.Message {
		return sentBy(engine.RoleUser, id, contextID, rolePart(protocol.RoleIntent, pin, turtleType, readIntentText))
	}
	offer := func(id string) engine.Message {
		return sentBy(engine.RoleUser, id, "c-1", rolePart(protocol.RoleUpgradeOffer, grant, "application/json", string(w.offer)))
	}
	to := engine.To{Peer: peer, ContextID: "c-1"}
	declaring := to
	declaring.Peer.Accepts = declaredBy(read)
	draft := engine.OfferDraft{Pin: pin, Source: readSource, Required: true}

	// A claim that failed may have been recorded by a server that is not asked again
	// (replay.Store): with it a message may stay in progress.
	receiveIntent := func(contextID string, sure bool) func(a *agent) call {
		return func(a *agent) call {
			executed, where := 0, ""
			take := func(ctx context.Context, id, contextID string) (engine.Outcome, error) {
				o, err := a.Receive(ctx, peer, intent(id, contextID))
				if o.Kind == engine.KindIntent {
					executed, where = executed+1, o.ContextID
					_ = must(a.Respond(live, o.Intent, engine.Answer{Graph: someTurtle(readResponseText)}))
				}
				return o, err
			}
			var first engine.Outcome
			return call{
				run: func(ctx context.Context) (bool, error) {
					var err error
					first, err = take(ctx, "m-1", contextID)
					return first.Kind == engine.KindIntent, err
				},
				after: func(t *testing.T, yes bool, err error) {
					refusedBy(t, &first, err)
					for range 2 {
						again := must(take(live, "m-1", contextID))
						refusedBy(t, &again, nil)
						if sure && again.Kind == engine.KindDuplicate && again.Message == nil && again.Stored == nil {
							t.Error("refused at first, and in progress for ever after")
						}
						if where != "" { // it comes again in the context that it was given
							must(take(live, "m-1", where))
						}
					}
					if executed > 1 {
						t.Errorf("executed %d times", executed)
					}
					if o := must(take(live, "m-2", "c-1")); o.Kind != engine.KindIntent {
						t.Errorf("another message: %s %s", o.Kind, o.Trace)
					}
				},
			}
		}
	}
	receive := "engine.Engine.Receive"
	// replied is a reply to something that the agent sent: cancelled, and then given again.
	replied := func(sent func(a *agent) engine.Message, reply func(m engine.Message) engine.Reply, want engine.Kind) func(a *agent) call {
		return func(a *agent) call {
			m := sent(a)
			var o engine.Outcome
			noProse := func(t *testing.T) {
				for _, contextID := range []string{m.ContextID, o.ContextID} {
					if contextID == "" && o.ContextID != "" {
						continue // what was decided is of the context that it named
					}
					if _, err := a.Prose(live, engine.To{Peer: declaring.Peer, ContextID: contextID}, "please"); err == nil {
						t.Errorf("prose in %q after %s", contextID, o.Kind)
					}
				}
			}
			return call{
				run: func(ctx context.Context) (bool, error) {
					var err error
					o, err = a.ReceiveReply(ctx, declaring.Peer, m, reply(m))
					return o.Kind == want, err
				},
				after: func(t *testing.T, _ bool, err error) {
					if err != nil && (o.Kind == engine.KindDeclined || o.Kind == engine.KindProse) {
						t.Errorf("%s with %v", o.Kind, err)
					}
					noProse(t)
					o, err = a.ReceiveReply(live, declaring.Peer, m, reply(m))
					if err != nil {
						t.Error(err)
					}
					noProse(t)
				},
			}
		}
	}
	answer := func(parts ...engine.Part) func(engine.Message) engine.Reply {
		return func(engine.Message) engine.Reply {
			m := sentBy(engine.RoleAgent, "r-1", "c-1", parts...)
			return engine.Reply{Message: &m}
		}
	}
	sentOffer := func(contextID string) func(a *agent) engine.Message {
		return func(a *agent) engine.Message {
			return must(a.Offer(live, engine.To{Peer: declaring.Peer, ContextID: contextID}, draft))
		}
	}
	sentIntent := func(contextID string) func(a *agent) engine.Message {
		return func(a *agent) engine.Message {
			return must(a.Intent(live, engine.To{Peer: declaring.Peer, ContextID: contextID}, engine.IntentDraft{Pin: pin, Graph: someTurtle(readIntentText)}))
		}
	}
	accept := rolePart(protocol.RoleUpgradeResponse, pin, "application/json", `{"kind":"upgrade-response","protocolHash":"`+pin.String()+`","accept":true}`)
	response := rolePart(protocol.RoleResponse, pin, turtleType, readResponseText)
	failed := func(contextID string) func(engine.Message) engine.Reply {
		return func(engine.Message) engine.Reply { return engine.Reply{Failed: true, ContextID: contextID} }
	}
	const isNo = "that the peer failed is no yes"
	// ended is an intent that is carried out, and what keeps its answer.
	ended := func(end func(ctx context.Context, a *agent, in *engine.Intent) (bool, error)) func(a *agent) call {
		return func(a *agent) call {
			in := must(a.Receive(live, peer, intent("m-1", "c-1"))).Intent
			return call{
				run: func(ctx context.Context) (bool, error) { return end(ctx, a, in) },
				after: func(t *testing.T, yes bool, _ error) {
					if !yes { // it can be ended still
						if ok, err := end(live, a, in); !ok || err != nil {
							t.Error(ok, err)
						}
					}
					if again := must(a.Receive(live, peer, intent("m-1", "c-1"))); !again.Seen || again.Kind == engine.KindDuplicate && again.Message == nil && again.Stored == nil {
						t.Errorf("%s, seen %t", again.Kind, again.Seen)
					}
					if _, err := end(live, a, in); err == nil {
						t.Error("answered twice")
					}
				},
			}
		}
	}
	const kept = "an answer is kept also when who asked is gone: a duplicate must find it"
	late := func(why string, o operation) operation { o.late = why; return o }
	store := func(a *agent, f func(ctx context.Context) error) call {
		return call{
			run: func(ctx context.Context) (bool, error) { err := f(ctx); return err == nil, err },
			after: func(t *testing.T, _ bool, _ error) {
				if o := must(a.Receive(live, peer, intent("m-2", "c-2"))); o.Kind != engine.KindIntent {
					t.Errorf("afterwards: %s", o.Kind)
				}
			},
		}
	}
	return []operation{
		engineOperation(receive, "an intent", nil, receiveIntent("c-1", true)),
		engineOperation(receive, "a first message", nil, receiveIntent("", true)),
		storedOperation(receive, "an intent, in a file", inFile, receiveIntent("c-1", true)),
		storedOperation(receive, "a first message, in a file", inFile, receiveIntent("", true)),
		storedOperation(receive, "an intent, in Redis", inRedis, receiveIntent("c-1", false)),
		storedOperation(receive, "a first message, in Redis", inRedis, receiveIntent("", false)),
		engineOperation(receive, "an offer", nil, func(a *agent) call {
			var o engine.Outcome
			accepted := func(o *engine.Outcome) bool { return o.Kind == engine.KindReply && o.Agreement != nil && o.Code == "" }
			return call{
				run: func(ctx context.Context) (bool, error) {
					var err error
					o, err = a.Receive(ctx, peer, offer("o-1"))
					return accepted(&o), err
				},
				after: func(t *testing.T, yes bool, err error) {
					refusedBy(t, &o, err)
					if !yes && !slices.Contains([]protocol.Code{protocol.CodeLimitExceeded, protocol.CodeProtocolUnavailable}, o.Code) {
						t.Errorf("the peer is told %s", o.Code)
					}
					again := must(a.Receive(live, peer, offer("o-1")))
					refusedBy(t, &again, nil)
					if next := must(a.Receive(live, peer, offer("o-2"))); !accepted(&next) {
						t.Errorf("another offer: %s %s", next.Kind, next.Trace)
					}
				},
			}
		}),
		engineOperation(receive, "the answer to an offer", nil, func(a *agent) call {
			agent := engine.To{Peer: peer, ContextID: "c-1", Role: engine.RoleAgent}
			must(a.Offer(live, agent, draft))
			var o engine.Outcome
			take := func(ctx context.Context, id string) (engine.Outcome, error) {
				return a.Receive(ctx, peer, sentBy(engine.RoleUser, id, "c-1", accept))
			}
			return call{
				run: func(ctx context.Context) (bool, error) {
					var err error
					o, err = take(ctx, "a-1")
					return o.Kind == engine.KindAgreed, err
				},
				after: func(t *testing.T, yes bool, err error) {
					refusedBy(t, &o, err)
					if _, err := a.Prose(live, agent, "please"); err == nil {
						t.Error("prose after a required offer")
					}
					if again := must(take(live, "a-1")); again.Kind != engine.KindAgreed && again.Kind != engine.KindRefused {
						t.Errorf("again: %s", again.Kind)
					}
				},
			}
		}),
		engineOperation(receive, "prose", nil, func(a *agent) call {
			m := engine.Message{ID: "p-1", ContextID: "c-9", Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hello"}}}
			return call{run: func(ctx context.Context) (bool, error) {
				o, err := a.Receive(ctx, peer, m)
				return o.Kind == engine.KindProse, err
			}}
		}),
		engineOperation("engine.Engine.ReceiveReply", "an acceptance", nil, replied(sentOffer("c-1"), answer(accept), engine.KindAgreed)),
		engineOperation("engine.Engine.ReceiveReply", "an acceptance that names the context", nil, replied(sentOffer(""), answer(accept), engine.KindAgreed)),
		engineOperation("engine.Engine.ReceiveReply", "a response", nil, replied(sentIntent("c-1"), answer(response), engine.KindResponse)),
		late(isNo, engineOperation("engine.Engine.ReceiveReply", "a failure", nil, replied(sentIntent("c-1"), failed("c-1"), engine.KindFailed))),
		late(isNo, engineOperation("engine.Engine.ReceiveReply", "a failure without a context", nil, replied(sentIntent(""), failed(""), engine.KindFailed))),
		late(isNo, engineOperation("engine.Engine.ReceiveReply", "a failure that names the context", nil, replied(sentIntent(""), failed("c-1"), engine.KindFailed))),
		engineOperation("engine.Engine.ReceiveReply", "a response that names the context", nil, replied(sentIntent(""), answer(response), engine.KindResponse)),
		engineOperation("engine.Engine.Offer", "", nil, func(a *agent) call {
			return store(a, func(ctx context.Context) error {
				m, err := a.Offer(ctx, to, draft)
				if err != nil && m.ID != "" {
					return fmt.Errorf("a message with %v", err)
				}
				return err
			})
		}),
		engineOperation("engine.Engine.Prose", "", nil, func(a *agent) call {
			return call{run: func(ctx context.Context) (bool, error) { return yes(a.Prose(ctx, to, "please")) }}
		}),
		engineOperation("engine.Engine.Intent", "", nil, func(a *agent) call {
			return store(a, func(ctx context.Context) error {
				_, err := a.Intent(ctx, declaring, engine.IntentDraft{Pin: pin, Graph: someTurtle(readIntentText)})
				return err
			})
		}),
		late(kept, engineOperation("engine.Engine.Respond", "", nil, ended(func(ctx context.Context, a *agent, in *engine.Intent) (bool, error) {
			return yes(a.Respond(ctx, in, engine.Answer{Graph: someTurtle(readResponseText)}))
		}))),
		late(kept, engineOperation("engine.Engine.Settle", "", nil, ended(func(ctx context.Context, a *agent, in *engine.Intent) (bool, error) {
			err := a.Settle(ctx, in, []byte("task"))
			return err == nil, err
		}))),
		late(kept, engineOperation("engine.Engine.Refuse", "", nil, ended(func(ctx context.Context, a *agent, in *engine.Intent) (bool, error) {
			return yes(a.Refuse(ctx, in, protocol.CodeLimitExceeded, "the disk is full"))
		}))),
		engineOperation("engine.Engine.IssueChallenge", "", nil, func(a *agent) call {
			return store(a, func(ctx context.Context) error { _, err := a.IssueChallenge(ctx, peer, "c-1"); return err })
		}),
		engineOperation("engine.Engine.ExpectChallenge", "", nil, func(a *agent) call {
			return store(a, func(ctx context.Context) error { return a.ExpectChallenge(ctx, peer, "c-1", challenge) })
		}),
		engineOperation("engine.Engine.Agreed", "", nil, func(a *agent) call {
			must(a.Receive(live, peer, intent("m-1", "c-1")))
			return call{run: func(ctx context.Context) (bool, error) { return a.Agreed(ctx, peer, "c-1", pin) }}
		}),
		engineOperation("engine.Engine.Withdraw", "", nil, func(a *agent) call {
			must(a.Receive(live, peer, intent("m-1", "c-1")))
			return call{run: func(ctx context.Context) (bool, error) { return a.Withdraw(ctx, peer, "c-1", pin) }}
		}),
		engineOperation("engine.Engine.Obtain", "", nil, func(a *agent) call {
			p := engine.Proposal{Peer: peer, Pin: grant, Source: grantSource}
			return call{
				run: func(ctx context.Context) (bool, error) { return yes(a.Obtain(ctx, p)) },
				after: func(t *testing.T, _ bool, _ error) { // whoever gave up is not remembered against others
					if _, err := a.Obtain(live, p); err != nil {
						t.Error(err)
					}
				},
			}
		}),
		{name: "engine.AllowList.Allow", still: "it looks into a list", begin: simple("", func(ctx context.Context) (bool, error) {
			err := engine.AllowList{Pins: []canon.Digest{pin}}.Allow(ctx, engine.Proposal{Pin: pin}, nil)
			return err == nil, err
		}).begin},
		{name: "engine.Chains.Authorize", begin: func(*testing.T) func(*ending) call {
			q := question(w, read)
			return func(c *ending) call {
				chains := &engine.Chains{
					Authorizer: w.authorizer(nil),
					Root:       func(ctx context.Context, _ []odrl.Request) (string, error) { c.look(); return party(0), ctx.Err() },
					Policies: func(ctx context.Context, _ *engine.Question) ([]authz.PolicyDocument, error) {
						c.look()
						return []authz.PolicyDocument{{Content: w.policies[0]}}, ctx.Err()
					},
					Keep: func(ctx context.Context, _ authz.Record) error { c.look(); return ctx.Err() },
				}
				return call{run: func(ctx context.Context) (bool, error) {
					a, err := chains.Authorize(ctx, q)
					return err == nil && a.Permit, err
				}}
			}
		}},
	}
}

// declaredBy is what an admitted card declares.
func declaredBy(d *protocol.Reviewed) []agentcard.AcceptedDocument {
	ext := must(agentcard.Declaration{Description: "Reads.", Documents: []agentcard.DeclaredDocument{{Name: "Read", Source: readSource, Hash: d.Pin()}}, Formats: []string{turtleType}}.AppendExtension(nil))
	card := must(agentcard.Parse(fmt.Appendf(nil, `{"name":"a","capabilities":{"extensions":[%s]}}`, ext), agentcard.Limits{}))
	report := must(agentcard.Verify(live, card, agentcard.Keys{}, agentcard.Policy{At: noon, Source: "https://alice.example/card"}))
	admitted, code := agentcard.Admit(report, agentcard.DemandIfSigned)
	if code != "" {
		panic(code)
	}
	return admitted.Documents()
}

// question is what an engine asks about an intent with a chain that permits it.
func question(w *world, read *protocol.Reviewed) *engine.Question {
	text := fmt.Appendf(nil, `{"id":"urn:uuid:vp","type":["VerifiablePresentation"],"holder":%q,"verifiableCredential":[%s]}`, party(1), w.credentials[0])
	chain := must(vc.Sign(live, text, keyOf(1), vc.SignOptions{Profile: vc.ProfileSVC, Method: method(1), Created: noon, Challenge: challenge, Domain: []string{domain}}))
	var asked *engine.Question
	a := newAgent(endingAfter(maxPoints), read, func(c *engine.Config) {
		c.Authorizer = engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
			asked = q
			return engine.Authority{}, nil
		})
	})
	p := peer
	p.Principal = party(1)
	require1(a.ExpectChallenge(live, p, "c-1", challenge))
	body := strings.Replace(readIntentText, "https://alice.pod.example/notes/", target, 1)
	m := sentBy(engine.RoleUser, "m-1", "c-1", rolePart(protocol.RoleIntent, read.Pin(), turtleType, body), engine.Part{
		Content: engine.Text, Text: string(chain), MediaType: "application/vp", Metadata: fmt.Appendf(nil, `{%q:%q}`, protocol.KeyKind, protocol.RoleAuthorization),
	})
	must(a.Receive(live, p, m))
	return asked
}
