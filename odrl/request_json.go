package odrl

import (
	"fmt"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// RequestError says why a JSON value is not a request, and where.
type RequestError struct {
	Message string
	Place   rdf.Place // of the value; Line and Column alone
}

// Error returns the place and the message.
func (e *RequestError) Error() string {
	if p := e.Place.String(); p != "" {
		return p + ": " + e.Message
	}
	return e.Message
}

// ParseRequest reads a request as a JSON object:
//
//	{"agent": "IRI", "action": "read", "target": "IRI",
//	 "attributes": {"purpose": "IRI", "count": 3, "fulfilled:inform": true},
//	 "memberOf": {"IRI": ["IRI"]}}
//
// Attributes are strings, numbers, booleans or arrays of them. The members
// agent, attributes and memberOf may be missing, others are refused. An
// attribute delegationDepth is dropped: nobody may assert it (7.1). Now stays zero.
// It fails with a [*RequestError], or with the JSON reader's error for a text that is
// not JSON, repeats a member or exceeds a limit.
func ParseRequest(data []byte) (Request, error) {
	v, err := strictjson.Parse(data, strictjson.Limits{})
	if err != nil {
		return Request{}, err
	}
	return RequestValue(v)
}

// RequestValue reads a request from a JSON value as [ParseRequest] does.
func RequestValue(v strictjson.Value) (Request, error) {
	r := Request{}
	if v.Kind() != strictjson.Object {
		return r, refuse(v, "a request must be an object, not %s", v.Kind())
	}
	for name, m := range v.Members() {
		var err error
		switch name {
		case "agent":
			r.Agent, err = requestText(m, name)
		case "action":
			r.Action, err = requestText(m, name)
		case "target":
			r.Target, err = requestText(m, name)
		case "attributes":
			r.Attributes, err = requestAttributes(m)
		case "memberOf":
			r.MemberOf, err = requestMembers(m)
		default:
			err = refuse(m, "a request has no member %q", rdf.Abbreviate(name))
		}
		if err != nil {
			return Request{}, err
		}
	}
	return r, nil
}

func refuse(v strictjson.Value, format string, args ...any) error {
	line, column := v.Place()
	return &RequestError{fmt.Sprintf(format, args...), rdf.Place{Line: line, Column: column}}
}

func requestText(v strictjson.Value, name string) (string, error) {
	s, ok := v.Str()
	if !ok {
		return "", refuse(v, "the %s must be a string, not %s", name, v.Kind())
	}
	return s, nil
}

func requestAttributes(v strictjson.Value) (map[string][]Value, error) {
	if v.Kind() != strictjson.Object {
		return nil, refuse(v, "the attributes must be an object, not %s", v.Kind())
	}
	attributes := make(map[string][]Value, v.Len())
	for name, m := range v.Members() {
		if isDepthName(name) {
			continue // 7.1: removed on entry, always
		}
		values := []Value{}
		if m.Kind() == strictjson.Array {
			for _, e := range m.Items() {
				value, err := requestValue(e, name)
				if err != nil {
					return nil, err
				}
				values = append(values, value)
			}
		} else {
			value, err := requestValue(m, name)
			if err != nil {
				return nil, err
			}
			values = append(values, value)
		}
		attributes[name] = values
	}
	return attributes, nil
}

func isDepthName(name string) bool {
	return name == "delegationDepth" || name == vocab.ODRLDDelegationDepth
}

func requestValue(v strictjson.Value, name string) (Value, error) {
	switch v.Kind() {
	case strictjson.String:
		s, _ := v.Str()
		return Text(strings.Clone(s)), nil
	case strictjson.Number:
		s, _ := v.Number()
		n, err := Number(strings.Clone(s))
		if err != nil {
			return Value{}, refuse(v, "%s", err)
		}
		return n, nil
	case strictjson.Bool:
		b, _ := v.Bool()
		return Boolean(b), nil
	}
	return Value{}, refuse(v, "the attribute %q must be a string, a number, a boolean or an array of them, not %s", rdf.Abbreviate(name), v.Kind())
}

func requestMembers(v strictjson.Value) (map[string][]string, error) {
	if v.Kind() != strictjson.Object {
		return nil, refuse(v, "memberOf must be an object, not %s", v.Kind())
	}
	members := make(map[string][]string, v.Len())
	for name, m := range v.Members() {
		if m.Kind() != strictjson.Array {
			return nil, refuse(m, "the collections of %q must be an array, not %s", rdf.Abbreviate(name), m.Kind())
		}
		collections := []string{}
		seen := make(map[string]bool, m.Len()) // there can be tens of thousands
		for _, e := range m.Items() {
			s, err := requestText(e, "collection")
			if err != nil {
				return nil, err
			}
			if !seen[s] {
				seen[s] = true
				collections = append(collections, s)
			}
		}
		members[name] = collections
	}
	return members, nil
}
