package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/replay"
)

// ids is a source of bytes that are not the same, and are the same in each run.
type ids struct{ n uint64 }

func (r *ids) Read(p []byte) (int, error) {
	for i := range p {
		if i%8 == 0 {
			r.n++
		}
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], r.n)
		p[i] = b[i%8]
	}
	return len(p), nil
}

// receiver returns the reading of a message with an intent from its JSON, and the whole way
// of that intent: from the message, as an adapter has it, to
// the accepted intent of an agent that has the document on its card, each time another
// message of one context.
func receiver(ctx context.Context, document, intent []byte) (parse, receive func() error, err error) {
	const mediaType = "text/turtle"
	read, err := protocol.Parse(ctx, document, mediaType, protocol.Options{})
	if err != nil {
		return nil, nil, err
	}
	verified, err := read.Verify(read.Pin())
	if err != nil {
		return nil, nil, err
	}
	reviewed, err := protocol.Examine(verified).Accept()
	if err != nil {
		return nil, nil, err
	}
	documents := protocol.NewStore(0)
	if err := documents.Put(reviewed); err != nil {
		return nil, nil, err
	}
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	e, err := engine.New(engine.Config{
		Local: "https://alice.example/", Documents: documents, Store: replay.NewMemory(replay.Limits{}),
		Clock: func() time.Time { return now }, Random: new(ids),
		Declared: []engine.Declared{{Pin: reviewed.Pin()}},
		Policy:   engine.AllowList{Pins: []canon.Digest{reviewed.Pin()}},
		Authorizer: engine.AuthorizerFunc(func(context.Context, *engine.Question) (engine.Authority, error) {
			return engine.Authority{Permit: true}, nil
		}),
	})
	if err != nil {
		return nil, nil, err
	}
	active := []string{protocol.ExtensionURI}
	peer := engine.Peer{Principal: "https://bob.example/", Active: active}
	m := engine.Message{
		ID: "0", ContextID: "ctx", Role: engine.RoleUser, Extensions: active,
		Parts: []engine.Part{{
			Content: engine.Text, Text: string(intent), MediaType: mediaType,
			Metadata: fmt.Appendf(nil, `{%q:%q,%q:%q}`, protocol.KeyKind, protocol.RoleIntent, protocol.KeyProtocolHash, reviewed.Pin()),
		}},
	}
	text, err := m.AppendJSON(nil)
	if err != nil {
		return nil, nil, err
	}
	parse = func() error {
		_, err := engine.ParseMessage(text, engine.Limits{})
		return err
	}
	n := 0
	receive = func() error {
		n++
		m.ID = strconv.Itoa(n)
		o, err := e.Receive(ctx, peer, m)
		if err == nil && o.Kind != engine.KindIntent {
			err = fmt.Errorf("the intent is not accepted: %s", o.Trace)
		}
		return err
	}
	return parse, receive, nil
}
