package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// Role says who a message is from (A2A 1.0). The zero Role is none: [ParseMessage] refuses
// it, and [Engine.Receive] does where the message has a payload.
type Role uint8

// The roles.
const (
	RoleUser  Role = iota + 1 // the client
	RoleAgent                 // the server
)

// String returns the role as A2A 1.0 spells it.
func (r Role) String() string {
	switch r {
	case RoleUser:
		return "ROLE_USER"
	case RoleAgent:
		return "ROLE_AGENT"
	}
	return "ROLE_UNSPECIFIED"
}

// Content is the member of a part that holds its content.
type Content uint8

// The contents. The zero Content is none: [ParseMessage] refuses it, and [Engine.Receive]
// does in a payload.
const (
	Text Content = iota + 1 // Part.Text
	Data                    // Part.Data holds JSON
	Raw                     // Part.Data holds bytes
	URL                     // Part.Text holds the URL
)

// Part is a part of a message or an artifact. This package never changes its bytes;
// nobody may change them while the package works on them.
type Part struct {
	Content   Content
	Text      string
	Data      []byte // of Data, the text of a JSON value as it came: duplicates and numbers are seen in it
	MediaType string
	Filename  string
	Metadata  []byte // the text of a JSON object, nil for none
}

// Message is an A2A message, apart from the transport that carries it.
type Message struct {
	ID         string // messageId
	ContextID  string // "" for a first message that has none yet
	TaskID     string
	Role       Role
	Extensions []string // URIs of the extensions whose payloads it carries
	Metadata   []byte   // the text of a JSON object, nil for none
	Parts      []Part
	References []string // referenceTaskIds
}

// Artifact is what a task produced. Its parts may carry payloads, as those of a message
// may (a2a-rdf, BIND-11).
type Artifact struct {
	ID         string
	Extensions []string
	Metadata   []byte
	Parts      []Part
}

// Limits bounds what messages may cost (a2a-rdf, VAL-1). A number that is not positive
// stands for that of [DefaultLimits].
type Limits struct {
	Message       int64 // bytes of a message or a reply as JSON, or of all parts together
	Handshake     int64 // of an offer or a response to one
	Authorization int64 // of a presentation
	Parts         int   // of a message, or of all artifacts of a reply
	// Network is how many messages a day are taken from peers without authentication in
	// one [Peer.Network]: fewer than the store can remember for all of them. One without a
	// context counts twice, since it is remembered in the one that it is given as well.
	Network int
}

// DefaultLimits returns the limits of the extension. Payloads have those of
// [protocol.PayloadLimits].
func DefaultLimits() Limits {
	return Limits{
		Message:       1 << 20,
		Handshake:     64 << 10,
		Authorization: 512 << 10,
		Parts:         64, // a message has one or two; the work for each is small but not nothing
		Network:       1000,
	}
}

// orDefault fills in what is missing.
func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	if l.Message <= 0 {
		l.Message = d.Message
	}
	if l.Handshake <= 0 {
		l.Handshake = d.Handshake
	}
	if l.Authorization <= 0 {
		l.Authorization = d.Authorization
	}
	if l.Parts <= 0 {
		l.Parts = d.Parts
	}
	if l.Network <= 0 {
		l.Network = d.Network
	}
	return l
}

// maxNesting is how deep the JSON of a message may nest (a2a-rdf, VAL-2).
const maxNesting = 64

// ParseMessage reads a message from its JSON in A2A 1.0. Unknown members are ignored,
// except that members which A2A 0.3 spells otherwise, and members that another reader
// could take for a known one, are refused. It fails with a [*protocol.Error]. The
// message shares no memory with data.
func ParseMessage(data []byte, l Limits) (Message, error) {
	l = l.orDefault()
	root, err := strictjson.Borrow(data, strictjson.Limits{Bytes: l.Message, Depth: maxNesting})
	if err != nil {
		return Message{}, jsonError(err)
	}
	return readMessage(root, l) // which copies what it takes
}

// parseJSON reads JSON of someone else.
func parseJSON(data []byte, most int64) (strictjson.Value, error) {
	root, err := strictjson.Parse(data, strictjson.Limits{Bytes: most, Depth: maxNesting})
	if err != nil {
		return root, jsonError(err)
	}
	return root, nil
}

// memberError says which member of a message is wrong.
func memberError(v strictjson.Value, name, want string) error {
	found := v.Get(name).Kind().String()
	return malformed(name + ": expected " + want + ", found " + found)
}

func malformed(reason string) *protocol.Error {
	return &protocol.Error{Code: protocol.CodeMalformedPayload, Reason: reason}
}

// members are those of A2A 1.0 that are read, by the object that they stand in.
var (
	messageMembers  = []string{"messageId", "contextId", "taskId", "role", "parts", "metadata", "extensions", "referenceTaskIds"}
	partMembers     = []string{"text", "data", "raw", "url", "mediaType", "filename", "metadata"}
	artifactMembers = []string{"artifactId", "parts", "metadata", "extensions"}
)

// checkNames refuses members that another reader could take for a known one: readers
// compare without case, and those of protocol buffers know names with underscores.
func checkNames(v strictjson.Value, what string, known []string) error {
	if v.Kind() != strictjson.Object {
		return malformed("expected " + what + " to be an object, found " + v.Kind().String())
	}
	for name := range v.Members() {
		if slices.Contains(known, name) {
			continue
		}
		plain := strings.ReplaceAll(name, "_", "")
		for _, k := range known {
			if strings.EqualFold(plain, k) {
				return malformed(fmt.Sprintf("expected the spelling %q, found %q", k, rdf.Abbreviate(name)))
			}
		}
	}
	return nil
}

func readMessage(v strictjson.Value, l Limits) (Message, error) {
	var m Message
	if err := checkNames(v, "a message", messageMembers); err != nil {
		return m, err
	}
	if kind := v.Get("kind"); kind.Exists() {
		return m, malformed("expected a message of A2A 1.0, found the member \"kind\" of A2A 0.3")
	}
	var err error
	text := func(name string) (s string) {
		if err == nil {
			s, err = optionalText(v, name)
		}
		return s
	}
	m.ID, m.ContextID, m.TaskID = text("messageId"), text("contextId"), text("taskId")
	if err != nil {
		return Message{}, err
	}
	if m.Role, err = readRole(v.Get("role")); err != nil {
		return Message{}, err
	}
	if m.Metadata, err = optionalObject(v, "metadata"); err != nil {
		return Message{}, err
	}
	if m.Extensions, err = texts(v, "extensions", l.Parts); err != nil {
		return Message{}, err
	}
	if m.References, err = texts(v, "referenceTaskIds", l.Parts); err != nil {
		return Message{}, err
	}
	if m.Parts, err = readParts(v.Get("parts"), l.Parts); err != nil {
		return Message{}, err
	}
	return m, nil
}

func readRole(v strictjson.Value) (Role, error) {
	role, isText := v.Str()
	switch {
	case v.Exists() && !v.IsNull() && !isText:
		return 0, malformed("role: expected a string, found " + v.Kind().String())
	case role == RoleUser.String():
		return RoleUser, nil
	case role == RoleAgent.String():
		return RoleAgent, nil
	}
	return 0, malformed("role: expected ROLE_USER or ROLE_AGENT, found " + quoted(role))
}

func readParts(v strictjson.Value, most int) ([]Part, error) {
	if v.Kind() != strictjson.Array {
		return nil, malformed("parts: expected an array, found " + v.Kind().String())
	}
	if v.Len() > most {
		return nil, tooMany("parts", most, v.Len())
	}
	parts := make([]Part, 0, v.Len())
	for _, p := range v.Items() {
		part, err := readPart(p)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func tooMany(what string, most, found int) *protocol.Error {
	return &protocol.Error{Code: protocol.CodeLimitExceeded, Reason: fmt.Sprintf("expected at most %d %s, found %d", most, what, found)}
}

func readPart(v strictjson.Value) (Part, error) {
	var p Part
	if err := checkNames(v, "a part", partMembers); err != nil {
		return p, err
	}
	n := 0
	for name, member := range v.Members() {
		s, isText := member.Str()
		switch name {
		case "text":
			p.Content, p.Text = Text, strings.Clone(s)
		case "url":
			p.Content, p.Text = URL, strings.Clone(s)
		case "raw":
			p.Content = Raw
		case "data":
			p.Content, p.Data, isText = Data, []byte(member.Source()), true
		default:
			continue
		}
		if n++; !isText {
			return Part{}, memberError(v, name, "a string")
		}
		if name == "raw" {
			raw, err := decodeBase64(s)
			if err != nil {
				return Part{}, malformed("raw: expected base64")
			}
			p.Data = raw
		}
	}
	if n != 1 {
		return Part{}, malformed(fmt.Sprintf("expected a part with one of text, data, raw and url, found %d", n))
	}
	var err error
	if p.MediaType, err = optionalText(v, "mediaType"); err != nil {
		return Part{}, err
	}
	if p.Filename, err = optionalText(v, "filename"); err != nil {
		return Part{}, err
	}
	if p.Metadata, err = optionalObject(v, "metadata"); err != nil {
		return Part{}, err
	}
	return p, nil
}

// readArtifact reads an artifact of a task.
func readArtifact(v strictjson.Value, l Limits) (Artifact, error) {
	var a Artifact
	err := checkNames(v, "an artifact", artifactMembers)
	if err != nil {
		return a, err
	}
	if a.ID, err = optionalText(v, "artifactId"); err != nil {
		return a, err
	}
	if a.Metadata, err = optionalObject(v, "metadata"); err != nil {
		return a, err
	}
	if a.Extensions, err = texts(v, "extensions", l.Parts); err != nil {
		return a, err
	}
	a.Parts, err = readParts(v.Get("parts"), l.Parts)
	return a, err
}

// optionalText reads a member that is a string, "" when it is absent or null: the
// JSON of protocol buffers writes no empty ones, and reads null as absent.
func optionalText(v strictjson.Value, name string) (string, error) {
	m := v.Get(name)
	if !m.Exists() || m.IsNull() {
		return "", nil
	}
	s, ok := m.Str()
	if !ok {
		return "", memberError(v, name, "a string")
	}
	return strings.Clone(s), nil
}

func optionalObject(v strictjson.Value, name string) ([]byte, error) {
	switch m := v.Get(name); m.Kind() {
	case strictjson.Absent, strictjson.Null:
		return nil, nil
	case strictjson.Object:
		return []byte(m.Source()), nil
	}
	return nil, memberError(v, name, "an object")
}

func texts(v strictjson.Value, name string, most int) ([]string, error) {
	m := v.Get(name)
	if !m.Exists() || m.IsNull() {
		return nil, nil
	}
	if m.Kind() != strictjson.Array {
		return nil, memberError(v, name, "an array")
	}
	if m.Len() > most {
		return nil, tooMany(name, most, m.Len())
	}
	out := make([]string, 0, m.Len())
	for _, e := range m.Items() {
		s, ok := e.Str()
		if !ok {
			return nil, malformed(name + ": expected strings, found " + e.Kind().String())
		}
		out = append(out, strings.Clone(s))
	}
	return out, nil
}

func quoted(s string) string {
	if s == "" {
		return "none"
	}
	return `"` + rdf.Abbreviate(s) + `"`
}
