package odrl

import (
	"slices"
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// rule reads a permission or a prohibition (2.6).
func (c *compiler) rule(policy, node rdf.ID, kind RuleKind, s *shared) *Rule {
	p, use := propPermission, onPermission
	if kind == Prohibition {
		p, use = propProhibition, onProhibition
	}
	r := &Rule{kind: kind, node: c.text(node), place: c.placeOf(policy, p, node)}
	c.count(1, r.place)
	// A rule that several of the policies have is read for each.
	if c.checked[node]&use != 0 {
		c.spend(len(c.objects(node, propAction))+len(c.objects(node, propTarget))+len(c.objects(node, propAssignee)), r.place)
	}
	if c.limit != nil {
		return r
	}
	// What the policy shares with its rules would stand for a rule of which nothing is known.
	switch {
	case c.d.Kind(node) == rdf.KindLiteral:
		r.flaw = c.findOf(CodeNotANode, policy, p, node, "a literal cannot be a %s", kind)
	case c.isList(node):
		r.flaw = c.findOf(CodeNotANode, policy, p, node, "a list cannot be a %s", kind)
	case c.d.Kind(node) == rdf.KindIRI && !c.isDescribed(node):
		r.flaw = c.findOf(CodeMissingRule, policy, p, node, "the graph does not say what the %s %s is", kind, shortTerm(c.d.Term(node)))
	}
	if r.flaw != nil {
		return r
	}
	r.id = c.identifier(node)
	r.flaw = c.check(node, use)

	r.actions = c.ruleActions(node, s, r.place)
	if len(r.actions) == 0 {
		c.flaw(r, c.find(CodeMissingAction, node, c.d.Term(node), r.place, "the %s has no action", kind))
	}
	r.targets = c.ruleMembers(node, propTarget, &s.targets, r.place)
	if len(r.targets) == 0 {
		f := c.find(CodeMissingTarget, node, c.d.Term(node), r.place, "the permission has no target and never applies")
		if kind == Prohibition {
			f.Severity, f.Message = Warning, "the prohibition has no target and applies to all"
		}
	}
	r.assignees = c.ruleMembers(node, propAssignee, &s.assignees, r.place)
	r.anyAssignee = len(r.assignees) == 0
	switch {
	case !r.anyAssignee || kind == Prohibition:
	case c.dialect == InformationModel && (c.p.kind == vocab.ODRLAgreement || c.isAgreement(policy)):
		c.flaw(r, c.find(CodeMissingAssignee, node, c.d.Term(node), r.place, "a permission of an agreement needs an assignee (2.1.3)"))
	default:
		f := c.find(CodePublicPermission, node, c.d.Term(node), r.place, "the permission has no assignee and is for everyone")
		f.Severity = Warning
	}
	r.constraints = c.ruleConstraints(node, propConstraint)
	for _, k := range r.constraints {
		switch {
		case !k.depth:
		case !k.boundsDepth():
			r.depth = DepthOther
		case r.depth == DepthUnbounded:
			r.depth = DepthBounded
		}
	}
	for _, id := range c.objects(node, propDuty) {
		r.duties = append(r.duties, c.duty(node, propDuty, id, false)...)
	}
	for _, id := range c.objects(node, propRemedy) {
		r.remedies = append(r.remedies, c.duty(node, propRemedy, id, true)...)
	}
	return r
}

// isDescribed reports whether the graph says anything of a node in ODRL. A title alone may be
// repeated anywhere.
func (c *compiler) isDescribed(node rdf.ID) bool {
	for q := range c.g.Subject(node).Quads() {
		said := q.P
		if p, ok := c.known(q.P); ok && p == propType {
			said = q.O
		} else if ok {
			return true
		}
		if c.d.Kind(said) == rdf.KindIRI && c.foreign(said).odrl {
			return true
		}
	}
	return false
}

// ruleActions reads the actions of a rule, its own or else those of the policy.
func (c *compiler) ruleActions(node rdf.ID, s *shared, place rdf.Place) []actionRef {
	if own := c.triples(node, propAction); len(own) > 0 {
		c.own += len(own)
		return c.actions(own)
	}
	switch values := s.actions.values; {
	case !c.spend(len(values), place): // every rule looks at all that it inherits
		return nil
	case s.actions.refs == nil:
		s.actions.refs = c.actions(values)
	default:
		for i := range s.actions.refs {
			c.again(s.actions.refs[i].refinements)
		}
	}
	return s.actions.refs
}

// ruleMembers reads the targets or assignees of a rule, its own or else those of the policy.
func (c *compiler) ruleMembers(node rdf.ID, p property, s *inherited[memberRef], place rdf.Place) []memberRef {
	code, class := CodeUnusableTarget, vocab.ODRLAssetCollection
	if p == propAssignee {
		code, class = CodeUnusableAssignee, vocab.ODRLPartyCollection
	}
	if own := c.triples(node, p); len(own) > 0 {
		c.own += len(own)
		return c.members(own, code, class)
	}
	switch {
	case !c.spend(len(s.values), place):
		return nil
	case s.refs == nil:
		s.refs = c.members(s.values, code, class)
	default:
		for i := range s.refs {
			c.again(s.refs[i].refinements)
			c.again(s.refs[i].narrower)
		}
	}
	return s.refs
}

// isAgreement reports whether a policy, which may be one that is inherited from, is an
// Agreement.
func (c *compiler) isAgreement(policy rdf.ID) bool {
	id := c.d.LookupIRI(vocab.ODRLAgreement)
	return id != 0 && slices.Contains(c.objects(policy, propType), id)
}

// flaw makes a rule unknown, for the first reason given.
func (c *compiler) flaw(r *Rule, f *Finding) {
	if r.flaw == nil {
		r.flaw = f
	}
}

// identifier returns the IRI of a node, or its one uid that is an IRI.
func (c *compiler) identifier(node rdf.ID) string {
	if c.d.Kind(node) == rdf.KindIRI {
		return c.d.Value(node)
	}
	return c.onlyIRI(node, propUID)
}

// actions reads the actions of a rule or duty (2.4, 2.5.4).
func (c *compiler) actions(values []triple) []actionRef {
	refs := make([]actionRef, 0, len(values))
	for _, v := range values {
		refs = append(refs, c.actionRef(v))
	}
	return refs
}

func (c *compiler) actionRef(v triple) actionRef {
	term := c.d.Term(v.o)
	ref := actionRef{label: label{term: term}, place: c.placeOf(v.node, v.p, v.o)}
	if term.Kind() == rdf.KindLiteral {
		ref.problem = c.findOf(CodeUnusableAction, v.node, v.p, v.o, "the literal %s is not an action", shortTerm(term))
		return ref
	}
	iri := ""
	if term.Kind() == rdf.KindIRI {
		iri = term.Value()
		ref.action = c.dialect.lookupAction(iri)
	}
	values := c.objects(v.o, propValue)
	switch {
	case ref.action != 0 && len(values) > 0:
		ref.problem = c.findOf(CodeUnusableAction, v.o, propValue, values[0], "%s has a meaning of its own, and no rdf:value", short(iri))
		return ref
	case ref.action != 0:
		if c.dialect == InformationModel && iri == vocab.ODRL+"write" {
			f := c.findOf(CodeDeprecatedTerm, v.node, v.p, v.o, "odrl:write is deprecated for odrl:modify; here each stands for itself alone")
			f.Severity = Hint
		}
	case c.dialect == DelegationProfile && iri == "":
		ref.problem = c.findOf(CodeUnknownAction, v.node, v.p, v.o, "the delegation profile has no action that is a blank node")
		return ref
	case c.dialect == InformationModel && len(values) == 1 && c.d.Kind(values[0]) == rdf.KindIRI:
		ref.label.text = short(c.d.Value(values[0]))
		if ref.action = c.dialect.lookupAction(c.d.Value(values[0])); ref.action == 0 {
			ref.problem = c.unknownAction(v.o, propValue, values[0])
			return ref
		}
		if ref.problem = c.check(values[0], onAction); ref.problem != nil {
			return ref
		}
		if refined := c.objects(values[0], propRefinement); len(refined) > 0 {
			ref.problem = c.findOf(CodeUnusableAction, values[0], propRefinement, refined[0], "%s is refined, and so may be what it is the value of", ref.label.text)
			return ref
		}
	case iri != "":
		ref.problem = c.unknownAction(v.node, v.p, v.o)
		return ref
	default:
		ref.problem = c.findOf(CodeUnusableAction, v.node, v.p, v.o, "an action needs one rdf:value that is an IRI")
		return ref
	}
	if ref.problem = c.check(v.o, onAction); ref.problem != nil {
		return ref
	}
	refinements := c.objects(v.o, propRefinement)
	if len(refinements) > 0 && c.dialect == DelegationProfile {
		ref.problem = c.findOf(CodeRefinement, v.o, propRefinement, refinements[0], "the delegation profile has no refinements")
		return ref
	}
	if len(refinements) > 0 {
		ref.refinements = c.ruleConstraints(v.o, propRefinement)
	}
	return ref
}

// deprecated returns the term that replaces one that ODRL 2.2 deprecates, or "". It
// is a hint to people; the deprecated term is not read as the other.
func deprecated(local string) string {
	switch local {
	case "append", "appendTo", "writeTo":
		return "modify"
	case "copy":
		return "reproduce"
	case "export":
		return "transform"
	case "pay":
		return "compensate"
	case "license":
		return "grantUse"
	}
	return ""
}

// actionNames are the local names of ODRL's actions.
var actionNames = sync.OnceValue(func() (names []string) {
	for _, a := range actions {
		if local, ok := strings.CutPrefix(a.iri, vocab.ODRL); ok {
			names = append(names, local)
		}
	}
	return names
})

func (c *compiler) unknownAction(node rdf.ID, p property, o rdf.ID) *Finding {
	iri := c.d.Value(o)
	hint := c.suggest(iri, actionNames())
	if local, ok := strings.CutPrefix(iri, vocab.ODRL); ok && deprecated(local) != "" {
		hint = " (ODRL 2.2 has odrl:" + deprecated(local) + ")"
	}
	if c.dialect == DelegationProfile && actionsByIRI()[iri] != 0 {
		hint = " in the delegation profile"
	}
	return c.findOf(CodeUnknownAction, node, p, o, "the action %s is not known%s", short(iri), hint)
}

// members reads the targets or assignees of a rule (2.2, 2.3). code is for one that
// names nothing, class the class of their collections.
func (c *compiler) members(values []triple, code Code, class string) []memberRef {
	refs := make([]memberRef, 0, len(values))
	for _, v := range values {
		refs = append(refs, c.member(v, code, class))
	}
	return refs
}

func (c *compiler) member(v triple, code Code, class string) memberRef {
	term := c.d.Term(v.o)
	ref := memberRef{label: label{term: term}}
	unusable := func(format string, args ...any) memberRef {
		ref.problem = c.findOf(code, v.node, v.p, v.o, format, args...)
		return ref
	}
	noun := "target"
	if code == CodeUnusableAssignee {
		noun = "assignee"
	}
	switch {
	case term.Kind() == rdf.KindLiteral:
		return unusable("the %s %s is a literal", noun, shortTerm(term))
	case c.isList(v.o): // rdf:nil, too
		return unusable("the %s is a list", noun)
	case term.Kind() == rdf.KindIRI:
		ref.iri = term.Value()
	default:
		if c.dialect == DelegationProfile {
			return unusable("the delegation profile has no %s that is a blank node", noun)
		}
	}
	if ref.problem = c.check(v.o, onMember); ref.problem != nil {
		return ref
	}
	for _, uid := range c.objects(v.o, propUID) {
		if c.d.Kind(uid) != rdf.KindIRI || ref.iri != "" && ref.iri != c.d.Value(uid) {
			return unusable("the uid of the %s is not its IRI", noun)
		}
		ref.iri = c.d.Value(uid)
	}
	for _, t := range c.objects(v.o, propType) {
		switch iri := c.d.Value(t); {
		case iri == class:
			ref.collection = true
		case iri == vocab.ODRLAssetCollection || iri == vocab.ODRLPartyCollection,
			iri == vocab.ODRLParty && code == CodeUnusableTarget, iri == vocab.ODRLAsset && code == CodeUnusableAssignee:
			ref.problem = c.findOf(CodeTypeMismatch, v.o, propType, t, "%s cannot be the %s of a rule", short(iri), noun)
			return ref
		}
	}
	ref.elsewhere = c.about().collections[collection{class, ref.iri}]
	sources, refinements := c.objects(v.o, propSource), c.objects(v.o, propRefinement)
	switch {
	case c.dialect == DelegationProfile && len(sources) > 0:
		ref.problem = c.findOf(CodeCollection, v.o, propSource, sources[0], "the delegation profile has no collections by reference")
		return ref
	case c.dialect == DelegationProfile && len(refinements) > 0:
		ref.problem = c.findOf(CodeRefinement, v.o, propRefinement, refinements[0], "the delegation profile has no refinements")
		return ref
	case len(sources) > 1 || len(sources) == 1 && c.d.Kind(sources[0]) != rdf.KindIRI:
		return unusable("the source of a collection must be one IRI")
	case len(sources) == 1:
		ref.source, ref.collection = c.d.Value(sources[0]), true
		if ref.problem = c.check(sources[0], onMember); ref.problem != nil {
			return ref
		}
		if sources[0] != v.o {
			ref.narrower = c.ruleConstraints(sources[0], propRefinement)
		}
	}
	switch {
	case ref.iri == "" && ref.source == "":
		return unusable("the %s has neither an IRI nor a source", noun)
	case len(refinements) > 0 && !ref.collection:
		return unusable("only a collection can be refined (2.5.5, 2.5.6)")
	case len(refinements) > 0:
		ref.refinements = c.ruleConstraints(v.o, propRefinement)
	}
	if term.Kind() != rdf.KindIRI {
		ref.label.text = short(ref.iri)
		if ref.iri == "" {
			ref.label.text = "members of " + short(ref.source)
		}
	}
	return ref
}

// duty reads a duty, an obligation, a remedy or a consequence (2.6.3): one Duty
// for each combination of its actions and targets. With last, for a consequence or a
// remedy, it may have no consequence of its own.
func (c *compiler) duty(parent rdf.ID, p property, node rdf.ID, last bool) []*Duty {
	d := Duty{node: c.text(node), place: c.placeOf(parent, p, node)}
	rules, checks := c.rules, c.checks
	if c.count(1, d.place); c.limit != nil {
		return nil
	}
	if c.d.Kind(node) == rdf.KindLiteral {
		d.flaw = c.findOf(CodeNotANode, parent, p, node, "a literal cannot be a duty")
		return []*Duty{&d}
	}
	d.id = c.identifier(node)
	d.flaw = c.check(node, onDuty)
	d.constraints = c.ruleConstraints(node, propConstraint)
	consequences := c.objects(node, propConsequence)
	if last && len(consequences) > 0 {
		d.flaw = c.findOf(CodeMisplacedProperty, node, propConsequence, consequences[0], "a consequence or remedy has no consequence (2.6.3, 2.6.7)")
	} else {
		for _, id := range consequences {
			d.consequences = append(d.consequences, c.duty(node, propConsequence, id, true)...)
		}
	}
	actions := c.actions(c.triples(node, propAction))
	if len(actions) == 0 {
		actions = []actionRef{{problem: c.find(CodeMissingAction, node, c.d.Term(node), d.place, "the duty has no action and can never be fulfilled")}}
	}
	targets := c.dutyTargets(node)
	if len(targets) == 0 {
		targets = []memberRef{{}}
	}
	// Each combination looks at the constraints and consequences again.
	more := len(actions)*len(targets) - 1
	c.count(more*(c.rules-rules), d.place)
	c.spend(more*(c.checks-checks), d.place)
	if c.limit != nil {
		return nil
	}
	duties := make([]*Duty, 0, len(actions)*len(targets))
	for _, a := range actions {
		for _, t := range targets {
			one := d
			one.action, one.target = a, t.iri
			if one.flaw == nil {
				one.flaw = t.problem
			}
			if len(t.refinements)+len(t.narrower) > 0 {
				one.constraints = slices.Concat(d.constraints, t.refinements, t.narrower)
			}
			if iri := one.Action(); iri != "" {
				one.key = "fulfilled:" + iri
				if name := shortAction(iri); name != "" {
					one.shortKey = "fulfilled:" + name
				}
			}
			duties = append(duties, &one)
		}
	}
	return duties
}

// dutyTargets reads the targets of a duty. One that has a name is what the duty names,
// whatever that is: a policy (odrl:nextPolicy), or an asset of others.
func (c *compiler) dutyTargets(node rdf.ID) []memberRef {
	var refs []memberRef
	for _, v := range c.triples(node, propTarget) {
		if c.d.Kind(v.o) != rdf.KindIRI || c.isList(v.o) {
			refs = append(refs, c.member(v, CodeUnusableTarget, vocab.ODRLAssetCollection))
			continue
		}
		ref := memberRef{iri: c.d.Value(v.o)}
		if refined := c.objects(v.o, propRefinement); len(refined) > 0 && c.dialect == DelegationProfile {
			ref.problem = c.findOf(CodeRefinement, v.o, propRefinement, refined[0], "the delegation profile has no refinements")
		} else {
			ref.refinements = c.ruleConstraints(v.o, propRefinement)
		}
		refs = append(refs, ref)
	}
	return refs
}

// shortAction returns the short name of a known action, "" without one.
func shortAction(iri string) string {
	switch iri {
	case aclAppend:
		return "append"
	case aclControl:
		return "control"
	}
	if local, ok := strings.CutPrefix(iri, vocab.ODRL); ok {
		return local
	}
	return ""
}
