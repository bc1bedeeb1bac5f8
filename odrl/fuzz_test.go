package odrl_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/turtle"
)

// seeds are policies with something of everything.
var seeds = []string{
	permission(""),
	prohibition(""),
	permission(`; odrl:constraint ex:c`) + compare("odrl:purpose", "eq", "ex:research"),
	withParts(permission(`; odrl:constraint [ odrl:xone ( ex:T ex:F ) ], [ odrl:andSequence ( ex:T ex:U ) ], [ odrl:or ex:T, ex:F ]`)),
	withParts(permission(`; odrl:duty [ odrl:action odrl:inform, [ rdf:value odrl:delete ; odrl:refinement ex:T ] ; odrl:consequence [ odrl:action odrl:pay ] ]`)),
	permission(`. ex:doc a odrl:AssetCollection ; odrl:source ex:all ; odrl:refinement ex:c`) + compare("odrl:dateTime", "lt", `"2027-01-01"^^xsd:date`),
	permission(`. ex:bob a odrl:PartyCollection ; odrl:partOf ex:all ; odrl:uid ex:bob`) + compare("odrl:count", "isAnyOf", `( 1 2.5 "x" )`),
	withParts(permission(`; odrl:constraint [ odrl:or ex:l ]`) + `ex:l rdf:first ex:T ; rdf:rest ex:l .`),
	permission(`. ex:pol odrl:inheritFrom ex:pol2 ; odrl:conflict odrl:perm . ex:pol2 odrl:prohibition [ odrl:remedy [] ]`),
	permission(`. ex:pol odrl:profile odrl:core, ex:p ; odrl:assigner ex:a ; odrl:assignee ex:b ; odrld:delegatedUnder ex:up ; dcterms:isReplacedBy ex:n`),
	`ex:pol odrl:permission "x", ex:pol ; odrl:obligation ex:pol ; odrl:uid ex:pol ; odrl:limit 1 . ex:x odrl:hasPolicy ex:pol .`,
	compare("odrld:delegationDepth", "lteq", "2") + `ex:c odrl:unit ex:u ; odrl:status 1 ; odrl:dataType xsd:integer ; odrl:rightOperandReference ex:r ; ex:n "y"@en .`,
	`ex:pol a odrl:Policy ; odrl:target ex:doc ; odrl:action odrl:use . ex:pol2 a odrl:Agreement ; odrl:permission [ a odrl:Permission ; odrl:action acl:Append ] .`,
}

// vocabulary holds all terms of the seeds; a fuzzed policy is made of them,
// three bytes a triple.
func vocabulary(t testing.TB) []rdf.Term {
	seen := map[rdf.Term]bool{}
	for _, s := range seeds {
		d := parse(t, s).Dataset()
		for i := 1; i <= d.NumTerms(); i++ {
			seen[d.Term(rdf.ID(i))] = true
		}
	}
	terms := make([]rdf.Term, 0, len(seen))
	for term := range seen {
		terms = append(terms, term)
	}
	slices.SortFunc(terms, func(a, b rdf.Term) int {
		if a.String() < b.String() {
			return -1
		}
		return 1
	})
	require.Less(t, len(terms), 256)
	return terms
}

// fromBytes makes a graph of the triples that bytes say; what is no triple is
// left out.
func fromBytes(terms []rdf.Term, data []byte, more ...[3]rdf.Term) rdf.Graph {
	b := rdf.NewBuilder(rdf.Limits{})
	add := func(s, p, o rdf.Term) {
		_ = b.AddTerms(s, p, o, rdf.Term{}) // a literal as subject: no triple
	}
	for ; len(data) >= 3; data = data[3:] {
		at := func(i int) rdf.Term { return terms[int(data[i])%len(terms)] }
		add(at(0), at(1), at(2))
	}
	for _, x := range more {
		add(x[0], x[1], x[2])
	}
	return b.Dataset().Default()
}

// inventor makes policies of bytes and says what must hold of them.
type inventor struct {
	terms    []rdf.Term
	seeds    [][]byte
	unknowns [][][3]rdf.Term
	requests []*odrl.Request
}

func newInventor(t testing.TB) *inventor {
	v := &inventor{terms: vocabulary(t)}
	index := map[rdf.Term]byte{}
	for i, term := range v.terms {
		index[term] = byte(i)
	}
	for _, s := range seeds {
		var data []byte
		g := parse(t, s)
		for q := range g.All().Quads() {
			d := g.Dataset()
			data = append(data, index[d.Term(q.S)], index[d.Term(q.P)], index[d.Term(q.O)])
		}
		v.seeds = append(v.seeds, data)
	}
	iri := func(s string) rdf.Term {
		term, err := rdf.NewIRI(s)
		require.NoError(t, err)
		return term
	}
	pol, rule := iri(ex+"pol"), iri("urn:x:r")
	v.unknowns = [][][3]rdf.Term{
		{{pol, iri(core + "permission"), rule}, {rule, iri(core + "action"), iri(core + "use")}, {rule, iri(core + "target"), iri(ex + "doc")}, {rule, iri(core + "grants"), rule}},
		{{pol, iri(core + "permission"), rule}, {rule, iri(core + "action"), iri("urn:x:a")}, {rule, iri(core + "target"), iri(ex + "doc")}},
		{{pol, iri(core + "conflict"), iri("urn:x:c")}},
		{{pol, iri("urn:x:p"), iri("urn:x:c")}},
		{{iri(ex + "perm"), iri(core + "constraint"), iri("urn:x:c")}},
		{{iri(ex + "c"), iri(core + "leftOperand"), iri("urn:x:l")}},
		{{iri(ex + "T"), iri(core + "and"), iri("urn:x:l")}},
	}
	v.requests = []*odrl.Request{
		ask(), ask(with("purpose", odrl.Text(ex+"research"))), ask(with("purpose", odrl.Text("x")), with("count", odrl.Integer(2))),
		ask(action("append")), ask(target(ex + "other")), ask(member(ex+"doc", ex+"all"), member(ex+"bob")),
		ask(with("fulfilled:inform", odrl.Boolean(true)), with("fulfilled:delete", odrl.Boolean(true)), with("purpose", odrl.Text(ex+"research"))),
		{}, ask(agent("")),
	}
	return v
}

// encode writes a graph with the vocabulary: what is not in it is, wherever it stands,
// the same term of it, a literal for a literal.
func (v *inventor) encode(g rdf.Graph) []byte {
	known := map[rdf.Term]byte{}
	var literals, nodes []byte
	for i, term := range v.terms {
		known[term] = byte(i)
		switch {
		case term.Kind() == rdf.KindLiteral:
			literals = append(literals, byte(i))
		case strings.HasPrefix(term.Value(), ex):
			nodes = append(nodes, byte(i))
		}
	}
	d := g.Dataset()
	at := func(id rdf.ID) byte {
		term := d.Term(id)
		if i, ok := known[term]; ok {
			return i
		}
		if term.Kind() == rdf.KindLiteral {
			return literals[int(id)%len(literals)]
		}
		return nodes[int(id)%len(nodes)]
	}
	var data []byte
	for q := range g.All().Quads() {
		data = append(data, at(q.S), at(q.P), at(q.O))
	}
	return data[:min(len(data), 600)]
}

// check holds a policy and a request to what must hold: nothing panics; the same
// policy and request come to the same decision, explained or not; and unknown
// terms that are added never turn a denial into a permit. It returns how many
// decisions permit.
func (v *inventor) check(t *testing.T, data []byte, which byte) (permits int) {
	g, r := fromBytes(v.terms, data), v.requests[int(which)%len(v.requests)]
	for _, dialect := range []odrl.Dialect{odrl.InformationModel, odrl.DelegationProfile} {
		for _, policy := range []string{"", ex + "pol"} {
			o := odrl.CompileOptions{Policy: policy, Dialect: dialect}
			_, err := odrl.Lint(g, o)
			require.NoError(t, err)
			p, err := odrl.Compile(g, o)
			if err != nil {
				require.Nil(t, p)
				continue
			}
			d := decide(t, p, r)
			again, err := odrl.Compile(fromBytes(v.terms, data), o)
			require.NoError(t, err)
			require.Equal(t, d, again.Evaluate(r))
			if d.Permitted() {
				permits++
				_, refused := p.Refused()
				require.False(t, refused)
				continue
			}
			for i := range v.unknowns {
				more, err := odrl.Compile(fromBytes(v.terms, data, v.unknowns[i]...), o)
				if err == nil {
					require.False(t, more.Evaluate(r).Permitted(), "unknown term %d permits", i)
				}
			}
		}
	}
	return permits
}

// FuzzEvaluate makes policies of any triples of ODRL's terms and gives them to
// both dialects.
func FuzzEvaluate(f *testing.F) {
	v := newInventor(f)
	for i, data := range v.seeds {
		f.Add(data, byte(i))
	}
	for i, seed := range suite.Seeds(f, suite.Policies) {
		if d, err := turtle.Parse(seed.Data, turtle.Options{Base: ex}); err == nil {
			f.Add(v.encode(d.Default()), byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which byte) {
		if len(data) <= 600 {
			v.check(t, data, which)
		}
	})
}

// FuzzRequest: what is read of a request is what its JSON says, it comes to the same
// decision each time, and no depth that it asserts changes that.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"agent":"urn:a","action":"read","target":"http://example.org/ns#doc","attributes":{"count":[1,2.5e3,-0],"purpose":"x","fulfilled:inform":true,"delegationDepth":0},"memberOf":{"urn:a":["urn:b"],"urn:b":[]}}`))
	for _, seed := range suite.Seeds(f, suite.Requests) {
		f.Add(seed.Data)
	}
	var policies []*odrl.Policy
	for _, text := range seeds {
		for _, dialect := range []odrl.Dialect{odrl.InformationModel, odrl.DelegationProfile} {
			if p, err := odrl.Compile(parse(f, text), odrl.CompileOptions{Dialect: dialect}); err == nil {
				policies = append(policies, p)
			}
		}
	}
	require.NotEmpty(f, policies)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := odrl.ParseRequest(data)
		if err != nil {
			require.NotEmpty(t, err.Error())
			require.Equal(t, odrl.Request{}, r)
			return
		}
		var says struct {
			Agent, Action, Target string
			Attributes            map[string]any
			MemberOf              map[string][]string `json:"memberOf"`
		}
		require.NoError(t, json.Unmarshal(data, &says))
		require.Equal(t, []string{says.Agent, says.Action, says.Target}, []string{r.Agent, r.Action, r.Target})
		require.Len(t, r.MemberOf, len(says.MemberOf))
		for _, name := range []string{"delegationDepth", "https://w3id.org/jeswr/odrl-delegation#delegationDepth"} {
			require.NotContains(t, r.Attributes, name)
			delete(says.Attributes, name)
		}
		require.Len(t, r.Attributes, len(says.Attributes))
		deep := r
		deep.Attributes = maps.Clone(r.Attributes)
		if deep.Attributes == nil {
			deep.Attributes = map[string][]odrl.Value{}
		}
		deep.Attributes["delegationDepth"] = []odrl.Value{odrl.Integer(0)}
		for _, p := range policies {
			d := decide(t, p, &r)
			require.Equal(t, d, p.Evaluate(&r))
			require.Equal(t, d.Permitted(), p.Evaluate(&deep).Permitted(), "by a depth that is asserted")
		}
	})
}

// TestInventedPolicies does a little of the same in every run: the seeds with
// some bytes changed, joined and cut.
func TestInventedPolicies(t *testing.T) {
	t.Parallel()
	v := newInventor(t)
	permits, rounds := 0, 2_000
	if testing.Short() {
		rounds = 300
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(4, uint64(seed)))
		data := slices.Clone(v.seeds[r.IntN(len(v.seeds))])
		if r.IntN(2) == 0 {
			data = append(data, v.seeds[r.IntN(len(v.seeds))]...)
		}
		for range r.IntN(4) {
			data[r.IntN(len(data))] = byte(r.IntN(len(v.terms)))
		}
		if r.IntN(4) == 0 {
			data = data[3*r.IntN(len(data)/3):]
		}
		permits += v.check(t, data, byte(r.IntN(len(v.requests))))
	}
	require.Greater(t, permits, rounds/20, "too few permit to say anything")
}
