//go:build unix

package bolt_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

// childEnv names what this program does as a child of its tests.
const childEnv = "RDFPROTO_BOLT_TEST_CHILD"

// killsEnv names how often TestKill kills; 8 times by default.
const killsEnv = "RDFPROTO_BOLT_KILLS"

// leavesEnv is a test that may leave goroutines behind.
const leavesEnv = "leaves"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "":
		goleak.VerifyTestMain(m)
	case leavesEnv:
		os.Exit(m.Run())
	default:
		child()
	}
}

func child() {
	dir := os.Args[len(os.Args)-1]
	switch os.Getenv(childEnv) {
	case "agent":
		agent(dir)
	case "full":
		fullDisk(dir)
	}
}

const agentMessages, agentWorkers = 400, 8

func agentKey(i int) replay.Key {
	k := key("m-" + strconv.Itoa(i))
	k.Peer = strconv.Itoa(i % 3)
	return k
}

// agent claims all messages and "executes" those that are fresh: it appends a line to
// a log. It starts over with a new round of messages when it is done. What the log
// holds is on the disk before the message is settled.
func agent(dir string) {
	s, err := bolt.Open(filepath.Join(dir, "store"), bolt.Options{Timeout: 10 * time.Second})
	if err != nil {
		panic(err)
	}
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Println("ready") // its end is what the test waits for, or kills before
	var group sync.WaitGroup
	for w := range agentWorkers {
		group.Go(func() {
			order := rand.Perm(agentMessages)
			for n, i := range order {
				c, err := s.Claim(context.Background(), agentKey(i), content("c"), noon)
				if err != nil {
					panic(err)
				}
				if c.State != replay.Fresh {
					continue
				}
				// One write: lines of several workers do not mix.
				if _, err := fmt.Fprintf(log, "%d\n", i); err != nil {
					panic(err)
				}
				if err := log.Sync(); err != nil {
					panic(err)
				}
				if err := s.Settle(context.Background(), agentKey(i), content("c"), []byte("done"), noon); err != nil {
					panic(err)
				}
				name := strconv.Itoa(w)
				r, _, err := s.Load(context.Background(), name, noon)
				if err == nil {
					_, err = s.Swap(context.Background(), name, owner(w), r.Version, []byte(strconv.Itoa(n)), noon.Add(time.Hour), noon)
				}
				if err != nil {
					panic(err)
				}
			}
		})
	}
	group.Wait()
	if err := s.Close(); err != nil {
		panic(err)
	}
}

func childCommand(t *testing.T, what, dir string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program, dir)
	cmd.Env = append(os.Environ(), childEnv+"="+what)
	return cmd
}

// TestKill kills an agent at random moments under load and starts it again: no
// message is executed twice, and the file can always be opened.
func TestKill(t *testing.T) {
	t.Parallel()
	kills := 8
	if n, err := strconv.Atoi(os.Getenv(killsEnv)); err == nil {
		kills = n
	}
	killed, dir := 0, ""
	for killed < kills {
		if dir == "" {
			dir = t.TempDir()
			s, err := bolt.Create(filepath.Join(dir, "store"), bolt.Options{})
			require.NoError(t, err)
			require.NoError(t, s.Close())
		}
		cmd := childCommand(t, "agent", dir)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err, "%s", &stderr)
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(40*time.Millisecond))), func() { _ = cmd.Process.Kill() })
		err = cmd.Wait()
		timer.Stop()
		if err != nil {
			status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
			require.True(t, ok && status.Signaled() && status.Signal() == syscall.SIGKILL, "%v\n%s", err, &stderr)
			killed++
		}
		executed := executedOnce(t, dir)
		if err == nil {
			// Everything was claimed. With that, the next round begins in a new file.
			t.Logf("%d kills so far; %d of %d messages executed", killed, executed, agentMessages)
			s := open(t, filepath.Join(dir, "store"), bolt.Options{})
			for i := range agentMessages {
				c, err := s.Claim(t.Context(), agentKey(i), content("c"), noon)
				require.NoError(t, err)
				require.Contains(t, []replay.State{replay.Running, replay.Answered}, c.State)
			}
			dir = ""
		}
	}
}

// executedOnce returns how many messages the log says were executed.
func executedOnce(t *testing.T, dir string) int {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	require.NoError(t, err)
	seen := map[string]bool{}
	for line := range strings.Lines(string(log)) {
		require.False(t, seen[line], "executed twice: %s", line)
		seen[line] = true
	}
	return len(seen)
}

// TestFullDisk runs a store into a limit of the size of files, which the system
// enforces as it does the end of a disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, err := childCommand(t, "full", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "refused\n")

	// With room again everything that was claimed is known.
	s := open(t, filepath.Join(dir, "store"), bolt.Options{})
	for i := range executedOnce(t, dir) {
		c, err := s.Claim(t.Context(), agentKey(i), content("c"), noon)
		require.NoError(t, err)
		require.Equal(t, replay.Running, c.State)
	}
}

func fullDisk(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := bolt.Create(filepath.Join(dir, "store"), bolt.Options{Limits: replay.Limits{PerPeer: 1 << 20}})
	if err != nil {
		panic(err)
	}
	limit := syscall.Rlimit{Cur: 200 << 10, Max: 200 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	refused := 0
	for i := 0; refused < 100; i++ {
		c, err := s.Claim(context.Background(), agentKey(i), content("c"), noon)
		switch {
		case err != nil && c.State == 0:
			refused++
		case err == nil && c.State == replay.Fresh && refused == 0:
			if _, err := fmt.Fprintf(log, "%d\n", i); err != nil {
				panic(err)
			}
		default:
			panic(fmt.Sprint(c, err))
		}
		if i > 100_000 {
			panic("never full")
		}
	}
	fmt.Println("refused")
}
