package redis_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/redis"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a redis-server on a loopback port.
type server struct {
	addr string
	dir  string
	args []string
	cmd  *exec.Cmd
}

// start starts a server without persistence in a folder of its own. Without the
// program the test is skipped.
func start(t testing.TB, args ...string) *server {
	t.Helper()
	s := &server{dir: t.TempDir(), args: args}
	s.run(t)
	t.Cleanup(s.kill)
	return s
}

func (s *server) run(t testing.TB) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed")
	}
	for range 5 { // somebody else may be faster at the port
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		if s.addr == "" {
			s.addr = l.Addr().String()
		}
		require.NoError(t, l.Close())
		_, port, err := net.SplitHostPort(s.addr)
		require.NoError(t, err)
		all := append([]string{"--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", s.dir, "--loglevel", "warning"}, s.args...)
		s.cmd = exec.Command(program, all...)
		var out bytes.Buffer
		s.cmd.Stdout, s.cmd.Stderr = &out, &out
		require.NoError(t, s.cmd.Start())
		if s.answers(t) {
			return
		}
		s.kill()
		t.Logf("%s", &out)
		s.addr = ""
	}
	t.Fatal("redis-server did not start")
}

// answers waits until the server listens.
func (s *server) answers(t testing.TB) bool {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		c, err := net.Dial("tcp", s.addr)
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

func (s *server) kill() {
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}

// client is a client of the server without anything of this package.
func (s *server) client(t testing.TB) *goredis.Client {
	c := goredis.NewClient(&goredis.Options{Addr: s.addr, ContextTimeoutEnabled: true})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func open(t testing.TB, o redis.Options) *redis.Store {
	t.Helper()
	s, err := redis.Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (s *server) open(t testing.TB) *redis.Store {
	t.Helper()
	return open(t, redis.Options{Addrs: []string{s.addr}})
}

// prefixes numbers the prefixes that keep tests on one server apart.
type prefixes struct{ n atomic.Int64 }

func (p *prefixes) next() string { return "test-" + strconv.FormatInt(p.n.Add(1), 10) }

func content(s string) canon.Digest { return canon.Sum([]byte(s)) }

func key(message string) replay.Key {
	return replay.Key{Local: "https://alice.example/agent", Peer: "https://bob.example/#me", Context: "ctx-1", Message: message}
}

func claim(t testing.TB, s replay.Store, message string) replay.State {
	t.Helper()
	c, err := s.Claim(t.Context(), key(message), content("c"), time.Now())
	require.NoError(t, err)
	return c.State
}

// long reports whether the long forms of tests were asked for.
func long() bool { return os.Getenv("RDFPROTO_REDIS_LONG") != "" }
