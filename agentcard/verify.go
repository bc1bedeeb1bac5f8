package agentcard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Keys are what may prove a card, in the order in which they are asked. The zero
// Keys prove nothing. A key in the card itself is never among them.
type Keys struct {
	// Trust holds the pinned keys, and the rule for the locations that cards name.
	Trust *TrustStore
	// Supplied holds keys that came with the call. They verify signatures and say
	// nothing about whose they are. A key that ended in it is not used from a jku either.
	Supplied *KeySet
	// Sets fetches JWK Sets at locations that the rule of Trust allows; nil fetches
	// nothing.
	Sets *KeySets
}

// Policy says what is demanded of a card. At is required; in all else the zero Policy is
// the strictest.
type Policy struct {
	// At is the time at which keys must be valid, and signatures that say when they are.
	At time.Time
	// Source is the URL that the card was fetched from, after redirects; empty for a
	// card from a file, which has no origin.
	Source string
	// Readings are the accepted readings, the preferred one first; an empty list means
	// [Spec] alone. [PythonLegacy] cannot be accepted.
	Readings []Reading
	// Algorithms are the accepted algorithms; an empty list means [DefaultAlgorithms].
	Algorithms []Algorithm
	// Signatures is how many valid signatures with distinct keys are demanded; 0
	// means 1.
	Signatures int
	// Explain adds a diagnosis of what would have made failed signatures valid,
	// within [Limits].Diagnosis of the card.
	Explain bool
}

// check returns the policy with its defaults, or what is wrong with it.
func (p Policy) check() (Policy, error) {
	if p.At.IsZero() {
		return p, errors.New("expected a time in the policy")
	}
	if len(p.Readings) == 0 {
		p.Readings = []Reading{Spec}
	}
	for _, r := range p.Readings {
		if r != Spec && r != SDK && r != Raw {
			return p, fmt.Errorf("expected readings of spec, sdk and raw to accept, found %s", r)
		}
	}
	if len(p.Algorithms) == 0 {
		p.Algorithms = DefaultAlgorithms()
	}
	for _, a := range p.Algorithms {
		if !a.known() {
			return p, fmt.Errorf("expected asymmetric signature algorithms to accept, found %s", shorten(string(a)))
		}
	}
	if p.Signatures <= 0 {
		p.Signatures = 1
	}
	return p, nil
}

// payload is the payload of a card under one reading.
type payload struct {
	stripped  *stripped
	bytes     []byte
	uncovered []string // what it leaves out, of SDK
	err       *Error
}

// verification is one run of [Verify].
type verification struct {
	card     *Card
	keys     Keys
	policy   Policy
	origin   string
	payloads [PythonLegacy + 1]payload // of the readings that were asked for
	flights  map[string]*setFlight     // by jku: sets that are fetched for this card
	report   *Report
}

// Verify checks the signatures of a card (section A.8). An error means that the call was
// wrong; a card that cannot be verified gives a report that says no. Every entry is
// examined, even after one is valid, so that the report is complete.
//
// ctx bounds waiting for JWK Sets, which are all fetched at once: however many places the
// signatures name, it takes no longer than the slowest. Verify is safe for concurrent use.
func Verify(ctx context.Context, card *Card, keys Keys, policy Policy) (*Report, error) {
	policy, err := policy.check()
	if err != nil {
		return nil, err
	}
	if !card.parsed() {
		return nil, errors.New("expected a card that was parsed")
	}
	v := &verification{
		card: card, keys: keys, policy: policy, origin: originOf(policy.Source), flights: map[string]*setFlight{},
		report: &Report{
			Source: policy.Source, Reading: policy.Readings[0], card: card,
			Entries: []Entry{}, WouldVerifyUnder: []Reading{}, Uncovered: []string{},
		},
	}
	v.run(ctx)
	return v.report, nil
}

func (v *verification) run(ctx context.Context) {
	r := v.report
	entries, e := v.card.signatures()
	if e != nil {
		r.refuse(OutcomeInvalid, e.Code, e.Text, e.Pointer)
		return
	}
	const old = "expected a card of A2A 1.0, found one of 0.3, whose signatures are not supported"
	if len(entries) == 0 {
		r.refuse(OutcomeUnsigned, CodeCardUnsigned, "the card has no signature", "")
		if v.card.isV03() {
			r.Warnings = append(r.Warnings, Finding{Code: CodeCardV03, Text: old})
		}
		return
	}
	if v.card.isV03() {
		r.refuse(OutcomeUnsupported, CodeCardV03, old, "")
		return
	}
	r.Warnings = append(r.Warnings, v.card.imprecise()...)
	for _, reading := range v.policy.Readings {
		v.payload(reading)
	}
	asked := make([]question, len(entries))
	for i, entry := range entries {
		asked[i] = v.ask(ctx, i, entry)
	}
	read := make([]*signature, len(entries))
	for i, q := range asked { // all sets are being fetched before one is waited for
		if read[i] = q.sig; q.open {
			v.answer(ctx, &r.Entries[i], q)
		}
	}
	v.decide()
	if r.Outcome != OutcomeVerified {
		v.diagnose(read)
	}
}

func (r *Report) refuse(o Outcome, code Code, message, pointer string) {
	r.Outcome, r.Code, r.Message, r.Pointer = o, code, message, pointer
}

// payload returns the payload under a reading, made once.
func (v *verification) payload(r Reading) *payload {
	p := &v.payloads[r]
	if p.stripped != nil {
		return p
	}
	p.stripped = v.card.strip(r)
	if len(p.stripped.problems) > 0 {
		p.err = p.stripped.problems[0]
		return p
	}
	var err error
	if p.bytes, err = p.stripped.canonical(v.card.limits); err != nil {
		p.err = &Error{Code: CodeJSONSyntax, Text: "the payload has no canonical form: " + err.Error()}
		return p
	}
	if r != SDK { // which alone is accepted of those that leave out what others read
		return p
	}
	var whole bool
	if p.uncovered, whole = pointers(p.stripped.dropped); !whole {
		p.err = &Error{Code: CodeLimit, Text: fmt.Sprintf("expected at most %d bytes of pointers to what is not covered", maxPointers)}
	}
	return p
}

// question is a signature that is read, and the key that was found for it.
type question struct {
	sig *signature // nil if there is nothing to diagnose
	key match
	// flight fetches the set that has the key, if it is not nil.
	flight *setFlight
	trust  KeyTrust
	open   bool // not refused yet
}

// ask reads one signature and looks for its key (section A.8, step 5), without waiting for
// a set that is fetched.
func (v *verification) ask(ctx context.Context, index int, value strictjson.Value) question {
	s, err := readSignature(value, v.card.limits)
	v.report.Entries = append(v.report.Entries, Entry{
		Index: index, Algorithm: s.algName, KeyID: s.kid, JKU: s.jku, Unsigned: s.unsigned, Warnings: s.warnings,
	})
	e := &v.report.Entries[index]
	if err != nil {
		e.fail(ResultInvalid, err.Code, err.Text)
		return question{}
	}
	if !slices.Contains(v.policy.Algorithms, s.alg) { // ALG-1, ALG-2
		e.fail(ResultUnchecked, CodeSigAlgForbidden, fmt.Sprintf("the algorithm %s is not allowed", shorten(s.algName)))
		return question{}
	}
	if code, text := s.checkShape(); code != "" {
		e.fail(ResultInvalid, code, text)
		return question{sig: s}
	}
	if text := s.outside("the signature", v.policy.At); text != "" {
		e.fail(ResultInvalid, CodeSigExpired, text)
		return question{}
	}
	q := question{sig: s, open: true}
	q.key, q.flight, q.trust = v.key(ctx, e, s)
	return q
}

// answer examines a signature with its key (step 5).
func (v *verification) answer(ctx context.Context, e *Entry, q question) {
	s, m := q.sig, q.key
	if q.flight != nil {
		m = q.flight.find(ctx, s, v.policy.At)
	}
	if e.KeySource == FromJKU {
		m = v.keys.Supplied.hold(m, v.policy.At)
	}
	m = v.keys.Trust.hold(m, v.origin, v.policy.At)
	if m.code != "" {
		result := ResultUnchecked
		if m.code == CodeKeyAlgMismatch {
			result = ResultInvalid // the header contradicts the key that it names
		}
		e.fail(result, m.code, m.text)
		return
	}
	for _, reading := range v.policy.Readings {
		p := v.payload(reading)
		if p.err == nil && m.key.verify(s, p.bytes) {
			e.Readings = append(e.Readings, reading)
		}
	}
	switch p := v.payload(v.policy.Readings[0]); {
	case len(e.Readings) > 0:
		e.Result, e.KeyTrust, e.thumbprint = ResultValid, q.trust, m.key.thumbprint
	case p.err != nil: // step 4
		e.fail(ResultInvalid, p.err.Code, "the card has no payload: "+p.err.Text)
	default:
		e.fail(ResultInvalid, CodeSigInvalid, "the signature does not verify with the key "+shorten(s.kid)+": the card is not what was signed, or another key signed it")
	}
}

func (e *Entry) fail(r Result, code Code, message string) {
	e.Result, e.Code, e.Message = r, code, message
}

// key looks the key of a signature up (K-1), or begins to fetch the set that may have it.
func (v *verification) key(ctx context.Context, e *Entry, s *signature) (match, *setFlight, KeyTrust) {
	m, trust, found, elsewhere := v.keys.Trust.find(s, v.origin, v.policy.At)
	if found {
		e.KeySource = FromTrustStore
		return m, nil, trust
	}
	if v.keys.Supplied != nil {
		if m, found := v.keys.Supplied.find(s, v.policy.At); found {
			e.KeySource = FromSupplied
			return m, nil, TrustSupplied
		}
	}
	if s.hasJKU {
		var rule location
		if v.keys.Trust != nil {
			rule = v.keys.Trust.jku
		}
		code, text := rule.judge(s.jku, v.origin)
		if code == "" {
			e.KeySource = FromJKU
			m, flight := v.keys.Sets.ask(ctx, s.jku, s, v.policy.At, v.flights[s.jku])
			if flight != nil {
				v.flights[s.jku] = flight
			}
			return m, flight, TrustLocation
		}
		if !elsewhere {
			return match{code: code, text: "no key at hand has the kid " + shorten(s.kid) + ", and " + text}, nil, ""
		}
	}
	if elsewhere {
		return match{code: CodeKeyOrigin, text: "the trust store names the key " + shorten(s.kid) + " for certain origins, and not for " + cardsFrom(v.origin)}, nil, ""
	}
	return match{code: CodeKeyNotFound, text: "no key at hand has the kid " + shorten(s.kid)}, nil, ""
}

// decide finds the card's outcome (section A.8, step 6). All signatures that count must
// be valid under one reading, which decides which card to use.
func (v *verification) decide() {
	r := v.report
	most := 0 // distinct keys that verified under one reading
	for _, reading := range v.policy.Readings {
		var prints [][32]byte
		var kids []string
		var trust []KeyTrust
		for _, e := range r.Entries {
			if e.Result != ResultValid || !slices.Contains(e.Readings, reading) {
				continue
			}
			trust = append(trust, e.KeyTrust)
			if !slices.Contains(prints, e.thumbprint) {
				prints = append(prints, e.thumbprint)
				kids = append(kids, e.KeyID)
			}
		}
		most = max(most, len(prints))
		if len(prints) < v.policy.Signatures {
			continue
		}
		if v.accept(reading, trust) {
			r.Proves = []string{"the covered content did not change since it was signed"}
			for _, kid := range kids {
				r.Proves = append(r.Proves, "the signer held the private key of "+shorten(kid))
			}
			r.DoesNotProve = []string{
				"who owns the key", "that the provider can be trusted", "what the agent does", "who sends a request",
			}
			if reading == SDK { // C-R4
				r.DoesNotProve = append(r.DoesNotProve, "anything about what is not covered: under this reading anyone can add or remove empty security requirements "+
					"(access without authentication), empty security schemes, unknown members and empty params, and the signature stays valid")
			}
			return
		}
	}
	v.fail(most)
}

// accept makes the verified card of a reading.
func (v *verification) accept(reading Reading, trust []KeyTrust) bool {
	r, p := v.report, v.payload(reading)
	use := v.card
	if reading == SDK { // C-R3: what is not covered is not used
		limits := v.card.limits // numbers may be longer than in the card
		limits.CardBytes = max(limits.CardBytes, int64(len(p.bytes)))
		projection, err := Parse(p.bytes, limits)
		if err != nil {
			return false
		}
		r.Covered = p.bytes
		use = projection
		r.Uncovered = p.uncovered
	}
	r.Outcome, r.Reading, r.PayloadSHA256 = OutcomeVerified, reading, digest(p.bytes)
	r.verified = &Verified{card: use, reading: reading, trust: trust}
	return true
}

// fail says why the card is not verified: first what is wrong with it, then what is
// missing.
func (v *verification) fail(most int) {
	r := v.report
	if p := v.payload(v.policy.Readings[0]); p.err == nil {
		r.PayloadSHA256 = digest(p.bytes)
	} else {
		r.refuse(OutcomeInvalid, p.err.Code, p.err.Text, p.err.Pointer)
		return
	}
	first := func(want Result) *Entry {
		i := slices.IndexFunc(r.Entries, func(e Entry) bool { return e.Result == want })
		if i < 0 {
			return nil
		}
		return &r.Entries[i]
	}
	if e := first(ResultInvalid); e != nil {
		r.refuse(OutcomeInvalid, e.Code, e.Message, "")
	} else if e := first(ResultUnchecked); e != nil {
		r.refuse(OutcomeUnverified, e.Code, e.Message, "")
	}
	if first(ResultValid) != nil { // but too few, or with one key, or under several readings
		r.Code = CodeTooFew
		r.Message = fmt.Sprintf("expected %d valid signatures with distinct keys under one reading, found %d", v.policy.Signatures, most)
	}
}

// imprecise warns of integers that are not exactly doubles (J-5).
func (c *Card) imprecise() []Finding {
	const most = 20 // finding a place reads the document up to it
	var out []Finding
	walk(c.root, func(v strictjson.Value) {
		if n, ok := v.Number(); ok && len(out) < most && !exact(n) {
			out = append(out, findAt(v, CodeJSONPrecision, "the integer %s is not exactly a double; readers see different numbers", shorten(n)))
		}
	})
	return out
}

// exact reports whether a number is not an integer beyond those that doubles can
// count, 2^53-1.
func exact(n string) bool {
	if strings.ContainsAny(n, ".eE") {
		return true
	}
	n = strings.TrimPrefix(n, "-")
	const most = "9007199254740991"
	return len(n) < len(most) || len(n) == len(most) && n <= most
}

// walk visits every value of a document.
func walk(v strictjson.Value, visit func(strictjson.Value)) {
	visit(v)
	for _, e := range v.Items() {
		walk(e, visit)
	}
	for _, m := range v.Members() {
		walk(m, visit)
	}
}
