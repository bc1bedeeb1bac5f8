package vectors

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// Operation is what cases ask for.
type Operation struct {
	Name string
	// Input are the members that the input may have: one that nobody reads would
	// make a case say more than is checked.
	Input []string
	// Run carries out a case. An error means that it could not be, which is a
	// failure of the case.
	Run func(context.Context, *Case) (Outcome, error)
}

// Operations returns the operations that are known.
func Operations() []Operation {
	return slices.Concat(protocolOperations(), authorityOperations(), cardOperations(), termsOperations(), workflowOperations(), proofOperations(), conversationOperations(), authorizationOperations())
}

// Result is the outcome of one case.
type Result struct {
	ID       string `json:"id"`
	Passed   bool   `json:"passed"`
	Reason   string `json:"reason,omitempty"`   // it did not
	Observed string `json:"observed,omitempty"` // what the operation gave, as JSON in its one spelling
}

// Report is the outcome of a suite.
type Report struct {
	Suite   string   `json:"suite"`
	Results []Result `json:"results"`
}

// Count returns how many cases of reports passed and how many did not.
func Count(reports []Report) (passed, failed int) {
	for _, report := range reports {
		for _, r := range report.Results {
			if r.Passed {
				passed++
			} else {
				failed++
			}
		}
	}
	return passed, failed
}

// Run runs the cases of a suite in the order of its manifest. What is wrong with
// the suite as a whole is a result of its own, with the name of the manifest. Once
// ctx is done cases fail.
func Run(ctx context.Context, name string, fsys fs.FS, operations []Operation) Report {
	report := Report{Suite: name}
	m, err := readManifest(fsys)
	if err != nil {
		m.problems = append(m.problems, err.Error())
	}
	for _, e := range m.cases {
		observed, err := judge(ctx, fsys, e, operations)
		r := Result{ID: e.id, Passed: err == nil, Observed: observed}
		if err != nil {
			r.Reason = err.Error()
		}
		report.Results = append(report.Results, r)
	}
	for _, p := range m.problems {
		report.Results = append(report.Results, Result{ID: name + "/manifest.json", Reason: p})
	}
	return report
}

// judge carries out a case and compares the whole of what came of it.
func judge(ctx context.Context, fsys fs.FS, e entry, operations []Operation) (observed string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	c, err := readCase(fsys, e)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(operations, func(o Operation) bool { return o.Name == c.Operation })
	if i < 0 {
		return "", fmt.Errorf("unknown operation %q", rdf.Abbreviate(c.Operation))
	}
	for member := range c.Input.Members() {
		if !slices.Contains(operations[i].Input, member) {
			return "", fmt.Errorf("the input has an unknown member %q", rdf.Abbreviate(member))
		}
	}
	outcome, err := operations[i].Run(ctx, c)
	if err != nil {
		return "", err
	}
	if observed, err = canonical(outcome.json()); err != nil {
		return "", err
	}
	want, err := c.expectation()
	if err != nil {
		return observed, err
	}
	if want, err = canonical(want); err != nil {
		return observed, err
	}
	if observed != want {
		return observed, fmt.Errorf("%s", difference(want, observed))
	}
	return observed, nil
}
