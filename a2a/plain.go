package a2a

import (
	"context"
	"errors"
	"iter"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// Tasks is an agent in plain A2A, without the extension: a message begins a task, which
// can be queried, followed and canceled by its id. It speaks JSON-RPC and HTTP+JSON.
//
// The agent's answers are returned as the JSON that came, once it was read strictly and
// within limits; nothing here judges it. An error that the agent sends is such an
// answer too. A Go error says that there is no answer: nothing is then known of what
// the agent did. Tasks is safe for concurrent use.
type Tasks struct {
	link     *link
	card     *agentcard.Admitted
	streams  bool
	activate bool                                              // name the extension: the card lists it
	may      func(ctx context.Context, m engine.Message) error // whether a plain message may be sent
}

// OpenTasks fetches the card of an agent that does not speak the extension, decides
// whether to act on it, and connects to the first interface that can be used. Nothing is
// sent to the agent yet. The engine of the config is not used.
//
// It fails as [FetchCard] does, and when the card declares the extension in a valid
// form: whether such an agent may get plain messages depends on what it was offered,
// see [Conversation.Tasks].
func OpenTasks(ctx context.Context, cardURL string, c ClientConfig) (*Tasks, error) {
	if c.Cards == nil {
		return nil, errors.New("expected a source of cards")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	card, err := FetchCard(ctx, c.Cards, cardURL, c.Trust, c.Now())
	if err != nil {
		return nil, err
	}
	if d := card.Card().Declaration(); d.Declared && d.Valid {
		return nil, errors.New("the agent speaks the extension: plain messages to it belong to a conversation")
	}
	var failed []error
	for _, e := range endpoints(card.Card(), c.Prefer, false) {
		if e.Binding == GRPC {
			continue
		}
		l, err := connect(e, linkConfig{tls: c.TLS, dial: c.Dial, plaintext: c.InsecurePlaintext, authorize: c.Authorize})
		if err != nil {
			failed = append(failed, err)
			continue
		}
		return &Tasks{link: l, card: card, streams: streams(card), may: func(context.Context, engine.Message) error { return nil }}, nil
	}
	if len(failed) == 0 {
		return nil, errors.New("the card names no interface of A2A 1.0 over JSON-RPC or HTTP+JSON")
	}
	return nil, errors.Join(failed...)
}

// Tasks returns the agent of a conversation as plain A2A, without the extension. Its
// Send is under the same rules as [Conversation.Say]: where an agreement, an offer that
// is open or was not declined as an optional one, or an exchange that came to nothing
// forbids prose, no message without a payload of the extension is sent either (a2a-rdf,
// DG-1 to DG-6). For a message with another contextId than that of the conversation, or
// with none, the rules of both contexts hold; one to a task must name the task's context.
// Questions about tasks and requests to cancel them are never forbidden. It lives as long
// as the client.
//
// It fails for an interface over gRPC or of A2A 0.3.
func (v *Conversation) Tasks() (*Tasks, error) {
	c := v.client
	if c.link.endpoint.Binding == GRPC || c.link.v03 {
		return nil, errors.New("expected an interface of A2A 1.0 over JSON-RPC or HTTP+JSON")
	}
	may := func(ctx context.Context, m engine.Message) error {
		if v.closed() {
			return &protocol.Error{Code: protocol.CodeUpgradeRequired, Reason: "an exchange of this conversation came to nothing: prose is no way around it"}
		}
		if err := located(m); err != nil {
			return err
		}
		to := v.to()
		_, err := c.config.Engine.Prose(ctx, to, "-") // made, and not sent: what counts is whether it may be
		if err == nil && m.ContextID != to.ContextID {
			to.ContextID, to.TaskID = m.ContextID, ""
			_, err = c.config.Engine.Prose(ctx, to, "-")
		}
		return err
	}
	return &Tasks{link: c.link, card: c.card, streams: streams(c.card), activate: true, may: may}, nil
}

func streams(card *agentcard.Admitted) bool {
	yes, _ := card.Card().Root().Get("capabilities").Get("streaming").Bool()
	return yes
}

// Card returns the card that is acted on.
func (t *Tasks) Card() *agentcard.Admitted { return t.card }

// Endpoint returns where messages go.
func (t *Tasks) Endpoint() Endpoint { return t.link.endpoint }

// Streams reports whether the card says that the agent answers with streams of events.
func (t *Tasks) Streams() bool { return t.streams }

// Close ends the connection that [OpenTasks] made.
func (t *Tasks) Close() error { return t.link.close() }

// Delivery is a plain message to send.
type Delivery struct {
	Message engine.Message
	// Modes are the media types that are accepted in the answer, nil for those of the
	// agent.
	Modes []string
	// Stream asks for the events of the task instead of one answer. Without it the agent
	// is asked to answer at once, whether or not the task is over.
	Stream bool
}

// LostError says that a request went out and that its answer did not come, or could not
// be read: nobody knows whether the agent got it. A gateway that answers in place of
// the agent, with a status of 500 or above, does not know that either.
type LostError struct{ Err error }

// Error says what happened to the answer.
func (e *LostError) Error() string { return "the answer was lost: " + e.Err.Error() }

// Unwrap returns what happened to the answer.
func (e *LostError) Unwrap() error { return e.Err }

// traced returns a context by which a call tells whether its request got as far as a
// connection.
func traced(ctx context.Context, got *reply) (context.Context, func(error) error) {
	var out atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { out.Store(true) }})
	return context.WithValue(ctx, replyKey{}, got), func(err error) error {
		if out.Load() && !got.refused() {
			return &LostError{err}
		}
		return err
	}
}

// Send sends a message, once, and yields what comes back: one answer, or the events of a
// stream until the agent or the caller ends it. A *protocol.Error of CodeUpgradeRequired
// says that the message may not be sent, and was not; a [*LostError] that the agent may
// have it; any other error that the agent did not take it.
func (t *Tasks) Send(ctx context.Context, d Delivery) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if err := t.may(ctx, d.Message); err != nil {
			yield(nil, err)
			return
		}
		req := &sdk.SendMessageRequest{
			Tenant:  t.link.endpoint.Tenant,
			Config:  &sdk.SendMessageConfig{AcceptedOutputModes: d.Modes, ReturnImmediately: !d.Stream},
			Message: toSDK(d.Message, true),
		}
		if d.Stream {
			t.events(ctx, yield, func(ctx context.Context, params map[string][]string) iter.Seq2[sdk.Event, error] {
				return t.link.transport.SendStreamingMessage(ctx, params, req)
			})
			return
		}
		yield(t.ask(ctx, func(ctx context.Context, params map[string][]string) error {
			_, err := t.link.transport.SendMessage(ctx, params, req)
			return err
		}))
	}
}

// Get asks for a task.
func (t *Tasks) Get(ctx context.Context, taskID string) ([]byte, error) {
	return t.ask(ctx, func(ctx context.Context, params map[string][]string) error {
		_, err := t.link.transport.GetTask(ctx, params, &sdk.GetTaskRequest{ID: sdk.TaskID(taskID), Tenant: t.link.endpoint.Tenant})
		return err
	})
}

// Cancel asks the agent to cancel a task.
func (t *Tasks) Cancel(ctx context.Context, taskID string) ([]byte, error) {
	return t.ask(ctx, func(ctx context.Context, params map[string][]string) error {
		_, err := t.link.transport.CancelTask(ctx, params, &sdk.CancelTaskRequest{ID: sdk.TaskID(taskID), Tenant: t.link.endpoint.Tenant})
		return err
	})
}

// Subscribe yields the events of a task that is under way, until the agent or the caller
// ends the stream.
func (t *Tasks) Subscribe(ctx context.Context, taskID string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		t.events(ctx, yield, func(ctx context.Context, params map[string][]string) iter.Seq2[sdk.Event, error] {
			return t.link.transport.SubscribeToTask(ctx, params, &sdk.SubscribeToTaskRequest{ID: sdk.TaskID(taskID), Tenant: t.link.endpoint.Tenant})
		})
	}
}

// ask makes one call and returns the JSON of its answer.
func (t *Tasks) ask(ctx context.Context, call func(context.Context, map[string][]string) error) ([]byte, error) {
	params, err := t.link.params(ctx, t.activate)
	if err != nil {
		return nil, err
	}
	got := &reply{binding: t.link.endpoint.Binding}
	ctx, failed := traced(ctx, got)
	err = call(ctx, params)
	body := got.body(-1)
	if err != nil && !isError(body) {
		return nil, failed(err)
	}
	return []byte(body.Source()), nil
}

// events makes one call whose answer is a stream and yields the JSON of its events.
func (t *Tasks) events(ctx context.Context, yield func([]byte, error) bool, call func(context.Context, map[string][]string) iter.Seq2[sdk.Event, error]) {
	params, err := t.link.params(ctx, t.activate)
	if err != nil {
		yield(nil, err)
		return
	}
	got := &reply{binding: t.link.endpoint.Binding}
	ctx, failed := traced(ctx, got)
	i := 0
	for _, err := range call(ctx, params) {
		body := got.body(i)
		if err != nil && !isError(body) {
			yield(nil, failed(err))
			return
		}
		if !yield([]byte(body.Source()), nil) || err != nil {
			return
		}
		i++
	}
	switch body := got.body(i); {
	case isError(body): // an answer that is no stream
		yield([]byte(body.Source()), nil)
	case i == 0:
		yield(nil, failed(errors.New("the peer ended the stream without an answer")))
	}
}

// isError reports whether an answer is an error of the agent.
func isError(body strictjson.Value) bool { return body.Get("error").Exists() }
