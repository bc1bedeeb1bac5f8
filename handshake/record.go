package handshake

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
)

// offerorRecord is an Offeror as it is stored.
type offerorRecord struct {
	State     OfferorState  `json:"state"`
	Pin       string        `json:"pin,omitempty"`
	Source    string        `json:"source,omitempty"`
	Required  bool          `json:"required,omitempty"`
	Name      *string       `json:"name,omitempty"`
	MessageID string        `json:"messageId,omitempty"`
	Deadline  time.Time     `json:"deadline"`
	Retry     time.Time     `json:"retry"`
	Unrelated int           `json:"unrelated,omitempty"`
	Decision  Outcome       `json:"decision,omitempty"`
	Cause     protocol.Code `json:"cause,omitempty"`
	Offered   bool          `json:"offered,omitempty"`
	Sticky    bool          `json:"onceRequired,omitempty"`
}

// AppendRecord appends the state of the exchange as JSON, for a store that outlives
// the process: a restart must not forget that prose is forbidden. Timeout is not
// included.
func (f *Offeror) AppendRecord(dst []byte) ([]byte, error) {
	r := offerorRecord{
		State: f.state, Source: f.offer.Source, Required: f.offer.Required, MessageID: f.messageID,
		Deadline: f.deadline.UTC(), Retry: f.retry.UTC(), Unrelated: f.unrelated,
		Decision: f.decision.outcome, Cause: f.cause, Offered: f.offered, Sticky: f.required,
	}
	if !f.offer.Hash.IsZero() {
		r.Pin = f.offer.Hash.String()
	}
	if name, ok := f.offer.Name.Get(); ok {
		r.Name = &name
	}
	text, err := json.Marshal(&r)
	return append(dst, text...), err
}

// ErrRecord is the error of [RestoreOfferor].
var ErrRecord = errors.New("the record is not that of an offeror")

// RestoreOfferor returns the Offeror that a record was made from. The record must be
// byte for byte what AppendRecord appended. It fails with [ErrRecord] for one that no
// Offeror makes, such as one in which prose is allowed though the offer was a required
// one: the caller must not send prose then.
func RestoreOfferor(record []byte) (*Offeror, error) {
	var r offerorRecord
	if err := json.Unmarshal(record, &r); err != nil {
		return nil, ErrRecord
	}
	f := &Offeror{
		state: r.State, offer: Offer{Source: r.Source, Required: r.Required}, messageID: r.MessageID,
		deadline: r.Deadline, retry: r.Retry, unrelated: r.Unrelated,
		decision: Decision{r.Decision}, cause: r.Cause, offered: r.Offered, required: r.Sticky,
	}
	if r.Name != nil {
		f.offer.Name = NewText(*r.Name)
	}
	if r.Pin != "" {
		pin, err := canon.ParseDigest(r.Pin)
		if err != nil {
			return nil, ErrRecord
		}
		f.offer.Hash = pin
	}
	if !f.consistent() {
		return nil, ErrRecord
	}
	// A member that is missing, doubled, unknown or spelt in another case reads like one
	// that was never written, and it may be the one that forbids prose.
	if again, err := f.AppendRecord(nil); err != nil || !bytes.Equal(again, record) {
		return nil, ErrRecord
	}
	return f, nil
}

// consistent reports whether the state is one that the machine reaches.
func (f *Offeror) consistent() bool {
	if !f.offered {
		return *f == Offeror{state: OfferorStart} // nothing is known of an offer
	}
	if f.offer.Hash.IsZero() || f.messageID == "" || f.offer.check() != nil || f.offer.Required && !f.required {
		return false
	}
	switch f.state {
	case OfferorStart, OfferorOffered: // withdrawn, or pending
		return f.decision.outcome == Undecided
	case OfferorAgreed:
		return f.decision.outcome == Upgraded
	case OfferorNLAllowed:
		return f.decision.outcome == Declined && !f.offer.Required && !f.required
	case OfferorAborted:
		return f.decision.outcome == Undecided || f.decision.outcome == Refused && f.required
	}
	return false
}
