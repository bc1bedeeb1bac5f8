package attack_test

import (
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/authz"
	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/handshake"
	"github.com/rdfproto/rdfproto/odrl"
	"github.com/rdfproto/rdfproto/odrl/delegation"
	"github.com/rdfproto/rdfproto/owg"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/replay"
	"github.com/rdfproto/rdfproto/shacl"
	"github.com/rdfproto/rdfproto/terms"
)

// zeros say of each type whose values can say yes what its zero value says, by everything
// of it that can.
func zeros(t *testing.T) map[string]func() []bool {
	now := time.Now()
	some := canon.Sum(nil)
	second := func(_ any, ok bool) bool { return ok }
	return map[string]func() []bool{
		"a2a.CardTrust": func() []bool { return []bool{a2a.CardTrust{}.Demand != agentcard.DemandVerified} },
		"a2a.Result":    func() []bool { return []bool{a2a.Result{}.Kind != engine.KindRefused} },
		"agentcard.Admitted": func() []bool {
			a := &agentcard.Admitted{}
			return []bool{a.Card() != nil, second(a.Verified()), len(a.Documents()) > 0}
		},
		"agentcard.Outcome": func() []bool { return []bool{agentcard.Outcome(0) == agentcard.OutcomeVerified} },
		"agentcard.Report": func() []bool {
			var says []bool
			for _, r := range []*agentcard.Report{nil, {}} {
				for d := range agentcard.InsecureIgnoreSignatures + 2 {
					a, code := agentcard.Admit(r, d)
					says = append(says, a != nil, code == "")
				}
			}
			return append(says, second(new(agentcard.Report).Verified()))
		},
		"agentcard.Result":   func() []bool { return []bool{agentcard.Result(0) == agentcard.ResultValid} },
		"agentcard.Verified": func() []bool { return []bool{new(agentcard.Verified).Card() != nil} },
		"authz.Decision":     func() []bool { d := authz.Decision{}; return []bool{d.Authorized(), d.Record().Decision != "deny"} },
		"authz.RecordReport": func() []bool {
			r := &authz.RecordReport{}
			return []bool{r.Verified(), r.Code() == "", second(r.Record()), len(r.Proofs()) > 0}
		},
		"authz/vc.Binding": func() []bool {
			b := &vc.Binding{}
			return []bool{b.OK(), b.Bound(), b.Canonical(), b.Code() == "", second(b.Document())}
		},
		"authz/vc.PresentationReport": func() []bool {
			r := &vc.PresentationReport{}
			return []bool{r.Verified(), r.Code() == "", r.Presentation() != nil}
		},
		"authz/vc.ProofReport": func() []bool {
			r := &vc.ProofReport{}
			return []bool{r.Verified(), r.Code() == "", len(r.Proofs()) > 0}
		},
		"authz/vc.Report":       func() []bool { r := &vc.Report{}; return []bool{r.Verified(), r.Code() == "", r.Credential() != nil} },
		"authz/vc.StatusReport": func() []bool { r := &vc.StatusReport{}; return []bool{r.Clear(), r.Code() == "", len(r.Entries()) > 0} },
		"engine.AllowList": func() []bool {
			var says []bool
			for _, p := range []engine.Proposal{{}, {Pin: some}, {Pin: some, Source: "https://a.example/p"}} {
				says = append(says, engine.AllowList{}.Allow(t.Context(), p, nil) == nil, engine.AllowList{}.Allow(t.Context(), p, &protocol.Review{}) == nil)
			}
			return says
		},
		"engine.Authority": func() []bool { return []bool{engine.Authority{}.Permit, engine.Authority{}.Verified} },
		"engine.Outcome":   func() []bool { return []bool{engine.Outcome{}.Kind != engine.KindRefused} },
		"handshake.Action": func() []bool { a := handshake.Action{}; return []bool{a.Evaluate, a.Wait, a.Response != nil} },
		"handshake.Agreement": func() []bool {
			a := handshake.Agreement{}
			return []bool{a.Holds(now), a.Holds(time.Time{}), !a.SecurityBearing()}
		},
		"handshake.Decision": func() []bool { d := handshake.Decision{}; return []bool{d.MayDowngrade(), d.Upgraded()} },
		"handshake.Scope":    func() []bool { return []bool{handshake.Scope{}.Valid()} },
		"odrl.Decision":      func() []bool { d := odrl.Decision{}; return []bool{d.Permitted(), d.Verdict() != odrl.Deny} },
		"odrl.Match": func() []bool {
			m := &odrl.Match{}
			v, code := m.Verdict()
			return []bool{v != odrl.Deny, code != odrl.CodeNotCompiled, m.Refused() == "", len(m.Reasons()) == 0, len(m.Obligations()) > 0}
		},
		"odrl.Policy": func() []bool {
			var says []bool
			for _, p := range []*odrl.Policy{nil, {}} {
				says = append(says, p.Evaluate(&odrl.Request{Action: "read", Target: "urn:t"}).Permitted(), p.Evaluate(&odrl.Request{}).Verdict() != odrl.Deny)
			}
			return says
		},
		"odrl.Verdict":             func() []bool { return []bool{odrl.Verdict(0) != odrl.Deny} },
		"odrl/delegation.Decision": func() []bool { return []bool{delegation.Decision{}.Permitted()} },
		"owg.Reception":            func() []bool { return []bool{new(owg.Reception).Accepted()} },
		"owg.Report":               func() []bool { return []bool{new(owg.Report).Valid()} },
		"owg.Trace":                func() []bool { return []bool{new(owg.Trace).Complete()} },
		"protocol.Document": func() []bool {
			var says []bool
			for _, d := range []*protocol.Document{nil, {}} {
				v, err := d.ValidateRequest(t.Context(), []byte("<urn:a> <urn:b> <urn:c> ."), "text/turtle", protocol.Options{})
				says = append(says, err == nil && v.Valid(), second(d.ResponseShape()))
				v, err = d.ValidateResponse(t.Context(), nil, "text/turtle", protocol.Options{})
				says = append(says, err == nil && v.Valid())
			}
			return says
		},
		"protocol.Review": func() []bool {
			var says []bool
			for _, r := range []*protocol.Review{nil, {}} {
				accepted, err := r.Accept()
				says = append(says, accepted != nil, err == nil)
			}
			return says
		},
		"protocol.Reviewed": func() []bool {
			var says []bool
			for _, r := range []*protocol.Reviewed{nil, {}} {
				offeror := &handshake.Offeror{}
				says = append(says, protocol.NewStore(0).Put(r) == nil, offeror.Offer(r, handshake.Offer{Source: "https://a.example/p"}, "m", now) == nil)
			}
			return says
		},
		"protocol.Verdict": func() []bool {
			return []bool{new(protocol.Verdict).Valid(), (*protocol.Verdict)(nil).Valid(), new(protocol.Verdict).Dataset() != nil}
		},
		"rdf.Base": func() []bool {
			_, err := rdf.Base{}.Resolve(nil, "a")
			return []bool{err == nil}
		},
		"replay.Claim":  func() []bool { return []bool{replay.Claim{}.State == replay.Fresh, replay.State(0) == replay.Fresh} },
		"shacl.Report":  func() []bool { return []bool{new(shacl.Report).Conforms()} },
		"terms.Outcome": func() []bool { return []bool{terms.Outcome(0) == terms.Verified} },
		"terms.Proposal": func() []bool {
			p := &terms.Proposal{}
			return []bool{len(p.Bytes()) > 0, p.Digest().Equal(p.Digest())}
		},
		"terms.Report": func() []bool {
			r := &terms.Report{}
			return []bool{r.AllVerified(), len(r.Proposals()) > 0, second(r.Proposal(some)), second(r.Proposal(canon.Digest{})), r.Terms == terms.Stated}
		},
	}
}

// TestZeroValues: the zero value of a decision, verdict or report says no, by everything
// of it that could say yes.
func TestZeroValues(t *testing.T) {
	t.Parallel()
	for name, says := range zeros(t) {
		for i, yes := range says() {
			assert.False(t, yes, "the zero %s says yes, by its member %d", name, i)
		}
	}
}

// TestEveryZero: every exported type has a row whose documentation says that its zero value
// refuses, or which has a method that says yes.
func TestEveryZero(t *testing.T) {
	t.Parallel()
	promises := regexp.MustCompile(`(?:\bzero value|\bzero [A-Z]\w*)\b[^.]*\b(?:refus\w*|den(?:y|ies)|rejects|permits? nothing|allows nothing|allows no execution|accepts? nothing|states nothing|holds (?:nothing|no card)|stands? for no(?:ne| document)|is not (?:valid|complete)|does not conform|trusts no key)\b`)
	yes := []string{
		"Accepted", "AllVerified", "Authorized", "Bound", "Clear", "Complete", "Conforms", "Holds", "MayDowngrade", "OK", "Permitted",
		"Upgraded", "Valid", "Verified",
	}
	// Types that the two rules find, and that say nothing.
	others := map[string]string{
		"engine.Role": "the role of a message",
	}
	said := map[string]bool{}
	eachFile(t, func(pkg string, f *ast.File) {
		if strings.HasPrefix(pkg, "internal/") || strings.Contains(pkg, "/internal") {
			return
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || !slices.Contains(yes, d.Name.Name) || d.Type.Results == nil {
					continue
				}
				results := d.Type.Results.List
				name := strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")
				if types.ExprString(results[len(results)-1].Type) == "bool" && ast.IsExported(name) {
					said[pkg+"."+name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					typ, ok := s.(*ast.TypeSpec)
					if !ok || !typ.Name.IsExported() {
						continue
					}
					doc := typ.Doc
					if doc == nil {
						doc = d.Doc
					}
					if promises.MatchString(strings.Join(strings.Fields(doc.Text()), " ")) {
						said[pkg+"."+typ.Name.Name] = true
					}
				}
			}
		}
	})
	require.Greater(t, len(said), 30)
	rows := zeros(t)
	for _, name := range slices.Sorted(maps.Keys(said)) {
		_, row := rows[name]
		_, other := others[name]
		assert.True(t, row || other, "the zero %s refuses, or should: it needs a row", name)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(rows)), slices.Collect(maps.Keys(others))) {
		assert.True(t, said[name], "%s is no such type any more", name)
	}
}
