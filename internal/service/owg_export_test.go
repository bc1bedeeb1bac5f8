package service

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// RunOwgAt is the command "owg run" with a clock.
func RunOwgAt(ctx context.Context, now func() time.Time, args []string, s cli.Streams) cli.Status {
	return cli.Program{Name: "rdfprotod", Commands: func() []*cobra.Command {
		return []*cobra.Command{owgRunCommand(s, now)}
	}}.Run(ctx, append([]string{"run"}, args...), s)
}
