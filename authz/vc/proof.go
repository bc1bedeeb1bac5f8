package vc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// proof is one proof of a document as it is written, unverified.
type proof struct {
	at       strictjson.Value // the zero Value when it was read from RDF
	fault    string           // why it is malformed, "" for none
	id       string
	suite    string
	method   string
	purpose  string
	value    string
	created  *string
	expires  *string
	previous []string
	// What binds a presentation to a receiver.
	challenge *string
	domains   []string
}

// readProofs returns the proofs of a document in JSON.
func (v *Verifier) readProofs(root strictjson.Value, profile Profile) ([]*proof, *Finding) {
	member := root.Get("proof")
	if !member.Exists() || member.IsNull() {
		return nil, nil
	}
	if k := member.Kind(); k != strictjson.Object && k != strictjson.Array {
		return nil, faultAt(CodeMalformed, member, "expected an object or array for proof, found %s", k)
	}
	all := items(member)
	if len(all) > v.config.Limits.Proofs {
		return nil, faultAt(CodeMalformed, member, "expected at most %d proofs, found %d", v.config.Limits.Proofs, len(all))
	}
	var out []*proof
	for i, item := range all {
		for _, other := range all[:i] {
			if sameJSON(item, other) {
				return nil, faultAt(CodeMalformed, item, "expected every proof once")
			}
		}
		if profile == ProfileSVC {
			for name := range item.Members() {
				switch name {
				case "type", "cryptosuite", "verificationMethod", "proofPurpose", "proofValue", "created", "challenge", "domain":
				default:
					return nil, faultAt(CodeMalformed, item.Get(name), "the member %s of a proof is not covered by the signature", rdf.Abbreviate(name))
				}
			}
		}
		p := readProof(item, profile)
		// Each is written out again for the hash: many names of a long proof would make
		// gigabytes of a small document.
		if n := len(p.previous); p.fault == "" && (n > v.config.Limits.Proofs || len(set(p.previous)) < n) {
			p.fault = "expected each previous proof once"
		}
		out = append(out, p)
	}
	return out, nil
}

// readProof reads one proof (section 2.4, step 7). A member of another form than it
// must have makes the proof malformed.
func readProof(v strictjson.Value, profile Profile) *proof {
	p := &proof{at: v}
	bad := func(text string) {
		if p.fault == "" {
			p.fault = text
		}
	}
	if v.Kind() != strictjson.Object {
		bad("expected a proof, which is an object, found " + v.Kind().String())
		return p
	}
	for name := range v.Members() {
		if name != "expires" && lifetime.Bounds(name) {
			bad("the member " + rdf.Abbreviate(name) + " may begin or end the proof and is not known")
		}
	}
	text := func(name string, required bool) *string {
		m := v.Get(name)
		if !m.Exists() && !required {
			return nil
		}
		s, ok := m.Str()
		if !ok || s == "" {
			bad("expected a string for " + name)
		}
		return &s
	}
	if typ := text("type", true); *typ != "DataIntegrityProof" {
		bad("expected a proof of type DataIntegrityProof, found " + rdf.Abbreviate(*typ))
	}
	p.suite, p.purpose, p.value = *text("cryptosuite", true), *text("proofPurpose", true), *text("proofValue", true)
	if p.method = *text("verificationMethod", true); rdf.CheckIRI(p.method) != nil {
		bad("expected an absolute IRI for verificationMethod, found " + rdf.Abbreviate(p.method))
	}
	p.created, p.challenge = text("created", false), text("challenge", false)
	text("nonce", false)
	if p.created != nil {
		if _, ok := timeStamp(*p.created); !ok {
			bad("expected an xsd:dateTimeStamp for created, found " + rdf.Abbreviate(*p.created))
		}
	}
	if p.expires = text("expires", false); p.expires != nil {
		if _, ok := timeStamp(*p.expires); !ok {
			bad("expected an xsd:dateTimeStamp for expires, found " + rdf.Abbreviate(*p.expires))
		}
	}
	if id := text("id", false); id != nil {
		p.id = *id
	}
	p.domains = strs(v.Get("domain"), profile == ProfileW3C, func() { bad("expected a string for domain, or in the W3C profile a set of them") })
	p.previous = strs(v.Get("previousProof"), true, func() { bad("expected a string or a list of them for previousProof") })
	return p
}

// strs reads a string, or with list also an array of strings.
func strs(v strictjson.Value, list bool, bad func()) []string {
	if !v.Exists() {
		return nil
	}
	if v.Kind() == strictjson.Array && (!list || v.Len() == 0) {
		bad()
		return nil
	}
	var out []string
	for _, item := range items(v) {
		s, ok := item.Str()
		if !ok || s == "" {
			bad()
			return nil
		}
		out = append(out, s)
	}
	return out
}

// saidBy compares the options of a proof, which were read from JSON, with their graph,
// which is what is signed (AZ-2.2). What a member means is up to the context, and a
// property has other names than its term: an end or a domain by such a name would be
// signed and not looked at.
func (p *proof) saidBy(d *rdf.Dataset) error {
	g := d.Default()
	all := g.Subjects(d.LookupIRI(vocab.RDFType), d.LookupIRI(vocab.SecDataIntegrityProof))
	if all.Len() != 1 {
		return fmt.Errorf("expected one node of type DataIntegrityProof in its graph, found %d", all.Len())
	}
	node := all.At(0).S
	for predicate := range predicates(d, node) {
		if predicate != secExpiration && lifetime.Bounds(predicate) {
			return fmt.Errorf("its graph has <%s>, which may begin or end the proof and is not known", rdf.Abbreviate(predicate))
		}
	}
	purpose := g.Objects(node, d.LookupIRI(vocab.SecProofPurpose))
	if names := append(Purpose(p.purpose).links(), p.purpose); purpose.Len() != 1 || !slices.Contains(names, d.Value(purpose.At(0).O)) {
		return errors.New("its graph has another proofPurpose than the member of that name")
	}
	text := func(s *string) []string {
		if s == nil {
			return nil
		}
		return []string{*s}
	}
	for _, o := range [...]struct {
		name, predicate string
		kind            rdf.Kind
		values          []string
	}{
		{"cryptosuite", vocab.SecCryptosuite, rdf.KindLiteral, text(&p.suite)},
		{"verificationMethod", vocab.SecVerificationMethod, rdf.KindIRI, text(&p.method)},
		{"created", dctermsCreated, rdf.KindLiteral, text(p.created)},
		{"expires", secExpiration, rdf.KindLiteral, text(p.expires)},
		{"challenge", vocab.SecChallenge, rdf.KindLiteral, text(p.challenge)},
		{"domain", vocab.SecDomain, rdf.KindLiteral, p.domains},
		{"previousProof", secPreviousProof, rdf.KindIRI, p.previous},
	} {
		if !says(d, g.Objects(node, d.LookupIRI(o.predicate)), o.kind, o.values) {
			return fmt.Errorf("its graph has another %s than the member of that name", o.name)
		}
	}
	return nil
}

// says reports whether the objects of a run are terms of a kind with these values.
func says(d *rdf.Dataset, objects rdf.Run, kind rdf.Kind, values []string) bool {
	for i := range objects.Len() {
		if d.Kind(objects.At(i).O) != kind {
			return false
		}
	}
	if objects.Len() < 2 && len(values) < 2 {
		return objects.Len() == len(values) && (len(values) == 0 || d.Value(objects.At(0).O) == values[0])
	}
	var got []string
	for i := range objects.Len() {
		got = append(got, d.Value(objects.At(i).O))
	}
	return slices.Equal(set(got), set(values))
}

// set returns the different texts of a list, sorted.
func set(all []string) []string { return slices.Compact(slices.Sorted(slices.Values(all))) }

// expectation is what the proofs of a document must be.
type expectation struct {
	purpose Purpose
	// controller is the party that must control the keys. "" lets each proof name its
	// own, for a verification that does not say who may sign.
	controller string
}

// checkProofs is section 2.4, steps 7 to 12, for every proof in order, of a status list up
// to the first that is wrong. It returns what is wrong, or the proofs.
func (v *Verifier) checkProofs(ctx context.Context, s *secured, expect expectation, at time.Time) ([]Finding, []Proof) {
	var all []Finding
	var good []Proof
	for i, p := range s.proofs {
		faults, proof := v.checkProof(ctx, s, p, expect, at)
		for _, f := range faults {
			f.Proof = i + 1
			all = append(all, f)
		}
		if good = append(good, proof); v.listOf != nil && len(all) > 0 {
			break
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return nil, good
}

func (v *Verifier) checkProof(ctx context.Context, s *secured, p *proof, expect expectation, at time.Time) ([]Finding, Proof) {
	var out []Finding
	say := func(code Code, format string, args ...any) { out = append(out, found(code, p.at, format, args...)) }
	proof := Proof{Cryptosuite: Cryptosuite(p.suite), Method: p.method, Purpose: expect.purpose}
	if p.created != nil {
		proof.Created = *p.created
	}
	if p.fault != "" { // step 7
		say(CodeInvalidSignature, "%s", p.fault)
		return out, proof
	}
	if !slices.Contains(v.config.Suites, proof.Cryptosuite) || s.profile == ProfileSVC && proof.Cryptosuite.jcs() { // step 8
		say(CodeUnknownCryptosuite, "the cryptosuite %s is not allowed here", rdf.Abbreviate(p.suite))
		return out, proof
	}
	if p.purpose != string(expect.purpose) && p.purpose != vocab.Sec+string(expect.purpose) { // step 9
		say(CodeProofPurposeMismatch, "expected a proof for %s, found one for %s", expect.purpose, rdf.Abbreviate(p.purpose))
	}
	proof.Controller = expect.controller
	if proof.Controller == "" {
		proof.Controller = owner(v.config.Keys, p.method)
	}
	var m *method // step 10
	c, err := v.work.controller(ctx, v.config.Keys, proof.Controller)
	switch {
	case err != nil:
		say(CodeIssuerMismatch, "no controller document of <%s>: %v", rdf.Abbreviate(proof.Controller), err)
	case c == nil || c.id != proof.Controller:
		say(CodeIssuerMismatch, "the resolver has no controller document of <%s>", rdf.Abbreviate(proof.Controller))
	default:
		if m = c.find(p.method, expect.purpose, v.config.InsecureAnyRelationship); m == nil {
			say(CodeIssuerMismatch, "<%s> does not list <%s> for %s", rdf.Abbreviate(c.id), rdf.Abbreviate(p.method), expect.purpose)
		}
	}
	if m != nil {
		if text := v.checkSignature(ctx, s, p, m, at); text != "" { // step 11
			say(CodeInvalidSignature, "%s", text)
		}
	}
	// Step 12.
	if p.created != nil {
		if created, ok := timeStamp(*p.created); !ok || xsd.Compare(created, instant(at.Add(v.config.Skew))) == xsd.Greater {
			say(CodeInvalidSignature, "the proof was created at %s, after this verification", rdf.Abbreviate(*p.created))
		}
	}
	if p.expires != nil {
		if expires, ok := timeStamp(*p.expires); !ok || xsd.Compare(expires, instant(at)) == xsd.Less {
			say(CodeExpired, "the proof was valid until %s", rdf.Abbreviate(*p.expires))
		}
	}
	return out, proof
}

// checkSignature says why the signature of a proof does not count, "" when it does.
func (v *Verifier) checkSignature(ctx context.Context, s *secured, p *proof, m *method, at time.Time) string {
	key, err := m.usable(at)
	if err != nil {
		return err.Error()
	}
	if !Cryptosuite(p.suite).fits(key.typ) {
		return "the key is of type " + key.typ.String() + ", which is not of " + p.suite
	}
	signature, ok := decodeProofValue(p.value, key.typ)
	if !ok {
		return `expected a proofValue of "z" and base58btc of a signature of its key's size`
	}
	data, err := s.hashData(ctx, p, algorithm(key.typ))
	if err != nil {
		return "the proof cannot be checked: " + err.Error()
	}
	if !key.verify(data, signature) {
		return "the signature does not verify with <" + rdf.Abbreviate(p.method) + ">"
	}
	return ""
}

// beforeFragment returns an IRI without its fragment.
func beforeFragment(iri string) string {
	before, _, _ := strings.Cut(iri, "#")
	return before
}
