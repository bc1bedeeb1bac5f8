package service_test

import (
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
)

// startRedis starts a redis-server with a password on a free loopback port. Without the
// program the test is skipped.
func startRedis(t *testing.T, password string) (address string) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed")
	}
	for range 5 { // somebody else may be faster at the port
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		address = l.Addr().String()
		_, port, err := net.SplitHostPort(address)
		require.NoError(t, err)
		require.NoError(t, l.Close())
		cmd := exec.Command(program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir(), "--requirepass", password, "--loglevel", "warning")
		require.NoError(t, cmd.Start())
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
		if answers(address, ended) {
			return address
		}
	}
	t.Fatal("redis-server did not start")
	return ""
}

func answers(address string, ended <-chan struct{}) bool {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
	return false
}

// TestReplicas: of copies of one message that come to two services over one Redis at
// once, one is carried out; what is agreed at one is agreed at the other.
func TestReplicas(t *testing.T) {
	t.Parallel()
	address := startRedis(t, secret)
	config := strings.Replace(permitAll, `{"store":"memory"}`, `{"store":"redis","url":"redis://:`+secret+`@`+address+`/0"}`, 1)
	log := &logged{}
	var both [2]*testServer
	for i := range both {
		both[i] = serve(t, service.Options{Door: service.DoorSocket, Requests: 100, Judge: grantJudge(t, config), Log: log.logger(), Now: time.Now, Time: time.Minute})
	}
	contextID := both[0].receive(t, msg("m-1", "", offer(grantPin, true))).str("contextId")
	in := msg("m-2", contextID, intent(grantPin, testdata(t, "intent.ttl")))
	var mu sync.Mutex
	outcomes := map[string]int{}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			r := both[i%2].receive(t, in)
			mu.Lock()
			defer mu.Unlock()
			outcomes[r.str("outcome")]++
		})
	}
	wg.Wait()
	require.Equal(t, map[string]int{"intent": 1, "duplicate": 39}, outcomes)
	require.NotContains(t, log.String(), secret)
}
