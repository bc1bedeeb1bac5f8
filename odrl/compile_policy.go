package odrl

import (
	"maps"
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// refusals looks for what puts the meaning of the whole policy in doubt.
func (c *compiler) refusals(node rdf.ID) {
	c.refuse(c.check(node, onPolicy))
	for _, t := range c.objects(node, propType) {
		c.refuse(c.checkPolicyType(node, t))
	}
	for _, id := range c.objects(node, propIsReplacedBy) {
		if !c.succeeds(id, node) {
			c.refuse(c.findOf(CodeReplaced, node, propIsReplacedBy, id, "the policy is replaced by %s and void (2.8)", shortTerm(c.d.Term(id))))
		}
	}
	c.refuse(c.endedElsewhere(node, onPolicy))
	for _, outside := range [...]struct{ p, within property }{
		{propHasPolicy, propTarget}, {propAssigneeOf, propAssignee}, {propAssignerOf, propAssigner},
	} {
		if c.ids[outside.p] == 0 {
			continue
		}
		links := c.g.Subjects(c.ids[outside.p], node)
		if links.Len() == 0 {
			continue
		}
		within := c.saidByAll(node, outside.within)
		for q := range links.Quads() {
			if !within[q.S] {
				c.refuse(c.findAt(q, CodeAssignedFromOutside, q.S, c.d.Term(q.P),
					"%s would change from outside what the policy is about", short(properties[outside.p].iri)))
			}
		}
	}
}

// saidByAll returns the values of a property that all permissions and prohibitions of a
// policy have, their own or the policy's: a catalogue that says the same of them changes
// nothing. Of a policy that inherits others, or has no rules, nothing is known.
func (c *compiler) saidByAll(policy rdf.ID, p property) map[rdf.ID]bool {
	if c.has(policy, propInheritFrom) {
		return nil
	}
	rules := slices.Concat(c.objects(policy, propPermission), c.objects(policy, propProhibition))
	having, without := map[rdf.ID]int{}, 0 // how many rules have a value, and how many none of their own
	for _, rule := range rules {
		own := c.objects(rule, p)
		if len(own) == 0 {
			without++
		}
		for _, value := range own {
			having[value]++
		}
	}
	said := map[rdf.ID]bool{}
	for _, value := range c.objects(policy, p) {
		having[value] += without
	}
	for value, n := range having {
		said[value] = n == len(rules)
	}
	return said
}

// whole is what counts for every policy of a graph, found out once.
type whole struct {
	policies []rdf.ID   // sorted
	twice    *rdf.Quad  // an odrl:uid that makes one thing of two nodes
	loose    []rdf.Quad // hasPolicy and the like that lead to no policy
	strays   []rdf.ID   // rules, duties and constraints that no policy leads to
	revokes  *rdf.Quad  // the first that withdraws something
	includes *rdf.Quad  // the first that says of an action what ODRL does not
	over     []string   // IRIs of what is said to be over, sorted
	// collections are those that are declared, by their class and IRI. The declaration may
	// be at another node that odrl:uid makes the same thing.
	collections map[collection]bool
}

type collection struct{ class, iri string }

func (c *compiler) about() *whole {
	if c.whole == nil {
		c.whole = &whole{policies: c.policies(), twice: c.describedTwice()}
		c.whole.loose, c.whole.strays = c.findLoose(c.whole.policies), c.findStrays(c.whole.policies)
		c.whole.collections = c.declaredCollections()
		c.whole.revokes, c.whole.over = c.findRevocation(), c.findOver()
		c.whole.includes = c.findInclusion()
	}
	return c.whole
}

// identities refuses a policy when odrl:uid makes one thing of two nodes of the graph: what
// is said at one of them, such as a constraint of a rule, would be lost at the other. Mere
// names of assets and parties may be repeated.
func (c *compiler) identities() {
	if q := c.about().twice; q != nil {
		c.refuse(c.findAt(*q, CodeSharedUID, q.S, c.d.Term(q.O), "%s is described at more than one node", shortTerm(c.d.Term(q.O))))
	}
}

// describedTwice returns the first odrl:uid for which identities refuses a policy, or nil.
func (c *compiler) describedTwice() *rdf.Quad {
	if c.ids[propUID] == 0 {
		return nil
	}
	named := map[rdf.ID][]rdf.Quad{} // by what they are said to be
	for q := range c.g.Predicate(c.ids[propUID]).Quads() {
		if q.S != q.O && c.d.Kind(q.O) == rdf.KindIRI {
			named[q.O] = append(named[q.O], q)
		}
	}
	if len(named) == 0 {
		return nil
	}
	described, used := map[rdf.ID]bool{}, map[rdf.ID]bool{}
	for q := range c.g.All().Quads() {
		p, known := c.known(q.P)
		switch {
		case known && p == propUID, !known && !c.foreign(q.P).odrl:
			continue
		case known && (p == propType || p == propPartOf || p == propHasPolicy || p == propAssigneeOf || p == propAssignerOf):
		default:
			described[q.S] = true
		}
		used[q.S], used[q.O] = true, true
	}
	for _, thing := range slices.Sorted(maps.Keys(named)) {
		nodes := named[thing]
		says := described[thing] || slices.ContainsFunc(nodes, func(q rdf.Quad) bool { return described[q.S] })
		if says && (len(nodes) > 1 || used[thing]) {
			return &nodes[0]
		}
	}
	return nil
}

// outside refuses a policy when its graph says something of rules that is part of no
// policy: nobody knows which of them it was meant to restrict. And when it withdraws a
// policy, this one or another: that is read in documents of revocations, which have no
// policies. And when it includes an action of ODRL in one that ODRL does not: a prohibition
// of that would be one of this as well.
func (c *compiler) outside() {
	switch w := c.about(); {
	case len(w.loose) > 0:
		c.outer = c.looseLink(w.loose[0])
	case len(w.strays) > 0:
		c.outer = c.stray(w.strays[0])
	case w.revokes != nil:
		c.outer = c.revocation(*w.revokes)
	case w.includes != nil:
		c.outer = c.inclusion(*w.includes)
	}
	c.refuse(c.outer)
}

func (c *compiler) declaredCollections() map[collection]bool {
	declared := map[collection]bool{}
	for _, class := range []string{vocab.ODRLAssetCollection, vocab.ODRLPartyCollection} {
		id := c.d.LookupIRI(class)
		if id == 0 || c.ids[propType] == 0 || c.ids[propUID] == 0 {
			continue
		}
		for q := range c.g.Subjects(c.ids[propType], id).Quads() {
			for uid := range c.g.Objects(q.S, c.ids[propUID]).Quads() {
				if c.d.Kind(uid.O) == rdf.KindIRI {
					declared[collection{class, c.d.Value(uid.O)}] = true
				}
			}
		}
	}
	return declared
}

func (c *compiler) looseLink(q rdf.Quad) *Finding {
	return c.findAt(q, CodeAssignedFromOutside, q.S, c.d.Term(q.P),
		"%s leads to %s, which is no policy of the graph", short(c.d.Value(q.P)), shortTerm(c.d.Term(q.O)))
}

func (c *compiler) stray(node rdf.ID) *Finding {
	place := c.subjectPlace(node)
	return c.find(CodeUnusedRule, node, c.d.Term(node), place, "no policy leads to the node %s as the rule, the duty or the constraint that it says it is",
		nodeTerm(c.d.Term(node), place))
}

func (c *compiler) revocation(q rdf.Quad) *Finding {
	return c.findAt(q, CodeUnknownProperty, q.S, c.d.Term(q.P), "%s %s is of a revocation, which is not read in the graph of a policy",
		short(c.d.Value(q.P)), shortTerm(c.d.Term(q.O)))
}

func (c *compiler) inclusion(q rdf.Quad) *Finding {
	return c.findAt(q, CodeMisplacedProperty, q.S, c.d.Term(q.P), "%s %s has no meaning on %s: no policy says what an action of ODRL is included in",
		short(c.d.Value(q.P)), shortTerm(c.d.Term(q.O)), short(c.d.Value(q.S)))
}

// findInclusion returns the first triple that includes a known action in what does not cover
// it by the Information Model, or nil.
func (c *compiler) findInclusion() *rdf.Quad {
	id := c.d.LookupIRI(vocab.ODRLIncludedIn)
	if id == 0 {
		return nil
	}
	for q := range c.g.Predicate(id).Quads() {
		part := InformationModel.lookupAction(c.d.Value(q.S))
		if part == 0 || c.d.Kind(q.S) != rdf.KindIRI {
			continue
		}
		if whole := InformationModel.lookupAction(c.d.Value(q.O)); whole == 0 || !InformationModel.covers(whole, part) {
			first := q // only this one is kept
			return &first
		}
	}
	return nil
}

func (c *compiler) findLoose(policies []rdf.ID) (loose []rdf.Quad) {
	for _, p := range []property{propHasPolicy, propAssigneeOf, propAssignerOf} {
		if c.ids[p] == 0 {
			continue
		}
		for q := range c.g.Predicate(c.ids[p]).Quads() {
			if _, ok := slices.BinarySearch(policies, q.O); !ok {
				loose = append(loose, q)
			}
		}
	}
	return loose
}

// findStrays returns the nodes that say they are rules, duties or constraints, by a class
// or by a property that only those have, and that no policy of the graph leads to, or by
// properties alone at whose values nobody looks, such as the role of a party.
func (c *compiler) findStrays(policies []rdf.ID) (strays []rdf.ID) {
	todo := slices.Clone(policies)
	led := make(map[rdf.ID]bool, len(todo)) // true for those that are looked at
	for _, id := range todo {
		led[id] = true
	}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for q := range c.g.Subject(node).Quads() {
			p, ok := c.known(q.P)
			if ok && p == propType || !ok && !c.foreign(q.P).odrl {
				continue
			}
			// A property that is not understood has its own finding where it is looked at.
			looked := ok && p.leads() || !ok && led[node]
			if before, seen := led[q.O]; !seen || looked && !before {
				led[q.O] = looked
				todo = append(todo, q.O)
			}
		}
	}
	for q := range c.g.All().Quads() {
		if !led[q.S] && c.saysRule(q) {
			led[q.S] = true
			strays = append(strays, q.S)
		}
	}
	return strays
}

// saysRule reports whether a triple says that its subject is a rule, a duty or a
// constraint.
func (c *compiler) saysRule(q rdf.Quad) bool {
	const ofRules = onRules | onAnyConstraint
	p, ok := c.known(q.P)
	if !ok || p != propType {
		nodes := properties[p].nodes
		return ok && nodes&ofRules != 0 && nodes&(onMember|onAction) == 0
	}
	for _, class := range classes {
		if class.nodes&ofRules != 0 && class.iri == c.d.Value(q.O) {
			return true
		}
	}
	return false
}

// findRevocation returns the first triple with a property or a class of ODRL, or of a
// namespace that is nearly it, that reads like an end, or nil.
func (c *compiler) findRevocation() *rdf.Quad {
	for q := range c.g.All().Quads() {
		p, ok := c.known(q.P)
		said := q.P
		if ok && p == propType && c.d.Kind(q.O) == rdf.KindIRI {
			said = q.O
		} else if ok {
			continue
		}
		if f := c.foreign(said); f.odrl && f.limits {
			first := q // only this one is kept
			return &first
		}
	}
	return nil
}

// findOver returns the IRIs, sorted, of what the graph says may begin or end, or is over.
func (c *compiler) findOver() []string {
	var iris []string
	for q := range c.g.All().Quads() {
		f := c.foreign(q.P)
		switch {
		case slices.Contains(c.enders[:], q.P) && c.d.Kind(q.O) != rdf.KindBlank:
			iris = append(iris, c.d.Value(q.O))
		case c.d.Kind(q.S) == rdf.KindIRI && (f.bounds && !c.lasts(q) || c.over(q)):
			iris = append(iris, c.d.Value(q.S))
		}
	}
	slices.Sort(iris)
	return slices.Compact(iris)
}

// checkPolicyType returns a finding for a class that no policy may have, or
// that grants nothing.
func (c *compiler) checkPolicyType(node, t rdf.ID) *Finding {
	iri := c.d.Value(t)
	switch {
	case c.d.Kind(t) == rdf.KindBlank || !c.foreign(t).odrl:
		return nil
	case c.d.Kind(t) == rdf.KindLiteral:
		return c.findOf(CodeUnknownPolicyType, node, propType, t, "the literal %s is not a class", shortTerm(c.d.Term(t)))
	}
	switch iri {
	case vocab.ODRLPolicy, vocab.ODRLSet, vocab.ODRLAgreement:
		return nil
	case vocab.ODRLOffer:
		if c.dialect == DelegationProfile {
			return nil // 1.5: a root may be one
		}
		return c.findOf(CodeGrantsNothing, node, propType, t, "an odrl:Offer grants nothing (2.1.2)")
	case vocab.ODRLRequest, vocab.ODRLAssertion:
		return c.findOf(CodeGrantsNothing, node, propType, t, "an %s grants nothing", short(iri))
	}
	return c.findOf(CodeUnknownPolicyType, node, propType, t, "a policy of the kind %s is not known", short(iri))
}

// inherit collects the policies that the policy inherits from (2.9).
func (c *compiler) inherit(node rdf.ID) {
	if c.dialect == DelegationProfile {
		for _, id := range c.objects(node, propInheritFrom) {
			c.refuse(c.findOf(CodeInherits, node, propInheritFrom, id, "the delegation profile has no inheritance"))
		}
		return
	}
	known := c.about().policies
	var walk func(child rdf.ID, line []rdf.ID)
	walk = func(child rdf.ID, line []rdf.ID) {
		for _, id := range c.objects(child, propInheritFrom) {
			switch {
			case !slices.Contains(known, id):
				c.refuse(c.findOf(CodeMissingParent, child, propInheritFrom, id,
					"the policy %s that this one inherits from is not in the graph", shortTerm(c.d.Term(id))))
			case slices.Contains(line, id):
				c.refuse(c.findOf(CodeInheritanceCycle, child, propInheritFrom, id, "the policy inherits from itself (2.9)"))
			case len(line) >= maxInheritance:
				c.refuse(c.findOf(CodeInheritanceDepth, child, propInheritFrom, id, "inheritance is deeper than %d policies", maxInheritance))
			case !slices.Contains(c.sources, id):
				c.sources = append(c.sources, id)
				c.refusals(id)
				if !c.hasRules(id) {
					c.refuse(c.findOf(CodeMissingParent, child, propInheritFrom, id,
						"the graph has no rule of the policy %s that this one inherits from", shortTerm(c.d.Term(id))))
				}
				walk(id, append(slices.Clone(line), id))
			}
		}
	}
	walk(node, []rdf.ID{node})
}

// hasRules reports whether a policy has a rule, as each must (2.1), or inherits them: one that
// is only mentioned, by its class, its profile or a party, has its rules elsewhere.
func (c *compiler) hasRules(policy rdf.ID) bool {
	return c.has(policy, propPermission) || c.has(policy, propProhibition) || c.has(policy, propObligation) || c.has(policy, propInheritFrom)
}

// succeeds reports whether the policy that is compiled, or one that it inherits from,
// inherits itself from a policy that it is said to replace: then what it has of that still
// holds.
func (c *compiler) succeeds(next, node rdf.ID) bool {
	if p := c.ids[propInheritFrom]; p == 0 || !c.g.Has(next, p, node) {
		return false
	}
	if c.line == nil {
		c.line = map[rdf.ID]bool{}
		for todo := []rdf.ID{c.sources[0]}; len(todo) > 0; {
			id := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !c.line[id] {
				c.line[id] = true
				todo = append(todo, c.objects(id, propInheritFrom)...)
			}
		}
	}
	return c.line[next]
}

// conflictStrategy reads odrl:conflict (2.10).
func (c *compiler) conflictStrategy() {
	var values []rdf.ID
	for _, source := range c.sources {
		for _, id := range c.objects(source, propConflict) {
			s := conflictUnknown
			switch c.d.Value(id) {
			case vocab.ODRLPerm:
				s = conflictPerm
			case vocab.ODRLProhibit:
				s = conflictProhibit
			case vocab.ODRLInvalid:
				s = conflictInvalid
			}
			if c.d.Kind(id) != rdf.KindIRI {
				s = conflictUnknown
			}
			if s == conflictUnknown {
				f := c.findOf(CodeUnknownConflict, source, propConflict, id, "the conflict strategy %s is not known, so that every conflict denies", shortTerm(c.d.Term(id)))
				f.Severity = Warning
			}
			if !slices.Contains(values, id) {
				values = append(values, id)
			}
			c.p.conflict = s
		}
	}
	if len(values) > 1 {
		c.p.conflict = conflictUnknown // 2.10: void upon any conflict
	}
}

// profiles reads odrl:profile (section 3): an evaluator that does not know a
// profile stops.
func (c *compiler) profiles() {
	named := false
	for _, source := range c.sources {
		for _, id := range c.objects(source, propProfile) {
			iri := c.d.Value(id)
			if c.d.Kind(id) != rdf.KindIRI || !c.dialect.knowsProfile(iri) {
				hint := ""
				if iri == vocab.ODRLDProfile {
					hint = " here; chains of delegated policies are evaluated by the delegation profile"
				}
				c.refuse(c.findOf(CodeUnknownProfile, source, propProfile, id, "the profile %s is not known%s", shortTerm(c.d.Term(id)), hint))
				continue
			}
			named = named || iri == vocab.ODRLDProfile
			c.p.profiles = append(c.p.profiles, iri)
		}
	}
	slices.Sort(c.p.profiles)
	c.p.profiles = slices.Compact(c.p.profiles)
	if c.dialect == DelegationProfile && !named {
		node := c.sources[0]
		f := c.find(CodeMissingProfile, node, c.d.Term(node), c.subjectPlace(node),
			"the policy does not say that it follows <%s>: in a chain of more than one it denies", vocab.ODRLDProfile)
		f.Severity = Warning
	}
}

// partOf reads what the graph says is part of what. It counts against a request
// alone. What is said at one node counts for another that odrl:uid makes the same thing,
// and for the collection that odrl:source says a node stands for.
func (c *compiler) partOf() {
	if c.ids[propPartOf] == 0 || c.g.Predicate(c.ids[propPartOf]).Len() == 0 {
		return
	}
	c.p.partOf = map[string][]string{}
	for _, p := range []property{propPartOf, propUID, propSource} {
		if c.ids[p] == 0 {
			continue
		}
		for q := range c.g.Predicate(c.ids[p]).Quads() {
			s, o := c.d.Value(q.S), c.d.Value(q.O)
			if q.S == q.O || p != propPartOf && c.d.Kind(q.O) != rdf.KindIRI {
				continue
			}
			c.p.partOf[s] = append(c.p.partOf[s], o)
			if p == propUID {
				c.p.partOf[o] = append(c.p.partOf[o], s)
			}
		}
	}
}

// shared holds what the policy declares for all its rules (2.7.1), by the
// policy that declares it.
type shared struct {
	actions   inherited[actionRef]
	targets   inherited[memberRef]
	assignees inherited[memberRef]
}

// inherited is what is declared of one property. It is read for the first rule that has
// none of its own, and the same for all others.
type inherited[ref any] struct {
	values []triple
	refs   []ref
}

// triple is a value of a property, with the node that has it.
type triple struct {
	node rdf.ID
	p    property
	o    rdf.ID
}

func (c *compiler) triples(node rdf.ID, p property) []triple {
	var ts []triple
	for _, o := range c.objects(node, p) {
		ts = append(ts, triple{node, p, o})
	}
	return ts
}

func (c *compiler) sharedProperties() *shared {
	s := &shared{}
	for _, source := range c.sources {
		s.actions.values = append(s.actions.values, c.triples(source, propAction)...)
		s.targets.values = append(s.targets.values, c.triples(source, propTarget)...)
		s.assignees.values = append(s.assignees.values, c.triples(source, propAssignee)...)
	}
	return s
}

// indexRules makes rules findable by their target where there are many.
func (p *Policy) indexRules() {
	const few = 16 // below, looking at each is as fast
	if len(p.rules) <= few {
		return
	}
	p.byTarget = make(map[string][]int32, len(p.rules))
	for i, r := range p.rules {
		plain := r.flaw == nil && len(r.targets) > 0
		for j := range r.targets {
			plain = plain && r.targets[j].plain()
		}
		if !plain {
			p.open = append(p.open, int32(i))
			continue
		}
		for j := range r.targets {
			iri := r.targets[j].iri
			p.byTarget[iri] = append(p.byTarget[iri], int32(i))
		}
	}
}
