package service

import (
	"context"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/cli"
)

// RunOwgAt is the command "owg run" with a clock.
func RunOwgAt(ctx context.Context, now func() time.Time, args []string, s cli.Streams) cli.Status {
	return cli.Program{Name: "rdfprotod", Commands: func() []*cobra.Command {
		return []*cobra.Command{owgRunCommand(s, now)}
	}}.Run(ctx, append([]string{"run"}, args...), s)
}

// TokenGoes reports whether the token goes to an address that an unsigned card names, by
// the card that a call names.
func TokenGoes(card, address string) bool {
	_, err := bearer("t").header(a2a.Endpoint{URL: address, Binding: a2a.JSONRPC}, false, tokenFrom(card))
	return err == nil
}

// ReachedFrom is how the addresses are reached that a card names.
func ReachedFrom(card string, web *fetch.Client) func(ctx context.Context, network, address string) (net.Conn, error) {
	return reachedFrom(card, web)
}
