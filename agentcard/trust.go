package agentcard

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// TrustStore holds the keys that a verifier trusts, and the rule for the locations that
// cards may name (section A.7). A nil TrustStore trusts nothing. It is immutable and
// safe for concurrent use.
type TrustStore struct {
	keys []pinned
	jku  location
}

// pinned is a key of a trust store.
type pinned struct {
	key       *Key
	origins   []string // empty: for cards from anywhere
	revokedAt time.Time
}

// location is the rule for jku: the zero value allows none.
type location struct {
	sameOrigin bool
	allow      []string // exact URLs and exact origins
}

// ParseTrustStore reads a trust store:
//
//	{"version": 1,
//	 "keys": [{"jwk": {...}, "alg": "RS256", "origins": ["https://agent.example.com"],
//	           "not_before": "2026-09-01T00:00:00Z", "not_after": "...", "revoked_at": null}],
//	 "jku": {"mode": "off" | "same-origin" | "allowlist", "allow": ["https://..."]}}
//
// Everything but version and jwk may be absent. Of several entries for one key, whatever
// their kid, each adds its origins; the end of one holds for all entries that are for the
// card's origin, and a revocation for all. alg names the algorithm of an RSA key
// whose JWK names none. An entry of allow is an exact URL, or an origin if it has no
// path. Unknown members are refused, because a misspelt restriction would restrict
// nothing. It fails with an [*Error].
func ParseTrustStore(data []byte, limits Limits) (*TrustStore, error) {
	t, err := parseTrustStore(data, limits.OrDefault())
	if err != nil {
		return nil, err
	}
	return t, nil
}

func parseTrustStore(data []byte, limits Limits) (*TrustStore, *Error) {
	root, err := strictjson.Parse(data, limits.keySet())
	if err != nil {
		return nil, fromJSON(err)
	}
	if e := onlyMembers(root, "trust store", "version", "keys", "jku"); e != nil {
		return nil, e
	}
	if n, ok := root.Get("version").Int64(); !ok || n != 1 {
		return nil, refuseAt(root, CodeTrustMalformed, "expected version 1 of a trust store")
	}
	t := &TrustStore{}
	keys := root.Get("keys")
	if keys.Exists() && keys.Kind() != strictjson.Array {
		return nil, refuseAt(keys, CodeTrustMalformed, "expected an array for keys, found %s", keys.Kind())
	}
	if keys.Len() > limits.Keys {
		return nil, refuseAt(keys, CodeLimit, "expected at most %d keys, found %d", limits.Keys, keys.Len())
	}
	for _, v := range keys.Items() {
		p, e := parsePinned(v)
		if e != nil {
			return nil, e
		}
		t.keys = append(t.keys, p)
	}
	var e *Error
	t.jku, e = parseLocation(root.Get("jku"))
	return t, e
}

// onlyMembers refuses what is not an object, or has a member that is not named.
func onlyMembers(v strictjson.Value, what string, names ...string) *Error {
	if v.Kind() != strictjson.Object {
		return refuseAt(v, CodeTrustMalformed, "expected an object for the %s, found %s", what, v.Kind())
	}
	for i := range v.Len() {
		if m := v.Member(i); !slices.Contains(names, m.Str()) {
			return refuseAt(m.Name, CodeTrustMalformed, "expected one of %s in the %s, found %s", strings.Join(names, ", "), what, shorten(m.Str()))
		}
	}
	return nil
}

func parsePinned(v strictjson.Value) (pinned, *Error) {
	if e := onlyMembers(v, "key", "jwk", "alg", "origins", "not_before", "not_after", "revoked_at"); e != nil {
		return pinned{}, e
	}
	k, e := parseKey(v.Get("jwk"))
	if e != nil {
		if !v.Get("jwk").Exists() {
			e = refuseAt(v, CodeTrustMalformed, "expected a member jwk")
		}
		return pinned{}, e
	}
	if k.id == "" {
		return pinned{}, refuseAt(v.Get("jwk"), CodeTrustMalformed, "expected a kid: keys of a trust store are found by it")
	}
	if k.fault != "" {
		return pinned{}, refuseAt(v.Get("jwk"), k.fault, "%s", k.faultText)
	}
	if k.limitedBy != "" {
		return pinned{}, refuseAt(v.Get("jwk"), CodeKeyMalformed, "%s", k.limited("the key"))
	}
	if alg := v.Get("alg"); alg.Exists() {
		name, ok := alg.Str()
		a := Algorithm(name)
		if !ok || !a.known() || !fitsKey(a, k.public) || k.alg != "" && !k.alg.same(a) {
			return pinned{}, refuseAt(alg, CodeTrustMalformed, "expected the algorithm of the key")
		}
		k.alg = a
	}
	if k.alg == "" {
		return pinned{}, refuseAt(v, CodeTrustMalformed, "expected an alg for the RSA key: a key is for one algorithm")
	}
	p := pinned{key: k}
	if p.origins, e = parseOrigins(v.Get("origins")); e != nil {
		return pinned{}, e
	}
	for _, m := range []struct {
		name string
		to   *time.Time
	}{{"not_before", &k.notBefore}, {"not_after", &k.notAfter}, {"revoked_at", &p.revokedAt}} {
		member := v.Get(m.name)
		if !member.Exists() || member.IsNull() {
			continue
		}
		s, _ := member.Str()
		t, err := time.Parse(time.RFC3339, s)
		// The library takes hours of one digit and a comma for the point.
		if err != nil || s[len("2006-01-02T15")] != ':' || strings.Contains(s, ",") {
			return pinned{}, refuseAt(member, CodeTrustMalformed, "expected a time as in RFC 3339 for %s", m.name)
		}
		// Programs write the first instant for no time, which would lift a limit, and as
		// the time that it is it would say the opposite.
		if t.IsZero() {
			return pinned{}, refuseAt(member, CodeTrustMalformed, "expected null for no %s, found the first instant of the year 1", m.name)
		}
		switch m.to { // the JWK's own validity can narrow that of the store, never widen it
		case &k.notBefore:
			t = later(t, k.notBefore)
		case &k.notAfter:
			t = earlier(t, k.notAfter)
		}
		*m.to = t
	}
	return p, nil
}

// later returns the later of two times, of which b may be absent.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// earlier returns the earlier of two times, of which b may be absent.
func earlier(a, b time.Time) time.Time {
	if !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// parseOrigins reads a list of origins. An empty one is refused: it could mean none or
// all.
func parseOrigins(v strictjson.Value) ([]string, *Error) {
	if !v.Exists() {
		return nil, nil
	}
	if v.Kind() != strictjson.Array || v.Len() == 0 {
		return nil, refuseAt(v, CodeTrustMalformed, "expected a list of origins with something in it")
	}
	var out []string
	for _, e := range v.Items() {
		s, _ := e.Str()
		if origin := originOf(s); origin == "" || !isOrigin(s) {
			return nil, refuseAt(e, CodeTrustMalformed, `expected an origin, such as "https://agent.example.com"`)
		}
		out = append(out, originOf(s))
	}
	return out, nil
}

func parseLocation(v strictjson.Value) (location, *Error) {
	if !v.Exists() {
		return location{}, nil
	}
	if e := onlyMembers(v, "jku rule", "mode", "allow"); e != nil {
		return location{}, e
	}
	mode, _ := v.Get("mode").Str()
	allow := v.Get("allow")
	if (mode == "allowlist") != allow.Exists() {
		return location{}, refuseAt(v, CodeTrustMalformed, "expected a list allow with the mode allowlist and with no other")
	}
	switch mode {
	case "off":
		return location{}, nil
	case "same-origin":
		return location{sameOrigin: true}, nil
	case "allowlist":
		var l location
		if allow.Kind() != strictjson.Array {
			return location{}, refuseAt(allow, CodeTrustMalformed, "expected an array for allow, found %s", allow.Kind())
		}
		for _, e := range allow.Items() {
			s, _ := e.Str()
			if originOf(s) == "" {
				return location{}, refuseAt(e, CodeTrustMalformed, "expected an https URL")
			}
			l.allow = append(l.allow, s)
		}
		return l, nil
	}
	return location{}, refuseAt(v, CodeTrustMalformed, "expected the mode off, same-origin or allowlist")
}

// judge says why a jku must not be fetched (K-2, K-3). origin is that of the card, "" for
// a card from a file.
func (l location) judge(jku, origin string) (Code, string) {
	if !l.sameOrigin && len(l.allow) == 0 {
		return CodeJKUForbidden, "the location policy allows no jku"
	}
	u, err := url.Parse(jku)
	switch {
	case err != nil:
		return CodeFetchURL, "expected a URL for jku"
	case u.Scheme != "https":
		return CodeFetchNotHTTPS, "expected an https URL for jku"
	case u.User != nil || u.Host == "" || u.Opaque != "":
		return CodeFetchURL, "expected a URL with a host and without user name for jku"
	}
	at := originOf(jku)
	if l.sameOrigin {
		if origin != "" && at == origin {
			return "", ""
		}
		if origin == "" {
			return CodeJKUForbidden, "the location policy allows a jku of the card's own origin, and this card was not fetched over https"
		}
		return CodeJKUForbidden, "expected a jku of the card's own origin, " + origin
	}
	for _, a := range l.allow {
		if a == jku || isOrigin(a) && originOf(a) == at && at != "" {
			return "", ""
		}
	}
	return CodeJKUForbidden, "the location policy does not allow this jku"
}

// originOf returns scheme, host and port of an https URL in one spelling, "" for
// anything else.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.Opaque != "" {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	// A host beyond ASCII can be several hosts: resolvers map it differently, and
	// lowering its case alone turns the Kelvin sign into a k.
	beyond := func(r rune) bool { return r <= ' ' || r >= 0x7f }
	if host == "" || strings.ContainsFunc(u.Host, beyond) {
		return ""
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" && p != "443" {
		host += ":" + p
	}
	return "https://" + host
}

// isOrigin reports whether a URL is an origin and nothing more: it ends with the host or
// the port.
func isOrigin(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Path == "" && !u.ForceQuery && u.RawQuery == "" && u.Fragment == "" && !strings.HasSuffix(raw, "#")
}

// find looks a signature's key up for a card from an origin (K-1, K-6, K-7).
// found is false when the store has no key with the kid for such cards; elsewhere
// reports that it has one for others.
func (t *TrustStore) find(s *signature, origin string, at time.Time) (m match, trust KeyTrust, found, elsewhere bool) {
	if t == nil {
		return match{}, "", false, false
	}
	var keys []*Key
	for _, p := range t.keys {
		if p.key.id != s.kid {
			continue
		}
		if len(p.origins) > 0 && !slices.Contains(p.origins, origin) {
			elsewhere = true
			continue
		}
		keys = append(keys, p.key)
	}
	m, found = find(keys, s, at)
	if m.key == nil {
		return m, "", found, elsewhere
	}
	p := t.pinnedOf(m.key)
	trust = TrustPinned
	if len(p.origins) > 0 {
		trust = TrustPinnedOrigin
	}
	return m, trust, found, elsewhere
}

// hold applies to a key what the store says about it, whatever its kid and wherever it was
// found. A revoked key is refused, whatever origin the store lists it for (K-6): it may be
// in other hands, which choose all the rest. A key that the store names for certain origins
// or for some time is for no other card and no other time (K-6, K-7), also when it is
// supplied or published at a jku: the card of one origin could be served by another, with
// the jku that its signature covers. An origin and a beginning may stand in any entry, but an
// end holds for all that are for the card's origin: what ended under one name does not live
// on under another.
func (t *TrustStore) hold(m match, origin string, at time.Time) match {
	if t == nil || m.key == nil || m.code != "" {
		return m
	}
	named, allowed, ended := false, false, false
	refused := m
	for _, p := range t.keys {
		if p.key.thumbprint != m.key.thumbprint {
			continue
		}
		if !p.revokedAt.IsZero() && !at.Before(p.revokedAt) {
			m.code, m.text = CodeKeyRevoked, "the key is revoked since "+stamp(p.revokedAt)
			return m
		}
		named = true
		if len(p.origins) > 0 && !slices.Contains(p.origins, origin) {
			if !ended {
				refused.code, refused.text = CodeKeyOrigin, "the trust store names this key for certain origins, and not for "+cardsFrom(origin)
			}
		} else if code, text := p.key.over(at); code != "" {
			refused.code, refused.text, ended = code, text, true
		} else if code, text := p.key.outside(at); code != "" {
			if !ended {
				refused.code, refused.text = code, text
			}
		} else {
			allowed = true
		}
	}
	if ended || named && !allowed {
		return refused
	}
	return m
}

// cardsFrom names the cards from an origin, "" for those of none.
func cardsFrom(origin string) string {
	if origin == "" {
		return "cards that were not fetched over https"
	}
	return "cards from " + origin
}

func (t *TrustStore) pinnedOf(k *Key) pinned {
	i := slices.IndexFunc(t.keys, func(p pinned) bool { return p.key == k })
	return t.keys[i]
}
