package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
)

// errNotAllowed is the error of an AllowList.
var errNotAllowed = errors.New("the document is not on a list of allowed documents")

// Allow implements Policy. A publisher is an origin: it publishes the sources that have
// its scheme, host and port.
func (a AllowList) Allow(_ context.Context, p Proposal, _ *protocol.Review) error {
	if slices.ContainsFunc(a.Pins, p.Pin.Equal) {
		return nil
	}
	if o := origin(p.Source); o != "" && slices.ContainsFunc(a.Publishers, func(s string) bool { return origin(s) == o }) {
		return nil
	}
	return errNotAllowed
}

// origin returns scheme, host and port of an https URL, "" for what is none.
func origin(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = "443"
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}

// negativeLife is how long a document that could not be had is not tried again (a2a-rdf,
// FETCH-11), and maxFailed how many such are remembered: who offers more is slowed down
// by what bounds offers.
const (
	negativeLife = time.Minute
	maxFailed    = 1024
	maxPublished = 1024 // sources of documents that are remembered
)

// flight is a document that is being fetched and reviewed. Its result is there when done
// is closed.
type flight struct {
	done   chan struct{}
	source string
	review *protocol.Review
	err    error
}

// failure is a document that could not be had.
type failure struct {
	err   error
	until time.Time
}

// inWords returns an error as it is remembered: its code and what it says. What it was made of
// holds the document that it is about, and so many documents take gigabytes.
func inWords(err error) error {
	p := &protocol.Error{Code: protocol.CodeProtocolUnavailable}
	if known, ok := errors.AsType[*protocol.Error](err); ok {
		p.Code = known.Code
	}
	text := err.Error()
	p.Reason = cut(text, maxStoredReason)
	return p
}

// holds reports whether a failure still counts. One of a clock that was ahead does not.
func (f failure) holds(now time.Time) bool {
	left := f.until.Sub(now)
	return left > 0 && left <= negativeLife
}

// Obtain returns the document with the proposal's pin, if it may be used: the one that
// is held, or the one at the source once it is fetched, verified, reviewed and allowed
// by the policy. Where the policy allows a held document only because of its source, it
// is fetched once all the same, to see that it is there. At most one fetch of a pin is
// under way at a time. It fails with a [*protocol.Error] whose code is that of a
// decline.
func (e *Engine) Obtain(ctx context.Context, p Proposal) (*protocol.Reviewed, error) {
	if p.Pin.IsZero() {
		return nil, &protocol.Error{Code: protocol.CodeUnsupportedHash, Reason: "expected a pin"}
	}
	if err := e.config.Policy.Allow(ctx, p, nil); err != nil {
		return nil, &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the policy refuses the document", Err: err}
	}
	var review *protocol.Review
	held, ok := e.config.Documents.Get(p.Pin)
	if ok {
		review = protocol.Examine(held.Document())
	}
	if !ok || !e.allowsUnseen(ctx, p, review) {
		var err error
		if review, err = e.evaluate(ctx, p); err != nil {
			return nil, err
		}
	}
	if err := e.config.Policy.Allow(ctx, p, review); err != nil {
		return nil, &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the policy refuses the reviewed document", Err: err}
	}
	if ok {
		return held, nil
	}
	doc, err := review.Accept()
	if err != nil {
		return nil, &protocol.Error{Code: protocol.CodeInvalidProtocolDocument, Err: err}
	}
	if err := e.config.Documents.Put(doc); err != nil {
		return nil, &protocol.Error{Code: protocol.CodeLimitExceeded, Err: err}
	}
	return doc, nil
}

// allowsUnseen reports whether the policy allows a document that is held whatever its
// source is said to be, or whether the document was there. A peer can name any publisher
// as the source of any document: without a fetch that says nothing.
func (e *Engine) allowsUnseen(ctx context.Context, p Proposal, review *protocol.Review) bool {
	if d, ok := e.declared[p.Pin]; ok && d.Source == p.Source {
		return true
	}
	e.mu.Lock()
	_, seen := e.published[sourceKey(p.Pin, p.Source)]
	e.mu.Unlock()
	p.Source = ""
	return seen || e.config.Policy.Allow(ctx, p, review) == nil
}

// ofAsker reports whether a document could not be had because of who wanted it: who gave
// up, or asks too often. Nobody else learns anything from that.
func ofAsker(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || throttled(err)
}

// throttled reports whether a [PeerSource] says that the peer asks too often.
func throttled(err error) bool {
	t, ok := errors.AsType[interface {
		error
		Throttled() bool
	}](err)
	return ok && t.Throttled()
}

// remembered reports whether a [PeerSource] says that a failure is that of an earlier fetch.
func remembered(err error) bool {
	r, ok := errors.AsType[interface {
		error
		Remembered() bool
	}](err)
	return ok && r.Remembered()
}

func sourceKey(pin canon.Digest, source string) string { return pin.String() + " " + source }

// evaluate fetches, verifies and reviews a document, together with whoever else wants
// it. Whoever waits for one that fails at another source, or because of who waited for
// it, tries again; so does whoever waits for another source, from which it must be
// fetched too, since the policy may go by it.
func (e *Engine) evaluate(ctx context.Context, p Proposal) (*protocol.Review, error) {
	pin, source := p.Pin, p.Source
	key := sourceKey(pin, source)
	for {
		now := e.config.Clock()
		e.mu.Lock()
		if f, ok := e.failed[key]; ok && f.holds(now) {
			e.mu.Unlock()
			return nil, f.err
		}
		f, running := e.flights[pin]
		if !running {
			f = &flight{done: make(chan struct{}), source: source}
			e.flights[pin] = f
		}
		e.mu.Unlock()
		if !running {
			e.run(ctx, f, p, key)
			return f.review, f.err
		}
		var left error
		err := e.await(ctx, func() {
			select {
			case <-ctx.Done():
				left = ctx.Err()
			case <-f.done:
			}
		})
		switch {
		case left != nil:
			return nil, &protocol.Error{Code: protocol.CodeLimitExceeded, Err: left}
		case err != nil:
			return nil, &protocol.Error{Code: protocol.CodeLimitExceeded, Err: err}
		case f.err == nil && (f.source == source || e.allowsUnseen(ctx, p, f.review)):
			return f.review, nil
		case f.err != nil && f.source == source && !ofAsker(f.err):
			return nil, f.err
		}
	}
}

// await waits by the configuration, and fails where that did not.
func (e *Engine) await(ctx context.Context, wait func()) error {
	waited := false
	err := e.config.Await(ctx, func() { wait(); waited = true })
	if err == nil && !waited {
		err = errors.New("engine: Config.Await returned without waiting")
	}
	return err
}

// run evaluates for a flight and ends it.
func (e *Engine) run(ctx context.Context, f *flight, p Proposal, key string) {
	f.err = &protocol.Error{Code: protocol.CodeProtocolUnavailable, Reason: "the evaluation did not end"} // should the source panic
	defer func() {
		now := e.config.Clock()
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.flights, p.Pin)
		if f.err == nil {
			if len(e.published) >= maxPublished {
				clear(e.published) // costs a fetch each at worst
			}
			e.published[key] = struct{}{}
		}
		if f.err != nil && ctx.Err() == nil && !throttled(f.err) && !remembered(f.err) {
			if len(e.failed) >= maxFailed {
				maps.DeleteFunc(e.failed, func(_ string, f failure) bool { return !f.holds(now) })
			}
			if len(e.failed) < maxFailed {
				e.failed[key] = failure{inWords(f.err), now.Add(negativeLife)}
			}
		}
		close(f.done)
	}()
	f.review, f.err = e.fetch(ctx, p)
}

func (e *Engine) fetch(ctx context.Context, p Proposal) (*protocol.Review, error) {
	if e.config.Source == nil || p.Source == "" {
		if _, held := e.config.Documents.Get(p.Pin); held {
			return nil, &protocol.Error{Code: protocol.CodeUnsupportedProtocol, Reason: "the policy decides by the document's source, from which nothing can be fetched"}
		}
		return nil, &protocol.Error{Code: protocol.CodeProtocolUnavailable, Reason: "the document is not held and none is fetched"}
	}
	var body []byte
	var mediaType string
	var err error
	left := e.await(ctx, func() {
		if s, ok := e.config.Source.(PeerSource); ok {
			body, mediaType, err = s.FetchFor(ctx, p.Peer.payer(), p.Pin.String(), p.Source)
		} else {
			body, mediaType, err = e.config.Source.Fetch(ctx, p.Source)
		}
	})
	switch {
	case left != nil:
		return nil, &protocol.Error{Code: protocol.CodeLimitExceeded, Err: left}
	case err != nil && throttled(err):
		return nil, &protocol.Error{Code: protocol.CodeLimitExceeded, Reason: "the peer asks for documents too often", Err: err}
	case err != nil:
		return nil, &protocol.Error{Code: protocol.CodeProtocolUnavailable, Reason: "fetching the document", Err: err}
	}
	doc, err := protocol.Verify(ctx, body, mediaType, p.Pin, e.config.Document)
	if err != nil {
		return nil, declineError(err)
	}
	review := protocol.Examine(doc)
	if _, err := review.Accept(); err != nil {
		return nil, &protocol.Error{Code: protocol.CodeInvalidProtocolDocument, Err: err}
	}
	return review, nil
}

// declineError gives an error of verifying a code that a decline carries.
func declineError(err error) error {
	p, ok := errors.AsType[*protocol.Error](err)
	switch {
	case !ok:
		return &protocol.Error{Code: protocol.CodeInvalidProtocolDocument, Err: err}
	case p.Code == protocol.CodeUnsupportedMediaType:
		return &protocol.Error{Code: protocol.CodeProtocolUnavailable, Reason: "the source has no document", Err: err}
	}
	return p
}

// reserve takes one of the places for offers of a peer that are being answered, and
// reports whether there was one (a2a-rdf, section 5.4).
func (e *Engine) reserve(p *Peer, most int) (release func(), ok bool) {
	key := p.payer() + fmt.Sprintf(" %q", p.Card)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pending[key] >= most {
		return nil, false
	}
	e.pending[key]++
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.pending[key]--; e.pending[key] <= 0 {
			delete(e.pending, key)
		}
	}, true
}
