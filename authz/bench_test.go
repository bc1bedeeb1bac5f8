package authz_test

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkAuthorize is a decision by chains of some hops, everything included: reading
// and verifying credentials and policies.
func BenchmarkAuthorize(b *testing.B) {
	for _, hops := range []int{1, 3, 6} {
		b.Run(fmt.Sprintf("hops=%d", hops), func(b *testing.B) {
			s := good(b)
			s.hops = chain(0, hops)
			s.request.Actor = party(hops)
			a, r := s.authorizer(b), s.prepare(b)
			b.ReportAllocs()
			for b.Loop() {
				if d, err := a.Authorize(b.Context(), r); err != nil || !d.Authorized() {
					b.Fatal(d, err)
				}
			}
		})
	}
}

// BenchmarkManyRules is a decision by one hop whose policy has a thousand rules.
func BenchmarkManyRules(b *testing.B) {
	s := good(b)
	s.hops = chain(0, 1)
	s.request.Actor = party(1)
	var rules strings.Builder
	for i := range 999 {
		fmt.Fprintf(&rules, " ; odrl:permission [ odrl:action odrl:read ; odrl:target <https://p0.example/doc/%d> ]", i)
	}
	s.hops[0].policy = strings.TrimSuffix(s.hops[0].policy, " .\n") + rules.String() + " .\n"
	a, r := s.authorizer(b), s.prepare(b)
	b.ReportAllocs()
	for b.Loop() {
		if d, err := a.Authorize(b.Context(), r); err != nil || !d.Authorized() {
			b.Fatal(d, err)
		}
	}
}
