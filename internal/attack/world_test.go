package attack_test

import "testing"

// TestWorld: the valid documents are valid.
func TestWorld(t *testing.T) {
	t.Parallel()
	theWorld()
}
