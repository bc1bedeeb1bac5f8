package vectors_test

import (
	"strings"
	"testing"
)

const (
	workflowSpec = "https://openworkflowgraph.org/"
	delegatedKey = "https://rdfproto.example/owg-delegation/v1"
)

// workflowText is a workflow of two hand-overs.
const workflowText = `{
  "id": "book-to-press",
  "objective": "Turn a text into a book",
  "participants": [
    {"id": "editor", "kind": "human", "works_for": "org_house",
     "identity": {"id": "urn:house:editor", "credential_scope": ["read:text", "write:book"]}},
    {"id": "press_agent", "kind": "agent", "works_for": "org_press",
     "agent_card": "https://press.example/.well-known/agent-card.json",
     "identity": {"id": "urn:press:agent", "credential_scope": ["read:text"]}},
    {"id": "bindery_agent", "kind": "agent", "works_for": "org_bindery",
     "agent_card": "https://bindery.example/.well-known/agent-card.json"}
  ],
  "tasks": [
    {"id": "print_run", "executor": {"type": "a2a", "ref": "print"}, "performed_by": "press_agent",
     "delegation": {"by": "editor", "scope": ["read:text", "write:book"]},
     "used": ["manuscript"], "produced": ["sheets"]},
    {"id": "bind_run", "executor": {"type": "a2a", "ref": "bind"}, "performed_by": "bindery_agent",
     "delegation": {"by": "press_agent", "scope": ["read:text"]},
     "used": ["sheets"], "produced": ["bound_book"]}
  ]
}
`

// Parts of it that stand there once.
const (
	firstDelegation  = `"delegation": {"by": "editor", "scope": ["read:text", "write:book"]}`
	secondDelegation = `"delegation": {"by": "press_agent", "scope": ["read:text"]}`
	binderyCard      = `,
     "agent_card": "https://bindery.example/.well-known/agent-card.json"`
	pressIdentity = `,
     "identity": {"id": "urn:press:agent", "credential_scope": ["read:text"]}`
)

// edited replaces parts of the workflow, each of which stands there once.
func edited(pairs ...string) string {
	text := workflowText
	for i := 0; i < len(pairs); i += 2 {
		text = replaceOnce(pairs[i], pairs[i+1])(text)
	}
	return text
}

type workflowSuite struct {
	t testing.TB
	s *ownSuite
}

// workflowVectors are those of section C.
func workflowVectors(t testing.TB) ownSuite {
	t.Helper()
	s := ownSuite{
		name: "owg", spec: workflowSpec,
		description: "Workflows that hand tasks to agents of others over A2A: what narrows, who answers for an asset, the states of tasks, cards that give nothing away, requests, and hand-offs that are received.",
	}
	m := workflowSuite{t, &s}
	m.rules()
	m.chains()
	m.states()
	m.attempts()
	m.cards()
	m.requests()
	m.received()
	return s
}

// rules is section C.2.
func (m workflowSuite) rules() {
	add := func(name, base, title, clause, workflow string, in object, findings ...string) {
		all := object{"workflow": "workflow.json"}
		for name, v := range in {
			all[name] = v
		}
		valid := true
		for _, f := range findings {
			valid = valid && !strings.HasPrefix(f, "error")
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "valid-" + name, base: prefixed("valid-", base), operation: "validate-workflow", title: title, clause: clause, input: all,
			expected: object{"valid": valid, "findings": append([]string{}, findings...)}, files: map[string]string{"workflow.json": workflow},
		})
	}
	edit := func(name, title, clause, from, to string, findings ...string) {
		add(name, "good", title, clause, edited(from, to), nil, findings...)
	}
	add("good", "", "two hand-overs", "C.2", workflowText, nil)
	bad := func(name, title, code, text string) {
		m.s.cases = append(m.s.cases, ownCase{
			name: "valid-" + name, base: "valid-good", operation: "validate-workflow", title: title, clause: "V-1, 1.1", input: object{"workflow": "workflow.json"},
			expected: object{"code": code}, files: map[string]string{"workflow.json": text},
		})
	}
	bad("duplicate", "a name twice", "JSON_DUPLICATE_KEY", edited(`"id": "book-to-press"`, `"id": "book-to-press", "id": "book"`))
	bad("syntax", "cut before the end", "JSON_SYNTAX", workflowText[:len(workflowText)-3])
	bad("surrogate", "half a character", "JSON_UNICODE", edited(`Turn a text`, `\ud800`))

	edit("no-participants", "participants that are no array", "V-1", `"participants": [`, `"participants": {}, "others": [`, "error OWG_REF_UNKNOWN /tasks/0/delegation/by", "error OWG_REF_UNKNOWN /tasks/0/performed_by", "error OWG_REF_UNKNOWN /tasks/1/delegation/by", "error OWG_REF_UNKNOWN /tasks/1/performed_by", "error OWG_TYPE /participants")
	edit("kind-number", "a kind that is a number", "V-1", `"kind": "human"`, `"kind": 1`, "error OWG_TYPE /participants/0/kind")
	edit("scope-text", "a scope that is a text", "V-1", `"scope": ["read:text"]}`, `"scope": "read:text"}`, "error OWG_TYPE /tasks/1/delegation/scope")
	edit("unknown-member", "a member that nobody knows", "C.1", `"id": "book-to-press"`, `"id": "book-to-press", "cost": {"amount": 1}`)
	// What may end or bound a delegation is not ignored; what else nobody knows is kept.
	for _, bound := range []struct{ name, title, member string }{
		{"expires", "an end by another name", `"expires": "2026-12-31T23:59:59Z"`},
		{"until", "an end by a third name", `"valid_until": "2026-12-31T23:59:59Z"`},
		{"exp", "an end as a web token has it", `"exp": 1798761599`},
		{"case", "an end in other letters", `"expiresAt": "2026-12-31T23:59:59Z"`},
		{"revoked", "whether it is revoked", `"revoked": false`},
		{"scope-case", "a scope in other letters", `"Scope": []`},
		{"scopes", "a scope by another name", `"scopes": []`},
	} {
		member, _, _ := strings.Cut(bound.member, ":")
		edit("bound-"+bound.name, bound.title, "C.1", `{"by": "press_agent"`, `{"by": "press_agent", `+bound.member, "error OWG_DELEGATION_MEMBER /tasks/1/delegation/"+strings.Trim(member, `"`))
	}
	edit("bound-note", "a member of a delegation that nobody knows", "C.1", `{"by": "press_agent"`, `{"by": "press_agent", "note": "by post", "credential": {"exp": 1}`)
	edit("participant-twice", "an id of two participants", "V-2", `"id": "bindery_agent"`, `"id": "press_agent"`, "error OWG_DUPLICATE_ID /participants/2/id", "error OWG_REF_UNKNOWN /tasks/1/performed_by")
	edit("task-twice", "an id of two tasks", "V-2", `"id": "bind_run"`, `"id": "print_run"`, "error OWG_DUPLICATE_ID /tasks/1/id")
	edit("performer-unknown", "a performer that is nobody", "V-3", `"performed_by": "bindery_agent"`, `"performed_by": "nobody"`, "error OWG_REF_UNKNOWN /tasks/1/performed_by")
	edit("delegator-unknown", "a delegator that is nobody", "V-3", `{"by": "press_agent"`, `{"by": "nobody"`, "error OWG_REF_UNKNOWN /tasks/1/delegation/by")
	edit("operator-unknown", "an operator that is nobody", "V-3", `"works_for": "org_bindery"`, `"works_for": "org_bindery", "operated_by": "nobody"`, "error OWG_REF_UNKNOWN /participants/2/operated_by")
	edit("no-performer", "nobody performs", "V-4", `, "performed_by": "bindery_agent"`, ``, "error OWG_A2A_NO_PERFORMER /tasks/1")
	edit("no-skill", "no skill", "V-5", `, "ref": "bind"`, ``, "error OWG_A2A_NO_SKILL /tasks/1/executor")
	edit("skill-empty", "an empty skill", "V-5", `"ref": "bind"`, `"ref": ""`, "error OWG_A2A_NO_SKILL /tasks/1/executor/ref")
	edit("performer-human", "a person performs over A2A", "V-6", `"performed_by": "bindery_agent"`, `"performed_by": "editor"`, "error OWG_A2A_PERFORMER_KIND /tasks/1/performed_by")
	edit("no-card", "a performer without a card", "V-7", binderyCard, ``, "warning OWG_A2A_NO_CARD /tasks/1/performed_by")
	edit("card-http", "a card without TLS", "V-8", `https://bindery.example`, `http://bindery.example`, "error OWG_AGENT_CARD_URL /participants/2/agent_card")
	edit("card-relative", "a card at a relative address", "V-8", `https://bindery.example/.well-known/agent-card.json`, `agent-card.json`, "error OWG_AGENT_CARD_URL /participants/2/agent_card")
	edit("card-of-person", "the card of a person", "V-8", `"works_for": "org_house"`, `"works_for": "org_house", "agent_card": "https://house.example/card"`, "warning OWG_AGENT_CARD_URL /participants/0/agent_card")

	const scope = `"scope": ["read:text"]}`
	const widens = "error OWG_DELEGATION_WIDENS /tasks/1/delegation/scope"
	const chain = "warning OWG_DELEGATION_CHAIN_WIDENS /tasks/1/delegation/scope"
	edit("wider", "a scope more than the delegator declares, although the hop above granted it", "V-9, C.3", scope, `"scope": ["read:text", "write:book"]}`, widens+` "write:book"`)
	edit("wildcard", "a wildcard", "V-9", scope, `"scope": ["read:*"]}`, widens+` "read:*"`, chain+` "read:*"`)
	m.sorted()
	edit("scope-case", "a scope in another case", "V-9", scope, `"scope": ["READ:text"]}`, widens+` "READ:text"`, chain+` "READ:text"`)
	m.sorted()
	edit("scope-prefix", "what a scope begins with", "V-9", scope, `"scope": ["read"]}`, widens+` "read"`, chain+` "read"`)
	m.sorted()
	edit("scope-space", "a scope with a space", "V-9", scope, `"scope": ["read:text "]}`, widens+` "read:text "`, chain+` "read:text "`)
	m.sorted()
	edit("scope-order", "scopes in another order, and one twice", "V-9", `"scope": ["read:text", "write:book"]}`, `"scope": ["write:book", "read:text", "write:book"]}`)
	edit("scope-empty", "a scope of nothing", "V-9", scope, `"scope": []}`)
	edit("declared-nothing", "a delegator that declares that it may do nothing", "V-10", `"credential_scope": ["read:text"]`, `"credential_scope": []`, widens+` "read:text"`)
	edit("declares-not", "a delegator that declares nothing", "V-10", `, "credential_scope": ["read:text"]`, ``)
	add("wider-declares-not", "declares-not", "a delegator that declares nothing hands on what it received", "V-10, C.3", edited(`, "credential_scope": ["read:text"]`, ``, scope, `"scope": ["read:text", "write:book"]}`), nil)
	narrow := []string{pressIdentity, ``, firstDelegation, `"delegation": {"by": "editor", "scope": ["read:text"]}`}
	add("chain", "", "a delegator that declares nothing hands on no more than it received", "V-11", edited(narrow...), nil)
	wide := edited(append(narrow, secondDelegation, `"delegation": {"by": "press_agent", "scope": ["read:text", "write:book"]}`)...)
	add("chain-wider", "chain", "it hands on more than it received", "V-11, C.3", wide, nil, chain+` "write:book"`)
	add("chain-strict", "", "no more than was received, and a strict reader", "V-11", edited(narrow...), object{"strict": true})
	add("chain-wider-strict", "chain-strict", "more than was received, and a strict reader", "V-11", wide, object{"strict": true}, "error OWG_DELEGATION_CHAIN_WIDENS /tasks/1/delegation/scope \"write:book\"")
	edit("no-scope", "a delegation without a scope, which grants nothing", "V-11a", `"by": "editor", "scope": ["read:text", "write:book"]`, `"by": "editor"`, "warning OWG_DELEGATION_CHAIN_WIDENS /tasks/1/delegation/scope \"read:text\"", "warning OWG_DELEGATION_SCOPE_MISSING /tasks/0/delegation")

	until := func(first, second string) string {
		e := func(t string) string {
			if t == "" {
				return ""
			}
			return `, "expires_at": "` + t + `"`
		}
		return edited(firstDelegation, strings.TrimSuffix(firstDelegation, "}")+e(first)+"}", secondDelegation, strings.TrimSuffix(secondDelegation, "}")+e(second)+"}")
	}
	const end = "2026-12-31T00:00:00Z"
	add("until", "", "two hand-overs that end together", "V-12, V-13", until(end, end), nil)
	add("until-offset", "until", "the same instant by another offset", "V-12, V-13", until(end, "2026-12-31T01:00:00+01:00"), nil)
	add("until-second", "", "a hand-over with an end under one without", "V-12, V-13", until("", end), nil)
	add("until-words", "until-second", "a time in words", "V-12", until("", "31 December"), nil, "error OWG_TIME /tasks/1/delegation/expires_at")
	add("until-no-offset", "until-second", "a time without an offset", "V-12", until("", "2026-12-31T00:00:00"), nil, "error OWG_TIME /tasks/1/delegation/expires_at")
	add("until-longer", "until", "a hand-over that lasts a second longer than the one above", "V-13", until(end, "2026-12-31T00:00:01Z"), nil, "warning OWG_DELEGATION_OUTLIVES /tasks/1/delegation/expires_at")
	add("until-ever", "until", "a hand-over without an end under one with an end", "V-13", until(end, ""), nil, "warning OWG_DELEGATION_OUTLIVES /tasks/1/delegation")
	add("until-before", "", "two hand-overs a second before their end", "V-14", until(end, end), object{"now": "2026-12-30T23:59:59Z"})
	add("until-past", "until-before", "at their end", "V-14", until(end, end), object{"now": end}, "note OWG_DELEGATION_EXPIRED /tasks/0/delegation/expires_at", "note OWG_DELEGATION_EXPIRED /tasks/1/delegation/expires_at")
	edit("no-delegation", "a hand-over without a delegation", "V-15", `
     "delegation": {"by": "press_agent", "scope": ["read:text"]},`, ``, "warning OWG_DELEGATION_MISSING /tasks/1")
	edit("no-delegator", "a delegation by nobody", "V-15", `{"by": "press_agent", "scope"`, `{"scope"`, "warning OWG_DELEGATION_MISSING /tasks/1/delegation")
	edit("self", "a delegation to oneself", "V-16", `{"by": "press_agent", "scope": ["read:text"]}`, `{"by": "bindery_agent", "scope": ["read:text"]}`, "error OWG_DELEGATION_SELF /tasks/1/delegation/by")
	edit("cycle", "an agent that operates itself", "V-17", `"works_for": "org_bindery"`, `"works_for": "org_bindery", "operated_by": "bindery_agent"`, "error OWG_AUTHORITY_CYCLE /participants/2/operated_by")
	add("cycle-two", "good", "two agents that operate each other", "V-17", edited(`"works_for": "org_bindery"`, `"works_for": "org_bindery", "operated_by": "press_agent"`, `"works_for": "org_press"`, `"works_for": "org_press", "operated_by": "bindery_agent"`), nil, "error OWG_AUTHORITY_CYCLE /participants/1/operated_by")
	edit("operated", "an agent that a person operates", "V-18", `"works_for": "org_bindery"`, `"operated_by": "editor"`)
	edit("orphan", "an agent of nobody", "V-18", ` "works_for": "org_bindery",`, ``, "warning OWG_AUTHORITY_ORPHAN /participants/2")
	add("no-person", "operated", "an agent that a department operates in which there is no person", "V-18", edited(`"works_for": "org_bindery"`, `"operated_by": "editor"`, `"kind": "human", "works_for": "org_house"`, `"kind": "department"`), nil, "warning OWG_AUTHORITY_NO_PERSON /participants/2")
	edit("assets", "assets that are all listed", "V-19", `"id": "book-to-press"`, `"assets": ["manuscript", {"id": "sheets"}, "bound_book"], "id": "book-to-press"`)
	edit("asset-unknown", "an asset that is not listed", "V-19", `"id": "book-to-press"`, `"assets": ["manuscript", "sheets"], "id": "book-to-press"`, "warning OWG_ASSET_UNKNOWN /tasks/1/produced/0")
	edit("asset-twice", "an asset of two producers", "V-19", `"produced": ["bound_book"]`, `"produced": ["sheets"]`, "warning OWG_ASSET_TWO_PRODUCERS /tasks/1/produced/0")
	edit("works-for-unknown", "an organization that nobody lists", "V-20", `"org_bindery"`, `"org_elsewhere"`)
	const tool = `{"type": "mcp", "ref": "bind"}`
	add("tool", "", "a task that a tool does", "C.2", edited(`{"type": "a2a", "ref": "bind"}`, tool), nil)
	for _, row := range []struct {
		name, title, from, to string
		findings              []string
	}{
		{"wider", "a scope more than the delegator declares", scope, `"scope": ["read:text", "write:book"]}`, []string{widens + ` "write:book"`}},
		{"self", "a delegation to oneself", `"by": "press_agent"`, `"by": "bindery_agent"`, []string{"error OWG_DELEGATION_SELF /tasks/1/delegation/by"}},
		{"no-performer", "nobody performs", `, "performed_by": "bindery_agent"`, ``, nil}, {"no-skill", "no skill", `, "ref": "bind"`, ``, nil},
		{"no-card", "a performer without a card", binderyCard, ``, nil}, {"no-delegation", "no delegation", `
     "delegation": {"by": "press_agent", "scope": ["read:text"]},`, ``, nil},
	} {
		text := edited(`{"type": "a2a", "ref": "bind"}`, tool)
		add("tool-"+row.name, "tool", row.title, "C.2", replaceOnce(row.from, row.to)(text), nil, row.findings...)
	}

	// Cards of performers (V-21).
	binder := cardOfSkill("bind")
	card := func(name, base, title string, card string, key cardKey, findings ...string) {
		add("card-"+name, base, title, "V-21", workflowText, object{
			"now": cardNow, "cards": object{"bindery_agent": object{"card": "bindery.json", "demand": "verified", "trustStore": trusted(pinnedKey(key, "key-1", nil, nil))}},
		}, findings...)
		m.s.cases[len(m.s.cases)-1].files["bindery.json"] = card
	}
	card("good", "", "the performer's card has the skill and is verified", signedCard(m.t, edKey(1), binder), edKey(1))
	card("skill", "card-good", "a card without the skill", signedCard(m.t, edKey(1), cardOfSkill("print")), edKey(1), "warning OWG_A2A_SKILL_UNKNOWN /tasks/1/executor/ref")
	card("forged", "card-good", "a card that is forged", signedCard(m.t, edKey(2), binder), edKey(1), "warning OWG_A2A_CARD_UNVERIFIED /tasks/1/executor/ref")
	card("unsigned", "card-good", "a card without a signature", binder, edKey(1), "warning OWG_A2A_CARD_UNVERIFIED /tasks/1/executor/ref")
}

// sorted puts the findings of the last case into the order in which they are compared.
func (m workflowSuite) sorted() {
	all := m.s.cases[len(m.s.cases)-1].expected["findings"].([]string)
	if len(all) == 2 && all[0] > all[1] {
		all[0], all[1] = all[1], all[0]
	}
}

// cardOfSkill is the card with another skill.
func cardOfSkill(skill string) string {
	return replaceOnce(`"id": "answer"`, `"id": "`+skill+`"`)(vectorCard)
}

// chains is section C.3, and C.6a for records.
func (m workflowSuite) chains() {
	hop := func(rel, participant, task string, scope []string) object {
		h := object{"rel": rel, "participant": participant}
		if task != "" {
			h["task"] = task
		}
		if scope != nil {
			h["scope"], h["expires_at"] = scope, nil
		}
		return h
	}
	chain := func(ends string, hops ...object) object {
		return object{"complete": ends == "human", "endsIn": ends, "hops": hops}
	}
	add := func(name, base, title, clause, workflow, asset string, complete bool, chains []object, records map[string]string, findings ...string) {
		in, files := object{"workflow": "workflow.json", "asset": asset}, map[string]string{"workflow.json": workflow}
		if records != nil {
			var names []string
			for _, name := range []string{"run.json", "upstream.json"} {
				if text, ok := records[name]; ok {
					names = append(names, name)
					files[name] = text
				}
			}
			in["records"] = names
		}
		if chains == nil {
			chains = []object{}
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "trace-" + name, base: prefixed("trace-", base), operation: "trace-asset", title: title, clause: clause, input: in, files: files,
			expected: object{"complete": complete, "chains": chains, "findings": append([]string{}, findings...)},
		})
	}
	read, both := []string{"read:text"}, []string{"read:text", "write:book"}
	produced := hop("produced_by", "bindery_agent", "bind_run", nil)
	second := hop("delegated_by", "press_agent", "bind_run", read)
	first := hop("delegated_by", "editor", "print_run", both)
	add("good", "", "an asset of two hand-overs", "C.3", workflowText, "bound_book", true, []object{chain("human", produced, second, first)}, nil)
	add("one", "", "an asset of one hand-over", "C.3", workflowText, "sheets", true, []object{chain("human", hop("produced_by", "press_agent", "print_run", nil), first)}, nil)
	add("nobody", "good", "an asset that nobody produces", "C.3 step 1", workflowText, "manuscript", false, nil, nil, "error OWG_TRACE_NO_PRODUCER")
	edit := func(name, title, clause string, complete bool, chains []object, pairs []string, findings ...string) {
		add(name, "good", title, clause, edited(pairs...), "bound_book", complete, chains, nil, findings...)
	}
	edit("two", "an asset of two producers", "C.3 step 1", true, []object{chain("human", hop("produced_by", "press_agent", "print_run", nil), first), chain("human", produced, second, first)}, []string{`"produced": ["sheets"]`, `"produced": ["sheets", "bound_book"]`})
	edit("no-performer", "a task that does not say who performs it", "C.3 step 2", false, nil, []string{`"executor": {"type": "a2a", "ref": "bind"}, "performed_by": "bindery_agent",`, ``}, "error OWG_TRACE_NO_PERFORMER")
	edit("no-delegation", "a task that nobody handed over", "C.3 step 5", false, []object{chain("organization", produced, hop("works_for", "org_bindery", "", nil))}, []string{`
     "delegation": {"by": "press_agent", "scope": ["read:text"]},`, ``})
	operated := chain("human", produced, second, hop("operated_by", "editor", "", nil))
	edit("operated", "an agent that a person operates", "C.3 step 5", true, []object{operated}, []string{"\n     " + firstDelegation + ",", ``, `"works_for": "org_press"`, `"operated_by": "editor"`})
	edit("organization", "an agent that works for an organization in which nobody is known", "C.3 step 5", false, []object{chain("organization", produced, second, hop("works_for", "org_press", "", nil))}, []string{"\n     " + firstDelegation + ",", ``})
	responsible := chain("organization", produced, second, hop("works_for", "org_house", "", nil))
	responsible["complete"], responsible["responsible"] = true, "editor"
	edit("responsible", "an agent that works for an organization in which a person is responsible", "C.3 step 5", true, []object{responsible}, []string{"\n     " + firstDelegation + ",", ``, `"org_press"`, `"org_house"`})
	edit("orphan", "an agent of nobody", "C.3 step 5", false, []object{chain("nowhere", produced, second)}, []string{"\n     " + firstDelegation + ",", ``, ` "works_for": "org_press",`, ``}, "warning OWG_AUTHORITY_ORPHAN")
	edit("cycle", "a participant that is met twice", "C.3 step 6", false, []object{chain("cycle", produced, second, hop("delegated_by", "editor", "print_run", both), hop("delegated_by", "press_agent", "again", read))}, []string{
		`"kind": "human"`, `"kind": "agent"`, `  "tasks": [`, `  "tasks": [
    {"id": "again", "performed_by": "editor", "delegation": {"by": "press_agent", "scope": ["read:text"]}},`,
	}, "error OWG_AUTHORITY_CYCLE", "warning OWG_DELEGATION_CHAIN_WIDENS \"write:book\"")
	edit("wider", "a hop that hands on more than its delegator declares", "C.3, V-9", false, []object{chain("human", produced, hop("delegated_by", "press_agent", "bind_run", both), first)}, []string{`"scope": ["read:text"]}`, `"scope": ["read:text", "write:book"]}`}, "error OWG_DELEGATION_WIDENS /tasks/1/delegation/scope \"write:book\"")
	ambiguous := func(used string) string {
		return edited(`  "tasks": [`, `  "tasks": [
    {"id": "other_run", "performed_by": "press_agent", "delegation": {"by": "proof_reader", "scope": ["read:text"]}, "produced": ["proofs"]},`,
			`"participants": [`, `"participants": [
    {"id": "proof_reader", "kind": "human"},`, `"used": ["sheets"]`, `"used": [`+used+`]`)
	}
	add("lineage", "good", "two hand-overs to a delegator, of which one made what the task used", "C.3 step 4", ambiguous(`"sheets"`), "bound_book", true, []object{chain("human", produced, second, first)}, nil)
	other := chain("human", produced, second, hop("delegated_by", "proof_reader", "other_run", read))
	add("ambiguous", "good", "two hand-overs to a delegator, and nothing says which led to the task", "C.3 step 4", ambiguous(``), "bound_book", true, []object{other, chain("human", produced, second, first)}, nil, "warning OWG_TRACE_AMBIGUOUS")

	// Records of a run.
	run := `{"version":1,"workflow":"book-to-press","attempts":[{"task":"bind_run","attempt":1,"status":"succeeded","performed_by":"second_bindery","remote":{"task_id":"T9","state":"completed"},` +
		`"delegation":{"by":"press_agent","scope":["read:text"]},"produced":[{"asset":"bound_book"}],"error":null}],"participants":[{"id":"second_bindery","kind":"agent","works_for":"org_other"}]}`
	actual := hop("produced_by", "second_bindery", "bind_run", nil)
	actual["attempt"], actual["remoteTask"] = 1, "T9"
	add("record", "", "the record of a run says who performed a task", "C.3 step 2, C.6a", workflowText, "bound_book", true, []object{chain("human", actual, second, first)}, map[string]string{"run.json": run})
	add("record-failed", "record", "an attempt that failed says nothing of who produced an asset", "C.3 step 2", workflowText, "bound_book", true, []object{chain("human", produced, second, first)}, map[string]string{"run.json": replaceOnce(`"succeeded"`, `"failed"`)(run)})
	twice := replaceOnce(`"attempts":[`, `"attempts":[{"task":"bind_run","attempt":1,"status":"failed","performed_by":"bindery_agent","remote":{"task_id":"T8","state":"failed"},"delegation":{"by":"press_agent","scope":["read:text"]},"produced":[],"error":{"code":"A2A_TASK_FAILED","message":""}},`)(replaceOnce(`"attempt":1`, `"attempt":2`)(run))
	second2 := hop("produced_by", "second_bindery", "bind_run", nil)
	second2["attempt"], second2["remoteTask"] = 2, "T9"
	add("record-retry", "record", "an attempt that failed, and another that succeeded", "C.3 step 2, C.4", workflowText, "bound_book", true, []object{chain("human", second2, second, first)}, map[string]string{"run.json": twice})
	running := replaceOnce(`"status":"succeeded"`, `"status":"running"`)
	add("record-running", "record", "an attempt that runs has produced nothing yet", "C.3 step 2", workflowText, "bound_book", true, []object{chain("human", produced, second, first)}, map[string]string{"run.json": running(run)})
	add("record-retry-running", "record-retry", "an attempt that failed, and another that runs", "C.3 step 2, C.4", workflowText, "bound_book", true, []object{chain("human", produced, second, first)}, map[string]string{"run.json": running(twice)})
	add("record-wider", "record", "the record hands on more than the delegator declares", "C.3, V-9", workflowText, "bound_book", false, []object{chain("human", actual, second, first)}, map[string]string{"run.json": replaceOnce(`"scope":["read:text"]`, `"scope":["read:text","write:book"]`)(run)}, "error OWG_DELEGATION_WIDENS \"write:book\"", "warning OWG_RECORD_CONFLICT")

	// The records of several organizations, by the workflow of the last.
	last := `{"id":"bind","participants":[{"id":"bindery_agent","kind":"agent","works_for":"org_bindery"},{"id":"press_agent","kind":"agent","works_for":"org_press"}],
"tasks":[{"id":"take","performed_by":"bindery_agent","delegation":{"by":"press_agent","scope":["read:text"]},"produced":["bound_book"]}]}
`
	bindery := `{"version":1,"workflow":"bind","received":[{"task":"take","performed_by":"bindery_agent","task_id":"T2","state":"submitted","delegation":{"by":"press_agent","scope":["read:text"]}}]}`
	press := `{"version":1,"workflow":"press","participants":[{"id":"press_agent","kind":"agent","works_for":"org_press"},{"id":"bindery_agent","kind":"agent","works_for":"org_bindery"}],` +
		`"received":[{"task":"intake","performed_by":"press_agent","task_id":"T1","state":"submitted","caller":"urn:house:editor","delegation":{"by":"editor","scope":["read:text"]}}],` +
		`"attempts":[{"task":"bind_run","attempt":1,"status":"succeeded","performed_by":"bindery_agent","remote":{"task_id":"T2","state":"completed"},"delegation":{"by":"press_agent","scope":["read:text"]},"produced":[{"asset":"bound_book"}],"error":null}]}`
	house := `{"version":1,"workflow":"house","participants":[{"id":"editor","kind":"human","works_for":"org_house"},{"id":"press_agent","kind":"agent","works_for":"org_press"}],` +
		`"attempts":[{"task":"print_run","attempt":1,"status":"running","performed_by":"press_agent","remote":{"task_id":"T1","state":"working"},"delegation":{"by":"editor","scope":["read:text"]},"produced":[],"error":null}]}`
	several := func(name, base, title string, complete bool, chains []object, bindery, press, house string, findings ...string) {
		records := map[string]string{"bindery.json": bindery, "press.json": press, "house.json": house}
		in, files := []string{}, map[string]string{"workflow.json": last}
		for _, name := range []string{"bindery.json", "press.json", "house.json"} {
			if records[name] != "" {
				in = append(in, name)
				files[name] = records[name]
			}
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "trace-records" + prefixed("-", name), base: base, operation: "trace-asset", title: title, clause: "C.6a", input: object{"workflow": "workflow.json", "asset": "bound_book", "records": in}, files: files,
			expected: object{"complete": complete, "chains": chains, "findings": append([]string{}, findings...)},
		})
	}
	made, taken := hop("produced_by", "bindery_agent", "take", nil), hop("delegated_by", "press_agent", "take", read)
	ordered := hop("delegated_by", "editor", "print_run", read)
	ordered["workflow"] = "house"
	whole := []object{chain("human", made, taken, ordered)}
	several("", "", "the records of three organizations make one chain", true, whole, bindery, press, house)
	alone := hop("delegated_by", "editor", "intake", read)
	alone["workflow"] = "press"
	several("less", "", "without the record of the first organization nobody says who its delegator is", false, []object{chain("nowhere", made, taken, alone)}, bindery, press, "")
	several("other", "trace-records", "two records name two delegators of one hand-over", false, whole, bindery, replaceOnce(`"by":"editor"`, `"by":"reader"`)(press), house, "error OWG_RECORD_CONFLICT")
	several("more", "trace-records", "more was received than was sent, and was handed on", false, []object{chain("human", made, taken, and(hop("delegated_by", "editor", "print_run", []string{}), "workflow", "house"))}, bindery, press, replaceOnce(`"scope":["read:text"]`, `"scope":[]`)(house), "error OWG_RECORD_CONFLICT \"read:text\"", "warning OWG_DELEGATION_CHAIN_WIDENS \"read:text\"")
	m.s.on("trace-records-less", "trace-records", false, "house.json")
	declares := func(scope string) func(string) string {
		return replaceOnce(`"kind":"human","works_for":"org_house"`, `"kind":"human","works_for":"org_house","identity":{"id":"urn:house:editor","credential_scope":[`+scope+`]}`)
	}
	several("declared", "", "a record says what its delegator has", true, whole, bindery, press, declares(`"read:text"`)(house))
	several("declared-less", "trace-records-declared", "a record says that its delegator has less than it hands on", false, whole, bindery, press, declares(`"read:book"`)(house), "error OWG_DELEGATION_WIDENS \"read:text\"", "error OWG_DELEGATION_WIDENS \"read:text\"")

	m.s.cases = append(m.s.cases, ownCase{
		name: "trace-record-version", base: "trace-record", operation: "trace-asset", title: "a record of another version", clause: "C.6a", input: object{"workflow": "workflow.json", "asset": "bound_book", "records": []string{"run.json"}},
		expected: object{"code": "OWG_RECORD"}, files: map[string]string{"workflow.json": workflowText, "run.json": replaceOnce(`"version":1`, `"version":2`)(run)},
	}, ownCase{
		name: "trace-type", base: "trace-good", operation: "trace-asset", title: "an asset list that is none", clause: "V-1", input: object{"workflow": "workflow.json", "asset": "bound_book"},
		expected: object{"code": "OWG_TYPE"}, files: map[string]string{"workflow.json": edited(`"produced": ["bound_book"]`, `"produced": "bound_book"`)},
	})
}

// states is the table of section C.4.
func (m workflowSuite) states() {
	add := func(name, state string, expected object) {
		m.s.cases = append(m.s.cases, ownCase{name: "state-" + name, operation: "map-state", title: "the state " + state, clause: "C.4", input: object{"state": state}, expected: expected})
	}
	for _, row := range []struct{ name, status, code string }{
		{"submitted", "running", ""}, {"working", "running", ""}, {"input-required", "running", ""}, {"auth-required", "running", ""},
		{"completed", "succeeded", ""}, {"failed", "failed", "A2A_TASK_FAILED"}, {"canceled", "failed", "A2A_TASK_CANCELED"}, {"rejected", "failed", "A2A_TASK_REJECTED"},
	} {
		for i, state := range []string{row.name, "TASK_STATE_" + strings.ToUpper(strings.ReplaceAll(row.name, "-", "_"))} {
			expected := object{"known": true, "status": row.status, "state": row.name}
			if row.code != "" {
				expected["code"] = row.code
			}
			add(row.name+[]string{"", "-enum"}[i], state, expected)
		}
	}
	add("cancelled", "TASK_STATE_CANCELLED", object{"known": true, "status": "failed", "state": "canceled", "code": "A2A_TASK_CANCELED"})
	for _, row := range []struct{ name, state string }{
		{"unspecified", "TASK_STATE_UNSPECIFIED"}, {"case", "Completed"}, {"capitals", "COMPLETED"}, {"space", "completed "}, {"invented", "TASK_STATE_SUCCEEDED"}, {"empty", ""}, {"british", "cancelled"},
	} {
		add(row.name, row.state, object{"known": false, "state": row.state})
	}
}
