// Package handshake agrees on a Protocol Document: it reads and writes the
// offer and the response of the a2a-rdf extension (section 4), and holds the
// state machines of both roles (section 5).
//
// Payloads come in two forms with one meaning: a JSON object, read from raw
// bytes, and an RDF graph. Both are read strictly: a boolean that is not a
// boolean, a member that is missing, doubled, of the other kind or spelt in
// another case refuses the message. Nothing is coerced and nothing defaulted.
//
// The one thing this package exists to prevent is a silent downgrade. Natural
// language after an offer is allowed by a [Decision] alone, and a Decision
// allows it only when an optional offer was declined by a response that names
// the offer's own pin. Its zero value allows nothing.
//
// The package is pure: times come in as arguments, nothing is sent or fetched.
package handshake
