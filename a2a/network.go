package a2a

import (
	"context"
	"net"
	"net/netip"

	grpcpeer "google.golang.org/grpc/peer"
)

// remote returns the address that a request came from, the zero Addr when it is not known.
func remote(ctx context.Context) netip.Addr {
	if r := requestFrom(ctx); r != nil {
		return r.remote
	}
	if p, ok := grpcpeer.FromContext(ctx); ok && p.Addr != nil {
		return addressOf(p.Addr.String())
	}
	return netip.Addr{}
}

// addressOf reads host and port.
func addressOf(hostport string) netip.Addr {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}

// network names where a request came from.
func (s *Server) network(ctx context.Context) string {
	a := remote(ctx)
	switch {
	case s.config.Network != nil:
		return s.config.Network(ctx, a)
	case !a.IsValid() || !a.IsGlobalUnicast() || a.IsPrivate():
		return ""
	case a.Is6(): // what one subscriber has
		p, err := a.Prefix(64)
		if err != nil {
			return ""
		}
		return p.String()
	default:
		return a.String()
	}
}
