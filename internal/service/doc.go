// Package service is the second program, rdfprotod: an HTTP service for agents in
// other languages, and the commands that speak A2A.
//
// # The service
//
// A request is looked at in this order, and the first thing that is wrong answers it:
// the route and its method, the Host (on loopback, against DNS rebinding) and any
// Origin, who calls, how many requests there are, the type and the size of the body,
// its JSON. Only then is anything judged, within a time. Every answer of /v1 is the
// verdict object of the command line; openapi.json is what it looks like.
//
// HTTP statuses: 200 is a verdict, whatever it says; any other is none, and never a
// yes. See [Server].
//
// # Who calls
//
// A caller is authenticated by a token, by a certificate or by being able to open a
// Unix socket that only its owner can. A caller on bare loopback TCP may be any user
// of the machine: it is served, but what it says of who its peer is counts for
// nothing, so it may not say it. On any other address every caller is authenticated,
// or the service does not start.
//
// # What is never written down
//
// Neither logs nor metrics hold payloads, tokens or texts of errors about an input.
// What a peer chose (its IRI, a messageId) is logged cut, without control characters
// and without user names and passwords (a2a-rdf, GEN-4). The labels of metrics come
// from closed lists.
package service
