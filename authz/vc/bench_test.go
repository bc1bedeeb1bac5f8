package vc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

func BenchmarkVerify(b *testing.B) {
	alice, carol, dave := someone(b, vc.Ed25519, 7), someone(b, vc.P256, 8), someone(b, vc.P384, 9)
	w3c := vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin()}
	for _, bb := range []struct {
		name, document string
		config         vc.Config
	}{
		{"svc", signSVC(b, svcCredential), vc.Config{Keys: parties(b), Profile: vc.ProfileSVC}},
		{"eddsa-rdfc-2022", signW3C(b, w3cText(alice.id), alice), w3c},
		{"eddsa-jcs-2022", sign(b, w3cText(alice.id), alice.key, vc.SignOptions{Method: alice.method, Suite: vc.EdDSAJCS2022}), w3c},
		{"ecdsa-rdfc-2019 P-256", signW3C(b, w3cText(carol.id), carol), w3c},
		{"ecdsa-rdfc-2019 P-384", signW3C(b, w3cText(dave.id), dave), w3c},
	} {
		b.Run(bb.name, func(b *testing.B) {
			v, data := verifier(b, bb.config), []byte(bb.document)
			b.ReportAllocs()
			for b.Loop() {
				r, err := v.Verify(b.Context(), data, now)
				if err != nil || !r.Verified() {
					b.Fatal(err, r.Findings())
				}
			}
		})
	}
}

func BenchmarkVerifyPresentation(b *testing.B) {
	v := verifier(b, vc.Config{Keys: parties(b), Profile: vc.ProfileSVC})
	data := []byte(presentSVC(b, signSVC(b, svcCredential)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := v.VerifyPresentation(b.Context(), data, expected, now)
		if err != nil || !r.Verified() {
			b.Fatal(err, r.Findings())
		}
	}
}

func BenchmarkCheckStatus(b *testing.B) {
	alice := someone(b, vc.Ed25519, 7)
	v := verifier(b, vc.Config{Keys: vc.DIDKeys{}, Contexts: jsonld.Builtin(), Documents: shelf{listURL: {Content: []byte(list(b, alice, "revocation", 1)), MediaType: "application/vc"}}})
	c := verify(b, v, signW3C(b, w3cText(alice.id), alice), now).Credential()
	require.NotNil(b, c)
	b.ReportAllocs()
	for b.Loop() {
		r, err := v.CheckStatus(b.Context(), c, now)
		if err != nil || !r.Clear() {
			b.Fatal(err, r.Findings())
		}
	}
}
