package differential_test

import (
	"bytes"
	"fmt"
	gonum "gonum.org/v1/gonum/graph/formats/rdf"
	"io"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deiu/rdf2go"
	knakk "github.com/knakk/rdf"
	"github.com/stretchr/testify/require"

	compatknakk "github.com/rdfproto/rdfproto/compat/knakk"
	compatrdf2go "github.com/rdfproto/rdfproto/compat/rdf2go"
	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

func byKnakk(text, base string, f knakk.Format) (*rdf.Dataset, error) {
	if f == knakk.NQuads {
		dec := knakk.NewQuadDecoder(strings.NewReader(text), f)
		quads, err := dec.DecodeAll()
		if err != nil {
			return nil, err
		}
		return compatknakk.DatasetOfQuads(quads, dec.DefaultGraph, rdf.Local())
	}
	dec := knakk.NewTripleDecoder(strings.NewReader(text), f)
	if base != "" {
		iri, err := knakk.NewIRI(base)
		if err != nil {
			return nil, err
		}
		if err := dec.SetOption(knakk.Base, iri); err != nil {
			return nil, err
		}
	}
	triples, err := dec.DecodeAll()
	if err != nil {
		return nil, err
	}
	return compatknakk.Dataset(triples, rdf.Local())
}

func byRDF2Go(text, base string) (*rdf.Dataset, error) {
	g := rdf2go.NewGraph(base)
	if err := g.Parse(strings.NewReader(text), "text/turtle"); err != nil {
		return nil, err
	}
	return compatrdf2go.Dataset(g, rdf.Local())
}

func byTurtle(name, text, base string) document {
	d, err := turtle.Parse([]byte(text), turtle.Options{Base: base, Limits: rdf.Local()})
	return document{name: name, text: text, base: base, ours: d, err: err}
}

// holds makes a test of the text of a document.
func holds(pattern string) func(document) bool {
	re := regexp.MustCompile(pattern)
	return func(d document) bool { return re.MatchString(d.text) }
}

// relative reports whether a document that is accepted has relative references:
// another base makes something else of it.
func relative(d document) bool {
	if d.err != nil {
		return false
	}
	if strings.Contains(strings.ToLower(d.text), "base") {
		return true
	}
	other, err := turtle.Parse([]byte(d.text), turtle.Options{Base: "urn:other:base", Limits: rdf.Local()})
	return err != nil || !suite.Isomorphic(d.ours, other)
}

func refusedFor(code rdf.Code) func(document) bool {
	return func(d document) bool { return d.refusedFor() == code }
}

func knakkTurtleFaults() []fault {
	return []fault{
		{cause: "accepts blank node labels that are none", holds: holds(`_:(:|[A-Za-z]+:)`)},
		{cause: "replaces escapes that name no character", holds: refusedFor(rdf.CodeInvalidEscape)},
		{cause: "refuses numbers that begin with a point", holds: holds(`[\s][-+]?\.[0-9]`)},
		{cause: "refuses a comma behind a prefix that is a whole name", holds: holds(`:,`), random: true},
		{cause: "refuses a number at the end of a line before a closing bracket", holds: holds(`[0-9]\n\s+[])]`), random: true},
		{cause: "concatenates a base and a relative reference", holds: relative},
	}
}

func rdf2goFaults() []fault {
	return []fault{
		{cause: "writes characters beyond ASCII in IRIs as percent escapes, and keeps escapes of local names", holds: holds(`[^\x00-\x7F]|\\[uU]|:[^\s<>"]*\\[-_~.!$&'()*+,;=/?#@%]`)},
		{cause: "makes a node of an empty list", holds: holds(`\(\s*\)`)},
		{cause: "resolves relative references by rules of its own", holds: relative},
		{cause: "refuses keywords in mixed case", holds: holds(`PreFIX|BaSe`)},
		{cause: "refuses a colon in a local name, and other characters at its beginning", holds: holds(`:[0-9:]|:[^\s<>"]*:`)},
	}
}

// Every document of the suite, accepted or refused.
func TestSuiteTurtle(t *testing.T) {
	t.Parallel()
	ours := []document{}
	for _, c := range suite.Cases(t, "rdf11-turtle", "manifest.ttl", 313) {
		ours = append(ours, byTurtle(c.ID, string(suite.ReadFile(t, c.Action)), c.Base))
	}
	t.Run("knakk", func(t *testing.T) {
		l := newLedger(knakkTurtleFaults())
		for _, d := range ours {
			theirs, err := byKnakk(d.text, d.base, knakk.Turtle)
			l.compare(t, d, theirs, err)
		}
		l.close(t, false)
	})
	t.Run("rdf2go", func(t *testing.T) {
		l := newLedger(rdf2goFaults())
		for _, d := range ours {
			if d.err != nil {
				continue // from some of these it never returns, others stop the process
			}
			theirs, err := byRDF2Go(d.text, d.base)
			l.compare(t, d, theirs, err)
		}
		l.close(t, false)
	})
}

// The lines of the suites of N-Triples and N-Quads.
func TestSuiteLines(t *testing.T) {
	t.Parallel()
	faults := []fault{
		{cause: "accepts blank node labels that are none", holds: refusedFor(rdf.CodeInvalidLabel)},
	}
	for _, s := range []struct {
		name   string
		n      int
		format knakk.Format
		parse  func([]byte, nquads.Options) (*rdf.Dataset, error)
	}{
		{"rdf11-n-triples", 70, knakk.NTriples, nquads.ParseTriples},
		{"rdf11-n-quads", 87, knakk.NQuads, nquads.Parse},
	} {
		t.Run(s.name, func(t *testing.T) {
			l := newLedger(faults)
			for _, c := range suite.Cases(t, s.name, "manifest.ttl", s.n) {
				text := suite.ReadFile(t, c.Action)
				d, err := s.parse(text, nquads.Options{})
				theirs, theirErr := byKnakk(string(text), "", s.format)
				l.compare(t, document{name: c.ID, text: string(text), ours: d, err: err}, theirs, theirErr)
			}
			l.close(t, false)
		})
	}
}

// What our writers write, the others read as the same.
func TestRandomTurtle(t *testing.T) {
	t.Parallel()
	knakks, rdf2gos := newLedger(knakkTurtleFaults()), newLedger(rdf2goFaults())
	for seed := range uint64(400) {
		d := random(t, seed, kinds{blanks: int(seed % 6), odd: seed%4 == 0, ascii: seed%3 > 0})
		var ttl, nt bytes.Buffer
		options := turtle.WriteOptions{}
		if seed%2 == 0 {
			options.Prefixes = []turtle.Prefix{{Name: "e", IRI: "http://e.example/"}, {Name: "xsd", IRI: "http://www.w3.org/2001/XMLSchema#"}}
		}
		require.NoError(t, turtle.Write(&ttl, d, options))
		require.NoError(t, nquads.WriteTriples(&nt, d))
		doc := document{name: fmt.Sprint("seed ", seed), text: ttl.String(), ours: d}
		theirs, err := byKnakk(doc.text, "", knakk.Turtle)
		knakks.compare(t, doc, theirs, err)
		theirs, err = byRDF2Go(doc.text, "")
		rdf2gos.compare(t, doc, theirs, err)

		lines := document{name: doc.name, text: nt.String(), ours: d}
		theirs, err = byKnakk(lines.text, "", knakk.NTriples)
		knakks.compare(t, lines, theirs, err)

		quads := random(t, seed, kinds{blanks: int(seed % 6), odd: seed%4 == 0, graphs: true})
		theirs, err = byKnakk(quadsOf(quads), "", knakk.NQuads)
		knakks.compare(t, document{name: doc.name, text: quadsOf(quads), ours: quads}, theirs, err)
	}
	knakks.close(t, true)
	rdf2gos.close(t, true)
}

// byGonumReader reads N-Quads line by line, as the library does.
func byGonumReader(text string) (*rdf.Dataset, error) {
	var b strings.Builder
	for dec := gonum.NewDecoder(strings.NewReader(text)); ; {
		s, err := dec.Unmarshal()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		b.WriteString(s.String() + "\n")
	}
	return nquads.Parse([]byte(b.String()), nquads.Options{Limits: rdf.Local()})
}

// unparsable reports whether net/url does not parse an IRI of a document.
func unparsable(d document) bool {
	for _, iri := range regexp.MustCompile(`<[^>]*>`).FindAllString(d.text, -1) {
		if u, err := url.Parse(iri[1 : len(iri)-1]); err != nil || !u.IsAbs() {
			return true
		}
	}
	return false
}

// Lines of the suites with a character changed, dropped or put in are accepted
// and refused alike.
func TestDamagedLines(t *testing.T) {
	t.Parallel()
	labels := fault{cause: "accepts blank node labels that are none", holds: refusedFor(rdf.CodeInvalidLabel)}
	escapes := fault{cause: "replaces escapes that name no character", holds: refusedFor(rdf.CodeInvalidEscape)}
	knakks := newLedger([]fault{
		labels, escapes,
		{cause: "refuses an escape within a scheme", holds: holds(`<[^:>]*\\u`)},
	})
	gonums := newLedger([]fault{
		{cause: "takes IRIs for what net/url parses, before escapes", holds: unparsable},
	})
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"<", ">", `"`, "\\", "_", ":", ".", "@", "^", " ", "\t", "a", "0", "-", "#", "é", "\\u0041", "\\uD800", "\\n", "{", "%", "~"}
	for _, c := range suite.Cases(t, "rdf11-n-quads", "manifest.ttl", 87) {
		whole := string(suite.ReadFile(t, c.Action))
		if _, err := nquads.Parse([]byte(whole), nquads.Options{}); err != nil || len(whole) > 400 || whole == "" {
			continue
		}
		for range 40 {
			at := r.IntN(len(whole))
			for !utf8.RuneStart(whole[at]) {
				at--
			}
			_, n := utf8.DecodeRuneInString(whole[at:])
			text := whole[:at] + alphabet[r.IntN(len(alphabet))] + whole[at:]
			switch r.IntN(3) {
			case 0:
				text = whole[:at] + whole[at+n:]
			case 1:
				text = whole[:at] + alphabet[r.IntN(len(alphabet))] + whole[at+n:]
			}
			d, err := nquads.Parse([]byte(text), nquads.Options{})
			doc := document{name: c.ID, text: text, ours: d, err: err}
			theirs, theirErr := byKnakk(text, "", knakk.NQuads)
			knakks.compare(t, doc, theirs, theirErr)
			theirs, theirErr = byGonumReader(text)
			gonums.compare(t, doc, theirs, theirErr)
		}
	}
	knakks.close(t, false)
	gonums.close(t, false)
}
