// Package jsonld reads JSON-LD 1.1 as RDF: expansion and deserialization of the
// W3C Recommendations JSON-LD 1.1 and JSON-LD 1.1 Processing Algorithms and API
// (16 July 2020, with the corrections 1 to 5 of their errata).
//
// Nothing is ever fetched and no file is opened. A remote context is one of the
// [Contexts] that the caller gives, by its IRI, or the document is refused
// before it has any effect. Those of the credentials ecosystem are [Builtin],
// for callers who choose them.
//
// Nothing is lost without a word. JSON-LD drops what it cannot map: members
// without a term, relative IRIs, values that float free. By default that is an
// error which names the member, since data that was dropped is neither hashed
// nor checked; [Options].Lossy gives the behaviour of the recommendation. A
// member that is null says nothing and may always be dropped. So may an @index, and
// the names in an index map that is not property-valued: the recommendation gives them
// no meaning in RDF, where they do not appear.
//
// By default refused is also what the syntax does not provide for, the recommendation's
// algorithms read in one way, and readers that are in wide use in another: an array or a
// set within a list, a set around one, null as a list or a set, and a @propagate within an
// array of contexts that would change something. So is what they are known to read in
// another way and few need: a term, if no pinned context defines it, whose own scoped context
// changes what is looked up outside of it, or itself; an object that is a JSON literal although
// such a term has a container that makes maps of objects; a bare value or reference in the
// container of a graph.
// What else such readers make of scoped contexts, above all of type-scoped ones around maps,
// is not refused where the recommendation is plain.
//
// The JSON text is read strictly: a member name that repeats, a lone surrogate,
// or anything else that two readers may read differently is refused.
//
// A number with a fraction is a double and is written with 16 digits, as the
// recommendation says: 0.30000000000000004 and 0.3 become the same literal. Only
// what would become an integer must keep its exact value.
//
// Where the recommendation leaves a choice:
//
//   - Scoped contexts are checked when all terms of their context are defined, and not in
//     the midst of them (step 21 of term definition): the members of a JSON object have no
//     order, and what is refused does not depend on it.
//   - Blank node labels keep their spelling where N-Triples can write it, and
//     are replaced where it cannot.
//   - Language tags are kept as they are written, except within the datatypes
//     and values that encode a base direction, which are lower case.
//   - JSON literals are in the canonical form of RFC 8785.
//   - A blank node as a predicate makes no triple (no generalized RDF).
//   - The length of a chain of remote contexts is bounded by 32 (the
//     recommendation's "context overflow").
//   - In processing mode 1.0 the features of 1.1 are refused as the
//     recommendation says; nothing else differs.
//
// Left out: framing, compaction, and HTML as a carrier.
//
// The files are named after the recommendation's sections, and steps carry its
// numbers.
package jsonld
