package shacl_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/shacl"
)

// looks is a context that counts how often it is looked at, and is done after some
// looks; 0: never.
type looks struct {
	context.Context

	n, most int
}

func (l *looks) Err() error {
	if l.n++; l.most > 0 && l.n > l.most {
		return context.Canceled
	}
	return nil
}

// costlyDetails returns a program and data with 100 results, where finding out why each
// of 64 values of a result does not conform costs far more than the verdict, which is
// remembered.
func costlyDetails(t *testing.T) (*shacl.Program, string) {
	t.Helper()
	p, err := shacl.Compile(graph(t, "shapes.ttl", `ex:S a sh:NodeShape; sh:targetClass ex:T; sh:property ex:P.
		ex:P sh:path (ex:hub ex:v); sh:qualifiedMinCount 1; sh:qualifiedMaxCount 5; sh:qualifiedValueShape ex:Q.
		ex:Q a sh:NodeShape; sh:property [sh:path ex:nothing; sh:minCount 1];
			sh:property [sh:path ([sh:inversePath ex:v] ex:text); sh:pattern "^(a?){400}(b|c)*(a?){100}$"].`), shacl.CompileOptions{})
	require.NoError(t, err)
	var data strings.Builder
	for i := range 100 {
		fmt.Fprintf(&data, "ex:f%d a ex:T; ex:hub ex:h. ", i)
	}
	fmt.Fprintf(&data, "ex:h ex:text %q. ", strings.Repeat("a", 750)+"!")
	for i := range 64 {
		fmt.Fprintf(&data, "ex:h ex:v ex:x%d. ", i)
	}
	return p, data.String()
}

// TestDetailsHaveABudget: all details of a result together cost a bounded number of
// checks, however many values they explain.
func TestDetailsHaveABudget(t *testing.T) {
	t.Parallel()
	p, data := costlyDetails(t)
	ctx := &looks{Context: t.Context()}
	r, err := p.Validate(ctx, graph(t, "data.ttl", data), shacl.Options{Workers: 1})
	require.NoError(t, err)
	require.Len(t, r.Results, 100)
	for i := range r.Results {
		assert.True(t, r.Results[i].Truncated, "result %d", i)
	}
	assert.Less(t, ctx.n, 100*4+100, "the context is looked at every 4,096 checks")
}

// sharedLooks is looks for several goroutines, and never done.
type sharedLooks struct {
	context.Context

	n atomic.Int64
}

func (l *sharedLooks) Err() error {
	l.n.Add(1)
	return nil
}

// TestDetailsOfResultsThatAreCut: details are looked for of the results that are kept, not
// of as many as that in each part of the focus nodes that a goroutine takes.
func TestDetailsOfResultsThatAreCut(t *testing.T) {
	t.Parallel()
	p := compile(t, `ex:S sh:targetSubjectsOf ex:hub; sh:node [sh:nodeKind sh:Literal;
		sh:property [sh:path (ex:hub ex:text); sh:pattern "^(a?){400}(b|c)*(a?){100}$"]].`)
	var data strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&data, "ex:f%d ex:hub ex:h. ", i)
	}
	fmt.Fprintf(&data, "ex:h ex:text %q. ", strings.Repeat("a", 2000)+"!")
	for _, workers := range []int{1, 2, 4} {
		ctx := &sharedLooks{Context: t.Context()}
		r, err := p.Validate(ctx, graph(t, "data.ttl", data.String()), shacl.Options{Workers: workers})
		require.NoError(t, err)
		require.Len(t, r.Results, 100)
		assert.Equal(t, 9900, r.Omitted)
		for i := range r.Results {
			assert.True(t, r.Results[i].Truncated, "result %d", i)
		}
		assert.Less(t, ctx.n.Load(), int64(100*4*(1+workers)), "with %d workers", workers)
	}
}

// TestDetailsLookAtTheContext: a context that is done while details are looked for ends
// the validation.
func TestDetailsLookAtTheContext(t *testing.T) {
	t.Parallel()
	p, data := costlyDetails(t)
	all := &looks{Context: t.Context()}
	_, err := p.Validate(all, graph(t, "data.ttl", data), shacl.Options{Workers: 1})
	require.NoError(t, err)
	for most := 1; most < all.n; most += all.n/16 + 1 {
		r, err := p.Validate(&looks{Context: t.Context(), most: most}, graph(t, "data.ttl", data), shacl.Options{Workers: 1})
		require.ErrorIs(t, err, context.Canceled, "after %d looks of %d", most, all.n)
		require.Nil(t, r)
	}
}
