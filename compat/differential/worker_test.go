package differential_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/deiu/rdf2go"
	knakk "github.com/knakk/rdf"
	"github.com/piprate/json-gold/ld"
	gonum "gonum.org/v1/gonum/graph/formats/rdf"

	compatknakk "github.com/rdfproto/rdfproto/compat/knakk"
	compatrdf2go "github.com/rdfproto/rdfproto/compat/rdf2go"
	"github.com/rdfproto/rdfproto/internal/oracle"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

// workerVariable makes the test binary a process that answers questions: some
// implementations never return from some inputs, and others stop the process.
const workerVariable = "RDFPROTO_DIFFERENTIAL_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) != "" {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// worker starts the implementations in Go.
func worker(t testing.TB) *oracle.Process {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return oracle.Start(t, func() *exec.Cmd {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), workerVariable+"=1")
		return cmd
	})
}

// question is what implementations are asked, in Go and elsewhere.
type question struct {
	Ask       string            `json:"ask"`
	Text      string            `json:"text"`
	Syntax    string            `json:"syntax,omitempty"`
	Base      string            `json:"base,omitempty"`
	Documents map[string]string `json:"documents,omitempty"`
}

type answer struct {
	Quads string `json:"quads,omitempty"`
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

func serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		text, err := json.Marshal(reply(q))
		if err != nil {
			return err
		}
		if _, err := out.Write(append(text, '\n')); err != nil {
			return err
		}
	}
}

func reply(q question) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprint("panic: ", r)}
		}
	}()
	quads := func(text string, err error) answer {
		if err != nil {
			return answer{Error: "error: " + err.Error()}
		}
		return answer{Quads: text}
	}
	switch q.Ask {
	case "knakk":
		return quads(byKnakk(q.Text, q.Base, map[string]knakk.Format{"turtle": knakk.Turtle, "ntriples": knakk.NTriples, "nquads": knakk.NQuads}[q.Syntax]))
	case "rdf2go":
		return quads(byRDF2Go(q.Text, q.Base))
	case "gonum/read":
		return quads(byGonumReader(q.Text))
	case "json-gold/read":
		return quads(byJSONGoldReader(q.Text))
	case "json-gold":
		return quads(toRDF(q.Text, q.Base, q.Documents))
	case "gonum":
		return quads(byGonum(q.Text))
	case "json-gold/canonical":
		return quads(byJSONGold(q.Text))
	case "jcs":
		return byJCS(q.Text)
	}
	return answer{Error: "nobody is called " + q.Ask}
}

func quadsOf(d *rdf.Dataset) string {
	if d == nil {
		return ""
	}
	return string(nquads.Append(nil, d))
}

func byKnakk(text, base string, f knakk.Format) (string, error) {
	if f == knakk.NQuads {
		dec := knakk.NewQuadDecoder(strings.NewReader(text), f)
		quads, err := dec.DecodeAll()
		if err != nil {
			return "", err
		}
		d, err := compatknakk.DatasetOfQuads(quads, dec.DefaultGraph, rdf.Local())
		return quadsOf(d), err
	}
	dec := knakk.NewTripleDecoder(strings.NewReader(text), f)
	if base != "" {
		iri, err := knakk.NewIRI(base)
		if err != nil {
			return "", err
		}
		if err := dec.SetOption(knakk.Base, iri); err != nil {
			return "", err
		}
	}
	triples, err := dec.DecodeAll()
	if err != nil {
		return "", err
	}
	d, err := compatknakk.Dataset(triples, rdf.Local())
	return quadsOf(d), err
}

func byRDF2Go(text, base string) (string, error) {
	g := rdf2go.NewGraph(base)
	if err := g.Parse(strings.NewReader(text), "text/turtle"); err != nil {
		return "", err
	}
	d, err := compatrdf2go.Dataset(g, rdf.Local())
	return quadsOf(d), err
}

// byGonumReader reads N-Quads line by line, as the library does.
func byGonumReader(text string) (string, error) {
	var b strings.Builder
	for dec := gonum.NewDecoder(strings.NewReader(text)); ; {
		s, err := dec.Unmarshal()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		b.WriteString(s.String() + "\n")
	}
}

func byJSONGoldReader(text string) (string, error) {
	d, err := ld.ParseNQuadsFrom(text)
	if err != nil {
		return "", err
	}
	out, err := (&ld.NQuadRDFSerializer{}).Serialize(d)
	if err != nil {
		return "", err
	}
	return out.(string), nil
}
