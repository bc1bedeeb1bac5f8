package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manual returns a page of section 1 of the manual for a command and each one under it.
func manual(cmd *cobra.Command, version string, at time.Time) []file {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	out := []file{{name: "man/man1/" + name + ".1", data: []byte(page(cmd, name, version, at))}}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, manual(c, version, at)...)
		}
	}
	return out
}

// page writes what --help says as a manual page. The texts are laid out for a terminal
// already, so that they stay as they are.
func page(cmd *cobra.Command, name, version string, at time.Time) string {
	cmd.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 %s \"rdfproto %s\" \"rdfproto\"\n", roffArgument(strings.ToUpper(name)), at.Format(time.DateOnly), roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s.fi\n", title, roffLines(text))
		}
	}
	section("SYNOPSIS", cmd.UseLine())
	section("DESCRIPTION", cmd.Long)
	if cmd.HasAvailableLocalFlags() {
		b.WriteString(".SH OPTIONS\n")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			value, usage := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, ".TP\n\\fB\\-\\-%s\\fR", roff(f.Name))
			if value != "" {
				fmt.Fprintf(&b, " \\fI%s\\fR", roff(value))
			}
			fmt.Fprintf(&b, "\n%s\n", roff(usage+defaultOf(f)))
		})
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n\\fB%s\\-%s\\fR(1)\n%s\n", roff(name), roff(c.Name()), roff(c.Short))
			}
		}
	}
	section("EXAMPLES", cmd.Example)
	if cmd.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n\\fB%s\\fR(1)\n", roff(strings.ReplaceAll(cmd.Parent().CommandPath(), " ", "-")))
	}
	return b.String()
}

// defaultOf says what a flag has without being given, where that is something.
func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "0", "[]":
		return ""
	}
	return " (default " + f.DefValue + ")"
}

// roffLines escapes a text line by line.
func roffLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		b.WriteString(roff(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}

// roff escapes a text: what stands here is to be copied as it is, so that hyphens, quotes
// and the like must not become typographic ones, nor a line a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

func roffArgument(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }
