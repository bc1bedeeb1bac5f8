package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
)

func TestCodeTexts(t *testing.T) {
	t.Parallel()
	for _, c := range service.Codes() {
		require.NotEmpty(t, c.Text(), c)
	}
	require.Empty(t, service.Code("other").Text())
	for _, c := range service.CommandCodes() {
		require.NotEmpty(t, c.Text(), c)
	}
	require.Empty(t, service.CommandCode("other").Text())
}
