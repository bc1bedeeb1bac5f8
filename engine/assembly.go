package engine

import (
	"slices"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// Assembly puts the artifacts of a stream together before anything in them is decoded
// (a2a-rdf, BIND-11). The zero Assembly is empty. It is not safe for concurrent use.
type Assembly struct {
	// Limits bounds what is assembled; the zero Limits are DefaultLimits.
	Limits Limits

	artifacts []assembled
	size      int64
	parts     int
}

// assembled is an artifact whose last part may go on: what came of it is put together
// when it is asked for, since each piece would otherwise copy all before it.
type assembled struct {
	Artifact
	rest []byte
}

// end puts the last part together.
func (b *assembled) end() {
	if len(b.rest) > 0 {
		b.Parts[len(b.Parts)-1].Text += string(b.rest)
		b.rest = nil
	}
}

// Add adds an artifact, or, with appends, a chunk of the artifact with its ID. A
// chunk's first part continues the artifact's last part when both are text with the
// same kind, pin and media type, so that a payload may come in pieces; every other part
// stands by itself. It fails with a [*protocol.Error] when there is no such artifact,
// and when the sum exceeds a limit: the whole stream must then be refused.
func (a *Assembly) Add(chunk Artifact, appends bool) error {
	l := a.Limits.orDefault()
	a.size += chunk.carrier().size()
	a.parts += len(chunk.Parts)
	switch {
	case a.size > l.Message:
		return overBytes("the artifacts of a task", l.Message)
	case a.parts > l.Parts && !appends, len(a.artifacts) >= l.Parts:
		return tooMany("parts", l.Parts, a.parts)
	}
	i := slices.IndexFunc(a.artifacts, func(b assembled) bool { return b.ID == chunk.ID })
	if !appends {
		chunk.Parts = slices.Clone(chunk.Parts)
		if i >= 0 { // it is sent anew
			a.artifacts[i] = assembled{Artifact: chunk}
			return nil
		}
		a.artifacts = append(a.artifacts, assembled{Artifact: chunk})
		return nil
	}
	if i < 0 {
		return malformed("expected a chunk of an artifact that began")
	}
	b := &a.artifacts[i]
	for j, p := range chunk.Parts {
		if n := len(b.Parts); j == 0 && n > 0 && continues(&b.Parts[n-1], &p) {
			b.rest = append(b.rest, p.Text...)
			a.parts--
			continue
		}
		b.end()
		b.Parts = append(b.Parts, p)
	}
	if a.parts > l.Parts {
		return tooMany("parts", l.Parts, a.parts)
	}
	return nil
}

// Artifacts returns what was assembled.
func (a *Assembly) Artifacts() []Artifact {
	var out []Artifact
	for i := range a.artifacts {
		a.artifacts[i].end()
		out = append(out, a.artifacts[i].Artifact)
	}
	return out
}

// continues reports whether a part is the rest of a payload.
func continues(p, rest *Part) bool {
	if p.Content != Text || rest.Content != Text || p.MediaType != rest.MediaType || p.Filename != rest.Filename {
		return false
	}
	keys, _ := protocol.KeysOf(protocol.ExtensionURI)
	first, err1 := metadataOf(p.Metadata)
	second, err2 := metadataOf(rest.Metadata)
	if err1 != nil || err2 != nil || !first.Get(keys.Kind).Exists() {
		return false
	}
	same := func(key string) bool {
		x, y := first.Get(key), second.Get(key)
		a, _ := x.Str()
		b, _ := y.Str()
		return x.Kind() == y.Kind() && (x.Kind() == strictjson.String || x.Kind() == strictjson.Absent) && a == b
	}
	return same(keys.Kind) && same(keys.ProtocolHash)
}
