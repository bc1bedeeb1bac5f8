package service

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/replay"
)

// Code says why the service gives no verdict. Verdicts have the codes of the library.
type Code string

// The codes of the service.
const (
	CodeMalformedRequest     Code = "malformed-request"      // the body is not the JSON that the route reads
	CodeUnauthenticated      Code = "unauthenticated"        // no token, or another one
	CodePeerUnauthenticated  Code = "peer-not-authenticated" // a peer was named by a caller that is not authenticated
	CodeForeignHost          Code = "foreign-host"           // a Host or an Origin that is not this service
	CodeNotFound             Code = "not-found"              // no such route
	CodeUnknownIntent        Code = "unknown-intent"         // no intent with this handle waits for an answer
	CodeMethodNotAllowed     Code = "method-not-allowed"     // another method
	CodeUnsupportedMediaType Code = "unsupported-media-type" // a content type or encoding that the route does not read
	CodeLimitExceeded        Code = "limit-exceeded"         // over a limit
	CodeTimeout              Code = "timeout"                // the time of a request is up
	CodeBusy                 Code = "busy"                   // too many requests at once
	CodeInternal             Code = "internal"               // could not tell
	CodeNotConfigured        Code = "not-configured"         // the configuration has nothing that could judge
)

// serviceCodes returns every code with its HTTP status.
func serviceCodes() map[Code]int {
	return map[Code]int{
		CodeMalformedRequest: http.StatusBadRequest, CodeUnauthenticated: http.StatusUnauthorized,
		CodePeerUnauthenticated: http.StatusForbidden, CodeForeignHost: http.StatusForbidden,
		CodeNotFound: http.StatusNotFound, CodeUnknownIntent: http.StatusNotFound, CodeMethodNotAllowed: http.StatusMethodNotAllowed,
		CodeUnsupportedMediaType: http.StatusUnsupportedMediaType, CodeLimitExceeded: http.StatusRequestEntityTooLarge,
		CodeTimeout: http.StatusServiceUnavailable, CodeBusy: http.StatusServiceUnavailable,
		CodeInternal: http.StatusInternalServerError, CodeNotConfigured: http.StatusNotImplemented,
	}
}

// Codes returns the codes of the service in a fixed order.
func Codes() []Code {
	return []Code{
		CodeMalformedRequest, CodeUnauthenticated, CodePeerUnauthenticated, CodeForeignHost, CodeNotFound, CodeUnknownIntent,
		CodeMethodNotAllowed, CodeUnsupportedMediaType, CodeLimitExceeded, CodeTimeout, CodeBusy, CodeInternal, CodeNotConfigured,
	}
}

// verdictWord names the verdict of a status.
func verdictWord(s cli.Status) string {
	switch s {
	case cli.StatusYes:
		return "yes"
	case cli.StatusNo:
		return "no"
	case cli.StatusNothing:
		return "nothing"
	}
	return "refused"
}

// answer is what a request comes to. The zero answer is a failure of the service.
type answer struct {
	http    int // 0 is 500
	verdict cli.Status
	code    string // "" for a yes
	message string
	more    []byte // a JSON object whose members follow, or nil

	header http.Header // beside what every answer has
	cause  error       // of a failure, for the log: see describe
}

// yes and no are verdicts.
func yes(message string, more []byte) answer {
	return answer{http: http.StatusOK, verdict: cli.StatusYes, message: message, more: more}
}

func no(code, message string, more []byte) answer {
	return answer{http: http.StatusOK, verdict: cli.StatusNo, code: code, message: message, more: more}
}

// refuse gives no verdict for a reason of the service's own.
func refuse(code Code, message string) answer {
	a := answer{http: serviceCodes()[code], verdict: cli.StatusRefused, code: string(code), message: message}
	switch code {
	case CodeBusy, CodeTimeout:
		a.header = http.Header{"Retry-After": {"1"}}
	case CodeUnauthenticated:
		a.header = http.Header{"Www-Authenticate": {`Bearer realm="rdfprotod"`}}
	}
	return a
}

// problem is one thing that is wrong with an input.
type problem struct {
	Code    string     `json:"code,omitempty"`
	Message string     `json:"message"`
	Place   *rdf.Place `json:"place,omitempty"`
}

// refusal gives no verdict because of an error: about an input, or not.
func refusal(err error) answer {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return refuse(CodeTimeout, "the time of the request is up")
	case errors.Is(err, context.Canceled):
		return refuse(CodeTimeout, "the request was cut off")
	}
	var own *requestError
	switch {
	case errors.As(err, &own):
		return refuse(own.code, own.text)
	case errors.Is(err, replay.ErrTooLarge):
		return refuse(CodeLimitExceeded, "a name or an answer is larger than the store of messages keeps")
	}
	all := cli.Diagnose(err)
	first := all[0]
	if first.Status != cli.StatusRefused {
		a := refuse(CodeInternal, "the service could not tell")
		a.cause = err
		return a
	}
	a := answer{http: http.StatusUnprocessableEntity, verdict: cli.StatusRefused, code: first.Code, message: first.Text}
	switch first.Code {
	case string(CodeLimitExceeded), string(CodeUnsupportedMediaType):
		a.http = serviceCodes()[Code(first.Code)]
	}
	var more struct {
		Place    *rdf.Place `json:"place,omitempty"`
		Problems []problem  `json:"problems,omitempty"`
	}
	place := func(p rdf.Place) *rdf.Place {
		if p.IsZero() {
			return nil
		}
		return &p
	}
	more.Place = place(first.Place)
	if len(all) > 1 {
		for _, d := range all {
			more.Problems = append(more.Problems, problem{d.Code, d.Text, place(d.Place)})
		}
	}
	text, err := cli.Marshal(more)
	if err != nil {
		a := refuse(CodeInternal, "the service could not tell")
		a.cause = err
		return a
	}
	a.more = text
	return a
}

// requestError is a request that is not what the route reads.
type requestError struct {
	code Code
	text string
}

func (e *requestError) Error() string { return e.text }

func malformed(format string, args ...any) error {
	return &requestError{CodeMalformedRequest, fmt.Sprintf(format, args...)}
}

// write sends an answer and returns its HTTP status and how many bytes it has.
func (a answer) write(w http.ResponseWriter) (status, size int) {
	if a.http == 0 {
		a = refuse(CodeInternal, "the service could not tell")
	}
	line, err := cli.VerdictJSON(a.verdict, a.code, a.message, a.more)
	if err != nil {
		a.http, line = http.StatusInternalServerError, []byte(`{"version":1,"verdict":"refused","code":"internal","message":"the service could not tell"}`+"\n")
	}
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	writeBody(w, a.http, "application/json", line)
	return a.http, len(line)
}

// writeBody sends a whole body. That nobody reads it any more is nobody's concern.
func writeBody(w http.ResponseWriter, status int, contentType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", fmt.Sprint(len(body)))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
