package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/owg"
)

// stateMapping is a call of owg map-state.
type stateMapping struct {
	in     *cardInput
	at     func() (time.Time, error)
	file   string // the run record, "" for none
	asJSON bool

	workflow *owg.Workflow
	updates  [][]byte
	record   []byte // as it was read, nil for none
	now      time.Time
}

func (a *app) owgMapStateCommand() *cobra.Command {
	m := &stateMapping{}
	cmd := &cobra.Command{
		Use:   "map-state FILE TASK UPDATE...",
		Short: "turn what an agent answered into the attempt at a task",
		Long: `Turns what an agent answered about a task, in the order of the answers, into the
attempt at it, and prints that as run records have it. An UPDATE is a file with
a Task of A2A, a Message, an event of a stream, or the answer to a request.

With --record the running attempt goes on, or a new one begins, and the record
is written; only an older record is ever overwritten. An unknown state changes
nothing, and an attempt that has ended changes no more; both cause a warning.
News of a remote task whose attempt has ended begin no other, and are none of
one that runs.

Exit status: 0 the attempt was written, whatever became of it, 1 the workflow
has no such task or the record does not allow it, 3 refused.`,
		Example: `  rdfproto owg map-state season.json dub task-working.json task-completed.json
  rdfproto owg map-state --record run.json season.json dub task-working.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return usageError(cmd, "an UPDATE is missing")
			}
			return fileAnd("a TASK")(cmd, args[:min(len(args), 2)])
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			file, task, updates := args[0], args[1], args[2:]
			if err := m.read(cmd, file, updates); err != nil {
				return err
			}
			unlock, err := m.open(cmd)
			if err != nil {
				return err
			}
			defer unlock()
			attempt, err := m.attempt(file, task)
			if err != nil {
				return err
			}
			produced, _ := m.workflow.Task(task)
			follow := owg.NewFollow(attempt, produced.Produced, m.in.limits.owg)
			found, err := m.update(follow, updates)
			if err != nil {
				return err
			}
			attempt = follow.Attempt()
			if err := m.keep(cmd, attempt); err != nil {
				return err
			}
			return a.attemptOut(attempt, found, m.asJSON)
		},
	}
	a.inJSON(cmd, &m.asJSON)
	m.in = a.addCardFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&m.file, "record", "", "go on with the run record in this `FILE`, and write it")
	f.BoolVar(&m.asJSON, "json", false, "print a verdict with the attempt and what was found as JSON")
	m.at = atFlag(cmd, "of the answers")
	spellAtAsNow(cmd)
	return cmd
}

// read reads the workflow and the agent's answers.
func (m *stateMapping) read(cmd *cobra.Command, workflow string, updates []string) error {
	if m.file == "-" {
		return usageError(cmd, "--record: expected a file, which is read and written, found standard input")
	}
	var err error
	if m.now, err = m.at(); err != nil {
		return err
	}
	if m.workflow, err = m.in.workflow(cmd.Context(), workflow); err != nil {
		return err
	}
	m.updates = make([][]byte, len(updates))
	for i, file := range updates {
		if m.updates[i], err = m.in.bytes(cmd.Context(), file, m.in.limits.owg.UpdateBytes); err != nil {
			return err
		}
	}
	return nil
}

// open reads the record where there is one, which is nobody else's to write until unlock is
// called: an attempt that owg run began in between would be lost, and its task handed over
// once more.
func (m *stateMapping) open(cmd *cobra.Command) (unlock func(), err error) {
	if m.file == "" {
		return func() {}, nil
	}
	unlock, err = lockRecord(m.file)
	if err != nil {
		return nil, err
	}
	m.record, err = m.in.bytes(cmd.Context(), m.file, m.in.limits.owg.RecordBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // else a record to begin
		unlock()
		return nil, err
	}
	return unlock, nil
}

// attempt returns the attempt that the answers are news of: the one at the task that the
// record says is running, else a new one. Where its remote task is not known yet, and the
// answers name that of an attempt that has ended, they are news of that.
func (m *stateMapping) attempt(workflow, task string) (owg.Attempt, error) {
	number, ended, running := 1, []owg.Attempt(nil), (*owg.Attempt)(nil)
	if len(m.record) > 0 {
		r, err := owg.ParseRecord(m.record, m.in.limits.owg)
		if err != nil {
			return owg.Attempt{}, &inFile{display(m.file), err}
		}
		number = r.Next(task)
		for _, x := range r.Attempts {
			switch {
			case x.Task != task:
			case x.Terminal():
				ended = append(ended, x)
			case x.Number == number-1:
				running = &x
			}
		}
	}
	attempt, err := m.workflow.Attempt(task, number, m.now)
	if err != nil {
		return attempt, &inFile{display(workflow), err}
	}
	if running != nil {
		attempt = *running
	}
	if attempt.Remote.TaskID != "" {
		return attempt, nil
	}
	news := owg.NewFollow(attempt, nil, m.in.limits.owg)
	for _, u := range m.updates {
		_, _ = news.Update(u, m.now) // what is wrong with it is said when it is taken
	}
	remote := news.Attempt().Remote.TaskID
	if i := slices.IndexFunc(ended, func(x owg.Attempt) bool { return remote != "" && x.Remote.TaskID == remote }); i >= 0 {
		return ended[i], nil
	}
	return attempt, nil
}

// update takes the agent's answers, which were in files, in order.
func (m *stateMapping) update(follow *owg.Follow, files []string) ([]owg.Finding, error) {
	var found []owg.Finding
	for i, file := range files {
		f, err := follow.Update(m.updates[i], m.now)
		if err != nil {
			return nil, &inFile{display(file), err}
		}
		m.in.app.warnings(file, f)
		found = append(found, f...)
	}
	return found, nil
}

// keep writes the record with the attempt, where one was asked for.
func (m *stateMapping) keep(cmd *cobra.Command, attempt owg.Attempt) error {
	if m.file == "" {
		return nil
	}
	record, err := owg.AppendAttempt(m.record, m.workflow, attempt, m.in.limits.owg)
	if err != nil {
		return &inFile{display(m.file), err}
	}
	return m.in.input().writeRecord(cmd.Context(), m.file, record, m.in.limits.owg.RecordBytes, func(old []byte) error {
		_, err := owg.ParseRecord(old, m.in.limits.owg)
		return err
	})
}

// attemptOut writes an attempt as run records have it.
func (a *app) attemptOut(attempt owg.Attempt, found []owg.Finding, asJSON bool) error {
	text := attempt.Append(nil)
	if asJSON {
		more, err := marshal(struct {
			Attempt  json.RawMessage `json:"attempt"`
			Findings []owg.Finding   `json:"findings"`
		}{text, append([]owg.Finding{}, found...)})
		if err != nil {
			return err
		}
		return a.json(verdict{Status: StatusYes, Message: string(attempt.Status)}, more)
	}
	_, err := a.out.Write(append(visible(text), '\n'))
	return err
}
