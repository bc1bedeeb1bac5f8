// Package damage makes every small damage of a document, for tests of what must
// refuse damaged documents: signed ones, pinned ones, and whatever a reader gets
// from a peer.
//
// [Bytes], [Tokens] and [Lines] damage any text; [Values] damages the values of a
// JSON text and nothing between them. Each yields the damaged documents one by one,
// in the same order every time, with what was changed. Not every change alters what
// a document says: a member doubled or an order reversed may leave the meaning as it
// was, and the caller's test decides whether it did.
//
// For tests alone.
package damage
