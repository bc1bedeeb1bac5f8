package agentcard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

// server serves JWK Sets and counts the requests.
type server struct {
	mu     sync.Mutex
	now    time.Time
	sets   map[string]string // by URL; a missing one is an error
	maxAge time.Duration
	asked  []string
	err    error
}

func newServer() *server {
	return &server{now: noon(), sets: map[string]string{}, maxAge: -1}
}

func (s *server) KeySet(_ context.Context, url string) ([]byte, time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, url)
	set, ok := s.sets[url]
	if !ok {
		if s.err != nil {
			return nil, 0, s.err
		}
		return nil, 0, errors.New("not there")
	}
	return []byte(set), s.maxAge, nil
}

func (s *server) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *server) advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// fetchError is an error with a code, as fetchers make it.
type fetchError string

func (e fetchError) Error() string     { return "fetching failed" }
func (e fetchError) FetchCode() string { return string(e) }

const (
	jwksURL = "https://agent.example.com/.well-known/jwks.json"
	homeURL = "https://agent.example.com/.well-known/agent-card.json"
)

// located makes a card whose signature names a jku.
func located(k seeded, kid, jku string) []byte {
	return withSignatures(k.entry(`{"alg":"EdDSA","jku":"`+jku+`","kid":"`+kid+`","typ":"JOSE"}`, small))
}

func trustJKU(t testing.TB, rule string) *agentcard.TrustStore {
	t.Helper()
	s, err := agentcard.ParseTrustStore([]byte(`{"version":1,"jku":`+rule+`}`), agentcard.Limits{})
	require.NoError(t, err)
	return s
}

// The trust store decides where a jku may lead before anything is fetched (K-2, K-3).
func TestLocations(t *testing.T) {
	t.Parallel()
	const same = `{"mode":"same-origin"}`
	list := func(urls ...string) string {
		return `{"mode":"allowlist","allow":["` + strings.Join(urls, `","`) + `"]}`
	}
	for _, row := range []struct {
		name, rule, jku, source string
		code                    agentcard.Code
	}{
		{"off", `{"mode":"off"}`, jwksURL, homeURL, agentcard.CodeJKUForbidden},
		{"same origin", same, jwksURL, homeURL, ""},
		{"same origin in another spelling", same, "https://AGENT.example.com.:443/x", homeURL, ""},
		{"same origin, other port", same, "https://agent.example.com:8443/x", homeURL, agentcard.CodeJKUForbidden},
		{"same origin, other host", same, "https://attacker.example/jwks.json", homeURL, agentcard.CodeJKUForbidden},
		{"same origin, below", same, "https://x.agent.example.com/jwks.json", homeURL, agentcard.CodeJKUForbidden},
		{"same origin, from a file", same, jwksURL, "", agentcard.CodeJKUForbidden},
		{"same origin, card over http", same, jwksURL, "http://agent.example.com/", agentcard.CodeJKUForbidden},
		{"same origin, http", same, "http://agent.example.com/jwks.json", homeURL, agentcard.CodeFetchNotHTTPS},
		{"exact URL", list(jwksURL), jwksURL, "", ""},
		{"exact URL, other path", list(jwksURL), "https://agent.example.com/other", "", agentcard.CodeJKUForbidden},
		{"exact URL, query added", list(jwksURL), jwksURL + "?x", "", agentcard.CodeJKUForbidden},
		{"exact URL, fragment added", list(jwksURL), jwksURL + "#x", "", agentcard.CodeJKUForbidden},
		{"exact URL, other case of the path", list(jwksURL), strings.ToUpper(jwksURL[:8]) + jwksURL[8:], "", agentcard.CodeJKUForbidden},
		{"origin", list("https://agent.example.com"), jwksURL, "", ""},
		{"origin, user in front", list("https://agent.example.com"), "https://agent.example.com@attacker.example/", "", agentcard.CodeFetchURL},
		{"origin, longer name", list("https://agent.example.com"), "https://agent.example.com.attacker.example/", "", agentcard.CodeJKUForbidden},
		{"root path is a URL", list("https://agent.example.com/"), jwksURL, "", agentcard.CodeJKUForbidden},
		{"second of the list", list("https://a.example", "https://agent.example.com"), jwksURL, "", ""},
		{"attacker", list("https://agent.example.com"), "https://attacker.example/jwks.json", homeURL, agentcard.CodeJKUForbidden},
		{"empty list", `{"mode":"allowlist","allow":[]}`, jwksURL, homeURL, agentcard.CodeJKUForbidden},
		{"a letter that is another in lower case", list("https://keys.example"), "https://\u212aeys.example/jwks.json", "", agentcard.CodeJKUForbidden},
		{"http", list("https://agent.example.com"), "http://agent.example.com/jwks.json", "", agentcard.CodeFetchNotHTTPS},
		{"file", list("https://agent.example.com"), "file:///etc/passwd", "", agentcard.CodeFetchNotHTTPS},
		{"user", list("https://agent.example.com"), "https://user@agent.example.com/jwks.json", "", agentcard.CodeFetchURL},
		{"no host", list("https://agent.example.com"), "https:///jwks.json", "", agentcard.CodeFetchURL},
		{"no URL", list("https://agent.example.com"), "https://%zz/", "", agentcard.CodeFetchURL},
		{"empty", list("https://agent.example.com"), "", "", agentcard.CodeFetchNotHTTPS},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			k, s := seed(1), newServer()
			s.sets[row.jku] = `{"keys":[` + k.jwk(`,"kid":"k1"`) + `]}`
			keys := agentcard.Keys{Trust: trustJKU(t, row.rule), Sets: agentcard.NewKeySets(s, s.clock, agentcard.Limits{})}
			r := verify(t, parse(t, located(k, "k1", row.jku)), keys, agentcard.Policy{Source: row.source})
			require.Equal(t, row.code, r.Code, "%+v", r)
			if row.code != "" {
				require.Equal(t, agentcard.OutcomeUnverified, r.Outcome)
				require.Zero(t, s.count(), "nothing was fetched")
				return
			}
			require.Equal(t, agentcard.FromJKU, r.Entries[0].KeySource)
			require.Equal(t, agentcard.TrustLocation, r.Entries[0].KeyTrust)
			require.Equal(t, row.jku, r.Entries[0].JKU)
			require.Equal(t, 1, s.count())
		})
	}
}

// A forged card names the forger's own set: a verifier without a rule for locations never
// fetches it (acceptance 3).
func TestForgedCard(t *testing.T) {
	t.Parallel()
	k, s := seed(66), newServer()
	const own = "https://attacker.example/jwks.json"
	s.sets[own] = `{"keys":[` + k.jwk(`,"kid":"k1"`) + `]}`
	for _, keys := range []agentcard.Keys{
		{Sets: agentcard.NewKeySets(s, s.clock, agentcard.Limits{})},
		{Sets: agentcard.NewKeySets(s, s.clock, agentcard.Limits{}), Trust: trustJKU(t, `{"mode":"same-origin"}`)},
	} {
		r := verify(t, parse(t, located(k, "k1", own)), keys, agentcard.Policy{Source: homeURL, Explain: true})
		require.Equal(t, agentcard.OutcomeUnverified, r.Outcome)
		require.Equal(t, agentcard.CodeJKUForbidden, r.Code)
	}
	require.Zero(t, s.count())
}

// steps are run against one cache: the key that is asked for, and the outcome.
type step struct {
	after  time.Duration
	change func(*server)
	kid    string
	url    string // "" is jwksURL
	code   agentcard.Code
	asked  int // in all
}

func TestCache(t *testing.T) {
	t.Parallel()
	a := seed(1)
	set := func(kids ...string) string {
		var all []string
		for _, kid := range kids {
			all = append(all, a.jwk(`,"kid":"`+kid+`"`))
		}
		return `{"keys":[` + strings.Join(all, ",") + `]}`
	}
	has := func(kids ...string) func(*server) {
		return func(s *server) { s.sets[jwksURL] = set(kids...) }
	}
	gone := func(s *server) { delete(s.sets, jwksURL) }
	lives := func(d time.Duration, kids ...string) func(*server) {
		return func(s *server) { s.maxAge = d; s.sets[jwksURL] = set(kids...) }
	}
	const second, minute, hour = time.Second, time.Minute, time.Hour
	missing, throttled := agentcard.CodeKeyNotFound, agentcard.CodeKeyFetchThrottled
	for _, row := range []struct {
		name  string
		steps []step
	}{
		{"one fetch for many cards", []step{{0, has("k1"), "k1", "", "", 1}, {0, nil, "k1", "", "", 1}, {299 * second, nil, "k1", "", "", 1}, {second, nil, "k1", "", "", 2}}},
		// Acceptance 4.
		{"rotation", []step{
			{0, has("k1"), "k1", "", "", 1}, {minute, has("k2"), "k2", "", "", 2}, {second, nil, "k3", "", throttled, 2},
			{second, nil, "k2", "", "", 2}, {second, nil, "k1", "", throttled, 2}, {57 * second, nil, "k3", "", missing, 3},
		}},
		{"a kid that never was", []step{
			{0, has("k1"), "k9", "", missing, 1}, {0, nil, "k9", "", missing, 2}, {0, nil, "k9", "", throttled, 2},
			{59 * second, nil, "k9", "", throttled, 2}, {second, nil, "k9", "", missing, 3},
		}},
		{"a removed key counts as removed", []step{{0, has("k1"), "k1", "", "", 1}, {301 * second, has("k2"), "k1", "", missing, 2}}},
		{"kept by a clock that was ahead", []step{{365 * 24 * hour, has("k1"), "k1", "", "", 1}, {-365 * 24 * hour, has("k2"), "k1", "", missing, 2}, {0, nil, "k2", "", "", 2}}},
		{"failed by a clock that was ahead", []step{{365 * 24 * hour, gone, "k1", "", agentcard.CodeKeyFetch, 1}, {-365 * 24 * hour, has("k1"), "k1", "", "", 2}}},
		{"short life is a minute", []step{{0, lives(0, "k1"), "k1", "", "", 1}, {59 * second, nil, "k1", "", "", 1}, {second, nil, "k1", "", "", 2}}},
		{"long life is a day", []step{{0, lives(1000*hour, "k1"), "k1", "", "", 1}, {24*hour - second, nil, "k1", "", "", 1}, {second, nil, "k1", "", "", 2}}},
		{"life as said", []step{{0, lives(hour, "k1"), "k1", "", "", 1}, {hour - second, nil, "k1", "", "", 1}, {second, nil, "k1", "", "", 2}}},
		{"failures are remembered", []step{
			{0, gone, "k1", "", agentcard.CodeKeyFetch, 1}, {59 * second, has("k1"), "k1", "", agentcard.CodeKeyFetch, 1}, {second, nil, "k1", "", "", 2},
		}},
		{"nothing is served past its time", []step{{0, has("k1"), "k1", "", "", 1}, {300 * second, gone, "k1", "", agentcard.CodeKeyFetch, 2}, {second, has("k1"), "k1", "", agentcard.CodeKeyFetch, 2}}},
		{"a failed look for a new key does not lose the others", []step{
			{0, has("k1"), "k1", "", "", 1}, {second, gone, "k2", "", agentcard.CodeKeyFetch, 2}, {second, nil, "k1", "", "", 2}, {second, has("k2"), "k2", "", agentcard.CodeKeyFetch, 2},
		}},
		{"a fetcher's code is passed on", []step{{0, func(s *server) { s.err = fetchError("FETCH_BLOCKED_ADDRESS") }, "k1", "", "FETCH_BLOCKED_ADDRESS", 1}}},
		{"an empty code is none", []step{
			{0, func(s *server) { s.err = fetchError("") }, "k1", "", agentcard.CodeKeyFetch, 1}, {0, nil, "k1", "", agentcard.CodeKeyFetch, 1},
		}},
		{"no set", []step{{0, func(s *server) { s.sets[jwksURL] = `{"k1":"-----BEGIN PUBLIC KEY-----"}` }, "k1", "", agentcard.CodeJWKSMalformed, 1}, {0, has("k1"), "k1", "", agentcard.CodeJWKSMalformed, 1}}},
		{"duplicate members", []step{{0, func(s *server) { s.sets[jwksURL] = `{"keys":[],"keys":[]}` }, "k1", "", agentcard.CodeJSONDuplicate, 1}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newServer()
			keys := agentcard.Keys{
				Trust: trustJKU(t, `{"mode":"allowlist","allow":["https://agent.example.com"]}`),
				Sets:  agentcard.NewKeySets(s, s.clock, agentcard.Limits{}),
			}
			for i, step := range row.steps {
				s.advance(step.after)
				if step.change != nil {
					step.change(s)
				}
				r := verify(t, parse(t, located(a, step.kid, jwksURL)), keys, agentcard.Policy{})
				require.Equal(t, step.code, r.Code, "step %d: %+v", i, r)
				require.Equal(t, step.asked, s.count(), "step %d", i)
				if step.code != "" {
					require.Equal(t, agentcard.OutcomeUnverified, r.Outcome, "absence of a key says nothing about the signature")
				}
			}
		})
	}
}

func TestCacheCountsAllFetches(t *testing.T) {
	t.Parallel()
	a, s := seed(1), newServer()
	keys := agentcard.Keys{
		Trust: trustJKU(t, `{"mode":"allowlist","allow":["https://agent.example.com"]}`),
		Sets:  agentcard.NewKeySets(s, s.clock, agentcard.Limits{}),
	}
	ask := func(n int) agentcard.Code {
		url := fmt.Sprintf("https://agent.example.com/%d", n)
		s.sets[url] = `{"keys":[` + a.jwk(`,"kid":"k1"`) + `]}`
		return verify(t, parse(t, located(a, "k1", url)), keys, agentcard.Policy{}).Code
	}
	for n := range 10 {
		require.Empty(t, ask(n))
	}
	require.Equal(t, agentcard.CodeKeyFetchThrottled, ask(10))
	require.Empty(t, ask(3), "what is at hand needs no fetch")
	s.advance(time.Minute)
	require.Empty(t, ask(10))
	require.Equal(t, 11, s.count())
	for n := 11; n < 400; n++ { // the cache is bounded: what was used last stays
		if n%9 == 0 {
			s.advance(time.Minute)
		}
		require.Empty(t, ask(n))
	}
	before := s.count()
	s.advance(time.Second)
	require.Empty(t, ask(399))
	require.Equal(t, before, s.count())
}

func TestCacheSharesFetches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := seed(1)
		release := make(chan struct{})
		asked := 0
		sets := agentcard.NewKeySets(fetcherFunc(func(ctx context.Context, _ string) ([]byte, time.Duration, error) {
			asked++
			<-release
			return []byte(`{"keys":[` + a.jwk(`,"kid":"k1"`) + `]}`), -1, ctx.Err()
		}), time.Now, agentcard.Limits{})
		keys := agentcard.Keys{Trust: trustJKU(t, `{"mode":"allowlist","allow":["https://agent.example.com"]}`), Sets: sets}
		c := parse(t, located(a, "k1", jwksURL))
		for range 20 {
			go func() { require.Equal(t, agentcard.OutcomeVerified, verify(t, c, keys, agentcard.Policy{}).Outcome) }()
		}
		synctest.Wait()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		r, err := agentcard.Verify(gone, c, keys, agentcard.Policy{At: noon()})
		require.NoError(t, err)
		require.Equal(t, agentcard.CodeKeyFetch, r.Code, "who gives up gets no answer")
		close(release)
		synctest.Wait()
		require.Equal(t, 1, asked)
	})
}

// A made-up kid causes the set to be fetched again. Meanwhile, and when that fails, the
// keys of the set can still be used.
func TestCacheDuringARefetch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := seed(1)
		release := make(chan struct{})
		asked := 0
		sets := agentcard.NewKeySets(fetcherFunc(func(ctx context.Context, _ string) ([]byte, time.Duration, error) {
			if asked++; asked > 1 {
				<-release
				return nil, 0, errors.New("gone")
			}
			return []byte(`{"keys":[` + a.jwk(`,"kid":"k1"`) + `]}`), -1, ctx.Err()
		}), time.Now, agentcard.Limits{})
		keys := agentcard.Keys{Trust: trustJKU(t, `{"mode":"allowlist","allow":["https://agent.example.com"]}`), Sets: sets}
		good, madeUp := parse(t, located(a, "k1", jwksURL)), parse(t, located(seed(2), "k9", jwksURL))
		require.Equal(t, agentcard.OutcomeVerified, verify(t, good, keys, agentcard.Policy{}).Outcome)
		done := make(chan agentcard.Code, 1)
		go func() { done <- verify(t, madeUp, keys, agentcard.Policy{}).Code }()
		synctest.Wait()
		require.Equal(t, 2, asked)
		require.Equal(t, agentcard.OutcomeVerified, verify(t, good, keys, agentcard.Policy{}).Outcome)
		close(release)
		require.Equal(t, agentcard.CodeKeyFetch, <-done)
		require.Equal(t, agentcard.OutcomeVerified, verify(t, good, keys, agentcard.Policy{}).Outcome)
		require.Equal(t, 2, asked)
	})
}

// The sets that one card names are fetched at once, each once: it takes no longer to verify
// than the slowest of them.
func TestSlowSets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const slow = 10 * time.Second
		a := seed(1)
		var asked atomic.Int32
		sets := agentcard.NewKeySets(fetcherFunc(func(_ context.Context, url string) ([]byte, time.Duration, error) {
			asked.Add(1)
			time.Sleep(slow)
			if strings.HasSuffix(url, "/0") {
				return nil, 0, errors.New("not there")
			}
			return []byte(`{"keys":[` + a.jwk(`,"kid":"k1"`) + `,` + seed(2).jwk(`,"kid":"k2"`) + `]}`), -1, nil
		}), time.Now, agentcard.Limits{})
		keys := agentcard.Keys{Trust: trustJKU(t, `{"mode":"allowlist","allow":["https://agent.example.com"]}`), Sets: sets}
		var entries []string
		sign := func(k seeded, kid string, n int) {
			entries = append(entries, k.entry(fmt.Sprintf(`{"alg":"EdDSA","jku":"https://agent.example.com/%d","kid":"%s","typ":"JOSE"}`, n, kid), small))
		}
		for n := range 11 {
			sign(a, "k1", n)
		}
		sign(seed(2), "k2", 3)
		sign(seed(3), "k3", 3)
		sign(seed(3), "k3", 4)
		start := time.Now()
		r := verify(t, parse(t, withSignatures(entries...)), keys, agentcard.Policy{Signatures: 2})
		require.Equal(t, slow, time.Since(start))
		require.Equal(t, int32(10), asked.Load())
		require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
		for i, e := range r.Entries {
			want := map[int]agentcard.Code{0: agentcard.CodeKeyFetch, 10: agentcard.CodeKeyFetchThrottled, 12: agentcard.CodeKeyNotFound, 13: agentcard.CodeKeyNotFound}[i]
			require.Equal(t, want, e.Code, i)
			require.Equal(t, agentcard.FromJKU, e.KeySource)
		}
		// Who gives up does not wait for any of them.
		limited, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		time.Sleep(time.Hour)
		r, err := agentcard.Verify(limited, parse(t, withSignatures(entries...)), keys, agentcard.Policy{At: noon()})
		require.NoError(t, err)
		require.Equal(t, agentcard.OutcomeUnverified, r.Outcome)
		require.Equal(t, slow+time.Hour, time.Since(start))
		time.Sleep(slow) // the fetches end by themselves
	})
}

// TestFastSets: a set is fetched once for all signatures of a card that name it, also if it
// came before the next was read, and so they say the same.
func TestFastSets(t *testing.T) {
	t.Parallel()
	a := seed(1)
	keys := agentcard.Keys{Trust: trustJKU(t, `{"mode":"allowlist","allow":["https://agent.example.com"]}`)}
	var entries []string
	for n := range 15 {
		entries = append(entries, a.entry(fmt.Sprintf(`{"alg":"EdDSA","jku":"https://agent.example.com/jwks","kid":"k%d","typ":"JOSE"}`, n), small))
	}
	card := parse(t, withSignatures(entries...))
	for range 300 { // it depended on who was first
		var asked atomic.Int32
		keys.Sets = agentcard.NewKeySets(fetcherFunc(func(context.Context, string) ([]byte, time.Duration, error) {
			asked.Add(1)
			return []byte(`{"keys":[` + a.jwk(`,"kid":"k14"`) + `]}`), -1, nil
		}), noon, agentcard.Limits{})
		r := verify(t, card, keys, agentcard.Policy{})
		require.Equal(t, agentcard.OutcomeVerified, r.Outcome)
		require.Equal(t, int32(1), asked.Load())
		for _, e := range r.Entries[:14] {
			require.Equal(t, agentcard.CodeKeyNotFound, e.Code)
		}
	}
}

type fetcherFunc func(context.Context, string) ([]byte, time.Duration, error)

func (f fetcherFunc) KeySet(ctx context.Context, url string) ([]byte, time.Duration, error) {
	return f(ctx, url)
}

func TestWithoutFetcher(t *testing.T) {
	t.Parallel()
	a := seed(1)
	trust := trustJKU(t, `{"mode":"allowlist","allow":["https://agent.example.com"]}`)
	for _, sets := range []*agentcard.KeySets{nil, agentcard.NewKeySets(nil, time.Now, agentcard.Limits{}), agentcard.NewKeySets(newServer(), nil, agentcard.Limits{})} {
		r := verify(t, parse(t, located(a, "k1", jwksURL)), agentcard.Keys{Trust: trust, Sets: sets}, agentcard.Policy{Explain: true})
		require.Equal(t, agentcard.OutcomeUnverified, r.Outcome)
		require.Equal(t, agentcard.CodeKeyNotFound, r.Code)
	}
}

// Keys of the trust store come before supplied ones, and both before the network (K-1).
func TestOrderOfKeys(t *testing.T) {
	t.Parallel()
	a, b, s := seed(1), seed(2), newServer()
	s.sets[jwksURL] = `{"keys":[` + b.jwk(`,"kid":"k1"`) + `]}`
	trust, err := agentcard.ParseTrustStore([]byte(`{"version":1,"keys":[{"jwk":`+a.jwk(`,"kid":"k1"`)+`}],"jku":{"mode":"allowlist","allow":["`+jwksURL+`"]}}`), agentcard.Limits{})
	require.NoError(t, err)
	keys := supplied(t, `{"keys":[`+b.jwk(`,"kid":"k1"`)+`]}`)
	keys.Trust, keys.Sets = trust, agentcard.NewKeySets(s, s.clock, agentcard.Limits{})
	r := verify(t, parse(t, located(a, "k1", jwksURL)), keys, agentcard.Policy{})
	require.Equal(t, agentcard.TrustPinned, r.Entries[0].KeyTrust)
	r = verify(t, parse(t, located(b, "k1", jwksURL)), keys, agentcard.Policy{})
	require.Equal(t, agentcard.CodeSigInvalid, r.Code, "another key with the kid of a pinned one does not do")
	keys.Trust = trustJKU(t, `{"mode":"allowlist","allow":["`+jwksURL+`"]}`)
	r = verify(t, parse(t, located(b, "k1", jwksURL)), keys, agentcard.Policy{})
	require.Equal(t, agentcard.TrustSupplied, r.Entries[0].KeyTrust)
	require.Zero(t, s.count())
}
