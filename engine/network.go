package engine

import (
	"maps"
	"strconv"
	"time"

	"github.com/rdfproto/rdfproto/handshake"
)

// quota is what one network has used of a day.
type quota struct {
	used int
	ends time.Time
}

// over reports whether the day of a quota has passed. One that is further away than a day
// was begun by a clock that was ahead; by a little, two messages come at a time.
func (q *quota) over(now time.Time) bool {
	left := q.ends.Sub(now)
	return left <= 0 || left > quotaLife+handshake.ClockSkew
}

const (
	quotaLife   = 24 * time.Hour // as long as a message is remembered (a2a-rdf, RPL-3)
	maxNetworks = 4096           // that are counted apart at a time, some 100 bytes each
)

// payer names who what a request costs is counted for: the peer, or for one without
// authentication the network it came from. A principal and a network never have one name.
func (p *Peer) payer() string {
	if p.Principal == "" && p.Network != "" {
		return "network " + strconv.Quote(p.Network)
	}
	return strconv.Quote(p.Principal)
}

// admits reports whether a network may have another message remembered. What one store
// keeps of all peers without authentication is bounded together (RPL-3), since they are
// one peer to it: a duplicate counts as one wherever it comes from.
func (e *Engine) admits(p *Peer, now time.Time) bool {
	if p.Principal != "" || p.Network == "" {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	q := e.networks[p.Network]
	return q == nil || q.used < e.config.Limits.Network || q.over(now)
}

// count counts a message of a network that is remembered. When as many networks are
// counted as can be, those that come then are bounded by the store alone.
func (e *Engine) count(p *Peer, now time.Time) {
	if p.Principal != "" || p.Network == "" {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	q := e.networks[p.Network]
	if q == nil {
		if len(e.networks) >= maxNetworks {
			maps.DeleteFunc(e.networks, func(_ string, q *quota) bool { return q.over(now) })
		}
		if len(e.networks) >= maxNetworks {
			return
		}
		q = &quota{}
		e.networks[p.Network] = q
	}
	if q.over(now) {
		*q = quota{ends: now.Add(quotaLife)}
	}
	q.used++
}
