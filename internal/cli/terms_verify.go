package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/terms"
)

func (a *app) termsVerifyCommand() *cobra.Command {
	var (
		t                  *termsFlags
		fresh, all, asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "verify CARD",
		Short: "verify the proposals that a card lists",
		Long: `Verifies every proposal that a card lists, in four steps: the document is
fetched and parsed, canonicalized, compared with the digest of the card, and the
provider's signature is checked. Then it must be a standing proposal that this
reader may be shown. An entry that fails any of it counts as if the card did not
have it; that it failed is a signal on standard error.

Documents come from files by --document, or are fetched: with --online, and when
the card is named by a URL. When such a document is not the one that the card
commits to, the card is fetched again past all caches, its signature is
verified, and all of it is done once more. --fresh does that in any case: do it
before you countersign.

The card's own signature, with --jwks or --trust, is reported apart: it says
nothing about the terms.

Exit status: 0 terms are stated, 1 none could be verified, 3 the card is
refused, 4 the card is silent about terms.`,
		Example: `  rdfproto terms verify --document https://example.com/q=quote.json offers.json
  rdfproto terms verify --json domain:agent.example.com
  rdfproto terms verify --fresh --trust trust.json domain:agent.example.com`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := t.question(cmd)
			if err != nil {
				return err
			}
			ask := q.ask
			if fresh {
				ask = q.freshly
			}
			c, r, err := ask(cmd, args[0])
			if err != nil {
				return err
			}
			v := termsVerdict(r, termsStatus(r, all))
			if asJSON {
				more, err := termsJSON(r)
				if err != nil {
					return err
				}
				return a.json(v, more)
			}
			a.termsText(c, r.Lines())
			return a.termsEnd(c, r, v)
		},
	}
	t = a.addTermsFlags(cmd)
	t.addReaderFlags(cmd)
	f := cmd.Flags()
	f.BoolVar(&fresh, "fresh", false, "fetch the card and its documents past all caches")
	f.BoolVar(&all, "all", false, "require every proposal of the card to be verified")
	f.BoolVar(&asJSON, "json", false, "print the verdict and the report as JSON")
	return cmd
}

// termsText writes lines about a card, its name before the first.
func (a *app) termsText(c namedCard, lines []string) {
	for i, l := range lines {
		if i == 0 {
			l = c.name + ": " + l
		}
		fmt.Fprintln(a.out, printable(l))
	}
}

// shownProposal is a proposal as JSON: what the card commits to, as it is.
type shownProposal struct {
	URL      string                 `json:"url"`
	Digest   string                 `json:"digest"`
	Directed bool                   `json:"directed"`
	Lapsed   bool                   `json:"lapsed,omitempty"`
	Missing  []string               `json:"missingClauses,omitempty"`
	Grades   map[string]terms.Grade `json:"grades"`
	Document json.RawMessage        `json:"document"`
}

func (a *app) termsShowCommand() *cobra.Command {
	var (
		t      *termsFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "show CARD",
		Short: "show the verified proposals of a card, clause by clause",
		Long: `Shows the proposals of a card that could be verified, and no others, every
clause with its grade beside it. A grade is what the provider claims: enforced,
kept as evidence, or recorded as a promise; nothing here checks it. The members
of the document are shown as they are signed.

Exit status: 0 terms are shown, 1 none could be verified, 3 the card is refused,
4 the card is silent about terms.`,
		Example: `  rdfproto terms show --document https://example.com/q=quote.json offers.json
  rdfproto terms show domain:agent.example.com`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := t.question(cmd)
			if err != nil {
				return err
			}
			c, r, err := q.ask(cmd, args[0])
			if err != nil {
				return err
			}
			v := termsVerdict(r, termsStatus(r, false))
			if asJSON {
				shown := []shownProposal{}
				for _, p := range r.Proposals() {
					shown = append(shown, shownProposal{p.URL(), p.Digest().String(), p.Directed(), p.Lapsed(), p.MissingClauses(), p.Grades(), p.Bytes()})
				}
				more, err := marshal(struct {
					Terms     terms.Terms     `json:"terms"`
					Proposals []shownProposal `json:"proposals"`
				}{r.Terms, shown})
				if err != nil {
					return err
				}
				return a.json(v, more)
			}
			if r.Terms != terms.Stated {
				a.termsText(c, r.Lines()[:1])
			}
			for _, p := range r.Proposals() {
				a.termsText(c, p.Lines())
			}
			return a.termsEnd(c, r, v)
		},
	}
	t = a.addTermsFlags(cmd)
	t.addReaderFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the proposals as JSON")
	return cmd
}
