package odrl

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

const (
	onEverything    = onPolicy | onRules
	onRules         = onPermission | onProhibition | onDuty
	onAnyConstraint = onConstraint | onLogical
)

// nodeKind is what a node is used as, one bit each.
type nodeKind uint16

const (
	onPolicy nodeKind = 1 << iota
	onPermission
	onProhibition
	onDuty
	onConstraint
	onLogical
	onAction
	onMember // a target or an assignee
	onList   // a node of a list of operands
)

// String returns the kind with its article.
func (k nodeKind) String() string {
	switch k {
	case onPolicy:
		return "a policy"
	case onPermission:
		return "a permission"
	case onProhibition:
		return "a prohibition"
	case onDuty:
		return "a duty"
	case onConstraint:
		return "a constraint"
	case onLogical:
		return "a logical constraint"
	case onAction:
		return "an action"
	case onList:
		return "a list"
	}
	return "an asset or a party"
}

// property is an index of properties.
type property uint8

// The properties that the compiler reads.
const (
	propType property = iota
	propUID
	propProfile
	propInheritFrom
	propConflict
	propPermission
	propProhibition
	propObligation
	propDuty
	propConsequence
	propRemedy
	propAction
	propTarget
	propAssigner
	propAssignee
	propConstraint
	propRefinement
	propValue
	propSource
	propPartOf
	propHasPolicy
	propAssigneeOf
	propAssignerOf
	propLeftOperand
	propOperator
	propRightOperand
	propRightOperandReference
	propDataType
	propUnit
	propStatus
	propAnd
	propOr
	propXone
	propAndSequence
	propIsReplacedBy
	propFirst
	propRest
	propDelegatedUnder
	numRead
)

// propertyInfo is a property and the kinds of nodes that it has a meaning on.
type propertyInfo struct {
	iri   string
	nodes nodeKind
}

// properties is every property of ODRL 2.2, and the few of other namespaces that are
// read. Those after numRead are known and change nothing: roles of parties besides
// assigner and assignee, relations of assets besides target, and statements about
// actions, which this package takes from its own table.
var properties = [...]propertyInfo{
	propType:                  {vocab.RDFType, ^nodeKind(0)},
	propUID:                   {vocab.ODRLUID, ^nodeKind(0)},
	propProfile:               {vocab.ODRLProfile, onPolicy},
	propInheritFrom:           {vocab.ODRLInheritFrom, onPolicy},
	propConflict:              {vocab.ODRLConflict, onPolicy},
	propPermission:            {vocab.ODRLPermission, onPolicy},
	propProhibition:           {vocab.ODRLProhibition, onPolicy},
	propObligation:            {vocab.ODRLObligation, onPolicy},
	propDuty:                  {vocab.ODRLDuty, onPermission},
	propConsequence:           {vocab.ODRLConsequence, onDuty},
	propRemedy:                {vocab.ODRLRemedy, onProhibition},
	propAction:                {vocab.ODRLAction, onEverything},
	propTarget:                {vocab.ODRLTarget, onEverything},
	propAssigner:              {vocab.ODRLAssigner, onEverything},
	propAssignee:              {vocab.ODRLAssignee, onEverything},
	propConstraint:            {vocab.ODRLConstraint, onRules},
	propRefinement:            {vocab.ODRLRefinement, onAction | onMember},
	propValue:                 {vocab.RDFValue, onAction},
	propSource:                {vocab.ODRLSource, onMember},
	propPartOf:                {vocab.ODRLPartOf, onMember},
	propHasPolicy:             {vocab.ODRLHasPolicy, onMember},
	propAssigneeOf:            {vocab.ODRLAssigneeOf, onMember},
	propAssignerOf:            {vocab.ODRLAssignerOf, onMember},
	propLeftOperand:           {vocab.ODRLLeftOperand, onConstraint},
	propOperator:              {vocab.ODRLOperator, onConstraint},
	propRightOperand:          {vocab.ODRLRightOperand, onConstraint},
	propRightOperandReference: {vocab.ODRLRightOperandReference, onConstraint},
	propDataType:              {vocab.ODRLDataType, onConstraint},
	propUnit:                  {vocab.ODRLUnit, onConstraint},
	propStatus:                {vocab.ODRLStatus, onConstraint},
	propAnd:                   {vocab.ODRLAnd, onLogical},
	propOr:                    {vocab.ODRLOr, onLogical},
	propXone:                  {vocab.ODRLXone, onLogical},
	propAndSequence:           {vocab.ODRLAndSequence, onLogical},
	propIsReplacedBy:          {vocab.DCIsReplacedBy, onPolicy},
	propFirst:                 {vocab.RDFFirst, onList},
	propRest:                  {vocab.RDFRest, onList},
	propDelegatedUnder:        {vocab.ODRLDDelegatedUnder, onPolicy},

	numRead:      {vocab.ODRLIncludedIn, onAction},
	numRead + 1:  {vocab.ODRLImplies, onAction},
	numRead + 2:  {vocab.ODRLOutput, onEverything},
	numRead + 3:  {vocab.ODRL + "attributedParty", onEverything},
	numRead + 4:  {vocab.ODRL + "attributingParty", onEverything},
	numRead + 5:  {vocab.ODRL + "compensatedParty", onEverything},
	numRead + 6:  {vocab.ODRL + "compensatingParty", onEverything},
	numRead + 7:  {vocab.ODRL + "consentingParty", onEverything},
	numRead + 8:  {vocab.ODRL + "consentedParty", onEverything},
	numRead + 9:  {vocab.ODRL + "contractingParty", onEverything},
	numRead + 10: {vocab.ODRL + "contractedParty", onEverything},
	numRead + 11: {vocab.ODRL + "informedParty", onEverything},
	numRead + 12: {vocab.ODRL + "informingParty", onEverything},
	numRead + 13: {vocab.ODRL + "trackingParty", onEverything},
	numRead + 14: {vocab.ODRL + "trackedParty", onEverything},
}

// leads reports whether the values of a property are looked at as rules, duties,
// constraints, actions, targets or assignees, or as lists of them.
func (p property) leads() bool {
	switch p {
	case propPermission, propProhibition, propObligation, propDuty, propConsequence, propRemedy, propConstraint,
		propAction, propTarget, propAssignee, propSource, propRefinement, propAnd, propOr, propXone, propAndSequence, propFirst, propRest:
		return true
	}
	return false
}

// enders are the properties that say of their value that it is over. Those of what is over
// say it of themselves.
var enders = [...]string{vocab.DCReplaces, vocab.PROVInvalidated}

// propertyNames are the names that an unknown one may have been meant to be.
var propertyNames = sync.OnceValue(func() (names []string) {
	for _, p := range properties {
		if local, ok := strings.CutPrefix(p.iri, vocab.ODRL); ok {
			names = append(names, local)
		}
	}
	return names
})

// classes says which classes of the ODRL namespace a node may have, by what it
// is used as. Policies have a table of their own.
var classes = [...]struct {
	iri   string
	nodes nodeKind
}{
	{vocab.ODRLRule, onRules},
	{vocab.ODRLPermissionClass, onPermission},
	{vocab.ODRLProhibitionClass, onProhibition},
	{vocab.ODRLDutyClass, onDuty},
	{vocab.ODRLConstraintClass, onAnyConstraint},
	{vocab.ODRLLogicalConstraint, onLogical},
	{vocab.ODRLActionClass, onAction},
	{vocab.ODRLAsset, onMember},
	{vocab.ODRLAssetCollection, onMember},
	{vocab.ODRLParty, onMember},
	{vocab.ODRLPartyCollection, onMember},
}

// isODRL reports whether an IRI claims to be a term of ODRL or of something that
// builds on it. It is broad on purpose: a constraint in a namespace that is nearly
// ODRL's must not vanish from a rule.
func isODRL(iri string) bool {
	for i := 0; i+4 <= len(iri); i++ {
		if c := iri[i] | 0x20; c == 'o' && strings.EqualFold(iri[i:i+4], "odrl") {
			return true
		}
	}
	return false
}

// known returns the index of a property, and whether the dialect knows it.
func (c *compiler) known(predicate rdf.ID) (property, bool) {
	p, ok := c.properties[predicate]
	return p, ok
}

// check looks at all properties and types of a node that is used as kind, and
// returns the first problem among them.
func (c *compiler) check(node rdf.ID, kind nodeKind) *Finding {
	if c.checked[node]&kind != 0 {
		return c.flaws[flawKey{node, kind}]
	}
	c.checked[node] |= kind
	var first *Finding
	note := func(f *Finding) {
		if first == nil {
			first = f
		}
	}
	for q := range c.g.Subject(node).Quads() {
		p, ok := c.known(q.P)
		iri := c.d.Value(q.P)
		switch {
		case ok && p == propType:
			if f := c.checkType(node, q, kind); f != nil {
				note(f)
			}
		case ok && properties[p].nodes&kind != 0:
		case ok && p == propValue:
			// A property of another namespace, which means nothing here.
		case ok && p != propIsReplacedBy:
			note(c.findAt(q, CodeMisplacedProperty, node, c.d.Term(q.P), "%s has no meaning on %s", short(iri), kind))
		case c.foreign(q.P).odrl:
			note(c.findAt(q, CodeUnknownProperty, node, c.d.Term(q.P), "the property %s is not known%s", short(iri), c.suggest(iri, propertyNames())))
		case c.ends(node, kind) && (c.foreign(q.P).bounds && !c.lasts(q) || c.over(q)):
			note(c.findAt(q, CodeUnknownProperty, node, c.d.Term(q.P), "the property %s may begin or end %s and is not known", short(iri), kind))
		default:
			c.hintProperty(node, q, iri)
		}
	}
	if kind != onPolicy && c.ends(node, kind) { // of a policy, refusals looks at this
		if f := c.endedElsewhere(node, kind); f != nil {
			note(f)
		}
	}
	if first != nil {
		c.flaws[flawKey{node, kind}] = first
	}
	return first
}

// ends reports whether what begins or ends a node that is used as kind would begin or end
// what a policy says. An action, an asset or a party that has a name is not the policy's,
// apart from an action that rdf:value explains.
func (c *compiler) ends(node rdf.ID, kind nodeKind) bool {
	blank := c.d.Kind(node) == rdf.KindBlank
	switch kind {
	case onAction:
		return blank || c.has(node, propValue)
	case onMember:
		return blank && !c.has(node, propUID)
	}
	return true
}

// endedElsewhere returns the first finding for what other nodes say that ends one: that
// they replace it, or that it was invalidated.
func (c *compiler) endedElsewhere(node rdf.ID, kind nodeKind) (first *Finding) {
	for i, p := range c.enders {
		if p == 0 {
			continue
		}
		for _, name := range c.names(node) {
			for q := range c.g.Subjects(p, name).Quads() {
				if f := c.endedBy(q, enders[i], node, kind); first == nil {
					first = f
				}
			}
		}
	}
	return first
}

// endedBy returns a finding for a triple that says by one of the enders that a node is over,
// nil if it is not for what that means.
func (c *compiler) endedBy(q rdf.Quad, ender string, node rdf.ID, kind nodeKind) *Finding {
	switch {
	case kind != onPolicy || ender != vocab.DCReplaces:
		return c.findAt(q, CodeUnknownProperty, q.S, c.d.Term(q.P), "%s says that %s has ended, and is not known", short(ender), kind)
	case c.succeeds(q.S, node):
		return nil
	}
	return c.findAt(q, CodeReplaced, q.S, c.d.Term(q.P), "the policy is replaced by %s and void (2.8)", shortTerm(c.d.Term(q.S)))
}

// names returns a node and, if it has an IRI, the literals of the graph that are its text.
func (c *compiler) names(node rdf.ID) []rdf.ID {
	names := []rdf.ID{node}
	if c.d.Kind(node) != rdf.KindIRI {
		return names
	}
	for _, datatype := range [...]string{vocab.XSDString, vocab.XSDAnyURI} {
		if t, err := rdf.NewLiteral(c.d.Value(node), datatype); err == nil {
			if id := c.d.Lookup(t); id != 0 {
				names = append(names, id)
			}
		}
	}
	return names
}

// lasts reports whether a property that may end something says that it goes on.
func (c *compiler) lasts(q rdf.Quad) bool {
	o := c.d.Term(q.O)
	if o.Kind() != rdf.KindLiteral || o.Datatype() != vocab.XSDBoolean {
		return o.Kind() != rdf.KindBlank && lifetime.Perpetual(c.d.Value(q.P), o.Value())
	}
	yes := o.Value() == "true" || o.Value() == "1"
	return (yes || o.Value() == "false" || o.Value() == "0") && lifetime.Lasts(c.d.Value(q.P), yes)
}

// over reports whether a triple gives its subject the status of what is over. A status that
// the graph describes is known by its class, too.
func (c *compiler) over(q rdf.Quad) bool {
	if !c.foreign(q.P).status {
		return false
	}
	over, ok := c.statuses[q.O]
	if !ok {
		over = lifetime.OverIn(c.g, q.O)
		if c.statuses == nil {
			c.statuses = map[rdf.ID]bool{}
		}
		c.statuses[q.O] = over
	}
	return over
}

// hintProperty warns of a property of another namespace that has the name of
// one of ODRL's: it is probably in the wrong namespace, and it changes nothing.
func (c *compiler) hintProperty(node rdf.ID, q rdf.Quad, iri string) {
	if name := c.foreign(q.P).name; name != "" && name != "source" && name != "output" {
		f := c.findAt(q, CodeIgnoredProperty, node, c.d.Term(q.P), "%s is not odrl:%s: it is a description and changes nothing", short(iri), name)
		f.Severity = Warning
	}
}

// foreign is what an IRI looks like that is no term of ODRL.
type foreign struct {
	odrl   bool   // see isODRL
	limits bool   // see lifetime.Limits
	bounds bool   // see lifetime.Bounds
	status bool   // see lifetime.Status
	name   string // of the property of ODRL that ends as it does, "" for none
}

func look(iri string) foreign {
	f := foreign{odrl: isODRL(iri), limits: lifetime.Limits(iri), bounds: lifetime.Bounds(iri), status: lifetime.Status(iri)}
	if local := iri[strings.LastIndexAny(iri, "/#:")+1:]; slices.Contains(propertyNames(), local) {
		f.name = local
	}
	return f
}

// propertyLooks are the looks of the properties that are known.
var propertyLooks = sync.OnceValue(func() []foreign {
	looks := make([]foreign, len(properties))
	for i := range looks {
		looks[i] = look(properties[i].iri)
	}
	return looks
})

// foreign looks at each term once: thousands of triples can have one long predicate.
func (c *compiler) foreign(id rdf.ID) foreign {
	if p, ok := c.known(id); ok {
		return propertyLooks()[p]
	}
	f, ok := c.looks[id]
	if !ok {
		f = look(c.d.Value(id))
		if c.looks == nil {
			c.looks = map[rdf.ID]foreign{}
		}
		c.looks[id] = f
	}
	return f
}

// checkType returns a finding for a class of the ODRL namespace that contradicts
// what the node is used as.
func (c *compiler) checkType(node rdf.ID, q rdf.Quad, kind nodeKind) *Finding {
	iri := c.d.Value(q.O)
	switch {
	case kind == onPolicy || c.d.Kind(q.O) == rdf.KindBlank || !c.foreign(q.O).odrl:
		return nil
	case c.d.Kind(q.O) == rdf.KindLiteral:
		return c.findAt(q, CodeTypeMismatch, node, c.d.Term(q.O), "the literal %s is not a class", shortTerm(c.d.Term(q.O)))
	}
	for _, class := range classes {
		if class.iri == iri && class.nodes&kind != 0 {
			return nil
		}
	}
	if policyClass(iri) && kind == onMember {
		return nil // a policy can be an asset
	}
	return c.findAt(q, CodeTypeMismatch, node, c.d.Term(q.O), "%s cannot be %s", short(iri), kind)
}

// suggest returns " (did you mean odrl:x?)" for an unknown term that is nearly
// a known one.
func (c *compiler) suggest(iri string, names []string) string {
	local, ok := strings.CutPrefix(iri, vocab.ODRL)
	if !ok {
		i := strings.LastIndexAny(iri, "/#")
		local = iri[i+1:]
		if isODRL(iri) {
			for _, n := range names {
				if n == local {
					return fmt.Sprintf(" (did you mean odrl:%s?)", n)
				}
			}
		}
		return ""
	}
	if n := nearest(local, names); n != "" {
		return fmt.Sprintf(" (did you mean odrl:%s?)", n)
	}
	return ""
}
