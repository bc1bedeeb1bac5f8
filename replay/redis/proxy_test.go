package redis_test

import (
	"context"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/redis"
)

// fault is what the proxy does to the bytes that go one way.
type fault uint8

const (
	none        fault = iota
	cut               // closes the connection after some bytes
	drop              // passes some bytes and nothing after them
	delay             // passes some bytes, and the rest when nobody waits any more and the other replica has claimed
	delayBefore       // the same, before the other replica claims
)

// proxy stands between a client and a server.
type proxy struct {
	listener net.Listener
	server   string
	group    sync.WaitGroup

	mu       sync.Mutex
	conns    map[net.Conn]bool
	fault    fault
	replies  bool // the fault is on the way from the server
	after    int  // bytes that pass before it
	always   bool // on every connection; otherwise once
	happened int
	release  chan struct{} // closed when what was delayed may pass

	late sync.WaitGroup // what is delayed and has not passed
}

func newProxy(t *testing.T, server string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{listener: l, server: server, conns: map[net.Conn]bool{}, release: make(chan struct{})}
	p.group.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		p.set(none, false, 0, false)
		p.mu.Lock()
		for c := range p.conns {
			_ = c.Close()
		}
		p.mu.Unlock()
		p.group.Wait()
	})
	return p
}

// set says what happens from now on, and lets pass what was delayed first.
func (p *proxy) set(f fault, replies bool, after int, always bool) {
	p.mu.Lock()
	close(p.release)
	p.release = make(chan struct{})
	p.fault = none
	p.mu.Unlock()
	p.late.Wait()

	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.replies, p.after, p.always, p.happened = f, replies, after, always, 0
}

func (p *proxy) hits() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.happened
}

func (p *proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		s, err := net.Dial("tcp", p.server)
		if err != nil {
			_ = c.Close()
			continue
		}
		p.mu.Lock()
		p.conns[c], p.conns[s] = true, true
		p.mu.Unlock()
		p.group.Go(func() { p.pass(s, c, false) })
		p.group.Go(func() { p.pass(c, s, true) })
	}
}

// step says how many of n bytes pass, and what happens then.
func (p *proxy) step(n int, replies bool) (int, fault, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.fault == none || p.replies != replies || p.happened > 0 && !p.always:
		return n, none, nil
	case p.after >= n:
		p.after -= n
		return n, none, nil
	}
	n, p.after = p.after, 0 // with always, the next connection does not get far
	p.happened++
	if p.fault >= delay {
		p.late.Add(1)
	}
	return n, p.fault, p.release
}

func (p *proxy) pass(to, from net.Conn, replies bool) {
	defer to.Close()
	defer from.Close()
	b := make([]byte, 4096)
	dropping := false
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		if dropping {
			continue
		}
		passed, what, release := p.step(n, replies)
		if _, err := to.Write(b[:passed]); err != nil {
			return
		}
		switch what {
		case cut:
			return
		case drop:
			dropping = true
		case delay, delayBefore:
			<-release
			_, err := to.Write(b[passed:n])
			p.late.Done()
			if err != nil {
				return
			}
		}
	}
}

// TestProxy breaks the exchange with the server at every byte, in each direction and
// in every way: of two replicas at most one is told Fresh, by an answer or never.
func TestProxy(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, row := range []struct {
		name    string
		fault   fault
		replies bool
		always  bool
		step    int // every so manieth byte: waiting for the end of a time takes time
	}{
		{"replies cut once", cut, true, false, 1},
		{"replies cut always", cut, true, true, 1},
		{"requests cut once", cut, false, false, 7},
		{"requests cut always", cut, false, true, 29},
		{"replies dropped", drop, true, true, 1},
		{"replies late", delay, true, true, 1},
		{"requests dropped", drop, false, true, 29},
		{"requests late", delay, false, true, 29},
		{"requests late, before the other", delayBefore, false, true, 29},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if long() { // every byte
				row.step = 1
			}
			p := newProxy(t, srv.addr)
			prefix := row.name
			timeout := 60 * time.Millisecond
			if row.fault == cut && !row.always {
				timeout = time.Minute // the client finds out, and asks again
			}
			broken := open(t, redis.Options{Addrs: []string{p.listener.Addr().String()}, Prefix: prefix, Timeout: timeout})
			whole := open(t, redis.Options{Addrs: []string{srv.addr}, Prefix: prefix, Timeout: time.Minute})
			plain := srv.client(t)
			positions, recovered, unsure, not := 0, 0, 0, 0
			for after := 0; ; after += row.step {
				k := key("m-" + strconv.Itoa(after))
				// A connection that is there, and a script that is known.
				p.set(none, false, 0, false)
				eventually(t, broken, key("ready-"+strconv.Itoa(after)))
				p.set(row.fault, row.replies, after, row.always)

				first, err := broken.Claim(t.Context(), k, content("c"), time.Now())
				hits := p.hits()
				if err != nil {
					require.Zero(t, first)
				}
				var second replay.Claim
				if row.fault != delayBefore {
					second, err = whole.Claim(t.Context(), k, content("c"), time.Now())
					require.NoError(t, err)
				}
				p.set(none, false, 0, false) // what was late comes now
				if row.fault == delayBefore {
					recorded(t, plain, prefix, 2*(positions+1))
					second, err = whole.Claim(t.Context(), k, content("c"), time.Now())
					require.NoError(t, err)
					require.Equal(t, replay.Running, second.State)
				}
				third, err := whole.Claim(t.Context(), k, content("c"), time.Now())
				require.NoError(t, err)
				require.Equal(t, replay.Running, third.State)
				switch {
				case first.State == replay.Fresh && second.State == replay.Running:
					recovered++
				case first.State == 0 && second.State == replay.Running:
					unsure++
				case first.State == 0 && second.State == replay.Fresh:
					not++
				default:
					t.Fatalf("after %d bytes: %v, then %v", after, first.State, second.State)
				}
				if hits == 0 {
					break // the exchange is shorter than that
				}
				positions++
			}
			t.Logf("%d positions; executed by the first %d, by the second %d, by none %d", positions, recovered, not, unsure)
			require.Greater(t, positions, 5)
			if row.fault == cut && row.replies && !row.always {
				require.Equal(t, positions+1, recovered, "a reply that was lost is asked for again")
			}
		})
	}
}

// eventually claims until there is an answer.
func eventually(t *testing.T, s replay.Store, k replay.Key) {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := s.Claim(ctx, k, content("c"), time.Now())
		cancel()
		if err == nil {
			return
		}
		require.NoError(t, t.Context().Err())
	}
}

// recorded waits until the server has so many messages.
func recorded(t *testing.T, c *goredis.Client, prefix string, n int) {
	t.Helper()
	for {
		has, err := c.HLen(t.Context(), "{"+prefix+"}:seen").Result()
		require.NoError(t, err)
		if has >= int64(n) {
			return
		}
	}
}

// TestProxySwap loses the replies to writes of records.
func TestProxySwap(t *testing.T) {
	t.Parallel()
	srv := start(t)
	p := newProxy(t, srv.addr)
	broken := open(t, redis.Options{Addrs: []string{p.listener.Addr().String()}})
	now := time.Now()
	end := now.Add(time.Hour)

	p.set(cut, true, 0, false)
	ok, err := broken.Swap(t.Context(), "r", 0, []byte("v"), end, now)
	require.NoError(t, err)
	require.True(t, ok, "the same write, asked for again")
	require.Equal(t, 1, p.hits())
	r, ok, err := broken.Load(t.Context(), "r", now)
	require.NoError(t, err)
	require.True(t, ok)
	require.EqualValues(t, 1, r.Version)

	p.set(cut, true, 0, false)
	ok, err = broken.Swap(t.Context(), "r", r.Version, nil, end, now)
	require.Error(t, err, "whether it was deleted is not known")
	require.False(t, ok)
	require.Equal(t, 1, p.hits())
	_, ok, err = broken.Load(t.Context(), "r", now)
	require.NoError(t, err)
	require.False(t, ok)
}
