package service

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// field is a member of an object that the service reads.
type field struct {
	name   string
	needed bool
	read   func(v strictjson.Value) error
}

// readFields reads an object of these members and no others. Members are read in the
// order of the fields, so that of two errors the same is told.
func readFields(v strictjson.Value, fields ...field) error {
	if v.Kind() != strictjson.Object {
		return wrong(v, "an object")
	}
	found := make(map[string]strictjson.Value, v.Len())
	for name, member := range v.Members() {
		found[name] = member
	}
	for _, f := range fields {
		member, ok := found[f.name]
		switch {
		case ok:
			if err := f.read(member); err != nil {
				return err
			}
			delete(found, f.name)
		case f.needed:
			return malformed("%sexpected the member %s", at(v), f.name)
		}
	}
	for name, member := range v.Members() {
		if _, unknown := found[name]; unknown {
			return malformed("%sunknown member %q", at(member), rdf.Abbreviate(name))
		}
	}
	return nil
}

// at says where a value stands.
func at(v strictjson.Value) string {
	if p := v.Pointer(); p != "" {
		return rdf.Abbreviate(p) + ": "
	}
	return ""
}

func wrong(v strictjson.Value, want string) error {
	return malformed("%sexpected %s, found %s", at(v), want, v.Kind())
}

// text reads a string.
func text(to *string) func(strictjson.Value) error {
	return func(v strictjson.Value) error {
		s, ok := v.Str()
		if !ok {
			return wrong(v, "a string")
		}
		*to = s
		return nil
	}
}

// filled reads a string that is not empty: an empty one comes of a template that was not
// filled in.
func filled(to *string) func(strictjson.Value) error {
	return func(v strictjson.Value) error {
		if s, ok := v.Str(); ok && s == "" {
			return malformed("%sexpected a text, found an empty one", at(v))
		}
		return text(to)(v)
	}
}

// flag reads a boolean.
func flag(to *bool) func(strictjson.Value) error {
	return func(v strictjson.Value) error {
		b, ok := v.Bool()
		if !ok {
			return wrong(v, "true or false")
		}
		*to = b
		return nil
	}
}

// list reads an array, each element by a reader.
func list(read func(v strictjson.Value) error) func(strictjson.Value) error {
	return func(v strictjson.Value) error {
		if v.Kind() != strictjson.Array {
			return wrong(v, "an array")
		}
		for _, item := range v.Items() {
			if err := read(item); err != nil {
				return err
			}
		}
		return nil
	}
}

// texts reads an array of strings.
func texts(to *[]string) func(strictjson.Value) error {
	return list(func(v strictjson.Value) error {
		var s string
		err := text(&s)(v)
		*to = append(*to, s)
		return err
	})
}

// textMap reads an object of strings.
func textMap(to *map[string]string) func(strictjson.Value) error {
	return func(v strictjson.Value) error {
		if v.Kind() != strictjson.Object {
			return wrong(v, "an object")
		}
		*to = make(map[string]string, v.Len())
		for name, member := range v.Members() {
			var s string
			if err := text(&s)(member); err != nil {
				return err
			}
			(*to)[name] = s
		}
		return nil
	}
}

// keep keeps a value as it is.
func keep(to *strictjson.Value) func(strictjson.Value) error {
	return func(v strictjson.Value) error {
		*to = v
		return nil
	}
}
