package authz

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Mapping says what the intents of one Protocol Document ask for (AZ-8.1). Keep it by the
// document's hash: the hash says exactly what the terms of its intents mean.
type Mapping struct {
	// Actions are by the IRI of a class of actions.
	Actions map[string]ActionMapping
	// MaxAsks is how many asks an intent may come to; a number that is not positive means
	// that of [DefaultLimits]. An [Authorizer] looks at no more than its own limit.
	MaxAsks int
}

// claimBytes bounds a literal that a requester says: it is recorded with every ask.
const claimBytes = 256

// ActionMapping says what an intent with an action of a class asks for.
type ActionMapping struct {
	Action string // of ODRL: its IRI or short name
	Target string // the IRI of the property that leads from the action to its target
	// Attributes are the properties of the action whose values are those of a left
	// operand, by its short name or IRI: purpose, recipient, spatial or systemDevice. The
	// values are what the requester says about what it asks for. What the other left
	// operands of the delegation profile are about is the receiver's to state, and no
	// requester's: the time (dateTime, elapsedTime), how often something was done (count),
	// the place in a chain (delegationDepth), and which duties were fulfilled
	// (fulfilled:ACTION).
	Attributes map[string]string
}

// claimable are the left operands whose values a requester may state.
var claimable = [...]string{"purpose", "recipient", "spatial", "systemDevice"}

// operandName returns the short name of a left operand of ODRL.
func operandName(name string) string { return strings.TrimPrefix(name, vocab.ODRL) }

// Check fails for a mapping that would let a requester state what is the receiver's to
// state, and for one that permits nothing or reads nothing: an action that the delegation
// profile does not know, a property that is not an IRI, a left operand that stands twice,
// by both of its names. [Mapping.ReadIntent] refuses every intent of such a class; whoever
// makes a mapping learns of it here before one comes.
func (m Mapping) Check() error {
	for _, class := range slices.Sorted(maps.Keys(m.Actions)) {
		mapped := m.Actions[class]
		if err := mapped.check(); err != nil {
			return fmt.Errorf("the mapping of <%s>: %w", rdf.Abbreviate(class), err)
		}
	}
	return nil
}

func (a *ActionMapping) check() error {
	if !odrl.DelegationProfile.Covers(a.Action, a.Action) {
		return fmt.Errorf("expected an action of the delegation profile, found %q", rdf.Abbreviate(a.Action))
	}
	if rdf.CheckIRI(a.Target) != nil {
		return fmt.Errorf("expected the IRI of a property for the target, found %q", rdf.Abbreviate(a.Target))
	}
	for _, name := range slices.Sorted(maps.Keys(a.Attributes)) {
		_, twice := a.Attributes[operandName(name)]
		switch property := a.Attributes[name]; {
		case !slices.Contains(claimable[:], operandName(name)):
			return fmt.Errorf("expected an attribute that a requester may state (%s), found %q", strings.Join(claimable[:], ", "), rdf.Abbreviate(name))
		case rdf.CheckIRI(property) != nil:
			return fmt.Errorf("expected the IRI of a property for %s, found %q", operandName(name), rdf.Abbreviate(property))
		case twice && operandName(name) != name:
			return fmt.Errorf("expected one property for %s, found two", operandName(name))
		}
	}
	return nil
}

// ReadIntent reads what an intent asks for, as the function [ReadIntent] does for stock
// verbs. Each of several targets is an ask of its own, and so is each access mode for it,
// whatever the class (AZ-8.2); a recipient is that of every ask. The attributes are the
// receiver's own, and win over what the action says.
//
// It fails for an action whose class is not mapped or whose mapping does not pass
// [Mapping.Check], for one without a target, for a target that is not an IRI, for a mode
// that is not one of the four, for more asks than [Mapping.MaxAsks], for several values of a
// left operand, a blank node or a literal of more than 256 bytes in the place of one, and for a recipient that is not an IRI or another than the attributes have.
// Several values would ask for all of them, and one that is permitted satisfies a
// constraint. It fails as well where the attributes have a count and there are several
// targets: each is a use, and no one number counts them.
func (m Mapping) ReadIntent(graph *rdf.Dataset, intent rdf.Term, attributes map[string][]odrl.Value) (Intent, error) {
	var out Intent
	var err error
	if out.Policies, err = named(graph, intent); err != nil {
		return out, err
	}
	action, err := one(graph, graph.Lookup(intent), vocab.A2AAction)
	if err != nil {
		return Intent{}, err
	}
	class, err := classOf(graph, action)
	if err != nil {
		return Intent{}, err
	}
	mapped, ok := m.Actions[class]
	if !ok {
		return Intent{}, errors.New("expected an action of a class that is mapped")
	}
	if err := mapped.check(); err != nil {
		return Intent{}, err
	}
	attributes = maps.Clone(attributes)
	if attributes == nil {
		attributes = map[string][]odrl.Value{}
	}
	if err := mapped.claims(graph, action, attributes); err != nil {
		return Intent{}, err
	}
	if err := addRecipient(graph, action, vocab.SchemaRecipient, attributes); err != nil {
		return Intent{}, err
	}
	actions, err := withModes(graph, action, mapped.Action)
	if err != nil {
		return Intent{}, err
	}
	for _, node := range []rdf.ID{action, graph.Lookup(intent)} {
		for _, v := range objects(graph, node, vocab.SchemaAgent) {
			if agent := graph.Value(v); graph.Kind(v) != rdf.KindIRI || out.Agent != "" && out.Agent != agent {
				return Intent{}, errors.New("expected at most one agent that is an IRI")
			}
			out.Agent = graph.Value(v)
		}
	}
	targets := objects(graph, action, mapped.Target)
	if len(targets) > 1 && stated(attributes, "count") {
		return Intent{}, fmt.Errorf("expected one target where a count is known, found %d", len(targets))
	}
	most := m.MaxAsks
	if most <= 0 {
		most = DefaultLimits().Asks
	}
	if n := len(targets) * len(actions); n > most {
		return Intent{}, fmt.Errorf("expected at most %d actions, found %d", most, n)
	}
	for _, v := range targets {
		if graph.Kind(v) != rdf.KindIRI {
			return Intent{}, fmt.Errorf("expected an IRI for the target, found a %s", graph.Kind(v))
		}
		for _, a := range actions {
			out.Asks = append(out.Asks, odrl.Request{Action: a, Target: graph.Value(v), Attributes: attributes})
		}
	}
	if len(out.Asks) == 0 {
		return Intent{}, errors.New("expected an intent with a target")
	}
	return out, nil
}

// withModes returns the action under test and those of the access modes of an action:
// nobody may pass on more than it holds, by whatever class it asks for that.
func withModes(graph *rdf.Dataset, action rdf.ID, mapped string) ([]string, error) {
	all := []string{mapped}
	for _, v := range objects(graph, action, vocab.A2AMode) {
		mode := slices.IndexFunc(modes[:], func(m modeAction) bool {
			return graph.Kind(v) == rdf.KindIRI && slices.Contains(m.mode.IRIs(), graph.Value(v))
		})
		if mode < 0 {
			return nil, fmt.Errorf("expected an access mode, found %s", graph.Term(v).Abbreviated())
		}
		if a := modes[mode].action; odrl.ActionIRI(a) != odrl.ActionIRI(mapped) {
			all = append(all, a)
		}
	}
	return all, nil
}

// stated reports whether attributes have a left operand by either of its names.
func stated(attributes map[string][]odrl.Value, operand string) bool {
	_, byName := attributes[operand]
	_, byIRI := attributes[vocab.ODRL+operand]
	return byName || byIRI
}

// claims adds what an action says about itself to the attributes of the receiver.
func (a *ActionMapping) claims(graph *rdf.Dataset, action rdf.ID, attributes map[string][]odrl.Value) error {
	for _, name := range slices.Sorted(maps.Keys(a.Attributes)) {
		operand, property := operandName(name), a.Attributes[name]
		if operand == "recipient" {
			if err := addRecipient(graph, action, property, attributes); err != nil {
				return err
			}
			continue
		}
		all := objects(graph, action, property)
		switch {
		case len(all) == 0 || stated(attributes, operand):
		case len(all) > 1:
			return fmt.Errorf("expected at most one %s, found %d", operand, len(all))
		case graph.Kind(all[0]) == rdf.KindBlank:
			return fmt.Errorf("expected an IRI or a literal for %s, found a blank node", operand)
		case graph.Kind(all[0]) == rdf.KindLiteral && len(graph.Value(all[0])) > claimBytes:
			return fmt.Errorf("expected at most %d bytes for %s, found %d", claimBytes, operand, len(graph.Value(all[0])))
		default:
			attributes[operand] = []odrl.Value{odrl.TermValue(graph.Term(all[0]))}
		}
	}
	return nil
}

// addRecipient adds the recipient of an action by a property to the attributes, as it is one
// of every stock verb that has it: a prohibition to that party must find it.
func addRecipient(graph *rdf.Dataset, action rdf.ID, property string, attributes map[string][]odrl.Value) error {
	all := objects(graph, action, property)
	if len(all) == 0 {
		return nil
	}
	if len(all) > 1 || graph.Kind(all[0]) != rdf.KindIRI {
		return errors.New("expected at most one recipient that is an IRI")
	}
	return receivedBy(attributes, graph.Value(all[0]))
}

// receivedBy adds a recipient to attributes, which must have no other.
func receivedBy(attributes map[string][]odrl.Value, iri string) error {
	known := false
	for _, name := range recipientNames {
		for _, v := range attributes[name] {
			if known = true; v.String() != iri {
				return errors.New("expected the recipient of the attributes, found another one")
			}
		}
	}
	if !known {
		attributes["recipient"] = []odrl.Value{odrl.Text(strings.Clone(iri))}
	}
	return nil
}

// classOf returns the only class of an action. Any other type is refused (section 8.2):
// what reads the intent after the decision could take the action for one of that type.
func classOf(graph *rdf.Dataset, action rdf.ID) (string, error) {
	classes := objects(graph, action, vocab.RDFType)
	if len(classes) != 1 || graph.Kind(classes[0]) != rdf.KindIRI {
		return "", fmt.Errorf("expected an action of one class, found %d", len(classes))
	}
	return graph.Value(classes[0]), nil
}

// named returns the policies that an intent names; no other node may name any (section
// 8.5).
func named(graph *rdf.Dataset, intent rdf.Term) ([]string, error) {
	all, err := protocol.Policies(graph, intent)
	if err != nil {
		return nil, err
	}
	node := graph.Lookup(intent)
	for q := range graph.Quads() {
		if graph.Value(q.P) == vocab.ODRLHasPolicy && (q.S != node || q.G != 0) {
			return nil, fmt.Errorf("expected odrl:hasPolicy on the intent alone, found it on %s", graph.Term(q.S).Abbreviated())
		}
	}
	return all, nil
}

func objects(graph *rdf.Dataset, s rdf.ID, property string) []rdf.ID {
	p := graph.LookupIRI(property)
	if s == 0 || p == 0 {
		return nil
	}
	var out []rdf.ID
	for q := range graph.Default().Objects(s, p).Quads() {
		out = append(out, q.O)
	}
	return out
}

func one(graph *rdf.Dataset, s rdf.ID, property string) (rdf.ID, error) {
	all := objects(graph, s, property)
	if len(all) != 1 {
		return 0, fmt.Errorf("expected one <%s>, found %d", property, len(all))
	}
	return all[0], nil
}
