// Package page is what stands behind the page in web/: it takes the texts of a Protocol
// Document, an intent and an authority input to one answer that can be shown, as the
// command line does with files (protocol review, canon, message check, authz check).
//
// Texts come from whoever uses the page and are read within the limits for bytes of
// someone else: they were most likely copied from a peer. Nothing is fetched, and
// JSON-LD contexts are those that are built in or none.
//
// The page has no wire: it makes the message around the intent, declares the document as
// the own card would, and remembers nothing. So the first three steps of the receiving
// procedure pass, unless there is no document that can be accepted.
package page
