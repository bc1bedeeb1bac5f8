package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Resolver looks names up; [*net.Resolver] is one. network is "ip", and host ends
// with a dot.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// DialFunc connects to address, which is always a judged IP address and a port.
// It must connect to nothing else.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Options configures a [Client]. The zero Options are meant for production.
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
	// Dial makes connections; nil means a dialer that judges the address once
	// more at the moment of connecting.
	Dial DialFunc
	// InsecureAllow lists addresses that may be connected to although they are
	// not public: loopback for tests, an operator's own network. Names that mean
	// a local machine and plain http stay refused, and so do link-local, multicast
	// and cloud metadata addresses.
	InsecureAllow []netip.Prefix
	// MaxCardBytes, MaxProposalBytes and MaxKeySetBytes raise what [Client.Card],
	// [Client.Proposal] and [Client.KeySet] read above [Card], [Proposal] and [KeySet];
	// what is not above these changes nothing.
	MaxCardBytes, MaxProposalBytes, MaxKeySetBytes int64
}

// Client fetches documents over guarded HTTPS. Make one with [New]. It is safe
// for concurrent use. Every fetch makes its own connection.
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
	protocols.SetHTTP1(true) // one request a connection: nothing that HTTP/2 adds is wanted
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
		// Redirects are judged by get, not by the library.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// control sees the address that is really connected to (FETCH-2).
func (c *Client) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return errNotPublic
	}
	return c.guard.check(ap.Addr())
}

// connectTo resolves, judges all addresses, and connects to one of them. hostport
// comes from a URL that passed parseURL.
func (c *Client) connectTo(ctx context.Context, _, hostport string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	addrs, err := c.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	var last error
	for _, a := range addrs {
		network := "tcp4"
		if a.Is6() {
			network = "tcp6"
		}
		conn, err := c.dialOne(ctx, network, net.JoinHostPort(a.String(), port))
		if err == nil {
			return conn, nil
		}
		last = err
		if ctx.Err() != nil {
			break
		}
	}
	return nil, last
}

// DialContext connects to address, a host and a port, under the rules by which the Client
// fetches: the ports and hosts of its Options, every address that the host has judged, and
// the one that is connected to once more (FETCH-2, FETCH-6 to FETCH-8). It is for other
// clients whose destinations strangers name. Errors are [*Error].
func (c *Client) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	raw := "https://" + address
	t, refused := c.parseURL(raw)
	if refused != nil {
		return nil, refused
	}
	if t.text != t.origin() && t.text != t.origin()+"/" {
		return nil, refuse(CodeURL, raw, "expected a host and a port")
	}
	conn, err := c.connectTo(ctx, network, net.JoinHostPort(t.host, strconv.Itoa(int(t.port))))
	if err != nil {
		return nil, c.failure(ctx, t, err)
	}
	return conn, nil
}

func (c *Client) dialOne(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, c.connect)
	defer cancel()
	return c.dial(ctx, network, address)
}

// resolve returns the addresses of a host, all of them judged: one that is not
// public condemns the name (FETCH-8).
func (c *Client) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		if c.guard.check(a) != nil {
			return nil, &Error{Code: CodeBlockedAddress, Reason: "expected a public address"}
		}
		return []netip.Addr{a.Unmap()}, nil
	}
	// The final dot keeps the system from trying search domains.
	addrs, err := c.resolver.LookupNetIP(ctx, "ip", host+".")
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &Error{Code: CodeDNS, Reason: "the host name could not be resolved", Err: err}
	}
	if len(addrs) == 0 {
		return nil, &Error{Code: CodeDNS, Reason: "the host name has no address"}
	}
	const most = 64 // a name with more is not a host
	if len(addrs) > most {
		return nil, &Error{Code: CodeDNS, Reason: fmt.Sprintf("the host name has more than %d addresses", most)}
	}
	out := make([]netip.Addr, len(addrs))
	for i, a := range addrs {
		if c.guard.check(a) != nil {
			return nil, &Error{Code: CodeBlockedAddress, Reason: "the host name has an address that is not public"}
		}
		out[i] = a.Unmap()
	}
	return out, nil
}

// Get fetches rawURL as p allows. Its errors are [*Error].
func (c *Client) Get(ctx context.Context, rawURL string, p Profile) (*Response, error) {
	return c.GetIfChanged(ctx, rawURL, "", p)
}

// GetIfChanged is [Client.Get] with an entity tag: when the server still has that
// version, the response has NotModified set and no body. An empty tag asks for the
// document as Get does. A tag is that of the document at rawURL itself, so no target of
// a redirect is asked with it: two origins may use one tag, and that of the one would
// vouch for what the other sent.
func (c *Client) GetIfChanged(ctx context.Context, rawURL, etag string, p Profile) (*Response, error) {
	bounded, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	r, err := c.follow(bounded, rawURL, etag, p)
	if err != nil {
		return nil, err // the nil of a *Error would not be a nil error
	}
	return r, nil
}

// follow walks the redirects (FETCH-4, F-4).
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

// get makes one request. It returns a response, the absolute target of a redirect,
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

// contentType returns the media type and whether the body says to be UTF-8, which
// it does by saying nothing. Two fields name no type: which one counts is for
// nobody to guess.
func contentType(h http.Header) (mediaType string, isUTF8 bool) {
	fields := h.Values("Content-Type")
	if len(fields) != 1 {
		return "", true
	}
	mediaType, parameters, err := mime.ParseMediaType(fields[0])
	if err != nil {
		return "", true
	}
	charset, ok := parameters["charset"]
	return mediaType, !ok || strings.EqualFold(charset, "utf-8")
}

// describe reads the headers that a caller may need.
func describe(t *target, res *http.Response) *Response {
	r := &Response{URL: t.text}
	r.MediaType, _ = contentType(res.Header)
	const longestTag = 256 // longer ones are not sent back
	if tag := res.Header.Get("ETag"); len(tag) <= longestTag {
		r.ETag = tag
	}
	for field := range strings.SplitSeq(strings.Join(res.Header.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		switch strings.ToLower(name) {
		case "no-store":
			r.NoStore = true
		case "no-cache":
			r.MaxAge, r.HasMaxAge = 0, true
		case "max-age":
			const longest = 1 << 31 // seconds, RFC 9111 section 1.2.2
			n, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 64)
			if err == nil && n >= 0 && !r.HasMaxAge {
				r.MaxAge, r.HasMaxAge = time.Duration(min(n, longest))*time.Second, true
			}
		}
	}
	return r
}

// read takes the body within the cap (FETCH-3, F-5).
func (c *Client) read(ctx context.Context, t *target, res *http.Response, p Profile) (*Response, *Error) {
	r := describe(t, res)
	if len(p.MediaTypes) > 0 && !slices.Contains(p.MediaTypes, r.MediaType) {
		found := printable(r.MediaType)
		if found == "" {
			found = "none"
		}
		return nil, refuse(CodeMediaType, t.text, "expected the media type %s, found %s", strings.Join(p.MediaTypes, " or "), found)
	}
	if _, isUTF8 := contentType(res.Header); !isUTF8 && len(p.MediaTypes) > 0 {
		return nil, refuse(CodeMediaType, t.text, "expected a body in UTF-8, found another charset announced")
	}
	limit := p.maxBytes()
	if res.ContentLength > limit {
		return nil, refuse(CodeTooLarge, t.text, "expected at most %d bytes, found %d announced", limit, res.ContentLength)
	}
	wire := &counted{r: res.Body, left: limit}
	var body io.Reader = wire
	switch encodings := res.Header.Values("Content-Encoding"); {
	case len(encodings) == 0 || len(encodings) == 1 && strings.EqualFold(encodings[0], "identity"):
	case len(encodings) == 1 && strings.EqualFold(encodings[0], "gzip"):
		z, err := gzip.NewReader(wire)
		if err != nil {
			return nil, c.bodyFailure(ctx, t, limit, err)
		}
		body = &counted{r: z, left: limit}
	default:
		return nil, refuse(CodeEncoding, t.text, "expected no content encoding or gzip")
	}
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(body); err != nil {
		return nil, c.bodyFailure(ctx, t, limit, err)
	}
	if err := ctx.Err(); err != nil {
		// A server that sees the connection go ends its answer, and that end can
		// arrive before the connection is gone: a body that is cut, in the form of one
		// that is whole.
		return nil, c.failure(ctx, t, err)
	}
	r.Body = buf.Bytes()
	if r.Body == nil {
		r.Body = []byte{}
	}
	return r, nil
}

var errTooLarge = errors.New("more bytes than allowed")

// counted reads at most left bytes and fails on one more.
type counted struct {
	r    io.Reader
	left int64
}

func (c *counted) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		return 0, errTooLarge
	}
	c.left -= int64(n)
	return n, err
}

func (c *Client) bodyFailure(ctx context.Context, t *target, limit int64, err error) *Error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, errTooLarge):
		return refuse(CodeTooLarge, t.text, "expected at most %d bytes, found more", limit)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return refuse(CodeEncoding, t.text, "expected a body in gzip, found a damaged one")
	}
	return c.failure(ctx, t, err)
}

// failure classes an error of the library.
func (c *Client) failure(ctx context.Context, t *target, err error) *Error {
	var own *Error
	if errors.As(err, &own) { // from connectTo, which does not know the URL
		return &Error{Code: own.Code, URL: display(t.text), Reason: own.Reason, Err: own.Err}
	}
	e := &Error{URL: display(t.text), Err: err}
	var (
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		op          *net.OpError
		timeout     net.Error
	)
	switch {
	case errors.Is(err, errNotPublic):
		e.Code, e.Reason = CodeBlockedAddress, "expected a public address"
	case errors.Is(ctx.Err(), context.Canceled):
		e.Code, e.Reason = CodeCanceled, "the fetch was given up"
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		e.Code, e.Reason = CodeTimeout, "expected an answer in time"
	case errors.As(err, &certificate):
		e.Code, e.Reason = CodeTLS, "expected a certificate for the host from a trusted authority"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		e.Code, e.Reason = CodeTLS, "expected a TLS server"
	case errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"): // a TLS alert
		e.Code, e.Reason = CodeTLS, "expected a TLS session, found an alert"
	default:
		e.Code, e.Reason = CodeNetwork, "expected an answer, found a broken connection"
	}
	return e
}
