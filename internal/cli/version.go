package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		Long:    "Prints the version, the commit it was built from where that is known, and the\nGo release and platform it was built with.",
		Example: "  rdfproto version",
		Args:    files(0, 0),
		RunE: func(*cobra.Command, []string) error {
			version, commit := "(unknown)", ""
			if info, ok := debug.ReadBuildInfo(); ok {
				version = info.Main.Version
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" && s.Value != "" {
						commit = " " + s.Value
					}
				}
			}
			_, err := fmt.Fprintf(a.out, "rdfproto %s%s %s %s/%s\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
