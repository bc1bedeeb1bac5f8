package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/owg"
)

// note tells on standard error how things go.
func (f *following) note(text string) {
	fmt.Fprintf(f.streams.Err, "rdfprotod: %s: %s\n", legible.Printable(f.task.ID), legible.Printable(text))
}

// tell tells the state of the attempt when it is another than before.
func (f *following) tell() {
	a := f.follow.Attempt()
	state := a.Remote.State
	if state == "" {
		state = string(a.Status)
	}
	if state == f.shown {
		return
	}
	f.shown = state
	if f.lines++; f.lines == maxTold {
		f.note("no more changes of its state are shown")
	}
	if f.lines >= maxTold && !a.Terminal() && !waits(&a) {
		return
	}
	f.note(fmt.Sprintf("attempt %d: %s", a.Number, state))
	for _, text := range f.asked {
		f.note("the agent asks: " + text)
	}
}

// maxTold bounds how many changes of the state, and how many findings, are shown: an
// agent can send any number of them.
const maxTold = 100

// found keeps what was found and warns of it, of the same thing once.
func (f *following) found(all []owg.Finding) {
	for _, x := range all {
		if n := len(f.findings); n > 0 && f.findings[n-1].Code == x.Code && f.findings[n-1].Text == x.Text {
			continue
		}
		if len(f.findings) == maxTold {
			f.note("no more of what is found is shown")
			f.findings = append(f.findings, x)
		}
		if len(f.findings) > maxTold {
			f.findings[maxTold] = x // the last is known
			continue
		}
		f.findings = append(f.findings, x)
		fmt.Fprintf(f.streams.Err, "rdfprotod: %s: %s [%s]\n", x.Severity, legible.Printable(x.Text), x.Code)
	}
}

// outcome says what the attempt came to: the exit status, and why.
func (f *following) outcome(interrupted bool) (status cli.Status, code, message string) {
	a := f.follow.Attempt()
	switch {
	case f.givenUp:
		return cli.StatusYes, "", "the attempt is given up"
	case a.Status == owg.StatusSucceeded:
		return cli.StatusYes, "", "the task succeeded"
	case a.Status == owg.StatusFailed && a.Failure.Code == owg.CodeTransport:
		return cli.StatusCall, string(a.Failure.Code), "the task failed: " + a.Failure.Message
	case a.Status == owg.StatusFailed:
		return cli.StatusNo, string(a.Failure.Code), "the task failed: " + a.Failure.Message
	case a.Remote.TaskID == "" && a.Sent == nil:
		return cli.StatusNothing, string(CommandNotKnown), notKnown
	case interrupted:
		return cli.StatusNothing, "interrupted", "interrupted; the task was not canceled, and the attempt is still running"
	case a.Remote.State == inputRequired && a.Sent != nil:
		return cli.StatusNothing, string(CommandInputRequired), "the agent asks for input, and no answer goes with an intent: call again with --record once it has it in another way"
	case a.Remote.State == inputRequired:
		return cli.StatusNothing, string(CommandInputRequired), "the agent asks for input: call again with --record and --answer"
	case a.Remote.State == authRequired:
		return cli.StatusNothing, string(CommandAuthRequired), "the agent asks for an authorization that A2A does not carry: call again with --record once it is given"
	case f.late:
		return cli.StatusNothing, string(CommandTimeout), "the time to follow the task is up; the attempt is still running"
	}
	return cli.StatusNothing, string(CommandRunning), "the attempt is still running"
}

// report asks for the cancellation after an interrupt, prints the attempt, and ends with
// what it came to. failed is what went wrong on the way.
func (v *handOver) report(ctx context.Context, failed error) error {
	f := v.run
	if ctx.Err() != nil {
		f.cancel(ctx)
	}
	if f.unkept != nil {
		_ = f.keep()
	}
	status, code, message := f.outcome(ctx.Err() != nil)
	failed = errors.Join(failed, f.unkept)
	if failed != nil {
		for _, d := range cli.Diagnose(failed) {
			if d.Status >= status || status == cli.StatusNothing {
				status, code, message = d.Status, d.Code, d.Text
			}
		}
	}
	a := f.follow.Attempt()
	a.Sent = nil // a chain of credentials is for the agent, and for the record until it answered
	line := append(cli.Visible(a.Append(nil)), '\n')
	if v.asJSON {
		more, err := cli.Marshal(struct {
			Attempt  json.RawMessage `json:"attempt"`
			Findings []owg.Finding   `json:"findings"`
			Asked    []string        `json:"asked,omitempty"`
		}{line[:len(line)-1], append([]owg.Finding{}, f.findings...), f.asked})
		if err != nil {
			return err
		}
		if line, err = cli.VerdictJSON(status, code, message, more); err != nil {
			return err
		}
	}
	if _, err := v.streams.Out.Write(line); err != nil {
		return cli.Fail(cli.StatusCall, "write-failed", "cannot write the result: "+err.Error())
	}
	switch {
	case v.asJSON:
		return cli.Ended(status)
	case failed != nil:
		return failed
	case status == cli.StatusYes:
		return nil
	}
	return cli.Fail(status, code, message)
}

// notKnown is said of an attempt without a remote task.
const notKnown = "whether the agent got the task is not known, and it is not sent again; --abandon ends the attempt"
