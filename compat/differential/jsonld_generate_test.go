package differential_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// The contexts that documents may name.
var remoteContexts = map[string]string{
	"http://c.example/a": `{"@context":{"t0":"http://e.example/remote0","t1":{"@id":"http://e.example/remote1","@type":"@id"},"T1":{"@id":"http://e.example/RT1","@context":{"t2":"http://e.example/remote2"}}}}`,
	"http://c.example/b": `{"@context":["http://c.example/a",{"@vocab":"http://e.example/remote#","t3":null}]}`,
	"http://c.example/i": `{"@context":{"@version":1.1,"t4":{"@id":"http://e.example/imported","@container":"@set"},"@language":"fr"}}`,
}

// object is a JSON object.
type object = map[string]any

// ldWriter writes documents in JSON-LD with the features of contexts in all
// combinations, most of them valid. The same seed writes the same.
type ldWriter struct {
	*rand.Rand
	plain bool              // without what json-gold gets wrong wherever it stands
	terms map[string]object // the definitions of the outer context, so that values fit them
}

func (w *ldWriter) one(of ...string) string { return of[w.IntN(len(of))] }

func (w *ldWriter) chance(percent int) bool { return w.IntN(100) < percent }

func (w *ldWriter) term() string { return fmt.Sprintf("t%d", w.IntN(8)) }

// encode writes a value as JSON with its numbers as they are.
func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// joinJSON puts a document together of its parts: a context "C...", nodes "N...",
// or a whole one "T...".
func joinJSON(parts []string) string {
	context, nodes := "{}", []string{}
	for _, p := range parts {
		switch p[0] {
		case 'T':
			return p[1:]
		case 'C':
			context = p[1:]
		default:
			nodes = append(nodes, p[1:])
		}
	}
	if len(nodes) == 0 && len(parts) == 0 {
		return "{}"
	}
	return `{"@context":` + context + `,"@graph":[` + strings.Join(nodes, ",") + `]}`
}

func newLDWriter(seed uint64) *ldWriter {
	return &ldWriter{Rand: rand.New(rand.NewPCG(seed, 6)), terms: map[string]object{}}
}

func (w *ldWriter) document() []string {
	parts := []string{"C" + encode(w.context(0))}
	for range 1 + w.IntN(3) {
		parts = append(parts, "N"+encode(w.node(0)))
	}
	return parts
}

func (w *ldWriter) iri() string {
	if w.plain {
		return w.one("http://e.example/a", "http://e.example/b#c", "ex:a", "ex:b", "urn:x:y", "a", "../b", "#f", "b/c", "_:n0", "_:n1", "t0", "T0", "http://e.example/é", "ex:é")
	}
	return w.one("http://e.example/a", "http://e.example/b#c", "ex:a", "ex:b", "urn:x:y", "a", "../b", "#f", "", "?q", "b/c", "_:n0", "_:n1", "t0", "T0", "é", "http://e.example/é", "//h.example/x", "ex:é", "./x")
}

func (w *ldWriter) property() string {
	if w.chance(85) {
		return w.term()
	}
	return w.one("ex:p", "http://e.example/q", "unknown", "ex:q", "_:p", "T0")
}

// context is a local context.
func (w *ldWriter) context(depth int) any {
	switch {
	case depth > 0 && w.chance(6):
		return nil
	case w.chance(5):
		return w.one("http://c.example/a", "http://c.example/b")
	case w.chance(8):
		return []any{w.context(depth + 1), w.context(depth + 1)}
	}
	c := object{}
	if depth == 0 {
		c["ex"] = "http://e.example/"
		if w.chance(60) {
			c["@version"] = json.Number("1.1")
		}
	}
	if w.chance(25) {
		c["@vocab"] = w.one("http://e.example/v#", "http://e.example/", "ex:v/", "", "x/")
		if w.plain {
			c["@vocab"] = "http://e.example/v#"
		}
	}
	if w.chance(4) {
		c["@base"] = w.one("http://b.example/x/y", "z/", "../up", "http://b.example")
	}
	if w.chance(12) {
		c["@language"] = w.one("en", "de-at")
	}
	if w.chance(4) {
		c["@propagate"] = w.chance(50)
	}
	if w.chance(3) {
		c["@protected"] = true
	}
	if w.chance(20) {
		c["id"] = "@id"
	}
	if w.chance(15) {
		c["type"] = "@type"
	}
	if w.chance(8) {
		c["nest"] = "@nest"
	}
	if w.chance(8) {
		c["none"] = "@none"
	}
	n := 2 + w.IntN(5)
	if depth > 0 {
		n = w.IntN(3)
	}
	for range n {
		name := w.term()
		d := w.definition(depth)
		c[name] = d
		if o, ok := d.(object); ok && depth == 0 {
			w.terms[name] = o
		} else if depth == 0 {
			w.terms[name] = object{}
		}
	}
	if w.chance(40) {
		d := object{"@id": "ex:T" + w.one("0", "1")}
		if w.chance(70) {
			d["@context"] = w.context(depth + 1)
		}
		c["T"+w.one("0", "1")] = d
	}
	return c
}

// definition is what a term means.
func (w *ldWriter) definition(depth int) any {
	if w.chance(25) {
		if w.chance(5) {
			return nil
		}
		return w.one("ex:p0", "ex:p1", "http://e.example/p2", "t7", "ex:p3")
	}
	d := object{"@id": w.one("ex:p0", "ex:p1", "ex:p2", "http://e.example/p3", "ex:p4")}
	if w.chance(8) {
		return object{"@reverse": d["@id"]}
	}
	if w.chance(4) {
		return object{"@reverse": d["@id"], "@container": w.one("@set", "@index")}
	}
	switch w.IntN(14) {
	case 0, 1:
		d["@type"] = "@id"
	case 2:
		d["@type"] = "@vocab"
	case 3:
		d["@type"] = "@json"
	case 4:
		d["@type"] = w.one("http://www.w3.org/2001/XMLSchema#date", "ex:dt", "http://www.w3.org/2001/XMLSchema#double", "http://www.w3.org/2001/XMLSchema#integer", "http://www.w3.org/2001/XMLSchema#decimal")
	case 5:
		d["@type"] = "@none"
	case 6:
		d["@language"] = w.one("en", "fr")
	case 7:
		d["@language"] = nil
	}
	switch w.IntN(20) {
	case 0, 1:
		d["@container"] = "@list"
	case 2:
		d["@container"] = "@set"
	case 3:
		d["@container"] = "@index"
	case 4:
		d["@container"] = "@language"
		delete(d, "@type")
	case 5:
		d["@container"] = "@id"
	case 6:
		d["@container"] = "@type"
		delete(d, "@type")
	case 7:
		if !w.plain && w.chance(30) {
			d["@container"] = "@graph"
		}
		delete(d, "@type")
	case 8:
		d["@container"] = []any{"@graph", "@id"}
	case 9:
		d["@container"] = []any{"@graph", "@index"}
	case 10:
		d["@container"] = []any{"@index", "@set"}
	case 11:
		d["@container"], d["@index"] = "@index", w.one("ex:i", "t0", "http://e.example/i")
	}
	if depth < 2 && w.chance(12) {
		d["@context"] = w.context(depth + 1)
	}
	if w.chance(4) {
		d["@nest"] = w.one("@nest", "nest")
	}
	if w.chance(3) {
		d["@protected"] = true
	}
	if w.chance(3) {
		d["@prefix"] = true
	}
	return d
}

func (w *ldWriter) node(depth int) object {
	n := object{}
	if w.chance(75) {
		n[w.one("@id", "@id", "@id", "id")] = w.iri()
	}
	if w.chance(30) {
		var types any = w.one("T0", "T1", "ex:T", "http://e.example/T", "t0", "_:t")
		if w.chance(25) {
			types = []any{types, w.one("T0", "T1", "ex:T2")}
		}
		n[w.one("@type", "@type", "type")] = types
	}
	if depth > 0 && w.chance(6) {
		n["@context"] = w.context(1)
	}
	if w.chance(4) {
		n["@index"] = "i"
	}
	if w.chance(5) {
		n["@reverse"] = object{w.property(): w.values(depth, object{"@type": "@id"})}
	}
	if depth < 3 && w.chance(5) {
		n["@graph"] = []any{w.node(depth + 1)}
	}
	if depth < 3 && w.chance(3) {
		n["@included"] = w.node(depth + 1)
	}
	if w.chance(6) {
		p := w.property()
		n[w.one("@nest", "nest")] = object{p: w.values(depth, w.terms[p])}
	}
	k := 1 + w.IntN(4)
	if depth > 2 {
		k = w.IntN(2)
	}
	for range k {
		p := w.property()
		n[p] = w.values(depth, w.terms[p])
	}
	return n
}

// values fit a definition, mostly.
func (w *ldWriter) values(depth int, d object) any {
	container := fmt.Sprint(d["@container"])
	if w.chance(6) {
		container = ""
	}
	several := func() any {
		switch {
		case w.chance(60):
			return w.value(depth, d)
		case w.chance(10):
			return []any{}
		}
		return []any{w.value(depth, d), w.value(depth, d)}
	}
	key := func(of ...string) string { return of[w.IntN(len(of))] }
	switch {
	case strings.Contains(container, "@language"):
		return object{key("en", "de-at", "@none", "none"): []any{w.one("x", "y")}, "fr": w.one("x", "é")}
	case strings.Contains(container, "@graph") && strings.Contains(container, "@id"):
		return object{key("ex:g", "http://e.example/g", "@none", "rel"): w.node(depth + 1)}
	case strings.Contains(container, "@id"):
		return object{key("ex:k", "http://e.example/k", "@none", "_:k", "rel"): w.node(depth + 1)}
	case strings.Contains(container, "@type"):
		return object{key("T0", "ex:K", "@none", "T1"): w.node(depth + 1)}
	case strings.Contains(container, "@index"):
		return object{key("a", "b", "@none", "none"): several(), "c": several()}
	case d["@reverse"] != nil:
		return w.node(depth + 1)
	}
	return several()
}

func (w *ldWriter) scalar() any {
	switch w.IntN(8) {
	case 0:
		if w.plain {
			return json.Number(w.one("0", "1", "-1", "5.5", "1.0", "1e21", "-0", "0.1", "3.0e2", "9007199254740991", "1e300", "-1.5"))
		}
		return json.Number(w.one("0", "1", "-1", "5.5", "1.0", "1e21", "1e20", "-0", "0.1", "100000000000000000000", "123456789012345680000", "3.0e2", "9007199254740991", "0.30000000000000004", "1e300", "-1.5"))
	case 1:
		return w.chance(50)
	}
	if w.plain {
		return w.one("a", "b", "ex:a", "http://e.example/a", "t0", "T0", "2020-01-01", "rel", "_:n0")
	}
	return w.one("a", "b", "", "é", "a b", "ex:a", "http://e.example/a", "t0", "T0", "2020-01-01", "#f", "rel", "_:n0", "@foo")
}

func (w *ldWriter) value(depth int, d object) any {
	if d["@type"] == "@json" && w.chance(80) {
		return w.json(0)
	}
	if depth > 3 {
		return w.scalar()
	}
	switch w.IntN(16) {
	case 0, 1, 2:
		return w.node(depth + 1)
	case 3:
		return object{"@id": w.iri()}
	case 4:
		return object{"@value": w.scalar(), "@type": w.one("ex:dt", "http://www.w3.org/2001/XMLSchema#date", "t0", "@json")}
	case 5:
		return object{"@value": w.one("x", "", "é"), "@language": w.one("en", "de-at")}
	case 6:
		return object{"@value": w.scalar()}
	case 7:
		items := []any{}
		for range w.IntN(4) {
			items = append(items, w.value(depth+1, d))
		}
		return object{"@list": items}
	case 8:
		return object{"@set": []any{w.value(depth+1, d)}}
	case 9:
		if w.chance(30) {
			return nil
		}
		if w.chance(30) {
			return []any{w.value(depth+1, d), []any{w.value(depth+1, d)}} // a list of lists, where it is one
		}
		return object{"@value": w.scalar(), "@index": "i"}
	}
	return w.scalar()
}

// json is a JSON literal.
func (w *ldWriter) json(depth int) any {
	switch w.IntN(5) {
	case 0:
		if depth < 3 {
			return []any{w.json(depth + 1), w.json(depth + 1)}
		}
	case 1, 2:
		if depth < 3 {
			return object{w.one("b", "é", "\U00010000", "\ufb33", "x"): w.json(depth + 1), "a": w.json(depth + 1)}
		}
	case 3:
		return nil
	}
	return w.scalar()
}
