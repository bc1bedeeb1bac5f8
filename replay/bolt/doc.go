// Package bolt is a replay.Store in a file (go.etcd.io/bbolt): for one agent process
// that must not execute a message again after a crash.
//
// A claim is on the disk (fsync) before it returns; calls that come at the same time
// share one write. One process has the file open at a time. Only Create makes a
// file, and only where there is none: a file that is missing, empty, truncated,
// damaged or of another format is an error, because an empty store in its place would
// let everything be executed again.
//
// bbolt keeps checksums of its two head pages only and trusts the rest. So Open reads
// the whole file first, as bytes: every page that is in use, its bounds and the order
// of its keys, a checksum in every entry, and counts and sums that tie the entries to
// each other. A damaged byte either changes nothing or is ErrCorrupt. When a store is
// refused for good, the way out is a new file after the life of the messages in the old
// one (replay.Limits, 24 hours) has passed; what no check can find is an old copy of
// the file put in its place.
//
// After a write that failed for another reason than a lack of space, what is on the
// disk is not known any more, and the Store refuses every call until the file is
// opened, and so read, again. So it does when the file that it writes to is no longer
// the one at its path, which is looked at after every write: nobody would find there
// what was claimed, and another process could have the other file open.
package bolt
