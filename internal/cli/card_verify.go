package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/rdf"
)

// cardPolicy is what the flags of a command ask of the signatures of a card.
type cardPolicy struct {
	in         *cardInput
	jwks       string
	trust      string
	readings   []string
	algorithms []string
	at         func() (time.Time, error)
	signatures int
	require    bool
	online     bool

	// What the flags come to, once they are read.
	asked  agentcard.Policy
	loaded agentcard.Keys
	unread error // what is wrong with the JWK Set of --jwks, nil when it could be read
}

// addCardPolicyFlags gives a command these flags. online is what --online fetches beside
// JWK Sets, as the help has it: "the card, and "; at is what counts at the time of --at
// beside keys: " and offers open".
func (a *app) addCardPolicyFlags(cmd *cobra.Command, online, at string) *cardPolicy {
	p := &cardPolicy{in: a.addCardFlags(cmd)}
	f := cmd.Flags()
	f.StringVar(&p.jwks, "jwks", "", "verify with the keys of a JWK Set in this `FILE`, which does not say whose they are")
	f.StringVar(&p.trust, "trust", "", "verify with the trust store in this `FILE`: pinned keys, and where card keys may be fetched from")
	f.StringArrayVar(&p.readings, "reading", []string{"spec"}, "accept this `READING` of the payload rules: spec, sdk, raw (repeatable)")
	f.StringArrayVar(&p.algorithms, "algorithm", nil, "accept only this `ALGORITHM` (repeatable: only these); by default "+algorithmNames(agentcard.DefaultAlgorithms()))
	f.IntVar(&p.signatures, "min", 1, "demand `N` valid signatures with distinct keys")
	f.BoolVar(&p.require, "require", false, "an unsigned card is a no (exit 1), not nothing (exit 4)")
	f.BoolVar(&p.online, "online", false, "fetch "+online+"JWK Sets from where the trust store allows it")
	p.at = atFlag(cmd, "at which keys must be valid"+at)
	completeFlag(cmd, "reading", "spec", "sdk", "raw")
	completeAlgorithms(cmd, agentcard.Algorithms())
	return p
}

// algorithmNames lists algorithms for helps.
func algorithmNames(all []agentcard.Algorithm) string {
	return strings.Join(algorithmTexts(all), ", ")
}

func completeAlgorithms(cmd *cobra.Command, all []agentcard.Algorithm) {
	completeFlag(cmd, "algorithm", algorithmTexts(all)...)
}

func algorithmTexts(all []agentcard.Algorithm) []string {
	texts := make([]string, len(all))
	for i, a := range all {
		texts[i] = string(a)
	}
	return texts
}

// policy turns the flags into a policy, the card's source left out.
func (p *cardPolicy) policy(cmd *cobra.Command) (agentcard.Policy, error) {
	out := agentcard.Policy{Signatures: p.signatures, Explain: true}
	var err error
	if out.At, err = p.at(); err != nil {
		return out, err
	}
	if p.signatures < 1 {
		return out, usageError(cmd, "--min: expected a positive number")
	}
	for _, name := range p.readings {
		r, ok := agentcard.ReadingByName(name)
		if !ok || r == agentcard.PythonLegacy {
			return out, usageError(cmd, "--reading: expected spec, sdk or raw, found "+quote(name))
		}
		out.Readings = append(out.Readings, r)
	}
	for _, name := range p.algorithms {
		known := false
		for _, a := range agentcard.Algorithms() {
			known = known || string(a) == name
		}
		if !known {
			return out, usageError(cmd, "--algorithm: expected an asymmetric signature algorithm of JWS, found "+quote(name))
		}
		out.Algorithms = append(out.Algorithms, agentcard.Algorithm(name))
	}
	return out, nil
}

// keys reads the keys that the flags name. What is wrong with the JWK Set is part
// of the verdict; the trust store is the caller's own, and so a wrong call.
func (p *cardPolicy) keys(cmd *cobra.Command) (keys agentcard.Keys, set error, err error) {
	if p.jwks != "" {
		data, err := p.in.bytes(cmd.Context(), p.jwks, p.in.limits.card.KeySetBytes)
		if err != nil {
			return keys, nil, err
		}
		if keys.Supplied, set = agentcard.ParseKeySet(data, p.in.limits.card); set != nil {
			set = &inFile{display(p.jwks), set}
		}
		for _, w := range keys.Supplied.Warnings() {
			p.in.app.diag.warn(rdf.Place{File: display(p.jwks), Line: w.Line, Column: w.Column}, at(w.Text, w.Pointer), string(w.Code))
		}
	}
	if p.trust != "" {
		data, err := p.in.bytes(cmd.Context(), p.trust, p.in.limits.card.KeySetBytes)
		if err != nil {
			return keys, nil, err
		}
		if keys.Trust, err = agentcard.ParseTrustStore(data, p.in.limits.card); err != nil {
			f := failures(&inFile{display(p.trust), err})[0]
			f.status = StatusCall
			return keys, nil, &f
		}
	}
	if p.online {
		network, err := p.in.app.network(cmd, p.in.limits)
		if err != nil {
			return keys, nil, err
		}
		keys.Sets = agentcard.NewKeySets(network, time.Now, p.in.limits.card)
	}
	return keys, set, nil
}

// read reads the flags and the files of keys that they name.
func (p *cardPolicy) read(cmd *cobra.Command) error {
	var err error
	if p.asked, err = p.policy(cmd); err != nil {
		return err
	}
	p.loaded, p.unread, err = p.keys(cmd)
	return err
}

// judge reads and verifies a card, once the flags are read.
func (p *cardPolicy) judge(cmd *cobra.Command, arg string) (namedCard, *agentcard.Report, error) {
	c, err := p.in.read(cmd, arg)
	if err != nil {
		return c, nil, err
	}
	policy := p.asked
	policy.Source = c.source
	r, err := agentcard.Verify(cmd.Context(), c.Card, p.loaded, policy)
	if err != nil {
		return c, nil, err
	}
	return c, r, cmd.Context().Err()
}

// verify reads the flags, reads and verifies a card, and returns the exit status of the
// report. A card that is refused is an error. What is wrong with the JWK Set is said, and
// is part of the verdict.
func (p *cardPolicy) verify(cmd *cobra.Command, arg string) (namedCard, *agentcard.Report, Status, error) {
	if err := p.read(cmd); err != nil {
		return namedCard{}, nil, StatusRefused, err
	}
	c, r, err := p.judge(cmd, arg)
	if err != nil {
		return c, nil, StatusRefused, err
	}
	status := p.status(r.Outcome)
	switch diag := p.in.app.diag; {
	case p.unread == nil:
	case status == StatusNo:
		diag.explain(p.unread)
	default: // the verdict is the same without it
		for _, f := range failures(p.unread) {
			diag.warn(f.place, f.text, f.code)
		}
	}
	if status == StatusRefused {
		err = &failure{status: status, place: c.place(0, 0), text: r.Message, code: string(r.Code)}
	}
	return c, r, status, err
}

// status is the exit status of an outcome.
func (p *cardPolicy) status(o agentcard.Outcome) Status {
	switch {
	case o == agentcard.OutcomeVerified:
		return StatusYes
	case o == agentcard.OutcomeUnsupported:
		return StatusRefused
	case o == agentcard.OutcomeUnsigned && !p.require:
		return StatusNothing
	}
	return StatusNo
}

func (a *app) cardVerifyCommand() *cobra.Command {
	var (
		p      *cardPolicy
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "verify CARD",
		Short: "verify the signatures of a card",
		Long: `Verifies the signatures of a card and says, for each, what was found: whether it
is valid, which key verified it, and what ties that key to the card. One valid
signature is enough unless --min says otherwise.

Keys come from a trust store, from a JWK Set that is handed in, or, with
--online, from where the trust store allows keys of cards to be fetched; never
from the card. A trust store is a JSON file:

  {"version":1,
   "keys":[{"jwk":{...},"origins":["https://agent.example.com"],
            "not_after":"2027-03-01T00:00:00Z","revoked_at":null}],
   "jku":{"mode":"allowlist","allow":["https://agent.example.com"]}}

When no signature verifies, the report looks for what would have made one valid:
another reading of the payload rules, a key of another name, DER, other JSON.

Exit status: 0 verified, 1 not, 3 refused, 4 unsigned.`,
		Example: `  rdfproto card verify --jwks jwks.json card.json
  rdfproto card verify --trust trust.json --online domain:agent.example.com
  rdfproto card verify --jwks jwks.json --reading spec --reading sdk card.json`,
		Args: oneCard,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, r, status, err := p.verify(cmd, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return p.reportJSON(r, status)
			}
			a.cardReportText(c, r)
			return p.end(c, r, status)
		},
	}
	p = a.addCardPolicyFlags(cmd, "", "")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the verdict and the report as JSON")
	return cmd
}

// oneCard checks that a command got its card.
func oneCard(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usageError(cmd, "a CARD is missing")
	case 1:
		return nil
	}
	return usageError(cmd, "too many arguments: "+quote(args[1]))
}

// verdict is the verdict on a report. Where no signature could be checked because the
// keys that were handed in are none, that is what the verdict is about.
func (p *cardPolicy) verdict(r *agentcard.Report, status Status) verdict {
	v := verdict{Status: status, Code: string(r.Code), Message: r.Message}
	if p.unread != nil && status == StatusNo && r.Outcome == agentcard.OutcomeUnverified {
		f := failures(p.unread)[0]
		v.Code, v.Message = f.code, f.place.String()+": "+f.text
	}
	if status == StatusYes {
		v.Message = "verified under the reading " + r.Reading.String()
	}
	return v
}

func (p *cardPolicy) reportJSON(r *agentcard.Report, status Status) error {
	members := *r
	members.Code, members.Message = "", "" // of the verdict
	more, err := marshal(&members)
	if err != nil {
		return err
	}
	return p.in.app.json(p.verdict(r, status), more)
}

// end says on standard error why a card is not verified, and what to do about it.
func (p *cardPolicy) end(c namedCard, r *agentcard.Report, status Status) error {
	a := p.in.app
	switch status {
	case StatusNo:
		a.diag.line("error", rdf.Place{File: c.name}, at(r.Message, r.Pointer), string(r.Code))
		if h := p.hint(r); h != "" {
			a.diag.hint(h)
		}
	case StatusNothing:
		a.diag.warn(rdf.Place{File: c.name}, r.Message, string(r.Code))
	}
	return ended(status)
}

// hint says what to do about keys that are not at hand, "" when that is not what is
// missing.
func (p *cardPolicy) hint(r *agentcard.Report) string {
	switch r.Code {
	case agentcard.CodeKeyNotFound, agentcard.CodeJKUForbidden:
		if p.trust != "" && !p.online {
			return "name the signer's JWK Set with --jwks, pin its key in the trust store, or fetch keys from where that allows it with --online"
		}
		if p.trust != "" {
			return "name the signer's JWK Set with --jwks, or pin its key or allow its location in the trust store"
		}
		return "name the signer's JWK Set with --jwks, or pin its key in a trust store and name that with --trust"
	case agentcard.CodeKeyOrigin:
		if r.Source == "" {
			return "name the card by its URL or by domain:NAME, or pin the key without origins"
		}
		return "list the origin of " + r.Source + " among the key's origins, when it is one that may speak for the key"
	}
	return ""
}

// cardReportText writes a report for people.
func (a *app) cardReportText(c namedCard, r *agentcard.Report) {
	line := func(indent int, format string, args ...any) {
		fmt.Fprintf(a.out, "%*s%s\n", indent, "", printable(fmt.Sprintf(format, args...)))
	}
	head := r.Outcome.String()
	if r.Outcome == agentcard.OutcomeVerified {
		head += " under the reading " + r.Reading.String()
	}
	if r.PayloadSHA256 != "" {
		head += ", payload sha256:" + r.PayloadSHA256
	}
	line(0, "%s: %s", c.name, head)
	for _, e := range r.Entries {
		what := fmt.Sprintf("signature %d: %s", e.Index, e.Result)
		if e.Algorithm != "" {
			what += ", " + e.Algorithm
		}
		if e.KeyID != "" {
			what += ", kid " + quote(e.KeyID)
		}
		line(2, "%s", what)
		if e.Result == agentcard.ResultValid {
			line(4, "key: %s", e.KeyTrust.Text())
		} else {
			line(4, "%s [%s]", e.Message, e.Code)
		}
		if e.JKU != "" && (e.Result != agentcard.ResultValid || e.KeySource == agentcard.FromJKU) {
			line(4, "jku: %s", e.JKU)
		}
		for _, f := range e.Diagnosis {
			line(4, "%s [%s]", f.Text, f.Code)
		}
		for _, f := range e.Warnings {
			line(4, "warning: %s [%s]", f.Text, f.Code)
		}
	}
	const most = 20
	for i, d := range r.Differences {
		if i == most {
			line(2, "... and %d more members that the readings treat differently", len(r.Differences)-most)
			break
		}
		line(2, "%s: %s under spec, %s under %s", d.Pointer, d.Spec, d.Other, d.Reading)
	}
	if len(r.Uncovered) > 0 {
		line(2, "not covered by the signature, and not to be used: %s", strings.Join(r.Uncovered, " "))
		line(2, "the card to use is what is covered: rdfproto card payload --reading %s CARD prints it", r.Reading)
	}
	for _, f := range r.Warnings {
		line(2, "warning: %s [%s]", at(f.Text, f.Pointer), f.Code)
	}
	if len(r.Proves) > 0 {
		line(2, "proves:")
		for _, s := range r.Proves {
			line(4, "%s", s)
		}
		line(2, "does not prove:")
		for _, s := range r.DoesNotProve {
			line(4, "%s", s)
		}
	}
}
