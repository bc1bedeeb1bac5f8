package protocol

import (
	"context"
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// Verdict is what a document says about an intent or a response. Its zero value is
// a refusal, and so is nil.
type Verdict struct {
	// Code is "" when the graph is valid. It is [CodeMalformedPayload],
	// [CodeUnsupportedMediaType] or [CodeLimitExceeded] when there is no graph to
	// judge or judging it would cost too much, else [CodeIntentInvalid] or
	// [CodeResponseInvalid].
	Code   Code
	Reason string

	// Err is why the graph could not be read or judged, with its place; nil when
	// it was judged.
	Err error

	// Report is the validation report, nil when validation was not reached.
	Report *shacl.Report

	graph *rdf.Dataset
	node  rdf.Term
	valid bool
}

// Valid reports whether the graph conforms to the shape that judges it. Nothing else
// permits anything.
func (v *Verdict) Valid() bool { return v != nil && v.valid }

// Dataset returns the graph that was judged, nil when the bytes gave none.
func (v *Verdict) Dataset() *rdf.Dataset {
	if v == nil {
		return nil
	}
	return v.graph
}

// Intent returns the one intent node of a request; the zero Term when there is
// not exactly one, and for responses.
func (v *Verdict) Intent() rdf.Term {
	if v == nil {
		return rdf.Term{}
	}
	return v.node
}

// ValidateRequest judges the bytes of an intent: steps 4 to 6 of the receiving
// procedure (a2a-rdf, section 7.3). It reads them as [ReadPayload] does, demands
// exactly one a2a:Intent, and validates that node, and what the request shape's
// own targets select, against the request shape. A result of any severity
// refuses. Refusals, limits included, are in the Verdict; an error means that ctx
// ended before there was a verdict, and the answer is then no.
func (d *Document) ValidateRequest(ctx context.Context, body []byte, mediaType string, o Options) (*Verdict, error) {
	graph, err := ReadPayload(body, mediaType, o)
	if err != nil {
		return unread(err), nil
	}
	return d.judgeRequest(ctx, graph, o.Validate)
}

// ValidateRequestGraph is [Document.ValidateRequest] for a graph that was already
// read, within whatever limits its reader had.
func (d *Document) ValidateRequestGraph(ctx context.Context, graph *rdf.Dataset, o shacl.Options) (*Verdict, error) {
	if reason := notOneGraph(graph); reason != "" {
		return &Verdict{Code: CodeMalformedPayload, Reason: reason, graph: graph}, nil
	}
	return d.judgeRequest(ctx, graph, o)
}

// judgeRequest judges one default graph.
func (d *Document) judgeRequest(ctx context.Context, graph *rdf.Dataset, o shacl.Options) (*Verdict, error) {
	v := &Verdict{Code: CodeIntentInvalid, graph: graph}
	if d == nil || d.program == nil {
		v.Code, v.Reason = CodeUnsupportedProtocol, "no protocol document"
		return v, nil
	}
	intent, n := intents(graph)
	if n != 1 { // INT-1: an empty graph would conform
		v.Reason = fmt.Sprintf("expected one a2a:Intent, found %d", n)
		return v, nil
	}
	if p := graph.LookupIRI(vocab.A2AAction); p != 0 && graph.Default().Subjects(p, intent).Len() > 0 { // INT-7
		v.Reason = "expected no a2a:Intent as an action, found one"
		return v, nil
	}
	v.node = graph.Term(intent)
	return d.judge(ctx, v, d.request, o, v.node)
}

// ValidateResponse judges the bytes of a response graph against the response
// shape (a2a-rdf, section 7.4). The shape must select at least one node, or the
// check would be empty (RSP-2). A document without a response shape validates no
// response: the Verdict refuses, and the caller that passes such a graph on marks
// it as unvalidated (RSP-3), see [Document.ResponseShape]. Errors are those of
// [Document.ValidateRequest].
func (d *Document) ValidateResponse(ctx context.Context, body []byte, mediaType string, o Options) (*Verdict, error) {
	graph, err := ReadPayload(body, mediaType, o)
	if err != nil {
		return unread(err), nil
	}
	return d.judgeResponse(ctx, graph, o.Validate)
}

// ValidateResponseGraph is [Document.ValidateResponse] for a graph that was already
// read.
func (d *Document) ValidateResponseGraph(ctx context.Context, graph *rdf.Dataset, o shacl.Options) (*Verdict, error) {
	if reason := notOneGraph(graph); reason != "" {
		return &Verdict{Code: CodeMalformedPayload, Reason: reason, graph: graph}, nil
	}
	return d.judgeResponse(ctx, graph, o)
}

func (d *Document) judgeResponse(ctx context.Context, graph *rdf.Dataset, o shacl.Options) (*Verdict, error) {
	v := &Verdict{Code: CodeResponseInvalid, graph: graph}
	if d == nil || d.program == nil {
		v.Code, v.Reason = CodeUnsupportedProtocol, "no protocol document"
		return v, nil
	}
	if d.response.IsZero() {
		v.Reason = "the protocol document has no response shape"
		return v, nil
	}
	return d.judge(ctx, v, d.response, o)
}

// judge validates the given nodes and those that a root shape selects, and nothing
// else: no other shape of the document plays a part unless the root refers to it
// (PD-10).
func (d *Document) judge(ctx context.Context, v *Verdict, root rdf.Term, o shacl.Options, nodes ...rdf.Term) (*Verdict, error) {
	report, err := d.program.ValidateShape(ctx, root, v.graph.Default(), o, nodes...)
	if err != nil {
		if _, ok := errors.AsType[*shacl.LimitError](err); !ok {
			return nil, err
		}
		v.Code, v.Reason, v.Err = CodeLimitExceeded, err.Error(), err // VAL-5
		return v, nil
	}
	v.Report = report
	switch {
	case report.InData == 0:
		v.Reason = "the response shape selects no node of the response"
	case !report.Conforms():
		v.Reason = fmt.Sprintf("the graph does not conform to the protocol document: %s", count(len(report.Results)+report.Omitted, "result"))
	default:
		v.Code, v.valid = "", true
	}
	return v, nil
}

// unread returns the verdict on bytes that ReadPayload refused.
func unread(err error) *Verdict {
	v := &Verdict{Code: CodeMalformedPayload, Reason: err.Error(), Err: err}
	if e, ok := errors.AsType[*Error](err); ok {
		v.Code = e.Code
	}
	return v
}

// Intents returns the subject typed a2a:Intent and how many such subjects there
// are in the default graph; the zero Term unless there is exactly one.
func Intents(graph *rdf.Dataset) (intent rdf.Term, n int) {
	id, n := intents(graph)
	if n != 1 {
		return rdf.Term{}, n
	}
	return graph.Term(id), 1
}

func intents(graph *rdf.Dataset) (intent rdf.ID, n int) {
	typ, class := graph.LookupIRI(vocab.RDFType), graph.LookupIRI(vocab.A2AIntent)
	if typ == 0 || class == 0 {
		return 0, 0
	}
	run := graph.Default().Subjects(typ, class)
	if run.Len() > 0 {
		intent = run.At(0).S
	}
	return intent, run.Len()
}

// count returns a number with what it counts, in the plural unless it is one.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
