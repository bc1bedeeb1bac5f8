package service_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/protocol"
	rdfturtle "github.com/rdfproto/rdfproto/rdf/turtle"
)

const (
	owner  = "https://alice.example/#me"
	helper = "https://bob.example/#me"

	policyIRI  = "https://alice.example/policy.ttl#it"
	policyText = `@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
<` + policyIRI + `> a odrl:Agreement ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> ;
  odrl:assigner <` + owner + `> ; odrl:assignee <` + helper + `> ;
  odrl:permission [ odrl:action odrl:read ; odrl:target <https://alice.pod.example/notes/> ] .
`
	domain = "https://alice.example/a2a"
)

// presentation is a chain of one credential, by which the helper reads the owner's
// notes, for a challenge.
func presentation(t testing.TB, challenge string) json.RawMessage {
	t.Helper()
	text := object(t, m{"id": "urn:uuid:2", "holder": helper, "verifiableCredential": []json.RawMessage{mandate(t, owner, helper, policyIRI, policyText, noon())}})
	p, err := vc.Sign(t.Context(), []byte(text), partyKey(t, helper), vc.SignOptions{
		Profile: vc.ProfileSVC, Purpose: vc.Authentication, Challenge: challenge, Domain: []string{domain}, Created: noon(),
	})
	require.NoError(t, err)
	return p
}

// chainJudge is an agent of the owner's that permits by chains that come from her, of which
// it holds the policies of two, and the pin of the document that it speaks.
func chainJudge(t testing.TB) (*service.Judge, string) {
	t.Helper()
	shape, err := protocol.StockRequest(protocol.VerbRead)
	require.NoError(t, err)
	d, err := protocol.Build(t.Context(), protocol.Parts{ID: "https://alice.example/read", Title: "Read", Request: protocol.Shapes{Graph: shape}}, protocol.Options{})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, rdfturtle.Write(&text, d.Dataset(), rdfturtle.WriteOptions{}))
	files := map[string]string{"read.ttl": text.String(), "policy.ttl": policyText, "other.ttl": strings.ReplaceAll(policyText, "policy.ttl", "other.ttl")}
	for name, who := range map[string]string{"keys/owner.json": owner, "keys/helper.json": helper} {
		files[name] = controllerOf(t, who)
	}
	pin := d.Pin().String()
	return judge(t, object(t, m{
		"agent": "https://alice.example/", "domain": domain, "documents": m{pin: "read.ttl"}, "agreements": []string{pin},
		"keys": "keys", "profile": "svc", "authorizer": m{"rootPrincipal": owner, "policies": []string{"other.ttl", "policy.ttl"}},
	}), files), pin
}

// TestReceiveChain: an intent without a chain gets a challenge, one with a chain for it
// is permitted, once.
func TestReceiveChain(t *testing.T) {
	t.Parallel()
	j, pin := chainJudge(t)
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: j})
	ask := func(id, target string, challenge any) result {
		parts := []m{intent(pin, `PREFIX a2a: <https://w3id.org/jeswr/a2a#> PREFIX schema: <https://schema.org/>
			<urn:a2a:intent:1> a a2a:Intent ; a2a:action [ a schema:ReadAction ; schema:object <`+target+`> ] .`)}
		if c, ok := challenge.(string); ok {
			parts = append(parts, tagged("authorization", "", m{"mediaType": "application/vp", "data": presentation(t, c)}))
		}
		r := s.post(t, "/v1/receive", inJSON, object(t, m{"message": msg(id, "c-1", parts...), "peer": helper, "extensions": []string{protocol.ExtensionURI}}))
		require.Equal(t, 200, r.status, r.text)
		return r
	}
	const notes = "https://alice.pod.example/notes/"
	fresh := func(id string) any {
		r := ask(id, notes, nil)
		require.Equal(t, "authorization-denied", r.str("code"), r.text)
		return r.object["challenge"].(m)["challenge"]
	}
	challenge := fresh("m-1")
	r := ask("m-2", notes, challenge)
	require.Equal(t, "intent", r.str("outcome"), r.text)
	accepted := r.object["accepted"].(m)
	require.Equal(t, []any{policyIRI}, accepted["policies"])
	require.NotEmpty(t, accepted["record"])
	require.Equal(t, "authorization-denied", ask("m-3", notes, challenge).str("code"), "a challenge is good once")
	require.Equal(t, "authorization-denied", ask("m-4", "https://alice.pod.example/secrets/", fresh("m-5")).str("code"))
	require.Equal(t, "authorization-denied", ask("m-6", notes, "another").str("code"))
}

// TestAuthorizePresentation: a chain that comes as a presentation, by its holder.
func TestAuthorizePresentation(t *testing.T) {
	t.Parallel()
	j, _ := chainJudge(t)
	s := serve(t, service.Options{Door: service.DoorLoopback, Judge: j})
	body := func(target, challenge string) string {
		return object(t, m{
			"input": m{
				"rootPrincipal": owner, "request": m{"action": "read", "target": target}, "primaryChain": m{"policies": []string{"policy.ttl"}},
			},
			"files": m{"policy.ttl": policyText}, "presentation": string(presentation(t, "c-1")), "challenge": challenge, "domain": domain,
		})
	}
	r := s.post(t, "/v1/authorize", inJSON, body("https://alice.pod.example/notes/", "c-1"))
	require.Equal(t, "yes", r.str("verdict"), r.text)
	require.Equal(t, helper, r.str("leafAssignee"))
	r = s.post(t, "/v1/authorize", inJSON, body("https://alice.pod.example/secrets/", "c-1"))
	require.Equal(t, "POLICY_DENIED", r.str("code"), r.text)
	r = s.post(t, "/v1/authorize", inJSON, body("https://alice.pod.example/notes/", "c-2"))
	require.Equal(t, "CHALLENGE_MISMATCH", r.str("code"), r.text)
}
