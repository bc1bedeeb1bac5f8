package agentcard_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

func TestReportAsJSON(t *testing.T) {
	t.Parallel()
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	got, err := json.Marshal(verify(t, parse(t, withSignatures(key.entry(goodHeader, small))), keys, agentcard.Policy{}))
	require.NoError(t, err)
	require.Equal(t, `{"outcome":"verified","reading":"spec","payloadSha256":"`+sha([]byte(small))+`","entries":[`+
		`{"index":0,"result":"valid","alg":"EdDSA","kid":"k1","keySource":"supplied","keyTrust":"supplied","readings":["spec"]}],`+
		`"wouldVerifyUnder":[],"uncovered":[],`+
		`"proves":["the covered content did not change since it was signed","the signer held the private key of \"k1\""],`+
		`"doesNotProve":["who owns the key","that the provider can be trusted","what the agent does","who sends a request"]}`, string(got))
	got, err = json.Marshal(verify(t, parse(t, withSignatures(seed(2).entry(goodHeader, small))), keys, agentcard.Policy{}))
	require.NoError(t, err)
	const why = `the signature does not verify with the key \"k1\": the card is not what was signed, or another key signed it`
	require.Equal(t, `{"outcome":"invalid","code":"SIG_INVALID","message":"`+why+`","reading":"spec",`+
		`"payloadSha256":"`+sha([]byte(small))+`","entries":[`+
		`{"index":0,"result":"invalid","code":"SIG_INVALID","message":"`+why+`","alg":"EdDSA","kid":"k1","keySource":"supplied"}],`+
		`"wouldVerifyUnder":[],"uncovered":[]}`, string(got))
	for o := agentcard.OutcomeUnverified; o <= agentcard.OutcomeUnsupported; o++ {
		require.NotEmpty(t, o.String())
	}
	for _, k := range []agentcard.KeyTrust{agentcard.TrustPinnedOrigin, agentcard.TrustPinned, agentcard.TrustLocation, agentcard.TrustSupplied, ""} {
		require.NotEmpty(t, k.Text())
	}
}

func TestImpreciseNumbers(t *testing.T) {
	t.Parallel()
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	for number, warns := range map[string]bool{
		"9007199254740991": false, "9007199254740992": true, "9007199254740993": true, "-9007199254740991": false,
		"-9007199254740992": true, "1e300": false, "123456789012345678901234567890": true, "9007199254740993.0": false, "-0": false,
	} {
		c := parse(t, signedUnder(t, `{"x":`+number+`}`, agentcard.Spec, key))
		r := verify(t, c, keys, agentcard.Policy{})
		require.Equal(t, agentcard.OutcomeVerified, r.Outcome, number)
		require.Equal(t, warns, len(r.Warnings) == 1, number)
		_, err := agentcard.Sign(parse(t, []byte(`{"x":`+number+`}`)), keyFor(t, agentcard.EdDSA, "k"), agentcard.SignOptions{Fragment: true})
		if warns {
			require.Equal(t, agentcard.CodeJSONPrecision, r.Warnings[0].Code)
			require.Equal(t, "/x", r.Warnings[0].Pointer)
			require.Equal(t, agentcard.CodeJSONPrecision, codeOf(t, err))
		} else {
			require.NoError(t, err)
		}
	}
}

func TestAdmit(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.EdDSA, "k")
	good := sign(t, plainCard, key)
	bad := []byte(strings.Replace(string(good), "Pallet", "Packet", 1))
	unsigned := []byte(plainCard)
	old := []byte(`{"url":"https://a.example","protocolVersion":"0.3.0"}`)
	const web, plain = "https://agent.example.com/.well-known/agent-card.json", "http://agent.example.com/card.json"
	for _, row := range []struct {
		name, source string
		card         []byte
		demand       agentcard.Demand
		want         agentcard.Code
	}{
		{"verified", web, good, agentcard.DemandVerified, ""},
		{"verified, from a file", "", good, agentcard.DemandVerified, ""},
		{"verified, not https", plain, good, agentcard.DemandVerified, agentcard.CodeCardNotHTTPS},
		{"not https, nothing demanded", plain, unsigned, agentcard.InsecureIgnoreSignatures, agentcard.CodeCardNotHTTPS},
		{"source of another kind", "ftp://a.example/", good, agentcard.DemandVerified, agentcard.CodeCardNotHTTPS},
		{"unsigned", web, unsigned, agentcard.DemandVerified, agentcard.CodeCardUnsigned},
		{"unsigned, allowed", web, unsigned, agentcard.DemandIfSigned, ""},
		{"unsigned, nothing demanded", web, unsigned, agentcard.InsecureIgnoreSignatures, ""},
		{"bad", web, bad, agentcard.DemandVerified, agentcard.CodeSigInvalid},
		{"bad, allowed unsigned", web, bad, agentcard.DemandIfSigned, agentcard.CodeSigInvalid},
		{"bad, nothing demanded", web, bad, agentcard.InsecureIgnoreSignatures, ""},
		{"0.3", web, old, agentcard.DemandIfSigned, agentcard.CodeCardV03},
		{"verified, nothing demanded", web, good, agentcard.InsecureIgnoreSignatures, ""},
		{"unknown demand", web, unsigned, agentcard.Demand(9), agentcard.CodeCardUnsigned},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := verify(t, parse(t, row.card), public(t, key), agentcard.Policy{Source: row.source})
			a, code := agentcard.Admit(r, row.demand)
			require.Equal(t, row.want, code)
			require.Equal(t, row.want == "", a != nil)
			if a != nil {
				require.Equal(t, string(row.card), string(a.Bytes()))
				require.NotEmpty(t, a.Card().Name())
				_, verified := a.Verified()
				_, want := r.Verified()
				require.Equal(t, want, verified)
			}
		})
	}
}

func TestVerifyConcurrently(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.ES256, "k")
	c, keys := parse(t, sign(t, richCard, key)), public(t, key)
	done := make(chan *agentcard.Report)
	for range 8 {
		go func() {
			r, _ := agentcard.Verify(context.Background(), c, keys, agentcard.Policy{At: noon()})
			done <- r
		}()
	}
	for range 8 {
		require.Equal(t, agentcard.OutcomeVerified, (<-done).Outcome)
	}
}

func BenchmarkVerify(b *testing.B) {
	key := keyFor(b, agentcard.EdDSA, "k")
	for name, card := range map[string]string{"plain": plainCard, "rich": richCard} {
		data, keys := sign(b, card, key), public(b, key)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				c, err := agentcard.Parse(data, agentcard.Limits{})
				if err != nil {
					b.Fatal(err)
				}
				r, err := agentcard.Verify(context.Background(), c, keys, agentcard.Policy{At: time.Unix(1, 0)})
				if err != nil || r.Outcome != agentcard.OutcomeVerified {
					b.Fatal(r, err)
				}
			}
		})
	}
}

func BenchmarkPayload(b *testing.B) {
	c := parse(b, []byte(richCard))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Payload(agentcard.Spec); err != nil {
			b.Fatal(err)
		}
	}
}
