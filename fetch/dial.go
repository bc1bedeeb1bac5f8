package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"
)

// control sees the address that is really connected to (FETCH-2).
func (c *Client) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return errNotPublic
	}
	return c.guard.check(ap.Addr())
}

// connectTo resolves the host, checks all its addresses, and connects to one of them.
// hostport comes from a URL that passed parseURL.
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
// fetches: only to the ports and hosts that its Options allow, checking every address of
// the host and, when connecting, the chosen one once more (FETCH-2, FETCH-6 to FETCH-8).
// It is for other clients whose destinations strangers choose. Its errors are [*Error].
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

// resolve returns the addresses of a host. It fails when one of them is not public
// (FETCH-8).
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
	const most = 64 // no real host has more
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
