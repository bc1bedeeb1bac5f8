package a2a_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// grpcPeer makes an agent whose gRPC binding is a function: it gets every request, and
// answers as it likes.
func grpcPeer(t *testing.T, answer func(method string, request []byte, s grpc.ServerStream) error) (*agent, a2a.ClientConfig) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	a := newAgent(t, agentOptions{grpcAddress: listener.Addr().String()})
	gs := grpc.NewServer(grpc.Creds(credentials.NewServerTLSFromCert(&a.certs[0])), grpc.ForceServerCodec(verbatim{}), grpc.MaxHeaderListSize(64<<20),
		grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
			var request []byte
			if err := s.RecvMsg(&request); err != nil {
				return err
			}
			method, _ := grpc.MethodFromServerStream(s)
			return answer(method[strings.LastIndex(method, "/")+1:], request, s)
		}))
	served := make(chan error, 1)
	go func() { served <- gs.Serve(listener) }()
	t.Cleanup(func() { gs.Stop(); <-served })
	c := a.clientConfig(t, a2a.GRPC)
	c.Stream = true
	return a, c
}

// tell sends protobuf.
func tell(s grpc.ServerStream, m proto.Message) error {
	body, err := proto.Marshal(m)
	if err != nil {
		return err
	}
	return s.SendMsg(&body)
}

func taskOf(id, context string, state a2apb.TaskState) *a2apb.Task {
	return &a2apb.Task{Id: id, ContextId: context, Status: &a2apb.TaskStatus{State: state}}
}

func began(id string) *a2apb.StreamResponse {
	return &a2apb.StreamResponse{Payload: &a2apb.StreamResponse_Task{Task: taskOf(id, "c", a2apb.TaskState_TASK_STATE_WORKING)}}
}

func statusOf(id, context string, state a2apb.TaskState) *a2apb.StreamResponse {
	return &a2apb.StreamResponse{Payload: &a2apb.StreamResponse_StatusUpdate{StatusUpdate: &a2apb.TaskStatusUpdateEvent{TaskId: id, ContextId: context, Status: &a2apb.TaskStatus{State: state}}}}
}

func chunkOf(id string, appends bool, text string) *a2apb.StreamResponse {
	return &a2apb.StreamResponse{Payload: &a2apb.StreamResponse_ArtifactUpdate{ArtifactUpdate: &a2apb.TaskArtifactUpdateEvent{
		TaskId: id, ContextId: "c", Append: appends, Artifact: &a2apb.Artifact{ArtifactId: "a", Parts: []*a2apb.Part{{Content: &a2apb.Part_Text{Text: text}}}},
	}}}
}

// TestGRPCPeers: what an agent may answer over gRPC to an intent, as an event of a stream
// or as the one answer. It comes to an end soon, in little memory, and never to a yes or
// to prose. lost says that nobody knows whether the agent has carried it out.
func TestGRPCPeers(t *testing.T) {
	t.Parallel()
	const (
		done    = a2apb.TaskState_TASK_STATE_COMPLETED
		working = a2apb.TaskState_TASK_STATE_WORKING
	)
	ended := make(chan struct{}, 1) // what the stream of "goes on after its end" is told
	forever := func(s grpc.ServerStream, one func(i int) proto.Message) error {
		for i := 0; ; i++ {
			if err := tell(s, one(i)); err != nil {
				return err
			}
		}
	}
	withDetails := func(code codes.Code) error {
		s, err := grpcstatus.New(code, "no").WithDetails(&errdetails.ErrorInfo{Reason: "X", Domain: "a2a-protocol.org"})
		if err != nil {
			return err
		}
		return s.Err()
	}
	raw := func(b []byte) func(string, []byte, grpc.ServerStream) error {
		return func(_ string, _ []byte, s grpc.ServerStream) error { return s.SendMsg(&b) }
	}
	inMessage := func(b ...[]byte) []byte { // of a StreamResponse and of a SendMessageResponse alike
		return field(2, joinBytes(b...))
	}
	message := joinBytes(field(messageID, []byte("m")), field(messageContext, []byte("c")), []byte{messageRole << 3, 2})
	for _, row := range []struct {
		name   string
		stream bool
		answer func(method string, request []byte, s grpc.ServerStream) error
		lost   bool
	}{
		{"statuses without end", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(tell(s, began("t")), forever(s, func(int) proto.Message { return statusOf("t", "c", working) }))
		}, true},
		{"chunks of nothing without end", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(tell(s, began("t")), tell(s, chunkOf("t", false, "")), forever(s, func(int) proto.Message { return chunkOf("t", true, "") }))
		}, true},
		{"artifacts without end", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(tell(s, began("t")), forever(s, func(i int) proto.Message { return chunkOf("t", false, strings.Repeat("x", 60_000)) }))
		}, true},
		{"events of nothing without end", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(tell(s, began("t")), forever(s, func(int) proto.Message { return &a2apb.StreamResponse{} }))
		}, true},
		{"goes on after its end", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			defer func() { ended <- struct{}{} }()
			return errors.Join(tell(s, began("t")), forever(s, func(int) proto.Message { return statusOf("t", "c", done) }))
		}, false},
		{"another task", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(tell(s, began("t")), tell(s, statusOf("u", "c", done)))
		}, true},
		{"another context", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(tell(s, began("t")), tell(s, statusOf("t", "d", done)))
		}, true},
		{"two tasks", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(tell(s, began("t")), tell(s, began("t")))
		}, true},
		{"no task", true, func(_ string, _ []byte, s grpc.ServerStream) error { return tell(s, statusOf("t", "c", done)) }, true},
		{"nothing", true, func(string, []byte, grpc.ServerStream) error { return nil }, true},
		{"silence", true, func(_ string, _ []byte, s grpc.ServerStream) error { <-s.Context().Done(); return nil }, true},
		{"a task and silence", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			err := tell(s, began("t"))
			<-s.Context().Done()
			return err
		}, true},

		{"one answer: nothing", false, func(string, []byte, grpc.ServerStream) error { return nil }, true},
		{"one answer: silence", false, func(_ string, _ []byte, s grpc.ServerStream) error { <-s.Context().Done(); return nil }, true},
		{"one answer: two", false, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(raw(inMessage(message))("", nil, s), raw(inMessage(message))("", nil, s))
		}, true},
		{"one answer: empty", false, raw(nil), true},
		{"one answer: no protobuf", false, raw([]byte("hello")), true},
		{"one answer: too large", false, raw(inMessage(message, field(messageParts, field(partText, bytes.Repeat([]byte("x"), 2<<20))))), true},
		{"one answer: texts without end", false, raw(inMessage(message, fill(field(messageParts, field(partText, nil))))), true},
		{"one answer: as many texts as may be", false, raw(inMessage(message, bytes.Repeat(field(messageParts, field(partText, nil)), 32_000))), false},
		{"one answer: lists in lists", false, raw(inMessage(message, field(messageMetadata, member("a", nested(4_000, inList))))), true},
		{"one answer: a message twice", false, raw(joinBytes(inMessage(message), inMessage(message))), true},
		{"one answer: a message and a task", false, raw(joinBytes(inMessage(message), field(1, joinBytes(field(1, []byte("t")), field(2, []byte("c")), field(3, []byte{8, 3}))))), true},
		{"one answer: prose", false, raw(inMessage(message, field(messageParts, field(partText, []byte("I would rather talk"))))), false},
		{"one answer: tasks of others", false, func(method string, _ []byte, s grpc.ServerStream) error {
			if method == "GetTask" {
				return tell(s, taskOf("u", "c", done))
			}
			return tell(s, &a2apb.SendMessageResponse{Payload: &a2apb.SendMessageResponse_Task{Task: taskOf("t", "c", working)}})
		}, true},
		{"one answer: a task without end", false, func(method string, _ []byte, s grpc.ServerStream) error {
			if method == "GetTask" {
				return tell(s, taskOf("t", "c", a2apb.TaskState_TASK_STATE_SUBMITTED))
			}
			return tell(s, &a2apb.SendMessageResponse{Payload: &a2apb.SendMessageResponse_Task{Task: taskOf("t", "c", working)}})
		}, true},
		{"large headers", false, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(s.SetHeader(metadata.Pairs("x", strings.Repeat("x", 8<<20))), raw(inMessage(message))("", nil, s))
		}, true},
		{"large trailers", false, func(_ string, _ []byte, s grpc.ServerStream) error {
			s.SetTrailer(metadata.Pairs("x", strings.Repeat("x", 8<<20)))
			return grpcstatus.Error(codes.FailedPrecondition, "no")
		}, true},

		// What gRPC says of the way by the same codes.
		{"one answer: gone", false, func(string, []byte, grpc.ServerStream) error { return grpcstatus.Error(codes.Unavailable, "gone") }, true},
		{"gone", true, func(string, []byte, grpc.ServerStream) error { return grpcstatus.Error(codes.Unavailable, "gone") }, true},
		{"gone after a task", true, func(_ string, _ []byte, s grpc.ServerStream) error {
			return errors.Join(tell(s, began("t")), grpcstatus.Error(codes.Unavailable, "gone"))
		}, true},
		{"one answer: unknown", false, func(string, []byte, grpc.ServerStream) error { return errors.New("no") }, true},
		{"one answer: internal", false, func(string, []byte, grpc.ServerStream) error { return grpcstatus.Error(codes.Internal, "no") }, true},
		{"one answer: too late", false, func(string, []byte, grpc.ServerStream) error { return grpcstatus.Error(codes.DeadlineExceeded, "no") }, true},
		{"one answer: canceled", false, func(string, []byte, grpc.ServerStream) error { return grpcstatus.Error(codes.Canceled, "no") }, true},
		{"one answer: exhausted", false, func(string, []byte, grpc.ServerStream) error { return grpcstatus.Error(codes.ResourceExhausted, "no") }, true},
		{"one answer: unavailable, and why", false, func(string, []byte, grpc.ServerStream) error { return withDetails(codes.Unavailable) }, true},
		// What the agent says.
		{"one answer: internal, and why", false, func(string, []byte, grpc.ServerStream) error { return withDetails(codes.Internal) }, false},
		{"internal, and why", true, func(string, []byte, grpc.ServerStream) error { return withDetails(codes.Internal) }, false},
		{"one answer: refused", false, func(string, []byte, grpc.ServerStream) error { return grpcstatus.Error(codes.FailedPrecondition, "no") }, false},
		{"one answer: unimplemented", false, func(string, []byte, grpc.ServerStream) error { return grpcstatus.Error(codes.Unimplemented, "no") }, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a, config := grpcPeer(t, row.answer)
			config.Stream = row.stream
			c := dial(t, a, config)
			v := c.Conversation("")
			patient := strings.Contains(row.name, "silence") || strings.Contains(row.name, "a task without end")
			var left <-chan struct{}
			if row.name == "goes on after its end" {
				left = ended
			}
			believesNothing(t, a, v, row.lost, patient, left)
		})
	}
}

// believesNothing sends an intent to an agent that answers as it likes. The client takes it
// for no yes, says whether the answer was lost, in its time but where it must be patient,
// leaves the stream that left, if there is one, is told of, and speaks no prose afterwards.
func believesNothing(t *testing.T, a *agent, v *a2a.Conversation, lost, patient bool, left <-chan struct{}) {
	t.Helper()
	most := 30 * time.Second
	if patient {
		most = 500 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	r, err := v.Intent(ctx, engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
	require.NotContains(t, []engine.Kind{engine.KindResponse, engine.KindProse, engine.KindAgreed}, r.Kind, "%s", r.Trace)
	require.Equal(t, lost, err != nil, "%v, %s", err, r.Kind)
	require.NotEmpty(t, r.Sent.ID)
	require.True(t, patient || ctx.Err() == nil, "it took all the time")
	if left != nil {
		select {
		case <-left:
		case <-time.After(10 * time.Second):
			require.Fail(t, "the stream is left open")
		}
	}
	_, err = v.Say(t.Context(), "please")
	require.Error(t, err)
	require.Empty(t, a.executed())
}

// TestGRPCLost: an intent whose answer is lost on the way was carried out, and nobody says
// that it was not: it is sent again, and answered.
func TestGRPCLost(t *testing.T) {
	t.Parallel()
	var wire *grpcWire
	var lost atomic.Bool
	a, config := grpcPeer(t, func(method string, request []byte, s grpc.ServerStream) error {
		header, _ := metadata.FromIncomingContext(s.Context())
		got := wire.call(context.WithoutCancel(s.Context()), "/lf.a2a.v1.A2AService/"+method, request, metadata.Pairs("authorization", header.Get("authorization")[0], "a2a-version", "1.0", "a2a-extensions", protocol.ExtensionURI))
		if !lost.Swap(true) {
			return grpcstatus.Error(codes.Unavailable, "error reading from server: EOF")
		}
		if got.err != nil {
			return got.err
		}
		return s.SendMsg(&got.body)
	})
	config.Stream = false
	wire = a.grpcWire(t)
	v := dial(t, a, config).Conversation("")
	r, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
	require.Error(t, err, "nobody knows")
	require.Len(t, a.executed(), 1)
	r, err = v.Resend(t.Context(), r.Sent)
	require.NoError(t, err)
	require.Equal(t, engine.KindResponse, r.Kind)
	require.Len(t, a.executed(), 1)
}

// TestGRPCNotSpoken: what listens there is no gRPC.
func TestGRPCNotSpoken(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		handle http.HandlerFunc
		http1  bool
	}{
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>")
		}, false},
		{"a page without end", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			for r.Context().Err() == nil {
				_, _ = w.Write(make([]byte, 16<<10))
			}
		}, false},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://127.0.0.1:1/", http.StatusTemporaryRedirect)
		}, false},
		{"a good status and nothing", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/grpc")
			w.Header().Set("Grpc-Status", "0")
		}, false},
		{"a status that is none", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/grpc")
			w.Header().Set("Grpc-Status", "-1")
		}, false},
		{"HTTP/1.1", func(w http.ResponseWriter, _ *http.Request) {}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			ts := httptest.NewUnstartedServer(row.handle)
			ts.EnableHTTP2 = !row.http1
			ts.StartTLS()
			t.Cleanup(ts.Close)
			a := newAgent(t, agentOptions{grpcAddress: ts.Listener.Addr().String()})
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			v := dial(t, a, a.clientConfig(t, a2a.GRPC)).Conversation("")
			r, err := v.Intent(ctx, engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)})
			require.Error(t, err)
			require.NoError(t, ctx.Err())
			require.NotEqual(t, engine.KindResponse, r.Kind)
			_, err = v.Say(t.Context(), "please")
			require.Error(t, err)
		})
	}
}
