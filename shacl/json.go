package shacl

import (
	"strconv"

	"github.com/rdfproto/rdfproto/rdf"
)

// AppendJSON appends the report as one JSON object in the form of the command
// line: {"version":1,"conforms":...,"results":[...]} with terms in N-Triples
// syntax. The label of a blank node is one of the data in focusNode and value,
// and one of the shapes graph in shape: "_:b0" in both is two nodes.
func (r *Report) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"version":1,"conforms":`...)
	if r.conforms {
		dst = append(dst, "true"...)
	} else {
		dst = append(dst, "false"...)
	}
	dst = appendResults(append(dst, `,"results":`...), r.Results)
	if r.Omitted > 0 {
		dst = appendInt(append(dst, `,"omitted":`...), r.Omitted)
	}
	return append(dst, '}')
}

// MarshalJSON returns what AppendJSON appends. It never fails.
func (r *Report) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

func appendResults(dst []byte, results []Result) []byte {
	dst = append(dst, '[')
	for i := range results {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = results[i].AppendJSON(dst)
	}
	return append(dst, ']')
}

// AppendJSON appends the result as a JSON object, a member of "results".
func (r *Result) AppendJSON(dst []byte) []byte {
	dst = appendString(append(dst, `{"focusNode":`...), r.Focus.String())
	if !r.Path.IsZero() {
		dst = appendString(append(dst, `,"path":`...), r.Path.String())
	}
	if !r.Value.IsZero() {
		dst = appendString(append(dst, `,"value":`...), r.Value.String())
	}
	dst = appendString(append(dst, `,"constraint":`...), r.Constraint)
	dst = appendString(append(dst, `,"shape":`...), r.Shape.String())
	dst = appendString(append(dst, `,"severity":`...), r.Severity)
	dst = appendString(append(dst, `,"message":`...), r.Message())
	dst = appendPlace(dst, "place", r.Place)
	dst = appendPlace(dst, "shapePlace", r.ShapePlace)
	if r.Member > 0 {
		dst = appendInt(append(dst, `,"member":`...), r.Member)
	}
	if len(r.Details) > 0 {
		dst = appendResults(append(dst, `,"details":`...), r.Details)
	}
	if r.Truncated {
		dst = append(dst, `,"truncated":true`...)
	}
	return append(dst, '}')
}

func appendPlace(dst []byte, name string, p rdf.Place) []byte {
	if p.IsZero() {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":{`...)
	if p.File != "" {
		dst = append(appendString(append(dst, `"file":`...), p.File), ',')
	}
	dst = appendInt(append(dst, `"line":`...), p.Line)
	dst = appendInt(append(dst, `,"column":`...), p.Column)
	return append(dst, '}')
}

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// appendString appends a JSON string. Terms are UTF-8, so that only quotes,
// backslashes and controls are escaped.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
