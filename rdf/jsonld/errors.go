package jsonld

import (
	"fmt"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// Code names the kind of a refusal. The first group is spelt as the API
// specification spells its error codes; the second is this package's own, for
// what the specification drops without an error.
type Code string

// The error codes of JSON-LD 1.1 Processing Algorithms and API, section 9.6.2,
// that expansion and deserialization can meet.
const (
	CodeCollidingKeywords          Code = "colliding keywords"
	CodeConflictingIndexes         Code = "conflicting indexes"
	CodeContextOverflow            Code = "context overflow"
	CodeCyclicIRIMapping           Code = "cyclic IRI mapping"
	CodeInvalidIDValue             Code = "invalid @id value"
	CodeInvalidImportValue         Code = "invalid @import value"
	CodeInvalidIncludedValue       Code = "invalid @included value"
	CodeInvalidIndexValue          Code = "invalid @index value"
	CodeInvalidNestValue           Code = "invalid @nest value"
	CodeInvalidPrefixValue         Code = "invalid @prefix value"
	CodeInvalidPropagateValue      Code = "invalid @propagate value"
	CodeInvalidProtectedValue      Code = "invalid @protected value"
	CodeInvalidReverseValue        Code = "invalid @reverse value"
	CodeInvalidVersionValue        Code = "invalid @version value"
	CodeInvalidBaseDirection       Code = "invalid base direction"
	CodeInvalidBaseIRI             Code = "invalid base IRI"
	CodeInvalidContainerMapping    Code = "invalid container mapping"
	CodeInvalidContextEntry        Code = "invalid context entry"
	CodeInvalidContextNullified    Code = "invalid context nullification"
	CodeInvalidDefaultLanguage     Code = "invalid default language"
	CodeInvalidIRIMapping          Code = "invalid IRI mapping"
	CodeInvalidKeywordAlias        Code = "invalid keyword alias"
	CodeInvalidLanguageMapValue    Code = "invalid language map value"
	CodeInvalidLanguageMapping     Code = "invalid language mapping"
	CodeInvalidLanguageTagged      Code = "invalid language-tagged string"
	CodeInvalidLanguageTaggedValue Code = "invalid language-tagged value"
	CodeInvalidLocalContext        Code = "invalid local context"
	CodeInvalidRemoteContext       Code = "invalid remote context"
	CodeInvalidReverseProperty     Code = "invalid reverse property"
	CodeInvalidReversePropertyMap  Code = "invalid reverse property map"
	CodeInvalidReverseProperties   Code = "invalid reverse property value"
	CodeInvalidScopedContext       Code = "invalid scoped context"
	CodeInvalidSetOrList           Code = "invalid set or list object"
	CodeInvalidTermDefinition      Code = "invalid term definition"
	CodeInvalidTypeMapping         Code = "invalid type mapping"
	CodeInvalidTypeValue           Code = "invalid type value"
	CodeInvalidTypedValue          Code = "invalid typed value"
	CodeInvalidValueObject         Code = "invalid value object"
	CodeInvalidValueObjectValue    Code = "invalid value object value"
	CodeInvalidVocabMapping        Code = "invalid vocab mapping"
	CodeKeywordRedefinition        Code = "keyword redefinition"
	CodeLoadingDocumentFailed      Code = "loading document failed"
	CodeLoadingRemoteContext       Code = "loading remote context failed"
	CodeProcessingModeConflict     Code = "processing mode conflict"
	CodeProtectedTermRedefinition  Code = "protected term redefinition"
)

// What the specification drops and this package refuses unless
// [Options].Lossy is set.
const (
	CodeUndefinedTerm    Code = "undefined term"          // a member whose name maps to no IRI
	CodeReservedTerm     Code = "reserved term"           // a name or value with the form of a keyword that is none
	CodeRelativeIRI      Code = "relative IRI reference"  // a reference that stays relative
	CodeIllFormedIRI     Code = "ill-formed IRI"          // an IRI with a character that no IRI may hold
	CodeBlankPredicate   Code = "blank node predicate"    // a property that is a blank node
	CodeIllFormedTag     Code = "ill-formed language tag" // a language tag outside BCP 47
	CodeFreeFloating     Code = "free-floating value"     // a value that is the object of nothing, or a node that says nothing
	CodeDirectionDropped Code = "base direction dropped"  // a base direction, and no [Options].RDFDirection to keep it
	CodeInexactNumber    Code = "inexact number"          // an integer that no double holds exactly
)

// The codes of an [*rdf.SyntaxError] beside those of package rdf: what JSON text is
// refused for, since two readers of it could see two things in it.
const (
	CodeTrailingData    rdf.Code = "trailing-data"    // something follows the value
	CodeByteOrderMark   rdf.Code = "byte-order-mark"  // a second U+FEFF at the beginning
	CodeLoneSurrogate   rdf.Code = "lone-surrogate"   // an escaped surrogate without its partner
	CodeDuplicateMember rdf.Code = "duplicate-member" // a name that its object has already
	CodeNumberRange     rdf.Code = "number-range"     // a number that rounds to no finite double
)

// texts says what each code means, for those who meet it.
var texts = map[Code]string{
	CodeCollidingKeywords:          "two members of an object expand to the same keyword",
	CodeConflictingIndexes:         "one node has two different @index values",
	CodeContextOverflow:            "a chain of remote contexts is too long, or refers to itself",
	CodeCyclicIRIMapping:           "terms are defined by each other",
	CodeInvalidIDValue:             "the value of @id must be a string",
	CodeInvalidImportValue:         "the value of @import must be a string",
	CodeInvalidIncludedValue:       "the value of @included must be one or more node objects",
	CodeInvalidIndexValue:          "the value of @index must be a string",
	CodeInvalidNestValue:           "the value of @nest must be one or more objects that are not values; a term's @nest must be @nest or no keyword",
	CodeInvalidPrefixValue:         "the value of @prefix must be a boolean",
	CodeInvalidPropagateValue:      "the value of @propagate must be a boolean",
	CodeInvalidProtectedValue:      "the value of @protected must be a boolean",
	CodeInvalidReverseValue:        "the value of @reverse must be an object",
	CodeInvalidVersionValue:        "the value of @version must be the number 1.1",
	CodeInvalidBaseDirection:       `a base direction must be "ltr", "rtl" or null`,
	CodeInvalidBaseIRI:             "the value of @base must be an IRI, a reference that a base resolves, or null",
	CodeInvalidContainerMapping:    "a term's @container must be a container, or containers that go together",
	CodeInvalidContextEntry:        "this entry is not allowed in this context",
	CodeInvalidContextNullified:    "a context with protected terms cannot be reset by null",
	CodeInvalidDefaultLanguage:     "a default language must be a string or null",
	CodeInvalidIRIMapping:          "a term does not map to an IRI",
	CodeInvalidKeywordAlias:        "@context cannot have an alias",
	CodeInvalidLanguageMapValue:    "the values of a language map must be strings",
	CodeInvalidLanguageMapping:     "a term's @language must be a string or null",
	CodeInvalidLanguageTagged:      "the value of @language must be a string",
	CodeInvalidLanguageTaggedValue: "only a string can have a language",
	CodeInvalidLocalContext:        "a context must be an object, a string, null, or an array of these",
	CodeInvalidRemoteContext:       "a context document must be an object with an @context member of the right kind",
	CodeInvalidReverseProperty:     "a reverse property is defined with something that it cannot have",
	CodeInvalidReversePropertyMap:  "the value of @reverse must not hold a keyword",
	CodeInvalidReverseProperties:   "the value of a reverse property must be a node",
	CodeInvalidScopedContext:       "the context within a term definition is invalid",
	CodeInvalidSetOrList:           "a set or list can have no other member than @index",
	CodeInvalidTermDefinition:      "a term definition has the wrong form",
	CodeInvalidTypeMapping:         "a term's @type is not an IRI, nor a keyword that it can be",
	CodeInvalidTypeValue:           "the value of @type must be a string or an array of strings",
	CodeInvalidTypedValue:          "the type of a value must be an IRI",
	CodeInvalidValueObject:         "a value object has members that it cannot have",
	CodeInvalidValueObjectValue:    "the value of @value must be a string, a number, a boolean or null",
	CodeInvalidVocabMapping:        "the value of @vocab must be an IRI, a blank node, or null",
	CodeKeywordRedefinition:        "a keyword cannot be defined as a term",
	CodeLoadingDocumentFailed:      "a context reference is relative and there is no base",
	CodeLoadingRemoteContext:       "a remote context is not among those that were given",
	CodeProcessingModeConflict:     "a context is for JSON-LD 1.1, and the processing mode is 1.0",
	CodeProtectedTermRedefinition:  "a protected term is defined differently",

	CodeUndefinedTerm:    "the name of a member maps to no IRI",
	CodeReservedTerm:     "a name beginning with @ that is not a keyword means nothing",
	CodeRelativeIRI:      "an IRI reference stays relative",
	CodeIllFormedIRI:     "an IRI holds a character that no IRI may hold",
	CodeBlankPredicate:   "a property is a blank node, which RDF does not allow",
	CodeIllFormedTag:     "a language tag is not well-formed",
	CodeFreeFloating:     "a value belongs to no property, or nothing is said about a node",
	CodeDirectionDropped: "there is a base direction, and no way was chosen to keep it in RDF",
	CodeInexactNumber:    "a number that readers would round",
}

// Text returns what the code means, in words, and "" for an unknown code.
func (c Code) Text() string { return texts[c] }

// Error says why a document was refused, and where.
type Error struct {
	Code    Code
	Place   rdf.Place // File is the context's IRI when the fault is in a pinned context
	Pointer string    // JSON pointer (RFC 6901) into that text
	Term    string    // the term, IRI or value at fault, "" if there is none to name
	Reason  string    // more about the fault, "" when the code says it all
}

// Message returns the text without the place.
func (e *Error) Message() string {
	if e.Pointer == "" {
		return e.text()
	}
	return fmt.Sprintf("%s (at %s)", e.text(), rdf.Abbreviate(e.Pointer))
}

// text returns the message without the pointer.
func (e *Error) text() string {
	text := string(e.Code)
	if e.Term != "" {
		text += fmt.Sprintf(" %q", rdf.Abbreviate(e.Term))
	}
	reason := e.Reason
	if reason == "" {
		reason = e.Code.Text()
	}
	return text + ": " + reason
}

// Error returns the place and the message.
func (e *Error) Error() string {
	if p := e.Place.String(); p != "" {
		return p + ": " + e.Message()
	}
	return e.Message()
}

// refusal returns the error for a value, or a member's name, of a text.
func refusal(code Code, org *origin, v strictjson.Value, term, reason string) *Error {
	line, column := v.Place()
	return &Error{
		Code: code, Place: rdf.Place{File: org.name, Line: line, Column: column}, Pointer: v.Pointer(), Term: term, Reason: reason,
	}
}
