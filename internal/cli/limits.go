package cli

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/rdf"
)

// limits are the numbers that bound what a command may spend.
type limits struct {
	read rdf.Limits
}

func localLimits() *limits {
	return &limits{read: rdf.Local()}
}

// limit is one number of limits.
type limit struct {
	name   string
	reason string
	get    func(*limits) int64
	set    func(*limits, int64)
}

// limitTable lists every limit that --limit sets, in the order in which the
// limits command shows them.
func limitTable() []limit {
	field := func(name rdf.LimitName, f func(*rdf.Limits) *int, reason string) limit {
		return limit{string(name), reason,
			func(l *limits) int64 { return int64(*f(&l.read)) },
			func(l *limits, n int64) { *f(&l.read) = int(n) },
		}
	}
	field64 := func(name rdf.LimitName, f func(*rdf.Limits) *int64, reason string) limit {
		return limit{string(name), reason,
			func(l *limits) int64 { return *f(&l.read) },
			func(l *limits, n int64) { *f(&l.read) = n },
		}
	}
	return []limit{
		field64(rdf.LimitBytes, func(l *rdf.Limits) *int64 { return &l.Bytes },
			"one file; it is read into memory as a whole"),
		field(rdf.LimitQuads, func(l *rdf.Limits) *int { return &l.Quads },
			"read for one dataset; it is held in memory"),
		field(rdf.LimitBlankNodes, func(l *rdf.Limits) *int { return &l.BlankNodes },
			"of one dataset; lists are made of them"),
		field(rdf.LimitIRIBytes, func(l *rdf.Limits) *int { return &l.IRIBytes },
			"one IRI, written in full; data: IRIs are long"),
		field(rdf.LimitLiteralBytes, func(l *rdf.Limits) *int { return &l.LiteralBytes },
			"one literal; geometries and embedded files are big"),
		field(rdf.LimitNesting, func(l *rdf.Limits) *int { return &l.Nesting },
			"open brackets of any kind; machines write many"),
		field(rdf.LimitPrefixes, func(l *rdf.Limits) *int { return &l.Prefixes },
			"prefix directives; merged documents repeat theirs"),
		field64(rdf.LimitTermBytes, func(l *rdf.Limits) *int64 { return &l.TermBytes },
			"all distinct terms; short names can stand for long"),
	}
}

// limitFlag is the --limit flag: NAME=VALUE, repeatable.
type limitFlag struct{ limits *limits }

func (f limitFlag) String() string { return "" }
func (f limitFlag) Type() string   { return "NAME=VALUE" }

func (f limitFlag) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("expected NAME=VALUE, found %s", quote(s))
	}
	for _, l := range limitTable() {
		if l.name != name {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n <= 0 {
			return fmt.Errorf("the value of limit %s must be a positive number, not %s; there is no unlimited", name, quote(value))
		}
		l.set(f.limits, n)
		return nil
	}
	return fmt.Errorf("unknown limit %s; rdfproto limits lists them", quote(name))
}

// addLimitFlag gives a command the --limit flag and returns the limits that it
// sets.
func addLimitFlag(cmd *cobra.Command) *limits {
	l := localLimits()
	cmd.Flags().Var(limitFlag{l}, "limit", "set a limit (repeatable); see rdfproto limits")
	return l
}

func (a *app) limitsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "limits",
		Short: "list the limits, their defaults and their reasons",
		Long: `Lists every limit: its name for --limit NAME=VALUE, its default for files that
are named on the command line, and why there is one.

A limit that is reached is a refusal (exit 3), never a shorter answer. Any
limit can be raised or lowered; none can be switched off.`,
		Example: `  rdfproto limits
  rdfproto hash --limit nesting=5000 deep.ttl`,
		Args: files(0, 0),
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tDEFAULT\tOF WHAT, AND WHY")
			defaults := localLimits()
			for _, l := range limitTable() {
				fmt.Fprintf(w, "%s\t%d\t%s\n", l.name, l.get(defaults), l.reason)
			}
			return w.Flush()
		},
	}
}
