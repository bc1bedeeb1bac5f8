package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	operations := []operation{{name: "a"}}
	for name, row := range map[string]struct {
		now, kept map[string]figure
		failed    bool
		want      string
	}{
		"the same":         {map[string]figure{"a": {10, 100}}, map[string]figure{"a": {10, 100}}, false, ""},
		"a tenth more":     {map[string]figure{"a": {11, 110}}, map[string]figure{"a": {10, 100}}, false, ""},
		"more allocations": {map[string]figure{"a": {12, 100}}, map[string]figure{"a": {10, 100}}, true, "a: 12 allocations, more than a tenth above 10\n"},
		"more bytes":       {map[string]figure{"a": {10, 111}}, map[string]figure{"a": {10, 100}}, true, "a: 111 bytes, more than a tenth above 100\n"},
		"the first":        {map[string]figure{"a": {1, 8}}, map[string]figure{"a": {0, 0}}, true, "a: 1 allocations, more than a tenth above 0\na: 8 bytes, more than a tenth above 0\n"},
		"less":             {map[string]figure{"a": {10, 80}}, map[string]figure{"a": {10, 100}}, false, "a: 80 bytes, less than 100: keep the new figure with -update\n"},
		"a new operation":  {map[string]figure{"a": {10, 100}}, map[string]figure{}, true, "a: no figure is kept\n"},
		"a figure of none": {map[string]figure{"a": {10, 100}}, map[string]figure{"a": {10, 100}, "b": {}}, true, "b: no such operation\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			assert.Equal(t, row.failed, compare(&out, operations, row.now, row.kept))
			assert.Equal(t, row.want, out.String())
		})
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	want := map[string]figure{"a": {10, 100}, "b": {0, 0}}
	got, err := parse(string(format([]operation{{name: "a"}, {name: "b"}}, want)))
	require.NoError(t, err)
	assert.Equal(t, want, got)
	_, err = parse("a 1\n")
	assert.ErrorContains(t, err, "line 1: expected a name and two numbers")
}
