package turtle

import (
	"cmp"
	"slices"
	"strings"
)

// Namespaces finds the prefix that an IRI can be shortened with, in a time that
// hardly depends on how many prefixes there are. It is immutable and safe for
// concurrent use; the zero Namespaces has no prefixes.
type Namespaces struct {
	sorted []namespace // by IRI
}

// namespace is an entry of [Namespaces].sorted.
type namespace struct {
	iri    string
	prefix int // its index as given
	around int // index in sorted of the longest other namespace that iri begins with, -1 for none
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

// Longest returns the index of the prefix with the longest namespace that the IRI
// begins with and after which the rest of it, the local name, fits; -1 if there is
// none. With a nil fits every local name does. Where fits reports that one does not, longer
// says whether one that ends with it may: else none is looked for further out.
func (n *Namespaces) Longest(iri string, fits func(local string) (ok, longer bool)) int {
	at, _ := slices.BinarySearchFunc(n.sorted, iri, func(s namespace, iri string) int {
		if s.iri <= iri {
			return -1 // the place after the last that is not greater
		}
		return 1
	})
	for i := n.upFrom(at-1, iri); i >= 0; i = n.sorted[i].around {
		s := &n.sorted[i]
		if fits == nil {
			return s.prefix
		}
		switch ok, longer := fits(iri[len(s.iri):]); {
		case ok:
			return s.prefix
		case !longer:
			return -1
		}
	}
	return -1
}

// upFrom returns the index of the first namespace that an IRI begins with, from
// index i on and outwards, -1 if there is none. Started at the last namespace that
// is not greater than the IRI, it finds the longest: whatever sorts between a prefix
// of the IRI and the IRI itself begins with that prefix, too.
func (n *Namespaces) upFrom(i int, iri string) int {
	for i >= 0 && !strings.HasPrefix(iri, n.sorted[i].iri) {
		i = n.sorted[i].around
	}
	return i
}
