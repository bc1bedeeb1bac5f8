package engine_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when anything of an engine left a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
