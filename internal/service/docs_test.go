package service_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/markdown"
	"github.com/rdfproto/rdfproto/internal/service"
)

// TestPageCommands sends what docs/service.md tells a reader to send.
func TestPageCommands(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "service.md"))
	require.NoError(t, err)
	files := map[string]string{}
	for _, block := range markdown.Blocks(string(page)) {
		if name, ok := strings.CutPrefix(block.Info, "json "); ok {
			files[name] = block.Text
		}
	}
	want := map[string]string{"/v1/hash": "yes", "/v1/validate": "no", "/v1/authorize": "no", "/v1/receive": "yes"}
	const grant = "testdata/grant-access.ttl"
	s := serve(t, service.Options{Door: service.DoorLoopback, Judge: judge(t, files["agent.json"], map[string]string{grant: testdata(t, "grant-access.ttl")})})
	for _, command := range markdown.Commands(string(page)) {
		words := shellWords(t, command)
		require.Equal(t, []string{"curl", "-s"}, words[:2])
		method, contentType, body, path := http.MethodGet, "", "", ""
		for i := 2; i < len(words); i++ {
			switch words[i] {
			case "-H":
				i++
				var ok bool
				contentType, ok = strings.CutPrefix(words[i], "Content-Type: ")
				require.True(t, ok)
			case "--data", "--data-binary":
				i++
				name, ok := strings.CutPrefix(words[i], "@")
				require.True(t, ok)
				method = http.MethodPost
				if body, ok = files[name]; !ok {
					data, err := os.ReadFile(filepath.Join(root, name))
					require.NoError(t, err)
					body = string(data)
				}
			default:
				var ok bool
				path, ok = strings.CutPrefix(words[i], "http://"+service.DefaultAddress)
				require.True(t, ok, words[i])
			}
		}
		r := s.call(t, method, path, contentType, body)
		require.Equal(t, 200, r.status, "%s\n%s", command, r.text)
		path, _, _ = strings.Cut(path, "?")
		require.Equal(t, want[path], r.str("verdict"), "%s\n%s", command, r.text)
		delete(want, path)
	}
	require.Empty(t, want, "routes without a command")
}

// shellWords splits a command at spaces outside of single quotes.
func shellWords(t *testing.T, command string) []string {
	t.Helper()
	var words []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}
