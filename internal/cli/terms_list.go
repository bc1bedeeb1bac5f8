package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/terms"
)

// listedCard is a card in a catalogue. One that states nothing has a place like any
// other.
type listedCard struct {
	Card          string              `json:"card"`
	Terms         terms.Terms         `json:"terms"`
	CardSignature terms.CardSignature `json:"cardSignature"`
	Proposals     []listedProposal    `json:"proposals"`
	// Directed counts the offers to one party, of which nothing else is said.
	Directed int `json:"directed,omitempty"`
}

type listedProposal struct {
	DocumentID  string   `json:"documentId"`
	Version     int64    `json:"version"`
	Digest      string   `json:"digest"`
	Owner       string   `json:"owner"`
	Offerings   []string `json:"offerings"`
	Arrangement string   `json:"arrangement"`
	Summary     string   `json:"summary"`
	Missing     []string `json:"missingClauses,omitempty"`
	label       string
}

// fields returns the values by which a list can be sorted and filtered.
func (p listedProposal) fields(name string) []string {
	switch name {
	case "offering":
		return p.Offerings
	case "arrangement":
		return []string{p.Arrangement}
	case "owner":
		return []string{p.Owner}
	}
	return nil
}

func (a *app) termsListCommand() *cobra.Command {
	var (
		t          *termsFlags
		sort       string
		filters    []string
		asJSON     bool
		fieldNames = []string{"offering", "arrangement", "owner"}
	)
	cmd := &cobra.Command{
		Use:   "list CARD...",
		Short: "list the verified offers of several cards",
		Long: `Lists the verified offers of several cards, in the order in which the cards are
named. --sort and --filter act on verified proposals only: a card that states
nothing about terms keeps its place, because absence is no answer. Offers to one
party are counted and not listed.

Exit status: 0 every card states terms, 1 a card has none that could be
verified, 3 a card is refused, 4 a card is silent; the highest wins.`,
		Example: `  rdfproto terms list --document https://example.com/q=quote.json offers.json
  rdfproto terms list --sort owner domain:agent.example.com offers.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(cmd, "a CARD is missing")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if sort != "" && !slices.Contains(fieldNames, sort) {
				return usageError(cmd, "--sort: expected "+strings.Join(fieldNames, ", ")+", found "+quote(sort))
			}
			for _, f := range filters {
				if name, value, _ := strings.Cut(f, "="); !slices.Contains(fieldNames, name) || value == "" {
					return usageError(cmd, "--filter: expected NAME=VALUE, NAME being "+strings.Join(fieldNames, ", ")+", found "+quote(f))
				}
			}
			q, err := t.question(cmd)
			if err != nil {
				return err
			}
			status, whole := StatusYes, true
			var list []listedCard
			for _, arg := range args {
				c, r, err := q.ask(cmd, arg)
				if err != nil {
					if cmd.Context().Err() != nil {
						return err
					}
					status, whole = max(status, a.diag.explain(err)), false
					continue
				}
				status = max(status, termsStatus(r, false))
				a.termsSignals(c, r)
				list = append(list, listOf(c, r))
			}
			list = arrange(list, sort, filters)
			if !asJSON {
				a.listText(list)
				return ended(status)
			}
			more, err := marshal(struct {
				Cards []listedCard `json:"cards"`
			}{append([]listedCard{}, list...)})
			if err != nil {
				return err
			}
			if !whole {
				return ended(status) // also where a card is silent, which is the higher status
			}
			return a.json(verdict{Status: status, Message: count(len(list), "card") + " listed"}, more)
		},
	}
	t = a.addTermsFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&sort, "sort", "", "sort cards that state terms by `NAME`: "+strings.Join(fieldNames, ", "))
	f.StringArrayVar(&filters, "filter", nil, "list only verified proposals with this `NAME=VALUE` (repeatable)")
	f.BoolVar(&asJSON, "json", false, "print the list as JSON")
	completeFlag(cmd, "sort", fieldNames...)
	return cmd
}

// termsSignals writes the signals of a report to standard error.
func (a *app) termsSignals(c namedCard, r *terms.Report) {
	for _, e := range r.Entries {
		if e.Code != "" && e.Code != terms.CodeDirectedPublic {
			a.diag.warn(c.place(e.Line, e.Column), e.Signal, string(e.Code))
		}
	}
	if r.Code != "" {
		a.diag.warn(rdf.Place{File: c.name}, r.Signal, string(r.Code))
	}
}

func listOf(c namedCard, r *terms.Report) listedCard {
	out := listedCard{Card: c.name, Terms: r.Terms, CardSignature: r.CardSignature, Proposals: []listedProposal{}}
	for _, p := range r.Proposals() {
		out.Proposals = append(out.Proposals, listedProposal{
			p.ID(), p.Version(), p.Digest().String(), p.Owner(), p.Offerings(), p.Arrangement(), p.Summary(), p.MissingClauses(), p.Label(),
		})
	}
	for _, e := range r.Entries {
		if e.Code == terms.CodeDirectedPublic {
			out.Directed++
		}
	}
	return out
}

// arrange filters and sorts the cards that state terms among themselves. All others
// keep their place (O-4).
func arrange(list []listedCard, sort string, filters []string) []listedCard {
	var kept []listedCard
	for _, c := range list {
		if c.Terms == terms.Stated {
			c.Proposals = slices.DeleteFunc(c.Proposals, func(p listedProposal) bool {
				return slices.ContainsFunc(filters, func(f string) bool {
					name, value, _ := strings.Cut(f, "=")
					return !slices.Contains(p.fields(name), value)
				})
			})
			if len(c.Proposals) == 0 {
				continue
			}
		}
		kept = append(kept, c)
	}
	if sort == "" {
		return kept
	}
	var stated []listedCard
	for _, c := range kept {
		if c.Terms == terms.Stated {
			stated = append(stated, c)
		}
	}
	key := func(c listedCard) string {
		var all []string
		for _, p := range c.Proposals {
			all = append(all, p.fields(sort)...)
		}
		return slices.Min(all)
	}
	slices.SortStableFunc(stated, func(x, y listedCard) int { return cmp.Compare(key(x), key(y)) })
	for i := range kept {
		if kept[i].Terms == terms.Stated {
			kept[i], stated = stated[0], stated[1:]
		}
	}
	return kept
}

func (a *app) listText(list []listedCard) {
	for _, c := range list {
		var lines []string
		switch c.Terms {
		case terms.Silent:
			lines = append(lines, "states nothing about terms")
		case terms.Stated:
			lines = append(lines, "states terms (card signature: "+c.CardSignature.String()+")")
		default:
			lines = append(lines, "states no terms that could be verified")
		}
		for _, p := range c.Proposals {
			missing := ""
			if len(p.Missing) > 0 {
				missing = ", clauses missing: " + strings.Join(p.Missing, ", ")
			}
			lines = append(lines, "  "+p.Summary+missing, "    "+p.label)
		}
		if c.Directed > 0 {
			lines = append(lines, "  "+count(c.Directed, "offer")+" to one party, not listed")
		}
		a.termsText(namedCard{name: c.Card}, lines)
	}
}
