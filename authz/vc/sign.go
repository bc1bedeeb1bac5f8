package vc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mr-tron/base58"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// SignOptions says what proof [Sign] makes.
type SignOptions struct {
	// Profile is ProfileW3C by default; ProfileAuto is decided by the document.
	Profile Profile
	// Suite is by default the RDFC suite of the key's type.
	Suite Cryptosuite
	// Method is the verification method; by default the key's ID.
	Method string
	// Purpose is AssertionMethod by default, for a presentation Authentication.
	Purpose Purpose
	// Created is when the proof is made, to the second; the zero time leaves it out.
	Created time.Time
	// Challenge and Domain bind a presentation to its receiver. A credential that grants
	// authority and has them counts for no other, see [Config.Authority].
	Challenge string
	Domain    []string
	// ID, Expires, Nonce and PreviousProof are further members of a proof of the W3C
	// profile; PreviousProof builds on proofs that the document has.
	ID            string
	Expires       time.Time
	Nonce         string
	PreviousProof []string
	// InsecureAnySigner signs for an issuer or holder that is a did:key identifier with
	// whatever key, as tests of verifiers do.
	InsecureAnySigner bool
	// Contexts are the JSON-LD contexts that the document may refer to.
	Contexts *jsonld.Contexts
	// Rand is where the nonces of ECDSA come from; nil derives them from the key and
	// the document (RFC 6979), as test vectors do.
	Rand   io.Reader
	Limits Limits
}

// Sign adds a proof to a credential or presentation in JSON and returns the new
// document, which keeps the order and spelling of the members. The new signature is
// verified before it is returned. It fails with a [*SignError] for a document that no
// verifier would accept: data would be lost, its shape is refused, or its issuer, or the
// holder of a presentation, is a did:key identifier and the key or its method is not that
// one's. Whether the key is that of an issuer or holder with another identifier is not
// checked: its controller document says so. Other errors are about the key and the
// options, or that of a ctx that is done.
func Sign(ctx context.Context, document []byte, key *PrivateKey, o SignOptions) ([]byte, error) {
	return sign(ctx, document, key, o, false)
}

// SignJSON adds a proof to any JSON object, as [Sign] does to credentials. The proof is
// by a JCS cryptosuite and in the W3C profile: it covers the JSON and says nothing about
// RDF. The default suite is the JCS suite of the key's type. [Verifier.VerifyProofsBy]
// verifies it.
func SignJSON(ctx context.Context, document []byte, key *PrivateKey, o SignOptions) ([]byte, error) {
	if o.Suite == "" && key != nil {
		if o.Suite = ECDSAJCS2019; key.public.typ == Ed25519 {
			o.Suite = EdDSAJCS2022
		}
	}
	switch {
	case !o.Suite.jcs():
		return nil, fmt.Errorf("expected a JCS cryptosuite for JSON, found %q", string(o.Suite))
	case o.Profile != ProfileW3C:
		return nil, errors.New("proofs of JSON exist only in the W3C profile")
	}
	return sign(ctx, document, key, o, true)
}

// sign is Sign; with anything it takes any JSON object.
func sign(ctx context.Context, document []byte, key *PrivateKey, o SignOptions, anything bool) ([]byte, error) {
	if key == nil || key.public.typ == 0 {
		return nil, errors.New("expected a key")
	}
	o.Limits = o.Limits.OrDefault()
	root, err := strictjson.Parse(document, o.Limits.json(o.Limits.PresentationBytes))
	if err != nil {
		return nil, &SignError{fromJSON(err)}
	}
	if root.Kind() != strictjson.Object {
		return nil, &SignError{found(CodeMalformed, root, "expected an object, found %s", root.Kind())}
	}
	presentation := !anything && isPresentation(root)
	if err := o.complete(root, key, presentation); err != nil {
		return nil, err
	}
	options, err := o.text(root)
	if err != nil {
		return nil, err
	}
	// The proof is read again as a verifier does, with a value that is not looked at.
	signed := withProof(root, options+`,"proofValue":"z1"}`)
	v := &Verifier{config: Config{Profile: o.Profile, Contexts: o.Contexts, Suites: Cryptosuites(), Limits: o.Limits}, work: new(work)}
	s, fault := v.parse(signed, o.Limits.PresentationBytes)
	var party string // the issuer or holder, "" with anything
	switch {
	case fault != nil:
	case anything:
		fault = s.numbers()
	default:
		party, fault = v.prepare(ctx, s, presentation)
	}
	if fault != nil {
		return nil, signError(ctx, *fault)
	}
	p := s.proofs[len(s.proofs)-1]
	if p.fault != "" {
		return nil, errors.New(p.fault)
	}
	if !anything && !o.InsecureAnySigner {
		role := "issuer"
		if presentation {
			role = "holder"
		}
		if fault := p.by(ctx, root.Get(role), role, party, key.public); fault != nil {
			return nil, &SignError{*fault}
		}
	}
	data, err := s.hashData(ctx, p, algorithm(key.public.typ))
	if err != nil {
		return nil, signError(ctx, found(CodeMalformed, strictjson.Value{}, "%v", err))
	}
	signature, err := key.sign(data, o.Rand)
	if err != nil {
		return nil, err
	}
	if !key.public.verify(data, signature) {
		return nil, errors.New("signing: the new signature does not verify")
	}
	return withProof(root, options+`,"proofValue":"z`+base58.Encode(signature)+`"}`), nil
}

// SignError says why a document cannot be signed.
type SignError struct{ Finding Finding }

// Error returns the text and the code.
func (e *SignError) Error() string { return e.Finding.String() }

// signError is what is wrong with a document, or that ctx is done: then nothing is known
// to be wrong with it.
func signError(ctx context.Context, f Finding) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &SignError{f}
}

// isPresentation reports whether a document is a presentation rather than a
// credential.
func isPresentation(root strictjson.Value) bool {
	for _, t := range items(root.Get("type")) {
		if name, _ := t.Str(); name == "VerifiablePresentation" {
			return true
		}
	}
	return !root.Get("issuer").Exists() && root.Get("holder").Exists()
}

// IsPresentation reports whether a JSON text is of a presentation rather than a
// credential, by its type or its holder. It trusts nothing and verifies nothing.
func IsPresentation(document []byte, limits Limits) bool {
	limits = limits.OrDefault()
	root, err := strictjson.Parse(document, limits.json(limits.PresentationBytes))
	return err == nil && isPresentation(root)
}

// complete fills in the defaults, and refuses options that no verifier would accept.
func (o *SignOptions) complete(root strictjson.Value, key *PrivateKey, presentation bool) error {
	if o.Profile > ProfileAuto {
		return fmt.Errorf("unknown profile %d", o.Profile)
	}
	if o.Profile == ProfileAuto {
		if o.Profile = ProfileSVC; root.Get("@context").Exists() {
			o.Profile = ProfileW3C
		}
	}
	if o.Suite == "" {
		if o.Suite = ECDSARDFC2019; key.public.typ == Ed25519 {
			o.Suite = EdDSARDFC2022
		}
	}
	if o.Method == "" {
		o.Method = key.id
	}
	if o.Purpose == "" {
		if o.Purpose = AssertionMethod; presentation {
			o.Purpose = Authentication
		}
	}
	switch {
	case !slices.Contains(Cryptosuites(), o.Suite):
		return fmt.Errorf("unknown cryptosuite %q", string(o.Suite))
	case !o.Suite.fits(key.public.typ):
		return fmt.Errorf("the key is of type %s, which is not of %s", key.public.typ, o.Suite)
	case o.Profile == ProfileSVC && o.Suite.jcs():
		return fmt.Errorf("the cryptosuite %s exists only in the W3C profile", o.Suite)
	case rdf.CheckIRI(o.Method) != nil:
		return errors.New("expected an absolute IRI for the verification method")
	case o.Profile == ProfileSVC && (o.ID != "" || !o.Expires.IsZero() || o.Nonce != "" || len(o.PreviousProof) > 0 || len(o.Domain) > 1):
		return errors.New("a proof of the SVC profile has no id, expires, nonce or previousProof, and one domain")
	}
	return nil
}

// text returns the proof without its value and its closing brace.
func (o *SignOptions) text(root strictjson.Value) (string, error) {
	out := []byte{'{'}
	member := func(name, value string) {
		if value != "" {
			out = appendMember(out, quoteJSON(name), quoteJSON(value))
		}
	}
	when := func(name string, t time.Time) error {
		if t.IsZero() {
			return nil
		}
		if err := checkTime(t); err != nil {
			return fmt.Errorf("expected a time with four digits of year for %s", name)
		}
		member(name, t.UTC().Format(time.RFC3339))
		return nil
	}
	list := func(name string, values []string) {
		if len(values) == 1 {
			member(name, values[0])
		}
		if len(values) < 2 {
			return
		}
		text := "["
		for i, v := range values {
			if i > 0 {
				text += ","
			}
			text += quoteJSON(v)
		}
		out = appendMember(out, quoteJSON(name), text+"]")
	}
	member("type", "DataIntegrityProof")
	member("id", o.ID)
	member("cryptosuite", string(o.Suite))
	if err := when("created", o.Created); err != nil {
		return "", err
	}
	if err := when("expires", o.Expires); err != nil {
		return "", err
	}
	member("verificationMethod", o.Method)
	member("proofPurpose", string(o.Purpose))
	member("challenge", o.Challenge)
	list("domain", o.Domain)
	member("nonce", o.Nonce)
	list("previousProof", o.PreviousProof)
	if context := root.Get("@context"); o.Suite.jcs() && context.Exists() {
		// EdDSA Cryptosuites 1.0, section 3.3.5: a JCS proof repeats the context.
		out = appendMember(out, `"@context"`, context.Source())
	}
	return string(out), nil
}

// withProof returns a document with one more proof.
func withProof(root strictjson.Value, proof string) []byte {
	old := root.Get("proof")
	if old.Exists() && !old.IsNull() {
		list := "["
		for _, p := range items(old) {
			list += p.Source() + ","
		}
		proof = list + proof + "]"
	}
	out := without(root, "proof")
	return append(appendMember(out[:len(out)-1], `"proof"`, proof), '}')
}

// by says why a proof that a key makes does not count as one by a party, the issuer or the
// holder, as steps 10 and 11 of section 2.4 do: nothing for a party whose identifier is not
// its key, where another document says what its keys are.
func (p *proof) by(ctx context.Context, at strictjson.Value, role, party string, key PublicKey) *Finding {
	if !strings.HasPrefix(party, didKey) {
		return nil
	}
	c, err := DIDKeys{}.Controller(ctx, party)
	if err != nil {
		return faultAt(CodeIssuerMismatch, at, "the %s <%s> is no key: %v", role, rdf.Abbreviate(party), err)
	}
	own := &c.methods[0]
	if own.id != p.method {
		return faultAt(CodeIssuerMismatch, at, "expected the key of the %s, <%s>, found <%s>", role, own.id, rdf.Abbreviate(p.method))
	}
	if !own.parsed.Equal(key) {
		return faultAt(CodeInvalidSignature, at, "expected the key of the %s, <%s>, found that of <%s%s>", role, own.id, didKey, key.Multikey())
	}
	return nil
}

// prepare checks the shape of a document that is to be signed and makes its graph. It
// returns whose proof is expected: the issuer, or the holder of a presentation.
func (v *Verifier) prepare(ctx context.Context, s *secured, presentation bool) (string, *Finding) {
	if !presentation {
		e, fault := v.credentialShape(s)
		if fault == nil {
			_, fault = v.read(s, e)
		}
		return e.issuer, fault
	}
	embedded, fault := v.presentationShape(s)
	if fault != nil {
		return "", fault
	}
	p := &Presentation{profile: s.profile}
	p.id, _ = s.root.Get("id").Str()
	if p.holder, fault = s.holder(); fault != nil {
		return "", fault
	}
	one := *v
	one.config.Profile = s.profile
	for i, item := range embedded {
		c, fault := one.unverified(item)
		if fault != nil {
			fault.Credential = i + 1
			return "", fault
		}
		p.credentials = append(p.credentials, c)
	}
	return p.holder, v.presentationGraph(ctx, s, p)
}

// unverified reads a credential in a presentation that is to be signed. Its proofs are
// for the receiver to verify.
func (v *Verifier) unverified(item strictjson.Value) (*Credential, *Finding) {
	s, fault := v.parse([]byte(item.Source()), v.config.Limits.CredentialBytes)
	if fault != nil {
		return nil, fault
	}
	if len(s.proofs) == 0 {
		return nil, faultAt(CodeNoProof, item, "expected a credential with a proof")
	}
	e, fault := v.credentialShape(s)
	if fault != nil {
		return nil, fault
	}
	return v.read(s, e)
}
