package agentcard

import (
	"encoding/json"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Outcome is the result of verifying a card. The zero Outcome refuses.
type Outcome uint8

// The outcomes.
const (
	OutcomeUnverified  Outcome = iota // no signature could be checked against a trusted key
	OutcomeVerified                   // as many signatures as the policy demands are valid
	OutcomeInvalid                    // a signature was checked, or could not be read, and is wrong
	OutcomeUnsigned                   // the card has no signature
	OutcomeUnsupported                // the card is of a version whose signatures are not supported
)

// String returns the outcome's name.
func (o Outcome) String() string {
	switch o {
	case OutcomeVerified:
		return "verified"
	case OutcomeInvalid:
		return "invalid"
	case OutcomeUnsigned:
		return "unsigned"
	case OutcomeUnsupported:
		return "unsupported"
	}
	return "unverified"
}

// MarshalText returns the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Result is the result of checking one signature. The zero Result refuses.
type Result uint8

// The results.
const (
	ResultUnchecked Result = iota // no allowed algorithm, or no key that may be used
	ResultValid                   // the key verified it
	ResultInvalid                 // the key did not verify it, or the entry is malformed
)

// String returns the result's name.
func (r Result) String() string {
	switch r {
	case ResultValid:
		return "valid"
	case ResultInvalid:
		return "invalid"
	}
	return "unchecked"
}

// MarshalText returns the result's name.
func (r Result) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// KeySource says where the key of a signature came from.
type KeySource string

// The sources.
const (
	FromTrustStore KeySource = "trust-store"
	FromSupplied   KeySource = "supplied"
	FromJKU        KeySource = "jku"
)

// KeyTrust says what ties the key to the card. Whether the signature is valid is
// another question.
type KeyTrust string

// The ties, the strongest first.
const (
	// TrustPinnedOrigin: the trust store names the key for cards from this origin.
	TrustPinnedOrigin KeyTrust = "pinned-origin"
	// TrustPinned: the trust store names the key for cards from anywhere.
	TrustPinned KeyTrust = "pinned"
	// TrustLocation: the key is published where the location policy allows it.
	TrustLocation KeyTrust = "jku-policy"
	// TrustSupplied: the caller supplied the key; nothing says whose it is.
	TrustSupplied KeyTrust = "supplied"
)

// Text returns one sentence on what the tie means.
func (t KeyTrust) Text() string {
	switch t {
	case TrustPinnedOrigin:
		return "the trust store names this key for cards from this origin"
	case TrustPinned:
		return "the trust store names this key for cards from anywhere"
	case TrustLocation:
		return "the key is published at a location that the policy allows"
	case TrustSupplied:
		return "the key was supplied with the call; nothing is said about whose key it is"
	}
	return "no key is trusted for this card"
}

// Entry is the report on one signature of a card.
type Entry struct {
	Index     int       `json:"index"`
	Result    Result    `json:"result"`
	Code      Code      `json:"code,omitempty"`    // "" when valid
	Message   string    `json:"message,omitempty"` // "" when valid
	Algorithm string    `json:"alg,omitempty"`
	KeyID     string    `json:"kid,omitempty"`
	JKU       string    `json:"jku,omitempty"`
	KeySource KeySource `json:"keySource,omitempty"`
	KeyTrust  KeyTrust  `json:"keyTrust,omitempty"` // only when valid
	Readings  []Reading `json:"readings,omitempty"` // the accepted ones under which it is valid
	Unsigned  []string  `json:"unsignedHeader,omitempty"`
	Warnings  []Finding `json:"warnings,omitempty"`
	Diagnosis []Finding `json:"diagnosis,omitempty"`

	thumbprint [32]byte
}

// Difference is a member that a reading treats otherwise than [Spec].
type Difference struct {
	Pointer string  `json:"pointer"`
	Reading Reading `json:"reading"`
	Spec    string  `json:"spec"`   // "kept" or "left out"
	Other   string  `json:"signed"` // by the reading
}

// Report is the result of [Verify]. The zero Report refuses. The command line prints it
// as it is, so that its JSON members do not change.
type Report struct {
	Outcome Outcome `json:"outcome"`
	// Code and Message say why the card is not verified; empty when it is.
	Code    Code   `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Pointer string `json:"pointer,omitempty"`
	// Source is the URL that the card was fetched from, empty for one from a file.
	Source string `json:"source,omitempty"`
	// Reading is the reading under which the card is verified.
	Reading Reading `json:"reading"`
	// PayloadSHA256 is the digest of the payload under Reading, in hexadecimal.
	PayloadSHA256 string  `json:"payloadSha256,omitempty"`
	Entries       []Entry `json:"entries"`
	// WouldVerifyUnder lists readings that the policy does not accept and under
	// which a signature is valid.
	WouldVerifyUnder []Reading    `json:"wouldVerifyUnder"`
	Differences      []Difference `json:"differences,omitempty"`
	// Uncovered lists the members that the signature does not cover, outermost
	// only; anyone may have changed them.
	Uncovered []string `json:"uncovered"`
	// Covered is the card to use if the signature does not cover all of it: the part
	// that it covers. It is empty when the card to use is the one received.
	Covered  json.RawMessage `json:"covered,omitempty"`
	Warnings []Finding       `json:"warnings,omitempty"`
	// Proves and DoesNotProve say in words what a valid signature means.
	Proves       []string `json:"proves,omitempty"`
	DoesNotProve []string `json:"doesNotProve,omitempty"`

	card     *Card
	verified *Verified
}

// Verified returns the verified card, and false when the card is not verified.
func (r *Report) Verified() (*Verified, bool) {
	if r == nil || r.verified == nil || r.Outcome != OutcomeVerified {
		return nil, false
	}
	return r.verified, true
}

// Verified is a card whose signature is valid under a policy. Only [Verify] makes
// one; the zero Verified holds no card.
type Verified struct {
	card    *Card
	reading Reading
	trust   []KeyTrust
}

// Card returns the card to use: what was received, or, where the signature does
// not cover all of it, the part that it covers.
func (v *Verified) Card() *Card { return v.card }

// Bytes returns the bytes of [Verified.Card]. Take endpoints, security schemes and
// declarations from these and no others.
func (v *Verified) Bytes() []byte { return bytesOf(v.card) }

// Reading returns the reading under which the card is verified.
func (v *Verified) Reading() Reading { return v.reading }

// KeyTrust returns what ties the keys of the valid signatures to the card, in the
// order of the signatures.
func (v *Verified) KeyTrust() []KeyTrust { return append([]KeyTrust(nil), v.trust...) }

// Demand is what a deployment demands of a card's signatures before it acts on the
// card.
type Demand uint8

// The demands.
const (
	// DemandVerified asks for a verified card.
	DemandVerified Demand = iota
	// DemandIfSigned lets an unsigned card pass; a card with signatures must verify.
	DemandIfSigned
	// InsecureIgnoreSignatures lets every card pass that could be parsed.
	InsecureIgnoreSignatures
)

// Admitted is a card that a client may act on. Only [Admit] makes one; the zero
// Admitted holds no card and accepts no document.
type Admitted struct {
	card     *Card
	verified *Verified
}

// Admit decides whether a client may act on a card after [Verify]. The Code is "" when
// it may; otherwise the Code says why not, and there is no card. A card that was fetched
// from a URL is admitted only if that was https (CARD-14 of the RDF Protocol Documents
// extension); a card from a file has no URL.
func Admit(r *Report, d Demand) (*Admitted, Code) {
	if r == nil || r.card == nil {
		return nil, CodeCardUnsigned
	}
	if r.Source != "" && originOf(r.Source) == "" {
		return nil, CodeCardNotHTTPS
	}
	if v, ok := r.Verified(); ok {
		return &Admitted{card: v.card, verified: v}, ""
	}
	if d == DemandIfSigned && r.Outcome == OutcomeUnsigned && r.card.isV03() {
		return nil, CodeCardV03
	}
	if d == InsecureIgnoreSignatures || d == DemandIfSigned && r.Outcome == OutcomeUnsigned {
		return &Admitted{card: r.card}, ""
	}
	if r.Code == "" {
		return nil, CodeCardUnsigned
	}
	return nil, r.Code
}

// Card returns the card to use.
func (a *Admitted) Card() *Card { return a.card }

// Bytes returns the bytes of [Admitted.Card].
func (a *Admitted) Bytes() []byte { return bytesOf(a.card) }

// Verified returns the verified card, and false for one that was admitted without
// a valid signature.
func (a *Admitted) Verified() (*Verified, bool) { return a.verified, a.verified != nil }

func bytesOf(c *Card) []byte {
	if c == nil {
		return nil
	}
	return c.Bytes()
}

// digest returns the SHA-256 of a payload in hexadecimal.
func digest(payload []byte) string {
	const prefix = "sha256:"
	return canon.Sum(payload).String()[len(prefix):]
}

// differences says what another reading treats differently from Spec. The readings nest:
// Raw leaves out nothing, Spec some members, the others those and more.
func differences(spec, other *stripped) []Difference {
	out, _ := differing(spec, other)
	return out
}

// differing is differences, with the values of the card that they are about.
func differing(spec, other *stripped) (out []Difference, at []strictjson.Value) {
	const (
		kept, left = "kept", "left out"
		most       = 1000 // for people; a card with more is not read by one
	)
	room := maxPointers
	add := func(v strictjson.Value, specDoes, otherDoes string) bool {
		p := v.Pointer()
		if room -= len(p); room < 0 || len(out) == most {
			return false
		}
		out, at = append(out, Difference{p, other.reading, specDoes, otherDoes}), append(at, v)
		return true
	}
	if other.reading == Raw {
		for _, v := range spec.dropped {
			if !add(v, left, kept) {
				break
			}
		}
		return out, at
	}
	alsoSpec := make(map[strictjson.Value]bool, len(spec.dropped))
	for _, v := range spec.dropped {
		alsoSpec[v] = true
	}
	for _, v := range other.dropped {
		if !alsoSpec[v] && !add(v, kept, left) {
			break
		}
	}
	return out, at
}

// maxPointers bounds the bytes of the pointers in a list: a name stands in the pointer of
// everything that it holds, so that all of them together can be ten thousand times as long
// as the card. People write some dozens of fifty bytes.
const maxPointers = 1 << 20

// pointers returns the pointers of values, and false when they are too long together.
func pointers(values []strictjson.Value) ([]string, bool) {
	out, room := make([]string, len(values)), maxPointers
	for i, v := range values {
		out[i] = v.Pointer()
		if room -= len(out[i]); room < 0 {
			return nil, false
		}
	}
	return out, true
}
