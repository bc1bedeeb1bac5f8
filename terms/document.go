package terms

import (
	"bytes"
	"crypto/sha256"
	"math"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Document is a statement of work that was read and not verified. It is immutable and
// safe for concurrent use.
type Document struct {
	root      strictjson.Value
	data      []byte
	limits    Limits
	canonical bool // data is in the canonical form
	// committed is the same document in the canonical form, nil unless it was made before.
	committed *Document
}

// Parse reads a document strictly (section 1.1): one JSON object in UTF-8, without
// duplicate members, lone surrogates and numbers outside the doubles. A document that
// holds a private key anywhere is refused (S-3). Clauses and signatures may be missing.
// It fails with an [*Error]. The document shares no memory with data.
func Parse(data []byte, limits Limits) (*Document, error) {
	d, e := read(data, limits.OrDefault())
	if e == nil {
		e = d.checkObject()
	}
	if e != nil {
		return nil, e
	}
	return d, nil
}

// read reads any JSON (step 1 of section B.7).
func read(data []byte, limits Limits) (*Document, *Error) {
	root, err := strictjson.Parse(data, limits.document())
	if err != nil {
		return nil, fromJSON(err)
	}
	return &Document{root: root, data: bytes.Clone(data), limits: limits}, nil
}

// readCommitted reads the canonical form of a document, which can be longer than the
// document.
func readCommitted(data []byte, limits Limits) (*Document, *Error) {
	limits.DocumentBytes = max(limits.DocumentBytes, int64(len(data)))
	d, e := read(data, limits)
	if e == nil {
		d.canonical = true
	}
	return d, e
}

// checkObject refuses JSON that cannot be a statement of work, and a document with a
// private key, which must not be handled at all.
func (d *Document) checkObject() *Error {
	if d.root.Kind() != strictjson.Object {
		return refuseAt(d.root, CodeFormat, "expected a document, which is an object, found %s", d.root.Kind())
	}
	if v, found := privateKeyIn(d.root, len(d.data)); found {
		return refuseAt(v, CodePrivateKey, "%s", CodePrivateKey.Text())
	}
	return nil
}

// Bytes returns a copy of the bytes that the document was read from.
func (d *Document) Bytes() []byte { return bytes.Clone(d.data) }

// Root returns the document as a JSON value.
func (d *Document) Root() strictjson.Value { return d.root }

// ID returns the document's own identifier, "" when it has none. It is a label and does
// not identify the document; the digest does (section B.9).
func (d *Document) ID() string { return text(d.root.Get("id")) }

// Version returns the document's version, 0 when it has none.
func (d *Document) Version() int64 {
	n, _ := integer(d.root.Get("version"))
	return n
}

// CommittedBytes returns the bytes that a card commits to: the canonical form
// (RFC 8785) of the whole document, nothing removed (section B.4; the extension,
// section 5).
func (d *Document) CommittedBytes() ([]byte, error) { return d.root.Canonical() }

// SignedBytes returns the bytes that an owner signs: "agent-sow-v1", a line feed,
// and the canonical form without the top-level signatures (section B.4; SoW,
// section 6).
func (d *Document) SignedBytes() ([]byte, error) {
	c, err := d.without("signatures")
	if err != nil {
		return nil, err
	}
	return append([]byte("agent-sow-v1\n"), c...), nil
}

// HashedBytes returns the bytes that an identifier is minted from: the canonical
// form without the top-level id and signatures (section B.4; SoW, section 4.1).
func (d *Document) HashedBytes() ([]byte, error) { return d.without("id", "signatures") }

// Digest returns the digest that an entry of a card commits to. It fails with an
// [*Error] for a document with integers that readers see differently (J-5), which must
// not be published.
func (d *Document) Digest() (canon.Digest, error) {
	if found := d.imprecise(); len(found) > 0 {
		return canon.Digest{}, found[0].refusal()
	}
	c, err := d.CommittedBytes()
	if err != nil {
		return canon.Digest{}, err
	}
	return canon.Sum(c), nil
}

// MintID derives the identifier of a document of version 1 (section B.4): "sow_"
// and the first 80 bits of the SHA-256 of [Document.HashedBytes] in Crockford's
// base 32, in lower case. It is minted once, by the implementation that makes version 1.
// For a document of another version it fails with an [*Error], since that has not the
// bytes which its identifier was minted from. A verifier must not refuse a document for
// an identifier that differs.
func (d *Document) MintID() (string, error) {
	if v := d.root.Get("version"); d.Version() != 1 {
		if !v.Exists() {
			v = d.root
		}
		return "", refuseAt(v, CodeIDVersion, "expected version 1, which an identifier is minted from")
	}
	if found := d.imprecise(); len(found) > 0 {
		return "", found[0].refusal()
	}
	b, err := d.HashedBytes()
	if err != nil {
		return "", err
	}
	return identifier(sha256.Sum256(b)), nil
}

// identifier encodes the first 80 bits of a digest, five bits a character, the most
// significant first.
func identifier(digest [sha256.Size]byte) string {
	const (
		crockford  = "0123456789abcdefghjkmnpqrstvwxyz"
		characters = 16
	)
	out := []byte("sow_")
	for i := range characters {
		bit := i * 5
		pair := uint(digest[bit/8])<<8 | uint(digest[bit/8+1])
		out = append(out, crockford[pair>>(11-bit%8)&31])
	}
	return string(out)
}

// without returns the canonical form of the document without top-level members.
func (d *Document) without(names ...string) ([]byte, error) {
	if d.committed != nil {
		return d.committed.without(names...)
	}
	out := make([]byte, 0, len(d.data)+2)
	out = append(out, '{')
	for i := range d.root.Len() {
		m := d.root.Member(i)
		if slices.Contains(names, m.Str()) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, m.Name.Source()...), ':'), m.Value.Source()...)
	}
	out = append(out, '}')
	if d.canonical { // and so is what is left of it, in its order
		return out, nil
	}
	l := d.limits.document()
	l.Bytes = max(l.Bytes, int64(len(out)))
	return strictjson.Canonicalize(out, l)
}

// imprecise finds integers beyond 2^53-1, where several are the same double (J-5): two
// texts then have one canonical form.
func (d *Document) imprecise() []Finding {
	const most = 100 // nobody reads more
	var (
		out []Finding
		f   finder
	)
	walk(d.root, func(v strictjson.Value) {
		if s, ok := v.Number(); ok && len(out) < most && beyond(s) {
			out = append(out, f.at(v, CodeJSONPrecision, "%s", CodeJSONPrecision.Text()))
		}
	})
	return out
}

// beyond reports whether a number is an integer beyond those that doubles can count.
func beyond(s string) bool {
	const last = "9007199254740991" // 2^53-1
	s = strings.TrimPrefix(s, "-")
	return len(s) >= len(last) && !strings.ContainsAny(s, ".eE") && (len(s) > len(last) || s > last)
}

// walk calls see for every value of a document, outermost first, but not for names.
func walk(v strictjson.Value, see func(strictjson.Value)) {
	see(v)
	switch v.Kind() {
	case strictjson.Array:
		for _, e := range v.Items() {
			walk(e, see)
		}
	case strictjson.Object:
		for i := range v.Len() {
			walk(v.Member(i).Value, see)
		}
	}
}

// text returns a string, and "" for anything else.
func text(v strictjson.Value) string {
	s, _ := v.Str()
	return s
}

// integer returns the value of a number that is an integer, however it is written: 1e0,
// 1.0 and 1 have one canonical form.
func integer(v strictjson.Value) (int64, bool) {
	if n, ok := v.Int64(); ok {
		return n, true
	}
	const beyond = 1 << 63
	f, ok := v.Float64()
	if !ok || f != math.Trunc(f) || f >= beyond || f < -beyond {
		return 0, false
	}
	return int64(f), true
}
