package a2a_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// attackLong is the long form of the attacks on the wire: every damage, and more of every
// flood.
func attackLong() bool { return os.Getenv("RDFPROTO_ATTACK") == "long" }

// verbatim is a codec of messages that are bytes already.
type verbatim struct{}

func (verbatim) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }

func (verbatim) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = slices.Clone(data)
	return nil
}

func (verbatim) Name() string { return "proto" }

// grpcWire is a client of the gRPC binding that sends what it is told to.
type grpcWire struct{ conn *grpc.ClientConn }

func (a *agent) grpcWire(t testing.TB) *grpcWire {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+a.grpc, grpc.WithNoProxy(),
		grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{RootCAs: a.roots, MinVersion: tls.VersionTLS12})),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(verbatim{}), grpc.MaxCallSendMsgSize(64<<20), grpc.MaxCallRecvMsgSize(64<<20)))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	return &grpcWire{conn}
}

// grpcAnswer is what came back.
type grpcAnswer struct {
	status  codes.Code
	text    string
	code    string // of the extension
	body    []byte
	trailer metadata.MD
	err     error
}

func (g grpcAnswer) String() string {
	return fmt.Sprintf("%s %q [%s] %q", g.status, g.text, g.code, g.body)
}

const sendMessage = a2apb.A2AService_SendMessage_FullMethodName

func (w *grpcWire) call(ctx context.Context, method string, body []byte, header metadata.MD, options ...grpc.CallOption) grpcAnswer {
	var got grpcAnswer
	err := w.conn.Invoke(metadata.NewOutgoingContext(ctx, header), method, &body, &got.body, append(options, grpc.Trailer(&got.trailer))...)
	return got.failed(err)
}

func (g grpcAnswer) failed(err error) grpcAnswer {
	s := grpcstatus.Convert(err)
	g.status, g.text, g.err = s.Code(), s.Message(), err
	for _, d := range s.Details() {
		if v, ok := d.(*structpb.Struct); ok {
			if code := v.GetFields()[protocol.KeyError].GetStringValue(); code != "" {
				g.code = code
			}
		}
	}
	return g
}

// response is the message in an answer, nil if there is none.
func (g grpcAnswer) response(t testing.TB) *a2apb.Message {
	t.Helper()
	if g.status != codes.OK {
		return nil
	}
	var r a2apb.SendMessageResponse
	require.NoError(t, proto.Unmarshal(g.body, &r))
	return r.GetMessage()
}

// grpcHeader is the metadata of a request that bob sends with the extension.
func grpcHeader() metadata.MD {
	return metadata.Pairs("authorization", "Bearer bob", "a2a-version", "1.0", "a2a-extensions", protocol.ExtensionURI)
}

// statuses are those that an agent's refusals have, or gRPC's own.
func documented(t testing.TB, g grpcAnswer, what any) {
	t.Helper()
	if g.status == codes.OK {
		return
	}
	if g.code != "" {
		s, known := protocol.Code(g.code).Status()
		require.True(t, known, "%v: %s", what, g)
		if g.code != string(protocol.CodeLimitExceeded) || g.status != codes.ResourceExhausted {
			require.Equal(t, strings.ReplaceAll(s.GRPC, "_", ""), strings.ToUpper(g.status.String()), "%v: %s", what, g)
		}
		return
	}
	switch g.status {
	case codes.InvalidArgument, codes.ResourceExhausted, codes.NotFound, codes.FailedPrecondition, codes.Unimplemented, codes.PermissionDenied:
	case codes.Internal:
		require.Regexp(t, `failed to unmarshal|being carried out`, g.text, "%v: %s", what, g)
	default:
		require.Fail(t, "a status that is not documented", "%v: %s", what, g)
	}
}

// intentRequest is a request with an intent, in protobuf.
func intentRequest(t testing.TB, id, context, pin, text string) *a2apb.SendMessageRequest {
	t.Helper()
	meta, err := structpb.NewStruct(map[string]any{protocol.KeyKind: "intent", protocol.KeyProtocolHash: pin})
	require.NoError(t, err)
	return &a2apb.SendMessageRequest{Message: &a2apb.Message{
		MessageId: id, ContextId: context, Role: a2apb.Role_ROLE_USER, Extensions: []string{protocol.ExtensionURI},
		Parts: []*a2apb.Part{{Content: &a2apb.Part_Text{Text: text}, MediaType: "text/turtle", Metadata: meta}},
	}}
}

func encoded(t testing.TB, m proto.Message) []byte {
	t.Helper()
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	require.NoError(t, err)
	return body
}

// judged counts what an agent carried out, and refuses to believe what no intent of the
// document says.
type judged struct {
	mu     sync.Mutex
	t      testing.TB
	pin    string
	byID   map[string]int
	target map[string]string
}

func newJudged(t testing.TB, a *agent, d *protocol.Reviewed) *judged {
	j := &judged{t: t, pin: d.Pin().String(), byID: map[string]int{}, target: map[string]string{}}
	a.respond(func(in *engine.Intent) (engine.Answer, error) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.byID[in.MessageID()]++
		if in.Pin().String() != j.pin {
			j.target[in.MessageID()] = "another document: " + in.Pin().String()
		}
		return engine.Answer{Graph: graph(t, goodResponse), Text: "done"}, nil
	})
	return j
}

// check fails when anything was carried out twice, or under another document.
func (j *judged) check() (carried int) {
	j.t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	for id, n := range j.byID {
		require.Equal(j.t, 1, n, "%q was carried out %d times", id, n)
		carried++
	}
	require.Empty(j.t, slices.Collect(maps.Values(j.target)))
	return carried
}

// byteDamages are all small damages to bytes at a place.
var byteDamages = []struct {
	name string
	do   func(b []byte, i int) []byte
}{
	{"low bit", func(b []byte, i int) []byte { b[i] ^= 1; return b }},
	{"second bit", func(b []byte, i int) []byte { b[i] ^= 2; return b }},
	{"wire type", func(b []byte, i int) []byte { b[i] ^= 4; return b }},
	{"field", func(b []byte, i int) []byte { b[i] ^= 8; return b }},
	{"another field", func(b []byte, i int) []byte { b[i] ^= 16; return b }},
	{"a case", func(b []byte, i int) []byte { b[i] ^= 32; return b }},
	{"high bit", func(b []byte, i int) []byte { b[i] ^= 128; return b }},
	{"zero", func(b []byte, i int) []byte { b[i] = 0; return b }},
	{"ones", func(b []byte, i int) []byte { b[i] = 0xff; return b }},
	{"drop", func(b []byte, i int) []byte { return slices.Delete(b, i, i+1) }},
	{"double", func(b []byte, i int) []byte { return slices.Insert(b, i, b[i]) }},
	{"cut", func(b []byte, i int) []byte { return b[:i] }},
	{"cut before", func(b []byte, i int) []byte { return b[i:] }},
	{"the rest again", func(b []byte, i int) []byte { return append(b, b[i:]...) }},
	{"the start again", func(b []byte, i int) []byte { return append(b, b[:i]...) }},
}

// TestGRPCDamage damages a valid request at every byte. Each comes in a context in which
// the document is agreed, so that nothing of it may come out as prose.
func TestGRPCDamage(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	j := newJudged(t, a, a.grant)
	v := dial(t, a, a.clientConfig(t, 3)).Conversation("")
	r, err := v.Offer(t.Context(), offer(a, a.grant, true))
	require.NoError(t, err)
	require.Equal(t, engine.KindAgreed, r.Kind)
	w := a.grpcWire(t)
	valid := func(n int) []byte {
		return encoded(t, intentRequest(t, fmt.Sprintf("m-%06d", n), v.ContextID(), a.grant.Pin().String(), grantIntent))
	}
	got := w.call(t.Context(), sendMessage, valid(0), grpcHeader())
	require.NotNil(t, got.response(t), got)
	require.Equal(t, 1, j.check())
	length := len(valid(1))
	step := 1
	if !attackLong() {
		step = 13
	}
	if testing.Short() {
		step = 41
	}
	histogram := map[string]int{}
	n, yes := 0, 0
	for i := 0; i < length*len(byteDamages); i += step {
		n++
		d := byteDamages[i%len(byteDamages)]
		at := i / len(byteDamages)
		body := d.do(valid(n), at)
		what := fmt.Sprintf("%s at %d", d.name, at)
		before, said := len(a.executed()), a.prose.got.Load()
		got := w.call(t.Context(), sendMessage, body, grpcHeader())
		documented(t, got, what)
		carried := len(a.executed()) - before
		require.LessOrEqual(t, carried, 1, what)
		var m a2apb.SendMessageRequest
		readable := proto.Unmarshal(body, &m) == nil
		if got.status != codes.OK {
			require.Zero(t, carried, "%s: %s", what, got)
		} else if carried == 1 {
			yes++
			require.True(t, readable)
			require.Contains(t, m.GetMessage().GetExtensions(), protocol.ExtensionURI, what)
		}
		if a.prose.got.Load() != said { // another context, in which nothing is agreed
			require.NotEqual(t, v.ContextID(), m.GetMessage().GetContextId(), "%s: prose: %s", what, got)
			histogram["prose in another context"]++
		}
		histogram[got.status.String()+" "+got.code]++
	}
	require.Equal(t, yes+1, j.check())
	t.Logf("%d damages to %d bytes: %d carried out; %v", n, length, yes, histogram)
}

const grantIntent = `@prefix a2a: <https://w3id.org/jeswr/a2a#>. @prefix schema: <https://schema.org/>. @prefix acl: <http://www.w3.org/ns/auth/acl#>.
<urn:a2a:intent:1> a a2a:Intent; a2a:action [ a a2a:GrantAction; schema:object <https://alice.pod.example/notes/>;
  schema:recipient <https://bob.example/profile#me>; a2a:mode acl:Read ].`
