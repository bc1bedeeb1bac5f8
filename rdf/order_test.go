package rdf_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
)

// Quads come out sorted by graph, subject, predicate and object and without
// duplicates, and each with the place where it stood first, whatever the order
// and the number in which they came: sorting takes other ways for few and for
// many, for sorted input and for named graphs.
func TestDatasetOrder(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name                    string
		quads, subjects, graphs int
		sorted                  bool
	}{
		{"none", 0, 1, 1, false},
		{"few", 40, 10, 1, false},
		{"few in graphs", 40, 10, 3, false},
		{"many", 3000, 500, 1, false},
		{"many in graphs", 3000, 300, 7, false},
		{"many with one subject", 500, 1, 1, false},
		{"sorted", 3000, 500, 1, true},
		{"sorted in graphs", 3000, 500, 4, true},
		{"few beside many terms", 100, 2000, 2, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, uint64(row.quads)))
			for _, places := range []bool{false, true} {
				b := rdf.NewBuilder(rdf.Local())
				b.BeginDocument("f")
				ids := make([]rdf.ID, row.subjects+20)
				for i := range ids {
					id, err := b.IRI(fmt.Appendf(nil, "a:%d", i))
					require.NoError(t, err)
					ids[i] = id
				}
				var in []rdf.Quad
				for range row.quads {
					q := rdf.Quad{S: ids[random.IntN(row.subjects)], P: ids[random.IntN(5)], O: ids[random.IntN(20)]}
					if g := random.IntN(row.graphs); g > 0 {
						q.G = ids[g]
					}
					in = append(in, q)
				}
				byQuad := func(a, b rdf.Quad) int {
					return cmp.Or(cmp.Compare(a.G, b.G), cmp.Compare(a.S, b.S), cmp.Compare(a.P, b.P), cmp.Compare(a.O, b.O))
				}
				if row.sorted {
					slices.SortFunc(in, byQuad)
				}
				first := map[rdf.Quad]int{}
				for i, q := range in {
					if _, ok := first[q]; !ok {
						first[q] = i
					}
					if places {
						at := rdf.Pos{Line: uint32(i) + 1, Column: 1}
						require.NoError(t, b.AddAt(q.S, q.P, q.O, q.G, at, rdf.Pos{Line: uint32(i) + 1, Column: 2}))
					} else {
						require.NoError(t, b.Add(q.S, q.P, q.O, q.G))
					}
				}
				want := slices.Clone(in)
				slices.SortFunc(want, byQuad)
				want = slices.Compact(want)
				d := b.Dataset()
				assert.Equal(t, want, slices.AppendSeq([]rdf.Quad(nil), d.Quads()))
				if !places {
					continue
				}
				for i := range d.Len() {
					line := first[d.Quad(i)] + 1
					assert.Equal(t, fmt.Sprintf("f:%d:1", line), d.SubjectPlace(i).String())
					assert.Equal(t, fmt.Sprintf("f:%d:2", line), d.ObjectPlace(i).String())
				}
			}
		})
	}
}
