package vc_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// keeper is Documents that remember what they were told.
type keeper struct {
	shelf
	told []life
}

type life struct {
	ttl   time.Duration
	until time.Time
}

func (k *keeper) Keep(url string, d vc.Document, ttl time.Duration, until time.Time) {
	if url == listURL && string(d.Content) == string(k.shelf[listURL].Content) {
		k.told = append(k.told, life{ttl, until})
	}
}

// How long a status list holds is read from what was verified, however it is spelt, and
// nobody is told about a list that is refused.
func TestKeeper(t *testing.T) {
	t.Parallel()
	alice := someone(t, vc.Ed25519, 7)
	const none, ttl = time.Duration(math.MaxInt64), `"https://www.w3.org/ns/credentials/status#ttl"`
	until := time.Date(2026, 8, 2, 0, 0, 0, 0, time.UTC)
	signed := func(more, context string) string {
		text := replaced(t, unsignedList(t, alice), `"type":"BitstringStatusList",`, `"type":"BitstringStatusList",`+more)
		return signW3C(t, replaced(t, text, `["https://www.w3.org/ns/credentials/v2"`, `["https://www.w3.org/ns/credentials/v2"`+context), alice)
	}
	at := func(ttl time.Duration) []life { return []life{{ttl, until}} }
	for name, tt := range map[string]struct {
		list string
		want []life
	}{
		"no ttl":                    {signed("", ""), at(none)},
		"the term":                  {signed(`"ttl":30000,`, `,{"ttl":`+ttl+`}`), at(30 * time.Second)},
		"the IRI":                   {signed(ttl+`:30000,`, ""), at(30 * time.Second)},
		"a term of its own":         {signed(`"holds":30000,`, `,{"holds":`+ttl+`}`), at(30 * time.Second)},
		"a compact IRI":             {signed(`"s:ttl":30000,`, `,{"s":"https://www.w3.org/ns/credentials/status#"}`), at(30 * time.Second)},
		"the shortest of two":       {signed(ttl+`:[30000,20000],`, ""), at(20 * time.Second)},
		"on another node":           {signed(`"urn:more":{`+ttl+`:20000},`, ""), at(20 * time.Second)},
		"below a millisecond":       {signed(ttl+`:0.5,`, ""), at(500 * time.Microsecond)},
		"beyond what a clock holds": {signed(ttl+`:1e300,`, ""), at(none)},
		"none at all":               {signed(ttl+`:0,`, ""), at(0)},
		"below none":                {signed(ttl+`:-1,`, ""), at(0)},
		"a text":                    {signed(ttl+`:"20000",`, ""), at(20 * time.Second)},
		"a word":                    {signed(ttl+`:"long",`, ""), at(0)},
		"leading zeros":             {signed(ttl+`:"0020000",`, ""), at(20 * time.Second)},
		"an infinity":               {signed(ttl+`:"Infinity",`, ""), at(0)},
		"an infinity in short":      {signed(ttl+`:"+Inf",`, ""), at(0)},
		"an infinity as a double":   {signed(ttl+`:{"@value":"INF","@type":"http://www.w3.org/2001/XMLSchema#double"},`, ""), at(0)},
		"a double without an end":   {signed(ttl+`:{"@value":"1e999","@type":"http://www.w3.org/2001/XMLSchema#double"},`, ""), at(0)},
		"a double":                  {signed(ttl+`:{"@value":"2e4","@type":"http://www.w3.org/2001/XMLSchema#double"},`, ""), at(20 * time.Second)},
		"hexadecimal":               {signed(ttl+`:"0x1p30",`, ""), at(0)},
		"underscores":               {signed(ttl+`:"0x_4e20",`, ""), at(0)},
		"an exponent in a text":     {signed(ttl+`:"2e4",`, ""), at(0)},
		"a sign":                    {signed(ttl+`:"+20000",`, ""), at(0)},
		"a space":                   {signed(ttl+`:" 20000",`, ""), at(0)},
		"nothing":                   {signed(ttl+`:"",`, ""), at(0)},
		"in a language":             {signed(ttl+`:{"@value":"20000","@language":"en"},`, ""), at(0)},
		"of another datatype":       {signed(ttl+`:{"@value":"20000","@type":"urn:minutes"},`, ""), at(0)},
		"an integer that is none":   {signed(ttl+`:{"@value":"Infinity","@type":"http://www.w3.org/2001/XMLSchema#integer"},`, ""), at(0)},
		"not a number":              {signed(ttl+`:"NaN",`, ""), at(0)},
		"an IRI":                    {signed(ttl+`:{"id":"urn:20000"},`, ""), at(0)},
		"no end":                    {signW3C(t, replaced(t, unsignedList(t, alice), `,"validUntil":"2026-08-02T00:00:00Z"`, ``), alice), []life{{none, time.Time{}}}},
		"a proof that ends before":  {sign(t, unsignedList(t, alice), alice.key, vc.SignOptions{Method: alice.method, Expires: until.Add(-time.Hour)}), []life{{none, until.Add(-time.Hour)}}},
		"a proof that ends later":   {sign(t, unsignedList(t, alice), alice.key, vc.SignOptions{Method: alice.method, Expires: until.Add(time.Hour)}), at(none)},
		"an end far away":           {signW3C(t, replaced(t, unsignedList(t, alice), `2026-08-02T00:00:00Z`, `12026-08-02T00:00:00Z`), alice), []life{{none, time.Unix(0, 0)}}},
		"of another id":             {signW3C(t, replaced(t, unsignedList(t, alice), listURL+`"`, listURL+`/other"`), alice), nil},
		"of another issuer":         {list(t, someone(t, vc.Ed25519, 8), "revocation"), nil},
		"no list":                   {signW3C(t, replaced(t, unsignedList(t, alice), `"encodedList":"u`, `"description":"u`), alice), nil},
		"refused":                   {replaced(t, signed(ttl+`:30000,`, ""), "30000", "90000"), nil},
		"unsigned":                  {unsignedList(t, alice), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &keeper{shelf: shelf{listURL: {Content: []byte(tt.list), MediaType: "application/vc"}}}
			v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: k})
			c := verify(t, v, signW3C(t, w3cText(alice.id), alice), now).Credential()
			require.NotNil(t, c)
			r, err := v.CheckStatus(t.Context(), c, now)
			require.NoError(t, err)
			assert.Equal(t, tt.want, k.told, r.Findings())
		})
	}
}
