package a2a_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdkclient "github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/protocol"
)

// changed gives other bytes than its source.
type changed struct {
	from a2a.CardSource
	body func([]byte) []byte
	url  string
}

func (c changed) Get(ctx context.Context, url string) (*fetch.Response, error) {
	r, err := c.from.Get(ctx, url)
	if err != nil {
		return nil, err
	}
	if c.body != nil {
		r.Body = c.body(r.Body)
	}
	if c.url != "" {
		r.URL = c.url
	}
	return r, nil
}

// A card is signed, served, fetched and verified, under each policy.
func TestCardPolicies(t *testing.T) {
	t.Parallel()
	unsigned := func(card []byte) []byte {
		var m map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(card, &m))
		delete(m, "signatures")
		out, err := json.Marshal(m)
		require.NoError(t, err)
		return out
	}
	renamed := func(card []byte) []byte { return bytes.Replace(card, []byte("Pod agent"), []byte("Pad agent"), 1) }
	plain := "http://127.0.0.1/.well-known/agent-card.json"
	other, err := agentcard.GenerateKey(agentcard.EdDSA, "k1", rand.Reader)
	require.NoError(t, err)
	set, err := other.KeySet()
	require.NoError(t, err)
	strangers, err := agentcard.ParseKeySet(set, agentcard.Limits{})
	require.NoError(t, err)
	const verified, ifSigned, off = agentcard.DemandVerified, agentcard.DemandIfSigned, agentcard.InsecureIgnoreSignatures
	a := newAgent(t, agentOptions{})
	cards := a.cards(t)
	for _, row := range []struct {
		name   string
		demand agentcard.Demand
		body   func([]byte) []byte
		url    string
		keys   *agentcard.KeySet
		ok     bool
	}{
		{"require, signed", verified, nil, "", a.keys, true},
		{"require, unsigned", verified, unsigned, "", a.keys, false},
		{"require, changed", verified, renamed, "", a.keys, false},
		{"require, another's key", verified, nil, "", strangers, false},
		{"require, no key", verified, nil, "", nil, false},
		{"require, over http", verified, nil, plain, a.keys, false},
		{"if present, signed", ifSigned, nil, "", a.keys, true},
		{"if present, unsigned", ifSigned, unsigned, "", a.keys, true},
		{"if present, changed", ifSigned, renamed, "", a.keys, false},
		{"if present, no key", ifSigned, nil, "", nil, false},
		{"if present, over http", ifSigned, unsigned, plain, a.keys, false},
		{"off, signed", off, nil, "", nil, true},
		{"off, unsigned", off, unsigned, "", nil, true},
		{"off, changed", off, renamed, "", nil, true},
		{"off, over http", off, nil, plain, nil, false},
		{"off, no card", off, func([]byte) []byte { return []byte(`{}`) }, "", nil, false},
		{"off, no JSON", off, func([]byte) []byte { return []byte(`{`) }, "", nil, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			config := a.clientConfig(t, a2a.JSONRPC)
			config.Cards = changed{cards, row.body, row.url}
			config.Trust = a2a.CardTrust{Demand: row.demand, Keys: agentcard.Keys{Supplied: row.keys}}
			c, err := a2a.Dial(t.Context(), a.cardURL(), config)
			if !row.ok {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			defer func() { require.NoError(t, c.Close()) }()
			_, isVerified := c.Card().Verified()
			require.Equal(t, strings.HasSuffix(row.name, ", signed") && row.demand != off, isVerified)
			r, err := c.Conversation("").Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
			require.NoError(t, err)
			require.Equal(t, engine.KindResponse, r.Kind, "%s", r.Trace)
		})
	}
}

// The keys that may prove a served card: pinned for its origin or for another's, in
// their time or not, supplied, or located by the card.
func TestCardKeys(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	origin := strings.TrimSuffix(a.cardURL(), a2a.CardPath)
	jwk := strings.TrimSuffix(strings.TrimPrefix(string(a.jwks), `{"keys":[`), `]}`)
	pinned := func(more string) agentcard.Keys {
		store, err := agentcard.ParseTrustStore([]byte(`{"version":1,"keys":[{"jwk":`+jwk+more+`}]}`), agentcard.Limits{})
		require.NoError(t, err)
		return agentcard.Keys{Trust: store, Supplied: a.keys}
	}
	now := time.Now()
	at := func(d time.Duration) string { return now.Add(d).UTC().Format(time.RFC3339) }
	for _, row := range []struct {
		name  string
		keys  agentcard.Keys
		trust agentcard.KeyTrust // "" for a refusal
	}{
		{"supplied", agentcard.Keys{Supplied: a.keys}, agentcard.TrustSupplied},
		{"pinned", pinned(""), agentcard.TrustPinned},
		{"pinned for the origin", pinned(`,"origins":["` + origin + `"]`), agentcard.TrustPinnedOrigin},
		{"pinned for another origin, and supplied", pinned(`,"origins":["https://other.example"]`), ""},
		{"expired", pinned(`,"not_after":"` + at(-time.Hour) + `"`), ""},
		{"not yet", pinned(`,"not_before":"` + at(time.Hour) + `"`), ""},
		{"revoked, and supplied", pinned(`,"revoked_at":"` + at(-time.Hour) + `"`), ""},
		{"revoked for another origin, and supplied", pinned(`,"origins":["https://other.example"],"revoked_at":"` + at(-time.Hour) + `"`), ""},
		{"none", agentcard.Keys{}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			card, err := a2a.FetchCard(t.Context(), given(a.card), a.cardURL(), a2a.CardTrust{Keys: row.keys}, now)
			if row.trust == "" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			v, ok := card.Verified()
			require.True(t, ok)
			require.Equal(t, []agentcard.KeyTrust{row.trust}, v.KeyTrust())
		})
	}
}

// No damage to a signed card is overlooked.
func TestDamagedCards(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	ctx := t.Context()
	refuse := func(what string, at int, body []byte) {
		source := given(body)
		_, err := a2a.FetchCard(ctx, source, a.cardURL(), a2a.CardTrust{Keys: agentcard.Keys{Supplied: a.keys}}, time.Now())
		require.Error(t, err, "%s at %d", what, at)
	}
	_, err := a2a.FetchCard(ctx, given(a.card), a.cardURL(), a2a.CardTrust{Keys: agentcard.Keys{Supplied: a.keys}}, time.Now())
	require.NoError(t, err)
	for i := range a.card {
		flipped := bytes.Clone(a.card)
		flipped[i] ^= 1
		refuse("flipped", i, flipped)
		refuse("dropped", i, append(bytes.Clone(a.card[:i]), a.card[i+1:]...))
		refuse("cut", i, a.card[:i])
		doubled := append(bytes.Clone(a.card[:i+1]), a.card[i:]...)
		if !json.Valid(doubled) || !sameValue(t, doubled, a.card) {
			refuse("doubled", i, doubled)
		}
	}
	refuse("appended", len(a.card), append(bytes.Clone(a.card), 'x'))
}

func sameValue(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	require.NoError(t, json.Unmarshal(a, &x))
	require.NoError(t, json.Unmarshal(b, &y))
	p, err := json.Marshal(x)
	require.NoError(t, err)
	q, err := json.Marshal(y)
	require.NoError(t, err)
	return bytes.Equal(p, q)
}

type givenCard []byte

func given(body []byte) a2a.CardSource { return givenCard(body) }

func (g givenCard) Get(_ context.Context, url string) (*fetch.Response, error) {
	return &fetch.Response{URL: url, Body: g}, nil
}

// What the client cannot or must not speak to is refused before anything is sent.
func TestInterfaces(t *testing.T) {
	t.Parallel()
	ext, err := agentcard.Declaration{Description: "x", Formats: []string{"text/turtle"}}.AppendExtension(nil)
	require.NoError(t, err)
	card := func(interfaces string) []byte {
		return []byte(`{"name":"n","description":"d","version":"1","supportedInterfaces":` + interfaces +
			`,"capabilities":{"extensions":[` + string(ext) + `]},"defaultInputModes":["text/turtle"],"defaultOutputModes":["text/turtle"],` +
			`"skills":[],"securitySchemes":{"k":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}}}`)
	}
	one := func(url, binding, version string) string {
		return `[{"url":"` + url + `","protocolBinding":"` + binding + `","protocolVersion":"` + version + `"}]`
	}
	for _, row := range []struct {
		name, interfaces string
		config           func(*a2a.ClientConfig)
		want             string // the origin; "" for a refusal
	}{
		{"JSON-RPC", one("https://a.example/rpc", "JSONRPC", "1.0"), nil, "https://a.example:443"},
		{"another 1", one("https://A.example:8443/rpc", "HTTP+JSON", "1.2"), nil, "https://a.example:8443"},
		{"gRPC", one("a.example:50051", "GRPC", "1.0"), nil, "https://a.example:50051"},
		{"gRPC by a URL", one("https://a.example", "GRPC", "1.0"), nil, "https://a.example:443"},
		{"gRPC in IPv6", one("[2001:db8::1]:50051", "GRPC", "1.0"), nil, "https://[2001:db8::1]:50051"},
		{"the card's order", `[{"url":"https://a.example/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},` +
			`{"url":"https://b.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`, nil, "https://a.example:443"},
		{"the client's order", `[{"url":"https://a.example/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},` +
			`{"url":"https://b.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`,
			func(c *a2a.ClientConfig) { c.Prefer = []a2a.Binding{a2a.JSONRPC, a2a.REST} }, "https://b.example:443"},
		{"what the client does not name", one("a.example:1", "GRPC", "1.0"), func(c *a2a.ClientConfig) { c.Prefer = []a2a.Binding{a2a.REST} }, ""},
		{"the second that can be used", `[{"url":"http://a.example/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},` +
			`{"url":"https://b.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`, nil, "https://b.example:443"},
		{"none", `[]`, nil, ""},
		{"plain http", one("http://a.example/rpc", "JSONRPC", "1.0"), nil, ""},
		{"plain http that is allowed", one("http://a.example/rpc", "JSONRPC", "1.0"), func(c *a2a.ClientConfig) { c.InsecurePlaintext = true }, "http://a.example:80"},
		{"plain gRPC", one("http://a.example:1", "GRPC", "1.0"), nil, ""},
		{"plain gRPC that is allowed", one("grpc://a.example:1", "GRPC", "1.0"), func(c *a2a.ClientConfig) { c.InsecurePlaintext = true }, "http://a.example:1"},
		{"gRPC by a socket", one("unix:///var/run/x", "GRPC", "1.0"), nil, ""},
		{"gRPC by a socket that looks like a port", one("unix:/x", "GRPC", "1.0"), nil, ""},
		{"gRPC with a query", one("https://a.example:443?x", "GRPC", "1.0"), nil, ""},
		{"gRPC at no port", one("a.example:0", "GRPC", "1.0"), nil, ""},
		{"gRPC by a resolver", one("xds:///a.example", "GRPC", "1.0"), nil, ""},
		{"gRPC with a path", one("https://a.example/x", "GRPC", "1.0"), nil, ""},
		{"a user name", one("https://u:p@a.example/rpc", "JSONRPC", "1.0"), nil, ""},
		{"no URL", one("::", "JSONRPC", "1.0"), nil, ""},
		{"another binding", one("https://a.example/", "SOAP", "1.0"), nil, ""},
		{"0.3", one("https://a.example/rpc", "JSONRPC", "0.3"), nil, ""},
		{"0.3 that is allowed", one("https://a.example/rpc", "JSONRPC", "0.3.0"), allow03, "https://a.example:443"},
		{"0.3 over REST", one("https://a.example/rpc", "HTTP+JSON", "0.3.0"), allow03, ""},
		{"1.0 before 0.3", `[{"url":"https://a.example/","protocolBinding":"JSONRPC","protocolVersion":"0.3"},` +
			`{"url":"https://b.example/","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`, allow03, "https://b.example:443"},
		{"2.0", one("https://a.example/rpc", "JSONRPC", "2.0"), nil, ""},
		{"no version", one("https://a.example/rpc", "JSONRPC", ""), nil, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := &agent{read: document(t, protocol.VerbRead, true), grant: document(t, protocol.VerbGrant, false), update: document(t, protocol.VerbUpdate, false)}
			config := a2a.ClientConfig{
				Engine: a.clientEngine(t), Cards: given(card(row.interfaces)), Trust: a2a.CardTrust{Demand: agentcard.DemandIfSigned},
			}
			if row.config != nil {
				row.config(&config)
			}
			c, err := a2a.Dial(t.Context(), "https://a.example"+a2a.CardPath, config)
			if row.want == "" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			defer func() { require.NoError(t, c.Close()) }()
			require.Equal(t, row.want, c.Endpoint().Origin())
			require.Equal(t, `{"k":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}}`, c.Endpoint().SecuritySchemes)
		})
	}
}

// Where the card leads is for ClientConfig.Dial to judge, over each binding.
func TestDial(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		guard, err := fetch.New(fetch.Options{})
		require.NoError(t, err)
		config := a.clientConfig(t, b)
		config.Dial = guard.DialContext
		r, err := dial(t, a, config).Conversation("").Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
		if b != a2a.GRPC { // over which what did not arrive looks like an error of the peer's
			require.ErrorContains(t, err, "expected an allowed port")
		}
		require.Equal(t, engine.KindFailed, r.Kind, "%s", r.Trace)
		require.Empty(t, a.executed())

		var dialed atomic.Int64
		config = a.clientConfig(t, b)
		config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			dialed.Add(1)
			return new(net.Dialer).DialContext(ctx, network, address)
		}
		r, err = dial(t, a, config).Conversation("").Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
		require.NoError(t, err)
		require.Equal(t, engine.KindResponse, r.Kind, "%s", r.Trace)
		require.NotZero(t, dialed.Load())
	})
}

func allow03(c *a2a.ClientConfig) {
	c.InsecureV03 = func(endpoint string, client *http.Client) (sdkclient.Transport, error) {
		return sdkclient.NewJSONRPCTransport(endpoint, client), nil
	}
}

// A card without a valid declaration is that of an agent without the extension.
func TestUndeclared(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	for _, row := range []struct{ name, from, to string }{
		{"another version", protocol.ExtensionURI, "https://w3id.org/jeswr/a2a-rdf/v2"},
		{"a slash", protocol.ExtensionURI + `"`, protocol.ExtensionURI + `/"`},
		{"a flag that is text", `"nlNegotiation":true`, `"nlNegotiation":"true"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			config := a.clientConfig(t, a2a.JSONRPC)
			config.Trust.Demand = agentcard.InsecureIgnoreSignatures
			config.Cards = given(bytes.Replace(a.card, []byte(row.from), []byte(row.to), 1))
			_, err := a2a.Dial(t.Context(), a.cardURL(), config)
			require.ErrorContains(t, err, "does not speak the extension")
		})
	}
	config := a.clientConfig(t, a2a.JSONRPC)
	config.Cards = failing{}
	_, err := a2a.Dial(t.Context(), a.cardURL(), config)
	require.ErrorIs(t, err, errFetch)
}

var errFetch = errors.New("no network")

type failing struct{}

func (failing) Get(context.Context, string) (*fetch.Response, error) { return nil, errFetch }
