package jsonld_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// The expansion suite looks at the step before deserialization: what the quads
// do not show, and what they would hide.
func TestSuiteExpand(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "jsonld11-expand")
	base, entries := suite.Entries(t, "jsonld11-expand", "expand-manifest.jsonld", 385)
	report, ran := suite.NewReport(t, "jsonld11-expand"), 0
	for _, e := range entries {
		if !runnable(e) {
			continue
		}
		ran++
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			report.Case(t, e.ID)
			o, err := suiteOptions(t, dir, base, e)
			var got []any
			if err == nil {
				got, err = jsonld.Expand(suite.ReadFile(t, e.Action), o)
			}
			if e.Is("NegativeEvaluationTest") {
				var refused *jsonld.Error
				require.ErrorAs(t, err, &refused, e.Name)
				assert.Equal(t, e.ErrorCode, string(refused.Code), err)
				return
			}
			require.True(t, e.Is("PositiveEvaluationTest"), e.Types)
			require.NoError(t, err, e.Name)
			var want any
			require.NoError(t, json.Unmarshal(suite.ReadFile(t, e.Result), &want))
			assert.Equal(t, unordered(want, false), unordered(got, false), e.Name)
		})
	}
	assert.Equal(t, 376, ran)
}

// unordered writes an expanded document so that two that differ in the order of
// unordered values, or in empty values, are equal.
func unordered(v any, ordered bool) string {
	switch v := v.(type) {
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = unordered(v[i], false)
		}
		if !ordered {
			slices.Sort(items)
		}
		return "[" + strings.Join(items, ",") + "]"
	case map[string]any:
		var members []string
		for name, value := range v {
			if list, ok := value.([]any); ok && len(list) == 0 && name[0] != '@' {
				continue
			}
			if m, ok := value.(map[string]any); ok && name == "@reverse" && unordered(m, false) == "{}" {
				continue
			}
			if name == "@value" {
				text, err := json.Marshal(value)
				if err != nil {
					panic(err)
				}
				members = append(members, name+":"+string(text))
				continue
			}
			members = append(members, name+":"+unordered(value, name == "@list"))
		}
		slices.Sort(members)
		return "{" + strings.Join(members, ",") + "}"
	}
	return fmt.Sprintf("%#v", v)
}
