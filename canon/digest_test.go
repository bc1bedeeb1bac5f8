package canon_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
)

const pinA = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"

func TestParseDigest(t *testing.T) {
	t.Parallel()
	hex := strings.TrimPrefix(pinA, "sha256:")
	for _, c := range []struct {
		name, in string
		ok       bool
	}{
		{"pin", pinA, true},
		{"other pin", canon.Sum(nil).String(), true},
		{"empty", "", false},
		{"prefix alone", "sha256:", false},
		{"no prefix", hex, false},
		{"another algorithm", "sha512:" + hex + hex, false},
		{"another algorithm of this length", "sha512:" + hex, false},
		{"shorter algorithm", "sha1:" + hex[:40], false},
		{"md5", "md5:" + hex[:32], false},
		{"upper hexadecimal", "sha256:" + strings.ToUpper(hex), false},
		{"one upper digit", "sha256:4A" + hex[2:], false},
		{"upper prefix", "SHA256:" + hex, false},
		{"short", "sha256:deadbeef", false},
		{"one digit less", pinA[:len(pinA)-1], false},
		{"one digit more", pinA + "0", false},
		{"66 digits", pinA + "00", false},
		{"space after the prefix", "sha256: " + hex, false},
		{"space before", " " + pinA, false},
		{"space behind", pinA + " ", false},
		{"line feed behind", pinA + "\n", false},
		{"line feed for the last digit", pinA[:len(pinA)-1] + "\n", false},
		{"NUL for the last digit", pinA[:len(pinA)-1] + "\x00", false},
		{"dash and base64", "sha256-SvHnDkIoOHLLwN06XuqhvYat2nKMmTRHvtiTDZkKtQk=", false},
		{"not hexadecimal", "sha256:" + strings.Repeat("g", 64), false},
		{"slash", "sha256:" + strings.Repeat("/", 64), false},
		{"colon", "sha256:" + strings.Repeat(":", 64), false},
		{"backquote", "sha256:" + strings.Repeat("`", 64), false},
		{"full width digits", "sha256:" + strings.Repeat("０", 64), false},
		{"full width digits of this many bytes", "sha256:" + strings.Repeat("０", 21) + "0", false},
		{"toy", "sha256:abc123", false},
		{"word", "sha256:GOOD", false},
		{"hexadecimal prefix", "sha256:0x" + hex[2:], false},
		{"JSON null", "null", false},
		{"quoted", `"` + pinA + `"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, err := canon.ParseDigest(c.in)
			if !c.ok {
				require.ErrorIs(t, err, canon.ErrDigest)
				assert.True(t, d.IsZero())
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.in, d.String())
		})
	}
}

// TestNotADigest: the error shows what came and where it is no pin, and no more of it than
// fits in a line.
func TestNotADigest(t *testing.T) {
	t.Parallel()
	const expected = `not a pin: expected "sha256:" and 64 lowercase hexadecimal digits, found `
	hex := strings.TrimPrefix(pinA, "sha256:")
	for _, c := range []struct{ name, in, found string }{
		{"nothing", "", `nothing`},
		{"a word", "word", `"word"`},
		{"no prefix", hex, `"` + hex + `"`},
		{"another algorithm", "sha1:00", `"sha1:00"`},
		{"no digits", "sha256:", `"sha256:", which has 0 digits`},
		{"one digit less", pinA[:70], `"` + pinA[:70] + `", which has 63 digits`},
		{"one digit more", pinA + "0", `"` + pinA + `0", which has 65 digits`},
		{"an upper digit", "sha256:4A" + hex[2:], `"sha256:4A` + hex[2:] + `", where "A" is no such digit`},
		{"a letter, and one digit less", "sha256:4o" + hex[3:], `"sha256:4o` + hex[3:] + `", where "o" is no such digit`},
		{"a space", pinA + " ", `"` + pinA + ` ", where " " is no such digit`},
		{"a line feed", pinA[:70] + "\n", `"` + pinA[:70] + `U+000A", where "U+000A" is no such digit`},
		{"full width digits", "sha256:４", `"sha256:４", where "４" is no such digit`},
		{"no UTF-8", "sha256:\xff", `"sha256:U+FFFD", where "U+FFFD" is no such digit`},
		{"controls of a terminal", "\x1b[2J", `"U+001B[2J"`},
		{"a long text", "sha256:" + strings.Repeat("0", 1<<16), `"sha256:` + strings.Repeat("0", 73) + `...", which has 65536 digits`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := canon.ParseDigest(c.in)
			require.ErrorIs(t, err, canon.ErrDigest)
			require.EqualError(t, err, expected+c.found)
		})
	}
}

// TestParseDigestDamage damages a pin in every small way.
func TestParseDigestDamage(t *testing.T) {
	t.Parallel()
	want, err := canon.ParseDigest(pinA)
	require.NoError(t, err)
	refused := func(s string) {
		d, err := canon.ParseDigest(s)
		assert.False(t, err == nil && d.Equal(want), "%q", s)
	}
	for i := range len(pinA) {
		refused(pinA[:i])
		refused(pinA[:i] + pinA[i+1:])
		for c := range 256 {
			if byte(c) != pinA[i] {
				refused(pinA[:i] + string([]byte{byte(c)}) + pinA[i+1:])
			}
			refused(pinA[:i] + string([]byte{byte(c)}) + pinA[i:])
		}
	}
}

func TestDigestEqual(t *testing.T) {
	t.Parallel()
	a, b := canon.Sum([]byte("a")), canon.Sum([]byte("b"))
	assert.True(t, a.Equal(canon.Sum([]byte("a"))))
	assert.False(t, a.Equal(b))
	for i := range len(a) * 8 {
		flipped := a
		flipped[i/8] ^= 1 << (i % 8)
		assert.False(t, a.Equal(flipped))
		assert.False(t, flipped.Equal(a))
	}
	var zero canon.Digest
	assert.True(t, zero.IsZero())
	assert.False(t, a.IsZero())
	assert.False(t, zero.Equal(zero), "a digest that was never set must not verify")
	assert.False(t, zero.Equal(a))
	assert.False(t, a.Equal(zero))
	zeros, err := canon.ParseDigest("sha256:" + strings.Repeat("0", 64))
	require.NoError(t, err)
	assert.False(t, zeros.Equal(zero), "nor can a peer ask for it")
}

func TestSum(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", canon.Sum(nil).String())
	assert.Equal(t, "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", canon.Sum([]byte("abc")).String())
}
