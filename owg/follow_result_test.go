package owg_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/owg"
)

// TestFollowResult: the answer to an intent is mapped like a completed task.
func TestFollowResult(t *testing.T) {
	t.Parallel()
	const sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for _, row := range []struct {
		name     string
		result   owg.Result
		taskID   string
		status   owg.Status
		state    string
		failure  owg.Code
		produced []string
		found    []owg.Code
	}{
		{"all", owg.Result{Task: "dub", Produced: []owg.Produced{{Asset: "dub_ep1", SHA256: sum}}}, "", owg.StatusSucceeded, "", "", []string{"dub_ep1"}, nil},
		{"in a task", owg.Result{Task: "dub", Produced: []owg.Produced{{Asset: "dub_ep1"}}}, "T1", owg.StatusSucceeded, "completed", "", []string{"dub_ep1"}, nil},
		{"nothing", owg.Result{Task: "dub"}, "", owg.StatusSucceeded, "", "", nil, []owg.Code{owg.CodeProducedMissing}},
		{"something else", owg.Result{Task: "dub", Produced: []owg.Produced{{Asset: "x"}}}, "", owg.StatusSucceeded, "", "", nil, []owg.Code{owg.CodeProducedMissing, owg.CodeArtifactUnmapped}},
		{"another task", owg.Result{Task: "season"}, "", owg.StatusFailed, "", owg.CodeTaskMismatch, nil, nil},
		{"in a task of a long name", owg.Result{Task: "dub"}, strings.Repeat("x", 1000), owg.StatusSucceeded, "completed", "", nil, []owg.Code{owg.CodeProducedMissing}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f := followDub(t)
			f.Sent([]byte(`{"messageId":"m-1"}`))
			found := f.Result(&row.result, row.taskID, "c1", noon())
			var codes []owg.Code
			for _, x := range found {
				codes = append(codes, x.Code)
			}
			require.Equal(t, row.found, codes)
			a := f.Attempt()
			require.Equal(t, row.status, a.Status)
			require.Equal(t, row.state, a.Remote.State)
			require.Equal(t, row.taskID, a.Remote.TaskID)
			require.Nil(t, a.Sent)
			require.NotEmpty(t, a.EndedAt)
			if row.failure != "" {
				require.Equal(t, row.failure, a.Failure.Code)
			}
			var assets []string
			for _, p := range a.Produced {
				assets = append(assets, p.Asset)
			}
			require.Equal(t, row.produced, assets)
			// An attempt that has ended does not change any more.
			require.Equal(t, owg.CodeStateAfterTerminal, f.Result(&row.result, row.taskID, "c1", noon())[0].Code)
			require.Equal(t, owg.CodeTaskRejected, f.End(owg.CodeTaskRejected, "no", noon())[0].Code)
			f.Sent([]byte(`{}`))
			require.Equal(t, a, f.Attempt())
		})
	}
}

// TestResultOfAnother: the answer of another remote task, or in another context, changes
// nothing, by whichever way it came.
func TestResultOfAnother(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, taskID, contextID string
		counts                  bool
	}{
		{"the same", "T1", "c1", true},
		{"a message", "", "c1", true},
		{"without a context", "T1", "", true},
		{"another task", "T2", "c1", false},
		{"another context", "T1", "c2", false},
		{"a message in another context", "", "c2", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f := followDub(t)
			_, err := f.Update([]byte(`{"id":"T1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}`), noon())
			require.NoError(t, err)
			before := f.Attempt()
			found := f.Result(&owg.Result{Task: "dub", Produced: []owg.Produced{{Asset: "dub_ep1"}}}, row.taskID, row.contextID, noon())
			if row.counts {
				require.Empty(t, found)
				require.Equal(t, owg.StatusSucceeded, f.Attempt().Status)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, owg.CodeTaskMismatch, found[0].Code)
			require.Equal(t, before, f.Attempt())
		})
	}
}

// TestResultLongIDs: what an agent calls things does not fill the record that keeps it.
func TestResultLongIDs(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1001)
	for _, row := range []struct{ name, taskID, contextID string }{{"a task", long, "c1"}, {"a context", "T1", long}} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f := followDub(t)
			require.Empty(t, f.Result(&owg.Result{Task: "dub"}, row.taskID, row.contextID, noon()))
			a := f.Attempt()
			require.Equal(t, owg.CodeInvalidResponse, a.Failure.Code)
			require.Less(t, len(a.Append(nil)), 1000)
		})
	}
	a := followDub(t).Attempt()
	a.Remote.ContextID = long // which the agent began when it was made an offer
	_, err := owg.AppendAttempt(nil, parse(t, file(t, "season.json")), a, owg.Limits{})
	require.Equal(t, owg.CodeInvalidResponse, codeOf(t, err))
	a.Remote.ContextID = long[1:]
	_, err = owg.AppendAttempt(nil, parse(t, file(t, "season.json")), a, owg.Limits{})
	require.NoError(t, err)
}

// TestNoResultOfIntent: an attempt that was handed over as an intent succeeds by its response
// alone, and fails by what other answers fail by.
func TestNoResultOfIntent(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, update string
		status       owg.Status
		found        []owg.Code
	}{
		{"works", `{"id":"T1","status":{"state":"TASK_STATE_WORKING"}}`, owg.StatusRunning, nil},
		{"completed", `{"id":"T1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"dub_ep1","parts":[]}]}`, owg.StatusRunning, []owg.Code{owg.CodeInvalidResponse}},
		{"a message", `{"messageId":"m","parts":[]}`, owg.StatusRunning, []owg.Code{owg.CodeInvalidResponse}},
		{"rejected", `{"id":"T1","status":{"state":"TASK_STATE_REJECTED"}}`, owg.StatusFailed, nil},
		{"an error", `{"code":-32004,"message":"no"}`, owg.StatusFailed, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, want := range [][]string{{"dub_ep1"}, nil} {
				a, err := parse(t, file(t, "season.json")).Attempt("dub", 1, noon())
				require.NoError(t, err)
				f := owg.NewFollow(a, want, owg.Limits{})
				f.Sent([]byte(`{"messageId":"m-1"}`))
				found, err := f.Update([]byte(row.update), noon())
				require.NoError(t, err)
				var codes []owg.Code
				for _, x := range found {
					codes = append(codes, x.Code)
				}
				require.Equal(t, row.found, codes)
				require.Equal(t, row.status, f.Attempt().Status)
				require.Equal(t, row.status == owg.StatusRunning, f.Attempt().Sent != nil)
				require.Empty(t, f.Attempt().Produced)
			}
		})
	}
}

// TestFollowEnd: a refusal that came in another way than an answer of A2A ends the attempt.
func TestFollowEnd(t *testing.T) {
	t.Parallel()
	f := followDub(t)
	f.Sent([]byte(`{"messageId":"m-1"}`))
	require.Empty(t, f.End(owg.CodeTaskRejected, "", noon()))
	a := f.Attempt()
	require.Equal(t, owg.StatusFailed, a.Status)
	require.Equal(t, owg.Failure{Code: owg.CodeTaskRejected, Message: owg.CodeTaskRejected.Text()}, *a.Failure)
	require.Nil(t, a.Sent)
}

// TestSentIsKept: the message of an intent is in the record before its answer is known,
// and something else than a message is refused there.
func TestSentIsKept(t *testing.T) {
	t.Parallel()
	w := parse(t, file(t, "season.json"))
	f := followDub(t)
	f.Sent([]byte(`{"messageId":"m-1","n":1.0}`))
	record, err := owg.AppendAttempt(nil, w, f.Attempt(), owg.Limits{})
	require.NoError(t, err)
	r, err := owg.ParseRecord(record, owg.Limits{})
	require.NoError(t, err)
	require.Equal(t, `{"messageId":"m-1","n":1.0}`, string(r.Attempts[0].Sent))
	f.End(owg.CodeTaskRejected, "no", noon())
	record, err = owg.AppendAttempt(record, w, f.Attempt(), owg.Limits{})
	require.NoError(t, err)
	require.NotContains(t, string(record), "m-1")
	_, err = owg.ParseRecord([]byte(`{"version":1,"attempts":[{"task":"x","attempt":1,"status":"running","sent":"y"}]}`), owg.Limits{})
	require.ErrorContains(t, err, "sent")
}

func followDub(t testing.TB) *owg.Follow {
	t.Helper()
	a, err := parse(t, file(t, "season.json")).Attempt("dub", 1, noon())
	require.NoError(t, err)
	return owg.NewFollow(a, []string{"dub_ep1"}, owg.Limits{})
}
