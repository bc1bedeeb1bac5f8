package a2a

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"

	sdk "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/internal/strictjson"
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
	if raw != nil {
		exact, err := engine.ParseMessage(raw, engine.Limits{})
		if err != nil {
			return engine.Message{}, err
		}
		if sameMessage(&exact, m) {
			return exact, nil
		}
	}
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
	return decoded, nil
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

// sameMessage reports whether the SDK holds what a message says.
func sameMessage(a *engine.Message, m *sdk.Message) bool {
	return a.ID == m.ID && a.ContextID == m.ContextID && a.TaskID == string(m.TaskID) && a.Role == roleOf(m.Role) &&
		slices.Equal(a.Extensions, m.Extensions) && sameObject(a.Metadata, m.Metadata) &&
		slices.EqualFunc(a.Parts, m.Parts, samePart)
}

func samePart(a engine.Part, p *sdk.Part) bool {
	if p == nil || a.MediaType != p.MediaType || a.Filename != p.Filename || !sameObject(a.Metadata, p.Metadata) {
		return false
	}
	switch c := p.Content.(type) {
	case sdk.Text:
		return a.Content == engine.Text && a.Text == string(c)
	case sdk.Data:
		return a.Content == engine.Data && sameJSON(a.Data, c.Value)
	case sdk.Raw:
		return a.Content == engine.Raw && bytes.Equal(a.Data, c)
	case sdk.URL:
		return a.Content == engine.URL && a.Text == string(c)
	}
	return false
}

func sameObject(text []byte, m map[string]any) bool {
	if text == nil || m == nil {
		return text == nil && m == nil
	}
	return sameJSON(text, m)
}

// sameJSON reports whether a decoded value is what a JSON text says, with numbers as
// doubles.
func sameJSON(text []byte, decoded any) bool {
	v, err := strictjson.Borrow(text, strictjson.Limits{Bytes: int64(len(text)) + 1, Depth: maxNesting})
	return err == nil && sameValue(v, decoded)
}

// sameValue compares with what encoding/json makes of JSON. Anything else an interceptor
// put there, and it is not what came.
func sameValue(v strictjson.Value, decoded any) bool {
	switch x := decoded.(type) {
	case nil:
		return v.IsNull()
	case bool:
		b, ok := v.Bool()
		return ok && b == x
	case float64:
		f, ok := v.Float64()
		return ok && math.Float64bits(f) == math.Float64bits(x)
	case string:
		s, ok := v.Str()
		return ok && s == x
	case []any:
		if v.Kind() != strictjson.Array || v.Len() != len(x) {
			return false
		}
		for i, item := range v.Items() {
			if !sameValue(item, x[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		if v.Kind() != strictjson.Object || v.Len() != len(x) {
			return false
		}
		for name, member := range v.Members() {
			known, ok := x[name]
			if !ok || !sameValue(member, known) {
				return false
			}
		}
		return true
	}
	return false
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

// mediaTypes03 moves the media types of text and data parts into metadata and back: A2A 0.3
// has none for them (a2a-rdf, section 6.5).
func mediaTypes03(parts sdk.ContentParts, sending bool) {
	for _, p := range parts {
		if p == nil {
			continue
		}
		switch p.Content.(type) {
		case sdk.Text, sdk.Data:
		default:
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
