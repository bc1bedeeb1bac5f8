// Package odrl reads policies of the ODRL Information Model 2.2 (W3C
// Recommendation, 15 February 2018) from RDF and decides what they permit.
//
// # Reading and deciding
//
// [Compile] turns one policy of a graph into an immutable [Policy], once;
// [Policy.Evaluate] answers one [Request] with a [Decision], as often as needed
// and from any number of goroutines. [Policy.Explain] gives the same decision
// with a [Trace] that names every rule and every constraint and says why it
// held or not. [Lint] lists every term of a graph that will deny, with its
// place, and [Support] what is understood.
//
// Policies and requests are untrusted: no input makes this package panic, every
// list and nesting is bounded by [Limits], and nothing is ever fetched. There
// is no clock; the time comes with the request.
//
// # Everything unknown denies
//
// A policy that is not understood in full must not permit what its author did
// not mean to. So every premise of a rule has one of three states: satisfied,
// unsatisfied, unknown. A permission applies when all its premises are
// satisfied; a prohibition when none is unsatisfied. What is unknown (a term, an
// operand without a value, two values that cannot be compared, a node of the
// wrong kind) therefore counts against the request on both sides, and in a duty
// it leaves the duty unfulfilled. Logical constraints follow Kleene's
// three-valued logic, and xone is unknown as soon as one operand is.
//
// A policy whose meaning as a whole is in doubt is refused: it is compiled, and
// permits nothing (an unknown profile, a property of the ODRL namespace that is
// not known or has no place on a policy, a policy that is replaced by another, a
// rule or constraint in its graph that no policy leads to).
// A graph in which the policy cannot be found or told apart is an error of
// [Compile].
//
// Properties and classes of other namespaces are descriptions and change
// nothing, apart from those that may begin, end or suspend a policy, a rule, a
// constraint, or an action or collection that has no name outside the policy:
// dcterms:isReplacedBy, properties whose names say so, such as schema:validThrough,
// a status that says so, such as that of adms:status, or that it was not given, such as
// dpv:ConsentRefused, and at another node
// dcterms:replaces and prov:invalidated. These are unknown, and a policy that has one
// is refused. [Policy.Over] says of which others its graph says so.
//
// # Decisions that the Information Model leaves open
//
//   - A permission needs a target (its own or the policy's); without one it
//     never applies. A prohibition without a target applies to all.
//   - A rule without an assignee is for everyone; in an Agreement, which has
//     one assignee (2.1.3), such a permission never applies.
//   - A property of a rule replaces that of the policy (2.7.1), so that a rule
//     for one party is not widened by the policy's. A rule of which the graph says
//     nothing in ODRL, or that is a list, has nothing of the policy either: what is said of it
//     elsewhere may narrow it.
//   - An Offer (2.1.2) and the common vocabulary's Request, Assertion, Privacy
//     and Ticket grant nothing.
//   - hasPolicy, assigneeOf and assignerOf would let any description of an
//     asset or a party change whom and what a policy is about; a policy that one
//     of them points at is refused, unless all its rules say the same, and so is
//     every policy of a graph in which one points at what is no policy there.
//   - inheritFrom (2.9) is followed within the graph alone. A parent of which the graph
//     has no rule, and nothing that it inherits, is not there.
//   - A duty of a permission is a precondition (2.6.5), fulfilled when the
//     request says so and its constraints and refinements are satisfied.
//     Obligations (2.6.4) are listed with the decision and block nothing.
//   - One request is answered by one policy; [EvaluateAll] combines several so
//     that any refusal, prohibition or conflict denies.
//   - The members of a collection are those that the request states. For a
//     permission the policy must declare the collection as such, only direct
//     membership counts, and so do the refinements of what its source names. For a prohibition membership also follows from other
//     memberships and from the policy's own partOf, and a request that states no
//     membership of a party or asset leaves it unknown.
//   - isA, isPartOf and hasPart hold by the same facts, without subclass
//     reasoning: a value isA or isPartOf what it is stated to be a member of.
//   - unit and status make a constraint unknown: a request has no units, and a
//     status is a value that the policy's author asserts.
//   - The operands of and, or and xone are a list or repeated values; those of
//     andSequence are a list, since only that has an order. Order is not
//     observable in one request, so andSequence is and.
//
// # Two dialects
//
// [InformationModel] is the above with the whole common vocabulary of ODRL.
// [DelegationProfile] is what the ODRL Agent-Delegation Profile knows
// (rdfproto specification "authz", section 7): 18 actions, eight left operands,
// nine operators, no collections, no refinements, no inheritance, and duties
// that are carried forward. Package odrl/delegation decides chains of such
// policies.
//
// # Left out
//
// The implies relation between actions, actions and operands that a profile or
// the policy itself declares (a policy whose graph includes an action of ODRL in one
// that ODRL does not is refused), references that would have to be fetched
// (rightOperandReference), the state of counts and periods over time (the
// receiver gives them as attributes), and what happens after a consequence or a
// remedy is triggered; both are shown in the trace.
package odrl
