package attack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2asrv/taskstore"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/internal/page"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/xpattern"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/protocol/pdstore"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
	"github.com/rdfproto/rdfproto/replay/redis"
	"github.com/rdfproto/rdfproto/replay/replaytest"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

// commonArguments are values for parameters that every row may have.
func commonArguments() []any {
	return []any{
		live, noon, "x", "https://p0.example/doc", 1, 0, []byte("x"), true,
		must(rdf.NewIRI("urn:s")), rdf.ID(1), readDocument(), theWorld().reviewed.Pin(),
	}
}

// of is a row of a value that is made of nothing but the world.
func of(name string, v any, args ...any) shared {
	return shared{name: name, begin: func(*testing.T) value { return value{of: v, args: args} }}
}

// function is a row of a function that says so.
func function(name string, use func(n int)) shared {
	return shared{name: name, begin: func(*testing.T) value { return value{uses: []func(int){use}} }}
}

const endsIt = "it ends the value"

func sharedValues() []shared {
	w := theWorld()
	data := circles(30, 3)
	odd := must(odrl.Compile(someTurtle(string(w.policies[0])).Default(), odrl.CompileOptions{}))
	asked := &odrl.Request{Agent: party(1), Action: "read", Target: target, Now: noon}
	root := must(strictjson.Parse(w.card, strictjson.Limits{}))
	sow := must(terms.Parse(w.sow, terms.Limits{}))
	termsCard := must(terms.Check(live, must(agentcard.Parse(w.termsCard, agentcard.Limits{})), agentcard.Keys{}, agentcard.Policy{At: noon}))
	proposal := must(terms.Verify(live, termsCard, terms.Options{At: noon, Fetcher: proposals(w.sow)})).Proposals()[0]
	card := must(agentcard.Parse(w.card, agentcard.Limits{}))
	workflow := must(owg.Parse(file("owg", "testdata", "season.json"), owg.Limits{}))
	shapeGraph := someTurtle(`@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:s> a sh:NodeShape ; sh:targetSubjectsOf <urn:p> ; sh:property [ sh:path [ sh:inversePath <urn:p> ] ; sh:minCount 1 ; sh:pattern "a" ; sh:node <urn:t> ] .
<urn:t> a sh:NodeShape ; sh:property [ sh:path ( <urn:p> <urn:p> ) ; sh:minCount 1 ; sh:in ( 1 2 ) ] .`).Default()
	shapes := must(shacl.Compile(shapeGraph, shacl.CompileOptions{}))
	controller := must(vc.ParseController(w.controller, vc.Limits{}))
	verifier := w.verifier(shelf{listURL: {Content: w.statusList, MediaType: "application/vc"}})
	credential := must(verifier.Verify(live, w.w3c, noon)).Credential()
	presentation := must(verifier.VerifyPresentation(live, w.presentation, vc.Expected{Challenge: challenge, Domain: []string{domain}, Holder: vc.HolderUnbound}, noon)).Presentation()
	candidate := must(protocol.Parse(live, w.document, turtleType, protocol.Options{}))
	expected := vc.Expected{Challenge: challenge, Domain: []string{domain}, Holder: vc.HolderUnbound}
	read := readDocument()
	decision := handshake.Decide(handshake.Offer{Hash: read.Pin()}, handshake.Response{Hash: read.Pin()})

	all := []shared{
		of("rdf.Dataset", data, rdf.Term{}),
		of("rdf.Graph", data.Default()),
		of("rdf.Base", must(rdf.ParseBase("https://p0.example/a/b")), []byte(nil), "../c"),
		of("rdf/jsonld.Contexts", jsonld.Builtin(), map[string][]byte{"https://p0.example/c": []byte(`{"@context":{}}`)}),
		function("rdf/jsonld.Builtin", func(int) { jsonld.Builtin().IRIs() }),
		of("rdf/turtle.Namespaces", turtle.NewNamespaces([]turtle.Prefix{{Name: "p", IRI: "https://p0.example/"}}), func(string) (ok, longer bool) { return false, true }, func(string) (ok, longer bool) { return true, false }),
		of("canon.Canonical", must(canon.Canonicalize(live, circles(3, 3), canon.Options{}))),
		function("canon.Canonicalize", func(int) { must(canon.Canonicalize(live, data, canon.Options{})) }),
		function("canon.Hash", func(int) { must(canon.Hash(live, data, canon.Options{})) }),
		function("canon.Write", func(int) { must(canon.Write(live, io.Discard, data, canon.Options{})) }),
		function("canon.JCS", func(int) { must(canon.JCS(w.card)) }),
		function("shacl.Compile", func(int) { must(shacl.Compile(shapeGraph, shacl.CompileOptions{})) }),
		of("shacl.Program", shapes, data.Default(), shacl.Options{Workers: 3}),
		of("internal/xpattern.Pattern", must(xpattern.Compile("^(a|b)+[0-9]{2}$", "i")), "abBA12", 64),
		of("internal/strictjson.Value", root, root.Get("name"), root.Get("skills").Ref()),
		of("internal/strictjson.Locator", root.Locator()),
		of("internal/legible.Namer", legible.New([]turtle.Prefix{{Name: "p", IRI: "https://p0.example/"}}), data),

		of("protocol.Candidate", candidate),
		of("protocol.Document", w.reviewed.Document(), turtleType, w.intent, someTurtle(string(w.intent))),
		of("protocol.Reviewed", w.reviewed),
		of("protocol.Store", protocol.NewStore(4), w.reviewed, read, read.Pin()),
		{name: "protocol/pdstore.Store", begin: func(t *testing.T) value {
			s := must(pdstore.Open(t.TempDir(), 0))
			t.Cleanup(func() { _ = s.Close() })
			return value{of: s, args: []any{w.reviewed.Document()}, skip: map[string]string{"Close": endsIt}}
		}},
		of("handshake.Decision", decision),

		of("odrl.Policy", odd, asked),
		function("odrl.Policy.Evaluate", func(int) { odd.Evaluate(asked) }),
		of("odrl/delegation.Revocations", delegation.Revoke(policyOf(0)), someTurtle(string(w.policies[0]))),
		function("odrl/delegation.Evaluate", func(int) { delegation.Evaluate([]*odrl.Policy{odd, odd}, asked, delegation.Options{}) }),
		of("authz/vc.Controller", controller, method(0), vc.AssertionMethod),
		of("authz/vc.Credential", credential),
		of("authz/vc.Presentation", presentation),
		of("authz/vc.Verifier", verifier, w.w3c, w.presentation, credential, expected, vc.AssertionMethod, party(0)),
		function("authz/vc.Verifier.Joint", func(int) { must(verifier.Joint().Verify(live, w.w3c, noon)) }),
		{name: "authz/vc.Memory", begin: func(*testing.T) value { return value{of: new(vc.Memory), rounds: 100} }},
		{name: "authz.Memory", begin: func(*testing.T) value { return value{of: new(authz.Memory), rounds: 100} }},
		{name: "authz.Authorizer", begin: func(*testing.T) value {
			a := must(authz.New(authz.Config{Verifier: verifier, Revoked: new(authz.Memory)}))
			revoked := w.request(w.credentials, w.policies)
			revoked.Revocations = []authz.RevocationDocument{{Content: []byte("<urn:r> a <https://w3id.org/jeswr/odrl-delegation#Revocation> ; <https://w3id.org/jeswr/odrl-delegation#revokedPolicy> <urn:p> .")}}
			return value{of: a, args: []any{w.request(w.credentials, w.policies), revoked, w.presentation, expected, func(authz.Record) error { return nil }}}
		}},
		{name: "authz.Held", begin: func(*testing.T) value {
			held := must(must(authz.New(authz.Config{Verifier: verifier})).Hold(w.request(nil, w.policies).Chain.Policies))
			return value{of: held, args: []any{w.presentation}}
		}},
		{name: "authz.Cache", begin: func(*testing.T) value {
			var ticks atomic.Int64 // what is kept is over now and then
			c := must(authz.NewCache(shelf{listURL: {Content: w.statusList}}, func() time.Time { return noon.Add(time.Duration(ticks.Add(1)) * time.Second) }, authz.CacheOptions{Fresh: 3 * time.Second}))
			return value{of: c, args: []any{listURL, "https://p0.example/none"}}
		}},
		{name: "authz.Challenges", begin: func(*testing.T) value {
			c := must(authz.NewChallenges(&stream{seed: "challenges"}, clockAtNoon, 0))
			return value{of: c, rounds: 100, uses: []func(int){func(int) {
				issued := must(c.Issue("x"))
				if ok := must(c.Use(issued, "x")); !ok {
					panic("a challenge of one's own")
				}
			}}}
		}},

		of("agentcard.Card", card, agentcard.Spec),
		of("agentcard.KeySet", w.set),
		{name: "agentcard.KeySets", begin: func(*testing.T) value {
			keys, card := fetchedKeys(pausedForever())
			return value{uses: []func(int){func(int) {
				must(agentcard.Verify(live, card, keys, agentcard.Policy{At: noon, Source: cardURL, Explain: true}))
			}}}
		}},
		{name: "agentcard.TrustStore", begin: func(*testing.T) value {
			return value{uses: []func(int){func(int) {
				must(agentcard.Verify(live, card, agentcard.Keys{Trust: w.store}, agentcard.Policy{At: noon, Source: cardURL}))
			}}}
		}},
		function("agentcard.Verify", func(int) {
			must(agentcard.Verify(live, card, agentcard.Keys{Supplied: w.set}, agentcard.Policy{At: noon}))
		}),
		of("terms.Document", sow),
		of("terms.Signer", must(terms.ParseSeed(bytes.TrimSpace(file("testdata", "terms", "owner.seed"))))),
		of("terms.Proposal", proposal),
		{name: "terms.OwnerKeys", begin: func(*testing.T) value {
			owners := must(terms.ParseOwnerKeys(w.owners, terms.Limits{}))
			return value{uses: []func(int){func(int) {
				must(terms.Verify(live, termsCard, terms.Options{At: noon, Fetcher: proposals(w.sow), Owners: owners}))
			}}}
		}},
		function("terms.Verify", func(int) { must(terms.Verify(live, termsCard, terms.Options{At: noon, Fetcher: proposals(w.sow)})) }),
		of("owg.Workflow", workflow, workflow.Tasks()[0].ID, new(agentcard.Admitted), owg.RequestOptions{Now: noon, MessageID: "m-1"},
			owg.CardOptions{ProviderOrg: "x", ProviderURL: "https://x.example/", URL: "https://x.example/a2a"}, owg.ValidateOptions{Strict: true, Now: noon}),
		function("internal/page.Judge", func(int) {
			must(page.Judge(live, page.Input{Document: page.Text{Text: string(w.document)}, Intent: page.Text{Text: string(w.intent)}, Now: noon}, &stream{seed: "page"}))
		}),
	}
	return append(append(all, sharedStores()...), sharedAgents()...)
}

// sharedStores are those of package replay and below.
func sharedStores() []shared {
	args := func(now func() time.Time) []any {
		var all []any
		for i := range 3 {
			all = append(all, replay.Key{Local: "l", Peer: "p", Context: "c", Message: fmt.Sprint(i)}, fmt.Sprint("record-", i))
		}
		return append(all, canon.Sum([]byte("a")), canon.Sum([]byte("b")), uint64(0), uint64(1), now().Add(time.Hour), now(), 10)
	}
	once := func(s replay.Store, now func() time.Time) value {
		return value{of: s, args: args(now), skip: map[string]string{"Close": endsIt}, uses: []func(int){func(n int) {
			must(s.Claim(live, replay.Key{Message: fmt.Sprint("own-", n)}, canon.Sum([]byte("a")), now()))
		}}}
	}
	agreement := func(i int) handshake.Agreement {
		return handshake.Agreement{Scope: handshake.Scope{Local: "l", Peer: "p", Context: fmt.Sprint(i)}, Pin: canon.Sum([]byte("d")), Origin: handshake.OriginCard, Made: noon, Expires: noon.Add(time.Hour)}
	}
	return []shared{
		{name: "replay.Memory", begin: func(*testing.T) value { return once(replay.NewMemory(replay.Limits{}), clockAtNoon) }},
		{name: "replay/bolt.Store", begin: func(t *testing.T) value {
			s := must(bolt.Create(filepath.Join(t.TempDir(), "store"), bolt.Options{}))
			t.Cleanup(func() { _ = s.Close() })
			return once(s, clockAtNoon)
		}},
		{name: "replay/redis.Store", begin: func(t *testing.T) value {
			s := must(redis.Open(live, redis.Options{Addrs: []string{replaytest.StartRedis(t).Addr}, Timeout: time.Minute}))
			t.Cleanup(func() { _ = s.Close() })
			return once(s, time.Now)
		}},
		{name: "replay.Agreements", begin: func(*testing.T) value {
			a, b := agreement(0), agreement(1)
			return value{of: replay.NewAgreements(replay.NewMemory(replay.Limits{})), args: []any{a, b, a.Scope, b.Scope, a.Pin, 10}, rounds: 50}
		}},
	}
}

// sharedAgents are engines and what speaks A2A and HTTP.
func sharedAgents() []shared {
	w, read := theWorld(), readDocument()
	pin := read.Pin()
	to := engine.To{Peer: peer, ContextID: "c-1"}
	to.Peer.Accepts = declaredBy(read)
	intentOf := func(id string) engine.Message {
		return sentBy(engine.RoleUser, id, "c-1", rolePart(protocol.RoleIntent, pin, turtleType, readIntentText))
	}
	engineArgs := func(e *engine.Engine) []any {
		all := []any{
			to, to.Peer, pin, "c-1", challenge, engine.IntentDraft{Pin: pin, Graph: someTurtle(readIntentText)},
			engine.OfferDraft{Pin: pin, Source: readSource, Required: true}, engine.Answer{Graph: someTurtle(readResponseText)},
			engine.Proposal{Peer: peer, Pin: w.reviewed.Pin(), Source: grantSource},
		}
		for i := range 3 {
			all = append(all, intentOf(fmt.Sprint("m-", i)), must(e.Receive(live, peer, intentOf(fmt.Sprint("first-", i)))).Intent)
		}
		offer := sentBy(engine.RoleUser, "o-1", "c-1", rolePart(protocol.RoleUpgradeOffer, w.reviewed.Pin(), "application/json", string(w.offer)))
		answer := sentBy(engine.RoleAgent, "r-1", "c-1", rolePart(protocol.RoleResponse, pin, turtleType, readResponseText))
		return append(all, offer, engine.Reply{Message: &answer}, engine.Reply{Failed: true})
	}
	network := func(name string, begin func(t *testing.T, s *webServer) value) shared {
		return shared{name: name, begin: func(t *testing.T) value {
			s := newWebServer(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set("Content-Type", turtleType)
				rw.Header().Set("ETag", `"x"`)
				_, _ = rw.Write(w.document)
			}))
			v := begin(t, s)
			v.rounds = 3
			return v
		}}
	}
	const at = "https://example.com/pd"
	conversation := func(t *testing.T) (*remote, *a2a.Client) {
		r := newRemote(t, false, false)
		client := must(a2a.Dial(live, r.URL+a2a.CardPath, r.config(pausedForever())))
		t.Cleanup(func() { _ = client.Close() })
		return r, client
	}
	return []shared{
		{name: "engine.Engine", begin: func(*testing.T) value {
			a := newAgent(pausedForever(), read, nil)
			return value{of: a.Engine, args: engineArgs(a.Engine), uses: []func(int){func(n int) {
				in := must(a.Receive(live, peer, intentOf(fmt.Sprint("own-", n)))).Intent
				if in == nil {
					panic("no intent")
				}
				must(a.Respond(live, in, engine.Answer{Graph: someTurtle(readResponseText)}))
			}}}
		}},
		{name: "engine.Intent", begin: func(*testing.T) value {
			a := newAgent(pausedForever(), read, nil)
			in := must(a.Receive(live, peer, intentOf("m-1"))).Intent
			return value{of: in, uses: []func(int){func(int) { _, _ = a.Respond(live, in, engine.Answer{Graph: someTurtle(readResponseText)}) }}}
		}},
		{name: "engine.Chains", begin: func(*testing.T) value {
			c := &engine.Chains{
				Authorizer: w.authorizer(nil),
				Root:       func(context.Context, []odrl.Request) (string, error) { return party(0), nil },
				Policies: func(context.Context, *engine.Question) ([]authz.PolicyDocument, error) {
					return []authz.PolicyDocument{{Content: w.policies[0]}}, nil
				},
			}
			return value{of: c, args: []any{question(w, read)}}
		}},
		network("fetch.Client", func(t *testing.T, s *webServer) value {
			return value{of: s.client(), args: []any{at, fetch.ProtocolDocument()}, skip: map[string]string{"DialContext": "a connection is to be closed: see uses"}, uses: []func(int){func(int) {
				c := must(s.client().DialContext(live, "tcp", "example.com:443"))
				_ = c.Close()
			}}}
		}),
		network("fetch.Cache", func(t *testing.T, s *webServer) value {
			var ticks atomic.Int64
			clock := func() time.Time { return noon.Add(time.Duration(ticks.Add(1)) * time.Hour) }
			return value{of: fetch.NewCache(s.client(), fetch.ProtocolDocument(), 2, clock), args: []any{at, at + "2", at + "3"}}
		}),
		network("fetch.Documents", func(t *testing.T, s *webServer) value {
			return value{of: fetch.NewDocuments(s.client(), fetch.GateOptions{}), args: []any{at}}
		}),
		network("fetch.Gate", func(t *testing.T, s *webServer) value {
			c := s.client()
			g := fetch.NewGate(fetch.GateOptions{Entries: 2})
			return value{of: g, args: []any{"a", "b", "c", func(ctx context.Context) (*fetch.Response, error) { return c.Get(ctx, at, fetch.ProtocolDocument()) }}}
		}),
		{name: "a2a.Client", begin: func(t *testing.T) value {
			_, client := conversation(t)
			return value{of: client, rounds: 3, skip: map[string]string{"Close": endsIt}, uses: []func(int){func(int) {
				must(client.Conversation("").Intent(live, engine.IntentDraft{Pin: pin, Graph: someTurtle(readIntentText)}))
			}}}
		}},
		{name: "a2a.Conversation", begin: func(t *testing.T) value {
			_, client := conversation(t)
			v := client.Conversation("")
			sent := must(v.Intent(live, engine.IntentDraft{Pin: pin, Graph: someTurtle(readIntentText)})).Sent
			return value{of: v, rounds: 3, args: []any{sent, engine.OfferDraft{Pin: pin, Source: readSource}, engine.IntentDraft{Pin: pin, Graph: someTurtle(readIntentText)}}}
		}},
		{name: "a2a.Tasks", begin: func(t *testing.T) value {
			r := newRemote(t, true, false)
			tasks := must(a2a.OpenTasks(live, r.URL+a2a.CardPath, r.config(pausedForever())))
			t.Cleanup(func() { _ = tasks.Close() })
			var n atomic.Int64
			return value{of: tasks, rounds: 3, args: []any{a2a.Delivery{}}, skip: map[string]string{"Close": endsIt, "Subscribe": "it has no end"}, uses: []func(int){func(int) {
				d := a2a.Delivery{Message: engine.Message{ID: fmt.Sprint("m-", n.Add(1)), Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hello"}}}}
				for _, err := range tasks.Send(live, d) {
					require1(err)
				}
			}, func(int) {
				for range tasks.Subscribe(live, "none") { // there is no such task
				}
			}}}
		}},
		{name: "a2a.Server", begin: func(t *testing.T) value {
			r := newRemote(t, false, false)
			e := newAgent(pausedForever(), read, nil)
			s := must(a2a.NewServer(a2a.ServerConfig{Engine: e.Engine, Card: r.card, Handler: a2a.HandlerFunc(func(context.Context, *engine.Intent) (engine.Answer, error) {
				return engine.Answer{Graph: someTurtle(readResponseText)}, nil
			})}))
			h := s.RequestHandler()
			rpc := s.JSONRPC(h)
			return value{of: s, args: []any{h, taskstore.NewInMemory(nil)}, uses: []func(int){func(n int) {
				m := intentOf(fmt.Sprint("m-", n))
				body := append(append([]byte(`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":`), must(m.AppendJSON(nil))...), "}}"...)
				status, text, err := respond(live, rpc, "/", "application/json", body, "A2A-Extensions", protocol.ExtensionURI, "A2A-Version", "1.0")
				if err != nil || status != http.StatusOK || bytes.Contains(text, []byte(`"error"`)) {
					panic(fmt.Sprint(status, err, string(text)))
				}
			}}}
		}},
		{name: "internal/service.Judge", begin: func(*testing.T) value {
			j := w.newJudge()
			return value{uses: []func(int){asksService(w, service.New(service.Options{Judge: j, Door: service.DoorSocket, Now: clockAtNoon, Requests: 100})), asksService(w, service.New(service.Options{Judge: j, Door: service.DoorSocket, Now: clockAtNoon, Requests: 100}))}}
		}},
		{name: "internal/service.Server", begin: func(*testing.T) value {
			s := service.New(service.Options{Judge: w.newJudge(), Door: service.DoorSocket, Now: clockAtNoon, Requests: 100})
			return value{of: s, uses: []func(int){asksService(w, s)}, skip: map[string]string{"Serve": "it goes on until its context ends", "ServeHTTP": "each call has its own arguments: see uses"}}
		}},
	}
}

// asksService asks a service for everything that it knows to answer.
func asksService(w *world, s http.Handler) func(n int) {
	intent := object(m{"message": json.RawMessage(w.intentMessage), "peer": "https://bob.example/", "extensions": []string{protocol.ExtensionURI}})
	validate := object(m{"data": m{"content": string(w.intent), "mediaType": turtleType}, "protocol": w.reviewed.Pin().String()})
	bodies := []struct {
		path, contentType string
		body              []byte
	}{
		{"/v1/receive", "application/json", intent}, {"/v1/validate", "application/json", validate},
		{"/v1/authorize", "application/json", w.authorizeBody()}, {"/v1/hash", turtleType, w.document},
	}
	return func(n int) {
		b := bodies[n%len(bodies)]
		status, text, err := respond(live, s, b.path, b.contentType, b.body)
		if err != nil || status != http.StatusOK {
			panic(fmt.Sprint(b.path, status, err, string(text)))
		}
		for _, path := range []string{"/metrics", "/healthz"} {
			s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(live, http.MethodGet, path, nil))
		}
	}
}
