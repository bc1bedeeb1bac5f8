package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/internal/earl"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

func (a *app) vectorsCommand() *cobra.Command {
	var asJSON, asEARL bool
	cmd := &cobra.Command{
		Use:   "vectors DIR...",
		Short: "run directories of public conformance cases",
		Long: `Runs directories of conformance cases: a manifest.json, and the case.json of
each case with its operation, input and expected outcome: those of the public
suites, and the project's own, whose README defines every operation. One line
for each case says ok or FAIL; the last line counts. Reasons go to standard
error.

A directory that is not a suite and holds nothing but suites stands for those.

An unknown operation, an unknown member, a missing file, a case that is not
listed and an empty directory are failures.

Exit status: 0 all passed, 1 something failed.`,
		Example: `  rdfproto vectors suite
  rdfproto vectors --earl suite`,
		Args: files(1, manyFiles),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && asEARL {
				return usageError(cmd, "--json does not go with --earl")
			}
			var reports []vectors.Report
			for _, dir := range suites(args) {
				root, err := os.OpenRoot(dir) // nothing outside of it is read
				if err != nil {
					return err
				}
				name := filepath.Base(filepath.Clean(dir))
				reports = append(reports, vectors.Run(cmd.Context(), name, root.FS(), vectors.Operations()))
				if err := root.Close(); err != nil {
					return err
				}
				if err := cmd.Context().Err(); err != nil {
					return err
				}
			}
			return a.vectorReports(reports, asJSON, asEARL)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the results as JSON")
	cmd.Flags().BoolVar(&asEARL, "earl", false, "print the results as an EARL report in Turtle")
	return cmd
}

// suites puts the suites below a directory in its place, where it is no suite and holds
// nothing but suites. Files beside them, such as a README, do not matter; a directory
// that is no suite does, so that none is left out unseen.
func suites(dirs []string) []string {
	isSuite := func(dir string) bool {
		_, err := os.Lstat(filepath.Join(dir, "manifest.json"))
		return err == nil
	}
	var all []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		var below []string
		for _, e := range entries {
			if sub := filepath.Join(dir, e.Name()); e.IsDir() {
				below = append(below, sub)
				if !isSuite(sub) {
					err = os.ErrNotExist
				}
			}
		}
		if isSuite(dir) || err != nil || len(below) == 0 {
			below = []string{dir}
		}
		all = append(all, below...)
	}
	return all
}

func (a *app) vectorReports(reports []vectors.Report, asJSON, asEARL bool) error {
	passed, failed := vectors.Count(reports)
	v := verdict{Status: StatusYes, Message: count(passed, "case") + " passed"}
	if failed > 0 {
		v = verdict{Status: StatusNo, Code: "case-failed", Message: count(passed, "case") + " passed, " + count(failed, "case") + " failed"}
	}
	switch {
	case asJSON:
		more, err := marshal(struct {
			Passed int              `json:"passed"`
			Failed int              `json:"failed"`
			Suites []vectors.Report `json:"suites"`
		}{passed, failed, reports})
		if err != nil {
			return err
		}
		return a.json(v, more)
	case asEARL:
		d, err := vectors.EARL(reports, earl.Software)
		if err != nil {
			return &failure{status: StatusRefused, text: err.Error(), code: string(rdf.CodeInvalidIRI)}
		}
		n := newNamer([]turtle.Prefix{{Name: "earl", IRI: vocab.EARL}, {Name: "dcterms", IRI: vocab.DC}}, nil)
		if err := a.write(d, rdfio.Turtle, n); err != nil {
			return err
		}
		return ended(v.Status)
	}
	for _, report := range reports {
		for _, r := range report.Results {
			word := "ok"
			if !r.Passed {
				word = "FAIL"
				a.diag.line("error", rdf.Place{File: r.ID}, r.Reason, v.Code)
			}
			a.line(word + "  " + r.ID)
		}
	}
	a.line(fmt.Sprintf("%d passed, %d failed", passed, failed))
	return ended(v.Status)
}
