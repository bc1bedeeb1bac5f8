package redis_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/redis"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	srv := start(t)
	var p prefixes
	replaytest.Run(t, func(t *testing.T, l replay.Limits, n int) []replay.Store {
		prefix := p.next()
		var all []replay.Store
		for range n {
			all = append(all, open(t, redis.Options{Addrs: []string{srv.Addr}, Prefix: prefix, Limits: l, Timeout: time.Minute}))
		}
		return all
	})
}

// TestCluster runs the conformance test on a cluster of one node, by the client of
// the caller.
func TestCluster(t *testing.T) {
	t.Parallel()
	srv := start(t, "--cluster-enabled", "yes")
	node := srv.client(t)
	require.NoError(t, node.ClusterAddSlotsRange(t.Context(), 0, 16383).Err())
	require.Eventually(t, func() bool {
		info, err := node.ClusterInfo(t.Context()).Result()
		return err == nil && strings.Contains(info, "cluster_state:ok")
	}, 30*time.Second, 5*time.Millisecond)
	client := goredis.NewClusterClient(&goredis.ClusterOptions{Addrs: []string{srv.Addr}, ContextTimeoutEnabled: true, ReadTimeout: time.Minute})
	t.Cleanup(func() { _ = client.Close() })
	var p prefixes
	t.Run("conformance", func(t *testing.T) {
		replaytest.Run(t, func(t *testing.T, l replay.Limits, n int) []replay.Store {
			prefix := p.next()
			var all []replay.Store
			for range n {
				all = append(all, open(t, redis.Options{Client: client, Prefix: prefix, Limits: l, Timeout: time.Minute}))
			}
			return all
		})
	})
	require.NoError(t, client.Ping(t.Context()).Err(), "the client stays the caller's")
}

// TestLost empties the server, and restarts it without persistence.
func TestLost(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a, b := srv.open(t), srv.open(t)
	require.Equal(t, replay.Fresh, claim(t, a, "m"))
	everyCall := func(s replay.Store, want error) {
		_, err := s.Claim(t.Context(), key("m"), content("c"), time.Now())
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, s.Settle(t.Context(), key("m"), content("c"), nil, time.Now()), want)
		_, _, err = s.Load(t.Context(), "r", time.Now())
		require.ErrorIs(t, err, want)
		_, err = s.Swap(t.Context(), "r", replay.Owner{}, 0, nil, time.Now(), time.Now())
		require.ErrorIs(t, err, want)
		_, err = s.List(t.Context(), "", 1, time.Now())
		require.ErrorIs(t, err, want)
	}
	require.NoError(t, srv.client(t).FlushAll(t.Context()).Err())
	everyCall(a, redis.ErrLost)
	everyCall(b, redis.ErrLost)
	c := srv.open(t) // a new start
	require.Equal(t, replay.Fresh, claim(t, c, "m"))
	everyCall(a, redis.ErrLost)

	srv.Kill()
	srv.Run(t)
	everyCall(c, redis.ErrLost)

	// The mark alone is gone: nobody may begin anew.
	d := srv.open(t)
	require.Equal(t, replay.Fresh, claim(t, d, "m"))
	require.NoError(t, srv.client(t).Del(t.Context(), "{rdfproto}:mark").Err())
	everyCall(d, redis.ErrLost)
	_, err := redis.Open(t.Context(), redis.Options{Addrs: []string{srv.Addr}})
	require.ErrorIs(t, err, redis.ErrLost)
	require.NoError(t, srv.client(t).Set(t.Context(), "{rdfproto}:mark", "3:abc", 0).Err())
	_, err = redis.Open(t.Context(), redis.Options{Addrs: []string{srv.Addr}})
	require.ErrorIs(t, err, redis.ErrFormat)
}

// TestRestart kills a server that writes everything down, and starts it again.
func TestRestart(t *testing.T) {
	t.Parallel()
	srv := start(t, "--appendonly", "yes", "--appendfsync", "always")
	a := srv.open(t)
	for i := range 50 {
		require.Equal(t, replay.Fresh, claim(t, a, strconv.Itoa(i)))
	}
	srv.Kill()
	_, err := a.Claim(t.Context(), key("0"), content("c"), time.Now())
	require.Error(t, err)
	srv.Run(t)
	for _, s := range []*redis.Store{a, srv.open(t)} {
		for i := range 50 {
			require.Equal(t, replay.Running, claim(t, s, strconv.Itoa(i)))
		}
	}
}

// TestDamaged changes what is in the server by hand.
func TestDamaged(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c, ctx := srv.client(t), t.Context()
	var p prefixes
	for name, damage := range map[string]func(prefix string) error{
		"messages without ends":   func(k string) error { return c.Del(ctx, k+"ends").Err() },
		"ends without messages":   func(k string) error { return c.Del(ctx, k+"seen").Err() },
		"another type":            func(k string) error { return c.Set(ctx, k+"seen", "x", 0).Err() },
		"a message that is short": func(k string) error { return overwrite(ctx, c, k+"seen", "x") },
		"a message with another end": func(k string) error {
			return overwrite(ctx, c, k+"seen", strings.Repeat("x", 48)+"0000000000000001"+"0")
		},
	} {
		prefix := p.next()
		s := open(t, redis.Options{Addrs: []string{srv.Addr}, Prefix: prefix})
		require.Equal(t, replay.Fresh, claim(t, s, "m"))
		require.NoError(t, damage("{"+prefix+"}:"))
		got, err := s.Claim(ctx, key("m"), content("c"), time.Now())
		require.Error(t, err, name)
		require.Zero(t, got, name)
	}
	for _, value := range []string{"", "short", strings.Repeat("x", 60), "0000000000000000" + strings.Repeat("9", 20) + strings.Repeat("t", 16)} {
		prefix := p.next()
		s := open(t, redis.Options{Addrs: []string{srv.Addr}, Prefix: prefix})
		ok, err := s.Swap(ctx, "r", replay.Owner{}, 0, []byte("v"), time.Now().Add(time.Hour), time.Now())
		require.NoError(t, err)
		require.True(t, ok)
		require.NoError(t, overwrite(ctx, c, "{"+prefix+"}:records", value))
		_, ok, err = s.Load(ctx, "r", time.Now())
		require.ErrorIs(t, err, replay.ErrCorrupt)
		require.False(t, ok)
	}
}

// overwrite sets every field of a hash to a value.
func overwrite(ctx context.Context, c *goredis.Client, hash, value string) error {
	fields, err := c.HKeys(ctx, hash).Result()
	for _, f := range fields {
		if err == nil {
			err = c.HSet(ctx, hash, f, value).Err()
		}
	}
	return err
}

func TestSkew(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s := open(t, redis.Options{Addrs: []string{srv.Addr}, MaxSkew: time.Minute})
	for _, off := range []time.Duration{-48 * time.Hour, -2 * time.Minute, 2 * time.Minute, 48 * time.Hour} {
		_, err := s.Claim(t.Context(), key("m"), content("c"), time.Now().Add(off))
		require.ErrorIs(t, err, replay.ErrTime)
		_, _, err = s.Load(t.Context(), "r", time.Now().Add(off))
		require.ErrorIs(t, err, replay.ErrTime)
	}
	require.Equal(t, replay.Fresh, claim(t, s, "m"))
	c, err := s.Claim(t.Context(), key("m"), content("c"), time.Now().Add(50*time.Second))
	require.NoError(t, err)
	require.Equal(t, replay.Running, c.State)
}

// TestKeysEnd looks at the expiry that Redis keeps for itself.
func TestKeysEnd(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s, c := srv.open(t), srv.client(t)
	require.Equal(t, replay.Fresh, claim(t, s, "m"))
	require.NoError(t, s.Settle(t.Context(), key("m"), content("c"), []byte("answer"), time.Now()))
	ok, err := s.Swap(t.Context(), "r", replay.Owner{}, 0, []byte("v"), time.Now().Add(72*time.Hour), time.Now())
	require.NoError(t, err)
	require.True(t, ok)
	ok, err = s.Swap(t.Context(), "s", replay.Owner{Local: "a", Peer: "b"}, 0, []byte("v"), time.Now().Add(time.Hour), time.Now())
	require.NoError(t, err)
	require.True(t, ok)
	keys, err := c.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 11)
	for _, k := range keys {
		ttl, err := c.PTTL(t.Context(), k).Result()
		require.NoError(t, err)
		switch name, _, _ := strings.Cut(strings.TrimPrefix(k, "{rdfproto}:"), ":"); name {
		case "mark", "clock", "version":
			require.Negative(t, ttl, k)
		case "records", "names", "lasts":
			require.InDelta(t, 96*time.Hour, ttl, float64(time.Minute), k)
		case "owner":
			require.InDelta(t, 25*time.Hour, ttl, float64(time.Minute), k)
		default:
			require.InDelta(t, 48*time.Hour, ttl, float64(time.Minute), k)
		}
	}
}

// TestForgets lets many more messages pass than are kept.
func TestForgets(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s := open(t, redis.Options{Addrs: []string{srv.Addr}, Limits: replay.Limits{Life: time.Second, Messages: 100, PerPeer: 20}})
	at := time.Now().Add(-2 * time.Minute)
	for i := range 2000 {
		k := key(strconv.Itoa(i))
		k.Peer = strconv.Itoa(i / 15)
		now := at.Add(time.Duration(i) * 50 * time.Millisecond)
		c, err := s.Claim(t.Context(), k, content("c"), now)
		require.NoError(t, err)
		require.Equal(t, replay.Fresh, c.State)
		require.NoError(t, s.Settle(t.Context(), k, content("c"), []byte("answer"), now))
	}
	n, err := srv.client(t).HLen(t.Context(), "{rdfproto}:seen").Result()
	require.NoError(t, err)
	require.LessOrEqual(t, n, int64(100))
	held, err := srv.client(t).HGet(t.Context(), "{rdfproto}:bytes", "").Int64()
	require.NoError(t, err)
	require.Equal(t, 6*n, held)
	keys, err := srv.client(t).Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.Less(t, len(keys), 20, "the keys of peers that are gone are gone")
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	srv := start(t)
	plain := srv.client(t)
	without := goredis.NewClient(&goredis.Options{Addr: srv.Addr})
	ring := goredis.NewRing(&goredis.RingOptions{Addrs: map[string]string{"a": srv.Addr}, ContextTimeoutEnabled: true})
	t.Cleanup(func() { _, _ = without.Close(), ring.Close() })
	for name, o := range map[string]redis.Options{
		"nothing":                    {},
		"a client without deadlines": {Client: without},
		"a ring":                     {Client: ring},
		"a prefix with braces":       {Client: plain, Prefix: "a}b"},
	} {
		_, err := redis.Open(t.Context(), o)
		require.ErrorIs(t, err, redis.ErrClient, name)
	}
	require.NoError(t, plain.ConfigSet(t.Context(), "maxmemory-policy", "volatile-lru").Err())
	_, err := redis.Open(t.Context(), redis.Options{Client: plain})
	require.ErrorIs(t, err, redis.ErrEviction)
	s := open(t, redis.Options{Client: plain, InsecureEviction: true})
	require.Equal(t, replay.Fresh, claim(t, s, "m"))
}

// TestFullServer fills the memory of the server.
func TestFullServer(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s := srv.open(t)
	require.Equal(t, replay.Fresh, claim(t, s, "m"))
	require.NoError(t, srv.client(t).ConfigSet(t.Context(), "maxmemory", "1").Err())
	got, err := s.Claim(t.Context(), key("m-2"), content("c"), time.Now())
	require.ErrorContains(t, err, "OOM")
	require.Zero(t, got)
	require.NoError(t, srv.client(t).ConfigSet(t.Context(), "maxmemory", "0").Err())
	require.Equal(t, replay.Running, claim(t, s, "m"))
	require.Equal(t, replay.Fresh, claim(t, s, "m-2"))
}

// TestUnreachable asks servers that are not there, that do not answer, and that want
// another password: an error within the time, without the password in it.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	const secret, wrong = "s3cret-of-the-server", "wr0ng-secret"
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts and says nothing
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	srv := start(t, "--requirepass", secret)

	for name, addr := range map[string]string{"silent": silent.Addr().String(), "closed": closed.Addr().String(), "wrong password": srv.Addr} {
		began := time.Now()
		_, err := redis.Open(t.Context(), redis.Options{Addrs: []string{addr}, Username: "default", Password: wrong, Timeout: 200 * time.Millisecond})
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), wrong, name)
		require.Less(t, time.Since(began), 5*time.Second, name)
	}
	s := open(t, redis.Options{Addrs: []string{srv.Addr}, Password: secret, Timeout: 200 * time.Millisecond})
	require.Equal(t, replay.Fresh, claim(t, s, "m"))
	srv.Kill()
	began := time.Now()
	got, err := s.Claim(t.Context(), key("m-2"), content("c"), time.Now())
	require.Error(t, err)
	require.Zero(t, got)
	require.NotContains(t, err.Error(), secret)
	require.Less(t, time.Since(began), 5*time.Second)
}

func TestTLS(t *testing.T) {
	t.Parallel()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	require.NoError(t, err)
	dir := t.TempDir()
	cert, certKey := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(cert, certPEM, 0o600))
	require.NoError(t, os.WriteFile(certKey, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().String()
	require.NoError(t, l.Close())
	_, port, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	start(t, "--tls-port", port, "--tls-cert-file", cert, "--tls-key-file", certKey, "--tls-auth-clients", "no")
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(certPEM))
	s := open(t, redis.Options{Addrs: []string{addr}, TLS: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}})
	require.Equal(t, replay.Fresh, claim(t, s, "m"))
	_, err = redis.Open(t.Context(), redis.Options{Addrs: []string{addr}, TLS: &tls.Config{MinVersion: tls.VersionTLS12}, Timeout: time.Second})
	require.Error(t, err)
}

func BenchmarkClaim(b *testing.B) {
	srv := start(b)
	var of prefixes
	replaytest.BenchmarkClaim(b, func(t testing.TB, l replay.Limits) replay.Store {
		return open(t, redis.Options{Addrs: []string{srv.Addr}, Prefix: of.next(), Limits: l})
	})
}
