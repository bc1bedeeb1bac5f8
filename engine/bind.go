package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// family is what the keys of every version of the extension begin with: a part that is
// tagged for a version that is not active is not ordinary content either (VER-1).
var family = strings.TrimSuffix(protocol.ExtensionURI, "v1")

// active returns the URI of the extension that is active for a request, "" for none:
// the first of those that it was asked for under (CARD-5, CARD-10, VER-3).
func active(uris []string) string {
	for _, known := range protocol.ExtensionURIs() {
		if slices.Contains(uris, known) {
			return known
		}
	}
	return ""
}

// carrier is a message or an artifact, whose parts may be payloads.
type carrier struct {
	extensions []string
	metadata   []byte
	parts      []Part
}

func (m *Message) carrier() carrier  { return carrier{m.Extensions, m.Metadata, m.Parts} }
func (a *Artifact) carrier() carrier { return carrier{a.Extensions, a.Metadata, a.Parts} }

// payload is a part with a role. The zero payload is none.
type payload struct {
	role protocol.Role
	part *Part
	pin  string // as the metadata has it
	has  bool   // the metadata has a pin
}

// bound is what the parts of a message, or of the artifacts of a task, are for.
type bound struct {
	uri  string // of the extension that is active, "" for none
	keys protocol.Keys

	reply bool // these are parts of a reply

	handshake, intent, response, authorization payload

	message handshake.Message // that of the handshake part
	texts   []string          // of untagged parts
	tagged  bool              // some part is a payload
	code    string            // under the error key of a message's metadata, "" for none
	secret  *Challenge        // under its challenge key

	metadata []strictjson.Value // of the carriers' parts, as they were read, for the digest
	top      strictjson.Value   // of the carrier
}

// The reasons that a message's binding is refused for are errors of protocol: see
// section 6.3 for the rules.
func inactive(reason string) *protocol.Error {
	return &protocol.Error{Code: protocol.CodeExtensionNotActive, Reason: reason}
}

// bind finds the payloads among the parts of one carrier and adds them to b, which says
// which extension is active. Refusals are in the order of the rules: a part that is
// tagged while the extension is not active is refused whatever else it is.
func (e *Engine) bind(b *bound, c carrier) *protocol.Error {
	top, err := metadataOf(c.metadata)
	if err != nil {
		return err
	}
	b.top = top
	listed := b.uri != "" && slices.Contains(c.extensions, b.uri)
	before := b.tagged
	for name, v := range top.Members() {
		if !strings.HasPrefix(name, family) {
			continue
		}
		text, ok := v.Str()
		switch {
		case b.uri == "":
		case name == b.keys.Kind || name == b.keys.ProtocolHash: // read here they would be, and are not
			return malformed("expected the metadata of the extension on the part that it is about")
		case name == b.keys.Error && ok:
			b.code = strings.Clone(text)
		case name == b.keys.Challenge:
			b.secret = readChallenge(v)
		}
	}
	for i := range c.parts {
		p := &c.parts[i]
		v, err := metadataOf(p.Metadata)
		if err != nil {
			return err
		}
		b.metadata = append(b.metadata, v)
		if err := e.bindPart(b, p, v, listed); err != nil {
			return err
		}
	}
	// A request that lists the extension and has nothing of it lost something on the way.
	// A reply may: whether something is missing in it is known from what it answers.
	if listed && !b.reply && !b.tagged && !before && b.code == "" && b.secret == nil {
		return malformed("expected a payload where the extension is listed, found none")
	}
	return nil
}

// metadataOf reads metadata; the zero Value for none. The Value shares the memory of
// data, which nobody changes before the message is done with, and is not kept longer.
func metadataOf(data []byte) (strictjson.Value, *protocol.Error) {
	if data == nil {
		return strictjson.Value{}, nil
	}
	v, err := strictjson.Borrow(data, strictjson.Limits{Bytes: int64(len(data)) + 1, Depth: maxNesting})
	if err != nil {
		return v, jsonError(err)
	}
	if v.Kind() != strictjson.Object {
		return strictjson.Value{}, malformed("metadata: expected an object, found " + v.Kind().String())
	}
	return v, nil
}

// bindPart gives one part its role.
func (e *Engine) bindPart(b *bound, p *Part, metadata strictjson.Value, listed bool) *protocol.Error {
	pl := payload{part: p}
	ours, hasKind := false, false
	for name, v := range metadata.Members() {
		version, ok := strings.CutPrefix(name, family)
		if !ok {
			continue
		}
		if _, key, ok := strings.Cut(version, "/"); b.uri == "" || !strings.HasPrefix(name, b.uri+"/") {
			if ok && (key == "kind" || key == "protocolHash") {
				return inactive("a part is tagged for an extension that is not active")
			}
			continue
		}
		switch name {
		case b.keys.Kind, b.keys.ProtocolHash, b.keys.Error:
		default:
			continue
		}
		text, ok := v.Str()
		if !ok { // BIND-13
			return malformed("expected a string in the metadata of a part, found " + v.Kind().String())
		}
		switch name {
		case b.keys.Kind:
			ours, hasKind, pl.role = true, true, protocol.Role(text)
		case b.keys.ProtocolHash:
			ours, pl.has, pl.pin = true, true, strings.Clone(text)
		}
	}
	switch {
	case ours && !listed: // CARD-8
		return inactive("a part is tagged and the extension is not listed beside it")
	case ours && !hasKind:
		return malformed("expected a part with a pin to have a kind")
	case !ours:
		if pl.role = untagged(p, listed); pl.role == "" {
			b.ordinary(p)
			return nil
		}
	}
	slot := b.slot(pl.role)
	if slot == nil { // BIND-2
		return malformed("expected a kind of the extension, found " + quoted(string(pl.role)))
	}
	if slot.part != nil { // BIND-3
		return malformed("expected at most one part of the kind, found another " + string(pl.role))
	}
	pl.role = protocol.Role(strings.Clone(string(pl.role)))
	*slot, b.tagged = pl, true
	return e.checkPart(b, slot)
}

// untagged reads a part without a kind: an object that says itself that it is an offer
// or a response, beside the extension's URI (a2a-rdf, section 6.2). It returns "" for
// ordinary content.
func untagged(p *Part, listed bool) protocol.Role {
	if !listed || p.Content != Data {
		return ""
	}
	v, err := strictjson.Borrow(p.Data, strictjson.Limits{Bytes: int64(len(p.Data)) + 1, Depth: maxNesting})
	if err != nil {
		return ""
	}
	kind, _ := v.Get("kind").Str()
	if role := protocol.Role(kind); role == protocol.RoleUpgradeOffer || role == protocol.RoleUpgradeResponse {
		return role
	}
	return ""
}

// ordinary notes a part that is not for the engine.
func (b *bound) ordinary(p *Part) {
	if p.Content == Text {
		b.texts = append(b.texts, p.Text)
	}
}

// slot returns where the payload of a role goes, nil for a role that is none.
func (b *bound) slot(r protocol.Role) *payload {
	switch r {
	case protocol.RoleUpgradeOffer, protocol.RoleUpgradeResponse:
		return &b.handshake
	case protocol.RoleIntent:
		return &b.intent
	case protocol.RoleResponse:
		return &b.response
	case protocol.RoleAuthorization:
		return &b.authorization
	}
	return nil
}

// checkPart checks the form of one payload, and decodes a message of the handshake.
func (e *Engine) checkPart(b *bound, p *payload) *protocol.Error {
	part := p.part
	switch part.Content {
	case Text, Data:
	default: // section 6.1: a URL would be a fetch that the peer chose
		return malformed("expected a payload as text or data")
	}
	switch p.role {
	case protocol.RoleIntent, protocol.RoleResponse:
		if part.Content != Text {
			return malformed("expected RDF as text, found data")
		}
		if !p.has {
			return malformed("expected the pin that governs the part in its metadata, found none")
		}
		return e.checkFormat(part.MediaType)
	case protocol.RoleAuthorization:
		if p.has {
			return malformed("expected no pin in the metadata of an authorization part")
		}
		if !oneOf(part.MediaType, "application/vp", "application/ld+json", "application/json") {
			return unsupported("expected a presentation as application/vp, application/ld+json or application/json, found " + quoted(part.MediaType))
		}
		if n := int64(len(part.Data) + len(part.Text)); n > e.config.Limits.Authorization {
			return overBytes("an authorization part", e.config.Limits.Authorization)
		}
		return nil
	}
	return e.decodeHandshake(b, p)
}

func overBytes(what string, most int64) *protocol.Error {
	return &protocol.Error{Code: protocol.CodeLimitExceeded, Reason: fmt.Sprintf("expected %s of at most %d bytes", what, most)}
}

func unsupported(reason string) *protocol.Error {
	return &protocol.Error{Code: protocol.CodeUnsupportedMediaType, Reason: reason}
}

// decodeHandshake reads an offer or a response to one.
func (e *Engine) decodeHandshake(b *bound, p *payload) *protocol.Error {
	part := p.part
	if n := int64(len(part.Data) + len(part.Text)); n > e.config.Limits.Handshake {
		return overBytes("a handshake part", e.config.Limits.Handshake)
	}
	var err error
	if part.Content == Data {
		if part.MediaType != "" && !oneOf(part.MediaType, "application/json") {
			return unsupported("expected a handshake message as application/json, found " + quoted(part.MediaType))
		}
		b.message, err = handshake.Parse(part.Data, e.config.Handshake)
	} else {
		if refused := e.checkFormat(part.MediaType); refused != nil {
			return refused
		}
		b.message, err = handshake.ParseText([]byte(part.Text), part.MediaType, e.config.Handshake)
	}
	if err != nil {
		return handshakeError(err)
	}
	role := protocol.RoleUpgradeOffer
	if _, ok := b.message.(handshake.Response); ok {
		role = protocol.RoleUpgradeResponse
	}
	if role != p.role { // BIND-1
		return malformed("expected the payload to be of the kind in the metadata")
	}
	if p.has {
		pin, err := canon.ParseDigest(p.pin)
		if err != nil {
			return &protocol.Error{Code: protocol.CodeUnsupportedHash, Reason: err.Error()}
		}
		if pin != b.message.Pin() {
			return malformed("expected the pin in the metadata to be that of the payload")
		}
	}
	return nil
}

func handshakeError(err error) *protocol.Error {
	var e *handshake.Error
	if errors.As(err, &e) {
		return &protocol.Error{Code: e.Code, Err: err}
	}
	return &protocol.Error{Code: protocol.CodeMalformedPayload, Err: err}
}

// together refuses payloads that do not share a message (BIND-3), and an authorization
// part that belongs to no intent.
func (b *bound) together() *protocol.Error {
	n := 0
	for _, p := range [...]*payload{&b.handshake, &b.intent, &b.response} {
		if p.part != nil {
			n++
		}
	}
	switch {
	case n > 1:
		return malformed("expected one of a handshake part, an intent part and a response part in a message")
	case b.authorization.part != nil && b.intent.part == nil:
		return malformed("expected an authorization part only together with an intent part")
	}
	return nil
}

// checkFormat refuses a media type that is none of those that are read here (BIND-5,
// BIND-6). The parameters are for the reader to judge.
func (e *Engine) checkFormat(mediaType string) *protocol.Error {
	if oneOf(mediaType, e.formats...) {
		return nil
	}
	return unsupported("expected " + strings.Join(e.formats, " or ") + ", found " + quoted(mediaType))
}

// oneOf compares a media type without case and parameters.
func oneOf(mediaType string, known ...string) bool {
	bare, _, _ := strings.Cut(mediaType, ";")
	bare = strings.TrimSpace(bare)
	return slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(bare, k) })
}

// size adds up the bytes of the parts: adapters bound what they read by the wire, and
// this holds for what they made of it.
func (c carrier) size() (n int64) {
	n = int64(len(c.metadata))
	for i := range c.parts {
		p := &c.parts[i]
		n += int64(len(p.Text) + len(p.Data) + len(p.Metadata) + len(p.MediaType) + len(p.Filename))
	}
	return n
}

// readChallenge reads what a peer issued; nil for what is none.
func readChallenge(v strictjson.Value) *Challenge {
	text := func(name string) string {
		s, _ := v.Get(name).Str()
		return strings.Clone(s)
	}
	c := &Challenge{Challenge: text("challenge"), Domain: text("domain")}
	at, err := parseTime(text("expires"))
	if c.Challenge == "" || c.Domain == "" || err != nil {
		return nil
	}
	c.Expires = at
	return c
}

// brief cuts a text of a peer for a reason.
func brief(s string) string { return rdf.Abbreviate(s) }
