package service_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/owg"
)

// TestOwgLost: where the answer to the message is lost the agent may have the task. It
// is not sent again until the attempt is given up.
func TestOwgLost(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]http.HandlerFunc{
		"the connection ends": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"a gateway answers": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Bad Gateway", http.StatusBadGateway)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ways(t, func(t *testing.T, rest, streaming bool) {
				agent := hire(t, &worker{}, rest, streaming, func(card []byte) []byte {
					return []byte(strings.NewReplacer("/rpc", "/lost", "/rest", "/lost").Replace(string(card)))
				})
				got := make(chan struct{}, 9)
				lost := func(w http.ResponseWriter, r *http.Request) { got <- struct{}{}; lose(w, r) }
				agent.mux.HandleFunc("/lost", lost)
				agent.mux.HandleFunc("/lost/", lost)
				record, file := filepath.Join(t.TempDir(), "run.json"), season(t)
				for range 2 {
					r := owgRun(t, "--record", record, "--card", agent.url, file, "dub")
					require.Equal(t, cli.StatusNothing, r.status, r.stderr)
					require.Contains(t, r.stderr, "[not-known]")
					require.Equal(t, owg.StatusRunning, recorded(t, record).Attempts[0].Status)
				}
				require.Len(t, got, 1)
				require.Equal(t, cli.StatusYes, owgRun(t, "--record", record, "--abandon", file, "dub").status)
				require.Equal(t, 2, owgRun(t, "--record", record, "--card", agent.url, file, "dub").attempt.Attempt)
				require.Len(t, got, 2)
			})
		})
	}
}

// TestOwgRecordFile: the record is a regular file, of this workflow and of this agent.
func TestOwgRecordFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // it has no such links and devices
	}
	agent := hire(t, &worker{work: ends(sdk.TaskStateCompleted, "", "dub_ep1")}, false, false)
	file, dir := season(t), t.TempDir()
	begun := func(name, workflow, by string) string {
		return write(t, dir, name, `{"version":1,"workflow":"`+workflow+`","attempts":[{"task":"dub","attempt":1,"status":"running","performed_by":"`+by+`",
			"remote":{"task_id":"T1","skill":"localize-dub"},"produced":[],"error":null}]}`, 0o600)
	}
	require.NoError(t, os.Symlink(filepath.Join(dir, "nowhere", "run.json"), filepath.Join(dir, "dangling.json")))
	for _, row := range []struct {
		name, record string
		status       cli.Status
		code         string
	}{
		{"a device", os.DevNull, cli.StatusCall, "unreadable"},
		{"a folder", dir, cli.StatusCall, "unreadable"},
		{"a link to nowhere", filepath.Join(dir, "dangling.json"), cli.StatusCall, "unreadable"},
		{"an attempt of another workflow", begun("workflow.json", "x", "vendor_agent"), cli.StatusRefused, "OWG_RECORD"},
		{"an attempt of another agent", begun("agent.json", "season-one", "exec"), cli.StatusRefused, "OWG_RECORD"},
	} {
		r := owgRun(t, "--record", row.record, "--card", agent.url, file, "dub")
		require.Equal(t, row.status, r.status, "%s: %s", row.name, r.stderr)
		require.Contains(t, r.stderr, "["+row.code+"]", row.name)
	}
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.False(t, info.Mode().IsRegular())
	require.Zero(t, agent.messages())

	// What a link leads to is the record, also for those who name it itself.
	record, link := filepath.Join(dir, "run.json"), filepath.Join(t.TempDir(), "link.json")
	write(t, dir, "run.json", "", 0o600)
	write(t, dir, ".run.json.next", "left by one that was killed", 0o600)
	require.NoError(t, os.Symlink(record, link))
	require.Equal(t, cli.StatusYes, owgRun(t, "--record", link, "--card", agent.url, file, "dub").status)
	require.Equal(t, 2, owgRun(t, "--record", record, "--card", agent.url, "--again", file, "dub").attempt.Attempt)
	require.Len(t, recorded(t, record).Attempts, 2)
	info, err = os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink)
	require.NoFileExists(t, filepath.Join(dir, ".run.json.next"))
}

// TestOwgFlood: what an agent makes the command say is bounded, and nothing in it is what a
// terminal would obey.
func TestOwgFlood(t *testing.T) {
	t.Parallel()
	agent := hire(t, &worker{work: func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		if !yield(sdk.NewSubmittedTask(ec, ec.Message), nil) {
			return
		}
		for i := range 300 {
			state := sdk.TaskStateWorking
			if i%2 == 0 {
				state = sdk.TaskStateSubmitted
			}
			if !yield(sdk.NewStatusUpdateEvent(ec, state, nil), nil) {
				return
			}
		}
		for i := range 300 {
			e := sdk.NewArtifactEvent(ec, sdk.NewTextPart("x"))
			e.Artifact.ID = sdk.ArtifactID(fmt.Sprintf("other\x1b[31m\u009b\u202e%d", i))
			if !yield(e, nil) {
				return
			}
		}
		yield(sdk.NewStatusUpdateEvent(ec, sdk.TaskStateCompleted, nil), nil)
	}}, false, true)
	r := owgRun(t, "--card", agent.url, season(t), "dub")
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Contains(t, r.stderr, "no more changes of its state are shown")
	require.Contains(t, r.stderr, "no more of what is found is shown")
	require.Contains(t, r.stderr, "OWG_ARTIFACT_UNMAPPED")
	require.Less(t, strings.Count(r.stderr, "\n"), 250)

	failing := hire(t, &worker{work: ends(sdk.TaskStateFailed, "no\x1b[31m\u009b31m\u202eway")}, false, true)
	said := []string{r.out, r.stderr}
	for _, more := range [][]string{nil, {"--json"}} {
		r := run(t, append([]string{"owg", "run", "--insecure-plaintext", "--card", failing.url, season(t), "dub"}, more...)...)
		require.Equal(t, cli.StatusNo, r.status, r.stderr)
		said = append(said, r.out, r.stderr)
	}
	for _, text := range said {
		for _, c := range []string{"\x1b", "\u009b", "\u202e"} {
			require.NotContains(t, text, c)
		}
	}
}

// TestOwgKilled: a process is killed at any moment, also when it has kept the end, and the
// task was sent at most once; what it kept can be read, and is gone on with.
func TestOwgKilled(t *testing.T) {
	t.Parallel()
	file, dir := season(t), t.TempDir()
	for i := range 12 {
		agent := hire(t, &worker{work: ends(sdk.TaskStateCompleted, "", "dub_ep1")}, false, true)
		record := filepath.Join(dir, fmt.Sprintf("%d.json", i))
		cmd := exec.CommandContext(t.Context(), "rdfprotod", "owg", "run", "--insecure-plaintext", "--record", record, "--card", agent.url, file, "dub")
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(i) * 8 * time.Millisecond)
		_ = cmd.Process.Kill() // or it has ended
		_ = cmd.Wait()
		if _, err := os.Stat(record); err != nil {
			require.Zero(t, agent.messages(), "nothing is sent before the record has it")
			continue
		}
		r := owgRun(t, "--record", record, "--card", agent.url, file, "dub")
		require.Contains(t, []cli.Status{cli.StatusYes, cli.StatusNothing}, r.status, r.stderr)
		require.LessOrEqual(t, agent.messages(), 1)
		require.Len(t, recorded(t, record).Attempts, 1)
	}
}

// TestOwgPresentationStays: a presentation whose answer was lost goes to the agent that it
// was made for and to no other, and is not printed.
func TestOwgPresentationStays(t *testing.T) {
	t.Parallel()
	key, credential := chainFiles(t, prodcoIRI)
	var lose atomic.Bool
	lose.Store(true)
	agent := speak(t, speakerOptions{declares: true, domain: "own", authorizer: byChain(t), wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				panic(http.ErrAbortHandler)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if lose.Load() && strings.Contains(string(body), "application/vp") {
				next.ServeHTTP(httptest.NewRecorder(), r)
				panic(http.ErrAbortHandler) // the connection breaks
			}
			next.ServeHTTP(w, r)
		})
	}})
	other := speak(t, speakerOptions{declares: true, domain: "own"})
	record, file := filepath.Join(t.TempDir(), "run.json"), season(t)
	r := owgRun(t, "--record", record, "--card", agent.url, "--key", key, "--credential", credential, "--holder", prodcoIRI, file, "dub")
	require.Equal(t, cli.StatusCall, r.status, r.stderr)
	require.Contains(t, string(recorded(t, record).Attempts[0].Sent), "proofValue")
	require.NotContains(t, r.out+r.stderr, "proofValue")

	r = owgRun(t, "--record", record, "--card", other.url, file, "dub")
	require.Equal(t, cli.StatusNo, r.status, r.stderr)
	require.Contains(t, r.stderr, "which is not its own")
	require.Zero(t, other.done.Load())
	require.NotContains(t, r.out+r.stderr, "proofValue")

	lose.Store(false)
	r = owgRun(t, "--record", record, "--card", agent.url, file, "dub")
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.EqualValues(t, 1, agent.done.Load())
	require.Empty(t, recorded(t, record).Attempts[0].Sent)
}
