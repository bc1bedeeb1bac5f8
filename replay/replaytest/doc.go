// Package replaytest is the conformance test of replay.Store: every implementation
// passes it, those of this module and those that somebody else writes.
package replaytest
