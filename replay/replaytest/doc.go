// Package replaytest is the conformance test of replay.Store: every implementation
// passes it, those of this module and those that somebody else writes.
//
// Beside it stands what tests of whatever uses a store need to break one: a Redis
// server that is killed and started again, a Proxy that breaks what goes to it, and
// times as they are after the clock of the machine was set.
package replaytest
