package terms

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Proposal is a standing proposal that passed every check for this reader. Only
// [Verify] and [VerifyFresh] make one; the zero Proposal holds nothing. Everything in it
// is read from the bytes that the card commits to. It is immutable and safe for
// concurrent use.
type Proposal struct {
	doc        *Document // of the committed bytes
	digest     canon.Digest
	url        string
	signature  signature
	price      price
	directed   *offeredTo // nil for an offer to the market
	lapsed     bool
	ended      bool // by ends_at
	missing    []string
	clauses    []clause
	grades     map[string]Grade // of clauses, by path
	attributed *Attribution     // nil when nobody asked
}

// Bytes returns the committed bytes of the document. Countersign these and no others,
// after [VerifyFresh].
func (p *Proposal) Bytes() []byte {
	if p.doc == nil {
		return nil
	}
	return p.doc.Bytes()
}

// Root returns the document as a JSON value.
func (p *Proposal) Root() strictjson.Value {
	if p.doc == nil {
		return strictjson.Value{}
	}
	return p.doc.root
}

// Digest returns the digest that the card commits to. The digest of the zero Proposal
// equals no other.
func (p *Proposal) Digest() canon.Digest { return p.digest }

// URL returns the URL of the card's entry.
func (p *Proposal) URL() string { return p.url }

// ID returns the document's identifier, a label.
func (p *Proposal) ID() string { return text(p.Root().Get("id")) }

// Version returns the document's version.
func (p *Proposal) Version() int64 {
	n, _ := integer(p.Root().Get("version"))
	return n
}

// Offerings returns the offerings that the document covers.
func (p *Proposal) Offerings() []string { return offerings(p.Root()) }

// Owner returns the name of the selling owner as the document gives it.
func (p *Proposal) Owner() string { return text(p.Root().Get("parties").Get("provider").Get("owner")) }

// ProviderKey returns the nkey that signed the document. Nothing says whose it is.
func (p *Proposal) ProviderKey() string { return p.signature.key }

// Directed reports whether the document is an offer to this reader alone.
func (p *Proposal) Directed() bool { return p.directed != nil }

// Lapsed reports whether a directed offer had lapsed, and so was no longer open, at the
// time of the check.
func (p *Proposal) Lapsed() bool { return p.lapsed }

// MissingClauses returns the expected clauses that the document lacks. Never show a
// document that lacks some as verified without saying so.
func (p *Proposal) MissingClauses() []string { return slices.Clone(p.missing) }

// Arrangement returns the pricing arrangement: "fixed_fee", "time_and_materials"
// or "no_charge".
func (p *Proposal) Arrangement() string { return p.price.arrangement }

// Grades returns the grade of every graded part of the document, by path. See
// [Grade].
func (p *Proposal) Grades() map[string]Grade {
	out := make(map[string]Grade, len(p.grades))
	maps.Copy(out, p.grades)
	return out
}

// grade keeps the graded parts of the document.
func (p *Proposal) grade(clauses []clause) {
	p.clauses, p.grades = clauses, make(map[string]Grade, len(clauses))
	for _, c := range clauses {
		p.grades[c.path] = c.grade
	}
}

// gradeOf returns the weakest of the grades at some paths without quoted names. The grade
// at a path is that of the innermost graded part that it is in.
func (p *Proposal) gradeOf(paths ...string) Grade {
	grades := make([]Grade, len(paths))
	for i, path := range paths {
		grades[i] = Ungraded
		for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
			if g, ok := p.grades[path[:end]]; ok {
				grades[i] = g
				break
			}
		}
	}
	return weakest(grades)
}

func offerings(root strictjson.Value) []string {
	var out []string
	for _, v := range root.Get("scope").Get("offerings").Items() {
		out = append(out, text(v))
	}
	return out
}

// checkStanding checks everything that makes a document a standing proposal, except its
// signature (section B.6; SoW, sections 7.1 and 12.1).
func (d *Document) checkStanding() *Error {
	if v := d.root.Get("sow"); text(v) != "v1" {
		return refuseAt(orElse(v, d.root), CodeFormat, `expected "v1" for sow`)
	}
	if v := d.root.Get("id"); text(v) == "" {
		return refuseAt(orElse(v, d.root), CodeFormat, "expected a string for id")
	}
	if v := d.root.Get("version"); d.Version() < 1 {
		return refuseAt(orElse(v, d.root), CodeFormat, "expected a positive integer for version")
	}
	parties := d.root.Get("parties")
	provider := parties.Get("provider")
	if text(provider.Get("agent")) == "" || text(provider.Get("owner")) == "" {
		return refuseAt(orElse(provider, orElse(parties, d.root)), CodeFormat, "expected parties.provider with agent and owner")
	}
	if v := parties.Get("client"); v.Exists() && !v.IsNull() {
		return refuseAt(v, CodeNotStanding, "expected null for parties.client, found a client")
	}
	if v := d.clientRecord(); v.Exists() {
		return refuseAt(v, CodeNotStanding, "expected no signature of a client")
	}
	if v := d.root.Get("starts_at"); v.Exists() && !v.IsNull() {
		return refuseAt(v, CodeNotStanding, "expected null for starts_at, found a start")
	}
	return nil
}

// expected returns the clauses that a complete proposal is expected to have, besides
// those that it must have.
func expected() []string {
	return []string{"language", "inputs", "deliverables", "volume", "change_control", "termination", "disputes", "confidentiality"}
}

// isClause reports whether a top-level member is a clause: one of those that are named,
// or another object or array.
func isClause(name string, v strictjson.Value) bool {
	switch name {
	case "sow", "id", "version", "signatures", "language", "derived_from":
		return false
	case "parties", "scope", "inputs", "deliverables", "price", "volume", "change_control", "termination", "disputes", "confidentiality":
		return true
	}
	return v.Kind() == strictjson.Object || v.Kind() == strictjson.Array
}

// checkComplete checks that every clause is complete (section B.6): the required ones
// are there, and none is null, empty or a placeholder. It returns the expected clauses
// that are missing; with strict it fails if there are any.
func (d *Document) checkComplete(strict bool) (price, []string, *Error) {
	for _, name := range []string{"scope", "price"} {
		if v := d.root.Get(name); v.Kind() != strictjson.Object {
			return price{}, nil, refuseAt(orElse(v, d.root), CodeIncomplete, "expected an object for %s", name)
		}
	}
	for i := range d.root.Len() {
		m := d.root.Member(i)
		var v strictjson.Value
		var what string
		switch name := m.Str(); {
		case isClause(name, m.Value) || name == "language":
			v, what = unfinished(m.Value)
		case name == "ends_at" || name == "term_months":
			v, what = unsaid(m.Value)
		}
		if what != "" {
			return price{}, nil, refuseAt(v, CodeIncomplete, "expected %s to state something, found %s", quoted(m.Str()), what)
		}
	}
	list := d.root.Get("scope").Get("offerings")
	if list.Kind() != strictjson.Array || list.Len() == 0 {
		return price{}, nil, refuseAt(orElse(list, d.root.Get("scope")), CodeIncomplete, "expected an array with offerings for scope.offerings")
	}
	for _, v := range list.Items() {
		if text(v) == "" {
			return price{}, nil, refuseAt(v, CodeIncomplete, "expected the identifier of an offering")
		}
	}
	p, e := readPrice(d.root.Get("price"))
	if e != nil {
		return p, nil, e
	}
	if p.arrangement == fixedFee {
		priced := make(map[string]bool, len(p.rates))
		for _, r := range p.rates {
			priced[r.offering] = true
		}
		for _, v := range list.Items() {
			if !priced[text(v)] {
				return p, nil, refuseAt(v, CodeIncomplete, "expected a rate in price.rates for every offering")
			}
		}
	}
	var missing []string
	for _, name := range expected() {
		if v := d.root.Get(name); !v.Exists() || v.IsNull() {
			missing = append(missing, name)
		}
	}
	ends := func(name string) bool { v := d.root.Get(name); return v.Exists() && !v.IsNull() }
	if !ends("ends_at") && !ends("term_months") {
		missing = append(missing, "ends_at or term_months")
	}
	if strict && len(missing) > 0 {
		return p, missing, refuseAt(d.root, CodeIncomplete, "expected the clauses %s", strings.Join(missing, ", "))
	}
	return p, missing, nil
}

// ended reports whether the end that a document states has passed: ends_at as an instant,
// or as a date, whose day is still to come to its end in UTC. What else may stand there is
// for its reader.
func (d *Document) ended(at time.Time) bool {
	s := text(d.root.Get("ends_at"))
	if end, ok := instant(s); ok {
		return !at.Before(end)
	}
	day, err := time.Parse(time.DateOnly, s)
	return err == nil && !at.Before(day.AddDate(0, 0, 1))
}

// unfinished says why a clause states nothing, and where, "" if it does: it is null, no
// object or array, empty at every depth, or has a placeholder.
func unfinished(v strictjson.Value) (at strictjson.Value, what string) {
	if v.Kind() != strictjson.Object && v.Kind() != strictjson.Array {
		return v, v.Kind().String()
	}
	if !states(v) {
		return v, "nothing in it"
	}
	walk(v, func(leaf strictjson.Value) {
		if s, ok := leaf.Str(); ok && what == "" && isPlaceholder(s) {
			at, what = leaf, "a placeholder"
		}
	})
	return at, what
}

// unsaid says why a member for the end of the engagement states none, "" if it does. With
// null a document says that there is no end.
func unsaid(v strictjson.Value) (at strictjson.Value, what string) {
	switch s, ok := v.Str(); {
	case ok && isPlaceholder(s):
		return v, "a placeholder"
	case v.IsNull() || states(v):
		return v, ""
	}
	return v, "nothing in it"
}

// states reports whether a value holds anything other than nulls, blanks and grades.
func states(v strictjson.Value) bool {
	switch v.Kind() {
	case strictjson.Null, strictjson.Absent:
		return false
	case strictjson.String:
		return strings.TrimSpace(text(v)) != ""
	case strictjson.Array:
		for _, e := range v.Items() {
			if states(e) {
				return true
			}
		}
		return false
	case strictjson.Object:
		for name, m := range v.Members() {
			if name != "grade" && states(m) {
				return true
			}
		}
		return false
	}
	return true
}

// isPlaceholder reports whether a text is what people write where something is still to
// be filled in.
func isPlaceholder(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	switch strings.Trim(s, ".!") {
	case "tbd", "tba", "tbc", "todo", "fixme", "xxx", "placeholder", "to be determined", "to be decided", "to be agreed", "to be confirmed", "to be done":
		return true
	}
	enclosed := func(open, end string) bool {
		return len(s) > len(open)+len(end) && strings.HasPrefix(s, open) && strings.HasSuffix(s, end) && !strings.Contains(s[1:len(s)-1], open)
	}
	return s == "..." || s == "…" || enclosed("<", ">") || enclosed("{{", "}}") || enclosed("${", "}")
}
