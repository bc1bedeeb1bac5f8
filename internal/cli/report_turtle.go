package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
)

// writeTurtle writes a report as RDF. It holds terms of the documents, and whoever
// validates one looks at the report before anything has been found good: what a
// terminal would obey and not show is escaped, which changes the text and not the graph.
func (v *validation) writeTurtle(r *shacl.Report, n *shapeNamer) error {
	limits := v.in.limits.read
	d, err := r.Dataset(limits)
	if err != nil {
		return err
	}
	if d, err = visibleLabels(d, limits); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := turtle.Write(&text, d, turtle.WriteOptions{Prefixes: visiblePrefixes(n.Used(d), d)}); err != nil {
		return err
	}
	_, err = v.app.out.Write(visibleTurtle(text.Bytes()))
	return err
}

func isHiddenIn(text string) bool { return strings.IndexFunc(text, hidden) >= 0 }

// visibleLabels gives blank nodes other labels where a label would need an escape, which
// Turtle does not have there.
func visibleLabels(d *rdf.Dataset, limits rdf.Limits) (*rdf.Dataset, error) {
	isHidden := func(id rdf.ID) bool { return d.Kind(id) == rdf.KindBlank && isHiddenIn(d.Value(id)) }
	found := false
	for id := rdf.ID(1); int(id) <= d.NumTerms() && !found; id++ {
		found = isHidden(id)
	}
	if !found {
		return d, nil
	}
	b := rdf.NewBuilder(limits)
	ids := make([]rdf.ID, d.NumTerms()+1)
	var failed error
	moved := func(id rdf.ID) rdf.ID {
		if ids[id] == 0 && failed == nil {
			if isHidden(id) {
				ids[id], failed = b.FreshBlank()
			} else {
				ids[id], failed = b.Term(d.Term(id))
			}
		}
		return ids[id]
	}
	for q := range d.Default().All().Quads() {
		s, p, o := moved(q.S), moved(q.P), moved(q.O)
		if failed == nil {
			failed = b.Add(s, p, o, 0)
		}
		if failed != nil {
			return nil, failed
		}
	}
	return b.Dataset(), nil
}

// visiblePrefixes leaves out what would need an escape in a prefixed name, where Turtle
// has none for these characters: such names, and namespaces of IRIs that hold them.
func visiblePrefixes(prefixes []turtle.Prefix, d *rdf.Dataset) []turtle.Prefix {
	prefixes = slices.DeleteFunc(prefixes, func(p turtle.Prefix) bool { return isHiddenIn(p.Name) })
	namespaces := turtle.NewNamespaces(prefixes)
	around := map[string]bool{} // namespaces of such IRIs
	for id := rdf.ID(1); int(id) <= d.NumTerms(); id++ {
		iri := d.Value(id)
		if d.Kind(id) != rdf.KindIRI || !isHiddenIn(iri) {
			continue
		}
		namespaces.Longest(iri, func(local string) (ok, longer bool) {
			namespace := iri[:len(iri)-len(local)]
			if around[namespace] {
				return true, true // and those around it were seen with it
			}
			around[namespace] = true
			return false, true
		})
	}
	return slices.DeleteFunc(prefixes, func(p turtle.Prefix) bool { return around[p.IRI] })
}

// visibleTurtle escapes in a text of Turtle what [visible] escapes in JSON. It relies on
// these characters standing in IRIs and quoted strings alone: both have UCHAR (RDF 1.1
// Turtle, section 6.4).
func visibleTurtle(text []byte) []byte {
	if bytes.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b bytes.Buffer
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case !hidden(r):
			b.Write(text[:n])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
		text = text[n:]
	}
	return b.Bytes()
}
