package owg_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/owg"
)

func small() owg.Limits {
	return owg.Limits{WorkflowBytes: 32 << 10, RecordBytes: 32 << 10, UpdateBytes: 32 << 10, Work: 200_000}
}

// Whatever the workflow, nothing panics, every finding has a code and a place, what is
// valid widens nothing that is declared, and what is handed over is no more than the
// task says.
func FuzzWorkflow(f *testing.F) {
	for _, seed := range suite.Seeds(f, suite.Workflows) {
		f.Add(seed.Data)
	}
	f.Add([]byte(`{"participants":[{"id":"a","kind":"agent","operated_by":"a"}],"tasks":[{"id":"t","delegation":{"by":"a"}}],"assets":[1,"x"],"params":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := owg.Parse(data, small())
		if err != nil {
			codeOf(t, err)
			return
		}
		r, err := w.Validate(owg.ValidateOptions{Now: noon()})
		if err != nil {
			require.Equal(t, owg.CodeLimit, codeOf(t, err))
			return
		}
		for _, finding := range r.Findings {
			require.NotEmpty(t, finding.Code.Text())
			require.Positive(t, finding.Line)
		}
		for _, task := range w.Tasks() {
			if d := task.Delegation; d != nil && r.Valid() {
				if by, ok := w.Participant(d.By); ok && by.ScopeDeclared {
					for _, s := range d.Scope {
						require.Contains(t, by.Scope, s)
					}
				}
			}
			h, _, err := w.HandOff(task.ID, owg.RequestOptions{Now: noon()})
			if err != nil {
				codeOf(t, err)
			} else {
				require.True(t, r.Valid())
				require.False(t, h.Delegation.Expired(noon()))
				if g, err := h.Intent("urn:a2a:intent:1"); err == nil {
					require.NotZero(t, g.Len())
				}
			}
			for _, asset := range task.Produced {
				if out, err := w.Trace(asset); err != nil {
					codeOf(t, err)
				} else {
					require.False(t, out.Complete() && !r.Valid())
					_ = out.Text()
					_, err := json.Marshal(out)
					require.NoError(t, err)
				}
			}
		}
		if text, err := w.Card(options()); err == nil {
			card(t, string(text))
		} else {
			_ = err.Error()
		}
	})
}

// Whatever an agent answers, an attempt that has ended stays as it is, and one only
// succeeds when the agent says completed, or answers a task that produces nothing.
func FuzzUpdate(f *testing.F) {
	for _, seed := range suite.Seeds(f, suite.WorkflowUpdates) {
		f.Add(seed.Data, []byte(file(f, "task-completed.json")))
	}
	f.Add([]byte(`{"artifactUpdate":{"taskId":"1","append":true,"artifact":{"artifactId":"a","parts":[{"data":1}]}}}`), []byte(`{"error":{"code":-32001,"message":"x"}}`))
	f.Add([]byte(`{"message":{"messageId":"m"}}`), []byte(`{"statusUpdate":{"taskId":"1","status":{"state":"TASK_STATE_FAILED","message":{"parts":[{"text":"no"}]}}}}`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		follow := owg.NewFollow(owg.Attempt{Task: "t", Number: 1, Status: owg.StatusRunning}, []string{"dub_ep1"}, small())
		for _, data := range [][]byte{one, two} {
			before := follow.Attempt()
			found, err := follow.Update(data, noon())
			after := follow.Attempt()
			if err != nil {
				codeOf(t, err)
				require.Equal(t, before, after)
			}
			for _, x := range found {
				require.NotEmpty(t, x.Code.Text())
			}
			if before.Terminal() {
				require.Equal(t, before, after)
			}
			if after.Status == owg.StatusSucceeded {
				require.Equal(t, "completed", after.Remote.State)
			}
			require.Equal(t, after.Status == owg.StatusFailed, after.Failure != nil)
			r := owg.NewRecord("w", small())
			require.NoError(t, r.Put(after))
			if again, err := owg.ParseRecord(r.Append(nil), owg.Limits{}); err == nil {
				require.Equal(t, string(r.Append(nil)), string(again.Append(nil)))
			} else {
				codeOf(t, err)
			}
		}
	})
}

// What is read of a record is written and read again as the same, and the order of
// records does not decide whether an asset traces back to a person.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(rich))
	for _, seed := range suite.Seeds(f, suite.WorkflowRuns) {
		f.Add(seed.Data)
	}
	f.Add([]byte(`{"version":1,"workflow":"w","participants":[{"id":"a","kind":"agent","operated_by":"p"},{"id":"q","kind":"human"}],"received":[{"task":"t","performed_by":"a","task_id":"1","state":"submitted","delegation":{"by":"q","scope":["x"]}}],"attempts":[{"task":"t","attempt":1,"status":"running","performed_by":"p","remote":{"task_id":"2"},"produced":[{"asset":"z"}]}]}`))
	f.Add([]byte(`{"version":1,"attempts":[{"task":"t","attempt":1,"status":"running","a":1}],"b":2}`))
	w, err := owg.Parse([]byte(`{"id":"w","participants":[{"id":"p","kind":"human"}],"tasks":[{"id":"t","performed_by":"p","produced":["z"]}]}`), owg.Limits{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := owg.ParseRecord(data, small())
		if err != nil {
			codeOf(t, err)
			return
		}
		text := r.Append(nil)
		again, err := owg.ParseRecord(text, owg.Limits{})
		require.NoError(t, err)
		require.Equal(t, string(text), string(again.Append(nil)))
		if out, err := w.Trace("z", r, again); err != nil {
			codeOf(t, err)
		} else {
			_ = out.Text()
		}
		other := record(t, rich)
		one, err := w.Trace("z", r, other)
		two, turned := w.Trace("z", other, r)
		require.Equal(t, err == nil, turned == nil)
		if err == nil {
			require.Equal(t, one.Complete(), two.Complete(), "the order of records")
		}
		if _, err := owg.AppendAttempt(text, w, owg.Attempt{Task: "t", Number: r.Next("t"), Status: owg.StatusRunning}, owg.Limits{}); err != nil {
			codeOf(t, err)
		}
	})
}

// What is read of a hand-off is what would be sent, and as an intent it says the same.
func FuzzHandOff(f *testing.F) {
	for _, seed := range suite.Seeds(f, suite.HandOffs) {
		f.Add(seed.Data)
	}
	f.Add([]byte(`{"jsonrpc":"2.0","params":{"message":{"parts":[{"text":"x"},{"data":{"owg":{"task":"t","skill":"s","used":["b","a","a"]}}}]}}}`))
	w, err := owg.Parse([]byte(file(f, "book-to-press.json")), owg.Limits{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := owg.ParseHandOff(data, "", small())
		if err != nil {
			codeOf(t, err)
			return
		}
		require.NotEmpty(t, h.Task)
		r, err := w.Receive(owg.Inbound{HandOff: h, Caller: "urn:publisher:assistant", Now: noon()})
		require.NoError(t, err)
		if r.Accepted() {
			require.Equal(t, w.ID(), h.Skill)
			require.Equal(t, "publisher_assistant", r.Received.Delegation.By)
			require.False(t, r.Received.Delegation.Expired(noon().Add(-time.Nanosecond)))
		}
		g, err := h.Intent("urn:a2a:intent:1")
		if err != nil {
			return
		}
		back, err := owg.ReadIntent(g, mustIRI(t, "urn:a2a:intent:1"))
		if err != nil {
			codeOf(t, err)
			return
		}
		require.Equal(t, h.Task, back.Task)
		sorted := slices.Sorted(slices.Values(h.Used))
		require.Equal(t, slices.Compact(sorted), back.Used)
	})
}
