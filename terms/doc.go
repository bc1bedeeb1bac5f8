// Package terms reads and writes the A2A Terms extension
// (https://agentsow.com/extensions/a2a-terms/v1, 0.1.0-draft): the entry in an
// Agent Card that says on what terms an agent works, by pointing at signed
// standing proposals (Agent SoW, section 12.1) and committing to each by a digest.
// Comments cite section B of the project's requirements for this extension, and
// "SoW" for the Agent SoW specification.
//
// [Verify] does the four steps for every entry of a card (fetch and parse,
// canonicalize, compare the digest, check the provider's signature) and then asks
// whether the document is a standing proposal that this reader may be shown. It
// makes a [Report] that says one of three things: the card is silent about terms,
// it states terms, or it lists some that could not be verified. For a decision the
// first and the last mean the same: nothing is stated.
// There is no comparison of cards here, because absence is not a price. Only a
// verified document becomes a [Proposal], and only a Proposal can be read and
// rendered; of a document that failed any step only digests are given out.
// [VerifyFresh] does all of it again past every cache, for a reader who is about to
// countersign.
//
// A verified proposal is an offer, honestly attributed, and no more: it does not
// prove conduct, nor that any clause is enforced, nor who owns the provider's key.
// Grades are shown as the provider wrote them and are never raised.
//
// For publishers there are the three byte strings of a document and its identifier
// ([Document]), signing ([Sign]), the declaration ([Declare]) and [Lint].
//
// Cards and documents are hostile: everything is read strictly and within
// [Limits], and texts for people hold no control characters. This
// package uses no network, no clock and no randomness: fetchers, times and seeds
// are arguments. Left out: negotiation, reputation, forming an engagement,
// settlement, and keys in another form than nkeys (S-4, which is a MAY).
package terms
