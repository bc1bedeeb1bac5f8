package service

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// buckets are the upper bounds of the latency histogram in seconds: an intent takes
// less than the first, and no request more than a few.
func buckets() []float64 {
	return []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
}

// otherLabel stands for every label that is not in a closed list.
const otherLabel = "other"

// outcomeKey are the labels of one counter.
type outcomeKey struct {
	route, status, verdict, code string
}

// latency is a histogram.
type latency struct {
	counts []uint64 // by bucket, not summed up; the last one is beyond all
	sum    float64
	total  uint64
}

// metrics counts what the service does, in the text format of Prometheus. It is safe
// for concurrent use.
type metrics struct {
	version, commit, goVersion string
	started                    time.Time
	codes                      map[string]bool // those that are labels
	inFlight                   atomic.Int64

	mu        sync.Mutex
	requests  map[outcomeKey]uint64
	latencies map[string]*latency // by route
	bytes     map[string]uint64   // of bodies, by route
}

func newMetrics(started time.Time, version, commit, goVersion string, codes []string) *metrics {
	m := &metrics{
		version: version, commit: commit, goVersion: goVersion, started: started, codes: map[string]bool{"": true},
		requests: map[outcomeKey]uint64{}, latencies: map[string]*latency{}, bytes: map[string]uint64{},
	}
	for _, c := range codes {
		m.codes[c] = true
	}
	return m
}

// count counts a request that was answered. route is that of a table, or other.
func (m *metrics) count(route string, status int, verdict, code string, size int, took time.Duration) {
	outcome := outcomeKey{route, strconv.Itoa(status), verdict, code}
	if !m.codes[code] {
		outcome.code = otherLabel
	}
	bounds := buckets()
	seconds := took.Seconds()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[outcome]++
	m.bytes[route] += uint64(max(size, 0))
	l := m.latencies[route]
	if l == nil {
		l = &latency{counts: make([]uint64, len(bounds)+1)}
		m.latencies[route] = l
	}
	i, _ := slices.BinarySearch(bounds, seconds)
	l.counts[i]++
	l.sum += seconds
	l.total++
}

// text writes all in the text format of Prometheus, version 0.0.4, in a fixed order.
func (m *metrics) text() []byte {
	var b strings.Builder
	head := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	head("rdfprotod_build_info", "gauge", "The version that runs; always 1.")
	fmt.Fprintf(&b, "rdfprotod_build_info{version=%q,commit=%q,go=%q} 1\n", m.version, m.commit, m.goVersion)
	head("rdfprotod_start_time_seconds", "gauge", "When the service started, in seconds since 1970.")
	fmt.Fprintf(&b, "rdfprotod_start_time_seconds %d\n", m.started.Unix())
	head("rdfprotod_requests_in_flight", "gauge", "Requests that are not answered yet.")
	fmt.Fprintf(&b, "rdfprotod_requests_in_flight %d\n", m.inFlight.Load())

	m.mu.Lock()
	defer m.mu.Unlock()
	head("rdfprotod_requests_total", "counter", "Requests by route, HTTP status, verdict and code.")
	keys := make([]outcomeKey, 0, len(m.requests))
	for k := range m.requests {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b outcomeKey) int {
		return slices.Compare([]string{a.route, a.status, a.verdict, a.code}, []string{b.route, b.status, b.verdict, b.code})
	})
	for _, k := range keys {
		fmt.Fprintf(&b, "rdfprotod_requests_total{route=%q,status=%q,verdict=%q,code=%q} %d\n", k.route, k.status, k.verdict, k.code, m.requests[k])
	}
	routes := make([]string, 0, len(m.latencies))
	for r := range m.latencies {
		routes = append(routes, r)
	}
	slices.Sort(routes)
	head("rdfprotod_request_bytes_total", "counter", "Bytes of request bodies by route.")
	for _, r := range routes {
		fmt.Fprintf(&b, "rdfprotod_request_bytes_total{route=%q} %d\n", r, m.bytes[r])
	}
	head("rdfprotod_request_duration_seconds", "histogram", "Time from the headers of a request to its answer by route.")
	for _, r := range routes {
		l := m.latencies[r]
		sum := uint64(0)
		for i, bound := range buckets() {
			sum += l.counts[i]
			fmt.Fprintf(&b, "rdfprotod_request_duration_seconds_bucket{route=%q,le=%q} %d\n", r, number(bound), sum)
		}
		fmt.Fprintf(&b, "rdfprotod_request_duration_seconds_bucket{route=%q,le=\"+Inf\"} %d\n", r, l.total)
		fmt.Fprintf(&b, "rdfprotod_request_duration_seconds_sum{route=%q} %s\n", r, number(l.sum))
		fmt.Fprintf(&b, "rdfprotod_request_duration_seconds_count{route=%q} %d\n", r, l.total)
	}
	return []byte(b.String())
}
