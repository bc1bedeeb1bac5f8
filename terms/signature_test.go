package terms_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/terms"
)

// ordered is the nkey of a point of small order, by its y coordinate.
func ordered(t testing.TB, y byte) string {
	t.Helper()
	b, err := nkeys.Encode(nkeys.PrefixByteUser, append([]byte{y}, make([]byte, 31)...))
	require.NoError(t, err)
	return string(b)
}

// TestSignatureRecords has signature records with each fault and its code (section B.5).
func TestSignatureRecords(t *testing.T) {
	t.Parallel()
	body := with(t, template, `"sow": "v1",`, `"sow": "v1", "id": "`+ownID+`",`)
	good := record(t, body, "provider")
	client := record(t, body, "client")
	field := func(name string) string {
		_, rest, _ := strings.Cut(good, `"`+name+`":"`)
		value, _, _ := strings.Cut(rest, `"`)
		return value
	}
	sig, key := field("sig"), field("key")
	raw, err := base64.RawURLEncoding.DecodeString(sig)
	require.NoError(t, err)
	kp, private := keyPair(t, 1)
	_ = kp
	_, public, err := nkeysSeed(private)
	require.NoError(t, err)
	encode := func(p nkeys.PrefixByte) string {
		b, err := nkeys.Encode(p, public)
		require.NoError(t, err)
		return string(b)
	}
	set := func(name, value string) string { return strings.Replace(good, field(name), value, 1) }
	without := func(name string) string {
		return strings.Replace(strings.Replace(good, `"`+name+`":"`+field(name)+`",`, "", 1), `,"`+name+`":"`+field(name)+`"`, "", 1)
	}
	flipped := append([]byte{}, raw...)
	flipped[5] ^= 1
	for _, row := range []struct {
		name string
		list string
		code terms.Code
	}{
		{"as the SDKs write it", `[` + good + `]`, ""},
		{"standard base64 with padding", `[` + set("sig", base64.StdEncoding.EncodeToString(raw)) + `]`, ""},
		{"account", `[` + set("key", encode(nkeys.PrefixByteAccount)) + `]`, ""},
		{"operator", `[` + set("key", encode(nkeys.PrefixByteOperator)) + `]`, ""},
		{"a fraction of a second", `[` + set("signed_at", "2026-11-29T12:00:00.25Z") + `]`, ""},
		{"an offset", `[` + set("signed_at", "2026-11-29T13:00:00+01:00") + `]`, ""},
		{"another time: it is not signed", `[` + set("signed_at", "2020-01-01T00:00:00Z") + `]`, ""},
		{"a further member", `[` + strings.Replace(good, "{", `{"mandate":"mnd_1",`, 1) + `]`, ""},

		{"an end", `[` + strings.Replace(good, "{", `{"expires_at":"2099-01-01T00:00:00Z",`, 1) + `]`, terms.CodeSignatures},
		{"revoked", `[` + strings.Replace(good, "{", `{"revoked":false,`, 1) + `]`, terms.CodeSignatures},
		{"valid from", `[` + strings.Replace(good, "{", `{"validFrom":null,`, 1) + `]`, terms.CodeSignatures},
		{"null", `null`, terms.CodeUnsigned},
		{"empty", `[]`, terms.CodeUnsigned},
		{"an object", `{}`, terms.CodeSignatures},
		{"a text", `"` + sig + `"`, terms.CodeSignatures},
		{"a client alone", `[` + client + `]`, terms.CodeUnsigned},
		{"two providers", `[` + good + `,` + good + `]`, terms.CodeSignatures},
		{"another role", `[` + good + `,` + strings.Replace(good, `"provider"`, `"witness"`, 1) + `]`, terms.CodeSignatures},
		{"role in capitals", `[` + strings.Replace(good, `"provider"`, `"Provider"`, 1) + `]`, terms.CodeSignatures},
		{"no role", `[` + strings.Replace(good, `"role":"provider",`, "", 1) + `]`, terms.CodeSignatures},
		{"no object", `[` + good + `,1]`, terms.CodeSignatures},
		{"provider and client", `[` + good + `,` + client + `]`, terms.CodeNotStanding},

		{"no sig", `[` + without("sig") + `]`, terms.CodeSigEncoding},
		{"base64url with padding", `[` + set("sig", sig+"==") + `]`, terms.CodeSigEncoding},
		{"standard base64 without padding", `[` + set("sig", base64.RawStdEncoding.EncodeToString(fiveBits(raw))) + `]`, terms.CodeSigEncoding},
		{"a line end", `[` + set("sig", sig[:40]+`\n`+sig[40:]) + `]`, terms.CodeSigEncoding},
		{"trailing bits", `[` + set("sig", sig[:85]+next(sig[85])) + `]`, terms.CodeSigEncoding},
		{"63 bytes", `[` + set("sig", base64.RawURLEncoding.EncodeToString(raw[:63])) + `]`, terms.CodeSigEncoding},
		{"65 bytes", `[` + set("sig", base64.RawURLEncoding.EncodeToString(append(raw[:64:64], 0))) + `]`, terms.CodeSigEncoding},
		{"hexadecimal", `[` + set("sig", strings.Repeat("ab", 64)) + `]`, terms.CodeSigEncoding},
		{"a number", `[` + strings.Replace(good, `"`+sig+`"`, "1", 1) + `]`, terms.CodeSigEncoding},

		{"no key", `[` + without("key") + `]`, terms.CodeKeyEncoding},
		{"a wrong checksum", `[` + set("key", key[:55]+next(key[55])) + `]`, terms.CodeKeyEncoding},
		{"lower case", `[` + set("key", strings.ToLower(key)) + `]`, terms.CodeKeyEncoding},
		{"a line end in the key", `[` + set("key", key[:20]+`\n`+key[20:]) + `]`, terms.CodeKeyEncoding},
		{"white space", `[` + set("key", key+" ") + `]`, terms.CodeKeyEncoding},
		{"a server's", `[` + set("key", encode(nkeys.PrefixByteServer)) + `]`, terms.CodeKeyEncoding},
		{"a cluster's", `[` + set("key", encode(nkeys.PrefixByteCluster)) + `]`, terms.CodeKeyEncoding},
		{"a point of order 1, which needs no private key", `[` + strings.Replace(set("key", ordered(t, 1)), sig, base64.RawURLEncoding.EncodeToString(append([]byte{1}, make([]byte, 63)...)), 1) + `]`, terms.CodeKeyEncoding},
		{"a point of order 4", `[` + set("key", ordered(t, 0)) + `]`, terms.CodeKeyEncoding},
		{"a curve's", `[` + set("key", encode(nkeys.PrefixByteCurve)) + `]`, terms.CodeKeyEncoding},
		{"hexadecimal key", `[` + set("key", strings.Repeat("ab", 32)) + `]`, terms.CodeKeyEncoding},
		{"a point of small order", `[` + set("key", smallOrder(t)) + `]`, terms.CodeKeyEncoding},

		{"no time", `[` + without("signed_at") + `]`, terms.CodeSignedAt},
		{"a date", `[` + set("signed_at", "2026-11-29") + `]`, terms.CodeSignedAt},
		{"no zone", `[` + set("signed_at", "2026-11-29T12:00:00") + `]`, terms.CodeSignedAt},
		{"a comma", `[` + set("signed_at", "2026-11-29T12:00:00,5Z") + `]`, terms.CodeSignedAt},
		{"one digit", `[` + set("signed_at", "2026-11-29T1:00:00Z") + `]`, terms.CodeSignedAt},
		{"an offset of a day", `[` + set("signed_at", "2026-11-29T12:00:00+24:00") + `]`, terms.CodeSignedAt},
		{"an offset of sixty minutes", `[` + set("signed_at", "2026-11-29T12:00:00-05:60") + `]`, terms.CodeSignedAt},
		{"an offset as large as there are", `[` + set("signed_at", "2026-11-29T12:00:00-23:59") + `]`, ""},
		{"an offset without a colon", `[` + set("signed_at", "2026-11-29T12:00:00+0100") + `]`, terms.CodeSignedAt},
		{"small letters", `[` + set("signed_at", "2026-11-29t12:00:00z") + `]`, terms.CodeSignedAt},
		{"no such day", `[` + set("signed_at", "2026-02-30T12:00:00Z") + `]`, terms.CodeSignedAt},

		{"another signature", `[` + set("sig", base64.RawURLEncoding.EncodeToString(flipped)) + `]`, terms.CodeSigInvalid},
		{"another key", `[` + set("key", seed(t, 2).Key()) + `]`, terms.CodeSigInvalid},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			end := strings.LastIndexByte(body, '}')
			r := verifyOne(t, body[:end]+`,"signatures":`+row.list+"}", terms.Options{})
			require.Equal(t, row.code, r.Entries[0].Code)
		})
	}
}

// fiveBits is a text of 64 bytes whose standard base64 is not base64url.
func fiveBits(b []byte) []byte {
	out := append([]byte{0xff, 0xff, 0xff}, b...)
	return out[:64]
}

// next is another character that is in both alphabets.
func next(c byte) string {
	if c == 'B' {
		return "C"
	}
	return "B"
}

func nkeysSeed(seed []byte) (nkeys.PrefixByte, []byte, error) {
	kp, err := nkeys.FromSeed(seed)
	if err != nil {
		return 0, nil, err
	}
	s, err := kp.PublicKey()
	if err != nil {
		return 0, nil, err
	}
	raw, err := nkeys.Decode(nkeys.PrefixByteUser, []byte(s))
	return nkeys.PrefixByteUser, raw, err
}

func smallOrder(t *testing.T) string {
	t.Helper()
	b, err := nkeys.Encode(nkeys.PrefixByteUser, append([]byte{1}, make([]byte, 31)...))
	require.NoError(t, err)
	return string(b)
}

// Seeds are read with white space around them; errors contain nothing of them.
func TestParseSeed(t *testing.T) {
	t.Parallel()
	_, text := keyPair(t, 1)
	s, err := terms.ParseSeed(append([]byte(" \n"), append(text, '\n')...))
	require.NoError(t, err)
	require.Equal(t, ownKey, s.Key())
	require.True(t, terms.ValidKey(s.Key()))
	server, err := nkeys.EncodeSeed(nkeys.PrefixByteServer, make([]byte, 32))
	require.NoError(t, err)
	for _, bad := range []string{"", string(text[:57]), string(text[:57]) + next(text[57]), strings.ToLower(string(text)), string(text[:30]) + "\n" + string(text[30:]), string(server), s.Key()} {
		_, err := terms.ParseSeed([]byte(bad))
		require.Error(t, err)
		if bad != "" {
			require.NotContains(t, err.Error(), bad)
		}
	}
	// The caller's bytes are not kept.
	clear(text)
	require.Equal(t, ownKey, s.Key())
	_, err = terms.Sign(parse(t, template), s, terms.SignOptions{At: noon()})
	require.NoError(t, err)
}

// Owners' keys are reported beside the outcome and change nothing of it (S-7).
func TestOwnerKeys(t *testing.T) {
	t.Parallel()
	doc := sign(t, template)
	for _, row := range []struct {
		name, file string
		want       string
	}{
		{"the owner's", `{"Linden Translation":["` + reader(t) + `","` + ownKey + `"]}`, "true"},
		{"without an array", `{"Linden Translation":"` + ownKey + `"}`, "true"},
		{"other keys", `{"Linden Translation":"` + reader(t) + `"}`, "false"},
		{"other owner", `{"linden translation":"` + ownKey + `"}`, "unknown"},
		{"no keys", `{"Linden Translation":[]}`, "unknown"},
		{"nobody", `{}`, "unknown"},
	} {
		owners, err := terms.ParseOwnerKeys([]byte(row.file), terms.Limits{})
		require.NoError(t, err, row.name)
		r := verifyOne(t, doc, terms.Options{Owners: owners})
		require.Equal(t, terms.Stated, r.Terms)
		require.Equal(t, row.want, r.Entries[0].Attributed.String(), row.name)
		for _, l := range [][]string{r.Lines(), r.Proposals()[0].Lines()} {
			require.Contains(t, strings.TrimSpace(strings.Join(l, "\n")), `  the key is that of "Linden Translation": `+row.want)
		}
	}
	require.NotContains(t, strings.Join(verified(t, doc).Lines(), "\n"), "the key is")
	require.Nil(t, verifyOne(t, doc, terms.Options{}).Entries[0].Attributed)
	for _, bad := range []string{`[]`, `{"a":1}`, `{"a":["x"]}`, `{"a":[["` + ownKey + `"]]}`} {
		_, err := terms.ParseOwnerKeys([]byte(bad), terms.Limits{})
		require.Equal(t, terms.CodeOwnerKeys, codeOf(t, err), bad)
	}
	_, err := terms.ParseOwnerKeys([]byte(`{`), terms.Limits{})
	require.Equal(t, terms.CodeParse, codeOf(t, err))
}
