package canon

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
)

// Digest is a SHA-256 digest: of canonical N-Quads it is the pin of a document
// (a2a-rdf, section 3.1). The zero Digest stands for "no digest" and equals
// nothing. Compare with [Digest.Equal], not with ==.
type Digest [sha256.Size]byte

const digestPrefix = "sha256:"

// Sum returns the digest of bytes.
func Sum(data []byte) Digest { return sha256.Sum256(data) }

// ErrDigest is what the errors of [ParseDigest] wrap.
var ErrDigest = errors.New(`not a pin: expected "sha256:" and 64 lowercase hexadecimal digits`)

// ParseDigest parses a pin: exactly "sha256:" and 64 lowercase hexadecimal
// digits (a2a-rdf, HASH-4 and HASH-5). Nothing is normalized; everything
// else is an error that wraps [ErrDigest] and shows the text as [rdf.Abbreviate]
// does: it comes from someone else.
func ParseDigest(s string) (Digest, error) {
	digits, ok := strings.CutPrefix(s, digestPrefix)
	if !ok || len(digits) != hex.EncodedLen(sha256.Size) {
		return Digest{}, notDigest(s)
	}
	var d Digest
	for i := range digits {
		var v byte
		switch c := digits[i]; {
		case '0' <= c && c <= '9':
			v = c - '0'
		case 'a' <= c && c <= 'f':
			v = c - 'a' + 10
		default:
			return Digest{}, notDigest(s)
		}
		d[i/2] = d[i/2]<<4 | v
	}
	return d, nil
}

// notDigest says what a text has that no pin has: among so many digits one that is wrong or
// missing is not seen.
func notDigest(s string) error {
	if s == "" {
		return fmt.Errorf("%w, found nothing", ErrDigest)
	}
	why := ""
	if digits, ok := strings.CutPrefix(s, digestPrefix); ok {
		rest := strings.TrimLeft(digits, "0123456789abcdef")
		why = fmt.Sprintf(", which has %d digits", len(digits))
		if rest != "" {
			_, size := utf8.DecodeRuneInString(rest)
			why = fmt.Sprintf(`, where "%s" is no such digit`, rdf.Abbreviate(rest[:size]))
		}
	}
	return fmt.Errorf(`%w, found "%s"%s`, ErrDigest, rdf.Abbreviate(s), why)
}

// String returns "sha256:" and 64 lowercase hexadecimal digits.
func (d Digest) String() string {
	return string(hex.AppendEncode([]byte(digestPrefix), d[:]))
}

// IsZero reports whether d is no digest. No document is known to have the zero
// digest, so what never got a value cannot be taken for one.
func (d Digest) IsZero() bool { return d == Digest{} }

// Equal reports whether two digests are the same, in time that does not depend
// on where they differ. The zero Digest equals nothing, not even itself, so
// that a digest that was never computed or never given cannot verify.
func (d Digest) Equal(e Digest) bool {
	return subtle.ConstantTimeCompare(d[:], e[:]) == 1 && !d.IsZero()
}
