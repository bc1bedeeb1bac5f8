package vc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// envelope holds the parts of a document that are read from JSON before there is a
// graph, so that the checks come in their order (section 2.4). The graph must say the
// same.
type envelope struct {
	id, issuer  string
	from, until *bound
}

// bound is an end of validity.
type bound struct {
	text  string
	value xsd.Value
}

// credential returns a credential of which nothing is known but the envelope.
func (e envelope) credential(s *secured) *Credential {
	c := &Credential{source: s, id: e.id, issuer: e.issuer}
	if e.from != nil {
		c.validFrom = e.from.text
	}
	if e.until != nil {
		c.validUntil = e.until.text
	}
	return c
}

// parse reads a document as JSON and finds its profile and proofs.
func (v *Verifier) parse(data []byte, size int64) (*secured, *Finding) {
	root, err := strictjson.Parse(data, v.config.Limits.json(size))
	if err != nil {
		f := fromJSON(err)
		return nil, &f
	}
	return v.secure(root, size)
}

func (v *Verifier) secure(root strictjson.Value, size int64) (*secured, *Finding) {
	if root.Kind() != strictjson.Object {
		return nil, faultAt(CodeMalformed, root, "expected an object, found %s", root.Kind())
	}
	s := &secured{profile: v.profileOf(root), limits: v.config.Limits, size: size, terms: termsOf(int64(len(root.Source()))), contexts: v.config.Contexts, work: v.work, root: root}
	var fault *Finding
	if s.proofs, fault = v.readProofs(root, s.profile); fault != nil {
		return nil, fault
	}
	if s.profile == ProfileW3C && !s.onlyJCS() {
		if at := repeated(root); at.Exists() {
			return nil, faultAt(CodeMalformed, at, "expected every context once in a list of them")
		}
	}
	return s, nil
}

// credentialShape checks the form of a credential (section 1.10).
func (v *Verifier) credentialShape(s *secured) (envelope, *Finding) {
	var e envelope
	refuse := func(at strictjson.Value, format string, args ...any) (envelope, *Finding) {
		if !at.Exists() {
			at = s.root
		}
		return e, faultAt(CodeMalformed, at, format, args...)
	}
	root, svc := s.root, s.profile == ProfileSVC
	if !svc && !beginsWithV2(root) {
		return refuse(root.Get("@context"), "expected an @context that begins with %s", jsonld.CredentialsV2)
	}
	var ok bool
	issuer := root.Get("issuer")
	if issuer.Kind() == strictjson.Object && !svc {
		issuer = issuer.Get("id")
	}
	if e.issuer, ok = absoluteIRI(issuer); !ok {
		return refuse(root.Get("issuer"), "expected an absolute IRI for issuer")
	}
	id := root.Get("id")
	if e.id, ok = absoluteIRI(id); !ok && (id.Exists() || svc || v.config.Authority) {
		return refuse(id, "expected an absolute IRI for id")
	}
	types := root.Get("type")
	if types.Kind() != strictjson.Array && (svc || types.Kind() != strictjson.String) {
		return refuse(types, "expected an array of types")
	}
	typed := svc
	for _, t := range items(types) {
		name, ok := t.Str()
		if !ok || name == "" {
			return refuse(t, "expected a type, found %s", t.Kind())
		}
		typed = typed || name == "VerifiableCredential"
	}
	if !typed {
		return refuse(types, "expected the type VerifiableCredential")
	}
	subjects := items(root.Get("credentialSubject"))
	if len(subjects) == 0 || len(subjects) > 1 && v.config.Authority {
		return refuse(root.Get("credentialSubject"), "expected one object for credentialSubject")
	}
	for _, subject := range subjects {
		if subject.Kind() != strictjson.Object {
			return refuse(subject, "expected an object for credentialSubject, found %s", subject.Kind())
		}
	}
	for _, m := range []struct {
		name string
		to   **bound
	}{{"validFrom", &e.from}, {"validUntil", &e.until}} {
		member := root.Get(m.name)
		if !member.Exists() {
			continue
		}
		b := &bound{}
		var isString bool
		b.text, isString = member.Str()
		if b.value, ok = timeStamp(b.text); !ok || !isString {
			return refuse(member, "expected an xsd:dateTimeStamp for %s, found %s", m.name, rdf.Abbreviate(member.Source()))
		}
		*m.to = b
	}
	if e.from != nil && e.until != nil && xsd.Compare(e.from.value, e.until.value) == xsd.Greater {
		return refuse(root.Get("validUntil"), "expected a validUntil that is not before validFrom")
	}
	if svc {
		var fault *Finding
		if s.graph, fault = lowerCredential(root, s.limits, s.size); fault != nil {
			return e, fault
		}
	}
	return e, nil
}

// Verify checks a credential at a time: its shape, proofs, issuer and validity
// (section 2.4), in this order. What may begin or end the credential by another name than
// validFrom and validUntil, such as schema:expires, refuses it unless it is a truth value
// that says it goes on; where a JCS proof covers names that no context defines, they count.
// Its status is not checked, see [Verifier.CheckStatus]. An error means that the call was
// wrong or ctx is done.
func (v *Verifier) Verify(ctx context.Context, data []byte, at time.Time) (*Report, error) {
	if err := checkTime(at); err != nil {
		return nil, err
	}
	v = v.call()
	r := &Report{}
	if s, fault := v.parse(data, v.config.Limits.CredentialBytes); fault != nil {
		r.add(*fault)
	} else {
		v.verify(ctx, s, at, r)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

func (v *Verifier) verify(ctx context.Context, s *secured, at time.Time, r *Report) {
	e, fault := v.credentialShape(s) // step 1
	if fault != nil {
		r.add(*fault)
		return
	}
	if r.add(v.checkEnvelope(s, e, at)...); v.settled(r) {
		return
	}
	c, fault := v.read(s, e) // step 6
	if fault != nil {
		r.add(*fault)
		return
	}
	findings, proofs := v.checkProofs(ctx, s, expectation{AssertionMethod, e.issuer}, at)
	r.add(findings...)
	c.proofs, c.authority = proofs, v.config.Authority
	if c.Authority() && len(r.findings) == 0 {
		r.add(checkReceiver(s.proofs, v.receiver)...)
	}
	if len(r.findings) == 0 {
		r.credential = c
	}
}

// checkEnvelope is section 2.4, steps 2 to 5.
func (v *Verifier) checkEnvelope(s *secured, e envelope, at time.Time) []Finding {
	var out []Finding
	now := instant(at)
	if len(s.proofs) == 0 {
		out = append(out, found(CodeNoProof, s.root, "expected a proof, found none"))
	}
	if e.until != nil && xsd.Compare(now, e.until.value) == xsd.Greater {
		out = append(out, found(CodeExpired, s.root.Get("validUntil"), "the credential was valid until %s", e.until.text))
	}
	if e.from != nil && xsd.Compare(now, e.from.value) == xsd.Less {
		out = append(out, found(CodeNotYetValid, s.root.Get("validFrom"), "the credential is valid from %s on", e.from.text))
	}
	switch {
	case v.listOf != nil:
		if e.issuer != v.listOf.issuer && !slices.Contains(v.config.StatusListIssuers, e.issuer) {
			out = append(out, found(CodeUntrustedIssuer, s.root.Get("issuer"), "it is issued by <%s>, the credential by <%s>", rdf.Abbreviate(e.issuer), rdf.Abbreviate(v.listOf.issuer)))
		}
	case len(v.config.Issuers) > 0 && !slices.Contains(v.config.Issuers, e.issuer):
		out = append(out, found(CodeUntrustedIssuer, s.root.Get("issuer"), "<%s> is not a trusted issuer", rdf.Abbreviate(e.issuer)))
	}
	return out
}

// settled reports whether a verification ends with what it found: that of a status list, of
// which the first counts. Else whoever chooses the lists of a credential would choose whose
// keys are asked for.
func (v *Verifier) settled(r *Report) bool { return v.listOf != nil && len(r.findings) > 0 }

// VerifyProofs checks the proofs of any secured document in JSON for a purpose. The key
// of a proof must be listed by a controller document of a [Keyring], or by that of the
// identifier which its verification method begins with. It does not check who may sign
// the document, and reads no claims: an RDFC proof covers the graph, and what the names of
// members mean is up to the contexts of whoever had the document last; a JCS proof covers
// the names, and may cover no more than the begin of the @context. An error means that the
// call was wrong or ctx is done.
func (v *Verifier) VerifyProofs(ctx context.Context, data []byte, purpose Purpose, at time.Time) (*ProofReport, error) {
	return v.verifyProofs(ctx, data, expectation{purpose: purpose}, at)
}

// VerifyProofsBy checks the proofs of any secured document in JSON as
// [Verifier.VerifyProofs] does, and that one party controls all of their keys for the
// purpose.
func (v *Verifier) VerifyProofsBy(ctx context.Context, data []byte, controller string, purpose Purpose, at time.Time) (*ProofReport, error) {
	if rdf.CheckIRI(controller) != nil {
		return nil, fmt.Errorf("expected an IRI for who must have signed, found %q", rdf.Abbreviate(controller))
	}
	return v.verifyProofs(ctx, data, expectation{purpose, controller}, at)
}

func (v *Verifier) verifyProofs(ctx context.Context, data []byte, expect expectation, at time.Time) (*ProofReport, error) {
	if err := checkTime(at); err != nil {
		return nil, err
	}
	if expect.purpose == "" {
		return nil, errors.New("expected a purpose")
	}
	v = v.call()
	r := &ProofReport{}
	s, fault := v.parse(data, v.config.Limits.PresentationBytes)
	if fault == nil && s.profile == ProfileSVC {
		s.graph, fault = lowerCredential(s.root, s.limits, s.size)
	}
	if fault == nil && len(s.proofs) == 0 {
		fault = faultAt(CodeNoProof, s.root, "expected a proof, found none")
	}
	if fault == nil {
		fault = s.numbers()
	}
	if fault == nil && s.profile == ProfileW3C && !s.onlyJCS() {
		fault = s.build()
	}
	if fault != nil {
		r.add(*fault)
	} else {
		findings, proofs := v.checkProofs(ctx, s, expect, at)
		r.add(findings...)
		r.proofs = proofs
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, nil
}
