package jsonld_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range jsonld.Codes() {
		assert.NotEmpty(t, c.Text(), c)
		assert.False(t, seen[string(c)], "%s twice", c)
		seen[string(c)] = true
	}
	for _, c := range jsonld.SpecificationCodes() {
		assert.True(t, seen[string(c)], c)
	}
	for _, c := range jsonld.SyntaxCodes() {
		assert.NotEmpty(t, jsonld.SyntaxText(c), c)
		assert.Empty(t, c.Text(), "%s is of package rdf", c)
		assert.False(t, seen[string(c)], "%s twice", c)
		seen[string(c)] = true
	}
	assert.Empty(t, jsonld.SyntaxText("syntax"))
}
