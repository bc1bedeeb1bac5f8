package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/terms"
)

func (a *app) termsCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:   "terms COMMAND",
		Short: "verify and publish the terms that an A2A Agent Card states",
		Long: `Works on the A2A Terms extension: standing proposals, signed by the provider,
that an Agent Card points at and commits to by digest. A CARD is a file, - for
standard input, an https URL, or domain:NAME for the well-known address of a
host. Nothing is fetched unless a URL or a domain is named or --online is set.

A verified proposal is an offer, honestly attributed. It does not prove conduct,
nor that any clause is enforced, nor who owns the provider's key. A card whose
terms cannot be verified states nothing about them, whatever its prose says.`,
		Example: `  rdfproto terms digest quote.json
  rdfproto terms verify --document https://example.com/q=quote.json offers.json
  rdfproto terms show --document https://example.com/q=quote.json offers.json`,
	}, a.termsVerifyCommand(), a.termsShowCommand(), a.termsListCommand(), a.termsLintCommand(),
		a.termsDigestCommand(), a.termsIDCommand(), a.termsSignCommand(), a.termsDeclareCommand())
}

// termsFlags is what a command asks of a card and its proposals.
type termsFlags struct {
	card      *cardPolicy
	documents []string
	channel   string
	me        string
	complete  string
	owners    string
}

// addTermsFlags gives a command the flags of reading a card and its documents.
func (a *app) addTermsFlags(cmd *cobra.Command) *termsFlags {
	t := &termsFlags{
		card:    &cardPolicy{in: a.addCardFlags(cmd), signatures: 1, readings: []string{agentcard.Spec.String()}},
		channel: terms.Public.String(), complete: "core",
	}
	f := cmd.Flags()
	f.StringArrayVar(&t.documents, "document", nil, "take the document at a URL from a file, `URL=FILE` (repeatable)")
	f.BoolVar(&t.card.online, "online", false, "fetch documents that no file is given for, and JWK Sets from where the trust store allows it")
	f.StringVar(&t.card.jwks, "jwks", "", "verify the card with the keys of a JWK Set in this `FILE`")
	f.StringVar(&t.card.trust, "trust", "", "verify the card with the trust store in this `FILE`")
	t.card.at = atFlag(cmd, "at which keys must be valid and offers open")
	f.StringVar(&t.complete, "complete", t.complete, "refuse proposals that lack clauses: `WHICH` is core or strict")
	completeFlag(cmd, "complete", "core", "strict")
	return t
}

// addReaderFlags gives a command the flags that say who reads.
func (t *termsFlags) addReaderFlags(cmd *cobra.Command) {
	t.addChannelFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&t.me, "me", "", "the `KEY` of the agent that reads, which an offer to one party must name")
	f.StringVar(&t.owners, "owner-keys", "", "say whether keys are the owners', by this `FILE` of names and keys")
}

// addChannelFlag gives a command the flag that says how the card came here.
func (t *termsFlags) addChannelFlag(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.channel, "channel", t.channel, "how the card came here: `CHANNEL` is public or restricted")
	completeFlag(cmd, "channel", "public", "restricted")
}

// check refuses values that no card could be read with.
func (t *termsFlags) check(cmd *cobra.Command) error {
	if _, ok := terms.ChannelByName(t.channel); !ok {
		return usageError(cmd, "--channel: expected public or restricted, found "+quote(t.channel))
	}
	if t.complete != "core" && t.complete != "strict" {
		return usageError(cmd, "--complete: expected core or strict, found "+quote(t.complete))
	}
	return nil
}

// proposals is where the documents of a card come from: files, read before, and then
// the network.
type proposals struct {
	files   map[string][]byte // by terms.Resource
	network terms.Fetcher     // nil fetches nothing
}

func (p *proposals) Proposal(ctx context.Context, url string, fresh bool) ([]byte, error) {
	if data, ok := p.files[terms.Resource(url)]; ok {
		return data, nil
	}
	if p.network == nil {
		return nil, terms.ErrNotAtHand
	}
	return p.network.Proposal(ctx, url, fresh)
}

// readDocuments reads the files of --document flags, by [terms.Resource].
func (in *cardInput) readDocuments(cmd *cobra.Command, flags []string) (map[string][]byte, error) {
	pins, err := readPins(cmd, "--document", "a URL", flags)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	spelt := map[string]string{}
	for _, pin := range pins {
		key := terms.Resource(pin.iri)
		if other, ok := spelt[key]; ok {
			return nil, usageError(cmd, "--document: two spellings of one URL: "+quote(other)+" and "+quote(pin.iri))
		}
		spelt[key] = pin.iri
		if files[key], err = in.bytes(cmd.Context(), pin.file, in.limits.terms.DocumentBytes); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// termsQuestion is what is asked of cards, with everything read that flags name.
type termsQuestion struct {
	flags  *termsFlags
	policy agentcard.Policy
	keys   agentcard.Keys
	files  map[string][]byte
	o      terms.Options
}

func (t *termsFlags) question(cmd *cobra.Command) (*termsQuestion, error) {
	if err := t.check(cmd); err != nil {
		return nil, err
	}
	q := &termsQuestion{flags: t}
	var err error
	if q.policy, err = t.card.policy(cmd); err != nil {
		return nil, err
	}
	keys, set, err := t.card.keys(cmd)
	if err != nil {
		return nil, err
	}
	if set != nil { // the terms are none the less what they are
		for _, f := range failures(set) {
			t.card.in.app.diag.warn(f.place, f.text, f.code)
		}
		keys.Supplied = new(agentcard.KeySet) // no key is in it
	}
	q.keys = keys
	if q.files, err = t.card.in.readDocuments(cmd, t.documents); err != nil {
		return nil, err
	}
	q.o = terms.Options{At: q.policy.At, Me: t.me, Strict: t.complete == "strict", Limits: t.card.in.limits.terms}
	q.o.Channel, _ = terms.ChannelByName(t.channel)
	if t.owners != "" {
		data, err := t.card.in.bytes(cmd.Context(), t.owners, t.card.in.limits.terms.DocumentBytes)
		if err != nil {
			return nil, err
		}
		if q.o.Owners, err = terms.ParseOwnerKeys(data, t.card.in.limits.terms); err != nil {
			f := failures(&inFile{display(t.owners), err})[0]
			f.status = StatusCall
			return nil, &f
		}
	}
	return q, nil
}

// options returns what may be used for one card. One that is named by a URL is
// fetched without credentials, so that it is public; its documents are fetched too.
func (q *termsQuestion) options(cmd *cobra.Command, arg string) (terms.Options, error) {
	o := q.o
	docs := &proposals{files: q.files}
	o.Fetcher = docs
	url := cardURL(arg)
	if url != "" && o.Channel == terms.Restricted {
		return o, usageError(cmd, "--channel: a card that is fetched without credentials is public; name a file")
	}
	if url == "" && !q.flags.card.online {
		return o, nil
	}
	network, err := q.flags.card.in.app.network(cmd, q.flags.card.in.limits)
	if err != nil {
		return o, err
	}
	docs.network = network
	if url != "" {
		o.Source = &terms.Source{URL: url, Fetcher: network, Keys: q.keys, Policy: q.policy, Limits: q.flags.card.in.limits.card}
	}
	return o, nil
}

// subject reads a card and looks at its signature.
func (q *termsQuestion) subject(cmd *cobra.Command, arg string) (namedCard, terms.Subject, error) {
	c, err := q.flags.card.in.read(cmd, arg)
	if err != nil {
		return c, terms.Subject{}, err
	}
	policy := q.policy
	policy.Source = c.source
	s, err := terms.Check(cmd.Context(), c.Card, q.keys, policy)
	return c, s, err
}

// ask verifies the terms of a card.
func (q *termsQuestion) ask(cmd *cobra.Command, arg string) (namedCard, *terms.Report, error) {
	o, err := q.options(cmd, arg)
	if err != nil {
		return namedCard{}, nil, err
	}
	c, s, err := q.subject(cmd, arg)
	if err != nil {
		return c, nil, err
	}
	if s.Signature != nil && s.Signature.Outcome == agentcard.OutcomeInvalid {
		q.flags.card.in.app.diag.warn(rdf.Place{File: c.name}, "the card's own signature is invalid: "+s.Signature.Message, string(s.Signature.Code))
	}
	r, err := terms.Verify(cmd.Context(), s, o)
	return c, r, err
}

// termsStatus is the exit status of a report. Absence is not a no, and neither is it
// a yes.
func termsStatus(r *terms.Report, all bool) Status {
	switch {
	case r.Terms == terms.Silent:
		return StatusNothing
	case r.Terms == terms.Stated && (!all || r.AllVerified()):
		return StatusYes
	}
	return StatusNo
}

// termsVerdict is the verdict on a report.
func termsVerdict(r *terms.Report, status Status) verdict {
	v := verdict{Status: status, Code: string(r.Code)}
	verified := len(r.Proposals())
	switch status {
	case StatusYes:
		v.Message = count(verified, "proposal") + " verified"
	case StatusNothing:
		v.Message = "the card states nothing about terms"
	default:
		v.Message = "no proposal could be verified"
		if verified > 0 {
			v.Message = count(len(r.Entries)-verified, "proposal") + " could not be verified"
		}
		for _, e := range r.Entries {
			if v.Code == "" {
				v.Code = string(e.Code)
			}
		}
	}
	return v
}

// termsEnd says on standard error what is to be looked into: signals, which say
// nothing about the provider.
func (a *app) termsEnd(c namedCard, r *terms.Report, v verdict) error {
	for _, e := range r.Entries {
		if e.Code != "" {
			a.diag.warn(c.place(e.Line, e.Column), e.Signal, string(e.Code))
		}
	}
	switch v.Status {
	case StatusNo:
		a.diag.line("error", rdf.Place{File: c.name}, v.Message, v.Code)
	case StatusNothing:
		a.diag.warn(rdf.Place{File: c.name}, v.Message, "")
	}
	return ended(v.Status)
}

// termsJSON returns the members of a report, those that the verdict has left out.
func termsJSON(r *terms.Report) ([]byte, error) {
	members := *r
	members.Code, members.Signal = "", ""
	return marshal(&members)
}

// freshly verifies a card that is named by its URL past all caches.
func (q *termsQuestion) freshly(cmd *cobra.Command, arg string) (namedCard, *terms.Report, error) {
	c := namedCard{name: cardURL(arg)}
	if c.name == "" {
		return c, nil, usageError(cmd, "--fresh: expected a card by its URL, which can be fetched again")
	}
	o, err := q.options(cmd, arg)
	if err != nil {
		return c, nil, err
	}
	r, err := terms.VerifyFresh(cmd.Context(), *o.Source, nil, o)
	if err != nil {
		if e := (*agentcard.Error)(nil); errors.As(err, &e) {
			return c, nil, &inFile{c.name, err}
		}
		return c, nil, fetchFailed(err)
	}
	return c, r, nil
}
