// Package owg carries workflow tasks of an Open Workflow Graph to agents of other
// organizations over A2A, and keeps what A2A leaves out: what a task means, on
// whose authority it was handed over, and what came back.
//
// [Parse] reads a workflow strictly; members that it does not know are kept and
// not judged. [Workflow.Validate] finds what is wrong with it, above all a
// delegation that grants more than its delegator has. [Workflow.Trace] follows a
// produced asset back through delegations to a person, [Workflow.Lineage] through
// the tasks and assets that it was made from.
//
// Outbound, [Workflow.Request] makes the A2A request for a task, [Follow] turns the
// agent's answers into an attempt, and a [Record] keeps attempts. Inbound,
// [Workflow.Card] makes an Agent Card that gives nothing away, and
// [Workflow.Receive] decides about a task that another agent hands over.
//
// A hand-off can also ride as an intent under a pinned Protocol Document, see
// [PerformTaskDocument]: [HandOff.Intent] and [ReadIntent] are its request,
// [Result.Graph] and [ReadResult] its response.
//
// Scopes and delegations are declared, not enforced: that a chain is consistent
// says nothing about whether any hop of it was granted, and a delegation is never a
// credential. The systems on each side must still check who may do what (package
// authz).
//
// This is a subset of the draft 0.93 of the schema and its binding to A2A. Where the text
// of that binding is silent, names were chosen here, in code.go and names.go. Left out:
// discovery, transport, streaming, the vocabulary of scopes, subgraphs, and what a
// workflow means beyond its tasks.
//
// This package uses no network, no clock and no randomness. What it reads is
// untrusted, and bounded by [Limits].
package owg
