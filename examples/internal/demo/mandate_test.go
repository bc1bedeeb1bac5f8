package demo_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
)

// TestPresent: nothing is signed for a domain of the peer's choice.
func TestPresent(t *testing.T) {
	t.Parallel()
	_, clients, err := demo.New(t.Context(), 1)
	require.NoError(t, err)
	for domain, ok := range map[string]bool{
		demo.AgentName: true, "": false, "https://other.example/agent": false, demo.AgentName + "/": false, "https://alice.pod.example/": false,
	} {
		made, err := clients[0].Present(t.Context(), &engine.Challenge{Challenge: "c", Domain: domain, Expires: time.Now().Add(time.Minute)})
		require.Equal(t, ok, err == nil, domain)
		require.Equal(t, ok, made != nil, domain)
	}
	_, err = clients[0].Present(t.Context(), nil)
	require.Error(t, err)
}
