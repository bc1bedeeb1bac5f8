package shacl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
)

// A Protocol Document and an intent that conforms to it: what an agent checks
// for every message.
const (
	document = `@prefix a2a: <https://w3id.org/jeswr/a2a#>. @prefix schema: <https://schema.org/>. @prefix sh: <http://www.w3.org/ns/shacl#>.
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>. @prefix dcterms: <http://purl.org/dc/terms/>.
<https://alice.pod.example/protocols/grant-access> a a2a:ProtocolDocument; dcterms:title "Grant access"; dcterms:hasVersion "1.0.0"; a2a:requestShape a2a:GrantIntentShape.
a2a:GrantIntentShape a sh:NodeShape; sh:targetClass a2a:Intent;
  sh:property [ a sh:PropertyShape; sh:path a2a:action; sh:minCount 1; sh:maxCount 1; sh:name "action"; sh:node [ a sh:NodeShape; sh:property
    [ a sh:PropertyShape; sh:path rdf:type; sh:minCount 1; sh:hasValue a2a:GrantAction ],
    [ a sh:PropertyShape; sh:path schema:object; sh:minCount 1; sh:name "target"; sh:nodeKind sh:IRI ],
    [ a sh:PropertyShape; sh:path schema:recipient; sh:minCount 1; sh:name "recipient"; sh:nodeKind sh:IRI ],
    [ a sh:PropertyShape; sh:path a2a:mode; sh:minCount 1; sh:name "mode"; sh:nodeKind sh:IRI ] ] ].`
	intent = `@prefix a2a: <https://w3id.org/jeswr/a2a#>. @prefix schema: <https://schema.org/>. @prefix acl: <http://www.w3.org/ns/auth/acl#>.
<urn:a2a:intent:1> a a2a:Intent; a2a:action [ a a2a:GrantAction; schema:object <https://alice.pod.example/notes/>; schema:recipient <https://bob.example/profile#me>; a2a:mode acl:Read, acl:Write ].`
)

func parsed(t testing.TB, text string) rdf.Graph {
	t.Helper()
	d, err := turtle.Parse([]byte(text), turtle.Options{Limits: rdf.Local()})
	if err != nil {
		t.Fatal(err)
	}
	return d.Default()
}

func benchmarkValidate(b *testing.B, shapes, data rdf.Graph) {
	p, err := shacl.Compile(shapes, shacl.CompileOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var r *shacl.Report
	b.ReportAllocs()
	for b.Loop() {
		if r, err = p.Validate(b.Context(), data, shacl.Options{MaxChecks: 1 << 40}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(r.Checks), "checks")
	b.ReportMetric(float64(len(r.Results)+r.Omitted), "results")
}

func BenchmarkIntent(b *testing.B) { benchmarkValidate(b, parsed(b, document), parsed(b, intent)) }

func BenchmarkIntentOnce(b *testing.B) {
	p, err := shacl.Compile(parsed(b, document), shacl.CompileOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if r, err := p.Validate(b.Context(), parsed(b, intent), shacl.Options{}); err != nil || !r.Conforms() {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	g := parsed(b, document)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := shacl.Compile(g, shacl.CompileOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMixed(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			shapes, data := mixed(b, n)
			benchmarkValidate(b, parsed(b, prefixes+shapes), data)
		})
	}
}

// BenchmarkWalk goes through a deep hierarchy from every node of it.
func BenchmarkWalk(b *testing.B) {
	var data strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&data, "ex:n%d ex:parent ex:n%d. ", i+1, i/2)
	}
	benchmarkValidate(b, parsed(b, prefixes+`ex:S sh:targetSubjectsOf ex:parent; sh:property [sh:path [sh:zeroOrMorePath ex:parent]; sh:hasValue ex:n0].`), parsed(b, prefixes+data.String()))
}

func BenchmarkEndToEnd(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		p, err := shacl.Compile(parsed(b, document), shacl.CompileOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if r, err := p.Validate(b.Context(), parsed(b, intent), shacl.Options{}); err != nil || !r.Conforms() {
			b.Fatal(err)
		}
	}
}
