package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

func (a *app) delegationCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "delegation COMMAND",
		Short: "decide by chains of delegated policies",
		Long: `Decides by chains of policies of the ODRL Agent-Delegation Profile. That each
policy is by its assigner is not proved here: authz check does.`,
		Example: `  rdfproto delegation evaluate --chain top.ttl --chain sub.ttl --request q.json`,
	}, a.delegationEvaluateCommand())
}

// chainEvaluation is a call of delegation evaluate.
type chainEvaluation struct {
	in              *input
	at              func() (time.Time, error)
	chain           []string // files, root first
	request         string   // a file
	revoked         []string // IRIs of policies
	revocations     []string // files
	maxPolicies     int
	requireDuties   bool
	explain, asJSON bool
}

func (a *app) delegationEvaluateCommand() *cobra.Command {
	var e chainEvaluation
	cmd := &cobra.Command{
		Use:   "evaluate --chain ROOT [--chain POLICY]... --request FILE",
		Short: "decide one request by a chain of policies, root first",
		Long: `Decides one request by a chain of policies, root first: each policy must have
let the next assigner delegate, each must permit the request, and no prohibition
of any may stand against it. The request is as for odrl evaluate; its agent is
the assignee of the last policy.

Exit status: 0 permitted, 1 not, 3 a policy or the request was refused.`,
		Example: `  rdfproto delegation evaluate --chain top.ttl --chain sub.ttl --request q.json
  rdfproto delegation evaluate --json --chain top.ttl --chain sub.ttl --request q.json`,
		Args: files(0, 0),
	}
	e.in, e.at = a.addInputFlags(cmd), atFlag(cmd, "of the verdict")
	f := cmd.Flags()
	f.StringArrayVar(&e.chain, "chain", nil, "a `FILE` with one policy (repeatable), root first")
	f.StringVar(&e.request, "request", "", "the `FILE` of the request")
	f.StringArrayVar(&e.revoked, "revoked", nil, "the `IRI` of a policy that is revoked (repeatable)")
	f.StringArrayVar(&e.revocations, "revocations", nil, "a `FILE` with revocations (repeatable)")
	f.IntVar(&e.maxPolicies, "max-policies", delegation.DefaultMaxPolicies, "the longest chain `N` that is allowed, the root included")
	f.BoolVar(&e.requireDuties, "require-duties", false, "deny when any duty is open")
	f.BoolVar(&e.explain, "explain", false, "say what every rule and constraint came to")
	f.BoolVar(&e.asJSON, "json", false, "print the decision as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		chain, r, o, err := e.read(cmd)
		if err != nil {
			return err
		}
		if e.explain {
			d := delegation.Explain(chain, &r, o)
			return a.chainDecision(&d, chain, r.Now, e.asJSON)
		}
		d := delegation.Evaluate(chain, &r, o)
		return a.chainDecision(&d, nil, r.Now, e.asJSON)
	}
	return cmd
}

// read reads the chain, the request and what is revoked.
func (e *chainEvaluation) read(cmd *cobra.Command) (chain []*odrl.Policy, r odrl.Request, o delegation.Options, err error) {
	switch {
	case len(e.chain) == 0:
		return nil, r, o, usageError(cmd, "--chain is missing")
	case e.request == "":
		return nil, r, o, usageError(cmd, "--request is missing")
	}
	if err := e.in.check(cmd); err != nil {
		return nil, r, o, err
	}
	now, err := e.at()
	if err != nil {
		return nil, r, o, err
	}
	if chain, err = e.in.policyFiles(cmd.Context(), e.chain, odrl.CompileOptions{Dialect: odrl.DelegationProfile}); err != nil {
		return nil, r, o, err
	}
	if r, err = e.in.request(cmd.Context(), e.request); err != nil {
		return nil, r, o, err
	}
	r.Now = now
	o = delegation.Options{MaxPolicies: &e.maxPolicies, RequireDuties: e.requireDuties}
	o.Revoked, err = e.in.revocations(cmd, e.revoked, e.revocations)
	return chain, r, o, err
}

// chainDecision writes a decision, with its checks where the chain is given.
func (a *app) chainDecision(d *delegation.Decision, explained []*odrl.Policy, at time.Time, asJSON bool) error {
	v := verdict{Status: StatusYes, Message: "permitted"}
	decision := "permit"
	if !d.Permitted() {
		v = verdict{Status: StatusNo, Code: string(d.Code), Message: "not permitted: " + d.Message}
		decision = "deny"
	}
	if asJSON {
		more, err := marshal(struct {
			Decision string             `json:"decision"`
			At       string             `json:"at"`
			Hop      int                `json:"hop"`
			Reasons  []odrl.Reason      `json:"reasons"`
			Duties   []odrl.DutyStatus  `json:"duties"`
			Trace    []delegation.Check `json:"trace"`
		}{decision, timeText(at), d.Hop, append([]odrl.Reason{}, d.Reasons...), append([]odrl.DutyStatus{}, d.Duties...), d.Checks})
		if err != nil {
			return err
		}
		return a.json(v, more)
	}
	a.verdictLine(v)
	a.reasonsText("  ", d.Reasons)
	a.dutiesText(d.Duties)
	if explained != nil {
		a.checksText(explained, d.Checks)
	}
	return ended(v.Status)
}

// revocations reads which policies are revoked.
func (in *input) revocations(cmd *cobra.Command, iris, files []string) (delegation.Revocations, error) {
	for _, iri := range iris {
		if rdf.CheckIRI(iri) != nil {
			return delegation.Revocations{}, usageError(cmd, "--revoked: expected an absolute IRI, found "+quote(iri))
		}
	}
	revoked := delegation.Revoke(iris...)
	for _, file := range files {
		d, err := in.dataset(cmd.Context(), rdfio.Options{Places: true}, file)
		if err != nil {
			return revoked, err
		}
		if revoked, err = revoked.Document(d); err != nil {
			return revoked, &inFile{display(file), err}
		}
	}
	return revoked, nil
}

// checksText writes the checks of a chain, each with what it looked at.
func (a *app) checksText(chain []*odrl.Policy, checks []delegation.Check) {
	for i := range checks {
		c := &checks[i]
		outcome := "ok"
		if !c.OK {
			outcome = "FAILS: " + c.Why
		}
		where := "chain"
		if c.Hop >= 0 {
			where = fmt.Sprintf("policy %d <%s>", c.Hop+1, chain[c.Hop].IRI())
		}
		fmt.Fprintf(a.out, "step %s, %s: %s\n", c.Step, printable(where), printable(outcome))
		if c.Rules != nil {
			a.policyTrace("  ", c.Rules)
		}
	}
}
