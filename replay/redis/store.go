package redis

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/rdfproto/rdfproto/replay"
)

// The errors of this package, beside those of replay and of the network.
var (
	// ErrLost: the server lost data since the store was opened.
	ErrLost = errors.New("the redis server lost the data of the store")
	// ErrFormat: the data in the server is of another version.
	ErrFormat = errors.New("the redis server has a store of another version")
	// ErrEviction: the server may throw out keys when its memory is full.
	ErrEviction = errors.New("the redis server evicts keys")
	// ErrClient: a client that cannot be used.
	ErrClient = errors.New("this redis client cannot be used")
)

// Options says where the data is.
type Options struct {
	// Client is a *redis.Client, which may be one of sentinels, or a
	// *redis.ClusterClient, made with ContextTimeoutEnabled. It stays the caller's to
	// close. If it is nil, one is made by the options below.
	Client redis.UniversalClient

	Addrs            []string // host:port; several are those of a cluster or, with MasterName, of sentinels
	Cluster          bool     // the one address is that of a cluster
	MasterName       string   // for sentinels
	Username         string
	Password         string
	SentinelUsername string
	SentinelPassword string
	DB               int
	TLS              *tls.Config // nil is no TLS: what is stored and the password can then be read on the way

	// Prefix begins the names of all keys, in braces; "" means "rdfproto". Agents that
	// share a server and are not replicas of one agent need prefixes of their own if
	// their bounds are to be.
	Prefix string

	// Timeout is how long a call may take, also without a deadline; 0 means 2 seconds.
	Timeout time.Duration

	// MaxSkew is how far the clock of a caller may be from that of the server; 0 means
	// 5 minutes.
	MaxSkew time.Duration

	Limits replay.Limits

	// InsecureEviction uses a server that evicts keys, or does not say whether it does.
	// A message whose key was evicted is executed again.
	InsecureEviction bool
}

// Store is a replay.Store in a Redis server. It is safe for concurrent use.
type Store struct {
	client  redis.UniversalClient
	own     bool // the client was made here
	prefix  string
	mark    string
	skew    string
	timeout time.Duration
	limits  replay.Limits
	scripts scripts
	closed  atomic.Bool
}

// keepFor is how long Redis keeps keys after everything in them is over.
const keepFor = 24 * time.Hour

// Open opens a store, which is empty if the server has none with the prefix. It asks
// the server whether it evicts keys.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Prefix == "" {
		o.Prefix = "rdfproto"
	}
	if strings.ContainsAny(o.Prefix, "{}") {
		return nil, fmt.Errorf("%w: the prefix has braces", ErrClient)
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Second
	}
	if o.MaxSkew <= 0 {
		o.MaxSkew = 5 * time.Minute
	}
	s := &Store{
		client: o.Client, prefix: "{" + o.Prefix + "}:", timeout: o.Timeout,
		skew: strconv.FormatInt(o.MaxSkew.Microseconds(), 10), limits: o.Limits.OrDefault(), scripts: newScripts(),
	}
	if err := checkClient(o); err != nil {
		return nil, err
	}
	if s.client == nil {
		s.client, s.own = newClient(o), true
	}
	if err := s.open(ctx, o); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// checkClient refuses a client that would wait beyond the context of a call, or that
// may go to another server.
func checkClient(o Options) error {
	timeouts := false
	switch c := o.Client.(type) {
	case nil:
		if len(o.Addrs) == 0 {
			return fmt.Errorf("%w: neither a client nor an address", ErrClient)
		}
		return nil
	case *redis.Client:
		timeouts = c.Options().ContextTimeoutEnabled
	case *redis.ClusterClient:
		timeouts = c.Options().ContextTimeoutEnabled
	default:
		return fmt.Errorf("%w: neither a Client nor a ClusterClient", ErrClient)
	}
	if !timeouts {
		return fmt.Errorf("%w: it needs ContextTimeoutEnabled", ErrClient)
	}
	return nil
}

func newClient(o Options) redis.UniversalClient {
	return redis.NewUniversalClient(&redis.UniversalOptions{
		Addrs: o.Addrs, IsClusterMode: o.Cluster, MasterName: o.MasterName,
		Username: o.Username, Password: o.Password, SentinelUsername: o.SentinelUsername, SentinelPassword: o.SentinelPassword,
		DB: o.DB, TLSConfig: o.TLS,
		ContextTimeoutEnabled: true,
		DialTimeout:           o.Timeout, ReadTimeout: o.Timeout, WriteTimeout: o.Timeout,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
}

func (s *Store) open(ctx context.Context, o Options) error {
	if !o.InsecureEviction {
		ctx, cancel := context.WithTimeout(ctx, s.timeout)
		defer cancel()
		info, err := s.client.Info(ctx, "memory").Result()
		if err != nil {
			return failed(ctx, err)
		}
		if !strings.Contains(info, "maxmemory_policy:noeviction\r\n") {
			return fmt.Errorf("%w: its maxmemory-policy must be noeviction", ErrEviction)
		}
	}
	token := newToken()
	reply, err := s.run(ctx, s.scripts.open, resend, s.prefix, formatVersion+":"+hex.EncodeToString(token[:]))
	if err != nil {
		return err
	}
	if len(reply) != 2 {
		return fmt.Errorf("%w: an answer of %d parts", replay.ErrCorrupt, len(reply))
	}
	if s.mark = reply[1]; !strings.HasPrefix(s.mark, formatVersion+":") {
		return ErrFormat
	}
	return nil
}

// Close ends the Store, and the client if it was made here.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return replay.ErrClosed
	}
	if s.own {
		return s.client.Close()
	}
	return nil
}

// newToken returns a token that no other call has.
func newToken() [16]byte {
	var t [16]byte
	_, _ = rand.Read(t[:]) // never fails
	return t
}

// retry says whether the client may send a command again when its reply is lost.
type retry bool

const (
	resend   retry = true
	sendOnce retry = false
)

// sentOnce is a command that the client does not send again when its reply is lost.
type sentOnce struct{ *redis.Cmd }

// NoRetry is asked by the client.
func (sentOnce) NoRetry() bool { return true }

// call runs a script after the checks that all of them begin with.
func (s *Store) call(ctx context.Context, sc script, r retry, now time.Time, args ...any) ([]string, error) {
	head := []any{s.prefix, s.mark, strconv.FormatInt(now.UnixMicro(), 10), s.skew}
	return s.run(ctx, sc, r, append(head, args...)...)
}

// run runs a script and returns the parts of its answer, the first of which is none
// of those that mean an error.
func (s *Store) run(ctx context.Context, sc script, r retry, args ...any) ([]string, error) {
	if s.closed.Load() {
		return nil, replay.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	reply, err := s.eval(ctx, r, "evalsha", sc.sha, args)
	if redis.HasErrorPrefix(err, "NOSCRIPT") { // nothing was done
		reply, err = s.eval(ctx, r, "eval", sc.text, args)
	}
	switch {
	case err != nil:
		if s.closed.Load() {
			return nil, replay.ErrClosed
		}
		return nil, failed(ctx, err)
	case len(reply) == 0:
		return nil, fmt.Errorf("%w: an empty answer", replay.ErrCorrupt)
	}
	switch reply[0] {
	case answerLost:
		return nil, ErrLost
	case answerSkew:
		return nil, fmt.Errorf("%w: the clock of the redis server is too far from this one", replay.ErrTime)
	case answerCorrupt:
		return nil, fmt.Errorf("%w: in the redis server", replay.ErrCorrupt)
	}
	return reply, nil
}

func (s *Store) eval(ctx context.Context, r retry, command, sc string, args []any) ([]string, error) {
	cmd := redis.NewCmd(ctx, append([]any{command, sc, 1, s.prefix + keyMark}, args...)...)
	var err error
	if r == sendOnce {
		err = s.client.Process(ctx, sentOnce{cmd})
	} else {
		err = s.client.Process(ctx, cmd)
	}
	if err != nil {
		return nil, err
	}
	return cmd.StringSlice()
}

// failed is an error of the client, with that of the context if it has ended.
func failed(ctx context.Context, err error) error {
	if done := ctx.Err(); done != nil && !errors.Is(err, done) {
		return fmt.Errorf("redis: %w: %w", done, err)
	}
	return fmt.Errorf("redis: %w", err)
}
