package protocol

import (
	"strings"

	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Verb is one of the nine stock verbs (a2a-rdf, section 7.1). The zero Verb is
// none. A Protocol Document may define any other class of actions.
type Verb uint8

// The stock verbs.
const (
	VerbRead Verb = iota + 1
	VerbCreate
	VerbUpdate
	VerbAppend
	VerbDelete
	VerbList
	VerbGrant
	VerbSubscribe
	VerbQuery
)

var verbs = [...]struct{ name, class string }{
	VerbRead:      {"read", vocab.SchemaReadAction},
	VerbCreate:    {"create", vocab.SchemaCreateAction},
	VerbUpdate:    {"update", vocab.SchemaUpdateAction},
	VerbAppend:    {"append", vocab.A2AAppendAction},
	VerbDelete:    {"delete", vocab.SchemaDeleteAction},
	VerbList:      {"list", vocab.A2AListAction},
	VerbGrant:     {"grant", vocab.A2AGrantAction},
	VerbSubscribe: {"subscribe", vocab.A2ASubscribeAction},
	VerbQuery:     {"query", vocab.A2AQueryAction},
}

// Verbs returns the stock verbs in a fixed order.
func Verbs() []Verb {
	return []Verb{VerbRead, VerbCreate, VerbUpdate, VerbAppend, VerbDelete, VerbList, VerbGrant, VerbSubscribe, VerbQuery}
}

// ParseVerb returns the verb with a name, as [Verb.String] spells it, and whether
// there is one.
func ParseVerb(name string) (Verb, bool) {
	for _, v := range Verbs() {
		if v.String() == name {
			return v, true
		}
	}
	return 0, false
}

// String returns the verb in one lower-case word, "none" for no verb.
func (v Verb) String() string {
	if !v.valid() {
		return "none"
	}
	return verbs[v].name
}

// Class returns the IRI of the class of the verb's actions, "" for no verb.
func (v Verb) Class() string {
	if !v.valid() {
		return ""
	}
	return verbs[v].class
}

func (v Verb) valid() bool { return VerbRead <= v && v <= VerbQuery }

// target returns the property that leads from an action to what it is about.
func (v Verb) target() string {
	if v == VerbList {
		return vocab.SchemaTarget // a container
	}
	return vocab.SchemaObject
}

// verbOf returns the verb of a class.
func verbOf(class string) (Verb, bool) {
	for _, v := range Verbs() {
		if verbs[v].class == class {
			return v, true
		}
	}
	return 0, false
}

// modeOf returns the access mode with an IRI, 0 for none.
func modeOf(iri string) Modes {
	for _, x := range modes {
		if x.iri == iri {
			return x.mode
		}
	}
	return 0
}

// Modes is a set of access modes that an intent to grant asks for.
type Modes uint8

// The access modes.
const (
	ModeRead Modes = 1 << iota
	ModeWrite
	ModeAppend
	ModeControl
)

var modes = [...]struct {
	mode      Modes
	iri, name string
}{
	{ModeRead, vocab.ACLRead, "Read"},
	{ModeWrite, vocab.ACLWrite, "Write"},
	{ModeAppend, vocab.ACLAppend, "Append"},
	{ModeControl, vocab.ACLControl, "Control"},
}

// Has reports whether all modes of n are among m.
func (m Modes) Has(n Modes) bool { return m&n == n }

// IRIs returns the modes' IRIs in a fixed order.
func (m Modes) IRIs() []string {
	var all []string
	for _, x := range modes {
		if m.Has(x.mode) {
			all = append(all, x.iri)
		}
	}
	return all
}

// String returns the modes' names: "Read, Write".
func (m Modes) String() string {
	var all []string
	for _, x := range modes {
		if m.Has(x.mode) {
			all = append(all, x.name)
		}
	}
	return strings.Join(all, ", ")
}
