// Client asks Alice's agent, the example grant-agent, to let Bob read a note, and
// prints the whole exchange. Then it shows what the agent refuses. The agent prints the
// reasons for its decisions in its own terminal: peers are not told them.
//
//	go run ./examples/grant-agent     in one terminal
//	go run ./examples/client          in another
//
// With -skip it makes no offer: the agent's card declares the document, so that none is
// needed.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// grantAccess is the pin of the Protocol Document that the client speaks. The author of
// the client read that document; a copy from anywhere must have this pin.
const grantAccess = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"

func main() {
	folder := flag.String("demo", string(demo.DefaultFolder()), "the `folder` that agent and client share")
	skip := flag.Bool("skip", false, "skip the handshake")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, demo.Folder(*folder), *skip, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder demo.Folder, skip bool, out io.Writer) error {
	me, cardURL, err := folder.Client()
	if err != nil {
		return err
	}
	pin, err := canon.ParseDigest(grantAccess)
	if err != nil {
		return err
	}
	client, err := connect(ctx, me, cardURL, pin)
	if err != nil {
		return err
	}
	defer client.Close()
	printCard(out, client)
	fmt.Fprintln(out, "How the agent decides is in its own terminal: it tells nobody else.")
	s := session{me: me, client: client, talk: client.Conversation(""), pin: pin, out: out}
	challenge, err := s.agree(ctx, skip)
	if err != nil {
		return err
	}
	sent, err := s.ask(ctx, challenge)
	if err != nil {
		return err
	}
	return s.refusals(ctx, sent)
}

// session is one conversation with the agent.
type session struct {
	me     *demo.Client
	client *a2a.Client
	talk   *a2a.Conversation
	pin    canon.Digest
	out    io.Writer
}

// agree agrees on the document with the agent, and returns the challenge that a
// presentation must be made for.
func (s *session) agree(ctx context.Context, skip bool) (*engine.Challenge, error) {
	if skip {
		fmt.Fprintln(s.out, "\n1. No handshake: the card declares the document")
		// Without a presentation the agent refuses, and issues a challenge for one.
		r, err := s.talk.Intent(ctx, engine.IntentDraft{Pin: s.pin, Graph: letBob(protocol.ModeRead)})
		if err != nil {
			return nil, err
		}
		s.print(r)
		return r.Challenge, nil
	}
	fmt.Fprintln(s.out, "\n1. The handshake")
	// The document is fetched from where the card says, and checked against the pin and
	// every rule before it is offered.
	for _, d := range s.client.Peer().Accepts {
		if !d.Hash().Equal(s.pin) {
			continue
		}
		r, err := s.talk.Offer(ctx, engine.OfferDraft{Pin: s.pin, Source: d.Source(), Name: d.Name(), Required: true})
		if err != nil {
			return nil, err
		}
		s.print(r)
		if a := r.Agreement; a != nil {
			fmt.Fprintf(s.out, "  agreed with %s\n    on    %s\n    until %s\n", a.Scope.Peer, a.Pin, a.Expires.UTC().Format("2006-01-02"))
			return r.Challenge, nil
		}
		return nil, fmt.Errorf("the agent does not agree: %s", r.Code)
	}
	return nil, fmt.Errorf("the card does not declare %s", s.pin)
}

// ask sends the intent with the client's chain of credentials, and returns the message.
func (s *session) ask(ctx context.Context, challenge *engine.Challenge) (engine.Message, error) {
	fmt.Fprintln(s.out, "\n2. The intent")
	presentation, err := s.me.Present(ctx, challenge)
	if err != nil {
		return engine.Message{}, err
	}
	r, err := s.talk.Intent(ctx, engine.IntentDraft{Pin: s.pin, Graph: letBob(protocol.ModeRead), Presentation: presentation})
	if err != nil {
		return engine.Message{}, err
	}
	fmt.Fprintf(s.out, "  message %s\n%s", r.Sent.ID, demo.Indent(r.Sent.Parts[0].Text))
	fmt.Fprintf(s.out, "  with a presentation of %d credentials\n", len(s.me.Chain))
	s.print(r)
	if r.Response == nil {
		return engine.Message{}, fmt.Errorf("the agent did not do it: %s", r.Code)
	}
	fmt.Fprintf(s.out, "  the answer says %s\n%s", demo.Clean(strings.Join(r.Texts, " ")), demo.Indent(r.Response.Body))
	return r.Sent, nil
}

// print prints what a message came to on this side.
func (s *session) print(r a2a.Result) { demo.PrintOutcome(s.out, &r.Outcome) }

func printCard(out io.Writer, client *a2a.Client) {
	card := client.Card()
	_, signed := card.Verified()
	fmt.Fprintf(out, "The card of %s, signed by a key that is trusted: %t\n  messages go to %s\n", demo.Clean(card.Card().Name()), signed, client.Endpoint().URL)
	for _, d := range card.Documents() {
		fmt.Fprintf(out, "  it declares %q\n    %s\n", d.Name(), d.Hash())
	}
}

// letBob is the intent to let Bob have access to the notes of the meeting.
func letBob(modes protocol.Modes) *rdf.Dataset {
	graph, err := protocol.Intent{
		ID: protocol.IntentBase + "let-bob", Verb: protocol.VerbGrant, Target: demo.Meeting, Recipient: demo.Bob, Modes: modes,
	}.Graph()
	if err != nil {
		panic(err) // of constants
	}
	return graph
}
