package differential_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// kinds says what random datasets hold.
type kinds struct {
	graphs bool // named graphs
	odd    bool // control characters and the like in literals
	ascii  bool // IRIs of ASCII alone
	lower  bool // language tags in lower case alone
	blanks int  // the number of blank nodes
}

// random makes a dataset, the same for the same seed.
func random(t testing.TB, seed uint64, k kinds) *rdf.Dataset {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	beyond := "http://e.example/é"
	if k.ascii {
		beyond = "http://e.example/e"
	}
	iri := func() string {
		return "<" + pick(beyond, "http://e.example/a", "http://e.example/b#c", "urn:x:y", "http://e.example/%7Ea?q=1", "http://e.example/") + ">"
	}
	austrian := "@de-AT"
	if k.lower {
		austrian = "@de-at"
	}
	resource := func() string {
		if k.blanks > 0 && r.IntN(2) == 0 {
			return fmt.Sprintf("_:n%d", r.IntN(k.blanks))
		}
		return iri()
	}
	literal := func() string {
		text := pick("", "a", "two words", "é 😀", `\"quoted\" \\ back`, `line\nbreak`, "-1", "1.5", "true", "<&>")
		if k.odd {
			text += pick("", `\u0001`, `\b\f`, `\u007F`, "\uFFFE", `\t\r`)
		}
		return `"` + text + `"` + pick("", "", "@en", austrian, "^^<http://www.w3.org/2001/XMLSchema#integer>", "^^<http://www.w3.org/2001/XMLSchema#date>", "^^<urn:dt>")
	}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		object := resource()
		if r.IntN(2) == 0 {
			object = literal()
		}
		graph := ""
		if k.graphs && r.IntN(2) == 0 {
			graph = resource()
		}
		fmt.Fprintf(&b, "%s <http://e.example/%s> %s %s .\n", resource(), pick("p", "q", "r"), object, graph)
	}
	d, err := nquads.Parse([]byte(b.String()), nquads.Options{})
	require.NoError(t, err, b.String())
	return d
}
