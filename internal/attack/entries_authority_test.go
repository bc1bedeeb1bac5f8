package attack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// claims is what a verified credential says, proofs left out.
func claims(ctx context.Context, c *vc.Credential) (string, error) {
	d, err := c.Digest(ctx)
	return d.String(), err
}

func authorityEntries(w *world) []entry {
	secured := []form{inJSON, inJSONLD, aSecured}
	lists := shelf{listURL: {Content: w.statusList, MediaType: "application/vc"}}
	v := w.verifier(lists)
	withStatus := must(v.Verify(context.Background(), w.w3c, noon)).Credential()
	credential := func(ctx context.Context, data []byte) (outcome, error) {
		r, err := v.Verify(ctx, data, noon)
		if err != nil {
			return outcome{}, err
		}
		content := ""
		if r.Verified() {
			if content, err = claims(ctx, r.Credential()); err != nil {
				return outcome{}, err
			}
		}
		return found(r.Codes(), r.Verified(), content)
	}
	presentation := func(ctx context.Context, data []byte) (outcome, error) {
		vc.IsPresentation(data, vc.Limits{})
		r, err := v.VerifyPresentation(ctx, data, vc.Expected{Challenge: challenge, Domain: []string{domain}, Holder: vc.HolderUnbound}, noon)
		if err != nil {
			return outcome{}, err
		}
		content := ""
		if r.Verified() {
			var digests []string // a graph has no order
			for _, c := range r.Presentation().Credentials() {
				digest, err := claims(ctx, c)
				if err != nil {
					return outcome{}, err
				}
				digests = append(digests, digest)
			}
			slices.Sort(digests)
			content = r.Presentation().Holder() + " " + strings.Join(digests, " ")
		}
		return found(r.Codes(), r.Verified(), content)
	}
	proofs := func(ctx context.Context, data []byte) (outcome, error) {
		r, err := v.VerifyProofsBy(ctx, data, party(0), vc.AssertionMethod, noon)
		if err != nil {
			return outcome{}, err
		}
		any, err := v.VerifyProofs(ctx, data, vc.AssertionMethod, noon)
		if err != nil {
			return outcome{}, err
		}
		if r.Verified() && !any.Verified() {
			return outcome{}, errors.New("proofs by somebody that are no proofs")
		}
		return found(r.Codes(), r.Verified(), "")
	}
	a := w.authorizer(nil)
	held := must(a.Hold(w.request(nil, w.policies).Chain.Policies))
	chain := func(hop int) func(context.Context, []byte) (outcome, error) {
		return func(ctx context.Context, data []byte) (outcome, error) {
			credentials := [][]byte{w.credentials[0], w.credentials[1]}
			credentials[hop] = data
			o, err := decided(a.Authorize(ctx, w.request(credentials, w.policies)))
			if err == nil && o.ok {
				o, err = credential(ctx, data)
			}
			return o, err
		}
	}
	policy := func(hop int) func(context.Context, []byte) (outcome, error) {
		return func(ctx context.Context, data []byte) (outcome, error) {
			policies := [][]byte{w.policies[0], w.policies[1]}
			policies[hop] = data
			o, err := decided(a.Authorize(ctx, w.request(w.credentials, policies)))
			o.content = string(data) // its octets were signed
			return o, err
		}
	}
	return []entry{
		{name: "a credential, SVC", covers: []string{"authz/vc.Verifier.Verify"}, valid: one(w.credentials[0]), forms: secured, signed: true, run: credential},
		{name: "a credential, W3C", covers: []string{"authz/vc.Verifier.Verify"}, valid: one(w.w3c), forms: secured, signed: true, run: credential},
		{name: "proofs", covers: []string{"authz/vc.Verifier.VerifyProofs", "authz/vc.Verifier.VerifyProofsBy"}, valid: one(w.w3c), forms: secured, run: proofs},
		{name: "a presentation, SVC", covers: []string{"authz/vc.Verifier.VerifyPresentation", "authz/vc.IsPresentation"}, valid: one(w.presentation), forms: secured, signed: true, run: presentation},
		{name: "a presentation, W3C", covers: []string{"authz/vc.Verifier.VerifyPresentation"}, valid: one(w.w3cVP), forms: secured, signed: true, run: presentation},
		{
			name: "a status list credential", covers: []string{"authz/vc.Verifier.CheckStatus"}, valid: one(w.statusList), forms: append(secured, aList), signed: true,
			run: func(ctx context.Context, data []byte) (outcome, error) {
				r, err := w.verifier(shelf{listURL: {Content: data, MediaType: "application/vc"}}).CheckStatus(ctx, withStatus, noon)
				if err != nil {
					return outcome{}, err
				}
				return found(r.Codes(), r.Clear(), "clear")
			},
		},
		{
			name: "a status list in Turtle", covers: nil, forms: []form{inTurtle},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				r, err := w.verifier(shelf{listURL: {Content: data, MediaType: "text/turtle"}}).CheckStatus(ctx, withStatus, noon)
				if err != nil {
					return outcome{}, err
				}
				if r.Clear() {
					return outcome{}, errors.New("a list that nobody signed is clear")
				}
				return found(r.Codes(), r.Clear(), "clear")
			},
		},
		{
			name: "an encoded status list", covers: []string{"authz/vc.ParseStatusList", "authz/vc.EncodedStatusList", "authz/vc.StatusList.Update"}, valid: one([]byte(w.encodedList)), forms: []form{aList},
			run: func(_ context.Context, data []byte) (outcome, error) {
				if l, err := vc.EncodedStatusList(data, vc.Limits{}); err == nil {
					if _, err := l.Update(data, vc.Limits{}); err != nil {
						return outcome{}, err
					}
				}
				_, err := vc.ParseStatusList(string(data), vc.Limits{})
				return plain("", err)
			},
		},
		{
			name: "a controller document", covers: []string{"authz/vc.ParseController"}, valid: one(w.controller), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				c, err := vc.ParseController(data, vc.Limits{})
				if err == nil {
					_, _ = c.Key(method(0), vc.AssertionMethod, noon)
				}
				return plain("", err)
			},
		},
		{
			name: "a controller document in Turtle", covers: []string{"authz/vc.ParseControllerRDF"}, valid: one(w.profile), forms: []form{inTurtle},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				d, err := turtle.Parse(data, turtle.Options{})
				if err != nil {
					return check(err)
				}
				_, err = vc.ParseControllerRDF(ctx, d, "", shelf{}, vc.Limits{})
				return plain("", err)
			},
		},
		{
			name: "a private key", covers: []string{"authz/vc.ParsePrivateKey"}, valid: one(must(keyOf(0).JWK())), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := vc.ParsePrivateKey(data)
				return plain("", err)
			},
		},
		{name: "a chain, its first credential", covers: []string{"authz.Authorizer.Authorize"}, valid: one(w.credentials[0]), forms: secured, signed: true, run: chain(0)},
		{name: "a chain, its last credential", covers: []string{"authz.Authorizer.Authorize"}, valid: one(w.credentials[1]), forms: secured, signed: true, run: chain(1)},
		{name: "a chain, its first policy", covers: []string{"authz.Authorizer.Authorize"}, valid: one(w.policies[0]), forms: []form{aPolicy, inTurtle}, signed: true, run: policy(0)},
		{name: "a chain, its last policy", covers: []string{"authz.Authorizer.Authorize"}, valid: one(w.policies[1]), forms: []form{aPolicy, inTurtle}, signed: true, run: policy(1)},
		{
			name: "a chain as a presentation", covers: []string{"authz.Authorizer.AuthorizePresentation", "authz.Authorizer.AuthorizePresentationRecorded", "authz.Held.Of"}, forms: secured,
			run: func(ctx context.Context, data []byte) (outcome, error) {
				r := w.request(nil, w.policies)
				r.Actor = ""
				if n := len(held.Of(data)); n > len(w.policies) {
					return outcome{}, fmt.Errorf("%d policies of %d that are held", n, len(w.policies))
				}
				d, err := a.AuthorizePresentation(ctx, r, data, vc.Expected{Challenge: challenge, Domain: []string{domain}})
				if err == nil && d.Authorized() {
					return outcome{}, errors.New("the holder is not the one whom the chain authorizes")
				}
				return decided(d, err)
			},
		},
		{
			name: "revocations", forms: []form{aPolicy, inTurtle},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				r := w.request(w.credentials, w.policies)
				r.Revocations = []authz.RevocationDocument{{Content: data, Syntax: rdfio.Turtle}}
				return decided(a.Authorize(ctx, r))
			},
			valid: one([]byte("<urn:r> a <https://w3id.org/jeswr/odrl-delegation#Revocation> ; <https://w3id.org/jeswr/odrl-delegation#revokedPolicy> <urn:p> .")),
		},
		{
			name: "the record of a decision", covers: []string{"authz.ParseRecord"}, valid: one(w.record), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				r, _, err := authz.ParseRecord(data)
				if err == nil {
					_, err = r.Dataset()
				}
				return plain("", err)
			},
		},
		{
			name: "the signed record of a decision", covers: []string{"authz.VerifyRecord"}, valid: one(w.record), forms: secured, signed: true,
			run: func(ctx context.Context, data []byte) (outcome, error) {
				r, err := authz.VerifyRecord(ctx, w.keys, data, party(2), noon.Add(time.Hour))
				if err != nil {
					return outcome{}, err
				}
				if !r.Verified() {
					return found([]vc.Code{r.Code()}, false, "")
				}
				record, _ := r.Record()
				text, err := record.JSON()
				return checked(canon.Sum(text).String(), err)
			},
		},
	}
}
