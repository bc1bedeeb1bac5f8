package service_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

// TestReplicas: of copies of one message that come to two services over one Redis at
// once, one is carried out; what is agreed at one is agreed at the other.
func TestReplicas(t *testing.T) {
	t.Parallel()
	address := replaytest.StartRedis(t, "--requirepass", secret).Addr
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
