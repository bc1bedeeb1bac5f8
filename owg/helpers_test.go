package owg_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/owg"
)

func noon() time.Time { return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) }

func file(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(data)
}

func parse(t testing.TB, text string) *owg.Workflow {
	t.Helper()
	w, err := owg.Parse([]byte(text), owg.Limits{})
	require.NoError(t, err)
	return w
}

func validate(t testing.TB, text string, o owg.ValidateOptions) *owg.Report {
	t.Helper()
	r, err := parse(t, text).Validate(o)
	require.NoError(t, err)
	return r
}

// said lists findings as "severity CODE path".
func said(found []owg.Finding) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, strings.TrimSpace(f.Severity.String()+" "+string(f.Code)+" "+f.Path))
	}
	return out
}

// change is one edit of a workflow: the member at a path ("tasks.0.delegation.scope") gets
// a value, or is deleted when the value is gone{}.
type change struct {
	path  string
	value any
}

type gone struct{}

func edit(t testing.TB, text string, changes ...change) string {
	t.Helper()
	var root any
	require.NoError(t, json.Unmarshal([]byte(text), &root))
	for _, c := range changes {
		names := strings.Split(c.path, ".")
		at := root
		for _, name := range names[:len(names)-1] {
			at = child(t, at, name)
		}
		last := names[len(names)-1]
		switch at := at.(type) {
		case map[string]any:
			if _, ok := c.value.(gone); ok {
				require.Contains(t, at, last)
				delete(at, last)
			} else {
				at[last] = c.value
			}
		case []any:
			at[index(t, last)] = c.value
		default:
			t.Fatalf("no member %s", c.path)
		}
	}
	out, err := json.Marshal(root)
	require.NoError(t, err)
	return string(out)
}

func child(t testing.TB, v any, name string) any {
	t.Helper()
	if m, ok := v.(map[string]any); ok {
		require.Contains(t, m, name)
		return m[name]
	}
	list, ok := v.([]any)
	require.True(t, ok, name)
	return list[index(t, name)]
}

func index(t testing.TB, s string) int {
	t.Helper()
	require.Len(t, s, 1)
	return int(s[0] - '0')
}

func codeOf(t testing.TB, err error) owg.Code {
	t.Helper()
	var e *owg.Error
	require.True(t, errors.As(err, &e), "%v", err)
	require.NotEmpty(t, e.Code.Text(), "%s", e.Code)
	require.NotEmpty(t, e.Text)
	return e.Code
}

func card(t testing.TB, text string) *agentcard.Card {
	t.Helper()
	c, err := agentcard.Parse([]byte(text), agentcard.Limits{})
	require.NoError(t, err)
	return c
}

func verified(t testing.TB, text string, keys agentcard.Keys) *agentcard.Report {
	t.Helper()
	r, err := agentcard.Verify(context.Background(), card(t, text), keys, agentcard.Policy{At: noon()})
	require.NoError(t, err)
	return r
}

// unsigned admits a card that has no signature.
func unsigned(t testing.TB, text string) *agentcard.Admitted {
	t.Helper()
	a, _, err := owg.AdmitCard(verified(t, text, agentcard.Keys{}), agentcard.DemandIfSigned)
	require.NoError(t, err)
	return a
}

func compact(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, []byte(text)))
	return b.String()
}
