package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/replay"
)

// performer is the agent that performs a task: its card, and the way to it.
type performer struct {
	card  *agentcard.Admitted
	url   string // of the card, or its file
	tasks *a2a.Tasks

	// Of an agent that speaks the extension; nil otherwise.
	engine *engine.Engine
	client *a2a.Client
	talk   *a2a.Conversation
	pin    canon.Digest // of the document for performing a task
	source string
}

// close ends the connection.
func (p *performer) close() error {
	if p.client != nil {
		return p.client.Close()
	}
	return p.tasks.Close()
}

// find fetches the performer's card and decides whether to act on it.
func (v *handOver) find(ctx context.Context, w *owg.Workflow) (*performer, a2a.ClientConfig, error) {
	p, c := &performer{}, a2a.ClientConfig{InsecurePlaintext: v.insecurePlaintext, Now: v.now}
	var err error
	if p.url, err = cardAddress(v.card); err != nil {
		return nil, c, err
	}
	if p.url == "" {
		if p.url, err = w.CardURL(v.run.task.PerformedBy); err != nil {
			return nil, c, cli.InFile(v.file, err)
		}
	}
	web, err := fetch.New(fetch.Options{})
	if err != nil {
		return nil, c, err
	}
	if c.Trust.Keys, err = cardKeys(v.jwks, v.trust); err != nil {
		return nil, c, err
	}
	if v.online {
		c.Trust.Keys.Sets = agentcard.NewKeySets(web, time.Now, agentcard.Limits{})
	}
	c.Trust.Demand = v.demand
	got, err := cardSource{web, v.insecurePlaintext}.Get(ctx, p.url)
	if err != nil {
		return nil, c, cli.InFile(p.url, unreachable(err))
	}
	card, err := agentcard.Parse(got.Body, agentcard.Limits{})
	if err != nil {
		return nil, c, cli.InFile(p.url, err)
	}
	report, err := agentcard.Verify(ctx, card, c.Trust.Keys, agentcard.Policy{At: v.now(), Source: got.URL})
	if err != nil {
		return nil, c, cli.InFile(p.url, err)
	}
	admitted, found, err := owg.AdmitCard(report, c.Trust.Demand)
	if err != nil {
		return nil, c, cli.InFile(p.url, err)
	}
	v.run.found(found)
	p.card, c.Cards = admitted, gotten{got}
	c.Prefer = firstBinding(admitted.Card())
	c.Dial = reachedFrom(p.url, web)
	c.Authorize, err = v.authorize(admitted, tokenFrom(p.url))
	return p, c, err
}

// unreachable says why a card is not to be had.
func unreachable(err error) error {
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return err
	}
	code := string(CommandUnreachable)
	if coded := (*fetch.Error)(nil); errors.As(err, &coded) {
		code = coded.FetchCode()
	}
	return cli.Fail(cli.StatusCall, code, err.Error())
}

// gotten is the one card that was fetched: who connects reads the bytes that were judged.
type gotten struct{ card *fetch.Response }

// Get implements [a2a.CardSource].
func (g gotten) Get(context.Context, string) (*fetch.Response, error) { return g.card, nil }

// firstBinding is the binding of the first interface that a request is made for.
func firstBinding(c *agentcard.Card) []a2a.Binding {
	for _, i := range c.Interfaces() {
		for _, b := range []a2a.Binding{a2a.JSONRPC, a2a.REST} {
			if i.ProtocolBinding == b.String() && i.ProtocolVersion == "1.0" {
				return []a2a.Binding{b}
			}
		}
	}
	return []a2a.Binding{a2a.JSONRPC, a2a.REST}
}

// authorize returns what gives requests the token. A card that nobody signed must not
// send it elsewhere than to where the card is from.
func (v *handOver) authorize(card *agentcard.Admitted, from string) (func(context.Context, a2a.Endpoint) (http.Header, error), error) {
	if v.tokenFile == "" {
		return nil, nil
	}
	token, err := readBearer(v.tokenFile)
	if err != nil {
		return nil, err
	}
	_, signed := card.Verified()
	return func(_ context.Context, e a2a.Endpoint) (http.Header, error) { return token.header(e, signed, from) }, nil
}

// sameOrigin compares scheme, host and port of two URLs.
func sameOrigin(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	if err != nil {
		return false
	}
	return x.Host != "" && strings.EqualFold(x.Scheme, y.Scheme) && strings.EqualFold(x.Hostname(), y.Hostname()) && portOf(x) == portOf(y)
}

func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}

// connect finds the way to the performer: by a conversation of the extension where its
// card declares it, else by A2A alone.
func (v *handOver) connect(ctx context.Context, w *owg.Workflow) (*performer, error) {
	p, c, err := v.find(ctx, w)
	if err != nil {
		return nil, err
	}
	if d := p.card.Card().Declaration(); !d.Declared || !d.Valid {
		if p.tasks, err = a2a.OpenTasks(ctx, p.url, c); err != nil {
			return nil, noWay(err)
		}
		return p, nil
	}
	documents := protocol.NewStore(0)
	if p.pin, p.source, err = performTask(ctx, documents); err != nil {
		return nil, err
	}
	if p.engine, err = engine.New(engine.Config{
		Local: "urn:rdfprotod:owg", Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: v.now, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{p.pin}},
	}); err != nil {
		return nil, err
	}
	c.Engine = p.engine
	if p.client, err = a2a.Dial(ctx, p.url, c); err != nil {
		return nil, noWay(err)
	}
	p.talk = p.client.Conversation(v.contextID)
	if p.tasks, err = p.talk.Tasks(); err != nil {
		return nil, errors.Join(noWay(err), p.client.Close())
	}
	return p, nil
}

// noWay says that a card that may be acted on leads nowhere.
func noWay(err error) error { return &owg.Error{Code: owg.CodeNoInterface, Text: err.Error()} }

// performTask reads the document under which tasks are handed over.
func performTask(ctx context.Context, store *protocol.Store) (pin canon.Digest, source string, err error) {
	if pin, err = canon.ParseDigest(owg.PerformTaskPin); err != nil {
		return pin, "", err
	}
	d, err := protocol.Verify(ctx, owg.PerformTaskDocument(), rdfio.Turtle.MediaType(), pin, protocol.Options{Contexts: jsonld.Builtin()})
	if err != nil {
		return pin, "", fmt.Errorf("the document for performing a task: %w", err)
	}
	reviewed, err := protocol.Examine(d).Accept()
	if err != nil {
		return pin, "", fmt.Errorf("the document for performing a task: %w", err)
	}
	source, _, _ = strings.Cut(d.ID(), "#")
	return pin, source, store.Put(reviewed)
}
