package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
)

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
			findings, size := []placed{}, 0
			for _, f := range found {
				// Thousands of rules can be about one term of 60 KB.
				const most = 16 << 20 // nobody reads more
				if size += len(f.Policy) + len(f.Node) + len(f.Term) + len(f.Message); size > most {
					break
				}
				findings = append(findings, placed{f, f.Place})
			}
			more, err := marshal(struct {
				Findings []placed `json:"findings"`
				Omitted  int      `json:"omitted,omitempty"`
			}{findings, len(found) - len(findings)})
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
