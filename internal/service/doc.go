// Package service is the second program, rdfprotod: an HTTP service for agents in
// other languages, and the commands that speak A2A.
//
// # The service
//
// A request is checked in this order, and the first thing that is wrong decides the
// answer: the route and its method, the Host (on loopback, against DNS rebinding) and
// any Origin, the caller, the number of requests, the type and the size of the body,
// its JSON. Only then is anything judged, within a time limit. Every answer of /v1 is
// the verdict object of the command line; openapi.json is what it looks like.
//
// HTTP statuses: 200 is a verdict, whatever it says; any other status is not a verdict,
// and never a yes. See [Server].
//
// # Who calls
//
// A caller is authenticated by a token, by a certificate or by being able to open a
// Unix socket that only its owner can. A caller on plain loopback TCP may be any user
// of the machine: it is served, but it may not say who its peer is, since that would
// count for nothing. On any other address every caller is authenticated, or the service
// does not start.
//
// # What is never written down
//
// Neither logs nor metrics contain payloads, tokens or error texts about an input. What
// a peer chose (its IRI, a messageId) is shortened in logs, without control characters
// and without user names and passwords (a2a-rdf, GEN-4). The labels of metrics come
// from closed lists.
package service
