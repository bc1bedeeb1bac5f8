package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/replay"
)

// outgoing is a call of the call command.
type outgoing struct {
	streams cli.Streams
	card    string

	document, pin, source string
	offer, optional       bool
	intent, presentation  string
	text                  string
	contextID             string

	tokenFile, jwks, trust string
	binding                string
	requireSignature       bool
	insecurePlaintext      bool
	time                   time.Duration
	asJSON, trace          bool
}

func callCommand(s cli.Streams) *cobra.Command {
	v := &outgoing{streams: s}
	cmd := &cobra.Command{
		Use:   "call [--offer] [--intent FILE] [--text TEXT] CARD",
		Short: "send an offer, an intent or a text to an agent",
		Long: `Sends messages to an agent over A2A and says what came of each, for trying
things out. CARD is the agent's card: an https URL, domain:NAME, or a file.

  --offer    offers the document of --protocol, as a required one
  --intent   sends an intent under it, after an offer where the card does not
             declare it
  --text     sends a plain message, where nothing forbids it

They are done in this order, until one fails: natural language is no way around
an exchange that was refused. A call knows nothing of the ones before it: --text
in the --context-id of an offer that was declined then is up to who calls. An
intent is checked as the agent will check it before it is sent, and the answer
before it is shown.

A card that is signed must verify by the keys of --jwks or of the trust store of
--trust; nothing is fetched for it.

Exit status: 0 agreed or answered; 1 declined, refused or not valid; 2 the agent
could not be reached; 3 a document was refused; 4 the agent's task goes on.`,
		Example: `  rdfprotod call --protocol grant.ttl --intent intent.ttl \
      https://alice.example/.well-known/agent-card.json
  rdfprotod call --text hello domain:alice.example`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageError(cmd, "a CARD is missing")
			}
			return cli.Arguments(1, 1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			v.card = args[0]
			if err := v.check(cmd); err != nil {
				return err
			}
			return untilAsked(cmd.Context(), func(ctx context.Context, _ func()) error { return v.run(ctx) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&v.document, "protocol", "", "the `FILE` of the Protocol Document")
	f.StringVar(&v.pin, "pin", "", "the pin that the document must have, `sha256:HEX`; without --protocol, the pin of one that the card declares")
	f.StringVar(&v.source, "source", "", "the `URL` where it is published, by default its IRI")
	f.BoolVar(&v.offer, "offer", false, "offer it")
	f.BoolVar(&v.optional, "optional", false, "offer it as an optional one: after a decline, --text may follow")
	f.StringVar(&v.intent, "intent", "", "the `FILE` of an intent, in Turtle or JSON-LD by its extension")
	f.StringVar(&v.presentation, "presentation", "", "the `FILE` of a presentation to send with it, made for a challenge of the agent")
	f.StringVar(&v.text, "text", "", "a `TEXT` in natural language")
	f.StringVar(&v.contextID, "context-id", "", "go on in the context with an `ID`")
	f.StringVar(&v.tokenFile, "token-file", "", "a `FILE` of mode 0600 with a bearer token for the agent")
	f.StringVar(&v.jwks, "jwks", "", "a `FILE` of keys that may prove the card, a JWK Set")
	f.StringVar(&v.trust, "trust", "", "verify the card with the trust store in this `FILE`, as card verify does")
	f.BoolVar(&v.requireSignature, "require-signature", false, "do not act on a card without a signature")
	f.StringVar(&v.binding, "binding", "", "the `BINDING` to use, jsonrpc, rest or grpc; by default the card's first")
	f.BoolVar(&v.insecurePlaintext, "insecure-plaintext", false, "allow an agent without TLS, and its card from http on loopback")
	f.DurationVar(&v.time, "time-limit", time.Minute, "the `TIME` that everything may take")
	f.BoolVar(&v.asJSON, "json", false, "print the verdict as JSON, with what each message came to")
	f.BoolVar(&v.trace, "trace", false, "say which steps led to what each message came to")
	cli.CompleteFlag(cmd, "binding", "jsonrpc", "rest", "grpc")
	return cmd
}

func (v *outgoing) check(cmd *cobra.Command) error {
	document := v.document != "" || v.pin != ""
	switch {
	case !v.offer && v.intent == "" && v.text == "":
		return cli.UsageError(cmd, "nothing to send: expected --offer, --intent or --text")
	case (v.offer || v.intent != "") && !document:
		return cli.UsageError(cmd, "--protocol is missing: the Protocol Document")
	case v.offer && v.document == "":
		return cli.UsageError(cmd, "--offer needs --protocol: only a document that is held can be offered")
	case v.optional && !v.offer:
		return cli.UsageError(cmd, "--optional goes with --offer")
	case v.presentation != "" && v.intent == "":
		return cli.UsageError(cmd, "--presentation goes with --intent")
	case v.time <= 0:
		return cli.UsageError(cmd, "--time-limit: expected a positive time")
	}
	if _, ok := bindings(v.binding); !ok {
		return cli.UsageError(cmd, "--binding: expected jsonrpc, rest or grpc, found "+cli.Quote(v.binding))
	}
	if v.pin != "" {
		if _, err := canon.ParseDigest(v.pin); err != nil {
			return cli.UsageError(cmd, "--pin: "+err.Error())
		}
	}
	return nil
}

func bindings(name string) ([]a2a.Binding, bool) {
	switch name {
	case "":
		return nil, true
	case "jsonrpc":
		return []a2a.Binding{a2a.JSONRPC}, true
	case "rest":
		return []a2a.Binding{a2a.REST}, true
	case "grpc":
		return []a2a.Binding{a2a.GRPC}, true
	}
	return nil, false
}

func (v *outgoing) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, v.time)
	defer cancel()
	documents := protocol.NewStore(0)
	pin, source, err := v.readDocument(ctx, documents)
	if err != nil {
		return err
	}
	web, err := fetch.New(fetch.Options{})
	if err != nil {
		return err
	}
	e, err := engine.New(engine.Config{
		Local: "urn:rdfprotod:call", Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{pin}}, Source: fetch.NewDocuments(web, fetch.GateOptions{}),
	})
	if err != nil {
		return err
	}
	client, err := v.dial(ctx, e, web)
	if err != nil {
		return err
	}
	defer client.Close()
	return v.converse(ctx, client, pin, source)
}

// readDocument reads, verifies and reviews the document.
func (v *outgoing) readDocument(ctx context.Context, store *protocol.Store) (pin canon.Digest, source string, err error) {
	if v.pin != "" {
		if pin, err = canon.ParseDigest(v.pin); err != nil || v.document == "" {
			return pin, "", err
		}
	}
	if v.document == "" {
		return pin, "", nil
	}
	body, mediaType, err := readRDF(v.document)
	if err != nil {
		return pin, "", err
	}
	o := protocol.Options{File: v.document, Contexts: jsonld.Builtin()}
	candidate, err := protocol.Parse(ctx, body, mediaType, o)
	if err != nil {
		return pin, "", err
	}
	switch {
	case v.pin == "":
		pin = candidate.Pin()
	case !pin.Equal(candidate.Pin()):
		return pin, "", cli.Fail(cli.StatusNo, string(protocol.CodeProtocolHashMismatch), "the document has the pin "+candidate.Pin().String())
	}
	d, err := candidate.Verify(pin)
	if err != nil {
		return pin, "", err
	}
	reviewed, err := protocol.Examine(d).Accept()
	if err != nil {
		return pin, "", err
	}
	source, _, _ = strings.Cut(d.ID(), "#")
	if v.source != "" {
		source = v.source
	}
	return pin, source, store.Put(reviewed)
}

// readRDF reads a file with the media type that its extension stands for.
func readRDF(file string) (body []byte, mediaType string, err error) {
	if body, err = readFile(file, maxConfig); err != nil {
		return nil, "", err
	}
	syntax, ok := rdfio.ByExtension(file)
	if !ok {
		return nil, "", cli.Fail(cli.StatusCall, "unknown-format", cli.Quote(file)+": cannot tell the syntax from the file's extension")
	}
	return body, syntax.MediaType(), nil
}

func readFile(file string, most int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, file, most)
}

// cardAddress returns the URL of the card that an argument names, or its file. What follows
// domain: is a name and nothing else: with a slash or a question mark in it, the address
// would not be the well-known one.
func cardAddress(card string) (string, error) {
	name, ok := strings.CutPrefix(card, "domain:")
	if !ok {
		return card, nil
	}
	if name == "" || strings.ContainsAny(name, "/?#@\\% ") {
		return "", cli.Fail(cli.StatusCall, "usage", "expected the name of a domain after domain:, found "+cli.Quote(name))
	}
	return "https://" + name + a2a.CardPath, nil
}

// dial acts on the card.
func (v *outgoing) dial(ctx context.Context, e *engine.Engine, web *fetch.Client) (*a2a.Client, error) {
	card, err := cardAddress(v.card)
	if err != nil {
		return nil, err
	}
	var client *a2a.Client
	prefer, _ := bindings(v.binding) // checked
	c := a2a.ClientConfig{
		Engine: e, Cards: cardSource{web, v.insecurePlaintext}, Prefer: prefer, InsecurePlaintext: v.insecurePlaintext,
		Trust: a2a.CardTrust{Demand: agentcard.DemandIfSigned},
	}
	if v.requireSignature {
		c.Trust.Demand = agentcard.DemandVerified
	}
	if c.Trust.Keys, err = cardKeys(v.jwks, v.trust); err != nil {
		return nil, err
	}
	if v.tokenFile != "" {
		token, err := readBearer(v.tokenFile)
		if err != nil {
			return nil, err
		}
		from := tokenFrom(card)
		c.Authorize = func(_ context.Context, e a2a.Endpoint) (http.Header, error) {
			signed := false
			if client != nil {
				_, signed = client.Card().Verified()
			}
			return token.header(e, signed, from)
		}
	}
	c.Dial = reachedFrom(card, web)
	client, err = a2a.Dial(ctx, card, c)
	var untrusted *a2a.CardError
	var wrong *agentcard.Error
	var failed *fetch.Error
	switch {
	case err == nil:
		return client, nil
	case errors.As(err, &untrusted):
		return nil, cli.Fail(cli.StatusNo, string(untrusted.Code), err.Error())
	case errors.As(err, &wrong), errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return nil, err // explained with its place
	case errors.Is(err, context.DeadlineExceeded):
		return nil, cli.Fail(cli.StatusCall, string(CommandTimeout), "the card did not come in time")
	case errors.As(err, &failed):
		return nil, cli.Fail(cli.StatusCall, string(failed.Code), err.Error())
	}
	return nil, cli.Fail(cli.StatusCall, string(CommandUnreachable), err.Error())
}

// cardSource gets cards: from https, from files, and from http on loopback where that
// is allowed, which counts as a file.
type cardSource struct {
	web       *fetch.Client
	plaintext bool
}

// Get implements [a2a.CardSource].
func (c cardSource) Get(ctx context.Context, card string) (*fetch.Response, error) {
	const most = 256 << 10 // as fetch.Card
	switch {
	case strings.HasPrefix(card, "https://"):
		return c.web.Get(ctx, card, fetch.Card())
	case strings.HasPrefix(card, "http://") && c.plaintext:
		return plainCard(ctx, card, most)
	case strings.Contains(card, "://"):
		return nil, errors.New("expected an https URL, domain:NAME or a file; --insecure-plaintext allows http on loopback")
	}
	body, err := readFile(card, most)
	return &fetch.Response{Body: body}, err
}

// exchangeError turns what kept a message from being sent or answered into an error of
// the command.
func exchangeError(what string, err error) error {
	var wrong *protocol.Error
	switch {
	case errors.As(err, &wrong):
		return cli.Fail(cli.StatusNo, string(wrong.Code), fmt.Sprintf("%s came to nothing: %s", what, err)) // before or after it was sent
	case errors.Is(err, context.DeadlineExceeded):
		return cli.Fail(cli.StatusCall, string(CommandTimeout), what+" was not answered in time")
	}
	return cli.Fail(cli.StatusCall, string(CommandUnreachable), fmt.Sprintf("%s: %s", what, err))
}
