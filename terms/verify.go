package terms

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
)

// Fetcher gets standing proposals over guarded HTTPS (section 1.3); [fetch.Client]
// is one. fresh asks every cache on the way for the origin's version. An error with a
// method FetchCode() string is reported with that code, and with the text of a method
// FetchReason() string, which must hold nothing that a server sent. Other errors are not
// shown. It must be safe for concurrent use.
//
// [fetch.Client]: https://pkg.go.dev/github.com/rdfproto/rdfproto/fetch#Client
type Fetcher interface {
	Proposal(ctx context.Context, url string, fresh bool) ([]byte, error)
}

// CardFetcher gets Agent Cards over guarded HTTPS, and returns the URL they were found
// at, after redirects. fresh is as for [Fetcher].
type CardFetcher interface {
	Card(ctx context.Context, url string, fresh bool) (card []byte, at string, err error)
}

// Source says where a card is served and which keys must prove it.
type Source struct {
	URL     string
	Fetcher CardFetcher
	Keys    agentcard.Keys
	Policy  agentcard.Policy // its Source is set to the URL that the card was found at
	Limits  agentcard.Limits
}

// Load fetches the card and verifies its signatures. It fails as the fetch does, with an
// [*agentcard.Error] for what is not a card, and as [Check] does.
func (s Source) Load(ctx context.Context, fresh bool) (Subject, error) {
	if s.Fetcher == nil {
		return Subject{}, errors.New("expected a fetcher of cards")
	}
	data, at, err := s.Fetcher.Card(ctx, s.URL, fresh)
	if err != nil {
		return Subject{}, err
	}
	card, err := agentcard.Parse(data, s.Limits)
	if err != nil {
		return Subject{}, err
	}
	s.Policy.Source = at
	return Check(ctx, card, s.Keys, s.Policy)
}

// Check verifies the signatures of a card whose terms are to be read. policy.Source is
// where the card was fetched from, empty for one from a file. A signed card counts as not
// checked when no keys were given. It fails as [agentcard.Verify] does.
func Check(ctx context.Context, card *agentcard.Card, keys agentcard.Keys, policy agentcard.Policy) (Subject, error) {
	r, err := agentcard.Verify(ctx, card, keys, policy)
	if err != nil {
		return Subject{}, err
	}
	s := Subject{Card: card, Signature: r, Source: policy.Source}
	if keys.Supplied == nil && keys.Trust == nil && r.Outcome == agentcard.OutcomeUnverified {
		s.Signature = nil
	}
	return s, nil
}

// Subject is the card whose terms are to be read.
type Subject struct {
	Card *agentcard.Card
	// Signature is what [agentcard.Verify] reported for the card, nil when nobody
	// checked. If the signature is valid, the declaration is read from the card that the
	// report vouches for. An invalid one does not change the terms, which are reported
	// separately; call [agentcard.Admit] before acting on the card itself.
	Signature *agentcard.Report
	// Source is the URL that the card was fetched from; empty for one from a file.
	Source string
}

func (s Subject) card() *agentcard.Card {
	if s.Signature != nil {
		if v, ok := s.Signature.Verified(); ok {
			return v.Card()
		}
	}
	return s.Card
}

// Options says what to verify and with what. At is required; without a Fetcher there
// are no documents.
type Options struct {
	// At is the time for which a directed offer is judged open or lapsed, and the end that a
	// proposal states still to come or passed.
	At      time.Time
	Fetcher Fetcher
	// Channel is how the card came to the reader, and Me the key of the reader's agent,
	// which a directed proposal must name, letter by letter (section B.6, S-8). The zero
	// Channel is public, where no directed proposal counts.
	Channel Channel
	Me      string
	// Strict refuses proposals that lack an expected clause; otherwise the clause is
	// reported as missing.
	Strict bool
	// Owners says by which keys owners are known. It decides nothing.
	Owners *OwnerKeys
	// Source is where to fetch the card again when a digest differs; nil for a card from
	// a file. It is used once.
	Source *Source
	Limits Limits
}

// Verify verifies every proposal that a card lists (section B.7). An error means that
// the call was wrong or ctx is done; what cannot be verified is in the report. When a
// served document is not the one that the card commits to and there is an
// [Options].Source, the card is fetched again past all caches, its signature is verified
// under the same policy, and everything is done once more with the new card; if a
// document differs again, that is final. A card that was verified must still be verified
// when it is fetched again.
//
// ctx bounds all fetches. Verify is safe for concurrent use.
func Verify(ctx context.Context, s Subject, o Options) (*Report, error) {
	if err := o.check(s); err != nil {
		return nil, err
	}
	r := run(ctx, s, &o, false)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !r.differs() {
		return r, nil
	}
	if o.Source == nil {
		r.Remedy = &Remedy{Result: RemedyByHand, Text: "fetch the card again, verify its signature, and verify the terms once more; do not use the document that was served"}
		return r, nil
	}
	next, err := o.Source.Load(ctx, true)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		code, _ := fetchFailure(err)
		r.Remedy = &Remedy{Result: RemedyUnreachable, Code: code, Text: "the card could not be fetched again, so the difference stands"}
		return r, nil
	}
	if code := worse(r.CardSignature, signatureOf(next.Signature)); code != "" {
		r.Remedy = &Remedy{Result: RemedyRefused, Code: code, Text: code.Text()}
		for i := range r.Entries {
			if e := &r.Entries[i]; e.Code == CodeDigestMismatch {
				e.fail(code, "")
			}
		}
		return r, nil
	}
	again := run(ctx, next, &o, true)
	again.Remedy = &Remedy{Result: RemedyUpdated, Text: "the card was fetched again and says something new; this is about the new card"}
	if sameEntries(r, again) {
		again.Remedy = &Remedy{Result: RemedyUnchanged, Text: "the card was fetched again and lists the same documents"}
	}
	return again, ctx.Err()
}

// VerifyFresh fetches a card and its documents past every cache and verifies all of it.
// Call it shortly before countersigning a proposal (section B.7). before is the report
// that the decision rests on, nil when there is none: a card that was verified then must
// be verified now. A card whose signature is invalid states nothing here. The card may
// list another document by now: countersign what [Report.Proposal] still returns for the
// digest that was decided on, and nothing else. An error means that the call was wrong,
// the card could not be fetched or read, or ctx is done.
func VerifyFresh(ctx context.Context, s Source, before *Report, o Options) (*Report, error) {
	subject, err := s.Load(ctx, true)
	if err != nil {
		return nil, err
	}
	if err := o.check(subject); err != nil {
		return nil, err
	}
	was := CardNotChecked
	if before != nil {
		was = before.CardSignature
	}
	if code := worse(was, signatureOf(subject.Signature)); code != "" {
		r := newReport(subject, o)
		r.Code, r.Signal = code, code.Text()
		return r, ctx.Err()
	}
	return run(ctx, subject, &o, true), ctx.Err()
}

func (o *Options) check(s Subject) error {
	switch {
	case s.card() == nil:
		return errors.New("expected a card that was parsed")
	case o.At.IsZero():
		return errors.New("expected the time of the verification")
	}
	o.Limits = o.Limits.OrDefault()
	return nil
}

// worse says why a card that was fetched again does not count, "" when it does: its
// signature is invalid, or no longer verified.
func worse(before, now CardSignature) Code {
	switch {
	case now == CardInvalid:
		return CodeCardInvalid
	case before != CardVerified || now == CardVerified:
		return ""
	case now == CardUnsigned:
		return CodeCardUnsigned
	}
	return CodeCardUnverified
}

func (r *Report) differs() bool {
	for _, e := range r.Entries {
		if e.Code == CodeDigestMismatch {
			return true
		}
	}
	return false
}

func sameEntries(a, b *Report) bool {
	if len(a.Entries) != len(b.Entries) {
		return false
	}
	for i := range a.Entries {
		if a.Entries[i].URL != b.Entries[i].URL || a.Entries[i].Digest != b.Entries[i].Digest {
			return false
		}
	}
	return true
}

func newReport(s Subject, o Options) *Report {
	return &Report{CardSignature: signatureOf(s.Signature), Source: s.Source, At: o.At, Entries: []EntryReport{}}
}

// run does the four steps for every entry of a card. What it reads is taken from the bytes
// that o allows: a card whose documents are other ones is read twice.
func run(ctx context.Context, s Subject, o *Options, fresh bool) *Report {
	r := newReport(s, *o)
	card := s.card()
	d := ReadDeclaration(card, o.Limits)
	r.Warnings = d.Findings
	switch {
	case !d.Declared:
		r.Terms = Silent
		return r
	case d.Code != "":
		r.Code, r.Signal = d.Code, d.Code.Text()
		return r
	}
	r.Entries = make([]EntryReport, len(d.Entries))
	r.proposals = make([]*Proposal, len(d.Entries))
	served := deliver(d.Entries, *o, fresh)
	defer func() { o.Limits.TotalBytes = max(served.left, 0) }()
	var restrictions []*offeredTo
	judged := make([]bool, len(d.Entries)) // verified, or refused only for whom it is directed at
	for i, e := range d.Entries {
		if ctx.Err() != nil {
			return r // nobody is shown it
		}
		out := &r.Entries[i]
		*out = EntryReport{Index: i, URL: e.URL, Warnings: []Finding{}, Line: e.Line, Column: e.Column}
		if !e.Digest.IsZero() {
			out.Digest = e.Digest.String()
		}
		if e.Code != "" {
			out.fail(e.Code, "")
			continue
		}
		p, restriction, refusal := verifyEntry(ctx, e, served.of(ctx, i), *o, out)
		judged[i] = restriction != nil || refusal.code == ""
		if restriction != nil && restriction.agent != "" {
			restrictions = append(restrictions, restriction)
		}
		if refusal.code != "" {
			out.fail(refusal.code, refusal.signal)
			continue
		}
		r.proposals[i] = p
		out.describe(p)
	}
	if len(restrictions) > 1 && namesTwo(restrictions) {
		for i := range r.Entries {
			if judged[i] { // the others failed before
				r.Entries[i].fail(CodeDirectedMixed, "")
			}
			r.proposals[i] = nil
		}
	}
	if proposals := r.Proposals(); len(proposals) > 0 {
		r.Terms, r.SOWSpec = Stated, d.SOWSpec
		r.Claims = readClaims(card, proposals)
		r.Proves = []string{"the card commits to exactly these documents", "the provider's key signed them as its standing offer"}
		r.DoesNotProve = []string{"conduct", "that any clause is enforced", "who owns the provider key"}
	}
	return r
}

type refusal struct {
	code   Code
	signal string
}

// ErrNotAtHand is the error of a [Fetcher] that does not have a document and must not
// fetch it.
var ErrNotAtHand = errors.New("the document is not at hand, and nothing is fetched")

// fetchError is an error of a [Fetcher] that has a code.
type fetchError interface {
	error
	FetchCode() string
}

// fetchFailure returns the code of a failed fetch, and the text that may be shown.
func fetchFailure(err error) (Code, string) {
	switch {
	case errors.Is(err, ErrNotAtHand):
		return CodeNotFetched, ""
	case errors.Is(err, errTotal):
		return CodeLimit, CodeLimit.Text() + ": " + errTotal.Error()
	}
	coded, ok := errors.AsType[fetchError](err)
	if !ok || coded.FetchCode() == "" {
		return CodeFetch, CodeFetch.Text()
	}
	text := CodeFetch.Text()
	if because, ok := coded.(interface{ FetchReason() string }); ok {
		text += ": " + because.FetchReason()
	}
	return Code(coded.FetchCode()), text
}

// verifyEntry is section B.7 for one entry. It drops the texts of errors, which may hold
// parts of the document. Once ctx is done it refuses the entry, between any two steps.
func verifyEntry(ctx context.Context, e Entry, got answer, o Options, out *EntryReport) (*Proposal, *offeredTo, refusal) {
	no := func(code Code) (*Proposal, *offeredTo, refusal) { return nil, nil, refusal{code, ""} }
	done := func() bool { return ctx.Err() != nil }
	// Step 1.
	if got.err != nil {
		code, signal := fetchFailure(got.err)
		return nil, nil, refusal{code, signal}
	}
	served, fault := read(got.body, o.Limits)
	if fault != nil {
		return no(fault.Code)
	}
	if done() {
		return no(CodeFetch)
	}
	// Steps 2 and 3.
	committed, err := served.CommittedBytes()
	if err != nil {
		return no(CodeParse)
	}
	digest := canon.Sum(committed)
	if !digest.Equal(e.Digest) {
		out.FoundDigest = digest.String()
		return no(CodeDigestMismatch)
	}
	// From here on only the committed bytes are read: what the served text says beyond
	// them, such as digits that a double does not hold, is not what the card commits to.
	if done() {
		return no(CodeFetch)
	}
	doc, fault := readCommitted(committed, o.Limits)
	if fault == nil {
		fault = doc.checkObject()
	}
	if fault != nil {
		return no(fault.Code)
	}
	// Step 4.
	if done() {
		return no(CodeFetch)
	}
	p := &Proposal{doc: doc, digest: digest, url: e.URL}
	if p.signature, fault = doc.verifyProvider(); fault != nil {
		return no(fault.Code)
	}
	// Section B.6.
	if done() {
		return no(CodeFetch)
	}
	if fault = doc.checkStanding(); fault != nil {
		return no(fault.Code)
	}
	if p.price, p.missing, fault = doc.checkComplete(o.Strict); fault != nil {
		return no(fault.Code)
	}
	p.ended = doc.ended(o.At)
	if p.directed = doc.readOfferedTo(); p.directed != nil {
		if code := p.directed.checkReader(o.Channel, o.Me); code != "" {
			return nil, p.directed, refusal{code, ""}
		}
		p.lapsed = p.directed.lapsed(o.At)
	}
	if o.Owners != nil {
		attribution := o.Owners.attribute(p.Owner(), p.signature.key)
		p.attributed = &attribution
	}
	if done() {
		return no(CodeFetch)
	}
	clauses, graded, fault := doc.readGrades()
	if fault != nil {
		return no(fault.Code)
	}
	p.grade(clauses)
	if done() {
		return no(CodeFetch)
	}
	out.Warnings = append(out.Warnings, e.Findings...)
	out.Warnings = append(out.Warnings, p.warnings(e)...)
	if found := served.imprecise(); len(found) > 0 {
		out.Warnings = append(out.Warnings, found[0])
	}
	out.Warnings = append(out.Warnings, graded...)
	return p, p.directed, refusal{}
}

// warnings returns what a reader should know about a verified proposal.
func (p *Proposal) warnings(e Entry) []Finding {
	var out []Finding
	warn := func(code Code) { out = append(out, Finding{Code: code, Text: code.Text()}) }
	if e.SOW != "" && e.SOW != p.ID() {
		warn(CodeSOWLabel)
	}
	if e.Offering != "" && !slices.Contains(p.Offerings(), e.Offering) {
		warn(CodeOfferingDoc)
	}
	if id, err := p.doc.MintID(); err == nil && id != p.ID() {
		warn(CodeIDDiffers)
	}
	for _, name := range p.missing {
		out = append(out, Finding{Code: CodeClauseMissing, Text: CodeClauseMissing.Text() + ": " + name})
	}
	if p.ended {
		warn(CodeEnded)
	}
	if p.directed != nil {
		if p.lapsed {
			warn(CodeDirectedLapsed)
		}
		if p.directed.occasion && !p.lapsed {
			warn(CodeDirectedOccasion)
		}
	}
	return out
}

// describe says what a verified proposal is.
func (e *EntryReport) describe(p *Proposal) {
	e.Outcome = Verified
	e.DocumentID, e.Version, e.Offerings = p.ID(), p.Version(), p.Offerings()
	e.Directed, e.Lapsed = p.Directed(), p.lapsed
	e.Owner, e.ProviderKey, e.SignedAtClaimed = p.Owner(), p.signature.key, p.signature.signedAt
	e.Attributed = p.attributed
	e.MissingClauses, e.Grades = p.MissingClauses(), p.Grades()
}
