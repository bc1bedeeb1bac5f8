package engine

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/replay"
)

// Engine turns messages into outcomes. Make one with [New]. It is safe for concurrent
// use.
type Engine struct {
	config   Config
	declared map[canon.Digest]Declared
	informal map[canon.Digest]bool
	formats  []string

	keys       protocol.Keys // of metadata
	agreements *replay.Agreements
	buffers    sync.Pool // of *writer

	mu      sync.Mutex
	flights map[canon.Digest]*flight // evaluations under way
	pending map[string]int           // offers of one peer that are being answered
	failed  map[string]failure       // documents that could not be had, by pin and source

	published map[string]struct{} // pins with sources that they were fetched from
	networks  map[string]*quota   // of peers without authentication
}

// New makes an Engine. It fails when something required is missing, and when a document
// that is declared is not held.
func New(c Config) (*Engine, error) {
	switch {
	case c.Local == "":
		return nil, errors.New("engine: expected the name of the agent")
	case c.Documents == nil:
		return nil, errors.New("engine: expected a store of protocol documents")
	case c.Store == nil:
		return nil, errors.New("engine: expected a store of messages")
	case c.Clock == nil:
		return nil, errors.New("engine: expected a clock")
	case c.Random == nil:
		return nil, errors.New("engine: expected a source of randomness")
	}
	return newEngine(c)
}

// newEngine checks what a configuration says beyond what is required, and fills in
// defaults.
func newEngine(c Config) (*Engine, error) {
	e := &Engine{
		declared: map[canon.Digest]Declared{}, informal: map[canon.Digest]bool{},
		flights: map[canon.Digest]*flight{}, pending: map[string]int{}, failed: map[string]failure{},
		published: map[string]struct{}{}, networks: map[string]*quota{},
	}
	for _, d := range c.Declared {
		if _, ok := c.Documents.Get(d.Pin); !ok { // CARD-13
			return nil, fmt.Errorf("engine: the declared document %s is not held", d.Pin)
		}
		e.declared[d.Pin] = d
	}
	for _, pin := range c.Informal {
		e.informal[pin] = true
	}
	e.formats = slices.Clone(c.Formats)
	if len(e.formats) == 0 {
		e.formats = []string{rdfio.Turtle.MediaType(), rdfio.JSONLD.MediaType()}
	}
	for _, f := range e.formats {
		if s, ok := rdfio.ByMediaType(f); !ok || s == rdfio.TriG || s == rdfio.NQuads {
			return nil, fmt.Errorf("engine: expected a format that payloads can have, found %s", quoted(f))
		}
	}
	if chains, ok := c.Authorizer.(*Chains); ok && chains != nil {
		if err := chains.check(); err != nil {
			return nil, err
		}
	}
	if c.ChallengeLife < 0 || c.OfferTimeout < 0 || c.AgreementLife < 0 {
		return nil, errors.New("engine: expected durations that are not negative")
	}
	if c.ChallengeLife == 0 {
		c.ChallengeLife = challengeLife
	}
	if c.AgreementLife == 0 || c.AgreementLife > handshake.AgreementTTL {
		c.AgreementLife = handshake.AgreementTTL
	}
	if c.Policy == nil {
		own := AllowList{}
		for _, d := range c.Declared {
			own.Pins = append(own.Pins, d.Pin)
		}
		c.Policy = own
	}
	if c.Await == nil {
		c.Await = func(_ context.Context, wait func()) error {
			wait()
			return nil
		}
	}
	c.Limits = c.Limits.orDefault()
	e.keys, _ = protocol.KeysOf(protocol.ExtensionURI)
	e.agreements = replay.NewAgreements(c.Store)
	e.buffers.New = func() any { return new(writer) }
	e.config = c
	return e, nil
}

// Declares reports whether a document is one of Config.Declared, and hence held: only
// such documents may be declared by the agent's card (a2a-rdf, CARD-13).
func (e *Engine) Declares(pin canon.Digest) bool {
	_, ok := e.declared[pin]
	return ok
}

// newID returns a new messageId or contextId: a UUID of version 4.
func (e *Engine) newID() (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(e.config.Random, b[:]); err != nil {
		return "", fmt.Errorf("engine: making an id: %w", err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	out := make([]byte, 0, 36)
	for i, part := range [...][]byte{b[:4], b[4:6], b[6:8], b[8:10], b[10:]} {
		if i > 0 {
			out = append(out, '-')
		}
		out = hex.AppendEncode(out, part)
	}
	return string(out), nil
}

// securityBearing is this side's judgement of a document (a2a-rdf, section 5.5): yes,
// unless the configuration says otherwise.
func (e *Engine) securityBearing(pin canon.Digest) bool { return !e.informal[pin] }

func parseTime(s string) (time.Time, error) { return time.Parse(time.RFC3339, s) }

func timeText(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// text is what a peer is told about a refusal: words that reveal nothing about this
// side.
func text(c protocol.Code) string {
	s, _ := c.Status()
	return s.Text
}
