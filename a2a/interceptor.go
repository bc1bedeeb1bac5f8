package a2a

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdkclient "github.com/a2aproject/a2a-go/v2/a2aclient"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// OutcomeError says that an exchange did not achieve its purpose. A program that sees
// one must not send prose in its place.
type OutcomeError struct{ Outcome engine.Outcome }

// Error returns kind, code and reason.
func (e *OutcomeError) Error() string {
	text := "the exchange ended as " + e.Outcome.Kind.String()
	if e.Outcome.Code != "" {
		text += ": " + string(e.Outcome.Code)
	}
	if e.Outcome.Reason != "" {
		text += ": " + e.Outcome.Reason
	}
	return text
}

type outcomeKey struct{}

// WithOutcome returns a context for a call of an SDK client with the interceptor of
// [NewInterceptor], which stores the outcome of the call in o.
func WithOutcome(ctx context.Context, o *engine.Outcome) context.Context {
	return context.WithValue(ctx, outcomeKey{}, o)
}

// Request makes the SDK's request from a message that an engine made.
func Request(m engine.Message) *sdk.SendMessageRequest {
	return &sdk.SendMessageRequest{Message: toSDK(m, false)}
}

// NewInterceptor makes an interceptor for programs that keep the SDK's own client. It
// activates the extension where the agent's card lists it, lets prose out only where
// the engine does, and gives the reply to a message to the engine: see [WithOutcome].
// An exchange that the peer refused, aborted or answered wrongly fails with an
// [*OutcomeError]. Let the engine make messages with payloads, and send them by
// [Request].
//
// The SDK's client reads answers without the limits and the strictness of [Client], does
// not verify cards, and hands out parts of a stream before the whole can be judged:
// streams are refused for messages with payloads. Only replies to messages are judged: of
// a task that goes on the outcome is that it is waited for, and what GetTask tells of it
// later is for the caller to give to the engine. A plain message to a task must name the
// task's context, or it is not sent.
func NewInterceptor(e *engine.Engine, peer engine.Peer) sdkclient.CallInterceptor {
	return &clientInterceptor{engine: e, peer: peer}
}

type clientInterceptor struct {
	engine *engine.Engine
	peer   engine.Peer
}

type sentKey struct{}

// Before implements the SDK's CallInterceptor.
func (i *clientInterceptor) Before(ctx context.Context, req *sdkclient.Request) (context.Context, any, error) {
	if req.Card == nil || slices.ContainsFunc(req.Card.Capabilities.Extensions, func(x sdk.AgentExtension) bool { return x.URI == protocol.ExtensionURI }) {
		req.ServiceParams.Append(sdk.SvcParamExtensions, protocol.ExtensionURI)
	}
	send, ok := req.Payload.(*sdk.SendMessageRequest)
	if !ok {
		return ctx, nil, nil
	}
	if send == nil || send.Message == nil {
		return ctx, nil, errors.New("expected a message")
	}
	sent, err := fromSDK(send.Message, nil)
	if err != nil {
		return ctx, nil, err
	}
	if slices.ContainsFunc(send.Message.Parts, func(p *sdk.Part) bool { return p != nil && isTagged(p) }) {
		if req.Method != "SendMessage" {
			return ctx, nil, fmt.Errorf("%s cannot carry a payload of the extension: its answer is judged as a whole", req.Method)
		}
		return context.WithValue(ctx, sentKey{}, &sent), nil, nil
	}
	if err := located(sent); err != nil {
		return ctx, nil, err
	}
	to := engine.To{Peer: i.peer, ContextID: sent.ContextID, TaskID: sent.TaskID}
	if _, err := i.engine.Prose(ctx, to, textOf(sent)); err != nil {
		return ctx, nil, err
	}
	if req.Method != "SendMessage" {
		return ctx, nil, nil // nothing of the extension can be asked for by prose
	}
	return context.WithValue(ctx, sentKey{}, &sent), nil, nil
}

// located refuses prose to a task without the context of the task. A2A puts such a message
// in the context that the agent keeps for the task, and what is agreed there is not known
// here: the rules for first messages would let it through (a2a-rdf, DG-6).
func located(m engine.Message) error {
	if m.TaskID == "" || m.ContextID != "" {
		return nil
	}
	return &protocol.Error{Code: protocol.CodeUpgradeRequired, Reason: "expected the context of the task that the message goes to, found none"}
}

// textOf is the prose of a message.
func textOf(m engine.Message) string {
	var texts []string
	for _, p := range m.Parts {
		if p.Content == engine.Text {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// After implements the SDK's CallInterceptor.
func (i *clientInterceptor) After(ctx context.Context, resp *sdkclient.Response) error {
	sent, ok := ctx.Value(sentKey{}).(*engine.Message)
	if !ok || resp.Method != "SendMessage" {
		return nil
	}
	var reply engine.Reply
	unread := resp.Err
	switch result := resp.Payload.(type) {
	case *sdk.Message:
		reply, unread = (&answer{message: result}).reply()
	case *sdk.Task:
		reply, unread = (&answer{task: result}).reply()
	default:
		if _, theirs := errors.AsType[*sdk.Error](resp.Err); theirs {
			reply = failedReply(resp.Err, noJSON())
		}
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), judgingTime(reply))
	defer cancel()
	o, err := i.engine.ReceiveReply(limited, i.peer, *sent, reply)
	if into, ok := ctx.Value(outcomeKey{}).(*engine.Outcome); ok && into != nil {
		*into = o
	}
	switch {
	case unread != nil:
		return unread
	case err != nil:
		return err
	case o.Kind == engine.KindRefused || o.Kind == engine.KindAborted || o.Kind == engine.KindFailed:
		return &OutcomeError{o}
	default:
		return nil
	}
}
