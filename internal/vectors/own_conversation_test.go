package vectors_test

// conversationVectors are what follows from what was said before: where prose may be sent,
// and where it is taken (section 5).
func conversationVectors(s *ownSuite) {
	const extension = "https://w3id.org/jeswr/a2a-rdf/v1"
	const card = `{
  "name": "Alice", "description": "Accepts intents.", "version": "1",
  "supportedInterfaces": [{"url": "https://alice.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
  "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [],
  "capabilities": {"extensions": [{"uri": "` + extension + `", "params": {"protocolDocuments": [{"source": "https://alice.example/p", "hash": "` + intentDocumentPin + `"}]}}]}
}
`
	const good, bad = "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1 .\n", "<urn:i> a <https://w3id.org/jeswr/a2a#Intent> ; <urn:amount> 1, 2 .\n"
	type step struct{ say, becomes object }
	yes, no := object{"maySend": true}, object{"maySend": false, "code": "upgrade-required"}
	in := func(contextID string, say object) object {
		if contextID == "" {
			return say
		}
		return and(say, "contextId", contextID)
	}
	prose := func(contextID string, may bool) step {
		becomes := no
		if may {
			becomes = yes
		}
		return step{in(contextID, object{"send": "prose"}), becomes}
	}
	intent := func(contextID string) step {
		return step{in(contextID, object{"send": "intent", "intent": "sent.ttl"}), yes}
	}
	offer := func(contextID string, required bool) step {
		return step{in(contextID, object{"send": "offer", "required": required}), yes}
	}
	message := func(id, contextID, role string, parts ...object) object {
		m := in(contextID, object{"messageId": id, "role": role, "parts": parts})
		for _, p := range parts {
			if p["metadata"] != nil {
				m["extensions"] = []string{extension}
			}
		}
		return m
	}
	text := func(s string) object { return object{"text": s} }
	answer := func(pin string, accept bool) object {
		return object{"data": object{"kind": "upgrade-response", "protocolHash": pin, "accept": accept}, "metadata": object{extension + "/kind": "upgrade-response"}}
	}
	reply := func(to int, kind string, v any) step {
		becomes := object{"kind": kind}
		if kind == "aborted" {
			becomes["code"] = "upgrade-required"
		}
		return step{object{"reply": v, "to": to}, becomes}
	}
	says := func(contextID string, parts ...object) object {
		return object{"message": message("r", contextID, "ROLE_AGENT", parts...)}
	}
	task := func(state string) object {
		return object{"task": object{"id": "t", "contextId": "ctx", "status": object{"state": "TASK_STATE_" + state}}}
	}
	failure := object{"jsonrpc": "2.0", "id": "1", "error": object{"code": -32603, "message": "no"}}
	hello := func(id, contextID string, taken bool) step {
		becomes := object{"kind": "prose"}
		if !taken {
			becomes = object{"kind": "refused", "code": "upgrade-required"}
		}
		return step{object{"receive": message(id, contextID, "ROLE_USER", text("please"))}, becomes}
	}
	asks := func(id, contextID, body string, becomes object) step {
		return step{object{"receive": message(id, contextID, "ROLE_USER", object{"text": body, "mediaType": "text/turtle", "metadata": object{extension + "/kind": "intent", extension + "/protocolHash": intentDocumentPin}})}, becomes}
	}
	add := func(name, base, title, clause string, more object, steps ...step) {
		var say, become []object
		for _, s := range steps {
			say, become = append(say, s.say), append(become, s.becomes)
		}
		input := object{"card": "card.json", "documents": object{"https://alice.example/p": "declared.ttl"}, "now": cardNow, "steps": say}
		for name, v := range more {
			input[name] = v
		}
		s.cases = append(s.cases, ownCase{
			name: "converse-" + name, base: prefixed("converse-", base), operation: "converse", title: title, clause: clause, input: input, expected: object{"steps": become},
			files: map[string]string{"card.json": card, "declared.ttl": intentDocument, "sent.ttl": good},
		})
	}
	other := "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"

	// Offers of this side.
	add("declined", "", "an optional offer that is declined allows prose", "DG-1", nil, offer("ctx", false), prose("ctx", false), reply(0, "declined", says("ctx", answer(intentDocumentPin, false))), prose("ctx", true))
	add("declined-required", "declined", "a required offer that is declined does not", "DG-3", nil, offer("ctx", true), prose("ctx", false), reply(0, "aborted", says("ctx", answer(intentDocumentPin, false))), prose("ctx", false))
	add("declined-other", "declined", "a decline of something else does not, and decides nothing", "DG-2", nil, offer("ctx", false), prose("ctx", false), reply(0, "waiting", says("ctx", answer(other, false))), prose("ctx", false))
	add("accepted", "declined", "an offer that is accepted does not", "DG-6", nil, offer("ctx", false), prose("ctx", false), reply(0, "agreed", says("ctx", answer(intentDocumentPin, true))), prose("ctx", false))
	add("unanswered", "declined", "an offer without an answer does not", "DG-2", nil, offer("ctx", false), prose("ctx", false), reply(0, "aborted", nil), prose("ctx", false))
	add("failed", "declined", "an offer that fails does not", "DG-4", nil, offer("ctx", false), prose("ctx", false), reply(0, "aborted", failure), prose("ctx", false))
	add("answered-in-prose", "declined", "an offer that is answered in prose does not", "DG-2", nil, offer("ctx", false), prose("ctx", false), reply(0, "aborted", says("ctx", text("no"))), prose("ctx", false))
	add("elsewhere", "declined", "another context is not concerned", "DG-2", nil, offer("ctx", false), prose("ctx-2", true), reply(0, "aborted", nil), prose("ctx-2", true))
	add("beside", "", "an offer without a context that is declined in another context than that of a second offer", "DG-1, DG-2", nil,
		offer("", false), offer("ctx", false), reply(0, "declined", says("ctx-2", answer(intentDocumentPin, false))), prose("", true), prose("ctx-2", true), prose("ctx", false))
	add("beside-same", "beside", "an offer without a context that is declined in the context of a second offer, which ends both", "DG-2", nil,
		offer("", false), offer("ctx", false), reply(0, "aborted", says("ctx", answer(intentDocumentPin, false))), prose("", false), prose("ctx", false), prose("ctx-2", true))

	// Intents of this side under what the card of the peer declares.
	add("intent", "", "an intent in a context forbids prose there alone", "DG-6", nil, intent("ctx"), prose("ctx", false), prose("", true), reply(0, "response", says("ctx", text("done"))), prose("ctx", false), prose("", true))
	add("intent-first", "intent", "an intent without a context forbids prose in first messages until it is answered", "DG-6", nil, intent(""), prose("ctx", true), prose("", false), reply(0, "response", says("ctx", text("done"))), prose("ctx", false), prose("", true))
	for _, row := range []struct {
		name, title, kind string
		reply             any
		inContext         bool // whether prose may be sent in "ctx" afterwards
	}{
		{"working", "a task that goes on", "waiting", task("WORKING"), false}, {"input", "a task that asks for something", "waiting", task("INPUT_REQUIRED"), false},
		{"failed", "a task that failed", "failed", task("FAILED"), false}, {"error", "an error", "failed", failure, true}, {"unanswered", "nothing", "failed", nil, true},
	} {
		add("intent-first-"+row.name, "intent-first", "an intent without a context that is answered with "+row.title, "DG-4, DG-6", nil, intent(""), prose("ctx", true), prose("", false), reply(0, row.kind, row.reply), prose("ctx", row.inContext), prose("", false))
		add("intent-"+row.name, "intent", "an intent in a context that is answered with "+row.title, "DG-4, DG-6", nil, intent("ctx"), prose("ctx", false), prose("", true), reply(0, row.kind, row.reply), prose("ctx", false), prose("", true))
	}
	add("intent-informal", "intent-first-error", "an intent without a context that is answered with an error, where nothing depends on it", "DG-4", object{"informal": true}, intent(""), prose("ctx", true), prose("", true), reply(0, "failed", failure), prose("ctx", true), prose("", true))

	// Intents of the peer under what the own card declares.
	invalid := object{"kind": "refused", "code": "intent-invalid"}
	add("received", "", "prose before an intent, and after it in its context", "DG-6", nil, hello("1", "ctx", true), asks("2", "ctx", good, object{"kind": "intent"}), hello("3", "ctx", false), hello("4", "ctx-2", true))
	add("received-prose", "", "prose, without an intent", "DG-6", nil, hello("1", "ctx", true), hello("3", "ctx", true), hello("4", "ctx-2", true))
	add("received-refused", "received", "prose after an intent that does not conform", "DG-4, DG-6", nil, hello("1", "ctx", true), asks("2", "ctx", bad, invalid), hello("3", "ctx", false), hello("4", "ctx-2", true))
	add("received-malformed", "received", "prose after an intent that is no RDF", "DG-4, DG-6", nil, hello("1", "ctx", true), asks("2", "ctx", "<", object{"kind": "refused", "code": "malformed-payload"}), hello("3", "ctx", false), hello("4", "ctx-2", true))
	add("received-again", "received-refused", "an intent that conforms, after one that does not", "DG-6", nil, hello("1", "ctx", true), asks("2", "ctx", bad, invalid), asks("3", "ctx", good, object{"kind": "intent"}), hello("4", "ctx", false))
	add("received-elsewhere", "received-refused", "prose after an intent that does not conform, which came in another context", "DG-4, DG-6", nil, hello("1", "ctx", true), asks("2", "ctx-2", bad, invalid), hello("3", "ctx", true), hello("4", "ctx-2", false))
	add("received-informal", "received-refused", "prose after an intent that does not conform, where nothing depends on it", "DG-4", object{"informal": true}, hello("1", "ctx", true), asks("2", "ctx", bad, invalid), hello("3", "ctx", true), hello("4", "ctx-2", true))

	// Ways around an intent, or a required offer, that came to nothing.
	unsent := func(s step) step { return step{s.say, object{"maySend": false}} }
	at := func(now string, s step) step { return step{and(s.say, "now", now), s.becomes} }
	add("intent-first-offered", "intent-first-error", "no optional offer after an intent without a context that is answered with an error", "DG-4, DG-6", nil,
		intent(""), reply(0, "failed", failure), unsent(offer("", false)), prose("", false), offer("", true), prose("", false))
	add("intent-first-offered-answered", "intent-first-offered", "an optional offer after an intent without a context that is answered", "DG-1", nil,
		intent(""), reply(0, "response", says("ctx", text("done"))), offer("", false), reply(2, "declined", says("ctx-2", answer(intentDocumentPin, false))), prose("ctx-2", true))
	add("intent-first-offered-before", "intent-first-offered", "the decline of an optional offer, after an intent that is answered with an error, both without a context", "DG-4, DG-6", nil,
		offer("", false), intent(""), reply(1, "failed", failure), reply(0, "declined", says("ctx", answer(intentDocumentPin, false))), prose("ctx", false), prose("", false))
	add("intent-offered", "intent-error", "no optional offer of what is agreed by an intent under the card", "DG-6", nil,
		intent("ctx"), reply(0, "failed", failure), unsent(offer("ctx", false)), prose("ctx", false), offer("ctx-2", false))
	add("intent-day", "", "an agreement by the card that is over, after intents that were answered", "DG-6", nil,
		intent("ctx"), reply(0, "response", says("ctx", text("done"))), at(justInADay, intent("ctx")), reply(2, "response", says("ctx", text("done"))), prose("ctx", false), at(aDayLater, prose("ctx", true)))
	add("intent-day-error", "intent-day", "an agreement by the card that is over, after an intent that is answered with an error", "DG-4, DG-6", nil,
		intent("ctx"), reply(0, "response", says("ctx", text("done"))), at(justInADay, intent("ctx")), reply(2, "failed", failure), prose("ctx", false), at(aDayLater, prose("ctx", false)))
	add("intent-day-unanswered", "intent-day", "an agreement by the card that is over while an intent is not answered", "DG-4, DG-6", nil,
		intent("ctx"), reply(0, "response", says("ctx", text("done"))), at(justInADay, intent("ctx")), prose("ctx", false), at(aDayLater, prose("ctx", false)))
	add("required-moved", "", "an optional offer without a context that is accepted where a required one was declined is a required one there from then on", "DG-4", nil,
		offer("ctx", true), reply(0, "aborted", says("ctx", answer(intentDocumentPin, false))), offer("", false), reply(2, "agreed", says("ctx", answer(intentDocumentPin, true))),
		step{in("ctx", object{"withdraw": true}), object{"withdrawn": true}}, unsent(offer("ctx", false)), prose("ctx", false))
	toTask := func(say object, code string) step {
		return step{and(say, "taskId", "t"), object{"maySend": false, "code": code}}
	}
	add("task-nowhere", "", "nothing is sent to a task without its context, which may be one where prose is forbidden", "DG-6, RPL-4", nil,
		intent("ctx"), prose("", true), toTask(object{"send": "prose"}, "upgrade-required"), toTask(object{"send": "intent", "intent": "sent.ttl"}, "malformed-payload"), prose("", true))
	add("received-task-nowhere", "received", "a message to a task without its context, which nobody knows", "DG-6, RPL-4", nil,
		asks("2", "ctx", good, object{"kind": "intent"}), step{object{"receive": and(message("3", "", "ROLE_USER", text("please")), "taskId", "t")}, object{"kind": "refused", "code": "malformed-payload"}}, hello("4", "ctx-2", true))
}
