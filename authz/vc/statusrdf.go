package vc

import (
	"context"
	"errors"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// verifyTurtle verifies a credential in Turtle, which the SVC profile has for status
// lists (section 4.1). All triples are signed except the links to proofs and the
// triples of proofs.
func (v *Verifier) verifyTurtle(ctx context.Context, url string, data []byte, terms int64, at time.Time, r *Report) {
	if v.config.Profile == ProfileW3C {
		r.add(found(CodeMalformed, strictjson.Value{}, "expected a credential in JSON-LD: Turtle is of the SVC profile"))
		return
	}
	s := &secured{profile: ProfileSVC, limits: v.config.Limits, size: v.config.Limits.StatusListBytes, terms: terms, work: v.work}
	d, err := rdfio.Parse(data, rdfio.Turtle, rdfio.Options{Base: beforeFragment(url), Limits: s.rdf()})
	if err == nil {
		err = s.split(d)
	}
	if err != nil {
		r.add(found(CodeMalformed, strictjson.Value{}, "%v", err))
		return
	}
	e, fault := graphEnvelope(s.graph)
	if fault == nil && len(s.proofs) > s.limits.Proofs {
		fault = faultAt(CodeMalformed, strictjson.Value{}, "expected at most %d proofs, found %d", s.limits.Proofs, len(s.proofs))
	}
	if fault != nil {
		r.add(*fault)
		return
	}
	if r.add(v.checkEnvelope(s, e, at)...); v.settled(r) {
		return
	}
	c := e.credential(s)
	c.graph = s.graph
	if fault := c.load(true); fault != nil {
		r.add(*fault)
		return
	}
	findings, proofs := v.checkProofs(ctx, s, expectation{AssertionMethod, e.issuer}, at)
	r.add(findings...)
	if c.proofs = proofs; len(r.findings) == 0 {
		r.credential = c
	}
}

// split makes the signed graph of a document and reads its proofs.
func (s *secured) split(d *rdf.Dataset) error {
	if len(d.GraphNames()) > 0 {
		return errors.New("expected no named graphs")
	}
	link := d.LookupIRI(vocab.SecProof)
	proofs := map[rdf.ID]bool{}
	if link != 0 {
		for q := range d.Default().Predicate(link).Quads() {
			if !proofs[q.O] {
				proofs[q.O] = true
				s.proofs = append(s.proofs, graphProof(d, q.O))
			}
		}
	}
	b := rdf.NewBuilder(s.rdf())
	b.BeginDocument("")
	terms := map[rdf.ID]rdf.ID{} // each is read once: it may be long, and in many triples
	read := func(id rdf.ID) (err error) {
		switch datatype := d.Datatype(id); {
		case terms[id] != 0:
		case d.Kind(id) == rdf.KindLiteral && d.Lang(id) == "": // so may be a datatype, and of many literals
			if terms[datatype] == 0 {
				if terms[datatype], err = b.Term(d.Term(datatype)); err != nil {
					return err
				}
			}
			terms[id], err = b.Literal([]byte(d.Value(id)), terms[datatype])
		default:
			terms[id], err = b.Term(d.Term(id))
		}
		return err
	}
	for q := range d.Quads() {
		if q.P == link && link != 0 || proofs[q.S] {
			continue
		}
		for _, id := range [...]rdf.ID{q.S, q.P, q.O} {
			if err := read(id); err != nil {
				return err
			}
		}
		if err := b.Add(terms[q.S], terms[q.P], terms[q.O], 0); err != nil {
			return err
		}
	}
	s.graph = b.Dataset()
	return nil
}

// graphProof reads a proof node. A property that is not signed, or occurs twice, makes
// it malformed.
func graphProof(d *rdf.Dataset, n rdf.ID) *proof {
	p := &proof{}
	bad := func(text string) {
		if p.fault == "" {
			p.fault = text
		}
	}
	if d.Kind(n) == rdf.KindLiteral {
		bad("expected a proof, found a literal")
		return p
	}
	isIRI := func(t rdf.Term) bool { return t.Kind() == rdf.KindIRI }
	isTime := func(t rdf.Term) bool {
		_, ok := timeStamp(t.Value())
		return ok && t.Kind() == rdf.KindLiteral && t.Datatype() == vocab.XSDDateTime
	}
	var created string
	seen := map[string]bool{}
	for q := range d.Default().Subject(n).Quads() {
		if p.fault != "" {
			break // the first counts, and there may be many
		}
		predicate, o := d.Value(q.P), d.Term(q.O)
		if seen[predicate] {
			bad("expected <" + predicate + "> once on a proof")
		}
		seen[predicate] = true
		ok := true
		switch predicate {
		case vocab.RDFType:
			ok = isIRI(o) && o.Value() == vocab.SecDataIntegrityProof
		case vocab.SecCryptosuite:
			p.suite, ok = o.Value(), plain(o)
		case vocab.SecVerificationMethod:
			p.method, ok = o.Value(), isIRI(o)
		case vocab.SecProofPurpose:
			p.purpose, ok = o.Value(), isIRI(o)
		case dctermsCreated:
			created, ok = o.Value(), isTime(o)
			p.created = &created
		case vocab.SecProofValue:
			p.value, ok = o.Value(), o.Kind() == rdf.KindLiteral && (plain(o) || o.Datatype() == vocab.SecMultibase)
		default:
			bad("<" + rdf.Abbreviate(predicate) + "> on a proof is not covered by the signature")
		}
		if !ok {
			bad("<" + predicate + "> on a proof has an unexpected value")
		}
	}
	for _, required := range []string{vocab.RDFType, vocab.SecCryptosuite, vocab.SecVerificationMethod, vocab.SecProofPurpose, vocab.SecProofValue} {
		if !seen[required] {
			bad("expected <" + required + "> on a proof")
		}
	}
	return p
}

// graphEnvelope reads issuer and validity of a credential from its graph alone.
func graphEnvelope(d *rdf.Dataset) (envelope, *Finding) {
	var e envelope
	refuse := func(format string, args ...any) (envelope, *Finding) {
		return e, faultAt(CodeMalformed, strictjson.Value{}, format, args...)
	}
	all := nodes(d, vocab.CredVerifiableCredentialClass)
	if len(all) != 1 || d.Kind(all[0]) != rdf.KindIRI {
		return refuse("expected one IRI of type VerifiableCredential, found %d nodes", len(all))
	}
	e.id = d.Value(all[0])
	issuers := objects(d, all[0], vocab.CredIssuer)
	if len(issuers) != 1 || issuers[0].Kind() != rdf.KindIRI {
		return refuse("expected one IRI for issuer, found %d values", len(issuers))
	}
	e.issuer = issuers[0].Value()
	for _, m := range []struct {
		predicate string
		to        **bound
	}{{vocab.CredValidFrom, &e.from}, {vocab.CredValidUntil, &e.until}} {
		values := objects(d, all[0], m.predicate)
		if len(values) == 0 {
			continue
		}
		value, ok := timeStamp(values[0].Value())
		if len(values) > 1 || !ok || values[0].Kind() != rdf.KindLiteral {
			return refuse("expected one xsd:dateTimeStamp for <%s>", m.predicate)
		}
		*m.to = &bound{values[0].Value(), value}
	}
	if e.from != nil && e.until != nil && xsd.Compare(e.from.value, e.until.value) == xsd.Greater {
		return refuse("expected a validUntil that is not before validFrom")
	}
	return e, nil
}
