package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
)

func (a *app) cardLintCommand() *cobra.Command {
	var (
		in     *cardInput
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "lint CARD",
		Short: "find what implementations would reject or read differently",
		Long: `Finds what keeps a card from being signed, verified and understood alike by all
implementations: members that are missing, of the wrong type or misspelt,
members that some implementations sign and others do not, security requirements
that admit anonymous callers, signatures that would be refused, and what is
wrong with the declaration of RDF Protocol Documents. No signature is verified.

Exit status: 0 nothing or only warnings, 1 errors.`,
		Example: `  rdfproto card lint card.json
  rdfproto card lint --json card.json`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := in.read(cmd, args[0])
			if err != nil {
				return err
			}
			found := c.Lint()
			v := lintVerdict(found)
			if asJSON {
				more, err := marshal(struct {
					Findings []agentcard.LintFinding `json:"findings"`
				}{append([]agentcard.LintFinding{}, found...)})
				if err != nil {
					return err
				}
				return a.json(v, more)
			}
			a.lintText(c, found)
			fmt.Fprintf(a.out, "%s: %s\n", printable(c.name), v.Message)
			return ended(v.Status)
		},
	}
	in = a.addCardFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// lintVerdict says no when a finding is an error.
func lintVerdict(found []agentcard.LintFinding) verdict {
	errors := 0
	for _, f := range found {
		if f.Level == agentcard.Wrong {
			errors++
		}
	}
	warnings := len(found) - errors
	switch {
	case errors > 0:
		return verdict{Status: StatusNo, Code: string(found[0].Code), Message: count(errors, "error") + ", " + count(warnings, "warning")}
	case warnings > 0:
		return verdict{Status: StatusYes, Message: count(warnings, "warning")}
	}
	return verdict{Status: StatusYes, Message: "nothing found"}
}

func (a *app) lintText(c namedCard, found []agentcard.LintFinding) {
	for _, f := range found {
		fmt.Fprintf(a.out, "%s: %s: %s [%s]\n", printable(c.place(f.Line, f.Column).String()), f.Level, printable(at(f.Text, f.Pointer)), f.Code)
	}
}
