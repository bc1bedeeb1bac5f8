package service_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
)

const grantPin = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"

func TestHash(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket})
	grant := testdata(t, "grant-access.ttl")
	doc := func(content, mediaType string) m { return m{"content": content, "mediaType": mediaType} }
	for _, row := range []struct {
		name, query, contentType, body string
		status                         int
		verdict, code                  string
	}{
		{"turtle", "", turtle, grant, 200, "yes", ""},
		{"turtle with a charset", "", "text/turtle; charset=UTF-8", grant, 200, "yes", ""},
		{"with its pin", "?pin=" + grantPin, turtle, grant, 200, "yes", ""},
		{"with another pin", "?pin=sha256:" + strings.Repeat("0", 64), turtle, grant, 200, "no", "protocol-hash-mismatch"},
		{"with no pin", "?pin=sha256:x", turtle, grant, 400, "refused", "malformed-request"},
		{"with an empty pin", "?pin=", turtle, grant, 400, "refused", "malformed-request"},
		{"with two pins", "?pin=" + grantPin + "&pin=" + grantPin, turtle, grant, 400, "refused", "malformed-request"},
		{"with an unknown parameter", "?x=1", turtle, grant, 400, "refused", "malformed-request"},
		{"in JSON", "", inJSON, object(t, m{"document": doc(grant, turtle), "pin": grantPin}), 200, "yes", ""},
		{"in JSON with parameters", "?pin=" + grantPin, inJSON, object(t, m{"document": doc(grant, turtle)}), 400, "refused", "malformed-request"},
		{"in JSON with an empty pin", "", inJSON, object(t, m{"document": doc(grant, turtle), "pin": ""}), 400, "refused", "malformed-request"},
		{"in JSON with an unknown member", "", inJSON, object(t, m{"document": doc(grant, turtle), "x": 1}), 400, "refused", "malformed-request"},
		{"in JSON with a member twice", "", inJSON, `{"pin":"a","pin":"b"}`, 400, "refused", "malformed-request"},
		{"in JSON of another type", "", inJSON, object(t, m{"document": doc(grant, "text/html")}), 415, "refused", "unsupported-media-type"},
		{"in JSON without a document", "", inJSON, `{}`, 400, "refused", "malformed-request"},
		{"an array", "", inJSON, `[]`, 400, "refused", "malformed-request"},
		{"no JSON", "", inJSON, `{`, 400, "refused", "malformed-request"},
		{"a byte order mark in JSON", "", inJSON, "\ufeff{}", 400, "refused", "malformed-request"},
		{"truncated", "", turtle, grant[:len(grant)-20], 422, "refused", "syntax"},
		{"relative", "", turtle, "<a> <b> <c> .", 422, "refused", "relative-iri"},
		{"relative with a base", "?base=https://a.example/", turtle, "<a> <b> <c> .", 200, "yes", ""},
		{"relative with a base that is none", "?base=a", turtle, "<a> <b> <c> .", 400, "refused", "malformed-request"},
		{"JSON-LD", "", "application/ld+json", `{"@id":"urn:s","urn:p":"o"}`, 200, "yes", ""},
		{"JSON-LD that loses data", "", "application/ld+json", `{"@id":"urn:s","p":"o"}`, 422, "refused", "undefined term"},
		{"JSON-LD with a remote context", "", "application/ld+json", `{"@context":"https://a.example/c","@id":"urn:s"}`, 422, "refused", "loading remote context failed"},
		{"too nested", "", turtle, "<urn:s> <urn:p> " + strings.Repeat("[ <urn:p> ", 200) + "1" + strings.Repeat("]", 200) + ".", 413, "refused", "limit-exceeded"},
		{"poison", "", "application/n-triples", clique(12), 413, "refused", "limit-exceeded"},
		{"plain text", "", "text/plain", grant, 415, "refused", "unsupported-media-type"},
		{"no type", "", "", grant, 415, "refused", "unsupported-media-type"},
		{"another charset", "", "text/turtle; charset=iso-8859-1", grant, 415, "refused", "unsupported-media-type"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := s.post(t, "/v1/hash"+row.query, row.contentType, row.body)
			require.Equal(t, row.status, r.status, r.text)
			require.Equal(t, row.verdict, r.str("verdict"), r.text)
			require.Equal(t, row.code, r.str("code"), r.text)
			require.InDelta(t, 1, r.object["version"], 0)
			require.NotEmpty(t, r.str("message"))
			require.True(t, strings.HasSuffix(r.text, "}\n") && strings.Count(r.text, "\n") == 1, "one line")
			if row.verdict == "yes" && strings.Contains(row.body, "grant-access") {
				require.Equal(t, grantPin, r.str("hash"))
			}
		})
	}
	r := s.post(t, "/v1/hash", turtle, "<urn:a> <urn:b>\n  x")
	require.Equal(t, m{"line": 2., "column": 3.}, r.object["place"], r.text)
}

// clique is a dataset that canonicalization would take very long for.
func clique(n int) string {
	var b strings.Builder
	for i := range n {
		for j := range n {
			if i != j {
				b.WriteString("_:b" + string(rune('a'+i)) + " <urn:p> _:b" + string(rune('a'+j)) + " .\n")
			}
		}
	}
	return b.String()
}

func TestValidate(t *testing.T) {
	t.Parallel()
	grant, intent, incomplete := testdata(t, "grant-access.ttl"), testdata(t, "intent.ttl"), testdata(t, "intent-incomplete.ttl")
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: judge(t, `{"documents":{"`+grantPin+`":"grant.ttl"}}`, map[string]string{"grant.ttl": grant})})
	doc := func(content string) m { return m{"content": content, "mediaType": turtle} }
	shapes := []m{doc(grant)}
	for _, row := range []struct {
		name          string
		body          m
		status        int
		verdict, code string
	}{
		{"conforms", m{"data": doc(intent), "shapes": shapes}, 200, "yes", ""},
		{"does not", m{"data": doc(incomplete), "shapes": shapes}, 200, "no", "does-not-conform"},
		{"no node", m{"data": doc("<urn:a> <urn:b> 1 ."), "shapes": shapes}, 200, "yes", ""},
		{"no node, which is asked for", m{"data": doc("<urn:a> <urn:b> 1 ."), "shapes": shapes, "requireTargets": true}, 200, "nothing", "no-node-checked"},
		{"ill-formed shapes", m{"data": doc(intent), "shapes": []m{doc("PREFIX sh: <http://www.w3.org/ns/shacl#> <urn:s> a sh:NodeShape ; sh:property [ sh:minCount 1 ] , [ sh:path 1 ].")}}, 422, "refused", "ill-formed-shape"},
		{"data that cannot be read", m{"data": doc("<urn:a>"), "shapes": shapes}, 422, "refused", "syntax"},
		{"shapes that cannot be read", m{"data": doc(intent), "shapes": []m{doc(grant), doc("<urn:a>")}}, 422, "refused", "syntax"},
		{"too many shapes", m{"data": doc(intent), "shapes": slices.Repeat([]m{doc("")}, 17)}, 413, "refused", "limit-exceeded"},
		{"as many as may be", m{"data": doc(intent), "shapes": slices.Repeat([]m{doc("<urn:a> <urn:b> 1 .")}, 16)}, 200, "yes", ""},
		{"neither", m{"data": doc(intent)}, 400, "refused", "malformed-request"},
		{"both", m{"data": doc(intent), "shapes": shapes, "protocol": grantPin}, 400, "refused", "malformed-request"},
		{"shapes and an empty protocol", m{"data": doc(intent), "shapes": shapes, "protocol": ""}, 400, "refused", "malformed-request"},
		{"as nothing", m{"data": doc(intent), "protocol": grantPin, "as": ""}, 400, "refused", "malformed-request"},
		{"as without a protocol", m{"data": doc(intent), "shapes": shapes, "as": "intent"}, 400, "refused", "malformed-request"},

		{"an intent", m{"data": doc(intent), "protocol": grantPin}, 200, "yes", ""},
		{"an intent, named", m{"data": doc(intent), "protocol": grantPin, "as": "intent"}, 200, "yes", ""},
		{"an intent that does not conform", m{"data": doc(incomplete), "protocol": grantPin}, 200, "no", "intent-invalid"},
		{"no intent", m{"data": doc("<urn:a> <urn:b> 1 ."), "protocol": grantPin}, 200, "no", "intent-invalid"},
		{"a response without a shape", m{"data": doc(intent), "protocol": grantPin, "as": "response"}, 200, "no", "response-invalid"},
		{"neither intent nor response", m{"data": doc(intent), "protocol": grantPin, "as": "x"}, 400, "refused", "malformed-request"},
		{"a pin that is not held", m{"data": doc(intent), "protocol": "sha256:" + strings.Repeat("0", 64)}, 422, "refused", "unsupported-protocol"},
		{"a pin that is none", m{"data": doc(intent), "protocol": "x"}, 400, "refused", "malformed-request"},
		{"an intent with a base", m{"data": m{"content": intent, "mediaType": turtle, "base": "urn:x"}, "protocol": grantPin}, 400, "refused", "malformed-request"},
		{"an intent of another type", m{"data": m{"content": intent, "mediaType": "text/plain"}, "protocol": grantPin}, 415, "refused", "unsupported-media-type"},
		{"an intent that cannot be read", m{"data": doc(intent[:len(intent)-10]), "protocol": grantPin}, 422, "refused", "syntax"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := s.post(t, "/v1/validate", inJSON, object(t, row.body))
			require.Equal(t, row.status, r.status, r.text)
			require.Equal(t, row.verdict, r.str("verdict"), r.text)
			require.Equal(t, row.code, r.str("code"), r.text)
			if row.name == "does not" {
				require.Len(t, r.object["results"], 1)
				require.Equal(t, "the data does not conform: 1 result", r.str("message"))
				require.Equal(t, false, r.object["conforms"])
				require.Contains(t, r.text, `"file":"shapes/0"`)
				require.Contains(t, r.text, `"file":"data"`)
			}
			if row.name == "ill-formed shapes" {
				require.Len(t, r.object["problems"], 3, r.text)
			}
		})
	}
}

func TestAuthorize(t *testing.T) {
	t.Parallel()
	files := authority(t)
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: judge(t, `{}`, nil)})
	for _, row := range []struct {
		name          string
		body          m
		status        int
		verdict, code string
	}{
		{"authorized", m{"input": input(t, files, "authority.json", nil), "files": texts(files)}, 200, "yes", ""},
		{"explained", m{"input": input(t, files, "authority.json", nil), "files": texts(files), "explain": true}, 200, "yes", ""},
		{"another action", m{"input": input(t, files, "write.json", nil), "files": texts(files)}, 200, "no", "POLICY_DENIED"},
		{"another actor", m{"input": input(t, files, "other.json", nil), "files": texts(files)}, 200, "no", "IDENTITY_COMPOSITION_FAILED"},
		{"nobody acts", m{"input": without(input(t, files, "authority.json", nil), "actor"), "files": texts(files)}, 200, "no", "IDENTITY_COMPOSITION_FAILED"},
		{"revoked", m{"input": input(t, files, "revoked.json", nil), "files": texts(files)}, 200, "no", "REVOKED"},
		{"a time", m{"input": input(t, files, "authority.json", m{"now": "2026-08-01T00:00:00Z"}), "files": texts(files)}, 400, "refused", "malformed-request"},
		{"an unknown member", m{"input": input(t, files, "authority.json", m{"more": 1}), "files": texts(files)}, 422, "refused", "invalid-input"},
		{"a file that is missing", m{"input": input(t, files, "authority.json", nil)}, 400, "refused", "malformed-request"},
		{"a file that is no text", m{"input": input(t, files, "authority.json", nil), "files": m{"a": 1}}, 400, "refused", "malformed-request"},
		{"no input", m{}, 400, "refused", "malformed-request"},
		{"input that is no object", m{"input": 1}, 422, "refused", "invalid-input"},
		{"a request that is none", m{"input": input(t, files, "authority.json", m{"request": m{"action": 1}}), "files": texts(files)}, 422, "refused", "invalid-request"},
		{"a presentation without a challenge", m{"input": input(t, files, "authority.json", nil), "presentation": "{}", "domain": "d"}, 400, "refused", "malformed-request"},
		{"a challenge alone", m{"input": input(t, files, "authority.json", nil), "files": texts(files), "challenge": "c", "domain": "d"}, 400, "refused", "malformed-request"},
		{"a presentation and credentials", m{"input": input(t, files, "authority.json", nil), "files": texts(files), "presentation": "{}", "challenge": "c", "domain": "d"}, 400, "refused", "malformed-request"},
		{"an empty presentation", m{"input": input(t, files, "authority.json", nil), "files": texts(files), "presentation": ""}, 400, "refused", "malformed-request"},
		{"an empty presentation, for nothing", m{"input": input(t, files, "authority.json", nil), "files": texts(files), "presentation": "", "challenge": "", "domain": ""}, 400, "refused", "malformed-request"},
		{"a chain longer than any could be", m{"input": input(t, files, "authority.json", m{"maxChainLength": 3_000_000_000}), "files": texts(files)}, 400, "refused", "malformed-request"},
		{"a presentation that is none", m{"input": input(t, files, "authority.json", m{"primaryChain": m{}}), "presentation": "{}", "challenge": "c", "domain": "d"}, 200, "no", "MALFORMED"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := s.post(t, "/v1/authorize", inJSON, object(t, row.body))
			require.Equal(t, row.status, r.status, r.text)
			require.Equal(t, row.verdict, r.str("verdict"), r.text)
			require.Equal(t, row.code, r.str("code"), r.text)
			if row.status == 200 {
				require.Equal(t, row.verdict == "yes", r.object["authorized"])
				require.Equal(t, "2026-08-01T12:00:00Z", r.object["at"])
				require.NotEmpty(t, r.object["trace"])
			}
		})
	}
	t.Run("nothing configured", func(t *testing.T) {
		t.Parallel()
		s := serve(t, service.Options{Door: service.DoorSocket})
		r := s.post(t, "/v1/authorize", inJSON, object(t, m{"input": input(t, files, "authority.json", nil), "files": texts(files)}))
		require.Equal(t, 501, r.status, r.text)
	})
}

func without(in m, name string) m {
	delete(in, name)
	return in
}
