package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// lapsing is the season with a delegation that lasts an hour.
func lapsing(t *testing.T) string {
	t.Helper()
	const delegation = `"by":"prodco_agent","scope":["read:masters"]`
	return season(t, delegation, delegation+`,"expires_at":"`+time.Now().Add(time.Hour).UTC().Format(time.RFC3339)+`"`)
}

// TestOwgIntentAsks: a task that an intent led to and that waits for input is not answered,
// and is asked about also when the intent may not be sent again.
func TestOwgIntentAsks(t *testing.T) {
	t.Parallel()
	lapses := lapsing(t)
	for _, row := range []struct {
		name, file  string
		later       time.Duration
		state       string // of the task then
		sent        int64  // messages then
		status      cli.Status
		code, found string
	}{
		{"still", season(t), time.Minute, "TASK_STATE_INPUT_REQUIRED", 1, cli.StatusNothing, "input-required", "in another way"},
		{"it failed, and the intent is forgotten", season(t), 25 * time.Hour, "TASK_STATE_FAILED", 1, cli.StatusNo, "A2A_TASK_FAILED", ""},
		{"it failed, and the delegation has lapsed", lapses, 2 * time.Hour, "TASK_STATE_FAILED", 1, cli.StatusNo, "A2A_TASK_FAILED", ""},
		{"it is over, and the intent is forgotten", season(t), 25 * time.Hour, "TASK_STATE_COMPLETED", 1, cli.StatusNo, "A2A_INVALID_RESPONSE", ""},
		{"it works, and the delegation has lapsed", lapses, 2 * time.Hour, "TASK_STATE_WORKING", 1, cli.StatusNothing, "timeout", "OWG_DELEGATION_EXPIRED"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var (
				sent, later atomic.Int64
				state       atomic.Value
			)
			state.Store("TASK_STATE_INPUT_REQUIRED")
			now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
			agent := speak(t, speakerOptions{declares: true, clock: now, wrap: func(http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					var call struct {
						ID     json.RawMessage
						Method string
					}
					if json.NewDecoder(r.Body).Decode(&call) != nil {
						return
					}
					result := fmt.Sprintf(`"id":"T1","status":{"state":%q}`, state.Load())
					if call.Method != "GetTask" {
						sent.Add(1)
						result = `"task":{` + result + `}`
					}
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{%s}}`, call.ID, result)
				})
			}})
			args := []string{"--record", filepath.Join(t.TempDir(), "run.json"), "--card", agent.url, row.file, "dub"}
			r := owgRunIn(t, t.Context(), now, args...)
			require.Equal(t, cli.StatusNothing, r.status, r.stderr)
			require.Equal(t, "T1 input-required", r.attempt.Remote.Task_id+" "+r.attempt.Remote.State)
			later.Store(int64(row.later))
			state.Store(row.state)
			r = owgRunIn(t, t.Context(), now, append([]string{"--time-limit", "2s", "--answer", write(t, t.TempDir(), "answer.txt", "yes", 0o600)}, args...)...)
			require.Equal(t, row.status, r.status, r.stderr)
			require.Contains(t, r.stderr, "["+row.code+"]")
			require.Contains(t, r.stderr, row.found)
			require.Equal(t, row.sent, sent.Load())
		})
	}
}

// TestOwgIntentLong: a task that takes longer than agents remember an intent, or than the
// delegation lasts, is waited for, and its answer is judged.
func TestOwgIntentLong(t *testing.T) {
	t.Parallel()
	lapses := lapsing(t)
	for _, row := range []struct {
		name, file string
		later      time.Duration
	}{{"forgotten", season(t), 25 * time.Hour}, {"lapsed", lapses, 2 * time.Hour}, {"neither", season(t), 0}} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var later atomic.Int64
			now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
			gate := make(chan struct{})
			agent := speak(t, speakerOptions{declares: true, tasks: true, clock: now, before: func(context.Context) { <-gate }, wrap: atOnce})
			record := filepath.Join(t.TempDir(), "run.json")
			args := []string{"--record", record, "--card", agent.url, row.file, "dub"}
			r := owgRunIn(t, t.Context(), now, append([]string{"--time-limit", "1s"}, args...)...)
			require.Equal(t, cli.StatusNothing, r.status, r.stderr)
			require.NotEmpty(t, r.attempt.Remote.Task_id, r.stderr)
			later.Store(int64(row.later))
			close(gate)
			r = owgRunIn(t, t.Context(), now, append([]string{"--time-limit", "10s"}, args...)...)
			require.Equal(t, cli.StatusYes, r.status, r.stderr)
			require.Equal(t, "succeeded completed", r.attempt.Status+" "+r.attempt.Remote.State)
			require.Equal(t, "dub_ep1", r.attempt.Produced[0].Asset)
			require.EqualValues(t, 1, agent.done.Load())
		})
	}
}

// atOnce has an agent answer a message before its task is over.
func atOnce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		body = bytes.Replace(body, []byte(`"params":{`), []byte(`"params":{"configuration":{"returnImmediately":true},`), 1)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		next.ServeHTTP(w, r)
	})
}
