package cli

import "os"

// Standard returns the streams of the process. Output is in colour when it is
// a terminal and neither NO_COLOR (https://no-color.org) nor TERM=dumb asks
// otherwise.
//
// A standard output that was closed before the process began (">&-") takes a result
// without an error and loses it: the Go runtime opens /dev/null in its place, for
// reading and writing, before any code of the program runs. Nothing tells that from an
// output that is thrown away on purpose, which Python's subprocess.DEVNULL and Node's
// stdio "ignore" open in the same mode; those ask for the exit status alone, and it must
// stay what it is.
func Standard() Streams {
	info, err := os.Stdout.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Color: terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}
