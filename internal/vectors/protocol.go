package vectors

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/shacl"
)

// protocolOperations are those of the suite of the a2a-rdf extension (section 13.1
// of its requirements).
func protocolOperations() []Operation {
	return []Operation{
		{"rdfc10-hash", []string{"graph"}, hashGraph},
		{"verify-pd-pin", []string{"body", "pinnedHash", "mediaType"}, verifyPin},
		{"decode-handshake", []string{"payload"}, decodeHandshake},
		{"decode-handshake-bytes", []string{"message"}, decodeHandshakeBytes},
		{"decode-handshake-graph", []string{"graph"}, decodeHandshakeGraph},
		{"may-downgrade-to-nl", []string{"offer", "response"}, mayDowngrade},
		{"validate-intent", []string{"dataGraph", "shapesGraph"}, validateIntent},
		{"review-document", []string{"document"}, reviewDocument},
	}
}

// dataset reads a member of the input as RDF: in the syntax of the file's
// extension, Turtle where it is no file.
func dataset(c *Case, memberName string) (*rdf.Dataset, error) {
	text, name, err := c.Text(memberName)
	if err != nil {
		return nil, err
	}
	syntax := rdfio.Turtle
	if name != "" {
		syntax, _ = rdfio.ByExtension(name)
	}
	return rdfio.Parse(text, syntax, rdfio.Options{Limits: protocol.DocumentLimits(), File: name})
}

func hashGraph(ctx context.Context, c *Case) (Outcome, error) {
	d, err := dataset(c, "graph")
	if err != nil {
		return nil, err
	}
	canonical, err := canon.Canonicalize(ctx, d, canon.Options{})
	if err != nil {
		return nil, err
	}
	return Outcome{Text("hash", canon.Sum(canonical.NQuads()).String()), Text("canonical", string(canonical.NQuads()))}, nil
}

// verifyPin compares the pin of a body and nothing else: whether the graph is a
// Protocol Document is no question of this operation.
func verifyPin(ctx context.Context, c *Case) (Outcome, error) {
	body, _, err := c.Text("body")
	if err != nil {
		return nil, err
	}
	mediaType := "text/turtle"
	if v := c.Input.Get("mediaType"); v.Exists() {
		var ok bool
		if mediaType, ok = v.Str(); !ok {
			return nil, fmt.Errorf("expected a string for %q, found %s", "mediaType", v.Kind())
		}
	}
	text, _ := c.Input.Get("pinnedHash").Str() // what is no string is no pin
	pin, err := canon.ParseDigest(text)
	if err != nil {
		return Outcome{Bool("ok", false)}, nil
	}
	candidate, err := protocol.Parse(ctx, body, mediaType, protocol.Options{})
	if err != nil {
		return Outcome{Bool("ok", false)}, ctx.Err()
	}
	return Outcome{Bool("ok", candidate.Pin().Equal(pin))}, nil
}

// message reads a member of the input as a handshake message.
func message(c *Case, memberName string) (handshake.Message, error) {
	v := c.Input.Get(memberName)
	if !v.Exists() {
		return nil, fmt.Errorf("the member %q is missing", memberName)
	}
	m, err := handshake.Parse([]byte(v.Source()), handshake.Options{})
	if err != nil {
		return nil, nil // refused, which is an outcome
	}
	return m, nil
}

func decodeHandshake(_ context.Context, c *Case) (Outcome, error) {
	m, err := message(c, "payload")
	if err != nil {
		return nil, err
	}
	return Outcome{Bool("ok", m != nil)}, nil
}

// decodeHandshakeBytes reads a handshake message of bytes that a case.json could not hold
// as JSON, which the public suite does not have: the outcome is that of decode-handshake.
func decodeHandshakeBytes(_ context.Context, c *Case) (Outcome, error) {
	data, err := c.file(members(c.Input), "message")
	if err != nil {
		return nil, err
	}
	_, err = handshake.Parse(data, handshake.Options{})
	return Outcome{Bool("ok", err == nil)}, nil
}

// decodeHandshakeGraph reads a handshake message in its RDF form (section 4.3), which the
// public suite does not have: the outcome is that of decode-handshake.
func decodeHandshakeGraph(_ context.Context, c *Case) (Outcome, error) {
	text, name, err := c.Text("graph")
	if err != nil {
		return nil, err
	}
	syntax := rdfio.Turtle
	if name != "" {
		syntax, _ = rdfio.ByExtension(name)
	}
	_, err = handshake.ParseText(text, syntax.MediaType(), handshake.Options{})
	return Outcome{Bool("ok", err == nil)}, nil
}

// mayDowngrade allows natural language only where both messages are what they
// should be: what cannot be read decides nothing.
func mayDowngrade(_ context.Context, c *Case) (Outcome, error) {
	var m handshake.Message
	var err error
	if m, err = message(c, "offer"); err != nil {
		return nil, err
	}
	offer, isOffer := m.(handshake.Offer)
	if v := c.Input.Get("response"); v.Exists() && v.Kind() != strictjson.Null { // a response may be absent
		if m, err = message(c, "response"); err != nil {
			return nil, err
		}
	} else {
		m = nil
	}
	response, isResponse := m.(handshake.Response)
	allowed := isOffer && isResponse && handshake.Decide(offer, response).MayDowngrade()
	return Outcome{Bool("downgrade", allowed)}, nil
}

// validateIntent validates as an ordinary SHACL processor does, with the whole
// document as shapes graph (section 7.3, standard mode).
func validateIntent(ctx context.Context, c *Case) (Outcome, error) {
	shapes, err := dataset(c, "shapesGraph")
	if err != nil {
		return nil, err
	}
	data, err := dataset(c, "dataGraph")
	if err != nil {
		return nil, err
	}
	program, err := shacl.Compile(shapes.Default(), shacl.CompileOptions{})
	if err != nil {
		return nil, err
	}
	report, err := program.Validate(ctx, data.Default(), shacl.Options{})
	if err != nil {
		return nil, err
	}
	return Outcome{Bool("conforms", report.Conforms())}, nil
}

// reviewDocument says whether a graph is a Protocol Document that may be accepted (sections
// 2.3 and 9.3), which the public suite does not ask.
func reviewDocument(ctx context.Context, c *Case) (Outcome, error) {
	text, name, err := c.Text("document")
	if err != nil {
		return nil, err
	}
	syntax, ok := rdfio.ByExtension(name)
	if !ok {
		return nil, fmt.Errorf("cannot tell the syntax from the extension of %q", rdf.Abbreviate(name))
	}
	refused := func(err error) (Outcome, error) {
		fault, ok := errors.AsType[*protocol.Error](err)
		if !ok {
			return nil, err
		}
		return Outcome{Bool("ok", false), Text("code", string(fault.Code))}, nil
	}
	candidate, err := protocol.Parse(ctx, text, syntax.MediaType(), protocol.Options{})
	if err != nil {
		return refused(err)
	}
	document, err := candidate.Verify(candidate.Pin())
	if err != nil {
		return refused(err)
	}
	r := protocol.Examine(document)
	var faults []string
	for _, f := range r.Findings {
		if f.Error {
			faults = append(faults, string(f.Code))
		}
	}
	slices.Sort(faults)
	_, err = r.Accept()
	return Outcome{Bool("ok", err == nil)}.list("errors", slices.Compact(faults)), nil
}
