package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

func (a *app) odrlCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "odrl COMMAND",
		Short: "evaluate and check ODRL policies",
		Long: `Works on policies of the ODRL Information Model 2.2. Whatever is not understood
in a policy counts against the request: an unknown term never permits, and never
lifts a prohibition.`,
		Example: `  rdfproto odrl evaluate --policy policy.ttl --request request.json
  rdfproto odrl lint policy.ttl
  rdfproto odrl support`,
	}, a.odrlEvaluateCommand(), a.odrlLintCommand(), a.odrlSupportCommand())
}

// dialectFlag gives a command the flag that says which terms are known, and
// returns what reads it.
func dialectFlag(cmd *cobra.Command) func() (odrl.Dialect, error) {
	var name string
	all := []odrl.Dialect{odrl.InformationModel, odrl.DelegationProfile}
	var names []string
	for _, d := range all {
		names = append(names, d.String())
	}
	cmd.Flags().StringVar(&name, "dialect", names[0], "the terms that are understood, `NAME` being "+strings.Join(names, " or "))
	completeFlag(cmd, "dialect", names...)
	return func() (odrl.Dialect, error) {
		for _, d := range all {
			if d.String() == name {
				return d, nil
			}
		}
		return 0, usageError(cmd, "--dialect: unknown dialect "+quote(name)+", expected "+strings.Join(names, " or "))
	}
}

// request reads a request file.
func (in *input) request(ctx context.Context, file string) (odrl.Request, error) {
	data, err := in.settings(ctx, file)
	if err != nil {
		return odrl.Request{}, err
	}
	r, err := odrl.ParseRequest(data)
	if err != nil {
		return r, &inFile{display(file), err}
	}
	return r, nil
}

// policyGraph reads the graph of a file of policies. Named graphs are refused: they
// may hold a prohibition that nobody would see.
func (in *input) policyGraph(ctx context.Context, file string) (rdf.Graph, error) {
	d, err := in.dataset(ctx, rdfio.Options{Places: true}, file)
	if err != nil {
		return rdf.Graph{}, err
	}
	if len(d.GraphNames()) > 0 {
		return rdf.Graph{}, &failure{
			status: StatusRefused, place: rdf.Place{File: display(file)}, code: "named-graphs",
			text: "expected policies in the default graph, and no named graphs",
		}
	}
	return d.Default(), nil
}

// policy reads a file and compiles its policy.
func (in *input) policy(ctx context.Context, file string, o odrl.CompileOptions) (*odrl.Policy, error) {
	g, err := in.policyGraph(ctx, file)
	if err != nil {
		return nil, err
	}
	p, err := odrl.Compile(g, o)
	if err != nil {
		return nil, &inFile{display(file), err}
	}
	return p, nil
}

// policyFailure turns what a policy or a JSON text was refused for into a
// failure, and reports whether err is such an error.
func policyFailure(err error) (f failure, ok bool) {
	var (
		compile *odrl.CompileError
		limit   *odrl.LimitError
		request *odrl.RequestError
		revoke  *delegation.RevocationError
		text    *strictjson.Error
		input   *vectors.InputError
	)
	switch {
	case errors.As(err, &compile):
		return failure{status: StatusRefused, place: compile.Finding.Place, text: compile.Finding.Message, code: string(compile.Finding.Code)}, true
	case errors.As(err, &limit):
		words := odrl.LimitError{Limit: limit.Limit, Max: limit.Max}
		return failure{status: StatusRefused, place: limit.Place, text: words.Error(), code: string(rdf.CodeLimitExceeded)}, true
	case errors.As(err, &request):
		return failure{status: StatusRefused, place: request.Place, text: request.Message, code: "invalid-request"}, true
	case errors.As(err, &revoke):
		words := delegation.RevocationError{Term: revoke.Term}
		return failure{status: StatusRefused, place: revoke.Place, text: words.Error(), code: string(revoke.Code())}, true
	case errors.As(err, &input):
		return failure{status: StatusRefused, place: rdf.Place{Line: input.Line, Column: input.Column}, text: input.Text, code: "invalid-input"}, true
	case errors.As(err, &text):
		return failure{status: StatusRefused, place: rdf.Place{Line: text.Line, Column: text.Column}, text: at(text.Text, text.Pointer), code: string(text.Code)}, true
	}
	return failure{}, false
}

func (a *app) odrlEvaluateCommand() *cobra.Command {
	var (
		in       *input
		policies []string
		id       string
		request  string
		explain  bool
		asJSON   bool
	)
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
	in = a.addInputFlags(cmd)
	dialect, at := dialectFlag(cmd), atFlag(cmd, "of the verdict")
	f := cmd.Flags()
	f.StringArrayVar(&policies, "policy", nil, "a `FILE` with one policy (repeatable)")
	f.StringVar(&id, "id", "", "the policy with this `IRI`, where a file holds several")
	f.StringVar(&request, "request", "", "the `FILE` of the request")
	f.BoolVar(&explain, "explain", false, "say what every rule and constraint came to")
	f.BoolVar(&asJSON, "json", false, "print the decision as JSON, with what every rule came to")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case len(policies) == 0:
			return usageError(cmd, "--policy is missing")
		case request == "":
			return usageError(cmd, "--request is missing")
		}
		if err := in.check(cmd); err != nil {
			return err
		}
		o := odrl.CompileOptions{Policy: id}
		var err error
		if o.Dialect, err = dialect(); err != nil {
			return err
		}
		now, err := at()
		if err != nil {
			return err
		}
		var compiled []*odrl.Policy
		for _, file := range policies {
			p, err := in.policy(cmd.Context(), file, o)
			if err != nil {
				return err
			}
			compiled = append(compiled, p)
		}
		r, err := in.request(cmd.Context(), request)
		if err != nil {
			return err
		}
		r.Now = now
		var d odrl.Decision
		if len(compiled) == 1 {
			d = compiled[0].Evaluate(&r)
		} else {
			d = odrl.EvaluateAll(compiled, &r)
		}
		var traces []odrl.Trace
		if explain || asJSON {
			for _, p := range compiled {
				_, t := p.Explain(&r)
				traces = append(traces, t)
			}
		}
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
			}{d.Verdict(), timeText(now), d.Conflict, append([]odrl.Reason{}, d.Reasons...), append([]odrl.DutyStatus{}, d.Duties...), traces})
			if err != nil {
				return err
			}
			return a.json(v, more)
		}
		a.verdictLine(v)
		if len(d.Reasons) > 1 && v.Code == string(d.Reasons[0].Code) && d.Reasons[0].Place.IsZero() {
			d.Reasons = d.Reasons[1:] // the verdict's line says it
		}
		a.reasonsText("  ", d.Reasons)
		a.dutiesText(d.Duties)
		if explain {
			for i := range traces {
				a.policyTrace("", &traces[i])
			}
		}
		return ended(v.Status)
	}
	return cmd
}

// verdictLine writes a verdict as a line of text.
func (a *app) verdictLine(v verdict) {
	line := printable(v.Message)
	if v.Code != "" {
		line += " [" + v.Code + "]"
	}
	fmt.Fprintln(a.out, line)
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
}

func (a *app) odrlLintCommand() *cobra.Command {
	var (
		in     *input
		id     string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "lint POLICY",
		Short: "find every term of a policy that will deny",
		Long: `Lists every term of the policies of a file that is not understood and will deny,
with its place, and what is understood but probably not what was meant.

Exit status: 0 nothing will deny, 1 something will, 3 refused, 4 there is no
policy.`,
		Example: `  rdfproto odrl lint policy.ttl
  rdfproto odrl lint --dialect delegation-profile policy.ttl`,
		Args: files(1, 1),
	}
	in = a.addInputFlags(cmd)
	dialect := dialectFlag(cmd)
	cmd.Flags().StringVar(&id, "id", "", "only the policy with this `IRI`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := in.check(cmd); err != nil {
			return err
		}
		o := odrl.CompileOptions{Policy: id}
		var err error
		if o.Dialect, err = dialect(); err != nil {
			return err
		}
		g, err := in.policyGraph(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		found, err := odrl.Lint(g, o)
		if err != nil {
			return &inFile{display(args[0]), err}
		}
		v := policyLintVerdict(found)
		if asJSON {
			type placed struct {
				odrl.Finding
				Place rdf.Place `json:"place,omitzero"`
			}
			findings := []placed{}
			for _, f := range found {
				findings = append(findings, placed{f, f.Place})
			}
			more, err := marshal(struct {
				Findings []placed `json:"findings"`
			}{findings})
			if err != nil {
				return err
			}
			return a.json(v, more)
		}
		for i := range found {
			f := &found[i]
			if f.Code == odrl.CodeNoPolicy {
				continue // the last line says it
			}
			place := f.Place.String()
			if place == "" {
				place = display(args[0])
			}
			fmt.Fprintf(a.out, "%s: %s: %s [%s]\n", printable(place), f.Severity, printable(f.Message), f.Code)
		}
		at, code := display(args[0]), ""
		if v.Status == StatusNothing {
			code = " [" + v.Code + "]"
			if found[0].Place.Line > 0 {
				at = found[0].Place.String() // of what was probably meant for one
			}
		}
		fmt.Fprintf(a.out, "%s: %s%s\n", printable(at), printable(v.Message), code)
		return ended(v.Status)
	}
	return cmd
}

// policyLintVerdict says no when a term will deny.
func policyLintVerdict(found []odrl.Finding) verdict {
	denies, others := 0, 0
	v := verdict{Status: StatusYes}
	for _, f := range found {
		if f.Code == odrl.CodeNoPolicy { // and then nothing else is looked at
			return verdict{Status: StatusNothing, Code: string(f.Code), Message: f.Message}
		}
		if f.Severity != odrl.Denies {
			others++
			continue
		}
		if denies == 0 {
			v = verdict{Status: StatusNo, Code: string(f.Code)}
		}
		denies++
	}
	switch {
	case denies > 0:
		v.Message = count(denies, "term") + " will deny, " + count(others, "other remark")
	case others > 0:
		v.Message = "nothing will deny, " + count(others, "remark")
	default:
		v.Message = "nothing found"
	}
	return v
}

func (a *app) odrlSupportCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "support",
		Short: "list what of ODRL is understood",
		Long: `Lists the profiles, classes, actions, operands and operators that are
understood. Everything else denies.`,
		Example: `  rdfproto odrl support
  rdfproto odrl support --json --dialect delegation-profile`,
		Args: files(0, 0),
	}
	dialect := dialectFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	cmd.RunE = func(*cobra.Command, []string) error {
		d, err := dialect()
		if err != nil {
			return err
		}
		s := odrl.Support(d)
		if asJSON {
			more, err := marshal(s)
			if err != nil {
				return err
			}
			return a.json(verdict{Status: StatusYes, Message: "what is understood"}, more)
		}
		a.supportText(s)
		return nil
	}
	return cmd
}

func (a *app) supportText(s odrl.Supported) {
	list := func(title string, items []string) {
		fmt.Fprintf(a.out, "%s:\n", title)
		for _, item := range items {
			fmt.Fprintf(a.out, "  %s\n", item)
		}
	}
	fmt.Fprintf(a.out, "dialect: %s\n", s.Dialect)
	list("profiles", s.Profiles)
	list("policies", s.PolicyTypes)
	list("conflict strategies", s.Conflict)
	fmt.Fprintln(a.out, "actions, and the actions of rules that are about them too:")
	for _, action := range s.Actions {
		fmt.Fprintf(a.out, "  %s\n", action.Action)
		for _, by := range action.CoveredBy {
			if by != action.Action {
				fmt.Fprintf(a.out, "    %s\n", by)
			}
		}
	}
	list("left operands", s.LeftOperands)
	list("operators", s.Operators)
	list("logical constraints", s.LogicalOperands)
	for _, f := range []struct {
		what string
		is   bool
	}{{"refinements", s.Refinements}, {"collections", s.Collections}, {"inheritance", s.Inheritance}, {"open duties deny", s.DutiesBlock}} {
		word := "no"
		if f.is {
			word = "yes"
		}
		fmt.Fprintf(a.out, "%s: %s\n", f.what, word)
	}
}
