package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// web is a Source of bodies by URL; a body that is "wait" comes when the test lets it.
type web struct {
	bodies  map[string]string
	fetched atomic.Int32
	wait    chan struct{}
}

func (w *web) Fetch(ctx context.Context, url string) ([]byte, string, error) {
	w.fetched.Add(1)
	if w.wait != nil {
		select {
		case <-w.wait:
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
	body, ok := w.bodies[url]
	if !ok {
		return nil, "", errors.New("10.0.0.1 refused")
	}
	mediaType := turtleMT
	if strings.HasPrefix(body, "<html") {
		mediaType = "text/html"
	}
	return []byte(body), mediaType, nil
}

// TestObtain: an offer of a document that is not held (sections 5.4 and 9.5).
func TestObtain(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	doc := grant(t)
	pin := doc.Pin()
	costly := strings.Replace(string(body), "sh:minCount 1", "sh:minCount 7", 1) // more than sh:maxCount
	c, err := protocol.Parse(t.Context(), []byte(costly), turtleMT, protocol.Options{})
	require.NoError(t, err)
	for _, row := range []struct {
		name   string
		pin    canon.Digest
		body   string
		policy engine.Policy
		code   protocol.Code
	}{
		{"accepted by its pin", pin, string(body), engine.AllowList{Pins: []canon.Digest{pin}}, ""},
		{"accepted by its publisher", pin, string(body), engine.AllowList{Publishers: []string{"https://ALICE.pod.example:443"}}, ""},
		{"VAL-7 by default none is", pin, string(body), nil, protocol.CodeUnsupportedProtocol},
		{"VAL-7 another publisher", pin, string(body), engine.AllowList{Publishers: []string{"https://pod.example"}}, protocol.CodeUnsupportedProtocol},
		{"not there", pin, "", engine.AllowList{Pins: []canon.Digest{pin}}, protocol.CodeProtocolUnavailable},
		{"PARSE-12 of another type", pin, "<html>", engine.AllowList{Pins: []canon.Digest{pin}}, protocol.CodeProtocolUnavailable},
		{"HASH-2 another document", pin, costly, engine.AllowList{Pins: []canon.Digest{pin}}, protocol.CodeProtocolHashMismatch},
		{"VAL-6 rejected in review", c.Pin(), costly, engine.AllowList{Pins: []canon.Digest{c.Pin()}}, protocol.CodeInvalidProtocolDocument},
	} {
		for _, required := range []bool{true, false} { // it must not decide
			t.Run(row.name+", required "+strconv.FormatBool(required), func(t *testing.T) {
				t.Parallel()
				w := &web{bodies: map[string]string{}}
				if row.body != "" {
					w.bodies[source] = row.body
				}
				s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) { c.Policy, c.Source = row.policy, w })
				o := receive(t, s, aliceToBob, message("m-1", "ctx", payload("upgrade-offer", "", offerJSON(row.pin, required), "")))
				require.Equal(t, engine.KindReply, o.Kind, "%s", o.Trace)
				require.Equal(t, row.code, o.Code, o.Reason)
				text := string(o.Message.Parts[0].Data)
				require.Equal(t, row.code == "", strings.Contains(text, `"accept":true`))
				require.NotContains(t, text, "10.0.0.1", "nothing of this side is told")
				if row.code != "" {
					code, _ := engine.ErrorCode(o.Message.Metadata)
					require.Equal(t, row.code, code)
				}
				_, held := s.docs.Get(row.pin)
				require.Equal(t, row.code == "", held)
			})
		}
	}
}

// TestObtainOnce: at most one fetch of a pin is under way, and a failure is remembered
// for a while (FETCH-11).
func TestObtainOnce(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	pin := grant(t).Pin()
	c := &clock{at: noon}
	w := &web{bodies: map[string]string{}, wait: make(chan struct{})}
	s := newSide(t, c, "alice", nil, func(c *engine.Config) {
		c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{pin}}, w
	})
	p := engine.Proposal{Pin: pin, Source: source}
	var wg sync.WaitGroup
	var unavailable atomic.Int32
	for range 8 {
		wg.Go(func() {
			_, err := s.Obtain(context.Background(), p)
			var e *protocol.Error
			if errors.As(err, &e) && e.Code == protocol.CodeProtocolUnavailable {
				unavailable.Add(1)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Obtain(ctx, p) // who is gone does not decide for others
	require.Error(t, err)
	close(w.wait)
	wg.Wait()
	require.EqualValues(t, 8, unavailable.Load())
	require.LessOrEqual(t, w.fetched.Load(), int32(2))
	n := w.fetched.Load()
	w.bodies[source] = string(body)
	_, err = s.Obtain(t.Context(), p)
	require.Error(t, err)
	require.Equal(t, n, w.fetched.Load())
	w.bodies["https://mirror.example/p"] = string(body)
	c.add(time.Minute)
	_, err = s.Obtain(t.Context(), p)
	require.NoError(t, err)
	_, err = s.Obtain(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, n+1, w.fetched.Load(), "it is held")
	_, err = s.Obtain(t.Context(), engine.Proposal{Source: source})
	refusedWith(t, protocol.CodeUnsupportedHash, err)
}

// recalling is a source that fails, at first and then as what it remembers.
type recalling struct {
	web
	err error
}

type earlier struct{ error }

func (earlier) Remembered() bool { return true }

func (f *recalling) FetchFor(context.Context, string, string, string) ([]byte, string, error) {
	f.fetched.Add(1)
	return nil, "", f.err
}

// TestRememberedOnce: what the source remembers of a failure is not remembered anew, or the
// document would be away for two minutes (FETCH-11).
func TestRememberedOnce(t *testing.T) {
	t.Parallel()
	pin := grant(t).Pin()
	for _, row := range []struct {
		err     error
		fetches int32
	}{{errors.New("refused"), 1}, {earlier{errors.New("refused")}, 3}, {fmt.Errorf("of bob: %w", earlier{errors.New("refused")}), 3}} {
		f := &recalling{err: row.err}
		s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) {
			c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{pin}}, f
		})
		for range 3 {
			_, err := s.Obtain(t.Context(), engine.Proposal{Pin: pin, Source: source})
			refusedWith(t, protocol.CodeProtocolUnavailable, err)
		}
		require.Equal(t, row.fetches, f.fetched.Load(), "%v", row.err)
	}
}

// TestFailuresInWords: what is remembered of a document that could not be had says the same
// and holds nothing of the document: the errors of 1,024 would hold gigabytes.
func TestFailuresInWords(t *testing.T) {
	t.Parallel()
	const head = `@prefix a2a: <https://w3id.org/jeswr/a2a#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:d> a a2a:ProtocolDocument ; a2a:requestShape <urn:r> . <urn:r> a sh:NodeShape ; sh:targetClass a2a:Intent ; sh:minCount `
	for _, body := range []string{head + "1 .", head + `"x" ; sh:node <urn:r> .`, head + `1 ; sh:sparql [] .`, head} {
		pin := canon.Sum([]byte("another"))
		if c, err := protocol.Parse(t.Context(), []byte(body), turtleMT, protocol.Options{}); err == nil {
			pin = c.Pin()
		}
		s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) {
			c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{pin}}, &web{bodies: map[string]string{source: body}}
		})
		obtain := func() *protocol.Error {
			_, err := s.Obtain(t.Context(), engine.Proposal{Pin: pin, Source: source})
			var e *protocol.Error
			require.ErrorAs(t, err, &e)
			return e
		}
		first, again := obtain(), obtain()
		require.Error(t, first.Err)
		require.NoError(t, again.Err)
		require.Equal(t, first.Code, again.Code)
		require.Equal(t, first.Error(), again.Error())
	}
}

// TestAwait: all waiting for a document that is fetched is in Await, and nothing else is.
func TestAwait(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	pin := grant(t).Pin()
	for _, row := range []struct {
		name  string
		comes bool // the document, or else the time is up
		after error
		code  protocol.Code
	}{
		{"the document comes", true, nil, ""},
		{"the time is up", false, nil, protocol.CodeProtocolUnavailable},
		{"the time is up after the document came", true, context.DeadlineExceeded, protocol.CodeLimitExceeded},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var waiting, waited atomic.Int32
				w := &web{bodies: map[string]string{source: string(body)}, wait: make(chan struct{})}
				s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) {
					c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{pin}}, w
					c.Await = func(_ context.Context, wait func()) error {
						waiting.Add(1)
						wait()
						waiting.Add(-1)
						waited.Add(1)
						return row.after
					}
				})
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				const n = 3 // of whom one fetches
				codes := make(chan protocol.Code, n)
				for range n {
					go func() {
						_, err := s.Obtain(ctx, engine.Proposal{Pin: pin, Source: source})
						var refused *protocol.Error
						if !errors.As(err, &refused) {
							refused = &protocol.Error{}
						}
						codes <- refused.Code
					}()
				}
				synctest.Wait()
				require.EqualValues(t, n, waiting.Load())
				if row.comes {
					close(w.wait)
				}
				for range n {
					code := <-codes
					if code != row.code {
						require.Equal(t, protocol.CodeLimitExceeded, code)
						require.False(t, row.comes) // of those who wait for another's
					}
				}
				require.Zero(t, waiting.Load())
				require.GreaterOrEqual(t, waited.Load(), int32(n))
			})
		})
	}
}

// TestAwaitNothing: without waiting there is no document, neither for who fetches it nor
// for who waits for that.
func TestAwaitNothing(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	pin := grant(t).Pin()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		w := &web{bodies: map[string]string{source: string(body)}, wait: make(chan struct{})}
		s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) {
			c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{pin}}, w
			c.Await = func(_ context.Context, wait func()) error {
				if calls.Add(1) == 1 {
					wait()
				}
				return nil
			}
		})
		obtain := func(source string) error {
			_, err := s.Obtain(t.Context(), engine.Proposal{Pin: pin, Source: source})
			return err
		}
		fetched := make(chan error)
		go func() { fetched <- obtain(source) }()
		synctest.Wait()
		refusedWith(t, protocol.CodeLimitExceeded, obtain(source))
		close(w.wait)
		require.NoError(t, <-fetched)
	})
	s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) {
		c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{pin}}, &web{bodies: map[string]string{source: string(body)}}
		c.Await = func(context.Context, func()) error { return nil }
	})
	_, err = s.Obtain(t.Context(), engine.Proposal{Pin: pin, Source: source})
	refusedWith(t, protocol.CodeLimitExceeded, err)
}

// TestOfferFlood: offers of one peer beyond four at a time are turned away, and may come
// again (section 5.4).
func TestOfferFlood(t *testing.T) {
	t.Parallel()
	w := &web{bodies: map[string]string{}, wait: make(chan struct{})}
	pin := grant(t).Pin()
	s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) {
		c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{pin}}, w
	})
	offer := func(i int) engine.Message {
		return message("m-"+strconv.Itoa(i), "ctx", payload("upgrade-offer", "", offerJSON(pin, true), ""))
	}
	var wg sync.WaitGroup
	outcomes := make(chan engine.Outcome, 16)
	for i := range 16 {
		wg.Go(func() {
			o, err := s.Receive(context.Background(), aliceToBob, offer(i))
			if err != nil {
				t.Error(err)
			}
			outcomes <- o
		})
	}
	for range 12 {
		o := <-outcomes
		require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		require.True(t, o.Rate)
	}
	eve := aliceToBob
	eve.Principal = "https://eve.example/"
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.Receive(context.Background(), eve, offer(99)) // another peer has its own places
	}()
	close(w.wait)
	wg.Wait()
	<-done
	again := receive(t, s, aliceToBob, offer(0))
	require.Contains(t, []protocol.Code{protocol.CodeProtocolUnavailable}, again.Code, "%s", again.Trace)
}

// TestObtainTogether: all who want a document while it is fetched wait for that (FETCH-11).
func TestObtainTogether(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		pin := grant(t).Pin()
		w := &web{bodies: map[string]string{source: string(body)}, wait: make(chan struct{})}
		s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) {
			c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{pin}}, w
		})
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				p := engine.Proposal{Pin: pin, Source: source}
				if i%2 == 1 {
					p.Source = "https://mirror.example/p"
				}
				if _, err := s.Obtain(context.Background(), p); err != nil && p.Source == source {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		require.EqualValues(t, 1, w.fetched.Load())
		close(w.wait)
		wg.Wait()
		_, held := s.docs.Get(pin)
		require.True(t, held)
	})
}

// reviewer is a Policy that goes by the review.
type reviewer struct{ asked []bool }

func (r *reviewer) Allow(_ context.Context, _ engine.Proposal, review *protocol.Review) error {
	r.asked = append(r.asked, review != nil)
	if review != nil {
		return errors.New("it costs too much")
	}
	return nil
}

// TestPolicyOfReview: the policy has its say after the review, too, also about a document
// that is held (VAL-7).
func TestPolicyOfReview(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	doc := grant(t)
	for _, docs := range [][]*protocol.Reviewed{nil, {doc}} {
		policy := &reviewer{}
		s := newSide(t, &clock{at: noon}, "alice", docs, func(c *engine.Config) {
			c.Policy, c.Source = policy, &web{bodies: map[string]string{source: string(body)}}
		})
		o := receive(t, s, aliceToBob, message("m", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), true), "")))
		require.Equal(t, protocol.CodeUnsupportedProtocol, o.Code, "%s", o.Trace)
		require.Nil(t, o.Agreement)
		require.False(t, policy.asked[0])
		require.True(t, policy.asked[len(policy.asked)-1])
		_, held := s.docs.Get(doc.Pin())
		require.Equal(t, docs != nil, held)
	}
}

// TestObtainHeld: that a peer names a publisher as the source of a document that is held
// says nothing, until the document was there (VAL-7).
func TestObtainHeld(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	doc := grant(t)
	publisher := engine.AllowList{Publishers: []string{"https://alice.pod.example"}}
	for _, row := range []struct {
		name    string
		policy  engine.Policy
		there   bool
		web     bool
		own     string // the source of the own card
		code    protocol.Code
		fetched int32
	}{
		{"by its pin", engine.AllowList{Pins: []canon.Digest{doc.Pin()}}, false, true, "", "", 0},
		{"by its pin and the publisher", engine.AllowList{Pins: []canon.Digest{doc.Pin()}, Publishers: publisher.Publishers}, false, true, "", "", 0},
		{"by its publisher, where it is", publisher, true, true, "", "", 1},
		{"by a publisher that does not have it", publisher, false, true, "", protocol.CodeProtocolUnavailable, 1},
		{"by a publisher that nobody asks", publisher, true, false, "", protocol.CodeUnsupportedProtocol, 0},
		{"by its publisher, as the own card says", publisher, false, true, source, "", 0},
		{"by another publisher", engine.AllowList{Publishers: []string{"https://bob.example"}}, true, true, "", protocol.CodeUnsupportedProtocol, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := &web{bodies: map[string]string{}}
			if row.there {
				w.bodies[source] = string(body)
			}
			s := newSide(t, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
				c.Policy = row.policy
				if row.web {
					c.Source = w
				}
				if row.own != "" {
					c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: row.own}}
				}
			})
			for i := range 2 { // the second time in another context
				o := receive(t, s, aliceToBob, message("m-1", "ctx-"+strconv.Itoa(i), payload("upgrade-offer", "", offerJSON(doc.Pin(), true), "")))
				require.Equal(t, engine.KindReply, o.Kind, "%s", o.Trace)
				require.Equal(t, row.code, o.Code, o.Reason)
				require.Equal(t, row.code == "", o.Agreement != nil)
			}
			require.Equal(t, row.fetched, w.fetched.Load(), "fetched once")
		})
	}
}

// bounded is a PeerSource that lets each peer fetch once.
type bounded struct {
	web
	mu    sync.Mutex
	peers map[string]int
}

type tooOften struct{}

func (tooOften) Error() string   { return "too often" }
func (tooOften) Throttled() bool { return true }

func (b *bounded) FetchFor(ctx context.Context, peer, pin, url string) ([]byte, string, error) {
	b.mu.Lock()
	b.peers[peer]++
	n := b.peers[peer]
	b.mu.Unlock()
	if n > 1 {
		return nil, "", tooOften{}
	}
	return b.Fetch(ctx, url)
}

// TestPeerSource: what a peer causes is counted for it, for one without authentication
// for where it came from, and counts against nobody else (FETCH-11).
func TestPeerSource(t *testing.T) {
	t.Parallel()
	pin := grant(t).Pin()
	w := &bounded{web: web{bodies: map[string]string{}}, peers: map[string]int{}}
	s := newSide(t, &clock{at: noon}, "alice", nil, func(c *engine.Config) {
		c.Policy, c.Source = engine.AllowList{Publishers: []string{"https://alice.pod.example"}}, w
	})
	obtain := func(p engine.Peer, path string) protocol.Code {
		_, err := s.Obtain(t.Context(), engine.Proposal{Peer: p, Pin: pin, Source: "https://alice.pod.example/" + path})
		var e *protocol.Error
		require.ErrorAs(t, err, &e)
		return e.Code
	}
	bob, eve := aliceToBob, aliceToBob
	eve.Principal = "https://eve.example/"
	nobody := engine.Peer{Network: "192.0.2.1"}
	require.Equal(t, protocol.CodeProtocolUnavailable, obtain(bob, "1"))
	require.Equal(t, protocol.CodeLimitExceeded, obtain(bob, "2"))
	require.Equal(t, protocol.CodeProtocolUnavailable, obtain(eve, "2"), "it is not remembered that bob asks too often")
	require.Equal(t, protocol.CodeProtocolUnavailable, obtain(nobody, "3"))
	require.Equal(t, protocol.CodeLimitExceeded, obtain(nobody, "4"))
	nobody.Network = "192.0.2.2"
	require.Equal(t, protocol.CodeProtocolUnavailable, obtain(nobody, "4"))
	require.Equal(t, protocol.CodeProtocolUnavailable, obtain(engine.Peer{Principal: "192.0.2.2"}, "5"), "a principal is no network")
	require.Len(t, w.peers, 5)
}

// TestNetworks: one network that floods does not use up what there is for all peers
// without authentication (RPL-3, section 5.4).
func TestNetworks(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	c := &clock{at: noon}
	s := grantServer(t, c, func(c *engine.Config) {
		c.Limits.Network = 3
		c.Store = replay.NewMemory(replay.Limits{PerPeer: 8})
	})
	send := func(network, principal, id, contextID string) engine.Outcome {
		return receive(t, s, engine.Peer{Principal: principal, Network: network, Active: []string{uri}},
			message(id, contextID, payload("intent", doc.Pin().String(), grantIntent, turtleMT)))
	}
	for i, kind := range []engine.Kind{engine.KindIntent, engine.KindIntent, engine.KindIntent, engine.KindRefused, engine.KindRefused} {
		o := send("192.0.2.1", "", "m-"+strconv.Itoa(i), "ctx")
		require.Equal(t, kind, o.Kind, "%d %s", i, o.Trace)
		require.Equal(t, kind == engine.KindRefused, o.Rate)
	}
	require.Equal(t, engine.KindDuplicate, send("192.0.2.2", "", "m-0", "ctx").Kind, "a duplicate is one wherever it comes from")
	require.Equal(t, engine.KindIntent, send("192.0.2.2", "", "n-0", "ctx").Kind)
	require.Equal(t, engine.KindIntent, send("192.0.2.1", "https://bob.example/", "m-9", "ctx").Kind, "who is authenticated is no network")
	require.Equal(t, engine.KindIntent, send("", "", "u-0", "ctx").Kind, "nor is nobody knows where")
	c.add(24 * time.Hour)
	require.Equal(t, engine.KindIntent, send("192.0.2.1", "", "m-4", "ctx").Kind, "a day later")

	w := &web{bodies: map[string]string{}, wait: make(chan struct{})}
	s = newSide(t, c, "alice", nil, func(c *engine.Config) {
		c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{doc.Pin()}}, w
	})
	offer := func(network string, i int) engine.Outcome {
		o, err := s.Receive(context.Background(), engine.Peer{Network: network, Active: []string{uri}},
			message(network+strconv.Itoa(i), "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), true), "")))
		if err != nil {
			t.Error(err)
		}
		return o
	}
	var wg sync.WaitGroup
	turnedAway := make(chan bool, 12)
	for i := range 12 {
		wg.Go(func() { turnedAway <- offer("192.0.2.1", i).Rate })
	}
	for range 8 {
		require.True(t, <-turnedAway)
	}
	other := make(chan bool)
	wg.Go(func() { other <- offer("192.0.2.2", 0).Rate })
	close(w.wait)
	require.False(t, <-other)
	wg.Wait()
}
