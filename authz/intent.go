package authz

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Intent is what an intent asks for, as far as authority is concerned (section 8).
type Intent struct {
	// Asks are the actions under test.
	Asks []odrl.Request
	// Policies are the policies that the intent names (section 8.5).
	Policies []string
	// Agent is the party that the intent says is asking, "" for none: a claim.
	Agent string
}

// actions maps stock verbs to request actions (section 8.3). A grant is about the
// control of the target, deliberately not about the right to delegate.
var actions = [...]struct {
	verb   protocol.Verb
	action string
}{
	{protocol.VerbRead, "read"},
	{protocol.VerbCreate, "write"},
	{protocol.VerbUpdate, "modify"},
	{protocol.VerbDelete, "delete"},
	{protocol.VerbAppend, "append"},
	{protocol.VerbList, "read"},
	{protocol.VerbQuery, "read"},
	{protocol.VerbSubscribe, "use"},
	{protocol.VerbGrant, "control"},
}

// modeAction is an access mode with its request action.
type modeAction struct {
	mode   protocol.Modes
	action string
}

// modes maps access modes to request actions (section 8.3).
var modes = [...]modeAction{
	{protocol.ModeRead, "read"},
	{protocol.ModeWrite, "write"},
	{protocol.ModeAppend, "append"},
	{protocol.ModeControl, "control"},
}

// ReadIntent reads what an intent asks for. intent is the node that the valid
// [protocol.Verdict] on the graph names. The attributes are the receiver's own, for every
// ask; the recipient of the intent is added to them, and must be theirs if they have one.
// An error is a refusal: what cannot be mapped is not authorized.
func ReadIntent(graph *rdf.Dataset, intent rdf.Term, attributes map[string][]odrl.Value) (Intent, error) {
	var out Intent
	projected, err := protocol.Project(graph, intent)
	if err != nil {
		return out, err
	}
	action, err := one(graph, graph.Lookup(intent), vocab.A2AAction)
	if err != nil {
		return out, err
	}
	if _, err := classOf(graph, action); err != nil {
		return out, err
	}
	if out.Policies, err = named(graph, intent); err != nil {
		return out, err
	}
	out.Agent = projected.Agent
	out.Asks, err = Asks(projected, attributes)
	return out, err
}

// Asks returns the actions under test of an intent of a stock verb: that of the verb,
// and for a grant also that of each mode, since nobody may pass on more than it holds
// (AZ-8.2). It fails for an intent without a target or of no stock verb, and for one with
// another recipient than the attributes have.
func Asks(in protocol.Intent, attributes map[string][]odrl.Value) ([]odrl.Request, error) {
	if in.Target == "" {
		return nil, fmt.Errorf("expected an intent with a target")
	}
	attributes = maps.Clone(attributes)
	if in.Recipient != "" {
		if attributes == nil {
			attributes = map[string][]odrl.Value{}
		}
		if err := receivedBy(attributes, in.Recipient); err != nil {
			return nil, err
		}
	}
	var asks []odrl.Request
	add := func(action string) {
		if !slices.ContainsFunc(asks, func(r odrl.Request) bool { return r.Action == action }) {
			asks = append(asks, odrl.Request{Action: action, Target: in.Target, Attributes: attributes})
		}
	}
	for _, a := range actions {
		if a.verb == in.Verb {
			add(a.action)
		}
	}
	if len(asks) == 0 {
		return nil, fmt.Errorf("expected an intent of a stock verb")
	}
	for _, m := range modes {
		if in.Modes.Has(m.mode) {
			add(m.action)
		}
	}
	return asks, nil
}
