//go:build unix

package cli

import (
	"os"
	"syscall"
)

// handOver becomes another program, which keeps the streams and the process, and so
// gets the signals that this one would have. It returns only when it fails.
func handOver(file string, args []string) error {
	err := syscall.Exec(file, append([]string{daemonName}, args...), os.Environ())
	return &failure{status: StatusCall, text: "cannot run " + file + ": " + err.Error(), code: "no-daemon"}
}
