package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/examples/internal/demo"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

const (
	// loadEnv says for how long TestLoad loads the agent; 2 seconds by default. With
	// go test -cpuprofile the samples are labelled with their side.
	loadEnv = "RDFPROTO_EXAMPLE_LOAD"

	loadClients = 64

	// heapSlack is what the heap may have more at the end than at a quarter of the time:
	// requests that are under way when it is looked at.
	heapSlack = 16 << 20
)

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		child()
		return
	}
	goleak.VerifyTestMain(m)
}

// TestLoad loads the agent with many clients at a time, each of which sends an intent
// without its mandate, which is refused, and one with it, again and again.
func TestLoad(t *testing.T) {
	duration := 2 * time.Second
	if s := os.Getenv(loadEnv); s != "" {
		var err error
		duration, err = time.ParseDuration(s)
		require.NoError(t, err)
	}
	folder, parties := prepare(t, loadClients)
	cardURL, stop := serve(t, folder, "127.0.0.1:0")
	pin, documents := documentOf(t)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var granted atomic.Int64
	failed := make(chan error, loadClients)
	var ready, group sync.WaitGroup
	ready.Add(loadClients)
	begin := make(chan struct{})
	for _, me := range parties {
		client := dial(t, me, cardURL, pin, documents)
		group.Go(func() {
			pprof.Do(ctx, pprof.Labels("side", "client"), func(ctx context.Context) {
				talk := client.Conversation("")
				err := grant(ctx, me, talk, pin)
				ready.Done()
				<-begin
				for err == nil && ctx.Err() == nil {
					if err = grant(ctx, me, talk, pin); err == nil {
						granted.Add(1)
					}
				}
				if err != nil && ctx.Err() == nil {
					failed <- err
				}
			})
		})
	}
	ready.Wait()
	start := time.Now()
	close(begin)
	heap := func(at time.Duration) uint64 {
		timer := time.NewTimer(time.Until(start.Add(at)))
		defer timer.Stop()
		select {
		case <-timer.C:
		case err := <-failed:
			require.NoError(t, err)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	quarter, end := heap(duration/4), heap(duration)
	n, took := granted.Load(), time.Since(start)
	cancel()
	group.Wait()
	stop()
	select {
	case err := <-failed:
		require.NoError(t, err)
	default:
	}
	require.NotZero(t, n)
	require.LessOrEqual(t, end, quarter+heapSlack, "the heap grows")
	t.Logf("%d clients, %s: %d intents granted, %.0f a second, each after a refusal; heap %.1f MiB at a quarter, %.1f MiB at the end",
		loadClients, took.Round(time.Millisecond), n, float64(n)/took.Seconds(), float64(quarter)/(1<<20), float64(end)/(1<<20))
}

// grant makes one grant under the document that the card declares: an intent without a
// presentation, which is refused with a challenge, and one with it.
func grant(ctx context.Context, me *demo.Client, talk *a2a.Conversation, pin canon.Digest) error {
	draft, err := draftOf(ctx, me, talk, pin)
	if err != nil {
		return err
	}
	r, err := talk.Intent(ctx, draft)
	if err == nil && r.Kind != engine.KindResponse {
		err = fmt.Errorf("an intent came to %s %s: %s", r.Kind, r.Code, r.Reason)
	}
	return err
}

// draftOf makes the intent to let Bob read, with the mandate of a client, for a challenge
// that it asks the agent for.
func draftOf(ctx context.Context, me *demo.Client, talk *a2a.Conversation, pin canon.Digest) (engine.IntentDraft, error) {
	graph, err := protocol.Intent{
		ID: protocol.IntentBase + "1", Verb: protocol.VerbGrant, Target: demo.Meeting, Recipient: demo.Bob, Modes: protocol.ModeRead,
	}.Graph()
	if err != nil {
		return engine.IntentDraft{}, err
	}
	draft := engine.IntentDraft{Pin: pin, Graph: graph}
	refused, err := talk.Intent(ctx, draft)
	if err != nil {
		return draft, err
	}
	if refused.Challenge == nil {
		return draft, fmt.Errorf("an intent without a presentation came to %s %s: %s", refused.Kind, refused.Code, refused.Reason)
	}
	draft.Presentation, err = me.Present(ctx, refused.Challenge)
	return draft, err
}

// prepare makes a folder for an agent and some clients.
func prepare(t *testing.T, clients int) (demo.Folder, []*demo.Client) {
	t.Helper()
	folder := demo.Folder(filepath.Join(t.TempDir(), "demo"))
	require.NoError(t, folder.Create())
	store, err := bolt.Create(folder.Store(), bolt.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	agent, parties, err := demo.New(t.Context(), clients)
	require.NoError(t, err)
	require.NoError(t, folder.SaveAgent(agent))
	require.NoError(t, folder.SaveClient(parties[0]))
	return folder, parties
}

// serve runs the agent in this process.
func serve(t *testing.T, folder demo.Folder, address string) (cardURL string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		pprof.Do(ctx, pprof.Labels("side", "agent"), func(ctx context.Context) {
			err := run(ctx, folder, address, &firstWrite{to: in}, &pod{})
			in.CloseWithError(fmt.Errorf("the agent ended: %w", err))
			done <- err
		})
	}()
	buffer := make([]byte, 256)
	n, err := out.Read(buffer)
	require.NoError(t, err)
	require.NoError(t, out.Close())
	return originOf(t, string(buffer[:n])) + a2a.CardPath, func() {
		t.Helper()
		cancel()
		require.NoError(t, <-done)
	}
}

// firstWrite passes on what is written first and drops the rest.
type firstWrite struct {
	once sync.Once
	to   io.Writer
}

func (w *firstWrite) Write(p []byte) (int, error) {
	w.once.Do(func() { _, _ = w.to.Write(p) })
	return len(p), nil
}

// originOf finds the agent's address in its first line.
func originOf(t *testing.T, line string) string {
	t.Helper()
	line, _, _ = strings.Cut(line, "\n")
	_, origin, ok := strings.Cut(line, " is at ")
	require.True(t, ok, line)
	return origin
}

// documentOf is the agent's document as a client holds it.
func documentOf(t *testing.T) (canon.Digest, *protocol.Store) {
	t.Helper()
	c, err := protocol.Parse(t.Context(), grantAccess, turtle, protocol.Options{})
	require.NoError(t, err)
	d, err := c.Verify(c.Pin())
	require.NoError(t, err)
	reviewed, err := protocol.Examine(d).Accept()
	require.NoError(t, err)
	documents := protocol.NewStore(0)
	require.NoError(t, documents.Put(reviewed))
	return c.Pin(), documents
}

// dial makes a client of the agent that holds the document.
func dial(t *testing.T, me *demo.Client, cardURL string, pin canon.Digest, documents *protocol.Store) *a2a.Client {
	t.Helper()
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM([]byte(me.Certificate)))
	u, err := url.Parse(cardURL)
	require.NoError(t, err)
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	require.NoError(t, err)
	web, err := fetch.New(fetch.Options{Ports: []uint16{uint16(port)}, RootCAs: roots, InsecureAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	require.NoError(t, err)
	e, err := engine.New(engine.Config{
		Local: "https://bob.pod.example/agent", Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{pin}},
	})
	require.NoError(t, err)
	keys, err := agentcard.ParseTrustStore(me.CardKeys, agentcard.Limits{})
	require.NoError(t, err)
	client, err := a2a.Dial(t.Context(), cardURL, a2a.ClientConfig{
		Engine: e, Cards: fetch.NewCache(web, fetch.Card(), 0, nil), Trust: a2a.CardTrust{Keys: agentcard.Keys{Trust: keys}},
		TLS: &tls.Config{RootCAs: roots},
		Authorize: func(context.Context, a2a.Endpoint) (http.Header, error) {
			return http.Header{"Authorization": {"Bearer " + me.Token}}, nil
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}
