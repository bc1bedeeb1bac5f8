package protocol_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/protocol"
)

func reviewed(t testing.TB, title string) *protocol.Reviewed {
	t.Helper()
	d, err := protocol.Build(t.Context(), protocol.Parts{ID: "a:pd", Title: title, Request: protocol.Shapes{Graph: stock(t, protocol.VerbRead)}}, protocol.Options{})
	require.NoError(t, err)
	r, err := protocol.Examine(d).Accept()
	require.NoError(t, err)
	return r
}

func TestStore(t *testing.T) {
	t.Parallel()
	a, b, c := reviewed(t, "a"), reviewed(t, "b"), reviewed(t, "c")
	s := protocol.NewStore(2)
	require.NoError(t, s.Put(a))
	require.NoError(t, s.Put(b))
	require.NoError(t, s.Put(a), "it is here")
	require.ErrorIs(t, s.Put(c), protocol.ErrStoreFull)
	got, ok := s.Get(a.Pin())
	require.True(t, ok)
	require.Same(t, a, got)
	_, ok = s.Get(c.Pin())
	require.False(t, ok)
	_, ok = s.Get(canon.Digest{})
	require.False(t, ok)
	require.ElementsMatch(t, []canon.Digest{a.Pin(), b.Pin()}, s.Pins())
	require.True(t, s.Delete(a.Pin()))
	require.False(t, s.Delete(a.Pin()))
	require.NoError(t, s.Put(c))
	require.ErrorIs(t, s.Put(nil), protocol.ErrNoDocument)
	require.ErrorIs(t, s.Put(&protocol.Reviewed{}), protocol.ErrNoDocument)

	var zero protocol.Store
	require.NoError(t, zero.Put(a))
	require.Len(t, zero.Pins(), 1)
}

func TestStoreConcurrently(t *testing.T) {
	t.Parallel()
	s := protocol.NewStore(0)
	var all sync.WaitGroup
	for i := range 8 {
		r := reviewed(t, fmt.Sprint(i%4))
		all.Go(func() {
			for range 100 {
				if err := s.Put(r); err != nil {
					t.Error(err)
				}
				if got, ok := s.Get(r.Pin()); ok && got.Pin() != r.Pin() {
					t.Error("another document")
				}
				s.Pins()
				if i >= 6 {
					s.Delete(r.Pin())
				}
			}
		})
	}
	all.Wait()
}
