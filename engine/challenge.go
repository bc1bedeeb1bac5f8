package engine

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/replay"
)

const (
	challengeLife  = 5 * time.Minute // AZ-5.2: a presentation is made at once
	challengeBytes = 24              // 192 bits, more than the 128 that are asked for
)

// issue issues a challenge for a peer and a context, nil when this agent takes no
// presentations. Without a contextId, as when a first message is refused, it is good
// for messages without one.
func (e *Engine) issue(ctx context.Context, by replay.Owner, p *Peer, contextID string, now time.Time) (*Challenge, error) {
	if e.config.Domain == "" {
		return nil, nil
	}
	var secret [challengeBytes]byte
	if _, err := io.ReadFull(e.config.Random, secret[:]); err != nil {
		return nil, fmt.Errorf("engine: issuing a challenge: %w", err)
	}
	c := &Challenge{Challenge: base64.RawURLEncoding.EncodeToString(secret[:]), Domain: e.config.Domain, Expires: now.Add(e.config.ChallengeLife).UTC().Truncate(time.Second)}
	if !now.Before(c.Expires) { // lives under a second are rounded up
		c.Expires = c.Expires.Add(time.Second)
	}
	done, err := e.config.Store.Swap(ctx, challengeName(c.Challenge), by, 0, []byte(e.challengeScope(p, contextID)), c.Expires, now)
	if err != nil {
		return nil, fmt.Errorf("engine: keeping a challenge: %w", err)
	}
	if !done {
		return nil, fmt.Errorf("engine: issuing a challenge: the source of randomness repeats itself")
	}
	return c, nil
}

// challengeName is the name of the record of a challenge. It is a digest: who can list
// the records of a store learns no challenge, and looking one up tells nothing of others.
func challengeName(challenge string) string {
	sum := sha256.Sum256([]byte(challenge))
	return challengePrefix + base64.RawURLEncoding.EncodeToString(sum[:])
}

// challengeScope says whom a challenge is for: always one context, also where agreements
// hold across them.
func (e *Engine) challengeScope(p *Peer, contextID string) string {
	return scopeName("", handshake.Scope{Local: e.config.Local, Peer: p.Principal, Card: p.Card, Context: contextID})
}

// issued is a challenge that a presentation was made for, and that was found good.
type issued struct {
	challenge string
	version   uint64
}

// find looks for the challenge that a presentation says it was made for, among those
// that are good for the peer and the context. The presentation is not verified.
func (e *Engine) find(ctx context.Context, p *Peer, contextID string, presentation []byte, now time.Time) (issued, error) {
	challenge := claimedChallenge(presentation, e.config.Limits.Authorization)
	if challenge == "" || e.config.Domain == "" {
		return issued{}, nil
	}
	r, ok, err := e.config.Store.Load(ctx, challengeName(challenge), now)
	if err != nil {
		return issued{}, fmt.Errorf("engine: reading a challenge: %w", err)
	}
	// One that is good for longer than any was issued by a clock that was ahead.
	tooLong := r.Expires.Sub(now) > e.config.ChallengeLife+handshake.ClockSkew+time.Second
	if !ok || tooLong || string(r.Value) != e.challengeScope(p, contextID) {
		return issued{}, nil
	}
	return issued{challenge, r.Version}, nil
}

// use uses a challenge up and reports whether nobody else did: of all replicas one
// deletes the record as it was found.
func (e *Engine) use(ctx context.Context, c issued, now time.Time) (bool, error) {
	if c.challenge == "" {
		return false, nil
	}
	done, err := e.config.Store.Swap(ctx, challengeName(c.challenge), nobody(), c.version, nil, time.Time{}, now)
	if err != nil {
		return false, fmt.Errorf("engine: using a challenge: %w", err)
	}
	return done, nil
}

// claimedChallenge returns the challenge that the proofs of a presentation name, "" when
// they name none, or several.
func claimedChallenge(presentation []byte, most int64) string {
	root, err := strictjson.Parse(presentation, strictjson.Limits{Bytes: most, Depth: maxNesting})
	if err != nil {
		return ""
	}
	proof := root.Get("proof")
	if proof.Kind() != strictjson.Array {
		s, _ := proof.Get("challenge").Str()
		return s
	}
	found := ""
	for _, p := range proof.Items() {
		s, _ := p.Get("challenge").Str()
		if s == "" || found != "" && s != found {
			return ""
		}
		found = s
	}
	return found
}

// appendChallenge appends a challenge as the metadata has it.
func (c *Challenge) append(dst []byte) []byte {
	dst = appendString(append(dst, `{"challenge":`...), c.Challenge)
	dst = appendMember(dst, "domain", c.Domain)
	dst = appendMember(dst, "expires", timeText(c.Expires))
	return append(dst, '}')
}

// IssueChallenge returns a challenge for a peer and a context, for a caller that hands
// it out by other means than a reply: nil without [Config.Domain]. It counts as one that
// the peer made this side keep, and fails with [replay.ErrFull] where that has no room.
func (e *Engine) IssueChallenge(ctx context.Context, p Peer, contextID string) (*Challenge, error) {
	return e.issue(ctx, e.owner(&p), &p, contextID, e.config.Clock())
}

// ExpectChallenge accepts a challenge that the caller issued, for one message of a peer
// in a context. It must have at least 128 bits that nobody can guess, and must not have
// been used before.
func (e *Engine) ExpectChallenge(ctx context.Context, p Peer, contextID, challenge string) error {
	now := e.config.Clock()
	done, err := e.config.Store.Swap(ctx, challengeName(challenge), e.owner(&p), 0, []byte(e.challengeScope(&p, contextID)), now.Add(e.config.ChallengeLife), now)
	switch {
	case err != nil:
		return fmt.Errorf("engine: keeping a challenge: %w", err)
	case !done:
		return errors.New("engine: the challenge is expected already")
	}
	return nil
}
