package redis

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// recordHead is what precedes the value of a record: version 16, end 20, token 16,
// owner 32.
const recordHead = 16 + 20 + 16 + len(entry.ID{})

// decodeRecord reads a record as swapScript writes it.
func decodeRecord(name, text string) (r replay.Record, end int64, err error) {
	no := fmt.Errorf("%w: not a record", replay.ErrCorrupt)
	if len(text) < recordHead {
		return replay.Record{}, 0, no
	}
	version, err1 := decimal(text[:16])
	micro, err2 := decimal(text[16:36])
	if err1 != nil || err2 != nil || version == 0 {
		return replay.Record{}, 0, no
	}
	return replay.Record{
		Name: name, Value: []byte(text[recordHead:]), Version: version, Expires: time.UnixMicro(int64(micro)).UTC(),
	}, int64(micro), nil
}

// decimal reads digits, and nothing but digits, that fit an int64.
func decimal(s string) (uint64, error) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, strconv.ErrSyntax
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return uint64(n), err
}

// Load is Store.Load of replay.
func (s *Store) Load(ctx context.Context, name string, now time.Time) (replay.Record, bool, error) {
	if err := s.limits.CheckRecord(name, nil, time.Time{}, now); err != nil {
		return replay.Record{}, false, err
	}
	reply, err := s.call(ctx, s.scripts.load, resend, now, name)
	switch {
	case err != nil:
		return replay.Record{}, false, err
	case reply[0] == answerNo && len(reply) == 1:
		return replay.Record{}, false, nil
	case reply[0] != answerOK || len(reply) != 2:
		return replay.Record{}, false, other(reply)
	}
	r, end, err := decodeRecord(name, reply[1])
	if err != nil || now.UnixMicro() >= end {
		return replay.Record{}, false, err
	}
	return r, true, nil
}

// Swap is Store.Swap of replay.
func (s *Store) Swap(ctx context.Context, name string, owner replay.Owner, old uint64, value []byte, expires, now time.Time) (bool, error) {
	if err := s.limits.CheckRecord(name, value, expires, now); err != nil {
		return false, err
	}
	write, end, again := "1", fmt.Sprintf("%020d", expires.UnixMicro()), resend
	if value == nil {
		write, end, again = "0", "", sendOnce
	}
	token, by := newToken(), entry.NewOwner(owner.Local, owner.Peer)
	reply, err := s.call(ctx, s.scripts.swap, again, now,
		name, fmt.Sprintf("%016d", old), write, end, string(token[:]), string(value), s.limits.Records, keepFor.Milliseconds(),
		string(by[:]), s.limits.PeerRecords)
	switch {
	case err != nil:
		return false, err
	case reply[0] == answerOK && len(reply) == 1:
		return true, nil
	case reply[0] == answerNo && len(reply) == 1:
		return false, nil
	}
	return false, other(reply)
}

// List is Store.List of replay.
func (s *Store) List(ctx context.Context, prefix string, most int, now time.Time) ([]replay.Record, error) {
	if err := s.limits.CheckRecord("", nil, time.Time{}, now); err != nil {
		return nil, err
	}
	reply, err := s.call(ctx, s.scripts.list, resend, now, "["+prefix, after(prefix), max(most, 0))
	switch {
	case err != nil:
		return nil, err
	case reply[0] != answerOK || len(reply)%2 != 1:
		return nil, other(reply)
	}
	var list []replay.Record
	for i := 1; i < len(reply); i += 2 {
		r, end, err := decodeRecord(reply[i], reply[i+1])
		if err != nil {
			return nil, err
		}
		if now.UnixMicro() < end {
			list = append(list, r)
		}
	}
	return list, nil
}

// after returns the least name, as ZRANGEBYLEX excludes it, that is greater than all
// names with a prefix.
func after(prefix string) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			return "(" + prefix[:i] + string([]byte{prefix[i] + 1})
		}
	}
	return "+"
}
