package owg_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

// follow begins an attempt at the task in the example of the specification.
func follow(t testing.TB, changes ...change) *owg.Follow {
	t.Helper()
	w := parse(t, edit(t, file(t, "localize.json"), changes...))
	a, err := w.Attempt("localize_audio", 1, time.Time{})
	require.NoError(t, err)
	task, _ := w.Task("localize_audio")
	return owg.NewFollow(a, task.Produced, owg.Limits{})
}

func update(t testing.TB, f *owg.Follow, text string) []string {
	t.Helper()
	found, err := f.Update([]byte(text), noon())
	require.NoError(t, err)
	return said(found)
}

const artifacts = `"artifacts":[{"artifactId":"a1","name":"dub_tracks","parts":[{"text":"x"}]}]`

// TestStates is the table of section C.4, in both spellings and in every form that a state
// can have.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		enum, name string
		status     owg.Status
		remote     string
		code       owg.Code
	}{
		{"TASK_STATE_SUBMITTED", "submitted", owg.StatusRunning, "submitted", ""},
		{"TASK_STATE_WORKING", "working", owg.StatusRunning, "working", ""},
		{"TASK_STATE_INPUT_REQUIRED", "input-required", owg.StatusRunning, "input-required", ""},
		{"TASK_STATE_AUTH_REQUIRED", "auth-required", owg.StatusRunning, "auth-required", ""},
		{"TASK_STATE_COMPLETED", "completed", owg.StatusSucceeded, "completed", ""},
		{"TASK_STATE_FAILED", "failed", owg.StatusFailed, "failed", owg.CodeTaskFailed},
		{"TASK_STATE_CANCELED", "canceled", owg.StatusFailed, "canceled", owg.CodeTaskCanceled},
		{"TASK_STATE_CANCELLED", "canceled", owg.StatusFailed, "canceled", owg.CodeTaskCanceled},
		{"TASK_STATE_REJECTED", "rejected", owg.StatusFailed, "rejected", owg.CodeTaskRejected},
	} {
		for _, state := range []string{row.enum, row.name} {
			task := `{"id":"9f","contextId":"c1","status":{"state":"` + state + `"},` + artifacts + `}`
			event := `{"taskId":"9f","contextId":"c1","status":{"state":"` + state + `"}}`
			for form, text := range map[string]string{
				"task":         task,
				"send":         `{"jsonrpc":"2.0","id":"1","result":{"task":` + task + `}}`,
				"get":          `{"jsonrpc":"2.0","id":"1","error":null,"result":` + task + `}`,
				"http":         `{"task":` + task + `,"message":null}`,
				"stream":       `{"statusUpdate":` + event + `}`,
				"bare event":   event,
				"old task":     strings.Replace(task, `{`, `{"kind":"task",`, 1),
				"old event":    strings.Replace(event, `{`, `{"kind":"status-update","final":true,`, 1),
				"rpc of event": `{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":` + event + `}}`,
			} {
				f := follow(t)
				found := update(t, f, text)
				a := f.Attempt()
				require.Equal(t, row.status, a.Status, "%s %s", state, form)
				require.Equal(t, owg.Remote{TaskID: "9f", ContextID: "c1", State: row.remote, Skill: "localize-dub"}, a.Remote)
				if row.code == "" {
					require.Nil(t, a.Failure)
				} else {
					require.Equal(t, row.code, a.Failure.Code)
					require.NotEmpty(t, a.Failure.Message)
				}
				if row.status == owg.StatusSucceeded && strings.Contains(text, "artifacts") {
					require.Len(t, a.Produced, 1)
					require.Equal(t, "dub_tracks", a.Produced[0].Asset)
				} else {
					require.Empty(t, a.Produced)
				}
				if row.status == owg.StatusSucceeded && !strings.Contains(text, "artifacts") {
					require.Equal(t, []string{"warning OWG_PRODUCED_MISSING"}, found)
				} else {
					require.Empty(t, found)
				}
				require.Equal(t, row.status != owg.StatusRunning, a.EndedAt != "")
			}
		}
	}
	codes := map[owg.Code]bool{}
	for _, s := range []string{"failed", "canceled", "rejected"} {
		_, _, code, ok := owg.MapState(s)
		require.True(t, ok)
		codes[code] = true
	}
	require.Len(t, codes, 3, "distinct codes")
}

func TestUnknownStates(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"TASK_STATE_UNSPECIFIED", "unknown", "COMPLETED", "Completed", "completed ", "TASK_STATE_SUCCEEDED"} {
		f := follow(t)
		require.Equal(t, []string{"warning A2A_STATE_UNKNOWN"}, update(t, f, `{"id":"9f","status":{"state":"`+state+`"},`+artifacts+`}`))
		a := f.Attempt()
		require.Equal(t, owg.StatusRunning, a.Status, state)
		require.Equal(t, state, a.Remote.State)
		require.Empty(t, a.Produced)
		require.Empty(t, update(t, f, `{"id":"9f","status":{"state":"completed"}}`), "what came before is kept")
		require.Len(t, f.Attempt().Produced, 1)
	}
}

// TestErrors: an error before there is a task ends the attempt; afterwards it says
// nothing about the task.
func TestErrors(t *testing.T) {
	t.Parallel()
	for number, want := range map[int]owg.Code{
		-32001: owg.CodeTaskNotFound, -32004: owg.CodeUnsupportedOperation, -32005: owg.CodeContentType, -32006: owg.CodeInvalidResponse,
		-32008: owg.CodeExtensionRequired, -32009: owg.CodeVersion,
		-32002: owg.CodeRPCError, -32003: owg.CodeRPCError, -32007: owg.CodeRPCError, -32600: owg.CodeRPCError, -32603: owg.CodeRPCError, 500: owg.CodeRPCError,
	} {
		for _, text := range []string{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","error":{"code":%d,"message":"because"}}`, number),
			fmt.Sprintf(`{"code":%d,"message":"because"}`, number),
		} {
			f := follow(t)
			require.Empty(t, update(t, f, text))
			a := f.Attempt()
			require.Equal(t, owg.StatusFailed, a.Status)
			require.Equal(t, &owg.Failure{Code: want, Message: "because"}, a.Failure)
			require.Empty(t, a.Remote.State)

			f = follow(t)
			require.Empty(t, update(t, f, `{"id":"9f","status":{"state":"working"}}`))
			require.Equal(t, []string{"warning " + string(want)}, update(t, f, text))
			require.Equal(t, owg.StatusRunning, f.Attempt().Status)
		}
	}
	for reason, want := range map[string]owg.Code{
		"TASK_NOT_FOUND": owg.CodeTaskNotFound, "UNSUPPORTED_OPERATION": owg.CodeUnsupportedOperation, "CONTENT_TYPE_NOT_SUPPORTED": owg.CodeContentType,
		"INVALID_AGENT_RESPONSE": owg.CodeInvalidResponse, "EXTENSION_SUPPORT_REQUIRED": owg.CodeExtensionRequired, "VERSION_NOT_SUPPORTED": owg.CodeVersion,
		"OTHER": owg.CodeRPCError, "": owg.CodeRPCError,
	} {
		f := follow(t)
		require.Empty(t, update(t, f, `{"error":{"code":404,"status":"NOT_FOUND","details":[{},{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"`+reason+`"}]}}`))
		require.Equal(t, want, f.Attempt().Failure.Code)
		require.Equal(t, want.Text(), f.Attempt().Failure.Message)
	}
	f := follow(t)
	require.Empty(t, f.Unreachable("no route", noon()))
	require.Equal(t, &owg.Failure{Code: owg.CodeTransport, Message: "no route"}, f.Attempt().Failure)
	require.Equal(t, owg.StatusFailed, f.Attempt().Status)
	f = follow(t)
	update(t, f, `{"id":"9f","status":{"state":"working"}}`)
	require.Equal(t, []string{"warning A2A_TRANSPORT"}, said(f.Unreachable("", noon())))
	require.Equal(t, owg.StatusRunning, f.Attempt().Status)
}

// TestMessages: the answer may be a message without a task.
func TestMessages(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"messageId":"m","role":"ROLE_AGENT","contextId":"c1","parts":[]}`,
		`{"message":{"messageId":"m","contextId":"c1"}}`,
		`{"jsonrpc":"2.0","id":"1","result":{"message":{"messageId":"m","contextId":"c1"}}}`,
		`{"kind":"message","contextId":"c1"}`,
	} {
		f := follow(t)
		require.Empty(t, update(t, f, text))
		require.Equal(t, owg.StatusFailed, f.Attempt().Status)
		require.Equal(t, owg.CodeNoTask, f.Attempt().Failure.Code)
		require.Empty(t, f.Attempt().Remote.State)
		require.Equal(t, "c1", f.Attempt().Remote.ContextID)
		f = follow(t, change{"tasks.0.produced", gone{}})
		require.Empty(t, update(t, f, text))
		require.Equal(t, owg.StatusSucceeded, f.Attempt().Status)
		require.Nil(t, f.Attempt().Failure)
	}
	f := follow(t)
	update(t, f, `{"id":"9f","status":{"state":"working"}}`)
	require.Empty(t, update(t, f, `{"message":{"messageId":"m","taskId":"9f"}}`))
	require.Equal(t, owg.StatusRunning, f.Attempt().Status, "a message about a task says nothing about its end")
	f = follow(t, change{"tasks.0.produced", gone{}})
	require.Empty(t, update(t, f, `{"message":{"messageId":"m","taskId":"9f","contextId":"c1"}}`))
	require.Equal(t, owg.StatusRunning, f.Attempt().Status, "a message that names a task is not without one")
	require.Equal(t, "9f", f.Attempt().Remote.TaskID)
	require.Equal(t, "c1", f.Attempt().Remote.ContextID)
	update(t, f, `{"id":"9f","status":{"state":"rejected"}}`)
	require.Equal(t, owg.CodeTaskRejected, f.Attempt().Failure.Code)
}

// TestTerminal: an attempt that has ended does not change any more.
func TestTerminal(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"completed", "failed", "canceled", "rejected"} {
		f := follow(t)
		update(t, f, `{"id":"9f","status":{"state":"`+end+`"},`+artifacts+`}`)
		before := f.Attempt()
		require.True(t, before.Terminal())
		for _, state := range []string{"submitted", "working", "input-required", "auth-required", "completed", "failed", "canceled", "rejected", "nonsense"} {
			found := update(t, f, `{"id":"9f","status":{"state":"`+state+`","message":{"parts":[{"text":"later"}]}},"artifacts":[]}`)
			if state == end {
				require.Empty(t, found)
			} else {
				require.Equal(t, []string{"warning A2A_STATE_AFTER_TERMINAL"}, found)
			}
			require.Equal(t, before, f.Attempt())
		}
		require.Equal(t, []string{"warning A2A_STATE_AFTER_TERMINAL"}, update(t, f, `{"artifactUpdate":{"taskId":"9f","artifact":{"artifactId":"z","parts":[]}}}`))
		require.Equal(t, []string{"warning A2A_RPC_ERROR"}, update(t, f, `{"error":{"code":1}}`))
		require.Equal(t, before, f.Attempt())
	}
}

func TestOtherTasks(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"id":"other","status":{"state":"completed"}}`,
		`{"id":"9f","contextId":"c2","status":{"state":"completed"}}`,
		`{"statusUpdate":{"taskId":"other","status":{"state":"failed"}}}`,
		`{"artifactUpdate":{"taskId":"other","artifact":{"artifactId":"a","name":"dub_tracks","parts":[]}}}`,
	} {
		f := follow(t)
		update(t, f, `{"id":"9f","contextId":"c1","status":{"state":"working"}}`)
		before := f.Attempt()
		require.Equal(t, []string{"warning A2A_TASK_MISMATCH"}, update(t, f, text))
		require.Equal(t, before, f.Attempt())
	}
}

// TestPairing pairs artifacts with assets.
func TestPairing(t *testing.T) {
	t.Parallel()
	const unmapped, missing = "warning OWG_ARTIFACT_UNMAPPED", "warning OWG_PRODUCED_MISSING"
	for _, row := range []struct {
		name   string
		assets []any
		list   string
		want   string // asset=artifactId
		found  []string
	}{
		{"by name", []any{"a", "b"}, `{"artifactId":"1","name":"b"},{"artifactId":"2","name":"a"}`, "a=2 b=1", nil},
		{"by id", []any{"a", "b"}, `{"artifactId":"b"},{"artifactId":"a"}`, "a=a b=b", nil},
		{"a name comes before an id", []any{"a", "b"}, `{"artifactId":"a"},{"artifactId":"1","name":"a"}`, "a=1", []string{missing, unmapped}},
		{"one of each", []any{"a"}, `{"artifactId":"1","name":"x"}`, "a=1", nil},
		{"one asset, two artifacts", []any{"a"}, `{"artifactId":"1"},{"artifactId":"2"}`, "", []string{missing, unmapped, unmapped}},
		{"two assets, one artifact", []any{"a", "b"}, `{"artifactId":"1"}`, "", []string{missing, missing, unmapped}},
		{"two of one name", []any{"a"}, `{"artifactId":"1","name":"a"},{"artifactId":"2","name":"a"}`, "a=1", []string{unmapped}},
		{"no artifact", []any{"a"}, ``, "", []string{missing}},
		{"no asset", []any{}, `{"artifactId":"1"}`, "", []string{unmapped}},
		{"nothing at all", []any{}, ``, "", nil},
		{"case counts", []any{"a", "b"}, `{"artifactId":"1","name":"A"},{"artifactId":"b"}`, "b=b", []string{missing, unmapped}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			list := strings.ReplaceAll(row.list, "}", `,"parts":[{"text":"x"}]}`)
			f := follow(t, change{"tasks.0.produced", row.assets})
			found := update(t, f, `{"id":"9f","status":{"state":"completed"},"artifacts":[`+list+`]}`)
			require.Equal(t, append([]string{}, row.found...), found)
			var got []string
			for _, p := range f.Attempt().Produced {
				got = append(got, p.Asset+"="+p.Artifact)
			}
			require.Equal(t, row.want, strings.Join(got, " "))
			require.Equal(t, owg.StatusSucceeded, f.Attempt().Status)
		})
	}
}

// TestStream: artifacts that come in parts give the same as those that come at once, in
// either spelling.
func TestStream(t *testing.T) {
	t.Parallel()
	sums := map[string]bool{}
	for _, stream := range [][]string{
		{`{"id":"9f","status":{"state":"completed"},"artifacts":[{"artifactId":"a1","name":"dub_tracks","parts":[{"text":"one"},{"data":{"b":1.0,"a":[]}}]}]}`},
		{`{"task":{"id":"9f","status":{"state":"working"}}}`,
			`{"artifactUpdate":{"taskId":"9f","artifact":{"artifactId":"a1","name":"dub_tracks","parts":[{"text":"\u006fne"}]}}}`,
			`{"artifactUpdate":{"taskId":"9f","append":true,"lastChunk":true,"artifact":{"artifactId":"a1","parts":[ {"data" : {"a":[],"b":1}} ]}}}`,
			`{"statusUpdate":{"taskId":"9f","status":{"state":"completed"}}}`},
		{`{"artifactUpdate":{"taskId":"9f","artifact":{"artifactId":"a1","parts":[{"text":"a draft"}]}}}`,
			`{"artifactUpdate":{"taskId":"9f","append":false,"artifact":{"artifactId":"a1","name":"dub_tracks","parts":[{"text":"one"},{"data":{"a":[],"b":1}}]}}}`,
			`{"id":"9f","status":{"state":"completed"},"artifacts":null}`},
	} {
		f := follow(t)
		for _, text := range stream {
			require.Empty(t, update(t, f, text))
		}
		require.Len(t, f.Attempt().Produced, 1)
		sums[f.Attempt().Produced[0].SHA256] = true
		require.Len(t, f.Attempt().Produced[0].SHA256, 64)
	}
	require.Len(t, sums, 1)
	f := follow(t)
	update(t, f, `{"artifactUpdate":{"taskId":"9f","artifact":{"artifactId":"gone","parts":[]}}}`)
	require.Empty(t, update(t, f, `{"id":"9f","status":{"state":"completed"},`+artifacts+`}`), "a task brings all that it has")
}

// TestExpiry: the delegation may expire while the task runs.
func TestExpiry(t *testing.T) {
	t.Parallel()
	past := change{"tasks.0.delegation.expires_at", "2026-11-29T12:00:00Z"}
	f := follow(t, past)
	require.Equal(t, []string{"warning OWG_DELEGATION_EXPIRED"}, update(t, f, `{"id":"9f","status":{"state":"input-required"}}`))
	a := f.Attempt()
	require.Equal(t, owg.StatusRunning, a.Status)
	require.Equal(t, owg.CodeDelegationExpired, codeOf(t, a.MaySend(owg.SendMessage, noon())))
	require.NoError(t, a.MaySend(owg.SendQuery, noon()))
	require.NoError(t, a.MaySend(owg.SendCancel, noon()))
	require.NoError(t, a.MaySend(owg.SendMessage, noon().Add(-time.Second)))
	require.Empty(t, update(t, f, `{"id":"9f","status":{"state":"working"}}`), "once is enough")
	require.Empty(t, update(t, f, `{"id":"9f","status":{"state":"completed"},`+artifacts+`}`))
	require.Equal(t, owg.StatusSucceeded, f.Attempt().Status)
	done := f.Attempt()
	require.Equal(t, owg.CodeStateAfterTerminal, codeOf(t, done.MaySend(owg.SendMessage, noon().Add(-time.Hour))))

	a.Delegation.ExpiresAt = "tomorrow"
	require.Error(t, a.MaySend(owg.SendMessage, noon()), "a time that cannot be read has passed")
	a.Delegation = nil
	require.NoError(t, a.MaySend(owg.SendMessage, noon()))
}

// TestMalformedUpdates: what is not an answer changes nothing.
func TestMalformedUpdates(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `[]`, `{}`, `null`, `{"jsonrpc":"2.0","id":"1"}`, `{"result":1}`, `{"result":{}}`, `{"result":{},"error":{"code":1}}`,
		`{"task":{"id":"1","status":{"state":"completed"}},"message":{"messageId":"m"}}`,
		`{"task":1}`, `{"task":{"id":"","status":{"state":"completed"}}}`, `{"id":"1","status":{}}`, `{"id":"1","status":{"state":""}}`, `{"id":"1","status":{"state":3}}`, `{"id":1,"status":{"state":"completed"}}`,
		`{"id":"1","contextId":5,"status":{"state":"completed"}}`, `{"statusUpdate":{"status":{"state":"completed"}}}`,
		`{"id":"1","status":{"state":"completed"},"artifacts":{}}`, `{"id":"1","status":{"state":"completed"},"artifacts":[{}]}`,
		`{"id":"1","status":{"state":"completed"},"artifacts":[{"artifactId":"a"}]}`, `{"id":"1","status":{"state":"completed"},"artifacts":[{"artifactId":"a","name":1,"parts":[]}]}`,
		`{"artifactUpdate":{"taskId":"1","append":"yes","artifact":{"artifactId":"a","parts":[]}}}`, `{"artifactUpdate":{"taskId":"1"}}`,
		`{"error":{"message":"x"}}`, `{"error":"x"}`, `{"error":{"code":"-32001"}}`,
		`{"id":"1","id":"2","status":{"state":"completed"}}`,
		`{"id":"` + strings.Repeat("1", 1001) + `","status":{"state":"working"}}`,
		`{"id":"1","contextId":"` + strings.Repeat("1", 1001) + `","status":{"state":"working"}}`,
		`{"id":"1","status":{"state":"completed"},"artifacts":[{"artifactId":"` + strings.Repeat("a", 1001) + `","parts":[]}]}`,
		`{"id":"1","status":{"state":"completed"},"artifacts":[{"artifactId":"a","parts":[{"text":"one"}]},{"artifactId":"a","parts":[{"text":"two"}]}]}`,
	} {
		f := follow(t)
		before := f.Attempt()
		_, err := f.Update([]byte(text), noon())
		codeOf(t, err)
		require.Equal(t, before, f.Attempt(), text)
	}
}

// TestAttemptRecord is the record of section C.4.
func TestAttemptRecord(t *testing.T) {
	t.Parallel()
	f := follow(t, change{"tasks.0.used", gone{}})
	update(t, f, `{"id":"9f","contextId":"c1","status":{"state":"input-required"}}`)
	a := f.Attempt()
	require.Equal(t, `{"task":"localize_audio","attempt":1,"status":"running","performed_by":"vendor_dub_agent",`+
		`"remote":{"task_id":"9f","context_id":"c1","state":"input-required","skill":"localize-dub"},`+
		`"delegation":{"by":"ops_lead","scope":["read:masters"],"expires_at":"2026-12-31T23:59:59Z"},"produced":[],"error":null}`, string(a.Append(nil)))
	_, err := parse(t, file(t, "localize.json")).Attempt("other", 1, noon())
	require.Equal(t, owg.CodeTaskUnknown, codeOf(t, err))
}

// TestManyParts: an artifact that comes in many events is what one event with all of it
// is.
func TestManyParts(t *testing.T) {
	t.Parallel()
	event := func(parts string) []byte {
		return []byte(`{"artifactUpdate":{"taskId":"9f","append":true,"artifact":{"artifactId":"dub_ep1","parts":[` + parts + `]}}}`)
	}
	done := []byte(`{"statusUpdate":{"taskId":"9f","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	once, often := followDub(t), followDub(t)
	var all []string
	for i := range 2_000 {
		all = append(all, fmt.Sprintf(`{"text":"%d"}`, i))
		_, err := often.Update(event(all[i]), noon())
		require.NoError(t, err)
	}
	_, err := once.Update(event(strings.Join(all, ",")), noon())
	require.NoError(t, err)
	for _, f := range []*owg.Follow{once, often} {
		found, err := f.Update(done, noon())
		require.NoError(t, err)
		require.Empty(t, found)
	}
	require.Len(t, once.Attempt().Produced, 1)
	require.Equal(t, once.Attempt().Produced, often.Attempt().Produced)
}

// TestRefusedEvents: after an event that was refused a task that is over did not succeed
// with what came of its artifacts, until it comes with all of them.
func TestRefusedEvents(t *testing.T) {
	t.Parallel()
	const (
		part  = `{"artifactUpdate":{"taskId":"9f","append":true,"artifact":{"artifactId":"dub_ep1","parts":[{"text":"a"}]}}}`
		whole = `{"id":"9f","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"dub_ep1","parts":[{"text":"a"},{"text":"b"}]}]}`
		done  = `{"statusUpdate":{"taskId":"9f","status":{"state":"TASK_STATE_COMPLETED"}}}`
	)
	produced := func(text string) []owg.Produced {
		f := followDub(t)
		update(t, f, text)
		return f.Attempt().Produced
	}
	for name, refused := range map[string]string{
		"over a limit": `{"artifactUpdate":{"taskId":"9f","append":true,"artifact":{"artifactId":"dub_ep1","parts":[{"text":"` + strings.Repeat("b", 60_000) + `"}]}}}`,
		"unreadable":   `{"artifactUpdate":{"taskId":"9f","append":true,"artifact":{"artifactId":"dub_ep1","parts":[{"text":"b"}, 1e400]}}}`,
	} {
		for end, want := range map[string][]owg.Produced{
			whole: produced(whole),
			`{"id":"9f","status":{"state":"TASK_STATE_COMPLETED"}}`: nil,
		} {
			f := owg.NewFollow(followDub(t).Attempt(), []string{"dub_ep1"}, owg.Limits{ArtifactBytes: 50_000})
			update(t, f, part)
			_, err := f.Update([]byte(refused), noon())
			require.Equal(t, name == "over a limit", codeOf(t, err) == owg.CodeLimit, "%s: %v", name, err)
			require.Equal(t, []string{"warning A2A_INVALID_RESPONSE"}, update(t, f, done), name)
			a := f.Attempt()
			require.False(t, a.Terminal(), name)
			update(t, f, end)
			require.Equal(t, owg.StatusSucceeded, f.Attempt().Status, name)
			require.Equal(t, want, f.Attempt().Produced, name)
		}
	}
}

// TestManyValues: an artifact has at most as many values as four updates, however many
// brought them.
func TestManyValues(t *testing.T) {
	t.Parallel()
	const values = 100
	for times, code := range map[int]owg.Code{9: "", 10: owg.CodeLimit} { // the list that holds the parts is one, too
		f := owg.NewFollow(followDub(t).Attempt(), []string{"dub_ep1"}, owg.Limits{Values: values})
		for range times {
			_, err := f.Update([]byte(`{"artifactUpdate":{"taskId":"9f","append":true,"artifact":{"artifactId":"dub_ep1","parts":[`+strings.Repeat("0,", 39)+`0]}}}`), noon())
			require.NoError(t, err)
		}
		_, err := f.Update([]byte(`{"statusUpdate":{"taskId":"9f","status":{"state":"TASK_STATE_COMPLETED"}}}`), noon())
		if code == "" {
			require.NoError(t, err)
			require.Len(t, f.Attempt().Produced, 1)
			continue
		}
		require.Equal(t, code, codeOf(t, err))
		require.False(t, func() bool { a := f.Attempt(); return a.Terminal() }())
		// Where the answer to an intent decides, nothing is made of the artifacts.
		f.Sent([]byte(`{"messageId":"m"}`))
		require.Equal(t, []string{"warning A2A_INVALID_RESPONSE"}, update(t, f, `{"statusUpdate":{"taskId":"9f","status":{"state":"TASK_STATE_COMPLETED"}}}`))
	}
}

// TestDoneManyTimes: however often an agent says that it is done, its artifacts are read
// once.
func TestDoneManyTimes(t *testing.T) {
	t.Parallel()
	const values, times = 50_000, 2_000
	done := `{"statusUpdate":{"taskId":"9f","status":{"state":"TASK_STATE_COMPLETED"}}}`
	for _, sent := range []bool{false, true} {
		f := owg.NewFollow(followDub(t).Attempt(), []string{"dub_ep1"}, owg.Limits{Values: values})
		updates := 5 // one more than there may be
		if sent {
			f.Sent([]byte(`{"messageId":"m"}`))
			updates = 3
		}
		for range updates {
			update(t, f, `{"artifactUpdate":{"taskId":"9f","append":true,"artifact":{"artifactId":"dub_ep1","parts":[`+strings.Repeat("1e300,", values-100)+`0]}}}`)
		}
		for range times {
			_, err := f.Update([]byte(done), noon())
			require.Equal(t, sent, err == nil)
		}
		a := f.Attempt()
		require.False(t, a.Terminal())
		if !sent {
			update(t, f, `{"artifactUpdate":{"taskId":"9f","artifact":{"artifactId":"dub_ep1","parts":[0]}}}`)
			require.Empty(t, update(t, f, done), "another artifact in its place")
			require.Len(t, f.Attempt().Produced, 1)
		}
	}
}

// TestDoneWithTooMuch: an artifact with too many values is found before another is read,
// however often the agent says that it is done.
func TestDoneWithTooMuch(t *testing.T) {
	t.Parallel()
	const values, times = 50_000, 2_000
	f := owg.NewFollow(followDub(t).Attempt(), []string{"dub_ep1", "second"}, owg.Limits{Values: values})
	event := func(id, parts string) {
		update(t, f, `{"artifactUpdate":{"taskId":"9f","append":true,"artifact":{"artifactId":"`+id+`","parts":[`+parts+`]}}}`)
	}
	for range 3 {
		event("dub_ep1", strings.Repeat("1.2345678901234567e-300,", values-100)+"0")
	}
	for range 5 {
		event("second", strings.Repeat("0,", values-100)+"0")
	}
	for range times {
		_, err := f.Update([]byte(`{"statusUpdate":{"taskId":"9f","status":{"state":"TASK_STATE_COMPLETED"}}}`), noon())
		require.Equal(t, owg.CodeLimit, codeOf(t, err))
	}
	update(t, f, `{"artifactUpdate":{"taskId":"9f","artifact":{"artifactId":"second","parts":[]}}}`)
	require.Empty(t, update(t, f, `{"statusUpdate":{"taskId":"9f","status":{"state":"TASK_STATE_COMPLETED"}}}`))
	require.Len(t, f.Attempt().Produced, 2)
}
