package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
)

const (
	// childEnv makes this program the agent, for its own tests.
	childEnv = "RDFPROTO_EXAMPLE_CHILD"
	// killsEnv says how often TestKill kills; 3 times by default.
	killsEnv = "RDFPROTO_EXAMPLE_KILLS"

	killClients = 8
	// patience is how often a client sends a message again before it goes on to the next.
	// What was being carried out when the agent was killed has no answer, ever.
	patience = 3
)

// child is the agent with a pod that keeps a log: what it is about to carry out is on the
// disk before.
func child() {
	folder, address := demo.Folder(os.Args[1]), os.Args[2]
	log, err := os.OpenFile(filepath.Join(string(folder), "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	p := &pod{before: func(messageID string) error {
		if _, err := fmt.Fprintln(log, messageID); err != nil { // one write
			return err
		}
		return log.Sync()
	}}
	if err := run(context.Background(), folder, address, os.Stdout, p); err != nil {
		panic(err)
	}
}

// TestKill kills the agent at random moments while clients ask it for things, and starts
// it again on the same store. The clients send the messages again that got no answer.
// No message is carried out twice, and each that was answered was carried out.
func TestKill(t *testing.T) {
	kills := 3
	if s := os.Getenv(killsEnv); s != "" {
		var err error
		kills, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	folder, parties := prepare(t, killClients)
	agent := startChild(t, folder, "127.0.0.1:0")
	defer func() { agent.kill(t) }()
	address := strings.TrimPrefix(agent.origin, "https://")
	pin, documents := documentOf(t)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var group sync.WaitGroup
	results := make([]asked, killClients)
	some := make(chan struct{}) // closed once an intent was answered
	var once sync.Once
	for i, me := range parties {
		client := dial(t, me, agent.origin+a2a.CardPath, pin, documents)
		group.Go(func() {
			a := &results[i]
			a.first = func() { once.Do(func() { close(some) }) }
			for ctx.Err() == nil {
				a.talk = client.Conversation("")
				for ctx.Err() == nil && a.ask(ctx, me, pin) {
				}
				pause(ctx)
			}
		})
	}
	for range kills {
		timer := time.NewTimer(50*time.Millisecond + rand.N(400*time.Millisecond))
		<-timer.C
		agent.kill(t)
		agent = startChild(t, folder, address)
	}
	// A slow machine may need more time than the kills took.
	select {
	case <-some:
	case <-time.After(time.Minute):
	}
	cancel()
	group.Wait()

	// At the end everything is sent once more, to an agent that nobody kills.
	answered, open := 0, 0
	var all []string
	for i := range results {
		a := &results[i]
		require.Empty(t, a.wrong)
		for _, m := range a.answered {
			answered++
			r, err := a.talk.Resend(t.Context(), m)
			require.NoError(t, err)
			require.Equal(t, engine.KindResponse, r.Kind, "an answer was forgotten")
			all = append(all, m.ID)
		}
		for _, m := range a.open {
			open++
			group.Go(func() { _, _ = a.talk.Resend(t.Context(), m) }) // whatever it says, it may not execute twice
		}
	}
	group.Wait()
	executed := readLog(t, folder)
	for _, id := range all {
		require.Contains(t, executed, id, "answered and not carried out")
	}
	require.NotZero(t, answered)
	t.Logf("%d kills: %d intents answered, %d without an answer at the end, %d carried out, none twice", kills, answered, open, len(executed))
}

// asked is what one client sent.
type asked struct {
	talk           *a2a.Conversation
	answered, open []engine.Message
	wrong          string // an answer that no kill explains
	first          func() // called for every answer
}

// ask makes a grant, and sends the intent again until it is answered or there is no
// patience left. It reports whether the conversation can go on.
func (a *asked) ask(ctx context.Context, me *demo.Client, pin canon.Digest) bool {
	draft, err := draftOf(ctx, me, a.talk, pin)
	if err != nil {
		return false // the agent is gone
	}
	r, err := a.talk.Intent(ctx, draft)
	for range patience {
		if err == nil && r.Kind == engine.KindResponse || r.Code != "" || ctx.Err() != nil {
			break
		}
		pause(ctx)
		r, err = a.talk.Resend(ctx, r.Sent)
	}
	switch {
	case r.Sent.ID == "":
		return false
	case err == nil && r.Kind == engine.KindResponse:
		a.answered = append(a.answered, r.Sent)
		a.first()
		return a.again(ctx)
	case r.Code != "":
		a.wrong = fmt.Sprintf("%s: %s", r.Code, r.Reason)
	}
	a.open = append(a.open, r.Sent)
	return false
}

// again sends something again that was answered, perhaps by an agent that was killed
// since: the answer is the same.
func (a *asked) again(ctx context.Context) bool {
	r, err := a.talk.Resend(ctx, a.answered[rand.IntN(len(a.answered))])
	if err == nil && r.Kind != engine.KindResponse {
		a.wrong = fmt.Sprintf("an answer was forgotten: %s %s %s", r.Kind, r.Code, r.Reason)
	}
	return err == nil
}

// pause lets an agent start that was killed.
func pause(ctx context.Context) {
	timer := time.NewTimer(20 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// readLog returns the messageIds that were carried out, and demands that each is there
// once. The last line may be cut.
func readLog(t *testing.T, folder demo.Folder) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(string(folder), "log"))
	require.NoError(t, err)
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		id, whole := strings.CutSuffix(line, "\n")
		require.False(t, whole && seen[id], "carried out twice: %s", id)
		seen[id] = true
	}
	return seen
}

// agentProcess is an agent in a process of its own.
type agentProcess struct {
	cmd    *exec.Cmd
	origin string
	read   chan error
}

func startChild(t *testing.T, folder demo.Folder, address string) *agentProcess {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program, string(folder), address)
	cmd.Env = append(os.Environ(), childEnv+"=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		_ = cmd.Wait()
		require.NoError(t, err, "%s", &stderr)
	}
	p := &agentProcess{cmd: cmd, origin: originOf(t, line), read: make(chan error, 1)}
	go func() {
		_, err := io.Copy(io.Discard, lines)
		p.read <- err
	}()
	return p
}

// kill ends the process at once (SIGKILL where there are signals).
func (p *agentProcess) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Kill())
	require.NoError(t, <-p.read)
	require.Error(t, p.cmd.Wait())
}
