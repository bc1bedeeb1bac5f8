package service

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// The limits of a service by default.
const (
	// DefaultRequests is how many requests are worked on at once. Each may hold a body of
	// a few MiB, and occupy a processor for the whole time of a request.
	DefaultRequests = 64
	// DefaultTime is how long judging one request may take (a2a-rdf, VAL-4).
	DefaultTime = 2 * time.Second
	// DefaultDrain is how long requests may go on once the service is asked to end: longer
	// than any request takes that fetches nothing.
	DefaultDrain = 10 * time.Second

	// What a caller may take to send. Who sends more slowly is cut off.
	headerTime = 5 * time.Second
	bodyTime   = 10 * time.Second
	// fetchTime is what fetching one document may take (a2a-rdf, FETCH-3).
	fetchTime = 10 * time.Second
	// idleTime is how long a connection may be kept without a request.
	idleTime = 60 * time.Second
	// maxRequests bounds what an operator can ask for: each may hold a body.
	maxRequests = 1 << 16
	// maxHeader bounds the headers of a request: a token and some names.
	maxHeader = 16 << 10
	// mediumBody and largeBody are what a request must have to wait for its turn, and
	// mediumTurns and largeTurns how many have one at once for each processor. Long names
	// under short prefixes make some 60 MB of 160 KB, and 7 MB of 10 KB, which are held as
	// long as the blank nodes beside them keep a processor; of fewer bytes they make little.
	mediumBody  = 4 << 10
	mediumTurns = 4
	largeBody   = 16 << 10
	largeTurns  = 2
	// bodyShare is what the bodies of all requests may have together for each request that
	// is worked on. A large body beyond is one too many; most have some KiB.
	bodyShare = 512 << 10
	// maxConnections bounds the open connections for each request that is worked on:
	// one that is kept costs some KiB.
	maxConnections = 16
)

// Options says how a [Server] works.
type Options struct {
	// Judge is what the configuration says; nil is an empty one.
	Judge *Judge
	// Door says who can reach the service. With Tokens every caller needs one.
	Door   Door
	Tokens Tokens
	// Hosts are the names, beside those of loopback, that a request may be sent to.
	Hosts []string
	// Requests, Time and BodyTime bound the work; 0 is the default.
	Requests int
	Time     time.Duration
	BodyTime time.Duration
	// Log gets a line for each request; nil logs nothing.
	Log *slog.Logger
	// Now is the clock; nil is that of the system.
	Now func() time.Time
}

// Server answers requests. Make one with [New]; it is safe for concurrent use.
type Server struct {
	judge    *Judge
	door     Door
	tokens   Tokens
	hosts    []string
	slots    chan struct{}
	medium   chan struct{} // the turns of requests that are not small
	large    chan struct{} // and of large ones
	bodies   bodies
	time     time.Duration
	bodyTime time.Duration
	log      *slog.Logger
	now      func() time.Time
	metrics  *metrics
	waiting  waiting
	routes   map[string]*route
	draining atomic.Bool
}

// New makes a Server.
func New(o Options) *Server {
	s := &Server{judge: o.Judge, door: o.Door, tokens: o.Tokens, hosts: o.Hosts, time: o.Time, bodyTime: o.BodyTime, log: o.Log, now: o.Now}
	if s.judge == nil {
		s.judge = &Judge{}
	}
	if s.time <= 0 {
		s.time = DefaultTime
	}
	if s.bodyTime <= 0 {
		s.bodyTime = bodyTime
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.waiting.now = s.now
	n := o.Requests
	if n <= 0 {
		n = DefaultRequests
	}
	s.slots = make(chan struct{}, n)
	s.medium = make(chan struct{}, mediumTurns*runtime.GOMAXPROCS(0))
	s.large = make(chan struct{}, largeTurns*runtime.GOMAXPROCS(0))
	version, commit := cli.BuildVersion()
	s.metrics = newMetrics(s.now(), version, commit, runtime.Version(), outcomeCodes())
	s.routes = make(map[string]*route)
	s.bodies.most = int64(n) * bodyShare
	for _, r := range s.table() {
		s.routes[r.path] = &r
		s.bodies.most = max(s.bodies.most, r.most) // of one alone
	}
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now() // how long it takes, whatever the clock of verdicts says
	s.metrics.inFlight.Add(1)
	defer s.metrics.inFlight.Add(-1)
	e := &exchange{route: otherLabel}
	// As it was sent: a path that is escaped in another way is another name of the route,
	// which whoever stands before this service and guards it by its paths would not know.
	rt := s.routes[r.URL.EscapedPath()]
	if rt != nil {
		e.route = rt.path
	}
	defer func() {
		took := time.Since(start)
		s.metrics.count(e.route, e.status, e.verdict, e.code, e.size, took)
		e.line(r.Context(), s.log, took)
	}()
	defer func() {
		// A bug of ours. The server would go on as well, but write into the log what
		// the panic says, which may be a piece of a payload.
		if v := recover(); v != nil {
			e.bug = stack()
			e.send(w, refuse(CodeInternal, "the service could not tell"))
		}
	}()
	refused := s.admit(rt, r, e)
	if e.caller == callerUnknown || len(r.TransferEncoding) > 0 {
		// Nobody who is not known keeps a connection: the others would wait for it. Nor is
		// there a second request after a body without a length: what stood before this
		// service may have seen its end elsewhere (RFC 9112, section 6.1).
		w.Header().Set("Connection", "close")
	}
	if refused != nil {
		e.send(w, *refused)
		return
	}
	if rt.page != nil {
		status, contentType, body := rt.page()
		e.status, e.verdict = status, ""
		writeBody(w, status, contentType, body)
		return
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		w.Header().Set("Connection", "close") // with it goes the body, unread
		e.send(w, refuse(CodeBusy, "too many requests at once"))
		return
	}
	a, whole := s.judged(rt, w, r, e)
	if !whole {
		// The body was not read to its end; the next request would begin in it.
		w.Header().Set("Connection", "close")
	}
	e.send(w, a)
}

// judged reads the body of a request, and judges it when it is its turn. It reports whether
// the body was read to its end. What others wait for is theirs again when it returns: whoever
// does not read the answer keeps the slot alone.
func (s *Server) judged(rt *route, w http.ResponseWriter, r *http.Request, e *exchange) (a answer, whole bool) {
	body, done, err := s.body(rt, w, r)
	defer done()
	if err != nil {
		return s.bodyRefusal(err), false
	}
	e.size = len(body)
	ctx, cancel := context.WithTimeout(r.Context(), s.timeOf(rt))
	defer cancel()
	t := &turn{of: s, size: len(body)}
	defer t.leave()
	if rt.fetches && s.judge.fetches { // of which the time of a fetch is none
		in := judging{ctx, &atomic.Bool{}}
		t.clock = newClock(s.time, func() { in.up.Store(true); cancel() })
		defer t.clock.stop()
		ctx = in
	}
	if err := t.take(ctx); err != nil {
		return refusal(err), true
	}
	return rt.handle(context.WithValue(ctx, turnKey{}, t), &request{caller: e.caller, body: body, mediaType: r.Header.Get("Content-Type"), query: r.URL.Query(), log: e}), true
}

// timeOf returns what a request may take: to be judged, and where a message may offer a
// document, the fetch of it as well.
func (s *Server) timeOf(rt *route) time.Duration {
	if rt.fetches && s.judge.fetches {
		return s.time + fetchTime
	}
	return s.time
}

// admit looks at everything but the body of a request.
func (s *Server) admit(rt *route, r *http.Request, e *exchange) *answer {
	refuse := func(code Code, message string) *answer {
		a := refuse(code, message)
		return &a
	}
	if !s.here(r) {
		return refuse(CodeForeignHost, "the request is for another host, or of a page in a browser")
	}
	e.caller = s.identify(r)
	switch {
	case e.caller == callerUnknown && (rt == nil || !rt.open):
		return refuse(CodeUnauthenticated, "expected a token that is known here")
	case rt == nil:
		return refuse(CodeNotFound, "there is no such route; /openapi.json lists them")
	case r.Method != rt.method && !(r.Method == http.MethodHead && rt.method == http.MethodGet):
		a := refuse(CodeMethodNotAllowed, "this route answers "+rt.method)
		a.header = http.Header{"Allow": {rt.method}}
		return a
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil { // what cannot be read may have been a pin
		return refuse(CodeMalformedRequest, "the query is malformed")
	}
	for name, values := range query {
		if !rt.takes(name) || len(values) > 1 {
			return refuse(CodeMalformedRequest, "a query parameter is unknown or stands twice")
		}
	}
	if rt.page != nil {
		return nil
	}
	if !rt.reads(r.Header.Values("Content-Type")) {
		return refuse(CodeUnsupportedMediaType, "expected a Content-Type of "+strings.Join(rt.types, ", ")+", in UTF-8")
	}
	for _, enc := range r.Header.Values("Content-Encoding") {
		if enc != "" && !strings.EqualFold(enc, "identity") {
			return refuse(CodeUnsupportedMediaType, "expected a body without a content encoding")
		}
	}
	return nil
}

// here reports whether a request is meant for this service and comes from no page in
// a browser. On loopback a page could reach it under a name of its own that resolves
// to the address (DNS rebinding): the Host is then that name.
func (s *Server) here(r *http.Request) bool {
	if len(r.Header.Values("Origin")) > 0 {
		return false // nothing here is for pages; there is no CORS
	}
	if s.door != DoorLoopback {
		return true
	}
	host := r.Host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil && port != "" {
			return false
		}
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return true
	}
	for _, name := range s.hosts {
		if strings.EqualFold(host, name) {
			return true
		}
	}
	return false
}

// Serve answers requests on a listener until ctx is done, and then lets those that have
// begun finish, for no longer than drain. It returns how many were cut off. tlsConfig
// may be nil.
func (s *Server) Serve(ctx context.Context, l net.Listener, tlsConfig *tls.Config, drain time.Duration) (cut int, err error) {
	if drain <= 0 {
		drain = DefaultDrain
	}
	l = limitConnections(l, cap(s.slots)*maxConnections)
	base, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	server := &http.Server{
		Handler: s, TLSConfig: tlsConfig,
		ReadHeaderTimeout: headerTime, ReadTimeout: s.bodyTime, WriteTimeout: s.bodyTime + s.time + fetchTime + headerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader, DisableGeneralOptionsHandler: true, // "OPTIONS *" is a request like any other
		ErrorLog:    slog.NewLogLogger(quiet{s.log.Handler()}, slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return base },
	}
	done := make(chan error, 1)
	go func() {
		if tlsConfig != nil {
			done <- server.ServeTLS(l, "", "")
		} else {
			done <- server.Serve(l)
		}
	}()
	select {
	case err := <-done:
		return 0, err // the listener failed
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.log.Info("draining", "requests", s.metrics.inFlight.Load(), "most", drain.String())
	limit, cancel := context.WithTimeout(base, drain)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		cut = int(s.metrics.inFlight.Load())
		end()
		err = server.Close()
		if failed := <-done; !errors.Is(failed, http.ErrServerClosed) {
			err = errors.Join(err, failed)
		}
		return cut, err
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return 0, err
	}
	return 0, nil
}
