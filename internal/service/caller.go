package service

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
)

// caller says how who calls is known. The zero caller is refused.
type caller uint8

const (
	callerUnknown     caller = iota
	callerLoopback           // some user of this machine: served, not authenticated
	callerSocket             // the owner of the Unix socket
	callerToken              // who holds a token
	callerCertificate        // who holds a certificate of the authority
)

func (c caller) String() string {
	return [...]string{"unknown", "loopback", "socket", "token", "certificate"}[c]
}

// authenticated reports whether what the caller says of its peers counts.
func (c caller) authenticated() bool { return c >= callerSocket }

// Door says what is known about whoever reaches the listener.
type Door uint8

// The doors. The zero Door lets nobody in without a token.
const (
	DoorOpen         Door = iota // any address
	DoorLoopback                 // TCP on loopback: users of this machine
	DoorSocket                   // a Unix socket that only its owner can open
	DoorCertificates             // TLS with a client certificate that was verified
)

// The bounds of a token file.
const (
	minToken  = 16 // characters: 96 bits in base64
	maxToken  = 1024
	maxTokens = 16 // to replace one by another without a gap
)

// Tokens are the bearer tokens that authenticate a caller. They are kept as hashes,
// whose comparison takes the same time whatever was sent.
type Tokens struct{ hashes [][sha256.Size]byte }

// ParseTokens reads the text of a token file: one token per line, of visible ASCII
// characters; empty lines are ignored.
func ParseTokens(text []byte) (Tokens, error) {
	var t Tokens
	for line := range strings.Lines(string(text)) {
		token := strings.TrimRight(line, "\r\n")
		if token == "" {
			continue
		}
		switch {
		case len(token) < minToken:
			return Tokens{}, fmt.Errorf("expected tokens of at least %d characters, found one of %d", minToken, len(token))
		case len(token) > maxToken:
			return Tokens{}, fmt.Errorf("expected tokens of at most %d characters, found one of %d", maxToken, len(token))
		case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
			return Tokens{}, fmt.Errorf("expected tokens of visible ASCII characters, found another one")
		case len(t.hashes) == maxTokens:
			return Tokens{}, fmt.Errorf("expected at most %d tokens", maxTokens)
		}
		t.hashes = append(t.hashes, sha256.Sum256([]byte(token)))
	}
	if len(t.hashes) == 0 {
		return Tokens{}, fmt.Errorf("expected a token, found none")
	}
	return t, nil
}

// holds reports whether a token is among them.
func (t Tokens) holds(token string) bool {
	hash := sha256.Sum256([]byte(token))
	found := 0
	for _, h := range t.hashes {
		found |= subtle.ConstantTimeCompare(h[:], hash[:])
	}
	return found == 1
}

// readSecret reads a file that holds a secret. One that others can read is refused:
// what it holds is none.
func readSecret(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: expected a regular file", file)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s: expected a file that only its owner can read, found mode %04o; chmod 600 it", file, info.Mode().Perm())
	}
	const most = 64 << 10
	return readAtMost(f, file, most)
}

// identify says who sends a request.
func (s *Server) identify(r *http.Request) caller {
	if len(s.tokens.hashes) > 0 {
		// RFC 9110, section 11.1: the scheme is compared without case.
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if len(r.Header.Values("Authorization")) == 1 && strings.EqualFold(scheme, "Bearer") && s.tokens.holds(token) {
			return callerToken
		}
		return callerUnknown
	}
	switch s.door {
	case DoorSocket:
		return callerSocket
	case DoorCertificates:
		if r.TLS != nil && len(r.TLS.VerifiedChains) > 0 {
			return callerCertificate
		}
	case DoorLoopback:
		return callerLoopback
	}
	return callerUnknown
}
