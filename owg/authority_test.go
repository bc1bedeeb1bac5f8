package owg_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

// TestLongChainsOfAuthority: whom many participants are operated by, or work for, is
// computed once, so that the work is in proportion to the workflow.
func TestLongChainsOfAuthority(t *testing.T) {
	t.Parallel()
	const n = 2_000
	for name, row := range map[string]struct {
		participant func(i int) string
		codes       []owg.Code
	}{
		"operated by the next, in a circle": {
			func(i int) string { return fmt.Sprintf(`{"id":"p%d","kind":"agent","operated_by":"p%d"}`, i, (i+1)%n) },
			[]owg.Code{owg.CodeAuthorityCycle},
		},
		"operated by the next, a person in the end": {
			func(i int) string {
				if i == n-1 {
					return fmt.Sprintf(`{"id":"p%d","kind":"human"}`, i)
				}
				return fmt.Sprintf(`{"id":"p%d","kind":"agent","operated_by":"p%d"}`, i, i+1)
			}, nil,
		},
		"departments within departments, each with an agent": {
			func(i int) string {
				return fmt.Sprintf(`{"id":"o%[1]d","kind":"organization","works_for":"o%d"},{"id":"a%[1]d","kind":"agent","works_for":"o%[1]d"}`, i, (i+1)%n)
			}, []owg.Code{owg.CodeAuthorityNoPerson},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all []string
			for i := range n {
				all = append(all, row.participant(i))
			}
			w, err := owg.Parse([]byte(`{"participants":[`+strings.Join(all, ",")+`],"tasks":[]}`), owg.Limits{Work: 8 * n})
			require.NoError(t, err)
			r, err := w.Validate(owg.ValidateOptions{})
			require.NoError(t, err)
			found := map[owg.Code]bool{}
			for _, f := range r.Findings {
				found[f.Code] = true
			}
			for _, c := range []owg.Code{owg.CodeAuthorityCycle, owg.CodeAuthorityNoPerson} {
				want := false
				for _, code := range row.codes {
					want = want || code == c
				}
				require.Equal(t, want, found[c], "%s: %v", c, r.Findings[:min(3, len(r.Findings))])
			}
		})
	}
}
