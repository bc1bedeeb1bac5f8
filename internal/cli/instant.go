package cli

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// atFlag gives a command the flag --at and returns what reads it: now, unless the call
// says another instant. what ends the sentence "the TIME ...".
func atFlag(cmd *cobra.Command, what string) func() (time.Time, error) {
	var at string
	cmd.Flags().StringVar(&at, "at", "", "the `TIME` "+what+", as in RFC 3339; by default now")
	return func() (time.Time, error) {
		if !cmd.Flags().Changed("at") {
			return time.Now(), nil
		}
		return parseInstant(cmd, "--at", at)
	}
}

// spellAtAsNow lets a command's flag --at be spelt --now as well.
func spellAtAsNow(cmd *cobra.Command) {
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "now" {
			name = "at"
		}
		return pflag.NormalizedName(name)
	})
}

// parseInstant reads the value of a flag that is an instant. An empty one, as of a shell
// variable that is not set, is none.
func parseInstant(cmd *cobra.Command, flag, text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text) // with or without a fraction of a second
	switch {
	case err != nil:
		return t, usageError(cmd, flag+": expected a time as in RFC 3339, found "+quote(text))
	case t.IsZero(): // programs write it where there is no time, and it would count as none
		return t, usageError(cmd, flag+": expected a time after the first instant of the year 1, found "+quote(text))
	}
	return t, nil
}

// timeText writes the instant of a verdict.
func timeText(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
