package page

import (
	"errors"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/shacl"
)

// mostProblems is how many problems of one text are shown: who mends the first ten looks
// again.
const mostProblems = 20

// problemsOf says what an error about a text means: at least one problem. The innermost
// error that has a place is told.
func problemsOf(file string, err error) []Problem {
	var (
		shapes  *shacl.CompileError
		syntax  *rdf.SyntaxError
		json    *jsonld.Error
		limit   *rdf.LimitError
		work    *canon.LimitError
		model   *protocol.ModelError
		refusal *protocol.Error
		input   *vectors.InputError
		strict  *strictjson.Error
		request *odrl.RequestError
	)
	one := func(code, text string, place rdf.Place) []Problem {
		if !place.IsZero() && place.File == "" {
			place.File = file
		}
		return []Problem{{code, text, place}}
	}
	switch {
	case errors.As(err, &shapes):
		var all []Problem
		for _, p := range shapes.Problems[:min(mostProblems, len(shapes.Problems))] {
			all = append(all, one(string(p.Code), p.Text, p.Place)...)
		}
		return all
	case errors.As(err, &model):
		return one(string(protocol.CodeInvalidProtocolDocument), model.Text+" ("+model.Rule+")", model.Place)
	case errors.As(err, &syntax):
		return one(string(syntax.Code), syntax.Message(), syntax.Place)
	case errors.As(err, &json):
		return one(string(json.Code), json.Message(), json.Place)
	case errors.As(err, &limit):
		return one(string(rdf.CodeLimitExceeded), limit.Message(), limit.Place)
	case errors.As(err, &work):
		return one(string(rdf.CodeLimitExceeded), work.Error(), rdf.Place{})
	case errors.As(err, &input):
		return one("invalid-input", input.Text, rdf.Place{Line: input.Line, Column: input.Column})
	case errors.As(err, &request):
		return one("invalid-input", request.Message, request.Place)
	case errors.As(err, &strict):
		return one(string(strict.Code), strict.Text, rdf.Place{Line: strict.Line, Column: strict.Column})
	case errors.As(err, &refusal):
		return one(string(refusal.Code), refusal.Error(), rdf.Place{})
	}
	return one("invalid-input", err.Error(), rdf.Place{})
}
