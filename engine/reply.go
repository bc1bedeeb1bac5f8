package engine

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// TaskState is the state of a peer's task, as far as it matters to the extension.
type TaskState uint8

// The states. The zero TaskState stands for a reply without a task.
const (
	NoTask        TaskState = iota
	TaskWorking             // submitted or working
	TaskInput               // input or authentication is required: what its message asks for
	TaskCompleted           // completed
	TaskFailed              // failed, rejected or canceled
)

// Reply is what came back for a message: a message, a task, an error, or nothing. The
// zero Reply stands for nothing: a deadline passed, a connection broke.
type Reply struct {
	// Message is the message, or that of the task's status; nil for none.
	Message *Message
	// State, TaskID, ContextID and Artifacts are of a task.
	State             TaskState
	TaskID, ContextID string
	Artifacts         []Artifact
	// Failed reports an error of the binding instead of a message or task.
	Failed bool
	// Code is what the error, or the failed task, says under the extension's key: see
	// [ErrorCode]. "" for none. It is ignored for a success.
	Code protocol.Code
	// Text is what the error says.
	Text string
	// Challenge is the one that came with an error, nil for none.
	Challenge *Challenge
}

// Texts and details of errors beyond these bounds are not read (a2a-rdf, section 8.2).
const (
	maxErrorText    = 8 << 10
	maxErrorDetails = 64 << 10
)

// ErrorCode reads the details of an error of JSON-RPC or HTTP+JSON, or the metadata of
// a message or an event, as JSON text: the code under the extension's key, and the
// challenge, where they stand in each detail at the top, under "value" or under
// "metadata" (a2a-rdf, section 8.3). A code that is no string, or that is not one of
// the extension's, counts as none.
func ErrorCode(details []byte) (protocol.Code, *Challenge) {
	root, err := strictjson.Parse(details, strictjson.Limits{Bytes: maxErrorDetails, Depth: maxNesting})
	if err != nil {
		return "", nil
	}
	return errorCode(root)
}

func errorCode(root strictjson.Value) (code protocol.Code, c *Challenge) {
	keys, _ := protocol.KeysOf(protocol.ExtensionURI)
	look := func(detail strictjson.Value) {
		for _, v := range [...]strictjson.Value{detail, detail.Get("value"), detail.Get("metadata")} {
			if s, ok := v.Get(keys.Error).Str(); ok && code == "" {
				if _, known := protocol.Code(s).Status(); known {
					code = protocol.Code(strings.Clone(s))
				}
			}
			if c == nil {
				c = readChallenge(v.Get(keys.Challenge))
			}
		}
	}
	if root.Kind() != strictjson.Array { // never written, read leniently
		look(root)
	}
	for _, detail := range root.Items() {
		look(detail)
	}
	return code, c
}

// ParseReply reads what came back for a message as JSON of A2A 1.0: the response of
// SendMessage, that is a message or a task in an object with that name, or a task by
// itself, or the response of JSON-RPC or the body of an error of HTTP around it. It fails
// with a [*protocol.Error]; the zero Reply that it then returns stands for a reply that
// says nothing.
func ParseReply(data []byte, l Limits) (Reply, error) {
	l = l.orDefault()
	root, err := parseJSON(data, l.Message)
	if err != nil {
		return Reply{}, err
	}
	if failed := root.Get("error"); failed.Exists() {
		text, _ := failed.Get("message").Str()
		code, c := errorCode(failed.Get("data"))
		if code == "" && c == nil {
			code, c = errorCode(failed.Get("details")) // google.rpc.Status, in HTTP+JSON
		}
		return Reply{Failed: true, Code: code, Challenge: c, Text: cut(text, maxErrorText)}, nil
	}
	if result := root.Get("result"); result.Exists() {
		root = result
	}
	message, task := root.Get("message"), root.Get("task")
	switch {
	case message.Exists() && task.Exists():
		return Reply{}, malformed("expected a message or a task, found both")
	case message.Exists():
		m, err := readMessage(message, l)
		if err != nil {
			return Reply{}, err
		}
		return Reply{Message: &m}, nil
	case task.Exists():
		return readTask(task, l)
	case root.Get("status").Exists():
		return readTask(root, l)
	}
	return Reply{}, malformed("expected a message, a task or an error")
}

// taskStates are the states of A2A 1.0. Those of a task that was rejected or canceled
// are read as failed (a2a-rdf, section 8.3).
var taskStates = map[string]TaskState{
	"TASK_STATE_SUBMITTED": TaskWorking, "TASK_STATE_WORKING": TaskWorking,
	"TASK_STATE_INPUT_REQUIRED": TaskInput, "TASK_STATE_AUTH_REQUIRED": TaskInput,
	"TASK_STATE_COMPLETED": TaskCompleted,
	"TASK_STATE_FAILED":    TaskFailed, "TASK_STATE_REJECTED": TaskFailed, "TASK_STATE_CANCELED": TaskFailed,
}

func readTask(v strictjson.Value, l Limits) (Reply, error) {
	var r Reply
	if err := checkNames(v, "a task", []string{"id", "contextId", "status", "artifacts"}); err != nil {
		return r, err
	}
	var err error
	if r.TaskID, err = optionalText(v, "id"); err != nil {
		return Reply{}, err
	}
	if r.ContextID, err = optionalText(v, "contextId"); err != nil {
		return Reply{}, err
	}
	state, _ := v.Get("status").Get("state").Str()
	var known bool
	if r.State, known = taskStates[state]; !known {
		return Reply{}, malformed("expected a state of a task, found " + quoted(state))
	}
	if m := v.Get("status").Get("message"); m.Exists() && !m.IsNull() {
		message, err := readMessage(m, l)
		if err != nil {
			return Reply{}, err
		}
		r.Message = &message
	}
	artifacts := v.Get("artifacts")
	switch {
	case artifacts.Exists() && !artifacts.IsNull() && artifacts.Kind() != strictjson.Array:
		return Reply{}, memberError(v, "artifacts", "an array")
	case artifacts.Len() > l.Parts:
		return Reply{}, tooMany("artifacts", l.Parts, artifacts.Len())
	}
	for _, a := range artifacts.Items() {
		artifact, err := readArtifact(a, l)
		if err != nil {
			return Reply{}, err
		}
		r.Artifacts = append(r.Artifacts, artifact)
	}
	if r.State == TaskFailed {
		if r.Message != nil {
			r.Code, r.Challenge = ErrorCode(r.Message.Metadata)
		}
		if r.Code == "" && r.Challenge == nil { // a task keeps the metadata of its events
			r.Code, r.Challenge = errorCode(v.Get("metadata"))
		}
	}
	return r, nil
}
