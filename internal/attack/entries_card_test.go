package attack_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/terms"
)

// proposals is a fetcher of one document.
type proposals []byte

func (p proposals) Proposal(context.Context, string, bool) ([]byte, error) { return p, nil }

func cardEntries(w *world) []entry {
	verify := func(keys agentcard.Keys, source string) func(context.Context, []byte) (outcome, error) {
		return func(ctx context.Context, data []byte) (outcome, error) {
			c, err := agentcard.Parse(data, agentcard.Limits{})
			if err != nil {
				return check(err)
			}
			r, err := agentcard.Verify(ctx, c, keys, agentcard.Policy{At: noon, Source: source})
			if err != nil {
				return outcome{}, err
			}
			v, ok := r.Verified()
			if !ok {
				if !slices.Contains(agentcard.Codes(), r.Code) || r.Message == "" {
					return outcome{}, fmt.Errorf("the code %q is not documented, or has no message", r.Code)
				}
				return refused(r.Code), nil
			}
			payload, err := v.Card().Payload(agentcard.Spec)
			return checked(string(payload), err)
		}
	}
	subject := func(ctx context.Context, data []byte) (terms.Subject, error) {
		c, err := agentcard.Parse(data, agentcard.Limits{})
		if err != nil {
			return terms.Subject{}, err
		}
		return terms.Check(ctx, c, agentcard.Keys{}, agentcard.Policy{At: noon})
	}
	stated := func(r *terms.Report, err error) (outcome, error) {
		if err != nil {
			return outcome{}, err
		}
		r.Lines()
		if !r.AllVerified() || r.Terms != terms.Stated {
			code := r.Code
			for _, e := range r.Entries {
				if e.Code != "" {
					code = e.Code
				}
			}
			switch {
			case code == "" && r.Terms != terms.Stated:
				return refused("no terms are stated"), nil // it declares none
			case !slices.Contains(terms.Codes(), code):
				return outcome{}, fmt.Errorf("the code %q is not documented", code)
			}
			return refused(code), nil
		}
		content := ""
		for _, p := range r.Proposals() {
			content += p.Digest().String()
		}
		return accepted(content), nil
	}
	theCard := must(subject(context.Background(), w.termsCard))
	return []entry{
		{
			name: "a proposal that a card lists 64 times", valid: one(w.sow), forms: []form{inJSON},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				committed, err := canon.JCS(data)
				if err != nil {
					committed = data
				}
				digest := canon.Sum(committed)
				const one = `{"url":"https://example.com/q`
				first := bytes.Index(w.termsCard, []byte(one))
				end := first + bytes.IndexByte(w.termsCard[first:], '}') + 1
				var list []string
				for i := range 64 {
					list = append(list, fmt.Sprintf(`%s%d","digest":%q}`, one, i, digest))
				}
				text := slices.Concat(w.termsCard[:first], []byte(strings.Join(list, ",")), w.termsCard[end:])
				r, err := terms.Verify(ctx, terms.Subject{Card: must(agentcard.Parse(text, agentcard.Limits{}))}, terms.Options{At: noon, Fetcher: proposals(data)})
				if err == nil && len(r.Entries) != 64 {
					err = errors.New("not all entries are judged")
				}
				return stated(r, err)
			},
		},
		{
			name: "a card", covers: []string{"agentcard.Parse"}, valid: one(w.card, w.termsCard), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				c, err := agentcard.Parse(data, agentcard.Limits{})
				if err != nil {
					return check(err)
				}
				c.Lint()
				c.Declaration()
				c.Interfaces()
				terms.ReadDeclaration(c, terms.Limits{})
				if _, err := c.Payload(agentcard.Spec); err != nil {
					return check(err)
				}
				return accepted(""), nil
			},
		},
		{name: "a card by supplied keys", valid: one(w.card), forms: []form{inJSON, aSecured}, signed: true, run: verify(agentcard.Keys{Supplied: w.set}, "")},
		{name: "a card by a trust store", valid: one(w.card), forms: []form{inJSON, aSecured}, signed: true, run: verify(agentcard.Keys{Trust: w.store}, "https://agent.example/.well-known/agent-card.json")},
		{
			name: "a card explained", valid: one(w.card), forms: []form{inJSON},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				c, err := agentcard.Parse(data, agentcard.Limits{Diagnosis: 64 << 10})
				if err != nil {
					return check(err)
				}
				r, err := agentcard.Verify(ctx, c, agentcard.Keys{Supplied: w.set}, agentcard.Policy{At: noon, Explain: true})
				if err == nil {
					_, _, err = owg.AdmitCard(r, agentcard.DemandIfSigned)
				}
				return check(err)
			},
		},
		{
			name: "a key set", covers: []string{"agentcard.ParseKeySet"}, valid: one(w.cardKeys), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := agentcard.ParseKeySet(data, agentcard.Limits{})
				return check(err)
			},
		},
		{
			name: "a trust store", covers: []string{"agentcard.ParseTrustStore"}, valid: one(w.trust), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := agentcard.ParseTrustStore(data, agentcard.Limits{})
				return check(err)
			},
		},
		{
			name: "a private key for cards", covers: []string{"agentcard.ParsePrivateKey"}, forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := agentcard.ParsePrivateKey(data, agentcard.Limits{})
				return check(err)
			},
			valid: one(must(must(agentcard.GenerateKey(agentcard.EdDSA, "card-1", &stream{seed: "card"})).JWK())),
		},
		{
			name: "a standing proposal", covers: []string{"terms.Parse"}, valid: one(w.sow), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				d, err := terms.Parse(data, terms.Limits{})
				if err == nil {
					_, err = d.Digest()
				}
				return check(err)
			},
		},
		{
			name: "terms by a proposal", valid: one(w.sow), forms: []form{inJSON, aSecured}, signed: true,
			run: func(ctx context.Context, data []byte) (outcome, error) {
				return stated(terms.Verify(ctx, theCard, terms.Options{At: noon, Fetcher: proposals(data)}))
			},
		},
		{
			name: "terms by a card", valid: one(w.termsCard), forms: []form{inJSON, aSecured},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				s, err := subject(ctx, data)
				if err != nil {
					return check(err)
				}
				if _, err := terms.Lint(ctx, s, terms.Options{At: noon, Fetcher: proposals(w.sow)}); err != nil {
					return outcome{}, err
				}
				o, err := stated(terms.Verify(ctx, s, terms.Options{At: noon, Fetcher: proposals(w.sow)}))
				if err == nil && o.ok && !bytes.Contains(w.sow, []byte("sow")) {
					err = errors.New("terms of nothing")
				}
				return o, err
			},
		},
		{
			name: "keys of owners", covers: []string{"terms.ParseOwnerKeys"}, valid: one(w.owners), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := terms.ParseOwnerKeys(data, terms.Limits{})
				return check(err)
			},
		},
		{
			name: "a seed", covers: []string{"terms.ParseSeed"}, valid: one(file("testdata", "terms", "owner.seed")), forms: []form{aTerm},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := terms.ParseSeed(data)
				return plain("", err)
			},
		},
	}
}

func workflowEntries(*world) []entry {
	season, inbound := file("owg", "testdata", "season.json"), file("owg", "testdata", "inbound.json")
	workflow := must(owg.Parse(season, owg.Limits{}))
	run := file("owg", "testdata", "prodco-run.json")
	return []entry{
		{
			name: "a workflow", covers: []string{"owg.Parse"}, valid: one(season, file("owg", "testdata", "localize.json")), forms: []form{inJSON, aWorkflow},
			run: func(_ context.Context, data []byte) (outcome, error) {
				w, err := owg.Parse(data, owg.Limits{})
				if err != nil {
					return check(err)
				}
				if _, err := w.Validate(owg.ValidateOptions{Strict: true, Now: noon}); err != nil {
					return check(err)
				}
				for i, t := range w.Tasks() {
					if i > 2 {
						break // each is a call of its own
					}
					if _, _, err := w.HandOff(t.ID, owg.RequestOptions{Now: noon, MessageID: "m"}); err != nil {
						if _, err := check(err); err != nil {
							return outcome{}, err
						}
					}
					for _, asset := range t.Produced[:min(1, len(t.Produced))] {
						if _, err := w.Trace(asset); err != nil {
							if _, err := check(err); err != nil {
								return outcome{}, err
							}
						}
					}
				}
				return accepted(""), nil
			},
		},
		{
			name: "a run record", covers: []string{"owg.ParseRecord", "owg.AppendAttempt", "owg.AppendReceived"}, valid: one(run), forms: []form{inJSON, aWorkflow},
			run: func(_ context.Context, data []byte) (outcome, error) {
				r, err := owg.ParseRecord(data, owg.Limits{})
				if err != nil {
					return check(err)
				}
				again, err := owg.ParseRecord(r.Append(nil), owg.Limits{})
				if err != nil || !bytes.Equal(r.Append(nil), again.Append(nil)) {
					return outcome{}, fmt.Errorf("written and read again it is another: %w", err)
				}
				if _, err := workflow.Trace("dub_ep1", r); err != nil {
					if _, err := check(err); err != nil {
						return outcome{}, err
					}
				}
				return accepted(""), nil
			},
		},
		{
			name: "an answer of an agent", covers: []string{"owg.Follow.Update"}, valid: one(file("owg", "testdata", "task-working.json"), file("owg", "testdata", "task-completed.json")), forms: []form{inJSON, aMessage},
			run: func(_ context.Context, data []byte) (outcome, error) {
				f := owg.NewFollow(owg.Attempt{Task: "dub", Number: 1, Status: owg.StatusRunning}, []string{"dub_ep1"}, owg.Limits{})
				if _, err := f.Update(data, noon); err != nil {
					return check(err)
				}
				a := f.Attempt()
				a.Append(nil)
				return accepted(""), nil
			},
		},
		{
			name: "a hand-off", covers: []string{"owg.ParseHandOff"}, valid: one(inbound), forms: []form{inJSON, aMessage},
			run: func(_ context.Context, data []byte) (outcome, error) {
				h, err := owg.ParseHandOff(data, "", owg.Limits{})
				if err != nil {
					return check(err)
				}
				_, err = workflow.Receive(owg.Inbound{HandOff: h, Caller: "urn:prodco:agent", Now: noon})
				return check(err)
			},
		},
	}
}
