// Package replay remembers what an agent must not forget between messages: which
// messages it has seen, so that none is executed twice (a2a-rdf, section 9.6), and
// the records that outlive a message, such as agreements (section 5.5).
//
// [Store] is the interface to all of it. A Store that cannot tell refuses: every error
// means that the message must not be executed. There are three: [Memory], for tests and
// for agents that may forget when they end; replay/bolt, in a file that survives a
// crash; replay/redis, shared by the replicas of one agent. All pass one conformance
// test, replay/replaytest. [Agreements] keeps agreements in any of them.
//
// # Time
//
// Time is an argument, and a wrong clock must not make a message fresh again. The
// life of a seen message is measured in the time of its store, which never runs
// backwards and, where the times passed in carry a monotonic reading, as those of
// time.Now do, is not moved by a clock that is set while the process runs. Where they
// carry none, a clock that was behind and is set right does not move it either. Records
// end by the clock of whoever asks. What no store in one process can notice is a
// clock that is ahead when the process starts: what was seen before is then
// forgotten as early as that clock says.
package replay
