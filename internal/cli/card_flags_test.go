package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// helpText is the help of a command on one line.
func helpText(t *testing.T, command ...string) string {
	t.Helper()
	r := call(t, "", append(command, "--help")...)
	require.Equal(t, cli.StatusYes, r.status)
	return strings.Join(strings.Fields(r.out), " ")
}

// TestCardFlagHelp: commands share the flags that say which cards count, and each says
// what it does with them.
func TestCardFlagHelp(t *testing.T) {
	t.Parallel()
	const sets = "JWK Sets from where the trust store allows it "
	for _, row := range []struct{ command, online, at string }{
		{"card verify", "fetch " + sets, "at which keys must be valid, as"},
		{"card inspect", "fetch the documents that the card declares, and " + sets, "at which keys must be valid and offers open, as"},
		{"owg validate", "fetch the agents' cards from where the workflow says, and " + sets, "at which keys must be valid and delegations count, as"},
		{"owg request", "fetch the agent's card from where the workflow says, and " + sets, "at which keys must be valid and delegations count, as"},
	} {
		text := helpText(t, strings.Fields(row.command)...)
		require.Contains(t, text, " --online "+row.online, row.command)
		require.Contains(t, text, " --at TIME the TIME "+row.at, row.command)
	}
	require.Contains(t, helpText(t, "card", "verify"), "; by default ES256, ES384, EdDSA, Ed25519, RS256, PS256 ")
}

// TestCardKeyAlgorithms: a key of every algorithm that the help of card keygen names signs
// a card, which verifies by default, but for ES512.
func TestCardKeyAlgorithms(t *testing.T) {
	t.Parallel()
	list := regexp.MustCompile(`the key's ALGORITHM: ([^(]*) \(default`).FindStringSubmatch(helpText(t, "card", "keygen"))
	require.NotNil(t, list)
	algorithms := strings.Split(list[1], ", ")
	require.ElementsMatch(t, []string{"ES256", "ES384", "ES512", "EdDSA", "Ed25519", "RS256", "PS256"}, algorithms)
	for _, algorithm := range algorithms {
		t.Run(algorithm, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in := func(name string) string { return filepath.Join(dir, name) }
			put := func(name, text string) { require.NoError(t, os.WriteFile(in(name), []byte(text), 0o600)) }
			put("card.json", scriptFiles(t, "card")["card.json"])
			made := call(t, "", "card", "keygen", "--algorithm", algorithm, "--out", in("key.jwk"))
			require.Equal(t, cli.StatusYes, made.status, made.stderr)
			put("jwks.json", made.out)
			signed := call(t, "", "card", "sign", "--key", in("key.jwk"), in("card.json"))
			require.Equal(t, cli.StatusYes, signed.status, signed.stderr)
			put("signed.json", signed.out)
			r := call(t, "", "card", "verify", "--jwks", in("jwks.json"), "--algorithm", algorithm, in("signed.json"))
			require.Equal(t, cli.StatusYes, r.status, r.stderr)
			want := cli.StatusYes
			if algorithm == "ES512" {
				want = cli.StatusNo
			}
			r = call(t, "", "card", "verify", "--jwks", in("jwks.json"), in("signed.json"))
			require.Equal(t, want, r.status, r.stderr)
		})
	}
}
