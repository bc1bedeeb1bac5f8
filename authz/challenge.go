package authz

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// ChallengeStore accepts every issued challenge once (AZ-5.2). It must be safe for
// concurrent use.
type ChallengeStore interface {
	// Use reports whether a challenge was issued for an exchange, is still good and was
	// not used before, and marks it as used.
	Use(challenge, exchange string) (bool, error)
}

// Challenges is a [ChallengeStore] that issues challenges and lasts as long as the
// process. Make one with [NewChallenges]. It is safe for concurrent use.
type Challenges struct {
	random io.Reader
	clock  func() time.Time
	life   time.Duration

	mu     sync.Mutex
	issued map[string]issued
	swept  time.Time // when those that are too old were last looked for
}

type issued struct {
	exchange string
	until    time.Time
}

const (
	challengeBytes = 24 // 192 bits, more than the 128 that are required
	// slack is how much readings of a clock that is set a little may differ.
	slack = time.Minute
	// maxChallenges is how many may be open: some 20 MB. A peer that opens them all
	// keeps others from theirs for as long as a challenge lives.
	maxChallenges = 100_000
	// sweeps is how often in a life those that are too old are looked for among so many,
	// which takes milliseconds: each waits for its place a little longer.
	sweeps = 300
)

// NewChallenges makes an issuer of challenges that are good for a time; 0 means five
// minutes. random must be a source of secrets, such as crypto/rand.Reader. It fails
// without random or clock, and for a negative time.
func NewChallenges(random io.Reader, clock func() time.Time, life time.Duration) (*Challenges, error) {
	switch {
	case random == nil || clock == nil:
		return nil, errors.New("expected a source of randomness and a clock")
	case life < 0:
		return nil, errors.New("expected a duration that is not negative")
	case life == 0:
		life = 5 * time.Minute
	}
	return &Challenges{random: random, clock: clock, life: life, issued: map[string]issued{}}, nil
}

// Issue returns a new challenge for an exchange, which names a context or task of the
// receiver. It fails when random does, and when too many challenges are open.
func (c *Challenges) Issue(exchange string) (string, error) {
	var secret [challengeBytes]byte
	if _, err := io.ReadFull(c.random, secret[:]); err != nil {
		return "", fmt.Errorf("issuing a challenge: %w", err)
	}
	challenge := base64.RawURLEncoding.EncodeToString(secret[:])
	now := c.clock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if since := now.Sub(c.swept); len(c.issued) >= maxChallenges && (since < 0 || since > c.life/sweeps) {
		c.swept = now
		for old, i := range c.issued {
			if !c.good(i, now) {
				delete(c.issued, old)
			}
		}
	}
	if _, twice := c.issued[challenge]; twice || len(c.issued) >= maxChallenges {
		return "", errors.New("issuing a challenge: too many are open, or the source is not random")
	}
	c.issued[challenge] = issued{exchange, now.Add(c.life)}
	return challenge, nil
}

// good reports whether a challenge is within its life. One that has more left was issued
// by a clock that was ahead.
func (c *Challenges) good(i issued, now time.Time) bool {
	left := i.until.Sub(now)
	return left > 0 && left <= c.life+slack
}

// Use implements [ChallengeStore]. The challenge is looked up in a map by its hash, so
// that the time it takes reveals nothing about the issued ones.
func (c *Challenges) Use(challenge, exchange string) (bool, error) {
	now := c.clock()
	c.mu.Lock()
	defer c.mu.Unlock()
	i, ok := c.issued[challenge]
	if !ok || i.exchange != exchange {
		return false, nil
	}
	delete(c.issued, challenge)
	return c.good(i, now), nil
}
