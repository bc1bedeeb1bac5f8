package terms

import (
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Error says why a document was refused, and where in it. Its text may hold parts of
// the document, so it is for the document's own publisher and never part of a [Report].
type Error struct {
	Code    Code
	Text    string // the reason in words, without the place
	Pointer string // RFC 6901; "" is the whole document
	Line    int    // from 1; 0 when no text was being read
	Column  int    // from 1, in Unicode characters
}

// Error returns the place and the reason.
func (e *Error) Error() string {
	s := e.Text
	if e.Pointer != "" {
		s = fmt.Sprintf("%s (at %q)", s, e.Pointer)
	}
	if e.Line > 0 {
		s = fmt.Sprintf("%d:%d: %s", e.Line, e.Column, s)
	}
	return s
}

// Finding is something to know that does not refuse a document by itself. Its place is
// in the card or in the document, whichever it is about.
type Finding struct {
	Code    Code   `json:"code"`
	Text    string `json:"message"`
	Pointer string `json:"pointer,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// refusal returns the finding as a refusal.
func (f Finding) refusal() *Error { return (*Error)(&f) }

func refuseAt(v strictjson.Value, code Code, format string, args ...any) *Error {
	line, column := v.Place()
	return &Error{Code: code, Text: fmt.Sprintf(format, args...), Pointer: pointer(v), Line: line, Column: column}
}

// pointer returns the JSON pointer of a value, "" for one too long to read: the place is
// enough then.
func pointer(v strictjson.Value) string {
	const most = 500
	p, _ := v.PointerWithin(most)
	return p
}

// finder makes findings about values of one document, which is read once for the places of
// all of them. The zero finder is of the document of the first.
type finder struct{ places *strictjson.Locator }

func (f *finder) place(v strictjson.Value) (line, column int) {
	if f.places == nil {
		f.places = v.Locator()
	}
	return f.places.Place(v.Offset())
}

func (f *finder) at(v strictjson.Value, code Code, format string, args ...any) Finding {
	line, column := f.place(v)
	return Finding{Code: code, Text: fmt.Sprintf(format, args...), Pointer: pointer(v), Line: line, Column: column}
}

// fromJSON returns an error of the JSON reader with its code in this package (section
// 1.1).
func fromJSON(err error) *Error {
	e, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		return &Error{Code: CodeParse, Text: err.Error()}
	}
	code := Code(e.DocumentCode())
	if code == "JSON_SYNTAX" { // section B.7 has a code of its own for that
		code = CodeParse
	}
	return &Error{Code: code, Text: e.Text, Pointer: e.Pointer, Line: e.Line, Column: e.Column}
}
