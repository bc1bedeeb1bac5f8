package a2a_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestClose: an exchange that is under way when its client is closed fails, and none begins
// afterwards, by streams as well.
func TestClose(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		for _, stream := range []bool{false, true} {
			begun, done := make(chan struct{}), make(chan struct{})
			a := newAgent(t, agentOptions{tasks: stream, ran: func(context.Context) {
				close(begun)
				<-done
			}})
			config := a.clientConfig(t, b)
			config.Stream = stream
			c, err := a2a.Dial(t.Context(), a.cardURL(), config)
			require.NoError(t, err)
			v := c.Conversation("")
			draft := engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, container)}
			failed := make(chan error, 1)
			go func() {
				r, err := v.Intent(t.Context(), draft)
				if r.Kind == engine.KindResponse {
					err = nil
				}
				failed <- err
			}()
			<-begun
			require.NoError(t, c.Close())
			select {
			case err := <-failed:
				require.Error(t, err)
			case <-time.After(10 * time.Second):
				t.Fatal("it is under way still")
			}
			close(done)
			_, err = c.Conversation("").Intent(t.Context(), draft)
			require.Error(t, err)
			require.Eventually(t, func() bool { return len(a.executed()) == 1 }, 10*time.Second, time.Millisecond)
			if b == a2a.GRPC {
				continue
			}
			tasks, err := c.Conversation("").Tasks()
			require.NoError(t, err)
			_, err = tasks.Get(t.Context(), "T")
			require.ErrorContains(t, err, "closed")
			require.NoError(t, c.Close(), "again")
		}
	})
}
