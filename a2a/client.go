package a2a

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	sdkclient "github.com/a2aproject/a2a-go/v2/a2aclient"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/engine"
)

// ExchangeTime bounds waiting for the answer to a message when the caller's context has
// no deadline; for an offer it is that of package handshake.
const ExchangeTime = 2 * time.Minute

// ClientConfig is what a Client is made from. Engine and Cards are required.
type ClientConfig struct {
	// Engine makes what is sent and judges what comes back.
	Engine *engine.Engine
	// Cards gets Agent Cards.
	Cards CardSource
	// Trust says when a card may be acted on. Its zero value trusts no key.
	Trust CardTrust

	// Prefer are the bindings to use, the best first; if there are none, the card's order
	// decides.
	Prefer []Binding
	// Authorize returns the headers, over gRPC the metadata, that authorize a request to
	// an endpoint. It is asked for every request, and what it returns goes to that
	// endpoint's origin and to no other. An endpoint need not have the origin of its card:
	// Authorize decides which credential is for which origin. This package keeps none of
	// it.
	Authorize func(ctx context.Context, e Endpoint) (http.Header, error)
	// TLS says how endpoints are reached; TLS 1.2 is the minimum.
	TLS *tls.Config
	// Dial connects to the host and port of an endpoint. By default it connects to any
	// host that the card names, also within this host's own network: where cards come from
	// strangers, the DialContext of a [fetch.Client] admits public addresses only.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Stream asks for answers to intents as streams of events, where the card says that
	// the agent supports streaming.
	Stream bool
	// Now tells the time at which keys of cards must be valid; time.Now by default.
	Now func() time.Time

	// InsecurePlaintext allows endpoints without TLS.
	InsecurePlaintext bool
	// InsecureV03 makes the SDK's transport to a JSON-RPC interface of A2A 0.3, such as
	// that of its package a2acompat/a2av0; setting it allows such interfaces. The media
	// types of RDF parts then travel in metadata (a2a-rdf, section 6.5). The card itself
	// must still be one of A2A 1.0.
	InsecureV03 func(endpoint string, client *http.Client) (sdkclient.Transport, error)
}

// Client is the side of the extension that sends intents to one agent. Make one with
// [Dial]. It is safe for concurrent use.
type Client struct {
	config ClientConfig
	card   *agentcard.Admitted
	decl   agentcard.Declaration
	link   *link
	peer   engine.Peer
	stream bool
}

// Dial fetches an agent's card, decides whether to act on it, and connects to the
// preferred one of the interfaces that it names. Endpoint, security schemes and
// declaration are read from exactly the bytes that were admitted. Nothing is sent to
// the agent yet.
//
// It fails as [FetchCard] does, and when the card does not declare the extension in a
// valid form or has no interface that can be used. One of A2A 0.3 cannot be used unless
// the config says so.
func Dial(ctx context.Context, cardURL string, c ClientConfig) (*Client, error) {
	if c.Engine == nil || c.Cards == nil {
		return nil, errors.New("expected an engine and a source of cards")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	card, err := FetchCard(ctx, c.Cards, cardURL, c.Trust, c.Now())
	if err != nil {
		return nil, err
	}
	d := card.Card().Declaration()
	if !d.Declared || !d.Valid {
		return nil, fmt.Errorf("the agent does not speak the extension: %s", findings(d))
	}
	var failed []error
	for _, e := range endpoints(card.Card(), c.Prefer, c.InsecureV03 != nil) {
		l, err := connect(e, linkConfig{c.TLS, c.Dial, c.InsecurePlaintext, c.Authorize, c.InsecureV03})
		if err != nil {
			failed = append(failed, err)
			continue
		}
		streams, _ := card.Card().Root().Get("capabilities").Get("streaming").Bool()
		peer := engine.Peer{Card: cardURL, Accepts: card.Documents(), Formats: d.Formats}
		if origin := e.Origin(); strings.HasPrefix(origin, "https://") {
			peer.Principal = origin // who answers is who TLS says has the name
		}
		return &Client{config: c, card: card, decl: d, link: l, peer: peer, stream: c.Stream && streams}, nil
	}
	if len(failed) == 0 {
		return nil, errors.New("the card names no interface of A2A 1.0 that can be used")
	}
	return nil, errors.Join(failed...)
}

// Card returns the card that the client acts on.
func (c *Client) Card() *agentcard.Admitted { return c.card }

// Declaration returns what the card says of the extension.
func (c *Client) Declaration() agentcard.Declaration { return c.decl }

// Endpoint returns where messages go.
func (c *Client) Endpoint() Endpoint { return c.link.endpoint }

// Peer returns the agent as the engine knows it.
func (c *Client) Peer() engine.Peer { return c.peer }

// Close ends the connection. Exchanges under way fail.
func (c *Client) Close() error { return c.link.close() }
