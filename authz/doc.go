// Package authz decides whether an action may be carried out for a party that
// presents a chain of delegated authority: Agent Authorization Credentials, one
// a hop, and the policies that they name (rdfproto specification "authz",
// sections 3, 6, 8 and 9).
//
// # The decision
//
// [New] makes an [Authorizer] from a [Config]; [Authorizer.Authorize] takes a
// [Request] and returns a [Decision], whose zero value denies. The checks are
// made in the order of section 3.2, and the first that fails decides, with its
// phase and its code:
//
//	assembly     the policies form one chain, each bound by one credential
//	A            every credential is authentic: package authz/vc
//	B            credentials, policies and principals belong together
//	C            nothing is revoked, suspended or of unknown status
//	D            the chain permits the action: package odrl/delegation
//	composition  the acting party is the one that the chain authorizes
//
// All hops finish a phase before any begins the next. One instant, the
// request's, is the time of every check. [Decision.Checks] has each check with
// what it found, and [Decision.Record] makes a record that can be kept and hashed.
// [Record.Sign] signs it, [VerifyRecord] verifies that, and [Record.Differences] says
// whether a decision that is made again is the same.
//
// The verifier of the Config needs [vc.Config.Authority], a resolver of keys and the
// contexts that credentials refer to: jsonld.Builtin of package rdf/jsonld has those of
// W3C, and a verifier without contexts refuses every credential of the W3C profile.
//
// [Authorizer.Authorize] never fails because of what a party presents: that is a
// denial. An error means that the call was wrong or its context is done, and the
// answer is no as well.
//
// # The action under test
//
// What is asked for comes from an intent that was already validated: [ReadIntent]
// maps an intent of a stock verb to requests (section 8.3), all of which must be
// permitted, and a [Mapping] does so for the verbs of another Protocol Document. The
// agent is never read from the intent: phase D asks on behalf of the last assignee of
// the chain, and the acting party must be that one, or prove by a second chain that
// it acts for it.
//
// # Presentations and revocation
//
// [Authorizer.AuthorizePresentation] takes the chain as a presentation, whose
// holder is the acting party. [Challenges] issues the challenge that it must be made
// for, which counts once. [Memory] and [vc.Memory] remember what was revoked: a
// revocation that was seen once stays, whatever comes later. [Cache] keeps status
// lists for a while.
//
// # What is trusted
//
// The root principal, the keys, the actor's identity (authenticated by the
// transport or by a presentation), the attributes and the time are the
// receiver's. Credentials, policies, the intent and revocation documents are
// not. What is read from a credential before it is verified decides the order in
// which checks are reported and nothing else.
//
// # Policies and their content
//
// By default the content of every policy must be bound to its credential
// ([BindingRequired]): by a digest that the issuer signed, or because it is part
// of the credential. Otherwise the supplier of a policy's text would decide what was
// granted; the other modes are for audits and conformance vectors.
//
// # Decisions that the specification leaves open
//
//   - A policy that is part of its credential exists once the credential is
//     verified. So the credential is verified before the chain is assembled, and
//     what is wrong with it is reported in phase A.
//   - A policy document that was retrieved at another address than that of the
//     policy which its credential names is refused: relative references would depend
//     on who presents it.
//   - What a policy of the chain prohibits to the acting party, or to another of the
//     chain by which it acts for the last assignee, stays prohibited to it. So does what
//     is prohibited to a recipient, whom a grant would give access or an action its
//     output, or to who is known to be a member of it. A chain by which the actor acts for the last assignee passes on, too: who is
//     prohibited to delegate has nobody act by one.
//   - A credential or its subject that says something in the vocabulary of credentials by
//     a term which is not known, or in a namespace that is nearly that vocabulary's, is
//     refused: it may narrow what is granted. Other vocabularies may be used, but for what
//     reads like an end of the grant, such as schema:expires.
//   - A policy is revoked by the name that its credential has for it, and by that of the
//     credential, as well as by its own.
//   - A revocation document that names who it is from counts for the policies of
//     that party and below; one that does not is taken as the caller's own word.
//
// This package has no clock, no network and no randomness.
package authz
