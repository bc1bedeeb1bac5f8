package service_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
)

// drawn makes values of schemas of the description, mostly as they are described.
type drawn struct {
	*rand.Rand
	t    *testing.T
	doc  m
	some []string // texts that mean something
}

func sorted(o m) []string { return slices.Sorted(maps.Keys(o)) }

func (d *drawn) schema(s m) m {
	if ref, ok := s["$ref"].(string); ok {
		return get(d.t, d.doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(m)
	}
	return s
}

// value draws a value; odd is how many of a hundred are of another kind.
func (d *drawn) value(s m, odd, depth int) any {
	s = d.schema(s)
	if d.IntN(100) < odd {
		return []any{nil, true, 1e300, -1, "", "\x1b[31m\u202e", []any{}, m{}, m{"": m{}}, []any{m{}, "x"}}[d.IntN(10)]
	}
	if enum := strs(s["enum"]); enum != nil {
		return enum[d.IntN(len(enum))]
	}
	switch s["type"] {
	case "string":
		if s["pattern"] != nil && d.IntN(2) == 0 {
			return grantPin
		}
		return d.some[d.IntN(len(d.some))]
	case "boolean":
		return d.IntN(2) == 0
	case "integer", "number":
		return d.IntN(1000) - 500
	case "array":
		out := []any{}
		for range d.IntN(4) {
			out = append(out, d.value(s["items"].(m), odd, depth+1))
		}
		return out
	}
	out := m{}
	properties, _ := s["properties"].(m)
	required := strs(s["required"])
	for _, name := range sorted(properties) {
		if slices.Contains(required, name) || d.IntN(3) == 0 {
			out[name] = d.value(properties[name].(m), odd, depth+1)
		}
	}
	if s["additionalProperties"] != false && depth < 5 { // what the description leaves to others
		more, _ := s["additionalProperties"].(m)
		for range d.IntN(5) {
			if more == nil {
				more = m{"type": []string{"string", "array", "object", "boolean", "integer"}[d.IntN(5)], "items": m{"type": "object"}}
			}
			out[d.some[d.IntN(len(d.some))]] = d.value(more, odd, depth+1)
		}
	}
	if d.IntN(100) < odd {
		out["unknown"] = 1
	}
	return out
}

// TestOpenAPIRequests sends what the description describes, and what it nearly does: no
// answer is of a status, of a form or with a code that it does not list, and nothing is a
// failure of the service.
func TestOpenAPIRequests(t *testing.T) {
	t.Parallel()
	doc := description(t)
	files := authority(t)
	log := &logged{}
	s := serve(t, service.Options{
		Door: service.DoorSocket, Log: log.logger(),
		Judge: grantJudge(t, strings.Replace(permitAll, `"replay"`, `"agreements":["PIN"],"replay"`, 1)),
	})
	d := &drawn{Rand: rand.New(rand.NewPCG(7, 7)), t: t, doc: doc, some: []string{
		"", "x", "\x00", "\x1b[31m", "https://alice.example/#me", "sha256:", grantPin, turtle, "text/html", inJSON, "ctx-7", "m-1",
		testdata(t, "intent.ttl"), testdata(t, "grant-access.ttl"), "a.json", "a.ttl", files["mandate.vc.json"], files["mandate.ttl"],
		"mandate.vc.json", "mandate.ttl", "messageId", "contextId", "role", "ROLE_USER", "parts", "text", "data", "metadata", "kind",
		"rootPrincipal", "primaryChain", "credentials", "policies", "request", "action", "target", "actor", strings.Repeat("(", 200),
	}}
	valid := map[string]m{
		"/v1/receive": {"message": msg("m-1", "ctx-1", intent(grantPin, testdata(t, "intent.ttl"))), "peer": bob},
		"/v1/authorize": {
			"input": input(t, files, "authority.json", nil), "files": texts(files),
		},
	}
	statuses := map[int]int{}
	paths := get(t, doc, "paths").(m)
	for _, path := range sorted(paths) {
		for method, o := range paths[path].(m) { // one
			responses := get(t, o, "responses").(m)
			n := 300
			if method == "get" {
				n = 20
			}
			for range n {
				query := ""
				if d.IntN(3) == 0 {
					query = "?" + []string{"pin", "base", "x", "%zz", "a;b"}[d.IntN(5)] + "=" + url.QueryEscape(d.some[d.IntN(len(d.some))])
				}
				contentType, body := "", ""
				if method == "post" {
					content := get(t, o, "requestBody", "content").(m)
					contentType = sorted(content)[d.IntN(len(content))]
					schema := d.schema(content[contentType].(m)["schema"].(m))
					v := d.value(schema, []int{0, 3, 20}[d.IntN(3)], 0)
					if good, ok := valid[path]; ok && d.IntN(3) == 0 {
						v = d.damage(good)
					}
					text, isText := v.(string)
					if body = text; !isText || contentType == inJSON {
						body = object(t, v)
					}
				}
				r := s.call(t, strings.ToUpper(method), path+query, contentType, body)
				statuses[r.status]++
				what := fmt.Sprintf("%s %s%s %s: %d %s", method, path, query, body, r.status, r.text)
				require.Contains(t, responses, strconv.Itoa(r.status), what)
				require.Less(t, r.status, http.StatusInternalServerError, what)
				if method == "get" && r.status == 200 {
					continue
				}
				response := d.schema(responses[strconv.Itoa(r.status)].(m))
				answer := d.schema(get(t, response, "content", inJSON, "schema").(m))
				properties, _ := answer["properties"].(m)
				for name := range r.object {
					require.Contains(t, properties, name, what)
				}
				for _, name := range strs(answer["required"]) {
					require.Contains(t, r.object, name, what)
				}
				require.Equal(t, r.status == 200, r.str("verdict") != "refused", what)
				require.Equal(t, r.str("verdict") == "yes", r.str("code") == "", what)
			}
		}
	}
	for _, status := range []int{200, 400, 415, 422} {
		require.NotZero(t, statuses[status], "%v", statuses)
	}
	require.NotContains(t, log.String(), "\x1b")
	require.NotContains(t, log.String(), `"code":"internal"`)
}

// damage returns a copy of an object with one value in it changed, or none.
func (d *drawn) damage(v any) any {
	var out any
	require.NoError(d.t, json.Unmarshal([]byte(object(d.t, v)), &out))
	at := out
	for range 12 {
		switch o := at.(type) {
		case m:
			if len(o) == 0 {
				return out
			}
			name := sorted(o)[d.IntN(len(o))]
			if _, nested := o[name].(string); nested || d.IntN(4) == 0 {
				o[name] = d.value(m{"type": "string"}, 40, 5)
				return out
			}
			at = o[name]
		case []any:
			if len(o) == 0 {
				return out
			}
			at = o[d.IntN(len(o))]
		default:
			return out
		}
	}
	return out
}
