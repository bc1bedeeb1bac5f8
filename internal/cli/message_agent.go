package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/replay"
)

// receiver is an agent that a configuration describes.
type receiver struct {
	engine    *engine.Engine
	peer      engine.Peer
	documents *protocol.Store
}

// receiver reads a configuration and makes the agent.
func (in *input) receiver(cmd *cobra.Command, file string, now time.Time) (*receiver, error) {
	ctx := cmd.Context()
	data, err := in.settings(ctx, file)
	if err != nil {
		return nil, err
	}
	root, err := strictjson.Parse(data, strictjson.DefaultLimits())
	if err != nil {
		return nil, &inFile{display(file), err}
	}
	c, err := readMessageConfig(file, root, in.beside(ctx, file, in.documentBytes()))
	if err != nil {
		return nil, err
	}
	store, docs := replay.NewMemory(replay.Limits{}), protocol.NewStore(len(c.documents))
	config := engine.Config{
		Local: "message check", Documents: docs, Store: store, Random: rand.Reader,
		Clock: func() time.Time { return now }, Domain: c.domain,
		Payload: in.limits.given.peer(protocol.PayloadLimits()), Document: in.limits.given.peer(protocol.DocumentLimits()),
	}
	if err := in.hold(ctx, c, docs, &config); err != nil {
		return nil, err
	}
	if config.Authorizer, err = in.authority(cmd, c); err != nil {
		return nil, err
	}
	e, err := engine.New(config)
	if err != nil {
		return nil, &failure{status: StatusRefused, place: rdf.Place{File: display(file)}, text: strings.TrimPrefix(err.Error(), "engine: "), code: "invalid-config"}
	}
	r := &receiver{e, engine.Peer{Principal: c.peer, Active: c.extensions}, docs}
	if err := r.remember(ctx, c, store, now); err != nil {
		return nil, &failure{status: StatusRefused, place: rdf.Place{File: display(file)}, text: err.Error(), code: "invalid-config"}
	}
	return r, nil
}

// hold reads the documents and the card.
func (in *input) hold(ctx context.Context, c *messageConfig, docs *protocol.Store, config *engine.Config) error {
	read := in.beside(ctx, c.file, config.Document.Limits.Bytes)
	var allowed engine.AllowList
	for _, d := range c.documents {
		body, err := read(d.file)
		if err != nil {
			return err
		}
		syntax, err := syntaxByExtension(d.file)
		if err != nil {
			return err
		}
		o := config.Document
		o.File = d.file
		doc, err := protocol.Verify(ctx, body, syntax.MediaType(), d.pin, o)
		if err != nil {
			return &inFile{d.file, err}
		}
		reviewed, err := protocol.Examine(doc).Accept()
		if err != nil {
			return &failure{status: StatusRefused, place: rdf.Place{File: d.file}, text: err.Error(), code: string(protocol.CodeInvalidProtocolDocument)}
		}
		if err := docs.Put(reviewed); err != nil {
			return err
		}
		allowed.Pins = append(allowed.Pins, d.pin)
	}
	config.Policy = allowed
	if c.card == "" {
		return nil
	}
	data, err := in.beside(ctx, c.file, in.limits.card.CardBytes)(c.card)
	if err != nil {
		return err
	}
	card, err := agentcard.Parse(data, in.limits.card)
	if err != nil {
		return &inFile{c.card, err}
	}
	declaration := card.Declaration()
	if !declaration.Declared || !declaration.Valid {
		return &failure{status: StatusRefused, place: rdf.Place{File: c.card}, text: "the card does not declare the extension in a valid form", code: "invalid-config"}
	}
	for _, d := range declaration.Documents {
		config.Declared = append(config.Declared, engine.Declared{Pin: d.Hash, Source: d.Source, Name: d.Name})
	}
	config.Formats = readable(declaration.Formats)
	return nil
}

// syntaxByExtension returns the syntax of a file that a configuration names.
func syntaxByExtension(file string) (rdfio.Syntax, error) {
	syntax, ok := rdfio.ByExtension(file)
	if !ok {
		return 0, &failure{status: StatusCall, place: rdf.Place{File: file}, text: "cannot tell the syntax from the file's extension", code: "unknown-format"}
	}
	return syntax, nil
}

// readable are the formats of a card that payloads can be in: others on it are skipped,
// as those who read the card skip them.
func readable(formats []string) []string {
	var out []string
	for _, f := range formats {
		if s, ok := rdfio.ByMediaType(f); ok && s != rdfio.TriG && s != rdfio.NQuads {
			out = append(out, f)
		}
	}
	return out
}

// authority makes the authorizer of a configuration.
func (in *input) authority(cmd *cobra.Command, c *messageConfig) (engine.Authorizer, error) {
	if !c.authorize {
		return engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: true, Reason: "not asked for: \"authorize\" is false"}, nil
		}), nil
	}
	f := authzFlags{in: in, profile: "auto", binding: "required", given: c.lists}
	if c.keys != "" {
		f.keys = pathIn(c.file, c.keys)
	}
	config, err := f.config(cmd)
	if err != nil {
		return nil, err
	}
	authorizer, err := authz.New(config)
	if err != nil {
		return nil, err
	}
	var policies []authz.PolicyDocument
	for _, p := range c.policies {
		content, err := in.beside(cmd.Context(), c.file, int64(in.limits.authz.PolicyBytes))(p)
		if err != nil {
			return nil, err
		}
		syntax, err := syntaxByExtension(p)
		if err != nil {
			return nil, err
		}
		policies = append(policies, authz.PolicyDocument{Content: content, Syntax: syntax})
	}
	return &engine.Chains{
		Authorizer: authorizer,
		Root:       func(context.Context, []odrl.Request) (string, error) { return c.root, nil },
		Policies:   func(context.Context, *engine.Question) ([]authz.PolicyDocument, error) { return policies, nil },
	}, nil
}

// remember fills the store with what the configuration says was before.
func (r *receiver) remember(ctx context.Context, c *messageConfig, store replay.Store, now time.Time) error {
	if len(c.agreements) > 0 && c.context == "" {
		return errors.New("agreements: expected the member context, which they belong to")
	}
	for i, text := range c.agreements {
		if err := r.agree(ctx, c, text, fmt.Sprintf("message check, agreement %d", i)); err != nil {
			return fmt.Errorf("agreements: %w", err)
		}
	}
	for _, id := range c.seen {
		key := replay.Key{Local: "message check", Peer: c.peer, Context: c.context, Message: id}
		if _, err := store.Claim(ctx, key, canon.Sum([]byte("another message")), now); err != nil {
			return fmt.Errorf("seen: %w", err)
		}
	}
	if c.challenge != "" {
		return r.engine.ExpectChallenge(ctx, r.peer, c.context, c.challenge)
	}
	return nil
}

// agree makes an agreement as the peer would: by an offer.
func (r *receiver) agree(ctx context.Context, c *messageConfig, hash, messageID string) error {
	pin, err := canon.ParseDigest(hash)
	if err != nil {
		return err
	}
	offer, err := handshake.Offer{Hash: pin, Source: "https://peer.example/protocol"}.AppendJSON(nil)
	if err != nil {
		return err
	}
	peer := r.peer
	peer.Active = []string{protocol.ExtensionURI}
	o, err := r.engine.Receive(ctx, peer, engine.Message{
		ID: messageID, ContextID: c.context, Role: engine.RoleUser, Extensions: peer.Active,
		Parts: []engine.Part{{Content: engine.Data, Data: offer}},
	})
	switch {
	case err != nil:
		return err
	case o.Agreement == nil:
		return fmt.Errorf("%s: %s", pin, o.Reason)
	}
	return nil
}

// check receives the message.
func (r *receiver) check(ctx context.Context, m engine.Message) (engine.Outcome, error) {
	o, err := r.engine.Receive(ctx, r.peer, m)
	if err != nil && ctx.Err() != nil {
		return o, ctx.Err()
	}
	return o, nil // what failed beside it is in the outcome
}
