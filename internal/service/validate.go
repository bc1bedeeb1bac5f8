package service

import (
	"context"
	"fmt"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/shacl"
)

// maxShapes is how many documents one shapes graph may be made of.
const maxShapes = 16

// validateRequest is the body of /v1/validate: data, and either shapes or the pin of a
// Protocol Document that is held.
type validateRequest struct {
	data           document
	shapes         []document
	protocol       string
	as             string
	requireTargets bool
}

func (q *validateRequest) fields() []field {
	return []field{
		{"data", true, q.data.read},
		{"shapes", false, list(func(v strictjson.Value) error {
			var d document
			err := d.read(v)
			q.shapes = append(q.shapes, d)
			return err
		})},
		{"protocol", false, filled(&q.protocol)},
		{"as", false, filled(&q.as)},
		{"requireTargets", false, flag(&q.requireTargets)},
	}
}

// validate validates data against shapes, or an intent or a response against a
// Protocol Document.
func (s *Server) validate(ctx context.Context, r *request) answer {
	v, err := r.json()
	if err != nil {
		return refusal(err)
	}
	var q validateRequest
	if err := readFields(v, q.fields()...); err != nil {
		return refusal(err)
	}
	switch {
	case (len(q.shapes) > 0) == (q.protocol != ""):
		return refusal(malformed("expected either shapes or a protocol"))
	case len(q.shapes) > maxShapes:
		return refusal(&requestError{CodeLimitExceeded, fmt.Sprintf("expected at most %d documents of shapes, found %d", maxShapes, len(q.shapes))})
	case q.protocol != "":
		return s.validatePayload(ctx, &q)
	case q.as != "":
		return refusal(malformed("as goes with a protocol"))
	}
	return s.validateShapes(ctx, &q)
}

// validateShapes is the command "validate": the default graph of the data is
// validated against the default graph of all shapes.
func (s *Server) validateShapes(ctx context.Context, q *validateRequest) answer {
	limits := documentLimits()
	b := rdf.NewBuilder(limits)
	for i := range q.shapes {
		if err := q.shapes[i].parseInto(b, fmt.Sprintf("shapes/%d", i), s.judge.contexts, limits, true); err != nil {
			return refusal(err)
		}
	}
	shapes := b.Dataset()
	program, err := shacl.Compile(shapes.Default(), shacl.CompileOptions{})
	if err != nil {
		return refusal(err)
	}
	if err := ctx.Err(); err != nil {
		return refusal(err)
	}
	b = rdf.NewBuilder(payloadLimits())
	if err := q.data.parseInto(b, "data", s.judge.contexts, payloadLimits(), true); err != nil {
		return refusal(err)
	}
	data := b.Dataset()
	report, err := program.Validate(ctx, data.Default(), shacl.Options{Workers: 1}) // the requests are the parallel work
	if err != nil {
		return refusal(err)
	}
	more, err := reportMembers(report, append(program.Warnings(), report.Warnings...), shapes, data)
	switch {
	case err != nil:
		return answer{cause: err}
	case q.requireTargets && report.InData == 0:
		return answer{http: 200, verdict: cli.StatusNothing, code: "no-node-checked", message: "no node was checked", more: more}
	case report.Conforms():
		return yes("the data conforms", more)
	}
	return no("does-not-conform", "the data does not conform: "+cli.Count(len(report.Results)+report.Omitted, "result"), more)
}

// reportMembers returns the members of a report and the warnings.
func reportMembers(r *shacl.Report, warnings []shacl.Warning, shapes, data *rdf.Dataset) ([]byte, error) {
	var all []problem
	for _, w := range warnings {
		p := problem{Code: string(w.Code), Message: w.Text}
		if !w.Place.IsZero() {
			p.Place = &w.Place
		}
		all = append(all, p)
	}
	for _, d := range []struct {
		name string
		*rdf.Dataset
	}{{"shapes", shapes}, {"data", data}} {
		if n := len(d.GraphNames()); n > 0 {
			all = append(all, problem{Code: "named-graphs", Message: "left out of the " + d.name + ", where only the default graph counts: " + cli.Count(n, "named graph")})
		}
	}
	more := r.AppendJSON(nil)
	if len(all) == 0 {
		return more, nil
	}
	text, err := cli.Marshal(all)
	if err != nil {
		return nil, err
	}
	more = append(more[:len(more)-1], `,"warnings":`...)
	return append(append(more, text...), '}'), nil
}

// validatePayload is the command "intent check" with a document that is held.
func (s *Server) validatePayload(ctx context.Context, q *validateRequest) answer {
	response := false
	switch q.as {
	case "intent", "":
	case "response":
		response = true
	default:
		return refusal(malformed(`as: expected "intent" or "response", found %s`, quote(q.as)))
	}
	pin, err := canon.ParseDigest(q.protocol)
	switch {
	case err != nil:
		return refusal(malformed("protocol: %s", err))
	case q.data.base != "":
		return refusal(malformed("what agents send has no base"))
	case q.requireTargets:
		return refusal(malformed("requireTargets goes with shapes"))
	}
	held, ok := s.judge.documents.Get(pin)
	if !ok {
		a := refuse(Code(protocol.CodeUnsupportedProtocol), "no document with this pin is held here")
		a.http = 422
		return a
	}
	d := held.Document()
	judge := d.ValidateRequest
	if response {
		judge = d.ValidateResponse
	}
	judged, err := judge(ctx, []byte(q.data.content), q.data.mediaType, protocol.Options{File: "data", Contexts: s.judge.contexts, Validate: shacl.Options{Workers: 1}})
	switch {
	case err != nil:
		return refusal(err)
	case judged.Err != nil:
		return refusal(judged.Err)
	}
	more, err := cli.PayloadJSON(d, judged, response)
	switch {
	case err != nil:
		return answer{cause: err}
	case judged.Valid() && response:
		return yes("the response is valid", more)
	case judged.Valid():
		return yes("the intent is valid", more)
	}
	return no(string(judged.Code), judged.Reason, more)
}
