package handshake

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// The kinds of messages, as the member "kind" and the metadata of a part spell
// them.
const (
	KindOffer    = string(protocol.RoleUpgradeOffer)
	KindResponse = string(protocol.RoleUpgradeResponse)
)

// Bounds on payloads (a2a-rdf, sections 4.1 and 4.2).
const (
	MaxBytes       = 64 << 10 // a payload; an offer is some 300 bytes
	MaxDepth       = 8        // brackets of a payload; it is one flat object, unknown members may nest a little
	maxSourceBytes = 2048     // protocolSource; what browsers and servers handle
	maxNameRunes   = 256      // protocolName, a label
	maxReasonRunes = 1024     // reason, a few sentences
)

// Message is an [Offer] or a [Response].
type Message interface {
	// Pin returns the pin that the message names.
	Pin() canon.Digest
	// AppendJSON appends the message as a JSON object, members in a fixed order,
	// without white space. It fails with an [*Error] when a field breaks a rule of
	// section 4.1.
	AppendJSON(dst []byte) ([]byte, error)
	// Graph returns the message as an RDF graph about urn:a2a:handshake. It fails
	// as AppendJSON does.
	Graph() (*rdf.Dataset, error)

	check() error
}

// Offer proposes to exchange messages under a Protocol Document.
type Offer struct {
	Hash     canon.Digest // the pin of the document
	Source   string       // where the document can be fetched: an https URL
	Required bool         // a decline ends the exchange
	Name     Text         // a label for people
}

// Response answers an offer.
type Response struct {
	Hash   canon.Digest // the pin of the offer that it answers
	Accept bool
	Reason Text // for people; meaningful on a decline
}

// Text is an optional text of a message. The zero Text is absent, which is not
// the same as empty.
type Text struct {
	text    string
	present bool
}

// NewText returns a Text that is present.
func NewText(s string) Text { return Text{s, true} }

// Get returns the text, and whether it is present.
func (t Text) Get() (string, bool) { return t.text, t.present }

// Pin returns the pin of the document that is offered.
func (o Offer) Pin() canon.Digest { return o.Hash }

// Pin returns the pin of the offer that is answered.
func (r Response) Pin() canon.Digest { return r.Hash }

func (o Offer) check() error {
	if err := checkSource(o.Source); err != nil {
		return err
	}
	return o.Name.check("protocolName", maxNameRunes)
}

func (r Response) check() error { return r.Reason.check("reason", maxReasonRunes) }

func (t Text) check(field string, most int) error {
	if err := checkText(field, t.text); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(t.text); n > most {
		return &Error{Code: protocol.CodeLimitExceeded, Field: field, Reason: fmt.Sprintf("expected at most %d characters, found %d", most, n)}
	}
	return nil
}

// checkText refuses what HS-13 refuses: bytes that are not UTF-8 and the control
// characters U+0000 to U+001F and U+007F to U+009F.
func checkText(field, s string) error {
	for i, r := range s {
		if r < ' ' || 0x7f <= r && r <= 0x9f {
			return malformed(field, fmt.Sprintf("expected text without control characters, found U+%04X", r))
		}
		if r == utf8.RuneError && !utf8.FullRuneInString(s[i:]) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return malformed(field, "expected UTF-8")
		}
	}
	return nil
}

// checkSource demands an absolute https URL with a host and without user name and
// password, of at most 2048 bytes, that is also a valid IRI. Whether it may be
// fetched is up to the fetcher.
func checkSource(s string) error {
	if err := checkText("protocolSource", s); err != nil {
		return err
	}
	if len(s) > maxSourceBytes {
		return &Error{Code: protocol.CodeLimitExceeded, Field: "protocolSource", Reason: fmt.Sprintf("expected at most %d bytes, found %d", maxSourceBytes, len(s))}
	}
	if err := rdf.CheckIRI(s); err != nil {
		return malformed("protocolSource", "expected an https URL: "+err.Error())
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "https" || u.Opaque != "":
		return malformed("protocolSource", "expected an https URL")
	case u.Hostname() == "":
		return malformed("protocolSource", "expected an https URL with a host")
	case u.User != nil:
		return malformed("protocolSource", "expected an https URL without user name and password")
	}
	return nil
}

// parsePin reads a pin. Anything else is unsupported, not malformed, so that the
// peer learns which part to change. Sixty-four zeros are a pin that no document has,
// see [canon.Digest].
func parsePin(s string) (canon.Digest, error) {
	d, err := canon.ParseDigest(s)
	if err != nil {
		return d, &Error{Code: protocol.CodeUnsupportedHash, Field: "protocolHash", Reason: err.Error()}
	}
	return d, nil
}

// Error says why a payload was refused. Code is [protocol.CodeMalformedPayload],
// [protocol.CodeUnsupportedHash], [protocol.CodeLimitExceeded] or, from
// [ParseText], [protocol.CodeUnsupportedMediaType].
type Error struct {
	Code   protocol.Code
	Field  string    // the member or property at fault; "" is the whole payload
	Reason string    // what was expected and what came
	Place  rdf.Place // where, as far as the reader knows; without a file for JSON
	Err    error     // the reader's error with its place; may be nil
}

// Error returns the field and the reason, without the place.
func (e *Error) Error() string {
	s := e.Reason
	if e.Err != nil {
		s = e.Err.Error()
	}
	if e.Field != "" {
		return e.Field + ": " + s
	}
	return s
}

// Unwrap returns the reader's error.
func (e *Error) Unwrap() error { return e.Err }

func malformed(field, reason string) error {
	return &Error{Code: protocol.CodeMalformedPayload, Field: field, Reason: reason}
}

// asOffer returns what was read as an offer, and refuses a response.
func asOffer(m Message, err error) (Offer, error) {
	if err != nil {
		return Offer{}, err
	}
	if o, ok := m.(Offer); ok {
		return o, nil
	}
	return Offer{}, malformed("kind", "expected an offer, found a response")
}

// asResponse returns what was read as a response, and refuses an offer.
func asResponse(m Message, err error) (Response, error) {
	if err != nil {
		return Response{}, err
	}
	if r, ok := m.(Response); ok {
		return r, nil
	}
	return Response{}, malformed("kind", "expected a response, found an offer")
}
