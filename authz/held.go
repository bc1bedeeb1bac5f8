package authz

import (
	"context"
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// Held are the policy documents that a receiver holds for the credentials of others to
// refer to, of any number of chains: a request has those of its own chains alone. It is
// immutable and safe for concurrent use.
type Held struct {
	authorizer *Authorizer
	documents  []PolicyDocument
	byName     map[string]int // by what a credential can name the policy by
}

// Hold reads policy documents, as decisions read them. It fails for one that cannot be
// read and for two of one policy: they would make chains malformed whenever they are
// presented.
func (a *Authorizer) Hold(documents []PolicyDocument) (*Held, error) {
	if err := a.made(); err != nil {
		return nil, err
	}
	h := &Held{authorizer: a, documents: slices.Clone(documents), byName: map[string]int{}}
	w := a.walk(context.Background(), &Request{}, &Chain{}, "", "", nil)
	for i := range h.documents {
		doc, err := w.read(&h.documents[i])
		if err != nil {
			return nil, fmt.Errorf("policy %d: %w", i+1, err)
		}
		names := []string{doc.policy.IRI()}
		if a.config.DocumentReference && doc.iri != "" && doc.iri != names[0] {
			names = append(names, doc.iri)
		}
		for _, name := range names {
			if first, ok := h.byName[name]; ok {
				return nil, fmt.Errorf("policy %d: <%s> is policy %d already", i+1, rdf.Abbreviate(name), first+1)
			}
			h.byName[name] = i
		}
	}
	return h, nil
}

// Of returns the documents of the policies that the credentials of a presentation say they
// refer to, before anything of it is verified, for [Request.Chain]. It has nothing for a
// presentation that cannot be read, and for a policy that is not held: the decision refuses
// both.
func (h *Held) Of(presentation []byte) []PolicyDocument {
	limits := h.authorizer.config.Limits
	texts, err := credentialTexts(presentation, limits.VC)
	if err != nil {
		return nil
	}
	named := map[int]bool{}
	for _, text := range texts[:min(len(texts), 2*limits.Credentials)] { // of both chains
		if i, ok := h.byName[announce(text, limits.VC).policy]; ok {
			named[i] = true
		}
	}
	var out []PolicyDocument
	for i := range h.documents {
		if named[i] {
			out = append(out, h.documents[i])
		}
	}
	return out
}
