package vc

import (
	"context"
	"crypto/subtle"
	"errors"
	"slices"
	"time"

	"github.com/mr-tron/base58"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// HolderRule says what ties the holder of a presentation to its credentials
// (section 5.4).
type HolderRule uint8

// The rules of holder binding.
const (
	// HolderEach demands that every credential is about the holder: as its subject,
	// or, for an Agent Authorization Credential, as the one it authorizes.
	HolderEach HolderRule = iota
	// HolderLeaf demands that the last credential authorizes the holder: the
	// presentation is a chain from its root to its leaf, and the verification of the
	// chain links the other credentials.
	HolderLeaf
	// HolderUnbound demands nothing. It is for a caller that binds the holder itself,
	// by a second chain that leads to it.
	HolderUnbound
)

// Expected is what a presentation must be bound to.
type Expected struct {
	// Challenge is the one that the receiver issued for this exchange. Required.
	Challenge string
	// Domain is the receiver: the set of strings that the proof must name. Required.
	Domain []string
	// Holder is HolderEach by default.
	Holder HolderRule
	// DeferStatus leaves the status of the credentials to the caller, who then calls
	// [Verifier.CheckStatus] for each. By default it is checked here.
	DeferStatus bool
}

// Presentation is a presentation that was verified: only
// [Verifier.VerifyPresentation] makes one. It is immutable and safe for concurrent
// use.
type Presentation struct {
	id, holder  string
	profile     Profile
	credentials []*Credential
	proofs      []Proof
}

// ID returns the presentation's id, "" when it has none.
func (p *Presentation) ID() string { return p.id }

// Holder returns the holder, whose key signed the presentation.
func (p *Presentation) Holder() string { return p.holder }

// Profile returns the profile that the presentation was verified under.
func (p *Presentation) Profile() Profile { return p.profile }

// Credentials returns the verified credentials in the order of the presentation.
// The caller must not change it.
func (p *Presentation) Credentials() []*Credential { return p.credentials }

// Proofs returns the verified proofs of the presentation itself. The caller must not
// change it.
func (p *Presentation) Proofs() []Proof { return p.proofs }

// PresentationReport is the outcome of verifying a presentation. The zero
// PresentationReport refuses.
type PresentationReport struct {
	outcome
	presentation *Presentation
}

// Verified reports whether the presentation and every credential in it is verified.
func (r *PresentationReport) Verified() bool { return r.presentation != nil && len(r.findings) == 0 }

// Code returns the first code, "" exactly when the presentation is verified.
func (r *PresentationReport) Code() Code { return r.first(r.Verified()) }

// Presentation returns the verified presentation, nil when it is not verified.
func (r *PresentationReport) Presentation() *Presentation {
	if !r.Verified() {
		return nil
	}
	return r.presentation
}

// VerifyPresentation checks a presentation and its credentials at a time (section 5):
// the credentials first, then what the proof is bound to, the proof, and the holder.
// An error means that the call was wrong, such as one without a challenge or domain,
// or that ctx is done.
func (v *Verifier) VerifyPresentation(ctx context.Context, data []byte, expected Expected, at time.Time) (*PresentationReport, error) {
	if err := checkTime(at); err != nil {
		return nil, err
	}
	switch {
	case expected.Challenge == "":
		return nil, errors.New("expected a challenge that was issued for this presentation")
	case len(expected.Domain) == 0 || slices.Contains(expected.Domain, ""):
		return nil, errors.New("expected the domain that the presentation must be for")
	case expected.Holder > HolderUnbound:
		return nil, errors.New("unknown rule of holder binding")
	}
	r := &PresentationReport{}
	if err := v.call().present(ctx, data, expected, at, r); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// present makes the checks of section 5.1; the numbers are the rows of its table.
func (v *Verifier) present(ctx context.Context, data []byte, expected Expected, at time.Time, r *PresentationReport) error {
	s, fault := v.parse(data, v.config.Limits.PresentationBytes)
	var embedded []strictjson.Value
	if fault == nil {
		embedded, fault = v.presentationShape(s) // 1
	}
	if fault != nil {
		r.add(*fault)
		return nil
	}
	p := &Presentation{profile: s.profile}
	p.id, _ = s.root.Get("id").Str()
	for i, item := range embedded { // 2
		c, findings, err := v.embedded(ctx, item, s.profile, expected, at)
		if err != nil {
			return err
		}
		for _, f := range findings {
			f.Credential = i + 1
			r.add(f)
		}
		p.credentials = append(p.credentials, c)
	}
	if p.holder, fault = s.holder(); fault != nil { // 3
		r.add(*fault)
		return nil
	}
	if len(s.proofs) == 0 { // 4
		r.add(found(CodeNoProof, s.root, "expected a proof, found none"))
	}
	r.add(checkBinding(s.proofs, expected)...)                 // 5, 6
	if fault := v.presentationGraph(ctx, s, p); fault != nil { // 7
		r.add(*fault)
		return nil
	}
	if s.profile == ProfileSVC && s.graph == nil {
		return nil // a credential is not verified, so that there is no graph to sign
	}
	findings, proofs := v.checkProofs(ctx, s, expectation{Authentication, p.holder}, at) // 8
	r.add(findings...)
	p.proofs = proofs
	if !slices.Contains(p.credentials, nil) { // 9
		r.add(checkHolder(p, expected.Holder)...)
	}
	if len(r.findings) == 0 {
		r.presentation = p
	}
	return nil
}

// holder returns the holder of a presentation.
func (s *secured) holder() (string, *Finding) {
	holder := s.root.Get("holder")
	if holder.Kind() == strictjson.Object && s.profile == ProfileW3C {
		holder = holder.Get("id")
	}
	iri, ok := absoluteIRI(holder)
	if !ok {
		return "", faultAt(CodeHolderUnverified, s.root.Get("holder"), "expected an absolute IRI for holder")
	}
	return iri, nil
}

// presentationShape is row 1. The W3C profile allows a presentation without
// credentials, which proves control of the holder's key alone, unless authority is
// claimed.
func (v *Verifier) presentationShape(s *secured) ([]strictjson.Value, *Finding) {
	root, svc := s.root, s.profile == ProfileSVC
	refuse := func(at strictjson.Value, format string, args ...any) *Finding {
		if !at.Exists() {
			at = root
		}
		return faultAt(CodeMalformed, at, format, args...)
	}
	if !svc && !beginsWithV2(root) {
		return nil, refuse(root.Get("@context"), "expected an @context that begins with %s", jsonld.CredentialsV2)
	}
	if svc {
		for i := range root.Len() {
			switch m := root.Member(i); m.Str() {
			case "id", "type", "holder", "verifiableCredential", "proof":
			default:
				return nil, refuse(m.Name, "the member %s of a presentation is not covered by the signature", rdf.Abbreviate(m.Str()))
			}
		}
	}
	if id := root.Get("id"); id.Exists() || svc {
		if _, ok := absoluteIRI(id); !ok {
			return nil, refuse(id, "expected an absolute IRI for id")
		}
	}
	for name, member := range root.Members() {
		if lifetime.Bounds(name) {
			return nil, refuse(member, "the member %s may begin or end the presentation and is not known", rdf.Abbreviate(name))
		}
	}
	types := root.Get("type")
	typed := svc && !types.Exists()
	for _, t := range items(types) {
		name, _ := t.Str()
		typed = typed || name == "VerifiablePresentation"
		if svc && name != "VerifiablePresentation" {
			return nil, refuse(t, "expected no type of a presentation but VerifiablePresentation: it is not covered by the signature")
		}
	}
	if !typed {
		return nil, refuse(types, "expected the type VerifiablePresentation")
	}
	list := root.Get("verifiableCredential")
	strict := svc || v.config.Authority
	switch {
	case strict && list.Kind() != strictjson.Array:
		return nil, refuse(list, "expected an array for verifiableCredential, found %s", list.Kind())
	case strict && list.Len() == 0:
		return nil, refuse(list, "expected a credential, found none")
	}
	all := items(list)
	if len(all) > v.config.Limits.Credentials {
		return nil, refuse(list, "expected at most %d credentials, found %d", v.config.Limits.Credentials, len(all))
	}
	seen := map[string]bool{}
	for _, item := range all {
		if item.Kind() != strictjson.Object {
			return nil, refuse(item, "expected a credential, which is an object, found %s", item.Kind())
		}
		if id, ok := item.Get("id").Str(); ok {
			if seen[id] {
				return nil, refuse(item.Get("id"), "expected credentials with ids of their own, found %s again", rdf.Abbreviate(id))
			}
			seen[id] = true
		}
	}
	return all, nil
}

// embedded verifies one credential of a presentation. It must be of the same profile
// as the presentation.
func (v *Verifier) embedded(ctx context.Context, item strictjson.Value, profile Profile, expected Expected, at time.Time) (*Credential, []Finding, error) {
	one := v.Receiving(expected)
	one.config.Profile = profile
	r := &Report{}
	s, fault := one.parse([]byte(item.Source()), v.config.Limits.CredentialBytes)
	if fault != nil {
		r.add(*fault)
	} else {
		one.verify(ctx, s, at, r)
	}
	findings := r.findings
	for i := range findings { // places are of the credential alone
		findings[i].Pointer = item.Pointer() + findings[i].Pointer
		findings[i].Line, findings[i].Column = 0, 0
	}
	c := r.Credential()
	if c == nil || expected.DeferStatus {
		return c, findings, nil
	}
	status, err := v.CheckStatus(ctx, c, at)
	if err != nil {
		return nil, nil, err
	}
	return c, append(findings, status.findings...), nil
}

// checkBinding is rows 5 and 6, for every proof in order.
func checkBinding(proofs []*proof, expected Expected) []Finding {
	var out []Finding
	want := set(expected.Domain)
	for i, p := range proofs {
		challenge := ""
		if p.challenge != nil {
			challenge = *p.challenge
		}
		if subtle.ConstantTimeCompare([]byte(challenge), []byte(expected.Challenge)) != 1 {
			f := found(CodeChallengeMismatch, p.at, "expected the challenge that was issued, found %s", quoteOrNone(challenge))
			f.Proof = i + 1
			out = append(out, f)
		}
		if got := set(p.domains); !slices.Equal(got, want) {
			f := found(CodeDomainMismatch, p.at, "expected a proof for the domain %q, found %q", want, abbreviated(got))
			f.Proof = i + 1
			out = append(out, f)
		}
	}
	return out
}

// checkReceiver is the same for the proofs of a credential, which need name no receiver. One
// that names some is meant for these alone (VC Data Integrity 1.0, section 2.1), and what
// grants authority must not do so to others: the receiver must be among them, and there is
// none where the credential comes without a presentation.
func checkReceiver(proofs []*proof, receiver Expected) []Finding {
	var out []Finding
	say := func(i int, code Code, format string, args ...any) {
		f := found(code, proofs[i].at, format, args...)
		f.Proof = i + 1
		out = append(out, f)
	}
	for i, p := range proofs {
		if p.challenge != nil && *p.challenge != receiver.Challenge {
			say(i, CodeChallengeMismatch, "the proof of the credential is for the challenge %s alone", quoteOrNone(*p.challenge))
		}
		if len(p.domains) > 0 && !slices.ContainsFunc(p.domains, func(d string) bool { return slices.Contains(receiver.Domain, d) }) {
			say(i, CodeDomainMismatch, "the proof of the credential is for the domain %q alone", abbreviated(set(p.domains)))
		}
	}
	return out
}

func quoteOrNone(s string) string {
	if s == "" {
		return "none"
	}
	return `"` + rdf.Abbreviate(s) + `"`
}

// abbreviated returns the first of some texts of a peer as a message shows them.
func abbreviated(all []string) []string {
	const most = 8
	var out []string
	for _, text := range all[:min(len(all), most)] {
		out = append(out, rdf.Abbreviate(text))
	}
	if len(all) > most {
		out = append(out, "...")
	}
	return out
}

// presentationGraph makes the graph that the proof covers and compares its holder
// with that of the JSON (row 7).
func (v *Verifier) presentationGraph(ctx context.Context, s *secured, p *Presentation) *Finding {
	if s.profile == ProfileSVC {
		d, fault := lowerPresentation(ctx, s, p)
		if d == nil && fault == nil {
			return nil // a credential is not verified: the presentation is refused already
		}
		s.graph = d
		return fault
	}
	if v.config.Authority {
		if fault := v.checkContexts(s.root, "verifiableCredential"); fault != nil {
			return fault
		}
		if fault := s.unchained(); fault != nil {
			return fault
		}
	}
	if fault := s.numbers(); fault != nil {
		return fault
	}
	if s.onlyJCS() && !v.config.Authority {
		return nil
	}
	d, fault := s.claims()
	if fault != nil {
		return fault
	}
	all := nodes(d, vocab.CredVerifiablePresentation)
	if len(all) == 1 {
		if id := d.Term(all[0]); id.Kind() == rdf.KindIRI && id.Value() != p.id || id.Kind() != rdf.KindIRI && p.id != "" {
			return faultAt(CodeMalformed, s.root, "expected <%s> to be the node of type VerifiablePresentation", rdf.Abbreviate(p.id))
		}
		for property := range predicates(d, all[0]) {
			if lifetime.Bounds(property) {
				return faultAt(CodeMalformed, s.root, "<%s> may begin or end the presentation and is not known", rdf.Abbreviate(property))
			}
		}
		if n := len(objects(d, all[0], vocab.CredVerifiableCredential)); n != len(p.credentials) {
			// By another name a credential would be presented that nobody verifies.
			return faultAt(CodeMalformed, s.root, "expected the credentials of the member verifiableCredential alone, found %d in the graph", n)
		}
		if holders := objects(d, all[0], vocab.CredHolder); len(holders) == 1 && holders[0].Kind() == rdf.KindIRI && holders[0].Value() == p.holder {
			return nil
		}
	}
	return faultAt(CodeMalformed, s.root, "expected one presentation with one holder, the same in JSON and in the graph")
}

// lowerPresentation is section 5.2: the graph names the credentials and their
// digests. Without the digest of one there is no graph.
func lowerPresentation(ctx context.Context, s *secured, p *Presentation) (*rdf.Dataset, *Finding) {
	w := &lowering{b: rdf.NewBuilder(s.limits.rdf(s.size))}
	w.b.BeginDocument("")
	n := w.iri(s.root.Get("id"), p.id)
	w.add(s.root, n, vocab.RDFType, w.iri(s.root, vocab.CredVerifiablePresentation))
	w.add(s.root, n, vocab.CredHolder, w.iri(s.root.Get("holder"), p.holder))
	for _, c := range p.credentials {
		if c == nil {
			return nil, nil
		}
		digest, err := c.digest(ctx, s.work)
		if err != nil {
			w.refuse(s.root, "a credential has no digest: %v", err)
			break
		}
		o := w.iri(s.root, c.id)
		w.add(s.root, n, vocab.CredVerifiableCredential, o)
		w.add(s.root, o, vocab.SecDigestMultibase, w.literal(s.root, digestMultibase(digest), ""))
	}
	if w.fault != nil {
		return nil, w.fault
	}
	return w.b.Dataset(), nil
}

// digestMultibase is a SHA-256 digest as multibase of a multihash.
func digestMultibase(d canon.Digest) string {
	return "z" + base58.Encode(append([]byte{0x12, 0x20}, d[:]...))
}

// checkHolder is section 5.4.
func checkHolder(p *Presentation, rule HolderRule) []Finding {
	about := func(c *Credential, leaf bool) bool {
		if c.graph == nil {
			return false
		}
		if !leaf {
			if subject := c.Subject(); subject.Kind() == rdf.KindIRI && subject.Value() == p.holder {
				return true
			}
		}
		if !c.HasType(vocab.SVCAgentAuthorizationCredential) {
			return false
		}
		authorized := c.Claims(vocab.SVCAuthorizes)
		return len(authorized) == 1 && authorized[0].Kind() == rdf.KindIRI && authorized[0].Value() == p.holder
	}
	var out []Finding
	if rule == HolderLeaf && len(p.credentials) == 0 {
		out = append(out, found(CodeHolderUnverified, strictjson.Value{}, "expected a credential that authorizes the holder, found none"))
	}
	for i, c := range p.credentials {
		leaf := rule == HolderLeaf
		if rule == HolderUnbound || leaf && i < len(p.credentials)-1 || about(c, leaf) {
			continue
		}
		f := found(CodeHolderUnverified, strictjson.Value{}, "the credential is not about the holder <%s>", rdf.Abbreviate(p.holder))
		f.Credential = i + 1
		out = append(out, f)
	}
	return out
}
