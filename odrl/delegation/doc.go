// Package delegation decides chains of delegated policies by the ODRL
// Agent-Delegation Profile (https://w3id.org/jeswr/odrl-delegation; rdfproto
// specification "authz", section 7).
//
// A chain is a list of policies, root first. The root grants something to a
// first agent and, by a permission to grantUse, lets it pass that on; each
// further policy is an Agreement that says under which policy it was delegated.
// [Evaluate] permits a request only when every policy of the chain permits it,
// every edge between two was granted, and no prohibition of any policy stands
// against it: a chain can only narrow.
//
// Policies are compiled for [odrl.DelegationProfile] by [Compile]; any other
// policy denies. Evaluate is pure: the time comes with the request, and which
// policies are revoked with the options. That each policy was made by its
// assigner is proved elsewhere (specification, sections 2 to 6), and must be:
// without it a chain says nothing.
//
// # Decisions that the profile leaves open
//
//   - The root needs an assigner, and must not say that it is delegated itself:
//     a later policy of a chain, presented alone, would otherwise stand for more
//     than its parents granted.
//   - Every policy of a chain of more than one must say that it follows the
//     profile; a single policy need not.
//   - A duty of an action that is not known blocks until someone handles it, as
//     do those that [Options] says; others are carried forward.
//   - A mandate (odrl:nextPolicy) pins the next policy wherever it stands: on a permission to
//     delegate, on the permission of what is passed on, as an obligation of the policy.
//     The profile reads it on the first alone. On the last policy it has an effect on a
//     request to delegate alone.
//   - A request to delegate (odrl:grantUse) stands for one more edge, to a policy that nobody
//     has seen: it counts for the depth, for the length of the chain and for the profile, a
//     prohibition is strict, and a permission that mandates the next policy permits it to none.
//     The profile says nothing of it; what is permitted here the longer chain permits too.
//   - A root may be an odrl:Offer or odrl:Set.
//   - What a policy prohibits to a party, that party cannot pass on either, however
//     far down the chain it is; and whom it prohibits to delegate does not delegate
//     there. The profile asks the policy just above for both, and so would let a party
//     have somebody else do what the root prohibits to it.
package delegation
