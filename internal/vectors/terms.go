package vectors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/terms"
)

// termsOperations are those of the A2A Terms extension (section B).
func termsOperations() []Operation {
	return []Operation{
		{"verify-terms", []string{"card", "source", "documents", "now", "channel", "me", "strict", "owners", "trustStore"}, verifyTerms},
		{"verify-terms-fresh", []string{"card", "source", "documents", "documentsLater", "now", "trustStore"}, verifyTermsFresh},
		{"show-terms", []string{"card", "documents", "now", "words"}, showTerms},
		{"lint-terms", []string{"card", "documents", "now", "channel", "strict", "trustStore"}, lintTerms},
		{"digest-proposal", []string{"document"}, digestProposal},
		{"sign-proposal", []string{"document", "seed", "now", "strict"}, signProposal},
		{"declare-terms", []string{"listings", "sowSpec", "description", "channel", "for", "strict"}, declareTerms},
	}
}

// termsCode returns the code of a refusal of a card or a document, and an error for
// anything else.
func termsCode(err error) (string, error) {
	var fault *terms.Error
	if errors.As(err, &fault) {
		return string(fault.Code), nil
	}
	return cardCode(err)
}

// refusedTerms is the outcome for an error, if it is a refusal.
func refusedTerms(err error) (Outcome, error) {
	code, err := termsCode(err)
	if err != nil {
		return nil, err
	}
	return Outcome{Text("code", code)}, nil
}

// termsCheck is a card whose terms are asked for.
type termsCheck struct {
	subject terms.Subject
	options terms.Options
	served  *served
	source  *terms.Source // where the card is served, nil for a card from a file
}

// termsCheck reads the members that the operations on the terms of a card share.
func (c *Case) termsCheck(ctx context.Context, in *object) (*termsCheck, error) {
	data, err := c.file(in, "card")
	if err != nil {
		return nil, err
	}
	cards, err := c.cardCheck(in)
	if err != nil {
		return nil, err
	}
	k := &termsCheck{served: cards.served}
	k.options = terms.Options{At: in.now(), Fetcher: k.served, Me: in.text("me"), Strict: in.flag("strict")}
	channel, owners, source, documents := in.text("channel"), in.get("owners"), in.text("source"), in.get("documents")
	if in.err != nil {
		return nil, in.err
	}
	if channel != "" {
		var ok bool
		if k.options.Channel, ok = terms.ChannelByName(channel); !ok {
			return nil, fmt.Errorf("unknown channel %q", channel)
		}
	}
	if owners.Exists() {
		data, err := c.content(owners)
		if err != nil {
			return nil, err
		}
		if k.options.Owners, err = terms.ParseOwnerKeys(data, terms.Limits{}); err != nil {
			return nil, err
		}
	}
	if k.served.documents, err = ReadDocuments(documents, c.Open); err != nil {
		return nil, err
	}
	card, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		return nil, err
	}
	cards.now, cards.policy.At, cards.policy.Source = k.options.At, k.options.At, source
	if k.subject, err = terms.Check(ctx, card, cards.keys, cards.policy); err != nil {
		return nil, err
	}
	if source != "" {
		k.source = &terms.Source{URL: source, Fetcher: k.served, Keys: cards.keys, Policy: cards.policy}
		k.options.Source = k.source
	}
	return k, nil
}

// termsOutcome is what a report says.
func termsOutcome(r *terms.Report) Outcome {
	out := Outcome{Text("terms", r.Terms.String()), Text("cardSignature", r.CardSignature.String())}
	out = out.some("code", string(r.Code)).some("sowSpec", r.SOWSpec)
	entries := []Outcome{}
	for _, e := range r.Entries {
		o := Outcome{Text("outcome", e.Outcome.String())}.some("code", string(e.Code)).some("found", e.FoundDigest)
		o = o.some("documentId", e.DocumentID).list("offerings", e.Offerings).some("providerKey", e.ProviderKey)
		o = o.yes("directed", e.Directed).yes("lapsed", e.Lapsed)
		if e.Attributed != nil {
			o = append(o, Text("attributed", e.Attributed.String()))
		}
		entries = append(entries, o.list("missing", e.MissingClauses).list("warnings", sortedTermsCodes(e.Warnings)))
	}
	out = append(out, Objects("entries", entries)).list("warnings", sortedTermsCodes(r.Warnings))
	if r.Remedy != nil {
		out = append(out, Object("remedy", Outcome{Text("result", string(r.Remedy.Result))}.some("code", string(r.Remedy.Code))))
	}
	return out
}

// sortedTermsCodes returns the codes of findings in alphabetical order: in which order
// an implementation looks is its own.
func sortedTermsCodes(all []terms.Finding) []string {
	var out []string
	for _, f := range all {
		out = append(out, string(f.Code))
	}
	slices.Sort(out)
	return out
}

// verifyTerms is section B.7.
func verifyTerms(ctx context.Context, c *Case) (Outcome, error) {
	k, err := c.termsCheck(ctx, members(c.Input))
	if err != nil {
		return refusedTerms(err)
	}
	r, err := terms.Verify(ctx, k.subject, k.options)
	if err != nil {
		return nil, err
	}
	return termsOutcome(r), nil
}

// verifyTermsFresh is what section B.7 asks for before a proposal is countersigned: the
// terms are verified, and again past all caches, where documentsLater are served.
func verifyTermsFresh(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	k, err := c.termsCheck(ctx, in)
	if err != nil {
		return refusedTerms(err)
	}
	if k.source == nil {
		return nil, errors.New("expected source")
	}
	before := k.options
	before.Source = nil // what differs is for the second look
	was, err := terms.Verify(ctx, k.subject, before)
	if err != nil {
		return nil, err
	}
	if k.served.later, err = ReadDocuments(in.get("documentsLater"), c.Open); err != nil {
		return nil, err
	}
	out := Outcome{Object("before", termsOutcome(was))}
	now, err := terms.VerifyFresh(ctx, *k.source, was, k.options)
	if err != nil {
		var coded interface{ FetchCode() string }
		if errors.As(err, &coded) {
			return append(out, Text("code", coded.FetchCode())), nil
		}
		if errors.Is(err, terms.ErrNotAtHand) {
			return append(out, Text("code", string(terms.CodeNotFetched))), nil
		}
		refused, err := refusedTerms(err)
		return append(out, refused...), err
	}
	kept := []string{}
	for _, p := range was.Proposals() {
		if _, ok := now.Proposal(p.Digest()); ok {
			kept = append(kept, p.Digest().String())
		}
	}
	return append(out, Object("fresh", termsOutcome(now)), Texts("kept", kept)), nil
}

// showTerms is section B.8: which of some words occur in what people are shown of the
// terms of a card, and the grades that stand beside the clauses.
func showTerms(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	words := in.texts("words")
	k, err := c.termsCheck(ctx, in)
	if err != nil {
		return refusedTerms(err)
	}
	r, err := terms.Verify(ctx, k.subject, k.options)
	if err != nil {
		return nil, err
	}
	lines := r.Lines()
	var grades []Outcome
	for _, p := range r.Proposals() {
		lines = append(append(lines, p.Lines()...), p.Summary())
		var g Outcome
		for path, grade := range p.Grades() {
			g = append(g, Text(path, string(grade)))
		}
		grades = append(grades, g) // an object: its order does not matter
	}
	text := strings.Join(lines, "\n")
	shown := []string{}
	for _, w := range words {
		if hasWord(text, w) {
			shown = append(shown, w)
		}
	}
	return Outcome{Text("terms", r.Terms.String()), Texts("shown", shown), Objects("grades", grades)}, nil
}

// hasWord reports whether a text has a word, in whatever case, between characters that
// are no letters and no digits.
func hasWord(text, word string) bool {
	text, word = strings.ToLower(text), strings.ToLower(word)
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+i])
		after, _ := utf8.DecodeRuneInString(text[at+i+len(word):])
		if !part(before) && !part(after) {
			return true
		}
		at += i + 1
	}
	return false
}

// lintTerms is what a publisher has to mend (sections B.2, B.3 and B.10).
func lintTerms(ctx context.Context, c *Case) (Outcome, error) {
	k, err := c.termsCheck(ctx, members(c.Input))
	if err != nil {
		return refusedTerms(err)
	}
	found, err := terms.Lint(ctx, k.subject, k.options)
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for _, f := range found {
		about := "declaration"
		if f.Entry >= 0 {
			about = fmt.Sprintf("entry %d", f.Entry)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", f.Level, f.Code, about))
	}
	slices.Sort(lines)
	return Outcome{Texts("findings", lines)}, nil
}

// digestProposal is section B.4: the three byte strings over one document, and its
// identifier.
func digestProposal(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	data, err := c.file(in, "document")
	if err != nil {
		return nil, err
	}
	d, err := terms.Parse(data, terms.Limits{})
	if err != nil {
		return refusedTerms(err)
	}
	digest, err := d.Digest()
	if err != nil {
		return refusedTerms(err)
	}
	hashed, err := d.HashedBytes()
	if err != nil {
		return nil, err
	}
	signed, err := d.SignedBytes()
	if err != nil {
		return nil, err
	}
	out := Outcome{Text("hashed", hexSum(hashed)), Text("signed", hexSum(signed)), Text("digest", digest.String())}
	id, err := d.MintID()
	if err != nil {
		code, err := termsCode(err)
		return append(out, Text("idCode", code)), err
	}
	return append(out, Text("id", id)), nil
}

// signProposal is the provider's signature (sections B.5 and B.10).
func signProposal(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	data, err := c.file(in, "document")
	if err != nil {
		return nil, err
	}
	o := terms.SignOptions{At: in.now(), Strict: in.flag("strict")}
	seed := in.needed("seed")
	if in.err != nil {
		return nil, in.err
	}
	signer, err := terms.ParseSeed([]byte(seed))
	if err != nil {
		return nil, err
	}
	d, err := terms.Parse(data, terms.Limits{})
	if err != nil {
		return refusedTerms(err)
	}
	signed, err := terms.Sign(d, signer, o)
	if err != nil {
		return refusedTerms(err)
	}
	d, err = terms.Parse(signed, terms.Limits{})
	if err != nil {
		return nil, err
	}
	digest, err := d.Digest()
	if err != nil {
		return nil, err
	}
	list := d.Root().Get("signatures")
	last := list.Index(list.Len() - 1)
	out := Outcome{Text("id", d.ID()), Text("digest", digest.String())}
	for _, name := range []string{"role", "key", "signed_at", "sig"} {
		s, _ := last.Get(name).Str()
		out = append(out, Text(name, s))
	}
	return out, nil
}

// declareTerms is the publisher's declaration (section B.10).
func declareTerms(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	o := terms.DeclareOptions{SOWSpec: in.text("sowSpec"), Description: in.text("description"), For: in.text("for"), Strict: in.flag("strict")}
	channel, list := in.text("channel"), in.get("listings")
	if channel != "" {
		var ok bool
		if o.Channel, ok = terms.ChannelByName(channel); !ok {
			return nil, fmt.Errorf("unknown channel %q", channel)
		}
	}
	if list.Kind() != strictjson.Array {
		in.fail(list, "expected an array of listings")
	}
	if in.err != nil {
		return nil, in.err
	}
	var listings []terms.Listing
	for _, v := range list.Items() {
		entry := members(v)
		l := terms.Listing{URL: entry.text("url"), Offering: entry.text("offering")}
		data, err := c.file(entry, "document")
		if err != nil {
			return nil, err
		}
		if err := entry.done(); err != nil {
			return nil, err
		}
		if l.Document, err = terms.Parse(data, terms.Limits{}); err != nil {
			return refusedTerms(err)
		}
		listings = append(listings, l)
	}
	extension, err := terms.Declare(listings, o)
	var refused *terms.DeclareError
	switch {
	case errors.As(err, &refused):
		out, err := refusedTerms(err)
		return append(out, Number("listing", refused.Index)), err
	case err != nil: // the call: what cannot be declared by anyone
		return Outcome{Bool("declared", false)}, nil
	}
	canonical, err := canon.JCS(extension)
	if err != nil {
		return nil, err
	}
	return Outcome{Text("extension", string(canonical))}, nil
}
