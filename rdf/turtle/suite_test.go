package turtle_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

type parse func([]byte, turtle.Options) (*rdf.Dataset, error)

func (p parse) reader() suite.Reader {
	return func(data []byte, base, file string) (*rdf.Dataset, error) {
		return p(data, turtle.Options{Base: base, File: file})
	}
}

func TestSuiteTurtle(t *testing.T) {
	t.Parallel()
	r := parse(turtle.Parse).reader()
	suite.NewReport(t, "rdf11-turtle").Run(t, suite.Cases(t, "rdf11-turtle", "manifest.ttl", 313), map[string]func(*testing.T, suite.Case){
		suite.RDFT + "TestTurtleEval":           r.Evaluates,
		suite.RDFT + "TestTurtlePositiveSyntax": r.Accepts,
		suite.RDFT + "TestTurtleNegativeSyntax": r.Refuses,
		suite.RDFT + "TestTurtleNegativeEval":   r.Refuses,
	})
}

func TestSuiteTriG(t *testing.T) {
	t.Parallel()
	r := parse(turtle.ParseTriG).reader()
	suite.NewReport(t, "rdf11-trig").Run(t, suite.Cases(t, "rdf11-trig", "manifest.ttl", 356), map[string]func(*testing.T, suite.Case){
		suite.RDFT + "TestTrigEval":           r.Evaluates,
		suite.RDFT + "TestTrigPositiveSyntax": r.Accepts,
		suite.RDFT + "TestTrigNegativeSyntax": r.Refuses,
		suite.RDFT + "TestTrigNegativeEval":   r.Refuses,
	})
}
