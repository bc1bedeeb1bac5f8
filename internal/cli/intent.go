package cli

import (
	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) intentCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:     "intent COMMAND",
		Short:   "check intents against the Protocol Document they are under",
		Long:    `Works on intents of the a2a-rdf extension: RDF graphs that ask for an action.`,
		Example: `  rdfproto intent check --protocol protocol.ttl intent.ttl`,
	}, a.intentCheckCommand())
}

func (a *app) intentCheckCommand() *cobra.Command {
	var (
		document string
		response bool
		asJSON   bool
		peer     *peerInput
	)
	cmd := &cobra.Command{
		Use:   "check --protocol DOCUMENT [--pin sha256:HEX] INTENT",
		Short: "check an intent as its receiver does, except for authorization",
		Long: `Checks an intent as a receiver does: reads it within the limits of the
extension, demands one default graph and exactly one intent, and validates that
against the request shape. A result of any severity refuses it. Whether the
sender may do what it asks for is another question.

--response judges a response graph by the response shape instead.

Exit status: 0 valid, 1 not, 3 the intent or the document was refused.`,
		Example: `  rdfproto intent check --protocol protocol.ttl intent.ttl
  rdfproto intent check --json --protocol protocol.ttl intent.ttl`,
		Args: files(1, 1),
	}
	peer = a.addPeerFlags(cmd)
	pin := pinFlag(cmd, "the pin that the document must have, `sha256:HEX`")
	f := cmd.Flags()
	f.StringVar(&document, "protocol", "", "the `FILE` of the Protocol Document")
	f.BoolVar(&response, "response", false, "judge a response, by the response shape")
	f.BoolVar(&asJSON, "json", false, "print the verdict as JSON, with the validation report")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if document == "" {
			return usageError(cmd, "--protocol is missing: the Protocol Document")
		}
		want, err := pin()
		if err != nil {
			return err
		}
		if err := peer.check(cmd); err != nil {
			return err
		}
		d, err := peer.document(cmd.Context(), document, want)
		if err != nil {
			return err
		}
		for _, f := range protocol.Examine(d).Findings {
			if f.Error { // nobody would have agreed to it
				a.warnFinding(document, f)
			}
		}
		return a.judgePayload(cmd, peer, d, args[0], response, asJSON)
	}
	a.inJSON(cmd, &asJSON)
	return cmd
}

// judgePayload judges an intent or a response and writes what came of it.
func (a *app) judgePayload(cmd *cobra.Command, peer *peerInput, d *protocol.Document, file string, response, asJSON bool) error {
	body, mediaType, o, err := peer.read(cmd.Context(), file, protocol.PayloadLimits())
	if err != nil {
		return err
	}
	judge, what := d.ValidateRequest, "the intent"
	if response {
		judge, what = d.ValidateResponse, "the response"
	}
	judged, err := judge(cmd.Context(), body, mediaType, o)
	switch {
	case err != nil:
		return &inFile{o.File, err}
	case judged.Err != nil:
		return &inFile{o.File, judged.Err}
	}
	v := verdict{Status: StatusYes, Message: what + " is valid"}
	if !judged.Valid() {
		v = verdict{Status: StatusNo, Code: string(judged.Code), Message: judged.Reason}
	}
	intent, projected := projection(judged, response)
	if asJSON {
		return a.payloadJSON(v, d, judged, projected)
	}
	n := protocolNamer(d.Dataset())
	if r := judged.Report; r != nil && !judged.Valid() {
		t := &textReport{out: a.out, names: n, color: a.color}
		t.results(r)
		t.wrapped("", 2, t.summary(o.File, r))
	}
	switch {
	case judged.Report == nil || judged.Report.InData == 0:
		a.diag.line("error", rdf.Place{File: o.File}, judged.Reason, string(judged.Code))
	case judged.Valid():
		a.line(o.File + ": " + v.Message)
		if projected != nil {
			a.intentLines(intent, n)
		}
	}
	return ended(v.Status)
}

// projection reads a valid intent of a stock verb.
func projection(v *protocol.Verdict, response bool) (in protocol.Intent, projected *protocol.Intent) {
	if response || !v.Valid() {
		return in, nil
	}
	in, err := protocol.Project(v.Dataset(), v.Intent())
	if err != nil {
		return in, nil
	}
	return in, &in
}

func (a *app) intentLines(in protocol.Intent, n *shapeNamer) {
	field := func(name, value string) {
		if value != "" {
			a.line("  " + name + ": " + value)
		}
	}
	field("verb", in.Verb.String())
	iri := func(s string) string {
		if s == "" {
			return ""
		}
		return n.IRI(s)
	}
	field("target", iri(in.Target))
	field("recipient", iri(in.Recipient))
	field("modes", in.Modes.String())
	field("agent", iri(in.Agent))
	for _, p := range in.Parameters {
		field("parameter "+legible.Cut(p.Key, 60), legible.Cut(p.Value, 200))
	}
}

// intentJSON is an intent of a stock verb in JSON.
type intentJSON struct {
	ID         string            `json:"id,omitempty"`
	Verb       string            `json:"verb"`
	Target     string            `json:"target,omitempty"`
	Recipient  string            `json:"recipient,omitempty"`
	Modes      []string          `json:"modes,omitempty"`
	Agent      string            `json:"agent,omitempty"`
	Parameters []parameterOfJSON `json:"parameters,omitempty"`
}

type parameterOfJSON struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func (a *app) payloadJSON(v verdict, d *protocol.Document, judged *protocol.Verdict, projected *protocol.Intent) error {
	more, err := payloadMembers(d, judged, projected)
	if err != nil {
		return err
	}
	return a.json(v, more)
}

// newIntentJSON returns an intent of a stock verb for JSON, nil for none.
func newIntentJSON(in *protocol.Intent) *intentJSON {
	if in == nil {
		return nil
	}
	out := &intentJSON{in.ID, in.Verb.String(), in.Target, in.Recipient, in.Modes.IRIs(), in.Agent, nil}
	for _, p := range in.Parameters {
		out.Parameters = append(out.Parameters, parameterOfJSON{p.Key, p.Value})
	}
	return out
}

// payloadMembers returns what is said of an intent or a response beside the verdict.
func payloadMembers(d *protocol.Document, judged *protocol.Verdict, projected *protocol.Intent) ([]byte, error) {
	more, err := marshal(struct {
		Hash   string      `json:"hash"`
		Intent *intentJSON `json:"intent,omitempty"`
	}{d.Pin().String(), newIntentJSON(projected)})
	if err != nil {
		return nil, err
	}
	if judged.Report != nil {
		report := judged.Report.AppendJSON(nil)
		more = append(append(more[:len(more)-1], ','), report[len(`{"version":1,`):]...)
	}
	return more, nil
}
