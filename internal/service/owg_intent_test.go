package service_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/replay"
)

const performTaskSource = "https://rdfproto.example/protocols/owg-perform-task/v1"

// speaker is an agent that speaks the extension.
type speaker struct {
	*worker // of what it gets in plain A2A
	url     string
	done    atomic.Int64 // how many intents it carried out
	handOff atomic.Pointer[owg.HandOff]
}

type speakerOptions struct {
	declares, accepts, tasks bool
	authorizer               engine.Authorizer
	domain                   string // "own" for the agent's URL
	result                   func(h *owg.HandOff) (*owg.Result, error)
	before                   func(context.Context) // what an intent waits for
	wrap                     func(http.Handler) http.Handler
	clock                    func() time.Time // time.Now by default
}

func permitted(context.Context, *engine.Question) (engine.Authority, error) {
	return engine.Authority{Permit: true}, nil
}

func produced(h *owg.HandOff) (*owg.Result, error) {
	r := &owg.Result{Task: h.Task}
	for _, asset := range h.Produced {
		r.Produced = append(r.Produced, owg.Produced{Asset: asset, SHA256: strings.Repeat("ab", 32)})
	}
	return r, nil
}

func speak(t *testing.T, o speakerOptions) *speaker {
	t.Helper()
	s := &speaker{worker: &worker{work: ends(sdk.TaskStateCompleted, "", "dub_ep1")}}
	pin := pinOf(t, owg.PerformTaskPin)
	d, err := protocol.Verify(t.Context(), owg.PerformTaskDocument(), turtle, pin, protocol.Options{Contexts: jsonld.Builtin()})
	require.NoError(t, err)
	reviewed, err := protocol.Examine(d).Accept()
	require.NoError(t, err)
	documents := protocol.NewStore(0)
	require.NoError(t, documents.Put(reviewed))
	mux := http.NewServeMux()
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	c := engine.Config{
		Local: "https://agents.vendor.example/", Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Authorizer: o.authorizer, Domain: o.domain,
	}
	if c.Authorizer == nil {
		c.Authorizer = engine.AuthorizerFunc(permitted)
	}
	if o.clock != nil {
		c.Clock = o.clock
	}
	if o.domain == "own" {
		c.Domain = h.URL + "/rpc"
	}
	if o.accepts {
		c.Policy = engine.AllowList{Pins: []canon.Digest{pin}}
	}
	declaration := agentcard.Declaration{Description: "Performs tasks.", Formats: []string{turtle}, NLNegotiation: true}
	if o.declares {
		c.Declared = []engine.Declared{{Pin: pin, Source: performTaskSource}}
		declaration.Documents = []agentcard.DeclaredDocument{{Source: performTaskSource, Hash: pin}}
	}
	e, err := engine.New(c)
	require.NoError(t, err)
	ext, err := declaration.AppendExtension(nil)
	require.NoError(t, err)
	card := []byte(object(t, cardOf(m{"extensions": []any{json.RawMessage(ext)}}, m{"url": h.URL + "/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"})))
	server, err := a2a.NewServer(a2a.ServerConfig{
		Engine: e, Card: card, Prose: s.worker, Tasks: o.tasks,
		Handler: a2a.HandlerFunc(func(ctx context.Context, in *engine.Intent) (engine.Answer, error) {
			handOff, err := owg.ReadIntent(in.Graph(), in.Node())
			if err != nil {
				return engine.Answer{}, err
			}
			s.handOff.Store(handOff)
			s.done.Add(1)
			if o.before != nil {
				o.before(ctx)
			}
			result := o.result
			if result == nil {
				result = produced
			}
			r, err := result(handOff)
			if err != nil {
				return engine.Answer{}, err
			}
			g, err := r.Graph()
			return engine.Answer{Graph: g}, err
		}),
	})
	require.NoError(t, err)
	cards, err := a2a.CardHandler(card, 0)
	require.NoError(t, err)
	mux.Handle(a2a.CardPath, cards)
	rpc := server.JSONRPC(server.RequestHandler())
	if o.wrap != nil {
		rpc = o.wrap(rpc)
	}
	mux.Handle("/rpc", rpc)
	s.url = h.URL + a2a.CardPath
	return s
}

// TestOwgIntent: an agent that declares a2a-rdf gets a validated intent, and plain A2A
// only where an optional offer was declined.
func TestOwgIntent(t *testing.T) {
	t.Parallel()
	refuses := func(*owg.HandOff) (*owg.Result, error) { return nil, errors.New("not today") }
	other := func(*owg.HandOff) (*owg.Result, error) { return &owg.Result{Task: "another"}, nil }
	nothing := func(h *owg.HandOff) (*owg.Result, error) { return &owg.Result{Task: h.Task}, nil }
	denies := engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) { return engine.Authority{}, nil })
	for _, row := range []struct {
		name    string
		agent   speakerOptions
		as      string
		status  cli.Status
		attempt string // status, remote state, code
		done    int64  // intents
		plain   int    // messages in plain A2A
		said    string
	}{
		{"declared", speakerOptions{declares: true}, "auto", cli.StatusYes, "succeeded  ", 1, 0, "succeeded"},
		{"declared, answered by a task", speakerOptions{declares: true, tasks: true}, "auto", cli.StatusYes, "succeeded completed ", 1, 0, "completed"},
		{"offered as an optional one and agreed", speakerOptions{accepts: true}, "auto", cli.StatusYes, "succeeded  ", 1, 0, "offering"},
		{"offered as a required one and agreed", speakerOptions{accepts: true}, "intent", cli.StatusYes, "succeeded  ", 1, 0, "offering"},
		{"an optional offer declined", speakerOptions{}, "auto", cli.StatusYes, "succeeded completed ", 0, 1, "declined the optional offer"},
		{"a required offer declined", speakerOptions{}, "intent", cli.StatusNo, "failed  A2A_TASK_REJECTED", 0, 0, "did not agree"},
		{"in plain A2A", speakerOptions{declares: true}, "plain", cli.StatusYes, "succeeded completed ", 0, 1, ""},
		{"denied", speakerOptions{declares: true, authorizer: denies}, "auto", cli.StatusNo, "failed  A2A_TASK_REJECTED", 0, 0, "authorization-denied"},
		{"refused", speakerOptions{declares: true, result: refuses}, "auto", cli.StatusNo, "failed  A2A_TASK_REJECTED", 1, 0, ""},
		{"a task that fails", speakerOptions{declares: true, tasks: true, result: refuses}, "auto", cli.StatusNo, "failed failed A2A_TASK_FAILED", 1, 0, ""},
		{"the result of another task", speakerOptions{declares: true, result: other}, "auto", cli.StatusNo, "failed  A2A_TASK_MISMATCH", 1, 0, ""},
		{"a result without the asset", speakerOptions{declares: true, result: nothing}, "auto", cli.StatusYes, "succeeded  ", 1, 0, "OWG_PRODUCED_MISSING"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			agent := speak(t, row.agent)
			record := filepath.Join(t.TempDir(), "run.json")
			r := owgRun(t, "--as", row.as, "--record", record, "--card", agent.url, season(t), "dub")
			require.Equal(t, row.status, r.status, "%s%s", r.out, r.stderr)
			require.Equal(t, row.attempt, r.attempt.Status+" "+r.attempt.Remote.State+" "+r.code(), r.stderr)
			require.Equal(t, row.done, agent.done.Load())
			require.Equal(t, row.plain, agent.messages())
			require.Contains(t, r.stderr, row.said)
			kept := recorded(t, record).Attempts
			require.Len(t, kept, 1)
			require.Equal(t, strings.TrimSpace(r.out), string(kept[0].Append(nil)))
			require.Empty(t, r.attempt.Sent, "an attempt that has ended keeps no message")
			if row.done > 0 {
				h := agent.handOff.Load()
				require.Equal(t, "season-one dub localize-dub", h.Workflow+" "+h.Task+" "+h.Skill)
				require.Equal(t, owg.Delegation{By: "prodco_agent", Scope: []string{"read:masters"}, ScopeStated: true}, *h.Delegation)
			}
			if row.done > 0 && strings.HasPrefix(row.attempt, "succeeded") && row.agent.result == nil {
				require.Equal(t, "dub_ep1", r.attempt.Produced[0].Asset)
				require.Equal(t, strings.Repeat("ab", 32), r.attempt.Produced[0].Sha256)
			}
		})
	}
}

// The chain of the tests: the studio lets the production company use the skill.
const (
	studioIRI = "https://studio.example/#it"
	prodcoIRI = "https://prodco.example/#agent"
	chainIRI  = "https://studio.example/policy.ttl#it"
	chainText = `@prefix odrl: <http://www.w3.org/ns/odrl/2/> .
<` + chainIRI + `> a odrl:Agreement ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> ;
  odrl:assigner <` + studioIRI + `> ; odrl:assignee <` + prodcoIRI + `> ;
  odrl:permission [ odrl:action odrl:use ; odrl:target <urn:owg:skill:localize-dub> ] .
`
)

// chainFiles are a private key and a credential in files.
func chainFiles(t *testing.T, who string) (key, credential string) {
	t.Helper()
	secret, err := partyKey(t, who).JWK()
	require.NoError(t, err)
	dir := t.TempDir()
	return write(t, dir, "key.jwk", string(secret), 0o600), write(t, dir, "credential.json", string(mandate(t, studioIRI, prodcoIRI, chainIRI, chainText, time.Now())), 0o600)
}

// byChain authorizes by a chain that comes from the studio.
func byChain(t *testing.T) engine.Authorizer {
	t.Helper()
	var all []*vc.Controller
	for _, who := range []string{studioIRI, prodcoIRI} {
		c, err := vc.ParseController([]byte(controllerOf(t, who)), vc.Limits{})
		require.NoError(t, err)
		all = append(all, c)
	}
	ring, err := vc.NewKeyring(all...)
	require.NoError(t, err)
	verifier, err := vc.New(vc.Config{Keys: ring, Profile: vc.ProfileSVC, Authority: true})
	require.NoError(t, err)
	authorizer, err := authz.New(authz.Config{Verifier: verifier})
	require.NoError(t, err)
	return &engine.Chains{
		Authorizer: authorizer,
		Root:       func(context.Context, []odrl.Request) (string, error) { return studioIRI, nil },
		Actor:      func(context.Context, engine.Peer) (string, error) { return "", nil },
		Policies: func(context.Context, *engine.Question) ([]authz.PolicyDocument, error) {
			return []authz.PolicyDocument{{Content: []byte(chainText)}}, nil
		},
		Mappings: map[canon.Digest]authz.Mapping{pinOf(t, owg.PerformTaskPin): {Actions: map[string]authz.ActionMapping{
			owg.ClassPerformTask: {Action: "use", Target: "https://schema.org/object"},
		}}},
	}
}

// TestOwgAuthority: what the delegation says permits nothing; a chain of credentials
// does, for the challenge of the agent that it is sent to.
func TestOwgAuthority(t *testing.T) {
	t.Parallel()
	key, credential := chainFiles(t, prodcoIRI)
	wrongKey, _ := chainFiles(t, studioIRI)
	chain := []string{"--key", key, "--credential", credential, "--holder", prodcoIRI}
	for _, row := range []struct {
		name   string
		agent  speakerOptions
		args   []string
		status cli.Status
		done   int64
		said   string
	}{
		{"the delegation alone", speakerOptions{declares: true, domain: "own"}, nil, cli.StatusNo, 0, "authorization-denied"},
		{"the delegation alone, offered", speakerOptions{accepts: true, domain: "own"}, nil, cli.StatusNo, 0, "authorization-denied"},
		{"a chain", speakerOptions{declares: true, domain: "own"}, chain, cli.StatusYes, 1, "asks for a chain"},
		{"a chain, offered", speakerOptions{accepts: true, domain: "own"}, chain, cli.StatusYes, 1, ""},
		{"a chain of another holder", speakerOptions{declares: true, domain: "own"}, []string{"--key", wrongKey, "--credential", credential, "--holder", studioIRI}, cli.StatusNo, 0, "authorization-denied"},
		{"a challenge of another agent", speakerOptions{declares: true, domain: "https://bank.example/a2a"}, chain, cli.StatusNo, 0, "which is not its own"},
		{"a challenge of another agent, allowed", speakerOptions{declares: true, domain: "https://bank.example/a2a"}, append([]string{"--domain", "https://bank.example/a2a"}, chain...), cli.StatusYes, 1, ""},
		{"no challenge", speakerOptions{declares: true}, chain, cli.StatusNo, 0, "authorization-denied"},
		{"a presentation for no challenge", speakerOptions{declares: true, domain: "own"}, []string{"--presentation", credential}, cli.StatusNo, 0, "authorization-denied"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			row.agent.authorizer = byChain(t)
			agent := speak(t, row.agent)
			record := filepath.Join(t.TempDir(), "run.json")
			r := owgRun(t, append([]string{"--record", record, "--card", agent.url, season(t), "dub"}, row.args...)...)
			require.Equal(t, row.status, r.status, r.stderr)
			require.Equal(t, row.done, agent.done.Load())
			require.Contains(t, r.stderr, row.said)
			require.Zero(t, agent.messages(), "a denial leads to no plain A2A")
			if row.status == cli.StatusNo {
				require.Equal(t, "failed A2A_TASK_REJECTED", r.attempt.Status+" "+r.code())
			}
			require.Len(t, recorded(t, record).Attempts, 1)
		})
	}
}

// TestOwgIntentOnce: an intent whose answer is lost is asked about again, in the same
// call or after a crash, and is carried out once.
func TestOwgIntentOnce(t *testing.T) {
	t.Parallel()
	for _, tasks := range []bool{false, true} {
		t.Run(fmt.Sprintf("lost, tasks %t", tasks), func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			agent := speak(t, speakerOptions{declares: true, tasks: tasks, wrap: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if requests.Add(1) == 1 {
						next.ServeHTTP(httptest.NewRecorder(), r)
						panic(http.ErrAbortHandler) // the connection breaks
					}
					next.ServeHTTP(w, r)
				})
			}})
			r := owgRun(t, "--card", agent.url, season(t), "dub")
			require.Equal(t, cli.StatusYes, r.status, r.stderr)
			require.EqualValues(t, 1, agent.done.Load())
		})
		t.Run(fmt.Sprintf("gone on with, tasks %t", tasks), func(t *testing.T) {
			t.Parallel()
			gate := make(chan struct{})
			agent := speak(t, speakerOptions{declares: true, tasks: tasks, before: func(context.Context) { <-gate }})
			record, file := filepath.Join(t.TempDir(), "run.json"), season(t)
			r := owgRun(t, "--record", record, "--time-limit", "500ms", "--card", agent.url, file, "dub")
			require.Equal(t, cli.StatusNothing, r.status, r.stderr)
			require.NotEmpty(t, recorded(t, record).Attempts[0].Sent)
			r = owgRun(t, "--record", record, "--time-limit", "300ms", "--card", agent.url, file, "dub") // it works still
			require.Equal(t, cli.StatusNothing, r.status, r.stderr)
			close(gate)
			require.Eventually(t, func() bool {
				r = owgRun(t, "--record", record, "--card", agent.url, file, "dub")
				return r.status != cli.StatusNothing
			}, 10*time.Second, 50*time.Millisecond)
			require.Equal(t, cli.StatusYes, r.status, r.stderr)
			require.Equal(t, 1, r.attempt.Attempt)
			require.Empty(t, r.attempt.Sent)
			require.EqualValues(t, 1, agent.done.Load())
			require.Zero(t, agent.messages())
		})
	}
}

// TestOwgIntentForgotten: an intent is not sent again once the agent may have forgotten
// that it got it, and would carry it out a second time.
func TestOwgIntentForgotten(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		later  time.Duration
		status cli.Status
		code   string // "" for none
	}{
		{"at the end of the time", 22*time.Hour + 59*time.Minute, cli.StatusYes, ""},
		{"after it", 23*time.Hour + time.Minute, cli.StatusNothing, "not-known"},
		{"when it is forgotten", 25 * time.Hour, cli.StatusNothing, "not-known"},
		{"a clock that was ahead", -2 * time.Hour, cli.StatusNothing, "not-known"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var lose atomic.Bool
			var later atomic.Int64
			now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
			agent := speak(t, speakerOptions{declares: true, clock: now, wrap: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if lose.Load() {
						next.ServeHTTP(httptest.NewRecorder(), r)
						panic(http.ErrAbortHandler) // the answer is lost
					}
					next.ServeHTTP(w, r)
				})
			}})
			args := []string{"--record", filepath.Join(t.TempDir(), "run.json"), "--card", agent.url, season(t), "dub"}
			lose.Store(true)
			r := owgRunIn(t, t.Context(), now, args...)
			require.Equal(t, cli.StatusCall, r.status, r.stderr)
			require.EqualValues(t, 1, agent.done.Load())
			lose.Store(false)
			later.Store(int64(row.later))
			r = owgRunIn(t, t.Context(), now, args...)
			require.EqualValues(t, 1, agent.done.Load())
			require.Equal(t, row.status, r.status, r.stderr)
			if row.code != "" {
				require.Contains(t, r.stderr, "["+row.code+"]")
				require.Equal(t, "running", r.attempt.Status)
				require.Equal(t, cli.StatusYes, owgRunIn(t, t.Context(), now, append([]string{"--abandon"}, args...)...).status)
			}
		})
	}
}

// TestOwgLapsesMeanwhile: an agent that takes its time gets no task by a delegation that
// has lapsed since the call began.
func TestOwgLapsesMeanwhile(t *testing.T) {
	t.Parallel()
	start := time.Now()
	file := season(t, `"by":"prodco_agent","scope":["read:masters"]`,
		`"by":"prodco_agent","scope":["read:masters"],"expires_at":"`+start.Add(2*time.Second).UTC().Format(time.RFC3339)+`"`)
	key, credential := chainFiles(t, prodcoIRI)
	for _, row := range []struct {
		name    string
		agent   speakerOptions
		lose    bool // the first request does not arrive
		args    []string
		attempt string // "" for none
		code    string
	}{
		{"over an offer that it accepts", speakerOptions{accepts: true}, false, nil, "", "OWG_DELEGATION_EXPIRED"},
		{"over an offer that it declines", speakerOptions{}, false, nil, "", "OWG_DELEGATION_EXPIRED"},
		{"over an intent that it does not get", speakerOptions{declares: true}, true, nil, "running", "OWG_DELEGATION_EXPIRED"},
		{"over a denial", speakerOptions{declares: true, authorizer: byChain(t), domain: "own"}, false, []string{"--key", key, "--credential", credential, "--holder", prodcoIRI}, "failed", "A2A_TASK_REJECTED"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			row.agent.wrap = func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if requests.Add(1) == 1 && row.lose {
						panic(http.ErrAbortHandler)
					}
					next.ServeHTTP(w, r)
				})
			}
			agent := speak(t, row.agent)
			now := func() time.Time {
				if requests.Load() == 0 {
					return start
				}
				return start.Add(5 * time.Second)
			}
			record := filepath.Join(t.TempDir(), "run.json")
			args := append([]string{"--record", record, "--card", agent.url}, append(row.args, file, "dub")...)
			for range 2 { // also when it is called again
				r := owgRunIn(t, t.Context(), now, args...)
				require.Equal(t, cli.StatusNo, r.status, r.stderr)
				require.Contains(t, r.stderr, row.code)
				require.Equal(t, row.attempt, r.attempt.Status)
				require.EqualValues(t, 1, requests.Load(), "nothing else is sent")
				if row.attempt == "failed" {
					break // another call is another attempt
				}
			}
			require.Zero(t, agent.done.Load())
			require.Zero(t, agent.messages())
		})
	}
	t.Run("while the card is fetched", func(t *testing.T) {
		t.Parallel()
		agent := hire(t, &worker{work: ends(sdk.TaskStateCompleted, "", "dub_ep1")}, false, false)
		var asked atomic.Int64
		r := owgRunIn(t, t.Context(), func() time.Time {
			if asked.Add(1) == 1 {
				return start
			}
			return start.Add(5 * time.Second)
		}, "--card", agent.url, file, "dub")
		require.Equal(t, cli.StatusNo, r.status, r.stderr)
		require.Contains(t, r.stderr, "OWG_DELEGATION_EXPIRED")
		require.Empty(t, r.out)
		require.Zero(t, agent.messages())
	})
}

// TestOwgIntentInterrupted: a task that was handed over as an intent does not succeed by what
// comes of the request to cancel it: no response shape judges that.
func TestOwgIntentInterrupted(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, state, attempt string
		status               cli.Status
	}{
		{"over already", "TASK_STATE_COMPLETED", "running", cli.StatusNothing},
		{"canceled", "TASK_STATE_CANCELED", "failed", cli.StatusNo},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			gate := make(chan struct{})
			t.Cleanup(func() { close(gate) })
			again := make(chan struct{}, 9)
			agent := speak(t, speakerOptions{declares: true, tasks: true, before: func(context.Context) { <-gate }, wrap: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, err := io.ReadAll(r.Body)
					if err != nil {
						return
					}
					var call struct {
						ID     json.RawMessage
						Method string
					}
					if json.Unmarshal(body, &call) == nil && call.Method == "CancelTask" {
						w.Header().Set("Content-Type", "application/json")
						fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"id":"T1","status":{"state":%q},"artifacts":[{"artifactId":"a","name":"dub_ep1","parts":[{"text":"what no shape allows"}]}]}}`, call.ID, row.state)
						return
					}
					again <- struct{}{}
					r.Body = io.NopCloser(bytes.NewReader(body))
					next.ServeHTTP(w, r)
				})
			}})
			record, file := filepath.Join(t.TempDir(), "run.json"), season(t)
			r := owgRun(t, "--record", record, "--time-limit", "300ms", "--card", agent.url, file, "dub")
			require.Equal(t, cli.StatusNothing, r.status, r.stderr)
			for len(again) > 0 {
				<-again
			}
			text, err := os.ReadFile(record)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(record, bytes.Replace(text, []byte(`"remote":{`), []byte(`"remote":{"task_id":"T1",`), 1), 0o600))
			ctx, interrupt := context.WithCancel(t.Context())
			go func() {
				<-again
				interrupt()
			}()
			r = owgRunIn(t, ctx, time.Now, "--record", record, "--card", agent.url, file, "dub")
			require.Equal(t, row.status, r.status, r.stderr)
			require.Equal(t, row.attempt, r.attempt.Status, r.stderr)
			require.Equal(t, row.attempt == "running", recorded(t, record).Attempts[0].Sent != nil)
		})
	}
}

// TestOwgIntentTask: nor does it by what the agent says of the task that it made of the intent,
// whichever way that could be read.
func TestOwgIntentTask(t *testing.T) {
	t.Parallel()
	const artifacts = `"artifacts":[{"artifactId":"a","name":"dub_ep1","parts":[{"text":"what no shape allows"}]}]`
	const asks, failed, over = `"status":{"state":"TASK_STATE_INPUT_REQUIRED"}`, `"status":{"state":"TASK_STATE_FAILED"}`, `"status":{"state":"TASK_STATE_COMPLETED"},` + artifacts
	for _, row := range []struct{ name, sent, got, attempt string }{
		{"asks", asks, `"id":"T1",` + asks, "running input-required"},
		{"asks and is over", asks, `"id":"T1",` + over, "failed completed"},
		{"asks and is over, in another one", asks, `"id":"T1",` + asks + `,"task":{"id":"T1",` + over + `}`, "failed completed"},
		{"asks and is a message", asks, `"message":{"messageId":"m","role":"ROLE_AGENT","parts":[]}`, "running "},
		{"is over", over, `"id":"T1",` + over, "failed completed"},
		{"failed and is over, in another one", failed, `"id":"T1",` + failed + `,"task":{"id":"T1",` + over + `}`, "failed completed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			agent := speak(t, speakerOptions{declares: true, wrap: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					var call struct {
						ID     json.RawMessage
						Method string
					}
					if json.NewDecoder(r.Body).Decode(&call) != nil {
						return
					}
					result := `"task":{"id":"T1",` + row.sent + `}`
					if call.Method == "GetTask" {
						result = row.got
					}
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{%s}}`, call.ID, result)
				})
			}})
			// Without assets to be produced an answer of any kind could do.
			for _, file := range []string{season(t), season(t, `,"produced":["dub_ep1"]`, ``)} {
				r := owgRun(t, "--as", "intent", "--time-limit", "400ms", "--card", agent.url, file, "dub")
				require.NotEqual(t, cli.StatusYes, r.status, r.stderr)
				require.Equal(t, row.attempt, r.attempt.Status+" "+r.attempt.Remote.State, r.stderr)
			}
		})
	}
}
