package owg

import (
	"fmt"
	"slices"
	"time"
)

// Result takes the answer to a hand-off that was sent as an intent: the result that
// [ReadResult] read from a graph which the response shape accepted. taskID and contextID
// are those of the answer, "" if it was a message. The attempt succeeds with the assets
// that the result lists, like a completed task; the result of another task fails it. The
// answer of another remote task, or in another context, is none to this attempt.
func (f *Follow) Result(x *Result, taskID, contextID string, at time.Time) []Finding {
	var found []Finding
	warn := func(code Code, format string, args ...any) {
		found = append(found, Finding{Code: code, Severity: SeverityWarning, Mark: "P", Text: fmt.Sprintf(format, args...)})
	}
	switch {
	case f.a.Terminal():
		warn(CodeStateAfterTerminal, "the attempt has ended and does not change any more")
		return found
	case f.a.Remote.TaskID != "" && taskID != "" && taskID != f.a.Remote.TaskID,
		f.a.Remote.ContextID != "" && contextID != "" && contextID != f.a.Remote.ContextID:
		warn(CodeTaskMismatch, "expected the answer of the task %s, found that of the task %s in the context %s", quote(f.a.Remote.TaskID), quote(taskID), quote(contextID))
		return found
	case len(taskID) > maxID || len(contextID) > maxID:
		return f.End(CodeInvalidResponse, fmt.Sprintf("expected ids of at most %d bytes, found one of %d", maxID, max(len(taskID), len(contextID))), at)
	case x.Task != f.a.Task:
		return f.End(CodeTaskMismatch, "expected the result of the task "+quote(f.a.Task)+", found that of "+quote(x.Task), at)
	}
	f.remember(taskID, contextID)
	f.a.Remote.State = ""
	if f.a.Remote.TaskID != "" {
		_, f.a.Remote.State, _, _ = MapState("completed")
	}
	f.a.Status, f.a.EndedAt, f.a.Sent = StatusSucceeded, timeText(at), nil
	wanted, listed := firstOf(f.want), map[string]int{}
	for i := range slices.Backward(x.Produced) {
		listed[x.Produced[i].Asset] = i
	}
	for k, asset := range f.want {
		i, ok := listed[asset]
		switch {
		case wanted[asset] != k: // one that stands twice
		case !ok:
			warn(CodeProducedMissing, "the result does not list the asset %s", quote(asset))
		default:
			f.a.Produced = append(f.a.Produced, x.Produced[i])
		}
	}
	for _, p := range x.Produced {
		if _, ok := wanted[p.Asset]; !ok {
			warn(CodeArtifactUnmapped, "the asset %s is none of those to be produced", quote(p.Asset))
		}
	}
	return found
}

// End ends the attempt as failed with a code and a text. It is for ends that Update does
// not read: a refused intent, or an answer that is none. An attempt that has already
// ended stays as it is, and the finding says so.
func (f *Follow) End(code Code, text string, at time.Time) []Finding {
	if f.a.Terminal() {
		return []Finding{{Code: code, Severity: SeverityWarning, Mark: "P", Text: textOr(shorten(text), code)}}
	}
	f.a.Status, f.a.Failure = StatusFailed, &Failure{Code: code, Message: textOr(shorten(text), code)}
	f.a.EndedAt, f.a.Sent = timeText(at), nil
	return nil
}

// Sent notes the message of an intent before it is sent, see [Attempt.Sent]; nil when it
// must not be sent again.
func (f *Follow) Sent(message []byte) {
	if !f.a.Terminal() {
		f.a.Sent = slices.Clone(message)
	}
}

// remember keeps ids that were not known before.
func (f *Follow) remember(taskID, contextID string) {
	if f.a.Remote.TaskID == "" {
		f.a.Remote.TaskID = taskID
	}
	if f.a.Remote.ContextID == "" {
		f.a.Remote.ContextID = contextID
	}
}
