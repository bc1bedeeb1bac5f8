package vc

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// Credential is a credential that was verified: only [Verifier.Verify] and
// [Verifier.VerifyPresentation] make one. It is immutable and safe for concurrent
// use.
type Credential struct {
	source    *secured
	authority bool
	proofs    []Proof

	id, issuer            string
	validFrom, validUntil string

	graph    *rdf.Dataset // nil when the claims cannot be read
	lossText string       // why
	node     rdf.ID
	subject  rdf.ID
	status   []StatusEntry
	related  []RelatedResource
	// statusUnknown says that there may be status entries that cannot be read.
	statusUnknown bool
}

// StatusEntry is an entry of credentialStatus as the verified graph has it. What is
// not there once, or not of the right kind, is "".
type StatusEntry struct {
	ID         string // "" for a blank node
	Types      []string
	Purpose    string // "revocation" or "suspension" where it is understood
	Index      string // statusListIndex as written
	Credential string // URL of the status list credential
	Size       string // statusSize as written, "" for none
	single     bool   // every property is there at most once, and a plain string or IRI
}

// RelatedResource is an entry of relatedResource as the verified graph has it.
type RelatedResource struct {
	ID              string
	DigestSRI       []string
	DigestMultibase []string
	MediaType       string // "" unless there is exactly one
	sound           bool   // the digests are literals of the right datatypes
}

// ID returns the credential's id, "" when it has none.
func (c *Credential) ID() string { return c.id }

// Issuer returns the issuer, whose key signed the credential.
func (c *Credential) Issuer() string { return c.issuer }

// ValidFrom returns the begin of validity as written, "" for none.
func (c *Credential) ValidFrom() string { return c.validFrom }

// ValidUntil returns the end of validity as written, "" for none.
func (c *Credential) ValidUntil() string { return c.validUntil }

// Profile returns the profile that the credential was verified under.
func (c *Credential) Profile() Profile { return c.source.profile }

// Proofs returns the verified proofs. The caller must not change it.
func (c *Credential) Proofs() []Proof { return c.proofs }

// Authority reports whether the verification was one with [Config.Authority], or
// under the SVC profile, which always meets its demands.
func (c *Credential) Authority() bool { return c.authority || c.source.profile == ProfileSVC }

// Graph returns the graph that was signed, without proofs, and the node of the
// credential in it. It is false when the credential has JCS proofs alone and is
// not readable as RDF without loss: then nothing is known of its claims.
func (c *Credential) Graph() (g rdf.Graph, node rdf.ID, ok bool) {
	if c.graph == nil {
		return rdf.Graph{}, 0, false
	}
	return c.graph.Default(), c.node, true
}

// Subject returns the one subject, an IRI or a blank node of the graph; the zero
// term when there are several, or no graph.
func (c *Credential) Subject() rdf.Term {
	if c.graph == nil {
		return rdf.Term{}
	}
	return c.graph.Term(c.subject)
}

// Types returns the IRIs of the credential's types, sorted; nil without a graph.
func (c *Credential) Types() []string {
	if c.graph == nil {
		return nil
	}
	return iris(c.graph, c.node, vocab.RDFType)
}

// HasType reports whether the credential has a type.
func (c *Credential) HasType(iri string) bool { return slices.Contains(c.Types(), iri) }

// Claims returns the objects of a predicate on the one subject, in the order of the
// graph; none without a graph or with several subjects. The vocabulary's terms are
// those of package rdf/vocab, such as vocab.SVCAuthorizes.
func (c *Credential) Claims(predicate string) []rdf.Term {
	if c.graph == nil || c.subject == 0 {
		return nil
	}
	return objects(c.graph, c.subject, predicate)
}

// Status returns the status entries in the order of the graph. The caller must not
// change it.
func (c *Credential) Status() []StatusEntry { return c.status }

// HasStatus reports whether there is a status to check: an entry, or the chance
// that there is one among claims that cannot be read.
func (c *Credential) HasStatus() bool { return len(c.status) > 0 || c.statusUnknown }

// RelatedResources returns the related resources in the order of the graph. The
// caller must not change it.
func (c *Credential) RelatedResources() []RelatedResource { return c.related }

// objects returns the objects of a subject and a predicate in the default graph.
func objects(d *rdf.Dataset, s rdf.ID, predicate string) []rdf.Term {
	p := d.LookupIRI(predicate)
	if p == 0 {
		return nil
	}
	var out []rdf.Term
	for q := range d.Default().Objects(s, p).Quads() {
		out = append(out, d.Term(q.O))
	}
	return out
}

// iris returns those of them that are IRIs, sorted.
func iris(d *rdf.Dataset, s rdf.ID, predicate string) []string {
	var out []string
	for _, t := range objects(d, s, predicate) {
		if t.Kind() == rdf.KindIRI {
			out = append(out, t.Value())
		}
	}
	slices.Sort(out)
	return out
}

// nodes returns the subjects that have a type, in order.
func nodes(d *rdf.Dataset, class string) []rdf.ID {
	t, o := d.LookupIRI(vocab.RDFType), d.LookupIRI(class)
	if t == 0 || o == 0 {
		return nil
	}
	var out []rdf.ID
	for q := range d.Default().Subjects(t, o).Quads() {
		out = append(out, q.S)
	}
	return out
}

// envelope is what is read of a document's JSON before its graph, for the order of
// the checks (section 2.4). Where there is a graph it must say the same.
type envelope struct {
	id, issuer  string
	from, until *bound
}

// bound is an end of validity.
type bound struct {
	text  string
	value xsd.Value
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
		f := found(CodeMalformed, root, "expected an object, found %s", root.Kind())
		return nil, &f
	}
	s := &secured{profile: v.profileOf(root), limits: v.config.Limits, size: size, contexts: v.config.Contexts, root: root}
	var fault *Finding
	if s.proofs, fault = v.readProofs(root, s.profile); fault != nil {
		return nil, fault
	}
	return s, nil
}

// credentialShape is section 1.10 for a credential.
func (v *Verifier) credentialShape(s *secured) (envelope, *Finding) {
	var e envelope
	refuse := func(at strictjson.Value, format string, args ...any) (envelope, *Finding) {
		if !at.Exists() {
			at = s.root
		}
		f := found(CodeMalformed, at, format, args...)
		return e, &f
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
// (section 2.4), in this order. Its status is not checked, see
// [Verifier.CheckStatus]. An error means that the call was wrong or ctx is done.
func (v *Verifier) Verify(ctx context.Context, data []byte, at time.Time) (*Report, error) {
	if err := checkTime(at); err != nil {
		return nil, err
	}
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
	r.add(v.checkEnvelope(s, e, at)...)
	c, fault := v.read(s, e) // step 6
	if fault != nil {
		r.add(*fault)
		return
	}
	findings, proofs := v.checkProofs(ctx, s, expectation{AssertionMethod, e.issuer}, at)
	r.add(findings...)
	c.proofs, c.authority = proofs, v.config.Authority
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
	if len(v.config.Issuers) > 0 && !slices.Contains(v.config.Issuers, e.issuer) {
		out = append(out, found(CodeUntrustedIssuer, s.root.Get("issuer"), "<%s> is not a trusted issuer", rdf.Abbreviate(e.issuer)))
	}
	return out
}

// read makes the graph of a credential and reads what this package needs of it.
func (v *Verifier) read(s *secured, e envelope) (*Credential, *Finding) {
	c := &Credential{source: s, id: e.id, issuer: e.issuer}
	if e.from != nil {
		c.validFrom = e.from.text
	}
	if e.until != nil {
		c.validUntil = e.until.text
	}
	if s.profile == ProfileW3C {
		if v.config.Authority {
			if fault := v.checkContexts(s.root, ""); fault != nil {
				return nil, fault
			}
			for _, p := range s.proofs {
				if len(p.previous) > 0 {
					f := found(CodeInvalidSignature, p.at, "expected a proof that builds on no other")
					return nil, &f
				}
			}
		}
		if fault := s.numbers(); fault != nil {
			return nil, fault
		}
		var fault *Finding
		if c.graph, fault = s.claims(); fault != nil {
			if v.config.Authority || !s.onlyJCS() {
				return nil, fault
			}
			c.lossText = fault.Text
			c.statusUnknown = s.mayHaveStatus()
			return c, nil
		}
	} else {
		c.graph = s.graph
	}
	fault := c.load(v.config.Authority || s.profile == ProfileSVC)
	if fault != nil && !v.config.Authority && s.profile == ProfileW3C && s.onlyJCS() {
		// What is signed is JSON; whoever reads claims is told that there are none.
		*c = Credential{source: s, id: e.id, issuer: e.issuer, validFrom: c.validFrom, validUntil: c.validUntil, lossText: fault.Text, statusUnknown: true}
		return c, nil
	}
	return c, fault
}

// onlyJCS reports whether all proofs sign JSON, so that no graph is needed.
func (s *secured) onlyJCS() bool {
	return len(s.proofs) > 0 && !slices.ContainsFunc(s.proofs, func(p *proof) bool { return !Cryptosuite(p.suite).jcs() })
}

// numbers refuses numbers that a JCS proof does not cover exactly.
func (s *secured) numbers() *Finding {
	for _, p := range s.proofs {
		if Cryptosuite(p.suite).jcs() {
			if err := exactNumbers(s.root); err != nil {
				f := found(CodeMalformed, s.root, "%v", err)
				return &f
			}
		}
	}
	return nil
}

// claims returns the graph that the proofs cover. JCS proofs can cover less than
// the document's context.
func (s *secured) claims() (*rdf.Dataset, *Finding) {
	if !s.onlyJCS() {
		return s.plain()
	}
	var first strictjson.Value
	same := true
	for i, p := range s.proofs {
		own := p.at.Get("@context")
		if !own.Exists() {
			own = s.root.Get("@context")
		}
		if i == 0 {
			first = own
		}
		same = same && sameJSON(first, own)
	}
	if !same {
		f := found(CodeMalformed, s.root, "the proofs cover different contexts")
		return nil, &f
	}
	if sameJSON(first, s.root.Get("@context")) {
		return s.plain()
	}
	plain := *s.proofs[0]
	plain.previous = nil
	text, err := s.textFor(&plain)
	if err == nil {
		var d *rdf.Dataset
		if d, err = jsonld.Parse(text, s.options()); err == nil {
			return d, nil
		}
	}
	f := found(CodeMalformed, s.root, "%s", lossText(err))
	return nil, &f
}

// plain returns the graph of the document as it is, without its proofs.
func (s *secured) plain() (*rdf.Dataset, *Finding) {
	fault := s.build()
	return s.graph, fault
}

// mayHaveStatus reports whether a document whose claims cannot be read may have
// status entries: read with loss it shows them, and where that fails nothing is
// known.
func (s *secured) mayHaveStatus() bool {
	o := s.options()
	o.Lossy = true
	d, err := jsonld.Parse(without(s.root, "proof"), o)
	return err != nil || d.LookupIRI(vocab.CredCredentialStatus) != 0
}

// load reads the parts of a credential from its graph (AZ-2.2), which must agree
// with the JSON that was looked at before.
func (c *Credential) load(strict bool) *Finding {
	d := c.graph
	refuse := func(format string, args ...any) *Finding {
		f := found(CodeMalformed, strictjson.Value{}, format, args...)
		return &f
	}
	all := nodes(d, vocab.CredVerifiableCredentialClass)
	if len(all) != 1 {
		return refuse("expected one node of type VerifiableCredential, found %d", len(all))
	}
	c.node = all[0]
	if id := d.Term(c.node); id.Kind() == rdf.KindIRI && id.Value() != c.id || id.Kind() != rdf.KindIRI && c.id != "" {
		return refuse("expected <%s> to be the node of type VerifiableCredential", rdf.Abbreviate(c.id))
	}
	if issuers := objects(d, c.node, vocab.CredIssuer); len(issuers) != 1 || issuers[0].Kind() != rdf.KindIRI || issuers[0].Value() != c.issuer {
		return refuse("expected one issuer, the same in JSON and in the graph")
	}
	for _, m := range []struct{ predicate, text string }{{vocab.CredValidFrom, c.validFrom}, {vocab.CredValidUntil, c.validUntil}} {
		values := objects(d, c.node, m.predicate)
		if len(values) == 0 && m.text == "" {
			continue
		}
		if len(values) != 1 || values[0].Value() != m.text || values[0].Datatype() != vocab.XSDDateTime && values[0].Datatype() != vocab.XSDDateTimeStamp {
			return refuse("expected at most one time for <%s>, the same in JSON and in the graph", m.predicate)
		}
	}
	subjects := objects(d, c.node, vocab.CredCredentialSubject)
	for _, s := range subjects {
		if s.Kind() == rdf.KindLiteral {
			return refuse("expected a node for credentialSubject, found a literal")
		}
	}
	if len(subjects) == 0 || len(subjects) > 1 && strict {
		return refuse("expected one credentialSubject, found %d", len(subjects))
	}
	if len(subjects) == 1 {
		c.subject = d.Lookup(subjects[0])
	}
	if strict {
		for _, predicate := range []string{vocab.CredIssuer, vocab.CredCredentialSubject} {
			p := d.LookupIRI(predicate)
			for q := range d.Default().Predicate(p).Quads() {
				if q.S != c.node {
					return refuse("<%s> stands on another node than the credential", predicate)
				}
			}
		}
	}
	for _, n := range objects(d, c.node, vocab.CredCredentialStatus) {
		c.status = append(c.status, readStatusEntry(d, d.Lookup(n)))
	}
	for _, n := range objects(d, c.node, vocab.CredRelatedResource) {
		c.related = append(c.related, readRelated(d, d.Lookup(n)))
	}
	return nil
}

// readStatusEntry reads an entry of credentialStatus.
func readStatusEntry(d *rdf.Dataset, n rdf.ID) StatusEntry {
	e := StatusEntry{Types: iris(d, n, vocab.RDFType), single: d.Kind(n) != rdf.KindLiteral}
	if d.Kind(n) == rdf.KindIRI {
		e.ID = d.Value(n)
	}
	one := func(predicate string, fits func(rdf.Term) bool) string {
		values := objects(d, n, predicate)
		if len(values) == 0 {
			return ""
		}
		if len(values) > 1 || !fits(values[0]) {
			e.single = false
			return ""
		}
		return values[0].Value()
	}
	e.Purpose = one(vocab.StatusStatusPurpose, plain)
	e.Index = one(vocab.StatusStatusListIndex, plain)
	e.Credential = one(vocab.StatusStatusListCredential, func(t rdf.Term) bool { return t.Kind() == rdf.KindIRI })
	e.Size = one(vocab.StatusStatusSize, func(t rdf.Term) bool { return t.Kind() == rdf.KindLiteral })
	return e
}

// readRelated reads an entry of relatedResource.
func readRelated(d *rdf.Dataset, n rdf.ID) RelatedResource {
	r := RelatedResource{sound: d.Kind(n) == rdf.KindIRI}
	if r.sound {
		r.ID = d.Value(n)
	}
	literals := func(predicate, datatype string) []string {
		var out []string
		for _, t := range objects(d, n, predicate) {
			r.sound = r.sound && (plain(t) || t.Kind() == rdf.KindLiteral && t.Datatype() == datatype)
			out = append(out, t.Value())
		}
		return out
	}
	r.DigestSRI = literals(vocab.CredDigestSRI, vocab.CredSRIString)
	r.DigestMultibase = literals(vocab.SecDigestMultibase, vocab.SecMultibase)
	if types := objects(d, n, schemaEncodingFormat); len(types) == 1 && plain(types[0]) {
		r.MediaType = types[0].Value()
	}
	return r
}

// plain reports whether a term is a plain literal.
func plain(t rdf.Term) bool {
	return t.Kind() == rdf.KindLiteral && t.Datatype() == vocab.XSDString
}

// Digest returns the SHA-256 of the canonical N-Quads of the credential with its
// proof, as a presentation of the SVC profile signs it (section 5.2). It fails
// when the credential has no graph.
func (c *Credential) Digest(ctx context.Context) (canon.Digest, error) {
	d, err := c.signedGraph()
	if err != nil {
		return canon.Digest{}, err
	}
	return canon.Hash(ctx, d, c.source.limits.canonical(canon.SHA256))
}

// signedGraph returns the graph of the credential with its proofs.
func (c *Credential) signedGraph() (*rdf.Dataset, error) {
	s := c.source
	switch {
	case c.graph == nil:
		return nil, errors.New("the claims cannot be read: " + c.lossText)
	case s.profile == ProfileW3C:
		return jsonld.Parse([]byte(s.root.Source()), s.options())
	}
	w := &lowering{b: rdf.NewBuilder(s.limits.rdf(s.size))}
	w.b.BeginDocument("")
	w.credential(s.root)
	n := w.iri(s.root, c.id)
	for _, p := range s.proofs {
		node := w.proofOptions(p, true)
		w.add(p.at, n, vocab.SecProof, node)
		w.add(p.at, node, vocab.SecProofValue, w.literal(p.at, p.value, ""))
	}
	if w.fault != nil {
		return nil, errors.New(w.fault.Text)
	}
	return w.b.Dataset(), nil
}

// VerifyProofs checks the proofs of any secured document in JSON for a purpose: a
// proof counts when a controller document of a [Keyring] has its key, or that of
// the identifier which its verification method begins with. Who may sign what is
// not looked at, and claims are not read.
func (v *Verifier) VerifyProofs(ctx context.Context, data []byte, purpose Purpose, at time.Time) (*ProofReport, error) {
	if err := checkTime(at); err != nil {
		return nil, err
	}
	if purpose == "" {
		return nil, errors.New("expected a purpose")
	}
	r := &ProofReport{}
	s, fault := v.parse(data, v.config.Limits.PresentationBytes)
	if fault == nil && s.profile == ProfileSVC {
		s.graph, fault = lowerCredential(s.root, s.limits, s.size)
	}
	if fault == nil && len(s.proofs) == 0 {
		f := found(CodeNoProof, s.root, "expected a proof, found none")
		fault = &f
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
		findings, proofs := v.checkProofs(ctx, s, expectation{purpose: purpose}, at)
		r.add(findings...)
		r.proofs = proofs
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, nil
}
