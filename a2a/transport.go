package a2a

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdkclient "github.com/a2aproject/a2a-go/v2/a2aclient"
	sdkgrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// pollFirst and pollMost are the pauses between two questions after a task that is
// under way.
const (
	pollFirst = 100 * time.Millisecond
	pollMost  = 2 * time.Second
)

// link is a connection to one endpoint.
type link struct {
	endpoint  Endpoint
	transport sdkclient.Transport
	authorize func(context.Context, Endpoint) (http.Header, error)
	v03       bool
	end       func() // of calls over HTTP, whose transports have nothing to close
}

// linkConfig is what a link is made with.
type linkConfig struct {
	tls       *tls.Config
	dial      func(ctx context.Context, network, address string) (net.Conn, error)
	plaintext bool
	authorize func(context.Context, Endpoint) (http.Header, error)
	v03       func(endpoint string, client *http.Client) (sdkclient.Transport, error)
}

// connect makes a link. Nothing is sent yet.
func connect(e Endpoint, c linkConfig) (*link, error) {
	origin := e.Origin()
	switch {
	case origin == "":
		return nil, fmt.Errorf("the card's %s interface has no usable address", e.Binding)
	case !strings.HasPrefix(origin, "https://") && !c.plaintext:
		return nil, fmt.Errorf("the card's %s interface at %s is not protected by TLS", e.Binding, origin)
	}
	l := &link{endpoint: e, authorize: c.authorize, v03: !isV1(e.Version), end: func() {}}
	config := c.tls.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	config.MinVersion = max(config.MinVersion, tls.VersionTLS12)
	var err error
	if e.Binding == GRPC {
		err = l.connectGRPC(c, config)
	} else {
		err = l.connectHTTP(c, config, origin)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// connectGRPC makes the transport of the gRPC binding.
func (l *link) connectGRPC(c linkConfig, config *tls.Config) error {
	target, plaintext, err := grpcTarget(l.endpoint.URL)
	if err != nil {
		return err
	}
	secure := credentials.NewTLS(config)
	if plaintext {
		secure = insecure.NewCredentials()
	}
	resolver := "dns:///"
	options := append(grpcDialOptions(), grpc.WithTransportCredentials(secure))
	if c.dial != nil {
		resolver = "passthrough:///" // the name is for dial to look up
		options = append(options, grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			return c.dial(ctx, "tcp", address)
		}))
	}
	conn, err := grpc.NewClient(resolver+target, options...)
	if err != nil {
		return err
	}
	l.transport = sdkgrpc.NewGRPCTransport(conn)
	return nil
}

// connectHTTP makes the transport of the bindings over HTTP.
func (l *link) connectHTTP(c linkConfig, config *tls.Config, origin string) (err error) {
	base := &http.Transport{
		DialContext:            c.dial,
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    10 * time.Second,
		DisableCompression:     true, // what is read is what is counted
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        time.Minute,
		ForceAttemptHTTP2:      true,
	}
	open, end := context.WithCancelCause(context.Background())
	l.end = func() {
		end(errClosed)
		base.CloseIdleConnections()
	}
	client := &http.Client{
		Transport: &roundTripper{base: base, origin: origin, open: open},
		// A redirect would carry the message, and what authorizes it, to where the card
		// does not point.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	switch {
	case l.v03:
		l.transport, err = c.v03(l.endpoint.URL, client)
	case l.endpoint.Binding == JSONRPC:
		l.transport = sdkclient.NewJSONRPCTransport(l.endpoint.URL, client)
	default:
		var u *url.URL
		if u, err = url.Parse(l.endpoint.URL); err == nil {
			l.transport = sdkclient.NewRESTTransport(u, client)
		}
	}
	return err
}

// errClosed is why a call ends or is not begun once the connection was closed.
var errClosed = errors.New("the connection to the agent was closed")

// close ends the connection and the calls over it.
func (l *link) close() error {
	err := l.transport.Destroy()
	l.end()
	return err
}

// params are the service parameters of a call: the version, the one extension that is
// activated (a2a-rdf, CARD-6 and CARD-9), and what the caller adds for this endpoint.
func (l *link) params(ctx context.Context, activate bool) (sdkclient.ServiceParams, error) {
	params := sdkclient.ServiceParams{}
	if l.authorize != nil {
		header, err := l.authorize(ctx, l.endpoint)
		if err != nil {
			return nil, fmt.Errorf("no authorization for %s: %w", l.endpoint.Origin(), err)
		}
		for name, values := range header {
			params[strings.ToLower(name)] = values
		}
	}
	version := string(sdk.Version)
	if l.v03 {
		version = "0.3"
	}
	params[strings.ToLower(sdk.SvcParamVersion)] = []string{version}
	if activate {
		params[strings.ToLower(sdk.SvcParamExtensions)] = []string{protocol.ExtensionURI}
	}
	return params, nil
}

// send sends a message and waits for what it leads to: a message, or a task that is
// over or asks for something. A [*peerError] says that the peer answered with an error;
// any other error that there is no answer.
func (l *link) send(ctx context.Context, m *sdk.Message, stream, activate bool) (*answer, error) {
	params, err := l.params(ctx, activate)
	if err != nil {
		return nil, err
	}
	if l.v03 {
		mediaTypes03(m.Parts, true)
	}
	req := &sdk.SendMessageRequest{Message: m, Tenant: l.endpoint.Tenant}
	got := &reply{binding: l.endpoint.Binding}
	// Over gRPC the SDK leaves a stream that is not read to its end to the context.
	call, end := context.WithCancel(context.WithValue(ctx, replyKey{}, got))
	defer end()
	var a *answer
	if stream {
		a, err = l.assemble(call, params, req, got)
	} else {
		var result sdk.SendMessageResult
		if result, err = l.transport.SendMessage(call, params, req); err == nil {
			a, err = answerOf(result, got.event(-1))
		}
	}
	if err != nil {
		return nil, failure(err, got)
	}
	if a.task != nil && underWay(a.task.Status.State) {
		if a, err = l.wait(ctx, params, a.task); err != nil {
			return nil, err
		}
	}
	return l.came(a), nil
}

// await waits for a task that is known by its id, as send does for one that it led to.
func (l *link) await(ctx context.Context, taskID, contextID string) (*answer, error) {
	params, err := l.params(ctx, true)
	if err != nil {
		return nil, err
	}
	a, err := l.wait(ctx, params, &sdk.Task{ID: sdk.TaskID(taskID), ContextID: contextID})
	if err != nil {
		return nil, err
	}
	return l.came(a), nil
}

// came reads an answer of A2A 0.3 as one of 1.0.
func (l *link) came(a *answer) *answer {
	if l.v03 {
		a.raw = strictjson.Value{} // the JSON of A2A 0.3 is another
		a.eachParts(func(parts sdk.ContentParts) { mediaTypes03(parts, false) })
	}
	return a
}

// unendedError says that a task was under way until the time was up.
type unendedError struct {
	taskID string
	err    error
}

func (e *unendedError) Error() string {
	return "the task was under way until the time was up: " + e.err.Error()
}

func (e *unendedError) Unwrap() error { return e.err }

// peerError is an error of the binding that the peer answered with.
type peerError struct {
	err  error
	body strictjson.Value // as it came over HTTP
}

func (e *peerError) Error() string { return "the peer answered with an error: " + e.err.Error() }

func (e *peerError) Unwrap() error { return e.err }

// failure tells an answer that is an error from one that did not come.
func failure(err error, got *reply) error {
	if _, unended := errors.AsType[*unendedError](err); unended || got.lost() {
		return err
	}
	body := got.body(-1)
	if got.unknown() && !body.Get("error").Exists() {
		return err // a gateway's, in JSON of its own: the SDK makes an error of the peer of it
	}
	if _, known := errors.AsType[*sdk.Error](err); known || body.Get("error").Exists() {
		return &peerError{err, body}
	}
	return err
}

// wait asks for a task until it is over or asks for something. An [*unendedError] says that
// it did not come to that. A contextId of "" is not compared.
func (l *link) wait(ctx context.Context, params sdkclient.ServiceParams, task *sdk.Task) (*answer, error) {
	for pause := pollFirst; ; pause = min(2*pause, pollMost) {
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, &unendedError{string(task.ID), ctx.Err()}
		case <-timer.C:
		}
		got := &reply{binding: l.endpoint.Binding}
		now, err := l.transport.GetTask(context.WithValue(ctx, replyKey{}, got), params, &sdk.GetTaskRequest{ID: task.ID, Tenant: l.endpoint.Tenant})
		if err != nil {
			return nil, failure(err, got)
		}
		if now.ID != task.ID || task.ContextID != "" && now.ContextID != task.ContextID {
			return nil, errors.New("the peer answered with another task than was asked for")
		}
		if !underWay(now.Status.State) {
			return &answer{task: now}, nil
		}
	}
}

// eachParts calls f with every list of parts in the answer.
func (a *answer) eachParts(f func(sdk.ContentParts)) {
	if a.message != nil {
		f(a.message.Parts)
	}
	if a.task == nil {
		return
	}
	if m := a.task.Status.Message; m != nil {
		f(m.Parts)
	}
	for _, artifact := range a.task.Artifacts {
		if artifact != nil {
			f(artifact.Parts)
		}
	}
}
