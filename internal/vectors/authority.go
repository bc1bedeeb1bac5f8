package vectors

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// authorityOperations are those of the suites of delegation and of credentials
// (section 10 of their requirements).
func authorityOperations() []Operation {
	return []Operation{
		{"evaluate-delegated-chain", []string{"chain", "now", "request", "revoked", "revocationDocuments"}, evaluateDelegatedChain},
		{"verify-agent-authority", []string{
			"primaryChain", "actorChain", "request", "rootPrincipal", "actor", "now", "revoked", "revocationDocuments",
			"statusUnreachable", "maxChainLength", "requireDuties", "hasPolicy",
		}, verifyAgentAuthority},
		{"verify-credential-status", []string{"credential", "documents", "now"}, verifyCredentialStatus},
		{"verify-presentation-replay", []string{"presentation", "challenge", "domain", "now"}, verifyPresentationReplay},
		{"resolve-bound-policy", []string{"credential", "documents"}, resolveBoundPolicy},
	}
}

// Authority is a request for an authority decision as a file has it: the members of
// the input of verify-agent-authority (section 3.1).
type Authority struct {
	Request       authz.Request
	MaxPolicies   *int
	RequireDuties bool
}

// Once returns what reads each name once. An input of 256 KB names one file 60,000 times,
// which would be as often in memory.
func Once(read func(name string) ([]byte, error)) func(name string) ([]byte, error) {
	known := map[string][]byte{}
	return func(name string) ([]byte, error) {
		data, ok := known[name]
		if ok {
			return data, nil
		}
		data, err := read(name)
		if err == nil {
			known[name] = data
		}
		return data, err
	}
}

// ReadAuthority reads such an input. read reads the files that it names, as often as it
// names them: see [Once]. Whatever is wrong with those is for the decision to say.
func ReadAuthority(input strictjson.Value, read func(name string) ([]byte, error)) (Authority, error) {
	in := members(input)
	a, documents := circumstances(in)
	r := &a.Request
	primary, actor, request := in.get("primaryChain"), in.get("actorChain"), in.get("request")
	if err := in.done(); err != nil {
		return a, err
	}
	ask, err := odrl.RequestValue(request)
	if err != nil {
		return a, err
	}
	r.Asks = []odrl.Request{ask}
	if r.Chain, err = readChain(primary, read); err != nil {
		return a, err
	}
	if actor.Exists() {
		c, err := readChain(actor, read)
		if err != nil {
			return a, err
		}
		r.ActorChain = &c
	}
	r.Revocations, err = readRevocations(documents, read)
	return a, err
}

// circumstances reads the members that do not depend on how a chain comes and on what is
// asked for, and returns the names of the revocation documents.
func circumstances(in *object) (a Authority, documents []string) {
	r := &a.Request
	r.RootPrincipal, r.Actor, r.Now = in.needed("rootPrincipal"), in.text("actor"), in.now()
	r.Revoked, r.StatusUnreachable = in.texts("revoked"), in.flag("statusUnreachable")
	r.Policies, a.RequireDuties = in.texts("hasPolicy"), in.flag("requireDuties")
	if v := in.get("actor"); v.Exists() && r.Actor == "" { // which is not that anyone may act
		in.fail(v, "expected an IRI for actor, found nothing")
	}
	if v := in.get("maxChainLength"); v.Exists() {
		n, ok := v.Int64()
		if !ok || int64(int(n)) != n {
			in.fail(v, "expected a whole number for maxChainLength")
		}
		most := int(n)
		a.MaxPolicies = &most
	}
	return a, in.texts("revocationDocuments")
}

func readRevocations(names []string, read func(name string) ([]byte, error)) ([]authz.RevocationDocument, error) {
	var all []authz.RevocationDocument
	for _, name := range names {
		content, syntax, err := readRDF(name, read)
		if err != nil {
			return nil, err
		}
		all = append(all, authz.RevocationDocument{Content: content, Syntax: syntax})
	}
	return all, nil
}

// readChain reads a chain. A policy is the name of a file, or an object with it and
// the IRI at which it was read.
func readChain(v strictjson.Value, read func(name string) ([]byte, error)) (authz.Chain, error) {
	var c authz.Chain
	in := members(v)
	credentials, policies := in.texts("credentials"), in.get("policies")
	if policies.Exists() && policies.Kind() != strictjson.Array {
		in.fail(policies, "expected an array for policies, found %s", policies.Kind())
	}
	if err := in.done(); err != nil {
		return c, err
	}
	for _, name := range credentials {
		data, err := read(name)
		if err != nil {
			return c, err
		}
		c.Credentials = append(c.Credentials, data)
	}
	for _, item := range policies.Items() {
		var p authz.PolicyDocument
		name, ok := item.Str()
		if !ok {
			entry := members(item)
			name, p.IRI = entry.needed("file"), entry.text("iri")
			if err := entry.done(); err != nil {
				return c, err
			}
		}
		var err error
		if p.Content, p.Syntax, err = readRDF(name, read); err != nil {
			return c, err
		}
		c.Policies = append(c.Policies, p)
	}
	return c, nil
}

func readRDF(name string, read func(name string) ([]byte, error)) ([]byte, rdfio.Syntax, error) {
	data, err := read(name)
	if err != nil {
		return nil, 0, err
	}
	syntax, ok := rdfio.ByExtension(name)
	if !ok {
		return nil, 0, fmt.Errorf("cannot tell the syntax from the extension of %q", rdf.Abbreviate(name))
	}
	return data, syntax, nil
}

// ReadKeyring reads the controller documents of a folder (section 1.9): its *.json, and
// its *.ttl, which are profiles with their keys. It returns how many there are: a folder
// without one is a keyring that knows nobody.
func ReadKeyring(ctx context.Context, fsys fs.FS, limits vc.Limits) (*vc.Keyring, int, error) {
	entries, err := fs.ReadDir(fsys, ".") // sorted
	if err != nil {
		return nil, 0, err
	}
	var all []*vc.Controller
	for _, e := range entries {
		file := e.Name()
		ext := path.Ext(file)
		if ext != ".json" && ext != ".ttl" {
			continue
		}
		data, err := readFile(fsys, file)
		if err != nil {
			return nil, 0, err
		}
		c, err := parseController(ctx, data, ext == ".ttl", limits)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, c)
	}
	ring, err := vc.NewKeyring(all...)
	return ring, len(all), err
}

func parseController(ctx context.Context, data []byte, turtle bool, limits vc.Limits) (*vc.Controller, error) {
	if !turtle {
		return vc.ParseController(data, limits)
	}
	limits = limits.OrDefault()
	l := rdf.Peer()
	l.Bytes, l.Quads = limits.ControllerBytes, limits.Quads
	d, err := rdfio.Parse(data, rdfio.Turtle, rdfio.Options{Limits: l})
	if err != nil {
		return nil, err
	}
	return vc.ParseControllerRDF(ctx, d, "", nil, limits)
}

// Documents are documents by their URLs, from files. A URL that is not there cannot
// be read.
type Documents struct {
	entries map[string]documentFile
	read    func(name string) ([]byte, error)
}

type documentFile struct {
	name, mediaType string
	status          int64
}

// ReadDocuments reads a map of documents (cli, "Files"): from a URL to the name of a
// file, to {"file","mediaType"}, or to {"status":404}.
func ReadDocuments(v strictjson.Value, read func(name string) ([]byte, error)) (*Documents, error) {
	d := &Documents{entries: map[string]documentFile{}, read: read}
	if !v.Exists() {
		return d, nil
	}
	if v.Kind() != strictjson.Object {
		return nil, fmt.Errorf("expected an object of documents by URL, found %s", v.Kind())
	}
	for url, m := range v.Members() {
		var f documentFile
		var ok bool
		if f.name, ok = m.Str(); !ok {
			in := members(m)
			f.name, f.mediaType = in.text("file"), in.text("mediaType")
			if s := in.get("status"); s.Exists() {
				if f.status, ok = s.Int64(); !ok {
					in.fail(s, "expected a number for status")
				}
			}
			if err := in.done(); err != nil {
				return nil, err
			}
		}
		if f.name == "" && f.status == 0 {
			return nil, fmt.Errorf("expected a file or a status for %q", rdf.Abbreviate(url))
		}
		d.entries[url] = f
	}
	return d, nil
}

// Document implements [vc.Documents].
func (d *Documents) Document(_ context.Context, url string) (vc.Document, error) {
	f, ok := d.entries[url]
	switch {
	case !ok:
		return vc.Document{}, errors.New("the document is not among those that were given")
	case f.status != 0 && (f.status < 200 || f.status > 299) || f.name == "":
		return vc.Document{}, fmt.Errorf("status %d", f.status)
	}
	data, err := d.read(f.name)
	if err != nil {
		return vc.Document{}, err
	}
	out := vc.Document{Content: data, MediaType: f.mediaType}
	if out.MediaType == "" {
		if syntax, ok := rdfio.ByExtension(f.name); ok {
			out.MediaType = syntax.MediaType()
		}
	}
	return out, nil
}

// verifier makes the verifier of the adapter settings of section 10.1: the SVC
// profile, and a keyring that knows no purposes.
func (c *Case) verifier(ctx context.Context, documents vc.Documents) (*vc.Verifier, error) {
	folder, err := fs.Sub(c.FS(), "keyring")
	if err != nil {
		return nil, err
	}
	keys, _, err := ReadKeyring(ctx, folder, vc.Limits{})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return vc.New(vc.Config{
		Keys: vc.Resolvers{keys, vc.DIDKeys{}}, Profile: vc.ProfileSVC, Authority: true,
		Documents: documents, InsecureAnyRelationship: true,
	})
}

// verifyAgentAuthority is operation 2 (section 3).
func verifyAgentAuthority(ctx context.Context, c *Case) (Outcome, error) {
	in, err := ReadAuthority(c.Input, c.Open)
	if err != nil {
		return nil, err
	}
	v, err := c.verifier(ctx, nil)
	if err != nil {
		return nil, err
	}
	a, err := authz.New(authz.Config{
		Verifier: v, Binding: authz.InsecureBindingOff, MaxPolicies: in.MaxPolicies, RequireDuties: in.RequireDuties,
		InsecureDateTime: true, InsecureWithoutActor: true,
	})
	if err != nil {
		return nil, err
	}
	d, err := a.Authorize(ctx, in.Request)
	if err != nil {
		return nil, err
	}
	return decided(&d), nil
}

// decided is what came of a decision.
func decided(d *authz.Decision) Outcome {
	return Outcome{Bool("authorized", d.Authorized()), Text("phase", string(d.Phase))}.some("code", string(d.Code))
}

// codes is the member of an outcome that lists what was found.
func codes(all []vc.Code) Member {
	texts := make([]string, len(all))
	for i, c := range all {
		texts[i] = string(c)
	}
	return Texts("codes", texts)
}

// verifyCredentialStatus is operation 3 (section 4): the status is looked at when
// nothing is wrong with the credential.
func verifyCredentialStatus(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	name, at, documents := in.needed("credential"), in.now(), in.get("documents")
	if err := in.done(); err != nil {
		return nil, err
	}
	v, data, err := c.credential(ctx, name, documents)
	if err != nil {
		return nil, err
	}
	r, err := v.Verify(ctx, data, at)
	if err != nil {
		return nil, err
	}
	if !r.Verified() {
		return Outcome{Bool("verified", false), codes(r.Codes())}, nil
	}
	s, err := v.CheckStatus(ctx, r.Credential(), at)
	if err != nil {
		return nil, err
	}
	return Outcome{Bool("verified", s.Clear()), codes(s.Codes())}, nil
}

// credential makes the verifier of a case that is about one credential, and reads
// it.
func (c *Case) credential(ctx context.Context, name string, documents strictjson.Value) (*vc.Verifier, []byte, error) {
	d, err := ReadDocuments(documents, c.Open)
	if err != nil {
		return nil, nil, err
	}
	v, err := c.verifier(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	data, err := c.Open(name)
	return v, data, err
}

// verifyPresentationReplay is operation 4 (section 5).
func verifyPresentationReplay(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	name, at := in.needed("presentation"), in.now()
	challenge, domain := in.needed("challenge"), in.needed("domain")
	if err := in.done(); err != nil {
		return nil, err
	}
	v, data, err := c.credential(ctx, name, strictjson.Value{})
	if err != nil {
		return nil, err
	}
	r, err := v.VerifyPresentation(ctx, data, vc.Expected{Challenge: challenge, Domain: []string{domain}}, at)
	if err != nil {
		return nil, err
	}
	return Outcome{Bool("verified", r.Verified()), codes(r.Codes())}, nil
}

// resolveBoundPolicy is operation 5 (section 6). It has no instant, and content does
// not depend on one: the credential is verified at the begin of its validity.
func resolveBoundPolicy(ctx context.Context, c *Case) (Outcome, error) {
	in := members(c.Input)
	name, documents := in.needed("credential"), in.get("documents")
	if err := in.done(); err != nil {
		return nil, err
	}
	v, data, err := c.credential(ctx, name, documents)
	if err != nil {
		return nil, err
	}
	root, err := strictjson.Parse(data, strictjson.DefaultLimits())
	if err != nil {
		return nil, err
	}
	from, _ := root.Get("validFrom").Str()
	at, err := time.Parse(time.RFC3339Nano, from)
	if err != nil {
		return nil, errors.New("the credential has no begin of validity")
	}
	r, err := v.Verify(ctx, data, at)
	if err != nil {
		return nil, err
	}
	if !r.Verified() {
		return Outcome{Bool("ok", false), codes(r.Codes())}, nil
	}
	b, err := v.BindPolicy(ctx, r.Credential(), vc.BindOptions{})
	if err != nil {
		return nil, err
	}
	o := Outcome{Bool("ok", b.OK()), codes(b.Codes())}
	if b.Form() != vc.FormNone {
		o = append(o, Text("form", string(b.Form())))
	}
	return o, nil
}
