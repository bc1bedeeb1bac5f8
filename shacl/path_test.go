package shacl_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPaths evaluates paths from ex:x: the values are those that an empty sh:in
// refuses. The text is what reports show.
func TestPaths(t *testing.T) {
	t.Parallel()
	const data = `ex:a ex:p ex:x. ex:x ex:p ex:b. ex:b ex:p ex:c, ex:x. ex:c ex:p ex:d.
		ex:x ex:q ex:b, ex:c, "lit". ex:d ex:q ex:c. ex:e ex:q ex:x, ex:d. `
	for _, c := range []struct {
		name, path, text string
		want             string // values in the order of the data
	}{
		{"predicate", `ex:p`, `ex:p`, "b"},
		{"predicate with several values", `ex:q`, `ex:q`, `b c "lit"`},
		{"predicate without values", `ex:none`, `ex:none`, ""},
		{"inverse", `[sh:inversePath ex:p]`, `^ex:p`, "a b"},
		{"double inverse", `[sh:inversePath [sh:inversePath ex:p]]`, `^(^ex:p)`, "b"},
		{"sequence", `(ex:p ex:p)`, `ex:p/ex:p`, "x c"},
		{"sequence of three", `(ex:p ex:p ex:q)`, `ex:p/ex:p/ex:q`, `b c "lit"`},
		{"sequence through a literal", `(ex:q ex:p)`, `ex:q/ex:p`, "x c d"},
		{"sequence with an inverse", `([sh:inversePath ex:q] ex:q)`, `^ex:q/ex:q`, "x d"},
		{"alternative", `[sh:alternativePath (ex:p ex:q)]`, `ex:p|ex:q`, `b c "lit"`},
		{"alternative of three", `[sh:alternativePath (ex:none ex:p [sh:inversePath ex:q])]`, `ex:none|ex:p|^ex:q`, "b e"},
		{"zero or more", `[sh:zeroOrMorePath ex:p]`, `ex:p*`, "x b c d"},
		{"one or more goes round to the start", `[sh:oneOrMorePath ex:p]`, `ex:p+`, "x b c d"},
		{"zero or one", `[sh:zeroOrOnePath ex:p]`, `ex:p?`, "x b"},
		{"zero or more of what is not there", `[sh:zeroOrMorePath ex:none]`, `ex:none*`, "x"},
		{"one or more of what is not there", `[sh:oneOrMorePath ex:none]`, `ex:none+`, ""},
		{"inverse of a sequence", `[sh:inversePath (ex:p ex:q)]`, `^(ex:p/ex:q)`, ""},
		{"inverse of a sequence, other way", `[sh:inversePath (ex:p ex:p)]`, `^(ex:p/ex:p)`, "x"},
		{"inverse of an alternative", `[sh:inversePath [sh:alternativePath (ex:p ex:q)]]`, `^(ex:p|ex:q)`, "a b e"},
		{"inverse of zero or more", `[sh:inversePath [sh:zeroOrMorePath ex:p]]`, `^(ex:p*)`, "a x b"},
		{"inverse of one or more", `[sh:inversePath [sh:oneOrMorePath ex:p]]`, `^(ex:p+)`, "a x b"},
		{"inverse of zero or one", `[sh:inversePath [sh:zeroOrOnePath ex:p]]`, `^(ex:p?)`, "a x b"},
		{"closure of an inverse", `[sh:zeroOrMorePath [sh:inversePath ex:p]]`, `(^ex:p)*`, "a x b"},
		{"closure of a sequence", `[sh:oneOrMorePath (ex:p ex:p)]`, `(ex:p/ex:p)+`, "x c"},
		{"closure of an alternative", `[sh:oneOrMorePath [sh:alternativePath (ex:p ex:q)]]`, `(ex:p|ex:q)+`, `x b c d "lit"`},
		{"closure of a closure", `[sh:zeroOrMorePath [sh:oneOrMorePath ex:p]]`, `(ex:p+)*`, "x b c d"},
		{"closure in a sequence", `([sh:zeroOrMorePath ex:p] ex:q)`, `ex:p*/ex:q`, `b c "lit"`},
		{"alternative in a sequence", `([sh:alternativePath (ex:p ex:q)] ex:p)`, `(ex:p|ex:q)/ex:p`, "x c d"},
		{"sequence in an alternative", `[sh:alternativePath ((ex:p ex:p) ex:q)]`, `(ex:p/ex:p)|ex:q`, `x b c "lit"`},
		{"optional in a sequence", `(ex:p [sh:zeroOrOnePath ex:p])`, `ex:p/ex:p?`, "x b c"},
	} {
		for _, size := range []struct {
			name string
			more string
		}{{"few triples", ""}, {"many triples", filler(50)}} {
			t.Run(c.name+"/"+size.name, func(t *testing.T) {
				t.Parallel()
				r := validate(t, `ex:S sh:targetNode ex:x; sh:property [sh:path `+c.path+`; sh:in ()].`, data+size.more)
				var got []string
				for i := range r.Results {
					got = append(got, strings.TrimPrefix(short(r.Results[i].Value), "ex:"))
					assert.Equal(t, c.text, r.Results[i].Path.Text(short))
				}
				assert.ElementsMatch(t, strings.Fields(c.want), got)
			})
		}
	}
}

// TestLongWalks walks further than any stack is deep.
func TestLongWalks(t *testing.T) {
	t.Parallel()
	var chain strings.Builder
	const n = 50_000
	for i := range n {
		chain.WriteString("ex:n" + strconv.Itoa(i) + " ex:p ex:n" + strconv.Itoa(i+1) + ". ")
	}
	data := chain.String()
	for _, c := range []struct{ name, shapes string }{
		{"forward", `ex:S sh:targetNode ex:n0; sh:property [sh:path [sh:zeroOrMorePath ex:p]; sh:minCount 50001; sh:maxCount 50001].`},
		{"backward", `ex:S sh:targetNode ex:n50000; sh:property [sh:path [sh:oneOrMorePath [sh:inversePath ex:p]]; sh:minCount 50000; sh:maxCount 50000].`},
		{"by twos", `ex:S sh:targetNode ex:n0; sh:property [sh:path [sh:zeroOrMorePath (ex:p ex:p)]; sh:minCount 25001; sh:maxCount 25001].`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assert.True(t, validate(t, c.shapes, data).Conforms())
		})
	}
	t.Run("a class hierarchy", func(t *testing.T) {
		t.Parallel()
		r := validate(t, `ex:S sh:targetNode ex:x; sh:class ex:n50000.`, `ex:x a ex:n0. `+strings.ReplaceAll(data, "ex:p", "rdfs:subClassOf"))
		require.True(t, r.Conforms())
	})
}
