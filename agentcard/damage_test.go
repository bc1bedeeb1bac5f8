package agentcard_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

// Every small damage to a signed card is refused, or leaves what the signature
// covers as it was.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, alg := range []agentcard.Algorithm{agentcard.EdDSA, agentcard.ES256, agentcard.ES384, agentcard.RS256, agentcard.PS256} {
		// The bytes of a card meet the same code whatever the algorithm.
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
				kinds := map[string]int{}
				for kind, damaged := range damages(signed) {
					kinds[kind]++
					if testing.Short() && kinds[kind]%8 != 0 {
						continue // with the race detector it takes ten times as long
					}
					stillCovered(t, kind, damaged, keys, want)
				}
				require.Len(t, kinds, 7)
				for kind, n := range kinds {
					require.GreaterOrEqual(t, n, len(signed)-1, kind)
				}
			})
			t.Run(string(alg)+"/"+name+"/values", func(t *testing.T) {
				t.Parallel()
				n := 0
				for kind, damaged := range treeDamages(t, signed) {
					n++
					stillCovered(t, kind, damaged, keys, want)
				}
				require.Greater(t, n, 40)
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

// covered is what the first reading makes of a card.
func covered(t testing.TB, card []byte) []byte {
	t.Helper()
	payload, err := parse(t, card).Payload(agentcard.Spec)
	require.NoError(t, err)
	return payload
}

func stillCovered(t testing.TB, kind string, damaged []byte, keys agentcard.Keys, want []byte) {
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
		require.Equal(t, string(want), string(got), "%s was not noticed: %s", kind, damaged)
	}
}

// damages yields every damage of one place in a text.
func damages(text []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		for i := range text {
			before, after := text[:i], text[i+1:]
			for _, bit := range []byte{0x01, 0x20} {
				if !yield("flip", slices.Concat(before, []byte{text[i] ^ bit}, after)) {
					return
				}
			}
			if !yield("drop", slices.Concat(before, after)) ||
				!yield("duplicate", slices.Concat(before, text[i:i+1], text[i:])) ||
				!yield("truncate", slices.Clone(before)) ||
				!yield("insert", slices.Concat(before, []byte{"0x\"}], \\"[i%8]}, text[i:])) ||
				!yield("append", slices.Concat(text, text[i:i+1])) {
				return
			}
			if i > 0 && !yield("swap", slices.Concat(text[:i-1], []byte{text[i], text[i-1]}, after)) {
				return
			}
		}
	}
}

// treeDamages yields every damage of one value of a document: removed, doubled,
// exchanged with its neighbour, emptied, replaced by a value of another kind.
func treeDamages(t *testing.T, text []byte) func(yield func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		var tree any
		require.NoError(t, json.Unmarshal(text, &tree))
		emit := func(kind string) bool {
			b, err := json.Marshal(tree)
			require.NoError(t, err)
			return yield(kind, b)
		}
		others := []any{nil, false, true, "", "x", 0.0, []any{}, map[string]any{}, []any{map[string]any{}}}
		var walk func(v any) bool
		walk = func(v any) bool {
			switch v := v.(type) {
			case map[string]any:
				names := make([]string, 0, len(v))
				for name := range v {
					names = append(names, name)
				}
				slices.Sort(names)
				for i, name := range names {
					old := v[name]
					delete(v, name)
					if !emit("member removed") {
						return false
					}
					v[name+"_"] = old
					if !emit("member renamed") {
						return false
					}
					delete(v, name+"_")
					for _, other := range others {
						v[name] = other
						if !emit(fmt.Sprintf("member replaced by %v", other)) {
							return false
						}
					}
					v[name] = old
					if i > 0 {
						last := names[i-1]
						v[name], v[last] = v[last], v[name]
						if !emit("members exchanged") {
							return false
						}
						v[name], v[last] = v[last], v[name]
					}
					if !walk(old) {
						return false
					}
				}
				v["added"] = "x"
				if !emit("member added") {
					return false
				}
				delete(v, "added")
			case []any:
				for i, old := range v {
					for _, other := range others {
						v[i] = other
						if !emit(fmt.Sprintf("element replaced by %v", other)) {
							return false
						}
					}
					v[i] = old
					if i > 0 {
						v[i], v[i-1] = v[i-1], v[i]
						if !emit("elements exchanged") {
							return false
						}
						v[i], v[i-1] = v[i-1], v[i]
					}
					if !walk(old) {
						return false
					}
				}
			}
			return true
		}
		walk(tree)
	}
}

// A list cannot grow or shrink in place above; here every list loses and repeats
// each of its elements.
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
	// The list of signatures is not covered, but nothing in it makes a bad card good.
	require.Equal(t, agentcard.OutcomeUnsigned, verify(t, parse(t, []byte(card)), keys, agentcard.Policy{}).Outcome)
}

// Protected headers, byte by byte: the signature covers them.
func TestDamagedHeaders(t *testing.T) {
	t.Parallel()
	key := seed(1)
	keys := supplied(t, `{"keys":[`+key.jwk(`,"kid":"k1"`)+`]}`)
	entry := key.entry(goodHeader, small)
	for kind, header := range damages([]byte(goodHeader)) {
		changed := strings.Replace(entry, b64(goodHeader), b64(string(header)), 1)
		r := verify(t, parse(t, withSignatures(changed)), keys, agentcard.Policy{})
		require.NotEqual(t, agentcard.OutcomeVerified, r.Outcome, "%s: %s", kind, header)
	}
}
