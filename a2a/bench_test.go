package a2a_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// BenchmarkIntent sends an intent under an agreed document and reads the answer, both
// sides in one process over loopback with TLS.
func BenchmarkIntent(b *testing.B) {
	for _, binding := range []a2a.Binding{a2a.JSONRPC, a2a.REST, a2a.GRPC} {
		b.Run(binding.String(), func(b *testing.B) {
			a := newAgent(b, agentOptions{})
			v := dial(b, a, a.clientConfig(b, binding)).Conversation("")
			draft := engine.IntentDraft{Pin: a.read.Pin(), Graph: intent(b, protocol.VerbRead, container)}
			for b.Loop() {
				r, err := v.Intent(b.Context(), draft)
				require.NoError(b, err)
				require.Equal(b, engine.KindResponse, r.Kind)
			}
		})
	}
}
