package examples_test

import (
	"bufio"
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the programs print to the golden files")

// TestEmbedded runs the example and compares what it prints.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	bin := build(t, "embedded")
	out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "embedded")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	golden(t, "embedded", out)
}

// TestGrantAgent runs the agent, then the client with and without a handshake, and
// compares what all of them print. After a restart the agent has the same keys and the
// store that it had.
func TestGrantAgent(t *testing.T) {
	t.Parallel()
	bin, folder := build(t, "grant-agent", "client"), filepath.Join(t.TempDir(), "demo")
	client := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "client"), append(args, "-demo", folder)...)
		return cmd.CombinedOutput()
	}
	out, err := client()
	require.Error(t, err)
	require.Equal(t, "error: no agent was started: run go run ./examples/grant-agent first\n", string(out))

	stop := start(t, filepath.Join(bin, "grant-agent"), "-demo", folder)
	out, err = client()
	require.NoError(t, err, "%s", out)
	golden(t, "client", out)
	golden(t, "grant-agent", stop())

	stop = start(t, filepath.Join(bin, "grant-agent"), "-demo", folder)
	out, err = client("-skip")
	require.NoError(t, err, "%s", out)
	golden(t, "client-skip", out)
	stop()

	info, err := os.Stat(filepath.Join(folder, "agent.json"))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "others may read secrets")
	require.NoError(t, os.Remove(filepath.Join(folder, "messages.db")))
	out, err = exec.CommandContext(t.Context(), filepath.Join(bin, "grant-agent"), "-demo", folder).CombinedOutput()
	require.Error(t, err, "an agent that forgot what it did must not start")
	require.Contains(t, string(out), "error: the store of messages: ")
}

// TestDocument compares the document of the agent with the one of the README.
func TestDocument(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	have, err := os.ReadFile(filepath.Join("grant-agent", "grant-access.ttl"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(have))
}

// build builds programs of this folder.
func build(t *testing.T, names ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	args := []string{"build", "-o", dir + string(filepath.Separator)}
	for _, name := range names {
		args = append(args, "./"+name)
	}
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// start starts a program and waits for its first line. stop ends it as a person does
// and returns all that it printed.
func start(t *testing.T, program string, args ...string) (stop func() []byte) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	var stderr, all bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(io.TeeReader(pipe, &all))
	_, err = lines.ReadString('\n')
	require.NoError(t, err, "%s", &stderr)
	read := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, lines)
		read <- err
	}()
	return func() []byte {
		t.Helper()
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.NoError(t, <-read)
		require.NoError(t, cmd.Wait(), "%s", &stderr)
		require.Empty(t, stderr.String())
		return all.Bytes()
	}
}

// masks hide what differs from run to run.
var masks = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "127.0.0.1:PORT"},
	{regexp.MustCompile(`did:key:z[1-9A-HJ-NP-Za-km-z]+`), "did:key:KEY"},
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "ID"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`), "DATE"},
}

// golden compares what a program printed with a file.
func golden(t *testing.T, name string, printed []byte) {
	t.Helper()
	text := string(printed)
	for _, m := range masks {
		text = m.what.ReplaceAllString(text, m.with)
	}
	file := filepath.Join("testdata", name+".golden")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
	require.False(t, strings.Contains(text, " \n"), "space at the end of a line")
}
