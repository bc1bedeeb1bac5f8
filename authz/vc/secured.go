package vc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// secured is a document with its proofs, and the hashes of it that were computed. It
// belongs to one verification.
type secured struct {
	profile  Profile
	limits   Limits
	size     int64 // limit of bytes
	terms    int64 // limit of the bytes of its terms
	contexts *jsonld.Contexts
	work     *work
	root     strictjson.Value // the zero Value when it was read from RDF
	proofs   []*proof

	graph  *rdf.Dataset // what is signed without a proof; nil until it is made
	hashes [2][]byte    // of its canonical form, by algorithm
	faults [2]error     // why it has none; finding out again could cost the whole budget
}

// options returns how JSON-LD of the document is read.
func (s *secured) options() jsonld.Options {
	return jsonld.Options{Limits: s.rdf(), Contexts: s.contexts}
}

// rdf returns the limits of RDF in the document.
func (s *secured) rdf() rdf.Limits { return s.limits.rdfOf(s.size, s.terms) }

// build makes the graph of the document that its proofs cover. In the W3C profile
// what expansion would drop is an error (section 2.9, rules 6 to 8).
func (s *secured) build() *Finding {
	if s.graph != nil {
		return nil
	}
	if s.profile == ProfileSVC {
		return faultAt(CodeMalformed, s.root, "the document has no graph")
	}
	text, err := s.covered()
	var d *rdf.Dataset
	if err == nil {
		d, err = jsonld.Parse(text, s.options())
	}
	if err != nil {
		f := found(CodeMalformed, s.root, "%s", lossText(err))
		f.Pointer, f.Line, f.Column = "", 0, 0
		if e, ok := errors.AsType[*jsonld.Error](err); ok {
			f.Problem = ProblemDataLoss
			if e.Place.File == "" {
				f.Pointer, f.Text = e.Pointer, strings.TrimSuffix(f.Text, " (at "+e.Pointer+")")
			}
		}
		return &f
	}
	s.graph = d
	return nil
}

// lossText is the text of an error of reading JSON-LD. It leaves the place out: it is a
// place in the document without its proof, which nobody has.
func lossText(err error) string {
	if loss, ok := errors.AsType[*jsonld.Error](err); ok {
		text := loss.Message()
		if loss.Term != "" && !strings.Contains(text, loss.Term) {
			text += ": " + rdf.Abbreviate(loss.Term)
		}
		return text
	}
	if limit, ok := errors.AsType[*rdf.LimitError](err); ok {
		return limit.Message()
	}
	return err.Error()
}

// hashData is section 2.3, step 4: the hash of the proof's options, then that of
// the document.
func (s *secured) hashData(ctx context.Context, p *proof, a canon.Algorithm) ([]byte, error) {
	if Cryptosuite(p.suite).jcs() {
		options, document, err := s.canonicalJSON(p)
		if err != nil {
			return nil, err
		}
		return append(sum(a, options), sum(a, document)...), nil
	}
	options, err := s.optionsGraph(p)
	if err != nil {
		return nil, err
	}
	hash, err := s.work.hash(ctx, options, s.limits, a)
	if err != nil {
		return nil, err
	}
	document, err := s.documentHash(ctx, p, a)
	if err != nil {
		return nil, err
	}
	return append(hash, document...), nil
}

// documentHash hashes the canonical form of what a proof covers besides its
// options: the document without proofs, or with those that it builds on.
func (s *secured) documentHash(ctx context.Context, p *proof, a canon.Algorithm) ([]byte, error) {
	if len(p.previous) > 0 {
		d, err := s.chainedGraph(p)
		if err != nil {
			return nil, err
		}
		return s.work.hash(ctx, d, s.limits, a)
	}
	if s.hashes[a] != nil || s.faults[a] != nil {
		return s.hashes[a], s.faults[a]
	}
	if f := s.build(); f != nil {
		return nil, errors.New(f.Text)
	}
	hash, err := s.work.hash(ctx, s.graph, s.limits, a)
	if err != nil {
		s.faults[a] = err
		return nil, err
	}
	s.hashes[a] = hash
	return hash, nil
}

// chainedText returns the document with the proofs that p builds on in place of
// its own (VC Data Integrity 1.0, section 4.5, Verify Proof Sets and Chains).
func (s *secured) chainedText(p *proof) ([]byte, error) {
	if !s.root.Exists() || s.profile == ProfileSVC {
		return nil, errors.New("proof chains exist only in the W3C profile")
	}
	list := []byte{'['}
	for i, id := range p.previous {
		var match *proof
		for _, other := range s.proofs {
			if other.id != id {
				continue
			}
			if match != nil {
				return nil, fmt.Errorf("expected one proof with the id %s, found two", rdf.Abbreviate(id))
			}
			match = other
		}
		if match == nil || match == p {
			return nil, fmt.Errorf("the previous proof %s is missing", rdf.Abbreviate(id))
		}
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, match.at.Source()...)
	}
	text := without(s.root, "proof")
	text = appendMember(text[:len(text)-1], `"proof"`, string(append(list, ']')))
	return append(text, '}'), nil
}

func (s *secured) chainedGraph(p *proof) (*rdf.Dataset, error) {
	text, err := s.chainedText(p)
	if err != nil {
		return nil, err
	}
	d, err := jsonld.Parse(text, s.options())
	if err != nil {
		return nil, errors.New(lossText(err))
	}
	return d, nil
}

// optionsGraph is section 2.3, step 3. It fails where the graph is not what was read.
func (s *secured) optionsGraph(p *proof) (*rdf.Dataset, error) {
	if s.profile == ProfileSVC {
		d, f := lowerProofOptions(p, s.limits)
		if f != nil {
			return nil, errors.New(f.Text)
		}
		return d, nil
	}
	context := s.root.Get("@context")
	if own := p.at.Get("@context"); own.Exists() && !sameJSON(own, context) {
		// It would be replaced by the document's, and so not be covered.
		return nil, errors.New("the proof has another @context than the document")
	}
	const around = len(`{"@context":,}`)
	text := append(make([]byte, 0, len(context.Source())+len(p.at.Source())+around), '{')
	if context.Exists() {
		text = appendMember(text, `"@context"`, context.Source())
	}
	for i := range p.at.Len() {
		if m := p.at.Member(i); m.Str() != "proofValue" && m.Str() != "@context" {
			text = appendMember(text, m.Name.Source(), m.Value.Source())
		}
	}
	d, err := jsonld.Parse(append(text, '}'), s.options())
	if err != nil {
		return nil, errors.New(lossText(err))
	}
	return d, p.saidBy(d)
}

// canonicalJSON is section 2.7: the options of a proof and the document in the form
// of RFC 8785.
func (s *secured) canonicalJSON(p *proof) (options, document []byte, err error) {
	if err := exactNumbers(s.root); err != nil {
		return nil, nil, err
	}
	text, err := s.textFor(p)
	if err != nil {
		return nil, nil, err
	}
	limits := s.limits.json(s.size)
	if document, err = strictjson.Canonicalize(text, limits); err != nil {
		return nil, nil, err
	}
	options, err = strictjson.Canonicalize(without(p.at, "proofValue"), limits)
	return options, document, err
}

// textFor returns the document that a JCS proof covers: without proofs but those
// that it builds on, and under the proof's context where it has one.
func (s *secured) textFor(p *proof) ([]byte, error) {
	text := without(s.root, "proof")
	var err error
	if len(p.previous) > 0 {
		if text, err = s.chainedText(p); err != nil {
			return nil, err
		}
	}
	own := p.at.Get("@context")
	if !own.Exists() || sameJSON(own, s.root.Get("@context")) {
		return text, nil
	}
	if !beginsWith(s.root.Get("@context"), own) {
		return nil, errors.New("the document's @context does not begin with that of the proof")
	}
	v, err := strictjson.Parse(text, s.limits.json(s.size))
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for i := range v.Len() {
		m := v.Member(i)
		value := m.Value.Source()
		if m.Str() == "@context" {
			value = own.Source()
		}
		out = appendMember(out, m.Name.Source(), value)
	}
	return append(out, '}'), nil
}

// beginsWith reports whether a context begins with all of another.
func beginsWith(context, start strictjson.Value) bool {
	all, first := items(context), items(start)
	if len(first) > len(all) {
		return false
	}
	for i := range first {
		if !sameJSON(first[i], all[i]) {
			return false
		}
	}
	return true
}

// sameJSON reports whether two values are the same but for white space, order of
// members and spelling.
func sameJSON(a, b strictjson.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	if a.Source() == b.Source() {
		return true
	}
	x, err1 := a.Canonical()
	y, err2 := b.Canonical()
	return err1 == nil && err2 == nil && bytes.Equal(x, y)
}

// exactNumbers refuses numbers that the canonical form would round to an integer, so that
// two documents would have one signature, of which JSON-LD reads one alone.
func exactNumbers(v strictjson.Value) error {
	switch v.Kind() {
	case strictjson.Number:
		text, _ := v.Number()
		whole := !strings.ContainsAny(text, ".eE")
		if whole && len(text) < 16 { // within 53 bits
			return nil
		}
		f, _ := v.Float64()
		const largest = 1e21 // from there on a number with a point or an exponent is a double to JSON-LD
		if f != math.Trunc(f) || math.Abs(f) >= largest && !whole {
			return nil
		}
		digits, exponent := decimal(text)
		if d, e := decimal(strconv.FormatFloat(f, 'f', 0, 64)); d != digits || e != exponent {
			return fmt.Errorf("the number %s is not one that JSON readers agree on", rdf.Abbreviate(text))
		}
	case strictjson.Array:
		for _, item := range v.Items() {
			if err := exactNumbers(item); err != nil {
				return err
			}
		}
	case strictjson.Object:
		for _, member := range v.Members() {
			if err := exactNumbers(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// decimal returns the digits of a number without its sign and without zeros at either end,
// and the power of ten that they are multiplied by; no digits for zero.
func decimal(text string) (digits string, exponent int) {
	digits, power := strings.TrimPrefix(text, "-"), ""
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		digits, power = digits[:i], strings.TrimPrefix(digits[i+1:], "+")
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "", 0
	}
	if power != "" {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			exponent = math.MinInt32 // a large one would not be finite
		}
	}
	return short, exponent - len(fraction) + len(digits) - len(short)
}
