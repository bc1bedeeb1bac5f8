package a2a_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// record is a field of a message of protobuf as it stands there, and the fields in it.
type record struct {
	number protowire.Number
	kind   protowire.Type
	value  []byte // without fields in it
	sub    bool
	fields []*record
}

// records reads a message of a type.
func records(b []byte, d protoreflect.MessageDescriptor) []*record {
	list := []*record{}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return list
		}
		b = b[n:]
		r := &record{number: number, kind: kind}
		if n = protowire.ConsumeFieldValue(number, kind, b); n < 0 {
			return list
		}
		r.value, b = b[:n], b[n:]
		if kind == protowire.BytesType {
			r.value, _ = protowire.ConsumeBytes(r.value)
			if f := d.Fields().ByNumber(number); f != nil && f.Message() != nil {
				r.sub, r.fields = true, records(r.value, f.Message())
			}
		}
		list = append(list, r)
	}
	return list
}

func writeRecords(list []*record) []byte {
	var out []byte
	for _, r := range list {
		out = protowire.AppendTag(out, r.number, r.kind)
		value := r.value
		if r.sub {
			value = writeRecords(r.fields)
		}
		if r.kind == protowire.BytesType {
			out = protowire.AppendBytes(out, value)
		} else {
			out = append(out, value...)
		}
	}
	return out
}

func (r *record) alter() *record {
	c := *r
	switch {
	case r.sub:
		c.fields = nil
	case r.kind == protowire.BytesType:
		c.value = append(slices.Clone(r.value), 'x')
	default:
		c.value = slices.Clone(r.value)
		c.value[0] ^= 1
	}
	return &c
}

// recordOps is what the middle box does to one field.
var recordOps = []struct {
	name string
	do   func(list []*record, i int) []*record
}{
	{"drop", func(l []*record, i int) []*record { return slices.Delete(l, i, i+1) }},
	{"alter", func(l []*record, i int) []*record { l[i] = l[i].alter(); return l }},
	{"empty", func(l []*record, i int) []*record {
		l[i] = &record{number: l[i].number, kind: protowire.BytesType}
		return l
	}},
	{"double", func(l []*record, i int) []*record { return slices.Insert(l, i, l[i]) }},
	{"another before", func(l []*record, i int) []*record { return slices.Insert(l, i, l[i].alter()) }},
	{"another after", func(l []*record, i int) []*record { return append(l, l[i].alter()) }},
	{"reorder", func(l []*record, i int) []*record { slices.Reverse(l); return l }},
	{"another number", func(l []*record, i int) []*record { c := *l[i]; c.number++; l[i] = &c; return l }},
	{"a number that nobody knows", func(l []*record, i int) []*record { c := *l[i]; c.number += 1000; l[i] = &c; return l }},
}

// countRecords lists the ways to every field.
func waysTo(list []*record, at []int) (all [][]int) {
	for i, r := range list {
		here := append(slices.Clone(at), i)
		all = append(all, here)
		all = append(all, waysTo(r.fields, here)...)
	}
	return all
}

func damageRecord(list []*record, at []int, op int) []*record {
	if at[0] >= len(list) {
		return list
	}
	if len(at) == 1 {
		return recordOps[op].do(list, at[0])
	}
	list[at[0]].fields = damageRecord(list[at[0]].fields, at[1:], op)
	return list
}

// grpcBox stands between a client and an agent, over gRPC.
type grpcBox struct {
	agent *grpcWire

	mu       sync.Mutex
	damage   grpcDamage
	requests [][]byte
	answers  [][]byte
	prose    int
	held     []func()
}

// grpcDamage is one thing that the box does.
type grpcDamage struct {
	exchange int
	answer   bool
	whole    string
	header   string
	at       []int
	op       int
	replay   bool
}

func (d grpcDamage) String() string {
	what := d.whole + d.header
	if d.at != nil {
		what = fmt.Sprint(recordOps[d.op].name, " ", d.at)
	}
	return fmt.Sprintf("exchange %d, answer %v, replay %v: %s", d.exchange, d.answer, d.replay, what)
}

func (x *grpcBox) serve(_ any, stream grpc.ServerStream) error {
	var body []byte
	if err := stream.RecvMsg(&body); err != nil {
		return err
	}
	ctx := stream.Context()
	method, _ := grpc.MethodFromServerStream(stream)
	header, _ := metadata.FromIncomingContext(ctx)
	for name := range header {
		if strings.HasPrefix(name, ":") || name == "content-type" || name == "user-agent" || strings.HasPrefix(name, "grpc-") {
			delete(header, name)
		}
	}
	x.mu.Lock()
	i := len(x.requests)
	x.requests = append(x.requests, body)
	if !bytes.Contains(body, []byte(protocol.KeyKind)) {
		x.prose++
	}
	d := x.damage
	late := x.held
	x.held = nil
	x.mu.Unlock()

	forward := func(header metadata.MD, body []byte) grpcAnswer {
		return x.agent.call(context.WithoutCancel(ctx), method, body, header)
	}
	gone := grpcstatus.Error(codes.Unavailable, "the box is gone")
	sent, sentHeader := body, header
	if d.exchange == i && !d.answer {
		switch d.whole {
		case "drop":
			return gone
		case "late":
			x.mu.Lock()
			x.held = append(x.held, func() { forward(header, body) })
			x.mu.Unlock()
			return gone
		case "twice":
			forward(header, body)
		case "twice at once":
			var wg sync.WaitGroup
			wg.Go(func() { forward(header, body) })
			defer wg.Wait()
		case "half":
			sent = body[:len(body)/2]
		}
		if d.at != nil {
			sent = writeRecords(damageRecord(records(body, (&a2apb.SendMessageRequest{}).ProtoReflect().Descriptor()), d.at, d.op))
		}
		if d.header != "" {
			sentHeader = header.Copy()
			switch d.op {
			case 0:
				sentHeader.Delete(d.header)
			case 1:
				sentHeader.Set(d.header, strings.Join(header.Get(d.header), "")+"x")
			case 2:
				sentHeader.Append(d.header, "0.3")
			}
		}
		if d.replay {
			forward(header, body)
		}
	}
	got := forward(sentHeader, sent)
	for _, f := range late {
		f()
	}
	x.mu.Lock()
	x.answers = append(x.answers, got.body)
	before := x.answers[max(0, i-1)]
	x.mu.Unlock()
	if d.exchange == i && d.answer {
		switch d.whole {
		case "drop":
			return gone
		case "the answer before":
			got.body = before
		case "half":
			got.body = got.body[:len(got.body)/2]
		case "empty":
			got.body = nil
		case "an error":
			return grpcstatus.Error(codes.FailedPrecondition, "no")
		case "no error":
			got.status = codes.OK
		case "no trailer":
			got.trailer = nil
		case "twice":
			if err := stream.SendMsg(&got.body); err != nil {
				return err
			}
		case "none":
			return nil
		}
		if d.at != nil {
			got.body = writeRecords(damageRecord(records(got.body, (&a2apb.SendMessageResponse{}).ProtoReflect().Descriptor()), d.at, d.op))
		}
	}
	stream.SetTrailer(got.trailer)
	if got.status != codes.OK {
		return got.err
	}
	return stream.SendMsg(&got.body)
}

// damages lists what can be done to the exchanges of a run that went well.
func (x *grpcBox) damages() (list []grpcDamage) {
	for i := range x.requests {
		for _, whole := range []string{"drop", "late", "twice", "twice at once", "half"} {
			list = append(list, grpcDamage{exchange: i, whole: whole})
		}
		for _, whole := range []string{"drop", "the answer before", "half", "empty", "an error", "no error", "no trailer", "twice", "none"} {
			list = append(list, grpcDamage{exchange: i, answer: true, whole: whole})
		}
		for op := range 3 {
			for _, h := range []string{"a2a-extensions", "a2a-version", "authorization"} {
				list = append(list, grpcDamage{exchange: i, header: h, op: op})
			}
		}
		request := (&a2apb.SendMessageRequest{}).ProtoReflect().Descriptor()
		for _, at := range waysTo(records(x.requests[i], request), nil) {
			for op := range recordOps {
				list = append(list, grpcDamage{exchange: i, at: at, op: op})
				// Another messageId or context makes another message (a2a-rdf, section 9.6).
				var before, after a2apb.SendMessageRequest
				_ = proto.Unmarshal(x.requests[i], &before)
				changed := writeRecords(damageRecord(records(x.requests[i], request), at, op))
				_ = proto.Unmarshal(changed, &after)
				if before.GetMessage().GetMessageId() == after.GetMessage().GetMessageId() && before.GetMessage().GetContextId() == after.GetMessage().GetContextId() {
					list = append(list, grpcDamage{exchange: i, at: at, op: op, replay: true})
				}
			}
		}
		for _, at := range waysTo(records(x.answers[i], (&a2apb.SendMessageResponse{}).ProtoReflect().Descriptor()), nil) {
			for op := range recordOps {
				list = append(list, grpcDamage{exchange: i, answer: true, at: at, op: op})
			}
		}
	}
	return list
}

// TestGRPCMiddlebox: what TestMiddlebox says of the bindings over HTTP holds over gRPC.
func TestGRPCMiddlebox(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	a := newAgent(t, agentOptions{grpcAddress: listener.Addr().String()})
	wire := a.grpcWire(t)
	box := &grpcBox{agent: wire}
	gs := grpc.NewServer(grpc.Creds(credentials.NewServerTLSFromCert(&a.certs[0])), grpc.ForceServerCodec(verbatim{}), grpc.UnknownServiceHandler(box.serve))
	served := make(chan error, 1)
	go func() { served <- gs.Serve(listener) }()
	t.Cleanup(func() { gs.Stop(); <-served })

	config := a.clientConfig(t, a2a.GRPC)
	config.Cards = given(a.card)
	one := func(d grpcDamage) []engine.Kind {
		box.mu.Lock()
		box.damage, box.requests, box.answers, box.prose, box.held = d, nil, nil, 0, nil
		box.mu.Unlock()
		before := len(a.executed())
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		config := config
		config.Engine = a.clientEngine(t)
		c, err := a2a.Dial(ctx, a.cardURL(), config)
		require.NoError(t, err)
		v := c.Conversation("")
		r, _ := v.Offer(ctx, offer(a, a.grant, true))
		kinds := []engine.Kind{r.Kind}
		_, err = v.Say(ctx, "then let us talk")
		require.Error(t, err, d)
		r, err = v.Intent(ctx, engine.IntentDraft{Pin: a.grant.Pin(), Graph: intent(t, protocol.VerbGrant, container)})
		kinds = append(kinds, r.Kind)
		_, said := v.Say(ctx, "then let us talk")
		require.Error(t, said, d)
		box.mu.Lock()
		late := box.held
		require.Zero(t, box.prose, d)
		box.mu.Unlock()
		for _, f := range late {
			f()
		}
		carried := a.executed()[before:]
		require.LessOrEqual(t, len(carried), 1, d)
		if err == nil && r.Kind == engine.KindResponse {
			require.Len(t, carried, 1, d)
		}
		require.NoError(t, c.Close())
		return kinds
	}
	require.Equal(t, []engine.Kind{engine.KindAgreed, engine.KindResponse}, one(grpcDamage{exchange: -1}))
	require.Len(t, box.requests, 2)
	list := box.damages()
	require.Greater(t, len(list), 400)
	step := 1
	if !attackLong() {
		step = 5
	}
	if testing.Short() {
		step = 17
	}
	tried, refused := 0, 0
	for i := 0; i < len(list); i += step {
		tried++
		if kinds := one(list[i]); kinds[1] != engine.KindResponse {
			refused++
		}
	}
	t.Logf("%d damages, %d of them noticed", tried, refused)
	require.Greater(t, refused, tried/3)
}
