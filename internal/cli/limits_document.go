package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/protocol/pdstore"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

// peerLimits are the numbers that the packages take for bytes from a peer.
func peerLimits() *limits {
	return &limits{
		read: rdf.Peer(), jsonld: jsonld.Peer(),
		canon:    canon.Options{MaxPermutations: canon.DefaultPermutations, MaxCalls: canon.DefaultCalls},
		compile:  shacl.CompileOptions{MaxDepth: shacl.DefaultDepth, MaxPattern: shacl.DefaultPattern, MaxPatternBytes: shacl.DefaultPatternBytes},
		validate: shacl.Options{MaxChecks: shacl.DefaultChecks, MaxDepth: shacl.DefaultDepth, MaxReport: shacl.DefaultReport, MaxResults: shacl.DefaultResults},
		card:     agentcard.DefaultLimits(), vc: vc.DefaultLimits(), owg: owg.DefaultLimits(), authz: authz.DefaultLimits(), terms: terms.DefaultLimits(),
	}
}

// libraryLimit is a number of the library that no flag sets: of what passes between
// agents, and of what is kept.
type libraryLimit struct {
	field  string // package.Type.Field, or package.Constant
	value  string
	reason string
}

// libraryLimits lists them.
func libraryLimits() []libraryLimit {
	count := func(field string, n int64, reason string) libraryLimit {
		return libraryLimit{field, fmt.Sprint(n), reason}
	}
	span := func(field string, d time.Duration, reason string) libraryLimit {
		return libraryLimit{field, d.String(), reason}
	}
	document, payload := protocol.DocumentLimits(), protocol.PayloadLimits()
	e, r, o := engine.DefaultLimits(), replay.DefaultLimits(), odrl.DefaultLimits()
	return []libraryLimit{
		count("protocol.DocumentLimits.Bytes", document.Bytes, "a Protocol Document"),
		count("protocol.DocumentLimits.Quads", int64(document.Quads), "of a Protocol Document"),
		count("protocol.PayloadLimits.Bytes", payload.Bytes, "an intent or a response graph"),
		count("protocol.PayloadLimits.Quads", int64(payload.Quads), "of one of these"),
		count("protocol.MaxShapes", protocol.MaxShapes, "of a Protocol Document that can be accepted"),
		count("protocol.MaxDepth", protocol.MaxDepth, "shapes within each other, of one of these"),
		count("protocol.MaxPattern", protocol.MaxPattern, "characters of a pattern of one of these"),
		count("protocol.MaxList", protocol.MaxList, "members of one list of a constraint of one of these"),
		count("protocol.MaxConstraintMembers", protocol.MaxConstraintMembers, "`constraint-members`: shapes in the lists of a document, counted for each constraint that has the list"),
		count("pdstore.DefaultMost", pdstore.DefaultMost, "documents in a folder"),
		count("shacl.MaxListMembers", shacl.MaxListMembers, "`list-members`: of all lists of a shapes graph; more where it has more triples"),
		count("shacl.MaxPathLength", shacl.MaxPathLength, "`path-length`: parts of one path, a shared one counted as often as it is used"),
		count("shacl.MaxPathBytes", shacl.MaxPathBytes, "`path-bytes`: of the IRIs of one path, counted likewise"),
		count("shacl.DefaultResults", shacl.DefaultResults, "results of a report; more are counted"),
		count("fetch.ProtocolDocument", 1<<20, "bytes of a Protocol Document that is fetched, before and after it is decompressed"),
		count("fetch.Card", 256<<10, "likewise of an Agent Card"),
		count("fetch.KeySet", 64<<10, "likewise of a JWK Set, and of what has no profile"),
		count("fetch.Profile.Redirects", 3, "of a Protocol Document or a card; none of a JWK Set"),
		count("fetch.GateOptions.PerMinute", 10, "fetches that one peer causes in a minute"),
		count("fetch.GateOptions.Entries", 4096, "peers and failed fetches that are remembered"),
		count("handshake.MaxBytes", handshake.MaxBytes, "an offer or a response to one; it is some 300 bytes"),
		count("handshake.MaxDepth", handshake.MaxDepth, "brackets within each other of one of these in JSON"),
		count("handshake.MaxPending", handshake.MaxPending, "offers that wait for an answer in one context"),
		span("handshake.OfferTimeout", handshake.OfferTimeout, "an offer waits for its answer"),
		span("handshake.AgreementTTL", handshake.AgreementTTL, "an agreement holds, at most"),
		count("engine.Limits.Message", e.Message, "bytes of a message or a reply, or of all its parts"),
		count("engine.Limits.Handshake", e.Handshake, "bytes of a part with an offer or a response"),
		count("engine.Limits.Authorization", e.Authorization, "bytes of a part with a presentation"),
		count("engine.Limits.Parts", int64(e.Parts), "of a message, or of all artifacts of a reply"),
		count("engine.Limits.Network", int64(e.Network), "messages a day of peers without authentication from one network"),
		span("replay.Limits.Life", r.Life, "a seen message is remembered"),
		count("replay.Limits.PerPeer", int64(r.PerPeer), "messages of one peer that are remembered; more are refused"),
		count("replay.Limits.Messages", int64(r.Messages), "of all peers"),
		count("replay.Limits.Answer", int64(r.Answer), "bytes of one answer that is kept"),
		count("replay.Limits.PeerBytes", r.PeerBytes, "of the answers to one peer"),
		count("replay.Limits.Bytes", r.Bytes, "of all answers"),
		count("replay.Limits.PeerRecords", int64(r.PeerRecords), "agreements, offers and challenges that one peer makes an agent keep: two for each of its messages"),
		count("replay.Limits.Records", int64(r.Records), "of all peers, and of the agent's own messages"),
		count("replay.Limits.RecordName", int64(r.RecordName), "bytes of the name of one of these"),
		count("replay.Limits.Record", int64(r.Record), "bytes of one of these"),
		count("replay.MaxAgreement", replay.MaxAgreement, "bytes of an agreement; a peer makes one with each context that it names"),
		count("odrl.Limits.Rules", int64(o.Rules), "`policy-rules`: of a policy, each pair of action and target counted"),
		count("odrl.Limits.List", int64(o.List), "`policy-list`: values of one list or property of a policy"),
		count("odrl.Limits.Checks", int64(o.Checks), "`policy-checks`: of constraints in one evaluation"),
		count("odrl.Limits.TraceEntries", int64(o.TraceEntries), "rules, duties and constraints of one explanation; more are counted"),
		count("odrl.Limits.TraceBytes", int64(o.TraceBytes), "of the texts of one explanation"),
		count("odrl.MaxNesting", odrl.MaxNesting, "logical constraints within each other; deeper ones are unknown, and deny"),
		count("delegation.DefaultMaxPolicies", delegation.DefaultMaxPolicies, "of one chain, the root included"),
		count("delegation.MaxSteps", delegation.MaxSteps, "to evaluate a chain for all that one request asks for; about a second"),
	}
}

// limitDocument is docs/limits.md.
func limitDocument() string {
	var b strings.Builder
	b.WriteString(`# Limits

This page is what ` + "`rdfproto limits --markdown`" + ` prints.

Everything that an input can make longer has a number that bounds it. A number that is
reached is a refusal (exit status 3, or the code of the package), never a shorter answer,
and never "conforms". What is only shown is the exception: a report or an explanation that
is too long (` + "`report-bytes`" + `, ` + "`TraceEntries`, `TraceBytes`" + `) says how much it leaves out, and the
verdict stays what it is. Any number but the constants can be raised or lowered; none can
be switched off: zero means the default.

## Of the command line

` + "`--limit NAME=VALUE`" + ` sets one. The first number is for files that are named on the
command line, the second for bytes from a peer: the library's own default.

| name | files | from a peer | of what, and why |
|---|---:|---:|---|
`)
	local, peer := localLimits(), peerLimits()
	for _, l := range limitTable() {
		fmt.Fprintf(&b, "| `%s` | %d | %d | %s |\n", l.name, l.get(local), l.get(peer), l.reason)
	}
	b.WriteString(`
## Of agents

No flag sets these; the options of the packages do, but for the constants.

| field or constant | default | of what, and why |
|---|---:|---|
`)
	for _, l := range libraryLimits() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", l.field, l.value, l.reason)
	}
	return b.String()
}
