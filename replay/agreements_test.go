package replay_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/replay"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 123_456_789, time.UTC)

func agreement(scope handshake.Scope, pin string) handshake.Agreement {
	return handshake.Agreement{
		Scope: scope, Pin: canon.Sum([]byte(pin)), Source: "https://alice.pod.example/p\u2028<&>", Origin: handshake.OriginOffer,
		Made: noon, Expires: noon.Add(time.Hour),
	}
}

var bob = handshake.Scope{Local: "https://alice.example/", Peer: "https://bob.example/", Card: "https://bob.example/card", Context: "ctx-1"}

func TestAgreements(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := replay.NewAgreements(replay.NewMemory(replay.Limits{}))
	find := func(scope handshake.Scope, pin string, at time.Time) (handshake.Agreement, bool) {
		a, ok, err := g.Find(ctx, scope, canon.Sum([]byte(pin)), at)
		require.NoError(t, err)
		return a, ok
	}
	_, ok := find(bob, "p1", noon)
	require.False(t, ok)

	first := agreement(bob, "p1")
	require.NoError(t, g.Save(ctx, replay.Owner{}, first, noon))
	got, ok := find(bob, "p1", noon)
	require.True(t, ok)
	require.Equal(t, first, got)
	require.True(t, got.SecurityBearing())
	_, ok = find(bob, "p2", noon)
	require.False(t, ok)
	_, ok = find(bob, "p1", noon.Add(time.Hour-time.Microsecond))
	require.True(t, ok)
	_, ok = find(bob, "p1", noon.Add(time.Hour))
	require.False(t, ok)
	_, ok = find(bob, "p1", noon.Add(-time.Second)) // by a clock that is a little behind
	require.True(t, ok)
	_, ok = find(bob, "p1", noon.Add(-handshake.ClockSkew-time.Microsecond)) // it is not made yet
	require.False(t, ok)

	// Scopes that are easily taken for one another.
	scopes := []handshake.Scope{
		{Local: "a", Peer: "b", Card: "c", Context: "d"}, {Local: "ab", Card: "c", Context: "d"}, {Local: "a", Peer: "bc", Context: "d"},
		{Local: "a", Peer: "b", Context: "cd"}, {Local: "a", Peer: "b", Card: "cd"}, {Local: "a", Peer: "b", Card: "c", Context: "D"},
		{Local: "a/", Peer: "b"}, {Local: "a", Peer: "/b"}, {Local: "a", Context: "b"}, {Local: "a\x00", Peer: "b"},
	}
	for i, s := range scopes {
		_, ok := find(s, "p1", noon)
		require.False(t, ok, "%d", i)
		a := agreement(s, "p1")
		a.Origin, a.Required, a.Informal = handshake.OriginCard, i%2 == 0, i%3 == 0
		require.NoError(t, g.Save(ctx, replay.Owner{}, a, noon))
		got, ok := find(s, "p1", noon)
		require.True(t, ok)
		require.Equal(t, a, got)
	}
	require.NoError(t, g.Save(ctx, replay.Owner{}, agreement(bob, "p2"), noon))
	in, err := g.InScope(ctx, bob, 10, noon)
	require.NoError(t, err)
	require.Len(t, in, 2)
	all, err := g.List(ctx, 100, noon)
	require.NoError(t, err)
	require.Len(t, all, 2+len(scopes))
	all, err = g.List(ctx, 3, noon)
	require.NoError(t, err)
	require.Len(t, all, 3)

	gone, err := g.Withdraw(ctx, bob, canon.Sum([]byte("p1")), noon)
	require.NoError(t, err)
	require.True(t, gone)
	_, ok = find(bob, "p1", noon)
	require.False(t, ok)
	gone, err = g.Withdraw(ctx, bob, canon.Sum([]byte("p1")), noon)
	require.NoError(t, err)
	require.False(t, gone)

	// What was required stays so while it lives; the rest is replaced.
	required, optional := agreement(bob, "p2"), agreement(bob, "p2")
	required.Required = true
	optional.Informal, optional.Source = true, "elsewhere"
	require.NoError(t, g.Save(ctx, replay.Owner{}, required, noon))
	require.NoError(t, g.Save(ctx, replay.Owner{}, optional, noon))
	got, _ = find(bob, "p2", noon)
	require.True(t, got.Required)
	require.True(t, got.SecurityBearing())
	require.Equal(t, "elsewhere", got.Source)
	_, ok, err = g.Require(ctx, bob, canon.Sum([]byte("p1")), noon)
	require.NoError(t, err)
	require.False(t, ok, "it was withdrawn")
	raised := agreement(bob, "p5")
	require.NoError(t, g.Save(ctx, replay.Owner{}, raised, noon))
	for range 2 {
		got, ok, err = g.Require(ctx, bob, raised.Pin, noon)
		require.NoError(t, err)
		require.True(t, ok)
		raised.Required = true
		require.Equal(t, raised, got)
	}
	_, ok, err = g.Require(ctx, bob, raised.Pin, raised.Expires)
	require.NoError(t, err)
	require.False(t, ok)
	_, err = g.Withdraw(ctx, bob, raised.Pin, noon)
	require.NoError(t, err)
	early := noon.Add(-time.Hour) // the clock was set back: the required one seems not to be made yet
	optional.Made, optional.Expires = early, early.Add(time.Hour/2)
	require.NoError(t, g.Save(ctx, replay.Owner{}, required, noon))
	require.NoError(t, g.Save(ctx, replay.Owner{}, optional, early))
	got, _ = find(bob, "p2", early)
	require.True(t, got.Required)
	require.NoError(t, g.Save(ctx, replay.Owner{}, required, noon))
	optional.Made, optional.Expires = noon.Add(time.Hour), noon.Add(2*time.Hour)
	require.NoError(t, g.Save(ctx, replay.Owner{}, optional, noon.Add(time.Hour)))
	got, _ = find(bob, "p2", noon.Add(time.Hour))
	require.False(t, got.Required)
	require.False(t, got.SecurityBearing())
}

func TestAgreementsRefuse(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := replay.NewAgreements(replay.NewMemory(replay.Limits{}))
	for name, change := range map[string]func(*handshake.Agreement){
		"no agent":             func(a *handshake.Agreement) { a.Scope.Local = "" },
		"no peer, no context":  func(a *handshake.Agreement) { a.Scope.Peer, a.Scope.Context = "", "" },
		"a peer not in UTF-8":  func(a *handshake.Agreement) { a.Scope.Peer = "\xff" },
		"a source not in UTF8": func(a *handshake.Agreement) { a.Source = "\xff" },
		"no pin":               func(a *handshake.Agreement) { a.Pin = canon.Digest{} },
		"no origin":            func(a *handshake.Agreement) { a.Origin = 0 },
		"an unknown origin":    func(a *handshake.Agreement) { a.Origin = 9 },
		"over":                 func(a *handshake.Agreement) { a.Expires = noon },
		"no end":               func(a *handshake.Agreement) { a.Expires = time.Time{} },
		"a year too far":       func(a *handshake.Agreement) { a.Expires = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"not made yet":         func(a *handshake.Agreement) { a.Made = noon.Add(handshake.ClockSkew + time.Second) },
	} {
		a := agreement(bob, "p")
		change(&a)
		require.ErrorIs(t, g.Save(ctx, replay.Owner{}, a, noon), replay.ErrAgreement, name)
	}
	for _, s := range []handshake.Scope{{}, {Local: "a"}, {Local: "a", Peer: "\xff"}} {
		_, _, err := g.Find(ctx, s, canon.Sum(nil), noon)
		require.ErrorIs(t, err, replay.ErrAgreement)
		_, err = g.InScope(ctx, s, 1, noon)
		require.ErrorIs(t, err, replay.ErrAgreement)
		_, err = g.Withdraw(ctx, s, canon.Sum(nil), noon)
		require.ErrorIs(t, err, replay.ErrAgreement)
	}
}

// TestAgreementsLong: what a peer can have kept with an agreement is bounded, however long
// its names are and whatever they become in JSON.
func TestAgreementsLong(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	store := replay.NewMemory(replay.Limits{})
	g := replay.NewAgreements(store)
	a := agreement(bob, "p")
	a.Source = "https://alice.example/"
	require.NoError(t, g.Save(ctx, replay.Owner{}, a, noon))
	kept, err := store.List(ctx, "", 2, noon)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	room := replay.MaxAgreement - len(kept[0].Value)

	a.Source += strings.Repeat("s", room)
	require.NoError(t, g.Save(ctx, replay.Owner{}, a, noon))
	for name, change := range map[string]func(*handshake.Agreement){
		"a source":           func(a *handshake.Agreement) { a.Source += "s" },
		"one that is longer": func(a *handshake.Agreement) { a.Source = strings.Replace(a.Source, "s", "&", 1) },
		"a context":          func(a *handshake.Agreement) { a.Scope.Context += "c" },
		"a context alone":    func(a *handshake.Agreement) { a.Source, a.Scope.Context = "", strings.Repeat("\x01", room/6+40) },
	} {
		long := a
		change(&long)
		require.ErrorIs(t, g.Save(ctx, replay.Owner{}, long, noon), replay.ErrTooLarge, name)
	}
	kept, err = store.List(ctx, "", 2, noon)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	required, ok, err := g.Require(ctx, a.Scope, a.Pin, noon)
	require.NoError(t, err)
	require.True(t, ok && required.Required)
}

// TestAgreementsCorrupt damages a stored agreement in every small way: each is an
// error, and each can be withdrawn.
func TestAgreementsCorrupt(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	store := replay.NewMemory(replay.Limits{})
	g := replay.NewAgreements(store)
	a := agreement(bob, "p")
	require.NoError(t, g.Save(ctx, replay.Owner{}, a, noon))
	found, err := store.List(ctx, "", 10, noon)
	require.NoError(t, err)
	require.Len(t, found, 1)
	name, good, version := found[0].Name, found[0].Value, found[0].Version

	try := func(value []byte) {
		ok, err := store.Swap(ctx, name, replay.Owner{}, version, value, a.Expires, noon)
		require.NoError(t, err)
		require.True(t, ok)
		r, _, err := store.Load(ctx, name, noon)
		require.NoError(t, err)
		version = r.Version
		_, ok, err = g.Find(ctx, a.Scope, a.Pin, noon)
		require.ErrorIs(t, err, replay.ErrCorrupt, "%s", value)
		require.False(t, ok)
		_, err = g.List(ctx, 10, noon)
		require.ErrorIs(t, err, replay.ErrCorrupt)
		require.ErrorIs(t, g.Save(ctx, replay.Owner{}, a, noon), replay.ErrCorrupt)
	}
	text := string(good)
	for _, bad := range []string{
		"", "null", "{}", "[" + text + "]", text + " ", " " + text, text + text,
		strings.Replace(text, `"version":1`, `"version":2`, 1),
		strings.Replace(text, `"version":1`, `"version":1.0`, 1),
		strings.Replace(text, `"version":1,`, ``, 1),
		strings.Replace(text, `"version":1,`, `"version":1,"version":1,`, 1),
		strings.Replace(text, `"required":false`, `"required":null`, 1),
		strings.Replace(text, `"required":false,`, ``, 1),
		strings.Replace(text, `"required":false,"informal":false`, `"informal":false,"required":false`, 1),
		strings.Replace(text, `"origin":"offer"`, `"origin":"none"`, 1),
		strings.Replace(text, `.123456789Z`, `.123456789+00:00`, 1),
		strings.Replace(text, `"ctx-1"`, `"ctx-2"`, 1), // another agreement under this name
		strings.Replace(text, `}`, `,"more":1}`, 1),
	} {
		require.NotEqual(t, text, bad)
		try([]byte(bad))
	}
	for i := range good {
		try(good[:i])
	}
	gone, err := g.Withdraw(ctx, a.Scope, a.Pin, noon)
	require.NoError(t, err)
	require.True(t, gone)
	require.NoError(t, g.Save(ctx, replay.Owner{}, a, noon))
}

// FuzzAgreement stores any bytes as an agreement: what can be read is what was
// written.
func FuzzAgreement(f *testing.F) {
	for _, required := range []bool{false, true} {
		a := agreement(bob, "p")
		a.Required = required
		store := replay.NewMemory(replay.Limits{})
		if err := replay.NewAgreements(store).Save(f.Context(), replay.Owner{}, a, noon); err != nil {
			f.Fatal(err)
		}
		found, err := store.List(f.Context(), "", 1, noon)
		if err != nil || len(found) != 1 {
			f.Fatal(err)
		}
		f.Add(found[0].Value)
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		store := replay.NewMemory(replay.Limits{})
		g, a := replay.NewAgreements(store), agreement(bob, "p")
		if err := g.Save(t.Context(), replay.Owner{}, a, noon); err != nil {
			t.Fatal(err)
		}
		found, err := store.List(t.Context(), "", 1, noon)
		if err != nil || len(found) != 1 {
			t.Fatal(err)
		}
		ok, err := store.Swap(t.Context(), found[0].Name, replay.Owner{}, found[0].Version, append([]byte{}, value...), a.Expires, noon)
		if err != nil && !errors.Is(err, replay.ErrTooLarge) || err == nil && !ok {
			t.Fatal(ok, err)
		}
		got, ok, err := g.Find(t.Context(), a.Scope, a.Pin, noon)
		if errors.Is(err, replay.ErrCorrupt) || !ok {
			return
		}
		if err != nil || got.Scope != a.Scope || !got.Pin.Equal(a.Pin) {
			t.Fatal(got, err)
		}
		again := replay.NewMemory(replay.Limits{})
		if err := replay.NewAgreements(again).Save(t.Context(), replay.Owner{}, got, noon); err != nil {
			t.Fatal(err)
		}
		written, err := again.List(t.Context(), "", 1, noon)
		if err != nil || len(written) != 1 || string(written[0].Value) != string(value) {
			if len(value) <= replay.DefaultLimits().Record { // else the first is still there
				t.Fatalf("%s %v", value, err)
			}
		}
	})
}

// TestAgreementForm: what is kept is what encoding/json writes, whatever its texts hold.
func TestAgreementForm(t *testing.T) {
	t.Parallel()
	type form struct {
		Version  int    `json:"version"`
		Local    string `json:"local"`
		Peer     string `json:"peer"`
		Card     string `json:"card"`
		Context  string `json:"context"`
		Pin      string `json:"pin"`
		Source   string `json:"source"`
		Origin   string `json:"origin"`
		Required bool   `json:"required"`
		Informal bool   `json:"informal"`
		Made     string `json:"made"`
		Expires  string `json:"expires"`
	}
	texts := []string{"https://a.example/", `a"b`, `a\b`, "<", ">", "&", "é", "\u2028", "\x00", "\t", "\x7f", "\U0001F600"}
	for i, text := range texts {
		a := agreement(bob, "p")
		a.Scope.Peer, a.Scope.Card, a.Source, a.Required = text, text, text, i%2 == 1
		store := replay.NewMemory(replay.Limits{})
		g := replay.NewAgreements(store)
		require.NoError(t, g.Save(t.Context(), replay.Owner{}, a, noon))
		found, err := store.List(t.Context(), "", 1, noon)
		require.NoError(t, err)
		require.Len(t, found, 1)
		want, err := json.Marshal(form{
			1, a.Scope.Local, text, text, a.Scope.Context, a.Pin.String(), text, a.Origin.String(), a.Required, a.Informal,
			a.Made.UTC().Format(time.RFC3339Nano), a.Expires.UTC().Format(time.RFC3339Nano),
		})
		require.NoError(t, err)
		require.Equal(t, string(want), string(found[0].Value))
		got, ok, err := g.Find(t.Context(), a.Scope, a.Pin, noon)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, a.Scope, got.Scope)
		require.Equal(t, text, got.Source)
	}
}
