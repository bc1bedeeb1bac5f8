package strictjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

func TestCanonicalize(t *testing.T) {
	t.Parallel()
	got, err := strictjson.Canonicalize([]byte(` { "b" : 1.0, "\u0061" : [ 1E2, "\u00e9\/" ] } `), strictjson.Limits{})
	require.NoError(t, err)
	require.Equal(t, `{"a":[100,"é/"],"b":1}`, string(got))

	large := []byte(`["` + strings.Repeat("a", 256<<10) + `"]`)
	_, err = strictjson.Canonicalize(large, strictjson.Limits{})
	require.Error(t, err)
	got, err = strictjson.Canonicalize(large, strictjson.Limits{Bytes: 1 << 20})
	require.NoError(t, err)
	require.Equal(t, string(large), string(got))
	for depth, ok := range map[int]bool{10_000: true, 10_001: false} {
		for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
			deep := strings.Repeat(brackets[0], depth) + "1" + strings.Repeat(brackets[1], depth)
			got, err := strictjson.Canonicalize([]byte(deep), strictjson.Limits{Depth: 1 << 20})
			require.Equal(t, ok, err == nil, "%d %s: %v", depth, brackets[0], err)
			if ok {
				require.Equal(t, deep, string(got))
			}
		}
	}
	_, err = strictjson.Canonicalize([]byte(`[[]]`), strictjson.Limits{Depth: 1})
	require.Error(t, err)
	_, err = strictjson.Canonicalize([]byte(`{"a":1,"\u0061":1}`), strictjson.Limits{})
	require.Error(t, err)
}
