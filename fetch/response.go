package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Response is a document that was fetched. All that is known about it is which host sent
// it.
type Response struct {
	// URL is where the document was, after redirects.
	URL string
	// Body is the decoded body; nil when NotModified.
	Body []byte
	// MediaType is the Content-Type in lower case without parameters. It is empty when
	// there were none or several, or when it could not be read.
	MediaType string
	// NotModified reports that the entity tag of the request still holds.
	NotModified bool
	// ETag is the entity tag, quotes included; empty when there was none.
	ETag string
	// MaxAge is for how long from now the server lets the document be reused: what caches
	// on the way used up of it (Age) is taken off. HasMaxAge is false when it did not say.
	MaxAge    time.Duration
	HasMaxAge bool
	// NoStore reports that the document must not be kept.
	NoStore bool
}

// contentType returns the media type and whether the body is in UTF-8, as it is when no
// charset is given. With two Content-Type fields it returns no media type: which of the
// two counts would be a guess.
func contentType(h http.Header) (mediaType string, isUTF8 bool) {
	fields := h.Values("Content-Type")
	if len(fields) != 1 {
		return "", true
	}
	mediaType, parameters, err := mime.ParseMediaType(fields[0])
	if err != nil {
		return "", true
	}
	charset, ok := parameters["charset"]
	return mediaType, !ok || strings.EqualFold(charset, "utf-8")
}

// describe reads the headers that a caller may need.
func describe(t *target, res *http.Response) *Response {
	r := &Response{URL: t.text}
	r.MediaType, _ = contentType(res.Header)
	const longestTag = 256 // longer ones are not sent back
	if tag := res.Header.Get("ETag"); len(tag) <= longestTag {
		r.ETag = tag
	}
	for field := range strings.SplitSeq(strings.Join(res.Header.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		switch strings.ToLower(name) {
		case "no-store":
			r.NoStore = true
		case "no-cache":
			r.MaxAge, r.HasMaxAge = 0, true
		case "max-age":
			const longest = 1 << 31 // seconds, RFC 9111 section 1.2.2
			n, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 64)
			if err == nil && n >= 0 && !r.HasMaxAge {
				r.MaxAge, r.HasMaxAge = time.Duration(min(n, longest))*time.Second, true
			}
		}
	}
	r.MaxAge = max(0, r.MaxAge-age(res.Header))
	return r
}

// age returns how long ago the origin sent or confirmed a response, according to the
// caches that it came from (RFC 9111, section 5.1): the longest time of several, and
// longer than anything is fresh when one cannot be read.
func age(h http.Header) time.Duration {
	const longest = 1 << 31 // seconds
	var most int64
	for field := range strings.SplitSeq(strings.Join(h.Values("Age"), ","), ",") {
		field = strings.TrimSpace(field)
		if field == "" {
			continue
		}
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil || n < 0 {
			n = longest
		}
		most = max(most, min(n, longest))
	}
	return time.Duration(most) * time.Second
}

// read reads the body, checking its type, its size (FETCH-3, F-5) and that it is whole.
func (c *Client) read(ctx context.Context, t *target, res *http.Response, p Profile) (*Response, *Error) {
	r := describe(t, res)
	if len(p.MediaTypes) > 0 && !slices.Contains(p.MediaTypes, r.MediaType) {
		found := printable(r.MediaType)
		if found == "" {
			found = "none"
		}
		return nil, refuse(CodeMediaType, t.text, "expected the media type %s, found %s", strings.Join(p.MediaTypes, " or "), found)
	}
	if _, isUTF8 := contentType(res.Header); !isUTF8 && len(p.MediaTypes) > 0 {
		return nil, refuse(CodeMediaType, t.text, "expected a body in UTF-8, found another charset announced")
	}
	if endsWithConnection(res) {
		return nil, refuse(CodeNetwork, t.text, "expected a body that tells its own end, by a length or in chunks; found one that ends where the connection does")
	}
	limit := p.maxBytes()
	if res.ContentLength > limit {
		return nil, refuse(CodeTooLarge, t.text, "expected at most %d bytes, found %d announced", limit, res.ContentLength)
	}
	wire := &counted{r: res.Body, left: limit}
	var body io.Reader = wire
	switch encodings := res.Header.Values("Content-Encoding"); {
	case len(encodings) == 0 || len(encodings) == 1 && strings.EqualFold(encodings[0], "identity"):
	case len(encodings) == 1 && strings.EqualFold(encodings[0], "gzip"):
		z, err := gzip.NewReader(wire)
		if err != nil {
			return nil, c.bodyFailure(ctx, t, limit, err)
		}
		body = &counted{r: z, left: limit}
	default:
		return nil, refuse(CodeEncoding, t.text, "expected no content encoding or gzip")
	}
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(body); err != nil {
		return nil, c.bodyFailure(ctx, t, limit, err)
	}
	if err := ctx.Err(); err != nil {
		// A server that sees the connection close ends its answer, and that end can
		// arrive before the connection is gone: a truncated body that looks complete.
		return nil, c.failure(ctx, t, err)
	}
	r.Body = buf.Bytes()
	if r.Body == nil {
		r.Body = []byte{}
	}
	return r, nil
}

// endsWithConnection reports whether nothing but the end of the connection tells where
// the body ends (RFC 9112 section 6.3, case 8). Whoever is on the way can end a
// connection without any key, so that a body cut off could not be told from a whole one
// (sections 8 and 9.8), and a document of RDF that lost its end is often still one.
// HTTP/2 marks the end of each message itself.
func endsWithConnection(res *http.Response) bool {
	return res.ProtoMajor < 2 && res.ContentLength < 0 && len(res.TransferEncoding) == 0
}

var errTooLarge = errors.New("more bytes than allowed")

// counted reads at most left bytes and fails on one more.
type counted struct {
	r    io.Reader
	left int64
}

func (c *counted) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		return 0, errTooLarge
	}
	c.left -= int64(n)
	return n, err
}

// bodyFailure returns the Error for an error of reading the body.
func (c *Client) bodyFailure(ctx context.Context, t *target, limit int64, err error) *Error {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	switch {
	case errors.Is(err, errTooLarge):
		return refuse(CodeTooLarge, t.text, "expected at most %d bytes, found more", limit)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), corrupt:
		return refuse(CodeEncoding, t.text, "expected a body in gzip, found a damaged one")
	}
	return c.failure(ctx, t, err)
}
