package vc

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/rdf"
)

// Resolver finds controller documents. It must be safe for concurrent use. An
// implementation that uses the network bounds size and time and follows no
// redirect.
type Resolver interface {
	// Controller returns the controller document of an identifier: one whose own id
	// is exactly id. An error, whatever its kind, means that no key of id is known.
	Controller(ctx context.Context, id string) (*Controller, error)
}

// ErrUnknownController is the error of a resolver that has no document with an
// identifier, or does not know identifiers of its kind: [Resolvers] then ask the next.
var ErrUnknownController = errors.New("no controller document is known")

// Keyring is a Resolver of documents that are at hand. It is immutable.
type Keyring struct {
	documents map[string]*Controller // by id
	owners    map[string]string      // ids of documents by verification method
}

// NewKeyring makes a Keyring. It fails for two documents with the same id or with the
// same verification method: the party that a key acts for must not depend on an order.
func NewKeyring(documents ...*Controller) (*Keyring, error) {
	k := &Keyring{documents: map[string]*Controller{}, owners: map[string]string{}}
	for _, c := range documents {
		if c == nil {
			return nil, errors.New("expected controller documents, found nil")
		}
		if k.documents[c.id] != nil {
			return nil, fmt.Errorf("expected one controller document with the id <%s>, found two", rdf.Abbreviate(c.id))
		}
		k.documents[c.id] = c
		for _, m := range c.methods {
			if other, ok := k.owners[m.id]; ok {
				return nil, fmt.Errorf("expected the method <%s> in one controller document, found it in <%s> and <%s>", rdf.Abbreviate(m.id), rdf.Abbreviate(other), rdf.Abbreviate(c.id))
			}
			k.owners[m.id] = c.id
		}
	}
	return k, nil
}

// Controller implements [Resolver].
func (k *Keyring) Controller(_ context.Context, id string) (*Controller, error) {
	if k == nil || k.documents[id] == nil {
		return nil, ErrUnknownController
	}
	return k.documents[id], nil
}

// owner returns the identifier whose controller document has a verification method: that
// of a document in a Keyring, or else the method's IRI without its fragment.
func owner(r Resolver, method string) string {
	switch r := r.(type) {
	case *Keyring:
		if r != nil {
			if id, ok := r.owners[method]; ok {
				return id
			}
		}
	case Resolvers:
		for _, one := range r {
			if id := owner(one, method); id != beforeFragment(method) {
				return id
			}
		}
	}
	return beforeFragment(method)
}

// DIDKeys is the Resolver of did:key identifiers (section 2.8): it derives their
// documents, without input or output. Among [Resolvers] documents at hand come before it:
// they can say that such a key has ended.
type DIDKeys struct{}

// didKey is what did:key identifiers begin with.
const didKey = "did:key:"

// Controller implements [Resolver].
func (DIDKeys) Controller(_ context.Context, id string) (*Controller, error) {
	multibase, ok := strings.CutPrefix(id, didKey)
	if !ok {
		return nil, ErrUnknownController
	}
	key, err := ParseMultikey(multibase)
	if err != nil {
		return nil, err
	}
	return &Controller{id: id, methods: []method{{
		id: id + "#" + multibase, parsed: key, purposes: relationships[:],
	}}}, nil
}

// Web is a Resolver of https and did:web identifiers (section 2.8) by documents that
// Documents reads: for an https identifier at that URL without its fragment, for did:web
// where that method puts it. They are controller documents in JSON. That of an https
// identifier may also be Turtle or N-Triples by its media type; its keys may then have
// documents of their own, see [ParseControllerRDF].
type Web struct {
	Documents Documents
	Limits    Limits
}

// Controller implements [Resolver].
func (w Web) Controller(ctx context.Context, id string) (*Controller, error) {
	address, err := controllerURL(id)
	if err != nil {
		return nil, err
	}
	if w.Documents == nil {
		return nil, ErrUnknownController
	}
	d, err := w.Documents.Document(ctx, address)
	if err != nil {
		return nil, err
	}
	if syntax, ok := controllerSyntax(d.MediaType); ok && strings.HasPrefix(id, "https://") {
		profile, err := parseController(d.Content, syntax, address, w.Limits.OrDefault())
		if err != nil {
			return nil, err
		}
		return ParseControllerRDF(ctx, profile, id, w.Documents, w.Limits)
	}
	c, err := ParseController(d.Content, w.Limits)
	if err != nil {
		return nil, err
	}
	if c.id != id {
		return nil, fmt.Errorf("expected the controller document of <%s>, found that of <%s>", rdf.Abbreviate(id), rdf.Abbreviate(c.id))
	}
	return c, nil
}

// controllerURL returns where the document of an identifier is.
func controllerURL(id string) (string, error) {
	if strings.HasPrefix(id, "https://") {
		return beforeFragment(id), nil
	}
	name, ok := strings.CutPrefix(id, "did:web:")
	if !ok {
		return "", ErrUnknownController
	}
	bad := fmt.Errorf("expected did:web and a host, perhaps with a path, found <%s>", rdf.Abbreviate(id))
	parts := strings.Split(name, ":")
	host, err := url.PathUnescape(parts[0])
	// A host with a port is the one use of percent-encoding in it.
	if err != nil || host == "" || strings.ContainsAny(host, "/@?#\\ %") || strings.ContainsAny(name, "/?#\\@") {
		return "", bad
	}
	for _, p := range parts[1:] {
		if decoded, err := url.PathUnescape(p); err != nil || decoded == "" || decoded == "." || decoded == ".." {
			return "", bad
		}
	}
	if len(parts) == 1 {
		return "https://" + host + "/.well-known/did.json", nil
	}
	return "https://" + host + "/" + strings.Join(parts[1:], "/") + "/did.json", nil
}

// Resolvers is a Resolver that asks several in order and returns the first document. The
// next is asked only where one does not know the identifier: a document that could not be
// read, or that says that its keys have ended, is not replaced by an older one.
type Resolvers []Resolver

// Controller implements [Resolver]. It fails with the first error that is not
// [ErrUnknownController], or else with that one.
func (r Resolvers) Controller(ctx context.Context, id string) (*Controller, error) {
	for _, resolver := range r {
		c, err := resolver.Controller(ctx, id)
		switch {
		case err != nil && !errors.Is(err, ErrUnknownController):
			return nil, err
		case err == nil && c != nil:
			return c, nil
		}
	}
	return nil, ErrUnknownController
}

// Document is what was found at a URL.
type Document struct {
	Content   []byte
	MediaType string // as a Content-Type header has it; "" when it is not known
}

// Documents reads documents by their URLs: status lists, policies, controller
// documents. It must be safe for concurrent use. An implementation that uses the
// network follows no redirect, bounds size and time, and fails for every answer that
// is not a success.
type Documents interface {
	Document(ctx context.Context, url string) (Document, error)
}

// Keeper is Documents that keep what they read. A [Verifier] tells them what a status
// list that it has verified says about how long it holds.
type Keeper interface {
	Documents
	// Keep says that a document of a URL, as it was read, may be used in place of a new
	// one for ttl since it was read, and not after until. ttl is 0 for one that must be
	// read each time, and the largest Duration for one that states none; until is then the
	// zero Time. It may be told again, and must be safe for concurrent use.
	Keep(url string, d Document, ttl time.Duration, until time.Time)
}
