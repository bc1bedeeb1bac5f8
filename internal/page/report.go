package page

import (
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// Report is a validation report for people.
type Report struct {
	Conforms bool     `json:"conforms"`
	Nodes    int      `json:"nodes"`  // that were checked
	Checks   int      `json:"checks"` // what it cost
	Results  []Result `json:"results"`
	Omitted  int      `json:"omitted,omitempty"`
}

// Result is a validation result. Place is in the intent, ShapePlace in the document.
type Result struct {
	Severity   string    `json:"severity"`
	Message    string    `json:"message"`
	Reason     string    `json:"reason,omitempty"` // where the message is the shape's own
	Focus      string    `json:"focus,omitempty"`
	Path       string    `json:"path,omitempty"`
	Value      string    `json:"value,omitempty"`
	Constraint string    `json:"constraint"`
	Shape      string    `json:"shape,omitempty"`
	Place      rdf.Place `json:"place,omitzero"`
	ShapePlace rdf.Place `json:"shapePlace,omitzero"`
	Details    []Result  `json:"details,omitempty"`
	Truncated  bool      `json:"truncated,omitempty"`
}

func reportOf(r *shacl.Report) *Report {
	n := newNamer()
	r = r.Cut()
	return &Report{
		Conforms: r.Conforms(), Nodes: r.FocusNodes, Checks: r.Checks,
		Results: n.results(r.Results), Omitted: r.Omitted,
	}
}

// results describes results with why values do not conform to the shapes that are
// referred to. How deep that goes is a limit of validation.
func (n namer) results(from []shacl.Result) []Result {
	out := make([]Result, len(from))
	for i := range from {
		r := &from[i]
		out[i] = Result{
			Severity: severity(r.Severity), Message: n.reason(r), Focus: n.Term(r.Focus), Path: r.Path.Short(n.Term),
			Value: n.Term(r.Value), Constraint: n.constraint(r), Shape: n.shape(r.Shape, r.ShapePlace),
			Place: r.Place, ShapePlace: r.ShapePlace, Details: n.results(r.Details), Truncated: r.Truncated,
		}
		if len(r.Messages) > 0 {
			out[i].Message, out[i].Reason = r.Message(), out[i].Message
		}
	}
	return out
}

func severity(iri string) string {
	switch iri {
	case vocab.SHViolation:
		return "violation"
	case vocab.SHWarning:
		return "warning"
	case vocab.SHInfo:
		return "info"
	}
	return iri
}
