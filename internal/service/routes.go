package service

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// request is a request whose sender and size are right.
type request struct {
	caller    caller
	body      []byte
	mediaType string
	query     url.Values
	log       *exchange
}

// json reads the body as JSON.
func (r *request) json() (strictjson.Value, error) {
	// What is inside of the request has limits of its own, and what is around it a few
	// values more; whoever reads that decides.
	const depth, values = 128, 128 << 10
	v, err := strictjson.Parse(r.body, strictjson.Limits{Bytes: int64(len(r.body)) + 1, Depth: depth, Values: values})
	var e *strictjson.Error
	switch {
	case errors.As(err, &e) && e.Code == strictjson.CodeLimitExceeded:
		return v, &requestError{CodeLimitExceeded, "the body: " + e.Text}
	case errors.As(err, &e):
		return v, malformed("the body, line %d, column %d: %s", e.Line, e.Column, e.Text)
	}
	return v, err
}

// route is one thing that the service does.
type route struct {
	method, path string
	// open routes answer anybody who gets here.
	open bool
	// page makes the body of a GET route.
	page func() (status int, contentType string, body []byte)

	// The others read a body of these types and at most so many bytes, and take these
	// query parameters.
	types []string
	most  int64
	query []string
	// fetches routes may have to fetch a document.
	fetches bool
	handle  func(ctx context.Context, r *request) answer
}

const jsonType = "application/json"

// The bounds on bodies. Documents in JSON are longer than they are: the readers bound
// them by their own limits once more.
const (
	maxReceive   = 1<<20 + 16<<10      // a message of 1 MiB, and who sent it (a2a-rdf, VAL-1)
	maxHash      = 2<<20 + 16<<10      // a document of 1 MiB with its quotes escaped
	maxValidate  = 2 * (2<<20 + 8<<10) // data and shapes
	maxAuthorize = 4 << 20             // two chains of credentials and policies
)

// table lists the routes.
func (s *Server) table() []route {
	rdfTypes := []string{jsonType}
	for _, syntax := range rdfio.Syntaxes() {
		rdfTypes = append(rdfTypes, syntax.MediaType())
	}
	return []route{
		{method: http.MethodPost, path: "/v1/receive", types: []string{jsonType}, most: maxReceive, fetches: true, handle: s.receive},
		{method: http.MethodPost, path: "/v1/respond", types: []string{jsonType}, most: maxReceive, handle: s.respond},
		{method: http.MethodPost, path: "/v1/hash", types: rdfTypes, most: maxHash, query: []string{"base", "pin"}, handle: s.hash},
		{method: http.MethodPost, path: "/v1/validate", types: []string{jsonType}, most: maxValidate, handle: s.validate},
		{method: http.MethodPost, path: "/v1/authorize", types: []string{jsonType}, most: maxAuthorize, handle: s.authorize},
		{method: http.MethodGet, path: "/healthz", open: true, page: s.health},
		{method: http.MethodGet, path: "/metrics", page: func() (int, string, []byte) {
			return http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", s.metrics.text()
		}},
		{method: http.MethodGet, path: "/openapi.json", open: true, page: func() (int, string, []byte) {
			return http.StatusOK, jsonType, OpenAPI()
		}},
	}
}

func (rt *route) takes(parameter string) bool { return slices.Contains(rt.query, parameter) }

// reads reports whether the route reads a content type.
func (rt *route) reads(header []string) bool {
	if len(header) != 1 {
		return false
	}
	essence, parameters, err := mime.ParseMediaType(header[0])
	if err != nil || !slices.Contains(rt.types, essence) {
		return false
	}
	charset, ok := parameters["charset"]
	return !ok || strings.EqualFold(charset, "utf-8")
}

// health says whether the service takes requests.
func (s *Server) health() (int, string, []byte) {
	if s.draining.Load() {
		return http.StatusServiceUnavailable, jsonType, []byte(`{"status":"draining"}` + "\n")
	}
	return http.StatusOK, jsonType, []byte(`{"status":"ok"}` + "\n")
}

// bodies bounds the bytes of all bodies that are held at a time.
type bodies struct {
	held atomic.Int64
	most int64
}

// errBodies is why a body is not read to its end.
var errBodies = errors.New("the bodies of all requests are too many bytes")

// reading reads a body that counts among all: at once where its length was said, else as
// it comes.
type reading struct {
	io.Reader
	all        *bodies
	read, held int64
}

func (r *reading) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.read += int64(n); r.read > r.held {
		if over := r.hold(r.read - r.held); over != nil {
			return n, over
		}
	}
	return n, err
}

// hold counts n bytes more, unless there is no room for them. There is for small bodies.
func (r *reading) hold(n int64) error {
	if all := r.all.held.Add(n); all > r.all.most && r.held+n > largeBody {
		r.all.held.Add(-n)
		return errBodies
	}
	r.held += n
	return nil
}

// body reads the body of a request up to the bound of the route. It is held until done is
// called.
func (s *Server) body(rt *route, w http.ResponseWriter, r *http.Request) (body []byte, done func(), err error) {
	if r.ContentLength > rt.most {
		return nil, func() {}, &http.MaxBytesError{Limit: rt.most}
	}
	counted := &reading{Reader: http.MaxBytesReader(w, r.Body, rt.most), all: &s.bodies}
	if err = counted.hold(max(r.ContentLength, 0)); err == nil {
		body, err = io.ReadAll(counted)
	}
	return body, func() { s.bodies.held.Add(-counted.held) }, err
}

func (s *Server) bodyRefusal(err error) answer {
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return refuse(CodeLimitExceeded, "the body exceeds the limit of "+number(over.Limit)+" bytes")
	case errors.Is(err, errBodies):
		return refuse(CodeBusy, "too many bytes of requests at once")
	case errors.Is(err, os.ErrDeadlineExceeded):
		a := refuse(CodeTimeout, "the body did not come in time")
		a.http, a.header = http.StatusRequestTimeout, nil
		return a
	}
	return refuse(CodeMalformedRequest, "the body ended before its time")
}
