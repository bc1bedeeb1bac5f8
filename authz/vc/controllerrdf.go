package vc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// The terms of a controller document in RDF (section 1.9).
const (
	secMultikey           = vocab.Sec + "Multikey"
	secController         = vocab.Sec + "controller"
	secPublicKeyMultibase = vocab.Sec + "publicKeyMultibase"
	secPublicKeyJWK       = vocab.Sec + "publicKeyJwk"
	secPublicKeyBase58    = vocab.Sec + "publicKeyBase58" // of types before Multikey
	secRevoked            = vocab.Sec + "revoked"
	secExpiration         = vocab.Sec + "expiration"
)

// keyTerm reports whether a property of the namespace is known on a public key. The
// links are there for a key that is its own controller.
func keyTerm(iri string) bool {
	switch iri {
	case secController, secPublicKeyMultibase, secPublicKeyJWK, secPublicKeyBase58, secRevoked, secExpiration:
		return true
	}
	return slices.ContainsFunc(relationships[:], func(p Purpose) bool { return slices.Contains(p.links(), iri) })
}

// maxKeyDocuments is how many documents of keys, besides the controller's own, are read
// for one controller: the publisher of a profile chooses which they are.
const maxKeyDocuments = 8

// links returns the properties that state a relationship in RDF. The context of
// Controlled Identifiers 1.0 gives all but assertionMethod a name of their own; solid-vc
// writes the name of the relationship.
func (p Purpose) links() []string {
	if p == AssertionMethod {
		return []string{vocab.Sec + string(p)}
	}
	return []string{vocab.Sec + string(p) + "Method", vocab.Sec + string(p)}
}

// ParseControllerRDF reads a controller document in RDF, such as a WebID profile
// (section 1.9). id is the controller; "" stands for the one subject that has keys, and
// it fails when none has or several have. The profile lists a key,
//
//	<id> sec:assertionMethod <key> .
//
// and the document of the key, which is the profile's own or one that documents has,
// says whose it is and what it is:
//
//	<key> a sec:Multikey ; sec:controller <id> ; sec:publicKeyMultibase "z6Mk…"^^sec:multibase .
//
// What counts about a key is in the key's own document: where that is not the profile,
// the profile is not believed, but that the key has ended. What ends a key under one name
// ends it under all, also under a name that is not listed. A method that cannot be used
// (with two controllers or keys, another type, a document that cannot be read or may have
// ended) does not fail the profile: it is kept and verifies nothing. What may end the
// controller, or the profile as a document, such as deactivated, fails the profile unless it
// is false. Without documents all keys must be in the profile, whatever their address.
func ParseControllerRDF(ctx context.Context, profile *rdf.Dataset, id string, documents Documents, limits Limits) (*Controller, error) {
	if len(profile.GraphNames()) > 0 {
		return nil, errors.New("expected a controller document without named graphs")
	}
	if id == "" {
		var err error
		if id, err = controllerOf(profile); err != nil {
			return nil, err
		}
	}
	if rdf.CheckIRI(id) != nil {
		return nil, fmt.Errorf("expected an absolute IRI for the controller, found %q", rdf.Abbreviate(id))
	}
	c := &Controller{id: id}
	at := map[string]int{} // of methods
	for _, p := range relationships {
		for _, link := range p.links() {
			for _, key := range objectsOf(profile, id, link) {
				if key.Kind() != rdf.KindIRI {
					return nil, fmt.Errorf("expected IRIs for <%s>, found %s", link, key.Abbreviated())
				}
				i, known := at[key.Value()]
				if !known {
					i = len(c.methods)
					at[key.Value()] = i
					c.methods = append(c.methods, method{id: key.Value()})
				}
				if m := &c.methods[i]; !slices.Contains(m.purposes, p) {
					m.purposes = append(m.purposes, p)
				}
			}
		}
	}
	for _, node := range [...]string{id, beforeFragment(id)} {
		_, isKey := at[node] // a key that is its own controller has times of its own
		if text := ended(profile, node, isKey); text != "" {
			return nil, fmt.Errorf("<%s> cannot be used: %s", rdf.Abbreviate(node), text)
		}
	}
	limits = limits.OrDefault()
	r := &keyReader{documents: documents, profile: profile, listed: at, limits: limits, left: limits.ControllerBytes}
	r.read = map[string]keyDocument{beforeFragment(id): {d: profile}}
	for i := range c.methods {
		m := &c.methods[i]
		d, err := r.document(ctx, m.id)
		if d != nil {
			if fault := m.describe(d, id); err == nil {
				err = fault
			}
			m.said(d, d.LookupIRI(m.id), true)
		}
		if err != nil {
			m.fault = err.Error()
		}
		if d != profile {
			m.said(profile, profile.LookupIRI(m.id), false)
		}
	}
	var others []method
	for _, address := range slices.Sorted(maps.Keys(r.read)) {
		others = append(others, c.ending(r.read[address].d, at, limits)...)
	}
	c.hold(others)
	return c, nil
}

// ending returns the keys of a document, in each form, that end by what it says of them:
// those of nodes that are listed for a purpose, which can be several or in a form that is not
// used, and of others, such as one that was taken off the lists when it was revoked.
func (c *Controller) ending(d *rdf.Dataset, listed map[string]int, limits Limits) []method {
	if d == nil {
		return nil
	}
	var out []method
	nodes := map[rdf.ID]method{} // each is looked at once: it may have many keys
	for _, form := range [...]string{secPublicKeyMultibase, secPublicKeyJWK, secPublicKeyBase58} {
		property := d.LookupIRI(form)
		if property == 0 {
			continue
		}
		for q := range d.Default().Predicate(property).Quads() {
			m, ok := nodes[q.S]
			if !ok {
				m.id = d.Value(q.S)
				if i, ok := listed[m.id]; ok && d.Kind(q.S) == rdf.KindIRI {
					m.life = c.methods[i].life
				} else {
					m.said(d, q.S, true)
				}
				nodes[q.S] = m
			}
			if form == secPublicKeyMultibase {
				m.multikey = d.Value(q.O)
			} else if form == secPublicKeyBase58 {
				m.base58 = d.Value(q.O)
			} else if jwk, err := strictjson.Parse([]byte(d.Value(q.O)), limits.json(limits.ControllerBytes)); err == nil {
				m.jwk = jwk
				if err := checkJWK(jwk); err != nil {
					m.never("%v", err)
				}
			}
			if m.life != (lifespan{}) {
				out = append(out, m)
			}
		}
	}
	return out
}

// ended says what may begin or end a controller or a document as a whole, unless it is
// false; "" for nothing. What ends a key that is its own controller ends that alone.
func ended(d *rdf.Dataset, id string, isKey bool) string {
	node := d.LookupIRI(id)
	for property := range predicates(d, node) {
		if lifetime.Limits(property) && !(isKey && keyTerm(property)) && !lasts(d, node, property) {
			return "it has <" + rdf.Abbreviate(property) + ">, which may begin or end it and is not known"
		}
	}
	return overBy(d, node)
}

// overBy says by which property another node says that one is over, "" for none.
func overBy(d *rdf.Dataset, node rdf.ID) string {
	for _, property := range [...]string{vocab.DCReplaces, vocab.PROVInvalidated} {
		if d.Default().Subjects(d.LookupIRI(property), node).Len() > 0 {
			return "another node says by <" + property + "> that it is over"
		}
	}
	return ""
}

// controllerOf returns the one subject of a document that lists keys.
func controllerOf(d *rdf.Dataset) (string, error) {
	found := map[string]bool{}
	for _, p := range relationships {
		for _, link := range p.links() {
			property := d.LookupIRI(link)
			if property == 0 {
				continue
			}
			for q := range d.Default().Predicate(property).Quads() {
				if d.Kind(q.S) != rdf.KindIRI {
					return "", fmt.Errorf("expected an IRI that lists keys by <%s>, found a blank node", link)
				}
				found[d.Value(q.S)] = true
			}
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("expected one subject that lists keys, found %d", len(found))
	}
	for id := range found {
		return id, nil
	}
	return "", nil // not reached: there is one
}

// keyReader reads the documents of the keys of a controller, each once.
type keyReader struct {
	documents Documents
	profile   *rdf.Dataset
	listed    map[string]int // the keys
	read      map[string]keyDocument
	limits    Limits
	left      int64 // bytes of all of them
}

// keyDocument is what came of reading a document of keys: one of the two, or both of one
// that may have ended, whose statements against its keys count.
type keyDocument struct {
	d   *rdf.Dataset
	err error
}

// document returns the document at a key's address without its fragment.
func (r *keyReader) document(ctx context.Context, key string) (*rdf.Dataset, error) {
	if r.documents == nil {
		return r.profile, nil
	}
	address := beforeFragment(key)
	one, known := r.read[address]
	switch {
	case known:
		return one.d, one.err
	case !strings.HasPrefix(address, "https://"):
		return nil, fmt.Errorf("expected a key at an https address, found <%s>", rdf.Abbreviate(address))
	case len(r.read) > maxKeyDocuments:
		return nil, fmt.Errorf("expected keys in at most %d documents", maxKeyDocuments)
	}
	if one.d, one.err = r.fetch(ctx, address); one.err != nil {
		one.err = fmt.Errorf("<%s> could not be read: %w", rdf.Abbreviate(address), one.err)
	} else {
		_, isKey := r.listed[address]
		if text := ended(one.d, address, isKey); text != "" {
			one.err = fmt.Errorf("<%s> cannot be used: %s", rdf.Abbreviate(address), text)
		}
	}
	r.read[address] = one
	return one.d, one.err
}

func (r *keyReader) fetch(ctx context.Context, address string) (*rdf.Dataset, error) {
	doc, err := r.documents.Document(ctx, address)
	if err != nil {
		return nil, err
	}
	syntax, ok := controllerSyntax(doc.MediaType)
	if !ok {
		return nil, fmt.Errorf("expected Turtle or N-Triples, found %s", rdf.Abbreviate(doc.MediaType))
	}
	if r.left -= int64(len(doc.Content)); r.left < 0 {
		return nil, fmt.Errorf("expected at most %d bytes of documents of keys together", r.limits.ControllerBytes)
	}
	return parseController(doc.Content, syntax, address, r.limits)
}

// controllerSyntax returns the syntax of a controller document in RDF by its media type.
// JSON is not one: there the members count, see [ParseController].
func controllerSyntax(mediaType string) (rdfio.Syntax, bool) {
	s, ok := rdfio.ByMediaType(mediaType)
	return s, ok && mediaType != "" && (s == rdfio.Turtle || s == rdfio.NTriples)
}

func parseController(data []byte, syntax rdfio.Syntax, base string, limits Limits) (*rdf.Dataset, error) {
	return rdfio.Parse(data, syntax, rdfio.Options{Base: base, Limits: limits.rdfOf(limits.ControllerBytes, termsOf(int64(len(data))))})
}

// describe reads what the document of a key says of it.
func (m *method) describe(d *rdf.Dataset, controller string) error {
	if len(d.GraphNames()) > 0 {
		return errors.New("its document has named graphs")
	}
	typed := false
	for _, t := range objectsOf(d, m.id, vocab.RDFType) {
		typed = typed || t.Kind() == rdf.KindIRI && t.Value() == secMultikey
	}
	owners := objectsOf(d, m.id, secController)
	keys := objectsOf(d, m.id, secPublicKeyMultibase)
	if len(keys) == 1 {
		m.multikey = keys[0].Value()
	}
	switch {
	case !typed:
		return errors.New("it is not of the type sec:Multikey")
	case len(owners) != 1 || owners[0].Kind() != rdf.KindIRI || owners[0].Value() != controller:
		return errors.New("its one controller is not the document's id")
	case len(objectsOf(d, m.id, secPublicKeyJWK)) > 0 || len(objectsOf(d, m.id, secPublicKeyBase58)) > 0:
		return errors.New("it has a key in another form than sec:publicKeyMultibase")
	case len(keys) != 1 || keys[0].Kind() != rdf.KindLiteral || keys[0].Datatype() != vocab.SecMultibase:
		return errors.New("it does not have one sec:publicKeyMultibase of the datatype sec:multibase")
	}
	return nil
}

// said reads what a document says of when the key of a method may be used, on its node
// there. An unknown term of this namespace may end the key, being nearly sec:expiration, or
// belong to a private key; it counts in the key's own document.
func (m *method) said(d *rdf.Dataset, node rdf.ID, own bool) {
	for property := range predicates(d, node) {
		switch term, security := strings.CutPrefix(property, vocab.Sec); {
		case property == secRevoked || property == secExpiration:
			lexical := "" // of the one time that there may be
			if values := objects(d, node, property); len(values) == 1 && (values[0].Datatype() == vocab.XSDDateTime || values[0].Datatype() == vocab.XSDDateTimeStamp) {
				lexical = values[0].Value()
			}
			if property == secRevoked {
				m.revoke("<"+property+">", lexical)
			} else {
				m.expire("<"+property+">", lexical)
			}
		case keyTerm(property):
		case security && own:
			m.never("it has sec:%s, which is not known of a public key", rdf.Abbreviate(term))
		case lifetime.Bounds(property), overByStatus(d, node, property):
			m.never("it has <%s>, which may begin or end the key and is not known", rdf.Abbreviate(property))
		}
	}
	if text := overBy(d, node); text != "" {
		m.never("%s", text)
	}
}

// objectsOf returns the objects of a property of an IRI in the default graph.
func objectsOf(d *rdf.Dataset, subject, property string) []rdf.Term {
	n := d.LookupIRI(subject)
	if n == 0 {
		return nil
	}
	return objects(d, n, property)
}
