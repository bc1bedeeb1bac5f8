package agentcard

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Payload returns the bytes that a signature over the card covers under a reading
// (section A.3): the card without its top-level signatures and without what the
// reading leaves out, in the canonical form of RFC 8785. REQUIRED members may be
// missing, and none is added. It fails for a card that the reading cannot read, with an
// [*Error].
func (c *Card) Payload(r Reading) ([]byte, error) {
	s := c.strip(r)
	if len(s.problems) > 0 {
		return nil, s.problems[0]
	}
	return s.canonical(c.limits)
}

// canonical returns what is kept in the form that the reading signs.
func (s *stripped) canonical(limits Limits) ([]byte, error) {
	if s.reading == PythonLegacy {
		return reform(s.out, limits, pythonForm())
	}
	return strictjson.Canonicalize(s.out, limits.card())
}

// stripped is what a reading keeps of a card, as JSON text in the order of the
// card, and what it leaves out.
type stripped struct {
	reading  Reading
	out      []byte
	dropped  []strictjson.Value // outermost values only
	problems []*Error
}

// strip walks the card as a reading does. It does not stop at problems, since lint wants
// all of them.
func (c *Card) strip(r Reading) *stripped {
	s := &stripped{reading: r, out: make([]byte, 0, len(c.data))}
	s.object(c.root, agentCard, true)
	return s
}

func (s *stripped) refuse(v strictjson.Value, code Code, format string, args ...any) {
	const most = 100 // finding a place reads the document up to it
	if len(s.problems) < most {
		s.problems = append(s.problems, refuseAt(v, code, format, args...))
	}
}

// cleans reports whether the reading leaves out everything that is empty.
func (s *stripped) cleans() bool { return s.reading == SDK || s.reading == PythonLegacy }

// put writes one more element or member of a list or an object, of which kept are
// there. When write says that the reading leaves it out, what was written is taken back
// and v is noted instead of the values within it.
func (s *stripped) put(kept *int, v strictjson.Value, write func() bool) {
	mark, dropped := len(s.out), len(s.dropped)
	if *kept > 0 {
		s.out = append(s.out, ',')
	}
	if write() {
		*kept++
		return
	}
	s.out = s.out[:mark]
	s.dropped = append(s.dropped[:dropped], v)
}

// object writes an object of message type m and returns how many members it kept.
// The top-level member signatures is not part of any payload.
func (s *stripped) object(v strictjson.Value, m message, top bool) int {
	s.out = append(s.out, '{')
	kept := 0
	var chosen *field // of the oneof
	for i := range v.Len() {
		mem := v.Member(i)
		name := mem.Str()
		if top && name == "signatures" {
			continue
		}
		f := fieldOf(m, name)
		if f != nil && f.presence == oneof && !mem.Value.IsNull() && s.reading != Raw {
			if chosen != nil {
				s.refuse(mem.Name, CodeCardOneof, "expected one of the members of %s, found %s and %s", schema[m].name, chosen.name, f.name)
			}
			chosen = f
		}
		s.put(&kept, mem.Value, func() bool {
			s.out = append(appendString(s.out, name), ':')
			return s.member(mem, m, f)
		})
	}
	s.out = append(s.out, '}')
	return kept
}

// member writes the value of a member and reports whether it is kept (section A.3, step
// 2, row by row). The caller takes back the text of one that is not.
func (s *stripped) member(mem strictjson.Member, m message, f *field) bool {
	v := mem.Value
	if s.reading == Raw {
		s.out = appendVerbatim(s.out, v)
		return true
	}
	if f == nil {
		if p := protoNamed(m, mem.Str()); p != nil {
			s.refuse(mem.Name, CodeCardProtoName, "expected the member name %q, found %q", p.name, p.proto)
			return false
		}
		if s.cleans() {
			return false
		}
		s.out = appendVerbatim(s.out, v)
		return true
	}
	if v.IsNull() {
		return false // ProtoJSON: null is not set
	}
	if want := f.jsonKind(); v.Kind() != want {
		s.refuse(v, CodeCardType, "expected %s for %s, found %s", want, f.name, v.Kind())
		return false
	}
	switch f.kind {
	case text:
		str, _ := v.Str()
		s.out = appendString(s.out, str)
		return str != "" || f.presence != plain && !s.cleans()
	case flag:
		b, _ := v.Bool()
		s.out = appendVerbatim(s.out, v)
		return b || f.presence != plain
	case structure:
		if s.cleans() {
			return s.clean(v)
		}
		s.out = appendVerbatim(s.out, v)
		return true
	case single:
		return s.object(v, f.of, false) > 0 || !s.cleans()
	case texts, list:
		kept := s.elements(v, f)
		if s.cleans() {
			return kept > 0
		}
		return v.Len() > 0 || f.presence != plain
	}
	kept := s.entries(v, f)
	if s.cleans() {
		return kept > 0
	}
	return v.Len() > 0 || f.presence != plain
}

// jsonKind is the JSON type that a field allows.
func (f *field) jsonKind() strictjson.Kind {
	switch f.kind {
	case text:
		return strictjson.String
	case flag:
		return strictjson.Bool
	case texts, list:
		return strictjson.Array
	}
	return strictjson.Object
}

// elements writes a repeated field and returns how many elements it kept.
func (s *stripped) elements(v strictjson.Value, f *field) int {
	s.out = append(s.out, '[')
	kept := 0
	for _, e := range v.Items() {
		s.put(&kept, e, func() bool { return s.part(e, f) })
	}
	s.out = append(s.out, ']')
	return kept
}

// entries writes a map field and returns how many entries it kept.
func (s *stripped) entries(v strictjson.Value, f *field) int {
	s.out = append(s.out, '{')
	kept := 0
	for i := range v.Len() {
		mem := v.Member(i)
		s.put(&kept, mem.Value, func() bool {
			s.out = append(appendString(s.out, mem.Str()), ':')
			return s.part(mem.Value, f)
		})
	}
	s.out = append(s.out, '}')
	return kept
}

// part writes an element of a repeated field or a value of a map, and reports
// whether it is kept: only a reading that cleans drops one.
func (s *stripped) part(v strictjson.Value, f *field) bool {
	want := strictjson.Object
	if f.kind == texts || f.kind == textMap {
		want = strictjson.String
	}
	if v.Kind() != want {
		s.refuse(v, CodeCardType, "expected %s in %s, found %s", want, f.name, v.Kind())
		return false
	}
	if want == strictjson.String {
		str, _ := v.Str()
		s.out = appendString(s.out, str)
		return str != "" || !s.cleans()
	}
	return s.object(v, f.of, false) > 0 || !s.cleans()
}

// clean writes a value of a Struct without anything that is empty, and reports
// whether something is left.
func (s *stripped) clean(v strictjson.Value) bool {
	kept := 0
	switch v.Kind() {
	case strictjson.Object:
		s.out = append(s.out, '{')
		for i := range v.Len() {
			mem := v.Member(i)
			s.put(&kept, mem.Value, func() bool {
				s.out = append(appendString(s.out, mem.Str()), ':')
				return s.clean(mem.Value)
			})
		}
		s.out = append(s.out, '}')
		return kept > 0
	case strictjson.Array:
		s.out = append(s.out, '[')
		for _, e := range v.Items() {
			s.put(&kept, e, func() bool { return s.clean(e) })
		}
		s.out = append(s.out, ']')
		return kept > 0
	}
	s.out = appendVerbatim(s.out, v)
	str, isString := v.Str()
	return !v.IsNull() && !(isString && str == "")
}

// appendVerbatim writes a value as it is: members in their order, numbers as they were
// written.
func appendVerbatim(dst []byte, v strictjson.Value) []byte {
	switch v.Kind() {
	case strictjson.Object:
		dst = append(dst, '{')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			mem := v.Member(i)
			dst = append(appendString(dst, mem.Str()), ':')
			dst = appendVerbatim(dst, mem.Value)
		}
		return append(dst, '}')
	case strictjson.Array:
		dst = append(dst, '[')
		for i, e := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendVerbatim(dst, e)
		}
		return append(dst, ']')
	case strictjson.String:
		s, _ := v.Str()
		return appendString(dst, s)
	case strictjson.Number:
		n, _ := v.Number()
		return append(dst, n...)
	case strictjson.Bool:
		if b, _ := v.Bool(); b {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	}
	return append(dst, "null"...)
}

// appendString writes a string with the escapes of RFC 8785, section 3.2.2.2.
func appendString(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[plain:i]...)
		plain = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(append(dst, s[plain:]...), '"')
}
