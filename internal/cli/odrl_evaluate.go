package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/odrl"
)

// policyEvaluation is a call of odrl evaluate.
type policyEvaluation struct {
	in              *input
	dialect         func() (odrl.Dialect, error)
	at              func() (time.Time, error)
	policies        []string // files
	id              string
	request         string // a file
	explain, asJSON bool
}

func (a *app) odrlEvaluateCommand() *cobra.Command {
	var e policyEvaluation
	cmd := &cobra.Command{
		Use:   "evaluate --policy FILE... --request FILE",
		Short: "decide one request by policies",
		Long: `Decides one request by one policy, or by several that all apply: then one must
permit it and none may deny it. A request is JSON:

  {"agent":"IRI","action":"read","target":"IRI",
   "attributes":{"purpose":"IRI","count":3,"fulfilled:inform":true},
   "memberOf":{"IRI":["IRI"]}}

attributes are the values of left operands; odrl:dateTime is the time of the
verdict, and never an attribute. Membership is what memberOf says.

Exit status: 0 permitted, 1 not, 3 a policy or the request was refused.`,
		Example: `  rdfproto odrl evaluate --policy policy.ttl --request request.json
  rdfproto odrl evaluate --json --policy policy.ttl --request request.json
  rdfproto odrl evaluate --explain --policy policy.ttl --request request.json`,
		Args: files(0, 0),
	}
	e.in, e.dialect, e.at = a.addInputFlags(cmd), dialectFlag(cmd), atFlag(cmd, "of the verdict")
	f := cmd.Flags()
	f.StringArrayVar(&e.policies, "policy", nil, "a `FILE` with one policy (repeatable)")
	f.StringVar(&e.id, "id", "", "the policy with this `IRI`, where a file holds several")
	f.StringVar(&e.request, "request", "", "the `FILE` of the request")
	f.BoolVar(&e.explain, "explain", false, "say what every rule and constraint came to")
	f.BoolVar(&e.asJSON, "json", false, "print the decision as JSON, with what every rule came to")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		compiled, r, err := e.read(cmd)
		if err != nil {
			return err
		}
		var d odrl.Decision
		if len(compiled) == 1 {
			d = compiled[0].Evaluate(&r)
		} else {
			d = odrl.EvaluateAll(compiled, &r)
		}
		var traces []odrl.Trace
		if e.explain || e.asJSON {
			for _, p := range compiled {
				_, t := p.Explain(&r)
				traces = append(traces, t)
			}
		}
		return a.policyDecision(&d, traces, r.Now, e.asJSON)
	}
	return cmd
}

// read reads the policies and the request.
func (e *policyEvaluation) read(cmd *cobra.Command) ([]*odrl.Policy, odrl.Request, error) {
	var none odrl.Request
	switch {
	case len(e.policies) == 0:
		return nil, none, usageError(cmd, "--policy is missing")
	case e.request == "":
		return nil, none, usageError(cmd, "--request is missing")
	}
	if err := e.in.check(cmd); err != nil {
		return nil, none, err
	}
	o := odrl.CompileOptions{Policy: e.id}
	var err error
	if o.Dialect, err = e.dialect(); err != nil {
		return nil, none, err
	}
	now, err := e.at()
	if err != nil {
		return nil, none, err
	}
	compiled, err := e.in.policyFiles(cmd.Context(), e.policies, o)
	if err != nil {
		return nil, none, err
	}
	r, err := e.in.request(cmd.Context(), e.request)
	r.Now = now
	return compiled, r, err
}

// policyDecision writes a decision with what every rule came to, as far as that is given.
func (a *app) policyDecision(d *odrl.Decision, traces []odrl.Trace, at time.Time, asJSON bool) error {
	v := verdict{Status: StatusYes, Message: "permitted"}
	if !d.Permitted() {
		v = verdict{Status: StatusNo, Code: string(d.Code), Message: "not permitted: " + d.Code.Text()}
	}
	if asJSON {
		more, err := marshal(struct {
			Decision odrl.Verdict      `json:"decision"`
			At       string            `json:"at"`
			Conflict bool              `json:"conflict"`
			Reasons  []odrl.Reason     `json:"reasons"`
			Duties   []odrl.DutyStatus `json:"duties"`
			Trace    []odrl.Trace      `json:"trace"`
		}{d.Verdict(), timeText(at), d.Conflict, append([]odrl.Reason{}, d.Reasons...), append([]odrl.DutyStatus{}, d.Duties...), traces})
		if err != nil {
			return err
		}
		return a.json(v, more)
	}
	a.verdictLine(v)
	reasons := d.Reasons
	if len(reasons) > 1 && v.Code == string(reasons[0].Code) && reasons[0].Place.IsZero() {
		reasons = reasons[1:] // the verdict's line says it
	}
	a.reasonsText("  ", reasons)
	a.dutiesText(d.Duties)
	for i := range traces {
		a.policyTrace("", &traces[i])
	}
	return ended(v.Status)
}

func (a *app) reasonsText(indent string, reasons []odrl.Reason) {
	for _, r := range reasons {
		fmt.Fprintf(a.out, "%s%s\n", indent, printable(r.String()))
	}
}

func (a *app) dutiesText(duties []odrl.DutyStatus) {
	for i := range duties {
		d := &duties[i]
		state := "open"
		switch {
		case d.Fulfilled:
			state = "fulfilled"
		case !d.Known:
			state = "not understood"
		}
		what := d.Action
		if what == "" {
			what = odrl.NodeName(d.Node, d.Place)
		}
		if d.Target != "" {
			what += " of " + d.Target
		}
		fmt.Fprintf(a.out, "duty, %s: %s\n", state, printable(what))
	}
}

// policyTrace writes what every rule of a policy came to.
func (a *app) policyTrace(indent string, t *odrl.Trace) {
	line := func(indent, format string, args ...any) {
		fmt.Fprintf(a.out, "%s%s\n", indent, printable(fmt.Sprintf(format, args...)))
	}
	line(indent, "policy <%s>, conflict: %s", t.Policy, t.Conflict)
	if t.Refused != nil {
		line(indent+"  ", "refused: %s", t.Refused)
	}
	for i := range t.Rules {
		r := &t.Rules[i]
		applies := "does not apply"
		if r.Applies {
			applies = "applies"
		}
		name := r.Node
		if at := r.Place.String(); at != "" && strings.HasPrefix(name, "_:") {
			name = "at " + at
		} else if at != "" {
			name += " at " + at
		}
		line(indent+"  ", "%s %s %s", r.Kind, name, applies)
		if r.Flaw != nil {
			line(indent+"    ", "unknown: %s", r.Flaw)
		}
		for _, p := range []struct {
			name    string
			premise *odrl.Premise
		}{{"action", &r.Action}, {"target", &r.Target}, {"assignee", &r.Assignee}} {
			text := strings.Join(p.premise.Rule, ", ")
			if p.premise.Why != "" {
				text += ": " + p.premise.Why
			}
			line(indent+"    ", "%-12s%s %s", p.premise.State, p.name, text)
			for j := range p.premise.Refinements {
				line(indent+"      ", "refinement %s", &p.premise.Refinements[j])
			}
		}
		for j := range r.Constraints {
			line(indent+"    ", "%-12sconstraint %s", r.Constraints[j].State, &r.Constraints[j])
		}
	}
	if t.Truncated {
		line(indent+"  ", "%d more rules, duties and constraints are left out", t.Omitted)
	}
}
