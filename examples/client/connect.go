package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// connect fetches and verifies the agent's card and makes a client for it.
func connect(ctx context.Context, me *demo.Client, cardURL string, pin canon.Digest) (*a2a.Client, error) {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(me.Certificate)) {
		return nil, errors.New("expected the certificate of the agent")
	}
	web, err := newFetcher(cardURL, roots)
	if err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Config{
		Local: "https://bob.pod.example/agent", Documents: protocol.NewStore(0), Store: replay.NewMemory(replay.Limits{}),
		Clock: time.Now, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{pin}}, Source: fetch.NewDocuments(web, fetch.GateOptions{}),
	})
	if err != nil {
		return nil, err
	}
	keys, err := agentcard.ParseTrustStore(me.CardKeys, agentcard.Limits{})
	if err != nil {
		return nil, err
	}
	// The token is for the agent whose address is known here. A card may name any endpoint.
	origin := a2a.Endpoint{Binding: a2a.JSONRPC, URL: cardURL}.Origin()
	return a2a.Dial(ctx, cardURL, a2a.ClientConfig{
		Engine: e, Cards: fetch.NewCache(web, fetch.Card(), 0, nil),
		Trust: a2a.CardTrust{Demand: agentcard.DemandVerified, Keys: agentcard.Keys{Trust: keys}},
		TLS:   &tls.Config{RootCAs: roots},
		Authorize: func(_ context.Context, e a2a.Endpoint) (http.Header, error) {
			if e.Origin() != origin {
				return nil, fmt.Errorf("the token is for %s, not for %s", origin, e.Origin())
			}
			return http.Header{"Authorization": {"Bearer " + me.Token}}, nil
		},
	})
}

// newFetcher makes the guarded client that gets cards and documents. It refuses
// addresses that are not public: here the one of the demo is allowed.
func newFetcher(cardURL string, roots *x509.CertPool) (*fetch.Client, error) {
	u, err := url.Parse(cardURL)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return nil, err
	}
	return fetch.New(fetch.Options{
		Ports: []uint16{uint16(port)}, RootCAs: roots, InsecureAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	})
}
