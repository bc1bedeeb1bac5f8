package terms_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/terms"
)

// The three byte strings of a document differ in the members that they leave out and in
// the prefix; members of the same names that are deeper inside are kept (section B.4).
func TestByteStrings(t *testing.T) {
	t.Parallel()
	d := parse(t, `{"b": 1.0, "signatures": [{"id": 1}], "a": {"signatures": [], "id": "x"}, "id": "sow_x", "\u0073ow": "v1"}`)
	committed, err := d.CommittedBytes()
	require.NoError(t, err)
	require.Equal(t, `{"a":{"id":"x","signatures":[]},"b":1,"id":"sow_x","signatures":[{"id":1}],"sow":"v1"}`, string(committed))
	signed, err := d.SignedBytes()
	require.NoError(t, err)
	require.Equal(t, "agent-sow-v1\n"+`{"a":{"id":"x","signatures":[]},"b":1,"id":"sow_x","sow":"v1"}`, string(signed))
	hashed, err := d.HashedBytes()
	require.NoError(t, err)
	require.Equal(t, `{"a":{"id":"x","signatures":[]},"b":1,"sow":"v1"}`, string(hashed))
	escaped := parse(t, `{"\u0069d": 1, "signature\u0073": 2}`)
	hashed, err = escaped.HashedBytes()
	require.NoError(t, err)
	require.Equal(t, `{}`, string(hashed), "names are compared without escapes")
	dg, err := d.Digest()
	require.NoError(t, err)
	sum := sha256.Sum256(committed)
	require.Equal(t, "sha256:"+hex.EncodeToString(sum[:]), dg.String())
}

// The identifier of the template of the tests is known, and the two usual mistakes give
// other ones.
func TestMintID(t *testing.T) {
	t.Parallel()
	id, err := parse(t, template).MintID()
	require.NoError(t, err)
	require.Equal(t, ownID, id)
	// The identifier and the signatures are not hashed.
	again, err := parse(t, sign(t, template)).MintID()
	require.NoError(t, err)
	require.Equal(t, id, again)
	// Computed by hand: the first 80 bits, five at a time.
	d := parse(t, template)
	hashed, err := d.HashedBytes()
	require.NoError(t, err)
	sum := sha256.Sum256(hashed)
	bits := ""
	for _, b := range sum[:10] {
		for i := 7; i >= 0; i-- {
			bits += string('0' + b>>i&1)
		}
	}
	want := "sow_"
	for ; bits != ""; bits = bits[5:] {
		n := 0
		for _, c := range bits[:5] {
			n = n*2 + int(c-'0')
		}
		want += string("0123456789abcdefghjkmnpqrstvwxyz"[n])
	}
	require.Equal(t, want, id)
	require.Len(t, id, 20)
	for _, version := range []string{`2`, `"1"`, `1.5`, `null`} {
		_, err := parse(t, with(t, template, `"version": 1,`, `"version": `+version+`,`)).MintID()
		require.Equal(t, terms.CodeIDVersion, codeOf(t, err), version)
	}
	_, err = parse(t, `{}`).MintID()
	require.Equal(t, terms.CodeIDVersion, codeOf(t, err))
}

// The vectors of this package are made from the template with the key whose seed is the
// bytes 1 to 32. An independent implementation has to get the same.
const (
	ownID        = "sow_qwz32g31nq8z23n7"
	ownKey       = "UB43KVROR7TFJ6KAPCYRF2FJROTZAH4FHLTJLPWX4DRZCC5NASLGJBFE"
	ownSignature = "D-pR_cKClolxjR7BM_M0sZjePpcz4E9riVo4C5HQINtxCi2bSSy54Gan_BEJTfh0unNAlcGMgELpO5YuZ5ahCg"
	ownDigest    = "sha256:53e5c61be378d7f6e41a7e4d8d478881f8b7164d5be8119c0453b7e5f1358603"
)

func TestOwnVectors(t *testing.T) {
	t.Parallel()
	signed := sign(t, template)
	var d struct {
		ID         string
		Signatures []struct{ Sig, Key string }
	}
	require.NoError(t, json.Unmarshal([]byte(signed), &d))
	require.Equal(t, ownID, d.ID)
	require.Len(t, d.Signatures, 1)
	require.Equal(t, ownKey, d.Signatures[0].Key)
	require.Equal(t, ownSignature, d.Signatures[0].Sig)
	require.Equal(t, ownDigest, digest(t, signed))
}

// An ambiguous document is refused, with a code and a place.
func TestParse(t *testing.T) {
	t.Parallel()
	_, private := keyPair(t, 3)
	kp, _ := keyPair(t, 3)
	secret, err := kp.PrivateKey()
	require.NoError(t, err)
	for _, row := range []struct {
		name, text string
		code       terms.Code
		pointer    string
	}{
		{"HTML", "<html>", terms.CodeParse, ""},
		{"nothing", "", terms.CodeParse, ""},
		{"two values", "{} {}", terms.CodeParse, ""},
		{"a byte order mark", "\ufeff{}", terms.CodeParse, ""},
		{"an array", "[]", terms.CodeFormat, ""},
		{"a member twice", `{"a":{"b":1,"\u0062":2}}`, terms.CodeJSONDuplicate, "/a/b"},
		{"a lone surrogate", `{"a":"\ud800"}`, terms.CodeJSONUnicode, "/a"},
		{"bytes that are not UTF-8", "{\"a\":\"\xff\"}", terms.CodeJSONUnicode, ""},
		{"a number that is not finite", `{"a":1e400}`, terms.CodeJSONRange, "/a"},
		{"too deep", `{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, terms.CodeJSONTooDeep, ""},
		{"too large", `{"a":"` + strings.Repeat("x", 1<<20) + `"}`, terms.CodeJSONTooLarge, ""},
		{"too many values", `{"a":[` + strings.Repeat("0,", 131_072) + `0]}`, terms.CodeLimit, ""},
		{"a seed", `{"a":["` + string(private) + `"]}`, terms.CodePrivateKey, "/a/0"},
		{"a seed in a sentence", `{"a":"the key is ` + string(private) + `."}`, terms.CodePrivateKey, "/a"},
		{"a seed behind other letters", `{"a":"KEY` + string(private) + `KEY"}`, terms.CodePrivateKey, "/a"},
		{"a seed as a name", `{"a":{"` + string(private) + `":1}}`, terms.CodePrivateKey, "/a"},
		{"a private key", `{"a":"` + string(secret) + `"}`, terms.CodePrivateKey, "/a"},
		{"a private key behind its letter", `{"a":"PPAPP` + string(secret) + `"}`, terms.CodePrivateKey, "/a"},
		{"thousands of texts that begin like seeds", `{"a":["` + strings.Repeat("SUA", 300) + `","` + strings.Repeat("SAD", 6_000) + `"]}`, terms.CodePrivateKey, "/a/1"},
		{"in a small document", `{"a":"` + strings.Repeat("PA", 1_000) + `"}`, terms.CodePrivateKey, "/a"},
		{"and like private keys", `{"a":"` + strings.Repeat("PA", 12_000) + `"}`, terms.CodePrivateKey, "/a"},
		{"PEM", `{"a":"-----BEGIN EC PRIVATE KEY-----"}`, terms.CodePrivateKey, "/a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := terms.Parse([]byte(row.text), terms.Limits{})
			require.Equal(t, row.code, codeOf(t, err))
			require.NotContains(t, err.Error(), string(private))
			require.NotContains(t, err.Error(), string(secret))
			var e *terms.Error
			require.ErrorAs(t, err, &e)
			require.Positive(t, e.Line)
			if row.pointer != "" {
				require.Equal(t, row.pointer, e.Pointer)
			}
		})
	}
	// A text that looks like a seed but has a wrong checksum is like any other.
	parse(t, `{"a":"`+string(private[:57])+`A"}`)
	parse(t, `{"a":"`+strings.Repeat("SUA", 9_000)+strings.Repeat("SU", 100_000)+`"}`)
	// A document at a limit is accepted.
	parse(t, `{"a":`+strings.Repeat("[", 63)+strings.Repeat("]", 63)+`}`)
	parse(t, `{"a":"`+strings.Repeat("x", 1<<20-8)+`"}`)
	parse(t, `{"a":[`+strings.Repeat("0,", 131_072-3)+`0]}`)
	parse(t, `{"a":"`+strings.Repeat("S", 1000)+strings.Repeat("P", 1000)+`"}`)
}

// Integers that readers may read differently are not published (J-5).
func TestImprecise(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		`9007199254740991`: true, `-9007199254740991`: true, `9007199254740992`: false, `9007199254740993`: false,
		`-9007199254740992`: false, `1e300`: true, `0.1`: true, `100000000000000000000000000000`: false,
	} {
		d := parse(t, with(t, template, `"term_months": 12`, `"term_months": `+text))
		_, err := d.Digest()
		_, err2 := d.MintID()
		_, err3 := terms.Sign(d, seed(t, 1), terms.SignOptions{At: noon()})
		if ok {
			require.NoError(t, err, text)
			require.NoError(t, err2, text)
			require.NoError(t, err3, text)
			continue
		}
		for _, err := range []error{err, err2, err3} {
			require.Equal(t, terms.CodeJSONPrecision, codeOf(t, err), text)
		}
	}
}

// Names that make paths long cost neither time nor memory, and pointers that are too long
// to read are left out.
func TestLongNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 200_000)
	some := strings.Repeat(`{"grade":"x"},`, 10) + "0"
	for _, row := range []struct {
		name, clause string
		code         terms.Code
	}{
		{"many values below", `{"` + long + `": [` + strings.Repeat("0,", 50_000) + `0], "grade": "recorded"}`, ""},
		{"many grades below", `{"` + long + `": [` + strings.Repeat(`{"grade":"x"},`, 10_000) + `0], "grade": "recorded"}`, terms.CodeLimit},
		{"one grade below", `{"` + long + `": {"grade": "x", "n": 1}, "grade": "recorded"}`, ""},
		{"some grades below a name that is shown escaped", `{"` + long[:20_000] + `": [` + some + `], "grade": "recorded"}`, ""},
		{"some grades below a name that is shown escaped, at four times its length", `{"` + strings.Repeat("\x7f", 20_000) + `": [` + some + `], "grade": "recorded"}`, terms.CodeLimit},
	} {
		doc := force(t, with(t, template, `"volume":`, `"other": `+row.clause+`, "volume":`))
		r := verifyOne(t, doc, terms.Options{})
		require.Equal(t, row.code, r.Entries[0].Code, row.name)
		for _, w := range r.Entries[0].Warnings {
			require.LessOrEqual(t, len(w.Pointer), 500)
		}
		for _, p := range r.Proposals() {
			require.Less(t, len(strings.Join(p.Lines(), "\n")), 2_000_000)
		}
	}
}
