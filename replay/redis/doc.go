// Package redis is a replay.Store in a Redis server (version 5 or later, by
// redis/go-redis/v9): for an agent of several replicas. Each method is one script,
// which Redis runs as a whole, so that of all replicas one is told Fresh.
//
// # What was sent and not answered
//
// A claim carries a token of its own. Where the reply to it is lost, the client may
// send it again: the script knows the token and answers as before, and no other call
// can have that token. A claim that ends with an error may have been recorded; then
// it is Running for everyone, also for the one who asked. Writing a record works in
// the same way. Deleting one leaves nothing that could hold a token: it is sent once,
// and an error says that the outcome is not known.
//
// A call ends with its context, and after Options.Timeout at the latest; no answer is
// an error and never Fresh.
//
// # Clocks
//
// Each script compares the caller's time with the server's and refuses, with
// replay.ErrTime, when they are further apart than Options.MaxSkew: a replica with a
// wrong clock would let everything be executed again. The time of the store is the
// latest that any replica passed in, so a message lives for its life less MaxSkew at
// least. Ends are part of the data and compared by the scripts; the expiry of Redis
// only removes what an agent that is gone left behind, a day after that.
//
// # What the server must be
//
// A server that evicts keys forgets messages: its maxmemory-policy must be
// noeviction, which Open checks. A server that loses its data, by FLUSHALL or a
// restart without persistence, is noticed by every replica that was running then: a
// mark that Open leaves or finds is gone, and every call fails with ErrLost until
// the replica is opened again. What cannot be noticed is a server that comes back
// with data of a little earlier: with "appendfsync everysec" that is the last second
// before a crash, and with replication the writes that the new primary has not seen.
// Use "appendfsync always" and, with replicas, "min-replicas-to-write" where that
// matters.
//
// All keys share one hash slot, because the bounds of replay.Limits hold for all of
// them: in a cluster, one store is on one node. A Ring is refused, as it moves keys
// to another server when one fails.
package redis
