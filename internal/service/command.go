package service

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// Run executes a command line of rdfprotod, the program's name left out, and returns
// the exit status.
func Run(ctx context.Context, args []string, s cli.Streams) cli.Status {
	return program(s).Run(ctx, args, s)
}

// Tree returns all commands of rdfprotod, for tools that describe them.
func Tree() *cobra.Command { return program(cli.Streams{}).Tree() }

func program(s cli.Streams) cli.Program {
	return cli.Program{
		Name:  "rdfprotod",
		Short: "the HTTP service of rdfproto, and the commands that speak A2A",
		Long: `rdfprotod has what rdfproto leaves out to stay small: an HTTP service for agents
in other languages, and the commands that speak A2A.

Results go to standard output, diagnostics and logs to standard error.

Exit status:
  0  yes, or done
  1  a clear no
  2  the call or its environment was wrong: flags, files, addresses
  3  the input was refused
  4  nothing to judge`,
		Example: `  rdfprotod serve --socket agent.sock
  rdfprotod serve --config agent.json --listen 127.0.0.1:4747
  rdfprotod call --protocol grant.ttl --intent intent.ttl domain:alice.example`,
		Commands: func() []*cobra.Command { return commands(s) },
	}
}

// commands lists the commands, one file each.
func commands(s cli.Streams) []*cobra.Command {
	return []*cobra.Command{
		serveCommand(s),
		callCommand(s),
		owgCommand(s),
	}
}
