package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

// limits are the numbers that bound what a command may spend.
type limits struct {
	read     rdf.Limits
	jsonld   jsonld.Limits
	canon    canon.Options
	compile  shacl.CompileOptions
	validate shacl.Options
	card     agentcard.Limits
	vc       vc.Limits
	owg      owg.Limits
	authz    authz.Limits
	terms    terms.Limits

	termBytesSet bool // by the caller

	given *limits // by the caller, 0 where nobody did; nil where all are
}

// reading returns the limits for reading inputs of a number of bytes together.
// A short name under a long prefix makes a long term of a few bytes, so that
// the limit of all terms is of little use where it is the same for all sizes:
// it is lower for small inputs, unless the caller sets it.
func (l *limits) reading(total int) rdf.Limits {
	const (
		least = 64 << 20
		times = 32 // namespaces of a hundred bytes and names of three
	)
	r := l.read
	if !l.termBytesSet {
		r.TermBytes = min(r.TermBytes, least+times*int64(total))
	}
	return r
}

func localLimits() *limits {
	return &limits{
		read:   rdf.Local(),
		jsonld: jsonld.Local(),
		canon:  canon.Options{MaxPermutations: canon.DefaultPermutations, MaxCalls: canon.DefaultCalls},
		compile: shacl.CompileOptions{
			MaxDepth:        1_000,     // machine-made shapes
			MaxPattern:      64 << 10,  // a list of words that a machine made
			MaxPatternBytes: 128 << 20, // seconds of work, at worst
		},
		validate: shacl.Options{
			MaxChecks:  1_000_000_000, // minutes
			MaxReport:  256 << 20,     // it is made in memory
			MaxResults: 1 << 20,       // more than fit into such a report; what is shown is --max-results
		},
		card:  agentcard.DefaultLimits(), // a card is a peer's, also from a file
		vc:    vc.DefaultLimits(),        // likewise
		owg:   owg.DefaultLimits(),       // likewise
		authz: authz.DefaultLimits(),     // likewise
		terms: terms.DefaultLimits(),     // likewise
	}
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
	return []limit{
		number(rdf.LimitBytes, "one file; it is read into memory as a whole", func(l *limits) *int64 { return &l.read.Bytes }),
		number(rdf.LimitQuads, "read for one dataset; it is held in memory", func(l *limits) *int { return &l.read.Quads }),
		number(rdf.LimitBlankNodes, "of one dataset; lists consist of them", func(l *limits) *int { return &l.read.BlankNodes }),
		number(rdf.LimitIRIBytes, "one IRI, written in full; data: IRIs are long", func(l *limits) *int { return &l.read.IRIBytes }),
		number(rdf.LimitLiteralBytes, "one literal; geometries and images are big", func(l *limits) *int { return &l.read.LiteralBytes }),
		number(rdf.LimitNesting, "open brackets; generated files nest deeply", func(l *limits) *int { return &l.read.Nesting }),
		number(rdf.LimitPrefixes, "prefix directives; merged files repeat theirs", func(l *limits) *int { return &l.read.Prefixes }),
		number(rdf.LimitTermBytes, "all terms; at most 64 MiB + 32 x the input", func(l *limits) *int64 { return &l.read.TermBytes }),
		number(jsonld.LimitValues, "of one JSON-LD document; it is held in memory", func(l *limits) *int { return &l.jsonld.Values }),
		number(jsonld.LimitMembers, "of one JSON object; lists belong in arrays", func(l *limits) *int { return &l.jsonld.Members }),
		number(jsonld.LimitElements, "of one JSON-LD document; it is held in memory", func(l *limits) *int { return &l.jsonld.Elements }),
		number(jsonld.LimitContexts, "processed for one document; bombs chain many", func(l *limits) *int { return &l.jsonld.Contexts }),
		number(jsonld.LimitContextBytes, "of contexts, and their IRIs; some have a few MB", func(l *limits) *int64 { return &l.jsonld.ContextBytes }),
		number(jsonld.LimitDefinitions, "made or copied for one document; likewise", func(l *limits) *int { return &l.jsonld.Definitions }),
		number(canon.LimitPermutations, "of alike blank nodes; both sides must agree", func(l *limits) *int { return &l.canon.MaxPermutations }),
		number(canon.LimitCalls, "of Hash N-Degree Quads; both sides must agree", func(l *limits) *int { return &l.canon.MaxCalls }),
		number(shacl.LimitChecks, "made by one validation; long texts cost many", func(l *limits) *int { return &l.validate.MaxChecks }),
		number("report-bytes", "results of a report, written; others are counted", func(l *limits) *int { return &l.validate.MaxReport }),
		number(shacl.LimitShapeDepth, "shapes or paths within each other", func(l *limits) *int { return &l.compile.MaxDepth }),
		number(shacl.LimitPattern, "characters of one pattern of a shape", func(l *limits) *int { return &l.compile.MaxPattern }),
		number(shacl.LimitPatterns, "of all patterns of shapes, when compiled", func(l *limits) *int { return &l.compile.MaxPatternBytes }),
		number("card-bytes", "one Agent Card; real ones of 47 KB exist", func(l *limits) *int64 { return &l.card.CardBytes }),
		number("card-nesting", "open brackets of a card, a key set or a header", func(l *limits) *int { return &l.card.Depth }),
		number("card-values", "of one card or key set", func(l *limits) *int { return &l.card.Values }),
		number("card-signatures", "of one card; each is checked", func(l *limits) *int { return &l.card.Signatures }),
		number("card-header", "bytes of one protected header of a signature", func(l *limits) *int64 { return &l.card.HeaderBytes }),
		number("card-diagnosis", "bytes tried to explain a no; numbers cost more", func(l *limits) *int { return &l.card.Diagnosis }),
		number("key-set-bytes", "one JWK Set or trust store", func(l *limits) *int64 { return &l.card.KeySetBytes }),
		number("key-set-keys", "of one JWK Set or trust store", func(l *limits) *int { return &l.card.Keys }),
		number("vc-bytes", "one credential; its terms take 8 x + 64 KiB", func(l *limits) *int64 { return &l.vc.CredentialBytes }),
		number("vp-bytes", "one presentation; status lists but for the bits", func(l *limits) *int64 { return &l.vc.PresentationBytes }),
		number("vc-nesting", "open brackets of a credential or presentation", func(l *limits) *int { return &l.vc.Depth }),
		number("vc-quads", "of one credential, presentation or status list", func(l *limits) *int { return &l.vc.Quads }),
		number("vc-blank-nodes", "of one of these; each may cost much to label", func(l *limits) *int { return &l.vc.BlankNodes }),
		number("vc-proofs", "of one document; each is checked", func(l *limits) *int { return &l.vc.Proofs }),
		number("vc-canonical-bytes", "hashed for one call; a long IRI is written often", func(l *limits) *int64 { return &l.vc.CanonicalBytes }),
		number("vp-credentials", "of one presentation; each is checked", func(l *limits) *int { return &l.vc.Credentials }),
		number("vc-status", "of one credential; each asks for a list", func(l *limits) *int { return &l.vc.StatusEntries }),
		number("keys-bytes", "one controller document", func(l *limits) *int64 { return &l.vc.ControllerBytes }),
		number("sow-bytes", "one standing proposal", func(l *limits) *int64 { return &l.terms.DocumentBytes }),
		number("sow-nesting", "open brackets of a standing proposal", func(l *limits) *int { return &l.terms.Depth }),
		number("sow-values", "of one standing proposal", func(l *limits) *int { return &l.terms.Values }),
		number("sow-proposals", "that one card lists; each is fetched", func(l *limits) *int { return &l.terms.Proposals }),
		number("sow-total-bytes", "of a card's proposals, also those read again", func(l *limits) *int64 { return &l.terms.TotalBytes }),
		number("status-bytes", "one status list; ten times that for one call", func(l *limits) *int64 { return &l.vc.StatusListBytes }),
		number("status-encoded", "characters of one encodedList", func(l *limits) *int { return &l.vc.EncodedList }),
		number("status-entries", "of one list once inflated; a bomb has more", func(l *limits) *int { return &l.vc.StatusListEntries }),
		number("status-inflated", "bytes of all lists of one call once inflated", func(l *limits) *int64 { return &l.vc.Inflated }),
		number("owg-bytes", "one workflow; enough for thousands of tasks", func(l *limits) *int64 { return &l.owg.WorkflowBytes }),
		number("owg-record-bytes", "one run record", func(l *limits) *int64 { return &l.owg.RecordBytes }),
		number("owg-update-bytes", "one answer of an agent, or one hand-off", func(l *limits) *int64 { return &l.owg.UpdateBytes }),
		number("owg-nesting", "open brackets of one of these", func(l *limits) *int { return &l.owg.Depth }),
		number("owg-values", "of one of these", func(l *limits) *int { return &l.owg.Values }),
		number("owg-participants", "of a workflow and the records with it", func(l *limits) *int { return &l.owg.Participants }),
		number("owg-tasks", "of one workflow, and attempts of records", func(l *limits) *int { return &l.owg.Tasks }),
		number("owg-work", "comparisons of one check of a workflow", func(l *limits) *int { return &l.owg.Work }),
		number("owg-chains", "of one trace; a film has hundreds of shots", func(l *limits) *int { return &l.owg.Chains }),
		number("owg-hops", "of one chain of authority", func(l *limits) *int { return &l.owg.Hops }),
		number("owg-artifacts", "of one attempt", func(l *limits) *int { return &l.owg.Artifacts }),
		number("owg-output-bytes", "of the artifacts of one attempt", func(l *limits) *int { return &l.owg.ArtifactBytes }),
		number("owg-records", "merged for one trace; one per hop", func(l *limits) *int { return &l.owg.Records }),
		number("chain-hops", "credentials or policies of one chain", func(l *limits) *int { return &l.authz.Credentials }),
		number("revocations", "documents that withdraw policies of a chain", func(l *limits) *int { return &l.authz.Documents }),
		number("asks", "actions that one request asks for", func(l *limits) *int { return &l.authz.Asks }),
		number("policy-bytes", "one policy or revocation document of a chain", func(l *limits) *int { return &l.authz.PolicyBytes }),
		number("policy-quads", "of one of these", func(l *limits) *int { return &l.authz.Quads }),
	}
}

// number makes a limit of the field that holds it.
func number[Name ~string, N int | int64](name Name, reason string, field func(*limits) *N) limit {
	return limit{
		name: string(name), reason: reason,
		get: func(l *limits) int64 { return int64(*field(l)) },
		set: func(l *limits, n int64) { *field(l) = N(min(n, math.MaxInt)) },
	}
}

// limitFlag is the --limit flag: NAME=VALUE, repeatable, each NAME once.
type limitFlag struct {
	limits *limits
	given  map[string]bool
}

func newLimitFlag(l *limits) limitFlag { return limitFlag{l, map[string]bool{}} }

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
		if errors.Is(err, strconv.ErrRange) && n > 0 {
			return fmt.Errorf("the value of limit %s must be at most %d, not %s", name, n, quote(value))
		}
		if err != nil || n <= 0 {
			return fmt.Errorf("the value of limit %s must be a positive number, not %s; there is no unlimited", name, quote(value))
		}
		if f.given[name] {
			return fmt.Errorf("limit %s is given more than once", name)
		}
		f.given[name] = true
		l.set(f.limits, n)
		if f.limits.given != nil {
			l.set(f.limits.given, n)
		}
		f.limits.termBytesSet = f.limits.termBytesSet || name == string(rdf.LimitTermBytes)
		return nil
	}
	return fmt.Errorf("unknown limit %s; rdfproto limits lists them", quote(name))
}

// addLimitFlag gives a command the --limit flag and returns the limits that it
// sets.
func addLimitFlag(cmd *cobra.Command) *limits {
	l := localLimits()
	l.given = &limits{}
	cmd.Flags().Var(newLimitFlag(l), "limit", "set a limit (repeatable); see rdfproto limits")
	_ = cmd.RegisterFlagCompletionFunc("limit", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []cobra.Completion
		for _, l := range limitTable() {
			names = append(names, l.name+"=")
		}
		return names, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
	return l
}

func (a *app) limitsCommand() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "limits",
		Short: "list the limits that --limit sets, with their reasons",
		Long: `Lists every limit that --limit NAME=VALUE sets: its name, its default for files
that are named on the command line, and why it exists. --markdown adds those of
the packages, which no flag sets.

A limit that is reached is a refusal (exit 3), never a shorter answer. Any of
these can be raised or lowered; none can be switched off.`,
		Example: `  rdfproto limits
  rdfproto hash --limit nesting=5000 deep.ttl`,
		Args: files(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if markdown {
				_, err := io.WriteString(a.out, limitDocument())
				return err
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tDEFAULT\tOF WHAT, AND WHY")
			defaults := localLimits()
			for _, l := range limitTable() {
				fmt.Fprintf(w, "%s\t%d\t%s\n", l.name, l.get(defaults), l.reason)
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print them in Markdown, with those of the packages")
	return cmd
}
