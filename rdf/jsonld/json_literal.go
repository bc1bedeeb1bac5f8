package jsonld

import "github.com/rdfproto/rdfproto/internal/strictjson"

// jsonLiteral returns the lexical form of a JSON literal (section 8.2.2, step
// 8). Unless the document may be lossy it holds numbers alone that are [exact].
func (p *processor) jsonLiteral(v strictjson.Value) ([]byte, error) {
	if !p.lossy {
		if n := firstInexact(v); n.Exists() {
			return nil, refusal(CodeInexactNumber, p.doc, n, n.Source(), "")
		}
	}
	return v.Canonical()
}

// firstInexact returns the first number in a value that is not [exact], the zero
// Value if all are.
func firstInexact(v strictjson.Value) strictjson.Value {
	if text, ok := v.Number(); ok && !exact(text) {
		return v
	}
	for _, item := range v.Items() {
		if n := firstInexact(item); n.Exists() {
			return n
		}
	}
	for _, item := range v.Members() {
		if n := firstInexact(item); n.Exists() {
			return n
		}
	}
	return strictjson.Value{}
}
