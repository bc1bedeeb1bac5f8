package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// validation is a call of the validate command.
type validation struct {
	app    *app
	in     *input
	shapes *input       // as in, with the format of the shapes
	graph  *rdf.Dataset // of the shapes

	shapeFiles []string
	data       string

	report     string
	groupBy    string
	failOn     string
	maxResults int
	asJSON     bool

	requireTargets bool

	scope       string // of --scope
	someTriple  bool   // the data holds a triple, read or not
	namedGraphs bool   // the data has named graphs of which none is read
}

func (a *app) validateCommand() *cobra.Command {
	v := &validation{app: a}
	var shapeFormat string
	cmd := &cobra.Command{
		Use:   "validate --shape SHAPES DATA",
		Short: "validate a document against shapes (SHACL Core)",
		Long: `Validates the default graph of DATA against shapes (SHACL Core) and reports what
does not conform, where it stands and why. Several --shape files are one shapes
graph, in which their blank nodes stay apart.

Reports:
  text    for people: each result with its place, its reasons and its shape
  json    for programs: one object on one line
  turtle  the validation report of SHACL, as RDF
  sarif   SARIF 2.1.0, for code hosts and editors
  passes  for people: the constraints that held

Shapes that are ill-formed, recursive or use what is not evaluated are refused
(exit 3). A shape that does nothing causes a warning. Data in which no node is
checked conforms; with --require-targets there is nothing to judge (exit 4).

--scope shapes is for large data of which the shapes read little. Triples that
no shape can read are checked for syntax and then dropped, for N-Triples and
N-Quads together with their text. The verdict and the results are the same; only
the order of focus nodes, and the place of a missing value, depend on the
triples that were kept. With a closed shape, which reads everything, the call is
wrong (exit 2).`,
		Example: `  rdfproto validate --shape protocol.ttl intent.ttl
  rdfproto validate --shape protocol.ttl --report json intent.ttl
  rdfproto validate --shape protocol.ttl --fail-on violation - < intent.ttl
  rdfproto validate --shape protocol.ttl --group-by shape --max-results 5 a.ttl
  rdfproto validate --shape protocol.ttl --scope shapes intent.ttl`,
		Args: files(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.data = args[0]
			v.shapes = &input{app: a, limits: v.in.limits, format: shapeFormat, formatFlag: "--shape-format", base: v.in.base, jsonld: v.in.jsonld}
			if err := v.check(cmd); err != nil {
				return err
			}
			return v.run(cmd.Context())
		},
	}
	v.in = a.addInputFlags(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&v.shapeFiles, "shape", nil, "a `FILE` with shapes (repeatable)")
	f.StringVar(&shapeFormat, "shape-format", "", "syntax of the shapes, a `FORMAT` as for --format; by default from the file's extension")
	f.StringVar(&v.report, "report", "text", "`FORM` of the report: "+strings.Join(reports(), ", "))
	f.StringVar(&v.groupBy, "group-by", "", "put the results of the text report under headings by `WHAT`: shape or constraint")
	f.IntVar(&v.maxResults, "max-results", 0, "show at most `N` results, of each group with --group-by, and how many more there are")
	f.StringVar(&v.failOn, "fail-on", "", "lowest `SEVERITY` that makes the exit status 1: violation, warning or info; by default any result that makes the report not conform")
	f.BoolVar(&v.requireTargets, "require-targets", false, "exit 4 when the targets of the shapes select no node, so that nothing was checked")
	f.StringVar(&v.scope, "scope", "all", "`WHAT` of the data is kept: all, or what the shapes can read")
	f.BoolVar(&v.asJSON, "json", false, "print the verdict as JSON, with the members of the JSON report")
	completeFlag(cmd, "shape-format", formats()...)
	for flag, values := range map[string][]string{"report": reports(), "group-by": {"shape", "constraint"}, "fail-on": severityNames(), "scope": scopes()} {
		completeFlag(cmd, flag, values...)
	}
	return cmd
}

func scopes() []string { return []string{"all", "shapes"} }

func reports() []string { return []string{"text", "json", "turtle", "sarif", "passes"} }

// severityNames lists the values of --fail-on, the gravest first.
func severityNames() []string { return []string{"violation", "warning", "info"} }

// check refuses flags that make no sense before anything is read.
func (v *validation) check(cmd *cobra.Command) error {
	for _, in := range []*input{v.in, v.shapes} {
		if err := in.check(cmd); err != nil {
			return err
		}
	}
	oneOf := func(flag, value string, values []string) error {
		if value == "" || slices.Contains(values, value) {
			return nil
		}
		return usageError(cmd, flag+": expected one of "+strings.Join(values, ", ")+", found "+quote(value))
	}
	changed := cmd.Flags().Changed
	switch {
	case len(v.shapeFiles) == 0:
		return usageError(cmd, "--shape is missing: a file with shapes")
	case v.maxResults < 0 || v.maxResults == 0 && changed("max-results"):
		return usageError(cmd, "--max-results: expected a positive number")
	case v.asJSON && changed("report") && v.report != "json":
		return usageError(cmd, "--json prints the JSON report; it does not go with --report "+v.report)
	case v.groupBy != "" && (v.report != "text" || v.asJSON):
		return usageError(cmd, "--group-by is for the text report")
	}
	if v.report == "" {
		return usageError(cmd, "--report: expected one of "+strings.Join(reports(), ", "))
	}
	if err := oneOf("--report", v.report, reports()); err != nil {
		return err
	}
	if err := oneOf("--group-by", v.groupBy, []string{"shape", "constraint"}); err != nil {
		return err
	}
	if !slices.Contains(scopes(), v.scope) {
		return usageError(cmd, "--scope: expected one of "+strings.Join(scopes(), ", ")+", found "+quote(v.scope))
	}
	return oneOf("--fail-on", v.failOn, severityNames())
}

func (v *validation) run(ctx context.Context) error {
	program, err := v.compile(ctx)
	if err != nil {
		return err
	}
	if v.scope == "shapes" {
		if err := v.readOnly(program); err != nil {
			return err
		}
	}
	data, err := v.in.datasetInScope(ctx, rdfio.Options{Places: true}, v.data)
	if err != nil {
		return err
	}
	v.warnNamedGraphs(display(v.data), data)
	o := v.in.limits.validate
	o.MaxDepth = v.in.limits.compile.MaxDepth
	o.Passes = v.report == "passes"
	report, err := program.Validate(ctx, data.Default(), o)
	if err != nil {
		return &inFile{display(v.data), err}
	}
	v.warn(v.shapesName(), program.Warnings())
	if v.someTriple {
		report.Warnings = slices.DeleteFunc(report.Warnings, func(w shacl.Warning) bool { return w.Code == shacl.CodeEmptyData })
	}
	v.warn(display(v.data), report.Warnings)
	verdict := v.verdict(report)
	if err := v.write(report, verdict); err != nil {
		return err
	}
	return ended(verdict.Status)
}

// readOnly has of the data only kept what a program can read.
func (v *validation) readOnly(program *shacl.Program) error {
	predicates, err := program.Predicates()
	if all := (*shacl.ReadsAllError)(nil); errors.As(err, &all) {
		return &failure{
			status: StatusCall, place: all.Place, code: "usage",
			text: "--scope shapes: " + all.Message(),
			hint: "without --scope all of the data is kept",
		}
	}
	if err != nil {
		return err
	}
	v.in.scope = func(predicate string, named bool) bool {
		if named {
			v.namedGraphs = true
			return false
		}
		v.someTriple = true
		_, ok := slices.BinarySearch(predicates, predicate)
		return ok
	}
	return nil
}

// compile reads the shapes of all files into one graph and compiles it.
func (v *validation) compile(ctx context.Context) (*shacl.Program, error) {
	var err error
	if v.graph, err = v.shapes.dataset(ctx, rdfio.Options{Places: true}, v.shapeFiles...); err != nil {
		return nil, err
	}
	v.warnNamedGraphs(v.shapesName(), v.graph)
	program, err := shacl.Compile(v.graph.Default(), v.in.limits.compile)
	if err != nil {
		return nil, &inFile{v.shapesName(), err}
	}
	return program, nil
}

// shapesName is what diagnostics call the shapes graph.
func (v *validation) shapesName() string {
	var files []string
	for _, file := range v.shapeFiles {
		files = append(files, display(file))
	}
	return strings.Join(files, ", ")
}

// warn writes warnings about a document.
func (v *validation) warn(file string, warnings []shacl.Warning) {
	for _, w := range warnings {
		if w.Place.File == "" {
			w.Place.File = file
		}
		v.app.diag.warn(w.Place, w.Text, string(w.Code))
	}
}

// warnNamedGraphs says that only the default graph of a document counts.
func (v *validation) warnNamedGraphs(file string, d *rdf.Dataset) {
	if v.namedGraphs {
		v.app.diag.warn(rdf.Place{File: file}, "only the default graph counts; the document has named graphs", "named-graphs")
	}
	if n := len(d.GraphNames()); n > 0 {
		v.app.diag.warn(rdf.Place{File: file}, "only the default graph counts; the document has "+count(n, "named graph"), "named-graphs")
	}
}

// verdict is what the exit status says: that of sh:conforms, or of the results
// that --fail-on asks about. A severity that is not one of the standard's is as
// grave as a violation. With --require-targets a report on no node is none.
func (v *validation) verdict(r *shacl.Report) verdict {
	if v.requireTargets && r.InData == 0 {
		return verdict{Status: StatusNothing, Code: "no-node-checked", Message: "no node was checked"}
	}
	n := len(r.Results) + r.Omitted
	if v.failOn != "" {
		n = r.Omitted // whose severities are not known
		for i := range r.Results {
			if severityRank(r.Results[i].Severity) <= slices.Index(severityNames(), v.failOn) {
				n++
			}
		}
		if n == 0 {
			return verdict{Status: StatusYes, Message: "no result is as grave as " + v.failOn}
		}
	}
	if n == 0 && r.Conforms() {
		return verdict{Status: StatusYes, Message: "the data conforms"}
	}
	return verdict{Status: StatusNo, Code: "does-not-conform", Message: "the data does not conform: " + count(n, "result")}
}

// severityRank is the index of a severity in severityNames.
func severityRank(severity string) int {
	switch severity {
	case vocab.SHWarning:
		return 1
	case vocab.SHInfo:
		return 2
	}
	return 0
}

// write writes the report in the form that was asked for.
func (v *validation) write(r *shacl.Report, verdict verdict) error {
	n := newNamer(slices.Concat(v.shapes.declared, v.in.declared), v.graph)
	switch v.report {
	case "text":
		if !v.asJSON {
			return v.writeText(r, n)
		}
	case "passes":
		return v.writePasses(r, n)
	case "turtle":
		short := v.cut(r).Cut()
		v.hintOmitted(r, short)
		return v.writeTurtle(short, n)
	case "sarif":
		short := v.cut(r).Cut()
		v.hintOmitted(r, short)
		return v.writeSARIF(short, n)
	}
	object := v.cut(r).AppendJSON(nil)
	if v.asJSON {
		return v.app.json(verdict, object)
	}
	_, err := v.app.out.Write(append(visible(object), '\n'))
	return err
}

// cut returns the report with no more results than --max-results says.
func (v *validation) cut(r *shacl.Report) *shacl.Report {
	if v.maxResults == 0 || len(r.Results) <= v.maxResults {
		return r
	}
	short := *r
	short.Omitted += len(r.Results) - v.maxResults
	short.Results = r.Results[:v.maxResults]
	return &short
}

// hintOmitted says how many results --max-results and the limit of bytes leave out of
// a report that has no place for it.
func (v *validation) hintOmitted(r, short *shacl.Report) {
	cut := v.cut(r)
	if r.Omitted > 0 {
		v.app.diag.hint(count(r.Omitted, "more result") + " than are kept")
	}
	if more := len(r.Results) - len(cut.Results); more > 0 {
		v.app.diag.hint(count(more, "more result") + " that --max-results left out")
	}
	if more := beyondBytes(cut, short); more != "" {
		v.app.diag.hint(more)
	}
}

// beyondBytes says what [shacl.Report.Cut] leaves out of a report, "" for nothing.
func beyondBytes(r, short *shacl.Report) string {
	const by = "the limit report-bytes leaves out "
	switch more := len(r.Results) - len(short.Results); {
	case more > 0:
		return by + count(more, "more result")
	case short != r && len(r.Passes) == len(short.Passes):
		return by + "some reasons"
	}
	return ""
}
