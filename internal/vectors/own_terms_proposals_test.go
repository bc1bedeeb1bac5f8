package vectors_test

import (
	"strings"
)

// directed is section B.6 on proposals to one party.
func (m termsSuite) directed() {
	me, other := ownerKey(5, userKey).key, ownerKey(6, userKey).key
	offer := `{"agent": "` + me + `", "owner": "Readers", "expires_at": "2026-12-31T00:00:00Z", "grade": "enforced"}`
	to := func(offeredTo string) string {
		return standing(m.t, replaceOnce(`"client": null,`, `"client": null, "offered_to": `+offeredTo+`,`)(proposalText))
	}
	restricted := object{"channel": "restricted", "me": me}
	yes := func(more func(o object), warnings ...string) func(string) object {
		return func(d string) object {
			e := and(m.statedEntry(d, warnings...), "directed", true)
			if more != nil {
				more(e)
			}
			return m.stated("unsigned", e)
		}
	}
	no := func(code string) func(string) object { return func(string) object { return unstated(code) } }
	add := func(name, base, title string, expected func(string) object, document string, in object) {
		m.t.Helper()
		m.rewritten(name, base, title, "B.6, E-8", expected, document, in)
		if base != "" && document == to(offer) {
			m.s.cases[len(m.s.cases)-1].follows = nil
		}
	}
	good := to(offer)
	add("directed", "", "an offer to the reader, on a channel to the reader", yes(nil), good, restricted)
	add("directed-public", "directed", "the same on a public channel", no("TERMS_DIRECTED_PUBLIC"), good, object{"me": me})
	add("directed-other", "directed", "another reader", no("TERMS_DIRECTED_OTHER"), good, object{"channel": "restricted", "me": other})
	add("directed-nobody", "directed", "a reader who does not say who it is", no("TERMS_DIRECTED_OTHER"), good, object{"channel": "restricted"})
	add("directed-case", "directed", "a reader's key in lower case", no("TERMS_DIRECTED_OTHER"), good, object{"channel": "restricted", "me": strings.ToLower(me)})
	lapsed := func(o object) { o["lapsed"] = true }
	add("directed-lapsed", "directed", "an offer that lapses at this instant", yes(lapsed, "SOW_DIRECTED_LAPSED"), to(replaceOnce("2026-12-31T00:00:00Z", cardNow)(offer)), restricted)
	add("directed-lapsed-first", "directed", "an offer that lapsed at the first instant", yes(lapsed, "SOW_DIRECTED_LAPSED"), to(replaceOnce("2026-12-31T00:00:00Z", "0001-01-01T00:00:00Z")(offer)), restricted)
	add("directed-open", "directed", "an offer that lapses a second later", yes(nil), to(replaceOnce("2026-12-31T00:00:00Z", "2026-08-01T00:00:01Z")(offer)), restricted)
	add("directed-occasion", "directed", "an offer for an occasion", yes(nil, "SOW_DIRECTED_OCCASION"), to(replaceOnce(`"expires_at": "2026-12-31T00:00:00Z"`, `"occasion": "rfp-1"`)(offer)), restricted)
	broken := func(name, title, code, offeredTo string) {
		add("directed-"+name, "directed", title, no(code), to(offeredTo), restricted)
	}
	broken("unbounded", "an offer without an end", "SOW_DIRECTED_UNBOUNDED", replaceOnce(`"expires_at": "2026-12-31T00:00:00Z", `, ``)(offer))
	broken("array", "a list of one party", "SOW_DIRECTED_MALFORMED", `[`+offer+`]`)
	broken("null", "null for the party", "SOW_DIRECTED_MALFORMED", `null`)
	broken("no-owner", "a party without an owner", "SOW_DIRECTED_MALFORMED", replaceOnce(`"owner": "Readers", `, ``)(offer))
	broken("instant", "an end that is no instant", "SOW_DIRECTED_MALFORMED", replaceOnce(`2026-12-31T00:00:00Z`, `2026-12-31`)(offer))
	broken("grade", "a grade that there is not", "SOW_DIRECTED_MALFORMED", replaceOnce(`enforced`, `guaranteed`)(offer))
	add("directed-array-public", "", "a proposal to the market on a public channel", func(d string) object { return m.stated("unsigned", m.statedEntry(d)) }, standing(m.t, proposalText), nil)
	m.s.cases = m.s.cases[:len(m.s.cases)-1] // it is "good"
	m.rewritten("directed-malformed-public", "good", "a restriction that cannot be read, on a public channel: it is none that is absent", "B.6", no("TERMS_DIRECTED_PUBLIC"), to(`null`), nil)

	two := func(name, base, title string, second string, expected func(a, b string) object) {
		m.t.Helper()
		document := to(second)
		m.add(name, base, title, "B.6", expected(good, document), func(q *termsQuestion) {
			q.document = good
			q.declare = func(x object) {
				x["params"].(object)["proposals"] = []object{termsEntry(m.t, proposalURL, good), termsEntry(m.t, secondURL, document)}
			}
			q.files["second.json"] = document
			q.in = object{"channel": "restricted", "me": me, "documents": object{proposalURL: "proposal.json", secondURL: "second.json"}}
			q.follows = []string{"card.json"}
			if base == "" {
				q.follows = nil
			}
		})
	}
	entry := func(d string) object { return and(m.statedEntry(d), "directed", true) }
	two("directed-two", "", "two offers to the reader", replaceOnce("2026-12-31T00:00:00Z", "2027-12-31T00:00:00Z")(offer), func(a, b string) object { return m.stated("unsigned", entry(a), entry(b)) })
	two("directed-mixed", "directed-two", "offers to two parties on one card", replaceOnce(me, other)(replaceOnce("2026-12-31T00:00:00Z", "2027-12-31T00:00:00Z")(offer)), func(string, string) object {
		return object{"terms": "none_verified", "cardSignature": "unsigned", "entries": []object{notStated("TERMS_DIRECTED_MIXED"), notStated("TERMS_DIRECTED_MIXED")}}
	})
}

// remedy is step 3 of section B.7: what is done about a digest that differs.
func (m termsSuite) remedy() {
	old, now := standing(m.t, proposalText), standing(m.t, replaceOnce("1250", "1350")(proposalText))
	card := func(document string) string {
		return cardWith(m.t, termsExtension(termsEntry(m.t, proposalURL, document)))
	}
	signed := func(n byte, document string) string { return signedCard(m.t, edKey(n), card(document)) }
	add := func(name, base, title string, expected object, served any, text string) {
		m.t.Helper()
		m.add("remedy-"+name, prefixed("remedy-", base), title, "B.7", expected, func(q *termsQuestion) {
			q.document = now
			q.card = func(string) any { return signed(1, old) }
			q.in = object{"source": cardURL, "trustStore": trusted(pinnedKey(edKey(1), "key-1", nil, nil)), "documents": object{proposalURL: "proposal.json", cardURL: served}}
			if text != "" {
				q.files["again.json"] = text
			}
		})
	}
	differs := func(signature string) object {
		return object{"terms": "none_verified", "cardSignature": signature, "entries": []object{and(notStated("TERMS_DIGEST_MISMATCH"), "found", digestOf(m.t, now))}}
	}
	refused := func(code string) object {
		return object{
			"terms": "none_verified", "cardSignature": "verified", "entries": []object{and(notStated(code), "found", digestOf(m.t, now))},
			"remedy": object{"result": "card-refused", "code": code},
		}
	}
	add("updated", "", "another document, and the card that is served now commits to it", and(m.stated("verified", m.statedEntry(now)), "remedy", object{"result": "card-updated"}), "again.json", signed(1, now))
	add("unchanged", "updated", "the card that is served now is the same", and(differs("verified"), "remedy", object{"result": "card-unchanged"}), "again.json", signed(1, old))
	add("unsigned", "updated", "the card that is served now has no signature", refused("TERMS_CARD_UNSIGNED"), "again.json", card(now))
	add("forged", "updated", "the signature of the card that is served now is forged", refused("TERMS_CARD_INVALID"), "again.json", signed(2, now))
	unknown := withSignatures(card(now), edKey(2).entry(`{"alg":"EdDSA","kid":"key-2","typ":"JOSE"}`, canonicalOf(m.t, card(now))))
	add("unknown-key", "updated", "nobody knows the key of the card that is served now", refused("TERMS_CARD_UNVERIFIED"), "again.json", unknown)
	add("third", "updated", "the card that is served now commits to a third document", and(differs("verified"), "remedy", object{"result": "card-updated"}), "again.json", signed(1, standing(m.t, replaceOnce("1250", "1450")(proposalText))))
	add("unreachable", "updated", "the card cannot be had again", and(differs("verified"), "remedy", object{"result": "card-unreachable", "code": "FETCH_STATUS"}), object{"status": 503}, "")
	m.s.cases[len(m.s.cases)-1].follows = []string{"again.json"}
	m.add("remedy-by-hand", "good", "another document, and a card from a file", "B.7", byHand(object{"terms": "none_verified", "cardSignature": "unsigned", "entries": []object{and(notStated("TERMS_DIGEST_MISMATCH"), "found", digestOf(m.t, now))}}), func(q *termsQuestion) {
		q.document = now
		q.card = func(string) any { return card(old) }
	})
}

// fresh is the second look of section B.7, before a proposal is countersigned.
func (m termsSuite) fresh() {
	old, now := standing(m.t, proposalText), standing(m.t, replaceOnce("1250", "1350")(proposalText))
	card := func(document string) string {
		return cardWith(m.t, termsExtension(termsEntry(m.t, proposalURL, document)))
	}
	signed := func(n byte, document string) string { return signedCard(m.t, edKey(n), card(document)) }
	before := func() object { return m.stated("verified", m.statedEntry(old)) }
	add := func(name, base, title string, expected object, later object, files map[string]string) {
		all := map[string]string{"card.json": signed(1, old), "proposal.json": old}
		for name, text := range files {
			all[name] = text
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "fresh-" + name, operation: "verify-terms-fresh", title: title, clause: "B.7, B.9", files: all, expected: and(expected, "before", before()),
			input: object{
				"card": "card.json", "source": cardURL, "now": cardNow, "trustStore": trusted(pinnedKey(edKey(1), "key-1", nil, nil)),
				"documents": object{proposalURL: "proposal.json"}, "documentsLater": later,
			},
		})
	}
	both := object{proposalURL: "later.json", cardURL: "again.json"}
	seen := func(o object, kept ...string) object {
		if kept == nil {
			kept = []string{}
		}
		return object{"fresh": o, "kept": kept}
	}
	refused := func(code, signature string) object {
		return seen(object{"terms": "none_verified", "cardSignature": signature, "code": code, "entries": []object{}})
	}
	add("same", "", "card and document are the same", seen(before(), digestOf(m.t, old)), both, map[string]string{"later.json": old, "again.json": signed(1, old)})
	add("updated", "same", "card and document are others", seen(m.stated("verified", m.statedEntry(now))), both, map[string]string{"later.json": now, "again.json": signed(1, now)})
	add("withdrawn", "same", "the document is gone", seen(object{"terms": "none_verified", "cardSignature": "verified", "entries": []object{notStated("FETCH_STATUS")}}), object{proposalURL: object{"status": 410}, cardURL: "again.json"}, map[string]string{"again.json": signed(1, old)})
	add("other-document", "same", "the document is another, and the card is the same", seen(object{"terms": "none_verified", "cardSignature": "verified", "entries": []object{and(notStated("TERMS_DIGEST_MISMATCH"), "found", digestOf(m.t, now))}}), both, map[string]string{"later.json": now, "again.json": signed(1, old)})
	add("silent", "same", "the card says nothing of terms any more", seen(object{"terms": "silent", "cardSignature": "verified", "entries": []object{}}), both, map[string]string{"later.json": old, "again.json": signedCard(m.t, edKey(1), vectorCard)})
	add("unsigned", "same", "the card is not signed any more", refused("TERMS_CARD_UNSIGNED", "unsigned"), both, map[string]string{"later.json": old, "again.json": card(old)})
	add("forged", "same", "the card's signature is forged", refused("TERMS_CARD_INVALID", "invalid"), both, map[string]string{"later.json": old, "again.json": signed(2, old)})
	add("card-gone", "same", "the card is gone", object{"code": "FETCH_STATUS"}, object{proposalURL: "later.json", cardURL: object{"status": 404}}, map[string]string{"later.json": old})
}

// shown is section B.8.
func (m termsSuite) shown() {
	good := standing(m.t, proposalText)
	add := func(name, base, title, clause, document string, committed string, words []string, expected object) {
		m.s.cases = append(m.s.cases, ownCase{
			name: "show-" + name, base: prefixed("show-", base), operation: "show-terms", title: title, clause: clause, expected: expected,
			input: object{"card": "card.json", "documents": object{proposalURL: "proposal.json"}, "now": cardNow, "words": words},
			files: map[string]string{"card.json": cardWith(m.t, termsExtension(termsEntry(m.t, proposalURL, committed))), "proposal.json": document},
		})
	}
	grades := func(change func(object)) []object {
		g := object{
			"parties": "evidence", "scope": "enforced", "inputs": "ungraded", "deliverables": "enforced", "price": "enforced", "volume": "enforced",
			"change_control": "enforced", "termination": "enforced", "disputes": "evidence", "confidentiality.promises": "recorded",
		}
		if change != nil {
			change(g)
		}
		return []object{g}
	}
	shown := func(change func(object), words ...string) object {
		if words == nil {
			words = []string{}
		}
		return object{"terms": "stated", "shown": words, "grades": grades(change)}
	}
	none := func() object {
		return object{"terms": "none_verified", "shown": []string{}, "grades": []object{}}
	}
	praise := []string{"certified", "certification", "endorsed", "approved", "trusted", "guaranteed", "compliant", "safe"}
	add("praise", "", "no word of praise, whatever the terms", "O-1", good, good, praise, shown(nil))
	add("grades", "", "every clause has its grade", "O-2", good, good, []string{"enforced", "evidence", "recorded", "ungraded", "machine-enforced"}, shown(nil, "enforced", "evidence", "recorded", "ungraded"))
	promised := standing(m.t, replaceOnce(`"grade": "recorded"`, `"grade": "enforced"`)(proposalText))
	add("promise", "", "a promise is no more than recorded, whatever its document says", "O-2", promised, promised, []string{"recorded"}, shown(nil, "recorded"))
	raised := standing(m.t, replaceOnce(`"per_day": 40, "grade": "enforced"`, `"per_day": 40, "grade": "guaranteed"`)(proposalText))
	add("grade-unknown", "", "a grade that there is not", "O-2", raised, raised, []string{"ungraded"}, shown(func(g object) { g["volume"] = "ungraded" }, "ungraded"))
	other := standing(m.t, replaceOnce("1250", "1350")(proposalText))
	absence := []string{"free", "no charge", "unencumbered", "no terms apply"}
	add("nothing-good", "", "words of absence, where terms are stated", "O-3", good, good, absence, shown(nil))
	add("nothing", "nothing-good", "another document than the card commits to: nothing is said of what that means", "O-3, O-6", other, good, absence, none())
	content := []string{"refund_on_failed_task", "EUR", "Vectors", "fixed_fee"}
	add("content", "", "the clauses of a document", "O-2", good, good, content, shown(nil, content...))
	add("content-other", "content", "another document than the card commits to: nothing of it is shown", "O-5, O-10", other, good, content, none())
	add("content-forged", "content", "a document whose signature is wrong: nothing of it is shown", "O-5", replaceOnce("1250", "1350")(good), replaceOnce("1250", "1350")(good), content, none())
	m.s.cases[len(m.s.cases)-1].follows = []string{"card.json"}
	const fixed = `{
    "arrangement": "fixed_fee",
    "currency": "EUR",
    "rates": [{"offering": "answer", "per_task": 1250}],
    "grade": "enforced"
  }`
	price := func(text string) string { return standing(m.t, replaceOnce(fixed, text)(proposalText)) }
	metered := price(`{"arrangement": "time_and_materials", "currency": "EUR", "schedule": [{"meter": "words", "unit": "1000 words", "per": 1000, "per_unit": 800}], "cap": {"amount": 50000}, "reservation": {"window_days": 30}, "grade": "enforced"}`)
	add("metered", "", "time and materials, with its meter and its cap", "O-7", metered, metered, []string{"words", "cap", "time_and_materials"}, shown(nil, "words", "cap", "time_and_materials"))
	uncapped := price(`{"arrangement": "time_and_materials", "currency": "EUR", "schedule": [{"meter": "words", "unit": "1000 words", "per": 1000, "per_unit": 800}], "reservation": {"window_days": 30}, "grade": "enforced"}`)
	add("uncapped", "metered", "a rate without its cap is not shown", "O-7", uncapped, uncapped, []string{"words", "cap", "time_and_materials"}, none())
	m.s.cases[len(m.s.cases)-1].follows = []string{"card.json"}
	free := price(`{"arrangement": "no_charge", "grade": "enforced"}`)
	add("free", "", "no charge, as the document has it, and no price of nothing", "O-3, O-7", free, free, []string{"no_charge", "0.00", "free"}, shown(nil, "no_charge"))
	add("language", "", "the contract language, which is not known", "O-8", good, good, []string{"agent-sow-standard-language", "not known"}, shown(nil, "agent-sow-standard-language", "not known"))
	cited := standing(m.t, replaceOnce(`"owner": "Vectors"`, `"owner": "Vectors", "organization": "org-1"`)(proposalText))
	add("organization", "", "an organization, which is cited and not verified", "O-9", cited, cited, []string{"org-1", "cited, not verified"}, shown(nil, "org-1", "cited, not verified"))
	hostile := standing(m.t, replaceOnce(`"owner": "Vectors"`, `"owner": "Vec\u001b[2Jtors\u202e"`)(proposalText))
	add("control", "", "characters that a terminal would obey are not shown as they are", "B.9", hostile, hostile, []string{"\u001b[2J", "\u202e"}, shown(nil))
	m.s.cases = append(m.s.cases, ownCase{
		name: "show-silent", operation: "show-terms", title: "a card that says nothing of terms: no word says what that means", clause: "O-3",
		input: object{"card": "card.json", "now": cardNow, "words": absence}, expected: object{"terms": "silent", "shown": []string{}, "grades": []object{}}, files: map[string]string{"card.json": vectorCard},
	})
}

// publishing is section B.10, and what lint says.
func (m termsSuite) publishing() {
	template := proposalText
	good, user := standing(m.t, template), ownerKey(1, userKey)
	lint := func(name, base, title, clause string, findings []string, card, document string, more object, follows ...string) {
		if findings == nil {
			findings = []string{}
		}
		in := object{"card": "card.json", "documents": object{proposalURL: "proposal.json"}, "now": cardNow}
		for name, v := range more {
			in[name] = v
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "lint-" + name, base: prefixed("lint-", base), operation: "lint-terms", title: title, clause: clause, input: in, expected: object{"findings": findings},
			files: map[string]string{"card.json": card, "proposal.json": document}, follows: follows,
		})
	}
	card := func(document string, change func(x object)) string {
		x := termsExtension(termsEntry(m.t, proposalURL, document))
		if change != nil {
			change(x)
		}
		return cardWith(m.t, x)
	}
	signed := signedCard(m.t, edKey(1), card(good, nil))
	keys := object{"trustStore": trusted(pinnedKey(edKey(1), "key-1", nil, nil))}
	lint("good", "", "a card with a standing proposal", "B.10", nil, card(good, nil), good, nil)
	lint("signed", "", "a signed card with a standing proposal", "B.10", nil, signed, good, keys)
	lint("resign", "signed", "a card that was changed after it was signed", "B.10", []string{"error CARD_RESIGN declaration"}, strings.Replace(signed, "Answers a question.", "Answers any question.", 1), good, keys)
	changed := standing(m.t, replaceOnce("1250", "1350")(template))
	lint("stale", "good", "a document that was changed, and a card that was not", "B.10", []string{"error TERMS_STALE entry 0", "warning TERMS_SOW_LABEL entry 0"}, card(good, nil), changed, nil)
	lint("required", "good", "required is true", "D-2", []string{"error TERMS_REQUIRED_TRUE declaration"}, card(good, func(x object) { x["required"] = true }), good, nil)
	lint("no-sow-spec", "good", "no version of the specification", "D-5", []string{"error TERMS_DECL_SOW_SPEC declaration"}, card(good, func(x object) { delete(x["params"].(object), "sow_spec") }), good, nil)
	lint("unlisted", "good", "a document that is not at hand", "B.10", []string{"warning TERMS_NOT_FETCHED entry 0"}, card(good, nil), good, object{"documents": object{}})
	unsigned := identified(m.t, template)
	lint("unsigned", "good", "a document without a signature", "E-7", []string{"error SOW_UNSIGNED entry 0"}, card(unsigned, nil), unsigned, nil, "card.json")
	promised := standing(m.t, replaceOnce(`"no_training": true`, `"no_training": false`)(template))
	lint("promise", "good", "a promise that promises nothing", "B.6", []string{"error SOW_GRADE_CLAIM entry 0"}, card(promised, nil), promised, nil, "card.json")
	claims := replaceOnce("Answers a question.", "Answers a question for 5 EUR.")(card(good, nil))
	lint("claim", "good", "a price in the card's prose that no clause states", "E-9", []string{"warning TERMS_CLAIM_UNBACKED declaration"}, claims, good, nil)
	backed := replaceOnce("Answers a question.", "Answers a question for 12.50 EUR.")(card(good, nil))
	lint("claim-backed", "good", "a price in the card's prose that a clause states", "E-9", nil, backed, good, nil)
	lint("silent", "good", "a card that says nothing of terms", "B.10", nil, vectorCard, good, nil)
	me := ownerKey(5, userKey).key
	directed := standing(m.t, replaceOnce(`"client": null,`, `"client": null, "offered_to": {"agent": "`+me+`", "owner": "Readers", "expires_at": "2026-12-31T00:00:00Z", "grade": "enforced"},`)(template))
	lint("restricted", "", "a directed proposal on a restricted channel", "E-8", nil, card(directed, nil), directed, object{"channel": "restricted"})
	lint("directed", "restricted", "a directed proposal in a public card", "E-8", []string{"error TERMS_DIRECTED_PUBLIC entry 0"}, card(directed, nil), directed, nil)
	few := standing(m.t, replaceOnce("\n  \"volume\": {\"per_day\": 40, \"grade\": \"enforced\"},", ``)(template))
	over := standing(m.t, replaceOnce(`"ends_at": null`, `"ends_at": "2026-07-31"`)(template))
	lint("ended", "", "a proposal whose own end has passed, which is to be looked at", "B.6", []string{"warning SOW_ENDED entry 0"}, card(over, nil), over, nil)
	lint("missing", "", "a clause less, which is to be looked at", "B.6", []string{"warning SOW_CLAUSE_MISSING entry 0"}, card(few, nil), few, nil)
	lint("missing-strict", "missing", "the same for who wants all clauses", "B.6", []string{"error SOW_INCOMPLETE entry 0", "warning SOW_CLAUSE_MISSING entry 0"}, card(few, nil), few, object{"strict": true})

	sign := func(name, base, title, clause string, expected object, document string, more object) {
		in := object{"document": "proposal.json", "seed": user.seed, "now": "2026-07-01T09:00:00Z"}
		for name, v := range more {
			in[name] = v
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "sign-" + name, base: prefixed("sign-", base), operation: "sign-proposal", title: title, clause: clause, input: in, expected: expected, files: map[string]string{"proposal.json": document},
		})
	}
	made := func(document string) object {
		record := user.record(m.t, identified(m.t, document), "provider")
		at := strings.Index(record, `"sig":"`)
		return object{"id": mintedID(m.t, document), "digest": digestOf(m.t, standing(m.t, document)), "role": "provider", "key": user.key, "signed_at": "2026-07-01T09:00:00Z", "sig": record[at+7 : len(record)-2]}
	}
	sign("good", "", "a template, which gets its identifier and a signature", "B.10, I-1", made(template), template, nil)
	sign("identified", "", "a template with its identifier", "B.10, I-1", made(template), unsigned, nil)
	sign("strict", "", "a template with all clauses, for who wants all", "B.10", made(template), template, object{"strict": true})
	broken := func(name, base, title, code, from, to string, more object) {
		m.t.Helper()
		sign(name, base, title, "B.10", object{"code": code}, replaceOnce(from, to)(template), more)
	}
	broken("id-differs", "good", "an identifier that is not the one that is minted", "SOW_ID_DIFFERS", `"sow": "v1",`, `"sow": "v1", "id": "sow_0000000000000000",`, nil)
	broken("format", "good", "another format", "SOW_FORMAT", `"sow": "v1"`, `"sow": "v2"`, nil)
	broken("client", "good", "a client", "SOW_NOT_STANDING", `"client": null`, `"client": {"agent": "a", "owner": "b"}`, nil)
	broken("incomplete", "good", "a placeholder", "SOW_INCOMPLETE", `refund_on_failed_task`, `TBD`, nil)
	broken("price", "good", "a fraction of a cent", "SOW_PRICE", `1250`, `1250.5`, nil)
	broken("precision", "good", "an integer that is not exactly a double", "JSON_NUMBER_PRECISION", `"per_day": 40`, `"per_day": 9007199254740993`, nil)
	broken("duplicate", "good", "a name twice", "JSON_DUPLICATE_KEY", `"version": 1`, `"version": 1, "version": 1`, nil)
	broken("private-key", "good", "a private key in the document", "SOW_PRIVATE_KEY", `refund_on_failed_task`, user.seed, nil)
	broken("strict-missing", "strict", "a clause less, for who wants all", "SOW_INCOMPLETE", "\n  \"volume\": {\"per_day\": 40, \"grade\": \"enforced\"},", ``, object{"strict": true})
	sign("second", "identified", "a second signature of the provider", "S-6", object{"code": "SOW_SIGNATURES"}, good, nil)

	declare := func(name, base, title, clause string, expected object, more object, documents ...string) {
		files, listings := map[string]string{}, []object{}
		for i, d := range documents {
			file := string(rune('1'+i)) + ".json"
			files[file] = d
			listings = append(listings, object{"document": file, "url": []string{proposalURL, secondURL}[i]})
		}
		in := object{"listings": listings, "sowSpec": sowSpec, "description": "Terms."}
		for name, v := range more {
			in[name] = v
			if v == nil {
				delete(in, name)
			}
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "declare-" + name, base: prefixed("declare-", base), operation: "declare-terms", title: title, clause: clause, input: in, expected: expected, files: files,
		})
	}
	extension := func(documents ...string) object {
		var entries []object
		for i, d := range documents {
			entries = append(entries, termsEntry(m.t, []string{proposalURL, secondURL}[i], d))
		}
		return object{"extension": rawJSON(m.t, termsExtension(entries...))}
	}
	refused := func(code string, listing int) object { return object{"code": code, "listing": listing} }
	declare("good", "", "a standing proposal", "B.10", extension(good), nil, good)
	declare("two", "", "two standing proposals", "D-9", extension(good, changed), nil, good, changed)
	declare("strict", "", "a proposal with all clauses, for who wants all", "B.10", extension(good), object{"strict": true}, good)
	declare("strict-missing", "strict", "a clause less, for who wants all", "B.10", refused("SOW_INCOMPLETE", 0), object{"strict": true}, few)
	declare("unsigned", "good", "a proposal without a signature", "B.10", refused("SOW_UNSIGNED", 0), nil, unsigned)
	declare("forged", "good", "a proposal whose signature is wrong", "B.10", refused("SOW_SIG_INVALID", 0), nil, replaceOnce("1250", "1350")(good))
	declare("second-unsigned", "two", "a second proposal without a signature", "B.10", refused("SOW_UNSIGNED", 1), nil, good, unsigned)
	declare("not-standing", "good", "a proposal with a client", "B.10", refused("SOW_NOT_STANDING", 0), nil, standing(m.t, replaceOnce(`"client": null`, `"client": {"agent": "a", "owner": "b"}`)(template)))
	declare("directed-public", "good", "a proposal to one party, for a public card", "B.10", refused("TERMS_DIRECTED_PUBLIC", 0), nil, directed)
	declare("directed", "", "a proposal to one party, for a card to that party", "B.10", extension(directed), object{"channel": "restricted", "for": me}, directed)
	declare("directed-other", "directed", "a card to another party", "B.10", refused("TERMS_DIRECTED_OTHER", 0), object{"channel": "restricted", "for": ownerKey(6, userKey).key}, directed)
	declare("http", "good", "an address without TLS", "E-1", refused("TERMS_URL", 0), object{"listings": []object{{"document": "1.json", "url": "http://agent.example/x"}}}, good)
	declare("offering", "good", "an offering that the document does not have", "E-4", refused("TERMS_OFFERING_DOC", 0), object{"listings": []object{{"document": "1.json", "url": proposalURL, "offering": "draw"}}}, good)
	declare("one-address", "two", "two proposals at one address", "E-6", refused("TERMS_ENTRY_CONFLICT", 1), object{"listings": []object{{"document": "1.json", "url": proposalURL}, {"document": "2.json", "url": proposalURL}}}, good, changed)
	declare("no-version", "good", "no version of the specification", "D-5", object{"declared": false}, object{"sowSpec": nil}, good)
	declare("nothing", "good", "no proposal", "D-4", object{"declared": false}, object{"listings": []object{}}, good)
	declare("restricted-nobody", "directed", "a card for a restricted channel to nobody", "B.10", object{"declared": false}, object{"channel": "restricted"}, directed)
}

// digests is section B.4.
func (m termsSuite) digests() {
	good := standing(m.t, proposalText)
	add := func(name, base, title, clause string, expected object, document string) {
		m.s.cases = append(m.s.cases, ownCase{
			name: "digest-" + name, base: prefixed("digest-", base), operation: "digest-proposal", title: title, clause: clause,
			input: object{"document": "proposal.json"}, expected: expected, files: map[string]string{"proposal.json": document},
		})
	}
	all := func(document string) object {
		return object{
			"hashed": sha(canonicalOf(m.t, document, "id", "signatures")), "signed": sha("agent-sow-v1\n" + canonicalOf(m.t, document, "signatures")),
			"digest": digestOf(m.t, document), "id": mintedID(m.t, document),
		}
	}
	add("good", "", "a standing proposal", "B.4", all(good), good)
	add("template", "", "a template", "B.4", all(proposalText), proposalText)
	add("compact", "good", "the same in its canonical form", "B.4", all(good), canonicalOf(m.t, good))
	below := replaceOnce(`"note":`, `"note":`)(replaceOnce(`"volume":`, `"reporting": {"note": {"id": 1, "signatures": [2]}, "grade": "recorded"}, "volume":`)(proposalText))
	add("below", "", "members called id and signatures further down, which are not left out", "B.4", all(below), below)
	second := replaceOnce(`"version": 1,`, `"version": 2,`)(good)
	version := all(second)
	delete(version, "id")
	add("second-version", "good", "a second version, from which no identifier is minted", "I-1", and(version, "idCode", "SOW_ID_VERSION"), second)
	add("precision", "good", "an integer that is not exactly a double", "J-5", object{"code": "JSON_NUMBER_PRECISION"}, replaceOnce(`"per_day": 40`, `"per_day": 9007199254740993`)(good))
	add("duplicate", "good", "a name twice", "J-2", object{"code": "JSON_DUPLICATE_KEY"}, replaceOnce(`"version": 1`, `"version": 1, "version": 1`)(good))
	add("array", "good", "a list for a document", "B.6", object{"code": "SOW_FORMAT"}, "["+good+"]")
}
