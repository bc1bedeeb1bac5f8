// Package strictjson reads JSON (RFC 8259) so that a text has one meaning or
// none. It is the one JSON reader for bytes that came from someone else:
// JSON-LD, handshake payloads, Agent Cards, credentials.
//
// Two readers of one text must never see two things in it, so what readers are known to
// disagree on is refused: member names that repeat within an object, even when they are
// spelt with different escapes; bytes that are not UTF-8; a byte order mark; an escaped
// surrogate without its partner; anything after the value; a number too large for a
// finite double. [Limits] bound size, nesting, values and members, and no input makes
// the Go stack grow.
//
// [Parse] gives a [Value], a small handle into an immutable tree that keeps the
// order of members, the text of numbers and the place of every value and name.
// A document costs a handful of allocations however many values it has.
//
// Left out: what I-JSON (RFC 7493) merely advises against (integers beyond
// 2^53, noncharacters, a root that is not an object) is accepted and is the
// caller's to judge; the text of a number is kept for that.
package strictjson
