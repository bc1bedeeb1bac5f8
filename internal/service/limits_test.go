package service_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// TestBodyLimits sends each route a body of as many bytes as it reads and one more,
// with its length said before and not.
func TestBodyLimits(t *testing.T) {
	t.Parallel()
	for _, rt := range service.Routes() {
		if rt.Method != http.MethodPost {
			continue
		}
		t.Run(rt.Path, func(t *testing.T) {
			t.Parallel()
			s := serve(t, service.Options{Door: service.DoorSocket})
			for _, said := range []bool{true, false} {
				for _, row := range []struct {
					size int64
					over bool
				}{{rt.Most - 1, false}, {rt.Most, false}, {rt.Most + 1, true}} {
					// White space and no value: refused once it was read.
					body := io.Reader(strings.NewReader(strings.Repeat(" ", int(row.size))))
					if !said {
						body = io.MultiReader(body) // so that its length is not known
					}
					req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+rt.Path, body)
					require.NoError(t, err)
					req.Header.Set("Content-Type", inJSON)
					resp, err := s.Client().Do(req)
					if err != nil && row.over {
						continue // the connection was closed while the body was on its way
					}
					require.NoError(t, err)
					r := read(t, resp)
					if row.over {
						require.Equal(t, 413, r.status, r.text)
						require.Equal(t, "limit-exceeded", r.str("code"))
						require.Contains(t, r.str("message"), fmt.Sprint(rt.Most))
					} else {
						require.Equal(t, 400, r.status, r.text)
					}
				}
			}
		})
	}
}

// TestDocumentLimits: what is read of a body has the limits of the library.
func TestDocumentLimits(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket})
	pad := func(n int) string { return "<urn:s> <urn:p> 1 .\n#" + strings.Repeat("x", n-21) }
	for _, row := range []struct {
		name, path string
		most       int
		body       func(n int) (contentType, body string)
	}{
		{"a document", "/v1/hash", 1 << 20, func(n int) (string, string) { return turtle, pad(n) }},
		{"a document in JSON", "/v1/hash", 1 << 20, func(n int) (string, string) {
			return inJSON, object(t, m{"document": m{"content": pad(n), "mediaType": turtle}})
		}},
		{"data", "/v1/validate", 256 << 10, func(n int) (string, string) {
			return inJSON, object(t, m{"data": m{"content": pad(n), "mediaType": turtle}, "shapes": []m{{"content": "", "mediaType": turtle}}})
		}},
		{"shapes", "/v1/validate", 1 << 20, func(n int) (string, string) {
			return inJSON, object(t, m{"data": m{"content": "", "mediaType": turtle}, "shapes": []m{{"content": pad(n), "mediaType": turtle}}})
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for n, status := range map[int]int{row.most: 200, row.most + 1: 413} {
				contentType, body := row.body(n)
				r := s.post(t, row.path, contentType, body)
				require.Equal(t, status, r.status, r.text)
			}
		})
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket})
	require.Equal(t, 200, s.post(t, "/v1/hash", turtle, "", "Content-Encoding", "identity").status)
	require.Equal(t, 415, s.post(t, "/v1/hash", turtle, "", "Content-Encoding", "gzip").status)
	require.Equal(t, 415, s.post(t, "/v1/validate", turtle, "").status, "that route reads JSON alone")
	require.Equal(t, 415, s.post(t, "/v1/hash", turtle, "", "Content-Type", inJSON).status, "two types")
}

// TestBusy: of more requests than are worked on at once, each is told to come again.
func TestBusy(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket, Requests: 2})
	hold, held := make(chan struct{}), make(chan struct{}, 2)
	service.Break(s.service, "/v1/hash", func() { held <- struct{}{}; <-hold })
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			r := s.post(t, "/v1/hash", turtle, "")
			if r.status != 200 {
				t.Errorf("status %d", r.status)
			}
		})
	}
	<-held
	<-held
	r := s.post(t, "/v1/validate", inJSON, "{}")
	require.Equal(t, 503, r.status)
	require.Equal(t, "busy", r.str("code"))
	require.Equal(t, "1", r.header.Get("Retry-After"))
	require.Equal(t, 200, s.call(t, http.MethodGet, "/healthz", "", "").status, "probes come through")
	metrics := s.call(t, http.MethodGet, "/metrics", "", "").text
	require.Contains(t, metrics, "rdfprotod_requests_in_flight 3\n") // that one included
	close(hold)
	wg.Wait()
	require.Equal(t, 400, s.post(t, "/v1/validate", inJSON, "{}").status)
}

// TestTurns: requests that are not small, which may cost a multiple of their bytes, are
// judged a few at a time, and smaller ones do not wait for them.
func TestTurns(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name        string
		turns, over int
	}{
		{"medium", service.MediumTurns, service.MediumBody},
		{"large", service.LargeTurns, service.LargeBody},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			turns := row.turns * runtime.GOMAXPROCS(0)
			s := serve(t, service.Options{Door: service.DoorSocket, Requests: turns + 4, Time: 300 * time.Millisecond})
			hold, held := make(chan struct{}), make(chan struct{}, turns)
			service.Break(s.service, "/v1/hash", func() { held <- struct{}{}; <-hold })
			space := func(n int) string { return strings.Repeat(" ", n) }
			var wg sync.WaitGroup
			for range turns {
				wg.Go(func() {
					if r := s.post(t, "/v1/hash", turtle, space(row.over+1)); r.status != 200 {
						t.Errorf("status %d", r.status)
					}
				})
			}
			for range turns {
				<-held
			}
			r := s.post(t, "/v1/validate", inJSON, space(row.over+1))
			require.Equal(t, 503, r.status)
			require.Equal(t, "timeout", r.str("code"))
			require.Equal(t, "1", r.header.Get("Retry-After"))
			require.Equal(t, 400, s.post(t, "/v1/validate", inJSON, space(row.over)).status)
			close(hold)
			wg.Wait()
			require.Equal(t, 400, s.post(t, "/v1/validate", inJSON, space(row.over+1)).status)
		})
	}
}

// TestSlowReaders: who does not read an answer keeps nothing that others wait for.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	const size = 2 << 20
	turns := service.LargeTurns * runtime.GOMAXPROCS(0)
	s := serve(t, service.Options{Door: service.DoorSocket, Requests: turns * size / service.BodyShare})
	judged := make(chan struct{}, turns)
	service.Lengthen(s.service, "/v1/hash", 16<<20, func() { judged <- struct{}{} }) // more than sockets hold
	for range turns {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		require.NoError(t, err)
		defer c.Close()
		_, err = fmt.Fprintf(c, "POST /v1/hash HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat(" ", size))
		require.NoError(t, err)
		<-judged
	}
	require.Eventually(t, func() bool { return service.Turns(s.service) == 0 }, 5*time.Second, time.Millisecond)
	require.Eventually(t, func() bool { return service.Held(s.service) == 0 }, 5*time.Second, time.Millisecond)
	require.Equal(t, 400, s.post(t, "/v1/validate", inJSON, strings.Repeat(" ", service.LargeBody+1)).status)
}

// slowWeb is a source of one document, which comes when a test lets it.
type slowWeb struct {
	body    string
	fetches chan struct{} // gets one for each fetch
	comes   chan struct{}
}

func (w *slowWeb) Fetch(ctx context.Context, _ string) ([]byte, string, error) {
	w.fetches <- struct{}{}
	select {
	case <-w.comes:
		return []byte(w.body), turtle, nil
	case <-ctx.Done():
		return nil, "", ctx.Err()
	}
}

func (w *slowWeb) FetchFor(ctx context.Context, _, _, url string) ([]byte, string, error) {
	return w.Fetch(ctx, url)
}

// serveFetching makes a service of an agent that accepts a document and has to fetch it.
func serveFetching(t *testing.T, limit time.Duration, document string) (*testServer, *slowWeb) {
	w := &slowWeb{body: document, fetches: make(chan struct{}, 8), comes: make(chan struct{})}
	j, err := service.FetchingJudge(engine.Config{
		Local: "https://alice.example/", Documents: protocol.NewStore(0), Store: replay.NewMemory(replay.Limits{}), Clock: noon, Random: rand.Reader,
		Policy: engine.AllowList{Pins: []canon.Digest{pinOf(t, grantPin)}},
	}, w)
	require.NoError(t, err)
	return serve(t, service.Options{Door: service.DoorSocket, Judge: j, Time: limit}), w
}

// TestTimeOfOffers: the time in which an offered document is fetched is no time of judging.
func TestTimeOfOffers(t *testing.T) {
	t.Parallel()
	const limit = 500 * time.Millisecond
	s, w := serveFetching(t, limit, testdata(t, "grant-access.ttl"))
	time.AfterFunc(2*limit, func() { close(w.comes) })
	r := s.receive(t, msg("m-1", "c-1", offer(grantPin, true)))
	require.Equal(t, "yes", r.str("verdict"), r.text)

	service.Endless(s.service, "/v1/receive")
	began := time.Now()
	r = s.post(t, "/v1/receive", inJSON, "{}")
	require.Less(t, time.Since(began), 10*limit, "without a fetch there is no more time")
	require.Equal(t, "timeout", r.str("code"))
	require.Equal(t, "the time of the request is up", r.str("message"))
}

// TestTurnsOfOffers: a request has no turn while it waits for a document that is offered, and
// has one for it, too, when it is there.
func TestTurnsOfOffers(t *testing.T) {
	t.Parallel()
	offers := func(s *testServer, n, size int) <-chan result {
		all := make(chan result, n)
		for i := range n {
			go func() {
				message := msg(fmt.Sprint("m-", i), fmt.Sprint("c-", i), offer(grantPin, true))
				message["metadata"] = m{"x": strings.Repeat("y", size)}
				all <- s.post(t, "/v1/receive", inJSON, object(t, m{"message": message, "peer": fmt.Sprint("urn:peer:", i), "extensions": []string{protocol.ExtensionURI}}))
			}()
		}
		return all
	}
	const long = 10 * time.Second
	for _, row := range []struct {
		name        string
		turns, over int
	}{
		{"medium", service.MediumTurns, service.MediumBody},
		{"large", service.LargeTurns, service.LargeBody},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s, w := serveFetching(t, long, testdata(t, "grant-access.ttl"))
			n := row.turns*runtime.GOMAXPROCS(0) + 1
			all := offers(s, n, row.over)
			<-w.fetches
			for range 3 {
				assert.Equal(t, 400, s.post(t, "/v1/validate", inJSON, strings.Repeat(" ", row.over+1)).status)
			}
			close(w.comes)
			for range n {
				r := <-all
				require.Equal(t, "yes", r.str("verdict"), r.text)
			}
			require.Eventually(t, func() bool { return service.Turns(s.service) == 0 }, 5*time.Second, time.Millisecond)
		})
	}
	t.Run("a large document", func(t *testing.T) {
		t.Parallel()
		for _, row := range []struct {
			size int
			code string
		}{{service.LargeBody + 1, "limit-exceeded"}, {service.MediumBody, ""}} {
			document := testdata(t, "grant-access.ttl")
			document += "#" + strings.Repeat(" ", row.size-len(document)-1)
			s, w := serveFetching(t, 300*time.Millisecond, document)
			hold, held := make(chan struct{}), make(chan struct{}, 64)
			service.Break(s.service, "/v1/hash", func() { held <- struct{}{}; <-hold })
			var wg sync.WaitGroup
			for range service.LargeTurns * runtime.GOMAXPROCS(0) {
				wg.Go(func() { s.post(t, "/v1/hash", turtle, strings.Repeat(" ", service.LargeBody+1)) })
				<-held
			}
			close(w.comes)
			r := <-offers(s, 1, 0)
			assert.Equal(t, row.code, r.str("code"), r.text)
			close(hold)
			wg.Wait()
			require.Eventually(t, func() bool { return service.Turns(s.service) == 0 }, 5*time.Second, time.Millisecond)
		}
	})
}

// TestBodies: large bodies have so many bytes together, whether their length is said before
// or not, and small ones find room beside them.
func TestBodies(t *testing.T) {
	t.Parallel()
	const size, n = 2 << 20, 4 // that there is room for
	s := serve(t, service.Options{Door: service.DoorSocket, Requests: n * size / service.BodyShare})
	hold, held := make(chan struct{}), make(chan struct{}, n)
	service.Break(s.service, "/v1/hash", func() { held <- struct{}{}; <-hold })
	post := func(size int, said bool) result {
		body := io.Reader(strings.NewReader(strings.Repeat(" ", size)))
		if !said {
			body = io.MultiReader(body)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/validate", body)
		require.NoError(t, err)
		req.Header.Set("Content-Type", inJSON)
		resp, err := s.Client().Do(req)
		require.NoError(t, err)
		return read(t, resp)
	}
	var wg sync.WaitGroup
	turns := service.LargeTurns * runtime.GOMAXPROCS(0)
	for range n {
		wg.Go(func() {
			if r := s.post(t, "/v1/hash", turtle, strings.Repeat(" ", size)); r.status != 200 {
				t.Errorf("status %d", r.status)
			}
		})
	}
	for range min(turns, n) {
		<-held
	}
	require.Eventually(t, func() bool { return service.Held(s.service) == n*size }, 5*time.Second, time.Millisecond)
	for _, said := range []bool{true, false} {
		r := post(service.LargeBody+1, said)
		require.Equal(t, 503, r.status, said)
		require.Equal(t, "busy", r.str("code"))
		require.Equal(t, "1", r.header.Get("Retry-After"))
		require.Equal(t, 400, post(service.LargeBody, said).status)
	}
	close(hold)
	wg.Wait()
	nothing := func() bool { return service.Held(s.service) == 0 } // answers come before
	for _, said := range []bool{true, false} {
		require.Eventually(t, nothing, 5*time.Second, time.Millisecond)
		require.Equal(t, 400, post(service.LargeBody+1, said).status, said)
	}
	require.Eventually(t, nothing, 5*time.Second, time.Millisecond)
}

// TestTime: a request whose time is up is no verdict.
func TestTime(t *testing.T) {
	t.Parallel()
	files := authority(t)
	s := serve(t, service.Options{Door: service.DoorSocket, Time: time.Nanosecond, Judge: judge(t, `{"agent":"a:a"}`, nil)})
	doc := m{"content": testdata(t, "grant-access.ttl"), "mediaType": turtle}
	for path, body := range map[string]string{
		"/v1/hash":      object(t, m{"document": doc}),
		"/v1/validate":  object(t, m{"data": doc, "shapes": []m{doc}}),
		"/v1/authorize": object(t, m{"input": input(t, files, "authority.json", nil), "files": texts(files)}),
	} {
		r := s.post(t, path, inJSON, body)
		require.Equal(t, 503, r.status, r.text)
		require.Equal(t, "timeout", r.str("code"))
		require.Equal(t, "1", r.header.Get("Retry-After"))
	}
}

// TestSlowBody: who sends too slowly is cut off, and keeps nobody from their turn.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	s := service.New(service.Options{Door: service.DoorLoopback, Requests: 1, BodyTime: 200 * time.Millisecond})
	done := make(chan error, 1)
	go func() {
		_, err := s.Serve(ctx, l, nil, time.Second)
		done <- err
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "POST /v1/hash HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: 100\r\n\r\n<urn:")
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	r := read(t, resp)
	require.Equal(t, 408, r.status, r.text)
	require.Equal(t, "timeout", r.str("code"))
	require.True(t, resp.Close)

	// One that ends in the middle is no request either.
	c, err = net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "POST /v1/hash HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: 100\r\n\r\n<urn:")
	require.NoError(t, err)
	require.NoError(t, c.(*net.TCPConn).CloseWrite())
	resp, err = http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	require.Equal(t, 400, read(t, resp).status)
	cancel()
	require.NoError(t, <-done)
}

// TestConcurrency: many requests at once give what one gives.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	grant, intent := testdata(t, "grant-access.ttl"), testdata(t, "intent.ttl")
	log := &logged{}
	s := serve(t, service.Options{
		Door: service.DoorSocket, Requests: 1000, Log: log.logger(), Time: time.Minute,
		Judge: judge(t, `{"documents":{"`+grantPin+`":"grant.ttl"}}`, map[string]string{"grant.ttl": grant}),
	})
	body := object(t, m{"data": m{"content": intent, "mediaType": turtle}, "protocol": grantPin})
	first := s.post(t, "/v1/validate", inJSON, body)
	require.Equal(t, 200, first.status)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				if r := s.post(t, "/v1/validate", inJSON, body); r.text != first.text {
					t.Errorf("another answer: %s", r.text)
				}
				if r := s.post(t, "/v1/hash", turtle, grant); r.str("hash") != grantPin {
					t.Errorf("another hash: %s", r.text)
				}
				s.call(t, http.MethodGet, "/metrics", "", "")
			}
		})
	}
	wg.Wait()
	metrics := s.call(t, http.MethodGet, "/metrics", "", "").text
	require.Contains(t, metrics, `rdfprotod_requests_total{route="/v1/validate",status="200",verdict="yes",code=""} 321`)
	require.Contains(t, metrics, `rdfprotod_request_duration_seconds_count{route="/v1/hash"} 320`)
}

// TestAnswerBytes has requests of some kilobytes whose reports, written out, are
// hundreds of megabytes.
func TestAnswerBytes(t *testing.T) {
	t.Parallel()
	const prefixes = "PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX ex: <urn:e:>\n"
	shared := func(predicate string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "_:l0 rdf:first %s ; rdf:rest ( %[1]s ) .\n", predicate)
		for i := 1; i < 11; i++ {
			fmt.Fprintf(&b, "_:l%d rdf:first _:l%d ; rdf:rest ( _:l%[2]d ) .\n", i, i-1)
		}
		return b.String() + "ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path _:l10 ; sh:minCount 1 ] .\n"
	}
	for _, row := range []struct {
		name, shapes string
		status       int
	}{
		{"a path of long IRIs", shared("<http://e/" + strings.Repeat("p", 1990) + ">"), 413},
		{"a path of many IRIs", shared("<http://e/" + strings.Repeat("p", 100) + ">"), 200},
		{"a long message of details", `ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:node ex:N . ex:N a sh:NodeShape` +
			strings.Repeat(` ; sh:property [ sh:path ex:p ; sh:minCount 1 ; sh:message "`+strings.Repeat("m", 12_000)+`" ]`, 20) + " .", 200},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, service.Options{Door: service.DoorSocket})
			var data strings.Builder
			for f := range 100 {
				fmt.Fprintf(&data, "<urn:e:f%d> a <urn:e:T> .\n", f)
			}
			doc := func(content string) m { return m{"content": content, "mediaType": turtle} }
			r := s.post(t, "/v1/validate", inJSON, object(t, m{"data": doc(data.String()), "shapes": []m{doc(prefixes + row.shapes)}}))
			require.Equal(t, row.status, r.status)
			require.Less(t, len(r.text), 1<<20+4096)
			if row.status == 200 {
				require.Equal(t, "no", r.str("verdict"))
				require.Contains(t, r.str("message"), "100 results")
			}
		})
	}
}
