package replay

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// agreementVersion is the version of the form in which agreements are kept. A reader
// knows one version; a change of meaning is another.
const agreementVersion = 1

// appendAgreement writes an agreement; one agreement has one form.
func appendAgreement(dst []byte, a *handshake.Agreement) []byte {
	dst = append(dst, `{"version":`...)
	dst = strconv.AppendInt(dst, agreementVersion, 10)
	dst = appendText(append(dst, `,"local":`...), a.Scope.Local)
	dst = appendText(append(dst, `,"peer":`...), a.Scope.Peer)
	dst = appendText(append(dst, `,"card":`...), a.Scope.Card)
	dst = appendText(append(dst, `,"context":`...), a.Scope.Context)
	dst = hex.AppendEncode(append(dst, `,"pin":"`+digestPrefix...), a.Pin[:])
	dst = appendText(append(dst, `","source":`...), a.Source)
	dst = appendText(append(dst, `,"origin":`...), a.Origin.String())
	dst = strconv.AppendBool(append(dst, `,"required":`...), a.Required)
	dst = strconv.AppendBool(append(dst, `,"informal":`...), a.Informal)
	dst = a.Made.UTC().AppendFormat(append(dst, `,"made":"`...), time.RFC3339Nano)
	dst = a.Expires.UTC().AppendFormat(append(dst, `","expires":"`...), time.RFC3339Nano)
	return append(dst, `"}`...)
}

// digestPrefix begins the text of a digest.
const digestPrefix = "sha256:"

// appendText writes a string as encoding/json does, which is how agreements have been
// kept from the beginning.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c == 0x7F:
			text, err := json.Marshal(s)
			if err != nil {
				panic("replay: a string is not written as JSON") // encoding/json writes every string
			}
			return append(dst, text...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// encodeAgreement writes an agreement that can be kept.
func encodeAgreement(a handshake.Agreement) ([]byte, error) {
	if !utf8.ValidString(a.Source) {
		return nil, fmt.Errorf("%w: its source is not UTF-8", ErrAgreement)
	}
	value := appendAgreement(nil, &a)
	if len(value) > MaxAgreement {
		return nil, fmt.Errorf("an agreement of %d bytes, at most %d: %w", len(value), MaxAgreement, ErrTooLarge)
	}
	return value, nil
}

// decodeAgreement reads what encodeAgreement wrote and nothing else: a member that is
// missing, unknown, out of its order or spelt otherwise is ErrCorrupt.
func decodeAgreement(data []byte) (handshake.Agreement, error) {
	no := func(text string) (handshake.Agreement, error) {
		return handshake.Agreement{}, fmt.Errorf("%w: %s", ErrCorrupt, text)
	}
	root, err := strictjson.Parse(data, strictjson.Limits{Bytes: int64(len(data)) + 1, Depth: 1, Values: 13})
	if err != nil {
		return no("not the JSON of an agreement")
	}
	if v, ok := root.Get("version").Int64(); !ok || v != agreementVersion {
		return no(fmt.Sprintf("not version %d of an agreement", agreementVersion))
	}
	text := func(name string) string { s, _ := root.Get(name).Str(); return s }
	truth := func(name string) bool { b, _ := root.Get(name).Bool(); return b }
	a := handshake.Agreement{
		Scope:    handshake.Scope{Local: text("local"), Peer: text("peer"), Card: text("card"), Context: text("context")},
		Source:   text("source"),
		Required: truth("required"),
		Informal: truth("informal"),
	}
	for _, o := range [...]handshake.Origin{handshake.OriginOffer, handshake.OriginCard} {
		if text("origin") == o.String() {
			a.Origin = o
		}
	}
	var err1, err2, err3 error
	a.Pin, err1 = canon.ParseDigest(text("pin"))
	a.Made, err2 = time.Parse(time.RFC3339Nano, text("made"))
	a.Expires, err3 = time.Parse(time.RFC3339Nano, text("expires"))
	if err1 != nil || err2 != nil || err3 != nil || a.Pin.IsZero() || a.Origin == 0 || !a.Scope.Valid() {
		return no("an agreement with a member that is missing or malformed")
	}
	a.Made, a.Expires = a.Made.UTC(), a.Expires.UTC()
	// Whatever was defaulted or skipped above is not written again in the same way.
	var room [1 << 10]byte // an agreement has some 500 bytes
	if again := appendAgreement(room[:0], &a); !bytes.Equal(again, data) {
		return no("an agreement that is written otherwise than this program does")
	}
	return a, nil
}
