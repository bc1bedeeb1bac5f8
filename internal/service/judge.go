package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/replay"
)

// Judge holds what the service judges with: everything that a Config names, read and
// verified. It is safe for concurrent use. The zero Judge holds no documents, verifies
// no credentials and receives no messages.
type Judge struct {
	contexts  *jsonld.Contexts
	documents protocol.Store
	authority authz.Config // remembers no policies: see authorizer
	engine    *engine.Engine
	fetches   bool // of documents that are offered
	store     replay.Store
}

// NewJudge reads what a configuration names. With create it makes the file of the store
// of messages, which must not exist yet; otherwise the file must exist, because an
// empty one in its place would let every message be carried out again. Close the Judge
// at the end.
func NewJudge(ctx context.Context, c *Config, now func() time.Time, create bool) (_ *Judge, err error) {
	j := &Judge{contexts: jsonld.Builtin()}
	defer func() {
		if err != nil {
			err = errors.Join(err, j.Close())
		}
	}()
	if err = j.readContexts(c); err != nil {
		return nil, err
	}
	if err = j.readDocuments(ctx, c); err != nil {
		return nil, err
	}
	if err = j.readKeys(ctx, c); err != nil {
		return nil, err
	}
	if c.Agent == "" {
		if create {
			err = errors.New("expected the member agent: without it there is no store of messages to make")
		}
		return j, err
	}
	return j, j.open(ctx, c, now, create)
}

// Close releases the store of messages.
func (j *Judge) Close() error {
	if j.store == nil {
		return nil
	}
	return j.store.Close()
}

func (j *Judge) readContexts(c *Config) error {
	if len(c.Contexts) == 0 {
		return nil
	}
	pinned := make(map[string][]byte, len(c.Contexts))
	for iri, file := range c.Contexts {
		data, err := c.read(file)
		if err != nil {
			return fmt.Errorf("contexts: %w", err)
		}
		pinned[iri] = data
	}
	contexts, err := j.contexts.With(pinned)
	if err != nil {
		return fmt.Errorf("contexts: %w", err)
	}
	j.contexts = contexts
	return nil
}

// readDocuments verifies and reviews every document: one that is not what its pin
// says, or could not be accepted from a peer, is not held either.
func (j *Judge) readDocuments(ctx context.Context, c *Config) error {
	for _, pin := range sortedKeys(c.Documents) {
		file := c.Documents[pin]
		digest, err := canon.ParseDigest(pin)
		if err != nil {
			return fmt.Errorf("documents: %w", err)
		}
		data, err := c.read(file)
		if err != nil {
			return fmt.Errorf("documents: %w", err)
		}
		syntax, ok := rdfio.ByExtension(file)
		if !ok {
			return fmt.Errorf("documents: cannot tell the syntax from the extension of %s", quote(file))
		}
		d, err := protocol.Verify(ctx, data, syntax.MediaType(), digest, protocol.Options{File: file, Contexts: j.contexts})
		if err != nil {
			return fmt.Errorf("documents: %s: %w", file, err)
		}
		reviewed, err := protocol.Examine(d).Accept()
		if err != nil {
			return fmt.Errorf("documents: %s: %w", file, err)
		}
		if err := j.documents.Put(reviewed); err != nil {
			return fmt.Errorf("documents: %w", err)
		}
	}
	return nil
}

// readKeys makes the verifier of credentials: of did:key, and of the keys that are
// configured.
func (j *Judge) readKeys(ctx context.Context, c *Config) error {
	keys := vc.Resolvers{vc.DIDKeys{}}
	if c.Keys != "" {
		ring, n, err := vectors.ReadKeyring(ctx, os.DirFS(c.path(c.Keys)), vc.Limits{})
		switch {
		case err != nil:
			return fmt.Errorf("keys: %w", err)
		case n == 0:
			return errors.New("keys: the folder holds no controller documents")
		}
		keys = vc.Resolvers{ring, vc.DIDKeys{}}
	}
	config := vc.Config{Keys: keys, Contexts: j.contexts, Authority: true, Revoked: &vc.Memory{}}
	if c.Profile != "" {
		profile, ok := vc.ProfileByName(c.Profile)
		if !ok {
			return fmt.Errorf("unknown profile %s, expected w3c, svc or auto", quote(c.Profile))
		}
		config.Profile = profile
	}
	if c.CredentialDocuments.Exists() {
		documents, err := vectors.ReadDocuments(c.CredentialDocuments, c.read)
		if err != nil {
			return fmt.Errorf("credentialDocuments: %w", err)
		}
		config.Documents = documents
	}
	verifier, err := vc.New(config)
	if err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	j.authority = authz.Config{Verifier: verifier}
	if c.Authorizer != nil {
		j.authority.RequireDuties = c.Authorizer.RequireDuties
	}
	return nil
}

// open makes the engine.
func (j *Judge) open(ctx context.Context, c *Config, now func() time.Time, create bool) error {
	store, err := openStore(ctx, c, create)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	j.store = store
	config := engine.Config{
		Local: c.Agent, Domain: c.Domain, Documents: &j.documents, Store: store, Clock: now, Random: rand.Reader,
		Formats: c.Formats, OfferInReply: c.OfferInReply, AcrossContexts: c.AcrossContexts,
		Payload: protocol.Options{Contexts: j.contexts}, Document: protocol.Options{Contexts: j.contexts},
	}
	config.Handshake.Read.Contexts = j.contexts
	if config.Declared, err = c.declared(); err != nil {
		return err
	}
	if config.Informal, err = parsePins("informal", c.Informal); err != nil {
		return err
	}
	pins, err := parsePins("accept", c.Accept.Pins)
	if err != nil {
		return err
	}
	pins = append(pins, j.documents.Pins()...) // what the operator names is to be spoken
	for _, p := range c.Accept.Publishers {
		if p == "" || fetch.Origin(p) != p {
			return fmt.Errorf("accept: expected the origin of a publisher, such as https://alice.example, found %s", quote(p))
		}
	}
	config.Policy = engine.AllowList{Pins: pins, Publishers: c.Accept.Publishers}
	if c.Accept.Fetch {
		client, err := fetch.New(fetch.Options{})
		if err != nil {
			return err
		}
		config.Source, config.Await, j.fetches = weighed{fetch.NewDocuments(client, fetch.GateOptions{})}, await, true
	}
	if config.Authorizer, err = j.authorizer(c); err != nil {
		return err
	}
	j.engine, err = engine.New(config)
	return err
}

// declared lists the documents that need no handshake: those of the agent's card, and
// those that are agreed beforehand.
func (c *Config) declared() ([]engine.Declared, error) {
	var all []engine.Declared
	add := func(d engine.Declared) {
		if !slices.ContainsFunc(all, func(o engine.Declared) bool { return o.Pin == d.Pin }) {
			all = append(all, d)
		}
	}
	if c.Card != "" {
		data, err := c.read(c.Card)
		if err != nil {
			return nil, fmt.Errorf("card: %w", err)
		}
		card, err := agentcard.Parse(data, agentcard.Limits{})
		if err != nil {
			return nil, fmt.Errorf("card: %w", err)
		}
		d := card.Declaration()
		if !d.Valid {
			return nil, errors.New("card: it does not declare the extension in a valid form; see rdfproto card lint")
		}
		for _, doc := range d.Documents {
			add(engine.Declared{Pin: doc.Hash, Source: doc.Source, Name: doc.Name})
		}
	}
	pins, err := parsePins("agreements", c.Agreements)
	for _, pin := range pins {
		add(engine.Declared{Pin: pin})
	}
	return all, err
}

func parsePins(member string, texts []string) ([]canon.Digest, error) {
	var pins []canon.Digest
	for _, s := range texts {
		pin, err := canon.ParseDigest(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", member, err)
		}
		pins = append(pins, pin)
	}
	return pins, nil
}

// authorizer makes what decides on intents; nil denies all.
func (j *Judge) authorizer(c *Config) (engine.Authorizer, error) {
	switch {
	case c.Authorizer == nil:
		return nil, nil
	case c.Authorizer.InsecurePermitAll:
		return engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: true, Reason: "every intent is permitted by the configuration"}, nil
		}), nil
	}
	// Policies that a document once withdrew stay withdrawn for messages. A request to
	// /v1/authorize stands for itself: it could otherwise withdraw what others rely on.
	config := j.authority
	config.Revoked = &authz.Memory{}
	a, err := authz.New(config)
	if err != nil {
		return nil, fmt.Errorf("authorizer: %w", err)
	}
	chains := &engine.Chains{
		Authorizer: a,
		Root:       func(context.Context, []odrl.Request) (string, error) { return c.Authorizer.RootPrincipal, nil },
	}
	policies, err := c.policies()
	if err != nil {
		return nil, err
	}
	held, err := a.Hold(policies)
	if err != nil {
		return nil, fmt.Errorf("authorizer: %w", err)
	}
	chains.Policies = func(_ context.Context, q *engine.Question) ([]authz.PolicyDocument, error) {
		return held.Of(q.Presentation), nil
	}
	if c.Authorizer.AnyHolder {
		chains.Actor = func(context.Context, engine.Peer) (string, error) { return "", nil }
	}
	return chains, nil
}

// policies reads the policies that credentials refer to.
func (c *Config) policies() ([]authz.PolicyDocument, error) {
	var all []authz.PolicyDocument
	for _, file := range c.Authorizer.Policies {
		content, err := c.read(file)
		if err != nil {
			return nil, fmt.Errorf("authorizer: %w", err)
		}
		syntax, ok := rdfio.ByExtension(file)
		if !ok {
			return nil, fmt.Errorf("authorizer: cannot tell the syntax from the extension of %s", quote(file))
		}
		all = append(all, authz.PolicyDocument{Content: content, Syntax: syntax})
	}
	return all, nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
