package service

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// receiveRequest is the body of /v1/receive: a whole A2A message, and what the agent
// knows of whom it is from.
type receiveRequest struct {
	message    strictjson.Value
	peer       string   // the authenticated principal
	card       string   // the identity of the peer's card or endpoint
	extensions []string // the A2A-Extensions of the request that it came with
	contextID  string   // for a message without one
}

func (q *receiveRequest) fields() []field {
	return []field{
		{"message", true, keep(&q.message)},
		{"peer", false, text(&q.peer)},
		{"card", false, text(&q.card)},
		{"extensions", false, texts(&q.extensions)},
		{"contextId", false, text(&q.contextID)},
	}
}

// from returns the peer, which an intent keeps as long as it waits for its answer: in
// memory of its own, since the texts of a request share that of all of it.
func (q *receiveRequest) from() engine.Peer {
	p := engine.Peer{Principal: strings.Clone(q.peer), Card: strings.Clone(q.card), Assigned: strings.Clone(q.contextID)}
	for _, uri := range q.extensions {
		p.Active = append(p.Active, strings.Clone(uri))
	}
	return p
}

// receive takes a message to its outcome.
func (s *Server) receive(ctx context.Context, r *request) answer {
	v, err := r.json()
	if err != nil {
		return refusal(err)
	}
	var q receiveRequest
	if err := readFields(v, q.fields()...); err != nil {
		return refusal(err)
	}
	r.log.peer = q.peer
	switch {
	case (q.peer != "" || q.card != "") && !r.caller.authenticated():
		return refuse(CodePeerUnauthenticated, "a peer is only taken from a caller that is authenticated: use a Unix socket, a token or a certificate")
	case s.judge.engine == nil:
		return refuse(CodeNotConfigured, "the configuration names no agent")
	}
	m, err := engine.ParseMessage([]byte(q.message.Source()), engine.Limits{})
	if err != nil {
		return s.outcome(engine.Outcome{Code: codeOf(err), Reason: err.Error()})
	}
	r.log.message = m.ID
	o, err := s.judge.engine.Receive(ctx, q.from(), m)
	if err != nil {
		a := refusal(err)
		if o.Kind == engine.KindRefused { // it can be sent
			if a.more, err = outcomeJSON(&o, ""); err != nil {
				return answer{cause: err}
			}
		}
		return a
	}
	return s.outcome(o)
}

// codeOf returns the code of what package engine refuses a message with.
func codeOf(err error) protocol.Code {
	var e *protocol.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return protocol.CodeMalformedPayload
}

// outcome makes the answer of an outcome.
func (s *Server) outcome(o engine.Outcome) answer {
	handle := ""
	if o.Intent != nil {
		handle = s.waiting.add(o.Intent, o.Intent.Peer().Principal, held(o.Intent))
	}
	more, err := outcomeJSON(&o, handle)
	if err != nil {
		return answer{cause: err}
	}
	status, message := outcomeVerdict(&o)
	code := string(o.Code)
	if status == cli.StatusYes {
		code = ""
	}
	return answer{http: 200, verdict: status, code: code, message: message, more: more}
}

// outcomeVerdict says what the verdict on a message is, as the command "message check"
// does: yes when there is something to carry out or an offer is accepted, nothing when
// the message carries nothing of the extension, no otherwise.
func outcomeVerdict(o *engine.Outcome) (status cli.Status, message string) {
	switch o.Kind {
	case engine.KindIntent:
		return cli.StatusYes, "the intent may be carried out"
	case engine.KindReply, engine.KindAgreed:
		if o.Code != "" {
			return cli.StatusNo, orText(o.Reason, "the offer is declined: send the reply")
		}
		return cli.StatusYes, "send the reply"
	case engine.KindDuplicate:
		return cli.StatusNo, "the message was seen before and is not carried out again"
	case engine.KindProse:
		return cli.StatusNothing, "the message is ordinary content"
	}
	return cli.StatusNo, orText(o.Reason, "the message is refused")
}

func orText(s, or string) string {
	if s == "" {
		return or
	}
	return s
}

// outcomeMembers is an outcome in JSON.
type outcomeMembers struct {
	Outcome   string          `json:"outcome"`
	ContextID string          `json:"contextId,omitempty"`
	Hash      string          `json:"hash,omitempty"`
	Seen      bool            `json:"seen,omitempty"`
	Error     *carriers       `json:"error,omitempty"`
	Reply     json.RawMessage `json:"reply,omitempty"`
	Challenge *challenge      `json:"challenge,omitempty"`
	Secure    *bool           `json:"securityBearing,omitempty"`
	Intent    json.RawMessage `json:"intent,omitempty"` // none of an intent that is of no stock verb
	Accepted  *accepted       `json:"accepted,omitempty"`
	Stored    json.RawMessage `json:"stored,omitempty"`
	Agreed    *agreement      `json:"agreement,omitempty"`
	Report    json.RawMessage `json:"report,omitempty"`
	Trace     json.RawMessage `json:"trace"`
}

// carriers say how a refusal is sent to the peer (a2a-rdf, section 8.2).
type carriers struct {
	Code    string `json:"code,omitempty"`
	JSONRPC int    `json:"jsonrpc"`
	GRPC    string `json:"grpc"`
	HTTP    int    `json:"http"`
	Text    string `json:"text"`
	// Metadata is what travels with the error, as a detail or on a failed task's message.
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

type challenge struct {
	Challenge string `json:"challenge"`
	Domain    string `json:"domain"`
	Expires   string `json:"expires"`
}

func newChallenge(c *engine.Challenge) *challenge {
	if c == nil {
		return nil
	}
	return &challenge{c.Challenge, c.Domain, c.Expires.UTC().Format(time.RFC3339)}
}

type agreement struct {
	Hash    string `json:"hash"`
	Expires string `json:"expires,omitempty"`
}

// accepted is an intent that is valid and permitted.
type accepted struct {
	Handle    string          `json:"handle"` // for /v1/respond
	MessageID string          `json:"messageId"`
	TaskID    string          `json:"taskId,omitempty"`
	Peer      string          `json:"peer,omitempty"`
	Node      string          `json:"node"`
	Content   string          `json:"content"`
	MediaType string          `json:"mediaType"`
	Policies  []string        `json:"policies,omitempty"`
	Authority string          `json:"authority,omitempty"`
	Record    json.RawMessage `json:"record,omitempty"`
}

func outcomeJSON(o *engine.Outcome, handle string) ([]byte, error) {
	m := outcomeMembers{Outcome: o.Kind.String(), ContextID: o.ContextID, Seen: o.Seen, Trace: o.Trace.AppendJSON(nil)}
	if o.Pin != (canon.Digest{}) {
		m.Hash = o.Pin.String()
	}
	if o.Kind == engine.KindRefused || o.Kind == engine.KindAborted {
		st := o.Status()
		m.Error = &carriers{string(o.Code), st.JSONRPC, st.GRPC, st.HTTP, st.Text, o.Metadata()}
	}
	if o.Message != nil {
		text, err := o.Message.AppendJSON(nil)
		if err != nil {
			return nil, err
		}
		m.Reply = text
	}
	m.Challenge = newChallenge(o.Challenge)
	if json.Valid(o.Stored) {
		m.Stored = o.Stored
	}
	if a := o.Agreement; a != nil {
		m.Agreed = &agreement{Hash: a.Pin.String()}
		if !a.Expires.IsZero() {
			m.Agreed.Expires = a.Expires.UTC().Format(time.RFC3339)
		}
	}
	if o.Report != nil {
		m.Report = o.Report.AppendJSON(nil)
	}
	if o.Intent != nil {
		m.Accepted = newAccepted(o.Intent, handle)
		secure := o.Intent.SecurityBearing()
		m.Secure = &secure
		if p, err := o.Intent.Project(); err == nil {
			if m.Intent, err = cli.IntentJSON(p); err != nil {
				return nil, err
			}
		}
	}
	return cli.Marshal(&m)
}

func newAccepted(in *engine.Intent, handle string) *accepted {
	body, mediaType := in.Body()
	out := &accepted{
		Handle: handle, MessageID: in.MessageID(), TaskID: in.TaskID(), Peer: in.Peer().Principal, Node: in.Node().String(),
		Content: body, MediaType: mediaType, Policies: in.Authority().Policies, Authority: in.Authority().Reason,
	}
	if record := in.Authority().Record; json.Valid(record) {
		out.Record = record
	}
	return out
}
