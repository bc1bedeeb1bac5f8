package service

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/owg"
)

// journal is the run record of a workflow in a file; with no file it keeps nothing.
// Every change reads the file again, under a lock on its folder: several tasks of one
// run may be handed over at a time.
type journal struct {
	file     string
	workflow *owg.Workflow
	next     int // the number of an attempt that begins now, as of last
}

// openJournal returns the journal in a file. A link is followed once: what is replaced at
// a change is the record and not the link to it, and all that name it lock one folder.
// What is no regular file is refused: it would be replaced by one.
func openJournal(file string, w *owg.Workflow) (journal, error) {
	j := journal{file: file, workflow: w}
	if file == "" {
		return j, nil
	}
	info, err := os.Lstat(file)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if j.file, err = filepath.EvalSymlinks(file); err != nil {
			return j, cli.Fail(cli.StatusCall, "unreadable", legible.Printable(file)+": the link leads to no record")
		}
		info, err = os.Stat(j.file)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j, nil // a record to begin
	case err != nil:
		return j, err
	case !info.Mode().IsRegular():
		return j, cli.Fail(cli.StatusCall, "unreadable", legible.Printable(file)+": expected a regular file for the record")
	}
	return j, nil
}

// load reads the record, nil for none.
func (j *journal) load() ([]byte, *owg.Record, error) {
	if j.file == "" {
		return nil, nil, nil
	}
	data, err := readFile(j.file, owg.DefaultLimits().RecordBytes)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := owg.ParseRecord(data, owg.Limits{})
	if err != nil {
		return nil, nil, cli.InFile(j.file, err)
	}
	if j.workflow != nil && r.Workflow != j.workflow.ID() {
		return nil, nil, cli.InFile(j.file, &owg.Error{
			Code: owg.CodeRecord, Text: "expected a record of the workflow " + quote(j.workflow.ID()) + ", found one of " + quote(r.Workflow),
		})
	}
	return data, r, nil
}

// last returns the attempt at a task that has not ended, or else the latest one, nil for
// none.
func (j *journal) last(task string) (*owg.Attempt, error) {
	j.next = 1
	_, r, err := j.load()
	if err != nil || r == nil {
		return nil, err
	}
	j.next = r.Next(task)
	var last *owg.Attempt
	for i := range r.Attempts {
		switch a := &r.Attempts[i]; {
		case a.Task != task:
		case last == nil, !a.Terminal(), last.Terminal() && a.Number > last.Number:
			last = a
		}
	}
	return last, nil
}

// claimAnswer makes this call the only one that answers what the agent asks about a task,
// until it releases the claim: several calls would each see the question and answer it. A
// call that is killed leaves a file and no claim.
func (j *journal) claimAnswer(task string) (release func(), err error) {
	claim := fmt.Sprintf(".%s.%x.answer", filepath.Base(j.file), sha256.Sum256([]byte(task)))
	release, ok, err := lockFile(filepath.Join(filepath.Dir(j.file), claim))
	switch {
	case err != nil:
		return nil, j.failed(err)
	case !ok:
		return nil, cli.Fail(cli.StatusNothing, string(CommandInProgress), "another call with --answer goes on with the attempt")
	}
	return release, nil
}

// begin puts a new attempt into the record, and returns it with its number. Of two calls
// at a time one gets to begin: also where that one's attempt is over by then.
func (j *journal) begin(a owg.Attempt) (owg.Attempt, error) {
	err := j.change(func(data []byte, r *owg.Record) ([]byte, error) {
		a.Number = 1
		if r != nil {
			a.Number = r.Next(a.Task)
		}
		if a.Number != j.next {
			return nil, cli.Fail(cli.StatusNothing, string(CommandInProgress), "another attempt at the task has begun in the meantime")
		}
		return owg.AppendAttempt(data, j.workflow, a, owg.Limits{})
	})
	return a, err
}

// put keeps an attempt as it is now. Where another call follows the same remote task and
// saw its end first, the record stays as that call wrote it.
func (j *journal) put(a owg.Attempt) error {
	return j.change(func(data []byte, r *owg.Record) ([]byte, error) {
		if r != nil && seenToEnd(r, &a) {
			return data, nil
		}
		return owg.AppendAttempt(data, j.workflow, a, owg.Limits{})
	})
}

func seenToEnd(r *owg.Record, a *owg.Attempt) bool {
	for i := range r.Attempts {
		b := &r.Attempts[i]
		if b.Task == a.Task && b.Number == a.Number {
			return b.Terminal() && a.Remote.TaskID != "" && b.Remote.TaskID == a.Remote.TaskID && (!a.Terminal() || a.Status == b.Status)
		}
	}
	return false
}

func (j *journal) change(f func(data []byte, r *owg.Record) ([]byte, error)) error {
	if j.file == "" {
		_, err := f(nil, nil)
		return err
	}
	folder, err := cli.LockFolder(filepath.Dir(j.file))
	if err != nil {
		return j.failed(err)
	}
	defer folder.Close() // and with it the lock
	data, r, err := j.load()
	if err != nil {
		return err
	}
	after, err := f(data, r)
	if err != nil {
		return cli.InFile(j.file, err)
	}
	if bytes.Equal(after, data) && len(data) > 0 {
		return nil
	}
	if err := replaceFile(j.file, after, folder); err != nil {
		return j.failed(err)
	}
	return nil
}

func (j *journal) failed(err error) error {
	text := err.Error()
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		text = path.Err.Error()
	}
	return cli.Fail(cli.StatusCall, "write-failed", legible.Printable(j.file)+": cannot write the record: "+text)
}

// received returns the delegation under which the workflow runs by a record, see
// [owg.Record.Under]. It is nil where the record has none, which is an error when it was
// named.
func received(file string, r *owg.Record, taskID string, named bool) (*owg.Delegation, error) {
	if r == nil {
		r = &owg.Record{}
	}
	d, err := r.Under(taskID)
	if err == nil && d == nil && named {
		err = &owg.Error{Code: owg.CodeRecord, Text: "the record has no hand-off that was accepted"}
	}
	if err != nil {
		return nil, cli.InFile(file, err)
	}
	return d, nil
}

// replaceFile writes a file as a whole or not at all, and has it on the disk when it
// returns: readers see the old one or the new one, also after a crash.
func replaceFile(file string, data []byte, folder *os.File) error {
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	// One name, which the lock makes ours: what a process that was killed left is replaced.
	next := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".next")
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(folder)
}
