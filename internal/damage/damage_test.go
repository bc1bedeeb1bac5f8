package damage_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/damage"
)

const doc = `{"name": "Ann", "tags": ["a", "b"], "more": {"n": 1, "none": []}}` + "\n"

// kinds counts the damages of each kind, and fails on one that is no damage.
func kinds(t *testing.T, of string, all iter.Seq2[damage.Change, []byte]) map[string]int {
	t.Helper()
	n := map[string]int{}
	for c, damaged := range all {
		require.NotEqual(t, of, string(damaged), c)
		n[c.Kind]++
	}
	return n
}

// Every byte of a text is damaged in every way.
func TestBytes(t *testing.T) {
	t.Parallel()
	n := kinds(t, doc, damage.Bytes([]byte(doc)))
	require.Greater(t, n["replace a byte"], len(doc)*9/10, "but where the byte is that one already")
	delete(n, "replace a byte")
	swaps := 0
	for i := range len(doc) - 1 {
		if doc[i] != doc[i+1] {
			swaps++
		}
	}
	require.Equal(t, map[string]int{
		"flip a bit": 3 * len(doc), "drop a byte": len(doc), "double a byte": len(doc), "insert a byte": len(doc), "cut off the end": len(doc),
		"swap bytes": swaps, "append": 11, "prepend": 11, "append itself": 1,
	}, n)
	require.Equal(t, map[string]int{"append": 11, "prepend": 11}, kinds(t, "", damage.Bytes(nil)))
}

func TestTokensAndLines(t *testing.T) {
	t.Parallel()
	var dropped []string
	for c, damaged := range damage.Tokens([]byte(`a-1 "x \" y"; é`)) {
		if c.Kind == "drop a token" {
			dropped = append(dropped, fmt.Sprintf("%d %s", c.Offset, damaged))
		}
	}
	require.Equal(t, []string{`0  "x \" y"; é`, `3 a-1"x \" y"; é`, `4 a-1 ; é`, `12 a-1 "x \" y" é`, `13 a-1 "x \" y";é`, `14 a-1 "x \" y"; `}, dropped)
	require.Equal(t, map[string]int{"drop a line": 3, "double a line": 3, "swap a line": 3, "reverse every line": 1}, kinds(t, "a\nb\nc", damage.Lines([]byte("a\nb\nc"))))
}

// What is damaged of a JSON text are its values: the text around them stays, and
// every value and member is met.
func TestValues(t *testing.T) {
	t.Parallel()
	pointers := map[string]bool{}
	for c, damaged := range damage.Values([]byte(doc)) {
		pointers[c.Pointer] = true
		require.True(t, bytes.HasSuffix(damaged, []byte("\n")), c)
		switch c.Kind {
		case "replace a value": // with what no reader takes, too
		default:
			require.True(t, json.Valid(damaged), "%s: %s", c, damaged)
		}
	}
	require.Equal(t, map[string]bool{"": true, "/name": true, "/tags": true, "/tags/0": true, "/tags/1": true, "/more": true, "/more/n": true, "/more/none": true}, pointers)
	n := kinds(t, doc, damage.Values([]byte(doc)))
	replaced := n["replace a value"]
	delete(n, "replace a value")
	require.Equal(t, 8*19-1, replaced, "each of 8 values by each of 19, and [] not by itself")
	require.Equal(t, map[string]int{
		"wrap a value in an array": 8, "repeat a value in an array": 8, "wrap a value in an object": 8, "make a value a string": 8, "make a string longer": 3,
		"drop an element": 2, "double an element": 2, "add an element": 4, "swap elements": 1, "reverse the elements": 1,
		"drop a member": 5, "double a member": 5, "double a member as null": 5, "rename a member": 5, "change the case of a name": 5,
		"add a member": 7, "swap values": 3, "reverse the members": 2,
	}, n)
	require.Empty(t, kinds(t, "", damage.Values([]byte(`{"a":1,"a":2}`))), "no JSON")
}

// A caller stops where it likes, and a sample is of the whole.
func TestEvery(t *testing.T) {
	t.Parallel()
	all := func(seq iter.Seq2[damage.Change, []byte]) (out []string) {
		for c, damaged := range seq {
			out = append(out, c.String()+": "+string(damaged))
		}
		return out
	}
	whole := all(damage.All([]byte(doc)))
	require.Equal(t, whole, slices.Concat(all(damage.Bytes([]byte(doc))), all(damage.Tokens([]byte(doc))), all(damage.Lines([]byte(doc))), all(damage.Values([]byte(doc)))))
	require.Equal(t, whole, all(damage.Every(1, damage.All([]byte(doc)))))
	third := all(damage.Every(3, damage.All([]byte(doc))))
	require.Len(t, third, len(whole)/3)
	require.Equal(t, []string{whole[2], whole[5]}, third[:2])
	for stop := range len(whole) {
		n := 0
		for range damage.All([]byte(doc)) {
			if n++; n > stop {
				break
			}
		}
		require.Equal(t, stop+1, n)
	}
}
