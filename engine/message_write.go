package engine

import (
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/protocol"
)

// AppendJSON appends the message as JSON of A2A 1.0, members in a fixed order, without
// white space of its own. It fails when Metadata or the Data of a part is not JSON, and
// for the zero Role or Content.
func (m *Message) AppendJSON(dst []byte) ([]byte, error) {
	if m.Role != RoleUser && m.Role != RoleAgent {
		return dst, errors.New("expected a message with a role")
	}
	dst = append(dst, `{"messageId":`...)
	dst = appendString(dst, m.ID)
	dst = appendMember(dst, "contextId", m.ContextID)
	dst = appendMember(dst, "taskId", m.TaskID)
	dst = appendMember(dst, "role", m.Role.String())
	dst = appendTexts(dst, "extensions", m.Extensions)
	dst = appendTexts(dst, "referenceTaskIds", m.References)
	dst, err := appendObject(dst, m.Metadata)
	if err != nil {
		return dst, err
	}
	dst = append(dst, `,"parts":[`...)
	for i := range m.Parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = m.Parts[i].append(dst); err != nil {
			return dst, err
		}
	}
	return append(dst, "]}"...), nil
}

func (p *Part) append(dst []byte) ([]byte, error) {
	switch p.Content {
	case Text:
		dst = appendString(append(dst, `{"text":`...), p.Text)
	case URL:
		dst = appendString(append(dst, `{"url":`...), p.Text)
	case Raw:
		dst = appendString(append(dst, `{"raw":`...), base64.StdEncoding.EncodeToString(p.Data))
	case Data:
		if !json.Valid(p.Data) {
			return dst, errors.New("expected JSON as the data of a part")
		}
		dst = append(append(dst, `{"data":`...), p.Data...)
	default:
		return dst, errors.New("expected a part with a content")
	}
	dst = appendMember(dst, "mediaType", p.MediaType)
	dst = appendMember(dst, "filename", p.Filename)
	dst, err := appendObject(dst, p.Metadata)
	return append(dst, '}'), err
}

func appendObject(dst, metadata []byte) ([]byte, error) {
	if metadata == nil {
		return dst, nil
	}
	if !json.Valid(metadata) {
		return dst, errors.New("expected JSON as metadata")
	}
	return append(append(dst, `,"metadata":`...), metadata...), nil
}

func appendMember(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return appendString(append(append(append(dst, `,"`...), name...), `":`...), value)
}

func appendTexts(dst []byte, name string, values []string) []byte {
	if len(values) == 0 {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":[`...)
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, v)
	}
	return append(dst, ']')
}

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string. Bytes that are not UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r < ' ' || r == 0x7f:
			dst = append(dst, `\u00`...)
			dst = append(dst, hexDigits[r>>4], hexDigits[r&15])
		default:
			dst = append(dst, string(r)...)
		}
	}
	return append(dst, '"')
}

// decodeBase64 reads what the JSON of protocol buffers allows as bytes: the alphabet of
// base64 or that for URLs, with or without padding.
func decodeBase64(s string) ([]byte, error) {
	var err error
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		raw, failed := e.Strict().DecodeString(s)
		if failed == nil {
			return raw, nil
		}
		err = failed
	}
	return nil, err
}

// jsonError gives an error of the strict reader its code.
func jsonError(err error) *protocol.Error {
	code := protocol.CodeMalformedPayload
	if e, ok := errors.AsType[*strictjson.Error](err); ok && e.Code == strictjson.CodeLimitExceeded {
		code = protocol.CodeLimitExceeded
	}
	return &protocol.Error{Code: code, Err: err}
}
