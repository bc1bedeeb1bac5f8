package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"
)

// Resolver looks names up; [*net.Resolver] is one. network is "ip", and host ends
// with a dot.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// DialFunc connects to address, which is always an IP address that was checked, and a
// port. It must connect to nothing else.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Options configures a [Client]. The zero Options are right for production.
type Options struct {
	// UserAgent is sent with every request; empty means "rdfproto".
	UserAgent string
	// Timeout bounds a whole fetch, redirects and body included; 0 means 10 s.
	Timeout time.Duration
	// ConnectTimeout bounds each connection attempt and each TLS handshake; 0
	// means 5 s.
	ConnectTimeout time.Duration
	// Ports lists the allowed ports; empty means 443 alone.
	Ports []uint16
	// RootCAs are the trusted certificate authorities; nil means the system's.
	RootCAs *x509.CertPool
	// Resolver looks names up; nil means the system's.
	Resolver Resolver
	// Dial makes connections; nil means a dialer that checks the address once more at
	// the moment of connecting.
	Dial DialFunc
	// InsecureAllow lists addresses that may be connected to although they are
	// not public: loopback for tests, an operator's own network. Names for the local
	// machine or network and plain http stay refused, as do link-local, multicast and
	// cloud metadata addresses.
	InsecureAllow []netip.Prefix
	// MaxCardBytes, MaxProposalBytes and MaxKeySetBytes raise the size limits of
	// [Client.Card], [Client.Proposal] and [Client.KeySet] above those of [Card],
	// [Proposal] and [KeySet]. A smaller value changes nothing.
	MaxCardBytes, MaxProposalBytes, MaxKeySetBytes int64
}

// Client fetches documents over HTTPS under the rules of this package. Make one with
// [New]. It is safe for concurrent use. Every fetch makes its own connection.
type Client struct {
	guard     *guard
	ports     []uint16
	resolver  Resolver
	dial      DialFunc
	userAgent string
	timeout   time.Duration
	connect   time.Duration
	http      *http.Client

	card, proposal, keySet Profile
}

// New returns a Client, or an error when an address range of InsecureAllow is
// one that is never fetched from.
func New(o Options) (*Client, error) {
	g, err := newGuard(o.InsecureAllow)
	if err != nil {
		return nil, err
	}
	c := &Client{
		guard:     g,
		ports:     slices.Clone(o.Ports),
		resolver:  o.Resolver,
		dial:      o.Dial,
		userAgent: o.UserAgent,
		timeout:   o.Timeout,
		connect:   o.ConnectTimeout,
		card:      Card().atLeast(o.MaxCardBytes),
		proposal:  Proposal().atLeast(o.MaxProposalBytes),
		keySet:    KeySet().atLeast(o.MaxKeySetBytes),
	}
	if len(c.ports) == 0 {
		c.ports = []uint16{443}
	}
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	if c.userAgent == "" {
		c.userAgent = "rdfproto"
	}
	if c.timeout <= 0 {
		c.timeout = 10 * time.Second
	}
	if c.connect <= 0 {
		c.connect = 5 * time.Second
	}
	if c.dial == nil {
		d := &net.Dialer{KeepAlive: -1, ControlContext: c.control}
		c.dial = d.DialContext
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // each connection serves one request: HTTP/2 would add nothing
	c.http = &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // never from the environment
			DialContext:            c.connectTo,
			TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    c.connect,
			DisableKeepAlives:      true,
			DisableCompression:     true, // decoded here, where it is counted
			MaxResponseHeaderBytes: 64 << 10,
			Protocols:              protocols,
		},
		// follow decides on redirects, not the library.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// Get fetches rawURL as p allows. Its errors are [*Error].
func (c *Client) Get(ctx context.Context, rawURL string, p Profile) (*Response, error) {
	return c.GetIfChanged(ctx, rawURL, "", p)
}

// GetIfChanged is [Client.Get] with an entity tag: when the server still has that
// version, the response has NotModified set and no body. An empty tag asks for the
// document as Get does. The tag belongs to the document at rawURL itself, so it is not
// sent to the target of a redirect: two origins may use the same tag, and the tag of one
// would vouch for what the other sent. Its errors are [*Error].
func (c *Client) GetIfChanged(ctx context.Context, rawURL, etag string, p Profile) (*Response, error) {
	bounded, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, err := c.follow(bounded, rawURL, etag, p)
	if err != nil {
		return nil, err // the nil of a *Error would not be a nil error
	}
	return r, nil
}

// follow makes the request and those that redirects lead to (FETCH-4, F-4).
func (c *Client) follow(ctx context.Context, rawURL, etag string, p Profile) (*Response, *Error) {
	t, e := c.parseURL(rawURL)
	if e != nil {
		return nil, e
	}
	visited := map[string]bool{}
	for {
		visited[t.text] = true
		res, location, e := c.get(ctx, t, etag, p)
		if e != nil || location == "" {
			return res, e
		}
		if len(visited) > p.Redirects {
			if p.Redirects == 0 {
				return nil, refuse(CodeRedirect, t.text, "expected a document, found a redirect; none is followed here")
			}
			return nil, refuse(CodeRedirect, t.text, "expected at most %d redirects", p.Redirects)
		}
		next, e := c.parseURL(location)
		switch {
		case e != nil && e.Code == CodeNotHTTPS:
			return nil, refuse(CodeRedirect, t.text, "expected a redirect to an https URL")
		case e != nil:
			return nil, e
		case visited[next.text]:
			return nil, refuse(CodeRedirect, t.text, "expected a document, found redirects in a loop")
		case !p.CrossOrigin && next.origin() != t.origin():
			return nil, refuse(CodeRedirect, t.text, "expected a redirect within the same origin")
		}
		t, etag = next, ""
	}
}

// get makes one request. It returns a response, or the absolute target of a redirect,
// or an error.
func (c *Client) get(ctx context.Context, t *target, etag string, p Profile) (*Response, string, *Error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.text, nil)
	if err != nil {
		return nil, "", refuse(CodeURL, t.text, "expected a URL that can be requested")
	}
	accept := p.Accept
	if accept == "" {
		accept = "*/*"
	}
	req.Header = http.Header{
		"Accept":          {accept},
		"Accept-Encoding": {"gzip"},
		"User-Agent":      {c.userAgent},
	}
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	if p.Fresh {
		req.Header.Set("Cache-Control", "no-cache")
		req.Header.Set("Pragma", "no-cache") // for caches of HTTP/1.0
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, "", c.failure(ctx, t, err)
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusOK:
		r, e := c.read(ctx, t, res, p)
		return r, "", e
	case http.StatusNotModified:
		if etag == "" {
			return nil, "", refuse(CodeStatus, t.text, "expected status 200, found 304 without having asked for changes")
		}
		r := describe(t, res)
		r.NotModified = true
		if r.ETag == "" {
			r.ETag = etag
		}
		return r, "", nil
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		to, err := res.Location()
		if err != nil {
			return nil, "", refuse(CodeRedirect, t.text, "expected a redirect with a target")
		}
		return nil, to.String(), nil
	}
	return nil, "", refuse(CodeStatus, t.text, "expected status 200, found %d", res.StatusCode)
}
