package cli

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) messageCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:     "message COMMAND",
		Short:   "check whole A2A messages as an agent would receive them",
		Long:    `Works on messages of A2A 1.0 that carry payloads of the a2a-rdf extension.`,
		Example: `  rdfproto message check --config agent.json message.json`,
	}, a.messageCheckCommand())
}

func (a *app) messageCheckCommand() *cobra.Command {
	var (
		config string
		asJSON bool
		in     *input
	)
	cmd := &cobra.Command{
		Use:   "check --config CONFIG MESSAGE",
		Short: "take one message through the engine, without a network",
		Long: `Takes a message through the steps of an agent that receives it as a request:
activation and binding, replay, the pin, the payload, the shape, authority.
MESSAGE is the JSON of an A2A 1.0 message. CONFIG says who receives it, and the
files that it names are relative to it, unless their paths are absolute:

  {"peer":"IRI of the authenticated sender",
   "context":"ctx-1",                       where the agreements are
   "extensions":["https://w3id.org/jeswr/a2a-rdf/v1"],  asked for, the default
   "card":"card.json",                      the receiver's own: what it declares
   "documents":{"sha256:HEX":"pd.ttl",      held, verified and reviewed here
     "https://...":"list.json"},            status lists, as in --documents of
                                            "rdfproto authz check"
   "agreements":["sha256:HEX"],             with the peer in the context
   "seen":["messageId"],                    of other messages in the context
   "authorize":true, "keys":"DIR", "root":"IRI", "policies":["policy.ttl"],
   "challenge":"issued for the message", "domain":"this agent's URL"}

The sender of an intent must present a chain of credentials that comes from
"root", for the challenge and domain; with "authorize":false, authority is not
asked for. Nothing is kept and nothing is carried out.

It prints each step with its outcome, and what does not conform as "rdfproto
validate" does. What an agent tells the peer is the code alone.

Exit status: 0 an intent or an offer is accepted, 1 it is not, 3 MESSAGE is no
message or CONFIG was refused, 4 the message carries nothing of the extension.`,
		Example: `  rdfproto message check --config agent.json message.json
  rdfproto message check --json --config agent.json - < message.json`,
		Args: files(1, 1),
	}
	in = &input{app: a, limits: addLimitFlag(cmd)}
	at := atFlag(cmd, "of the verdict")
	f := cmd.Flags()
	f.StringVar(&config, "config", "", "the `FILE` that says who receives the message")
	f.BoolVar(&asJSON, "json", false, "print the outcome as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if config == "" {
			return usageError(cmd, "--config is missing: who receives the message")
		}
		now, err := at()
		if err != nil {
			return err
		}
		data, err := in.bytes(cmd.Context(), args[0], fixedBytes)
		if err != nil {
			return err
		}
		m, err := engine.ParseMessage(data, engine.Limits{})
		if err != nil {
			return &inFile{display(args[0]), err}
		}
		r, err := in.receiver(cmd, config, now)
		if err != nil {
			return err
		}
		o, err := r.check(cmd.Context(), m)
		if err != nil {
			return err
		}
		return a.outcome(args[0], &o, r.documents, asJSON)
	}
	return cmd
}

// outcome writes what a message came to. The report of a graph that does not conform
// names shapes by their places in the document.
func (a *app) outcome(file string, o *engine.Outcome, documents *protocol.Store, asJSON bool) error {
	v := verdict{Status: StatusNo, Code: string(o.Code), Message: o.Reason}
	var projected *protocol.Intent
	switch {
	case o.Kind == engine.KindIntent:
		v = verdict{Status: StatusYes, Message: "the intent is accepted"}
		if in, err := o.Intent.Project(); err == nil {
			projected = &in
		}
	case o.Kind == engine.KindReply && o.Code == "":
		v = verdict{Status: StatusYes, Message: "the offer is accepted"}
	case o.Kind == engine.KindReply:
		v.Message = "the offer is declined: " + o.Reason
	case o.Kind == engine.KindProse:
		v = verdict{Status: StatusNothing, Message: "the message carries nothing of the extension"}
	case v.Message == "":
		v.Message = o.Kind.String()
	}
	if asJSON {
		return a.outcomeJSON(v, o, projected)
	}
	v.Message = display(file) + ": " + v.Message
	a.verdictLine(v)
	if projected != nil {
		a.intentLines(*projected, protocolNamer(o.Intent.Document().Dataset()))
	}
	for line := range strings.Lines(o.Trace.String()) {
		a.line("  " + strings.TrimSuffix(line, "\n"))
	}
	if o.Report == nil {
		return ended(v.Status)
	}
	var shapes *rdf.Dataset
	if d, ok := documents.Get(o.Pin); ok {
		shapes = d.Document().Dataset()
	}
	t := &textReport{out: a.out, names: protocolNamer(shapes), color: a.color}
	t.line("", "")
	t.results(o.Report)
	return ended(v.Status)
}

func (a *app) outcomeJSON(v verdict, o *engine.Outcome, projected *protocol.Intent) error {
	out := struct {
		Outcome         string          `json:"outcome"`
		ContextID       string          `json:"contextId,omitempty"`
		Hash            string          `json:"hash,omitempty"`
		SecurityBearing *bool           `json:"securityBearing,omitempty"`
		Intent          *intentJSON     `json:"intent,omitempty"`
		Reply           json.RawMessage `json:"reply,omitempty"`
		Report          json.RawMessage `json:"report,omitempty"`
		Trace           json.RawMessage `json:"trace"`
	}{Outcome: o.Kind.String(), ContextID: o.ContextID, Intent: newIntentJSON(projected), Trace: o.Trace.AppendJSON(nil)}
	if !o.Pin.IsZero() {
		out.Hash = o.Pin.String()
	}
	if o.Intent != nil {
		secure := o.Intent.SecurityBearing()
		out.SecurityBearing = &secure
	}
	if o.Message != nil {
		reply, err := o.Message.AppendJSON(nil)
		if err != nil {
			return errors.Join(errors.New("the reply cannot be written"), err)
		}
		out.Reply = reply
	}
	if o.Report != nil {
		out.Report = o.Report.AppendJSON(nil)
	}
	more, err := marshal(out)
	if err != nil {
		return err
	}
	return a.json(v, more)
}
