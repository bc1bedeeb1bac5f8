// Package fetch gets documents over HTTPS from URLs that somebody else supplied:
// Protocol Documents, Agent Cards, JWK Sets, standing proposals, status lists.
//
// Such a URL is treated as hostile. A [Client] speaks https only, to port 443 only, to
// public addresses only. It resolves a name once, checks every address in the answer,
// and connects only to one of those, so that a second answer from the name server
// changes nothing. It follows few redirects or none and checks each hop like the first
// URL; it limits the size of the body, before and after decompression, and the time of
// the whole exchange; it sends no cookie, no credential and no referrer, and uses no
// proxy. It implements section 9.4 of the requirements of the RDF Protocol Documents
// extension and section 1.3 of those of signed cards. Where the kinds of documents
// differ is in their [Profile].
//
// A body is taken only when the message itself tells where it ends: by Content-Length, or
// in chunks. One that ends where the connection does, as HTTP/1.0 has it, fails with
// [CodeNetwork] like one that was cut off, because nobody could tell the two apart
// (RFC 9112 sections 8 and 9.8).
//
// A fetched document proves nothing: TLS only says which host sent it. The caller
// checks a pin or a signature before using it.
//
// [Cache] honours freshness and entity tags for documents that are read again and
// again. [Gate] keeps peers from turning this program into a load generator: it runs
// one fetch per key at a time, remembers failures, and limits the rate of each peer.
//
// This package touches the network and the clock; packages below it take its
// results as arguments.
package fetch
