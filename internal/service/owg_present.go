package service

import (
	"context"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// chain is what presentations are made of, or the one that was made.
type chain struct {
	made        []byte
	key         *vc.PrivateKey // nil for none
	credentials [][]byte
	profile     vc.Profile
}

// readChain reads what the call names for presentations. That is before anything is sent:
// what is wrong with it is no reason for an attempt to fail.
func (v *handOver) readChain() (c chain, err error) {
	if v.presentation != "" {
		c.made, err = readFile(v.presentation, maxConfig)
		return c, err
	}
	if v.key == "" {
		return c, nil
	}
	secret, err := readSecret(v.key)
	if err != nil {
		return c, cli.Fail(cli.StatusCall, "unreadable", "--key: "+err.Error())
	}
	if c.key, err = vc.ParsePrivateKey(secret); err != nil {
		return c, cli.Fail(cli.StatusCall, "invalid-key", "--key: "+err.Error())
	}
	if c.key.ID() == "" {
		public := c.key.Public().Multikey()
		c.key = c.key.WithID("did:key:" + public + "#" + public)
	}
	c.profile = v.proofs
	for _, file := range v.credentials {
		data, err := readFile(file, maxConfig)
		if err != nil {
			return c, err
		}
		value, err := strictjson.Parse(data, strictjson.DefaultLimits())
		if err != nil {
			return c, cli.InFile(file, err)
		}
		if c.profile == vc.ProfileAuto {
			if c.profile = vc.ProfileSVC; value.Get("@context").Exists() {
				c.profile = vc.ProfileW3C
			}
		}
		c.credentials = append(c.credentials, []byte(value.Source()))
	}
	return c, nil
}

// present makes the presentation that goes with an intent, nil for none.
func (v *handOver) present(ctx context.Context, p *performer, c *engine.Challenge) ([]byte, error) {
	if v.chain.key == nil || c == nil {
		return v.chain.made, nil
	}
	if err := v.ours(p, c.Domain); err != nil {
		return nil, err
	}
	holder := v.holder
	if holder == "" {
		holder, _, _ = strings.Cut(v.chain.key.ID(), "#")
	}
	return vc.Sign(ctx, cli.Presentation(v.chain.profile, "urn:uuid:"+cli.NewUUID(), holder, v.chain.credentials), v.chain.key, vc.SignOptions{
		Profile: v.chain.profile, Purpose: vc.Authentication, Challenge: c.Challenge, Domain: []string{c.Domain}, Created: v.now().Truncate(time.Second),
		Contexts: jsonld.Builtin(),
	})
}

// ours sees that a presentation is made for the agent that it goes to: one that hands
// another party's challenge on would else get what that party takes.
func (v *handOver) ours(p *performer, domain string) error {
	for _, own := range append([]string{p.client.Endpoint().URL}, v.domains...) {
		if domain == own || sameOrigin(domain, own) {
			return nil
		}
	}
	return cli.Fail(cli.StatusNo, "authorization-denied", "the agent asks for a presentation for "+cli.Quote(domain)+", which is not its own; --domain allows it")
}

// stillOurs sees that a presentation is not sent again to another agent than the one that
// it was made for: by another card than the first time, that is one of its domain.
func (v *handOver) stillOurs(p *performer, a *owg.Attempt, m *engine.Message) error {
	if _, sum, _ := strings.Cut(canon.Sum(p.card.Card().Bytes()).String(), ":"); a.Card != nil && a.Card.SHA256 == sum {
		return nil
	}
	for _, part := range m.Parts {
		if part.MediaType != presentationType {
			continue
		}
		value, err := strictjson.Parse(part.Data, strictjson.DefaultLimits())
		if err != nil {
			return &owg.Error{Code: owg.CodeRecord, Text: "the presentation that was sent cannot be read: " + err.Error()}
		}
		all := value.Get("proof").Get("domain")
		one, _ := all.Str()
		domains := []string{one}
		if all.Kind() == strictjson.Array {
			domains = nil
			for _, d := range all.Items() {
				one, _ := d.Str()
				domains = append(domains, one)
			}
		}
		for _, d := range domains {
			if err := v.ours(p, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// presentationType is the media type of a part with a presentation.
const presentationType = "application/vp"
