package page

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// Authority is a decision on a chain of credentials and policies.
type Authority struct {
	// Asked reports that there is a decision. Otherwise the intent was refused before it.
	Asked      bool   `json:"asked"`
	Authorized bool   `json:"authorized"`
	Phase      string `json:"phase,omitempty"`
	Code       string `json:"code,omitempty"`
	Reason     string `json:"reason,omitempty"`
	At         string `json:"at,omitempty"`
	Actor      string `json:"actor,omitempty"`
	// Asks are the actions under test: those of the intent where FromIntent, else that of
	// the input's request.
	Asks       []Ask    `json:"asks,omitempty"`
	FromIntent bool     `json:"fromIntent,omitempty"`
	Chains     []Chain  `json:"chains,omitempty"` // the primary one, then that of the actor
	Duties     []string `json:"duties,omitempty"`
	// Provisional: the content of a policy was not checked.
	Provisional bool    `json:"provisional,omitempty"`
	Checks      []Check `json:"checks,omitempty"`
}

// Ask is an action under test.
type Ask struct {
	Action string `json:"action"`
	Target string `json:"target"`
}

// Chain is who granted what to whom, the root first.
type Chain struct {
	Root  string `json:"root"`
	Links []Link `json:"links"`
	// Broken says what is wrong with the chain as a whole, "" for nothing.
	Broken string `json:"broken,omitempty"`
}

// Link is a hop: a policy and the credential that binds it.
type Link struct {
	To         string   `json:"to"`
	Policy     string   `json:"policy"`
	Credential string   `json:"credential,omitempty"`
	Verified   bool     `json:"verified"`
	Facts      []string `json:"facts,omitempty"`
	Broken     string   `json:"broken,omitempty"` // why, of the hop where the chain broke
}

// Check is a check of the decision.
type Check struct {
	Phase string `json:"phase"`
	Step  string `json:"step"`
	Where string `json:"where"`
	OK    bool   `json:"ok"`
	Why   string `json:"why,omitempty"`
}

// chain is an authority input, read.
type chain struct {
	request    authz.Request
	authorizer *authz.Authorizer
}

// readChain reads the authority input.
func (j *judging) readChain() {
	j.out.Authority = &Authority{}
	c, err := parseChain(j.ctx, j.in.Authority)
	if err != nil {
		what := "the authority input cannot be used"
		var in *bundleError
		if errors.As(err, &in) {
			j.out.Problems = append(j.out.Problems, Problem{"invalid-input", in.text, rdf.Place{File: FileAuthority, Line: in.line, Column: in.column}})
			j.refused("invalid-input", what)
			return
		}
		j.problems(FileAuthority, what, err)
		return
	}
	j.chain = c
}

func parseChain(ctx context.Context, text string) (*chain, error) {
	b, err := ParseBundle(text)
	if err != nil {
		return nil, err
	}
	root, err := strictjson.Parse([]byte(b.Input), strictjson.DefaultLimits())
	if err != nil {
		return nil, err
	}
	read := b.reader()
	in, err := vectors.ReadAuthority(root, read)
	if err != nil {
		return nil, err
	}
	keys, err := b.keys(ctx)
	if err != nil {
		return nil, err
	}
	documents, err := b.documents(read)
	if err != nil {
		return nil, err
	}
	verifier, err := vc.New(vc.Config{
		Keys: keys, Profile: vc.ProfileAuto, Contexts: jsonld.Builtin(), Authority: true, Documents: documents,
	})
	if err != nil {
		return nil, err
	}
	a, err := authz.New(authz.Config{
		Verifier: verifier, MaxPolicies: in.MaxPolicies, RequireDuties: in.RequireDuties,
		InsecureWithoutActor: in.Request.Actor == "", // whoever wrote the input knows who acts
	})
	if err != nil {
		return nil, err
	}
	return &chain{in.Request, a}, nil
}

// keys returns the keys of the controller documents below keys/ and those of did:key
// identifiers.
func (b Bundle) keys(ctx context.Context) (vc.Resolver, error) {
	var all []*vc.Controller
	for _, f := range b.Files {
		if !strings.HasPrefix(f.Name, "keys/") {
			continue
		}
		c, err := controller(ctx, f)
		if err != nil {
			p := problemsOf(FileAuthority, err)[0]
			return nil, &bundleError{f.Name + ": " + p.Text, f.Line + max(p.Place.Line, 1) - 1, max(p.Place.Column, 1)}
		}
		all = append(all, c)
	}
	ring, err := vc.NewKeyring(all...)
	if err != nil {
		return nil, err
	}
	return vc.Resolvers{ring, vc.DIDKeys{}}, nil
}

func controller(ctx context.Context, f BundleFile) (*vc.Controller, error) {
	limits := vc.DefaultLimits()
	if !strings.HasSuffix(f.Name, ".ttl") {
		return vc.ParseController([]byte(f.Content), limits)
	}
	l := rdf.Peer()
	l.Bytes, l.Quads = limits.ControllerBytes, limits.Quads
	d, err := rdfio.Parse([]byte(f.Content), rdfio.Turtle, rdfio.Options{Limits: l})
	if err != nil {
		return nil, err
	}
	return vc.ParseControllerRDF(ctx, d, "", nil, limits)
}

// documents returns what the file documents.json maps URLs to, such as status lists; nil
// without that file.
func (b Bundle) documents(read func(name string) ([]byte, error)) (vc.Documents, error) {
	const name = "documents.json"
	for _, f := range b.Files {
		if f.Name != name {
			continue
		}
		root, err := strictjson.Parse([]byte(f.Content), strictjson.DefaultLimits())
		if err == nil {
			var d *vectors.Documents
			if d, err = vectors.ReadDocuments(root, read); err == nil {
				return d, nil
			}
		}
		return nil, &bundleError{name + ": " + err.Error(), f.Line, 1}
	}
	return nil, nil
}

// decide makes the decision on the input's own request.
func (j *judging) decide() {
	r := j.chain.request
	r.Now = j.now()
	d, err := j.chain.authorizer.Authorize(j.ctx, r)
	if err != nil {
		j.problems(FileAuthority, "the authority input cannot be decided", err)
		return
	}
	j.out.Authority = authorityOf(&d, &r, false)
	if d.Authorized() {
		j.out.Verdict = Verdict{Yes, "", "authorized"}
		return
	}
	j.out.Verdict = Verdict{No, string(d.Code), "not authorized"}
}

// authorize is step 7.3.7: the chain of the input must permit what the intent asks for,
// in the place of the input's own request, whose attributes stay.
func (j *judging) authorize(ctx context.Context, q *engine.Question) (engine.Authority, error) {
	r := j.chain.request
	in, err := authz.ReadIntent(q.Graph, q.Intent, r.Asks[0].Attributes)
	if err != nil {
		j.out.Authority.Reason = "the intent asks for nothing that authority is known for: " + err.Error()
		return engine.Authority{Reason: j.out.Authority.Reason}, nil
	}
	for i := range in.Asks {
		in.Asks[i].MemberOf = r.Asks[0].MemberOf
	}
	r.Asks, r.Policies, r.ClaimedAgent = in.Asks, in.Policies, in.Agent
	r.Now, r.Protocol = q.Now, q.Document.Pin()
	if r.Intent, err = canon.Hash(ctx, q.Graph, canon.Options{}); err != nil {
		return engine.Authority{}, err
	}
	d, err := j.chain.authorizer.Authorize(ctx, r)
	if err != nil {
		return engine.Authority{}, err
	}
	j.out.Authority = authorityOf(&d, &r, true)
	a := engine.Authority{Permit: d.Authorized(), Reason: d.String()}
	for i := range d.Hops {
		a.Policies = append(a.Policies, d.Hops[i].Policy)
	}
	return a, nil
}

// mostAsks is how many actions under test are shown.
const mostAsks = 20

func authorityOf(d *authz.Decision, r *authz.Request, fromIntent bool) *Authority {
	n := newNamer()
	out := &Authority{
		Asked: true, Authorized: d.Authorized(), Phase: string(d.Phase), Code: string(d.Code), Reason: d.Reason,
		At: d.At.UTC().Format(time.RFC3339), Actor: r.Actor, FromIntent: fromIntent,
		Chains: []Chain{chainOf(d, r.RootPrincipal)}, Provisional: d.PolicyIntegrityProvisional, Checks: checksOf("", d),
	}
	for _, ask := range r.Asks[:min(mostAsks, len(r.Asks))] {
		out.Asks = append(out.Asks, Ask{action(n, ask.Action), ask.Target})
	}
	if d.Actor != nil {
		out.Chains = append(out.Chains, chainOf(d.Actor, d.LeafAssignee))
		out.Checks = append(out.Checks, checksOf("actor, ", d.Actor)...)
	}
	for i := range d.Duties {
		out.Duties = append(out.Duties, duty(n, &d.Duties[i]))
	}
	return out
}

// action names an action by its short name where it has one.
func action(n namer, name string) string {
	if strings.Contains(name, ":") {
		return n.IRI(name)
	}
	return name
}

func duty(n namer, d *odrl.DutyStatus) string {
	state := "open"
	switch {
	case d.Fulfilled:
		state = "fulfilled"
	case !d.Known:
		state = "not understood"
	}
	what := odrl.NodeName(d.Node, d.Place)
	if d.Action != "" {
		what = action(n, d.Action)
	}
	if d.Target != "" {
		what += " of " + d.Target
	}
	return what + ", " + state
}

func chainOf(d *authz.Decision, root string) Chain {
	out := Chain{Root: root, Links: []Link{}}
	for i := range d.Hops {
		h := &d.Hops[i]
		l := Link{To: legible.Delegate(d, i), Policy: h.Policy, Credential: h.Credential, Verified: h.Verified}
		if h.Cryptosuite != "" {
			l.Facts = append(l.Facts, h.Cryptosuite)
		}
		if h.ValidUntil != "" {
			l.Facts = append(l.Facts, "until "+h.ValidUntil)
		}
		switch h.Binding {
		case "embedded":
			l.Facts = append(l.Facts, "the policy is part of the credential")
		case "reference":
			l.Facts = append(l.Facts, "the policy is bound by its digest")
		}
		for _, s := range h.Status {
			state := "clear"
			if s.Set {
				state = "set"
			}
			l.Facts = append(l.Facts, s.Purpose+" "+state)
		}
		if d.Hop == i && !d.Authorized() {
			l.Broken = broken(d)
		}
		out.Links = append(out.Links, l)
	}
	if !d.Authorized() && (d.Hop < 0 || d.Hop >= len(d.Hops)) {
		out.Broken = broken(d)
	}
	return out
}

// broken says where the drawing is why the chain broke: the place is known there.
func broken(d *authz.Decision) string {
	why := d.Reason
	if n := len(d.Checks); n > 0 && d.Checks[n-1].Why != "" {
		why = d.Checks[n-1].Why
	}
	return fmt.Sprintf("%s [%s]", why, d.Code)
}

func checksOf(prefix string, d *authz.Decision) []Check {
	out := make([]Check, len(d.Checks))
	for i := range d.Checks {
		c := &d.Checks[i]
		out[i] = Check{Phase: prefix + string(c.Phase), Step: c.Step, Where: "chain", OK: c.OK, Why: c.Why}
		if c.Hop >= 0 {
			out[i].Where = fmt.Sprintf("hop %d", c.Hop+1)
		}
	}
	return out
}
