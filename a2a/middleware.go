package a2a

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/rdfproto/rdfproto/protocol"
)

// maxExtensions bounds the extensions that one request can name.
const maxExtensions = 64

// HTTP wraps an HTTP handler of the SDK and does what the SDK leaves out (a2a-rdf,
// section 14). b is the binding that next speaks, JSONRPC or REST.
//
//   - Several extensions in one A2A-Extensions field become one field each, without
//     white space around them (CARD-6).
//   - The response names the extensions that were activated (CARD-7).
//   - The version of A2A may be named by a parameter of the request in the place of a
//     header field (A2A, section 3.6.1).
//   - A body of more than [MaxMessage] bytes is refused before it is read whole, and
//     one with repeated members, members in another case, text that is not UTF-8 or
//     lone surrogates before the SDK reads it, with the error of the binding.
//   - The text of data parts is kept for the executor: the SDK has them decoded, with
//     numbers as doubles.
//   - A body with a Content-Encoding other than identity is refused, and so is one with a
//     Content-Type other than application/json or one of JSON (application/a2a+json): a
//     page of anyone's can have a browser send forms and plain text to an agent. One
//     without is read.
//
// How long a request may take to arrive is up to the http.Server: its ReadHeaderTimeout
// and ReadTimeout are unlimited by default.
func HTTP(b Binding, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxMessage))
		if err != nil {
			var size *http.MaxBytesError
			refused := &bodyError{-32700, "", "the body ended before it was whole"} // if anybody is there to read it
			if errors.As(err, &size) {
				refused = &bodyError{-32602, protocol.CodeLimitExceeded, "the body exceeds the limit on bytes"}
			}
			refused.write(w, b)
			return
		}
		req := &request{}
		if len(body) > 0 {
			refused := checkHeader(r.Header)
			if refused == nil {
				req, refused = parseBody(body, b)
			}
			if refused != nil {
				refused.write(w, b)
				return
			}
		}
		req.remote = addressOf(r.RemoteAddr)
		out := r.Clone(context.WithValue(r.Context(), requestKey{}, req))
		out.Body = io.NopCloser(bytes.NewReader(body))
		out.ContentLength = int64(len(body))
		requested := splitExtensions(out.Header.Values(sdk.SvcParamExtensions))
		out.Header.Del(sdk.SvcParamExtensions)
		for _, uri := range requested {
			out.Header.Add(sdk.SvcParamExtensions, uri)
		}
		for _, version := range r.URL.Query()[sdk.SvcParamVersion] {
			out.Header.Add(sdk.SvcParamVersion, version)
		}
		late := &lateHeader{ResponseWriter: w, request: req}
		next.ServeHTTP(late, out)
		late.commit()
	})
}

// splitExtensions separates the URIs of a comma-separated service parameter, in
// their order, each once (a2a-rdf, CARD-6). White space around one is none of it.
func splitExtensions(values []string) []string {
	var uris []string
	for _, value := range values {
		for uri := range strings.SplitSeq(value, ",") {
			uri = strings.Trim(uri, " \t")
			if uri == "" || slices.Contains(uris, uri) {
				continue
			}
			if len(uris) == maxExtensions {
				return uris
			}
			uris = append(uris, uri)
		}
	}
	return uris
}

// lateHeader holds the status back until there is a body, because the SDK's
// streaming handlers write it before anything was activated.
type lateHeader struct {
	http.ResponseWriter
	request *request
	status  int
	sent    bool
}

// WriteHeader keeps the status.
func (l *lateHeader) WriteHeader(status int) {
	if l.status == 0 {
		l.status = status
	}
}

// Write sends what is held back first.
func (l *lateHeader) Write(p []byte) (int, error) {
	l.commit()
	return l.ResponseWriter.Write(p)
}

// Flush implements http.Flusher, which the SDK asks for.
func (l *lateHeader) Flush() {
	l.commit()
	if f, ok := l.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// Unwrap is for http.ResponseController.
func (l *lateHeader) Unwrap() http.ResponseWriter { return l.ResponseWriter }

func (l *lateHeader) commit() {
	if l.sent {
		return
	}
	l.sent = true
	for _, uri := range l.request.active() {
		l.Header().Add(sdk.SvcParamExtensions, uri)
	}
	if l.status != 0 {
		l.ResponseWriter.WriteHeader(l.status)
	}
}
