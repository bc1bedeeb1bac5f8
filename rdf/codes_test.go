package rdf_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rdfproto/rdfproto/rdf"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[rdf.Code]bool{}
	for _, c := range rdf.Codes() {
		assert.NotEmpty(t, c.Text(), c)
		assert.False(t, seen[c], "%s twice", c)
		seen[c] = true
	}
	assert.Len(t, seen, 10)
	assert.Empty(t, rdf.Code("other").Text())
}
