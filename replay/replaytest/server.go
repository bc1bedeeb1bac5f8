package replaytest

import (
	"bytes"
	"context"
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Redis is a redis-server on a loopback port. Its methods are for one goroutine.
type Redis struct {
	Addr string // host:port

	dir  string
	args []string
	cmd  *exec.Cmd
}

// StartRedis starts a server without persistence in a folder of its own, with more
// arguments, and ends it with the test. Without the program the test is skipped.
func StartRedis(t testing.TB, args ...string) *Redis {
	t.Helper()
	s := &Redis{dir: t.TempDir(), args: args}
	s.Run(t)
	t.Cleanup(s.Kill)
	return s
}

// Run starts the server again after Kill, at the address that it had unless somebody
// else has taken that.
func (s *Redis) Run(t testing.TB) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed")
	}
	for range 5 { // somebody else may be faster at the port
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		if s.Addr == "" {
			s.Addr = l.Addr().String()
		}
		require.NoError(t, l.Close())
		_, port, err := net.SplitHostPort(s.Addr)
		require.NoError(t, err)
		all := append([]string{"--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", s.dir, "--loglevel", "warning"}, s.args...)
		s.cmd = exec.Command(program, all...)
		var out bytes.Buffer
		s.cmd.Stdout, s.cmd.Stderr = &out, &out
		require.NoError(t, s.cmd.Start())
		if s.answers(t) {
			return
		}
		s.Kill()
		t.Logf("%s", &out)
		s.Addr = ""
	}
	t.Fatal("redis-server did not start")
}

// answers waits until the server listens.
func (s *Redis) answers(t testing.TB) bool {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		c, err := net.Dial("tcp", s.Addr)
		if err == nil {
			_, err = c.Write([]byte("PING\r\n"))
			b := make([]byte, 1)
			if err == nil {
				_, err = c.Read(b)
			}
			_ = c.Close()
			if err == nil {
				return true
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
}

// Kill ends the server at once.
func (s *Redis) Kill() {
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}
