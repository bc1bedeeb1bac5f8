package redis_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/redis"
)

// refuses fails when a store says anything of a message but an error.
func refuses(t *testing.T, s *redis.Store, message string) {
	t.Helper()
	c, err := s.Claim(t.Context(), key(message), content("c"), time.Now())
	require.Error(t, err)
	require.Zero(t, c)
}

// TestServerRefuses: a server that answers with an error says nothing of a message.
// Whatever it did before the error, the message is not Fresh twice once it is well again,
// and not for two.
func TestServerRefuses(t *testing.T) {
	t.Parallel()
	do := func(t *testing.T, c *goredis.Client, args ...any) {
		require.NoError(t, c.Do(t.Context(), args...).Err(), args)
	}
	for _, row := range []struct {
		name  string
		args  []string
		spoil func(t *testing.T, c *goredis.Client)
		mend  func(t *testing.T, c *goredis.Client)
	}{
		{"another password", nil, func(t *testing.T, c *goredis.Client) {
			do(t, c, "config", "set", "requirepass", "new")
			do(t, c, "auth", "new")
			do(t, c, "client", "kill", "type", "normal", "skipme", "yes")
		}, func(t *testing.T, c *goredis.Client) {
			do(t, c, "auth", "new")
			do(t, c, "config", "set", "requirepass", "")
		}},
		{"no scripts", nil, func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "-eval", "-evalsha") },
			func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "+@all") }},
		{"no writing", nil, func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "-@write") },
			func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "+@all") }},
		{"no writing of one kind", nil, func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "-zadd") },
			func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "+@all") }},
		{"none of its keys", nil, func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "resetkeys", "~other*") },
			func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "allkeys") }},
		{"all its keys but one", nil, func(t *testing.T, c *goredis.Client) {
			do(t, c, "acl", "setuser", "default", "resetkeys", "~{rdfproto}:mark", "~{rdfproto}:clock", "~{rdfproto}:seen")
		}, func(t *testing.T, c *goredis.Client) { do(t, c, "acl", "setuser", "default", "allkeys") }},
		{"a replica", nil, func(t *testing.T, c *goredis.Client) { do(t, c, "replicaof", "127.0.0.1", "1") },
			func(t *testing.T, c *goredis.Client) { do(t, c, "replicaof", "no", "one") }},
		{"a replica that serves nothing stale", []string{"--replica-serve-stale-data", "no"}, func(t *testing.T, c *goredis.Client) { do(t, c, "replicaof", "127.0.0.1", "1") },
			func(t *testing.T, c *goredis.Client) { do(t, c, "replicaof", "no", "one") }},
		{"too few replicas", nil, func(t *testing.T, c *goredis.Client) { do(t, c, "config", "set", "min-replicas-to-write", "1") },
			func(t *testing.T, c *goredis.Client) { do(t, c, "config", "set", "min-replicas-to-write", "0") }},
		{"no memory", nil, func(t *testing.T, c *goredis.Client) { do(t, c, "config", "set", "maxmemory", "1") },
			func(t *testing.T, c *goredis.Client) { do(t, c, "config", "set", "maxmemory", "0") }},
		{"no disk", []string{"--dbfilename", "taken.rdb"}, func(t *testing.T, c *goredis.Client) { misconfigure(t, c) },
			func(t *testing.T, c *goredis.Client) { do(t, c, "config", "set", "stop-writes-on-bgsave-error", "no") }},
		{"another database", nil, func(t *testing.T, c *goredis.Client) { do(t, c, "swapdb", 0, 1) },
			func(t *testing.T, c *goredis.Client) { do(t, c, "swapdb", 0, 1) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv := start(t, row.args...)
			c := goredis.NewClient(&goredis.Options{Addr: srv.Addr, PoolSize: 1, ContextTimeoutEnabled: true, Protocol: 2})
			t.Cleanup(func() { _ = c.Close() })
			one, two := srv.open(t), srv.open(t)
			require.Equal(t, replay.Fresh, claim(t, one, "m-0"))
			require.NoError(t, one.Settle(t.Context(), key("m-0"), content("c"), []byte("done"), time.Now()))

			row.spoil(t, c)
			for range 3 {
				refuses(t, one, "m-1")
				refuses(t, two, "m-1")
			}
			require.Error(t, one.Settle(t.Context(), key("m-1"), content("c"), []byte("done"), time.Now()))
			ok, err := one.Swap(t.Context(), "r", replay.Owner{}, 0, []byte("v"), time.Now().Add(time.Hour), time.Now())
			require.Error(t, err)
			require.False(t, ok)

			row.mend(t, c)
			require.Equal(t, replay.Answered, claim(t, two, "m-0"), "what was carried out is known")
			fresh := 0
			for _, s := range []*redis.Store{two, one, two} {
				got, err := s.Claim(t.Context(), key("m-1"), content("c"), time.Now())
				if err == nil && got.State == replay.Fresh {
					fresh++
				}
			}
			require.LessOrEqual(t, fresh, 1)
			got, err := one.Claim(t.Context(), key("m-2"), content("c"), time.Now())
			if err == nil { // it is as before
				require.Equal(t, replay.Fresh, got.State)
			}
		})
	}
}

// misconfigure has the server fail to save, after which it takes no writes.
func misconfigure(t *testing.T, c *goredis.Client) {
	t.Helper()
	dir, err := c.ConfigGet(t.Context(), "dir").Result()
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir["dir"], "taken.rdb"), 0o700))
	require.NoError(t, c.Do(t.Context(), "config", "set", "save", "1 1").Err())
	require.Eventually(t, func() bool {
		return strings.HasPrefix(fmt.Sprint(c.Set(t.Context(), "x", "y", 0).Err()), "MISCONF")
	}, 20*time.Second, 50*time.Millisecond)
}

// TestOtherTypes: a key under the prefix that is of another type than the store's. No
// message is Fresh twice for it, and none is forgotten.
func TestOtherTypes(t *testing.T) {
	t.Parallel()
	srv := start(t)
	var names prefixes
	for _, kind := range []string{"string", "list", "set", "hash", "zset", "stream"} {
		for _, name := range []string{"mark", "clock", "version", "seen", "ends", "peer", "bytes", "records", "names", "lasts"} {
			t.Run(kind+" "+name, func(t *testing.T) {
				t.Parallel()
				prefix := names.next()
				c := srv.client(t)
				one, two := open(t, redis.Options{Addrs: []string{srv.Addr}, Prefix: prefix}), open(t, redis.Options{Addrs: []string{srv.Addr}, Prefix: prefix})
				require.Equal(t, replay.Fresh, claim(t, one, "m-0"))
				require.NoError(t, one.Settle(t.Context(), key("m-0"), content("c"), []byte("done"), time.Now()))
				_, err := one.Swap(t.Context(), "r", replay.Owner{}, 0, []byte("v"), time.Now().Add(time.Hour), time.Now())
				require.NoError(t, err)

				full := "{" + prefix + "}:" + name
				if name == "peer" {
					keys, err := c.Keys(t.Context(), full+":*").Result()
					require.NoError(t, err)
					require.Len(t, keys, 1)
					full = keys[0]
				}
				had, err := c.Type(t.Context(), full).Result()
				require.NoError(t, err)
				if had == kind {
					return // the values are the matter of TestDamaged
				}
				require.NoError(t, c.Del(t.Context(), full).Err())
				require.NoError(t, map[string]func() error{
					"string": func() error { return c.Set(t.Context(), full, "x", 0).Err() },
					"list":   func() error { return c.RPush(t.Context(), full, "x").Err() },
					"set":    func() error { return c.SAdd(t.Context(), full, "x").Err() },
					"hash":   func() error { return c.HSet(t.Context(), full, "x", "y").Err() },
					"zset":   func() error { return c.ZAdd(t.Context(), full, goredis.Z{Score: 1, Member: "x"}).Err() },
					"stream": func() error {
						return c.XAdd(t.Context(), &goredis.XAddArgs{Stream: full, Values: []string{"x", "y"}}).Err()
					},
				}[kind]())
				for _, message := range []string{"m-0", "m-1", "m-2"} {
					fresh := 0
					for _, s := range []*redis.Store{one, two, one, two} {
						got, err := s.Claim(t.Context(), key(message), content("c"), time.Now())
						if err != nil {
							require.Zero(t, got)
							continue
						}
						if got.State == replay.Fresh {
							fresh++
							_ = s.Settle(t.Context(), key(message), content("c"), []byte("done"), time.Now())
						}
					}
					require.LessOrEqual(t, fresh, 1, message)
					require.True(t, message != "m-0" || fresh == 0, "what was carried out is forgotten")
				}
				if r, ok, err := one.Load(t.Context(), "r", time.Now()); err == nil && ok {
					require.Equal(t, "v", string(r.Value))
				}
			})
		}
	}
}

// TestOtherAnswers: what is no answer of a script is none.
func TestOtherAnswers(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, answer := range []string{
		"+fresh\r\n", "$5\r\nfresh\r\n", ":1\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "*1\r\n$-1\r\n", "*1\r\n:1\r\n", "*1\r\n*1\r\n$5\r\nfresh\r\n", "*2\r\n$5\r\nfresh\r\n$1\r\nx\r\n",
		"*1\r\n$5\r\nFRESH\r\n", "*1\r\n$6\r\nfresh \r\n", "*1\r\n$2\r\nok\r\n", "*1\r\n$2\r\nno\r\n", "*1\r\n$8\r\nanswered\r\n", "*1\r\n$5\r\nfre", "?\r\n", "", "HTTP/1.1 200 OK\r\n\r\n",
		"-OOM command not allowed when used memory > 'maxmemory'.\r\n", "-MISCONF x\r\n", "-READONLY x\r\n", "-LOADING x\r\n", "-BUSY x\r\n", "-CLUSTERDOWN x\r\n", "-MASTERDOWN x\r\n", "-NOAUTH x\r\n", "-NOREPLICAS x\r\n",
		"-NOSCRIPT x\r\n", "-MOVED 1 127.0.0.1:1\r\n", "-ASK 1 127.0.0.1:1\r\n", "-TRYAGAIN x\r\n", "-UNKILLABLE x\r\n", "-ERR unknown command 'EVALSHA'\r\n", "-fresh\r\n", "_\r\n", "#t\r\n", "%1\r\n$5\r\nfresh\r\n$0\r\n\r\n", ">1\r\n$5\r\nfresh\r\n",
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			address, lie := liar(t, srv.Addr)
			s := open(t, redis.Options{Addrs: []string{address}, Prefix: "liar-" + fmt.Sprintf("%x", answer), Timeout: 500 * time.Millisecond})
			require.Equal(t, replay.Fresh, claim(t, s, "m-0"))
			lie(answer)
			refuses(t, s, "m-1")
			_, ok, err := s.Load(t.Context(), "r", time.Now())
			if answer != "*1\r\n$2\r\nno\r\n" { // which is an answer to this
				require.Error(t, err)
			}
			require.False(t, ok)
			require.True(t, answer == "*1\r\n$2\r\nok\r\n" || s.Settle(t.Context(), key("m-0"), content("c"), nil, time.Now()) != nil)
		})
	}
}

// liar stands before a server, and answers scripts itself once it is told how.
func liar(t *testing.T, addr string) (string, func(string)) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	lies := make(chan string, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				up, err := net.Dial("tcp", addr)
				if err != nil {
					return
				}
				defer up.Close()
				go func() { _, _ = io.Copy(c, up) }()
				r := bufio.NewReaderSize(c, 64<<10)
				for {
					if _, err := r.Peek(1); err != nil {
						return
					}
					b := make([]byte, r.Buffered())
					_, _ = io.ReadFull(r, b)
					select {
					case lie := <-lies:
						lies <- lie
						if strings.Contains(strings.ToLower(string(b)), "eval") {
							_, _ = io.WriteString(c, lie)
							if lie == "" || !strings.HasSuffix(lie, "\r\n") {
								return
							}
							continue
						}
					default:
					}
					if _, err := up.Write(b); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String(), func(lie string) { lies <- lie }
}
