package a2a

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/fetch"
)

// CardSource gets the bytes of an Agent Card. A [*fetch.Cache] with the profile of
// [fetch.Card] is one.
type CardSource interface {
	Get(ctx context.Context, url string) (*fetch.Response, error)
}

// CardTrust says when a client acts on a card. Its zero value asks for a valid
// signature by a trusted key and trusts no key.
type CardTrust struct {
	// Demand is what is asked of signatures: agentcard.DemandVerified requires one,
	// DemandIfSigned checks one that is there, InsecureIgnoreSignatures checks none.
	Demand agentcard.Demand
	// Keys are the keys that may prove the card.
	Keys agentcard.Keys
	// Policy says what counts as a valid signature. At and Source are filled in.
	Policy agentcard.Policy
}

// CardError says why a client does not act on a card that it could read.
type CardError struct {
	Code   agentcard.Code
	Report *agentcard.Report
}

// Error returns the code with its meaning.
func (e *CardError) Error() string {
	text := e.Code.Text()
	if e.Report != nil && e.Report.Message != "" {
		text = e.Report.Message
	}
	return fmt.Sprintf("the agent card is not to be acted on: %s: %s", e.Code, text)
}

// FetchCard gets a card and decides whether it may be acted on. Read endpoints,
// security schemes and the declaration from the admitted card and from nothing else.
// now is the time at which keys must be valid.
//
// It fails with the source's error, with an [*agentcard.Error] for bytes that are not a
// card, and with a [*CardError].
func FetchCard(ctx context.Context, source CardSource, cardURL string, trust CardTrust, now time.Time) (*agentcard.Admitted, error) {
	got, err := source.Get(ctx, cardURL)
	if err != nil {
		return nil, fmt.Errorf("the agent card: %w", err)
	}
	card, err := agentcard.Parse(got.Body, agentcard.Limits{})
	if err != nil {
		return nil, fmt.Errorf("the agent card: %w", err)
	}
	policy := trust.Policy
	policy.At, policy.Source = now, got.URL
	report, err := agentcard.Verify(ctx, card, trust.Keys, policy)
	if err != nil {
		return nil, fmt.Errorf("the agent card: %w", err)
	}
	admitted, code := agentcard.Admit(report, trust.Demand)
	if code != "" {
		return nil, &CardError{Code: code, Report: report}
	}
	return admitted, nil
}

// Endpoint is an interface of an admitted card, with what the card says about
// authentication. It names where requests go; they go nowhere else.
type Endpoint struct {
	URL     string
	Binding Binding
	Version string // of A2A, as the card spells it
	Tenant  string

	// SecuritySchemes and SecurityRequirements are the card's members with these
	// names, as JSON text; "" when it has none.
	SecuritySchemes      string
	SecurityRequirements string
}

// Origin returns scheme, host and port of the endpoint, or "" when its URL cannot be
// used. A gRPC endpoint without a scheme counts as https.
func (e Endpoint) Origin() string {
	if e.Binding == GRPC {
		target, plaintext, err := grpcTarget(e.URL)
		switch {
		case err != nil:
			return ""
		case plaintext:
			return "http://" + target
		default:
			return "https://" + target
		}
	}
	u, err := url.Parse(e.URL)
	if err != nil {
		return ""
	}
	return originOf(u)
}

// originOf spells an origin: lower case, always with the port; "" for a URL that
// has none, or that holds a user name.
func originOf(u *url.URL) string {
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if host == "" || u.User != nil {
		return ""
	}
	switch {
	case scheme != "https" && scheme != "http":
		return ""
	case port == "" && scheme == "https":
		port = "443"
	case port == "":
		port = "80"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// grpcTarget reads the URL of a gRPC interface: host and port, perhaps after https
// or http. The other schemes that gRPC resolves lead to sockets and to services
// that a card has no business to name.
func grpcTarget(raw string) (target string, plaintext bool, err error) {
	hostport, path := raw, ""
	if scheme, rest, ok := strings.Cut(raw, "://"); ok {
		switch strings.ToLower(scheme) {
		case "https", "grpcs":
		case "http", "grpc":
			plaintext = true
		default:
			return "", false, fmt.Errorf("expected host and port, found the scheme %q", clip(scheme, 32))
		}
		hostport, path, _ = strings.Cut(rest, "/")
	}
	host, port, err := net.SplitHostPort(hostport)
	if err != nil && plaintext {
		host, port, err = hostport, "80", nil
	} else if err != nil && hostport != raw {
		host, port, err = hostport, "443", nil
	}
	number, wrong := strconv.ParseUint(port, 10, 16)
	if err != nil || wrong != nil || number == 0 || host == "" || path != "" || strings.ContainsAny(host, "/@?#%\\ ") {
		return "", false, errors.New("expected a host and a port, and nothing else")
	}
	return net.JoinHostPort(strings.ToLower(strings.Trim(host, "[]")), port), plaintext, nil
}

// endpoints returns the interfaces of a card that a client can speak to, the
// preferred first. Where prefer is empty, the card's order decides; else bindings
// that it does not name are left out. v03 lets interfaces of A2A 0.3 pass, after all
// of 1.0.
func endpoints(card *agentcard.Card, prefer []Binding, v03 bool) []Endpoint {
	schemes := card.Root().Get("securitySchemes").Source()
	requirements := card.Root().Get("securityRequirements").Source()
	var list []Endpoint
	for _, i := range card.Interfaces() {
		b := bindingOf(i.ProtocolBinding)
		if b == 0 || len(prefer) > 0 && !slices.Contains(prefer, b) {
			continue
		}
		if !isV1(i.ProtocolVersion) && !(v03 && isV03(i.ProtocolVersion) && b == JSONRPC) {
			continue
		}
		list = append(list, Endpoint{i.URL, b, i.ProtocolVersion, i.Tenant, schemes, requirements})
	}
	slices.SortStableFunc(list, func(a, b Endpoint) int {
		if isV1(a.Version) != isV1(b.Version) {
			if isV1(a.Version) {
				return -1
			}
			return 1
		}
		return slices.Index(prefer, a.Binding) - slices.Index(prefer, b.Binding)
	})
	return list
}

func bindingOf(name string) Binding {
	for _, b := range [...]Binding{JSONRPC, REST, GRPC} {
		if name == b.String() {
			return b
		}
	}
	return 0
}

// isV1 reports whether a version is one of A2A 1, which are compatible.
func isV1(version string) bool { return version == "1" || strings.HasPrefix(version, "1.") }

func isV03(version string) bool { return version == "0.3" || strings.HasPrefix(version, "0.3.") }
