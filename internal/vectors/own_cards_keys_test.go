package vectors_test

import (
	"crypto/elliptic"
	"fmt"
	"strings"
)

// keys is section A.7 for keys that are at hand.
func (m cardSuite) keys() {
	const base = "eddsa"
	store := func(name, base, title, clause string, expected object, keys ...object) {
		m.t.Helper()
		m.add("key-"+name, base, title, clause, expected, func(q *cardQuestion) { q.in["trustStore"] = trusted(keys...) })
	}
	ed := edKey(1)
	pinned := func(jwk, more object) object { return pinnedKey(ed, "key-1", jwk, more) }
	store("none", base, "a trust store of nothing", "K-1", uncheckedCard("KEY_NOT_FOUND"))
	m.add("key-nobody", base, "no trust store", "K-1", uncheckedCard("KEY_NOT_FOUND"), func(q *cardQuestion) { q.in["trustStore"] = nil })
	store("other", base, "another key", "K-1", uncheckedCard("KEY_NOT_FOUND"), pinnedKey(edKey(2), "key-2", nil, nil))
	store("same-kid", base, "another key under the kid", "A.8", invalidCard("SIG_INVALID"), pinnedKey(edKey(2), "key-1", nil, nil))
	store("two", base, "another key besides", "K-5", verifiedCard(), pinned(nil, nil), pinnedKey(edKey(2), "key-2", nil, nil))
	store("two-algorithms", base, "a key of another algorithm under the kid besides", "K-5", verifiedCard(), pinned(nil, nil), pinnedKey(ecKey(m.t, elliptic.P256(), 1), "key-1", nil, nil))
	store("ambiguous", base, "a second key of the algorithm under the kid", "K-5, A.10", uncheckedCard("KEY_AMBIGUOUS"), pinned(nil, nil), pinnedKey(edKey(2), "key-1", nil, nil))
	store("twice", base, "the key twice", "K-5", uncheckedCard("KEY_AMBIGUOUS"), pinned(nil, nil), pinned(nil, nil))

	const before, after = "2026-07-31T23:59:59Z", "2026-08-01T00:00:01Z"
	times := func(name, title string, expected object, more object) {
		m.t.Helper()
		store(name, base, title, "K-6", expected, pinned(nil, more))
	}
	times("until-later", "a key until a second later", verifiedCard(), object{"not_after": after})
	times("until-now", "a key until this instant", uncheckedCard("KEY_EXPIRED"), object{"not_after": cardNow})
	times("until-before", "a key until a second before", uncheckedCard("KEY_EXPIRED"), object{"not_after": before})
	times("from-now", "a key from this instant on", verifiedCard(), object{"not_before": cardNow})
	times("from-later", "a key from a second later on", uncheckedCard("KEY_EXPIRED"), object{"not_before": after})
	times("revoked-later", "a key that is revoked a second later", verifiedCard(), object{"revoked_at": after})
	times("revoked-now", "a key that is revoked at this instant", uncheckedCard("KEY_REVOKED"), object{"revoked_at": cardNow})
	times("revoked-before", "a key that is revoked", uncheckedCard("KEY_REVOKED"), object{"revoked_at": "2026-01-01T00:00:00Z"})
	times("not-revoked", "a key whose revocation is null", verifiedCard(), object{"revoked_at": nil})
	store("revoked-elsewhere", base, "a key that is revoked under another kid", "K-6", uncheckedCard("KEY_REVOKED"), pinned(nil, nil), pinnedKey(ed, "key-0", nil, object{"revoked_at": before}))
	store("revoked-other", base, "another key that is revoked", "K-6", verifiedCard(), pinned(nil, nil), pinnedKey(edKey(2), "key-0", nil, object{"revoked_at": before}))
	again := func(more object) object { return pinnedKey(ed, "key-0", nil, more) }
	store("until-elsewhere", base, "a key whose time is over under another kid", "K-6", uncheckedCard("KEY_EXPIRED"), pinned(nil, nil), again(object{"not_after": cardNow}))
	store("until-later-elsewhere", base, "a key whose time is over a second later under another kid", "K-6", verifiedCard(), pinned(nil, nil), again(object{"not_after": after}))
	store("until-other-origin", base, "a key whose time is over for another origin", "K-6", verifiedCard(), pinned(nil, nil), again(object{"not_after": cardNow, "origins": []string{"https://other.example"}}))
	jwk := func(name, title, clause string, expected object, more object) {
		m.t.Helper()
		store(name, base, title, clause, expected, pinned(more, nil))
	}
	jwk("jwk-expired", "a key whose JWK says exp", "K-6", uncheckedCard("KEY_EXPIRED"), object{"exp": 1785542399})
	jwk("jwk-valid", "a key whose JWK says nbf and exp", "K-6", verifiedCard(), object{"nbf": 1785542400, "exp": 1785542401})
	jwk("jwk-not-yet", "a key whose JWK says nbf", "K-6", uncheckedCard("KEY_EXPIRED"), object{"nbf": 1785542401})
	jwk("use-sig", "a key for signatures", "K-5", verifiedCard(), object{"use": "sig"})
	jwk("ops-verify", "a key for verifying", "K-5", verifiedCard(), object{"key_ops": []string{"sign", "verify"}})
	ended := refusedCardFor("KEY_MALFORMED")
	jwk("jwk-revoked", "a key whose JWK says that it is revoked", "K-6", ended, object{"revoked": true})
	jwk("jwk-not-after", "a key whose JWK says when it ends under a name that is not known", "K-6", ended, object{"not_after": 4102444800})
	jwk("alg-empty", "a key with an empty alg", "K-5", refusedCardFor("KEY_ALG_MISMATCH"), object{"alg": ""})
	jwk("private", "a private key in the trust store", "K-5", refusedCardFor("JWKS_PRIVATE_KEY"), object{"d": ed.private["d"]})

	set := func(name, base, title, clause string, expected object, keys any) {
		m.t.Helper()
		m.add("set-"+name, base, title, clause, expected, func(q *cardQuestion) { q.in["trustStore"], q.in["keySet"] = nil, keys })
	}
	supplied := func() object { return verifiedAs(vectorPayload, "spec", validEntry("supplied")) }
	set("eddsa", "", "a key of a key set that the caller has: nothing is said of whose it is", "A.8", supplied(), keySet(ed.jwk(object{"kid": "key-1"})))
	const inSet = "set-eddsa"
	set("encryption", inSet, "a key for encryption", "K-5", uncheckedCard("KEY_USE"), keySet(ed.jwk(object{"kid": "key-1", "use": "enc"})))
	set("ops-sign", inSet, "a key for signing", "K-5", uncheckedCard("KEY_USE"), keySet(ed.jwk(object{"kid": "key-1", "key_ops": []string{"sign"}})))
	set("private", inSet, "a private key", "K-5", uncheckedCard("KEY_NOT_FOUND"), keySet(ed.secret(object{"kid": "key-1"})))
	set("symmetric", inSet, "a symmetric key", "K-5", uncheckedCard("KEY_NOT_FOUND"), keySet(object{"kty": "oct", "k": b64([]byte("secret")), "kid": "key-1"}))
	set("unknown-kind", inSet, "a key of a kind that nobody knows besides", "K-4", supplied(), keySet(object{"kty": "PQ", "kid": "key-1"}, ed.jwk(object{"kid": "key-1"})))
	set("no-kid", inSet, "a key without a kid", "K-5", uncheckedCard("KEY_NOT_FOUND"), keySet(ed.jwk(nil)))
	set("ambiguous", inSet, "two keys of one kid and algorithm", "K-5, A.10", uncheckedCard("KEY_AMBIGUOUS"), keySet(ed.jwk(object{"kid": "key-1"}), edKey(2).jwk(object{"kid": "key-1"})))
	set("expired", inSet, "a key that expired", "K-6", uncheckedCard("KEY_EXPIRED"), keySet(ed.jwk(object{"kid": "key-1", "exp": 1785542400})))
	for _, end := range []struct {
		name, title string
		member      object
	}{
		{"revoked", "that is revoked", object{"revoked": true}},
		{"revoked-federation", "that is revoked as OpenID Federation writes it", object{"revoked": object{"revoked_at": 1767225600, "reason": "compromised"}}},
		{"revoked-false", "that says whether it is revoked", object{"revoked": false}},
		{"revoked-at", "that was revoked at a time", object{"revoked_at": "2026-01-01T00:00:00Z"}},
		{"expires", "that says when it expires in another form", object{"expires": "2099-01-01T00:00:00Z"}},
		{"not-after", "that says when it ends under another name", object{"not_after": 4102444800}},
		{"exp-case", "that says exp in capitals", object{"EXP": 4102444800}},
		{"deactivated", "that is deactivated", object{"deactivated": true}},
		{"status", "that has a status", object{"status": "inactive"}},
	} {
		end.member["kid"] = "key-1"
		set("ends-"+end.name, inSet, "a key "+end.title, "K-6", uncheckedCard("KEY_MALFORMED"), keySet(ed.jwk(end.member)))
	}
	// What a set says about a key holds for it under every kid.
	twice := func(name, title string, expected object, more object) {
		m.t.Helper()
		set("twice-"+name, inSet, title, "K-6", expected, keySet(ed.jwk(object{"kid": "key-1"}), ed.jwk(more)))
	}
	twice("expired", "a key that expired under another kid", uncheckedCard("KEY_EXPIRED"), object{"kid": "key-0", "exp": 1785542400})
	twice("expired-later", "a key that expires a second later under another kid", supplied(), object{"kid": "key-0", "exp": 1785542401})
	twice("from-later", "a key that is valid from a second later on under another kid", supplied(), object{"kid": "key-0", "nbf": 1785542401})
	twice("from-later-over", "a key that is over before it begins under another kid", uncheckedCard("KEY_EXPIRED"), object{"kid": "key-0", "nbf": 1785542401, "exp": 1785542400})
	twice("expired-no-kid", "a key that expired where it has no kid", uncheckedCard("KEY_EXPIRED"), object{"exp": 1785542400})
	twice("revoked", "a key that is revoked under another kid", uncheckedCard("KEY_MALFORMED"), object{"kid": "key-0", "revoked": true})
	twice("unread", "a key that has an exp under another kid that cannot be read", uncheckedCard("KEY_MALFORMED"), object{"kid": "key-0", "exp": "2026-01-01T00:00:00Z"})
	twice("private", "a key whose private half is in the set under another kid", uncheckedCard("JWKS_PRIVATE_KEY"), object{"kid": "key-0", "d": ed.private["d"]})
	twice("encryption", "a key that is for encryption under another kid", supplied(), object{"kid": "key-0", "use": "enc"})
	set("issued", inSet, "a key that says when it was made", "K-6", supplied(), keySet(ed.jwk(object{"kid": "key-1", "iat": 1767225600})))
	set("alg-empty", inSet, "a key with an empty alg", "K-5", invalidCard("KEY_ALG_MISMATCH"), keySet(ed.jwk(object{"kid": "key-1", "alg": ""})))
	set("low-order", inSet, "a key of low order", "ALG-5", uncheckedCard("KEY_NOT_FOUND"), keySet(object{"kty": "OKP", "crv": "Ed25519", "x": b64(make([]byte, 32)), "kid": "key-1"}))
	hundred := []object{ed.jwk(object{"kid": "key-1"})}
	for i := range 99 {
		hundred = append(hundred, edKey(2).jwk(object{"kid": fmt.Sprintf("other-%d", i)}))
	}
	set("hundred", inSet, "a hundred keys", "J-6", supplied(), keySet(hundred...))
	set("hundred-and-one", inSet, "a hundred and one keys", "J-6", refusedCardFor("LIMIT_EXCEEDED"), keySet(append(hundred[:100:100], edKey(2).jwk(object{"kid": "other"}))...))
	set("no-array", inSet, "keys that are no array", "K-4", refusedCardFor("JWKS_MALFORMED"), object{"keys": object{"key-1": ed.jwk(nil)}})
	set("no-keys", inSet, "no keys", "K-4", refusedCardFor("JWKS_MALFORMED"), object{})
	set("one-key", inSet, "a key for a set", "K-4", refusedCardFor("JWKS_MALFORMED"), ed.jwk(object{"kid": "key-1"}))
	set("key-text", inSet, "a key that is a text", "K-4", refusedCardFor("JWKS_MALFORMED"), object{"keys": []string{"key-1"}})
	set("pem-map", inSet, "a map from kid to PEM", "K-10", refusedCardFor("JWKS_MALFORMED"), object{"key-1": "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n"})
	m.add("set-after-store", base, "a key set besides, whose key of that kid is another", "K-1", verifiedCard(), func(q *cardQuestion) { q.in["keySet"] = keySet(edKey(2).jwk(object{"kid": "key-1"})) })
	m.add("set-revoked", inSet, "a key of the key set that the trust store says is revoked", "K-6", uncheckedCard("KEY_REVOKED"), func(q *cardQuestion) {
		q.in["keySet"] = keySet(ed.jwk(object{"kid": "key-1"}))
		q.in["trustStore"] = trusted(pinnedKey(ed, "key-0", nil, object{"revoked_at": before}))
	})

	// What the trust store says of a key's origins and times holds wherever it is found.
	bounded := func(name, base, title, clause string, expected object, source any, entries ...object) {
		m.t.Helper()
		m.add("set-"+name, base, title, clause, expected, func(q *cardQuestion) {
			q.in["keySet"], q.in["trustStore"] = keySet(ed.jwk(object{"kid": "key-1"})), trusted(entries...)
			if source != nil {
				q.in["source"] = source
			}
		})
	}
	elsewhere := func(more object) object { return pinnedKey(ed, "key-0", nil, more) }
	here, there := object{"origins": []string{"https://agent.example"}}, object{"origins": []string{"https://other.example"}}
	bounded("origin", "", "a key of the key set that the trust store has for this origin, under another kid", "K-7", supplied(), cardURL, elsewhere(here))
	bounded("origin-other", "set-origin", "the same, of a card from another origin", "K-7", uncheckedCard("KEY_ORIGIN"), "https://attacker.example/card", elsewhere(here))
	bounded("origin-file", "set-origin", "the same, of a card from a file", "K-7", uncheckedCard("KEY_ORIGIN"), nil, elsewhere(here))
	bounded("origin-moved", "set-origin", "a key of the key set that the trust store has for another origin", "K-7", uncheckedCard("KEY_ORIGIN"), cardURL, elsewhere(there))
	bounded("origin-two", "set-origin", "a key of the key set that the trust store has for another origin, and for this one", "K-7", supplied(), cardURL, elsewhere(there), pinnedKey(ed, "key-2", nil, here))
	bounded("origin-other-key", "set-origin", "a key of the key set, where the trust store has another key for another origin", "K-7", supplied(), cardURL, pinnedKey(edKey(2), "key-0", nil, there))
	bounded("until", "", "a key of the key set that the trust store has until a second later, under another kid", "K-6", supplied(), nil, elsewhere(object{"not_after": after}))
	bounded("until-now", "set-until", "the same, until this instant", "K-6", uncheckedCard("KEY_EXPIRED"), nil, elsewhere(object{"not_after": cardNow}))
	bounded("from-later", "set-until", "the same, from a second later on", "K-6", uncheckedCard("KEY_EXPIRED"), nil, elsewhere(object{"not_before": after}))

	// Keys for cards of certain origins (K-7).
	origin := func(name, title string, expected object, source any, origins ...string) {
		m.t.Helper()
		m.add("origin-"+name, map[bool]string{false: "origin"}[name == "same"], title, "K-7", expected, func(q *cardQuestion) {
			q.in["trustStore"], q.in["source"] = trusted(pinned(nil, object{"origins": origins})), source
		})
	}
	fromOrigin := func() object { return verifiedAs(vectorPayload, "spec", validEntry("pinned-origin")) }
	m.add("origin", "", "a key for cards from the origin of this one", "K-7", fromOrigin(), func(q *cardQuestion) {
		q.in["trustStore"], q.in["source"] = trusted(pinned(nil, object{"origins": []string{"https://agent.example"}})), cardURL
	})
	origin("default-port", "the same origin with its port", fromOrigin(), "https://agent.example:443/card", "https://agent.example")
	m.s.cases[len(m.s.cases)-1].base = "verify-origin"
	origin("case", "the same origin in another case", fromOrigin(), "https://AGENT.example/card", "https://agent.example")
	origin("other", "a card from another origin", uncheckedCard("KEY_ORIGIN"), "https://attacker.example/card", "https://agent.example")
	origin("port", "a card from another port", uncheckedCard("KEY_ORIGIN"), "https://agent.example:8443/card", "https://agent.example")
	origin("http", "a card that came without TLS", uncheckedCard("KEY_ORIGIN"), "http://agent.example/card", "https://agent.example")
	origin("below", "a card from a host below", uncheckedCard("KEY_ORIGIN"), "https://x.agent.example/card", "https://agent.example")
	origin("user", "a card from an address with a user name", uncheckedCard("KEY_ORIGIN"), "https://agent.example@attacker.example/card", "https://agent.example")
	origin("file", "a card from a file", uncheckedCard("KEY_ORIGIN"), nil, "https://agent.example")
	m.add("origin-second", "origin", "a key for cards from two origins", "K-7", fromOrigin(), func(q *cardQuestion) {
		q.in["trustStore"], q.in["source"] = trusted(pinned(nil, object{"origins": []string{"https://other.example", "https://agent.example"}})), cardURL
	})
	m.add("origin-revoked-elsewhere", "origin", "the key is revoked for cards from another origin", "K-6", uncheckedCard("KEY_REVOKED"), func(q *cardQuestion) {
		q.in["trustStore"] = trusted(pinned(nil, object{"origins": []string{"https://agent.example"}}), pinnedKey(ed, "key-0", nil, object{"origins": []string{"https://other.example"}, "revoked_at": before}))
		q.in["source"] = cardURL
	})

	// A trust store that is not what it says restricts nothing, so it is refused.
	broken := func(name, title, code string, trust any) {
		m.t.Helper()
		m.add("store-"+name, base, title, "A.7", refusedCardFor(code), func(q *cardQuestion) { q.in["trustStore"] = trust })
	}
	broken("version", "another version", "TRUST_MALFORMED", object{"version": 2, "keys": []object{pinned(nil, nil)}})
	broken("no-version", "no version", "TRUST_MALFORMED", object{"keys": []object{pinned(nil, nil)}})
	broken("unknown-member", "a member that nobody knows", "TRUST_MALFORMED", object{"version": 1, "keys": []object{pinned(nil, object{"notAfter": before})}})
	broken("no-kid", "a key without a kid", "TRUST_MALFORMED", object{"version": 1, "keys": []object{{"jwk": ed.jwk(nil)}}})
	broken("origins-empty", "no origin in a list of origins", "TRUST_MALFORMED", trusted(pinned(nil, object{"origins": []string{}})))
	broken("origin-path", "an origin with a path", "TRUST_MALFORMED", trusted(pinned(nil, object{"origins": []string{"https://agent.example/"}})))
	broken("time", "a time that is none", "TRUST_MALFORMED", trusted(pinned(nil, object{"not_after": "2026-12-31"})))
	for _, name := range []string{"not_before", "not_after", "revoked_at"} {
		broken("time-first-"+name, "the first instant, as some programs write that there is none, for "+name, "TRUST_MALFORMED", trusted(pinned(nil, object{name: "0001-01-01T00:00:00Z"})))
	}
	m.add("store-time-second", base, "a start a second after the first instant", "A.7", verifiedCard(), func(q *cardQuestion) {
		q.in["trustStore"] = trusted(pinned(nil, object{"not_before": "0001-01-01T00:00:01Z"}))
	})
	broken("mode", "a rule for locations that nobody knows", "TRUST_MALFORMED", and(trusted(pinned(nil, nil)), "jku", object{"mode": "any"}))
	broken("allow", "a list of locations without the rule that reads it", "TRUST_MALFORMED", and(trusted(pinned(nil, nil)), "jku", object{"mode": "same-origin", "allow": []string{keysURL}}))
	m.add("store-duplicate", base, "a name twice", "J-2", refusedCardFor("JSON_DUPLICATE_KEY"), func(q *cardQuestion) {
		q.in["trustStore"] = "trust.json"
		q.files["trust.json"] = strings.Replace(rawJSON(m.t, trusted(pinned(nil, nil))), `"version":1`, `"version":1,"version":1`, 1)
	})
	m.s.cases[len(m.s.cases)-1].follows = []string{"trust.json"}
}

// locations is section A.7 for keys that a card locates by jku.
func (m cardSuite) locations() {
	ed := edKey(1)
	type ask struct {
		jku, source string
		rule        any
		documents   object
		set         string
	}
	good := func() ask {
		return ask{jku: keysURL, source: cardURL, rule: object{"mode": "allowlist", "allow": []string{keysURL}}, documents: object{keysURL: "jwks.json"}, set: rawJSON(m.t, keySet(ed.jwk(object{"kid": "key-1"})))}
	}
	add := func(name, base, title, clause string, expected object, fetched []string, change func(*ask)) {
		m.t.Helper()
		if fetched != nil {
			expected["fetched"] = fetched
		}
		m.add("jku"+prefixed("-", name), base, title, clause, expected, func(q *cardQuestion) {
			a := good()
			if change != nil {
				change(&a)
			}
			q.header = `{"alg":"EdDSA","jku":` + rawJSON(m.t, a.jku) + `,"kid":"key-1","typ":"JOSE"}`
			trust := trusted()
			if a.rule != nil {
				trust["jku"] = a.rule
			}
			q.in["trustStore"], q.in["documents"] = trust, a.documents
			if a.source != "" {
				q.in["source"] = a.source
			}
			q.files["jwks.json"] = a.set
		})
	}
	located := func() object { return verifiedAs(vectorPayload, "spec", validEntry("jku-policy")) }
	at := []string{keysURL}
	add("", "", "a key at a location that is allowed", "K-1, K-2", located(), at, nil)
	add("off", "jku", "no rule about locations", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.rule = nil })
	add("mode-off", "jku", "a rule that allows none", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.rule = object{"mode": "off"} })
	add("forged", "jku", "a location of the signer's own", "K-2, A.10", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.jku = "https://attacker.example/jwks.json" })
	add("origin", "jku", "a rule that allows an origin", "K-2", located(), at, func(a *ask) { a.rule = object{"mode": "allowlist", "allow": []string{"https://agent.example"}} })
	add("other-origin", "jku", "a rule that allows another origin", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.rule = object{"mode": "allowlist", "allow": []string{"https://agents.example"}} })
	add("prefix", "jku", "a rule that allows what the location begins with", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) {
		a.rule = object{"mode": "allowlist", "allow": []string{"https://agent.example/.well-known/"}}
	})
	add("query", "jku", "a query behind what is allowed", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.jku = keysURL + "?x" })
	add("http", "jku", "a location without TLS", "K-3, A.10", uncheckedCard("FETCH_NOT_HTTPS"), nil, func(a *ask) { a.jku = "http://agent.example/.well-known/jwks.json" })
	add("user", "jku", "a location with a user name", "F-2, A.10", uncheckedCard("FETCH_URL"), nil, func(a *ask) { a.jku = "https://agent.example@attacker.example/jwks.json" })
	add("relative", "jku", "a location that is no absolute one", "K-3", uncheckedCard("FETCH_NOT_HTTPS"), nil, func(a *ask) { a.jku = "/.well-known/jwks.json" })
	add("missing", "jku", "a location where there is nothing", "F-6", uncheckedCard("FETCH_STATUS"), at, func(a *ask) { a.documents = object{keysURL: object{"status": 404}} })
	add("unreachable", "jku", "a location that cannot be reached", "K-1", uncheckedCard("KEY_FETCH"), at, func(a *ask) { a.documents = object{} })
	add("pem", "jku", "a map from kid to PEM at the location", "K-10", uncheckedCard("JWKS_MALFORMED"), at, func(a *ask) {
		a.set = rawJSON(m.t, object{"key-1": "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n"})
	})
	add("html", "jku", "a page at the location", "K-4", uncheckedCard("JWKS_MALFORMED"), at, func(a *ask) { a.set = "<html></html>" })
	add("duplicate", "jku", "a name twice in the key set", "J-2", uncheckedCard("JSON_DUPLICATE_KEY"), at, func(a *ask) { a.set = strings.Replace(a.set, `"kid"`, `"kid":"key-1","kid"`, 1) })
	add("other-kid", "jku", "a key set without the key", "K-1", uncheckedCard("KEY_NOT_FOUND"), at, func(a *ask) { a.set = rawJSON(m.t, keySet(ed.jwk(object{"kid": "key-2"}))) })
	add("other-key", "jku", "a key set with another key of the kid", "A.8", invalidCard("SIG_INVALID"), at, func(a *ask) { a.set = rawJSON(m.t, keySet(edKey(2).jwk(object{"kid": "key-1"}))) })
	add("private", "jku", "a key set that gives the private key away", "K-5", uncheckedCard("KEY_NOT_FOUND"), at, func(a *ask) { a.set = rawJSON(m.t, keySet(ed.secret(object{"kid": "key-1"}))) })
	add("expired", "jku", "a key set whose key expired", "K-6", uncheckedCard("KEY_EXPIRED"), at, func(a *ask) { a.set = rawJSON(m.t, keySet(ed.jwk(object{"kid": "key-1", "exp": 1785542400}))) })
	same := object{"mode": "same-origin"}
	add("same-origin", "", "a location of the card's own origin", "K-2", located(), at, func(a *ask) { a.rule = same })
	add("same-origin-other", "jku-same-origin", "a card from another origin", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.rule, a.source = same, "https://attacker.example/card" })
	add("same-origin-port", "jku-same-origin", "a card from another port", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.rule, a.source = same, "https://agent.example:8443/card" })
	add("same-origin-file", "jku-same-origin", "a card from a file", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.rule, a.source = same, "" })
	add("same-origin-http", "jku-same-origin", "a card that came without TLS", "K-2", uncheckedCard("JKU_FORBIDDEN"), nil, func(a *ask) { a.rule, a.source = same, "http://agent.example/card" })

	m.add("jku-not-needed", "eddsa", "a location in the header of a key that is at hand", "K-1", verifiedCard(), func(q *cardQuestion) {
		q.header = `{"alg":"EdDSA","jku":"http://169.254.169.254/keys","kid":"key-1","typ":"JOSE"}`
	})
	m.add("jku-revoked", "jku", "a key at the location that the trust store says is revoked", "K-6", and(uncheckedCard("KEY_REVOKED"), "fetched", at), func(q *cardQuestion) {
		a := good()
		q.header = `{"alg":"EdDSA","jku":"` + keysURL + `","kid":"key-1","typ":"JOSE"}`
		q.in["trustStore"] = and(trusted(pinnedKey(ed, "key-0", nil, object{"revoked_at": "2026-01-01T00:00:00Z"})), "jku", a.rule)
		q.in["documents"], q.in["source"], q.files["jwks.json"] = a.documents, a.source, a.set
	})
}

// rotation is K-8 and K-9: several cards, one after the other.
func (m cardSuite) rotation() {
	key := func(kid string, n byte) object { return edKey(n).jwk(object{"kid": kid}) }
	files := map[string]string{
		"1.json": rawJSON(m.t, keySet(key("key-1", 1))), "2.json": rawJSON(m.t, keySet(key("key-2", 2))), "both.json": rawJSON(m.t, keySet(key("key-1", 1), key("key-2", 2))),
	}
	for _, kid := range []string{"key-1", "key-2", "key-3"} {
		n := kid[len(kid)-1] - '0'
		files[kid+".card.json"] = withSignatures(vectorCard, edKey(n).entry(`{"alg":"EdDSA","jku":"`+keysURL+`","kid":"`+kid+`","typ":"JOSE"}`, vectorPayload))
	}
	yes := func() object { return verifiedAs(vectorPayload, "spec", validEntry("jku-policy")) }
	asked := func(o object) object { return and(o, "fetched", []string{keysURL}) }
	type step struct {
		card, at string
		set      any // the name of a file, or what stands for one
		maxAge   int
		expected object
	}
	add := func(name, title, clause string, steps ...step) {
		used := map[string]string{}
		var in, out []object
		for _, s := range steps {
			documents := object{keysURL: s.set}
			if s.set == nil {
				documents = object{}
			} else if file, ok := s.set.(string); ok {
				used[file] = files[file]
			}
			one := object{"card": s.card + ".card.json", "now": "2026-08-01T" + s.at + "Z", "documents": documents}
			if s.maxAge > 0 {
				one["maxAge"] = s.maxAge
			}
			used[s.card+".card.json"] = files[s.card+".card.json"]
			in, out = append(in, one), append(out, s.expected)
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "rotation-" + name, operation: "verify-cards", title: title, clause: clause, files: used,
			input:    object{"steps": in, "trustStore": and(trusted(), "jku", object{"mode": "allowlist", "allow": []string{keysURL}})},
			expected: object{"steps": out},
		})
	}
	notFound, throttled := func() object { return uncheckedCard("KEY_NOT_FOUND") }, func() object { return uncheckedCard("KEY_FETCH_THROTTLED") }
	add("cached", "a set is not fetched twice", "K-9", step{"key-1", "00:00:00", "1.json", 0, asked(yes())}, step{"key-1", "00:00:59", "1.json", 0, yes()})
	add("refetch", "a card with a key that the set does not have: the set is fetched once more", "K-8", step{"key-1", "00:00:00", "1.json", 0, asked(yes())}, step{"key-2", "00:00:01", "both.json", 0, asked(yes())})
	add("throttled", "a second key that the set does not have, within a minute", "K-9",
		step{"key-1", "00:00:00", "1.json", 0, asked(yes())}, step{"key-2", "00:00:01", "1.json", 0, asked(notFound())}, step{"key-3", "00:01:00", "both.json", 0, throttled()}, step{"key-1", "00:01:00", "both.json", 0, yes()}, step{"key-2", "00:01:01", "both.json", 0, asked(yes())})
	add("removed", "a key that is gone from the set once it is fetched again", "K-6", step{"key-1", "00:00:00", "1.json", 0, asked(yes())}, step{"key-1", "00:05:00", "2.json", 0, asked(notFound())})
	add("lifetime", "a set that nobody says how long to keep is kept for 300 seconds", "K-9", step{"key-1", "00:00:00", "1.json", 0, asked(yes())}, step{"key-1", "00:04:59", "2.json", 0, yes()}, step{"key-1", "00:05:00", "1.json", 0, asked(yes())})
	add("max-age", "a set is kept for as long as its server says", "K-9", step{"key-1", "00:00:00", "1.json", 7200, asked(yes())}, step{"key-1", "01:59:59", "2.json", 0, yes()}, step{"key-1", "02:00:00", "1.json", 0, asked(yes())})
	add("max-age-short", "a set is kept for a minute at least", "K-9", step{"key-1", "00:00:00", "1.json", 1, asked(yes())}, step{"key-1", "00:00:59", "2.json", 0, yes()}, step{"key-1", "00:01:00", "1.json", 0, asked(yes())})
	add("expired", "a set that is past its time is not used when it cannot be fetched again", "K-9", step{"key-1", "00:00:00", "1.json", 0, asked(yes())}, step{"key-1", "00:05:00", object{"status": 503}, 0, asked(uncheckedCard("FETCH_STATUS"))})
	add("failure", "a failure is kept for a minute", "K-9", step{"key-1", "00:00:00", object{"status": 503}, 0, asked(uncheckedCard("FETCH_STATUS"))}, step{"key-1", "00:00:59", "1.json", 0, uncheckedCard("FETCH_STATUS")}, step{"key-1", "00:01:00", "1.json", 0, asked(yes())})
}
