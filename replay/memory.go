package replay

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/replay/internal/entry"
)

// Memory is a Store in the memory of one process: it forgets when the process ends. It
// is for tests, for clients, and for agents whose messages may be executed again after
// a restart. It is safe for concurrent use; its methods block only on one another.
type Memory struct {
	limits Limits

	mu     sync.Mutex
	closed bool

	clock entry.Clock
	peers map[entry.ID]*memoryPeer
	order queue // of all messages, which is the order in which they end
	live  int   // messages kept
	bytes int64 // of their answers

	records map[string]*memoryRecord
	ends    recordHeap       // the records by their ends
	owned   map[entry.ID]int // how many records an owner has
	version uint64
}

// memoryPeer is one peer of one agent.
type memoryPeer struct {
	id    entry.ID
	seen  map[entry.ID]*memorySeen
	order queue
	bytes int64
}

// memorySeen is a message that was claimed.
type memorySeen struct {
	peer    *memoryPeer
	id      entry.ID
	content canon.Digest
	expires int64 // in the time of the clock
	settled bool
	gone    bool // no longer in the peer's map
	answer  []byte
}

// memoryRecord is a record. An end is in the time of callers.
type memoryRecord struct {
	name    string
	value   []byte
	owner   entry.ID
	version uint64
	expires int64
	at      int // in the heap
}

// NewMemory returns an empty Memory.
func NewMemory(l Limits) *Memory {
	return &Memory{limits: l.OrDefault(), peers: map[entry.ID]*memoryPeer{}, records: map[string]*memoryRecord{}, owned: map[entry.ID]int{}}
}

// sweep is how many entries that are over a call removes beyond those that stand in
// its way: more than it adds, and few enough that no call takes long.
const sweep = 64

// enter begins a method. Unless it fails, the caller holds the lock.
func (m *Memory) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return ErrClosed
	}
	return nil
}

// Claim is Store.Claim.
func (m *Memory) Claim(ctx context.Context, k Key, content canon.Digest, now time.Time) (Claim, error) {
	if err := m.limits.CheckMessage(k, content, nil, now); err != nil {
		return Claim{}, err
	}
	if err := m.enter(ctx); err != nil {
		return Claim{}, err
	}
	defer m.mu.Unlock()
	at := m.clock.At(now)
	m.forget(&m.order, at, sweep)

	peer := m.peers[entry.NewID(k.Local, k.Peer)]
	id := entry.NewID(k.Context, k.Message)
	if peer != nil {
		if s := peer.seen[id]; s != nil && at < s.expires {
			return s.claim(content), nil
		}
		m.forget(&peer.order, at, m.limits.PerPeer) // all that are over: they must not count
		if len(peer.seen) >= m.limits.PerPeer {
			return Claim{}, ErrFull
		}
	}
	if m.live >= m.limits.Messages {
		return Claim{}, ErrFull // nothing is over, or the sweep would have made room
	}
	if peer == nil || m.peers[peer.id] == nil { // never there, or gone with its last message
		peer = &memoryPeer{id: entry.NewID(k.Local, k.Peer), seen: map[entry.ID]*memorySeen{}}
		m.peers[peer.id] = peer
	}
	s := &memorySeen{peer: peer, id: id, content: content, expires: at + m.limits.Life.Microseconds()}
	peer.seen[id] = s
	peer.order.push(s)
	m.order.push(s)
	m.live++
	return Claim{State: Fresh}, nil
}

// claim is what a later claim with some content is told.
func (s *memorySeen) claim(content canon.Digest) Claim {
	switch {
	case !s.content.Equal(content):
		return Claim{State: Conflict}
	case s.settled:
		return Claim{State: Answered, Answer: bytes.Clone(s.answer)}
	}
	return Claim{State: Running}
}

// forget removes messages that are over from the front of a queue, at most so many.
func (m *Memory) forget(q *queue, at int64, most int) {
	for most > 0 {
		s := q.front()
		if s == nil || at < s.expires {
			return
		}
		q.pop()
		if s.gone {
			continue // by way of the other queue; it makes no room, so it does not count
		}
		most--
		size := int64(len(s.answer))
		s.gone, s.answer = true, nil
		m.live--
		m.bytes -= size
		s.peer.bytes -= size
		delete(s.peer.seen, s.id)
		if len(s.peer.seen) == 0 {
			delete(m.peers, s.peer.id)
		}
	}
}

// Settle is Store.Settle.
func (m *Memory) Settle(ctx context.Context, k Key, content canon.Digest, answer []byte, now time.Time) error {
	if err := m.limits.CheckMessage(k, content, answer, now); err != nil {
		return err
	}
	if err := m.enter(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	at := m.clock.At(now)
	peer := m.peers[entry.NewID(k.Local, k.Peer)]
	if peer == nil {
		return ErrNotClaimed
	}
	s := peer.seen[entry.NewID(k.Context, k.Message)]
	switch {
	case s == nil || at >= s.expires || !s.content.Equal(content):
		return ErrNotClaimed
	case s.settled:
		return nil
	}
	m.forget(&peer.order, at, m.limits.PerPeer)
	m.forget(&m.order, at, sweep)
	size := int64(len(answer))
	if peer.bytes+size > m.limits.PeerBytes || m.bytes+size > m.limits.Bytes {
		return ErrFull
	}
	s.settled, s.answer = true, bytes.Clone(answer)
	peer.bytes += size
	m.bytes += size
	return nil
}

// Load is Store.Load.
func (m *Memory) Load(ctx context.Context, name string, now time.Time) (Record, bool, error) {
	if err := m.limits.CheckRecord(name, nil, time.Time{}, now); err != nil {
		return Record{}, false, err
	}
	if err := m.enter(ctx); err != nil {
		return Record{}, false, err
	}
	defer m.mu.Unlock()
	r := m.records[name]
	if r == nil || now.UnixMicro() >= r.expires {
		return Record{}, false, nil
	}
	return r.record(), true, nil
}

func (r *memoryRecord) record() Record {
	return Record{Name: r.name, Value: bytes.Clone(r.value), Version: r.version, Expires: time.UnixMicro(r.expires).UTC()}
}

// Swap is Store.Swap.
func (m *Memory) Swap(ctx context.Context, name string, owner Owner, old uint64, value []byte, expires, now time.Time) (bool, error) {
	if err := m.limits.CheckRecord(name, value, expires, now); err != nil {
		return false, err
	}
	if err := m.enter(ctx); err != nil {
		return false, err
	}
	defer m.mu.Unlock()
	at := now.UnixMicro()
	m.forgetRecords(at, sweep)
	r := m.records[name]
	if r != nil && at >= r.expires {
		m.remove(r)
		r = nil
	}
	switch {
	case r == nil && old != 0, r != nil && r.version != old:
		return false, nil
	case value == nil && r == nil:
		return true, nil
	case value == nil:
		m.remove(r)
		return true, nil
	case r == nil && len(m.records) >= m.limits.Records:
		return false, ErrFull
	}
	by := entry.NewOwner(owner.Local, owner.Peer)
	if r != nil {
		by = r.owner
		m.remove(r)
	} else if m.full(by) {
		m.forgetRecords(at, len(m.ends)) // all that are over: they must not count
		if m.full(by) {
			return false, ErrFull
		}
	}
	m.version++
	r = &memoryRecord{name: name, value: append([]byte{}, value...), owner: by, version: m.version, expires: expires.UnixMicro()}
	m.records[name] = r
	m.owned[by]++
	heap.Push(&m.ends, r)
	return true, nil
}

// full reports whether an owner has no room for another record.
func (m *Memory) full(by entry.ID) bool {
	return by != entry.ID{} && m.owned[by] >= m.limits.PeerRecords
}

// forgetRecords removes records that are over, the first to end first, at most so many.
func (m *Memory) forgetRecords(at int64, most int) {
	for ; most > 0 && len(m.ends) > 0 && m.ends[0].expires <= at; most-- {
		m.remove(m.ends[0])
	}
}

func (m *Memory) remove(r *memoryRecord) {
	heap.Remove(&m.ends, r.at)
	delete(m.records, r.name)
	if m.owned[r.owner]--; m.owned[r.owner] == 0 {
		delete(m.owned, r.owner)
	}
}

// List is Store.List.
func (m *Memory) List(ctx context.Context, prefix string, most int, now time.Time) ([]Record, error) {
	if err := m.limits.CheckRecord("", nil, time.Time{}, now); err != nil {
		return nil, err
	}
	if err := m.enter(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	var found []*memoryRecord
	for name, r := range m.records {
		if strings.HasPrefix(name, prefix) && now.UnixMicro() < r.expires {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b *memoryRecord) int { return cmp.Compare(a.name, b.name) })
	var list []Record
	for _, r := range found[:min(max(most, 0), len(found))] {
		list = append(list, r.record())
	}
	return list, nil
}

// Close forgets everything.
func (m *Memory) Close() error {
	if err := m.enter(context.Background()); err != nil {
		return err
	}
	defer m.mu.Unlock()
	m.closed = true
	m.peers, m.records, m.order, m.ends, m.owned = nil, nil, queue{}, nil, nil
	return nil
}

// queue holds messages in the order of their claims, which is that of their ends:
// all live equally long and the clock never runs backwards.
type queue struct {
	items []*memorySeen
	head  int
}

func (q *queue) push(s *memorySeen) { q.items = append(q.items, s) }

func (q *queue) front() *memorySeen {
	if q.head == len(q.items) {
		return nil
	}
	return q.items[q.head]
}

func (q *queue) pop() {
	q.items[q.head] = nil
	q.head++
	if q.head > len(q.items)/2 {
		rest := copy(q.items, q.items[q.head:])
		clear(q.items[rest:])
		q.items, q.head = q.items[:rest], 0
	}
}

// recordHeap is a heap of records, the first to end on top.
type recordHeap []*memoryRecord

func (h recordHeap) Len() int           { return len(h) }
func (h recordHeap) Less(i, j int) bool { return h[i].expires < h[j].expires }
func (h recordHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}
func (h *recordHeap) Push(x any) {
	r := x.(*memoryRecord)
	r.at = len(*h)
	*h = append(*h, r)
}
func (h *recordHeap) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return r
}
