package a2a_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip" // an agent that reads it

	"github.com/rdfproto/rdfproto/protocol"
)

// frames is a connection to the gRPC binding on which frames of HTTP/2 are sent as one
// likes, and which counts what comes back.
type frames struct {
	conn    net.Conn
	f       *http2.Framer
	out     bytes.Buffer
	hp      *hpack.Encoder
	block   bytes.Buffer
	read    chan struct{}
	mu      sync.Mutex
	streams map[uint32]map[string]string // the fields of the answers
	resets  int
	gone    bool // a GOAWAY
}

func (a *agent) frames(t testing.TB) *frames {
	t.Helper()
	conn, err := tls.Dial("tcp", a.grpc, &tls.Config{RootCAs: a.roots, NextProtos: []string{"h2"}})
	require.NoError(t, err)
	x := &frames{conn: conn, read: make(chan struct{}), streams: map[uint32]map[string]string{}}
	x.f = http2.NewFramer(&x.out, conn)
	x.f.AllowIllegalWrites = true
	x.hp = hpack.NewEncoder(&x.block)
	x.f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	t.Cleanup(x.end)
	return x
}

// begin sends the preface and settings, and reads what comes.
func (x *frames) begin(settings ...http2.Setting) *frames {
	x.out.WriteString(http2.ClientPreface)
	_ = x.f.WriteSettings(settings...)
	x.flush()
	go x.receive()
	return x
}

func (x *frames) receive() {
	defer close(x.read)
	for {
		frame, err := x.f.ReadFrame()
		if err != nil {
			return
		}
		x.mu.Lock()
		switch frame := frame.(type) {
		case *http2.MetaHeadersFrame:
			fields := x.streams[frame.StreamID]
			if fields == nil {
				fields = map[string]string{}
				x.streams[frame.StreamID] = fields
			}
			for _, h := range frame.Fields {
				fields[h.Name] = h.Value
			}
			if frame.StreamEnded() {
				fields["end"] = "yes"
			}
		case *http2.RSTStreamFrame:
			x.resets++
			if x.streams[frame.StreamID]["end"] == "" { // else it was answered before
				x.streams[frame.StreamID] = map[string]string{"end": "yes", "reset": frame.ErrCode.String()}
			}
		case *http2.GoAwayFrame:
			x.gone = true
		}
		x.mu.Unlock()
	}
}

// flush sends what was written, and reports whether anybody takes it.
func (x *frames) flush() bool {
	_ = x.conn.SetWriteDeadline(time.Now().Add(20 * time.Second))
	_, err := x.conn.Write(x.out.Bytes())
	x.out.Reset()
	return err == nil
}

func (x *frames) end() { _ = x.conn.Close() }

// headers is a block of header fields.
func (x *frames) headers(fields ...string) []byte {
	x.block.Reset()
	for i := 0; i < len(fields); i += 2 {
		_ = x.hp.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return bytes.Clone(x.block.Bytes())
}

// call is the header of a call.
func call(more ...string) []string {
	return append([]string{
		":method", "POST", ":scheme", "https", ":path", sendMessage, ":authority", "localhost", "content-type", "application/grpc", "te", "trailers",
		"authorization", "Bearer bob", "a2a-version", "1.0", "a2a-extensions", protocol.ExtensionURI,
	}, more...)
}

func (x *frames) open(id uint32, ended bool, fields ...string) {
	_ = x.f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: x.headers(fields...), EndStream: ended, EndHeaders: true})
}

// framed is a message with gRPC's prefix.
func framed(flag byte, body []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{flag}, uint32(len(body))), body...)
}

// data sends bytes in frames of 16 KiB.
func (x *frames) data(id uint32, ended bool, b []byte) {
	for len(b) > 16<<10 {
		_ = x.f.WriteData(id, false, b[:16<<10])
		b = b[16<<10:]
	}
	_ = x.f.WriteData(id, ended, b)
}

// answer waits for the end of a stream.
func (x *frames) answer(id uint32, most time.Duration) map[string]string {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(time.Millisecond) {
		x.mu.Lock()
		got := x.streams[id]
		x.mu.Unlock()
		if got["end"] != "" {
			return got
		}
		select {
		case <-x.read:
			return got
		default:
		}
	}
	return nil
}

// over reports whether the server ended the connection.
func (x *frames) over(most time.Duration) bool {
	select {
	case <-x.read:
		return true
	case <-time.After(most):
		return false
	}
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

// floods are what one connection can send without end. n is how often.
func floods(a *agent) []struct {
	name string
	do   func(t testing.TB, x *frames, n int)
} {
	type flood = struct {
		name string
		do   func(t testing.TB, x *frames, n int)
	}
	// often sends something until the server has had enough.
	often := func(x *frames, n int, one func(i int)) {
		for i := range n {
			if one(i); x.out.Len() > 64<<10 && !x.flush() {
				return
			}
		}
		x.flush()
	}
	id := func(i int) uint32 { return uint32(2*i + 1) }
	zeros := framed(1, gzipped(make([]byte, 32<<20)))
	bomb := base64.RawStdEncoding.EncodeToString(bytes.Repeat([]byte("x"), 2_800))
	return []flood{
		{"requests that are taken back", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n, func(i int) { x.open(id(i), false, call()...); _ = x.f.WriteRSTStream(id(i), http2.ErrCodeCancel) })
		}},
		{"requests with intents that are taken back", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n/4, func(i int) {
				x.open(id(i), false, call()...)
				x.data(id(i), true, framed(0, wireMessage(fmt.Sprintf("flood-%p-%d", x, i), uri(), field(messageParts, intentParts(a.read.Pin().String(), readIntent)))))
				_ = x.f.WriteRSTStream(id(i), http2.ErrCodeCancel)
			})
		}},
		{"streams that stay open", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n, func(i int) { x.open(id(i), false, call()...) })
		}},
		{"streams that announce a message", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n/4, func(i int) {
				x.open(id(i), false, call()...)
				x.data(id(i), false, []byte{0, 0, 0x0f, 0xff, 0xff})
			})
		}},
		{"messages that are not finished", func(t testing.TB, x *frames, n int) {
			x.begin()
			most := bytes.Repeat([]byte{0}, 60_000)
			often(x, n/40, func(i int) {
				x.open(id(i), false, call()...)
				x.data(id(i), false, append([]byte{0, 0, 0x0f, 0xff, 0xff}, most...))
			})
		}},
		{"settings", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n, func(i int) { _ = x.f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: uint32(i)}) })
		}},
		{"pings", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n, func(i int) { _ = x.f.WritePing(false, [8]byte{byte(i)}) })
		}},
		{"pings that answer none", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n, func(i int) { _ = x.f.WritePing(true, [8]byte{byte(i)}) })
		}},
		{"priorities", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n, func(i int) { _ = x.f.WritePriority(id(i), http2.PriorityParam{StreamDep: id(i + 1), Weight: 1}) })
		}},
		{"windows", func(t testing.TB, x *frames, n int) {
			x.begin()
			x.open(1, false, call()...)
			often(x, n, func(i int) { _ = x.f.WriteWindowUpdate(uint32(i%2), 1) })
		}},
		{"frames that nobody knows", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n, func(i int) { _ = x.f.WriteRawFrame(http2.FrameType(0x40+i%64), 0, 0, make([]byte, 100)) })
		}},
		{"data of nothing", func(t testing.TB, x *frames, n int) {
			x.begin()
			x.open(1, false, call()...)
			often(x, n, func(int) { _ = x.f.WriteData(1, false, nil) })
		}},
		{"data of padding", func(t testing.TB, x *frames, n int) {
			x.begin()
			x.open(1, false, call()...)
			often(x, n/4, func(int) { _ = x.f.WriteDataPadded(1, false, nil, make([]byte, 255)) })
		}},
		{"data for nobody", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n, func(i int) { _ = x.f.WriteData(id(i), false, []byte("x")) })
		}},
		{"headers that go on", func(t testing.TB, x *frames, n int) {
			x.begin()
			_ = x.f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: x.headers(call()...), EndHeaders: false})
			often(x, n/40, func(i int) {
				_ = x.f.WriteContinuation(1, false, x.headers(fmt.Sprintf("x-%d", i), strings.Repeat("y", 8<<10)))
			})
		}},
		{"headers that go on with nothing", func(t testing.TB, x *frames, n int) {
			x.begin()
			_ = x.f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: x.headers(call()...), EndHeaders: false})
			often(x, n, func(int) { _ = x.f.WriteContinuation(1, false, nil) })
		}},
		{"a bomb of headers", func(t testing.TB, x *frames, n int) {
			x.begin()
			fields := call()
			for range 3_000 { // a byte each, once the first is in the table
				fields = append(fields, "a-bin", bomb)
			}
			often(x, n/80, func(i int) { x.open(id(i), false, fields...) })
		}},
		{"bombs of headers that are within the limit", func(t testing.TB, x *frames, n int) {
			x.begin()
			fields := call()
			for range 15 {
				fields = append(fields, "a-bin", bomb)
			}
			often(x, n/4, func(i int) { x.open(id(i), false, fields...) })
		}},
		{"many extensions", func(t testing.TB, x *frames, n int) {
			x.begin()
			fields := call()
			for range 600 {
				fields = append(fields, "a2a-extensions", strings.Repeat(",", 50))
			}
			often(x, n/40, func(i int) { x.open(id(i), true, fields...) })
		}},
		{"methods that nobody knows", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n/4, func(i int) {
				x.open(id(i), true, ":method", "POST", ":scheme", "https", ":path", fmt.Sprintf("/x.Y/%d", i), ":authority", "a", "content-type", "application/grpc")
			})
		}},
		{"answers that nobody takes", func(t testing.TB, x *frames, n int) {
			x.begin(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
			often(x, n/40, func(i int) {
				x.open(id(i), false, call()...)
				x.data(id(i), true, framed(0, wireMessage(fmt.Sprintf("kept-%p-%d", x, i), uri(), field(messageParts, intentParts(a.read.Pin().String(), readIntent)))))
			})
		}},
		{"answers that nobody reads", func(t testing.TB, x *frames, n int) { // of the connection
			x.out.WriteString(http2.ClientPreface)
			_ = x.f.WriteSettings()
			close(x.read)
			_ = x.conn.SetWriteDeadline(time.Now().Add(2 * time.Second))
			for i := range n {
				if _ = x.f.WritePing(false, [8]byte{byte(i)}); x.out.Len() > 64<<10 {
					if _, err := x.conn.Write(x.out.Bytes()); err != nil {
						break
					}
					x.out.Reset()
				}
			}
		}},
		{"bombs of gzip", func(t testing.TB, x *frames, n int) {
			x.begin()
			often(x, n/400, func(i int) { x.open(id(i), false, call("grpc-encoding", "gzip")...); x.data(id(i), true, zeros) })
		}},
	}
}

// TestGRPCFloods: whatever one connection sends without end, the agent answers another,
// holds little for it, and keeps nothing of it.
func TestGRPCFloods(t *testing.T) {
	a := newAgent(t, agentOptions{})
	j := newJudged(t, a, a.read)
	n := 2_000
	if testing.Short() {
		n = 400
	}
	if attackLong() {
		n = 40_000
	}
	for _, row := range floods(a) {
		t.Run(row.name, func(t *testing.T) {
			goroutines := runtime.NumGoroutine()
			connections := make([]*frames, 4)
			for i := range connections {
				connections[i] = a.frames(t)
			}
			start := time.Now()
			most, _ := holds(func() {
				var wg sync.WaitGroup
				for _, x := range connections {
					wg.Go(func() { row.do(t, x, n/len(connections)) })
				}
				wg.Wait()
				// Another is served all the time.
				w := a.grpcWire(t)
				got := w.call(t.Context(), sendMessage, wireMessage("after-"+row.name, uri(), field(messageParts, intentParts(a.read.Pin().String(), readIntent))), grpcHeader())
				require.Equal(t, codes.OK, got.status, got)
			})
			var resets int
			var gone []bool
			for _, x := range connections {
				x.mu.Lock()
				resets += x.resets
				gone = append(gone, x.gone)
				x.mu.Unlock()
				x.end()
			}
			left := runtime.NumGoroutine
			for end := time.Now().Add(20 * time.Second); left() > goroutines+8 && time.Now().Before(end); {
				time.Sleep(5 * time.Millisecond)
			}
			t.Logf("%s, %d MB, %d resets, GOAWAY %v, %d goroutines more", time.Since(start), most>>20, resets, gone, left()-goroutines)
			require.Less(t, most, uint64(200<<20))
			require.LessOrEqual(t, left(), goroutines+8)
			j.check()
		})
	}
	require.Zero(t, a.prose.got.Load())
}
