package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// TestReportsOfAPeer writes reports that documents of the size that a peer may send make
// gigabytes of, in every form.
func TestReportsOfAPeer(t *testing.T) {
	t.Parallel()
	const prefixes = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix ex: <http://example.org/> .\n"
	var data, path, shared strings.Builder
	data.WriteString(prefixes)
	for i := range 100 {
		fmt.Fprintf(&data, "ex:f%d a ex:T ; ex:p 0", i)
		for j := range 60 {
			fmt.Fprintf(&data, ", %d", j+1)
		}
		data.WriteString(" .\n")
	}
	fmt.Fprintf(&path, "_:l0 rdf:first ex:%s ; rdf:rest ( ex:q ) .\n", strings.Repeat("p", 90))
	for i := 1; i < 11; i++ {
		fmt.Fprintf(&path, "_:l%d rdf:first _:l%d ; rdf:rest ( _:l%[2]d ) .\n", i, i-1)
	}
	path.WriteString("ex:S a sh:NodeShape ; sh:targetClass ex:T")
	for range 60 {
		path.WriteString(" ; sh:property [ sh:path _:l10 ; sh:minCount 1 ]")
	}
	path.WriteString(" .")
	message := strings.Repeat("m", 50_000)
	shared.WriteString(`ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:node ex:N . ex:N a sh:NodeShape ; sh:property ex:P . ex:P sh:path ex:p ; sh:nodeKind sh:IRI ; sh:message "` + message + `"`)
	for i := range 4 {
		fmt.Fprintf(&shared, `, "%s%d"`, message, i)
	}
	shared.WriteString(" .")
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	dataFile := file("data.ttl", data.String())
	for _, row := range []struct{ name, shapes string }{
		{"a path", path.String()},
		{"messages", shared.String()},
		{"a message that is escaped", strings.ReplaceAll(shared.String(), "mm", `\u0001\u202e`)},
	} {
		shapes := file(strings.ReplaceAll(row.name, " ", "-")+".ttl", prefixes+row.shapes)
		for _, form := range []string{"text", "json", "turtle", "sarif", "passes"} {
			t.Run(row.name+" as "+form, func(t *testing.T) {
				t.Parallel()
				r := call(t, "", "validate", "--report", form, "--limit", "report-bytes=1048576", "--shape", shapes, dataFile)
				require.EqualValues(t, 1, r.status, r.stderr)
				require.Less(t, len(r.out), 4<<20)
				switch form {
				case "text":
					require.Contains(t, r.out, "... the limit report-bytes leaves out ")
				case "json":
					require.Regexp(t, `"(omitted|truncated)":`, r.out)
				case "turtle", "sarif":
					require.Contains(t, r.stderr, "hint: the limit report-bytes leaves out ")
				}
			})
		}
	}
}

// TestFailOnOmitted: results that were not kept may be of any severity.
func TestFailOnOmitted(t *testing.T) {
	t.Parallel()
	info := shacl.Result{Severity: vocab.SHInfo}
	for _, severity := range []string{"", "violation", "warning", "info"} {
		kept := shacl.Report{Results: []shacl.Result{info}}
		want := cli.StatusYes
		if severity == "" || severity == "info" {
			want = cli.StatusNo
		}
		require.Equal(t, want, cli.FailOn(severity, &kept), severity)
		kept.Omitted = 1
		require.Equal(t, cli.StatusNo, cli.FailOn(severity, &kept), severity)
	}
}
