package rdf

import "fmt"

// Code names the kind of a refusal. Codes are stable: programs branch on them,
// and the command line prints them in brackets.
type Code string

// The codes of refused input.
const (
	CodeSyntax          Code = "syntax"           // the grammar does not allow what stands here
	CodeInvalidUTF8     Code = "invalid-utf8"     // the bytes are not UTF-8
	CodeInvalidEscape   Code = "invalid-escape"   // an escape that names no character, or an unknown one
	CodeInvalidIRI      Code = "invalid-iri"      // a character that no IRI may hold
	CodeRelativeIRI     Code = "relative-iri"     // a reference that stays relative
	CodeUndefinedPrefix Code = "undefined-prefix" // a prefix that was not declared
	CodeInvalidLabel    Code = "invalid-label"    // a blank node label outside the grammar
	CodeInvalidLang     Code = "invalid-language" // a language tag outside the grammar
	CodeInvalidTerm     Code = "invalid-term"     // a term where RDF allows none of its kind
	CodeLimitExceeded   Code = "limit-exceeded"   // a number of Limits was exceeded
)

// Codes returns the codes of this package, in a fixed order.
func Codes() []Code {
	return []Code{
		CodeSyntax, CodeInvalidUTF8, CodeInvalidEscape, CodeInvalidIRI, CodeRelativeIRI,
		CodeUndefinedPrefix, CodeInvalidLabel, CodeInvalidLang, CodeInvalidTerm, CodeLimitExceeded,
	}
}

// Text returns one sentence on what the code means, and "" for a code that is not
// of this package.
func (c Code) Text() string {
	switch c {
	case CodeSyntax:
		return "the grammar does not allow what stands here"
	case CodeInvalidUTF8:
		return "the bytes are not UTF-8"
	case CodeInvalidEscape:
		return "an escape names no character, or is unknown"
	case CodeInvalidIRI:
		return "an IRI holds a character that no IRI may hold"
	case CodeRelativeIRI:
		return "an IRI reference stays relative, because there is no base"
	case CodeUndefinedPrefix:
		return "a prefix was not declared"
	case CodeInvalidLabel:
		return "the label of a blank node is outside the grammar"
	case CodeInvalidLang:
		return "a language tag is outside the grammar"
	case CodeInvalidTerm:
		return "a term stands where RDF allows none of its kind"
	case CodeLimitExceeded:
		return "a limit was exceeded; input is never cut to fit"
	}
	return ""
}

// Place is where something stands in a text. Line and Column count from 1,
// Column in Unicode characters; CR, LF and CR LF each end a line. The zero
// Place is unknown.
type Place struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// IsZero reports whether the place is unknown.
func (p Place) IsZero() bool { return p.Line == 0 }

// String returns "FILE:LINE:COLUMN", as much of it as is known.
func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// SyntaxError says why a text was refused, and where.
type SyntaxError struct {
	Code     Code
	Place    Place
	Expected string // what the grammar allows here, in words
	Found    string // what stands here, in words; "" when Expected says it all
}

// Message returns the text without the place.
func (e *SyntaxError) Message() string {
	if e.Found == "" {
		return e.Expected
	}
	return "expected " + e.Expected + ", found " + e.Found
}

// Error returns the place and the message.
func (e *SyntaxError) Error() string { return withPlace(e.Place, e.Message()) }

// TermError says why no term can be made of a text. Readers turn it into a
// [SyntaxError] with its place.
type TermError struct {
	Code   Code
	Reason string
}

// Error returns the reason.
func (e *TermError) Error() string { return e.Reason }

// LimitError says which limit an input exceeded. It is a refusal, never a shorter
// answer.
type LimitError struct {
	Limit LimitName
	Max   int64
	Place Place // zero where no text was being read
}

// Message returns the text without the place.
func (e *LimitError) Message() string {
	return fmt.Sprintf("%s limit %d exceeded", e.Limit.words(), e.Max)
}

// Error returns the place and the message.
func (e *LimitError) Error() string { return withPlace(e.Place, e.Message()) }

func withPlace(p Place, msg string) string {
	if s := p.String(); s != "" {
		return s + ": " + msg
	}
	return msg
}
