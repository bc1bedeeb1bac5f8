package fetch

import (
	"fmt"
	"net/netip"
	"slices"

	"code.dny.dev/ssrf"
)

// guard decides which addresses may be connected to. The ssrf package knows the IANA
// special-purpose registries; guard adds what that package leaves to its caller.
type guard struct {
	public  *ssrf.Guardian
	allowed []netip.Prefix
}

// nat64 returns the well-known prefix of RFC 6052: the last 32 bits of an address in it
// are an IPv4 address, to which the packets go.
func nat64() netip.Prefix { return netip.MustParsePrefix("64:ff9b::/96") }

// isatap returns the IPv4 address in an address of ISATAP (RFC 5214, section 6.1), below
// whatever prefix: a machine with such an interface sends the packets there. The bits that
// say whether it is unique, and for a group, are set by some and not by others.
func isatap(a netip.Addr) (inner netip.Addr, ok bool) {
	b := a.As16()
	if !a.Is6() || b[8]&^3 != 0 || b[9] != 0 || b[10] != 0x5e || b[11] != 0xfe {
		return a, false
	}
	return netip.AddrFrom4([4]byte(b[12:])), true
}

// neverAllowed lists what no option opens: link-local addresses, where cloud
// hosts keep their credentials, multicast, and the unspecified addresses.
func neverAllowed() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),
		netip.MustParsePrefix("169.254.0.0/16"),
		netip.MustParsePrefix("168.63.129.16/32"),
		netip.MustParsePrefix("100.100.100.200/32"),
		netip.MustParsePrefix("224.0.0.0/4"),
		netip.MustParsePrefix("::/128"),
		netip.MustParsePrefix("fe80::/10"),
		netip.MustParsePrefix("fd00:ec2::/32"),
		netip.MustParsePrefix("ff00::/8"),
	}
}

func newGuard(allowed []netip.Prefix) (*guard, error) {
	for _, p := range allowed {
		if !p.IsValid() || p.Addr().Is4In6() {
			return nil, fmt.Errorf("expected prefixes of IPv4 or IPv6 addresses to allow, found %q", p)
		}
		for _, never := range neverAllowed() {
			if p.Overlaps(never) {
				return nil, fmt.Errorf("the allowed prefix %s overlaps %s, which is never fetched from", p, never)
			}
		}
	}
	return &guard{
		public: ssrf.New(
			ssrf.WithAnyPort(),
			// Public by every registry, but on one of the large clouds it answers
			// with the secrets of the machine.
			ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
		),
		allowed: allowed,
	}, nil
}

// check returns nil for an address that may be connected to, and otherwise an error
// that does not contain the address.
func (g *guard) check(a netip.Addr) error {
	if a.Zone() != "" {
		return errNotPublic
	}
	a = a.Unmap()              // ::ffff:a.b.c.d reaches a.b.c.d
	reached := []netip.Addr{a} // where its packets can go
	if nat64().Contains(a) {
		b := a.As16()
		reached[0] = netip.AddrFrom4([4]byte(b[12:]))
	} else if inner, ok := isatap(a); ok {
		reached = append(reached, inner)
	}
	for _, never := range neverAllowed() {
		if slices.ContainsFunc(reached, never.Contains) { // also below an allowed prefix
			return errNotPublic
		}
	}
	for _, p := range g.allowed {
		if p.Contains(a) {
			return nil
		}
	}
	if slices.ContainsFunc(reached, func(a netip.Addr) bool { return g.public.SafeAddr(a) != nil }) {
		return errNotPublic
	}
	return nil
}

type addressError string

func (e addressError) Error() string { return string(e) }

const errNotPublic addressError = "the address is not public"
