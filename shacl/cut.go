package shacl

import (
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// Cut returns the report with no more than fits in Options.MaxReport bytes, for writing
// it in another form than JSON, which has that bound built in: the first results, and as
// many of the passes. What is left out is counted in Omitted and OmittedPasses. Details of
// a result that others follow are left out where they take more than half of what is left
// when it comes, and those of the last one where they do not fit; it is Truncated then.
// After details that did not fit took as many bytes, those of all that follow are left out.
// Where all fit it returns r itself.
//
// The bytes are reckoned as a form writes them that has whole paths and all messages of
// the shapes, as a graph has; one that says some things twice can take three times as
// many.
func (r *Report) Cut() *Report {
	most := r.most
	if most <= 0 {
		most = DefaultReport
	}
	c := cutter{most}
	kept, left := c.results(r.Results, most)
	passes, room := 0, most
	for ; passes < len(r.Passes); passes++ {
		if room -= r.Passes[passes].size(); room < 0 {
			break
		}
	}
	if left >= 0 && passes == len(r.Passes) {
		return r
	}
	short := *r
	short.Omitted += len(r.Results) - len(kept)
	short.Results = kept
	short.OmittedPasses += len(r.Passes) - passes
	short.Passes = r.Passes[:passes:passes]
	return &short
}

// cutter cuts results; vain as of [resultWriter].
type cutter struct{ vain int }

// results returns the results that fit in a number of bytes, and what is left of it:
// less than nothing when some do not. Results are copied when there is less of them than
// there was.
func (c *cutter) results(results []Result, left int) ([]Result, int) {
	kept, copied := results, false
	change := func(i int) {
		if !copied {
			kept, copied = slices.Clone(results[:i]), true
		}
	}
	for i := range results {
		r := &results[i]
		n := r.size()
		if left -= n; left < 0 {
			c.vain -= n
			change(i)
			return kept, left
		}
		room := left
		if i < len(results)-1 {
			room /= 2 // what follows is told of as well
		}
		if c.vain <= 0 {
			room = 0
		}
		details, rest := []Result(nil), room
		if len(r.Details) > 0 {
			if rest = -1; room > 0 {
				details, rest = c.results(r.Details, room)
			}
		}
		if rest < 0 {
			change(i)
			short := *r
			short.Details, short.Truncated = details, true
			kept = append(kept, short)
			left -= room
			continue
		}
		left -= room - rest
		if copied {
			kept = append(kept, *r)
		}
	}
	if copied {
		return kept, -1
	}
	return kept, left
}

// size reckons the bytes of a result without its details.
func (r *Result) size() int {
	const frame = 500 // names of members or properties, and places
	n := frame + termSize(r.Focus) + termSize(r.Value) + termSize(r.Shape) + textSize(r.Constraint) + textSize(r.Severity)
	n = plus(n, r.Path.size())
	for _, m := range r.Messages {
		n = plus(n, termSize(m))
	}
	if len(r.Messages) == 0 {
		n = plus(n, textSize(r.Reason(rdf.Term.String)))
	}
	return n
}

func (p *Pass) size() int {
	const frame = 100
	return plus(frame+termSize(p.Focus)+termSize(p.Shape)+textSize(p.Property)+termSize(p.Parameter), p.Path.size())
}

// size reckons the bytes of a path.
func (p Path) size() int {
	const frame = 60 // of a member of a list
	switch {
	case p.p == nil:
		return 0
	case p.p.kind == predicatePath:
		return frame + len(p.p.iri.Value())
	}
	return frame*p.p.length + p.p.bytes
}

func termSize(t rdf.Term) int {
	const frame = len(`""^^<>`)
	n := frame + textSize(t.Value()) + len(t.Lang())
	if t.Kind() == rdf.KindLiteral && t.Lang() == "" {
		n += textSize(t.Datatype())
	}
	return n
}

// textSize returns how long a text is with its escapes, of the forms that need most.
func textSize(s string) int {
	const escape = len(`\u0000`)
	n := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"', c == '\\', c == '\n', c == '\t':
			n++
		case c < ' ', c == 0x7f:
			n += escape - 1
		}
	}
	return n
}
