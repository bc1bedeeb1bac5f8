package cli

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// Program is another command line with the conventions of this one: the same
// diagnostics, exit statuses, helps and answers to wrong calls.
type Program struct {
	Name                 string
	Short, Long, Example string
	// Commands makes the commands; version, completion and help are added.
	Commands func() []*cobra.Command
}

// Run executes a command line as the function [Run] does, but waits for the
// command to end, however long that takes after ctx is done: a service finishes
// what it has begun.
func (p Program) Run(ctx context.Context, args []string, s Streams) Status {
	a := &app{in: s.In, out: &output{w: bufio.NewWriter(s.Out)}, diag: &diagnostics{w: s.Err, program: p.Name}, color: s.Color}
	return a.execute(ctx, p.root(a), args)
}

// Tree returns all commands, as the function [Tree] does.
func (p Program) Tree() *cobra.Command {
	return p.root(&app{in: strings.NewReader(""), out: &output{w: bufio.NewWriter(io.Discard)}, diag: &diagnostics{w: io.Discard, program: p.Name}})
}

func (p Program) root(a *app) *cobra.Command {
	root := &cobra.Command{
		Use: p.Name + " COMMAND", Short: p.Short, Long: p.Long, Example: p.Example,
		SilenceErrors: true, SilenceUsage: true, CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},

		DisableFlagsInUseLine: true, SuggestionsMinimumDistance: 2,

		Args: cobra.ArbitraryArgs, // so that an unknown command comes to RunE
	}
	a.versionFlag(root, p.Name)
	help := a.helpCommand(root)
	help.Example = "  " + p.Name + " help version"
	root.SetHelpCommand(help)
	root.SetUsageFunc(usage)
	root.AddCommand(p.Commands()...)
	version := a.versionCommand()
	version.Example = "  " + p.Name + " version"
	version.RunE = func(*cobra.Command, []string) error { return writeVersion(a.out, p.Name) }
	completion := a.completionCommand(root)
	completion.Long = strings.ReplaceAll(completion.Long, "rdfproto", p.Name)
	completion.Example = strings.ReplaceAll(completion.Example, "rdfproto", p.Name)
	root.AddCommand(version, completion)
	return root
}

// Arguments demands a number of positional arguments.
func Arguments(least, most int) cobra.PositionalArgs { return files(least, most) }

// CompleteFlag teaches the shell the values that a flag can have.
func CompleteFlag(cmd *cobra.Command, flag string, values ...string) {
	completeFlag(cmd, flag, values...)
}

// UsageError is the error of a wrong call of a command, with a hint at its help.
func UsageError(cmd *cobra.Command, text string) error { return usageError(cmd, text) }

// Fail is an error that ends a command with a status, a code and a text.
func Fail(status Status, code, text string) error {
	return &failure{status: status, code: code, text: text}
}

// InFile names the file that an error is about, for errors that do not say so
// themselves.
func InFile(file string, err error) error { return &inFile{display(file), err} }

// Ended is the error of a command that has said everything itself; it only sets
// the status.
func Ended(status Status) error { return ended(status) }

// Group makes of a command one that does nothing but group others: called itself, it
// explains that a command is missing or unknown.
func Group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	return commandGroup(cmd, commands...)
}

// Count writes a number of things: "1 result", "2 results".
func Count(n int, thing string) string { return count(n, thing) }

// Quote puts a text from outside between quotes, shortened and without line ends.
func Quote(s string) string { return quote(s) }

// Visible escapes in a JSON text what a terminal would obey and not show.
func Visible(text []byte) []byte { return visible(text) }

// Diagnosis is what diagnostics say about one fault of an input.
type Diagnosis struct {
	Status Status
	Code   string
	Text   string
	Place  rdf.Place // as much of it as is known
}

// Diagnose says what an error of any package means; there is at least one
// Diagnosis. An unknown error is a failure of the call, never a yes.
func Diagnose(err error) []Diagnosis {
	var out []Diagnosis
	for _, f := range failures(err) {
		out = append(out, Diagnosis{f.status, f.code, f.text, f.place})
	}
	return out
}

// VerdictJSON returns a verdict as one line of JSON: what --json prints, with the
// members of another JSON object. A status that is none of a verdict is "refused".
func VerdictJSON(status Status, code, message string, more []byte) ([]byte, error) {
	return verdictJSON(verdict{Status: status, Code: code, Message: message}, more)
}

// PayloadJSON returns what `intent check --json` says of an intent, or of a response
// where response is set, beside the verdict.
func PayloadJSON(d *protocol.Document, judged *protocol.Verdict, response bool) ([]byte, error) {
	_, projected := projection(judged, response)
	return payloadMembers(d, judged, projected)
}

// IntentJSON returns an intent of a stock verb as `intent check --json` has it.
func IntentJSON(in protocol.Intent) ([]byte, error) { return marshal(newIntentJSON(&in)) }

// DecisionJSON returns what `authz check --json` says of a decision beside the verdict.
func DecisionJSON(d *authz.Decision) ([]byte, error) { return marshal(authzJSON(d)) }

// DecisionVerdict returns the verdict of a decision.
func DecisionVerdict(d *authz.Decision) (status Status, code, message string) {
	v := authzVerdict(d)
	return v.Status, v.Code, v.Message
}

// Presentation returns an unsigned presentation of credentials, as `vc present` signs it.
func Presentation(p vc.Profile, id, holder string, credentials [][]byte) []byte {
	return presentation(p, id, holder, credentials)
}

// NewUUID returns a random UUID (RFC 9562, version 4).
func NewUUID() string { return newUUID() }

// Marshal is json.Marshal without escapes for HTML: IRIs in angle brackets stay
// readable.
func Marshal(v any) ([]byte, error) { return marshal(v) }
