package vectors

import (
	"github.com/rdfproto/rdfproto/internal/earl"
	"github.com/rdfproto/rdfproto/rdf"
)

// TestBase is what the IRIs of cases in an EARL report begin with: the suites give
// their cases identifiers and no IRIs.
const TestBase = "urn:vectors:"

// EARL returns reports in the Evaluation and Report Language: one assertion a case, about
// the software of an IRI. It fails when an identifier makes no IRI.
func EARL(reports []Report, software string) (*rdf.Dataset, error) {
	var all []earl.Assertion
	for _, report := range reports {
		for _, r := range report.Results {
			all = append(all, earl.Assertion{Test: TestBase + r.ID, Passed: r.Passed, Reason: r.Reason})
		}
	}
	return earl.Dataset(all, software)
}
