package engine

import (
	"slices"
	"strings"

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
// when it is asked for, since each piece would otherwise copy all before it; and its
// metadata, which may be long, is read once for all of them.
type assembled struct {
	Artifact
	rest []byte
	last *tag // of the last part, nil until it is asked for
}

// tag is what has a part continue another: two parts with the same tag are pieces of one
// payload. The zero tag is that of a part that stands by itself.
type tag struct {
	payload   bool // it has a kind
	kind, pin string
	pinned    bool
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
	i := slices.IndexFunc(a.artifacts, func(b assembled) bool { return b.ID == chunk.ID })
	if i >= 0 && !appends { // it is sent anew
		a.parts -= len(a.artifacts[i].Parts)
	}
	switch {
	case a.size > l.Message:
		return overBytes("the artifacts of a task", l.Message)
	case a.parts > l.Parts && !appends, i < 0 && len(a.artifacts) >= l.Parts:
		return tooMany("parts", l.Parts, a.parts)
	}
	if !appends {
		chunk.Parts = slices.Clone(chunk.Parts)
		if i >= 0 {
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
		if j == 0 && len(b.Parts) > 0 && b.continues(&p) {
			b.rest = append(b.rest, p.Text...)
			a.parts--
			continue
		}
		b.end()
		b.Parts, b.last = append(b.Parts, p), nil
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

// continues reports whether a part is the rest of the payload that the last one is of.
func (b *assembled) continues(rest *Part) bool {
	p := &b.Parts[len(b.Parts)-1]
	if p.Content != Text || rest.Content != Text || p.MediaType != rest.MediaType || p.Filename != rest.Filename {
		return false
	}
	if b.last == nil {
		t := tagOf(p)
		b.last = &t
	}
	return b.last.payload && *b.last == tagOf(rest)
}

// tagOf reads the tag of a part. A kind or a pin that is no string makes it stand by itself.
func tagOf(p *Part) tag {
	metadata, err := metadataOf(p.Metadata)
	if err != nil {
		return tag{}
	}
	keys, _ := protocol.KeysOf(protocol.ExtensionURI)
	pin := metadata.Get(keys.ProtocolHash)
	kind, payload := metadata.Get(keys.Kind).Str()
	text, pinned := pin.Str()
	if !payload || pin.Exists() && !pinned {
		return tag{}
	}
	return tag{true, strings.Clone(kind), strings.Clone(text), pinned}
}
