package main

import (
	"fmt"
	"slices"
)

// key is what is compared.
type key struct{ op, workload string }

// rounds are the medians of the rounds of one peer on one workload, in
// microseconds, and the least of its peaks of memory, in MB.
type rounds struct {
	medians []float64
	rss     float64
}

// results holds the rounds by what is compared and by peer, and in which order
// it came up first.
type results struct {
	of    map[key]map[string]*rounds
	order []key
}

// collect sorts measurements; failed ones have no time.
func collect(lines []measurement) results {
	r := results{of: map[key]map[string]*rounds{}}
	for _, m := range lines {
		if m.Median <= 0 || m.Error != "" {
			continue
		}
		k := key{m.Op, m.Workload}
		if r.of[k] == nil {
			r.of[k] = map[string]*rounds{}
			r.order = append(r.order, k)
		}
		x := r.of[k][m.Peer]
		if x == nil {
			x = &rounds{rss: m.RSS}
			r.of[k][m.Peer] = x
		}
		x.medians = append(x.medians, m.Median)
		x.rss = min(x.rss, m.RSS)
	}
	return r
}

// best returns the fastest of some peers, of all but our own when none is named.
func (r results) best(k key, peers ...string) (name string, best *rounds) {
	for peer, x := range r.of[k] {
		if len(peers) == 0 && isOwn(peer) || len(peers) > 0 && !slices.Contains(peers, peer) {
			continue
		}
		if best == nil || x.median() < best.median() || x.median() == best.median() && peer < name {
			name, best = peer, x
		}
	}
	return name, best
}

func (x *rounds) median() float64 {
	sorted := slices.Sorted(slices.Values(x.medians))
	return sorted[len(sorted)/2]
}

// String writes the median, and the least and the greatest where they are not
// all the same.
func (x *rounds) String() string {
	least, greatest := micros(slices.Min(x.medians)), micros(slices.Max(x.medians))
	if least == greatest {
		return micros(x.median())
	}
	return fmt.Sprintf("%s (%s – %s)", micros(x.median()), least, greatest)
}

func micros(us float64) string {
	switch {
	case us >= 1e6:
		return fmt.Sprintf("%.2f s", us/1e6)
	case us >= 1e3:
		return fmt.Sprintf("%.3g ms", us/1e3)
	}
	return fmt.Sprintf("%.3g µs", us)
}
