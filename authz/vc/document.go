package vc

import (
	"encoding/json"
	"slices"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// without returns an object as text without some of its members.
func without(v strictjson.Value, names ...string) []byte {
	out := append(make([]byte, 0, len(v.Source())+2), '{')
	for i := range v.Len() {
		if m := v.Member(i); !slices.Contains(names, m.Str()) {
			out = appendMember(out, m.Name.Source(), m.Value.Source())
		}
	}
	return append(out, '}')
}

// appendMember appends a member to an object that is still open. Name and value are
// JSON texts.
func appendMember(out []byte, name, value string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(append(append(out, name...), ':'), value...)
}

// quoteJSON writes a string as JSON.
func quoteJSON(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic("vc: a string is not written as JSON") // encoding/json writes every string
	}
	return string(text)
}
