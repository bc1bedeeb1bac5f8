package cli_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// endless is a pipe that does not end, and counts what is read of it.
type endless struct{ read int64 }

const endlessText = `{"a":1,` + "\n"

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = endlessText[e.read%int64(len(endlessText))]
		e.read++
	}
	return len(p), nil
}

// TestEndlessInput gives every command a pipe that does not end, in the place of each file
// that has a limit of its own. It comes to what the file does that is a byte too long.
func TestEndlessInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	owg := func(name string) string { return filepath.Join("..", "..", "owg", "testdata", name) }
	seed := filepath.Join("..", "..", "testdata", "terms", "owner.seed")
	require.Equal(t, cli.StatusYes, call(t, "", "vc", "keygen", "--out", in("key.jwk")).status)
	for name, text := range map[string]string{
		"a.json":   `{"rootPrincipal":"https://a.example/#me","primaryChain":{"credentials":[],"policies":[]},"request":{"action":"read","target":"urn:x"}}`,
		"a.jsonld": `{"@context":"https://c.example/"}`, "message.json": `{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}`,
		"policy.ttl": "<urn:p> a <http://www.w3.org/ns/odrl/2/Set> ; <http://www.w3.org/ns/odrl/2/permission> [ <http://www.w3.org/ns/odrl/2/action> <http://www.w3.org/ns/odrl/2/read> ; <http://www.w3.org/ns/odrl/2/target> <urn:x> ] .",
	} {
		require.NoError(t, os.WriteFile(in(name), []byte(text), 0o600))
	}
	const KiB, MiB = 1 << 10, 1 << 20
	for _, row := range []struct {
		args  string
		takes int // of the file, at most
		says  string
	}{
		{"vc verify -", MiB, "bytes limit 65536 exceeded [MALFORMED]"},
		{"vc verify --challenge c --domain d -", MiB, "bytes limit 1048576 exceeded [MALFORMED]"},
		{"vc verify --proofs -", MiB, "bytes limit 1048576 exceeded [MALFORMED]"},
		{"vc verify --limit vc-bytes=2097152 -", 2 * MiB, "bytes limit 2097152 exceeded [MALFORMED]"},
		{"vc verify --limit bytes=1000 -", 1000, "bytes limit 1000 exceeded [limit-exceeded]"},
		{"vc verify --json -", MiB, `"code":"MALFORMED"`},
		{"vc verify --documents - KEY", 16 * MiB, "bytes limit 262144 exceeded [unreadable]"},
		{"vc verify --context https://c.example/=- KEY", 16 * MiB, "bytes limit 16777216 exceeded [limit-exceeded]"},
		{"vc status -", MiB, "bytes limit 65536 exceeded [MALFORMED]"},
		{"vc sign --key KEY -", MiB, "bytes limit 1048576 exceeded [MALFORMED]"},
		{"vc sign --key - KEY", 16 * MiB, "expected a private JWK in JSON [invalid-key]"},
		{"vc present --key KEY --holder did:key:z --challenge c --domain d -", 64 * KiB, "bytes limit 65536 exceeded [limit-exceeded]"},
		{"vc status-list set --key KEY --set 1 -", 2 * MiB, "bytes limit 2097152 exceeded [MALFORMED]"},
		{"card lint -", 256 * KiB, "bytes limit 262144 exceeded [JSON_TOO_LARGE]"},
		{"card lint --limit card-bytes=100 -", 100, "bytes limit 100 exceeded [JSON_TOO_LARGE]"},
		{"card verify --jwks - OWG/vendor-card.json", 64 * KiB, "unsigned"},
		{"card verify --trust - OWG/vendor-card.json", 64 * KiB, "bytes limit 65536 exceeded [JSON_TOO_LARGE]"},
		{"card sign --key - OWG/vendor-card.json", 64 * KiB, "expected a private JWK in JSON [JSON_TOO_LARGE]"},
		{"terms digest -", MiB, "bytes limit 1048576 exceeded [JSON_TOO_LARGE]"},
		{"terms sign-sow --key SEED -", MiB, "bytes limit 1048576 exceeded [JSON_TOO_LARGE]"},
		{"terms sign-sow --key - KEY", 16 * MiB, "expected the nkey seed"},
		{"terms verify --document https://d.example/=- OWG/vendor-card.json", MiB, "states nothing about terms"},
		{"terms verify --owner-keys - OWG/vendor-card.json", MiB, "bytes limit 1048576 exceeded [JSON_TOO_LARGE]"},
		{"owg validate -", 4 * MiB, "bytes limit 4194304 exceeded [JSON_TOO_LARGE]"},
		{"owg trace --run - OWG/season.json dub_ep1", 4 * MiB, "bytes limit 4194304 exceeded [JSON_TOO_LARGE]"},
		{"owg map-state OWG/season.json dub -", 4 * MiB, "bytes limit 4194304 exceeded [JSON_TOO_LARGE]"},
		{"owg request --under - --intent OWG/season.json dub", 4 * MiB, "bytes limit 4194304 exceeded [JSON_TOO_LARGE]"},
		{"owg request --inputs - --card OWG/vendor-card.json OWG/season.json dub", 4 * MiB, "bytes limit 4194304 exceeded [JSON_TOO_LARGE]"},
		{"owg card --provider-org S --provider-url https://s.example --url https://s.example/a --extension - OWG/season.json", 16 * MiB, "bytes limit 262144 exceeded [JSON_TOO_LARGE]"},
		{"message check --config KEY -", 16 * MiB, "bytes limit 1048576 exceeded [limit-exceeded]"},
		{"message check --config - MESSAGE", 16 * MiB, "bytes limit 262144 exceeded [limit-exceeded]"},
		{"authz check -", 16 * MiB, "bytes limit 262144 exceeded [limit-exceeded]"},
		{"authz check --presentation - --challenge c --domain d INPUT", MiB, "MALFORMED"},
		{"authz audit --input KEY -", 16 * MiB, "bytes limit 4194304 exceeded [limit-exceeded]"},
		{"odrl evaluate --policy POLICY --request -", 16 * MiB, "bytes limit 262144 exceeded [limit-exceeded]"},
		{"hash --context https://c.example/=- CONTEXT", 16 * MiB, "bytes limit 16777216 exceeded [limit-exceeded]"},
		{"protocol review -", MiB, "bytes limit 1048576 exceeded [limit-exceeded]"},
		{"handshake decode --format json -", 64 * KiB, "bytes limit 65536 exceeded [limit-exceeded]"},
		{"hash --limit bytes=1000 -", 1000, "bytes limit 1000 exceeded [limit-exceeded]"},
	} {
		t.Run(row.args, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(row.args)
			for i, arg := range args {
				arg = strings.NewReplacer("KEY", in("key.jwk"), "SEED", seed, "INPUT", in("a.json"), "POLICY", in("policy.ttl"), "CONTEXT", in("a.jsonld"), "MESSAGE", in("message.json")).Replace(arg)
				if name, ok := strings.CutPrefix(arg, "OWG/"); ok {
					arg = owg(name)
				}
				args[i] = arg
			}
			run := func(stdin io.Reader) result {
				var out, stderr bytes.Buffer
				status := cli.Run(t.Context(), args, cli.Streams{In: stdin, Out: &out, Err: &stderr})
				return result{status, out.String(), stderr.String()}
			}
			whole := &endless{}
			got := run(whole)
			require.Contains(t, got.out+got.stderr, row.says)
			require.NotEqual(t, cli.StatusYes, got.status)
			require.Equal(t, int64(row.takes)+1, whole.read)
			over := run(io.LimitReader(&endless{}, int64(row.takes)+1))
			require.Equal(t, got.status, over.status)
			require.Equal(t, got.stderr, over.stderr)
		})
	}
	// White space around a seed does not count, but what follows has to be seen.
	text, err := os.ReadFile(seed)
	require.NoError(t, err)
	r := call(t, string(text)+strings.Repeat(" ", 16*MiB)+"x", "terms", "sign-sow", "--key", "-", in("key.jwk"))
	require.Equal(t, cli.StatusCall, r.status)
	require.Contains(t, r.stderr, "expected the nkey seed")
}

// TestPathsInFiles: what a file names is found relative to it, or where an absolute path
// says, as by the configuration of rdfprotod serve.
func TestPathsInFiles(t *testing.T) {
	t.Parallel()
	const pin = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	documents, configs := t.TempDir(), t.TempDir()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(documents, "p.ttl"), text, 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(documents, "keys"), 0o700))
	relative, err := filepath.Rel(configs, documents)
	require.NoError(t, err)
	message := filepath.Join(documents, "message.json")
	require.NoError(t, os.WriteFile(message, []byte(`{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}`), 0o600))
	for _, row := range []struct {
		name, folder string
		status       cli.Status
	}{
		{"absolute", documents, cli.StatusNothing},
		{"relative", relative, cli.StatusNothing},
		{"of nothing", "here", cli.StatusCall},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			config := filepath.Join(configs, strings.ReplaceAll(row.name, " ", "-")+".json")
			folder := filepath.ToSlash(row.folder)
			require.NoError(t, os.WriteFile(config, []byte(`{"documents":{"`+pin+`":"`+folder+`/p.ttl"},"keys":"`+folder+`/keys","root":"https://a.example/#me"}`), 0o600))
			r := call(t, "", "message", "check", "--config", config, message)
			require.Equal(t, row.status, r.status, r.stderr)
		})
	}
}

// TestRaisedBytes: by a limit that a call raises, a file is read whole. A Protocol Document
// whose beginning is another one has not the pin of that.
func TestRaisedBytes(t *testing.T) {
	t.Parallel()
	const pin = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	padding := 1<<24 + 1 - len(text) - len("#\n") // to one byte more than readers with fixed limits take
	for name, text := range map[string]string{
		"p.ttl":        string(text) + "#" + strings.Repeat(" ", padding) + "\n<urn:s> <urn:p> 1 .\n",
		"config.json":  `{"documents":{"` + pin + `":"p.ttl"},"root":"https://a.example/#me"}`,
		"message.json": `{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}`,
		"card.json":    `{"name":"a","description":"d","version":"1","supportedInterfaces":[],"capabilities":{"extensions":[{"uri":"https://w3id.org/jeswr/a2a-rdf/v1","description":"x","params":{"protocolDocuments":[{"name":"Grant access","hash":"` + pin + `","source":"https://a.example/p"}]}}]},"skills":[],"defaultInputModes":[],"defaultOutputModes":[]}`,
	} {
		require.NoError(t, os.WriteFile(in(name), []byte(text), 0o600))
	}
	for _, row := range []struct {
		limit, says string
	}{
		{"bytes=1000000", "bytes limit 1000000 exceeded"},
		{"bytes=20000000", "protocol-hash-mismatch"},
	} {
		r := call(t, "", "message", "check", "--limit", row.limit, "--config", in("config.json"), in("message.json"))
		require.Contains(t, r.stderr, row.says)
		r = call(t, "", "card", "inspect", "--limit", row.limit, "--document", "https://a.example/p="+in("p.ttl"), in("card.json"))
		require.Contains(t, r.out+r.stderr, row.says)
	}
}
