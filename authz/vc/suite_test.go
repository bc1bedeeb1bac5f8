package vc_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// suiteContexts are the built-in contexts and those of the suites' examples.
func suiteContexts(t testing.TB) *jsonld.Contexts {
	dir := suite.Dir(t, "vc-contexts")
	contexts, err := jsonld.Builtin().With(map[string][]byte{
		"https://www.w3.org/ns/credentials/examples/v2": suite.ReadFile(t, filepath.Join(dir, "credentials-examples-v2.jsonld")),
		"https://w3id.org/citizenship/v4rc1":            suite.ReadFile(t, filepath.Join(dir, "citizenship-v4rc1.jsonld")),
	})
	require.NoError(t, err)
	return contexts
}

var suiteTime = time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)

// vectorDir is a folder of W3C test vectors and how its files are named.
type vectorDir struct {
	suite, dir, suffix string
	key                vc.KeyType
	unsigned           string
}

// TestSuiteDataIntegrity runs the vectors of the Data Integrity cryptosuites: it
// reproduces the canonical forms, both hashes, their combination and the signature; the
// signed document verifies, and signing the unsigned one gives it again.
func TestSuiteDataIntegrity(t *testing.T) {
	t.Parallel()
	all := []vectorDir{
		{"vc-di-eddsa", "eddsa-rdfc-2022", "DataInt", vc.Ed25519, "unsigned.json"},
		{"vc-di-eddsa", "eddsa-rdfc-2022/employ", "DataInt", vc.Ed25519, "employmentAuth.json"},
		{"vc-di-eddsa", "eddsa-jcs-2022", "JCS", vc.Ed25519, "unsigned.json"},
		{"vc-di-ecdsa", "ecdsa-rdfc-2019-p256", "ECDSAP256", vc.P256, "unsigned.json"},
		{"vc-di-ecdsa", "ecdsa-rdfc-2019-p256/employ", "ECDSAP256", vc.P256, "employmentAuth.json"},
		{"vc-di-ecdsa", "ecdsa-rdfc-2019-p384", "ECDSAP384", vc.P384, "unsigned.json"},
		{"vc-di-ecdsa", "ecdsa-rdfc-2019-p384/employ", "ECDSAP384", vc.P384, "employmentAuth.json"},
		{"vc-di-ecdsa", "ecdsa-jcs-2019-p256", "JCSECDSAP256", vc.P256, "unsigned.json"},
		{"vc-di-ecdsa", "ecdsa-jcs-2019-p384", "JCSECDSAP384", vc.P384, "unsigned.json"},
	}
	// Every folder of the suites is tested, or is known to be of another cryptosuite.
	found := 0
	for _, name := range []string{"vc-di-eddsa", "vc-di-ecdsa"} {
		root := filepath.Join(suite.Dir(t, name), "TestVectors")
		require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(d.Name(), "signed") && !strings.Contains(path, "ecdsa-sd-2023") &&
				!strings.Contains(path, "Ed25519Signature2020") && !strings.Contains(path, "proof-set-chain") {
				found++
			}
			return err
		}))
	}
	require.Equal(t, len(all), found, "signed documents in the suites")
	contexts := suiteContexts(t)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: contexts})
	for _, tt := range all {
		t.Run(tt.suite+"/"+tt.dir, func(t *testing.T) {
			t.Parallel()
			vectors := filepath.Join(suite.Dir(t, tt.suite), "TestVectors")
			file := func(name, extension string) []byte {
				return suite.ReadFile(t, filepath.Join(vectors, filepath.FromSlash(tt.dir), name+tt.suffix+extension))
			}
			text := func(name string) string { return strings.TrimSpace(string(file(name, ".txt"))) }
			signed := file("signed", ".json")
			steps, err := v.StepsOf(t.Context(), signed, 0, tt.key)
			require.NoError(t, err)
			assert.Equal(t, text("canonDoc"), strings.TrimSpace(string(steps.Document)))
			assert.Equal(t, text("proofCanon"), strings.TrimSpace(string(steps.Options)))
			assert.Equal(t, text("docHash"), hex.EncodeToString(steps.DocumentHash))
			assert.Equal(t, text("proofHash"), hex.EncodeToString(steps.OptionsHash))
			assert.Equal(t, text("combinedHash"), hex.EncodeToString(steps.HashData))
			assert.Equal(t, text("sigHex"), hex.EncodeToString(steps.Signature))

			r, err := v.VerifyProofs(t.Context(), signed, vc.AssertionMethod, suiteTime)
			require.NoError(t, err)
			require.True(t, r.Verified(), r.Findings())

			var configuration struct {
				Cryptosuite        vc.Cryptosuite
				Created            time.Time
				VerificationMethod string
			}
			require.NoError(t, json.Unmarshal(file("proofConfig", ".json"), &configuration))
			unsigned := suite.ReadFile(t, filepath.Join(vectors, tt.unsigned))
			again, err := vc.Sign(t.Context(), unsigned, suiteKey(t, vectors, tt.key), vc.SignOptions{
				Suite: configuration.Cryptosuite, Method: configuration.VerificationMethod, Created: configuration.Created, Contexts: contexts,
				InsecureAnySigner: true, // the issuer of some has another did:key
			})
			require.NoError(t, err)
			assert.JSONEq(t, string(signed), string(again))
			assert.Contains(t, string(again), text("sigBTC58"))
		})
	}
}

// suiteKey reads the key pair of a suite.
func suiteKey(t *testing.T, vectors string, typ vc.KeyType) *vc.PrivateKey {
	name := map[vc.KeyType]string{vc.Ed25519: "keyPair.json", vc.P256: "p256KeyPair.json", vc.P384: "p384KeyPair.json"}[typ]
	var pair struct{ PublicKeyMultibase, SecretKeyMultibase, PrivateKeyMultibase string }
	require.NoError(t, json.Unmarshal(suite.ReadFile(t, filepath.Join(vectors, name)), &pair))
	key, err := vc.ParseSecretMultikey(pair.SecretKeyMultibase + pair.PrivateKeyMultibase)
	require.NoError(t, err)
	require.Equal(t, pair.PublicKeyMultibase, key.Public().Multikey())
	return key
}

// TestSuiteProofSetsAndChains verifies proof sets and chains, and makes them again proof
// by proof.
func TestSuiteProofSetsAndChains(t *testing.T) {
	t.Parallel()
	vectors := filepath.Join(suite.Dir(t, "vc-di-eddsa"), "TestVectors")
	dir := filepath.Join(vectors, "proof-set-chain")
	contexts := suiteContexts(t)
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: contexts})
	var pairs map[string]struct{ PublicKeyMultibase, PrivateKeyMultibase string }
	require.NoError(t, json.Unmarshal(suite.ReadFile(t, filepath.Join(dir, "multiKeyPairs.json")), &pairs))
	keys := map[string]*vc.PrivateKey{}
	for _, pair := range pairs {
		key, err := vc.ParseSecretMultikey(pair.PrivateKeyMultibase)
		require.NoError(t, err)
		keys["did:key:"+pair.PublicKeyMultibase+"#"+pair.PublicKeyMultibase] = key
	}
	require.Len(t, keys, 4)
	for name, proofs := range map[string]int{"signedProofSet1.json": 1, "signedProofSet2.json": 2, "signedProofChain1.json": 3, "signedProofChain2.json": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			signed := suite.ReadFile(t, filepath.Join(dir, name))
			r, err := v.VerifyProofs(t.Context(), signed, vc.AssertionMethod, suiteTime)
			require.NoError(t, err)
			require.True(t, r.Verified(), r.Findings())
			require.Len(t, r.Proofs(), proofs)

			var document struct{ Proof json.RawMessage }
			require.NoError(t, json.Unmarshal(signed, &document))
			var made []struct {
				ID                 string
				Created            time.Time
				VerificationMethod string
				PreviousProof      any
			}
			if document.Proof[0] == '{' {
				document.Proof = append(append([]byte("["), document.Proof...), ']')
			}
			require.NoError(t, json.Unmarshal(document.Proof, &made))
			again := suite.ReadFile(t, filepath.Join(dir, "unsigned.json"))
			for _, p := range made {
				var previous []string
				switch all := p.PreviousProof.(type) {
				case string:
					previous = []string{all}
				case []any:
					for _, one := range all {
						previous = append(previous, one.(string))
					}
				}
				again, err = vc.Sign(t.Context(), again, keys[p.VerificationMethod], vc.SignOptions{
					Method: p.VerificationMethod, Created: p.Created, ID: p.ID, PreviousProof: previous, Contexts: contexts,
				})
				require.NoError(t, err)
			}
			var want, got map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(signed, &want))
			require.NoError(t, json.Unmarshal(again, &got))
			if got["proof"][0] == '{' && want["proof"][0] == '[' {
				got["proof"] = append(append([]byte("["), got["proof"]...), ']')
			}
			assert.JSONEq(t, string(want["proof"]), string(got["proof"]))

			// A chain without a proof that another depends on, or with it changed.
			if proofs > 2 {
				broken := strings.Replace(string(signed), "urn:uuid:8cc9022b-6b14-4cf3-8571-74972c5feb54\",\n      \"cryptosuite", "urn:uuid:00000000-6b14-4cf3-8571-74972c5feb54\",\n      \"cryptosuite", 1)
				require.NotEqual(t, broken, string(signed))
				r, err := v.VerifyProofs(t.Context(), []byte(broken), vc.AssertionMethod, suiteTime)
				require.NoError(t, err)
				assert.Equal(t, []vc.Code{vc.CodeInvalidSignature}, r.Codes())
			}
		})
	}
}
