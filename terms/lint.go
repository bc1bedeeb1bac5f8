package terms

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
)

// Level says how much a lint finding matters.
type Level uint8

// The levels.
const (
	Warning Level = iota // for a person to look at
	Wrong                // readers would see no terms, or the document says something false
)

// String returns "warning" or "error".
func (l Level) String() string {
	if l == Wrong {
		return "error"
	}
	return "warning"
}

// MarshalText returns the level's name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// LintFinding is something that a publisher should correct or look at. Entry is the
// index of the entry that it is about, -1 for the declaration. With Document the place
// is in the entry's document, otherwise in the card.
type LintFinding struct {
	Level    Level `json:"level"`
	Entry    int   `json:"entry"`
	Document bool  `json:"document,omitempty"`
	Finding
}

// Lint finds what a publisher has to correct before readers can verify a card's terms,
// and what somebody should look at (section B.10): errors first, at most 1000 of each. A document that was not
// at hand, and so not judged, is a finding. Lint is for the publisher: its findings may
// hold parts of the documents. It finds nothing for a card that is silent, which
// [ReadDeclaration] tells. An error means that the call was wrong or ctx is done.
func Lint(ctx context.Context, s Subject, o Options) ([]LintFinding, error) {
	if err := o.check(s); err != nil {
		return nil, err
	}
	// The card as it is written, even if a signature does not cover all of it.
	card := s.Card
	if card == nil {
		card = s.card()
	}
	d := ReadDeclaration(card, o.Limits)
	if !d.Declared {
		return nil, nil
	}
	l := &linter{}
	l.declaration(d)
	served := deliver(d.Entries, o, true)
	var proposals []*Proposal
	var restrictions []*offeredTo
	for i, e := range d.Entries {
		l.entry = i
		if e.Code != "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		got := served.of(ctx, i)
		if errors.Is(got.err, ErrNotAtHand) {
			l.say(Warning, false, Finding{Code: CodeNotFetched, Text: CodeNotFetched.Text(), Line: e.Line, Column: e.Column})
			continue
		}
		if p := l.document(e, got, o); p != nil {
			proposals = append(proposals, p)
			if p.directed != nil {
				restrictions = append(restrictions, p.directed)
			}
		}
	}
	l.entry = -1
	if len(restrictions) > 1 && namesTwo(restrictions) {
		l.say(Wrong, false, Finding{Code: CodeDirectedMixed, Text: CodeDirectedMixed.Text()})
	}
	for _, c := range readClaims(card, proposals) {
		if !c.Stated {
			l.say(Warning, false, Finding{
				Code: CodeClaimUnbacked, Text: fmt.Sprintf("%s: %s", CodeClaimUnbacked.Text(), quoted(c.Phrase)),
				Pointer: c.Pointer, Line: c.Line, Column: c.Column,
			})
		}
	}
	if s.Signature != nil && s.Signature.Outcome == agentcard.OutcomeInvalid {
		l.say(Wrong, false, Finding{Code: CodeResign, Text: CodeResign.Text()})
	}
	slices.SortStableFunc(l.found, func(a, b LintFinding) int { return int(b.Level) - int(a.Level) })
	return l.found, ctx.Err()
}

type linter struct {
	entry  int
	found  []LintFinding
	counts [Wrong + 1]int // of found, by level
}

// say notes a finding. Of each level there is room for more than anybody reads: warnings
// leave no error out.
func (l *linter) say(level Level, document bool, f Finding) {
	const most = 1000
	if l.counts[level]++; l.counts[level] <= most {
		l.found = append(l.found, LintFinding{level, l.entry, document, f})
	}
}

func (l *linter) declaration(d Declaration) {
	l.entry = -1
	for _, f := range d.Findings {
		level := Wrong
		if f.Code == CodeDeclUnknown {
			level = Warning
		}
		l.say(level, false, f)
	}
	for i, e := range d.Entries {
		l.entry = i
		if e.Code != "" {
			l.say(Wrong, false, Finding{Code: e.Code, Text: e.Code.Text(), Line: e.Line, Column: e.Column})
		}
		for _, f := range e.Findings {
			level := Warning
			if f.Code == CodeEntryType {
				level = Wrong
			}
			l.say(level, false, f)
		}
	}
}

// document judges the document of an entry. It returns the proposal if a reader could
// verify it.
func (l *linter) document(e Entry, got answer, o Options) *Proposal {
	inCard := func(code Code, text string) {
		l.say(Wrong, false, Finding{Code: code, Text: text, Line: e.Line, Column: e.Column})
	}
	if got.err != nil {
		code, text := fetchFailure(got.err)
		inCard(code, text)
		return nil
	}
	doc, fault := read(got.body, o.Limits)
	if fault == nil {
		fault = doc.checkObject()
	}
	if fault != nil {
		l.say(Wrong, true, Finding(*fault))
		return nil
	}
	p := &Proposal{doc: doc, url: e.URL}
	ok := true
	wrong := func(fault *Error) {
		if fault != nil {
			l.say(Wrong, true, Finding(*fault))
			ok = false
		}
	}
	committed, err := doc.CommittedBytes()
	if p.digest = canon.Sum(committed); err != nil || !p.digest.Equal(e.Digest) {
		inCard(CodeStale, CodeStale.Text())
		ok = false
	}
	if err == nil {
		doc.committed, _ = readCommitted(committed, o.Limits)
	}
	for _, f := range doc.imprecise() {
		l.say(Wrong, true, f)
	}
	p.signature, fault = doc.verifyProvider()
	wrong(fault)
	wrong(doc.checkStanding())
	p.price, p.missing, fault = doc.checkComplete(o.Strict)
	wrong(fault)
	p.ended = doc.ended(o.At)
	if p.directed = doc.readOfferedTo(); p.directed != nil {
		wrong(p.directed.fault)
		p.lapsed = p.directed.lapsed(o.At)
		if o.Channel == Public {
			inCard(CodeDirectedPublic, CodeDirectedPublic.Text())
			ok = false
		}
	}
	clauses, graded, fault := doc.readGrades()
	wrong(fault)
	p.grade(clauses)
	for _, f := range append(graded, doc.falsePromises()...) {
		level := Warning
		if f.Code == CodeGradeClaim {
			level = Wrong
		}
		l.say(level, true, f)
	}
	for _, f := range p.warnings(e) {
		l.say(Warning, f.Code == CodeClauseMissing || f.Code == CodeIDDiffers || f.Code == CodeEnded, f)
	}
	if !ok {
		return nil
	}
	return p
}
