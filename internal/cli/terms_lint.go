package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/terms"
)

func (a *app) termsLintCommand() *cobra.Command {
	var (
		t      *termsFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "lint CARD",
		Short: "find what keeps readers from verifying a card's terms",
		Long: `Finds what a publisher has to fix before readers can verify the terms of a card,
and what somebody should look at: faults of the declaration, documents that are
not those that the card commits to, signatures, clauses and grades that readers
refuse, and phrases of the card that look like terms but that no clause states.
A document that is neither in a file nor fetched is not judged, which is a
warning. With --jwks or --trust the report says whether the card needs a new
signature.

Exit status: 0 nothing or only warnings, 1 errors, 3 the card is refused, 4 the
card is silent about terms.`,
		Example: `  rdfproto terms lint --document https://example.com/q=quote.json offers.json
  rdfproto terms lint --jwks jwks.json --online offers.json`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := t.question(cmd)
			if err != nil {
				return err
			}
			o, err := q.options(cmd, args[0])
			if err != nil {
				return err
			}
			c, s, err := q.subject(cmd, args[0])
			if err != nil {
				return err
			}
			d := terms.ReadDeclaration(c.Card, o.Limits)
			found, err := terms.Lint(cmd.Context(), s, o)
			if err != nil {
				return err
			}
			if d.Declared {
				found = append(found, unlisted(d, q.files)...)
			}
			v := termsLintVerdict(d, found)
			if asJSON {
				more, err := marshal(struct {
					Findings []terms.LintFinding `json:"findings"`
				}{append([]terms.LintFinding{}, found...)})
				if err != nil {
					return err
				}
				return a.json(v, more)
			}
			for _, f := range found {
				place := rdf.Place{File: c.name, Line: f.Line, Column: f.Column}
				if f.Document {
					place.File = d.Entries[f.Entry].URL
				}
				fmt.Fprintf(a.out, "%s: %s: %s [%s]\n", printable(place.String()), f.Level, printable(at(f.Text, f.Pointer)), f.Code)
			}
			fmt.Fprintf(a.out, "%s: %s\n", printable(c.name), v.Message)
			return ended(v.Status)
		},
	}
	t = a.addTermsFlags(cmd)
	t.addChannelFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// unlisted finds documents that are at hand and that the declaration does not list.
func unlisted(d terms.Declaration, files map[string][]byte) []terms.LintFinding {
	var out []terms.LintFinding
	for _, url := range slices.Sorted(maps.Keys(files)) {
		if !slices.ContainsFunc(d.Entries, func(e terms.Entry) bool { return terms.Resource(e.URL) == url }) {
			out = append(out, terms.LintFinding{Level: terms.Warning, Entry: -1, Finding: terms.Finding{
				Code: terms.CodeUnlisted, Text: terms.CodeUnlisted.Text() + ": " + url,
			}})
		}
	}
	return out
}

func termsLintVerdict(d terms.Declaration, found []terms.LintFinding) verdict {
	if !d.Declared {
		return verdict{Status: StatusNothing, Message: "the card states nothing about terms"}
	}
	levels := make([]agentcard.LintFinding, len(found)) // counted as those of cards are
	for i, f := range found {
		levels[i].Code = agentcard.Code(f.Code)
		if f.Level == terms.Wrong {
			levels[i].Level = agentcard.Wrong
		}
	}
	return lintVerdict(levels)
}
