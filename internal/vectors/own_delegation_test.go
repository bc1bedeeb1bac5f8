package vectors_test

import (
	"fmt"
	"strings"
)

const (
	delegationSpec = "https://w3id.org/jeswr/odrl-delegation"
	ownPrefixes    = "@prefix odrl: <http://www.w3.org/ns/odrl/2/> .\n@prefix odrld: <https://w3id.org/jeswr/odrl-delegation#> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n@prefix ex: <https://example.org/#> .\n"
)

// ownPolicies are a chain of n policies, ex:p0 to ex:p(n-1), of the parties ex:a0 to ex:an:
// each lets the next party read ex:doc and, but the last, pass that on to a depth.
func ownPolicies(n, depth int) []string { return ownPoliciesFrom(0, n, depth) }

// ownPoliciesFrom are those of the parties from ex:a(from) on.
func ownPoliciesFrom(from, n, depth int) []string {
	var all []string
	for i := from; i < from+n; i++ {
		under, grant := "", ""
		if i > from {
			under = fmt.Sprintf("ex:p%d odrld:delegatedUnder ex:p%d .\n", i, i-1)
		}
		if i < from+n-1 {
			grant = fmt.Sprintf("ex:p%[1]d odrl:permission ex:grant%[1]d .\nex:grant%[1]d odrl:action odrl:grantUse ; odrl:target ex:doc ; odrl:assignee ex:a%[2]d ;\n  odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand %[3]d ] .\n", i, i+1, depth)
		}
		all = append(all, ownPrefixes+fmt.Sprintf(`ex:p%[1]d a odrl:Agreement .
ex:p%[1]d odrl:profile <https://w3id.org/jeswr/odrl-delegation> .
ex:p%[1]d odrl:assigner ex:a%[1]d .
ex:p%[1]d odrl:assignee ex:a%[2]d .
ex:p%[1]d odrl:permission ex:read%[1]d .
ex:read%[1]d odrl:action odrl:read ; odrl:target ex:doc .
`, i, i+1)+under+grant)
	}
	return all
}

// change replaces a part of the text of a policy, which must be there; "" appends.
type change struct {
	policy   int
	from, to string
}

func changed(policies []string, changes ...change) []string {
	for _, c := range changes {
		switch {
		case c.from == "":
			policies[c.policy] += c.to + "\n"
		case !strings.Contains(policies[c.policy], c.from):
			panic(fmt.Sprintf("%q is not in %s", c.from, policies[c.policy]))
		default:
			policies[c.policy] = strings.ReplaceAll(policies[c.policy], c.from, c.to)
		}
	}
	return policies
}

// delegationVectors are those of section 10.4 of the specification "authz" that are of
// chains of policies. Each that is denied is permitted but for its one rule, so that who
// does not have the rule fails the case.
func delegationVectors() ownSuite {
	s := ownSuite{
		name: "delegation", spec: delegationSpec,
		description: "Chains of policies of the ODRL Agent-Delegation Profile: the rules that no case of the public suite fails without.",
	}
	const now = "2026-08-01T12:00:00Z"
	type more struct {
		agent      string
		action     string
		attributes object
		chain      []int  // the policies as they are presented
		syntax     string // the extension of their files, ttl by default
	}
	add := func(name, title, clause, decision string, n int, m more, changes ...change) {
		if m.agent == "" {
			m.agent = fmt.Sprintf("https://example.org/#a%d", n)
		}
		if m.action == "" {
			m.action = "read"
		}
		request := object{"agent": m.agent, "action": m.action, "target": "https://example.org/#doc"}
		if m.attributes != nil {
			request["attributes"] = m.attributes
		}
		c := ownCase{
			name: name, operation: "evaluate-delegated-chain", title: title, clause: clause,
			expected: object{"decision": decision}, files: map[string]string{},
		}
		if m.syntax == "" {
			m.syntax = "ttl"
		}
		if m.chain == nil {
			for i := range n {
				m.chain = append(m.chain, i)
			}
		}
		var chain []string
		for _, i := range m.chain {
			chain = append(chain, fmt.Sprintf("chain-%d.%s", i, m.syntax))
		}
		for i, p := range changed(ownPolicies(n, 3), changes...) {
			c.files[fmt.Sprintf("chain-%d.%s", i, m.syntax)] = p
		}
		c.input = object{"chain": chain, "now": now, "request": request, "revoked": []string{}}
		s.cases = append(s.cases, c)
	}
	deny := func(name, title, clause string, n int, changes ...change) {
		add(name, title, clause, "deny", n, more{}, changes...)
	}
	permit := func(name, title, clause string, n int, changes ...change) {
		add(name, title, clause, "permit", n, more{}, changes...)
	}
	forbid := func(policy int, action, rest string) change {
		return change{policy, "", fmt.Sprintf("ex:p%d odrl:prohibition [ odrl:action odrl:%s ; odrl:target ex:doc %s ] .", policy, action, rest)}
	}
	constrain := func(rule, constraint string) change {
		return change{0, "", fmt.Sprintf("ex:%s odrl:constraint %s .", rule, constraint)}
	}
	perm := func(policy int) change {
		return change{policy, "", fmt.Sprintf("ex:p%d odrl:conflict odrl:perm .", policy)}
	}

	permit("one", "a policy alone", "7.7", 1)
	permit("two", "a policy and one under it", "7.7", 2)
	permit("three", "three policies", "7.7", 3)

	deny("prohibited-delegation", "passing it on is prohibited", "10.4 item 1", 2, forbid(0, "grantUse", ""))
	deny("prohibited-delegation-perm", "passing it on is prohibited, and permissions win", "10.4 item 1", 2, perm(0), forbid(0, "grantUse", ""))
	deny("prohibited-scope-perm", "the parent prohibits the action to its assignee, and permissions win", "10.4 item 1", 2, perm(0), forbid(0, "read", "; odrl:assignee ex:a1"))
	deny("prohibited-leaf-perm", "the last policy prohibits the action, and permissions win", "10.4 item 1", 2, perm(1), forbid(1, "read", ""))
	permit("prohibited-other", "another action is prohibited", "10.4 item 1", 2, forbid(0, "delete", ""))

	deny("grant-of-other", "what may be passed on is another target", "10.4 item 2", 2, change{0, "odrl:grantUse ; odrl:target ex:doc", "odrl:grantUse ; odrl:target ex:other"})
	deny("grant-to-nobody", "the permission to pass it on names nobody", "10.4 item 2", 2, change{0, "; odrl:assignee ex:a1 ;", ";"}, change{0, "ex:p0 odrl:assignee ex:a1 .\n", "ex:read0 odrl:assignee ex:a1 .\n"})
	deny("grant-to-other", "another party may pass it on", "10.4 item 2", 2, change{0, "; odrl:assignee ex:a1 ;", "; odrl:assignee ex:a9 ;"})
	deny("use-is-no-grant", "use does not cover grantUse", "10.4 item 2", 2, change{0, "odrl:grantUse", "odrl:use"})

	deny("no-agreement", "a delegated policy that is a Set", "10.4 item 3", 2, change{1, "odrl:Agreement", "odrl:Set"})
	deny("no-assigner", "a delegated policy without an assigner", "10.4 item 3", 2, change{1, "ex:p1 odrl:assigner ex:a1 .\n", ""})
	deny("no-assignee", "a delegated policy without an assignee", "10.4 item 3", 2, change{1, "ex:p1 odrl:assignee ex:a2 .\n", "ex:read1 odrl:assignee ex:a2 .\n"})
	deny("other-assigner", "a delegated policy by another than whom its parent names", "10.4 item 3", 2, change{1, "odrl:assigner ex:a1", "odrl:assigner ex:a9"})
	deny("other-parent", "a policy that is delegated under another", "10.4 item 3", 2, change{1, "odrld:delegatedUnder ex:p0", "odrld:delegatedUnder ex:p9"})
	deny("no-parent", "a policy that is delegated under none", "10.4 item 3", 2, change{1, "ex:p1 odrld:delegatedUnder ex:p0 .\n", ""})
	add("policy-twice", "one policy twice, which is delegated under itself", "10.4 item 3", "deny", 3, more{chain: []int{0, 1, 1, 2}},
		change{1, "odrl:assignee ex:a2", "odrl:assignee ex:a1"}, change{1, "odrld:delegatedUnder ex:p0", "odrld:delegatedUnder ex:p0, ex:p1"}, change{2, "odrl:assigner ex:a2", "odrl:assigner ex:a1"})
	deny("root-under-something", "a root that says that it is delegated", "10.4 item 3", 1, change{0, "", "ex:p0 odrld:delegatedUnder ex:p9 ."})

	deny("ancestor-prohibits", "the root prohibits it to the party that acts", "10.4 item 4", 3, forbid(0, "read", "; odrl:assignee ex:a3"))
	permit("ancestor-prohibits-other", "the root prohibits it to another", "10.4 item 4", 3, forbid(0, "read", "; odrl:assignee ex:a9"))
	add("not-the-last", "the party in the middle acts", "10.4 item 4", "deny", 2, more{agent: "https://example.org/#a1"})
	add("for-two", "a second party that the last rule is also for", "10.4 item 4", "deny", 2, more{agent: "https://example.org/#eve"},
		change{1, "ex:read1 odrl:action odrl:read", "ex:read1 odrl:assignee ex:a2, ex:eve ; odrl:action odrl:read"})

	// The profile asks the policy just above whether its assignee may act and pass it on, and
	// the others about the party that acts; they are asked about those in between as well.
	to := func(party int, rest string) string { return fmt.Sprintf("; odrl:assignee ex:a%d %s", party, rest) }
	permit("passes-on-other-action", "the root prohibits another action to one who passes it on", "10.4 item 4", 3, forbid(0, "delete", to(2, "")))
	deny("passes-on", "the root prohibits it to one who passes it on", "10.4 item 4", 3, forbid(0, "read", to(2, "")))
	permit("passes-on-far-other-party", "the root prohibits use to another, of four policies", "10.4 item 4", 4, forbid(0, "use", to(9, "")))
	deny("passes-on-far", "the root prohibits use to one who passes it on, of four policies", "10.4 item 4", 4, forbid(0, "use", to(3, "")))
	permit("passes-on-grant-last", "the root prohibits the last party to pass it on, which it does not", "10.4 item 4", 3, forbid(0, "grantUse", to(3, "")))
	deny("passes-on-grant", "the root prohibits one who passes it on to do so", "10.4 item 4", 3, forbid(0, "grantUse", to(2, "")))
	atDepth := func(operator string, depth int) string {
		return fmt.Sprintf("; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:%s ; odrl:rightOperand %d ]", operator, depth)
	}
	permit("passes-on-grant-other-depth", "the root prohibits one who passes it on once to pass it on twice", "10.4 item 4", 3, forbid(0, "grantUse", to(2, atDepth("gteq", 2))))
	deny("passes-on-grant-depth", "the root prohibits one who passes it on once to pass it on once", "10.4 item 4", 3, forbid(0, "grantUse", to(2, atDepth("lteq", 1))))

	// Who asks to delegate asks for one more edge, to a policy that is not there yet.
	may := func(policy int, rest string) change {
		return change{policy, "", fmt.Sprintf("ex:p%d odrl:permission [ odrl:action odrl:grantUse ; odrl:target ex:doc ; odrl:assignee ex:a%d %s ] .", policy, policy+1, rest)}
	}
	further := func(name, title, clause, decision string, n int, changes ...change) {
		add("further-"+name, title, clause, decision, n, more{action: "grantUse"}, changes...)
	}
	unbounded := change{0, " ;\n  odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 3 ]", ""}
	further("one", "a party asks to pass on what it may pass on", "7.6", "permit", 1, may(0, ""))
	further("one-no-depth-left", "a party asks to pass on what it may pass on zero times", "7.6", "deny", 1, may(0, atDepth("lteq", 0)))
	further("one-to-all", "a party asks to pass on what everyone may pass on", "7.6", "deny", 1, may(0, ""),
		change{0, " ; odrl:assignee ex:a1  ]", " ]"}, change{0, "ex:p0 odrl:assignee ex:a1 .\n", ""})
	further("two", "the second party asks to pass it on, which the root lets be done more than once", "7.6", "permit", 2, may(1, ""))
	further("two-once", "the second party asks to pass it on, which the root lets be done once", "7.6", "deny", 2, may(1, ""), unbounded)
	further("two-last", "the second party asks to pass it on, which the policy for it does not permit", "7.6", "deny", 2)
	further("mandate", "a party asks to pass on what it may pass on by one policy alone", "7.7", "deny", 1, may(0, "; odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p9 ]"))
	further("mandate-other", "a party asks to pass on what it may pass on, and by one policy alone", "7.7", "permit", 1, may(0, ""), may(0, "; odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:p9 ]"))
	further("prohibited-perm", "a party asks to pass on what it is prohibited to pass on, and permissions win", "7.3", "deny", 1, may(0, ""), perm(0), forbid(0, "grantUse", to(1, "")))
	further("no-profile", "a party asks to pass on what a policy permits that does not say that it follows the profile", "7.9", "deny", 1, may(0, ""), change{0, "ex:p0 odrl:profile <https://w3id.org/jeswr/odrl-delegation> .\n", ""})

	// A name is an IRI: a literal of the same text is no class, a label is no action.
	deny("class-literal", "a literal for the class of a policy", "10.4 item 3", 1, change{0, "a odrl:Agreement", `a "http://www.w3.org/ns/odrl/2/Agreement"`})
	deny("class-literal-delegated", "a literal for the class of a delegated policy", "10.4 item 3", 2, change{1, "a odrl:Agreement", `a "http://www.w3.org/ns/odrl/2/Agreement"`})
	deny("class-literal-beside", "a literal beside the class of a policy", "10.4 item 7", 1, change{0, "a odrl:Agreement", `a odrl:Agreement, "http://www.w3.org/ns/odrl/2/Agreement"`})
	permit("rule-class", "a class of a rule", "10.4 item 7", 1, change{0, "", "ex:read0 a odrl:Permission ."})
	deny("rule-class-literal", "a literal for the class of a rule", "10.4 item 7", 1, change{0, "", `ex:read0 a "http://www.w3.org/ns/odrl/2/Permission" .`})
	deny("action-label", "a blank node for an action, whose label is the name of one", "10.4 item 7", 1, change{0, "odrl:action odrl:read", "odrl:action _:read"})
	deny("action-literal", "a literal for an action", "10.4 item 7", 1, change{0, "odrl:action odrl:read", `odrl:action "read"`})
	permit("prohibited-other-action", "a prohibition of another action", "10.4 item 7", 1, change{0, "", "ex:p0 odrl:prohibition [ odrl:action odrl:delete ; odrl:target ex:doc ] ."})
	deny("prohibited-action-label", "a prohibition of a blank node", "10.4 item 7", 1, change{0, "", "ex:p0 odrl:prohibition [ odrl:action _:delete ; odrl:target ex:doc ] ."})

	// What has an odrl:uid is described at one node: at two, some would read one of them alone.
	const ended = `[ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lt ; odrl:rightOperand "2026-01-01T00:00:00Z"^^xsd:dateTime ]`
	uid := func(more string) change { return change{0, "", more} }
	permit("uid", "a rule with a uid", "10.4 item 7", 1, uid("ex:read0 odrl:uid ex:u ."))
	permit("uid-own", "a rule whose uid is its IRI", "10.4 item 7", 1, uid("ex:read0 odrl:uid ex:read0 ."))
	deny("uid-constrained", "a rule with a uid that is constrained", "10.4 item 7", 1, uid("ex:read0 odrl:uid ex:u . ex:u odrl:constraint "+ended+" ."))
	deny("uid-two-nodes", "a rule with a uid, and a second node of that uid that is constrained", "10.4 item 7", 1, uid("ex:read0 odrl:uid ex:u . ex:p0 odrl:permission [ odrl:uid ex:u ; odrl:constraint "+ended+" ] ."))
	permit("uid-two-uids", "a rule with a uid, and a second rule of another uid that is constrained", "10.4 item 7", 1, uid("ex:read0 odrl:uid ex:u . ex:p0 odrl:permission [ odrl:uid ex:v ; odrl:action odrl:read ; odrl:target ex:doc ; odrl:constraint "+ended+" ] ."))
	deny("uid-elsewhere", "a node whose uid is a rule, and which is constrained", "10.4 item 7", 1, uid("[] odrl:uid ex:read0 ; odrl:constraint "+ended+" ."))
	permit("uid-asset", "a node whose uid is the target, and which says nothing in ODRL", "10.4 item 7", 1, uid(`[] odrl:uid ex:doc ; a odrl:Asset ; <http://purl.org/dc/terms/title> "x" .`))
	deny("uid-asset-refined", "a node whose uid is the target, and which is refined", "10.4 item 7", 1, uid("[] odrl:uid ex:doc ; a odrl:Asset ; odrl:refinement "+ended+" ."))

	// What is beside a policy is part of one, or nobody knows what it was meant to restrict.
	beside := func(more string) change { return change{0, "", more} }
	permit("beside-asset", "an asset that the policy does not name", "10.4 item 7", 1, beside("ex:other a odrl:Asset ; odrl:partOf ex:all ."))
	deny("beside-prohibition", "a prohibition that no policy leads to", "10.4 item 7", 1, beside("[] a odrl:Prohibition ; odrl:action odrl:read ; odrl:target ex:doc ."))
	deny("beside-prohibition-described", "a prohibition behind a property of another namespace", "10.4 item 7", 1, beside("ex:p0 ex:prohibition [ odrl:action odrl:read ; odrl:target ex:doc ] ."))
	deny("beside-constraint", "a constraint behind a property of another namespace", "10.4 item 7", 1, beside("ex:read0 ex:constraint "+ended+" ."))
	deny("beside-uid-literal", "a node that is constrained, whose uid is the rule's IRI as a literal", "10.4 item 7", 1, beside(`[] odrl:uid "https://example.org/#read0" ; odrl:constraint `+ended+` .`))
	deny("beside-has-policy", "an asset of a policy that is not there", "10.4 item 7", 1, beside("ex:doc odrl:hasPolicy ex:p9 ."))
	deny("beside-has-policy-literal", "an asset of the policy, by a literal", "10.4 item 7", 1, beside(`ex:doc odrl:hasPolicy "https://example.org/#p0" .`))

	// What a policy shares with its rules is that of a rule that is there.
	shares := func(more string) change {
		return change{0, "ex:read0 odrl:action odrl:read ; odrl:target ex:doc .\n", "ex:p0 odrl:action odrl:read ; odrl:target ex:doc .\n" + more + "\n"}
	}
	permit("shared", "a rule that has all from its policy", "10.4 item 7", 1, shares("ex:read0 a odrl:Permission ."))
	deny("shared-absent", "a rule of which nothing is said, in a policy that shares all", "10.4 item 7", 1, shares(""))
	deny("shared-list", "a list of rules, in a policy that shares all", "10.4 item 7", 1, shares("ex:read0 a odrl:Permission ."), change{0, "odrl:permission ex:read0 .", "odrl:permission ( ex:read0 ) ."})
	deny("shared-prohibition-absent", "a prohibition of which nothing is said, in a policy that shares another action", "10.4 item 7", 1, beside("ex:p0 odrl:action odrl:delete ; odrl:prohibition ex:no ."))

	// A collection is one under each of its names, and of what is said at any node.
	all := "ex:p0 odrl:prohibition [ odrl:action odrl:read ; odrl:target ex:all ] . "
	permit("part-other", "a collection is prohibited, and another asset is part of it", "10.4 item 7", 1, beside(all+"[] odrl:uid ex:other ; odrl:partOf ex:all ."))
	deny("part", "a collection is prohibited, and the target is part of it by the name of a node", "10.4 item 7", 1, beside(all+"[] odrl:uid ex:doc ; odrl:partOf ex:all ."))
	deny("part-collection", "a collection is prohibited, and the target is part of a node with its name", "10.4 item 7", 1, beside(all+"ex:doc odrl:partOf [ odrl:uid ex:all ] ."))
	deny("part-source", "a collection is prohibited, and the target is part of a node whose source it is", "10.4 item 7", 1, beside(all+"ex:doc odrl:partOf [ odrl:source ex:all ] ."))
	deny("collection-declared", "what is prohibited is a collection by the name of a node, and what is in it is not known", "10.4 item 7", 1, beside(all+"[] odrl:uid ex:all ; a odrl:AssetCollection ."))

	// Two texts that read as one number are one value or two: nobody knows.
	count := func(name, title, decision, operator, value string) {
		add(name, title, "10.4 item 7", decision, 1, more{attributes: object{"count": value}},
			change{0, "", "ex:read0 odrl:constraint [ odrl:leftOperand odrl:count ; odrl:operator odrl:" + operator + ` ; odrl:rightOperand "3" ] .`})
	}
	count("text-number", "a text that has to be another number, and is", "permit", "neq", "4")
	count("text-number-spelling", "a text that has to be another number, and is another spelling of it", "deny", "neq", "3.0")
	count("text-number-others", "a text that must not be one of one number, and is none of it", "permit", "isNoneOf", "4")
	count("text-number-none-of", "a text that must not be one of one number, and is another spelling of it", "deny", "isNoneOf", "3e0")

	// A mandate pins the next policy wherever it stands.
	mandate := func(of, policy string) change {
		return change{0, "", "ex:" + of + " [ odrl:action odrl:nextPolicy ; odrl:target ex:" + policy + " ] ."}
	}
	permit("mandate-obligation", "the root obliges to a policy, which is next", "7.7", 2, mandate("p0 odrl:obligation", "p1"))
	deny("mandate-obligation-other", "the root obliges to another policy than the next", "7.7", 2, mandate("p0 odrl:obligation", "p9"))
	permit("mandate-passed-on", "what is passed on has the duty of a policy, which is next", "7.7", 2, mandate("read0 odrl:duty", "p1"))
	deny("mandate-passed-on-other", "what is passed on has the duty of another policy than the next", "7.7", 2, mandate("read0 odrl:duty", "p9"))
	permit("mandate-last", "what is not passed on has the duty of a policy", "7.7", 1, mandate("read0 odrl:duty", "p9"))

	// A named graph may hold a prohibition.
	prohibition := "ex:p0 odrl:prohibition ex:no . ex:no odrl:action odrl:read ; odrl:target ex:doc ; odrl:assignee ex:a%d ."
	add("trig", "policies in TriG without named graphs", "10.4 item 7", "permit", 2, more{syntax: "trig"})
	add("trig-named-graph", "a policy that says something in a named graph", "10.4 item 7", "deny", 2, more{syntax: "trig"}, change{0, "", "ex:g { " + fmt.Sprintf(prohibition, 2) + " }"})
	add("trig-named-graph-other", "a policy that says something in a named graph, which would change nothing", "10.4 item 7", "deny", 2, more{syntax: "trig"}, change{0, "", "ex:g { ex:p0 ex:note 1 . }"})
	add("trig-prohibition", "the same prohibition in the default graph", "10.4 item 4", "deny", 2, more{syntax: "trig"}, change{0, "", fmt.Sprintf(prohibition, 2)})

	depths := func(d string) change {
		return change{0, "odrl:rightOperand 3", "odrl:rightOperand " + d}
	}
	deny("depth", "deeper than the root allows", "10.4 item 7", 3, depths("1"))
	asserted := object{"delegationDepth": 1, "https://w3id.org/jeswr/odrl-delegation#delegationDepth": 1}
	add("depth-asserted", "deeper than the root allows, and the request says that it is not", "10.4 item 7", "deny", 3, more{attributes: asserted}, depths("1"))
	add("depth-asserted-deeper", "not deeper, and the request says that it is", "10.4 item 7", "permit", 2, more{attributes: object{"delegationDepth": 9}}, depths("1"))
	deny("depth-negative", "a depth below nothing", "10.4 item 7", 2, depths("-1"))
	deny("depth-fraction", "a depth that is no integer", "10.4 item 7", 3, depths("1.5"))

	permit("duties", "duties of known actions at every hop are carried forward", "10.4 item 7", 3,
		change{0, "", "ex:grant0 odrl:duty [ odrl:action odrl:inform ] . ex:read0 odrl:duty [ odrl:action odrl:delete ] ."}, change{1, "", "ex:read1 odrl:duty [ odrl:action odrl:anonymize ] ."}, change{2, "", "ex:p2 odrl:obligation [ odrl:action odrl:compensate ] ."})
	deny("duty-unknown", "a duty that nobody understands", "10.4 item 7", 2, change{1, "", "ex:read1 odrl:duty [ odrl:action ex:pray ] ."})

	deny("unknown-operand", "a constraint on what nobody knows", "10.4 item 7", 1, constrain("read0", "[ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ]"))
	add("unknown-operand-asserted", "the same, and the request asserts it", "10.4 item 7", "deny", 1, more{attributes: object{"https://example.org/#mood": 1}}, constrain("read0", "[ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ]"))
	deny("unknown-operator", "an operator that nobody knows", "10.4 item 7", 1, constrain("read0", "[ odrl:leftOperand odrl:dateTime ; odrl:operator ex:near ; odrl:rightOperand \"2027-01-01T00:00:00Z\"^^xsd:dateTime ]"))
	deny("unknown-property", "a property of ODRL that has no place on a policy", "10.4 item 7", 1, change{0, "", "ex:p0 odrl:limit 1 ."})
	deny("unknown-profile", "a second profile, which nobody knows", "10.4 item 7", 1, change{0, "", "ex:p0 odrl:profile ex:other ."})
	deny("no-profile", "a chain with a policy without the profile", "10.4 item 7", 2, change{0, "ex:p0 odrl:profile <https://w3id.org/jeswr/odrl-delegation> .\n", ""})
	deny("unknown-prohibition", "a prohibition on a condition that nobody knows", "10.4 item 7", 1, forbid(0, "read", "; odrl:constraint [ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ]"))
	deny("missing-attribute", "a permission on a purpose, and no purpose", "10.4 item 7", 1, constrain("read0", "[ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:research ]"))
	deny("missing-attribute-prohibition", "a prohibition on a purpose, and no purpose", "10.4 item 7", 1, forbid(0, "read", "; odrl:constraint [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:marketing ]"))

	const past, future = `[ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lt ; odrl:rightOperand "2026-01-01T00:00:00Z"^^xsd:dateTime ]`, `[ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lt ; odrl:rightOperand "2027-01-01T00:00:00Z"^^xsd:dateTime ]`
	const unknown = "[ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ]"
	for _, row := range []struct{ name, title, constraint, decision string }{
		{"and", "both of two conditions", "[ odrl:and ( " + future + future + " ) ]", "permit"}, {"and-one", "one of two conditions that must both hold", "[ odrl:and ( " + future + past + " ) ]", "deny"}, {"and-unknown", "a condition that holds and one that nobody knows", "[ odrl:and ( " + future + unknown + " ) ]", "deny"},
		{"or-one", "one of two conditions", "[ odrl:or ( " + past + future + " ) ]", "permit"}, {"or-none", "none of two conditions", "[ odrl:or ( " + past + past + " ) ]", "deny"}, {"or-unknown", "a condition that does not hold or one that nobody knows", "[ odrl:or ( " + past + unknown + " ) ]", "deny"},
		{"xone-one", "exactly one of two conditions", "[ odrl:xone ( " + past + future + " ) ]", "permit"}, {"xone-both", "both of two conditions of which one must hold", "[ odrl:xone ( " + future + future + " ) ]", "deny"}, {"xone-unknown", "a condition that holds, and one that nobody knows, of which one must hold", "[ odrl:xone ( " + future + unknown + " ) ]", "deny"},
	} {
		add("logic-"+row.name, row.title, "10.4 item 7", row.decision, 1, more{}, constrain("read0", row.constraint))
	}
	permit("prohibited-until", "a prohibition that has ended", "10.4 item 7", 1, forbid(0, "read", "; odrl:constraint "+past))
	deny("prohibited-still", "a prohibition that has not ended", "10.4 item 7", 1, forbid(0, "read", "; odrl:constraint "+future))
	s.on("policy-twice", "three", false, "chain-1.ttl", "chain-2.ttl")
	s.on("passes-on", "passes-on-other-action", false)
	s.on("passes-on-far", "passes-on-far-other-party", false)
	s.on("passes-on-grant", "passes-on-grant-last", false)
	s.on("passes-on-grant-depth", "passes-on-grant-other-depth", false)
	s.on("mandate-obligation-other", "mandate-obligation", false)
	s.on("mandate-passed-on-other", "mandate-passed-on", false)
	s.on("rule-class-literal", "rule-class", false)
	s.on("uid-constrained", "uid", false)
	s.on("uid-two-nodes", "uid-two-uids", false)
	s.on("uid-elsewhere", "uid", false)
	s.on("uid-asset-refined", "uid-asset", false)
	s.on("shared-absent", "shared", false)
	s.on("shared-list", "shared", false)
	s.on("prohibited-action-label", "prohibited-other-action", false)
	s.on("for-two", "two", false, "request")
	s.on("depth-asserted", "depth", true)
	s.on("unknown-operand-asserted", "unknown-operand", true)
	return s
}
