package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// agreementVersion is the version of the form in which agreements are kept. A reader
// knows one version; a change of meaning is another.
const agreementVersion = 1

// storedAgreement is an agreement as it is kept, its members in the order in which
// they are written.
type storedAgreement struct {
	Version  int    `json:"version"`
	Local    string `json:"local"`
	Peer     string `json:"peer"`
	Card     string `json:"card"`
	Context  string `json:"context"`
	Pin      string `json:"pin"`
	Source   string `json:"source"`
	Origin   string `json:"origin"`
	Required bool   `json:"required"`
	Informal bool   `json:"informal"`
	Made     string `json:"made"`
	Expires  string `json:"expires"`
}

// encodeAgreement writes an agreement; one agreement has one form.
func encodeAgreement(a handshake.Agreement) ([]byte, error) {
	if !utf8.ValidString(a.Source) {
		return nil, fmt.Errorf("%w: its source is not UTF-8", ErrAgreement)
	}
	return json.Marshal(storedAgreement{
		Version: agreementVersion,
		Local:   a.Scope.Local, Peer: a.Scope.Peer, Card: a.Scope.Card, Context: a.Scope.Context,
		Pin: a.Pin.String(), Source: a.Source, Origin: a.Origin.String(),
		Required: a.Required, Informal: a.Informal,
		Made: formatTime(a.Made), Expires: formatTime(a.Expires),
	})
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// decodeAgreement reads what encodeAgreement wrote and nothing else: a member that is
// missing, unknown, out of its order or spelt otherwise is ErrCorrupt.
func decodeAgreement(data []byte) (handshake.Agreement, error) {
	no := func(text string) (handshake.Agreement, error) {
		return handshake.Agreement{}, fmt.Errorf("%w: %s", ErrCorrupt, text)
	}
	root, err := strictjson.Parse(data, strictjson.Limits{Bytes: int64(len(data)), Depth: 1, Values: 13})
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
	if again, err := encodeAgreement(a); err != nil || !bytes.Equal(again, data) {
		return no("an agreement that is written otherwise than this program does")
	}
	return a, nil
}
