package delegation_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
)

func BenchmarkThreeHops(b *testing.B) {
	texts := chainText(4, 3, 2)
	chain := compileAll(b, texts)
	r := ask(4)
	b.Run("evaluate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if d := delegation.Evaluate(chain, r, delegation.Options{}); !d.Permitted() {
				b.Fatal(d)
			}
		}
	})
	b.Run("parse, compile and evaluate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			fresh := make([]*odrl.Policy, len(texts))
			for i, text := range texts {
				fresh[i] = compile(b, text)
			}
			if d := delegation.Evaluate(fresh, r, delegation.Options{}); !d.Permitted() {
				b.Fatal(d)
			}
		}
	})
	b.Run("explain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			delegation.Explain(chain, r, delegation.Options{})
		}
	})
}
