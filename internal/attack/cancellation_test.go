package attack_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// ending is a context that ends while an operation runs: at a look at it, or at a call of
// something that the operation was given and that looks at it for the test, such as a
// store. What was looked at before is all that an operation can know of it.
type ending struct {
	context.Context
	after  int64       // looks that still find it alive
	paused atomic.Bool // what the test itself does is no point of the operation
	looks  atomic.Int64
	told   atomic.Bool // the operation looked, and saw that it had ended
	once   sync.Once
	done   chan struct{}
}

func endingAfter(looks int) *ending {
	return &ending{Context: context.Background(), after: int64(looks), done: make(chan struct{})}
}

// look counts a look, and ends the context when it is one too many.
func (c *ending) look() {
	if !c.paused.Load() && c.looks.Add(1) > c.after {
		c.once.Do(func() { close(c.done) })
	}
}

func (c *ending) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// Done implements context.Context.
func (c *ending) Done() <-chan struct{} {
	c.look()
	c.tell()
	return c.done
}

func (c *ending) tell() bool {
	if c.ended() {
		c.told.Store(true)
		return true
	}
	return false
}

// Err implements context.Context.
func (c *ending) Err() error {
	if c.look(); c.tell() {
		return context.Canceled
	}
	return nil
}

// operation is one function that takes a context.
type operation struct {
	name    string // package.Function or package.Type.Method
	variant string // which of its calls, "" for the only one
	// begin makes what all calls share, and returns what makes a call: with everything
	// anew that a call changes.
	begin func(t *testing.T) func(c *ending) call
	// still says why the function never looks at its context.
	still string
	// late says why a yes may come although the context ended while it was looked at.
	late string
	// racing operations wait for somebody else: a yes may have come when they notice that
	// the context has ended, unless it had when they began.
	racing bool
}

// call is one call of an operation.
type call struct {
	// run says whether the answer is what the caller hoped for.
	run func(ctx context.Context) (yes bool, err error)
	// after checks what the call left behind; nil for nothing to check.
	after func(t *testing.T, yes bool, err error)
	// close gives back what the call was made with; nil for nothing.
	close func()
}

// simple is an operation that changes nothing.
func simple(name string, run func(ctx context.Context) (bool, error)) operation {
	return operation{name: name, begin: func(*testing.T) func(*ending) call {
		return func(*ending) call { return call{run: run} }
	}}
}

// yes is for functions whose success is a yes.
func yes[T any](_ T, err error) (bool, error) { return err == nil, err }

// refusing is an error that is a refusal with a code, which need not name the context.
func refusing(err error) bool {
	_, failed := refusal(err)
	return failed == nil
}

// maxPoints bounds how often one operation is cancelled.
const maxPoints = 5000

// try cancels an operation at every look at its context, and returns at how many. In the
// short form it leaves more and more of them out.
func (o *operation) try(t *testing.T) (points, tried int) {
	next := o.begin(t)
	one := func(c *ending) (yes bool, err error) {
		a := next(c)
		if a.close != nil {
			defer a.close()
		}
		yes, err = a.run(c)
		if a.after != nil {
			a.after(t, yes, err)
		}
		return yes, err
	}
	whole := endingAfter(maxPoints) // and what is made at the first call is made
	yes, err := one(whole)
	require.NoError(t, err)
	require.True(t, yes)
	require.False(t, whole.ended(), "more than %d looks", maxPoints)
	before := goleak.IgnoreCurrent()
	for k := 0; ; k++ {
		switch {
		case long():
		case testing.Short() && k > 12:
			k += k / 3
		case k > 40:
			k += k / 8
		}
		c := endingAfter(k)
		yes, err := one(c)
		require.NoError(t, goleak.Find(before), "cancelled at look %d", k)
		if !c.ended() {
			require.NoError(t, err)
			require.True(t, yes, "not cancelled, at look %d", k)
			return k, tried
		}
		tried++
		if err != nil {
			require.True(t, errors.Is(err, context.Canceled) || refusing(err), "cancelled at look %d: %v", k, err)
			continue
		}
		// What ends after the last look is for the caller to notice.
		require.True(t, !yes || o.late != "" || !c.told.Load() || o.racing && k > 0, "cancelled at look %d, and it is a yes", k)
	}
}

// TestCancellation cancels every operation at every point at which it can notice: it
// ends with the error of its context or a refusal, never with a yes; what it left in a
// store lets nothing be executed twice, and no goroutine stays. It is not parallel: it
// looks at what runs.
func TestCancellation(t *testing.T) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "function\tpoints\ttried\t")
	sum := 0
	for _, o := range operations() {
		name := strings.TrimSpace(o.name + " " + o.variant)
		t.Run(name, func(t *testing.T) {
			points, tried := o.try(t)
			assert.Equal(t, o.still != "", points == 0, "%s looks at its context %d times", name, points)
			fmt.Fprintf(w, "%s\t%d\t%d\t\n", name, points, tried)
			sum += tried
		})
	}
	require.NoError(t, w.Flush())
	t.Logf("\n%s%d in all", b.String(), sum)
}

// notCancelled are functions that take a context and need no row, with the reason.
var notCancelled = map[string]string{
	"a2a.WithOutcome":                 "it puts a value into a context",
	"internal/cli.WithSignals":        "it makes a context that ends with a signal",
	"internal/service.WithSignals":    "likewise",
	"internal/service.Run":            "its commands end with their context: service.TestServeDrains, TestOwgInterrupt",
	"internal/service.Server.Serve":   "it goes on until its context ends: service.TestServeLeavesNothing",
	"a2a.HandlerFunc.Handle":          "it is the function of the caller",
	"engine.AuthorizerFunc.Authorize": "likewise",
}

// TestEveryContextIsCancelled: every exported function of the module that takes a context
// is in the table, or among those that need not be.
func TestEveryContextIsCancelled(t *testing.T) {
	t.Parallel()
	takers := exportedFunctions(t, func(f *ast.FuncDecl) bool {
		return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool { return types.ExprString(p.Type) == "context.Context" })
	})
	require.Greater(t, len(takers), 100)
	covered := map[string]bool{}
	for _, o := range operations() {
		covered[o.name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(takers)) {
		_, exempt := notCancelled[name]
		assert.True(t, covered[name] || exempt, "%s takes a context: it needs a row, or a reason why it does not", name)
		assert.False(t, covered[name] && exempt, "%s is in the table and among those that need not be", name)
	}
	for _, names := range []map[string]bool{covered, mapKeys(notCancelled)} {
		for name := range names {
			assert.True(t, takers[name], "%s is no function that takes a context any more", name)
		}
	}
}

func mapKeys(m map[string]string) map[string]bool {
	keys := map[string]bool{}
	for k := range m {
		keys[k] = true
	}
	return keys
}

// operations is the table.
func operations() []operation {
	return slices.Concat(rdfOperations(), authorityOperations(), storeOperations(), engineOperations(), networkOperations(), programOperations())
}
