package service_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
)

// TestHygiene: nothing of a request but what it may say of itself is written down.
func TestHygiene(t *testing.T) {
	t.Parallel()
	const marker = "Xyzzy"
	log := &logged{}
	s := serve(t, service.Options{
		Door: service.DoorSocket, Tokens: tokens(t, secret+marker), Log: log.logger(), Judge: judge(t, `{"agent":"a:a"}`, nil),
	})
	bearer := []string{"Authorization", "Bearer " + secret + marker, "User-Agent", marker, "X-Forwarded-For", marker, "Referer", "https://a.example/" + marker, "Cookie", "a=" + marker}
	doc := m{"content": "<urn:" + marker + "> <urn:p> " + marker, "mediaType": turtle}
	for _, row := range []struct{ path, contentType, body string }{
		{"/v1/hash", turtle, "<urn:" + marker + "> <urn:p> \"" + marker + "\" ."},
		{"/v1/hash", turtle, "<urn:s> <urn:p> " + marker},
		{"/v1/hash", turtle, marker + ":a <urn:p> 1 ."},
		{"/v1/hash?pin=" + marker, turtle, ""},
		{"/v1/hash?" + marker + "=1", turtle, ""},
		{"/v1/hash", inJSON, `{"` + marker + `":1}`},
		{"/v1/hash", "text/" + marker, ""},
		{"/v1/hash", "application/ld+json", `{"@id":"urn:s","` + marker + `":"o"}`},
		{"/v1/validate", inJSON, object(t, m{"data": doc, "shapes": []m{doc}})},
		{"/v1/validate", inJSON, object(t, m{"data": doc, "protocol": marker})},
		{"/v1/authorize", inJSON, object(t, m{"input": m{"rootPrincipal": marker, marker: 1}, "files": m{marker: marker}})},
		{"/v1/receive", inJSON, object(t, m{"message": m{"messageId": "m-1", "role": marker, "parts": []m{{"text": marker}}}})},
		{"/v1/receive", inJSON, object(t, m{"message": m{"messageId": "m-1", "role": "ROLE_USER", "parts": []m{{"text": marker}}, "metadata": m{marker: marker}}, "contextId": marker, "extensions": []string{marker}})},
		{"/v1/respond", inJSON, object(t, m{"intent": marker, "text": marker})},
		{"/" + marker, turtle, marker},
	} {
		s.post(t, row.path, row.contentType, row.body, bearer...)
		s.post(t, row.path, row.contentType, row.body, "Authorization", "Bearer "+marker, "Host", marker)
		s.post(t, row.path, row.contentType, row.body, append(bearer, "Origin", marker)...)
	}
	s.call(t, strings.ToUpper(marker), "/v1/hash", turtle, "", bearer...)
	metrics := s.call(t, http.MethodGet, "/metrics", "", "", bearer...).text
	require.NotContains(t, strings.ToLower(log.String()), strings.ToLower(marker))
	require.NotContains(t, strings.ToLower(metrics), strings.ToLower(marker))
	require.NotContains(t, log.String(), secret)
	require.Contains(t, metrics, `route="other"`)
	n := 0
	for sc := bufio.NewScanner(strings.NewReader(log.String())); sc.Scan(); n++ {
		var line m
		require.NoError(t, json.Unmarshal(sc.Bytes(), &line))
		for name := range line {
			require.Contains(t, []string{"time", "level", "msg", "route", "status", "caller", "bytes", "ms", "verdict", "code", "peer", "message", "cause", "bug"}, name)
		}
	}
	require.Greater(t, n, 40)
}

// TestLoggedNames: what a peer chose is logged cut, without what a terminal obeys and
// without secrets (a2a-rdf, GEN-4).
func TestLoggedNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", service.MaxLogged)
	for _, row := range []struct{ name, in, want string }{
		{"plain", "https://bob.example/a?b#c", "https://bob.example/a?b#c"},
		{"user and password", "https://user:secret@bob.example/a", "https://bob.example/a"},
		{"user with an at sign", "https://user@x:secret@bob.example", "https://bob.example"},
		{"without a scheme", "//user:secret@bob.example/", "//bob.example/"},
		{"two", "see https://a:b@c.example/ or https://d:e@f.example/", "see https://c.example/ or https://f.example/"},
		{"an at sign of the path", "https://bob.example/@bob", "https://bob.example/@bob"},
		{"an address of mail", "mailto:bob@bob.example", "mailto:bob@bob.example"},
		{"controls", "a\nb\rc\x1b[31md\x00e\x7ff\u0085g", "abc[31mdefg"},
		{"marks of direction", "a\u202eb\u2066c\ufeffd", "abcd"},
		{"separators of lines", "a\u2028b\u2029c", "abc"},
		{"no UTF-8", "a\xffb", "ab"},
		{"a newline in a password", "https://user:sec\nret@bob.example/", "https://bob.example/"},
		{"as long as may be", long, long},
		{"longer", long + "é", long + "..."},
		{"much longer", strings.Repeat("x", 1<<20), strings.Repeat("x", service.MaxLogged) + "..."},
		{"a long password", "https://user:" + strings.Repeat("secret", 1000) + "@bob.example/", "https://bob.example/"},
		{"much that is removed", strings.Repeat("\x00", 1<<20) + "x", ""},
	} {
		require.Equal(t, row.want, service.Loggable(row.in), row.name)
	}

	log := &logged{}
	s := serve(t, service.Options{Door: service.DoorSocket, Log: log.logger(), Judge: judge(t, `{"agent":"a:a"}`, nil)})
	s.post(t, "/v1/receive", inJSON, object(t, m{"message": m{"messageId": "m-1\n", "role": "ROLE_USER", "parts": []m{{"text": "x"}}}, "peer": "https://user:secret@bob.example/\x1b" + long}))
	var line m
	require.NoError(t, json.Unmarshal([]byte(log.String()), &line))
	require.True(t, strings.HasPrefix(line["peer"].(string), "https://bob.example/é"), line["peer"])
	require.Equal(t, "m-1", line["message"])
	require.NotContains(t, log.String(), "secret")
}

// TestPanic: a bug of ours is an answer, and tells the log where and not what.
func TestPanic(t *testing.T) {
	t.Parallel()
	log := &logged{}
	s := serve(t, service.Options{Door: service.DoorSocket, Log: log.logger()})
	service.Break(s.service, "/v1/hash", func() { panic("a piece of a payload") })
	r := s.post(t, "/v1/hash", turtle, "")
	require.Equal(t, 500, r.status)
	require.Equal(t, "internal", r.str("code"))
	require.Equal(t, "refused", r.str("verdict"))
	require.Contains(t, log.String(), "TestPanic")
	require.NotContains(t, log.String(), "piece")
	require.Contains(t, s.call(t, http.MethodGet, "/metrics", "", "").text, `status="500",verdict="refused",code="internal"} 1`)
	require.Contains(t, s.call(t, http.MethodGet, "/metrics", "", "").text, "rdfprotod_requests_in_flight 1\n")
}

// TestMetrics reads the text format of Prometheus as its readers do.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket})
	s.post(t, "/v1/hash", turtle, "")
	s.post(t, "/v1/hash", turtle, "x")
	r := s.call(t, http.MethodGet, "/metrics", "", "")
	require.Equal(t, "text/plain; version=0.0.4; charset=utf-8", r.header.Get("Content-Type"))
	require.True(t, strings.HasSuffix(r.text, "\n"))
	sample := regexp.MustCompile(`^([a-z_]+)(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? [0-9.e+-]+$`)
	types := map[string]string{}
	seen := map[string]bool{}
	for line := range strings.Lines(r.text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(name, " ")
			require.NotContains(t, types, name)
			types[name] = kind
			continue
		}
		if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		found := sample.FindStringSubmatch(line)
		require.NotNil(t, found, line)
		name, kind := found[1], types[found[1]]
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if base, ok := strings.CutSuffix(name, suffix); ok && types[base] == "histogram" {
				kind = "histogram"
			}
		}
		require.NotEmpty(t, kind, line)
		key, _, _ := strings.Cut(line, "} ")
		require.False(t, seen[key], line)
		seen[key] = true
	}
	require.Equal(t, map[string]string{
		"rdfprotod_build_info": "gauge", "rdfprotod_start_time_seconds": "gauge", "rdfprotod_requests_in_flight": "gauge",
		"rdfprotod_requests_total": "counter", "rdfprotod_request_bytes_total": "counter", "rdfprotod_request_duration_seconds": "histogram",
	}, types)
	require.Contains(t, r.text, `rdfprotod_requests_total{route="/v1/hash",status="200",verdict="yes",code=""} 1`)
	require.Contains(t, r.text, `rdfprotod_requests_total{route="/v1/hash",status="422",verdict="refused",code="syntax"} 1`)
	require.Contains(t, r.text, `rdfprotod_request_bytes_total{route="/v1/hash"} 1`)
	require.Contains(t, r.text, `rdfprotod_request_duration_seconds_bucket{route="/v1/hash",le="+Inf"} 2`)
	require.Contains(t, r.text, "rdfprotod_build_info{version=")
	require.Contains(t, r.text, "rdfprotod_start_time_seconds 1785585600\n")
}
