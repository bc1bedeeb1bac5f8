package shacl_test

import (
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/xpattern"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
	"github.com/rdfproto/rdfproto/shacl"
)

// TestReference validates random pairs, some with a damaged shapes graph, with a reading of
// the standard that knows no index, no compiling and nothing remembered: the results are
// the same, those of every node against every shape as well, and no shapes graph is taken
// that breaks a syntax rule.
func TestReference(t *testing.T) {
	t.Parallel()
	n := uint64(200)
	if testing.Short() {
		n = 50
	}
	if all, err := strconv.ParseUint(os.Getenv("RDFPROTO_GENERATED"), 10, 64); err == nil {
		n = all
	}
	conform, refused := 0, 0
	for seed := range n {
		g := newGenerator(seed)
		text, data := g.shapes(), graph(t, "data.ttl", g.data())
		if seed%4 > 0 {
			k := knots{g}
			text, data = k.shapes(), graph(t, "data.ttl", k.data())
		}
		for round := range 3 {
			shapes := graph(t, "shapes.ttl", text)
			if round > 0 {
				shapes = g.damage(t, shapes)
			}
			ref := reference{shapes: statementsOf(shapes), data: statementsOf(data)}
			rule := ref.shapes.brokenRule()
			p, err := shacl.Compile(shapes, shacl.CompileOptions{})
			if err != nil {
				refused++ // for a broken rule, or for what is stricter here
				continue
			}
			require.Empty(t, rule, "seed %d: a broken rule that was not refused in\n%s", seed, text)
			o := shacl.Options{MaxResults: 100_000}
			r, err := p.Validate(t.Context(), data, o)
			require.NoError(t, err)
			require.Equal(t, ref.report(), resultsOf(r), "seed %d, round %d", seed, round)
			if r.Conforms() {
				conform++
			}
			if round > 0 {
				continue
			}
			for _, s := range ref.shapes.shapes() {
				for _, node := range append(ref.data.nodes(), iri(t, "nowhere")) {
					r, err := p.ValidateNode(t.Context(), s, data, node, o)
					require.NoError(t, err)
					want := sorted(ref.validate(s, node))
					require.Equal(t, want, resultsOf(r), "seed %d: %s against %s", seed, node, s)
					require.Equal(t, len(want) == 0, r.Conforms())
				}
			}
		}
	}
	require.Greater(t, conform, int(n)/20)
	require.Greater(t, refused, int(n)/20)
}

// resultsOf writes results as reference does.
func resultsOf(r *shacl.Report) []string {
	all := []string{}
	for i := range r.Results {
		res := &r.Results[i]
		all = append(all, resultText(res.Focus, res.Value, res.Constraint, res.Severity, res.Shape))
	}
	return sorted(all)
}

func resultText(focus, value rdf.Term, component, severity string, shape rdf.Term) string {
	return strings.Join([]string{mask(focus), mask(value), component, severity, mask(shape)}, " ")
}

func sorted(all []string) []string {
	if all == nil {
		return []string{}
	}
	slices.Sort(all)
	return all
}

// reference validates data by the text of SHACL Core. Language tags are compared without
// regard to case, as the package says; blank nodes of the shapes are none of the data.
type reference struct{ shapes, data statements }

// report returns the results for all targets (sections 2.1.3 and 3.4).
func (ref reference) report() []string {
	var all []string
	for _, s := range ref.shapes.shapes() {
		for _, node := range ref.focusNodes(s) {
			all = append(all, ref.validate(s, node)...)
		}
	}
	return sorted(all)
}

func (ref reference) focusNodes(s rdf.Term) (nodes []rdf.Term) {
	nodes = with(nodes, ref.shapes.values(s, vocab.SHTargetNode)...)
	classes := ref.shapes.values(s, vocab.SHTargetClass)
	if ref.shapes.typedShape(s) && ref.shapes.isInstance(s, vocab.RDFSClass) {
		classes = append(classes, s)
	}
	for _, class := range classes {
		for _, node := range ref.data.nodes() {
			if ref.data.isInstance(node, class.Value()) {
				nodes = with(nodes, node)
			}
		}
	}
	for _, t := range ref.data {
		if slices.Contains(ref.shapes.values(s, vocab.SHTargetSubjectsOf), t.p) {
			nodes = with(nodes, t.s)
		}
		if slices.Contains(ref.shapes.values(s, vocab.SHTargetObjectsOf), t.p) {
			nodes = with(nodes, t.o)
		}
	}
	return nodes
}

func (ref reference) conforms(s, node rdf.Term) bool { return len(ref.validate(s, node)) == 0 }

// validate returns the results of a node and a shape (section 3.4.2).
func (ref reference) validate(s, focus rdf.Term) (results []string) {
	if ref.shapes.says(s, vocab.SHDeactivated) {
		return nil
	}
	severity := vocab.SHViolation
	for _, v := range ref.shapes.values(s, vocab.SHSeverity) {
		severity = v.Value()
	}
	nodes := []rdf.Term{focus}
	for _, path := range ref.shapes.values(s, vocab.SHPath) {
		nodes = ref.walk(path, focus)
	}
	report := func(component string, value rdf.Term) {
		results = append(results, resultText(focus, value, component, severity, s))
	}
	// each is for components that look at every value node by itself.
	each := func(parameter, component string, violates func(parameter, v rdf.Term) bool) {
		for _, p := range ref.shapes.values(s, parameter) {
			for _, v := range nodes {
				if violates(p, v) {
					report(component, v)
				}
			}
		}
	}
	// whole is for those that look at the number of some value nodes.
	whole := func(parameter, component string, n int, violates func(order int) bool) {
		for _, p := range ref.shapes.values(s, parameter) {
			if violates(big.NewInt(int64(n)).Cmp(number(p))) {
				report(component, rdf.Term{})
			}
		}
	}
	less, more := func(c int) bool { return c < 0 }, func(c int) bool { return c > 0 }
	members := func(list rdf.Term) []rdf.Term { m, _ := ref.shapes.list(list); return m }
	conforming := func(list, v rdf.Term) (n int) {
		for _, m := range members(list) {
			if ref.conforms(m, v) {
				n++
			}
		}
		return n
	}

	// 4.1
	each(vocab.SHClass, vocab.SHClassConstraintComponent, func(p, v rdf.Term) bool { return !ref.data.isInstance(v, p.Value()) })
	each(vocab.SHDatatype, vocab.SHDatatypeConstraintComponent, func(p, v rdf.Term) bool {
		dt, known := xsd.Lookup(p.Value())
		return v.Datatype() != p.Value() || known && !xsd.Valid(dt, v.Value())
	})
	each(vocab.SHNodeKind, vocab.SHNodeKindConstraintComponent, func(p, v rdf.Term) bool {
		kind := map[rdf.Kind]string{rdf.KindIRI: "IRI", rdf.KindBlank: "BlankNode", rdf.KindLiteral: "Literal"}[v.Kind()]
		return !slices.Contains(strings.Split(strings.TrimPrefix(p.Value(), vocab.SH), "Or"), kind)
	})
	// 4.2
	whole(vocab.SHMinCount, vocab.SHMinCountConstraintComponent, len(nodes), less)
	whole(vocab.SHMaxCount, vocab.SHMaxCountConstraintComponent, len(nodes), more)
	// 4.3
	each(vocab.SHMinExclusive, vocab.SHMinExclusiveConstraintComponent, func(p, v rdf.Term) bool { return !order(p, v).Less() })
	each(vocab.SHMinInclusive, vocab.SHMinInclusiveConstraintComponent, func(p, v rdf.Term) bool { return !order(p, v).LessOrEqual() })
	each(vocab.SHMaxExclusive, vocab.SHMaxExclusiveConstraintComponent, func(p, v rdf.Term) bool { return !order(p, v).Greater() })
	each(vocab.SHMaxInclusive, vocab.SHMaxInclusiveConstraintComponent, func(p, v rdf.Term) bool { return !order(p, v).GreaterOrEqual() })
	// 4.4
	length := func(v rdf.Term) *big.Int { return big.NewInt(int64(utf8.RuneCountInString(v.Value()))) }
	each(vocab.SHMinLength, vocab.SHMinLengthConstraintComponent, func(p, v rdf.Term) bool { return isBlank(v) || length(v).Cmp(number(p)) < 0 })
	each(vocab.SHMaxLength, vocab.SHMaxLengthConstraintComponent, func(p, v rdf.Term) bool { return isBlank(v) || length(v).Cmp(number(p)) > 0 })
	each(vocab.SHPattern, vocab.SHPatternConstraintComponent, func(p, v rdf.Term) bool {
		compiled, err := ref.shapes.pattern(s, p)
		return isBlank(v) || err != nil || !compiled.MatchString(v.Value())
	})
	each(vocab.SHLanguageIn, vocab.SHLanguageInConstraintComponent, func(p, v rdf.Term) bool {
		return v.Lang() == "" || !slices.ContainsFunc(members(p), func(m rdf.Term) bool {
			tag, lang := strings.ToLower(v.Lang()), strings.ToLower(m.Value())
			return lang == "*" || tag == lang || strings.HasPrefix(tag, lang+"-")
		})
	})
	if ref.shapes.says(s, vocab.SHUniqueLang) {
		count := map[string]int{}
		for _, v := range nodes {
			if count[strings.ToLower(v.Lang())]++; v.Lang() != "" && count[strings.ToLower(v.Lang())] == 2 {
				report(vocab.SHUniqueLangConstraintComponent, rdf.Term{})
			}
		}
	}
	// 4.5
	others := func(p rdf.Term) []rdf.Term { return ref.data.values(focus, p.Value()) }
	each(vocab.SHEquals, vocab.SHEqualsConstraintComponent, func(p, v rdf.Term) bool { return !holds(others(p), v) })
	for _, p := range ref.shapes.values(s, vocab.SHEquals) {
		for _, other := range others(p) {
			if !holds(nodes, other) {
				report(vocab.SHEqualsConstraintComponent, other)
			}
		}
	}
	each(vocab.SHDisjoint, vocab.SHDisjointConstraintComponent, func(p, v rdf.Term) bool { return holds(others(p), v) })
	for _, pair := range []struct {
		parameter, component string
		fits                 func(xsd.Order) bool
	}{
		{vocab.SHLessThan, vocab.SHLessThanConstraintComponent, xsd.Order.Less},
		{vocab.SHLessThanOrEquals, vocab.SHLessThanOrEqualsConstraintComponent, xsd.Order.LessOrEqual},
	} {
		for _, p := range ref.shapes.values(s, pair.parameter) {
			for _, other := range others(p) {
				for _, v := range nodes {
					if !pair.fits(order(v, other)) {
						report(pair.component, v)
					}
				}
			}
		}
	}
	// 4.6
	each(vocab.SHNot, vocab.SHNotConstraintComponent, ref.conforms)
	each(vocab.SHAnd, vocab.SHAndConstraintComponent, func(p, v rdf.Term) bool { return conforming(p, v) < len(members(p)) })
	each(vocab.SHOr, vocab.SHOrConstraintComponent, func(p, v rdf.Term) bool { return conforming(p, v) == 0 })
	each(vocab.SHXone, vocab.SHXoneConstraintComponent, func(p, v rdf.Term) bool { return conforming(p, v) != 1 })
	// 4.7
	each(vocab.SHNode, vocab.SHNodeConstraintComponent, func(p, v rdf.Term) bool { return !ref.conforms(p, v) })
	for _, p := range ref.shapes.values(s, vocab.SHProperty) {
		for _, v := range nodes {
			results = append(results, ref.validate(p, v)...)
		}
	}
	for _, qualified := range ref.shapes.values(s, vocab.SHQualifiedValueShape) {
		siblings, n := ref.siblings(s, qualified), 0
		for _, v := range nodes {
			if ref.conforms(qualified, v) && !slices.ContainsFunc(siblings, func(other rdf.Term) bool { return ref.conforms(other, v) }) {
				n++
			}
		}
		whole(vocab.SHQualifiedMinCount, vocab.SHQualifiedMinCountConstraintComponent, n, less)
		whole(vocab.SHQualifiedMaxCount, vocab.SHQualifiedMaxCountConstraintComponent, n, more)
	}
	// 4.8
	if ref.shapes.says(s, vocab.SHClosed) {
		var allowed []rdf.Term
		for _, list := range ref.shapes.values(s, vocab.SHIgnoredProperties) {
			allowed = append(allowed, members(list)...)
		}
		for _, p := range ref.shapes.values(s, vocab.SHProperty) {
			allowed = append(allowed, ref.shapes.values(p, vocab.SHPath)...) // one that is no IRI is no predicate
		}
		for _, t := range ref.data {
			if slices.Contains(nodes, t.s) && !slices.Contains(allowed, t.p) {
				report(vocab.SHClosedConstraintComponent, t.o)
			}
		}
	}
	for _, p := range ref.shapes.values(s, vocab.SHHasValue) {
		if isBlank(p) || !holds(nodes, p) {
			report(vocab.SHHasValueConstraintComponent, rdf.Term{})
		}
	}
	each(vocab.SHIn, vocab.SHInConstraintComponent, func(p, v rdf.Term) bool { return isBlank(v) || !holds(members(p), v) })
	return results
}

// siblings returns the sibling shapes of a property shape (section 4.7.3).
func (ref reference) siblings(s, qualified rdf.Term) (all []rdf.Term) {
	if !ref.shapes.says(s, vocab.SHQualifiedValueShapesDisjoint) {
		return nil
	}
	for _, parent := range ref.shapes {
		if parent.p.Value() != vocab.SHProperty || parent.o != s {
			continue
		}
		for _, property := range ref.shapes.values(parent.s, vocab.SHProperty) {
			all = append(all, ref.shapes.values(property, vocab.SHQualifiedValueShape)...)
		}
	}
	return slices.DeleteFunc(all, func(other rdf.Term) bool { return other == qualified })
}

// walk returns the value nodes of a path (section 2.3.1), of an inverse one by walking from
// every node.
func (ref reference) walk(path, from rdf.Term) (to []rdf.Term) {
	if path.Kind() == rdf.KindIRI {
		return ref.data.values(from, path.Value())
	}
	if parts, ok := ref.shapes.list(path); ok {
		to = []rdf.Term{from}
		for _, part := range parts {
			var next []rdf.Term
			for _, node := range to {
				next = with(next, ref.walk(part, node)...)
			}
			to = next
		}
		return to
	}
	of := ref.shapes.about(path)[0]
	switch of.p.Value() {
	case vocab.SHAlternativePath:
		parts, _ := ref.shapes.list(of.o)
		for _, part := range parts {
			to = with(to, ref.walk(part, from)...)
		}
	case vocab.SHInversePath:
		for _, node := range with(ref.data.nodes(), from) {
			if slices.Contains(ref.walk(of.o, node), from) {
				to = with(to, node)
			}
		}
	case vocab.SHZeroOrOnePath:
		to = with([]rdf.Term{from}, ref.walk(of.o, from)...)
	case vocab.SHZeroOrMorePath, vocab.SHOneOrMorePath:
		if to = ref.walk(of.o, from); of.p.Value() == vocab.SHZeroOrMorePath {
			to = with([]rdf.Term{from}, to...)
		}
		for i := 0; i < len(to); i++ {
			to = with(to, ref.walk(of.o, to[i])...)
		}
	}
	return to
}

func isBlank(t rdf.Term) bool { return t.Kind() == rdf.KindBlank }

// order is that of the values of two literals.
func order(a, b rdf.Term) xsd.Order {
	x, y := valueOf(a), valueOf(b)
	return xsd.Compare(x, y)
}

func valueOf(t rdf.Term) xsd.Value {
	dt, _ := xsd.Lookup(t.Datatype())
	v, err := xsd.Parse(dt, t.Value())
	if err != nil {
		return xsd.Value{}
	}
	return v
}

func number(t rdf.Term) *big.Int {
	n, _ := new(big.Int).SetString(t.Value(), 10)
	return n
}

// holds reports whether a set holds a term.
func holds(set []rdf.Term, t rdf.Term) bool {
	return slices.ContainsFunc(set, func(other rdf.Term) bool {
		return other == t || t.Lang() != "" && strings.EqualFold(other.Lang(), t.Lang()) && other.Value() == t.Value()
	})
}

// with adds terms to a set.
func with(set []rdf.Term, terms ...rdf.Term) []rdf.Term {
	for _, t := range terms {
		if !slices.Contains(set, t) {
			set = append(set, t)
		}
	}
	return set
}

// pattern compiles a value of sh:pattern with the flags beside it.
func (g statements) pattern(s, p rdf.Term) (*xpattern.Pattern, error) {
	flags := ""
	for _, f := range g.values(s, vocab.SHFlags) {
		flags = f.Value()
	}
	return xpattern.Compile(p.Value(), flags)
}
