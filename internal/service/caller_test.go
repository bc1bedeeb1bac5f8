package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
)

// TestCallers is who may do what: by each door, with and without a token.
func TestCallers(t *testing.T) {
	t.Parallel()
	files := authority(t)
	named := object(t, m{"input": input(t, files, "authority.json", nil), "files": texts(files)})
	unnamed := object(t, m{"input": without(input(t, files, "authority.json", nil), "actor"), "files": texts(files)})
	peer := object(t, m{"message": m{}, "peer": "https://bob.example/"})
	card := object(t, m{"message": m{}, "card": "https://bob.example/"})
	nobody := object(t, m{"message": m{}})
	j := judge(t, `{"agent":"https://alice.example/"}`, nil)
	bearer := []string{"Authorization", "Bearer " + secret}
	for _, row := range []struct {
		name    string
		o       service.Options
		headers []string
		hash    int // status of /v1/hash and /metrics
		named   int // of a request that says who acts or who the peer is
		page    int // of open pages
	}{
		{"socket", service.Options{Door: service.DoorSocket}, nil, 200, 200, 200},
		{"loopback", service.Options{Door: service.DoorLoopback}, nil, 200, 403, 200},
		{"loopback, a token that nobody asked for", service.Options{Door: service.DoorLoopback}, bearer, 200, 403, 200},
		{"open, no token", service.Options{Door: service.DoorOpen}, nil, 401, 401, 200},
		{"certificates, without TLS", service.Options{Door: service.DoorCertificates}, nil, 401, 401, 200},

		{"token, loopback", service.Options{Door: service.DoorLoopback, Tokens: tokens(t, secret)}, bearer, 200, 200, 200},
		{"token, open", service.Options{Door: service.DoorOpen, Tokens: tokens(t, secret)}, bearer, 200, 200, 200},
		{"token, socket", service.Options{Door: service.DoorSocket, Tokens: tokens(t, secret)}, bearer, 200, 200, 200},
		{"token, second of two", service.Options{Tokens: tokens(t, "another-token-of-some-length\r\n\n"+secret+"\n")}, bearer, 200, 200, 200},
		{"token, scheme in lower case", service.Options{Tokens: tokens(t, secret)}, []string{"Authorization", "bearer " + secret}, 200, 200, 200},
		{"none, socket", service.Options{Door: service.DoorSocket, Tokens: tokens(t, secret)}, nil, 401, 401, 200},
		{"none, loopback", service.Options{Door: service.DoorLoopback, Tokens: tokens(t, secret)}, nil, 401, 401, 200},
		{"another token", service.Options{Tokens: tokens(t, secret)}, []string{"Authorization", "Bearer " + secret + "x"}, 401, 401, 200},
		{"a shorter token", service.Options{Tokens: tokens(t, secret)}, []string{"Authorization", "Bearer " + secret[:20]}, 401, 401, 200},
		{"an empty token", service.Options{Tokens: tokens(t, secret)}, []string{"Authorization", "Bearer "}, 401, 401, 200},
		{"no scheme", service.Options{Tokens: tokens(t, secret)}, []string{"Authorization", secret}, 401, 401, 200},
		{"another scheme", service.Options{Tokens: tokens(t, secret)}, []string{"Authorization", "Basic " + secret}, 401, 401, 200},
		{"the token twice", service.Options{Tokens: tokens(t, secret)}, append(bearer, bearer...), 401, 401, 200},
		{"the token of another header", service.Options{Tokens: tokens(t, secret)}, []string{"X-Authorization", "Bearer " + secret}, 401, 401, 200},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			row.o.Judge = j
			s := serve(t, row.o)
			require.Equal(t, row.hash, s.post(t, "/v1/hash", turtle, "", row.headers...).status)
			require.Equal(t, row.hash, s.call(t, http.MethodGet, "/metrics", "", "", row.headers...).status)
			require.Equal(t, row.page, s.call(t, http.MethodGet, "/healthz", "", "", row.headers...).status)
			require.Equal(t, row.page, s.call(t, http.MethodGet, "/openapi.json", "", "", row.headers...).status)
			for _, r := range []result{
				s.post(t, "/v1/authorize", inJSON, named, row.headers...),
				s.post(t, "/v1/receive", inJSON, peer, row.headers...),
				s.post(t, "/v1/receive", inJSON, card, row.headers...),
			} {
				require.Equal(t, row.named, r.status, r.text)
				if row.named == 403 {
					require.Equal(t, "peer-not-authenticated", r.str("code"))
					require.Equal(t, "refused", r.str("verdict"))
				}
			}
			require.Equal(t, row.hash, s.post(t, "/v1/authorize", inJSON, unnamed, row.headers...).status)
			require.Equal(t, row.hash, s.post(t, "/v1/receive", inJSON, nobody, row.headers...).status)
			r := s.post(t, "/v1/nothing", turtle, "", row.headers...)
			if row.hash == 401 {
				require.Equal(t, 401, r.status, "what there is, is not for everybody")
				require.Equal(t, `Bearer realm="rdfprotod"`, r.header.Get("WWW-Authenticate"))
			} else {
				require.Equal(t, 404, r.status)
			}
		})
	}
}

func TestParseTokens(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing": "", "empty lines": "\n\r\n", "short": "0123456789abcde", "long": strings.Repeat("x", 1025),
		"a space": "0123456789 abcdefg", "beyond ASCII": "0123456789abcdéfgh", "a control": "0123456789abcdefgh\x01",
		"one of two": secret + "\nx", "too many": strings.Repeat(secret+"\n", 17),
	} {
		_, err := service.ParseTokens([]byte(text))
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "0123456789", "a token is a secret, also one that is refused")
	}
	for name, text := range map[string]string{
		"shortest": "0123456789abcdef", "longest": strings.Repeat("x", 1024), "as many as may be": strings.Repeat(secret+"\n", 16),
	} {
		_, err := service.ParseTokens([]byte(text))
		require.NoError(t, err, name)
	}
}

// TestHosts: a page in a browser that reaches the service under another name is told
// nothing, and no page is told anything.
func TestHosts(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		door    service.Door
		hosts   []string
		headers []string
		status  int
	}{
		{"its address", service.DoorLoopback, nil, nil, 200},
		{"localhost", service.DoorLoopback, nil, []string{"Host", "localhost:4747"}, 200},
		{"LOCALHOST", service.DoorLoopback, nil, []string{"Host", "LOCALHOST"}, 200},
		{"the address of IPv6", service.DoorLoopback, nil, []string{"Host", "[::1]:4747"}, 200},
		{"the address of IPv6 without a port", service.DoorLoopback, nil, []string{"Host", "[::1]"}, 200},
		{"another loopback address", service.DoorLoopback, nil, []string{"Host", "127.9.9.9"}, 200},
		{"a name of somebody else", service.DoorLoopback, nil, []string{"Host", "rebind.example:4747"}, 403},
		{"a name that begins like one", service.DoorLoopback, nil, []string{"Host", "localhost.rebind.example"}, 403},
		{"an address that begins like one", service.DoorLoopback, nil, []string{"Host", "127.0.0.1.rebind.example"}, 403},
		{"a name that is allowed", service.DoorLoopback, []string{"agent.test"}, []string{"Host", "Agent.test:1"}, 200},
		{"another name with one that is allowed", service.DoorLoopback, []string{"agent.test"}, []string{"Host", "agent.tests"}, 403},
		{"any name on a socket", service.DoorSocket, nil, []string{"Host", "x"}, 200},
		{"a port that is none", service.DoorLoopback, nil, []string{"Host", "localhost:4747,rebind.example"}, 403},
		{"an empty origin", service.DoorLoopback, nil, []string{"Origin", ""}, 403},
		{"an empty origin and a page", service.DoorLoopback, nil, []string{"Origin", "", "Origin", "http://rebind.example"}, 403},
		{"a page", service.DoorLoopback, nil, []string{"Origin", "http://127.0.0.1:4747"}, 403},
		{"a page on a socket", service.DoorSocket, nil, []string{"Origin", "null"}, 403},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, service.Options{Door: row.door, Hosts: row.hosts})
			for _, path := range []string{"/healthz", "/metrics", "/openapi.json"} {
				r := s.call(t, http.MethodGet, path, "", "", row.headers...)
				require.Equal(t, row.status, r.status, r.text)
			}
			r := s.post(t, "/v1/hash", turtle, "", row.headers...)
			require.Equal(t, row.status, r.status, r.text)
			if row.status == 403 {
				require.Equal(t, "foreign-host", r.str("code"))
			}
			require.Empty(t, r.header.Get("Access-Control-Allow-Origin"))
		})
	}
	s := serve(t, service.Options{Door: service.DoorSocket})
	r := s.call(t, http.MethodOptions, "/v1/hash", "", "", "Access-Control-Request-Method", "POST")
	require.Equal(t, 405, r.status)
	require.Equal(t, "POST", r.header.Get("Allow"))
	require.Empty(t, r.header.Get("Access-Control-Allow-Methods"))
}

func TestMethods(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket})
	for _, rt := range service.Routes() {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodHead} {
			allowed := method == rt.Method || method == http.MethodHead && rt.Method == http.MethodGet
			r := s.call(t, method, rt.Path, inJSON, "")
			if allowed {
				require.NotEqual(t, 405, r.status)
				continue
			}
			require.Equal(t, 405, r.status, rt.Path)
			require.Equal(t, rt.Method, r.header.Get("Allow"))
		}
	}
	for _, path := range []string{"/", "/v1", "/v1/hash/", "/v2/hash", "/V1/hash", "//v1/hash", "/v1%2Fhash", "/%76%31/hash", "/v1/%68ash", "/v1/hash%00", "/v1/hash;x", "/v1/../v1/hash", "/debug/pprof/"} {
		require.Equal(t, 404, s.post(t, path, turtle, "").status, path)
	}
	head := s.call(t, http.MethodHead, "/healthz", "", "")
	require.Equal(t, 200, head.status)
	require.Empty(t, head.text)
}
