package vectors_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/internal/vectors"
)

// TestAuthority runs the public vectors of delegation and of credentials.
func TestAuthority(t *testing.T) {
	t.Parallel()
	for name, cases := range map[string]int{"odrl-delegation": 9, "agent-authz-credential": 21} {
		report := vectors.Run(t.Context(), name, os.DirFS(suite.Vectors(t, name)), vectors.Operations())
		require.Len(t, report.Results, cases)
		for _, r := range report.Results {
			require.True(t, r.Passed, "%s: %s", r.ID, r.Reason)
		}
	}
}
