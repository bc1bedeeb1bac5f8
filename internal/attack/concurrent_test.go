package attack_test

import (
	"go/ast"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shared is a value that says of itself that it is safe for concurrent use.
type shared struct {
	name string // package.Type, or the name of a function that says so
	// begin makes the value. Every method of it is called; nil where there are only uses.
	begin func(t *testing.T) value
}

// value is what goroutines share.
type value struct {
	of any
	// args are values for parameters, by their types; several of one type come in turns.
	// Those of a row come before those that all have.
	args []any
	// skip are methods that are not called, with the reason.
	skip map[string]string
	// uses are called beside the methods.
	uses []func(n int)
	// rounds is how often each goroutine calls everything; 0 means 12.
	rounds int
}

const sharers = 8

// share calls every method of a value, and its uses, from many goroutines at once.
func share(t *testing.T, v value, common []any) (calls int) {
	t.Helper()
	do := slices.Clone(v.uses)
	if v.of != nil {
		do = append(do, methodsOf(t, v, append(slices.Clone(v.args), common...))...)
	}
	require.NotEmpty(t, do)
	rounds := v.rounds
	if rounds == 0 {
		rounds = 12
	}
	if testing.Short() {
		rounds = max(1, rounds/4)
	}
	var group sync.WaitGroup
	start := make(chan struct{})
	for g := range sharers {
		group.Go(func() {
			<-start
			for n := range rounds {
				for i := range do { // each at another place
					do[(i+g*len(do)/sharers)%len(do)](g*rounds + n)
				}
			}
		})
	}
	close(start)
	group.Wait()
	return sharers * rounds * len(do)
}

// methodsOf returns a call of every method.
func methodsOf(t *testing.T, v value, args []any) []func(n int) {
	t.Helper()
	of := reflect.ValueOf(v.of)
	var do []func(n int)
	for i := range of.NumMethod() {
		name := of.Type().Method(i).Name
		if _, skipped := v.skip[name]; skipped {
			continue
		}
		method := of.Method(i)
		in := method.Type().NumIn()
		if method.Type().IsVariadic() {
			in--
		}
		choices := make([][]reflect.Value, in)
		for k := range in {
			choices[k] = argumentsFor(method.Type().In(k), args)
			require.NotEmpty(t, choices[k], "%s: no value for a parameter of type %s", name, method.Type().In(k))
		}
		do = append(do, func(n int) {
			call := make([]reflect.Value, in)
			for k := range call {
				call[k] = choices[k][n%len(choices[k])]
			}
			for _, out := range method.Call(call) {
				drain(out)
			}
		})
	}
	for name := range v.skip {
		require.True(t, of.MethodByName(name).IsValid(), "%s is no method any more", name)
	}
	return do
}

// argumentsFor returns what can be passed as a type: what was given, or the zero value of
// what cannot be nil.
func argumentsFor(typ reflect.Type, args []any) []reflect.Value {
	var all []reflect.Value
	for _, exact := range []bool{true, false} { // a string is no identifier
		for _, a := range args {
			v := reflect.ValueOf(a)
			if v.Type() == typ || !exact && v.Type().AssignableTo(typ) {
				all = append(all, v)
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	switch typ.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Map, reflect.Chan:
		return nil
	}
	return []reflect.Value{reflect.Zero(typ)}
}

// drain goes through a sequence.
func drain(v reflect.Value) {
	switch typ := v.Type(); {
	case typ.Kind() != reflect.Func || v.IsNil():
	case typ.CanSeq():
		for range v.Seq() {
		}
	case typ.CanSeq2():
		for range v.Seq2() {
		}
	}
}

// TestConcurrentUse uses every value that says it may be used by many goroutines, by 8 at
// once. It says little without the race detector.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	common := commonArguments()
	for _, s := range sharedValues() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			t.Logf("%d calls", share(t, s.begin(t), common))
		})
	}
}

// sayings are how documentation says it, and does not.
const (
	saysShared    = "safe for concurrent use"
	saysNotShared = "not safe for concurrent use"
)

// TestEveryShared: every exported type and function whose documentation says that it is
// safe for concurrent use has a row. Interfaces ask it of others.
func TestEveryShared(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	says := func(name string, doc *ast.CommentGroup) {
		text := strings.Join(strings.Fields(doc.Text()), " ")
		if strings.Contains(text, saysShared) && !strings.Contains(text, saysNotShared) {
			said[name] = true
		}
	}
	eachFile(t, func(pkg string, f *ast.File) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if !d.Name.IsExported() {
					continue
				}
				name := pkg + "."
				if d.Recv != nil {
					receiver := d.Recv.List[0].Type
					if p, ok := receiver.(*ast.StarExpr); ok {
						receiver = p.X
					}
					id, ok := receiver.(*ast.Ident)
					if !ok || !id.IsExported() {
						continue
					}
					name += id.Name + "."
				}
				says(name+d.Name.Name, d.Doc)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					typ, ok := s.(*ast.TypeSpec)
					if !ok || !typ.Name.IsExported() {
						continue
					}
					if _, asks := typ.Type.(*ast.InterfaceType); asks {
						continue
					}
					doc := typ.Doc
					if doc == nil {
						doc = d.Doc
					}
					says(pkg+"."+typ.Name.Name, doc)
				}
			}
		}
	})
	require.Greater(t, len(said), 40)
	rows := map[string]bool{}
	for _, s := range sharedValues() {
		assert.False(t, rows[s.name], "%s is in the table twice", s.name)
		rows[s.name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		assert.True(t, rows[name], "%s says that it is safe for concurrent use: it needs a row", name)
	}
	for name := range rows {
		assert.True(t, said[name], "%s does not say so any more", name)
	}
}
