package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/protocol"
)

// The forms of a stored answer, by its first byte.
const (
	storedReply   = 'm' // an outcome with a message
	storedRefusal = 'r' // a refusal
	storedOwn     = 'a' // bytes of the caller
)

// storedOutcome is an outcome as it is kept for duplicates.
type storedOutcome struct {
	Kind      Kind            `json:"kind,omitempty"`
	Code      protocol.Code   `json:"code,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	Rate      bool            `json:"rate,omitempty"`
	ContextID string          `json:"contextId,omitempty"`
	Challenge *Challenge      `json:"challenge,omitempty"`
	Message   json.RawMessage `json:"message,omitempty"`
}

// maxStoredReason bounds the reason that is kept: it is for a log.
const maxStoredReason = 1024

// settle keeps the outcome of a message that needs nobody else: a refusal, or a reply.
// An intent that was accepted is settled by who carries it out.
func (x *exchange) settle() {
	if x.claim == (claim{}) || x.out.Kind == KindIntent {
		return
	}
	answer, err := storeOutcome(&x.out)
	if err == nil {
		err = x.e.settle(x.ctx, x.claim, answer)
	}
	if err != nil { // the message stays in progress: it is not executed again
		x.log(err)
	}
}

// settle keeps an answer, also when who asked for it is gone: a duplicate must find it.
func (e *Engine) settle(ctx context.Context, c claim, answer []byte) error {
	err := e.config.Store.Settle(context.WithoutCancel(ctx), c.key, c.content, answer, e.config.Clock())
	if err != nil {
		return fmt.Errorf("engine: keeping an answer: %w", err)
	}
	return nil
}

// cut returns a copy of the first bytes of a text, without what would be left of a character.
func cut(s string, most int) string {
	return strings.ToValidUTF8(strings.Clone(s[:min(len(s), most)]), "")
}

func storeOutcome(o *Outcome) ([]byte, error) {
	s := storedOutcome{Kind: o.Kind, Code: o.Code, Reason: cut(o.Reason, maxStoredReason), Rate: o.Rate, ContextID: o.ContextID}
	form := byte(storedRefusal)
	if o.Message != nil {
		form = storedReply
		text, err := o.Message.AppendJSON(nil)
		if err != nil {
			return nil, err
		}
		s.Message = text
	} else {
		s.Challenge = o.Challenge
	}
	text, err := json.Marshal(&s)
	return append([]byte{form}, text...), err
}

// again makes the outcome of a message that was answered before.
func (x *exchange) again(answer []byte) {
	unreadable := func() { x.fail(stepReplay, "replay", errors.New("engine: the stored answer cannot be read")) }
	x.out.Seen = true
	if len(answer) == 0 {
		unreadable()
		return
	}
	if answer[0] == storedOwn {
		x.out.Kind, x.out.Stored = KindDuplicate, answer[1:]
		return
	}
	var s storedOutcome
	if err := json.Unmarshal(answer[1:], &s); err != nil {
		unreadable()
		return
	}
	if s.Message != nil {
		m, err := ParseMessage(s.Message, Limits{Message: int64(len(s.Message))})
		if err != nil {
			unreadable()
			return
		}
		x.out.Message = &m
	}
	switch {
	case answer[0] == storedRefusal && s.Message == nil && (s.Kind == KindRefused || s.Kind == KindAborted):
	case answer[0] == storedReply && s.Message != nil && (s.Kind == KindReply || s.Kind == KindDuplicate || s.Kind == KindAgreed || s.Kind == KindDeclined):
	default:
		unreadable()
		return
	}
	x.out.Kind, x.out.Code, x.out.Reason, x.out.Rate, x.out.ContextID, x.out.Challenge = s.Kind, s.Code, s.Reason, s.Rate, s.ContextID, s.Challenge
}
