package owg_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rdfproto/rdfproto/owg"
)

// read returns a file of the folder testdata.
func read(name string) []byte {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		panic(err)
	}
	return data
}

// A workflow is checked, and one of its results is traced back to a person.
func Example() {
	for _, name := range []string{"season.json", "widened.json"} {
		workflow, err := owg.Parse(read(name), owg.Limits{})
		if err != nil {
			panic(err)
		}
		report, err := workflow.Validate(owg.ValidateOptions{})
		if err != nil {
			panic(err) // there is no verdict
		}
		if !report.Valid() {
			f := report.First(owg.SeverityError)
			fmt.Println(name, "is refused:", f.Code, f.Extra)
			continue
		}
		trace, err := workflow.Trace("dub_ep1")
		if err != nil {
			panic(err)
		}
		fmt.Println(trace.Text())
	}
	// Output:
	// dub_ep1 -> produced by vendor_agent -> delegated by prodco_agent -> delegated by exec (a person, org_studio)
	// widened.json is refused: OWG_DELEGATION_WIDENS [write:deliverables]
}

// The answers of an agent become an attempt, which is put into the record of the run.
func ExampleFollow() {
	workflow, err := owg.Parse(read("season.json"), owg.Limits{})
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	attempt, err := workflow.Attempt("dub", 1, now)
	if err != nil {
		panic(err)
	}
	task, _ := workflow.Task("dub")
	follow := owg.NewFollow(attempt, task.Produced, owg.Limits{})
	var record []byte
	for _, answer := range []string{"task-working.json", "task-completed.json"} {
		if _, err := follow.Update(read(answer), now); err != nil {
			panic(err)
		}
		attempt = follow.Attempt()
		if record, err = owg.AppendAttempt(record, workflow, attempt, owg.Limits{}); err != nil {
			panic(err)
		}
		fmt.Println(attempt.Remote.State, attempt.Status, len(attempt.Produced))
	}
	fmt.Println(len(record) > 0)
	// Output:
	// working running 0
	// completed succeeded 1
	// true
}
