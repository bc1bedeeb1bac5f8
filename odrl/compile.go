package odrl

import (
	"fmt"
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// CompileOptions says what [Compile] compiles and how. The zero value compiles
// the only policy of a graph by the Information Model.
type CompileOptions struct {
	// Policy is the IRI of the policy. Without it the graph must hold exactly
	// one.
	Policy string
	// Dialect says which terms are known.
	Dialect Dialect
	// Limits bounds the work; the zero value is for policies of others.
	Limits Limits
}

// Policies returns the policies of a graph, in the order in which they first occur:
// every node with a class of policies or with a rule. Blank nodes are included,
// although Compile refuses them.
func Policies(g rdf.Graph) []rdf.Term {
	c := newCompiler(g, CompileOptions{})
	var terms []rdf.Term
	for _, id := range c.policies() {
		terms = append(terms, c.d.Term(id))
	}
	return terms
}

// Compile reads one policy of a graph.
//
// A policy that is found but not understood compiles: its terms are unknown, or
// it is refused as a whole, and [Policy.Findings] says why. It fails with a
// [*CompileError] when no policy can be found or told apart, and with a
// [*LimitError] when the policy is too large.
func Compile(g rdf.Graph, o CompileOptions) (*Policy, error) {
	c := newCompiler(g, o)
	node, err := c.choose(o.Policy)
	if err != nil {
		return nil, err
	}
	return c.compile(node)
}

// compiler turns one policy of a graph into a Policy.
type compiler struct {
	g       rdf.Graph
	d       *rdf.Dataset
	dialect Dialect
	limits  Limits
	p       *Policy
	sources []rdf.ID        // the policy and those that it inherits from
	line    map[rdf.ID]bool // the same, found out ahead of sources, see succeeds

	ids         [numRead]rdf.ID // of the properties that are read, 0 for one that the dataset lacks
	properties  map[rdf.ID]property
	enders      [len(enders)]rdf.ID // likewise
	nilList     rdf.ID
	constraints map[rdf.ID]*constraint
	heights     map[rdf.ID]int
	operands    map[rdf.ID]*logicalOperands
	lists       map[rdf.ID][]rdf.ID // nil for one that is none
	checked     map[rdf.ID]nodeKind
	rights      map[rightKey]operand // right operands, of which many constraints may have one
	looks       map[rdf.ID]foreign   // what terms look like that are not known
	statuses    map[rdf.ID]bool      // whether what has one of them is over
	written     map[rdf.Term]string  // long terms as findings and names of nodes have them, each once
	flaws       map[flawKey]*Finding
	whole       *whole   // what was found out about the graph
	outer       *Finding // for which every policy of it is refused

	findings []*Finding
	rules    int
	checks   int
	listed   int   // items of lists
	own      int   // actions, targets and assignees of the rules' own
	limit    error // the first limit that was reached
}

// flawKey is a node as it is used.
type flawKey struct {
	node rdf.ID
	kind nodeKind
}

func newCompiler(g rdf.Graph, o CompileOptions) *compiler {
	c := &compiler{
		g: g, d: g.Dataset(), dialect: o.Dialect, limits: o.Limits.orDefault(),
		properties:  make(map[rdf.ID]property, len(properties)),
		constraints: map[rdf.ID]*constraint{},
		heights:     map[rdf.ID]int{},
		operands:    map[rdf.ID]*logicalOperands{},
		lists:       map[rdf.ID][]rdf.ID{},
		checked:     map[rdf.ID]nodeKind{},
		rights:      map[rightKey]operand{},
		flaws:       map[flawKey]*Finding{},
	}
	for i, p := range properties {
		id := c.d.LookupIRI(p.iri)
		if property(i) < numRead {
			c.ids[i] = id
		}
		if id != 0 && (property(i) != propDelegatedUnder || o.Dialect == DelegationProfile) {
			c.properties[id] = property(i)
		}
	}
	for i, iri := range enders {
		c.enders[i] = c.d.LookupIRI(iri)
	}
	c.nilList = c.d.LookupIRI(vocab.RDFNil)
	return c
}

// objects returns the values of a property of a node.
func (c *compiler) objects(node rdf.ID, p property) []rdf.ID {
	if c.ids[p] == 0 {
		return nil
	}
	run := c.g.Objects(node, c.ids[p])
	if run.Len() == 0 {
		return nil
	}
	if run.Len() > c.limits.List {
		c.exceed(LimitList, c.limits.List, c.placeOf(node, p, run.At(0).O))
		return nil
	}
	ids := make([]rdf.ID, run.Len())
	for i := range ids {
		ids[i] = run.At(i).O
	}
	return ids
}

// has reports whether a node has a property.
func (c *compiler) has(node rdf.ID, p property) bool {
	return c.ids[p] != 0 && c.g.Objects(node, c.ids[p]).Len() > 0
}

// exceed notes the first limit that was reached; compile fails with it.
func (c *compiler) exceed(limit LimitName, most int, place rdf.Place) {
	if c.limit == nil {
		c.limit = &LimitError{limit, most, place}
	}
}

// count spends from the limit of rules.
func (c *compiler) count(n int, place rdf.Place) {
	if c.rules += n; c.rules > c.limits.Rules {
		c.exceed(LimitRules, c.limits.Rules, place)
	}
}

// spend spends from the limit of checks, and reports whether it holds.
func (c *compiler) spend(n int, place rdf.Place) bool {
	if c.checks += n; c.checks > c.limits.Checks {
		c.exceed(LimitChecks, c.limits.Checks, place)
		return false
	}
	return true
}

// placeOf returns the place of a value of a property.
func (c *compiler) placeOf(node rdf.ID, p property, object rdf.ID) rdf.Place {
	return c.triplePlace(rdf.Quad{S: node, P: c.ids[p], O: object})
}

// triplePlace returns the place of a triple's object.
func (c *compiler) triplePlace(q rdf.Quad) rdf.Place {
	if i := c.g.Index(q.S, q.P, q.O); i >= 0 {
		return c.d.ObjectPlace(i)
	}
	return rdf.Place{}
}

// subjectPlace returns where a node first occurs as a subject.
func (c *compiler) subjectPlace(node rdf.ID) rdf.Place {
	if from, to := c.g.SubjectIndex(node); from < to {
		return c.d.SubjectPlace(from)
	}
	return rdf.Place{}
}

// find notes a finding about a term of a node, at a place. It denies unless its
// severity is changed.
func (c *compiler) find(code Code, node rdf.ID, term rdf.Term, place rdf.Place, format string, args ...any) *Finding {
	f := &Finding{Code: code, Message: fmt.Sprintf(format, args...), Node: c.text(node), Term: c.write(term), Place: place}
	if c.p != nil {
		f.Policy = c.p.iri
	}
	c.findings = append(c.findings, f)
	return f
}

// findAt is find for the place of a triple's object.
func (c *compiler) findAt(q rdf.Quad, code Code, node rdf.ID, term rdf.Term, format string, args ...any) *Finding {
	return c.find(code, node, term, c.triplePlace(q), format, args...)
}

// findOf is find for a value of a property.
func (c *compiler) findOf(code Code, node rdf.ID, p property, object rdf.ID, format string, args ...any) *Finding {
	return c.find(code, node, c.d.Term(object), c.placeOf(node, p, object), format, args...)
}

// text returns a node in N-Triples syntax.
func (c *compiler) text(id rdf.ID) string { return c.write(c.d.Term(id)) }

// write is text for a term. A document can say thousands of things of one long term, and
// each of its findings has it.
func (c *compiler) write(t rdf.Term) string {
	const long = 64
	if len(t.Value()) < long {
		return t.String()
	}
	s, ok := c.written[t]
	if !ok {
		s = t.String()
		if c.written == nil {
			c.written = map[rdf.Term]string{}
		}
		c.written[t] = s
	}
	return s
}

// policyClasses are the classes of policies (Vocabulary, section 3).
var policyClasses = []string{
	vocab.ODRLPolicy, vocab.ODRLSet, vocab.ODRLOffer, vocab.ODRLAgreement,
	vocab.ODRLRequest, vocab.ODRLAssertion, vocab.ODRLPrivacy, vocab.ODRLTicket,
}

func policyClass(iri string) bool { return slices.Contains(policyClasses, iri) }

// policies returns the nodes that are policies, sorted.
func (c *compiler) policies() []rdf.ID {
	var nodes []rdf.ID
	for _, class := range policyClasses {
		if id := c.d.LookupIRI(class); id != 0 && c.ids[propType] != 0 {
			for q := range c.g.Subjects(c.ids[propType], id).Quads() {
				nodes = append(nodes, q.S)
			}
		}
	}
	for _, p := range []property{propPermission, propProhibition, propObligation, propDelegatedUnder} {
		if c.ids[p] != 0 {
			for q := range c.g.Predicate(c.ids[p]).Quads() {
				nodes = append(nodes, q.S)
			}
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// choose returns the node of the policy to compile.
func (c *compiler) choose(iri string) (rdf.ID, error) {
	nodes := c.about().policies
	if iri != "" {
		for _, id := range nodes {
			if c.d.Kind(id) == rdf.KindIRI && c.d.Value(id) == iri {
				return id, nil
			}
		}
		return 0, c.fail(CodeNoPolicy, 0, rdf.Term{}, rdf.Place{}, "there is no policy %s in the graph", short(iri))
	}
	switch len(nodes) {
	case 0:
		return 0, c.noPolicy()
	case 1:
	default:
		second := nodes[1]
		return 0, c.fail(CodeSeveralPolicies, second, c.d.Term(second), c.subjectPlace(second),
			"there is more than one policy in the graph: that %s and that %s", nodeTerm(c.d.Term(nodes[0]), c.subjectPlace(nodes[0])), nodeTerm(c.d.Term(second), c.subjectPlace(second)))
	}
	if c.d.Kind(nodes[0]) != rdf.KindIRI {
		return 0, c.fail(CodePolicyNotIRI, nodes[0], c.d.Term(nodes[0]), c.subjectPlace(nodes[0]),
			"a policy must be identified by an IRI, this one is a blank node")
	}
	return nodes[0], nil
}

// noPolicy returns the error for a graph without a policy. It points at a term whose
// namespace is nearly that of ODRL.
func (c *compiler) noPolicy() error {
	for q := range c.g.All().Quads() {
		for _, id := range [2]rdf.ID{q.P, q.O} {
			iri := c.d.Value(id)
			if c.d.Kind(id) != rdf.KindIRI || !c.foreign(id).odrl || iri == vocab.ODRLDProfile {
				continue
			}
			if _, ok := c.known(id); !ok && len(iri) > 0 {
				return c.fail(CodeNoPolicy, q.S, c.d.Term(id), c.triplePlace(q),
					"there is no policy in the graph; the namespace of ODRL is <%s>, this is %s", vocab.ODRL, short(iri))
			}
		}
	}
	return c.fail(CodeNoPolicy, 0, rdf.Term{}, rdf.Place{}, "there is no policy in the graph")
}

func (c *compiler) fail(code Code, node rdf.ID, term rdf.Term, place rdf.Place, format string, args ...any) error {
	return &CompileError{*c.find(code, node, term, place, format, args...)}
}

// compile reads the policy that a node is.
func (c *compiler) compile(node rdf.ID) (*Policy, error) {
	c.p = &Policy{iri: c.d.Value(node), dialect: c.dialect, limits: c.limits}
	if err := c.structure(node); err != nil {
		return nil, err
	}
	c.sources = []rdf.ID{node}
	c.refusals(node)
	c.identities()
	c.outside()
	c.p.over = c.about().over
	c.inherit(node)
	c.conflictStrategy()
	c.profiles()
	c.partOf()
	shared := c.sharedProperties()
	for _, kind := range []RuleKind{Permission, Prohibition} {
		for _, source := range c.sources {
			for _, id := range c.objects(source, ruleProperty(kind)) {
				c.p.rules = append(c.p.rules, c.rule(source, id, kind, shared))
			}
		}
	}
	for _, source := range c.sources {
		for _, id := range c.objects(source, propObligation) {
			c.p.obligations = append(c.p.obligations, c.duty(source, propObligation, id, false)...)
		}
	}
	if len(c.p.rules)+len(c.p.obligations) == 0 {
		f := c.find(CodeNoRules, node, c.d.Term(node), c.subjectPlace(node), "the policy has no rules and permits nothing")
		f.Severity = Warning
	}
	if c.limit != nil {
		return nil, c.limit
	}
	for i, r := range c.p.rules {
		r.index = i
	}
	c.p.indexRules()
	c.p.steps = c.rules + c.checks + c.own
	duties := len(c.p.obligations)
	for _, r := range c.p.rules {
		duties += len(r.duties)
	}
	c.p.steps += 20 * duties // each is told, and told apart from the others
	for _, parents := range c.p.partOf {
		const each = 10 // looked up and kept, for the target and for the agent
		c.p.steps += each * len(parents)
	}
	for _, k := range c.constraints {
		if k.shared {
			k.index = c.p.shared
			c.p.shared++
		}
		const duration = 30 // of many digits: compared as months and seconds from four days
		n := 0
		for i := range k.rights {
			if k.rights[i].class == durationOperand {
				n += duration
			}
		}
		if k.op.isSet() {
			c.p.pairs += len(k.rights) + n
		} else {
			c.p.steps += n
		}
	}
	c.p.findings = make([]Finding, len(c.findings))
	for i, f := range c.findings {
		c.p.findings[i] = *f
	}
	return c.p, nil
}

func ruleProperty(k RuleKind) property {
	if k == Prohibition {
		return propProhibition
	}
	return propPermission
}

// structure checks what must be known for the policy to be told apart (1.10,
// rows 13 and 14).
func (c *compiler) structure(node rdf.ID) error {
	for _, uid := range c.objects(node, propUID) {
		if uid != node {
			return c.fail(CodeUIDMismatch, node, c.d.Term(uid), c.placeOf(node, propUID, uid),
				"the uid of the policy is %s, not its IRI", shortTerm(c.d.Term(uid)))
		}
	}
	for _, t := range c.objects(node, propType) {
		iri := c.d.Value(t)
		if c.d.Kind(t) != rdf.KindIRI || !policyClass(iri) || iri == vocab.ODRLPolicy {
			continue
		}
		if c.p.kind != "" {
			return c.fail(CodeSeveralTypes, node, c.d.Term(t), c.placeOf(node, propType, t),
				"a policy must be of one subclass of odrl:Policy, this one is %s and %s", short(c.p.kind), short(iri))
		}
		c.p.kind = iri
	}
	if c.p.kind == "" {
		if id := c.d.LookupIRI(vocab.ODRLPolicy); id != 0 && slices.Contains(c.objects(node, propType), id) {
			c.p.kind = vocab.ODRLPolicy
		}
	}
	c.p.assigner = c.onlyIRI(node, propAssigner)
	c.p.assignee = c.onlyIRI(node, propAssignee)
	if c.dialect != DelegationProfile {
		return c.limit
	}
	if c.p.kind == "" {
		return c.fail(CodeMissingType, node, c.d.Term(node), c.subjectPlace(node), "a policy must have a type")
	}
	for _, one := range []struct {
		p    property
		code Code
	}{{propAssigner, CodeSeveralAssigners}, {propAssignee, CodeSeveralAssignees}, {propDelegatedUnder, CodeSeveralParents}} {
		if ids := c.objects(node, one.p); len(ids) > 1 {
			return c.fail(one.code, node, c.d.Term(ids[1]), c.placeOf(node, one.p, ids[1]), "%s", one.code.Text())
		}
	}
	for _, id := range c.objects(node, propDelegatedUnder) {
		if c.d.Kind(id) != rdf.KindIRI {
			return c.fail(CodeInvalidParent, node, c.d.Term(id), c.placeOf(node, propDelegatedUnder, id), "%s", CodeInvalidParent.Text())
		}
		c.p.delegatedUnder = c.d.Value(id)
	}
	return c.limit
}

// onlyIRI returns the value of a property when there is one and it is an IRI.
func (c *compiler) onlyIRI(node rdf.ID, p property) string {
	if ids := c.objects(node, p); len(ids) == 1 && c.d.Kind(ids[0]) == rdf.KindIRI {
		return c.d.Value(ids[0])
	}
	return ""
}

// refuse makes the policy permit nothing, for the first reason given.
func (c *compiler) refuse(f *Finding) {
	if f != nil && c.p.refused == nil {
		c.p.refused = f
	}
}
