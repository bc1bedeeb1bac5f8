package attack_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing/iotest"
	"unicode"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/cli"
	"github.com/rdfproto/rdfproto/internal/legible"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/xpattern"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/xsd"
	"github.com/rdfproto/rdfproto/shacl"
)

var someShapes = []byte(`@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://example.org/> .
ex:Shape a sh:NodeShape ; sh:targetClass ex:Thing ; sh:property [ sh:path ( ex:a [ sh:zeroOrMorePath ex:b ] ) ; sh:minCount 1 ; sh:pattern "^[a-z]+$" ] ;
  sh:or ( [ sh:closed true ; sh:ignoredProperties ( ex:a ) ] ex:Other ) .
ex:Other a sh:NodeShape ; sh:not [ sh:datatype ex:none ] ; sh:nodeKind sh:IRI .
`)

var someJSONLD = []byte(`{"@context":{"@version":1.1,"ex":"http://example.org/","list":{"@id":"ex:list","@container":"@list"},"n":{"@id":"ex:n","@type":"http://www.w3.org/2001/XMLSchema#integer"}},
"@id":"ex:a","@type":"ex:Thing","list":["one",{"@value":"two","@language":"en"}],"n":["7",8],"ex:in":{"@graph":[{"@id":"ex:b","ex:c":{"@id":"_:d"}}]}}`)

var someQuads = []byte("<urn:a> <urn:b> \"c\\u0064\"@en-GB <urn:g> .\n_:x <urn:b> _:y . # comment\n_:y <urn:b> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> _:x .\n")

var someTriG = []byte("@prefix ex: <http://example.org/> .\nex:g { ex:a ex:b ( 1 2.5 true ) ; ex:c \"\"\"long \"text\" \"\"\"@en . }\nex:a a ex:B .\n")

// reader is an entry point that reads RDF, whole and in pieces, into a dataset and into
// one that holds something: both ways agree, and what is read is written and read again.
func reader(name string, in form, valid [][]byte, s rdfio.Syntax, covers ...string) entry {
	return entry{
		name: name, valid: valid, forms: []form{in}, covers: covers,
		run: func(_ context.Context, data []byte) (outcome, error) {
			d, err := rdfio.Parse(data, s, rdfio.Options{Places: true})
			pieces, err2 := rdfio.Read(iotest.HalfReader(bytes.NewReader(data)), s, rdfio.Options{Places: true})
			if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
				return outcome{}, errors.New("read in pieces it is something else")
			}
			b := rdf.NewBuilder(rdf.Limits{})
			if err3 := rdfio.ParseInto(b, data, s, rdfio.Options{}); (err == nil) != (err3 == nil) {
				return outcome{}, errors.New("read into a dataset it is something else")
			}
			if err != nil {
				return check(err)
			}
			text := nquads.Append(nil, d)
			if !bytes.Equal(text, nquads.Append(nil, pieces)) {
				return outcome{}, errors.New("read in pieces it is something else")
			}
			again, err := nquads.Parse(text, nquads.Options{Limits: rdf.Limits{Bytes: int64(len(text)), TermBytes: 1 << 30}})
			if err != nil || again.Len() != d.Len() {
				return outcome{}, errors.New("what is written is not read again")
			}
			return accepted(""), nil
		},
	}
}

func rdfEntries(w *world) []entry {
	shapes := []form{aShape, inTurtle}
	data := must(turtle.Parse([]byte(`@prefix ex: <http://example.org/> . ex:x a ex:Thing ; ex:a ex:y . ex:y ex:b ex:x, ex:z . ex:z ex:p "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" .`), turtle.Options{}))
	return []entry{
		reader("turtle", inTurtle, one(w.document, w.intent, w.policies[0], someShapes), rdfio.Turtle,
			"rdf/turtle.Parse", "rdf/turtle.ParseInto", "rdf/turtle.Read", "rdf/rdfio.Parse", "rdf/rdfio.ParseInto", "rdf/rdfio.Read", "rdf/rdfio.ReadInto"),
		reader("trig", inTurtle, one(someTriG), rdfio.TriG, "rdf/turtle.ParseTriG", "rdf/turtle.ParseTriGInto", "rdf/turtle.ReadTriG"),
		reader("n-quads", inNQuads, one(someQuads), rdfio.NQuads, "rdf/nquads.Parse", "rdf/nquads.ParseInto", "rdf/nquads.Read", "rdf/nquads.ReadInto"),
		reader("n-triples", inNQuads, one(someQuads[bytes.IndexByte(someQuads, '\n')+1:bytes.LastIndex(someQuads, []byte("_:y"))]), rdfio.NTriples,
			"rdf/nquads.ParseTriples", "rdf/nquads.ParseTriplesInto", "rdf/nquads.ReadTriples", "rdf/nquads.ReadTriplesInto"),
		reader("json-ld", inJSONLD, one(someJSONLD), rdfio.JSONLD, "rdf/jsonld.Parse", "rdf/jsonld.ParseInto", "rdf/jsonld.Read"),
		{
			name: "json-ld, lossy, contexts pinned", covers: []string{"rdf/jsonld.Parse"}, valid: one(someJSONLD, w.w3c), forms: []form{inJSONLD},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := jsonld.Parse(data, jsonld.Options{Base: "https://base.example/", Lossy: true, Contexts: jsonld.Builtin(), RDFDirection: jsonld.I18nDatatype})
				return check(err)
			},
		},
		{
			name: "a context to pin", local: true, covers: []string{"rdf/jsonld.NewContexts"}, valid: one([]byte(`{"@context":{"a":"http://example.org/a"}}`)), forms: []form{inJSONLD},
			run: func(_ context.Context, data []byte) (outcome, error) {
				c, err := jsonld.NewContexts(map[string][]byte{"https://context.example/": data})
				if err == nil {
					_, err = jsonld.Parse([]byte(`{"@context":"https://context.example/","@id":"urn:a","urn:b":"c"}`), jsonld.Options{Contexts: c})
				}
				return check(err)
			},
		},
		{
			name: "json", covers: []string{"internal/strictjson.Parse", "internal/strictjson.Borrow", "internal/strictjson.Canonicalize"}, valid: one(w.card, someJSONLD), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				_, err := strictjson.Parse(data, strictjson.Limits{})
				if _, err2 := strictjson.Borrow(data, strictjson.Limits{}); (err == nil) != (err2 == nil) {
					return outcome{}, errors.New("borrowed, it is read in another way")
				}
				return check(err)
			},
		},
		{
			name: "jcs", covers: []string{"canon.JCS"}, valid: one(w.card, someJSONLD), forms: []form{inJSON},
			run: func(_ context.Context, data []byte) (outcome, error) {
				once, err := canon.JCS(data)
				if err != nil {
					return check(err)
				}
				if twice, err := canon.JCS(once); err != nil || !bytes.Equal(once, twice) {
					return outcome{}, errors.New("the canonical form has another canonical form")
				}
				return accepted(""), nil
			},
		},
		{
			name: "canonical form", covers: []string{"canon.Sum"}, valid: one(someQuads), forms: []form{inNQuads},
			run: func(ctx context.Context, data []byte) (outcome, error) {
				d, err := nquads.Parse(data, nquads.Options{})
				if err != nil {
					return check(err)
				}
				_, err = canon.Hash(ctx, d, canon.Options{})
				return check(err)
			},
		},
		{
			name: "shapes", valid: one(someShapes, w.document), forms: shapes,
			run: func(ctx context.Context, text []byte) (outcome, error) {
				d, err := turtle.Parse(text, turtle.Options{Places: true})
				if err != nil {
					return check(err)
				}
				p, err := shacl.Compile(d.Default(), shacl.CompileOptions{})
				if err != nil {
					return check(err)
				}
				r, err := p.Validate(ctx, data.Default(), shacl.Options{})
				if err == nil {
					r.AppendJSON(nil)
					r, err = p.Validate(ctx, d.Default(), shacl.Options{}) // of itself
				}
				if err == nil && r.Conforms() != (len(r.Results) == 0 && r.Omitted == 0) {
					return outcome{}, errors.New("it conforms with results")
				}
				return check(err)
			},
		},
		{
			name: "data", valid: one([]byte(`@prefix ex: <http://example.org/> . ex:x a ex:Thing ; ex:a ex:y . ex:y ex:b ex:z .`)), forms: []form{inTurtle},
			run: func() func(context.Context, []byte) (outcome, error) {
				p := must(shacl.Compile(must(turtle.Parse(someShapes, turtle.Options{})).Default(), shacl.CompileOptions{}))
				return func(ctx context.Context, text []byte) (outcome, error) {
					d, err := turtle.Parse(text, turtle.Options{})
					if err == nil {
						_, err = p.Validate(ctx, d.Default(), shacl.Options{})
					}
					return check(err)
				}
			}(),
		},
		{
			name: "a pattern", covers: []string{"internal/xpattern.Compile"}, valid: one([]byte(`^[a-z-[aeiou]]+\p{Lu}{2,3}$`)), forms: []form{aPattern},
			run: func(_ context.Context, data []byte) (outcome, error) {
				text := string(data)
				if len(text) > 4096 {
					text = text[:4096] // what uses it bounds it
				}
				re, err := xpattern.Compile(text, "i")
				if err == nil {
					re.MatchString(strings.Repeat("a", 10_000) + "!")
				}
				return check(err)
			},
		},
		{
			name: "terms", valid: one([]byte("2026-12-01T12:00:00Z")), forms: []form{aTerm},
			covers: []string{"rdf.ParseBase", "rdf.NewIRI", "rdf.NewBlank", "rdf.NewLiteral", "rdf.NewLangLiteral", "rdf.NewString", "rdf.Base.Resolve",
				"rdf.Builder.IRI", "rdf.Builder.Blank", "rdf.Builder.Literal", "rdf.Builder.LangLiteral"},
			run: func(_ context.Context, data []byte) (outcome, error) {
				s := string(data)
				base := must(rdf.ParseBase("https://base.example/a/b?c"))
				_, base2 := rdf.ParseBase(s)
				_, resolved := base.Resolve(nil, s)
				_, iri := rdf.NewIRI(s)
				_, blank := rdf.NewBlank(s)
				_, literal := rdf.NewLiteral("x", s)
				_, lang := rdf.NewLangLiteral("x", s)
				for _, err := range []error{base2, resolved, iri, blank, literal, lang} {
					if err == nil {
						continue
					}
					if _, err := check(err); err != nil {
						return outcome{}, err
					}
				}
				b := rdf.NewBuilder(rdf.Limits{})
				_, iri2 := b.IRI(data)
				if (iri == nil) != (iri2 == nil) && len(data) <= rdf.Peer().IRIBytes {
					return outcome{}, errors.New("a builder judges IRIs in another way")
				}
				_, err := rdf.NewString(s)
				return check(err)
			},
		},
		{
			name: "values", valid: one([]byte("7")), forms: []form{aTerm}, covers: []string{"rdf/xsd.Parse", "odrl.Number"},
			run: func(_ context.Context, data []byte) (outcome, error) {
				s := string(data)
				for d := xsd.Unknown + 1; d.String() != "" && d < 64; d++ {
					v, err := xsd.Parse(d, s)
					if (err == nil) != xsd.Valid(d, s) {
						return outcome{}, errors.New("a value that is not valid")
					}
					if err == nil && xsd.Compare(v, v) != xsd.Equal && xsd.Compare(v, v) != xsd.Incomparable {
						return outcome{}, errors.New("a value that is not itself")
					}
				}
				_, err := odrl.Number(s)
				return plain("", err)
			},
		},
		{
			name: "a text for a terminal", covers: []string{"internal/cli.Visible", "internal/cli.Quote", "internal/legible.Printable", "internal/legible.Cut"},
			valid: one([]byte("{\"a\":\"caf\\u00e9 \u202e\"}")), forms: []form{inJSON, aTerm},
			run: func(_ context.Context, data []byte) (outcome, error) {
				if len(data) > 64<<10 {
					data = data[:64<<10] // what is shown is cut
				}
				obeyed := func(s string) bool {
					return strings.ContainsFunc(s, func(r rune) bool {
						return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
					})
				}
				if s := legible.Printable(string(data)); obeyed(s) {
					return outcome{}, fmt.Errorf("a terminal obeys %.200q", s)
				}
				if s := cli.Quote(string(data)); obeyed(s) || strings.ContainsAny(s, "\n\t") {
					return outcome{}, fmt.Errorf("a terminal obeys %.200q", s)
				}
				if _, err := strictjson.Parse(data, strictjson.Limits{}); err != nil {
					return refused(unexplained), nil // only JSON is made visible as such
				}
				text := cli.Visible(data)
				if obeyed(strings.ReplaceAll(string(text), "\r", "")) {
					return outcome{}, fmt.Errorf("a terminal obeys %.200q", text)
				}
				before, err1 := canon.JCS(data)
				after, err2 := canon.JCS(text)
				if (err1 == nil) != (err2 == nil) || !bytes.Equal(before, after) {
					return outcome{}, errors.New("made visible, it says something else")
				}
				return accepted(""), nil
			},
		},
		{
			name: "names of keys, hashes, media types", valid: one([]byte(keyOf(0).Public().Multikey())), forms: []form{aTerm},
			covers: []string{"authz/vc.ParseMultikey", "authz/vc.ParseSecretMultikey", "canon.ParseDigest", "rdf/rdfio.ByMediaType", "protocol.ParseVerb"},
			run: func(_ context.Context, data []byte) (outcome, error) {
				s := string(data)
				if d, err := canon.ParseDigest(s); err == nil && d.String() != s {
					return outcome{}, errors.New("a digest with two spellings")
				}
				rdfio.ByMediaType(s)
				protocol.ParseVerb(s)
				if k, err := vc.ParseSecretMultikey(s); err == nil {
					_ = k.Public()
				}
				k, err := vc.ParseMultikey(s)
				if err == nil && k.Multikey() != s {
					return outcome{}, errors.New("a key with two spellings")
				}
				return plain("", err)
			},
		},
	}
}
