package owg

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Follow turns what an agent sends about a task into an attempt (section C.4), one answer
// after the other. It is not safe for concurrent use.
type Follow struct {
	a         Attempt
	want      []string // the assets to be produced
	limits    Limits
	artifacts []artifact
	bytes     int  // of artifacts
	lost      bool // something was refused that may have brought artifacts
	expired   bool
}

type artifact struct {
	id, name string
	parts    []byte // joined by commas
	values   int    // in parts, at any depth
}

// NewFollow follows an attempt at a task that should produce some assets. An attempt that
// has ended stays as it is.
func NewFollow(a Attempt, produced []string, limits Limits) *Follow {
	return &Follow{a: a, want: slices.Clone(produced), limits: limits.OrDefault()}
}

// Attempt returns the attempt as it is now.
func (f *Follow) Attempt() Attempt {
	a := f.a
	a.Used, a.Produced = slices.Clone(a.Used), slices.Clone(a.Produced)
	return a
}

// unjudged is said of a task that was handed over as an intent and is over: only the
// response to the intent, which its shape judges, makes the attempt succeed.
const unjudged = "the agent says that it is done, and the response to the intent is not known"

// incomplete is said of a task that is over after an update was refused.
const incomplete = "the agent says that it is done, and something that it sent before was refused: only the task with all of its artifacts counts"

// Update takes what an agent sent at an instant: a Task, a Message, an event of a stream
// or the answer to a request, as JSON. It returns warnings. It fails with an [*Error]
// when the bytes are none of these or exceed a limit; the attempt then stays as it was, and
// succeeds by a Task alone, which has all artifacts, since an event may have brought some.
// As long as the answer to an intent is not known, see [Attempt.Sent], no attempt succeeds
// by an update.
func (f *Follow) Update(data []byte, at time.Time) ([]Finding, error) {
	u, err := readUpdate(data, f.limits)
	if err != nil {
		f.lost = true
		return nil, err
	}
	var found []Finding
	warn := func(mark string, code Code, format string, args ...any) {
		found = append(found, Finding{Code: code, Severity: SeverityWarning, Mark: mark, Text: fmt.Sprintf(format, args...)})
	}
	if u.kind == updateError {
		return f.failed(u.code, u.text, at), nil
	}
	if f.a.Remote.TaskID != "" && u.task != "" && u.task != f.a.Remote.TaskID ||
		f.a.Remote.ContextID != "" && u.context != "" && u.context != f.a.Remote.ContextID {
		warn("P", CodeTaskMismatch, "expected news of the task %s, found some of the task %s in the context %s", quote(f.a.Remote.TaskID), quote(u.task), quote(u.context))
		return found, nil
	}
	status, remote, code, known := MapState(u.state)
	if f.a.Terminal() {
		if u.kind == updateArtifact || remote != f.a.Remote.State {
			warn("P", CodeStateAfterTerminal, "the attempt has ended and does not change any more")
		}
		return found, nil
	}
	if u.kind == updateMessage {
		switch {
		case f.a.Remote.TaskID != "":
		case u.task != "": // there is a task, which has not ended
			f.a.Remote.TaskID = u.task
			if u.context != "" {
				f.a.Remote.ContextID = u.context
			}
		case f.a.Sent != nil:
			warn("P", CodeInvalidResponse, unjudged)
		default:
			f.message(u, at)
		}
		return found, nil
	}
	artifacts, size, err := f.collect(u)
	if err != nil {
		f.lost = true
		return nil, err
	}
	lost := f.lost && u.kind != updateTask
	succeeds := u.kind != updateArtifact && known && status == StatusSucceeded && f.a.Sent == nil && !lost
	produced, unpaired, err := f.pair(artifacts, succeeds)
	if err != nil {
		return nil, err
	}
	f.artifacts, f.bytes, f.lost = artifacts, size, lost
	f.a.Remote.TaskID = u.task
	if u.context != "" {
		f.a.Remote.ContextID = u.context
	}
	if f.a.Delegation.Expired(at) && !f.expired {
		f.expired = true
		warn("S", CodeDelegationExpired, "the delegation lapsed at %s while the task was running", f.a.Delegation.ExpiresAt)
	}
	if u.kind == updateArtifact {
		return found, nil
	}
	f.a.Remote.State = shorten(remote)
	if !known {
		warn("P", CodeStateUnknown, "the state %s is not known", quote(u.state))
		return found, nil
	}
	if status == StatusSucceeded && f.a.Sent != nil {
		warn("P", CodeInvalidResponse, unjudged)
		return found, nil
	}
	if status == StatusSucceeded && lost {
		warn("P", CodeInvalidResponse, incomplete)
		return found, nil
	}
	f.a.Status = status
	switch status {
	case StatusSucceeded:
		f.a.Produced = produced
		found = append(found, unpaired...)
	case StatusFailed:
		f.a.Failure = &Failure{Code: code, Message: textOr(u.text, code)}
	}
	if f.a.Terminal() {
		f.a.EndedAt, f.a.Sent = timeText(at), nil
	}
	return found, nil
}

// Unreachable takes the failure of a request to reach the agent.
func (f *Follow) Unreachable(reason string, at time.Time) []Finding {
	return f.failed(CodeTransport, shorten(reason), at)
}

// failed takes an error: before there is a task it ends the attempt, afterwards it
// says nothing about the task.
func (f *Follow) failed(code Code, text string, at time.Time) []Finding {
	if f.a.Terminal() || f.a.Remote.TaskID != "" {
		return []Finding{{Code: code, Severity: SeverityWarning, Mark: "P", Text: textOr(text, code)}}
	}
	f.a.Status, f.a.Failure = StatusFailed, &Failure{Code: code, Message: textOr(text, code)}
	f.a.Remote.State, f.a.EndedAt, f.a.Sent = "", timeText(at), nil
	return nil
}

func textOr(text string, code Code) string {
	if text == "" {
		return code.Text()
	}
	return text
}

// message takes an answer without a task.
func (f *Follow) message(u update, at time.Time) {
	f.a.Remote.State, f.a.EndedAt, f.a.Sent = "", timeText(at), nil
	if u.context != "" {
		f.a.Remote.ContextID = u.context
	}
	f.a.Status = StatusSucceeded
	if len(f.want) > 0 {
		f.a.Status, f.a.Failure = StatusFailed, &Failure{Code: CodeNoTask, Message: CodeNoTask.Text()}
	}
}

// collect returns the artifacts after an update: a task brings all of its artifacts, an
// event a new one or more of one. After something was refused a task without a list has
// none.
func (f *Follow) collect(u update) ([]artifact, int, error) {
	all, size := slices.Clone(f.artifacts), f.bytes
	if u.hasList || f.lost && u.kind == updateTask {
		all, size = nil, 0
	}
	for _, v := range u.artifacts {
		id, _ := v.Get("artifactId").Str()
		name, _ := v.Get("name").Str()
		var parts []byte
		values := 0
		for i, p := range v.Get("parts").Items() {
			if i > 0 {
				parts = append(parts, ',')
			}
			parts = append(parts, p.Source()...)
			walk(p, func(strictjson.Value) { values++ })
		}
		i := slices.IndexFunc(all, func(a artifact) bool { return a.id == id })
		switch {
		case i < 0 && len(all) >= f.limits.Artifacts:
			return nil, 0, over("artifacts", f.limits.Artifacts)
		case i < 0:
			all, i = append(all, artifact{id: strings.Clone(id)}), len(all)
		case !u.append:
			size -= len(all[i].parts)
			all[i].parts, all[i].values = nil, 0
		}
		all[i].values += values
		size += len(parts) + 1
		if name != "" {
			size += len(name) - len(all[i].name)
			all[i].name = strings.Clone(name)
		}
		if size > f.limits.ArtifactBytes {
			return nil, 0, over("artifact bytes", f.limits.ArtifactBytes)
		}
		if len(all[i].parts) > 0 && len(parts) > 0 {
			// In place: the update before holds no more than its own length of it, and a
			// long artifact comes in thousands of events.
			parts = append(append(all[i].parts, ','), parts...)
		}
		if len(parts) > 0 {
			all[i].parts = parts
		}
	}
	return all, size, nil
}

// pair finds the assets among the artifacts: by name, then by artifactId. A single asset
// and a single artifact belong together in any case.
func (f *Follow) pair(artifacts []artifact, do bool) (produced []Produced, found []Finding, err error) {
	if !do {
		return nil, nil, nil
	}
	first := firstOf(f.want)
	of := make([]int, len(f.want)) // the artifact of an asset, from 1
	taken := make([]bool, len(artifacts))
	for _, named := range []func(artifact) string{
		func(a artifact) string { return a.name },
		func(a artifact) string { return a.id },
	} {
		for i, a := range artifacts {
			k, ok := first[named(a)]
			if ok && of[k] == 0 && !taken[i] {
				of[k], taken[i] = i+1, true
			}
		}
	}
	if len(f.want) == 1 && len(artifacts) == 1 && !taken[0] {
		of[0], taken[0] = 1, true
	}
	// As many values as a few updates bring. One for every other byte would take twenty
	// times the memory of the text. They were counted as they came, and are before any
	// artifact is made canonical: an agent can say many times that it is done.
	const updates = 4
	most := updates * f.limits.Values
	for i, a := range artifacts {
		if taken[i] && a.values >= most { // the list is one, too
			return nil, nil, over("values of an artifact", most)
		}
	}
	for k, asset := range f.want {
		if of[k] == 0 {
			if first[asset] == k { // not one that stands twice
				found = append(found, Finding{Code: CodeProducedMissing, Severity: SeverityWarning, Mark: "P", Text: "no artifact is the asset " + quote(asset)})
			}
			continue
		}
		a := artifacts[of[k]-1]
		text := slices.Concat([]byte{'['}, a.parts, []byte{']'})
		canonical, err := strictjson.Canonicalize(text, strictjson.Limits{
			Bytes: int64(f.limits.ArtifactBytes) + 2, Depth: f.limits.Depth, Values: most, Members: f.limits.Values,
		})
		if err != nil {
			return nil, nil, fromJSON(err)
		}
		produced = append(produced, Produced{Asset: asset, Artifact: a.id, SHA256: hexSum(canonical)})
	}
	for i, a := range artifacts {
		if !taken[i] {
			found = append(found, Finding{Code: CodeArtifactUnmapped, Severity: SeverityWarning, Mark: "P", Text: "the artifact " + quote(a.id) + " is none of the assets to be produced"})
		}
	}
	return produced, found, nil
}
