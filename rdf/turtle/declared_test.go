package turtle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func TestDeclaredPrefixes(t *testing.T) {
	t.Parallel()
	var got []turtle.Prefix
	_, err := turtle.Parse([]byte("@base <http://e/x/> . @prefix a: <../b#> .\nPREFIX : <http://e/c#>\na:x :p [] .\nPREFIX a: <http://e/d#>\n"),
		turtle.Options{Declared: func(p turtle.Prefix) { got = append(got, p) }})
	require.NoError(t, err)
	require.Equal(t, []turtle.Prefix{{Name: "a", IRI: "http://e/b#"}, {Name: "", IRI: "http://e/c#"}, {Name: "a", IRI: "http://e/d#"}}, got)
}
