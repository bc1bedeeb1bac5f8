package engine

import (
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

// opposite returns the role of the other side.
func opposite(r Role) Role {
	if r == RoleUser {
		return RoleAgent
	}
	return RoleUser
}

// handshakePart makes the part of an offer or a response.
func handshakePart(m handshake.Message, keys protocol.Keys, graph bool, mediaType string) (Part, error) {
	role := protocol.RoleUpgradeOffer
	if _, ok := m.(handshake.Response); ok {
		role = protocol.RoleUpgradeResponse
	}
	p := Part{Metadata: partMetadata(keys, role, "")}
	if !graph {
		data, err := m.AppendJSON(nil)
		p.Content, p.Data, p.MediaType = Data, data, "application/json"
		return p, err
	}
	g, err := m.Graph()
	if err != nil {
		return p, err
	}
	p.Content, p.MediaType = Text, rdfio.Turtle.MediaType()
	if s, ok := rdfio.ByMediaType(mediaType); ok {
		p.MediaType = s.MediaType()
	}
	p.Text, err = write(g, p.MediaType)
	return p, err
}

// newMessage makes a message of this side. It lists the extension where it carries
// something of it.
func (e *Engine) newMessage(r Role, contextID, taskID, uri string, metadata []byte, parts ...Part) (*Message, error) {
	id, err := e.newID()
	if err != nil {
		return nil, err
	}
	m := &Message{ID: id, ContextID: contextID, TaskID: taskID, Role: r, Metadata: metadata, Parts: parts}
	if uri != "" {
		m.Extensions = []string{uri}
	}
	return m, nil
}

// partMetadata makes the metadata of a payload.
func partMetadata(keys protocol.Keys, role protocol.Role, pin string) []byte {
	dst := append(appendString([]byte{'{'}, keys.Kind), ':')
	dst = appendString(dst, string(role))
	if pin != "" {
		dst = append(appendString(append(dst, ','), keys.ProtocolHash), ':')
		dst = appendString(dst, pin)
	}
	return append(dst, '}')
}

// appendMetadata makes the metadata of a message, nil for none.
func appendMetadata(keys protocol.Keys, code protocol.Code, c *Challenge) []byte {
	var dst []byte
	member := func(key string) {
		if dst == nil {
			dst = []byte{'{'}
		} else {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, key), ':')
	}
	if code != "" {
		member(keys.Error)
		dst = appendString(dst, string(code))
	}
	if c != nil {
		member(keys.Challenge)
		dst = c.append(dst)
	}
	if dst != nil {
		dst = append(dst, '}')
	}
	return dst
}

// Metadata returns the metadata that a refusal travels with, on a failed task's message
// or as a detail of an error (a2a-rdf, section 8.3): an object with the code, and the
// challenge if there is one; nil for neither.
func (o *Outcome) Metadata() []byte {
	keys, _ := protocol.KeysOf(protocol.ExtensionURI)
	return appendMetadata(keys, o.Code, o.Challenge)
}
