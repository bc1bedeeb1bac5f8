package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Code names the kind of a failed fetch. Codes are stable.
type Code string

// The codes of failed fetches.
const (
	CodeURL            Code = "FETCH_URL"             // a URL that is refused before its host is looked up
	CodeNotHTTPS       Code = "FETCH_NOT_HTTPS"       // a scheme other than https
	CodeBlockedAddress Code = "FETCH_BLOCKED_ADDRESS" // a host or an address that is not public
	CodeDNS            Code = "FETCH_DNS"             // the name has no address, or the lookup failed
	CodeTLS            Code = "FETCH_TLS"             // no TLS, or a certificate that does not prove the host
	CodeRedirect       Code = "FETCH_REDIRECT"        // a redirect that the profile does not follow
	CodeTooLarge       Code = "FETCH_TOO_LARGE"       // more bytes than the profile allows
	CodeTimeout        Code = "FETCH_TIMEOUT"         // not done in time
	CodeCanceled       Code = "FETCH_CANCELED"        // the caller gave up
	CodeStatus         Code = "FETCH_STATUS"          // a status other than 200
	CodeMediaType      Code = "FETCH_MEDIA_TYPE"      // a media type that the profile does not accept
	CodeEncoding       Code = "FETCH_ENCODING"        // a content encoding other than gzip, or broken gzip
	CodeNetwork        Code = "FETCH_NETWORK"         // the connection failed, or the body is not known to be whole
	CodeThrottled      Code = "FETCH_THROTTLED"       // the peer of a Gate asked too often
)

// Text returns one sentence on what the code means, and "" for a code that this
// package does not use.
func (c Code) Text() string {
	switch c {
	case CodeURL:
		return "the URL may not be fetched"
	case CodeNotHTTPS:
		return "only https URLs are fetched"
	case CodeBlockedAddress:
		return "the host is not a public one"
	case CodeDNS:
		return "the host name has no usable address"
	case CodeTLS:
		return "the server did not prove that it is the host"
	case CodeRedirect:
		return "the redirect is not followed"
	case CodeTooLarge:
		return "the document is larger than its kind may be"
	case CodeTimeout:
		return "the server did not answer in time"
	case CodeCanceled:
		return "the fetch was given up"
	case CodeStatus:
		return "the server did not answer with status 200"
	case CodeMediaType:
		return "the document is of a media type that is not read here"
	case CodeEncoding:
		return "the content encoding cannot be read"
	case CodeNetwork:
		return "the connection failed, or the body is not known to be whole"
	case CodeThrottled:
		return "too many fetches were asked for in a short time"
	}
	return ""
}

// Codes returns every code of this package.
func Codes() []Code {
	return []Code{
		CodeURL, CodeNotHTTPS, CodeBlockedAddress, CodeDNS, CodeTLS, CodeRedirect, CodeTooLarge, CodeTimeout,
		CodeCanceled, CodeStatus, CodeMediaType, CodeEncoding, CodeNetwork, CodeThrottled,
	}
}

// Error says why a fetch failed. Its text never holds a resolved address, a
// credential, a control character, or anything that the server sent but where it
// redirected to.
type Error struct {
	Code   Code
	URL    string // the URL of the hop that failed, fit for display
	Reason string // what was expected and what came
	Err    error  // the cause, for errors.Is and for local logs; its text may hold addresses

	earlier bool // see Remembered
}

// Error returns the URL, when there is one, and the reason.
func (e *Error) Error() string {
	if e.URL == "" {
		return e.Reason
	}
	return e.URL + ": " + e.Reason
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// FetchCode returns the code as text, for packages that do not import this one.
func (e *Error) FetchCode() string { return string(e.Code) }

// FetchReason returns the reason without the URL: after a redirect, a server chose that
// URL.
func (e *Error) FetchReason() string { return e.Reason }

// Throttled reports whether the fetch was refused because the peer that caused it asks too
// often. Such an error says nothing about the document.
func (e *Error) Throttled() bool { return e.Code == CodeThrottled }

// Remembered reports whether the failure is that of an earlier fetch, as a [Gate] returns it
// for a while. Who remembers it anew would keep the document away for longer than that.
func (e *Error) Remembered() bool { return e.earlier }

// refuse returns the error for a URL that is displayed with it.
func refuse(code Code, url, format string, args ...any) *Error {
	return &Error{Code: code, URL: display(url), Reason: fmt.Sprintf(format, args...)}
}

// failure returns the Error for an error that net, net/http or crypto/tls returned.
func (c *Client) failure(ctx context.Context, t *target, err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok { // from connectTo, which does not know the URL
		return &Error{Code: own.Code, URL: display(t.text), Reason: own.Reason, Err: own.Err}
	}
	_, badCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	_, noTLS := errors.AsType[tls.RecordHeaderError](err)
	op, isOp := errors.AsType[*net.OpError](err)
	timeout, isTimeout := errors.AsType[net.Error](err)
	e := &Error{URL: display(t.text), Err: err}
	switch {
	case errors.Is(err, errNotPublic):
		e.Code, e.Reason = CodeBlockedAddress, "expected a public address"
	case errors.Is(ctx.Err(), context.Canceled):
		e.Code, e.Reason = CodeCanceled, "the fetch was given up"
	case errors.Is(ctx.Err(), context.DeadlineExceeded), isTimeout && timeout.Timeout():
		e.Code, e.Reason = CodeTimeout, "expected an answer in time"
	case badCertificate:
		e.Code, e.Reason = CodeTLS, "expected a certificate for the host from a trusted authority"
	case noTLS, errors.Is(err, http.ErrSchemeMismatch):
		e.Code, e.Reason = CodeTLS, "expected a TLS server"
	case isOp && (op.Op == "remote error" || op.Op == "local error"): // a TLS alert
		e.Code, e.Reason = CodeTLS, "expected a TLS session, found an alert"
	default:
		e.Code, e.Reason = CodeNetwork, "expected an answer, found a broken connection"
	}
	return e
}

// display makes a peer's URL fit for messages and logs: without userinfo and control
// characters, and cut to a line.
func display(url string) string {
	if i := strings.Index(url, "//"); i >= 0 {
		rest := url[i+2:]
		end := strings.IndexAny(rest, "/?#")
		if end < 0 {
			end = len(rest)
		}
		if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
			url = url[:i+2] + rest[at+1:]
		}
	}
	return printable(url)
}

// printable cuts a peer's text to a line and replaces what a terminal would
// interpret.
func printable(s string) string {
	const most = 200 // bytes; enough for any URL that is meant to be read
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsGraphic(r) {
			return '?'
		}
		return r
	}, s)
}
