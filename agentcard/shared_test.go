package agentcard_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/suite"
)

// beside returns a folder that lies beside the suites, and skips t when it is not
// there.
func beside(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(suite.Dir(t, "."), "..", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not beside the suites", name)
	}
	return dir
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return data
}

// vectors are the shared vectors about cards.
type vectors struct {
	Own struct {
		JWK    json.RawMessage
		Served json.RawMessage
		Spec   string `json:"spec_canonical_utf8_hex"`
		SHA    string `json:"spec_sha256"`
		SDK    string `json:"sdk_canonical_utf8_hex"`
		Raw    string `json:"raw_canonical_utf8_hex"`
		Seed   string `json:"seed_hex"`
	} `json:"card_own"`
	S0 struct {
		JWK    json.RawMessage
		Card   json.RawMessage
		SHA    string `json:"canonical_sha256"`
		Accept map[string]struct{ Protected, Signature string }
		Reject map[string]string
	} `json:"card_public_S0"`
	TCK struct{ X, Protected, Payload, Signature string } `json:"card_public_tck"`
}

func loadVectors(t *testing.T) vectors {
	t.Helper()
	var v vectors
	require.NoError(t, json.Unmarshal(readFile(t, beside(t, "spec"), "vectors-card-terms-owg.json"), &v))
	require.NotEmpty(t, v.Own.Served)
	require.Len(t, v.S0.Accept, 4)
	return v
}

func compact(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, data))
	return b.Bytes()
}

// withEntry adds a signature to a card without any.
func withEntry(t *testing.T, card []byte, protected, signature string) []byte {
	t.Helper()
	return with(t, card, "signatures", `[{"protected":"`+protected+`","signature":"`+signature+`"}]`)
}

func TestVectorOwn(t *testing.T) {
	t.Parallel()
	v := loadVectors(t)
	card := parse(t, compact(t, v.Own.Served))
	for r, want := range map[agentcard.Reading]string{
		agentcard.Spec: v.Own.Spec, agentcard.SDK: v.Own.SDK, agentcard.Raw: v.Own.Raw,
	} {
		got, err := card.Payload(r)
		require.NoError(t, err)
		expected, err := hex.DecodeString(want)
		require.NoError(t, err)
		require.Equal(t, string(expected), string(got), r)
	}
	keys := supplied(t, `{"keys":[`+string(v.Own.JWK)+`]}`)
	r := verify(t, card, keys, agentcard.Policy{})
	require.Equal(t, agentcard.OutcomeVerified, r.Outcome, "%+v", r)
	require.Equal(t, v.Own.SHA, r.PayloadSHA256)
	require.Equal(t, "dc988c43e0eb79a69521d77e116ef08f22e60298183c7a67d0f129c8a0c8b1e8", r.PayloadSHA256)

	// Acceptance 2: without mtls the card is another one, but one that was signed as the
	// SDKs do stays valid, and the report says what is not covered.
	var tree map[string]any
	require.NoError(t, json.Unmarshal(v.Own.Served, &tree))
	delete(tree["securitySchemes"].(map[string]any), "mtls")
	altered, err := json.Marshal(tree)
	require.NoError(t, err)
	r = verify(t, parse(t, altered), keys, agentcard.Policy{})
	require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
	require.Equal(t, agentcard.CodeSigInvalid, r.Code)

	seed, err := hex.DecodeString(v.Own.Seed)
	require.NoError(t, err)
	sdk, err := hex.DecodeString(v.Own.SDK)
	require.NoError(t, err)
	private := ed25519.NewKeyFromSeed(seed)
	protected := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"EdDSA","kid":"card-1","typ":"JOSE"}`))
	sig := ed25519.Sign(private, []byte(protected+"."+base64.RawURLEncoding.EncodeToString(sdk)))
	for _, signed := range [][]byte{v.Own.Served, altered} {
		served, err := parse(t, signed).Payload(agentcard.Raw)
		require.NoError(t, err)
		c := parse(t, withEntry(t, served, protected, base64.RawURLEncoding.EncodeToString(sig)))
		r = verify(t, c, keys, agentcard.Policy{})
		require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
		require.Equal(t, []agentcard.Reading{agentcard.SDK}, r.WouldVerifyUnder)
		r = verify(t, c, keys, agentcard.Policy{Readings: []agentcard.Reading{agentcard.Spec, agentcard.SDK}})
		require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
		require.Equal(t, agentcard.SDK, r.Reading)
		require.Contains(t, r.Uncovered, "/securityRequirements")
		if bytes.Contains(served, []byte("mtlsSecurityScheme")) {
			require.Contains(t, r.Uncovered, "/securitySchemes/mtls")
		}
		verified, ok := r.Verified()
		require.True(t, ok)
		require.Equal(t, string(sdk), string(verified.Bytes()), "the covered projection is the card to use")
	}
}

func TestVectorsS0(t *testing.T) {
	t.Parallel()
	v := loadVectors(t)
	keys := supplied(t, `{"keys":[`+string(v.S0.JWK)+`]}`)
	payload, err := parse(t, v.S0.Card).Payload(agentcard.Spec)
	require.NoError(t, err)
	require.Len(t, payload, 434)
	require.Equal(t, v.S0.SHA, sha(payload))
	for id, s := range v.S0.Accept {
		card := withEntry(t, v.S0.Card, s.Protected, s.Signature)
		r := verify(t, parse(t, card), keys, agentcard.Policy{})
		require.Equal(t, agentcard.OutcomeVerified, r.Outcome, id)
		require.Equal(t, v.S0.SHA, r.PayloadSHA256, id)
		changed := bytes.Replace(card, []byte("signature checks"), []byte("signature checks."), 1)
		r = verify(t, parse(t, changed), keys, agentcard.Policy{})
		require.Equal(t, agentcard.OutcomeInvalid, r.Outcome, id)
		require.Equal(t, agentcard.CodeSigInvalid, r.Code, id)
		require.Empty(t, r.WouldVerifyUnder, id)
	}
	der := withEntry(t, v.S0.Card, v.S0.Accept["S0-001"].Protected, v.S0.Reject["DER"])
	r := verify(t, parse(t, der), keys, agentcard.Policy{})
	require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
	require.Equal(t, agentcard.CodeSigDER, r.Code)
	require.Equal(t, agentcard.CodeDiagDER, r.Entries[0].Diagnosis[0].Code)
}

// The signature of the conformance kit is over the worked example of the
// specification.
func TestVectorTCK(t *testing.T) {
	t.Parallel()
	v := loadVectors(t)
	keys := supplied(t, `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"key-1","x":"`+v.TCK.X+`"}]}`)
	card := withEntry(t, []byte(workedExample), v.TCK.Protected, v.TCK.Signature)
	c := parse(t, card)
	payload, err := c.Payload(agentcard.Spec)
	require.NoError(t, err)
	require.Equal(t, v.TCK.Payload, string(payload))
	r := verify(t, c, keys, agentcard.Policy{})
	require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
}

// cases are inputs made after reports of users, each with the expected outcome.
func TestCases(t *testing.T) {
	t.Parallel()
	dir := beside(t, "cases")
	for _, row := range []struct {
		card    string
		outcome agentcard.Outcome
		code    agentcard.Code
		would   []agentcard.Reading
	}{
		{"90-card-default-values/card.json", agentcard.OutcomeVerified, "", nil},
		{"90-card-default-values/bad-signed-naive.json", agentcard.OutcomeInvalid, agentcard.CodeSigInvalid, []agentcard.Reading{agentcard.Raw}},
		{"93-card-security-schemes-kept/card.json", agentcard.OutcomeVerified, "", nil},
		{"93-card-security-schemes-kept/bad-signed-without-schemes.json", agentcard.OutcomeInvalid, agentcard.CodeSigInvalid, nil},
		{"94-card-hostile-headers/ok.json", agentcard.OutcomeVerified, "", nil},
		{"94-card-hostile-headers/two-signatures.json", agentcard.OutcomeVerified, "", nil},
		{"94-card-hostile-headers/jku-link-local.json", agentcard.OutcomeVerified, "", nil},
		{"94-card-hostile-headers/bad-alg-in-unprotected.json", agentcard.OutcomeInvalid, agentcard.CodeSigAlgMissing, nil},
		{"94-card-hostile-headers/bad-alg-none.json", agentcard.OutcomeInvalid, agentcard.CodeSigMalformed, nil},
		{"94-card-hostile-headers/bad-array-header.json", agentcard.OutcomeInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"94-card-hostile-headers/bad-crit.json", agentcard.OutcomeInvalid, agentcard.CodeSigCrit, nil},
		{"94-card-hostile-headers/bad-hs256-with-public-key.json", agentcard.OutcomeUnverified, agentcard.CodeSigAlgForbidden, nil},
		{"94-card-hostile-headers/bad-no-kid.json", agentcard.OutcomeInvalid, agentcard.CodeSigKidMissing, nil},
		{"94-card-hostile-headers/bad-null-header.json", agentcard.OutcomeInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"94-card-hostile-headers/bad-padding.json", agentcard.OutcomeInvalid, agentcard.CodeBase64, nil},
	} {
		t.Run(row.card, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Dir(row.card)
			c := parse(t, readFile(t, dir, row.card))
			set, err := agentcard.ParseKeySet(readFile(t, dir, folder, "jwks.json"), agentcard.Limits{})
			require.NoError(t, err)
			r := verify(t, c, agentcard.Keys{Supplied: set}, agentcard.Policy{})
			require.Equal(t, row.outcome, r.Outcome, "%+v", r)
			require.Equal(t, row.code, r.Code)
			if row.would == nil {
				row.would = []agentcard.Reading{}
			}
			require.Equal(t, row.would, r.WouldVerifyUnder)
			if data, err := os.ReadFile(filepath.Join(dir, folder, "payload.json")); err == nil {
				payload, err := c.Payload(agentcard.Spec)
				require.NoError(t, err)
				require.Equal(t, strings.TrimSuffix(string(data), "\n"), string(payload))
			}
		})
	}
	_, err := agentcard.Parse(readFile(t, dir, "94-card-hostile-headers", "bad-duplicate-key.json"), agentcard.Limits{})
	require.Equal(t, agentcard.CodeJSONDuplicate, codeOf(t, err))
	fragment, err := parse(t, readFile(t, dir, "91-card-spec-worked-example", "fragment.json")).Payload(agentcard.Spec)
	require.NoError(t, err)
	require.Equal(t, "1808821b320b677eef7f25a322ef398d84e147361dba544687684369bb0856e3", sha(fragment))
}

// The presence table is the one that the requirements derive from the proto file,
// row by row.
func TestPresenceTable(t *testing.T) {
	t.Parallel()
	doc := string(readFile(t, beside(t, "spec"), "card-terms-owg.md"))
	_, doc, found := strings.Cut(doc, "## A.2 ")
	require.True(t, found)
	doc, _, found = strings.Cut(doc, "## A.3 ")
	require.True(t, found)
	row := regexp.MustCompile("(?m)^\\| (\\w+) \\| `(\\w+)`(?: \\(`(\\w+)`\\))? \\| \\d+ \\| (.+?) \\| (REQUIRED|optional|plain|oneof) ?.*\\|$")
	var want []agentcard.Field
	for _, m := range row.FindAllStringSubmatch(doc, -1) {
		f := agentcard.Field{Message: m[1], Name: m[2], ProtoName: m[3], Type: strings.Trim(m[4], "`"), Presence: m[5]}
		if f.ProtoName == "" {
			f.ProtoName = f.Name
		}
		want = append(want, f)
	}
	require.Len(t, want, strings.Count(doc, "\n| ")-1, "every row of the table was read")
	require.Equal(t, want, agentcard.Fields())
}

// script is the example run in the primary text, its card and key put together again.
func publishedCard(t *testing.T) (card, keys []byte) {
	t.Helper()
	text := string(readFile(t, beside(t, "spec"), "sources", "signed-agent-cards.txt"))
	find := func(pattern string) string {
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		require.Len(t, m, 2, pattern)
		return m[1]
	}
	payload := find(`(?s)Canonical payload:\n(\{.*?\})\n`)
	protected := find(`"protected": "([\w-]+)"`)
	signature := find(`"signature": "([\w-]+)"`)
	set := find(`JWKS to publish at the jku URL: (\{.*\})\n`)
	return withEntry(t, []byte(payload), protected, signature), []byte(set)
}

func TestPublishedCard(t *testing.T) {
	t.Parallel()
	card, keys := publishedCard(t)
	r := verify(t, parse(t, card), supplied(t, string(keys)), agentcard.Policy{})
	require.Equal(t, agentcard.OutcomeVerified, r.Outcome, "%+v", r)
	require.Equal(t, "card-key-2026-09", r.Entries[0].KeyID)
	tampered := bytes.Replace(card, []byte("https://agent.example.com/a2a/v1"), []byte("https://attacker.example/a2a/v1"), 1)
	r = verify(t, parse(t, tampered), supplied(t, string(keys)), agentcard.Policy{Explain: true})
	require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
	require.Equal(t, agentcard.CodeSigInvalid, r.Code)
}

// verifyInNode is a program for Node.js that does what the primary text describes: it reads
// a card and a JWK Set from files and prints the kid that verifies.
const verifyInNode = `
import { readFileSync } from "node:fs";
const [cardFile, keysFile] = process.argv.slice(2);
const card = JSON.parse(readFileSync(cardFile, "utf8"));
const { keys } = JSON.parse(readFileSync(keysFile, "utf8"));
const canonical = (value) => {
	if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
	if (value === null || typeof value !== "object") return JSON.stringify(value);
	return "{" + Object.keys(value).sort().map((name) => JSON.stringify(name) + ":" + canonical(value[name])).join(",") + "}";
};
const { signatures, ...content } = card;
const payload = Buffer.from(canonical(content), "utf8").toString("base64url");
const algorithms = {
	ES256: [{ name: "ECDSA", namedCurve: "P-256" }, { name: "ECDSA", hash: "SHA-256" }],
	ES384: [{ name: "ECDSA", namedCurve: "P-384" }, { name: "ECDSA", hash: "SHA-384" }],
	RS256: [{ name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, { name: "RSASSA-PKCS1-v1_5" }],
	PS256: [{ name: "RSA-PSS", hash: "SHA-256" }, { name: "RSA-PSS", saltLength: 32 }],
	EdDSA: [{ name: "Ed25519" }, { name: "Ed25519" }],
};
for (const entry of signatures) {
	const header = JSON.parse(Buffer.from(entry.protected, "base64url").toString("utf8"));
	const jwk = keys.find((key) => key.kid === header.kid);
	const [forImport, forVerify] = algorithms[header.alg];
	const key = await crypto.subtle.importKey("jwk", jwk, forImport, false, ["verify"]);
	const ok = await crypto.subtle.verify(forVerify, key, Buffer.from(entry.signature, "base64url"), Buffer.from(entry.protected + "." + payload));
	console.log(ok ? header.kid : "invalid");
}
`

// Cards signed here verify with the algorithm of the primary text in Node.js.
func TestNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node.js is installed: its cryptography is not compared")
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "verify.mjs")
	require.NoError(t, os.WriteFile(script, []byte(verifyInNode), 0o600))
	for _, alg := range []agentcard.Algorithm{agentcard.ES256, agentcard.ES384, agentcard.EdDSA, agentcard.RS256, agentcard.PS256} {
		key := keyFor(t, alg, "k-"+string(alg))
		signed, err := agentcard.Sign(parse(t, []byte(plainCard)), key, agentcard.SignOptions{Rand: rnd{}})
		require.NoError(t, err)
		set, err := key.KeySet()
		require.NoError(t, err)
		card, keys := filepath.Join(dir, string(alg)+".json"), filepath.Join(dir, string(alg)+".jwks")
		require.NoError(t, os.WriteFile(card, signed, 0o600))
		require.NoError(t, os.WriteFile(keys, set, 0o600))
		out, err := exec.CommandContext(t.Context(), node, script, card, keys).CombinedOutput()
		require.NoError(t, err, string(out))
		require.Equal(t, "k-"+string(alg), strings.TrimSpace(string(out)), alg)
	}
}
