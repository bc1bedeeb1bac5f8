package owg

import (
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Param is an input that a caller of a workflow must or may supply.
type Param struct {
	Name     string
	Type     string // "" when the definition names none
	Required bool
}

// Params reads the params of the definition: an object of names, whose values are the
// name of a type or an object with type and required; or an array of such objects
// with name or id. A param is required unless it says otherwise or has a default. It
// fails with an [*Error] of [CodeCardSource] for another form, so that no input is left
// out silently.
func (w *Workflow) Params() ([]Param, error) {
	v := w.root.Get("params")
	var out []Param
	wrong := func(at strictjson.Value) error {
		return refuseAt(at, CodeCardSource, "expected params as names with types, found %s", at.Kind())
	}
	read := func(name string, of strictjson.Value) bool {
		p := Param{Name: name, Required: !of.Get("default").Exists()}
		if text, ok := of.Str(); ok {
			p.Type = text
		} else if of.Kind() == strictjson.Object {
			typ, required := of.Get("type"), of.Get("required")
			if p.Type, ok = typ.Str(); typ.Exists() && !ok {
				return false
			}
			if required.Exists() {
				if p.Required, ok = required.Bool(); !ok {
					return false
				}
			}
		} else {
			return false
		}
		for _, other := range out {
			if other.Name == name {
				return false
			}
		}
		out = append(out, p)
		return name != ""
	}
	const most = 1000 // a form that nobody could fill in
	if v.Len() > most {
		return nil, over("params", most)
	}
	switch v.Kind() {
	case strictjson.Absent:
	case strictjson.Object:
		for name, of := range v.Members() {
			if !read(name, of) {
				return nil, wrong(of)
			}
		}
	case strictjson.Array:
		for _, of := range v.Items() {
			name, ok := of.Get("name").Str()
			if !ok {
				name, _ = of.Get("id").Str()
			}
			if !read(name, of) {
				return nil, wrong(of)
			}
		}
	default:
		return nil, wrong(v)
	}
	return out, nil
}

// sentence says in words what a caller must supply.
func sentence(params []Param) string {
	all := make([]string, len(params))
	for i, p := range params {
		kind := "optional"
		if p.Required {
			kind = "required"
		}
		if p.Type != "" {
			kind = p.Type + ", " + kind
		}
		all[i] = p.Name + " (" + kind + ")"
	}
	return "Inputs: " + strings.Join(all, ", ") + "."
}
