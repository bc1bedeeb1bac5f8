package fetch

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// target is a URL that passed every check that needs no name server.
type target struct {
	text string // what is requested: no fragment, host in lower case without a final dot
	host string // name or IP literal without brackets
	port uint16
	addr netip.Addr // valid when host is an IP literal
}

// origin returns scheme, host and port, the port left out when it is 443.
func (t *target) origin() string {
	host := t.host
	if t.addr.Is6() {
		host = "[" + host + "]"
	}
	if t.port == 443 {
		return "https://" + host
	}
	return "https://" + host + ":" + strconv.Itoa(int(t.port))
}

const maxURLBytes = 2 << 10 // what browsers and servers carry, and the limit on IRIs of a peer

// blockedName reports whether a name must not be looked up because it means this machine,
// this network or this cluster.
func blockedName(host string) bool {
	for _, name := range [...]string{
		"localhost", "local", "internal", "localdomain", "home.arpa", "cluster.local", "metadata.goog", "vercel-internal.com",
	} {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return false
}

// parseURL parses a URL and makes every check that needs no name server (FETCH-1, -2, -6,
// -7, -10; F-1, F-2).
func (c *Client) parseURL(raw string) (*target, *Error) {
	if len(raw) > maxURLBytes {
		return nil, refuse(CodeURL, raw, "expected a URL of at most %d bytes, found %d", maxURLBytes, len(raw))
	}
	for i := range len(raw) {
		if raw[i] <= ' ' || raw[i] >= 0x7f || raw[i] == '\\' {
			return nil, refuse(CodeURL, raw, "expected a URL in ASCII without spaces and backslashes (write international host names in punycode)")
		}
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, refuse(CodeURL, raw, "expected a URL, found text that is none")
	}
	if u.Scheme != "https" {
		return nil, refuse(CodeNotHTTPS, raw, "expected an https URL")
	}
	if u.Opaque != "" || u.Host == "" {
		return nil, refuse(CodeURL, raw, "expected an https URL with a host")
	}
	if u.User != nil {
		return nil, refuse(CodeURL, raw, "expected a URL without user name and password")
	}
	t := &target{host: strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), port: 443}
	if p := u.Port(); p != "" {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil || n == 0 {
			return nil, refuse(CodeURL, raw, "expected a port between 1 and 65535")
		}
		t.port = uint16(n)
	} else if strings.HasSuffix(u.Host, ":") {
		return nil, refuse(CodeURL, raw, "expected a port after the colon")
	}
	if !slices.Contains(c.ports, t.port) {
		return nil, refuse(CodeURL, raw, "expected an allowed port, found %d", t.port)
	}
	if e := c.checkHost(t, raw, strings.HasPrefix(u.Host, "[")); e != nil {
		return nil, e
	}
	u.Fragment, u.RawFragment = "", "" // it names a part of the document
	u.Host = strings.TrimPrefix(t.origin(), "https://")
	t.text = u.String()
	return t, nil
}

// checkHost checks the host of t, of the URL raw, and sets t.addr when it is an IP
// address.
func (c *Client) checkHost(t *target, raw string, bracketed bool) *Error {
	if bracketed || endsInNumber(t.host) {
		a, err := netip.ParseAddr(t.host)
		if err != nil || a.Is4() == bracketed {
			return refuse(CodeURL, raw, "expected a host name or an IP address in its canonical form")
		}
		if c.guard.check(a) != nil {
			return refuse(CodeBlockedAddress, raw, "expected a public address")
		}
		t.addr = a
		return nil
	}
	labels := strings.Split(t.host, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return refuse(CodeURL, raw, "expected a host name of letters, digits and hyphens")
		}
	}
	if blockedName(t.host) {
		return refuse(CodeBlockedAddress, raw, "expected a public host name, found one that means this machine or its network")
	}
	if len(labels) == 1 {
		return refuse(CodeBlockedAddress, raw, "expected a public host name, found a single label")
	}
	return nil
}

// endsInNumber reports whether some resolver would take the host for an IPv4 address
// because its last label is a decimal or a hexadecimal number. Only the canonical form of
// an address is then accepted, unlike 127.1, 0177.0.0.1, 2130706433 and 0x7f000001.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

// Origin returns the scheme, host and port of an https URL in canonical form: in lower
// case, without the default port and without a final dot. It returns "" for anything
// else.
func Origin(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	// A host beyond ASCII can be several hosts: lowering its case alone turns the Kelvin
	// sign into a k.
	beyond := func(r rune) bool { return r <= ' ' || r >= 0x7f }
	if host == "" || strings.ContainsFunc(u.Host, beyond) {
		return ""
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" && p != "443" {
		return "https://" + host + ":" + p
	}
	return "https://" + host
}
