package terms

import (
	"fmt"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// The pricing arrangements (SoW, section 5.5). There is no default.
const (
	fixedFee         = "fixed_fee"
	timeAndMaterials = "time_and_materials"
	noCharge         = "no_charge"
)

// price is a price clause of one of the defined forms. Money is in the smallest unit of
// the currency.
type price struct {
	arrangement string
	currency    string
	rates       []rate  // of a fixed fee
	meters      []meter // of time and materials
	cap         int64   // of time and materials: the most that is charged
}

type rate struct {
	offering string
	perTask  int64
	path     string
}

type meter struct {
	name        string
	unit        string // a label for people
	per         int64  // counts in one unit
	perUnit     int64
	passThrough bool
	path        string
}

// readPrice checks a price clause (section B.6; SoW, sections 5.5.1 to 5.5.7).
func readPrice(v strictjson.Value) (price, *Error) {
	p := price{arrangement: text(v.Get("arrangement"))}
	wrong := func(at strictjson.Value, format string, args ...any) (price, *Error) {
		return price{}, refuseAt(orElse(at, v), CodePrice, format, args...)
	}
	firstOf := func(names ...string) (strictjson.Value, string) {
		for _, n := range names {
			if m := v.Get(n); m.Exists() {
				return m, n
			}
		}
		return strictjson.Value{}, ""
	}
	switch p.arrangement {
	case noCharge:
		for i := range v.Len() {
			if m := v.Member(i); m.Str() != "arrangement" && m.Str() != "grade" {
				return wrong(m.Name, "expected arrangement and grade alone under no_charge")
			}
		}
		return p, nil
	case fixedFee, timeAndMaterials:
	default:
		return wrong(v.Get("arrangement"), "expected fixed_fee, time_and_materials or no_charge for arrangement")
	}
	if p.currency = text(v.Get("currency")); !isCurrency(p.currency) {
		return wrong(v.Get("currency"), "expected three capital letters for currency")
	}
	if p.arrangement == fixedFee {
		if m, n := firstOf("schedule", "cap", "reservation"); n != "" {
			return wrong(m, "expected no %s under fixed_fee", n)
		}
		if e := p.readRates(v); e != nil {
			return price{}, e
		}
		return p, nil
	}
	if m, n := firstOf("rates", "ceiling"); n != "" {
		return wrong(m, "expected no %s under time_and_materials", n)
	}
	if e := p.readSchedule(v); e != nil {
		return price{}, e
	}
	amount := v.Get("cap").Get("amount")
	var ok bool
	if p.cap, ok = integer(amount); !ok || p.cap < 1 {
		return wrong(orElse(amount, v.Get("cap")), "expected a positive integer for cap.amount: there is no time and materials without a cap")
	}
	days := v.Get("reservation").Get("window_days")
	if n, ok := integer(days); !ok || n < 1 {
		return wrong(orElse(days, v.Get("reservation")), "expected a positive integer for reservation.window_days")
	}
	return p, nil
}

func (p *price) readRates(v strictjson.Value) *Error {
	list := v.Get("rates")
	if list.Kind() != strictjson.Array || list.Len() == 0 {
		return refuseAt(orElse(list, v), CodePrice, "expected an array with rates")
	}
	seen := map[string]bool{}
	for i, e := range list.Items() {
		r := rate{offering: text(e.Get("offering")), path: fmt.Sprintf("price.rates[%d].per_task", i)}
		if r.offering == "" || seen[r.offering] {
			return refuseAt(orElse(e.Get("offering"), e), CodePrice, "expected an offering, and one rate for it")
		}
		seen[r.offering] = true
		var ok bool
		if r.perTask, ok = integer(e.Get("per_task")); !ok || r.perTask < 0 {
			return refuseAt(orElse(e.Get("per_task"), e), CodePrice, "expected an integer that is not negative for per_task")
		}
		p.rates = append(p.rates, r)
	}
	if c := v.Get("ceiling"); c.Exists() {
		if n, ok := integer(c.Get("amount")); !ok || n < 0 {
			return refuseAt(orElse(c.Get("amount"), c), CodePrice, "expected an integer that is not negative for ceiling.amount")
		}
	}
	return nil
}

func (p *price) readSchedule(v strictjson.Value) *Error {
	list := v.Get("schedule")
	if list.Kind() != strictjson.Array || list.Len() == 0 {
		return refuseAt(orElse(list, v), CodePrice, "expected an array with lines for schedule")
	}
	seen := map[string]bool{}
	for i, e := range list.Items() {
		m := meter{name: text(e.Get("meter")), unit: text(e.Get("unit")), per: 1, path: fmt.Sprintf("price.schedule[%d].per_unit", i)}
		if m.name == "" || seen[m.name] {
			return refuseAt(orElse(e.Get("meter"), e), CodePrice, "expected a meter, and one line for it")
		}
		seen[m.name] = true
		if m.unit == "" {
			return refuseAt(orElse(e.Get("unit"), e), CodePrice, "expected a label for unit")
		}
		var ok bool
		if m.perUnit, ok = integer(e.Get("per_unit")); !ok || m.perUnit < 0 {
			return refuseAt(orElse(e.Get("per_unit"), e), CodePrice, "expected an integer that is not negative for per_unit")
		}
		if per := e.Get("per"); per.Exists() {
			if m.per, ok = integer(per); !ok || m.per < 1 {
				return refuseAt(per, CodePrice, "expected a positive integer for per")
			}
		}
		if through := e.Get("pass_through"); through.Exists() {
			if m.passThrough, ok = through.Bool(); !ok || !m.passThrough {
				return refuseAt(through, CodePrice, "expected true for pass_through, or none")
			}
		}
		p.meters = append(p.meters, m)
	}
	return nil
}

func isCurrency(s string) bool {
	if len(s) != 3 {
		return false
	}
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
}

// priceLine says a part of a price, and where the document states it.
type priceLine struct {
	text  string
	paths []string
}

// lines says what the price is. A rate is never shown without the cap that bounds it,
// and no_charge is an arrangement, not a price of 0 (O-7; SoW, section 12.2).
func (p *price) lines() []priceLine {
	const (
		unit  = "in the smallest unit of the currency"
		whole = "price"
		bound = "price.cap.amount"
	)
	switch p.arrangement {
	case noCharge:
		return []priceLine{{"arrangement no_charge", []string{whole}}}
	case timeAndMaterials:
		head := fmt.Sprintf("arrangement time_and_materials, never more than %d %s in all, %s", p.cap, p.currency, unit)
		out := []priceLine{{head, []string{whole, bound}}}
		for _, m := range p.meters {
			line := fmt.Sprintf("meter %s: %d %s for every %d counted (%s), within the cap of %d %s", quoted(m.name), m.perUnit, p.currency, m.per, quoted(m.unit), p.cap, p.currency)
			if m.passThrough {
				line += ", passed on at cost"
			}
			out = append(out, priceLine{line, []string{m.path, bound}})
		}
		return out
	}
	out := []priceLine{{"arrangement fixed_fee, " + unit, []string{whole}}}
	for _, r := range p.rates {
		text := fmt.Sprintf("offering %s: %d %s per task", quoted(r.offering), r.perTask, p.currency)
		out = append(out, priceLine{text, []string{r.path}})
	}
	return out
}
