// Command rdfproto hashes, converts and validates RDF, and decides about agent
// protocols. See rdfproto --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/rdfproto/rdfproto/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := cli.Run(ctx, os.Args[1:], cli.Standard())
	stop()
	os.Exit(int(status))
}
