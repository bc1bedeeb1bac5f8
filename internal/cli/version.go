package cli

import (
	"fmt"
	"io"
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
			return writeVersion(a.out, "rdfproto")
		},
	}
}

// versionFlag gives a program the flag --version, which does what the command of that
// name does: the root alone has no other use.
func (a *app) versionFlag(root *cobra.Command, program string) {
	version := root.Flags().Bool("version", false, "print the version, as the command of that name does")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *version && len(args) == 0 {
			return writeVersion(a.out, program)
		}
		return unknownCommand(cmd, args)
	}
}

func writeVersion(w io.Writer, program string) error {
	version, commit := BuildVersion()
	if commit != "" {
		commit = " " + commit
	}
	_, err := fmt.Fprintf(w, "%s %s%s %s %s/%s\n", program, version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// BuildVersion returns the version of this module that runs, and the commit that
// it was built from, "" where that is not known.
func BuildVersion() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)", ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		}
	}
	return info.Main.Version, commit
}
