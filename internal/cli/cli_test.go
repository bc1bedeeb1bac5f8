package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// result is what a call left behind.
type result struct {
	status      cli.Status
	out, stderr string
}

func call(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, stderr bytes.Buffer
	status := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &stderr})
	return result{status, out.String(), stderr.String()}
}

// eachHelp visits every command but help with its path and its help.
func eachHelp(t *testing.T, visit func(path []string, help result)) {
	t.Helper()
	var walk func(path []string)
	walk = func(path []string) {
		help := call(t, "", append(slices.Clip(path), "--help")...)
		visit(path, help)
		_, list, _ := strings.Cut(help.out, "\nCommands:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.Lines(list) {
			if f := strings.Fields(line); len(f) > 0 && f[0] != "help" {
				walk(append(slices.Clip(path), f[0]))
			}
		}
	}
	walk(nil)
}

// TestHelp reads the help of every command as a terminal of 80 columns does.
func TestHelp(t *testing.T) {
	t.Parallel()
	seen := 0
	eachHelp(t, func(path []string, r result) {
		seen++
		require.Equal(t, cli.StatusYes, r.status, path)
		require.Empty(t, r.stderr, path)
		require.Contains(t, r.out, strings.Join(append([]string{"\n  rdfproto"}, path...), " "))
		require.Contains(t, r.out, "\nExamples:\n", path)
		for line := range strings.Lines(r.out) {
			// A command to copy must not be broken.
			if !strings.HasPrefix(line, "  rdfproto ") {
				require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, line)
			}
		}
		require.Equal(t, r.out, call(t, "", append([]string{"help"}, path...)...).out, path)
	})
	require.Greater(t, seen, 60)
}

// failing is an output that is full.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestFailedWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	unsigned, empty, bad := file("card.json", owgFiles(t)["vendor-card.json"]), file("empty.ttl", ""), file("bad.ttl", "<")
	for _, args := range [][]string{
		{"limits"}, {"version"}, {"--help"}, {"completion", "bash"},
		{"hash", empty}, {"card", "verify", "--require", unsigned},
		// Of a higher status than 2 where the result can be written.
		{"card", "verify", unsigned}, {"terms", "verify", "--json", unsigned}, {"hash", empty, bad},
	} {
		var stderr bytes.Buffer
		status := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: failing{}, Err: &stderr})
		require.Equal(t, cli.StatusCall, status, args)
		require.Contains(t, stderr.String(), "[write-failed]", args)
	}
}

// TestFailedLongWrite says once that a result could not be written, however many
// parts it was to be written in, and does not blame a file that was read.
func TestFailedLongWrite(t *testing.T) {
	t.Parallel()
	data := "@prefix sh: <http://www.w3.org/ns/shacl#> .\n<a:S> sh:targetObjectsOf <a:p> ; sh:nodeKind sh:BlankNode .\n" +
		"<a:s> <a:p> <a:o>"
	for i := range 3000 {
		data += fmt.Sprintf(", <a:%d>", i)
	}
	data += " .\n"
	file := filepath.Join(t.TempDir(), "data.ttl")
	require.NoError(t, os.WriteFile(file, []byte(data), 0o600))
	args := [][]string{{"canon", file}, {"card", "payload", file, "--help"}}
	for _, to := range []string{"turtle", "trig", "ntriples", "nquads", "jsonld"} {
		args = append(args, []string{"convert", "--to", to, file})
	}
	for _, report := range []string{"text", "json", "turtle", "sarif", "passes"} {
		args = append(args, []string{"validate", "--report", report, "--max-results", "5000", "--shape", file, file})
	}
	for _, args := range args {
		var stderr bytes.Buffer
		status := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: failing{}, Err: &stderr})
		require.Equal(t, cli.StatusCall, status, args)
		require.Equal(t, "rdfproto: error: cannot write the result: short write [write-failed]\n", stderr.String(), args)
	}
}

// TestLargestLimits raises every limit to the largest number: that changes
// nothing, least of all does it make an input look empty.
func TestLargestLimits(t *testing.T) {
	t.Parallel()
	var raised []string
	for line := range strings.Lines(call(t, "", "limits").out) {
		if f := strings.Fields(line); len(f) > 1 && f[0] != "NAME" {
			raised = append(raised, "--limit", f[0]+"=9223372036854775807")
		}
	}
	require.Greater(t, len(raised), 20)
	dir := filepath.Join("..", "..", "testdata")
	for _, row := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"hash", filepath.Join(dir, "grant-access.ttl")}},
		{"<a:s> <a:p> _:o, _:p .", []string{"hash", "-"}},
		{`{"@id":"a:s","a:p":[{"a:q":1},{"a:q":1}]}`, []string{"canon", "--format", "jsonld", "-"}},
		{"<a:s> <a:p> <a:o> <a:g> .", []string{"convert", "--format", "nquads", "--to", "trig", "-"}},
		{"", []string{"validate", "--shape", filepath.Join(dir, "grant-access.ttl"), filepath.Join(dir, "intent-incomplete.ttl")}},
		{`{"name":"x"}`, []string{"card", "lint", "-"}},
		{`{"name":"x"}`, []string{"card", "payload", "-"}},
	} {
		require.Equal(t, call(t, row.stdin, row.args...), call(t, row.stdin, append(row.args, raised...)...), row.args)
	}
}

// TestManyProblems tells how many problems of shapes are not shown.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	shapes := "@prefix sh: <http://www.w3.org/ns/shacl#> .\n" + strings.Repeat("[] sh:class 1 .\n", 1003)
	r := call(t, shapes, "validate", "--shape", "-", filepath.Join("..", "..", "testdata", "intent.ttl"))
	require.Equal(t, cli.StatusRefused, r.status)
	require.Equal(t, 1000, strings.Count(r.stderr, "rdfproto: error: "))
	require.True(t, strings.HasSuffix(r.stderr, "rdfproto: hint: there are 3 problems more in the shapes graph\n"), r.stderr[len(r.stderr)-200:])
}

// TestMissingFileWithoutExtension: of a file that is not there, every command says that,
// and not that the syntax cannot be told from a name that may be misspelt.
func TestMissingFileWithoutExtension(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	missing := filepath.Join(dir, "MISSING")
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	const pin = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	document := filepath.Join("..", "..", "testdata", "grant-access.ttl")
	policy := write("policy.ttl", "<urn:p> a <http://www.w3.org/ns/odrl/2/Set> .")
	receiver := write("receiver.json", `{"documents":{"`+pin+`":"MISSING"}}`)
	granted := write("granted.json", `{"policies":["MISSING"]}`)
	chain := write("chain.json", `{"primaryChain":{"policies":["MISSING"]},"rootPrincipal":"https://a.example/","request":{"action":"read","target":"https://a.example/x"}}`)
	message := write("message.json", `{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hello"}]}`)
	for _, args := range [][]string{
		{"hash", missing},
		{"hash", "--pin", pin, missing},
		{"canon", missing},
		{"convert", "--to", "turtle", missing},
		{"validate", "--shape", missing, document},
		{"validate", "--shape", document, missing},
		{"validate", "--scope", "shapes", "--shape", document, missing},
		{"protocol", "verify", "--pin", pin, missing},
		{"protocol", "review", missing},
		{"protocol", "build", "--id", "https://a.example/", "--request", missing},
		{"protocol", "diff", document, missing},
		{"intent", "check", "--protocol", missing, document},
		{"intent", "check", "--protocol", document, missing},
		{"handshake", "decode", missing},
		{"odrl", "lint", missing},
		{"odrl", "evaluate", "--policy", missing, "--request", message},
		{"delegation", "evaluate", "--chain", missing, "--request", message},
		{"delegation", "evaluate", "--chain", policy, "--request", missing},
		{"authz", "check", chain},
		{"message", "check", "--config", receiver, message},
		{"message", "check", "--config", granted, message},
	} {
		r := call(t, "", args...)
		require.Equal(t, cli.StatusCall, r.status, args)
		require.Empty(t, r.out, args)
		require.True(t, strings.HasPrefix(r.stderr, "rdfproto: error: "+missing+": "), "%s\n%s", args, r.stderr)
		require.True(t, strings.HasSuffix(r.stderr, " [unreadable]\n"), "%s\n%s", args, r.stderr)
	}
}

// TestColor asks for colours as a terminal does; without, there are none.
func TestColor(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "testdata")
	args := []string{"validate", "--shape", filepath.Join(dir, "grant-access.ttl"), filepath.Join(dir, "intent-incomplete.ttl")}
	plain := call(t, "", args...)
	require.Equal(t, cli.StatusNo, plain.status)
	require.NotContains(t, plain.out, "\x1b")
	var out, stderr bytes.Buffer
	require.Equal(t, cli.StatusNo, cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Color: true}))
	require.Contains(t, out.String(), "\x1b[1;31mViolation\x1b[0m: ")
	require.Equal(t, plain.out, regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(out.String(), ""))
}

// TestInterrupt cancels a command that waits for standard input.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	in, keep := io.Pipe()
	defer keep.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, stderr bytes.Buffer
	require.Equal(t, cli.StatusCall, cli.Run(ctx, []string{"hash", "-"}, cli.Streams{In: in, Out: &out, Err: &stderr}))
	require.Empty(t, out.String())
	require.Equal(t, "rdfproto: error: interrupted [interrupted]\n", stderr.String())
}
