package attack_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/nquads"
	"github.com/rdfproto/rdfproto/rdf/turtle"
	"github.com/rdfproto/rdfproto/shacl"
)

const exceeded = string(rdf.CodeLimitExceeded)

// limitCases is the table of cases, by package.Type.Field.
func limitCases(w *world) map[string]limitCase {
	all := map[string]limitCase{}
	for _, some := range []map[string]limitCase{rdfLimits(), policyLimits(), authorityLimits(w), cardLimits(w), workflowLimits(), exchangeLimits(w)} {
		maps.Copy(all, some)
	}
	return all
}

func rdfLimits() map[string]limitCase {
	reads := func(at int64, text string, set func(*rdf.Limits, int64)) limitCase {
		return limitCase{at: at, code: exceeded, do: func(n int64) (outcome, error) {
			var l rdf.Limits
			set(&l, n)
			_, err := turtle.Parse([]byte(text), turtle.Options{Limits: l})
			return check(err)
		}}
	}
	contexts := must(jsonld.NewContexts(map[string][]byte{"https://c.example/": []byte(`{"@context":{"p":"urn:p"}}`)}))
	expands := func(text string, set func(*jsonld.Limits, int64)) limitCase {
		return limitCase{code: exceeded, do: func(n int64) (outcome, error) {
			var l jsonld.Limits
			set(&l, n)
			_, err := jsonld.Parse([]byte(text), jsonld.Options{ProcessingLimits: l, Contexts: contexts})
			return check(err)
		}}
	}
	json := func(at int64, text string, set func(*strictjson.Limits, int64)) limitCase {
		return limitCase{at: at, code: exceeded, do: func(n int64) (outcome, error) {
			var l strictjson.Limits
			set(&l, n)
			_, err := strictjson.Parse([]byte(text), l)
			return check(err)
		}}
	}
	poison := must(nquads.Parse([]byte(poisons()["5 all linked"]()), nquads.Options{}))
	canonical := func(set func(*canon.Options, int64)) limitCase {
		return limitCase{code: exceeded, do: func(n int64) (outcome, error) {
			var o canon.Options
			set(&o, n)
			_, err := canon.Canonicalize(context.Background(), poison, o)
			return check(err)
		}}
	}
	const document = `<urn:s> <urn:p> "12345", [] , [] .`
	const scoped = `{"@context":{"a":{"@id":"urn:a","@context":{"b":"urn:b"}},"c":{"@id":"urn:c","@context":{"d":"urn:d"}}},"@id":"urn:x","a":{"b":1},"c":{"d":2}}`

	const shapes = shapePrefixes + `ex:S a sh:NodeShape ; sh:targetSubjectsOf ex:p ; sh:node ex:T . ex:T a sh:NodeShape ; sh:node ex:U . ex:U sh:property [ sh:path ex:p ; sh:pattern "[a-z]+" ; sh:maxCount 0 ] .`
	graph := must(turtle.Parse([]byte(shapes), turtle.Options{}))
	program := must(shacl.Compile(graph.Default(), shacl.CompileOptions{}))
	data := must(turtle.Parse([]byte(shapePrefixes+`ex:a ex:p 1 . ex:b ex:p 2 . ex:c ex:p 3 .`), turtle.Options{}))
	compiles := func(set func(*shacl.CompileOptions, int64)) limitCase {
		return limitCase{code: exceeded, do: func(n int64) (outcome, error) {
			var o shacl.CompileOptions
			set(&o, n)
			_, err := shacl.Compile(graph.Default(), o)
			return check(err)
		}}
	}
	validates := func(set func(*shacl.Options, int64)) limitCase {
		return limitCase{code: exceeded, do: func(n int64) (outcome, error) {
			var o shacl.Options
			set(&o, n)
			r, err := program.Validate(context.Background(), data.Default(), o)
			if err == nil && regexp.MustCompile(`"omitted":|"truncated":`).Match(r.AppendJSON(nil)) {
				return refused(exceeded), nil // they are counted and not kept
			}
			return check(err)
		}}
	}
	return map[string]limitCase{
		"rdf.Limits.Bytes":        reads(int64(len(document)), document, func(l *rdf.Limits, n int64) { l.Bytes = n }),
		"rdf.Limits.Quads":        reads(3, document, func(l *rdf.Limits, n int64) { l.Quads = int(n) }),
		"rdf.Limits.BlankNodes":   reads(2, document, func(l *rdf.Limits, n int64) { l.BlankNodes = int(n) }),
		"rdf.Limits.IRIBytes":     reads(5, "<urn:s> <urn:p> <urn:o> .", func(l *rdf.Limits, n int64) { l.IRIBytes = int(n) }),
		"rdf.Limits.LiteralBytes": reads(5, document, func(l *rdf.Limits, n int64) { l.LiteralBytes = int(n) }),
		"rdf.Limits.Nesting":      reads(3, `<urn:s> <urn:p> [ <urn:p> ( [ <urn:p> 1 ] ) ] .`, func(l *rdf.Limits, n int64) { l.Nesting = int(n) }),
		"rdf.Limits.Prefixes":     reads(3, `@prefix a: <urn:a> . PREFIX a: <urn:b> @base <urn:c> .`, func(l *rdf.Limits, n int64) { l.Prefixes = int(n) }),
		"rdf.Limits.TermBytes":    reads(0, document, func(l *rdf.Limits, n int64) { l.TermBytes = n }),

		"rdf/jsonld.Limits.Values":       expands(`{"@id":"urn:x","urn:p":[1,2,3]}`, func(l *jsonld.Limits, n int64) { l.Values = int(n) }),
		"rdf/jsonld.Limits.Members":      expands(`{"@id":"urn:x","urn:p":1,"urn:q":2}`, func(l *jsonld.Limits, n int64) { l.Members = int(n) }),
		"rdf/jsonld.Limits.Contexts":     expands(scoped, func(l *jsonld.Limits, n int64) { l.Contexts = int(n) }),
		"rdf/jsonld.Limits.ContextBytes": expands(`{"@context":"https://c.example/","@id":"urn:x","p":1}`, func(l *jsonld.Limits, n int64) { l.ContextBytes = n }),
		"rdf/jsonld.Limits.Definitions":  expands(scoped, func(l *jsonld.Limits, n int64) { l.Definitions = int(n) }),
		"rdf/jsonld.Limits.Elements":     expands(`{"@id":"urn:x","urn:p":[1,2,3]}`, func(l *jsonld.Limits, n int64) { l.Elements = int(n) }),

		"internal/strictjson.Limits.Bytes":   json(9, `{"a":[1]}`, func(l *strictjson.Limits, n int64) { l.Bytes = n }),
		"internal/strictjson.Limits.Depth":   json(2, `{"a":[1]}`, func(l *strictjson.Limits, n int64) { l.Depth = int(n) }),
		"internal/strictjson.Limits.Values":  json(3, `{"a":[1]}`, func(l *strictjson.Limits, n int64) { l.Values = int(n) }),
		"internal/strictjson.Limits.Members": json(2, `{"a":1,"b":2}`, func(l *strictjson.Limits, n int64) { l.Members = int(n) }),

		"canon.Options.MaxPermutations": canonical(func(o *canon.Options, n int64) { o.MaxPermutations = int(n) }),
		"canon.Options.MaxCalls":        canonical(func(o *canon.Options, n int64) { o.MaxCalls = int(n) }),

		"shacl.CompileOptions.MaxDepth":        compiles(func(o *shacl.CompileOptions, n int64) { o.MaxDepth = int(n) }),
		"shacl.CompileOptions.MaxPattern":      compiles(func(o *shacl.CompileOptions, n int64) { o.MaxPattern = int(n) }),
		"shacl.CompileOptions.MaxPatternBytes": compiles(func(o *shacl.CompileOptions, n int64) { o.MaxPatternBytes = int(n) }),
		"shacl.Options.MaxChecks":              validates(func(o *shacl.Options, n int64) { o.MaxChecks = int(n) }),
		"shacl.Options.MaxDepth":               validates(func(o *shacl.Options, n int64) { o.MaxDepth = int(n) }),
		"shacl.Options.MaxReport":              validates(func(o *shacl.Options, n int64) { o.MaxReport = int(n) }),
		"shacl.Options.MaxResults":             validates(func(o *shacl.Options, n int64) { o.MaxResults = int(n) }),
		"shacl.Options.Workers":                {why: "the report does not depend on it"},
	}
}

func policyLimits() map[string]limitCase {
	policy := policyPrefixes + `ex:p a odrl:Set ; odrl:permission [ odrl:action odrl:read, odrl:use ; odrl:target ex:a ; odrl:constraint [ odrl:or ( ex:b ex:c ex:d ) ] ], [ odrl:action odrl:use ] .`
	graph := must(turtle.Parse([]byte(policy), turtle.Options{}))
	compiles := func(set func(*odrl.Limits, int64)) limitCase {
		return limitCase{code: exceeded, do: func(n int64) (outcome, error) {
			var o odrl.CompileOptions
			set(&o.Limits, n)
			_, err := odrl.Compile(graph.Default(), o)
			return check(err)
		}}
	}
	explains := func(set func(*odrl.Limits, int64)) limitCase {
		return limitCase{code: "truncated", do: func(n int64) (outcome, error) {
			var o odrl.CompileOptions
			set(&o.Limits, n)
			p := must(odrl.Compile(graph.Default(), o))
			d, trace := p.Explain(&odrl.Request{Agent: "urn:a", Action: "read", Target: "http://example.org/a", Now: noon})
			switch {
			case d.Permitted():
				return outcome{}, errors.New("a trace changed a decision")
			case trace.Truncated:
				return refused("truncated"), nil
			}
			return accepted(""), nil
		}}
	}
	var chain []*odrl.Policy
	for i := range 3 {
		var b strings.Builder
		fmt.Fprintf(&b, policyPrefixes+"ex:p%d a odrl:Agreement ; odrl:profile <https://w3id.org/jeswr/odrl-delegation> ; odrl:assigner ex:a%[1]d ; odrl:assignee ex:a%[2]d ; odrl:permission [ odrl:action odrl:read ; odrl:target ex:t ],\n", i, i+1)
		b.WriteString("[ odrl:action odrl:grantUse ; odrl:target ex:t ; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand 5 ] ]")
		if i > 0 {
			fmt.Fprintf(&b, " ; odrld:delegatedUnder ex:p%d", i-1)
		}
		b.WriteString(" .")
		chain = append(chain, must(delegation.Compile(must(turtle.Parse([]byte(b.String()), turtle.Options{})).Default(), "")))
	}
	return map[string]limitCase{
		"odrl.Limits.Rules":        compiles(func(l *odrl.Limits, n int64) { l.Rules = int(n) }),
		"odrl.Limits.List":         compiles(func(l *odrl.Limits, n int64) { l.List = int(n) }),
		"odrl.Limits.Checks":       compiles(func(l *odrl.Limits, n int64) { l.Checks = int(n) }),
		"odrl.Limits.TraceEntries": explains(func(l *odrl.Limits, n int64) { l.TraceEntries = int(n) }),
		"odrl.Limits.TraceBytes":   explains(func(l *odrl.Limits, n int64) { l.TraceBytes = int(n) }),
		"odrl/delegation.Options.MaxPolicies": {at: 3, code: "chain-too-long", do: func(n int64) (outcome, error) {
			most := int(n)
			d := delegation.Evaluate(chain, &odrl.Request{Agent: "http://example.org/a3", Action: "read", Target: "http://example.org/t", Now: noon}, delegation.Options{MaxPolicies: &most})
			if d.Permitted() {
				return accepted(""), nil
			}
			return refused(d.Code), nil
		}},
		"odrl/delegation.Options.Steps": {code: "too-many-steps", do: func(n int64) (outcome, error) {
			steps := int(n)
			d := delegation.Evaluate(chain, &odrl.Request{Agent: "http://example.org/a3", Action: "read", Target: "http://example.org/t", Now: noon}, delegation.Options{Steps: &steps})
			if d.Permitted() {
				return accepted(""), nil
			}
			return refused(d.Code), nil
		}},
	}
}
