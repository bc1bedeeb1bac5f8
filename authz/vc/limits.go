package vc

import (
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// Limits bounds what a document may cost (section 1.10). Every number is a maximum
// that is still accepted, one more is a refusal. A number that is not positive
// means that of [DefaultLimits]: there is no way to say "unlimited".
type Limits struct {
	CredentialBytes   int64 // one credential
	PresentationBytes int64 // one presentation with its credentials; and what all status lists of one call have around what they list
	ControllerBytes   int64 // one controller document, and the documents of its keys together
	PolicyBytes       int64 // one policy document
	StatusListBytes   int64 // one status list credential; those of one call together ten times as much
	EncodedList       int   // characters of an encodedList
	StatusListEntries int   // entries of a status list once inflated, in bits
	Depth             int   // open objects and arrays
	Quads             int   // of one document
	BlankNodes        int   // of one document
	Proofs            int   // of one document
	Credentials       int   // of one presentation
	StatusEntries     int   // of one credential
	// CanonicalBytes bounds the canonical N-Quads that one call hashes, of all its
	// documents: a long IRI is written again for every triple, and a triple with blank nodes
	// is hashed once more for each of them. They are hashed as they are written and never
	// held.
	CanonicalBytes int64
	// Inflated bounds the bytes of all status lists that one call inflates. They are
	// looked at as they are inflated and never held.
	Inflated int64
	// Canon bounds the work of canonicalization of one call as a whole: a presentation
	// with its credentials and their status lists may cost as much as one credential.
	// See [Verifier.Joint], also for the two numbers before.
	Canon canon.Options
}

// statusLists is how many of the largest status list credentials one call may read. The
// holder of a credential chooses which they are.
const statusLists = 10

// minStatusListEntries is the smallest status list that hides which credential a
// reader asks about (Bitstring Status List 1.0, section 6.1).
const minStatusListEntries = 131_072

// DefaultLimits returns the limits of the specification "authz", sections 1.10 and
// 4.1.
func DefaultLimits() Limits {
	return Limits{
		CredentialBytes:   64 << 10,
		PresentationBytes: 1 << 20,
		ControllerBytes:   256 << 10,
		PolicyBytes:       256 << 10,
		StatusListBytes:   2 << 20, // the encoded list and the credential around it
		EncodedList:       1 << 20,
		StatusListEntries: 16 << 20 << 3, // 16 MiB
		Depth:             32,
		Quads:             10_000,
		BlankNodes:        1_000,
		Proofs:            4,
		Credentials:       16,
		StatusEntries:     8,
		CanonicalBytes:    64 << 20,  // 32 times the largest document; a quarter of a second
		Inflated:          128 << 20, // all lists of one credential, as large as they may be
		Canon:             canon.Options{MaxPermutations: canon.DefaultPermutations, MaxCalls: canon.DefaultCalls},
	}
}

// OrDefault returns l with every number that is not positive replaced by that of
// [DefaultLimits].
func (l Limits) OrDefault() Limits {
	d := DefaultLimits()
	for _, f := range []struct{ from, to *int64 }{
		{&l.CredentialBytes, &d.CredentialBytes}, {&l.PresentationBytes, &d.PresentationBytes},
		{&l.ControllerBytes, &d.ControllerBytes}, {&l.PolicyBytes, &d.PolicyBytes}, {&l.StatusListBytes, &d.StatusListBytes},
		{&l.CanonicalBytes, &d.CanonicalBytes}, {&l.Inflated, &d.Inflated},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	for _, f := range []struct{ from, to *int }{
		{&l.EncodedList, &d.EncodedList}, {&l.StatusListEntries, &d.StatusListEntries}, {&l.Depth, &d.Depth},
		{&l.Quads, &d.Quads}, {&l.BlankNodes, &d.BlankNodes}, {&l.Proofs, &d.Proofs}, {&l.Credentials, &d.Credentials},
		{&l.StatusEntries, &d.StatusEntries}, {&l.Canon.MaxPermutations, &d.Canon.MaxPermutations}, {&l.Canon.MaxCalls, &d.Canon.MaxCalls},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	const deepest = 1000 // structured lowering recurses
	d.Depth = min(d.Depth, deepest)
	return d
}

// json returns the limits of a JSON text of at most size bytes.
func (l Limits) json(size int64) strictjson.Limits {
	return strictjson.Limits{Bytes: size, Depth: l.Depth}
}

// rdf returns the limits of RDF in a document of at most size bytes, which also
// bounds its terms.
func (l Limits) rdf(size int64) rdf.Limits {
	const longestIRI = 64 << 10 // data: IRIs of images occur
	return rdf.Limits{
		Bytes: size, Quads: l.Quads, BlankNodes: l.BlankNodes, Nesting: l.Depth,
		IRIBytes: longestIRI, LiteralBytes: int(size),
	}
}

// rdfOf returns the limits of rdf with another limit of all terms, if that is narrower.
func (l Limits) rdfOf(size, terms int64) rdf.Limits {
	out := l.rdf(size)
	out.TermBytes = min(rdf.Peer().TermBytes, terms)
	return out
}

// termsOf returns how many bytes the terms of a document of some bytes may take: one call
// reads many documents, some of them for each of their proofs, and small ones, whose short
// names stand for long IRIs, would take as much as the largest.
func termsOf(bytes int64) int64 {
	const least, times = 64 << 10, 8 // what is not made to be costly has one or two
	return least + times*bytes
}
