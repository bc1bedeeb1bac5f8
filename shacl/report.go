package shacl

import (
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// Report is a validation report (section 3.6). The zero Report does not conform.
// Its terms and places keep the memory of the data and of the shapes.
type Report struct {
	conforms bool
	most     int // Options.MaxReport

	// Results are the validation results: by shape in the order of the shapes
	// graph, then by focus node in the order of the data, then by constraint.
	Results []Result
	// Omitted is how many more results there are than were kept.
	Omitted int
	// Passes are the constraints that held, when Options.Passes asked for
	// them, in the order of Results.
	Passes []Pass
	// OmittedPasses is how many more there are than were kept.
	OmittedPasses int
	// Warnings are about the data: targets that select nothing, no data at all.
	Warnings []Warning
	// FocusNodes is how many pairs of a shape and a node were validated. A report
	// with none conforms, and says nothing about the data: see InData.
	FocusNodes int
	// InData is how many of those pairs have a node that occurs in the data graph, as
	// the subject or the object of a triple. The other nodes are named by
	// sh:targetNode or by the caller; a report on those alone says nothing about the
	// data either.
	InData int
	// Checks is what the validation cost, in the unit of Options.MaxChecks.
	Checks int
}

// Conforms reports whether validation was completed without a result of any
// severity (section 3.6.1.1, sh:conforms).
func (r *Report) Conforms() bool { return r.conforms }

// take adds what blocks found, up to a number of results.
func (r *Report) take(blocks []block, most int) {
	for i := range blocks {
		b := &blocks[i].sink
		n := min(len(b.results), most-len(r.Results))
		r.Omitted += b.omitted + len(b.results) - n
		m := min(len(b.passes), most-len(r.Passes))
		r.OmittedPasses += b.omittedPasses + len(b.passes) - m
		if len(r.Results) == 0 && n == len(b.results) {
			r.Results = b.results // most often there is one block
		} else {
			r.Results = append(r.Results, b.results[:n]...)
		}
		r.Passes = append(r.Passes, b.passes[:m]...)
	}
}

// Result is a validation result (section 3.6.2). Members that do not apply are
// zero.
type Result struct {
	Focus      rdf.Term   // sh:focusNode
	Path       Path       // sh:resultPath
	Value      rdf.Term   // sh:value
	Constraint string     // sh:sourceConstraintComponent, an IRI
	Shape      rdf.Term   // sh:sourceShape, as the shapes graph names it
	Severity   string     // sh:resultSeverity, an IRI
	Messages   []rdf.Term // the values of the shape's sh:message, without language first, then by language
	Details    []Result   // sh:detail: why a value does not conform to a shape that the constraint refers to
	Member     int        // of a detail: the position of its shape in the list of sh:and, sh:or or sh:xone, from 1; else 0
	Truncated  bool       // there are more details than were looked for

	// Place is where the value stands in the data, or, where there is none,
	// where the focus node first stands as a subject. For a value at the end of
	// a path of several steps it is the first triple that could be the last
	// step.
	Place rdf.Place
	// ShapePlace is where the shape begins.
	ShapePlace rdf.Place

	why     *constraint
	other   rdf.Term
	count   int
	members []int
	unlike  bool
}

// Message returns what to tell a person: the shape's sh:message, one without a
// language before English before any other, or else what [Result.Reason] says
// with full IRIs.
func (r *Result) Message() string {
	if len(r.Messages) == 0 {
		return r.Reason(rdf.Term.String)
	}
	best := r.Messages[0]
	if best.Lang() == "" {
		return best.Value()
	}
	// They are in the order of their languages, and a shape may have many.
	const english = "en"
	i, _ := slices.BinarySearchFunc(r.Messages, english, func(m rdf.Term, lang string) int { return foldCompare(m.Lang(), lang) })
	if i < len(r.Messages) && langMatches(r.Messages[i].Lang(), english) {
		best = r.Messages[i]
	}
	return best.Value()
}

// Reason says why the constraint is violated, whatever sh:message says, with
// terms named by name. It is in English, begins in lower case, and has no full
// stop: "expected at least 1 value, found 0".
func (r *Result) Reason(name func(rdf.Term) string) string {
	if r.why == nil {
		return ""
	}
	return r.why.check.reason(r, name)
}

// Parameter returns the value of the parameter that declares the violated
// constraint: the number of a sh:minCount, the class of a sh:class.
func (r *Result) Parameter() rdf.Term {
	if r.why == nil {
		return rdf.Term{}
	}
	return r.why.value
}

// Property returns the IRI of that parameter, which names the constraint as the
// shape writes it: sh:minCount. For the zero Result it is "".
func (r *Result) Property() string {
	if r.why == nil {
		return ""
	}
	return r.why.component.parameter()
}

// Pass is a constraint that held for a focus node.
type Pass struct {
	Focus      rdf.Term
	Path       Path
	Constraint string   // the component's IRI
	Shape      rdf.Term // that has the constraint
	ShapePlace rdf.Place
	Property   string   // the IRI of the parameter that declares it
	Parameter  rdf.Term // the value of that parameter
}

// Terms visits the terms that a report shows of a result and of its details, for
// choosing prefixes.
func (r *Result) Terms(visit func(rdf.Term)) {
	for _, t := range [...]rdf.Term{r.Focus, r.Value, r.Shape, r.other, r.Parameter()} {
		if !t.IsZero() {
			visit(t)
		}
	}
	if r.Path.p != nil {
		most := shortPath / len("<>/") // predicates that Path.Short shows, at most
		r.Path.p.visit(visit, &most)
	}
	for i := range r.Details {
		r.Details[i].Terms(visit)
	}
}

func (p *path) visit(visit func(rdf.Term), most *int) {
	if *most <= 0 {
		return
	}
	if p.kind == predicatePath {
		*most--
		visit(p.iri)
	}
	for _, part := range p.parts {
		part.visit(visit, most)
	}
}

// BySeverity returns how many of the kept results have a severity.
func (r *Report) BySeverity(severity string) int {
	n := 0
	for i := range r.Results {
		if r.Results[i].Severity == severity {
			n++
		}
	}
	return n
}
