package rdfio

import (
	"path"
	"strings"
)

// Syntax is a concrete syntax for RDF. The zero Syntax is none and reads
// nothing.
type Syntax uint8

// The syntaxes.
const (
	Turtle   Syntax = iota + 1 // RDF 1.1 Turtle
	TriG                       // RDF 1.1 TriG
	NTriples                   // RDF 1.1 N-Triples
	NQuads                     // RDF 1.1 N-Quads
	JSONLD                     // JSON-LD 1.1
)

// known describes a syntax; its index is the Syntax less one.
type known struct {
	name       string
	mediaType  string
	extensions []string
}

func table() [5]known {
	return [5]known{
		{"turtle", "text/turtle", []string{".ttl"}},
		{"trig", "application/trig", []string{".trig"}},
		{"ntriples", "application/n-triples", []string{".nt"}},
		{"nquads", "application/n-quads", []string{".nq"}},
		{"jsonld", "application/ld+json", []string{".jsonld", ".json"}},
	}
}

func (s Syntax) known() known {
	t := table()
	if s == 0 || int(s) > len(t) {
		return known{name: "no syntax"}
	}
	return t[s-1]
}

// String returns the name: "turtle", "trig", "ntriples", "nquads" or "jsonld".
func (s Syntax) String() string { return s.known().name }

// MediaType returns the registered media type, without parameters.
func (s Syntax) MediaType() string { return s.known().mediaType }

// Extension returns the usual extension of files, with its dot.
func (s Syntax) Extension() string {
	if e := s.known().extensions; len(e) > 0 {
		return e[0]
	}
	return ""
}

// Syntaxes returns all syntaxes.
func Syntaxes() []Syntax { return []Syntax{Turtle, TriG, NTriples, NQuads, JSONLD} }

// ByName returns the syntax with a name as [Syntax.String] gives it.
func ByName(name string) (Syntax, bool) {
	for i, k := range table() {
		if k.name == name {
			return Syntax(i + 1), true
		}
	}
	return 0, false
}

// ByExtension returns the syntax of files with the extension that a file's name
// ends in: .ttl, .trig, .nt, .nq, .jsonld or .json, in any case.
func ByExtension(file string) (Syntax, bool) {
	ext := strings.ToLower(path.Ext(file))
	for i, k := range table() {
		for _, e := range k.extensions {
			if e == ext {
				return Syntax(i + 1), true
			}
		}
	}
	return 0, false
}

// ByMediaType returns the syntax with a media type, as a Content-Type header has it.
// Parameters are ignored, except that no syntax here has a charset other than UTF-8.
func ByMediaType(header string) (Syntax, bool) {
	essence, parameters, _ := strings.Cut(header, ";")
	for parameters != "" {
		var p string
		p, parameters, _ = strings.Cut(parameters, ";")
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "charset") &&
			!strings.EqualFold(strings.Trim(strings.TrimSpace(value), `"`), "utf-8") {
			return 0, false
		}
	}
	essence = strings.ToLower(strings.TrimSpace(essence))
	for i, k := range table() {
		if k.mediaType == essence {
			return Syntax(i + 1), true
		}
	}
	return 0, false
}
