package authz_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// TestNamedGraphs: what a document says in a named graph is not ignored.
func TestNamedGraphs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(s *setting)
		want   []string
	}{
		"a revocation": {func(s *setting) {
			s.request.Revocations = []authz.RevocationDocument{{Syntax: rdfio.TriG, Content: []byte(prefixes + `<urn:g> { <urn:r> odrld:revokedPolicy <` + policy(1) + `> . }`)}}
		}, []string{"C", "REVOKED"}},
		"a revocation of nothing": {func(s *setting) {
			s.request.Revocations = []authz.RevocationDocument{{Syntax: rdfio.TriG, Content: []byte(prefixes + `<urn:g> { <urn:r> odrld:revokedPolicy "x" . }`)}}
		}, []string{"C", "STATUS_RETRIEVAL_ERROR"}},
		"a prohibition": {func(s *setting) {
			s.hops[0].policy += "<urn:g> { <" + policy(0) + "> odrl:prohibition [ odrl:action odrl:read ; odrl:target <" + target + "> ] . }\n"
			s.after = func(c *authz.Chain) { c.Policies[0].Syntax = rdfio.TriG }
		}, []string{"assembly", "CHAIN_MALFORMED"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			tt.change(s)
			d := s.decide(t)
			require.Equal(t, tt.want, []string{string(d.Phase), string(d.Code)}, d.String())
		})
	}
}

// TestPresentedDigest: the digest in the verified graph is compared, however the document
// writes it.
func TestPresentedDigest(t *testing.T) {
	t.Parallel()
	s := good(t)
	s.config.Binding = authz.InsecureBindingPresented
	h := chain(0, 1)[0]
	const cred = "https://www.w3.org/2018/credentials#"
	text, err := json.Marshal(map[string]any{
		"@context": json.RawMessage(`["https://www.w3.org/ns/credentials/v2",` + authorityContext + `]`), "id": "urn:uuid:2",
		"type": []string{"VerifiableCredential", "AgentAuthorizationCredential"}, "issuer": party(0),
		"credentialSubject":      map[string]any{"id": party(0), "authorizes": party(1), "policy": policy(0)},
		cred + "relatedResource": map[string]any{"id": policy(0), "digestSRI": sri(h.policy)},
	})
	require.NoError(t, err)
	signed, err := vc.Sign(t.Context(), text, privateKey(t, 0), vc.SignOptions{Method: method(0), Contexts: jsonld.Builtin()})
	require.NoError(t, err)
	r := s.request
	r.Actor = party(1)
	for content, want := range map[string]authz.Code{h.policy: "", h.policy + "# x\n": authz.CodePolicyIntegrity} {
		r.Chain = authz.Chain{Credentials: [][]byte{signed}, Policies: []authz.PolicyDocument{{Content: []byte(content)}}}
		d := authorize(t, s.authorizer(t), r)
		require.Equal(t, want, d.Code, d.String())
		require.False(t, d.PolicyIntegrityProvisional)
	}
}

// byReference decides by one credential, signed here, and the document of its policy.
func byReference(t *testing.T, s *setting, credential map[string]any, document authz.PolicyDocument) authz.Decision {
	t.Helper()
	text, err := json.Marshal(credential)
	require.NoError(t, err)
	signed, err := vc.Sign(t.Context(), text, privateKey(t, 0), vc.SignOptions{Method: method(0), Contexts: jsonld.Builtin()})
	require.NoError(t, err)
	r := s.request
	r.Actor = party(1)
	r.Chain = authz.Chain{Credentials: [][]byte{signed}, Policies: []authz.PolicyDocument{document}}
	return authorize(t, s.authorizer(t), r)
}

// TestBesideReference: where its policy is a document, a credential says nothing in ODRL
// itself. It would be lost.
func TestBesideReference(t *testing.T) {
	t.Parallel()
	id := func(iri string) map[string]any { return map[string]any{"id": iri} }
	forbidden := map[string]any{"odrl:action": id("odrl:read"), "odrl:target": id(target)}
	narrow := map[string]any{"odrl:leftOperand": id("odrl:purpose"), "odrl:operator": id("odrl:eq"), "odrl:rightOperand": "x"}
	for name, tt := range map[string]struct {
		change func(credential, related, subject map[string]any)
		ok     bool
	}{
		"nothing":                          {func(_, _, _ map[string]any) {}, true},
		"the target and the action":        {func(_, _, s map[string]any) { s["target"], s["action"] = target, id("odrl:read") }, true},
		"a prohibition of the policy":      {func(_, r, _ map[string]any) { r["odrl:prohibition"] = forbidden }, false},
		"one in a namespace nearly ODRL's": {func(_, r, _ map[string]any) { r["https://www.w3.org/ns/ODRL/2/prohibition"] = forbidden }, false},
		"the policy once more as terms": {func(c, _, _ map[string]any) {
			c["termsOfUse"] = map[string]any{"id": policy(0), "type": "odrl:Set", "odrl:prohibition": forbidden}
		}, false},
		"another policy as terms": {func(c, _, _ map[string]any) {
			c["termsOfUse"] = map[string]any{"id": "urn:q", "type": "odrl:Set", "odrl:prohibition": forbidden}
		}, false},
		"terms of another kind": {func(c, _, _ map[string]any) { c["termsOfUse"] = map[string]any{"type": "schema:DigitalDocument"} }, true},
		"a refined action": {func(_, _, s map[string]any) {
			s["action"] = map[string]any{"id": "odrl:read", "odrl:refinement": narrow}
		}, false},
		"a refined target":            {func(_, _, s map[string]any) { s["target"] = map[string]any{"id": target, "odrl:refinement": narrow} }, false},
		"an action of the credential": {func(c, _, _ map[string]any) { c["action"] = id("odrl:write") }, false},
		"a target of the credential":  {func(c, _, _ map[string]any) { c["target"] = "urn:other" }, false},
		"an action of the policy":     {func(_, r, _ map[string]any) { r["action"] = id("odrl:write") }, false},
		"that it is not revoked":      {func(c, _, _ map[string]any) { c["schema:revoked"] = false }, true},
		"an end of what it grants":    {func(_, _, s map[string]any) { s["schema:validThrough"] = "2020-01-01" }, false},
		"an end of the policy":        {func(_, r, _ map[string]any) { r["schema:validThrough"] = "2020-01-01" }, false},
		"that the policy is replaced": {func(_, r, _ map[string]any) { r["http://purl.org/dc/terms/isReplacedBy"] = id("urn:q") }, false},
		"that another replaces the policy": {func(_, _, s map[string]any) {
			s["schema:about"] = map[string]any{"http://purl.org/dc/terms/replaces": id(policy(0))}
		}, false},
		"that another replaces the policy, in a text": {func(_, _, s map[string]any) {
			s["schema:about"] = map[string]any{"http://purl.org/dc/terms/replaces": policy(0)}
		}, false},
		"that the policy is invalidated": {func(_, _, s map[string]any) {
			s["schema:about"] = map[string]any{"http://www.w3.org/ns/prov#invalidated": id(policy(0))}
		}, false},
		"a last day of the policy":  {func(_, r, _ map[string]any) { r["schema:endDate"] = "2020-01-01" }, false},
		"a last day of the subject": {func(_, _, s map[string]any) { s["schema:endDate"] = "2020-01-01" }, true},
		"the status of a policy that is withdrawn": {func(_, r, _ map[string]any) {
			r["http://www.w3.org/ns/adms#status"] = id("http://purl.org/adms/status/Withdrawn")
		}, false},
		"the status of a consent that was refused": {func(_, r, _ map[string]any) {
			r["https://w3id.org/dpv#hasConsentStatus"] = id("https://w3id.org/dpv#ConsentRefused")
		}, false},
		"the status of a consent that was refused, by its class": {func(_, r, _ map[string]any) {
			r["https://w3id.org/dpv#hasConsentStatus"] = map[string]any{"type": "https://w3id.org/dpv#ConsentRefused"}
		}, false},
		"the status of one that is not": {func(_, r, _ map[string]any) {
			r["http://www.w3.org/ns/adms#status"] = id("http://purl.org/adms/status/Completed")
		}, true},
		"that another is replaced": {func(_, _, s map[string]any) {
			s["schema:about"] = map[string]any{"http://purl.org/dc/terms/replaces": id("urn:q")}
		}, true},
		"an end of another thing":                     {func(_, _, s map[string]any) { s["schema:about"] = map[string]any{"schema:validThrough": "2020-01-01"} }, true},
		"a target within a claim":                     {func(_, _, s map[string]any) { s["schema:about"] = map[string]any{"target": "urn:other"} }, false},
		"another party of the policy":                 {func(_, r, _ map[string]any) { r["authorizes"] = party(5) }, false},
		"a term that is not known, of the subject":    {func(_, _, s map[string]any) { s["svc:constraint"] = "x" }, false},
		"a term that is not known, of the credential": {func(c, _, _ map[string]any) { c["svc:constraint"] = "x" }, false},
		"a term that is not known, of the policy":     {func(_, r, _ map[string]any) { r["svc:constraint"] = "x" }, false},
		"a term that is not known, of the target":     {func(_, _, s map[string]any) { s["target"] = map[string]any{"id": target, "svc:part": "x"} }, false},
		"a term that is not known, within a claim":    {func(_, _, s map[string]any) { s["schema:about"] = map[string]any{"svc:name": "x"} }, true},
		"a constraint of the subject":                 {func(_, _, s map[string]any) { s["odrl:constraint"] = narrow }, false},
		"a constraint of the credential":              {func(c, _, _ map[string]any) { c["odrl:constraint"] = narrow }, false},
		"that the policy is under another":            {func(_, r, _ map[string]any) { r["https://w3id.org/jeswr/odrl-delegation#delegatedUnder"] = id("urn:q") }, false},
		"that the policy is of another use":           {func(_, r, _ map[string]any) { r["schema:about"] = id("odrl:read") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := chain(0, 1)[0]
			related := map[string]any{"id": policy(0), "digestSRI": sri(h.policy)}
			subject := map[string]any{"id": party(0), "authorizes": party(1), "policy": policy(0)}
			credential := map[string]any{
				"@context": json.RawMessage(`["https://www.w3.org/ns/credentials/v2",` + authorityContext + `]`), "id": "urn:uuid:2",
				"type": []string{"VerifiableCredential", "AgentAuthorizationCredential"}, "issuer": party(0),
				"credentialSubject": subject, "relatedResource": related,
			}
			tt.change(credential, related, subject)
			d := byReference(t, good(t), credential, authz.PolicyDocument{Content: []byte(h.policy)})
			require.Equal(t, tt.ok, d.Authorized(), d.String())
			if !tt.ok {
				require.Equal(t, authz.CodePolicyIntegrity, d.Code)
			}
		})
	}
}

// TestBesideDocument: where a credential names the document of its policy, what it says of
// the policy by its own name counts as well.
func TestBesideDocument(t *testing.T) {
	t.Parallel()
	for name, about := range map[string]struct {
		iri string
		ok  bool
	}{
		"the document":   {"https://p0.example/policy.ttl", false},
		"the policy":     {policy(0), false},
		"another policy": {policy(1), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := chain(0, 1)[0]
			const document = "https://p0.example/policy.ttl"
			s := good(t)
			s.config.DocumentReference = true
			d := byReference(t, s, map[string]any{
				"@context": json.RawMessage(`["https://www.w3.org/ns/credentials/v2",` + authorityContext + `]`), "id": "urn:uuid:2",
				"type": []string{"VerifiableCredential", "AgentAuthorizationCredential"}, "issuer": party(0),
				"credentialSubject": map[string]any{
					"id": party(0), "authorizes": party(1), "policy": document,
					"schema:about": map[string]any{"id": about.iri, "schema:validThrough": "2020-01-01"},
				},
				"relatedResource": map[string]any{"id": document, "digestSRI": sri(h.policy)},
			}, authz.PolicyDocument{IRI: document, Content: []byte(h.policy)})
			require.Equal(t, about.ok, d.Authorized(), d.String())
			if !about.ok {
				require.Equal(t, authz.CodePolicyIntegrity, d.Code)
			}
		})
	}
}

// TestBesideOther: what a policy or a credential of the chain says of another policy of it
// that ends it.
func TestBesideOther(t *testing.T) {
	t.Parallel()
	const replaces = "http://purl.org/dc/terms/replaces"
	for name, tt := range map[string]struct {
		change func(s *setting)
		want   authz.Code
	}{
		"the root's policy":             {func(s *setting) { s.hops[0].policy += "<urn:q> <" + replaces + "> <" + policy(2) + "> .\n" }, authz.CodePolicyDenied},
		"the root's policy, of another": {func(s *setting) { s.hops[0].policy += "<urn:q> <" + replaces + "> <" + policy(3) + "> .\n" }, ""},
		"the root's credential": {func(s *setting) {
			s.hops[0].subject()["https://schema.org/about"] = map[string]any{"id": "urn:q", replaces: policy(1)}
		}, authz.CodePolicyIntegrity},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := good(t)
			tt.change(s)
			d := s.decide(t)
			require.Equal(t, tt.want, d.Code, d.String())
		})
	}
}
