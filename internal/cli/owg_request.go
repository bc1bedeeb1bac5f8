package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// requesting is a call of owg request.
type requesting struct {
	*cardPolicy

	o                        owg.RequestOptions
	card, policy             string
	inputs, under, received  string
	asJSON, asHTTP, asIntent bool
}

func (a *app) owgRequestCommand() *cobra.Command {
	var q requesting
	cmd := &cobra.Command{
		Use:   "request FILE TASK",
		Short: "make the A2A request that hands a task over",
		Long: `Makes the A2A request that hands a task to the agent that performs it, and
prints its body; nothing is sent. What is wrong with the workflow, a delegation
that has lapsed or is wider than what was received, and a card that does not
meet --card-policy refuse it. Nothing is said of other participants and tasks.

With --intent the hand-off is printed as an intent (Turtle) under the Protocol
Document for performing a task, which needs no card.

Exit status: 0 the request was written, 1 it must not be made, 3 refused.`,
		Example: `  rdfproto owg request --card vendor-card.json season.json dub
  rdfproto owg request --card vendor-card.json --http season.json dub
  rdfproto owg request --intent season.json dub`,
		Args: fileAnd("a TASK"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, task := args[0], args[1]
			if err := q.options(cmd); err != nil {
				return err
			}
			w, err := q.in.workflow(cmd.Context(), file)
			if err != nil {
				return err
			}
			if q.asIntent {
				return a.handOffIntent(file, w, task, q.o)
			}
			d, err := CardDemand(cmd, q.policy)
			if err != nil {
				return err
			}
			if err := q.findCard(cmd, w, file, task); err != nil {
				return err
			}
			if err := q.readOwn(cmd); err != nil {
				return err
			}
			c, report, err := q.judge(cmd, q.card)
			if err != nil {
				return err
			}
			admitted, found, err := owg.AdmitCard(report, d)
			if err != nil {
				return &inFile{c.name, err}
			}
			a.warnings(c.name, found)
			r, err := w.Request(task, admitted, q.o)
			if err != nil {
				return &inFile{display(file), err}
			}
			a.warnings(file, r.Warnings)
			return a.requestOut(r, append(found, r.Warnings...), q.asJSON, q.asHTTP)
		},
	}
	a.inJSON(cmd, &q.asJSON)
	q.cardPolicy = a.addCardPolicyFlags(cmd, "the agent's card from where the workflow says, and ", " and delegations count")
	f := cmd.Flags()
	f.StringVar(&q.card, "card", "", "the performer's `CARD`: a file, an https URL, domain:NAME")
	f.StringVar(&q.o.ID, "id", "1", "the `ID` of the JSON-RPC request")
	f.StringVar(&q.o.MessageID, "message-id", "", "the `ID` of the message; by default a new UUID")
	f.StringVar(&q.o.ContextID, "context", "", "go on in the context with this `ID`")
	f.StringVar(&q.o.TaskID, "task-id", "", "answer the remote task with this `ID`, which waits for input")
	f.StringVar(&q.inputs, "inputs", "", "the inputs, a JSON object in this `FILE`, instead of those of the task")
	f.StringVar(&q.under, "under", "", "hand on no more than the workflow received, by the run record in this `FILE`")
	f.StringVar(&q.received, "received", "", "with --under: the remote task `ID` of what it received, where the record has several")
	f.StringVar(&q.o.DelegationKey, "delegation-key", owg.DelegationKey, "the metadata `KEY` of the delegation")
	f.BoolVar(&q.o.DiscloseIdentity, "disclose-identity", false, "send the identity of the delegator")
	f.BoolVar(&q.asIntent, "intent", false, "print the hand-off as an intent under the Protocol Document")
	f.BoolVar(&q.asHTTP, "http", false, "print the request line and the headers as well")
	f.BoolVar(&q.asJSON, "json", false, "print the request and what was found as JSON")
	cmd.MarkFlagsMutuallyExclusive("intent", "http", "json")
	addDemandFlag(cmd, &q.policy)
	spellAtAsNow(cmd)
	return cmd
}

// options reads what the request is to hold.
func (q *requesting) options(cmd *cobra.Command) error {
	if q.received != "" && q.under == "" {
		return usageError(cmd, "--received goes with --under")
	}
	var err error
	if q.o.Now, err = q.at(); err != nil {
		return err
	}
	if q.inputs != "" {
		if q.o.Inputs, err = q.in.bytes(cmd.Context(), q.inputs, q.in.limits.owg.UpdateBytes); err != nil {
			return err
		}
	}
	if q.under != "" {
		if q.o.Under, err = q.in.received(cmd, q.under, q.received); err != nil {
			return err
		}
	}
	if q.o.MessageID == "" {
		q.o.MessageID = newUUID()
	}
	return nil
}

// findCard finds the performer's card where --card names none: with --online it is where
// the workflow says.
func (q *requesting) findCard(cmd *cobra.Command, w *owg.Workflow, file, task string) error {
	if t, ok := w.Task(task); ok && q.card == "" && q.online {
		var err error
		if q.card, err = w.CardURL(t.PerformedBy); err != nil {
			return &inFile{display(file), err}
		}
	}
	if q.card == "" {
		return usageError(cmd, "--card is missing; with --online it is fetched from where the workflow says")
	}
	return nil
}

// received reads the delegation under which a workflow runs out of its record.
func (in *cardInput) received(cmd *cobra.Command, file, task string) (*owg.Delegation, error) {
	data, err := in.bytes(cmd.Context(), file, in.limits.owg.RecordBytes)
	if err != nil {
		return nil, err
	}
	r, err := owg.ParseRecord(data, in.limits.owg)
	if err != nil {
		return nil, &inFile{display(file), err}
	}
	d, err := r.Under(task)
	if err == nil && d == nil {
		err = &owg.Error{Code: owg.CodeRecord, Text: "the record has no hand-off that was accepted"}
	}
	if err != nil {
		return nil, &inFile{display(file), err}
	}
	return d, nil
}

// handOffIntent prints a hand-off as an intent.
func (a *app) handOffIntent(file string, w *owg.Workflow, task string, o owg.RequestOptions) error {
	h, found, err := w.HandOff(task, o)
	if err != nil {
		return &inFile{display(file), err}
	}
	a.warnings(file, found)
	g, err := h.Intent(protocol.IntentBase + o.MessageID)
	if err != nil {
		return &inFile{display(file), err}
	}
	return turtle.Write(a.out, g, turtle.WriteOptions{Prefixes: []turtle.Prefix{
		{Name: "a2a", IRI: vocab.A2A}, {Name: "owg", IRI: owg.Vocabulary}, {Name: "schema", IRI: vocab.Schema}, {Name: "xsd", IRI: vocab.XSD}, {Name: "rdf", IRI: vocab.RDF},
	}})
}

func (a *app) requestOut(r *owg.Request, found []owg.Finding, asJSON, asHTTP bool) error {
	if asJSON {
		headers := map[string]string{}
		for _, h := range r.Headers {
			headers[h.Name] = h.Value
		}
		more, err := marshal(struct {
			Binding  string            `json:"binding"`
			Method   string            `json:"method"`
			URL      string            `json:"url"`
			Headers  map[string]string `json:"headers"`
			Body     json.RawMessage   `json:"body"`
			Card     map[string]string `json:"card"`
			Findings []owg.Finding     `json:"findings"`
		}{r.Binding, "POST", r.URL, headers, r.Body, map[string]string{"sha256": r.Card.SHA256, "outcome": r.Card.Outcome}, append([]owg.Finding{}, found...)})
		if err != nil {
			return err
		}
		return a.json(verdict{Status: StatusYes, Message: "made, not sent"}, more)
	}
	if asHTTP {
		fmt.Fprintf(a.out, "POST %s\n", printable(r.URL))
		for _, h := range r.Headers {
			fmt.Fprintf(a.out, "%s: %s\n", h.Name, h.Value)
		}
		fmt.Fprintln(a.out)
	}
	_, err := a.out.Write(append(visible(r.Body), '\n'))
	return err
}
