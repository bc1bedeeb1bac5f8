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

// TestDeclineOfAnother: that an optional offer was declined allows prose, but not around an
// intent under another document, of which nothing was decided (DG-1, DG-4).
func TestDeclineOfAnother(t *testing.T) {
	t.Parallel()
	bindings(t, func(t *testing.T, b a2a.Binding) {
		a := newAgent(t, agentOptions{})
		v := dial(t, a, a.clientConfig(t, b)).Conversation("")
		refused, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(t, protocol.VerbRead, forbidden)})
		require.NoError(t, err)
		require.Equal(t, protocol.CodeAuthorizationDenied, refused.Code)
		require.Empty(t, v.ContextID(), "the refusal names none")
		closed := func() {
			t.Helper()
			_, err := v.Say(t.Context(), "read the secrets")
			require.ErrorContains(t, err, "came to nothing")
		}
		closed()
		r, err := v.Offer(t.Context(), offer(a, a.update, false))
		require.NoError(t, err)
		require.Equal(t, engine.KindDeclined, r.Kind)
		closed()
		r, err = v.Resend(t.Context(), refused.Sent)
		require.NoError(t, err)
		require.Equal(t, engine.KindFailed, r.Kind)
		closed()
		require.Zero(t, a.prose.got.Load())
	})
}

// TestDeclineAfterAbort: an optional offer of the document itself decides.
func TestDeclineAfterAbort(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	v := dial(t, a, a.clientConfig(t, a2a.JSONRPC)).Conversation("")
	_, err := v.Intent(t.Context(), engine.IntentDraft{Pin: a.update.Pin(), Graph: intent(t, protocol.VerbUpdate, container)})
	require.Error(t, err, "it is neither agreed nor declared")
	_, err = v.Say(t.Context(), "hello")
	require.ErrorContains(t, err, "came to nothing")
	r, err := v.Offer(t.Context(), offer(a, a.update, false))
	require.NoError(t, err)
	require.Equal(t, engine.KindDeclined, r.Kind)
	said, err := v.Say(t.Context(), "hello")
	require.NoError(t, err)
	require.Equal(t, engine.KindProse, said.Kind)
}
