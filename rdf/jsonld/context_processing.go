package jsonld

import (
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// contextCall holds the inputs of the context processing algorithm besides the
// active and the local context (section 4.1.2).
type contextCall struct {
	org         *origin      // the text that the local context stands in, for base URL
	remote      *remoteChain // remote contexts
	override    bool         // override protected
	noPropagate bool         // propagate is false
	validating  bool         // validate scoped context is false: a scoped context is being checked where it is defined
}

// remoteChain is the array of remote contexts: those that are being processed,
// the innermost first.
type remoteChain struct {
	pin    *pinned
	outer  *remoteChain
	length int
}

func (r *remoteChain) includes(pin *pinned) bool {
	for ; r != nil; r = r.outer {
		if r.pin == pin {
			return true
		}
	}
	return false
}

// processContext is the context processing algorithm (section 4.1.2). The
// result may be active itself.
func (p *processor) processContext(active *activeContext, local strictjson.Value, call contextCall) (*activeContext, error) {
	// 1) A context is never changed, so that result can be active itself until
	// something differs.
	result := active
	// 2)
	propagate := !call.noPropagate
	if v, ok := local.Get("@propagate").Bool(); ok {
		propagate = v
	}
	// 3)
	if !propagate && result.previous == nil {
		next := *result
		next.previous, next.derived = active, nil
		result = &next
	}
	// 4) and 5)
	if local.Kind() != strictjson.Array {
		return p.processOne(result, local, call, propagate)
	}
	for _, context := range local.Items() {
		// Step 2 does not look into an array, and other readers heed the first of it.
		entry := context.Get("@propagate")
		if b, ok := entry.Bool(); ok && b != propagate && call.org.pin == nil && !call.validating && !p.lossy {
			return nil, refusal(CodeInvalidContextEntry, call.org, entry, "@propagate", "within an array of contexts it is of no effect")
		}
		var err error
		if result, err = p.processOne(result, context, call, propagate); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// processOne is steps 5.1 to 5.13: it processes one context over result.
func (p *processor) processOne(result *activeContext, context strictjson.Value, call contextCall, propagate bool) (*activeContext, error) {
	if err := p.spendContext(call.org, context); err != nil {
		return nil, err
	}
	switch context.Kind() {
	case strictjson.Null:
		// 5.1.1) What an earlier context of the same array has protected counts,
		// too.
		if !call.override && result.protected > 0 {
			return nil, refusal(CodeInvalidContextNullified, call.org, context, "", "")
		}
		// 5.1.2) The original base URL is that of the document.
		if propagate {
			return initialContext, nil
		}
		return &activeContext{previous: result}, nil
	case strictjson.String:
		return p.processRemote(result, context, call)
	case strictjson.Object:
		return p.processInline(result, context, call)
	default:
		// 5.3)
		return nil, refusal(CodeInvalidLocalContext, call.org, context, "", "found "+context.Kind().String())
	}
}

// processRemote is step 5.2: a reference to a remote context.
func (p *processor) processRemote(result *activeContext, context strictjson.Value, call contextCall) (*activeContext, error) {
	// 5.2.1)
	pin, err := p.resolveReference(context, call.org)
	if err != nil {
		return nil, err
	}
	// 5.2.2) Besides the chain, every remote context is checked once as a
	// scoped context and no more, or contexts that refer to each other would be
	// checked as often as there are ways through them. Where it is used, its
	// faults are found again.
	if call.validating {
		if call.remote.includes(pin) || p.validated[pin] {
			return result, nil
		}
		if p.validated == nil {
			p.validated = map[*pinned]bool{}
		}
		p.validated[pin] = true
	}
	// 5.2.3)
	chain := &remoteChain{pin: pin, outer: call.remote, length: 1}
	if call.remote != nil {
		chain.length += call.remote.length
	}
	if chain.length > maxRemote {
		return nil, refusal(CodeContextOverflow, call.org, context, pin.org.name, "")
	}
	// 5.2.4) and 5.2.5) The document was loaded and checked with the table.
	if err := p.usePin(pin, call.org, context); err != nil {
		return nil, err
	}
	// 5.2.6) What comes of it over the same context is always the same.
	plain := call.remote == nil && !call.override && !call.validating && !p.mode10
	if !plain {
		return p.processContext(result, pin.context, contextCall{org: &pin.org, remote: chain, override: call.override, validating: call.validating})
	}
	if result == initialContext {
		if c, err := pin.compile(p.table); c != nil || err != nil {
			return c, err
		}
	}
	return p.derive(derivation{from: result, pin: pin}, func(p *processor) (*activeContext, error) {
		return p.processContext(result, pin.context, contextCall{org: &pin.org, remote: chain})
	})
}

// processInline is steps 5.4 to 5.13. What comes of a known inline context over what
// is made of pinned contexts is always the same, as it is for those.
func (p *processor) processInline(result *activeContext, context strictjson.Value, call contextCall) (*activeContext, error) {
	plain := call.org.pin == nil && call.remote == nil && !call.override && !call.noPropagate && !call.validating && !p.mode10
	if !plain || result.derived == nil && result != initialContext {
		return p.processDefinition(result, context, call)
	}
	known := knownInline(context)
	if known == nil {
		return p.processDefinition(result, context, call)
	}
	return p.derive(derivation{from: result, pin: known}, func(p *processor) (*activeContext, error) {
		c, err := p.processDefinition(result, known.context, contextCall{org: &known.org})
		if err != nil {
			return p.processDefinition(result, context, call) // a fault has its place in the document
		}
		return c, nil
	})
}

// resolveReference finds the pinned context that a reference names.
func (p *processor) resolveReference(v strictjson.Value, org *origin) (*pinned, error) {
	ref := newReference(v, org)
	if pin := p.table.pin(ref.iri); ref.code == "" && pin != nil && pin.missing == nil {
		return pin, nil
	}
	return nil, p.refuseReference(ref)
}

// processDefinition is steps 5.4 to 5.13: a context definition.
func (p *processor) processDefinition(result *activeContext, context strictjson.Value, call contextCall) (*activeContext, error) {
	local, err := p.newLocalContext(context, call)
	if err != nil {
		return nil, err
	}
	next := *result
	next.derived = nil
	// 5.7) Only a context of the document itself sets the base.
	if v := local.base; v.Exists() && call.remote == nil && call.org.pin == nil {
		if next.base, err = p.contextBase(result, v, call.org); err != nil {
			return nil, err
		}
	}
	// 5.8)
	if v := local.vocab; v.Exists() {
		if next.vocab, next.hasVocab, err = p.vocabulary(&next, v, local.org(v)); err != nil {
			return nil, err
		}
	}
	// 5.9)
	switch v := local.language; v.Kind() {
	case strictjson.Absent:
	case strictjson.Null:
		next.language, next.tagged = languageTag{}, false
	case strictjson.String:
		s, _ := v.Str()
		next.language, next.tagged = newTag(s), true
	default:
		return nil, refusal(CodeInvalidDefaultLanguage, local.org(v), v, "", "found "+v.Kind().String())
	}
	// 5.10)
	if v := local.direction; v.Exists() {
		if p.mode10 {
			return nil, refusal(CodeInvalidContextEntry, local.org(v), v, "@direction", reason10)
		}
		if next.direction, err = readDirection(v, local.org(v)); err != nil {
			return nil, err
		}
		if next.direction == nullDirection {
			next.direction = unsetDirection
		}
	}
	// 5.11)
	if err := p.checkFlag(local, local.propagate, "@propagate", CodeInvalidPropagateValue); err != nil {
		return nil, err
	}
	if err := p.checkFlag(local, local.protected, "@protected", CodeInvalidProtectedValue); err != nil {
		return nil, err
	}
	// 5.12) and 5.13)
	if len(local.entries) > 0 {
		if next.terms, err = p.newLayer(next.terms, len(local.entries), call.org, context); err != nil {
			return nil, err
		}
	}
	for i := range local.entries {
		if err := p.createTerm(&next, local, i); err != nil {
			return nil, err
		}
	}
	if err := p.checkScoped(&next, local); err != nil {
		return nil, err
	}
	return &next, nil
}

// checkFlag refuses a member of a context that is neither absent nor a boolean, and in
// processing mode 1.0 any.
func (p *processor) checkFlag(local *localContext, v strictjson.Value, name string, code Code) error {
	switch {
	case !v.Exists():
		return nil
	case p.mode10:
		return refusal(CodeInvalidContextEntry, local.org(v), v, name, reason10)
	case v.Kind() != strictjson.Bool:
		return refusal(code, local.org(v), v, "", "found "+v.Kind().String())
	}
	return nil
}

const reason10 = "it is a feature of JSON-LD 1.1, and the processing mode is 1.0"

// contextBase is step 5.7: the value of @base.
func (p *processor) contextBase(result *activeContext, v strictjson.Value, org *origin) (*contextBase, error) {
	// 5.7.2)
	if v.IsNull() {
		return &contextBase{}, nil
	}
	s, ok := v.Str()
	if !ok {
		return nil, refusal(CodeInvalidBaseIRI, org, v, "", "found "+v.Kind().String())
	}
	// 5.7.3) and 5.7.4) A long base can be that of many short ones.
	if n := p.baseLength(result); n-len(s) > usual {
		if err := p.spendContextBytes(n); err != nil {
			return nil, p.at(err, org, v)
		}
	}
	iri := p.appendIRI(nil, result, expandedIRI{head: s, relative: true})
	base, err := rdf.ParseBase(string(iri))
	switch {
	case err == nil:
		return &contextBase{base: base, length: len(iri)}, nil
	case hasScheme(string(iri)):
		return &contextBase{broken: string(iri), length: len(iri)}, nil
	}
	// 5.7.5)
	return nil, refusal(CodeInvalidBaseIRI, org, v, s, err.Error())
}

// vocabulary is step 5.8: the value of @vocab.
func (p *processor) vocabulary(result *activeContext, v strictjson.Value, org *origin) (string, bool, error) {
	// 5.8.2)
	if v.IsNull() {
		return "", false, nil
	}
	// 5.8.3) A reference is resolved, which 1.0 does not have.
	s, ok := v.Str()
	if !ok {
		return "", false, refusal(CodeInvalidVocabMapping, org, v, "", "found "+v.Kind().String())
	}
	if p.mode10 && !isIRI(s) && !isBlank(s) {
		return "", false, refusal(CodeInvalidVocabMapping, org, v, s, reason10)
	}
	e := p.expandIRI(result, s, true, true)
	iri, err := p.contextIRI(result, e)
	if err != nil {
		return "", false, p.at(err, org, v)
	}
	if e.keyword != noKeyword || e.null || !isIRI(iri) && !isBlank(iri) {
		return "", false, refusal(CodeInvalidVocabMapping, org, v, s, "")
	}
	return iri, true, nil
}

// readDirection reads the value of @direction in a context.
func readDirection(v strictjson.Value, org *origin) (direction, error) {
	if v.IsNull() {
		return nullDirection, nil
	}
	s, _ := v.Str()
	if d := directionOf(s); d != unsetDirection {
		return d, nil
	}
	return unsetDirection, refusal(CodeInvalidBaseDirection, org, v, s, "")
}

// newLayer makes room for n term definitions on top of a layer.
func (p *processor) newLayer(below *layer, n int, org *origin, context strictjson.Value) (*layer, error) {
	if err := p.spendDefinitions(n, org, context); err != nil {
		return nil, err
	}
	if below == nil {
		return &layer{own: make(map[string]*definition, n), size: n}, nil
	}
	if below.depth+1 < maxDepth {
		return &layer{own: make(map[string]*definition, n), below: below, depth: below.depth + 1, size: below.size + n}, nil
	}
	if err := p.spendDefinitions(below.size, org, context); err != nil {
		return nil, err
	}
	own := make(map[string]*definition, below.size+n)
	var layers [maxDepth]*layer
	depth := 0
	for l := below; l != nil; l = l.below {
		layers[depth] = l
		depth++
	}
	for depth--; depth >= 0; depth-- {
		for term, d := range layers[depth].own {
			own[term] = d
			if d == nil {
				delete(own, term)
			}
		}
	}
	return &layer{own: own, size: len(own) + n}, nil
}

// define puts a term into the context that is being made; nil takes it away.
func (c *activeContext) define(term string, d *definition) {
	if old := c.lookup(term); old != nil && old.protected {
		c.protected--
	}
	if d != nil && d.protected {
		c.protected++
	}
	c.terms.own[term] = d
}
