package service

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/cli"
)

// cardKeys reads the keys that may prove an agent's card: of --jwks and of --trust, as
// far as they are given.
func cardKeys(jwks, trust string) (keys agentcard.Keys, err error) {
	if jwks != "" {
		data, err := readFile(jwks, maxConfig)
		if err != nil {
			return keys, err
		}
		if keys.Supplied, err = agentcard.ParseKeySet(data, agentcard.Limits{}); err != nil {
			return keys, cli.Fail(cli.StatusCall, "unreadable", "--jwks: "+err.Error())
		}
	}
	if trust != "" {
		data, err := readFile(trust, maxConfig)
		if err != nil {
			return keys, err
		}
		if keys.Trust, err = agentcard.ParseTrustStore(data, agentcard.Limits{}); err != nil {
			return keys, cli.Fail(cli.StatusCall, "unreadable", "--trust: "+err.Error())
		}
	}
	return keys, nil
}

// bearer is the token of --token-file that requests to an agent carry.
type bearer string

func readBearer(file string) (bearer, error) {
	data, err := readSecret(file)
	if err != nil {
		return "", cli.Fail(cli.StatusCall, "unreadable", "--token-file: "+err.Error())
	}
	token := strings.TrimRight(string(data), "\r\n")
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", cli.Fail(cli.StatusCall, "unreadable", "--token-file: expected one token of visible ASCII characters")
	}
	return bearer(token), nil
}

// reachedFrom returns how the endpoints may be reached that a card names: one that was
// fetched over https reaches no more than it was got by, and a file what its owner can.
// nil is any way.
func reachedFrom(card string, web *fetch.Client) func(ctx context.Context, network, address string) (net.Conn, error) {
	if strings.HasPrefix(card, "https://") {
		return web.DialContext
	}
	return nil
}

// tokenFrom returns the URL whose origin the token of a call is for, by the card that the
// call names; "" for a file. Where redirects led from there is the word of whoever sent
// them.
func tokenFrom(card string) string {
	if strings.Contains(card, "://") {
		return card
	}
	return ""
}

// header returns the token for an endpoint that a card names. A card that nobody signed
// must not send it elsewhere than to where the card is from; from is that of [tokenFrom].
func (b bearer) header(e a2a.Endpoint, signed bool, from string) (http.Header, error) {
	if !signed && from != "" && !sameOrigin(from, e.Origin()) {
		return nil, errors.New("the card is not signed and names another origin than its own: it gets no token")
	}
	return http.Header{"Authorization": {"Bearer " + string(b)}}, nil
}
