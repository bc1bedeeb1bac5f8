package agentcard_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// seeded is an Ed25519 key whose private half tests use directly, to sign what
// Sign would not.
type seeded struct{ private ed25519.PrivateKey }

func seed(n byte) seeded {
	return seeded{ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(n)), ed25519.SeedSize)))}
}

func (s seeded) jwk(members string) string {
	x := base64.RawURLEncoding.EncodeToString(s.private.Public().(ed25519.PublicKey))
	return `{"kty":"OKP","crv":"Ed25519","x":"` + x + `"` + members + `}`
}

// entry makes an entry of signatures over a payload, with any header.
func (s seeded) entry(header, payload string) string {
	protected := b64(header)
	sig := ed25519.Sign(s.private, []byte(protected+"."+b64(payload)))
	return `{"protected":"` + protected + `","signature":"` + base64.RawURLEncoding.EncodeToString(sig) + `"}`
}

// small is a card that is its own payload.
const small = `{"name":"a"}`

func withSignatures(entries ...string) []byte {
	return []byte(`{"name":"a","signatures":[` + strings.Join(entries, ",") + `]}`)
}

const goodHeader = `{"alg":"EdDSA","kid":"k1","typ":"JOSE"}`

// TestEntries has every rule about an entry of signatures (sections A.5, A.6 and A.10).
func TestEntries(t *testing.T) {
	t.Parallel()
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	good := key.entry(goodHeader, small)
	header := func(h string) string { return key.entry(h, small) }
	replace := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	sig := good[strings.Index(good, `"signature":"`)+len(`"signature":"`) : len(good)-2]
	extra := func(member string) string { return good[:len(good)-1] + "," + member + "}" }
	for _, row := range []struct {
		name, entry string
		result      agentcard.Result
		code        agentcard.Code
		warnings    []agentcard.Code
	}{
		{"good", good, agentcard.ResultValid, "", nil},
		{"RFC 9864 name", header(`{"alg":"Ed25519","kid":"k1","typ":"JOSE"}`), agentcard.ResultValid, "", nil},
		{"white space in the header", header(" {\n\"typ\":\"JOSE\", \"kid\":\"\\u006b1\",\"alg\":\"EdDSA\"} "), agentcard.ResultValid, "", nil},
		{"unknown header members", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","x":[{}],"cty":1}`), agentcard.ResultValid, "", nil},

		// H-1
		{"not an object", `"x"`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"null", `null`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"no protected", `{"signature":"` + sig + `"}`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"protected a number", `{"protected":1,"signature":"` + sig + `"}`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"protected empty", `{"protected":"","signature":"` + sig + `"}`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"no signature", `{"protected":"` + b64(goodHeader) + `"}`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"signature an object", `{"protected":"` + b64(goodHeader) + `","signature":{}}`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"signature empty", `{"protected":"` + b64(goodHeader) + `","signature":""}`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"header a string", extra(`"header":"x"`), agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"header null", extra(`"header":null`), agentcard.ResultValid, "", nil},
		{"header empty", extra(`"header":{}`), agentcard.ResultValid, "", nil},
		{"header with something", extra(`"header":{"x":1,"jku":"https://attacker.example/"}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigUnsignedHeader}},

		// H-2, section 1.4
		{"protected padded", replace(b64(goodHeader), b64(goodHeader)+"="), agentcard.ResultInvalid, agentcard.CodeBase64, nil},
		{"protected in the other alphabet", `{"protected":"+/+/","signature":"` + sig + `"}`, agentcard.ResultInvalid, agentcard.CodeBase64, nil},
		{"protected with a line break", replace(b64(goodHeader), b64(goodHeader)+`\n`), agentcard.ResultInvalid, agentcard.CodeBase64, nil},
		{"protected of impossible length", `{"protected":"e","signature":"` + sig + `"}`, agentcard.ResultInvalid, agentcard.CodeBase64, nil},
		{"protected with trailing bits", `{"protected":"e31","signature":"` + sig + `"}`, agentcard.ResultInvalid, agentcard.CodeBase64, nil},
		{"header not JSON", header(`{"alg"`), agentcard.ResultInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"header an array", header(`["EdDSA"]`), agentcard.ResultInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"header the word null", header(`null`), agentcard.ResultInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"header not UTF-8", header("{\"alg\":\"\xff\"}"), agentcard.ResultInvalid, agentcard.CodeJSONUnicode, nil},
		{"header with a lone surrogate", header(`{"alg":"EdDSA","kid":"\ud800"}`), agentcard.ResultInvalid, agentcard.CodeJSONUnicode, nil},
		{"duplicate alg", header(`{"alg":"ES256","kid":"a","alg":"none"}`), agentcard.ResultInvalid, agentcard.CodeJSONDuplicate, nil},
		{"duplicate kid by escape", header(`{"alg":"EdDSA","kid":"k1","\u006bid":"k1"}`), agentcard.ResultInvalid, agentcard.CodeJSONDuplicate, nil},
		{"header too large", header(`{"alg":"EdDSA","kid":"k1","x":"` + strings.Repeat("a", 8<<10) + `"}`), agentcard.ResultInvalid, agentcard.CodeJSONTooLarge, nil},
		{"header too deep", header(`{"alg":"EdDSA","kid":"k1","x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`), agentcard.ResultInvalid, agentcard.CodeJSONTooDeep, nil},

		// H-3, H-4
		{"no alg", header(`{"kid":"k1","typ":"JOSE"}`), agentcard.ResultInvalid, agentcard.CodeSigAlgMissing, nil},
		{"alg empty", header(`{"alg":"","kid":"k1"}`), agentcard.ResultInvalid, agentcard.CodeSigAlgMissing, nil},
		{"alg a number", header(`{"alg":1,"kid":"k1"}`), agentcard.ResultInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"alg in the unprotected header", header(`{"kid":"k1","typ":"JOSE"}`)[:len(header(`{"kid":"k1","typ":"JOSE"}`))-1] + `,"header":{"alg":"EdDSA"}}`, agentcard.ResultInvalid, agentcard.CodeSigAlgMissing, nil},
		{"no kid", header(`{"alg":"EdDSA"}`), agentcard.ResultInvalid, agentcard.CodeSigKidMissing, nil},
		{"kid empty", header(`{"alg":"EdDSA","kid":""}`), agentcard.ResultInvalid, agentcard.CodeSigKidMissing, nil},
		{"kid null", header(`{"alg":"EdDSA","kid":null}`), agentcard.ResultInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"kid in other case", header(`{"alg":"EdDSA","kid":"K1","typ":"JOSE"}`), agentcard.ResultUnchecked, agentcard.CodeKeyNotFound, nil},

		// H-5
		{"no typ", header(`{"alg":"EdDSA","kid":"k1"}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigTyp}},
		{"other typ", header(`{"alg":"EdDSA","kid":"k1","typ":"JWT"}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigTyp}},
		{"typ a number", header(`{"alg":"EdDSA","kid":"k1","typ":1}`), agentcard.ResultInvalid, agentcard.CodeSigHeaderJSON, nil},

		// H-6
		{"crit", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","crit":["exp"],"exp":1}`), agentcard.ResultInvalid, agentcard.CodeSigCrit, nil},
		{"crit b64", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","crit":["b64"],"b64":false}`), agentcard.ResultInvalid, agentcard.CodeSigCrit, nil},
		{"crit empty", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","crit":[]}`), agentcard.ResultInvalid, agentcard.CodeSigCrit, nil},
		{"crit null", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","crit":null}`), agentcard.ResultInvalid, agentcard.CodeSigCrit, nil},
		{"crit of a number", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","crit":[1]}`), agentcard.ResultInvalid, agentcard.CodeSigCrit, nil},
		{"b64 without crit", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","b64":false}`), agentcard.ResultInvalid, agentcard.CodeSigCrit, nil},

		// H-8
		{"name in both headers", extra(`"header":{"kid":"k1"}`), agentcard.ResultInvalid, agentcard.CodeSigHeaderOverlap, nil},

		// H-9: keys that the card itself carries are never used.
		{"embedded key", seed(2).entry(`{"alg":"EdDSA","kid":"mine","typ":"JOSE","jwk":`+seed(2).jwk("")+`}`, small), agentcard.ResultUnchecked, agentcard.CodeKeyNotFound, []agentcard.Code{agentcard.CodeSigKeyIgnored}},
		{"embedded key under a trusted kid", seed(2).entry(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jwk":`+seed(2).jwk("")+`}`, small), agentcard.ResultInvalid, agentcard.CodeSigInvalid, []agentcard.Code{agentcard.CodeSigKeyIgnored}},
		{"embedded key beside a good signature", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jwk":` + seed(2).jwk("") + `}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigKeyIgnored}},
		{"certificate URL", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","x5u":"https://attacker.example/"}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigKeyIgnored}},

		// ... and their form is not checked.
		{"embedded key a number", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jwk":1}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigKeyIgnored}},
		{"embedded key empty", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jwk":{}}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigKeyIgnored}},
		{"embedded key symmetric", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jwk":{"kty":"oct","k":"AAAA"}}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigKeyIgnored}},
		{"certificates that are none", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","x5c":["AAAA"]}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigKeyIgnored}},
		{"members of other protocols", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","nonce":1,"iat":"x","url":1,"enc":1,"zip":"DEF","epk":{},"ALG":"none","Kid":"x"}`), agentcard.ResultValid, "", nil},
		// ... but for what says when the signature begins or ends.
		{"exp a second later", header(fmt.Sprintf(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","exp":%d}`, noon().Unix()+1)), agentcard.ResultValid, "", nil},
		{"exp now", header(fmt.Sprintf(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","exp":%d}`, noon().Unix())), agentcard.ResultInvalid, agentcard.CodeSigExpired, nil},
		{"nbf now", header(fmt.Sprintf(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","nbf":%d}`, noon().Unix())), agentcard.ResultValid, "", nil},
		{"nbf a second later", header(fmt.Sprintf(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","nbf":%d}`, noon().Unix()+1)), agentcard.ResultInvalid, agentcard.CodeSigExpired, nil},
		{"exp a text", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","exp":"2099-01-01T00:00:00Z"}`), agentcard.ResultInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"an end by another name", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","expires_at":"2099-01-01T00:00:00Z"}`), agentcard.ResultInvalid, agentcard.CodeSigExpired, nil},
		{"exp in capitals", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","EXP":4102444800}`), agentcard.ResultInvalid, agentcard.CodeSigExpired, nil},
		{"revoked", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","revoked":false}`), agentcard.ResultInvalid, agentcard.CodeSigExpired, nil},
		{"exp in the unprotected header", extra(`"header":{"exp":1}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigUnsignedHeader}},
		{"embedded payload", extra(`"payload":"` + b64(`{"name":"b"}`) + `"`), agentcard.ResultValid, "", nil},

		// H-10
		{"jku null", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jku":null}`), agentcard.ResultValid, "", []agentcard.Code{agentcard.CodeSigJKUNull}},
		{"jku a number", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jku":1}`), agentcard.ResultInvalid, agentcard.CodeSigHeaderJSON, nil},
		{"jku that is not needed", header(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jku":"http://169.254.169.254/keys"}`), agentcard.ResultValid, "", nil},
		{"jku that is needed", header(`{"alg":"EdDSA","kid":"k2","typ":"JOSE","jku":"https://attacker.example/jwks.json"}`), agentcard.ResultUnchecked, agentcard.CodeJKUForbidden, nil},

		// ALG-1, ALG-2
		{"none", header(`{"alg":"none","kid":"k1"}`), agentcard.ResultUnchecked, agentcard.CodeSigAlgForbidden, []agentcard.Code{agentcard.CodeSigTyp}},
		{"None", header(`{"alg":"None","kid":"k1","typ":"JOSE"}`), agentcard.ResultUnchecked, agentcard.CodeSigAlgForbidden, nil},
		{"none without a signature", `{"protected":"` + b64(`{"alg":"none","kid":"k1"}`) + `","signature":""}`, agentcard.ResultInvalid, agentcard.CodeSigMalformed, nil},
		{"HS256", header(`{"alg":"HS256","kid":"k1","typ":"JOSE"}`), agentcard.ResultUnchecked, agentcard.CodeSigAlgForbidden, nil},
		{"ES512", header(`{"alg":"ES512","kid":"k1","typ":"JOSE"}`), agentcard.ResultUnchecked, agentcard.CodeSigAlgForbidden, nil},
		{"eddsa", header(`{"alg":"eddsa","kid":"k1","typ":"JOSE"}`), agentcard.ResultUnchecked, agentcard.CodeSigAlgForbidden, nil},

		// ALG-3
		{"another algorithm of the list", header(`{"alg":"RS256","kid":"k1","typ":"JOSE"}`), agentcard.ResultInvalid, agentcard.CodeKeyAlgMismatch, nil},

		// ALG-4, ALG-5, section 1.4
		{"signature padded", replace(sig, sig+"=="), agentcard.ResultInvalid, agentcard.CodeBase64, nil},
		{"signature with a line break", replace(sig, sig+`\n`), agentcard.ResultInvalid, agentcard.CodeBase64, nil},
		{"signature with a space", replace(sig, " "+sig), agentcard.ResultInvalid, agentcard.CodeBase64, nil},
		{"signature short", replace(sig, sig[:80]), agentcard.ResultInvalid, agentcard.CodeSigLength, nil},
		{"signature long", replace(sig, sig+"AAAA"), agentcard.ResultInvalid, agentcard.CodeSigLength, nil},
		{"signature of zeros", replace(sig, strings.Repeat("A", 86)), agentcard.ResultInvalid, agentcard.CodeSigInvalid, nil},
		{"over another payload", key.entry(goodHeader, `{"name":"b"}`), agentcard.ResultInvalid, agentcard.CodeSigInvalid, nil},
		{"by another key", seed(2).entry(goodHeader, small), agentcard.ResultInvalid, agentcard.CodeSigInvalid, nil},
		{"over the header alone", seed(1).entry(goodHeader, ""), agentcard.ResultInvalid, agentcard.CodeSigInvalid, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, parse(t, withSignatures(row.entry)), keys, agentcard.Policy{Explain: true})
			require.Len(t, r.Entries, 1)
			e := r.Entries[0]
			require.Equal(t, row.code, e.Code, "%+v", e)
			require.Equal(t, row.result, e.Result)
			var warnings []agentcard.Code
			for _, w := range e.Warnings {
				require.NotEmpty(t, w.Text)
				warnings = append(warnings, w.Code)
			}
			if row.result != agentcard.ResultInvalid || row.warnings != nil {
				require.Equal(t, row.warnings, warnings)
			}
			want := map[agentcard.Result]agentcard.Outcome{
				agentcard.ResultValid:     agentcard.OutcomeVerified,
				agentcard.ResultInvalid:   agentcard.OutcomeInvalid,
				agentcard.ResultUnchecked: agentcard.OutcomeUnverified,
			}
			require.Equal(t, want[row.result], r.Outcome)
			require.Equal(t, row.code, r.Code)

			// One good signature is enough, at any place of the list.
			for _, entries := range [][]string{{row.entry, good}, {good, row.entry}} {
				r := verify(t, parse(t, withSignatures(entries...)), keys, agentcard.Policy{})
				require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
				require.Len(t, r.Entries, 2)
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	good := key.entry(goodHeader, small)
	many := strings.Repeat(good+",", 16) + good
	for _, row := range []struct {
		name, card string
		outcome    agentcard.Outcome
		code       agentcard.Code
	}{
		{"no signatures", small, agentcard.OutcomeUnsigned, agentcard.CodeCardUnsigned},
		{"signatures empty", `{"signatures":[]}`, agentcard.OutcomeUnsigned, agentcard.CodeCardUnsigned},
		{"signatures null", `{"signatures":null}`, agentcard.OutcomeUnsigned, agentcard.CodeCardUnsigned},
		{"signatures an object", `{"signatures":{}}`, agentcard.OutcomeInvalid, agentcard.CodeSigMalformed},
		{"signatures in other case", `{"name":"a","Signatures":[` + good + `]}`, agentcard.OutcomeUnsigned, agentcard.CodeCardUnsigned},
		{"too many", `{"name":"a","signatures":[` + many + `]}`, agentcard.OutcomeInvalid, agentcard.CodeLimit},
		{"as many as may be", `{"name":"a","signatures":[` + many[:len(many)-len(good)-1] + `]}`, agentcard.OutcomeVerified, ""},
		{"0.3", `{"name":"a","url":"https://a.example","protocolVersion":"0.3.0","signatures":[` + good + `]}`, agentcard.OutcomeUnsupported, agentcard.CodeCardV03},
		{"0.3 and unsigned", `{"url":"https://a.example","protocolVersion":"0.2.5"}`, agentcard.OutcomeUnsigned, agentcard.CodeCardUnsigned},
		{"0.3 with signatures of no form", `{"url":"https://a.example","protocolVersion":"0.2.5","signatures":1}`, agentcard.OutcomeInvalid, agentcard.CodeSigMalformed},
		{"1.0 with members of 0.3", `{"name":"a","url":"https://a.example","protocolVersion":"0.3.0","supportedInterfaces":[],"signatures":[` + good + `]}`, agentcard.OutcomeInvalid, agentcard.CodeSigInvalid},
		{"no payload", `{"name":"a","icon_url":"x","signatures":[` + good + `]}`, agentcard.OutcomeInvalid, agentcard.CodeCardProtoName},
		{"no payload, type", `{"name":1,"signatures":[` + good + `]}`, agentcard.OutcomeInvalid, agentcard.CodeCardType},
		{"good", `{"name":"a","signatures":[` + good + `]}`, agentcard.OutcomeVerified, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, parse(t, []byte(row.card)), keys, agentcard.Policy{})
			require.Equal(t, row.outcome, r.Outcome, "%+v", r)
			require.Equal(t, row.code, r.Code)
		})
	}
}

func TestZeroValuesRefuse(t *testing.T) {
	t.Parallel()
	var r agentcard.Report
	_, ok := r.Verified()
	require.False(t, ok)
	require.NotEqual(t, agentcard.OutcomeVerified, r.Outcome)
	var e agentcard.Entry
	require.NotEqual(t, agentcard.ResultValid, e.Result)
	var none *agentcard.Report
	_, ok = none.Verified()
	require.False(t, ok)
	for _, d := range []agentcard.Demand{agentcard.DemandVerified, agentcard.DemandIfSigned, agentcard.InsecureIgnoreSignatures} {
		for _, r := range []*agentcard.Report{nil, {}, {Outcome: agentcard.OutcomeVerified}, {Outcome: agentcard.OutcomeUnsigned}} {
			a, code := agentcard.Admit(r, d)
			require.Nil(t, a)
			require.NotEmpty(t, code)
		}
	}
	var v agentcard.Verified
	require.Nil(t, v.Card())
	require.Nil(t, v.Bytes())
	var a agentcard.Admitted
	require.Nil(t, a.Card())
	require.Nil(t, a.Bytes())
	require.Empty(t, a.Documents())
	for _, c := range []*agentcard.Card{nil, {}} {
		_, err := agentcard.Verify(t.Context(), c, agentcard.Keys{}, agentcard.Policy{At: noon()})
		require.Error(t, err)
		_, err = agentcard.Sign(c, keyFor(t, agentcard.EdDSA, "k"), agentcard.SignOptions{})
		require.Error(t, err)
	}
	_, err := agentcard.Sign(parse(t, []byte(plainCard)), nil, agentcard.SignOptions{})
	require.Error(t, err)

	key := keyFor(t, agentcard.EdDSA, "k")
	c := parse(t, sign(t, plainCard, key))
	forged := verify(t, c, agentcard.Keys{}, agentcard.Policy{})
	require.Equal(t, agentcard.OutcomeUnverified, forged.Outcome, "no keys prove nothing")
	require.Equal(t, agentcard.CodeKeyNotFound, forged.Code)
	forged.Outcome = agentcard.OutcomeVerified // writing yes on a no makes no verified card
	_, ok = forged.Verified()
	require.False(t, ok)
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	c := parse(t, []byte(small))
	for name, p := range map[string]agentcard.Policy{
		"no time":           {},
		"python legacy":     {At: noon(), Readings: []agentcard.Reading{agentcard.Spec, agentcard.PythonLegacy}},
		"unknown reading":   {At: noon(), Readings: []agentcard.Reading{9}},
		"none":              {At: noon(), Algorithms: []agentcard.Algorithm{"none"}},
		"HS256":             {At: noon(), Algorithms: []agentcard.Algorithm{agentcard.ES256, "HS256"}},
		"unknown algorithm": {At: noon(), Algorithms: []agentcard.Algorithm{"ES256K"}},
	} {
		_, err := agentcard.Verify(t.Context(), c, agentcard.Keys{}, p)
		require.Error(t, err, name)
	}
	key := keyFor(t, agentcard.EdDSA, "k")
	signed := parse(t, sign(t, plainCard, key))
	r := verify(t, signed, public(t, key), agentcard.Policy{Algorithms: []agentcard.Algorithm{agentcard.ES256}})
	require.Equal(t, agentcard.CodeSigAlgForbidden, r.Code, "an operator may narrow the list")
	wide := keyFor(t, agentcard.ES512, "k")
	signed = parse(t, sign(t, plainCard, wide))
	require.Equal(t, agentcard.CodeSigAlgForbidden, verify(t, signed, public(t, wide), agentcard.Policy{}).Code)
	r = verify(t, signed, public(t, wide), agentcard.Policy{Algorithms: []agentcard.Algorithm{agentcard.ES512}})
	require.Equal(t, agentcard.OutcomeVerified, r.Outcome, "and widen it")
}

func TestNumberOfSignatures(t *testing.T) {
	t.Parallel()
	a, b := seed(1), seed(2)
	keys := supplied(t, `{"keys":[`+a.jwk(`,"kid":"a"`)+`,`+b.jwk(`,"kid":"b"`)+`,`+a.jwk(`,"kid":"also-a"`)+`]}`)
	entry := func(k seeded, kid string) string {
		return k.entry(`{"alg":"EdDSA","kid":"`+kid+`","typ":"JOSE"}`, small)
	}
	bad := entry(b, "a")
	for _, row := range []struct {
		name    string
		entries []string
		demand  int
		outcome agentcard.Outcome
		code    agentcard.Code
	}{
		{"one of one", []string{entry(a, "a")}, 1, agentcard.OutcomeVerified, ""},
		{"two of two", []string{entry(a, "a"), entry(b, "b")}, 2, agentcard.OutcomeVerified, ""},
		{"two of two and a bad one", []string{entry(a, "a"), bad, entry(b, "b")}, 2, agentcard.OutcomeVerified, ""},
		{"the same twice", []string{entry(a, "a"), entry(a, "a")}, 2, agentcard.OutcomeUnverified, agentcard.CodeTooFew},
		{"one key under two names", []string{entry(a, "a"), entry(a, "also-a")}, 2, agentcard.OutcomeUnverified, agentcard.CodeTooFew},
		{"one and a bad one", []string{entry(a, "a"), bad}, 2, agentcard.OutcomeInvalid, agentcard.CodeTooFew},
		{"bad ones alone", []string{bad, bad}, 2, agentcard.OutcomeInvalid, agentcard.CodeSigInvalid},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, parse(t, withSignatures(row.entries...)), keys, agentcard.Policy{Signatures: row.demand})
			require.Equal(t, row.outcome, r.Outcome, "%+v", r)
			require.Equal(t, row.code, r.Code)
			if row.code == agentcard.CodeTooFew {
				require.Equal(t, "expected 2 valid signatures with distinct keys under one reading, found 1", r.Message)
			}
		})
	}
}

// signedUnder signs the payload of a card under a reading.
func signedUnder(t *testing.T, card string, r agentcard.Reading, k seeded) []byte {
	t.Helper()
	payload, err := parse(t, []byte(card)).Payload(r)
	require.NoError(t, err)
	return with(t, []byte(card), "signatures", "["+k.entry(goodHeader, string(payload))+"]")
}

// TestAcceptedReadings: which readings verify a card, and what the report says about it
// (C-R1 to C-R4).
func TestAcceptedReadings(t *testing.T) {
	t.Parallel()
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	for _, signed := range readings {
		c := parse(t, signedUnder(t, richCard, signed, key))
		for _, accepted := range [][]agentcard.Reading{
			nil, {agentcard.Spec}, {agentcard.SDK}, {agentcard.Raw}, {agentcard.Spec, agentcard.SDK}, {agentcard.Raw, agentcard.SDK, agentcard.Spec},
		} {
			t.Run(fmt.Sprint(signed, accepted), func(t *testing.T) {
				t.Parallel()
				r := verify(t, c, keys, agentcard.Policy{Readings: accepted})
				if accepted == nil {
					accepted = []agentcard.Reading{agentcard.Spec}
				}
				ok := false
				for _, a := range accepted {
					ok = ok || a == signed
				}
				if !ok {
					require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
					require.Equal(t, agentcard.CodeSigInvalid, r.Code)
					require.Equal(t, []agentcard.Reading{signed}, r.WouldVerifyUnder)
					require.Equal(t, signed != agentcard.Spec, len(r.Differences) > 0)
					return
				}
				require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
				require.Equal(t, signed, r.Reading)
				require.Empty(t, r.WouldVerifyUnder)
				payload, err := c.Payload(signed)
				require.NoError(t, err)
				require.Equal(t, sha(payload), r.PayloadSHA256)
				v, found := r.Verified()
				require.True(t, found)
				require.Equal(t, signed, v.Reading())
				require.Equal(t, []agentcard.KeyTrust{agentcard.TrustSupplied}, v.KeyTrust())
				if signed == agentcard.SDK {
					require.Equal(t, string(payload), string(v.Bytes()))
					require.Equal(t, []string{
						"/description", "/supportedInterfaces/0/tenant", "/iconUrl", "/capabilities/extensions/0/description",
						"/capabilities/extensions/0/required", "/capabilities/extensions/0/params/", "/capabilities/extensions/0/params/e",
						"/capabilities/extensions/0/params/l", "/capabilities/extensions/0/params/n", "/securitySchemes/mtls",
						"/securitySchemes/oauth/oauth2SecurityScheme/flows/clientCredentials/scopes",
						"/securitySchemes/oauth/oauth2SecurityScheme/flows/clientCredentials/refreshUrl",
						"/securityRequirements", "/skills/0/tags", "/skills/0/examples", "/skills/0/inputModes", "/x-shelf",
					}, r.Uncovered)
					require.Equal(t, string(payload), string(r.Covered), "the card to use is part of the report")
					require.Contains(t, r.DoesNotProve[len(r.DoesNotProve)-1], "access without authentication")
				} else {
					require.Equal(t, string(c.Bytes()), string(v.Bytes()))
					require.Empty(t, r.Uncovered)
					require.Empty(t, r.Covered)
					require.Len(t, r.DoesNotProve, 4)
				}
			})
		}
	}
	// A card that verifies under every reading is reported under the first accepted one.
	c := parse(t, signedUnder(t, plainCard, agentcard.Spec, key))
	r := verify(t, c, keys, agentcard.Policy{Readings: []agentcard.Reading{agentcard.SDK, agentcard.Spec}})
	require.Equal(t, agentcard.SDK, r.Reading)
	require.Equal(t, []agentcard.Reading{agentcard.SDK, agentcard.Spec}, r.Entries[0].Readings)
}

// The covered part may be longer than the card, because numbers are written out.
func TestCoveredPartBeyondTheLimit(t *testing.T) {
	t.Parallel()
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	card := `{"name":"a","capabilities":{"extensions":[{"uri":"u","params":{"n":[` + strings.Repeat("1e20,", 200) + `1e20]}}]}}`
	data := signedUnder(t, card, agentcard.SDK, key)
	c, err := agentcard.Parse(data, agentcard.Limits{CardBytes: int64(len(data))})
	require.NoError(t, err)
	r := verify(t, c, keys, agentcard.Policy{Readings: []agentcard.Reading{agentcard.SDK}})
	require.Equal(t, agentcard.OutcomeVerified, r.Outcome, "%+v", r)
	require.Greater(t, len(r.Covered), len(data))
}

// Two signatures that count must be valid under one reading.
func TestReadingsAreNotMixed(t *testing.T) {
	t.Parallel()
	a, b := seed(1), seed(2)
	keys := supplied(t, `{"keys":[`+a.jwk(`,"kid":"a"`)+`,`+b.jwk(`,"kid":"b"`)+`]}`)
	c := parse(t, []byte(richCard))
	var entries []string
	for i, r := range []agentcard.Reading{agentcard.Spec, agentcard.SDK} {
		payload, err := c.Payload(r)
		require.NoError(t, err)
		k, kid := []seeded{a, b}[i], []string{"a", "b"}[i]
		entries = append(entries, k.entry(`{"alg":"EdDSA","kid":"`+kid+`","typ":"JOSE"}`, string(payload)))
	}
	c = parse(t, with(t, []byte(richCard), "signatures", "["+strings.Join(entries, ",")+"]"))
	both := []agentcard.Reading{agentcard.Spec, agentcard.SDK}
	require.Equal(t, agentcard.OutcomeVerified, verify(t, c, keys, agentcard.Policy{Readings: both}).Outcome)
	r := verify(t, c, keys, agentcard.Policy{Readings: both, Signatures: 2})
	require.Equal(t, agentcard.OutcomeUnverified, r.Outcome)
	require.Equal(t, agentcard.CodeTooFew, r.Code)
}

// Changes of the text that change nothing, and those that do (section A.10).
func TestChanges(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.ES256, "k")
	keys := public(t, key)
	signed := string(sign(t, plainCard, key))
	for _, row := range []struct {
		name, old, new string
		ok             bool
	}{
		{"nothing", "", "", true},
		{"an empty list of extensions", `"streaming": false`, `"streaming": false, "extensions": []`, true},
		{"an empty provider map", `"version": "1.0.0",`, `"version": "1.0.0", "securitySchemes": {}, "securityRequirements": [],`, true},
		{"an empty tenant", `"protocolVersion": "1.0"`, `"protocolVersion": "1.0", "tenant": ""`, true},
		{"null for an optional field", `"version": "1.0.0",`, `"version": "1.0.0", "iconUrl": null,`, true},
		{"an escaped slash", `application/json`, `application\/json`, true},
		{"white space", "\n", "\r\n\t", true},
		{"another endpoint", `agent.example.com`, `attacker.example`, false},
		{"a flag removed", `{"streaming": false}`, `{}`, false},
		{"a flag turned", `"streaming": false`, `"streaming": true`, false},
		{"a flag added", `"streaming": false`, `"streaming": false, "pushNotifications": false`, false},
		{"an empty optional string added", `"version": "1.0.0",`, `"version": "1.0.0", "iconUrl": "",`, false},
		{"an empty provider added", `"version": "1.0.0",`, `"version": "1.0.0", "provider": {},`, false},
		{"a requirement without authentication", `"version": "1.0.0",`, `"version": "1.0.0", "securityRequirements": [{}],`, false},
		{"an unknown member", `"version": "1.0.0",`, `"version": "1.0.0", "x": null,`, false},
		{"an extension", `"streaming": false`, `"streaming": false, "extensions": [{"uri": "x", "required": false}]`, false},
		{"a tag twice", `["freight"]`, `["freight", "freight"]`, false},
		{"trailing space in a value", `Pallet Quotes`, `Pallet Quotes `, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(signed, row.old, row.new, 1)
			require.True(t, row.name == "nothing" || changed != signed)
			r := verify(t, parse(t, []byte(changed)), keys, agentcard.Policy{})
			if row.ok {
				require.Equal(t, agentcard.OutcomeVerified, r.Outcome, "%+v", r)
				return
			}
			require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
			require.Equal(t, agentcard.CodeSigInvalid, r.Code)
		})
	}
}

// A name stands in the pointer of everything that it holds: a card with a long one, full of
// members that a reading leaves out, made reports of gigabytes.
func TestLongNames(t *testing.T) {
	t.Parallel()
	var members strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&members, `"k%d":"",`, i)
	}
	card := `{"supportedInterfaces":[],"capabilities":{"extensions":[{"uri":"urn:x","params":{"` +
		strings.Repeat("x", 100_000) + `":{` + members.String() + `"kept":1}}}]}}`
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	size := func(r *agentcard.Report) int {
		text, err := json.Marshal(r)
		require.NoError(t, err)
		return len(text)
	}

	// What is not covered is not cut: the card is refused under the reading.
	r := verify(t, parse(t, signedUnder(t, card, agentcard.SDK, key)), keys, agentcard.Policy{Readings: []agentcard.Reading{agentcard.SDK}})
	require.Equal(t, agentcard.OutcomeInvalid, r.Outcome)
	require.Equal(t, agentcard.CodeLimit, r.Code)
	require.Less(t, size(r), 2<<20)

	// Readings that do not keep such a list are judged as ever.
	c := parse(t, signedUnder(t, card, agentcard.PythonLegacy, key))
	r = verify(t, c, keys, agentcard.Policy{})
	require.Equal(t, agentcard.CodeSigInvalid, r.Code)
	require.Equal(t, []agentcard.Reading{agentcard.PythonLegacy}, r.WouldVerifyUnder)
	require.NotEmpty(t, r.Differences)
	require.Less(t, size(r), 2<<20)
	require.Equal(t, agentcard.OutcomeVerified, verify(t, parse(t, signedUnder(t, card, agentcard.Spec, key)), keys, agentcard.Policy{}).Outcome)

	text, err := json.Marshal(c.Lint())
	require.NoError(t, err)
	require.Less(t, len(text), 1<<20)
}
