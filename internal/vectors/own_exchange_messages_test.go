package vectors_test

import "maps"

// contexts is where what is agreed holds (section 5.5), and what a message of another context
// or task is.
func (m exchangeSuite) contexts() {
	const ctx = "ctx"
	add := func(name, base, title, clause string, more object, steps ...step) {
		all := accepted()
		maps.Copy(all, more)
		m.add("agreed"+prefixed("-", name), base, title, clause, all, steps...)
	}
	agree := func(contextID string) object { return agentSays(contextID, answerPart(true, intentDocumentPin)) }
	decline := func(contextID string) object { return agentSays(contextID, answerPart(false, intentDocumentPin)) }
	const first = "agreed"
	add("", "", "what is agreed in a context says nothing in another", "BIND-9, DG-6", nil,
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree(ctx)), saysIntent(ctx, ""), saysProse(ctx, upgrade), saysIntent("ctx-2", notAgreed), saysProse("ctx-2", ""), saysIntent("", notAgreed), saysProse("", ""))
	add("first", first, "what is agreed for an offer without a context holds in that of the answer", "BIND-9, DG-6", nil,
		saysOffer("", false, ""), saysProse("", upgrade), replies(0, isAgreed, agree(ctx)), saysIntent(ctx, ""), saysProse(ctx, upgrade), saysIntent("ctx-2", notAgreed), saysIntent("", notAgreed), saysProse("", ""))
	add("first-nowhere", "agreed-first", "an acceptance without a context of an offer without one", "DG-2", nil,
		saysOffer("", false, ""), saysProse("", upgrade), replies(0, kind("aborted", "malformed-payload"), agree("")), saysIntent("", notAgreed), saysProse("", upgrade))
	add("moved", first, "an acceptance in another context than the offer", "DG-2, BIND-9", nil,
		saysOffer(ctx, false, ""), replies(0, kind("aborted", "malformed-payload"), agree("ctx-2")), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade), saysIntent("ctx-2", notAgreed), saysProse("ctx-2", ""))
	add("moved-decline", "agreed-moved", "a decline in another context than the offer", "DG-2", nil,
		saysOffer(ctx, false, ""), replies(0, kind("aborted", "malformed-payload"), decline("ctx-2")), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade), saysIntent("ctx-2", notAgreed), saysProse("ctx-2", ""))
	add("twice", first, "the same is agreed in two contexts, each by an offer of its own, and ends in one", "BIND-9", nil,
		saysOffer(ctx, false, ""), saysOffer("ctx-2", false, ""), replies(0, isAgreed, agree(ctx)), saysIntent("ctx-2", notAgreed), replies(1, isAgreed, agree("ctx-2")), saysIntent("ctx-2", ""),
		user("1", ctx, kind("aborted", upgrade), answerPart(false, intentDocumentPin)), saysIntent(ctx, notAgreed), saysIntent("ctx-2", ""))
	add("crossed", "agreed-twice", "the answers to offers in two contexts, each in the place of the other", "DG-2", nil,
		saysOffer(ctx, false, ""), saysOffer("ctx-2", false, ""), replies(0, kind("aborted", "malformed-payload"), agree("ctx-2")), replies(1, kind("aborted", "malformed-payload"), agree(ctx)),
		saysIntent(ctx, notAgreed), saysIntent("ctx-2", notAgreed), saysProse(ctx, upgrade), saysProse("ctx-2", upgrade))
	add("declined-elsewhere", first, "an optional offer that is declined allows prose in its context, and what is agreed in another forbids it there", "DG-1, DG-6", nil,
		saysOffer(ctx, false, ""), saysOffer("ctx-2", false, ""), replies(0, isAgreed, agree(ctx)), replies(1, kind("declined", ""), decline("ctx-2")), saysProse(ctx, upgrade), saysProse("ctx-2", ""), saysIntent("ctx-2", notAgreed))
	across := object{"acrossContexts": true}
	add("across", "", "what is agreed in a context holds in all, where this side wants that", "BIND-9, DG-6", across,
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree(ctx)), saysIntent(ctx, ""), saysProse(ctx, upgrade), saysIntent("ctx-2", ""), saysProse("ctx-2", upgrade), saysIntent("", ""), saysProse("", upgrade))
	add("across-declined", "agreed-across", "an optional offer that is declined allows prose in all contexts, where this side wants what is agreed to hold in all", "DG-1", across,
		saysOffer(ctx, false, ""), saysProse("ctx-2", upgrade), replies(0, kind("declined", ""), decline(ctx)), saysProse(ctx, ""), saysProse("ctx-2", ""), saysIntent("ctx-2", notAgreed))
	add("other-peer", first, "what is agreed with a peer says nothing of another", "BIND-9", nil,
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree(ctx)), saysIntent(ctx, notAgreed).with("peer", "https://other.example/"), saysProse(ctx, "").with("peer", "https://other.example/"))
	add("other-peer-answers", first, "an answer of another peer than the one that was asked", "BIND-9", nil,
		saysOffer(ctx, false, ""), replies(0, kind("aborted", upgrade), agree(ctx)).with("peer", "https://other.example/"), saysIntent(ctx, notAgreed), saysIntent(ctx, notAgreed).with("peer", "https://other.example/"))
	add("day", first, "what is agreed holds for a day", "BIND-9", nil, saysOffer(ctx, false, ""), replies(0, isAgreed, agree(ctx)), saysIntent(ctx, "").with("now", justInADay), saysProse(ctx, upgrade))
	add("old", "agreed-day", "what was agreed a day ago: no more intents, and no prose before a new offer", "DG-6", nil,
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree(ctx)), saysIntent(ctx, notAgreed).with("now", aDayLater), saysProse(ctx, upgrade), saysOffer(ctx, false, ""), replies(4, isAgreed, agree(ctx)), saysIntent(ctx, ""))
	add("in-time", first, "an acceptance after 29 seconds", "DG-2", nil, saysOffer(ctx, false, ""), replies(0, isAgreed, agree(ctx)).with("now", laterBy29s), saysIntent(ctx, ""))
	add("late", "agreed-in-time", "an acceptance after 30 seconds", "DG-2", nil, saysOffer(ctx, false, ""), replies(0, kind("aborted", upgrade), agree(ctx)).with("now", laterBy30s), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	add("late-decline", "agreed-late", "a decline of an optional offer after 30 seconds", "DG-2", nil, saysOffer(ctx, false, ""), replies(0, kind("aborted", upgrade), decline(ctx)).with("now", laterBy30s), saysProse(ctx, upgrade))
	add("both", first, "both offer the same at a time, and both accept", "DG-6", nil,
		saysOffer(ctx, false, ""), user("1", ctx, accepts, offerPart(false, intentDocumentPin)), replies(0, isAgreed, agree(ctx)), saysIntent(ctx, ""), user("2", ctx, isIntent, intentPart(goodIntent)))
	add("both-declined", "agreed-both", "both offer the same at a time, this side accepts and the peer declines: no prose", "DG-6", nil,
		saysOffer(ctx, false, ""), user("1", ctx, accepts, offerPart(false, intentDocumentPin)), replies(0, kind("declined", ""), decline(ctx)), saysProse(ctx, upgrade), user("2", ctx, isIntent, intentPart(goodIntent)))
	add("failed", first, "an acceptance in a task that failed", "DG-2, SEC-9", nil,
		saysOffer(ctx, false, ""), replies(0, kind("aborted", upgrade), taskOf("t", ctx, "FAILED", with(message("r", ctx, "ROLE_AGENT", answerPart(true, intentDocumentPin)), "taskId", "t"))), saysIntent(ctx, notAgreed))
	add("task", first, "an acceptance in a task that is done", "BIND-11", nil,
		saysOffer(ctx, false, ""), replies(0, isAgreed, taskOf("t", ctx, "COMPLETED", with(message("r", ctx, "ROLE_AGENT", answerPart(true, intentDocumentPin)), "taskId", "t"))), saysIntent(ctx, ""))
	add("task-elsewhere", "agreed-task", "an acceptance in a task whose message is of another context", "DG-2", nil,
		saysOffer(ctx, false, ""), replies(0, kind("aborted", "malformed-payload"), taskOf("t", ctx, "COMPLETED", with(message("r", "ctx-2", "ROLE_AGENT", answerPart(true, intentDocumentPin)), "taskId", "t"))), saysIntent(ctx, notAgreed), saysIntent("ctx-2", notAgreed))
	add("text", first, "an acceptance by a text", "HS-3, SEC-7", nil, saysOffer(ctx, false, ""), replies(0, kind("aborted", "malformed-payload"), agentSays(ctx, answerPart("true", intentDocumentPin))), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	add("and-declined", first, "an acceptance and a decline in one reply", "BIND-3, SEC-11", nil,
		saysOffer(ctx, false, ""), replies(0, kind("aborted", "malformed-payload"), agentSays(ctx, answerPart(true, intentDocumentPin), answerPart(false, intentDocumentPin))), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	unlisted := decline(ctx)
	delete(unlisted["message"].(object), "extensions")
	add("unlisted", first, "a decline of an optional offer where the extension is not listed", "SEC-11, CARD-8", nil,
		saysOffer(ctx, false, ""), replies(0, kind("aborted", "malformed-payload"), unlisted), saysProse(ctx, upgrade))
	bare := decline(ctx)
	delete(bare["message"].(object)["parts"].([]object)[0], "metadata")
	delete(bare["message"].(object), "extensions")
	add("bare", first, "a decline of an optional offer that nothing tells from other data", "SEC-11", nil, saysOffer(ctx, false, ""), replies(0, kind("aborted", upgrade), bare), saysProse(ctx, upgrade))
	add("by-user", first, "an acceptance in the role of the user", "BIND-12", nil,
		saysOffer(ctx, false, ""), replies(0, kind("aborted", "malformed-payload"), object{"message": message("r", ctx, "ROLE_USER", answerPart(true, intentDocumentPin))}), saysIntent(ctx, notAgreed))
}

// messages is section 6: what an intent must be in.
func (m exchangeSuite) messages() {
	const ctx = "ctx"
	add := func(name, title, clause string, steps ...step) {
		base := "asked"
		if name == "" {
			base = ""
		}
		m.add("asked"+prefixed("-", name), base, title, clause, nil, steps...)
	}
	part := intentPart(goodIntent)
	tagged := func(name string, v any) object {
		metadata := maps.Clone(part["metadata"].(object))
		if metadata[name] = v; v == nil {
			delete(metadata, name)
		}
		return with(part, "metadata", metadata)
	}
	without := func(o object, name string) object {
		o = maps.Clone(o)
		delete(o, name)
		return o
	}
	one := func(name, title, clause string, becomes object, parts ...object) {
		add(name, title, clause, user("1", ctx, becomes, parts...))
	}
	malformed, unsupported := refused("malformed-payload"), refused("unsupported-media-type")
	one("", "an intent under a document that the card declares", "CARD-13, BIND-8", isIntent, part)
	one("commented", "an intent with words beside it", "BIND-4", isIntent, textPart("Now, please."), part)
	one("capitals", "a media type in capitals", "BIND-5", isIntent, with(part, "mediaType", "TEXT/Turtle"))
	one("utf-8", "a media type with its charset", "BIND-6", isIntent, with(part, "mediaType", "text/turtle; charset=UTF-8"))
	one("latin-1", "a media type with another charset", "BIND-6", unsupported, with(part, "mediaType", "text/turtle; charset=iso-8859-1"))
	one("no-type", "no media type", "BIND-5", unsupported, without(part, "mediaType"))
	one("plain", "a text for people, by its media type", "BIND-5", unsupported, with(part, "mediaType", "text/plain"))
	one("trig", "TriG, by its media type", "PARSE-5, BIND-5", unsupported, with(part, "mediaType", "application/trig"))
	one("json", "JSON, by its media type", "BIND-5", unsupported, with(part, "mediaType", "application/json"))
	one("no-pin", "no hash of the document", "BIND-9", malformed, tagged(extensionHash, nil))
	one("pin-number", "a number for the hash", "BIND-13", malformed, tagged(extensionHash, 1))
	one("pin-capitals", "a hash in capitals", "HASH-5", refused("unsupported-hash"), tagged(extensionHash, "SHA256:"+intentDocumentPin[7:]))
	one("pin-algorithm", "a hash of another algorithm", "HASH-4", refused("unsupported-hash"), tagged(extensionHash, "sha512:"+intentDocumentPin[7:]))
	one("pin-other", "a document that is neither declared nor agreed", "BIND-9", refused(notAgreed), tagged(extensionHash, strangerPin))
	one("kind-capitals", "a kind that there is not", "BIND-2", malformed, tagged(extensionKind, "Intent"))
	one("kind-boolean", "a kind that is no text", "BIND-13", malformed, tagged(extensionKind, true))
	one("no-kind", "a hash without a kind", "BIND-1", malformed, tagged(extensionKind, nil))
	one("kind-response", "a response, which nobody asked for", "BIND-12", malformed, tagged(extensionKind, "response"))
	one("kind-offer", "an offer, by its metadata", "BIND-1", malformed, tagged(extensionKind, "upgrade-offer"))
	one("two", "two intents in a message", "BIND-3", malformed, part, part)
	one("url", "an intent at an address", "BIND-1, SEC-2", malformed, with(without(part, "text"), "url", "https://peer.example/i.ttl"))
	one("raw", "an intent in bytes", "BIND-1", malformed, with(without(part, "text"), "raw", "PHVybjppPg=="))
	one("data", "an intent in JSON that was read already", "BIND-1", malformed, with(without(with(part, "mediaType", "application/ld+json"), "text"), "data", object{"@id": "urn:i", "@type": "https://w3id.org/jeswr/a2a#Intent"}))
	add("by-agent", "an intent from the role of the agent", "BIND-12", receives(malformed, message("1", ctx, "ROLE_AGENT", part)))
	add("unlisted", "an intent where the extension is not listed", "CARD-8", receives(refused("extension-not-active"), without(message("1", ctx, "ROLE_USER", part), "extensions")))
	add("nothing", "a message that lists the extension and has nothing of it", "SEC-11, CARD-8", receives(malformed, with(message("1", ctx, "ROLE_USER", textPart("please")), "extensions", []string{extensionSpec})))
	active := func(name, title string, becomes object, uris ...string) {
		add(name, title, "CARD-5, CARD-6, VER-3", user("1", ctx, becomes, part).with("activates", append([]string{}, uris...)))
	}
	active("active-both", "a request with two extensions", isIntent, "https://other.example/x", extensionSpec)
	active("inactive", "a request without the extension", refused("extension-not-active"))
	active("inactive-v2", "a request with another version of the extension", refused("extension-not-active"), "https://w3id.org/jeswr/a2a-rdf/v2")
	active("inactive-slash", "a request with nearly the extension", refused("extension-not-active"), extensionSpec+"/")
	add("anonymous", "an intent without a messageId", "RPL-5", receives(malformed, without(message("", ctx, "ROLE_USER", part), "messageId")))

	// What comes twice (section 9.6).
	add("repeated", "the same message again, which is not carried out again", "RPL-2", user("1", ctx, isIntent, part), user("1", ctx, kind("duplicate", ""), part))
	add("repeated-other", "another intent in a message of the same messageId", "RPL-2", user("1", ctx, isIntent, part), user("1", ctx, refused("duplicate-message"), intentPart("<urn:j> a <https://w3id.org/jeswr/a2a#Intent> .\n")))
	add("repeated-refused", "the same message again, which was refused", "RPL-2", user("1", ctx, refused("intent-invalid"), intentPart(badIntent)), user("1", ctx, refused("intent-invalid"), intentPart(badIntent)))
	add("repeated-elsewhere", "the same messageId in another context is another message", "RPL-3", user("1", ctx, isIntent, part), user("1", "ctx-2", isIntent, part))
	add("repeated-by-other", "the same messageId of another peer is another message", "RPL-3", user("1", ctx, isIntent, part), user("1", ctx, isIntent, part).with("peer", "https://other.example/"))
	add("repeated-first", "the same message again, without a context", "RPL-4", user("1", "", isIntent, part), user("1", "", kind("duplicate", ""), part))
	add("repeated-first-other", "another intent in a message of the same messageId, without a context", "RPL-4", user("1", "", isIntent, part), user("1", "", refused("duplicate-message"), intentPart("<urn:j> a <https://w3id.org/jeswr/a2a#Intent> .\n")))
	add("renamed", "the same intent in a message of another messageId", "RPL-2", user("1", ctx, isIntent, part), user("2", ctx, isIntent, part))

	// What the intent is (sections 7.2 and 7.3).
	graph := func(name, title, clause, code, text string) {
		becomes := isIntent
		if code != "" {
			becomes = refused(code)
		}
		one(name, title, clause, becomes, intentPart(text))
	}
	json := func(name, title, clause, code, text string) {
		becomes := isIntent
		if code != "" {
			becomes = refused(code)
		}
		one(name, title, clause, becomes, with(intentPart(text), "mediaType", "application/ld+json"))
	}
	const a2a = "https://w3id.org/jeswr/a2a#"
	graph("graph-empty", "an empty graph", "INT-1", "intent-invalid", "")
	graph("graph-none", "no intent", "INT-1", "intent-invalid", "<urn:i> <urn:amount> 1 .\n")
	graph("graph-two", "two intents in a graph", "INT-1", "intent-invalid", "<urn:i> a <"+a2a+"Intent> . <urn:j> a <"+a2a+"Intent> .\n")
	graph("graph-literal", "a literal for the class of the intent", "INT-1", "intent-invalid", "<urn:i> a \""+a2a+"Intent\" .\n")
	graph("graph-within", "an intent whose action is an intent", "INT-7", "intent-invalid", "<urn:i> a <"+a2a+"Intent> ; <"+a2a+"action> [ a <"+a2a+"Intent> ] .\n")
	graph("graph-invalid", "an intent that does not conform", "INT-2, INT-3", "intent-invalid", badIntent)
	graph("graph-blank", "an intent that is a blank node", "INT-1", "", "[] a <"+a2a+"Intent> .\n")
	graph("graph-cut", "Turtle that is cut", "PARSE-10, SEC-4", "malformed-payload", goodIntent[:len(goodIntent)-4])
	graph("graph-relative", "a relative IRI", "PARSE-6", "malformed-payload", "<i> a <"+a2a+"Intent> .\n")
	graph("graph-prefix", "a prefix that is not declared", "SEC-4", "malformed-payload", "<urn:i> a a2a:Intent .\n")
	graph("graph-mark", "a byte order mark", "PARSE-8", "malformed-payload", "\ufeff"+goodIntent)
	graph("graph-literal-subject", "a literal for a subject", "PARSE-7", "malformed-payload", goodIntent+"\"x\" <urn:p> <urn:o> .\n")
	graph("graph-blank-property", "a blank node for a property", "PARSE-7", "malformed-payload", goodIntent+"<urn:s> _:p <urn:o> .\n")
	graph("graph-triple", "a triple for an object, of RDF 1.2", "PARSE-7", "malformed-payload", goodIntent+"<urn:s> <urn:p> <<( <urn:a> <urn:b> <urn:c> )>> .\n")
	graph("graph-direction", "a text with a direction, of RDF 1.2", "PARSE-7", "malformed-payload", goodIntent+"<urn:s> <urn:p> \"x\"@en--ltr .\n")
	graph("graph-iri", "an IRI with a space", "PARSE-7", "malformed-payload", goodIntent+"<urn:s> <urn:p> <urn:a\\u0020b> .\n")
	graph("graph-policy", "an intent that names a policy, without a chain", "INT-4", "authorization-denied", "<urn:i> a <"+a2a+"Intent> ; <http://www.w3.org/ns/odrl/2/hasPolicy> <urn:p1> .\n")
	json("jsonld", "an intent in JSON-LD", "PARSE-1", "", `{"@id":"urn:i","@type":"`+a2a+`Intent","urn:amount":1}`)
	json("jsonld-context", "an intent in JSON-LD with a context of its own", "PARSE-2", "", `{"@context":{"a2a":"`+a2a+`"},"@id":"urn:i","@type":"a2a:Intent","urn:amount":1}`)
	json("jsonld-remote", "an intent in JSON-LD with a context at an address", "PARSE-2, PARSE-3, SEC-3", "malformed-payload", `{"@context":"https://schema.org/","@id":"urn:i","@type":"`+a2a+`Intent"}`)
	json("jsonld-scoped", "an intent in JSON-LD with a context at an address that is not used", "PARSE-3", "malformed-payload", `{"@context":{"x":{"@id":"urn:x","@context":"https://x.example/c"}},"@id":"urn:i","@type":"`+a2a+`Intent"}`)
	json("jsonld-named", "an intent in JSON-LD in a named graph", "PARSE-5", "malformed-payload", `{"@id":"urn:g","@graph":[{"@id":"urn:i","@type":"`+a2a+`Intent"}]}`)
	json("jsonld-relative", "an intent in JSON-LD with a relative IRI", "PARSE-6", "malformed-payload", `{"@id":"#i","@type":"`+a2a+`Intent"}`)
	json("jsonld-twice", "an intent in JSON-LD with a member twice", "PARSE-9", "malformed-payload", `{"@id":"urn:i","@type":"`+a2a+`Intent","urn:amount":1,"urn:amount":1}`)
	json("jsonld-invalid", "an intent in JSON-LD that does not conform", "INT-2", "intent-invalid", `{"@id":"urn:i","@type":"`+a2a+`Intent","urn:amount":[1,2]}`)
}

// shapedDocument demands of a response that it has one total. It has no blank nodes, so that
// its canonical form is its lines, sorted: shapedDocumentPin is the SHA-256 of that by
// coreutils.
const (
	shapedDocument = `<urn:R> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/ns/shacl#NodeShape> .
<urn:R> <http://www.w3.org/ns/shacl#property> <urn:RP> .
<urn:R> <http://www.w3.org/ns/shacl#targetClass> <https://w3id.org/jeswr/a2a#Intent> .
<urn:RP> <http://www.w3.org/ns/shacl#maxCount> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
<urn:RP> <http://www.w3.org/ns/shacl#path> <urn:amount> .
<urn:S> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/ns/shacl#NodeShape> .
<urn:S> <http://www.w3.org/ns/shacl#property> <urn:SP> .
<urn:S> <http://www.w3.org/ns/shacl#targetClass> <urn:Done> .
<urn:SP> <http://www.w3.org/ns/shacl#minCount> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
<urn:SP> <http://www.w3.org/ns/shacl#path> <urn:total> .
<urn:q> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/jeswr/a2a#ProtocolDocument> .
<urn:q> <https://w3id.org/jeswr/a2a#requestShape> <urn:R> .
<urn:q> <https://w3id.org/jeswr/a2a#responseShape> <urn:S> .
`
	shapedDocumentPin = "sha256:4bdb0f7e603a09eafd8f68b2ec78bf5b12690c95849d5a87c10826f81d4a00e9"

	doneResponse   = "<urn:d> a <urn:Done> ; <urn:total> 3 .\n"
	undoneResponse = "<urn:d> a <urn:Done> .\n"
	spokenResponse = "<urn:d> <urn:total> 3 .\n"
)

// mirroredDocument is shapedDocument with a shape of responses that has intents for its
// target.
var mirroredDocument = replaceOnce("<urn:Done>", "<https://w3id.org/jeswr/a2a#Intent>")(shapedDocument)

const mirroredDocumentPin = "sha256:4d087cf8ca42aa85eea936c3dcfe6d8744a5e12e8090a32c2dbc6eef1e24824f"

// answers is section 7.4: what answers an intent.
func (m exchangeSuite) answers() {
	const ctx = "ctx"
	doc := object{"document": object{"source": "https://alice.example/p", "hash": shapedDocumentPin}}
	agree := agentSays(ctx, answerPart(true, shapedDocumentPin))
	response := func(text string) object { return payload("response", shapedDocumentPin, text) }
	isResponse, invalid, malformed := kind("response", ""), refused("response-invalid"), refused("malformed-payload")
	add := func(name, base, title, clause string, more object, steps ...step) {
		m.add("answered"+prefixed("-", name), base, title, clause, more, steps...)
		if more["document"] != nil {
			m.s.cases[len(m.s.cases)-1].files["document.ttl"] = shapedDocument
		}
	}
	shaped := func(name, title, clause string, becomes object, reply any) {
		base := "answered"
		if name == "" {
			base = ""
		}
		add(name, base, title, clause, doc, saysOffer(ctx, true, ""), replies(0, isAgreed, agree), saysIntent(ctx, ""), replies(2, becomes, reply), saysProse(ctx, upgrade))
	}
	artifact := func(contextID string, listed bool, parts ...object) object {
		t := taskOf("t", contextID, "COMPLETED", nil)
		a := object{"artifactId": "a", "parts": parts}
		if listed {
			a["extensions"] = []string{extensionSpec}
		}
		t["task"].(object)["artifacts"] = []object{a}
		return t
	}
	shaped("", "a response that conforms", "RSP-1", isResponse, agentSays(ctx, response(doneResponse)))
	shaped("undone", "a response that does not conform", "RSP-1", invalid, agentSays(ctx, response(undoneResponse)))
	shaped("nothing", "a response about which the shape says nothing", "RSP-2", invalid, agentSays(ctx, response(spokenResponse)))
	shaped("prose", "words in the place of a response", "RSP-4", invalid, agentSays(ctx, textPart("done")))
	shaped("commented", "words beside a response", "BIND-4", isResponse, agentSays(ctx, textPart("done"), response(doneResponse)))
	shaped("pin", "a response under another document", "RSP-5", invalid, agentSays(ctx, payload("response", strangerPin, doneResponse)))
	shaped("no-pin", "a response without the hash of the document", "RSP-5", malformed, agentSays(ctx, object{"text": doneResponse, "mediaType": "text/turtle", "metadata": object{extensionKind: "response"}}))
	shaped("plain", "a response that is a text for people, by its media type", "BIND-5", refused("unsupported-media-type"), agentSays(ctx, with(response(doneResponse), "mediaType", "text/plain")))
	shaped("two", "two responses", "BIND-3", malformed, agentSays(ctx, response(doneResponse), response(doneResponse)))
	shaped("elsewhere", "a response in another context", "RSP-5", malformed, agentSays("ctx-2", response(doneResponse)))
	shaped("by-user", "a response in the role of the user", "BIND-12", malformed, object{"message": message("r", ctx, "ROLE_USER", response(doneResponse))})
	shaped("artifact", "a response in what a task produced", "BIND-11", isResponse, artifact(ctx, true, response(doneResponse)))
	shaped("artifact-unlisted", "a response in what a task produced, where the extension is not listed", "BIND-11, CARD-8", refused("extension-not-active"), artifact(ctx, false, response(doneResponse)))
	shaped("artifact-two", "two responses in what a task produced", "BIND-11, BIND-3", malformed, artifact(ctx, true, response(doneResponse), response(doneResponse)))
	shaped("artifact-elsewhere", "a response in what a task of another context produced", "RSP-5", malformed, artifact("ctx-2", true, response(doneResponse)))
	status := func(contextID, taskID string) object {
		return taskOf("t", ctx, "COMPLETED", with(message("r", contextID, "ROLE_AGENT", response(doneResponse)), "taskId", taskID))
	}
	shaped("task", "a response in the message of a task", "RSP-5", isResponse, status(ctx, "t"))
	shaped("task-other", "a response in the message of a task, which is of another task", "RSP-5", malformed, status(ctx, "t-2"))
	shaped("task-elsewhere", "a response in the message of a task, which is of another context", "RSP-5", malformed, status("ctx-2", "t"))
	shaped("agreement", "an acceptance in the place of a response", "RSP-4", malformed, agentSays(ctx, answerPart(true, shapedDocumentPin)))
	shaped("intent", "an intent in the place of a response", "BIND-12", malformed, agentSays(ctx, payload("intent", shapedDocumentPin, goodIntent)))
	working := taskOf("t", ctx, "WORKING", with(message("r", ctx, "ROLE_AGENT", response(doneResponse)), "taskId", "t"))
	shaped("working", "a response in a task that goes on", "BIND-11", kind("waiting", ""), working)
	in := func(name, title string, becomes object, reply any) {
		base := "answered-in-task"
		if name == "" {
			base = ""
		}
		add("in-task"+prefixed("-", name), base, title, "RSP-5", doc, saysOffer(ctx, true, ""), replies(0, isAgreed, agree), saysIntent(ctx, "").with("taskId", "t"), replies(2, becomes, reply), saysProse(ctx, upgrade))
	}
	in("", "a response in the task of the intent", isResponse, status(ctx, "t"))
	other := status(ctx, "t-2")
	other["task"].(object)["id"] = "t-2"
	in("other", "a response in another task than the intent", malformed, other)
	in("message-other", "a message with a response in another task than the intent", malformed, object{"message": with(message("r", ctx, "ROLE_AGENT", response(doneResponse)), "taskId", "t-2")})
	in("message", "a message with a response that names no task", isResponse, agentSays(ctx, response(doneResponse)))

	// A document without a shape of responses.
	plain := func(name, title, clause string, becomes object, reply any) {
		base := "answered-freely"
		if name == "" {
			base = ""
		}
		add("freely"+prefixed("-", name), base, title, clause, nil, saysIntent(ctx, ""), replies(0, becomes, reply), saysProse(ctx, upgrade))
	}
	plain("", "words, where the document says nothing of responses", "RSP-3", isResponse, agentSays(ctx, textPart("done")))
	plain("graph", "a graph, where the document says nothing of responses", "RSP-3", isResponse, agentSays(ctx, payload("response", intentDocumentPin, undoneResponse)))
	plain("pin", "a graph under another document, where the document says nothing of responses", "RSP-5", invalid, agentSays(ctx, payload("response", strangerPin, undoneResponse)))
	plain("other-task", "words in another task than they say", "RSP-5", malformed, taskOf("t", ctx, "COMPLETED", with(message("r", ctx, "ROLE_AGENT", textPart("done")), "taskId", "t-2")))
	plain("elsewhere", "words in another context", "RSP-5", malformed, agentSays("ctx-2", textPart("done")))

	// The same from the side that answers.
	answer := func(name, title, clause, code string, respond any) {
		base := "answer"
		if name == "" {
			base = ""
		}
		m.add("answer"+prefixed("-", name), base, title, clause, doc,
			user("1", ctx, sends("accept", ""), offerPart(true, shapedDocumentPin)), user("2", ctx, isIntent, payload("intent", shapedDocumentPin, goodIntent)), step{object{"respond": respond, "to": 1}, may(code)})
		c := &m.s.cases[len(m.s.cases)-1]
		c.files["document.ttl"], c.follows = shapedDocument, nil
		if name, ok := respond.(string); ok && name != "done.ttl" {
			c.follows = []string{name, "done.ttl"}
		} else if !ok {
			c.follows = []string{"done.ttl"}
		}
	}
	m.add("answered-request", "", "an intent under a document whose shape of responses would fail it", "PD-10", object{"document": object{"source": "https://alice.example/p", "hash": mirroredDocumentPin}},
		user("1", "ctx", accepts, offerPart(false, mirroredDocumentPin)), user("2", "ctx", isIntent, payload("intent", mirroredDocumentPin, goodIntent)))
	m.s.cases[len(m.s.cases)-1].files["document.ttl"] = mirroredDocument
	answer("", "a response of this side that conforms", "RSP-1", "", "done.ttl")
	answer("undone", "a response of this side that does not conform", "RSP-1", "response-invalid", "undone.ttl")
	answer("nothing", "a response of this side about which the shape says nothing", "RSP-2", "response-invalid", "spoken.ttl")
	answer("prose", "words of this side in the place of a response", "RSP-4", "response-invalid", nil)
	m.add("answer-freely", "", "words of this side, where the document says nothing of responses", "RSP-3", nil,
		user("1", ctx, isIntent, intentPart(goodIntent)), step{object{"respond": nil, "to": 0}, may("")})
}

// failures is section 8: what a peer says of its failure, which never allows prose.
func (m exchangeSuite) failures() {
	const ctx = "ctx"
	rpc := func(data any) object {
		e := object{"code": -32602, "message": "no"}
		if data != nil {
			e["data"] = data
		}
		return object{"jsonrpc": "2.0", "id": "1", "error": e}
	}
	detail := func(v any) object {
		return object{"@type": "type.googleapis.com/google.protobuf.Struct", extensionCode: v}
	}
	info := object{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "INVALID_PARAMS", "domain": "a2a-protocol.org"}
	add := func(name, title, clause string, becomes object, reply any) {
		base := "failure"
		if name == "" {
			base = ""
		}
		m.add("failure"+prefixed("-", name), base, title, clause, nil, saysIntent(ctx, ""), replies(0, becomes, reply), saysProse(ctx, upgrade))
	}
	failed, plain := kind("failed", "intent-invalid"), kind("failed", "")
	add("", "an error with a code", "SEC-9, SEC-10", failed, rpc([]object{detail("intent-invalid"), info}))
	add("second", "an error with a code in its second detail", "SEC-9", failed, rpc([]object{info, detail("intent-invalid")}))
	add("value", "an error with a code in a value", "SEC-9", failed, rpc([]object{{"@type": "type.googleapis.com/google.protobuf.Struct", "value": object{extensionCode: "intent-invalid"}}}))
	add("metadata", "an error with a code in its metadata", "SEC-9", failed, rpc([]object{with(info, "metadata", object{extensionCode: "intent-invalid"})}))
	add("object", "an error with a code in an object, where a list is expected", "SEC-9", failed, rpc(detail("intent-invalid")))
	add("none", "an error without a code", "SEC-9", plain, rpc(nil))
	add("number", "an error with a number for a code", "SEC-9", plain, rpc([]object{detail(7)}))
	add("capitals", "an error with a code in capitals", "SEC-9", plain, rpc([]object{detail("INTENT-INVALID")}))
	add("unknown", "an error with a code that there is not", "SEC-9", plain, rpc([]object{detail("please-use-prose")}))
	add("key", "an error with a code under another key", "SEC-9", plain, rpc([]object{{"@type": "type.googleapis.com/google.protobuf.Struct", extensionSpec: "intent-invalid"}}))
	task := func(state string, metadata object) object {
		return taskOf("t", ctx, state, object{"messageId": "r", "role": "ROLE_AGENT", "contextId": ctx, "taskId": "t", "extensions": []string{extensionSpec}, "metadata": metadata, "parts": []object{textPart("no")}})
	}
	code := object{extensionCode: "intent-invalid"}
	add("task", "a task that failed, with a code", "SEC-9", failed, task("FAILED", code))
	event := taskOf("t", ctx, "FAILED", nil)
	event["task"].(object)["metadata"] = code
	add("task-event", "a task that failed, with a code in the metadata of its events", "SEC-9", failed, event)
	add("task-rejected", "a task that was rejected, with a code", "SEC-9", failed, task("REJECTED", code))
	add("task-number", "a task that failed, with a number for a code", "SEC-9", plain, task("FAILED", object{extensionCode: 7}))
	add("task-done", "a task that is done, with a code, which means nothing", "RSP-3", kind("response", ""), task("COMPLETED", code))
	add("upgrade", "an error that demands what was done", "SEC-9", kind("failed", upgrade), rpc([]object{detail(upgrade)}))
}
