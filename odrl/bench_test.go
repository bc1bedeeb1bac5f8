package odrl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rdfproto/rdfproto/odrl"
)

// thousandRules is a policy of 900 permissions and 100 prohibitions of as many
// assets, each with a constraint on time and purpose.
func thousandRules() string {
	var b strings.Builder
	b.WriteString("ex:pol a odrl:Set .\n")
	for i := range 1000 {
		kind := "permission"
		if i%10 == 9 {
			kind = "prohibition"
		}
		fmt.Fprintf(&b, `ex:pol odrl:%s [ odrl:target ex:d%d ; odrl:assignee ex:bob ; odrl:action odrl:read ; odrl:constraint
 [ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lteq ; odrl:rightOperand "2027-01-01T00:00:00Z"^^xsd:dateTime ] ,
 [ odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand ex:research ] ] .
`, kind, i)
	}
	return b.String()
}

func BenchmarkCompile(b *testing.B) {
	for name, ttl := range map[string]string{"one rule": permission(""), "thousand rules": thousandRules()} {
		b.Run(name, func(b *testing.B) {
			g := parse(b, ttl)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := odrl.Compile(g, odrl.CompileOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEvaluate(b *testing.B) {
	one := compileFor(b, permission(`; odrl:constraint ex:c`)+compare("odrl:dateTime", "lteq", `"2027-01-01T00:00:00Z"^^xsd:dateTime`), odrl.InformationModel)
	many := compileFor(b, thousandRules(), odrl.InformationModel)
	research := with("purpose", odrl.Text(ex+"research"))
	for _, row := range []struct {
		name   string
		policy *odrl.Policy
		r      *odrl.Request
		want   odrl.Code
	}{
		{"one rule, permitted", one, ask(), odrl.CodePermitted},
		{"one rule, not", one, ask(target(ex + "other")), odrl.CodeNoPermission},
		{"thousand rules, permitted", many, ask(target(ex+"d500"), research), odrl.CodePermitted},
		{"thousand rules, prohibited", many, ask(target(ex+"d499"), research), odrl.CodeProhibited},
		{"thousand rules, not", many, ask(target(ex+"other"), research), odrl.CodeNoPermission},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if d := row.policy.Evaluate(row.r); d.Code != row.want {
					b.Fatal(d.Code)
				}
			}
		})
	}
	b.Run("thousand rules, explained", func(b *testing.B) {
		b.ReportAllocs()
		r := ask(target(ex+"d500"), research)
		for b.Loop() {
			many.Explain(r)
		}
	})
}
