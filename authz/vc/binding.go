package vc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// BindingForm says where the policy of a credential is.
type BindingForm string

// The forms. The zero form is that of a credential without a policy.
const (
	FormNone      BindingForm = ""
	FormEmbedded  BindingForm = "embedded"  // within the credential, covered by its signature
	FormReference BindingForm = "reference" // a document whose digest the credential has
)

// BindOptions says how a policy is bound.
type BindOptions struct {
	// Canonical also accepts a digestMultibase over the canonical N-Quads of the
	// parsed document (section 6.4). By default digests are over the octets alone.
	Canonical bool
	// Content is the policy document if it came with the message; nil reads it
	// through [Config.Documents].
	Content *Document
}

// Binding is the outcome of [Verifier.BindPolicy]. The zero Binding refuses.
type Binding struct {
	outcome
	bound     bool
	form      BindingForm
	policy    rdf.Term
	document  Document
	canonical bool
}

// Bound reports whether the content of the policy is what the issuer signed. It is
// false for a credential without a policy.
func (b *Binding) Bound() bool { return b.bound && len(b.findings) == 0 && b.form != FormNone }

// OK reports whether nothing was found against the binding: the policy is bound, or
// the credential has none. The zero Binding is not OK.
func (b *Binding) OK() bool { return b.bound && len(b.findings) == 0 }

// Code returns the first code, "" exactly when the binding is OK.
func (b *Binding) Code() Code {
	if b.OK() {
		return ""
	}
	return CodePolicyIntegrity
}

// Form returns the form of the policy, FormNone when it is not bound.
func (b *Binding) Form() BindingForm {
	if !b.OK() {
		return FormNone
	}
	return b.form
}

// Policy returns the object of svc:policy: the IRI of a reference, or the node of
// an embedded policy in [Credential.Graph].
func (b *Binding) Policy() rdf.Term { return b.policy }

// Document returns the document of a reference whose digests matched, and whether
// there is one. Its bytes, and no others, are the policy.
func (b *Binding) Document() (Document, bool) {
	if !b.Bound() || b.form != FormReference {
		return Document{}, false
	}
	return b.document, true
}

// Canonical reports whether a digest matched the canonical form rather than the
// octets.
func (b *Binding) Canonical() bool { return b.canonical }

// BindPolicy finds the policy of a verified credential and compares its content with
// what was signed (section 6.2). An error means that the call was wrong or ctx is
// done.
func (v *Verifier) BindPolicy(ctx context.Context, c *Credential, o BindOptions) (*Binding, error) {
	if c == nil || c.source == nil {
		return nil, errors.New("expected a verified credential")
	}
	b := &Binding{bound: true}
	v.call().bind(ctx, c, o, b)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b, nil
}

// bind is section 6.2; the comments are its steps.
func (v *Verifier) bind(ctx context.Context, c *Credential, o BindOptions, b *Binding) {
	refuse := func(format string, args ...any) {
		b.add(found(CodePolicyIntegrity, strictjson.Value{}, format, args...))
	}
	if c.graph == nil {
		refuse("the claims cannot be read: %s", c.lossText)
		return
	}
	leaves := policyLeaves(c)
	switch { // 1
	case len(leaves) == 0:
		return
	case len(leaves) > 1:
		refuse("expected one policy, found %d", len(leaves))
		return
	}
	b.policy = leaves[0]
	if b.policy.Kind() == rdf.KindLiteral { // 6
		refuse("expected an IRI or an object for svc:policy, found a literal")
		return
	}
	var resource *RelatedResource // 3
	if b.policy.Kind() == rdf.KindIRI {
		for i := range c.related {
			if c.related[i].ID == b.policy.Value() {
				resource = &c.related[i]
			}
		}
	}
	if resource == nil {
		if b.policy.Kind() == rdf.KindBlank || embedded(c, b.policy) { // 2
			b.form = FormEmbedded
			return
		}
		refuse("the policy <%s> is a reference without a digest", rdf.Abbreviate(b.policy.Value()))
		return
	}
	b.form = FormReference
	if embedded(c, b.policy) {
		refuse("the policy <%s> is a document, and the credential says something about it as well", rdf.Abbreviate(resource.ID))
		return
	}
	if !resource.sound || len(resource.DigestSRI)+len(resource.DigestMultibase) == 0 {
		refuse("the related resource <%s> has no digest, or one of an unexpected datatype", rdf.Abbreviate(resource.ID))
		return
	}
	document, err := v.policyDocument(ctx, resource.ID, o) // 4
	if err != nil {
		refuse("the policy <%s> could not be read: %v", rdf.Abbreviate(resource.ID), err)
		return
	}
	if text := v.compare(ctx, resource, document, o, b); text != "" { // 5
		refuse("%s", text)
		return
	}
	b.document = document
}

// policyLeaves returns the values of svc:policy on all subjects.
func policyLeaves(c *Credential) []rdf.Term {
	var out []rdf.Term
	for _, s := range objects(c.graph, c.node, vocab.CredCredentialSubject) {
		out = append(out, objects(c.graph, c.graph.Lookup(s), vocab.SVCPolicy)...)
	}
	return out
}

// embedded reports whether the graph says about an IRI what a policy says: it was
// then written as an object within the credential.
func embedded(c *Credential, policy rdf.Term) bool {
	for q := range c.graph.Default().Subject(c.graph.Lookup(policy)).Quads() {
		if strings.HasPrefix(c.graph.Value(q.P), vocab.ODRL) || strings.HasPrefix(c.graph.Value(q.O), vocab.ODRL) {
			return true
		}
	}
	return false
}

func (v *Verifier) policyDocument(ctx context.Context, iri string, o BindOptions) (Document, error) {
	var d Document
	var err error
	switch {
	case o.Content != nil:
		d = *o.Content
	case v.config.Documents == nil:
		err = errors.New("no documents can be read here")
	default:
		d, err = v.config.Documents.Document(ctx, beforeFragment(iri))
	}
	if err == nil && int64(len(d.Content)) > v.config.Limits.PolicyBytes {
		err = errors.New("it is larger than the limit")
	}
	return d, err
}

// compare says which digest does not match, "" when all of them do.
func (v *Verifier) compare(ctx context.Context, r *RelatedResource, d Document, o BindOptions, b *Binding) string {
	for _, digest := range r.DigestSRI {
		algorithm, want, ok := parseSRI(digest)
		if !ok {
			return "expected a digestSRI of sha256, sha384 or sha512, found " + rdf.Abbreviate(digest)
		}
		if subtle.ConstantTimeCompare(want, octets(algorithm, d.Content)) != 1 {
			return "the content is not that of the digestSRI " + rdf.Abbreviate(digest)
		}
	}
	for _, digest := range r.DigestMultibase {
		algorithm, want, ok := parseMultihash(digest)
		if !ok {
			return "expected a digestMultibase of sha2-256, sha2-384 or sha2-512, found " + rdf.Abbreviate(digest)
		}
		if subtle.ConstantTimeCompare(want, octets(algorithm, d.Content)) == 1 {
			continue
		}
		if !o.Canonical || algorithm != "sha256" || !v.sameGraph(ctx, r.ID, d, want) {
			return "the content is not that of the digestMultibase " + rdf.Abbreviate(digest)
		}
		b.canonical = true
	}
	return ""
}

// sameGraph reports whether a digest is that of the canonical form of a document
// (section 6.4). An empty graph has none.
func (v *Verifier) sameGraph(ctx context.Context, iri string, d Document, want []byte) bool {
	syntax, ok := rdfio.ByMediaType(d.MediaType)
	if d.MediaType == "" {
		syntax, ok = rdfio.Turtle, true
	}
	if !ok {
		return false
	}
	options := rdfio.Options{Base: beforeFragment(iri), Limits: v.config.Limits.rdf(v.config.Limits.PolicyBytes)}
	options.JSONLD.Contexts = v.config.Contexts
	graph, err := rdfio.Parse(d.Content, syntax, options)
	if err != nil || graph.Len() == 0 {
		return false
	}
	digest, err := v.work.hash(ctx, graph, v.config.Limits, canon.SHA256)
	return err == nil && subtle.ConstantTimeCompare(want, digest) == 1
}

// octets hashes bytes with the algorithm that a digest names.
func octets(algorithm string, data []byte) []byte {
	switch algorithm {
	case "sha256":
		h := sha256.Sum256(data)
		return h[:]
	case "sha384":
		h := sha512.Sum384(data)
		return h[:]
	}
	h := sha512.Sum512(data)
	return h[:]
}

// digestSizes are the known algorithms, with their codes in a multihash (section
// 6.3).
var digestSizes = [...]struct {
	name string
	code byte
	size int
}{{"sha256", 0x12, sha256.Size}, {"sha384", 0x20, sha512.Size384}, {"sha512", 0x13, sha512.Size}}

// parseSRI reads one hash expression of Subresource Integrity.
func parseSRI(s string) (algorithm string, digest []byte, ok bool) {
	algorithm, encoded, _ := strings.Cut(s, "-")
	for _, a := range digestSizes {
		if a.name == algorithm {
			digest, ok = decodeBase64(base64.StdEncoding, encoded)
			return algorithm, digest, ok && len(digest) == a.size
		}
	}
	return "", nil, false
}

// parseMultihash reads a multihash in base58btc ("z") or base64url ("u").
func parseMultihash(s string) (algorithm string, digest []byte, ok bool) {
	const longest = 140 // characters; a few more than the longest takes
	if s == "" || len(s) > longest {
		return "", nil, false
	}
	var raw []byte
	switch s[0] {
	case 'z':
		var err error
		raw, err = base58.Decode(s[1:])
		ok = err == nil
	case 'u':
		raw, ok = decodeBase64(base64.RawURLEncoding, s[1:])
	}
	for _, a := range digestSizes {
		if header := []byte{a.code, byte(a.size)}; ok && bytes.HasPrefix(raw, header) && len(raw) == len(header)+a.size {
			return a.name, raw[len(header):], true
		}
	}
	return "", nil, false
}
