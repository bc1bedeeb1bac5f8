package protocol

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// Bounds on documents that may be accepted (a2a-rdf, VAL-6).
const (
	MaxShapes  = 500 // people write ten; a document with more is one that nobody can read
	MaxDepth   = 16  // a request of one action is four deep
	MaxPattern = 512 // characters; matching takes time in proportion to the pattern times the text
	MaxList    = 256 // members of sh:in, sh:or and the like, each of which is tried
)

// FindingCode names a kind of finding. Codes are stable.
type FindingCode string

// The codes of findings that are errors: a document with one is not accepted.
const (
	FindingTooManyShapes  FindingCode = "too-many-shapes"
	FindingTooDeep        FindingCode = "shapes-too-deep"
	FindingNestedClosure  FindingCode = "nested-path-closure"
	FindingPatternTooLong FindingCode = "pattern-too-long"
	FindingListTooLong    FindingCode = "list-too-long"
	FindingUnsatisfiable  FindingCode = "unsatisfiable"
)

// The codes of findings that are warnings. Those of [shacl.Program.Warnings] come in
// addition, as they are spelt there.
const (
	FindingNoIntentTarget   FindingCode = "no-intent-target"
	FindingOtherTarget      FindingCode = "other-target"
	FindingIgnoredTarget    FindingCode = "ignored-target"
	FindingNoResponseTarget FindingCode = "no-response-target"
	FindingEmptyResponse    FindingCode = "empty-response-shape"
	FindingBlankRoot        FindingCode = "blank-root"
	FindingLanguageCase     FindingCode = "language-tag-case"
	FindingLexicalForm      FindingCode = "lexical-form"
	FindingMetadata         FindingCode = "metadata"
	FindingCostly           FindingCode = "costly"
	FindingShapesGraph      FindingCode = "shapes-graph-ignored"
)

// FindingCodes returns the codes of errors and of warnings, without those of package
// shacl, each in a fixed order.
func FindingCodes() (errors, warnings []FindingCode) {
	return []FindingCode{
			FindingTooManyShapes, FindingTooDeep, FindingNestedClosure, FindingPatternTooLong, FindingListTooLong, FindingUnsatisfiable,
		}, []FindingCode{
			FindingNoIntentTarget, FindingOtherTarget, FindingIgnoredTarget, FindingNoResponseTarget, FindingEmptyResponse, FindingBlankRoot,
			FindingLanguageCase, FindingLexicalForm, FindingMetadata, FindingCostly, FindingShapesGraph,
		}
}

// Text returns one sentence on what the code means, and "" for a code that is not
// of this package.
func (c FindingCode) Text() string {
	switch c {
	case FindingTooManyShapes:
		return "the document has more shapes than may be accepted"
	case FindingTooDeep:
		return "shapes refer to shapes more deeply than may be accepted"
	case FindingNestedClosure:
		return "a path repeats within a path that repeats"
	case FindingPatternTooLong:
		return "a pattern is longer than may be accepted"
	case FindingListTooLong:
		return "a list of alternatives or values is longer than may be accepted"
	case FindingUnsatisfiable:
		return "no graph can conform to a shape"
	case FindingNoIntentTarget:
		return "the request shape does not say that it is about intents"
	case FindingOtherTarget:
		return "a target selects other nodes than the intent"
	case FindingIgnoredTarget:
		return "a shape has a target and is neither the request nor the response shape: the target selects nothing"
	case FindingNoResponseTarget:
		return "no target of the response shape selects a node"
	case FindingEmptyResponse:
		return "the response shape demands nothing"
	case FindingBlankRoot:
		return "the request or response shape is a blank node, which some readers do not follow"
	case FindingLanguageCase:
		return "a language tag has capitals, which some readers lower"
	case FindingLexicalForm:
		return "a literal is written in a way that some readers change"
	case FindingMetadata:
		return "a title, description or version is repeated or not a literal, so it is not shown"
	case FindingCostly:
		return "judging one message may exceed the default budget"
	case FindingShapesGraph:
		return "sh:shapesGraph was not followed"
	}
	return ""
}

// maxFindings is how many findings of one code a review keeps: more of a kind
// tells nobody more.
const maxFindings = 20

// Finding is something that a review found.
type Finding struct {
	Error bool // the document cannot be accepted
	Code  FindingCode
	Text  string    // what was found and what it means
	Shape rdf.Term  // the shape that it is about, the zero Term for none
	Place rdf.Place // as far as places were kept
}

// Cost says what judging one graph against a root shape may take, in the unit of
// [shacl.Options.MaxChecks]. A number too large for an int is [math.MaxInt].
type Cost struct {
	// Checks is the worst case for one node of the data when no property of any
	// node has more than 1, 10 and 100 values, and a path that repeats leads to no
	// more nodes than that. Subclasses that the data declares are not part of it: for
	// each class that the shape names, the triples of its subclasses are walked once
	// for the whole graph. Nor are long texts and numbers in the data, see
	// [shacl.Program.WorstCase].
	Checks [3]int
	// Values is how many values a property may have before one node can exceed
	// the default budget: 0 when one value is enough, and [math.MaxInt] when a
	// payload cannot hold enough of them.
	Values int
	// OneNode reports that the targets select nothing but the intent, and the
	// instances of what the data itself declares to be a subclass of a2a:Intent.
	// Otherwise they may select as many nodes as the data holds.
	OneNode bool
}

// Review is what accepting a document amounts to: a validation workload, and what
// is wrong or unwise with it (a2a-rdf, VAL-6). The zero Review and nil accept
// nothing.
type Review struct {
	// Findings are the errors, then the warnings, each in the order of the
	// document.
	Findings []Finding
	// Omitted is how many more there are than the first 20 of each code.
	Omitted int

	Quads       int // of the document
	Shapes      int // of the document, used or not
	Constraints int
	Depth       int // shapes on the longest chain of references
	Lists       int // members of the longest sh:in, sh:and, sh:or or sh:xone
	Patterns    int // sh:pattern constraints
	Pattern     int // characters of the longest
	Closures    int // shapes with a path that repeats without bound

	Request  Cost
	Response Cost // the zero Cost when there is no response shape

	doc    *Document
	errors int
	kept   map[FindingCode]int
}

// checkBudget is the budget of validation that costs are compared with: the
// default of shacl.Options.MaxChecks (a2a-rdf, VAL-4).
const checkBudget = 1_000_000

// Examine reviews a document. The Review of nil is nil.
func Examine(d *Document) *Review {
	if d == nil || d.program == nil {
		return nil
	}
	r := &Review{doc: d, Quads: d.graph.Len(), kept: map[FindingCode]int{}}
	shapes := d.program.Shapes()
	r.Shapes = len(shapes)
	if r.Shapes > MaxShapes {
		r.fail(FindingTooManyShapes, shacl.Shape{}, rdf.Place{}, "expected at most %d shapes, found %d", MaxShapes, r.Shapes)
	}
	deepest := &shacl.Shape{}
	for i := range shapes {
		r.shape(&shapes[i])
		if shapes[i].Depth > deepest.Depth {
			deepest = &shapes[i]
		}
	}
	if r.Depth > MaxDepth && r.kept[FindingTooDeep] == 0 { // something refers to the head of every chain
		r.tooDeep(deepest)
	}
	r.Request = r.cost(d.request)
	r.Request.OneNode = true
	r.targets(d)
	if !d.response.IsZero() {
		r.Response = r.cost(d.response)
	}
	r.costly("request", r.Request, d.request)
	if !d.response.IsZero() {
		r.costly("response", r.Response, d.response)
	}
	for _, w := range d.program.Warnings() {
		root := w.Shape == d.request || w.Shape == d.response
		if w.Code == shacl.CodeNoTarget && root {
			continue // r.targets reports what that means here
		}
		r.add(Finding{Error: refusable(w), Code: FindingCode(w.Code), Text: w.Text, Shape: w.Shape, Place: w.Place})
	}
	r.triples(d)
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		switch {
		case a.Error == b.Error:
			return 0
		case a.Error:
			return -1
		}
		return 1
	})
	return r
}

// refusable reports whether a warning about shapes is an error of a document.
func refusable(w shacl.Warning) bool {
	switch w.Code {
	case shacl.CodeUnsatisfiable:
		// Bounds that exclude each other are errors (VAL-6); that no value can be compared
		// with a bound may be meant for a branch of sh:or.
		return w.Property == vocab.SHMaxCount || w.Property == vocab.SHMaxLength || w.Property == vocab.SHQualifiedMaxCount
	case shacl.CodeTolerated, shacl.CodeWrongNamespace:
		// What is ill-formed, and what only looks like SHACL, has no effect here and may
		// have one for the peer, or for the person who reads the document (PD-11).
		return true
	}
	return false
}

func (r *Review) add(f Finding) {
	if f.Error {
		r.errors++
	}
	if r.kept[f.Code]++; r.kept[f.Code] > maxFindings {
		r.Omitted++
		return
	}
	r.Findings = append(r.Findings, f)
}

func (r *Review) fail(code FindingCode, s shacl.Shape, place rdf.Place, format string, args ...any) {
	r.add(Finding{true, code, fmt.Sprintf(format, args...), s.Term, place})
}

func (r *Review) warn(code FindingCode, shape rdf.Term, place rdf.Place, format string, args ...any) {
	r.add(Finding{false, code, fmt.Sprintf(format, args...), shape, place})
}

// shape counts a shape, holds it to the bounds, and warns of targets that nothing looks at.
func (r *Review) shape(s *shacl.Shape) {
	r.Constraints += len(s.Constraints)
	if s.Term != r.doc.request && s.Term != r.doc.response && !s.Deactivated {
		for i := range s.Targets { // PD-10: a processor of plain SHACL would judge what they select
			r.warn(FindingIgnoredTarget, s.Term, s.Targets[i].Place, "the shape %s has %s, which selects nothing here: only the request and the response shape judge, and the shapes that they refer to", s.Term.Abbreviated(), targetText(&s.Targets[i]))
		}
	}
	r.Depth = max(r.Depth, s.Depth)
	if s.Depth > MaxDepth && !s.Referred { // once for a chain: at its head
		r.tooDeep(s)
	}
	if n := s.Path.Closures(); n > 0 {
		r.Closures++
		if n > 1 {
			r.fail(FindingNestedClosure, *s, s.Place, "expected no sh:zeroOrMorePath or sh:oneOrMorePath within another, found %d", n)
		}
	}
	for i := range s.Constraints {
		c := &s.Constraints[i]
		switch c.Parameter {
		case vocab.SHPattern:
			n := utf8.RuneCountInString(c.Value.Value())
			r.Patterns, r.Pattern = r.Patterns+1, max(r.Pattern, n)
			if n > MaxPattern {
				r.fail(FindingPatternTooLong, *s, c.Place, "expected a pattern of at most %d characters, found %d", MaxPattern, n)
			}
		case vocab.SHIn, vocab.SHLanguageIn:
			r.list(s, c, len(c.List))
		case vocab.SHAnd, vocab.SHOr, vocab.SHXone:
			r.list(s, c, len(c.Shapes))
		}
	}
}

func (r *Review) tooDeep(s *shacl.Shape) {
	r.fail(FindingTooDeep, *s, s.Place, "expected shapes at most %d deep, found %d", MaxDepth, s.Depth)
}

func (r *Review) list(s *shacl.Shape, c *shacl.Constraint, n int) {
	r.Lists = max(r.Lists, n)
	if n > MaxList {
		r.fail(FindingListTooLong, *s, c.Place, "expected at most %d members of sh:%s, found %d", MaxList, strings.TrimPrefix(c.Parameter, vocab.SH), n)
	}
}

// cost computes what validating a node against a root takes.
func (r *Review) cost(root rdf.Term) Cost {
	var c Cost
	checks := func(values int) int {
		n, _ := r.doc.program.WorstCase(root, values)
		return n
	}
	for i, values := range [...]int{1, 10, 100} {
		c.Checks[i] = checks(values)
	}
	// The bound grows with the number of values: look for the last one that fits.
	most := PayloadLimits().Quads
	if checks(most) <= checkBudget {
		c.Values = math.MaxInt
		return c
	}
	low, high := 0, most // the bound fits for low, where 0 stands for nothing, and not for high
	for high-low > 1 {
		if mid := (low + high) / 2; checks(mid) <= checkBudget {
			low = mid
		} else {
			high = mid
		}
	}
	c.Values = low
	return c
}

// costly warns of shapes that an ordinary message can make exceed the budget: the
// peer then gets a refusal, not an answer.
func (r *Review) costly(which string, c Cost, root rdf.Term) {
	const ordinary = 10 // values of one property
	if c.Values < ordinary {
		r.warn(FindingCostly, root, r.place(root), "the %s shape may exceed the budget of %d checks when properties have more than %s", which, checkBudget, count(c.Values, "value"))
	}
}

func (r *Review) place(shape rdf.Term) rdf.Place { return r.doc.placeOf(r.doc.graph.Lookup(shape)) }

// targets warns about what the root shapes select (PD-13, RSP-2).
func (r *Review) targets(d *Document) {
	request, _ := d.program.Shape(d.request)
	intent := false
	for _, t := range request.Targets {
		if t.Property == vocab.SHTargetClass && t.Value.Value() == vocab.A2AIntent {
			intent = true
			continue
		}
		r.Request.OneNode = false
		r.warn(FindingOtherTarget, d.request, t.Place, "the request shape does not judge the intent alone: it has %s", targetText(&t))
	}
	if !intent {
		r.warn(FindingNoIntentTarget, d.request, r.place(d.request), "the request shape has no sh:targetClass a2a:Intent: other processors may not apply it to the intent")
	}
	if d.request.Kind() == rdf.KindBlank {
		r.warn(FindingBlankRoot, d.request, r.place(d.request), "the request shape is a blank node: some agents find only shapes with an IRI")
	}
	if d.response.IsZero() {
		return
	}
	response, _ := d.program.Shape(d.response)
	if len(response.Targets) == 0 {
		r.warn(FindingNoResponseTarget, d.response, r.place(d.response), "the response shape has no target: it selects no node, so that every response is refused")
	}
	if !newDemands(d.program).any(d.response) {
		r.warn(FindingEmptyResponse, d.response, r.place(d.response), "nothing violates the response shape: every response that it selects conforms")
	}
	if d.response.Kind() == rdf.KindBlank {
		r.warn(FindingBlankRoot, d.response, r.place(d.response), "the response shape is a blank node: some agents find only shapes with an IRI")
	}
}

// targetText names a target.
func targetText(t *shacl.Target) string {
	if t.Property == vocab.RDFType {
		return "the target of a class, " + t.Value.Abbreviated()
	}
	return "sh:" + strings.TrimPrefix(t.Property, vocab.SH) + " " + t.Value.Abbreviated()
}

// Accept returns the document as one that may be offered or accepted. It fails with
// an [*Error] of [CodeInvalidProtocolDocument] when the review found an error.
func (r *Review) Accept() (*Reviewed, error) {
	switch {
	case r == nil || r.doc == nil:
		return nil, errors.New("nothing was reviewed")
	case r.errors > 0:
		i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Error })
		text := "the review found an error"
		if i >= 0 { // whoever has the review can change what it says
			text = r.Findings[i].Text
		}
		return nil, refuse(CodeInvalidProtocolDocument, "the document was rejected in review: "+text, nil)
	}
	return &Reviewed{r.doc}, nil
}

// Document returns the document that was reviewed, nil for none.
func (r *Review) Document() *Document {
	if r == nil {
		return nil
	}
	return r.doc
}

// Reviewed is a Document that was reviewed and found free of errors: what may be
// offered or accepted. Nothing but [Review.Accept] makes one. The zero Reviewed
// and nil have no pin and stand for no document. It is immutable and safe for
// concurrent use.
type Reviewed struct {
	doc *Document
}

// Document returns the document, nil for none.
func (r *Reviewed) Document() *Document {
	if r == nil {
		return nil
	}
	return r.doc
}

// Pin returns the document's pin, the zero Digest for none.
func (r *Reviewed) Pin() canon.Digest { return r.Document().Pin() }
