package service

import (
	"context"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/engine"
)

// Break makes a route call f instead of what it does.
func Break(s *Server, path string, f func()) {
	s.routes[path].handle = func(_ context.Context, _ *request) answer {
		f()
		return yes("done", nil)
	}
}

// Lengthen makes a route answer with a member of so many bytes, after it called f.
func Lengthen(s *Server, path string, size int, f func()) {
	s.routes[path].handle = func(_ context.Context, _ *request) answer {
		f()
		return yes("done", []byte(`{"long":"`+strings.Repeat("y", size)+`"}`))
	}
}

// Endless makes a route judge until the time is up.
func Endless(s *Server, path string) {
	s.routes[path].handle = func(ctx context.Context, _ *request) answer {
		<-ctx.Done()
		return refusal(ctx.Err())
	}
}

// FetchingJudge makes a Judge whose agent fetches documents from a source.
func FetchingJudge(c engine.Config, source engine.PeerSource) (*Judge, error) {
	c.Source, c.Await = weighed{source}, await
	e, err := engine.New(c)
	return &Judge{engine: e, fetches: true}, err
}

// RouteInfo is what a test sees of a route.
type RouteInfo struct {
	Method, Path string
	Open         bool
	Types        []string
	Most         int64
	Query        []string
}

// Routes lists the routes.
func Routes() []RouteInfo {
	var out []RouteInfo
	for _, r := range New(Options{}).table() {
		out = append(out, RouteInfo{r.method, r.path, r.open, r.types, r.most, r.query})
	}
	return out
}

// RequestMembers lists the members that the body of a route may have, nested ones with
// the names of the schemas that describe them.
func RequestMembers() map[string][]string {
	list := func(fields []field) []string {
		var out []string
		for _, f := range fields {
			name := f.name
			if f.needed {
				name += "!"
			}
			out = append(out, name)
		}
		return out
	}
	return map[string][]string{
		"ReceiveRequest":   list((&receiveRequest{}).fields()),
		"RespondRequest":   list((&respondRequest{}).fields()),
		"HashRequest":      list((&hashRequest{}).fields()),
		"ValidateRequest":  list((&validateRequest{}).fields()),
		"AuthorizeRequest": list((&authorizeRequest{}).fields()),
		"Document":         list((&document{}).fields()),
	}
}

// ConfigMembers lists the members of the configuration file.
func ConfigMembers() []string {
	var out []string
	for _, f := range (&Config{}).fields() {
		out = append(out, f.name)
	}
	return out
}

var (
	RouteCodes   = routeCodes
	ReadingCodes = readingCodes
	StatusOf     = serviceCodes
	Loggable     = loggable
)

const MaxLogged = maxLogged

// MediumBody and LargeBody are what a request must have to wait for its turn, and MediumTurns
// and LargeTurns how many have one at once for each processor. BodyShare is what the bodies
// of all may have for each request.
const (
	MediumBody  = mediumBody
	MediumTurns = mediumTurns
	LargeBody   = largeBody
	LargeTurns  = largeTurns
	BodyShare   = bodyShare
)

// Held is how many bytes of bodies a Server holds.
func Held(s *Server) int64 { return s.bodies.held.Load() }

// Turns is how many requests have a turn.
func Turns(s *Server) int { return len(s.medium) + len(s.large) }

// MaxWaiting is how many intents wait for their answers at most.
const MaxWaiting = maxWaiting

// MaxWaitingBytes is how many bytes they hold at most.
const MaxWaitingBytes = maxWaitingBytes

// WaitingBytes is how many bytes the intents hold that wait for their answers.
func WaitingBytes(s *Server) int { return s.waiting.bytes }

// MaxAuthorize is how many bytes the files have that one request reads.
const MaxAuthorize = maxAuthorize

// Waiting returns a table of intents that wait: how one of a peer and a size is added, answered,
// and found, and how many handles it holds.
func Waiting(now func() time.Time) (add func(peer string, size int) string, drop func(string), has func(string) bool, size func() int) {
	w := &waiting{now: now}
	return func(peer string, size int) string { return w.add(&engine.Intent{}, peer, size) }, w.drop, func(h string) bool { return w.get(h) != nil }, func() int {
		n := len(w.order)
		for _, p := range w.peers {
			n = max(n, len(p.order))
		}
		return n
	}
}
