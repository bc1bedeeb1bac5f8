package replay

import (
	"context"
	"errors"
	"time"

	"github.com/rdfproto/rdfproto/canon"
)

// Key names a message (a2a-rdf, RPL-3 and RPL-4): the same message arriving twice
// has the same Key. Every member is compared byte for byte.
type Key struct {
	Local   string // the agent that received it
	Peer    string // the authenticated principal of its sender; "" if it has none
	Context string // the A2A contextId; "" for a first message that has none yet
	Message string // the A2A messageId, never ""
}

// Owner is whom a new record counts for (see [Limits.PeerRecords]): a peer of an agent
// that made the agent keep it. The zero Owner is nobody: a record of the agent's own
// making, which counts only among all. Both members are compared byte for byte.
type Owner struct {
	Local string // the agent
	Peer  string // the authenticated principal of the peer; "" for all that have none
}

// State says what a Store knew about a message when it was claimed.
type State uint8

// The states. The zero State is none and allows no execution.
const (
	Fresh    State = iota + 1 // not seen before: the caller, and nobody else, may execute it
	Running                   // seen with the same content; no answer is known yet
	Answered                  // seen with the same content and answered
	Conflict                  // seen with another content
)

// String returns the state in words.
func (s State) String() string {
	switch s {
	case Fresh:
		return "fresh"
	case Running:
		return "running"
	case Answered:
		return "answered"
	case Conflict:
		return "conflict"
	}
	return "none"
}

// Claim is what a Store says about a message. The zero Claim allows nothing.
type Claim struct {
	State  State
	Answer []byte // of an answered message, as it was settled
}

// Record is a small piece of state that the replicas of one agent share: an agreement,
// a pending offer, a challenge.
type Record struct {
	Name    string
	Value   []byte
	Version uint64 // never 0; changes with every write, and none comes back
	Expires time.Time
}

// The errors of a Store. Any error means that the caller must refuse, including those
// that are not listed: of a disk, of a network, of a context that ended.
var (
	// ErrFull: a bound of the store is reached (a2a-rdf, RPL-3). What was kept stays.
	ErrFull = errors.New("the store is full")
	// ErrNotClaimed: Settle was called for a message that this content did not claim.
	ErrNotClaimed = errors.New("the message was not claimed with this content")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrKey: a message without a messageId (a2a-rdf, RPL-5) or without a digest of
	// its content.
	ErrKey = errors.New("a message needs a messageId and a digest of its content")
	// ErrTime: no time was given, a record would be over when it is written, or the
	// clocks of the caller and of the store are too far apart to tell what is over.
	ErrTime = errors.New("the time cannot be used")
	// ErrTooLarge: an answer or a record is larger than one may be.
	ErrTooLarge = errors.New("larger than the store keeps")
	// ErrCorrupt: what is stored is not what was written.
	ErrCorrupt = errors.New("the stored data is damaged")
)

// Store keeps what an agent must remember between messages. A Store may serve many
// goroutines and, if it is made for sharing, many processes; each method is atomic for
// all of them. Time is an argument; an entry whose time is over counts as absent.
type Store interface {
	// Claim records a message before it is executed (a2a-rdf, RPL-2 and RPL-3). Of all
	// calls with one Key, in all processes that share the store, exactly one returns
	// Fresh, until the entry's life is over. The claim is durable when the call returns: a
	// process that dies afterwards does not make the message Fresh again. A call that
	// fails may have recorded the message, which is then Running for everyone: it is
	// better not to execute a message than to execute it twice.
	Claim(ctx context.Context, k Key, content canon.Digest, now time.Time) (Claim, error)

	// Settle keeps the answer to a message that was claimed with the content. A message is
	// settled once; later calls change nothing. When it fails, for example with ErrFull or
	// ErrTooLarge, the message stays Running.
	Settle(ctx context.Context, k Key, content canon.Digest, answer []byte, now time.Time) error

	// Load returns the record with a name, and whether there is one.
	Load(ctx context.Context, name string, now time.Time) (Record, bool, error)

	// Swap writes the record if it has the version old, 0 meaning that there is none, and
	// reports whether it was written. A nil value deletes. expires is kept to the
	// microsecond and must be after now; from then on the record is absent. A new record
	// counts for owner as long as it is there, whoever replaces it; where owner, or the
	// store, has no room for a new one, it fails with ErrFull.
	Swap(ctx context.Context, name string, owner Owner, old uint64, value []byte, expires, now time.Time) (bool, error)

	// List returns up to most records whose names begin with prefix, in the order of their
	// names as bytes.
	List(ctx context.Context, prefix string, most int, now time.Time) ([]Record, error)

	// Close releases what the store holds. Every later call fails with ErrClosed.
	Close() error
}
