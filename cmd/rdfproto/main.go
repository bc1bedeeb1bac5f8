// Command rdfproto hashes, converts and validates RDF, and decides about agent
// protocols. See rdfproto --help.
package main

import (
	"context"
	"os"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/online"
)

func main() {
	streams := cli.Standard()
	streams.Network = online.Open
	os.Exit(int(cli.Run(cli.WithSignals(context.Background()), os.Args[1:], streams)))
}
