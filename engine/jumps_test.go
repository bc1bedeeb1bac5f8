package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
	"github.com/rdfproto/rdfproto/replay/redis"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

// What is promised under a clock that is wrong (a2a-rdf, RPL-2 and RPL-3: a message is
// remembered for 24 hours, and filled in before it is executed):
//
//   - A clock that goes backwards, by any amount and at any moment, also over a restart of
//     an agent that remembers in a file, makes no message new.
//   - A clock that is set while the process runs, in either direction and by any amount,
//     makes no message new within 24 hours of its execution, where the clock is time.Now:
//     what counts is the monotonic reading.
//   - A clock without a monotonic reading that goes forward by less than 24 hours makes no
//     message new. By 24 hours and more, it is what the agent knows of the time: what was
//     seen is forgotten.
//   - With Redis the time is that of the server; a clock that is further from it than
//     MaxSkew is refused with limit-exceeded.
//   - A clock that says nothing, the zero time, is refused with limit-exceeded.
//   - A credential counts in its time alone, and a challenge once, whatever the clock does
//     between.

// jump is one reading of a clock that was set: by how much, after so much time.
type jump struct {
	after, set time.Duration
}

var jumps = []jump{
	{0, time.Second}, {0, -time.Second}, {0, time.Hour}, {0, -time.Hour}, {0, 23 * time.Hour},
	{0, 25 * time.Hour}, {0, -25 * time.Hour}, {0, 10 * 365 * 24 * time.Hour}, {0, -10 * 365 * 24 * time.Hour},
	{23 * time.Hour, 0}, {23 * time.Hour, 48 * time.Hour}, {23 * time.Hour, -48 * time.Hour}, {23*time.Hour + 59*time.Minute, -time.Hour},
}

// jumpy is an agent whose clock is set between any two looks at it.
type jumpy struct {
	*side
	at time.Time
}

func (j *jumpy) now() time.Time { return j.at }

func jumper(t testing.TB, store replay.Store, change func(*engine.Config)) *jumpy {
	t.Helper()
	j := &jumpy{}
	j.side = grantServer(t, &clock{}, func(c *engine.Config) {
		c.Store, c.Clock = store, j.now
		if change != nil {
			change(c)
		}
	})
	return j
}

func jumpIntent(t testing.TB, id string) engine.Message {
	return message(id, "ctx-"+id, payload("intent", grant(t).Pin().String(), grantIntent, turtleMT))
}

// stores are those that tell the time by what they are given.
func stores(t *testing.T, f func(t *testing.T, open func() replay.Store)) {
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		f(t, func() replay.Store { return replay.NewMemory(replay.Limits{}) })
	})
	t.Run("bolt", func(t *testing.T) {
		t.Parallel()
		f(t, func() replay.Store {
			s, err := bolt.Create(filepath.Join(t.TempDir(), "store"), bolt.Options{})
			require.NoError(t, err)
			t.Cleanup(func() { _ = s.Close() })
			return s
		})
	})
}

// TestJumps sets the clock between the steps of an exchange: before the answer, after it,
// and once more.
func TestJumps(t *testing.T) {
	t.Parallel()
	real := time.Now()
	for _, monotonic := range []bool{true, false} {
		stores(t, func(t *testing.T, open func() replay.Store) {
			store := open()
			read := func(x jump) time.Time {
				if monotonic {
					return replaytest.SetWall(t, real.Add(x.after), x.set)
				}
				return real.Round(0).Add(x.after + x.set)
			}
			// known says whether the message must be known after the clock said all these.
			known := func(seen ...jump) bool {
				latest := time.Duration(0)
				for _, x := range seen {
					if at := x.after; monotonic {
						latest = max(latest, at)
					} else {
						latest = max(latest, at+x.set)
					}
				}
				return latest < 24*time.Hour
			}
			for one, before := range jumps {
				for two, after := range jumps {
					if after.after < before.after {
						continue // the time that passes does not
					}
					// The clock of a store goes on from message to message.
					fresh := store
					if !known(before, after) || before.after > 0 || after.after > 0 {
						fresh = replay.NewMemory(replay.Limits{})
					}
					j := jumper(t, fresh, nil)
					name := strconv.Itoa(one) + "-" + strconv.Itoa(two)
					m := jumpIntent(t, name)
					j.at = read(jump{})
					o := receive(t, j.side, aliceToBob, m)
					require.Equal(t, engine.KindIntent, o.Kind)
					j.at = read(before) // while it is executed
					require.True(t, !known(before) || receive(t, j.side, aliceToBob, m).Kind == engine.KindDuplicate, "%s: in progress", name)
					answer, err := j.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
					require.NotEmpty(t, answer.ID)
					require.True(t, err == nil || !known(before), "%s: %v", name, err)
					for _, x := range []jump{before, after, {after.after, 0}} {
						if j.at = read(x); known(before, after, x) {
							again := receive(t, j.side, aliceToBob, m)
							require.Equal(t, engine.KindDuplicate, again.Kind, "%s: %v", name, x)
							require.Equal(t, answer.ID, again.Message.ID)
						}
					}
				}
			}
		})
	}
}

// TestJumpsRestart: the clock was set while the agent was not running.
func TestJumpsRestart(t *testing.T) {
	t.Parallel()
	for _, set := range []time.Duration{-1, -time.Hour, -25 * time.Hour, -10 * 365 * 24 * time.Hour, time.Hour, 24*time.Hour - 1, 24 * time.Hour} {
		path := filepath.Join(t.TempDir(), "store")
		store, err := bolt.Create(path, bolt.Options{})
		require.NoError(t, err)
		j := jumper(t, store, nil)
		j.at = noon
		m := jumpIntent(t, "m-1")
		require.Equal(t, engine.KindIntent, receive(t, j.side, aliceToBob, m).Kind)
		require.NoError(t, store.Close())

		store, err = bolt.Open(path, bolt.Options{})
		require.NoError(t, err)
		j = jumper(t, store, nil)
		j.at = noon.Add(set)
		want := engine.KindDuplicate
		if set >= 24*time.Hour {
			want = engine.KindIntent // the day of RPL-3 is over, as far as anybody can tell
		}
		require.Equal(t, want, receive(t, j.side, aliceToBob, m).Kind, "%s", set)
		require.Equal(t, engine.KindDuplicate, receive(t, j.side, aliceToBob, m).Kind, "%s", set)
		j.at = noon // it is set right again
		require.Equal(t, engine.KindDuplicate, receive(t, j.side, aliceToBob, m).Kind, "%s", set)
		require.NoError(t, store.Close())
	}
}

// TestJumpsRedis: the server tells the time.
func TestJumpsRedis(t *testing.T) {
	t.Parallel()
	srv := replaytest.StartRedis(t)
	store, err := redis.Open(t.Context(), redis.Options{Addrs: []string{srv.Addr}, Timeout: time.Minute})
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	for i, set := range []time.Duration{
		0, time.Minute, -time.Minute, time.Hour, -time.Hour, 25 * time.Hour, -25 * time.Hour, 10 * 365 * 24 * time.Hour, -10 * 365 * 24 * time.Hour,
	} {
		far := set > 5*time.Minute || set < -5*time.Minute
		j := jumper(t, store, nil)
		m, other := jumpIntent(t, "m-"+strconv.Itoa(i)), jumpIntent(t, "other-"+strconv.Itoa(i))
		j.at = time.Now()
		o := receive(t, j.side, aliceToBob, m)
		require.Equal(t, engine.KindIntent, o.Kind)
		j.at = time.Now().Add(set)
		for want, m := range map[engine.Kind]engine.Message{engine.KindDuplicate: m, engine.KindIntent: other} {
			o, err := j.Receive(t.Context(), aliceToBob, m)
			consistent(t, &o)
			if !far {
				require.NoError(t, err)
				require.Equal(t, want, o.Kind, "%s", set)
				continue
			}
			require.ErrorIs(t, err, replay.ErrTime)
			require.Equal(t, engine.KindRefused, o.Kind, "%s", set)
			require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		}
		answer, err := j.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
		require.Equal(t, far, err != nil, "%v", err)
		require.NotEmpty(t, answer.ID)
		j.at = time.Now()
		require.Equal(t, engine.KindDuplicate, receive(t, j.side, aliceToBob, m).Kind)
	}
}

// TestNoTime: a clock that says nothing is none.
func TestNoTime(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, open func() replay.Store) {
		j := jumper(t, open(), func(c *engine.Config) { c.Domain = "https://alice.example/a2a" })
		doc := grant(t)
		refused := func(m engine.Message) {
			o, err := j.Receive(t.Context(), aliceToBob, m)
			require.ErrorIs(t, err, replay.ErrTime)
			consistent(t, &o)
			require.Equal(t, engine.KindRefused, o.Kind)
			require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		}
		offer := message("o", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), true), ""))
		prose := engine.Message{ID: "p", ContextID: "ctx", Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "read it"}}}
		for _, m := range []engine.Message{jumpIntent(t, "m-1"), offer, prose} {
			refused(m)
		}
		to := engine.To{Peer: bobToAlice, ContextID: "ctx"}
		_, err := j.Offer(t.Context(), to, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
		require.ErrorIs(t, err, replay.ErrTime)
		_, err = j.Prose(t.Context(), to, "please")
		require.ErrorIs(t, err, replay.ErrTime)
		_, err = j.IssueChallenge(t.Context(), aliceToBob, "ctx")
		require.ErrorIs(t, err, replay.ErrTime)
		require.ErrorIs(t, j.ExpectChallenge(t.Context(), aliceToBob, "ctx", "challenge"), replay.ErrTime)
		_, err = j.Agreed(t.Context(), aliceToBob, "ctx", doc.Pin())
		require.ErrorIs(t, err, replay.ErrTime)
		_, err = j.Withdraw(t.Context(), aliceToBob, "ctx", doc.Pin())
		require.ErrorIs(t, err, replay.ErrTime)

		j.at = noon // and the clock works: nothing was left by what was refused
		o := receive(t, j.side, aliceToBob, jumpIntent(t, "m-1"))
		require.Equal(t, engine.KindIntent, o.Kind)
		j.at = time.Time{} // while it is executed
		m, err := j.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
		require.ErrorIs(t, err, replay.ErrTime)
		require.NotEmpty(t, m.ID)
		refused(jumpIntent(t, "m-1"))
		j.at = noon
		require.Equal(t, engine.KindDuplicate, receive(t, j.side, aliceToBob, jumpIntent(t, "m-1")).Kind)
	})
}

// TestJumpsAuthority: a presentation of a chain whose credential is good from July 2026
// to July 2027, made at noon for a challenge that is good for five minutes.
func TestJumpsAuthority(t *testing.T) {
	t.Parallel()
	const domain = "https://alice.example/a2a"
	doc := read(t)
	for _, row := range []struct {
		name string
		set  []time.Duration // one after the other, a message at each
		ok   int             // which of them is permitted, -1 for none
	}{
		{"right", []time.Duration{0, 0, time.Minute, -time.Minute}, 0},
		{"back to before the credential", []time.Duration{-40 * 24 * time.Hour, -10 * 365 * 24 * time.Hour}, -1},
		{"back and right", []time.Duration{-40 * 24 * time.Hour, 0, 0}, 1},
		{"forward beyond the challenge", []time.Duration{6 * time.Minute, 24 * time.Hour}, -1},
		{"forward beyond the credential", []time.Duration{365 * 24 * time.Hour, 10 * 365 * 24 * time.Hour}, -1},
		{"used, and then back and forward", []time.Duration{time.Minute, -time.Hour, 4 * time.Minute, 0, -40 * 24 * time.Hour, 0}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := &clock{at: noon}
			s := newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
				c.Domain, c.Authorizer = domain, chains(t, nil)
				c.Declared = []engine.Declared{{Pin: doc.Pin(), Source: source}}
			})
			p := engine.Peer{Principal: bob, Active: []string{uri}}
			issued, err := s.IssueChallenge(t.Context(), p, "ctx")
			require.NoError(t, err)
			chain := presentation(t, issued.Challenge, issued.Domain)
			for i, set := range row.set {
				c.at = noon.Add(set)
				m := message("m-"+strconv.Itoa(i), "ctx", payload("intent", doc.Pin().String(), readIntent, turtleMT))
				m.Parts = append(m.Parts, engine.Part{Content: engine.Text, Text: string(chain), MediaType: "application/vp", Metadata: payload("authorization", "", "", "").Metadata})
				o := receive(t, s, p, m)
				if i == row.ok {
					require.Equal(t, engine.KindIntent, o.Kind, "%s", o.Trace)
					continue
				}
				require.Equal(t, engine.KindRefused, o.Kind, "at %s", set)
				require.Equal(t, protocol.CodeAuthorizationDenied, o.Code)
			}
		})
	}
}

// TestJumpsAgreement: what an agreement forbids and allows while the clock is set.
func TestJumpsAgreement(t *testing.T) {
	t.Parallel()
	doc := read(t)
	prose := func(id string) engine.Message {
		return engine.Message{ID: id, ContextID: "ctx", Role: engine.RoleUser, Parts: []engine.Part{{Content: engine.Text, Text: "read it"}}}
	}
	stores(t, func(t *testing.T, open func() replay.Store) {
		for i, set := range []time.Duration{-time.Second, -time.Hour, -48 * time.Hour, -10 * 365 * 24 * time.Hour, time.Hour, 23 * time.Hour} {
			c := &clock{at: noon}
			s := newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) { c.Store = open() })
			s.store = s.config.Store
			require.Equal(t, engine.KindReply, receive(t, s, aliceToBob, message("o", "ctx", payload("upgrade-offer", "", offerJSON(doc.Pin(), true), ""))).Kind)
			for step, at := range []time.Duration{set, 0, set, -set, 0} {
				c.at = noon.Add(min(at, handshake.AgreementTTL-1))
				id := strconv.Itoa(i) + "-" + strconv.Itoa(step)
				require.Equal(t, engine.KindRefused, receive(t, s, aliceToBob, prose("p-"+id)).Kind, "%s, step %d", set, step)
				o := receive(t, s, aliceToBob, message("m-"+id, "ctx", payload("intent", doc.Pin().String(), readIntent, turtleMT)))
				if !c.at.Before(noon.Add(-handshake.ClockSkew)) {
					require.Equal(t, engine.KindIntent, o.Kind, "%s, step %d", set, step)
				} else { // not agreed yet, by this clock
					require.Equal(t, protocol.CodeUnsupportedProtocol, o.Code, "%s, step %d", set, step)
				}
			}
		}
	})
}

// failing is a source that has the document when it is asked again.
type failing struct {
	body  []byte
	asked int
}

func (f *failing) Fetch(context.Context, string) ([]byte, string, error) {
	if f.asked++; f.asked == 1 {
		return nil, "", errors.New("not there")
	}
	return f.body, turtleMT, nil
}

// TestJumpsBounds: what a clock that was ahead remembers against a peer does not last until
// that time comes: a document that could not be had, and the day of a network.
func TestJumpsBounds(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	body, err := os.ReadFile(filepath.Join("..", "testdata", "grant-access.ttl"))
	require.NoError(t, err)
	c := &clock{at: noon.Add(365 * 24 * time.Hour)}
	s := newSide(t, c, "alice", nil, func(c *engine.Config) {
		c.Policy, c.Source = engine.AllowList{Pins: []canon.Digest{doc.Pin()}}, &failing{body: body}
	})
	p := engine.Proposal{Peer: aliceToBob, Pin: doc.Pin(), Source: source}
	for range 2 {
		_, err = s.Obtain(t.Context(), p)
		refusedWith(t, protocol.CodeProtocolUnavailable, err)
	}
	c.at = noon
	_, err = s.Obtain(t.Context(), p)
	require.NoError(t, err)

	s = grantServer(t, c, func(c *engine.Config) { c.Limits.Network = 1 })
	nobody := engine.Peer{Network: "192.0.2.1", Active: []string{uri}}
	for i, row := range []struct {
		at   time.Duration
		kind engine.Kind
	}{
		{365 * 24 * time.Hour, engine.KindIntent}, {365 * 24 * time.Hour, engine.KindRefused},
		{0, engine.KindIntent}, {0, engine.KindRefused},
		{-time.Second, engine.KindRefused}, // two at a time are not in order
		{-time.Hour, engine.KindIntent}, {0, engine.KindRefused},
	} {
		c.at = noon.Add(row.at)
		require.Equal(t, row.kind, receive(t, s, nobody, jumpIntent(t, "m-"+strconv.Itoa(i))).Kind, "message %d", i)
	}
}

// TestJumpsChallenge: a challenge is good for its life, not until the time that a clock
// that was ahead said.
func TestJumpsChallenge(t *testing.T) {
	t.Parallel()
	doc := read(t)
	for set, ok := range map[time.Duration]bool{
		0: true, -time.Second: true, -time.Minute: true, 5*time.Minute - 1: true,
		5 * time.Minute: false, -2 * time.Minute: false, -time.Hour: false, -365 * 24 * time.Hour: false,
	} {
		c := &clock{at: noon}
		s := newSide(t, c, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
			c.Domain, c.Declared = "https://alice.example/a2a", []engine.Declared{{Pin: doc.Pin(), Source: source}}
		})
		issued, err := s.IssueChallenge(t.Context(), aliceToBob, "ctx")
		require.NoError(t, err)
		c.add(set)
		m := message("m-1", "ctx", payload("intent", doc.Pin().String(), readIntent, turtleMT),
			payload("authorization", "", `{"proof":{"challenge":"`+issued.Challenge+`"}}`, "application/vp"))
		require.Equal(t, ok, receive(t, s, aliceToBob, m).Kind == engine.KindIntent, "%s", set)
	}
}
