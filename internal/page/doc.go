// Package page is the engine behind the page in web/: it turns the texts of a Protocol
// Document, an intent and an authority input into one answer that can be shown, as the
// command line does with files (protocol review, canon, message check, authz check).
//
// Texts come from the user of the page, and are read within the limits for bytes from a
// peer, since they were most likely copied from one. Nothing is fetched, and only the
// built-in JSON-LD contexts are known.
//
// The page has no transport: it makes the message around the intent, declares the
// document as the receiver's card would, and remembers nothing. So the first three
// steps of the receiving procedure always pass if the document can be accepted.
package page
