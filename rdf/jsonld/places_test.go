package jsonld_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	const document = `{"@context": {"p": "urn:p", "m": {"@id": "urn:m", "@container": "@language"}, "r": {"@reverse": "urn:r"},
  "t": {"@id": "urn:t", "@container": "@type"}, "i": {"@id": "urn:i", "@container": "@index", "@index": "urn:x"}},
 "@id": "urn:s", "@type": ["urn:T", "urn:U"],
 "p": ["é", {"@value": 5},
  {"@id": "urn:o", "urn:q": true}],
 "m": {"en": "x"},
 "r": {"@id": "urn:a", "p": "b"},
 "urn:l": {"@list": ["c"]},
 "t": {"urn:V": {"@id": "urn:v"}},
 "i": {"k": {"@id": "urn:k"}}
}`
	d, err := jsonld.Parse([]byte(document), jsonld.Options{File: "x.jsonld", Places: true})
	require.NoError(t, err)
	require.True(t, d.HasPlaces())
	var got []string
	for i := range d.Len() {
		q := d.Quad(i)
		s, o := d.SubjectPlace(i), d.ObjectPlace(i)
		assert.Equal(t, "x.jsonld", s.File)
		assert.Equal(t, "x.jsonld", o.File)
		subject := d.Term(q.S).String()
		if d.Kind(q.S) == rdf.KindBlank {
			subject = "[]"
		}
		value := d.Term(q.O).String()
		if d.Kind(q.O) == rdf.KindBlank {
			value = "[]"
		}
		got = append(got, fmt.Sprintf("%s %s %s %d:%d %d:%d", subject, d.Value(q.P), value, s.Line, s.Column, o.Line, o.Column))
	}
	slices.Sort(got)
	rdfNS := "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	want := []string{
		`<urn:s> ` + rdfNS + `type <urn:T> 1:1 3:28`,
		`<urn:s> ` + rdfNS + `type <urn:U> 1:1 3:37`,
		`<urn:s> urn:p "é" 1:1 4:8`,
		`<urn:s> urn:p "5"^^<http://www.w3.org/2001/XMLSchema#integer> 1:1 4:24`,
		`<urn:s> urn:p <urn:o> 1:1 5:3`,
		`<urn:o> urn:q "true"^^<http://www.w3.org/2001/XMLSchema#boolean> 5:3 5:29`,
		`<urn:s> urn:m "x"@en 1:1 6:14`,
		`<urn:a> urn:r <urn:s> 7:7 1:1`,
		`<urn:a> urn:p "b" 7:7 7:29`,
		`<urn:s> urn:l [] 1:1 8:11`,
		`[] ` + rdfNS + `first "c" 8:22 8:22`,
		`[] ` + rdfNS + `rest <` + rdfNS + `nil> 8:22 8:11`,
		`<urn:s> urn:t <urn:v> 1:1 9:17`,
		`<urn:v> ` + rdfNS + `type <urn:V> 9:17 9:8`,
		`<urn:s> urn:i <urn:k> 1:1 10:13`,
		`<urn:k> urn:x "k" 10:13 10:8`,
	}
	slices.Sort(want)
	assert.Equal(t, want, got)

	d, err = jsonld.Parse([]byte(document), jsonld.Options{})
	require.NoError(t, err)
	assert.False(t, d.HasPlaces())
}

func TestPlacesOfDirections(t *testing.T) {
	t.Parallel()
	d, err := jsonld.Parse([]byte("{\"urn:p\":\n {\"@value\":\"x\",\"@direction\":\"ltr\"}}"), jsonld.Options{Places: true, RDFDirection: jsonld.CompoundLiteral})
	require.NoError(t, err)
	require.Equal(t, 3, d.Len())
	for i := range d.Len() {
		assert.Equal(t, rdf.Place{Line: 2, Column: 12}, d.ObjectPlace(i))
	}
}

func TestSeveralDocuments(t *testing.T) {
	t.Parallel()
	b := rdf.NewBuilder(rdf.Limits{})
	for i, document := range []string{`{"@id":"_:x","urn:p":1}`, `{"@id":"_:x","urn:p":2}`} {
		require.NoError(t, jsonld.ParseInto(b, []byte(document), jsonld.Options{File: fmt.Sprintf("%d.jsonld", i), Places: true}))
	}
	d := b.Dataset()
	require.Equal(t, 2, d.Len())
	assert.NotEqual(t, d.Quad(0).S, d.Quad(1).S, "labels are of one document")
	assert.Equal(t, "0.jsonld", d.ObjectPlace(0).File)
	assert.Equal(t, "1.jsonld", d.ObjectPlace(1).File)
}

func TestRead(t *testing.T) {
	t.Parallel()
	const document = `{"@id":"urn:s","urn:p":"é"}`
	d, err := jsonld.Read(iotest.OneByteReader(strings.NewReader(document)), jsonld.Options{})
	require.NoError(t, err)
	assert.Equal(t, 1, d.Len())
	_, err = jsonld.Read(iotest.ErrReader(fmt.Errorf("gone")), jsonld.Options{File: "x.jsonld"})
	assert.ErrorContains(t, err, "gone")
	_, err = jsonld.Read(strings.NewReader(document), jsonld.Options{Limits: rdf.Limits{Bytes: 5}})
	var e *rdf.LimitError
	assert.ErrorAs(t, err, &e)
}
