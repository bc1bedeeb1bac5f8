package a2a_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"

	"github.com/rdfproto/rdfproto/protocol"
)

// TestGRPCMalformed sends what no client does, on connections of their own. Afterwards the
// agent is there, and nothing was carried out.
func TestGRPCMalformed(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	intent := framed(0, wireMessage("m", uri(), field(messageParts, intentParts(a.read.Pin().String(), readIntent))))
	whole := func(x *frames, body []byte, fields ...string) { x.open(1, false, fields...); x.data(1, true, body) }
	replaced := func(name, value string) []string {
		fields := call()
		for i := 0; i < len(fields); i += 2 {
			if fields[i] == name {
				fields[i+1] = value
			}
		}
		return fields
	}
	without := func(name string) (fields []string) {
		all := call()
		for i := 0; i < len(all); i += 2 {
			if all[i] != name {
				fields = append(fields, all[i], all[i+1])
			}
		}
		return fields
	}
	for _, row := range []struct {
		name string
		do   func(x *frames)
		want string // the status of gRPC, or of HTTP, or the reset; "" for the end of the connection
	}{
		{"JSON", func(x *frames) { whole(x, []byte("{}"), replaced("content-type", "application/json")...) }, "415"},
		{"no content-type", func(x *frames) { whole(x, intent, without("content-type")...) }, "415"},
		{"a name that begins like it", func(x *frames) { whole(x, intent, replaced("content-type", "application/grpcx")...) }, "415"},
		{"gRPC for the web", func(x *frames) { whole(x, intent, replaced("content-type", "application/grpc-web+proto")...) }, "415"},
		{"JSON in gRPC", func(x *frames) {
			whole(x, framed(0, []byte(`{"message":{}}`)), replaced("content-type", "application/grpc+json")...)
		}, "13"},
		{"GET", func(x *frames) { whole(x, intent, replaced(":method", "GET")...) }, "405"},
		{"no path", func(x *frames) { whole(x, intent, without(":path")...) }, "12"},
		{"another path", func(x *frames) { whole(x, intent, replaced(":path", "/lf.a2a.v1.A2AService/sendMessage")...) }, "12"},
		{"a path with more", func(x *frames) { whole(x, intent, replaced(":path", sendMessage+"/")...) }, "12"},
		{"a path of nothing", func(x *frames) { whole(x, intent, replaced(":path", "")...) }, "12"},
		{"no authority", func(x *frames) { whole(x, intent, without(":authority")...) }, "400"},
		{"two authorities", func(x *frames) { whole(x, intent, call("host", "a", "host", "b")...) }, "400"},
		{"a connection field", func(x *frames) { whole(x, intent, call("connection", "close")...) }, "PROTOCOL_ERROR"},
		{"a field in upper case", func(x *frames) {
			whole(x, intent, append(without("a2a-extensions"), "A2A-Extensions", protocol.ExtensionURI)...)
		}, "PROTOCOL_ERROR"},
		{"a time that is none", func(x *frames) { whole(x, intent, call("grpc-timeout", "-1S")...) }, "400|13"},
		{"no time", func(x *frames) { whole(x, intent, call("grpc-timeout", "0n")...) }, "4"},
		{"bytes that are none", func(x *frames) { whole(x, intent, call("x-bin", "!")...) }, "400|13"},
		{"another compression", func(x *frames) { whole(x, intent, call("grpc-encoding", "br")...) }, "12"},
		{"compressed by nothing", func(x *frames) { whole(x, framed(1, intent[5:]), call()...) }, "13"},
		{"not as compressed as it says", func(x *frames) { whole(x, framed(1, intent[5:]), call("grpc-encoding", "gzip")...) }, "13"},
		{"another flag", func(x *frames) { whole(x, framed(7, intent[5:]), call()...) }, "13"},
		{"a length without end", func(x *frames) { whole(x, append([]byte{0, 0xff, 0xff, 0xff, 0xff}, intent[5:]...), call()...) }, "8"},
		{"a length and no message", func(x *frames) { whole(x, intent[:5], call()...) }, "13"},
		{"half a length", func(x *frames) { whole(x, intent[:3], call()...) }, "13"},
		{"half a message", func(x *frames) { whole(x, intent[:100], call()...) }, "13"},
		{"no message", func(x *frames) { x.open(1, true, call()...) }, "13"},
		{"two messages", func(x *frames) {
			whole(x, append(bytes.Clone(intent), framed(0, wireMessage("m2", uri(), field(messageParts, intentParts(a.read.Pin().String(), readIntent))))...), call()...)
		}, "13"},
		{"trailers of the client", func(x *frames) {
			x.open(1, false, call()...)
			x.data(1, false, intent[:50])
			x.open(1, true, "grpc-status", "0")
		}, ""},
		{"more after the end", func(x *frames) { x.open(1, true, call()...); x.data(1, true, intent) }, "STREAM_CLOSED|13"},
		{"an even stream", func(x *frames) { x.open(2, false, call()...) }, ""},
		{"a stream of nobody", func(x *frames) { x.open(0, false, call()...) }, ""},
		{"a stream again", func(x *frames) { x.open(3, false, call()...); x.open(1, false, call()...) }, ""},
		{"a frame that is too large", func(x *frames) { _ = x.f.WriteRawFrame(http2.FrameData, 0, 1, make([]byte, 1<<20)) }, ""},
		{"a window that is too large", func(x *frames) {
			_ = x.f.WriteWindowUpdate(0, 1<<31-1)
			_ = x.f.WriteWindowUpdate(0, 1<<31-1)
			x.open(1, true, call()...)
		}, "|13"},
		{"settings that are none", func(x *frames) {
			_ = x.f.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1})
			x.open(1, true, call()...)
		}, "|13"},
		{"a promise", func(x *frames) {
			_ = x.f.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, EndHeaders: true})
			x.open(1, true, call()...)
		}, "13"},
		{"headers that cannot be read", func(x *frames) { _ = x.f.WriteRawFrame(http2.FrameHeaders, 5, 1, bytes.Repeat([]byte{0xff}, 50)) }, ""},
		{"headers that go on elsewhere", func(x *frames) {
			_ = x.f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: x.headers(call()...)})
			_ = x.f.WriteContinuation(3, true, nil)
		}, ""},
		{"data among headers", func(x *frames) {
			_ = x.f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: x.headers(call()...)})
			x.data(1, true, intent)
		}, ""},
		{"HTTP/1.1", func(x *frames) { x.out.WriteString("POST / HTTP/1.1\r\nHost: a\r\n\r\n") }, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			x := a.frames(t).begin()
			row.do(x)
			x.flush()
			got := x.answer(1, 10*time.Second)
			said := got["reset"]
			if said == "" && got[":status"] != "200" {
				said = got[":status"]
			}
			if said == "" {
				said = got["grpc-status"]
			}
			if got == nil {
				require.True(t, x.over(10*time.Second), "the connection is kept, and nothing is answered")
			}
			require.Contains(t, strings.Split(row.want, "|"), said, "%v", got)
		})
	}
	t.Cleanup(func() { require.Empty(t, a.executed()) })
}

// TestGRPCArrival: a request that does not arrive is ended, and one that did has all the
// time that it takes.
func TestGRPCArrival(t *testing.T) {
	t.Parallel()
	const most = time.Second
	a := newAgent(t, agentOptions{requestTime: most, ran: func(ctx context.Context) {
		select { // longer than a request may take to arrive
		case <-ctx.Done():
		case <-time.After(most + most/2):
		}
	}})
	whole := func(id string) []byte {
		return framed(0, wireMessage(id, uri(), field(messageParts, intentParts(a.read.Pin().String(), readIntent))))
	}
	for _, method := range []string{"SendMessage", "SendStreamingMessage"} {
		open := func(x *frames) {
			fields := call()
			fields[5] = "/lf.a2a.v1.A2AService/" + method
			x.open(1, false, fields...)
		}
		for name, sent := range map[string][]byte{"nothing": nil, "a length": whole("x")[:5], "half": whole("x")[:200], "all but the end": whole("x")} {
			t.Run(method+" "+name, func(t *testing.T) {
				t.Parallel()
				x := a.frames(t).begin()
				open(x)
				if sent != nil {
					x.data(1, false, sent)
				}
				require.True(t, x.flush())
				got := x.answer(1, 10*time.Second)
				require.NotNil(t, got, "it is waited for")
				require.NotEqual(t, "0", got["grpc-status"])
			})
		}
		t.Run(method+" all", func(t *testing.T) {
			t.Parallel()
			x := a.frames(t).begin()
			open(x)
			x.data(1, true, whole(method))
			require.True(t, x.flush())
			got := x.answer(1, 10*time.Second)
			require.Equal(t, "0", got["grpc-status"], "%v", got)
		})
	}
	t.Run("a connection that does not begin", func(t *testing.T) {
		t.Parallel()
		x := a.frames(t)
		go x.receive()
		require.True(t, x.over(10*time.Second))
	})
	t.Cleanup(func() { require.ElementsMatch(t, []string{"SendMessage", "SendStreamingMessage"}, a.executed()) })
}

// TestGRPCLeavers: a client leaves at every moment of a call. Whoever sends the message
// again gets its answer, and it was carried out once.
func TestGRPCLeavers(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	j := newJudged(t, a, a.read)
	w := a.grpcWire(t)
	body := func(id string) []byte {
		return wireMessage(id, uri(), field(messageParts, intentParts(a.read.Pin().String(), readIntent)))
	}
	length := len(framed(0, body("leave-000-0")))
	step := 40
	if attackLong() {
		step = 3
	}
	n := 0
	for at := 0; at <= length+20; at += step {
		for how := range 4 {
			id := fmt.Sprintf("leave-%03d-%d", at, how)
			x := a.frames(t).begin()
			x.open(1, false, call()...)
			x.data(1, at >= length, framed(0, body(id))[:min(at, length)])
			x.flush()
			if at > length { // after the end, a little later each time
				time.Sleep(time.Duration(at-length) * 100 * time.Microsecond)
			}
			switch how {
			case 0:
				_ = x.f.WriteRSTStream(1, http2.ErrCodeCancel)
				x.flush()
			case 1:
				x.end()
			case 2:
				_ = x.f.WriteGoAway(0, http2.ErrCodeNo, nil)
				x.flush()
				x.end()
			case 3: // and there at the same time
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(func() { w.call(t.Context(), sendMessage, body(id), grpcHeader()) })
				}
				_ = x.f.WriteRSTStream(1, http2.ErrCodeCancel)
				x.flush()
				wg.Wait()
			}
			got := w.call(t.Context(), sendMessage, body(id), grpcHeader())
			require.NotNil(t, got.response(t), "%s: %s", id, got)
			x.end()
			n++
		}
	}
	require.Equal(t, n, j.check())
	t.Logf("%d clients left", n)
}
