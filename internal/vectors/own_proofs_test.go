package vectors_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

const proofSpec = "https://www.w3.org/TR/vc-data-integrity/"

// proofIssuer and proofOther are parties with controller documents; the methods of the first
// differ in their keys and in what they may do.
const (
	proofIssuer = "https://issuer.example/#me"
	proofOther  = "https://other.example/#me"
	keyAssert   = "https://issuer.example/keys#assert"
	keyLogin    = "https://issuer.example/keys#login"
	keyP256     = "https://issuer.example/keys#p256"
	keyP384     = "https://issuer.example/keys#p384"
	keyRevoked  = "https://issuer.example/keys#revoked"
	keyRevoking = "https://issuer.example/keys#revoking"
	keyRenamed  = "https://issuer.example/keys#renamed" // the revoked key without its end
	keyAgain    = "https://issuer.example/keys#again"   // the expired one
	keyLater    = "https://issuer.example/keys#later"   // the one that is revoked later
	keyExpired  = "https://issuer.example/keys#expired"
	keyExpiring = "https://issuer.example/keys#expiring"
	keyOther    = "https://other.example/keys#assert"
	proofForms  = "https://forms.example/#me" // whose keys are written in several ways
)

// credentialText is a credential that nobody has signed.
const credentialText = `{
  "@context": ["https://www.w3.org/ns/credentials/v2", {"role": "https://vectors.example/terms#role", "since": {"@id": "https://vectors.example/terms#since", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}],
  "id": "urn:uuid:00000000-0000-4000-8000-000000000001",
  "type": ["VerifiableCredential"],
  "issuer": "https://issuer.example/#me",
  "validFrom": "2026-07-01T00:00:00Z",
  "validUntil": "2026-09-01T00:00:00Z",
  "credentialSubject": {"id": "https://agent.example/#it", "role": "printer", "since": 2020}
}
`

// proofKey is the key with a seed of bytes of the value n.
func proofKey(t testing.TB, kind vc.KeyType, n byte) *vc.PrivateKey {
	t.Helper()
	if kind == vc.Ed25519 {
		k, err := vc.GenerateKey(kind, bytes.NewReader(bytes.Repeat([]byte{n}, 32)))
		require.NoError(t, err)
		return k
	}
	curve := map[vc.KeyType]cardKey{vc.P256: ecKeyOf(t, 32, n), vc.P384: ecKeyOf(t, 48, n)}[kind]
	k, err := vc.ParsePrivateKey([]byte(rawJSON(t, curve.secret(nil))))
	require.NoError(t, err)
	return k
}

type proofSuite struct {
	t testing.TB
	s *ownSuite
}

// sign adds a proof of the W3C profile.
func (m proofSuite) sign(document string, k *vc.PrivateKey, method string, change func(o *vc.SignOptions)) string {
	m.t.Helper()
	o := vc.SignOptions{
		Method: method, Created: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), Contexts: jsonld.Builtin(),
		InsecureAnySigner: true, // verifiers must refuse those of others
	}
	if change != nil {
		change(&o)
	}
	signed, err := vc.Sign(context.Background(), []byte(document), k, o)
	require.NoError(m.t, err)
	// The document stays as it is written, with the proofs that it has now.
	proof := string(signed[bytes.LastIndex(signed, []byte(`,"proof":`))+len(`,"proof":`) : len(signed)-1])
	if at := strings.LastIndex(document, ",\n  \"proof\": "); at >= 0 && !strings.Contains(document, "verifiableCredential") {
		document = document[:at] + "\n}\n"
	}
	return withMember(document, `"proof": `+proof)
}

// jcs adds a proof of eddsa-jcs-2022 with options as they are given, made of the standard
// library's canonical form.
func (m proofSuite) jcs(document string, options object, k cardKey) string {
	m.t.Helper()
	o := object{"type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "verificationMethod": keyAssert, "proofPurpose": "assertionMethod", "created": "2026-07-01T00:00:00Z"}
	for name, v := range options {
		o[name] = v
		if v == nil {
			delete(o, name)
		}
	}
	signed := document
	if context, ok := o["@context"]; ok { // the document is hashed with the contexts of the proof
		var d map[string]any
		require.NoError(m.t, json.Unmarshal([]byte(document), &d))
		d["@context"] = context
		signed = rawJSON(m.t, d)
	}
	return withMember(document, `"proof": `+m.jcsProof(canonicalOf(m.t, signed), o, k))
}

// jcsProof is a proof of eddsa-jcs-2022 over a canonical form, with all of its options.
func (m proofSuite) jcsProof(canonical string, o object, k cardKey) string {
	m.t.Helper()
	options, document := sha256.Sum256([]byte(rawJSON(m.t, o))), sha256.Sum256([]byte(canonical))
	signed := maps.Clone(o)
	signed["proofValue"] = "z" + base58.Encode(k.sign(append(options[:], document[:]...)))
	return rawJSON(m.t, signed)
}

// proofVectors are those of the proofs of the W3C profile.
func proofVectors(t testing.TB) ownSuite {
	t.Helper()
	s := ownSuite{
		name: "proofs", spec: proofSpec, shared: map[string]string{},
		description: "Data Integrity proofs of credentials and presentations as W3C defines them: the four cryptosuites, proof options, sets and chains of proofs, purposes, controller documents, contexts, JSON-LD that is refused. The keys are test keys: the seed of an Ed25519 key, or the private number of an elliptic curve, is of bytes of one value.",
	}
	method := func(id string, k *vc.PrivateKey, more string) string {
		owner := proofIssuer
		if id == keyOther {
			owner = proofOther
		}
		return fmt.Sprintf(`{"id": %q, "type": "Multikey", "controller": %q, "publicKeyMultibase": %q%s}`, id, owner, k.Public().Multikey(), more)
	}
	ed := func(n byte) *vc.PrivateKey { return proofKey(t, vc.Ed25519, n) }
	s.shared["keyring/forms.json"] = formsDocument(t)
	s.shared["keyring/issuer.json"] = `{
  "@context": ["https://www.w3.org/ns/cid/v1"],
  "id": "` + proofIssuer + `",
  "assertionMethod": ["` + strings.Join([]string{keyAssert, keyP256, keyP384, keyRevoked, keyRevoking, keyExpired, keyExpiring, keyRenamed, keyAgain, keyLater}, `", "`) + `"],
  "authentication": ["` + keyLogin + `"],
  "verificationMethod": [
    ` + strings.Join([]string{
		method(keyAssert, ed(1), ""), method(keyLogin, ed(2), ""), method(keyP256, proofKey(t, vc.P256, 1), ""), method(keyP384, proofKey(t, vc.P384, 1), ""),
		method(keyRevoked, ed(3), `, "revoked": "2026-08-01T00:00:00Z"`), method(keyRevoking, ed(4), `, "revoked": "2026-08-01T00:00:01Z"`),
		method(keyExpired, ed(5), `, "expires": "2026-07-31T23:59:59Z"`), method(keyExpiring, ed(6), `, "expires": "2026-08-01T00:00:00Z"`),
		method(keyRenamed, ed(3), ""), method(keyAgain, ed(5), `, "expires": "2027-07-31T23:59:59Z"`), method(keyLater, ed(4), ""),
	}, ",\n    ") + `
  ]
}
`
	s.shared["keyring/other.json"] = `{
  "@context": ["https://www.w3.org/ns/cid/v1"],
  "id": "` + proofOther + `",
  "assertionMethod": ["` + keyOther + `"],
  "authentication": ["` + keyOther + `"],
  "verificationMethod": [
    ` + method(keyOther, ed(9), "") + `
  ]
}
`
	m := proofSuite{t, &s}
	m.suites()
	m.options()
	m.canonical()
	m.repeated()
	m.sets()
	m.previous()
	m.control()
	m.authority()
	m.presentations()
	return s
}

// add adds a case of verify-credential.
func (m proofSuite) add(name, base, title, clause, credential string, in object, codes ...string) {
	m.t.Helper()
	all := object{"credential": "credential.json", "now": cardNow}
	for name, v := range in {
		all[name] = v
	}
	m.s.cases = append(m.s.cases, ownCase{
		name: name, base: base, operation: "verify-credential", title: title, clause: clause, input: all,
		expected: object{"verified": len(codes) == 0, "codes": append([]string{}, codes...)}, files: map[string]string{"credential.json": credential},
	})
}

const (
	badSignature = "INVALID_SIGNATURE"
	malformed    = "MALFORMED"
)

// suites is sections 2.3, 2.6 and 2.7.
func (m proofSuite) suites() {
	ed, p256, p384 := proofKey(m.t, vc.Ed25519, 1), proofKey(m.t, vc.P256, 1), proofKey(m.t, vc.P384, 1)
	suite := func(s vc.Cryptosuite) func(*vc.SignOptions) { return func(o *vc.SignOptions) { o.Suite = s } }
	good := map[string]string{
		"eddsa-rdfc": m.sign(credentialText, ed, keyAssert, nil), "eddsa-jcs": m.jcs(credentialText, nil, edKey(1)),
		"ecdsa-rdfc-p256": m.sign(credentialText, p256, keyP256, nil), "ecdsa-rdfc-p384": m.sign(credentialText, p384, keyP384, nil),
		"ecdsa-jcs-p256": m.sign(credentialText, p256, keyP256, suite(vc.ECDSAJCS2019)), "ecdsa-jcs-p384": m.sign(credentialText, p384, keyP384, suite(vc.ECDSAJCS2019)),
	}
	names := []string{"eddsa-rdfc", "eddsa-jcs", "ecdsa-rdfc-p256", "ecdsa-rdfc-p384", "ecdsa-jcs-p256", "ecdsa-jcs-p384"}
	titles := map[string]string{
		"eddsa-rdfc": "eddsa-rdfc-2022", "eddsa-jcs": "eddsa-jcs-2022", "ecdsa-rdfc-p256": "ecdsa-rdfc-2019 on P-256", "ecdsa-rdfc-p384": "ecdsa-rdfc-2019 on P-384",
		"ecdsa-jcs-p256": "ecdsa-jcs-2019 on P-256", "ecdsa-jcs-p384": "ecdsa-jcs-2019 on P-384",
	}
	for _, name := range names {
		text := good[name]
		m.add(name, "", "a proof by "+titles[name], "2.3, 2.6, 2.7", text, nil)
		change := func(what, title, clause string, changed string, codes ...string) {
			m.t.Helper()
			m.add(name+"-"+what, name, titles[name]+": "+title, clause, changed, nil, codes...)
		}
		edit := func(what, title, clause, from, to string, codes ...string) {
			m.t.Helper()
			change(what, title, clause, replaceOnce(from, to)(text), codes...)
		}
		edit("claim", "another claim", "2.3", `"printer"`, `"binder"`, badSignature)
		edit("number", "another number", "2.3", `2020`, `2021`, badSignature)
		edit("subject", "another subject", "2.3", `https://agent.example/#it`, `https://agent.example/#me`, badSignature)
		edit("id", "another id", "2.3", `000000000001"`, `000000000002"`, badSignature)
		edit("until", "a longer validity", "2.3", `2026-09-01T00:00:00Z`, `2027-09-01T00:00:00Z`, badSignature)
		edit("claim-less", "a claim less", "2.3", `"role": "printer", `, ``, badSignature)
		edit("claim-more", "a claim more", "2.3", `"role": "printer", `, `"role": ["printer", "binder"], `, badSignature)
		edit("created", "another time of the proof", "2.3", `"created":"2026-07-01T00:00:00Z"`, `"created":"2026-07-02T00:00:00Z"`, badSignature)
		edit("no-created", "no time of the proof", "2.3", `"created":"2026-07-01T00:00:00Z",`, ``, badSignature)
		edit("domain", "a domain more in the proof", "2.3", `"proofPurpose":`, `"domain":"https://verifier.example/","proofPurpose":`, badSignature)
		edit("challenge", "a challenge more in the proof", "2.3", `"proofPurpose":`, `"challenge":"c-1","proofPurpose":`, badSignature)
		edit("nonce", "a nonce more in the proof", "2.3", `"proofPurpose":`, `"nonce":"n","proofPurpose":`, badSignature)
		edit("proof-id", "an id more in the proof", "2.3", `"proofPurpose":`, `"id":"urn:uuid:00000000-0000-4000-8000-000000000009","proofPurpose":`, badSignature)
		edit("purpose", "another purpose", "2.4", `"proofPurpose":"assertionMethod"`, `"proofPurpose":"authentication"`, "PROOF_PURPOSE_MISMATCH", badSignature)
		value := text[strings.Index(text, `"proofValue":"z`)+len(`"proofValue":"z`):]
		value = value[:strings.Index(value, `"`)]
		raw, err := base58.Decode(value)
		require.NoError(m.t, err)
		with := func(changed string) string { return replaceOnce(`"z`+value+`"`, changed)(text) }
		flipped := bytes.Clone(raw)
		flipped[len(flipped)/2] ^= 1
		change("forged", "a bit of the signature changed", "2.3", with(`"z`+base58.Encode(flipped)+`"`), badSignature)
		change("short", "a signature that is a byte short", "2.3", with(`"z`+base58.Encode(raw[:len(raw)-1])+`"`), badSignature)
		change("long", "a signature that is a byte long", "2.3", with(`"z`+base58.Encode(append(bytes.Clone(raw), 0))+`"`), badSignature)
		change("multibase", "a signature in another base", "2.3", with(`"u`+b64(raw)+`"`), badSignature)
		change("bare", "a signature without its prefix", "2.3", with(`"`+value+`"`), badSignature)
		change("zero", "a signature of zeros", "2.3, 2.6", with(`"z`+base58.Encode(make([]byte, len(raw)))+`"`), badSignature)
		if strings.HasPrefix(name, "ecdsa") {
			half := len(raw) / 2
			n := map[int]string{32: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 48: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"}[half]
			order, ok := new(big.Int).SetString(n, 16)
			require.True(m.t, ok)
			r, s := new(big.Int).SetBytes(raw[:half]), new(big.Int).SetBytes(raw[half:])
			change("malleable", "n-s for s, which verifies as well", "2.6", with(`"z`+base58.Encode(rawECDSA(r, new(big.Int).Sub(order, s), half))+`"`))
			change("s-order", "s is the order of the curve", "2.6", with(`"z`+base58.Encode(rawECDSA(r, order, half))+`"`), badSignature)
			change("r-zero", "r is 0", "2.6", with(`"z`+base58.Encode(rawECDSA(new(big.Int), s, half))+`"`), badSignature)
			change("der", "the signature in DER", "2.6", with(`"z`+base58.Encode(der(m.t, r, s))+`"`), badSignature)
		} else {
			change("malleable", "S with the order of the group added, which is no number of a signature", "2.3", with(`"z`+base58.Encode(plusOrder(raw))+`"`), badSignature)
		}
		jcs := strings.Contains(name, "jcs")
		// What one form covers and the other does not.
		respelt := []string{}
		if jcs {
			respelt = []string{badSignature}
		}
		edit("types-set", "a type alone for a list of one", "2.7", `"type": ["VerifiableCredential"]`, `"type": "VerifiableCredential"`, respelt...)
		edit("number-respelt", "a number in another spelling", "2.7", `2020`, `2.02e3`)
		edit("escaped", "a letter as an escape", "2.7", `"printer"`, `"\u0070rinter"`)
		change("reordered", "members in another order", "2.7", replaceOnce(`"role": "printer", "since": 2020`, `"since": 2020, "role": "printer"`)(text))
		edit("suite-unknown", "a cryptosuite that nobody knows", "AZ-2.4", text[strings.Index(text, `"cryptosuite":"`):strings.Index(text, `"cryptosuite":"`)+len(`"cryptosuite":"eddsa-`)], `"cryptosuite":"XXXXX-`, "UNKNOWN_CRYPTOSUITE")
		from, to := "-rdfc-", "-jcs-"
		if jcs {
			from, to = to, from
		}
		edit("suite-other-form", "the cryptosuite of the other form", "AZ-2.4", from, to, badSignature)
		other := strings.NewReplacer("eddsa-rdfc-2022", "ecdsa-rdfc-2019", "eddsa-jcs-2022", "ecdsa-jcs-2019", "ecdsa-rdfc-2019", "eddsa-rdfc-2022", "ecdsa-jcs-2019", "eddsa-jcs-2022").Replace(text)
		change("suite-other-key", "a cryptosuite that the key is not for", "AZ-2.5", other, badSignature)
		edit("type", "another type of proof", "2.4", `"DataIntegrityProof"`, `"Ed25519Signature2020"`, badSignature)
	}
	m.add("suite-allowed", "", "a cryptosuite that is allowed by name", "AZ-2.4", good["eddsa-rdfc"], object{"cryptosuites": []string{"eddsa-rdfc-2022"}})
	m.add("suite-not-allowed", "suite-allowed", "another cryptosuite is allowed alone", "AZ-2.4", good["eddsa-rdfc"], object{"cryptosuites": []string{"ecdsa-rdfc-2019"}}, "UNKNOWN_CRYPTOSUITE")

	// The contexts of the document and of the proof.
	rdfc, plain := good["eddsa-rdfc"], good["eddsa-jcs"]
	const inline = `, {"role": "https://vectors.example/terms#role", "since": {"@id": "https://vectors.example/terms#since", "@type": "http://www.w3.org/2001/XMLSchema#integer"}}`
	context := func(name, title, from, to string, codes, jcsCodes []string) {
		m.t.Helper()
		m.add("context-"+name, "eddsa-rdfc", title, "2.9", replaceOnce(from, to)(rdfc), nil, codes...)
		m.add("context-"+name+"-jcs", "eddsa-jcs", title+", of a JCS proof", "2.7", replaceOnce(from, to)(plain), nil, jcsCodes...)
	}
	bad := []string{badSignature}
	context("other", "a term that means something else", "terms#role", "terms#roll", bad, bad)
	context("unpinned", "a context that nobody has", `credentials/v2", {`, `credentials/v2", "https://unknown.example/v1", {`, []string{malformed}, []string{badSignature})
	context("first", "the first context is another", `["https://www.w3.org/ns/credentials/v2", {`, `["https://w3id.org/security/data-integrity/v2", "https://www.w3.org/ns/credentials/v2", {`, []string{malformed}, []string{malformed})
	context("more", "a context more that changes nothing", `credentials/v2", {`, `credentials/v2", "https://w3id.org/security/data-integrity/v2", {`, nil, bad)
	context("dropped", "a term that no context defines", inline, "", []string{malformed}, bad)
	context("relative", "an id that is relative", `"https://agent.example/#it"`, `"it"`, []string{malformed}, bad)
	context("protected", "a protected term that is defined anew", `{"role": "https`, `{"VerifiableCredential": "https://vectors.example/terms#x", "role": "https`, []string{malformed}, bad)

	full := []any{"https://www.w3.org/ns/credentials/v2", jsonOf(m.t, inline[2:])}
	first := []any{"https://www.w3.org/ns/credentials/v2"}
	m.add("jcs-context", "", "a JCS proof with the contexts of the document", "2.7", m.jcs(credentialText, object{"@context": full}, edKey(1)), nil)
	m.add("jcs-context-first", "", "a JCS proof with the contexts that the document begins with", "2.7", m.jcs(credentialText, object{"@context": first}, edKey(1)), nil)
	m.add("jcs-context-other", "jcs-context", "a JCS proof whose contexts the document does not begin with", "2.7", m.jcs(credentialText, object{"@context": []any{jsonOf(m.t, inline[2:])}}, edKey(1)), nil, badSignature)
	m.add("jcs-context-changed", "jcs-context", "a JCS proof, and another context in the document", "2.7", strings.Replace(m.jcs(credentialText, object{"@context": full}, edKey(1)), "terms#role", "terms#roll", 1), nil, badSignature)
}

// plusOrder adds the order of the group of Ed25519 to the S of a signature.
func plusOrder(signature []byte) []byte {
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	out := bytes.Clone(signature)
	slices.Reverse(out[32:])
	new(big.Int).Add(order, new(big.Int).SetBytes(out[32:])).FillBytes(out[32:])
	slices.Reverse(out[32:])
	return out
}

func jsonOf(t testing.TB, text string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}

// options is section 2.4: the order of the checks, times, and the shape of a credential.
func (m proofSuite) options() {
	ed := proofKey(m.t, vc.Ed25519, 1)
	good := m.sign(credentialText, ed, keyAssert, nil)
	const base = "eddsa-rdfc"
	times := func(name, title, now string, codes ...string) {
		m.add("at-"+name, base, title, "2.4", good, object{"now": now}, codes...)
	}
	times("from", "at the begin of the validity", "2026-07-01T00:00:00Z")
	times("before", "a second before the begin, and the proof was made later than the clock and its leeway", "2026-06-30T23:59:59Z", "NOT_YET_VALID")
	times("until", "at the end of the validity", "2026-09-01T00:00:00Z")
	times("after", "a second after the end", "2026-09-01T00:00:01Z", "EXPIRED")
	m.add("issuer-trusted", "", "an issuer that is trusted", "2.4", good, object{"issuers": []string{proofIssuer}})
	m.add("issuer-not-trusted", "issuer-trusted", "another issuer is trusted alone", "2.4", good, object{"issuers": []string{proofOther}}, "UNTRUSTED_ISSUER")
	shape := func(name, title, from, to string, codes ...string) {
		m.t.Helper()
		m.add("shape-"+name, base, title, "2.4, 1.10", replaceOnce(from, to)(good), nil, codes...)
	}
	shape("duplicate", "a name twice", `"role": "printer"`, `"role": "printer", "role": "printer"`, malformed)
	shape("duplicate-proof", "a name twice in the proof", `"proofPurpose":`, `"proofPurpose":"assertionMethod","proofPurpose":`, malformed)
	shape("issuer-relative", "an issuer that is relative", `"issuer": "https://issuer.example/#me"`, `"issuer": "me"`, malformed)
	shape("no-issuer", "no issuer", `
  "issuer": "https://issuer.example/#me",`, ``, malformed)
	shape("no-type", "no type of a credential", `["VerifiableCredential"]`, `["AchievementCredential"]`, malformed)
	shape("no-subject", "no subject", `{"id": "https://agent.example/#it", "role": "printer", "since": 2020}`, `[]`, malformed)
	shape("time", "a validity that is no time", `"2026-09-01T00:00:00Z"`, `"September"`, malformed)
	shape("time-no-zone", "a time without an offset", `"2026-09-01T00:00:00Z"`, `"2026-09-01T00:00:00"`, malformed)
	shape("times-reversed", "an end before the begin", `"2026-09-01T00:00:00Z"`, `"2026-06-01T00:00:00Z"`, malformed)
	shape("token-end", "an end as a web token has it", `"credentialSubject"`, `"exp": 1600000000, "credentialSubject"`, malformed)
	shape("other-end", "an end as schema.org has it", `"credentialSubject"`, `"https://schema.org/expires": "2027-09-01", "credentialSubject"`, malformed)
	end := strings.Index(good, `"proof"`)
	without := strings.TrimRight(good[:end], ", \n") + "\n}\n"
	m.add("proof-none", base, "no proof", "2.4", without, nil, "NO_PROOF")
	m.add("proof-empty", base, "an empty list of proofs", "2.4", withMember(without, `"proof": []`), nil, "NO_PROOF")
	for _, row := range []struct{ name, title, member string }{{"type", "a proof without a type", `"type":"DataIntegrityProof",`}, {"suite", "a proof without a cryptosuite", `"cryptosuite":"eddsa-rdfc-2022",`}, {"purpose", "a proof without a purpose", `"proofPurpose":"assertionMethod",`}, {"method", "a proof without a method", `"verificationMethod":"` + keyAssert + `",`}} {
		shape("proof-no-"+row.name, row.title, row.member, ``, badSignature)
	}
	shape("created-no-time", "a proof that was made at no time", `"created":"2026-07-01T00:00:00Z"`, `"created":"July"`, badSignature)
	signed := func(change func(o *vc.SignOptions)) string { return m.sign(credentialText, ed, keyAssert, change) }
	day := func(y, mo, d, h, mi, s int) time.Time { return time.Date(y, time.Month(mo), d, h, mi, s, 0, time.UTC) }
	m.add("created-ahead", base, "a proof that was made five minutes ahead", "2.4 step 12", signed(func(o *vc.SignOptions) { o.Created = day(2026, 8, 1, 0, 5, 0) }), nil)
	m.add("created-future", base, "a proof that was made five minutes and a second ahead", "2.4 step 12", signed(func(o *vc.SignOptions) { o.Created = day(2026, 8, 1, 0, 5, 1) }), nil, badSignature)
	m.add("expires", base, "a proof that ends now", "2.4 step 12", signed(func(o *vc.SignOptions) { o.Expires = day(2026, 8, 1, 0, 0, 0) }), nil)
	m.add("expires-iri", "expires", "the end of the proof by its IRI, which leaves the graph and the signature as they were", "AZ-2.2", replaceOnce(`"expires":"2026-08-01T00:00:00Z"`,
		`"https://w3id.org/security#expiration":{"@type":"http://www.w3.org/2001/XMLSchema#dateTime","@value":"2026-08-01T00:00:00Z"}`)(signed(func(o *vc.SignOptions) { o.Expires = day(2026, 8, 1, 0, 0, 0) })), nil, badSignature)
	m.add("expires-other", "eddsa-jcs", "a JCS proof with a validUntil, which is no option of proofs", "2.4 step 12", m.jcs(credentialText, object{"validUntil": "2026-07-15T00:00:00Z"}, edKey(1)), nil, badSignature)
	m.add("expires-token", "eddsa-jcs", "a JCS proof with an end as a web token has it", "2.4 step 12", m.jcs(credentialText, object{"exp": 1600000000}, edKey(1)), nil, badSignature)
	m.add("shape-token-end-jcs", "eddsa-jcs", "an end as a web token has it, covered by a JCS proof", "2.4, 1.10", m.jcs(replaceOnce(`"credentialSubject"`, `"exp": 1600000000, "credentialSubject"`)(credentialText), nil, edKey(1)), nil, malformed)
	m.add("shape-revoked-jcs", "shape-not-revoked-jcs", "a credential that says it is revoked, by a name that no context defines, covered by a JCS proof", "2.4, 1.10", m.jcs(replaceOnce(`"credentialSubject"`, `"revoked": true, "credentialSubject"`)(credentialText), nil, edKey(1)), nil, malformed)
	m.add("shape-not-revoked-jcs", "", "a credential that says it is not revoked, covered by a JCS proof", "2.4, 1.10", m.jcs(replaceOnce(`"credentialSubject"`, `"revoked": false, "credentialSubject"`)(credentialText), nil, edKey(1)), nil)
	m.add("expired", base, "a proof that ended a second ago", "2.4 step 12", signed(func(o *vc.SignOptions) { o.Expires = day(2026, 7, 31, 23, 59, 59) }), nil, "EXPIRED")
	m.add("members", base, "a proof with an id, a nonce, a domain and a challenge, signed so", "2.3", signed(func(o *vc.SignOptions) {
		o.ID, o.Nonce, o.Challenge, o.Domain = "urn:uuid:00000000-0000-4000-8000-000000000009", "n", "c-1", []string{"https://verifier.example/"}
	}), nil)
	m.add("purpose-signed", base, "a credential that is signed to authenticate", "AZ-2.6", signed(func(o *vc.SignOptions) { o.Purpose = vc.Authentication }), nil, "PROOF_PURPOSE_MISMATCH")
	expired := replaceOnce("2026-09-01", "2026-07-31")(credentialText)
	expiredForged := replaceOnce(`"printer"`, `"binder"`)(m.sign(expired, ed, keyAssert, nil))
	m.add("order-expired", base, "a validity that ended", "2.4", m.sign(expired, ed, keyAssert, nil), nil, "EXPIRED")
	m.s.cases = append(m.s.cases, ownCase{
		name: "order-expired-forged", base: base, operation: "verify-credential", title: "a validity that ended, and a claim that was changed: the validity comes first", clause: "2.4",
		input: object{"credential": "credential.json", "now": cardNow}, expected: object{"verified": false, "codes": []string{"EXPIRED", badSignature}}, files: map[string]string{"credential.json": expiredForged},
	})
}

// sets is section 2.5: sets and chains of proofs.
func (m proofSuite) sets() {
	ed, p256, other := proofKey(m.t, vc.Ed25519, 1), proofKey(m.t, vc.P256, 1), proofKey(m.t, vc.Ed25519, 9)
	one := m.sign(credentialText, ed, keyAssert, nil)
	two := m.sign(one, p256, keyP256, nil)
	m.add("set", "", "two proofs by the issuer", "AZ-2.8", two, nil)
	at := func(text string) (first, second string) {
		list := text[strings.Index(text, `"proof"`):]
		list = list[strings.Index(list, "[")+1:]
		var all []json.RawMessage
		require.NoError(m.t, json.Unmarshal([]byte("["+list[:strings.LastIndexByte(list, ']')]+"]"), &all))
		require.Len(m.t, all, 2)
		return string(all[0]), string(all[1])
	}
	first, second := at(two)
	end := strings.Index(two, `"proof"`)
	with := func(proofs ...string) string {
		return strings.TrimRight(two[:end], ", \n") + ",\n  \"proof\": [" + strings.Join(proofs, ", ") + "]\n}\n"
	}
	m.add("set-reordered", "set", "the proofs in another order", "AZ-2.8", with(second, first), nil)
	m.add("set-forged", "set", "one of the proofs is forged", "AZ-2.8", with(first, forge(second)), nil, badSignature)
	m.add("set-forged-first", "set", "the other of the proofs is forged", "AZ-2.8", with(forge(first), second), nil, badSignature)
	m.add("set-null", "set", "null beside the proofs", "AZ-2.8", with(first, second, "null"), nil, badSignature)
	m.add("set-empty", "set", "a proof of nothing beside the proofs", "AZ-2.8", with(first, second, "{}"), nil, badSignature)
	m.add("set-twice", "set", "a proof twice", "AZ-2.8", with(first, second, first), nil, malformed)
	m.add("set-unknown", "set", "a proof of a cryptosuite that nobody knows beside the proofs", "AZ-2.8", with(first, second, replaceOnce("eddsa-rdfc-2022", "eddsa-rdfc-2023")(first)), nil, "UNKNOWN_CRYPTOSUITE")
	foreign := m.sign(two, other, keyOther, nil)
	m.add("set-foreign", "set", "a proof by another party beside the proofs", "AZ-2.10", foreign, nil, "ISSUER_MISMATCH")
	m.add("set-claim", "set", "another claim", "AZ-2.8", replaceOnce(`"printer"`, `"binder"`)(two), nil, badSignature)
	m.add("set-one", "set", "one of the proofs alone", "AZ-2.8", with(first), nil)

	const root = "urn:uuid:00000000-0000-4000-8000-00000000000a"
	chained := m.sign(m.sign(credentialText, ed, keyAssert, func(o *vc.SignOptions) { o.ID = root }), p256, keyP256, func(o *vc.SignOptions) { o.PreviousProof = []string{root} })
	m.add("chain", "", "a proof that builds on another", "2.5", chained, nil)
	c1, c2 := at(chained)
	chain := func(proofs ...string) string {
		end := strings.Index(chained, `"proof"`)
		return strings.TrimRight(chained[:end], ", \n") + ",\n  \"proof\": [" + strings.Join(proofs, ", ") + "]\n}\n"
	}
	m.add("chain-reordered", "chain", "the proofs in another order", "2.5", chain(c2, c1), nil)
	m.add("chain-root-alone", "chain", "the first proof alone", "2.5", chain(c1), nil)
	m.add("chain-missing", "chain", "the proof that it builds on is missing", "2.5", chain(c2), nil, badSignature)
	m.add("chain-dangling", "chain", "a proof that builds on one that there is not", "2.5", chain(c1, replaceOnce(root, root[:len(root)-1]+"b")(c2)), nil, badSignature)
	m.add("chain-unlinked", "chain", "the proof does not say what it builds on", "2.5", chain(c1, replaceOnce(`"previousProof":"`+root+`",`, ``)(c2)), nil, badSignature)
	m.add("chain-root-forged", "chain", "the proof that it builds on is forged: the one above covers it", "2.5", chain(forge(c1), c2), nil, badSignature)
	again := m.sign(credentialText, proofKey(m.t, vc.P384, 1), keyP384, func(o *vc.SignOptions) { o.ID = root })
	var d struct{ Proof json.RawMessage }
	require.NoError(m.t, json.Unmarshal([]byte(again), &d))
	m.add("chain-root-exchanged", "chain", "another good proof of that id for the one that it builds on", "2.5", chain(string(d.Proof), c2), nil, badSignature)
	m.add("chain-itself", "chain", "a proof that builds on itself", "2.5", chain(replaceOnce(`"id":"`+root+`",`, `"id":"`+root+`","previousProof":"`+root+`",`)(c1), c2), nil, badSignature)
	m.add("chain-two-of-one-id", "chain", "two proofs of the id that it builds on", "2.5", chain(c1, string(d.Proof), c2), nil, badSignature)
}

// canonical is RFC 8785 where JCS proofs depend on it.
func (m proofSuite) canonical() {
	o := object{"type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "verificationMethod": keyAssert, "proofPurpose": "assertionMethod", "created": "2026-07-01T00:00:00Z"}
	for _, row := range []struct{ name, title, members, naive, canonical string }{
		{"order", "names that UTF-8 and UTF-16 order differently", `"\ufb33": 1, "\ud83d\ude00": 2`, "\"since\":2020,\"\ufb33\":1,\"\U0001F600\":2", "\"since\":2020,\"\U0001F600\":2,\"\ufb33\":1"},
		{"exponent", "a number with an exponent", `"n": 1E30`, `"n":1E30`, `"n":1e+30`},
		{"fraction", "a number with more digits than it needs", `"n": 1.10`, `"n":1.10`, `"n":1.1`},
		{"zero", "a zero with a sign", `"n": -0.0`, `"n":-0.0`, `"n":0`},
	} {
		text := replaceOnce(`"role": "printer"`, `"role": "printer", `+row.members)(credentialText)
		naive := canonicalOf(m.t, text)
		sign := func(canonical string) string { return withMember(text, `"proof": `+m.jcsProof(canonical, o, edKey(1))) }
		m.add("jcs-"+row.name, "", "a JCS proof over "+row.title, "2.7", sign(replaceOnce(row.naive, row.canonical)(naive)), nil)
		m.add("jcs-"+row.name+"-other", "jcs-"+row.name, "a proof over "+row.title+", which is not in its canonical form", "2.7", sign(naive), nil, badSignature)
	}
	good := m.jcs(replaceOnce(`"role": "printer"`, `"role": "printer", "n": 9007199254740992`)(credentialText), nil, edKey(1))
	m.add("jcs-integer", "", "a JCS proof over an integer of 54 bits", "2.7", good, nil)
	m.add("jcs-integer-other", "jcs-integer", "the integer after it with a fraction of zero, which has the same canonical form", "2.7", replaceOnce("9007199254740992", "9007199254740993.0")(good), nil, malformed)
}

// repeated is that a list of contexts names each once, for those who read them: at the top
// and below. An inline context may stand again, and one list may repeat another.
func (m proofSuite) repeated() {
	const v2, di = `"https://www.w3.org/ns/credentials/v2"`, `"https://w3id.org/security/data-integrity/v2"`
	ed := proofKey(m.t, vc.Ed25519, 1)
	m.add("contexts-top", "", "another context at the top", "2.9", m.sign(replaceOnce(v2+`, {`, v2+`, `+di+`, {`)(credentialText), ed, keyAssert, nil), nil)
	good := m.s.cases[len(m.s.cases)-1].files["credential.json"]
	top := func(name, title, list string) {
		m.add("contexts-top-"+name, "contexts-top", title, "2.9", replaceOnce(v2+`, `+di+`, {`, list+`, {`)(good), nil, malformed)
	}
	top("twice", "the same context twice in a row", v2+`, `+di+`, `+di)
	top("again", "the first context again", v2+`, `+di+`, `+v2)
	const subject = `"credentialSubject": {`
	below := func(list string) string {
		return m.sign(replaceOnce(subject, subject+`"@context": `+list+`, `)(credentialText), ed, keyAssert, nil)
	}
	m.add("contexts-below", "", "a context at the top and again below it", "2.9", below(`[`+v2+`]`), nil)
	good = m.s.cases[len(m.s.cases)-1].files["credential.json"]
	m.add("contexts-below-twice", "contexts-below", "the same context twice below the top", "2.9", replaceOnce(`"@context": [`+v2+`]`, `"@context": [`+v2+`, `+v2+`]`)(good), nil, malformed)
	jcs := replaceOnce(v2+`, {`, v2+`, `+di+`, `+di+`, {`)(credentialText)
	m.add("contexts-twice-jcs", "", "the same context twice, of a JCS proof, which reads none", "2.7", m.jcs(jcs, nil, edKey(1)), nil)
}

// previous is that a proof names each that it builds on once.
func (m proofSuite) previous() {
	const a, b = "urn:uuid:00000000-0000-4000-8000-00000000000a", "urn:uuid:00000000-0000-4000-8000-00000000000b"
	options := func(name string, v any) object {
		return object{"type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "verificationMethod": keyAssert, "proofPurpose": "assertionMethod", "created": "2026-07-01T00:00:00Z", name: v}
	}
	plain := canonicalOf(m.t, credentialText)
	proofs := map[string]string{}
	for _, id := range []string{a, b} {
		proofs[id] = m.jcsProof(plain, options("id", id), edKey(1))
	}
	chain := func(names ...string) string {
		var covered []string
		for _, name := range names {
			covered = append(covered, proofs[name])
		}
		last := m.jcsProof(canonicalOf(m.t, withMember(credentialText, `"proof": [`+strings.Join(covered, ",")+`]`)), options("previousProof", names), edKey(1))
		return withMember(credentialText, `"proof": [`+proofs[a]+", "+proofs[b]+", "+last+`]`)
	}
	m.add("chain-names-one", "", "a proof that builds on one of two, in a list", "2.5", chain(a), nil)
	m.add("chain-names-two", "", "a proof that builds on two", "2.5", chain(a, b), nil)
	m.add("chain-names-reversed", "", "a proof that builds on the same two in the other order", "2.5", chain(b, a), nil)
	m.add("chain-names-twice", "chain-names-two", "a proof that names one twice, and covers it twice", "2.5", chain(a, a), nil, badSignature)
	m.add("chain-names-again", "chain-names-two", "a proof that names two and the first again, and covers it twice", "2.5", chain(a, b, a), nil, badSignature)
	m.add("chain-names-covered-once", "chain-names-two", "a proof that names one twice, and covers it once", "2.5", m.once(chain(a), a), nil, badSignature)
}

// once names a previous proof a second time after the signature.
func (m proofSuite) once(credential, name string) string {
	m.t.Helper()
	return replaceOnce(`"previousProof":["`+name+`"]`, `"previousProof":["`+name+`","`+name+`"]`)(credential)
}

// control is sections 2.4 and 2.8: whose key it is, and what it may do.
func (m proofSuite) control() {
	ed := func(n byte) *vc.PrivateKey { return proofKey(m.t, vc.Ed25519, n) }
	const base = "eddsa-rdfc"
	by := func(name, title, clause string, k *vc.PrivateKey, method string, codes ...string) {
		m.t.Helper()
		m.add("key-"+name, base, title, clause, m.sign(credentialText, k, method, nil), nil, codes...)
	}
	by("login", "a key that may authenticate alone", "1.9, AZ-2.6", ed(2), keyLogin, "ISSUER_MISMATCH")
	by("of-other", "the key of another party", "AZ-2.6", ed(9), keyOther, "ISSUER_MISMATCH")
	by("unlisted", "a method that nobody lists", "AZ-2.6", ed(1), "https://issuer.example/keys#more", "ISSUER_MISMATCH")
	by("other-secret", "another key than the method has", "2.3", ed(2), keyAssert, badSignature)
	by("revoked", "a key that is revoked at this instant", "1.9", ed(3), keyRevoked, badSignature)
	by("revoking", "a key that is revoked a second later", "1.9", ed(4), keyRevoking)
	by("expired", "a key that ended a second ago", "1.9", ed(5), keyExpired, badSignature)
	by("expiring", "a key that ends now", "1.9", ed(6), keyExpiring)
	by("revoked-elsewhere", "a key that is revoked as another method", "1.9", ed(3), keyRenamed, badSignature)
	by("expired-elsewhere", "a key that ended a second ago as another method, and ends later as this one", "1.9", ed(5), keyAgain, badSignature)
	by("revoking-elsewhere", "a key that is revoked a second later as another method", "1.9", ed(4), keyLater)
	unknown := replaceOnce(`"issuer": "https://issuer.example/#me"`, `"issuer": "https://nobody.example/#me"`)(credentialText)
	m.add("issuer-unknown", base, "an issuer without a controller document", "AZ-2.6", m.sign(unknown, ed(1), keyAssert, nil), nil, "ISSUER_MISMATCH")
	spoofed := replaceOnce(`"issuer": "https://issuer.example/#me"`, `"issuer": "https://other.example/#me"`)(credentialText)
	m.add("issuer-other", base, "another issuer than the one whose key it is", "AZ-2.6", m.sign(spoofed, ed(1), keyAssert, nil), nil, "ISSUER_MISMATCH")
	neighbour := replaceOnce(`"issuer": "https://issuer.example/#me"`, `"issuer": "https://issuer.example/#you"`)(credentialText)
	m.add("issuer-neighbour", base, "another party of the same address", "AZ-2.6", m.sign(neighbour, ed(1), keyAssert, nil), nil, "ISSUER_MISMATCH")

	written := replaceOnce(proofIssuer, proofForms)(credentialText)
	for _, f := range keyForms(m.t) {
		base, codes := "key-form-both", []string(nil)
		if !f.usable {
			codes = []string{badSignature}
		} else {
			base = ""
		}
		m.add("key-form-"+f.name, base, f.title, "AZ-1.5, AZ-1.6", m.sign(written, ed(f.seed), "https://forms.example/keys#"+f.name, nil), nil, codes...)
	}

	multikey := ed(7).Public().Multikey()
	did := "did:key:" + multikey
	derived := replaceOnce(`"issuer": "https://issuer.example/#me"`, `"issuer": "`+did+`"`)(credentialText)
	m.add("did-key", "", "an issuer that is its key", "2.8", m.sign(derived, ed(7), did+"#"+multikey, nil), nil)
	m.add("did-key-fragment", "did-key", "another fragment than the key", "2.8", m.sign(derived, ed(7), did+"#key-1", nil), nil, "ISSUER_MISMATCH")
	m.add("did-key-other", "did-key", "the key of another", "2.8", m.sign(derived, ed(8), "did:key:"+ed(8).Public().Multikey()+"#"+ed(8).Public().Multikey(), nil), nil, "ISSUER_MISMATCH")
	m.add("did-key-forged", "did-key", "a signature by another key", "2.8", m.sign(derived, ed(8), did+"#"+multikey, nil), nil, badSignature)
	// S is 0, and R and the key are the neutral element: it verifies whatever was signed.
	weak := append([]byte{1}, make([]byte, 63)...)
	weakKey := "z" + base58.Encode(append([]byte{0xed, 1}, weak[:32]...))
	m.add("did-key-weak", "did-key", "a key of small order, whose signature fits every document", "2.8", withMember(replaceOnce(did, "did:key:"+weakKey)(derived),
		`"proof": {"type":"DataIntegrityProof","cryptosuite":"eddsa-rdfc-2022","created":"2026-07-01T00:00:00Z","verificationMethod":"did:key:`+weakKey+`#`+weakKey+`","proofPurpose":"assertionMethod","proofValue":"z`+base58.Encode(weak)+`"}`), nil, "ISSUER_MISMATCH")
	p := proofKey(m.t, vc.P256, 7)
	pid := "did:key:" + p.Public().Multikey()
	m.add("did-key-p256", "", "an issuer that is its key on P-256", "2.8", m.sign(replaceOnce(`"issuer": "https://issuer.example/#me"`, `"issuer": "`+pid+`"`)(credentialText), p, pid+"#"+p.Public().Multikey(), nil), nil)
}

// authority is section 2.9: what credentials that claim authority must have besides.
func (m proofSuite) authority() {
	ed := proofKey(m.t, vc.Ed25519, 1)
	text := `{
  "@context": ["https://www.w3.org/ns/credentials/v2", ` + string(jsonld.AuthorizationContext.JSON()) + `],
  "id": "urn:uuid:00000000-0000-4000-8000-000000000002",
  "type": ["VerifiableCredential", "AgentAuthorizationCredential"],
  "issuer": "https://issuer.example/#me",
  "validFrom": "2026-07-01T00:00:00Z",
  "credentialSubject": {
    "id": "https://issuer.example/#me",
    "authorizes": "https://agent.example/#it",
    "action": ["http://www.w3.org/ns/odrl/2/read"],
    "target": "https://data.example/x",
    "policy": "https://issuer.example/p.ttl#p"
  }
}
`
	good := m.sign(text, ed, keyAssert, nil)
	yes := object{"authority": true}
	m.add("authority", "", "a credential of authority", "2.9", good, yes)
	m.add("authority-jcs", "authority", "a credential of authority with a JCS proof", "AZ-2.4", m.sign(text, ed, keyAssert, func(o *vc.SignOptions) { o.Suite = vc.EdDSAJCS2022 }), yes, "UNKNOWN_CRYPTOSUITE")
	const root = "urn:uuid:00000000-0000-4000-8000-00000000000a"
	chained := m.sign(m.sign(text, ed, keyAssert, func(o *vc.SignOptions) { o.ID = root }), proofKey(m.t, vc.P256, 1), keyP256, func(o *vc.SignOptions) { o.PreviousProof = []string{root} })
	m.add("authority-chain", "authority", "a credential of authority with a chain of proofs", "2.5", chained, yes, badSignature)
	change := func(name, title, clause, from, to string) {
		m.t.Helper()
		m.add("authority-"+name, "authority", title, clause, replaceOnce(from, to)(good), yes, malformed)
	}
	change("context-text", "a context that is no list", "2.9 rule 1", `["https://www.w3.org/ns/credentials/v2", `+string(jsonld.AuthorizationContext.JSON())+`]`, `"https://www.w3.org/ns/credentials/v2"`)
	change("context-unpinned", "a context that nobody has", "2.9 rule 2", `credentials/v2", {`, `credentials/v2", "https://unknown.example/v1", {`)
	change("context-inline", "an inline context with a term more", "2.9 rule 2", `"schema":"https://schema.org/"`, `"schema":"https://schema.org/","more":"https://more.example/#"`)
	change("context-mapped", "an inline context that maps a term elsewhere", "2.9 rule 2", `solid-vc#authorizes"`, `solid-vc#other"`)
	change("context-below", "a context below the top", "2.9 rule 3", `"credentialSubject": {`, `"credentialSubject": {"@context": {"extra": "https://extra.example/#"},`)
	change("vocab", "a vocabulary by default", "2.9 rule 5", `credentials/v2", {`, `credentials/v2", {"@vocab": "https://vectors.example/#"}, {`)
	change("relative", "an action that is relative", "2.9 rule 6", `"http://www.w3.org/ns/odrl/2/read"`, `"read"`)
	change("dropped", "a term that no context defines", "2.9 rule 7", `"authorizes": `, `"foo": 1, "authorizes": `)
	change("keyword", "a keyword for a member", "2.9 rule 9", `"authorizes": `, `"@type": "AgentAuthorizationCredential", "authorizes": `)
	change("second-credential", "a second credential within", "2.9 rule 10", `"authorizes": `, `"type": "VerifiableCredential", "authorizes": `)
	change("second-issuer", "a second issuer within", "2.9 rule 10", `"authorizes": `, `"https://www.w3.org/2018/credentials#issuer": {"id": "https://other.example/#me"}, "authorizes": `)
	change("no-id", "no id", "2.9 rule 10", `
  "id": "urn:uuid:00000000-0000-4000-8000-000000000002",`, ``)
	change("two-subjects", "two subjects", "2.9 rule 10", `"credentialSubject": {`, `"credentialSubject": [{"id": "https://other.example/#me"}, {`)
	m.s.cases[len(m.s.cases)-1].files["credential.json"] = twoSubjects(good)
}

// twoSubjects gives a credential a second subject.
func twoSubjects(credential string) string {
	return replaceOnce(`"policy": "https://issuer.example/p.ttl#p"
  }`, `"policy": "https://issuer.example/p.ttl#p"
  }]`)(replaceOnce(`"credentialSubject": {`, `"credentialSubject": [{"id": "https://other.example/#me"}, {`)(credential))
}

// presentations is section 5 in the W3C profile.
func (m proofSuite) presentations() {
	ed := proofKey(m.t, vc.Ed25519, 1)
	did := func(n byte) (id, method string) {
		k := proofKey(m.t, vc.Ed25519, n).Public().Multikey()
		return "did:key:" + k, "did:key:" + k + "#" + k
	}
	holder, holderMethod := did(7)
	about := func(subject string, n int) string {
		return m.sign(strings.NewReplacer("https://agent.example/#it", subject, "000000000001", fmt.Sprintf("%012d", n)).Replace(credentialText), ed, keyAssert, nil)
	}
	const challenge, domain = "c-1", "https://verifier.example/"
	present := func(k *vc.PrivateKey, method string, change func(o *vc.SignOptions), credentials ...string) string {
		text := `{
  "@context": ["https://www.w3.org/ns/credentials/v2"],
  "id": "urn:uuid:00000000-0000-4000-8000-0000000000ff",
  "type": ["VerifiablePresentation"],
  "holder": "` + holder + `",
  "verifiableCredential": [` + strings.Join(credentials, ", ") + `]
}
`
		return m.sign(text, k, method, func(o *vc.SignOptions) {
			o.Challenge, o.Domain = challenge, []string{domain}
			if change != nil {
				change(o)
			}
		})
	}
	add := func(name, base, title, clause, presentation string, in object, codes ...string) {
		m.t.Helper()
		all := object{"presentation": "presentation.json", "now": cardNow, "challenge": challenge, "domains": []string{domain}}
		for name, v := range in {
			all[name] = v
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "presentation" + prefixed("-", name), base: base, operation: "verify-presentation", title: title, clause: clause, input: all,
			expected: object{"verified": len(codes) == 0, "codes": append([]string{}, codes...)}, files: map[string]string{"presentation.json": presentation},
		})
	}
	key := proofKey(m.t, vc.Ed25519, 7)
	one, two := about(holder, 1), about(holder, 2)
	good := present(key, holderMethod, nil, one)
	const base = "presentation"
	add("", "", "a presentation by the subject of its credential", "5", good, nil)
	add("two", "", "two credentials", "5", present(key, holderMethod, nil, one, two), nil)
	add("challenge", base, "another challenge was issued", "5", good, object{"challenge": "c-2"}, "CHALLENGE_MISMATCH")
	add("domain", base, "another receiver", "5", good, object{"domains": []string{"https://another.example/"}}, "DOMAIN_MISMATCH")
	add("domain-more", base, "a receiver of two names, of which the proof has one", "5", good, object{"domains": []string{domain, "https://another.example/"}}, "DOMAIN_MISMATCH")
	names := func(o *vc.SignOptions) { o.Domain = []string{domain, "https://another.example/"} }
	add("domain-iri", base, "a proof for two receivers, of which one is named by the property's IRI: the graph and the signature stay", "AZ-2.2", replaceOnce(`"domain":["https://verifier.example/","https://another.example/"]`,
		`"domain":"https://verifier.example/","https://w3id.org/security#domain":"https://another.example/"`)(present(key, holderMethod, names, one)), nil, badSignature)
	add("no-challenge", base, "a proof without a challenge", "5", present(key, holderMethod, func(o *vc.SignOptions) { o.Challenge = "" }, one), nil, "CHALLENGE_MISMATCH")
	add("no-domain", base, "a proof without a domain", "5", present(key, holderMethod, func(o *vc.SignOptions) { o.Domain = nil }, one), nil, "DOMAIN_MISMATCH")
	add("challenge-changed", base, "a challenge that was put in after the signature", "5", replaceOnce(`"challenge":"c-1"`, `"challenge":"c-3"`)(good), nil, "CHALLENGE_MISMATCH", badSignature)
	add("purpose", base, "a presentation that is signed to assert", "5", present(key, holderMethod, func(o *vc.SignOptions) { o.Purpose = vc.AssertionMethod }, one), nil, "PROOF_PURPOSE_MISMATCH")
	add("id", base, "another id", "5", replaceOnce("0000000000ff", "0000000000fe")(good), nil, badSignature)
	context := replaceOnce(`["https://www.w3.org/ns/credentials/v2"],
  "id"`, `["https://www.w3.org/ns/credentials/v2", {"short": "urn:uuid:"}],
  "id"`)
	add("id-context", "", "a context more, which leaves the graph and the signature as they were", "AZ-2.2", context(good), nil)
	add("id-short", "presentation-id-context", "the id in short, with the same graph", "AZ-2.2", replaceOnce(`"urn:uuid:00000000-0000-4000-8000-0000000000ff"`, `"short:00000000-0000-4000-8000-0000000000ff"`)(context(good)), nil, malformed)
	ends := func(member string) string {
		text := `{"@context": ["https://www.w3.org/ns/credentials/v2"], "id": "urn:uuid:00000000-0000-4000-8000-0000000000ff", "type": ["VerifiablePresentation"], ` + member + `"holder": "` + holder + `", "verifiableCredential": [` + one + `]}`
		return m.jcs(text, object{"proofPurpose": "authentication", "verificationMethod": holderMethod, "challenge": challenge, "domain": domain}, edKey(7))
	}
	add("jcs", "", "a presentation with a JCS proof", "5, 2.7", ends(""), nil)
	add("token-end", "presentation-jcs", "an end as a web token has it: a presentation has none", "5, 1.10", ends(`"exp": 1600000000, `), nil, malformed)
	add("claim", base, "another claim in the credential, which both signatures cover", "5", replaceOnce(`printer`, `binder`)(good), nil, badSignature)
	add("substituted", base, "another good credential for the one that was presented", "5", replaceOnce(proofOf(m.t, one), proofOf(m.t, two))(replaceOnce("000000000001", "000000000002")(good)), nil, badSignature)
	add("holder", base, "a credential about another than the holder", "5.4", present(key, holderMethod, nil, about("https://agent.example/#it", 1)), nil, "HOLDER_UNVERIFIED")
	add("holder-one-of-two", "presentation-two", "two credentials, of which one is about another", "5.4", present(key, holderMethod, nil, one, about("https://agent.example/#it", 2)), nil, "HOLDER_UNVERIFIED")
	add("holder-unbound", "", "a credential about another, for a receiver who binds the holder itself", "5.4", present(key, holderMethod, nil, about("https://agent.example/#it", 1)), object{"holder": "unbound"})
	m.last(add)
	_, otherMethod := did(8)
	add("other-key", base, "a presentation with the key of another than the holder", "5", present(proofKey(m.t, vc.Ed25519, 8), otherMethod, nil, one), nil, "ISSUER_MISMATCH")
	twice := replaceOnce(`"verifiableCredential": [`, `"verifiableCredential": [`+one+`, `)(good)
	add("duplicate", base, "one credential twice", "AZ-5.5", twice, nil, malformed)
	add("expired", base, "at an instant at which the credential ended", "5", good, object{"now": "2026-09-01T00:00:01Z"}, "EXPIRED")
	issuers := object{"issuers": []string{proofIssuer}}
	add("issuers", "", "a credential of an issuer that is trusted", "5", good, issuers)
	add("issuers-other", "presentation-issuers", "another issuer is trusted alone", "5", good, object{"issuers": []string{proofOther}}, "UNTRUSTED_ISSUER")
	add("suites", "", "a cryptosuite that is allowed by name", "AZ-2.4", good, object{"cryptosuites": []string{"eddsa-rdfc-2022"}})
	add("suites-other", "presentation-suites", "another cryptosuite is allowed alone", "AZ-2.4", good, object{"cryptosuites": []string{"ecdsa-rdfc-2019"}}, "UNKNOWN_CRYPTOSUITE")
}

// last is the rule of section 5.4 for chains: the last credential authorizes the holder.
func (m proofSuite) last(add func(name, base, title, clause, presentation string, in object, codes ...string)) {
	ids := func(n byte) (k *vc.PrivateKey, id, method string) {
		k = proofKey(m.t, vc.Ed25519, n)
		mk := k.Public().Multikey()
		return k, "did:key:" + mk, "did:key:" + mk + "#" + mk
	}
	first, firstID, firstMethod := ids(21)
	second, secondID, secondMethod := ids(22)
	holder, holderID, holderMethod := ids(23)
	authorize := func(n int, k *vc.PrivateKey, issuer, method, whom string) string {
		return m.sign(`{
  "@context": ["https://www.w3.org/ns/credentials/v2", `+string(jsonld.AuthorizationContext.JSON())+`],
  "id": "urn:uuid:`+fmt.Sprintf("00000000-0000-4000-8000-%012d", n)+`",
  "type": ["VerifiableCredential", "AgentAuthorizationCredential"],
  "issuer": "`+issuer+`",
  "validFrom": "2026-07-01T00:00:00Z",
  "credentialSubject": {"id": "`+issuer+`", "authorizes": "`+whom+`"}
}
`, k, method, nil)
	}
	present := func(whom string) string {
		text := `{
  "@context": ["https://www.w3.org/ns/credentials/v2"],
  "id": "urn:uuid:00000000-0000-4000-8000-0000000000fd",
  "type": ["VerifiablePresentation"],
  "holder": "` + holderID + `",
  "verifiableCredential": [` + authorize(31, first, firstID, firstMethod, secondID) + `, ` + authorize(32, second, secondID, secondMethod, whom) + `]
}
`
		return m.sign(text, holder, holderMethod, func(o *vc.SignOptions) { o.Challenge, o.Domain = "c-1", []string{"https://verifier.example/"} })
	}
	rule := object{"holder": "last"}
	add("last", "", "a chain of two credentials, the last of which authorizes the holder", "AZ-5.4", present(holderID), rule)
	add("last-other", "presentation-last", "a chain whose last credential authorizes another", "AZ-5.4", present(firstID), rule, "HOLDER_UNVERIFIED")
	add("last-each", "presentation-last", "the same chain, where each credential must be about the holder", "AZ-5.4", present(holderID), object{"holder": "each"}, "HOLDER_UNVERIFIED")
}

// proofOf returns the value of the proof of a credential.
func proofOf(t testing.TB, credential string) string {
	t.Helper()
	var d struct{ Proof struct{ ProofValue string } }
	require.NoError(t, json.Unmarshal([]byte(credential), &d))
	return d.Proof.ProofValue
}

// keyForm is a way in which a controller document writes a key of a seed.
type keyForm struct {
	name, title string
	seed        byte
	members     object
	usable      bool
}

// keyForms is AZ-1.5 and AZ-1.6.
func keyForms(t testing.TB) []keyForm {
	multikey := func(n byte) string { return proofKey(t, vc.Ed25519, n).Public().Multikey() }
	raw := func(n byte) []byte {
		b, err := base58.Decode(multikey(n)[1:])
		require.NoError(t, err)
		return b[2:]
	}
	coded := func(prefix ...byte) string {
		return "z" + base58.Encode(append(prefix, raw(41)...))
	}
	jwk := func(n byte, more object) object { return edKey(n).jwk(more) }
	return []keyForm{
		{"both", "a key that is written in both ways", 41, object{"publicKeyMultibase": multikey(41), "publicKeyJwk": jwk(41, nil)}, true},
		{"jwk", "a key that is written as a JWK", 41, object{"publicKeyJwk": jwk(41, nil)}, true},
		{"jwk-eddsa", "a JWK for EdDSA", 41, object{"publicKeyJwk": jwk(41, object{"alg": "EdDSA"})}, true},
		{"jwk-ed25519", "a JWK for Ed25519", 41, object{"publicKeyJwk": jwk(41, object{"alg": "Ed25519"})}, true},
		{"jwk-other", "a JWK for another algorithm", 41, object{"publicKeyJwk": jwk(41, object{"alg": "ES256"})}, false},
		{"jwk-private", "a JWK that gives the private key away", 43, object{"publicKeyJwk": edKey(43).secret(nil)}, false},
		{"jwk-private-elsewhere", "a key whose private key a JWK gives away as another method", 43, object{"publicKeyMultibase": multikey(43)}, false},
		{"jwk-ended", "a JWK with an end as a web token has it", 44, object{"publicKeyJwk": jwk(44, object{"exp": 1600000000})}, false},
		{"jwk-revoked", "a JWK that says that it is revoked", 45, object{"publicKeyJwk": jwk(45, object{"revoked": object{"revoked_at": 1600000000}})}, false},
		{"jwk-revoked-elsewhere", "a key that a JWK says is revoked as another method", 45, object{"publicKeyMultibase": multikey(45)}, false},
		{"differ", "a key that is written in two ways, which are two keys, by the first", 41, object{"publicKeyMultibase": multikey(41), "publicKeyJwk": jwk(42, nil)}, false},
		{"differ-other", "a key that is written in two ways, which are two keys, by the second", 42, object{"publicKeyMultibase": multikey(41), "publicKeyJwk": jwk(42, nil)}, false},
		{"none", "a key that is not written", 41, object{}, false},
		{"base", "a key in another base", 41, object{"publicKeyMultibase": "u" + b64(append([]byte{0xed, 1}, raw(41)...))}, false},
		{"prefix", "a key of which is said that it is on P-256", 41, object{"publicKeyMultibase": coded(0x80, 0x24)}, false},
		{"prefix-agreement", "a key of which is said that it is for X25519", 41, object{"publicKeyMultibase": coded(0xec, 1)}, false},
		{"bare", "a key without what says which", 41, object{"publicKeyMultibase": coded()}, false},
		{"short", "a key that is a byte short", 41, object{"publicKeyMultibase": "z" + base58.Encode(append([]byte{0xed, 1}, raw(41)[:31]...))}, false},
		{"long", "a key that is a byte long", 41, object{"publicKeyMultibase": "z" + base58.Encode(append(append([]byte{0xed, 1}, raw(41)...), 0))}, false},
	}
}

// formsDocument is the controller document of keyForms.
func formsDocument(t testing.TB) string {
	t.Helper()
	var ids []string
	var methods []object
	for _, f := range keyForms(t) {
		id := "https://forms.example/keys#" + f.name
		method := object{"id": id, "type": "Multikey", "controller": proofForms}
		if f.members["publicKeyMultibase"] == nil && f.members["publicKeyJwk"] != nil {
			method["type"] = "JsonWebKey"
		}
		maps.Copy(method, f.members)
		ids, methods = append(ids, id), append(methods, method)
	}
	text, err := json.MarshalIndent(object{"@context": []string{"https://www.w3.org/ns/cid/v1"}, "id": proofForms, "assertionMethod": ids, "verificationMethod": methods}, "", "  ")
	require.NoError(t, err)
	return string(text) + "\n"
}
