package vectors_test

import (
	"crypto/elliptic"
	"math/big"
	"strings"
)

// outcomes is section A.8, and what a client may act on.
func (m cardSuite) outcomes() {
	const base = "eddsa"
	one := func(q *cardQuestion, n byte, kid string) string {
		return edKey(n).entry(`{"alg":"EdDSA","kid":"`+kid+`","typ":"JOSE"}`, q.payload)
	}
	several := func(name, base, title, clause string, expected object, entries func(q *cardQuestion) []string, more object) {
		m.t.Helper()
		m.add("several-"+name, prefixed("several-", base), title, clause, expected, func(q *cardQuestion) {
			q.in["trustStore"] = trusted(pinnedKey(edKey(1), "key-1", nil, nil), pinnedKey(edKey(2), "key-2", nil, nil), pinnedKey(edKey(1), "key-1b", nil, nil))
			for name, v := range more {
				q.in[name] = v
			}
			q.entries = entries(q)
		})
	}
	yes := func(entries ...object) object { return verifiedAs(vectorPayload, "spec", entries...) }
	valid := func() object { return validEntry("pinned") }
	both := func(q *cardQuestion) []string { return []string{one(q, 1, "key-1"), one(q, 2, "key-2")} }
	several("two", "", "two signatures by two keys", "A.8", yes(valid(), valid()), both, nil)
	several("two-demanded", "", "two signatures by two keys, and two are demanded", "A.8", yes(valid(), valid()), both, object{"signatures": 2})
	several("three-demanded", "two-demanded", "three are demanded", "A.8", object{"outcome": "unverified", "code": "CARD_TOO_FEW_SIGNATURES", "entries": []object{valid(), valid()}}, both, object{"signatures": 3})
	several("one-key-twice", "two-demanded", "two signatures by one key", "A.8", object{"outcome": "unverified", "code": "CARD_TOO_FEW_SIGNATURES", "entries": []object{valid(), valid()}}, func(q *cardQuestion) []string { return []string{one(q, 1, "key-1"), one(q, 1, "key-1")} }, object{"signatures": 2})
	several("one-key-two-kids", "two-demanded", "two signatures by one key under two kids", "A.8", object{"outcome": "unverified", "code": "CARD_TOO_FEW_SIGNATURES", "entries": []object{valid(), valid()}}, func(q *cardQuestion) []string { return []string{one(q, 1, "key-1"), one(q, 1, "key-1b")} }, object{"signatures": 2})
	several("one-forged", "two", "two signatures, one of them forged", "A.8", yes(badEntry("invalid", "SIG_INVALID"), valid()), func(q *cardQuestion) []string { return []string{one(q, 3, "key-1"), one(q, 2, "key-2")} }, nil)
	several("one-unknown", "two", "two signatures, one by a key that nobody knows", "A.8", yes(valid(), badEntry("unchecked", "KEY_NOT_FOUND")), func(q *cardQuestion) []string { return []string{one(q, 1, "key-1"), one(q, 3, "key-3")} }, nil)
	several("one-malformed", "two", "two signatures, one of no form", "A.8", yes(badEntry("invalid", "SIG_MALFORMED"), valid()), func(q *cardQuestion) []string { return []string{"null", one(q, 2, "key-2")} }, nil)
	several("one-forged-of-two", "two-demanded", "two are demanded and one is forged", "A.8", object{"outcome": "invalid", "code": "CARD_TOO_FEW_SIGNATURES", "entries": []object{badEntry("invalid", "SIG_INVALID"), valid()}}, func(q *cardQuestion) []string { return []string{one(q, 3, "key-1"), one(q, 2, "key-2")} }, object{"signatures": 2})
	several("forged-and-unknown", "two", "a forged signature and one by a key that nobody knows", "A.8", object{"outcome": "invalid", "code": "SIG_INVALID", "entries": []object{badEntry("unchecked", "KEY_NOT_FOUND"), badEntry("invalid", "SIG_INVALID")}}, func(q *cardQuestion) []string { return []string{one(q, 3, "key-3"), one(q, 3, "key-2")} }, nil)
	many := func(n int) func(q *cardQuestion) []string {
		return func(q *cardQuestion) (all []string) {
			for range n {
				all = append(all, one(q, 1, "key-1"))
			}
			return all
		}
	}
	sixteen := make([]object, 16)
	for i := range sixteen {
		sixteen[i] = valid()
	}
	several("sixteen", "", "sixteen signatures", "J-6", yes(sixteen...), many(16), nil)
	several("seventeen", "sixteen", "seventeen signatures", "J-6", object{"outcome": "invalid", "code": "LIMIT_EXCEEDED", "entries": []object{}}, many(17), nil)

	whole := func(name, title, clause string, expected object, card string) {
		m.t.Helper()
		m.add("card-"+name, base, title, clause, expected, func(q *cardQuestion) { q.after = func(string) string { return card } })
	}
	good := withSignatures(vectorCard, edKey(1).entry(vectorHeader, vectorPayload))
	none := func(outcome, code string) object {
		return object{"outcome": outcome, "code": code, "entries": []object{}}
	}
	whole("unsigned", "no signatures", "A.8", none("unsigned", "CARD_UNSIGNED"), vectorCard)
	whole("signatures-empty", "an empty list of signatures", "A.8", none("unsigned", "CARD_UNSIGNED"), withSignatures(vectorCard))
	whole("signatures-null", "null for signatures", "A.8", none("unsigned", "CARD_UNSIGNED"), withMember(vectorCard, `"signatures": null`))
	whole("signatures-object", "an object for signatures", "A.8", none("invalid", "SIG_MALFORMED"), withMember(vectorCard, `"signatures": {}`))
	whole("signatures-case", "signatures in another case", "A.8", none("unsigned", "CARD_UNSIGNED"), replaceOnce(`"signatures"`, `"Signatures"`)(good))
	whole("old", "a card of version 0.3", "A.8", none("unsupported", "CARD_V03"), replaceOnce(`"supportedInterfaces": [
    {"url": "https://agent.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
  ],`, `"url": "https://agent.example/a2a", "protocolVersion": "0.3.0",`)(good))
	whole("array", "a list for a card", "A.8", refusedCardFor("CARD_NOT_OBJECT"), "["+good+"]")
	whole("duplicate", "a name twice", "J-2, A.10", refusedCardFor("JSON_DUPLICATE_KEY"), replaceOnce(`"name": "Vector Agent"`, `"name": "Vector Agent", "name": "Vector Agent"`)(good))
	whole("duplicate-escaped", "a name twice, once as an escape", "J-2", refusedCardFor("JSON_DUPLICATE_KEY"), replaceOnce(`"name": "Vector Agent"`, `"name": "Vector Agent", "\u006eame": "Victor Agent"`)(good))
	whole("duplicate-below", "a name twice in a skill", "J-2", refusedCardFor("JSON_DUPLICATE_KEY"), replaceOnce(`"id": "answer"`, `"id": "answer", "id": "other"`)(good))
	whole("duplicate-signatures", "signatures twice", "J-2", refusedCardFor("JSON_DUPLICATE_KEY"), withMember(good, `"signatures": []`))
	whole("bom", "a byte order mark", "J-1", refusedCardFor("JSON_SYNTAX"), "\xef\xbb\xbf"+good)
	whole("rest", "something after the card", "J-1", refusedCardFor("JSON_SYNTAX"), good+"{}")
	whole("cut", "a card cut before its end", "J-1", refusedCardFor("JSON_SYNTAX"), good[:len(good)-3])
	whole("surrogate", "half a character", "J-3, A.10", refusedCardFor("JSON_UNICODE"), replaceOnce("Vector Agent", `\ud800`)(good))
	whole("utf-8", "a byte that is no UTF-8", "J-3", refusedCardFor("JSON_UNICODE"), replaceOnce("Vector Agent", "Vector\xff")(good))
	whole("range", "a number beyond the doubles", "J-4, A.10", refusedCardFor("JSON_NUMBER_RANGE"), replaceOnce(`"streaming": false`, `"streaming": false, "extensions": [{"uri": "urn:x", "params": {"n": 1e400}}]`)(good))
	whole("proto-name", "both names of a member", "A.10", and(invalidCard("CARD_PROTO_NAME"), "entries", []object{badEntry("invalid", "CARD_PROTO_NAME")}), replaceOnce(`"defaultInputModes"`, `"default_input_modes": ["text/plain"], "defaultInputModes"`)(good))
	whole("oneof", "two members of one oneof", "A.10", invalidCard("CARD_ONEOF"), replaceOnce(`"X-Key"}`, `"X-Key"}, "mtlsSecurityScheme": {}`)(good))
	whole("type", "a number for a text", "A.3", invalidCard("CARD_TYPE"), replaceOnce(`"name": "Vector Agent"`, `"name": 1`)(good))
	precise := replaceOnce(`{"streaming":false}`, `{"extensions":[{"params":{"n":9007199254740992},"uri":"urn:x"}],"streaming":false}`)(vectorPayload)
	m.add("card-precision", "", "an integer that is not exactly a double, which is warned of", "J-5", and(verifiedAs(precise, "spec", validEntry("pinned")), "warnings", []string{"JSON_NUMBER_PRECISION"}), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce(`"streaming": false`, `"streaming": false, "extensions": [{"uri": "urn:x", "params": {"n": 9007199254740993}}]`)(q.card), precise
	})

	// What a client may act on.
	demand := func(name, base, title string, expected object, demand, source string, signed bool, n byte) {
		m.t.Helper()
		m.add("demand-"+name, prefixed("demand-", base), title, "A.8, C.6", expected, func(q *cardQuestion) {
			q.in["demand"] = demand
			if source != "" {
				q.in["source"] = source
			}
			q.signer = edKey(n)
			if !signed {
				q.after = func(string) string { return vectorCard }
			}
		})
	}
	admitted := func(o object, code string) object {
		if code != "" {
			o["refusedFor"] = code
		}
		return and(o, "admitted", code == "")
	}
	demand("verified", "", "a verified card, where one is demanded", admitted(verifiedCard(), ""), "verified", "", true, 1)
	demand("verified-forged", "verified", "a forged card, where a verified one is demanded", admitted(invalidCard("SIG_INVALID"), "SIG_INVALID"), "verified", "", true, 2)
	demand("verified-unsigned", "verified", "an unsigned card, where a verified one is demanded", admitted(none("unsigned", "CARD_UNSIGNED"), "CARD_UNSIGNED"), "verified", "", false, 1)
	demand("if-signed", "", "a verified card, where signatures must be right", admitted(verifiedCard(), ""), "if-signed", "", true, 1)
	demand("if-signed-unsigned", "if-signed", "an unsigned card, where signatures must be right", admitted(none("unsigned", "CARD_UNSIGNED"), ""), "if-signed", "", false, 1)
	demand("if-signed-forged", "if-signed", "a forged card, where signatures must be right", admitted(invalidCard("SIG_INVALID"), "SIG_INVALID"), "if-signed", "", true, 2)
	demand("ignore", "", "a verified card, where signatures do not matter", admitted(verifiedCard(), ""), "ignore", "", true, 1)
	demand("ignore-forged", "ignore", "a forged card, where signatures do not matter", admitted(invalidCard("SIG_INVALID"), ""), "ignore", "", true, 2)
	demand("http", "verified", "a verified card that came without TLS", admitted(verifiedCard(), "CARD_NOT_HTTPS"), "verified", "http://agent.example/card", true, 1)
	demand("https", "verified", "a verified card that came over TLS", admitted(verifiedCard(), ""), "verified", cardURL, true, 1)
}

// readings is section A.4: cards that other implementations signed.
func (m cardSuite) readings() {
	text := replaceOnce(`"streaming": false`, `"streaming": false, "extensions": [{"uri": "urn:x", "required": false, "params": {"note": "", "n": 1}}]`)(vectorCard)
	text = replaceOnce(`"securityRequirements": [{"schemes"`, `"x-note": "hello", "securityRequirements": [{}, {"schemes"`)(text)
	spec := replaceOnce(`{"streaming":false}`, `{"extensions":[{"params":{"n":1,"note":""},"uri":"urn:x"}],"streaming":false}`)(vectorPayload)
	spec = replaceOnce(`"securityRequirements":[{"schemes"`, `"securityRequirements":[{},{"schemes"`)(spec)
	spec = replaceOnce(`"version":"1.0.0"`, `"version":"1.0.0","x-note":"hello"`)(spec)
	sdk := replaceOnce(`{"streaming":false}`, `{"extensions":[{"params":{"n":1},"uri":"urn:x"}],"streaming":false}`)(vectorPayload)
	raw := replaceOnce(`"uri":"urn:x"`, `"required":false,"uri":"urn:x"`)(spec)
	add := func(name, base, title, clause string, expected object, card, payload string, more object) {
		m.t.Helper()
		m.add("reading-"+name, prefixed("reading-", base), title, clause, expected, func(q *cardQuestion) {
			q.card, q.payload = card, payload
			for name, v := range more {
				q.in[name] = v
			}
		})
	}
	uncovered := []string{"/capabilities/extensions/0/required", "/capabilities/extensions/0/params/note", "/x-note", "/securityRequirements/0"}
	under := func(o object, readings ...string) object { return and(o, "wouldVerifyUnder", readings) }
	entry := func() object { return validEntry("pinned") }
	add("spec", "", "a card on which the readings differ, signed as the specification says", "A.3", verifiedAs(spec, "spec", entry()), text, spec, nil)
	add("sdk-refused", "spec", "the same card, signed as the SDKs do it", "C-R1, C-R2", under(invalidCard("SIG_INVALID"), "sdk"), text, sdk, nil)
	add("raw-refused", "spec", "the same card, signed as it stands", "C-R1, C-R2", under(invalidCard("SIG_INVALID"), "raw"), text, raw, nil)
	both := object{"readings": []string{"spec", "sdk"}}
	add("sdk", "", "a card signed as the SDKs do it, which the policy accepts: what it does not cover is said", "C-R3", and(verifiedAs(sdk, "sdk", entry()), "uncovered", uncovered), text, sdk, both)
	add("sdk-open", "", "what was put in after the SDK signed is not covered, and is said", "C-R4", and(verifiedAs(vectorPayload, "sdk", entry()), "uncovered", []string{"/securityRequirements/0"}),
		replaceOnce(`[{"schemes"`, `[{}, {"schemes"`)(vectorCard), vectorPayload, object{"readings": []string{"sdk"}})
	add("sdk-changed", "sdk", "a member that the SDKs cover is changed", "C-R3", invalidCard("SIG_INVALID"), replaceOnce("Vector Agent", "Victor Agent")(text), sdk, both)
	add("raw", "", "a card signed as it stands, which the policy accepts", "C-R3", verifiedAs(raw, "raw", entry()), text, raw, object{"readings": []string{"spec", "raw"}})
	add("raw-stripped", "raw", "the same card served without a member at its default", "R3", invalidCard("SIG_INVALID"), replaceOnce(`, "required": false`, ``)(text), raw, object{"readings": []string{"spec", "raw"}})
	add("agreed", "", "a card on which the readings agree, under another one", "A.4", verifiedAs(vectorPayload, "sdk", entry()), vectorCard, vectorPayload, object{"readings": []string{"sdk", "spec"}})
	add("legacy-accepted", "spec", "a policy that accepts the form of old versions of the Python SDK, which there cannot be", "A.4", object{"outcome": "error", "policy": "refused"}, text, spec, object{"readings": []string{"spec", "py-legacy"}})
	ascii := strings.Replace(vectorPayload, "Vector Agent", `Vect\u00f6r Agent`, 1)
	add("legacy", "accent-base", "a card signed in the form of old versions of the Python SDK", "A.4, R10", under(invalidCard("SIG_INVALID"), "py-legacy"), strings.Replace(vectorCard, "Vector Agent", "Vect\u00f6r Agent", 1), ascii, nil)
	m.s.cases[len(m.s.cases)-1].base = "verify-accent"

	// What counts must be valid under one reading: the card to use is that reading's.
	two := func(name, base, title string, expected object, second string) {
		m.t.Helper()
		m.add("reading-"+name, prefixed("reading-", base), title, "C-R3, A.8", expected, func(q *cardQuestion) {
			q.card = text
			q.in["readings"], q.in["signatures"] = []string{"spec", "sdk"}, 2
			q.in["trustStore"] = trusted(pinnedKey(edKey(1), "key-1", nil, nil), pinnedKey(edKey(2), "key-2", nil, nil))
			q.entries = []string{edKey(1).entry(vectorHeader, spec), edKey(2).entry(`{"alg":"EdDSA","kid":"key-2","typ":"JOSE"}`, second)}
		})
	}
	two("two", "", "two signatures under one reading, and two are demanded", verifiedAs(spec, "spec", entry(), entry()), spec)
	two("two-mixed", "two", "two signatures under two readings", object{"outcome": "unverified", "code": "CARD_TOO_FEW_SIGNATURES", "entries": []object{entry(), entry()}}, sdk)

	explain := func(name, base, title string, diagnosis []string, more object, change func(q *cardQuestion), expected object) {
		m.t.Helper()
		expected["entries"].([]object)[0]["diagnosis"] = diagnosis
		m.add("explain-"+name, base, title, "A.8", expected, func(q *cardQuestion) {
			q.in["explain"] = true
			for name, v := range more {
				q.in[name] = v
			}
			change(q)
		})
	}
	m.add("explain", "", "a card that verifies needs no diagnosis", "A.8", verifiedCard(), func(q *cardQuestion) { q.in["explain"] = true })
	explain("false", "explain", "the server left out a false that was signed", []string{"DIAG_FALSE_DROPPED"}, nil, func(q *cardQuestion) { q.card = replaceOnce(`"streaming": false`, ``)(q.card) }, invalidCard("SIG_INVALID"))
	explain("kid", "explain", "another key that is trusted made the signature", []string{"DIAG_WRONG_KID"}, object{"trustStore": trusted(pinnedKey(edKey(1), "key-1", nil, nil), pinnedKey(edKey(2), "key-2", nil, nil))}, func(q *cardQuestion) { q.signer = edKey(2) }, invalidCard("SIG_INVALID"))
	m.s.cases[len(m.s.cases)-1].follows = []string{"trustStore"}
	explain("reading", "explain", "the signer left out a member that is empty and was set", []string{"DIAG_READING"}, nil, func(q *cardQuestion) {
		q.card = replaceOnce(`"version": "1.0.0"`, `"version": "1.0.0", "iconUrl": ""`)(q.card)
	}, and(invalidCard("SIG_INVALID"), "wouldVerifyUnder", []string{"sdk"}))
	p256 := ecKey(m.t, elliptic.P256(), 1)
	const header = `{"alg":"ES256","kid":"key-1","typ":"JOSE"}`
	input := []byte(b64([]byte(header)) + "." + b64([]byte(vectorPayload)))
	ec := object{"trustStore": trusted(pinnedKey(p256, "key-1", nil, nil))}
	m.add("explain-ec", "", "a card that verifies with a key on P-256", "A.8", verifiedCard(), func(q *cardQuestion) {
		q.in["explain"], q.in["trustStore"], q.header, q.signer = true, ec["trustStore"], header, p256
	})
	explain("der", "explain-ec", "the signature in DER", []string{"DIAG_DER"}, ec, func(q *cardQuestion) {
		raw := p256.sign(input)
		q.header, q.signer = header, fixed(der(m.t, new(big.Int).SetBytes(raw[:32]), new(big.Int).SetBytes(raw[32:])))
	}, invalidCard("SIG_DER"))
	explain("order", "explain", "the signer left the members in their order", []string{"DIAG_CANONICAL_FORM"}, nil, func(q *cardQuestion) {
		q.payload = strings.NewReplacer("\n", "", "  ", "", `": `, `":`, ", ", ",").Replace(vectorCard)
	}, invalidCard("SIG_INVALID"))
}

// signing is section A.9.
func (m cardSuite) signing() {
	kid := func(k cardKey) object { return k.secret(object{"kid": "key-1"}) }
	add := func(name, base, title, clause string, card string, key object, more, expected object) {
		in := object{"card": "card.json", "key": key}
		for name, v := range more {
			in[name] = v
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "sign-" + name, base: prefixed("sign-", base), operation: "sign-card", title: title, clause: clause, input: in, expected: expected, files: map[string]string{"card.json": card},
		})
	}
	made := func(k cardKey, header, payload string, count int) object {
		e := k.entry(header, payload)
		at := strings.Index(e, `","signature":"`)
		return object{"protected": e[len(`{"protected":"`):at], "signature": e[at+len(`","signature":"`) : len(e)-2], "payload": sha(payload), "signatures": count}
	}
	head := func(alg string) string { return `{"alg":"` + alg + `","kid":"key-1","typ":"JOSE"}` }
	ed, p256, p384 := edKey(1), ecKey(m.t, elliptic.P256(), 1), ecKey(m.t, elliptic.P384(), 1)
	add("eddsa", "", "a signature by EdDSA", "A.9", vectorCard, kid(ed), nil, made(ed, head("EdDSA"), vectorPayload, 1))
	add("es256", "", "a signature by ES256, with the nonce of RFC 6979", "ALG-7", vectorCard, kid(p256), nil, made(p256, head("ES256"), vectorPayload, 1))
	add("es384", "", "a signature by ES384, with the nonce of RFC 6979", "ALG-7", vectorCard, kid(p384), nil, made(p384, head("ES384"), vectorPayload, 1))
	add("second", "", "a second signature", "A.9", withSignatures(vectorCard, edKey(2).entry(head("EdDSA"), vectorPayload)), kid(ed), nil, made(ed, head("EdDSA"), vectorPayload, 2))
	add("jku", "", "a signature that names a location", "A.9", vectorCard, kid(ed), object{"jku": keysURL}, made(ed, `{"alg":"EdDSA","jku":"`+keysURL+`","kid":"key-1","typ":"JOSE"}`, vectorPayload, 1))
	add("jku-http", "jku", "a location without TLS", "K-3", vectorCard, kid(ed), object{"jku": "http://agent.example/.well-known/jwks.json"}, object{"code": "FETCH_NOT_HTTPS"})
	more := replaceOnce(`"streaming": false`, `"streaming": false, "extensions": []`)(vectorCard)
	add("strip", "", "a card without what is not signed", "A.9", more, kid(ed), object{"strip": true}, and(made(ed, head("EdDSA"), vectorPayload, 1), "raw", sha(vectorPayload)))
	add("fragment", "", "a part of a card, if the caller says so", "A.9", `{"name":"a"}`, kid(ed), object{"fragment": true}, made(ed, head("EdDSA"), `{"name":"a"}`, 1))
	add("required", "fragment", "a part of a card", "A.9", `{"name":"a"}`, kid(ed), nil, object{"code": "CARD_REQUIRED_MISSING"})
	bad := func(name, title, clause, code, from, to string) {
		add(name, "eddsa", title, clause, replaceOnce(from, to)(vectorCard), kid(ed), nil, object{"code": code})
	}
	bad("required-below", "a skill without a required member", "A.9", "CARD_REQUIRED_MISSING", `, "tags": ["vector"]`, ``)
	bad("proto-name", "the name of a member as the proto file has it", "A.9", "CARD_PROTO_NAME", `"defaultInputModes"`, `"default_input_modes"`)
	bad("type", "a number for a text", "A.9", "CARD_TYPE", `"name": "Vector Agent"`, `"name": 1`)
	bad("oneof", "two members of one oneof", "A.9", "CARD_ONEOF", `"X-Key"}`, `"X-Key"}, "mtlsSecurityScheme": {}`)
	bad("precision", "an integer that is not exactly a double", "J-5", "JSON_NUMBER_PRECISION", `"streaming": false`, `"streaming": false, "extensions": [{"uri": "urn:x", "params": {"n": 9007199254740993}}]`)
	bad("private-key", "a private key in the card", "A.9", "CARD_PRIVATE_KEY", `"streaming": false`, `"streaming": false, "extensions": [{"uri": "urn:x", "params": `+rawJSON(m.t, kid(ed))+`}]`)
	bad("duplicate", "a name twice", "J-2", "JSON_DUPLICATE_KEY", `"name": "Vector Agent"`, `"name": "Vector Agent", "name": "Vector Agent"`)
	bad("old", "a card of version 0.3", "A.9", "CARD_V03", `"supportedInterfaces": [
    {"url": "https://agent.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
  ],`, `"url": "https://agent.example/a2a", "protocolVersion": "0.3.0",`)
	key := func(name, title, clause, code string, k object) {
		add("key-"+name, "eddsa", title, clause, vectorCard, k, nil, object{"code": code})
	}
	key("public", "a public key", "A.9", "KEY_MALFORMED", ed.jwk(object{"kid": "key-1"}))
	key("no-kid", "a key without a kid", "A.9", "KEY_MALFORMED", ed.secret(nil))
	key("halves", "a private key that does not belong to the public one", "A.9", "KEY_MALFORMED", and(kid(ed), "d", edKey(2).private["d"]))
	key("rsa-no-alg", "an RSA key that names no algorithm", "ALG-3", "KEY_MALFORMED", kid(rsaKey(m.t, "RS256")))
	entry := ed.entry(head("EdDSA"), vectorPayload)
	full := make([]string, 16)
	for i := range full {
		full[i] = entry
	}
	add("full", "second", "a card that has sixteen signatures", "J-6", withSignatures(vectorCard, full...), kid(ed), nil, object{"code": "LIMIT_EXCEEDED"})
}

// lint is what keeps a card from meaning the same everywhere.
func (m cardSuite) lint() {
	add := func(name, base, title, clause, card string, findings ...object) {
		if findings == nil {
			findings = []object{}
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "lint-" + name, base: prefixed("lint-", base), operation: "lint-card", title: title, clause: clause, input: object{"card": "card.json"}, expected: object{"findings": findings}, files: map[string]string{"card.json": card},
		})
	}
	find := func(level, code, pointer string) object {
		return object{"level": level, "code": code, "pointer": pointer}
	}
	signed := withSignatures(vectorCard, edKey(1).entry(vectorHeader, vectorPayload))
	add("good", "", "a card that means the same everywhere", "C-R5", signed)
	warn := func(name, title, clause, from, to string, findings ...object) {
		add(name, "good", title, clause, replaceOnce(from, to)(signed), findings...)
	}
	warn("empty-required", "a required list of nothing", "A.2", `{"id": "answer", "name": "Answer", "description": "Answers a question.", "tags": ["vector"]}`, ``, find("warning", "CARD_LINT_EMPTY_REQUIRED", "/skills"), find("warning", "CARD_LINT_AMBIGUOUS", "/skills"))
	warn("proto-name", "the name of a member as the proto file has it", "A.3", `"defaultInputModes"`, `"default_input_modes"`, find("error", "CARD_PROTO_NAME", "/default_input_modes"), find("error", "CARD_REQUIRED_MISSING", ""))
	warn("type", "a number for a text", "A.3", `"Vector Agent"`, `1`, find("error", "CARD_TYPE", "/name"))
	warn("unknown", "a member that the schema does not know", "R7", `"version": "1.0.0"`, `"version": "1.0.0", "x-note": "hello"`, find("warning", "CARD_LINT_UNKNOWN", "/x-note"), find("warning", "CARD_LINT_AMBIGUOUS", "/x-note"))
	warn("old-member", "a member of version 0.3", "R11", `"version": "1.0.0"`, `"version": "1.0.0", "preferredTransport": "JSONRPC"`, find("warning", "CARD_LINT_V03_MEMBER", "/preferredTransport"), find("warning", "CARD_LINT_AMBIGUOUS", "/preferredTransport"))
	warn("open", "a way in without a key", "C-R4", `[{"schemes"`, `[{}, {"schemes"`, find("warning", "CARD_LINT_AMBIGUOUS", "/securityRequirements/0"), find("warning", "CARD_LINT_NO_AUTHENTICATION", "/securityRequirements/0"))
	warn("url", "an address without TLS", "A.2", `"url": "https://agent.example/a2a"`, `"url": "http://agent.example/a2a"`, find("warning", "CARD_LINT_URL", "/supportedInterfaces/0/url"))
	warn("legacy", "a letter with an accent, which old SDKs sign in another form", "R10", "Vector Agent", "Vect\u00f6r Agent", find("warning", "CARD_LINT_PYTHON_LEGACY", ""))
	warn("scheme", "a scheme that is not defined", "A.2", `{"schemes": {"key"`, `{"schemes": {"other"`, find("warning", "CARD_LINT_UNDEFINED_SCHEME", "/securityRequirements/0/schemes/other"))
	forbidden := edKey(1).entry(`{"alg":"HS256","kid":"key-1","typ":"JOSE"}`, vectorPayload)
	add("algorithm", "good", "an algorithm that nobody accepts", "ALG-2", withSignatures(vectorCard, forbidden), find("warning", "CARD_LINT_SIGNATURE", "/signatures/0"))
	add("no-kid", "good", "a signature without a kid", "H-4", withSignatures(vectorCard, edKey(1).entry(`{"alg":"EdDSA","typ":"JOSE"}`, vectorPayload)), find("error", "SIG_KID_MISSING", "/signatures/0/protected"))
	add("no-typ", "good", "a signature without a typ, which the JavaScript SDK refuses", "H-5, R13", withSignatures(vectorCard, edKey(1).entry(`{"alg":"EdDSA","kid":"key-1"}`, vectorPayload)), find("warning", "SIG_TYP", "/signatures/0/protected"))
	add("unsigned", "good", "no signature", "A.8", vectorCard, find("warning", "CARD_LINT_UNSIGNED", ""))
}
