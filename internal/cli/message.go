package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/replay"
)

func (a *app) messageCommand() *cobra.Command {
	return commandGroup(&cobra.Command{
		Use:     "message COMMAND",
		Short:   "check whole A2A messages as an agent would receive them",
		Long:    `Works on messages of A2A 1.0 that carry payloads of the a2a-rdf extension.`,
		Example: `  rdfproto message check --config agent.json message.json`,
	}, a.messageCheckCommand())
}

func (a *app) messageCheckCommand() *cobra.Command {
	var (
		config string
		asJSON bool
		in     *input
	)
	cmd := &cobra.Command{
		Use:   "check --config CONFIG MESSAGE",
		Short: "take one message through the engine, without a network",
		Long: `Takes a message through the steps of an agent that receives it as a request:
activation and binding, replay, the pin, the payload, the shape, authority.
MESSAGE is the JSON of an A2A 1.0 message. CONFIG says who receives it, and the
files that it names are relative to it:

  {"peer":"IRI of the authenticated sender",
   "context":"ctx-1",                       where the agreements are
   "extensions":["https://w3id.org/jeswr/a2a-rdf/v1"],  asked for, the default
   "card":"card.json",                      the receiver's own: what it declares
   "documents":{"sha256:HEX":"pd.ttl",      held, verified and reviewed here
     "https://...":"list.json"},            status lists, as in --documents of
                                            "rdfproto authz check"
   "agreements":["sha256:HEX"],             with the peer in the context
   "seen":["messageId"],                    of other messages in the context
   "authorize":true, "keys":"DIR", "root":"IRI", "policies":["policy.ttl"],
   "challenge":"issued for the message", "domain":"this agent's URL"}

The sender of an intent must present a chain of credentials that comes from
"root", for the challenge and domain; with "authorize":false, authority is not
asked for. Nothing is kept and nothing is carried out.

It prints each step with its outcome, and what does not conform as "rdfproto
validate" does. What an agent tells the peer is the code alone.

Exit status: 0 an intent or an offer is accepted, 1 it is not, 3 MESSAGE is no
message or CONFIG was refused, 4 the message carries nothing of the extension.`,
		Example: `  rdfproto message check --config agent.json message.json
  rdfproto message check --json --config agent.json - < message.json`,
		Args: files(1, 1),
	}
	in = &input{app: a, limits: addLimitFlag(cmd)}
	at := atFlag(cmd, "of the verdict")
	f := cmd.Flags()
	f.StringVar(&config, "config", "", "the `FILE` that says who receives the message")
	f.BoolVar(&asJSON, "json", false, "print the outcome as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if config == "" {
			return usageError(cmd, "--config is missing: who receives the message")
		}
		now, err := at()
		if err != nil {
			return err
		}
		data, err := in.bytes(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		m, err := engine.ParseMessage(data, engine.Limits{})
		if err != nil {
			return &inFile{display(args[0]), err}
		}
		r, err := in.receiver(cmd, config, now)
		if err != nil {
			return err
		}
		o, err := r.check(cmd.Context(), m)
		if err != nil {
			return err
		}
		return a.outcome(args[0], &o, r.documents, asJSON)
	}
	return cmd
}

// receiver is an agent that a configuration describes.
type receiver struct {
	engine    *engine.Engine
	peer      engine.Peer
	documents *protocol.Store
}

// messageConfig is the file of --config.
type messageConfig struct {
	file                                  string
	peer, context, card, keys             string
	root, challenge, domain               string
	extensions, agreements, seen, policys []string
	documents                             []documentFile
	lists                                 vc.Documents
	authorize                             bool
}

type documentFile struct {
	pin  canon.Digest
	file string
}

// readMessageConfig reads a configuration strictly: a member that is not known could be
// one that was meant to forbid something.
func readMessageConfig(file string, root strictjson.Value, read func(name string) ([]byte, error)) (*messageConfig, error) {
	c := &messageConfig{file: file, extensions: []string{protocol.ExtensionURI}, authorize: true}
	wrong := func(name, want string, v strictjson.Value) error {
		line, column := v.Place()
		return &failure{
			status: StatusRefused, place: rdf.Place{File: display(file), Line: line, Column: column}, code: "invalid-config",
			text: name + ": expected " + want + ", found " + v.Kind().String(),
		}
	}
	if root.Kind() != strictjson.Object {
		return nil, wrong("the configuration", "an object", root)
	}
	texts := map[string]*string{
		"peer": &c.peer, "context": &c.context, "card": &c.card, "keys": &c.keys,
		"root": &c.root, "challenge": &c.challenge, "domain": &c.domain,
	}
	lists := map[string]*[]string{"extensions": &c.extensions, "agreements": &c.agreements, "seen": &c.seen, "policies": &c.policys}
	for name, v := range root.Members() {
		var ok bool
		switch {
		case texts[name] != nil:
			if *texts[name], ok = v.Str(); !ok {
				return nil, wrong(name, "a string", v)
			}
		case lists[name] != nil:
			if v.Kind() != strictjson.Array {
				return nil, wrong(name, "an array", v)
			}
			list := []string{}
			for _, e := range v.Items() {
				s, ok := e.Str()
				if !ok {
					return nil, wrong(name, "strings", e)
				}
				list = append(list, s)
			}
			*lists[name] = list
		case name == "authorize":
			if c.authorize, ok = v.Bool(); !ok {
				return nil, wrong(name, "a boolean", v)
			}
		case name == "documents":
			if v.Kind() != strictjson.Object {
				return nil, wrong(name, "an object", v)
			}
			for key, f := range v.Members() {
				if strings.HasPrefix(key, "https://") { // for credentials, see below
					continue
				}
				pin, err := canon.ParseDigest(key)
				path, ok := f.Str()
				if err != nil || !ok {
					return nil, wrong(name, "files by their pins, or by https URLs", f)
				}
				c.documents = append(c.documents, documentFile{pin, path})
			}
			var err error
			if c.lists, err = vectors.ReadDocuments(v, read); err != nil {
				line, column := v.Place()
				return nil, &failure{
					status: StatusRefused, place: rdf.Place{File: display(file), Line: line, Column: column}, code: "invalid-config",
					text: name + ": " + err.Error(),
				}
			}
		default:
			line, column := v.Place()
			return nil, &failure{
				status: StatusRefused, place: rdf.Place{File: display(file), Line: line, Column: column}, code: "invalid-config",
				text: "unknown member " + quote(name),
			}
		}
	}
	return c, nil
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
	c, err := readMessageConfig(file, root, in.beside(ctx, file))
	if err != nil {
		return nil, err
	}
	store, docs := replay.NewMemory(replay.Limits{}), protocol.NewStore(len(c.documents))
	config := engine.Config{
		Local: "message check", Documents: docs, Store: store, Random: rand.Reader,
		Clock: func() time.Time { return now }, Domain: c.domain,
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
	read := in.beside(ctx, c.file)
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
		doc, err := protocol.Verify(ctx, body, syntax.MediaType(), d.pin, protocol.Options{File: d.file})
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
	data, err := read(c.card)
	if err != nil {
		return err
	}
	card, err := agentcard.Parse(data, agentcard.Limits{})
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
		f.keys = c.keys
		if !filepath.IsAbs(f.keys) && c.file != "-" {
			f.keys = filepath.Join(filepath.Dir(c.file), f.keys)
		}
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
	for _, p := range c.policys {
		content, err := in.beside(cmd.Context(), c.file)(p)
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

// outcome writes what a message came to. The report of a graph that does not conform
// names shapes by their places in the document.
func (a *app) outcome(file string, o *engine.Outcome, documents *protocol.Store, asJSON bool) error {
	v := verdict{Status: StatusNo, Code: string(o.Code), Message: o.Reason}
	var projected *protocol.Intent
	switch {
	case o.Kind == engine.KindIntent:
		v = verdict{Status: StatusYes, Message: "the intent is accepted"}
		if in, err := o.Intent.Project(); err == nil {
			projected = &in
		}
	case o.Kind == engine.KindReply && o.Code == "":
		v = verdict{Status: StatusYes, Message: "the offer is accepted"}
	case o.Kind == engine.KindReply:
		v.Message = "the offer is declined: " + o.Reason
	case o.Kind == engine.KindProse:
		v = verdict{Status: StatusNothing, Message: "the message carries nothing of the extension"}
	case v.Message == "":
		v.Message = o.Kind.String()
	}
	if asJSON {
		return a.outcomeJSON(v, o, projected)
	}
	v.Message = display(file) + ": " + v.Message
	a.verdictLine(v)
	if projected != nil {
		a.intentLines(*projected, protocolNamer(o.Intent.Document().Dataset()))
	}
	for line := range strings.Lines(o.Trace.String()) {
		a.line("  " + strings.TrimSuffix(line, "\n"))
	}
	if o.Report == nil {
		return ended(v.Status)
	}
	var shapes *rdf.Dataset
	if d, ok := documents.Get(o.Pin); ok {
		shapes = d.Document().Dataset()
	}
	t := &textReport{out: a.out, names: protocolNamer(shapes), color: a.color}
	for i := range o.Report.Results {
		t.line("", "")
		t.result(&o.Report.Results[i])
	}
	return ended(v.Status)
}

func (a *app) outcomeJSON(v verdict, o *engine.Outcome, projected *protocol.Intent) error {
	out := struct {
		Outcome         string          `json:"outcome"`
		ContextID       string          `json:"contextId,omitempty"`
		Hash            string          `json:"hash,omitempty"`
		SecurityBearing *bool           `json:"securityBearing,omitempty"`
		Intent          *intentJSON     `json:"intent,omitempty"`
		Reply           json.RawMessage `json:"reply,omitempty"`
		Report          json.RawMessage `json:"report,omitempty"`
		Trace           json.RawMessage `json:"trace"`
	}{Outcome: o.Kind.String(), ContextID: o.ContextID, Intent: newIntentJSON(projected), Trace: o.Trace.AppendJSON(nil)}
	if !o.Pin.IsZero() {
		out.Hash = o.Pin.String()
	}
	if o.Intent != nil {
		secure := o.Intent.SecurityBearing()
		out.SecurityBearing = &secure
	}
	if o.Message != nil {
		reply, err := o.Message.AppendJSON(nil)
		if err != nil {
			return errors.Join(errors.New("the reply cannot be written"), err)
		}
		out.Reply = reply
	}
	if o.Report != nil {
		out.Report = o.Report.AppendJSON(nil)
	}
	more, err := marshal(out)
	if err != nil {
		return err
	}
	return a.json(v, more)
}
