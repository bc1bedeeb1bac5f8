package service_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
)

func description(t *testing.T) m {
	t.Helper()
	var doc m
	require.NoError(t, json.Unmarshal(service.OpenAPI(), &doc))
	return doc
}

// get follows a path of member names.
func get(t *testing.T, v any, path ...string) any {
	t.Helper()
	for i, name := range path {
		o, ok := v.(m)
		require.True(t, ok, path[:i])
		v, ok = o[name]
		require.True(t, ok, path[:i+1])
	}
	return v
}

func strs(v any) []string {
	var out []string
	items, _ := v.([]any)
	for _, item := range items {
		out = append(out, fmt.Sprint(item))
	}
	return out
}

// TestOpenAPIServed: what is served is the document, whole.
func TestOpenAPIServed(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket})
	r := s.call(t, http.MethodGet, "/openapi.json", "", "")
	require.Equal(t, 200, r.status)
	require.Equal(t, string(service.OpenAPI()), r.text)
	require.Equal(t, "3.1.0", r.object["openapi"])
}

// TestOpenAPIReferences: every $ref leads somewhere, and every component is referred
// to or stands for a list of codes.
func TestOpenAPIReferences(t *testing.T) {
	t.Parallel()
	doc := description(t)
	used := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case m:
			if ref, ok := v["$ref"].(string); ok {
				path, ok := strings.CutPrefix(ref, "#/")
				require.True(t, ok, ref)
				get(t, doc, strings.Split(path, "/")...)
				used[ref] = true
			}
			for _, member := range v {
				walk(member)
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(doc)
	require.NotEmpty(t, used)
	for kind, components := range get(t, doc, "components").(m) {
		if kind == "securitySchemes" {
			continue
		}
		for name := range components.(m) {
			if name != "Verdict" && name != "ServiceCode" { // for readers
				require.True(t, used["#/components/"+kind+"/"+name], name)
			}
		}
	}
}

// TestOpenAPIRoutes: every route is described as it is.
func TestOpenAPIRoutes(t *testing.T) {
	t.Parallel()
	doc := description(t)
	paths := get(t, doc, "paths").(m)
	var names []string
	for _, rt := range service.Routes() {
		names = append(names, rt.Path)
		o := get(t, paths, rt.Path, strings.ToLower(rt.Method)).(m)
		require.Len(t, paths[rt.Path], 1)
		require.NotEmpty(t, o["summary"])
		require.NotEmpty(t, o["operationId"])
		responses := get(t, o, "responses").(m)
		require.Contains(t, responses, "200")
		if rt.Open {
			require.Equal(t, []any{m{}}, o["security"], rt.Path)
		}
		if rt.Method == http.MethodGet {
			continue
		}
		require.Equal(t, slices.Sorted(slices.Values(rt.Types)), slices.Sorted(maps.Keys(get(t, o, "requestBody", "content").(m))))
		var query []string
		parameters, _ := o["parameters"].([]any)
		for _, p := range parameters {
			query = append(query, get(t, p, "name").(string))
		}
		require.ElementsMatch(t, rt.Query, query)
		for _, status := range []int{400, 401, 403, 405, 408, 413, 415, 500, 503} {
			require.Contains(t, responses, strconv.Itoa(status))
		}
	}
	require.ElementsMatch(t, names, slices.Collect(maps.Keys(paths)))
}

// TestOpenAPIMembers: every member that a body may have is described, and no other.
func TestOpenAPIMembers(t *testing.T) {
	t.Parallel()
	doc := description(t)
	for schema, members := range service.RequestMembers() {
		s := get(t, doc, "components", "schemas", schema).(m)
		require.Equal(t, false, s["additionalProperties"], schema)
		var want, needed []string
		for _, name := range members {
			name, must := strings.CutSuffix(name, "!")
			want = append(want, name)
			if must {
				needed = append(needed, name)
			}
		}
		require.ElementsMatch(t, want, slices.Collect(maps.Keys(get(t, s, "properties").(m))), schema)
		require.ElementsMatch(t, needed, strs(s["required"]), schema)
	}
}

// TestOpenAPICodes: every code that an answer can have is listed, with its status.
func TestOpenAPICodes(t *testing.T) {
	t.Parallel()
	doc := description(t)
	schemas := get(t, doc, "components", "schemas")
	var own []string
	for _, code := range service.Codes() {
		own = append(own, string(code))
		status := strconv.Itoa(service.StatusOf()[code])
		found := false
		for _, r := range get(t, doc, "components", "responses").(m) {
			found = found || strings.Contains(get(t, r, "description").(string), string(code))
		}
		require.True(t, found, "the code %s with its status %s", code, status)
	}
	require.Len(t, service.StatusOf(), len(own))
	require.Equal(t, own, strs(get(t, schemas, "ServiceCode", "enum")))
	for schema, path := range map[string]string{
		"ReceiveCode": "/v1/receive", "HashCode": "/v1/hash", "ValidateCode": "/v1/validate", "AuthorizeCode": "/v1/authorize",
	} {
		require.Equal(t, service.RouteCodes(path), strs(get(t, schemas, schema, "enum")), "codes of the library that openapi.json must have")
	}
}

// TestCodesAreComplete: no code of the readers is missing from the lists that labels
// and descriptions are made of.
func TestCodesAreComplete(t *testing.T) {
	t.Parallel()
	known := service.ReadingCodes()
	for _, file := range []string{"rdf/errors.go", "rdf/jsonld/errors.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", file), nil, 0)
		require.NoError(t, err)
		n := 0
		ast.Inspect(f, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Code") || len(spec.Values) != 1 {
				return true
			}
			lit, ok := spec.Values[0].(*ast.BasicLit)
			require.True(t, ok, spec.Names[0].Name)
			code, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			require.Contains(t, known, code, "%s of %s", spec.Names[0].Name, file)
			n++
			return true
		})
		require.NotZero(t, n)
	}
}

// TestAnswersAreDescribed: the members of answers of other tests are in the
// description.
func TestAnswersAreDescribed(t *testing.T) {
	t.Parallel()
	doc := description(t)
	files := authority(t)
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: judge(t, `{"documents":{"`+grantPin+`":"grant.ttl"}}`, map[string]string{"grant.ttl": testdata(t, "grant-access.ttl")})})
	d := func(content string) m { return m{"content": content, "mediaType": turtle} }
	intent, incomplete := testdata(t, "intent.ttl"), testdata(t, "intent-incomplete.ttl")
	for _, row := range []struct {
		path, schema string
		body         m
	}{
		{"/v1/hash", "Hash", m{"document": d(intent)}},
		{"/v1/hash", "Refused", m{"document": d("x")}},
		{"/v1/validate", "Validation", m{"data": d(incomplete), "shapes": []m{d(testdata(t, "grant-access.ttl"))}}},
		{"/v1/validate", "Validation", m{"data": d(""), "shapes": []m{d("")}}},
		{"/v1/validate", "Validation", m{"data": d(intent), "protocol": grantPin}},
		{"/v1/authorize", "Decision", m{"input": input(t, files, "authority.json", nil), "files": texts(files)}},
		{"/v1/authorize", "Decision", m{"input": input(t, files, "other.json", nil), "files": texts(files)}},
	} {
		r := s.post(t, row.path, inJSON, object(t, row.body))
		schema := get(t, doc, "components", "schemas", row.schema).(m)
		for name := range r.object {
			require.Contains(t, schema["properties"], name, "%s %s", row.path, r.text)
		}
		for _, name := range strs(schema["required"]) {
			require.Contains(t, r.object, name, "%s %s", row.path, r.text)
		}
	}
}

// TestHelpNames: the help of serve and docs/service.md name every route, and the page
// every member of the configuration.
func TestHelpNames(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "service.md"))
	require.NoError(t, err)
	help := run(t, "serve", "--help").out
	for _, rt := range service.Routes() {
		require.Contains(t, string(page), rt.Path)
		require.Contains(t, help, rt.Path)
	}
	for _, name := range service.ConfigMembers() {
		require.Contains(t, string(page), "`"+name+"`")
	}
}
