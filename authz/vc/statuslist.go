package vc

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// StatusList is the bitstring of a status list: one bit an entry, the first being
// the most significant bit of the first byte (section 4.1). It is not safe for
// concurrent use while it is changed.
type StatusList struct{ bits []byte }

// listError is why an encoded list is refused, with the problem type to report.
type listError struct{ problem, text string }

func (e *listError) Error() string { return e.text }

// NewStatusList makes a list of entries that are all clear, rounded up to whole
// bytes. There must be at least 131,072, so that a reader of the list does not give
// away which entry it wants, and no more than the default limit.
func NewStatusList(entries int) (*StatusList, error) {
	if most := DefaultLimits().StatusListEntries; entries < minStatusListEntries || entries > most {
		return nil, fmt.Errorf("expected %d to %d entries, found %d", minStatusListEntries, most, entries)
	}
	return &StatusList{bits: make([]byte, (entries+7)/8)}, nil
}

// ParseStatusList reads an encodedList: "u" and unpadded base64url of one gzip
// member, within the limits of EncodedList and StatusListEntries, which hold while
// it is inflated.
func ParseStatusList(encoded string, limits Limits) (*StatusList, error) {
	var out bytes.Buffer
	if _, err := inflate(&out, encoded, limits.OrDefault()); err != nil {
		return nil, err
	}
	return &StatusList{bits: out.Bytes()}, nil
}

// inflate writes the bytes of an encodedList to w and returns how many they are. What was
// written before an error counts for nothing.
func inflate(w io.Writer, encoded string, limits Limits) (int64, error) {
	malformed := func(format string, args ...any) (int64, error) {
		return 0, &listError{ProblemStatusVerification, fmt.Sprintf(format, args...)}
	}
	if len(encoded) > limits.EncodedList {
		return malformed("expected an encodedList of at most %d characters, found %d", limits.EncodedList, len(encoded))
	}
	text, ok := strings.CutPrefix(encoded, "u")
	if !ok {
		return malformed(`expected an encodedList that begins with "u", the multibase prefix of base64url`)
	}
	raw, ok := decodeBase64(base64.RawURLEncoding, text)
	if !ok {
		return malformed("expected unpadded base64url in encodedList")
	}
	in := bytes.NewReader(raw) // read byte by byte, so that nothing behind the member is
	z, err := gzip.NewReader(in)
	if err != nil {
		return malformed("expected a gzip member in encodedList: %v", err)
	}
	z.Multistream(false)
	most := int64(limits.StatusListEntries) / 8
	n, err := io.Copy(w, io.LimitReader(z, most+1))
	if spent, ok := errors.AsType[*errSpent](err); ok {
		return malformed("%v", spent)
	}
	switch {
	case err != nil:
		return malformed("expected a whole gzip member in encodedList: %v", err)
	case n > most:
		return malformed("expected a list of at most %d entries: the limit was reached while it was inflated", most*8)
	case in.Len() > 0:
		return malformed("expected nothing behind the gzip member in encodedList")
	case n*8 < minStatusListEntries:
		return 0, &listError{ProblemStatusListLength, fmt.Sprintf("expected a list of at least %d entries, found %d", minStatusListEntries, n*8)}
	}
	return n, nil
}

// pick is a writer that takes some entries of the list that is written to it.
type pick struct {
	wanted []int64 // ascending; those that were not reached yet
	set    map[int64]bool
	at     int64 // bytes that were written
}

func (p *pick) Write(b []byte) (int, error) {
	end := p.at + int64(len(b))
	for len(p.wanted) > 0 && p.wanted[0]/8 < end {
		i := p.wanted[0]
		p.set[i] = b[i/8-p.at]>>(7-i%8)&1 == 1
		p.wanted = p.wanted[1:]
	}
	p.at = end
	return len(b), nil
}

// Len returns the number of entries.
func (l *StatusList) Len() int { return len(l.bits) * 8 }

// Get reports whether an entry is set, and whether the list has it.
func (l *StatusList) Get(i int64) (set, ok bool) {
	if i < 0 || i >= int64(l.Len()) {
		return false, false
	}
	return l.bits[i/8]>>(7-i%8)&1 == 1, true
}

// Set sets or clears an entry.
func (l *StatusList) Set(i int64, to bool) error {
	if i < 0 || i >= int64(l.Len()) {
		return fmt.Errorf("expected an index below %d, found %d", l.Len(), i)
	}
	mask := byte(1) << (7 - i%8)
	if l.bits[i/8] &^= mask; to {
		l.bits[i/8] |= mask
	}
	return nil
}

// Encode returns the encodedList.
func (l *StatusList) Encode() (string, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return "", fmt.Errorf("encoding a status list: %w", err)
	}
	_, err = z.Write(l.bits)
	if err := errors.Join(err, z.Close()); err != nil {
		return "", fmt.Errorf("encoding a status list: %w", err)
	}
	return "u" + base64.RawURLEncoding.EncodeToString(out.Bytes()), nil
}

// StatusListCredential says what [StatusList.Credential] makes.
type StatusListCredential struct {
	ID         string // URL at which the list is published; required
	Issuer     string // required
	Purpose    string // "revocation" or "suspension"; required
	ValidFrom  string // xsd:dateTimeStamp, "" for none
	ValidUntil string
}

// Credential returns the unsigned status list credential of the W3C profile, in
// JSON, for [Sign].
func (l *StatusList) Credential(c StatusListCredential) ([]byte, error) {
	encoded, err := l.Encode()
	if err != nil {
		return nil, err
	}
	for _, iri := range []string{c.ID, c.Issuer} {
		if !isAbsolute(iri) {
			return nil, fmt.Errorf("expected an absolute IRI, found %q", iri)
		}
	}
	if c.Purpose != purposeRevocation && c.Purpose != purposeSuspension {
		return nil, fmt.Errorf("expected the purpose revocation or suspension, found %q", c.Purpose)
	}
	out := []byte(`{"@context":["` + jsonld.CredentialsV2 + `"],"id":` + quoteJSON(c.ID) + `,"type":["VerifiableCredential","BitstringStatusListCredential"],"issuer":` + quoteJSON(c.Issuer))
	for _, m := range []struct{ name, value string }{{"validFrom", c.ValidFrom}, {"validUntil", c.ValidUntil}} {
		if m.value == "" {
			continue
		}
		if _, ok := timeStamp(m.value); !ok {
			return nil, fmt.Errorf("expected an xsd:dateTimeStamp for %s, found %q", m.name, m.value)
		}
		out = appendMember(out, quoteJSON(m.name), quoteJSON(m.value))
	}
	return append(out, `,"credentialSubject":{"id":`+quoteJSON(c.ID+"#list")+`,"type":"BitstringStatusList","statusPurpose":`+quoteJSON(c.Purpose)+`,"encodedList":"`+encoded+`"}}`...), nil
}

// EncodedStatusList returns the list of a status list credential in JSON as it is
// written, without verifying it: for its issuer, who changes it and signs it again.
func EncodedStatusList(credential []byte, limits Limits) (*StatusList, error) {
	limits = limits.OrDefault()
	root, err := strictjson.Parse(credential, limits.json(limits.StatusListBytes))
	if err != nil {
		return nil, err
	}
	encoded, ok := root.Get("credentialSubject").Get("encodedList").Str()
	if !ok {
		return nil, errors.New("expected a credentialSubject with an encodedList")
	}
	return ParseStatusList(encoded, limits)
}

// Update returns a status list credential in JSON with its list replaced by l and
// without its proofs, for [Sign]. Everything else stays as it is written.
func (l *StatusList) Update(credential []byte, limits Limits) ([]byte, error) {
	limits = limits.OrDefault()
	if _, err := EncodedStatusList(credential, limits); err != nil {
		return nil, err
	}
	root, err := strictjson.Parse(credential, limits.json(limits.StatusListBytes))
	if err != nil {
		return nil, err
	}
	encoded, err := l.Encode()
	if err != nil {
		return nil, err
	}
	subject := root.Get("credentialSubject")
	text := without(subject, "encodedList")
	text = append(appendMember(text[:len(text)-1], `"encodedList"`, quoteJSON(encoded)), '}')
	out := without(root, "proof", "credentialSubject")
	return append(appendMember(out[:len(out)-1], `"credentialSubject"`, string(text)), '}'), nil
}
