package turtle

import (
	"cmp"
	"slices"
	"strings"
)

// Namespaces finds, among prefixes, those that an IRI can be written by, in a
// time that hardly depends on how many there are. It is immutable and safe for
// concurrent use; the zero Namespaces has no prefixes.
type Namespaces struct {
	sorted []namespace
}

// namespace is a namespace in the order of their texts.
type namespace struct {
	iri    string
	prefix int // its index as given
	around int // index of the longest other namespace that iri begins with, -1 for none
}

// NewNamespaces prepares prefixes for [Namespaces.Longest]. Of two with the same
// namespace only the first is found.
func NewNamespaces(prefixes []Prefix) *Namespaces {
	sorted := make([]namespace, len(prefixes))
	for i, p := range prefixes {
		sorted[i] = namespace{p.IRI, i, -1}
	}
	slices.SortFunc(sorted, func(a, b namespace) int {
		return cmp.Or(strings.Compare(a.iri, b.iri), cmp.Compare(a.prefix, b.prefix))
	})
	n := &Namespaces{slices.CompactFunc(sorted, func(a, b namespace) bool { return a.iri == b.iri })}
	for i := 1; i < len(n.sorted); i++ {
		n.sorted[i].around = n.upFrom(i-1, n.sorted[i].iri)
	}
	return n
}

// Longest returns the index of the prefix with the longest namespace that an IRI
// begins with and that leaves what fits accepts, -1 where there is none. A nil
// fits accepts everything.
func (n *Namespaces) Longest(iri string, fits func(local string) bool) int {
	at, _ := slices.BinarySearchFunc(n.sorted, iri, func(s namespace, iri string) int {
		if s.iri <= iri {
			return -1 // the place after the last that is not greater
		}
		return 1
	})
	for i := n.upFrom(at-1, iri); i >= 0; i = n.sorted[i].around {
		if s := &n.sorted[i]; fits == nil || fits(iri[len(s.iri):]) {
			return s.prefix
		}
	}
	return -1
}

// upFrom returns the first namespace, from an index on and outwards, that an IRI
// begins with. When the index is that of the last namespace that is not greater
// than the IRI, it is the longest of all: what lies between a beginning of the
// IRI and the IRI begins so, too.
func (n *Namespaces) upFrom(i int, iri string) int {
	for i >= 0 && !strings.HasPrefix(iri, n.sorted[i].iri) {
		i = n.sorted[i].around
	}
	return i
}
