package odrl_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// caseGraph reads a file of a regression case.
func casePolicy(t *testing.T, file string) *odrl.Policy {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	d, err := turtle.Parse(data, turtle.Options{})
	require.NoError(t, err)
	p, err := odrl.Compile(d.Default(), odrl.CompileOptions{})
	require.NoError(t, err)
	return p
}

// TestCases81And82 runs the requests of two regression cases.
func TestCases81And82(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"81-odrl-logical-operands": 4, "82-odrl-duty-and-time": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := suite.CaseDir(t, name)
			p := casePolicy(t, filepath.Join(dir, "policy.ttl"))
			data, err := os.ReadFile(filepath.Join(dir, "requests.json"))
			require.NoError(t, err)
			var requests []struct {
				Purpose, Spatial, DateTime string
				DutyFulfilled              bool
				Expect                     string
			}
			require.NoError(t, json.Unmarshal(data, &requests))
			require.Len(t, requests, want)
			for i, q := range requests {
				r := ask(with("fulfilled:compensate", odrl.Boolean(q.DutyFulfilled)))
				r.Now = time.Time{}
				if q.Purpose != "" {
					with("purpose", text(strings.Replace(q.Purpose, "ex:", ex, 1)))(r)
				}
				if q.Spatial != "" {
					with("spatial", text(strings.Replace(q.Spatial, "ex:", ex, 1)))(r)
				}
				if q.DateTime != "" {
					r.Now, err = time.Parse(time.RFC3339, q.DateTime)
					require.NoError(t, err)
				}
				d := decide(t, p, r)
				require.Equal(t, q.Expect == "permitted", d.Permitted(), "request %d: %v", i, d.Reasons)
				if strings.Contains(q.Expect, "duty open") {
					require.Equal(t, odrl.CodeDutyOpen, d.Code)
				}
			}
		})
	}
}

// TestCase83 checks that unknown terms are refused with their IRI.
func TestCase83(t *testing.T) {
	t.Parallel()
	rows := []struct {
		file     string
		code     odrl.Code
		mentions string
	}{
		{"unknown-left.ttl", odrl.CodeNoPermission, "ns#mood"},
		{"unknown-operator.ttl", odrl.CodeNoPermission, "ns#almost"},
		{"prohibition-unknown.ttl", odrl.CodeConflict, "ns#mood"},
		{"no-rules.ttl", odrl.CodeNoPermission, "other"},
	}
	for _, row := range rows {
		t.Run(row.file, func(t *testing.T) {
			t.Parallel()
			p := casePolicy(t, filepath.Join(suite.CaseDir(t, "83-odrl-unknown-terms"), row.file))
			d := decide(t, p, ask(with("purpose", text(ex+"research"))))
			require.False(t, d.Permitted())
			require.Equal(t, row.code, d.Code)
			var said strings.Builder
			for _, r := range d.Reasons {
				said.WriteString(r.String() + "\n")
			}
			require.Contains(t, said.String(), row.mentions)
		})
	}
}
