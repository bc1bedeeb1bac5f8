package odrl

import (
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// Supported is what a dialect understands. Everything else denies.
type Supported struct {
	Dialect         string            `json:"dialect"`
	Profiles        []string          `json:"profiles"`
	PolicyTypes     []string          `json:"policyTypes"`
	Conflict        []string          `json:"conflict"`
	Actions         []SupportedAction `json:"actions"`
	LeftOperands    []string          `json:"leftOperands"`
	Operators       []string          `json:"operators"`
	LogicalOperands []string          `json:"logicalOperands"`
	Refinements     bool              `json:"refinements"`
	Collections     bool              `json:"collections"`
	Inheritance     bool              `json:"inheritance"`
	DutiesBlock     bool              `json:"dutiesBlock"` // an open duty of a permission denies
	MaxNesting      int               `json:"maxNesting"`
}

// SupportedAction is an action, and the actions whose rules are about it as well.
type SupportedAction struct {
	Action    string   `json:"action"`
	Name      string   `json:"name,omitempty"` // the short name that a request may use
	CoveredBy []string `json:"coveredBy"`      // itself among them
}

// Support returns what a dialect understands, in a fixed order.
func Support(d Dialect) Supported {
	s := Supported{
		Dialect: d.String(), Profiles: []string{vocab.ODRL, vocab.ODRLCore},
		PolicyTypes: []string{vocab.ODRLAgreement, vocab.ODRLPolicy, vocab.ODRLSet},
		Conflict:    []string{vocab.ODRLInvalid, vocab.ODRLPerm, vocab.ODRLProhibit},
		Refinements: d == InformationModel, Collections: d == InformationModel, Inheritance: d == InformationModel,
		DutiesBlock: d == InformationModel, MaxNesting: MaxNesting,
	}
	if d == DelegationProfile {
		s.Profiles = append(s.Profiles, vocab.ODRLDProfile)
		s.PolicyTypes = append(s.PolicyTypes, vocab.ODRLOffer)
	}
	slices.Sort(s.PolicyTypes)
	for i := 1; i < len(actions); i++ {
		if d.lookupAction(actions[i].iri) == 0 {
			continue
		}
		a := SupportedAction{Action: actions[i].iri, Name: shortAction(actions[i].iri)}
		for j := 1; j < len(actions); j++ {
			if d.covers(action(j), action(i)) {
				a.CoveredBy = append(a.CoveredBy, actions[j].iri)
			}
		}
		slices.Sort(a.CoveredBy)
		s.Actions = append(s.Actions, a)
	}
	slices.SortFunc(s.Actions, func(a, b SupportedAction) int { return strings.Compare(a.Action, b.Action) })
	all := leftOperands()
	for i := range all {
		if d.knowsLeft(&all[i]) {
			s.LeftOperands = append(s.LeftOperands, all[i].iri)
		}
	}
	for o := opEq; o <= opIsPartOf; o++ {
		if d.lookupOperator(operatorIRIs[o]) != noOperator {
			s.Operators = append(s.Operators, operatorIRIs[o])
		}
	}
	for o := opAnd; o <= opAndSequence; o++ {
		s.LogicalOperands = append(s.LogicalOperands, operatorIRIs[o])
	}
	return s
}
