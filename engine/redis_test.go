package engine_test

import (
	"context"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/redis"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

// These tests break what is between an agent and the Redis server that its replicas share:
// at whatever byte and in whatever way, no message is executed twice, and one that cannot
// be claimed is refused with limit-exceeded (a2a-rdf, RPL-2 and RPL-3).

// replica is one process of the agent.
func replica(t testing.TB, addr, prefix string, timeout time.Duration, change func(*engine.Config)) *side {
	t.Helper()
	store, err := redis.Open(t.Context(), redis.Options{Addrs: []string{addr}, Prefix: prefix, Timeout: timeout})
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	s := grantServer(t, &clock{at: noon}, func(c *engine.Config) {
		c.Store, c.Clock = store, time.Now // that of the server is asked too
		if change != nil {
			change(c)
		}
	})
	s.store = store
	return s
}

// give gives a message to a replica within a time, and says what it came to: what failed
// must be a refusal with the right code.
func give(t testing.TB, s *side, m engine.Message, within time.Duration) engine.Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	o, err := s.Receive(ctx, aliceToBob, m)
	consistent(t, &o)
	switch {
	case err != nil:
		require.Equal(t, engine.KindRefused, o.Kind)
		require.Equal(t, protocol.CodeLimitExceeded, o.Code)
		require.Nil(t, o.Message)
	default:
		require.Contains(t, []engine.Kind{engine.KindIntent, engine.KindDuplicate, engine.KindRefused}, o.Kind)
		require.True(t, o.Kind != engine.KindRefused || o.Seen, "a refusal without an error is one that was kept: %s", o.Trace)
	}
	return o
}

// TestRedisProxy breaks one exchange after the other at every few bytes of it: claiming
// the message, finding its agreement, and keeping one.
func TestRedisProxy(t *testing.T) {
	t.Parallel()
	srv := replaytest.StartRedis(t)
	doc := grant(t)
	step := 61
	switch {
	case testing.Short():
		step = 307
	case os.Getenv("RDFPROTO_REDIS_LONG") != "":
		step = 3
	}
	for _, row := range []struct {
		name    string
		fault   replaytest.Fault
		replies bool
		always  bool
		within  time.Duration // of the caller
		step    int
	}{
		{"replies cut once", replaytest.Cut, true, false, time.Minute, 1},
		{"replies cut always", replaytest.Cut, true, true, time.Minute, 1},
		{"requests cut once", replaytest.Cut, false, false, time.Minute, step},
		{"requests cut always", replaytest.Cut, false, true, time.Minute, step},
		{"replies dropped", replaytest.Drop, true, true, time.Minute, 1},
		{"requests dropped", replaytest.Drop, false, true, time.Minute, step},
		{"replies late, after the caller's deadline", replaytest.Late, true, true, 30 * time.Millisecond, 1},
		{"requests late, after the caller's deadline", replaytest.Late, false, true, 30 * time.Millisecond, step},
		{"replies trickle", replaytest.Trickle, true, true, time.Minute, 7},
		{"requests trickle", replaytest.Trickle, false, true, time.Minute, step},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := replaytest.NewProxy(t, srv.Addr)
			broken := replica(t, p.Addr(), row.name, 60*time.Millisecond, nil)
			beside := replica(t, srv.Addr, row.name, time.Minute, nil)
			first, second, later, never, refused, points := 0, 0, 0, 0, 0, 0
			for after := 0; ; after += row.step {
				m := message("m-"+strconv.Itoa(after), "ctx-"+strconv.Itoa(after), payload("intent", doc.Pin().String(), grantIntent, turtleMT))
				// A connection that is there, and scripts that are known.
				p.Set(replaytest.None, false, 0, false)
				for ready := 0; ; ready++ {
					w := message("ready-"+strconv.Itoa(after)+"-"+strconv.Itoa(ready), "ready-"+strconv.Itoa(after), payload("intent", doc.Pin().String(), grantIntent, turtleMT))
					if give(t, broken, w, time.Minute).Kind == engine.KindIntent {
						break
					}
					require.Less(t, ready, 100)
				}
				p.Set(row.fault, row.replies, after, row.always)

				var in []*engine.Intent
				take := func(s *side, within time.Duration) engine.Kind {
					o := give(t, s, m, within)
					if o.Kind == engine.KindIntent {
						in = append(in, o.Intent)
					}
					return o.Kind
				}
				one := take(broken, row.within)
				hits := p.Hits()
				two := take(beside, time.Minute)
				p.Set(replaytest.None, false, 0, false) // what was late comes now
				three := take(beside, time.Minute)
				take(broken, time.Minute) // which may have to find out that its connection is gone
				take(broken, time.Minute)
				require.LessOrEqual(t, len(in), 1, "after %d bytes: %s, %s, %s", after, one, two, three)
				switch {
				case one == engine.KindIntent:
					first++
				case two == engine.KindIntent:
					second++
				case len(in) == 1:
					later++
				default:
					never++
				}
				if one == engine.KindRefused {
					refused++
				}
				if len(in) == 1 { // the answer is one for all, whoever gives it
					_, err := beside.Respond(t.Context(), in[0], engine.Answer{Text: "done"})
					require.NoError(t, err)
					// A busy machine may be later than the store's timeout.
					for tries := 0; give(t, broken, m, time.Minute).Message == nil; tries++ {
						require.Less(t, tries, 100)
					}
				}
				if hits == 0 {
					break // the exchange is shorter than that
				}
				points++
			}
			t.Logf("%d points: executed by the first %d, by the second %d, later %d, by none %d; refused by the first %d", points, first, second, later, never, refused)
			require.Greater(t, points, 5)
			if row.always && row.fault != replaytest.Trickle {
				require.NotZero(t, refused)
			}
		})
	}
}

// TestRedisDies: the server is gone between the claim of a message and its answer, and
// comes back with what it knew or without.
func TestRedisDies(t *testing.T) {
	t.Parallel()
	doc := grant(t)
	intent := func(id string) engine.Message {
		return message(id, "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT))
	}
	for _, row := range []struct {
		name string
		args []string
		when string
	}{
		{"after the claim, written down", []string{"--appendonly", "yes", "--appendfsync", "always"}, "authorizer"},
		{"after the claim, forgotten", nil, "authorizer"},
		{"before the answer, written down", []string{"--appendonly", "yes", "--appendfsync", "always"}, "answer"},
		{"before the answer, forgotten", nil, "answer"},
		{"before the claim", nil, "claim"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv := replaytest.StartRedis(t, row.args...)
			var dies atomic.Bool
			s := replica(t, srv.Addr, "", 300*time.Millisecond, func(c *engine.Config) {
				c.Authorizer = engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
					if dies.Swap(false) {
						srv.Kill()
					}
					return engine.Authority{Permit: true}, nil
				})
			})
			executed := 0
			dies.Store(row.when == "authorizer")
			if row.when == "claim" {
				srv.Kill()
			}
			o := give(t, s, intent("m-1"), time.Minute)
			switch row.when {
			case "answer":
				require.Equal(t, engine.KindIntent, o.Kind)
				executed++
				srv.Kill()
				answer, err := s.Respond(t.Context(), o.Intent, engine.Answer{Text: "done"})
				require.Error(t, err)
				require.NotEmpty(t, answer.ID, "what was done is told")
			default: // its agreement could not be kept
				require.Equal(t, engine.KindRefused, o.Kind)
			}
			for _, id := range []string{"m-1", "m-2"} {
				require.Equal(t, engine.KindRefused, give(t, s, intent(id), time.Minute).Kind)
			}
			_, err := s.Prose(t.Context(), engine.To{Peer: bobToAlice, ContextID: "ctx"}, "please")
			require.Error(t, err, "whether prose is forbidden is not known")
			_, err = s.Offer(t.Context(), engine.To{Peer: bobToAlice}, engine.OfferDraft{Pin: doc.Pin(), Source: source, Required: true})
			require.Error(t, err)

			addr := srv.Addr
			srv.Run(t)
			require.Equal(t, addr, srv.Addr)
			lost := row.args == nil
			for range 3 {
				o := give(t, s, intent("m-1"), time.Minute)
				if o.Kind == engine.KindIntent {
					executed++
				}
				if lost { // a server that forgot is none for who knows it from before
					require.Equal(t, engine.KindRefused, o.Kind)
				} else {
					require.Equal(t, engine.KindDuplicate, o.Kind)
				}
			}
			require.LessOrEqual(t, executed, 1)
			_, err = s.Receive(t.Context(), aliceToBob, intent("m-3"))
			if lost {
				require.ErrorIs(t, err, redis.ErrLost)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// TestRedisFull: there is no room for another message of the peer.
func TestRedisFull(t *testing.T) {
	t.Parallel()
	srv := replaytest.StartRedis(t)
	doc := grant(t)
	store, err := redis.Open(t.Context(), redis.Options{Addrs: []string{srv.Addr}, Limits: replay.Limits{PerPeer: 1}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	s := grantServer(t, &clock{}, func(c *engine.Config) { c.Store, c.Clock = store, time.Now })
	intent := func(id string) engine.Message {
		return message(id, "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT))
	}
	require.Equal(t, engine.KindIntent, receive(t, s, aliceToBob, intent("m-1")).Kind)
	o := receive(t, s, aliceToBob, intent("m-2"))
	require.Equal(t, protocol.CodeLimitExceeded, o.Code)
	require.Equal(t, 429, o.Status().HTTP)
}
