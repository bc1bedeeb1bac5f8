package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

func (a *app) protocolFetchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fetch --pin sha256:HEX URL",
		Short: "fetch a Protocol Document and verify it before any use",
		Long: `Fetches a Protocol Document over guarded HTTPS: only https, only public
addresses, no proxy, no cookies, limited time and size. The pin is compared
before anything else of the document is used, and then every rule on Protocol
Documents is checked. What is written is the graph that has the pin, as Turtle:
the pin does not cover comments and the like.

Exit status: 0 fetched and verified, 1 it has another pin, 2 it could not be
fetched, 3 it was refused.`,
		Example: `  rdfproto protocol fetch --pin sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509 https://alice.pod.example/protocols/grant-access`,
		Args:    files(1, 1),
	}
	pin := pinFlag(cmd, "the pin that the document must have, `sha256:HEX`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		want, err := pin()
		switch {
		case err != nil:
			return err
		case want == nil:
			return usageError(cmd, "--pin is missing: what is fetched without one proves nothing")
		}
		network, err := a.network(cmd, localLimits())
		if err != nil {
			return err
		}
		url := args[0]
		body, mediaType, err := network.ProtocolDocument(cmd.Context(), url)
		if err != nil {
			return fetchFailed(err)
		}
		c, err := protocol.Parse(cmd.Context(), body, mediaType, protocol.Options{File: rdf.Abbreviate(url)})
		if err != nil {
			return &inFile{rdf.Abbreviate(url), err}
		}
		d, err := c.Verify(*want)
		var refusal *protocol.Error
		switch {
		case errors.As(err, &refusal) && refusal.Code == protocol.CodeProtocolHashMismatch:
			a.diag.line("error", rdf.Place{File: rdf.Abbreviate(url)}, refusal.Error(), string(refusal.Code))
			return ended(StatusNo)
		case err != nil:
			return &inFile{rdf.Abbreviate(url), err}
		}
		a.warnOfPin(url, d)
		return a.write(d.Dataset(), rdfio.Turtle, protocolNamer(nil))
	}
	return cmd
}
