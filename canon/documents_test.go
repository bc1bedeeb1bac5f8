package canon_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// documentPrefixes and the documents are the Protocol Documents PD-A and PD-B
// of a2a-rdf, section 2.2.
const documentPrefixes = `
PREFIX a2a: <https://w3id.org/jeswr/a2a#>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX schema: <https://schema.org/>
PREFIX sh: <http://www.w3.org/ns/shacl#>
`

const documentA = documentPrefixes + `
<https://alice.pod.example/protocols/grant-access>
	a a2a:ProtocolDocument ;
	dcterms:title "Grant access" ;
	dcterms:hasVersion "1.0.0" ;
	a2a:requestShape a2a:GrantIntentShape .

a2a:GrantIntentShape a sh:NodeShape ;
	sh:targetClass a2a:Intent ;
	sh:property _:action .

_:action a sh:PropertyShape ; sh:name "action" ; sh:path a2a:action ; sh:minCount 1 ; sh:maxCount 1 ;
	sh:node [ a sh:NodeShape ; sh:property _:mode, _:object, _:recipient, _:type ] .
_:mode a sh:PropertyShape ; sh:name "mode" ; sh:path a2a:mode ; sh:minCount 1 ; sh:nodeKind sh:IRI .
_:object a sh:PropertyShape ; sh:name "target" ; sh:path schema:object ; sh:minCount 1 ; sh:nodeKind sh:IRI .
_:recipient a sh:PropertyShape ; sh:name "recipient" ; sh:path schema:recipient ; sh:minCount 1 ; sh:nodeKind sh:IRI .
_:type a sh:PropertyShape ; sh:path rdf:type ; sh:minCount 1 ; sh:hasValue a2a:GrantAction .
`

const documentB = documentPrefixes + `
<https://alice.pod/protocols/read#v1>
	a a2a:ProtocolDocument ;
	dcterms:title "Read protocol" ;
	dcterms:description "Read a pod resource." ;
	dcterms:hasVersion "1" ;
	a2a:requestShape a2a:ReadIntentShape ;
	a2a:responseShape a2a:ResponseShape .

a2a:ReadIntentShape a sh:NodeShape ; sh:targetClass a2a:Intent ;
	sh:property [ a sh:PropertyShape ; sh:path a2a:action ; sh:minCount 1 ; sh:maxCount 1 ; sh:name "action" ;
		sh:node [ a sh:NodeShape ;
			sh:property [ a sh:PropertyShape ; sh:path rdf:type ; sh:minCount 1 ; sh:hasValue schema:ReadAction ] ;
			sh:property [ a sh:PropertyShape ; sh:path schema:object ; sh:minCount 1 ; sh:name "target" ; sh:nodeKind sh:IRI ] ] ] .

a2a:ResponseShape a sh:NodeShape ; sh:targetClass schema:ReadAction ;
	sh:property [ a sh:PropertyShape ; sh:path rdf:type ; sh:minCount 1 ; sh:hasValue schema:ReadAction ] .
`

// TestDocuments holds the known answers of a2a-rdf, section 3.2.
func TestDocuments(t *testing.T) {
	t.Parallel()
	described := documentA + `<https://alice.pod.example/protocols/grant-access> dcterms:description "Grants a recipient access to a resource." .`
	for _, c := range []struct {
		name, text, want string
		quads            int
	}{
		{"PD-A", documentA, pinA, 37},
		{"PD-A with another title", strings.Replace(documentA, "Grant access", "Grant access (tampered)", 1), "sha256:2e9b98824aac1d7a63a90bda822461cba9281c753cbc022b2a80b8fa0e0ff71f", 37},
		{"PD-A with a description", described, "sha256:f68e3b46628d4e2f8573817c644444c1733b51cbd9f040217a61d0459698a387", 38},
		{"PD-B", documentB, "sha256:838fb80a4235e1d38a3e44162d644047c30b5c86c945d01144358e2ebc8e7cba", 34},
		{"empty", "", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 0},
		{"empty with a comment and a prefix", "# nothing" + documentPrefixes, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, err := turtle.Parse([]byte(c.text), turtle.Options{})
			require.NoError(t, err)
			require.Equal(t, c.quads, d.Len())
			h, err := canon.Hash(t.Context(), d, canon.Options{})
			require.NoError(t, err)
			assert.Equal(t, c.want, h.String())

			r, err := canon.Canonicalize(t.Context(), d, canon.Options{})
			require.NoError(t, err)
			assert.Equal(t, h, canon.Sum(r.NQuads()))
			assert.Equal(t, c.quads, strings.Count(string(r.NQuads()), "\n"))
			if c.quads > 0 {
				assert.NotEqual(t, h, canon.Sum(r.NQuads()[:len(r.NQuads())-1]), "the last line feed counts")
			}
		})
	}
}

// TestDocumentDamage takes each quad away from a document, and says each in
// another graph: every pin must be another one.
func TestDocumentDamage(t *testing.T) {
	t.Parallel()
	d, err := turtle.Parse([]byte(documentA), turtle.Options{})
	require.NoError(t, err)
	pin, err := canon.ParseDigest(pinA)
	require.NoError(t, err)
	seen := map[canon.Digest]bool{pin: true}
	for i := range d.Len() {
		for _, moved := range []bool{false, true} {
			b := rdf.NewBuilder(rdf.Limits{})
			for j := range d.Len() {
				q, g := d.Quad(j), rdf.Term{}
				if j == i && !moved {
					continue
				}
				if j == i {
					if g, err = rdf.NewIRI("urn:g"); err != nil {
						t.Fatal(err)
					}
				}
				require.NoError(t, b.AddTerms(d.Term(q.S), d.Term(q.P), d.Term(q.O), g))
			}
			h, err := canon.Hash(t.Context(), b.Dataset(), canon.Options{})
			require.NoError(t, err)
			assert.False(t, h.Equal(pin))
			assert.False(t, seen[h], "two damages with one pin")
			seen[h] = true
		}
	}
}
