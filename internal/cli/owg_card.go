package cli

import (
	"crypto/rand"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/owg"
)

func (a *app) owgCardCommand() *cobra.Command {
	var (
		in         *cardInput
		o          owg.CardOptions
		extensions []string
		keyFile    string
		jku        string
	)
	cmd := &cobra.Command{
		Use:   "card FILE",
		Short: "make the agent card of a workflow",
		Long: `Makes the Agent Card by which a workflow is offered as an agent: its id is the
skill, its objective the description, its params the inputs to supply. With
--key the card is signed.

The card describes the capability alone. Where a text of the definition names a
participant, an organization, a host, an executor, a task, an asset or a scope,
no card is written; --allow lets a name stand. (A task, asset or scope that is
called like a param, or by a word of the id, is no secret: those stand there.)

Exit status: 0 the card was written, 1 it would give something away or the
workflow is invalid, 3 refused.`,
		Example: `  rdfproto owg card --provider-org Studio \
    --provider-url https://studio.example --url https://studio.example/a2a \
    season.json`,
		Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, need := range []struct{ flag, value string }{{"--provider-org", o.ProviderOrg}, {"--provider-url", o.ProviderURL}, {"--url", o.URL}} {
				if strings.TrimSpace(need.value) == "" {
					return usageError(cmd, need.flag+" is missing")
				}
			}
			for _, file := range extensions {
				data, err := in.bytes(cmd.Context(), file, fixedBytes)
				if err != nil {
					return err
				}
				o.Extensions = append(o.Extensions, data)
			}
			var key *agentcard.PrivateKey
			if keyFile != "" {
				var err error
				if key, err = in.signingKey(cmd, keyFile); err != nil {
					return err
				}
			} else if jku != "" {
				return usageError(cmd, "--jku needs --key")
			}
			w, err := in.workflow(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			card, err := w.Card(o)
			if err != nil {
				return &inFile{display(args[0]), err}
			}
			if key != nil {
				c, err := agentcard.Parse(card, in.limits.card)
				if err != nil {
					return err
				}
				if card, err = agentcard.Sign(c, key, agentcard.SignOptions{JKU: jku, Rand: rand.Reader}); err != nil {
					return err
				}
			}
			_, err = a.out.Write(card)
			return err
		},
	}
	in = a.addCardFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.ProviderOrg, "provider-org", "", "the `NAME` of the organization that offers the work (required)")
	f.StringVar(&o.ProviderURL, "provider-url", "", "its `URL` (required)")
	f.StringVar(&o.URL, "url", "", "the https `URL` of the agent (required)")
	f.StringVar(&o.Name, "name", "", "the `NAME` of the agent; by default that of the organization")
	f.StringVar(&o.Version, "version", "", "the `VERSION` of the agent (default \"1.0.0\")")
	f.StringArrayVar(&o.Tags, "tag", nil, "a `TAG` of the skill (repeatable; default owg)")
	f.StringVar(&o.InputsExtension, "inputs-extension", "", "list the inputs as data under the extension with this `URI`")
	f.StringArrayVar(&extensions, "extension", nil, "declare the extension in this `FILE`, a JSON object with a uri (repeatable)")
	f.StringArrayVar(&o.Allow, "allow", nil, "let this `NAME` stand on the card (repeatable)")
	f.StringVar(&keyFile, "key", "", "sign the card with the private key in this `FILE`")
	f.StringVar(&jku, "jku", "", "name this https `URL` as the place of the JWK Set")
	return cmd
}
