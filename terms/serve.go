package terms

import (
	"context"
	"errors"
	"sync"
)

// answer is what came of a fetch.
type answer struct {
	body []byte
	err  error
}

// errTotal is why a document does not count that would be read beyond the limit of all.
var errTotal = errors.New("the documents of the card are larger than the limit together")

// deliveries are the documents of a card's entries, in the order of the entries: fetched a
// few at once, each address once, and given out one after the other within
// [Limits.TotalBytes]. What was given out for the last time is not held.
type deliveries struct {
	fetcher Fetcher
	fresh   bool
	entries []Entry
	uses    map[string]int // of an address, by entries that were not given theirs
	answers map[string]answer
	next    int   // the first entry whose fetch was not begun
	left    int64 // bytes; below 0 for good once it was not enough
	largest int64 // one that is larger is refused unread, and costs nothing
}

func deliver(entries []Entry, o Options, fresh bool) *deliveries {
	d := &deliveries{
		fetcher: o.Fetcher, fresh: fresh, entries: entries, uses: map[string]int{}, answers: map[string]answer{},
		left: o.Limits.TotalBytes, largest: o.Limits.DocumentBytes,
	}
	for _, e := range entries {
		if e.Code == "" {
			d.uses[Resource(e.URL)]++
		}
	}
	return d
}

// of returns what came of fetching the document of an entry, which is asked for once and
// after those before it.
func (d *deliveries) of(ctx context.Context, i int) answer {
	if d.fetcher == nil {
		return answer{err: ErrNotAtHand}
	}
	key := Resource(d.entries[i].URL)
	if _, ok := d.answers[key]; !ok && d.left >= 0 {
		d.fetch(ctx, i)
	}
	got := d.answers[key]
	if d.uses[key]--; d.uses[key] == 0 {
		delete(d.answers, key)
	}
	if size := int64(len(got.body)); got.err == nil && d.left >= 0 && size <= d.largest {
		d.left -= size
	}
	if d.left < 0 {
		return answer{err: errTotal}
	}
	return got
}

// fetch fetches the document of an entry, and of those after it as many as are fetched at
// once.
func (d *deliveries) fetch(ctx context.Context, i int) {
	const atOnce = 4 // a card can name 64 servers that answer slowly
	var (
		mu sync.Mutex
		wg sync.WaitGroup
	)
	started := map[string]bool{}
	for d.next = max(d.next, i); d.next < len(d.entries) && len(started) < atOnce; d.next++ {
		e := d.entries[d.next]
		key := Resource(e.URL)
		mu.Lock()
		_, known := d.answers[key]
		mu.Unlock()
		if e.Code != "" || known || started[key] {
			continue
		}
		started[key] = true
		wg.Go(func() {
			body, err := d.fetcher.Proposal(ctx, e.URL, d.fresh)
			mu.Lock()
			defer mu.Unlock()
			d.answers[key] = answer{body, err}
		})
	}
	wg.Wait()
}
