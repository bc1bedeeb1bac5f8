package agentcard_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/suite"
)

// Whatever the card, nothing panics, a report is consistent, and what verifies is
// what was signed.
func FuzzVerify(f *testing.F) {
	key := seed(1)
	keys := supplied(f, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	signed := map[string]bool{small: true}
	f.Add(withSignatures(key.entry(goodHeader, small)))
	f.Add([]byte(plainCard))
	f.Add([]byte(richCard))
	f.Add([]byte(declaring(declares)))
	f.Add([]byte(`{"name":"a","signatures":[{"protected":"e30","signature":"AA","header":{}},null]}`))
	for _, seed := range suite.Seeds(f, suite.Cards) {
		f.Add(seed.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := agentcard.Parse(data, agentcard.Limits{CardBytes: 16 << 10, Diagnosis: 64 << 10})
		if err != nil {
			codeOf(t, err)
			return
		}
		r, err := agentcard.Verify(context.Background(), c, keys, agentcard.Policy{At: noon(), Explain: true})
		require.NoError(t, err)
		consistent(t, r)
		if v, ok := r.Verified(); ok {
			payload, err := c.Payload(v.Reading())
			require.NoError(t, err)
			require.True(t, signed[string(payload)], string(payload))
		}
		c.Lint()
		for _, reading := range readings {
			payload, err := c.Payload(reading)
			if err != nil || reading == agentcard.PythonLegacy {
				continue
			}
			// A payload is its own payload: nothing is stripped twice.
			again, err := parse(t, payload).Payload(reading)
			require.NoError(t, err)
			require.Equal(t, string(payload), string(again))
		}
	})
}

// Whatever the header, only one that says what the key is for is valid.
func FuzzHeader(f *testing.F) {
	key := seed(1)
	keys := supplied(f, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	f.Add(goodHeader)
	f.Add(`{"alg":"EdDSA","kid":"k1","typ":"JOSE","jwk":{"kty":"EC"},"x5c":["A"],"crit":[],"b64":false,"nonce":1,"zip":"x","epk":{},"jku":null}`)
	for _, seed := range suite.Seeds(f, suite.Headers) {
		f.Add(string(seed.Data))
	}
	f.Fuzz(func(t *testing.T, header string) {
		c := parse(t, withSignatures(key.entry(header, small)))
		r, err := agentcard.Verify(context.Background(), c, keys, agentcard.Policy{At: noon()})
		require.NoError(t, err)
		consistent(t, r)
		if e := r.Entries[0]; e.Result == agentcard.ResultValid {
			require.Equal(t, "k1", e.KeyID)
			require.Contains(t, []string{"EdDSA", "Ed25519"}, e.Algorithm)
		}
	})
}

// Whatever the keys, a card verifies by the one that signed it alone, and a private key
// is written as what was read.
func FuzzKeys(f *testing.F) {
	f.Add([]byte(`{"keys":[` + seed(1).jwk(`,"kid":"k1","alg":"EdDSA","use":"sig","key_ops":["verify"],"exp":1`) + `]}`))
	f.Add([]byte(`{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}`))
	f.Add([]byte(`{"version":1,"keys":[{"jwk":` + seed(1).jwk(`,"kid":"k1"`) + `,"origins":["https://a.example"],"not_after":"2027-03-01T00:00:00Z"}],"jku":{"mode":"allowlist","allow":["https://a.example"]}}`))
	f.Add([]byte(`{"kty":"OKP","crv":"Ed25519","kid":"k","x":"AA","d":"AA"}`))
	for _, text := range suite.Seeds(f, suite.KeySets) {
		f.Add(text.Data)
	}
	card := parse(f, located(seed(1), "k1", jwksURL))
	f.Fuzz(func(t *testing.T, data []byte) {
		var keys agentcard.Keys
		if set, err := agentcard.ParseKeySet(data, agentcard.Limits{}); err == nil {
			keys.Supplied = set
		} else {
			codeOf(t, err)
		}
		if trust, err := agentcard.ParseTrustStore(data, agentcard.Limits{}); err == nil {
			keys.Trust = trust
		} else {
			codeOf(t, err)
		}
		if key, err := agentcard.ParsePrivateKey(data, agentcard.Limits{}); err != nil {
			codeOf(t, err)
		} else {
			text, err := key.JWK()
			require.NoError(t, err)
			again, err := agentcard.ParsePrivateKey(text, agentcard.Limits{})
			require.NoError(t, err)
			rewritten, err := again.JWK()
			require.NoError(t, err)
			require.Equal(t, string(text), string(rewritten))
			set, err := again.KeySet()
			require.NoError(t, err)
			_, err = agentcard.ParseKeySet(set, agentcard.Limits{})
			require.NoError(t, err, "the public part is a key set")
		}
		r, err := agentcard.Verify(context.Background(), card, keys, agentcard.Policy{At: noon(), Source: homeURL, Explain: true})
		require.NoError(t, err)
		consistent(t, r)
		if r.Outcome == agentcard.OutcomeVerified {
			require.Contains(t, string(data), seed(1).jwk("")[30:60], "only the key that signed verifies")
		}
	})
}

// What can be signed verifies, under every way of writing it, and keeps its text.
func FuzzSign(f *testing.F) {
	key := keyFor(f, agentcard.EdDSA, "k")
	keys := public(f, key)
	f.Add([]byte(plainCard), false)
	f.Add([]byte(richCard), true)
	f.Add([]byte(`{"signatures":[{}],"x":"]"}`), false)
	f.Add([]byte("{ \"signatures\" : null\n}"), false)
	for i, seed := range suite.Seeds(f, suite.Cards) {
		f.Add(seed.Data, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, data []byte, strip bool) {
		c, err := agentcard.Parse(data, agentcard.Limits{CardBytes: 16 << 10})
		if err != nil {
			return
		}
		signed, err := agentcard.Sign(c, key, agentcard.SignOptions{Fragment: true, Strip: strip})
		if err != nil {
			codeOf(t, err)
			return
		}
		again := parse(t, signed)
		r := verify(t, again, keys, agentcard.Policy{})
		require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
		before, err := c.Payload(agentcard.Spec)
		require.NoError(t, err)
		after, err := again.Payload(agentcard.Spec)
		require.NoError(t, err)
		require.Equal(t, string(before), string(after))
		if !strip {
			require.Greater(t, len(signed), len(data))
			n := 0
			for n < len(data) && data[n] == signed[n] {
				n++
			}
			rest := bytes.TrimPrefix(data[n:], []byte("null"))
			require.True(t, bytes.HasSuffix(signed, rest), "the text around the signature stays")
		}
	})
}
