package engine_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/replay"
)

const (
	uri      = protocol.ExtensionURI
	source   = "https://alice.pod.example/protocols/grant-access"
	turtleMT = "text/turtle"

	prefixes = `@prefix a2a: <https://w3id.org/jeswr/a2a#> .
@prefix schema: <https://schema.org/> .
@prefix acl: <http://www.w3.org/ns/auth/acl#> .
@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
`
	grantIntent = prefixes + `<urn:a2a:intent:1> a a2a:Intent ; a2a:action [ a a2a:GrantAction ;
  schema:object <https://alice.pod.example/notes/> ; schema:recipient <https://bob.example/profile#me> ; a2a:mode acl:Read ] .`
	readIntent   = prefixes + `<urn:a2a:intent:2> a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object <https://alice.pod.example/notes/> ] .`
	readResponse = prefixes + `<urn:r> a schema:ReadAction .`
)

var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// grant is the example document of the extension, read one with a response shape.
func grant(t testing.TB) *protocol.Reviewed {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	c, err := protocol.Parse(t.Context(), body, turtleMT, protocol.Options{})
	require.NoError(t, err)
	d, err := c.Verify(c.Pin())
	require.NoError(t, err)
	return review(t, d)
}

func read(t testing.TB) *protocol.Reviewed {
	t.Helper()
	request, err := protocol.StockRequest(protocol.VerbRead)
	require.NoError(t, err)
	response, err := protocol.StockResponse("https://schema.org/ReadAction", protocol.StockResponseShape)
	require.NoError(t, err)
	d, err := protocol.Build(t.Context(), protocol.Parts{
		ID: "https://alice.pod.example/protocols/read", Title: "Read",
		Request: protocol.Shapes{Graph: request}, Response: protocol.Shapes{Graph: response},
	}, protocol.Options{})
	require.NoError(t, err)
	return review(t, d)
}

func review(t testing.TB, d *protocol.Document) *protocol.Reviewed {
	t.Helper()
	r, err := protocol.Examine(d).Accept()
	require.NoError(t, err)
	return r
}

// counter is a source of different bytes that a test can repeat.
type counter struct{ n atomic.Uint64 }

func (c *counter) Read(p []byte) (int, error) {
	for i := 0; i < len(p); i += 8 {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], c.n.Add(1)*0x9e3779b97f4a7c15)
		copy(p[i:], b[:])
	}
	return len(p), nil
}

// clock is a clock that a test sets.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

func (c *clock) add(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }

var permitAll = engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
	return engine.Authority{Permit: true}, nil
})

// side is one agent of a test.
type side struct {
	*engine.Engine
	config engine.Config
	docs   *protocol.Store
	store  replay.Store
}

// newSide makes an agent that holds documents, declares none and accepts those it holds.
func newSide(t testing.TB, c *clock, name string, docs []*protocol.Reviewed, change func(*engine.Config)) *side {
	t.Helper()
	s := &side{docs: protocol.NewStore(0), store: replay.NewMemory(replay.Limits{})}
	var pins []canon.Digest
	for _, d := range docs {
		require.NoError(t, s.docs.Put(d))
		pins = append(pins, d.Pin())
	}
	s.config = engine.Config{
		Local: name, Documents: s.docs, Store: s.store, Clock: c.now, Random: &counter{},
		Policy: engine.AllowList{Pins: pins}, Authorizer: permitAll,
	}
	if change != nil {
		change(&s.config)
	}
	e, err := engine.New(s.config)
	require.NoError(t, err)
	s.Engine = e
	return s
}

// restart is the agent after its process ended and began again.
func (s *side) restart(t testing.TB) *side {
	t.Helper()
	e, err := engine.New(s.config)
	require.NoError(t, err)
	return &side{e, s.config, s.docs, s.store}
}

// Peers as the two sides of a conversation see one another.
var (
	aliceToBob = engine.Peer{Principal: "https://bob.example/", Active: []string{uri}}                // the server, of the client
	bobToAlice = engine.Peer{Card: "https://alice.example/card", Principal: "https://alice.example/"} // the client, of the server
)

// payload makes a part.
func payload(kind, pin, body, mediaType string) engine.Part {
	m := `{"` + protocol.KeyKind + `":"` + kind + `"`
	if pin != "" {
		m += `,"` + protocol.KeyProtocolHash + `":"` + pin + `"`
	}
	p := engine.Part{Content: engine.Text, Text: body, MediaType: mediaType, Metadata: []byte(m + "}")}
	if strings.HasPrefix(body, "{") {
		p.Content, p.Text, p.Data = engine.Data, "", []byte(body)
	}
	return p
}

func message(id, contextID string, parts ...engine.Part) engine.Message {
	return engine.Message{ID: id, ContextID: contextID, Role: engine.RoleUser, Extensions: []string{uri}, Parts: parts}
}

func offerJSON(pin canon.Digest, required bool) string {
	s := `{"kind":"upgrade-offer","protocolHash":"` + pin.String() + `","protocolSource":"` + source + `","required":`
	if required {
		return s + "true}"
	}
	return s + "false}"
}

func responseJSON(pin canon.Digest, accept bool) string {
	s := `{"kind":"upgrade-response","protocolHash":"` + pin.String() + `","accept":`
	if accept {
		return s + "true}"
	}
	return s + "false}"
}

func parse(t testing.TB, body string) *rdf.Dataset {
	t.Helper()
	d, err := turtle.Parse([]byte(body), turtle.Options{})
	require.NoError(t, err)
	return d
}

// receive gives a message to an agent and demands that nothing of the agent failed.
func receive(t testing.TB, s *side, p engine.Peer, m engine.Message) engine.Outcome {
	t.Helper()
	o, err := s.Receive(t.Context(), p, m)
	require.NoError(t, err)
	consistent(t, &o)
	return o
}

func receiveReply(t testing.TB, s *side, p engine.Peer, sent engine.Message, r engine.Reply) engine.Outcome {
	t.Helper()
	o, err := s.ReceiveReply(t.Context(), p, sent, r)
	require.NoError(t, err)
	consistent(t, &o)
	return o
}

// consistent is what holds for every outcome.
func consistent(t testing.TB, o *engine.Outcome) {
	t.Helper()
	require.Equal(t, o.Kind == engine.KindIntent, o.Intent != nil)
	require.Equal(t, o.Kind == engine.KindResponse, o.Response != nil)
	require.NotEmpty(t, o.Trace)
	for _, s := range o.Trace[:len(o.Trace)-1] {
		require.True(t, s.OK, "the first that was not passed ends a trace:\n%s", o.Trace)
	}
	if o.Kind == engine.KindRefused && !o.Seen {
		require.False(t, o.Trace[len(o.Trace)-1].OK, "%s", o.Trace)
		require.NotEmpty(t, o.Code)
	}
	require.Equal(t, o.Kind == engine.KindReply, o.Message != nil && o.Kind == engine.KindReply)
}

// deliver is a transport without a fault: what the server says to a message comes back
// as a reply.
func deliver(t testing.TB, server *side, p engine.Peer, m engine.Message) (engine.Outcome, engine.Reply) {
	t.Helper()
	o := receive(t, server, p, m)
	return o, replyOf(&o)
}

// replyOf is an outcome as it travels back.
func replyOf(o *engine.Outcome) engine.Reply {
	switch {
	case o.Kind == engine.KindRefused || o.Kind == engine.KindAborted:
		code, c := engine.ErrorCode(o.Metadata())
		return engine.Reply{Failed: true, Code: code, Challenge: c, Text: o.Status().Text}
	case o.Message != nil:
		return engine.Reply{Message: o.Message}
	}
	return engine.Reply{Message: &engine.Message{ID: "reply", ContextID: o.ContextID, Role: engine.RoleAgent, Parts: []engine.Part{{Content: engine.Text, Text: "done"}}}}
}

func hash(t testing.TB, d *rdf.Dataset) canon.Digest {
	t.Helper()
	h, err := canon.Hash(t.Context(), d, canon.Options{})
	require.NoError(t, err)
	return h
}

// routine names the document of texts that speak of granting.
func routine(pin canon.Digest) func(context.Context, engine.Peer, *engine.Message) (canon.Digest, bool) {
	return func(_ context.Context, _ engine.Peer, m *engine.Message) (canon.Digest, bool) {
		for _, p := range m.Parts {
			if strings.Contains(p.Text, "grant") {
				return pin, true
			}
		}
		return canon.Digest{}, false
	}
}

// accepted is a document that an admitted card declares.
func accepted(t testing.TB, pin canon.Digest) []agentcard.AcceptedDocument {
	t.Helper()
	card, err := agentcard.Parse([]byte(`{"name":"Alice","description":"x","version":"1","supportedInterfaces":[{"url":"https://alice.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
		"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[],
		"capabilities":{"extensions":[{"uri":"`+uri+`","params":{"protocolDocuments":[{"source":"`+source+`","hash":"`+pin.String()+`"}]}}]}}`), agentcard.Limits{})
	require.NoError(t, err)
	report, err := agentcard.Verify(t.Context(), card, agentcard.Keys{}, agentcard.Policy{At: noon, Source: "https://alice.example/card"})
	require.NoError(t, err)
	admitted, code := agentcard.Admit(report, agentcard.DemandIfSigned)
	require.Empty(t, code)
	require.Len(t, admitted.Documents(), 1)
	return admitted.Documents()
}
