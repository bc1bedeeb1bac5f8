package vectors_test

import (
	"maps"
	"strings"
)

const (
	extensionKind = extensionSpec + "/kind"
	extensionHash = extensionSpec + "/protocolHash"
	extensionCode = extensionSpec + "/error"

	goodIntent = "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1 .\n"
	badIntent  = "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1, 2 .\n"

	conversationCard = `{
  "name": "Alice", "description": "Accepts intents.", "version": "1",
  "supportedInterfaces": [{"url": "https://alice.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
  "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [],
  "capabilities": {"extensions": [{"uri": "` + extensionSpec + `", "params": {"protocolDocuments": [{"source": "https://alice.example/p", "hash": "` + intentDocumentPin + `"}]}}]}
}
`
)

// step is what happens, and what must come of it.
type step struct{ say, becomes object }

// exchangeSuite makes cases of the operation converse.
type exchangeSuite struct{ s *ownSuite }

// exchangeVectors are what agents say one after the other: offers of either side, what is
// agreed, where it holds and how it ends, and what the messages carry (sections 5 to 8).
func exchangeVectors(s *ownSuite) {
	m := exchangeSuite{s}
	m.offered()
	m.fetched()
	m.serverOffers()
	m.withdrawn()
	m.contexts()
	m.messages()
	m.answers()
	m.failures()
}

// add adds a case in which both sides declare the document, or with more a member
// "document" nobody does.
func (m exchangeSuite) add(name, base, title, clause string, more object, steps ...step) {
	var say, become []object
	for _, s := range steps {
		say, become = append(say, s.say), append(become, s.becomes)
	}
	input := object{"documents": object{"https://alice.example/p": "document.ttl"}, "now": cardNow, "steps": say}
	files := map[string]string{"document.ttl": intentDocument, "good.ttl": goodIntent}
	maps.Copy(input, more)
	if input["document"] == nil {
		input["card"] = "card.json"
		files["card.json"] = conversationCard
	}
	for _, s := range steps {
		for _, member := range []string{"intent", "respond"} {
			if file, ok := s.say[member].(string); ok {
				files[file] = map[string]string{"good.ttl": goodIntent, "done.ttl": doneResponse, "undone.ttl": undoneResponse, "spoken.ttl": spokenResponse}[file]
			}
		}
	}
	m.s.cases = append(m.s.cases, ownCase{
		name: "converse-" + name, base: prefixed("converse-", base), operation: "converse", title: title, clause: clause,
		input: input, expected: object{"steps": become}, files: files,
	})
}

// accepted is a document that no card declares.
func accepted() object {
	return object{"document": object{"source": "https://alice.example/p", "hash": intentDocumentPin}}
}

func with(o object, name string, v any) object {
	o = maps.Clone(o)
	o[name] = v
	return o
}

func inContext(o object, contextID string) object {
	if contextID == "" {
		return o
	}
	return with(o, "contextId", contextID)
}

func (s step) with(name string, v any) step { return step{with(s.say, name, v), s.becomes} }

func kind(kind, code string) object {
	if code == "" {
		return object{"kind": kind}
	}
	return object{"kind": kind, "code": code}
}

func refused(code string) object { return kind("refused", code) }

func sends(what, code string) object { return with(kind("reply", code), "sends", what) }

// may is what comes of what this side would like to send.
func may(code string) object {
	switch code {
	case "":
		return object{"maySend": true}
	case "no":
		return object{"maySend": false}
	}
	return object{"maySend": false, "code": code}
}

func saysProse(contextID, code string) step {
	return step{inContext(object{"send": "prose"}, contextID), may(code)}
}

func saysIntent(contextID, code string) step {
	return step{inContext(object{"send": "intent", "intent": "good.ttl"}, contextID), may(code)}
}

func saysOffer(contextID string, required bool, code string) step {
	return step{inContext(object{"send": "offer", "required": required}, contextID), may(code)}
}

// message is a message of A2A, which lists the extension where a part is tagged.
func message(id, contextID, role string, parts ...object) object {
	m := inContext(object{"messageId": id, "role": role, "parts": parts}, contextID)
	for _, p := range parts {
		if p["metadata"] != nil {
			m["extensions"] = []string{extensionSpec}
		}
	}
	return m
}

func textPart(s string) object { return object{"text": s} }

func offerPart(required any, hash string) object {
	return object{
		"data":     object{"kind": "upgrade-offer", "protocolHash": hash, "protocolSource": "https://alice.example/p", "required": required},
		"metadata": object{extensionKind: "upgrade-offer"},
	}
}

func answerPart(accept any, hash string) object {
	return object{
		"data":     object{"kind": "upgrade-response", "protocolHash": hash, "accept": accept},
		"metadata": object{extensionKind: "upgrade-response"},
	}
}

func payload(kind, hash, text string) object {
	return object{"text": text, "mediaType": "text/turtle", "metadata": object{extensionKind: kind, extensionHash: hash}}
}

func intentPart(text string) object { return payload("intent", intentDocumentPin, text) }

func receives(becomes object, m object) step { return step{object{"receive": m}, becomes} }

// user is a message of the peer's that asks for something.
func user(id, contextID string, becomes object, parts ...object) step {
	return receives(becomes, message(id, contextID, "ROLE_USER", parts...))
}

func replies(to int, becomes object, v any) step { return step{object{"reply": v, "to": to}, becomes} }

// agentSays is a reply with a message.
func agentSays(contextID string, parts ...object) object {
	return object{"message": message("r", contextID, "ROLE_AGENT", parts...)}
}

// taskOf is a reply with a task.
func taskOf(id, contextID, state string, status object) object {
	s := object{"state": "TASK_STATE_" + state}
	if status != nil {
		s["message"] = status
	}
	return object{"task": object{"id": id, "contextId": contextID, "status": s}}
}

const (
	upgrade     = "upgrade-required"
	notAgreed   = "unsupported-protocol"
	strangerPin = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	laterBy29s  = "2026-08-01T00:00:29Z"
	laterBy30s  = "2026-08-01T00:00:30Z"
	laterBy1h   = "2026-08-01T01:00:00Z"
	justInADay  = "2026-08-01T23:59:59Z"
	aDayLater   = "2026-08-02T00:00:01Z"
)

var (
	isIntent, isProse, isAgreed = kind("intent", ""), kind("prose", ""), kind("agreed", "")
	accepts                     = sends("accept", "")
)

// offered is section 5.4: the peer offers a document that no card declares and that this
// side accepts.
func (m exchangeSuite) offered() {
	add := func(name, base, title, clause string, more object, steps ...step) {
		all := accepted()
		maps.Copy(all, more)
		if base == "." {
			base = " "
		}
		m.add("offered"+prefixed("-", name), strings.TrimSpace(prefixed("offered", base)), title, clause, all, steps...)
	}
	const ctx = "ctx"
	offer := user("1", ctx, accepts, offerPart(false, intentDocumentPin))
	asks := func(id, contextID string, becomes object) step {
		return user(id, contextID, becomes, intentPart(goodIntent))
	}
	hello := func(id, contextID string, becomes object) step {
		return user(id, contextID, becomes, textPart("please"))
	}
	add("", "", "an offer of the peer that is accepted: intents are taken where it was made, and prose elsewhere", "BIND-9, DG-6", nil,
		offer, asks("2", ctx, isIntent), hello("3", ctx, refused(upgrade)), asks("4", "ctx-2", refused(notAgreed)), hello("5", "ctx-3", isProse))
	add("required", ".", "an offer of the peer that is required, which makes no difference to the answer", "DG-7", nil,
		user("1", ctx, accepts, offerPart(true, intentDocumentPin)), asks("2", ctx, isIntent), hello("3", ctx, refused(upgrade)), asks("4", "ctx-2", refused(notAgreed)), hello("5", "ctx-3", isProse))
	add("not", ".", "an intent before anything was offered", "BIND-9", nil, asks("2", ctx, refused(notAgreed)), offer, asks("4", ctx, isIntent))
	add("again", ".", "an offer of what is agreed already, which is accepted again", "BIND-9", nil, offer, user("2", ctx, accepts, offerPart(false, intentDocumentPin)), asks("3", ctx, isIntent))
	add("repeated", ".", "the same message with an offer, which gets the same answer", "RPL-2", nil,
		offer, user("1", ctx, accepts, offerPart(false, intentDocumentPin)), asks("2", ctx, isIntent))
	add("repeated-other", "-repeated", "an offer with the messageId of another one", "RPL-2", nil,
		offer, user("1", ctx, refused("duplicate-message"), offerPart(true, intentDocumentPin)), asks("2", ctx, isIntent))
	add("other-peer", ".", "what is agreed with one peer is not agreed with another", "BIND-9", nil, offer, asks("2", ctx, refused(notAgreed)).with("peer", "https://other.example/"), asks("3", ctx, isIntent))
	add("nobody", ".", "what is agreed with a peer that is not authenticated holds in the context alone", "BIND-9", nil,
		offer.with("anonymous", true), asks("2", ctx, isIntent).with("anonymous", true), asks("3", "ctx-2", refused(notAgreed)).with("anonymous", true), asks("4", ctx, refused(notAgreed)))
	across := object{"acrossContexts": true}
	add("across", "", "what is agreed holds in all contexts, where this side wants that", "BIND-9, DG-6", across, offer, asks("2", ctx, isIntent), asks("3", "ctx-2", isIntent), hello("4", "ctx-3", refused(upgrade)))
	add("across-other-peer", "-across", "what is agreed in all contexts with one peer is not agreed with another", "BIND-9", across,
		offer, asks("2", ctx, isIntent), asks("3", "ctx-2", refused(notAgreed)).with("peer", "https://other.example/"), hello("4", "ctx-3", isProse).with("peer", "https://other.example/"))
	add("across-nobody", "-across", "what is agreed with a peer that is not authenticated holds in the context alone, also where this side wants more", "BIND-9", across,
		offer.with("anonymous", true), asks("2", ctx, isIntent).with("anonymous", true), asks("3", "ctx-2", refused(notAgreed)).with("anonymous", true))
	add("day", ".", "what is agreed holds for a day", "BIND-9", nil, offer, asks("2", ctx, isIntent).with("now", justInADay))
	add("old", "-day", "what was agreed a day ago", "BIND-9", nil, offer, asks("2", ctx, refused(notAgreed)).with("now", aDayLater), user("3", ctx, accepts, offerPart(false, intentDocumentPin)), asks("4", ctx, isIntent))
	declines := sends("decline", notAgreed)
	add("other", ".", "an offer of a document that this side does not want", "VAL-7", nil, user("1", ctx, declines, offerPart(false, strangerPin)), asks("2", ctx, refused(notAgreed)), hello("3", ctx, isProse))
	// A required offer forbids prose where it was made, whatever comes of it.
	silent := func(id string) []step {
		return []step{hello(id, ctx, refused(upgrade)), saysProse(ctx, upgrade), hello(id, "ctx-2", isProse), saysProse("ctx-2", "")}
	}
	add("required-other", ".", "a required offer of a document that this side does not want: the exchange is over, and nothing of it is said in prose", "DG-3, DG-4", nil,
		append([]step{user("1", ctx, declines, offerPart(true, strangerPin)), asks("2", ctx, refused(notAgreed))}, silent("3")...)...)
	add("required-other-informal", "-required-other", "a required offer that this side does not accept, where nothing depends on the document for this side", "DG-3, DG-4", object{"informal": true},
		append([]step{user("1", ctx, declines, offerPart(true, strangerPin)), asks("2", ctx, refused(notAgreed))}, silent("3")...)...)
	add("required-other-accepted", "-required-other", "a required offer of a document that this side does not want, and then one that it accepts", "DG-3, DG-6", nil,
		append([]step{user("1", ctx, declines, offerPart(true, strangerPin)), user("2", ctx, accepts, offerPart(false, intentDocumentPin)), asks("3", ctx, isIntent)}, silent("4")...)...)
	late := silent("3")
	late[0] = late[0].with("now", aDayLater)
	add("required-old", "-old", "a required offer of the peer that was accepted a day ago", "DG-4, DG-6", nil,
		append([]step{user("1", ctx, accepts, offerPart(true, intentDocumentPin)), asks("2", ctx, isIntent)}, late...)...)
	add("required-lowered", "-required-old", "a required offer, and then an optional one, of what is agreed already a day ago", "DG-4, DG-6", nil,
		append([]step{user("1", ctx, accepts, offerPart(true, intentDocumentPin)), user("2", ctx, accepts, offerPart(false, intentDocumentPin))}, late...)...)
	add("required-raised", "-required-old", "an optional offer, and then a required one, of what is agreed already a day ago", "DG-4, DG-6", nil,
		append([]step{user("1", ctx, accepts, offerPart(false, intentDocumentPin)), user("2", ctx, accepts, offerPart(true, intentDocumentPin))}, late...)...)
	add("required-back", "-required-old", "no optional offer of this side after a required one of the peer that is over", "DG-4", nil,
		user("1", ctx, accepts, offerPart(true, intentDocumentPin)), asks("2", ctx, isIntent), saysOffer(ctx, false, "no").with("now", aDayLater), saysOffer("ctx-2", false, ""), saysOffer(ctx, true, ""), saysProse(ctx, upgrade))
	add("algorithm", ".", "an offer with a hash of another algorithm", "HASH-4, HS-7", nil, user("1", ctx, refused("unsupported-hash"), offerPart(false, "sha512:"+intentDocumentPin[7:])), asks("2", ctx, refused(notAgreed)))
	add("text", ".", "an offer whose flag is a text", "HS-3", nil, user("1", ctx, refused("malformed-payload"), offerPart("false", intentDocumentPin)), asks("2", ctx, refused(notAgreed)))
	add("inactive", ".", "an offer without the extension", "CARD-5, CARD-15", nil, offer.with("activates", []string{}).becoming(refused("extension-not-active")), asks("2", ctx, refused(notAgreed)))

	untagged := offerPart(false, intentDocumentPin)
	delete(untagged, "metadata")
	listed := func(id string, parts ...object) object {
		return with(message(id, ctx, "ROLE_USER", parts...), "extensions", []string{extensionSpec})
	}
	add("untagged", ".", "an offer that only says itself what it is, where the extension is listed", "BIND-1", nil, receives(accepts, listed("1", untagged)), asks("2", ctx, isIntent))
	add("unlisted", "-untagged", "an offer that only says itself what it is, where the extension is not listed: ordinary content", "CARD-8", nil, user("1", ctx, isProse, untagged), asks("2", ctx, refused(notAgreed)))
	rdf := func(id, mediaType string, becomes object) step {
		return user(id, ctx, becomes, object{
			"text":      "<urn:a2a:handshake> a <https://w3id.org/jeswr/a2a#UpgradeOffer> ; <https://w3id.org/jeswr/a2a#protocolHash> \"" + intentDocumentPin + "\" ;\n  <https://w3id.org/jeswr/a2a#protocolSource> <https://alice.example/p> ; <https://w3id.org/jeswr/a2a#required> false .\n",
			"mediaType": mediaType, "metadata": object{extensionKind: "upgrade-offer"},
		})
	}
	add("rdf", ".", "an offer in RDF, which is answered in RDF", "HSR-1", nil, rdf("1", "text/turtle", accepts), asks("2", ctx, isIntent))
	add("rdf-json", "-rdf", "an offer in RDF that is called JSON", "BIND-5", nil, rdf("1", "application/json", refused("unsupported-media-type")), asks("2", ctx, refused(notAgreed)))
	part := func(change func(metadata object)) object {
		p := offerPart(false, intentDocumentPin)
		metadata := maps.Clone(p["metadata"].(object))
		change(metadata)
		return with(p, "metadata", metadata)
	}
	malformed := refused("malformed-payload")
	add("kind", ".", "an offer that the metadata calls a response", "BIND-1", nil, user("1", ctx, malformed, part(func(o object) { o[extensionKind] = "upgrade-response" })), asks("2", ctx, refused(notAgreed)))
	add("pin", ".", "an offer with its hash in the metadata", "BIND-1", nil, user("1", ctx, accepts, part(func(o object) { o[extensionHash] = intentDocumentPin })), asks("2", ctx, isIntent))
	add("pin-other", "-pin", "an offer with another hash in the metadata", "BIND-1", nil, user("1", ctx, malformed, part(func(o object) { o[extensionHash] = strangerPin })), asks("2", ctx, refused(notAgreed)))
	add("two", ".", "two offers in a message", "BIND-3", nil, user("1", ctx, malformed, offerPart(false, intentDocumentPin), offerPart(false, intentDocumentPin)), asks("2", ctx, refused(notAgreed)))
	add("and-intent", ".", "an offer and an intent in a message", "BIND-3", nil, user("1", ctx, malformed, offerPart(false, intentDocumentPin), intentPart(goodIntent)), asks("2", ctx, refused(notAgreed)))
	add("commented", ".", "an offer with words beside it", "BIND-4", nil, user("1", ctx, accepts, textPart("Shall we?"), offerPart(false, intentDocumentPin)), asks("2", ctx, isIntent))
	add("by-agent", ".", "an offer from the role of the agent", "BIND-12", nil, receives(accepts, message("1", ctx, "ROLE_AGENT", offerPart(false, intentDocumentPin))), asks("2", ctx, isIntent))
	add("unasked", ".", "an acceptance of what nobody offered", "DG-5", nil, user("1", ctx, refused(notAgreed), answerPart(true, intentDocumentPin)), asks("2", ctx, refused(notAgreed)))
}

// becoming is a step of which something else comes.
func (s step) becoming(becomes object) step { return step{s.say, becomes} }

// fetched is what comes of an offer of a document that this side must get first.
func (m exchangeSuite) fetched() {
	add := func(name, title, clause, hash string, documents object, text string, becomes object, follows ...string) {
		more := object{"document": object{"source": "https://alice.example/p", "hash": hash}, "unheld": true, "documents": documents}
		base, intent := "offered-fetched", isIntent
		if name == "" {
			base = ""
		}
		if becomes["code"] != nil {
			intent = refused(notAgreed)
		}
		m.add("offered-fetched"+prefixed("-", name), base, title, clause, more,
			user("1", "ctx", becomes, offerPart(false, hash)), user("2", "ctx", intent, payload("intent", hash, goodIntent)))
		c := &m.s.cases[len(m.s.cases)-1]
		c.files["document.ttl"], c.follows = text, follows
		if text == "" {
			delete(c.files, "document.ttl")
		}
	}
	served := object{"https://alice.example/p": "document.ttl"}
	add("", "an offer of a document that this side gets", "HASH-2", intentDocumentPin, served, intentDocument, accepts)
	add("missing", "an offer of a document that is not there", "FETCH-10", intentDocumentPin, object{"https://alice.example/p": object{"status": 404}}, "", sends("decline", "protocol-unavailable"), "document.ttl")
	add("elsewhere", "an offer of a document that is somewhere else", "FETCH-11", intentDocumentPin, object{"https://alice.example/q": "document.ttl"}, intentDocument, sends("decline", "protocol-unavailable"))
	add("html", "an offer of a document that is of another type", "PARSE-12, FETCH-10", intentDocumentPin, object{"https://alice.example/p": object{"file": "document.ttl", "mediaType": "text/html"}}, intentDocument, sends("decline", "protocol-unavailable"))
	mismatch := sends("decline", "protocol-hash-mismatch")
	add("other", "an offer of a document that has another hash", "HASH-2, HASH-3", intentDocumentPin, served, replaceOnce("sh:maxCount 1", "sh:maxCount 2")(intentDocument), mismatch)
	add("cut", "an offer of a document that is cut", "HASH-7", intentDocumentPin, served, intentDocument[:len(intentDocument)-9], mismatch)
	add("same", "an offer of a document that is written otherwise", "HASH-6", intentDocumentPin, served, "# the same\n"+intentDocument, accepts)
	add("invalid", "an offer of what has its hash and is no Protocol Document", "PD-3, VAL-6", bareDocumentPin, served, bareDocument, sends("decline", "invalid-protocol-document"), "document", "steps")
}

// bareDocument is no Protocol Document: it has no request shape. It is its own canonical
// form, so that its hash is that of its bytes.
const (
	bareDocument    = "<urn:p> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/jeswr/a2a#ProtocolDocument> .\n"
	bareDocumentPin = "sha256:5c6ea573dd1b31ce3aa565211106b29b683162830411d80e1d379a79d09c83dc"
)

// serverOffers is section 5.6: an agent answers what it was asked with an offer, and the
// client what may then be said.
func (m exchangeSuite) serverOffers() {
	const ctx = "ctx"
	asked := func(contextID, hash string) object { return agentSays(contextID, offerPart(true, hash)) }
	add := func(name, base, title, clause string, steps ...step) {
		m.add("answered-by-offer"+prefixed("-", name), base, title, clause, accepted(), steps...)
	}
	first := "answered-by-offer"
	add("", "", "prose that is answered by a required offer, which is accepted: from then on intents are sent there, and prose elsewhere", "DG-6, BIND-9",
		saysProse("", ""), replies(0, accepts, asked(ctx, intentDocumentPin)), saysProse(ctx, upgrade), saysIntent(ctx, ""), saysIntent("ctx-2", notAgreed), saysProse("ctx-2", ""))
	add("optional", first, "prose that is answered by an optional offer, which is accepted as well", "DG-6",
		saysProse("", ""), replies(0, accepts, agentSays(ctx, offerPart(false, intentDocumentPin))), saysProse(ctx, upgrade), saysIntent(ctx, ""), saysIntent("ctx-2", notAgreed), saysProse("ctx-2", ""))
	add("task", first, "prose that is answered by a task, which asks for it by an offer", "DG-6, BIND-9",
		saysProse("", ""), replies(0, accepts, taskOf("t", ctx, "INPUT_REQUIRED", with(message("r", ctx, "ROLE_AGENT", offerPart(true, intentDocumentPin)), "taskId", "t"))),
		saysProse(ctx, upgrade), saysIntent(ctx, ""), saysIntent("ctx-2", notAgreed), saysProse("ctx-2", ""))
	add("none", first, "prose that is answered by prose", "BIND-9", saysProse("", ""), replies(0, isProse, agentSays(ctx, textPart("hello"))), saysProse(ctx, ""), saysIntent(ctx, notAgreed))
	add("other", first, "prose that is answered by an offer of a document that this side does not want", "VAL-7",
		saysProse("", ""), replies(0, sends("decline", notAgreed), asked(ctx, strangerPin)), saysIntent(ctx, notAgreed))
	add("nowhere", first, "prose that is answered by an offer without a context", "DG-2",
		saysProse("", ""), replies(0, refused("malformed-payload"), asked("", intentDocumentPin)), saysIntent(ctx, notAgreed))
	add("moved", first, "prose in a context that is answered by an offer in another one", "BIND-9",
		saysProse(ctx, ""), replies(0, refused("malformed-payload"), asked("ctx-2", intentDocumentPin)), saysIntent(ctx, notAgreed), saysIntent("ctx-2", notAgreed))
	add("by-user", first, "prose that is answered by an offer in the role of the user", "BIND-12",
		saysProse("", ""), replies(0, refused("malformed-payload"), object{"message": message("r", ctx, "ROLE_USER", offerPart(true, intentDocumentPin))}), saysIntent(ctx, notAgreed))
	add("text", first, "prose that is answered by an offer whose flag is a text", "HS-3, SEC-7",
		saysProse("", ""), replies(0, refused("malformed-payload"), agentSays(ctx, offerPart("true", intentDocumentPin))), saysIntent(ctx, notAgreed))
	add("two", first, "prose that is answered by two offers", "BIND-3",
		saysProse("", ""), replies(0, refused("malformed-payload"), agentSays(ctx, offerPart(true, intentDocumentPin), offerPart(true, intentDocumentPin))), saysIntent(ctx, notAgreed))
	unlisted := asked(ctx, intentDocumentPin)
	delete(unlisted["message"].(object), "extensions")
	add("unlisted", first, "prose that is answered by an offer where the extension is not listed", "CARD-8, SEC-11",
		saysProse("", ""), replies(0, refused("extension-not-active"), unlisted), saysIntent(ctx, notAgreed))
	add("failed", first, "prose that is answered by a task that failed, with an offer", "SEC-9",
		saysProse("", ""), replies(0, kind("failed", ""), taskOf("t", ctx, "FAILED", with(message("r", ctx, "ROLE_AGENT", offerPart(true, intentDocumentPin)), "taskId", "t"))), saysIntent(ctx, notAgreed))
	add("withdrawn", first, "an offer of an agent that is accepted, and then withdrawn by it", "DG-6",
		saysProse("", ""), replies(0, accepts, asked(ctx, intentDocumentPin)), saysIntent(ctx, ""),
		step{object{"withdraw": true, "contextId": ctx}, object{"withdrawn": true}}, saysIntent(ctx, notAgreed))
	add("withdrawn-prose", "answered-by-offer-withdrawn", "a required offer of an agent that is accepted, and then withdrawn by it: no prose takes its place", "DG-4, DG-6",
		saysProse("", ""), replies(0, accepts, asked(ctx, intentDocumentPin)), saysIntent(ctx, ""),
		step{object{"withdraw": true, "contextId": ctx}, object{"withdrawn": true}}, saysProse(ctx, upgrade), saysProse("ctx-2", ""))
	add("other-prose", "answered-by-offer-other", "prose that is answered by a required offer which is declined: no more prose there", "DG-3, DG-4",
		saysProse("", ""), replies(0, sends("decline", notAgreed), asked(ctx, strangerPin)), saysProse(ctx, upgrade), replies(1, refused(upgrade), agentSays(ctx, textPart("then in words"))), saysProse("ctx-2", ""))
	m.add("answered-by-offer-to-offer", "", "an offer that is answered by an offer of the same document", "DG-2, DG-6", accepted(),
		saysOffer(ctx, false, ""), replies(0, accepts, asked(ctx, intentDocumentPin)), saysProse(ctx, upgrade), saysIntent(ctx, ""))
	m.add("answered-by-offer-to-intent", "", "an intent under a declared document that is answered by an offer of it", "DG-6", nil,
		saysIntent(ctx, ""), replies(0, accepts, asked(ctx, intentDocumentPin)), saysProse(ctx, upgrade), saysIntent(ctx, ""))

	// The same from the side of the agent, whose prose is all about one routine.
	served := func(name, base, title, clause string, more object, steps ...step) {
		all := object{"offersInReply": true}
		maps.Copy(all, more)
		m.add("offers-in-reply"+prefixed("-", name), base, title, clause, all, steps...)
	}
	hello := func(id string, becomes object) step { return user(id, ctx, becomes, textPart("please")) }
	answers := func(id, contextID string, accept any, hash string, becomes object) step {
		return user(id, contextID, becomes, answerPart(accept, hash))
	}
	asks := func(id string) step { return user(id, ctx, isIntent, intentPart(goodIntent)) }
	first = "offers-in-reply"
	offered := sends("required-offer", "")
	aborted := kind("aborted", upgrade)
	served("", "", "prose about a routine that is security-bearing, which is answered by an offer", "DG-3, DG-6", nil,
		hello("1", offered), answers("2", ctx, true, intentDocumentPin, isAgreed), asks("3"), hello("4", refused(upgrade)))
	served("repeated", first, "an acceptance that comes again", "DG-6, RPL-2", nil,
		hello("1", offered), answers("2", ctx, true, intentDocumentPin, isAgreed), answers("3", ctx, true, intentDocumentPin, isAgreed), asks("4"), hello("5", refused(upgrade)))
	served("declined", first, "an offer in reply that is declined", "DG-3", nil, hello("1", offered), answers("2", ctx, false, intentDocumentPin, aborted), hello("3", refused(upgrade)))
	served("declined-late", "offers-in-reply-declined", "an offer in reply that is declined, and accepted after that", "DG-3", nil,
		hello("1", offered), answers("2", ctx, false, intentDocumentPin, aborted), answers("3", ctx, true, intentDocumentPin, aborted), hello("4", refused(upgrade)))
	served("prose", first, "an offer in reply that is answered in prose", "DG-2", nil, hello("1", offered), hello("2", refused(upgrade)))
	served("prose-late", "offers-in-reply-prose", "an offer in reply that is answered in prose, and accepted after that", "DG-2", nil,
		hello("1", offered), hello("2", refused(upgrade)), answers("3", ctx, true, intentDocumentPin, aborted))
	served("text", first, "an offer in reply that is accepted by a text", "HS-3, SEC-7", nil, hello("1", offered), answers("2", ctx, "true", intentDocumentPin, refused("malformed-payload")), answers("3", ctx, true, intentDocumentPin, kind("aborted", "malformed-payload")))
	served("other", first, "an acceptance of another document, which decides nothing", "DG-5", nil,
		hello("1", offered), answers("2", ctx, true, strangerPin, refused(notAgreed)), answers("3", ctx, true, intentDocumentPin, isAgreed))
	served("others", first, "four acceptances of other documents", "DG-5", nil,
		hello("1", offered), answers("2", ctx, true, strangerPin, refused(notAgreed)), answers("3", ctx, true, strangerPin, refused(notAgreed)), answers("4", ctx, true, strangerPin, refused(notAgreed)),
		answers("5", ctx, true, strangerPin, refused(notAgreed)), answers("6", ctx, true, intentDocumentPin, aborted))
	served("elsewhere", first, "an acceptance in another context, which decides nothing", "DG-2", nil,
		hello("1", offered), answers("2", "ctx-2", true, intentDocumentPin, refused(notAgreed)), answers("3", ctx, true, intentDocumentPin, isAgreed))
	served("other-peer", first, "an acceptance by another peer, which decides nothing", "DG-2", nil,
		hello("1", offered), answers("2", ctx, true, intentDocumentPin, refused(notAgreed)).with("peer", "https://other.example/"), answers("3", ctx, true, intentDocumentPin, isAgreed))
	served("in-time", first, "an acceptance after 29 seconds", "DG-2", nil, hello("1", offered), answers("2", ctx, true, intentDocumentPin, isAgreed).with("now", laterBy29s))
	served("late", "offers-in-reply-in-time", "an acceptance after 30 seconds", "DG-2", nil, hello("1", offered), answers("2", ctx, true, intentDocumentPin, aborted).with("now", laterBy30s))
	served("informal", first, "prose about a routine on which nothing depends", "DG-4", object{"informal": true}, hello("1", isProse))
	m.s.cases[len(m.s.cases)-1].follows = []string{"steps"}
	served("intent", first, "an intent in the place of the answer, under a document that the card declares", "CARD-13", nil, hello("1", offered), asks("2"), hello("3", refused(upgrade)))
	served("inactive", first, "prose without the extension, which cannot be answered by an offer", "CARD-5", nil, hello("1", refused(upgrade)).with("activates", []string{}))
}

// withdrawn is what ends an offer or an agreement (sections 5.3 and 5.5).
func (m exchangeSuite) withdrawn() {
	const ctx = "ctx"
	withdraws := func(contextID string, was bool) step {
		return step{object{"withdraw": true, "contextId": contextID}, object{"withdrawn": was}}
	}
	add := func(name, base, title, clause string, steps ...step) {
		m.add("withdrawn"+prefixed("-", name), base, title, clause, accepted(), steps...)
	}
	agree := agentSays(ctx, answerPart(true, intentDocumentPin))
	decline := agentSays(ctx, answerPart(false, intentDocumentPin))
	aborted := kind("aborted", upgrade)
	const first = "withdrawn-not"

	// What this side offered.
	add("not", "", "an offer that is accepted", "DG-6", saysOffer(ctx, false, ""), replies(0, isAgreed, agree), saysIntent(ctx, ""), saysProse(ctx, upgrade))
	add("", first, "an agreement that this side withdraws: no more intents, and no prose either", "DG-6",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), withdraws(ctx, true), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	add("twice", "withdrawn", "an agreement that this side withdraws twice", "DG-6",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), withdraws(ctx, true), withdraws(ctx, false), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	add("elsewhere", first, "a withdrawal in another context", "BIND-9",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), withdraws("ctx-2", false), saysIntent(ctx, ""), saysProse(ctx, upgrade))
	add("from-other", first, "a withdrawal from what is agreed with another peer", "BIND-9",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), withdraws(ctx, false).with("peer", "https://other.example/"), saysIntent(ctx, ""), saysProse(ctx, upgrade))
	add("and-declined", "withdrawn", "a new offer after a withdrawal, which is declined: now prose is allowed", "DG-1",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), withdraws(ctx, true), saysOffer(ctx, false, ""), saysProse(ctx, upgrade), replies(3, kind("declined", ""), decline), saysProse(ctx, ""), saysIntent(ctx, notAgreed))
	add("and-accepted", "withdrawn", "a new offer after a withdrawal, which is accepted", "DG-6",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), withdraws(ctx, true), saysOffer(ctx, false, ""), saysIntent(ctx, notAgreed), replies(3, isAgreed, agree), saysIntent(ctx, ""), saysProse(ctx, upgrade))
	add("and-required", "withdrawn-and-declined", "a required offer after a withdrawal, which is declined", "DG-3",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), withdraws(ctx, true), saysOffer(ctx, true, ""), saysProse(ctx, upgrade), replies(3, aborted, decline), saysProse(ctx, upgrade), saysIntent(ctx, notAgreed))
	add("and-answered", "withdrawn", "the old acceptance once more, after a withdrawal", "DG-6",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), withdraws(ctx, true), replies(0, aborted, agree), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	add("pending", first, "a withdrawal before the answer: there is no agreement yet, and the offer stays one", "DG-2",
		saysOffer(ctx, false, ""), withdraws(ctx, false), saysProse(ctx, upgrade), replies(0, isAgreed, agree), saysIntent(ctx, ""), saysProse(ctx, upgrade))
	add("declined", first, "a withdrawal after a decline, which changes nothing", "DG-1",
		saysOffer(ctx, false, ""), replies(0, kind("declined", ""), decline), withdraws(ctx, false), saysProse(ctx, ""), saysIntent(ctx, notAgreed))
	add("offered-again", first, "an offer of what is agreed, or offered already, is not made", "DG-6",
		saysOffer(ctx, false, ""), saysOffer(ctx, false, "no"), replies(0, isAgreed, agree), saysOffer(ctx, false, "no"), saysIntent(ctx, ""))
	add("lowered", first, "a required offer that is declined cannot be followed by an optional one", "DG-4",
		saysOffer(ctx, true, ""), replies(0, aborted, decline), saysOffer(ctx, false, "no").with("now", laterBy1h), saysProse(ctx, upgrade))
	add("raised", "withdrawn-lowered", "a required offer that is declined can be made again later", "DG-3",
		saysOffer(ctx, true, ""), replies(0, aborted, decline), saysOffer(ctx, true, "").with("now", laterBy1h), saysProse(ctx, upgrade), replies(2, isAgreed, agree), saysIntent(ctx, ""))

	// The peer withdraws by a decline of what it accepted.
	add("by-peer", first, "the peer declines what it accepted: no more intents, and no prose either", "DG-6",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), user("1", ctx, aborted, answerPart(false, intentDocumentPin)), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	add("by-peer-required", "withdrawn-by-peer", "the peer declines what it accepted, which was required", "DG-3",
		saysOffer(ctx, true, ""), replies(0, isAgreed, agree), user("1", ctx, aborted, answerPart(false, intentDocumentPin)), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	add("by-peer-in-reply", "withdrawn-by-peer", "the peer declines what it accepted, in a further reply to the offer", "DG-6",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), replies(0, aborted, decline), saysIntent(ctx, notAgreed), saysProse(ctx, upgrade))
	add("by-peer-other", "withdrawn-by-peer", "the peer declines another document than it accepted", "DG-5",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), user("1", ctx, refused(notAgreed), answerPart(false, strangerPin)), saysIntent(ctx, ""), saysProse(ctx, upgrade))
	add("by-peer-elsewhere", "withdrawn-by-peer", "the peer declines in another context what it accepted", "BIND-9",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), user("1", "ctx-2", refused(notAgreed), answerPart(false, intentDocumentPin)), saysIntent(ctx, ""), saysProse(ctx, upgrade))
	add("by-other", "withdrawn-by-peer", "another peer declines what this one accepted", "BIND-9",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), user("1", ctx, refused(notAgreed), answerPart(false, intentDocumentPin)).with("peer", "https://other.example/"), saysIntent(ctx, ""), saysProse(ctx, upgrade))
	add("by-peer-intents", first, "intents of the peer after it declined what it accepted", "BIND-9",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), user("1", ctx, isIntent, intentPart(goodIntent)), user("2", ctx, aborted, answerPart(false, intentDocumentPin)), user("3", ctx, refused(notAgreed), intentPart(goodIntent)))
	add("accepted-again", first, "a peer that accepts once more after it declined", "DG-6",
		saysOffer(ctx, false, ""), replies(0, isAgreed, agree), user("1", ctx, aborted, answerPart(false, intentDocumentPin)), user("2", ctx, aborted, answerPart(true, intentDocumentPin)), saysIntent(ctx, notAgreed))
	add("declined-again", first, "a peer that accepts after it declined an optional offer", "DG-1",
		saysOffer(ctx, false, ""), replies(0, kind("declined", ""), decline), user("1", ctx, kind("declined", ""), answerPart(true, intentDocumentPin)), saysIntent(ctx, notAgreed), saysProse(ctx, ""))

	// What the peer offered.
	offer := user("1", ctx, accepts, offerPart(false, intentDocumentPin))
	asks := func(id, contextID string, becomes object) step {
		return user(id, contextID, becomes, intentPart(goodIntent))
	}
	const theirs = "offered-again"
	add("accepted", theirs, "an offer of the peer that was accepted, from which this side withdraws", "BIND-9", offer, asks("2", ctx, isIntent), withdraws(ctx, true), asks("3", ctx, refused(notAgreed)))
	add("accepted-required", "withdrawn-accepted", "a required offer of the peer that was accepted, from which this side withdraws: no prose takes its place", "DG-4, DG-6",
		user("1", ctx, accepts, offerPart(true, intentDocumentPin)), asks("2", ctx, isIntent), withdraws(ctx, true), asks("3", ctx, refused(notAgreed)),
		user("4", ctx, refused(upgrade), textPart("please")), saysProse(ctx, upgrade), user("4", "ctx-2", isProse, textPart("please")))
	add("accepted-elsewhere", theirs, "an offer of the peer that was accepted, and a withdrawal in another context", "BIND-9", offer, withdraws("ctx-2", false), asks("2", ctx, isIntent))
	add("accepted-offered", "withdrawn-accepted", "an offer of the peer that was accepted, withdrawn, and comes again", "BIND-9",
		offer, asks("2", ctx, isIntent), withdraws(ctx, true), asks("3", ctx, refused(notAgreed)), user("4", ctx, accepts, offerPart(false, intentDocumentPin)), asks("5", ctx, isIntent))
	add("accepted-repeated", "withdrawn-accepted", "the message of an offer that was accepted, once more after the withdrawal: it agrees to nothing", "RPL-2",
		offer, withdraws(ctx, true), user("1", ctx, accepts, offerPart(false, intentDocumentPin)), asks("2", ctx, refused(notAgreed)))
}
