package service_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/service"
	"github.com/rdfproto/rdfproto/protocol"
)

const (
	bob    = "https://bob.example/"
	source = "https://alice.example/grant"
)

// msg is a message with one part, or none.
func msg(id, contextID string, parts ...m) m {
	out := m{"messageId": id, "role": "ROLE_USER", "extensions": []string{protocol.ExtensionURI}, "parts": parts}
	if contextID != "" {
		out["contextId"] = contextID
	}
	return out
}

func tagged(kind, pin string, part m) m {
	md := m{protocol.KeyKind: kind}
	if pin != "" {
		md[protocol.KeyProtocolHash] = pin
	}
	part["metadata"] = md
	return part
}

func offer(pin string, required bool) m {
	return tagged("upgrade-offer", pin, m{"mediaType": inJSON, "data": m{"kind": "upgrade-offer", "protocolHash": pin, "protocolSource": source, "required": required}})
}

func intent(pin, body string) m {
	return tagged("intent", pin, m{"mediaType": turtle, "text": body})
}

// receive sends a message of bob's to a service.
func (s *testServer) receive(t testing.TB, message m) result {
	t.Helper()
	r := s.post(t, "/v1/receive", inJSON, object(t, m{"message": message, "peer": bob, "extensions": []string{protocol.ExtensionURI}}))
	require.Equal(t, 200, r.status, r.text)
	return r
}

func grantJudge(t testing.TB, config string) *service.Judge {
	t.Helper()
	return judge(t, strings.ReplaceAll(config, "PIN", grantPin), map[string]string{"grant.ttl": testdata(t, "grant-access.ttl")})
}

const permitAll = `{"agent":"https://alice.example/","documents":{"PIN":"grant.ttl"},"accept":{"pins":["PIN"]},"authorizer":{"insecurePermitAll":true},"replay":{"store":"memory"}}`

// TestReceive: an offer, an intent, its answer, and all of it again.
func TestReceive(t *testing.T) {
	t.Parallel()
	body := testdata(t, "intent.ttl")
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: grantJudge(t, permitAll)})

	r := s.receive(t, msg("m-0", "", intent(grantPin, body)))
	require.Equal(t, "unsupported-protocol", r.str("code"), r.text)
	require.Equal(t, "refused", r.str("outcome"))
	carried := r.object["error"].(m)
	require.Equal(t, m{
		"code": "unsupported-protocol", "jsonrpc": -32004., "grpc": "FAILED_PRECONDITION", "http": 400., "text": carried["text"],
		"metadata": m{protocol.KeyError: "unsupported-protocol"},
	}, carried)

	r = s.receive(t, msg("m-1", "", offer(grantPin, true)))
	require.Equal(t, "yes", r.str("verdict"), r.text)
	require.Equal(t, "reply", r.str("outcome"))
	require.Equal(t, grantPin, r.str("hash"))
	require.Equal(t, grantPin, r.object["agreement"].(m)["hash"])
	contextID := r.str("contextId")
	sent := r.object["reply"].(m)
	require.Equal(t, contextID, sent["contextId"])
	require.Contains(t, r.text, `"accept":true`)

	r = s.receive(t, msg("m-2", contextID, offer("sha256:"+strings.Repeat("0", 64), false)))
	require.Equal(t, "no", r.str("verdict"), r.text)
	require.Equal(t, "reply", r.str("outcome"))
	require.NotEmpty(t, r.str("code"))
	require.Contains(t, r.text, `"accept":false`)

	in := msg("m-3", contextID, intent(grantPin, body))
	r = s.receive(t, in)
	require.Equal(t, "yes", r.str("verdict"), r.text)
	require.Equal(t, "intent", r.str("outcome"))
	got := r.object["accepted"].(m)
	require.Equal(t, body, got["content"])
	require.Equal(t, turtle, got["mediaType"])
	require.Equal(t, bob, got["peer"])
	require.Equal(t, "m-3", got["messageId"])
	require.Equal(t, "grant", r.object["intent"].(m)["verb"])
	require.Equal(t, true, r.object["securityBearing"])
	handle := got["handle"].(string)
	require.Len(t, handle, 26)

	r = s.receive(t, in)
	require.Equal(t, "no", r.str("verdict"), r.text)
	require.Equal(t, "duplicate", r.str("outcome"))
	require.NotContains(t, r.object, "reply", "in progress")
	changed := msg("m-3", contextID, intent(grantPin, body+" "))
	require.Equal(t, "duplicate-message", s.receive(t, changed).str("code"))

	respond := func(v m) result { return s.post(t, "/v1/respond", inJSON, object(t, v)) }
	r = respond(m{"intent": handle, "text": "granted"})
	require.Equal(t, 200, r.status, r.text)
	require.Equal(t, "yes", r.str("verdict"), r.text)
	answered := r.object["reply"]
	require.Equal(t, contextID, answered.(m)["contextId"])
	r = s.receive(t, in)
	require.Equal(t, "duplicate", r.str("outcome"))
	require.Equal(t, answered, r.object["reply"])
	r = respond(m{"intent": handle, "text": "granted"})
	require.Equal(t, 404, r.status, r.text)
	require.Equal(t, "unknown-intent", r.str("code"))

	// An answer of the agent's own form.
	in = msg("m-4", contextID, intent(grantPin, body))
	handle = s.receive(t, in).object["accepted"].(m)["handle"].(string)
	r = respond(m{"intent": handle, "settle": m{"id": "task-1", "n": 1}})
	require.Equal(t, "yes", r.str("verdict"), r.text)
	require.Equal(t, m{"id": "task-1", "n": 1.}, s.receive(t, in).object["stored"])

	// An intent that could not be carried out.
	in = msg("m-5", contextID, intent(grantPin, body))
	handle = s.receive(t, in).object["accepted"].(m)["handle"].(string)
	for _, wrong := range []m{
		{"intent": handle}, {"intent": handle, "text": "x", "settle": 1}, {"intent": handle, "refuse": m{"code": "x"}}, {"text": "x"},
		{"intent": handle, "response": m{"content": "", "mediaType": turtle, "base": "a:b"}, "text": "x"}, {"intent": handle, "refuse": m{}, "x": 1},
		{"intent": handle, "response": m{"content": "", "mediaType": turtle}, "text": "x"}, {"intent": handle, "response": m{"content": "", "mediaType": turtle}, "settle": 1},
		{"intent": handle, "response": m{"content": "", "mediaType": turtle}, "refuse": m{}},
	} {
		require.Equal(t, 400, respond(wrong).status, wrong)
	}
	r = respond(m{"intent": handle, "refuse": m{"code": "authorization-denied", "reason": "no"}})
	require.Equal(t, "yes", r.str("verdict"), r.text)
	require.Equal(t, -31403., r.object["error"].(m)["jsonrpc"])
	r = s.receive(t, in)
	require.Equal(t, "authorization-denied", r.str("code"), r.text)

	// Of answers at the same time one counts, and the others are told so.
	long := "<urn:a> <urn:b> 0" + strings.Repeat(" .\n<urn:a> <urn:b> 1", 4_000) + " ." // which takes a while to read
	for i := range 5 {
		in = msg(fmt.Sprintf("m-at-once-%d", i), contextID, intent(grantPin, body))
		handle = s.receive(t, in).object["accepted"].(m)["handle"].(string)
		codes := make(chan string)
		for range 8 {
			go func() {
				r := respond(m{"intent": handle, "response": m{"content": long, "mediaType": turtle}})
				codes <- fmt.Sprint(r.status, r.str("code"))
			}()
		}
		count := map[string]int{}
		for range 8 {
			count[<-codes]++
		}
		require.Equal(t, map[string]int{"200": 1, "404unknown-intent": 7}, count)
	}

	// What is not for the engine, and what is nothing.
	r = s.receive(t, m{"messageId": "m-6", "role": "ROLE_USER", "parts": []m{{"text": "hello"}}})
	require.Equal(t, "nothing", r.str("verdict"), r.text)
	require.Equal(t, "prose", r.str("outcome"))
	r = s.receive(t, m{"messageId": "m-7", "contextId": contextID, "role": "ROLE_USER", "parts": []m{{"text": "please do it all the same"}}})
	require.Equal(t, "upgrade-required", r.str("code"), "natural language after an agreement")
	r = s.receive(t, m{"role": "user"})
	require.Equal(t, "no", r.str("verdict"))
	require.Equal(t, "malformed-payload", r.str("code"), r.text)
	r = s.receive(t, msg("m-8", contextID, intent(grantPin, testdata(t, "intent-incomplete.ttl"))))
	require.Equal(t, "intent-invalid", r.str("code"), r.text)
	require.NotEmpty(t, r.object["report"])
	require.Equal(t, 400, s.post(t, "/v1/receive", inJSON, `{"message":{},"peers":"x"}`).status)
	require.Equal(t, 400, s.post(t, "/v1/receive", inJSON, `{}`).status)
	require.Equal(t, 501, serve(t, service.Options{Door: service.DoorSocket}).post(t, "/v1/receive", inJSON, `{"message":{}}`).status)
	require.Equal(t, 501, serve(t, service.Options{Door: service.DoorSocket}).post(t, "/v1/respond", inJSON, `{"intent":"x","text":"x"}`).status)
}

// TestReceiveDenies: without an authorizer every intent is denied, and with one that
// asks for a chain, one without it; the denial comes with a challenge.
func TestReceiveDenies(t *testing.T) {
	t.Parallel()
	body := testdata(t, "intent.ttl")
	for name, config := range map[string]string{
		"nobody":  `{"agent":"https://alice.example/","documents":{"PIN":"grant.ttl"},"agreements":["PIN"]}`,
		"a chain": `{"agent":"https://alice.example/","domain":"https://alice.example/a2a","documents":{"PIN":"grant.ttl"},"agreements":["PIN"],"authorizer":{"rootPrincipal":"https://alice.example/#me"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, service.Options{Door: service.DoorSocket, Judge: grantJudge(t, config)})
			r := s.receive(t, msg("m-1", "c-1", intent(grantPin, body)))
			require.Equal(t, "no", r.str("verdict"), r.text)
			require.Equal(t, "authorization-denied", r.str("code"))
			require.Equal(t, 403., r.object["error"].(m)["http"])
			if name == "a chain" {
				c := r.object["challenge"].(m)
				require.Equal(t, "https://alice.example/a2a", c["domain"])
				require.NotEmpty(t, c["challenge"])
				require.Contains(t, r.object["error"].(m)["metadata"], protocol.KeyChallenge)
			}
		})
	}
}

// TestReceiveOnce: of many copies of a message that come at once, one is carried out.
func TestReceiveOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket, Requests: 100, Judge: grantJudge(t, strings.Replace(permitAll, `"replay"`, `"agreements":["PIN"],"replay"`, 1))})
	in := msg("m-1", "c-1", intent(grantPin, testdata(t, "intent.ttl")))
	var mu sync.Mutex
	outcomes := map[string]int{}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			r := s.receive(t, in)
			mu.Lock()
			defer mu.Unlock()
			outcomes[r.str("outcome")]++
		})
	}
	wg.Wait()
	require.Equal(t, map[string]int{"intent": 1, "duplicate": 49}, outcomes)
}

// TestReceiveNobody: a caller on bare loopback speaks for nobody, and does not reach
// what was agreed with somebody.
func TestReceiveNobody(t *testing.T) {
	t.Parallel()
	j := grantJudge(t, permitAll)
	owner := serve(t, service.Options{Door: service.DoorSocket, Judge: j})
	other := serve(t, service.Options{Door: service.DoorLoopback, Judge: j})
	contextID := owner.receive(t, msg("m-1", "", offer(grantPin, true))).str("contextId")
	r := other.post(t, "/v1/receive", inJSON, object(t, m{
		"message": msg("m-2", contextID, intent(grantPin, testdata(t, "intent.ttl"))), "extensions": []string{protocol.ExtensionURI},
	}))
	require.Equal(t, "unsupported-protocol", r.str("code"), r.text)
}

// TestReceiveIsDescribed: the members of outcomes are in the description.
func TestReceiveIsDescribed(t *testing.T) {
	t.Parallel()
	doc := description(t)
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: grantJudge(t, permitAll)})
	body := testdata(t, "intent.ttl")
	described := func(schema string, v any) {
		t.Helper()
		known := get(t, doc, "components", "schemas", schema, "properties").(m)
		for name := range v.(m) {
			require.Contains(t, known, name, schema)
		}
		for _, name := range strs(get(t, doc, "components", "schemas", schema).(m)["required"]) {
			require.Contains(t, v, name, schema)
		}
	}
	outcomes := strs(get(t, doc, "components", "schemas", "Outcome", "properties", "outcome", "enum"))
	check := func(message m) result {
		t.Helper()
		r := s.receive(t, message)
		described("Outcome", r.object)
		require.Contains(t, outcomes, r.str("outcome"))
		if e, ok := r.object["error"]; ok {
			described("Carriers", e)
		}
		if in, ok := r.object["accepted"]; ok {
			described("Accepted", in)
		}
		return r
	}
	contextID := check(msg("m-1", "", offer(grantPin, true))).str("contextId")
	in := msg("m-2", contextID, intent(grantPin, body))
	handle := check(in).object["accepted"].(m)["handle"]
	check(in)
	check(msg("m-3", contextID, intent(grantPin, testdata(t, "intent-incomplete.ttl"))))
	check(m{"messageId": "m-4", "role": "ROLE_USER", "parts": []m{{"text": "hello"}}})
	check(m{})
	described("Responded", s.post(t, "/v1/respond", inJSON, object(t, m{"intent": handle, "text": "x"})).object)
}

// TestStoreInAFile: what was seen is seen after a restart, and a file that is missing
// is not replaced by an empty one.
func TestStoreInAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "grant.ttl", testdata(t, "grant-access.ttl"), 0o600)
	file := write(t, dir, "config.json", strings.ReplaceAll(
		`{"agent":"https://alice.example/","documents":{"PIN":"grant.ttl"},"agreements":["PIN"],"authorizer":{"insecurePermitAll":true},"replay":{"store":"bolt","path":"seen.db"}}`, "PIN", grantPin), 0o600)
	in := msg("m-1", "c-1", intent(grantPin, testdata(t, "intent.ttl")))
	open := func(create bool) (*service.Judge, error) {
		c, err := service.ReadConfig(file)
		require.NoError(t, err)
		return service.NewJudge(t.Context(), c, noon, create)
	}
	_, err := open(false)
	require.Error(t, err)
	for i, outcome := range []string{"intent", "duplicate", "duplicate"} {
		j, err := open(i == 0)
		require.NoError(t, err)
		s := serve(t, service.Options{Door: service.DoorSocket, Judge: j})
		require.Equal(t, outcome, s.receive(t, in).str("outcome"))
		require.NoError(t, j.Close())
	}
	_, err = open(true)
	require.Error(t, err)
	require.Regexp(t, `\[unreadable\]`, run(t, "serve", "--listen", "127.0.0.1:0", "--config", write(t, dir, "other.json", `{"agent":"a:a","replay":{"store":"bolt","path":"none.db"}}`, 0o600)).stderr)
	require.Regexp(t, `\[invalid-config\]`, run(t, "serve", "--listen", "127.0.0.1:0", "--create-store").stderr)
}

// TestWaitingMemory: an intent that waits for its answer does not hold the request that it
// came in, and what its graph takes counts. It measures the heap, so that nothing runs beside
// it.
func TestWaitingMemory(t *testing.T) {
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: grantJudge(t, strings.Replace(permitAll, `"accept"`, `"agreements":["PIN"],"accept"`, 1))})
	inUse := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools held
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	const n, size = 20, 900 << 10
	before := inUse()
	for i := range n {
		message := msg(fmt.Sprint("m-", i), "c-1", intent(grantPin, testdata(t, "intent.ttl")))
		message["metadata"] = m{"x": strings.Repeat("y", size)}
		r := s.receive(t, message)
		require.Equal(t, "yes", r.str("verdict"), r.text)
	}
	require.Less(t, inUse(), before+n*size/2)

	before, counted := inUse(), service.WaitingBytes(s.service)
	for i := range n { // names of a message that are as long as it may be
		name := fmt.Sprint("n-", i, strings.Repeat("y", size/2))
		message := msg(name, "c-1", intent(grantPin, testdata(t, "intent.ttl")))
		message["taskId"] = name
		r := s.receive(t, message)
		require.Equal(t, "yes", r.str("verdict"), r.text)
	}
	counted = service.WaitingBytes(s.service) - counted
	require.InDelta(t, inUse()-before, counted, float64(counted)/4)

	before, counted = inUse(), service.WaitingBytes(s.service)
	for i := range n {
		r := s.receive(t, msg(fmt.Sprint("l-", i), "c-1", intent(grantPin, manyNames(t))))
		require.Equal(t, "yes", r.str("verdict"), r.text)
	}
	counted = service.WaitingBytes(s.service) - counted
	require.InDelta(t, inUse()-before, counted, float64(counted)/4)
	runtime.KeepAlive(s)
}

// TestWaiting: intents that are not answered are bounded in number and time.
func TestWaiting(t *testing.T) {
	t.Parallel()
	now := noon()
	add, drop, has, size := service.Waiting(func() time.Time { return now })
	first, second := add(bob, 1), add(bob, 1)
	require.True(t, has(first))
	require.False(t, has("another"))
	for range service.MaxWaiting - 2 {
		add(bob, 1)
	}
	require.True(t, has(first))
	last := add(bob, 1)
	require.False(t, has(first), "the oldest is dropped")
	require.True(t, has(second))
	require.True(t, has(last))
	now = now.Add(time.Hour)
	require.False(t, has(last))
	waits := add(bob, 1)
	require.LessOrEqual(t, size(), 18, "what is over is forgotten")
	for range 5 * service.MaxWaiting { // answered ones behind one that is not take no place
		drop(add(bob, 1))
	}
	require.True(t, has(waits))
	require.LessOrEqual(t, size(), 20)
}

// TestWaitingShares: a peer that has the most waiting pushes out its own.
func TestWaitingShares(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, row := range []struct {
		name        string
		many, size  int // of intents of one peer
		first, last bool
	}{
		{"few large ones", 2 * service.MaxWaitingBytes / (4 * mib), 4 * mib, false, true},
		{"many small ones", 2 * service.MaxWaiting, 1, false, true},
		{"one that is too large", 1, service.MaxWaitingBytes + 1, false, false},
		{"as many as may wait", service.MaxWaiting - 2, 1, true, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			add, _, has, size := service.Waiting(noon)
			others := []string{add("", 1), add(bob, 1)}
			first := add("https://eve.example/", row.size)
			last := first
			for range row.many - 1 {
				last = add("https://eve.example/", row.size)
			}
			require.Equal(t, row.first, has(first))
			require.Equal(t, row.last, has(last))
			for _, handle := range others {
				require.True(t, has(handle))
			}
			require.LessOrEqual(t, size(), 2*service.MaxWaiting+16)
		})
	}
}

// TestWaitingOfPeers: whose an intent is says who sent its message.
func TestWaitingOfPeers(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: grantJudge(t, strings.Replace(permitAll, `"accept"`, `"agreements":["PIN"],"accept"`, 1))})
	handle := func(peer, id, graph string) string {
		r := s.post(t, "/v1/receive", inJSON, object(t, m{"message": msg(id, "c-1", intent(grantPin, graph)), "peer": peer, "extensions": []string{protocol.ExtensionURI}}))
		require.Equal(t, "yes", r.str("verdict"), r.text)
		return r.object["accepted"].(m)["handle"].(string)
	}
	answer := func(handle string) int {
		return s.post(t, "/v1/respond", inJSON, object(t, m{"intent": handle, "text": "granted"})).status
	}
	waits := handle(bob, "m-1", testdata(t, "intent.ttl"))
	var eve []string
	for i := range service.MaxWaitingBytes/(4<<20) + 1 {
		eve = append(eve, handle("https://eve.example/", fmt.Sprint("e-", i), manyNames(t)))
	}
	require.Equal(t, 404, answer(eve[0]))
	require.Equal(t, 200, answer(eve[len(eve)-1]))
	require.Equal(t, 200, answer(waits))
}

// manyNames is an intent whose graph is a hundred times its text: 4 MB.
func manyNames(t testing.TB) string {
	t.Helper()
	var long strings.Builder
	fmt.Fprintf(&long, "%s\n@prefix long: <urn:%s> .\n<urn:s> <urn:p> long:x", testdata(t, "intent.ttl"), strings.Repeat("x", 2000))
	for i := range 2_000 {
		fmt.Fprintf(&long, ",long:%d", i)
	}
	long.WriteString(" .\n")
	return long.String()
}

// TestWaitingPeers: of peers that have equally many waiting, the oldest is dropped.
func TestWaitingPeers(t *testing.T) {
	t.Parallel()
	now := noon()
	add, drop, has, _ := service.Waiting(func() time.Time { return now })
	var handles []string
	for i := range service.MaxWaiting + 2 {
		peer := fmt.Sprint("https://peer.example/", i)
		if i == 1 {
			drop(add(peer, 1)) // answered ones do not count
		}
		handles = append(handles, add(peer, 1))
		now = now.Add(time.Millisecond)
	}
	require.Equal(t, []bool{false, false, true, true}, []bool{has(handles[0]), has(handles[1]), has(handles[2]), has(handles[service.MaxWaiting+1])})
}

// TestStoreFails: when nobody can say whether a message was seen, it is refused, with
// what can be sent, and the log says what failed.
func TestStoreFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, dir, "config.json", `{"agent":"https://alice.example/","replay":{"store":"bolt","path":"seen.db"}}`, 0o600)
	c, err := service.ReadConfig(file)
	require.NoError(t, err)
	j, err := service.NewJudge(t.Context(), c, noon, true)
	require.NoError(t, err)
	log := &logged{}
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: j, Log: log.logger()})
	require.NoError(t, j.Close())
	r := s.post(t, "/v1/receive", inJSON, object(t, m{"message": msg("m-1", "c-1", offer(grantPin, true)), "peer": bob, "extensions": []string{protocol.ExtensionURI}}))
	require.Equal(t, 500, r.status, r.text)
	require.Equal(t, "refused", r.str("verdict"))
	require.Equal(t, "internal", r.str("code"))
	require.Equal(t, "refused", r.str("outcome"))
	require.NotEmpty(t, r.object["error"])
	require.Contains(t, log.String(), `"level":"ERROR"`)
	require.Contains(t, log.String(), `"cause":"the store is closed"`)
}

// TestReceiveLimits: a message has the limits of the engine, and a message over one is
// refused to its sender.
func TestReceiveLimits(t *testing.T) {
	t.Parallel()
	s := serve(t, service.Options{Door: service.DoorSocket, Judge: grantJudge(t, permitAll)})
	nested := func(depth int) string { // of the message
		return `{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"x"}],"metadata":` + strings.Repeat(`{"a":`, depth-1) + "1" + strings.Repeat("}", depth-1) + "}"
	}
	sized := func(bytes int) string {
		text := `{"messageId":"m-2","role":"ROLE_USER","parts":[{"text":""}]}`
		return strings.Replace(text, `""`, `"`+strings.Repeat("x", bytes-len(text))+`"`, 1)
	}
	parts := func(n int) string {
		return `{"messageId":"m-3","role":"ROLE_USER","parts":[` + strings.TrimSuffix(strings.Repeat(`{"text":"x"},`, n), ",") + `]}`
	}
	for _, row := range []struct {
		name, message, outcome, code string
	}{
		{"nesting", nested(64), "prose", ""},
		{"more nesting", nested(65), "refused", "limit-exceeded"},
		{"size", sized(1 << 20), "prose", ""},
		{"more size", sized(1<<20 + 1), "refused", "limit-exceeded"},
		{"parts", parts(64), "prose", ""},
		{"more parts", parts(65), "refused", "limit-exceeded"},
	} {
		r := s.post(t, "/v1/receive", inJSON, `{"peer":"`+bob+`","message":`+row.message+`}`)
		require.Equal(t, 200, r.status, r.text)
		require.Equal(t, row.outcome, r.str("outcome"), "%s %s", row.name, r.text)
		require.Equal(t, row.code, r.str("code"), row.name)
	}
	require.Equal(t, 413, s.post(t, "/v1/receive", inJSON, `{"message":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}`).status)
}
