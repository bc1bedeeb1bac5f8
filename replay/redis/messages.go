package redis

import (
	"context"
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// messageID names a message in the server: 32 bytes of the peer, 32 of the message.
func messageID(k replay.Key) string {
	peer, message := entry.NewID(k.Local, k.Peer), entry.NewID(k.Context, k.Message)
	return string(append(peer[:], message[:]...))
}

// Claim is Store.Claim of replay.
func (s *Store) Claim(ctx context.Context, k replay.Key, content canon.Digest, now time.Time) (replay.Claim, error) {
	if err := s.limits.CheckMessage(k, content, nil, now); err != nil {
		return replay.Claim{}, err
	}
	token := newToken()
	reply, err := s.call(ctx, s.scripts.claim, resend, now,
		messageID(k), string(content[:]), string(token[:]),
		s.limits.Life.Microseconds(), s.limits.PerPeer, s.limits.Messages, keepFor.Milliseconds())
	if err != nil {
		return replay.Claim{}, err
	}
	switch {
	case reply[0] == answerFresh && len(reply) == 1:
		return replay.Claim{State: replay.Fresh}, nil
	case reply[0] == answerRunning && len(reply) == 1:
		return replay.Claim{State: replay.Running}, nil
	case reply[0] == answerConflict && len(reply) == 1:
		return replay.Claim{State: replay.Conflict}, nil
	case reply[0] == answerAnswered && len(reply) == 2:
		return replay.Claim{State: replay.Answered, Answer: []byte(reply[1])}, nil
	}
	return replay.Claim{}, other(reply)
}

// Settle is Store.Settle of replay.
func (s *Store) Settle(ctx context.Context, k replay.Key, content canon.Digest, answer []byte, now time.Time) error {
	if err := s.limits.CheckMessage(k, content, answer, now); err != nil {
		return err
	}
	reply, err := s.call(ctx, s.scripts.settle, resend, now,
		messageID(k), string(content[:]), string(answer),
		s.limits.PeerBytes, s.limits.Bytes, keepFor.Milliseconds())
	switch {
	case err != nil:
		return err
	case reply[0] == answerOK && len(reply) == 1:
		return nil
	case reply[0] == answerUnknown:
		return replay.ErrNotClaimed
	}
	return other(reply)
}

// other is the error of an answer that a method does not know for itself.
func other(reply []string) error {
	if reply[0] == answerFull {
		return replay.ErrFull
	}
	return fmt.Errorf("%w: an unknown answer of the redis server", replay.ErrCorrupt)
}
