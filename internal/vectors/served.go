package vectors

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/terms"
)

// served stands for the network: it hands out the documents of a case by their URLs.
type served struct {
	documents *Documents
	later     *Documents // what is served past caches, nil for the same
	maxAge    time.Duration

	mu    sync.Mutex
	asked []string
}

// statusError is an answer that is no success (F-6).
type statusError struct{ status int64 }

func (e statusError) Error() string     { return "status " + strconv.FormatInt(e.status, 10) }
func (e statusError) FetchCode() string { return "FETCH_STATUS" }

// get returns what is served at a URL.
func (s *served) get(url string, fresh bool) ([]byte, error) {
	s.mu.Lock()
	s.asked = append(s.asked, url)
	s.mu.Unlock()
	d := s.documents
	if fresh && s.later != nil {
		d = s.later
	}
	if d == nil {
		return nil, terms.ErrNotAtHand
	}
	f, ok := d.entries[url]
	switch {
	case !ok:
		return nil, terms.ErrNotAtHand
	case f.name == "" || f.status != 0 && f.status != 200:
		return nil, statusError{f.status}
	}
	return d.read(f.name)
}

// fetched returns what was asked for.
func (s *served) fetched() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// KeySet implements [agentcard.Fetcher].
func (s *served) KeySet(_ context.Context, url string) ([]byte, time.Duration, error) {
	data, err := s.get(url, true)
	return data, s.maxAge, err
}

// Proposal implements [terms.Fetcher].
func (s *served) Proposal(_ context.Context, url string, fresh bool) ([]byte, error) {
	return s.get(url, fresh)
}

// Card implements [terms.CardFetcher].
func (s *served) Card(_ context.Context, url string, fresh bool) ([]byte, string, error) {
	data, err := s.get(url, fresh)
	return data, url, err
}
