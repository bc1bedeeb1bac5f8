package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/owg"
)

func (a *app) owgMapStateCommand() *cobra.Command {
	var (
		in     *cardInput
		at     func() (time.Time, error)
		file   string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "map-state FILE TASK UPDATE...",
		Short: "turn what an agent answered into the attempt at a task",
		Long: `Turns what an agent answered about a task, in the order of the answers, into the
attempt at it, and prints that as run records have it. An UPDATE is a file with
a Task of A2A, a Message, an event of a stream, or the answer to a request.

With --record the running attempt goes on, or a new one begins, and the record
is written; only an older record is ever overwritten. An unknown state changes
nothing, and an attempt that has ended changes no more; both cause a warning.

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
			if err := notEmpty(cmd, "record"); err != nil {
				return err
			}
			if file == "-" {
				return usageError(cmd, "--record: expected a file, which is read and written, found standard input")
			}
			now, err := at()
			if err != nil {
				return err
			}
			w, err := in.workflow(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			task, _ := w.Task(args[1])
			var record []byte
			if file != "" {
				if record, err = in.bytes(cmd.Context(), file); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
			number, last := 1, (*owg.Attempt)(nil)
			if len(record) > 0 {
				r, err := owg.ParseRecord(record, in.limits.owg)
				if err != nil {
					return &inFile{display(file), err}
				}
				number = r.Next(args[1])
				for i := range r.Attempts {
					if x := &r.Attempts[i]; x.Task == args[1] && x.Number == number-1 && !x.Terminal() {
						last = x
					}
				}
			}
			attempt, err := w.Attempt(args[1], number, now)
			if err != nil {
				return &inFile{display(args[0]), err}
			}
			if last != nil {
				attempt = *last
			}
			follow := owg.NewFollow(attempt, task.Produced, in.limits.owg)
			var found []owg.Finding
			for _, update := range args[2:] {
				data, err := in.bytes(cmd.Context(), update)
				if err != nil {
					return err
				}
				f, err := follow.Update(data, now)
				if err != nil {
					return &inFile{display(update), err}
				}
				a.warnings(update, f)
				found = append(found, f...)
			}
			attempt = follow.Attempt()
			if file != "" {
				if record, err = owg.AppendAttempt(record, w, attempt, in.limits.owg); err != nil {
					return &inFile{display(file), err}
				}
				err := in.input().writeRecord(cmd.Context(), file, record, func(old []byte) error {
					_, err := owg.ParseRecord(old, in.limits.owg)
					return err
				})
				if err != nil {
					return err
				}
			}
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
			_, err = a.out.Write(append(visible(text), '\n'))
			return err
		},
	}
	a.inJSON(cmd, &asJSON)
	in = a.addCardFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&file, "record", "", "go on with the run record in this `FILE`, and write it")
	f.BoolVar(&asJSON, "json", false, "print a verdict with the attempt and what was found as JSON")
	at = atFlag(cmd, "of the answers")
	spellAtAsNow(cmd)
	return cmd
}
