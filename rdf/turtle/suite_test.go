package turtle_test

import (
	"errors"
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

type parse func([]byte, turtle.Options) (*rdf.Dataset, error)

func evaluated(p parse) func(*testing.T, suite.Case) {
	return func(t *testing.T, c suite.Case) {
		got, err := p(suite.ReadFile(t, c.Action), turtle.Options{Base: c.Base, File: c.Action})
		if err != nil {
			t.Fatal(err)
		}
		want, err := nquads.Parse(suite.ReadFile(t, c.Result), nquads.Options{File: c.Result})
		if err != nil {
			t.Fatal(err)
		}
		if !suite.Isomorphic(got, want) {
			t.Errorf("got\n%swant\n%s", nquads.Append(nil, got), nquads.Append(nil, want))
		}
	}
}

func accepted(p parse) func(*testing.T, suite.Case) {
	return func(t *testing.T, c suite.Case) {
		if _, err := p(suite.ReadFile(t, c.Action), turtle.Options{Base: c.Base, File: c.Action}); err != nil {
			t.Error(err)
		}
	}
}

func refused(p parse) func(*testing.T, suite.Case) {
	return func(t *testing.T, c suite.Case) {
		_, err := p(suite.ReadFile(t, c.Action), turtle.Options{Base: c.Base, File: c.Action})
		var e *rdf.SyntaxError
		if !errors.As(err, &e) {
			t.Fatalf("got %v, want a syntax error", err)
		}
		if e.Code == "" || e.Place.IsZero() || e.Expected == "" {
			t.Errorf("an error without code, place or text: %+v", e)
		}
	}
}

func TestSuiteTurtle(t *testing.T) {
	t.Parallel()
	suite.NewReport(t, "rdf11-turtle").Run(t, suite.Cases(t, "rdf11-turtle", "manifest.ttl", 313), map[string]func(*testing.T, suite.Case){
		suite.RDFT + "TestTurtleEval":           evaluated(turtle.Parse),
		suite.RDFT + "TestTurtlePositiveSyntax": accepted(turtle.Parse),
		suite.RDFT + "TestTurtleNegativeSyntax": refused(turtle.Parse),
		suite.RDFT + "TestTurtleNegativeEval":   refused(turtle.Parse),
	})
}

func TestSuiteTriG(t *testing.T) {
	t.Parallel()
	suite.NewReport(t, "rdf11-trig").Run(t, suite.Cases(t, "rdf11-trig", "manifest.ttl", 356), map[string]func(*testing.T, suite.Case){
		suite.RDFT + "TestTrigEval":           evaluated(turtle.ParseTriG),
		suite.RDFT + "TestTrigPositiveSyntax": accepted(turtle.ParseTriG),
		suite.RDFT + "TestTrigNegativeSyntax": refused(turtle.ParseTriG),
		suite.RDFT + "TestTrigNegativeEval":   refused(turtle.ParseTriG),
	})
}
