package shacl_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// TestParametersAreRead: whatever a parameter of the table is given, Compile makes a
// constraint of it, warns of it or refuses it. One that is in the table and goes unread
// would permit everything.
func TestParametersAreRead(t *testing.T) {
	t.Parallel()
	all := shacl.Parameters()
	require.Greater(t, len(all), 30)
	for _, parameter := range all {
		t.Run(shortText("<"+parameter+">"), func(t *testing.T) {
			t.Parallel()
			p, err := shacl.Compile(graph(t, "shapes.ttl", `ex:S sh:targetNode ex:x; sh:path ex:p; <`+parameter+`> "a".`), shacl.CompileOptions{})
			var refused *shacl.CompileError
			if errors.As(err, &refused) {
				require.Equal(t, parameter, refused.Problems[0].Property)
				return
			}
			require.NoError(t, err)
			read := slices.ContainsFunc(p.Warnings(), func(w shacl.Warning) bool { return w.Property == parameter })
			for _, s := range p.Shapes() {
				read = read || slices.ContainsFunc(s.Constraints, func(c shacl.Constraint) bool { return c.Parameter == parameter })
			}
			require.True(t, read, "it is neither refused nor a constraint")
		})
	}
}

// TestEveryComponentHasAReason: each component has an IRI, a parameter that declares it,
// and rows of TestReasons that violate it.
func TestEveryComponentHasAReason(t *testing.T) {
	t.Parallel()
	violated := map[string]bool{
		vocab.SHPropertyConstraintComponent: true, // its results are those of the property shape (section 4.7.2)
	}
	for _, row := range reasonRows {
		for _, r := range row.validate(t).Results {
			violated[r.Constraint] = true
			assert.Equal(t, r.Property(), shacl.Components()[r.Constraint])
		}
	}
	for iri, parameter := range shacl.Components() {
		assert.True(t, violated[iri], "no row of TestReasons violates %s", iri)
		local, ok := strings.CutSuffix(iri, "ConstraintComponent")
		require.True(t, ok, iri)
		assert.True(t, strings.EqualFold(local, parameter), "%s is declared by %s", iri, parameter)
	}
	assert.Empty(t, (&shacl.Result{}).Property())
}
