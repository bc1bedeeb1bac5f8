package jsonld

import (
	"bytes"
	"slices"
	"strconv"
	"sync"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// The IRIs of the contexts of [Builtin].
const (
	CredentialsV2   = "https://www.w3.org/ns/credentials/v2"        // Verifiable Credentials Data Model 2.0
	DataIntegrityV2 = "https://w3id.org/security/data-integrity/v2" // Verifiable Credential Data Integrity 1.0
	MultikeyV1      = "https://w3id.org/security/multikey/v1"       // Controlled Identifiers 1.0, keys alone
	CIDV1           = "https://www.w3.org/ns/cid/v1"                // Controlled Identifiers 1.0
)

// Builtin returns the contexts that credentials and controller documents refer
// to: those of the IRIs above. Nothing reads with them unless it is told to, by
// [Options].Contexts.
//
// They mean what the published contexts mean, and are written out of tables of
// this package: [Contexts.Document] gives other bytes than the published files
// have. The table is made once, when it is first asked for, is the same for all
// callers, and is safe for concurrent use.
func Builtin() *Contexts { return builtin() }

var builtin = sync.OnceValue(func() *Contexts {
	documents := map[string][]byte{}
	for iri, t := range map[string]termTable{
		CredentialsV2: credentialsV2(), DataIntegrityV2: dataIntegrityV2(), MultikeyV1: multikeyV1(), CIDV1: cidV1(),
	} {
		documents[iri] = append(t.append([]byte(`{"@context":`)), '}')
	}
	c, err := NewContexts(documents)
	if err != nil {
		panic("jsonld: " + err.Error()) // the tables are at fault
	}
	return c
})

// InlineContext is a context that has no IRI: documents carry it in themselves. A known
// one is recognized by what it says, whoever wrote the document.
type InlineContext uint8

// The inline contexts. The zero InlineContext is none.
const (
	// AuthorizationContext follows the credentials context in an agent's
	// authorization credential ("authz", section 1.2).
	AuthorizationContext InlineContext = iota + 1
	// ODRLContext is that of ODRL policies, and DelegationContext that of
	// policies of the delegation profile ("authz", section 1.6).
	ODRLContext
	DelegationContext
	// IntentContext is that of intents, and ProtocolDocumentContext that of
	// Protocol Documents ("a2a-rdf", Appendix B).
	IntentContext
	ProtocolDocumentContext
)

// InlineContexts returns all inline contexts.
func InlineContexts() []InlineContext {
	return []InlineContext{AuthorizationContext, ODRLContext, DelegationContext, IntentContext, ProtocolDocumentContext}
}

// JSON returns the context, a JSON object, in the canonical form of RFC 8785: a
// context says the same if its canonical form is the same. It is what a document
// has as its @context, and what [Options].ExpandContext takes. For the zero
// InlineContext it is nil.
func (c InlineContext) JSON() []byte {
	i := slices.Index(InlineContexts(), c)
	if i < 0 {
		return nil
	}
	return bytes.Clone(inlineContexts()[i])
}

var inlineContexts = sync.OnceValue(func() [][]byte {
	var out [][]byte
	for _, c := range InlineContexts() {
		v, err := strictjson.Parse(c.table().append(nil), strictjson.Limits{})
		if err == nil {
			var canonical []byte
			canonical, err = v.Canonical()
			out = append(out, canonical)
		}
		if err != nil {
			panic("jsonld: " + err.Error()) // the tables are at fault
		}
	}
	return out
})

// knownInline returns the known inline context that says what v says, nil if none
// does. What is remembered of it holds no memory of the document of v.
func knownInline(v strictjson.Value) *pinned {
	for _, known := range inlinePins() {
		if v.Same(known.context) {
			return known
		}
	}
	return nil
}

// inlinePins returns the inline contexts as if they were pinned: nobody but this
// package says what is in them.
var inlinePins = sync.OnceValue(func() []*pinned {
	var out []*pinned
	for _, text := range inlineContexts() {
		v, err := strictjson.Parse(text, strictjson.Limits{})
		if err != nil {
			panic("jsonld: " + err.Error()) // the tables are at fault
		}
		p := &pinned{org: origin{name: "a known inline context", root: v}, context: v, inline: true}
		p.org.pin = p
		out = append(out, p)
	}
	return out
})

func (c InlineContext) table() termTable {
	switch c {
	case AuthorizationContext:
		return authorizationContext()
	case ODRLContext:
		return odrlContext()
	case DelegationContext:
		return delegationContext()
	case IntentContext:
		return intentContext()
	default:
		return protocolDocumentContext()
	}
}

// termTable is a context as a table.
type termTable struct {
	protected bool
	terms     []builtinTerm
}

// builtinTerm is a row of a table: what the context says about a term.
type builtinTerm struct {
	name      string
	iri       string     // or keyword
	typ       string     // type mapping, "" for none
	container string     // container mapping, "" for none
	scoped    *termTable // scoped context, nil for none
	cleared   bool       // the scoped context is null
}

// in gives a term a scoped context.
func (t termTable) in(b builtinTerm) builtinTerm {
	b.scoped = &t
	return b
}

// protect makes a table of protected terms, among them the aliases id and type,
// which all tables of the credentials ecosystem have but one.
func protect(terms ...builtinTerm) termTable {
	return termTable{protected: true, terms: append([]builtinTerm{{name: "id", iri: "@id"}, {name: "type", iri: "@type"}}, terms...)}
}

// append appends the context as JSON to dst.
func (t termTable) append(dst []byte) []byte {
	dst = append(dst, '{')
	if t.protected {
		dst = append(dst, `"@protected":true,`...)
	}
	for i, b := range t.terms {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendName(dst, b.name), ':')
		if b.typ == "" && b.container == "" && b.scoped == nil && !b.cleared {
			dst = appendName(dst, b.iri)
			continue
		}
		dst = appendName(append(dst, `{"@id":`...), b.iri)
		if b.typ != "" {
			dst = appendName(append(dst, `,"@type":`...), b.typ)
		}
		if b.container != "" {
			dst = appendName(append(dst, `,"@container":`...), b.container)
		}
		if b.cleared {
			dst = append(dst, `,"@context":null`...)
		} else if b.scoped != nil {
			dst = b.scoped.append(append(dst, `,"@context":`...))
		}
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// appendName appends a string of the tables, which are ASCII without anything to
// escape.
func appendName(dst []byte, s string) []byte { return strconv.AppendQuote(dst, s) }
