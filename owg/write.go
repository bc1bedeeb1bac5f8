package owg

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// object writes a JSON object, members in the order of the calls.
type object struct{ b []byte }

func (o *object) raw(name string, value []byte) {
	if len(o.b) == 0 {
		o.b = append(o.b, '{')
	} else {
		o.b = append(o.b, ',')
	}
	o.b = append(appendString(o.b, name), ':')
	o.b = append(o.b, value...)
}

func (o *object) text(name, value string) { o.raw(name, appendString(nil, value)) }

// some writes a text that is not empty.
func (o *object) some(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *object) number(name string, n int) { o.raw(name, strconv.AppendInt(nil, int64(n), 10)) }

func (o *object) texts(name string, all []string) { o.raw(name, appendStrings(nil, all)) }

// rest writes members of the input that nobody here knows.
func (o *object) rest(all []member) {
	for _, m := range all {
		o.raw(m.name, []byte(m.text))
	}
}

func (o *object) end() []byte {
	if len(o.b) == 0 {
		return []byte("{}")
	}
	return append(o.b, '}')
}

// list writes a JSON array.
func list(all [][]byte) []byte {
	return append(append([]byte{'['}, bytes.Join(all, []byte{','})...), ']')
}

func appendStrings(dst []byte, all []string) []byte {
	dst = append(dst, '[')
	for i, s := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

// appendString writes a JSON string, without escapes for HTML.
func appendString(dst []byte, s string) []byte {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) < 0 {
		return append(append(append(dst, '"'), s...), '"') // as nearly all are
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("owg: a string that cannot be written: " + err.Error())
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte{'\n'})...)
}

// member is a member of an input that nobody here knows, kept as it is.
type member struct{ name, text string }

// unknown returns the members of an object but for those with the names.
func unknown(v strictjson.Value, names ...string) []member {
	var out []member
	for name, value := range v.Members() {
		if !slices.Contains(names, name) {
			out = append(out, member{name, value.Source()})
		}
	}
	return out
}
