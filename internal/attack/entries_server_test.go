package attack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

var messages atomic.Int64

// respond checks what holds for every answer over HTTP, and says what it came to: ok is
// a status of success.
func respond(ctx context.Context, h http.Handler, path, contentType string, body []byte, headers ...string) (int, []byte, error) {
	// A message that was seen is not looked at again: each has an id of its own.
	id := fmt.Appendf(nil, "m-%d-", messages.Add(1))
	body = bytes.ReplaceAll(bytes.ReplaceAll(body, []byte("m-offer"), append(id, "offer"...)), []byte("m-intent"), append(id, "intent"...))
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	text := w.Body.Bytes()
	if _, err := strictjson.Parse(text, strictjson.Limits{Bytes: 16 << 20, Depth: 1000, Values: 1 << 20}); err != nil {
		return 0, nil, fmt.Errorf("status %d with what is no JSON: %w: %.200q", w.Code, err, text)
	}
	if ctx.Err() != nil {
		return 0, nil, ctx.Err()
	}
	return w.Code, text, nil
}

// newJudge makes what a service judges with of files in a folder that goes again.
func (w *world) newJudge() *service.Judge {
	dir := must(os.MkdirTemp("", "attack"))
	defer os.RemoveAll(dir)
	require1(os.WriteFile(filepath.Join(dir, "grant.ttl"), w.document, 0o600))
	require1(os.Mkdir(filepath.Join(dir, "keys"), 0o700))
	for i := range 2 {
		require1(os.WriteFile(filepath.Join(dir, "keys", fmt.Sprintf("%d.json", i)), controllerOf(i), 0o600))
	}
	config := fmt.Sprintf(`{"agent":"https://alice.example/agent","documents":{%q:"grant.ttl"},"agreements":[%[1]q],"keys":"keys","profile":"auto",
"authorizer":{"insecurePermitAll":true},"replay":{"store":"memory"}}`, w.reviewed.Pin())
	require1(os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600))
	return must(service.NewJudge(context.Background(), must(service.ReadConfig(filepath.Join(dir, "config.json"))), func() time.Time { return noon }, false))
}

// object writes JSON.
func object(v any) []byte { return must(json.Marshal(v)) }

type m = map[string]any

func serverEntries(w *world) []entry {
	// What a service that nobody asks anything would cost is not spent.
	server := sync.OnceValue(func() *service.Server {
		return service.New(service.Options{Judge: w.newJudge(), Door: service.DoorSocket, Now: func() time.Time { return noon }})
	})
	openAPI := string(service.OpenAPI())
	route := func(path, contentType string) func(context.Context, []byte) (outcome, error) {
		return func(ctx context.Context, body []byte) (outcome, error) {
			status, text, err := respond(ctx, server(), path, contentType, body)
			if err != nil {
				return outcome{}, err
			}
			var answer struct{ Verdict, Code, Outcome string }
			if err := json.Unmarshal(text, &answer); err != nil {
				return outcome{}, err
			}
			switch {
			case answer.Verdict == "yes" && status == http.StatusOK && answer.Code == "":
				return accepted(""), nil
			case answer.Verdict == "no" && answer.Outcome == "duplicate" && answer.Code == "":
				return refused(answer.Outcome), nil // two damages can make one message
			case answer.Verdict == "yes":
				return outcome{}, fmt.Errorf("status %d with a yes: %s", status, text)
			case answer.Code == "" || !strings.Contains(openAPI, `"`+answer.Code+`"`):
				return outcome{}, fmt.Errorf("status %d with the code %q, which is not documented", status, answer.Code)
			case status >= 500 && status != http.StatusServiceUnavailable && status != http.StatusNotImplemented:
				return outcome{}, fmt.Errorf("status %d: %s", status, text)
			}
			return refused(answer.Code), nil
		}
	}
	const inJSONType = "application/json"
	intent := object(m{"message": json.RawMessage(w.intentMessage), "peer": "https://bob.example/", "extensions": []string{protocol.ExtensionURI}})
	validate := object(m{"data": m{"content": string(w.intent), "mediaType": turtleType}, "protocol": w.reviewed.Pin().String()})
	authorize := w.authorizeBody()
	covers := []string{"internal/service.Server.ServeHTTP"}

	wire := sync.OnceValue(func() map[a2a.Binding]http.Handler { return w.wire() })
	bound := func(b a2a.Binding, path string) func(context.Context, []byte) (outcome, error) {
		return func(ctx context.Context, body []byte) (outcome, error) {
			status, text, err := respond(ctx, wire()[b], path, inJSONType, body, "A2A-Extensions", protocol.ExtensionURI, "A2A-Version", "1.0")
			if err != nil {
				return outcome{}, err
			}
			var answer struct{ Error json.RawMessage }
			if err := json.Unmarshal(text, &answer); err != nil {
				return outcome{}, err
			}
			switch {
			case status == http.StatusInternalServerError:
				return outcome{}, fmt.Errorf("status %d: %s", status, text)
			case status == http.StatusOK && len(answer.Error) == 0:
				return accepted(""), nil
			}
			return refused(fmt.Sprintf("status %d", status)), nil
		}
	}
	rpc := []byte(`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":` + string(w.offerMessage) + `}}`)
	rest := []byte(`{"message":` + string(w.offerMessage) + `}`)
	return []entry{
		{name: "POST /v1/receive", covers: covers, valid: one(intent), forms: []form{inJSON, aMessage}, run: route("/v1/receive", inJSONType)},
		{name: "POST /v1/respond", covers: covers, forms: []form{inJSON}, run: route("/v1/respond", inJSONType)},
		{name: "POST /v1/hash", covers: covers, valid: one(w.document), forms: []form{inTurtle}, run: route("/v1/hash", turtleType)},
		{name: "POST /v1/hash, JSON-LD", covers: covers, valid: one(someJSONLD), forms: []form{inJSONLD}, run: route("/v1/hash", "application/ld+json")},
		{name: "POST /v1/validate", covers: covers, valid: one(validate), forms: []form{inJSON}, run: route("/v1/validate", inJSONType)},
		{name: "POST /v1/authorize", covers: covers, valid: one(authorize), forms: []form{inJSON}, run: route("/v1/authorize", inJSONType)},
		{name: "JSON-RPC of A2A", covers: []string{"a2a.HTTP"}, valid: one(rpc), forms: []form{inJSON, aMessage}, run: bound(a2a.JSONRPC, "/")},
		{name: "HTTP+JSON of A2A", covers: []string{"a2a.HTTP"}, valid: one(rest), forms: []form{inJSON, aMessage}, run: bound(a2a.REST, "/message:send")},
		{
			name: "the card of another agent", covers: []string{"a2a.FetchCard"}, valid: one(w.card), forms: []form{inJSON, aSecured}, signed: true,
			run: func(ctx context.Context, data []byte) (outcome, error) {
				a, err := a2a.FetchCard(ctx, oneCard(data), "https://agent.example/.well-known/agent-card.json", w.cardTrust(), noon)
				if err != nil {
					return plain("", err)
				}
				v, ok := a.Verified()
				if !ok {
					return outcome{}, errors.New("admitted, and not verified")
				}
				payload, err := v.Card().Payload(agentcard.Spec)
				return checked(string(payload), err)
			},
		},
	}
}

// wire puts an agent into the SDK's transports.
func (w *world) wire() map[a2a.Binding]http.Handler {
	s := must(a2a.NewServer(a2a.ServerConfig{
		Engine: w.engine(), Card: w.declaringCard(),
		Handler: a2a.HandlerFunc(func(context.Context, *engine.Intent) (engine.Answer, error) { return engine.Answer{Text: "done"}, nil }),
	}))
	rh := s.RequestHandler()
	return map[a2a.Binding]http.Handler{a2a.JSONRPC: s.JSONRPC(rh), a2a.REST: s.REST(rh)}
}

// declaringCard is a card of the agent that the engine is.
func (w *world) declaringCard() []byte {
	ext := must(agentcard.Declaration{
		Description: "Grants.", Formats: []string{turtleType},
		Documents: []agentcard.DeclaredDocument{{Name: "Grant", Source: "https://alice.pod.example/protocols/grant-access", Hash: w.reviewed.Pin()}},
	}.AppendExtension(nil))
	return fmt.Appendf(nil, `{"name":"a","capabilities":{"extensions":[%s]}}`, ext)
}

func (w *world) cardTrust() a2a.CardTrust {
	return a2a.CardTrust{Demand: agentcard.DemandVerified, Keys: agentcard.Keys{Trust: w.store}}
}

// oneCard is a source of one card.
type oneCard []byte

func (c oneCard) Get(_ context.Context, url string) (*fetch.Response, error) {
	return &fetch.Response{URL: url, Body: c, MediaType: "application/json"}, nil
}

// authorizeBody is the body of a request for a decision that is a yes.
func (w *world) authorizeBody() []byte {
	files, credentials, policies := m{}, []string{}, []string{}
	for i := range w.credentials {
		c, p := fmt.Sprintf("%d.json", i), fmt.Sprintf("%d.ttl", i)
		files[c], files[p] = string(w.credentials[i]), string(w.policies[i])
		credentials, policies = append(credentials, c), append(policies, p)
	}
	return object(m{"files": files, "input": m{
		"rootPrincipal": party(0), "actor": party(2), "request": m{"action": "read", "target": target},
		"primaryChain": m{"credentials": credentials, "policies": policies},
	}})
}
