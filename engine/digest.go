package engine

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// content returns the digest of what a message says, by which a duplicate is told from
// another message with its id (a2a-rdf, RPL-2). White space and the order of members do
// not count, so that a message that a proxy wrote anew is still the same; everything
// else does, but the ids by which the message is looked up.
func (e *Engine) content(m *Message, b *bound) (canon.Digest, *protocol.Error) {
	w := e.buffers.Get().(*writer)
	defer func() {
		if cap(w.buf) <= maxKept {
			e.buffers.Put(w)
		}
	}()
	w.buf = w.buf[:0]
	w.text("a2a-rdf message 1")
	w.text(m.TaskID)
	w.buf = append(w.buf, byte(m.Role))
	w.texts(m.Extensions)
	w.texts(m.References)
	w.value(b.top)
	w.number(len(m.Parts))
	for i := range m.Parts {
		p := &m.Parts[i]
		w.buf = append(w.buf, byte(p.Content))
		w.text(p.Text)
		if p.Content == Data {
			v, err := strictjson.Borrow(p.Data, strictjson.Limits{Bytes: int64(len(p.Data)) + 1, Depth: maxNesting})
			if err != nil {
				return canon.Digest{}, jsonError(err)
			}
			w.value(v)
		} else {
			w.number(len(p.Data))
			w.buf = append(w.buf, p.Data...)
		}
		w.text(p.MediaType)
		w.text(p.Filename)
		w.value(b.metadata[i])
	}
	return canon.Sum(w.buf), nil
}

// maxKept is the largest buffer that is kept for the next message: an intent is some
// hundred bytes, and a large message must not hold memory afterwards.
const maxKept = 64 << 10

// writer writes values so that no two differ and read the same.
type writer struct{ buf []byte }

func (w *writer) number(n int) { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }

func (w *writer) text(s string) {
	w.number(len(s))
	w.buf = append(w.buf, s...)
}

func (w *writer) texts(all []string) {
	w.number(len(all))
	for _, s := range all {
		w.text(s)
	}
}

// value writes a JSON value, members in the order of their names. It calls itself as
// deep as the reader let the text nest.
func (w *writer) value(v strictjson.Value) {
	w.buf = append(w.buf, byte(v.Kind()))
	switch v.Kind() {
	case strictjson.Bool:
		if b, _ := v.Bool(); b {
			w.buf = append(w.buf, 1)
		} else {
			w.buf = append(w.buf, 0)
		}
	case strictjson.Number:
		s, _ := v.Number()
		w.text(s)
	case strictjson.String:
		s, _ := v.Str()
		w.text(s)
	case strictjson.Array:
		w.number(v.Len())
		for _, element := range v.Items() {
			w.value(element)
		}
	case strictjson.Object:
		var few [8]strictjson.Member
		members := few[:0]
		for i := range v.Len() {
			members = append(members, v.Member(i))
		}
		slices.SortFunc(members, func(a, b strictjson.Member) int { return strings.Compare(a.Str(), b.Str()) })
		w.number(len(members))
		for _, m := range members {
			w.text(m.Str())
			w.value(m.Value)
		}
	}
}
