package cli_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/cli"
)

// TestRepeatedFlags gives every flag of every command twice: one that takes a list says so
// in its help, any other is refused.
func TestRepeatedFlags(t *testing.T) {
	t.Parallel()
	// In the help a flag has its name, perhaps a name for its value, and two spaces before
	// its description, which goes on on lines with more indent.
	flag := regexp.MustCompile(`(?m)^      --(\S+)( \S+)?  +((?:.|\n {8,})*)`)
	lists, single := 0, 0
	eachHelp(t, func(path []string, help result) {
		_, flags, _ := strings.Cut(help.out, "\nFlags:\n")
		for _, m := range flag.FindAllStringSubmatch(flags, -1) {
			name, value, description := "--"+m[1], "=1", m[3]
			if m[2] == "" {
				value = ""
			}
			args := append(slices.Clip(path), name+value, name+value)
			r := call(t, "", args...)
			require.Equal(t, cli.StatusCall, r.status, args)
			if strings.Contains(description, "(repeatable") {
				lists++
				require.NotContains(t, r.stderr, "more than once", args)
				continue
			}
			single++
			require.Contains(t, r.stderr, "error: "+name+": given more than once, expected one value [usage]\n", args)
		}
	})
	require.Greater(t, lists, 30)
	require.Greater(t, single, 100)
}

// TestEmptyInstant: an empty --at, as of a shell variable that is not set, is refused. It
// would be taken for now otherwise.
func TestEmptyInstant(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"card", "verify", "card.json"},
		{"card", "inspect", "card.json"},
		{"terms", "verify", "card.json"},
		{"terms", "show", "card.json"},
		{"terms", "list", "card.json"},
		{"terms", "lint", "card.json"},
		{"terms", "sign-sow", "--key", "owner.seed", "template.json"},
		{"owg", "validate", "season.json"},
		{"owg", "request", "season.json", "dub"},
		{"owg", "map-state", "season.json", "dub", "update.json"},
		{"vc", "verify", "credential.json"},
		{"vc", "status", "credential.json"},
		{"odrl", "evaluate", "--policy", "policy.ttl", "--request", "request.json"},
		{"delegation", "evaluate", "--chain", "policy.ttl", "--request", "request.json"},
		{"message", "check", "--config", "agent.json", "message.json"},
	} {
		r := call(t, "", append(args, "--at=")...)
		require.Equal(t, cli.StatusCall, r.status, args)
		require.Contains(t, r.stderr, `error: --at: expected a time as in RFC 3339, found "" [usage]`, args)
	}
}
