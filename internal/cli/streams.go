package cli

import "os"

// Standard returns the streams of the process. Output is in colour when it is
// a terminal and neither NO_COLOR (https://no-color.org) nor TERM=dumb asks
// otherwise.
func Standard() Streams {
	info, err := os.Stdout.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Color: terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}
