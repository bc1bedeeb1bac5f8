package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/terms"
)

// Network fetches what a call names by its URL, over guarded HTTPS. Its errors
// have a method FetchCode() string where a code is known.
type Network interface {
	// Card fetches an Agent Card and tells where it was in the end.
	terms.CardFetcher
	// Proposal fetches a standing proposal.
	terms.Fetcher
	// ProtocolDocument fetches a Protocol Document and tells its media type.
	ProtocolDocument(ctx context.Context, url string) (body []byte, mediaType string, err error)
	// KeySet fetches a JWK Set.
	agentcard.Fetcher
}

// FetchLimits says how many bytes a fetched document of each kind may have. A
// limit below that of the specification has no effect here: whoever reads the
// document then refuses it.
type FetchLimits struct {
	Card, Proposal, KeySet int64
}

// network returns the network for a command that was asked to use it, and that reads what
// it gets by these limits.
func (a *app) network(cmd *cobra.Command, l *limits) (Network, error) {
	if a.open == nil {
		return nil, usageError(cmd, "this program was built without a network: name a file")
	}
	return a.open(FetchLimits{Card: l.card.CardBytes, Proposal: l.terms.DocumentBytes, KeySet: l.card.KeySetBytes})
}

// fetchFailed turns the failed fetch of what a call names into a failure.
func fetchFailed(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	f := &failure{status: StatusCall, text: err.Error(), code: "unreachable"}
	var coded interface{ FetchCode() string }
	if errors.As(err, &coded) {
		f.code = coded.FetchCode()
	}
	return f
}
