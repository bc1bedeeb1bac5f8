package vectors

import (
	"fmt"
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// object reads the members of a JSON object and keeps the first error. Members that
// nobody asked for are one.
type object struct {
	v     strictjson.Value
	asked []string
	err   error
}

func members(v strictjson.Value) *object {
	o := &object{v: v}
	if v.Kind() != strictjson.Object {
		o.fail(v, "expected an object, found %s", v.Kind())
	}
	return o
}

func (o *object) fail(at strictjson.Value, format string, args ...any) {
	if o.err != nil {
		return
	}
	o.err = fmt.Errorf(format, args...)
	if at.Exists() {
		line, column := at.Place()
		o.err = &InputError{Text: o.err.Error(), Line: line, Column: column}
	}
}

// InputError says why an input is not usable, and where.
type InputError struct {
	Text         string
	Line, Column int
}

// Error returns the place and the reason.
func (e *InputError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

func (o *object) get(name string) strictjson.Value {
	o.asked = append(o.asked, name)
	if o.v.Kind() != strictjson.Object {
		return strictjson.Value{}
	}
	return o.v.Get(name)
}

// text returns a string, "" when it is missing.
func (o *object) text(name string) string {
	v := o.get(name)
	if !v.Exists() {
		return ""
	}
	s, ok := v.Str()
	if !ok {
		o.fail(v, "expected a string for %s, found %s", name, v.Kind())
	}
	return s
}

// needed returns a string that must be there.
func (o *object) needed(name string) string {
	s := o.text(name)
	if s == "" {
		o.fail(o.v, "expected %s", name)
	}
	return s
}

func (o *object) flag(name string) bool {
	v := o.get(name)
	if !v.Exists() {
		return false
	}
	b, ok := v.Bool()
	if !ok {
		o.fail(v, "expected true or false for %s, found %s", name, v.Kind())
	}
	return b
}

func (o *object) texts(name string) []string {
	v := o.get(name)
	if !v.Exists() {
		return nil
	}
	if v.Kind() != strictjson.Array {
		o.fail(v, "expected an array for %s, found %s", name, v.Kind())
		return nil
	}
	var out []string
	for _, item := range v.Items() {
		s, ok := item.Str()
		if !ok {
			o.fail(item, "expected strings for %s, found %s", name, item.Kind())
		}
		out = append(out, s)
	}
	return out
}

// now returns the time of the member of that name, the zero time when it is missing.
func (o *object) now() time.Time {
	v := o.get("now")
	if !v.Exists() {
		return time.Time{}
	}
	s, _ := v.Str()
	t, err := time.Parse(time.RFC3339Nano, s)
	switch {
	case err != nil:
		o.fail(v, "expected a time as in RFC 3339 for now")
	case t.IsZero(): // programs write it where there is no time, and it would count as none
		o.fail(v, "expected a time after the first instant of the year 1 for now")
	}
	return t
}

// done returns the first error, one about a member that is not known being the last.
func (o *object) done() error {
	if o.err == nil {
		for name, v := range o.v.Members() {
			if !slices.Contains(o.asked, name) {
				o.fail(v, "unknown member %q", rdf.Abbreviate(name))
			}
		}
	}
	return o.err
}
