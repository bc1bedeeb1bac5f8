package engine

import "github.com/rdfproto/rdfproto/canon"

// Declares reports whether a document is one of Config.Declared, and hence held: only
// such documents may be declared by the agent's card (a2a-rdf, CARD-13).
func (e *Engine) Declares(pin canon.Digest) bool {
	_, ok := e.declared[pin]
	return ok
}
