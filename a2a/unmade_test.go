package a2a_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// TestIntentNotMade: an intent that does not conform, or for which there was no time, is
// not sent; prose is no way around that (DG-6).
func TestIntentNotMade(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for name, try := range map[string]func(v *a2a.Conversation) (a2a.Result, error){
		"it does not conform": func(v *a2a.Conversation) (a2a.Result, error) {
			return v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: graph(t, goodResponse)})
		},
		"no time": func(v *a2a.Conversation) (a2a.Result, error) {
			return v.Intent(done, engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, "https://alice.pod.example/notes/")})
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := dial(t, a, a.clientConfig(t, a2a.JSONRPC)).Conversation("")
			r, err := try(v)
			require.Error(t, err)
			require.Empty(t, r.Sent.ID)
			_, err = v.Say(t.Context(), "please read the notes")
			require.ErrorContains(t, err, "came to nothing")
			require.Empty(t, a.executed())

			r, err = v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, "https://alice.pod.example/notes/")})
			require.NoError(t, err)
			require.Equal(t, engine.KindResponse, r.Kind)
		})
		a = newAgent(t, agentOptions{})
	}
}
