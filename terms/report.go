package terms

import (
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
)

// Terms is what a card states about terms (section B.7). It has three values and is not
// a yes or no. For a decision [Silent] and [NoneVerified] mean the same: no terms are
// stated. Never read either as an answer about price or use. The zero Terms is
// NoneVerified.
type Terms uint8

// The three values.
const (
	NoneVerified Terms = iota // the card lists proposals, and none of them could be verified
	Silent                    // the card does not declare the extension
	Stated                    // at least one proposal is verified
)

// String returns "none_verified", "silent" or "stated".
func (t Terms) String() string {
	switch t {
	case Silent:
		return "silent"
	case Stated:
		return "stated"
	}
	return "none_verified"
}

// MarshalText returns the text of String.
func (t Terms) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Outcome is the result of verifying one entry. The zero Outcome states nothing.
type Outcome uint8

// The outcomes.
const (
	NoTermsStated Outcome = iota // something failed: as if the card did not carry the entry
	Verified                     // all four steps and the checks of section B.6 passed
)

// String returns "no_terms_stated" or "verified".
func (o Outcome) String() string {
	if o == Verified {
		return "verified"
	}
	return "no_terms_stated"
}

// MarshalText returns the text of String.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// CardSignature is what is known about the card's own signature. It says nothing about
// the terms and is never merged with them.
type CardSignature uint8

// What can be known about the signature.
const (
	CardNotChecked CardSignature = iota // nobody checked it
	CardVerified
	CardInvalid
	CardUnverified // there is no key to check it with
	CardUnsigned
)

// String returns "not_checked", "verified", "invalid", "unverified" or "unsigned".
func (c CardSignature) String() string {
	switch c {
	case CardVerified:
		return "verified"
	case CardInvalid:
		return "invalid"
	case CardUnverified:
		return "unverified"
	case CardUnsigned:
		return "unsigned"
	}
	return "not_checked"
}

// MarshalText returns the text of String.
func (c CardSignature) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

func signatureOf(r *agentcard.Report) CardSignature {
	if r == nil {
		return CardNotChecked
	}
	switch r.Outcome {
	case agentcard.OutcomeVerified:
		return CardVerified
	case agentcard.OutcomeInvalid:
		return CardInvalid
	case agentcard.OutcomeUnsigned:
		return CardUnsigned
	}
	return CardUnverified
}

// Report is the result of [Verify]. The zero Report states nothing. The command line
// prints it as it is, so that its JSON members do not change.
type Report struct {
	Terms         Terms         `json:"terms"`
	CardSignature CardSignature `json:"cardSignature"`
	// Source is the URL that the card was fetched from, empty for one from a file.
	Source string `json:"source,omitempty"`
	// At is the time for which a directed offer is judged open or lapsed, and the end that a
	// proposal states still to come or passed.
	At time.Time `json:"at"`
	// Code and Signal say why the declaration as a whole states nothing.
	Code   Code   `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"`
	// SOWSpec is the version that the card names; empty unless terms are stated, since
	// it is the card's text.
	SOWSpec string        `json:"sowSpec,omitempty"`
	Entries []EntryReport `json:"entries"`
	// Warnings are about the declaration.
	Warnings []Finding `json:"warnings,omitempty"`
	// Remedy says what was done about documents that are not those that the card
	// commits to; nil when there were none.
	Remedy *Remedy `json:"remedy,omitempty"`
	// Claims are phrases of the card that look like terms, each beside the verified
	// clause that states it. There are none unless terms are stated (O-10).
	Claims []Claim `json:"claims,omitempty"`
	// Proves and DoesNotProve say in words what a verified proposal means.
	Proves       []string `json:"proves,omitempty"`
	DoesNotProve []string `json:"doesNotProve,omitempty"`

	proposals []*Proposal // by entry, nil where it is not verified
}

// EntryReport is the result for one entry. Of a document that failed any step it
// holds digests and nothing else (O-5).
type EntryReport struct {
	Index   int     `json:"index"`
	Outcome Outcome `json:"outcome"`
	// Code and Signal say why no terms are stated; empty for a verified entry. A signal
	// is a reason to look closer and says nothing about the provider (O-6).
	Code   Code   `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"`
	URL    string `json:"url,omitempty"`
	Digest string `json:"digest,omitempty"`
	// FoundDigest is the digest of the served document, if it differs.
	FoundDigest     string           `json:"foundDigest,omitempty"`
	DocumentID      string           `json:"documentId,omitempty"`
	Version         int64            `json:"version,omitempty"`
	Offerings       []string         `json:"offerings,omitempty"`
	Directed        bool             `json:"directed"`
	Lapsed          bool             `json:"lapsed,omitempty"` // an offer that is not open
	Owner           string           `json:"owner,omitempty"`
	ProviderKey     string           `json:"providerKey,omitempty"`
	Attributed      *Attribution     `json:"attributed,omitempty"` // nil when nobody asked
	SignedAtClaimed string           `json:"signedAtClaimed,omitempty"`
	MissingClauses  []string         `json:"missingClauses,omitempty"`
	Grades          map[string]Grade `json:"grades,omitempty"`
	Warnings        []Finding        `json:"warnings"`
	// Line and Column are the place of the entry in the card.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

// Remedy is what was done about a digest that differs (section B.7, step 3).
type Remedy struct {
	Result RemedyResult `json:"result"`
	// Code says why the card that is served now cannot be used; empty otherwise.
	Code Code   `json:"code,omitempty"`
	Text string `json:"message"`
}

// RemedyResult says how the remedy ended.
type RemedyResult string

// The ends of the remedy.
const (
	RemedyByHand      RemedyResult = "by-hand"          // the card is from a file: the reader has to get it again
	RemedyUnreachable RemedyResult = "card-unreachable" // the card could not be fetched again
	RemedyRefused     RemedyResult = "card-refused"     // it was fetched again and cannot be relied on
	RemedyUnchanged   RemedyResult = "card-unchanged"   // it says the same as before
	RemedyUpdated     RemedyResult = "card-updated"     // it says something new, which the report is about
)

// Proposals returns the verified proposals, in the order of the card. There are
// none unless terms are stated.
func (r *Report) Proposals() []*Proposal {
	var out []*Proposal
	for _, p := range r.proposals {
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// Proposal returns the verified proposal with a digest, and whether there is one. Use it
// to act on a decision that was made on an earlier report: a document that is new to the
// card has another digest. No proposal has the zero digest.
func (r *Report) Proposal(digest canon.Digest) (*Proposal, bool) {
	for _, p := range r.proposals {
		if p != nil && p.digest.Equal(digest) {
			return p, true
		}
	}
	return nil, false
}

// AllVerified reports whether there are entries and every one of them is verified.
func (r *Report) AllVerified() bool {
	for _, e := range r.Entries {
		if e.Outcome != Verified {
			return false
		}
	}
	return len(r.Entries) > 0 && r.Terms == Stated
}

// fail makes an entry state nothing, and drops what it said about its document.
func (e *EntryReport) fail(code Code, signal string) {
	if signal == "" {
		signal = code.Text()
	}
	*e = EntryReport{
		Index: e.Index, Code: code, Signal: signal, URL: e.URL, Digest: e.Digest, FoundDigest: e.FoundDigest,
		Warnings: []Finding{}, Line: e.Line, Column: e.Column,
	}
}
