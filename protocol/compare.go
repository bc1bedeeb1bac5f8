package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// Effect says what a change means for the messages that a document allows. The
// zero Effect is none.
type Effect uint8

// The effects.
const (
	NoEffect  Effect = iota // it decides nothing
	Narrower                // what was allowed may be refused
	Wider                   // what was refused may be allowed
	Different               // both, or there is no telling
)

// String returns the effect in one word.
func (e Effect) String() string {
	switch e {
	case Narrower:
		return "narrower"
	case Wider:
		return "wider"
	case Different:
		return "different"
	}
	return "same"
}

// inverse is the effect on what refuses when the other thing allows.
func (e Effect) inverse() Effect {
	switch e {
	case Narrower:
		return Wider
	case Wider:
		return Narrower
	}
	return e
}

// and is the effect of two changes together.
func (e Effect) and(f Effect) Effect {
	switch {
	case e == NoEffect || e == f:
		return f
	case f == NoEffect:
		return e
	}
	return Different
}

// Subject is the part of a document that a change is in.
type Subject uint8

// The parts of a document.
const (
	OfMetadata Subject = iota
	OfRequest
	OfResponse
)

// String returns the part in one word.
func (s Subject) String() string {
	switch s {
	case OfRequest:
		return "request"
	case OfResponse:
		return "response"
	}
	return "metadata"
}

// Change is one thing in which two documents differ.
type Change struct {
	Subject Subject
	Effect  Effect
	// Path leads from the intent, or from a node of the response, to what the
	// constraint is about; empty for that node itself.
	Path []shacl.Path
	// Within names the sh:or or sh:not that the constraint stands in, the outermost
	// first.
	Within []string
	// Property is the IRI of the parameter that declares the constraint, or of the
	// property of the document.
	Property string
	// Old and New are the values, none where there was or is no such constraint. For
	// sh:in, sh:languageIn and sh:closed they are the members that the other side
	// lacks.
	Old, New []rdf.Term
	// Note says what changed where the values do not: where they are shapes, where other
	// values count, and where a pattern has other flags; "" otherwise.
	Note string
}

// Comparison is what two documents differ in.
type Comparison struct {
	// Same says that the documents have one pin, and are one document.
	Same    bool
	Changes []Change
}

// Effect returns the effect of all changes of one part together.
func (c *Comparison) Effect(of Subject) Effect {
	e := NoEffect
	for i := range c.Changes {
		if c.Changes[i].Subject == of {
			e = e.and(c.Changes[i].Effect)
		}
	}
	return e
}

// Compare says, constraint by constraint, what a new version of a document narrows,
// widens or changes. Shapes are compared by what they demand, not by their names:
// sh:node, sh:property and sh:and are looked through, so that moving a constraint is
// no change. Equal demands that are spelt in several constraints, and bounds on values
// that are texts of 256 bytes and more, may be reported as [Different]; nothing that
// decides is left out. It fails when a document is nil or
// has more constraints, lists and paths than are compared.
func Compare(old, new *Document) (*Comparison, error) {
	if old == nil || old.program == nil || new == nil || new.program == nil {
		return nil, errors.New("expected two documents")
	}
	c := &comparer{old: newSide(old), new: newSide(new)}
	out := &Comparison{Same: old.pin.Equal(new.pin)}
	c.metadata()
	c.subject = OfRequest
	c.targets(old.request, new.request)
	c.shapes(old.request, new.request, nil, nil, false)
	if c.err != nil {
		return nil, c.err
	}
	c.subject = OfResponse
	switch {
	case !old.response.IsZero() && !new.response.IsZero():
		c.targets(old.response, new.response)
		c.shapes(old.response, new.response, nil, nil, false)
	case !old.response.IsZero():
		c.add(Change{Effect: Wider, Property: vocab.A2AResponseShape, Old: []rdf.Term{old.response}, Note: "responses are no longer checked"})
	case !new.response.IsZero():
		c.add(Change{Effect: Narrower, Property: vocab.A2AResponseShape, New: []rdf.Term{new.response}, Note: "responses are checked from now on"})
	}
	if c.err != nil {
		return nil, c.err
	}
	out.Changes = c.changes
	if !out.Same && len(out.Changes) == 0 {
		out.Changes = []Change{{Note: "the documents differ in triples that decide nothing"}}
	}
	return out, nil
}

// comparer collects changes.
type comparer struct {
	old, new *side
	subject  Subject
	changes  []Change
	err      error
}

func (c *comparer) add(x Change) {
	x.Subject = c.subject
	c.changes = append(c.changes, x)
}

func (c *comparer) metadata() {
	d, e := c.old.doc, c.new.doc
	if d.node != e.node {
		c.add(Change{Note: "the document has another IRI", Old: []rdf.Term{d.node}, New: []rdf.Term{e.node}})
	}
	for _, property := range []string{vocab.DCTitle, vocab.DCDescription, vocab.DCHasVersion} {
		was, is := d.labels(property), e.labels(property)
		if !slices.Equal(was, is) {
			c.add(Change{Property: property, Old: was, New: is})
		}
	}
}

// labels returns all values of a property of the document, in the order of their
// texts.
func (d *Document) labels(property string) []rdf.Term {
	var all []rdf.Term
	for _, v := range valuesOf(d.graph, d.graph.Lookup(d.node), property) {
		all = append(all, d.graph.Term(v))
	}
	slices.SortFunc(all, func(a, b rdf.Term) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// targets compares what root shapes select besides the intent. The class of intents is such a
// target, too: a message may declare subclasses of it.
func (c *comparer) targets(old, new rdf.Term) {
	of := func(s *side, root rdf.Term) []atom {
		shape, _ := s.doc.program.Shape(root)
		var all []atom
		for _, t := range shape.Targets {
			all = append(all, atom{parameter: t.Property, value: t.Value, key: t.Property + " " + t.Value.String()})
		}
		return all
	}
	was, is := of(c.old, old), of(c.new, new)
	removed, added := without(was, is), without(is, was)
	if len(removed)+len(added) == 0 {
		return
	}
	x := Change{Effect: Different, Note: "the shape selects other nodes"}
	if c.subject == OfRequest && len(removed) == 0 {
		x.Effect = Narrower
	}
	if c.subject == OfRequest && len(added) == 0 {
		x.Effect = Wider
	}
	for _, a := range removed {
		x.Property, x.Old = a.parameter, append(x.Old, a.value)
	}
	for _, a := range added {
		x.Property, x.New = a.parameter, append(x.New, a.value)
	}
	c.add(x)
}

// shapes compares what two shapes demand. inverted says that they are within an odd
// number of sh:not.
func (c *comparer) shapes(old, new rdf.Term, path []shacl.Path, within []string, inverted bool) {
	if c.old.signature(old) == c.new.signature(new) && !c.old.exceeded() && !c.new.exceeded() {
		return
	}
	was, is := c.old.gather(old, path), c.new.gather(new, path)
	if c.old.exceeded() || c.new.exceeded() {
		c.err = fmt.Errorf("the %s shapes are too large to compare: more than %d constraints, members of lists and parts of paths", c.subject, maxWork)
		return
	}
	keys := slices.Clone(was.order)
	for _, k := range is.order {
		if was.by[k] == nil {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		a, b := was.by[k], is.by[k]
		removed, added := without(a, b), without(b, a)
		if len(removed)+len(added) == 0 {
			continue
		}
		sample := slices.Concat(removed, added)[0]
		c.constraint(sample, a, b, removed, added, within, inverted)
	}
}

// constraint compares the constraints that one parameter makes at one place: all
// of them, and those that only one side has.
func (c *comparer) constraint(sample atom, was, is, removed, added []atom, within []string, inverted bool) {
	x := Change{Path: sample.path, Within: within, Property: sample.parameter}
	switch sample.parameter {
	case vocab.SHMinCount:
		x.Effect = compareCounts(was, is, true)
	case vocab.SHMaxCount:
		x.Effect = compareCounts(was, is, false)
	case vocab.SHMinLength, vocab.SHMaxLength:
		x.Effect = compareLengths(was, is, sample.parameter == vocab.SHMinLength)
	case vocab.SHMinInclusive, vocab.SHMinExclusive:
		x.Effect = compareBounds(was, is, true)
	case vocab.SHMaxInclusive, vocab.SHMaxExclusive:
		x.Effect = compareBounds(was, is, false)
	case vocab.SHNodeKind:
		x.Effect = compareSets(kindsOf(was), kindsOf(is))
	case vocab.SHIn, vocab.SHClosed, vocab.SHLanguageIn:
		x.Effect = compareSets(common(was), common(is))
		if sample.parameter == vocab.SHLanguageIn && max(len(was), len(is)) > 1 {
			x.Effect = presence(removed, added) // "en-US" is in "en": what two ranges share is no set of their names
		}
		x.Old, x.New = membersOnlyOf(was, is), membersOnlyOf(is, was)
		if sample.parameter == vocab.SHClosed {
			x.Note = closedNote(was, is)
		}
	case vocab.SHOr:
		if len(removed) == 1 && len(added) == 1 && c.alternatives(removed[0], added[0], within, inverted) {
			return
		}
		x.Effect = presence(removed, added)
		x.Note = shapesNote(removed, added)
	case vocab.SHNot:
		if len(removed) == 1 && len(added) == 1 {
			c.shapes(removed[0].shapes[0], added[0].shapes[0], sample.path, append(slices.Clip(within), vocab.SHNot), !inverted)
			return
		}
		x.Effect = presence(removed, added)
		x.Note = shapesNote(removed, added)
	case vocab.SHXone:
		x.Effect = presence(removed, added)
		x.Note = shapesNote(removed, added)
	case vocab.SHQualifiedMinCount, vocab.SHQualifiedMaxCount:
		x.Effect = presence(removed, added)
		switch {
		case c.old.disjoint || c.new.disjoint:
			x.Effect = Different // it may change what siblings count
			if len(removed) == 1 && len(added) == 1 && removed[0].value == added[0].value {
				x.Note = "other values count"
			}
		case len(removed) == 1 && len(added) == 1 && removed[0].counted == added[0].counted:
			x.Effect = compareCounts(removed, added, sample.parameter == vocab.SHQualifiedMinCount)
		}
	default:
		x.Effect = presence(removed, added)
	}
	if x.Old == nil && x.New == nil && x.Note == "" {
		x.Old, x.New = namedValues(removed), namedValues(added)
	}
	if len(removed) == 1 && len(added) == 1 && x.Note == "" {
		x.Note = otherwise(removed[0], added[0])
	}
	if len(removed) == 1 && len(added) == 1 && removed[0].parameter != added[0].parameter {
		x.Note = "it was sh:" + strings.TrimPrefix(removed[0].parameter, vocab.SH) + " and is sh:" + strings.TrimPrefix(added[0].parameter, vocab.SH)
	}
	if inverted {
		x.Effect = x.Effect.inverse()
	}
	c.add(x)
}

// otherwise says what makes two constraints of one parameter differ beside their values.
func otherwise(was, is atom) string {
	switch {
	case was.counted != is.counted:
		return "other values count"
	case was.flags != is.flags:
		return fmt.Sprintf("sh:flags was %q, is %q", was.flags, is.flags)
	}
	return ""
}

// alternatives compares the members of two sh:or and reports whether it told what
// changed.
func (c *comparer) alternatives(old, new atom, within []string, inverted bool) bool {
	gone, came := c.old.unmatched(old, new, c.new), c.new.unmatched(new, old, c.old)
	x := Change{Path: old.path, Within: within, Property: vocab.SHOr}
	switch {
	case len(gone) == 1 && len(came) == 1:
		c.shapes(gone[0], came[0], old.path, append(slices.Clip(within), vocab.SHOr), inverted)
		return true
	case len(gone) == 0:
		x.Effect, x.Note = Wider, count(len(came), "alternative")+" more"
	case len(came) == 0:
		x.Effect, x.Note = Narrower, count(len(gone), "alternative")+" fewer"
	default:
		return false
	}
	if inverted {
		x.Effect = x.Effect.inverse()
	}
	c.add(x)
	return true
}

// unmatched returns the members of mine that have no equal among those of theirs.
func (s *side) unmatched(mine, theirs atom, of *side) []rdf.Term {
	have := map[string]int{}
	for _, t := range theirs.shapes {
		have[of.signature(t)]++
	}
	var all []rdf.Term
	for _, t := range mine.shapes {
		if sig := s.signature(t); have[sig] > 0 {
			have[sig]--
		} else {
			all = append(all, t)
		}
	}
	return all
}

// Text says in one line what changed and what it means, with terms named by name:
// "narrower: request: <p>: sh:minCount was 0, is 1".
func (x *Change) Text(name func(rdf.Term) string) string {
	var b strings.Builder
	b.WriteString(x.Effect.String())
	b.WriteString(": ")
	b.WriteString(x.Subject.String())
	b.WriteString(": ")
	for i, p := range x.Path {
		if i > 0 {
			b.WriteString(" / ")
		}
		b.WriteString(p.Short(name))
	}
	if len(x.Path) > 0 {
		b.WriteString(": ")
	}
	for _, w := range x.Within {
		b.WriteString("within sh:" + strings.TrimPrefix(w, vocab.SH) + ": ")
	}
	if x.Property != "" {
		if t, err := rdf.NewIRI(x.Property); err == nil {
			b.WriteString(name(t))
			b.WriteByte(' ')
		}
	}
	b.WriteString(x.values(name))
	return b.String()
}

func (x *Change) values(name func(rdf.Term) string) string {
	terms := func(all []rdf.Term) string {
		const most = 10
		var names []string
		for _, t := range all[:min(len(all), most)] {
			names = append(names, name(t))
		}
		if more := len(all) - most; more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		return strings.Join(names, ", ")
	}
	var parts []string
	lists := x.Property == vocab.SHIn || x.Property == vocab.SHLanguageIn || x.Property == vocab.SHClosed
	switch {
	case lists && len(x.Old) > 0:
		parts = append(parts, "without "+terms(x.Old))
	case len(x.Old) > 0:
		parts = append(parts, "was "+terms(x.Old))
	case len(x.New) > 0 && !lists:
		parts = append(parts, "was absent")
	}
	switch {
	case lists && len(x.New) > 0:
		parts = append(parts, "with "+terms(x.New))
	case len(x.New) > 0:
		parts = append(parts, "is "+terms(x.New))
	case len(x.Old) > 0 && !lists:
		parts = append(parts, "is absent")
	}
	if x.Note != "" {
		parts = append(parts, x.Note)
	}
	return strings.Join(parts, ", ")
}
