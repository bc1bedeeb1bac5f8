package agentcard

import "github.com/rdfproto/rdfproto/internal/strictjson"

// canonicalize writes JSON text in the form of RFC 8785.
func canonicalize(text []byte, limits strictjson.Limits) ([]byte, error) {
	return strictjson.Canonicalize(text, limits)
}
