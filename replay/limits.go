package replay

import (
	"fmt"
	"time"

	"github.com/rdfproto/rdfproto/canon"
)

// Limits bounds what a Store keeps. A number that is not positive stands for that of
// [DefaultLimits]: there is no "unlimited". Reaching a limit is ErrFull or ErrTooLarge;
// nothing is thrown out before its time to make room.
type Limits struct {
	Life        time.Duration // of a seen message, from its claim
	PerPeer     int           // messages of one peer to one agent
	Messages    int           // messages of all peers
	Answer      int           // bytes of one answer
	PeerBytes   int64         // bytes of the answers to one peer of one agent
	Bytes       int64         // bytes of all answers
	PeerRecords int           // records of one owner
	Records     int           // records of all
	RecordName  int           // bytes of the name of a record; at most MaxRecordName
	Record      int           // bytes of the value of a record
}

// MaxRecordName is the most bytes that [Limits.RecordName] can allow: an embedded store
// keeps names as keys, whose size has a fixed limit.
const MaxRecordName = 16 << 10

// MaxAgreement is the most bytes that an agreement can have as it is kept. A peer makes one
// with each message that names another context, and says how long that name and the address
// of the document are: some 500 bytes in all where nobody means harm. There is room for an
// address as long as one may be, and names of both agents that hold their keys.
const MaxAgreement = 8 << 10

// DefaultLimits returns the limits of a2a-rdf, RPL-3 (24 hours, 10,000 messages per
// peer), and for what it does not name, numbers that a small machine can handle: a seen
// message takes some 200 bytes, a record some 900. There is room for two records of each
// message of a peer: one that names a context of its own leaves an agreement, and what is
// known of the context. So a peer that sends too much is refused before its message is
// judged, but where most of its messages are required offers, or prose that is answered
// with offers: what is known of their contexts lives two days, or thirty.
func DefaultLimits() Limits {
	return Limits{
		Life:        24 * time.Hour,
		PerPeer:     10_000,
		Messages:    500_000,
		Answer:      1 << 20,
		PeerBytes:   16 << 20,
		Bytes:       256 << 20,
		PeerRecords: 20_000,
		Records:     250_000,
		RecordName:  1 << 10,
		Record:      64 << 10,
	}
}

// OrDefault returns l with every number that is not positive replaced by that of
// DefaultLimits.
func (l Limits) OrDefault() Limits {
	d := DefaultLimits()
	pick(&l.Life, d.Life)
	pick(&l.PerPeer, d.PerPeer)
	pick(&l.Messages, d.Messages)
	pick(&l.Answer, d.Answer)
	pick(&l.PeerBytes, d.PeerBytes)
	pick(&l.Bytes, d.Bytes)
	pick(&l.PeerRecords, d.PeerRecords)
	pick(&l.Records, d.Records)
	pick(&l.RecordName, d.RecordName)
	pick(&l.Record, d.Record)
	l.Life = max(l.Life, time.Microsecond) // what ends are kept to
	l.RecordName = min(l.RecordName, MaxRecordName)
	return l
}

func pick[N ~int | ~int64](n *N, otherwise N) {
	if *n <= 0 {
		*n = otherwise
	}
}

// CheckMessage is for implementations of Store: it fails where Claim and Settle must.
func (l Limits) CheckMessage(k Key, content canon.Digest, answer []byte, now time.Time) error {
	switch {
	case k.Message == "" || content.IsZero():
		return ErrKey
	case now.IsZero():
		return fmt.Errorf("%w: none was given", ErrTime)
	case len(answer) > l.Answer:
		return fmt.Errorf("an answer of %d bytes, at most %d: %w", len(answer), l.Answer, ErrTooLarge)
	}
	return nil
}

// CheckRecord is for implementations of Store: it fails where Swap must, before it
// looks at what is stored.
func (l Limits) CheckRecord(name string, value []byte, expires, now time.Time) error {
	switch {
	case now.IsZero():
		return fmt.Errorf("%w: none was given", ErrTime)
	case len(name) > l.RecordName:
		return fmt.Errorf("a record's name of %d bytes, at most %d: %w", len(name), l.RecordName, ErrTooLarge)
	case len(value) > l.Record:
		return fmt.Errorf("a record of %d bytes, at most %d: %w", len(value), l.Record, ErrTooLarge)
	case value != nil && expires.UnixMicro() <= now.UnixMicro():
		return fmt.Errorf("%w: a record that ends before it begins", ErrTime)
	}
	return nil
}
