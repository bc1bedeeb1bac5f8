package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
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
