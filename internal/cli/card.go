package cli

import (
	"context"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/rdf"
)

func (a *app) cardCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "card COMMAND",
		Short: "sign, verify and inspect A2A Agent Cards",
		Long: `Works on signed Agent Cards (A2A 1.0, section 8.4). A CARD is a file, - for
standard input, an https URL, or domain:NAME for the well-known address of a
host. Nothing is fetched unless a URL or a domain is named or --online is set.

A valid signature proves that the card did not change and that its signer held
the key. Whose key it is, is another question, and reports keep the two apart.`,
		Example: `  rdfproto card lint card.json
  rdfproto card verify --jwks jwks.json card.json
  rdfproto card inspect --trust trust.json card.json`,
	}, a.cardVerifyCommand(), a.cardInspectCommand(), a.cardLintCommand(), a.cardPayloadCommand(),
		a.cardSignCommand(), a.cardKeygenCommand())
}

// cardInput is how a command reads its card.
type cardInput struct {
	app    *app
	limits *limits
}

func (a *app) addCardFlags(cmd *cobra.Command) *cardInput {
	return &cardInput{app: a, limits: addLimitFlag(cmd)}
}

// wellKnown is where a host publishes its card (A2A 1.0, section 8.2).
const wellKnown = "/.well-known/agent-card.json"

// cardURL returns the URL that an argument names, "" for a file.
func cardURL(arg string) string {
	if name, ok := strings.CutPrefix(arg, "domain:"); ok {
		if strings.ContainsAny(name, `/?#\%`) {
			name = url.PathEscape(name) // which is no host: the well-known address has no other path
		}
		return "https://" + name + wellKnown
	}
	if scheme, _, ok := strings.Cut(arg, "://"); ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")) {
		return arg
	}
	return ""
}

// namedCard is a card with the name by which messages call it.
type namedCard struct {
	*agentcard.Card
	name   string
	source string // the URL that it was fetched from, "" for a file
}

// read reads the card that an argument names.
func (in *cardInput) read(cmd *cobra.Command, arg string) (namedCard, error) {
	c := namedCard{name: display(arg)}
	var data []byte
	address := cardURL(arg)
	if address != "" {
		network, err := in.app.network(cmd, in.limits)
		if err != nil {
			return c, err
		}
		if data, c.source, err = network.Card(cmd.Context(), address, false); err != nil {
			return c, fetchFailed(err)
		}
		c.name = c.source
	} else {
		var err error
		if data, err = in.bytes(cmd.Context(), arg, in.limits.card.CardBytes); err != nil {
			return c, err
		}
	}
	card, err := agentcard.Parse(data, in.limits.card)
	if err != nil {
		return c, &inFile{c.name, err}
	}
	c.Card = card
	return c, nil
}

func (in *cardInput) bytes(ctx context.Context, file string, takes int64) ([]byte, error) {
	return in.input().bytes(ctx, file, takes)
}

// input reads files that are no cards by the same limits.
func (in *cardInput) input() *input { return &input{app: in.app, limits: in.limits} }

// place returns the place of a finding in the card.
func (c namedCard) place(line, column int) rdf.Place {
	return rdf.Place{File: c.name, Line: line, Column: column}
}

// at appends the pointer to a message about a value.
func at(text, pointer string) string {
	if pointer == "" {
		return text
	}
	return text + " (at " + pointer + ")"
}
