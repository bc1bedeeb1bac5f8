package handshake

// Outcome is what an offer and the response to it amount to.
type Outcome uint8

// The outcomes. Only [Declined] allows natural language.
const (
	Undecided Outcome = iota // nothing was decided: no response, or not a readable one
	Unrelated                // the response names another pin: it does not answer the offer
	Upgraded                 // the offer was accepted: from here on, validated RDF
	Declined                 // an optional offer was declined: natural language is allowed
	Refused                  // a required offer was declined: the exchange ends
)

// String returns the outcome in one word.
func (o Outcome) String() string {
	switch o {
	case Unrelated:
		return "unrelated"
	case Upgraded:
		return "upgraded"
	case Declined:
		return "declined"
	case Refused:
		return "refused"
	}
	return "undecided"
}

// Decision is the only value that allows natural language after an offer
// (a2a-rdf, DG-8): code that sends prose in such an exchange asks for one. Only
// [Decide] makes one that allows it; the zero Decision allows nothing. It is
// immutable and safe for concurrent use.
type Decision struct {
	outcome Outcome
}

// Decide applies the downgrade rule (a2a-rdf, section 5.1) to an offer and the
// response to it. The offer must be the offeror's own stored copy, never
// anything that the peer sent back (DG-7). Without a readable response there is
// nothing to call it with, and the zero Decision holds (DG-2).
func Decide(sent Offer, r Response) Decision {
	switch {
	case !sent.Hash.Equal(r.Hash):
		return Decision{Unrelated} // DG-5: accepting something else is no acceptance
	case r.Accept:
		return Decision{Upgraded}
	case sent.Required:
		return Decision{Refused} // DG-3
	}
	return Decision{Declined}
}

// Outcome returns what was decided.
func (d Decision) Outcome() Outcome { return d.outcome }

// MayDowngrade reports whether natural language is allowed.
func (d Decision) MayDowngrade() bool { return d.outcome == Declined }

// Upgraded reports whether the Protocol Document is agreed.
func (d Decision) Upgraded() bool { return d.outcome == Upgraded }
