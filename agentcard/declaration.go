package agentcard

import (
	"bytes"
	"mime"
	"net/url"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// ExtensionURI names the extension for RDF Protocol Documents. It is compared byte
// by byte (CARD-1 of its requirements).
const ExtensionURI = "https://w3id.org/jeswr/a2a-rdf/v1"

// Declaration is what a card says about RDF Protocol Documents (section 1 of the
// requirements of the extension). It can be trusted no more than the card: to act on
// the documents, take them from [Admitted.Documents].
type Declaration struct {
	// Declared reports that the card declares the extension, and Valid that the
	// declaration is well formed. A peer with an invalid declaration counts as one
	// without.
	Declared, Valid bool
	// Required reports that the card demands the extension of every client.
	Required    bool
	Description string
	// Formats are the media types that the agent reads, as declared; "text/turtle"
	// when the card names none. Empty when the list is unusable.
	Formats []string
	// NLNegotiation reports that the agent moves from natural language to a
	// document when offered one.
	NLNegotiation bool
	// Documents are the documents that the card names in a usable form.
	Documents []DeclaredDocument
	// Findings says what is wrong or unwise with the declaration.
	Findings []Finding
}

// DeclaredDocument is a Protocol Document that the agent, according to its card,
// accepts without a handshake.
type DeclaredDocument struct {
	Name   string // a label; may be empty
	Source string // an https URL
	Hash   canon.Digest
}

// AcceptedDocument is a Protocol Document that an admitted card declares: with its pin
// the handshake can be skipped. Only [Admitted.Documents] makes one. The document
// itself still has to be fetched, verified against the pin and reviewed.
type AcceptedDocument struct{ declared DeclaredDocument }

// Name returns the document's label; it may be empty.
func (d AcceptedDocument) Name() string { return d.declared.Name }

// Source returns the https URL where the document may be fetched.
func (d AcceptedDocument) Source() string { return d.declared.Source }

// Hash returns the pin. The pin of the zero AcceptedDocument equals no other.
func (d AcceptedDocument) Hash() canon.Digest { return d.declared.Hash }

// Documents returns the documents that the agent accepts without handshake
// (CARD-11, CARD-14).
func (a *Admitted) Documents() []AcceptedDocument {
	if a.card == nil {
		return nil
	}
	d := a.card.Declaration()
	if !d.Valid {
		return nil
	}
	out := make([]AcceptedDocument, len(d.Documents))
	for i := range out {
		out[i] = AcceptedDocument{d.Documents[i]}
	}
	return out
}

// Declaration reads what the card says about RDF Protocol Documents.
func (c *Card) Declaration() Declaration {
	var d Declaration
	var entry strictjson.Value
	var params []byte // of entry, in the canonical form, once it was asked for
	for _, v := range c.root.Get("capabilities").Get("extensions").Items() {
		if uri, _ := v.Get("uri").Str(); uri != ExtensionURI {
			continue
		}
		if !d.Declared {
			d.Declared, d.Valid, entry = true, true, v
			continue
		}
		if params == nil {
			params = canonicalParams(entry, c.limits)
		}
		if x := canonicalParams(v, c.limits); len(x) == 0 || !bytes.Equal(params, x) {
			d.invalid(v, "expected one declaration of the extension, found two with different params")
			return d
		}
		if !sameRequired(entry.Get("required"), v.Get("required")) {
			d.invalid(v, "expected one declaration of the extension, found two of which one is required")
			return d
		}
		d.find(v, CodeDeclDuplicate, "the extension is declared twice with the same params")
	}
	if d.Declared {
		d.read(entry)
	}
	if !d.Valid {
		d.Formats, d.NLNegotiation, d.Documents = nil, false, nil
	}
	return d
}

// sameRequired reports whether two values of required mean the same: absence and
// null are false.
func sameRequired(a, b strictjson.Value) bool {
	for _, v := range []strictjson.Value{a, b} {
		if _, ok := v.Bool(); !ok && v.Exists() && !v.IsNull() {
			return false
		}
	}
	x, _ := a.Bool()
	y, _ := b.Bool()
	return x == y
}

// canonicalParams returns what two declarations of the same params have in common: their
// canonical form. Null is absent: no signature covers the difference. It is empty and not
// nil for what has no canonical form, which is the same as nothing.
func canonicalParams(v strictjson.Value, limits Limits) []byte {
	params := v.Get("params")
	if params.IsNull() {
		params = strictjson.Value{}
	}
	out := []byte{'['} // an array around it makes a JSON text of any value, whatever its kind
	if params.Exists() {
		out = appendVerbatim(out, params)
	}
	out, err := strictjson.Canonicalize(append(out, ']'), limits.card())
	if err != nil {
		return []byte{}
	}
	return out
}

func (d *Declaration) find(v strictjson.Value, code Code, format string, args ...any) {
	const most = 100 // finding a place reads the document up to it
	if len(d.Findings) < most {
		d.Findings = append(d.Findings, findAt(v, code, format, args...))
	}
}

func (d *Declaration) invalid(v strictjson.Value, format string, args ...any) {
	d.Valid = false
	d.find(v, CodeDeclInvalid, format, args...)
}

func (d *Declaration) read(v strictjson.Value) {
	if s, _ := v.Get("description").Str(); s != "" {
		d.Description = s
	} else {
		d.find(v, CodeDeclText, "expected a description that people can read")
	}
	if r := v.Get("required"); r.Exists() && !r.IsNull() {
		b, ok := r.Bool()
		if !ok {
			d.invalid(r, "expected a boolean for required, found %s", r.Kind())
		}
		if d.Required = b; b {
			d.find(r, CodeDeclRequired, "the extension is required, which shuts out clients that do not have it")
		}
	}
	params := v.Get("params")
	if params.Exists() && !params.IsNull() && params.Kind() != strictjson.Object {
		d.invalid(params, "expected an object for params, found %s", params.Kind())
		return
	}
	d.formats(params.Get("formats"))
	if n := params.Get("nlNegotiation"); n.Exists() {
		b, ok := n.Bool()
		if !ok {
			d.invalid(n, "expected a boolean for nlNegotiation, found %s", n.Kind())
		}
		d.NLNegotiation = b
	}
	documents := params.Get("protocolDocuments")
	if !documents.Exists() {
		return
	}
	if documents.Kind() != strictjson.Array {
		d.invalid(documents, "expected an array for protocolDocuments, found %s", documents.Kind())
		return
	}
	const most = 64 // as many as a declaration of terms may hold
	for i, e := range documents.Items() {
		if i == most {
			d.find(e, CodeDeclDropped, "expected at most %d documents; the rest is dropped", most)
			return
		}
		d.document(e)
	}
}

func (d *Declaration) formats(v strictjson.Value) {
	if !v.Exists() {
		d.Formats = []string{"text/turtle"}
		return
	}
	if v.Kind() != strictjson.Array || v.Len() == 0 {
		d.find(v, CodeDeclUnusable, "expected an array of media types with something in it for formats, found %s", came(v))
		return
	}
	for _, e := range v.Items() {
		s, ok := e.Str()
		if !ok {
			d.find(e, CodeDeclUnusable, "expected a media type in formats, found %s", e.Kind())
			d.Formats = nil
			return
		}
		d.Formats = append(d.Formats, s)
	}
}

// Format returns the first declared format that the caller can write, as the caller
// spells it, and false when there is none: the extension cannot be used with this peer
// then. Media types are compared without case and parameters.
func (d Declaration) Format(writes ...string) (string, bool) {
	for _, f := range d.Formats {
		mediaType, _, err := mime.ParseMediaType(f)
		if err != nil || !d.Valid {
			continue
		}
		for _, w := range writes {
			if strings.EqualFold(w, mediaType) {
				return w, true
			}
		}
	}
	return "", false
}

// maxSourceBytes bounds the address of a document; it is the bound of the handshake.
const maxSourceBytes = 2048

// validSource reports whether a document could be offered under an address: an
// https URL with a host and without user name, and an IRI.
func validSource(source string) bool {
	u, err := url.Parse(source)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && u.Opaque == "" &&
		len(source) <= maxSourceBytes && rdf.CheckIRI(source) == nil
}

// came says what stands where something else was expected.
func came(v strictjson.Value) string {
	s, isString := v.Str()
	switch {
	case !v.Exists():
		return "none"
	case isString:
		return shorten(s)
	case v.Kind() == strictjson.Array && v.Len() == 0:
		return "an empty one"
	}
	return v.Kind().String()
}

// document reads one entry of protocolDocuments. A wrong one is dropped, never repaired.
func (d *Declaration) document(v strictjson.Value) {
	drop := func(at strictjson.Value, format string, args ...any) {
		d.find(at, CodeDeclDropped, format+"; the document is dropped", args...)
	}
	if v.Kind() != strictjson.Object {
		drop(v, "expected an object, found %s", v.Kind())
		return
	}
	var doc DeclaredDocument
	if n := v.Get("name"); n.Exists() {
		var ok bool
		if doc.Name, ok = n.Str(); !ok {
			drop(n, "expected a string for name, found %s", n.Kind())
			return
		}
	}
	var ok bool
	if doc.Source, ok = v.Get("source").Str(); !ok || !validSource(doc.Source) {
		drop(v, "expected an https URL without user name for source, of at most %d bytes, found %s", maxSourceBytes, came(v.Get("source")))
		return
	}
	hash, _ := v.Get("hash").Str()
	var err error
	if doc.Hash, err = canon.ParseDigest(hash); err != nil {
		drop(v, `expected "sha256:" and 64 lower-case hexadecimal digits for hash, found %s`, came(v.Get("hash")))
		return
	}
	d.Documents = append(d.Documents, doc)
}
