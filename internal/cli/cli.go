package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Status is the exit status of a command. With several inputs the highest
// wins.
type Status int

// The exit statuses. Only [StatusYes] is a yes.
const (
	StatusYes     Status = iota // yes, or done
	StatusNo                    // a clear no
	StatusCall                  // the call or its surroundings were wrong
	StatusRefused               // the input was refused
	StatusNothing               // nothing to judge
)

// Streams are where a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Color says that Out is a terminal whose user wants colours.
	Color bool
	// Network is opened by the first command that is asked to fetch something; nil
	// means that nothing can be fetched.
	Network func(FetchLimits) (Network, error)
}

// Run executes a command line, the program's name left out, and returns the
// exit status. When ctx is done it returns within a fifth of a second, even
// from a read that never ends; the caller is then expected to exit.
func Run(ctx context.Context, args []string, s Streams) Status {
	done := make(chan Status, 1)
	go func() { done <- run(ctx, args, s) }()
	select {
	case status := <-done:
		return status
	case <-ctx.Done():
	}
	const grace = 200 * time.Millisecond // for commands that end properly by themselves
	select {
	case status := <-done:
		return status
	case <-time.After(grace):
		d := diagnostics{w: s.Err}
		return d.explain(ctx.Err())
	}
}

func run(ctx context.Context, args []string, s Streams) Status {
	a := &app{
		in:    s.In,
		out:   &output{w: bufio.NewWriter(s.Out)},
		diag:  &diagnostics{w: s.Err},
		color: s.Color,
		open:  s.Network,
	}
	first := ""
	if len(args) > 0 {
		first = args[0]
	}
	root := a.root(first)
	return a.execute(ctx, root, args)
}

// execute runs the command that a command line names, and returns the exit status.
func (a *app) execute(ctx context.Context, root *cobra.Command, args []string) Status {
	refuseEmpty(root)
	refuseRepeats(root)
	refuseTogether(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError(cmd, flagText(err))
	})
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.diag.w)
	err := findCommand(root, args)
	if err == nil {
		var cmd *cobra.Command
		cmd, err = root.ExecuteContextC(ctx)
		a.diag.fixed = cmd.Flag("limit") == nil
	}
	status := a.diag.explain(err)
	if err := a.out.flush(); err != nil {
		// Whatever the result was, nobody has it.
		status = a.diag.explain(&failure{
			status: StatusCall, code: "write-failed", text: "cannot write the result: " + err.Error(),
		})
	}
	return status
}

// app is one run of the program.
type app struct {
	in     io.Reader
	inUsed bool // standard input can be read once
	out    *output
	diag   *diagnostics
	color  bool
	open   func(FetchLimits) (Network, error)
}

// Tree returns all commands of rdfproto, for tools that describe them. [Run] runs
// one.
func Tree() *cobra.Command {
	a := &app{in: strings.NewReader(""), out: &output{w: bufio.NewWriter(io.Discard)}, diag: &diagnostics{w: io.Discard}}
	return a.root("")
}

// root makes the tree of commands: with the one that the first argument names,
// or with all of them when it names none.
func (a *app) root(first string) *cobra.Command {
	root := &cobra.Command{
		Use:   "rdfproto COMMAND",
		Short: "RDF protocols for agents: hash, validate and decide, strictly",
		Long: `rdfproto reads RDF strictly, hashes it canonically (RDFC-1.0) and validates it
with SHACL, reporting where and why.

A FILE of - is standard input. The result goes to standard output, diagnostics
go to standard error.

Exit status:
  0  yes, or done
  1  a clear no: does not conform, pin differs
  2  the call or its environment was wrong: flags, files, a failed write
  3  the input was refused: syntax, over a limit, unsupported
  4  nothing to judge`,
		Example: `  rdfproto hash protocol.ttl
  rdfproto validate --shape protocol.ttl intent.ttl`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},

		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: 2,

		Args: cobra.ArbitraryArgs, // so that an unknown command comes to RunE
	}
	a.versionFlag(root, "rdfproto")
	root.SetHelpCommand(a.helpCommand(root))
	root.SetUsageFunc(usage)
	commands := a.commands(root)
	for _, c := range commands {
		if c.name == first {
			root.AddCommand(c.build())
			return root
		}
	}
	for _, c := range commands {
		root.AddCommand(c.build())
	}
	return root
}

// command is a command by its name, to be built when it is needed: building all
// of them would be a good part of what a small call costs.
type command struct {
	name  string
	build func() *cobra.Command
}

func (a *app) commands(root *cobra.Command) []command {
	return []command{
		{"hash", a.hashCommand},
		{"canon", a.canonCommand},
		{"convert", a.convertCommand},
		{"validate", a.validateCommand},
		{"protocol", a.protocolCommand},
		{"intent", a.intentCommand},
		{"handshake", a.handshakeCommand},
		{"message", a.messageCommand},
		{"card", a.cardCommand},
		{"owg", a.owgCommand},
		{"terms", a.termsCommand},
		{"vc", a.vcCommand},
		{"odrl", a.odrlCommand},
		{"delegation", a.delegationCommand},
		{"authz", a.authzCommand},
		{"vectors", a.vectorsCommand},
		{"agreements", a.agreementsCommand},
		{"serve", a.serveCommand},
		{"call", a.callCommand},
		{"limits", a.limitsCommand},
		{"version", a.versionCommand},
		{"completion", func() *cobra.Command { return a.completionCommand(root) }},
	}
}

// usage writes what follows the description in the help of a command, in 80
// columns.
func usage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nCommands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				fmt.Fprintf(w, "  %-*s  %s\n", cmd.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", cmd.LocalFlags().FlagUsagesWrapped(80))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s COMMAND --help says more about a command.\n", cmd.CommandPath())
	}
	return nil
}

// helpCommand is cobra's help command with the contract's answer to an unknown
// topic.
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "show the help of a command",
		Long:    "Shows the help of a command, as --help does.",
		Example: "  rdfproto help validate",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := root.Find(args)
			switch {
			case err != nil:
				return unknownCommand(root, args)
			case len(rest) > 0:
				return unknownCommand(topic, rest)
			}
			topic.InitDefaultHelpFlag() // as --help would have
			return topic.Help()
		},
	}
}

// findCommand fails where a name stands that is no command. Cobra alone would
// answer with the help of the group when --help follows, and with an unknown
// flag when any other does.
func findCommand(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil // the command itself says what is wrong
	}
	ownOfCobra := []string{"help", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	if cmd == root && slices.Contains(ownOfCobra, rest[0]) {
		return nil
	}
	return unknownCommand(cmd, rest)
}

// commandGroup makes of a command one that does nothing but group others.
func commandGroup(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = cobra.ArbitraryArgs // so that an unknown command comes to RunE
	cmd.RunE = unknownCommand
	cmd.AddCommand(commands...)
	return cmd
}

// unknownCommand explains a call of a command that only groups others.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError(cmd, "no command given")
	}
	f := usageError(cmd, "unknown command "+quote(args[0])+" for "+cmd.CommandPath())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 && args[0] != "" {
		f.hint = "did you mean " + quote(near[0]) + "?"
	}
	return f
}

// usageError is a call that was wrong.
func usageError(cmd *cobra.Command, text string) *failure {
	return &failure{
		status: StatusCall, code: "usage", text: text,
		hint: "see " + cmd.CommandPath() + " --help",
	}
}

// manyFiles is as many arguments as a call can have.
const manyFiles = math.MaxInt

// files checks the number of a command's positional arguments.
func files(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least && len(args) > 0:
			return usageError(cmd, "another FILE is missing")
		case len(args) < least:
			return usageError(cmd, "a FILE is missing")
		case len(args) > most:
			return usageError(cmd, "too many arguments: "+quote(args[most]))
		}
		return nil
	}
}

// output is standard output: buffered, and what went wrong is kept for the end,
// since a result that was not written is a failure of the call.
type output struct {
	w   *bufio.Writer
	err error
}

// Write keeps the first error for flush, which is where it is explained, and
// gives the caller one that ends the command and says nothing more.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, ended(StatusCall)
	}
	n, err := o.w.Write(p)
	if err != nil {
		o.err = err
		return n, ended(StatusCall)
	}
	return n, nil
}

func (o *output) flush() error {
	if o.err != nil {
		return o.err
	}
	return o.w.Flush()
}
