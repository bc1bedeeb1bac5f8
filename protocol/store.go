package protocol

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"github.com/rdfproto/rdfproto/canon"
)

// defaultStored is how many documents a [Store] keeps by default: an agent speaks a
// few dozen protocols, and a large document takes megabytes.
const defaultStored = 256

// The errors of [Store.Put].
var (
	ErrNoDocument = errors.New("expected a reviewed document, found none")
	ErrStoreFull  = errors.New("the store of protocol documents is full")
)

// Store keeps reviewed documents by their pins, in memory (a2a-rdf, HASH-10). They
// are immutable and were verified when they were made, so that reading needs no
// second check. It never drops a document by itself: an agreement must not outlive
// its document, and a peer that offers documents could otherwise push others out.
// The zero Store is empty and keeps at most 256. It is safe for concurrent use.
type Store struct {
	mu   sync.RWMutex
	docs map[canon.Digest]*Reviewed
	most int
}

// NewStore returns an empty Store that keeps at most that many documents, 256 when
// the number is not positive.
func NewStore(most int) *Store { return &Store{most: most} }

// Get returns the document with a pin, and whether it is here.
func (s *Store) Get(pin canon.Digest) (*Reviewed, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	r, ok := s.docs[pin]
	return r, ok
}

// Put adds a document; one that is here already changes nothing. It fails with
// [ErrStoreFull], or with [ErrNoDocument] for nil.
func (s *Store) Put(r *Reviewed) error {
	pin := r.Pin()
	if pin.IsZero() {
		return ErrNoDocument
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.docs[pin]; ok {
		return nil
	}
	most := s.most
	if most <= 0 {
		most = defaultStored
	}
	if len(s.docs) >= most {
		return ErrStoreFull
	}
	if s.docs == nil {
		s.docs = map[canon.Digest]*Reviewed{}
	}
	s.docs[pin] = r
	return nil
}

// Delete removes the document with a pin and reports whether it was here.
func (s *Store) Delete(pin canon.Digest) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.docs[pin]
	delete(s.docs, pin)
	return ok
}

// Pins returns the pins of all documents in order.
func (s *Store) Pins() []canon.Digest {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := make([]canon.Digest, 0, len(s.docs))
	for pin := range s.docs {
		all = append(all, pin)
	}
	slices.SortFunc(all, func(a, b canon.Digest) int { return bytes.Compare(a[:], b[:]) })
	return all
}
