package vectors_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	termsSpec   = "https://agentsow.com/extensions/a2a-terms/v1"
	proposalURL = "https://agent.example/terms/answer.sow.json"
	secondURL   = "https://agent.example/terms/second.sow.json"
	sowSpec     = "0.18.0-draft"
)

// proposalText is a complete proposal that nobody has signed.
const proposalText = `{
  "sow": "v1",
  "version": 1,
  "starts_at": null,
  "ends_at": null,
  "term_months": 6,
  "language": {"id": "agent-sow-standard-language", "version": 4},
  "parties": {
    "provider": {"agent": "vector-agent", "owner": "Vectors"},
    "client": null,
    "grade": "evidence"
  },
  "scope": {"offerings": ["answer"], "grade": "enforced"},
  "inputs": [{"name": "question", "media_type": "text/plain", "when": "per_task"}],
  "deliverables": {"per_task": [{"name": "answer", "media_type": "text/plain"}], "grade": "enforced"},
  "price": {
    "arrangement": "fixed_fee",
    "currency": "EUR",
    "rates": [{"offering": "answer", "per_task": 1250}],
    "grade": "enforced"
  },
  "volume": {"per_day": 40, "grade": "enforced"},
  "change_control": {"review_window_days": 7, "grade": "enforced"},
  "termination": {"convenience_notice_hours": 48, "grade": "enforced"},
  "disputes": {"posture": "refund_on_failed_task", "grade": "evidence"},
  "confidentiality": {"promises": {"no_training": true, "grade": "recorded"}}
}
`

// canonicalOf is the canonical form of a document of ASCII and integers, for which the
// standard library's order of members is that of RFC 8785.
func canonicalOf(t testing.TB, text string, without ...string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v map[string]any
	require.NoError(t, d.Decode(&v))
	for _, name := range without {
		delete(v, name)
	}
	return rawJSON(t, v)
}

func sha256Of(text string) string { return "sha256:" + sha(text) }

// digestOf is what a card commits to.
func digestOf(t testing.TB, document string) string { return sha256Of(canonicalOf(t, document)) }

// mintedID is the identifier of section B.4.
func mintedID(t testing.TB, document string) string {
	sum := sha256.Sum256([]byte(canonicalOf(t, document, "id", "signatures")))
	return "sow_" + base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding).EncodeToString(sum[:10])
}

// nkey is a key of NATS: a prefix, the bytes and a checksum, in base 32.
func nkey(data []byte) string {
	var crc uint16
	for _, b := range data {
		crc ^= uint16(b) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(append(data, byte(crc), byte(crc>>8)))
}

// owner is an owner's key: the seed is 32 bytes of the value n.
type owner struct {
	private   ed25519.PrivateKey
	key, seed string
}

func ownerKey(n, prefix byte) owner {
	seed := bytes.Repeat([]byte{n}, ed25519.SeedSize)
	private := ed25519.NewKeyFromSeed(seed)
	return owner{
		private, nkey(append([]byte{prefix}, private.Public().(ed25519.PublicKey)...)),
		nkey(append([]byte{0x90 | prefix>>5, prefix << 3}, seed...)),
	}
}

// The prefixes of public keys.
const (
	userKey     = 0xa0
	accountKey  = 0x00
	operatorKey = 0x70
	serverKey   = 0x68
)

// record is a signature over a document by a role.
func (o owner) record(t testing.TB, document, role string) string {
	t.Helper()
	sig := ed25519.Sign(o.private, []byte("agent-sow-v1\n"+canonicalOf(t, document, "signatures")))
	return `{"role":"` + role + `","key":"` + o.key + `","signed_at":"2026-07-01T09:00:00Z","sig":"` + base64.RawURLEncoding.EncodeToString(sig) + `"}`
}

// identified gives a document its identifier.
func identified(t testing.TB, document string) string {
	if strings.Contains(document, `"id": "sow_`) {
		return document
	}
	return strings.Replace(document, "{", "{\n  \"id\": \""+mintedID(t, document)+"\",", 1)
}

// standing signs a document as its provider.
func standing(t testing.TB, document string) string {
	document = identified(t, document)
	return withMember(document, `"signatures": [`+ownerKey(1, userKey).record(t, document, "provider")+`]`)
}

// termsEntry is an entry of a declaration.
func termsEntry(t testing.TB, url, document string) object {
	t.Helper()
	var v struct {
		ID    string
		Scope struct{ Offerings []string }
	}
	_ = json.Unmarshal([]byte(document), &v) // some are not as they should be
	e := object{"url": url, "digest": digestOf(t, document), "sow": v.ID}
	if len(v.Scope.Offerings) == 1 {
		e["offering"] = v.Scope.Offerings[0]
	}
	return e
}

// termsExtension is a declaration of proposals.
func termsExtension(entries ...object) object {
	return object{"uri": termsSpec, "description": "Terms.", "params": object{"sow_spec": sowSpec, "proposals": entries}}
}

// cardWith is the card with extensions.
func cardWith(t testing.TB, extensions ...object) string {
	return replaceOnce(`"streaming": false`, `"streaming": false, "extensions": `+rawJSON(t, extensions))(vectorCard)
}

// signedCard signs a card without defaults that are left out.
func signedCard(t testing.TB, k cardKey, card string) string {
	return withSignatures(card, k.entry(vectorHeader, canonicalOf(t, card)))
}

type termsSuite struct {
	t testing.TB
	s *ownSuite
}

// termsQuestion is a case of verify-terms as it is put together.
type termsQuestion struct {
	document string           // as it is served
	promised string           // what the card commits to, where that is another
	entry    func(e object)   // changes the entry
	declare  func(x object)   // changes the declaration
	card     func(string) any // the text of the card instead, from the usual one
	in       object
	files    map[string]string
	follows  []string
}

func (m termsSuite) question() *termsQuestion {
	return &termsQuestion{document: standing(m.t, proposalText), in: object{}, files: map[string]string{}}
}

func (q *termsQuestion) build(t testing.TB) (object, map[string]string) {
	if q.promised == "" {
		q.promised = q.document
	}
	e := termsEntry(t, proposalURL, q.promised)
	if q.entry != nil {
		q.entry(e)
	}
	x := termsExtension(e)
	if q.declare != nil {
		q.declare(x)
	}
	card := cardWith(t, x)
	if q.card != nil {
		card = q.card(card).(string)
	}
	in := object{"card": "card.json", "documents": object{proposalURL: "proposal.json"}, "now": cardNow}
	files := map[string]string{"card.json": card, "proposal.json": q.document}
	for name, v := range q.in {
		in[name] = v
		if v == nil {
			delete(in, name)
		}
	}
	for name, text := range q.files {
		files[name] = text
	}
	return in, files
}

func (m termsSuite) add(name, base, title, clause string, expected object, change func(*termsQuestion)) {
	m.t.Helper()
	q := m.question()
	if change != nil {
		change(q)
	}
	in, files := q.build(m.t)
	m.s.cases = append(m.s.cases, ownCase{
		name: "verify-" + name, base: prefixed("verify-", base), operation: "verify-terms", title: title, clause: clause, input: in, expected: expected, files: files, follows: q.follows,
	})
}

// statedEntry is the outcome of an entry whose document is verified.
func (m termsSuite) statedEntry(document string, warnings ...string) object {
	var v struct {
		ID         string
		Scope      struct{ Offerings []string }
		Signatures []struct{ Role, Key string }
	}
	require.NoError(m.t, json.Unmarshal([]byte(document), &v))
	return warned(object{"outcome": "verified", "documentId": v.ID, "offerings": v.Scope.Offerings, "providerKey": v.Signatures[0].Key}, warnings)
}

func (m termsSuite) stated(signature string, entries ...object) object {
	return object{"terms": "stated", "cardSignature": signature, "sowSpec": sowSpec, "entries": entries}
}

func notStated(code string) object { return object{"outcome": "no_terms_stated", "code": code} }

func unstated(code string) object {
	return object{"terms": "none_verified", "cardSignature": "unsigned", "entries": []object{notStated(code)}}
}

func byHand(o object) object { return and(o, "remedy", object{"result": "by-hand"}) }

// termsVectors are those of section B.
func termsVectors(t testing.TB) ownSuite {
	t.Helper()
	s := ownSuite{
		name: "terms", spec: termsSpec,
		description: "Signed standing proposals that a card names (A2A Terms extension): declarations, entries, the three byte strings, signatures, standing and directed proposals, prices, the remedy for a digest that differs, what is shown, publishing. The keys are test keys: the seed of the owner's key N is 32 bytes of the value N.",
	}
	m := termsSuite{t, &s}
	m.declarations()
	m.entries()
	m.documents()
	m.prices()
	m.signatures()
	m.directed()
	m.remedy()
	m.fresh()
	m.shown()
	m.publishing()
	m.digests()
	return s
}

// declarations is section B.2.
func (m termsSuite) declarations() {
	good := standing(m.t, proposalText)
	yes := func(warnings ...string) object {
		o := m.stated("unsigned", m.statedEntry(good))
		return warned(o, warnings)
	}
	silent := func() object {
		return object{"terms": "silent", "cardSignature": "unsigned", "entries": []object{}}
	}
	none := func(code string, warnings ...string) object {
		return warned(object{"terms": "none_verified", "cardSignature": "unsigned", "code": code, "entries": []object{}}, warnings)
	}
	m.add("good", "", "a card with a standing proposal", "B.7", yes(), nil)
	declare := func(name, title, clause string, expected object, change func(x object)) {
		m.t.Helper()
		m.add("declared-"+name, "good", title, clause, expected, func(q *termsQuestion) { q.declare = change })
	}
	m.add("declared-not", "good", "no declaration", "B.7", silent(), func(q *termsQuestion) { q.card = func(string) any { return vectorCard } })
	for _, row := range []struct{ name, title, uri string }{
		{"slash", "the URI with a slash more", termsSpec + "/"}, {"v2", "the URI of another version", strings.Replace(termsSpec, "v1", "v2", 1)},
		{"http", "the URI without TLS", strings.Replace(termsSpec, "https", "http", 1)}, {"case", "the URI in another case", strings.Replace(termsSpec, "agentsow", "AgentSoW", 1)},
	} {
		declare("uri-"+row.name, row.title, "D-1, B.11", silent(), func(x object) { x["uri"] = row.uri })
	}
	params := func(x object) object { return x["params"].(object) }
	declare("required", "required is true", "D-2, B.11", yes("TERMS_REQUIRED_TRUE"), func(x object) { x["required"] = true })
	declare("required-false", "required is false", "D-2", yes(), func(x object) { x["required"] = false })
	declare("no-params", "no params", "D-4", none("TERMS_DECL_PROPOSALS", "TERMS_DECL_PROPOSALS", "TERMS_DECL_SOW_SPEC"), func(x object) { delete(x, "params") })
	declare("no-proposals", "no proposals", "D-4", none("TERMS_DECL_PROPOSALS", "TERMS_DECL_PROPOSALS"), func(x object) { delete(params(x), "proposals") })
	declare("proposals-empty", "an empty list of proposals", "D-4, B.11", none("TERMS_DECL_PROPOSALS", "TERMS_DECL_PROPOSALS"), func(x object) { params(x)["proposals"] = []object{} })
	declare("proposals-object", "a proposal for a list of them", "D-4", none("TERMS_DECL_PROPOSALS", "TERMS_DECL_PROPOSALS"), func(x object) { params(x)["proposals"] = params(x)["proposals"].([]object)[0] })
	m.add("declared-no-sow-spec", "good", "no version of the specification", "D-5", and(warned(m.stated("unsigned", m.statedEntry(good)), []string{"TERMS_DECL_SOW_SPEC"}), "sowSpec", nil), func(q *termsQuestion) {
		q.declare = func(x object) { delete(params(x), "sow_spec") }
	})
	delete(m.s.cases[len(m.s.cases)-1].expected, "sowSpec")
	declare("sow-spec-unknown", "a version that nobody knows", "D-6, B.11", and(yes(), "sowSpec", "9.9"), func(x object) { params(x)["sow_spec"] = "9.9" })
	declare("unknown-member", "a member that nobody knows", "D-8", yes("TERMS_DECL_UNKNOWN"), func(x object) { params(x)["currency"] = "EUR" })
	m.add("declared-twice", "good", "two declarations", "D-7", none("TERMS_DECL_DUPLICATE", "TERMS_DECL_DUPLICATE"), func(q *termsQuestion) {
		q.card = func(string) any {
			x := termsExtension(termsEntry(m.t, proposalURL, q.document))
			return cardWith(m.t, x, x)
		}
	})
	many := func(name, base, title string, n int, expected object) {
		m.add("declared-"+name, base, title, "J-6", expected, func(q *termsQuestion) {
			q.declare = func(x object) {
				list := params(x)["proposals"].([]object)
				for i := 1; i < n; i++ {
					list = append(list, object{"url": fmt.Sprintf("https://agent.example/terms/%d", i), "digest": "sha256:" + strings.Repeat("0", 64)})
				}
				params(x)["proposals"] = list
			}
		})
	}
	most := make([]object, 64)
	most[0] = m.statedEntry(good)
	for i := range most[1:] {
		most[i+1] = notStated("TERMS_NOT_FETCHED")
	}
	many("sixty-four", "good", "sixty-four proposals, of which one can be had", 64, m.stated("unsigned", most...))
	many("sixty-five", "good", "sixty-five proposals", 65, none("LIMIT_EXCEEDED", "LIMIT_EXCEEDED"))
	m.add("declared-beside", "good", "another extension beside it", "D-1", yes(), func(q *termsQuestion) {
		q.card = func(string) any {
			return cardWith(m.t, object{"uri": "urn:other", "params": object{"proposals": []object{}}}, termsExtension(termsEntry(m.t, proposalURL, q.document)))
		}
	})
	m.add("card-duplicate", "good", "a name twice in the card", "J-2", object{"code": "JSON_DUPLICATE_KEY"}, func(q *termsQuestion) {
		q.card = func(card string) any { return replaceOnce(`"sow_spec":`, `"sow_spec":"1","sow_spec":`)(card) }
	})
	m.add("card-signed", "", "a card whose signature is verified", "B.7", m.stated("verified", m.statedEntry(good)), func(q *termsQuestion) {
		q.card = func(card string) any { return signedCard(m.t, edKey(1), card) }
		q.in["trustStore"] = trusted(pinnedKey(edKey(1), "key-1", nil, nil))
	})
	m.add("card-forged", "card-signed", "a card with a forged signature, which says nothing of the terms", "B.7", m.stated("invalid", m.statedEntry(good)), func(q *termsQuestion) {
		q.card = func(card string) any { return signedCard(m.t, edKey(2), card) }
		q.in["trustStore"] = trusted(pinnedKey(edKey(1), "key-1", nil, nil))
	})
	m.add("card-unknown-key", "card-signed", "a card whose key nobody knows", "B.7", m.stated("unverified", m.statedEntry(good)), func(q *termsQuestion) {
		q.card = func(card string) any { return signedCard(m.t, edKey(1), card) }
		q.in["trustStore"] = trusted(pinnedKey(edKey(2), "key-2", nil, nil))
	})
	m.add("card-no-keys", "card-signed", "a signed card, and no keys to check it with", "B.7", m.stated("not_checked", m.statedEntry(good)), func(q *termsQuestion) {
		q.card = func(card string) any { return signedCard(m.t, edKey(1), card) }
	})
}

// entries is section B.3, and steps 1 to 3 of B.7.
func (m termsSuite) entries() {
	good := standing(m.t, proposalText)
	yes := func(warnings ...string) object { return m.stated("unsigned", m.statedEntry(good, warnings...)) }
	entry := func(name, title, clause string, expected object, change func(e object)) {
		m.t.Helper()
		m.add("entry-"+name, "good", title, clause, expected, func(q *termsQuestion) { q.entry = change })
	}
	for _, row := range []struct{ name, title, url string }{
		{"http", "an address without TLS", "http://agent.example/terms/answer.sow.json"}, {"file", "an address of a file", "file:///answer.sow.json"}, {"relative", "an address that is relative", "/terms/answer.sow.json"},
		{"user", "an address with a user name", "https://x@agent.example/terms/answer.sow.json"}, {"no-host", "an address without a host", "https:///answer.sow.json"}, {"space", "an address with a space", "https://agent.example/terms/answer .sow.json"},
		{"empty", "an empty address", ""},
	} {
		entry("url-"+row.name, row.title, "E-1, B.11", unstated("TERMS_URL"), func(e object) { e["url"] = row.url })
	}
	entry("no-url", "no address", "E-1", unstated("TERMS_URL"), func(e object) { delete(e, "url") })
	for _, row := range []struct {
		name, title string
		change      func(string) string
	}{
		{"prefix", "the prefix of the digest in capitals", func(d string) string { return "SHA256:" + d[7:] }}, {"capitals", "the digits in capitals", func(d string) string { return "sha256:" + strings.ToUpper(d[7:]) }},
		{"short", "a digit less", func(d string) string { return d[:len(d)-1] }}, {"long", "a digit more", func(d string) string { return d + "0" }}, {"space", "a space", func(d string) string { return d + " " }},
		{"bare", "no prefix", func(d string) string { return d[7:] }}, {"algorithm", "another algorithm", func(d string) string { return "sha512:" + d[7:] }},
	} {
		entry("digest-"+row.name, row.title, "E-2, B.11", unstated("TERMS_DIGEST_FORMAT"), func(e object) { e["digest"] = row.change(e["digest"].(string)) })
	}
	entry("no-digest", "no digest", "E-2", unstated("TERMS_DIGEST_FORMAT"), func(e object) { delete(e, "digest") })
	entry("label", "a label that is another", "E-3", yes("TERMS_SOW_LABEL"), func(e object) { e["sow"] = "sow_0000000000000000" })
	entry("no-label", "no label", "E-3", yes(), func(e object) { delete(e, "sow") })
	entry("offering", "an offering that is neither a skill nor in the document", "E-4", yes("TERMS_OFFERING_DOC", "TERMS_OFFERING_SKILL"), func(e object) { e["offering"] = "draw" })
	entry("no-offering", "no offering", "E-4", yes(), func(e object) { delete(e, "offering") })
	entry("label-number", "a label that is a number", "E-3", yes("TERMS_ENTRY_TYPE"), func(e object) { e["sow"] = 1 })
	entry("unknown-member", "a member that nobody knows", "D-8", yes("TERMS_DECL_UNKNOWN"), func(e object) { e["price"] = "free" })
	m.add("entry-third-party", "good", "a document at another host than the card names", "E-5", m.stated("unsigned", m.statedEntry(good, "TERMS_THIRD_PARTY_HOST")), func(q *termsQuestion) {
		q.entry = func(e object) { e["url"] = "https://elsewhere.example/answer.sow.json" }
		q.in["documents"], q.follows = object{"https://elsewhere.example/answer.sow.json": "proposal.json"}, []string{"documents"}
	})
	two := func(name, base, title, clause string, expected object, second func(e object), more object) {
		m.t.Helper()
		m.add("entries-"+name, prefixed("entries-", base), title, clause, expected, func(q *termsQuestion) {
			q.declare = func(x object) {
				list := x["params"].(object)["proposals"].([]object)
				e := termsEntry(m.t, secondURL, q.document)
				second(e)
				x["params"].(object)["proposals"] = append(list, e)
			}
			q.in["documents"] = object{proposalURL: "proposal.json", secondURL: "proposal.json"}
			for name, v := range more {
				q.in[name] = v
			}
		})
	}
	two("two", "", "two entries of one document at two addresses", "E-6", m.stated("unsigned", m.statedEntry(good), m.statedEntry(good, "TERMS_ENTRY_DUPLICATE")), func(object) {}, nil)
	two("conflict", "two", "two entries of one address that differ in their digest", "E-6", object{"terms": "none_verified", "cardSignature": "unsigned", "entries": []object{notStated("TERMS_ENTRY_CONFLICT"), notStated("TERMS_ENTRY_CONFLICT")}}, func(e object) {
		e["url"], e["digest"] = proposalURL, "sha256:"+strings.Repeat("0", 64)
	}, nil)
	two("conflict-respelt", "two", "the same, with the address in another spelling", "E-6", object{"terms": "none_verified", "cardSignature": "unsigned", "entries": []object{notStated("TERMS_ENTRY_CONFLICT"), notStated("TERMS_ENTRY_CONFLICT")}}, func(e object) {
		e["url"], e["digest"] = "https://AGENT.example:443/terms/x/../%61nswer.sow.json", "sha256:"+strings.Repeat("0", 64)
	}, nil)
	two("one-fails", "two", "two entries, of which one fails: the other counts", "B.7", m.stated("unsigned", m.statedEntry(good), notStated("TERMS_URL")), func(e object) { e["url"] = "http://agent.example/x" }, nil)
	two("one-missing", "two", "two entries, of which one is not to be had", "B.7", m.stated("unsigned", m.statedEntry(good), notStated("FETCH_STATUS")), func(object) {}, object{"documents": object{proposalURL: "proposal.json", secondURL: object{"status": 404}}})

	served := func(name, title, clause string, expected object, document string) {
		m.t.Helper()
		m.add("served-"+name, "good", title, clause, expected, func(q *termsQuestion) {
			q.promised, q.document = good, document
		})
	}
	differs := func(document string) object {
		return byHand(object{"terms": "none_verified", "cardSignature": "unsigned", "entries": []object{and(notStated("TERMS_DIGEST_MISMATCH"), "found", digestOf(m.t, document))}})
	}
	served("compact", "a document in its canonical form", "B.11", yes(), canonicalOf(m.t, good))
	served("reordered", "a document in another order", "B.11", yes(), replaceOnce(`"sow": "v1",
  "version": 1,`, `"version": 1,
  "sow": "v1",`)(good))
	served("respelt", "a number in another spelling", "1.2", yes(), replaceOnce("1250", "12.50e2")(good))
	later := replaceOnce("2026-07-01T09:00:00Z", "2026-07-01T09:00:01Z")(good)
	served("signed-at", "another time of the signature, which the signature does not cover and the digest does", "S-5, B.11", differs(later), later)
	cheaper := replaceOnce("1250", "1251")(good)
	served("price", "another price", "B.7", differs(cheaper), cheaper)
	less := replaceOnce(`"volume": {"per_day": 40, "grade": "enforced"},`, ``)(good)
	served("clause", "a clause less", "B.7", differs(less), less)
	unsigned := identified(m.t, proposalText)
	served("unsigned", "the document without its signature", "B.7", differs(unsigned), unsigned)
	served("html", "a page for a document", "B.11", unstated("TERMS_PARSE"), "<html></html>")
	served("cut", "a document that is cut", "J-1", unstated("TERMS_PARSE"), good[:len(good)-3])
	served("duplicate", "a name twice", "B.11, J-2", unstated("JSON_DUPLICATE_KEY"), replaceOnce(`"version": 1`, `"version": 1, "version": 1`)(good))
	served("surrogate", "half a character", "J-3", unstated("JSON_UNICODE"), replaceOnce("vector-agent", `\ud800`)(good))
	served("range", "a number beyond the doubles", "J-4", unstated("JSON_NUMBER_RANGE"), replaceOnce("1250", "1e400")(good))
	m.add("served-missing", "good", "a document that is not there", "B.11, F-6", unstated("FETCH_STATUS"), func(q *termsQuestion) { q.in["documents"] = object{proposalURL: object{"status": 404}} })
	m.add("served-not", "good", "a document that nobody has", "B.7", unstated("TERMS_NOT_FETCHED"), func(q *termsQuestion) { q.in["documents"] = object{} })
	commit := func(name, title string, digest func(document string) string) {
		m.t.Helper()
		m.add("digest-of-"+name, "good", title, "B.4, B.11", differs(good), func(q *termsQuestion) { q.entry = func(e object) { e["digest"] = digest(q.document) } })
	}
	commit("signed", "the digest of the signed bytes", func(d string) string { return sha256Of("agent-sow-v1\n" + canonicalOf(m.t, d, "signatures")) })
	commit("signed-bare", "the digest of the document without its signatures", func(d string) string { return sha256Of(canonicalOf(m.t, d, "signatures")) })
	commit("hashed", "the digest of the hashed bytes", func(d string) string { return sha256Of(canonicalOf(m.t, d, "signatures", "id")) })
	commit("served", "the digest of the bytes that are served", sha256Of)
}

// rewritten adds a case whose document is another one, which the card commits to.
func (m termsSuite) rewritten(name, base, title, clause string, expected func(document string) object, document string, more object) {
	m.t.Helper()
	m.add(name, base, title, clause, expected(document), func(q *termsQuestion) {
		q.document = document
		q.follows = []string{"card.json"}
		for name, v := range more {
			q.in[name] = v
		}
	})
}

// documents is section B.6.
func (m termsSuite) documents() {
	no := func(code string) func(string) object { return func(string) object { return unstated(code) } }
	yes := func(warnings ...string) func(string) object {
		return func(d string) object { return m.stated("unsigned", m.statedEntry(d, warnings...)) }
	}
	edit := func(name, title, code, from, to string) {
		m.t.Helper()
		expected := no(code)
		if code == "" {
			expected = yes()
		}
		m.rewritten("document-"+name, "good", title, "B.6", expected, standing(m.t, replaceOnce(from, to)(proposalText)), nil)
	}
	edit("format", "another format", "SOW_FORMAT", `"sow": "v1"`, `"sow": "v2"`)
	edit("version-zero", "version 0", "SOW_FORMAT", `"version": 1,`, `"version": 0,`)
	edit("version-text", "a version that is a text", "SOW_FORMAT", `"version": 1,`, `"version": "1",`)
	edit("no-owner", "a provider without an owner", "SOW_FORMAT", `, "owner": "Vectors"`, ``)
	edit("no-agent", "a provider without an agent", "SOW_FORMAT", `"agent": "vector-agent", `, ``)
	edit("client", "a client", "SOW_NOT_STANDING", `"client": null`, `"client": {"agent": "a", "owner": "b"}`)
	edit("client-empty", "an object of nothing for the client", "SOW_NOT_STANDING", `"client": null`, `"client": {}`)
	edit("no-client", "no member for the client", "", "\n    \"client\": null,", ``)
	edit("start", "a start", "SOW_NOT_STANDING", `"starts_at": null`, `"starts_at": "2026-09-01T00:00:00Z"`)
	edit("no-start", "no member for the start", "", "\n  \"starts_at\": null,", ``)
	edit("no-scope", "no scope", "SOW_INCOMPLETE", "\n  \"scope\": {\"offerings\": [\"answer\"], \"grade\": \"enforced\"},", ``)
	edit("offerings-empty", "a scope of nothing", "SOW_INCOMPLETE", `["answer"]`, `[]`)
	edit("offering-number", "an offering that is a number", "SOW_INCOMPLETE", `["answer"]`, `["answer", 1]`)
	edit("offering-without-rate", "an offering without a rate", "SOW_INCOMPLETE", `["answer"]`, `["answer", "draw"]`)
	edit("clause-null", "a clause that is null", "SOW_INCOMPLETE", `{"per_day": 40, "grade": "enforced"}`, `null`)
	edit("clause-empty", "a clause of a grade alone", "SOW_INCOMPLETE", `{"per_day": 40, "grade": "enforced"}`, `{"grade": "enforced"}`)
	edit("placeholder", "a placeholder", "SOW_INCOMPLETE", `refund_on_failed_task`, `TBD`)
	edit("placeholder-brackets", "a placeholder in brackets", "SOW_INCOMPLETE", `refund_on_failed_task`, `<posture>`)
	edit("further-clause", "a clause that nobody knows", "", `"volume":`, `"reporting": {"level": "check_ins", "grade": "evidence"}, "volume":`)
	edit("inputs-object", "inputs as an object", "", `"inputs": [{"name": "question", "media_type": "text/plain", "when": "per_task"}]`, `"inputs": {"list": [{"name": "question"}], "grade": "recorded"}`)
	missing := func(d string) object {
		return m.stated("unsigned", and(m.statedEntry(d, "SOW_CLAUSE_MISSING"), "missing", []string{"volume"}))
	}
	without := standing(m.t, replaceOnce("\n  \"volume\": {\"per_day\": 40, \"grade\": \"enforced\"},", ``)(proposalText))
	m.rewritten("document-clause-missing", "good", "a clause less, which is said", "B.6", missing, without, nil)
	m.rewritten("document-strict", "", "all clauses, and a strict reader", "B.6", yes(), standing(m.t, proposalText), object{"strict": true})
	m.rewritten("document-clause-missing-strict", "document-strict", "a clause less, and a strict reader", "B.6", no("SOW_INCOMPLETE"), without, object{"strict": true})
	m.rewritten("document-grade", "good", "a grade that there is not", "B.6", yes("SOW_GRADE"), standing(m.t, replaceOnce(`"per_day": 40, "grade": "enforced"`, `"per_day": 40, "grade": "guaranteed"`)(proposalText)), nil)
	m.rewritten("document-no-grade", "good", "a clause without a grade", "B.6", yes("SOW_GRADE"), standing(m.t, replaceOnce(`"per_day": 40, "grade": "enforced"`, `"per_day": 40`)(proposalText)), nil)
	m.rewritten("document-promise-enforced", "good", "a promise that says that it is enforced", "B.6", yes("SOW_GRADE_CLAIM"), standing(m.t, replaceOnce(`"grade": "recorded"`, `"grade": "enforced"`)(proposalText)), nil)
	relabelled := strings.Replace(identified(m.t, proposalText), mintedID(m.t, proposalText), "sow_0000000000000000", 1)
	m.rewritten("document-id", "good", "an identifier that is not the one that would be minted, which refuses nothing", "I-2, I-3", yes("SOW_ID_DIFFERS"), standing(m.t, relabelled), nil)
	second := replaceOnce(`"version": 1,`, `"version": 2,`)(relabelled)
	m.rewritten("document-second-version", "good", "a second version, whose identifier nobody can derive", "I-2", yes(), standing(m.t, second), nil)
	precise := standing(m.t, replaceOnce(`"per_day": 40`, `"per_day": 9007199254740992`)(proposalText))
	m.add("document-precision", "good", "an integer that is not exactly a double, which is warned of", "J-5", yes("JSON_NUMBER_PRECISION")(precise), func(q *termsQuestion) {
		q.promised, q.document, q.follows = precise, replaceOnce("9007199254740992", "9007199254740993")(precise), []string{"card.json"}
	})
	m.rewritten("document-agent-key", "good", "an agent's key with a wrong checksum, which nobody decodes", "S-8", yes(), standing(m.t, replaceOnce("vector-agent", ownerKey(1, userKey).key[:55]+"2")(proposalText)), nil)
	m.rewritten("document-private-key", "good", "a private key in the document", "S-3", no("SOW_PRIVATE_KEY"), standing(m.t, replaceOnce(`"posture": "refund_on_failed_task"`, `"posture": "refund_on_failed_task", "note": "`+ownerKey(9, userKey).seed+`"`)(proposalText)), nil)
}

// prices is section B.6 on prices.
func (m termsSuite) prices() {
	const fixed = `{
    "arrangement": "fixed_fee",
    "currency": "EUR",
    "rates": [{"offering": "answer", "per_task": 1250}],
    "grade": "enforced"
  }`
	const metered = `{"arrangement": "time_and_materials", "currency": "EUR", "schedule": [{"meter": "words", "unit": "1000 words", "per": 1000, "per_unit": 800}], "cap": {"amount": 50000}, "reservation": {"window_days": 30}, "grade": "enforced"}`
	const free = `{"arrangement": "no_charge", "grade": "enforced"}`
	priced := func(price string) string { return standing(m.t, replaceOnce(fixed, price)(proposalText)) }
	add := func(name, base, title, code, price string) {
		m.t.Helper()
		expected := func(d string) object { return m.stated("unsigned", m.statedEntry(d)) }
		if code != "" {
			expected = func(string) object { return unstated(code) }
		}
		m.rewritten("price-"+name, base, title, "B.6, SoW 5.5", expected, priced(price), nil)
	}
	good := func(name, title, price string) { add(name, "good", title, "", price) }
	bad := func(name, title, from, to string) {
		m.t.Helper()
		for _, base := range []struct{ name, price string }{{"good", fixed}, {"price-metered", metered}, {"price-free", free}} {
			if strings.Contains(base.price, from) {
				add(name, map[string]string{"good": "good", "price-metered": "price-metered", "price-free": "price-free"}[base.name], title, "SOW_PRICE", replaceOnce(from, to)(base.price))
				return
			}
		}
		panic(from)
	}
	good("metered", "time and materials", metered)
	good("free", "no charge", free)
	good("zero", "a rate of nothing", replaceOnce("1250", "0")(fixed))
	good("ceiling", "a ceiling", replaceOnce(`"grade"`, `"ceiling": {"amount": 5, "period": "month"}, "grade"`)(fixed))
	bad("no-arrangement", "no arrangement", "\n    \"arrangement\": \"fixed_fee\",", "")
	bad("arrangement", "an arrangement that there is not", "fixed_fee", "retainer")
	bad("no-currency", "no currency", "\n    \"currency\": \"EUR\",", "")
	bad("currency", "a currency in lower case", "\n    \"currency\": \"EUR\",", "\n    \"currency\": \"eur\",")
	bad("no-rates", "no rates", "[{\"offering\": \"answer\", \"per_task\": 1250}]", "[]")
	bad("fraction", "a fraction of a cent", "1250", "1250.5")
	bad("text", "a rate that is a text", "1250", `"1250"`)
	bad("negative", "a negative rate", "1250", "-1")
	bad("schedule-besides", "a schedule under a fixed fee", "}],\n", "}],\n    \"schedule\": [],\n")
	bad("no-cap", "time and materials without a cap", `"cap": {"amount": 50000}, `, ``)
	bad("cap-zero", "a cap of nothing", `50000`, `0`)
	bad("no-reservation", "time and materials without a reservation", `"reservation": {"window_days": 30}, `, ``)
	bad("ceiling-metered", "a ceiling under time and materials", `"cap"`, `"ceiling": {"amount": 5}, "cap"`)
	bad("meter-twice", "a meter twice", `"per_unit": 800}`, `"per_unit": 800}, {"meter": "words", "unit": "word", "per_unit": 1}`)
	bad("per-zero", "a divisor of nothing", `"per": 1000`, `"per": 0`)
	bad("pass-through", "pass-through that is false", `"per_unit": 800`, `"per_unit": 800, "pass_through": false`)
	bad("free-with-rate", "no charge with a rate of nothing", `"no_charge", `, `"no_charge", "rates": [], `)
}

// signatures is section B.5.
func (m termsSuite) signatures() {
	document := identified(m.t, proposalText)
	user := ownerKey(1, userKey)
	good := user.record(m.t, document, "provider")
	with := func(records ...string) string {
		return withMember(document, `"signatures": [`+strings.Join(records, ", ")+`]`)
	}
	yes := func(d string) object { return m.stated("unsigned", m.statedEntry(d)) }
	add := func(name, title, clause, code, document string) {
		m.t.Helper()
		expected := yes
		if code != "" {
			expected = func(string) object { return unstated(code) }
		}
		m.rewritten("signature-"+name, "good", title, clause, expected, document, nil)
	}
	sig := good[strings.Index(good, `"sig":"`)+7 : len(good)-2]
	raw, err := base64.RawURLEncoding.DecodeString(sig)
	require.NoError(m.t, err)
	change := func(from, to string) string { return with(replaceOnce(from, to)(good)) }
	add("base64", "a signature in standard base64", "S-1", "", change(sig, base64.StdEncoding.EncodeToString(raw)))
	add("base64-bare", "a signature in standard base64 without padding", "S-1", "SOW_SIG_ENCODING", change(sig, strings.TrimRight(base64.StdEncoding.EncodeToString(append(raw[:63:63], 0xff)), "=")))
	add("short", "a signature of 63 bytes", "S-1", "SOW_SIG_ENCODING", change(sig, base64.RawURLEncoding.EncodeToString(raw[:63])))
	add("line", "a signature with a line end", "S-1", "SOW_SIG_ENCODING", change(sig, sig+`\n`))
	forged := bytes.Clone(raw)
	forged[10] ^= 1
	add("forged", "a bit of the signature changed", "B.7", "SOW_SIG_INVALID", change(sig, base64.RawURLEncoding.EncodeToString(forged)))
	add("other-key", "a signature by another key than it says", "B.7", "SOW_SIG_INVALID", change(user.key, ownerKey(2, userKey).key))
	raised := replaceOnce("1250", "1350")(with(good))
	add("old", "a price that was raised after it was signed", "B.11", "SOW_SIG_INVALID", raised)
	bare := user
	add("no-prefix", "a signature over the document without the prefix", "B.4", "SOW_SIG_INVALID", change(sig, base64.RawURLEncoding.EncodeToString(ed25519.Sign(bare.private, []byte(canonicalOf(m.t, document, "signatures"))))))
	add("hashed", "a signature over the hashed bytes", "B.4", "SOW_SIG_INVALID", change(sig, base64.RawURLEncoding.EncodeToString(ed25519.Sign(bare.private, []byte("agent-sow-v1\n"+canonicalOf(m.t, document, "signatures", "id"))))))
	for _, row := range []struct {
		name, title string
		prefix      byte
		code        string
	}{{"account", "the key of an account", accountKey, ""}, {"operator", "the key of an operator", operatorKey, ""}, {"server", "the key of a server", serverKey, "SOW_KEY_ENCODING"}} {
		add(row.name, row.title, "S-2", row.code, with(ownerKey(1, row.prefix).record(m.t, document, "provider")))
	}
	other := "A"
	if user.key[len(user.key)-1] == 'A' {
		other = "B"
	}
	add("checksum", "a key with another checksum", "S-2", "SOW_KEY_ENCODING", change(user.key, user.key[:len(user.key)-1]+other))
	add("key-case", "a key in lower case", "S-2", "SOW_KEY_ENCODING", change(user.key, strings.ToLower(user.key)))
	add("key-hex", "a key in hexadecimal", "S-4", "SOW_KEY_ENCODING", change(user.key, strings.Repeat("ab", 32)))
	add("seed", "a seed for the key", "S-3", "SOW_PRIVATE_KEY", change(user.key, user.seed))
	add("time", "a time that is none", "S-5", "SOW_SIGNED_AT", change("2026-07-01T09:00:00Z", "1 July"))
	add("no-time", "no time", "S-5", "SOW_SIGNED_AT", change(`"signed_at":"2026-07-01T09:00:00Z",`, ``))
	add("none", "no signatures", "S-6, B.11", "SOW_UNSIGNED", document)
	add("empty", "an empty list of signatures", "S-6", "SOW_UNSIGNED", with())
	add("expires", "a signature that says when it ends", "S-6", "SOW_SIGNATURES", change(`"role":"provider"`, `"role":"provider","expires_at":"2099-01-01T00:00:00Z"`))
	add("revoked", "a signature that says whether it is revoked", "S-6", "SOW_SIGNATURES", change(`"role":"provider"`, `"role":"provider","revoked":true`))
	add("mandate", "a signature with a further member", "S-6", "", change(`"role":"provider"`, `"role":"provider","mandate":"m-1"`))
	add("two", "two signatures of the provider", "S-6", "SOW_SIGNATURES", with(good, ownerKey(2, userKey).record(m.t, document, "provider")))
	add("role", "a role that there is not", "S-6", "SOW_SIGNATURES", change(`"role":"provider"`, `"role":"witness"`))
	add("role-besides", "a signature of a role that there is not, besides", "S-6", "SOW_SIGNATURES", with(good, ownerKey(2, userKey).record(m.t, document, "witness")))
	add("client", "a signature of a client besides", "S-6, B.6", "SOW_NOT_STANDING", with(good, ownerKey(2, userKey).record(m.t, document, "client")))
	add("client-alone", "a signature of a client alone", "S-6", "SOW_UNSIGNED", with(ownerKey(1, userKey).record(m.t, document, "client")))
	add("object", "an object for the list of signatures", "S-6", "SOW_SIGNATURES", withMember(document, `"signatures": `+good))
	owners := func(name, title, attributed string, table object) {
		m.t.Helper()
		m.rewritten("owner-"+name, "good", title, "S-7", func(d string) object { return m.stated("unsigned", and(m.statedEntry(d), "attributed", attributed)) }, with(good), object{"owners": table})
		m.s.cases[len(m.s.cases)-1].follows = nil
	}
	owners("known", "the key is one of the owner's", "true", object{"Vectors": []string{ownerKey(2, userKey).key, user.key}})
	owners("other", "the owner has other keys", "false", object{"Vectors": ownerKey(2, userKey).key})
	m.add("owner-malformed", "good", "a table of owners with a key that is none", "S-7", object{"code": "SOW_OWNER_KEYS"}, func(q *termsQuestion) { q.in["owners"] = object{"Vectors": "key"} })
	owners("unknown", "nobody says what keys the owner has", "unknown", object{"Others": user.key})
}
