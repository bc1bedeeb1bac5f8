package vc_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// keyring reads the controller documents of a folder.
func keyring(t testing.TB, dir string) *vc.Keyring {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []*vc.Controller
	for _, file := range files {
		c, err := vc.ParseController(suite.ReadFile(t, file), vc.Limits{})
		require.NoError(t, err, file)
		all = append(all, c)
	}
	k, err := vc.NewKeyring(all...)
	require.NoError(t, err)
	return k
}

// TestVectors runs the vectors about single credentials and presentations. Those about
// chains are run in package authz.
func TestVectors(t *testing.T) {
	t.Parallel()
	dir := suite.Vectors(t, "agent-authz-credential")
	keys := keyring(t, filepath.Join(dir, "keyring"))
	ran := map[string]int{}
	for _, c := range suite.VectorCases(t, "agent-authz-credential", 21) {
		ran[c.Operation]++
		if c.Operation == "verify-agent-authority" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			var input struct {
				Credential, Presentation, Challenge, Domain string
				Documents                                   map[string]json.RawMessage
				Now                                         time.Time
			}
			require.NoError(t, json.Unmarshal(c.Input, &input))
			if input.Now.IsZero() {
				input.Now = suiteTime
			}
			documents := shelf{}
			for url, value := range input.Documents {
				var file string
				if json.Unmarshal(value, &file) == nil {
					documents[url] = vc.Document{Content: suite.ReadFile(t, filepath.Join(c.Dir, file))}
				}
			}
			v := verifier(t, vc.Config{Keys: keys, Profile: vc.ProfileSVC, Documents: documents, InsecureAnyRelationship: true})
			got := map[string]any{}
			if c.Operation == "verify-presentation-replay" {
				r, err := v.VerifyPresentation(t.Context(), suite.ReadFile(t, filepath.Join(c.Dir, input.Presentation)),
					vc.Expected{Challenge: input.Challenge, Domain: []string{input.Domain}}, input.Now)
				require.NoError(t, err)
				got["verified"], got["codes"] = r.Verified(), append([]vc.Code{}, r.Codes()...)
				if p := r.Presentation(); p != nil {
					digest, err := p.Credentials()[0].Digest(t.Context())
					require.NoError(t, err)
					assert.Equal(t, "zQmP1MZmCSh49VLoKtJemgqMwGHqhYZdTbT2WPDiXcRNV1q", vc.DigestMultibase(digest))
				}
			} else {
				r, err := v.Verify(t.Context(), suite.ReadFile(t, filepath.Join(c.Dir, input.Credential)), input.Now)
				require.NoError(t, err)
				require.True(t, r.Verified(), r.Findings())
				if c.Operation == "verify-credential-status" {
					status, err := v.CheckStatus(t.Context(), r.Credential(), input.Now)
					require.NoError(t, err)
					got["verified"], got["codes"] = status.Clear(), append([]vc.Code{}, status.Codes()...)
				} else {
					b, err := v.BindPolicy(t.Context(), r.Credential(), vc.BindOptions{})
					require.NoError(t, err)
					got["ok"], got["codes"] = b.OK(), append([]vc.Code{}, b.Codes()...)
					if b.Form() != vc.FormNone {
						got["form"] = b.Form()
					}
				}
			}
			text, err := json.Marshal(got)
			require.NoError(t, err)
			assert.JSONEq(t, string(c.Expected), string(text))
		})
	}
	assert.Equal(t, map[string]int{
		"verify-agent-authority": 12, "verify-credential-status": 3, "verify-presentation-replay": 2, "resolve-bound-policy": 4,
	}, ran)
}

// Every credential in the chains of the vectors is verified, except the forged one, and
// the canonical forms of the first are those that the specification has.
func TestVectorCredentials(t *testing.T) {
	t.Parallel()
	dir := suite.Vectors(t, "agent-authz-credential")
	v := verifier(t, vc.Config{Keys: keyring(t, filepath.Join(dir, "keyring")), Profile: vc.ProfileAuto})
	files, err := filepath.Glob(filepath.Join(dir, "cases", "*", "*.vc.json"))
	require.NoError(t, err)
	verified, forged := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		r, err := v.Verify(t.Context(), data, suiteTime)
		require.NoError(t, err)
		switch {
		case r.Verified():
			verified++
			require.Equal(t, vc.ProfileSVC, r.Credential().Profile())
			again, err := vc.Sign(t.Context(), data, ed25519Key(t, 1), vc.SignOptions{Profile: vc.ProfileSVC, Method: "https://a.example/#k"})
			require.NoError(t, err)
			require.Contains(t, string(again), `"proof":[{`)
		default:
			forged++
			require.Equal(t, []vc.Code{vc.CodeInvalidSignature}, r.Codes(), file)
		}
	}
	assert.Equal(t, 41, verified)
	assert.Equal(t, 1, forged)

	steps, err := v.StepsOf(t.Context(), suite.ReadFile(t, filepath.Join(dir, "cases", "happy", "mandate.vc.json")), 0, vc.Ed25519)
	require.NoError(t, err)
	assert.Equal(t, "b136b8290cd8305d3143e487c89ad82b453fceaa16b0c8ff70a6dde7023202cb", hex.EncodeToString(steps.DocumentHash))
	assert.Equal(t, "8f7f46c22ad64e1f3103790f6ae77bce58e87555fe85213ffb4833936e32ce8d", hex.EncodeToString(steps.OptionsHash))
}

// The regression cases of Data Integrity.
func TestCases(t *testing.T) {
	t.Parallel()
	v := verifier(t, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()})
	at := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		dir, file string
		want      []vc.Code
	}{
		{"70-eddsa-jcs-2022", "ok.json", nil},
		{"70-eddsa-jcs-2022", "bad-nfd.json", []vc.Code{vc.CodeInvalidSignature}},
		{"70-eddsa-jcs-2022", "bad-hash-order.json", []vc.Code{vc.CodeInvalidSignature}},
		{"70-eddsa-jcs-2022", "bad-purpose-edited.json", []vc.Code{vc.CodeProofPurposeMismatch, vc.CodeInvalidSignature}},
		{"71-eddsa-rdfc-2022", "ok.json", []vc.Code{vc.CodeMalformed}}, // no credential of the data model
		{"75-issuer-not-controller", "cred.json", []vc.Code{vc.CodeIssuerMismatch}},
	} {
		r, err := v.Verify(t.Context(), suite.ReadFile(t, filepath.Join(suite.CaseDir(t, tt.dir), tt.file)), at)
		require.NoError(t, err)
		assert.Equal(t, tt.want, r.Codes(), tt.dir+"/"+tt.file)
	}
	for file, want := range map[string][]vc.Code{"ok.json": nil, "bad-undefined-term.json": {vc.CodeMalformed}} {
		r, err := v.VerifyProofs(t.Context(), suite.ReadFile(t, filepath.Join(suite.CaseDir(t, "71-eddsa-rdfc-2022"), file)), vc.AssertionMethod, at)
		require.NoError(t, err)
		assert.Equal(t, want, r.Codes(), file)
		if want != nil {
			assert.Equal(t, vc.ProblemDataLoss, r.Findings()[0].Problem)
			assert.Contains(t, r.Findings()[0].Text, "level")
		}
	}
	for file, want := range map[string][]vc.Code{
		"ok.json": nil, "bad-old-challenge.json": {vc.CodeChallengeMismatch}, "bad-no-challenge.json": {vc.CodeChallengeMismatch},
		"bad-domain.json": {vc.CodeDomainMismatch}, "bad-purpose.json": {vc.CodeProofPurposeMismatch},
	} {
		r, err := v.VerifyPresentation(t.Context(), suite.ReadFile(t, filepath.Join(suite.CaseDir(t, "72-vp-challenge-domain"), file)),
			vc.Expected{Challenge: "c-123", Domain: []string{"agent.example"}}, at)
		require.NoError(t, err)
		assert.Equal(t, want, r.Codes(), file)
	}
	dir := suite.CaseDir(t, "74-status-list-errors")
	for file, problem := range map[string]string{
		"no-multibase.json": "begins with", "padded-base64.json": "begins with", "not-gzip.json": "gzip",
		"too-short.json": "at least", "purpose-suspension.json": "", "big-64MiB.json": "limit",
	} {
		_, err := vc.EncodedStatusList(suite.ReadFile(t, filepath.Join(dir, file)), vc.Limits{})
		if problem == "" {
			assert.NoError(t, err, file)
		} else {
			assert.ErrorContains(t, err, problem, file)
		}
	}
}
