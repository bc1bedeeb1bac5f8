package canon_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
)

// plain is RDFC-1.0 as the specification writes it, with strings and copies:
// the judge of the package's results and of what its budget counts.
type plain struct {
	quads     []plainQuad
	mentions  map[string][]plainQuad // the blank node to quads map
	canonical *plainIssuer
	calls     int
	perms     int
	early     int // calls that steps 5.4.4.3 and 5.4.5.5 saved; never any in one graph
}

type plainQuad [4]rdf.Term

type plainIssuer struct {
	prefix string
	ids    map[string]string
	order  []string
}

func newPlainIssuer(prefix string) *plainIssuer {
	return &plainIssuer{prefix: prefix, ids: map[string]string{}}
}

func (i *plainIssuer) issue(n string) string {
	if _, ok := i.ids[n]; !ok {
		i.ids[n] = fmt.Sprint(i.prefix, len(i.order))
		i.order = append(i.order, n)
	}
	return i.ids[n]
}

func (i *plainIssuer) clone() *plainIssuer {
	return &plainIssuer{i.prefix, maps.Clone(i.ids), slices.Clone(i.order)}
}

func plainHash(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

// nquad serializes a quad; label gives the text of a blank node.
func (q plainQuad) nquad(label func(string) string) string {
	var b strings.Builder
	for _, t := range q {
		switch t.Kind() {
		case rdf.KindNone:
			continue
		case rdf.KindBlank:
			b.WriteString("_:" + label(t.Value()))
		default:
			b.WriteString(t.String())
		}
		b.WriteString(" ")
	}
	return b.String() + ".\n"
}

// canonicalize is section 4.4.3.
func canonicalizePlainly(d *rdf.Dataset) (string, *plain) {
	p := &plain{mentions: map[string][]plainQuad{}, canonical: newPlainIssuer("c14n")}
	for q := range d.Quads() {
		q := plainQuad{d.Term(q.S), d.Term(q.P), d.Term(q.O), d.Term(q.G)}
		p.quads = append(p.quads, q)
		seen := map[string]bool{}
		for _, t := range q {
			if t.Kind() == rdf.KindBlank && !seen[t.Value()] {
				seen[t.Value()] = true
				p.mentions[t.Value()] = append(p.mentions[t.Value()], q)
			}
		}
	}
	hashes := map[string][]string{}
	for _, n := range slices.Sorted(maps.Keys(p.mentions)) {
		h := p.firstDegree(n)
		hashes[h] = append(hashes[h], n)
	}
	for _, h := range slices.Sorted(maps.Keys(hashes)) {
		if len(hashes[h]) == 1 {
			p.canonical.issue(hashes[h][0])
			delete(hashes, h)
		}
	}
	for _, h := range slices.Sorted(maps.Keys(hashes)) {
		type result struct {
			hash   string
			issuer *plainIssuer
		}
		var results []result
		for _, n := range hashes[h] {
			if _, ok := p.canonical.ids[n]; ok {
				continue
			}
			temporary := newPlainIssuer("b")
			temporary.issue(n)
			hash, issuer := p.nDegree(n, temporary)
			results = append(results, result{hash, issuer})
		}
		slices.SortStableFunc(results, func(a, b result) int { return strings.Compare(a.hash, b.hash) })
		for _, r := range results {
			for _, n := range r.issuer.order {
				p.canonical.issue(n)
			}
		}
	}
	var lines []string
	for _, q := range p.quads {
		lines = append(lines, q.nquad(func(n string) string { return p.canonical.ids[n] }))
	}
	slices.Sort(lines)
	return strings.Join(lines, ""), p
}

func (p *plain) firstDegree(n string) string {
	var lines []string
	for _, q := range p.mentions[n] {
		lines = append(lines, q.nquad(func(m string) string {
			if m == n {
				return "a"
			}
			return "z"
		}))
	}
	slices.Sort(lines)
	return plainHash(strings.Join(lines, ""))
}

func (p *plain) related(n string, q plainQuad, issuer *plainIssuer, position string) string {
	input := position
	if position != "g" {
		input += "<" + q[1].Value() + ">"
	}
	if id, ok := p.canonical.ids[n]; ok {
		input += "_:" + id
	} else if id, ok := issuer.ids[n]; ok {
		input += "_:" + id
	} else {
		input += p.firstDegree(n)
	}
	return plainHash(input)
}

// nDegree is section 4.8.3.
func (p *plain) nDegree(n string, issuer *plainIssuer) (string, *plainIssuer) {
	p.calls++
	related := map[string][]string{}
	for _, q := range p.mentions[n] {
		for i, position := range map[int]string{0: "s", 2: "o", 3: "g"} {
			if t := q[i]; t.Kind() == rdf.KindBlank && t.Value() != n {
				h := p.related(t.Value(), q, issuer, position)
				related[h] = append(related[h], t.Value())
			}
		}
	}
	data := ""
	for _, h := range slices.Sorted(maps.Keys(related)) {
		data += h
		chosen, chosenIssuer := "", (*plainIssuer)(nil)
		all := arrangements(related[h])
		if len(all) > 2 {
			p.perms += len(all)
		}
	permutations:
		for _, permutation := range all {
			copied, path, recursion := issuer.clone(), "", []string(nil)
			late := func() bool { return chosen != "" && len(path) >= len(chosen) && path > chosen }
			for _, r := range permutation {
				if id, ok := p.canonical.ids[r]; ok {
					path += "_:" + id
				} else {
					if _, ok := copied.ids[r]; !ok {
						recursion = append(recursion, r)
					}
					path += "_:" + copied.issue(r)
				}
				if late() {
					p.early += len(recursion)
					continue permutations
				}
			}
			for i, r := range recursion {
				hash, result := p.nDegree(r, copied)
				path += "_:" + copied.issue(r) + "<" + hash + ">"
				copied = result
				if late() {
					p.early += len(recursion) - 1 - i
					continue permutations
				}
			}
			if chosen == "" || path < chosen {
				chosen, chosenIssuer = path, copied
			}
		}
		data += chosen
		issuer = chosenIssuer
	}
	return plainHash(data), issuer
}

// arrangements returns the different orders of a list.
func arrangements(list []string) [][]string {
	if len(list) == 0 {
		return [][]string{nil}
	}
	var all [][]string
	list = slices.Sorted(slices.Values(list))
	for i, first := range list {
		if i > 0 && list[i-1] == first {
			continue
		}
		for _, rest := range arrangements(slices.Delete(slices.Clone(list), i, i+1)) {
			all = append(all, append([]string{first}, rest...))
		}
	}
	return all
}
