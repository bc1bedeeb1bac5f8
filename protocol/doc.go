// Package protocol is about Protocol Documents of the a2a-rdf extension
// (https://w3id.org/jeswr/a2a-rdf/v1): RDF graphs whose body is a SHACL shape and
// whose identity is the hash of their canonical form, their pin.
//
// A body becomes trusted in three steps, each with a type that nothing else
// makes. [Parse] reads bytes into a [Candidate] and hashes it. [Candidate.Verify],
// or [Verify] for both, compares the pin before anything else of the graph is
// used and then checks every rule on Protocol Documents (section 2 of the
// extension's requirements): the result is a [Document], with its shapes compiled.
// [Examine] says what accepting a document would cost and what is wrong with it;
// [Review.Accept] gives a [Reviewed] document, which is what package handshake
// offers and accepts.
//
// [Document.ValidateRequest] and [Document.ValidateResponse] judge intents and
// responses (section 7): one default graph, exactly one a2a:Intent, SHACL against
// the one shape that is meant for it. Their [Verdict] refuses unless it says
// otherwise. [Project] reads an intent of one of the nine stock verbs into an
// [Intent], and [Build] makes documents from the stock shapes or from the caller's
// own. [Compare] says what a new version of a document narrows, widens or changes.
// [Store] keeps documents by their pins in memory; package pdstore in a folder.
//
// Every body comes from someone else. It is read within limits, without a base
// IRI and without fetching anything: remote JSON-LD contexts are refused except
// those that the caller pins, and no IRI of a document is ever looked up. Work is
// bounded by numbers, wall-clock time by the caller's context.
//
// names.go holds every name that the extension defines, and those that were chosen
// where its text is silent.
package protocol
