package engine_test

import (
	"fmt"
	"testing"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// BenchmarkReceiveIntent is a tiny intent under an agreed document, from the message as
// an adapter has it to the accepted intent.
func BenchmarkReceiveIntent(b *testing.B) {
	doc := grant(b)
	s := newSide(b, &clock{at: noon}, "alice", []*protocol.Reviewed{doc}, func(c *engine.Config) {
		c.Declared = []engine.Declared{{Pin: doc.Pin()}}
		c.Store = replay.NewMemory(replay.Limits{PerPeer: 1 << 30, Messages: 1 << 30})
	})
	m := message("first", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT))
	receive(b, s, aliceToBob, m)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		m.ID = fmt.Sprint(i)
		o, err := s.Receive(b.Context(), aliceToBob, m)
		if err != nil || o.Kind != engine.KindIntent {
			b.Fatal(err, o.Trace)
		}
	}
}

// BenchmarkValidateRequest is the part of it that reads and judges the payload.
func BenchmarkValidateRequest(b *testing.B) {
	doc := grant(b).Document()
	b.ReportAllocs()
	for b.Loop() {
		v, err := doc.ValidateRequest(b.Context(), []byte(grantIntent), turtleMT, protocol.Options{})
		if err != nil || !v.Valid() {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseMessage reads the message of the intent from JSON.
func BenchmarkParseMessage(b *testing.B) {
	m := message("first", "ctx", payload("intent", grant(b).Pin().String(), grantIntent, turtleMT))
	data, err := m.AppendJSON(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.ParseMessage(data, engine.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDuplicate is a message that was answered.
func BenchmarkDuplicate(b *testing.B) {
	doc := grant(b)
	s := grantServer(b, &clock{at: noon}, nil)
	m := message("first", "ctx", payload("intent", doc.Pin().String(), grantIntent, turtleMT))
	o := receive(b, s, aliceToBob, m)
	if _, err := s.Respond(b.Context(), o.Intent, engine.Answer{Text: "done"}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if o, err := s.Receive(b.Context(), aliceToBob, m); err != nil || o.Kind != engine.KindDuplicate {
			b.Fatal(err)
		}
	}
}
