package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// TestHostileInput gives documents that break other readers to the program: by
// nesting, by size, by bytes that are no text, by ending too soon. Each is
// refused with a place where there is one, in little time and memory.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	rep := strings.Repeat
	const s = "<http://e/s> <http://e/p> "
	for _, row := range []struct {
		name, file string
		text       func() string
		stderr     string
	}{
		{"a million nested blank nodes", "a.ttl", func() string { return s + rep("[ <http://e/p> ", 1e6) + "1" + rep(" ]", 1e6) + " ." }, "a.ttl:1:%: nesting limit 1000 exceeded [limit-exceeded]"},
		{"a million nested lists", "a.ttl", func() string { return s + rep("(", 1e6) + rep(")", 1e6) + " ." }, "nesting limit 1000 exceeded"},
		{"ten million open lists", "a.ttl", func() string { return s + rep("(", 1e7) }, "nesting limit 1000 exceeded"},
		{"a million nested blank nodes in TriG", "a.trig", func() string { return "{" + s + rep("[ <http://e/p> ", 1e6) + "}" }, "nesting limit 1000 exceeded"},
		{"a literal of 50 MB", "a.ttl", func() string { return s + `"` + rep("x", 50<<20) + `" .` }, "literal bytes limit 16777216 exceeded"},
		{"a literal of 50 MB in N-Quads", "a.nq", func() string { return s + `"` + rep("x", 50<<20) + `" .` }, "literal bytes limit 16777216 exceeded"},
		{"a literal that is not UTF-8", "a.ttl", func() string { return s + "\"a\xff\" ." }, "a.ttl:1:29: "},
		{"an IRI that is not UTF-8", "a.ttl", func() string { return "<http://e/\xff> <http://e/p> 1 ." }, "[invalid-utf8]"},
		{"a surrogate as three bytes", "a.ttl", func() string { return s + "\"\xed\xa0\x80\" ." }, "[invalid-utf8]"},
		{"a literal that is not UTF-8, in N-Quads", "a.nq", func() string { return s + "\"a\xff\" .\n" }, "[invalid-utf8]"},
		{"a surrogate as three bytes, in N-Quads", "a.nq", func() string { return s + "\"\xed\xa0\x80\" .\n" }, "[invalid-utf8]"},
		{"an escaped surrogate", "a.ttl", func() string { return s + `"\uD800" .` }, "[invalid-escape]"},
		{"an escaped surrogate in N-Quads", "a.nq", func() string { return s + `"\uD800" .` }, "[invalid-escape]"},
		{"an escape beyond Unicode", "a.ttl", func() string { return s + `"\UFFFFFFFF" .` }, "[invalid-escape]"},
		{"an unterminated string", "a.ttl", func() string { return s + `"abc` }, "a.ttl:1:"},
		{"truncated in a collection", "a.ttl", func() string { return s + "( 1 2" }, "a.ttl:1:"},
		{"truncated after a collection", "a.ttl", func() string { return s + "( 1 2 )" }, "a.ttl:1:"},
		{"no dot at the end", "a.ttl", func() string { return s + "1" }, "a.ttl:1:"},
		{"no dot at the end of N-Quads", "a.nq", func() string { return s + "<http://e/o>" }, "a.nq:1:"},
		{"two hundred thousand open arrays", "a.jsonld", func() string { return rep("[", 200_000) }, "a.jsonld:1:%: nesting limit 1000 exceeded"},
		{"a million nested objects", "a.jsonld", func() string { return rep(`{"http://e/p":`, 1e6) }, "nesting limit 1000 exceeded"},
		{"JSON that is not UTF-8", "a.jsonld", func() string { return "{\"http://e/p\":\"\xff\"}" }, "[invalid-utf8]"},
		{"an escaped surrogate in JSON", "a.jsonld", func() string { return `{"http://e/p":"\uD800"}` }, "a.jsonld:1:"},
		{"a member twice", "a.jsonld", func() string { return `{"http://e/p":1,"http://e/p":2}` }, "a.jsonld:1:17: "},
		{"something after the JSON value", "a.jsonld", func() string { return `{"http://e/p":1} x` }, "a.jsonld:1:18: "},
		{"a remote context", "a.jsonld", func() string { return `{"@context":"http://169.254.169.254/c"}` }, "[loading remote context failed]"},
		{"a file as a context", "a.jsonld", func() string { return `{"@context":"/etc/x.json"}` }, "a.jsonld:1:13: "},
		{"short names for long ones", "a.ttl", func() string { return "PREFIX p: <http://e/" + rep("x", 60<<10) + ">\n" + names(50_000) }, "term bytes limit"},
		{"a comment of bytes that are not UTF-8", "a.ttl", func() string { return "# \xff\n" + s + "1 ." }, "[invalid-utf8]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := refusal(t, row.file, row.text())
			require.Equal(t, 3, r.status, r.stderr)
			require.Empty(t, r.out)
			for part := range strings.SplitSeq(row.stderr, "%") {
				require.Contains(t, r.stderr, part)
			}
			require.Regexp(t, `\[[a-zA-Z0-9@ -]+\]\n`, r.stderr)
			if testing.Short() {
				return // what follows holds for a program without a race detector
			}
			require.Less(t, r.cpu, time.Second)
			require.Less(t, r.peakMB, 200)
		})
	}
}

// names writes triples with distinct subjects under the prefix p.
func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "p:a%d p:p 1 .\n", i)
	}
	return b.String()
}

type spent struct {
	status      int
	out, stderr string
	cpu         time.Duration
	peakMB      int
}

// refusal runs the program on a file of its own.
func refusal(t *testing.T, name, text string) spent {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return spend(t, "hash", file)
}

// TestFileNamedOften: a file that an input names as often as fits into it is in memory once.
func TestFileNamedOften(t *testing.T) {
	t.Parallel()
	const n = 20_000
	names := strings.TrimSuffix(strings.Repeat(`"a.ttl",`, n), ",")
	dir := t.TempDir()
	input := filepath.Join(dir, "input.json")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.ttl"), bytes.Repeat([]byte{' '}, 64<<10), 0o600))
	for _, chain := range []string{
		`"primaryChain":{"credentials":[` + names + `],"policies":[]}`,
		`"primaryChain":{"credentials":[],"policies":[` + names + `]}`,
		`"primaryChain":{"credentials":[],"policies":[]},"revocationDocuments":[` + names + `]`,
	} {
		require.NoError(t, os.WriteFile(input, []byte(`{"rootPrincipal":"https://a.example/#me","request":{"action":"read","target":"https://a.example/"},`+chain+`}`), 0o600))
		r := spend(t, "authz", "check", input)
		require.Equal(t, 1, r.status, r.stderr)
		if !testing.Short() {
			require.Less(t, r.cpu, time.Second)
			require.Less(t, r.peakMB, 200)
		}
	}
}

// TestFilesTogether: one file has thousands of paths, and there are thousands of files.
func TestFilesTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	input := filepath.Join(dir, "input.json")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.ttl"), bytes.Repeat([]byte{' '}, 64<<10), 0o600))
	for _, row := range []struct {
		files  int
		status cli.Status
		says   string
	}{
		{1280, cli.StatusNo, "[CHAIN_MALFORMED]"},
		{1281, cli.StatusRefused, "input.json: the files that it names have more than 83886080 bytes together [limit-exceeded]"},
	} {
		names := make([]string, row.files)
		for i := range names {
			names[i] = `"` + strings.NewReplacer("0", "./", "1", ".//").Replace(fmt.Sprintf("%b", i)) + `a.ttl"`
		}
		require.NoError(t, os.WriteFile(input, []byte(`{"rootPrincipal":"https://a.example/#me","request":{"action":"read","target":"https://a.example/"},"primaryChain":{"credentials":[`+strings.Join(names, ",")+`],"policies":[]}}`), 0o600))
		r := call(t, "", "authz", "check", input)
		require.Equal(t, row.status, r.status, r.stderr)
		require.Contains(t, r.out+r.stderr, row.says)
	}
}

// spend runs the program as a process, so that what it spends is its own.
func spend(t *testing.T, args ...string) spent {
	t.Helper()
	var out, stderr bytes.Buffer
	peak := filepath.Join(t.TempDir(), "peak")
	cmd := exec.CommandContext(t.Context(), "rdfproto", args...)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	cmd.Env = append(os.Environ(), peakFile+"="+peak)
	_ = cmd.Run() // judged by its exit status
	require.NotNil(t, cmd.ProcessState)
	kilobytes, err := os.ReadFile(peak)
	require.NoError(t, err)
	n, err := strconv.Atoi(string(kilobytes))
	require.NoError(t, err)
	return spent{
		status: cmd.ProcessState.ExitCode(), out: out.String(), stderr: stderr.String(),
		cpu:    cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		peakMB: n >> 10,
	}
}
