package handshake_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestOfferorRecord: a restored offeror behaves as the stored one, whatever comes.
func TestOfferorRecord(t *testing.T) {
	t.Parallel()
	doc := handshake.Document(t, "a")
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	offer := func(required bool) func(*handshake.Offeror) {
		return func(f *handshake.Offeror) {
			o := handshake.Offer{Hash: doc.Pin(), Source: "https://alice.example/p", Required: required, Name: handshake.NewText("a")}
			require.NoError(t, f.Offer(doc, o, "m-1", now))
		}
	}
	answer := func(accept bool) func(*handshake.Offeror) {
		return func(f *handshake.Offeror) { f.Receive(handshake.Response{Hash: doc.Pin(), Accept: accept}, now) }
	}
	for name, steps := range map[string][]func(*handshake.Offeror){
		"new":                {},
		"required, pending":  {offer(true)},
		"optional, pending":  {offer(false)},
		"required, agreed":   {offer(true), answer(true)},
		"required, declined": {offer(true), answer(false)},
		"optional, declined": {offer(false), answer(false)},
		"unrelated":          {offer(false), func(f *handshake.Offeror) { f.Receive(handshake.Response{Accept: true}, now) }},
		"withdrawn":          {offer(true), answer(true), func(f *handshake.Offeror) { f.Withdraw() }},
		"withdrew":           {offer(true), answer(true), answer(false)},
		"no answer":          {offer(true), func(f *handshake.Offeror) { f.ReceiveNothing(protocol.CodeLimitExceeded, now) }},
		"malformed":          {offer(false), func(f *handshake.Offeror) { f.ReceiveMalformed(now) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f handshake.Offeror
			for _, s := range steps {
				s(&f)
			}
			record, err := f.AppendRecord([]byte("x"))
			require.NoError(t, err)
			g, err := handshake.RestoreOfferor(record[1:])
			require.NoError(t, err)
			again, err := g.AppendRecord([]byte("x"))
			require.NoError(t, err)
			require.Equal(t, string(record), string(again))
			require.Equal(t, f.MayUseNaturalLanguage(), g.MayUseNaturalLanguage())
			for _, then := range []func(*handshake.Offeror){answer(true), answer(false)} {
				a, b := f, *g
				then(&a)
				then(&b)
				require.Equal(t, a.State(), b.State())
				require.Equal(t, a.MayUseNaturalLanguage(), b.MayUseNaturalLanguage())
			}
			late := now.Add(time.Hour)
			a, b := f, *g
			require.Equal(t, a.Tick(late), b.Tick(late))
		})
	}
	var f handshake.Offeror
	offer(true)(&f)
	record, err := f.AppendRecord(nil)
	require.NoError(t, err)
	for name, r := range map[string]string{
		"no JSON":                       "",
		"an array":                      "[]",
		"prose after a required offer":  strings.Replace(string(record), `"state":1`, `"state":3,"decision":3`, 1),
		"prose without a decision":      strings.Replace(string(record), `"state":1`, `"state":3`, 1),
		"agreed without a decision":     strings.Replace(string(record), `"state":1`, `"state":2`, 1),
		"a decision while it is open":   strings.Replace(string(record), `"state":1`, `"state":1,"decision":3`, 1),
		"an unknown state":              strings.Replace(string(record), `"state":1`, `"state":9`, 1),
		"required once, but not marked": strings.Replace(string(record), `,"onceRequired":true`, ``, 1),
		"never offered":                 strings.Replace(string(record), `"offered":true`, `"offered":false`, 1),
		"another pin":                   strings.Replace(string(record), `sha256:`, `sha512:`, 1),
		"no source":                     strings.Replace(string(record), `https:`, `http:`, 1),
		"cut":                           string(record[:len(record)-1]),
		"an empty object":               "{}",
		"nothing of an offeror":         `{"a":1,"a":1}`,
		"members of other names":        strings.NewReplacer(`"state"`, `"states"`, `"offered"`, `"offer"`, `"onceRequired"`, `"once"`).Replace(string(record)),
		"a member twice":                strings.Replace(string(record), `{`, `{"state":3,`, 1),
		"a member in capitals":          strings.Replace(string(record), `"required"`, `"Required"`, 1),
		"more members":                  strings.Replace(string(record), `{`, `{"more":3,`, 1),
		"white space":                   string(record) + "\n",
		"never offered, and a pin":      strings.NewReplacer(`"state":1`, `"state":0`, `,"offered":true`, ``, `,"onceRequired":true`, ``).Replace(string(record)),
	} {
		require.False(t, bytes.Equal(record, []byte(r)), name)
		_, err := handshake.RestoreOfferor([]byte(r))
		require.ErrorIs(t, err, handshake.ErrRecord, name)
	}
}
