package service_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/deadport"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/owg"
)

// ways runs a test over both bindings, following by polling and by streaming.
func ways(t *testing.T, f func(t *testing.T, rest, streaming bool)) {
	t.Helper()
	for name, way := range map[string][2]bool{
		"JSON-RPC, polling": {false, false}, "JSON-RPC, streaming": {false, true}, "HTTP+JSON, polling": {true, false}, "HTTP+JSON, streaming": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, way[0], way[1])
		})
	}
}

// TestOwgStates: every state of a remote task gives its attempt (section C.4).
func TestOwgStates(t *testing.T) {
	t.Parallel()
	message := func(_ context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		yield(sdk.NewMessageForTask(sdk.MessageRoleAgent, sdk.TaskInfo{ContextID: ec.ContextID}, sdk.NewTextPart("done")), nil)
	}
	fails := func(_ context.Context, _ *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		yield(nil, sdk.ErrUnsupportedOperation)
	}
	for _, row := range []struct {
		name    string
		work    events
		status  cli.Status
		attempt string // status, remote state, code
		assets  string
		said    string // on standard error
	}{
		{"completed", ends(sdk.TaskStateCompleted, "", "dub_ep1"), cli.StatusYes, "succeeded completed ", "dub_ep1", "attempt 1: completed"},
		{"completed, with another artifact", ends(sdk.TaskStateCompleted, "", "dub_ep1", "notes"), cli.StatusYes, "succeeded completed ", "dub_ep1", "OWG_ARTIFACT_UNMAPPED"},
		{"completed, without the asset", ends(sdk.TaskStateCompleted, ""), cli.StatusYes, "succeeded completed ", "", "OWG_PRODUCED_MISSING"},
		{"failed", ends(sdk.TaskStateFailed, "no voice"), cli.StatusNo, "failed failed A2A_TASK_FAILED", "", "no voice"},
		{"canceled", ends(sdk.TaskStateCanceled, ""), cli.StatusNo, "failed canceled A2A_TASK_CANCELED", "", "A2A_TASK_CANCELED"},
		{"rejected", ends(sdk.TaskStateRejected, "too long"), cli.StatusNo, "failed rejected A2A_TASK_REJECTED", "", "too long"},
		{"input-required", ends(sdk.TaskStateInputRequired, "which\x1b[31m voice?"), cli.StatusNothing, "running input-required ", "", "the agent asks: which"},
		{"auth-required", ends(sdk.TaskStateAuthRequired, "log in at https://vendor.example"), cli.StatusNothing, "running auth-required ", "", "the agent asks: log in"},
		{"a message", message, cli.StatusNo, "failed  A2A_NO_TASK", "", "A2A_NO_TASK"},
		{"an error", fails, cli.StatusNo, "failed  A2A_UNSUPPORTED_OPERATION", "", "A2A_UNSUPPORTED_OPERATION"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			ways(t, func(t *testing.T, rest, streaming bool) {
				agent := hire(t, &worker{work: row.work}, rest, streaming)
				record := filepath.Join(t.TempDir(), "run.json")
				r := owgRun(t, "--record", record, "--card", agent.url, season(t), "dub")
				require.Equal(t, row.status, r.status, "%s%s", r.out, r.stderr)
				require.Equal(t, row.attempt, r.attempt.Status+" "+r.attempt.Remote.State+" "+r.code(), r.stderr)
				var assets []string
				for _, p := range r.attempt.Produced {
					assets = append(assets, p.Asset)
					require.Len(t, p.Sha256, 64)
				}
				require.Equal(t, row.assets, strings.Join(assets, " "))
				require.Contains(t, r.stderr, row.said)
				require.NotContains(t, r.stderr, "\x1b")
				require.Equal(t, 1, agent.messages())
				require.Equal(t, "vendor_agent", r.attempt.Performed)
				require.Equal(t, "not verified", r.attempt.Card.Outcome)

				// The record has what was printed.
				kept := recorded(t, record).Attempts
				require.Len(t, kept, 1)
				require.Equal(t, strings.TrimSpace(r.out), string(kept[0].Append(nil)))

				// What was sent is the request of section C.6 and nothing else.
				h, err := owg.ParseHandOff(agent.message(t, 0), "", owg.Limits{})
				require.NoError(t, err)
				require.Equal(t, "dub", h.Task)
				require.Equal(t, []string{"read:masters"}, h.Delegation.Scope)
				require.NotContains(t, string(agent.message(t, 0)), "org_studio")
			})
		})
	}
}

// TestOwgAnswer: what the agent asks for is answered, in the same call or in another,
// in the same task.
func TestOwgAnswer(t *testing.T) {
	t.Parallel()
	ways(t, func(t *testing.T, rest, streaming bool) {
		for _, row := range []struct{ file, text, sent string }{
			{"answer.txt", "the deep one", "the deep one"}, {"answer.json", `{"voice":"deep"}`, `"voice":"deep"`},
		} {
			agent := hire(t, &worker{work: asksFirst(sdk.TaskStateInputRequired, "which voice?", ends(sdk.TaskStateCompleted, "", "dub_ep1"))}, rest, streaming)
			dir := t.TempDir()
			answer := write(t, dir, row.file, row.text, 0o600)
			record := filepath.Join(dir, "run.json")
			file := season(t)
			r := owgRun(t, "--record", record, "--card", agent.url, "--answer", answer, file, "dub")
			require.Equal(t, cli.StatusYes, r.status, r.stderr)
			require.Contains(t, r.stderr, "which voice?")
			require.Equal(t, 2, agent.messages())
			require.Contains(t, string(agent.message(t, 1)), row.sent)
			require.Contains(t, string(agent.message(t, 1)), r.attempt.Remote.Task_id)

			record = filepath.Join(dir, "other.json")
			first := owgRun(t, "--record", record, "--card", agent.url, file, "dub")
			require.Equal(t, cli.StatusNothing, first.status, first.stderr)
			again := owgRun(t, "--record", record, "--card", agent.url, file, "dub") // it still waits
			require.Equal(t, cli.StatusNothing, again.status, again.stderr)
			require.Equal(t, 3, agent.messages(), "it is asked for and not sent again")
			r = owgRun(t, "--record", record, "--card", agent.url, "--answer", answer, file, "dub")
			require.Equal(t, cli.StatusYes, r.status, r.stderr)
			require.Equal(t, first.attempt.Remote.Task_id, r.attempt.Remote.Task_id)
			require.Equal(t, 4, agent.messages())
			require.Len(t, recorded(t, record).Attempts, 1)
		}
	})
}

// TestOwgOneAnswer: of several calls with an answer to one attempt, one goes on and answers.
// The others end at once, and another task of the record is not kept waiting.
func TestOwgOneAnswer(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // calls do not see each other there, as the page on workflows says
	}
	answered, gate := make(chan struct{}), make(chan struct{})
	agent := hire(t, &worker{work: asksFirst(sdk.TaskStateInputRequired, "which voice?", func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
		close(answered) // a second answer would panic
		<-gate
		ends(sdk.TaskStateCompleted, "", "dub_ep1")(ctx, ec, yield)
	})}, false, true)
	dir := t.TempDir()
	record, answer, file := filepath.Join(dir, "run.json"), write(t, dir, "answer.txt", "the deep one", 0o600), season(t)
	args := []string{"--record", record, "--card", agent.url, "--answer", answer, file, "dub"}
	ended := make(chan *ran)
	for range 4 {
		go func() { ended <- owgRun(t, args...) }()
	}
	for range 3 {
		r := <-ended
		require.Equal(t, cli.StatusNothing, r.status, r.stderr)
		require.Contains(t, r.stderr, "[in-progress]")
		require.Empty(t, r.out)
	}
	<-answered
	other := owgRun(t, "--record", record, "--card", filepath.Join(dir, "missing.json"), "--answer", answer, file, "season")
	require.Contains(t, other.stderr, "[unreadable]")
	close(gate)
	r := <-ended
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Equal(t, 2, agent.messages())
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestOwgGoesOn: a call that ends is gone on with by the next one: the same remote task,
// which is sent once.
func TestOwgGoesOn(t *testing.T) {
	t.Parallel()
	ways(t, func(t *testing.T, rest, streaming bool) {
		gate := make(chan struct{})
		agent := hire(t, &worker{work: onceOpen(gate, ends(sdk.TaskStateCompleted, "", "dub_ep1"))}, rest, streaming)
		record, file := filepath.Join(t.TempDir(), "run.json"), season(t)
		r := owgRun(t, "--record", record, "--card", agent.url, "--time-limit", "1s", file, "dub")
		require.Equal(t, cli.StatusNothing, r.status, r.stderr)
		require.Contains(t, r.stderr, "[timeout]")
		require.Equal(t, "running", r.attempt.Status)
		require.NotEmpty(t, r.attempt.Remote.Task_id)
		time.AfterFunc(300*time.Millisecond, func() { close(gate) })
		after := owgRun(t, "--record", record, "--card", agent.url, file, "dub")
		require.Equal(t, cli.StatusYes, after.status, after.stderr)
		require.Equal(t, r.attempt.Remote.Task_id, after.attempt.Remote.Task_id)
		require.Equal(t, 1, after.attempt.Attempt)
		require.Equal(t, "dub_ep1", after.attempt.Produced[0].Asset)
		require.Equal(t, 1, agent.messages())

		// What has succeeded is not done again, unless somebody says so.
		next := owgRun(t, "--record", record, "--card", agent.url, file, "dub")
		require.Equal(t, cli.StatusYes, next.status, next.stderr)
		require.Equal(t, after.attempt, next.attempt)
		require.Contains(t, next.stderr, "not handed over again")
		require.Equal(t, 1, agent.messages())
		next = owgRun(t, "--record", record, "--card", agent.url, "--again", file, "dub")
		require.Equal(t, 2, next.attempt.Attempt)
		require.Equal(t, 2, agent.messages())
	})
}

// TestOwgRecordFirst: the attempt is in the record when the agent gets the task.
func TestOwgRecordFirst(t *testing.T) {
	t.Parallel()
	ways(t, func(t *testing.T, rest, streaming bool) {
		record := filepath.Join(t.TempDir(), "run.json")
		seen := make(chan *owg.Record, 1)
		agent := hire(t, &worker{work: func(ctx context.Context, ec *sdksrv.ExecutorContext, yield func(sdk.Event, error) bool) {
			data, err := os.ReadFile(record)
			r, failed := owg.ParseRecord(data, owg.Limits{})
			if err != nil || failed != nil {
				r = nil
			}
			seen <- r
			ends(sdk.TaskStateCompleted, "", "dub_ep1")(ctx, ec, yield)
		}}, rest, streaming)
		r := owgRun(t, "--record", record, "--card", agent.url, season(t), "dub")
		require.Equal(t, cli.StatusYes, r.status, r.stderr)
		was := <-seen
		require.NotNil(t, was)
		require.Equal(t, owg.StatusRunning, was.Attempts[0].Status)
		require.Empty(t, was.Attempts[0].Remote.TaskID)
		info, err := os.Stat(record)
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		}
		left, err := os.ReadDir(filepath.Dir(record))
		require.NoError(t, err)
		require.Len(t, left, 1, "nothing is left beside it")
	})
}

// TestOwgNotKnown: an attempt of which nobody knows whether it arrived is left alone
// until it is given up.
func TestOwgNotKnown(t *testing.T) {
	t.Parallel()
	agent := hire(t, &worker{work: ends(sdk.TaskStateCompleted, "", "dub_ep1")}, false, false)
	file := season(t)
	record := write(t, t.TempDir(), "run.json", `{"version":1,"workflow":"season-one","attempts":[
		{"task":"dub","attempt":1,"status":"running","performed_by":"vendor_agent","remote":{"skill":"localize-dub"},"produced":[],"error":null,"note":"kept"}]}`, 0o640)
	for range 2 {
		r := owgRun(t, "--record", record, "--card", agent.url, file, "dub")
		require.Equal(t, cli.StatusNothing, r.status, r.stderr)
		require.Contains(t, r.stderr, "[not-known]")
		require.Equal(t, "running", r.attempt.Status)
	}
	require.Zero(t, agent.messages())
	r := owgRun(t, "--record", record, "--abandon", file, "dub")
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Equal(t, "failed A2A_TRANSPORT", r.attempt.Status+" "+r.code(), r.stderr)
	require.Equal(t, cli.StatusNothing, owgRun(t, "--record", record, "--abandon", file, "dub").status, "none runs")
	r = owgRun(t, "--record", record, "--card", agent.url, file, "dub")
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Equal(t, 2, r.attempt.Attempt)
	kept := recorded(t, record).Attempts
	require.Len(t, kept, 2)
	require.Contains(t, string(kept[0].Append(nil)), `"note":"kept"`)
	info, err := os.Stat(record)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

// TestOwgInterrupt: an interrupt asks the agent to cancel, and is recorded.
func TestOwgInterrupt(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		cancel  events
		status  cli.Status
		attempt string
		said    string
	}{
		{"canceled", canceled, cli.StatusNo, "failed canceled A2A_TASK_CANCELED", "A2A_TASK_CANCELED"},
		{"not cancelable", nil, cli.StatusNothing, "running working ", "[interrupted]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			ways(t, func(t *testing.T, rest, streaming bool) {
				gate := make(chan struct{})
				t.Cleanup(func() { close(gate) })
				agent := hire(t, &worker{work: onceOpen(gate, ends(sdk.TaskStateCompleted, "")), cancel: row.cancel}, rest, streaming)
				record, file := filepath.Join(t.TempDir(), "run.json"), season(t)
				ctx, interrupt := context.WithCancel(t.Context())
				go func() {
					for {
						if data, _ := os.ReadFile(record); strings.Contains(string(data), "task_id") {
							interrupt()
							return
						}
						time.Sleep(5 * time.Millisecond)
					}
				}()
				r := owgRunIn(t, ctx, time.Now, "--record", record, "--card", agent.url, file, "dub")
				require.Equal(t, row.status, r.status, r.stderr)
				if row.cancel == nil && r.attempt.Remote.State == "submitted" {
					r.attempt.Remote.State = "working" // it was interrupted before it heard of that
				}
				require.Equal(t, row.attempt, r.attempt.Status+" "+r.attempt.Remote.State+" "+r.code())
				require.Contains(t, r.stderr, row.said)
				require.Equal(t, r.attempt.Remote.Task_id, recorded(t, record).Attempts[0].Remote.TaskID)
			})
		})
	}
}

// TestOwgExpires: when the delegation lapses while the task runs, the task is asked for
// and may be canceled, and nothing else is sent.
func TestOwgExpires(t *testing.T) {
	t.Parallel()
	file := season(t, `"by":"prodco_agent","scope":["read:masters"]`, `"by":"prodco_agent","scope":["read:masters"],"expires_at":"2026-12-01T00:00:00Z"`)
	before := func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) }
	after := func() time.Time { return time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC) }
	agent := hire(t, &worker{work: asksFirst(sdk.TaskStateInputRequired, "which voice?", ends(sdk.TaskStateCompleted, "", "dub_ep1"))}, false, true)
	dir := t.TempDir()
	record, answer := filepath.Join(dir, "run.json"), write(t, dir, "answer.txt", "the deep one", 0o600)
	r := owgRunIn(t, t.Context(), before, "--record", record, "--card", agent.url, file, "dub")
	require.Equal(t, cli.StatusNothing, r.status, r.stderr)
	r = owgRunIn(t, t.Context(), after, "--record", record, "--card", agent.url, "--answer", answer, file, "dub")
	require.Equal(t, cli.StatusNo, r.status, r.stderr)
	require.Contains(t, r.stderr, "[OWG_DELEGATION_EXPIRED]")
	require.Equal(t, "running input-required", r.attempt.Status+" "+r.attempt.Remote.State)
	require.Equal(t, 1, agent.messages(), "nothing is answered any more")

	// Nor is another attempt begun.
	r = owgRunIn(t, t.Context(), after, "--card", agent.url, file, "dub")
	require.Equal(t, cli.StatusNo, r.status)
	require.Empty(t, r.out)
	require.Equal(t, 1, agent.messages())

	// What runs is followed to its end.
	gate := make(chan struct{})
	close(gate)
	agent = hire(t, &worker{work: onceOpen(gate, ends(sdk.TaskStateCompleted, "", "dub_ep1"))}, false, false)
	r = owgRunIn(t, t.Context(), func() time.Time {
		if agent.messages() == 0 {
			return before()
		}
		return after()
	}, "--card", agent.url, file, "dub")
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Contains(t, r.stderr, "OWG_DELEGATION_EXPIRED")
}

// TestOwgRefusals: what may not be handed over is refused before anything is sent, and
// is no attempt.
func TestOwgRefusals(t *testing.T) {
	t.Parallel()
	agent := hire(t, &worker{work: ends(sdk.TaskStateCompleted, "", "dub_ep1")}, false, false)
	dir := t.TempDir()
	file := season(t)
	received := func(name, scope, until string) string {
		return write(t, dir, name, `{"version":1,"workflow":"season-one","received":[{"task":"intake","performed_by":"prodco_agent","task_id":"T1","state":"submitted",
			"caller":"urn:studio:exec","delegation":{"by":"exec","scope":[`+scope+`]`+until+`}}],"attempts":[]}`, 0o600)
	}
	wider := season(t, `"by":"prodco_agent","scope":["read:masters"]`, `"by":"prodco_agent","scope":["read:masters","write:deliverables"]`)
	chain := season(t, `"by":"exec","scope":["read:masters","write:deliverables"]`, `"by":"exec","scope":[]`)
	for _, row := range []struct {
		name   string
		args   []string
		status cli.Status
		code   string
	}{
		{"it widens", []string{wider, "dub"}, cli.StatusNo, "OWG_DELEGATION_WIDENS"},
		{"the hop above is narrower", []string{chain, "dub"}, cli.StatusNo, "OWG_DELEGATION_CHAIN_WIDENS"},
		{"what was received is narrower", []string{"--under", received("narrow.json", ``, ``), file, "dub"}, cli.StatusNo, "OWG_DELEGATION_CHAIN_WIDENS"},
		{"what its own record received is narrower", []string{"--record", received("own.json", `"read:scripts"`, ``), file, "dub"}, cli.StatusNo, "OWG_DELEGATION_CHAIN_WIDENS"},
		{"what was received ends earlier", []string{"--under", received("short.json", `"read:masters"`, `,"expires_at":"2100-01-01T00:00:00Z"`), file, "dub"}, cli.StatusNo, "OWG_DELEGATION_OUTLIVES"},
		{"what was received has lapsed", []string{"--under", received("old.json", `"read:masters"`, `,"expires_at":"2001-01-01T00:00:00Z"`), file, "dub"}, cli.StatusNo, "OWG_DELEGATION_EXPIRED"},
		{"nothing was received", []string{"--under", received("none.json", `"read:masters"`, ``), "--received", "T9", file, "dub"}, cli.StatusRefused, "OWG_RECORD"},
		{"no such task", []string{file, "x"}, cli.StatusNo, "OWG_TASK_UNKNOWN"},
		{"another executor", []string{season(t, `"executor":{"type":"a2a","ref":"localize-dub"}`, `"executor":{"type":"mcp","ref":"x"}`), "dub"}, cli.StatusNo, "OWG_TASK_NOT_A2A"},
		{"no such skill", []string{season(t, `"ref":"localize-dub"`, `"ref":"paint"`), "dub"}, cli.StatusNo, "OWG_A2A_SKILL_UNKNOWN"},
		{"inputs that are none", []string{"--inputs", write(t, dir, "inputs.json", `[]`, 0o600), file, "dub"}, cli.StatusNo, "OWG_INPUTS"},
		{"inputs that are too long", []string{"--inputs", write(t, dir, "long.json", `{"x":"`+strings.Repeat("y", 4<<20)+`"}`, 0o600), file, "dub"}, cli.StatusCall, "failed"},
		{"inputs that no message holds", []string{"--inputs", write(t, dir, "mib.json", `{"x":"`+strings.Repeat("y", 2<<20)+`"}`, 0o600), file, "dub"}, cli.StatusRefused, "limit-exceeded"},
		{"no workflow", []string{write(t, dir, "bad.json", `{"tasks":`, 0o600), "dub"}, cli.StatusRefused, "JSON_SYNTAX"},
		{"a record of another workflow", []string{"--record", write(t, dir, "other.json", `{"version":1,"workflow":"x"}`, 0o600), file, "dub"}, cli.StatusRefused, "OWG_RECORD"},
		{"a record that is none", []string{"--record", write(t, dir, "no.json", `{}`, 0o600), file, "dub"}, cli.StatusRefused, "OWG_RECORD"},
		{"a record that cannot be written", []string{"--record", filepath.Join(dir, "missing", "run.json"), file, "dub"}, cli.StatusCall, "write-failed"},
		{"an intent to an agent without", []string{"--as", "intent", file, "dub"}, cli.StatusNo, "unsupported-protocol"},
		{"no file", []string{filepath.Join(dir, "missing.json"), "dub"}, cli.StatusCall, "unreadable"},
		{"no task", []string{file}, cli.StatusCall, "usage"},
		{"no arguments", nil, cli.StatusCall, "usage"},
		{"an unknown policy", []string{"--card-policy", "x", file, "dub"}, cli.StatusCall, "usage"},
		{"an unknown way", []string{"--as", "x", file, "dub"}, cli.StatusCall, "usage"},
		{"an unknown profile", []string{"--profile", "x", file, "dub"}, cli.StatusCall, "usage"},
		{"a chain in plain A2A", []string{"--as", "plain", "--presentation", "x", file, "dub"}, cli.StatusCall, "usage"},
		{"a key without credentials", []string{"--key", "x", file, "dub"}, cli.StatusCall, "usage"},
		{"a key that is not there", []string{"--key", filepath.Join(dir, "none.jwk"), "--credential", file, file, "dub"}, cli.StatusCall, "unreadable"},
		{"a key that is none", []string{"--key", file, "--credential", file, file, "dub"}, cli.StatusCall, "invalid-key"},
		{"a presentation that is not there", []string{"--presentation", filepath.Join(dir, "missing.json"), file, "dub"}, cli.StatusCall, "unreadable"},
		{"a holder without a key", []string{"--holder", "urn:x", file, "dub"}, cli.StatusCall, "usage"},
		{"an answer without a record", []string{"--answer", "x", file, "dub"}, cli.StatusCall, "usage"},
		{"to abandon and to answer", []string{"--record", "x", "--abandon", "--answer", "x", file, "dub"}, cli.StatusCall, "usage"},
		{"to abandon and to begin again", []string{"--record", "x", "--abandon", "--again", file, "dub"}, cli.StatusCall, "usage"},
		{"again, and no record", []string{"--again", file, "dub"}, cli.StatusCall, "usage"},
		{"received without a record", []string{"--received", "x", file, "dub"}, cli.StatusCall, "usage"},
		{"no time", []string{"--time-limit", "0s", file, "dub"}, cli.StatusCall, "usage"},
		{"an answer that is no text", []string{"--record", filepath.Join(dir, "r.json"), "--answer", write(t, dir, "x.txt", "\xff", 0o600), file, "dub"}, cli.StatusRefused, "malformed"},
		{"an answer that is no JSON", []string{"--record", filepath.Join(dir, "r.json"), "--answer", write(t, dir, "x.json", "{", 0o600), file, "dub"}, cli.StatusCall, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := owgRun(t, append([]string{"--card", agent.url}, row.args...)...)
			if row.code != "" {
				require.Equal(t, row.status, r.status, r.stderr)
				require.Contains(t, r.stderr, "["+row.code+"]")
			}
			require.NotEqual(t, cli.StatusYes, r.status)
			require.Empty(t, r.out)
		})
	}
	t.Cleanup(func() { require.Zero(t, agent.messages()) })
}

// TestOwgWhichCard: an argument names the card of a domain by its name and nothing else, and
// a workflow by an https URL and nothing else, also where an attempt goes on.
func TestOwgWhichCard(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := func(file string) string {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(data)
	}
	card := write(t, dir, "card.json", `{"name":"mallory"}`, 0o600)
	const published = "https://agents.vendor.example/.well-known/agent-card.json"
	require.Contains(t, text(season(t)), published)
	local := season(t, published, card)
	record := write(t, dir, "run.json", `{"version":1,"workflow":"season-one","attempts":[{"task":"dub","attempt":1,"status":"running","performed_by":"vendor_agent","remote":{"task_id":"9f"}}]}`, 0o600)
	for _, row := range []struct {
		name   string
		args   []string
		status cli.Status
		says   string
	}{
		{"a path", []string{"--card", "domain:vendor.example/x?", season(t), "dub"}, cli.StatusCall, "expected the name of a domain"},
		{"a user", []string{"--card", "domain:vendor.example@mallory.example", season(t), "dub"}, cli.StatusCall, "expected the name of a domain"},
		{"an escape", []string{"--card", "domain:vendor.example%2fx", season(t), "dub"}, cli.StatusCall, "expected the name of a domain"},
		{"no name", []string{"--card", "domain:", season(t), "dub"}, cli.StatusCall, "expected the name of a domain"},
		{"a file in the workflow", []string{local, "dub"}, cli.StatusNo, "[OWG_AGENT_CARD_URL]"},
		{"a file in the workflow of an attempt that goes on", []string{"--record", record, local, "dub"}, cli.StatusNo, "[OWG_AGENT_CARD_URL]"},
		{"no card in the workflow", []string{season(t, `,"agent_card":"`+published+`"`, ""), "dub"}, cli.StatusNo, "[OWG_A2A_NO_CARD]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := owgRun(t, row.args...)
			require.Equal(t, row.status, r.status, r.stderr)
			require.Contains(t, r.stderr, row.says)
		})
	}
}

// TestOwgUnreachable: an agent that cannot be reached fails the attempt.
func TestOwgUnreachable(t *testing.T) {
	t.Parallel()
	nobody := deadport.Address(t)
	gone := func(card []byte) []byte {
		var c map[string]any
		if json.Unmarshal(card, &c) != nil {
			return nil
		}
		c["supportedInterfaces"].([]any)[0].(map[string]any)["url"] = "http://" + nobody + "/rpc"
		out, _ := json.Marshal(c)
		return out
	}
	agent := hire(t, &worker{}, false, false, gone)
	record := filepath.Join(t.TempDir(), "run.json")
	r := owgRun(t, "--record", record, "--card", agent.url, season(t), "dub")
	require.Equal(t, cli.StatusCall, r.status, r.stderr)
	require.Equal(t, "failed A2A_TRANSPORT", r.attempt.Status+" "+r.code())
	require.Equal(t, owg.StatusFailed, recorded(t, record).Attempts[0].Status)
	r = owgRun(t, "--card", strings.Replace(agent.url, "agent-card", "x", 1), season(t), "dub")
	require.Equal(t, cli.StatusCall, r.status)
	require.Empty(t, r.out)
	require.Contains(t, r.stderr, "[unreachable]")
}

// TestOwgToken: the token goes where the card is from, and nowhere else on the word of a
// card that nobody signed.
func TestOwgToken(t *testing.T) {
	t.Parallel()
	var authorization []string
	spy := func(w http.ResponseWriter, r *http.Request) {
		authorization = append(authorization, r.Header.Get("Authorization"))
		http.Error(w, "no", http.StatusForbidden)
	}
	agent := hire(t, &worker{}, false, false, func(card []byte) []byte { return []byte(strings.Replace(string(card), "/rpc", "/spy", 1)) })
	agent.mux.HandleFunc("/spy", spy)
	token := write(t, t.TempDir(), "token", secret+"\n", 0o600)
	r := owgRun(t, "--token-file", token, "--card", agent.url, season(t), "dub")
	require.Equal(t, "failed A2A_TRANSPORT", r.attempt.Status+" "+r.code(), r.stderr)
	require.Equal(t, []string{"Bearer " + secret}, authorization)
	other := hire(t, &worker{}, false, false, func([]byte) []byte { return agent.card })
	r = owgRun(t, "--token-file", token, "--card", other.url, season(t), "dub")
	require.Equal(t, "failed A2A_TRANSPORT", r.attempt.Status+" "+r.code(), r.stderr)
	require.Len(t, authorization, 1)
	require.NotContains(t, r.stderr, secret)
}

// TestNamedCard: the card that a call names says where the token goes and what can be
// reached, not where redirects led from there.
func TestNamedCard(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		card, address string
		goes          bool
	}{
		{"https://a.example/.well-known/agent-card.json", "https://a.example/rpc", true},
		{"https://A.example:443/card", "https://a.example/rpc", true},
		{"https://a.example/card", "https://b.example/rpc", false},
		{"https://a.example/card", "https://a.example:8443/rpc", false},
		{"https://a.example/card", "http://a.example/rpc", false},
		{"https://a.example/card", "https://a.example@b.example/rpc", false},
		{"http://127.0.0.1:1/card", "http://127.0.0.1:2/rpc", false},
		{"card.json", "https://a.example/rpc", true},
	} {
		require.Equal(t, row.goes, service.TokenGoes(row.card, row.address), "%s to %s", row.card, row.address)
	}
	web, err := fetch.New(fetch.Options{})
	require.NoError(t, err)
	_, err = service.ReachedFrom("https://a.example/card", web)(t.Context(), "tcp", "127.0.0.1:443")
	require.ErrorContains(t, err, "expected a public address")
	require.Nil(t, service.ReachedFrom("card.json", web), "a file is the caller's own")
	require.Nil(t, service.ReachedFrom("http://127.0.0.1/card", web))
}

// TestOwgJSON is the verdict.
func TestOwgJSON(t *testing.T) {
	t.Parallel()
	agent := hire(t, &worker{work: ends(sdk.TaskStateInputRequired, "which voice?")}, false, true)
	r := run(t, "owg", "run", "--insecure-plaintext", "--json", "--card", agent.url, season(t), "dub")
	require.Equal(t, cli.StatusNothing, r.status, r.stderr)
	var got struct {
		Version       int
		Verdict, Code string
		Attempt       struct{ Status string }
		Findings      []struct{ Code string }
		Asked         []string
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &got), r.out)
	require.Equal(t, "nothing input-required running", got.Verdict+" "+got.Code+" "+got.Attempt.Status)
	require.Equal(t, []string{"which voice?"}, got.Asked)
	require.Equal(t, "OWG_A2A_CARD_UNVERIFIED", got.Findings[0].Code)
	for _, args := range [][]string{{"owg", "--help"}, {"owg", "run", "--help"}} {
		help := run(t, args...)
		require.Equal(t, cli.StatusYes, help.status)
		for line := range strings.Lines(help.out) {
			require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), 82, line)
		}
	}
	require.Equal(t, cli.StatusCall, run(t, "owg", "x").status)
}

// TestOwgTogether: of several calls at a time one hands the task over, also when the
// agent is done before the others come to it.
func TestOwgTogether(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		opens time.Duration
	}{
		{"it takes its time", time.Second},
		{"it is done at once", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			gate := make(chan struct{})
			agent := hire(t, &worker{work: onceOpen(gate, ends(sdk.TaskStateCompleted, "", "dub_ep1"))}, false, false)
			record, file := filepath.Join(t.TempDir(), "run.json"), season(t)
			done := make(chan *ran, 8)
			for range cap(done) {
				go func() { done <- owgRun(t, "--record", record, "--card", agent.url, file, "dub") }()
			}
			time.AfterFunc(row.opens, func() { close(gate) })
			for range cap(done) {
				r := <-done
				require.Contains(t, []cli.Status{cli.StatusYes, cli.StatusNothing}, r.status, r.stderr)
			}
			require.Equal(t, 1, agent.messages())
			require.Len(t, recorded(t, record).Attempts, 1)
			require.Equal(t, owg.StatusSucceeded, recorded(t, record).Attempts[0].Status)
		})
	}
}

// TestOwgProcess: the program is killed, and called again; it is interrupted, and has
// the task canceled.
func TestOwgProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // it has no such signals
	}
	gate := make(chan struct{})
	agent := hire(t, &worker{work: onceOpen(gate, ends(sdk.TaskStateCompleted, "", "dub_ep1")), cancel: canceled}, false, true)
	file := season(t)
	begin := func(record string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "rdfprotod", "owg", "run", "--insecure-plaintext", "--record", record, "--card", agent.url, file, "dub")
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			data, _ := os.ReadFile(record)
			return strings.Contains(string(data), "task_id")
		}, 20*time.Second, 5*time.Millisecond)
		return cmd
	}
	record := filepath.Join(t.TempDir(), "run.json")
	cmd := begin(record)
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, int(cli.StatusNo), exit.ExitCode())
	require.Equal(t, owg.CodeTaskCanceled, recorded(t, record).Attempts[0].Failure.Code)

	record = filepath.Join(t.TempDir(), "run.json")
	cmd = begin(record)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	close(gate)
	before := agent.messages()
	r := owgRun(t, "--record", record, "--card", agent.url, file, "dub")
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Equal(t, before, agent.messages())
	require.Equal(t, 1, r.attempt.Attempt)
}

// TestOwgLeaks: nothing runs on when a call has ended, however it did.
func TestOwgLeaks(t *testing.T) { // not parallel: it counts what runs
	before := goleak.IgnoreCurrent()
	t.Run("calls", func(t *testing.T) {
		for _, streaming := range []bool{false, true} {
			gate := make(chan struct{})
			agent := hire(t, &worker{work: onceOpen(gate, ends(sdk.TaskStateCompleted, ""))}, false, streaming)
			r := owgRun(t, "--card", agent.url, "--time-limit", "400ms", season(t), "dub")
			require.Equal(t, cli.StatusNothing, r.status, r.stderr)
			ctx, interrupt := context.WithTimeout(t.Context(), 300*time.Millisecond)
			owgRunIn(t, ctx, time.Now, "--card", agent.url, season(t), "dub")
			interrupt()
			close(gate)
			require.Equal(t, cli.StatusYes, owgRun(t, "--card", agent.url, season(t), "dub").status)
		}
	})
	goleak.VerifyNone(t, before)
}
