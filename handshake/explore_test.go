package handshake

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
)

// This test is inside the package because it enumerates states: it must copy the machines
// and compare two of them.
//
// It plays two agents, each an offeror and a responder within one scope, over a
// network with two messages in flight that delivers in any order, duplicates one,
// loses one and damages one. Offers are required or optional, answers come late,
// deadlines pass, either side withdraws, and a peer may at any time send something
// that nobody asked for. It visits every joint state that these events reach.

// The messages that the agents' offers travel in: two are a crossing or a second
// try.
var messageIDs = [...]string{"m0", "m1"}

type kind uint8

const (
	anOffer kind = iota
	aResponse
	anError    // a reply without a response: an error, a failed task, plain text
	unreadable // a reply with something that is not one response
)

type packet struct {
	to   uint8
	kind kind
	id   int8 // of the offer's message; -1 for a response that answers none
	pin  int8 // index of explorer.docs
	flag bool // required of an offer, accept of a response
}

type agent struct {
	offeror   Offeror
	responder Responder

	// What really happened, to compare the machines with.
	required bool // it made a required offer, ever
	optional bool // its last offer was an optional one
	declined bool // a readable decline of its pin arrived since its last offer
	accepted bool // a readable accept of its pin arrived since its last offer
	withdrew bool // its responder withdrew
	made     int8 // how many offers it made
}

type world struct {
	now    time.Time
	agents [2]agent
	net    []packet
	offers int8                     // made by both
	answer [len(messageIDs)]answer1 // given to each offer

	duplicated, harmed, stray bool
}

// answer1 is the first answer to an offer.
type answer1 uint8

const (
	unanswered answer1 = iota
	answeredYes
	answeredNo
)

type explorer struct {
	t     *testing.T
	docs  [3]*protocol.Reviewed // the last one is offered by nobody
	own   [2]int8               // what each agent offers
	most  [2]int8               // and how often at most
	seen  map[[16]byte]struct{}
	queue []*world

	buffer []byte // of key

	// Whether what happens at most once has happened.
	duplicates, harms, strays bool
}

const inFlight = 2

// clone copies a world for an event of one agent; the copy shares what the other agent's
// responder holds.
func (w *world) clone(of uint8) *world {
	c := *w
	c.net = append(make([]packet, 0, inFlight+1), w.net...)
	r := &c.agents[of].responder
	r.documents = slices.Clone(r.documents)
	for j := range r.documents {
		r.documents[j].waiting = slices.Clone(r.documents[j].waiting)
	}
	r.answers = slices.Clone(r.answers)
	return &c
}

// key is the same for two worlds that differ in nothing that can still matter. Of an
// instant it only matters whether it has come.
func (x *explorer) key(w *world) [16]byte {
	b := x.buffer[:0]
	bit := func(v ...bool) {
		n := byte(0)
		for i, v := range v {
			if v {
				n |= 1 << i
			}
		}
		b = append(b, n)
	}
	bit(w.duplicated, w.harmed, w.stray)
	b = append(b, byte(w.offers))
	for _, a := range w.answer {
		b = append(b, byte(a))
	}
	for i := range w.agents {
		a := &w.agents[i]
		f := &a.offeror
		b = append(b, byte(f.state), byte(f.unrelated), byte(f.decision.outcome))
		b = append(b, f.messageID...)
		bit(f.offer.Required, f.offered, f.required, w.now.Before(f.deadline), w.now.Before(f.retry), f.cause != "")
		bit(a.required, a.optional, a.declined, a.accepted, a.withdrew)
		b = append(b, byte(a.made))
		for _, d := range sorted(a.responder.documents, func(a, b document) int { return slices.Compare(a.pin[:], b.pin[:]) }) {
			b = append(b, d.pin[0], d.pin[1], byte(d.state), byte(len(d.waiting)))
			for _, id := range d.waiting {
				b = append(b, id...)
			}
			bit(d.required)
		}
		b = append(b, '|')
		for _, d := range sorted(a.responder.answers, func(a, b answered) int { return strings.Compare(a.messageID, b.messageID) }) {
			b = append(b, d.messageID...)
			bit(d.action.Wait, d.action.Response != nil, d.action.Response != nil && d.action.Response.Accept)
			b = append(b, d.pin[0], d.pin[1])
		}
		b = append(b, '|')
	}
	for _, m := range sorted(w.net, func(a, b packet) int { return int(a.code()) - int(b.code()) }) { // any of them may arrive next
		b = binary.LittleEndian.AppendUint32(b, m.code())
	}
	x.buffer = b
	sum := sha256.Sum256(b)
	return [16]byte(sum[:16])
}

// sorted returns a sorted copy of a slice.
func sorted[T any](all []T, compare func(a, b T) int) []T {
	if len(all) > 1 {
		all = slices.Clone(all)
		slices.SortFunc(all, compare)
	}
	return all
}

// code is a number that differs between packets.
func (m packet) code() uint32 {
	n := uint32(m.to)<<24 | uint32(m.kind)<<16 | uint32(m.id+1)<<8 | uint32(m.pin)<<1
	if m.flag {
		n++
	}
	return n
}

func (x *explorer) pin(i int8) canon.Digest { return x.docs[i].Pin() }

func (x *explorer) index(pin canon.Digest) int8 {
	return int8(slices.IndexFunc(x.docs[:], func(r *protocol.Reviewed) bool { return r.Pin() == pin }))
}

func (x *explorer) visit(w *world) {
	k := x.key(w)
	if _, ok := x.seen[k]; ok {
		return
	}
	x.seen[k] = struct{}{}
	x.queue = append(x.queue, w)
}

// try visits what an event of one agent makes of a world, unless it is not possible
// or too many messages would be in flight.
func (x *explorer) try(w *world, of uint8, event func(c *world) bool) {
	c := w.clone(of)
	if event(c) && len(c.net) <= inFlight {
		x.visit(c)
	}
}

// next visits every world that one event makes of w.
func (x *explorer) next(w *world) {
	for i := range uint8(2) {
		a := &w.agents[i]
		if a.made < x.most[i] && len(w.net) < inFlight {
			x.try(w, i, func(c *world) bool { return x.offer(c, i, true) })
			x.try(w, i, func(c *world) bool { return x.offer(c, i, false) })
		}
		for d := range x.docs {
			switch a.responder.State(x.docs[d].Pin()) {
			case ResponderEvaluating:
				x.try(w, i, func(c *world) bool { return x.evaluated(c, i, int8(d), x.docs[d]) })
				x.try(w, i, func(c *world) bool { return x.evaluated(c, i, int8(d), nil) })
			case ResponderAccepted:
				x.try(w, i, func(c *world) bool { return x.withdraw(c, i, int8(d)) })
			}
		}
		if a.offeror.state == OfferorAgreed {
			x.try(w, i, func(c *world) bool {
				c.agents[i].offeror.Withdraw()
				c.agents[i].declined, c.agents[i].accepted = false, false
				return true
			})
		}
		x.try(w, i, func(c *world) bool { c.agents[i].offeror.Tick(c.now); return true })
		if !w.stray && x.strays {
			for _, m := range []packet{
				{i, aResponse, -1, 2, true}, {i, aResponse, -1, 2, false}, // about something else
				{i, anError, -1, 0, false}, {i, unreadable, -1, 0, false},
			} {
				x.try(w, i, func(c *world) bool { c.stray = true; c.net = append(c.net, m); return true })
			}
		}
	}
	for n := range w.net {
		x.try(w, w.net[n].to, func(c *world) bool { return x.deliver(c, n) })
		if !w.duplicated && x.duplicates {
			x.try(w, 0, func(c *world) bool { c.duplicated = true; c.net = append(c.net, c.net[n]); return true })
		}
		if !w.harmed && x.harms {
			x.try(w, 0, func(c *world) bool { c.harmed = true; c.net = slices.Delete(c.net, n, n+1); return true })
			x.try(w, 0, func(c *world) bool { return damage(c, n) })
			x.try(w, 0, func(c *world) bool { return misname(c, n) })
		}
	}
	// Time passes. That a deadline has come is noticed at the next event, not before.
	x.try(w, 0, func(c *world) bool { c.now = c.now.Add(OfferTimeout + time.Second); return true })
}

func (x *explorer) offer(c *world, i uint8, required bool) bool {
	a := &c.agents[i]
	own := x.own[i]
	o := Offer{Hash: x.pin(own), Source: "https://a.example/p", Required: required}
	before := a.offeror
	if err := a.offeror.Offer(x.docs[own], o, messageIDs[c.offers], c.now); err != nil {
		require.Equal(x.t, before, a.offeror, "a refused offer changes nothing")
		return false
	}
	switch {
	case before.state == OfferorOffered || before.state == OfferorAgreed:
		x.t.Fatal("offered what is pending or agreed")
	case before.state == OfferorAborted && c.now.Before(before.retry):
		x.t.Fatal("offered again at once")
	}
	c.net = append(c.net, packet{1 - i, anOffer, c.offers, own, required})
	c.offers++
	a.made++
	a.required, a.optional = a.required || required, !required
	a.declined, a.accepted = false, false
	return true
}

func (x *explorer) deliver(c *world, n int) bool {
	m := c.net[n]
	c.net = slices.Delete(c.net, n, n+1)
	a := &c.agents[m.to]
	switch m.kind {
	case anOffer:
		act := a.responder.Receive(Offer{Hash: x.pin(m.pin), Source: "https://a.example/p", Required: m.flag}, messageIDs[m.id], 0)
		if !act.Evaluate && !act.Wait {
			x.reply(c, m.to, m.id, act)
		}
	case aResponse:
		if pending := a.offeror.state == OfferorOffered && c.now.Before(a.offeror.deadline); m.pin == x.own[m.to] && pending {
			a.accepted, a.declined = a.accepted || m.flag, a.declined || !m.flag
		}
		a.offeror.Receive(Response{Hash: x.pin(m.pin), Accept: m.flag}, c.now)
	case anError:
		a.offeror.ReceiveNothing(protocol.CodeMalformedPayload, c.now)
	case unreadable:
		a.offeror.ReceiveMalformed(c.now)
	}
	return true
}

// reply sends what a responder answered, and checks it against earlier answers.
func (x *explorer) reply(c *world, from uint8, id int8, act Action) {
	if act.Response == nil {
		require.NotEmpty(x.t, act.Code, "a refusal has a code")
		c.net = append(c.net, packet{1 - from, anError, id, 0, false})
		return
	}
	require.Equal(x.t, act.Response.Accept, act.Code == "", "a decline has a code, an accept has none")
	now := answeredNo
	if act.Response.Accept {
		now = answeredYes
		require.Equal(x.t, ResponderAccepted, c.agents[from].responder.State(act.Response.Hash), "accepted what is not agreed")
	}
	if before := c.answer[id]; before != unanswered && before != now {
		require.True(x.t, c.agents[from].withdrew, "two answers to one offer")
		require.Equal(x.t, answeredNo, now, "a withdrawal takes an accept back and nothing else")
	}
	c.answer[id] = now
	c.net = append(c.net, packet{1 - from, aResponse, id, x.index(act.Response.Hash), act.Response.Accept})
}

func (x *explorer) evaluated(c *world, i uint8, d int8, doc *protocol.Reviewed) bool {
	for _, a := range c.agents[i].responder.Evaluated(x.pin(d), doc, protocol.CodeProtocolUnavailable, "") {
		x.reply(c, i, int8(slices.Index(messageIDs[:], a.MessageID)), a.Action)
	}
	for _, a := range c.agents[i].responder.answers {
		require.False(x.t, a.pin == x.pin(d) && a.action.Wait, "an offer is left waiting")
	}
	return true
}

func (x *explorer) withdraw(c *world, i uint8, d int8) bool {
	r, ok := c.agents[i].responder.Withdraw(x.pin(d))
	require.True(x.t, ok)
	require.False(x.t, r.Accept)
	c.agents[i].withdrew = true
	c.net = append(c.net, packet{1 - i, aResponse, -1, d, false})
	return true
}

// damage makes a message unreadable. An offer that cannot be read is answered with
// an error.
func damage(c *world, n int) bool {
	c.harmed = true
	m := &c.net[n]
	if m.kind == anOffer {
		*m = packet{1 - m.to, anError, m.id, 0, false}
	} else {
		*m = packet{m.to, unreadable, m.id, 0, false}
	}
	return true
}

// misname damages the pin of a message so that it reads as another.
func misname(c *world, n int) bool {
	c.harmed = true
	m := &c.net[n]
	if m.kind > aResponse || m.pin == 2 {
		return false
	}
	m.pin = 2
	return true
}

// check checks what must hold in every world.
func (x *explorer) check(w *world) {
	t := x.t
	for i := range w.agents {
		a, peer := &w.agents[i], &w.agents[1-i]
		f := &a.offeror
		state, sent := f.State(), f.offer
		if f.MayUseNaturalLanguage() && a.made > 0 {
			switch {
			case a.required:
				t.Fatal("natural language after a required offer")
			case !a.declined || !a.optional:
				t.Fatal("natural language without the decline of an optional offer")
			case !f.Decision().MayDowngrade():
				t.Fatal("natural language without a decision")
			}
		}
		if a.made > 0 && f.MayUseNaturalLanguage() != f.Decision().MayDowngrade() {
			t.Fatal("the decision and the machine disagree")
		}
		switch state {
		case OfferorAgreed:
			switch {
			case !a.accepted:
				t.Fatal("agreed without an accept")
			case !f.Decision().Upgraded():
				t.Fatal("agreed without a decision")
			case sent.Hash != x.pin(x.own[i]):
				t.Fatal("agreed on something that was not offered")
			case peer.responder.State(sent.Hash) != ResponderAccepted && !peer.withdrew:
				t.Fatal("agreed on what the peer does not hold as agreed")
			}
		case OfferorAborted:
			if f.Decision().MayDowngrade() || f.Decision().Upgraded() {
				t.Fatal("aborted and decided")
			}
		case OfferorStart, OfferorOffered:
			if f.Decision().Outcome() != Undecided {
				t.Fatal("nothing was answered, and yet decided")
			}
		case OfferorNLAllowed:
			if !f.MayUseNaturalLanguage() {
				t.Fatal("allowed in name alone")
			}
		}
	}
	c := w.clone(0)
	r := &c.agents[1].responder
	*r = c.clone(1).agents[1].responder
	x.drain(c)
}

// drain shows that nothing is stuck: once nothing more is sent, what is in flight
// arrives, evaluations end and deadlines come, and all is decided after a few steps.
func (x *explorer) drain(c *world) {
	for range 20 {
		switch {
		case len(c.net) > 0:
			x.deliver(c, 0)
			continue
		case x.endEvaluation(c):
			continue
		}
		c.now = c.now.Add(OfferTimeout)
		for i := range c.agents {
			if c.agents[i].offeror.Tick(c.now) == OfferorOffered {
				x.t.Fatal("an offer is pending beyond its deadline")
			}
		}
		return
	}
	x.t.Fatal("stuck: messages beget messages")
}

func (x *explorer) endEvaluation(c *world) bool {
	for i := range uint8(2) {
		for d := range x.docs {
			if pin := x.docs[d].Pin(); c.agents[i].responder.State(pin) == ResponderEvaluating {
				x.evaluated(c, i, int8(d), nil)
				if c.agents[i].responder.State(pin) != ResponderDeclined {
					x.t.Fatal("an evaluation that failed is no decline")
				}
				return true
			}
		}
	}
	return false
}

// TestExplore visits every joint state that the events reach. The two exchanges of a
// crossing share nothing but the network, so that second tries are explored with one
// exchange only.
func TestExplore(t *testing.T) {
	t.Parallel()
	docs := [3]*protocol.Reviewed{reviewed(t, "a"), reviewed(t, "b"), reviewed(t, "c")}
	for _, row := range []struct {
		name   string
		most   [2]int8
		harms  bool
		strays bool
		want   int // more or fewer mean that a machine or an event changed
		short  int // with -short: nothing is duplicated, lost or damaged
	}{
		{"two offers of one side, a message lost or damaged", [2]int8{2, 0}, true, false, 56_866, 1_269},
		{"two offers of one side, something that nobody asked for", [2]int8{2, 0}, false, true, 39_321, 11_708},
		{"offers that cross, a message lost or damaged", [2]int8{1, 1}, true, false, 674_693, 13_949},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			x := &explorer{t: t, docs: docs, own: [2]int8{0, 1}, most: row.most, duplicates: true, harms: row.harms, strays: row.strays, seen: map[[16]byte]struct{}{}}
			want := row.want
			if testing.Short() {
				x.duplicates, x.harms, want = false, false, row.short
			}
			x.visit(&world{now: time.Unix(1_700_000_000, 0)})
			offeror, responder, pairs := map[OfferorState]bool{}, map[ResponderState]bool{}, map[[2]uint8]bool{}
			for len(x.queue) > 0 {
				w := x.queue[len(x.queue)-1]
				x.queue = x.queue[:len(x.queue)-1]
				x.check(w)
				f, r := w.agents[0].offeror.State(), w.agents[1].responder.State(docs[0].Pin())
				offeror[f], responder[r], pairs[[2]uint8{uint8(f), uint8(r)}] = true, true, true
				x.next(w)
			}
			t.Logf("%d joint states, %d pairs of an offeror's and a responder's state", len(x.seen), len(pairs))
			require.Len(t, offeror, 5, "every state of the offeror is reached")
			require.Len(t, responder, 4, "every state of the responder is reached")
			require.Equal(t, want, len(x.seen))
		})
	}
}
