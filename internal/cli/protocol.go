package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

func (a *app) protocolCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "protocol COMMAND",
		Short: "verify, review, make and compare Protocol Documents",
		Long: `Works on Protocol Documents of the a2a-rdf extension: RDF graphs whose body is a
SHACL shape and whose identity is their hash, the pin.`,
		Example: `  rdfproto protocol verify protocol.ttl --pin sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509
  rdfproto protocol review protocol.ttl
  rdfproto protocol build --verb grant --id https://me.example/p --title Grant
  rdfproto protocol diff protocol.ttl protocol.ttl`,
	}, a.protocolVerifyCommand(), a.protocolReviewCommand(), a.protocolBuildCommand(), a.protocolDiffCommand(), a.protocolFetchCommand())
}

// peerInput reads what agents send each other, within the limits of the extension
// and without a base, so that a verdict here is the same as an agent's.
type peerInput struct {
	in       *input
	contexts *jsonld.Contexts
}

// addPeerFlags gives a command the flags of reading what agents send.
func (a *app) addPeerFlags(cmd *cobra.Command) *peerInput {
	p := &peerInput{in: &input{app: a, limits: &limits{}, formatFlag: "--format"}}
	f := cmd.Flags()
	f.StringVar(&p.in.format, "format", "", "syntax of the input: turtle, ntriples or jsonld; by default from the file's extension, for standard input turtle")
	f.StringArrayVar(&p.in.jsonld.contexts, "context", nil, "JSON-LD: take the remote context with an IRI from a file, `IRI=FILE` (repeatable); any other is refused")
	f.Var(newLimitFlag(p.in.limits), "limit", "set a limit (repeatable); by default they are those of the extension, which are lower than those of other commands")
	completeFlag(cmd, "format", formats()...)
	return p
}

// check reads what the flags name.
func (p *peerInput) check(cmd *cobra.Command) error {
	if err := p.in.check(cmd); err != nil || len(p.in.jsonld.contexts) == 0 {
		return err
	}
	o, err := p.in.jsonldOptions(cmd.Context())
	p.contexts = o.Contexts
	return err
}

// read returns the bytes of a file, their media type and the options to read them
// with, given the limits that nobody set.
func (p *peerInput) read(ctx context.Context, file string, preset rdf.Limits) (body []byte, mediaType string, o protocol.Options, err error) {
	syntax, err := p.in.syntax(file)
	if err != nil {
		return nil, "", o, err
	}
	o = p.in.limits.peer(preset)
	o.File, o.Contexts = display(file), p.contexts
	in := *p.in
	in.limits = &limits{read: o.Limits}
	body, err = in.bytes(ctx, file, o.Limits.Bytes)
	return body, syntax.MediaType(), o, err
}

// peer returns the options to read what agents send each other by limits that a caller set,
// and those of the extension where nobody did: the presets, and what is 0.
func (l *limits) peer(preset rdf.Limits) protocol.Options {
	o := protocol.Options{Limits: override(preset, l.read), JSONLD: l.jsonld, Canon: l.canon, Compile: l.compile, Validate: l.validate}
	o.Validate.MaxDepth = l.compile.MaxDepth
	return o
}

// override returns limits in which those that were set replace the others.
func override(l, set rdf.Limits) rdf.Limits {
	pick64 := func(to *int64, n int64) {
		if n > 0 {
			*to = n
		}
	}
	pick := func(to *int, n int) {
		if n > 0 {
			*to = n
		}
	}
	pick64(&l.Bytes, set.Bytes)
	pick64(&l.TermBytes, set.TermBytes)
	pick(&l.Quads, set.Quads)
	pick(&l.BlankNodes, set.BlankNodes)
	pick(&l.IRIBytes, set.IRIBytes)
	pick(&l.LiteralBytes, set.LiteralBytes)
	pick(&l.Nesting, set.Nesting)
	pick(&l.Prefixes, set.Prefixes)
	return l
}

// candidate reads a Protocol Document and hashes it.
func (p *peerInput) candidate(ctx context.Context, file string) (*protocol.Candidate, error) {
	body, mediaType, o, err := p.read(ctx, file, protocol.DocumentLimits())
	if err != nil {
		return nil, err
	}
	c, err := protocol.Parse(ctx, body, mediaType, o)
	if err != nil {
		return nil, &inFile{o.File, err}
	}
	return c, nil
}

// document reads a Protocol Document and checks every rule on it, against its own
// pin where no pin was given.
func (p *peerInput) document(ctx context.Context, file string, pin *canon.Digest) (*protocol.Document, error) {
	c, err := p.candidate(ctx, file)
	if err != nil {
		return nil, err
	}
	want := c.Pin()
	if pin != nil {
		want = *pin
	}
	return verified(c, want, display(file))
}

// verified verifies a candidate. That it has another pin is a clear no.
func verified(c *protocol.Candidate, pin canon.Digest, file string) (*protocol.Document, error) {
	d, err := c.Verify(pin)
	if refusal, ok := errors.AsType[*protocol.Error](err); ok && refusal.Code == protocol.CodeProtocolHashMismatch {
		return nil, &failure{
			status: StatusNo, place: rdf.Place{File: file}, code: string(refusal.Code),
			text: "the document has the pin " + c.Pin().String() + ", not the one that was asked for",
		}
	}
	if err != nil {
		return nil, &inFile{file, err}
	}
	return d, nil
}

// requiredPinFlag gives a command the flag --pin and returns what reads it. Without the
// flag the call is wrong, and missing says why.
func requiredPinFlag(cmd *cobra.Command, missing string) func() (canon.Digest, error) {
	pin := pinFlag(cmd, "the pin that the document must have, `sha256:HEX`")
	return func() (canon.Digest, error) {
		want, err := pin()
		switch {
		case err != nil:
			return canon.Digest{}, err
		case want == nil:
			return canon.Digest{}, usageError(cmd, "--pin is missing; "+missing)
		}
		return *want, nil
	}
}

// pinFlag gives a command the flag --pin and returns what reads it, nil without.
func pinFlag(cmd *cobra.Command, usage string) func() (*canon.Digest, error) {
	var pin string
	cmd.Flags().StringVar(&pin, "pin", "", usage)
	return func() (*canon.Digest, error) {
		if !cmd.Flags().Changed("pin") {
			return nil, nil
		}
		d, err := canon.ParseDigest(pin)
		if err != nil {
			return nil, usageError(cmd, "--pin: "+err.Error())
		}
		return &d, nil
	}
}

// protocolNamer names terms by the prefixes that Protocol Documents and intents use.
func protocolNamer(shapes *rdf.Dataset) *shapeNamer { return newNamer(legible.OfProtocols(), shapes) }

// protocolFailure turns refusals of packages protocol and handshake into a failure,
// and reports whether err is one.
func protocolFailure(err error) (f failure, ok bool) {
	var (
		model   *protocol.ModelError
		refusal *protocol.Error
		message *handshake.Error
	)
	switch {
	case errors.As(err, &model):
		return failure{status: StatusRefused, place: model.Place, text: model.Text + " (" + model.Rule + ")", code: string(protocol.CodeInvalidProtocolDocument)}, true
	case errors.As(err, &message):
		return failure{status: StatusRefused, place: message.Place, text: message.Error(), code: string(message.Code)}, true
	case errors.As(err, &refusal):
		return failure{status: StatusRefused, text: refusal.Error(), code: string(refusal.Code)}, true
	}
	return failure{}, false
}

func (a *app) protocolVerifyCommand() *cobra.Command {
	var (
		asJSON bool
		peer   *peerInput
	)
	cmd := &cobra.Command{
		Use:   "verify --pin sha256:HEX DOCUMENT",
		Short: "compare the pin, then check every rule on Protocol Documents",
		Long: `Compares the pin of a Protocol Document before anything else of it is used, and
then checks every rule on its model and its shapes.

Exit status: 0 verified, 1 it has another pin, 3 it is malformed or uses
features that are not evaluated.`,
		Example: `  rdfproto protocol verify protocol.ttl --pin sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509`,
		Args:    files(1, 1),
	}
	peer = a.addPeerFlags(cmd)
	pin := requiredPinFlag(cmd, "protocol review shows the pin that a document has")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the verdict as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		want, err := pin()
		if err != nil {
			return err
		}
		if err := peer.check(cmd); err != nil {
			return err
		}
		d, err := peer.document(cmd.Context(), args[0], &want)
		if err != nil {
			return err
		}
		a.warnOfPin(args[0], d)
		if asJSON {
			more, err := marshal(describe(d))
			if err != nil {
				return err
			}
			return a.json(verdict{Status: StatusYes, Message: "the document is verified"}, more)
		}
		a.documentLine(args[0], "verified", d)
		return nil
	}
	a.inJSON(cmd, &asJSON)
	return cmd
}

// warnOfPin warns of what may give the document another pin for another reader.
func (a *app) warnOfPin(file string, d *protocol.Document) {
	for _, f := range protocol.Examine(d).Findings {
		if f.Code == protocol.FindingLanguageCase || f.Code == protocol.FindingLexicalForm {
			a.warnFinding(file, f)
		}
	}
}

func (a *app) warnFinding(file string, f protocol.Finding) {
	if f.Place.File == "" {
		f.Place.File = display(file)
	}
	a.diag.warn(f.Place, f.Text, string(f.Code))
}

// documentLine writes a verdict about a document with its labels.
func (a *app) documentLine(file, verdict string, d *protocol.Document) {
	line := display(file) + ": " + verdict
	if title := d.Title(); title != "" {
		line += ", " + legible.Cut(title, 80)
		if v := d.Version(); v != "" {
			line += " " + legible.Cut(v, 20)
		}
	}
	a.line(line)
}

// line writes a line of text with what a terminal would obey made visible.
func (a *app) line(s string) {
	// A failed write is kept for the end of the command.
	_, _ = a.out.Write([]byte(printable(s) + "\n"))
}

// description is a document in JSON.
type description struct {
	Hash          string `json:"hash"`
	ID            string `json:"id"`
	Title         string `json:"title,omitempty"`
	Description   string `json:"description,omitempty"`
	DocVersion    string `json:"docVersion,omitempty"`
	RequestShape  string `json:"requestShape"`
	ResponseShape string `json:"responseShape,omitempty"`
}

func describe(d *protocol.Document) description {
	out := description{
		Hash: d.Pin().String(), ID: d.ID(), Title: d.Title(), Description: d.Description(), DocVersion: d.Version(),
		RequestShape: d.RequestShape().String(),
	}
	if s, ok := d.ResponseShape(); ok {
		out.ResponseShape = s.String()
	}
	return out
}
