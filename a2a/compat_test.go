package a2a_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdkclient "github.com/a2aproject/a2a-go/v2/a2aclient"
	sdkgrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// lossy does to messages what A2A 0.3 does: text and data parts lose their media types.
type lossy struct{ sdkclient.Transport }

func (l lossy) SendMessage(ctx context.Context, params sdkclient.ServiceParams, req *sdk.SendMessageRequest) (sdk.SendMessageResult, error) {
	lose(req.Message.Parts)
	result, err := l.Transport.SendMessage(ctx, params, req)
	if m, ok := result.(*sdk.Message); ok {
		lose(m.Parts)
	}
	return result, err
}

func (l lossy) SendStreamingMessage(ctx context.Context, params sdkclient.ServiceParams, req *sdk.SendMessageRequest) iter.Seq2[sdk.Event, error] {
	lose(req.Message.Parts)
	return func(yield func(sdk.Event, error) bool) {
		for event, err := range l.Transport.SendStreamingMessage(ctx, params, req) {
			switch e := event.(type) {
			case *sdk.Message:
				lose(e.Parts)
			case *sdk.TaskArtifactUpdateEvent:
				lose(e.Artifact.Parts)
			}
			if !yield(event, err) {
				return
			}
		}
	}
}

func lose(parts sdk.ContentParts) {
	for _, p := range parts {
		switch p.Content.(type) {
		case sdk.Text, sdk.Data:
			p.MediaType = ""
		}
	}
}

// A2A 0.3 is spoken where both sides say so, and by neither where one does not.
func TestV03(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name           string
		client, server bool
		kind           engine.Kind
		code           protocol.Code
	}{
		{"both", true, true, engine.KindResponse, ""},
		{"the client alone", true, false, engine.KindFailed, protocol.CodeExtensionNotActive},
		{"the server alone", false, true, engine.KindRefused, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := newAgent(t, agentOptions{version: "0.3", insecureV03: row.server})
			config := a.clientConfig(t, a2a.JSONRPC)
			if row.client {
				config.InsecureV03 = func(endpoint string, client *http.Client) (sdkclient.Transport, error) {
					return lossy{sdkclient.NewJSONRPCTransport(endpoint, client)}, nil
				}
			}
			c, err := a2a.Dial(t.Context(), a.cardURL(), config)
			if !row.client {
				require.ErrorContains(t, err, "A2A 1.0")
				return
			}
			require.NoError(t, err)
			defer func() { require.NoError(t, c.Close()) }()
			r, err := c.Conversation("").Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
			require.NoError(t, err)
			require.Equal(t, row.kind, r.Kind, "%s", r.Trace)
			require.Equal(t, row.code, r.Code)
		})
	}
}

// TestV03Streams: what comes over A2A 0.3 as a stream is read as what comes at once.
func TestV03Streams(t *testing.T) {
	t.Parallel()
	for _, tasks := range []bool{false, true} {
		a := newAgent(t, agentOptions{version: "0.3", insecureV03: true, tasks: tasks})
		config := a.clientConfig(t, a2a.JSONRPC)
		config.Stream = true
		config.InsecureV03 = func(endpoint string, client *http.Client) (sdkclient.Transport, error) {
			return lossy{sdkclient.NewJSONRPCTransport(endpoint, client)}, nil
		}
		r, err := dial(t, a, config).Conversation("").Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
		require.NoError(t, err)
		require.Equal(t, engine.KindResponse, r.Kind, "tasks %v: %s", tasks, r.Trace)
		require.Len(t, a.executed(), 1)
	}
}

// The engine sees a presentation as it came, over the bindings that carry JSON; over
// gRPC what is left of it.
func TestPresentation(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		var mu sync.Mutex
		var got engine.Question
		a := newAgent(t, agentOptions{engine: func(c *engine.Config) {
			c.Domain = c.Local
			c.Authorizer = engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
				mu.Lock()
				defer mu.Unlock()
				got = *q
				return engine.Authority{Permit: q.Challenge != "", Verified: true}, nil
			})
		}})
		v := dial(t, a, a.clientConfig(t, b)).Conversation("")
		r, err := v.Offer(t.Context(), offer(a, a.grant, true))
		require.NoError(t, err)
		require.Equal(t, engine.KindAgreed, r.Kind, "%s", r.Trace)
		require.NotNil(t, r.Challenge)
		presentation := `{"z":1.0,"a":[12345678901234567890,1e2],"e":"é","proof":{"challenge":"` + r.Challenge.Challenge + `"}}`
		draft := engine.IntentDraft{Pin: a.grant.Pin(), Graph: intent(t, protocol.VerbGrant, container), Presentation: []byte(presentation)}
		in, err := v.Intent(t.Context(), draft)
		require.NoError(t, err)
		require.Equal(t, engine.KindResponse, in.Kind, "%s", in.Trace)
		mu.Lock()
		require.Equal(t, r.Challenge.Challenge, got.Challenge)
		if b == a2a.GRPC {
			require.JSONEq(t, presentation, string(got.Presentation))
		} else {
			require.Equal(t, presentation, string(got.Presentation))
		}
		mu.Unlock()

		// The challenge is used up: the next refusal hands out another.
		in, err = v.Intent(t.Context(), draft)
		require.NoError(t, err)
		require.Equal(t, engine.KindFailed, in.Kind, "%s", in.Trace)
		require.Equal(t, protocol.CodeAuthorizationDenied, in.Code)
		require.NotNil(t, in.Challenge)
		require.NotEqual(t, r.Challenge.Challenge, in.Challenge.Challenge)
		require.NotEmpty(t, in.Challenge.Domain)
		require.False(t, in.Challenge.Expires.IsZero())
	})
}

// TestV03Presentation: a presentation arrives as one over A2A 0.3.
func TestV03Presentation(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{version: "0.3", insecureV03: true, engine: func(c *engine.Config) {
		c.Domain = c.Local
		c.Authorizer = engine.AuthorizerFunc(func(_ context.Context, q *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: len(q.Presentation) > 0 && q.Challenge != "", Verified: true}, nil
		})
	}})
	config := a.clientConfig(t, a2a.JSONRPC)
	config.InsecureV03 = func(endpoint string, client *http.Client) (sdkclient.Transport, error) {
		return lossy{sdkclient.NewJSONRPCTransport(endpoint, client)}, nil
	}
	v := dial(t, a, config).Conversation("")
	r, err := v.Offer(t.Context(), offer(a, a.grant, true))
	require.NoError(t, err)
	require.Equal(t, engine.KindAgreed, r.Kind, "%s", r.Trace)
	require.NotNil(t, r.Challenge)
	in, err := v.Intent(t.Context(), engine.IntentDraft{
		Pin: a.grant.Pin(), Graph: intent(t, protocol.VerbGrant, container), Presentation: []byte(`{"proof":{"challenge":"` + r.Challenge.Challenge + `"}}`),
	})
	require.NoError(t, err)
	require.Equal(t, engine.KindResponse, in.Kind, "%s", in.Trace)
}

// An interceptor of the application that changes a message is not overruled by the JSON
// that came.
func TestChangedMessage(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{executor: func(inner sdksrv.AgentExecutor) sdksrv.AgentExecutor { return &changing{inner} }})
		r, err := dial(t, a, a.clientConfig(t, b)).Conversation("").
			Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
		require.NoError(t, err)
		require.Equal(t, protocol.CodeAuthorizationDenied, r.Code, "%s", r.Trace)
	})
}

type changing struct{ sdksrv.AgentExecutor }

func (c *changing) Execute(ctx context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	for _, p := range ec.Message.Parts {
		if text, ok := p.Content.(sdk.Text); ok {
			p.Content = sdk.Text(strings.ReplaceAll(string(text), container, forbidden))
		}
	}
	return c.AgentExecutor.Execute(ctx, ec)
}

// intercepted makes the SDK's own client with the interceptor.
func intercepted(t *testing.T, a *agent, b a2a.Binding, e *engine.Engine, self engine.Peer) (*sdkclient.Client, func(engine.Message) (engine.Outcome, error)) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: a.clientConfig(t, b).TLS}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	path := "/rpc"
	if b == a2a.REST {
		path = "/rest"
	}
	c, err := sdkclient.NewFromEndpoints(t.Context(), []*sdk.AgentInterface{{URL: a.url + path, ProtocolBinding: sdk.TransportProtocol(b.String()), ProtocolVersion: "1.0"}},
		sdkclient.WithJSONRPCTransport(client), sdkclient.WithRESTTransport(client), sdkclient.WithCallInterceptors(a2a.NewInterceptor(e, self)))
	require.NoError(t, err)
	return c, func(m engine.Message) (engine.Outcome, error) {
		var o engine.Outcome
		_, err := c.SendMessage(a2a.WithOutcome(t.Context(), &o), a2a.Request(m))
		return o, err
	}
}

// inProse is a message of prose.
func inProse(contextID string) engine.Message {
	return engine.Message{ID: sdk.NewMessageID(), ContextID: contextID, Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "hello"}}}
}

// TestInterceptorDeclineOfAnother is TestDeclineOfAnother behind the interceptor, which
// knows no conversations.
func TestInterceptorDeclineOfAnother(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		e := a.clientEngine(t)
		self := engine.Peer{Principal: a.url, Card: a.cardURL(), Accepts: dial(t, a, a.clientConfig(t, b)).Peer().Accepts}
		_, send := intercepted(t, a, b, e, self)
		m, err := e.Intent(t.Context(), engine.To{Peer: self}, engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, forbidden)})
		require.NoError(t, err)
		o, err := send(m)
		require.Error(t, err)
		require.Equal(t, protocol.CodeAuthorizationDenied, o.Code)
		require.Empty(t, o.ContextID, "the refusal names none")
		m, err = e.Offer(t.Context(), engine.To{Peer: self}, offer(a, a.update, false))
		require.NoError(t, err)
		o, err = send(m)
		require.NoError(t, err)
		require.Equal(t, engine.KindDeclined, o.Kind, "%s", o.Trace)
		for _, contextID := range []string{"", o.ContextID} {
			_, err = send(inProse(contextID))
			var refused *protocol.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, protocol.CodeUpgradeRequired, refused.Code)
		}
		require.Zero(t, a.prose.got.Load())
	})
}

// The SDK's own client, behind the interceptor.
func TestInterceptor(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		e := a.clientEngine(t)
		self := engine.Peer{Principal: a.url, Card: a.cardURL()}
		c, send := intercepted(t, a, b, e, self)
		text := func(contextID string) (engine.Outcome, error) { return send(inProse(contextID)) }
		o, err := text("")
		require.NoError(t, err)
		require.Equal(t, engine.KindProse, o.Kind)
		require.Equal(t, int64(1), a.prose.got.Load())

		m, err := e.Offer(t.Context(), engine.To{Peer: self, ContextID: "c1"}, offer(a, a.update, true))
		require.NoError(t, err)
		o, err = send(m)
		var ended *a2a.OutcomeError
		require.ErrorAs(t, err, &ended)
		require.Equal(t, engine.KindAborted, o.Kind, "%s", o.Trace)
		_, err = text("c1")
		require.Error(t, err)
		require.Equal(t, int64(1), a.prose.got.Load())

		m, err = e.Offer(t.Context(), engine.To{Peer: self, ContextID: "c2"}, offer(a, a.grant, true))
		require.NoError(t, err)
		o, err = send(m)
		require.NoError(t, err)
		require.Equal(t, engine.KindAgreed, o.Kind, "%s", o.Trace)
		m, err = e.Intent(t.Context(), engine.To{Peer: self, ContextID: "c2"}, engine.IntentDraft{Pin: a.grant.Pin(), Graph: intent(t, protocol.VerbGrant, container)})
		require.NoError(t, err)
		for _, streamErr := range c.SendStreamingMessage(t.Context(), a2a.Request(m)) {
			require.ErrorContains(t, streamErr, "judged as a whole")
		}
		require.Empty(t, a.executed())
		o, err = send(m)
		require.NoError(t, err)
		require.Equal(t, engine.KindResponse, o.Kind, "%s", o.Trace)
		require.Len(t, a.executed(), 1)
		_, err = text("c2")
		require.Error(t, err)

		// A2A puts a message to a task in the context of the task, whether it names it or not.
		judged := a.outcome()
		for _, m := range []*sdk.Message{
			{ID: "t1", TaskID: "a-task-of-c2", Role: sdk.MessageRoleUser, Parts: sdk.ContentParts{sdk.NewTextPart("hello")}},
			{ID: "t2", TaskID: "a-task-of-c2", Role: sdk.MessageRoleUser, Parts: sdk.ContentParts{sdk.NewDataPart(map[string]any{"a": 1})}},
		} {
			var refused *protocol.Error
			_, err = c.SendMessage(t.Context(), &sdk.SendMessageRequest{Message: m})
			require.ErrorAs(t, err, &refused)
			require.Equal(t, protocol.CodeUpgradeRequired, refused.Code)
			for _, err := range c.SendStreamingMessage(t.Context(), &sdk.SendMessageRequest{Message: m}) {
				require.ErrorAs(t, err, &refused)
			}
		}
		require.Equal(t, judged, a.outcome(), "nothing was sent")
	})
}

// What comes over gRPC in one value is separated, too, and what is too large refused.
func TestGRPCGaps(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{required: true})
	c := dial(t, a, a.clientConfig(t, a2a.GRPC))
	conn, err := grpc.NewClient(strings.TrimPrefix(c.Endpoint().Origin(), "https://"), grpc.WithTransportCredentials(credentials.NewTLS(a.clientConfig(t, a2a.GRPC).TLS)))
	require.NoError(t, err)
	transport := sdkgrpc.NewGRPCTransport(conn)
	defer func() { require.NoError(t, transport.Destroy()) }()
	send := func(extensions, text string) (sdk.SendMessageResult, error) {
		params := sdkclient.ServiceParams{"a2a-version": {"1.0"}}
		if extensions != "" {
			params["a2a-extensions"] = []string{extensions}
		}
		return transport.SendMessage(t.Context(), params, &sdk.SendMessageRequest{Message: sdk.NewMessage(sdk.MessageRoleUser, sdk.NewTextPart(text))})
	}
	_, err = send("", "hello")
	require.ErrorIs(t, err, sdk.ErrExtensionSupportRequired)
	_, err = send("https://other.example/x , "+protocol.ExtensionURI, "hello")
	require.NoError(t, err)
	require.Equal(t, int64(1), a.prose.got.Load())
	_, err = send(protocol.ExtensionURI, strings.Repeat("x", a2a.MaxMessage))
	require.Error(t, err)
	require.Equal(t, int64(1), a.prose.got.Load())
	for _, err := range transport.SendStreamingMessage(t.Context(), sdkclient.ServiceParams{"a2a-extensions": {"https://other.example/x," + protocol.ExtensionURI}},
		&sdk.SendMessageRequest{Message: sdk.NewMessage(sdk.MessageRoleUser, sdk.NewTextPart("hello"))}) {
		require.NoError(t, err)
	}
	require.Equal(t, int64(2), a.prose.got.Load())
}

// TestV03Service: what calls the service of A2A 0.3 over gRPC speaks A2A 0.3.
func TestV03Service(t *testing.T) {
	t.Parallel()
	const service = "a2a.v1.A2AService"
	versions := func(ctx context.Context) (*wrapperspb.StringValue, error) {
		md, _ := metadata.FromIncomingContext(ctx)
		return wrapperspb.String(strings.Join(md.Get("a2a-version"), " ")), nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := grpc.NewServer(a2a.GRPCOptions()...)
	for _, name := range []string{service, "lf." + service} {
		s.RegisterService(&grpc.ServiceDesc{
			ServiceName: name,
			HandlerType: (*any)(nil),
			Methods: []grpc.MethodDesc{{MethodName: "GetTask", Handler: func(_ any, ctx context.Context, decode func(any) error, i grpc.UnaryServerInterceptor) (any, error) {
				in := &emptypb.Empty{}
				if err := decode(in); err != nil {
					return nil, err
				}
				return i(ctx, in, &grpc.UnaryServerInfo{FullMethod: "/" + name + "/GetTask"}, func(ctx context.Context, _ any) (any, error) { return versions(ctx) })
			}}},
			Streams: []grpc.StreamDesc{{StreamName: "SubscribeToTask", ServerStreams: true, Handler: func(_ any, stream grpc.ServerStream) error {
				if err := stream.RecvMsg(&emptypb.Empty{}); err != nil {
					return err
				}
				out, err := versions(stream.Context())
				return errors.Join(err, stream.SendMsg(out))
			}}},
		}, nil)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	t.Cleanup(func() { s.Stop(); <-served })
	conn, err := grpc.NewClient("passthrough:///"+listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	for _, row := range []struct{ service, version, want string }{
		{service, "", "0.3"}, {service, "0.3", "0.3"}, {service, "1.0", "0.3"},
		{"lf." + service, "", ""}, {"lf." + service, "1.0", "1.0"},
	} {
		ctx := t.Context()
		if row.version != "" {
			ctx = metadata.AppendToOutgoingContext(ctx, "a2a-version", row.version)
		}
		var got wrapperspb.StringValue
		require.NoError(t, conn.Invoke(ctx, "/"+row.service+"/GetTask", &emptypb.Empty{}, &got))
		require.Equal(t, row.want, got.GetValue(), row)
		stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, "/"+row.service+"/SubscribeToTask")
		require.NoError(t, err)
		require.NoError(t, stream.SendMsg(&emptypb.Empty{}))
		require.NoError(t, stream.CloseSend())
		require.NoError(t, stream.RecvMsg(&got))
		require.Equal(t, row.want, got.GetValue(), row)
	}
}

// TestV03Messages: where A2A 0.3 is allowed, a message of A2A 1.0 is read as one all the
// same, whatever words it has: its media types are where A2A 1.0 has them.
func TestV03Messages(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{insecureV03: true})
	pin := a.read.Pin().String()
	lost := func(more map[string]any) map[string]any {
		part := map[string]any{"text": readIntent, "metadata": map[string]any{
			protocol.KeyKind: "intent", protocol.KeyProtocolHash: pin, protocol.KeyMediaType: "text/turtle",
		}}
		maps.Copy(part, more)
		return part
	}
	for _, row := range []struct {
		name     string
		part     map[string]any
		executed bool
	}{
		{"a media type", lost(map[string]any{"mediaType": "text/turtle"}), true},
		{"one in metadata", lost(nil), false},
		{"another in metadata", lost(map[string]any{"mediaType": "text/plain"}), false},
		{"a part of A2A 0.3", lost(map[string]any{"kind": "text"}), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			id := row.name
			got := a.post(t, a2a.JSONRPC, row.name, true, draft{id: id, parts: []map[string]any{row.part}, meta: map[string]any{"kind": "message"}}.String())
			if row.executed {
				require.Contains(t, a.executed(), id, got.body)
				return
			}
			require.NotEmpty(t, got.code, got.body)
			require.NotContains(t, a.executed(), id)
		})
	}
}

// TestV03Prose: where A2A 0.3 is not allowed, what comes in it is prose, or a payload that is
// refused, whether the version is named or told by the spelling.
func TestV03Prose(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		for _, row := range []struct {
			version string
			whole   bool // the message says its kind, which the examples of A2A 0.3 do not
		}{{"0.3", true}, {" ", true}, {"0.3", false}, {" ", false}} {
			a := newAgent(t, agentOptions{})
			a.version = row.version
			message := func(id string, part map[string]any) string {
				part["kind"] = "text"
				m := map[string]any{"messageId": id, "role": "user", "extensions": []string{protocol.ExtensionURI}, "parts": []any{part}}
				if row.whole {
					m["kind"] = "message"
				}
				text, err := json.Marshal(m)
				require.NoError(t, err)
				return string(text)
			}
			got := a.post(t, b, "bob", true, message("m1", map[string]any{"text": "hello"}))
			require.NotNil(t, got.message, "%v: %s", row, got.body)
			require.Equal(t, int64(1), a.prose.got.Load())
			got = a.post(t, b, "bob", true, message("m2", intentPart(a.read.Pin().String(), readIntent)))
			require.Equal(t, string(protocol.CodeExtensionNotActive), got.code, got.body)
			require.Empty(t, a.executed())
			require.Equal(t, int64(1), a.prose.got.Load())
		}
	})
}

// TestV03Origin: a transport of the application asks the endpoint's origin and no other, with
// whatever authorizes its requests.
func TestV03Origin(t *testing.T) {
	t.Parallel()
	a, other := newAgent(t, agentOptions{version: "0.3", insecureV03: true}), newAgent(t, agentOptions{insecureV03: true})
	config := a.clientConfig(t, a2a.JSONRPC)
	config.InsecureV03 = func(_ string, client *http.Client) (sdkclient.Transport, error) {
		return lossy{sdkclient.NewJSONRPCTransport(other.url+"/rpc", client)}, nil
	}
	c, err := a2a.Dial(t.Context(), a.cardURL(), config)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	_, err = c.Conversation("").Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
	require.ErrorContains(t, err, "leaves the origin")
	require.Equal(t, engine.Outcome{}.Kind, other.outcome().Kind)
	require.Empty(t, other.outcome().Trace, "it got nothing")
}
