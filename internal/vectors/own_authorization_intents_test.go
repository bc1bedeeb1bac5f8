package vectors_test

import "fmt"

// intents is section 8: what is asked for is an intent.
func (m grantSuite) intents() {
	const prefixes = `@prefix a2a: <https://w3id.org/jeswr/a2a#> .
@prefix schema: <https://schema.org/> .
@prefix acl: <http://www.w3.org/ns/auth/acl#> .
@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
@prefix ex: <https://example.org/#> .
`
	add := func(name, base, title, clause, text string, expected object, change func(q *grantCase), follows ...string) {
		m.add("intent-"+name, prefixed("intent-", base), title, clause, 1, expected, func(q *grantCase) {
			delete(q.input, "request")
			q.input["intent"], q.files["intent.ttl"] = "intent.ttl", prefixes+text
			if change != nil {
				change(q)
			}
		})
		m.follows(follows...)
	}
	permit := func(actions ...string) func(q *grantCase) {
		return func(q *grantCase) {
			var rules []object
			for _, a := range actions {
				rules = append(rules, rule(named(a), grantDoc))
			}
			q.hops[0].permit(rules...)
		}
	}
	for _, row := range []struct{ name, class, property, action, other string }{
		{"read", "schema:ReadAction", "schema:object", "odrl:read", "odrl:write"}, {"create", "schema:CreateAction", "schema:object", "odrl:write", "odrl:modify"},
		{"update", "schema:UpdateAction", "schema:object", "odrl:modify", "odrl:write"}, {"delete", "schema:DeleteAction", "schema:object", "odrl:delete", "odrl:modify"},
		{"append", "a2a:AppendAction", "schema:object", "acl:Append", "odrl:read"}, {"list", "a2a:ListAction", "schema:target", "odrl:read", "odrl:index"},
		{"query", "a2a:QueryAction", "schema:object", "odrl:read", "odrl:index"}, {"subscribe", "a2a:SubscribeAction", "schema:object", "odrl:use", "odrl:read"},
	} {
		text := fmt.Sprintf("ex:i a a2a:Intent ; a2a:action [ a %s ; %s ex:doc ] .\n", row.class, row.property)
		add(row.name, "", "an intent to "+row.name+", where "+row.action+" is permitted", "8.3", text, authorized, permit(row.action))
		add(row.name+"-not", row.name, "an intent to "+row.name+", where "+row.other+" is permitted", "8.3", text, policyDenied, permit(row.other))
	}
	const read = "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n"
	add("append-by-write", "", "an intent to append, where writing is permitted", "7.4", "ex:i a a2a:Intent ; a2a:action [ a a2a:AppendAction ; schema:object ex:doc ] .\n", authorized, permit("odrl:write"))
	add("create-by-append", "create", "an intent to create, where appending is permitted", "7.4", "ex:i a a2a:Intent ; a2a:action [ a schema:CreateAction ; schema:object ex:doc ] .\n", policyDenied, permit("acl:Append"))
	text := func(name, title, clause string, expected object, text string) {
		add(name, "read", title, clause, text, expected, nil)
	}
	text("other-target", "an intent about another target", "8.2", policyDenied, "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object ex:doc2 ] .\n")
	text("no-target", "an intent about nothing", "8.2", notMapped, "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ] .\n")
	text("target-text", "an intent about a text", "8.2, INT-6", notMapped, "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object \"https://example.org/#doc\" ] .\n")
	text("target-blank", "an intent about what has no name", "8.2", notMapped, "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object [] ] .\n")
	text("no-action", "an intent without an action", "8.2, INT-6", notMapped, "ex:i a a2a:Intent .\n")
	text("two-actions", "an intent with two actions", "8.2, INT-6", notMapped, "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] , [ a schema:ReadAction ; schema:object ex:doc2 ] .\n")
	text("no-class", "an action without a class", "8.2, INT-6", notMapped, "ex:i a a2a:Intent ; a2a:action [ schema:object ex:doc ] .\n")
	text("other-class", "an action of a class that is not mapped", "8.3, INT-6", notMapped, "ex:i a a2a:Intent ; a2a:action [ a schema:UseAction ; schema:object ex:doc ] .\n")
	text("two-classes", "an action of two classes, of which one is mapped", "8.2, INT-6", notMapped, "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction , schema:UseAction ; schema:object ex:doc ] .\n")
	text("none", "no intent", "8.2", notMapped, "ex:i a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("two", "two intents", "8.2", notMapped, read+"ex:j a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("agent", "an intent of the holder, as it says", "8.2, INT-8", authorized, "ex:i a a2a:Intent ; schema:agent <https://p1.example/#me> ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("agent-other", "an intent of another party, as it says", "8.2, AZ-8.3, INT-8", denied("composition", "IDENTITY_COMPOSITION_FAILED"), "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ; schema:agent <https://p4.example/#me> ] .\n")
	text("policy", "an intent under the policy", "8.5", authorized, "ex:i a a2a:Intent ; odrl:hasPolicy ex:p0 ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("policy-other", "an intent under a policy that is not in the chain", "8.5", mismatched, "ex:i a a2a:Intent ; odrl:hasPolicy ex:p4 ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("policy-one-other", "an intent under the policy and one that is not in the chain", "8.5", mismatched, "ex:i a a2a:Intent ; odrl:hasPolicy ex:p0 , ex:p4 ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("policy-text", "an intent under a text", "8.5", notMapped, "ex:i a a2a:Intent ; odrl:hasPolicy \"https://example.org/#p0\" ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("policy-blank", "an intent under a policy without a name", "8.5", notMapped, "ex:i a a2a:Intent ; odrl:hasPolicy [] ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("policy-of-action", "an action under the policy, where the intent should be", "8.5", notMapped, "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ; odrl:hasPolicy ex:p0 ; schema:object ex:doc ] .\n")

	// Attributes are what the receiver knows (section 8.4).
	purpose := func(known bool) func(q *grantCase) {
		return func(q *grantCase) {
			q.hops[0].permit(where(permits("read"), "purpose", "eq", "research"))
			if known {
				q.input["attributes"] = object{"purpose": "research"}
			}
		}
	}
	add("purpose", "", "an intent for a purpose that the receiver knows", "8.4, AZ-7.1", read, authorized, purpose(true))
	add("purpose-none", "purpose", "an intent for a purpose that nobody knows", "8.4, AZ-7.1", read, policyDenied, purpose(false))
	const parameter = "ex:i a2a:parameter [ a a2a:Parameter ; a2a:paramKey \"purpose\" ; a2a:paramValue \"research\" ] .\n"
	add("purpose-parameter", "purpose-none", "an intent that says its purpose itself", "8.2, AZ-7.1", read+parameter, policyDenied, purpose(false))
	m.s.cases[len(m.s.cases)-1].despite = true

	// Grants (AZ-8.2).
	grant := func(name, base, title, more string, expected object, actions ...string) {
		add("grant"+prefixed("-", name), base, title, "8.3, AZ-8.2", "ex:i a a2a:Intent ; a2a:action [ a a2a:GrantAction ; schema:object ex:doc ; schema:recipient <https://p4.example/#me> ; a2a:mode "+more+" ] .\n", expected, permit(actions...))
	}
	grant("", "", "a grant of what one holds oneself, and may control", "acl:Read , acl:Write", authorized, "acl:Control", "odrl:read", "odrl:write")
	grant("all", "", "a grant of all modes", "acl:Read , acl:Write , acl:Append , acl:Control", authorized, "acl:Control", "odrl:read", "odrl:write")
	grant("more", "grant", "a grant of more than one holds oneself", "acl:Read , acl:Write", policyDenied, "acl:Control", "odrl:read")
	grant("use", "grant", "a grant of what one may use, and not control", "acl:Read , acl:Write", policyDenied, "odrl:use")
	grant("delegates", "grant", "a grant of what one may pass on, and not control", "acl:Read , acl:Write", policyDenied, "odrl:grantUse", "odrl:read", "odrl:write")
	grant("mode-other", "grant", "a grant of a mode that there is not", "acl:Read , <urn:mode>", notMapped, "acl:Control", "odrl:read", "odrl:write")
	grant("mode-text", "grant", "a grant of a mode that is a text", "acl:Read , \"http://www.w3.org/ns/auth/acl#Write\"", notMapped, "acl:Control", "odrl:read", "odrl:write")
	to := func(name, base, title string, expected object, change func(q *grantCase)) {
		add("recipient-"+name, base, title, "8.4, AZ-3.21", "ex:i a a2a:Intent ; a2a:action [ a a2a:GrantAction ; schema:object ex:doc ; schema:recipient <https://p4.example/#me> ; a2a:mode acl:Read ] .\n", expected, func(q *grantCase) {
			permit("acl:Control", "odrl:read")(q)
			change(q)
		})
	}
	to("permitted", "", "a grant to whom the policy permits it", authorized, func(q *grantCase) {
		q.hops[0].permit(where(rule(named("acl:Control"), grantDoc), "recipient", "eq", named(ownParty(4))), permits("read"))
	})
	to("not-permitted", "recipient-permitted", "a grant to another than the policy permits it", policyDenied, func(q *grantCase) {
		q.hops[0].permit(where(rule(named("acl:Control"), grantDoc), "recipient", "eq", named(ownParty(3))), permits("read"))
	})
	to("prohibited-other", "", "a grant, where the policy prohibits the recipient something else", authorized, func(q *grantCase) {
		q.hops[0].prohibit(with(permits("delete"), "odrl:assignee", named(ownParty(4))))
	})
	to("prohibited", "recipient-prohibited-other", "a grant of what the policy prohibits to the recipient", policyDenied, func(q *grantCase) {
		q.hops[0].prohibit(with(permits("read"), "odrl:assignee", named(ownParty(4))))
	})
}

// mapped is AZ-8.1: a Protocol Document whose intents are of classes of its own.
func (m grantSuite) mapped() {
	const booking = "https://example.org/#Booking"
	mapping := object{booking: object{"action": "read", "target": "https://example.org/#room", "attributes": object{"purpose": "https://example.org/#why"}}}
	add := func(name, base, title, text string, expected object, change func(q *grantCase)) {
		m.add("mapped"+prefixed("-", name), base, title, "AZ-8.1", 1, expected, func(q *grantCase) {
			delete(q.input, "request")
			q.input["intent"], q.input["mapping"] = "intent.ttl", mapping
			q.files["intent.ttl"] = "@prefix a2a: <https://w3id.org/jeswr/a2a#> .\n@prefix schema: <https://schema.org/> .\n@prefix acl: <http://www.w3.org/ns/auth/acl#> .\n@prefix ex: <https://example.org/#> .\n" + text
			if change != nil {
				change(q)
			}
		})
	}
	text := func(name, title string, expected object, text string) {
		add(name, "mapped", title, text, expected, nil)
	}
	const one = "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc ] .\n"
	add("", "", "an intent of a class that is mapped", one, authorized, nil)
	text("other-class", "an intent of a stock class, which is not mapped here", notMapped, "ex:i a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object ex:doc ] .\n")
	text("other-property", "an intent without what is mapped as its target", notMapped, "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; schema:object ex:doc ] .\n")
	text("target-text", "an intent whose target is a text", notMapped, "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room \"https://example.org/#doc\" ] .\n")
	text("two-targets", "an intent about two targets, of which one is permitted", policyDenied, "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc , ex:doc2 ] .\n")
	add("both-targets", "", "an intent about two targets, both permitted", "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc , ex:doc2 ] .\n", authorized, func(q *grantCase) {
		q.hops[0].permit(permits("read"), rule(odrlTerm("read"), grantDoc+"2"))
	})
	text("mode", "an intent that asks for a mode more, which is not permitted", policyDenied, "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc ; a2a:mode acl:Write ] .\n")
	text("mode-other", "an intent that asks for a mode that there is not", notMapped, "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc ; a2a:mode <urn:mode> ] .\n")
	text("two-recipients", "an intent for two recipients", notMapped, "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc ; schema:recipient ex:x , ex:y ] .\n")
	prohibit := func(q *grantCase) { q.hops[0].prohibit(with(permits("read"), "odrl:assignee", named(ownParty(4)))) }
	add("recipient", "", "an intent for a recipient, where the policy prohibits it to another", "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc ; schema:recipient <https://p3.example/#me> ] .\n", authorized, prohibit)
	add("recipient-prohibited", "mapped-recipient", "an intent for a recipient to whom the policy prohibits it", "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc ; schema:recipient <https://p4.example/#me> ] .\n", policyDenied, prohibit)
	purpose := func(known string) func(q *grantCase) {
		return func(q *grantCase) {
			q.hops[0].permit(where(permits("read"), "purpose", "eq", "research"))
			if known != "" {
				q.input["attributes"] = object{"purpose": known}
			}
		}
	}
	const why = "ex:i a a2a:Intent ; a2a:action [ a ex:Booking ; ex:room ex:doc ; ex:why \"research\" ] .\n"
	add("attribute", "", "an intent with what is mapped as an attribute", why, authorized, purpose(""))
	add("attribute-none", "mapped-attribute", "an intent without what is mapped as an attribute", one, policyDenied, purpose(""))
	add("attribute-known", "mapped-attribute", "an attribute that the receiver knows better", why, policyDenied, purpose("marketing"))
}
