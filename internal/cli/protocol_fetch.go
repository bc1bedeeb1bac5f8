package cli

import (
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
	pin := requiredPinFlag(cmd, "what is fetched without one proves nothing")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		want, err := pin()
		if err != nil {
			return err
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
		d, err := verified(c, want, rdf.Abbreviate(url))
		if err != nil {
			return err
		}
		a.warnOfPin(url, d)
		return a.write(d.Dataset(), rdfio.Turtle, protocolNamer(nil))
	}
	return cmd
}
