package delegation_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// TestVectors runs the public vectors of the profile.
func TestVectors(t *testing.T) {
	t.Parallel()
	for _, v := range suite.VectorCases(t, "odrl-delegation", 9) {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, "evaluate-delegated-chain", v.Operation)
			var in struct {
				Chain               []string        `json:"chain"`
				Now                 time.Time       `json:"now"`
				Request             json.RawMessage `json:"request"`
				Revoked             []string        `json:"revoked"`
				RevocationDocuments []string        `json:"revocationDocuments"`
			}
			require.NoError(t, json.Unmarshal(v.Input, &in))
			var want struct {
				Decision string `json:"decision"`
			}
			require.NoError(t, json.Unmarshal(v.Expected, &want))
			require.NotEmpty(t, in.Chain)

			var chain []*odrl.Policy
			for _, name := range in.Chain {
				chain = append(chain, compile(t, read(t, v.Dir, name)))
			}
			r, err := odrl.ParseRequest(in.Request)
			require.NoError(t, err)
			r.Now, r.InsecureDateTime = in.Now, true
			revoked := delegation.Revoke(in.Revoked...)
			for _, name := range in.RevocationDocuments {
				d, err := turtle.Parse([]byte(read(t, v.Dir, name)), turtle.Options{})
				require.NoError(t, err)
				revoked, err = revoked.Document(d)
				require.NoError(t, err)
			}
			d := delegation.Evaluate(chain, &r, delegation.Options{Revoked: revoked})
			require.Equal(t, want.Decision == "permit", d.Permitted(), d.String())
			require.Contains(t, []string{"permit", "deny"}, want.Decision)
		})
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(data)
}

func compile(t testing.TB, text string) *odrl.Policy {
	t.Helper()
	d, err := turtle.Parse([]byte(text), turtle.Options{Places: true})
	require.NoError(t, err)
	p, err := delegation.Compile(d.Default(), "")
	require.NoError(t, err)
	return p
}
