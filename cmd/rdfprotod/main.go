// Command rdfprotod is the HTTP service of rdfproto and the commands that speak A2A.
// See rdfprotod --help.
package main

import (
	"context"
	"os"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/service"
)

func main() {
	service.Quiet()
	os.Exit(int(service.Run(service.WithSignals(context.Background()), os.Args[1:], cli.Standard())))
}
