package fetch

// Profile says how a kind of document is fetched: what is accepted, and how much. The
// zero Profile allows no redirect, any media type, and 64 KiB.
type Profile struct {
	// Accept is the request header; empty means "*/*".
	Accept string
	// MediaTypes lists the accepted media types, in lower case and without parameters;
	// a charset other than UTF-8 is then refused. Empty accepts any media type and
	// charset.
	MediaTypes []string
	// MaxBytes caps the body, before and after decompression; 0 means 64 KiB.
	MaxBytes int64
	// Redirects is how many redirects are followed.
	Redirects int
	// CrossOrigin lets redirects lead to another host or port. Either way each hop is
	// checked like the first URL, and [Response.URL] says where the document was.
	CrossOrigin bool
	// Fresh asks every cache on the way for the origin's version (RFC 9111, section
	// 5.2.1.4). A [Client] itself caches nothing.
	Fresh bool
}

const defaultMaxBytes = 64 << 10

func (p Profile) maxBytes() int64 {
	if p.MaxBytes <= 0 {
		return defaultMaxBytes
	}
	return p.MaxBytes
}

// atLeast returns the profile with its size limit raised to n, when that is more.
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

// Card is the profile of Agent Cards: any media type (F-6), 256 KiB, three redirects, to
// other hosts too (J-6, F-4).
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
