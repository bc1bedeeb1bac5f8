package vectors

import (
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Outcome is what an operation gave: the members of a JSON object.
type Outcome []Member

// Member is a member of an outcome.
type Member struct {
	Name string
	JSON string // its value as JSON
}

// Bool is a member that is true or false.
func Bool(name string, v bool) Member { return Member{name, fmt.Sprint(v)} }

// Text is a member that is a string.
func Text(name, v string) Member { return Member{name, quote(v)} }

// Texts is a member that is an array of strings.
func Texts(name string, v []string) Member {
	all := make([]string, len(v))
	for i, s := range v {
		all[i] = quote(s)
	}
	return Member{name, "[" + strings.Join(all, ",") + "]"}
}

// Number is a member that is a number.
func Number(name string, v int) Member { return Member{name, fmt.Sprint(v)} }

// Object is a member that is an object.
func Object(name string, v Outcome) Member { return Member{name, v.json()} }

// Objects is a member that is an array of objects.
func Objects(name string, v []Outcome) Member {
	all := make([]string, len(v))
	for i, o := range v {
		all[i] = o.json()
	}
	return Member{name, "[" + strings.Join(all, ",") + "]"}
}

// some adds a text that is not empty: what has nothing to say is left out.
func (o Outcome) some(name, v string) Outcome {
	if v == "" {
		return o
	}
	return append(o, Text(name, v))
}

// list adds an array of texts that is not empty.
func (o Outcome) list(name string, v []string) Outcome {
	if len(v) == 0 {
		return o
	}
	return append(o, Texts(name, v))
}

// yes adds true, and nothing for false.
func (o Outcome) yes(name string, v bool) Outcome {
	if !v {
		return o
	}
	return append(o, Bool(name, v))
}

// quote writes a JSON string. Bytes that are not UTF-8 are an error of the JSON
// reader, and the case then fails.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// json returns an outcome as a JSON object.
func (o Outcome) json() string {
	all := make([]string, len(o))
	for i, m := range o {
		all[i] = quote(m.Name) + ":" + m.JSON
	}
	return "{" + strings.Join(all, ",") + "}"
}

// expectation returns what a case expects as a JSON object, with the contents of
// the files that its members name.
func (c *Case) expectation() (string, error) {
	var all []string
	for name, v := range c.Expected.Members() {
		text := v.Source()
		if s, ok := v.Str(); ok && isFileName(s) {
			data, err := c.Open(s)
			if err != nil {
				return "", err
			}
			text = quote(string(data))
		}
		all = append(all, quote(name)+":"+text)
	}
	return "{" + strings.Join(all, ",") + "}", nil
}

// canonical returns the one spelling of a JSON text.
func canonical(text string) (string, error) {
	out, err := canon.JCS([]byte(text))
	return string(out), err
}

// difference says in which members two objects in their one spelling differ.
func difference(expected, observed string) string {
	e, err1 := strictjson.Parse([]byte(expected), strictjson.Limits{Bytes: maxFile})
	o, err2 := strictjson.Parse([]byte(observed), strictjson.Limits{Bytes: maxFile})
	if err1 != nil || err2 != nil {
		return "the outcome differs"
	}
	var parts []string
	for name, v := range e.Members() {
		switch got := o.Get(name); {
		case !got.Exists():
			parts = append(parts, fmt.Sprintf("%s: expected %s, found nothing", name, abbreviate(v)))
		case got.Source() != v.Source():
			parts = append(parts, fmt.Sprintf("%s: expected %s, found %s", name, abbreviate(v), abbreviate(got)))
		}
	}
	for name, v := range o.Members() {
		if !e.Get(name).Exists() {
			parts = append(parts, fmt.Sprintf("%s: expected nothing, found %s", name, abbreviate(v)))
		}
	}
	return strings.Join(parts, "; ")
}

func abbreviate(v strictjson.Value) string {
	const most = 120
	s := v.Source()
	if len(s) > most {
		s = s[:most] + "..."
	}
	return s
}
