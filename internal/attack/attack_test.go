package attack_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/rdfproto/rdfproto/internal/damage"
	"github.com/rdfproto/rdfproto/internal/peak"
)

// TestMain fails when anything that was attacked left a goroutine behind. What the SDK
// logs of every refusal is nobody's to read.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	goleak.VerifyTestMain(m)
}

// long is the long form: every input, one after the other, each within bounds.
func long() bool { return os.Getenv("RDFPROTO_ATTACK") == "long" }

// The bounds on one input. Whoever calls with bytes of a peer gives a context with a
// deadline, where there is one to give.
const (
	maxTime  = time.Second
	maxBytes = 200 << 20
	slack    = 250 * time.Millisecond // between a deadline and its being looked at
)

// tried counts the inputs of one entry point.
type tried struct{ damages, hostile, accepted, deadlines int }

// tries counts what was tried, for the table at the end.
type tries struct {
	mu sync.Mutex
	of map[string]*tried
}

func (x *tries) add(name string, f func(*tried)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.of[name] == nil {
		x.of[name] = &tried{}
	}
	f(x.of[name])
}

func (x *tries) log(t *testing.T) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "entry point\tdamages\thostile\taccepted\tended by a deadline\t")
	sum := tried{}
	for _, name := range slices.Sorted(maps.Keys(x.of)) {
		n := x.of[name]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", name, n.damages, n.hostile, n.accepted, n.deadlines)
		sum.damages, sum.hostile, sum.accepted, sum.deadlines = sum.damages+n.damages, sum.hostile+n.hostile, sum.accepted+n.accepted, sum.deadlines+n.deadlines
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t%d\t\n", sum.damages, sum.hostile, sum.accepted, sum.deadlines)
	require.NoError(t, w.Flush())
	t.Log("\n" + b.String())
}

// attack gives one input to an entry point. It never fails the caller's deadline: what
// takes longer than a second in the long form is a failure, and so is what takes more
// than 200 MB.
func attack(t *testing.T, e *entry, what string, data []byte) (o outcome, deadline bool) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			require.Fail(t, "panic", "%s: %s: %v\n%s", e.name, what, r, show(data))
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), maxTime)
	defer cancel()
	var before, after runtime.MemStats
	if long() {
		runtime.ReadMemStats(&before)
	}
	start, worked := time.Now(), processorTime()
	o, err := e.run(ctx, data)
	// On a machine that has other things to do the clock says too much, and with a
	// collector on another processor the work does.
	took := min(time.Since(start), processorTime()-worked)
	if long() {
		runtime.ReadMemStats(&after)
		require.True(t, e.local || took < maxTime+slack, "%s: %s takes %s\n%s", e.name, what, took, show(data))
		if after.TotalAlloc-before.TotalAlloc > maxBytes { // all together; what counts is what it holds at a time
			held := peak.Heap(func() { _, _ = e.run(ctx, data) })
			require.True(t, e.local || held < maxBytes, "%s: %s holds %d bytes\n%s", e.name, what, held, show(data))
		}
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		return outcome{}, true
	}
	require.NoError(t, err, "%s: %s\n%s", e.name, what, show(data))
	require.True(t, o.ok || o.code != "", "%s: %s: refused without a code\n%s", e.name, what, show(data))
	return o, false
}

func show(data []byte) string {
	if len(data) > 2000 {
		return fmt.Sprintf("%q and %d bytes more", data[:2000], len(data)-2000)
	}
	return fmt.Sprintf("%q", data)
}

// TestValid: what the damages begin with is accepted, and says what it says.
func TestValid(t *testing.T) {
	t.Parallel()
	n := 0
	for _, e := range entries(theWorld()) {
		for i, valid := range e.valid {
			o, deadline := attack(t, &e, "valid", valid)
			require.False(t, deadline)
			require.True(t, o.ok, "%s: input %d: %s", e.name, i, o.code)
			require.True(t, !e.signed || o.content != "", e.name)
			n++
		}
	}
	require.Greater(t, n, 50)
}

// sample is how many damages of one document are tried in the short form, and one in how
// many of the hostile inputs that are not meant for an entry point. With -short, as under
// the race detector, it is less.
func sample() (damages, hostile int) {
	if testing.Short() {
		return 15, 60
	}
	return 80, 9
}

// TestDamage gives every entry point its valid documents in every small damage.
func TestDamage(t *testing.T) {
	t.Parallel()
	counts := &tries{of: map[string]*tried{}}
	t.Run("entries", func(t *testing.T) {
		for _, e := range entries(theWorld()) {
			t.Run(e.name, func(t *testing.T) {
				if !long() {
					t.Parallel()
				}
				damageAll(t, &e, counts)
			})
		}
	})
	counts.log(t)
}

func damageAll(t *testing.T, e *entry, counts *tries) {
	for _, valid := range e.valid {
		want, _ := attack(t, e, "valid", valid)
		every, total := 1, 0
		if !long() {
			most, _ := sample()
			for range damage.All(valid) {
				total++
			}
			every = max(1, total/most) | 1 // odd: kinds come in turns
		}
		kinds := map[string]bool{}
		for change, damaged := range damage.Every(every, damage.All(valid)) {
			kinds[change.Kind] = true
			o, deadline := attack(t, e, change.String(), damaged)
			if e.signed && o.ok {
				require.Equal(t, want.content, o.content, "%s: %s: accepted, and it says something else\n%s", e.name, change, show(damaged))
			}
			counts.add(e.name, func(c *tried) {
				c.damages++
				if o.ok {
					c.accepted++
				}
				if deadline {
					c.deadlines++
				}
			})
		}
		require.Greater(t, len(kinds), 2, "kinds of damage to a document of %s", e.name)
	}
}

// TestHostile gives every entry point the hostile inputs: in the short form those that
// are meant for it, and some of the others.
func TestHostile(t *testing.T) {
	t.Parallel()
	counts := &tries{of: map[string]*tried{}}
	_, every := sample()
	corpus := hostile(theWorld())
	require.Greater(t, len(corpus), 200)
	t.Run("entries", func(t *testing.T) {
		for i, e := range entries(theWorld()) {
			t.Run(e.name, func(t *testing.T) {
				if !long() {
					t.Parallel()
				}
				meant := 0
				for k, h := range corpus {
					forMe := slices.Contains(e.forms, h.form)
					if forMe {
						meant++
					}
					if !long() && (h.heavy || !forMe && (k+i)%every != 0 || testing.Short() && (k+i)%3 != 0) {
						continue
					}
					o, deadline := attack(t, &e, string(h.form)+": "+h.name, h.data())
					require.False(t, e.signed && o.ok, "%s: %s: accepted, and nobody signed it", e.name, h.name)
					if h.refused && forMe && !e.local {
						require.False(t, o.ok, "%s: %s: accepted", e.name, h.name)
					}
					counts.add(e.name, func(c *tried) {
						c.hostile++
						if o.ok {
							c.accepted++
						}
						if deadline {
							c.deadlines++
						}
					})
				}
				require.NotZero(t, meant, "no hostile input is meant for %s", e.name)
			})
		}
	})
	counts.log(t)
}
