package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Intent is an intent of one of the stock verbs (a2a-rdf, sections 7.1 and 7.2).
// The zero Intent is none and cannot be written.
type Intent struct {
	ID         string // the intent's IRI; "" when it was read from a blank node
	Verb       Verb
	Target     string      // the IRI of what the action is about; "" for none
	Recipient  string      // of a grant, the IRI of the agent that gets access
	Modes      Modes       // of a grant
	Agent      string      // the IRI of who asks: a claim, not an identity (INT-8)
	Parameters []Parameter // in the order of their keys, then of their values, when they were read
}

// Parameter is a pair that an intent carries. Several may have one key.
type Parameter struct{ Key, Value string }

// Graph returns the intent as an RDF graph. It fails when the verb is not one of the
// nine, when an IRI is not valid, and when there are a recipient or modes for another
// verb than [VerbGrant]. Whether a Protocol Document allows the graph is what
// [Document.ValidateRequestGraph] says.
func (in Intent) Graph() (*rdf.Dataset, error) {
	if !in.Verb.valid() {
		return nil, fmt.Errorf("expected one of the stock verbs, found none")
	}
	if in.Verb != VerbGrant && (in.Recipient != "" || in.Modes != 0) {
		return nil, fmt.Errorf("expected no recipient and no modes for %s", in.Verb)
	}
	if unknown := in.Modes &^ (ModeRead | ModeWrite | ModeAppend | ModeControl); unknown != 0 {
		return nil, fmt.Errorf("expected none but the four modes, found %#x", uint8(unknown))
	}
	w := newWriter()
	intent, action := w.iri(in.ID), w.blank()
	w.add(intent, vocab.RDFType, w.iri(vocab.A2AIntent))
	w.add(intent, vocab.A2AAction, action)
	w.add(action, vocab.RDFType, w.iri(in.Verb.Class()))
	if in.Target != "" {
		w.add(action, in.Verb.target(), w.iri(in.Target))
	}
	if in.Recipient != "" {
		w.add(action, vocab.SchemaRecipient, w.iri(in.Recipient))
	}
	for _, mode := range in.Modes.IRIs() {
		w.add(action, vocab.A2AMode, w.iri(mode))
	}
	if in.Agent != "" {
		w.add(intent, vocab.SchemaAgent, w.iri(in.Agent))
		w.add(action, vocab.SchemaAgent, w.iri(in.Agent))
	}
	for _, p := range in.Parameters {
		node := w.blank()
		w.add(intent, vocab.A2AParameter, node)
		w.add(node, vocab.RDFType, w.iri(vocab.A2AParameterClass))
		w.add(node, vocab.A2AParamKey, w.text(p.Key))
		w.add(node, vocab.A2AParamValue, w.text(p.Value))
	}
	return w.dataset()
}

// Project reads the one intent of a graph, as [Verdict.Intent] names it, into an
// Intent (a2a-rdf, INT-6). Nothing is guessed: a second action, class, target,
// recipient or agent, a mode that is not one of the four, a parameter without its one
// key and one value, or a value of another kind make the intent "not projectable",
// which is an error. The graph stays usable even so.
func Project(graph *rdf.Dataset, intent rdf.Term) (Intent, error) {
	p := projection{d: graph}
	in := p.project(intent)
	if p.err != nil {
		return Intent{}, fmt.Errorf("the intent is not projectable: %w", p.err)
	}
	return in, nil
}

// Policies returns the values of odrl:hasPolicy of an intent, in order: the
// policies that it claims to exercise, each of which must be in the presented chain
// (a2a-rdf, INT-4). It fails when one is not an IRI.
func Policies(graph *rdf.Dataset, intent rdf.Term) ([]string, error) {
	p := projection{d: graph}
	var all []string
	for _, v := range valuesOf(graph, graph.Lookup(intent), vocab.ODRLHasPolicy) {
		all = append(all, p.iri("odrl:hasPolicy", v))
	}
	if p.err != nil {
		return nil, p.err
	}
	slices.Sort(all)
	return all, nil
}

// projection reads values and keeps the first error.
type projection struct {
	d   *rdf.Dataset
	err error
}

func (p *projection) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *projection) values(s rdf.ID, property string) []rdf.ID { return valuesOf(p.d, s, property) }

func (p *projection) iri(what string, v rdf.ID) string {
	if p.d.Kind(v) != rdf.KindIRI {
		p.fail("expected an IRI for %s, found a %s", what, p.d.Kind(v))
		return ""
	}
	return strings.Clone(p.d.Value(v)) // an Intent does not keep the graph
}

// atMostOne returns the IRI that is the value of a property, "" for none, and refuses
// a second one.
func (p *projection) atMostOne(s rdf.ID, property, what string) string {
	switch v := p.values(s, property); len(v) {
	case 0:
		return ""
	case 1:
		return p.iri(what, v[0])
	default:
		p.fail("expected at most one %s, found %d", what, len(v))
		return ""
	}
}

// none refuses a property that means nothing for the verb.
func (p *projection) none(s rdf.ID, property, what string, v Verb) {
	if len(p.values(s, property)) > 0 {
		p.fail("expected no %s for %s", what, v)
	}
}

func (p *projection) project(node rdf.Term) Intent {
	var in Intent
	intent := p.d.Lookup(node)
	if intent == 0 || node.Kind() == rdf.KindLiteral {
		p.fail("expected an intent, found none")
		return in
	}
	if node.Kind() == rdf.KindIRI {
		in.ID = strings.Clone(node.Value())
	}
	actions := p.values(intent, vocab.A2AAction)
	if len(actions) != 1 {
		p.fail("expected one action, found %d", len(actions))
		return in
	}
	action := actions[0]
	known := 0
	for _, class := range p.values(action, vocab.RDFType) {
		if v, ok := verbOf(p.d.Value(class)); ok && p.d.Kind(class) == rdf.KindIRI {
			in.Verb = v
			known++
		}
	}
	if known != 1 {
		p.fail("expected one of the nine classes of actions, found %d", known)
		return in
	}
	in.Target = p.atMostOne(action, in.Verb.target(), "target")
	other := vocab.SchemaTarget
	if in.Verb == VerbList {
		other = vocab.SchemaObject
	}
	p.none(action, other, "schema:"+strings.TrimPrefix(other, vocab.Schema), in.Verb)
	if in.Verb == VerbGrant {
		in.Recipient = p.atMostOne(action, vocab.SchemaRecipient, "recipient")
		in.Modes = p.modes(action)
	} else {
		p.none(action, vocab.SchemaRecipient, "recipient", in.Verb)
		p.none(action, vocab.A2AMode, "mode", in.Verb)
	}
	in.Agent = p.atMostOne(action, vocab.SchemaAgent, "agent")
	if ofIntent := p.atMostOne(intent, vocab.SchemaAgent, "agent"); in.Agent == "" {
		in.Agent = ofIntent
	} else if ofIntent != "" && ofIntent != in.Agent {
		p.fail("expected one agent, found one of the action and another of the intent")
	}
	in.Parameters = p.parameters(intent)
	return in
}

func (p *projection) modes(action rdf.ID) Modes {
	var m Modes
	for _, v := range p.values(action, vocab.A2AMode) {
		mode := modeOf(p.iri("a mode", v))
		if mode == 0 {
			p.fail("expected a mode of acl:Read, acl:Write, acl:Append and acl:Control, found %s", p.d.Term(v).Abbreviated())
			return 0
		}
		m |= mode
	}
	return m
}

func (p *projection) parameters(intent rdf.ID) []Parameter {
	var all []Parameter
	text := func(node rdf.ID, property, what string) string {
		v := p.values(node, property)
		if len(v) != 1 {
			p.fail("expected one %s of a parameter, found %d", what, len(v))
			return ""
		}
		if p.d.Kind(v[0]) != rdf.KindLiteral || p.d.Value(p.d.Datatype(v[0])) != rdf.XSDString {
			p.fail("expected a plain string for the %s of a parameter, found %s", what, p.d.Term(v[0]).Abbreviated())
			return ""
		}
		return strings.Clone(p.d.Value(v[0]))
	}
	for _, node := range p.values(intent, vocab.A2AParameter) {
		all = append(all, Parameter{text(node, vocab.A2AParamKey, "key"), text(node, vocab.A2AParamValue, "value")})
	}
	slices.SortFunc(all, func(a, b Parameter) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Value, b.Value))
	})
	return all
}
