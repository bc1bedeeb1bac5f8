package attack_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/replay/bolt"
	"github.com/rdfproto/rdfproto/replay/redis"
	"github.com/rdfproto/rdfproto/replay/replaytest"
)

// keptStore is a store for the calls of one operation.
type keptStore struct {
	replay.Store
	now func() time.Time
	n   *atomic.Int64 // what keeps the calls apart
}

// storeOperation is an operation on a store that is made at the beginning of its row. name
// is different for every call.
func storeOperation(pkg, method string, open func(t *testing.T) keptStore, start func(s keptStore, name string) call) operation {
	return operation{name: pkg + "." + method, begin: func(t *testing.T) func(*ending) call {
		s := open(t)
		return func(*ending) call { return start(s, fmt.Sprintf("%d", s.n.Add(1))) }
	}}
}

// methods are those of a store. A call that was cancelled is made again, and then once
// more: of all claims at most one is fresh, and what was not said to be written is either
// written whole or not at all.
func methods(pkg string, open func(t *testing.T) keptStore) []operation {
	content := canon.Sum([]byte("content"))
	key := func(name string) replay.Key { return replay.Key{Local: "l", Peer: "p", Context: "c", Message: name} }
	return []operation{
		storeOperation(pkg, "Claim", open, func(s keptStore, name string) call {
			fresh := 0
			claim := func(ctx context.Context) (replay.State, error) {
				c, err := s.Claim(ctx, key(name), content, s.now())
				if c.State == replay.Fresh {
					fresh++
				}
				return c.State, err
			}
			return call{
				run: func(ctx context.Context) (bool, error) {
					state, err := claim(ctx)
					return state == replay.Fresh, err
				},
				after: func(t *testing.T, _ bool, _ error) {
					for range 2 {
						if state, err := claim(live); err != nil || state != replay.Fresh && state != replay.Running {
							t.Error(state, err)
						}
					}
					if fresh > 1 {
						t.Errorf("fresh %d times", fresh)
					}
				},
			}
		}),
		storeOperation(pkg, "Settle", open, func(s keptStore, name string) call {
			must(s.Claim(live, key(name), content, s.now()))
			return call{
				run: func(ctx context.Context) (bool, error) {
					err := s.Settle(ctx, key(name), content, []byte("answer"), s.now())
					return err == nil, err
				},
				after: func(t *testing.T, yes bool, _ error) {
					c := must(s.Claim(live, key(name), content, s.now()))
					if yes && c.State != replay.Answered || c.State == replay.Answered && string(c.Answer) != "answer" || c.State == replay.Fresh {
						t.Errorf("%s %q after %t", c.State, c.Answer, yes)
					}
					require1(s.Settle(live, key(name), content, []byte("answer"), s.now()))
				},
			}
		}),
		storeOperation(pkg, "Load", open, func(s keptStore, name string) call {
			must(s.Swap(live, name, replay.Owner{}, 0, []byte("value"), s.now().Add(time.Hour), s.now()))
			return call{run: func(ctx context.Context) (bool, error) {
				r, ok, err := s.Load(ctx, name, s.now())
				return ok && string(r.Value) == "value", err
			}}
		}),
		storeOperation(pkg, "Swap", open, func(s keptStore, name string) call {
			return call{
				run: func(ctx context.Context) (bool, error) {
					return s.Swap(ctx, name, replay.Owner{}, 0, []byte("value"), s.now().Add(time.Hour), s.now())
				},
				after: func(t *testing.T, yes bool, _ error) {
					r, ok, err := s.Load(live, name, s.now())
					if err != nil || yes && !ok || ok && string(r.Value) != "value" {
						t.Error(r, ok, err)
					}
				},
			}
		}),
		storeOperation(pkg, "List", open, func(s keptStore, name string) call {
			must(s.Swap(live, "list-"+name, replay.Owner{}, 0, []byte("value"), s.now().Add(time.Hour), s.now()))
			return call{run: func(ctx context.Context) (bool, error) {
				list, err := s.List(ctx, "list-"+name, 10, s.now())
				return len(list) > 0, err
			}}
		}),
	}
}

// inFile is a store in a file.
func inFile(t *testing.T) keptStore {
	s := must(bolt.Create(filepath.Join(t.TempDir(), "store"), bolt.Options{}))
	t.Cleanup(func() { _ = s.Close() })
	return keptStore{s, clockAtNoon, new(atomic.Int64)}
}

// inRedis is a store in a server of its own.
func inRedis(t *testing.T) keptStore {
	s := must(redis.Open(live, redis.Options{Addrs: []string{replaytest.StartRedis(t).Addr}, Timeout: time.Minute}))
	t.Cleanup(func() { _ = s.Close() })
	return keptStore{s, time.Now, new(atomic.Int64)}
}

func storeOperations() []operation {
	memory := func(*testing.T) keptStore {
		return keptStore{replay.NewMemory(replay.Limits{}), clockAtNoon, new(atomic.Int64)}
	}
	all := methods("replay.Memory", memory)
	for _, o := range append(methods("replay/bolt.Store", inFile), methods("replay/redis.Store", inRedis)...) {
		o.racing = true
		all = append(all, o)
	}
	all = append(all, operation{name: "replay/redis.Open", racing: true, begin: func(t *testing.T) func(*ending) call {
		srv := replaytest.StartRedis(t)
		return func(*ending) call {
			var s *redis.Store
			return call{
				run: func(ctx context.Context) (bool, error) {
					var err error
					s, err = redis.Open(ctx, redis.Options{Addrs: []string{srv.Addr}, Timeout: time.Minute})
					return err == nil, err
				},
				close: func() {
					if s != nil {
						_ = s.Close()
					}
				},
			}
		}
	}})

	scope := handshake.Scope{Local: "l", Peer: "p", Context: "c"}
	pin := canon.Sum([]byte("document"))
	agreement := handshake.Agreement{Scope: scope, Pin: pin, Origin: handshake.OriginCard, Made: noon, Expires: noon.Add(time.Hour)}
	agreements := func(method string, run func(ctx context.Context, g *replay.Agreements) (bool, error), after func(t *testing.T, g *replay.Agreements, yes bool)) operation {
		return operation{name: "replay.Agreements." + method, begin: func(*testing.T) func(*ending) call {
			return func(c *ending) call {
				c.paused.Store(true)
				g := replay.NewAgreements(lookingStore{replay.NewMemory(replay.Limits{}), c})
				if method != "Save" {
					require1(g.Save(live, replay.Owner{}, agreement, noon))
				}
				return call{
					run: func(ctx context.Context) (bool, error) {
						c.paused.Store(false)
						defer c.paused.Store(true)
						return run(ctx, g)
					},
					after: func(t *testing.T, yes bool, _ error) {
						if after != nil {
							after(t, g, yes)
						}
					},
				}
			}
		}}
	}
	holds := func(g *replay.Agreements) bool {
		_, ok, err := g.Find(live, scope, pin, noon)
		require1(err)
		return ok
	}
	all = append(all,
		agreements("Save", func(ctx context.Context, g *replay.Agreements) (bool, error) {
			err := g.Save(ctx, replay.Owner{}, agreement, noon)
			return err == nil, err
		}, func(t *testing.T, g *replay.Agreements, yes bool) {
			if yes && !holds(g) {
				t.Error("saved, and not there")
			}
			if err := g.Save(live, replay.Owner{}, agreement, noon); err != nil || !holds(g) {
				t.Error(err)
			}
		}),
		agreements("Find", func(ctx context.Context, g *replay.Agreements) (bool, error) {
			_, ok, err := g.Find(ctx, scope, pin, noon)
			return ok, err
		}, nil),
		agreements("Require", func(ctx context.Context, g *replay.Agreements) (bool, error) {
			a, ok, err := g.Require(ctx, scope, pin, noon)
			return ok && a.Required, err
		}, func(t *testing.T, g *replay.Agreements, yes bool) {
			a, _, err := g.Find(live, scope, pin, noon)
			if err != nil || !holds(g) || yes && !a.Required {
				t.Error("required, and not there as such", err)
			}
		}),
		agreements("InScope", func(ctx context.Context, g *replay.Agreements) (bool, error) {
			list, err := g.InScope(ctx, scope, 10, noon)
			return len(list) == 1, err
		}, nil),
		agreements("List", func(ctx context.Context, g *replay.Agreements) (bool, error) {
			list, err := g.List(ctx, 10, noon)
			return len(list) == 1, err
		}, nil),
		agreements("Withdraw", func(ctx context.Context, g *replay.Agreements) (bool, error) {
			return g.Withdraw(ctx, scope, pin, noon)
		},
			func(t *testing.T, g *replay.Agreements, yes bool) {
				if yes && holds(g) {
					t.Error("withdrawn, and there")
				}
				if _, err := g.Withdraw(live, scope, pin, noon); err != nil || holds(g) {
					t.Error(err)
				}
			}),
	)
	return all
}
