package jsonld_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// publishedContexts are the contexts of the credentials ecosystem by their IRIs.
func publishedContexts(t testing.TB) *jsonld.Contexts {
	dir := suite.Dir(t, "vc-contexts")
	documents := map[string][]byte{}
	for iri, file := range map[string]string{
		"https://www.w3.org/2018/credentials/v1":           "credentials-v1.jsonld",
		"https://www.w3.org/ns/credentials/v2":             "credentials-v2.jsonld",
		"https://www.w3.org/ns/credentials/examples/v2":    "credentials-examples-v2.jsonld",
		"https://w3id.org/citizenship/v4rc1":               "citizenship-v4rc1.jsonld",
		"https://w3id.org/security/suites/ed25519-2020/v1": "ed25519-2020-v1.json",
		"https://w3id.org/security/data-integrity/v2":      "data-integrity-v2.jsonld",
		"https://w3id.org/security/multikey/v1":            "multikey-v1.jsonld",
		"https://www.w3.org/ns/cid/v1":                     "cid-v1.jsonld",
		"https://w3id.org/vc/status-list/2021/v1":          "status-list-v1.jsonld",
	} {
		documents[iri] = suite.ReadFile(t, filepath.Join(dir, file))
	}
	contexts, err := jsonld.NewContexts(documents)
	require.NoError(t, err)
	return contexts
}

// The documents of the Data Integrity suites have the quads that were signed,
// and nothing of them is dropped: the credential, and the proof's configuration.
func TestSuiteCredentials(t *testing.T) {
	t.Parallel()
	contexts := publishedContexts(t)
	eddsa, ecdsa := suite.Dir(t, "vc-di-eddsa"), suite.Dir(t, "vc-di-ecdsa")
	for _, tt := range []struct{ document, canonical string }{
		{eddsa + "/TestVectors/unsigned.json", eddsa + "/TestVectors/eddsa-rdfc-2022/canonDocDataInt.txt"},
		{eddsa + "/TestVectors/eddsa-rdfc-2022/proofConfigDataInt.json", eddsa + "/TestVectors/eddsa-rdfc-2022/proofCanonDataInt.txt"},
		{eddsa + "/TestVectors/employmentAuth.json", eddsa + "/TestVectors/eddsa-rdfc-2022/employ/canonDocDataInt.txt"},
		{eddsa + "/TestVectors/eddsa-rdfc-2022/employ/proofConfigDataInt.json", eddsa + "/TestVectors/eddsa-rdfc-2022/employ/proofCanonDataInt.txt"},
		{eddsa + "/TestVectors/unsigned.json", eddsa + "/TestVectors/Ed25519Signature2020/canonDocEdSig.txt"},
		{eddsa + "/TestVectors/Ed25519Signature2020/proofConfigEdSig.json", eddsa + "/TestVectors/Ed25519Signature2020/proofCanonEdSig.txt"},
		{ecdsa + "/TestVectors/unsigned.json", ecdsa + "/TestVectors/ecdsa-rdfc-2019-p256/canonDocECDSAP256.txt"},
		{ecdsa + "/TestVectors/ecdsa-rdfc-2019-p256/proofConfigECDSAP256.json", ecdsa + "/TestVectors/ecdsa-rdfc-2019-p256/proofCanonECDSAP256.txt"},
		{ecdsa + "/TestVectors/employmentAuth.json", ecdsa + "/TestVectors/ecdsa-rdfc-2019-p256/employ/canonDocECDSAP256.txt"},
		{ecdsa + "/TestVectors/ecdsa-rdfc-2019-p384/proofConfigECDSAP384.json", ecdsa + "/TestVectors/ecdsa-rdfc-2019-p384/proofCanonECDSAP384.txt"},
	} {
		t.Run(filepath.Base(filepath.Dir(tt.canonical))+"/"+filepath.Base(tt.canonical), func(t *testing.T) {
			t.Parallel()
			got, err := jsonld.Parse(suite.ReadFile(t, filepath.FromSlash(tt.document)), jsonld.Options{Contexts: contexts})
			require.NoError(t, err)
			want, err := nquads.Parse(suite.ReadFile(t, filepath.FromSlash(tt.canonical)), nquads.Options{})
			require.NoError(t, err)
			assert.True(t, suite.Isomorphic(want, got), "want:\n%sgot:\n%s", nquads.Append(nil, want), nquads.Append(nil, got))
		})
	}
}
