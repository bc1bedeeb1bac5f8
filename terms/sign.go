package terms

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// SignOptions configures [Sign].
type SignOptions struct {
	// At is the time that the record claims, to the second. It is required.
	At time.Time
	// Strict refuses documents that lack an expected clause.
	Strict bool
}

// Sign adds the provider's signature to a template and returns the standing proposal
// (section B.10; SoW, sections 6 and 12.1). The text of the document stays as it is, with
// the record appended. A template of version 1 without an id gets the one that is minted
// from it. It fails for a template with another id, because this is the last moment at
// which that is easy to correct, and for one that could not be a standing proposal or is
// not complete. Errors are [*Error] unless the call was wrong. The new signature is
// verified before it is returned.
func Sign(d *Document, s *Signer, o SignOptions) ([]byte, error) {
	if d == nil || !d.root.Exists() || s == nil || s.key == nil || o.At.IsZero() {
		return nil, errors.New("expected a document that was parsed, a key and a time")
	}
	d, err := d.minted()
	if err != nil {
		return nil, err
	}
	if e := d.signable(o.Strict); e != nil {
		return nil, e
	}
	signed, err := d.SignedBytes()
	if err != nil {
		return nil, err
	}
	sig, err := s.key.Sign(signed)
	if err != nil {
		return nil, err
	}
	record := `{"key":"` + s.public + `","role":"` + roleProvider + `","sig":"` + base64.RawURLEncoding.EncodeToString(sig) +
		`","signed_at":"` + o.At.UTC().Format("2006-01-02T15:04:05Z") + `"}`
	out := d.withSignatures("[" + record + "]")
	again, err := Parse(out, d.limits)
	if err != nil {
		return nil, err
	}
	if _, e := again.verifyProvider(); e != nil {
		return nil, e
	}
	return out, nil
}

// minted returns the document with its identifier.
func (d *Document) minted() (*Document, error) {
	id := d.root.Get("id")
	if id.Exists() && d.Version() != 1 {
		return d, nil
	}
	want, err := d.MintID()
	if err != nil {
		return nil, err
	}
	switch {
	case !id.Exists():
		return Parse(d.withMember("id", strconv.Quote(want)), d.limits)
	case text(id) != want:
		return nil, refuseAt(id, CodeIDDiffers, "expected the identifier that version 1 mints, %s", want)
	}
	return d, nil
}

// signable says why a document must not be signed as a standing proposal.
func (d *Document) signable(strict bool) *Error {
	if found := d.imprecise(); len(found) > 0 {
		return found[0].refusal()
	}
	if v := d.root.Get("signatures"); v.Exists() && !v.IsNull() && (v.Kind() != strictjson.Array || v.Len() > 0) {
		return refuseAt(v, CodeSignatures, "expected a template without signatures")
	}
	if e := d.checkStanding(); e != nil {
		return e
	}
	if _, _, e := d.checkComplete(strict); e != nil {
		return e
	}
	if o := d.readOfferedTo(); o != nil && o.fault != nil {
		return o.fault
	}
	_, found, e := d.readGrades()
	if e != nil {
		return e
	}
	for _, f := range append(found, d.falsePromises()...) {
		if f.Code == CodeGradeClaim {
			return f.refusal()
		}
	}
	return nil
}

// withSignatures returns the text of a template with its signatures.
func (d *Document) withSignatures(list string) []byte {
	old := d.root.Get("signatures") // null or empty
	if !old.Exists() {
		return d.withMember("signatures", list)
	}
	at := old.Offset()
	return slices.Concat(d.data[:at], []byte(list), d.data[at+len(old.Source()):])
}

// withMember returns the document's text with a member added at its end. The document
// must have another member.
func (d *Document) withMember(name, value string) []byte {
	end := bytes.LastIndexByte(d.data, '}') // nothing but white space follows
	at := len(bytes.TrimRight(d.data[:end], " \t\r\n"))
	last := d.root.Member(d.root.Len() - 1).Name.Offset()
	space := d.data[len(bytes.TrimRight(d.data[:last], " \t\r\n")):last]
	out := append([]byte{}, d.data[:at]...)
	out = append(append(out, ','), space...)
	out = append(out, `"`+name+`":`+value...)
	return append(out, d.data[at:]...)
}
