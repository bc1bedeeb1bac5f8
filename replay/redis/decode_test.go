package redis_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/redis"
)

// FuzzDecodeRecord decodes any text as a record: what can be read is what was
// written.
func FuzzDecodeRecord(f *testing.F) {
	f.Add("0000000000000001" + "00001780000000000000" + "0123456789abcdef" + strings.Repeat("o", 32) + "value")
	f.Add("0000000000000000" + "00001780000000000000" + "0123456789abcdef" + strings.Repeat("o", 32))
	f.Add("0000000000000001" + "99999999999999999999" + "0123456789abcdef" + strings.Repeat("o", 32))
	f.Add("+000000000000001" + "00001780000000000000" + "0123456789abcdef" + strings.Repeat("o", 32))
	f.Add("0000000000000001" + "00001780000000000000" + "0123456789abcdef" + strings.Repeat("o", 31))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := redis.DecodeRecord("name", text)
		if err != nil {
			if !errors.Is(err, replay.ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		again := fmt.Sprintf("%016d%020d", r.Version, r.Expires.UnixMicro()) + text[36:84] + string(r.Value)
		if again != text || r.Version == 0 {
			t.Fatalf("%q, read as %q", text, again)
		}
	})
}
