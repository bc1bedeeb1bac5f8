package vectors_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// documents is section 6 for a root whose policy is a document.
func (m grantSuite) documents() {
	const text = `@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
@prefix odrld: <https://w3id.org/jeswr/odrl-delegation#> .
<https://example.org/#p0> a odrl:Agreement ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> ; odrl:assigner <https://p0.example/#me> ; odrl:assignee <https://p1.example/#me> ;
  odrl:permission [ odrl:action odrl:read ; odrl:target <https://example.org/#doc> ] , [ odrl:action odrl:grantUse ; odrl:target <https://example.org/#doc> ] .
`
	sri := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
	}
	add := func(name, title string, expected object, served string, change func(h *grantHop)) {
		base := "document"
		if name == "" {
			base = ""
		}
		m.add("document"+prefixed("-", name), base, title, "6.2, AZ-3.12, AZ-6.1", 2, expected, func(q *grantCase) {
			h := q.hops[0]
			h.subject()["policy"] = grantPolicy(0)
			h.credential["relatedResource"] = object{"id": grantPolicy(0), "digestSRI": sri(text)}
			if change != nil {
				change(h)
			}
			q.input["policies"] = []string{}
			if served != "" {
				q.input["policies"], q.files["0.ttl"] = []string{"0.ttl"}, served
			}
		})
	}
	add("", "a policy that is a document, whose digest the credential has", authorized, text, nil)
	add("commented", "a document with a comment more", integrity, text+"# x\n", nil)
	add("widened", "a document that permits more", integrity, replaceOnce("odrl:read ;", "odrl:use ;")(text), nil)
	add("bare", "a document of which the credential says no digest", integrity, text, func(h *grantHop) { delete(h.credential, "relatedResource") })
	add("other-digest", "a document with another digest", integrity, text, func(h *grantHop) {
		h.credential["relatedResource"] = object{"id": grantPolicy(0), "digestSRI": sri("x")}
	})
	add("other-resource", "a digest of another document", integrity, text, func(h *grantHop) {
		h.credential["relatedResource"] = object{"id": grantPolicy(4), "digestSRI": sri(text)}
	})
	add("beside", "a credential that says a prohibition of the policy beside its document", integrity, text, func(h *grantHop) {
		h.credential["relatedResource"] = object{"id": grantPolicy(0), "digestSRI": sri(text), "odrl:prohibition": permits("read")}
	})
	add("missing", "a document that is not there", noChain, "", nil)
	m.follows("0.ttl")
}

// proofs is section 2 for the credentials and the presentation.
func (m grantSuite) proofs() {
	add := func(name, title, clause, code string, change func(q *grantCase)) {
		m.add("proof-"+name, "two", title, clause, 2, denied("A", code), change)
	}
	const control, purpose = "ISSUER_MISMATCH", "PROOF_PURPOSE_MISMATCH"
	both := func(name, title, clause, code string, change func(h *grantHop)) {
		add(name, "the first credential: "+title, clause, code, func(q *grantCase) { change(q.hops[0]) })
		add(name+"-last", "the last credential: "+title, clause, code, func(q *grantCase) { change(q.hops[1]) })
	}
	both("forged", "a signature that was changed", "2.3", badSignature, func(h *grantHop) { h.after = forge })
	both("widened", "a policy that permits more than was signed", "2.3, 6.2", badSignature, func(h *grantHop) {
		h.after = func(s string) string { return strings.Replace(s, `{"id":"odrl:read"}`, `{"id":"odrl:use"}`, 1) }
	})
	for i, name := range []string{"none", "none-last"} { // who presents could not sign it
		add(name, []string{"the first", "the last"}[i]+" credential: no proof", "2.4", "NO_PROOF", func(q *grantCase) {
			q.after = func(s string) string {
				parts := strings.SplitAfter(s, `"credentialSubject":{`) // of either credential, and what follows it
				rest := parts[i+1]
				from := strings.Index(rest, `,"proof":{`)
				parts[i+1] = rest[:from] + rest[from+strings.Index(rest[from:], "}")+1:]
				return strings.Join(parts, "")
			}
		})
	}
	both("other-key", "the key of another party", "AZ-2.6", control, func(h *grantHop) { h.method = grantAssert(4) })
	both("purpose", "a signature to authenticate", "2.4", purpose, func(h *grantHop) {
		h.method = strings.Replace(h.method, "#assert", "#login", 1)
		h.sign = func(o *vc.SignOptions) { o.Purpose = vc.Authentication }
	})
	both("login-key", "a key that is to authenticate", "AZ-1.7", control, func(h *grantHop) { h.method = strings.Replace(h.method, "#assert", "#login", 1) })
	both("jcs", "a cryptosuite that does not sign the RDF", "AZ-2.4", "UNKNOWN_CRYPTOSUITE", func(h *grantHop) {
		h.sign = func(o *vc.SignOptions) { o.Suite = vc.EdDSAJCS2022 }
	})
	spelt := func(name, title, clause, from, to string) {
		add(name, title, clause, malformed, func(q *grantCase) {
			q.after = func(s string) string { return strings.Replace(s, from, to, 1) }
		})
		add(name+"-last", "the last credential: "+title, clause, malformed, func(q *grantCase) {
			q.after = func(s string) string {
				at := strings.LastIndex(s, from)
				return s[:at] + to + s[at+len(from):]
			}
		})
	}
	const v2 = `"https://www.w3.org/ns/credentials/v2",`
	spelt("no-context", "no context for what authority needs", "2.9 rule 7", ","+compacted(m.t, jsonld.AuthorizationContext.JSON()), "")
	spelt("context", "a context that nobody has", "2.9 rule 2", v2, v2+`"https://unknown.example/v1",`)
	spelt("context-inline", "one more inline context, which changes nothing", "2.9 rule 2", v2, v2+`{"unused":"urn:unused"},`)
	spelt("context-within", "a context within", "2.9 rule 3", `"credentialSubject":{`, `"credentialSubject":{"@context":{},`)
	spelt("no-id", "no id", "1.10", `"id":"urn:uuid:00000000-0000-4000-8000-00000000000`, `"x":"`)
	spelt("action", "an action that is a relative IRI, which who ignores it finds signed", "2.9", `"authorizes":"`, `"action":"read","authorizes":"`)
	spelt("keyword", "a keyword for a name of the context", "2.9 rule 9", `"type":"odrl:Agreement"`, `"@type":"odrl:Agreement"`)
	spelt("twice", "a member twice", "1.10", `"issuer":`, `"issuer":"https://p0.example/#me","issuer":`)
	add("presentation-forged", "a presentation whose signature was changed", "5.1", badSignature, func(q *grantCase) { q.after = forge })
	add("presentation-none", "a presentation with an empty list of proofs", "5.1", "NO_PROOF", func(q *grantCase) {
		q.after = func(s string) string { return s[:strings.LastIndex(s, `"proof":`)] + `"proof":[]}` }
	})
	add("presentation-other-key", "a presentation with the key of another party", "5.1", control, func(q *grantCase) { q.method = grantLogin(4) })
	add("presentation-purpose", "a presentation that is signed to assert", "5.1", purpose, func(q *grantCase) {
		q.method, q.signer = grantAssert(2), func(o *vc.SignOptions) { o.Purpose = vc.AssertionMethod }
	})
	add("presentation-assert-key", "a presentation with a key that is to assert", "AZ-5.3", control, func(q *grantCase) { q.method = grantAssert(2) })
	add("presentation-type", "a presentation that is none by its type", "1.4", malformed, func(q *grantCase) {
		q.after = replaceOnce(`"VerifiablePresentation"`, `"VerifiableCredential"`)
	})
	add("presentation-empty", "a presentation without credentials", "5.1", malformed, func(q *grantCase) {
		q.after = func(s string) string {
			from := strings.Index(s, `"verifiableCredential":[`) + len(`"verifiableCredential":[`)
			return s[:from] + s[strings.LastIndex(s, `],"proof":`):]
		}
	})
}

// compacted is JSON without white space, as it stands in what was signed.
func compacted(t testing.TB, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, text))
	return b.String()
}

// principals is phase B.
func (m grantSuite) principals() {
	add := func(name, title, clause string, n int, expected object, change func(q *grantCase)) {
		m.add("party-"+name, map[int]string{1: "one", 2: "two"}[n], title, clause, n, expected, change)
	}
	add("subject", "a credential about another than its issuer", "AZ-3.10", 2, denied("B", "SUBJECT_ISSUER_MISMATCH"), func(q *grantCase) { q.hops[0].subject()["id"] = ownParty(4) })
	add("no-subject", "a credential about somebody without a name", "2.9 rule 11", 2, mismatched, func(q *grantCase) { delete(q.hops[0].subject(), "id") })
	add("assigner", "a policy by another than its credential", "AZ-3.14", 2, mismatched, func(q *grantCase) { q.hops[0].policy()["odrl:assigner"] = named(ownParty(4)) })
	add("no-assigner", "a policy by nobody", "AZ-3.14", 1, mismatched, func(q *grantCase) { delete(q.hops[0].policy(), "odrl:assigner") })
	add("authorizes", "a credential that authorizes another than the next assigner", "AZ-3.15", 2, mismatched, func(q *grantCase) { q.hops[0].subject()["authorizes"] = ownParty(4) })
	add("authorizes-none", "a credential that authorizes nobody", "AZ-3.7", 2, mismatched, func(q *grantCase) { delete(q.hops[0].subject(), "authorizes") })
	add("authorizes-two", "a credential that authorizes two", "AZ-3.7", 2, mismatched, func(q *grantCase) { q.hops[0].subject()["authorizes"] = []string{ownParty(1), ownParty(4)} })
	add("assignee", "a last policy for another than its credential authorizes", "AZ-3.16", 1, mismatched, func(q *grantCase) {
		q.hops[0].policy()["odrl:assignee"] = named(ownParty(4))
		q.hops[0].permit(with(permits("read"), "odrl:assignee", named(ownParty(1))))
	})
	add("type", "a credential that is not one of authority", "AZ-3.7", 2, mismatched, func(q *grantCase) { q.hops[0].credential["type"] = []string{"VerifiableCredential"} })
	add("issuer", "a credential by another than the chain", "AZ-3.14", 2, mismatched, func(q *grantCase) {
		h := q.hops[1]
		h.credential["issuer"], h.subject()["id"], h.method = ownParty(4), ownParty(4), grantAssert(4)
	})
	// A credential bounds what is done with its policy (AZ-3.21).
	bound := func(name, base, title string, expected object, member string, v any) {
		m.add("bound-"+name, prefixed("bound-", base), title, "AZ-3.21", 2, expected, func(q *grantCase) { q.hops[0].subject()[member] = v })
	}
	bound("action", "", "a credential for the action", authorized, "action", "odrl:read")
	bound("action-use", "", "a credential for use, which is more", authorized, "action", "odrl:use")
	bound("action-one-of-two", "", "a credential for two actions, the one being the action", authorized, "action", []string{"odrl:write", "odrl:read"})
	bound("action-other", "action", "a credential for another action", policyDenied, "action", "odrl:write")
	bound("action-blank", "action", "a credential for an action without a name", policyDenied, "action", object{"schema:name": "read"})
	bound("target", "", "a credential about the target", authorized, "target", grantDoc)
	bound("target-other", "target", "a credential about another target", policyDenied, "target", grantDoc+"2")
	bound("target-two", "target", "a credential about two targets", policyDenied, "target", []string{grantDoc, grantDoc + "2"})
}

// current is phase C, and the times of credentials and policies.
func (m grantSuite) current() {
	at := func(name, base, title string, expected object, now string) {
		m.add("time-"+name, prefixed("time-", base), title, "2.4", 2, expected, func(q *grantCase) { q.input["now"] = now })
	}
	at("end", "", "the last instant of the credentials", authorized, "2027-07-01T00:00:00Z")
	at("ended", "end", "the instant after the last one of the credentials", denied("A", "EXPIRED"), "2027-07-01T00:00:01Z")
	at("begin", "", "the first instant of the credentials", authorized, "2026-07-01T00:00:00Z")
	at("before", "begin", "the instant before the first one of the credentials", denied("A", "NOT_YET_VALID"), "2026-06-30T23:59:59Z")
	m.add("time-ended-last", "two", "a last credential that ended", "2.4", 2, denied("A", "EXPIRED"), func(q *grantCase) { q.hops[1].credential["validUntil"] = "2026-07-31T23:59:59Z" })
	policy := func(name, base, title string, expected object, change func(q *grantCase)) {
		m.add("time-policy-"+name, prefixed("time-policy-", base), title, "7.10, AZ-7.1", 2, expected, change)
	}
	until := func(r object, instant string) object { return where(r, "dateTime", "lteq", instant) }
	policy("until", "", "a last policy that permits until now", authorized, func(q *grantCase) { q.hops[1].permit(until(permits("read"), "2026-08-01T00:00:00Z")) })
	policy("ended", "until", "a last policy that permitted until a second ago", policyDenied, func(q *grantCase) { q.hops[1].permit(until(permits("read"), "2026-07-31T23:59:59Z")) })
	policy("root-ended", "until", "a first policy that permitted until a second ago", policyDenied, func(q *grantCase) {
		q.hops[1].permit(until(permits("read"), "2026-08-01T00:00:00Z"))
		q.hops[0].permit(until(permits("read"), "2026-07-31T23:59:59Z"))
	})
	policy("asserted", "ended", "a time that the request asserts", policyDenied, func(q *grantCase) {
		q.hops[1].permit(until(permits("read"), "2026-07-31T23:59:59Z"))
		q.ask("attributes", object{"dateTime": "2026-07-01T00:00:00Z"})
	})
	m.s.cases[len(m.s.cases)-1].despite = true
	policy("no-zone", "until", "a last policy that permits until a time without a zone", policyDenied, func(q *grantCase) { q.hops[1].permit(until(permits("read"), "2026-09-01T00:00:00")) })
	m.add("time-policy-grant", "", "a first policy that permits to pass it on until now", "7.10", 2, authorized, func(q *grantCase) {
		q.hops[0].policy()["odrl:permission"] = []any{permits("read"), until(permits("grantUse"), "2026-08-01T00:00:00Z")}
	})
	m.add("time-policy-grant-ended", "time-policy-grant", "a first policy that permitted to pass it on until a second ago", "7.10", 2, policyDenied, func(q *grantCase) {
		q.hops[0].policy()["odrl:permission"] = []any{permits("read"), until(permits("grantUse"), "2026-07-31T23:59:59Z")}
	})

	// Revocation of policies (section 1.7).
	revoked, unknown := denied("C", "REVOKED"), denied("C", "STATUS_RETRIEVAL_ERROR")
	revoke := func(name, base, title string, expected object, all ...string) {
		m.add("revoked-"+name, base, title, "AZ-1.1, AZ-3.20", 2, expected, func(q *grantCase) { q.input["revoked"] = all })
	}
	revoke("other", "", "a policy that is not of the chain is revoked", authorized, grantPolicy(4))
	revoke("root", "revoked-other", "the first policy is revoked", revoked, grantPolicy(0))
	revoke("last", "revoked-other", "the last policy is revoked", revoked, grantPolicy(4), grantPolicy(1))
	said := func(name, title string, expected object, text string) {
		base := "revocation"
		if name == "" {
			base = ""
		}
		m.add("revocation"+prefixed("-", name), base, title, "AZ-1.1, AZ-1.3", 2, expected, func(q *grantCase) {
			q.input["revocationDocuments"], q.files["revocation.ttl"] = []string{"revocation.ttl"}, "@prefix odrld: <https://w3id.org/jeswr/odrl-delegation#> .\n"+text
		})
	}
	said("", "a document that revokes a policy that is not of the chain", authorized, "<urn:r> a odrld:Revocation ; odrld:revokedPolicy <https://example.org/#p4> .\n")
	said("root", "a document that revokes the first policy", revoked, "<urn:r> a odrld:Revocation ; odrld:revokedPolicy <https://example.org/#p0> .\n")
	said("last", "a document that revokes several policies, of which one is the last", revoked, "<urn:r> a odrld:Revocation ; odrld:revokedPolicy <https://example.org/#p4> , <https://example.org/#p1> .\n")
	said("no-type", "a document that revokes the first policy, without a class", revoked, "<urn:r> odrld:revokedPolicy <https://example.org/#p0> .\n")
	said("text", "a document that revokes a text", unknown, "<urn:r> a odrld:Revocation ; odrld:revokedPolicy \"https://example.org/#p0\" .\n")
	said("blank", "a document that revokes what has no name", unknown, "<urn:r> a odrld:Revocation ; odrld:revokedPolicy [] .\n")
	said("cut", "a document that is cut", unknown, "<urn:r> a odrld:Revocation ; odrld:revokedPolicy <https://example.org/#p4> ")
	said("more", "a document that revokes a policy that is not of the chain, and says when in another vocabulary", authorized, "<urn:r> a odrld:Revocation ; odrld:revokedPolicy <https://example.org/#p4> ; <http://purl.org/dc/terms/issued> \"2026-07-01\" .\n")
	said("property", "a document that says it by a property that is not known", unknown, "<urn:r> odrld:revokedPolicies <https://example.org/#p0> .\n")
	said("property-more", "a document that revokes a policy, and another by a property that is not known", unknown, "<urn:r> a odrld:Revocation ; odrld:revokedPolicy <https://example.org/#p4> ; odrld:revokedPolicies <https://example.org/#p0> .\n")
	said("property-odrl", "a document that says it in the namespace of ODRL", unknown, "<urn:r> <http://www.w3.org/ns/odrl/2/revokedPolicy> <https://example.org/#p0> .\n")
	said("property-http", "a document that says it in a namespace that is nearly that of the profile", unknown, "<urn:r> <http://w3id.org/jeswr/odrl-delegation#revokedPolicy> <https://example.org/#p0> .\n")
	said("class", "a document with something of a class that is not known", unknown, "<urn:r> a odrld:PolicyRevocation ; <urn:of> <https://example.org/#p0> .\n")
	said("policy", "a policy in the place of a document that revokes policies", unknown, "<https://example.org/#p4> a <http://www.w3.org/ns/odrl/2/Set> .\n")
	m.add("revocation-unreachable", "two", "a source of revocations that cannot be had", "AZ-3.19", 2, unknown, func(q *grantCase) { q.input["statusUnreachable"] = true })

	// Status lists (section 4).
	entry := func(purpose, index string) object {
		return object{"type": "BitstringStatusListEntry", "statusPurpose": purpose, "statusListIndex": index, "statusListCredential": listURL}
	}
	list := func(purpose string, issuer int, set ...int64) string {
		l, err := vc.NewStatusList(131_072)
		require.NoError(m.t, err)
		for _, i := range set {
			require.NoError(m.t, l.Set(i, true))
		}
		text, err := l.Credential(vc.StatusListCredential{ID: listURL, Issuer: ownParty(issuer), Purpose: purpose, ValidFrom: "2026-07-01T00:00:00Z"})
		require.NoError(m.t, err)
		return m.signed(json.RawMessage(text), grantAssert(issuer), nil, nil) + "\n"
	}
	status := func(name, base, title string, expected object, hop int, purpose, text string, follows ...string) {
		m.add("status-"+name, prefixed("status-", base), title, "AZ-3.18, section 4", 2, expected, func(q *grantCase) {
			q.hops[hop].credential["credentialStatus"] = entry(purpose, "42")
			q.input["documents"] = object{listURL: object{"file": "list.json", "mediaType": "application/vc"}}
			if q.files["list.json"] = text; text == "" {
				delete(q.files, "list.json")
				q.input["documents"] = object{}
			}
		})
		m.follows(follows...)
	}
	status("clear", "", "a first credential that is not revoked", authorized, 0, "revocation", list("revocation", 0, 41, 43))
	status("set", "clear", "a first credential that is revoked", revoked, 0, "revocation", list("revocation", 0, 42))
	status("clear-suspension", "", "a first credential that is not suspended", authorized, 0, "suspension", list("suspension", 0))
	status("suspended", "clear-suspension", "a first credential that is suspended", denied("C", "SUSPENDED"), 0, "suspension", list("suspension", 0, 42))
	status("purpose", "clear", "a list for another purpose", unknown, 0, "revocation", list("suspension", 0))
	status("other-issuer", "clear", "a list by another party", unknown, 0, "revocation", list("revocation", 4))
	status("unreachable", "clear", "a list that cannot be had", unknown, 0, "revocation", "", "list.json")
	status("changed", "clear", "a list that was changed after it was signed", unknown, 0, "revocation", replaceOnce(`"validFrom":"2026-07-01`, `"validFrom":"2026-07-02`)(list("revocation", 0)))
	status("clear-last", "", "a last credential that is not revoked", authorized, 1, "revocation", list("revocation", 1))
	status("set-last", "clear-last", "a last credential that is revoked", revoked, 1, "revocation", list("revocation", 1, 42))

	// Of several faults the phase decides, and then the hop (section 3.2).
	several := func(name, title string, expected object, changes ...func(q *grantCase)) {
		m.add("several-"+name, "two", title, "AZ-3.9", 2, expected, func(q *grantCase) {
			for _, change := range changes {
				change(q)
			}
		})
	}
	forged := func(q *grantCase) { q.hops[1].after = forge }
	subject := func(q *grantCase) { q.hops[0].subject()["id"] = ownParty(4) }
	withdrawn := func(q *grantCase) { q.hops[0].permit(permits("write")) }
	several("proof-and-subject", "a forged proof of the last credential, and a first one about another", denied("A", badSignature), forged, subject)
	several("subject-and-policy", "a first credential about another, and a policy that does not permit it", denied("B", "SUBJECT_ISSUER_MISMATCH"), subject, withdrawn)
	several("time-and-proof", "a last credential that ended and is forged", denied("A", "EXPIRED"), forged, func(q *grantCase) { q.hops[1].credential["validUntil"] = "2026-07-31T23:59:59Z" })
}

// policies is section 7 for what policies permit together.
func (m grantSuite) policies() {
	add := func(name, base, title, clause string, n int, expected object, change func(q *grantCase)) {
		m.add("permits-"+name, base, title, clause, n, expected, change)
	}
	wide := func(q *grantCase) { q.hops[0].permit(permits("use")) }
	add("less", "", "a last policy that permits less than the first", "7.2 step 8", 2, authorized, wide)
	add("less-exceeded", "permits-less", "an action that the first policy permits and the last does not", "7.2 step 8", 2, policyDenied, func(q *grantCase) { wide(q); q.ask("action", "write") })
	add("more", "", "a last policy that permits more than the first, and what both permit", "7.2 step 6", 2, authorized, func(q *grantCase) { q.hops[1].permit(permits("use")) })
	add("more-exceeded", "permits-more", "an action that the last policy permits and the first does not", "7.2 step 6", 2, policyDenied, func(q *grantCase) { q.hops[1].permit(permits("use")); q.ask("action", "write") })
	add("middle", "three", "a policy in between that permits less", "7.2 step 6", 3, policyDenied, func(q *grantCase) { q.hops[1].permit(permits("write")) })
	add("target", "two", "a first policy about another target", "7.2 step 6", 2, policyDenied, func(q *grantCase) { q.hops[0].permit(rule(odrlTerm("read"), grantDoc+"2")) })
	purposed := func(value any) func(q *grantCase) {
		return func(q *grantCase) {
			q.hops[1].permit(where(permits("read"), "purpose", "eq", named("https://w3id.org/dpv#ResearchAndDevelopment")))
			if value != nil {
				q.ask("attributes", object{"purpose": value})
			}
		}
	}
	add("purpose", "", "a permission for a purpose, and that purpose", "7.5", 2, authorized, purposed("https://w3id.org/dpv#ResearchAndDevelopment"))
	add("purpose-other", "permits-purpose", "a permission for a purpose, and another purpose", "7.5", 2, policyDenied, purposed("https://w3id.org/dpv#DirectMarketing"))
	add("purpose-none", "permits-purpose", "a permission for a purpose, and no purpose", "7.5", 2, policyDenied, purposed(nil))

	// Passing on (sections 7.2, 7.6 and 7.7).
	passes := func(q *grantCase, rules ...object) {
		all := []any{permits("read")}
		for _, r := range rules {
			all = append(all, r)
		}
		q.hops[0].policy()["odrl:permission"] = all
	}
	depth := func(operator string, n any) object {
		return where(permits("grantUse"), delegations+"#delegationDepth", operator, n)
	}
	pass := func(name, base, title, clause string, n int, expected object, rules ...object) {
		add("pass-"+name, base, title, clause, n, expected, func(q *grantCase) { passes(q, rules...) })
	}
	pass("none", "two", "a first policy that does not permit to pass it on", "7.2 step 5d", 2, policyDenied)
	pass("use", "two", "a first policy that permits use, which is not to pass it on", "7.4", 2, policyDenied, permits("use"))
	pass("other-target", "two", "a first policy that permits to pass on another target", "7.2 step 5d", 2, policyDenied, rule(odrlTerm("grantUse"), grantDoc+"2"))
	pass("other-party", "two", "a first policy that permits another party to pass it on", "7.2 step 5e", 2, policyDenied, with(permits("grantUse"), "odrl:assignee", named(ownParty(4))))
	pass("once", "", "a first policy that permits to pass it on, without a depth: once", "7.6", 2, authorized, permits("grantUse"))
	pass("once-twice", "three", "a first policy that permits to pass it on, without a depth, and two that do", "7.6", 3, policyDenied, permits("grantUse"))
	pass("depth", "", "as deep as the first policy permits", "7.6", 3, authorized, depth("lteq", 2))
	pass("deeper", "permits-pass-depth", "deeper than the first policy permits", "7.6", 3, policyDenied, depth("lteq", 1))
	pass("depth-below", "permits-pass-depth", "a depth below a number", "7.6", 3, policyDenied, depth("lt", 2))
	pass("depth-unbounded", "permits-pass-depth", "a depth without a bound", "AZ-7.3", 3, policyDenied, depth("gteq", 1))
	pass("depth-text", "permits-pass-depth", "a depth that is a text", "AZ-7.3", 3, policyDenied, depth("lteq", "2"))
	pass("depth-half", "permits-pass-depth", "a depth that is no whole number", "AZ-7.3", 3, policyDenied, depth("lteq", 2.5))
	add("pass-asserted", "permits-pass-deeper", "a depth that the request asserts", "7.1", 3, policyDenied, func(q *grantCase) {
		passes(q, depth("lteq", 1))
		q.ask("attributes", object{"delegationDepth": 1})
	})
	m.s.cases[len(m.s.cases)-1].despite = true
	next := func(iris ...string) object {
		var all []any
		for _, iri := range iris {
			all = append(all, object{"odrl:action": odrlTerm("nextPolicy"), "odrl:target": named(iri)})
		}
		return with(permits("grantUse"), "odrl:duty", all)
	}
	pass("next", "", "a first policy that says which policy must be next", "7.7", 2, authorized, next(grantPolicy(1)))
	pass("next-other", "permits-pass-next", "a first policy that says that another policy must be next", "7.7", 2, policyDenied, next(grantPolicy(4)))
	pass("next-two", "permits-pass-next", "a first policy that says that two policies must be next", "7.7", 2, policyDenied, next(grantPolicy(1), grantPolicy(4)))
	pass("next-nothing", "permits-pass-next", "a first policy that says that some policy must be next", "7.7", 2, policyDenied, with(permits("grantUse"), "odrl:duty", object{"odrl:action": odrlTerm("nextPolicy")}))

	// Prohibitions.
	prohibits := func(name, base, title, clause string, n, hop int, expected object, r object, more ...func(q *grantCase)) {
		m.add("prohibits-"+name, prefixed("prohibits-", base), title, clause, n, expected, func(q *grantCase) {
			q.hops[hop].prohibit(r)
			for _, change := range more {
				change(q)
			}
		})
	}
	prohibits("other", "", "a first policy that prohibits something else", "7.2 step 6", 2, 0, authorized, permits("write"))
	prohibits("it", "other", "a first policy that prohibits it", "7.2 step 7", 2, 0, policyDenied, permits("read"))
	prohibits("use", "other", "a first policy that prohibits use", "7.4", 2, 0, policyDenied, permits("use"))
	prohibits("target-text", "other", "a first policy that prohibits something of a text", "7.9", 2, 0, policyDenied, with(permits("read"), "odrl:target", grantDoc+"2"))
	prohibits("unknown", "other", "a first policy that prohibits what nobody knows", "7.9", 2, 0, policyDenied, rule(named("urn:frobnicate"), grantDoc))
	prohibits("last", "other", "a first policy that prohibits it to the last party", "7.2 step 7", 2, 0, policyDenied, with(permits("read"), "odrl:assignee", named(ownParty(2))))
	prohibits("someone", "", "a first policy that prohibits it to someone else", "7.2 step 7", 2, 0, authorized, with(permits("read"), "odrl:assignee", named(ownParty(4))))
	wins := func(i int) func(q *grantCase) {
		return func(q *grantCase) { q.hops[i].policy()["odrl:conflict"] = odrlTerm("perm") }
	}
	prohibits("outweighed", "", "a policy that prohibits it where permissions win, alone in its chain", "7.3", 1, 0, authorized, permits("read"), wins(0))
	prohibits("not-outweighed", "other", "a first policy that prohibits it where permissions win", "7.3", 2, 0, policyDenied, permits("read"), wins(0))
	attribute := func(v any) func(q *grantCase) {
		return func(q *grantCase) { q.ask("attributes", object{"purpose": v}) }
	}
	marketing := where(permits("read"), "purpose", "eq", named("https://w3id.org/dpv#DirectMarketing"))
	prohibits("purpose", "", "a first policy that prohibits a purpose, and another purpose", "7.5", 2, 0, authorized, marketing, attribute("https://w3id.org/dpv#ResearchAndDevelopment"))
	prohibits("purpose-it", "purpose", "a first policy that prohibits a purpose, and that purpose", "7.5", 2, 0, policyDenied, marketing, attribute("https://w3id.org/dpv#DirectMarketing"))
	prohibits("purpose-none", "purpose", "a first policy that prohibits a purpose, and no purpose", "7.5", 2, 0, policyDenied, marketing)

	// Duties (section 7.8).
	duties := func(name, base, title string, expected object, change func(q *grantCase)) {
		m.add("duties"+prefixed("-", name), base, title, "7.8", 2, expected, func(q *grantCase) {
			q.hops[0].permit(with(permits("read"), "odrl:duty", object{"odrl:action": odrlTerm("inform")}))
			q.hops[1].permit(with(permits("read"), "odrl:duty", object{"odrl:action": odrlTerm("delete")}))
			if change != nil {
				change(q)
			}
		})
	}
	required := func(fulfilled ...string) func(q *grantCase) {
		return func(q *grantCase) {
			attributes := object{}
			for _, action := range fulfilled {
				attributes["fulfilled:"+action] = true
			}
			q.input["requireDuties"] = true
			q.ask("attributes", attributes)
		}
	}
	duties("", "", "duties of two hops, which are carried forward", authorized, nil)
	duties("required", "", "duties of two hops, both fulfilled", authorized, required("inform", "delete"))
	duties("required-first", "duties-required", "duties of two hops, the one of the last fulfilled", policyDenied, required("delete"))
	duties("required-last", "duties-required", "duties of two hops, the one of the first fulfilled", policyDenied, required("inform"))
}

// actors is section 3.3: the holder acts by a chain of its own for whom the first chain
// authorizes. Both come in one presentation.
func (m grantSuite) actors() {
	composition := denied("composition", "IDENTITY_COMPOSITION_FAILED")
	add := func(name, title string, expected object, change func(q *grantCase)) {
		base := "acts"
		if name == "" {
			base = ""
		}
		m.add("acts"+prefixed("-", name), base, title, "AZ-3.24, section 3.3", 2, expected, func(q *grantCase) {
			q.hops = append(q.hops, grantHops(2, 2)...)
			q.holder, q.method = ownParty(4), grantLogin(4)
			if change != nil {
				change(q)
			}
		})
	}
	add("", "the holder acts by a chain of its own for whom the first chain authorizes", authorized, nil)
	add("not-joined", "a chain of the holder that begins at another party", composition, func(q *grantCase) { q.hops = append(q.hops[:2], grantHops(3, 1)...) })
	add("first", "the chain of the holder before the other one", denied("A", "HOLDER_UNVERIFIED"), func(q *grantCase) {
		q.hops = []*grantHop{q.hops[2], q.hops[3], q.hops[0], q.hops[1]}
	})
	add("one-of-it", "a chain of the holder whose last party is another", denied("A", "HOLDER_UNVERIFIED"), func(q *grantCase) { q.holder, q.method = ownParty(3), grantLogin(3) })
	add("denied", "a chain of the holder that does not permit it", composition, func(q *grantCase) { q.hops[2].permit(permits("write")) })
	add("prohibited", "a first chain that prohibits it to the holder", composition, func(q *grantCase) {
		q.hops[0].prohibit(with(permits("read"), "odrl:assignee", named(ownParty(4))))
	})
	add("prohibited-through", "a first chain that prohibits it to one through whom the holder acts", composition, func(q *grantCase) {
		q.hops[1].prohibit(with(permits("read"), "odrl:assignee", named(ownParty(3))))
	})
	add("prohibited-to-pass", "a first chain that prohibits its last party to pass it on", composition, func(q *grantCase) {
		q.hops[1].prohibit(with(permits("grantUse"), "odrl:assignee", named(ownParty(2))))
	})
	add("revoked", "a chain of the holder of which a policy is revoked", composition, func(q *grantCase) { q.input["revoked"] = []string{grantPolicy(3)} })
	add("root", "a first chain whose root has no say", mismatched, func(q *grantCase) { q.input["rootPrincipal"] = ownParty(2) })
	add("forged", "a chain of the holder with a proof that was changed", denied("A", badSignature), func(q *grantCase) { q.hops[3].after = forge })
	m.add("acts-two", "", "two hops, of which the second policy stands under none: a chain of its own", "AZ-3.24", 2, authorized, func(q *grantCase) {
		delete(q.hops[1].policy(), delegations+"#delegatedUnder")
	})
}
