package oracle

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// The environment variables that the tests look at, see the package.
const (
	PeersVariable  = "RDFPROTO_PEERS"
	InputsVariable = "RDFPROTO_DIFFERENTIAL"
	FromVariable   = "RDFPROTO_DIFFERENTIAL_FROM"
)

// patience is how long a process may take for one answer. Implementations
// without a bound on their work may take for ever; none needs a second, but the machine may be busy.
const patience = 15 * time.Second

//go:embed node.mjs
var script string

// Seeds returns the seeds of the inputs that a test makes for each
// implementation: as many as RDFPROTO_DIFFERENTIAL says, or short, from
// RDFPROTO_DIFFERENTIAL_FROM on, or from zero. It fails t for what is no number.
func Seeds(t testing.TB, short uint64) iter.Seq[uint64] {
	t.Helper()
	from, n := number(t, FromVariable, 0), number(t, InputsVariable, short)
	if n == 0 {
		t.Fatalf("%s: expected how many inputs are made, found 0", InputsVariable)
	}
	return func(yield func(uint64) bool) {
		for i := range n {
			if !yield(from + i) {
				return
			}
		}
	}
}

// number reads an environment variable.
func number(t testing.TB, variable string, missing uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return missing
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		t.Fatalf("%s: expected a number, found %q", variable, text)
	}
	return n
}

// Process is a running program that answers questions, one line of JSON each. It
// is started again when it ended or did not answer. It is not safe for
// concurrent use.
type Process struct {
	t       testing.TB
	command func() *exec.Cmd
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  *bytes.Buffer
}

// Node starts the implementations for Node.js. Without them it skips t.
func Node(t testing.TB) *Process {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil || os.Getenv(PeersVariable) == "" {
		t.Skipf("no other implementations here: this test needs node and %s, the folder whose node_modules hold them", PeersVariable)
	}
	return Start(t, func() *exec.Cmd { return exec.Command(node, "--input-type=module", "--eval", script) })
}

// Start starts a program. It ends with t.
func Start(t testing.TB, command func() *exec.Cmd) *Process {
	t.Helper()
	p := &Process{t: t, command: command}
	t.Cleanup(p.end)
	return p
}

func (p *Process) begin() {
	p.cmd, p.stderr = p.command(), &bytes.Buffer{}
	p.cmd.Stderr = p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	p.out = bufio.NewReaderSize(out, 1<<16)
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

func (p *Process) end() {
	if p.cmd == nil {
		return
	}
	p.in.Close()
	p.cmd.Process.Kill() //nolint:errcheck // it may have ended
	p.cmd.Wait()         //nolint:errcheck // it was killed
	p.cmd = nil
}

// Ask asks one question. An error is of a process that ended or was silent for
// too long: what the implementation says of the input is in the answer.
func (p *Process) Ask(question, answer any) error {
	p.t.Helper()
	text, err := json.Marshal(question)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.cmd == nil {
		p.begin()
	}
	var late atomic.Bool
	cmd := p.cmd
	timer := time.AfterFunc(patience, func() {
		late.Store(true)
		cmd.Process.Kill() //nolint:errcheck // it may have ended
	})
	_, writeErr := p.in.Write(append(text, '\n'))
	line, readErr := p.out.ReadBytes('\n')
	timer.Stop()
	if err := errors.Join(writeErr, readErr); err != nil {
		p.end()
		if late.Load() {
			return fmt.Errorf("no answer within %s", patience)
		}
		return fmt.Errorf("ended: %.300s", p.stderr)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		p.t.Fatalf("%v in %.300s", err, line)
	}
	return nil
}
