package cli

import "fmt"

// verdict is the answer of a command that has one.
type verdict struct {
	Status  Status
	Code    string // "" for a yes
	Message string
}

// verdictLine writes a verdict as a line of text.
func (a *app) verdictLine(v verdict) {
	line := printable(v.Message)
	if v.Code != "" {
		line += " [" + v.Code + "]"
	}
	fmt.Fprintln(a.out, line)
}
