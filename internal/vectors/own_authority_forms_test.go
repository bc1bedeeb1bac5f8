package vectors_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
)

// presentationFormVectors are section 5.1 for what a presentation must be.
func presentationFormVectors(t testing.TB, s *ownSuite) {
	t.Helper()
	i := 0
	for ; s.cases[i].name != "presentation-good"; i++ {
	}
	good := s.cases[i]
	text := good.files["presentation.vp.json"]
	add := func(name, title, clause, presentation string, codes ...string) {
		s.cases = append(s.cases, ownCase{
			name: "presentation-" + name, base: "presentation-good", operation: good.operation, title: title, clause: clause, input: good.input,
			expected: object{"verified": false, "codes": codes}, files: map[string]string{"presentation.vp.json": presentation},
		})
	}
	credentials := text[strings.Index(text, `"verifiableCredential":[`)+len(`"verifiableCredential":[`) : strings.LastIndex(text, `],"proof":`)]
	add("member", "a member that no signature covers", "5.1", replaceOnce(`"holder":`, `"evidence":"x","holder":`)(text), malformed)
	add("proof-member", "a member of the proof that no signature covers", "AZ-2.9", text[:strings.LastIndex(text, `"proofValue":`)]+`"nonce":"n",`+text[strings.LastIndex(text, `"proofValue":`):], malformed)
	add("empty", "no credentials", "5.1", replaceOnce(credentials, "")(text), malformed)
	add("null", "null beside the credential", "5.1", replaceOnce(credentials, credentials+",null")(text), malformed)
	add("text", "a text in the place of the credential", "5.1", replaceOnce(credentials, `"urn:uuid:1"`)(text), malformed)
	add("nested", "the presentation in the place of its credential", "AZ-5.5", replaceOnce(credentials, strings.TrimSpace(text))(text), malformed)
	add("type", "a type that is not one of presentations", "1.4", replaceOnce(`"holder":`, `"type":["AgentAuthorizationCredential"],"holder":`)(text), malformed)
	add("twice", "a holder that is there twice", "1.10", replaceOnce(`"holder":`, `"holder":"https://p1.example/#me","holder":`)(text), malformed)
	add("no-holder", "no holder", "5.1", replaceOnce(`"holder":"https://p1.example/#me",`, ``)(text), "HOLDER_UNVERIFIED")
	add("no-proofs", "an empty list of proofs", "5.1", text[:strings.LastIndex(text, `"proof":`)]+`"proof":[]}`, "NO_PROOF")
	forged := replaceOnce(credentials, forge(credentials))(text)
	add("credential-forged", "a credential with a signature that was changed", "5.1", forged, badSignature)
	resigned := func(purpose vc.Purpose, challenge, domain string) string {
		unsigned := text[:strings.LastIndex(text, `,"proof":`)] + "}"
		signed, err := vc.Sign(context.Background(), []byte(unsigned), ownKey(t, 1), vc.SignOptions{
			Profile: vc.ProfileSVC, Method: ownMethod(1), Created: signedAt, Purpose: purpose, Challenge: challenge, Domain: []string{domain},
		})
		require.NoError(t, err)
		return string(signed)
	}
	add("purpose", "a signature to assert", "2.4, 5.1", resigned(vc.AssertionMethod, "c-1", "https://verifier.example/"), "PROOF_PURPOSE_MISMATCH")
	add("domain", "a signature for another verifier", "5.1", resigned("", "c-1", "https://another.example/"), "DOMAIN_MISMATCH")
	add("challenge-and-domain", "a signature for another challenge and another verifier", "5.1", resigned("", "c-2", "https://another.example/"), "CHALLENGE_MISMATCH", "DOMAIN_MISMATCH")
}

// statusFormVectors are section 4 for entries and lists that are not what they must be.
func statusFormVectors(t testing.TB, s *ownSuite) {
	t.Helper()
	const unreadable = "STATUS_RETRIEVAL_ERROR"
	entry := func(more object) object {
		e := object{"type": "BitstringStatusListEntry", "statusPurpose": "revocation", "statusListIndex": "42", "statusListCredential": listURL}
		for name, v := range more {
			e[name] = v
		}
		return e
	}
	const length = 131_072 / 8
	bits := func(set ...int) []byte {
		b := make([]byte, length)
		for _, i := range set {
			b[i/8] |= 0x80 >> (i % 8)
		}
		return b
	}
	packed := func(b []byte) []byte {
		var out bytes.Buffer
		z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		require.NoError(t, err)
		_, err = z.Write(b)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return out.Bytes()
	}
	encode := func(packed []byte) string { return "u" + base64.RawURLEncoding.EncodeToString(packed) }
	list := func(purpose, encoded string, change func(string) string) string {
		text := fmt.Sprintf(`{"id":%[1]q,"type":["VerifiableCredential","https://w3id.org/jeswr/solid-vc#BitstringStatusListCredential"],"issuer":%[2]q,"validFrom":"2026-07-01T00:00:00Z",
"credentialSubject":{"id":"%[1]s#list","https://www.w3.org/ns/credentials/status#statusPurpose":%[3]q,"https://www.w3.org/ns/credentials/status#encodedList":%[4]q}}`, listURL, ownParty(0), purpose, encoded)
		if change != nil {
			text = change(text)
		}
		signed, err := vc.Sign(context.Background(), []byte(text), ownKey(t, 0), vc.SignOptions{Profile: vc.ProfileSVC, Method: ownMethod(0), Created: signedAt})
		require.NoError(t, err)
		return string(signed)
	}
	clear := list("revocation", encode(packed(bits())), nil)
	add := func(name, title string, status any, statusList string, after func(string) string, codes ...string) {
		h := ownHops(1)[0]
		h.credential["credentialStatus"], h.after = status, after
		base := ""
		if len(codes) > 0 {
			base = "status-clear"
		}
		s.cases = append(s.cases, ownCase{
			name: "status-" + name, base: base, operation: "verify-credential-status", title: title, clause: "section 4",
			input:    object{"credential": "credential.vc.json", "documents": object{listURL: object{"file": "list.vc.json", "mediaType": "application/vc"}}, "now": "2026-08-01T00:00:00Z"},
			expected: object{"verified": len(codes) == 0, "codes": append([]string{}, codes...)}, files: map[string]string{"credential.vc.json": h.sign(t), "list.vc.json": statusList},
		})
	}
	of := func(name, title string, more object) {
		add(name, title, entry(more), clear, nil, unreadable)
	}
	of("index-zero-before", "an index with a zero before it", object{"statusListIndex": "042"})
	of("index-sign", "an index with a sign", object{"statusListIndex": "+42"})
	of("index-hexadecimal", "an index in another base", object{"statusListIndex": "0x2a"})
	of("index-empty", "an index that is empty", object{"statusListIndex": ""})
	of("purpose-message", "a purpose that is neither revocation nor suspension", object{"statusPurpose": "message"})
	add("two", "two entries, both clear", []any{entry(nil), entry(object{"statusListIndex": "43"})}, clear, nil)
	add("two-one-set", "two entries, the second set", []any{entry(nil), entry(object{"statusListIndex": "43"})}, list("revocation", encode(packed(bits(43))), nil), nil, "REVOKED")
	s.cases[len(s.cases)-1].base = "status-two"
	of42 := func(name, title, encoded string) {
		add(name, title, entry(nil), list("revocation", encoded, nil), nil, unreadable)
	}
	whole := packed(bits())
	of42("gzip-cut", "a list that is cut", encode(whole[:len(whole)-4]))
	of42("gzip-more", "a list with something behind it", encode(append(bytes.Clone(whole), 0)))
	of42("gzip-two", "two lists, one behind the other", encode(append(bytes.Clone(whole), whole...)))
	sum := bytes.Clone(whole)
	sum[len(sum)-8] ^= 1
	of42("gzip-sum", "a list with another checksum", encode(sum))
	of42("list-padding", "a list with padding", encode(whole)+strings.Repeat("=", (4-len(encode(whole)[1:])%4)%4+1))
	of42("list-empty", "a list that is empty", "")
	changed := func(name, title string, change func(string) string) {
		add(name, title, entry(nil), list("revocation", encode(whole), change), nil, unreadable)
	}
	changed("list-type", "a list that is none by its type", replaceOnce("solid-vc#BitstringStatusListCredential", "solid-vc#SomeCredential"))
	changed("list-ended", "a list whose time ended", replaceOnce(`"validFrom":"2026-07-01T00:00:00Z",`, `"validFrom":"2026-07-01T00:00:00Z","validUntil":"2026-07-31T23:59:59Z",`))
	changed("list-early", "a list whose time did not begin", replaceOnce(`"validFrom":"2026-07-01T00:00:00Z",`, `"validFrom":"2026-08-01T00:00:01Z",`))
	changed("list-no-purpose", "a list without a purpose", replaceOnce(`"https://www.w3.org/ns/credentials/status#statusPurpose":"revocation",`, ``))
	changed("list-two", "two lists in one", func(s string) string {
		return replaceOnce(`#encodedList":"`+encode(whole)+`"`, `#encodedList":["`+encode(whole)+`","`+encode(packed(bits(42)))+`"]`)(s)
	})
	add("forged-credential", "a credential with a signature that was changed: its list is not asked for", entry(nil), list("revocation", encode(packed(bits(42))), nil), forge, badSignature)
	s.cases[len(s.cases)-1].base = "status-clear"
	s.cases[len(s.cases)-1].follows = []string{"list.vc.json"}
}

// digestFormVectors are section 6.3 for digests that are not spelt as they must be.
func digestFormVectors(t testing.TB, s *ownSuite) {
	t.Helper()
	i := 0
	for ; s.cases[i].name != "digest-sha256"; i++ {
	}
	good := s.cases[i]
	sum := sha256.Sum256([]byte(good.files["policy.ttl"]))
	id := policyURL + "#p"
	add := func(name, title, clause string, related any, after func(string) string, codes ...string) {
		h := ownHops(1)[0]
		h.subject()[svcTerms+"policy"], h.credential["relatedResource"], h.after = id, related, after
		c := ownCase{
			name: "digest-" + name, operation: good.operation, title: title, clause: clause, input: good.input,
			expected: object{"ok": true, "codes": []string{}, "form": "reference"}, files: map[string]string{"credential.vc.json": h.sign(t), "policy.ttl": good.files["policy.ttl"]},
		}
		if len(codes) > 0 {
			c.base, c.expected = "digest-sha256", object{"ok": false, "codes": codes}
		}
		s.cases = append(s.cases, c)
	}
	one := func(name, digest string) object { return object{"id": id, name: digest} }
	const integrity = "POLICY_INTEGRITY"
	sri := "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
	hash := append([]byte{0x12, 32}, sum[:]...)
	add("multibase-url", "digestMultibase in base64url", "6.3", one("digestMultibase", "u"+base64.RawURLEncoding.EncodeToString(hash)), nil)
	add("multibase-bare", "digestMultibase without what says the base", "6.3", one("digestMultibase", base58.Encode(hash)), nil, integrity)
	add("multibase-long", "digestMultibase with a byte more", "6.3", one("digestMultibase", "z"+base58.Encode(append(bytes.Clone(hash), 0))), nil, integrity)
	add("multibase-length", "digestMultibase that says another length", "6.3", one("digestMultibase", "z"+base58.Encode(append([]byte{0x12, 31}, sum[:]...))), nil, integrity)
	add("unpadded", "digestSRI without padding", "6.3", one("digestSRI", strings.TrimRight(sri, "=")), nil, integrity)
	add("url", "digestSRI in another alphabet", "6.3", one("digestSRI", "sha256-"+base64.URLEncoding.EncodeToString(sum[:])), nil, integrity)
	add("spaced", "digestSRI with a space", "6.3", one("digestSRI", " "+sri), nil, integrity)
	add("two", "digestSRI with two digests", "6.3", one("digestSRI", sri+" "+sri), nil, integrity)
	add("option", "digestSRI with an option", "6.3", one("digestSRI", sri+"?x"), nil, integrity)
	add("md5", "digestSRI with MD5", "6.3", one("digestSRI", "md5-XUFAKrxLKna5cZ2REBfFkg=="), nil, integrity)
	add("twice", "the policy twice among the resources", "1.10", one("digestSRI", sri), func(s string) string {
		entry := `{"digestSRI":"` + sri + `","id":"` + id + `"}`
		return replaceOnce(`"relatedResource":`+entry, `"relatedResource":[`+entry+","+entry+`]`)(s)
	}, malformed)
	add("no-id", "a resource without an id", "1.10", one("digestSRI", sri), replaceOnce(`"digestSRI":"`+sri+`","id":"`+id+`"`, `"digestSRI":"`+sri+`"`), malformed)
}
