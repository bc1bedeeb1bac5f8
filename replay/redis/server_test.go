package redis_test

import (
	"os"
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
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a redis-server.
type server struct{ *replaytest.Redis }

func start(t testing.TB, args ...string) *server {
	t.Helper()
	return &server{replaytest.StartRedis(t, args...)}
}

// client is a client of the server without anything of this package.
func (s *server) client(t testing.TB) *goredis.Client {
	c := goredis.NewClient(&goredis.Options{Addr: s.Addr, ContextTimeoutEnabled: true})
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
	return open(t, redis.Options{Addrs: []string{s.Addr}})
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
