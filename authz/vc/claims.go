package vc

import (
	"errors"
	"slices"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// issuanceDate is when credentials of earlier data models begin, which its name does not say.
const issuanceDate = "issuanceDate"

// jwtClaims is the namespace that the credentials context has for claims of JSON Web Tokens.
const jwtClaims = "https://www.iana.org/assignments/jwt#"

// tokenLimits are the claims of web tokens that say for whom one is (RFC 7519, section 4.1.3)
// and whose key must come with it (RFC 7800, section 3), as the credentials context has them.
// They are not looked at, and without them a grant would be for everybody.
var tokenLimits = [...]string{jwtClaims + "aud", jwtClaims + "cnf"}

// otherLimit returns a property of a node that may begin or end it and is none of those that
// are read, "" for none: what does so in earlier data models, web tokens and other
// vocabularies, and a status of what is over. Whoever ignored it would see no end.
func otherLimit(d *rdf.Dataset, node rdf.ID, read ...string) string {
	for property := range predicates(d, node) {
		bounds := lifetime.Bounds(property) || property == vocab.Cred+issuanceDate
		if !slices.Contains(read, property) && (bounds && !lasts(d, node, property) || overByStatus(d, node, property)) {
			return property
		}
	}
	return ""
}

// overByStatus reports whether a property is a status that says of a node that it is over.
func overByStatus(d *rdf.Dataset, node rdf.ID, property string) bool {
	if !lifetime.Status(property) {
		return false
	}
	for q := range d.Default().Objects(node, d.LookupIRI(property)).Quads() {
		if lifetime.OverIn(d.Default(), q.O) {
			return true
		}
	}
	return false
}

// lasts reports whether all values of a property that may end a node are truth values that
// say it goes on.
func lasts(d *rdf.Dataset, node rdf.ID, property string) bool {
	for _, value := range objects(d, node, property) {
		text := value.Value()
		isBool := value.Datatype() == vocab.XSDBoolean && (text == "false" || text == "0" || text == "true" || text == "1")
		if !isBool || !lifetime.Lasts(property, text == "true" || text == "1") {
			return false
		}
	}
	return true
}

// read makes the graph of a credential and reads what this package needs of it.
func (v *Verifier) read(s *secured, e envelope) (*Credential, *Finding) {
	c := e.credential(s)
	if s.profile == ProfileW3C {
		if v.config.Authority {
			if fault := v.checkContexts(s.root, ""); fault != nil {
				return nil, fault
			}
			if fault := s.unchained(); fault != nil {
				return nil, fault
			}
		}
		if fault := s.numbers(); fault != nil {
			return nil, fault
		}
		if fault := s.timesByName(); fault != nil {
			return nil, fault
		}
		var fault *Finding
		if c.graph, fault = s.claims(); fault != nil {
			if v.config.Authority || !s.onlyJCS() {
				return nil, fault
			}
			c.lossText, c.statusUnknown = fault.Text, true
			d := s.lossy()
			if d == nil {
				return c, nil
			}
			c.statusUnknown = d.LookupIRI(vocab.CredCredentialStatus) != 0
			return c, c.timesIn(d)
		}
	} else {
		c.graph = s.graph
	}
	fault := c.load(v.config.Authority || s.profile == ProfileSVC)
	if fault != nil && !v.config.Authority && s.profile == ProfileW3C && s.onlyJCS() {
		// What is signed is JSON, and readers of claims are told that there are none. What
		// it says of when it is valid counts all the same.
		late := c.timesIn(c.graph)
		c = e.credential(s)
		c.lossText, c.statusUnknown = fault.Text, true
		return c, late
	}
	return c, fault
}

// timesByName refuses members of a credential that JCS proofs alone cover which may begin
// or end it and are not looked at, unless it is a truth value that says it goes on. Its
// claims need not be readable as RDF, where they are found.
func (s *secured) timesByName() *Finding {
	if !s.onlyJCS() {
		return nil
	}
	for name, member := range s.root.Members() {
		if name == "validFrom" || name == "validUntil" || name != issuanceDate && name != vocab.Cred+issuanceDate && !lifetime.Bounds(name) {
			continue
		}
		if value, isBool := member.Bool(); !isBool || !lifetime.Lasts(name, value) {
			return faultAt(CodeMalformed, member, "expected validFrom and validUntil, found %s, which may begin or end the credential and is not looked at", rdf.Abbreviate(name))
		}
	}
	return nil
}

// times holds the validity that was read from the JSON to the graph.
func (c *Credential) times() *Finding {
	d := c.graph
	for _, m := range []struct{ predicate, text string }{{vocab.CredValidFrom, c.validFrom}, {vocab.CredValidUntil, c.validUntil}} {
		values := objects(d, c.node, m.predicate)
		if len(values) == 0 && m.text == "" {
			continue
		}
		if len(values) != 1 || values[0].Value() != m.text || values[0].Datatype() != vocab.XSDDateTime && values[0].Datatype() != vocab.XSDDateTimeStamp {
			return faultAt(CodeMalformed, strictjson.Value{}, "expected at most one time for <%s>, the same in JSON and in the graph", m.predicate)
		}
	}
	if property := otherLimit(d, c.node, vocab.CredValidFrom, vocab.CredValidUntil, vocab.CredCredentialStatus); property != "" {
		return faultAt(CodeMalformed, strictjson.Value{}, "expected validFrom and validUntil, found <%s>, which may begin or end the credential and is not looked at", rdf.Abbreviate(property))
	}
	return nil
}

// timesIn is times of the credential in a graph of which no claims are taken. There may be
// other credentials in it, such as in its evidence.
func (c *Credential) timesIn(d *rdf.Dataset) *Finding {
	all := nodes(d, vocab.CredVerifiableCredentialClass)
	for _, node := range all {
		if len(all) == 1 || c.id != "" && d.Value(node) == c.id {
			return (&Credential{graph: d, node: node, validFrom: c.validFrom, validUntil: c.validUntil}).times()
		}
	}
	return nil
}

// unchained refuses proofs that build on others.
func (s *secured) unchained() *Finding {
	for _, p := range s.proofs {
		if len(p.previous) > 0 {
			return faultAt(CodeInvalidSignature, p.at, "expected a proof that builds on no other")
		}
	}
	return nil
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
				return faultAt(CodeMalformed, s.root, "%v", err)
			}
		}
	}
	return nil
}

// claims returns the graph that the proofs cover.
func (s *secured) claims() (*rdf.Dataset, *Finding) {
	fault := s.build()
	return s.graph, fault
}

// covered returns the document as its proofs cover it, without those proofs that they
// build on. JCS proofs can cover less than the document's context: the rest is of
// whoever had the document.
func (s *secured) covered() ([]byte, error) {
	if !s.onlyJCS() {
		return without(s.root, "proof"), nil
	}
	context := func(p *proof) strictjson.Value {
		if own := p.at.Get("@context"); own.Exists() {
			return own
		}
		return s.root.Get("@context")
	}
	for _, p := range s.proofs[1:] {
		if !sameJSON(context(p), context(s.proofs[0])) {
			return nil, errors.New("the proofs cover different contexts")
		}
	}
	alone := *s.proofs[0]
	alone.previous = nil
	return s.textFor(&alone)
}

// lossy reads a document whose claims cannot be read with loss, which shows what it may have
// whatever that is called. It returns nil where even that fails.
func (s *secured) lossy() *rdf.Dataset {
	text, err := s.covered()
	if err != nil {
		return nil
	}
	o := s.options()
	o.Lossy = true
	d, err := jsonld.Parse(text, o)
	if err != nil {
		return nil
	}
	return d
}

// load reads the parts of a credential from its graph (AZ-2.2), which must agree
// with the JSON that was looked at before.
func (c *Credential) load(strict bool) *Finding {
	d := c.graph
	refuse := func(format string, args ...any) *Finding {
		return faultAt(CodeMalformed, strictjson.Value{}, format, args...)
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
	if fault := c.times(); fault != nil {
		return fault
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
		for _, predicate := range []string{
			vocab.CredIssuer, vocab.CredCredentialSubject, vocab.CredCredentialStatus, vocab.CredValidFrom, vocab.CredValidUntil,
		} {
			p := d.LookupIRI(predicate)
			if p == 0 {
				continue
			}
			for q := range d.Default().Predicate(p).Quads() {
				if q.S != c.node {
					return refuse("<%s> is on another node than the credential", predicate)
				}
			}
		}
		for _, claim := range tokenLimits {
			if d.LookupIRI(claim) != 0 {
				return refuse("expected no <%s>, which may keep the grant to some and is not looked at", claim)
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
		if len(values) > 1 || !fits(values[0]) || values[0].Value() == "" {
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
