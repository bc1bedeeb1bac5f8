package earl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/earl"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

func TestDataset(t *testing.T) {
	t.Parallel()
	d, err := earl.Dataset([]earl.Assertion{{Test: "urn:t:1", Passed: true}, {Test: "urn:t:2", Reason: "why"}}, earl.Software)
	require.NoError(t, err)
	text := string(nquads.Append(nil, d))
	require.Equal(t, 1, strings.Count(text, "<"+vocab.EARLPassed+">"))
	require.Equal(t, 1, strings.Count(text, "<"+vocab.EARLFailed+">"))
	require.Equal(t, 2, strings.Count(text, "<"+vocab.EARLAssertedBy+"> <"+earl.Software+">"))
	require.Contains(t, text, `"why"`)
	require.Contains(t, text, "<urn:t:2>")

	_, err = earl.Dataset([]earl.Assertion{{Test: "urn:t: 1"}}, earl.Software)
	require.Error(t, err)
	_, err = earl.Dataset(nil, "relative")
	require.Error(t, err)
}
