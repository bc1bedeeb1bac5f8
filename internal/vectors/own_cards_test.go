package vectors_test

import (
	"crypto/elliptic"
	"encoding/asn1"
	"math/big"
	"strings"
	"testing"
)

const (
	cardSpec = "https://a2a-protocol.org/v1.0.0/specification"
	cardNow  = "2026-08-01T00:00:00Z"
	cardURL  = "https://agent.example/.well-known/agent-card.json"
	keysURL  = "https://agent.example/.well-known/jwks.json"
)

// vectorCard is a card in the order in which people write one; every implementation signs the
// same bytes for it, which are vectorPayload, written by hand.
const vectorCard = `{
  "name": "Vector Agent",
  "description": "Answers questions about vectors.",
  "version": "1.0.0",
  "supportedInterfaces": [
    {"url": "https://agent.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
  ],
  "provider": {"organization": "Vectors", "url": "https://vectors.example"},
  "capabilities": {"streaming": false},
  "securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}},
  "securityRequirements": [{"schemes": {"key": {"list": ["read"]}}}],
  "defaultInputModes": ["text/plain"],
  "defaultOutputModes": ["text/plain"],
  "skills": [
    {"id": "answer", "name": "Answer", "description": "Answers a question.", "tags": ["vector"]}
  ]
}
`

const vectorPayload = `{"capabilities":{"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],` +
	`"description":"Answers questions about vectors.","name":"Vector Agent","provider":{"organization":"Vectors","url":"https://vectors.example"},` +
	`"securityRequirements":[{"schemes":{"key":{"list":["read"]}}}],"securitySchemes":{"key":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}},` +
	`"skills":[{"description":"Answers a question.","id":"answer","name":"Answer","tags":["vector"]}],` +
	`"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://agent.example/a2a"}],"version":"1.0.0"}`

const vectorHeader = `{"alg":"EdDSA","kid":"key-1","typ":"JOSE"}`

// withMember puts members at the end of a JSON object.
func withMember(card, member string) string {
	end := strings.LastIndexByte(card, '}')
	separator := ","
	if strings.TrimSpace(card[:end]) == "{" {
		separator = ""
	}
	return strings.TrimRight(card[:end], " \n") + separator + "\n  " + member + "\n}\n"
}

func withSignatures(card string, entries ...string) string {
	return withMember(card, `"signatures": [`+strings.Join(entries, ", ")+`]`)
}

// cardQuestion is a case of verify-card as it is put together.
type cardQuestion struct {
	card    string // without signatures
	payload string // that is signed
	header  string
	signer  cardKey
	entries []string                 // instead of that of signer
	after   func(card string) string // changes the card with its signatures
	in      object                   // further members of the input, and those to replace
	files   map[string]string
}

// cardSuite makes cases about cards.
type cardSuite struct {
	t testing.TB
	s *ownSuite
}

func (m cardSuite) question() *cardQuestion {
	return &cardQuestion{card: vectorCard, payload: vectorPayload, header: vectorHeader, signer: edKey(1), in: object{}, files: map[string]string{}}
}

// build returns the input and the files of a question.
func (q *cardQuestion) build() (object, map[string]string) {
	entries := q.entries
	if entries == nil {
		entries = []string{q.signer.entry(q.header, q.payload)}
	}
	card := withSignatures(q.card, entries...)
	if q.after != nil {
		card = q.after(card)
	}
	in := object{"card": "card.json", "now": cardNow, "trustStore": trusted(pinnedKey(edKey(1), "key-1", nil, nil))}
	for name, v := range q.in {
		in[name] = v
		if v == nil {
			delete(in, name)
		}
	}
	files := map[string]string{"card.json": card}
	for name, text := range q.files {
		files[name] = text
	}
	return in, files
}

// add adds a case. base is the case that this one is but for one thing.
func (m cardSuite) add(name, base, title, clause string, expected object, change func(*cardQuestion)) {
	m.t.Helper()
	q := m.question()
	if change != nil {
		change(q)
	}
	in, files := q.build()
	m.s.cases = append(m.s.cases, ownCase{
		name: "verify-" + name, base: prefixed("verify-", base), operation: "verify-card", title: title, clause: clause, input: in, expected: expected, files: files,
	})
}

func prefixed(prefix, name string) string {
	if name == "" {
		return ""
	}
	return prefix + name
}

// trusted is a trust store of keys.
func trusted(keys ...object) object { return object{"version": 1, "keys": append([]object{}, keys...)} }

// pinnedKey is a key of a trust store.
func pinnedKey(k cardKey, kid string, jwk, more object) object {
	all := object{"kid": kid}
	for name, v := range jwk {
		all[name] = v
	}
	out := object{"jwk": k.jwk(all)}
	for name, v := range more {
		out[name] = v
	}
	return out
}

func keySet(keys ...object) object { return object{"keys": keys} }

// Outcomes of verify-card.

func validEntry(trust string, warnings ...string) object {
	return warned(object{"result": "valid", "keyTrust": trust}, warnings)
}

func badEntry(result, code string, warnings ...string) object {
	return warned(object{"result": result, "code": code}, warnings)
}

func warned(o object, warnings []string) object {
	if warnings != nil {
		o["warnings"] = warnings
	}
	return o
}

func verifiedAs(payload, reading string, entries ...object) object {
	return object{"outcome": "verified", "reading": reading, "payload": sha(payload), "entries": entries}
}

// verified is the outcome of the one entry over vectorPayload.
func verifiedCard(warnings ...string) object {
	return verifiedAs(vectorPayload, "spec", validEntry("pinned", warnings...))
}

func invalidCard(code string, warnings ...string) object {
	return object{"outcome": "invalid", "code": code, "entries": []object{badEntry("invalid", code, warnings...)}}
}

func uncheckedCard(code string, warnings ...string) object {
	return object{"outcome": "unverified", "code": code, "entries": []object{badEntry("unchecked", code, warnings...)}}
}

func refusedCardFor(code string) object { return object{"outcome": "error", "code": code} }

// and adds members to an outcome.
func and(o object, name string, v any) object {
	o[name] = v
	return o
}

// cardVectors are those of section A.
func cardVectors(t testing.TB) ownSuite {
	t.Helper()
	s := ownSuite{
		name: "cards", spec: cardSpec,
		description: "Signed Agent Cards (A2A 1.0, section 8.4): JSON of one meaning and its canonical form, payloads, headers, algorithms, keys, several signatures, policies, signing. The keys are test keys: the seed of the Ed25519 key N is 32 bytes of the value N, the private number of an elliptic curve is of bytes of the value N.",
	}
	m := cardSuite{t, &s}
	m.json()
	m.payloads()
	m.content()
	m.headers()
	m.algorithms()
	m.keys()
	m.locations()
	m.rotation()
	m.outcomes()
	m.readings()
	m.signing()
	m.lint()
	return s
}

// content is what a signature covers (sections A.3 and A.10).
func (m cardSuite) content() {
	const base = "eddsa"
	m.add(base, "", "a card with a signature by EdDSA", "A.8", verifiedCard(), nil)
	same := func(name, title, clause, from, to string) {
		m.t.Helper()
		m.add("same-"+name, base, title, clause, verifiedCard(), func(q *cardQuestion) { q.card = replaceOnce(from, to)(q.card) })
	}
	same("order", "members in another order", "A.10", `"name": "Vector Agent",
  "description": "Answers questions about vectors.",`, `"description": "Answers questions about vectors.",
  "name": "Vector Agent",`)
	same("space", "other white space", "A.10", `"provider": {"organization"`, "\"provider\"\t:\r\n{ \"organization\"")
	same("solidus", "an escaped solidus", "A.10", `https://agent.example/a2a`, `https:\/\/agent.example\/a2a`)
	same("escapes", "escaped letters", "1.2", `"Vector Agent"`, `"\u0056ector \u0041gent"`)
	same("name-escaped", "an escaped letter in the name of a member", "1.2", `"name": "Vector Agent"`, `"n\u0061me": "Vector Agent"`)
	same("extensions", "an empty list more", "A.3, A.10", `"streaming": false`, `"streaming": false, "extensions": []`)
	same("tenant", "an empty scalar more", "A.3", `"protocolVersion": "1.0"`, `"protocolVersion": "1.0", "tenant": ""`)
	same("map", "an empty list more in a skill", "A.3", `"tags": ["vector"]`, `"tags": ["vector"], "examples": []`)
	same("null", "a member that is null", "A.3", `"version": "1.0.0"`, `"version": "1.0.0", "documentationUrl": null`)
	m.add("required-false", "", "an extension with required false, signed without", "A.3, A.10", verifiedAs(replaceOnce(`{"streaming":false}`, `{"extensions":[{"uri":"urn:x"}],"streaming":false}`)(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card = replaceOnce(`"streaming": false`, `"streaming": false, "extensions": [{"uri": "urn:x", "required": false}]`)(q.card)
		q.payload = replaceOnce(`{"streaming":false}`, `{"extensions":[{"uri":"urn:x"}],"streaming":false}`)(q.payload)
	})
	m.add("required-true", "required-false", "the same, and required is true", "A.3", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
		q.card = replaceOnce(`"streaming": false`, `"streaming": false, "extensions": [{"uri": "urn:x", "required": true}]`)(q.card)
		q.payload = replaceOnce(`{"streaming":false}`, `{"extensions":[{"uri":"urn:x"}],"streaming":false}`)(q.payload)
	})
	other := func(name, title, clause, from, to string) {
		m.t.Helper()
		expected := invalidCard("SIG_INVALID")
		switch name { // what the SDKs leave out is not covered by what they sign (C-R2)
		case "open", "scheme-more", "unknown", "optional", "signatures-below":
			expected["wouldVerifyUnder"] = []string{"sdk"}
		}
		m.add("other-"+name, base, title, clause, expected, func(q *cardQuestion) { q.card = replaceOnce(from, to)(q.card) })
	}
	other("url", "another endpoint", "A.10", "https://agent.example/a2a", "https://attacker.example/a2a")
	other("binding", "another binding", "A.10", "JSONRPC", "HTTP+JSON")
	other("name", "another name", "A.3", "Vector Agent", "Victor Agent")
	other("case", "a letter in another case", "A.3", "Vector Agent", "vector Agent")
	other("space-in-text", "a space more in a text", "A.3", "Vector Agent", "Vector  Agent")
	other("description", "another description", "A.3", "Answers a question.", "Answers any question.")
	other("provider", "another provider", "A.3", "https://vectors.example", "https://victors.example")
	other("no-provider", "no provider", "A.3", "\n  \"provider\": {\"organization\": \"Vectors\", \"url\": \"https://vectors.example\"},", "")
	other("version", "another version", "A.3", `"1.0.0"`, `"1.0.1"`)
	other("streaming", "streaming is true", "A.10", `"streaming": false`, `"streaming": true`)
	other("no-streaming", "an optional member that was set to false is missing", "A.3, A.10", `"streaming": false`, ``)
	other("skill", "another skill", "A.3", `"id": "answer"`, `"id": "answers"`)
	other("no-skill", "no skill", "A.3", `{"id": "answer", "name": "Answer", "description": "Answers a question.", "tags": ["vector"]}`, ``)
	other("tag", "a tag more", "A.3", `["vector"]`, `["vector", "free"]`)
	other("open", "a way in without a key", "C-R4", `[{"schemes"`, `[{}, {"schemes"`)
	other("scheme", "another way to authenticate", "A.3", `"location": "header"`, `"location": "query"`)
	other("scheme-more", "a scheme more", "A.3", `"securitySchemes": {`, `"securitySchemes": {"mtls": {"mtlsSecurityScheme": {}}, `)
	other("scope", "another scope", "A.3", `["read"]`, `["read", "write"]`)
	other("unknown", "a member more that the schema does not know", "A.3", `"version": "1.0.0"`, `"version": "1.0.0", "x-note": "hello"`)
	other("optional", "an optional member more that is empty", "A.3", `"version": "1.0.0"`, `"version": "1.0.0", "iconUrl": ""`)
	other("modes", "two media types where there was one", "A.3", `"defaultInputModes": ["text/plain"]`, `"defaultInputModes": ["text/plain", "text/html"]`)
	other("signatures-below", "a member called signatures further down", "A.3", `"tags": ["vector"]`, `"tags": ["vector"], "signatures": []`)

	// Required members at their defaults, and optional ones that were set to them.
	m.add("required-empty", "", "a required member that is empty", "A.3", verifiedAs(replaceOnce("Answers questions about vectors.", "")(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce("Answers questions about vectors.", "")(q.card), replaceOnce("Answers questions about vectors.", "")(q.payload)
	})
	m.add("required-empty-removed", "required-empty", "the same, removed", "A.3", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce(`  "description": "Answers questions about vectors.",`+"\n", "")(q.card), replaceOnce("Answers questions about vectors.", "")(q.payload)
	})
	m.add("required-absent", "", "a required member that is absent, which nobody puts in", "A.3, R2", verifiedAs(replaceOnce(`"description":"Answers questions about vectors.",`, "")(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce(`  "description": "Answers questions about vectors.",`+"\n", "")(q.card), replaceOnce(`"description":"Answers questions about vectors.",`, "")(q.payload)
	})
	icon := replaceOnce(`"name":"Vector Agent"`, `"iconUrl":"","name":"Vector Agent"`)
	m.add("optional-empty", "", "an optional member that was set to nothing", "A.3", verifiedAs(icon(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce(`"version": "1.0.0"`, `"version": "1.0.0", "iconUrl": ""`)(q.card), icon(q.payload)
	})
	m.add("optional-empty-removed", "optional-empty", "the same, removed", "A.3, R9", invalidCard("SIG_INVALID"), func(q *cardQuestion) { q.payload = icon(q.payload) })
	unknown := replaceOnce(`"version":"1.0.0"`, `"version":"1.0.0","x-note":{"empty":"","list":[]}`)
	m.add("unknown", "", "a member that the schema does not know, which is covered as it is", "A.3, R7", verifiedAs(unknown(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce(`"version": "1.0.0"`, `"version": "1.0.0", "x-note": {"list": [], "empty": ""}`)(q.card), unknown(q.payload)
	})
	m.add("unknown-stripped", "unknown", "the same without what is empty in it", "A.3, R7", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce(`"version": "1.0.0"`, `"version": "1.0.0", "x-note": {}`)(q.card), unknown(q.payload)
	})
	params := replaceOnce(`{"streaming":false}`, `{"extensions":[{"params":{"empty":"","list":[],"none":null,"object":{},"off":false,"zero":0},"uri":"urn:x"}],"streaming":false}`)
	extension := func(p string) func(string) string {
		return replaceOnce(`"streaming": false`, `"streaming": false, "extensions": [{"uri": "urn:x", "params": `+p+`}]`)
	}
	m.add("params", "", "params of an extension, which are data whatever is in them", "A.3, R6", verifiedAs(params(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card, q.payload = extension(`{"zero": 0, "empty": "", "list": [], "none": null, "object": {}, "off": false}`)(q.card), params(q.payload)
	})
	for _, row := range []struct{ name, title, params string }{
		{"string", "without an empty text", `{"zero": 0, "list": [], "none": null, "object": {}, "off": false}`}, {"list", "without an empty list", `{"zero": 0, "empty": "", "none": null, "object": {}, "off": false}`},
		{"null", "without a null", `{"zero": 0, "empty": "", "list": [], "object": {}, "off": false}`}, {"object", "without an empty object", `{"zero": 0, "empty": "", "list": [], "none": null, "off": false}`},
		{"false", "without a false", `{"zero": 0, "empty": "", "list": [], "none": null, "object": {}}`}, {"zero", "without a zero", `{"empty": "", "list": [], "none": null, "object": {}, "off": false}`},
		{"null-for-zero", "null for zero", `{"zero": null, "empty": "", "list": [], "none": null, "object": {}, "off": false}`}, {"text-for-zero", "the text 0 for zero", `{"zero": "0", "empty": "", "list": [], "none": null, "object": {}, "off": false}`},
	} {
		m.add("params-"+row.name, "params", "params "+row.title, "A.3, R6", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
			q.card, q.payload = extension(row.params)(q.card), params(q.payload)
		})
	}
	m.add("params-minus-zero", "params", "params with another spelling of zero", "1.2", verifiedAs(params(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card, q.payload = extension(`{"zero": -0.0e9, "empty": "", "list": [], "none": null, "object": {}, "off": false}`)(q.card), params(q.payload)
	})

	// Unicode: what looks alike is not the same.
	accent := func(s string) string { return strings.Replace(s, "Vector Agent", "Vect\u00f6r Agent", 1) }
	m.add("accent", "", "a letter with an accent", "1.2", verifiedAs(accent(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) { q.card, q.payload = accent(q.card), accent(q.payload) })
	m.add("accent-escaped", "accent", "the same as an escape", "1.2", verifiedAs(accent(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce("Vector Agent", `Vect\u00F6r Agent`)(q.card), accent(q.payload)
	})
	m.add("accent-decomposed", "accent", "the same letter as two characters", "1.2", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce("Vector Agent", "Vecto\u0308r Agent")(q.card), accent(q.payload)
	})
	m.add("accent-look-alike", "accent", "a letter of another script that looks alike", "1.2", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce("Vector Agent", "V\u0435ct\u00f6r Agent")(q.card), accent(q.payload)
	})
	emoji := func(s string) string { return strings.Replace(s, "Vector Agent", "Vector \U0001F600", 1) }
	m.add("beyond-16-bits", "", "a character beyond 16 bits", "1.2", verifiedAs(emoji(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) { q.card, q.payload = emoji(q.card), emoji(q.payload) })
	m.add("beyond-16-bits-escaped", "beyond-16-bits", "the same as two escapes", "1.2", verifiedAs(emoji(vectorPayload), "spec", validEntry("pinned")), func(q *cardQuestion) {
		q.card, q.payload = replaceOnce("Vector Agent", `Vector \ud83d\uDE00`)(q.card), emoji(q.payload)
	})
}

// headers is section A.5.
func (m cardSuite) headers() {
	const base = "eddsa"
	header := func(name, title, clause string, expected object, h string) {
		m.t.Helper()
		m.add("header-"+name, base, title, clause, expected, func(q *cardQuestion) { q.header = h })
	}
	entry := func(name, title, clause string, expected object, change func(entry string) string) {
		m.t.Helper()
		m.add("entry-"+name, base, title, clause, expected, func(q *cardQuestion) { q.entries = []string{change(q.signer.entry(q.header, q.payload))} })
	}
	sig := func(e string) string { return e[strings.Index(e, `"signature":"`)+len(`"signature":"`) : len(e)-2] }
	protected := b64([]byte(vectorHeader))
	more := func(member string) func(string) string {
		return func(e string) string { return e[:len(e)-1] + "," + member + "}" }
	}
	entry("text", "an entry that is a text", "H-1", invalidCard("SIG_MALFORMED"), func(string) string { return `"x"` })
	entry("null", "an entry that is null", "H-1", invalidCard("SIG_MALFORMED"), func(string) string { return `null` })
	entry("no-protected", "no protected header", "H-1", invalidCard("SIG_MALFORMED"), func(e string) string { return `{"signature":"` + sig(e) + `"}` })
	entry("no-signature", "no signature", "H-1", invalidCard("SIG_MALFORMED"), func(string) string { return `{"protected":"` + protected + `"}` })
	entry("empty-signature", "an empty signature", "H-1", invalidCard("SIG_MALFORMED"), func(string) string { return entryOf(protected, "") })
	entry("signature-null", "a signature that is null", "H-1", invalidCard("SIG_MALFORMED"), func(string) string { return `{"protected":"` + protected + `","signature":null}` })
	entry("header-text", "an unprotected header that is a text", "H-1", invalidCard("SIG_MALFORMED"), more(`"header":"x"`))
	entry("header", "an unprotected header, whose values nobody reads", "H-7", verifiedCard("SIG_UNSIGNED_HEADER"), more(`"header":{"jku":"https://attacker.example/jwks.json","x":1}`))
	entry("header-overlap", "a name in both headers", "H-8", invalidCard("SIG_HEADER_OVERLAP"), more(`"header":{"kid":"key-1"}`))
	entry("payload", "a payload beside the signature, which nobody reads", "A.1", verifiedCard(), more(`"payload":"`+b64([]byte(`{"name":"another"}`))+`"`))
	entry("unprotected-alg", "alg and kid in the unprotected header", "H-7, A.10", invalidCard("SIG_ALG_MISSING"), func(string) string {
		e := edKey(1).entry(`{"typ":"JOSE"}`, vectorPayload)
		return e[:len(e)-1] + `,"header":{"alg":"EdDSA","kid":"key-1"}}`
	})

	entry("protected-padded", "a protected header with padding", "1.4", invalidCard("B64_INVALID"), replaceOnce(protected, protected+"="))
	entry("protected-line", "a protected header with a line end", "1.4", invalidCard("B64_INVALID"), replaceOnce(protected, protected+`\n`))
	entry("protected-bits", "a protected header with bits that count for nothing", "1.4", invalidCard("B64_INVALID"), func(e string) string { return entryOf("e31", sig(e)) })
	entry("signature-padded", "a signature with padding", "1.4, A.10", invalidCard("B64_INVALID"), func(e string) string { return entryOf(protected, sig(e)+"==") })
	entry("signature-line", "a signature with a line end", "1.4, A.10", invalidCard("B64_INVALID"), func(e string) string { return entryOf(protected, sig(e)+`\n`) })
	entry("signature-space", "a signature with a space", "1.4", invalidCard("B64_INVALID"), func(e string) string { return entryOf(protected, " "+sig(e)) })
	entry("signature-alphabet", "a signature in another alphabet", "1.4", invalidCard("B64_INVALID"), func(e string) string {
		return entryOf(protected, strings.NewReplacer("-", "+", "_", "/").Replace(sig(e)))
	})
	entry("protected-respelt", "a protected header that says the same in other bytes than were signed", "H-11", invalidCard("SIG_INVALID"), func(e string) string {
		return entryOf(b64([]byte(`{"kid":"key-1","alg":"EdDSA","typ":"JOSE"}`)), sig(e))
	})
	entry("protected-space", "a protected header with a space more than was signed", "H-11", invalidCard("SIG_INVALID"), func(e string) string {
		return entryOf(b64([]byte(`{"alg":"EdDSA","kid":"key-1","typ":"JOSE" }`)), sig(e))
	})

	header("spaced", "a header in another spelling, signed so", "H-11", verifiedCard(), " {\n\"typ\":\"JOSE\", \"kid\":\"\\u006bey-1\",\"alg\":\"EdDSA\"} ")
	header("unknown", "parameters that nobody knows", "A.5", verifiedCard(), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","x":[{}],"cty":1}`)
	header("no-json", "a header that is no JSON", "H-2", invalidCard("SIG_HEADER_JSON"), `{"alg"`)
	header("array", "a header that is an array", "H-2", invalidCard("SIG_HEADER_JSON"), `["EdDSA"]`)
	header("utf-8", "a header that is not UTF-8", "H-2, J-3", invalidCard("JSON_UNICODE"), "{\"alg\":\"EdDSA\",\"kid\":\"key-1\",\"x\":\"\xff\"}")
	header("duplicate-alg", "alg twice, none the second time", "H-2, A.10", invalidCard("JSON_DUPLICATE_KEY"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","alg":"none"}`)
	header("duplicate-kid", "kid twice, once as an escape", "J-2", invalidCard("JSON_DUPLICATE_KEY"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","\u006bid":"key-1"}`)
	const padded = `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","x":"`
	pad := func(size int) string { return padded + strings.Repeat("a", size-len(padded)-2) + `"}` }
	header("large", "a header of 8 KiB", "J-6", verifiedCard(), pad(8<<10))
	header("too-large", "a header of a byte more than 8 KiB", "J-6", invalidCard("JSON_TOO_LARGE"), pad(8<<10+1))
	deep := func(n int) string {
		return `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","x":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	header("deep", "a header of 64 levels", "J-6", verifiedCard(), deep(64))
	header("too-deep", "a header of 65 levels", "J-6", invalidCard("JSON_TOO_DEEP"), deep(65))
	header("no-alg", "no alg", "H-3", invalidCard("SIG_ALG_MISSING"), `{"kid":"key-1","typ":"JOSE"}`)
	header("alg-number", "alg is a number", "H-3", invalidCard("SIG_HEADER_JSON"), `{"alg":1,"kid":"key-1","typ":"JOSE"}`)
	header("no-kid", "no kid", "H-4", invalidCard("SIG_KID_MISSING"), `{"alg":"EdDSA","typ":"JOSE"}`)
	header("empty-kid", "an empty kid", "H-4", invalidCard("SIG_KID_MISSING"), `{"alg":"EdDSA","kid":"","typ":"JOSE"}`)
	header("kid-number", "kid is a number", "H-4", invalidCard("SIG_HEADER_JSON"), `{"alg":"EdDSA","kid":1,"typ":"JOSE"}`)
	header("kid-case", "kid in another case", "H-4", uncheckedCard("KEY_NOT_FOUND"), `{"alg":"EdDSA","kid":"KEY-1","typ":"JOSE"}`)
	header("no-typ", "no typ", "H-5, R13", verifiedCard("SIG_TYP"), `{"alg":"EdDSA","kid":"key-1"}`)
	header("other-typ", "another typ", "H-5", verifiedCard("SIG_TYP"), `{"alg":"EdDSA","kid":"key-1","typ":"JWT"}`)
	header("typ-number", "typ is a number", "H-5", invalidCard("SIG_HEADER_JSON"), `{"alg":"EdDSA","kid":"key-1","typ":1}`)
	header("crit", "a critical parameter that nobody understands", "H-6, R15", invalidCard("SIG_CRIT"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","crit":["exp"],"exp":4102444800}`)
	header("crit-empty", "an empty list of critical parameters", "H-6", invalidCard("SIG_CRIT"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","crit":[]}`)
	header("crit-null", "critical parameters that are null", "H-6", invalidCard("SIG_CRIT"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","crit":null}`)
	m.add("header-unencoded", base, "an unencoded payload (RFC 7797)", "H-6", invalidCard("SIG_CRIT"), func(q *cardQuestion) {
		head := b64([]byte(`{"alg":"EdDSA","kid":"key-1","typ":"JOSE","b64":false,"crit":["b64"]}`))
		q.entries = []string{entryOf(head, b64(q.signer.sign([]byte(head+"."+q.payload))))}
	})
	header("b64", "b64 that nobody has to understand", "H-6", invalidCard("SIG_CRIT"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","b64":true}`)
	header("exp-later", "an exp that is a second later", "A.5", verifiedCard(), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","exp":1785542401}`)
	header("exp-now", "an exp that is now", "A.5", invalidCard("SIG_EXPIRED"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","exp":1785542400}`)
	header("nbf-now", "an nbf that is now", "A.5", verifiedCard(), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","nbf":1785542400}`)
	header("nbf-later", "an nbf that is a second later", "A.5", invalidCard("SIG_EXPIRED"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","nbf":1785542401}`)
	header("exp-text", "an exp that is a text", "A.5", invalidCard("SIG_HEADER_JSON"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","exp":"2099-01-01T00:00:00Z"}`)
	header("expires", "an end by a name that nobody knows", "A.5", invalidCard("SIG_EXPIRED"), `{"alg":"EdDSA","kid":"key-1","typ":"JOSE","expires":"2099-01-01T00:00:00Z"}`)
	header("jku-null", "jku is null", "H-10", verifiedCard("SIG_JKU_NULL"), `{"alg":"EdDSA","jku":null,"kid":"key-1","typ":"JOSE"}`)
	header("jku-number", "jku is a number", "H-10", invalidCard("SIG_HEADER_JSON"), `{"alg":"EdDSA","jku":1,"kid":"key-1","typ":"JOSE"}`)
	for _, name := range []string{"jwk", "x5u", "x5c"} {
		header(name, "the parameter "+name+", from which no key is taken", "H-9", verifiedCard("SIG_HEADER_KEY_IGNORED"), `{"alg":"EdDSA","`+name+`":"https://attacker.example/","kid":"key-1","typ":"JOSE"}`)
	}
	embedded := `{"alg":"EdDSA","jwk":` + rawJSON(m.t, edKey(9).jwk(object{"kid": "key-9"})) + `,"kid":"key-9","typ":"JOSE"}`
	m.add("header-jwk-own", base, "a key that the header brings along, and a signature by it", "H-9", uncheckedCard("KEY_NOT_FOUND", "SIG_HEADER_KEY_IGNORED"), func(q *cardQuestion) { q.header, q.signer = embedded, edKey(9) })
	m.add("header-jwk-trusted-kid", base, "a key that the header brings along under a trusted kid", "H-9", invalidCard("SIG_INVALID", "SIG_HEADER_KEY_IGNORED"), func(q *cardQuestion) {
		q.header, q.signer = strings.Replace(embedded, `"kid":"key-9","typ"`, `"kid":"key-1","typ"`, 1), edKey(9)
	})
}

// algorithms is section A.6.
func (m cardSuite) algorithms() {
	with := func(k cardKey, jwk, more object) func(*cardQuestion) {
		return func(q *cardQuestion) {
			q.signer, q.header = k, `{"alg":"`+k.alg+`","kid":"key-1","typ":"JOSE"}`
			q.in["trustStore"] = trusted(pinnedKey(k, "key-1", jwk, more))
		}
	}
	p256, p384, p521 := ecKey(m.t, elliptic.P256(), 1), ecKey(m.t, elliptic.P384(), 1), ecKey(m.t, elliptic.P521(), 1)
	rs, ps := rsaKey(m.t, "RS256"), rsaKey(m.t, "PS256")
	m.add("es256", "", "a signature by ES256", "ALG-1", verifiedCard(), with(p256, nil, nil))
	m.add("es384", "", "a signature by ES384", "ALG-1", verifiedCard(), with(p384, nil, nil))
	m.add("rs256", "", "a signature by RS256", "ALG-1", verifiedCard(), with(rs, object{"alg": "RS256"}, nil))
	m.add("ps256", "", "a signature by PS256", "ALG-1", verifiedCard(), with(ps, object{"alg": "PS256"}, nil))
	m.add("ed25519", "eddsa", "the name of RFC 9864 for the algorithm", "ALG-1, ALG-3", verifiedCard(), func(q *cardQuestion) { q.header = `{"alg":"Ed25519","kid":"key-1","typ":"JOSE"}` })
	m.add("es512", "", "a signature by ES512, which the policy allows", "ALG-1", verifiedCard(), func(q *cardQuestion) {
		with(p521, nil, nil)(q)
		q.in["algorithms"] = []string{"ES512"}
	})
	m.add("es512-by-default", "es512", "a signature by ES512, which nobody allows", "ALG-1", uncheckedCard("SIG_ALG_FORBIDDEN"), with(p521, nil, nil))
	m.add("narrowed", "eddsa", "a policy that allows another algorithm alone", "ALG-1, R14", uncheckedCard("SIG_ALG_FORBIDDEN"), func(q *cardQuestion) { q.in["algorithms"] = []string{"ES256"} })
	for _, row := range []struct{ name, alg string }{
		{"none", "none"}, {"none-capital", "None"}, {"none-capitals", "NONE"}, {"hs384", "HS384"}, {"lower-case", "eddsa"}, {"space", "EdDSA "}, {"es256k", "ES256K"},
	} {
		m.add("alg-"+row.name, "eddsa", "the algorithm "+rawJSON(m.t, row.alg), "ALG-2", uncheckedCard("SIG_ALG_FORBIDDEN"), func(q *cardQuestion) {
			q.header = `{"alg":"` + row.alg + `","kid":"key-1","typ":"JOSE"}`
		})
	}
	m.add("alg-none-unsigned", "eddsa", "the algorithm none, and no signature", "ALG-2, A.10", invalidCard("SIG_MALFORMED"), func(q *cardQuestion) {
		q.entries = []string{entryOf(b64([]byte(`{"alg":"none","kid":"key-1","typ":"JOSE"}`)), "")}
	})
	public := []byte(rawJSON(m.t, edKey(1).jwk(nil)))
	m.add("hs256", "eddsa", "the public key as the secret of HS256", "ALG-2, A.10", uncheckedCard("SIG_ALG_FORBIDDEN"), func(q *cardQuestion) {
		q.signer, q.header = hmacKey(public), `{"alg":"HS256","kid":"key-1","typ":"JOSE"}`
	})
	refusedPolicy := object{"outcome": "error", "policy": "refused"}
	m.add("hs256-allowed", "eddsa", "a policy that allows HS256, which there cannot be", "ALG-2", refusedPolicy, func(q *cardQuestion) { q.in["algorithms"] = []string{"HS256"} })
	m.add("none-allowed", "eddsa", "a policy that allows none, which there cannot be", "ALG-2", refusedPolicy, func(q *cardQuestion) { q.in["algorithms"] = []string{"EdDSA", "none"} })

	m.add("alg-of-other-key", "eddsa", "an algorithm of the list that is not the key's", "ALG-3, A.10", invalidCard("KEY_ALG_MISMATCH"), func(q *cardQuestion) { q.header = `{"alg":"RS256","kid":"key-1","typ":"JOSE"}` })
	m.add("es256-as-rs256", "es256", "a signature by ES256 under the name RS256", "ALG-3, A.10", invalidCard("KEY_ALG_MISMATCH"), func(q *cardQuestion) {
		with(p256, nil, nil)(q)
		q.header = `{"alg":"RS256","kid":"key-1","typ":"JOSE"}`
	})
	m.add("rs256-as-ps256", "rs256", "a key for RS256, used for PS256", "ALG-3", invalidCard("KEY_ALG_MISMATCH"), func(q *cardQuestion) {
		with(rs, object{"alg": "RS256"}, nil)(q)
		q.signer, q.header = ps, `{"alg":"PS256","kid":"key-1","typ":"JOSE"}`
	})
	m.add("rsa-alg-beside", "rs256", "an RSA key whose algorithm the trust store names", "ALG-3", verifiedCard(), with(rs, nil, object{"alg": "RS256"}))
	m.add("rsa-no-alg", "rs256", "an RSA key whose algorithm nobody names", "ALG-3", refusedCardFor("TRUST_MALFORMED"), with(rs, nil, nil))
	set := func(keys ...object) func(*cardQuestion) {
		return func(q *cardQuestion) { q.in["trustStore"], q.in["keySet"] = nil, keySet(keys...) }
	}
	supplied := func() object { return verifiedAs(vectorPayload, "spec", validEntry("supplied")) }
	m.add("set-rsa", "", "an RSA key of a key set", "K-1", supplied(), func(q *cardQuestion) {
		with(rs, nil, nil)(q)
		set(rs.jwk(object{"kid": "key-1", "alg": "RS256"}))(q)
	})
	m.add("set-rsa-no-alg", "set-rsa", "an RSA key that names no algorithm", "ALG-3", invalidCard("KEY_ALG_MISMATCH"), func(q *cardQuestion) {
		with(rs, nil, nil)(q)
		set(rs.jwk(object{"kid": "key-1"}))(q)
	})
	m.add("set-rsa-weak", "set-rsa", "an RSA key of 1024 bits", "ALG-5", uncheckedCard("KEY_WEAK"), func(q *cardQuestion) {
		with(rs, nil, nil)(q)
		set(object{"kty": "RSA", "n": weakN, "e": "AQAB", "kid": "key-1", "alg": "RS256"})(q)
	})
	m.add("set-rsa-exponent", "set-rsa", "an RSA key with the exponent 1", "ALG-5", uncheckedCard("KEY_WEAK"), func(q *cardQuestion) {
		with(rs, nil, nil)(q)
		set(object{"kty": "RSA", "n": rsaN, "e": "AQ", "kid": "key-1", "alg": "RS256"})(q)
	})
	m.add("set-ec", "", "a key on P-256 of a key set", "K-1", supplied(), func(q *cardQuestion) {
		with(p256, nil, nil)(q)
		set(p256.jwk(object{"kid": "key-1"}))(q)
	})
	m.add("set-ec-alg", "set-ec", "a key on P-256 that says that it is for ES384", "ALG-3", invalidCard("KEY_ALG_MISMATCH"), func(q *cardQuestion) {
		with(p256, nil, nil)(q)
		set(p256.jwk(object{"kid": "key-1", "alg": "ES384"}))(q)
	})
	m.add("set-ec-off-curve", "set-ec", "a point that is not on the curve", "ALG-5, K-4", uncheckedCard("KEY_NOT_FOUND"), func(q *cardQuestion) {
		with(p256, nil, nil)(q)
		set(object{"kty": "EC", "crv": "P-256", "x": p256.public["x"], "y": p256.public["x"], "kid": "key-1"})(q)
	})

	// The forms of an ECDSA signature.
	raw := p256.sign([]byte(b64([]byte(`{"alg":"ES256","kid":"key-1","typ":"JOSE"}`)) + "." + b64([]byte(vectorPayload))))
	r, s := new(big.Int).SetBytes(raw[:32]), new(big.Int).SetBytes(raw[32:])
	n := elliptic.P256().Params().N
	form := func(name, title, clause string, expected object, signature []byte) {
		m.t.Helper()
		m.add("es256-"+name, "es256", title, clause, expected, func(q *cardQuestion) {
			with(p256, nil, nil)(q)
			q.signer = fixed(signature)
			q.header = `{"alg":"ES256","kid":"key-1","typ":"JOSE"}`
		})
	}
	der, _ := asn1.Marshal(struct{ R, S *big.Int }{r, s})
	form("der", "the signature in DER", "ALG-4, A.10", invalidCard("SIG_DER"), der)
	form("short", "a signature of 63 bytes", "ALG-4", invalidCard("SIG_LENGTH"), raw[:63])
	form("long", "a signature of 65 bytes", "ALG-4", invalidCard("SIG_LENGTH"), append(append([]byte{}, raw...), 0))
	form("malleable", "n-s for s, which verifies as well", "ALG-6", verifiedCard(), rawECDSA(r, new(big.Int).Sub(n, s), 32))
	form("r-zero", "r is 0", "ALG-5", invalidCard("SIG_INVALID"), rawECDSA(new(big.Int), s, 32))
	form("s-zero", "s is 0", "ALG-5", invalidCard("SIG_INVALID"), rawECDSA(r, new(big.Int), 32))
	form("zero", "r and s are 0", "ALG-5", invalidCard("SIG_INVALID"), make([]byte, 64))
	form("s-order", "s is the order of the curve", "ALG-5", invalidCard("SIG_INVALID"), rawECDSA(r, n, 32))
	form("swapped", "r and s exchanged", "ALG-4", invalidCard("SIG_INVALID"), rawECDSA(s, r, 32))
	m.add("eddsa-short", "eddsa", "a signature by EdDSA of 63 bytes", "ALG-5", invalidCard("SIG_LENGTH"), func(q *cardQuestion) {
		q.signer = fixed(edKey(1).sign([]byte(b64([]byte(vectorHeader)) + "." + b64([]byte(vectorPayload))))[:63])
	})
	m.add("eddsa-forged", "eddsa", "a bit of the signature changed", "A.8", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
		sig := edKey(1).sign([]byte(b64([]byte(vectorHeader)) + "." + b64([]byte(vectorPayload))))
		sig[10] ^= 1
		q.signer = fixed(sig)
	})
	m.add("eddsa-zero", "eddsa", "a signature of zeros", "ALG-5", invalidCard("SIG_INVALID"), func(q *cardQuestion) { q.signer = fixed(make([]byte, 64)) })
	m.add("eddsa-other-key", "eddsa", "a signature by another key under the kid", "A.8", invalidCard("SIG_INVALID"), func(q *cardQuestion) { q.signer = edKey(2) })
	m.add("eddsa-other-payload", "eddsa", "a signature over another card", "A.8", invalidCard("SIG_INVALID"), func(q *cardQuestion) { q.payload = `{"name":"Vector Agent"}` })
	m.add("eddsa-no-payload", "eddsa", "a signature over the header alone", "H-11", invalidCard("SIG_INVALID"), func(q *cardQuestion) { q.payload = "" })
	m.add("rs256-forged", "rs256", "a bit of the signature changed", "A.8", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
		with(rs, object{"alg": "RS256"}, nil)(q)
		sig := rs.sign([]byte(b64([]byte(q.header)) + "." + b64([]byte(vectorPayload))))
		sig[100] ^= 1
		q.signer = fixed(sig)
	})
	m.add("ps256-as-rs256", "ps256", "a signature of the padding of RS256 with a key for PS256", "ALG-3", invalidCard("SIG_INVALID"), func(q *cardQuestion) {
		with(ps, object{"alg": "PS256"}, nil)(q)
		q.signer = rs
	})
}
