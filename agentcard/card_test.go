package agentcard_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/agentcard"
)

// workedExample is the card of the worked example of A2A 1.0, section 8.4.1.
const workedExample = `{"name":"Example Agent","description":"","capabilities":{"streaming":false,"pushNotifications":false,"extensions":[]},"skills":[]}`

// plainCard is a card whose payload is the same under every reading.
const plainCard = `{
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

// richCard has something of everything that implementations treat differently.
const richCard = `{
  "name": "Cotations Éclair",
  "description": "",
  "version": "2.0.0",
  "supportedInterfaces": [
    {"url": "https://agent.example.com/a2a/v1", "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": ""}
  ],
  "provider": {"organization": "Transports Éclair", "url": "https://example.com"},
  "iconUrl": "",
  "capabilities": {
    "streaming": false,
    "extensions": [
      {
        "uri": "https://ext.example/rates/v1",
        "description": "",
        "required": false,
        "params": {"": "", "e": {}, "l": [], "n": null, "z": 0, "off": false, "rate": 4.50, "big": 1E30, "\ue000": 1, "\ud83d\ude00": 2}
      }
    ]
  },
  "securitySchemes": {
    "mtls": {"mtlsSecurityScheme": {}},
    "oauth": {"oauth2SecurityScheme": {"flows": {"clientCredentials": {"tokenUrl": "https://auth.example/token", "scopes": {}, "refreshUrl": ""}}}}
  },
  "securityRequirements": [{"schemes": {"mtls": {"list": []}}}, {}],
  "defaultInputModes": ["application/json"],
  "defaultOutputModes": ["application/json"],
  "skills": [
    {"id": "quote", "name": "Quote", "description": "Quotes one pallet.", "tags": [], "examples": [], "inputModes": []}
  ],
  "x-shelf": {"kept": "", "order": [3, 1, 2]}
}
`

// noon is the time of the tests.
func noon() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) }

// rnd is the source of randomness of the tests.
type rnd struct{}

func (rnd) Read(p []byte) (int, error) { return rand.Read(p) }

var made = struct {
	sync.Mutex
	keys map[string]*agentcard.PrivateKey
}{keys: map[string]*agentcard.PrivateKey{}}

// keyFor returns a key, the same for the same arguments: RSA keys take long to
// make.
func keyFor(t testing.TB, alg agentcard.Algorithm, kid string) *agentcard.PrivateKey {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	id := string(alg) + " " + kid
	if k := made.keys[id]; k != nil {
		return k
	}
	k, err := agentcard.GenerateKey(alg, kid, rnd{})
	require.NoError(t, err)
	made.keys[id] = k
	return k
}

func parse(t testing.TB, card []byte) *agentcard.Card {
	t.Helper()
	c, err := agentcard.Parse(card, agentcard.Limits{})
	require.NoError(t, err)
	return c
}

func sign(t testing.TB, card string, key *agentcard.PrivateKey) []byte {
	t.Helper()
	signed, err := agentcard.Sign(parse(t, []byte(card)), key, agentcard.SignOptions{Rand: rnd{}, Fragment: true})
	require.NoError(t, err)
	return signed
}

func supplied(t testing.TB, set string) agentcard.Keys {
	t.Helper()
	s, err := agentcard.ParseKeySet([]byte(set), agentcard.Limits{})
	require.NoError(t, err)
	return agentcard.Keys{Supplied: s}
}

// public returns the keys to verify with.
func public(t testing.TB, keys ...*agentcard.PrivateKey) agentcard.Keys {
	t.Helper()
	var all []string
	for _, k := range keys {
		all = append(all, jwkOf(t, k))
	}
	return supplied(t, `{"keys":[`+strings.Join(all, ",")+`]}`)
}

// jwkOf returns a key's public JWK.
func jwkOf(t testing.TB, k *agentcard.PrivateKey) string {
	t.Helper()
	set, err := k.KeySet()
	require.NoError(t, err)
	return strings.TrimSuffix(strings.TrimPrefix(string(set), `{"keys":[`), `]}`)
}

func verify(t testing.TB, c *agentcard.Card, keys agentcard.Keys, p agentcard.Policy) *agentcard.Report {
	t.Helper()
	if p.At.IsZero() {
		p.At = noon()
	}
	r, err := agentcard.Verify(context.Background(), c, keys, p)
	require.NoError(t, err)
	consistent(t, r)
	return r
}

// consistent checks what must hold for every report.
func consistent(t testing.TB, r *agentcard.Report) {
	t.Helper()
	v, ok := r.Verified()
	require.Equal(t, r.Outcome == agentcard.OutcomeVerified, ok)
	require.Equal(t, ok, v != nil)
	require.Equal(t, ok, r.Code == "", "a report says why it refuses")
	require.Equal(t, ok, len(r.Proves) > 0)
	if !ok {
		require.NotEmpty(t, r.Message)
	}
	for _, e := range r.Entries {
		require.Equal(t, e.Result == agentcard.ResultValid, e.Code == "")
		require.Equal(t, e.Result == agentcard.ResultValid, e.KeyTrust != "")
		if e.Result != agentcard.ResultValid {
			require.NotEmpty(t, e.Message)
		}
	}
}

func codeOf(t testing.TB, err error) agentcard.Code {
	t.Helper()
	var e *agentcard.Error
	require.ErrorAs(t, err, &e)
	require.NotEmpty(t, e.Error())
	return e.Code
}

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// with adds a member to an object, in front of the others.
func with(t testing.TB, object []byte, name, value string) []byte {
	t.Helper()
	s := strings.TrimSpace(string(object))
	require.True(t, strings.HasPrefix(s, "{"))
	comma := ","
	if strings.TrimSpace(s[1:]) == "}" {
		comma = ""
	}
	return []byte(`{"` + name + `":` + value + comma + s[1:])
}

func TestCodes(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range agentcard.Codes() {
		require.NotEmpty(t, c.Text(), c)
		require.False(t, seen[string(c)] || seen[c.Text()], c)
		seen[string(c)], seen[c.Text()] = true, true
	}
	require.Empty(t, agentcard.Code("OTHER").Text())
}
