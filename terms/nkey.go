package terms

import (
	"bytes"
	"errors"
	"strings"

	"github.com/nats-io/nkeys"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Lengths of nkeys in characters: a public key has a prefix, 32 bytes and a
// checksum; a seed one byte more; a private key 32 more than a public one.
const (
	publicChars  = 56
	seedChars    = 58
	privateChars = 108
)

// publicKey reads the public nkey of a user, an account or an operator (S-2).
func publicKey(s string) (nkeys.KeyPair, bool) {
	if len(s) != publicChars || !isBase32(s) { // nkeys would skip line ends
		return nil, false
	}
	key, err := nkeys.FromPublicKey(s)
	if err != nil || nkeys.CompatibleKeyPair(key, nkeys.PrefixByteUser, nkeys.PrefixByteAccount, nkeys.PrefixByteOperator) != nil {
		return nil, false
	}
	again, err := key.PublicKey()
	return key, err == nil && again == s
}

func isBase32(s string) bool {
	for i := range len(s) {
		if !('A' <= s[i] && s[i] <= 'Z' || '2' <= s[i] && s[i] <= '7') {
			return false
		}
	}
	return true
}

// ValidKey reports whether s is a public nkey that may sign for an owner: one of a
// user, an account or an operator (S-2). The keys of agents are opaque texts instead
// (S-8).
func ValidKey(s string) bool {
	_, ok := publicKey(s)
	return ok
}

// Signer is an owner's private key. It is immutable and safe for concurrent use.
type Signer struct {
	key    nkeys.KeyPair
	public string
}

// ParseSeed reads the seed of a user, an account or an operator: an nkey that begins
// with S. White space around it is ignored. It fails for anything else, and its errors
// hold no part of the seed.
func ParseSeed(data []byte) (*Signer, error) {
	data = bytes.Clone(bytes.TrimSpace(data)) // the key pair keeps it
	errSeed := errors.New("expected the nkey seed of a user, an account or an operator: 58 characters that begin with SU, SA or SO")
	if len(data) != seedChars || !isBase32(string(data)) {
		return nil, errSeed
	}
	key, err := nkeys.FromSeed(data)
	if err != nil || nkeys.CompatibleKeyPair(key, nkeys.PrefixByteUser, nkeys.PrefixByteAccount, nkeys.PrefixByteOperator) != nil {
		return nil, errSeed
	}
	public, err := key.PublicKey()
	if err != nil {
		return nil, errSeed
	}
	return &Signer{key, public}, nil
}

// Key returns the public key as an nkey.
func (s *Signer) Key() string { return s.public }

// privateKeyIn finds a value of a document that holds a private key (S-3): an nkey
// seed or private key, or PEM text, also as a part of a longer text and as the name
// of a member. A document in which many more places begin like a private key than by
// chance is refused as well: finding out about each would take seconds.
func privateKeyIn(root strictjson.Value, size int) (at strictjson.Value, found bool) {
	l := looking{left: 100 + size/25} // of base 32 one place in 220 begins so by chance
	walk(root, func(v strictjson.Value) {
		if found {
			return
		}
		if s, ok := v.Str(); ok && l.holdsPrivateKey(s) {
			at, found = v, true
		}
		if v.Kind() != strictjson.Object {
			return
		}
		for i := range v.Len() {
			if m := v.Member(i); !found && l.holdsPrivateKey(m.Str()) {
				at, found = v, true
			}
		}
	})
	return at, found
}

// looking looks for private keys.
type looking struct{ left int } // places that may still be decoded

func (l *looking) holdsPrivateKey(s string) bool {
	if strings.Contains(s, "PRIVATE KEY-----") {
		return true
	}
	run := 0 // characters of base 32 that end before i
	for i := range len(s) + 1 {
		if i < len(s) && isBase32(s[i:i+1]) {
			run++
			continue
		}
		if run >= seedChars && l.isPrivateIn(s[i-run:i]) {
			return true
		}
		run = 0
	}
	return false
}

// isPrivateIn looks for a private nkey at every place of a run of base 32 characters.
// The first letters rule out nearly every place: that of a seed is followed by that of
// its kind, and both are of five bits of eight, so that the next has three bits that are
// clear.
func (l *looking) isPrivateIn(run string) bool {
	for i := range len(run) - seedChars + 1 {
		seed := run[i] == 'S' && strings.IndexByte("UAONCX", run[i+1]) >= 0 && strings.IndexByte("ABCD", run[i+2]) >= 0
		private := run[i] == 'P' && len(run)-i >= privateChars && strings.IndexByte("ABCD", run[i+1]) >= 0
		if !seed && !private {
			continue
		}
		if l.left--; l.left < 0 {
			return true
		}
		var err error
		if seed {
			_, _, err = nkeys.DecodeSeed([]byte(run[i : i+seedChars]))
		} else {
			_, err = nkeys.Decode(nkeys.PrefixBytePrivate, []byte(run[i:i+privateChars]))
		}
		if err == nil {
			return true
		}
	}
	return false
}
