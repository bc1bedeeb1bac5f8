package rdf

// scope is what a Builder keeps of what it is given.
type scope struct {
	reads   func(predicate string, named bool) bool
	known   map[inGraph]bool // answers of reads
	skipped int              // quads that were not kept
	most    int              // how large the dictionary may become before it is trimmed
}

// inGraph is a predicate in the default graph or in the named ones.
type inGraph struct {
	predicate ID
	named     bool
}

// Scope makes the Builder keep only the quads that somebody will read: those for
// which reads returns true, given the predicate and whether the quad is in a named
// graph. It is called at least once for every such pair in the input, so that it
// also learns what there is.
//
// Everything is still checked. The limit on quads counts all of them, the other
// limits only what is kept. Terms that no kept quad uses are dropped when the
// reader calls [Builder.Trim], so memory depends on what is kept and not on the
// size of the document; the terms that stay keep their order. Call Scope before
// anything is added.
func (b *Builder) Scope(reads func(predicate string, named bool) bool) {
	b.scope = &scope{reads: reads, known: map[inGraph]bool{}, most: trimBytes}
}

// trimBytes is how large a dictionary must be to be worth trimming.
const trimBytes = 4 << 20

// keeps reports whether a quad is one to keep.
func (s *scope) keeps(b *Builder, q Quad) bool {
	k := inGraph{q.P, q.G != 0}
	keep, known := s.known[k]
	if !known {
		keep = s.reads(b.value(q.P), k.named)
		s.known[k] = keep
	}
	if !keep {
		s.skipped++
	}
	return keep
}

// Untidy reports whether [Builder.Trim] has something to do.
func (b *Builder) Untidy() bool { return b.scope != nil && b.dictBytes() > b.scope.most }

// dictBytes is about what the terms take.
func (b *Builder) dictBytes() int { return len(b.text) + 16*len(b.recs) }

// Trim drops the terms that no quad uses, except those that held points to, and
// numbers the rest anew: it updates the IDs in held, and all others that the
// Builder gave out are void. A reader calls it between statements, when
// [Builder.Untidy] says so.
func (b *Builder) Trim(held ...*ID) {
	s := b.scope
	if s == nil {
		return
	}
	if b.scoped == nil { // else labels of earlier documents hide blank nodes of this one
		b.trim(held)
	}
	s.most = max(trimBytes, 2*b.dictBytes())
}

// trim makes the dictionary anew, of the terms that quads and held use.
func (b *Builder) trim(held []*ID) {
	old := b.dict
	ids := make([]ID, len(b.recs)+1) // the new IDs
	const keep = ^ID(0)
	for _, q := range b.quads {
		ids[q.S], ids[q.P], ids[q.O], ids[q.G] = keep, keep, keep, keep
	}
	for _, id := range held {
		ids[*id] = keep
	}
	for id := 1; id < len(ids); id++ { // a datatype came before its literals
		if ids[id] != keep {
			continue
		}
		switch old.kinds[id-1] {
		case KindLiteral:
			ids[old.recs[id-1].aux] = keep
		case kindLangLiteral:
			ids[old.langString] = keep
		}
	}
	ids[0] = 0
	b.dict = dict{langs: old.langs, langIndex: old.langIndex, lastLang: old.lastLang}
	b.blanks = 0
	for id := 1; id < len(ids); id++ {
		if ids[id] == keep {
			ids[id] = b.move(&old, ID(id), ids)
		}
	}
	for i := range b.quads {
		q := &b.quads[i]
		q.S, q.P, q.O, q.G = ids[q.S], ids[q.P], ids[q.O], ids[q.G]
	}
	for _, id := range held {
		*id = ids[*id]
	}
	b.langString, b.xsdString = ids[old.langString], ids[old.xsdString]
	clear(b.scope.known)
	b.begun.text, b.begun.quads, b.begun.recs, b.begun.used = len(b.text), len(b.quads), len(b.recs), b.used
}

// move interns a term of another dictionary, whose datatype has its new ID.
func (b *Builder) move(from *dict, id ID, ids []ID) ID {
	k, aux := from.kinds[id-1], from.recs[id-1].aux
	switch k {
	case kindAnon:
		b.blanks++
		return b.freshBlank()
	case KindBlank:
		b.blanks++
	case KindLiteral:
		aux = uint32(ids[aux])
	}
	text := from.value(id)
	return b.dict.insert(hash(k, aux, text), k, aux, text)
}
