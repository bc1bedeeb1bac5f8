package engine

import "github.com/rdfproto/rdfproto/canon"

// Declares reports whether a document is one of Config.Declared, and hence held: what
// the agent's card may declare (a2a-rdf, CARD-13).
func (e *Engine) Declares(pin canon.Digest) bool {
	_, ok := e.declared[pin]
	return ok
}
