package canon_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// TestSuite runs the W3C suite of RDFC-1.0.
func TestSuite(t *testing.T) {
	t.Parallel()
	_, entries := suite.Entries(t, "rdf-canon", "manifest.jsonld", 86)
	report := suite.NewReport(t, "rdf-canon")
	var evals, maps, refusals int
	for _, e := range entries {
		var check func(t *testing.T, c *canon.Canonical, err error)
		switch {
		case e.Is("RDFC10EvalTest"):
			evals++
			check = func(t *testing.T, c *canon.Canonical, err error) {
				require.NoError(t, err)
				assert.Equal(t, string(suite.ReadFile(t, e.Result)), string(c.NQuads()))
			}
		case e.Is("RDFC10MapTest"):
			maps++
			check = func(t *testing.T, c *canon.Canonical, err error) {
				require.NoError(t, err)
				var want map[string]string
				require.NoError(t, json.Unmarshal(suite.ReadFile(t, e.Result), &want))
				got := map[string]string{}
				for _, l := range c.Labels() {
					got[l.Input] = l.Canonical
				}
				assert.Equal(t, want, got)
			}
		case e.Is("RDFC10NegativeEvalTest"):
			refusals++
			check = func(t *testing.T, _ *canon.Canonical, err error) {
				var limit *canon.LimitError
				assert.True(t, errors.As(err, &limit), "got %v", err)
			}
		default:
			t.Errorf("%s: no handler for %v", e.ID, e.Types)
			continue
		}
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			report.Case(t, e.ID)
			o := canon.Options{}
			switch e.HashAlgorithm {
			case "":
			case "SHA384":
				o.Algorithm = canon.SHA384
			default:
				t.Fatalf("unknown hash algorithm %q", e.HashAlgorithm)
			}
			d, err := nquads.Parse(suite.ReadFile(t, e.Action), nquads.Options{})
			require.NoError(t, err)
			c, err := canon.Canonicalize(t.Context(), d, o)
			check(t, c, err)
			if err != nil {
				return
			}
			h, err := canon.Hash(t.Context(), d, o)
			require.NoError(t, err)
			assert.Equal(t, canon.Sum(c.NQuads()), h)
		})
	}
	assert.Equal(t, [3]int{64, 21, 1}, [3]int{evals, maps, refusals})
}
