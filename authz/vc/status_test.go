package vc_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

const listURL = "https://issuer.example/status/1"

// compressed is the encodedList for bytes.
func compressed(t testing.TB, data []byte) string {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return "u" + base64.RawURLEncoding.EncodeToString(out.Bytes())
}

func TestStatusList(t *testing.T) {
	t.Parallel()
	l, err := vc.NewStatusList(131_072)
	require.NoError(t, err)
	for _, i := range []int64{0, 7, 8, 42, 131_071} {
		require.NoError(t, l.Set(i, true))
	}
	require.NoError(t, l.Set(7, false))
	encoded, err := l.Encode()
	require.NoError(t, err)
	again, err := vc.ParseStatusList(encoded, vc.Limits{})
	require.NoError(t, err)
	require.Equal(t, 131_072, again.Len())
	for i := range int64(again.Len()) {
		set, ok := again.Get(i)
		require.True(t, ok)
		require.Equal(t, i == 0 || i == 8 || i == 42 || i == 131_071, set, i)
	}
	for _, i := range []int64{-1, 131_072, 1 << 32, 1<<32 + 42, 1<<53 - 1} {
		_, ok := again.Get(i)
		assert.False(t, ok, i)
		assert.Error(t, again.Set(i, true))
	}
	for _, n := range []int{-1, 0, 131_071, 1<<27 + 1} {
		_, err := vc.NewStatusList(n)
		assert.Error(t, err, n)
	}
	for _, c := range []vc.StatusListCredential{
		{ID: "x", Issuer: issuerID, Purpose: "revocation"}, {ID: listURL, Issuer: "x", Purpose: "revocation"},
		{ID: listURL, Issuer: issuerID, Purpose: "message"}, {ID: listURL, Issuer: issuerID, Purpose: "revocation", ValidFrom: "x"},
	} {
		_, err := l.Credential(c)
		assert.Error(t, err)
	}
}

func TestEncodedListRefusals(t *testing.T) {
	t.Parallel()
	good := compressed(t, make([]byte, 16_384))
	raw, err := base64.RawURLEncoding.DecodeString(good[1:])
	require.NoError(t, err)
	u := func(b []byte) string { return "u" + base64.RawURLEncoding.EncodeToString(b) }
	changed := func(i int, to byte) []byte {
		b := bytes.Clone(raw)
		b[i] = to
		return b
	}
	bomb := compressed(t, make([]byte, 16<<20+1))
	require.Less(t, len(bomb), 1<<20)
	for name, s := range map[string]string{
		"empty": "", "no multibase": good[1:], "other multibase": "z" + good[1:], "padded": good + "=", "line end": good[:20] + "\n" + good[20:],
		"standard alphabet": "u+" + good[2:], "trailing bits": good[:len(good)-1] + string(good[len(good)-1]+1), "not gzip": "uAAAA",
		"truncated": u(raw[:len(raw)-1]), "cut early": u(raw[:12]), "trailing byte": u(append(bytes.Clone(raw), 0)), "second member": u(append(bytes.Clone(raw), raw...)),
		"crc": u(changed(len(raw)-8, raw[len(raw)-8]^1)), "size": u(changed(len(raw)-1, 1)), "short": compressed(t, make([]byte, 16_383)),
		"bomb": bomb, "long": "u" + strings.Repeat("A", 1<<20),
	} {
		_, err := vc.ParseStatusList(s, vc.Limits{})
		assert.Error(t, err, name)
	}
	l, err := vc.ParseStatusList(compressed(t, make([]byte, 16<<20)), vc.Limits{})
	require.NoError(t, err)
	assert.Equal(t, 1<<27, l.Len())
	// A bomb is not inflated beyond the limit, so that its missing end is not noticed.
	cut, err := base64.RawURLEncoding.DecodeString(bomb[1:])
	require.NoError(t, err)
	_, err = vc.ParseStatusList(u(cut[:len(cut)-9]), vc.Limits{StatusListEntries: 1 << 20})
	require.ErrorContains(t, err, "the limit was reached while it was inflated")
	_, err = vc.ParseStatusList(u(cut[:len(cut)-9]), vc.Limits{StatusListEntries: 1 << 28})
	require.ErrorContains(t, err, "expected a whole gzip member")
}

// The published bitstrings have the order of bits of the recommendation.
func TestSuiteBitstrings(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "vc-bitstring-status-list")
	var file struct {
		Vectors []struct {
			EncodedList, GzipBase64URL, BytesHex string
			LengthBits                           int
		}
	}
	require.NoError(t, json.Unmarshal(suite.ReadFile(t, filepath.Join(dir, "bitstring-vectors.json")), &file))
	require.Len(t, file.Vectors, 3)
	full := 0
	for _, v := range file.Vectors {
		if v.EncodedList == "" { // of 8 bits: readable, and too short for a list
			_, err := vc.ParseStatusList("u"+v.GzipBase64URL, vc.Limits{})
			require.ErrorContains(t, err, "found 8")
			continue
		}
		l, err := vc.ParseStatusList(v.EncodedList, vc.Limits{})
		require.NoError(t, err)
		assert.Equal(t, v.LengthBits, l.Len())
		full++
	}
	assert.Equal(t, 1, full)
}

// list is a signed status list credential with some entries set.
func list(t testing.TB, p party, purpose string, set ...int64) string {
	t.Helper()
	l, err := vc.NewStatusList(131_072)
	require.NoError(t, err)
	for _, i := range set {
		require.NoError(t, l.Set(i, true))
	}
	unsigned, err := l.Credential(vc.StatusListCredential{ID: listURL, Issuer: p.id, Purpose: purpose, ValidFrom: "2026-07-01T00:00:00Z", ValidUntil: "2026-08-02T00:00:00Z"})
	require.NoError(t, err)
	return signW3C(t, string(unsigned), p)
}

// memory is a RevocationMemory that can be made to fail.
type memory struct {
	vc.Memory
	revoked, remember error
}

func (m *memory) Revoked(ctx context.Context, issuer, id string) (bool, error) {
	if m.revoked != nil {
		return false, m.revoked
	}
	return m.Memory.Revoked(ctx, issuer, id)
}

func (m *memory) Remember(ctx context.Context, issuer, id string) error {
	if m.remember != nil {
		return m.remember
	}
	return m.Memory.Remember(ctx, issuer, id)
}

// TestCheckStatus has every row of the table of section 4, with lists and credentials that
// are otherwise good.
func TestCheckStatus(t *testing.T) {
	t.Parallel()
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.P256, 8)
	clear := list(t, alice, "revocation", 41, 43)
	unavailable := []vc.Code{vc.CodeStatusRetrievalError}
	entry := func(purpose, index, more string) string {
		return fmt.Sprintf(`{"type":"BitstringStatusListEntry","statusPurpose":%q,"statusListIndex":%q,"statusListCredential":"%s"%s}`, purpose, index, listURL, more)
	}
	revocation := entry("revocation", "42", "")
	for _, tt := range []struct {
		name, entry, list, mediaType string
		want                         []vc.Code
		problem                      string
	}{
		{"clear", revocation, clear, "application/vc", nil, ""},
		{"clear, of size 1", entry("revocation", "42", `,"statusSize":1`), clear, "application/json; charset=utf-8", nil, ""},
		{"last entry", entry("revocation", "131071", ""), clear, "application/ld+json", nil, ""},
		{"no status", ``, ``, "", nil, ""},
		{"revoked", revocation, list(t, alice, "revocation", 42), "application/vc", []vc.Code{vc.CodeRevoked}, ""},
		{"suspended", entry("suspension", "42", ""), list(t, alice, "suspension", 42), "application/vc", []vc.Code{vc.CodeSuspended}, ""},
		{"not suspended", entry("suspension", "42", ""), list(t, alice, "suspension"), "application/vc", nil, ""},
		{"purpose of the entry", entry("message", "42", ""), clear, "application/vc", unavailable, vc.ProblemStatusVerification},
		{"purpose that both have", entry("message", "42", ""), signW3C(t, replaced(t, unsignedList(t, alice), `"statusPurpose":"revocation"`, `"statusPurpose":["revocation","message"]`), alice), "application/vc", unavailable, vc.ProblemStatusVerification},
		{"list of two purposes", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `"statusPurpose":"revocation"`, `"statusPurpose":["revocation","message"]`), alice), "application/vc", nil, ""},
		{"entry of another type", `{"type":"odrl:Asset","https://www.w3.org/ns/credentials/status#statusPurpose":"revocation","https://www.w3.org/ns/credentials/status#statusListIndex":"42","https://www.w3.org/ns/credentials/status#statusListCredential":{"id":"` + listURL + `"}}`, clear, "application/vc", unavailable, vc.ProblemStatusVerification},
		{"refresh", entry("refresh", "42", ""), clear, "application/vc", unavailable, ""},
		{"purpose of the list", entry("suspension", "42", ""), clear, "application/vc", unavailable, vc.ProblemStatusVerification},
		{"index out of range", entry("revocation", "131072", ""), clear, "application/vc", unavailable, vc.ProblemRange},
		{"index beyond 32 bits", entry("revocation", "4294967338", ""), clear, "application/vc", unavailable, vc.ProblemRange},
		{"index beyond 53 bits", entry("revocation", "9007199254740992", ""), clear, "application/vc", unavailable, ""},
		{"negative", entry("revocation", "-1", ""), clear, "application/vc", unavailable, ""},
		{"hexadecimal", entry("revocation", "0x1", ""), clear, "application/vc", unavailable, ""},
		{"leading zero", entry("revocation", "042", ""), clear, "application/vc", unavailable, ""},
		{"plus", entry("revocation", "+42", ""), clear, "application/vc", unavailable, ""},
		{"no index", entry("revocation", "", ""), clear, "application/vc", unavailable, ""},
		{"index number", strings.Replace(revocation, `"42"`, `42`, 1), clear, "application/vc", unavailable, ""},
		{"two indexes", strings.Replace(revocation, `"42"`, `["42","44"]`, 1), clear, "application/vc", unavailable, ""},
		{"no size", entry("revocation", "42", `,"statusSize":""`), clear, "application/vc", unavailable, ""},
		{"size 2", entry("revocation", "42", `,"statusSize":2`), clear, "application/vc", unavailable, ""},
		{"no URL", strings.Replace(revocation, listURL, "urn:list", 1), clear, "application/vc", unavailable, ""},
		{"missing", revocation, "", "", unavailable, vc.ProblemStatusRetrieval},
		{"no JSON", revocation, "x", "application/vc", unavailable, ""},
		{"HTML", revocation, clear, "text/html", unavailable, ""},
		{"taken for Turtle", revocation, clear, "", unavailable, ""},
		{"forged", revocation, strings.Replace(clear, `"proofValue":"z`, `"proofValue":"z1`, 1), "application/vc", unavailable, ""},
		{"changed", revocation, replaced(t, clear, `"statusPurpose":"revocation"`, `"statusPurpose":["revocation","suspension"]`), "application/vc", unavailable, ""},
		{"unsigned", revocation, clear[:strings.Index(clear, `,"proof"`)] + "}", "application/vc", unavailable, ""},
		{"other issuer", revocation, list(t, bob, "revocation"), "application/vc", unavailable, vc.ProblemStatusVerification},
		{"other id", revocation, signW3C(t, replaced(t, unsignedList(t, alice), listURL+`"`, listURL+`/other"`), alice), "application/vc", unavailable, ""},
		{"other type", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `,"BitstringStatusListCredential"`, ``), alice), "application/vc", unavailable, ""},
		{"no list", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `"encodedList":"u`, `"description":"u`), alice), "application/vc", unavailable, ""},
		{"status of its own", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `"credentialSubject"`, `"credentialStatus":`+entry("revocation", "43", "")+`,"credentialSubject"`), alice), "application/vc", unavailable, vc.ProblemStatusVerification},
		{"an end of what it lists by the name of its own", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `"encodedList"`, `"https://www.w3.org/2018/credentials#validUntil":"2020-01-01T00:00:00Z","encodedList"`), alice), "application/vc", unavailable, vc.ProblemStatusVerification},
		{"an end of what it lists", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `"encodedList"`, `"https://schema.org/validThrough":"2020-01-01","encodedList"`), alice), "application/vc", unavailable, vc.ProblemStatusVerification},
		{"entries of two bits", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `"encodedList"`, `"https://www.w3.org/ns/credentials/status#statusSize":2,"encodedList"`), alice), "application/vc", unavailable, vc.ProblemStatusVerification},
		{"entries of one bit", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `"encodedList"`, `"https://www.w3.org/ns/credentials/status#statusSize":1,"encodedList"`), alice), "application/vc", nil, ""},
		{"a property in another vocabulary", revocation, signW3C(t, replaced(t, unsignedList(t, alice), `"encodedList"`, `"https://schema.org/version":"1","encodedList"`), alice), "application/vc", nil, ""},
		{"too short", revocation, shortList(t, alice), "application/vc", unavailable, vc.ProblemStatusListLength},
		{"two entries, one set", "[" + revocation + "," + entry("revocation", "41", "") + "]", clear, "application/vc", []vc.Code{vc.CodeRevoked}, ""},
		{"nine entries", "[" + strings.Repeat(revocation+",", 8) + revocation + "]", clear, "application/vc", unavailable, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			document := w3cText(alice.id)
			at := strings.Index(document, `"credentialStatus"`)
			end := strings.Index(document, `"relatedResource"`)
			status := ""
			if tt.entry != "" {
				status = `"credentialStatus":` + tt.entry + ","
			}
			document = signW3C(t, document[:at]+status+document[end:], alice)
			documents := shelf{}
			if tt.list != "" {
				documents[listURL] = vc.Document{Content: []byte(tt.list), MediaType: tt.mediaType}
			}
			v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: documents})
			c := verify(t, v, document, now).Credential()
			require.NotNil(t, c)
			r, err := v.CheckStatus(t.Context(), c, now)
			require.NoError(t, err)
			assert.Equal(t, tt.want, r.Codes(), r.Findings())
			assert.Equal(t, tt.want == nil, r.Clear())
			assert.Equal(t, tt.want == nil, r.Code() == "")
			if tt.problem != "" {
				assert.Equal(t, tt.problem, r.Findings()[0].Problem)
			}
			if tt.name == "clear" {
				assert.Equal(t, []vc.CheckedEntry{{Purpose: "revocation", List: listURL, Index: 42, ValidFrom: "2026-07-01T00:00:00Z"}}, r.Entries())
				// The list has a validity, as any credential.
				for _, late := range []int{1, 2} {
					r, err := v.CheckStatus(t.Context(), c, now.AddDate(0, 0, late))
					require.NoError(t, err)
					assert.Equal(t, unavailable, r.Codes())
				}
				without := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
				r, err := without.CheckStatus(t.Context(), c, now)
				require.NoError(t, err)
				assert.Equal(t, unavailable, r.Codes())
			}
		})
	}
}

func unsignedList(t testing.TB, p party) string {
	signed := list(t, p, "revocation")
	return signed[:strings.Index(signed, `,"proof"`)] + "}"
}

func shortList(t testing.TB, p party) string {
	unsigned := unsignedList(t, p)
	at := strings.Index(unsigned, `"encodedList":"`) + len(`"encodedList":"`)
	end := strings.Index(unsigned[at:], `"`) + at
	return signW3C(t, unsigned[:at]+compressed(t, make([]byte, 16_383))+unsigned[end:], p)
}

// Each status list is read once for all entries of a credential, also one that is refused.
func TestListsAreReadOnce(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	var entries []string
	for i := range 6 {
		entries = append(entries, fmt.Sprintf(`{"type":"BitstringStatusListEntry","statusPurpose":"revocation","statusListIndex":"%d","statusListCredential":"%s/%d"}`, i, listURL, i%2))
	}
	text := replaced(t, w3cText(alice.id), `{"type": "BitstringStatusListEntry", "statusPurpose": "revocation", "statusListIndex": "42", "statusListCredential": "https://issuer.example/status/1"}`, `[`+strings.Join(entries, ",")+`]`)
	documents := counted{shelf{listURL + "/0": {
		Content: []byte(signW3C(t, strings.ReplaceAll(unsignedList(t, alice), `"`+listURL, `"`+listURL+"/0"), alice)), MediaType: "application/vc",
	}}, map[string]int{}}
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: documents})
	r, err := v.CheckStatus(t.Context(), verify(t, v, signW3C(t, text, alice), now).Credential(), now)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{listURL + "/0": 1, listURL + "/1": 1}, documents.n)
	assert.Len(t, r.Entries(), 3)
	var refused []int
	for _, f := range r.Findings() {
		refused = append(refused, f.Entry)
	}
	assert.Len(t, refused, 3)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(refused))), 3, "each entry has its finding")
}

// A revocation is remembered, whatever a later list says, and a memory that fails clears
// nothing.
func TestRevocationMemory(t *testing.T) {
	t.Parallel()
	alice, bob := someone(t, vc.Ed25519, 7), someone(t, vc.P256, 8)
	document, documents, m := signW3C(t, w3cText(alice.id), alice), shelf{}, &memory{}
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: documents, Revoked: m, StatusListIssuers: []string{bob.id}})
	c := verify(t, v, document, now).Credential()
	require.NotNil(t, c)
	check := func() []vc.Code {
		r, err := v.CheckStatus(t.Context(), c, now)
		require.NoError(t, err)
		return r.Codes()
	}
	documents[listURL] = vc.Document{Content: []byte(list(t, bob, "revocation")), MediaType: "application/vc"}
	assert.Empty(t, check(), "an issuer of lists that is named")
	m.revoked = errors.New("disk")
	assert.Equal(t, []vc.Code{vc.CodeStatusRetrievalError}, check())
	m.revoked = nil
	documents[listURL] = vc.Document{Content: []byte(list(t, alice, "revocation", 42)), MediaType: "application/vc"}
	m.remember = errors.New("disk")
	r, err := v.CheckStatus(t.Context(), c, now)
	require.NoError(t, err)
	assert.Equal(t, []vc.Code{vc.CodeStatusRetrievalError, vc.CodeRevoked}, r.Codes())
	assert.Equal(t, vc.CodeRevoked, r.Code(), "a revocation is what is reported")
	m.remember = nil
	assert.Equal(t, []vc.Code{vc.CodeRevoked}, check())
	documents[listURL] = vc.Document{Content: []byte(list(t, alice, "revocation")), MediaType: "application/vc"}
	assert.Equal(t, []vc.Code{vc.CodeRevoked}, check())
	delete(documents, listURL)
	assert.Equal(t, []vc.Code{vc.CodeRevoked}, check())
	revoked, err := m.Memory.Revoked(t.Context(), bob.id, "urn:uuid:1")
	require.NoError(t, err)
	assert.False(t, revoked, "the credential of another issuer with the same id")
}

// A list that is changed and signed again verifies, and says what was changed.
func TestUpdateStatusList(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	document, documents := signW3C(t, w3cText(alice.id), alice), shelf{}
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: documents})
	c := verify(t, v, document, now).Credential()
	text := list(t, alice, "revocation", 7)
	for _, set := range []bool{true, false} {
		l, err := vc.EncodedStatusList([]byte(text), vc.Limits{})
		require.NoError(t, err)
		require.NoError(t, l.Set(42, set))
		updated, err := l.Update([]byte(text), vc.Limits{})
		require.NoError(t, err)
		assert.NotContains(t, string(updated), "proof")
		text = signW3C(t, string(updated), alice)
		documents[listURL] = vc.Document{Content: []byte(text), MediaType: "application/vc"}
		r, err := v.CheckStatus(t.Context(), c, now)
		require.NoError(t, err)
		assert.Equal(t, !set, r.Clear(), r.Findings())
		if set {
			assert.Equal(t, vc.CodeRevoked, r.Code())
		}
	}
	for _, bad := range []string{"x", "{}", `{"credentialSubject":{"encodedList":"u"}}`} {
		l, err := vc.NewStatusList(131_072)
		require.NoError(t, err)
		_, err = l.Update([]byte(bad), vc.Limits{})
		assert.Error(t, err)
	}
}
