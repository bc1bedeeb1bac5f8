package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) owgCommand() *cobra.Command {
	run := a.handedOver("run", "hand a task to a remote agent and follow it (rdfprotod)", `Hands a task of a workflow to the agent that performs it, follows it to its end,
and records the attempt.`, "owg", "run")
	run.Example = "  rdfproto owg run --help"
	return commandGroup(&cobra.Command{
		Use:   "owg COMMAND",
		Short: "workflows whose tasks are handed to other parties' agents",
		Long: `Works on workflows of an Open Workflow Graph whose tasks are handed over A2A to
agents of other organizations: who handed what to whom, with what authority, and
what came back. It judges a subset of the draft 0.93 of the schema.

Scopes are declared, not enforced: the systems on each side must check them.`,
		Example: `  rdfproto owg validate season.json
  rdfproto owg trace season.json dub_ep1
  rdfproto owg request --card vendor-card.json season.json dub`,
	}, a.owgValidateCommand(), a.owgTraceCommand(), a.owgCardCommand(), a.owgRequestCommand(), a.owgMapStateCommand(), run)
}

// owgFailure says what an error about a workflow means: a refused input for what
// could not be read, a clear no for the rest.
func owgFailure(err error) (failure, bool) {
	var e *owg.Error
	if !errors.As(err, &e) {
		return failure{}, false
	}
	f := failure{status: StatusNo, place: rdf.Place{Line: e.Line, Column: e.Column}, text: at(e.Text, e.Path), code: string(e.Code)}
	switch e.Code {
	case owg.CodeJSONSyntax, owg.CodeJSONDuplicate, owg.CodeJSONUnicode, owg.CodeJSONRange, owg.CodeJSONTooDeep, owg.CodeJSONTooLarge,
		owg.CodeLimit, owg.CodeRecord, owg.CodeHandOff, owg.CodeInvalidResponse:
		f.status = StatusRefused
	}
	return f, true
}

// workflow reads the workflow in a file.
func (in *cardInput) workflow(ctx context.Context, file string) (*owg.Workflow, error) {
	data, err := in.bytes(ctx, file, in.limits.owg.WorkflowBytes)
	if err != nil {
		return nil, err
	}
	w, err := owg.Parse(data, in.limits.owg)
	if err != nil {
		return nil, &inFile{display(file), err}
	}
	return w, nil
}

// CardDemand reads the value of --card-policy: what is asked of the signatures of a card.
func CardDemand(cmd *cobra.Command, policy string) (agentcard.Demand, error) {
	switch policy {
	case "require":
		return agentcard.DemandVerified, nil
	case "prefer":
		return agentcard.DemandIfSigned, nil
	case "ignore":
		return agentcard.InsecureIgnoreSignatures, nil
	}
	return agentcard.DemandVerified, usageError(cmd, "--card-policy: expected require, prefer or ignore, found "+quote(policy))
}

// readOwn reads the flags of a command whose verdict is not about the keys: a JWK Set that
// is none is then a refused input.
func (p *cardPolicy) readOwn(cmd *cobra.Command) error {
	if err := p.read(cmd); err != nil {
		return err
	}
	return p.unread
}

// addDemandFlag gives a command the flag --card-policy, beside those for keys.
func addDemandFlag(cmd *cobra.Command, policy *string) {
	cmd.Flags().StringVar(policy, "card-policy", "prefer", "`POLICY` for the signatures of agents' cards: require a valid one, prefer (an invalid one refuses, none warns), ignore")
	completeFlag(cmd, "card-policy", "require", "prefer", "ignore")
	for _, name := range []string{"require", "min", "algorithm", "reading"} {
		_ = cmd.Flags().MarkHidden(name) // of card verify; --card-policy says it here
	}
}

// findings writes findings for people, one a line.
func (a *app) findings(file string, found []owg.Finding) {
	for _, f := range found {
		place := rdf.Place{File: display(file), Line: f.Line, Column: f.Column}
		fmt.Fprintf(a.out, "%s: %s: %s [%s]\n", printable(place.String()), f.Severity, printable(at(f.Text, f.Path)), f.Code)
	}
}

// warnings writes findings to standard error.
func (a *app) warnings(file string, found []owg.Finding) {
	for _, f := range found {
		a.diag.warn(rdf.Place{File: display(file), Line: f.Line, Column: f.Column}, at(f.Text, f.Path), string(f.Code))
	}
}
