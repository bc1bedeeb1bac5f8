package service

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// The bounds on intents that wait for their answers. Beyond, the oldest is dropped of the peer
// that has the most: it stays claimed, so that it is never carried out twice, and has no stored
// answer.
const (
	maxWaiting  = 10_000
	waitingLife = time.Hour
	// maxWaitingBytes bounds what they hold together, see held. Most hold some 3 KiB.
	maxWaitingBytes = 64 << 20
)

// waiting are the intents that were accepted and are not answered yet, by handles that
// nobody can guess. It is safe for concurrent use.
type waiting struct {
	now func() time.Time

	mu      sync.Mutex
	intents map[string]waitingIntent
	order   []string // oldest first; some may be answered
	bytes   int      // that they hold
	peers   map[string]*waitingPeer
}

type waitingIntent struct {
	intent *engine.Intent
	peer   *waitingPeer
	until  time.Time
	bytes  int
}

// waitingPeer is what waits of one peer: nobody is to push out what others wait for.
type waitingPeer struct {
	principal string // "" for all without authentication
	order     []string
	intents   int
	bytes     int
}

// held returns how many bytes an intent holds of what its peer sent or caused: its body, its
// graph, the names of its message, what was decided on it, and who it is from. The graph has in
// full what the body may say in short: by a prefix, 14 KB make 4 MB.
func held(in *engine.Intent) int {
	body, _ := in.Body()
	p, a := in.Peer(), in.Authority()
	n := len(body) + len(in.MessageID()) + len(in.ContextID()) + len(in.TaskID())
	n += len(a.Record) + len(a.Reason) + len(p.Principal) + len(p.Card) + len(p.Assigned)
	for _, all := range [...][]string{p.Active, a.Policies} {
		for _, s := range all {
			const header = 16 // of a string
			n += header + len(s)
		}
	}
	return n + graphBytes(in.Graph())
}

// graphBytes returns about how many bytes a graph takes.
func graphBytes(g *rdf.Dataset) int {
	const term, triple = 64, 48 // of a term beside its text, and of a triple with its indexes
	n := term*g.NumTerms() + triple*g.Len()
	for id := range g.NumTerms() {
		n += len(g.Value(rdf.ID(id + 1)))
	}
	return n
}

// add keeps an intent of a peer that holds so many bytes, and returns its handle.
func (w *waiting) add(in *engine.Intent, principal string, size int) string {
	handle := rand.Text() // 128 bits
	now := w.now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.intents == nil {
		w.intents, w.peers = map[string]waitingIntent{}, map[string]*waitingPeer{}
	}
	p := w.peers[principal]
	if p == nil {
		p = &waitingPeer{principal: principal}
		w.peers[principal] = p
	}
	w.intents[handle] = waitingIntent{in, p, now.Add(waitingLife), size}
	w.bytes, p.bytes, p.intents = w.bytes+size, p.bytes+size, p.intents+1
	w.order, p.order = append(w.order, handle), append(p.order, handle)
	for len(w.order) > 0 {
		oldest := w.order[0]
		if in, ok := w.intents[oldest]; ok && now.Before(in.until) {
			break
		}
		w.order = w.order[1:]
		w.forget(oldest)
	}
	for len(w.intents) > maxWaiting || w.bytes > maxWaitingBytes {
		w.push()
	}
	return handle
}

// push drops the oldest intent of the peer that has the most of what there is too much of, and
// of several such peers the oldest.
func (w *waiting) push() {
	amount := func(p *waitingPeer) int { return p.intents }
	if w.bytes > maxWaitingBytes {
		amount = func(p *waitingPeer) int { return p.bytes }
	}
	var most *waitingPeer
	for _, p := range w.peers {
		if most == nil || amount(p) > amount(most) || amount(p) == amount(most) && w.oldest(p).until.Before(w.oldest(most).until) {
			most = p
		}
	}
	w.oldest(most)
	handle := most.order[0]
	most.order = most.order[1:]
	w.forget(handle)
}

// oldest returns the oldest intent of a peer that waits, which is then the first in its order.
func (w *waiting) oldest(p *waitingPeer) waitingIntent {
	for {
		if in, ok := w.intents[p.order[0]]; ok {
			return in
		}
		p.order = p.order[1:]
	}
}

// get returns the intent with a handle, nil when there is none.
func (w *waiting) get(handle string) *engine.Intent {
	w.mu.Lock()
	defer w.mu.Unlock()
	in, ok := w.intents[handle]
	if !ok || !w.now().Before(in.until) {
		return nil
	}
	return in.intent
}

// drop forgets an intent that is answered.
func (w *waiting) drop(handle string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget(handle)
}

func (w *waiting) forget(handle string) {
	in, ok := w.intents[handle]
	if !ok {
		return
	}
	delete(w.intents, handle)
	p := in.peer
	w.bytes, p.bytes, p.intents = w.bytes-in.bytes, p.bytes-in.bytes, p.intents-1
	if p.intents == 0 {
		delete(w.peers, p.principal)
	}
	w.order, p.order = w.unanswered(w.order, len(w.intents)), w.unanswered(p.order, p.intents)
}

// unanswered takes those out of handles that do not wait any more, when they are the most.
func (w *waiting) unanswered(order []string, waits int) []string {
	if len(order) <= 2*waits+16 {
		return order
	}
	return slices.DeleteFunc(order, func(h string) bool { _, ok := w.intents[h]; return !ok })
}

// respondRequest is the body of /v1/respond: the handle of an intent, and an answer of
// one of three kinds.
type respondRequest struct {
	intent string

	response document // a response graph, as it is to be sent
	text     string   // a text for people, beside it or instead of one
	taskID   string

	settle strictjson.Value // an answer of the agent's own form, such as a task

	refuse *refuseRequest // the intent could not be carried out
}

type refuseRequest struct{ code, reason string }

func (q *refuseRequest) fields() []field {
	return []field{{"code", false, text(&q.code)}, {"reason", false, text(&q.reason)}}
}

func (q *respondRequest) fields() []field {
	return []field{
		{"intent", true, text(&q.intent)},
		{"response", false, func(v strictjson.Value) error {
			err := q.response.read(v)
			if err == nil && q.response.content == "" { // it would be none, beside whatever else is sent
				err = malformed("%sexpected a response with something in it", at(v))
			}
			return err
		}},
		{"text", false, text(&q.text)},
		{"taskId", false, text(&q.taskID)},
		{"settle", false, keep(&q.settle)},
		{"refuse", false, func(v strictjson.Value) error {
			q.refuse = &refuseRequest{}
			return readFields(v, q.refuse.fields()...)
		}},
	}
}

// respond ends an intent: it makes the message that answers it, or keeps an answer for
// duplicates of its message.
func (s *Server) respond(ctx context.Context, r *request) answer {
	v, err := r.json()
	if err != nil {
		return refusal(err)
	}
	var q respondRequest
	if err := readFields(v, q.fields()...); err != nil {
		return refusal(err)
	}
	message := q.response.content != "" || q.text != "" || q.taskID != ""
	kinds := 0
	for _, given := range []bool{message, q.settle.Exists(), q.refuse != nil} {
		if given {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return refusal(malformed("expected one of: a response or a text, settle, refuse"))
	case q.response.base != "":
		return refusal(malformed("what agents send has no base"))
	case q.refuse != nil && !knownCode(q.refuse.code):
		return refusal(malformed("refuse: unknown code %s", quote(q.refuse.code)))
	case s.judge.engine == nil:
		return refuse(CodeNotConfigured, "the configuration names no agent")
	}
	in := s.waiting.get(q.intent)
	if in == nil {
		return refuse(CodeUnknownIntent, "no intent with this handle waits for an answer")
	}
	r.log.peer, r.log.message = in.Peer().Principal, in.MessageID()
	var o engine.Outcome
	switch {
	case q.settle.Exists():
		err = s.judge.engine.Settle(ctx, in, []byte(q.settle.Source()))
	case q.refuse != nil:
		o, err = s.judge.engine.Refuse(ctx, in, protocol.Code(q.refuse.code), q.refuse.reason)
	default:
		var m engine.Message
		m, err = s.judge.engine.Respond(ctx, in, engine.Answer{Body: q.response.content, MediaType: q.response.mediaType, Text: q.text, TaskID: q.taskID})
		o.Message = &m
	}
	var wrong *protocol.Error
	switch {
	case errors.As(err, &wrong):
		return no(string(wrong.Code), wrong.Error(), nil) // it still waits
	case errors.Is(err, engine.ErrAnswered): // by a request at the same time
		return refuse(CodeUnknownIntent, "the intent with this handle was answered meanwhile")
	case err != nil:
		return refusal(err)
	}
	s.waiting.drop(q.intent)
	if q.settle.Exists() {
		return yes("the answer is kept for duplicates", nil)
	}
	if q.refuse != nil {
		more, err := outcomeJSON(&o, "")
		if err != nil {
			return answer{cause: err}
		}
		return answer{http: 200, verdict: cli.StatusYes, message: "the refusal is kept for duplicates: send it", more: more}
	}
	text, err := o.Message.AppendJSON(nil)
	if err != nil {
		return answer{cause: err}
	}
	more, err := cli.Marshal(map[string]json.RawMessage{"reply": text})
	if err != nil {
		return answer{cause: err}
	}
	return yes("send the reply", more)
}

// knownCode reports whether a refusal may have a code; it may have none.
func knownCode(code string) bool {
	_, ok := protocol.Code(code).Status()
	return ok || code == ""
}
