package owg

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// Error says why something was refused, and where in it.
type Error struct {
	Code   Code
	Text   string // the reason in words, without the place
	Path   string // RFC 6901; "" is the whole document
	Line   int    // from 1; 0 when no text was being read
	Column int    // from 1, in Unicode characters
}

// Error returns the place and the reason.
func (e *Error) Error() string {
	s := e.Text
	if e.Path != "" {
		s = fmt.Sprintf("%s (at %q)", s, rdf.Abbreviate(e.Path))
	}
	if e.Line > 0 {
		s = fmt.Sprintf("%d:%d: %s", e.Line, e.Column, s)
	}
	return s
}

func refuse(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}

func refuseAt(v strictjson.Value, code Code, format string, args ...any) *Error {
	e := refuse(code, format, args...)
	e.Path = v.Pointer()
	e.Line, e.Column = v.Place()
	return e
}

// over returns the error of a limit of this package.
func over(what string, most int) *Error {
	return refuse(CodeLimit, "%s limit %d exceeded", what, most)
}

// parse reads a JSON object strictly (section 1.1).
func parse(data []byte, limits strictjson.Limits, what string, code Code) (strictjson.Value, error) {
	root, err := strictjson.Parse(data, limits)
	if err != nil {
		return root, fromJSON(err)
	}
	if root.Kind() != strictjson.Object {
		return root, refuseAt(root, code, "expected %s, which is an object, found %s", what, root.Kind())
	}
	return root, nil
}

// fromJSON returns an error of the JSON reader with its code in this package (section
// 1.1).
func fromJSON(err error) *Error {
	e, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		return &Error{Code: CodeJSONSyntax, Text: err.Error()}
	}
	return &Error{Code: Code(e.DocumentCode()), Text: e.Text, Path: e.Pointer, Line: e.Line, Column: e.Column}
}

// Severity says how much a finding matters. The zero Severity is an error.
type Severity uint8

// The severities, the gravest first.
const (
	SeverityError Severity = iota
	SeverityWarning
	SeverityNote
)

// String returns "error", "warning" or "note".
func (s Severity) String() string {
	switch s {
	case SeverityWarning:
		return "warning"
	case SeverityNote:
		return "note"
	}
	return "error"
}

// MarshalText returns what String does.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is something that a check found.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path"` // RFC 6901; "" is the whole document
	Text     string   `json:"message"`
	// Mark says where the rule comes from: "S" is stated by the binding's text, "I"
	// follows from it, "P" was chosen here.
	Mark string `json:"mark"`
	// Extra lists the scopes that are in excess, for findings about scopes. Those of one
	// report have at most a megabyte: behind that it is empty, and Text names some.
	Extra  []string `json:"extra,omitempty"`
	Line   int      `json:"line,omitempty"`   // from 1; 0 when it is about no text
	Column int      `json:"column,omitempty"` // from 1, in Unicode characters
}

func (f *Finding) err() *Error {
	return &Error{Code: f.Code, Text: f.Text, Path: f.Path, Line: f.Line, Column: f.Column}
}

// quote puts a text from outside between quotes for a message.
func quote(s string) string { return `"` + rdf.Abbreviate(s) + `"` }

// mostQuoted is how many texts a message lists.
const mostQuoted = 10

// quoted lists texts for a message, not too many.
func quoted(all []string) string { return andMore(all, len(all)) }

// quotedScopes does it for scopes, which have no order: the least ones, sorted.
func quotedScopes(all []string) string {
	least := make([]string, 0, mostQuoted+1)
	for _, s := range all {
		if len(least) == mostQuoted && s >= least[mostQuoted-1] {
			continue
		}
		i, _ := slices.BinarySearch(least, s)
		least = slices.Insert(least, i, s)
		least = least[:min(len(least), mostQuoted)]
	}
	return andMore(least, len(all))
}

// andMore lists the first of some texts, and says how many there are more.
func andMore(first []string, n int) string {
	var b strings.Builder
	for i, s := range first[:min(len(first), mostQuoted)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(s))
	}
	if n > mostQuoted {
		fmt.Fprintf(&b, " and %d more", n-mostQuoted)
	}
	return b.String()
}
