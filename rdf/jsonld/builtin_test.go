package jsonld_test

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// The built-in contexts say what the published ones say, term by term, and those
// are the files that the tables were made after.
func TestSuiteBuiltin(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "vc-contexts")
	published := publishedContexts(t)
	require.Equal(t, []string{jsonld.DataIntegrityV2, jsonld.MultikeyV1, jsonld.CIDV1, jsonld.CredentialsV2}, jsonld.Builtin().IRIs())
	for iri, file := range map[string]struct{ name, digest string }{
		jsonld.CredentialsV2:   {"credentials-v2.jsonld", "59955ced6697d61e03f2b2556febe5308ab16842846f5b586d7f1f7adec92734"},
		jsonld.DataIntegrityV2: {"data-integrity-v2.jsonld", "67f21e6e33a6c14e5ccfd2fc7865f7474fb71a04af7e94136cb399dfac8ae8f4"},
		jsonld.MultikeyV1:      {"multikey-v1.jsonld", ""},
		jsonld.CIDV1:           {"cid-v1.jsonld", "ea216ecc1cb02cd39b693dba2250141e270ba0bf95890be107dd9a9e8e43de85"},
	} {
		t.Run(file.name, func(t *testing.T) {
			t.Parallel()
			if file.digest != "" {
				sum := sha256.Sum256(suite.ReadFile(t, filepath.Join(dir, file.name)))
				assert.Equal(t, file.digest, hex.EncodeToString(sum[:]))
			}
			want, err := jsonld.Describe(published, iri)
			require.NoError(t, err)
			got, err := jsonld.Describe(jsonld.Builtin(), iri)
			require.NoError(t, err)
			assert.Greater(t, strings.Count(want, "\n"), 5)
			assert.Equal(t, want, got)
		})
	}
}

// Documents of the credentials ecosystem are read alike with the built-in
// contexts and with the published ones.
func TestSuiteBuiltinDocuments(t *testing.T) {
	t.Parallel()
	published := publishedContexts(t)
	mixed, err := publishedBut(t, published, jsonld.Builtin().IRIs())
	require.NoError(t, err)
	n := 0
	for _, name := range []string{"vc-di-eddsa", "vc-di-ecdsa", "vc-bitstring-status-list"} {
		files, err := filepath.Glob(filepath.Join(suite.Dir(t, name), "*", "*.json"))
		require.NoError(t, err)
		deeper, err := filepath.Glob(filepath.Join(suite.Dir(t, name), "*", "*", "*.json"))
		require.NoError(t, err)
		flat, err := filepath.Glob(filepath.Join(suite.Dir(t, name), "*.json"))
		require.NoError(t, err)
		for _, file := range append(append(files, deeper...), flat...) {
			data := suite.ReadFile(t, file)
			want, err := jsonld.Parse(data, jsonld.Options{Contexts: published, Base: "https://e.example/"})
			if err != nil {
				_, err := jsonld.Parse(data, jsonld.Options{Contexts: mixed, Base: "https://e.example/"})
				require.Error(t, err, file)
				continue
			}
			got, err := jsonld.Parse(data, jsonld.Options{Contexts: mixed, Base: "https://e.example/"})
			require.NoError(t, err, file)
			assert.Equal(t, string(nquads.Append(nil, want)), string(nquads.Append(nil, got)), file)
			n += min(got.Len(), 1)
		}
	}
	t.Log(n, "documents")
	assert.GreaterOrEqual(t, n, 20)
}

// publishedBut returns the published contexts with the built-in ones in place of
// those with the given IRIs.
func publishedBut(t *testing.T, published *jsonld.Contexts, iris []string) (*jsonld.Contexts, error) {
	t.Helper()
	documents := map[string][]byte{}
	for _, iri := range iris {
		documents[iri] = jsonld.Builtin().Document(iri)
		require.NotEqual(t, string(published.Document(iri)), string(documents[iri]))
	}
	return published.With(documents)
}

// What the built-in contexts say, without the published files.
func TestBuiltin(t *testing.T) {
	t.Parallel()
	require.Same(t, jsonld.Builtin(), jsonld.Builtin())
	o := jsonld.Options{Contexts: jsonld.Builtin()}
	const (
		cred = "https://www.w3.org/2018/credentials#"
		sec  = "https://w3id.org/security#"
	)
	prefixes := strings.NewReplacer("cred:", cred, "sec:", sec, "dc:", "http://purl.org/dc/terms/", "status:", "https://www.w3.org/ns/credentials/status#")
	for _, tt := range []struct{ name, document, want string }{
		{"credential", `{"@context":["https://www.w3.org/ns/credentials/v2"],"id":"ex:c","type":["VerifiableCredential"],"issuer":"ex:i","validFrom":"2026-01-01T00:00:00Z",
			"credentialSubject":{"id":"ex:s","name":"n"}}`,
			`<ex:c> <rdf:type> <cred:VerifiableCredential> .
<ex:c> <cred:issuer> <ex:i> .
<ex:c> <cred:validFrom> "2026-01-01T00:00:00Z"^^<xsd:dateTime> .
<ex:c> <cred:credentialSubject> <ex:s> .
<ex:s> <https://schema.org/name> "n" .`},
		{"proof", `{"@context":"https://www.w3.org/ns/credentials/v2","id":"ex:c","type":"VerifiableCredential","proof":{"type":"DataIntegrityProof","created":"2026-01-01T00:00:00Z",
			"cryptosuite":"eddsa-rdfc-2022","proofPurpose":"assertionMethod","verificationMethod":"ex:k","proofValue":"z1"}}`,
			`<ex:c> <rdf:type> <cred:VerifiableCredential> .
<ex:c> <sec:proof> _:g .
_:p <rdf:type> <sec:DataIntegrityProof> _:g .
_:p <dc:created> "2026-01-01T00:00:00Z"^^<xsd:dateTime> _:g .
_:p <sec:cryptosuite> "eddsa-rdfc-2022"^^<sec:cryptosuiteString> _:g .
_:p <sec:proofPurpose> <sec:assertionMethod> _:g .
_:p <sec:verificationMethod> <ex:k> _:g .
_:p <sec:proofValue> "z1"^^<sec:multibase> _:g .`},
		{"proof alone", `{"@context":"https://w3id.org/security/data-integrity/v2","type":"DataIntegrityProof","proofPurpose":"authentication","challenge":"c"}`,
			`_:p <rdf:type> <sec:DataIntegrityProof> .
_:p <sec:proofPurpose> <sec:authenticationMethod> .
_:p <sec:challenge> "c" .`},
		{"controller document", `{"@context":["https://www.w3.org/ns/cid/v1"],"id":"ex:me","assertionMethod":["ex:k"],"verificationMethod":[{"id":"ex:k","type":"Multikey",
			"controller":"ex:me","publicKeyMultibase":"z6"}]}`,
			`<ex:me> <sec:assertionMethod> <ex:k> .
<ex:me> <sec:verificationMethod> <ex:k> .
<ex:k> <rdf:type> <sec:Multikey> .
<ex:k> <sec:controller> <ex:me> .
<ex:k> <sec:publicKeyMultibase> "z6"^^<sec:multibase> .`},
		{"key", `{"@context":"https://w3id.org/security/multikey/v1","id":"ex:k","type":"Multikey","revoked":"2026-01-01T00:00:00Z"}`,
			`<ex:k> <rdf:type> <sec:Multikey> .
<ex:k> <sec:revoked> "2026-01-01T00:00:00Z"^^<xsd:dateTime> .`},
		{"status entry", `{"@context":"https://www.w3.org/ns/credentials/v2","type":"BitstringStatusListEntry","statusListIndex":"7","statusSize":1}`,
			`_:e <rdf:type> <status:BitstringStatusListEntry> .
_:e <status:statusListIndex> "7" .
_:e <status:statusSize> "1"^^<https://www.w3.org/2001/XMLSchema#integer> .`},
		{"authorization", `{"@context":["https://www.w3.org/ns/credentials/v2",` + string(jsonld.AuthorizationContext.JSON()) + `],"id":"ex:c","type":["VerifiableCredential","AgentAuthorizationCredential"],
			"credentialSubject":{"id":"ex:s","authorizes":"ex:a","action":"acl:Read","target":"ex:t","policy":"ex:p"}}`,
			`<ex:c> <rdf:type> <cred:VerifiableCredential> .
<ex:c> <rdf:type> <https://w3id.org/jeswr/solid-vc#AgentAuthorizationCredential> .
<ex:c> <cred:credentialSubject> <ex:s> .
<ex:s> <https://w3id.org/jeswr/solid-vc#authorizes> <ex:a> .
<ex:s> <https://w3id.org/jeswr/solid-vc#action> <http://www.w3.org/ns/auth/acl#Read> .
<ex:s> <https://w3id.org/jeswr/solid-vc#target> <ex:t> .
<ex:s> <https://w3id.org/jeswr/solid-vc#policy> <ex:p> .`},
		{"data integrity behind credentials", `{"@context":["https://www.w3.org/ns/credentials/v2","https://w3id.org/security/data-integrity/v2"],"id":"ex:c","type":"VerifiableCredential"}`,
			`<ex:c> <rdf:type> <cred:VerifiableCredential> .`},
		{"credentials behind data integrity", `{"@context":["https://w3id.org/security/data-integrity/v2","https://www.w3.org/ns/credentials/v2"],"id":"ex:c","type":"VerifiableCredential"}`,
			`<ex:c> <rdf:type> <cred:VerifiableCredential> .`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check(t, tt.document, prefixes.Replace(tt.want), o)
		})
	}
	for _, c := range []refusalCase{
		{"a protected term", jsonld.CodeProtectedTermRedefinition, `{"@context":["https://www.w3.org/ns/credentials/v2",{"name":"ex:name"}]}`, "/@context/1/name", "name"},
		{"a protected term with another scoped context", jsonld.CodeProtectedTermRedefinition,
			`{"@context":["https://www.w3.org/ns/credentials/v2",{"DataIntegrityProof":{"@id":"https://w3id.org/security#DataIntegrityProof","@context":{}}}]}`,
			"/@context/1/DataIntegrityProof", "DataIntegrityProof"},
		{"an undefined term", jsonld.CodeUndefinedTerm, `{"@context":"https://www.w3.org/ns/credentials/v2","id":"ex:c","colour":"red"}`, "/colour", "colour"},
		{"a context that is not among them", jsonld.CodeLoadingRemoteContext, `{"@context":"https://www.w3.org/2018/credentials/v1"}`, "/@context", "https://www.w3.org/2018/credentials/v1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.check(t, o)
		})
	}
	_, err := jsonld.Parse([]byte(`{"@context":"`+jsonld.CIDV1+`"}`), jsonld.Options{})
	require.Error(t, err, "they are used when they are given")
}

func TestInlineContexts(t *testing.T) {
	t.Parallel()
	for _, c := range jsonld.InlineContexts() {
		v, err := strictjson.Parse(c.JSON(), strictjson.Limits{})
		require.NoError(t, err)
		canonical, err := v.Canonical()
		require.NoError(t, err)
		assert.Equal(t, string(canonical), string(c.JSON()))
		clear(c.JSON())
		assert.Equal(t, string(canonical), string(c.JSON()), "the table is not the caller's")
	}
	assert.Nil(t, jsonld.InlineContext(0).JSON())
	assert.Nil(t, jsonld.InlineContext(99).JSON())
	for _, tt := range []struct {
		name           string
		context        jsonld.InlineContext
		document, want string
	}{
		{"intent", jsonld.IntentContext, `"@id":"ex:i","@type":"Intent","action":{"@type":"schema:ReadAction","object":"ex:o","mode":["acl:Read"]},"agent":"ex:a",
			"parameter":[{"@type":"Parameter","paramKey":"k","paramValue":"v"}]`,
			`<ex:i> <rdf:type> <a2a:Intent> .
<ex:i> <a2a:action> _:a .
_:a <rdf:type> <https://schema.org/ReadAction> .
_:a <https://schema.org/object> <ex:o> .
_:a <a2a:mode> <http://www.w3.org/ns/auth/acl#Read> .
<ex:i> <https://schema.org/agent> <ex:a> .
<ex:i> <a2a:parameter> _:p .
_:p <rdf:type> <a2a:Parameter> .
_:p <a2a:paramKey> "k" .
_:p <a2a:paramValue> "v" .`},
		{"protocol document", jsonld.ProtocolDocumentContext, `"@id":"ex:p","@type":"ProtocolDocument","title":"t","description":"d","version":"1","requestShape":{"@id":"ex:s","@type":"sh:NodeShape","sh:targetClass":{"@id":"a2a:Intent"}}`,
			`<ex:p> <rdf:type> <a2a:ProtocolDocument> .
<ex:p> <http://purl.org/dc/terms/title> "t" .
<ex:p> <http://purl.org/dc/terms/description> "d" .
<ex:p> <http://purl.org/dc/terms/hasVersion> "1" .
<ex:p> <a2a:requestShape> <ex:s> .
<ex:s> <rdf:type> <http://www.w3.org/ns/shacl#NodeShape> .
<ex:s> <http://www.w3.org/ns/shacl#targetClass> <a2a:Intent> .`},
		{"policy", jsonld.ODRLContext, `"@type":"odrl:Agreement","uid":"ex:p","permission":{"action":"acl:Read","target":"ex:t","constraint":{"leftOperand":"odrl:purpose","operator":"odrl:eq","rightOperand":{"@id":"dpv:ResearchAndDevelopment"}}}`,
			`_:p <rdf:type> <odrl#Agreement> .
_:p <odrl#uid> <ex:p> .
_:p <odrl#permission> _:r .
_:r <odrl#action> <http://www.w3.org/ns/auth/acl#Read> .
_:r <odrl#target> <ex:t> .
_:r <odrl#constraint> _:c .
_:c <odrl#leftOperand> <odrl#purpose> .
_:c <odrl#operator> <odrl#eq> .
_:c <odrl#rightOperand> <https://w3id.org/dpv#ResearchAndDevelopment> .`},
		{"delegated policy", jsonld.DelegationContext, `"@id":"ex:p","delegatedUnder":"ex:q","odrld:delegationDepth":0`,
			`<ex:p> <https://w3id.org/jeswr/odrl-delegation#delegatedUnder> <ex:q> .
<ex:p> <https://w3id.org/jeswr/odrl-delegation#delegationDepth> "0"^^<xsd:integer> .`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := strings.NewReplacer("<a2a:", "<https://w3id.org/jeswr/a2a#", "<odrl#", "<http://www.w3.org/ns/odrl/2/").Replace(tt.want)
			check(t, `{"@context":`+string(tt.context.JSON())+`,`+tt.document+`}`, want, jsonld.Options{})
			check(t, `{`+tt.document+`}`, want, jsonld.Options{ExpandContext: tt.context.JSON()})
		})
	}
}

// Nothing of the tables is made before it is asked for, and once at all.
func BenchmarkBuiltin(b *testing.B) {
	credential := []byte(`{"@context":"` + jsonld.CredentialsV2 + `","id":"urn:c","type":"VerifiableCredential","issuer":"urn:i","credentialSubject":{"id":"urn:s"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsonld.Parse(credential, jsonld.Options{Contexts: jsonld.Builtin()}); err != nil {
			b.Fatal(err)
		}
	}
}
