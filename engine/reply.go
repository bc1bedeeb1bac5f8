package engine

import "github.com/rdfproto/rdfproto/protocol"

// TaskState is where a task of the peer stands, as far as the extension cares.
type TaskState uint8

// The states. The zero TaskState is that of a reply without a task.
const (
	NoTask        TaskState = iota
	TaskWorking             // submitted or working
	TaskInput               // input or authentication is required: what its message asks for
	TaskCompleted           // completed
	TaskFailed              // failed, rejected or canceled
)

// Reply is what came back for a message: a message, a task, an error, or nothing. The
// zero Reply is nothing: a deadline that passed, a connection that broke.
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
	// [ErrorCode]. "" for none. It is not read of a success.
	Code protocol.Code
	// Text is what the error says.
	Text string
	// Challenge is the one that came with an error, nil for none.
	Challenge *Challenge
}
