package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
)

// daemonName is the program with what this one does not link: the SDK of A2A, gRPC
// and Redis.
const daemonName = "rdfprotod"

func (a *app) serveCommand() *cobra.Command {
	return a.handedOver("serve", "run the HTTP service (rdfprotod)", `Runs the HTTP service for agents that are written in other languages: whole A2A
messages, hashes, validation and authority decisions.`, "serve")
}

func (a *app) callCommand() *cobra.Command {
	return a.handedOver("call", "send an offer, an intent or a text to an agent (rdfprotod)", `Sends an offer, an intent or a plain message to an agent over A2A, for trying
things out.`, "call")
}

// handedOver makes a command that rdfprotod carries out: with path, its command of
// the same meaning.
func (a *app) handedOver(name, short, long string, path ...string) *cobra.Command {
	return &cobra.Command{
		Use:   name + " [ARGUMENTS]",
		Short: short,
		Long: long + `

This is a command of rdfprotod, to which all arguments are handed over. It is
looked for beside this program and on the path. To get it:

  go install github.com/rdfproto/rdfproto/cmd/rdfprotod@latest

Exit status: that of rdfprotod; 2 when it is not there.`,
		Example:            "  rdfproto " + name + " --help",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
				if file, err := findDaemon(); err == nil {
					return handOver(file, slices.Concat(path, args))
				}
				return cmd.Help()
			}
			file, err := findDaemon()
			if err != nil {
				return &failure{
					status: StatusCall, code: "no-daemon",
					text: cmd.CommandPath() + " is done by " + daemonName + ", which is neither beside this program nor on the path",
					hint: "go install github.com/rdfproto/rdfproto/cmd/" + daemonName + "@latest",
				}
			}
			return handOver(file, slices.Concat(path, args))
		},
	}
}

// findDaemon finds rdfprotod: beside this program, where both are of one version,
// else on the path. A file of the working folder is never meant, whatever the path says.
func findDaemon() (string, error) {
	name := daemonName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	// Only absolute folders: a relative one is another wherever this runs. One is passed
	// over and does not hide those that follow.
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if file, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return file, nil
		}
	}
	return "", exec.ErrNotFound
}
