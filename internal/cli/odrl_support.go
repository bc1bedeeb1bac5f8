package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/odrl"
)

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
