package fetch

import "time"

// Profile says what a kind of document may cost and look like. The zero Profile
// is the strictest: no redirect, any media type, 64 KiB.
type Profile struct {
	// Accept is the request header; empty means "*/*".
	Accept string
	// MediaTypes lists the media types that are read, in lower case and without
	// parameters; another charset than UTF-8 is refused then. Empty means that the
	// media type is not looked at.
	MediaTypes []string
	// MaxBytes caps the body, before and after decompression; 0 means 64 KiB.
	MaxBytes int64
	// Redirects is how many redirects are followed.
	Redirects int
	// CrossOrigin lets redirects lead to another host or port. Each hop is judged
	// like the first URL either way; [Response.URL] says where the document was.
	CrossOrigin bool
	// Fresh asks every cache on the way for the origin's version (RFC 9111, section
	// 5.2.1.4). A [Client] itself keeps nothing.
	Fresh bool
}

const defaultMaxBytes = 64 << 10

func (p Profile) maxBytes() int64 {
	if p.MaxBytes <= 0 {
		return defaultMaxBytes
	}
	return p.MaxBytes
}

// atLeast returns the profile for bodies of so many bytes.
func (p Profile) atLeast(n int64) Profile {
	p.MaxBytes = max(p.maxBytes(), n)
	return p
}

// ProtocolDocument is the profile of Protocol Documents: Turtle or JSON-LD, 1 MiB,
// three redirects within the origin (FETCH-3, FETCH-4, FETCH-10).
func ProtocolDocument() Profile {
	return Profile{
		Accept:     "text/turtle, application/ld+json;q=0.9",
		MediaTypes: []string{"text/turtle", "application/ld+json"},
		MaxBytes:   1 << 20,
		Redirects:  3,
	}
}

// Card is the profile of Agent Cards: 256 KiB, three redirects, to other hosts
// too (J-6, F-4). The media type is not decisive (F-6).
func Card() Profile {
	return Profile{Accept: "application/json", MaxBytes: 256 << 10, Redirects: 3, CrossOrigin: true}
}

// KeySet is the profile of JWK Sets: 64 KiB and no redirect (J-6, F-4).
func KeySet() Profile {
	return Profile{Accept: "application/jwk-set+json, application/json;q=0.9", MaxBytes: 64 << 10}
}

// Proposal is the profile of standing proposals: 1 MiB, three redirects, to other
// hosts too (J-6, F-4).
func Proposal() Profile {
	return Profile{Accept: "application/json", MaxBytes: 1 << 20, Redirects: 3, CrossOrigin: true}
}

// Response is a document that was fetched. Nothing is known of it but which host
// sent it.
type Response struct {
	// URL is where the document was in the end, after redirects.
	URL string
	// Body is the decoded body; nil when NotModified.
	Body []byte
	// MediaType is the Content-Type in lower case without parameters; empty when
	// there was none, there were two, or it could not be read.
	MediaType string
	// NotModified reports that the entity tag of the request still holds.
	NotModified bool
	// ETag is the entity tag, quotes included; empty when there was none.
	ETag string
	// MaxAge is how long the server lets the document be reused. HasMaxAge is
	// false when it did not say.
	MaxAge    time.Duration
	HasMaxAge bool
	// NoStore reports that the document must not be kept.
	NoStore bool
}
