package vectors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// cardOperations are those of signed Agent Cards (section A), and of the JSON that they
// share with terms and workflows (section 1).
func cardOperations() []Operation {
	return []Operation{
		{"canonicalize-json", []string{"json"}, canonicalizeJSON},
		{"canonicalize-card", []string{"card", "reading"}, canonicalizeCard},
		{"verify-card", []string{
			"card", "now", "source", "trustStore", "keySet", "documents", "readings", "algorithms", "signatures", "demand", "explain",
		}, verifyCard},
		{"verify-cards", []string{"trustStore", "steps"}, verifyCards},
		{"sign-card", []string{"card", "key", "jku", "strip", "fragment"}, signCard},
		{"lint-card", []string{"card"}, lintCard},
		{"read-declaration", []string{"card"}, readDeclaration},
	}
}

// content returns what an input names: the bytes of a file beside the case, or, for an
// object, the object as it is written.
func (c *Case) content(v strictjson.Value) ([]byte, error) {
	if name, ok := v.Str(); ok {
		return c.Open(name)
	}
	if v.Kind() != strictjson.Object {
		return nil, fmt.Errorf("expected the name of a file or an object, found %s", v.Kind())
	}
	return []byte(v.Source()), nil
}

// file returns the bytes of the file that a member names, which is needed.
func (c *Case) file(in *object, name string) ([]byte, error) {
	s := in.needed(name)
	if in.err != nil {
		return nil, in.err
	}
	return c.Open(s)
}

// jsonLimits are those of section 1.1.
func jsonLimits() strictjson.Limits { return strictjson.Limits{Depth: 64} }

// canonicalizeJSON is sections 1.1 and 1.2.
func canonicalizeJSON(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	data, err := c.file(in, "json")
	if err != nil {
		return nil, err
	}
	canonical, err := strictjson.Canonicalize(data, jsonLimits())
	var fault *strictjson.Error
	switch {
	case errors.As(err, &fault):
		return Outcome{Text("code", fault.DocumentCode())}, nil
	case err != nil:
		return nil, err
	}
	return Outcome{Text("canonical", string(canonical))}, nil
}

// cardCode returns the code of a refusal, and an error for anything else.
func cardCode(err error) (string, error) {
	var fault *agentcard.Error
	if errors.As(err, &fault) {
		return string(fault.Code), nil
	}
	return "", err
}

// refusedCard is the outcome for an error, if it is a refusal.
func refusedCard(err error) (Outcome, error) {
	code, err := cardCode(err)
	if err != nil {
		return nil, err
	}
	return Outcome{Text("code", code)}, nil
}

// hexSum is the SHA-256 of bytes in hexadecimal.
func hexSum(data []byte) string { return canon.Sum(data).String()[len("sha256:"):] }

// canonicalizeCard is section A.3, and A.4 for the other readings.
func canonicalizeCard(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	name := in.text("reading")
	data, err := c.file(in, "card")
	if err != nil {
		return nil, err
	}
	reading, err := cardReading(name)
	if err != nil {
		return nil, err
	}
	card, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		return refusedCard(err)
	}
	payload, err := card.Payload(reading)
	if err != nil {
		return refusedCard(err)
	}
	return Outcome{Text("canonical", string(payload)), Text("sha256", hexSum(payload))}, nil
}

// cardReading returns the reading of a name, the first for none.
func cardReading(name string) (agentcard.Reading, error) {
	if name == "" {
		return agentcard.Spec, nil
	}
	r, ok := agentcard.ReadingByName(name)
	if !ok {
		return 0, fmt.Errorf("unknown reading %q", name)
	}
	return r, nil
}

// cardCheck is how cards are verified.
type cardCheck struct {
	keys   agentcard.Keys
	policy agentcard.Policy
	served *served
	now    time.Time
}

// cardCheck reads by what keys and policy cards are verified. A refusal of keys is one of
// the case.
func (c *Case) cardCheck(in *object) (*cardCheck, error) {
	k := &cardCheck{served: &served{}}
	names, algorithms := in.texts("readings"), in.texts("algorithms")
	k.policy.Explain = in.flag("explain")
	if v := in.get("signatures"); v.Exists() {
		n, ok := v.Int64()
		if !ok || n < 1 || n > 100 {
			in.fail(v, "expected a number of signatures")
		}
		k.policy.Signatures = int(n)
	}
	trust, set := in.get("trustStore"), in.get("keySet")
	if in.err != nil {
		return nil, in.err
	}
	for _, name := range names {
		r, err := cardReading(name)
		if err != nil {
			return nil, err
		}
		k.policy.Readings = append(k.policy.Readings, r)
	}
	for _, a := range algorithms {
		k.policy.Algorithms = append(k.policy.Algorithms, agentcard.Algorithm(a))
	}
	if trust.Exists() {
		data, err := c.content(trust)
		if err != nil {
			return nil, err
		}
		if k.keys.Trust, err = agentcard.ParseTrustStore(data, agentcard.Limits{}); err != nil {
			return nil, err
		}
	}
	if set.Exists() {
		data, err := c.content(set)
		if err != nil {
			return nil, err
		}
		if k.keys.Supplied, err = agentcard.ParseKeySet(data, agentcard.Limits{}); err != nil {
			return nil, err
		}
	}
	k.keys.Sets = agentcard.NewKeySets(k.served, func() time.Time { return k.now }, agentcard.Limits{})
	return k, nil
}

// step reads what may differ from one card to the next: the time, where the card is from and
// what is served.
func (c *Case) step(in *object, k *cardCheck) error {
	k.now = in.now()
	k.policy.At, k.policy.Source = k.now, in.text("source")
	k.served.maxAge = -1
	if v := in.get("maxAge"); v.Exists() {
		n, ok := v.Int64()
		if !ok || n < 0 || n > 1<<31 {
			in.fail(v, "expected a number of seconds")
		}
		k.served.maxAge = time.Duration(n) * time.Second
	}
	documents := in.get("documents")
	if in.err != nil {
		return in.err
	}
	d, err := ReadDocuments(documents, c.Open)
	if err != nil {
		return err
	}
	k.served.documents, k.served.asked = d, nil
	return nil
}

// verifyCard is section A.8, and what a client may act on after it.
func verifyCard(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	demand := in.text("demand")
	data, err := c.file(in, "card")
	if err != nil {
		return nil, err
	}
	k, err := c.cardCheck(in)
	if err != nil {
		return cardError(err)
	}
	if err := c.step(in, k); err != nil {
		return nil, err
	}
	out, report, err := k.verify(ctx, data)
	if err != nil || report == nil || demand == "" {
		return out, err
	}
	d, err := cardDemand(demand)
	if err != nil {
		return nil, err
	}
	_, code := agentcard.Admit(report, d)
	return append(out, Bool("admitted", code == "")).some("refusedFor", string(code)), nil
}

// cardError is the outcome of a card or keys that are refused as such.
func cardError(err error) (Outcome, error) {
	code, err := cardCode(err)
	if err != nil {
		return nil, err
	}
	return Outcome{Text("outcome", "error"), Text("code", code)}, nil
}

// cardDemand returns the demand of a name.
func cardDemand(name string) (agentcard.Demand, error) {
	switch name {
	case "verified":
		return agentcard.DemandVerified, nil
	case "if-signed":
		return agentcard.DemandIfSigned, nil
	case "ignore":
		return agentcard.InsecureIgnoreSignatures, nil
	}
	return 0, fmt.Errorf("unknown demand %q", name)
}

// verify verifies one card. There is no report for what is no card, or no policy.
func (k *cardCheck) verify(ctx context.Context, data []byte) (Outcome, *agentcard.Report, error) {
	card, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		out, err := cardError(err)
		return out, nil, err
	}
	if k.policy.At.IsZero() {
		return nil, nil, errors.New("expected now")
	}
	r, err := agentcard.Verify(ctx, card, k.keys, k.policy)
	if err != nil { // the policy is none that there may be
		return Outcome{Text("outcome", "error"), Text("policy", "refused")}, nil, ctx.Err()
	}
	out := Outcome{Text("outcome", r.Outcome.String())}.some("code", string(r.Code))
	if r.Outcome == agentcard.OutcomeVerified {
		out = append(out, Text("reading", r.Reading.String()), Text("payload", r.PayloadSHA256))
	}
	entries := make([]Outcome, len(r.Entries))
	for i, e := range r.Entries {
		entries[i] = Outcome{Text("result", e.Result.String())}.some("code", string(e.Code)).some("keyTrust", string(e.KeyTrust)).list("warnings", cardCodes(e.Warnings))
		if k.policy.Explain {
			entries[i] = entries[i].list("diagnosis", cardCodes(e.Diagnosis))
		}
	}
	out = append(out, Objects("entries", entries))
	var would []string
	for _, reading := range r.WouldVerifyUnder {
		would = append(would, reading.String())
	}
	out = out.list("wouldVerifyUnder", would).list("uncovered", r.Uncovered)
	return out.list("warnings", cardCodes(r.Warnings)).list("fetched", k.served.fetched()), r, nil
}

func cardCodes(all []agentcard.Finding) []string {
	var out []string
	for _, f := range all {
		out = append(out, string(f.Code))
	}
	return out
}

// verifyCards verifies several cards one after the other, with one memory of the key
// sets that were fetched (K-8, K-9).
func verifyCards(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	k, err := c.cardCheck(in)
	if err != nil {
		return cardError(err)
	}
	steps := in.get("steps")
	if steps.Kind() != strictjson.Array || steps.Len() == 0 {
		return nil, errors.New("expected an array of steps")
	}
	var all []Outcome
	for _, v := range steps.Items() {
		step := members(v)
		data, err := c.file(step, "card")
		if err != nil {
			return nil, err
		}
		if err := c.step(step, k); err != nil {
			return nil, err
		}
		if err := step.done(); err != nil {
			return nil, err
		}
		out, _, err := k.verify(ctx, data)
		if err != nil {
			return nil, err
		}
		all = append(all, out)
	}
	return Outcome{Objects("steps", all)}, nil
}

// signCard is section A.9: the entry that is added.
func signCard(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	data, err := c.file(in, "card")
	if err != nil {
		return nil, err
	}
	o := agentcard.SignOptions{JKU: in.text("jku"), Strip: in.flag("strip"), Fragment: in.flag("fragment"), Deterministic: true}
	keyAt := in.get("key")
	if in.err != nil {
		return nil, in.err
	}
	jwk, err := c.content(keyAt)
	if err != nil {
		return nil, err
	}
	key, err := agentcard.ParsePrivateKey(jwk, agentcard.Limits{})
	if err != nil {
		return refusedCard(err)
	}
	card, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		return refusedCard(err)
	}
	signed, err := agentcard.Sign(card, key, o)
	if err != nil {
		return refusedCard(err)
	}
	again, err := agentcard.Parse(signed, agentcard.Limits{})
	if err != nil {
		return nil, err
	}
	payload, err := again.Payload(agentcard.Spec)
	if err != nil {
		return nil, err
	}
	list := again.Root().Get("signatures")
	last := list.Index(list.Len() - 1)
	protected, _ := last.Get("protected").Str()
	signature, _ := last.Get("signature").Str()
	out := Outcome{Text("protected", protected), Text("signature", signature), Text("payload", hexSum(payload)), Number("signatures", list.Len())}
	if o.Strip { // nothing is left that is not signed
		stripped, err := again.Payload(agentcard.Raw)
		if err != nil {
			return nil, err
		}
		out = append(out, Text("raw", hexSum(stripped)))
	}
	return out, nil
}

// lintCard is what keeps a card from meaning the same everywhere (C-R5).
func lintCard(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	data, err := c.file(in, "card")
	if err != nil {
		return nil, err
	}
	card, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		return refusedCard(err)
	}
	findings := []Outcome{}
	for _, f := range card.Lint() {
		findings = append(findings, Outcome{Text("level", f.Level.String()), Text("code", string(f.Code)), Text("pointer", f.Pointer)})
	}
	return Outcome{Objects("findings", findings)}, nil
}

// readDeclaration is what a card says about RDF Protocol Documents (a2a-rdf, section 1).
func readDeclaration(_ context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	data, err := c.file(in, "card")
	if err != nil {
		return nil, err
	}
	card, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		return refusedCard(err)
	}
	d := card.Declaration()
	documents := []Outcome{}
	for _, doc := range d.Documents {
		documents = append(documents, Outcome{Text("source", doc.Source), Text("hash", doc.Hash.String())}.some("name", doc.Name))
	}
	found := cardCodes(d.Findings)
	slices.Sort(found)
	out := Outcome{Bool("declared", d.Declared), Bool("valid", d.Valid), Objects("documents", documents)}
	return out.yes("required", d.Required).list("formats", d.Formats).yes("nlNegotiation", d.NLNegotiation).list("findings", found), nil
}
