package odrl

import (
	"slices"
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Dialect says what a policy's terms may be for the policy to be understood.
// Both are closed: nothing can be added to them by a policy.
type Dialect uint8

const (
	// InformationModel is ODRL 2.2 with the whole common vocabulary.
	InformationModel Dialect = iota
	// DelegationProfile is the ODRL Agent-Delegation Profile (specification
	// "authz", section 7), for package odrl/delegation.
	DelegationProfile

	numDialects
)

// String returns the dialect's name.
func (d Dialect) String() string {
	if d == DelegationProfile {
		return "delegation-profile"
	}
	return "information-model"
}

// acl is the namespace of Web Access Control: the delegation profile uses two of its
// modes as actions. cc is that of Creative Commons: ODRL's common vocabulary uses
// nine of its terms.
const (
	acl = "http://www.w3.org/ns/auth/acl#"
	cc  = "http://creativecommons.org/ns#"

	aclAppend  = acl + "Append"
	aclControl = acl + "Control"
)

// action is an index of actions; 0 is an action that is not known.
type action uint8

// actionInfo is an action and those that it is directly included in.
type actionInfo struct {
	iri        string
	includedIn string // "" for a top-level action
	profiled   bool   // known in the delegation profile
}

// actions is ODRL's common vocabulary with its includedIn edges, and the two
// access modes. Terms that ODRL 2.2 deprecates are left out apart from write,
// which the profile uses: that ODRL calls two terms equivalent is no reason to
// let one stand for the other in a grant. Index 0 is no action.
var actions = [...]actionInfo{
	{},
	{vocab.ODRLUse, "", true},
	{vocab.ODRLTransfer, "", true},
	{aclControl, "", true},
	{vocab.ODRL + "acceptTracking", vocab.ODRLUse, false},
	{vocab.ODRL + "aggregate", vocab.ODRLUse, true},
	{vocab.ODRL + "annotate", vocab.ODRLUse, false},
	{vocab.ODRL + "anonymize", vocab.ODRLUse, true},
	{vocab.ODRL + "archive", vocab.ODRLUse, true},
	{vocab.ODRL + "attribute", vocab.ODRLUse, true},
	{vocab.ODRL + "compensate", vocab.ODRLUse, true},
	{vocab.ODRL + "concurrentUse", vocab.ODRLUse, false},
	{vocab.ODRL + "delete", vocab.ODRLUse, true},
	{vocab.ODRL + "derive", vocab.ODRLUse, false},
	{vocab.ODRL + "digitize", vocab.ODRLUse, false},
	{vocab.ODRL + "play", vocab.ODRLUse, false},
	{vocab.ODRL + "display", vocab.ODRL + "play", false},
	{vocab.ODRL + "distribute", vocab.ODRLUse, true},
	{vocab.ODRL + "ensureExclusivity", vocab.ODRLUse, false},
	{vocab.ODRL + "execute", vocab.ODRLUse, false},
	{vocab.ODRL + "reproduce", vocab.ODRLUse, false},
	{vocab.ODRL + "extract", vocab.ODRL + "reproduce", false},
	{vocab.ODRL + "give", vocab.ODRLTransfer, false},
	{vocab.ODRLGrantUse, vocab.ODRLUse, true},
	{vocab.ODRL + "include", vocab.ODRLUse, false},
	{vocab.ODRL + "index", vocab.ODRLUse, true},
	{vocab.ODRL + "inform", vocab.ODRLUse, true},
	{vocab.ODRL + "install", vocab.ODRLUse, false},
	{vocab.ODRL + "modify", vocab.ODRLUse, true},
	{vocab.ODRL + "move", vocab.ODRLUse, false},
	{vocab.ODRLNextPolicy, vocab.ODRLUse, true},
	{vocab.ODRL + "obtainConsent", vocab.ODRLUse, false},
	{vocab.ODRL + "present", vocab.ODRLUse, false},
	{vocab.ODRL + "print", vocab.ODRLUse, false},
	{vocab.ODRL + "read", vocab.ODRLUse, true},
	{vocab.ODRL + "reviewPolicy", vocab.ODRLUse, false},
	{vocab.ODRL + "sell", vocab.ODRLTransfer, false},
	{vocab.ODRL + "stream", vocab.ODRLUse, false},
	{vocab.ODRL + "synchronize", vocab.ODRLUse, false},
	{vocab.ODRL + "textToSpeech", vocab.ODRLUse, false},
	{vocab.ODRL + "transform", vocab.ODRLUse, false},
	{vocab.ODRL + "translate", vocab.ODRLUse, false},
	{vocab.ODRL + "uninstall", vocab.ODRLUse, false},
	{vocab.ODRL + "watermark", vocab.ODRLUse, false},
	{vocab.ODRL + "write", vocab.ODRLUse, true},
	{aclAppend, vocab.ODRL + "write", true},
	{cc + "Attribution", vocab.ODRLUse, false},
	{cc + "CommercialUse", vocab.ODRLUse, false},
	{cc + "DerivativeWorks", vocab.ODRLUse, false},
	{cc + "Distribution", vocab.ODRLUse, false},
	{cc + "Notice", vocab.ODRLUse, false},
	{cc + "Reproduction", vocab.ODRLUse, false},
	{cc + "ShareAlike", vocab.ODRLUse, false},
	{cc + "Sharing", vocab.ODRLUse, false},
	{cc + "SourceCode", vocab.ODRLUse, false},
}

var actionsByIRI = sync.OnceValue(func() map[string]action {
	m := make(map[string]action, len(actions))
	for i := 1; i < len(actions); i++ {
		m[actions[i].iri] = action(i)
	}
	// ODRL spelt it so before an erratum, as many policies still do.
	m[cc+"CommericalUse"] = m[cc+"CommercialUse"]
	return m
})

// coverers holds for each dialect and requested action the set of actions of a
// rule that cover it, one bit an action.
var coverers = sync.OnceValue(func() *[numDialects][len(actions)]uint64 {
	t := new([numDialects][len(actions)]uint64)
	byIRI := actionsByIRI()
	for i := 1; i < len(actions); i++ {
		set := uint64(1) << i
		for up := byIRI[actions[i].includedIn]; up != 0; up = byIRI[actions[up].includedIn] {
			set |= 1 << up
		}
		t[InformationModel][i] = set
		if !actions[i].profiled {
			continue
		}
		// The profile keeps delegation apart from use (7.4): a permission to
		// use is none to pass it on.
		if iri := actions[i].iri; iri == vocab.ODRLGrantUse || iri == vocab.ODRLNextPolicy {
			set = 1 << i
		}
		t[DelegationProfile][i] = set
	}
	return t
})

// lookupAction returns the known action that an IRI names.
func (d Dialect) lookupAction(iri string) action {
	a := actionsByIRI()[iri]
	if d == DelegationProfile && !actions[a].profiled {
		return 0
	}
	return a
}

// actionIRI returns the IRI of an action given by IRI or by short name: the
// local name of an ODRL action, "append" or "control".
func actionIRI(name string) string {
	switch name {
	case "append":
		return aclAppend
	case "control":
		return aclControl
	}
	if strings.Contains(name, ":") {
		return name
	}
	return vocab.ODRL + name
}

// ActionIRI returns the IRI of an action that is given by its IRI or by its
// short name (7.4): the local name of an ODRL action, or "append" and "control"
// for the access modes acl:Append and acl:Control. It does not say whether the
// action is known.
func ActionIRI(name string) string { return actionIRI(name) }

// Covers reports whether a rule about one action is about the other too: in the
// Information Model by includedIn, in the delegation profile by the table of
// section 7.4. Both are IRIs or short names. What is not known covers nothing
// and is covered by nothing.
func (d Dialect) Covers(rule, requested string) bool {
	r, q := d.lookupAction(actionIRI(rule)), d.lookupAction(actionIRI(requested))
	return r != 0 && q != 0 && d.covers(r, q)
}

func (d Dialect) covers(rule, requested action) bool {
	return coverers()[d][requested]>>rule&1 == 1
}

// valueClass says how the values of a left operand compare.
type valueClass uint8

const (
	plainValue    valueClass = iota // by the datatype of the right operand
	instantValue                    // as instants
	durationValue                   // as durations
)

// leftOperand is a left operand that is known.
type leftOperand struct {
	iri, name string // name is the key of a request's attributes
	class     valueClass
	profiled  bool
}

// leftOperands are those of ODRL's common vocabulary and, last, the one that the
// delegation profile adds.
var leftOperands = sync.OnceValue(func() []leftOperand {
	plain := strings.Fields(`absolutePosition absoluteSize absoluteSpatialPosition absoluteTemporalPosition count
		deliveryChannel event fileFormat industry language media payAmount percentage product purpose recipient
		relativePosition relativeSize relativeSpatialPosition relativeTemporalPosition resolution spatial
		spatialCoordinates systemDevice unitOfCount version virtualLocation`)
	profiled := strings.Fields("count dateTime elapsedTime purpose recipient spatial systemDevice")
	var ops []leftOperand
	add := func(class valueClass, names ...string) {
		for _, n := range names {
			ops = append(ops, leftOperand{vocab.ODRL + n, n, class, slices.Contains(profiled, n)})
		}
	}
	add(plainValue, plain...)
	add(instantValue, "dateTime")
	add(durationValue, "delayPeriod", "elapsedTime", "meteredTime", "timeInterval")
	slices.SortFunc(ops, func(a, b leftOperand) int { return strings.Compare(a.name, b.name) })
	return append(ops, leftOperand{vocab.ODRLDDelegationDepth, "delegationDepth", plainValue, true})
})

var leftOperandsByIRI = sync.OnceValue(func() map[string]*leftOperand {
	all := leftOperands()
	m := make(map[string]*leftOperand, len(all))
	for i := range all {
		m[all[i].iri] = &all[i]
	}
	return m
})

// lookupLeft returns the known left operand that an IRI names, or nil.
func (d Dialect) lookupLeft(iri string) *leftOperand {
	l := leftOperandsByIRI()[iri]
	if l == nil || !d.knowsLeft(l) {
		return nil
	}
	return l
}

func (d Dialect) knowsLeft(l *leftOperand) bool {
	if d == DelegationProfile {
		return l.profiled
	}
	return l.iri != vocab.ODRLDDelegationDepth
}

// operator is an operator of a constraint; 0 is none that is known.
type operator uint8

const (
	noOperator operator = iota
	opEq
	opNeq
	opGt
	opGteq
	opLt
	opLteq
	opIsAnyOf
	opIsAllOf
	opIsNoneOf
	opIsA // this and the following are not known in the delegation profile
	opHasPart
	opIsPartOf

	// Operands of logical constraints.
	opAnd
	opOr
	opXone
	opAndSequence
)

var operatorIRIs = [...]string{
	opEq: vocab.ODRLEq, opNeq: vocab.ODRLNeq, opGt: vocab.ODRLGt, opGteq: vocab.ODRLGteq, opLt: vocab.ODRLLt,
	opLteq: vocab.ODRLLteq, opIsAnyOf: vocab.ODRLIsAnyOf, opIsAllOf: vocab.ODRLIsAllOf, opIsNoneOf: vocab.ODRLIsNoneOf,
	opIsA: vocab.ODRLIsA, opHasPart: vocab.ODRLHasPart, opIsPartOf: vocab.ODRLIsPartOf,
	opAnd: vocab.ODRLAnd, opOr: vocab.ODRLOr, opXone: vocab.ODRLXone, opAndSequence: vocab.ODRLAndSequence,
}

// String returns the local name, as ODRL spells it.
func (o operator) String() string { return strings.TrimPrefix(operatorIRIs[o], vocab.ODRL) }

// isSet reports whether the operator takes several right operands.
func (o operator) isSet() bool { return o == opIsAnyOf || o == opIsAllOf || o == opIsNoneOf }

// lookupOperator returns the known operator that an IRI names.
func (d Dialect) lookupOperator(iri string) operator {
	last := opIsPartOf
	if d == DelegationProfile {
		last = opIsNoneOf
	}
	for o := opEq; o <= last; o++ {
		if operatorIRIs[o] == iri {
			return o
		}
	}
	return noOperator
}

// knowsProfile reports whether a policy may say that it follows a profile. Many say that of
// the vocabulary of ODRL itself.
func (d Dialect) knowsProfile(iri string) bool {
	return iri == vocab.ODRLCore || iri == vocab.ODRL || d == DelegationProfile && iri == vocab.ODRLDProfile
}
