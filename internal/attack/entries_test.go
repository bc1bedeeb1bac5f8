package attack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/xpattern"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/xsd"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

// form is what a text is written in, or what it is about: it says which hostile inputs
// are meant for an entry point.
type form string

const (
	inTurtle  form = "turtle"
	inNQuads  form = "nquads"
	inJSON    form = "json"
	inJSONLD  form = "json-ld"
	aShape    form = "shapes"
	aPolicy   form = "policy"
	aList     form = "status list"
	aPattern  form = "pattern"
	aTerm     form = "term"
	aMessage  form = "message"
	aWorkflow form = "workflow"
	aSecured  form = "secured"
)

// outcome is what became of an input. The zero outcome refuses.
type outcome struct {
	ok      bool
	code    string // why not
	content string // of what was accepted, where something vouches for it
}

func accepted(content string) outcome { return outcome{ok: true, content: content} }

func refused[C ~string](code C) outcome { return outcome{code: string(code)} }

// entry is one thing that takes bytes from a peer.
type entry struct {
	name string
	// covers are the functions of the module whose bytes these are, as package.Function
	// or package.Type.Method.
	covers []string
	// valid are inputs that are accepted.
	valid [][]byte
	forms []form
	// signed entries accept no input but what says the same as the valid one.
	signed bool
	// run gives the input to the entry point. An error is a failure of the test, unless
	// it is that of ctx.
	run func(ctx context.Context, data []byte) (outcome, error)
	// local entries read what the operator names, within other limits.
	local bool
}

// unexplained is the code of refusals that have none: plain errors.
const unexplained = "refused"

var rdfCodes = []rdf.Code{
	rdf.CodeSyntax, rdf.CodeInvalidUTF8, rdf.CodeInvalidEscape, rdf.CodeInvalidIRI, rdf.CodeRelativeIRI,
	rdf.CodeUndefinedPrefix, rdf.CodeInvalidLabel, rdf.CodeInvalidLang, rdf.CodeInvalidTerm, rdf.CodeLimitExceeded,
	jsonld.CodeTrailingData, jsonld.CodeByteOrderMark, jsonld.CodeLoneSurrogate, jsonld.CodeDuplicateMember, jsonld.CodeNumberRange,
}

// check returns the outcome of a function that fails with an error.
func check(err error) (outcome, error) { return checked("", err) }

// checked is check for a function whose success has content.
func checked(content string, err error) (outcome, error) {
	if err == nil {
		return accepted(content), nil
	}
	return refusal(err)
}

// refusal returns the code of an error of a reader, and an error where it has none that
// is documented.
func refusal(err error) (outcome, error) {
	if len(err.Error()) > 8<<10 {
		if e, ok := errors.AsType[*shacl.CompileError](err); !ok || len(e.Problems) > 1000 {
			return outcome{}, fmt.Errorf("a text of %d bytes", len(err.Error()))
		}
	}
	known := func(code string, ok bool) (outcome, error) {
		if !ok || code == "" {
			return outcome{}, fmt.Errorf("the code %q is not documented: %w", code, err)
		}
		return refused(code), nil
	}
	if e, ok := errors.AsType[*protocol.Error](err); ok {
		return known(string(e.Code), slices.Contains(protocol.Codes(), e.Code))
	}
	if e, ok := errors.AsType[*handshake.Error](err); ok {
		return known(string(e.Code), slices.Contains(protocol.Codes(), e.Code))
	}
	if e, ok := errors.AsType[*agentcard.Error](err); ok {
		return known(string(e.Code), slices.Contains(agentcard.Codes(), e.Code))
	}
	if e, ok := errors.AsType[*terms.Error](err); ok {
		return known(string(e.Code), slices.Contains(terms.Codes(), e.Code))
	}
	if e, ok := errors.AsType[*owg.Error](err); ok {
		return known(string(e.Code), slices.Contains(owg.Codes(), e.Code))
	}
	if e, ok := errors.AsType[*odrl.CompileError](err); ok {
		return known(string(e.Code()), slices.Contains(odrl.Codes(), e.Code()))
	}
	if e, ok := errors.AsType[*delegation.RevocationError](err); ok {
		return known(string(e.Code()), slices.Contains(delegation.Codes(), e.Code()))
	}
	if e, ok := errors.AsType[*odrl.LimitError](err); ok {
		return known(string(rdf.CodeLimitExceeded), e.Limit != "" && e.Max > 0)
	}
	if e, ok := errors.AsType[*odrl.RequestError](err); ok {
		return known("malformed-request", e.Message != "")
	}
	if e, ok := errors.AsType[*canon.LimitError](err); ok {
		return known(string(e.Code()), slices.Contains(rdfCodes, e.Code()) && e.Max > 0)
	}
	if e, ok := errors.AsType[*rdf.LimitError](err); ok {
		return known(string(rdf.CodeLimitExceeded), e.Limit != "" && e.Max > 0)
	}
	if e, ok := errors.AsType[*rdf.SyntaxError](err); ok {
		return known(string(e.Code), slices.Contains(rdfCodes, e.Code) && e.Place.Line > 0)
	}
	if e, ok := errors.AsType[*rdf.TermError](err); ok {
		return known(string(e.Code), slices.Contains(rdfCodes, e.Code))
	}
	if e, ok := errors.AsType[*jsonld.Error](err); ok {
		return known(string(e.Code), e.Message() != "")
	}
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return known(string(e.Code), e.Line > 0)
	}
	if e, ok := errors.AsType[*shacl.CompileError](err); ok {
		return known(string(e.Problems[0].Code), true)
	}
	if e, ok := errors.AsType[*xpattern.Error](err); ok {
		return known(unexplained, e.Error() != "")
	}
	if e, ok := errors.AsType[*xsd.IllTypedError](err); ok {
		return known("ill-typed", e.Error() != "")
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return outcome{}, err
	}
	return outcome{}, fmt.Errorf("an error of type %T has no code: %w", err, err)
}

// plain is for functions whose errors are texts without codes.
func plain(content string, err error) (outcome, error) {
	switch {
	case err == nil:
		return accepted(content), nil
	case err.Error() == "" || len(err.Error()) > 8<<10:
		return outcome{}, fmt.Errorf("a text of %d bytes", len(err.Error()))
	}
	return refused(unexplained), nil
}

// found is the outcome of a report of package vc.
func found(codes []vc.Code, verified bool, content string) (outcome, error) {
	for _, c := range codes {
		if !slices.Contains(vc.Codes(), c) || c.Text() == "" {
			return outcome{}, fmt.Errorf("the code %q is not documented", c)
		}
	}
	if verified != (len(codes) == 0) {
		return outcome{}, fmt.Errorf("verified is %t with the findings %q", verified, codes)
	}
	if verified {
		return accepted(content), nil
	}
	return refused(codes[0]), nil
}

// quads is what a graph says.
func quads(ctx context.Context, d *rdf.Dataset) (string, error) {
	c, err := canon.Canonicalize(ctx, d, canon.Options{})
	if err != nil {
		return "", err
	}
	return string(c.NQuads()), nil
}

// decided is the outcome of an authority decision.
func decided(d authz.Decision, err error) (outcome, error) {
	switch {
	case err != nil:
		return outcome{}, err
	case d.Authorized():
		return accepted("authorized"), nil
	case !slices.Contains(authz.Codes(), d.Code) || d.Reason == "":
		return outcome{}, fmt.Errorf("the code %q is not documented, or has no reason", d.Code)
	}
	return refused(d.Code), nil
}

func one(docs ...[]byte) [][]byte { return docs }

// entries is the table.
func entries(w *world) []entry {
	return slices.Concat(rdfEntries(w), protocolEntries(w), authorityEntries(w), cardEntries(w), workflowEntries(w), serverEntries(w))
}
