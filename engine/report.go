package engine

import (
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/shacl"
)

// maxReasons bounds the text of a ReportError: who needs more reads the report.
const maxReasons = 4

// ReportError says why a graph does not conform. The [*protocol.Error] with which
// [Engine.Intent] and [Engine.Respond] refuse a graph of this side wraps one. For a
// graph of a peer, make one from [Outcome.Report]; its text is for this side only.
type ReportError struct{ Report *shacl.Report }

// Error returns the first reasons in one line, each after the path that it is about.
// Terms are abbreviated.
func (e *ReportError) Error() string {
	if e.Report == nil {
		return "nothing was validated"
	}
	var reasons []string
	more := e.Report.Omitted
	name := func(t rdf.Term) string { return t.Abbreviated() }
	var collect func(results []shacl.Result)
	collect = func(results []shacl.Result) {
		for i := range results {
			r := &results[i]
			switch {
			case len(r.Details) > 0: // why a value does not conform to a shape within
				collect(r.Details)
			case len(reasons) == maxReasons:
				more++
			case r.Path.IsZero():
				reasons = append(reasons, r.Reason(name))
			default:
				reasons = append(reasons, r.Path.Short(name)+": "+r.Reason(name))
			}
		}
	}
	collect(e.Report.Results)
	if more > 0 {
		reasons = append(reasons, "and "+strconv.Itoa(more)+" more")
	}
	if len(reasons) == 0 {
		return "the report holds no result"
	}
	return strings.Join(reasons, "; ")
}

// invalid is the verdict on a graph of one's own as an error.
func invalid(c protocol.Code, v *protocol.Verdict) error {
	e := &protocol.Error{Code: c, Reason: v.Reason}
	if v.Report != nil && len(v.Report.Results) > 0 {
		e.Err = &ReportError{v.Report}
	}
	return e
}
