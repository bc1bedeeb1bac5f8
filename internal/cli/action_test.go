package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestValidateAction runs the script of the action that validates the RDF of a change.
func TestValidateAction(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("no jq was found: the script of the action needs it")
	}
	script, err := filepath.Abs(filepath.Join("..", "..", ".github", "actions", "validate", "validate.sh"))
	require.NoError(t, err)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"shapes/s.ttl":    "@prefix sh: <http://www.w3.org/ns/shacl#> .\n<urn:S> a sh:NodeShape ; sh:targetClass <urn:C> ; sh:property <urn:P> .\n<urn:P> sh:path <urn:p> ; sh:minCount 1 ; sh:nodeKind sh:IRI .",
		"data/good.ttl":   "<urn:a> a <urn:C> ; <urn:p> <urn:b> .",
		"data/none.ttl":   "<urn:a> a <urn:C> .",
		"data/x/text.ttl": "<urn:a> a <urn:C> ; <urn:p> 1 .",
		"bad/bad.ttl":     "<urn:a>",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for i, row := range []struct {
		name, data string
		status     int
		rules      []string // of the results, by their order; nil for no report
		text       string
	}{
		{"all conform", "data/good.ttl", 0, []string{}, "0 results"},
		{"some do not", "data/**/*.ttl", 1, []string{"MinCountConstraintComponent", "NodeKindConstraintComponent"}, "2 results"},
		{"one is refused", "data/none.ttl bad/*.ttl", 3, []string{"MinCountConstraintComponent"}, "rdfproto: error: bad/bad.ttl:1:8: "},
		{"all are refused", "bad/*.ttl", 3, nil, "bad/bad.ttl:1:8: "},
		{"nothing matches", "other/*.ttl", 1, nil, "no match: other/*.ttl"},
		{"nothing is named", "", 2, nil, "no shapes or no data"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			sarif := filepath.Join(dir, "report"+string(rune('0'+i)))
			cmd := exec.CommandContext(t.Context(), "bash", script)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "SHAPES=shapes/*.ttl", "DATA="+row.data, "FAIL_ON=", "SARIF="+sarif)
			out, _ := cmd.CombinedOutput()
			require.Equal(t, row.status, cmd.ProcessState.ExitCode(), string(out))
			require.Contains(t, string(out), row.text)
			text, err := os.ReadFile(sarif)
			if row.rules == nil {
				require.ErrorIs(t, err, os.ErrNotExist)
				return
			}
			require.NoError(t, err)
			var log struct {
				Runs []struct {
					Tool struct {
						Driver struct{ Rules []struct{ ID string } }
					}
					Results []struct{ RuleID string }
				}
			}
			require.NoError(t, json.Unmarshal(text, &log))
			require.Len(t, log.Runs, 1)
			ids := []string{}
			for _, r := range log.Runs[0].Results {
				ids = append(ids, r.RuleID)
			}
			require.Equal(t, row.rules, ids)
			require.Len(t, log.Runs[0].Tool.Driver.Rules, len(row.rules))
		})
	}
}
