package oracle_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/oracle"
)

func TestShrink(t *testing.T) {
	t.Parallel()
	calls := 0
	got := oracle.Shrink([]rune("the quick brown fox jumps over the lazy dog"), func(s []rune) bool {
		calls++
		return strings.ContainsRune(string(s), 'q') && strings.ContainsRune(string(s), 'z')
	})
	assert.Equal(t, "qz", string(got))
	assert.Less(t, calls, 100)
	assert.Empty(t, oracle.Shrink([]int{1, 2, 3}, func([]int) bool { return true }))
	assert.Equal(t, []int{1, 2, 3}, oracle.Shrink([]int{1, 2, 3}, func([]int) bool { return false }))
}

func TestShrinkJSON(t *testing.T) {
	t.Parallel()
	var v any
	d := json.NewDecoder(strings.NewReader(`{"a":[1,{"b":"some text","c":23}],"d":{"e":[true,null]}}`))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	write := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return string(text)
	}
	for _, c := range []struct{ holds, want string }{
		{`"b":"`, `{"b":""}`}, {`x`, `"x"`}, {`"c":`, `{"c":1}`}, {`true`, `true`}, {`null`, `null`}, {`[`, `[]`},
	} {
		got := oracle.ShrinkJSON(v, func(v any) bool { return strings.Contains(write(v), c.holds) })
		assert.Equal(t, c.want, write(got), c.holds)
	}
}

// A pair of faults in one input: the known one does not hide the other.
func TestCompare(t *testing.T) {
	t.Parallel()
	judge := func(parts []string) (string, string) {
		text := strings.Join(parts, "")
		if strings.ContainsAny(text, "xy") {
			return "differs", text
		}
		return "", text
	}
	l := oracle.NewLedger("other", []oracle.Fault[string]{{Cause: "x", Excuses: func(d string) bool { return d == "x" }}})
	assert.Equal(t, []string{"y"}, l.Compare([]string{"a", "x", "b", "y", "c"}, judge, nil))
	assert.Empty(t, l.Compare([]string{"a", "x"}, judge, nil))
	assert.Empty(t, l.Compare([]string{"a", "b"}, judge, nil))
	seen := []string{}
	small := func(how string, parts []string, _ func([]string) bool) []string {
		seen = append(seen, how)
		return parts
	}
	assert.Equal(t, []string{"xx"}, l.Compare([]string{"xx"}, judge, small))
	assert.Equal(t, []string{"differs"}, slices.Compact(seen))
}

func TestSeeds(t *testing.T) {
	t.Setenv(oracle.InputsVariable, "")
	t.Setenv(oracle.FromVariable, "")
	assert.Equal(t, []uint64{0, 1, 2}, slices.Collect(oracle.Seeds(t, 3)))
	t.Setenv(oracle.InputsVariable, "2")
	t.Setenv(oracle.FromVariable, "10")
	assert.Equal(t, []uint64{10, 11}, slices.Collect(oracle.Seeds(t, 3)))
}
