package shacl

import (
	"strconv"

	"github.com/rdfproto/rdfproto/rdf"
)

// AppendJSON appends the report as one JSON object in the form of the command
// line: {"version":1,"conforms":...,"results":[...]} with terms in N-Triples
// syntax. The label of a blank node is one of the data in focusNode and value,
// and one of the shapes graph in shape: "_:b0" in both is two nodes.
//
// The results take at most as many bytes as Options.MaxReport allows; the others are
// counted in "omitted". A result that others follow, and whose details take more than half
// of what is left, is "truncated", and so is the last one where they do not fit, and every
// one with details after those that did not fit took as many bytes. The path of a result is
// written as [Path.Short] does.
func (r *Report) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"version":1,"conforms":`...)
	if r.conforms {
		dst = append(dst, "true"...)
	} else {
		dst = append(dst, "false"...)
	}
	most := r.most
	if most <= 0 {
		most = DefaultReport
	}
	dst = append(dst, `,"results":`...)
	w := resultWriter{most}
	dst, n := w.appendResults(dst, r.Results, plus(len(dst), most))
	if omitted := r.Omitted + len(r.Results) - n; omitted > 0 {
		dst = appendInt(append(dst, `,"omitted":`...), omitted)
	}
	return append(dst, '}')
}

// MarshalJSON returns what AppendJSON appends. It never fails.
func (r *Report) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// resultWriter writes results. Hundreds of them may each have a detail of one long text
// that does not fit, which costs nearly what writing it would: vain is how many bytes of
// what does not fit are still looked at before no more details are.
type resultWriter struct{ vain int }

// appendResults appends results while dst is no longer than end, and returns how many
// they are.
func (w *resultWriter) appendResults(dst []byte, results []Result, end int) ([]byte, int) {
	dst = append(dst, '[')
	for i := range results {
		start := len(dst)
		if n := results[i].least(); start+n >= end {
			w.vain -= n
			return append(dst, ']'), i
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst = w.appendResult(dst, &results[i], end, i == len(results)-1); len(dst) >= end {
			w.vain -= len(dst) - start
			return append(dst[:start], ']'), i
		}
	}
	return append(dst, ']'), len(results)
}

// AppendJSON appends the result as a JSON object, a member of "results". Details that
// make it longer than [DefaultReport] are left out; then it is "truncated".
func (r *Result) AppendJSON(dst []byte) []byte {
	w := resultWriter{DefaultReport}
	return w.appendResult(dst, r, len(dst)+DefaultReport, true)
}

// appendResult appends a result that is no longer than end but for what it has beside its
// details; last says that no other follows, which would have to be told of as well.
func (w *resultWriter) appendResult(dst []byte, r *Result, end int, last bool) []byte {
	dst = appendString(append(dst, `{"focusNode":`...), r.Focus.String())
	if !r.Path.IsZero() {
		dst = appendString(append(dst, `,"path":`...), r.Path.Short(rdf.Term.String))
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
	truncated := r.Truncated
	if len(r.Details) > 0 {
		start, n := len(dst), 0
		room := end - start - len(`],"truncated":true}`) // what follows details
		if !last {
			room /= 2
		}
		if room > 0 && w.vain > 0 { // else none fits, and those of details would be written to find that out
			dst, n = w.appendResults(append(dst, `,"details":`...), r.Details, start+room)
		}
		if n == 0 {
			dst = dst[:start]
		}
		truncated = truncated || n < len(r.Details)
	}
	if truncated {
		dst = append(dst, `,"truncated":true`...)
	}
	return append(dst, '}')
}

// least returns how many bytes the result takes at least, without its details, for leaving
// it out unwritten: a thousand details of a few long texts may each be what does not fit.
func (r *Result) least() int {
	n := leastText(r.Focus.Value()) + leastText(r.Value.Value()) + leastText(r.Shape.Value()) + len(r.Severity)
	if len(r.Messages) > 0 {
		return n + leastText(r.Message())
	}
	rest := r.Reason(func(t rdf.Term) string {
		n += leastText(t.Value())
		return ""
	})
	return n + len(rest)
}

// leastText returns how long a text is as a JSON string, or as a term in one, whichever is
// less.
func leastText(s string) int {
	n := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"', c == '\\', c == '\n', c == '\t':
			n++
		case c == '\b', c == '\f', c == '\r':
			n += len(`\\r`) - 1
		case c < ' ', c == 0x7f:
			n += len(`\u0000`) - 1
		}
	}
	return n
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
