package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseEmpty makes flags that take a text refuse an empty one. It comes of a variable
// of a shell that is not set, and would turn --token-file "$TOKENS" into none at all.
func refuseEmpty(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "string" {
			f.Value = filledValue{f.Value}
		}
	})
	for _, c := range cmd.Commands() {
		refuseEmpty(c)
	}
}

// filledValue is the value of a flag that is not empty.
type filledValue struct{ pflag.Value }

// Set sets the value, unless it is empty.
func (v filledValue) Set(s string) error {
	if s == "" {
		return errors.New("expected a value, found an empty one")
	}
	return v.Value.Set(s)
}
