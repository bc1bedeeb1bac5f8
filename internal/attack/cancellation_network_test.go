package attack_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/protocol"
)

// webServer is an HTTPS server on loopback, which looks at the context of the call that is
// under way when a request comes and before it is answered.
type webServer struct {
	*httptest.Server
	c atomic.Pointer[ending]
}

// lookup is a name server: everything is at a public address.
type lookup struct{ s *webServer }

func (l lookup) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	l.s.look()
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

func (s *webServer) look() {
	if c := s.c.Load(); c != nil {
		c.look()
	}
}

func newWebServer(t *testing.T, h http.Handler) *webServer {
	s := &webServer{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.look()
		h.ServeHTTP(w, r)
		s.look()
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *webServer) roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

// dial connects to the server whatever the address is.
func (s *webServer) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	s.look()
	return new(net.Dialer).DialContext(ctx, "tcp", s.Listener.Addr().String())
}

// client is a guarded client that finds the server at every name.
func (s *webServer) client() *fetch.Client {
	return must(fetch.New(fetch.Options{RootCAs: s.roots(), Resolver: lookup{s}, Dial: s.dial, Timeout: time.Minute}))
}

func fetchOperations() []operation {
	w := theWorld()
	served := func(t *testing.T) *webServer {
		return newWebServer(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			rw.Header().Set("Content-Type", map[string]string{"/pd": turtleType, "/keys": "application/jwk-set+json"}[r.URL.Path])
			rw.Header().Set("ETag", `"x"`)
			body := map[string][]byte{"/pd": w.document, "/keys": w.cardKeys, "/card": w.card, "/proposal": w.sow}[r.URL.Path]
			_, _ = rw.Write(body)
		}))
	}
	on := func(name string, run func(c *fetch.Client) func(ctx context.Context) (bool, error)) operation {
		return operation{name: name, begin: func(t *testing.T) func(*ending) call {
			s := served(t)
			return func(c *ending) call {
				s.c.Store(c)
				client := s.client()
				return call{
					run: run(client),
					after: func(t *testing.T, _ bool, _ error) { // and nobody else is refused for it
						s.c.Store(nil)
						if _, err := client.Get(live, "https://example.com/pd", fetch.ProtocolDocument()); err != nil {
							t.Error(err)
						}
					},
				}
			}
		}}
	}
	const url = "https://example.com/"
	text := func(body []byte, err error) (bool, error) { return len(body) > 0, err }
	return []operation{
		on("fetch.Client.Get", func(c *fetch.Client) func(context.Context) (bool, error) {
			return func(ctx context.Context) (bool, error) { return yes(c.Get(ctx, url+"pd", fetch.ProtocolDocument())) }
		}),
		on("fetch.Client.GetIfChanged", func(c *fetch.Client) func(context.Context) (bool, error) {
			return func(ctx context.Context) (bool, error) {
				return yes(c.GetIfChanged(ctx, url+"pd", `"y"`, fetch.ProtocolDocument()))
			}
		}),
		on("fetch.Client.KeySet", func(c *fetch.Client) func(context.Context) (bool, error) {
			return func(ctx context.Context) (bool, error) {
				body, _, err := c.KeySet(ctx, url+"keys")
				return text(body, err)
			}
		}),
		on("fetch.Client.Proposal", func(c *fetch.Client) func(context.Context) (bool, error) {
			return func(ctx context.Context) (bool, error) { return text(c.Proposal(ctx, url+"proposal", true)) }
		}),
		on("fetch.Client.Card", func(c *fetch.Client) func(context.Context) (bool, error) {
			return func(ctx context.Context) (bool, error) {
				body, _, err := c.Card(ctx, url+"card", true)
				return text(body, err)
			}
		}),
		on("fetch.Client.DialContext", func(c *fetch.Client) func(context.Context) (bool, error) {
			return func(ctx context.Context) (bool, error) {
				conn, err := c.DialContext(ctx, "tcp", "example.com:443")
				if err == nil {
					err = conn.Close()
				}
				return err == nil, err
			}
		}),
		on("fetch.Cache.Get", func(c *fetch.Client) func(context.Context) (bool, error) {
			cache := fetch.NewCache(c, fetch.ProtocolDocument(), 0, clockAtNoon)
			return func(ctx context.Context) (bool, error) { return yes(cache.Get(ctx, url+"pd")) }
		}),
		on("fetch.Documents.Fetch", func(c *fetch.Client) func(context.Context) (bool, error) {
			d := fetch.NewDocuments(c, fetch.GateOptions{})
			return func(ctx context.Context) (bool, error) {
				body, _, err := d.Fetch(ctx, url+"pd")
				return text(body, err)
			}
		}),
		on("fetch.Documents.FetchFor", func(c *fetch.Client) func(context.Context) (bool, error) {
			d := fetch.NewDocuments(c, fetch.GateOptions{})
			return func(ctx context.Context) (bool, error) {
				body, _, err := d.FetchFor(ctx, "bob", "pin", url+"pd")
				return text(body, err)
			}
		}),
		on("fetch.Gate.Do", func(c *fetch.Client) func(context.Context) (bool, error) {
			g := fetch.NewGate(fetch.GateOptions{})
			return func(ctx context.Context) (bool, error) {
				return yes(g.Do(ctx, "bob", "pin", url+"pd", func(ctx context.Context) (*fetch.Response, error) {
					return c.Get(ctx, url+"pd", fetch.ProtocolDocument())
				}))
			}
		}),
	}
}

// echo is an agent's own executor: it answers prose.
type echo struct{}

func (echo) Execute(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		if !yield(sdk.NewSubmittedTask(ec, ec.Message), nil) {
			return
		}
		yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateInputRequired, sdk.NewMessageForTask(sdk.MessageRoleAgent, ec, sdk.NewTextPart("and?"))), nil)
	}
}

func (echo) Cancel(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateCanceled, nil), nil)
	}
}

// remote is an agent on loopback, in A2A.
type remote struct {
	*webServer
	read     *protocol.Reviewed
	card     []byte
	plain    bool   // whose card does not declare the extension
	taskID   string // of the first intent
	mu       chan struct{}
	executed map[string]int
}

func newRemote(t *testing.T, plain, tasks bool) *remote {
	r := &remote{read: readDocument(), plain: plain, mu: make(chan struct{}, 1), executed: map[string]int{}}
	mux := http.NewServeMux()
	r.webServer = newWebServer(t, mux)
	e := newAgent(pausedForever(), r.read, func(c *engine.Config) { c.Clock = time.Now })
	ext := must(agentcard.Declaration{
		Description: "Reads.", Formats: []string{turtleType},
		Documents: []agentcard.DeclaredDocument{{Name: "Read", Source: readSource, Hash: r.read.Pin()}},
	}.AppendExtension(nil))
	card := func(extensions string) []byte {
		return fmt.Appendf(nil, `{"name":"a","description":"b","version":"1","supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
"capabilities":{"streaming":true,"extensions":[%s]},"defaultInputModes":["text/turtle"],"defaultOutputModes":["text/turtle"],"skills":[]}`, r.URL, extensions)
	}
	r.card = card(string(ext))
	s := must(a2a.NewServer(a2a.ServerConfig{
		Engine: e.Engine, Card: r.card, Prose: echo{}, Tasks: tasks,
		Handler: a2a.HandlerFunc(func(_ context.Context, in *engine.Intent) (engine.Answer, error) {
			r.look()
			r.mu <- struct{}{}
			r.executed[in.MessageID()]++
			<-r.mu
			return engine.Answer{Graph: someTurtle(readResponseText)}, nil
		}),
	}))
	mux.Handle("/rpc", s.JSONRPC(s.RequestHandler(sdksrv.WithCallInterceptors(everybody{}))))
	if plain {
		r.card = card("")
	}
	return r
}

// everybody lets every request be that of bob.
type everybody struct {
	sdksrv.PassthroughCallInterceptor
}

func (everybody) Before(ctx context.Context, call *sdksrv.CallContext, _ *sdksrv.Request) (context.Context, any, error) {
	call.User = sdksrv.NewAuthenticatedUser("bob", nil)
	return ctx, nil, nil
}

func pausedForever() *ending {
	c := endingAfter(0)
	c.paused.Store(true)
	return c
}

// Get implements a2a.CardSource.
func (r *remote) Get(ctx context.Context, url string) (*fetch.Response, error) {
	r.look()
	return &fetch.Response{URL: url, Body: r.card, MediaType: "application/json"}, ctx.Err()
}

func (r *remote) config(c *ending) a2a.ClientConfig {
	e := newAgent(c, r.read, func(c *engine.Config) { c.Clock = time.Now })
	return a2a.ClientConfig{Engine: e.Engine, Cards: r, TLS: &tls.Config{RootCAs: r.roots()}, Trust: a2a.CardTrust{Demand: agentcard.DemandIfSigned}}
}

func a2aOperations() []operation {
	// conversation is one of a client that is connected.
	conversation := func(method, variant string, start func(r *remote, v *a2a.Conversation) call) operation {
		return operation{name: "a2a.Conversation." + method, variant: variant, begin: func(t *testing.T) func(*ending) call {
			r := newRemote(t, false, method == "Await")
			return func(c *ending) call {
				c.paused.Store(true)
				r.c.Store(c)
				client := must(a2a.Dial(live, r.URL+a2a.CardPath, r.config(c)))
				x := start(r, client.Conversation(""))
				run := x.run
				x.run = func(ctx context.Context) (bool, error) {
					c.paused.Store(false)
					defer c.paused.Store(true)
					return run(ctx)
				}
				x.close = func() { _ = client.Close() }
				return x
			}
		}}
	}
	draft := func(r *remote) engine.IntentDraft {
		return engine.IntentDraft{Pin: r.read.Pin(), Graph: someTurtle(readIntentText)}
	}
	// closing says that no prose follows what came to nothing, and that sending it again
	// carries it out at most once.
	closing := func(r *remote, v *a2a.Conversation, sent func() engine.Message) func(t *testing.T, yes bool, err error) {
		return func(t *testing.T, yes bool, err error) {
			if _, said := v.Say(live, "please"); said == nil {
				t.Errorf("prose after %v", err)
			}
			m := sent()
			if m.ID == "" {
				return
			}
			again, err := v.Resend(live, m)
			if err != nil || again.Kind != engine.KindResponse && again.Kind != engine.KindFailed {
				t.Errorf("again: %s %v %s", again.Kind, err, again.Trace)
			}
			r.mu <- struct{}{}
			n := r.executed[m.ID]
			<-r.mu
			if n > 1 || yes && n != 1 {
				t.Errorf("carried out %d times", n)
			}
		}
	}
	intent := func(r *remote, v *a2a.Conversation) call {
		var result a2a.Result
		return call{
			run: func(ctx context.Context) (bool, error) {
				var err error
				result, err = v.Intent(ctx, draft(r))
				return result.Kind == engine.KindResponse, err
			},
			after: closing(r, v, func() engine.Message { return result.Sent }),
		}
	}
	resend := func(r *remote, v *a2a.Conversation) call {
		first := must(v.Intent(live, draft(r)))
		return call{
			run: func(ctx context.Context) (bool, error) {
				again, err := v.Resend(ctx, first.Sent)
				return again.Kind == engine.KindResponse, err
			},
			after: closing(r, v, func() engine.Message { return first.Sent }),
		}
	}
	await := func(r *remote, v *a2a.Conversation) call {
		first := must(v.Intent(live, draft(r)))
		if first.TaskID != "" { // else it is the same intent, and the answer is repeated
			r.taskID = first.TaskID
		}
		return call{
			run: func(ctx context.Context) (bool, error) {
				again, err := v.Await(ctx, first.Sent, r.taskID)
				return again.Kind == engine.KindResponse, err
			},
			after: closing(r, v, func() engine.Message { return first.Sent }),
		}
	}
	plain := func(name string, start func(r *remote, tasks *a2a.Tasks) call) operation {
		return operation{name: "a2a." + name, begin: func(t *testing.T) func(*ending) call {
			r := newRemote(t, true, false)
			return func(c *ending) call {
				c.paused.Store(true)
				r.c.Store(c)
				tasks := must(a2a.OpenTasks(live, r.URL+a2a.CardPath, r.config(c)))
				x := start(r, tasks)
				run := x.run
				x.run = func(ctx context.Context) (bool, error) {
					c.paused.Store(false)
					defer c.paused.Store(true)
					return run(ctx)
				}
				x.close = func() { _ = tasks.Close() }
				return x
			}
		}}
	}
	answers := func(seq iter.Seq2[[]byte, error]) (all []string, err error) {
		for text, err := range seq {
			if err != nil {
				return all, err
			}
			all = append(all, string(text))
		}
		return all, nil
	}
	hello := a2a.Delivery{Message: engine.Message{ID: "m-1", Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hello"}}}}
	begun := func(tasks *a2a.Tasks, id string) string {
		d := hello
		d.Message.ID = id
		all := must(answers(tasks.Send(live, d)))
		_, after, ok := strings.Cut(strings.Join(all, ""), `"id":"`)
		for ok && strings.HasPrefix(after, "1\"") { // of the call
			_, after, ok = strings.Cut(after, `"id":"`)
		}
		taskID, _, ok := strings.Cut(after, `"`)
		if !ok {
			panic(fmt.Sprint(all))
		}
		return taskID
	}
	var ids atomic.Int64
	return []operation{
		{name: "a2a.FetchCard", begin: func(t *testing.T) func(*ending) call {
			r := newRemote(t, false, false)
			return func(c *ending) call {
				r.c.Store(c)
				return call{run: func(ctx context.Context) (bool, error) {
					return yes(a2a.FetchCard(ctx, r, r.URL+a2a.CardPath, a2a.CardTrust{Demand: agentcard.DemandIfSigned}, noon))
				}}
			}
		}},
		{name: "a2a.Dial", begin: func(t *testing.T) func(*ending) call {
			r := newRemote(t, false, false)
			return func(c *ending) call {
				r.c.Store(c)
				return call{run: func(ctx context.Context) (bool, error) {
					client, err := a2a.Dial(ctx, r.URL+a2a.CardPath, r.config(pausedForever()))
					if err == nil {
						err = client.Close()
					}
					return err == nil, err
				}}
			}
		}},
		{name: "a2a.OpenTasks", begin: func(t *testing.T) func(*ending) call {
			r := newRemote(t, true, false)
			return func(c *ending) call {
				r.c.Store(c)
				return call{run: func(ctx context.Context) (bool, error) {
					tasks, err := a2a.OpenTasks(ctx, r.URL+a2a.CardPath, r.config(pausedForever()))
					if err == nil {
						err = tasks.Close()
					}
					return err == nil, err
				}}
			}
		}},
		conversation("Intent", "", intent),
		conversation("Resend", "", resend),
		conversation("Await", "", await),
		conversation("Offer", "", func(r *remote, v *a2a.Conversation) call {
			var result a2a.Result
			return call{
				run: func(ctx context.Context) (bool, error) {
					var err error
					result, err = v.Offer(ctx, engine.OfferDraft{Pin: r.read.Pin(), Source: readSource, Required: true})
					return result.Kind == engine.KindAgreed, err
				},
				after: func(t *testing.T, _ bool, err error) {
					if _, said := v.Say(live, "please"); said == nil && result.Sent.ID != "" {
						t.Errorf("prose after %v", err)
					}
				},
			}
		}),
		conversation("Say", "", func(_ *remote, v *a2a.Conversation) call {
			return call{run: func(ctx context.Context) (bool, error) {
				result, err := v.Say(ctx, "hello")
				return result.Kind == engine.KindProse, err
			}}
		}),
		plain("Tasks.Send", func(_ *remote, tasks *a2a.Tasks) call {
			return call{run: func(ctx context.Context) (bool, error) {
				d := hello
				d.Message.ID = fmt.Sprint("send-", ids.Add(1))
				all, err := answers(tasks.Send(ctx, d))
				return len(all) > 0, err
			}}
		}),
		plain("Tasks.Get", func(_ *remote, tasks *a2a.Tasks) call {
			id := begun(tasks, fmt.Sprint("get-", ids.Add(1)))
			return call{run: func(ctx context.Context) (bool, error) {
				text, err := tasks.Get(ctx, id)
				return len(text) > 0, err
			}}
		}),
		plain("Tasks.Cancel", func(_ *remote, tasks *a2a.Tasks) call {
			id := begun(tasks, fmt.Sprint("cancel-", ids.Add(1)))
			return call{run: func(ctx context.Context) (bool, error) {
				text, err := tasks.Cancel(ctx, id)
				return len(text) > 0, err
			}}
		}),
		plain("Tasks.Subscribe", func(_ *remote, tasks *a2a.Tasks) call {
			id := begun(tasks, fmt.Sprint("subscribe-", ids.Add(1)))
			return call{run: func(ctx context.Context) (bool, error) {
				for text, err := range tasks.Subscribe(ctx, id) { // the first event: the task waits for more
					return len(text) > 0, err
				}
				return false, errors.New("no event")
			}}
		}),
	}
}

func networkOperations() []operation {
	all := append(fetchOperations(), a2aOperations()...)
	for i := range all {
		all[i].racing = true
	}
	return all
}
