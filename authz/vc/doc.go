// Package vc verifies and makes Verifiable Credentials 2.0 that are secured with
// Data Integrity proofs: credentials, presentations and Bitstring status lists
// (rdfproto specification "authz", sections 1, 2, 4, 5 and 6; W3C VC Data
// Integrity 1.0, Data Integrity EdDSA and ECDSA Cryptosuites 1.0, Bitstring
// Status List 1.0, Controlled Identifiers 1.0).
//
// # Verifying
//
// [New] makes a [Verifier] of a [Config], which says what is trusted: whose keys,
// which contexts, which cryptosuites. A Verifier is immutable and safe for
// concurrent use.
//
//   - [Verifier.Verify] takes the bytes of a credential and the time and gives a
//     [Report]. Where nothing was found against it the report holds a
//     [Credential], which nothing else makes.
//   - [Verifier.VerifyPresentation] does so for a presentation and the
//     credentials in it, given the challenge and the domain that the receiver
//     issued.
//   - [Verifier.CheckStatus] evaluates the status entries of a verified
//     credential, and [Verifier.BindPolicy] finds the policy that it is about
//     and compares its content with the digests that were signed.
//   - [Verifier.VerifyProofs] checks the proofs of any secured document and says
//     nothing about who may sign it: it never makes a Credential.
//     [Verifier.VerifyProofsBy] demands that they are a party's.
//
// What one call may spend on canonicalization is bounded for all its documents
// together; [Verifier.Joint] shares that bound among the calls of one decision.
//
// A report without findings is a yes, and the zero report is a no. Whatever is
// wrong with the input is a [Finding] with a [Code]; an error means that the call
// was wrong or that its context is done, and the answer is then no as well.
//
// What a credential claims is read from the RDF graph whose canonical form was
// signed ([Credential.Graph]), and in no other way from the JSON. A JCS proof
// covers JSON, which need not be readable as RDF; [Credential.Graph] then says
// so. A caller that acts on claims sets [Config.Authority]: it demands the graph,
// pinned contexts, one issuer and subject, and an id.
//
// # Two proof profiles
//
// [ProfileW3C] is JSON-LD as the recommendations say. [ProfileSVC] is what
// solid-vc compatible software signs under the same names of cryptosuites: JSON
// without a context and a fixed structured lowering to RDF. The signatures of one
// are not valid in the other, so a document is verified under exactly one of
// them: the configured one, or with [ProfileAuto] the one that the presence of
// @context selects.
//
// # Keys
//
// A [Resolver] gives the [Controller] document of an issuer or holder by its
// identifier, and a proof counts only when that document lists its verification
// method for the proof's purpose. [Keyring] holds documents, [DIDKeys] derives
// them, [Web] reads them through the caller's [Documents], in JSON or as the RDF of
// a WebID profile, and [Resolvers] tries several.
//
// # Making
//
// [Sign] adds a proof to a credential or presentation, [SignJSON] to any JSON object.
// [NewStatusList] and [StatusList.Credential] make status lists. The functions above
// verify what these make.
//
// This package has no clock, no network and no randomness: times, documents and
// sources of randomness are arguments. Left out: selective disclosure
// (ecdsa-sd-2023, bbs-2023), VC 1.1, enveloped credentials, status lists with other
// purposes than revocation and suspension or with entries of several bits.
package vc
