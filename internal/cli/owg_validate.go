package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) owgValidateCommand() *cobra.Command {
	var (
		p      *cardPolicy
		o      owg.ValidateOptions
		cards  []string
		policy string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "validate FILE",
		Short: "find what is wrong with a workflow",
		Long: `Finds what is wrong with a workflow whose tasks are handed to other parties'
agents, first of all a delegation that grants more than its delegator has. Each
finding has its place and its code; --json adds where each rule comes from: S
from the text of the binding, I inferred from it, P chosen here.

With --card the skills of tasks are looked up on their performers' cards, and
the cards are verified. With --online the others are fetched from where the
workflow says that they are, 64 at most.

Exit status: 0 valid, warnings and notes included, 1 errors, 3 refused.`,
		Example: `  rdfproto owg validate season.json
  rdfproto owg validate --strict --at 2026-12-01T00:00:00Z season.json
  rdfproto owg validate --card vendor_agent=vendor-card.json season.json`,
		Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Now, err = p.at(); err != nil {
				return err
			}
			w, err := p.in.workflow(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if o.Cards, err = p.cards(cmd, w, cards, policy); err != nil {
				return err
			}
			r, err := w.Validate(o)
			if err != nil {
				return &inFile{display(args[0]), err}
			}
			return a.workflowReport(args[0], r, timeText(o.Now), asJSON)
		},
	}
	p = a.addCardPolicyFlags(cmd, "the agents' cards from where the workflow says, and ", " and delegations count")
	f := cmd.Flags()
	f.BoolVar(&o.Strict, "strict", false, "a delegation that grants more than its delegator received is an error")
	f.StringArrayVar(&cards, "card", nil, "look skills up on the card `[PARTICIPANT=]FILE` of a performer (repeatable); the participant may be left out when there is one")
	f.BoolVar(&asJSON, "json", false, "print the findings as JSON")
	addDemandFlag(cmd, &policy)
	spellAtAsNow(cmd)
	return cmd
}

// performers lists who performs tasks for another party, each once, in order.
func performers(w *owg.Workflow) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range w.Tasks() {
		if t.Executor == "a2a" && t.PerformedBy != "" && !seen[t.PerformedBy] {
			seen[t.PerformedBy] = true
			out = append(out, t.PerformedBy)
		}
	}
	return out
}

// cards reads and verifies the cards of performers: those that are named, and with
// --online the others.
func (p *cardPolicy) cards(cmd *cobra.Command, w *owg.Workflow, named []string, policy string) (map[string]owg.Card, error) {
	d, err := CardDemand(cmd, policy)
	if err != nil {
		return nil, err
	}
	if err := p.readOwn(cmd); err != nil {
		return nil, err
	}
	out := map[string]owg.Card{}
	read := func(id, arg string) error {
		c, r, err := p.judge(cmd, arg)
		if err == nil {
			out[id] = owg.Card{Card: c.Card, Report: r, Demand: d}
		}
		return err
	}
	all := performers(w)
	for _, arg := range named {
		id, file, ok := strings.Cut(arg, "=")
		if !ok && len(all) != 1 {
			return nil, usageError(cmd, fmt.Sprintf("--card: expected PARTICIPANT=FILE, since %d participants perform such tasks", len(all)))
		}
		if !ok {
			id, file = all[0], arg
		}
		if _, ok := w.Participant(id); !ok {
			return nil, usageError(cmd, "--card: the workflow has no participant "+quote(id))
		}
		if _, ok := out[id]; ok {
			return nil, usageError(cmd, "--card: two cards of "+quote(id))
		}
		if err := read(id, file); err != nil {
			return nil, err
		}
	}
	if !p.online {
		return out, nil
	}
	if _, err := p.in.app.network(cmd, p.in.limits); err != nil {
		return nil, err
	}
	if err := fewCards(w, all, out); err != nil {
		return nil, err
	}
	fetched := map[string]owg.Card{} // by URL: thousands may have one
	for _, id := range all {
		at, err := w.CardURL(id)
		if _, ok := out[id]; ok || err != nil { // which is a finding
			continue
		}
		if c, ok := fetched[at]; ok {
			out[id] = c
			continue
		}
		if err := read(id, at); err != nil {
			if ctx := cmd.Context().Err(); ctx != nil {
				return nil, ctx
			}
			for _, f := range failures(err) { // part of the verdict
				p.in.app.diag.warn(rdf.Place{File: at}, f.text, f.code)
			}
			out[id] = owg.Card{Demand: d}
		}
		fetched[at] = out[id]
	}
	return out, nil
}

// fewCards refuses a workflow that would have more cards fetched than anybody reviews:
// whoever wrote it chooses where they are, and what they hold is kept.
func fewCards(w *owg.Workflow, performers []string, named map[string]owg.Card) error {
	const most = 64 // other parties are a few
	urls := map[string]bool{}
	for _, id := range performers {
		if _, ok := named[id]; ok {
			continue
		}
		if at, err := w.CardURL(id); err == nil {
			urls[at] = true
		}
	}
	if len(urls) > most {
		return &failure{
			status: StatusRefused, code: string(owg.CodeLimit),
			text: fmt.Sprintf("the workflow names %d cards to fetch, and no more than %d are; --card names those that count", len(urls), most),
		}
	}
	return nil
}

func (a *app) workflowReport(file string, r *owg.Report, at string, asJSON bool) error {
	v := verdict{Status: StatusYes, Message: "valid"}
	if f := r.First(owg.SeverityError); f != nil {
		v = verdict{Status: StatusNo, Code: string(f.Code), Message: count(r.Errors, "error")}
	}
	if r.Warnings > 0 {
		v.Message += ", " + count(r.Warnings, "warning")
	}
	if r.Notes > 0 {
		v.Message += ", " + count(r.Notes, "note")
	}
	if asJSON {
		more, err := marshal(struct {
			At       string        `json:"at"`
			Rules    string        `json:"rules"`
			Declared string        `json:"notice"`
			Findings []owg.Finding `json:"findings"`
		}{at, owg.Notice, owg.NoticeDeclared, append([]owg.Finding{}, r.Findings...)})
		if err != nil {
			return err
		}
		return a.json(v, more)
	}
	a.findings(file, r.Findings)
	fmt.Fprintf(a.out, "%s: %s\n", printable(display(file)), v.Message)
	fmt.Fprintf(a.out, "%s; %s\n", owg.Notice, owg.NoticeDeclared)
	return ended(v.Status)
}
