// Package agentcard signs and verifies A2A Agent Cards (A2A 1.0, section 8.4) and
// reads what a card declares about RDF Protocol Documents.
//
// A card's signatures are JWS signatures (RFC 7515) with a detached payload: the
// verifier rebuilds the payload from the card. The rules for that leave room, and
// implementations disagree on it; a [Reading] names what each of them signs. Only
// [Spec], the reading of the specification's text, is accepted unless a [Policy]
// says otherwise. What is verified is the JSON as it was received, never a typed
// round trip of it.
//
// [Parse] reads a card strictly and trusts nothing. [Verify] takes the card, the
// keys that may prove it and the policy, and makes a [Report], whose zero value
// refuses. The report holds a [Verified] card only if the policy's demand for valid
// signatures was met. [Admit] then decides whether a client may act on the card, and
// only the [Admitted] card gives out the Protocol Documents that it declares. A
// report keeps "the signature is valid" apart from "this key is trusted for this
// card": see [KeyTrust].
//
// A key is never taken from the card. It comes from a [TrustStore], from a
// [KeySet] that the caller hands in, or, where the location policy of the trust
// store allows the card's jku, from a [KeySets] cache over the caller's fetcher.
//
// A valid signature proves that the covered content did not change since it was
// signed and that the signer held the private key. It does not prove who owns the
// key, that the provider can be trusted, what the agent does, or who sends a
// request.
//
// This package uses no network, no clock and no randomness: fetchers, times and
// random sources are arguments. Left out: signatures of A2A 0.3 cards, sigstore
// bundles, issuing keys.
package agentcard
