package a2a

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// errReply is why an answer over HTTP was not read. The exchange it belongs to has
// no answer then.
var errReply = errors.New("the answer can be read in more than one way")

// reply collects what came back for one call over HTTP, as it came: one JSON value,
// or one an event of a stream. It travels in the context to the round tripper.
type reply struct {
	binding Binding

	mu     sync.Mutex
	bodies []strictjson.Value
	status int  // of HTTP, 0 while no answer began
	gone   bool // over gRPC: what came is no answer of the agent
}

type replyKey struct{}

func replyFrom(ctx context.Context) *reply {
	r, _ := ctx.Value(replyKey{}).(*reply)
	return r
}

func (r *reply) add(v strictjson.Value) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bodies = append(r.bodies, v)
}

// began keeps the status of HTTP with which an answer begins.
func (r *reply) began(status int) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// refused reports whether the answer says by its status that the request was not taken.
func (r *reply) refused() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status >= 300 && r.status < 500
}

// unknown reports whether the answer says by its status that something failed on the way to
// the agent or at it: what became of the request is not known then.
func (r *reply) unknown() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status >= 500
}

// lose records that the call ended without an answer of the agent.
func (r *reply) lose() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = true
}

// lost reports whether the call ended without an answer of the agent.
func (r *reply) lost() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gone
}

// event returns what the i-th event of the answer was as JSON: the object around
// "message", "task", "statusUpdate" or "artifactUpdate". Over gRPC it is absent.
func (r *reply) event(i int) strictjson.Value {
	v := r.body(i)
	if r != nil && r.binding == JSONRPC {
		return v.Get("result")
	}
	return v
}

// body returns the i-th body as a whole; -1 is the last.
func (r *reply) body(i int) strictjson.Value {
	if r == nil {
		return strictjson.Value{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i < 0 {
		i = len(r.bodies) - 1
	}
	if i < 0 || i >= len(r.bodies) {
		return strictjson.Value{}
	}
	return r.bodies[i]
}

// roundTripper is what stands between the SDK's HTTP transports and the network: it
// asks one origin only, and reads answers strictly and within bounds before the SDK
// does.
type roundTripper struct {
	base   http.RoundTripper
	origin string
	open   context.Context // done when the connection is closed
}

// RoundTrip implements http.RoundTripper.
func (t *roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	if originOf(r.URL) != t.origin {
		return nil, fmt.Errorf("the request leaves the origin %s", t.origin)
	}
	if err := context.Cause(t.open); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(t.open, cancel)
	over := func() { stop(); cancel() }
	resp, err := t.roundTrip(r.WithContext(ctx), over)
	if err != nil {
		over()
		if closed := context.Cause(t.open); closed != nil {
			return nil, closed
		}
		return nil, err
	}
	return resp, nil
}

// roundTrip makes a request and reads the answer, but for a stream, which is over when it
// is closed.
func (t *roundTripper) roundTrip(r *http.Request, over func()) (*http.Response, error) {
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	got := replyFrom(r.Context())
	got.began(resp.StatusCode)
	if resp.StatusCode == http.StatusSwitchingProtocols {
		// The body is then the connection, which no context ends.
		_ = resp.Body.Close()
		return nil, errors.New("the peer changed to another protocol, which nobody asked for")
	}
	if err := readReply(resp, got, over); err != nil {
		_ = resp.Body.Close() // nothing of it is used
		return nil, err
	}
	return resp, nil
}

// readReply puts a strict reading before the body of an answer: a stream of events when
// it says so, else one JSON value. Some servers give errors no media type. over is called
// when all was read, or nothing more is.
func readReply(resp *http.Response, into *reply, over func()) error {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err == nil && strings.EqualFold(kind, "text/event-stream") {
		resp.Body = &eventStream{lines: bufio.NewReader(io.LimitReader(resp.Body, maxReply+1)), body: resp.Body, into: into, over: over}
		return nil
	}
	defer over()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err != nil {
		return err
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	if len(data) > 0 { // some calls have an empty answer
		v, err := parseReply(data)
		if err != nil {
			return err
		}
		into.add(v)
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return nil
}

// parseReply reads the JSON of an answer.
func parseReply(data []byte) (strictjson.Value, error) {
	v, err := strictjson.Parse(data, strictjson.Limits{Bytes: maxReply, Depth: maxNesting})
	if err != nil {
		return strictjson.Value{}, fmt.Errorf("%w: %w", errReply, err)
	}
	if e := exactMembers(v); e != nil {
		return strictjson.Value{}, fmt.Errorf("%w: %w", errReply, e)
	}
	return v, nil
}

// exactMembers refuses names in another case in what stands around payloads, where
// the SDK's decoder would take them for the known ones. Payloads are read by others.
func exactMembers(v strictjson.Value) *bodyError {
	if v.Kind() == strictjson.Array {
		for _, item := range v.Items() {
			if e := exactMembers(item); e != nil {
				return e
			}
		}
		return nil
	}
	if e := exactNames(v, envelope()...); e != nil {
		return e
	}
	for name, member := range v.Members() {
		if name == "data" || name == "metadata" || name == "details" {
			continue // anyone's names
		}
		if e := exactMembers(member); e != nil {
			return e
		}
	}
	return nil
}

// envelope is the names of A2A that an answer is read by.
func envelope() []string {
	return []string{
		"result", "error", "message", "task", "statusUpdate", "artifactUpdate", "status", "state", "artifact", "artifacts",
		"append", "lastChunk", "messageId", "contextId", "taskId", "artifactId", "id", "extensions", "metadata", "parts",
		"role", "text", "raw", "data", "url", "mediaType", "history",
	}
}

// eventStream reads a stream of events line by line and lets a line through when its
// data is strict JSON.
type eventStream struct {
	lines *bufio.Reader
	body  io.Closer
	into  *reply
	over  func()
	read  int64
	rest  []byte
	err   error
}

// Read implements io.Reader.
func (s *eventStream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.next()
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *eventStream) next() {
	line, err := s.lines.ReadBytes('\n')
	s.err = err
	s.read += int64(len(line))
	if s.read > maxReply {
		s.err = fmt.Errorf("%w: it exceeds the limit of %d bytes", errReply, maxReply)
		return
	}
	if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		v, err := parseReply(bytes.TrimSpace(data))
		if err != nil {
			s.err = err
			return
		}
		s.into.add(v)
	}
	s.rest = line
}

// Close implements io.Closer.
func (s *eventStream) Close() error {
	defer s.over()
	return s.body.Close()
}
