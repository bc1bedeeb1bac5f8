package vectors_test

import (
	"fmt"
)

// attempts is section C.4: what becomes of an attempt.
func (m workflowSuite) attempts() {
	type event struct {
		in, out object
	}
	at := func(minute int) string { return fmt.Sprintf("2026-08-01T00:%02d:00Z", minute) }
	add := func(name, title, clause, workflow string, expected object, events ...event) {
		in, out := []object{}, []object{}
		for i, e := range events {
			e.in["now"] = at(i)
			in, out = append(in, e.in), append(out, e.out)
		}
		if expected["produced"] == nil {
			expected["produced"] = []object{}
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "task-" + name, operation: "follow-task", title: title, clause: clause, files: map[string]string{"workflow.json": workflow},
			input: object{"workflow": "workflow.json", "task": "bind_run", "now": cardNow, "events": in}, expected: and(expected, "events", out),
		})
	}
	said := func(findings ...string) object { return object{"findings": append([]string{}, findings...)} }
	answer := func(v object, findings ...string) event {
		return event{object{"answer": v}, said(findings...)}
	}
	refused := func(v any) event {
		return event{object{"answer": v}, object{"code": "A2A_INVALID_RESPONSE"}}
	}
	send := func(what, code string) event {
		out := object{"maySend": code == ""}
		if code != "" {
			out["code"] = code
		}
		return event{object{"send": what}, out}
	}
	part := []object{{"text": "x"}}
	artifact := func(id, name string) object {
		a := object{"artifactId": id, "parts": part}
		if name != "" {
			a["name"] = name
		}
		return a
	}
	task := func(state string, artifacts ...object) object {
		t := object{"id": "T1", "contextId": "c1", "status": object{"state": state}}
		if artifacts != nil {
			t["artifacts"] = artifacts
		}
		return t
	}
	remote := func(status, state, code string, produced ...object) object {
		o := object{"status": status, "taskId": "T1", "contextId": "c1"}
		if state != "" {
			o["state"] = state
		}
		if code != "" {
			o["code"] = code
		}
		if produced != nil {
			o["produced"] = produced
		}
		return o
	}
	const sum = `[{"text":"x"}]`
	made := func(id string) object {
		return object{"asset": "bound_book", "artifact": id, "sha256": sha(sum)}
	}
	const missing, unmapped, late = "warning OWG_PRODUCED_MISSING", "warning OWG_ARTIFACT_UNMAPPED", "warning A2A_STATE_AFTER_TERMINAL"
	add("completed", "a task that is completed with what was asked for", "C.4", workflowText, remote("succeeded", "completed", "", made("a1")), answer(task("TASK_STATE_WORKING")), answer(task("TASK_STATE_COMPLETED", artifact("a1", "bound_book"))))
	add("answer", "the same as the answer to a request", "C.4", workflowText, remote("succeeded", "completed", "", made("a1")), answer(object{"jsonrpc": "2.0", "id": "1", "result": object{"task": task("completed", artifact("a1", "bound_book"))}}))
	add("stream", "the same as events of a stream", "C.4", workflowText, remote("succeeded", "completed", "", object{"asset": "bound_book", "artifact": "a1", "sha256": sha(`[{"text":"x"},{"text":"y"}]`)}),
		answer(object{"task": task("TASK_STATE_SUBMITTED")}),
		answer(object{"artifactUpdate": object{"taskId": "T1", "contextId": "c1", "artifact": artifact("a1", "bound_book")}}),
		answer(object{"artifactUpdate": object{"taskId": "T1", "contextId": "c1", "append": true, "artifact": object{"artifactId": "a1", "parts": []object{{"text": "y"}}}}}),
		answer(object{"statusUpdate": object{"taskId": "T1", "contextId": "c1", "status": object{"state": "TASK_STATE_COMPLETED"}}}))
	for _, row := range []struct{ state, code string }{{"failed", "A2A_TASK_FAILED"}, {"canceled", "A2A_TASK_CANCELED"}, {"rejected", "A2A_TASK_REJECTED"}} {
		add(row.state, "a task that is "+row.state, "C.4", workflowText, remote("failed", row.state, row.code), answer(task("working")), answer(task(row.state, artifact("a1", "bound_book"))))
		add(row.state+"-then-completed", "a task that is "+row.state+" and then says that it is completed", "C.4", workflowText, remote("failed", row.state, row.code), answer(task(row.state)), answer(task("completed", artifact("a1", "bound_book")), late))
	}
	add("waits", "a task that waits for input", "C.4", workflowText, remote("running", "input-required", ""), answer(task("TASK_STATE_INPUT_REQUIRED")), send("message", ""), send("query", ""), send("cancel", ""))
	add("unknown-state", "a state that nobody knows, which is no success", "C.4", workflowText, remote("running", "TASK_STATE_DONE", ""), answer(task("working")), answer(task("TASK_STATE_DONE", artifact("a1", "bound_book")), "warning A2A_STATE_UNKNOWN"))
	add("unspecified", "a state that is not specified", "C.4", workflowText, remote("running", "TASK_STATE_UNSPECIFIED", ""), answer(task("TASK_STATE_UNSPECIFIED"), "warning A2A_STATE_UNKNOWN"))
	add("completed-then-failed", "a task that is completed and then says that it failed", "C.4", workflowText, remote("succeeded", "completed", "", made("a1")), answer(task("completed", artifact("a1", "bound_book"))), answer(task("failed"), late))
	add("completed-twice", "a task that says twice that it is completed", "C.4", workflowText, remote("succeeded", "completed", "", made("a1")), answer(task("completed", artifact("a1", "bound_book"))), answer(task("completed")))
	add("other-task", "news of another task", "C.4", workflowText, remote("running", "working", ""), answer(task("working")), answer(and(task("completed"), "id", "T2"), "warning A2A_TASK_MISMATCH"))
	add("other-context", "news of another context", "C.4", workflowText, remote("running", "working", ""), answer(task("working")), answer(and(task("completed"), "contextId", "c2"), "warning A2A_TASK_MISMATCH"))

	// Pairing of artifacts with assets.
	add("by-id", "an artifact whose id is the asset", "C.4", workflowText, remote("succeeded", "completed", "", made("bound_book")), answer(task("completed", artifact("bound_book", ""))))
	add("by-number", "one artifact and one asset", "C.4", workflowText, remote("succeeded", "completed", "", made("a1")), answer(task("completed", artifact("a1", "something"))))
	add("two-artifacts", "two artifacts of other names", "C.4", workflowText, remote("succeeded", "completed", ""), answer(task("completed", artifact("a1", ""), artifact("a2", "")), unmapped, unmapped, missing))
	add("name-first", "a name counts before an id", "C.4", workflowText, remote("succeeded", "completed", "", made("a1")), answer(task("completed", artifact("bound_book", ""), artifact("a1", "bound_book")), unmapped))
	add("name-case", "a name in another case among two", "C.4", workflowText, remote("succeeded", "completed", ""), answer(task("completed", artifact("a1", "Bound_Book"), artifact("a2", "")), unmapped, unmapped, missing))
	add("nothing", "a task that is completed without what was asked for", "C.4", workflowText, remote("succeeded", "completed", ""), answer(task("completed"), missing))
	add("spelling", "an artifact in another spelling has the same digest", "C.4", workflowText, remote("succeeded", "completed", "", object{"asset": "bound_book", "artifact": "a1", "sha256": sha(`[{"data":{"a":1,"b":100}}]`)}), answer(task("completed", object{"artifactId": "a1", "name": "bound_book", "parts": []object{{"data": object{"b": jsonNumber("1e2"), "a": jsonNumber("1.0")}}}})))

	// Errors and answers without a task.
	for _, row := range []struct {
		number int
		code   string
	}{
		{-32001, "A2A_TASK_NOT_FOUND"}, {-32004, "A2A_UNSUPPORTED_OPERATION"}, {-32005, "A2A_CONTENT_TYPE"}, {-32006, "A2A_INVALID_RESPONSE"}, {-32008, "A2A_EXTENSION_REQUIRED"}, {-32009, "A2A_VERSION"},
		{-32003, "A2A_RPC_ERROR"}, {-32603, "A2A_RPC_ERROR"},
	} {
		add(fmt.Sprintf("error-%d", -row.number), fmt.Sprintf("the error %d before there is a task", row.number), "C.4", workflowText, object{"status": "failed", "code": row.code}, answer(object{"jsonrpc": "2.0", "id": "1", "error": object{"code": row.number, "message": "no"}}))
	}
	add("error-http", "an error as HTTP has it", "C.4", workflowText, object{"status": "failed", "code": "A2A_VERSION"}, answer(object{"error": object{"code": 400, "message": "no", "details": []object{{"reason": "VERSION_NOT_SUPPORTED"}}}}))
	add("error-later", "an error once there is a task, which says nothing of it", "C.4", workflowText, remote("running", "working", ""), answer(task("working")), answer(object{"jsonrpc": "2.0", "id": "1", "error": object{"code": -32603, "message": "no"}}, "warning A2A_RPC_ERROR"))
	add("unreachable", "an agent that cannot be reached", "C.4", workflowText, object{"status": "failed", "code": "A2A_TRANSPORT"}, event{object{"unreachable": true}, said()})
	add("unreachable-later", "an agent that cannot be reached any more", "C.4", workflowText, remote("running", "working", ""), answer(task("working")), event{object{"unreachable": true}, said("warning A2A_TRANSPORT")})
	message := object{"message": object{"messageId": "m1", "contextId": "c1", "role": "ROLE_AGENT", "parts": part}}
	add("message", "an answer without a task, where an asset was asked for", "C.4", workflowText, object{"status": "failed", "code": "A2A_NO_TASK", "contextId": "c1"}, answer(message))
	add("message-enough", "an answer without a task, where no asset was asked for", "C.4", edited(`, "produced": ["bound_book"]`, ``), object{"status": "succeeded", "contextId": "c1"}, answer(message))
	add("no-answer", "what is no answer changes nothing", "C.4", workflowText, remote("running", "working", ""), answer(task("working")),
		refused(object{}), refused(object{"result": object{}, "error": object{"code": 1}}), refused(object{"task": task("completed"), "message": object{"messageId": "m"}}), refused(object{"id": "T1", "status": object{}}))

	// A delegation that lapses while the task runs.
	lapsing := edited(secondDelegation, `"delegation": {"by": "press_agent", "scope": ["read:text"], "expires_at": "2026-08-01T00:02:00Z"}`)
	const lapsed = "warning OWG_DELEGATION_EXPIRED"
	add("lapses", "a delegation that lapses while the task waits: nothing is sent but questions and the wish to cancel", "C.4", lapsing, remote("succeeded", "completed", "", made("a1")),
		answer(task("input-required")), send("message", ""), answer(task("input-required"), lapsed), send("message", "OWG_DELEGATION_EXPIRED"), send("query", ""), send("cancel", ""), answer(task("working")), answer(task("completed", artifact("a1", "bound_book"))))
	add("ended", "nothing is sent after the end but questions and the wish to cancel", "C.4", workflowText, remote("failed", "failed", "A2A_TASK_FAILED"), answer(task("failed")), send("message", "A2A_STATE_AFTER_TERMINAL"), send("query", ""), send("cancel", ""))
	m.s.cases = append(m.s.cases, ownCase{
		name: "task-unknown", operation: "follow-task", title: "a task that the workflow does not have", clause: "C.4", files: map[string]string{"workflow.json": workflowText},
		input: object{"workflow": "workflow.json", "task": "other", "now": cardNow, "events": []object{}}, expected: object{"code": "OWG_TASK_UNKNOWN"},
	})
}

// jsonNumber is a number in its own spelling.
type jsonNumber string

func (n jsonNumber) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// cards is section C.5.
func (m workflowSuite) cards() {
	usual := func() object {
		return object{"workflow": "workflow.json", "providerOrganization": "Vectors", "providerUrl": "https://vectors.example", "url": "https://vectors.example/a2a"}
	}
	add := func(name, base, title, workflow string, expected object, more object) {
		in := usual()
		for name, v := range more {
			in[name] = v
			if v == nil {
				delete(in, name)
			}
		}
		m.s.cases = append(m.s.cases, ownCase{name: "card-" + name, base: prefixed("card-", base), operation: "workflow-card", title: title, clause: "C.5", input: in, expected: expected, files: map[string]string{"workflow.json": workflow}})
	}
	card := func(more object) object {
		c := object{
			"name": "Vectors", "description": "Turn a text into a book", "version": "1.0.0", "capabilities": object{}, "provider": object{"organization": "Vectors", "url": "https://vectors.example"},
			"supportedInterfaces": []object{{"url": "https://vectors.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}},
			"defaultInputModes":   []string{"application/json"}, "defaultOutputModes": []string{"application/json"},
			"skills": []object{{"id": "book-to-press", "name": "book-to-press", "description": "Turn a text into a book", "tags": []string{"owg"}}},
		}
		for name, v := range more {
			c[name] = v
		}
		return object{"card": rawJSON(m.t, c)}
	}
	add("good", "", "the card of a workflow", workflowText, card(nil), nil)
	add("named", "", "a card with a name, a version and tags", workflowText, card(object{"name": "Press", "version": "2.1.0", "skills": []object{{"id": "book-to-press", "name": "book-to-press", "description": "Turn a text into a book", "tags": []string{"books"}}}}), object{"name": "Press", "version": "2.1.0", "tags": []string{"books"}})
	add("title", "", "the title of a workflow names its skill", edited(`"id": "book-to-press"`, `"id": "book-to-press", "title": "Books"`), card(object{"skills": []object{{"id": "book-to-press", "name": "Books", "description": "Turn a text into a book", "tags": []string{"owg"}}}}), nil)
	leak := func(name, title, objective string) {
		add("leak-"+name, "good", title, edited("Turn a text into a book", objective), object{"code": "OWG_CARD_LEAK"}, nil)
	}
	leak("participant", "a participant in the objective", "Make a book via bindery_agent")
	leak("participant-case", "a participant in another case", "Make a book via Bindery_Agent.")
	leak("organization", "an organization", "Make a book at org_bindery")
	leak("host", "the host of a card", "Make a book, see bindery.example")
	leak("url", "the address of a card", "Make a book, see https://bindery.example/x")
	leak("identity", "an identity", "Make a book for urn:house:editor")
	leak("task", "a task", "Make a book by bind_run")
	leak("asset", "an asset", "Make a bound_book")
	leak("scope", "a scope", "Make a book with read:text")
	leak("invisible", "a participant with a character in it that nobody sees", "Make a book via bindery\u200b_agent")
	leak("wide", "a participant in wide letters", "Make a book via \uff42\uff49\uff4e\uff44\uff45\uff52\uff59\uff3f\uff41\uff47\uff45\uff4e\uff54")
	leak("escaped", "a participant in escapes of HTML", "Make a book via bindery&#95;agent")
	leak("percent", "a participant in escapes of URLs", "Make a book via bindery%5Fagent")
	add("word", "good", "a name that is only a part of a word", edited("Turn a text into a book", "Make a bookeditors book"), card(object{
		"description": "Make a bookeditors book", "skills": []object{{"id": "book-to-press", "name": "book-to-press", "description": "Make a bookeditors book", "tags": []string{"owg"}}},
	}), nil)
	const told = "Make a book via bindery_agent"
	add("allowed", "", "a participant that may be named", edited("Turn a text into a book", told), card(object{"description": told, "skills": []object{{"id": "book-to-press", "name": "book-to-press", "description": told, "tags": []string{"owg"}}}}), object{"allow": []string{"bindery_agent"}})
	add("allowed-other", "allowed", "another participant may be named", edited("Turn a text into a book", told), object{"code": "OWG_CARD_LEAK"}, object{"allow": []string{"press_agent"}})
	leaked := func(name, title, params string) {
		add("params-"+name, "good", title, edited(`"id": "book-to-press"`, `"id": "book-to-press", "params": `+params), object{"code": "OWG_CARD_LEAK"}, nil)
	}
	leaked("leak", "a participant among the params", `{"bindery_agent": "string"}`)
	leaked("leak-type", "a host in the type of a param", `{"copies": "https://bindery.example/copies"}`)
	source := func(name, title, from, to string, more object) {
		add("source-"+name, "good", title, edited(from, to), object{"code": "OWG_CARD_SOURCE"}, more)
	}
	source("no-id", "a workflow without an id", `  "id": "book-to-press",
`, ``, nil)
	source("no-objective", "a workflow without an objective", `  "objective": "Turn a text into a book",
`, ``, nil)
	source("params", "params of no form", `"id": "book-to-press"`, `"id": "book-to-press", "params": 1`, nil)
	add("source-http", "good", "an address of the agent without TLS", workflowText, object{"code": "OWG_CARD_SOURCE"}, object{"url": "http://vectors.example/a2a"})
	add("source-provider", "good", "nobody offers the work", workflowText, object{"code": "OWG_CARD_SOURCE"}, object{"providerOrganization": nil})
	add("invalid", "good", "a workflow that hands on too much", edited(`"scope": ["read:text"]}`, `"scope": ["read:text", "write:book"]}`), object{"code": "OWG_DELEGATION_WIDENS"}, nil)
	add("extension", "good", "an extension for the inputs of a workflow that has none", workflowText, card(nil), object{"inputsExtension": "https://vectors.example/inputs/v1"})
}

// requests is section C.6.
func (m workflowSuite) requests() {
	add := func(name, base, title, clause, workflow, card string, expected object, more object) {
		in := object{
			"workflow": "workflow.json", "task": "bind_run", "card": "card.json", "demand": "verified", "trustStore": trusted(pinnedKey(edKey(1), "key-1", nil, nil)), "now": cardNow, "messageId": "m-1",
		}
		for name, v := range more {
			in[name] = v
			if v == nil {
				delete(in, name)
			}
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "request-" + name, base: prefixed("request-", base), operation: "workflow-request", title: title, clause: clause, input: in, expected: expected, files: map[string]string{"workflow.json": workflow, "card.json": card},
		})
	}
	signed := func(card string) string { return signedCard(m.t, edKey(1), card) }
	card := signed(cardOfSkill("bind"))
	params := func(change func(owg, message, params object)) object {
		owg := object{"workflow": "book-to-press", "task": "bind_run", "skill": "bind", "used": []string{"sheets"}, "produced": []string{"bound_book"}}
		message := object{
			"messageId": "m-1", "role": "ROLE_USER", "parts": []object{{"data": object{"owg": owg}, "mediaType": "application/json"}},
			"metadata": object{delegatedKey: object{"by": "press_agent", "scope": []string{"read:text"}}},
		}
		p := object{"message": message, "configuration": object{"acceptedOutputModes": []string{"text/plain"}, "returnImmediately": true}}
		if change != nil {
			change(owg, message, p)
		}
		return p
	}
	made := func(change func(owg, message, params object)) object {
		return object{
			"binding": "JSONRPC", "url": "https://agent.example/a2a", "headers": object{"Content-Type": "application/json", "A2A-Version": "1.0"}, "findings": []string{},
			"body": rawJSON(m.t, object{"jsonrpc": "2.0", "id": "1", "method": "SendMessage", "params": params(change)}),
		}
	}
	no := func(code string) object { return object{"code": code} }
	add("good", "", "a request that hands a task over", "C.6", workflowText, card, made(nil), nil)
	add("http", "", "the same by the other binding", "C.6", workflowText, signed(replaceOnce(`"JSONRPC"`, `"HTTP+JSON"`)(cardOfSkill("bind"))), object{
		"binding": "HTTP+JSON", "url": "https://agent.example/a2a/message:send", "headers": object{"Content-Type": "application/a2a+json", "A2A-Version": "1.0"}, "findings": []string{}, "body": rawJSON(m.t, params(nil)),
	}, nil)
	add("tenant", "", "the tenant of an interface goes with it", "C.6", workflowText, signed(replaceOnce(`"protocolVersion": "1.0"`, `"protocolVersion": "1.0", "tenant": "t1"`)(cardOfSkill("bind"))), made(func(_, _, p object) { p["tenant"] = "t1" }), nil)
	add("second-interface", "", "the first interface that is supported", "C.6", workflowText, signed(replaceOnce(`"supportedInterfaces": [`, `"supportedInterfaces": [
    {"url": "https://agent.example/grpc", "protocolBinding": "GRPC", "protocolVersion": "1.0"},`)(cardOfSkill("bind"))), made(nil), nil)
	add("modes", "", "the media types of the skill", "C.6", workflowText, signed(replaceOnce(`"tags": ["vector"]`, `"tags": ["vector"], "outputModes": ["image/png"]`)(cardOfSkill("bind"))), made(func(_, _, p object) { p["configuration"].(object)["acceptedOutputModes"] = []string{"image/png"} }), nil)
	add("answer", "", "an answer to a task that waits, in its context", "C.6", workflowText, card, and(made(nil), "body", rawJSON(m.t, object{"jsonrpc": "2.0", "id": "7", "method": "SendMessage", "params": params(func(_, message, _ object) {
		message["contextId"], message["taskId"] = "c1", "T1"
	})})), object{"id": "7", "contextId": "c1", "taskId": "T1"})
	add("identity", "", "the identity of the delegator, if the caller says so", "C.6", workflowText, card, made(func(_, message, _ object) {
		message["metadata"].(object)[delegatedKey].(object)["identity"] = object{"id": "urn:press:agent"}
	}), object{"discloseIdentity": true})
	add("inputs", "", "inputs of the caller", "C.6", workflowText, card, made(func(owg, _, _ object) { owg["inputs"] = object{"copies": 300} }), object{"inputs": object{"copies": 300}})
	inputs := edited(`"used": ["sheets"]`, `"inputs": {"copies": 300}, "objective": "Bind it", "used": ["sheets"]`)
	add("task-inputs", "", "inputs and objective of the task", "C.6", inputs, card, made(func(owg, message, _ object) {
		owg["inputs"] = object{"copies": 300}
		message["parts"] = append(message["parts"].([]object), object{"text": "Bind it"})
	}), nil)
	until := edited(secondDelegation, `"delegation": {"by": "press_agent", "scope": ["read:text"], "expires_at": "2026-08-01T00:00:01Z"}`)
	add("until", "", "a delegation that lapses a second later", "V-14", until, card, made(func(_, message, _ object) {
		message["metadata"].(object)[delegatedKey].(object)["expires_at"] = "2026-08-01T00:00:01Z"
	}), nil)
	add("lapsed", "until", "at the instant at which it lapses", "V-14, C.6", until, card, no("OWG_DELEGATION_EXPIRED"), object{"now": "2026-08-01T00:00:01Z"})
	edit := func(name, title, clause, code string, pairs ...string) {
		add(name, "good", title, clause, edited(pairs...), card, no(code), nil)
	}
	edit("outlives", "the delegation above ends, and this one does not", "V-11b, V-13", "OWG_DELEGATION_OUTLIVES", firstDelegation, `"delegation": {"by": "editor", "scope": ["read:text", "write:book"], "expires_at": "2026-12-31T00:00:00Z"}`)
	edit("chain-wider", "more than the delegator received", "V-11b", "OWG_DELEGATION_CHAIN_WIDENS", firstDelegation, `"delegation": {"by": "editor", "scope": ["write:book"]}`)
	edit("wider", "more than the delegator declares", "V-9", "OWG_DELEGATION_WIDENS", `"scope": ["read:text"]}`, `"scope": ["read:text", "write:book"]}`)
	edit("bound", "an end that is not known of the delegation", "C.6", "OWG_DELEGATION_MEMBER", secondDelegation, `"delegation": {"by": "press_agent", "scope": ["read:text"], "valid_until": "2026-12-31T00:00:00Z"}`)
	edit("bound-above", "an end that is not known of the delegation above", "C.6", "OWG_DELEGATION_MEMBER", firstDelegation, `"delegation": {"by": "editor", "scope": ["read:text", "write:book"], "expires": "2026-12-31T00:00:00Z"}`)
	edit("no-card", "a performer without a card", "V-7", "OWG_A2A_NO_CARD", binderyCard, ``)
	edit("tool", "a task that a tool does", "C.6", "OWG_TASK_NOT_A2A", `{"type": "a2a", "ref": "bind"}`, `{"type": "mcp", "ref": "bind"}`)
	edit("no-delegator", "a delegation by nobody", "V-15", "OWG_DELEGATION_MISSING", `{"by": "press_agent", "scope"`, `{"scope"`)
	edit("leak", "another participant in the objective of the task", "C.6", "OWG_REQUEST_LEAK", `"used": ["sheets"]`, `"objective": "Bind it for editor", "used": ["sheets"]`)
	edit("leak-inputs", "another task in the inputs of the task", "C.6", "OWG_REQUEST_LEAK", `"used": ["sheets"]`, `"inputs": {"after": "print_run"}, "used": ["sheets"]`)
	edit("inputs-array", "inputs that are a list", "C.6", "OWG_INPUTS", `"used": ["sheets"]`, `"inputs": [300], "used": ["sheets"]`)
	add("unknown-task", "good", "a task that there is not", "C.6", workflowText, card, no("OWG_TASK_UNKNOWN"), object{"task": "other"})
	other := func(name, title, code, card string) {
		add(name, "good", title, "C.6", workflowText, card, no(code), nil)
	}
	other("no-skill", "a card without the skill", "OWG_A2A_SKILL_UNKNOWN", signed(cardOfSkill("print")))
	other("forged", "a card that is forged", "OWG_A2A_CARD_UNVERIFIED", signedCard(m.t, edKey(2), cardOfSkill("bind")))
	other("unsigned", "a card without a signature, where a verified one is demanded", "OWG_A2A_CARD_UNVERIFIED", cardOfSkill("bind"))
	other("no-interface", "a card without an interface that is supported", "OWG_A2A_NO_INTERFACE", signed(replaceOnce(`"JSONRPC"`, `"GRPC"`)(cardOfSkill("bind"))))
	other("old-interface", "an interface of another version", "OWG_A2A_NO_INTERFACE", signed(replaceOnce(`"protocolVersion": "1.0"`, `"protocolVersion": "0.3"`)(cardOfSkill("bind"))))
	other("http-interface", "an interface without TLS", "OWG_A2A_NO_INTERFACE", signed(replaceOnce(`https://agent.example/a2a`, `http://agent.example/a2a`)(cardOfSkill("bind"))))
	other("duplicate", "a card with a name twice", "JSON_DUPLICATE_KEY", replaceOnce(`"name": "Vector Agent"`, `"name": "Vector Agent", "name": "x"`)(card))
	add("if-signed", "", "a card without a signature, where signatures must be right: it is warned of", "C.6", workflowText, cardOfSkill("bind"), and(made(nil), "findings", []string{"warning OWG_A2A_CARD_UNVERIFIED"}), object{"demand": "if-signed"})
	add("if-signed-forged", "if-signed", "a forged card, where signatures must be right", "C.6", workflowText, signedCard(m.t, edKey(2), cardOfSkill("bind")), no("OWG_A2A_CARD_UNVERIFIED"), object{"demand": "if-signed"})
	add("ignored", "", "a forged card, where signatures do not matter: it is warned of", "C.6", workflowText, signedCard(m.t, edKey(2), cardOfSkill("bind")), and(made(nil), "findings", []string{"warning OWG_A2A_CARD_UNVERIFIED"}), object{"demand": "ignore"})
	add("key-set", "", "a card that is verified with a key set", "C.6", workflowText, card, made(nil), object{"trustStore": nil, "keySet": keySet(edKey(1).jwk(object{"kid": "key-1"}))})
	add("source", "", "a card that came over TLS", "C.6", workflowText, card, made(nil), object{"source": "https://bindery.example/.well-known/agent-card.json"})
	add("source-http", "source", "a card that came without TLS", "C.6", workflowText, card, no("OWG_A2A_CARD_UNVERIFIED"), object{"source": "http://bindery.example/.well-known/agent-card.json"})
	under := func(scope []string, expires string) object {
		d := object{"by": "house_agent", "scope": scope}
		if expires != "" {
			d["expiresAt"] = expires
		}
		return object{"under": d}
	}
	add("under", "", "a workflow that was itself handed over, with as much", "V-11b", workflowText, card, made(nil), under([]string{"read:text"}, ""))
	add("under-wider", "under", "it was handed over with less", "V-11b", workflowText, card, no("OWG_DELEGATION_CHAIN_WIDENS"), under([]string{"read:other"}, ""))
	add("under-outlives", "under", "it was handed over for a time", "V-11b", workflowText, card, no("OWG_DELEGATION_OUTLIVES"), under([]string{"read:text"}, "2026-12-31T00:00:00Z"))
	add("under-lapsed", "under", "what it was handed over with has lapsed", "V-11b", workflowText, card, no("OWG_DELEGATION_EXPIRED"), under([]string{"read:text"}, cardNow))
}

// received is section C.6a.
func (m workflowSuite) received() {
	intake := edited(`"tasks": [`, `"params": {"title": {"type": "string"}, "copies": {"type": "integer", "required": false}},
  "tasks": [
    {"id": "intake", "performed_by": "press_agent", "delegation": {"by": "buyer_agent", "scope": ["read:text"]}, "produced": ["order"]},`,
		`"participants": [`, `"participants": [
    {"id": "buyer_agent", "kind": "agent", "operated_by": "buyer", "identity": {"id": "urn:shop:agent", "credential_scope": ["read:text", "write:order"]}},
    {"id": "buyer", "kind": "human"},`)
	message := func(owg, delegation object) string {
		data := object{"task": "order", "skill": "book-to-press", "inputs": object{"title": "A book"}}
		for name, v := range owg {
			data[name] = v
			if v == nil {
				delete(data, name)
			}
		}
		msg := object{"messageId": "m-7", "role": "ROLE_USER", "parts": []object{{"data": object{"owg": data}, "mediaType": "application/json"}}}
		if delegation != nil {
			msg["metadata"] = object{delegatedKey: delegation}
		}
		return rawJSON(m.t, msg) + "\n"
	}
	handed := func() object { return object{"by": "buyer_agent", "scope": []string{"read:text"}} }
	add := func(name, base, title, workflow, text string, expected object, more object) {
		in := object{"workflow": "workflow.json", "message": "message.json", "caller": "urn:shop:agent", "taskId": "T1", "contextId": "c1", "now": cardNow}
		for name, v := range more {
			in[name] = v
			if v == nil {
				delete(in, name)
			}
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "received-" + name, base: prefixed("received-", base), operation: "receive-hand-off", title: title, clause: "C.6a", input: in, expected: expected, files: map[string]string{"workflow.json": workflow, "message.json": text},
		})
	}
	out := func(state, code string, change func(o object)) object {
		o := object{"state": state, "chain": []string{"buyer_agent", "buyer"}, "delegation": handed(), "findings": []string{}}
		if code != "" {
			o["code"] = code
		}
		if change != nil {
			change(o)
		}
		return o
	}
	good := message(nil, handed())
	nobody := func(o object) { delete(o, "chain"); delete(o, "delegation") }
	add("good", "", "a hand-off by a participant", intake, good, out("submitted", "", nil), nil)
	add("unknown", "good", "a caller that is nobody", intake, good, out("rejected", "OWG_CALLER_UNKNOWN", nobody), object{"caller": "urn:other"})
	add("no-caller", "good", "no caller", intake, good, out("rejected", "OWG_CALLER_UNKNOWN", nobody), object{"caller": nil})
	add("id-as-caller", "good", "the id of a participant for an identity", intake, good, out("rejected", "OWG_CALLER_UNKNOWN", nobody), object{"caller": "buyer_agent"})
	add("mapped", "", "a caller that a table maps to a participant", intake, good, out("submitted", "", nil), object{"caller": "spiffe://shop/agent", "participants": object{"spiffe://shop/agent": "buyer_agent"}})
	add("mapped-nobody", "mapped", "a caller that a table maps to nobody", intake, good, out("rejected", "OWG_CALLER_UNKNOWN", nobody), object{"caller": "spiffe://shop/agent", "participants": object{"spiffe://shop/agent": "ghost"}})
	add("claim", "good", "a hand-off that names another delegator than its caller", intake, message(nil, and(handed(), "by", "editor")), out("submitted", "", func(o object) { o["findings"] = []string{"warning OWG_CALLER_CLAIM"} }), nil)
	add("other-caller", "good", "a participant that may not order", intake, good, out("rejected", "OWG_INTAKE_UNKNOWN", func(o object) {
		o["chain"], o["findings"], o["delegation"] = []string{"editor"}, []string{"warning OWG_CALLER_CLAIM"}, and(handed(), "by", "editor")
	}), object{"caller": "urn:house:editor"})
	add("skill", "good", "another skill", intake, message(object{"skill": "other"}, handed()), out("rejected", "OWG_A2A_SKILL_UNKNOWN", nil), nil)
	add("wider", "good", "more than the caller declares", intake, message(nil, and(handed(), "scope", []string{"read:text", "sell:book"})), out("rejected", "OWG_DELEGATION_WIDENS", func(o object) {
		o["delegation"].(object)["scope"] = []string{"read:text", "sell:book"}
	}), nil)
	add("lapsed", "good", "a delegation that has lapsed", intake, message(nil, and(handed(), "expires_at", cardNow)), out("rejected", "OWG_DELEGATION_EXPIRED", func(o object) { o["delegation"].(object)["expiresAt"] = cardNow }), nil)
	add("open", "good", "a delegation that lapses a second later", intake, message(nil, and(handed(), "expires_at", "2026-08-01T00:00:01Z")), out("submitted", "", func(o object) {
		o["delegation"].(object)["expiresAt"] = "2026-08-01T00:00:01Z"
	}), nil)
	add("no-metadata", "good", "nothing said of a delegation", intake, message(nil, nil), out("submitted", "", func(o object) { o["delegation"] = object{"by": "buyer_agent"} }), nil)
	missing := func(o object) { o["missing"] = []string{"title"} }
	add("no-param", "good", "no value for a param", intake, message(object{"inputs": object{"copies": 1}}, handed()), out("input-required", "OWG_PARAM_MISSING", missing), nil)
	add("param-null", "good", "null for a param", intake, message(object{"inputs": object{"title": nil}}, handed()), out("input-required", "OWG_PARAM_MISSING", missing), nil)
	add("no-inputs", "good", "no inputs", intake, message(object{"inputs": nil}, handed()), out("input-required", "OWG_PARAM_MISSING", missing), nil)
	add("named", "", "an intake task that the receiver names", intake, good, out("submitted", "", nil), object{"task": "intake"})
	add("named-other", "named", "a task of somebody else", intake, good, out("rejected", "OWG_INTAKE_UNKNOWN", nil), object{"task": "print_run"})
	add("two-identities", "good", "two participants of one identity", replaceOnce(`{"id": "buyer", "kind": "human"}`, `{"id": "buyer", "kind": "human", "identity": {"id": "urn:shop:agent"}}`)(intake), good, out("rejected", "OWG_CALLER_UNKNOWN", nobody), nil)
	refused := func(name, title, code, text string) {
		add(name, "good", title, intake, text, object{"code": code}, nil)
	}
	refused("no-hand-off", "a message without a hand-off", "OWG_HANDOFF", `{"messageId":"m-7","parts":[{"text":"hello"}]}`)
	refused("two", "two hand-offs in one message", "OWG_HANDOFF", `{"parts":[{"data":{"owg":{"task":"t","skill":"book-to-press"}}},{"data":{"owg":{"task":"t","skill":"book-to-press"}}}]}`)
	refused("time", "a time that is none", "OWG_TIME", message(nil, and(handed(), "expires_at", "noon")))
	refused("bound", "an end that is not known", "OWG_DELEGATION_MEMBER", message(nil, and(handed(), "expires", "2026-12-31T00:00:00Z")))
	refused("bound-scope", "a scope in other letters", "OWG_DELEGATION_MEMBER", message(nil, and(handed(), "Scope", []string{})))
	refused("duplicate", "a name twice", "JSON_DUPLICATE_KEY", replaceOnce(`"skill":`, `"skill":"x","skill":`)(good))
	refused("inputs-array", "inputs that are a list", "OWG_INPUTS", message(object{"inputs": []int{1}}, handed()))
	add("invalid", "good", "a workflow that hands on too much", replaceOnce(`{"by": "press_agent", "scope": ["read:text"]}`, `{"by": "press_agent", "scope": ["read:text", "write:book"]}`)(intake), good, object{"code": "OWG_DELEGATION_WIDENS"}, nil)
}
