package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/terms"
)

// cardFacts is what a card says about itself.
type cardFacts struct {
	Name       string          `json:"name"`
	Version    string          `json:"version"`
	Provider   string          `json:"provider,omitempty"`
	Bytes      int             `json:"bytes"`
	Interfaces []cardInterface `json:"interfaces"`
	Security   []string        `json:"securityRequirements"`
	Skills     []string        `json:"skills"`
	Extensions []cardExtension `json:"extensions"`
}

type cardInterface struct {
	URL     string `json:"url"`
	Binding string `json:"protocolBinding"`
	Version string `json:"protocolVersion"`
	Tenant  string `json:"tenant,omitempty"`
}

type cardExtension struct {
	URI      string `json:"uri"`
	Required bool   `json:"required"`
}

// declared is the declaration of RDF Protocol Documents.
type declared struct {
	Valid         bool                `json:"valid"`
	Required      bool                `json:"required"`
	Formats       []string            `json:"formats"`
	NLNegotiation bool                `json:"nlNegotiation"`
	Documents     []declaredDocument  `json:"documents"`
	Findings      []agentcard.Finding `json:"findings,omitempty"`
}

func (a *app) cardInspectCommand() *cobra.Command {
	var (
		p      *cardPolicy
		flags  []string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "inspect CARD",
		Short: "report on a card before its agent is used",
		Long: `Reports on all of a card: what it says about its agent, what its signatures are
worth, which RDF Protocol Documents it declares, what it states about terms, and
what lint finds. Where a signature does not cover the whole card, the report is
on the part it covers.

Declared documents are reviewed, and proposals verified, when they can be read:
from files by --document, or fetched with --online. Nothing is fetched for a
card whose signature is wrong.

Exit status: 0 verified, 1 not, 3 refused, 4 unsigned.`,
		Example: `  rdfproto card inspect --trust trust.json card.json
  rdfproto card inspect --json --jwks jwks.json card.json`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, r, status, err := p.verify(cmd, args[0])
			if err != nil {
				return err
			}
			card := c.Card
			if v, ok := r.Verified(); ok {
				card = v.Card()
			}
			decl, err := p.declaration(cmd, card, r, flags)
			if err != nil {
				return err
			}
			offers, err := p.offers(cmd, c, r, flags)
			if err != nil {
				return err
			}
			lint := append([]agentcard.LintFinding{}, c.Lint()...)
			if asJSON {
				more, err := marshal(struct {
					Card        cardFacts               `json:"card"`
					Signature   *agentcard.Report       `json:"signature"`
					Declaration *declared               `json:"declaration"`
					Terms       *terms.Report           `json:"terms"`
					Lint        []agentcard.LintFinding `json:"lint"`
				}{factsOf(card), r, decl, offers, lint})
				if err != nil {
					return err
				}
				return a.json(p.verdict(r, status), more)
			}
			a.factsText(factsOf(card))
			a.cardReportText(c, r)
			a.declarationText(decl)
			for _, l := range offers.Lines() {
				fmt.Fprintln(a.out, printable(l))
			}
			a.lintText(c, lint)
			return p.end(c, r, status)
		},
	}
	p = a.addCardPolicyFlags(cmd, "the documents that the card declares, and ", " and offers open")
	cmd.Flags().StringArrayVar(&flags, "document", nil, "take a declared document at a URL from a file, `URL=FILE` (repeatable)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

func factsOf(c *agentcard.Card) cardFacts {
	root := c.Root()
	str := func(v strictjson.Value) string {
		s, _ := v.Str()
		return s
	}
	f := cardFacts{
		Name: c.Name(), Version: str(root.Get("version")), Provider: str(root.Get("provider").Get("organization")),
		Bytes:      len(c.Bytes()),
		Interfaces: []cardInterface{}, Security: []string{}, Skills: []string{}, Extensions: []cardExtension{},
	}
	for _, i := range c.Interfaces() {
		f.Interfaces = append(f.Interfaces, cardInterface{i.URL, i.ProtocolBinding, i.ProtocolVersion, i.Tenant})
	}
	for _, v := range root.Get("securityRequirements").Items() {
		var names []string
		for name := range v.Get("schemes").Members() {
			names = append(names, name)
		}
		if len(names) == 0 {
			names = []string{"no authentication"}
		}
		f.Security = append(f.Security, strings.Join(names, " and "))
	}
	for _, v := range root.Get("skills").Items() {
		f.Skills = append(f.Skills, str(v.Get("id")))
	}
	for _, v := range root.Get("capabilities").Get("extensions").Items() {
		required, _ := v.Get("required").Bool()
		f.Extensions = append(f.Extensions, cardExtension{str(v.Get("uri")), required})
	}
	return f
}

// offers verifies what a card states about terms. What a card with a wrong signature
// names is not fetched.
func (p *cardPolicy) offers(cmd *cobra.Command, c namedCard, r *agentcard.Report, flags []string) (*terms.Report, error) {
	pins, err := readPins(cmd, "--document", "a URL", flags)
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, e := range terms.ReadDeclaration(c.Card, p.in.limits.terms).Entries {
		listed[terms.Resource(e.URL)] = true
	}
	var own []string // the others are Protocol Documents
	for _, pin := range pins {
		if listed[terms.Resource(pin.iri)] {
			own = append(own, pin.iri+"="+pin.file)
		}
	}
	policy, err := p.policy(cmd)
	if err != nil {
		return nil, err
	}
	docs := &proposals{}
	if docs.files, err = p.in.readDocuments(cmd, own); err != nil {
		return nil, err
	}
	if _, code := agentcard.Admit(r, agentcard.DemandIfSigned); code == "" && p.online {
		if docs.network, err = p.in.app.network(cmd, p.in.limits); err != nil {
			return nil, err
		}
	}
	return terms.Verify(cmd.Context(), terms.Subject{Card: c.Card, Signature: r, Source: c.source}, terms.Options{At: policy.At, Fetcher: docs, Limits: p.in.limits.terms})
}

// declaration returns the declaration of a card with its documents reviewed, nil
// when it has none. What a card with a wrong signature names is not looked at.
func (p *cardPolicy) declaration(cmd *cobra.Command, c *agentcard.Card, r *agentcard.Report, flags []string) (*declared, error) {
	var network Network
	if _, code := agentcard.Admit(r, agentcard.DemandIfSigned); code == "" && p.online {
		var err error
		if network, err = p.in.app.network(cmd, p.in.limits); err != nil {
			return nil, err
		}
	}
	sources, err := documentSources(cmd, p.in, flags, network)
	if err != nil {
		return nil, err
	}
	d := c.Declaration()
	if !d.Declared {
		return nil, nil
	}
	out := &declared{
		Valid: d.Valid, Required: d.Required, Formats: append([]string{}, d.Formats...), NLNegotiation: d.NLNegotiation, Findings: d.Findings,
	}
	if out.Documents, err = sources.review(cmd.Context(), d.Documents); err != nil {
		return nil, err
	}
	return out, cmd.Context().Err()
}

func (a *app) factsText(f cardFacts) {
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(a.out, "%-12s %s\n", label+":", printable(text))
		}
	}
	line("name", strings.TrimSpace(f.Name+" "+f.Version))
	line("provider", f.Provider)
	for _, i := range f.Interfaces {
		tenant := ""
		if i.Tenant != "" {
			tenant = ", tenant " + quote(i.Tenant)
		}
		line("interface", i.URL+" ("+strings.TrimSpace(i.Binding+" "+i.Version)+tenant+")")
	}
	line("access", strings.Join(f.Security, ", or "))
	line("skills", strings.Join(f.Skills, ", "))
	for _, e := range f.Extensions {
		required := ""
		if e.Required {
			required = " (required)"
		}
		line("extension", e.URI+required)
	}
	line("size", count(f.Bytes, "byte"))
}

func (a *app) declarationText(d *declared) {
	if d == nil {
		return
	}
	line := func(text string) { fmt.Fprintf(a.out, "  %s\n", printable(text)) }
	if !d.Valid {
		fmt.Fprintln(a.out, "RDF Protocol Documents: the declaration is invalid")
		return
	}
	fmt.Fprintln(a.out, "RDF Protocol Documents:")
	line("formats: " + strings.Join(d.Formats, ", "))
	for _, doc := range d.Documents {
		doc.text(line)
	}
}
