package owg

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// states maps the states of A2A tasks (section C.4): the names of version 1.0, and
// those in lower case.
var states = [...]struct {
	enum, name string
	status     Status
	code       Code
}{
	{"TASK_STATE_SUBMITTED", "submitted", StatusRunning, ""},
	{"TASK_STATE_WORKING", "working", StatusRunning, ""},
	{"TASK_STATE_INPUT_REQUIRED", "input-required", StatusRunning, ""},
	{"TASK_STATE_AUTH_REQUIRED", "auth-required", StatusRunning, ""},
	{"TASK_STATE_COMPLETED", "completed", StatusSucceeded, ""},
	{"TASK_STATE_FAILED", "failed", StatusFailed, CodeTaskFailed},
	{"TASK_STATE_CANCELED", "canceled", StatusFailed, CodeTaskCanceled},
	{"TASK_STATE_CANCELLED", "canceled", StatusFailed, CodeTaskCanceled}, // of version 0.3
	{"TASK_STATE_REJECTED", "rejected", StatusFailed, CodeTaskRejected},
}

// MapState maps the state of an A2A task to the status of the attempt, the text of
// remote.state, and the code of a failure, "" for none. ok is false for an unknown state,
// which changes nothing.
func MapState(state string) (status Status, remote string, code Code, ok bool) {
	for _, s := range states {
		if state == s.enum || state == s.name {
			return s.status, s.name, s.code, true
		}
	}
	return "", state, "", false
}

// rpcCodes maps errors of A2A (its section 5.4), by their number in JSON-RPC and
// their reason over HTTP.
var rpcCodes = [...]struct {
	number int64
	reason string
	code   Code
}{
	{-32001, "TASK_NOT_FOUND", CodeTaskNotFound},
	{-32004, "UNSUPPORTED_OPERATION", CodeUnsupportedOperation},
	{-32005, "CONTENT_TYPE_NOT_SUPPORTED", CodeContentType},
	{-32006, "INVALID_AGENT_RESPONSE", CodeInvalidResponse},
	{-32008, "EXTENSION_SUPPORT_REQUIRED", CodeExtensionRequired},
	{-32009, "VERSION_NOT_SUPPORTED", CodeVersion},
}

// updateKind says what an agent sent.
type updateKind uint8

const (
	updateTask updateKind = iota + 1
	updateMessage
	updateStatus
	updateArtifact
	updateError
)

// update is one thing that an agent sent, as far as attempts are concerned.
type update struct {
	kind            updateKind
	task, context   string
	state           string
	text            string // of the status or the error
	artifacts       []strictjson.Value
	append, hasList bool
	code            Code // of an error
}

// readUpdate reads a Task, a Message, an event of a stream, or the answer to a
// request: its result or its error, of JSON-RPC or HTTP.
func readUpdate(data []byte, limits Limits) (update, error) {
	root, err := parse(data, limits.json(limits.UpdateBytes), "an answer of A2A", CodeInvalidResponse)
	if err != nil {
		return update{}, err
	}
	failed, result := present(root, "error"), present(root, "result")
	switch {
	case failed.Exists() && result.Exists():
		return update{}, refuseAt(root, CodeInvalidResponse, "expected a result or an error, found both")
	case failed.Exists():
		return readError(failed)
	case result.Exists():
		root = result
	case root.Get("jsonrpc").Exists():
		return update{}, refuseAt(root, CodeInvalidResponse, "expected a result or an error")
	case root.Get("code").Kind() == strictjson.Number && root.Get("message").Kind() == strictjson.String:
		return readError(root)
	}
	if root.Kind() != strictjson.Object {
		return update{}, refuseAt(root, CodeInvalidResponse, "expected a result, which is an object, found %s", root.Kind())
	}
	var u update
	var v strictjson.Value
	for _, form := range []struct {
		name string
		kind updateKind
	}{{"task", updateTask}, {"message", updateMessage}, {"statusUpdate", updateStatus}, {"artifactUpdate", updateArtifact}} {
		m := present(root, form.name)
		if !m.Exists() {
			continue
		}
		if v.Exists() {
			return u, refuseAt(root, CodeInvalidResponse, "expected one of task, message, statusUpdate and artifactUpdate, found two")
		}
		u.kind, v = form.kind, m
	}
	if !v.Exists() {
		u.kind, v = bare(root), root
	}
	if u.kind == 0 || v.Kind() != strictjson.Object {
		return u, refuseAt(v, CodeInvalidResponse, "expected a task, a message or an event of a stream")
	}
	return u, u.read(v)
}

// present returns a member that is not null.
func present(v strictjson.Value, name string) strictjson.Value {
	if m := v.Get(name); !m.IsNull() {
		return m
	}
	return strictjson.Value{}
}

// bare says what an object is that comes without a wrapper.
func bare(v strictjson.Value) updateKind {
	switch kind, _ := v.Get("kind").Str(); kind { // of version 0.3
	case "task":
		return updateTask
	case "message":
		return updateMessage
	case "status-update":
		return updateStatus
	case "artifact-update":
		return updateArtifact
	}
	switch {
	case v.Get("messageId").Exists():
		return updateMessage
	case v.Get("id").Exists() && v.Get("status").Exists():
		return updateTask
	case v.Get("taskId").Exists() && v.Get("status").Exists():
		return updateStatus
	case v.Get("taskId").Exists() && v.Get("artifact").Exists():
		return updateArtifact
	}
	return 0
}

// read reads a task, a message or an event.
func (u *update) read(v strictjson.Value) error {
	id := "taskId"
	if u.kind == updateTask {
		id = "id"
	}
	var err error
	if u.task, err = textOf(v, id, u.kind != updateMessage); err != nil {
		return err
	}
	if u.context, err = textOf(v, "contextId", false); err != nil {
		return err
	}
	for _, id := range []string{u.task, u.context} {
		if err := shortID(v, id); err != nil {
			return err
		}
	}
	if u.kind == updateTask || u.kind == updateStatus {
		status := v.Get("status")
		if u.state, err = textOf(status, "state", true); err != nil {
			return err
		}
		u.text = firstText(status.Get("message"))
	}
	switch u.kind {
	case updateTask:
		all := present(v, "artifacts")
		if all.Exists() && all.Kind() != strictjson.Array {
			return refuseAt(all, CodeInvalidResponse, "expected an array of artifacts, found %s", all.Kind())
		}
		u.hasList = all.Exists()
		for _, a := range all.Items() {
			u.artifacts = append(u.artifacts, a)
		}
	case updateArtifact:
		u.artifacts = []strictjson.Value{v.Get("artifact")}
		more := present(v, "append")
		ok := !more.Exists()
		if !ok {
			u.append, ok = more.Bool()
		}
		if !ok {
			return refuseAt(more, CodeInvalidResponse, "expected true or false for append, found %s", more.Kind())
		}
	}
	ids := map[string]bool{}
	for _, a := range u.artifacts {
		id, err := textOf(a, "artifactId", true)
		if err == nil {
			err = shortID(a, id)
		}
		if err != nil {
			return err
		}
		if ids[id] { // readers would take one or the other
			return refuseAt(a, CodeInvalidResponse, "expected each artifact once, found %s twice", quote(id))
		}
		ids[id] = true
		if _, err := textOf(a, "name", false); err != nil {
			return err
		}
		if parts := a.Get("parts"); parts.Kind() != strictjson.Array {
			return refuseAt(a, CodeInvalidResponse, "expected the parts of an artifact, an array")
		}
	}
	return nil
}

// maxID bounds the ids that an agent chooses, in bytes: a few long ones would fill the
// record that keeps them.
const maxID = 1000

// shortID refuses a long id.
func shortID(v strictjson.Value, id string) error {
	if len(id) > maxID {
		return refuseAt(v, CodeInvalidResponse, "expected ids of at most %d bytes, found one of %d", maxID, len(id))
	}
	return nil
}

// textOf reads a string of an update; one that may be absent may also be null or "".
func textOf(v strictjson.Value, name string, need bool) (string, error) {
	m := v.Get(name)
	s, ok := m.Str()
	switch {
	case ok && (s != "" || !need):
		return strings.Clone(s), nil // an attempt does not keep the update
	case !need && (!m.Exists() || m.IsNull()):
		return "", nil
	case !m.Exists():
		m = v
	}
	return "", refuseAt(m, CodeInvalidResponse, "expected a string for %s, found %s", name, v.Get(name).Kind())
}

// firstText returns the first text of a message.
func firstText(message strictjson.Value) string {
	for _, p := range message.Get("parts").Items() {
		if s, ok := p.Get("text").Str(); ok {
			return shorten(s)
		}
	}
	return ""
}

// shorten cuts a text from outside to the length that a record keeps.
func shorten(s string) string {
	const most = 1000
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strings.Clone(s)
}

// readError reads an error of JSON-RPC, or of HTTP as A2A has it: with the reason in
// its details.
func readError(v strictjson.Value) (update, error) {
	u := update{kind: updateError, code: CodeRPCError}
	number, ok := v.Get("code").Int64()
	if !ok {
		return u, refuseAt(v, CodeInvalidResponse, "expected an error with a number as its code")
	}
	var reason string
	for _, d := range v.Get("details").Items() {
		if s, ok := d.Get("reason").Str(); ok {
			reason = s
			break
		}
	}
	for _, c := range rpcCodes {
		if c.number == number || reason != "" && c.reason == reason {
			u.code = c.code
			break
		}
	}
	if s, ok := v.Get("message").Str(); ok {
		u.text = shorten(s)
	}
	return u, nil
}
