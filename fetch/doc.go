// Package fetch gets documents over HTTPS for callers that were told the URL by
// somebody else: Protocol Documents, Agent Cards, JWK Sets, standing proposals,
// status lists.
//
// The URL is hostile until proven otherwise. A [Client] speaks https only, to
// port 443 only, to public addresses only; it resolves a name once, judges every
// address it got, and connects to one of those and to nothing else, so that a
// second answer of the name server changes nothing. It follows few redirects or
// none and judges each hop like the first URL; it caps the body before and after
// decompression and the time of the whole exchange; it sends no cookie, no
// credential, no referrer, and asks no proxy. It implements section 9.4 of the
// requirements of the RDF Protocol Documents extension and section 1.3 of those
// of signed cards; [Profile] holds where kinds of documents differ.
//
// What was fetched is bytes and no more: TLS says which host sent them. Whoever
// uses them checks a pin or a signature first.
//
// [Cache] honours freshness and entity tags for documents that are read again and
// again. [Gate] keeps peers from turning this program into a load generator: one
// running fetch a key, failures remembered, a rate per peer.
//
// This package touches the network and the clock; packages below it take its
// results as arguments.
package fetch
