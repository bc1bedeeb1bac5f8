package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
)

// agreementFile makes a store that keeps agreements, and returns its path.
func agreementFile(t *testing.T, all ...handshake.Agreement) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent.db")
	s, err := bolt.Create(path, bolt.Options{})
	require.NoError(t, err)
	g := replay.NewAgreements(s)
	for _, a := range all {
		require.NoError(t, g.Save(t.Context(), replay.Owner{}, a, time.Now()))
	}
	require.NoError(t, s.Close())
	return path
}

func anAgreement(peer, context string) handshake.Agreement {
	now := time.Now().Truncate(time.Second)
	return handshake.Agreement{
		Scope: handshake.Scope{Local: "https://alice.example/", Peer: peer, Context: context},
		Pin:   canon.Sum([]byte("document")), Source: "https://alice.example/p", Origin: handshake.OriginOffer,
		Made: now.Add(-time.Hour), Expires: now.Add(time.Hour),
	}
}

func TestAgreements(t *testing.T) {
	t.Parallel()
	b, c := anAgreement("https://bob.example/", "ctx-1"), anAgreement("", "ctx-2\x1b[2J")
	b.Required = true
	c.Origin, c.Informal, c.Source = handshake.OriginCard, true, ""
	file := agreementFile(t, b, c)
	pin := b.Pin.String()

	r := call(t, "", "agreements", "list", "--store", file)
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Empty(t, r.stderr)
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	require.Len(t, lines, 3)
	require.Equal(t, []string{"PIN", "LOCAL", "PEER", "CARD", "CONTEXT", "ORIGIN", "BEARING", "EXPIRES", "SOURCE"}, strings.Fields(lines[0]))
	require.Equal(t, []string{pin, "https://alice.example/", "-", "-", `ctx-2\u{1B}[2J`, "card", "informal", c.Expires.UTC().Format(time.RFC3339), "-"}, strings.Fields(lines[1]))
	require.Equal(t, []string{pin, "https://alice.example/", "https://bob.example/", "-", "ctx-1", "offer", "required", b.Expires.UTC().Format(time.RFC3339), "https://alice.example/p"}, strings.Fields(lines[2]))

	r = call(t, "", "agreements", "list", "--store", file, "--json")
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.Equal(t, 1, strings.Count(r.out, "\n"))
	require.Contains(t, r.out, `{"version":1,"agreements":[{"local":"https://alice.example/","peer":"","card":"","context":"ctx-2\u001b[2J","pin":"`+pin+`","source":"","origin":"card","required":false,"securityBearing":false,"made":"`)

	scope := []string{"agreements", "withdraw", "--store", file, "--local", "https://alice.example/", "--peer", "https://bob.example/"}
	r = call(t, "", append(scope, pin)...)
	require.Equal(t, cli.StatusNothing, r.status)
	require.Equal(t, pin+": there is no such agreement\n", r.out)
	r = call(t, "", append(scope, "--context", "ctx-1", "--json", pin)...)
	require.Equal(t, cli.StatusYes, r.status, r.stderr)
	require.JSONEq(t, `{"version":1,"verdict":"yes","message":"withdrawn"}`, r.out)
	r = call(t, "", append(scope, "--context", "ctx-1", "--json", pin)...)
	require.Equal(t, cli.StatusNothing, r.status)
	require.JSONEq(t, `{"version":1,"verdict":"nothing","code":"no-agreement","message":"there is no such agreement"}`, r.out)
	r = call(t, "", "agreements", "list", "--store", file)
	require.Equal(t, 2, strings.Count(r.out, "\n"))

	// Without agreements.
	empty := agreementFile(t)
	r = call(t, "", "agreements", "list", "--store", empty)
	require.Equal(t, cli.StatusYes, r.status)
	require.Equal(t, 1, strings.Count(r.out, "\n"))
	r = call(t, "", "agreements", "list", "--store", empty, "--json")
	require.Equal(t, `{"version":1,"agreements":[]}`+"\n", r.out)
}

// TestAgreementsUnusable has stores that cannot be used, and records that cannot be
// read.
func TestAgreementsUnusable(t *testing.T) {
	t.Parallel()
	a := anAgreement("https://bob.example/", "ctx-1")
	file := agreementFile(t, a)
	withdraw := func(file string) []string {
		return []string{"agreements", "withdraw", "--store", file, "--local", a.Scope.Local, "--peer", a.Scope.Peer, "--context", "ctx-1", a.Pin.String()}
	}
	s, err := bolt.Open(file, bolt.Options{})
	require.NoError(t, err)
	for _, args := range [][]string{{"agreements", "list", "--store", file}, withdraw(file)} {
		r := call(t, "", args...)
		require.Equal(t, cli.StatusCall, r.status)
		require.Empty(t, r.out)
		require.Equal(t, "rdfproto: error: "+file+": another process has the store open [locked]\nrdfproto: hint: stop the agent that uses it first\n", r.stderr)
	}
	found, err := s.List(t.Context(), "", 10, time.Now())
	require.NoError(t, err)
	ok, err := s.Swap(t.Context(), found[0].Name, replay.Owner{}, found[0].Version, []byte("{}"), a.Expires, time.Now())
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, s.Close())
	r := call(t, "", "agreements", "list", "--store", file)
	require.Equal(t, cli.StatusRefused, r.status)
	require.Empty(t, r.out)
	require.Contains(t, r.stderr, "the stored data is damaged: not version 1 of an agreement [damaged]")
	r = call(t, "", withdraw(file)...)
	require.Equal(t, cli.StatusYes, r.status, r.stderr)

	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for name, change := range map[string]func() []byte{
		"damaged": func() []byte { data[70] ^= 1; return data },
		"short":   func() []byte { return data[:5000] },
		"empty":   func() []byte { return nil },
	} {
		require.NoError(t, os.WriteFile(file, change(), 0o600))
		r := call(t, "", "agreements", "list", "--store", file)
		require.Equal(t, cli.StatusRefused, r.status, name)
		require.Contains(t, r.stderr, "rdfproto: error: "+file+": the stored data is damaged", name)
		require.Contains(t, r.stderr, "[damaged]", name)
	}
}
