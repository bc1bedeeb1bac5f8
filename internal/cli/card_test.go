package cli_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/fetch"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/online"
)

// unsignedCard is a card that nothing is to be said against but that nobody signed.
const unsignedCard = `{
  "name": "Pallet Quotes",
  "description": "Quotes pallet shipments.",
  "version": "1.0.0",
  "supportedInterfaces": [
    {"url": "https://agent.example.com/a2a/v1", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
  ],
  "capabilities": {"streaming": false},
  "defaultInputModes": ["application/json"],
  "defaultOutputModes": ["application/json"],
  "skills": [
    {"id": "quote", "name": "Quote", "description": "Quotes one pallet.", "tags": ["freight"]}
  ]
}
`

// cardFiles are files for calls about cards: a key, its public half in a set and
// in a trust store, a card without a signature and with one that names jku.
func cardFiles(t *testing.T, jku string) map[string]string {
	t.Helper()
	key, err := agentcard.GenerateKey(agentcard.EdDSA, "k1", bytes.NewReader(bytes.Repeat([]byte{7}, 32)))
	require.NoError(t, err)
	secret, err := key.JWK()
	require.NoError(t, err)
	set, err := key.KeySet()
	require.NoError(t, err)
	card, err := agentcard.Parse([]byte(unsignedCard), agentcard.Limits{})
	require.NoError(t, err)
	signed, err := agentcard.Sign(card, key, agentcard.SignOptions{JKU: jku})
	require.NoError(t, err)
	jwk := strings.TrimSuffix(strings.TrimPrefix(string(set), `{"keys":[`), `]}`)
	return map[string]string{
		"key.jwk":       string(secret),
		"jwks.json":     string(set),
		"trust.json":    `{"version":1,"keys":[{"jwk":` + jwk + `}]}`,
		"unsigned.json": unsignedCard,
		"card.json":     string(signed),
	}
}

// cardDeclaring is a signed card that declares the Protocol Document of the tests.
func cardDeclaring(t *testing.T, source string) string {
	t.Helper()
	key, err := agentcard.ParsePrivateKey([]byte(cardFiles(t, "")["key.jwk"]), agentcard.Limits{})
	require.NoError(t, err)
	extension := `{"uri":"` + agentcard.ExtensionURI + `","description":"d","params":{"protocolDocuments":[{"source":"` + source +
		`","hash":"sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"}]}}`
	card, err := agentcard.Parse([]byte(strings.Replace(unsignedCard, `"streaming"`, `"extensions":[`+extension+`],"streaming"`, 1)), agentcard.Limits{})
	require.NoError(t, err)
	signed, err := agentcard.Sign(card, key, agentcard.SignOptions{})
	require.NoError(t, err)
	return string(signed)
}

// host is a server on loopback that calls itself agent.example.com.
type host struct {
	server *httptest.Server
	asked  []string
	pages  map[string]string
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{pages: map[string]string{}}
	h.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.asked = append(h.asked, r.URL.Path)
		page, ok := h.pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasPrefix(page, "#") {
			w.Header().Set("Content-Type", "text/turtle")
		}
		_, _ = io.WriteString(w, page)
	}))
	h.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.server.StartTLS()
	t.Cleanup(h.server.Close)
	return h
}

// LookupNetIP says that every name has one public address; dial leads it here.
func (h *host) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

func (h *host) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", h.server.Listener.Addr().String())
}

func (h *host) open(l cli.FetchLimits) (cli.Network, error) {
	pool := x509.NewCertPool()
	pool.AddCert(h.server.Certificate())
	return online.With(fetch.Options{RootCAs: pool, Resolver: h, Dial: h.dial}, l)
}

// call runs a command with the host's network.
func (h *host) call(t *testing.T, args ...string) result {
	t.Helper()
	var out, stderr bytes.Buffer
	status := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Network: h.open})
	return result{status, out.String(), stderr.String()}
}

// TestCardOnline fetches cards and key sets, where that is asked for and allowed.
func TestCardOnline(t *testing.T) {
	t.Parallel()
	const (
		cardPath = "/.well-known/agent-card.json"
		keysPath = "/.well-known/jwks.json"
	)
	files := cardFiles(t, "https://www.example.com"+keysPath)
	dir := t.TempDir()
	for file, text := range map[string]string{
		"card.json":  files["card.json"],
		"jwks.json":  files["jwks.json"],
		"same.json":  `{"version":1,"jku":{"mode":"same-origin"}}`,
		"list.json":  `{"version":1,"jku":{"mode":"allowlist","allow":["https://www.example.com"]}}`,
		"other.json": `{"version":1,"jku":{"mode":"allowlist","allow":["https://other.example.com"]}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, row := range []struct {
		name   string
		args   []string
		pages  map[string]string
		status cli.Status
		asked  []string
		code   string
	}{
		{"a card by its URL", []string{"verify", "--jwks", in("jwks.json"), "https://www.example.com/c"}, map[string]string{"/c": files["card.json"]}, cli.StatusYes, []string{"/c"}, ""},
		{"a card by its domain", []string{"verify", "--jwks", in("jwks.json"), "domain:www.example.com"}, map[string]string{cardPath: files["card.json"]}, cli.StatusYes, []string{cardPath}, ""},
		{"a card over the limit", []string{"verify", "--jwks", in("jwks.json"), "https://www.example.com/c"}, map[string]string{"/c": files["card.json"] + strings.Repeat(" ", 256<<10)}, cli.StatusCall, []string{"/c"}, "FETCH_TOO_LARGE"},
		{"a limit that is higher", []string{"verify", "--limit", "card-bytes=300000", "--jwks", in("jwks.json"), "https://www.example.com/c"}, map[string]string{"/c": files["card.json"] + strings.Repeat(" ", 256<<10)}, cli.StatusYes, []string{"/c"}, ""},
		{"a limit that is lower", []string{"verify", "--limit", "card-bytes=10", "--jwks", in("jwks.json"), "https://www.example.com/c"}, map[string]string{"/c": files["card.json"]}, cli.StatusRefused, []string{"/c"}, "JSON_TOO_LARGE"},
		{"keys of the same origin", []string{"verify", "--online", "--trust", in("same.json"), "domain:www.example.com"}, map[string]string{cardPath: files["card.json"], keysPath: files["jwks.json"]}, cli.StatusYes, []string{cardPath, keysPath}, ""},
		{"keys of the same origin, card from a file", []string{"verify", "--online", "--trust", in("same.json"), in("card.json")}, map[string]string{keysPath: files["jwks.json"]}, cli.StatusNo, nil, "JKU_FORBIDDEN"},
		{"keys of an allowed origin", []string{"verify", "--online", "--trust", in("list.json"), in("card.json")}, map[string]string{keysPath: files["jwks.json"]}, cli.StatusYes, []string{keysPath}, ""},
		{"keys of another origin", []string{"verify", "--online", "--trust", in("other.json"), in("card.json")}, map[string]string{keysPath: files["jwks.json"]}, cli.StatusNo, nil, "JKU_FORBIDDEN"},
		{"allowed, and not asked to go there", []string{"verify", "--trust", in("list.json"), in("card.json")}, map[string]string{keysPath: files["jwks.json"]}, cli.StatusNo, nil, "KEY_NOT_FOUND"},
		{"no rule", []string{"verify", "--online", in("card.json")}, map[string]string{keysPath: files["jwks.json"]}, cli.StatusNo, nil, "JKU_FORBIDDEN"},
		{"keys that are not there", []string{"verify", "--online", "--trust", in("list.json"), in("card.json")}, nil, cli.StatusNo, []string{keysPath}, "FETCH_STATUS"},
		{"keys that are PEM", []string{"verify", "--online", "--trust", in("list.json"), in("card.json")}, map[string]string{keysPath: "-----BEGIN PUBLIC KEY-----"}, cli.StatusNo, []string{keysPath}, "JWKS_MALFORMED"},
		{"a card that is not there", []string{"verify", "https://www.example.com/c"}, nil, cli.StatusCall, []string{"/c"}, "FETCH_STATUS"},
		{"a card that is none", []string{"inspect", "https://www.example.com/c"}, map[string]string{"/c": "<html>"}, cli.StatusRefused, []string{"/c"}, "JSON_SYNTAX"},
		{"a card over http", []string{"lint", "http://www.example.com/c"}, nil, cli.StatusCall, nil, "FETCH_NOT_HTTPS"},
		{"a card on this machine", []string{"payload", "https://localhost/c"}, nil, cli.StatusCall, nil, "FETCH_BLOCKED_ADDRESS"},
		{"a domain that is none", []string{"verify", "domain:user@www.example.com"}, nil, cli.StatusCall, nil, "FETCH_URL"},
		{"a domain with a path", []string{"verify", "domain:www.example.com/c?"}, nil, cli.StatusCall, nil, "FETCH_URL"},
		{"a domain with a fragment", []string{"inspect", "domain:www.example.com#"}, nil, cli.StatusCall, nil, "FETCH_URL"},
		{"a domain that is a URL", []string{"lint", "domain:https://www.example.com"}, nil, cli.StatusCall, nil, "FETCH_URL"},
		{"a domain with another port", []string{"payload", "domain:www.example.com:8443"}, nil, cli.StatusCall, nil, "FETCH_URL"},
		{"a domain that is empty", []string{"payload", "domain:"}, nil, cli.StatusCall, nil, "FETCH_URL"},
		{"inspect", []string{"inspect", "--jwks", in("jwks.json"), "domain:www.example.com"}, map[string]string{cardPath: files["card.json"]}, cli.StatusYes, []string{cardPath}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			h.pages = row.pages
			r := h.call(t, append([]string{"card"}, row.args...)...)
			require.Equal(t, row.status, r.status, r.stderr)
			require.Equal(t, row.asked, h.asked)
			if row.code == "" {
				require.Empty(t, r.stderr)
				require.Contains(t, r.out, "verified under the reading spec")
			} else {
				require.Contains(t, r.stderr, "["+row.code+"]")
			}
		})
	}
	// The documents of a verified card are fetched and reviewed, those of another
	// are not.
	grant, err := os.ReadFile(filepath.Join("..", "..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	declaring := cardDeclaring(t, "https://www.example.com/grant-access")
	for _, row := range []struct {
		name, card string
		status     cli.Status
		asked      []string
		says       string
	}{
		{"verified", declaring, cli.StatusYes, []string{"/c", "/grant-access"}, "    review: accepted\n"},
		{"forged", strings.Replace(declaring, "Pallet", "Packet", 1), cli.StatusNo, []string{"/c"}, "    review: not seen: "},
	} {
		h := newHost(t)
		h.pages = map[string]string{"/c": row.card, "/grant-access": string(grant)}
		r := h.call(t, "card", "inspect", "--online", "--jwks", in("jwks.json"), "https://www.example.com/c")
		require.Equal(t, row.status, r.status, r.stderr)
		require.Equal(t, row.asked, h.asked, row.name)
		require.Contains(t, r.out, row.says)
	}

	h := newHost(t)
	h.pages = map[string]string{cardPath: files["card.json"]}
	r := h.call(t, "card", "verify", "--json", "--jwks", in("jwks.json"), "domain:www.example.com")
	require.Contains(t, r.out, `"source":"https://www.example.com`+cardPath+`"`)
}

// TestDeclaredDocumentsOnce: a document that a card declares many times is fetched, read and
// reviewed once.
func TestDeclaredDocumentsOnce(t *testing.T) {
	t.Parallel()
	const pin = "4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	grant, err := os.ReadFile(filepath.Join("..", "..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	declare := func(name, path, hash string) string {
		return `{"name":"` + name + `","source":"https://www.example.com/` + path + `","hash":"sha256:` + hash + `"}`
	}
	other, none := strings.Repeat("0", 64), strings.Repeat("1", 64)
	documents := strings.Join([]string{
		declare("first", "grant", pin), declare("second", "grant", pin), declare("third", "grant", other), declare("fourth", "grant", none),
		declare("fifth", "missing", pin), declare("sixth", "missing", other), declare("seventh", "broken", pin), declare("eighth", "broken", other),
	}, ",")
	card := strings.Replace(unsignedCard, `"streaming"`, `"extensions":[{"uri":"`+agentcard.ExtensionURI+`","description":"d","params":{"protocolDocuments":[`+documents+`]}}],"streaming"`, 1)
	h := newHost(t)
	h.pages = map[string]string{"/c": card, "/grant": string(grant), "/broken": "# not RDF\n<urn:s> "}
	r := h.call(t, "card", "inspect", "--online", "https://www.example.com/c")
	require.Equal(t, cli.StatusNothing, r.status, r.stderr)
	require.Equal(t, []string{"/c", "/grant", "/missing", "/broken"}, h.asked)
	var names, reviews []string
	for line := range strings.Lines(r.out) {
		if _, name, ok := strings.Cut(line, "  sha256:"); ok {
			names = append(names, strings.Fields(name)[1])
		}
		if _, review, ok := strings.Cut(line, "    review: "); ok {
			word, code := strings.Fields(review)[0], ""
			if at := strings.LastIndexByte(review, '['); at >= 0 {
				code = strings.TrimSpace(review[at:])
			}
			reviews = append(reviews, strings.TrimSpace(word+" "+code))
		}
	}
	require.Equal(t, []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"}, names)
	require.Equal(t, []string{
		"accepted", "accepted", "refused: [protocol-hash-mismatch]", "refused: [protocol-hash-mismatch]",
		"not [FETCH_STATUS]", "not [FETCH_STATUS]", "refused: [protocol-hash-mismatch]", "refused: [protocol-hash-mismatch]",
	}, reviews)
	require.Equal(t, 2, strings.Count(r.out, " within each other\n"), r.out) // what it costs is said of both
}

// TestCardsOfPerformersOnce: performers who have one card have it fetched and verified once.
func TestCardsOfPerformersOnce(t *testing.T) {
	t.Parallel()
	var participants, tasks []string
	for i := range 6 {
		participants = append(participants, fmt.Sprintf(`{"id":"agent%d","kind":"agent","operated_by":"person","agent_card":"https://www.example.com/%s"}`, i, []string{"card", "missing"}[i%2]))
		tasks = append(tasks, fmt.Sprintf(`{"id":"task%d","executor":{"type":"a2a","ref":"paint"},"performed_by":"agent%d","delegation":{"by":"person","scope":[]}}`, i, i))
	}
	file := filepath.Join(t.TempDir(), "workflow.json")
	workflow := `{"participants":[{"id":"person","kind":"human"},` + strings.Join(participants, ",") + `],"tasks":[` + strings.Join(tasks, ",") + `]}`
	require.NoError(t, os.WriteFile(file, []byte(workflow), 0o600))
	h := newHost(t)
	h.pages = map[string]string{"/card": unsignedCard}
	r := h.call(t, "owg", "validate", "--online", file)
	require.Equal(t, []string{"/card", "/missing"}, h.asked, r.stderr)
	require.Equal(t, 1, strings.Count(r.stderr, "FETCH_STATUS"), r.stderr)
	require.Equal(t, 3, strings.Count(r.out, "has no skill"), r.out)
}

// TestCardsOfManyPerformers: whoever writes a workflow does not have thousands of cards
// fetched and kept.
func TestCardsOfManyPerformers(t *testing.T) {
	t.Parallel()
	for n, status := range map[int]cli.Status{64: cli.StatusYes, 65: cli.StatusRefused} {
		var participants, tasks []string
		for i := range n {
			participants = append(participants, fmt.Sprintf(`{"id":"agent%d","kind":"agent","operated_by":"person","agent_card":"https://www.example.com/%d"}`, i, i))
			tasks = append(tasks, fmt.Sprintf(`{"id":"task%d","executor":{"type":"a2a","ref":"paint"},"performed_by":"agent%d","delegation":{"by":"person","scope":[]}}`, i, i))
		}
		file := filepath.Join(t.TempDir(), "workflow.json")
		require.NoError(t, os.WriteFile(file, []byte(`{"participants":[{"id":"person","kind":"human"},`+strings.Join(participants, ",")+`],"tasks":[`+strings.Join(tasks, ",")+`]}`), 0o600))
		h := newHost(t)
		r := h.call(t, "owg", "validate", "--online", file)
		require.Equal(t, status, r.status, r.stderr)
		if status == cli.StatusYes {
			require.Len(t, h.asked, n)
			continue
		}
		require.Empty(t, h.asked)
		require.Contains(t, r.stderr, "[LIMIT_EXCEEDED]")
	}
}
