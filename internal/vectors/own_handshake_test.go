package vectors_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

const (
	extensionSpec = "https://w3id.org/jeswr/a2a-rdf/v1"
	ownPin        = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
)

// intentDocument is a Protocol Document of one constraint.
const intentDocument = `@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:p> a <https://w3id.org/jeswr/a2a#ProtocolDocument> ; <https://w3id.org/jeswr/a2a#requestShape> _:b0 .
_:b0 a sh:NodeShape ; sh:targetClass <https://w3id.org/jeswr/a2a#Intent> ; sh:property [ sh:path <urn:amount> ; sh:maxCount 1 ; sh:message "at most one"@en ] .
`

// intentDocumentPin is the hash of intentDocument by an independent implementation of RDFC-1.0 and SHA-256.
const intentDocumentPin = "sha256:786b862faf02fcba09c0b8afbf8d2ae263e2b38a6ac15a741c0aeffe7a5de635"

// handshakeVectors are those of the a2a-rdf extension.
func handshakeVectors() ownSuite {
	s := ownSuite{
		name: "handshake", spec: extensionSpec,
		description: "Handshakes in JSON and in RDF, spellings of hashes, the rule against a silent downgrade, pins and intents: what the public suite does not pin.",
	}
	offer := func(change func(object)) object {
		o := object{"kind": "upgrade-offer", "protocolHash": ownPin, "protocolSource": "https://alice.example/p", "required": false}
		change(o)
		return o
	}
	answer := func(change func(object)) object {
		o := object{"kind": "upgrade-response", "protocolHash": ownPin, "accept": false}
		change(o)
		return o
	}
	set := func(name string, v any) func(object) { return func(o object) { o[name] = v } }
	gone := func(name string) func(object) { return func(o object) { delete(o, name) } }
	same := func(object) {}
	decode := func(name, title, clause string, payload any, ok bool) {
		s.cases = append(s.cases, ownCase{name: "json-" + name, operation: "decode-handshake", title: title, clause: clause, input: object{"payload": payload}, expected: object{"ok": ok}})
	}
	decode("offer", "an optional offer", "HS-2", offer(same), true)
	decode("response", "a decline", "HS-2", answer(same), true)
	decode("array", "an array around an offer", "HS-1", []any{offer(same)}, false)
	decode("kind-in-capitals", "a kind in another case", "HS-2", offer(set("kind", "Upgrade-Offer")), false)
	decode("required-number", "required is a number", "HS-3", offer(set("required", 1)), false)
	decode("required-null", "required is null", "HS-3", offer(set("required", nil)), false)
	decode("required-missing", "an offer without required", "HS-5", offer(gone("required")), false)
	decode("accept-text", "accept is a text", "HS-3", answer(set("accept", "false")), false)
	decode("name-null", "a name that is null", "HS-8", offer(set("protocolName", nil)), false)
	decode("reason-number", "a reason that is a number", "HS-8", answer(set("reason", 1)), false)
	decode("required-in-capitals", "a member in another case beside the right one", "HS-10", offer(set("Required", true)), false)
	decode("offer-with-accept", "an offer that accepts", "HS-11", offer(set("accept", true)), false)
	decode("response-with-required", "a response that requires", "HS-11", answer(set("required", false)), false)
	decode("unknown-member", "a member that nobody knows", "HS-12", offer(set("x-note", "hello")), true)
	decode("control-character", "a control character in a name", "HS-13", offer(set("protocolName", "a\u0007b")), false)
	decode("deep", "nine levels", "HS-14", offer(set("x", json.RawMessage(strings.Repeat("[", 8)+strings.Repeat("]", 8)))), false)
	decode("deep-enough", "eight levels", "HS-14", offer(set("x", json.RawMessage(strings.Repeat("[", 7)+strings.Repeat("]", 7)))), true)
	decode("accept-zero", "accept is 0", "HS-3", answer(set("accept", 0)), false)
	decode("accept-null", "accept is null", "HS-3", answer(set("accept", nil)), false)
	decode("accept-missing", "a response without accept", "HS-4", answer(gone("accept")), false)
	decode("required-text", "required is a text", "HS-3", offer(set("required", "true")), false)
	decode("kind-unknown", "a kind that there is not", "HS-2", offer(set("kind", "nope")), false)
	decode("kind-missing", "no kind", "HS-2", offer(gone("kind")), false)
	decode("hash-number", "a hash that is a number", "HS-7", offer(set("protocolHash", 1)), false)
	decode("hash-missing", "an offer without a hash", "HS-5", offer(gone("protocolHash")), false)
	decode("source-missing", "an offer without a source", "HS-5", offer(gone("protocolSource")), false)
	decode("name-number", "a name that is a number", "HS-8", offer(set("protocolName", 7)), false)
	decode("text", "a text for a message", "HS-1", "upgrade-offer", false)
	decode("null", "null for a message", "HS-1", nil, false)
	for _, row := range []struct{ name, source string }{
		{"http", "http://alice.example/p"}, {"script", "javascript:alert(1)"}, {"opaque", "https:alice.example"}, {"no-host", "https:///p"}, {"user", "https://u:p@alice.example/p"}, {"relative", "p"}, {"empty", ""},
	} {
		decode("source-"+row.name, "a source that is no https URL: "+row.name, "HS-9", offer(set("protocolSource", row.source)), false)
	}
	raw := func(name, title, clause, message string, ok bool) {
		s.cases = append(s.cases, ownCase{
			name: "bytes-" + name, operation: "decode-handshake-bytes", title: title, clause: clause, input: object{"message": "message.json"}, expected: object{"ok": ok}, files: map[string]string{"message.json": message},
		})
	}
	const message = `{"kind":"upgrade-offer","protocolHash":"` + ownPin + `","protocolSource":"https://alice.example/p","required":false}`
	raw("offer", "an offer", "HS-2", message, true)
	raw("spaced", "an offer in another spelling", "HS-2", strings.NewReplacer(`,`, " ,\n ", `"kind"`, `"\u006bind"`).Replace(message), true)
	raw("duplicate", "required twice", "HS-10", strings.Replace(message, `"required":false`, `"required":false,"required":true`, 1), false)
	raw("duplicate-same", "required twice alike", "HS-10", strings.Replace(message, `"required":false`, `"required":false,"required":false`, 1), false)
	raw("duplicate-escaped", "required twice, once as an escape", "HS-10", strings.Replace(message, `"required":false`, `"required":false,"r\u0065quired":true`, 1), false)
	raw("duplicate-below", "a name twice in a member that nobody knows", "HS-10", strings.Replace(message, `"required":false`, `"required":false,"x":{"a":1,"a":2}`, 1), false)
	raw("second", "a second value", "HS-1", message+`{}`, false)
	raw("bom", "a byte order mark", "HS-1", "\xef\xbb\xbf"+message, false)
	raw("utf-8", "a byte that is no UTF-8", "HS-1", strings.Replace(message, "alice", "al\xffce", 1), false)
	raw("cut", "cut before the end", "HS-1", message[:len(message)-1], false)
	raw("nothing", "nothing", "HS-1", "", false)
	for _, row := range []struct{ name, hash string }{
		{"uppercase-digits", "sha256:" + strings.ToUpper(ownPin[7:])}, {"uppercase-prefix", "SHA256:" + ownPin[7:]}, {"no-prefix", ownPin[7:]}, {"other-prefix", "sha-256:" + ownPin[7:]},
		{"other-algorithm", "sha384:" + ownPin[7:]}, {"short", ownPin[:len(ownPin)-1]}, {"long", ownPin + "0"}, {"space", ownPin + " "}, {"no-digit", ownPin[:len(ownPin)-1] + "g"}, {"empty", ""},
	} {
		decode("hash-"+row.name, "a hash that is not spelt as it should be: "+row.name, "HASH-4, HASH-5, HS-7", offer(set("protocolHash", row.hash)), false)
	}

	const prefix = "@prefix a2a: <https://w3id.org/jeswr/a2a#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
	const good = `<urn:a2a:handshake> a a2a:UpgradeOffer ; a2a:protocolHash "` + ownPin + `" ; a2a:protocolSource <https://alice.example/p> ; a2a:required true .` + "\n"
	graph := func(name, title, clause, from, to string, ok bool) {
		text := prefix + good
		if !strings.Contains(text, from) {
			panic(from)
		}
		s.cases = append(s.cases, ownCase{
			name: "rdf-" + name, operation: "decode-handshake-graph", title: title, clause: clause, input: object{"graph": "message.ttl"}, expected: object{"ok": ok},
			files: map[string]string{"message.ttl": strings.Replace(text, from, to, 1)},
		})
	}
	graph("offer", "a required offer", "HSR-1", good, good, true)
	graph("blank", "an offer about a blank node", "HSR-10", "<urn:a2a:handshake>", "[]", true)
	graph("response", "a response", "HSR-1", good, `[] a a2a:UpgradeResponse ; a2a:protocolHash "`+ownPin+`" ; a2a:accept false .`, true)
	graph("nothing", "no message", "HSR-1", good, "<urn:x> a a2a:Intent .", false)
	graph("both-types", "an offer and a response in one", "HSR-1", "a2a:UpgradeOffer", "a2a:UpgradeOffer, a2a:UpgradeResponse", false)
	graph("two-offers", "two offers", "HSR-1", good, good+strings.Replace(good, "urn:a2a:handshake", "urn:other", 1), false)
	graph("elsewhere", "a property of another subject does not count", "HSR-2", "; a2a:required true .", ". <urn:other> a2a:required true .", false)
	graph("type-text", "a type that is a text", "HSR-3", "a a2a:UpgradeOffer", `a "https://w3id.org/jeswr/a2a#UpgradeOffer"`, false)
	graph("two-hashes", "two hashes", "HSR-4", `"`+ownPin+`"`, `"`+ownPin+`", "sha256:`+strings.Repeat("0", 64)+`"`, false)
	graph("required-true-and-false", "required is both", "HSR-4", "a2a:required true", "a2a:required true, false", false)
	graph("required-one", "a boolean that is spelt 1", "HSR-5", "a2a:required true", `a2a:required "1"^^xsd:boolean`, false)
	graph("required-text", "a text for a boolean", "HSR-6", "a2a:required true", `a2a:required "true"`, false)
	graph("hash-in-english", "a hash with a language", "HSR-6", `"`+ownPin+`"`, `"`+ownPin+`"@en`, false)
	graph("two-names", "two names", "HSR-7", "a2a:required true", `a2a:required true ; a2a:protocolName "a", "b"`, false)
	graph("unrelated", "an unrelated subject", "HSR-8", good, good+"<urn:other> <urn:p> 1 .", true)
	graph("hash-uppercase", "a hash in capitals", "HSR-9", ownPin, "SHA256:"+ownPin[7:], false)
	graph("required-missing", "an offer that does not say whether it is required", "HSR-4", " ; a2a:required true", "", false)
	graph("required-yes", "a boolean that is spelt yes", "HSR-5", "a2a:required true", `a2a:required "yes"^^xsd:boolean`, false)
	graph("required-capitals", "a boolean in capitals", "HSR-5", "a2a:required true", `a2a:required "TRUE"^^xsd:boolean`, false)
	graph("source-text", "a text for the source", "HSR-4", "<https://alice.example/p>", `"https://alice.example/p"`, false)
	graph("hash-iri", "an IRI for the hash", "HSR-4", `"`+ownPin+`"`, "<urn:x>", false)
	graph("hash-and-iri", "an IRI beside the hash", "HSR-4", `"`+ownPin+`"`, `"`+ownPin+`", <urn:x>`, false)
	graph("offer-and-response", "a response beside an offer", "HSR-1", good, good+`<urn:r> a a2a:UpgradeResponse ; a2a:protocolHash "`+ownPin+`" ; a2a:accept true .`+"\n", false)
	graph("accept-missing", "a response without accept", "HSR-4", good, `[] a a2a:UpgradeResponse ; a2a:protocolHash "`+ownPin+`" .`, false)
	graph("accept-maybe", "a response that accepts maybe", "HSR-5", good, `[] a a2a:UpgradeResponse ; a2a:protocolHash "`+ownPin+`" ; a2a:accept "maybe"^^xsd:boolean .`, false)
	graph("decoy", "what another subject says of the protocol does not count", "HSR-2", good, good+`<urn:decoy> a2a:protocolHash "sha256:`+strings.Repeat("0", 64)+`" ; a2a:protocolSource <https://mallory.example/p> .`+"\n", true)
	graph("unknown-property", "a property that nobody knows", "HSR-8", "a2a:required true", "a2a:required true ; <urn:p> 1", true)
	for _, row := range []struct{ name, hash string }{{"other-algorithm", "sha384:" + ownPin[7:]}, {"bare", ownPin[7:]}, {"short", ownPin[:len(ownPin)-1]}, {"digits", "sha256:" + strings.ToUpper(ownPin[7:])}} {
		graph("hash-"+row.name, "a hash that is not spelt as it should be: "+row.name, "HSR-9, HASH-5", ownPin, row.hash, false)
	}
	graph("cut", "cut before the end", "PARSE", "required true .", "required true", false)
	const linked = `{"@context":{"@vocab":"https://w3id.org/jeswr/a2a#"},"@id":"urn:a2a:handshake","@type":"UpgradeOffer","protocolHash":"` + ownPin + `","protocolSource":{"@id":"https://alice.example/p"},"required":true}` + "\n"
	jsonLD := func(name, title, clause, from, to string, ok bool) {
		s.cases = append(s.cases, ownCase{
			name: "jsonld-" + name, operation: "decode-handshake-graph", title: title, clause: clause, input: object{"graph": "message.jsonld"}, expected: object{"ok": ok},
			files: map[string]string{"message.jsonld": replaceOnce(from, to)(linked)},
		})
	}
	jsonLD("offer", "an offer in JSON-LD", "HSR-1", linked, linked, true)
	jsonLD("named-graph", "an offer in a named graph", "PARSE-5", `"@id":"urn:a2a:handshake",`, `"@id":"urn:g","@graph":[{"@id":"urn:a2a:handshake",`, false)
	last := &s.cases[len(s.cases)-1]
	last.files["message.jsonld"] = strings.TrimSuffix(last.files["message.jsonld"], "\n") + "]}\n"
	jsonLD("remote-context", "a context that would have to be fetched", "PARSE-2", `"@context":{`, `"@context":["https://unknown.example/v1",{`, false)
	last = &s.cases[len(s.cases)-1]
	last.files["message.jsonld"] = replaceOnce(`a2a#"}`, `a2a#"}]`)(last.files["message.jsonld"])
	jsonLD("duplicate", "required twice", "PARSE-9", `"required":true`, `"required":true,"required":true`, false)
	jsonLD("required-text", "a text for a boolean", "HSR-6", `"required":true`, `"required":"true"`, false)
	jsonLD("required-list", "a boolean and another", "HSR-4", `"required":true`, `"required":[true,false]`, false)
	jsonLD("source-text", "a text for the source", "HSR-4", `{"@id":"https://alice.example/p"}`, `"https://alice.example/p"`, false)
	jsonLD("relative", "a subject that is relative", "PARSE-6", `"urn:a2a:handshake"`, `"handshake"`, false)
	s.cases = append(s.cases, ownCase{
		name: "rdf-quads", operation: "decode-handshake-graph", title: "an offer in N-Quads, in which no handshake is", clause: "PARSE-5", input: object{"graph": "message.nq"}, expected: object{"ok": false},
		files: map[string]string{"message.nq": "<urn:a2a:handshake> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/jeswr/a2a#UpgradeOffer> .\n" +
			`<urn:a2a:handshake> <https://w3id.org/jeswr/a2a#protocolHash> "` + ownPin + `" .` + "\n<urn:a2a:handshake> <https://w3id.org/jeswr/a2a#protocolSource> <https://alice.example/p> .\n" +
			`<urn:a2a:handshake> <https://w3id.org/jeswr/a2a#required> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .` + "\n"},
	})
	graph("relative", "a source that is relative", "PARSE-6", "<https://alice.example/p>", "<p>", false)
	graph("source-http", "a source that is not https", "HSR-9", "https://alice.example/p", "http://alice.example/p", false)

	downgrade := func(name, title, clause string, o, r any, ok bool) {
		s.cases = append(s.cases, ownCase{name: "downgrade-" + name, operation: "may-downgrade-to-nl", title: title, clause: clause, input: object{"offer": o, "response": r}, expected: object{"downgrade": ok}})
	}
	downgrade("declined", "an optional offer, declined", "DG-1", offer(same), answer(same), true)
	downgrade("unrelated", "a decline of something else", "DG-2", offer(same), answer(set("protocolHash", "sha256:"+strings.Repeat("0", 64))), false)
	downgrade("absent", "no response", "DG-2", offer(same), nil, false)
	downgrade("unreadable", "a response whose accept is no boolean", "DG-2", offer(same), answer(set("accept", "false")), false)
	downgrade("offer-back", "an offer as answer to an offer", "DG-2", offer(same), offer(same), false)
	downgrade("hash-in-capitals", "a decline of the same hash in capitals", "DG-2, HASH-5", offer(same), answer(set("protocolHash", "sha256:"+strings.ToUpper(ownPin[7:]))), false)
	downgrade("accepted-other", "an acceptance of something else", "DG-5", offer(same), answer(func(o object) { o["accept"], o["protocolHash"] = true, "sha256:"+strings.Repeat("0", 64) }), false)
	downgrade("required-missing", "a decline of an offer that does not say whether it is required", "HS-5", offer(gone("required")), answer(same), false)

	s.on("rdf-quads", "rdf-offer", false, "message.ttl", "message.nq")

	declarationVectors(&s)
	documentVectors(&s)
	conversationVectors(&s)
	exchangeVectors(&s)
	boundVectors(&s)

	pin := func(name, title, clause, from, to string, ok bool) {
		if !strings.Contains(intentDocument, from) {
			panic(from)
		}
		s.cases = append(s.cases, ownCase{
			name: "pin-" + name, operation: "verify-pd-pin", title: title, clause: clause, input: object{"body": "document.ttl", "pinnedHash": intentDocumentPin}, expected: object{"ok": ok},
			files: map[string]string{"document.ttl": strings.Replace(intentDocument, from, to, 1)},
		})
	}
	pin("same", "the document itself", "HASH-6", "_:b0", "_:b0", true)
	pin("comment", "a comment more", "HASH-6", "<urn:p> a", "# hello\n<urn:p> a", true)
	pin("literal", "another spelling of the same number", "HASH-6", "sh:maxCount 1", "sh:maxCount 01", false)
	pin("language", "another case of a language", "HASH-6", "@en", "@EN", false)
	pin("message", "another message", "HASH-6", "at most one", "at most two", false)
	pin("less", "a triple less", "HASH-6", "sh:maxCount 1 ; ", "", false)
	pin("more", "a triple more", "HASH-6", "sh:maxCount 1", "sh:maxCount 1 ; sh:minCount 0", false)
	pin("cut", "cut before the end", "PARSE", "] .\n", "]", false)
	pin("relabelled", "a blank node of another name", "HASH-6", intentDocument, strings.ReplaceAll(intentDocument, "_:b0", "_:c14n7"), true)
	pinText := func(name, title, pinned string) {
		s.cases = append(s.cases, ownCase{
			name: "pin-spelt-" + name, operation: "verify-pd-pin", title: title, clause: "HASH-5", input: object{"body": "document.ttl", "pinnedHash": pinned}, expected: object{"ok": false},
			files: map[string]string{"document.ttl": intentDocument},
		})
	}
	pinText("digits", "the pin with digits in capitals", "sha256:"+strings.ToUpper(intentDocumentPin[7:]))
	pinText("prefix", "the pin without its prefix", intentDocumentPin[7:])
	pinText("space", "the pin with a space", " "+intentDocumentPin)

	intent := func(name, title, data string, ok bool) {
		s.cases = append(s.cases, ownCase{
			name: "intent-" + name, operation: "validate-intent", title: title, clause: "section 7.3", input: object{"dataGraph": "intent.ttl", "shapesGraph": "document.ttl"}, expected: object{"conforms": ok},
			files: map[string]string{"document.ttl": intentDocument, "intent.ttl": data},
		})
	}
	intent("one", "an intent with one amount", "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1 .", true)
	intent("two", "an intent with two amounts", "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1, 2 .", false)
	intent("spellings", "an intent with two spellings of one number, which are two values", "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1, 01 .", false)
	return s
}

// declarationVectors are what a card says about Protocol Documents.
func declarationVectors(s *ownSuite) {
	const declaration = `{"uri":"https://w3id.org/jeswr/a2a-rdf/v1","description":"Accepts RDF intents.","required":false,"params":{` +
		`"formats":["text/turtle","application/ld+json"],"nlNegotiation":true,"protocolDocuments":[{"name":"Grant access","source":"https://alice.example/p","hash":"` + ownPin + `"}]}}`
	const card = `{"name":"Alice","capabilities":{"extensions":[{"uri":"urn:other"},` + declaration + `]}}`
	add := func(name, title, clause, from, to string, expected object) {
		s.cases = append(s.cases, ownCase{
			name: "card-" + name, operation: "read-declaration", title: title, clause: clause, input: object{"card": "card.json"}, expected: expected, files: map[string]string{"card.json": replaceOnce(from, to)(card) + "\n"},
		})
		if name != "good" {
			s.cases[len(s.cases)-1].base = "card-good"
		}
	}
	one := object{"name": "Grant access", "source": "https://alice.example/p", "hash": ownPin}
	declared := func(documents ...object) object {
		return object{"declared": true, "valid": true, "formats": []string{"text/turtle", "application/ld+json"}, "nlNegotiation": true, "documents": append([]object{}, documents...)}
	}
	not := func() object { return object{"declared": false, "valid": false, "documents": []object{}} }
	invalid := func(findings ...string) object {
		return object{"declared": true, "valid": false, "documents": []object{}, "findings": append([]string{"DECLARATION_INVALID"}, findings...)}
	}
	dropped := func() object { return and(declared(), "findings", []string{"DECLARATION_ENTRY_DROPPED"}) }
	add("good", "a card that declares the extension and a document", "CARD-1, CARD-11", card, card, declared(one))
	for _, row := range []struct{ name, title, uri string }{
		{"slash", "the URI with a slash more", "a2a-rdf/v1/"}, {"v2", "the URI of another version", "a2a-rdf/v2"}, {"fragment", "the URI with a fragment", "a2a-rdf/v1#"}, {"case", "the URI in another case", "A2A-RDF/v1"},
	} {
		add("uri-"+row.name, row.title, "CARD-1, CARD-10", "a2a-rdf/v1", row.uri, not())
	}
	add("no-description", "no description", "CARD-2", `"description":"Accepts RDF intents.",`, ``, and(declared(one), "findings", []string{"DECLARATION_NO_DESCRIPTION"}))
	add("required", "the extension is required", "CARD-3", `"required":false`, `"required":true`, and(and(declared(one), "required", true), "findings", []string{"DECLARATION_REQUIRED"}))
	add("required-text", "required is a text", "CARD-3", `"required":false`, `"required":"false"`, invalid())
	add("nl-text", "nlNegotiation is a text", "CARD-1", `"nlNegotiation":true`, `"nlNegotiation":"true"`, invalid())
	add("documents-object", "a document for a list of them", "CARD-11", `"protocolDocuments":[{`, `"protocolDocuments":{"x":1},"others":[{`, invalid())
	add("params-list", "params that are a list", "CARD-1", `"params":{`, `"params":[],"other":{`, invalid())
	without := declared(one)
	without["formats"] = []string{"text/turtle"}
	add("no-formats", "no formats, which means Turtle", "CARD-1", `"formats":["text/turtle","application/ld+json"],`, ``, without)
	unusable := func() object {
		o := and(declared(one), "findings", []string{"DECLARATION_NO_FORMAT"})
		delete(o, "formats")
		return o
	}
	add("formats-empty", "an empty list of formats", "CARD-1", `["text/turtle","application/ld+json"]`, `[]`, unusable())
	add("formats-text", "a text for the list of formats", "CARD-1", `["text/turtle","application/ld+json"]`, `"text/turtle"`, unusable())
	add("formats-number", "a number among the formats", "CARD-1", `["text/turtle","application/ld+json"]`, `["text/turtle",1]`, unusable())
	for _, row := range []struct{ name, hash string }{{"capitals", "SHA256:" + strings.ToUpper(ownPin[7:])}, {"digits", "sha256:" + strings.ToUpper(ownPin[7:])}, {"short", ownPin[:15]}, {"algorithm", "sha512:" + ownPin[7:]}, {"bare", ownPin[7:]}} {
		add("hash-"+row.name, "a hash that is not spelt as it should be: "+row.name, "CARD-11, HASH-5", ownPin, row.hash, dropped())
	}
	add("no-hash", "a document without a hash", "CARD-11", `,"hash":"`+ownPin+`"`, ``, dropped())
	add("source-http", "a source that is no https URL", "CARD-11", "https://alice.example/p", "http://alice.example/p", dropped())
	add("source-user", "a source with a user name", "CARD-11", "https://alice.example/p", "https://u@alice.example/p", dropped())
	add("no-source", "a document without a source", "CARD-11", `"source":"https://alice.example/p",`, ``, dropped())
	add("name-number", "a name that is a number", "CARD-11", `"name":"Grant access"`, `"name":7`, dropped())
	add("no-name", "a document without a name", "CARD-11", `"name":"Grant access",`, ``, declared(object{"source": one["source"], "hash": one["hash"]}))
	add("unknown-member", "a member that nobody knows", "CARD-1", `"nlNegotiation":true`, `"nlNegotiation":true,"x":{}`, declared(one))
	add("mirror", "two sources of one hash", "CARD-11", `"protocolDocuments":[{`, `"protocolDocuments":[{"source":"https://mirror.example/p","hash":"`+ownPin+`"},{`, declared(object{"source": "https://mirror.example/p", "hash": ownPin}, one))
	add("twice", "the same declaration twice", "CARD-1", `{"uri":"urn:other"}`, declaration, and(declared(one), "findings", []string{"DECLARATION_DUPLICATE"}))
	add("twice-other", "two declarations that differ", "CARD-1", `{"uri":"urn:other"}`, strings.Replace(declaration, "true", "false", 1), invalid())
	add("duplicate", "a name twice in the card", "J-2", `"nlNegotiation":true`, `"nlNegotiation":true,"nlNegotiation":true`, object{"code": "JSON_DUPLICATE_KEY"})
}

// boundVectors are pins at the bound of the work of RDFC-1.0, which must be the same
// everywhere, or what one side accepts another does not (VAL-3). The hashes are those of
// rdf-canonize without a bound.
func boundVectors(s *ownSuite) {
	complete := func(n int) string {
		var b strings.Builder
		for i := range n {
			for j := range n {
				if i != j {
					fmt.Fprintf(&b, "_:n%d <urn:p> _:n%d .\n", i, j)
				}
			}
		}
		return b.String()
	}
	for _, row := range []struct {
		n    int
		hash string
		ok   bool
	}{{7, "91cb4357d62b751fdf583f5c73ed0cb170b4de3475838de46df9d83db56f5db9", true}, {8, "4667079875db9d1822ce58d462091998167875c7b5cf65198155ce85ff7717dd", false}} {
		c := ownCase{
			name: fmt.Sprintf("pin-complete-%d", row.n), operation: "verify-pd-pin", title: fmt.Sprintf("%d nodes, each before each other", row.n), clause: "HASH-9, VAL-3, VAL-5",
			input: object{"body": "body.ttl", "pinnedHash": "sha256:" + row.hash}, expected: object{"ok": row.ok}, files: map[string]string{"body.ttl": complete(row.n)},
		}
		if !row.ok {
			c.base, c.follows = "pin-complete-7", []string{"pinnedHash"}
		}
		s.cases = append(s.cases, c)
	}
}
