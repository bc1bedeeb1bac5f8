package agentcard

import (
	"errors"
	"fmt"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Error says why a document was refused, and where in it.
type Error struct {
	Code    Code
	Text    string // the reason in words, without the place
	Pointer string // RFC 6901; "" is the whole document, or a value whose pointer is too long to read
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

// Finding is something to know about a card that does not refuse it by itself.
type Finding struct {
	Code    Code   `json:"code"`
	Text    string `json:"message"`
	Pointer string `json:"pointer,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// refusal returns the finding as a refusal.
func (f Finding) refusal() *Error { return (*Error)(&f) }

// refuseAt makes an error about a value.
func refuseAt(v strictjson.Value, code Code, format string, args ...any) *Error {
	line, column := v.Place()
	return &Error{Code: code, Text: fmt.Sprintf(format, args...), Pointer: pointer(v), Line: line, Column: column}
}

// pointer returns the JSON pointer of a value, "" for one too long to read: the place is
// enough then. A name can be as long as the card, and what is said of it is said of all
// that it holds.
func pointer(v strictjson.Value) string {
	const most = 500
	p, _ := v.PointerWithin(most)
	return p
}

func findAt(v strictjson.Value, code Code, format string, args ...any) Finding {
	return refuseAt(v, code, format, args...).finding()
}

// finding returns the refusal as a finding.
func (e *Error) finding() Finding { return Finding(*e) }

// fromJSON returns an error of the JSON reader with its code in this package (section
// 1.1).
func fromJSON(err error) *Error {
	e, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		return &Error{Code: CodeJSONSyntax, Text: err.Error()}
	}
	return &Error{Code: Code(e.DocumentCode()), Text: e.Text, Pointer: e.Pointer, Line: e.Line, Column: e.Column}
}

// shorten quotes a text from outside for a message.
func shorten(s string) string {
	const most = 80
	if len(s) > most {
		cut := most
		for cut > 0 && s[cut]&0xc0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	return fmt.Sprintf("%q", s)
}
