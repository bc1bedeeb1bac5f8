package a2a

import (
	"bytes"
	"encoding/json"
	"slices"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// encode writes a decoded JSON value again, nil for what is none.
func encode(v any) []byte {
	if v == nil {
		return nil
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return out
}

// decode reads JSON of this side into what the SDK holds it in.
func decode(data []byte) any {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return nil
	}
	return v
}

// fromSDK makes the engine's message of the SDK's. raw is the JSON that it was read
// from, when that is at hand: the engine sees then what the SDK lost of it. Where the
// two disagree, an interceptor changed the message, and the SDK's counts.
func fromSDK(m *sdk.Message, raw []byte) (engine.Message, error) {
	decoded := engine.Message{
		ID:         m.ID,
		ContextID:  m.ContextID,
		TaskID:     string(m.TaskID),
		Role:       roleOf(m.Role),
		Extensions: m.Extensions,
		Metadata:   encodeObject(m.Metadata),
		Parts:      partsOf(m.Parts),
	}
	for _, id := range m.ReferenceTasks {
		decoded.References = append(decoded.References, string(id))
	}
	if raw == nil {
		return decoded, nil
	}
	exact, err := engine.ParseMessage(raw, engine.Limits{})
	if err != nil {
		return engine.Message{}, err
	}
	if !sameMessage(exact, decoded) {
		return decoded, nil
	}
	return exact, nil
}

func roleOf(r sdk.MessageRole) engine.Role {
	switch r {
	case sdk.MessageRoleUser:
		return engine.RoleUser
	case sdk.MessageRoleAgent:
		return engine.RoleAgent
	default:
		return 0
	}
}

func encodeObject(m map[string]any) []byte {
	if m == nil {
		return nil
	}
	return encode(m)
}

func partsOf(parts sdk.ContentParts) []engine.Part {
	list := make([]engine.Part, 0, len(parts))
	for _, p := range parts {
		if p == nil {
			list = append(list, engine.Part{}) // no content: refused
			continue
		}
		q := engine.Part{MediaType: p.MediaType, Filename: p.Filename, Metadata: encodeObject(p.Metadata)}
		switch c := p.Content.(type) {
		case sdk.Text:
			q.Content, q.Text = engine.Text, string(c)
		case sdk.Data:
			q.Content, q.Data = engine.Data, encode(c.Value)
		case sdk.Raw:
			q.Content, q.Data = engine.Raw, c
		case sdk.URL:
			q.Content, q.Text = engine.URL, string(c)
		}
		list = append(list, q)
	}
	return list
}

// sameMessage compares what a message says, without the JSON values in it.
func sameMessage(a, b engine.Message) bool {
	return a.ID == b.ID && a.ContextID == b.ContextID && a.TaskID == b.TaskID && a.Role == b.Role &&
		slices.Equal(a.Extensions, b.Extensions) && sameJSON(a.Metadata, b.Metadata) &&
		slices.EqualFunc(a.Parts, b.Parts, func(a, b engine.Part) bool {
			if a.Content == engine.Data {
				return b.Content == engine.Data && sameJSON(a.Data, b.Data) && samePart(a, b)
			}
			return a.Content == b.Content && bytes.Equal(a.Data, b.Data) && samePart(a, b)
		})
}

func samePart(a, b engine.Part) bool {
	return a.Text == b.Text && a.MediaType == b.MediaType && a.Filename == b.Filename && sameJSON(a.Metadata, b.Metadata)
}

// sameJSON compares two JSON texts as the SDK holds them, with numbers as doubles.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	return bytes.Equal(encode(decode(a)), encode(decode(b)))
}

// toSDK makes the SDK's message of one of the engine's. exact keeps the JSON text of
// data parts, which the JSON bindings write as it is; the SDK's stores and gRPC need
// them decoded.
func toSDK(m engine.Message, exact bool) *sdk.Message {
	out := &sdk.Message{
		ID:         m.ID,
		ContextID:  m.ContextID,
		TaskID:     sdk.TaskID(m.TaskID),
		Role:       sdk.MessageRoleAgent,
		Extensions: m.Extensions,
		Metadata:   decodeObject(m.Metadata),
		Parts:      toParts(m.Parts, exact),
	}
	if m.Role == engine.RoleUser {
		out.Role = sdk.MessageRoleUser
	}
	for _, id := range m.References {
		out.ReferenceTasks = append(out.ReferenceTasks, sdk.TaskID(id))
	}
	return out
}

func toParts(parts []engine.Part, exact bool) sdk.ContentParts {
	list := make(sdk.ContentParts, 0, len(parts))
	for _, p := range parts {
		q := &sdk.Part{MediaType: p.MediaType, Filename: p.Filename, Metadata: decodeObject(p.Metadata)}
		switch p.Content {
		case engine.Text:
			q.Content = sdk.Text(p.Text)
		case engine.Data:
			if exact {
				q.Content = sdk.Data{Value: json.RawMessage(p.Data)}
			} else {
				q.Content = sdk.Data{Value: decode(p.Data)}
			}
		case engine.Raw:
			q.Content = sdk.Raw(p.Data)
		case engine.URL:
			q.Content = sdk.URL(p.Text)
		}
		list = append(list, q)
	}
	return list
}

func decodeObject(data []byte) map[string]any {
	if data == nil {
		return nil
	}
	m, _ := decode(data).(map[string]any)
	return m
}

// mediaTypes03 moves the media types of text parts into metadata and back: A2A 0.3 has
// none for them (a2a-rdf, section 6.5).
func mediaTypes03(parts sdk.ContentParts, sending bool) {
	for _, p := range parts {
		if p == nil {
			continue
		}
		if _, isText := p.Content.(sdk.Text); !isText {
			continue
		}
		if sending {
			if p.MediaType != "" {
				p.SetMeta(protocol.KeyMediaType, p.MediaType)
			}
			continue
		}
		if kind, ok := p.Metadata[protocol.KeyMediaType].(string); ok && p.MediaType == "" {
			p.MediaType = kind
		}
	}
}

// isTagged reports whether a part says that it has a role in the extension, whatever
// the role.
func isTagged(p *sdk.Part) bool {
	_, tagged := p.Metadata[protocol.KeyKind]
	return tagged
}
