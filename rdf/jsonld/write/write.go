package write

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/piprate/json-gold/ld"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Options says how to write. The zero Options write the expanded form.
type Options struct {
	// Context is the context to compact with, and to write into the document: a
	// JSON object, or an array of some. One that names a remote context is
	// refused.
	Context []byte
	// NativeTypes writes integers of up to 15 digits and booleans, where they are
	// in canonical form, as JSON numbers and booleans (API specification, section
	// 9.3, useNativeTypes, which converts more and can lose precision).
	NativeTypes bool
}

// Errors that [Write] wraps.
var (
	// ErrDiffers says that the text would not say what the dataset says: because
	// of the context if there is one, or because there is no way to write it.
	ErrDiffers = errors.New("read again, the JSON-LD does not say what the dataset says")
	// ErrContext says that the context cannot be used for compaction.
	ErrContext = errors.New("unusable context")
)

// maxNesting bounds how deep lists are written within lists. Most readers accept less,
// and the library would never end with a list that holds itself.
const maxNesting = 500

// Write writes a dataset as JSON-LD, indented, one node object a subject of a
// graph, with lists as @list where that loses nothing. The same dataset gives
// the same text. Blank nodes keep their labels.
//
// It fails with an error that wraps [ErrDiffers] or [ErrContext], with a
// [*canon.LimitError] when the dataset cannot be told from others within the
// default limits of package canon, when ctx is done, and as w does. When it
// fails for another reason than w nothing is written.
func Write(ctx context.Context, w io.Writer, d *rdf.Dataset, o Options) error {
	want, err := canon.Hash(ctx, d, canon.Options{})
	if err != nil {
		return err
	}
	local, err := parseContext(o.Context)
	if err != nil {
		return err
	}
	for _, lists := range []bool{true, false} {
		if lists && brokenLists(d) {
			continue
		}
		var text []byte
		if text, err = serialize(d, local, lists, o.NativeTypes); err == nil {
			err = check(ctx, text, want)
		}
		if err == nil {
			_, err = w.Write(text)
			return err
		}
		if !errors.Is(err, ErrDiffers) {
			return err
		}
	}
	return err
}

// parseContext reads a context strictly, since the library does not, and returns
// it in the library's form, nil for none.
func parseContext(data []byte) (any, error) {
	if len(data) == 0 {
		return nil, nil
	}
	v, err := strictjson.Parse(data, strictjson.Limits{Bytes: 16 << 20, Members: 250_000, Values: 1_000_000})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContext, err)
	}
	if v.Kind() != strictjson.Object && v.Kind() != strictjson.Array {
		return nil, fmt.Errorf("%w: expected an object or an array, found %s", ErrContext, v.Kind())
	}
	// Whatever is wrong with it, our reader says it with a place.
	if _, err := jsonld.Parse([]byte("{}"), jsonld.Options{ExpandContext: data, ProcessingLimits: jsonld.Local()}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContext, err)
	}
	var local any
	if err := json.Unmarshal(data, &local); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContext, err)
	}
	return local, nil
}

// refuse is the loader of the library: there is nothing to load.
type refuse struct{}

// LoadDocument fails.
func (refuse) LoadDocument(iri string) (*ld.RemoteDocument, error) {
	return nil, ld.NewJsonLdError(ld.LoadingRemoteContextFailed, "remote contexts are not loaded: "+rdf.Abbreviate(iri))
}

// hiddenNil stands for rdf:nil where lists must stay as they are: the library
// makes lists of what leads to rdf:nil. No IRI of a dataset has a space.
const hiddenNil = vocab.RDFNil + " "

// serialize writes a dataset by the library; lists says whether it makes lists,
// native whether numbers and booleans are of JSON.
func serialize(d *rdf.Dataset, local any, lists, native bool) ([]byte, error) {
	dataset, err := quads(d, lists)
	if err != nil {
		return nil, err
	}
	options := ld.NewJsonLdOptions("")
	options.DocumentLoader = refuse{}
	// A type is looked for among all types of a node. As a property it is not.
	options.UseRdfType = manyTypes(d)
	expanded, err := ld.NewJsonLdApi().FromRDF(dataset, options)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDiffers, err)
	}
	if err := finish(expanded, native); err != nil {
		return nil, err
	}
	var document any = expanded
	if local != nil {
		if document, err = compact(expanded, local, options); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDiffers, err)
	}
	return text.Bytes(), nil
}

// quads makes a dataset of the library's.
func quads(d *rdf.Dataset, lists bool) (*ld.RDFDataset, error) {
	// One that was read from N-Quads, if only from none, is taken to be without
	// duplicates. In others they are looked for among all values of a property.
	out, err := ld.ParseNQuadsFrom([]byte{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDiffers, err)
	}
	nodes := make([]ld.Node, d.NumTerms()+1) // by ID, each made once
	node := func(id rdf.ID) ld.Node {
		if nodes[id] == nil {
			nodes[id] = newNode(d, id)
		}
		return nodes[id]
	}
	null := d.LookupIRI(vocab.RDFNil)
	for q := range d.Quads() {
		name := "@default"
		if q.G != 0 {
			name = node(q.G).GetValue()
		}
		object := node(q.O)
		if q.O == null && !lists {
			object = ld.NewIRI(hiddenNil)
		}
		out.Graphs[name] = append(out.Graphs[name], ld.NewQuad(node(q.S), node(q.P), object, name))
	}
	return out, nil
}

// brokenLists reports whether some node has a rest of a list and not one first
// member: the library takes it for a list all the same and fails on the member.
func brokenLists(d *rdf.Dataset) bool {
	first, rest := d.LookupIRI(vocab.RDFFirst), d.LookupIRI(vocab.RDFRest)
	if rest == 0 {
		return false
	}
	for _, name := range append(d.GraphNames(), 0) {
		g := d.Graph(name)
		for q := range g.Predicate(rest).Quads() {
			if first == 0 || g.Objects(q.S, first).Len() != 1 {
				return true
			}
		}
	}
	return false
}

func newNode(d *rdf.Dataset, id rdf.ID) ld.Node {
	value := d.Value(id)
	switch d.Kind(id) {
	case rdf.KindIRI:
		return ld.NewIRI(value)
	case rdf.KindBlank:
		return ld.NewBlankNode("_:" + value)
	}
	return ld.NewLiteral(value, d.Value(d.Datatype(id)), d.Lang(id))
}

// manyTypes reports whether some node has more types than people write.
func manyTypes(d *rdf.Dataset) bool {
	const most = 1_000
	n := map[rdf.ID]int{}
	for q := range d.Quads() {
		if d.Value(q.P) != vocab.RDFType {
			continue
		}
		if n[q.S]++; n[q.S] > most {
			return true
		}
	}
	return false
}

// finish gives rdf:nil its name back, makes values native where that is asked
// for, and refuses what is nested too deep, or within itself, for what walks
// through it afterwards.
func finish(expanded []any, native bool) error {
	type open struct {
		v     any
		depth int
	}
	stack := []open{{expanded, 0}}
	for len(stack) > 0 {
		o := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if o.depth > maxNesting {
			return fmt.Errorf("%w: lists are nested more than %d deep", ErrDiffers, maxNesting/2)
		}
		switch v := o.v.(type) {
		case []any:
			for i := range v {
				if v[i] == hiddenNil { // a type
					v[i] = vocab.RDFNil
				}
				stack = append(stack, open{v[i], o.depth + 1})
			}
		case map[string]any:
			if native {
				makeNative(v)
			}
			for name, value := range v {
				if name == "@id" && value == hiddenNil {
					v[name] = vocab.RDFNil
					continue
				}
				stack = append(stack, open{value, o.depth + 1})
			}
		}
	}
	return nil
}

// makeNative makes a value native that reads back as it was.
func makeNative(value map[string]any) {
	text, _ := value["@value"].(string)
	switch value["@type"] {
	case vocab.XSDBoolean:
		if text == "true" || text == "false" {
			value["@value"] = text == "true"
			delete(value, "@type")
		}
	case vocab.XSDInteger:
		const most = 15 // every double holds so many digits
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil && strconv.FormatInt(n, 10) == text && len(strings.TrimPrefix(text, "-")) <= most {
			value["@value"] = float64(n)
			delete(value, "@type")
		}
	}
}

// compact compacts an expanded document.
func compact(expanded []any, local any, options *ld.JsonLdOptions) (any, error) {
	active, err := ld.NewContext(nil, options).Parse(ld.CloneDocument(local))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContext, err)
	}
	compacted, err := ld.NewJsonLdApi().Compact(active, "", expanded, true)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDiffers, err)
	}
	document, ok := compacted.(map[string]any)
	if !ok {
		document = map[string]any{"@graph": compacted}
	}
	document["@context"] = local
	return document, nil
}

// check reads a text again and fails unless its canonical hash is the one wanted.
func check(ctx context.Context, text []byte, want canon.Digest) error {
	limits := rdf.Local()
	limits.Nesting = 2 * maxNesting
	d, err := jsonld.Parse(text, jsonld.Options{Limits: limits, ProcessingLimits: jsonld.Local()})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDiffers, err)
	}
	got, err := canon.Hash(ctx, d, canon.Options{})
	if err != nil {
		return err
	}
	if !got.Equal(want) {
		return ErrDiffers
	}
	return nil
}
