package cli

import (
	"fmt"

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

// delegationFlags are those of a chain.
type delegationFlags struct {
	chain         []string
	request       string
	revoked       []string
	revocations   []string
	maxPolicies   int
	requireDuties bool
}

func (a *app) delegationEvaluateCommand() *cobra.Command {
	var (
		in      *input
		f       delegationFlags
		explain bool
		asJSON  bool
	)
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
	in = a.addInputFlags(cmd)
	at := atFlag(cmd, "of the verdict")
	flags := cmd.Flags()
	flags.StringArrayVar(&f.chain, "chain", nil, "a `FILE` with one policy (repeatable), root first")
	flags.StringVar(&f.request, "request", "", "the `FILE` of the request")
	flags.StringArrayVar(&f.revoked, "revoked", nil, "the `IRI` of a policy that is revoked (repeatable)")
	flags.StringArrayVar(&f.revocations, "revocations", nil, "a `FILE` with revocations (repeatable)")
	flags.IntVar(&f.maxPolicies, "max-policies", delegation.DefaultMaxPolicies, "the longest chain `N` that is allowed, the root included")
	flags.BoolVar(&f.requireDuties, "require-duties", false, "deny when any duty is open")
	flags.BoolVar(&explain, "explain", false, "say what every rule and constraint came to")
	flags.BoolVar(&asJSON, "json", false, "print the decision as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case len(f.chain) == 0:
			return usageError(cmd, "--chain is missing")
		case f.request == "":
			return usageError(cmd, "--request is missing")
		}
		if err := in.check(cmd); err != nil {
			return err
		}
		now, err := at()
		if err != nil {
			return err
		}
		var chain []*odrl.Policy
		for _, file := range f.chain {
			p, err := in.policy(cmd.Context(), file, odrl.CompileOptions{Dialect: odrl.DelegationProfile})
			if err != nil {
				return err
			}
			chain = append(chain, p)
		}
		r, err := in.request(cmd.Context(), f.request)
		if err != nil {
			return err
		}
		r.Now = now
		o := delegation.Options{MaxPolicies: &f.maxPolicies, RequireDuties: f.requireDuties}
		if o.Revoked, err = in.revocations(cmd, f.revoked, f.revocations); err != nil {
			return err
		}
		var d delegation.Decision
		if explain {
			d = delegation.Explain(chain, &r, o)
		} else {
			d = delegation.Evaluate(chain, &r, o)
		}
		v := verdict{Status: StatusYes, Message: "permitted"}
		if !d.Permitted() {
			v = verdict{Status: StatusNo, Code: string(d.Code), Message: "not permitted: " + d.Message}
		}
		if asJSON {
			decision := "deny"
			if d.Permitted() {
				decision = "permit"
			}
			more, err := marshal(struct {
				Decision string             `json:"decision"`
				At       string             `json:"at"`
				Hop      int                `json:"hop"`
				Reasons  []odrl.Reason      `json:"reasons"`
				Duties   []odrl.DutyStatus  `json:"duties"`
				Trace    []delegation.Check `json:"trace"`
			}{decision, timeText(now), d.Hop, append([]odrl.Reason{}, d.Reasons...), append([]odrl.DutyStatus{}, d.Duties...), d.Checks})
			if err != nil {
				return err
			}
			return a.json(v, more)
		}
		a.verdictLine(v)
		a.reasonsText("  ", d.Reasons)
		a.dutiesText(d.Duties)
		if explain {
			a.checksText(chain, d.Checks)
		}
		return ended(v.Status)
	}
	return cmd
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
