package a2a_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func offer(a *agent, d *protocol.Reviewed, required bool) engine.OfferDraft {
	return engine.OfferDraft{Pin: d.Pin(), Source: source + d.Document().Title(), Required: required, Name: "A document"}
}

func TestHandshake(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name               string
		accepted, required bool
		graph              bool
		want               engine.Kind
	}{
		{"optional accepted", true, false, false, engine.KindAgreed},
		{"required accepted", true, true, false, engine.KindAgreed},
		{"required accepted as RDF", true, true, true, engine.KindAgreed},
		{"optional declined", false, false, false, engine.KindDeclined},
		{"required declined", false, true, false, engine.KindAborted},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bindings(t, func(t *testing.T, b a2a.Binding) {
				a := newAgent(t, agentOptions{})
				c := dial(t, a, a.clientConfig(t, b))
				require.Equal(t, b, c.Endpoint().Binding)
				v := c.Conversation("")
				d := a.grant
				if !row.accepted {
					d = a.update
				}
				draft := offer(a, d, row.required)
				draft.Graph = row.graph
				r, err := v.Offer(t.Context(), draft)
				require.NoError(t, err)
				require.Equal(t, row.want, r.Kind, "%s", r.Trace)
				require.NotEmpty(t, v.ContextID())
				require.Zero(t, a.prose.got.Load())

				said, err := v.Say(t.Context(), "please")
				if row.want == engine.KindDeclined {
					require.NoError(t, err)
					require.Equal(t, engine.KindProse, said.Kind)
					require.Equal(t, []string{"as you say"}, said.Texts)
					require.Equal(t, int64(1), a.prose.got.Load())
				} else {
					refused, ok := errors.AsType[*protocol.Error](err)
					require.True(t, ok, "%v", err)
					require.Equal(t, protocol.CodeUpgradeRequired, refused.Code)
					require.Zero(t, a.prose.got.Load())
				}

				sent, err := v.Intent(t.Context(), engine.IntentDraft{Pin: d.Pin(), Graph: intent(t, protocol.VerbGrant, container)})
				if row.want != engine.KindAgreed {
					require.Error(t, err)
					require.Empty(t, a.executed())
					return
				}
				require.NoError(t, err)
				require.Equal(t, engine.KindResponse, sent.Kind, "%s", sent.Trace)
				require.Len(t, a.executed(), 1)
				require.False(t, sent.Response.Validated)
				require.Equal(t, []string{"done"}, sent.Texts)
			})
		})
	}
}

// An intent under a document that the card declares needs no handshake.
func TestHandshakeSkip(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name          string
		tasks, stream bool
	}{
		{"message", false, false},
		{"task", true, false},
		{"stream of a message", false, true},
		{"stream of a task", true, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			bindings(t, func(t *testing.T, b a2a.Binding) {
				a := newAgent(t, agentOptions{tasks: row.tasks})
				config := a.clientConfig(t, b)
				config.Stream = row.stream
				v := dial(t, a, config).Conversation("")
				r, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
				require.NoError(t, err)
				require.Equal(t, engine.KindResponse, r.Kind, "%s", r.Trace)
				require.True(t, r.Response.Validated)
				require.Equal(t, 1, r.Response.Graph.Len())
				require.Equal(t, row.tasks, r.TaskID != "")
				require.NotEmpty(t, v.ContextID())
				require.Len(t, a.executed(), 1)
				require.Equal(t, "bob", a.outcome().Intent.Peer().Principal)
			})
		})
	}
}

// library is a source of one document, which counts how often it is asked.
type library struct {
	document *protocol.Reviewed
	asked    atomic.Int64
}

func (l *library) Fetch(_ context.Context, url string) ([]byte, string, error) {
	l.asked.Add(1)
	if url != source+"read" {
		return nil, "", errors.New("status 404")
	}
	return nquads.Append(nil, l.document.Document().Dataset()), "application/n-triples", nil
}

// What the card declares and the client does not hold is fetched once and verified
// (CARD-12), also to be offered. What the policy does not allow is not.
func TestLearn(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		allowed bool
		send    func(*a2a.Conversation, engine.OfferDraft, engine.IntentDraft) (a2a.Result, error)
		want    engine.Kind
	}{
		{"to offer it", true, func(v *a2a.Conversation, o engine.OfferDraft, _ engine.IntentDraft) (a2a.Result, error) {
			return v.Offer(t.Context(), o)
		}, engine.KindAgreed},
		{"to send an intent", true, func(v *a2a.Conversation, _ engine.OfferDraft, i engine.IntentDraft) (a2a.Result, error) {
			return v.Intent(t.Context(), i)
		}, engine.KindResponse},
		{"refused to offer it", false, func(v *a2a.Conversation, o engine.OfferDraft, _ engine.IntentDraft) (a2a.Result, error) {
			return v.Offer(t.Context(), o)
		}, 0},
		{"refused to send an intent", false, func(v *a2a.Conversation, _ engine.OfferDraft, i engine.IntentDraft) (a2a.Result, error) {
			return v.Intent(t.Context(), i)
		}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t, agentOptions{})
			docs := &library{document: a.read}
			config := a.clientConfig(t, a2a.JSONRPC)
			config.Engine = a.clientEngine(t, func(c *engine.Config) {
				c.Documents, c.Source = protocol.NewStore(0), docs
				if !row.allowed {
					c.Policy = engine.AllowList{}
				}
			})
			client := dial(t, a, config)
			for range 2 {
				r, err := row.send(client.Conversation(""), offer(a, a.read, true), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
				if !row.allowed {
					refused, ok := errors.AsType[*protocol.Error](err)
					require.True(t, ok, "%v", err)
					require.Equal(t, protocol.CodeUnsupportedProtocol, refused.Code)
					require.Zero(t, docs.asked.Load())
					require.Zero(t, r.Sent)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, row.want, r.Kind, "%s", r.Trace)
				require.Equal(t, int64(1), docs.asked.Load())
			}
		})
	}
}

// slow is a source that answers when it may.
type slow struct {
	asked, may chan struct{}
	gaveUp     *atomic.Int64 // who asked and did not wait
}

func (s slow) Fetch(ctx context.Context, _ string) ([]byte, string, error) {
	s.asked <- struct{}{}
	select {
	case <-s.may:
	case <-ctx.Done():
		s.gaveUp.Add(1)
	}
	return nil, "", errors.New("status 404")
}

// Large offers whose documents do not come keep no large intent waiting, however they are
// spelt.
func TestLargeOffers(t *testing.T) {
	t.Parallel()
	for name, spelling := range map[string]string{"plain": "upgrade-offer", "escaped": `upgrade\u002doffer`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			docs := slow{make(chan struct{}), make(chan struct{}), &atomic.Int64{}}
			a := newAgent(t, agentOptions{engine: func(c *engine.Config) {
				c.Source, c.Policy = docs, engine.AllowList{Publishers: []string{"https://alice.pod.example"}}
			}})
			padding := map[string]any{"text": strings.Repeat("x", 20<<10)}
			var all sync.WaitGroup
			for i := range 2 * runtime.GOMAXPROCS(0) { // as many as have a turn
				offered := map[string]any{
					"data":     map[string]any{"kind": "upgrade-offer", "protocolHash": "sha256:" + fmt.Sprintf("%064x", i+1), "protocolSource": fmt.Sprint(source, i), "required": true},
					"metadata": map[string]any{protocol.KeyKind: protocol.RoleUpgradeOffer},
				}
				if i%2 == 1 { // the object says itself what it is
					delete(offered, "metadata")
				}
				d := draft{id: fmt.Sprint("offer", i), parts: []map[string]any{padding, offered}}
				text := strings.ReplaceAll(d.String(), "upgrade-offer", spelling)
				all.Go(func() { a.post(t, a2a.JSONRPC, fmt.Sprint("peer", i), true, text) })
				<-docs.asked
			}
			d := draft{id: "intent", parts: []map[string]any{padding, intentPart(a.read.Pin().String(), readIntent)}}
			got := a.post(t, a2a.JSONRPC, "bob", true, d.String())
			ended := docs.gaveUp.Load()
			close(docs.may)
			all.Wait()
			require.Empty(t, got.code, got.body)
			require.Equal(t, []string{"intent"}, a.executed())
			require.Zero(t, ended, "the intent waited for an offer to be over")
		})
	}
}

// An intent whose answer got lost is sent again as it was, carried out once, and answered.
func TestResend(t *testing.T) {
	t.Parallel()
	for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
		t.Run(b.String(), func(t *testing.T) {
			t.Parallel()
			var lose atomic.Bool
			a := newAgent(t, agentOptions{wrap: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !lose.Swap(false) {
						next.ServeHTTP(w, r)
						return
					}
					next.ServeHTTP(httptest.NewRecorder(), r)
					panic(http.ErrAbortHandler)
				})
			}})
			v := dial(t, a, a.clientConfig(t, b)).Conversation("")
			lose.Store(true)
			r, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
			require.Error(t, err)
			require.Equal(t, engine.KindFailed, r.Kind)
			require.Equal(t, []string{r.Sent.ID}, a.executed())
			for range 2 {
				again, err := v.Resend(t.Context(), r.Sent)
				require.NoError(t, err)
				require.Equal(t, engine.KindResponse, again.Kind, "%s", again.Trace)
				require.True(t, again.Response.Validated)
				require.Equal(t, r.Sent, again.Sent)
				require.Equal(t, []string{r.Sent.ID}, a.executed())
			}
			require.NotEmpty(t, v.ContextID())

			offered, err := v.Offer(t.Context(), offer(a, a.grant, true))
			require.NoError(t, err)
			for _, m := range []engine.Message{{}, offered.Sent} {
				_, err = v.Resend(t.Context(), m)
				require.ErrorContains(t, err, "expected the message of an intent")
			}
		})
	}
}

// TestAwait: a task that an intent led to is known also when the time is up before it is
// over, and is waited for later without the intent being sent again.
func TestAwait(t *testing.T) {
	t.Parallel()
	for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
		t.Run(b.String(), func(t *testing.T) {
			t.Parallel()
			gate := make(chan struct{})
			var sent atomic.Int64
			a := newAgent(t, agentOptions{tasks: true, ran: func(context.Context) { <-gate }, wrap: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, err := io.ReadAll(r.Body)
					if err != nil {
						return
					}
					text := string(body)
					if strings.Contains(text, `"messageId"`) {
						sent.Add(1)
						text = strings.Replace(text, `"message":{`, `"configuration":{"returnImmediately":true},"message":{`, 1)
					}
					r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
					next.ServeHTTP(w, r)
				})
			}})
			v := dial(t, a, a.clientConfig(t, b)).Conversation("")
			short, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			r, err := v.Intent(short, engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotEmpty(t, r.TaskID)
			close(gate)
			for range 2 {
				again, err := v.Await(t.Context(), r.Sent, r.TaskID)
				require.NoError(t, err)
				require.Equal(t, engine.KindResponse, again.Kind, "%s", again.Trace)
				require.True(t, again.Response.Validated)
				require.Equal(t, r.TaskID, again.TaskID)
			}
			require.EqualValues(t, 1, sent.Load())
			require.Equal(t, []string{r.Sent.ID}, a.executed())

			other, err := v.Await(t.Context(), r.Sent, "another")
			require.NoError(t, err)
			require.Equal(t, engine.KindFailed, other.Kind)
			for _, m := range []engine.Message{{}, r.Sent} {
				_, err = v.Await(t.Context(), m, map[bool]string{true: r.TaskID}[m.ID == ""])
				require.ErrorContains(t, err, "expected the message of an intent")
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		code   protocol.Code
		target string
		answer func(*engine.Intent) (engine.Answer, error)
		ran    bool
	}{
		{"mandate", protocol.CodeAuthorizationDenied, forbidden, nil, false},
		{"response that does not conform", protocol.CodeResponseInvalid, container, func(*engine.Intent) (engine.Answer, error) {
			return engine.Answer{Body: `<urn:x> a <urn:Other> .`, MediaType: "text/turtle"}, nil
		}, true},
		{"response that is none", protocol.CodeResponseInvalid, container, func(*engine.Intent) (engine.Answer, error) {
			return engine.Answer{Text: "done"}, nil
		}, true},
		{"the application's code", protocol.CodeLimitExceeded, container, func(*engine.Intent) (engine.Answer, error) {
			return engine.Answer{}, &protocol.Error{Code: protocol.CodeLimitExceeded, Reason: "secret"}
		}, true},
		{"the application's error", "", container, func(*engine.Intent) (engine.Answer, error) {
			return engine.Answer{}, errors.New("secret")
		}, true},
	} {
		for _, tasks := range []bool{false, true} {
			name := row.name + " by an error"
			if tasks {
				name = row.name + " by a task"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				bindings(t, func(t *testing.T, b a2a.Binding) {
					a := newAgent(t, agentOptions{tasks: tasks})
					if row.answer != nil {
						a.respond(row.answer)
					}
					v := dial(t, a, a.clientConfig(t, b)).Conversation("")
					r, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, row.target)})
					require.NoError(t, err)
					require.Equal(t, engine.KindFailed, r.Kind, "%s", r.Trace)
					require.Equal(t, row.code, r.Code)
					require.False(t, r.ExtensionRequired)
					for _, text := range r.Texts {
						require.NotContains(t, text, "secret")
					}
					if row.ran {
						require.Len(t, a.executed(), 1)
					} else {
						require.Empty(t, a.executed())
					}
					_, err = v.Say(t.Context(), "then do it this way")
					require.Error(t, err)
					require.Zero(t, a.prose.got.Load())
				})
			})
		}
	}
}

// Of a task without a context nobody knows what is agreed in it: no prose goes there.
func TestProseIntoTask(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{wrap: raw(200, "application/json", `{"task":{"id":"t-1","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}`)})
	v := dial(t, a, a.clientConfig(t, a2a.REST)).Conversation("")
	r, err := v.Say(t.Context(), "hello")
	require.NoError(t, err)
	require.True(t, r.Input)
	require.Equal(t, "t-1", r.TaskID)
	var refused *protocol.Error
	_, err = v.Say(t.Context(), "hello")
	require.ErrorAs(t, err, &refused)
	require.Equal(t, protocol.CodeUpgradeRequired, refused.Code)
}

// Prose for a routine that the agent judges to be security-bearing is answered with an
// offer, and what is agreed thereby can be used.
func TestServerOffers(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{offerInReply: true, engine: func(c *engine.Config) {
			pin := c.Declared[0].Pin
			c.Routine = func(context.Context, engine.Peer, *engine.Message) (canon.Digest, bool) { return pin, true }
		}})
		v := dial(t, a, a.clientConfig(t, b)).Conversation("")
		r, err := v.Say(t.Context(), "show me the notes")
		require.NoError(t, err)
		require.Equal(t, engine.KindReply, r.Kind, "%s", r.Trace)
		require.NotNil(t, r.Agreement)
		require.True(t, r.Agreement.Required)
		require.Zero(t, a.prose.got.Load())
		_, err = v.Say(t.Context(), "show me the notes")
		require.Error(t, err)
		in, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
		require.NoError(t, err)
		require.Equal(t, engine.KindResponse, in.Kind, "%s", in.Trace)
	})
}

// Within a task of the application the offer, the answer and the intent stay in it.
func TestServerOffersInTask(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		asks := &asker{}
		a := newAgent(t, agentOptions{offerInReply: true, executor: asks.around, engine: func(c *engine.Config) {
			pin := c.Declared[0].Pin
			c.Routine = func(context.Context, engine.Peer, *engine.Message) (canon.Digest, bool) { return pin, true }
		}})
		v := dial(t, a, a.clientConfig(t, b)).Conversation("")
		begun, err := v.Say(t.Context(), "begin a task")
		require.NoError(t, err)
		require.True(t, begun.Input)
		require.NotEmpty(t, begun.TaskID)
		r, err := v.Say(t.Context(), "show me the notes")
		require.NoError(t, err)
		require.Equal(t, engine.KindReply, r.Kind, "%s", r.Trace)
		require.NotNil(t, r.Agreement)
		require.Equal(t, begun.TaskID, r.TaskID)
		in, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
		require.NoError(t, err)
		require.Equal(t, engine.KindResponse, in.Kind, "%s", in.Trace)
		require.Equal(t, begun.TaskID, in.TaskID)
		require.Len(t, a.executed(), 1)
	})
}

// Judging a message takes no longer than it may, whatever it waits for.
func TestValidationTime(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{engine: func(c *engine.Config) {
		c.Authorizer = engine.AuthorizerFunc(func(ctx context.Context, _ *engine.Question) (engine.Authority, error) {
			deadline, ok := ctx.Deadline()
			if !ok || time.Until(deadline) > a2a.ValidationTime {
				return engine.Authority{Permit: true}, nil
			}
			<-ctx.Done()
			return engine.Authority{Permit: true}, nil
		})
	}})
	v := dial(t, a, a.clientConfig(t, a2a.JSONRPC)).Conversation("")
	began := time.Now()
	r, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
	require.NoError(t, err)
	require.Equal(t, engine.KindFailed, r.Kind, "%s", r.Trace)
	require.Less(t, time.Since(began), 4*a2a.ValidationTime)

	// The time for an offer is not to be had by its name.
	part := intentPart(a.read.Pin().String(), readIntent)
	part["metadata"].(map[string]any)["x"] = protocol.RoleUpgradeOffer
	for i, beside := range []map[string]any{
		{
			"data":      map[string]any{"kind": protocol.RoleUpgradeOffer},
			"mediaType": "application/vp", "metadata": map[string]any{protocol.KeyKind: protocol.RoleAuthorization},
		},
		{"data": map[string]any{"kind": protocol.RoleUpgradeOffer}},
		{"text": "x", "metadata": map[string]any{protocol.KeyKind: protocol.RoleUpgradeOffer}},
	} {
		d := draft{id: fmt.Sprint("m", i), parts: []map[string]any{beside, part}}
		got := a.post(t, a2a.JSONRPC, "bob", true, d.String())
		require.NotEmpty(t, got.code, got.body)
	}
	require.Empty(t, a.executed())
}

// A client that declines what the agent demands gets nothing done in prose.
func TestServerOfferDeclined(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{offerInReply: true, engine: func(c *engine.Config) {
			pin := c.Declared[0].Pin
			c.Routine = func(context.Context, engine.Peer, *engine.Message) (canon.Digest, bool) { return pin, true }
		}})
		config := a.clientConfig(t, b)
		config.Engine = a.clientEngine(t, func(c *engine.Config) { c.Policy = engine.AllowList{} })
		v := dial(t, a, config).Conversation("")
		r, err := v.Say(t.Context(), "show me the notes")
		require.NoError(t, err)
		require.Equal(t, engine.KindReply, r.Kind, "%s", r.Trace)
		require.Nil(t, r.Agreement)
		o := a.outcome()
		require.Equal(t, engine.KindAborted, o.Kind, "%s", o.Trace)
		r, err = v.Say(t.Context(), "show me the notes")
		if err == nil {
			require.Equal(t, engine.KindFailed, r.Kind, "%s", r.Trace)
			require.Equal(t, protocol.CodeUpgradeRequired, r.Code)
		}
		require.Zero(t, a.prose.got.Load())
		require.Empty(t, a.executed())
	})
}

// Prose that nothing forbids goes to the application, and is refused where there is none.
func TestProse(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		r, err := dial(t, a, a.clientConfig(t, b)).Conversation("").Say(t.Context(), "hello")
		require.NoError(t, err)
		require.Equal(t, engine.KindProse, r.Kind, "%s", r.Trace)
		require.Equal(t, []string{"as you say"}, r.Texts)

		a = newAgent(t, agentOptions{noProse: true})
		r, err = dial(t, a, a.clientConfig(t, b)).Conversation("").Say(t.Context(), "hello")
		require.NoError(t, err)
		require.Equal(t, engine.KindFailed, r.Kind, "%s", r.Trace)
		require.Equal(t, protocol.CodeUpgradeRequired, r.Code)
	})
}

// Who is not authenticated is nobody, and what they agree holds in one context.
func TestUnauthenticated(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		config := a.clientConfig(t, b)
		config.Authorize = nil
		v := dial(t, a, config).Conversation("")
		r, err := v.Offer(t.Context(), offer(a, a.grant, true))
		require.NoError(t, err)
		require.Equal(t, engine.KindAgreed, r.Kind, "%s", r.Trace)
		in, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.grant.Pin(), Graph: intent(t, protocol.VerbGrant, container)})
		require.NoError(t, err)
		require.Equal(t, engine.KindResponse, in.Kind, "%s", in.Trace)
		require.Empty(t, a.outcome().Intent.Peer().Principal)
	})
}

// Credentials go to the endpoint and nowhere else, and a failure to get any sends
// nothing.
func TestAuthorize(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{wrap: func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://elsewhere.example/", http.StatusTemporaryRedirect)
			})
		}})
		config := a.clientConfig(t, b)
		asked := 0
		config.Authorize = func(_ context.Context, e a2a.Endpoint) (http.Header, error) {
			asked++
			require.NotEmpty(t, e.Origin())
			return nil, errors.New("no token")
		}
		v := dial(t, a, config).Conversation("")
		_, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
		require.ErrorContains(t, err, "no token")
		require.Equal(t, 1, asked)
		require.Empty(t, a.executed())
		if b == a2a.GRPC {
			return
		}
		v = dial(t, a, a.clientConfig(t, b)).Conversation("")
		_, err = v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
		require.Error(t, err)
		require.Empty(t, a.executed())
	})
}

var _ sdksrv.AgentExecutor = (*prose)(nil)
