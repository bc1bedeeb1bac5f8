package vc

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
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

// ValidFrom returns the start of validity as written, "" for none.
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
// credential in it. ok is false when the credential has JCS proofs alone and cannot be
// read as RDF without loss: its claims are then unknown.
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

// predicates returns the predicates of a subject in the default graph, each once: a name
// that is long and has many objects is looked at once.
func predicates(d *rdf.Dataset, s rdf.ID) iter.Seq[string] {
	return func(yield func(string) bool) {
		last := rdf.ID(0)
		for q := range d.Default().Subject(s).Quads() { // in the order of predicates
			if q.P != last && !yield(d.Value(q.P)) {
				return
			}
			last = q.P
		}
	}
}

// iris returns the objects that are IRIs, sorted.
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

// Digest returns the SHA-256 of the canonical N-Quads of the credential with its
// proof, as a presentation of the SVC profile signs it (section 5.2). It fails
// when the credential has no graph.
func (c *Credential) Digest(ctx context.Context) (canon.Digest, error) {
	return c.digest(ctx, new(work))
}

// Digest returns the digest of a verified credential as [Credential.Digest] does, within
// the limit of work that the calls of v share, see [Verifier.Joint]. It can fail for a
// verified credential: with its proofs it may exceed that limit, or the limit of triples
// or blank nodes, although it does not without them.
func (v *Verifier) Digest(ctx context.Context, c *Credential) (canon.Digest, error) {
	if c == nil || c.source == nil {
		return canon.Digest{}, errors.New("expected a verified credential")
	}
	return c.digest(ctx, v.call().work)
}

// digest is Digest within what is left of a budget of work.
func (c *Credential) digest(ctx context.Context, w *work) (canon.Digest, error) {
	d, err := c.signedGraph()
	if err != nil {
		return canon.Digest{}, err
	}
	hash, err := w.hash(ctx, d, c.source.limits, canon.SHA256)
	if err != nil {
		return canon.Digest{}, err
	}
	return canon.Digest(hash), nil
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
