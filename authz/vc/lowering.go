package vc

import (
	"errors"
	"slices"
	"strconv"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Terms of namespaces that this package takes one from.
const (
	dctermsCreated       = vocab.DC + "created"
	secPreviousProof     = vocab.Sec + "previousProof"
	schemaEncodingFormat = vocab.Schema + "encodingFormat"
)

// lowering turns JSON without a context into RDF (section 2.2). It refuses members that
// would not be signed, since a reader of the JSON could take them for signed.
type lowering struct {
	b     *rdf.Builder
	fault *Finding // the first
}

// lowerCredential lowers a credential without its proof, and returns its node.
func lowerCredential(root strictjson.Value, l Limits, size int64) (*rdf.Dataset, *Finding) {
	w := &lowering{b: rdf.NewBuilder(l.rdf(size))}
	w.b.BeginDocument("")
	w.credential(root)
	if w.fault != nil {
		return nil, w.fault
	}
	return w.b.Dataset(), nil
}

func (w *lowering) refuse(at strictjson.Value, format string, args ...any) {
	if w.fault == nil {
		w.fault = faultAt(CodeMalformed, at, format, args...)
	}
}

// id returns the builder's id, and notes why the builder refused.
func (w *lowering) id(at strictjson.Value, id rdf.ID, err error) rdf.ID {
	if err != nil {
		text := err.Error()
		if e, ok := errors.AsType[*rdf.TermError](err); ok {
			text = e.Reason
		}
		w.refuse(at, "%s", text)
	}
	return id
}

func (w *lowering) iri(at strictjson.Value, s string) rdf.ID {
	id, err := w.b.IRI([]byte(s))
	return w.id(at, id, err)
}

func (w *lowering) blank(at strictjson.Value) rdf.ID {
	id, err := w.b.FreshBlank()
	return w.id(at, id, err)
}

func (w *lowering) literal(at strictjson.Value, s, datatype string) rdf.ID {
	var d rdf.ID
	if datatype != "" {
		d = w.iri(at, datatype)
	}
	id, err := w.b.Literal([]byte(s), d)
	return w.id(at, id, err)
}

func (w *lowering) add(at strictjson.Value, s rdf.ID, p string, o rdf.ID) {
	w.link(at, s, w.iri(at, p), o)
}

func (w *lowering) link(at strictjson.Value, s, p, o rdf.ID) {
	if w.fault == nil {
		w.id(at, 0, w.b.Add(s, p, o, 0))
	}
}

// text returns the text of a string.
func (w *lowering) text(v strictjson.Value, what string) string {
	s, ok := v.Str()
	if !ok {
		w.refuse(v, "expected a string for %s, found %s", what, v.Kind())
	}
	return s
}

// members refuses members that are not in a list: they are not signed.
func (w *lowering) members(v strictjson.Value, what string, known ...string) {
	for i := range v.Len() {
		if m := v.Member(i); !slices.Contains(known, m.Str()) {
			w.refuse(m.Name, "the member %s of %s is not covered by the signature", rdf.Abbreviate(m.Str()), what)
		}
	}
}

// isAbsolute is abs of section 2.2.
func isAbsolute(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '.' || c == '-'):
		default:
			return i > 0 && c == ':'
		}
	}
	return false
}

// svcTerm is T of section 2.2.
func svcTerm(s string) string {
	if isAbsolute(s) {
		return s
	}
	return vocab.SVC + s
}

func (w *lowering) credential(root strictjson.Value) {
	w.members(root, "a credential", "id", "type", "issuer", "validFrom", "validUntil", "credentialSubject", "credentialStatus", "relatedResource", "proof")
	c := w.iri(root.Get("id"), w.text(root.Get("id"), "id")) // step 1
	w.add(root, c, vocab.RDFType, w.iri(root, vocab.CredVerifiableCredentialClass))
	for _, t := range root.Get("type").Items() { // step 2
		name := w.text(t, "a type")
		if name == "" {
			w.refuse(t, "expected a type, found an empty string")
		}
		if name != "VerifiableCredential" {
			w.add(t, c, vocab.RDFType, w.iri(t, svcTerm(name)))
		}
	}
	issuer := root.Get("issuer")
	w.add(issuer, c, vocab.CredIssuer, w.iri(issuer, w.text(issuer, "issuer"))) // step 3
	for _, m := range []struct{ name, predicate string }{{"validFrom", vocab.CredValidFrom}, {"validUntil", vocab.CredValidUntil}} {
		if v := root.Get(m.name); v.Exists() { // step 4
			w.add(v, c, m.predicate, w.literal(v, w.text(v, m.name), vocab.XSDDateTime))
		}
	}
	w.subject(root, c)
	for _, v := range items(root.Get("credentialStatus")) {
		w.status(v, c)
	}
	seen := map[string]bool{}
	for _, v := range items(root.Get("relatedResource")) {
		w.related(v, c, seen)
	}
}

// subject is step 5.
func (w *lowering) subject(root strictjson.Value, c rdf.ID) {
	v := root.Get("credentialSubject")
	if v.Kind() != strictjson.Object {
		w.refuse(root.Get("credentialSubject"), "expected one object for credentialSubject, found %s", v.Kind())
		return
	}
	var s rdf.ID
	if id := v.Get("id"); id.Exists() && w.text(id, "id") != "" {
		s = w.iri(id, w.text(id, "id"))
	} else {
		s = w.blank(v)
	}
	w.add(v, c, vocab.CredCredentialSubject, s)
	w.claims(v, s, "id")
}

// claims turns every member but one into a claim. Its name is read once for all of its
// values: it may be long, and they many.
func (w *lowering) claims(v strictjson.Value, n rdf.ID, except string) {
	for name, value := range v.Members() {
		switch {
		case w.fault != nil:
			return
		case name == "":
			w.refuse(value, "expected a name for a claim, found an empty string")
		case name != except:
			w.claim(n, w.iri(value, svcTerm(name)), value)
		}
	}
}

// claim is step 8.
func (w *lowering) claim(n, p rdf.ID, v strictjson.Value) {
	if w.fault != nil {
		return
	}
	switch v.Kind() {
	case strictjson.Array:
		if v.Len() == 0 { // nothing of it would be signed
			w.refuse(v, "expected a value for a claim, found an empty array")
		}
		for _, item := range v.Items() {
			w.claim(n, p, item)
		}
	case strictjson.String:
		s, _ := v.Str()
		if isAbsolute(s) {
			w.link(v, n, p, w.iri(v, s))
		} else {
			w.link(v, n, p, w.literal(v, s, ""))
		}
	case strictjson.Bool:
		b, _ := v.Bool()
		w.link(v, n, p, w.literal(v, strconv.FormatBool(b), vocab.XSDBoolean))
	case strictjson.Number:
		const most = 1 << 53
		i, ok := v.Int64()
		if !ok || i > most || i < -most {
			w.refuse(v, "expected an integer of at most 53 bits, found %s", rdf.Abbreviate(v.Source()))
			return
		}
		w.link(v, n, p, w.literal(v, strconv.FormatInt(i, 10), vocab.XSDInteger))
	case strictjson.Object:
		o := w.blank(v)
		w.link(v, n, p, o)
		w.claims(v, o, "")
	default:
		w.refuse(v, "expected a value for a claim, found %s", v.Kind())
	}
}

// status is step 6.
func (w *lowering) status(v strictjson.Value, c rdf.ID) {
	if v.Kind() != strictjson.Object {
		w.refuse(v, "expected a status entry, which is an object, found %s", v.Kind())
		return
	}
	w.members(v, "a status entry", "id", "type", "statusPurpose", "statusListIndex", "statusListCredential")
	const entry = "BitstringStatusListEntry"
	if typ := w.text(v.Get("type"), "type"); typ != entry && w.fault == nil {
		w.refuse(v.Get("type"), "expected a status entry of type %s, found %s", entry, rdf.Abbreviate(typ))
	}
	var n rdf.ID
	if id := v.Get("id"); id.Exists() {
		n = w.iri(id, w.text(id, "id"))
	} else {
		n = w.blank(v)
	}
	w.add(v, c, vocab.CredCredentialStatus, n)
	w.add(v, n, vocab.RDFType, w.iri(v, vocab.StatusBitstringStatusListEntry))
	for _, m := range []struct{ name, predicate string }{{"statusPurpose", vocab.StatusStatusPurpose}, {"statusListIndex", vocab.StatusStatusListIndex}} {
		if s := v.Get(m.name); s.Exists() {
			w.add(s, n, m.predicate, w.literal(s, w.text(s, m.name), ""))
		}
	}
	if list := v.Get("statusListCredential"); list.Exists() {
		w.add(list, n, vocab.StatusStatusListCredential, w.iri(list, w.text(list, "statusListCredential")))
	}
}

// related is step 7.
func (w *lowering) related(v strictjson.Value, c rdf.ID, seen map[string]bool) {
	if v.Kind() != strictjson.Object {
		w.refuse(v, "expected a related resource, which is an object, found %s", v.Kind())
		return
	}
	w.members(v, "a related resource", "id", "digestSRI", "digestMultibase", "mediaType")
	id := w.text(v.Get("id"), "id")
	if seen[id] {
		w.refuse(v.Get("id"), "expected every related resource once, found %s again", rdf.Abbreviate(id))
	}
	seen[id] = true
	r := w.iri(v.Get("id"), id)
	w.add(v, c, vocab.CredRelatedResource, r)
	for _, m := range []struct{ name, predicate string }{
		{"digestSRI", vocab.CredDigestSRI}, {"digestMultibase", vocab.SecDigestMultibase}, {"mediaType", schemaEncodingFormat},
	} {
		if s := v.Get(m.name); s.Exists() {
			w.add(s, r, m.predicate, w.literal(s, w.text(s, m.name), ""))
		}
	}
}

// proofOptions lowers the signed options of a proof (section 2.3, step 3) onto a
// blank node and returns it.
func (w *lowering) proofOptions(p *proof, credential bool) rdf.ID {
	n := w.blank(p.at)
	w.add(p.at, n, vocab.RDFType, w.iri(p.at, vocab.SecDataIntegrityProof))
	w.add(p.at, n, vocab.SecCryptosuite, w.literal(p.at, p.suite, ""))
	w.add(p.at, n, vocab.SecVerificationMethod, w.iri(p.at, p.method))
	purpose := p.purpose
	if !isAbsolute(purpose) {
		purpose = vocab.Sec + purpose
	}
	w.add(p.at, n, vocab.SecProofPurpose, w.iri(p.at, purpose))
	if p.created != nil {
		w.add(p.at, n, dctermsCreated, w.literal(p.at, *p.created, vocab.XSDDateTime))
	}
	if credential {
		return n
	}
	if p.challenge != nil {
		w.add(p.at, n, vocab.SecChallenge, w.literal(p.at, *p.challenge, ""))
	}
	for _, d := range p.domains {
		w.add(p.at, n, vocab.SecDomain, w.literal(p.at, d, ""))
	}
	return n
}

// lowerProofOptions lowers the options of a proof alone.
func lowerProofOptions(p *proof, l Limits) (*rdf.Dataset, *Finding) {
	w := &lowering{b: rdf.NewBuilder(l.rdf(l.CredentialBytes))}
	w.b.BeginDocument("")
	w.proofOptions(p, false)
	if w.fault != nil {
		return nil, w.fault
	}
	return w.b.Dataset(), nil
}
