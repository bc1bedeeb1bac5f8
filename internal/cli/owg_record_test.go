//go:build unix

package cli_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/owg"
)

// While map-state waits for an answer, another attempt begins: both are in the record, and
// while somebody else has the record it is not written.
func TestMapStateBesideOthers(t *testing.T) {
	t.Parallel()
	files := owgFiles(t)
	working := files["task-working.json"]
	w, err := owg.Parse([]byte(files["season.json"]), owg.Limits{})
	require.NoError(t, err)
	dir := t.TempDir()
	workflow := filepath.Join(dir, "season.json")
	require.NoError(t, os.WriteFile(workflow, []byte(files["season.json"]), 0o600))
	target, link := filepath.Join(dir, "there", "run.json"), filepath.Join(dir, "run.json")
	require.NoError(t, os.Mkdir(filepath.Dir(target), 0o700))
	require.NoError(t, os.Symlink(target, link))
	begin := func(task string) {
		a, err := w.Attempt(task, 1, time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC))
		require.NoError(t, err)
		old, err := os.ReadFile(target)
		if err != nil {
			old = nil
		}
		text, err := owg.AppendAttempt(old, w, a, owg.Limits{})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(target, text, 0o600))
	}
	begin("season")

	in, answer := io.Pipe()
	done := make(chan cli.Status)
	var out, stderr bytes.Buffer
	go func() {
		done <- cli.Run(t.Context(), []string{"owg", "map-state", "--record", link, workflow, "season", "-"}, cli.Streams{In: in, Out: &out, Err: &stderr})
	}()
	_, err = io.WriteString(answer, working[:1]) // it reads
	require.NoError(t, err)
	begin("dub")
	folder, err := cli.LockFolder(filepath.Dir(target))
	require.NoError(t, err)
	_, err = io.WriteString(answer, working[1:])
	require.NoError(t, err)
	require.NoError(t, answer.Close())
	select {
	case <-done:
		t.Error("it did not wait for the record")
	case <-time.After(100 * time.Millisecond):
		require.NoError(t, folder.Close())
		require.Equal(t, cli.StatusYes, <-done, stderr.String())
	}
	kept, err := os.ReadFile(target)
	require.NoError(t, err)
	r, err := owg.ParseRecord(kept, owg.Limits{})
	require.NoError(t, err)
	require.Len(t, r.Attempts, 2)
	require.Equal(t, "9f2c", r.Attempts[0].Remote.TaskID)
	require.Equal(t, "dub", r.Attempts[1].Task)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, info.Mode().Type())
}
