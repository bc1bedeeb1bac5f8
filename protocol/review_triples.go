package protocol

import (
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// triples looks at what gives a document another pin or another meaning for
// another reader (PARSE-11), and at what is not used.
func (r *Review) triples(d *Document) {
	for i := range d.graph.Len() {
		q := d.graph.Quad(i)
		place := d.graph.ObjectPlace(i)
		if d.graph.Value(q.P) == vocab.SHShapesGraph {
			r.warn(FindingShapesGraph, rdf.Term{}, place, "sh:shapesGraph is not followed: the document is all there is (PD-7)")
		}
		if d.graph.Kind(q.O) != rdf.KindLiteral {
			continue
		}
		if lang := d.graph.Lang(q.O); lang != strings.ToLower(lang) {
			r.warn(FindingLanguageCase, rdf.Term{}, place, "the language tag %q is not in lower case: readers that lower it find another pin", rdf.Abbreviate(lang))
		}
		if reason := unusualForm(d.graph.Value(d.graph.Datatype(q.O)), d.graph.Value(q.O)); reason != "" {
			r.warn(FindingLexicalForm, rdf.Term{}, place, "the literal %s %s", d.graph.Term(q.O).Abbreviated(), reason)
		}
	}
	node := d.graph.Lookup(d.node)
	for _, property := range []string{vocab.DCTitle, vocab.DCDescription, vocab.DCHasVersion} {
		values := valuesOf(d.graph, node, property)
		if len(values) > 1 || len(values) == 1 && d.graph.Kind(values[0]) != rdf.KindLiteral {
			r.warn(FindingMetadata, rdf.Term{}, d.placeOf(node), "dcterms:%s is not one literal: it is not shown", strings.TrimPrefix(property, vocab.DC))
		}
	}
}

// unusualForm says what is unusual about a lexical form, "" for nothing. Unusual are
// the forms that a JSON number or boolean never gives: the document gets another pin
// when it is written as JSON-LD.
func unusualForm(datatype, lexical string) string {
	dt, ok := xsd.Lookup(datatype)
	if !ok {
		return ""
	}
	if !xsd.Valid(dt, lexical) {
		return "is no " + dt.String()
	}
	usual := true
	switch {
	case dt == xsd.Boolean:
		usual = lexical == "true" || lexical == "false"
	case xsd.Decimal < dt && dt <= xsd.NegativeInteger:
		usual = plainInteger(lexical)
	case dt == xsd.Decimal:
		whole, fraction, point := strings.Cut(lexical, ".")
		usual = plainInteger(whole) && (!point || fraction == "0" || fraction != "" && !strings.HasSuffix(fraction, "0")) || whole == "-0" && point
	case dt == xsd.Double || dt == xsd.Float:
		usual = plainDouble(lexical)
	}
	if usual {
		return ""
	}
	return "is not in the usual form of " + dt.String() + ": another spelling of the same value has another pin"
}

func plainInteger(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s == "0" || s != "" && s[0] != '0' && s[0] != '+'
}

// plainDouble reports whether a valid form is one that JSON-LD 1.1 gives to a
// number: "1.5E0".
func plainDouble(s string) bool {
	if s == "INF" || s == "-INF" || s == "NaN" || strings.TrimPrefix(s, "-") == "0.0E0" {
		return true
	}
	mantissa, exponent, ok := strings.Cut(s, "E")
	whole, fraction, point := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	return ok && point && len(whole) == 1 && whole != "0" && fraction != "" && (fraction == "0" || !strings.HasSuffix(fraction, "0")) && plainInteger(exponent)
}
