package replaytest

import (
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Fault is what a [Proxy] does to the bytes that go one way.
type Fault uint8

// The faults. The zero Fault is none.
const (
	None    Fault = iota
	Cut           // closes the connection after some bytes
	Drop          // passes some bytes and nothing after them
	Late          // passes some bytes, and the rest at the next Set
	Trickle       // passes some bytes, and the rest one by one, a millisecond apart
)

// Proxy stands between a client and a server, and breaks what goes through it. It is
// safe for concurrent use.
type Proxy struct {
	listener net.Listener
	server   string
	group    sync.WaitGroup

	mu       sync.Mutex
	conns    map[net.Conn]bool
	fault    Fault
	replies  bool // the fault is on the way from the server
	after    int  // bytes that pass before it
	always   bool // on every connection; otherwise once
	happened int
	release  chan struct{} // closed when what was held back may pass

	late sync.WaitGroup // what is held back and has not passed
}

// NewProxy makes a Proxy before a server, which ends with the test.
func NewProxy(t testing.TB, server string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &Proxy{listener: l, server: server, conns: map[net.Conn]bool{}, release: make(chan struct{})}
	p.group.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		p.Set(None, false, 0, false)
		p.mu.Lock()
		for c := range p.conns {
			_ = c.Close()
		}
		p.mu.Unlock()
		p.group.Wait()
	})
	return p
}

// Addr returns where clients find the server.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Set says what happens from now on: a fault on the way to the server, or of its
// replies, after so many bytes, once or on every connection. What Late held back passes
// first.
func (p *Proxy) Set(f Fault, replies bool, after int, always bool) {
	p.mu.Lock()
	close(p.release)
	p.release = make(chan struct{})
	p.fault = None
	p.mu.Unlock()
	p.late.Wait()

	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.replies, p.after, p.always, p.happened = f, replies, after, always, 0
}

// Hits returns how often the fault happened since it was set.
func (p *Proxy) Hits() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.happened
}

func (p *Proxy) accept() {
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
func (p *Proxy) step(n int, replies bool) (int, Fault, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.fault == None || p.replies != replies || p.happened > 0 && !p.always:
		return n, None, nil
	case p.after >= n:
		p.after -= n
		return n, None, nil
	}
	n, p.after = p.after, 0 // with always, the next connection does not get far
	p.happened++
	if p.fault == Late {
		p.late.Add(1)
	}
	return n, p.fault, p.release
}

func (p *Proxy) pass(to, from net.Conn, replies bool) {
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
		case Cut:
			return
		case Drop:
			dropping = true
		case Late:
			<-release
			_, err := to.Write(b[passed:n])
			p.late.Done()
			if err != nil {
				return
			}
		case Trickle:
			if !trickle(to, b[passed:n], release) {
				return
			}
		}
	}
}

// trickle writes bytes one by one, and those that are left at once when it is released.
func trickle(to net.Conn, b []byte, release chan struct{}) bool {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for i := range b {
		select {
		case <-tick.C:
		case <-release:
			_, err := to.Write(b[i:])
			return err == nil
		}
		if _, err := to.Write(b[i : i+1]); err != nil {
			return false
		}
	}
	return true
}
