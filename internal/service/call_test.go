package service_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"
	sdksrv "github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// talker answers prose.
type talker struct{}

func (talker) Execute(_ context.Context, ec *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) {
		yield(sdk.NewMessageForTask(sdk.MessageRoleAgent, sdk.TaskInfo{ContextID: ec.ContextID}, sdk.NewTextPart("hello\x1b[31m to you")), nil)
	}
}

func (talker) Cancel(context.Context, *sdksrv.ExecutorContext) iter.Seq2[sdk.Event, error] {
	return func(yield func(sdk.Event, error) bool) { yield(nil, sdk.ErrTaskNotCancelable) }
}

// startAgent starts an agent that speaks the document of the testdata over plain HTTP,
// and returns the URL of its card. With declare the card declares the document.
func startAgent(t *testing.T, accepts, declare bool) string {
	t.Helper()
	d, err := protocol.Verify(t.Context(), []byte(testdata(t, "grant-access.ttl")), turtle, pinOf(t, grantPin), protocol.Options{})
	require.NoError(t, err)
	reviewed, err := protocol.Examine(d).Accept()
	require.NoError(t, err)
	documents := protocol.NewStore(0)
	require.NoError(t, documents.Put(reviewed))
	c := engine.Config{
		Local: "https://alice.pod.example/", Documents: documents, Store: replay.NewMemory(replay.Limits{}), Clock: time.Now, Random: rand.Reader,
		Authorizer: engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: true}, nil
		}),
	}
	if accepts {
		c.Policy = engine.AllowList{Pins: []canon.Digest{d.Pin()}}
	}
	declaration := agentcard.Declaration{Description: "Grants.", Formats: []string{turtle}, NLNegotiation: true}
	if declare {
		c.Declared = []engine.Declared{{Pin: d.Pin(), Source: source}}
		declaration.Documents = []agentcard.DeclaredDocument{{Source: source, Hash: d.Pin()}}
	}
	e, err := engine.New(c)
	require.NoError(t, err)
	mux := http.NewServeMux()
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	ext, err := declaration.AppendExtension(nil)
	require.NoError(t, err)
	card := object(t, m{
		"name": "Pod agent", "description": "Looks after a pod.", "version": "1.0.0",
		"supportedInterfaces": []m{{"url": h.URL + "/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}},
		"capabilities":        m{"extensions": []any{json.RawMessage(ext)}},
		"defaultInputModes":   []string{turtle}, "defaultOutputModes": []string{turtle},
		"skills": []m{{"id": "grant", "name": "Grant", "description": "Grants.", "tags": []string{"pod"}}},
	})
	server, err := a2a.NewServer(a2a.ServerConfig{
		Engine: e, Card: []byte(card), Prose: talker{},
		Handler: a2a.HandlerFunc(func(context.Context, *engine.Intent) (engine.Answer, error) {
			return engine.Answer{Body: "<urn:done> a <urn:Granted> .\n", MediaType: turtle, Text: "granted\x1b[31m"}, nil
		}),
	})
	require.NoError(t, err)
	cards, err := a2a.CardHandler([]byte(card), 0)
	require.NoError(t, err)
	mux.Handle(a2a.CardPath, cards)
	mux.Handle("/rpc", server.JSONRPC(server.RequestHandler()))
	return h.URL + a2a.CardPath
}

func pinOf(t *testing.T, s string) canon.Digest {
	t.Helper()
	pin, err := canon.ParseDigest(s)
	require.NoError(t, err)
	return pin
}

func TestCall(t *testing.T) {
	t.Parallel()
	data := filepath.Join("..", "..", "testdata")
	grant, intent, incomplete := filepath.Join(data, "grant-access.ttl"), filepath.Join(data, "intent.ttl"), filepath.Join(data, "intent-incomplete.ttl")
	accepting, declining, declaring := startAgent(t, true, false), startAgent(t, false, false), startAgent(t, false, true)
	trust := write(t, t.TempDir(), "trust.json", `{"version":1}`, 0o600)
	noTrust := write(t, t.TempDir(), "trust.json", `{"version":2}`, 0o600)
	secretFile := write(t, t.TempDir(), "token", secret+"\n", 0o600)
	for _, row := range []struct {
		name   string
		args   []string
		status cli.Status
		steps  string // what was sent and what it came to
		code   string
	}{
		{"a text", []string{"--text", "hello", accepting}, cli.StatusYes, "text:prose", ""},
		{"an offer", []string{"--offer", "--protocol", grant, accepting}, cli.StatusYes, "offer:agreed", ""},
		{"an offer with its pin", []string{"--offer", "--protocol", grant, "--pin", grantPin, accepting}, cli.StatusYes, "offer:agreed", ""},
		{"an offer, declined", []string{"--offer", "--protocol", grant, declining}, cli.StatusNo, "offer:aborted", "upgrade-required"},
		{"an optional offer, declined", []string{"--offer", "--optional", "--protocol", grant, declining}, cli.StatusNo, "offer:declined", "declined"},
		{"a text after an optional offer, declined", []string{"--offer", "--optional", "--protocol", grant, "--text", "hello", declining}, cli.StatusYes, "offer:declined text:prose", ""},
		{"a text after a required offer, declined", []string{"--offer", "--protocol", grant, "--text", "hello", declining}, cli.StatusNo, "offer:aborted", "upgrade-required"},
		{"a text after an offer, agreed", []string{"--offer", "--protocol", grant, "--text", "hello", accepting}, cli.StatusNo, "", "upgrade-required"},
		{"an intent", []string{"--protocol", grant, "--intent", intent, accepting}, cli.StatusYes, "offer:agreed intent:response", ""},
		{"an intent with a token", []string{"--protocol", grant, "--intent", intent, "--token-file", secretFile, accepting}, cli.StatusYes, "offer:agreed intent:response", ""},
		{"an intent, not agreed", []string{"--protocol", grant, "--intent", intent, declining}, cli.StatusNo, "offer:aborted", "upgrade-required"},
		{"an intent, declared", []string{"--protocol", grant, "--intent", intent, declaring}, cli.StatusYes, "intent:response", ""},
		{"an intent that does not conform", []string{"--protocol", grant, "--intent", incomplete, declaring}, cli.StatusNo, "", "intent-invalid"},
		{"another binding", []string{"--text", "hello", "--binding", "grpc", accepting}, cli.StatusCall, "", "unreachable"},
		{"a trust store", []string{"--text", "hello", "--trust", trust, accepting}, cli.StatusYes, "text:prose", ""},
		{"a trust store, and no signature", []string{"--text", "hello", "--trust", trust, "--require-signature", accepting}, cli.StatusNo, "", "CARD_UNSIGNED"},
		{"a trust store that is none", []string{"--text", "hello", "--trust", noTrust, accepting}, cli.StatusCall, "", "unreadable"},
		{"an empty trust store", []string{"--text", "hello", "--trust", "", accepting}, cli.StatusCall, "", "usage"},
		{"an empty pin", []string{"--offer", "--protocol", grant, "--pin", "", accepting}, cli.StatusCall, "", "usage"},
		{"a domain that is none", []string{"--text", "hello", "domain:alice.example/x"}, cli.StatusCall, "", "usage"},
		{"a domain with a user", []string{"--text", "hello", "domain:alice.example@mallory.example"}, cli.StatusCall, "", "usage"},
		{"no such card", []string{"--text", "hello", strings.Replace(accepting, "agent-card", "other", 1)}, cli.StatusCall, "", "unreachable"},
		{"a card that must be signed", []string{"--text", "hello", "--require-signature", accepting}, cli.StatusNo, "", "CARD_UNSIGNED"},
		{"no file", []string{"--text", "hello", filepath.Join(data, "missing.json")}, cli.StatusCall, "", "unreadable"},
		{"a file that is no card", []string{"--text", "hello", grant}, cli.StatusRefused, "", "JSON_SYNTAX"},
		{"http elsewhere", []string{"--text", "hello", "http://192.0.2.1/card"}, cli.StatusCall, "", "unreachable"},
		{"another scheme", []string{"--text", "hello", "ftp://alice.example/card"}, cli.StatusCall, "", "unreachable"},
		{"another pin", []string{"--offer", "--protocol", grant, "--pin", "sha256:" + strings.Repeat("0", 64), accepting}, cli.StatusNo, "", "protocol-hash-mismatch"},
		{"a document that is not there", []string{"--offer", "--protocol", filepath.Join(data, "MISSING"), accepting}, cli.StatusCall, "", "unreadable"},
		{"a document of no known extension", []string{"--offer", "--protocol", write(t, t.TempDir(), "document.txt", "x", 0o600), accepting}, cli.StatusCall, "", "unknown-format"},
		{"a document that is none", []string{"--offer", "--protocol", intent, accepting}, cli.StatusRefused, "", "invalid-protocol-document"},
		{"a document over a limit", []string{"--offer", "--protocol", write(t, t.TempDir(), "long.ttl", strings.Repeat("<urn:s> <urn:p> 1 .\n", 30_000), 0o600), accepting}, cli.StatusRefused, "", "limit-exceeded"},
		{"nothing to send", []string{accepting}, cli.StatusCall, "", "usage"},
		{"no card", []string{"--text", "hello"}, cli.StatusCall, "", "usage"},
		{"two cards", []string{"--text", "hello", accepting, accepting}, cli.StatusCall, "", "usage"},
		{"an offer of nothing", []string{"--offer", accepting}, cli.StatusCall, "", "usage"},
		{"an offer by its pin alone", []string{"--offer", "--pin", grantPin, accepting}, cli.StatusCall, "", "usage"},
		{"a pin that is none", []string{"--offer", "--protocol", grant, "--pin", "x", accepting}, cli.StatusCall, "", "usage"},
		{"an unknown binding", []string{"--text", "x", "--binding", "x", accepting}, cli.StatusCall, "", "usage"},
		{"no time", []string{"--text", "x", "--time-limit", "0s", accepting}, cli.StatusCall, "", "usage"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"call", "--insecure-plaintext"}, row.args...)
			r := run(t, append(args, "--json")...)
			require.Equal(t, row.status, r.status, "%s%s", r.out, r.stderr)
			if row.steps == "" {
				require.Empty(t, r.out)
				require.NotContains(t, r.stderr, "hint: --limit", "which the command does not have")
				require.Regexp(t, `(?m)^rdfprotod: error: .*\[`+row.code+`\]$`, r.stderr)
				return
			}
			var got struct {
				Verdict, Code string
				Steps         []struct {
					Sent, Outcome, ContextID string
					Texts                    []string
					Response                 struct {
						Content   string
						Validated bool
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(r.out), &got), r.out)
			require.Equal(t, row.code, got.Code, r.out)
			var steps []string
			for _, s := range got.Steps {
				steps = append(steps, s.Sent+":"+s.Outcome)
			}
			require.Equal(t, row.steps, strings.Join(steps, " "), r.out)
			last := got.Steps[len(got.Steps)-1]
			if last.Outcome == "response" {
				require.Contains(t, last.Response.Content, "Granted")
				require.False(t, last.Response.Validated, "the document has no response shape")
			}
			// For people: what the agent said is shown and not obeyed.
			plain := run(t, append(args, "--trace")...)
			require.Equal(t, row.status, plain.status, plain.stderr)
			require.NotContains(t, plain.out, "\x1b")
			for _, s := range got.Steps {
				require.Contains(t, plain.out, s.Sent+": "+s.Outcome)
			}
			if row.status != cli.StatusYes {
				require.Contains(t, plain.stderr, "["+row.code+"]")
			}
		})
	}
}

// TestCallPlaintext: without leave nothing is sent without TLS.
func TestCallPlaintext(t *testing.T) {
	t.Parallel()
	url := startAgent(t, true, false)
	require.Regexp(t, `\[unreachable\]`, run(t, "call", "--text", "hello", url).stderr)
	resp, err := http.Get(url)
	require.NoError(t, err)
	file := write(t, t.TempDir(), "card.json", read(t, resp).text, 0o600)
	r := run(t, "call", "--text", "hello", file)
	require.Equal(t, cli.StatusCall, r.status)
	require.Contains(t, r.stderr, "not protected by TLS")
	require.Equal(t, cli.StatusYes, run(t, "call", "--insecure-plaintext", "--text", "hello", file).status)
}

// TestCallSlowCard: a card that does not come is no agent that cannot be reached.
func TestCallSlowCard(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(end) })
	r := run(t, "call", "--insecure-plaintext", "--time-limit", "50ms", "--text", "hello", slow.URL)
	require.Equal(t, cli.StatusCall, r.status)
	require.Regexp(t, `\[timeout\]`, r.stderr)
}

// TestCallToken: a card that nobody signed does not send the token to another origin.
func TestCallToken(t *testing.T) {
	t.Parallel()
	url := startAgent(t, true, false)
	resp, err := http.Get(url)
	require.NoError(t, err)
	card := read(t, resp).text
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", inJSON)
		_, _ = w.Write([]byte(card))
	}))
	t.Cleanup(elsewhere.Close)
	token := write(t, t.TempDir(), "token", secret, 0o600)
	args := []string{"call", "--insecure-plaintext", "--text", "hello", "--token-file", token}
	r := run(t, append(args, elsewhere.URL)...)
	require.Equal(t, cli.StatusCall, r.status, r.out)
	require.Contains(t, r.stderr, "it gets no token")
	require.NotContains(t, r.stderr, secret)
	require.Equal(t, cli.StatusYes, run(t, append(args, url)...).status)
	require.Equal(t, cli.StatusYes, run(t, append(args, write(t, t.TempDir(), "card.json", card, 0o600))...).status, "a file is the caller's own")
}
