//go:build !unix

package cli

import (
	"errors"
	"os"
	"os/exec"
)

// handOver runs another program on the streams of this one, which both get what the
// terminal signals, and ends with its exit status.
func handOver(file string, args []string) error {
	cmd := exec.Command(file, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return ended(exit.ExitCode())
	case err != nil:
		return &failure{status: StatusCall, text: "cannot run " + file + ": " + err.Error(), code: "no-daemon"}
	}
	return ended(StatusYes)
}
