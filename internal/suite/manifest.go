package suite

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// The vocabularies of manifests.
const (
	MF   = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	RDFT = "http://www.w3.org/ns/rdftest#"
	SHT  = "http://www.w3.org/ns/shacl-test#"
)

// Case is an entry of a manifest in Turtle.
type Case struct {
	ID   string // its IRI relative to the suite: "name" of <#name> in the first manifest
	Type string // the IRI of its type
	Name string // mf:name, or rdfs:label where there is none

	Action string // the file that mf:action names; "" when that is no file
	Result string // the file that mf:result names; "" when that is no file
	Base   string // the action's IRI: mf:assumedTestBase and the file's name

	Manifest string       // the file that has the entry
	IRI      string       // the IRI that the manifest was read with as base
	Data     *rdf.Dataset // what the manifest says
	Node     rdf.ID       // the entry in Data
}

// Cases reads a suite's manifest, a file relative to the suite, and the
// manifests that it includes, in order. t fails unless there are want cases.
func Cases(t testing.TB, name, manifest string, want int) []Case {
	t.Helper()
	l := loader{t: t, dir: Dir(t, name), first: manifest}
	l.read(manifest)
	if len(l.cases) != want {
		t.Fatalf("suite %s: %d cases, recorded are %d", name, len(l.cases), want)
	}
	return l.cases
}

// Run runs every case as a parallel subtest by the handler of its type. A type
// without a handler fails.
func Run(t *testing.T, cases []Case, handlers map[string]func(*testing.T, Case)) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			handler := handlers[c.Type]
			if handler == nil {
				t.Fatalf("no handler for the test type %s", c.Type)
			}
			handler(t, c)
		})
	}
}

// root stands for the suite's folder while manifests are read: their relative
// references become IRIs under it.
const root = "http://suite.invalid/"

type loader struct {
	t     testing.TB
	dir   string
	first string
	seen  map[string]bool
	cases []Case
}

// read reads a manifest: the cases of the manifests that it includes, then its own.
func (l *loader) read(file string) {
	if l.seen[file] {
		l.t.Fatalf("%s is included twice", file)
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[file] = true
	path := filepath.Join(l.dir, file)
	iri := root + file
	d, err := turtle.Parse(ReadFile(l.t, path), turtle.Options{Base: iri, File: path, Limits: rdf.Local()})
	if err != nil {
		l.t.Fatal(err)
	}
	g := d.Default()
	self := d.LookupIRI(iri)
	if self == 0 {
		l.t.Fatalf("%s does not describe itself", path)
	}
	for q := range g.Objects(self, d.LookupIRI(MF+"include")).Quads() {
		l.read(l.relative(d.Value(q.O)))
	}
	assumed := d.Value(g.Object(self, d.LookupIRI(MF+"assumedTestBase")))
	for _, node := range l.list(g, g.Object(self, d.LookupIRI(MF+"entries"))) {
		c := Case{
			ID: l.id(d.Value(node)), Manifest: path, IRI: iri, Data: d, Node: node,
			Type: d.Value(g.Object(node, d.LookupIRI(vocab.RDFType))),
			Name: d.Value(g.Object(node, d.LookupIRI(MF+"name"))),
		}
		if c.Name == "" {
			c.Name = d.Value(g.Object(node, d.LookupIRI(vocab.RDFSLabel)))
		}
		if c.Type == "" {
			l.t.Fatalf("%s: the entry %s has no type", path, c.ID)
		}
		c.Action = l.file(d, g.Object(node, d.LookupIRI(MF+"action")))
		c.Result = l.file(d, g.Object(node, d.LookupIRI(MF+"result")))
		if c.Action != "" && assumed != "" {
			c.Base = assumed + filepath.Base(c.Action)
		}
		l.cases = append(l.cases, c)
	}
}

// list returns the members of a list, and t fails where it is none.
func (l *loader) list(g rdf.Graph, head rdf.ID) (members []rdf.ID) {
	d := g.Dataset()
	first, rest, null := d.LookupIRI(vocab.RDFFirst), d.LookupIRI(vocab.RDFRest), d.LookupIRI(vocab.RDFNil)
	for head != 0 && head != null {
		member := g.Object(head, first)
		if member == 0 || len(members) > g.Len() {
			l.t.Fatal("the entries of a manifest are not a list")
		}
		members = append(members, member)
		head = g.Object(head, rest)
	}
	return members
}

func (l *loader) id(iri string) string {
	s := strings.TrimPrefix(iri, root)
	return strings.TrimPrefix(strings.TrimPrefix(s, l.first), "#")
}

func (l *loader) relative(iri string) string {
	s, ok := strings.CutPrefix(iri, root)
	if !ok {
		l.t.Fatalf("<%s> is outside the suite", iri)
	}
	s, err := url.PathUnescape(s)
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

// file returns the path of the file that an IRI of the suite names.
func (l *loader) file(d *rdf.Dataset, id rdf.ID) string {
	if d.Kind(id) != rdf.KindIRI || !strings.HasPrefix(d.Value(id), root) {
		return ""
	}
	path := filepath.Join(l.dir, l.relative(d.Value(id)))
	if _, err := os.Stat(path); err != nil {
		l.t.Fatal(err)
	}
	return path
}
