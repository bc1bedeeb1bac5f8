package agentcard

import "github.com/rdfproto/rdfproto/canon"

// canonicalize writes JSON text in the form of RFC 8785.
func canonicalize(text []byte) ([]byte, error) { return canon.JCS(text) }
