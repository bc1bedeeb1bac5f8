package jsonld

import "github.com/rdfproto/rdfproto/internal/strictjson"

// localContext is a context definition while it is being processed: the map
// "defined" of the specification together with the entries that it is about.
type localContext struct {
	call contextCall

	base, vocab, language, direction, propagate, protected strictjson.Value

	entries []localEntry
	index   map[string]int // of entries by name, when they are many

	imported *origin // the text of @import, nil if there is none

	scoped []scopedEntry // the scoped contexts of the terms that were defined
}

// scopedEntry is the scoped context of a term.
type scopedEntry struct {
	term    string
	context strictjson.Value
	org     *origin
}

// localEntry is the entry of one term.
type localEntry struct {
	term  string
	name  strictjson.Value
	value strictjson.Value
	state entryState
}

type entryState uint8

const (
	undefined entryState = iota
	beingDefined
	defined
)

// newLocalContext reads a context definition up to its terms: steps 5.5 and 5.6
// of context processing (section 4.1.2).
func (p *processor) newLocalContext(context strictjson.Value, call contextCall) (*localContext, error) {
	local := &localContext{call: call, entries: make([]localEntry, 0, context.Len())}
	var version, imported strictjson.Value
	local.add(context, &version, &imported)
	// 5.5)
	if err := p.checkVersion(version, call.org); err != nil {
		return nil, err
	}
	// 5.6)
	if imported.Exists() {
		pin, err := p.loadImport(imported, call)
		if err != nil {
			return nil, err
		}
		// 5.6.8) Common entries are those of context.
		local.imported = &pin.org
		local.makeIndex()
		var version, none strictjson.Value
		local.add(pin.context, &version, &none)
		if !context.Get("@version").Exists() {
			if err := p.checkVersion(version, &pin.org); err != nil {
				return nil, err
			}
		}
	}
	local.makeIndex()
	return local, nil
}

// add takes over the entries of a context that are not there yet.
func (l *localContext) add(context strictjson.Value, version, imported *strictjson.Value) {
	for i := range context.Len() {
		m := context.Member(i)
		name := m.Str()
		var slot *strictjson.Value
		switch lookupKeyword(name) {
		case kwBase:
			slot = &l.base
		case kwVocab:
			slot = &l.vocab
		case kwLanguage:
			slot = &l.language
		case kwDirection:
			slot = &l.direction
		case kwPropagate:
			slot = &l.propagate
		case kwProtected:
			slot = &l.protected
		case kwVersion:
			slot = version
		case kwImport:
			slot = imported
		default:
			if l.imported == nil || l.find(name) < 0 {
				l.entries = append(l.entries, localEntry{term: name, name: m.Name, value: m.Value})
			}
			continue
		}
		if !slot.Exists() {
			*slot = m.Value
		}
	}
}

// find returns the number of the entry of a term, -1 if there is none.
func (l *localContext) find(term string) int {
	if l.index != nil {
		if i, ok := l.index[term]; ok {
			return i
		}
		return -1
	}
	for i := range l.entries {
		if l.entries[i].term == term {
			return i
		}
	}
	return -1
}

// makeIndex makes a look-up table where looking at all entries would be slow.
func (l *localContext) makeIndex() {
	const few = 8
	if len(l.entries) <= few {
		return
	}
	if l.index == nil {
		l.index = make(map[string]int, len(l.entries))
	}
	for i := len(l.index); i < len(l.entries); i++ {
		l.index[l.entries[i].term] = i
	}
}

// org returns the text that a value of the local context stands in.
func (l *localContext) org(v strictjson.Value) *origin {
	if l.imported != nil && v.SameDocument(l.imported.root) {
		return l.imported
	}
	return l.call.org
}

// checkVersion is step 5.5: the value of @version.
func (p *processor) checkVersion(v strictjson.Value, org *origin) error {
	if !v.Exists() {
		return nil
	}
	// 5.5.1)
	if f, ok := v.Float64(); !ok || f != 1.1 {
		return refusal(CodeInvalidVersionValue, org, v, "", "")
	}
	// 5.5.2)
	if p.mode10 {
		return refusal(CodeProcessingModeConflict, org, v, "", "")
	}
	return nil
}

// loadImport is steps 5.6.1 to 5.6.7: the value of @import.
func (p *processor) loadImport(v strictjson.Value, call contextCall) (*pinned, error) {
	// 5.6.1)
	if p.mode10 {
		return nil, refusal(CodeInvalidContextEntry, call.org, v, "@import", reason10)
	}
	// 5.6.2)
	if v.Kind() != strictjson.String {
		return nil, refusal(CodeInvalidImportValue, call.org, v, "", "found "+v.Kind().String())
	}
	// 5.6.3) to 5.6.5)
	pin, err := p.resolveReference(v, call.org)
	if err != nil {
		return nil, err
	}
	if err := p.usePin(pin, call.org, v); err != nil {
		return nil, err
	}
	// 5.6.6)
	if pin.context.Kind() != strictjson.Object {
		return nil, refusal(CodeInvalidRemoteContext, call.org, v, pin.org.name, "a context that is imported must be an object")
	}
	// 5.6.7)
	if pin.context.Get("@import").Exists() {
		return nil, refusal(CodeInvalidContextEntry, call.org, v, pin.org.name, "a context that is imported cannot import another")
	}
	return pin, nil
}
