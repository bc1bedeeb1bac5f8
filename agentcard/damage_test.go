package agentcard_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/damage"
)

// A signed card that is damaged in any small way is refused, or what the signature covers
// is unchanged.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, alg := range []agentcard.Algorithm{agentcard.EdDSA, agentcard.ES256, agentcard.ES384, agentcard.RS256, agentcard.PS256} {
		// The algorithm makes no difference to how a card is read: one has large cards.
		cards := map[string]string{"small": `{"name":"a","skills":[],"capabilities":{"streaming":false}}`}
		if alg == agentcard.EdDSA {
			cards = map[string]string{"plain": plainCard, "rich": richCard}
		}
		for name, card := range cards {
			key := keyFor(t, alg, "k")
			signed := sign(t, card, key)
			keys := public(t, key)
			want := covered(t, signed)
			t.Run(string(alg)+"/"+name+"/bytes", func(t *testing.T) {
				t.Parallel()
				every := 1
				if testing.Short() {
					every = 9 // with the race detector it takes ten times as long
				}
				for change, damaged := range damage.Every(every, damage.Bytes(signed)) {
					stillCovered(t, change, damaged, keys, want)
				}
			})
			t.Run(string(alg)+"/"+name+"/values", func(t *testing.T) {
				t.Parallel()
				n := 0
				for change, damaged := range damage.Values(signed) {
					n++
					stillCovered(t, change, damaged, keys, want)
				}
				require.Greater(t, n, 200)
			})
			t.Run(string(alg)+"/"+name+"/order", func(t *testing.T) {
				t.Parallel()
				var tree any
				require.NoError(t, json.Unmarshal(signed, &tree))
				for seed := range uint64(30) {
					respelt := respell(rand.New(rand.NewPCG(seed, 2)), tree)
					r := verify(t, parse(t, respelt), keys, agentcard.Policy{})
					require.Equal(t, agentcard.OutcomeVerified, r.Outcome, string(respelt))
				}
			})
		}
	}
}

// covered is the payload of a card under the first reading.
func covered(t testing.TB, card []byte) []byte {
	t.Helper()
	payload, err := parse(t, card).Payload(agentcard.Spec)
	require.NoError(t, err)
	return payload
}

func stillCovered(t testing.TB, change damage.Change, damaged []byte, keys agentcard.Keys, want []byte) {
	t.Helper()
	c, err := agentcard.Parse(damaged, agentcard.Limits{})
	if err != nil {
		codeOf(t, err)
		return
	}
	r := verify(t, c, keys, agentcard.Policy{})
	if r.Outcome != agentcard.OutcomeVerified {
		return
	}
	if got := covered(t, damaged); !bytes.Equal(got, want) {
		require.Equal(t, string(want), string(got), "%s was not noticed: %s", change, damaged)
	}
}

// A card with a list whose elements were removed, repeated, added or reordered is refused
// for its signature.
func TestDamagedLists(t *testing.T) {
	t.Parallel()
	key := keyFor(t, agentcard.EdDSA, "k")
	keys := public(t, key)
	card := strings.NewReplacer(`["freight"]`, `["freight", "rail", "sea"]`, `["application/json"]`, `["application/json", "text/plain"]`).Replace(plainCard)
	signed := string(sign(t, card, key))
	for _, row := range []struct{ old, new string }{
		{`["freight", "rail", "sea"]`, `["rail", "sea"]`},
		{`["freight", "rail", "sea"]`, `["freight", "sea"]`},
		{`["freight", "rail", "sea"]`, `["freight", "rail"]`},
		{`["freight", "rail", "sea"]`, `["freight", "sea", "rail"]`},
		{`["freight", "rail", "sea"]`, `["freight", "freight", "rail", "sea"]`},
		{`["freight", "rail", "sea"]`, `["freight", "rail", "sea", ""]`},
		{`["application/json", "text/plain"]`, `["text/plain", "application/json"]`},
		{`["application/json", "text/plain"]`, `["application/json"]`},
		{`"supportedInterfaces": [`, `"supportedInterfaces": [{},`},
		{`"skills": [`, `"skills": [{"id":"x"},`},
	} {
		damaged := strings.Replace(signed, row.old, row.new, 1)
		require.NotEqual(t, signed, damaged)
		r := verify(t, parse(t, []byte(damaged)), keys, agentcard.Policy{})
		require.Equal(t, agentcard.CodeSigInvalid, r.Code, row.new)
	}
	// The list of signatures is not covered: a card without any is unsigned.
	require.Equal(t, agentcard.OutcomeUnsigned, verify(t, parse(t, []byte(card)), keys, agentcard.Policy{}).Outcome)
}

// A protected header with any byte damaged is refused: the signature covers it.
func TestDamagedHeaders(t *testing.T) {
	t.Parallel()
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	entry := key.entry(goodHeader, small)
	for change, header := range damage.Bytes([]byte(goodHeader)) {
		changed := strings.Replace(entry, b64(goodHeader), b64(string(header)), 1)
		r := verify(t, parse(t, withSignatures(changed)), keys, agentcard.Policy{})
		require.NotEqual(t, agentcard.OutcomeVerified, r.Outcome, "%s: %s", change, header)
	}
}
